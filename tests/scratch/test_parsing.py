"""Block text read into the model: whatever is written comes back, and people's own ways are understood."""

from dataclasses import replace

import hypothesis
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.scratch import Project, block_text, own_words, read_block_text, with_own_words
from edukit.scratch.author import Project as Authored
from edukit.scratch.model import Block, Field, Input, Literal
from edukit.scratch.opcodes import LANGUAGES, MENU_WORDS, Opcode, opcodes
from edukit.scratch.wording import tell

from .test_notation import FILLINGS, NAMES, _menus, commented, example, project, text

LOOKED_UP = [
    row
    for row in opcodes().values()
    if row.category != "custom"
    and row.name not in ("data_variable", "data_listcontents")
    and row.shape != "menu"
]
# With a block in their hole, these read like the first block of the pair in either language.
SAME_WORDS = {
    "pen_setPenHueToNumber": "pen_setPenColorToColor",
    "music_midiPlayDrumForBeats": "music_playDrumForBeats",
    "music_midiSetInstrument": "music_setInstrument",
}


def written(found: Project, language: str = "en") -> list[str]:
    return [one.text for one in block_text(found, language)]


def read(notation: str, language: str = "en") -> list[str]:
    """Return how scripts that are all right read in a language."""
    reading = read_block_text(notation)
    assert reading.problems == ()
    return written(reading.project, language)


def problems(notation: str) -> list[tuple[int, str]]:
    return [(one.line, one.english) for one in read_block_text(notation).problems]


# -- what is written comes back ------------------------------------------------------------------------


@pytest.mark.parametrize("row", LOOKED_UP, ids=lambda row: row.name)
def test_every_block_comes_back_from_either_language(row: Opcode) -> None:
    most = max([len(MENU_WORDS.get(key, "x")) for key in _menus(row)], default=1)
    blocks = [example(row.name, (), n) for n in range(most)]
    blocks += [example(row.name, filling) for filling in FILLINGS.values() if filling]
    for block in blocks:
        filled = any(one.blocks for one in block.inputs)
        name = SAME_WORDS.get(row.name, row.name) if filled else row.name
        for language in LANGUAGES:
            reading = read_block_text(text(block, language=language))
            assert reading.problems == ()
            # The same tree, and so the same words in the other language.
            for other in LANGUAGES:
                (got,), (wanted,) = tell(reading.project, other), tell(project(block), other)
                assert got.phrases == (replace(wanted.phrases[0], opcode=name),)


@pytest.mark.parametrize("name", NAMES)
def test_any_name_comes_back(name: str) -> None:
    variable = Block("data_variable", "x", fields=(Field("VARIABLE", name, "x"),))
    fields = (Field("VARIABLE", name, "x"),)
    put = Block("data_setvariableto", "s", (Input("VALUE", (variable,), Literal(10, "")),), fields)
    assert read(text(put)) == [text(put)]
    (reading,) = tell(read_block_text(text(put)).project, "en")
    assert reading.phrases == tell(project(put), "en")[0].phrases


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_activity_comes_back_script_by_script(activity: Authored, language: str) -> None:
    for script in written(activity.build(language), language):
        assert read(script, language) == [script]


TEXTS = st.text(st.sampled_from("ab v5 \\[]()<>{}@%:/#+-\n末尾结束end&lt;"), max_size=8)
NUMBERS = st.sampled_from(["", "0", "10", "-2.5", "1e3", "x"])
STACKS = [row.name for row in LOOKED_UP if row.shape in ("stack", "hat") and row.name not in SAME_WORDS]
REPORTERS = [row.name for row in LOOKED_UP if row.shape == "reporter"]
BOOLEANS = [row.name for row in LOOKED_UP if row.shape == "boolean"]


