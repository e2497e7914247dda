"""Puts the translations into a page, in the place of Sphinx's own ``Locale``.

Sphinx parses every message twice, as if it were a page, with a parser built for it alone: a translated
build costs four times the original. It need not. A message is what one parser has already taken for
*inline* text (the text of a paragraph, a heading, a term), so its translation is parsed as inline text
too: once, by a parser that is kept, and not at all where it holds no markup.

This is more right as well. As a page, a heading ``1. Start`` is a list, and its translation is dropped
without a word; a second paragraph is lost; the definitions of ``[text][id]`` are unknown. And what a
translation replaces keeps its ids, so that an address with a ``#`` works in every language.

``TranslatePage`` goes through a page in two steps, since a reference may name a heading that comes later:
first the headings and the terms of glossaries get their new names, then all texts are replaced. What
``Locale`` leaves behind for others is left behind here: ``translated`` (True or False) on each node that
has a message.
"""

import functools
import gettext
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import sphinx
from docutils import nodes
from docutils.parsers.rst.languages import get_language
from docutils.parsers.rst.states import Inliner
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.parsers import RSTParser
from sphinx.transforms import SphinxTransform
from sphinx.transforms.i18n import Locale
from sphinx.util import get_filetype, logging
from sphinx.util.docutils import LoggingReporter
from sphinx.util.i18n import docname_to_domain
from sphinx.util.index_entries import split_index_msg
from sphinx.util.nodes import LITERAL_TYPE_NODES, extract_messages, traverse_translatable_index

from edukit.catalogs import CatalogError, read

logger = logging.getLogger(__name__)

# Compared with each of these: the output of Locale and of TranslatePage is the same, corrections apart.
KNOWN = {(9, 0), (9, 1), (9, 2)}


def replace_locale(app: Sphinx) -> None:
    """Let ``TranslatePage`` translate in this build; Sphinx's own way stays where that is not known."""
    transforms = app.registry.transforms
    if sphinx.version_info[:2] not in KNOWN or Locale not in transforms:
        logger.info(
            "bilingual: Sphinx %s is not known here; its own slower way translates", sphinx.__version__
        )
        return
    transforms[transforms.index(Locale)] = TranslatePage
    app.connect("source-read", remember_source, priority=999)  # as all other extensions leave it
    app.connect("build-finished", forget)


# -- the catalogs ----------------------------------------------------------------------------------------


Message = tuple[nodes.Element, str]


@dataclass(slots=True)
class Kept:
    """What is kept for as long as a build lives."""

    messages: dict[str, dict[str, str] | None] = field(default_factory=dict)
    source: tuple[str, str] = ("", "")  # the name of the page that is being read, and its text
    markdown: Any = None  # MyST's renderer of messages
    missing: tuple[str, list[Message]] = ("", [])  # a page, and its texts that have no translation


_KEPT: WeakKeyDictionary[Sphinx, Kept] = WeakKeyDictionary()


def kept_for(app: Sphinx) -> Kept:
    """Return what this build keeps."""
    return _KEPT.setdefault(app, Kept())


def forget(app: Sphinx, exception: Exception | None) -> None:
    """Let go of what a build has kept."""
    _KEPT.pop(app, None)


def untranslated(app: Sphinx, docname: str) -> list[Message] | None:
    """Return the texts of the page just translated that have no translation; None without a catalog."""
    page, missing = kept_for(app).missing
    return missing if page == docname else None


