"""``edukit lyrics``: look at lyric files and work on them in a terminal.

Each action has its section below: a function that adds its parser, and the one that runs it and
returns the exit status. What they share is in `edukit.lyrics.terminal`.
"""

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from edukit.lyrics import terminal
from edukit.lyrics.model import Finding, Loss, LyricsError, Song

Action = Callable[[argparse.Namespace], int]


def add_lyrics(commands: Any) -> None:
    """Add ``lyrics`` to the commands of ``edukit``."""
    parser = commands.add_parser("lyrics", help="read, convert and study lyric files")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _add_show(actions)
    _add_convert(actions)
    # It builds on what stands below.
    from edukit.lyrics.study_commands import add_study

    add_study(actions)


def add_action(actions: Any, name: str, run: Action, *, help: str, description: str) -> Any:
    """Add an action that takes ``PATH…``, ``--json``, ``--encoding`` and ``--format``.

    ``run`` may raise `terminal.WrongUseError`, which becomes a message and exit status 2.
    """
    parser = actions.add_parser(name, help=help, description=description)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a lyric file, or a folder")
    parser.add_argument("--encoding", help="the encoding of the files, where it is not recognised")
    parser.add_argument("--format", help="the format of the files, where it is not recognised")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=lambda options: _run(run, options))
    return parser


def _run(action: Action, options: argparse.Namespace) -> int:
    # A terminal that cannot show a character shows its number instead of stopping.
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = action(options)
        sys.stdout.flush()
    except terminal.WrongUseError as error:
        print(f"edukit: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of the output, "head" say, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def load_all(options: argparse.Namespace) -> Iterator[tuple[Path, Song | LyricsError]]:
    """Read the files that ``options`` names; what cannot be read comes as the error that says why."""
    from edukit.lyrics.files import load

    for path in terminal.with_progress(terminal.find_files(options.paths), "reading"):
        try:
            yield path, load(path, encoding=options.encoding, format=options.format)
        except LyricsError as error:
            yield path, error


def error_as_dict(error: LyricsError) -> dict[str, Any]:
    """Return what ``--json`` prints of a file that could not be read."""
    return {"code": error.code, "line": error.line, "column": error.column, "message": error.message}


def print_error(error: LyricsError) -> None:
    """Print why a file could not be read."""
    print(terminal.painted(f"✗ {terminal.plain(str(error))}", "error"))


def print_finding(path: Path, finding: Finding) -> None:
    """Print what was noticed in a file, with its place."""
    place = f"{terminal.plain(path.as_posix())}:{finding.line}:{finding.column}"
    print(terminal.painted(f"! {place}: {finding.message_en}", "finding"))


def print_json(value: Any) -> None:
    """Print the result of an action as JSON."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


# -- edukit lyrics show ----------------------------------------------------------------------------------


def _add_show(actions: Any) -> None:
    add_action(
        actions,
        "show",
        _show,
        help="print songs as they are read",
        description="Print what a lyric file holds: its lines side by side with readings and "
        "translations, and what was noticed. Exit status 1 when something was.",
    )


def _show(options: argparse.Namespace) -> int:
    rows: list[dict[str, Any]] = []
    noticed = False
    for path, song in load_all(options):
        noticed = noticed or isinstance(song, LyricsError) or bool(song.findings)
        if options.json:
            rows.append(
                {"path": path.as_posix(), "error": error_as_dict(song)}
                if isinstance(song, LyricsError)
                else {"path": path.as_posix(), **dataclasses.asdict(song)}
            )
        elif isinstance(song, LyricsError):
            print_error(song)
        else:
            _print_song(path, song)
    if options.json:
        print_json(rows)
    return int(noticed)


def _print_song(path: Path, song: Song) -> None:
    encoding = f", {song.encoding}" if song.encoding else ""
    about = f"{terminal.plain(path.as_posix())}: {song.format}{encoding}"
    print(terminal.painted(song.title, "strong"), terminal.painted(f"({about})", "dim"))
    rows = [
        (str(number), _clock(line.start), line.text, line.reading or "", line.translation or "")
        for number, line in enumerate(song.lines, 1)
    ]
    for row in terminal.table(rows, ("dim", "dim", "", "reading", "")):
        print(row)
    for finding in song.findings:
        print_finding(path, finding)
    print()


def _clock(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    return f"{milliseconds // 60000}:{milliseconds // 1000 % 60:02}.{milliseconds % 1000 // 10:02}"


# -- edukit lyrics convert -------------------------------------------------------------------------------


def _add_convert(actions: Any) -> None:
    parser = add_action(
        actions,
        "convert",
        _convert,
        help="write songs in another format",
        description="Write each song in another format, into a file of the same name with another "
        "ending, and print what that format does not hold. Exit status 1 when something is lost or "
        "was noticed while reading.",
    )
    parser.add_argument(
        "--to",
        required=True,
        metavar="FORMAT",
        help="lrc (all that LRC can hold), lrc-plain, lrc-a2, lrc-bilingual, srt, pairs or bullets",
    )
    parser.add_argument(
        "--output", type=Path, metavar="FOLDER", help="where to write; otherwise beside each file"
    )
    parser.add_argument("--force", action="store_true", help="replace files that are there")


def _convert(options: argparse.Namespace) -> int:
    from edukit.lyrics.writing import SUFFIXES, save

    if options.to not in SUFFIXES:
        raise terminal.WrongUseError(
            f"the format {terminal.plain(repr(options.to))} is not written; "
            f"formats that are: {', '.join(SUFFIXES)}"
        )
    if options.output is not None and not options.output.is_dir():
        raise terminal.WrongUseError(f"there is no folder {terminal.plain(str(options.output))}")
    rows: list[dict[str, Any]] = []
    written: set[Path] = set()
    for path, song in load_all(options):
        losses: tuple[Loss, ...] = ()
        error = song if isinstance(song, LyricsError) else None
        target = (options.output or path.parent) / f"{path.stem}{SUFFIXES[options.to]}"
        if isinstance(song, Song):
            try:
                if target in written or (target.exists() and not options.force):
                    message = "the file is there already: give --force to replace it, or --output"
                    raise LyricsError(target, None, None, "exists", message)
                losses = save(song, target, format=options.to)
                written.add(target)
            except LyricsError as refused:
                error = refused
        findings = song.findings if isinstance(song, Song) else ()
        row: dict[str, Any] = {
            "path": path.as_posix(),
            "written": target.as_posix() if error is None else None,
            "losses": [dataclasses.asdict(loss) for loss in losses],
            "findings": [dataclasses.asdict(finding) for finding in findings],
            "error": error_as_dict(error) if error is not None else None,
        }
        rows.append(row)
        if options.json:
            continue
        if error is not None:
            print_error(error)
            continue
        print(terminal.painted(f"✓ {terminal.plain(target.as_posix())}", "good"))
        for finding in findings:
            print_finding(path, finding)
        for loss in losses:
            print(terminal.painted(f"! {loss.message_en}", "finding"))
    if options.json:
        print_json(rows)
    return int(any(row["losses"] or row["findings"] or row["error"] for row in rows))
