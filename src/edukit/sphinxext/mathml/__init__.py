r"""Formulas as MathML, made when the site is built: no script, read aloud, sharp at every size.

In ``conf.py`` of any Sphinx project::

    extensions = ["edukit.sphinxext.mathml"]
    html_math_renderer = "mathml"                  # the default where the project names no other
    edukit_math_macros = {"R": r"\mathbb{R}", "norm": r"\left\lVert #1 \right\rVert"}

The macros hold in LaTeX output too. A formula becomes:

.. code-block:: html

    <div class="math edukit-math" id="equation-norm">
      <div class="edukit-math-formula"><div class="edukit-math-line">
        <math display="block" alttext="x^2"> … </math>
        <span class="edukit-math-copy" aria-hidden="true">$$x^2$$</span>
      </div></div>
      <span class="eqno">(1)</span>
    </div>

The copy lies over the formula, transparent: one click marks it whole, and what is copied is LaTeX. The
font is ``_static/edukit/math.woff2``, cut to the characters in use, with its licence beside it.

A formula that cannot be converted is an error at its file and line, in every build until it is mended.

Read from the top: this file (what Sphinx sees), ``latex`` (one formula), ``font``.
"""

import contextlib
import html
import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docutils import nodes
from math_core import LatexError
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.config import Config
from sphinx.domains.math import MathDomain
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors import EnvironmentCollector
from sphinx.locale import _
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.i18n import docname_to_domain
from sphinx.util.math import get_node_equation_number
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from edukit import catalogs
from edukit.sphinxext.common import interface_text, metadata, stop
from edukit.sphinxext.mathml import font
from edukit.sphinxext.mathml.latex import Formula, FormulaError, convert, converter

logger = logging.getLogger(__name__)

SHEET = "edukit/math.css"
FONT = "edukit/math.woff2"
NOTICE = "edukit/math-font-licence.txt"

