"""A project is looked over: each finding where it belongs, and nothing said of what is right."""

import dataclasses
import runpy
from pathlib import Path

import pytest

from edukit.scratch.author import Project as Authored
from edukit.scratch.checking import look_over
from edukit.scratch.findings import CLASS, KINDS, REFUSED, WRONG, Finding, Report
from edukit.scratch.model import (
    Asset,
    Block,
    Field,
    Input,
    List,
    Literal,
    Message,
    Monitor,
    Procedure,
    Project,
    Script,
    Target,
    Variable,
    empty_stage,
)

from .conftest import MD5, ROOT, SVG

FLAG = Block("event_whenflagclicked", "flag")
SCORE = Field("VARIABLE", "score", "v")
THINGS = Field("LIST", "things", "l")
GO = Literal(11, "go", "m")
READ = Block("data_variable", "read", fields=(SCORE,))
SET = Block("data_setvariableto", "set", (Input("VALUE", (), Literal(10, "0")),), (SCORE,))
CHANGE = Block("data_changevariableby", "change", (Input("VALUE", (), Literal(4, "1")),), (SCORE,))
ADD = Block("data_addtolist", "add", (Input("ITEM", (), Literal(10, "x")),), (THINGS,))
CLEAR = Block("data_deletealloflist", "clear", fields=(THINGS,))
MOVE = Block("motion_movesteps", "move", (Input("STEPS", (), Literal(4, "10")),))
WAIT = Block("control_wait", "wait", (Input("DURATION", (), Literal(5, "1")),))
GO_TO = Block("motion_gotoxy", "goto")
ASK = Block("sensing_askandwait", "ask")
SEND = Block("event_broadcast", "send", (Input("BROADCAST_INPUT", (), GO),))
RECEIVE = Block("event_whenbroadcastreceived", "receive", fields=(Field("BROADCAST_OPTION", "go", "m"),))
CALL = Block("procedures_call", "call", procedure=Procedure("jump %s", ("a",)))


def say(what: Block) -> Block:
    return Block("looks_say", "say", (Input("MESSAGE", (what,)),))


def forever(*inside: Block) -> Block:
    return Block("control_forever", "loop", (Input("SUBSTACK", inside),))


def define(*, warp: bool = False) -> Block:
    procedure = Procedure("jump %s", ("a",), ("high",), ("",), warp)
    prototype = Block("procedures_prototype", "prototype", procedure=procedure, shadow=True)
    return Block("procedures_definition", "define", (Input("custom_block", (), prototype),))


def menu(opcode: str, hole: str, shadow: str, field: str, value: str) -> Block:
    inside = Block(shadow, "menu", fields=(Field(field, value),), shadow=True)
    return Block(opcode, "chooser", (Input(hole, (), inside),))


COSTUME = menu("looks_switchcostumeto", "COSTUME", "looks_costume", "COSTUME", "happy")
CLONE = menu(
    "control_create_clone_of", "CLONE_OPTION", "control_create_clone_of_menu", "CLONE_OPTION", "Dog"
)


def project(*scripts: tuple[Block, ...], name: str = "Cat", monitors: tuple[Monitor, ...] = ()) -> Project:
    stage = dataclasses.replace(
        empty_stage(),
        variables=(Variable("v", "score", 7),),
        lists=(List("l", "things", ()),),
        messages=(Message("m", "go"),),
    )
    costume = Asset("c", MD5, "svg", SVG)
    sprite = Target(name, False, tuple(map(Script, scripts)), (), (), (), (costume,), (), layer=1)
    return Project((stage, sprite), monitors)


def found(*scripts: tuple[Block, ...], name: str = "Cat") -> list[Finding]:
    report = Report(Path("x.sb3"))
    look_over(project(*scripts, name=name), report)
    return report.findings


