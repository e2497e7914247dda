"""The songs of the course itself: whole, readable, and as their pages say."""

from itertools import groupby
from pathlib import Path

import pytest

from edukit.lyrics import load, read_aloud

SONGS = sorted(Path(__file__).parents[2].joinpath("docs/songs").glob("*.lrc"))


@pytest.mark.parametrize("path", SONGS, ids=lambda path: path.stem)
def test_every_line_has_its_reading_and_translation(path):
    song = load(path)
    assert song.findings == ()
    assert song.rights.startswith("own")
    assert song.lines
    for line in song.lines:
        assert line.translation
        assert [s for s in read_aloud(line) if s.tone is None] == []


def test_a_garden_of_words_fits_its_tune_and_rhymes():
    song = load(next(path for path in SONGS if path.stem == "a-garden-of-words"))
    for section, lines in groupby(song.lines, key=lambda line: line.section):
        readings = [read_aloud(line) for line in lines]
        length = 7 if section == "Refrain" else 9
        assert [len(reading) for reading in readings] == [length] * 4
        rhymes = [reading[-1].pinyin[-1] in "aāáǎà" for reading in readings]
        assert rhymes == [True, True, False, True]
