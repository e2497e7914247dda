"""A song on a page: every line with its pinyin above it and its translation beside it.

::

    :::{song} a-garden-of-words.lrc
    :::

The words stay in the lyric file. They are never messages of the page's catalog: a song already
speaks both languages, and is the same on the English and the Chinese page. The directive gives::

    <song ids="song">
      <song_text kind="title">       字的花园 / A Garden of Words
      <song_text kind="credit">      Words: the edukit authors
      <song_switch kind="reading">   Pinyin
      <song_lines>
        <song_stanza label="Verse 1" first="1">
          <song_line ids="line-1" number="1">
            <song_text kind="original" lang="zh-Hans">
              <song_unit>
                <song_ruby reading="chūntiān">  春天
              …
            <song_text kind="translation" lang="en">
          …

Builders of HTML write these nodes; for every other a post-transform puts ordinary paragraphs and
line blocks in their place.
"""

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata, OptionSpec
from sphinx.writers.html5 import HTML5Translator

from edukit.lyrics import Line, LyricsError, Song, Syllable, load, read_aloud
from edukit.sphinxext.common import add_assets, interface_text, metadata

logger = logging.getLogger(__name__)

RIGHTS = {
    "own": "Own work",
    "public-domain": "Public domain",
    "permission": "Used with permission",
    "private": "Private, not for publication",
}
CREDITS = {"author": "Words: {name}", "artist": "Sung by: {name}", "file": "Lyric file: {name}"}
SECTIONS = {
    "verse": "Verse",
    "主歌": "Verse",
    "refrain": "Refrain",
    "chorus": "Refrain",
    "副歌": "Refrain",
    "bridge": "Bridge",
    "intro": "Intro",
    "前奏": "Intro",
    "outro": "Outro",
    "尾声": "Outro",
}
_LANG = {"zh_CN": "zh-Hans", "zh_TW": "zh-Hant", "en": "en"}
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")


class song(nodes.General, nodes.Element):
    """A whole song."""


class song_switch(nodes.Part, nodes.Element):
    """A box by which the reader hides the texts of one ``kind``."""


class song_lines(nodes.Part, nodes.Element):
    """All the lines."""


class song_stanza(nodes.Part, nodes.Element):
    """A part of a song; ``label`` names it and ``first`` is the number of its first line."""


class song_line(nodes.Part, nodes.Element):
    """A line in both languages; ``reading`` is its reading as typed, for builders without ruby."""


class _Text(nodes.Part, nodes.Element):
    """What holds words. It is no TextElement, for those are what gettext takes for messages."""

    child_text_separator = ""


class song_text(_Text):
    """A text of one ``kind`` in one ``lang``."""


class song_span(_Text):
    """A part of a text in a language of its own."""


class song_unit(_Text):
    """A word with its punctuation, which stays on one row with it."""


class song_ruby(_Text):
    """Characters with their reading above them."""


class SongDirective(SphinxDirective):
    """Show a song from a lyric file."""

    required_arguments = 1
    final_argument_whitespace = True  # file names have spaces
    option_spec: ClassVar[OptionSpec] = {
        "ruby": lambda value: directives.choice(value, ("word", "character")),
        "name": directives.unchanged_required,
        "class": directives.class_option,
    }

    def run(self) -> list[nodes.Node]:
        """Read the file and build the nodes."""
        relative, absolute = self.env.relfn2path(self.arguments[0])
        # A file that is missing too: the page is built again once it is there.
        self.env.note_dependency(relative)
        path = Path(absolute)
        try:
            read = load(path)
        except LyricsError as error:
            self._warn(f"song {relative}: {error.message}", path, error.line, error.column)
            return []
        for finding in read.findings:
            self._warn(finding.message_en, path, finding.line, finding.column)
        return [self._node(read, path, relative)]

    def _node(self, read: Song, path: Path, relative: str) -> song:
        shown = self._may_be_shown(read, path, relative)
        prefix = self._prefix(path)
        builder = _Builder(
            read, prefix, self.config.language, by_word=self.options.get("ruby") != "character"
        )
        node = song(classes=["edukit-song", *self.options.get("class", [])])
        self.set_source_info(node)
        node["title_id"] = builder.title_id
        node += builder.head()
        if shown:
            node += builder.switches()
            node += song_lines("", *builder.stanzas())
        else:
            node += builder.not_shown()
        for target, name in [
            (node, f"{prefix}song"),
            *((line, line["name"]) for line in node.findall(song_line)),
        ]:
            target["names"].append(name)
            self.state.document.note_explicit_target(target, node)
        return node

    def _may_be_shown(self, read: Song, path: Path, relative: str) -> bool:
        """Tell whether the words may stand on the page: published pages need a right to them."""
        statement, _ = _rights(read)
        if statement not in RIGHTS:
            self._warn(
                f"song {relative}: the words are not shown, because the file does not state the "
                f"rights to them; add [rights:…] with one of {', '.join(RIGHTS)}",
                path,
                1,
            )
            return False
        return statement != "private" or bool(self.config.song_show_private)

    def _prefix(self, path: Path) -> str:
        """Return what the names of the song and its lines begin with.

        Nothing for the first song of a page, so that line 3 is simply ``#line-3``.
        """
        if "name" in self.options:
            return nodes.make_id(self.options["name"]) + "-"
        stem = nodes.make_id(path.stem) or "song"
        further = (f"{stem}-{number}-" for number in itertools.count(2))
        taken = self.state.document.nameids
        return next(
            prefix
            for prefix in itertools.chain(["", f"{stem}-"], further)
            if f"{prefix}line-1" not in taken and f"{prefix}song" not in taken
        )

    def _warn(self, message: str, path: Path, line: int | None = None, column: int | None = None) -> None:
        """Warn at a place in the lyric file, or at the directive where the file as a whole is meant."""
        parts = [str(part) for part in (path, line, column) if part is not None]
        place = ":".join(parts) if line is not None else self.get_location()
        logger.warning("%s", message, location=place, type="edukit", subtype="song")