# By code: a project that has the fault, and the same one mended.
Scripts = tuple[tuple[Block, ...], ...]
CASES: dict[str, tuple[Scripts, Scripts]] = {
    "dead-script": (((FLAG, WAIT), (WAIT,)), ((FLAG, WAIT),)),
    "empty-script": (((FLAG,),), ((FLAG, WAIT),)),
    "no-start": (
        ((Block("control_start_as_clone", "clone"), WAIT),),
        ((FLAG, WAIT), (Block("control_start_as_clone", "clone"), WAIT)),
    ),
    "message-never-received": (((FLAG, SEND),), ((FLAG, SEND), (RECEIVE, WAIT))),
    "message-never-sent": (((FLAG, WAIT), (RECEIVE, WAIT)), ((FLAG, SEND), (RECEIVE, WAIT))),
    "busy-forever": (((FLAG, SET, forever(CHANGE)),), ((FLAG, SET, forever(CHANGE, WAIT)),)),
    "variable-never-set": (((FLAG, say(READ)),), ((FLAG, SET, say(READ)),)),
    "list-never-filled": (
        ((FLAG, say(Block("data_lengthoflist", "length", fields=(THINGS,)))),),
        ((FLAG, CLEAR, ADD, say(Block("data_lengthoflist", "length", fields=(THINGS,)))),),
    ),
    "block-never-called": (((FLAG, WAIT), (define(), WAIT)), ((FLAG, CALL), (define(), WAIT))),
    "undefined-block": (((FLAG, CALL),), ((FLAG, CALL), (define(), WAIT))),
    "no-start-state": (((FLAG, MOVE),), ((FLAG, GO_TO, MOVE),)),
    "unused-answer": (((FLAG, ASK),), ((FLAG, ASK, say(Block("sensing_answer", "answer"))),)),
    "answer-without-question": (
        ((FLAG, say(Block("sensing_answer", "answer"))),),
        ((FLAG, ASK, say(Block("sensing_answer", "answer"))),),
    ),
    "unreachable": (((FLAG, forever(WAIT), WAIT),), ((FLAG, WAIT, forever(WAIT)),)),
    "frozen-stage": (
        ((FLAG, CALL), (define(warp=True), forever(WAIT))),
        ((FLAG, CALL), (define(), forever(WAIT))),
    ),
    "unknown-costume": (
        ((FLAG, COSTUME),),
        ((FLAG, menu("looks_switchcostumeto", "COSTUME", "looks_costume", "COSTUME", "c")),),
    ),
    "unknown-sound": (
        ((FLAG, menu("sound_play", "SOUND_MENU", "sound_sounds_menu", "SOUND_MENU", "meow")),),
        ((FLAG, menu("sound_play", "SOUND_MENU", "sound_sounds_menu", "SOUND_MENU", "1")),),
    ),
    "unknown-sprite": (
        ((FLAG, CLONE),),
        (
            (
                FLAG,
                menu(
                    "control_create_clone_of",
                    "CLONE_OPTION",
                    "control_create_clone_of_menu",
                    "CLONE_OPTION",
                    "_myself_",
                ),
            ),
        ),
    ),
    "server-block": (((FLAG, Block("text2speech_speakAndWait", "speak")),), ((FLAG, WAIT),)),
}


@pytest.mark.parametrize("code", CASES)
def test_a_fault_is_found_where_it_is_and_gone_when_mended(code: str) -> None:
    faulty, mended = CASES[code]
    findings = found(*faulty)
    assert [one.code for one in findings] == [code]
    (finding,) = findings
    assert finding.severity == ("warning" if code in WRONG else "hint")
    if code != "no-start":
        assert finding.target == "Cat"
        assert '"Cat"' in finding.text("en")
        assert "角色“Cat”" in finding.text("zh_CN")
    for words in (finding.message_en, finding.message_zh, finding.mend_en, finding.mend_zh):
        assert words
        assert "{" not in words
    assert found(*mended) == []


def test_the_finding_names_the_script_and_the_block() -> None:
    (finding,) = found((FLAG, WAIT), (FLAG, ASK))
    assert (finding.script, finding.block) == (2, "ask")
    assert finding.text("en").startswith('"Cat", script 2: The project asks')
    assert finding.page.endswith("#finding-unused-answer")


