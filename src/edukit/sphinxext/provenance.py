"""Where a page comes from: author, date, sources and help from tools, shown at its foot.

A MyST page says it in its front matter::

    ---
    provenance:
      author: the edukit authors
      date: 2026-11-30
      sources:
        - "[Attention Is All You Need](https://arxiv.org/abs/1706.03762)"
      tool: A language model drafted this page; scripts check its numbers.
    ---

All four are optional; ``author``, ``tool`` and each of the ``sources`` are one line of inline
markup. The document ends with::

    <provenance classes="edukit-provenance no-search">
      <paragraph>        About this page
      <definition_list>
        <definition_list_item>
          <term>         Author
          <definition>
            <paragraph>  the edukit authors
        …

The paragraphs are ordinary messages of the page's catalog; labels and date follow the language of
the build. The search leaves the node out: the same sentence stands on every page.
"""

import datetime
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from babel import Locale, UnknownLocaleError
from babel.dates import format_date
from docutils import nodes
from docutils.utils import new_document
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from edukit.sphinxext.common import add_assets, interface_text, metadata

logger = logging.getLogger(__name__)
_T = TypeVar("_T", bound=nodes.TextElement)

FIELD = "provenance"
LABELS = {"author": "Author", "date": "Date", "sources": "Sources", "tool": "Tools"}


class provenance(nodes.container):
    """The foot of a page. Builders that do not know it write the container that it is."""


def check_front_matter(app: Sphinx, docname: str, source: list[str]) -> None:
    """Say at its line what makes front matter unreadable, and read the page without it.

    MyST would say that it is malformed somewhere.
    """
    if not _is_myst(app.env.doc2path(docname), app.config.source_suffix):
        return
    import yaml  # MyST brings it

    lines = source[0].split("\n")
    if lines[0].rstrip() != "---":
        return
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
    if end is None:
        if any(re.match(r"provenance\s*:", line) for line in lines[1:20]):
            _warn_of_front_matter(docname, 1, "begins here and never ends: close it with a line of ---")
        return
    problem, line = "", 1
    try:
        yaml.safe_load("\n".join(lines[1:end]))
    except yaml.MarkedYAMLError as error:
        problem = str(error.problem or error.context or "it is not in the form of YAML")
        mark = error.problem_mark or error.context_mark
        line = mark.line + 2 if mark else 1
    except (yaml.YAMLError, ValueError) as error:
        # A day that no month has is a ValueError without a place.
        problem = str(error)
        line = next((n for n, one in enumerate(lines[:end], 1) if re.match(r"\s*date\s*:", one)), 1)
    if problem:
        _warn_of_front_matter(
            docname,
            line,
            f"cannot be read ({problem}). A text that holds a colon stands in quotation marks, what "
            "belongs together is indented with spaces, and a day is written like 2026-11-30",
        )
        source[0] = "\n".join([""] * (end + 1) + lines[end + 1 :])


def _warn_of_front_matter(docname: str, line: int, message: str) -> None:
    logger.warning(
        "the front matter %s", message, location=(docname, line), type="edukit", subtype="provenance"
    )


class ProvenanceFooter(SphinxTransform):
    """Turn the ``provenance`` of the front matter into the foot of the page."""

    # Before the messages are preserved (10) and translated (20), so that what is shown can be too.
    default_priority = 5

    def apply(self, **kwargs: Any) -> None:
        """Take the field out of the front matter and append the foot."""
        docname = self.env.docname
        if not _is_myst(self.env.doc2path(docname), self.config.source_suffix):
            return
        text = _take_field(self.document)
        if text is None:
            return
        # MyST has put the front matter there as well; left in, it would be a theme's raw JSON.
        self.env.metadata[docname].pop(FIELD, None)
        lines = _field_lines(Path(self.document["source"]))
        foot = _Foot(self, lines)
        items = foot.items(text)
        if items:
            self.document += foot.node(items)


