"""Writing a song to a file, and saying what the file does not hold.

What is lost is not worked out from what a format is said to hold: the text that is about to be written is
read again, and the song that comes back is compared with the one that was given.
"""

import bisect
import contextlib
import itertools
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from edukit.lyrics import lrc, text
from edukit.lyrics.entries import TAGS
from edukit.lyrics.files import read_bytes
from edukit.lyrics.model import Line, Loss, LyricsError, Song, Word

SUFFIXES = {
    "lrc": ".lrc",
    "lrc-plain": ".lrc",
    "lrc-a2": ".lrc",
    "lrc-bilingual": ".lrc",
    "srt": ".srt",
    "pairs": ".txt",
    "bullets": ".txt",
}
"""The formats that are written, and how the name of such a file ends."""

# How long the last line of a subtitle file stands where the song does not say when it ends.
_STANDS = 5_000
_ENDS_OF_ROWS = re.compile(r"[\r\n\u2028\u2029\x0b\x0c\x85]+")


def save(song: Song, path: str | Path, *, format: str | None = None) -> tuple[Loss, ...]:
    """Write a song to a file.

    Parameters
    ----------
    song
        The song.
    path
        The file; one that is there is replaced once the new one is whole.
    format
        ``"lrc"`` (all that LRC can hold), ``"lrc-plain"`` (lines and their times alone), ``"lrc-a2"``
        (with times of words), ``"lrc-bilingual"`` (lines, readings and translations), ``"srt"``,
        ``"pairs"`` (``original;译文``) or ``"bullets"`` (lines and readings in turn). Without one the name
        of the file decides: ``.lrc``, ``.srt``, and for ``.txt`` the text form that loses less.

    Returns
    -------
    tuple of Loss
        What the file does not hold: empty when reading it gives an equal song.

    Raises
    ------
    LyricsError
        If the format is not known or the file cannot be written.
    """
    path = Path(path)
    form = format or _format_of(song, path)
    if form not in SUFFIXES:
        message = f"the format {form!r} is not written; formats that are: {', '.join(SUFFIXES)}"
        raise LyricsError(path, None, None, "format", message)
    content, losses = _written(song, path, form)
    _replace(path, content)
    return losses


def _format_of(song: Song, path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix in (".lrc", ".srt"):
        return suffix[1:]
    if suffix == ".txt":
        return min(("pairs", "bullets"), key=lambda form: len(_written(song, path, form)[1]))
    message = f"the name does not say the format: give one of {', '.join(SUFFIXES)}"
    raise LyricsError(path, None, None, "format", message)


def _written(song: Song, path: Path, form: str) -> tuple[bytes, tuple[Loss, ...]]:
    """Return the bytes of a file, and what it loses."""
    content = _encoded(_WRITERS[form](song, frozenset()))
    back = _read_again(content, path)
    if unclear := _unclear(song, back, form):
        content = _encoded(_WRITERS[form](song, unclear))
        back = _read_again(content, path)
    return content, tuple(_losses(song, back))


def _encoded(content: str) -> bytes:
    # Half a character, from a song that no file gave, becomes a question mark and so a loss.
    return content.encode("utf-8", "replace")


def _unclear(song: Song, back: Song | None, form: str) -> frozenset[int]:
    """Return the lines that would be taken for something else if nothing in the file said what they are."""
    if form in ("pairs", "bullets"):
        return (
            frozenset() if back is not None and back.format == form else frozenset(range(len(song.lines)))
        )
    if back is None or len(back.lines) != len(song.lines) or back.language != song.language:
        return frozenset(range(len(song.lines)))
    return frozenset(
        at
        for at, (line, kept) in enumerate(zip(song.lines, back.lines, strict=True))
        if (line.reading, line.translation) != (kept.reading, kept.translation)
    )


def _read_again(content: bytes, path: Path) -> Song | None:
    """Return the song that a reader of the file gets, None where it gets none."""
    try:
        return read_bytes(path, content)
    except LyricsError:
        return None


def _replace(path: Path, content: bytes) -> None:
    """Write a file beside the old one, and put it in its place."""
    temporary: str | None = None
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else None
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}-")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(mode if mode is not None else 0o666 & ~_umask())
        Path(temporary).replace(path)
    except (OSError, ValueError) as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        reason = getattr(error, "strerror", None) or str(error)
        message = f"the file cannot be written: {reason}"
        raise LyricsError(path, None, None, "unwritable", message) from None


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _one_row(value: str) -> str:
    return _ENDS_OF_ROWS.sub(" ", value).strip()


