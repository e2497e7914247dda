"""The source of a translated block, brought to read as on a page in its own language.

What is kept of a block before its translation has gone through none of the transforms that finish a page,
and must not go through all: a second footnote would be numbered, a second target named. So each thing is
done here on its own. Ids go, links and footnotes lead where those of the translation lead, titles of other
places are given in the language of the source, quotation marks are that language's.
"""

import gettext
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import sphinx
from docutils import nodes
from docutils.parsers.rst import Parser
from docutils.transforms.references import Substitutions
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains import Domain
from sphinx.domains.citation import CitationReferenceTransform
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.asset import DownloadFileCollector, ImageCollector
from sphinx.transforms import DefaultSubstitutions, SphinxSmartQuotes, SphinxTransform
from sphinx.util import docname_join, logging
from sphinx.util.docutils import new_document
from sphinx.util.i18n import format_date
from sphinx.util.nodes import clean_astext

from edukit.sphinxext.bilingual.languages import Language
from edukit.sphinxext.bilingual.site import is_overridden, site_of, value_in_source
from edukit.sphinxext.bilingual.translation import checkbox_of
from edukit.sphinxext.common import TRANSLATED_COPY, text_transforms

Pair = tuple[nodes.TextElement, nodes.Element]


def prepare(
    transform: SphinxTransform,
    pairs: Sequence[Pair],
    language: Language,
    words: dict[str, nodes.substitution_definition],
) -> None:
    """Finish the sources of a page, as far as that is done when a page is read.

    Parameters
    ----------
    transform
        The transform that does it.
    pairs
        Each translated block, and the source that was kept of it.
    language
        The language of the sources.
    words
        What the page substitutes for names, in the language of the sources.
    """
    document, env = transform.document, transform.env
    _titles(env)[env.current_document.docname] = {}
    if not pairs:
        return
    found = _strip(pairs)

    def shadow(*kinds: type[nodes.Node]) -> nodes.document:
        return _shadow(document, [pair for kind in kinds for pair in found.get(kind, ())], language)

    if nodes.substitution_reference in found:
        substituted = shadow(nodes.substitution_reference)
        substituted.substitution_defs = words | _words_of_project(transform.app, document)
        _SourceSubstitutions(substituted, None).apply()
        Substitutions(substituted, None).apply()
        found = _strip(pairs)
    if nodes.citation_reference in found:
        CitationReferenceTransform(shadow(nodes.citation_reference), None).apply()
    for block, copy in found.get(nodes.footnote_reference, ()):
        _number_footnotes(document, block, copy)
    unnamed: list[nodes.reference] = []
    if nodes.reference in found:
        linked = shadow(nodes.reference)
        unnamed = [node for node in linked.findall(nodes.reference) if not node.children]
        _resolve_anchors(linked)
        for block, copy in found[nodes.reference]:
            _resolve_names(document, block, copy)
    if quoted := [pair for pair in pairs if _SET_BY_QUOTES.search(pair[1].astext())]:
        text = _shadow(document, quoted, language)
        for kind in text_transforms(transform.app):
            kind(text, None).apply()
        _SourceQuotes(text, None).apply()
    if nodes.image in found:
        ImageCollector().process_doc(transform.app, shadow(nodes.image))
    if addnodes.download_reference in found:
        DownloadFileCollector().process_doc(transform.app, shadow(addnodes.download_reference))
    for block, copy in pairs:
        copy.parent = block
    titles = _titles_of(document, pairs)
    _titles(env)[env.current_document.docname] = titles
    for reference in unnamed:
        if title := titles.get(reference.get("refid", "")):
            reference[:] = [nodes.inline(title, title, classes=["std", "std-ref"])]


# Most texts have nothing that a transform of quotation marks and dashes would look at, and it looks long.
_SET_BY_QUOTES = re.compile(r"""["'`\\]|--|\.\.\.|\. \. \.""")
_MARKERS = (addnodes.index, nodes.comment, nodes.system_message, nodes.pending)


def is_plain(copy: nodes.Element) -> bool:
    """Whether a source is text and nothing else: half of all are, and most of the work is not for them."""
    return all(isinstance(child, nodes.Text) for child in copy.children)