class _Builder:
    """Builds the nodes of one song in the words of one interface language."""

    def __init__(self, read: Song, prefix: str, language: str, *, by_word: bool) -> None:
        self.song = read
        self.prefix = prefix
        self.language = language
        self.by_word = by_word
        self.title_id = f"{prefix}song-title"

    def words(self, text: str, **values: object) -> str:
        return interface_text(text, self.language).format(**values)

    def switches(self) -> list[song_switch]:
        """Return a switch for each kind of text that the reader can hide."""
        reading = "Pinyin" if self.song.language.startswith("zh") else "Pronunciation"
        kinds = [("reading", reading), ("translation", "Translation")]
        return [
            song_switch(
                "",
                nodes.Text(self.words(label)),
                kind=kind,
                input=f"{self.prefix}song-show-{kind}",
            )
            for kind, label in kinds
            if any(getattr(line, kind) is not None for line in self.song.lines)
        ]

    def head(self) -> list[nodes.Node]:
        title = song_text(kind="title", ids=[self.title_id], search_title=True)
        for at, part in enumerate(self.song.title.split(" / ")):
            if at:
                title += nodes.Text(" ")
            title += song_span("", nodes.Text(part), lang=_lang_of(part))
        credits = [self.words(CREDITS[role], name=self._own_part(name)) for role, name in self.song.people]
        if self.song.source:
            credits.append(self.words("From: {source}", source=self._own_part(self.song.source)))
        statement, details = _rights(self.song)
        if statement in RIGHTS:
            credits += [self.words(RIGHTS[statement]), *filter(None, [details])]
        credit = song_text("", nodes.Text(" · ".join(credits)), kind="credit")
        return [title, credit] if credits else [title]

    def not_shown(self) -> song_text:
        return song_text(
            "",
            nodes.Text(self.words("The words are not shown: no right to publish them has been stated.")),
            kind="note",
        )

    def stanzas(self) -> Iterator[song_stanza]:
        numbered = enumerate(self.song.lines, 1)
        for section, lines in itertools.groupby(numbered, key=lambda pair: pair[1].section):
            nodes_of_lines = [self.line(number, line) for number, line in lines]
            stanza = song_stanza(
                "",
                *nodes_of_lines,
                label=self._section(section),
                first=nodes_of_lines[0]["number"],
            )
            yield stanza

    def line(self, number: int, line: Line) -> song_line:
        node = song_line(
            name=f"{self.prefix}line-{number}",
            number=number,
            label=self.words("Line {number}", number=number),
            reading=line.reading or "",
        )
        original = song_text(kind="original", lang=_LANG[self.song.language])
        node += original
        if ruby := self._ruby(line):
            original += ruby
        else:
            original += nodes.Text(line.text)
            if line.reading is not None:
                lang = "en-fonipa" if self.song.language == "en" else "zh-Latn-pinyin"
                node += song_text("", nodes.Text(line.reading), kind="reading", lang=lang)
        if line.translation is not None:
            node += song_text(
                "",
                nodes.Text(line.translation),
                kind="translation",
                lang=_lang_of(line.translation),
            )
        return node

    def _ruby(self, line: Line) -> list[nodes.Node]:
        """Return a Chinese line as units of ruby, nothing where its reading does not fit it."""
        if line.reading is None or not self.song.language.startswith("zh"):
            return []
        try:
            syllables = read_aloud(line)
        except LyricsError:  # told among the findings of the file
            return []
        lang = _LANG[self.song.language]
        runs = list(_words(syllables)) if self.by_word else [[one] for one in syllables]
        return list(_units(line.text, runs, lang))

    def _own_part(self, text: str) -> str:
        """Return the part of a name in two languages that is in the language of the page."""
        parts = text.split(" / ")
        chinese = self.language.startswith("zh")
        return next((part for part in parts if bool(_HAN.search(part)) == chinese), parts[0])

    def _section(self, section: str | None) -> str:
        match = re.fullmatch(r"(.*?)\s*(\d*)", section or "")
        name, number = match.groups() if match else ("", "")
        known = SECTIONS.get(name.lower())
        if known is None:
            return section or ""
        if number:
            return self.words(f"{known} {{number}}", number=number)
        return self.words(known)