# -- LRC -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _LRC:
    """A kind of LRC file: with the times of words or not, with readings and translations or not."""

    words: bool
    beside: bool

    def __call__(self, song: Song, marked: frozenset[int]) -> str:
        rows = list(_lrc_tags(song))
        lines = sorted(enumerate(song.lines), key=lambda one: -1 if one[1].start is None else one[1].start)
        starts = sorted({line.start for line in song.lines if line.start is not None})
        section: str | None = None
        for at, line in lines:
            if line.section is not None and line.section != section:
                section = line.section
                rows += ["", f"[{_one_row(section)}]"]
            rows += self._rows(line, song.language, at in marked)
            if line.end is not None and self._falls_silent(line, starts):
                rows.append(_stamp(line.end))
        return "\n".join(rows) + "\n"

    def _falls_silent(self, line: Line, starts: Sequence[int]) -> bool:
        """Tell whether a stamp of its own has to say when a line ends."""
        if line.start is None or line.end is None or line.end <= line.start:
            return False
        following = bisect.bisect_right(starts, line.start)
        if following < len(starts):
            return line.end < starts[following]
        # The time at which the last word ends says it too.
        last = line.words[-1] if self.words and line.words else None
        return last is None or last.end != line.end or not line.text.endswith(last.text)

    def _rows(self, line: Line, language: str, marked: bool) -> Iterator[str]:
        stamp = "" if line.start is None else _stamp(line.start)
        body = _with_words(line) if self.words else _one_row(line.text)
        if not self.beside:
            yield f"{stamp}{body}"
        elif not stamp:
            # Without stamps nothing but the row itself shows what belongs together.
            yield f"{body} / {_one_row(line.translation)}" if line.translation else body
        else:
            yield f"{stamp}{body}"
            if line.reading:
                yield f"{stamp}{_one_row(line.reading)}"
            if line.translation:
                tag = f"[tr:{'zh-Hans' if language == 'en' else 'en'}]" if marked else ""
                yield f"{stamp}{tag}{_one_row(line.translation)}"


def _lrc_tags(song: Song) -> Iterator[str]:
    tags = {role: tag for tag, role in lrc.PEOPLE.items()}
    values = [("ti", song.title)]
    values += [(tags[role], name) for role, name in song.people if role in tags]
    values += [("al", song.source), ("la", TAGS.get(song.language, "")), ("rights", song.rights)]
    for tag, value in values:
        if value:
            yield f"[{tag}:{_one_row(value)}]"


def _stamp(milliseconds: int) -> str:
    return f"[{_clock(milliseconds)}]"


def _clock(milliseconds: int) -> str:
    minutes, rest = divmod(max(0, milliseconds), 60_000)
    # Hundredths are what every player reads; thousandths are written where they say something.
    seconds = f"{rest / 1000:05.2f}" if rest % 10 == 0 else f"{rest / 1000:06.3f}"
    return f"{minutes:02}:{seconds}"


def _with_words(line: Line) -> str:
    """Return a line with the time of each word before it, and its end where the next does not say it."""
    written = ""
    at = 0
    for word, following in itertools.zip_longest(line.words, line.words[1:]):
        place = line.text.find(word.text, at) if word.text else -1
        if place < 0 or word.start is None:
            continue
        written += f"{line.text[at:place]}<{_clock(word.start)}>{word.text}"
        at = place + len(word.text)
        if word.end is not None and (following is None or following.start != word.end):
            written += f"<{_clock(word.end)}>"
    return _one_row(written + line.text[at:])


# -- SRT -------------------------------------------------------------------------------------------------


def _srt(song: Song, _: frozenset[int]) -> str:
    timed = sorted(
        ((line.start, line) for line in song.lines if line.start is not None), key=lambda one: one[0]
    )
    cues = []
    for number, ((start, line), following) in enumerate(itertools.zip_longest(timed, timed[1:]), 1):
        end = line.end
        if end is None:
            end = following[0] if following is not None else start + _STANDS
        texts = [_one_row(part) for part in (line.text, line.reading, line.translation) if part]
        cues.append("\n".join([str(number), f"{_srt_clock(start)} --> {_srt_clock(end)}", *texts]))
    return "\n\n".join(cues) + "\n"


def _srt_clock(milliseconds: int) -> str:
    seconds, fraction = divmod(max(0, milliseconds), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02},{fraction:03}"


# -- the text forms --------------------------------------------------------------------------------------


def _pairs(song: Song, unclear: frozenset[int]) -> str:
    def rows(line: Line) -> list[str]:
        return [";".join(filter(None, (line.text, line.translation)))]

    return _text(song, rows, "pairs" if unclear else "")


def _bullets(song: Song, unclear: frozenset[int]) -> str:
    has_readings = any(line.reading for line in song.lines)
    # Rows in turn are told apart by how many a line has: both beside a line, or one of them throughout.
    both = all(line.reading and line.translation for line in song.lines)

    def rows(line: Line) -> list[str]:
        reading = line.reading if has_readings else None
        translation = line.translation if both or not has_readings else None
        return [f"• {_one_row(part)}" for part in (line.text, reading, translation) if part]

    return _text(song, rows, "bullets" if unclear else "")


