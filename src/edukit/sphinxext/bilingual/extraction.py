"""What a page says is offered to translators, and what they wrote comes to stand in its place.

Sphinx offers a text when it knows where the text was written and what was typed there. Parsers and
directives forget to say so now and then, and Sphinx then leaves the text out of the catalogs without a
word: the cells of a Markdown table in a tab, the subtitle of a sidebar, the alternative text of a card's
link. Here the nodes get what was forgotten, so that Sphinx itself offers them and puts their translations
in place; nothing of Sphinx is replaced, and no message that it offers already is called otherwise.

A text that is no node of its own (a tooltip, the title of the document) is offered by a *carrier*: an
invisible node beside the one it belongs to, which Sphinx fills as it fills a toctree.

What remains without an offer is named when templates are written (``-b gettext``), by file and line.
"""

import importlib
import re
from functools import cache
from pathlib import Path
from typing import Any, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.gettext import MessageCatalogBuilder
from sphinx.config import Config
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.nodes import is_translatable

from edukit.sphinxext.bilingual.site import site_of

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> None:
    """Register the transforms."""
    app.connect("config-inited", offer_index_entries)
    for node in (carrier, held_text):
        visitors = dict.fromkeys(("html", "latex", "text", "man", "texinfo"), (_skip, None))
        app.add_node(node, **cast("Any", visitors))
    app.add_transform(OfferTexts)
    app.add_transform(OfferWhatIsNoNode)
    app.add_transform(PlaceTexts)
    app.add_transform(NameWhatIsNotOffered)


def offer_index_entries(app: Sphinx, config: Config) -> None:
    """Offer the entries of the index, unless the project has chosen what else is offered.

    Sphinx does not by itself; the index of a translated site would be in the source language.
    """
    name = "gettext_additional_targets"
    if name not in config._raw_config and name not in config.overrides:
        config.gettext_additional_targets = ["index"]


def is_for_templates(app: Sphinx) -> bool:
    """Whether this build writes templates for translators and no pages."""
    return isinstance(app.builder, MessageCatalogBuilder)


def _is_translated_or_template(app: Sphinx) -> bool:
    return site_of(app).is_translation or is_for_templates(app)


# -- carriers ------------------------------------------------------------------------------------------


class carrier(addnodes.translatable, nodes.Invisible, nodes.Element):
    """Offers one attribute of another node to translators.

    Until it has been translated it knows the other node; afterwards it is removed. Templates are made
    from documents in which it still is.
    """

    owner: nodes.Element | None = None

    def preserve_original_messages(self) -> None:
        """Do nothing: the message is kept from the beginning."""

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        """Hand the translation to the node that the text belongs to."""
        if self.owner is not None:
            self.owner[self["attribute"]] = translated_message
        self["translated"] = True

    def extract_original_messages(self) -> list[str]:
        """Return the text as it was written."""
        return [self["message"]]


class held_text(nodes.Invisible, nodes.TextElement):
    """Offers the text of a substitution; a template leaves out what stands in the definition itself."""

    owner: nodes.Element | None = None


def _skip(self: nodes.NodeVisitor, node: nodes.Node) -> None:
    raise nodes.SkipNode


def _carry(owner: nodes.Element, attribute: str, message: str, place: nodes.Node) -> carrier:
    """Return a carrier for an attribute, written where ``place`` is."""
    node = carrier(message=" ".join(message.split()), attribute=attribute)
    node.owner = owner
    _write_at(node, place)
    return node


def _write_at(node: nodes.Element, place: nodes.Node | None) -> None:
    """Let a node be known as written where the nearest node is whose place is known."""
    while place is not None and not place.source:
        place = place.parent
    if place is not None:
        node.source = place.source
        node.line = place.line


def _insert_after(node: nodes.Node, place: nodes.Node) -> None:
    parent = cast("nodes.Element", place.parent)
    parent.insert(parent.index(place) + 1, node)


# -- before the translation ----------------------------------------------------------------------------


