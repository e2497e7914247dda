"""What the ``edukit lyrics`` commands share: files, columns, colours and progress in a terminal."""

import os
import sys
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

SUFFIXES = frozenset({".lrc", ".lqe", ".ttml", ".srt", ".vtt", ".txt", ".docx"})
"""What is taken for a lyric file in a folder; a file that is named itself may have any suffix."""

PATIENCE = 0.5
"""Seconds before progress is shown."""

_STYLES = {"error": "31", "finding": "33", "good": "32", "dim": "2", "strong": "1", "reading": "36"}
_Item = TypeVar("_Item")


class WrongUseError(Exception):
    """The command was given something that it cannot work on; the text says what."""


def find_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files named, and the lyric files in the folders named, each once.

    Raises
    ------
    WrongUseError
        If a path does not exist, or there is no file at all.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            for inner in sorted(path.rglob("*")):
                hidden = any(part.startswith((".", "~$")) for part in inner.relative_to(path).parts)
                if inner.suffix.lower() in SUFFIXES and not hidden and inner.is_file():
                    found[inner] = None
        elif path.exists():
            found[path] = None
        else:
            raise WrongUseError(f"there is no file {plain(str(path))}")
    if not found:
        raise WrongUseError(f"no lyric file here; looked for {', '.join(sorted(SUFFIXES))}")
    return list(found)


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: Chinese characters take two.

    Examples
    --------
    >>> columns("草 cǎo"), columns("ca\u030co")
    (6, 3)
    """
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int) -> str:
    """Return a text with spaces up to a width in columns."""
    return text + " " * (width - columns(text))


def table(rows: Sequence[Sequence[str]], styles: Sequence[str] = ()) -> Iterator[str]:
    """Lay rows of equal length out in columns, each in its style; a column of nothing is left out."""
    full = [at for at in range(len(rows[0]) if rows else 0) if any(row[at] for row in rows)]
    rows = [[row[at] for at in full] for row in rows]
    styles = [styles[at] if at < len(styles) else "" for at in full]
    widths = [max(columns(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        last = max((at for at, cell in enumerate(row) if cell), default=0)
        cells = []
        for at, cell in enumerate(row[: last + 1]):
            laid = cell if at == last else padded(cell, widths[at])
            cells.append(painted(laid, styles[at]))
        yield "  ".join(cells)


def painted(text: str, style: str) -> str:
    """Return a text in colour where the terminal has it."""
    if style not in _STYLES or not text.strip() or not _has_colour():
        return text
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def _has_colour() -> bool:
    # https://no-color.org
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def plain(text: str) -> str:
    """Return a text that cannot steer the terminal: names of files may hold anything."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def with_progress(items: Sequence[_Item], doing: str) -> Iterator[_Item]:
    """Go through items, with a bar on the terminal once it takes long."""
    began = time.monotonic()
    shown = False
    for done, item in enumerate(items):
        if sys.stderr.isatty() and len(items) > 1 and (shown or time.monotonic() - began > PATIENCE):
            shown = True
            filled = 24 * done // len(items)
            bar = "█" * filled + "░" * (24 - filled)
            print(f"\r\x1b[K{doing} {bar} {done}/{len(items)}", end="", file=sys.stderr, flush=True)
        try:
            yield item
        finally:
            if shown:
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)
