"""Scripts as text that is read aloud: what a picture tells by its shapes is told by signs and levels."""

import pytest

from edukit.scratch import Project, block_text, spoken
from edukit.scratch.author import Project as Authored
from edukit.scratch.model import Block, Comment, Field, Input, Literal, Script, Target

SCORE = Field("VARIABLE", "得分", "v")
READ = Block("data_variable", "r", fields=(SCORE,))
SHOW = Block("looks_show", "show")


def typed(value: str, kind: int = 10) -> Literal:
    return Literal(kind, value)


def text(*blocks: Block, language: str = "en", comments: tuple[Comment, ...] = ()) -> str:
    target = Target("Cat", False, (Script(blocks),), (), (), (), (), (), comments=comments)
    (script,) = spoken(Project((target,)), language)
    assert (script.target, script.index) == ("Cat", 1)
    return script.text


def test_a_typed_text_a_number_and_a_block_inside_can_be_told_apart() -> None:
    join = Block("operator_join", "j", (Input("STRING1", (), typed("a b")), Input("STRING2", (READ,))))
    say = Block("looks_sayforsecs", "s", (Input("MESSAGE", (join,)), Input("SECS", (), typed("2", 4))))
    flag = Block("event_whenflagclicked", "f")
    assert text(flag, say) == "when green flag clicked\nsay (join “a b” 得分) for 2 seconds"
    assert text(flag, say, language="zh_CN") == "当绿旗被点击\n说（连接“a b”和得分）2 秒"


def test_a_mouth_is_a_level_and_has_an_end() -> None:
    inside = Block("control_if_else", "i", (Input("SUBSTACK", (SHOW,)),))
    loop = Block("control_forever", "f", (Input("SUBSTACK", (inside,)),))
    assert text(loop) == "forever\n  if empty then\n    show\n  else\n    nothing\n  end\nend"
    assert text(loop, language="zh_CN") == (
        "重复执行\n  如果空那么\n    显示\n  否则\n    空\n  结束\n结束"
    )


def test_a_note_is_read_after_the_line_that_it_belongs_to() -> None:
    loop = Block("control_forever", "loop", (Input("SUBSTACK", (SHOW,)),))
    note = Comment("c", "again\nand again", "loop")
    assert text(loop, comments=(note,)) == "forever\n  note: again and again\n  show\nend"
    assert "注释：again and again" in text(loop, language="zh_CN", comments=(note,))


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_activity_is_spoken_script_by_script(activity: Authored, language: str) -> None:
    project = activity.build(language)
    scripts, texts = spoken(project, language), block_text(project, language)
    assert [(one.target, one.index) for one in scripts] == [(one.target, one.index) for one in texts]
    everything = "\n".join(one.text for one in scripts)
    assert "::" not in everything
    assert "\\" not in everything
    for name in [one.name for one in project.stage.variables]:
        assert name in everything


def test_a_language_without_words_is_an_error() -> None:
    with pytest.raises(ValueError, match="'fr'"):
        spoken(Project(()), "fr")
