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
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sphinx
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.i18n import Locale
from sphinx.util import logging
from sphinx.util.index_entries import split_index_msg
from sphinx.util.nodes import LITERAL_TYPE_NODES, traverse_translatable_index

from edukit.sphinxext.bilingual.extraction import is_for_templates
from edukit.sphinxext.bilingual.messages import (
    extracted,
    forget,
    messages_of,
    place_of,
    remember_source,
)
from edukit.sphinxext.bilingual.parsing import MessageReporter, parser_for
from edukit.sphinxext.bilingual.references import Exchange, elements_of

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


_NOQA = re.compile(r"(?<!\\)#\s*noqa\s*\Z")


# -- the page --------------------------------------------------------------------------------------------


class TranslatePage(SphinxTransform):
    """Replaces the texts of a page by their translations."""

    default_priority = Locale.default_priority

    def apply(self, **kwargs: Any) -> None:
        """Translate the page, if there is a catalog for it."""
        if is_for_templates(self.app):
            return  # A template is in the language of the source, whatever the build's is.
        docname = self.env.current_document.docname
        messages = messages_of(self.app, docname)
        if messages is None:
            return
        page = Page(self.app, docname, self.document, messages)
        page.translate()
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
        self.reporter = MessageReporter(app, docname, document)
        self.parse = parser_for(app, document, self.reporter)
        self.gone: set[int] = set()  # the elements that translations have taken the place of

    def translate(self) -> None:
        """Translate all messages."""
        texts = []
        for node, message in extracted(self.app, self.document):
            text = self.look_up(node, message)
            if text is None:
                node["translated"] = False
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
            if id(text.node) in self.gone:
                continue  # an image in a text that has been replaced with all that was in it
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
            if not document.nametypes.get(old):
                # The heading gave the section its id: it is noted anew, by both names.
                document.nameids.pop(old, None)
                document.nametypes.pop(old, None)
                document.ids.pop(identifier, None)
            document.note_implicit_target(section)

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
            if not content.astext().strip() and not elements_of(content):
                text.refused = True
                self.warn(
                    text, "this translation cannot be shown as a text of its page, which shows the source"
                )
            elif (
                "numref" in translation
                and self.app.config.numfig
                and (title := broken_number(text.node, content))
            ):
                text.refused = True
                self.warn(
                    text,
                    f"“{title}” does not say where the number of what it refers to is to stand: write %s "
                    "or {number} for the number and {name} for the title, as the source does. The page "
                    "shows the source",
                )
            else:
                text.content = content
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
        self.gone.update(map(id, old))
        if old or new:
            complain = functools.partial(self.complain, text) if text.checked else None
            Exchange(self.document, complain).run(old, new)
        if box := checkbox_of(node):
            content.insert(0, box.deepcopy())  # it is no part of the message
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

    def complain(self, text: Text, kind: str, differences: str) -> None:
        """Warn of references that are not those of the source."""
        self.warn(
            text,
            f"inconsistent {kind} in translated message: {differences}. Mend the translation, or end it "
            "with “# noqa” if this is meant",
            kind="i18n",
            subtype="inconsistent_references",
        )

    def warn(
        self, text: Text, message: str, *, kind: str = "bilingual", subtype: str = "translation"
    ) -> None:
        """Warn of a translation where it stands in its catalog."""
        place = place_of(self.app, self.docname, text.message)
        logger.warning(
            "%s",
            message,
            location=f"{place[0]}:{place[1]}" if place else text.node,
            type=kind,
            subtype=subtype,
        )


def checkbox_of(node: nodes.Element) -> nodes.raw | None:
    """Return the box that begins an item of a task list, if a text has one."""
    first = node.children[0] if node.children else None
    return first if isinstance(first, nodes.raw) and "task-list-item-checkbox" in first.astext() else None


def in_glossary(node: nodes.Element) -> bool:
    """Whether a term is one of a glossary, and not of any other list."""
    return bool(node["ids"]) and isinstance(node.parent.parent.parent, addnodes.glossary)


def broken_number(source: nodes.Element, translation: nodes.Element) -> str:
    """Return the title of a numbered reference in a translation that Sphinx cannot put a number into.

    It would end there without saying where. What the source says in this way is the source's to mend.
    """
    if any(map(is_broken, numbered_titles(source))):
        return ""
    return next(filter(is_broken, numbered_titles(translation)), "")


def numbered_titles(node: nodes.Element) -> Iterator[str]:
    """Yield the titles that references with a number have of their own in a text."""
    for element in elements_of(node):
        if (
            isinstance(element, addnodes.pending_xref)
            and element.get("reftype") == "numref"
            and element.get("refexplicit")
        ):
            yield element.astext()


def is_broken(title: str) -> bool:
    """Whether Sphinx could not put a number into a title; it does it in just this way."""
    try:
        if "{name}" in title or "number" in title:
            title.format(name="", number="1")
        else:
            title % "1"
    except (ValueError, TypeError, LookupError, AttributeError):
        return True
    return False


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
