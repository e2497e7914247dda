"""Reading LRC: rows with time stamps become the lines of a song.

A row gives a text at each of its stamps; texts with the same stamp are one line in two languages or with
its reading, in any order. A row may also hold a line and its translation, see
`edukit.lyrics.separators`.
"""

import dataclasses
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from edukit.lyrics import separators
from edukit.lyrics.entries import Entry, language_of, moved, song_lines, told, unknown_language
from edukit.lyrics.model import Finding, LyricsError, Song, Word
from edukit.lyrics.rows import Row

MAX_ENTRIES = 30_000
"""The most texts, repeats counted, that are read."""

PEOPLE = {"ar": "artist", "au": "author", "by": "file"}
"""The tags that name people, and the role of each."""

_TIME = r"(\d{1,3})[:：]([0-5]?\d)(?:[.:．：](\d{1,3}))?"
_STAMP = re.compile(rf"\s*[\[［]\s*{_TIME}\s*[\]］]")
_WORD_STAMP = re.compile(rf"[\[［<＜]\s*{_TIME}\s*[\]］>＞]")
_BROKEN_STAMP = re.compile(r"[\[［]\s*\d+\s*[:：.]|[\[［]\s*\d+\s*$")
_TAG = re.compile(r"[\[［]\s*([A-Za-z]+)\s*[:：](.*)[\]］]")
_SECTION = re.compile(r"[\[［【]\s*([^\[\]［］【】:：]+?)\s*[\]］】]")
# Tags that say nothing about the song itself: its length, the program that made the file.
_IGNORED_TAGS = frozenset(
    {"length", "re", "ve", "tool", "id", "hash", "sign", "qq", "total", "encoding", "version"}
)
_TOLD_TAGS = frozenset({"ti", "al", "la", "rights", "offset", *PEOPLE})


@dataclass(frozen=True, slots=True)
class Tags:
    """What the tags of a file say."""

    title: str
    people: tuple[tuple[str, str], ...]
    source: str
    rights: str
    language: str | None
    offset: int


@dataclass(frozen=True, slots=True)
class _Timed:
    """A row with its stamps in milliseconds, none in a file without any."""

    stamps: tuple[int, ...]
    row: Row
    section: str | None


def recognise(rows: Iterable[Row]) -> bool:
    """Tell whether a row begins with a time stamp or is a tag of LRC."""
    return any(_STAMP.match(row.text) or _is_told_tag(row.text.strip()) for row in rows)


def _is_told_tag(text: str) -> bool:
    match = _TAG.fullmatch(text)
    return match is not None and match[1].lower() in _TOLD_TAGS


def read(path: Path, rows: Iterable[Row], findings: list[Finding]) -> Song:
    """Make a song of the rows of an LRC file; ``findings`` are those made so far."""
    tags, timed = take_apart(path, rows, findings)
    told_by_tags = read_tags(tags, findings)
    groups = grouped(timed, findings)
    groups = [[moved(entry, -told_by_tags.offset) for entry in group] for group in groups]
    language, lines = song_lines(groups, told_by_tags.language, findings, mark="[la:{}]")
    return Song(
        title=told_by_tags.title or path.stem,
        language=language,
        people=told_by_tags.people,
        source=told_by_tags.source,
        rights=told_by_tags.rights,
        lines=lines,
        findings=tuple(findings),
    )