def _rights(read: Song) -> tuple[str, str]:
    """Return the rights statement and what is said beside it."""
    statement, _, details = read.rights.replace("，", ",").partition(",")
    return statement.strip().lower(), details.strip()


def _lang_of(text: str) -> str:
    return "zh-Hans" if _HAN.search(text) else "en"


def _words(syllables: tuple[Syllable, ...]) -> Iterator[list[Syllable]]:
    """Put the syllables of each word together."""
    word: list[Syllable] = []
    for syllable in syllables:
        word.append(syllable)
        if "".join(part.text for part in word) == syllable.word:
            yield word
            word = []


def _units(text: str, runs: Iterable[list[Syllable]], lang: str) -> Iterator[nodes.Node]:
    """Lay a line out in units, each with the punctuation that may not be parted from it."""
    end = 0
    unit: song_unit | None = None
    for run in runs:
        after, space, before = _punctuation(text[end : run[0].start], first=unit is None)
        if unit is not None:
            unit += nodes.Text(after)
            yield unit
            if space:
                yield nodes.Text(" ")
        unit = song_unit("", nodes.Text(before))
        end = run[-1].stop
        unit += _base(text[run[0].start : end], run, lang)
    if unit is not None:
        unit += nodes.Text(text[end:])
        yield unit


def _punctuation(text: str, *, first: bool) -> tuple[str, bool, str]:
    """Part what stands between two words: what belongs to the first, a space, what to the second."""
    at = 0
    while at < len(text) and not first:
        if text[at].isspace() or unicodedata.category(text[at]) in ("Ps", "Pi"):
            break
        at += 1
    return text[:at], bool(text[at:]) and text[at].isspace(), text[at:].strip()


def _base(text: str, run: list[Syllable], lang: str) -> nodes.Node:
    readings = [syllable.pinyin for syllable in run if syllable.pinyin is not None]
    if not readings:
        return nodes.Text(text)
    # The apostrophe tells where a syllable begins that has no consonant to tell it: xī'ān.
    reading = readings[0] + "".join(
        f"’{part}" if unicodedata.normalize("NFD", part)[0] in "aeo" else part for part in readings[1:]
    )
    return song_ruby("", nodes.Text(text), reading=reading, lang=lang)


class PlainSong(SphinxPostTransform):
    """Write songs as paragraphs and line blocks for builders that are not of HTML."""

    # Before the images and the like that a writer's own transforms look for; nothing waits for us.
    default_priority = 200

    def run(self, **kwargs: Any) -> None:
        """Put the plain form in the place of every song."""
        if self.env._app.builder.format == "html":
            return
        for node in list(self.document.findall(song)):
            node.replace_self(_plain(node))


def _plain(node: song) -> nodes.container:
    # Writers put the places that a link can lead to at targets, and not at every node with an id.
    target = nodes.target("", "", ids=node["ids"], names=node["names"])
    plain = nodes.container("", target, classes=node["classes"])
    for text in node.children:
        if isinstance(text, song_text):
            inner = nodes.strong if text["kind"] == "title" else nodes.inline
            plain += nodes.paragraph("", "", inner("", text.astext()))
    for stanza in node.findall(song_stanza):
        if stanza["label"]:
            plain += nodes.paragraph("", "", nodes.emphasis("", stanza["label"]))
        for line in stanza.findall(song_line):
            plain += nodes.target("", "", ids=line["ids"], names=line["names"])
            plain += _plain_line(line)
    return plain