class OfferTexts(SphinxTransform):
    """Gives every text what Sphinx needs in order to offer it."""

    # After formulas have been taken out (4) and figures have got their texts (5), before Sphinx
    # completes the nodes and keeps the messages (10).
    default_priority = 8

    def apply(self, **kwargs: Any) -> None:
        """Go once through the texts; a page in its own language is left alone."""
        if not _is_translated_or_template(self.app):
            return
        self._leave_out_metadata()
        for node in list(self.document.findall(nodes.TextElement)):
            if isinstance(node, nodes.classifier):
                _part_from_classifiers(node)
            elif not node.source and _has_lost_its_place(node):
                _write_at(node, node.parent)
            if not node.rawsource and not isinstance(node, nodes.Inline) and node.source:
                if isinstance(node, nodes.paragraph):
                    _keep_icon(node)
                # Sphinx would offer the bare words of a title that a directive has put together, and
                # its translation would lose emphasis, code and icons.
                elif any(not isinstance(child, nodes.Text) for child in node):
                    node.rawsource = self._typed(node)

    def _leave_out_metadata(self) -> None:
        """Offer no field at the head of the page: Sphinx takes them for itself and shows none.

        Only a dedication and an abstract become part of the page.
        """
        index = self.document.first_child_not_matching_class(
            cast("type[nodes.Node]", nodes.PreBibliographic)
        )
        fields = self.document[index] if index is not None else None
        if isinstance(fields, nodes.field_list):
            for field in fields.findall(nodes.field):
                if field[0].astext().lower() not in {"dedication", "abstract"}:
                    for text in field.findall(nodes.TextElement):
                        text["translatable"] = False

    def _typed(self, node: nodes.TextElement) -> str:
        """Return what was typed for a text: it is on the line where its node was written.

        Inside a directive MyST counts one line too many.
        """
        pattern = _FIELD if isinstance(node, nodes.field_name) else _DIRECTIVE
        words = re.findall(r"\w+", node.astext())
        lines = self._lines(str(node.source))
        for number in (node.line or 0, (node.line or 0) - 1):
            if 1 <= number <= len(lines) and (line := pattern.match(lines[number - 1])):
                typed = line[1].strip()
                if words and all(word in typed for word in words):
                    return typed
        return ""

    def _lines(self, source: str) -> list[str]:
        if not hasattr(self, "_read"):
            self._read: dict[str, list[str]] = {}
        if source not in self._read:
            try:
                self._read[source] = Path(source).read_text(encoding="utf-8-sig").splitlines()
            except (OSError, UnicodeDecodeError):
                self._read[source] = []
        return self._read[source]


def _part_from_classifiers(classifier: nodes.classifier) -> None:
    """Let a term and its classifiers be messages of their own also when a classifier has markup.

    Sphinx takes from the term what the classifiers read like, not what was typed.
    """
    item = classifier.parent
    classifiers = [child for child in item if isinstance(child, nodes.classifier)]
    terms = [child for child in item if isinstance(child, nodes.term)]
    if len(terms) != 1 or classifier is not classifiers[0]:
        return
    first, *rest = re.split(r" +: +", terms[0].rawsource)
    if len(rest) == len(classifiers):
        terms[0].rawsource = first
        for each, written in zip(classifiers, rest, strict=True):
            each.rawsource = written
            _write_at(each, item)


def _keep_icon(node: nodes.paragraph) -> None:
    """Let an icon stay that a directive has put before a text: only the text is translated."""
    if len(node) < 2 or isinstance(node[0], nodes.Text | nodes.image) or node[0].astext():
        return
    text = nodes.inline("", "", *node[1:], translatable=True)
    text.rawsource = text.astext()
    _write_at(text, node)
    node.children = node.children[:1]
    node += text
    node["translatable"] = False