def take_apart(
    path: Path, rows: Iterable[Row], findings: list[Finding]
) -> tuple[list[tuple[str, Row]], list[_Timed]]:
    """Return the tags of a file, and its rows of text with their stamps."""
    tags: list[tuple[str, Row]] = []
    timed: list[_Timed] = []
    without_stamp: list[_Timed] = []
    section: str | None = None
    count = 0
    for row in rows:
        body = row.part(0)
        if not body.text or body.text.startswith("#"):
            continue
        stamps, body = _take_stamps(body)
        if match := _SECTION.fullmatch(body.text):
            section = match[1]
            body = body.part(len(body.text))
        elif not stamps and (match := _TAG.fullmatch(body.text)) and not separators.MARKED.match(body.text):
            tags.append((match[1].lower(), body.part(match.start(2), match.end(2))))
            continue
        elif _BROKEN_STAMP.match(body.text):
            findings.append(_broken_stamp(body))
            continue
        elif not stamps:
            without_stamp.append(_Timed((), body, section))
            continue
        # Some players write two strokes where a line has no translation.
        if body.text == "//":
            body = body.part(len(body.text))
        if stamps:
            timed.append(_Timed(tuple(stamps), body, section))
        count += len(stamps)
        if count > MAX_ENTRIES:
            message = f"more than {MAX_ENTRIES} stamped lines, which no song has"
            raise LyricsError(path, row.number, None, "too-many-lines", message)
    if timed:
        findings.extend(_no_stamp(one.row) for one in without_stamp)
        findings.extend(_out_of_order(timed))
        return tags, timed
    if len(without_stamp) > MAX_ENTRIES:
        message = f"more than {MAX_ENTRIES} lines, which no song has"
        raise LyricsError(path, without_stamp[MAX_ENTRIES].row.number, None, "too-many-lines", message)
    if without_stamp:
        findings.append(_no_stamps_at_all(without_stamp[0].row))
    return tags, without_stamp


def _take_stamps(row: Row) -> tuple[list[int], Row]:
    """Return the stamps at the beginning of a row, and the row after them."""
    stamps = []
    at = 0
    while match := _STAMP.match(row.text, at):
        stamps.append(_milliseconds(match))
        at = match.end()
    return stamps, row.part(at)


def _milliseconds(stamp: re.Match[str]) -> int:
    # The last part is a decimal fraction whatever separates it: .5, .50 and .500 are half a second,
    # and some players write :50.
    minutes, seconds, fraction = stamp.groups(default="0")
    return (int(minutes) * 60 + int(seconds)) * 1000 + int(fraction.ljust(3, "0"))


def grouped(timed: Sequence[_Timed], findings: list[Finding]) -> list[list[Entry]]:
    """Return the texts of a file by their time; each ends where something else begins, be it silence."""
    sign = separators.chosen([_WORD_STAMP.sub("", one.row.text) for one in timed])
    entries: list[Entry] = []
    untimed: list[list[Entry]] = []
    for one in timed:
        parts = list(_entries(one, sign, findings))
        if one.stamps:
            entries.extend(_at_each_stamp(one, parts))
        else:
            untimed.append(parts)
    entries.sort(key=_start)
    begins = sorted({stamp for one in timed for stamp in one.stamps})
    following = dict(itertools.pairwise(begins))
    return untimed + [
        [dataclasses.replace(entry, end=following.get(time, _last_end(entry))) for entry in group]
        for time, group in itertools.groupby(entries, key=_start)
    ]


def _last_end(entry: Entry) -> int | None:
    return entry.words[-1].end if entry.words else None


def _start(entry: Entry) -> int:
    return entry.start or 0


def _entries(one: _Timed, sign: re.Pattern[str] | None, findings: list[Finding]) -> Iterator[Entry]:
    """Give the line of a row, and its translation where the row has that too."""
    line, translation = separators.split(one.row, sign, findings)
    start = one.stamps[0] if one.stamps else None
    text, words = _take_words(line, start)
    if text.text:
        yield Entry(text, start, None, words, one.section)
    if translation is not None and (text := _take_words(translation, start)[0]).text:
        yield Entry(text, start, None, (), one.section, "translation")


def _at_each_stamp(one: _Timed, entries: Sequence[Entry]) -> Iterator[Entry]:
    for stamp in one.stamps:
        for entry in entries:
            yield moved(entry, stamp - one.stamps[0])


