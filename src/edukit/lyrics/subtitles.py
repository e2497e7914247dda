"""Reading SRT and WebVTT: cues with a beginning and an end.

The rows of a cue are a line, its reading and its translation in any order, or on one row with a sign
between them; cues with the same times belong together too. Marks of style are left out, and every other
markup is text like any other.
"""

import html
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from edukit.lyrics import separators
from edukit.lyrics.entries import Entry, song_lines, told
from edukit.lyrics.model import Finding, LyricsError, Song, Word
from edukit.lyrics.rows import Row, clean_row

MAX_CUES = 10_000
"""The most cues that are read."""

# Hours may be left out, and the last part is a decimal fraction: 0:0:3,5 is three and a half seconds.
_TIME = r"(?:(\d{1,3})\s*[:：]\s*)?(\d{1,3})\s*[:：]\s*(\d{1,2})(?:\s*[,.，．]\s*(\d{1,9}))?"
_CUE = re.compile(rf"\s*{_TIME}\s*-{{1,2}}>\s*{_TIME}(?:\s.*)?")
_ARROW = re.compile(r"-->")
_HEADER = re.compile(r"WEBVTT(?:\s.*)?")
_BLOCK = re.compile(r"(NOTE|STYLE|REGION)(?:\s.*)?")
_STYLE = {
    "srt": re.compile(r"</?(?:i|b|u|s|font)(?:\s[^<>]*)?>|\{\\[^{}]*\}", re.I),
    "vtt": re.compile(r"</?(?:i|b|u|c|v|lang|ruby)(?:[.\s][^<>]*)?>", re.I),
}
_RUBY_TEXT = re.compile(r"<rt(?:[.\s][^<>]*)?>[^<]*(?:</rt>)?", re.I)
_WORD_TIME = re.compile(rf"<\s*{_TIME}\s*>")


@dataclass(slots=True)
class _Cue:
    start: int
    end: int
    rows: list[Row] = field(default_factory=list)


def recognise(rows: Sequence[Row]) -> str | None:
    """Return ``srt`` or ``vtt``, None where the rows are neither."""
    first = next((row.text.strip() for row in rows if row.text.strip()), "")
    if _HEADER.fullmatch(first):
        return "vtt"
    return "srt" if any(_CUE.fullmatch(row.text) for row in rows) else None


def read(path: Path, rows: Sequence[Row], findings: list[Finding], form: str) -> Song:
    """Make a song of the rows of a file of subtitles; ``findings`` are those made so far."""
    cues = list(_cues(path, rows, findings))
    if not cues:
        message = "no cue with its times, as 00:00:12,500 --> 00:00:15,000"
        raise LyricsError(path, 1, 1, "format", message)
    findings.extend(_out_of_order(cues))
    cues.sort(key=lambda cue: (cue.start, cue.end))
    texts = [_bare(row.text, form) for cue in cues for row in cue.rows]
    sign = separators.chosen(texts)
    groups = [
        [entry for cue in same for row in cue.rows for entry in _entries(cue, row, form, sign, findings)]
        for _, same in itertools.groupby(cues, key=lambda cue: (cue.start, cue.end))
    ]
    language, lines = song_lines(groups, None, findings)
    return Song(title=path.stem, language=language, lines=lines, findings=tuple(findings))