class OfferWhatIsNoNode(SphinxTransform):
    """Offers the texts that are no nodes of their own."""

    default_priority = 11  # when Sphinx has completed the nodes (10), before the translation (20)

    def apply(self, **kwargs: Any) -> None:
        """Give each of them a node."""
        if not _is_translated_or_template(self.app):
            return
        for node in list(self.document.findall(_may_say_more)):
            if isinstance(node, nodes.reference | addnodes.pending_xref):
                if not _is_in_message(node):
                    self._offer_link(node)
            elif (text := cast("nodes.Element", node)["alt"]) and isinstance(text, str):
                _insert_after(_carry(cast("nodes.Element", node), "alt", text, node), _block_of(node))
        self._offer_page_title()
        self._offer_substitutions()

    def _offer_link(self, link: nodes.Element) -> None:
        """Offer the words and the tooltip of a link that stands in no paragraph, as of a card or button."""
        block = _block_of(link)
        if title := link.get("reftitle"):
            _insert_after(_carry(link, "reftitle", title, link), block)
        self._offer_text_of_link(link)
        # Where a reference is resolved its words are taken out of their node, and templates are made
        # after that.
        if is_for_templates(self.app) and isinstance(link, addnodes.pending_xref):
            for text in list(link.findall(nodes.inline)):
                if text.get("translatable"):
                    message = text.rawsource or text.astext()
                    _insert_after(_carry(text, "message", message, text), block)

    def _offer_text_of_link(self, link: nodes.Element) -> None:
        parent = link.parent
        if isinstance(parent, nodes.Inline) or not isinstance(parent, nodes.TextElement) or parent.source:
            return
        if len(link) != 1 or not isinstance(link[0], nodes.inline) or link[0].get("translatable"):
            return
        text = link[0]
        is_written = (
            link.get("refexplicit") if "refexplicit" in link else text.astext() != link.get("refuri")
        )
        if not is_written or not text.rawsource:
            return
        offered = nodes.inline(text.rawsource, "", *text.children, translatable=True)
        _write_at(offered, link)
        # One around the other: Sphinx unwraps the inner one, and a reference wants an element to hold.
        text.children = []
        text += offered

    def _offer_page_title(self) -> None:
        """Offer what the directive ``title`` says: the name of the page for windows and searches."""
        if title := self.document.get("title"):
            node = _carry(self.document, "title", title, self.document)
            node.source = self.document["source"]
            node.line = 1
            self.document.insert(0, node)

    def _offer_substitutions(self) -> None:
        """Offer the words that a page substitutes for a name which it has defined itself.

        Those from ``rst_prolog`` and ``rst_epilog`` are the project's: ``bilingual_overrides`` gives them
        in each language.
        """
        definitions = [
            definition
            for definition in self.document.substitution_defs.values()
            if not str(definition.source).startswith("<")
        ]
        if not definitions:
            return
        used = {reference["refname"] for reference in self.document.findall(nodes.substitution_reference)}
        for definition in definitions:
            words = _REPLACEMENT.match(definition.rawsource)
            if not words or not used.intersection(definition["names"]):
                continue
            node = held_text(words[1].strip(), "", translatable=True)
            node += [child.deepcopy() for child in definition]
            node.owner = definition
            _write_at(node, definition)
            _insert_after(node, definition)


# The first line of a directive with its argument, in MyST and in reST.
_DIRECTIVE = re.compile(r"[\s>*+-]*(?:(?:`{3,}|~{3,}|:{3,})\s*\{[\w:.+-]+\}|\.\.\s+[\w:.+-]+::)\s*(.*)")
_FIELD = re.compile(r"[\s>*+-]*:((?:[^:\\]|\\.)+):(?:\s|$)")
_REPLACEMENT = re.compile(r"\.\.\s+\|.*?\|\s+replace::\s*(.*)", re.DOTALL)


def _has_lost_its_place(node: nodes.TextElement) -> bool:
    """Whether a text stands where only an author writes, though nobody knows where it was written."""
    parent = node.parent
    return (
        # MyST: the cells of a table inside a directive.
        (isinstance(node, nodes.paragraph) and isinstance(parent, nodes.entry))
        or (isinstance(node, nodes.subtitle) and isinstance(parent, nodes.sidebar))
        # Titles of tabs (sphinx-tabs, sphinx-inline-tabs); the label of a footnote or citation is no text.
        or (node.get("role") == "tab" and not _names_code(node))
        or (isinstance(node, nodes.label) and isinstance(parent, nodes.container))
        or (_is_label_of_code(node) and not _names_code(node))
    )


def _is_label_of_code(node: nodes.TextElement) -> bool:
    """Whether a text is the label of a tab with code where sphinx-tabs makes no tabs, as in a template."""
    above: nodes.Element | None = node
    for _ in range(3):
        above = above.parent if above is not None else None
        if type(above) is not nodes.container or above.source:
            return False
    return isinstance(node, nodes.paragraph) and above is not None and node.parent.parent is above[0]


def _names_code(node: nodes.Element) -> bool:
    """Whether a label of sphinx-tabs is only the name of the language that code is written in."""
    return node.astext() in _languages_of_code()


@cache
def _languages_of_code() -> frozenset[str]:
    lexers: Any = importlib.import_module("pygments.lexers")  # which says nothing of its types
    return frozenset(lexer[0] for lexer in lexers.get_all_lexers())


def _may_say_more(node: nodes.Node) -> bool:
    """Whether a node may have texts besides those in it: a tooltip, or what stands for a picture.

    What stands for an image proper is offered by Sphinx. Here it is that of a graph, or of a picture of
    sphinx-gallery.
    """
    return isinstance(node, nodes.reference | addnodes.pending_xref) or (
        isinstance(node, nodes.Element) and "alt" in node.attributes and not isinstance(node, nodes.image)
    )


