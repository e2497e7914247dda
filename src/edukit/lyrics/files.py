"""Reading a lyric file.

Its bytes are measured before they are read, decoded strictly, and given to the reader of the format that
they show.
"""

import dataclasses
import functools
import importlib
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from edukit.lyrics.decoding import decode
from edukit.lyrics.model import Finding, LyricsError, Song
from edukit.lyrics.rows import Row, clean_row, rows_of

MAX_BYTES = 1_000_000
"""The largest text file that is read; the longest songs have a hundredth of this."""

MAX_DOCX_BYTES = 20_000_000
"""The largest ``.docx`` that is read: it may hold pictures."""

FORMATS = ("lrc", "lqe", "ttml", "srt", "vtt", "docx", "pairs", "bullets", "plain")
"""The names of the formats that are read."""

# Of these the text itself shows which one it is.
_GENERAL = {"txt": ("pairs", "bullets", "plain"), "text": ("pairs", "bullets", "plain")}
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_ZIP = b"PK\x03\x04"
# What is often given a name that it does not deserve, by its first bytes; and what to do about it.
_FOREIGN = (
    (b"\xd0\xcf\x11\xe0", "this is an old Word document: open it and save it as .docx or as text"),
    (b"{\\rtf", "this is an RTF document: open it and save it as .docx or as text"),
    (b"%PDF", "this is a PDF: copy the words into a text file"),
    *((mark, "this is a sound file, not lyrics") for mark in (b"ID3", b"OggS", b"fLaC", b"RIFF")),
    *((mark, "this is a picture, not lyrics") for mark in (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")),
    (b"\x1f\x8b", "this is a packed file: unpack it first"),
)


def load(
    path: str | Path,
    *,
    encoding: str | None = None,
    format: str | None = None,
) -> Song:
    """Read a song from a lyric file.

    Parameters
    ----------
    path
        The file, at most 1 MB of text, or 20 MB of ``.docx``.
    encoding
        The name of its encoding. Without one a byte order mark decides, then what the file says of
        itself (``encoding: big5``), then whether it is valid UTF-8; what is left is read as GB18030, and
        a finding says so.
    format
        One of ``"lrc"``, ``"lqe"``, ``"ttml"``, ``"srt"``, ``"vtt"``, ``"docx"``, ``"pairs"``
        (``original;译文``), ``"bullets"`` (lines and pinyin in turn) and ``"plain"``; ``"txt"`` stands
        for the last three. Without one the file itself shows what it is, whatever its name.

    Returns
    -------
    Song
        What was noticed on the way is in ``findings``, what the file was read as in ``format`` and
        ``encoding``.

    Raises
    ------
    LyricsError
        If the file is missing, too large, not text, or not in the format.

    Notes
    -----
    LRC has no standard. Read here are ``[mm:ss]``, ``[mm:ss.xx]``, ``[mm:ss.xxx]`` and
    ``[mm:ss:xx]``, several of them before a line that is repeated, times of words (``<mm:ss.xx>`` or
    within the line), and the tags ti, ar, al, au, by, la, rights and offset; a positive offset makes
    everything earlier. Lines with the same stamp are one line in two languages or with its reading,
    in any order; a row may also hold both, with `` / ``, `` | ``, ``^``, ``【译】`` or ``[tr:zh-Hans]``
    between them. A name alone in brackets (``[Verse 1]``, ``[副歌]``) begins a section, a stamp
    alone ends the line before it, and a row that begins with ``#`` is a comment.

    A text may begin with rows such as ``title: …``, ``rights: own``, ``language: en``, ``author: …``,
    ``artist: …``, ``source: …`` (or 标题, 版权, 语言, 作词, 演唱, 来源), and sections are named as in LRC.
    """
    path = Path(path)
    if format is not None and format not in (*FORMATS, *_GENERAL):
        raise LyricsError(
            path,
            None,
            None,
            "format",
            f"the format {format!r} is not read; formats that are: {', '.join(FORMATS)}",
        )
    return read_bytes(path, _bytes_of(path), encoding=encoding, format=format)


def read_bytes(
    path: Path, content: bytes, *, encoding: str | None = None, format: str | None = None
) -> Song:
    """Read a song from the bytes of a file; ``path`` gives the title where they do not."""
    findings: list[Finding] = []
    if format == "docx" or (format is None and content.startswith(_ZIP)):
        song = _reader("docx").read(path, content, findings)
        return _finished(song, "docx", "")
    for beginning, message in _FOREIGN:
        if content.startswith(beginning):
            raise LyricsError(path, None, None, "binary", message)
    if len(content) > MAX_BYTES:
        raise _too_large(path, MAX_BYTES)
    text, name = decode(path, content, encoding, findings)
    if not text.strip("\ufeff \t\r\n\u3000"):
        raise LyricsError(path, 1, 1, "empty", "the file is empty")
    if (at := _binary_at(text)) is not None:
        raise LyricsError(path, at, None, "binary", "this is not a text file")
    if format == "ttml" or (format is None and _reader("ttml").recognise(text)):
        return _finished(_reader("ttml").read(path, text, findings), "ttml", name)
    rows = list(rows_of(path, text, findings))
    format = _recognise(rows, format)
    return _finished(_read_rows(path, rows, findings, format), format, name)


def _binary_at(text: str) -> int | None:
    """Return the line at which a text shows that it is none, by control characters in great number."""
    controls = [match.start() for match in _CONTROL.finditer(text)]
    if len(controls) * 10 <= len(text):
        return None
    return text.count("\n", 0, controls[0]) + 1


def _finished(song: Song, format: str, encoding: str) -> Song:
    findings = sorted(song.findings, key=lambda finding: (finding.line, finding.column))
    # The title may be the name of the file, which may hold anything, even half a character.
    title = clean_row(1, song.title.encode("utf-8", "replace").decode(), []).text.strip() or "?"
    return dataclasses.replace(
        song, title=title, findings=tuple(findings), format=format, encoding=encoding
    )


def _recognise(rows: Sequence[Row], format: str | None) -> str:
    """Return the format of a text file that shows by its rows what it is."""
    if format is None:
        if _reader("lqe").recognise(rows):
            return "lqe"
        if (subtitles := _reader("subtitles").recognise(rows)) is not None:
            return str(subtitles)
        if _reader("lrc").recognise(rows):
            return "lrc"
    if format is None or format in _GENERAL:
        return str(_reader("text").recognise(rows))
    return format


def _read_rows(path: Path, rows: Sequence[Row], findings: list[Finding], format: str) -> Song:
    song: Song
    if format in ("srt", "vtt"):
        song = _reader("subtitles").read(path, rows, findings, format)
    elif format in ("pairs", "bullets", "plain"):
        song = _reader("text").read(path, rows, findings, format)
    else:
        song = _reader(format).read(path, rows, findings)
    return song


@functools.cache
def _reader(name: str) -> Any:
    # A reader is imported when a file needs it: most need one of them.
    return importlib.import_module(f"edukit.lyrics.{name}")


def _bytes_of(path: Path) -> bytes:
    try:
        # A device or a pipe could have no end.
        if not stat.S_ISREG(path.stat().st_mode):
            raise LyricsError(path, None, None, "not-a-file", "this is not a file")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
            if content.startswith(_ZIP):
                content += file.read(MAX_DOCX_BYTES - MAX_BYTES)
    except FileNotFoundError:
        raise LyricsError(path, None, None, "missing", "there is no such file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LyricsError(path, None, None, "unreadable", f"the file cannot be read: {reason}") from None
    if content.startswith(_ZIP):
        if len(content) > MAX_DOCX_BYTES:
            raise _too_large(path, MAX_DOCX_BYTES)
    elif len(content) > MAX_BYTES:
        raise _too_large(path, MAX_BYTES)
    return content


def _too_large(path: Path, most: int) -> LyricsError:
    message = f"the file is larger than {most // 1000} kB, which no song is"
    return LyricsError(path, None, None, "too-large", message)
