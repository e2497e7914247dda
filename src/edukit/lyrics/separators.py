"""A line and its translation in one row, on both sides of a sign.

Each of these signs is also an ordinary sign of text. It separates in a file only where the rows that
have it mostly have Chinese on one side of it and another script on the other.
"""

import re
from collections.abc import Iterable, Sequence

from edukit.lyrics.entries import has_han, has_letters, told
from edukit.lyrics.model import Finding
from edukit.lyrics.rows import Row

SEMICOLON = re.compile(r"[;；]")
"""Between original and translation in the text form."""

INLINE = (re.compile(r" [/／] "), re.compile(r" [|｜] "), re.compile(r"\^"))
"""Between original and translation in LRC files and subtitles."""

MARKED = re.compile(r"[\[［【]\s*(?:tr|译|譯|翻译|翻譯|译文|譯文)(?:[:：][\w-]*)?\s*[\]］】]")
"""What by itself says that a translation follows."""


def is_separator(sign: re.Pattern[str], texts: Iterable[str]) -> bool:
    """Tell whether a sign separates two languages in these rows."""
    rows = with_sign = apart = 0
    for text in texts:
        rows += has_letters(text)
        parts = [part for part in sign.split(text) if has_letters(part)]
        if len(parts) > 1:
            with_sign += 1
            apart += len({has_han(part) for part in parts}) == 2
    return apart > 0 and apart * 2 >= with_sign and apart * 4 >= rows


def chosen(texts: Sequence[str]) -> re.Pattern[str] | None:
    """Return the sign that separates two languages within these rows, None where none does."""
    return next((sign for sign in INLINE if is_separator(sign, texts)), None)


def split(row: Row, sign: re.Pattern[str] | None, findings: list[Finding]) -> tuple[Row, Row | None]:
    """Return the line of a row, and its translation where there is one.

    More than one separator is told, and the row is left whole: which of them is meant is the teacher's
    to say.
    """
    if match := MARKED.search(row.text):
        return row.part(0, match.start()), row.part(match.end())
    if sign is None:
        return row.part(0), None
    matches = list(sign.finditer(row.text))
    if len(matches) > 1:
        findings.append(_doubled(row.part(matches[1].start()), matches[1][0].strip()))
    if len(matches) != 1:
        return row.part(0), None
    left, right = row.part(0, matches[0].start()), row.part(matches[0].end())
    return left, right if right.text else None


def _doubled(row: Row, sign: str) -> Finding:
    return told(
        "separators",
        row,
        f"The line has more than one “{sign}”, so it is not split: leave one between line and translation.",
        f"这一行有不止一个“{sign}”，因此没有拆分：原文与译文之间请只留一个。",
        sign,
    )
