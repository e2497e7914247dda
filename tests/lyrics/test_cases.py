"""The cases that every reader of lyric files has to agree on.

``tests/lyrics/cases`` holds lyric files in the forms that are also read in a page of the site: text
(``.txt``) and LRC (``.lrc``), all UTF-8. Beside each stands what it must be read as, ``NAME.EXT.json``:

- ``format``: ``pairs``, ``bullets``, ``plain`` or ``lrc``;
- ``title`` (the file's name without its ending where the file has none), ``language``, ``people`` (pairs of
  role and name), ``source``, ``rights``;
- ``lines``: for each its ``text``, ``translation``, ``reading``, ``start``, ``end`` (milliseconds, null
  where there is none), ``words`` (triples of text, start, end) and ``section``;
- ``findings``: for each its ``code``, ``line`` and ``column``, both counted from 1 in the file, in the
  order of their places. A column counts characters (code points), not UTF-16 units.

A reader in another language passes when it gives the same. A new case: add the file, run

    EDUKIT_WRITE_CASES=1 pytest tests/lyrics/test_cases.py

and read the JSON that appears before it is committed: it is right because somebody looked at it.
"""

import json
import os
from pathlib import Path

import pytest

from edukit.lyrics import Song, load

CASES = Path(__file__).parent / "cases"
FILES = sorted([*CASES.glob("*.txt"), *CASES.glob("*.lrc")])


def as_json(song: Song) -> dict:
    return {
        "format": song.format,
        "title": song.title,
        "language": song.language,
        "people": [list(person) for person in song.people],
        "source": song.source,
        "rights": song.rights,
        "lines": [
            {
                "text": line.text,
                "translation": line.translation,
                "reading": line.reading,
                "start": line.start,
                "end": line.end,
                "words": [[word.text, word.start, word.end] for word in line.words],
                "section": line.section,
            }
            for line in song.lines
        ],
        "findings": [
            {"code": finding.code, "line": finding.line, "column": finding.column}
            for finding in song.findings
        ],
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_case(path):
    read = as_json(load(path))
    expected = path.with_name(f"{path.name}.json")
    if os.environ.get("EDUKIT_WRITE_CASES"):
        expected.write_text(json.dumps(read, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert read == json.loads(expected.read_text(encoding="utf-8"))


def test_every_expectation_has_its_case():
    assert {path.name for path in CASES.glob("*.json")} == {f"{path.name}.json" for path in FILES}