@st.composite
def blocks(draw: st.DrawFn, names: list[str], depth: int) -> Block:
    """Draw a block with blocks, texts and names in its holes."""
    opcode = draw(st.sampled_from(names))
    block = example(opcode, choice=draw(st.integers(0, 20)))
    holes = {hole.name: hole.kind for hole in opcodes()[opcode].holes}
    inputs = []
    for one in block.inputs:
        kind = holes[one.name]
        deeper = depth > 0 and draw(st.booleans())
        if kind == "mouth":
            stack = st.lists(
                blocks([n for n in STACKS if opcodes()[n].shape == "stack"], depth - 1), max_size=2
            )
            one = Input(one.name, tuple(draw(stack)) if deeper else ())
        elif kind == "boolean":
            one = Input(one.name, (draw(blocks(BOOLEANS, depth - 1)),) if deeper else ())
        elif deeper:
            one = replace(one, blocks=(draw(blocks(REPORTERS, depth - 1)),))
        elif kind == "text":
            one = Input(one.name, (), Literal(10, draw(TEXTS)))
        elif kind == "number":
            one = Input(one.name, (), Literal(4, draw(NUMBERS)))
        inputs.append(one)
    return replace(block, inputs=tuple(inputs))


@settings(max_examples=150)
@given(blocks(STACKS, 3), st.sampled_from(LANGUAGES))
def test_any_tree_comes_back(block: Block, language: str) -> None:
    (script,) = written(project(block), language)
    assert read(script, language) == [script]


@hypothesis.example("<>[")
@hypothesis.example("[][1")
@hypothesis.example(":()(")
@hypothesis.example("<\\\n")
@settings(max_examples=200)
@given(st.text(st.sampled_from("say [](){}<>:/@v\\\n 1end如果否则结束定义"), max_size=60))
def test_whatever_is_typed_something_is_read(notation: str) -> None:
    reading = read_block_text(notation)
    for language in LANGUAGES:
        again = read_block_text("\n\n".join(written(reading.project, language)))
        assert written(again.project, language) == written(reading.project, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_come_back(language: str) -> None:
    loop = Block("control_repeat", "loop", (Input("TIMES", (), Literal(6, "3")), Input("SUBSTACK")))
    say = Block("looks_say", "say", (Input("MESSAGE", (), Literal(10, "a // b")),))
    (script,) = written(commented(("loop", "three // times"), ("say", "why"), blocks=(loop, say)), language)
    assert read(script, language) == [script]


# -- what people write ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("notation", "english"),
    [
        ("when flag clicked", "when @greenFlag clicked"),
        ("当绿旗被点击", "when @greenFlag clicked"),
        ("TURN CW (15) DEGREES", "turn @turnRight (15) degrees"),
        ("say (score)", "say (score :: variables)"),
        ("set [score v] to (0)", "set [score v] to [0]"),
        ("将 x 坐标增加 (10)", "change x by (10)"),
        ("wait until <touching [edge v]?>", "wait until <touching (edge v) ?>"),
        ("wait until <(x)<(5)>", "wait until <(x :: variables) < [5]>"),
        ("wait until <(x) > [5]>", "wait until <(x :: variables) > [5]>"),
        (
            "如果 <按下 (空格 v) 键?> 那么\nsay [a]\n结束",
            "if <key (space v) pressed?> then\n  say [a]\nend",
        ),
        ("forever {\nshow\n}", "forever\n  show\nend"),
        ("if <> then {\nshow\n} else {\nhide\n}", "if <> then\n  show\nelse\n  hide\nend"),
        ("say [1 &lt; 2]", "say [1 \\< 2]"),
        ("", ""),
    ],
)
def test_ways_of_writing(notation: str, english: str) -> None:
    assert read(notation) == ([english] if english else [])


def test_a_definition_knows_its_parameters_and_its_calls() -> None:
    notation = "define jump (height) <high?>\nif <high?> then\nchange y by (height)\nend\n\njump (5) <>"
    assert read(notation, "zh_CN") == [
        "定义 jump (height :: custom-arg) <high? :: custom-arg>\n"
        "如果 <high? :: custom-arg> 那么\n  将y坐标增加 (height :: custom-arg)\n结束",
        "jump (5) <> :: custom",
    ]