# A formula with more letters than this may be wider than a phone: it scrolls, and by keyboard too.
PHONE = 24


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set the extension up."""
    app.add_config_value("edukit_math_macros", {}, "env", types=frozenset({dict}))
    app.add_html_math_renderer(
        "mathml", inline_renderers=(visit_inline, None), block_renderers=(visit_block, None)
    )
    app.connect("config-inited", prefer_mathml)
    app.connect("config-inited", check_macros)
    app.connect("builder-inited", prepare_epub)
    app.add_transform(NameEquations)
    app.add_post_transform(LabelInside)
    app.add_post_transform(KeepTogether)
    app.add_env_collector(FormulaCollector)
    app.connect("env-updated", report_failures)
    app.connect("env-updated", write_font)
    app.connect("html-page-context", clean_titles)
    app.add_css_file(SHEET)
    return metadata()


# -- the configuration --------------------------------------------------------------------------------


def prefer_mathml(app: Sphinx, config: Config) -> None:
    """Use this renderer unless the project has chosen one."""
    if config.html_math_renderer is None:
        config.html_math_renderer = "mathml"


def check_macros(app: Sphinx, config: Config) -> None:
    """Stop at a macro that cannot be read, and tell LaTeX about the others."""
    macros: dict[Any, Any] = config.edukit_math_macros
    for name, meaning in macros.items():
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z]+", name):
            _refuse(config, f"{name!r} cannot be the name of a macro: write letters only, and no backslash")
        if not isinstance(meaning, str):
            _refuse(config, f"{name!r} must be a text of LaTeX, not {meaning!r}")
    try:
        converter(tuple(sorted(macros.items())), False)
    except LatexError as error:
        number, _, reason = str(error).partition(":")
        names = sorted(macros)
        index = number.removeprefix("macro")
        name = names[int(index)] if index.isdecimal() and int(index) < len(names) else ", ".join(names)
        _refuse(config, f"{name!r} cannot be read: {reason.partition(': ')[2] or error}")
    commands = [
        # What a package has defined under this name is replaced, as it is in the pages.
        rf"\providecommand{{\{name}}}{{}}\renewcommand{{\{name}}}{_arguments(meaning)}{{{meaning}}}"
        for name, meaning in sorted(macros.items())
    ]
    if commands:
        preamble = "\n".join([config.latex_elements.get("preamble", ""), *commands])
        config.latex_elements = {**config.latex_elements, "preamble": preamble}


def _arguments(meaning: str) -> str:
    count = max((int(number) for number in re.findall(r"#(\d)", meaning)), default=0)
    return f"[{count}]" if count else ""


def _refuse(config: Config, message: str) -> None:
    stop(f"edukit_math_macros in conf.py: {message}.")


# -- while a page is read -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Formulas:
    """What is remembered of the formulas of a page.

    Parameters
    ----------
    characters
        Those that the math font has to hold.
    failures
        Where each formula stands that cannot be converted, its text, and what is wrong with it.
    """

    characters: frozenset[str]
    failures: tuple[tuple[str | None, str, str], ...]


def formulas_of(env: BuildEnvironment) -> dict[str, Formulas]:
    """Return what is remembered, by page; the environment keeps it from build to build."""
    if not hasattr(env, "edukit_formulas"):
        setattr(env, "edukit_formulas", {})
    found: dict[str, Formulas] = getattr(env, "edukit_formulas")
    return found


class FormulaCollector(EnvironmentCollector):
    """Converts every formula once when its page is read.

    When the pages are written it would be too late: an incremental build writes few of them, and in a
    parallel one no process sees them all.
    """

    def clear_doc(self, app: Sphinx, env: BuildEnvironment, docname: str) -> None:
        """Forget a page that is read again or gone."""
        formulas_of(env).pop(docname, None)

    def merge_other(
        self, app: Sphinx, env: BuildEnvironment, docnames: Set[str], other: BuildEnvironment
    ) -> None:
        """Take over what another process has read."""
        theirs = formulas_of(other)
        formulas_of(env).update({name: theirs[name] for name in docnames if name in theirs})

    def process_doc(self, app: Sphinx, doctree: nodes.document) -> None:
        """Collect the characters and the failures of a page."""
        characters: set[str] = set()
        failures = []
        for node in doctree.findall(lambda node: isinstance(node, (nodes.math, nodes.math_block))):
            assert isinstance(node, nodes.Element)
            try:
                formula = formula_of(node, app.config, xml=False)
            except FormulaError as error:
                failures.append((place_of(node, app), node.astext(), str(error)))
            else:
                characters |= font.characters(formula.mathml)
        if characters or failures:
            formulas_of(app.env)[app.env.current_document.docname] = Formulas(
                frozenset(characters), tuple(failures)
            )


def place_of(node: nodes.Element, app: Sphinx) -> str | None:
    """Return the file and the line at which the text of a formula was typed.

    A formula in a line knows only where its paragraph begins, and one in a translation only what it
    translates. The files are searched for it.
    """
    known = logging.get_node_location(node)
    latex = node.astext().strip()
    if not known or not latex:
        return known
    # In a file its lines may be indented.
    typed = re.compile(r"\s+".join(map(re.escape, latex.split())))
    file, _, line = known.rpartition(":")
    with contextlib.suppress(OSError, ValueError):
        lines = Path(file).read_text(encoding="utf-8").splitlines(keepends=True)
        before, rest = "".join(lines[: int(line) - 1]), "".join(lines[int(line) - 1 :])
        if found := typed.search(rest):
            return f"{file}:{(before + rest[: found.start()]).count(chr(10)) + 1}"
    domain = docname_to_domain(app.env.current_document.docname, app.config.gettext_compact)
    for folder in app.config.locale_dirs:
        path = Path(app.srcdir, folder, app.config.language, "LC_MESSAGES", f"{domain}.po")
        with contextlib.suppress(OSError, catalogs.CatalogError):
            for message in catalogs.read(path).messages:
                if typed.search(message.string):
                    return f"{path}:{message.line}"
    return known


def formula_of(node: nodes.Element, config: Config, *, xml: bool) -> Formula:
    """Convert the formula of a node."""
    block = isinstance(node, nodes.math_block)
    # Sphinx has renamed the attribute; MyST writes the old name.
    whole = bool(node.get("no-wrap", node.get("nowrap", False)))
    return convert(node.astext(), block=block, whole=whole, xml=xml, macros=config.edukit_math_macros)


class NameEquations(SphinxTransform):
    r"""Gives the equations of MyST's ``amsmath`` names that last.

    MyST names ``\begin{align} … \end{align}`` at random, so that its address differs from build to build
    and between the languages. Here the name is the ``\label{…}`` in it, which ``{eq}`` can then refer
    to, or else the equation's number.
    """

    default_priority = 5  # before the targets in front of the equations pass their ids on (260)

    def apply(self, **kwargs: Any) -> None:
        """Rename what MyST has named."""
        domain = self.env.get_domain("math")
        assert isinstance(domain, MathDomain)
        docname = self.env.current_document.docname
        for node in list(self.document.findall(nodes.math_block)):
            random = node.get("label")
            if not random or "amsmath" not in node["classes"] or random not in domain.equations:
                continue
            number = domain.equations.pop(random)[1]
            if label := _label(node.astext()):
                other = domain.equations.get(label)
                if other:
                    logger.warning(
                        "duplicate label of equation %s, other instance in %s",
                        label,
                        other[0],
                        location=node,
                        type="ref",
                        subtype="equation",
                    )
                name = nodes.make_id(f"equation-{label}")
            else:
                label = f"{docname}:{number}"
                name = f"equation-{number}"
            while name in self.document.ids:
                name += "-ams"
            domain.equations[label] = (docname, number)
            node["label"] = label
            self.rename(nodes.make_id(f"equation-{random}"), name)

    def rename(self, old: str, new: str) -> None:
        """Exchange an id wherever the document holds it."""
        target = self.document.ids.pop(old, None)
        if target is None:
            return
        target["ids"] = [new if one == old else one for one in target["ids"]]
        self.document.ids[new] = target


def _label(latex: str) -> str | None:
    match = re.search(r"\\label\s*\{\s*([^{}]+?)\s*\}", latex)
    return match[1] if match else None


def report_failures(app: Sphinx, env: BuildEnvironment) -> None:
    """Say which formulas cannot be read, those of pages that are not read again too."""
    if not _in_use(app.builder):
        return
    for docname in sorted(formulas_of(env)):
        for location, latex, reason in formulas_of(env)[docname].failures:
            _report(latex, reason, location)


def _report(latex: str, reason: str, location: Any) -> None:
    text = " ".join(latex.split())
    logger.error(
        "this formula cannot be read: %s. It is: %s", reason, text, location=location, type="mathml"
    )


# -- the font -----------------------------------------------------------------------------------------


def _in_use(builder: Builder) -> bool:
    return builder.format == "html" and getattr(builder, "math_renderer_name", None) == "mathml"


def write_font(app: Sphinx, env: BuildEnvironment) -> Iterable[str]:
    """Write the style sheet and the font that it names; all pages are known now, and none is written.

    Returns
    -------
    iterable of str
        The pages that are to be written again: all, if they have to ask for another style sheet.
    """
    if not _in_use(app.builder):
        return []
    static = Path(app.outdir) / "_static"
    sheet, file, notice = static / SHEET, static / FONT, static / NOTICE
    sheet.parent.mkdir(parents=True, exist_ok=True)
    css = Path(__file__).with_name("math.css").read_text(encoding="utf-8")
    before = sheet.read_text(encoding="utf-8") if sheet.is_file() else None
    known = formulas_of(env).values()
    if known:
        characters = frozenset[str]().union(*(formulas.characters for formulas in known))
        # Files in a book have no versions.
        version = "" if app.builder.name == "epub" else f"?v={font.name_version(characters)}"
        css = _font_face(version) + css
        if css != before or not file.is_file():
            file.write_bytes(font.cut(characters))
        notice.write_text(font.notice(), encoding="utf-8")
    else:
        file.unlink(missing_ok=True)
        notice.unlink(missing_ok=True)
    if css == before:
        return []
    sheet.write_text(css, encoding="utf-8")
    return sorted(env.found_docs) if before is not None else []


def _font_face(version: str) -> str:
    # The formulas wait for their font: in another one they would have other sizes. It comes a quarter of a
    # second after the text on a slow mobile network. To ask for it earlier, by a link in the head of the
    # page, is not allowed to pages that are opened from a folder.
    return (
        "/*! STIX Two Math, SIL Open Font License 1.1: see math-font-licence.txt */\n"
        "@font-face {\n"
        '  font-family: "Edukit Math";\n'
        f'  src: url("math.woff2{version}") format("woff2");\n'
        "  font-display: block;\n"
        "}\n\n"
    )


def clean_titles(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Take the LaTeX out of titles: stripped of its tags it would stand there beside the formula."""
    places = [context, context.get("prev"), context.get("next"), *context.get("parents", [])]
    for place in places:
        if isinstance(place, dict) and "edukit-math" in str(place.get("title", "")):
            place["title"] = _HIDDEN.sub("", str(place["title"]))


