"""What the benchmarks share: the machine they ran on, their tables, and where these are written."""

import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

Rows = Sequence[Sequence[str]]


def machine() -> str:
    """Return the processor and how many of its cores there are."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file() and (found := re.search(r"model name\s*: (.*)", cpuinfo.read_text())):
        model = found[1]
    return f"{model}, {os.cpu_count()} cores"


def plain(rows: Rows) -> str:
    """Write a table for the terminal."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  " + "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in rows
    )


class Check(Protocol):
    """A promise as it was measured."""

    name: str
    promise: str
    value: float


def stop_if_missed(
    checks: Iterable[Check], bounds: Mapping[str, float], short: Callable[[float], str]
) -> None:
    """End with status 1 and name each promise whose bound was missed."""
    missed = [check for check in checks if not check.value <= bounds[check.promise]]
    if missed:
        lines = (
            f"missed: {one.name}: {short(one.value)}, at most {bounds[one.promise]:g}" for one in missed
        )
        sys.exit("\n".join(lines))


def write_between(path: Path, begin: str, end: str, content: str) -> None:
    """Replace what stands between two lines of a file."""
    text = path.read_text(encoding="utf-8")
    before, mark, rest = text.partition(f"{begin}\n")
    _, last, after = rest.partition(end)
    if not mark or not last:
        sys.exit(f"{path.name} has no place for what was measured: {begin} … {end}")
    path.write_text(f"{before}{mark}{content}{last}{after}", encoding="utf-8", newline="\n")


def write_table(page: Path, name: str, rows: Rows) -> None:
    """Write a table into its place in a page."""
    lines = [rows[0], ["---", *["--:"] * (len(rows[0]) - 1)], *rows[1:]]
    text = "\n".join(f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines)
    write_between(page, f"% table {name}", "% end", f"\n{text}\n\n")


_FIGURES = re.compile(r'^msgid "[\d.,e–-]+"$', re.MULTILINE)


def write_catalog(catalog: Path, source: str, tables: Sequence[Rows]) -> None:
    """Give a page's Chinese catalog the new numbers, which read the same, each where it comes first.

    Parameters
    ----------
    catalog
        The catalog; where there is none, nothing happens.
    source
        The page, from the root of the project.
    tables
        All tables of the page, in their order.
    """
    if not catalog.is_file():
        return
    blocks = [
        block for block in catalog.read_text(encoding="utf-8").split("\n\n") if not _FIGURES.search(block)
    ]
    seen = set()
    place = 0
    for cell in (cell for rows in tables for row in rows for cell in row):
        if not cell or cell in seen:
            continue
        seen.add(cell)
        if _FIGURES.fullmatch(f'msgid "{cell}"'):
            place += 1
            blocks.insert(place, f'#: ../../{source}\nmsgid "{cell}"\nmsgstr "{cell}"')
        else:
            found = (at for at, block in enumerate(blocks) if f'msgid "{cell}"\n' in block)
            place = next(found, place)
    catalog.write_text("\n\n".join(blocks).rstrip("\n") + "\n\n", encoding="utf-8", newline="\n")
