"""The ``edukit`` command.

Exit status: 0 when nothing was found, 1 with findings, 2 when the command was used wrongly.
"""

import argparse
import csv
import json
import os
import sys
import unicodedata
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from edukit import __version__, catalogs, claims, quiz
from edukit.catalogs import commands as translate
from edukit.lyrics.commands import add_lyrics
from edukit.scratch import commands as scratch


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="edukit", description="Tools for bilingual course sites built with Sphinx."
    )
    parser.add_argument("--version", action="version", version=f"edukit {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _add_claims(commands)
    add_lyrics(commands)
    _add_quiz(commands)
    scratch.add(commands)
    translate.add(commands)
    options = parser.parse_args(arguments)
    status: int = options.run(options)
    return status


# -- edukit claims ---------------------------------------------------------------------------------------


def _add_claims(commands: Any) -> None:
    parser = commands.add_parser(
        "claims",
        help="run the examples and print what they decide",
        description="Run every example, hold what it measures to what is expected of it, and print the "
        "claims of all pages with their verdicts. Exit status 1 when a claim has lost its ground.",
    )
    parser.add_argument("--docs", type=Path, default=Path("docs"), metavar="FOLDER")
    parser.add_argument("--examples", type=Path, default=Path("examples"), metavar="FOLDER")
    parser.add_argument("--section", help="only the claims of this section, such as 4 or 4.1")
    parser.add_argument(
        "--language", help="print the claims as the catalogs of this language have them, such as zh_CN"
    )
    parser.add_argument("--json", action="store_true", help="print the ledger as JSON")
    parser.set_defaults(run=_claims)


def _claims(options: argparse.Namespace) -> int:
    for folder in (options.docs, options.examples):
        if not folder.is_dir():
            return _wrong(f"there is no folder {folder}: run this where the project is, or name the folder")
    try:
        stated = [
            one
            for page in sorted(options.docs.rglob("*.md"))
            for one in claims.read_claims(page)
            if not options.section or _is_within(one.section, options.section)
        ]
    except claims.PageError as error:
        return _wrong(str(error))
    if not stated:
        where = f" in section {options.section}" if options.section else ""
        return _wrong(f"no page in {options.docs} has a claim{where}")
    stated.sort(key=lambda one: claims.section_key(one.section))
    measured, failures = _measure_all(options.examples)
    rows = [_judge(one, measured) for one in stated]
    lost = [row for row in rows if row["problems"]]
    if options.json:
        print(json.dumps({"claims": rows, "errors": failures}, ensure_ascii=False, indent=2))
    else:
        translations = _translations(options.docs, options.language) if options.language else {}
        for row in rows:
            _print_claim(row, translations, measured)
        print(f"{len(rows)} claims, {len(rows) - len(lost)} stand, {len(lost)} do not.")
        for failure in failures:
            print(f"✗ {failure}")
    return 1 if lost or failures else 0


def _is_within(section: str, wanted: str) -> bool:
    return section == wanted or section.startswith(f"{wanted.rstrip('.')}.")


def _measure_all(folder: Path) -> tuple[dict[str, claims.Measurement], list[str]]:
    """Run every example that measures; return the measurements by name, and what went wrong."""
    scripts = [
        path
        for path in sorted(folder.rglob("*.py"))
        if "edukit.claims" in path.read_text(encoding="utf-8", errors="replace")
    ]
    measured: dict[str, claims.Measurement] = {}
    errors = []
    shows_progress = sys.stderr.isatty()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        runs = zip(scripts, pool.map(claims.run, scripts), strict=True)
        for number, (script, (found, failure)) in enumerate(runs, 1):
            if shows_progress:
                print(f"\r{number} of {len(scripts)} examples ", end="", file=sys.stderr, flush=True)
            if failure:
                errors.append(f"{script.as_posix()}: {failure}")
            for one in found:
                if one.name in measured:
                    errors.append(f"{script.as_posix()}: another example measures {one.name!r} too")
                measured[one.name] = one
                if not one.holds:
                    errors.append(f"{script.as_posix()}: {one}")
    if shows_progress:
        print("\r\033[K", end="", file=sys.stderr)
    return measured, errors


def _judge(one: claims.Claim, measured: dict[str, claims.Measurement]) -> dict[str, Any]:
    """Return a claim with its numbers, and what speaks against the verdict on it."""
    problems = [f"no example measures {name!r}" for name in one.measured if name not in measured]
    numbers = [measured[name] for name in one.measured if name in measured]
    problems += [str(number) for number in numbers if not number.holds]
    problems += [f"nothing is expected of {number.name}" for number in numbers if not number.expectation]
    return {
        "section": one.section,
        "verdict": one.verdict,
        "statement": one.statement,
        "correction": list(one.correction),
        "source": one.source,
        "measured": {
            number.name: {"value": number.value, "expected": number.expectation, "unit": number.unit}
            for number in numbers
        },
        "page": f"{one.path.as_posix()}:{one.line}",
        "problems": problems,
    }


def _translations(docs: Path, language: str) -> dict[str, str]:
    folder = docs / "locale" / language / "LC_MESSAGES"
    return {
        message.id: message.string
        for path in sorted(folder.rglob("*.po"))
        for message in catalogs.read(path).messages
        if message.string and not message.fuzzy
    }


def _print_claim(
    row: dict[str, Any], translations: dict[str, str], measured: dict[str, claims.Measurement]
) -> None:
    sign = "✗" if row["problems"] else "✓"
    print(f"{sign} § {row['section']}  {row['verdict'].upper()}  ({row['page']})")
    for text in (row["statement"], *row["correction"]):
        print(f"    {claims.fill_in(translations.get(text, text), measured)}")
    for name, number in row["measured"].items():
        value = claims.plain_value(number["value"])
        unit = f" {number['unit']}" if number["unit"] else ""
        print(f"    {name} = {value}{unit}  (expected {number['expected'] or 'nothing'})")
    if row["source"]:
        print(f"    {translations.get(row['source'], row['source'])}")
    for problem in row["problems"]:
        print(f"    ✗ {problem}")
    print()


# -- edukit quiz -----------------------------------------------------------------------------------------


def _add_quiz(commands: Any) -> None:
    parser = commands.add_parser("quiz", help="read the result codes of a class")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    decode = actions.add_parser(
        "decode",
        help="turn a list of names and result codes into a table",
        description="Read a list with a name and a result code on each line, from a file or as it is "
        "pasted, and print a table. A code shows a score; it is no certificate. Exit status 1 when a line "
        "has no code that holds.",
    )
    decode.add_argument("file", nargs="?", default="-", help="the list; - or nothing: what is pasted")
    decode.add_argument(
        "--docs", type=Path, default=Path("docs"), metavar="FOLDER", help="the pages, for their names"
    )
    decode.add_argument("--csv", action="store_true", help="print the table for a spreadsheet")
    decode.add_argument("--json", action="store_true", help="print the table as JSON")
    decode.set_defaults(run=_quiz_decode)


# ✓ at the first try, + after more than one, - not right, a point for what was left open.
_MARKS = {quiz.Mark.AT_ONCE: "✓", quiz.Mark.RIGHT: "+", quiz.Mark.WRONG: "-", quiz.Mark.OPEN: "."}


def _quiz_decode(options: argparse.Namespace) -> int:
    try:
        data = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        return _wrong(f"{options.file} cannot be read: {error.strerror}")
    except UnicodeDecodeError:
        return _wrong(f"{options.file} is not a text in UTF-8: save it in that encoding")
    lines = quiz.read_list(text)
    if not lines:
        return _wrong("the list is empty: each line holds a name and a result code")
    pages = _page_names(options.docs)
    rows = [
        {
            "name": line.name,
            "page": pages.get(line.result.page, "?") if line.result else "",
            "right": line.result.right if line.result else None,
            "at_once": line.result.at_once if line.result else None,
            "questions": len(line.result.marks) if line.result else None,
            "marks": "".join(_MARKS[mark] for mark in line.result.marks) if line.result else "",
            "problem": line.problem,
        }
        for line in lines
    ]
    if options.json:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
    elif options.csv:
        table = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    else:
        _print_results(rows)
    return 1 if any(row["problem"] for row in rows) else 0


def _page_names(docs: Path) -> dict[int, str]:
    names = [path.relative_to(docs).with_suffix("").as_posix() for path in docs.rglob("*.md")]
    return {quiz.page_key(name): name for name in sorted(names, reverse=True)}


def _print_results(rows: list[dict[str, Any]]) -> None:
    head = ("name", "right", "at once", "each", "page")
    table = [head]
    for row in rows:
        if row["problem"]:
            table.append((row["name"], "", "", "", f"✗ {row['problem']}"))
        else:
            score = f"{row['right']}/{row['questions']}"
            table.append((row["name"], score, str(row["at_once"]), row["marks"], row["page"]))
    widths = [max(_columns(line[n]) for line in table) for n in range(len(head))]
    for line in table:
        cells = [cell + " " * (width - _columns(cell)) for cell, width in zip(line, widths, strict=True)]
        print("  ".join(cells).rstrip())


def _columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _wrong(message: str) -> int:
    print(f"edukit: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
