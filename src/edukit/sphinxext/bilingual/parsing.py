"""The parsers of messages: one for a page or a whole build, and none for a text without markup."""

import functools
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol

from docutils import nodes
from docutils.parsers.rst.languages import get_language
from docutils.parsers.rst.states import Inliner
from sphinx.application import Sphinx
from sphinx.parsers import RSTParser
from sphinx.util import get_filetype, logging
from sphinx.util.docutils import LoggingReporter

from edukit.sphinxext.bilingual.messages import kept_for, place_of
from edukit.sphinxext.bilingual.site import is_overridden, value_in_source


class InlineParser(Protocol):
    """Parses a translation as the text of a node."""

    def __call__(self, text: str, node: nodes.Element) -> nodes.Element:
        """Return an element whose children are the text; it is in no document."""


class MessageReporter(LoggingReporter):
    """Says what is wrong with the markup of a translation where the catalog holds it.

    A mistake that the translation has taken over from its source has been said of the page, and is not
    said again.
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
        if self.has_been_said(str(message)):
            return nodes.system_message(
                str(message), *children, level=level, type=self.levels[level], source=self.source
            )
        if level >= self.report_level and (place := self.place()):
            more["source"], more["line"] = place
        return super().system_message(level, message, *children, **more)

    def has_been_said(self, complaint: str) -> bool:
        """Whether the same is wrong in the page itself: mended there, it will be mended here."""
        said = [*self.document.parse_messages, *self.document.findall(nodes.system_message)]
        return any(message.children and message.children[0].astext() == complaint for message in said)

    def place(self) -> tuple[str, int] | None:
        """Return where the catalog holds the message."""
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
PLAIN_REST = re.compile(r"(?:[^\\`*_|\[\]<>@:\x00-\x1f\x7f-\x9f]|:(?![^ ]))+")


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
        if PLAIN_REST.fullmatch(text):
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
    """Whether a class parses pages just as MyST-Parser does, and its renderer can go on within a page."""
    if "myst_parser" not in sys.modules:
        return False
    from myst_parser.mdit_to_docutils.sphinx_ import SphinxRenderer
    from myst_parser.parsers.sphinx_ import MystParser

    wanted = ("setup_render", "nested_render_text", "current_node_context")
    return (
        issubclass(parser, MystParser)
        and parser.parse is MystParser.parse
        and all(hasattr(SphinxRenderer, name) for name in wanted)
    )


def markdown_parser(
    app: Sphinx, document: nodes.document, reporter: MessageReporter, base: Any = None
) -> InlineParser:
    """Return a parser for MyST's Markdown, with the project's configuration or another one."""
    config = markdown_config(app, document, base or getattr(app.env, "myst_config"))
    renderer = markdown_renderer(app, config, document, reporter)
    plain = plain_markdown(config)
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


def source_words_parser(app: Sphinx, document: nodes.document) -> tuple[str, InlineParser] | None:
    """Return a parser that substitutes words as the pages in the source language do, and what begins them.

    None where the words are the same in both languages, or the page has none.
    """
    if "myst_parser" not in sys.modules or not is_overridden(app, "myst_substitutions"):
        return None
    if not is_markdown_parser(
        app.registry.get_source_parser(get_filetype(app.config.source_suffix, document["source"]))
    ):
        return None
    config: Any = getattr(app.env, "myst_config")
    words = value_in_source(app, "myst_substitutions")
    reporter = MessageReporter(app, app.env.current_document.docname, document)
    return config.sub_delimiters[0] * 2, markdown_parser(
        app, document, reporter, config.copy(substitutions=words)
    )


def markdown_config(app: Sphinx, document: nodes.document, config: Any) -> Any:
    """Return MyST's configuration as the page changes it at its beginning."""
    from myst_parser.config.main import TopmatterReadError, merge_file_level, read_topmatter

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
        parser.disable("wordcount", True)  # it counts the words of a page
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
            kind = getattr(subtype, "value", subtype)
            if self.complaints.has_been_said(f"{message} [{wtype or 'myst'}.{kind}]"):
                return None
            # MyST would name the page, and a line that is counted within the translation.
            where = nodes.inline()
            where.source, where.line = self.complaints.place() or (self.node.source, self.node.line)
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


def plain_markdown(config: Any) -> re.Pattern[str] | None:
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
