"""The songs of the course itself: whole, readable, singable, and as their pages say."""

import itertools
from itertools import groupby
from pathlib import Path

import pytest

from edukit.lyrics import load, read_aloud
from edukit.sphinxext.song.jianpu import read_melody

SONGS = sorted(Path(__file__).parents[2].joinpath("docs/songs").glob("*.lrc"))
CHINESE = [path for path in SONGS if load(path).language.startswith("zh")]
GARDEN, PLACE, TONES = SONGS

# How high a syllable is said, as the mean of where its tone begins and ends on the five levels of Chao:
# 55, 35, 21, 51. A light syllable takes its height from the one before it, and is left out.
HEIGHT = {1: 5, 2: 4, 3: 1.5, 4: 3}


def named(path):
    return path.stem


@pytest.mark.parametrize("path", SONGS, ids=named)
def test_every_line_has_its_reading_and_translation(path):
    song = load(path)
    assert song.findings == ()
    assert song.rights.startswith("own")
    assert song.lines
    for line in song.lines:
        assert line.translation
        if path in CHINESE:
            assert [s for s in read_aloud(line) if s.tone is None] == []


def melody_of(path):
    song = load(path)
    counts = [len(read_aloud(line)) if path in CHINESE else None for line in song.lines]
    return song, read_melody(path.with_suffix(".jianpu").read_text(encoding="utf-8"), counts)


@pytest.mark.parametrize("path", SONGS, ids=named)
def test_the_times_of_the_file_are_those_of_the_tune(path):
    song, melody = melody_of(path)
    begins = [next(notes).start for _, notes in groupby(melody.notes, key=lambda note: note.line)]
    times = [start * 60_000 / melody.tempo for start in begins]
    assert [line.start for line in song.lines] == pytest.approx(times, abs=5)
    last = melody.notes[-1]
    assert (last.start + last.beats) % melody.bar == 0


@pytest.mark.parametrize("path", CHINESE, ids=named)
def test_the_tune_goes_with_the_tones(path):
    song, melody = melody_of(path)
    against = pairs = 0
    for number, line in enumerate(song.lines):
        tones = [HEIGHT.get(syllable.tone) for syllable in read_aloud(line)]
        pitches = [note.pitch for note in melody.notes if note.line == number]
        for (said, next_said), (sung, next_sung) in zip(
            itertools.pairwise(tones), itertools.pairwise(pitches), strict=True
        ):
            pairs += 1
            if None not in (said, next_said):
                against += (next_said - said) * (next_sung - sung) < 0
    assert against / pairs <= 0.15  # 0.3 would do; the pages say "hardly ever"
    assert pairs > 50


@pytest.mark.parametrize("path", SONGS, ids=named)
def test_a_singer_can_sing_it(path):
    _, melody = melody_of(path)
    pitches = [note.pitch for note in melody.notes]
    assert max(pitches) - min(pitches) <= 12
    for line, notes in groupby(melody.notes, key=lambda note: note.line):
        *_, last = notes
        assert last.beats >= 2, f"line {line + 1} leaves no time to breathe"


def test_a_garden_of_words_fits_its_tune_and_rhymes():
    for section, lines in groupby(load(GARDEN).lines, key=lambda line: line.section):
        readings = [read_aloud(line) for line in lines]
        length = 7 if section == "Refrain" else 9
        assert [len(reading) for reading in readings] == [length] * 4
        rhymes = [reading[-1].pinyin[-1] in "aāáǎà" for reading in readings]
        assert rhymes == [True, True, False, True]


def test_four_tones_has_seven_syllables_in_each_line_and_rhymes():
    plain = str.maketrans("āáǎàōóǒòūúǔù", "aaaaoooouuuu")
    finals = []
    for line in load(TONES).lines:
        syllables = read_aloud(line)
        assert len(syllables) == 7
        finals.append(syllables[-1].pinyin.translate(plain))
    for stanza, rhyme in [(finals[:4], "ao"), (finals[4:8], "ou"), (finals[8:12], "a")]:
        assert [word.endswith(rhyme) for word in stanza].count(True) >= 3
        assert stanza[-1].endswith(rhyme)


def test_every_word_has_a_place_has_a_foot_in_every_bar():
    song, melody = melody_of(PLACE)
    for number, line in enumerate(song.lines):
        notes = [note for note in melody.notes if note.line == number]
        # Four bars a line, of which the last holds one long note: at most ten syllables.
        assert sum(note.beats for note in notes) == 4 * melody.bar
        assert notes[-1].beats == melody.bar
        assert 8 <= len(notes) <= 10
        words = [word for word in line.text.split() if word.strip("–")]
        assert len(words) <= len(notes)
