"""What readers see of what is translated: a page that tells it, and a quiet mark where something is not.

Anywhere in a page, in MyST or reST::

    ```{bilingual-edition}
    :pages: all
    ```

becomes a table of the languages: how many pages and words of each are translated, and how much is stale.
With ``:pages:`` a second table has a row for each page, with links to it in every language: ``all`` of
them, or only the ``unfinished`` ones.

A block that has no translation is shown in the source language, says so in its ``lang``, and is followed
by a small sign with the code of that language::

    <span class="bilingual-untranslated" lang="en" dir="ltr">…</span><span class="bilingual-mark">EN</span>
"""

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from edukit.catalogs.counting import Coverage, total
from edukit.sphinxext.bilingual.coverage import coverage_of, summaries_of
from edukit.sphinxext.bilingual.languages import Language, html_attributes
from edukit.sphinxext.bilingual.processes import BUILDERS
from edukit.sphinxext.bilingual.site import site_of
from edukit.sphinxext.common import SAME, UNTRANSLATED, dissolve_marks, interface_text


def setup(app: Sphinx) -> None:
    """Set up the directive, and the marks where there are any."""
    app.add_directive("bilingual-edition", BilingualEdition)
    app.add_node(bilingual_edition)
    app.add_post_transform(TellEdition)
    app.connect("env-updated", renew)
    app.connect("html-page-context", add_style)
    app.add_node(bilingual_untranslated, html=(visit_untranslated, depart_untranslated))
    app.add_post_transform(MarkUntranslated)