class _Foot:
    """Builds the foot of one page and says what is wrong in its front matter.

    Parameters
    ----------
    transform
        Gives the document, the configuration and the parsers.
    lines
        The line at which each key stands in the page, and the field itself under its own name.
    """

    def __init__(self, transform: SphinxTransform, lines: dict[str, int]) -> None:
        self.transform = transform
        self.source = transform.document["source"]
        self.language = transform.config.language
        self.lines = lines

    def items(self, text: str) -> list[nodes.definition_list_item]:
        try:
            values = json.loads(text)
        except ValueError:
            values = text
        if not isinstance(values, dict):
            self.warn(FIELD, f"must hold {_allowed()}, each on an indented line of its own")
            return []
        for key in values:
            if key not in LABELS:
                self.warn(key, f"is not known in provenance; known are {_allowed()}")
        found = [(key, self.value(key, values[key])) for key in LABELS if values.get(key) is not None]
        return [self.item(LABELS[key], body) for key, body in found if body]

    def value(self, key: str, value: Any) -> list[nodes.paragraph]:
        if key == "date":
            return self.date(value)
        if key == "sources":
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                self.warn(
                    key,
                    'must be a list of texts, one to a line behind "- " (in quotation marks where '
                    "a text begins with a bracket or holds a colon and a space), or []",
                )
                return []
            return [line for one in value for line in self.message(key, one)]
        if not isinstance(value, str):
            self.warn(key, "must be one line of text")
            return []
        return self.message(key, value)

    def date(self, value: Any) -> list[nodes.paragraph]:
        try:
            day = datetime.datetime.strptime(str(value), "%Y-%m-%d").date()
        except ValueError:
            self.warn("date", f"must be a day written like 2026-11-30, not {value!r}")
            return []
        # "long" is "November 30, 2026" and "2026年11月30日".
        return [self.own_text(nodes.paragraph, format_date(day, "long", _locale(self.language)))]

    def message(self, key: str, text: str) -> list[nodes.paragraph]:
        """Parse one line as a message of the page, as its translation is going to be parsed."""
        transform = self.transform
        document = new_document(self.source, transform.document.settings)
        document.reporter = transform.document.reporter
        filetype = _filetype(self.source, transform.config.source_suffix)
        # Where Sphinx's own Locale transform takes it from; ``transform.app`` is on its way out.
        registry = transform.env._registry
        parser = registry.create_source_parser(filetype, config=transform.config, env=transform.env)
        parser.parse(text, document)
        paragraph = document[0] if len(document) == 1 else None
        if not isinstance(paragraph, nodes.paragraph):
            self.warn(key, "must be one line of text without headings, lists or the like")
            return []
        paragraph.source = self.source
        for node in paragraph.findall(nodes.Element):
            node.line = self.line(key)
        return [paragraph]

    def item(self, label: str, body: list[nodes.paragraph]) -> nodes.definition_list_item:
        term = self.own_text(nodes.term, interface_text(label, self.language))
        return nodes.definition_list_item("", term, nodes.definition("", *body))

    def node(self, items: Iterable[nodes.definition_list_item]) -> provenance:
        title = self.own_text(nodes.paragraph, interface_text("About this page", self.language))
        title["classes"].append("edukit-provenance-title")
        foot = provenance(classes=["edukit-provenance", "no-search"])
        foot.source, foot.line = self.source, self.line(FIELD)
        foot += [title, nodes.definition_list("", *items)]
        return foot

    @staticmethod
    def own_text(kind: type[_T], text: str) -> _T:
        """Make a node whose words are ours and hence no message of the page."""
        return kind(text, text, translatable=False)

    def line(self, key: str) -> int:
        return self.lines.get(key, self.lines.get(FIELD, 1))

    def warn(self, key: str, message: str) -> None:
        logger.warning(
            "%r in the front matter %s",
            key,
            message,
            location=(self.transform.env.docname, self.line(key)),
            type="edukit",
            subtype="provenance",
        )


def _allowed() -> str:
    return ", ".join(LABELS)


def _locale(language: str) -> Locale:
    try:
        return Locale.parse(language)
    except (ValueError, UnknownLocaleError):
        return Locale("en")


def _filetype(path: str, suffixes: dict[str, str]) -> str:
    return next((kind for suffix, kind in suffixes.items() if path.endswith(suffix)), "")


def _is_myst(path: Path, suffixes: dict[str, str]) -> bool:
    return _filetype(str(path), suffixes) not in ("", "restructuredtext")


def _take_field(document: nodes.document) -> str | None:
    """Remove the field from the front matter that begins the document, and return its text.

    MyST writes a nested value as JSON, and anything else as it is typed.
    """
    front = document.next_node(nodes.field_list) if len(document) else None
    if front is None or front.parent is not document or document.index(front) != 0:
        return None
    for field in front:
        if isinstance(field, nodes.field) and field[0].astext() == FIELD:
            front.remove(field)
            if not len(front):
                document.remove(front)
            return field[1].astext()
    return None


def _field_lines(path: Path) -> dict[str, int]:
    """Return the line of the field and of each key in it: MyST keeps only where it all begins."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines()[1:], start=2):
        if line.rstrip() in ("---", "..."):
            break
        if match := re.match(rf"{FIELD}\s*:", line):
            lines[FIELD] = number
        elif lines and re.match(r"\S", line) and not line.startswith("#"):
            break
        elif lines and (match := re.match(r"""\s+["']?([^\s"':-][^"':]*)["']?\s*:""", line)):
            lines.setdefault(match[1].strip(), number)
    return lines


def visit_provenance(self: HTML5Translator, node: provenance) -> None:
    """Write the foot as ``<footer>``, which inside the article belongs to the article."""
    self.body.append(self.starttag(node, "footer"))


def depart_provenance(self: HTML5Translator, node: provenance) -> None:
    """Close the foot."""
    self.body.append("</footer>\n")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the node, the transform and the style sheet."""
    app.add_node(provenance, html=(visit_provenance, depart_provenance))
    app.connect("source-read", check_front_matter)
    app.add_transform(ProvenanceFooter)
    add_assets(app, "provenance.css")
    return metadata()
