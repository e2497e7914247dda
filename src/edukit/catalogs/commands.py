"""The commands ``edukit translate update, status, check, edit``.

Exit status: 0 when nothing was found, 1 with findings, 2 when a command was used wrongly.
"""

import argparse
import dataclasses
import difflib
import json
import locale as system_locale
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import counting, sheets, updating
from .checking import check, check_catalog, rules_of
from .findings import KINDS, Finding
from .pofile import Catalog, CatalogError, read, save
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
    languages = [_language(one, project) for one in options.language] or project.languages
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


def _language(written: str, project: Project) -> str:
    """Return a language as its folder is called: zh-CN, as on the web, is zh_CN there."""
    if project.folder(written).is_dir():
        return written
    plain = written.replace("-", "_")
    return next((one for one in project.languages if one.casefold() == plain.casefold()), plain)


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
    for language in languages:
        if project.asked and language not in project.asked:
            asked = " and ".join(project.asked)
            print(
                f"bilingual_languages in {_shown(project.conf / 'conf.py')} names {asked} only: "
                f"no reader sees the catalogs for {language} until it stands there too",
                file=sys.stderr,
            )
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
    left = {
        path: alone
        for language in languages
        for path, alone in updating.orphans(project.templates_folder, project.folder(language)).items()
    }
    if options.json:
        _dump([{**dataclasses.asdict(change), "path": str(change.path)} for change in changes])
        return 0
    if not changes:
        print("The catalogs are up to date.")
    for change in changes:
        if not change.is_of_texts:
            print(f"{_shown(change.path)}: the same texts; what is said of their places is new")
            continue
        print(
            f"{_shown(change.path)}: {change.added} new, {change.removed} gone, "
            f"{change.untranslated} to translate"
        )
        if change.fuzzy:
            print(
                f"    {_count(change.fuzzy, 'changed text')}: the old translation is kept, marked as fuzzy"
            )
        if change.twice:
            print(
                f"    {_count(change.twice, 'text')} with two translations: the one that is not used is in "
                "a comment (# another translation: …)"
            )
        if change.restored:
            print(f"    {_count(change.restored, 'text')} as before again: translated as before")
        for name, number in change.taken.items():
            print(f"    {_count(number, 'translation')} taken over from {name}")
    for path, alone in left.items():
        what = (
            f"{_count(alone, 'translation')} in it {'stands' if alone == 1 else 'stand'} nowhere else: "
            "look at them before you delete it"
            if alone
            else "all that it holds stands in other catalogs: it can be deleted"
        )
        print(f"{_shown(path)}: belongs to no page any more; {what}")
    return 0