def _take_words(row: Row, start: int | None) -> tuple[Row, tuple[Word, ...]]:
    """Return a row without the times of its words, and the words."""
    marks = list(_WORD_STAMP.finditer(row.text))
    if not marks:
        return row, ()
    times = [start, *(_milliseconds(mark) for mark in marks)]
    begins = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(row.text)]
    words = [
        Word(text, time, later)
        for begin, end, time, later in itertools.zip_longest(begins, ends, times, times[1:])
        if (text := row.text[begin:end].strip())
    ]
    kept: list[int] = []
    for begin, end in zip(begins, ends, strict=True):
        for at in range(begin, end):
            # The spaces on both sides of a mark are one.
            if not (row.text[at] == " " and kept and row.text[kept[-1]] == " "):
                kept.append(at)
    bare = Row(
        row.number,
        "".join(row.text[at] for at in kept),
        (*(row.columns[at] for at in kept), row.columns[-1]),
    )
    return bare.part(0), tuple(words)


def read_tags(tags: Sequence[tuple[str, Row]], findings: list[Finding]) -> Tags:
    """Return what the tags of a file say; what is not understood is told."""
    single: dict[str, str] = {}
    people: list[tuple[str, str]] = []
    language = None
    offset = 0
    for name, value in tags:
        if name in PEOPLE:
            people.append((PEOPLE[name], value.text))
        elif name in ("ti", "al", "rights"):
            single.setdefault(name, value.text)
        elif name == "la":
            language = language_of(value.text)
            if language is None:
                findings.append(unknown_language(value))
        elif name == "offset":
            if re.fullmatch(r"[+-]?[0-9]{1,7}", value.text):
                offset = int(value.text)
            else:
                findings.append(_bad_offset(value))
        elif name not in _IGNORED_TAGS:
            findings.append(_unknown_tag(name, value))
    return Tags(
        title=single.get("ti", ""),
        people=tuple((role, name) for role, name in people if name),
        source=single.get("al", ""),
        rights=single.get("rights", ""),
        language=language,
        offset=offset,
    )


def _out_of_order(timed: Sequence[_Timed]) -> Iterator[Finding]:
    """Tell of stamps that are earlier than the one before without a reason.

    A row that is repeated has its later stamps with it, and a file may write the whole translation
    below the song: there every stamp is one that another row has too.
    """
    rows_at: dict[int, int] = {}
    for one in timed:
        for stamp in set(one.stamps):
            rows_at[stamp] = rows_at.get(stamp, 0) + 1
    before = 0
    for one in timed:
        if len(one.stamps) == 1:
            (stamp,) = one.stamps
            if stamp < before and rows_at[stamp] == 1:
                yield _earlier_stamp(one.row)
            before = stamp


# What is told, each in both languages.


def _broken_stamp(row: Row) -> Finding:
    return told(
        "stamp",
        row,
        "This time stamp is not whole, so the line is left out: write [mm:ss.xx].",
        "时间标签不完整，这一行已略去：请写成 [mm:ss.xx]。",
    )


def _no_stamp(row: Row) -> Finding:
    return told(
        "no-stamp",
        row,
        "The line has no time stamp and is left out: write [mm:ss.xx] before it.",
        "这一行没有时间标签，已略去：请在行首写上 [mm:ss.xx]。",
    )


def _no_stamps_at_all(row: Row) -> Finding:
    return told(
        "no-stamps",
        row,
        "No line of this LRC file has a time stamp; the lines are read without times.",
        "这个 LRC 文件没有任何时间标签；各行已读入，但没有时间。",
        "",
    )


def _earlier_stamp(row: Row) -> Finding:
    return told(
        "stamp-order",
        row,
        "This time stamp is earlier than that of the line before; the lines are sorted by time.",
        "这一行的时间标签早于上一行；各行已按时间排序。",
    )


def _unknown_tag(name: str, value: Row) -> Finding:
    return told(
        "unknown-tag",
        value,
        f"The tag “{name}” is not known and is left out.",
        f"不认识标签“{name}”，已略去。",
        name,
    )


def _bad_offset(value: Row) -> Finding:
    return told(
        "offset",
        value,
        "The offset is not a whole number of milliseconds and is taken as 0.",
        "offset 不是整数毫秒，按 0 处理。",
    )
