"""The benchmark runs, says what it should, and can fail. No test looks at a time."""

import re
import sys

import pytest

from benchmarks import lyrics


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["lyrics.py", "--small", *arguments])
    return lyrics.main()


def test_it_measures_what_it_promises_and_fails_when_a_bound_is_missed(monkeypatch, capsys):
    monkeypatch.setattr(lyrics, "BOUNDS", {"cold, Chinese": 1e9, "cold, English": 1e9, "annotation": 0})
    assert run(monkeypatch, "--assert") == 1
    printed = capsys.readouterr()
    assert re.findall(r"^(\S.*?)  +\d+\.\d\d (?:s|times pypinyin)", printed.out, re.MULTILINE) == [
        "cold, Chinese",
        "cold, English",
        "annotation",
    ]
    assert printed.err == "missed: annotation\n"


def test_what_it_measures_is_a_song_with_mistakes(tmp_path):
    from edukit.lyrics import load, proofread

    for language in ("Chinese", "English"):
        path = tmp_path / "song.lrc"
        path.write_text(lyrics.song(language), encoding="utf-8")
        song = load(path)
        assert len(song.lines) == 200
        assert len(proofread(song)) >= 20
        assert all(line.translation for line in song.lines)


def test_bounds_are_those_of_the_project():
    assert {
        "cold, Chinese": 1.0,
        "cold, English": 1.0,
        "annotation": pytest.approx(4 / 3),
    } == lyrics.BOUNDS