def add_style(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Load the style for marks and tables where there may be any: other pages stay light."""
    if site_of(app).is_translation or "bilingual-edition" in context.get("body", ""):
        app.add_css_file("edukit/bilingual-coverage.css")


# -- the page that tells ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edition:
    """The pages of a site in one language.

    Parameters
    ----------
    language
        Which.
    pages
        How much of each page is translated.
    revised
        The day on which a translator last worked on a catalog, as the catalogs have it; empty where they
        do not say. The time of a file would be another one on each machine.
    """

    language: Language
    pages: dict[str, Coverage]
    revised: str

    @property
    def whole(self) -> Coverage:
        """The sum of all pages."""
        return total(self.pages.values())


_EDITIONS: WeakKeyDictionary[Sphinx, list[Edition]] = WeakKeyDictionary()


def editions(app: Sphinx) -> list[Edition]:
    """Return the state of every language but the source."""
    if app not in _EDITIONS:
        site = site_of(app)
        others = sorted({*site.addresses, site.current} - {site.source}, key=lambda one: one.code)
        _EDITIONS[app] = [
            Edition(
                language,
                coverage_of(app, language.code),
                max(
                    (
                        summary.revised
                        for summaries in summaries_of(app, language.code).values()
                        for summary in summaries
                    ),
                    default="",
                )[:10],
            )
            for language in others
        ]
    return _EDITIONS[app]


class bilingual_edition(nodes.General, nodes.Element):
    """The place of the tables, until all pages are read."""


_TELLS = "bilingual_edition"


class BilingualEdition(SphinxDirective):
    """A table of the languages of the site and of how much of them is translated."""

    has_content = False
    option_spec: ClassVar[dict[str, Any]] = {
        "pages": lambda text: directives.choice(text, ("all", "unfinished", "none"))
    }

    def run(self) -> list[nodes.Node]:
        """Leave the place, and note the page: it is written again whenever a number changes."""
        self.env.metadata[self.env.current_document.docname][_TELLS] = True
        node = bilingual_edition(pages=self.options.get("pages", "none"))
        self.set_source_info(node)
        return [node]


def renew(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages that tell of editions, when what they tell has changed since they were written."""
    _EDITIONS.pop(app, None)
    telling = [docname for docname in sorted(env.found_docs) if env.metadata.get(docname, {}).get(_TELLS)]
    if not telling or app.builder.name not in BUILDERS:
        return []
    now = [(one.language.code, one.revised, sorted(one.pages.items())) for one in editions(app)]
    titles = {docname: title.astext() for docname, title in env.titles.items()}
    before = getattr(env, _TELLS, None)
    setattr(env, _TELLS, (now, titles))
    return telling if before != (now, titles) else []


class TellEdition(SphinxPostTransform):
    """Puts the tables in their place."""

    default_priority = 8  # before references are resolved; there are none to resolve in the tables

    def run(self, **kwargs: Any) -> None:
        """Make the tables anew for each page that is written."""
        for number, place in enumerate(list(self.document.findall(bilingual_edition)), 1):
            tables = list(self.tables(place["pages"]))
            for table, name in zip(tables, ("languages", "pages"), strict=False):
                # A table with a caption can be linked to, so it needs a name.
                table["ids"] = [f"bilingual-edition-{name}" + (f"-{number}" if number > 1 else "")]
            place.replace_self(tables)

    def tables(self, pages: str) -> Iterator[nodes.Element]:
        """Yield the table of languages, and that of pages."""
        found = editions(self.app)
        has_dates = any(one.revised for one in found)
        head: list[nodes.Node | str] = [
            self.say(text) for text in ("Language", "Pages", "Words", "Translated", "Behind")
        ]
        if has_dates:
            head.append(self.say("Last change"))
        rows = []
        for one in found:
            whole = one.whole
            of_pages = [coverage for name, coverage in one.pages.items() if not name.startswith("(")]
            done = sum(coverage.is_complete for coverage in of_pages)
            cells: list[nodes.Node | str] = [
                self.link(self.app.config.root_doc, one.language, own_name=True),
                self.say("{done} of {all}").format(done=f"{done:,}", all=f"{len(of_pages):,}"),
                f"{whole.words:,}",
                _percent(whole),
                f"{whole.stale:,}",
            ]
            rows.append(cells + ([one.revised or "–"] if has_dates else []))
        yield self.table("What is translated", head, rows)
        if pages == "none":
            return
        names = [
            docname
            for docname in sorted(self.env.found_docs)
            if pages == "all" or not all(one.pages[docname].is_complete for one in found)
        ]
        names = [docname for docname in names if any(one.pages[docname].messages for one in found)]
        if not names:
            yield nodes.paragraph("", self.say("Every page is translated."))
            return
        names_of_languages = [
            nodes.inline("", one.language.name, classes=[f"language-{one.language.tag}"]) for one in found
        ]
        head = [self.say("Page"), self.say("Words")]
        head += names_of_languages
        rows = []
        for docname in names:
            row: list[nodes.Node | str] = [
                self.link(docname, site_of(self.app).current),
                f"{found[0].pages[docname].words:,}",
            ]
            for one in found:
                coverage = one.pages[docname]
                cell = nodes.inline("", "", self.link(docname, one.language, text=_percent(coverage)))
                if coverage.stale:
                    behind = self.say("{number} behind").format(number=f"{coverage.stale:,}")
                    cell += nodes.Text(f" · {behind}")
                row.append(cell)
            rows.append(row)
        yield self.table("Page by page", head, rows)

    def say(self, text: str) -> str:
        """Return a text in the language of the page."""
        return interface_text(text, site_of(self.app).current.code)

    def link(
        self, docname: str, language: Language, *, text: str = "", own_name: bool = False
    ) -> nodes.Node:
        """Return a link to a page in a language, where it can be reached; else the text alone."""
        site = site_of(self.app)
        here = self.env.current_document.docname
        if own_name:
            text = language.name
        title = text or self.env.titles[docname].astext()
        classes = [f"language-{language.tag}"] if own_name else []
        if self.app.builder.name not in BUILDERS or language not in site.addresses:
            return nodes.inline("", title, classes=classes)
        uri = self.app.builder.get_target_uri(docname)
        if language == site.current:
            address = self.app.builder.get_relative_uri(here, docname)
        elif "://" in site.addresses[language]:
            address = site.addresses[language] + uri
        else:
            start = posixpath.dirname(self.app.builder.get_target_uri(here))
            address = posixpath.relpath(site.addresses[language] + (uri or "."), start or ".")
            address += "/" if not uri or uri.endswith("/") else ""
        reference = nodes.reference("", title, refuri=address, internal=True, classes=classes)
        if text and not own_name:
            # Ten links called "100 %" tell nobody apart where they lead.
            reference["reftitle"] = f"{self.env.titles[docname].astext()} ({language.name})"
        return reference

    def table(
        self, title: str, head: Sequence[nodes.Node | str], rows: Iterable[Sequence[nodes.Node | str]]
    ) -> nodes.table:
        """Return a table with a caption, a row of headings, and a heading in each row."""
        group = nodes.tgroup(cols=len(head))
        for at in range(len(head)):
            group += nodes.colspec(colwidth=1 if at else 3, stub=int(not at))
        group += nodes.thead("", self.row(head))
        group += nodes.tbody("", *(self.row(row) for row in rows))
        return nodes.table(
            "", nodes.title("", self.say(title)), group, classes=["bilingual-edition", "colwidths-auto"]
        )

    def row(self, cells: Iterable[nodes.Node | str]) -> nodes.row:
        """Return a row."""
        row = nodes.row()
        for cell in cells:
            paragraph = nodes.paragraph()
            paragraph += nodes.Text(cell) if isinstance(cell, str) else cell
            row += nodes.entry("", paragraph)
        return row


def _percent(coverage: Coverage) -> str:
    return f"{coverage.percent}\u202f%"


# -- what is not translated ------------------------------------------------------------------------------


class bilingual_untranslated(nodes.inline):
    """A text that stays in the source language."""


class MarkUntranslated(SphinxPostTransform):
    """Says of each block that has no translation which language it is in."""

    # After both sides are shown (101), before tabs and dropdowns are put together (199, 200): what these
    # take over from a title is all that stands in it, and not what is noted of it.
    default_priority = 102

    def run(self, **kwargs: Any) -> None:
        """Wrap what stands in each such block."""
        site = site_of(self.app)
        if not site.is_translation:
            return
        if self.app.builder.name not in BUILDERS:
            dissolve_marks(self.document, UNTRANSLATED)
            return
        text = "not translated yet"
        said = interface_text(text, site.current.code)
        said_in = "en" if said == text else site.current.tag
        for block in list(self.document.findall(nodes.TextElement)):
            marked = block.__dict__.pop(UNTRANSLATED, None)
            if marked is None or not block.children:
                continue
            attributes = html_attributes(site.source.code)
            wrapped = bilingual_untranslated("", "", *block.children, **attributes)
            if marked == SAME:
                wrapped["same"] = True
            elif marked:
                wrapped["sign"] = site.source.code.partition("_")[0].upper()
                wrapped["said"] = said
                wrapped["said_in"] = said_in
            block.children = []
            block += wrapped


def visit_untranslated(translator: Any, node: bilingual_untranslated) -> None:
    """Open the text."""
    named = "" if "same" in node else ' class="bilingual-untranslated"'
    translator.body.append(f'<span{named} lang="{escape(node["lang"])}" dir="{node["dir"]}">')


def depart_untranslated(translator: Any, node: bilingual_untranslated) -> None:
    """Close it, and put the sign behind it."""
    translator.body.append("</span>")
    if "sign" in node:
        # A reader sees the sign, a listener hears what it means; it is no text of the page.
        translator.body.append(
            f'<span class="bilingual-mark" lang="{escape(node["said_in"])}">'
            f'<span class="bilingual-mark-sign" aria-hidden="true" title="{escape(node["said"])}">'
            f"{escape(node['sign'])}</span>"
            f'<span class="bilingual-mark-words"> {escape(node["said"])}</span></span>'
        )