def _strip(pairs: Sequence[Pair]) -> dict[type[nodes.Node], list[Pair]]:
    """Take from the sources what may stand in a page once, and return which of them hold which nodes."""
    found: dict[type[nodes.Node], list[Pair]] = {}
    for pair in pairs:
        if is_plain(pair[1]):
            continue
        if box := checkbox_of(pair[1]):
            pair[1].remove(box)
        parts = list(pair[1].findall(nodes.Element))
        for kind in {type(node) for node in parts}:
            found.setdefault(kind, []).append(pair)
        for node in parts:
            # The lists may be shared with the translation: they are exchanged, not emptied.
            for name in ("ids", "names", "dupnames", "backrefs"):
                if node.get(name):
                    node[name] = []
            if isinstance(node, _MARKERS):
                node.parent.remove(node)
            elif isinstance(node, nodes.target):
                node.replace_self(node.children)
            elif isinstance(node, nodes.raw):
                html = re.sub(r"""\s(?:id|name)=(?:"[^"]*"|'[^']*'|[^\s>]+)""", "", node.astext())
                node[:] = [nodes.Text(html)]
    return found


class _SourceSubstitutions(DefaultSubstitutions):
    """Puts in the date and the version as they are on a page in the language of the source."""

    def _handle_default_substitution(self, name: Any) -> nodes.Text:
        if name == "translation progress":
            return super()._handle_default_substitution(name)
        if name == "today" and not value_in_source(self.app, "today"):
            code = site_of(self.app).source.code
            form = value_in_source(self.app, "today_fmt") or _word_of_sphinx("%b %d, %Y", code)
            return nodes.Text(format_date(form, language=code))
        return nodes.Text(value_in_source(self.app, name))


def _words_of_project(app: Sphinx, document: nodes.document) -> dict[str, nodes.substitution_definition]:
    """Return what the project substitutes for names on every page, where that is translated.

    The page knows only what ``bilingual_overrides`` gives in its language.
    """
    found: dict[str, nodes.substitution_definition] = {}
    for name in ("rst_prolog", "rst_epilog"):
        if is_overridden(app, name) and (text := value_in_source(app, name)):
            scratch = new_document(f"<{name}>", document.settings)
            with logging.suppress_logging():  # what is wrong with it is said of the page it stands on
                Parser().parse(text, scratch)
            found |= scratch.substitution_defs
    return found


def _shadow(document: nodes.document, pairs: Iterable[Pair], language: Language) -> nodes.document:
    """Return a document that knows all that the page knows, but holds some sources only.

    So the transforms of docutils and Sphinx work on them and on nothing else.
    """
    shadow = nodes.document.__new__(nodes.document)  # what is put into it belongs to the page's document
    shadow.__dict__.update(document.__dict__)
    shadow.attributes = dict(document.attributes)
    shadow.children = []
    # In a class, where docutils looks for a language.
    shadow += [nodes.paragraph("", "", copy, classes=[f"language-{language.tag}"]) for _, copy in pairs]
    return shadow


class _SourceQuotes(SphinxSmartQuotes):
    """Sets the quotation marks of the source's language; Sphinx asks about that of the page."""

    def is_available(self) -> bool:
        excluded = self.config.smartquotes_excludes
        paragraph = cast("nodes.paragraph", self.document[0]) if len(self.document) else None
        language = paragraph.get_language_code("") if paragraph is not None else ""
        return (
            self.document.settings.smart_quotes is not False
            and bool(self.config.smartquotes)
            and self.env._builder_cls.name not in excluded.get("builders", [])
            and bool(language)
            and language.replace("-", "_") not in excluded.get("languages", [])
        )


# -- footnotes and links within the page -----------------------------------------------------------------


