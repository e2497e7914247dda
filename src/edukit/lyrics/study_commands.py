"""``edukit lyrics proofread``, ``prepare`` and ``anki``: what needs dictionaries."""

import argparse
import dataclasses
from pathlib import Path
from typing import Any

from edukit.lyrics import terminal
from edukit.lyrics.commands import add_action, error_as_dict, load_all, print_error, print_json
from edukit.lyrics.model import Finding, LyricsError, Song


def add_study(actions: Any) -> None:
    """Add the actions to those of ``edukit lyrics``."""
    _add_proofread(actions)
    _add_prepare(actions)
    _add_anki(actions)


# -- edukit lyrics proofread -----------------------------------------------------------------------------


def _add_proofread(actions: Any) -> None:
    parser = add_action(
        actions,
        "proofread",
        _proofread,
        help="tell what seems wrong in a song",
        description="Hold typed pinyin against the characters and English against a dictionary, and tell "
        "what else seems wrong. Nothing is changed. With --accept, what is told is taken for right from "
        "now on: the decisions are kept in SONG.decisions.toml beside the song. Exit status 1 on findings.",
    )
    parser.add_argument("--accept", action="store_true", help="take what is told for right from now on")
    parser.add_argument(
        "--line", type=int, action="append", metavar="N", help="only this sung line; may be repeated"
    )


def _proofread(options: argparse.Namespace) -> int:
    from edukit.lyrics.decisions import decide, load_decisions, save_decisions
    from edukit.lyrics.proof import proofread

    rows: list[dict[str, Any]] = []
    found = False
    for path, song in load_all(options):
        try:
            if isinstance(song, LyricsError):
                raise song
            decisions = load_decisions(path)
            findings = [
                finding
                for finding in proofread(song, decisions=decisions)
                if not options.line or finding.line in options.line
            ]
            if options.accept and findings:
                save_decisions(path, (*decisions, *decide(song, findings)))
        except LyricsError as error:
            found = True
            rows.append({"path": path.as_posix(), "error": error_as_dict(error)})
            if not options.json:
                print_error(error)
            continue
        except OSError as error:
            raise terminal.WrongUseError(f"the decisions cannot be written: {error}") from None
        # What the reader found in the pinyin is told again here, syllable by syllable.
        reading = [
            finding
            for finding in song.findings
            if not options.line and not finding.code.startswith("reading-")
        ]
        found = found or bool(reading) or (bool(findings) and not options.accept)
        rows.append(
            {
                "path": path.as_posix(),
                "accepted": len(findings) if options.accept else 0,
                "reading": [dataclasses.asdict(finding) for finding in reading],
                "findings": [dataclasses.asdict(finding) for finding in findings],
            }
        )
        if not options.json:
            _print_findings(path, song, reading, findings, accepted=options.accept)
    if options.json:
        print_json(rows)
    return int(found)


def _print_findings(
    path: Path, song: Song, reading: list[Finding], findings: list[Finding], *, accepted: bool
) -> None:
    name = terminal.plain(path.as_posix())
    for finding in reading:
        print(
            terminal.painted(f"! {name}:{finding.line}:{finding.column}: {finding.message_en}", "finding")
        )
    last = 0
    for finding in findings:
        line = song.lines[finding.line - 1]
        if finding.line != last:
            last = finding.line
            texts = [line.text, line.reading, line.translation]
            shown = "  ".join(terminal.plain(text) for text in texts if text)
            print(terminal.painted(f"{name}, sung line {finding.line}: ", "dim") + shown)
        mark, style = ("✓ accepted:", "good") if accepted else ("!", "finding")
        print(terminal.painted(f"  {mark} {finding.message_en} (column {finding.column})", style))
    if not reading and not findings:
        print(terminal.painted(f"✓ {name}: nothing found", "good"))


# -- edukit lyrics prepare -------------------------------------------------------------------------------


def _add_prepare(actions: Any) -> None:
    parser = add_action(
        actions,
        "prepare",
        _prepare,
        help="make an annotated file that a page opens in full",
        description="Write a song with readings, meanings and levels to SONG.song.json, which every song "
        "page opens. Meanings in SONG.glosses.csv (rows of a word and its meaning) win over the "
        "dictionary's.",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="the file to write, for a single song")


def _prepare(options: argparse.Namespace) -> int:
    from edukit.lyrics.annotated import prepare, prepared_path, save_prepared

    def write(song: Song, glosses: dict[str, str], path: Path, target: Path) -> None:
        save_prepared(prepare(song, glosses=glosses), target)

    return _make(options, prepared_path, write)


# -- edukit lyrics anki ----------------------------------------------------------------------------------


def _add_anki(actions: Any) -> None:
    parser = add_action(
        actions,
        "anki",
        _anki,
        help="make a deck of cards for Anki",
        description="Write the lines and words of a song to SONG.apkg. Imported again, a deck mends the "
        "cards that are there. Meanings in SONG.glosses.csv (rows of a word and its meaning) win over the "
        "dictionary's.",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="the file to write, for a single song")


def _anki(options: argparse.Namespace) -> int:
    from edukit.lyrics.deck import to_anki
    from edukit.lyrics.glossary import glosses_path

    def write(song: Song, glosses: dict[str, str], path: Path, target: Path) -> None:
        # Anki replaces a card by a newer one: the deck is as new as what it was made from.
        made_from = [place for place in (path, glosses_path(path)) if place.exists()]
        changed = max(place.stat().st_mtime for place in made_from)
        to_anki(song, target, glosses=glosses, timestamp=int(changed))

    return _make(options, lambda path: path.with_name(f"{path.name}.apkg"), write)


def _make(options: argparse.Namespace, place_of: Any, write: Any) -> int:
    """Write a file for each song, and return the exit status."""
    from edukit.lyrics.glossary import load_glosses

    songs = list(load_all(options))
    if options.output and len(songs) > 1:
        raise terminal.WrongUseError(f"--output is for a single song, and there are {len(songs)}")
    rows: list[dict[str, Any]] = []
    failed = False
    for path, song in songs:
        try:
            if isinstance(song, LyricsError):
                raise song
            target = options.output or place_of(path)
            write(song, load_glosses(path), path, target)
        except LyricsError as error:
            failed = True
            rows.append({"path": path.as_posix(), "error": error_as_dict(error)})
            if not options.json:
                print_error(error)
            continue
        except OSError as error:
            raise terminal.WrongUseError(
                f"{terminal.plain(str(target))} cannot be written: {error}"
            ) from None
        rows.append({"path": path.as_posix(), "made": target.as_posix()})
        if not options.json:
            print(terminal.painted(f"✓ {terminal.plain(target.as_posix())}", "good"))
    if options.json:
        print_json(rows)
    return int(failed)