def _cues(path: Path, rows: Sequence[Row], findings: list[Finding]) -> Iterator[_Cue]:
    cue: _Cue | None = None
    skipping = False
    count = 0
    for at, row in enumerate(rows):
        text = row.text.strip()
        if match := _CUE.fullmatch(row.text):
            count += 1
            if count > MAX_CUES:
                message = f"more than {MAX_CUES} cues, which no song has"
                raise LyricsError(path, row.number, None, "too-many-lines", message)
            if cue is not None:
                yield cue
            cue, skipping = _begun(row, match, findings), False
        elif not text:
            if cue is not None:
                yield cue
            cue, skipping = None, False
        elif _ARROW.search(text) and cue is None:
            findings.append(_broken_times(row.part(0)))
            skipping = True
        elif skipping:
            continue
        elif cue is not None:
            # The number of the next cue, where no empty row parts the two.
            below = rows[at + 1].text if at + 1 < len(rows) else ""
            if not (text.isdigit() and _CUE.fullmatch(below)):
                cue.rows.append(row.part(0))
        elif _BLOCK.fullmatch(text) or _HEADER.fullmatch(text):
            skipping = True
        elif not (at + 1 < len(rows) and _ARROW.search(rows[at + 1].text)) and not text.isdigit():
            findings.append(_without_times(row.part(0)))
    if cue is not None:
        yield cue


def _begun(row: Row, match: re.Match[str], findings: list[Finding]) -> _Cue:
    start, end = _milliseconds(match.groups()[:4]), _milliseconds(match.groups()[4:])
    if end < start:
        findings.append(_ends_before_it_begins(row.part(0)))
        end = start
    return _Cue(start, end)


def _milliseconds(parts: Sequence[str | None]) -> int:
    hours, minutes, seconds, fraction = (part or "0" for part in parts)
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 1000 + int(fraction[:3].ljust(3, "0"))


def _bare(text: str, form: str) -> str:
    """Return a text without marks of style and times of words."""
    if form == "vtt":
        text = _RUBY_TEXT.sub("", text)
    text = _STYLE[form].sub("", _WORD_TIME.sub("", text))
    return html.unescape(text) if form == "vtt" else text


def _entries(
    cue: _Cue, row: Row, form: str, sign: re.Pattern[str] | None, findings: list[Finding]
) -> Iterator[Entry]:
    words = tuple(_words(cue, row, form)) if form == "vtt" else ()
    bare = _bare(row.text, form)
    if bare != row.text:
        # Characters may have been written as entities, so those that are not seen may come again.
        row = clean_row(row.number, bare, findings, column=row.column).part(0)
    line, translation = separators.split(row, sign, findings)
    if line.text:
        kept = words if " ".join(line.text.split()) == line.text and translation is None else ()
        yield Entry(line, cue.start, cue.end, kept)
    if translation is not None and translation.text:
        yield Entry(translation, cue.start, cue.end, (), None, "translation")


def _words(cue: _Cue, row: Row, form: str) -> Iterator[Word]:
    """Return the words of a row that has times within it."""
    marks = list(_WORD_TIME.finditer(row.text))
    if not marks:
        return
    times = [cue.start, *(_milliseconds(mark.groups()) for mark in marks), cue.end]
    begins = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(row.text)]
    for begin, end, (start, stop) in zip(begins, ends, itertools.pairwise(times), strict=True):
        if text := _bare(row.text[begin:end], form).strip():
            yield Word(text, start, stop)


def _out_of_order(cues: Sequence[_Cue]) -> Iterator[Finding]:
    for before, cue in itertools.pairwise(cues):
        if cue.start < before.start and cue.rows:
            yield told(
                "stamp-order",
                cue.rows[0],
                "This cue begins before the one above it; the cues are sorted by time.",
                "这一条早于上一条开始；各条已按时间排序。",
            )


def _broken_times(row: Row) -> Finding:
    return told(
        "stamp",
        row,
        "These times are not whole, so the cue is left out: write 00:00:12,500 --> 00:00:15,000.",
        "时间不完整，这一条已略去：请写成 00:00:12,500 --> 00:00:15,000。",
    )


def _without_times(row: Row) -> Finding:
    return told(
        "no-stamp",
        row,
        "This row belongs to no cue and is left out.",
        "这一行不属于任何一条字幕，已略去。",
    )


def _ends_before_it_begins(row: Row) -> Finding:
    return told(
        "stamp",
        row,
        "This cue ends before it begins; it is taken to end where it begins.",
        "这一条的结束时间早于开始时间；按开始时间结束处理。",
    )