def _number_footnotes(document: nodes.document, block: nodes.Element, copy: nodes.Element) -> None:
    """Let the footnotes of a source be those of the page, with the numbers that they have got there."""
    references = list(copy.findall(nodes.footnote_reference))
    if not references:
        return
    footnotes: list[nodes.footnote] = [
        *document.autofootnotes,
        *document.footnotes,
        *document.symbol_footnotes,
    ]
    by_name = {name: note for note in footnotes for name in [*note["names"], *note["dupnames"]]}
    by_id = {id_: note for note in footnotes for id_ in note["ids"]}
    named = {id(by_name[name]) for node in references if (name := node.get("refname")) in by_name}
    # Those without a name are told apart by their order, each kind by its own.
    unnamed: dict[object, list[nodes.footnote]] = {}
    for node in block.findall(nodes.footnote_reference):
        if (note := by_id.get(node.get("refid", ""))) and id(note) not in named:
            unnamed.setdefault(node.get("auto"), []).append(note)
    for node in references:
        name = node.attributes.pop("refname", None)
        if "refid" in node and node.children:
            continue  # numbered by the author, and docutils has found the footnote
        left = unnamed.get(node.get("auto"), [])
        note = by_name.get(name) if name else left.pop(0) if left else None
        if note is None or not note["ids"]:
            node.replace_self([nodes.Text(f"[{node.astext() or name or '#'}]")])
            continue
        label = next(iter(note.findall(nodes.label)), None)
        node["refid"] = note["ids"][0]
        node[:] = [nodes.Text(label.astext() if label is not None else node.astext())]


def _resolve_anchors(shadow: nodes.document) -> None:
    """Resolve Markdown's links to places: those in the page now, the others when it is written."""
    if not any(node.get("id_link") for node in shadow.findall(nodes.reference)):
        return
    # Only a project that writes MyST has such links, and hence the package.
    from myst_parser.mdit_to_docutils.transforms import ResolveAnchorIds

    ResolveAnchorIds(shadow, None).apply()


def _resolve_names(document: nodes.document, block: nodes.Element, copy: nodes.Element) -> None:
    """Resolve what docutils finds by names, or by order where there are none."""
    anonymous = [node for node in block.findall(nodes.reference) if node.get("anonymous")]
    for reference in list(copy.findall(nodes.reference)):
        if "refuri" in reference or "refid" in reference or "reftarget" in reference:
            continue
        name = reference.attributes.pop("refname", None)
        if name:
            id_ = document.nameids.get(name)
            target = document.ids.get(id_) if id_ else None
            while target is not None and target.get("refname") and "refuri" not in target:
                id_ = document.nameids.get(target["refname"])
                target = document.ids.get(id_) if id_ else None
            place = target.attributes if target is not None else {}
            if "refuri" in place:
                reference["refuri"] = place["refuri"]
            elif id_:
                reference["refid"] = place.get("refid", id_)
        elif reference.get("anonymous") and anonymous:
            partner = anonymous.pop(0)
            for attribute in ("refuri", "refid"):
                if attribute in partner:
                    reference[attribute] = partner[attribute]
        if "refuri" not in reference and "refid" not in reference:
            # What is wrong with it has been said of the page.
            reference.replace_self(reference.children)


# -- titles in the language of the source ----------------------------------------------------------------


def _titles(env: BuildEnvironment) -> dict[str, dict[str, str]]:
    """Return the source titles of all pages: by id; that of the page itself under the empty id."""
    if not hasattr(env, "bilingual_titles"):
        setattr(env, "bilingual_titles", {})
    return cast("dict[str, dict[str, str]]", getattr(env, "bilingual_titles"))


def _titles_of(document: nodes.document, pairs: Sequence[Pair]) -> dict[str, str]:
    titles: dict[str, str] = {}
    first = next(document.findall(nodes.section), None)
    for block, copy in pairs:
        if not isinstance(block, nodes.title | nodes.caption | nodes.rubric | nodes.term):
            continue
        text = clean_astext(copy)
        place = block if isinstance(block, nodes.rubric | nodes.term) else block.parent
        titles.update(dict.fromkeys([*place["ids"], *block["ids"]], text))
        if isinstance(block, nodes.title) and place is first:
            titles[""] = text
    return titles


