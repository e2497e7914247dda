"""The commands ``edukit translate update, status, check, edit``.

Exit status: 0 when nothing was found, 1 with findings, 2 when a command was used wrongly.
"""

import argparse
import dataclasses
import json
import locale as system_locale
import os
import subprocess
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import counting, updating
from .pofile import CatalogError
from .project import Project, ProjectError, find


def add(commands: Any) -> None:
    """Add ``translate`` to the commands of ``edukit``."""
    parser = commands.add_parser("translate", help="look after the translations")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _add_update(actions)
    _add_status(actions)
    _add_check(actions)
    _add_edit(actions)


def _action(actions: Any, name: str, run: Any, short: str, long: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=short, description=long)
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--conf", type=Path, metavar="FOLDER", help="the folder that conf.py is in")
    parser.add_argument("--docs", type=Path, metavar="FOLDER", help="the folder of the pages")
    parser.add_argument("--locale", type=Path, metavar="FOLDER", help="the folder of the catalogs")
    parser.add_argument("--language", action="append", default=[], help="only this one, such as zh_CN")
    parser.set_defaults(run=lambda options: _guarded(run, options))
    return parser


class _WrongUseError(Exception):
    """The command was given something that it cannot work on; the text says what."""


def _guarded(run: Any, options: argparse.Namespace) -> int:
    """Run a command; what stands in its way is a message."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status: int = run(options)
        sys.stdout.flush()
    except (CatalogError, ProjectError, _WrongUseError) as error:
        print(f"edukit translate: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever reads the output has read enough; what is left to write goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        name = error.filename or "a file"
        print(f"edukit translate: {name} cannot be read or written: {error.strerror}", file=sys.stderr)
        return 2
    return status


def _project(options: argparse.Namespace) -> Project:
    return find(
        Path.cwd(),
        conf=options.conf and options.conf.resolve(),
        docs=options.docs and options.docs.resolve(),
        locale=options.locale and options.locale.resolve(),
        templates=options.templates and options.templates.resolve(),
    )


def _languages(options: argparse.Namespace, project: Project, *, begun: bool = True) -> Sequence[str]:
    """Return the languages to work on; with ``begun`` each must have catalogs."""
    languages = options.language or project.languages
    if not languages:
        raise _WrongUseError(
            f"{_shown(project.locale)} has no language yet: name one, such as --language zh_CN"
        )
    for language in languages if begun else ():
        if not project.folder(language).is_dir():
            raise _WrongUseError(
                f"there are no catalogs for {language} in {_shown(project.locale)}: make them with "
                f"edukit translate update --language {language}"
            )
    return tuple(languages)


def _dump(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def _shown(path: Path) -> str:
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


# -- edukit translate update -----------------------------------------------------------------------------


def _add_update(actions: Any) -> None:
    parser = _action(
        actions,
        "update",
        _update,
        "bring the catalogs up to date with the pages",
        "Collect the texts of the pages (by sphinx-build -b gettext) and merge them into the catalogs. New "
        "texts are added; a changed one keeps its old translation, marked as fuzzy; one that has moved to "
        "another page takes its translation along; what has gone is kept at the end of the file.",
    )
    parser.add_argument(
        "--templates", type=Path, metavar="FOLDER", help="use the templates in this folder, collect nothing"
    )


def _update(options: argparse.Namespace) -> int:
    project = _project(options)
    languages = _languages(options, project, begun=False)
    if options.templates is None:
        extract(project)
    if not any(project.templates_folder.rglob("*.pot")):
        raise _WrongUseError(
            f"{_shown(project.templates_folder)} has no templates: leave --templates out, and they are made"
        )
    changes = [
        change
        for language in languages
        for change in updating.update(project.templates_folder, project.folder(language), language)
    ]
    left = [
        path
        for language in languages
        for path in updating.orphans(project.templates_folder, project.folder(language))
    ]
    if options.json:
        _dump([{**dataclasses.asdict(change), "path": str(change.path)} for change in changes])
        return 0
    if not changes:
        print("The catalogs are up to date.")
    for change in changes:
        print(
            f"{_shown(change.path)}: {change.added} new, {change.removed} gone, "
            f"{change.untranslated} to translate"
        )
        if change.fuzzy:
            print(f"    {_count(change.fuzzy, 'changed text')}: the old translation is kept, marked as fuzzy")
        if change.restored:
            print(f"    {_count(change.restored, 'text')} as before again: translated as before")
        for name, number in change.taken.items():
            print(f"    {_count(number, 'translation')} taken over from {name}")
    for path in left:
        print(f"{_shown(path)}: belongs to no page any more; delete it when nothing in it is needed")
    return 0


def extract(project: Project) -> None:
    """Collect the texts of all pages into the project's folder of templates.

    Raises
    ------
    CatalogError
        Sphinx has failed; what it said is in the error.
    """
    folder = project.templates_folder
    # A page that was deleted must not leave its template behind. What Sphinx has read stays, so that the
    # next time it reads only what has changed.
    for path in folder.rglob("*.pot"):
        path.unlink()
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "gettext", "-c", str(project.conf)]
    command += ["-d", str(folder / ".doctrees"), str(project.docs), str(folder)]
    done = subprocess.run(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUTF8": "1"},
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise _WrongUseError(
            "the texts could not be collected: Sphinx says why above"
            if _repeat(done.stderr)
            else f"the texts could not be collected: Sphinx ended with status {done.returncode}"
        )
    _repeat(done.stderr)


def _repeat(said: str) -> bool:
    print(said, end="", file=sys.stderr)
    return bool(said.strip())


# -- edukit translate status -----------------------------------------------------------------------------


def _add_status(actions: Any) -> None:
    parser = _action(
        actions,
        "status",
        _status,
        "tell what is translated, page by page",
        "Print a table of the pages with their messages and words: translated, fuzzy, missing, and stale: "
        "behind the page. The page with most work left comes first. Exit status 1 when work is left.",
    )
    _add_template_options(parser)
    parser.add_argument("--left", action="store_true", help="only the pages with work left")


def _add_template_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--templates", type=Path, metavar="FOLDER", help="the templates of the pages")
    parser.add_argument(
        "--extract", action="store_true", help="collect the texts of the pages anew before that"
    )


_HEAD = ("page", "messages", "translated", "fuzzy", "missing", "stale", "words", "left", "%")


def _status(options: argparse.Namespace) -> int:
    project = _project(options)
    languages = _languages(options, project)
    if options.extract:
        extract(project)
    notes = _notes_on_templates(project)
    found = {language: counting.status(project, language) for language in languages}
    totals = {
        language: counting.total(page.coverage for page in pages) for language, pages in found.items()
    }
    if options.json:
        _dump(
            [
                {
                    "language": language,
                    "total": _as_dict(totals[language]),
                    "pages": [
                        {"page": one.page, "path": _shown(one.path), **_as_dict(one.coverage)}
                        for one in pages
                    ],
                    "notes": notes,
                }
                for language, pages in found.items()
            ]
        )
    else:
        for language, pages in found.items():
            shown = [one for one in pages if not one.coverage.is_complete] if options.left else pages
            rows = [
                _HEAD,
                *(_row(one.page if one.has_page else f"({one.page})", one.coverage) for one in shown),
                _row(f"all of {language}", totals[language]),
            ]
            _print_table(rows)
            print()
        for note in notes:
            print(note)
    return 0 if all(coverage.is_complete for coverage in totals.values()) else 1


def _as_dict(coverage: counting.Coverage) -> dict[str, int]:
    return {
        **dataclasses.asdict(coverage),
        "stale": coverage.stale,
        "words_left": coverage.words_left,
        "percent": coverage.percent,
    }


def _row(name: str, one: counting.Coverage) -> tuple[str, ...]:
    numbers = (one.messages, one.translated, one.fuzzy, one.missing, one.stale, one.words, one.words_left)
    return (name, *(f"{number:,}" for number in numbers), str(one.percent))


def _notes_on_templates(project: Project) -> list[str]:
    """Say how much of what is stale can be seen."""
    templates = list(project.templates_folder.rglob("*.pot"))
    if not templates:
        return ["Without templates, texts that are new on a page are not seen: add --extract to see them."]
    pages = [path for suffix in ("md", "rst", "ipynb") for path in project.docs.rglob(f"*.{suffix}")]
    newest = max((path.stat().st_mtime_ns for path in pages), default=0)
    if newest > max(path.stat().st_mtime_ns for path in templates):
        return ["A page is newer than the templates: add --extract to see what has changed since."]
    return []


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(columns(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        name = row[0] + " " * (widths[0] - columns(row[0]))
        numbers = [
            " " * (width - columns(cell)) + cell for cell, width in zip(row[1:], widths[1:], strict=True)
        ]
        print("  ".join([name, *numbers]).rstrip())


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: Chinese characters take two.

    Examples
    --------
    >>> columns("歌 a")
    4
    """
    return sum(
        0
        if unicodedata.category(sign) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(sign) in "WF"
        else 1
        for sign in text
    )


def _speaks_chinese() -> bool:
    name = system_locale.getlocale()[0] or os.environ.get("LANG", "")
    # Windows writes the names of languages out.
    return name.startswith(("zh", "Chinese"))