def test_scripts_are_parted_by_an_empty_line_or_a_hat() -> None:
    assert read("show\n\n\nhide\nwhen flag clicked\nshow\n\n(answer)") == [
        "show",
        "hide",
        "when @greenFlag clicked\nshow",
        "(answer)",
    ]


@pytest.mark.parametrize(
    ("notation", "line", "message"),
    [
        ("show\nmvoe (10) steps", 2, "the nearest is: move ( ) steps"),
        ("说 [a]\n说[a] 2 秒", 2, "the nearest is: 说 [ ] ( ) 秒"),
        ("say (anwser)", 1, "nearly the block (answer)"),
        ("go to (mouse-pointer v)\nset rotation style [left-rihgt v]", 2, "the nearest is 'left-right'"),
        ("if (score) then\nend", 1, "no condition"),
        ("wait until [x]", 1, "a condition stands in <>"),
        ("wait until <answer>", 1, "does not fit into <>"),
        ("wait until <mouse dwon?>", 1, "the nearest is: mouse down?"),
        ("say (show)", 1, "does not fit into ()"),
        ("show\nrepeat (2)\nhide", 2, 'no "end"'),
        ("show\nend", 2, "closes nothing"),
        ("}", 1, "closes nothing"),
        ("show {\n}", 1, "no room for others"),
        ("if <> then\nelse\nelse\nend", 3, "an else already"),
        ("stop [all v]\nshow", 2, "nothing can stand below"),
        ("forever\nend\nshow", 3, "nothing can stand below"),
        ("forever\n(answer)\nend", 2, "or inside"),
        ("forever\nwhen flag clicked\nend", 2, "cannot stand below or inside"),
        ("say [a", 1, "a [ has no ]"),
        ("say (a", 1, "a ( has no )"),
        ("set [(answer)] to [(x]", 1, None),
        ("set (answer) to (0)", 1, "takes no block"),
        ("(" * 70 + ")" * 70, 1, "too deep"),
    ],
)
def test_what_is_wrong_is_told_at_its_line(notation: str, line: int, message: str | None) -> None:
    found = problems(notation)
    if message is None:
        assert found == []
        return
    assert any(at == line and message in english for at, english in found), found


def test_every_problem_is_told_in_chinese_too() -> None:
    (problem,) = read_block_text("mvoe (10) steps").problems
    assert problem.message("zh_CN").startswith("Scratch 里没有积木“mvoe (10) steps”")
    assert problem.message("en").startswith("'mvoe (10) steps' is no block")


def test_stopping_other_scripts_does_not_end_a_script() -> None:
    assert read("stop [other scripts in sprite v]\nshow") == ["stop [other scripts in sprite v]\nshow"]


def test_a_block_in_a_sentence_needs_no_end() -> None:
    assert read_block_text("repeat (10)", open_end=True).problems == ()


# -- the author's own words ----------------------------------------------------------------------------


def test_the_words_to_translate_are_those_that_scratch_does_not_have() -> None:
    notation = (
        "define jump (height)\nsay [Up!] // quick\n\njump (5)\nset [score v] to [0]\n"
        "go to (Cat v)\nglide (1) secs to (mouse-pointer v)\nbroadcast (done v)\n"
        "delete (last v) of [names v]\nif <key (a v) pressed?> then\nend\nsay [10 %]"
    )
    found = read_block_text(notation).project
    assert own_words(found) == ("jump %s", "height", "Up!", "score", "Cat", "done", "names", "quick")
    chinese = with_own_words(
        found, {"jump %s": "跳 %s 次", "height": "高度", "Up!": "跳！", "score": "得分"}
    )
    first, second = written(chinese, "zh_CN")
    assert first == "定义 跳 (高度 :: custom-arg) 次\n说 [跳！] // quick"
    assert second.startswith("跳 (5) 次 :: custom\n将 [得分 v] 设为 [0]\n移到 (Cat v)\n")
