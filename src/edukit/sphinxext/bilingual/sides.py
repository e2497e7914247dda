"""Each block of a translated page with its source beside it.

A translated build has both texts in hand: the source that it read, and the translation that takes its
place. This module keeps the source, where nothing that reads a page can see it, and lets it come back at
the last moment, in HTML only:

- `KeepSource` notes the source of every block just before it is translated, `PrepareSources` keeps that
  of the blocks whose text has become another one. It is a Python attribute of the block's node: it is
  saved with the page, but is no child of the node. So titles, tables of contents, the search index, the
  descriptions for search engines, EPUB and PDF know nothing of it.
- `BringSources` puts all of it behind the page before references are resolved, so that links in it lead
  somewhere, and `ShowBoth` takes it away again after all transforms: whatever looks at the finished page
  finds the translation alone, and only the writer finds the other side of it::

      <paragraph>
        <bilingual_side lang="zh-CN">                        the translation
        <bilingual_side lang="en" classes="translated-copy">  the source: hidden until a reader asks for it

What stands in a page once (formulas, code, pictures, lyrics) is no translated block and has no other side.
``sources.py`` sees to it that a source reads as on its own page: links, footnotes, quotation marks.
"""

import re
import unicodedata
from functools import cache
from html import escape
from typing import Any
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.config import Config
from sphinx.ext.todo import todo_node
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.nodes import LITERAL_TYPE_NODES

from edukit.sphinxext.bilingual import sources
from edukit.sphinxext.bilingual.languages import Language, html_attributes
from edukit.sphinxext.bilingual.parsing import source_words_parser
from edukit.sphinxext.bilingual.processes import BUILDERS
from edukit.sphinxext.bilingual.site import site_of
from edukit.sphinxext.bilingual.translation import checkbox_of
from edukit.sphinxext.common import (
    OTHER_SIDE,
    TRANSLATED_COPY,
    add_assets,
    carry_sides,
    dissolve_marks,
    interface_text,
)


def setup(app: Sphinx) -> None:
    """Set up what a build needs that makes a translation; one that makes the source needs none of it."""
    app.add_config_value("bilingual_side_by_side", True, "env", types=frozenset({bool}))
    if not is_on(app):
        return
    app.add_node(bilingual_side, html=(visit_side, depart_side))
    app.add_transform(KeepSource)
    app.add_transform(PrepareSources)
    app.add_post_transform(BringSources)
    app.add_post_transform(ShowBoth)
    app.connect("env-purge-doc", sources.forget_titles)
    app.connect("env-merge-info", sources.merge_titles)
    app.connect("warn-missing-reference", sources.warned_already)
    app.connect("config-inited", follow_todos)
    app.connect("builder-inited", add_files)
    add_assets(app)


def is_on(app: Sphinx) -> bool:
    """Tell whether this build makes pages that can show two languages."""
    return bool(app.config.bilingual_side_by_side) and site_of(app).is_translation


def add_files(app: Sphinx) -> None:
    """Let the pages of a translation load what only they need."""
    if app.builder.name not in BUILDERS:
        return
    app.add_css_file("edukit/bilingual-sides.css")
    # Not deferred: it says how the page is to be shown before anything of it is.
    app.add_js_file("edukit/bilingual-view.js", priority=200)
    app.add_js_file("edukit/bilingual-sides.js", loading_method="defer")


# -- read ------------------------------------------------------------------------------------------------

_KEPT = "bilingual_kept"


class KeepSource(SphinxTransform):
    """Notes what stands in each block before it is translated."""

    default_priority = 19  # just before the translation (20)

    def apply(self, **kwargs: Any) -> None:
        """Keep the lists of children: the translation puts other lists in their places."""
        kept = [(node, node.children) for node in self.document.findall(nodes.TextElement)]
        if parser := source_words_parser(self.app, self.document):
            # What Markdown substitutes has been put in already, in the language of the page.
            start, parse = parser
            with logging.suppress_logging():  # what is wrong has been said of the page
                kept = [
                    (node, parse(node.rawsource, node).children if start in node.rawsource else children)
                    for node, children in kept
                ]
        # What a page substitutes is translated too.
        words = {
            name: definition.deepcopy() for name, definition in self.document.substitution_defs.items()
        }
        setattr(self.document, _KEPT, (kept, words))


