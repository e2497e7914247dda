"""What the scripts of a song's page are given: the song in numbers and words, as one piece of JSON.

The reader of lyric files in the page (``read.js``) and ``edukit lyrics prepare`` make the same shape,
so that a song that a reader opens is treated as one of the page's own::

    {"title": …, "language": "zh_CN", "people": [[role, name], …], "source": …, "rights": …,
     "lines": [{"text": …, "translation": …, "reading": …, "start": …, "end": …, "section": …,
                "words": [[text, start, end], …], "parts": [[start, stop, reading, tone, zhuyin, group], …],
                "translationParts": …, "other": …, "spoken": [[stress, lemma, level, weak, links], …]}, …],
     "vocabulary": [[text, reading, gloss, level], …], "attribution": …, "melody": …}

Of ``parts`` each is a syllable of Chinese or a word of English; those with one ``group`` are a word.
``spoken`` says more of each word of an English line.
What is empty or None is left out.
"""

import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from edukit import lyrics
from edukit.lyrics import Line, LyricsError, Song, read_aloud
from edukit.lyrics.aligning import Misfit, align
from edukit.lyrics.pinyin import with_mark
from edukit.sphinxext.song.jianpu import Melody

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Part:
    """A syllable of Chinese or a word of English, with how it sounds."""

    start: int
    stop: int
    reading: str | None
    tone: int | None
    zhuyin: str | None
    group: int


def language_of(text: str) -> str:
    """Return ``zh_CN`` for a text with Chinese characters, else ``en``."""
    return "zh_CN" if HAN.search(text) else "en"


@functools.lru_cache(maxsize=4096)
def parts_of(text: str, language: str, reading: str | None = None) -> tuple[Part, ...]:
    """Return the parts of a text, none where nobody knows how it is read aloud."""
    line = Line(text, reading=reading)
    try:
        if language.startswith("zh"):
            return tuple(_syllables(line))
        return tuple(_spoken(text, lyrics.pronounce(line)))
    except LyricsError as error:
        # What was typed needs no dictionary. All else is told among the findings of the file.
        return tuple(_typed(line)) if error.code == "not-installed" and reading is not None else ()


def _typed(line: Line) -> Iterator[Part]:
    """Give the syllables of a Chinese line as they were typed, where no dictionary is installed."""
    readings = align(line.text, line.reading or "")
    if HAN.search(line.text) is None or isinstance(readings, Misfit):
        return
    for one in readings:
        pinyin = None
        if one.syllable is not None:
            pinyin = with_mark(one.syllable, one.tone or 5) + "r" * one.erhua
        yield Part(one.start, one.stop, pinyin, one.tone, None, one.word)


def _syllables(line: Line) -> Iterator[Part]:
    group, joined = 0, ""
    for one in read_aloud(line):
        yield Part(one.start, one.stop, one.pinyin, one.tone, one.zhuyin, group)
        joined += one.text
        if joined == one.word:
            group, joined = group + 1, ""


def _spoken(text: str, spoken: tuple[Any, ...]) -> Iterator[Part]:
    at = 0
    for group, one in enumerate(spoken):
        start = text.find(one.text, at)
        if start < 0:
            continue
        at = start + len(one.text)
        yield Part(start, at, one.ipa or None, None, None, group)


def page_data(read: Song, melody: Melody | None = None) -> dict[str, Any]:
    """Return a song as its page's scripts take it."""
    data = _with_dictionaries(read) or _without_dictionaries(read)
    return data | ({"melody": _melody(melody)} if melody else {})


def _with_dictionaries(read: Song) -> dict[str, Any] | None:
    """Return a song with what dictionaries know of it; None where they are not installed."""
    if not read.lines:
        return None
    try:
        data = lyrics.prepare(read)
    except LyricsError as error:
        if error.code != "not-installed":
            raise
        return None
    return {key: value for key, value in data.items() if key not in ("kind", "version", "standard")}


def _without_dictionaries(read: Song) -> dict[str, Any]:
    return _without_nothing(
        {
            "title": read.title,
            "language": read.language,
            "people": [list(person) for person in read.people],
            "source": read.source,
            "rights": read.rights,
            "lines": [_line(line, read.language) for line in read.lines],
        }
    )


def _line(line: Line, language: str) -> dict[str, Any]:
    translation = line.translation or ""
    data = {
        "text": line.text,
        "translation": translation,
        "reading": line.reading,
        "start": line.start,
        "end": line.end,
        "section": line.section,
        "words": [[word.text, word.start, word.end] for word in line.words],
        "parts": _listed(line.text, parts_of(line.text, language, line.reading)),
        "translationParts": _listed(translation, parts_of(translation, language_of(translation))),
        "other": _other_script(line.text, language),
    }
    return _without_nothing(data)


def _listed(text: str, parts: tuple[Part, ...]) -> list[list[Any]]:
    # JavaScript counts a character beyond the first 65,536 as two.
    def place(at: int) -> int:
        return at + sum(character > "\uffff" for character in text[:at])

    return [
        [place(one.start), place(one.stop), one.reading, one.tone, one.zhuyin, one.group] for one in parts
    ]


def _without_nothing(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None and value not in ("", [])}


@functools.cache
def _converter(name: str) -> Any:
    try:
        from opencc import OpenCC  # heavy, and only needed for Chinese songs
    except ImportError:
        return None
    return OpenCC(name)


def _other_script(text: str, language: str) -> str | None:
    """Return a Chinese line in the other script, if that has a character for each of this one."""
    if not language.startswith("zh") or not HAN.search(text):
        return None
    converter = _converter("s2t" if language == "zh_CN" else "t2s")
    other = converter.convert(text) if converter else None
    return other if other and len(other) == len(text) else None


def _melody(melody: Melody) -> dict[str, Any]:
    return {
        "tempo": melody.tempo,
        "bar": float(melody.bar),
        "upbeat": float(melody.upbeat),
        "beats": float(melody.beats),
        "notes": [
            [note.pitch, float(note.start), float(note.beats), note.line, note.syllable]
            for note in melody.notes
        ],
    }


def runs_of(parts: tuple[Part, ...], *, by_word: bool) -> list[list[Part]]:
    """Return the parts word by word, or each alone."""
    if not by_word:
        return [[part] for part in parts]
    return [list(run) for _, run in itertools.groupby(parts, key=lambda part: part.group)]


def joined(readings: list[str]) -> str:
    """Join the pinyin of a word; an apostrophe tells where a syllable without a consonant begins: xī’ān."""
    return readings[0] + "".join(f"’{one}" if _begins_open(one) else one for one in readings[1:])


def _begins_open(reading: str) -> bool:
    return reading[:1] in "aāáǎàeēéěèoōóǒò"
