"""From the bytes of a lyric file to its text.

The ladder: a byte order mark, what the file says of itself (``encoding: big5``), strict UTF-8, GB18030.
Statistics are no help here: a song is too short for them. Big5 also decodes as GB18030, but then gives
rare characters, and a finding says so.
"""

import codecs
import re
import unicodedata
from pathlib import Path

from edukit.lyrics.model import Finding, LyricsError

_BYTE_ORDER_MARKS = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def _in_bytes(*words: str) -> bytes:
    encoded = {word.encode(name, "ignore") for word in words for name in ("utf-8", "gb18030", "big5")}
    return b"|".join(map(re.escape, sorted(encoded - {b""})))


_SAID = re.compile(
    rb"^[ \t]*\[?[ \t]*(?:%b)[ \t]*(?:%b)[ \t]*([A-Za-z0-9._-]{2,20})[ \t]*\]?[ \t]*\r?$"
    % (_in_bytes("encoding", "编码", "編碼"), _in_bytes(":", "：")),
    re.I | re.M,
)
_HEAD = 4096
# Not encodings of files: they carry escapes, cannot be told from others, or take time that grows with
# the square of the length.
_UNFIT = frozenset(
    {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "utf-7", "undefined", "mbcs"}
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def decode(path: Path, content: bytes, encoding: str | None, findings: list[Finding]) -> tuple[str, str]:
    """Return the text of a file and the name of its encoding.

    Raises
    ------
    LyricsError
        If the bytes are not text in the encoding given, or in none that is tried.
    """
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
    if said := _SAID.search(content[:_HEAD]):
        return _decode_as(path, content, said[1].decode("ascii"))
    try:
        return content.decode("utf-8"), "utf-8"
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
    return text, "gb18030"


def _decode_as(path: Path, content: bytes, encoding: str) -> tuple[str, str]:
    try:
        name = codecs.lookup(encoding).name
        if name.replace("_", "-") in _UNFIT:
            raise LookupError(encoding)
        text = content.decode(encoding)
        if _SURROGATE.search(text):
            raise UnicodeDecodeError(name, b"", 0, 1, "half a character")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"not valid {encoding}: save the file as UTF-8 or give its encoding"
        raise LyricsError(path, line, None, "encoding", message) from None
    # Codecs that are not of text ("hex") refuse in ways of their own.
    except (LookupError, ValueError, AssertionError):
        message = f"there is no encoding of the name {encoding!r}"
        raise LyricsError(path, None, None, "encoding", message) from None
    return text.removeprefix("\ufeff"), name.removesuffix("-sig")


def _share_of_common_characters(text: str) -> float:
    """Return the share of the letters that are in the first level of GB2312."""
    letters = [one for one in text if one > "\x7f" and unicodedata.category(one)[0] in "LC"]
    codes = [letter.encode("gb2312", "ignore") for letter in letters]
    common = [code for code in codes if b"\xb0" <= code[:1] <= b"\xd7"]
    return len(common) / len(letters) if letters else 1.0