@pytest.mark.parametrize("name", ["Sprite1", "角色1", "Sprite 12", "角色 3"])
def test_a_name_that_scratch_gave_is_found(name: str) -> None:
    assert [one.code for one in found((FLAG, WAIT), name=name)] == ["default-name"]


@pytest.mark.parametrize("name", ["Cat", "Sprite", "1", "角色", "Spritely 1"])
def test_a_name_that_somebody_gave_is_not(name: str) -> None:
    assert found((FLAG, WAIT), name=name) == []


@pytest.mark.parametrize(
    "loop",
    [
        forever(MOVE, Block("motion_ifonedgebounce", "bounce")),
        forever(Block("control_if", "if", (Input("SUBSTACK", (CHANGE,)),))),
        forever(CHANGE, CALL),
    ],
    ids=["moving", "watching", "a block of one's own that waits"],
)
def test_a_loop_that_moves_or_watches_needs_no_wait(loop: Block) -> None:
    scripts = ((FLAG, SET, GO_TO, loop), (define(), WAIT), (FLAG, CALL))
    assert found(*scripts) == []


def test_an_empty_loop_is_busy_with_nothing() -> None:
    assert [one.code for one in found((FLAG, forever()))] == ["busy-forever"]


def test_what_is_put_back_by_a_message_or_a_block_of_ones_own_is_put_back() -> None:
    assert found((FLAG, SEND, MOVE), (RECEIVE, CALL), (define(), GO_TO)) == []
    codes = [one.code for one in found((FLAG, WAIT), (RECEIVE, GO_TO), (FLAG, MOVE))]
    assert codes == ["message-never-sent", "no-start-state"]


def test_a_score_that_is_never_put_back_is_found() -> None:
    (finding,) = found((FLAG, CHANGE))
    assert finding.code == "no-start-state"
    assert 'The variable "score" changes' in finding.message_en
    assert "变量“score”" in finding.message_zh


def test_what_only_a_clone_changes_needs_no_start() -> None:
    assert found((FLAG, WAIT), (Block("control_start_as_clone", "clone"), MOVE)) == []


def test_a_message_that_is_put_together_while_it_runs_may_be_any() -> None:
    send = Block("event_broadcast", "send", (Input("BROADCAST_INPUT", (READ,), GO),))
    assert found((FLAG, SET, send), (RECEIVE, WAIT)) == []


def test_a_slider_sets_a_variable() -> None:
    slider = Monitor("v", "data_variable", (), None, True, 0, 0, '{"mode":"slider"}')
    report = Report(Path("x.sb3"))
    look_over(project((FLAG, say(READ)), monitors=(slider,)), report)
    assert report.findings == []


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_activity_of_the_site_has_no_finding(activity: Authored, language: str) -> None:
    report = Report(Path("x.sb3"))
    look_over(activity.build(language), report)
    assert report.findings == []


def test_every_code_has_words_of_its_own_in_both_languages() -> None:
    assert len(KINDS) == len(REFUSED) + len(WRONG) + len(CLASS)
    matters = [words[1] for words in KINDS.values()]
    assert len(set(matters)) == len(matters)
    for _, en, zh, mend_en, mend_zh in KINDS.values():
        assert en.isascii() or "“" in en
        assert not zh.isascii()
        assert mend_en.isascii() or "“" in mend_en
        assert not mend_zh.isascii()


def test_the_page_of_the_guide_is_made_from_the_table() -> None:
    tool = runpy.run_path(str(ROOT / "tools/scratch_findings.py"))
    # Read as text, so that a checkout with other line ends is the same page.
    assert tool["PAGE"].read_text("utf-8") == tool["page"]()
    assert tool["CATALOG"].read_text("utf-8") == tool["catalog"]()
    for code in KINDS:
        assert f"(finding-{code})=" in tool["page"]()
