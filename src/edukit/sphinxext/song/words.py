"""The directive ``song-words``: the vocabulary of a song, one word in a row.

::

    :::{song-words}
    :language: en
    mice; /maɪs/; noun; 老鼠（mouse 的复数）; 7
    order; /ˈɔːrdər/; noun; 顺序; 6, 8
    :::

A row names the word, its sounds, its part of speech, its meaning in the other language, and, if you like,
the lines that have it. It speaks both languages already and is the same on the English and the Chinese
page, so it is no message of the page's catalog; what stands above the columns is in the reader's language.
"""

import re
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec
from sphinx.writers.html5 import HTML5Translator

from edukit.sphinxext.common import interface_text

logger = logging.getLogger(__name__)

PARTS_OF_SPEECH = (
    "noun",
    "verb",
    "adjective",
    "adverb",
    "pronoun",
    "preposition",
    "conjunction",
    "auxiliary verb",
    "measure word",
    "number word",
    "ordinal number",
    "particle",
    "interjection",
    "phrase",
)
HEADINGS = {
    "en": ("English", "Sounds", "Part of speech", "Chinese", "Line"),
    "zh-hans": ("Chinese", "Pinyin", "Part of speech", "English", "Line"),
}
# The language of the word, of its sounds and of its meaning.
LANGUAGES = {"en": ("en", "en-fonipa", "zh-Hans"), "zh-hans": ("zh-Hans", "zh-Latn-pinyin", "en")}
_SEPARATOR = re.compile(r"\s*[;；]\s*")
_LINES = re.compile(r"\s*[;；]\s*((?:[1-9]\d*\s*[,，、]?\s*)+)$")


class song_word(nodes.Part, nodes.Element):
    """The text of a cell. It is no paragraph: the text of a paragraph is a message."""

    child_text_separator = ""


class SongWordsDirective(SphinxDirective):
    """Show words of a song as a table."""

    has_content = True
    option_spec: ClassVar[OptionSpec] = {
        "language": lambda value: directives.choice(value, tuple(LANGUAGES)),
        "song": directives.unchanged_required,
        "class": directives.class_option,
    }

    def run(self) -> list[nodes.Node]:
        """Read the rows and build the table."""
        language = self.options.get("language")
        if language is None:
            self._warn("song-words needs to know the language of the words: :language: en or zh-Hans")
            return []
        rows = [row for at, text in enumerate(self.content) if text.strip() for row in self._row(text, at)]
        if not rows:
            self._warn("song-words has no words: write one in a row, such as: order; /ˈɔːrdər/; noun; 顺序")
            return []
        lined = any(row[4] for row in rows)
        return [self._table(language, rows, 5 if lined else 4)]

    def _row(self, text: str, at: int) -> list[list[str]]:
        cells = _SEPARATOR.split(text.strip(), 3)
        lines = ""
        # A meaning may have parts of its own, so that the lines are known by being numbers.
        if found := _LINES.search(cells[-1]):
            cells[-1], lines = cells[-1][: found.start()], found[1]
        if len(cells) != 4 or not all(cells):
            wanted = "word; sounds; part of speech; meaning; lines (the last may be left out)"
            self._warn(f"“{text.strip()}” has to be: {wanted}", at)
        elif cells[2] not in PARTS_OF_SPEECH:
            self._warn(f"“{cells[2]}” is no part of speech; take one of {', '.join(PARTS_OF_SPEECH)}", at)
        else:
            return [[*cells, lines]]
        return []

    def _table(self, language: str, rows: list[list[str]], columns: int) -> nodes.table:
        prefix = f"{nodes.make_id(self.options['song'])}-" if "song" in self.options else ""
        group = nodes.tgroup("", *(nodes.colspec(colwidth=20) for _ in range(columns)), cols=columns)
        head = nodes.row("", *(self._cell(self._words(text)) for text in HEADINGS[language][:columns]))
        body = nodes.tbody()
        word, sounds, meaning = LANGUAGES[language]
        for cells in rows:
            row = nodes.row(
                "",
                self._cell(cells[0], word),
                self._cell(cells[1], sounds),
                self._cell(self._words(cells[2])),
                self._cell(cells[3], meaning),
            )
            if columns == 5:
                row += self._lines(cells[4], prefix)
            body += row
        group += [nodes.thead("", head), body]
        table = nodes.table("", group, classes=["edukit-song-words", *self.options.get("class", [])])
        table["translatable"] = False  # each row holds both languages
        self.set_source_info(table)
        return table

    def _cell(self, text: str, lang: str = "") -> nodes.entry:
        language = lang or self.config.language.replace("_", "-")
        return nodes.entry("", song_word("", nodes.Text(text), lang=language))

    def _lines(self, text: str, prefix: str) -> nodes.entry:
        paragraph = nodes.paragraph("", "", translatable=False)
        for number in re.findall(r"\d+", text):
            if len(paragraph):
                paragraph += nodes.Text(", ")
            paragraph += nodes.reference("", number, refid=f"{prefix}line-{number}", internal=True)
        return nodes.entry("", paragraph)

    def _words(self, text: str) -> str:
        return interface_text(text, self.config.language)

    def _warn(self, message: str, at: int | None = None) -> None:
        location: Any = self.get_location()
        if at is not None:
            # reStructuredText counts the content from the top of the page, MyST from the directive.
            above = self.content_offset + (self.lineno if self.content_offset < self.lineno else 0)
            location = f"{self.env.doc2path(self.env.docname)}:{above + at + 1}"
        logger.warning("%s", message, location=location, type="edukit", subtype="song")


def register(app: Sphinx) -> None:
    """Make the directive and its node known."""
    app.add_directive("song-words", SongWordsDirective)
    app.add_node(song_word, html=(visit_song_word, depart_song_word))
    app.add_post_transform(PlainWords)


class PlainWords(SphinxPostTransform):
    """Write the words as paragraphs for builders that are not of HTML."""

    default_priority = 200  # as the songs themselves

    def run(self, **kwargs: Any) -> None:
        """Put a paragraph in the place of every word."""
        if self.env._app.builder.format == "html":
            return
        for node in list(self.document.findall(song_word)):
            node.replace_self(nodes.paragraph("", "", *node.children))


def visit_song_word(self: HTML5Translator, node: song_word) -> None:
    """Open the text in its language."""
    self.body.append(f'<p lang="{self.attval(node["lang"])}">')


def depart_song_word(self: HTML5Translator, node: song_word) -> None:
    """Close the text."""
    self.body.append("</p>\n")
