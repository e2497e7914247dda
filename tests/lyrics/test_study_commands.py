import json
import os
import zipfile

import pytest

from edukit.cli import main

WRONG = "[la:zh-Hans]\n[00:01.00]种下绿草\n[00:01.00]zhong xia lv cao\n[00:01.00]plant grass\n"
WRONG += "[00:02.00]种下了\n[00:02.00]zhong xia liao\n[00:02.00]planted\n"
RIGHT = WRONG.replace("lv", "lü").replace("liao", "le")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "歌.lrc"
    path.write_text(WRONG, encoding="utf-8")
    return path


def run(*arguments):
    return main(["lyrics", *map(str, arguments)])


def test_what_is_found_is_printed_at_its_line(path, capsys):
    assert run("proofread", path) == 1
    printed = capsys.readouterr().out
    assert "sung line 1: 种下绿草" in printed
    assert "“lv” has a v for ü: lü. (column 11)" in printed
    assert "sung line 2: 种下了" in printed
    assert "decide which is sung" in printed


def test_nothing_found(path, capsys):
    path.write_text(RIGHT, encoding="utf-8")
    assert run("proofread", path.parent) == 0
    assert "nothing found" in capsys.readouterr().out


def test_what_is_found_as_json(path, capsys):
    assert run("proofread", "--json", path) == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert row["path"].endswith("歌.lrc")
    assert [(one["line"], one["code"], one["expected"]) for one in row["findings"]] == [
        (1, "reading-v", "lü"),
        (2, "reading-other", "le"),
    ]
    assert row["findings"][1]["message_zh"]


def test_a_decision_is_stored_and_the_song_is_not_changed(path, capsys):
    assert run("proofread", "--accept", "--line", 2, path) == 0
    assert "accepted" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == WRONG
    assert run("proofread", path) == 1
    assert "liao" not in capsys.readouterr().out.replace("zhong xia liao", "")
    assert run("proofread", "--accept", path) == 0
    assert run("proofread", path) == 0
    # The second time the first decision was kept.
    place = path.with_name("歌.lrc.decisions.toml")
    assert place.read_text(encoding="utf-8").count("[[decision]]") == 2


def test_decisions_that_are_broken(path, capsys):
    path.with_name("歌.lrc.decisions.toml").write_text("version = 9\n", encoding="utf-8")
    assert run("proofread", path) == 1
    assert "歌.lrc.decisions.toml" in capsys.readouterr().out


@pytest.mark.parametrize("action", ["proofread", "prepare", "anki"])
def test_a_file_that_cannot_be_read(tmp_path, capsys, action):
    bad = tmp_path / "song.lrc"
    bad.write_bytes(b"\0\1\2")
    assert run(action, bad) == 1
    assert "song.lrc" in capsys.readouterr().out
    assert run(action, "--json", bad) == 1
    assert json.loads(capsys.readouterr().out)[0]["error"]["code"] == "binary"
    assert run(action, tmp_path / "none.lrc") == 2


def test_an_annotated_file_with_the_teacher_s_meanings(path, capsys):
    path.with_name("歌.lrc.glosses.csv").write_text("绿草,green grass\n", encoding="utf-8")
    assert run("prepare", path.parent) == 0
    made = path.with_name("歌.lrc.song.json")
    assert made.as_posix() in capsys.readouterr().out
    data = json.loads(made.read_text(encoding="utf-8"))
    assert ["绿草", "lǜcǎo", "green grass"] in [entry[:3] for entry in data["vocabulary"]]
    # What was made is not taken for a song, nor is the table.
    assert run("prepare", path.parent) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_a_deck_is_as_new_as_its_song(path, capsys):
    os.utime(path, (1_700_000_000, 1_700_000_000))
    target = path.with_name("deck.apkg")
    assert run("anki", "--output", target, path) == 0
    first = target.read_bytes()
    assert run("anki", "--output", target, "--json", path) == 0
    assert target.read_bytes() == first
    os.utime(path, (1_700_000_100, 1_700_000_100))
    assert run("anki", "--output", target, path) == 0
    assert target.read_bytes() != first
    assert zipfile.is_zipfile(target)


def test_one_output_for_two_songs_is_wrong_use(path, capsys):
    (path.parent / "b.lrc").write_text(RIGHT, encoding="utf-8")
    assert run("anki", "--output", path.with_name("x.apkg"), path.parent) == 2
    assert run("prepare", "--output", path.parent / "no" / "x.json", path) == 2
    assert "cannot be written" in capsys.readouterr().err