_HIDDEN = re.compile(r'<annotation\b.*?</annotation>|<span class="edukit-math-copy".*?</span>', re.DOTALL)


# -- what is written ----------------------------------------------------------------------------------


class KeepTogether(SphinxPostTransform):
    """Keeps a formula on one line with what touches it: a bracket before it, a comma behind it.

    A browser may break a line on both sides of a formula, whatever stands there.
    """

    default_priority = 900  # when all text nodes are what they are going to be
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Put each formula that has something to hold on to into one ``inline`` with it."""
        if not _in_use(self.app.builder):
            return
        for node in list(self.document.findall(nodes.math)):
            parent = node.parent
            if not isinstance(parent, nodes.TextElement):
                continue
            before, after = _neighbour(node, -1), _neighbour(node, 1)
            opening = _OPENING.search(before) if before else None
            closing = _TOUCHING.match(after) if after else None
            if not opening and not closing:
                continue
            group = nodes.inline("", classes=["edukit-math-together"])
            index = parent.index(node)
            parent[index] = group
            if opening and before:
                parent[index - 1] = nodes.Text(before[: opening.start()])
                group += nodes.Text(opening[0])
            group += node
            if closing and after:
                group += nodes.Text(closing[0])
                parent[index + 1] = nodes.Text(after[closing.end() :])


# Brackets and quotation marks that open; and what goes on without a space, such as "," or "-th", up to
# the next hyphen or Chinese character.
_OPENING = re.compile(r"[(\[{«“‘（［【〈《「『]+\Z")
_TOUCHING = re.compile(r"[^\s\-⺀-⿿ぁ-ꓽ가-힣豈-﫿\U00020000-\U0003ffff]+-?|-")


def _neighbour(node: nodes.Node, step: int) -> str | None:
    index = node.parent.index(node) + step
    found = node.parent[index] if 0 <= index < len(node.parent) else None
    # Not str(): that still holds the backslashes of reStructuredText, as zero bytes.
    return found.astext() if isinstance(found, nodes.Text) else None


class LabelInside(SphinxPostTransform):
    r"""Puts the label of an equation with its own environment where LaTeX counts it.

    Sphinx writes it in front of ``\begin{align}``; there it would be that of the section.
    """

    default_priority = 900
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Move the labels."""
        for node in self.document.findall(nodes.math_block):
            label = node.get("label")
            if not label or not node.get("no-wrap", node.get("nowrap", False)):
                continue
            full = rf"\label{{equation:{node['docname']}:{label}}}"
            latex = re.sub(r"\\label\s*\{[^{}]*\}", "", node.astext())
            begin = re.search(r"\\begin\s*\{\w+\}(\{\d+\})?", latex)
            if begin:
                latex = latex[: begin.end()] + full + latex[begin.end() :]
            node.children = []
            node += nodes.Text(latex)
            node["label"] = None