def _is_in_message(node: nodes.Node) -> bool:
    """Whether a node is part of a text that is offered as a whole."""
    parent = node.parent
    while parent is not None:
        if is_translatable(parent):
            return True
        parent = parent.parent
    return False


def _block_of(node: nodes.Node) -> nodes.Node:
    """Return the outermost of the texts that a node is part of."""
    while isinstance(node.parent, nodes.TextElement):
        node = node.parent
    return node


# -- after the translation -----------------------------------------------------------------------------


class PlaceTexts(SphinxTransform):
    """Puts translated texts where they belong, and takes away what has offered them."""

    default_priority = 21  # just after the translation (20)

    def apply(self, **kwargs: Any) -> None:
        """Leave a document as it is that a template is made from."""
        if not site_of(self.app).is_translation or is_for_templates(self.app):
            return
        for node in list(self.document.findall(_has_done_its_work)):
            if isinstance(node, held_text) and node.owner is not None and node.get("translated"):
                node.owner.children = []
                node.owner += [child.deepcopy() for child in node]
            if isinstance(node, nodes.image):
                # A picture inside a translated text has come with it, alternative text and all.
                block = _block_of(node)
                if isinstance(block, nodes.TextElement) and block.get("translated"):
                    node["translated"] = True
            else:
                node.parent.remove(node)


def _has_done_its_work(node: nodes.Node) -> bool:
    return isinstance(node, carrier | held_text | nodes.image)


# -- what is not offered -------------------------------------------------------------------------------


class NameWhatIsNotOffered(SphinxTransform):
    """Names the texts of a page that no translator will see, when its template is written."""

    default_priority = 12  # when everything that can be offered is

    def apply(self, **kwargs: Any) -> None:
        """Look at every piece of text with a letter in it; one line of the source is named once."""
        if not is_for_templates(self.app):
            return
        found: dict[nodes.Node, list[nodes.Node]] = {}
        for text in self.document.findall(nodes.Text):
            if not any(letter.isalpha() for letter in text) or _is_settled(text):
                continue
            place: nodes.Node = text.parent
            while place.parent is not None and not (place.source and place.line):
                place = place.parent
            texts = found.setdefault(place, [])
            if text.parent not in texts:
                texts.append(text.parent)
        for place, texts in found.items():
            logger.warning(
                "what is written here is not all offered to translators and stays as it is in every "
                "language (%s); the first is: “%s”. Write it where Sphinx offers texts, as in a "
                "paragraph, or ask the author of the directive to give its nodes a source",
                "1 text" if len(texts) == 1 else f"{len(texts)} texts",
                " ".join(texts[0].astext().split())[:60],
                location=place if place.source else self.env.current_document.docname,
                type="bilingual",
                subtype="not_offered",
            )


# What is the same in every language, what comes in the language of the page by itself, and what Sphinx
# offers in ways of its own.
_SETTLED = (
    nodes.literal,
    nodes.literal_block,
    nodes.doctest_block,
    nodes.math,
    nodes.math_block,
    nodes.raw,
    nodes.comment,
    nodes.system_message,
    nodes.problematic,
    nodes.substitution_definition,
    nodes.option_group,
    nodes.label,
    nodes.generated,
    addnodes.desc_signature,
    addnodes.literal_emphasis,
    addnodes.literal_strong,
    addnodes.productionlist,
    addnodes.versionmodified,
)


def _is_settled(node: nodes.Node) -> bool:
    while node.parent is not None:
        node = node.parent
        if isinstance(node, _SETTLED) or is_translatable(node):
            return True
        if isinstance(node, nodes.field_body) and isinstance(node.children[0], nodes.Text | nodes.Inline):
            return True  # the type or the default of a value that is described
        if isinstance(node, nodes.reference) and node.astext() == node.get("refuri"):
            return True  # an address that stands for itself, such as that of a card without other words
        if isinstance(node, nodes.paragraph) and _is_label_of_code(node) and _names_code(node):
            return True
        # Whoever says that a text is no message has thought of it. A reference without words of its own
        # takes those of what it leads to.
        if isinstance(node, nodes.Element) and (
            node.get("translatable") is False or node.get("refexplicit") is False
        ):
            return True
    # Nor is a text looked at that has lost its page.
    return not isinstance(node, nodes.document)