class PrepareSources(SphinxTransform):
    """Keeps the source of the blocks that were translated."""

    # When footnotes are numbered (620) and names resolved (850), before anybody is told that the page has
    # been read (880) and may copy a part of it.
    default_priority = 870

    def apply(self, **kwargs: Any) -> None:
        """Make a copy of each source, let it read as on its own page, and hide it in its block."""
        kept, words = self.document.__dict__.pop(_KEPT, ([], {}))
        pairs = [
            (node, bilingual_side("", "", *children, classes=[TRANSLATED_COPY]))
            for node, children in kept
            if children and node.children is not children and _is_paired(node)
        ]
        language = site_of(self.app).source
        attributes = html_attributes(language.code)
        for block, copy in pairs:
            copy.attributes.update(attributes)
            copy.parent = block
        sources.prepare(self, pairs, language, words)
        for block, copy in pairs:
            if _says_something_else(block, copy):
                setattr(block, OTHER_SIDE, copy)
            if isinstance(block, nodes.inline) and "translatable" in block:
                # Sphinx would dissolve what only marks a part of a paragraph as a message (999), and the
                # part would have no block of its own.
                del block["translatable"]


def _is_paired(node: nodes.TextElement) -> bool:
    return bool(node.get("translated")) and not isinstance(node, (*LITERAL_TYPE_NODES, nodes.Invisible))


def _says_something_else(block: nodes.TextElement, copy: nodes.Element) -> bool:
    """Tell whether a source has words, and other ones: a formula alone stands once.

    Punctuation is no word, however wide it is.
    """
    source = _words(copy)
    return source != "" and source != _words(block)


_NO_WORDS = (nodes.image, nodes.math, nodes.raw)
_NO_LETTERS = re.compile(r"[\W_]+")


def _words(node: nodes.Element) -> str:
    texts = (
        map(str, node.children)
        if sources.is_plain(node)
        else (str(text) for text in node.findall(nodes.Text) if not isinstance(text.parent, _NO_WORDS))
    )
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKC", "".join(texts)))


class listed_todo(todo_node):
    """A note of what is to be done, which is copied to each list of them, with both its sides."""

    tagname = "todo_node"

    def deepcopy(self) -> "listed_todo":
        """Return a copy that keeps what would be lost: it is kept in no attribute of docutils'."""
        copy = super().deepcopy()
        carry_sides(self, copy)
        return copy


def follow_todos(app: Sphinx, config: Config) -> None:
    """Take part in what ``sphinx.ext.todo`` collects, if a project has it."""
    if "todo-defined" in app.events.events:
        app.connect("todo-defined", let_sides_be_copied)


def let_sides_be_copied(app: Sphinx, node: todo_node) -> None:
    """Let copies of a note keep both sides, whether its page has been written by then or not."""
    node.__class__ = listed_todo


# -- write -----------------------------------------------------------------------------------------------


class bilingual_side(nodes.inline):
    """One of the two texts of a block."""


class bilingual_sources(nodes.Element):
    """The sources of a page, as long as other transforms are at work."""


class BringSources(SphinxPostTransform):
    """Puts the sources behind the page, so that what is done to the page is done to them."""

    # When parts of other pages have been put in (5), before references are resolved (9, 10).
    default_priority = 7

    def run(self, **kwargs: Any) -> None:
        """Add one paragraph for each source: in its block it would be taken for a part of a title."""
        if self.env._builder_cls.name not in BUILDERS:
            dissolve_marks(self.document, OTHER_SIDE)
            return
        language = site_of(self.app).source
        behind = bilingual_sources()
        for block in self.document.findall(nodes.TextElement):
            copy = block.__dict__.get(OTHER_SIDE)
            # What has been shown on another page already comes from there.
            if copy and not isinstance(block, bilingual_side):
                sources.name_targets(self.env, copy, language)
                behind += nodes.paragraph("", "", copy)
        if behind.children:
            self.document += behind


