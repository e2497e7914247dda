"""Melodies in numbered notation: what a note is, where the bars end, and what is told of a slip."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.lyrics import load
from edukit.sphinxext.song.data import parts_of
from edukit.sphinxext.song.jianpu import JianpuError, read_melody
from tests.conftest import ROOT


def notes(rows: str, head: str = "1=C 4/4 90", syllables=(None,) * 9):
    return [
        (note.pitch, float(note.start), float(note.beats))
        for note in read_melody(f"{head}\n{rows}", syllables).notes
    ]


def test_the_scale_from_every_key():
    assert [pitch for pitch, *_ in notes("1 2 3 4 | 5 6 7 1' |")] == [60, 62, 64, 65, 67, 69, 71, 72]
    assert [pitch for pitch, *_ in notes("1 5, #4 b7,", head="1=G 4/4 90")] == [67, 62, 73, 65]
    assert notes("1", head="1=bB 4/4 90")[0][0] == 58
    assert notes("1", head="1 = #F 3/4 90")[0][0] == 66


def test_lengths():
    lengths = [beats for *_, beats in notes("1_ 1__ 1__ 1_. 1__ 1. 1_ | 1 - - - |")]
    assert lengths == [0.5, 0.25, 0.25, 0.75, 0.25, 1.5, 0.5, 4]


def test_rests_pass_time_and_sound_not():
    assert notes("0 1 0_ 1_ 0 | 0 - - 1 |") == [(60, 1, 1), (60, 2.5, 0.5), (60, 7, 1)]


def test_a_hold_goes_on_over_the_bar():
    assert notes("1 1 1 1 | - - - 2 |")[3:] == [(60, 3, 4), (62, 7, 1)]


def test_lines_and_syllables():
    melody = read_melody("1=C 2/4 90\n* 0 5 |\n1 ~2_ 3_ |\n= 1\n", [2, 2])
    assert [(note.line, note.syllable) for note in melody.notes] == [
        (None, None),
        *[(0, 0), (0, 0), (0, 1)],
        *[(1, 0), (1, 0), (1, 1)],
    ]
    assert melody.beats == 6


def test_an_upbeat():
    melody = read_melody("1=C 3/4 90\n5 | 1 2 3 | 4 - - |", [None])
    assert (melody.upbeat, melody.bar, melody.tempo) == (1, 3, 90)
    assert read_melody("1=C 3/4 90\n1 2 3 | 4 - - |", [None]).upbeat == 0
    assert read_melody("1=C 6/8 90\n1_ 2_ 3_ 4_ 5_ 6_ |", [None]).bar == 3


def test_comments_and_raised_notes():
    assert notes("# a comment\n#4 1 1 1 | # the end") == [
        (66, 0, 1),
        (60, 1, 1),
        (60, 2, 1),
        (60, 3, 1),
    ]


@pytest.mark.parametrize(
    ("text", "line", "column", "told"),
    [
        ("", 1, 1, "empty"),
        ("1 2 3", 1, 1, "the first row names"),
        ("1=H 4/4 90\n1", 1, 1, "the first row names"),
        ("1=C 0/4 90\n1", 1, 1, "the first row names"),
        ("1=C 4/4 900\n1", 1, 1, "30 to 240"),
        ("1=C 4/4 90\n", 1, 1, "no notes"),
        ("1=C 4/4 90\n* 0 0 0 0 |", 1, 1, "no notes"),
        ("1=C 4/4 90\n1 2 8 |", 2, 5, "“8” is no note"),
        ("1=C 4/4 90\n1 23 |", 2, 3, "“23” is no note"),
        ("1=C 4/4 90\n* 1 2 3 4 |\n* 1 2 3 |", 3, 9, "3 quarters and not 4"),
        ("1=C 4/4 90\n1 2 3 4 5 |", 2, 11, "5 quarters and not 4"),
        ("1=C 4/4 90\n1 2 3 4 | |", 2, 11, "0 quarters and not 4"),
        ("1=C 4/4 90\n- 1", 2, 1, "there is none"),
        ("1=C 4/4 90\n~1 2", 2, 1, "follows another"),
        ("1=C 4/4 90\n1,,,,", 2, 1, "too far off"),
        ("1=C 4/4 90\n1 2\n1 2\n1 2", 4, 1, "has 2 lines"),
        ("1=C 4/4 90\n1 2\n1", 3, 1, "line 2 of the song has 2 syllables and its melody 1 notes"),
        ("1=C 4/4 90\n= 1", 2, 1, "has to name a line above"),
        ("1=C 4/4 90\n1 1\n= 2", 3, 1, "has to name a line above"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(text, line, column, told):
    with pytest.raises(JianpuError) as caught:
        read_melody(text, [2, 2])
    assert (caught.value.line, caught.value.column) == (line, column)
    assert told in caught.value.message


@settings(max_examples=60)
@given(st.text(alphabet="01234567#b',_.-|~ =*\n", max_size=60))
def test_any_signs_are_read_or_refused(rows):
    try:
        melody = read_melody(f"1=C 4/4 90\n{rows}", [None] * 60)
    except JianpuError:
        return
    for one, other in itertools.pairwise(melody.notes):
        assert one.start + one.beats <= other.start
    assert all(note.beats >= Fraction(1, 8) and 33 <= note.pitch <= 96 for note in melody.notes)


# How high a tone is on the whole, from 1 to 5; the neutral one is in the middle of what is left.
HEIGHT = {1: 5, 2: 4, 3: 1.5, 4: 3, 5: 2}


def test_the_tune_of_the_garden_follows_its_tones():
    song = load(ROOT / "docs/songs/a-garden-of-words.lrc")
    tones = [[one.tone for one in parts_of(line.text, "zh_CN", line.reading)] for line in song.lines]
    text = (ROOT / "docs/songs/a-garden-of-words.jianpu").read_text(encoding="utf-8")
    melody = read_melody(text, [len(line) for line in tones])
    sung = [note for note in melody.notes if note.line is not None]
    assert len(sung) == sum(map(len, tones))
    against = neighbours = 0
    for one, other in itertools.pairwise(sung):
        if one.line == other.line:
            rise = HEIGHT[tones[other.line][other.syllable]] - HEIGHT[tones[one.line][one.syllable]]
            neighbours += 1
            against += rise * (other.pitch - one.pitch) < 0
    assert neighbours == len(sung) - len(tones)
    assert against <= 0.3 * neighbours, (against, neighbours)
