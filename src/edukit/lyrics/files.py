"""From the bytes of a lyric file to its rows of text, and from those to a song.

A lyric file comes from anywhere: it is measured before it is read, decoded strictly, and freed of
the characters that are not seen but change what is seen.
"""

import re
import stat
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from edukit.lyrics import lrc
from edukit.lyrics.model import Finding, LyricsError, Song
from edukit.lyrics.rows import Row

MAX_BYTES = 1_000_000
"""The largest file that is read; the longest songs have a hundredth of this."""

MAX_ROWS = 20_000
"""The most rows that are read."""

MAX_COLUMNS = 1_000
"""The longest row that is read, in characters."""

_READERS = {"lrc": lrc.read}
_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
# Left out without a word: a mark of byte order within the file, and the spaces that have no width.
_INVISIBLE = frozenset("\ufeff\u200b\u2060")
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_SPACES = frozenset("\u3000\u00a0\t")


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
        The file, at most 1 MB.
    encoding
        The name of its encoding. Without one a byte order mark decides, then whether it is valid
        UTF-8; what is left is read as GB18030, and a finding says so.
    format
        ``"lrc"``, the one format that this edition reads. Without one the file itself must show by
        its time stamps that it is LRC.

    Returns
    -------
    Song
        What was noticed on the way is in ``findings``.

    Raises
    ------
    LyricsError
        If the file is missing, too large, not text, or not in a format that is read.

    Notes
    -----
    LRC has no standard. Read here are ``[mm:ss]``, ``[mm:ss.xx]``, ``[mm:ss.xxx]`` and
    ``[mm:ss:xx]``, several of them before a line that is repeated, times of words (``<mm:ss.xx>`` or
    within the line), and the tags ti, ar, al, au, by, la, rights and offset; a positive offset makes
    everything earlier. Lines with the same stamp are one line in two languages or with its reading,
    in any order. A name alone in brackets (``[Verse 1]``, ``[副歌]``) begins a section, a stamp
    alone ends the line before it, and a row that begins with ``#`` is a comment.
    """
    path = Path(path)
    if format is not None and format not in _READERS:
        raise LyricsError(
            path,
            None,
            None,
            "format",
            f"the format {format!r} is not read; formats that are: {', '.join(_READERS)}",
        )
    findings: list[Finding] = []
    text = _decode(path, _read_bytes(path), encoding, findings)
    rows = list(_rows(path, text, findings))
    if format is None and not lrc.recognise(rows):
        raise LyricsError(
            path,
            1,
            1,
            "format",
            "no line begins with a time stamp, as [00:12.50]; only LRC files are read",
        )
    return _READERS[format or "lrc"](path, rows, findings)


def _read_bytes(path: Path) -> bytes:
    try:
        # A device or a pipe could have no end.
        if not stat.S_ISREG(path.stat().st_mode):
            raise LyricsError(path, None, None, "not-a-file", "this is not a file")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise LyricsError(path, None, None, "missing", "there is no such file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LyricsError(path, None, None, "unreadable", f"the file cannot be read: {reason}") from None
    if len(content) > MAX_BYTES:
        raise LyricsError(
            path,
            None,
            None,
            "too-large",
            f"the file is larger than {MAX_BYTES // 1000} kB, which no song is",
        )
    return content


def _decode(path: Path, content: bytes, encoding: str | None, findings: list[Finding]) -> str:
    if encoding is not None:
        return _decode_as(path, content, encoding)
    for mark, name in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return _decode_as(path, content, name)
    if (zero := content.find(b"\0")) >= 0:
        raise LyricsError(
            path,
            content.count(b"\n", 0, zero) + 1,
            None,
            "binary",
            "this is not a text file; if it is UTF-16 without a byte order mark, give its encoding",
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as utf8_error:
        line = content.count(b"\n", 0, utf8_error.start) + 1
        try:
            text = content.decode("gb18030")
        except UnicodeDecodeError:
            raise LyricsError(
                path,
                line,
                None,
                "encoding",
                "neither UTF-8 nor GB18030: save the file as UTF-8 or give its encoding",
            ) from None
    common = _share_of_common_characters(text)
    doubt_en = " That gives few common characters: it may be Big5." if common < 0.5 else ""
    doubt_zh = "但这样读出的常用字很少，原文可能是 Big5。" if common < 0.5 else ""
    findings.append(
        Finding(
            "encoding",
            line,
            1,
            "",
            "utf-8",
            f"Not UTF-8; read as GB18030.{doubt_en} Save the file as UTF-8 or give its encoding.",
            f"不是 UTF-8，按 GB18030 读取。{doubt_zh}请另存为 UTF-8，或注明编码。",
        )
    )
    return text


def _decode_as(path: Path, content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"not valid {encoding}: save the file as UTF-8 or give its encoding"
        raise LyricsError(path, line, None, "encoding", message) from None
    # Codecs that are not of text ("hex") refuse in ways of their own.
    except (LookupError, ValueError):
        message = f"there is no encoding of the name {encoding!r}"
        raise LyricsError(path, None, None, "encoding", message) from None


def _share_of_common_characters(text: str) -> float:
    """Return the share of the letters that are in the first level of GB2312.

    Big5 also decodes as GB18030, but gives rare characters then, and many of private use.
    """
    letters = [one for one in text if one > "\x7f" and unicodedata.category(one)[0] in "LC"]
    codes = [letter.encode("gb2312", "ignore") for letter in letters]
    common = [code for code in codes if b"\xb0" <= code[:1] <= b"\xd7"]
    return len(common) / len(letters) if letters else 1.0


def _rows(path: Path, text: str, findings: list[Finding]) -> Iterator[Row]:
    # str.splitlines would also split at characters that editors do not count as line ends.
    raws = re.split(r"\r\n|\n|\r", text)
    if len(raws) > MAX_ROWS:
        message = f"the file has {len(raws)} lines; more than {MAX_ROWS} are not read"
        raise LyricsError(path, MAX_ROWS + 1, None, "too-many-lines", message)
    for number, raw in enumerate(raws, 1):
        if len(raw) > MAX_COLUMNS:
            raise LyricsError(
                path,
                number,
                MAX_COLUMNS + 1,
                "line-too-long",
                f"the line has {len(raw)} characters; lines of more than {MAX_COLUMNS} are not read",
            )
        kept: list[str] = []
        columns: list[int] = []
        removed: list[int] = []
        for column, character in enumerate(raw, 1):
            if character in _BIDI or _is_control(character):
                removed.append(column)
            elif character not in _INVISIBLE:
                kept.append(" " if character in _SPACES else character)
                columns.append(column)
        if removed:
            findings.append(_removal(number, removed, raw))
        yield Row(number, "".join(kept), (*columns, len(raw) + 1))


def _is_control(character: str) -> bool:
    if character in _SPACES:
        return False
    return character < " " or "\x7f" <= character <= "\x9f" or character in "\u2028\u2029"


def _removal(number: int, columns: list[int], raw: str) -> Finding:
    names = sorted({f"U+{ord(raw[column - 1]):04X}" for column in columns})
    return Finding(
        "control-character",
        number,
        columns[0],
        " ".join(names),
        "",
        f"Control characters are left out: {', '.join(names)}.",
        f"已略去控制字符：{'、'.join(names)}。",
    )