def forget_titles(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget the titles of a page that is gone or going to be read again."""
    _titles(env).pop(docname, None)


def merge_titles(app: Sphinx, env: BuildEnvironment, docnames: list[str], other: BuildEnvironment) -> None:
    """Take over what a parallel process has read."""
    _titles(env).update({name: titles for name, titles in _titles(other).items() if name in docnames})


def name_targets(env: BuildEnvironment, copy: nodes.Element, language: Language) -> None:
    """Give the references of a source the titles that they would have on its own page.

    Sphinx fills a reference without words with the title of its place, which is translated.
    """
    if is_plain(copy):
        return
    for node in copy.findall(addnodes.pending_xref):
        if node.get("refdomain") == "std" and node["reftype"] == "numref":
            title = _name_of_numbered(env, node)
        elif node.get("refexplicit"):
            continue
        else:
            title = _title_for(env, node, language)
        if title:
            node["refexplicit"] = True
            inner = node[0] if len(node) and isinstance(node[0], nodes.Element) else None
            if inner is None:
                node[:] = [nodes.inline(title, title)]
            else:
                inner[:] = [nodes.Text(title)]


def _title_for(env: BuildEnvironment, node: addnodes.pending_xref, language: Language) -> str:
    kind, domain = node["reftype"], node.get("refdomain")
    target = str(node.get("reftarget", ""))
    page = str(node.get("refdoc") or env.current_document.docname)
    labels = env.domains.standard_domain.labels

    def by_label(name: str) -> str:
        docname, id_, _ = labels.get(name, ("", "", ""))
        return _titles(env).get(docname, {}).get(id_, "")

    def by_page(docname: str) -> str:
        return _titles(env).get(docname, {}).get("", "")

    if kind == "myst":
        if domain != "doc":
            return (
                by_label(target)
                or by_label(target.lower())
                or by_page(docname_join(page, target))
                or _titles(env).get(page, {}).get(str(node.get("reflocalid")), "")
            )
        place = node.get("reftargetid")
        if not place:
            return by_page(target)
        slugs = env.metadata[target].get("myst_slugs", {})
        ids = [slugs[place][1]] if place in slugs else [place, labels.get(place, ("", "", ""))[1]]
        return next(filter(None, (_titles(env).get(target, {}).get(id_, "") for id_ in ids)), "")
    if domain not in ("std", "", None):
        return ""
    if kind == "ref":
        return by_label(target)
    if kind == "doc":
        return by_page(docname_join(page, target))
    if kind == "any":
        return by_label(target.lower()) or by_page(docname_join(page, target))
    return ""


def _name_of_numbered(env: BuildEnvironment, node: addnodes.pending_xref) -> str:
    """Return the title of a numbered reference with the name of a figure in it, if it is to have that.

    Sphinx would put in its caption as it is translated.
    """
    title = node.astext() if node.get("refexplicit") else ""
    docname, id_ = env.domains.standard_domain.anonlabels.get(str(node["reftarget"]), ("", ""))
    name = _titles(env).get(docname, {}).get(id_, "")
    if not name or "{name}" not in title:
        return ""
    # A title with no place for a number would be taken for one of the older kind, with "%s".
    name = name.replace("{", "{{").replace("}", "}}")
    return title.replace("{name}", name if "number" in title else name + "{number:.0}")


_NUMBERED = {"section": "Section %s", "figure": "Fig. %s", "table": "Table %s", "code-block": "Listing %s"}


def _numbered(app: Sphinx, language: Language) -> dict[str, str]:
    """Return what the numbers of figures and the like are called in the language of the source."""
    # Not the setting as it is now: Sphinx has put its own words for the language of the page into it.
    own: dict[str, str] = app.config._raw_config.get("numfig_format") or {}
    return {kind: _word_of_sphinx(text, language.code) for kind, text in _NUMBERED.items()} | own


def name_numbers(app: Sphinx, copy: nodes.Element, language: Language) -> None:
    """Let a source say "Fig. 3" as its language does; Sphinx has said it in the language of the page."""
    if is_plain(copy):
        return
    for node in copy.findall(addnodes.number_reference):
        form = str(node.get("title", ""))
        kind = next((kind for kind, text in app.config.numfig_format.items() if text == form), "")
        if not kind:
            continue  # a title of its own
        before, _, after = form.partition("%s")
        text = node.astext()
        text = _numbered(app, language)[kind].replace("%s", text[len(before) : len(text) - len(after)])
        inner = node[0] if len(node) and isinstance(node[0], nodes.Element) else node
        inner[:] = [nodes.Text(text)]


@cache
def _word_of_sphinx(text: str, code: str) -> str:
    folder = Path(sphinx.__file__).parent / "locale"
    return gettext.translation("sphinx", folder, [code], fallback=True).gettext(text)


def warned_already(app: Sphinx, domain: Domain | None, node: addnodes.pending_xref) -> bool | None:
    """Say nothing of a reference in a source that leads nowhere: it has been said of the page."""
    above: nodes.Node | None = node
    while isinstance(above, nodes.Element):
        if TRANSLATED_COPY in above["classes"]:
            return True
        above = above.parent
    return None
