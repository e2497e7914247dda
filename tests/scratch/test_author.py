"""Writing projects in Python: the same bytes each time, and a wrong program is an error at its line."""

import io
import json
import subprocess
import sys
import wave
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
    Sound,
    Sprite,
    Variable,
    Words,
    add_item,
    answer,
    ask,
    both,
    bounce_at_edge,
    broadcast,
    change,
    change_pen,
    create_clone,
    delete_all,
    delete_item,
    delete_this_clone,
    equals,
    erase_all,
    forever,
    glide,
    go_to,
    if_,
    insert_item,
    item,
    item_number,
    join,
    key_pressed,
    length,
    list_contains,
    list_length,
    math,
    move,
    not_,
    pen_down,
    pen_up,
    pick_random,
    play_drum,
    play_note,
    play_sound,
    point_in,
    point_towards,
    repeat,
    repeat_until,
    replace_item,
    rest,
    say,
    set_effect,
    set_instrument,
    set_pen,
    set_pen_color,
    set_pen_size,
    set_to,
    stop,
    switch_backdrop,
    switch_costume,
    think,
    touching,
    touching_color,
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


def wav() -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(160))
    return buffer.getvalue()


def test_lists_pen_music_and_sounds(tmp_path: Path) -> None:
    costume = Costume("plain", PICTURE)
    project = Project("scene", Words("Scene", zh_CN="场景"), backdrops=[costume])
    words = project.list(Words("words", zh_CN="词"), ["a", Words("b", zh_CN="乙"), 3], show_at=(1, 2))
    beep = Sound(Words("beep", zh_CN="滴"), wav())
    cat = project.sprite(Words("Cat", zh_CN="猫"), costumes=[costume], sounds=[beep])
    own = cat.list("own")
    note = cat.variable(Words("note", zh_CN="音"))
    sing = cat.block(Words("sing [how]", zh_CN="唱 [怎样]"), warp=True)
    sing.define(play_note(note, 0.5), play_note(60, 1), play_drum(2, 0.25), set_instrument(note))
    cat.when_flag(
        delete_all(own),
        set_to(note, item(words, "last")),
        add_item(own, item_number(words, "b")),
        insert_item(own, 1, list_length(words)),
        replace_item(own, "random", words),
        delete_item(own, 1),
        if_(list_contains(words, note), play_sound("beep", wait=True)),
        erase_all(),
        set_pen_color("#3366cc"),
        set_pen("transparency", 50),
        change_pen("color", by=10),
        set_pen_size(3),
        pen_down(),
        repeat(3, move(note)),
        pen_up(),
        sing("loud"),
        if_(touching_color("#ff0000"), rest(1)),
    )
    path = tmp_path / "a.sb3"
    project.save(path, "zh_CN")
    read = load(path)
    assert read == project.build("zh_CN")
    assert read.extensions == ("pen", "music")
    assert read.stage.lists[0].items == ("a", "乙", 3)
    assert read.targets[1].sounds[0].name == "滴"
    assert [one.opcode for one in read.monitors] == ["data_listcontents"]
    assert [one.code for one in check(path)] == ["no-start-state"]
    (main, definition) = [one.text.split("\n") for one in block_text(read, "zh_CN")]
    assert main[1:7] == [
        "删除 [own v] 的全部项目",
        "将 [音 v] 设为 ([词 v] 的第 (末尾 v) 项)",
        "将 ([词 v] 中第一个 [b] 的编号) 加入 [own v]",
        "在 [own v] 的第 (1) 项前插入 ([词 v] 的项目数)",
        "将 [own v] 的第 (随机 v) 项替换为 (词 :: list)",
        "删除 [own v] 的第 (1) 项",
    ]
    assert definition == [
        "定义 唱 (怎样 :: custom-arg)",
        "演奏音符 (音 :: variables) (0.5) 拍",
        "演奏音符 (60) (1) 拍",
        r"击打 (\(2\) 低音鼓 v) (0.25) 拍",
        "将乐器设为 (音 :: variables)",
    ]
    assert project.to_bytes("zh_CN") == path.read_bytes()


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
    "a colour that is none": ("colour like", lambda s: set_pen_color("red")),
    "a part of the pen that is none": (
        "none of color",
        lambda s: s.cat.when_flag(set_pen("width", 1)) or s.project.build("en"),
    ),
    "a drum that is none": (
        "none of 1, 2",
        lambda s: s.cat.when_flag(play_drum(19, 1)) or s.project.build("en"),
    ),
    "a number that does not end": ("that ends", lambda s: move(float("inf"))),
    "a list by its name": ("project.list", lambda s: delete_all("things")),  # type: ignore[arg-type]  # the mistake
    "a list gone through in Python": ("no items yet", lambda s: list(s.project.list("things"))),
    "a block without a label": ("needs a label", lambda s: s.cat.block(Words(" ", "x"))),
    "two parameters of one name": ("the same", lambda s: s.cat.block(Words("a [b] [b]", "a [b] [c]"))),
    "a sound that is none": ("no WAV", lambda s: Sound("x", b"RIFF")),
    "a sound file that is not there": ("cannot be read", lambda s: Sound("x", Path("no.wav"))),
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
    "a message of another project, received": (
        "another project",
        lambda s: s.cat.when_received(Scene().go, move(1)),
    ),
    "a list of another sprite": (
        "belongs to another sprite",
        lambda s: s.cat.when_flag(delete_all(s.dog.list("own"))),
    ),
    "a sound that is not there": (
        "no sound named 'meow', only none",
        lambda s: s.cat.when_flag(play_sound("meow")),
    ),
    "two lists of one name": (
        "named 'things'",
        lambda s: (s.project.list("things"), s.cat.list("things")),
    ),
    "a loop without end in a block without screen refresh": (
        "runs without screen refresh and loops for ever",
        lambda s: s.cat.when_flag(_freeze(s)),
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


def _freeze(scene: Scene) -> Piece:
    made = scene.cat.block(Words("spin", zh_CN="转"), warp=True)
    made.define(forever(turn_right(15)))
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
