"""The ``edukit`` command.

Exit status: 0 when nothing was found, 1 with findings, 2 when the command was used wrongly.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from edukit import __version__, catalogs


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="edukit", description="Tools for bilingual course sites built with Sphinx."
    )
    parser.add_argument("--version", action="version", version=f"edukit {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _add_translate(commands)
    options = parser.parse_args(arguments)
    status: int = options.run(options)
    return status


# -- edukit translate ------------------------------------------------------------------------------------


def _add_translate(commands: Any) -> None:
    translate = commands.add_parser("translate", help="look after the translations")
    actions = translate.add_subparsers(dest="action", metavar="ACTION", required=True)
    update = actions.add_parser(
        "update",
        help="bring the catalogs up to date with the pages",
        description="Merge the templates that sphinx-build -b gettext has made into the catalogs. New "
        "texts are added, changed ones keep their old translation marked as fuzzy, and what has gone "
        "is kept at the end of the file.",
    )
    update.add_argument("--templates", type=Path, default=Path("_build/gettext"), metavar="FOLDER")
    update.add_argument("--locale", type=Path, default=Path("docs/locale"), metavar="FOLDER")
    update.add_argument(
        "--language", action="append", default=[], help="only this one; also to begin a new one"
    )
    update.add_argument("--json", action="store_true", help="print the changes as JSON")
    update.set_defaults(run=_translate_update)


def _translate_update(options: argparse.Namespace) -> int:
    if not options.templates.is_dir():
        return _wrong(
            f"{options.templates} has no templates: make them first with "
            "sphinx-build -b gettext (here: make catalogs)"
        )
    languages = options.language or sorted(
        path.parent.name for path in options.locale.glob("*/LC_MESSAGES")
    )
    if not languages:
        return _wrong(f"{options.locale} has no language yet: name one, such as --language zh_CN")
    changes = []
    try:
        for language in languages:
            folder = options.locale / language / "LC_MESSAGES"
            changes += list(catalogs.update(options.templates, folder, language))
    except catalogs.CatalogError as error:
        return _wrong(str(error))
    if options.json:
        print(json.dumps([{**_as_dict(change)} for change in changes], ensure_ascii=False, indent=2))
    elif not changes:
        print("The catalogs are up to date.")
    else:
        for change in changes:
            print(
                f"{change.path}: {change.added} new, {change.removed} gone, "
                f"{change.untranslated} to translate"
            )
    return 0


def _as_dict(change: catalogs.Change) -> dict[str, object]:
    return {
        "path": str(change.path),
        "added": change.added,
        "removed": change.removed,
        "untranslated": change.untranslated,
    }


def _wrong(message: str) -> int:
    print(f"edukit: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