def _converted(translator: HTML5Translator, node: nodes.Element) -> Formula | None:
    builder = translator.builder
    try:
        return formula_of(node, builder.config, xml=builder.name == "epub")
    except FormulaError as error:
        latex = node.astext()
        reported = {
            failure[1] for formulas in formulas_of(builder.env).values() for failure in formulas.failures
        }
        # One that has come into the page after it was read.
        if latex not in reported:
            _report(latex, str(error), node)
        return None


def _shown(translator: HTML5Translator, node: nodes.Element, formula: Formula | None) -> str:
    if formula is None:
        return f'<code class="edukit-math-error">{html.escape(node.astext())}</code>'
    if translator.builder.name == "epub":
        # Readers of books place things as they like; what lies over a formula may come out beside it.
        return formula.mathml
    latex = html.escape(formula.latex, quote=False)
    return f'{formula.mathml}<span class="edukit-math-copy" aria-hidden="true">{latex}</span>'


def _long(translator: HTML5Translator, formula: Formula | None) -> str:
    """Return the attributes of a formula that a phone has to scroll."""
    if formula is None or formula.width <= PHONE or translator.builder.name == "epub":
        return ""
    label = interface_text("Formula", translator.config.language)
    return f' tabindex="0" role="group" aria-label="{html.escape(label)}"'


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    formula = _converted(translator, node)
    attributes = _long(translator, formula)
    kind = " edukit-math-long" if attributes else ""
    shown = _shown(translator, node, formula)
    if attributes:
        shown = f'<span class="edukit-math-line">{shown}</span>'
    translator.body.append(f'<span class="math edukit-math{kind}"{attributes}>{shown}</span>')
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on its own lines, with its number where it has one."""
    formula = _converted(translator, node)
    translator.body.append(translator.starttag(node, "div", CLASS="math edukit-math"))
    translator.body.append(
        f'<div class="edukit-math-formula"{_long(translator, formula)}>'
        f'<div class="edukit-math-line">{_shown(translator, node, formula)}</div></div>'
    )
    if node.get("number"):
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


# -- books --------------------------------------------------------------------------------------------


def prepare_epub(app: Sphinx) -> None:
    """Let the book hold the font, and say in its list of files which of them have formulas."""
    builder: Any = app.builder
    if builder.name != "epub" or not _in_use(builder):
        return
    builder.media_types = {**builder.media_types, ".woff2": "font/woff2", ".txt": "text/plain"}
    build_content = builder.build_content

    def build_content_and_mark_formulas() -> None:
        build_content()
        outdir = Path(builder.outdir)
        path = outdir / "content.opf"

        def mark(item: re.Match[str]) -> str:
            page = outdir / html.unescape(item[1])
            has = page.is_file() and "<math" in page.read_text(encoding="utf-8", errors="replace")
            return f'{item[0]} properties="mathml"' if has else item[0]

        manifest = path.read_text(encoding="utf-8")
        marked = re.sub(r'<item\b[^>]*?\bhref="([^"]*\.xhtml)"(?![^>]*\bproperties=)', mark, manifest)
        path.write_text(marked, encoding="utf-8")

    builder.build_content = build_content_and_mark_formulas
