"""``edukit lyrics show`` and ``convert``, as they are run in a terminal."""

import json
import os
import pty
import select
import subprocess
import sys

import pytest

from edukit import cli
from edukit.lyrics import load, terminal

PAIRS = "title: Kite\nrights: own\n\nThe wind is up;风起了\nSky;天空宽\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "songs" / "more").mkdir(parents=True)
    (tmp_path / "songs" / "kite.txt").write_text(PAIRS, encoding="utf-8")
    (tmp_path / "songs" / "more" / "云.lrc").write_text(
        "[la:zh]\n[00:01.00]云走了\n[00:01.00]yún zǒu le\n[00:02\n", encoding="utf-8"
    )
    (tmp_path / "songs" / ".hidden.txt").write_text("wind", encoding="utf-8")
    (tmp_path / "songs" / "picture.png").write_bytes(b"\x89PNG")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_columns_stand_below_each_other(folder, capsys):
    assert cli.main(["lyrics", "show", "songs/kite.txt"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Kite (songs/kite.txt: pairs, utf-8)",
        "1  The wind is up  风起了",
        "2  Sky             天空宽",
        "",
    ]


def test_chinese_is_twice_as_wide(folder, capsys):
    (folder / "a.txt").write_text("• 风起了\n• fēng qǐ le\n• 天\n• tiān\n", encoding="utf-8")
    assert cli.main(["lyrics", "show", "a.txt"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:3]
    assert rows == ["1  风起了  fēng qǐ le", "2  天      tiān"]
    assert len({terminal.columns(row[: row.index(" ", 4)]) for row in rows}) == 2
    assert {terminal.columns(row.rpartition("  ")[0].rstrip()) for row in rows} == {9, 5}


def test_a_folder_is_searched_and_findings_make_the_status(folder, capsys):
    assert cli.main(["lyrics", "show", "songs"]) == 1
    out = capsys.readouterr().out
    assert "1  0:01.00  云走了  yún zǒu le" in out
    assert "! songs/more/云.lrc:4:1: This time stamp is not whole" in out
    assert "hidden" not in out
    assert "picture" not in out


def test_what_cannot_be_read_is_one_line_and_the_rest_is_shown(folder, capsys):
    (folder / "songs" / "bad.txt").write_bytes(b"wind\n\x00")
    assert cli.main(["lyrics", "show", "songs/bad.txt", "songs/kite.txt"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("✗ songs/bad.txt:2: this is not a text file")
    assert "The wind is up" in out


def test_json(folder, capsys):
    assert cli.main(["lyrics", "show", "songs", "songs/picture.png", "--json"]) == 1
    kite, cloud, picture = json.loads(capsys.readouterr().out)
    assert (kite["path"], kite["format"], kite["encoding"]) == ("songs/kite.txt", "pairs", "utf-8")
    assert (kite["lines"][0]["text"], kite["lines"][0]["translation"]) == ("The wind is up", "风起了")
    assert [(f["code"], f["line"]) for f in cloud["findings"]] == [("stamp", 4)]
    assert picture["error"]["code"] == "binary"
    assert "picture" in picture["error"]["message"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "nowhere.txt"],
        ["show", "empty"],
        ["convert", "songs", "--to", "mp3"],
        ["convert", "songs", "--to", "lrc", "--output", "nowhere"],
    ],
)
def test_wrong_use(folder, capsys, arguments):
    (folder / "empty").mkdir()
    assert cli.main(["lyrics", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("edukit: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["show"], ["convert", "songs"], ["sing", "songs"]])
def test_wrong_words(arguments, capsys):
    with pytest.raises(SystemExit) as raised:
        cli.main(["lyrics", *arguments])
    assert raised.value.code == 2


def test_options_for_reading(folder, capsys):
    (folder / "big.txt").write_bytes("看著月亮".encode("big5"))
    assert cli.main(["lyrics", "show", "big.txt", "--encoding", "big5"]) == 0
    assert "看著月亮" in capsys.readouterr().out
    assert cli.main(["lyrics", "show", "songs/kite.txt", "--format", "plain"]) == 0
    assert "The wind is up;风起了" in capsys.readouterr().out


def test_a_name_cannot_steer_the_terminal(folder, capsys):
    (folder / "\x1b[2J\u202e.txt").write_text("wind", encoding="utf-8")
    assert cli.main(["lyrics", "show", str(folder)]) == 1
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\\x1b[2J\\u202e.txt" in out


# -- convert ---------------------------------------------------------------------------------------------


def test_converting_tells_what_is_lost(folder, capsys):
    assert cli.main(["lyrics", "convert", "songs/kite.txt", "--to", "lrc"]) == 0
    assert capsys.readouterr().out == "✓ songs/kite.lrc\n"
    assert load(folder / "songs" / "kite.lrc") == load(folder / "songs" / "kite.txt")
    assert cli.main(["lyrics", "convert", "songs/kite.txt", "--to", "lrc-plain", "--force"]) == 1
    assert "Line 1: the translation “风起了” is not in the file." in capsys.readouterr().out


def test_no_file_is_replaced_unasked(folder, capsys):
    assert cli.main(["lyrics", "convert", "songs/kite.txt", "--to", "pairs"]) == 1
    assert "the file is there already" in capsys.readouterr().out
    assert (folder / "songs" / "kite.txt").read_text(encoding="utf-8") == PAIRS
    # Nor does one of two songs of the same name replace the other.
    (folder / "songs" / "kite.lrc").write_text("[00:01]天", encoding="utf-8")
    (folder / "out").mkdir()
    arguments = ["lyrics", "convert", "songs", "--to", "srt", "--output", "out", "--force", "--json"]
    assert cli.main(arguments) == 1
    rows = json.loads(capsys.readouterr().out)
    assert [row["written"] for row in rows] == ["out/kite.srt", None, "out/云.srt"]
    assert rows[1]["error"]["code"] == "exists"
    assert ("reading", 1) not in [(loss["code"], loss["line"]) for loss in rows[2]["losses"]]


# -- a real terminal -------------------------------------------------------------------------------------


def in_terminal(*arguments, **environment):
    """Run the command in a terminal of its own and return what it shows."""
    leader, follower = pty.openpty()
    known = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen(
        [sys.executable, "-m", "edukit", "lyrics", *arguments],
        stdout=follower,
        stderr=follower,
        env={**known, "TERM": "xterm", "PYTHONUTF8": "1", **environment},
    )
    os.close(follower)
    shown = b""
    while select.select([leader], [], [], 60)[0]:
        try:
            read = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not read:
            break
        shown += read
    os.close(leader)
    process.wait()
    return shown.decode()


def test_colour_only_where_the_terminal_has_it(folder):
    assert "\x1b[1mKite\x1b[0m" in in_terminal("show", "songs/kite.txt")
    assert "\x1b" not in in_terminal("show", "songs/kite.txt", NO_COLOR="1")
    assert "\x1b" not in in_terminal("show", "songs/kite.txt", TERM="dumb")


def test_progress_is_shown_once_it_takes_long(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert list(terminal.with_progress("ab", "reading")) == ["a", "b"]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(terminal, "PATIENCE", -1)
    assert list(terminal.with_progress("ab", "reading")) == ["a", "b"]
    assert "reading ████████████░░░░░░░░░░░░ 1/2" in capsys.readouterr().err


def test_a_reader_that_has_seen_enough_ends_it_quietly(folder):
    for number in range(300):
        (folder / "songs" / f"{number}.txt").write_text(PAIRS, encoding="utf-8")
    command = [sys.executable, "-m", "edukit", "lyrics", "show", "songs"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0
    process.stderr.close()