def extract(project: Project) -> None:
    """Collect the texts of all pages into the project's folder of templates.

    Raises
    ------
    CatalogError
        Sphinx has failed; what it said is in the error.
    """
    folder = project.templates_folder
    folder.mkdir(parents=True, exist_ok=True)
    # They are made elsewhere first: what fails leaves those that are there, and a page that was deleted
    # leaves none behind. The place is as deep, since templates name pages by the way from there. What
    # Sphinx has read stays, so that the next time it reads only what has changed.
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f"{folder.name}-") as made:
        command = [sys.executable, "-m", "sphinx", "-q", "-b", "gettext", "-c", str(project.conf)]
        command += ["-d", str(folder / ".doctrees"), str(project.docs), made]
        done = subprocess.run(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUTF8": "1"},
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        said = _essence(done.stderr)
        print(said, end="", file=sys.stderr)
        if done.returncode:
            why = "Sphinx says why above" if said.strip() else f"Sphinx ended with status {done.returncode}"
            raise _WrongUseError(f"the texts could not be collected: {why}")
        for path in folder.rglob("*.pot"):
            path.unlink()
        for path in Path(made).rglob("*.pot"):
            target = folder / path.relative_to(made)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.replace(target)


def _essence(said: str) -> str:
    """Return what Sphinx has said, without the report that it would have its own developers read."""
    before, report, rest = said.partition("\nVersions\n========\n")
    if not report:
        return said
    why, _, rest = rest.partition("\nTraceback\n=========\n")[2].partition("\n\n\nThe full traceback")
    full = re.search(r"^\S.*\.log$", rest, re.MULTILINE)
    more = f"All of it: {full[0]}\n" if full else ""
    return f"{before}{textwrap.dedent(why).strip()}\n{more}"


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
        language: counting.total(one.coverage for one in pages if one.has_page)
        for language, pages in found.items()
    }
    if options.json:
        _dump(
            [
                {
                    "language": language,
                    "total": _as_dict(totals[language]),
                    "pages": [
                        {
                            "page": one.page,
                            "path": _shown(one.path),
                            "has_page": one.has_page,
                            **_as_dict(one.coverage),
                        }
                        for one in pages
                    ],
                    "notes": notes,
                }
                for language, pages in found.items()
            ]
        )
    else:
        for language, pages in found.items():
            shown = [
                one for one in pages if one.has_page and not (options.left and one.coverage.is_complete)
            ]
            rows = [
                _HEAD,
                *(_row(one.page, one.coverage) for one in shown),
                _row(f"all of {language}", totals[language]),
            ]
            _print_table(rows)
            print()
            for one in pages:
                if not one.has_page:
                    print(f"{_shown(one.path)}: belongs to no page and is not counted")
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
    built = project.templates_folder.parent
    pages = (path for suffix in ("md", "rst", "ipynb") for path in project.docs.rglob(f"*.{suffix}"))
    newest = max((path.stat().st_mtime_ns for path in pages if built not in path.parents), default=0)
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
    # What is asked for counts, be it installed on this machine or not.
    asked = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next(filter(None, asked), "") or system_locale.getlocale()[0] or ""
    # Windows writes the names of languages out.
    return name.startswith(("zh", "Chinese"))


# -- edukit translate check ------------------------------------------------------------------------------


def _add_check(actions: Any) -> None:
    parser = _action(
        actions,
        "check",
        _check,
        "tell what is wrong in the translations",
        "Hold each translation to its source: placeholders, roles, formulas, code, links, numbers, "
        "brackets; to the rules of its language: the width of marks, spaces, the script; and to the "
        "glossary. Each finding has a code; a comment '# edukit: ignore CODE' above a message rules it out "
        "there. Exit status 1 when something was found.",
    )
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="only these, such as guide/index")
    parser.add_argument(
        "--code", action="append", default=[], metavar="CODE", help="only findings of this kind"
    )
    parser.add_argument("--templates", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)


def _check(options: argparse.Namespace) -> int:
    project = _project(options)
    languages = _languages(options, project)
    for code in options.code:
        if code not in KINDS:
            raise _WrongUseError(f"there is no finding {code!r}; there are {', '.join(KINDS)}")
    found = [
        finding
        for language in languages
        if (pages := _pages(options.pages, project, language)) or not options.pages
        for finding in check(project, language, pages=pages)
        if not options.code or finding.code in options.code
    ]
    if options.json:
        _dump([{**dataclasses.asdict(finding), "path": _shown(finding.path)} for finding in found])
    else:
        for finding in found:
            _print_finding(finding)
        kinds = Counter(finding.code for finding in found)
        counted = ", ".join(f"{code} {number}" for code, number in kinds.most_common())
        print(f"{_count(len(found), 'finding')}: {counted}" if found else "Nothing was found.")
    return 1 if found else 0


def _print_finding(one: Finding) -> None:
    chinese = _speaks_chinese()
    source = f"  ({one.source})" if one.source else ""
    message = one.message_zh if chinese else one.message_en
    print(f"{_shown(one.path)}:{one.line}: [{one.code}] {message}{source}")
    print(f"    {_excerpt(one.message)}")
    if one.translation:
        print(f"    {_excerpt(one.translation)}")
    print(f"    → {one.mend_zh if chinese else one.mend_en}")


def _excerpt(text: str, width: int = 100) -> str:
    """Return as much of a text as fits into some columns of a terminal."""
    text = " ".join(text.split())
    text = "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
    if columns(text) <= width:
        return text
    while columns(text) > width - 1:
        text = text[:-1]
    return f"{text}…"