class ShowBoth(SphinxPostTransform):
    """Puts each source into the hands of the writer, and takes it out of the page again."""

    # After what works on the texts of a page, before tabs and dropdowns are put together (199, 200): these
    # take over what stands in a title, and not what hangs on it. Never above 999: docutils compares digits.
    default_priority = 101
    builders = tuple(sorted(BUILDERS))

    def run(self, **kwargs: Any) -> None:
        """Wrap each translation, and hang its source on it."""
        for behind in list(self.document.findall(bilingual_sources)):
            # The builder notes which pictures it has to copy when it takes the finished page.
            self.app.builder.post_process_images(behind)
            behind.parent.remove(behind)
        language = site_of(self.app).source
        attributes = html_attributes(self.config.language)
        blocks = [
            node
            for node in self.document.findall(nodes.TextElement)
            if OTHER_SIDE in node.__dict__ and not isinstance(node, bilingual_side)
        ]
        for block in blocks:
            copy = block.__dict__.pop(OTHER_SIDE)
            copy.parent = block  # so the writer can ask where it stands
            copy["turns"] = copy["dir"] != attributes["dir"]
            sources.name_numbers(self.app, copy, language)
            # A box that can be ticked stands once, as a picture does.
            box = checkbox_of(block)
            words = block.children[1:] if box else block.children
            translation = bilingual_side("", "", *words, **attributes, turns=copy["turns"])
            setattr(translation, OTHER_SIDE, copy)
            block.children = [box] if box else []
            block += translation
        setattr(self.document, _PAIRS, len(blocks))


_PAIRS = "bilingual_pairs"


def has_pairs(doctree: nodes.document | None) -> bool:
    """Tell whether a finished page has a block in two languages."""
    return bool(getattr(doctree, _PAIRS, 0))


# The view of a page that shows both: an empty element with this id begins the body of the page.
ANCHOR = "bilingual-both"


# The same on every page.
_TOOLS: WeakKeyDictionary[Sphinx, str] = WeakKeyDictionary()


def tools(app: Sphinx) -> str:
    """Return what a reader of both languages can set; a script shows it and does what it says."""
    if app in _TOOLS:
        return _TOOLS[app]
    site = site_of(app)
    assert isinstance(app.builder, StandaloneHTMLBuilder)

    # Among words that run the other way a name keeps its own order.
    isolated = "\u2068{}\u2069" if site.source.direction != site.current.direction else "{}"

    def say(text: str, language: Language = site.source) -> str:
        said = interface_text(text, site.current.code).format(language=isolated.format(language.name))
        # Between Chinese and Latin is a space, and it is not known before which names meet which words.
        return re.sub(r"(?<=[\u4e00-\u9fff])(?=[A-Za-z])|(?<=[A-Za-z])(?=[\u4e00-\u9fff])", " ", said)

    context = {
        "label": say("Reading in two languages"),
        "lang": "" if say("Both") != "Both" or site.current.code.startswith("en") else "en",
        "first": say("{language} first"),
        "cover": {
            "source": say("Hide {language} until I tap"),
            "translation": say("Hide {language} until I tap", site.current),
        },
        "show": {"source": say("Show {language}"), "translation": say("Show {language}", site.current)},
        "hide": {"source": say("Hide {language}"), "translation": say("Hide {language}", site.current)},
        "showAll": say("Show all"),
        "hideAll": say("Hide all again"),
    }
    _TOOLS[app] = str(app.builder.templates.render("bilingual-tools.html", context))
    return _TOOLS[app]


def visit_side(translator: Any, node: bilingual_side) -> None:
    """Open one side; the source is hidden until a reader asks for it.

    The number of a section, which Sphinx has written before the first side, belongs to both.
    """
    if translator.body[-1].startswith(_NUMBER):
        node[_NUMBER] = translator.body.pop()
        if other := node.__dict__.get(OTHER_SIDE):
            other[_NUMBER] = node[_NUMBER]
    turned = node["dir"] if node["turns"] else ""
    translator.body.append(_tag(node["lang"], turned, hidden=TRANSLATED_COPY in node["classes"]))
    translator.body.append(node.get(_NUMBER, ""))


_NUMBER = '<span class="section-number">'


@cache
def _tag(lang: str, turned: str, *, hidden: bool) -> str:
    classes = f"bilingual-side {TRANSLATED_COPY}" if hidden else "bilingual-side"
    direction = f' dir="{turned}"' if turned else ""
    return f'<span class="{classes}" lang="{escape(lang)}"{direction}{" hidden" if hidden else ""}>'


def depart_side(translator: Any, node: bilingual_side) -> None:
    """Close one side, and write the other one behind it."""
    translator.body.append("</span>")
    if other := node.__dict__.get(OTHER_SIDE):
        other.walkabout(translator)
