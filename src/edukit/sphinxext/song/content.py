"""The content of a song on a page: its title and credits, its lines as ruby, in nodes."""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator

from docutils import nodes

from edukit.lyrics import Line, Song
from edukit.sphinxext.common import interface_text
from edukit.sphinxext.song.data import HAN, Part, joined, language_of, parts_of, runs_of
from edukit.sphinxext.song.nodes import (
    song_line,
    song_ruby,
    song_span,
    song_stanza,
    song_switch,
    song_text,
    song_unit,
)

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
LANG = {"zh_CN": "zh-Hans", "zh_TW": "zh-Hant", "en": "en"}


class Content:
    """Builds the nodes of one song in the words of one interface language."""

    def __init__(self, read: Song, prefix: str, language: str, *, by_word: bool) -> None:
        self.song = read
        self.prefix = prefix
        self.language = language
        self.by_word = by_word
        self.title_id = f"{prefix}song-title"

    def words(self, text: str, **values: object) -> str:
        """Return words of the interface in the language of the page."""
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
        """Return the title, and who made the song and by what right it is shown."""
        title = song_text(kind="title", ids=[self.title_id], search_title=True)
        for at, part in enumerate(self.song.title.split(" / ")):
            if at:
                title += nodes.Text(" ")
            title += song_span("", nodes.Text(part), lang=lang_of(part))
        credits = [
            self.words(CREDITS.get(role, "{name}"), name=self._own_part(name))
            for role, name in self.song.people
        ]
        if self.song.source:
            credits.append(self.words("From: {source}", source=self._own_part(self.song.source)))
        statement, details = rights_of(self.song)
        if statement in RIGHTS:
            credits += [self.words(RIGHTS[statement]), *filter(None, [details])]
        credit = song_text("", nodes.Text(" · ".join(credits)), kind="credit")
        return [title, credit] if credits else [title]

    def heading(self, text: str) -> song_text:
        """Return a title in words of the interface."""
        return song_text("", nodes.Text(self.words(text)), kind="title", ids=[self.title_id])

    def told(self, text: str) -> song_text:
        """Return what is said in the place of the words."""
        return song_text("", nodes.Text(self.words(text)), kind="note")

    def stanzas(self) -> Iterator[song_stanza]:
        """Return the lines, part by part."""
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
        """Return a line in both languages."""
        node = song_line(
            name=f"{self.prefix}line-{number}",
            number=number,
            label=self.words("Line {number}", number=number),
            reading=line.reading or "",
        )
        original = song_text(kind="original", lang=LANG[self.song.language])
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
                lang=lang_of(line.translation),
            )
        return node

    def _ruby(self, line: Line) -> list[nodes.Node]:
        """Return a line as units of ruby, nothing where nobody knows how it is read."""
        language = self.song.language
        if language == "en" and line.reading is not None:
            return []  # how the whole line sounds was typed
        parts = parts_of(line.text, language, line.reading)
        runs = runs_of(parts, by_word=self.by_word or language == "en")
        return list(_units(line.text, runs, LANG[language]))

    def _own_part(self, text: str) -> str:
        """Return the part of a name in two languages that is in the language of the page."""
        parts = text.split(" / ")
        chinese = self.language.startswith("zh")
        return next((part for part in parts if bool(HAN.search(part)) == chinese), parts[0])

    def _section(self, section: str | None) -> str:
        match = re.fullmatch(r"(.*?)\s*(\d*)", section or "")
        name, number = match.groups() if match else ("", "")
        known = SECTIONS.get(name.lower())
        if known is None:
            return section or ""
        if number:
            return self.words(f"{known} {{number}}", number=number)
        return self.words(known)


def rights_of(read: Song) -> tuple[str, str]:
    """Return the rights statement and what is said beside it."""
    statement, _, details = read.rights.replace("，", ",").partition(",")
    return statement.strip().lower(), details.strip()


def lang_of(text: str) -> str:
    """Return the language of a text as HTML names it."""
    return LANG[language_of(text)]


def _units(text: str, runs: Iterable[list[Part]], lang: str) -> Iterator[nodes.Node]:
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
    return text[:at], bool(text[at:]) and text[at].isspace(), text[at:].lstrip()


def _base(text: str, run: list[Part], lang: str) -> nodes.Node:
    readings = [part.reading for part in run if part.reading is not None]
    if not readings:
        return nodes.Text(text)
    return song_ruby("", nodes.Text(text), reading=joined(readings), lang=lang)