def remember_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Keep the text of the page that is read next: its messages may need its definitions."""
    kept_for(app).source = (docname, content[0])


def messages_of(app: Sphinx, docname: str) -> dict[str, str] | None:
    """Return the translations of a page's messages by message; None without a catalog.

    Where several folders hold the catalog, the one that ``locale_dirs`` names first has the say.
    """
    domain = docname_to_domain(docname, app.config.gettext_compact)
    messages = kept_for(app).messages
    if domain not in messages:
        found: dict[str, str] | None = None
        for folder in reversed(app.config.locale_dirs):
            place = os.fspath(app.srcdir / folder)
            # For zh_CN both zh_CN and zh are found, in this order.
            for path in reversed(gettext.find(domain, place, [app.config.language], all=True)):
                with Path(path).open("rb") as file:
                    catalog: dict[Any, str] = getattr(gettext.GNUTranslations(file), "_catalog")
                found = (found or {}) | catalog
        if app.config.gettext_compact is False:
            messages.clear()  # the page's own catalog: no other page wants it
        messages[domain] = found
    return messages[domain]


def place_of(app: Sphinx, docname: str, message: str) -> tuple[str, int] | None:
    """Return where the catalog holds a message, for a warning: a file and a line."""
    domain = docname_to_domain(docname, app.config.gettext_compact)
    for folder in app.config.locale_dirs:
        path = Path(app.srcdir, folder, app.config.language, "LC_MESSAGES", f"{domain}.po")
        if not path.is_file():
            continue
        try:
            catalog = read(path)
        except CatalogError:
            continue
        for entry in catalog.messages:
            if entry.id == message:
                return os.fspath(path), entry.line
    return None


_NOQA = re.compile(r"(?<!\\)#\s*noqa\s*\Z")


# -- the page --------------------------------------------------------------------------------------------


class TranslatePage(SphinxTransform):
    """Replaces the texts of a page by their translations."""

    default_priority = Locale.default_priority

    def apply(self, **kwargs: Any) -> None:
        """Translate the page, if there is a catalog for it."""
        docname = self.env.current_document.docname
        messages = messages_of(self.app, docname)
        if messages is None:
            return
        page = Page(self.app, docname, self.document, messages)
        page.translate()
        kept_for(self.app).missing = (docname, page.missing)
        if "index" in self.config.gettext_additional_targets:
            translate_index(self.document, messages)


@dataclass(slots=True)
class Text:
    """One message of a node, with its translation."""

    node: nodes.Element
    message: str
    translation: str
    checked: bool  # whether references are compared with the source's
    content: nodes.Element | None = None  # the translation, parsed
    refused: bool = False  # whether it has been found that the translation cannot be shown


class Page:
    """A page while it is translated."""

    def __init__(
        self, app: Sphinx, docname: str, document: nodes.document, messages: dict[str, str]
    ) -> None:
        self.app = app
        self.docname = docname
        self.document = document
        self.messages = messages
        self.missing: list[Message] = []
        self.reporter = MessageReporter(app, docname, document)
        self.parse = parser_for(app, document, self.reporter)
        self.renamed: dict[str, str] = {}  # the ids of headings by the names they had
        self.targets: list[nodes.target] | None = None

    def translate(self) -> None:
        """Translate all messages."""
        texts = []
        for node, message in extract_messages(self.document):
            text = self.look_up(node, message)
            if text is None:
                node["translated"] = False
                self.missing.append((node, message))
            else:
                texts.append(text)
                node.setdefault("translated", True)
        for text in texts:
            if text.translation != text.message:
                if isinstance(text.node, nodes.title) and isinstance(text.node.parent, nodes.section):
                    self.rename_section(text)
                elif isinstance(text.node, nodes.term) and in_glossary(text.node):
                    self.rename_term(text)
        for text in texts:
            if text.translation != text.message and not self.replace(text):
                text.node["translated"] = False

    def look_up(self, node: nodes.Element, message: str) -> Text | None:
        """Return a message with its translation; None where there is none."""
        translation = self.messages.get(message, "")
        checked = True
        # Code holds no references, and what looks like the word for "do not check" is a part of it.
        if not isinstance(node, LITERAL_TYPE_NODES) and (mark := _NOQA.search(translation)):
            translation = translation[: mark.start()]
            checked = False
        if not translation.strip():
            return None
        return Text(node, message, translation, checked)

    # The names of what can be referred to.

    def rename_section(self, text: Text) -> None:
        """Let references find a section by its translated heading."""
        content = self.parsed(text)
        if content is None:
            return
        section = text.node.parent
        old = nodes.fully_normalize_name(text.node.astext())
        new = nodes.fully_normalize_name(content.astext())
        if old == new:
            return
        # The old name stays: others may refer by it.
        section["names"].append(new)
        document = self.document
        if identifier := document.nameids.get(old):
            self.renamed[old] = identifier
            if not document.nametypes.get(old):
                # The heading gave the section its id; it is now known by the new name instead.
                document.nameids.pop(old, None)
                document.nametypes.pop(old, None)
                document.ids.pop(identifier, None)
            document.note_implicit_target(section)
        for target in self.named_targets():
            if target["refname"] == old:
                target["refname"] = new

    def named_targets(self) -> list[nodes.target]:
        """Return the targets that stand for another one: ``.. _other: name_``."""
        if self.targets is None:
            self.targets = [node for node in self.document.findall(nodes.target) if "refname" in node]
        return self.targets

    def rename_term(self, text: Text) -> None:
        """Let references find an entry of a glossary by its translated term."""
        from sphinx.domains.std import make_glossary_term, split_term_classifiers

        term, classifier = split_term_classifiers(text.translation)
        content = self.parsed(text, term)
        if content is None:
            return
        node = text.node
        for identifier in node["ids"]:
            text.content = make_glossary_term(
                self.app.env,
                content.children,
                classifier,
                self.document["source"],
                node.line or 0,
                identifier,
                self.document,
            )

    # The texts.

    def parsed(self, text: Text, translation: str | None = None) -> nodes.Element | None:
        """Return the translation as nodes; None (and a warning) when there is nothing to show."""
        if text.content is None and not text.refused:
            translation = translation or text.translation
            if not isinstance(text.node, LITERAL_TYPE_NODES):
                translation = translation.strip()
            self.reporter.message = text.message
            content = self.parse(translation, text.node)
            if content.children:
                text.content = content
            else:
                text.refused = True
                self.warn(text, "nothing of this translation can be shown, so the page shows the source")
        return text.content

    def replace(self, text: Text) -> bool:
        """Put a translation into the page; return whether it could be."""
        node = text.node
        if isinstance(node, addnodes.translatable):
            node.apply_translated_message(text.message, text.translation)
        elif isinstance(node, nodes.meta):
            node["content"] = text.translation
        elif isinstance(node, nodes.image):
            return self.replace_image(text)
        elif isinstance(node, LITERAL_TYPE_NODES):
            return self.replace_literal(text)
        else:
            content = self.parsed(text)
            if content is None:
                return False
            self.exchange(text, content)
        return True

    def exchange(self, text: Text, content: nodes.Element) -> None:
        """Put the content in the place of a text, with all that the document knows of it."""
        node = text.node
        old, new = elements_of(node), elements_of(content)
        if old or new:
            Exchange(self, text).run(old, new)
        for child in content.children:
            child.parent = node
        node.children = content.children
        content.children = []
        if new:
            self.translate_images(old, node)

    def replace_image(self, text: Text) -> bool:
        """Translate the description of an image, or exchange the image."""
        node = text.node
        if node.get("alt") == text.message:
            node["alt"] = text.translation
            return True
        # The message names the image as reST does, whatever the page is written in.
        written = re.match(r"\s*\.\.\s+image::\s*(\S.*)", text.translation)
        if written is None:
            self.warn(text, "this translation must name an image in the form “.. image:: file.png”")
            return False
        node["uri"] = "".join(written[1].split())
        return True

    def translate_images(self, old: list[nodes.Element], node: nodes.Element) -> None:
        """Translate the descriptions of images in a text where its own translation has left them."""
        former = {image.get("alt") for image in old if isinstance(image, nodes.image)}
        for image in elements_of(node):
            if isinstance(image, nodes.image) and (alt := image.get("alt")):
                image["translated"] = alt in self.messages or alt not in former
                image["alt"] = self.messages.get(alt) or alt

    def replace_literal(self, text: Text) -> bool:
        """Exchange code. It has no markup, but for what ``parsed-literal`` has made."""
        node, message = text.node, text.message
        ends = len(message) - len(message.rstrip("\n"))
        text.translation = text.translation.rstrip("\n") + "\n" * ends
        if isinstance(node, nodes.literal_block) and node.rawsource not in {"", node.astext()}:
            content = self.parsed(text)
            if content is None:
                return False
            self.exchange(text, content)
        else:
            node.children = [nodes.Text(text.translation)]
            node.children[0].parent = node
        # What is equal to its source is highlighted.
        node.rawsource = text.translation
        return True

    def warn(self, text: Text, message: str, *arguments: object, subtype: str = "translation") -> None:
        """Warn of a translation where it stands in its catalog."""
        place = place_of(self.app, self.docname, text.message)
        logger.warning(
            message,
            *arguments,
            location=f"{place[0]}:{place[1]}" if place else text.node,
            type="i18n" if subtype == "inconsistent_references" else "bilingual",
            subtype=subtype,
        )


def in_glossary(node: nodes.Element) -> bool:
    """Whether a term is one of a glossary, and not of any other list."""
    return bool(node["ids"]) and isinstance(node.parent.parent.parent, addnodes.glossary)


def translate_index(document: nodes.document, messages: dict[str, str]) -> None:
    """Translate the entries of the index; each of their parts is a message."""
    for node, entries in traverse_translatable_index(document):
        node["raw_entries"] = entries
        node["entries"] = [
            (
                kind,
                ";".join(messages.get(part) or part for part in split_index_msg(kind, value)),
                target,
                main,
                None,
            )
            for kind, value, target, main, _key in entries
        ]


# -- what refers and what is referred to -----------------------------------------------------------------


class Exchange:
    """Hands over what the document knows of a text's references to those of its translation."""

    def __init__(self, page: Page, text: Text) -> None:
        self.page = page
        self.document = page.document
        self.text = text

    def run(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Hand over all there is."""
        self.ids(old, new)
        self.footnotes(old, new)
        self.references(old, new)
        self.citations(old, new)
        self.cross_references(old, new)

    def compare(
        self, old: list[Any], new: list[Any], key: Callable[[nodes.Element], str], *, kind: str
    ) -> None:
        """Warn when a translation refers to other things than the source; their order is free."""
        before, after = Counter(map(key, old)), Counter(map(key, new))
        if before == after or not self.text.checked:
            return
        written = {key(node): node.rawsource or key(node) for node in [*new, *old]}
        differences = [
            f"{word} {', '.join(written[name] for name in found.elements())}"
            for word, found in [("it lacks", before - after), ("it adds", after - before)]
            if found
        ]
        self.page.warn(
            self.text,
            "inconsistent %s in translated message: %s. Mend the translation, or end it with “# noqa” if "
            "this is meant",
            kind,
            "; ".join(differences),
            subtype="inconsistent_references",
        )

    def ids(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Give what can be referred to the ids that it has in the source."""
        after = [node for node in new if has_own_id(node)]
        if not after:
            return
        document = self.document
        before = [node for node in old if has_own_id(node)]
        former_marks, marks = marks_of(old), marks_of(new)
        free: dict[str, list[nodes.Element]] = {}
        for node in before:
            free.setdefault(former_marks(node)[0], []).append(node)
        known = [former_marks(node) for node in before]
        changed = {}
        # Those that keep their names first: a translation may order them anew.
        for node in sorted(after, key=lambda node: marks(node) not in known):
            if isinstance(node, nodes.problematic):
                # It leads to a message that stands nowhere on the page.
                node.attributes.pop("refid", None)
            former = take(free.get(marks(node)[0], []), marks(node), former_marks)
            if former is not None:
                identifiers = list(former["ids"])
            elif any(identifier in document.ids for identifier in node["ids"]):
                identifiers = [document.set_id(nodes.inline())]
            else:
                identifiers = node["ids"]
            changed.update(dict.fromkeys(node["ids"], identifiers[0]))
            node["ids"] = identifiers
            for identifier in identifiers:
                document.ids[identifier] = node
            for name in node["names"]:
                if name not in document.nameids:
                    document.nameids[name] = identifiers[0]
                    document.nametypes[name] = True
        for node in new:
            if isinstance(node, addnodes.index):
                node["entries"] = [
                    (kind, value, changed.get(target, target), *rest)
                    for kind, value, target, *rest in node["entries"]
                ]

    def footnotes(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Let the marks of footnotes stand for those of the source: numbers and ways back stay right."""
        before = [node for node in old if isinstance(node, nodes.footnote_reference)]
        after = [node for node in new if isinstance(node, nodes.footnote_reference)]
        if not before and not after:
            return
        self.compare(before, after, footnote_name, kind="footnote references")
        document = self.document
        free: dict[Any, list[nodes.footnote_reference]] = {}
        for node in before:
            free.setdefault(footnote_name(node), []).append(node)
        for node in after:
            name = node.get("refname")
            if same := free.get(footnote_name(node)):
                former = same.pop(0)
                node["ids"] = former["ids"]
                for identifier in node["ids"]:
                    document.ids[identifier] = node
                for references in footnote_lists(document, node):
                    exchange(references, former, node)
            elif name is not None and name in document.nameids:
                # The translation names a footnote of the page once more.
                node["ids"] = []
                document.set_id(node)
                document.note_footnote_ref(node)
                if node.get("auto"):
                    document.note_autofootnote_ref(node)
            else:
                # There is no such footnote; the comparison has said so.
                node.parent.remove(node)
        for node in (node for nodes_left in free.values() for node in nodes_left):
            # A way back from the footnote to a mark that is gone would lead nowhere.
            for references in footnote_lists(document, node):
                exchange(references, node, None)

    def references(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Note the references to names within the page."""
        before = [node for node in old if isinstance(node, nodes.reference) and "refname" in node]
        after = [node for node in new if isinstance(node, nodes.reference) and "refname" in node]
        if not before and not after:
            return
        document = self.document
        names = {node["refname"] for node in after}
        # A name may have been translated though nothing is called so: it means the source's.
        orphans = [node["refname"] for node in before if node["refname"] not in names]
        orphans = list(dict.fromkeys(orphans))
        for node in after:
            if node["refname"] not in document.nameids and orphans:
                node["refname"] = orphans.pop(0)
            document.note_refname(node)
        self.compare(before, after, self.meant, kind="references")

    def meant(self, node: nodes.Element) -> str:
        """Return what a reference by name leads to: the heading may have another name by now."""
        name: str = node["refname"]
        return self.page.renamed.get(name) or self.document.nameids.get(name) or name

    def citations(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Let citations keep their ids."""
        before = [node for node in old if isinstance(node, nodes.citation_reference)]
        after = [node for node in new if isinstance(node, nodes.citation_reference)]
        self.compare(before, after, name_of, kind="citation references")
        ids: dict[str, list[list[str]]] = {}
        for node in before:
            ids.setdefault(node.get("refname", ""), []).append(node["ids"])
        for node in after:
            if same := ids.get(node.get("refname", "")):
                node["ids"] = same.pop(0)

    def cross_references(self, old: list[nodes.Element], new: list[nodes.Element]) -> None:
        """Let cross-references know what the source's know: their module, their class and so on."""
        before = [node for node in old if isinstance(node, addnodes.pending_xref)]
        after = [node for node in new if isinstance(node, addnodes.pending_xref)]
        if not before and not after:
            return
        # The term itself may be translated; what is not in the glossary is reported when it is looked up.
        self.compare(before, after, target_of, kind="cross-references")
        known: dict[Any, list[nodes.Element]] = {}
        for node in before:
            if not is_term(node):
                known.setdefault(cross_reference_key(node), []).append(node)
        for node in after:
            if same := known.get(cross_reference_key(node)):
                former = same.pop(0) if len(same) > 1 else same[0]
                # Whether it has a title of its own is for the translation to say.
                node.attributes.update(
                    (name, value) for name, value in former.attributes.items() if name != "refexplicit"
                )


def elements_of(node: nodes.Element) -> list[nodes.Element]:
    """Return the elements in a text, itself not among them."""
    return [
        element
        for child in node.children
        if isinstance(child, nodes.Element)
        for element in child.findall(nodes.Element)
    ]


def has_own_id(node: nodes.Element) -> bool:
    """Whether a node can be referred to, the marks of footnotes and citations apart."""
    return bool(node["ids"]) and not isinstance(
        node, (nodes.footnote_reference, nodes.citation_reference, addnodes.pending_xref)
    )


Marks = Callable[[nodes.Element], tuple[str, list[str]]]


def marks_of(elements: list[nodes.Element]) -> Marks:
    """Return what tells by which marks elements of two languages are the same: a kind, and names."""
    entries: dict[str, str] = {}
    for element in elements:
        if isinstance(element, addnodes.index):
            for _kind, value, target, *_rest in element["entries"]:
                entries.setdefault(target, value)

    def marks(node: nodes.Element) -> tuple[str, list[str]]:
        entered = [entries[identifier] for identifier in node["ids"] if identifier in entries]
        return ("index", entered) if entered else (str(node.tagname), list(node["names"]))

    return marks


def take(free: list[nodes.Element], wanted: object, marks: Marks) -> nodes.Element | None:
    """Take the node with the same marks out of a list, or else the first; None when it is empty."""
    for index, node in enumerate(free):
        if marks(node) == wanted:
            return free.pop(index)
    return free.pop(0) if free else None


def footnote_name(node: nodes.Element) -> str:
    """Return what tells one mark of a footnote from another: its label, or the kind of its number."""
    return str(node.get("refname") or f"[{'#' if node.get('auto') == 1 else '*'}]")


def footnote_lists(document: nodes.document, node: nodes.Element) -> Iterator[list[Any]]:
    """Yield the lists in which a document keeps a mark of a footnote."""
    yield document.autofootnote_refs
    yield document.symbol_footnote_refs
    if name := node.get("refname"):
        yield document.footnote_refs.get(name, [])
        yield document.refnames.get(name, [])


def exchange(references: list[Any], old: nodes.Element, new: nodes.Element | None) -> None:
    """Put one reference in the place of another, if that is there; nothing takes it out."""
    for index, node in enumerate(references):
        if node is old:
            references[index : index + 1] = [] if new is None else [new]
            return


def name_of(node: nodes.Element) -> str:
    """Return the name that a reference is made by."""
    return str(node.get("refname"))


def is_term(node: nodes.Element) -> bool:
    """Whether a cross-reference leads to the glossary."""
    return (node.get("refdomain"), node.get("reftype")) == ("std", "term")


def target_of(node: nodes.Element) -> str:
    """Return what a cross-reference leads to."""
    return "term" if is_term(node) else str(node.get("reftarget"))


def cross_reference_key(node: nodes.Element) -> tuple[Any, Any, Any]:
    """Return what is the same for a cross-reference and its translation."""
    return node.get("refdomain"), node.get("reftype"), node.get("reftarget")


# -- the parsers -----------------------------------------------------------------------------------------


class InlineParser(Protocol):
    """Parses a translation as the text of a node."""

    def __call__(self, text: str, node: nodes.Element) -> nodes.Element:
        """Return an element whose children are the text; it is in no document."""


class MessageReporter(LoggingReporter):
    """Says what is wrong with the markup of a translation where the catalog holds it.

    A mistake that the translation has taken over from its source is left to be mended there: it is said
    with the line of the page, as that of the source is, and so only once for all languages.
    """

    def __init__(self, app: Sphinx, docname: str, document: nodes.document) -> None:
        page = document.reporter
        super().__init__(
            page.source, page.report_level, page.halt_level, page.debug_flag, page.error_handler
        )
        self.app = app
        self.docname = docname
        self.document = document
        self.message = ""

    def get_source_and_line(self, line: int | None = None) -> tuple[str, int]:
        """Return a place for nodes: within the translation."""
        return self.source, line or 1

    def system_message(self, level: int, message: Any, *children: Any, **more: Any) -> nodes.system_message:
        """Say something of a message."""
        if level >= self.report_level and (place := self.place(str(message))):
            more["source"], more["line"] = place
        return super().system_message(level, message, *children, **more)

    def place(self, complaint: str) -> tuple[str, int] | None:
        """Return where to mend what is complained of; None when that is in the page itself."""
        said = [*self.document.parse_messages, *self.document.findall(nodes.system_message)]
        if any(message.children and message.children[0].astext() == complaint for message in said):
            return None
        return place_of(self.app, self.docname, self.message)


def parser_for(app: Sphinx, document: nodes.document, reporter: MessageReporter) -> InlineParser:
    """Return the parser for the messages of a page: of the kind that has read the page."""
    filetype = get_filetype(app.config.source_suffix, document["source"])
    parser = app.registry.get_source_parser(filetype)
    docname, source = kept_for(app).source
    if docname != app.env.current_document.docname:
        source = ""
    if is_rest_parser(parser):
        if ":parser: myst" in source and "myst_parser" in sys.modules:
            return either_parser(rest_parser(document, reporter), markdown_parser(app, document, reporter))
        return rest_parser(document, reporter)
    if is_markdown_parser(parser):
        if "{eval-rst}" in source:
            return either_parser(markdown_parser(app, document, reporter), rest_parser(document, reporter))
        return markdown_parser(app, document, reporter)
    return whole_parser(app, document, reporter, filetype)


def either_parser(usual: InlineParser, other: InlineParser) -> InlineParser:
    """Return a parser for a page in two markups: what a text is written in shows when it is parsed."""

    def parse(text: str, node: nodes.Element) -> nodes.Element:
        with logging.suppress_logging():
            again = usual(node.rawsource, node).astext()
        return usual(text, node) if again == node.astext() else other(text, node)

    return parse


def is_rest_parser(parser: type) -> bool:
    """Whether a class parses pages just as Sphinx's for reST does."""
    return issubclass(parser, RSTParser) and parser.parse is RSTParser.parse


def scratch_for(document: nodes.document, node: nodes.Element, reporter: MessageReporter) -> nodes.document:
    """Return an empty document for one message: what the parser notes in it is handed over later."""
    reporter.source = f"{document['source']}:{node.line}:<translated>"
    scratch = nodes.document(document.settings, reporter, source=reporter.source)
    scratch.note_source(reporter.source, -1)
    return scratch


# Nothing here begins markup in reST. A colon does not, when a space follows: it may end the scheme of an
# address otherwise.
_PLAIN_REST = re.compile(r"(?:[^\\`*_|\[\]<>@:\x00-\x1f\x7f-\x9f]|:(?![^ ]))+")


def rest_parser(document: nodes.document, reporter: MessageReporter) -> InlineParser:
    """Return a parser for reST."""
    inliner = Inliner()
    inliner.init_customizations(document.settings)
    memo = SimpleNamespace(
        document=None,
        reporter=reporter,
        language=get_language(document.settings.language_code, reporter),
        title_styles=[],
        section_level=0,
        section_bubble_up_kludge=False,
        inliner=inliner,
    )

    def parse(text: str, node: nodes.Element) -> nodes.Element:
        content = nodes.paragraph()
        if _PLAIN_REST.fullmatch(text):
            content.append(nodes.Text(text))
            return content
        if isinstance(node, nodes.paragraph) and re.search(r"(?<!\\)(?:\\\\)*::\Z", text):
            # The source's two colons have announced the literal block that follows.
            text = text[:-3].rstrip() if text[-3:-2] in {" ", "\n"} else text[:-1]
        memo.document = scratch_for(document, node, reporter)
        children, _messages = inliner.parse(text, 1, memo, content)
        content.extend(children)
        return content

    return parse


# -- Markdown --------------------------------------------------------------------------------------------


def is_markdown_parser(parser: type) -> bool:
    """Whether a class parses pages just as MyST-Parser does."""
    if "myst_parser" not in sys.modules:
        return False
    from myst_parser.parsers.sphinx_ import MystParser

    return issubclass(parser, MystParser) and parser.parse is MystParser.parse


def markdown_parser(app: Sphinx, document: nodes.document, reporter: MessageReporter) -> InlineParser:
    """Return a parser for MyST's Markdown."""
    config = markdown_config(app, document)
    renderer = markdown_renderer(app, config, document, reporter)
    plain = _plain_markdown(config)
    references: dict[str, Any] | None = None

    def parse(text: str, node: nodes.Element) -> nodes.Element:
        nonlocal references
        text = text.strip()
        content = nodes.paragraph()
        if plain is not None and plain.fullmatch(text):
            content.append(nodes.Text(text))
            return content
        if references is None and "]" in text:
            references = link_definitions(app, document, renderer.md)
        renderer.begin(scratch_for(document, node, reporter), reporter, node, references or {})
        with renderer.current_node_context(content):
            renderer.nested_render_text(text, 0, inline=True)
        return content

    return parse


def markdown_config(app: Sphinx, document: nodes.document) -> Any:
    """Return MyST's configuration as the page changes it at its beginning."""
    from myst_parser.config.main import TopmatterReadError, merge_file_level, read_topmatter

    config = getattr(app.env, "myst_config")
    docname, source = kept_for(app).source
    if docname != app.env.current_document.docname or not source.startswith("---"):
        return config
    try:
        topmatter = read_topmatter(source)
    except TopmatterReadError:
        return config
    return merge_file_level(config, topmatter, _say_nothing) if topmatter else config


def _say_nothing(*_: object) -> None:
    """Leave unsaid what has been said when the page itself was parsed."""


def markdown_renderer(app: Sphinx, config: Any, document: nodes.document, reporter: Any) -> Any:
    """Return MyST's renderer with a Markdown parser; both are kept for the pages that agree on them."""
    from myst_parser.parsers.mdit import create_md_parser

    kept = kept_for(app)
    shared = config is getattr(app.env, "myst_config")
    if not shared or kept.markdown is None or kept.markdown.md_config is not config:
        parser: Any = create_md_parser(config, _message_renderer())
        scratch = nodes.document(document.settings, reporter, source=document["source"])
        parser.options["document"] = scratch
        parser.renderer.setup_render(parser.options, {})
        if not shared:
            return parser.renderer
        kept.markdown = parser.renderer
    return kept.markdown


@functools.cache
def _message_renderer() -> type[Any]:
    """Return the class of MyST's renderer for messages; made when there is Markdown to translate."""
    from myst_parser.mdit_to_docutils.sphinx_ import SphinxRenderer
    from myst_parser.warnings_ import create_warning

    class MessageRenderer(SphinxRenderer):
        """MyST's renderer, one message after the other."""

        def begin(
            self,
            scratch: nodes.document,
            reporter: MessageReporter,
            node: nodes.Element,
            references: dict[str, Any],
        ) -> None:
            self.document = scratch
            self.reporter = self.complaints = reporter
            self.md_env = {"references": references}
            self.node = node

        def create_warning(
            self,
            message: str,
            subtype: Any,
            *,
            wtype: str | None = None,
            line: int | None = None,
            append_to: nodes.Element | None = None,
        ) -> nodes.system_message | None:
            # MyST would name the page, and a line that is counted within the translation.
            where = nodes.inline()
            place = self.complaints.place(
                f"{message} [{wtype or 'myst'}.{getattr(subtype, 'value', subtype)}]"
            )
            where.source, where.line = place or (self.node.source, self.node.line)
            return create_warning(
                self.document, message, subtype, wtype=wtype, node=where, append_to=append_to
            )

    return MessageRenderer


# What begins markup in MyST's Markdown within a line. Extensions that look for words or dashes may want
# more characters: with one of them a plain text has no ASCII punctuation at all.
_MARKUP = r"\\`*_{}\[\]<>&$~^!§\x00-\x1f\x7f-\x9f"
_WORDS = {"gfm_autolink", "linkify", "replacements", "smartquotes"}
_KNOWN_EXTENSIONS = {
    "alert", "amsmath", "attrs_block", "attrs_image", "attrs_inline", "colon_fence", "deflist",
    "dollarmath", "fieldlist", "html_admonition", "html_image", "section_ref", "strikethrough",
    "substitution", "tasklist",
}  # fmt: skip


def _plain_markdown(config: Any) -> re.Pattern[str] | None:
    """Return what a text without markup looks like; None where an extension is not known here."""
    extensions = set(config.enable_extensions) - _KNOWN_EXTENSIONS
    if not extensions and not config.gfm_only:
        delimiters = re.escape("".join(config.sub_delimiters))
        return re.compile(rf"[^{_MARKUP}{delimiters}]+")
    if extensions <= _WORDS:
        return re.compile(r"[0-9A-Za-z \u4e00-\u9fff\u3001\u3002\uff0c\uff1a\uff1b\uff1f\uff01]+")
    return None


# A definition of a link, wherever it may stand; not one of a footnote.
_DEFINITION = re.compile(r"\[(?!\^)(?:[^\]\\]|\\.)+\]:")


def link_definitions(app: Sphinx, document: nodes.document, parser: Any) -> dict[str, Any]:
    """Return what the page defines for links such as ``[text][id]``, and what it includes defines."""
    docname, source = kept_for(app).source
    texts = [source] if docname == app.env.current_document.docname else []
    included = document.settings.record_dependencies
    for name in included.list if included else ():
        path = Path(name)  # from the folder where the build runs, as docutils notes it
        if path.suffix in {".md", ".txt"} and path.is_file():
            texts.append(path.read_text(encoding="utf-8", errors="replace"))
    texts = [text for text in texts if _DEFINITION.search(text)]
    if not texts:
        return {}
    from markdown_it.rules_core import StateCore, block, normalize

    env: dict[str, Any] = {}
    while texts:
        state = StateCore(texts.pop(0), parser, env)
        normalize(state)
        block(state)
        # What stands in a directive is parsed as Markdown too.
        texts += [
            token.content
            for token in state.tokens
            if token.type in {"fence", "colon_fence"} and token.info.lstrip().startswith("{")
        ]
    references: dict[str, Any] = env.get("references", {})
    return references


# -- other markup ----------------------------------------------------------------------------------------


def whole_parser(
    app: Sphinx, document: nodes.document, reporter: MessageReporter, filetype: str
) -> InlineParser:
    """Return a parser for a markup that is not known here: each message is parsed as a page."""

    def parse(text: str, node: nodes.Element) -> nodes.Element:
        scratch = scratch_for(document, node, reporter)
        prolog = app.config.rst_prolog
        app.config.rst_prolog = None  # it is for pages
        try:
            parser = app.registry.create_source_parser(filetype, config=app.config, env=app.env)
            parser.parse(text, scratch)
        finally:
            app.config.rst_prolog = prolog
        match [child for child in scratch.children if child.astext()]:
            case [nodes.paragraph() as content]:
                return content
        # It has become another thing than a text, or several: part of it would be lost.
        return nodes.paragraph()

    return parse
