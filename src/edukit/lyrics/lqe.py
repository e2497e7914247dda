"""Reading the quick exports of Lyricify (``.lqe``).

The song, its translation and its pronunciation are sections of one file, each with times of its own.
"""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from edukit.lyrics import lrc
from edukit.lyrics.entries import Entry, language_of, moved, song_lines, told
from edukit.lyrics.model import Finding, LyricsError, Song, Word
from edukit.lyrics.rows import Row

_MARK = "[lyricify quick export]"
_SECTION = re.compile(r"\[(lyrics|translation|pronunciation)\s*:(.*)\]", re.I)
_PROPERTY = re.compile(r"(\w+)\s*@\s*([^,]*)")
_TAG = re.compile(r"\[([A-Za-z]+)\s*:(.*)\]")
_SYLLABLES = re.compile(r"\[\d*\]")
_SYLLABLE = re.compile(r"\((\d{1,8}),(\d{1,8})\)")
# A translation is often stamped a little beside its line.
_NEAR = 100


@dataclass(slots=True)
class _Part:
    """One section of the file."""

    name: str
    properties: dict[str, str]
    rows: list[Row] = field(default_factory=list)


def recognise(rows: Iterable[Row]) -> bool:
    """Tell whether the first row says that this is a quick export."""
    first = next((row.text.strip() for row in rows if row.text.strip()), "")
    return first.lower() == _MARK


def read(path: Path, rows: Iterable[Row], findings: list[Finding]) -> Song:
    """Make a song of the rows of a quick export; ``findings`` are those made so far."""
    tags: list[tuple[str, Row]] = []
    parts: list[_Part] = []
    for row in rows:
        body = row.part(0)
        if not body.text or body.text.lower() == _MARK:
            continue
        if match := _SECTION.fullmatch(body.text):
            properties = {name.lower(): value.strip() for name, value in _PROPERTY.findall(match[2])}
            parts.append(_Part(match[1].lower(), properties))
        elif parts:
            parts[-1].rows.append(body)
        elif match := _TAG.fullmatch(body.text):
            tags.append((match[1].lower(), body.part(match.start(2), match.end(2))))
        else:
            findings.append(_outside(body))
    song = next((part for part in parts if part.name == "lyrics"), None)
    if song is None:
        raise LyricsError(path, None, None, "format", "the file has no section [lyrics: …]")
    said = lrc.read_tags(tags, findings)
    groups = _timed(path, song, findings)
    for part in parts:
        if part is not song and part.name != "lyrics":
            _join(groups, _timed(path, part, findings), part.name, findings)
    groups = [[moved(entry, -said.offset) for entry in group] for group in groups]
    language = language_of(song.properties.get("language", "")) or said.language
    language, lines = song_lines(groups, language, findings)
    return Song(
        title=said.title or path.stem,
        language=language,
        people=said.people,
        source=said.source,
        rights=said.rights,
        lines=lines,
        findings=tuple(findings),
    )


def _timed(path: Path, part: _Part, findings: list[Finding]) -> list[list[Entry]]:
    """Return the texts of a section by their time."""
    if part.properties.get("format", "").lower() == "lyricify syllable" or any(
        _SYLLABLES.match(row.text) for row in part.rows
    ):
        return _syllables(path, part.rows, findings)
    _, timed = lrc.take_apart(path, part.rows, findings)
    return lrc.grouped(timed, findings)


def _syllables(path: Path, rows: Sequence[Row], findings: list[Finding]) -> list[list[Entry]]:
    """Read rows of syllables, each with its beginning and its length in milliseconds behind it."""
    groups = []
    for row in rows:
        head = _SYLLABLES.match(row.text)
        begin = head.end() if head else 0
        words: list[Word] = []
        kept: list[int] = []
        for mark in _SYLLABLE.finditer(row.text, begin):
            start, length = int(mark[1]), int(mark[2])
            if text := row.text[begin : mark.start()].strip():
                words.append(Word(text, start, start + length))
            kept.extend(range(begin, mark.start()))
            begin = mark.end()
        if not words:
            findings.append(_without_times(row))
            continue
        text = "".join(row.text[at] for at in kept)
        bare = Row(row.number, text, (*(row.columns[at] for at in kept), row.columns[-1])).part(0)
        ends = [word.end for word in words if word.end is not None]
        groups.append([Entry(bare, words[0].start, max(ends), tuple(words))])
        if len(groups) > lrc.MAX_ENTRIES:
            message = f"more than {lrc.MAX_ENTRIES} lines, which no song has"
            raise LyricsError(path, row.number, None, "too-many-lines", message)
    groups.sort(key=lambda group: group[0].start or 0)
    return groups


def _join(
    groups: list[list[Entry]], others: Sequence[Sequence[Entry]], name: str, findings: list[Finding]
) -> None:
    """Put the texts of another section beside the lines that have their times."""
    times = [group[0].start or 0 for group in groups]
    at = 0
    for entry in itertools.chain.from_iterable(others):
        time = entry.start or 0
        while at + 1 < len(times) and abs(times[at + 1] - time) <= abs(times[at] - time):
            at += 1
        if times and abs(times[at] - time) <= _NEAR:
            is_reading = name == "pronunciation"
            groups[at].append(replace(entry, role="reading" if is_reading else "translation", words=()))
        else:
            findings.append(_beside_no_line(entry.row))


def _outside(row: Row) -> Finding:
    return told(
        "no-section",
        row,
        "This row stands before the section [lyrics: …] and is left out.",
        "这一行位于 [lyrics: …] 之前，已略去。",
    )


def _without_times(row: Row) -> Finding:
    return told(
        "no-stamp",
        row,
        "The line has no times, as word(1000,500), and is left out.",
        "这一行没有形如 word(1000,500) 的时间，已略去。",
    )


def _beside_no_line(row: Row) -> Finding:
    return told(
        "not-used",
        row,
        "No line is sung at this time; this text is left out.",
        "这个时间没有歌词；这一行已略去。",
    )
