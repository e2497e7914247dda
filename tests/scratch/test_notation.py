"""Block text: labels, menus and escapes, by hand and as scratchblocks reads them back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edukit.scratch import Project, block_text
from edukit.scratch.author import Project as Authored
from edukit.scratch.model import Block, Field, Input, Literal, Procedure, Script, Target
from edukit.scratch.opcodes import LANGUAGES, MENU_BLOCKS, MENU_WORDS, Hole, opcodes

Node = Callable[..., str]


def project(*blocks: Block) -> Project:
    target = Target("Cat", False, (Script(blocks),), (), (), (), (), ())
    return Project((target,))


def text(*blocks: Block, language: str = "en") -> str:
    (script,) = block_text(project(*blocks), language)
    return script.text


def typed(value: str, kind: int = 10) -> Literal:
    return Literal(kind, value)


def say(value: str) -> Block:
    return Block("looks_say", "b", (Input("MESSAGE", (), typed(value)),))


def test_the_activity_in_both_languages(activity: Authored) -> None:
    english = {(one.target, one.index): one.text for one in block_text(activity.build("en"), "en")}
    chinese = {(one.target, one.index): one.text for one in block_text(activity.build("zh_CN"), "zh_CN")}
    assert english["Owl", 3] == (
        "define ask (question :: custom-arg) until it is a number\n"
        "switch costume to (calm v)\n"
        "ask (question :: custom-arg) and wait\n"
        "repeat until <((answer) * (1)) = (answer)>\n"
        "  switch costume to (thinking v)\n"
        "  ask (join [Please type a number, like 7. ] (question :: custom-arg)) and wait\n"
        "end"
    )
    assert chinese["猫头鹰", 2] == (
        "定义 出一道新题\n"
        "将 [被减数 v] 设为 (在 (3) 和 (20) 之间取随机数)\n"
        "将 [减数 v] 设为 (在 (1) 和 (被减数 :: variables) 之间取随机数)\n"
        "将 [算式 v] 设为 (连接 (被减数 :: variables) 和 (连接 [ - ] 和 (减数 :: variables)))"
    )
    assert list(english.values())[-1].startswith("when I start as a clone\n")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("level v", r"say [level \v]"),
        ("[a] (b) <c>", r"say [\[a\] \(b\) \<c\>]"),
        ("one\ntwo", "say [one\\\ntwo]"),
        ("back\\slash @flag 5%", r"say [back\\slash \@flag 5\%]"),
        ("#ff0000", r"say [\#ff0000]"),
        ("", "say []"),
        ("1 < 2", r"say [1 \< 2]"),
        ("&lt;", "say [&\\lt;]"),
    ],
)
def test_what_is_typed_stays_text(value: str, expected: str) -> None:
    assert text(say(value)) == expected


def test_a_text_in_a_number_is_text() -> None:
    move = Block("motion_movesteps", "b", (Input("STEPS", (), typed("(x)", 4)),))
    assert text(move) == r"move [\(x\)] steps"


def test_empty_mouths_and_conditions() -> None:
    assert text(Block("control_if_else", "b")) == "if <> then\nelse\nend"
    assert text(Block("control_if_else", "b"), language="zh_CN") == "如果 <> 那么\n否则\n结束"


def test_menus_are_in_the_language() -> None:
    menu = Block("motion_goto_menu", "m", fields=(Field("TO", "_mouse_"),), shadow=True)
    goto = Block("motion_goto", "b", (Input("TO", (), menu),))
    stop = Block("control_stop", "s", fields=(Field("STOP_OPTION", "all"),))
    assert text(goto, stop) == "go to (mouse-pointer v)\nstop [all v]"
    assert text(goto, stop, language="zh_CN") == "移到 (鼠标指针 v)\n停止 [全部脚本 v]"


def test_lists_say_that_they_are_lists() -> None:
    fields = (Field("LIST", "lst", "l"),)
    contents = Block("data_listcontents", "c", fields=fields)
    last = Block("data_itemoflist", "i", (Input("INDEX", (), typed("last", 7)),), fields)
    say_list = Block("looks_say", "b", (Input("MESSAGE", (contents,), None),))
    say_last = Block("looks_say", "b", (Input("MESSAGE", (last,), None),))
    assert text(say_list) == "say (lst :: list)"
    assert text(say_last, language="zh_CN") == "说 ([lst v] 的第 (末尾 v) 项)"


def test_a_custom_block_with_a_percent_sign_and_every_kind_of_parameter() -> None:
    code = "set %s to 5\\% if %b -> %n"
    call = Block(
        "procedures_call",
        "c",
        (Input("a", (), typed("x")), Input("n", (), typed("7", 4))),
        procedure=Procedure(code, ("a", "b", "n")),
    )
    assert text(call) == r"set [x] to 5\% if <> \-\> (7) :: custom"
    prototype = Block("procedures_prototype", "p", procedure=Procedure(code, (), ("name", "ok?", "n")))
    define = Block("procedures_definition", "d", (Input("custom_block", (), prototype),))
    assert text(define, language="zh_CN") == (
        r"定义 set (name :: custom-arg) to 5\% if <ok? :: custom-arg> \-\> (n :: custom-arg)"
    )


def test_a_language_without_words_is_an_error() -> None:
    with pytest.raises(ValueError, match="'fr'"):
        block_text(project(), "fr")


# -- the table -----------------------------------------------------------------------------------------


def test_both_labels_of_every_block_have_the_same_holes() -> None:
    for row in opcodes().values():
        english, chinese = (
            sorted((one.kind, one.name) for one in row.label(language) if isinstance(one, Hole))
            for language in LANGUAGES
        )
        assert english == chinese, row.name


def test_every_menu_is_a_menu_of_the_table() -> None:
    for (opcode, name), menu in MENU_BLOCKS.items():
        assert Hole("menu", name) in opcodes()[opcode].holes
        assert opcodes()[menu].shape == "menu"
    for opcode, name in MENU_WORDS:
        assert Hole("field", name) in opcodes()[opcode].holes


# -- read back -----------------------------------------------------------------------------------------

# Reading back is by label, so two blocks that the other program names otherwise are told here.
SAME = {
    "looks_nextbackdrop": "LOOKS_NEXTBACKDROP_BLOCK",
    "control_if_else": "CONTROL_IF",
    "control_wait_until": "CONTROL_WAITUNTIL",
    "control_repeat_until": "CONTROL_REPEATUNTIL",
    "control_start_as_clone": "CONTROL_STARTASCLONE",
    "control_create_clone_of": "CONTROL_CREATECLONEOF",
    "control_delete_this_clone": "CONTROL_DELETETHISCLONE",
    "sound_seteffectto": "SOUND_SETEFFECTO",
    "operator_letter_of": "OPERATORS_LETTEROF",
}


def example(opcode: str) -> Block:
    """Return a block with something in each hole."""
    inputs, fields = [], []
    for hole in opcodes()[opcode].holes:
        if hole.kind == "field":
            words = MENU_WORDS.get((opcode, hole.name), {"name": ("", "")})
            fields.append(Field(hole.name, next(iter(words)), "id"))
        elif hole.kind == "menu":
            menu = MENU_BLOCKS.get((opcode, hole.name), "event_broadcast_menu")
            name = opcodes()[menu].holes[0].name
            chosen = next(iter(MENU_WORDS.get((menu, name), {"name": ("", "")})))
            shadow = Block(menu, "m", fields=(Field(name, chosen),), shadow=True)
            inputs.append(Input(hole.name, (), shadow))
        elif hole.kind in ("number", "text"):
            inputs.append(Input(hole.name, (), typed("5")))
        elif hole.kind == "colour":
            inputs.append(Input(hole.name, (), typed("#12ab34", 9)))
    return Block(opcode, "b", tuple(inputs), tuple(fields))


@pytest.mark.node
def test_scratchblocks_reads_every_block_back_as_what_it_is(node: Node, tmp_path: Path) -> None:
    cases, expected = [], []
    for row in opcodes().values():
        if (
            row.category == "custom"
            or row.shape == "menu"
            or row.name
            in (
                "data_variable",
                "data_listcontents",
            )
        ):
            continue
        for language, code in (("en", "en"), ("zh_CN", "zh-cn")):
            cases.append([code, text(example(row.name), language=language)])
            upper = row.name.upper().replace("OPERATOR_", "OPERATORS_")
            expected.append(SAME.get(row.name, upper))
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(cases), "utf-8")
    read = json.loads(node("parse.mjs", path))
    wrong = [
        (case[1], tree)
        for case, tree, identifier in zip(cases, read, expected, strict=True)
        if len(tree) != 1 or tree[0]["blocks"][0]["id"] != identifier
    ]
    assert wrong == []
    assert len(cases) > 200


@pytest.mark.node
def test_scratchblocks_reads_what_was_typed_back_as_it_was_typed(node: Node, tmp_path: Path) -> None:
    values = ["level v", "a\nb", "[(<@5%>)]\\", "#ff0000", "&lt;", "1 < 2 // x", "a::b", " - ", "末尾 v"]
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([["en", text(say(value))] for value in values]), "utf-8")
    read = json.loads(node("parse.mjs", path))
    for value, (script,) in zip(values, read, strict=True):
        (block,) = script["blocks"]
        assert block["children"][1] == {"input": "string", "value": value}


@pytest.mark.node
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_scratchblocks_reads_the_activity_back_whole(
    node: Node, activity: Authored, tmp_path: Path, language: str
) -> None:
    texts = [one.text for one in block_text(activity.build(language), language)]
    code = "zh-cn" if language == "zh_CN" else "en"
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([[code, one] for one in texts]), "utf-8")
    read = json.loads(node("parse.mjs", path))
    seen = [found for scripts in read for script in scripts for found in _blocks(script)]
    assert all(len(scripts) == 1 for scripts in read)
    assert {one["category"] for one in seen} == {
        *("events", "looks", "variables", "control", "custom", "custom-arg"),
        *("operators", "sensing", "motion"),
    }
    assert sum(one["id"] == "CONTROL_CREATECLONEOF" for one in seen) == 1


def _blocks(tree: Any) -> Any:
    if "category" in tree:
        yield tree
    for inner in tree.get("children", []) + tree.get("blocks", []):
        yield from _blocks(inner)
