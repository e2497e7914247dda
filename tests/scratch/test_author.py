"""Writing projects in Python: the same bytes each time, and a wrong program is an error at its line."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from edukit.scratch import block_text, check, load
from edukit.scratch.author import (
    AuthorError,
    Costume,
    Message,
    Piece,
    Project,
    Sprite,
    Variable,
    Words,
    answer,
    ask,
    both,
    bounce_at_edge,
    broadcast,
    change,
    create_clone,
    delete_this_clone,
    equals,
    forever,
    glide,
    go_to,
    if_,
    join,
    key_pressed,
    length,
    math,
    move,
    not_,
    pick_random,
    point_in,
    point_towards,
    repeat,
    repeat_until,
    say,
    set_effect,
    set_to,
    stop,
    switch_backdrop,
    switch_costume,
    think,
    touching,
    turn_left,
    turn_right,
    wait,
)

from .conftest import ROOT, SVG

PICTURE = SVG.decode()


class Scene:
    """A project with one of each thing that blocks name."""

    def __init__(self) -> None:
        costume = Costume(Words("plain", zh_CN="普通"), PICTURE)
        self.project = Project("scene", Words("Scene", zh_CN="场景"), backdrops=[costume])
        self.score: Variable = self.project.variable(Words("score", zh_CN="得分"))
        self.go: Message = self.project.message(Words("go", zh_CN="出发"))
        self.cat: Sprite = self.project.sprite(Words("Cat", zh_CN="猫"), costumes=[costume])
        self.dog: Sprite = self.project.sprite(Words("Dog", zh_CN="狗"), costumes=[costume])
        self.own: Variable = self.dog.variable(Words("own", zh_CN="自己的"))


@pytest.fixture
def scene() -> Scene:
    return Scene()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_same_program_makes_the_same_bytes_in_any_process(language: str) -> None:
    program = (
        "import hashlib, runpy, sys\n"
        "project = runpy.run_path(sys.argv[1])['project']\n"
        "print(hashlib.sha256(project.to_bytes(sys.argv[2])).hexdigest())\n"
    )
    path = ROOT / "docs" / "scratch" / "subtraction_challenge.py"
    digests = {
        subprocess.run(
            [sys.executable, "-c", program, str(path), language],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"},
        ).stdout
        for seed in ("0", "1")
    }
    assert len(digests) == 1


def test_the_file_tells_nothing_of_when_and_where_it_was_written(scene: Scene, tmp_path: Path) -> None:
    scene.project.save(tmp_path / "a.sb3", "en")
    with zipfile.ZipFile(tmp_path / "a.sb3") as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.namelist()[0] == "project.json"
        written = json.loads(archive.read("project.json"))
    assert [target["name"] for target in written["targets"]] == ["Stage", "Cat", "Dog"]
    assert [target["layerOrder"] for target in written["targets"]] == [0, 1, 2]


def test_every_text_is_in_the_language_of_the_file(scene: Scene, tmp_path: Path) -> None:
    scene.cat.when_flag(
        set_to(scene.score, 1),
        say(Words("Hello", zh_CN="你好"), seconds=2),
        switch_costume("plain"),
        go_to(scene.dog),
        broadcast(scene.go),
    )
    scene.dog.when_received(scene.go, point_towards("mouse"))
    scene.project.save(tmp_path / "a.sb3", "zh_CN")
    texts = {one.target: one.text for one in block_text(load(tmp_path / "a.sb3"), "zh_CN")}
    assert texts["猫"] == (
        "当 @greenFlag 被点击\n将 [得分 v] 设为 [1]\n说 [你好] (2) 秒\n换成 (普通 v) 造型\n"
        "移到 (狗 v)\n广播 (出发 v)"
    )
    assert texts["狗"] == "当接收到 [出发 v]\n面向 (鼠标指针 v)"
    assert check(tmp_path / "a.sb3") == ()


def test_blocks_of_every_kind_go_together(scene: Scene, tmp_path: Path) -> None:
    jump = scene.cat.block(Words("jump [high] if <may> 100%", zh_CN="跳 [高] 如果 <可以> 100%"))
    jump.define(if_(jump["may"], move(jump["high"])))
    score = scene.score
    scene.cat.when_key("space", jump(score * 2 + 1, equals(answer(), "x")), stop("this script"))
    scene.cat.when_clicked(
        repeat_until(
            both(not_(score > 3), key_pressed("a")),
            turn_right(15),
            turn_left(math("sqrt", 9)),
            think(join("a", score, length("abc"))),
        ),
        forever(glide(1, pick_random(-5, 5), 0), bounce_at_edge(), set_effect("ghost", 50)),
    )
    scene.cat.when_cloned(wait(1), delete_this_clone())
    scene.cat.when_backdrop("plain", create_clone(), create_clone(scene.dog))
    scene.project.stage.when_clicked(switch_backdrop("plain"))
    scene.dog.when_flag(if_(touching("edge"), change(scene.own, by=1), otherwise=[ask("?"), point_in(90)]))
    scene.project.save(tmp_path / "a.sb3", "en")
    assert load(tmp_path / "a.sb3") == scene.project.build("en")
    texts = {(one.target, one.index): one.text for one in block_text(load(tmp_path / "a.sb3"), "en")}
    assert texts["Cat", 1] == (
        "when [space v] key pressed\n"
        r"jump (((score :: variables) * (2)) + (1)) if <(answer) = [x]> 100\% :: custom"
        "\nstop [this script v]"
    )
    assert texts["Cat", 5] == (
        r"define jump (high :: custom-arg) if <may :: custom-arg> 100\%"
        "\nif <may :: custom-arg> then\n  move (high :: custom-arg) steps\nend"
    )


WRONG: dict[str, tuple[str, Callable[[Scene], object]]] = {
    "a text where a number belongs": ("takes a number", lambda s: move("ten")),  # type: ignore[arg-type]
    "a value where a condition belongs": ("takes a condition", lambda s: if_(s.score, move(1))),  # type: ignore[arg-type]
    "a truth value of Python": ("is no block", lambda s: if_(True, move(1))),  # type: ignore[arg-type]
    "a comparison of Python": ("no block", lambda s: if_(s.score == 3, move(1))),  # type: ignore[arg-type]
    "a block where a value belongs": ("has no value", lambda s: say(move(1))),
    "a value where a block belongs": ("goes into a hole", lambda s: repeat(3, answer())),
    "a text where a block belongs": ("is no block", lambda s: repeat(3, "move")),  # type: ignore[arg-type]
    "something after forever": ("nothing fits under", lambda s: repeat(1, forever(), move(1))),
    "something after stop": ("nothing fits under", lambda s: repeat(1, stop(), move(1))),
    "a variable by its name": ("project.variable", lambda s: set_to("score", 1)),  # type: ignore[arg-type]
    "a message by its name": ("project.message", lambda s: broadcast("go")),  # type: ignore[arg-type]
    "an effect that is none": ("none of COLOR", lambda s: set_effect("sparkle", 1)),
    "a condition as Python's": ("neither true nor false", lambda s: bool(s.score > 1)),
    "no name for files": ("names files", lambda s: Project("a b", Words("a", "b"), backdrops=[])),
    "no backdrop": ("needs a costume", lambda s: Project("a", Words("a", "b"), backdrops=[])),
    "a picture that reaches out": (
        "refused",
        lambda s: Costume("x", "<svg width='1' height='1'><script/></svg>"),
    ),
    "a picture without a size": ("no width", lambda s: Costume("x", "<svg/>")),
    "a picture that is not there": ("cannot be read", lambda s: Costume("x", Path("no.svg"))),
    "other parameters in Chinese": (
        "other parameters",
        lambda s: s.cat.block(Words("a [b] <c>", zh_CN="甲 <丙> [乙]")),
    ),
    "too few values": ("takes 1 values", lambda s: s.cat.block(Words("a [b]", "a [b]"))()),
    "a parameter that is not there": ("no parameter", lambda s: s.cat.block(Words("a", "a"))["b"]),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_is_an_error_where_it_is_written(mistake: str, scene: Scene) -> None:
    words, write = WRONG[mistake]
    with pytest.raises(AuthorError, match=words) as caught:
        write(scene)
    assert caught.value.place.file == __file__


def second(scene: Scene) -> Piece:
    return set_to(Scene().score, 1)


LATE: dict[str, tuple[str, Callable[[Scene], object]]] = {
    "a variable of another project": (
        "belongs to another sprite",
        lambda s: s.cat.when_flag(second(s)),
    ),
    "a variable of another sprite": (
        "belongs to another sprite",
        lambda s: s.cat.when_flag(set_to(s.own, 1)),
    ),
    "a message that nobody receives": (
        "nobody receives the message 'go'",
        lambda s: s.cat.when_flag(broadcast(s.go)),
    ),
    "a message of another project": (
        "another project",
        lambda s: s.cat.when_flag(broadcast(Scene().go)),
    ),
    "a sprite of another project": (
        "another project",
        lambda s: s.cat.when_flag(go_to(Scene().dog)),
    ),
    "a costume that is not there": (
        "no picture named 'red', only 'plain'",
        lambda s: s.cat.when_flag(switch_costume("red")),
    ),
    "a key that is not there": ("none of space", lambda s: s.cat.when_key("enter", move(1))),
    "a place that is not there": (
        "is no sprite and none of _mouse_",
        lambda s: s.cat.when_flag(go_to("home")),
    ),
    "a custom block of another sprite": (
        "belongs to another sprite",
        lambda s: s.cat.when_flag(_define(s)),
    ),
    "a custom block without definition": (
        "has no definition",
        lambda s: s.cat.block(Words("jump", zh_CN="跳")),
    ),
    "two sprites of one name": (
        "named 'Cat'",
        lambda s: s.project.sprite("Cat", costumes=[Costume("c", PICTURE)]),
    ),
    "two variables of one name": ("named 'score'", lambda s: s.project.variable("score")),
}


def _define(scene: Scene) -> Piece:
    made = scene.dog.block(Words("jump", zh_CN="跳"))
    made.define(move(1))
    return made()


@pytest.mark.parametrize("mistake", LATE)
def test_a_mistake_in_what_belongs_together_is_an_error_at_its_line(mistake: str, scene: Scene) -> None:
    words, write = LATE[mistake]
    write(scene)
    with pytest.raises(AuthorError, match=words) as caught:
        scene.project.build("en")
    assert caught.value.place.file == __file__


def test_a_language_without_words_is_an_error(scene: Scene) -> None:
    with pytest.raises(AuthorError, match="'fr'"):
        scene.project.build("fr")