def _text(song: Song, rows_of: Callable[[Line], list[str]], form: str) -> str:
    values = [("format", form), ("title", song.title), ("language", TAGS.get(song.language, ""))]
    values += [(role, name) for role, name in song.people if role in text.PEOPLE]
    values += [("source", song.source), ("rights", song.rights)]
    rows = [f"{text.KEYS[key][0]}: {_one_row(value)}" for key, value in values if value]
    section: str | None = None
    rows.append("")
    for line in song.lines:
        if line.section is not None and line.section != section:
            section = line.section
            rows += [*([""] if rows[-1] else []), f"[{_one_row(section)}]"]
        rows += [_one_row(row) for row in rows_of(line)]
    return "\n".join(rows) + "\n"


_WRITERS: dict[str, Callable[[Song, frozenset[int]], str]] = {
    "lrc": _LRC(words=True, beside=True),
    "lrc-plain": _LRC(words=False, beside=False),
    "lrc-a2": _LRC(words=True, beside=False),
    "lrc-bilingual": _LRC(words=False, beside=True),
    "srt": _srt,
    "pairs": _pairs,
    "bullets": _bullets,
}


# -- what is lost ----------------------------------------------------------------------------------------

_NAMES = {
    "title": "歌名",
    "language": "语言",
    "people": "作者等人名",
    "source": "来源",
    "rights": "版权说明",
    "text": "歌词",
    "translation": "译文",
    "reading": "注音",
    "start": "开始时间",
    "end": "结束时间",
    "words": "各词的时间",
    "section": "段落名",
}


def _losses(song: Song, back: Song | None) -> Iterator[Loss]:
    """Compare a song with what a reader of its file gets."""
    back = back or Song("", "")
    for field in ("title", "language", "people", "source", "rights"):
        yield from _loss(field, None, getattr(song, field), getattr(back, field))
    matched = _matched(song.lines, back.lines)
    for number, (line, at) in enumerate(zip(song.lines, matched, strict=True), 1):
        if at is None:
            yield Loss(
                "line",
                number,
                line.text,
                "",
                f"Line {number} “{line.text}” is not in the file.",
                f"第 {number} 行“{line.text}”没有写入文件。",
            )
            continue
        for field in ("text", "translation", "reading", "start", "end", "words", "section"):
            yield from _loss(field, number, getattr(line, field), getattr(back.lines[at], field))
    places = [at for at in matched if at is not None]
    if places != sorted(places):
        yield Loss(
            "order",
            None,
            "",
            "",
            "The lines come back in another order: that of their times.",
            "再读入时各行的次序不同：按时间排列。",
        )
    for at in sorted(set(range(len(back.lines))) - set(places)):
        kept = back.lines[at].text
        yield Loss(
            "line",
            None,
            "",
            kept,
            f"A reader of the file gets a line more: “{kept}”.",
            f"再读入时会多出一行“{kept}”。",
        )


def _matched(lines: Sequence[Line], back: Sequence[Line]) -> list[int | None]:
    """Return for each line the place at which it comes back, None where it does not."""
    free: dict[object, list[int]] = {}
    for at in reversed(range(len(back))):
        free.setdefault((back[at].text, back[at].start), []).append(at)
    found: list[int | None] = []
    for line in lines:
        places = free.get((line.text, line.start))
        found.append(places.pop() if places else None)
    # What has changed is taken in order.
    rest = iter(sorted(set(range(len(back))) - set(found)))
    if found.count(None) == len(back) - (len(lines) - found.count(None)):
        found = [next(rest) if at is None else at for at in found]
    return found


def _loss(field: str, number: int | None, lost: object, kept: object) -> Iterator[Loss]:
    if lost == kept:
        return
    lost, kept = _shown(lost), _shown(kept)
    place_en = f"Line {number}: the" if number else "The"
    place_zh = f"第 {number} 行：" if number else ""
    back_en = f"comes back as “{kept}”" if kept else "is not in the file"
    back_zh = f"再读入时是“{kept}”" if kept else "没有写入文件"
    shown = f" “{lost}”" if lost else ""
    yield Loss(
        field,
        number,
        lost,
        kept,
        f"{place_en} {field}{shown} {back_en}.",
        f"{place_zh}{_NAMES[field]}{shown.strip()}{back_zh}。",
    )


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int):
        return _clock(value)
    if isinstance(value, tuple):
        return ", ".join(_shown_part(part) for part in value)
    return str(value)


def _shown_part(part: object) -> str:
    if isinstance(part, Word):
        times = "–".join(_clock(time) for time in (part.start, part.end) if time is not None)
        return f"{part.text} {times}".strip()
    return " ".join(part) if isinstance(part, tuple) else str(part)
