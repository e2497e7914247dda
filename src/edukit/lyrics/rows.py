"""A row of a lyric file, cleaned, that still knows where each of its characters stood."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from edukit.lyrics.model import Finding, LyricsError

MAX_ROWS = 60_000
"""The most rows that are read."""

MAX_COLUMNS = 1_000
"""The longest row that is read, in characters."""

# Left out without a word: a mark of byte order within the file, and the spaces that have no width.
_INVISIBLE = frozenset("\ufeff\u200b\u2060")
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_SPACES = frozenset("\u3000\u00a0\t")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file.

    Parameters
    ----------
    number
        Its number in the file, from 1.
    text
        Its text without invisible characters, every kind of space an ordinary one.
    columns
        The column in the file, from 1, of each character of ``text``, and of its end.
    """

    number: int
    text: str
    columns: tuple[int, ...]

    def part(self, start: int, stop: int | None = None) -> "Row":
        """Return a part of the row without the spaces around it."""
        text = self.text[start:stop]
        start += len(text) - len(text.lstrip())
        text = text.strip()
        return Row(self.number, text, self.columns[start : start + len(text) + 1])

    @property
    def column(self) -> int:
        """The column in the file where the text begins."""
        return self.columns[0]


def rows_of(path: Path, text: str, findings: list[Finding]) -> Iterator[Row]:
    """Cut the text of a file into its rows.

    Raises
    ------
    LyricsError
        If there are more than `MAX_ROWS` rows, or one has more than `MAX_COLUMNS` characters.
    """
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
        yield clean_row(number, raw, findings)


def clean_row(number: int, raw: str, findings: list[Finding], *, column: int | None = None) -> Row:
    """Return a row without what is not seen.

    With a ``column`` the text is not the row itself but comes from there, an XML file say, and each of
    its characters is said to stand there.
    """
    kept: list[str] = []
    columns: list[int] = []
    removed: list[int] = []
    for at, character in enumerate(raw, 1):
        if character in _BIDI or _is_control(character):
            removed.append(at)
        elif character not in _INVISIBLE:
            kept.append(" " if character in _SPACES else character)
            columns.append(at if column is None else column)
    if removed:
        findings.append(_removal(number, removed[0] if column is None else column, removed, raw))
    return Row(number, "".join(kept), (*columns, len(raw) + 1 if column is None else column))


def _is_control(character: str) -> bool:
    if character in _SPACES:
        return False
    return character < " " or "\x7f" <= character <= "\x9f" or character in "\u2028\u2029"


def _removal(number: int, column: int, removed: list[int], raw: str) -> Finding:
    names = sorted({f"U+{ord(raw[at - 1]):04X}" for at in removed})
    return Finding(
        "control-character",
        number,
        column,
        " ".join(names),
        "",
        f"Control characters are left out: {', '.join(names)}.",
        f"已略去控制字符：{'、'.join(names)}。",
    )