def _plain_line(line: song_line) -> nodes.line_block:
    texts = {text["kind"]: text.astext() for text in line.findall(song_text)}
    rows = [f"{line['number']}. {texts['original']}", line["reading"], texts.get("translation", "")]
    return nodes.line_block("", *(nodes.line("", row) for row in rows if row))


# HTML


def visit_song(self: HTML5Translator, node: song) -> None:
    """Open the group that is the song."""
    attributes: dict[str, Any] = {"role": "group", "aria-labelledby": node["title_id"]}
    self.body.append(self.starttag(node, "div", **attributes))


def visit_song_text(self: HTML5Translator, node: song_text) -> None:
    """Open a paragraph in the language of its text."""
    lang = {"lang": node["lang"]} if "lang" in node else {}
    self.body.append(self.starttag(node, "p", "", CLASS=f"edukit-song-{node['kind']}", **lang))


def visit_song_span(self: HTML5Translator, node: song_span) -> None:
    """Open a part of a text in the language it is in."""
    self.body.append(f'<span lang="{self.attval(node["lang"])}">')


def visit_song_switch(self: HTML5Translator, node: song_switch) -> None:
    """Write the box, and open its label. A style sheet does the hiding, so no script is needed."""
    name = self.attval(node["input"])
    kind = f"edukit-song-switch edukit-song-switch-{node['kind']}"
    self.body.append(
        f'<input class="{kind}" type="checkbox" id="{name}" checked="checked" /><label for="{name}">'
    )


def visit_song_lines(self: HTML5Translator, node: song_lines) -> None:
    """Open the element that the switches act on."""
    self.body.append(self.starttag(node, "div", CLASS="edukit-song-lines"))


def visit_song_stanza(self: HTML5Translator, node: song_stanza) -> None:
    """Name the part and open its list, which goes on counting where the one before it ended."""
    if node["label"]:
        self.body.append(f'<p class="edukit-song-section">{self.encode(node["label"])}</p>\n')
    # A list without its bullets is none to some screen readers unless it says so.
    self.body.append(self.starttag(node, "ol", role="list", start=str(node["first"])))


def visit_song_line(self: HTML5Translator, node: song_line) -> None:
    """Open the line and write its number, which is a link to it."""
    self.body.append(self.starttag(node, "li", ""))
    self.body.append(
        f'<a class="edukit-song-number" href="#{self.attval(node["ids"][0])}"'
        f' aria-label="{self.attval(node["label"])}">{node["number"]}</a>\n'
        '<div class="edukit-song-texts">\n'
    )


def visit_song_unit(self: HTML5Translator, node: song_unit) -> None:
    """Open what stays on one row."""
    self.body.append('<span class="edukit-song-unit">')


def visit_song_ruby(self: HTML5Translator, node: song_ruby) -> None:
    """Open the ruby, whose base is the text within."""
    self.body.append(f'<ruby lang="{self.attval(node["lang"])}">')


def depart_song_ruby(self: HTML5Translator, node: song_ruby) -> None:
    """Write the reading, in brackets for browsers that cannot put it above."""
    self.body.append(
        f'<rp>(</rp><rt lang="zh-Latn-pinyin">{self.encode(node["reading"])}</rt><rp>)</rp></ruby>'
    )


def _closing(tags: str) -> Callable[[HTML5Translator, nodes.Element], None]:
    def depart(self: HTML5Translator, node: nodes.Element) -> None:
        self.body.append(tags)

    return depart


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_node(song, html=(visit_song, _closing("</div>\n")))
    app.add_node(song_text, html=(visit_song_text, _closing("</p>\n")))
    app.add_node(song_span, html=(visit_song_span, _closing("</span>")))
    app.add_node(song_switch, html=(visit_song_switch, _closing("</label>\n")))
    app.add_node(song_lines, html=(visit_song_lines, _closing("</div>\n")))
    app.add_node(song_stanza, html=(visit_song_stanza, _closing("</ol>\n")))
    app.add_node(song_line, html=(visit_song_line, _closing("</div></li>\n")))
    app.add_node(song_unit, html=(visit_song_unit, _closing("</span>")))
    app.add_node(song_ruby, html=(visit_song_ruby, depart_song_ruby))
    app.add_config_value("song_show_private", False, "env", bool)
    app.add_directive("song", SongDirective)
    app.add_post_transform(PlainSong)
    add_assets(app, "song.css")
    return metadata()