def _pages(given: Sequence[str], project: Project, language: str) -> list[str]:
    """Return the names of catalogs for pages, which may be given as paths of either too.

    A catalog of another language is left out.
    """
    names = []
    for text in given:
        path = Path(text).resolve()
        ways = [Path(text.replace("\\", "/").removeprefix("./")).as_posix()]
        if path.is_relative_to(project.locale):
            [folder, *rest] = path.relative_to(project.locale).parts or ("",)
            if folder != language and folder in project.languages:
                continue
            ways.append("/".join(rest[1:]))
        elif path.is_relative_to(project.docs):
            ways.append(path.relative_to(project.docs).as_posix())
        if path.is_file():
            ways.reverse()
        ways = [re.sub(r"\.(po|md|rst|ipynb|html)$", "", way) for way in ways]
        names.append(_catalog_of(ways, project, language))
    return list(dict.fromkeys(names))


def _catalog_of(ways: Sequence[str], project: Project, language: str) -> str:
    """Return the name of the catalog of a page, which can be called in some ways."""
    for name in ways:
        if name and project.catalog_path(language, name).is_file():
            return name
    for page in ways:
        name = project.catalog_of(page)
        if project.page_file(page) and project.catalog_path(language, name).is_file():
            print(
                f"{page}: its texts stand in the catalog {name}, with those of other pages", file=sys.stderr
            )
            return name
    near = difflib.get_close_matches(ways[-1], _names(project.folder(language)), n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise _WrongUseError(f"there is no page {ways[-1]} with a {language} catalog{hint}")


def _names(folder: Path) -> list[str]:
    return [path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.po")]


# -- edukit translate edit -------------------------------------------------------------------------------


def _add_edit(actions: Any) -> None:
    parser = _action(
        actions,
        "edit",
        _edit,
        "write one page as a table or a text to fill in, and read it back",
        "Write a page as a table (.csv, for a spreadsheet) or a text (.md) with each source beside its "
        "translation. With --from, read such a file back into the catalog: only what was changed in it is "
        "taken, and what has changed in the page or the catalog meanwhile is told. Exit status 1 when "
        "there is something to look at.",
    )
    parser.add_argument("page", metavar="PAGE", help="such as guide/index")
    parser.add_argument("--from", type=Path, dest="file", metavar="FILE", help="read this file back")
    parser.add_argument(
        "--to", type=Path, metavar="FILE", help="write here; otherwise beside you, by the page's name"
    )
    parser.add_argument(
        "--format", choices=["csv", "md"], help="what to write; otherwise by the name of the file"
    )
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    parser.add_argument("--templates", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)


def _edit(options: argparse.Namespace) -> int:
    project = _project(options)
    languages = _languages(options, project)
    if len(languages) > 1:
        raise _WrongUseError(f"name one of the languages: --language {' or '.join(languages)}")
    [language] = languages
    pages = _pages([options.page], project, language)
    if not pages:
        raise _WrongUseError(f"{options.page} is the catalog of another language than {language}")
    [page] = pages
    if options.file is not None:
        return _read_back(options, project, language, page)
    return _write_sheet(options, project, language, page)


_FORMS = {".csv": "csv", ".md": "md", ".markdown": "md"}


def _memory(project: Project, language: str, page: str, path: Path) -> tuple[Path, str]:
    """Return where it is kept what was read of a sheet, and by which name."""
    return project.templates_folder / ".sheets.json", f"{language} {page} {project.shown(path.resolve())}"


def _write_sheet(options: argparse.Namespace, project: Project, language: str, page: str) -> int:
    path = options.to or Path(f"{page.replace('/', '-')}.{language}.{options.format or 'csv'}")
    form = _FORMS.get(path.suffix.lower())
    if form is None or form != (options.format or form):
        raise _WrongUseError(
            f"{_shown(path)}: the name of a table ends in .csv, which spreadsheet programs open too, "
            "and that of a text in .md"
        )
    if form == "md" and path.resolve().is_relative_to(project.docs.resolve()):
        raise _WrongUseError(
            f"{_shown(path)} would become a page of the site: write it outside of the folder of the "
            f"pages, such as --to {os.path.relpath(project.docs.resolve().parent / path.name)}"
        )
    if path.exists() and not options.force:
        raise _WrongUseError(
            f"{_shown(path)} is there already, perhaps with work in it: read it back with --from, "
            "or give --force"
        )
    catalog = read(project.catalog_path(language, page))
    rows = sheets.rows_of(catalog)
    if form == "csv":
        # The mark at the beginning lets spreadsheets read Chinese as what it is.
        text = sheets.to_csv(rows, project.source, language)
        path.write_text(text, encoding="utf-8-sig", newline="")
    else:
        text = sheets.to_markdown(rows, project.source, language, page)
        path.write_text(text, encoding="utf-8", newline="\n")
    left = sum(not row.translation or bool(row.note) for row in rows)
    if options.json:
        _dump(
            {"path": _shown(path), "page": page, "language": language, "messages": len(rows), "left": left}
        )
    else:
        print(f"{_shown(path)}: {_count(len(rows), 'message')}, {left} to translate or to look at again")
        command = f"edukit translate edit {page} --language {language} --from {_shown(path)}"
        print(f"When it is filled in: {command}")
    return 0


def _read_back(options: argparse.Namespace, project: Project, language: str, page: str) -> int:
    catalog = read(project.catalog_path(language, page))
    memory = _memory(project, language, page, options.file)
    try:
        text, encoding = sheets.decoded(options.file.read_bytes())
        is_text = (options.format or _FORMS.get(options.file.suffix.lower())) == "md"
        rows = (
            sheets.from_markdown(text, language)
            if is_text
            else sheets.from_csv(text, project.source, language)
        )
        _refuse_another_page(rows, catalog, project, language, page)
        reading = sheets.read_back(catalog, rows, encoding=encoding, agreed=sheets.recalled(*memory))
    except sheets.SheetError as error:
        raise _WrongUseError(f"{_shown(options.file)}: {error}") from None
    save(reading.catalog)
    sheets.remember(*memory, reading.agreed)
    # The lines of the catalog are those of the file as it is now.
    catalog = read(reading.catalog.path)
    taken = {message.key for message in reading.taken}
    part = dataclasses.replace(catalog, messages=tuple(one for one in catalog.messages if one.key in taken))
    findings = list(check_catalog(part, language, rules_of(project, language), page=page))
    left = sum(not message.is_translated for message in catalog.messages)
    if options.json:
        _dump(
            {
                "path": _shown(catalog.path),
                "taken": len(reading.taken),
                "left": left,
                "remarks": [dataclasses.asdict(remark) for remark in reading.remarks],
                "findings": [{**dataclasses.asdict(one), "path": _shown(one.path)} for one in findings],
            }
        )
    else:
        for remark in reading.remarks:
            print(f"{_shown(options.file)}: {remark.place}: {remark.message}")
            print(f"    {_excerpt(remark.source)}")
            print(f"    → {remark.mend}")
        for finding in findings:
            _print_finding(finding)
        print(
            f"{_shown(catalog.path)}: {_count(len(reading.taken), 'translation')} taken, {left} left to do"
        )
    return 1 if reading.remarks or findings else 0


def _refuse_another_page(
    rows: Sequence[sheets.Row], catalog: Catalog, project: Project, language: str, page: str
) -> None:
    own = sheets.known(catalog, rows)
    if not rows or 2 * own >= len(rows):
        return
    others = {name: sheets.known(one, rows) for name, one in project.catalogs(language).items()}
    other = max(others, key=lambda name: others[name])
    if others[other] > max(2 * own, len(rows) // 2):
        raise sheets.SheetError(f"this is of the page {other}, not of {page}; nothing was taken")
    if not own:
        raise sheets.SheetError(
            f"no text of it stands on the page {page}: write it anew; nothing was taken"
        )
