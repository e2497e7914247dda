"""Drawn scripts and stages: lists for those who cannot see them, and nothing of a project runs."""

import dataclasses
import re
from xml.etree import ElementTree

import pytest

from edukit.scratch import Project, draw_script, draw_stage
from edukit.scratch.author import Project as Authored
from edukit.scratch.model import (
    Asset,
    Block,
    Comment,
    Field,
    Input,
    Literal,
    Monitor,
    Script,
    Target,
    Variable,
)
from edukit.scratch.opcodes import opcodes
from edukit.scratch.wording import tell

from .conftest import MD5, ROOT, SVG

EVIL = "<script>alert('1')</script>\"'&"
SVG_NAME = "{http://www.w3.org/2000/svg}"


def target(*blocks: Block, name: str = "Cat", **more: object) -> Target:
    costume = Asset("c", MD5, "svg", SVG, (2, 1))
    variables = (Variable("v", EVIL, EVIL),)
    fields: dict[str, object] = {"name": name, "is_stage": name == "Stage", "variables": variables}
    fields |= {"scripts": (Script(blocks),) if blocks else (), "lists": (), "messages": ()}
    return Target(**(fields | {"costumes": (costume,), "sounds": ()} | more))  # type: ignore[arg-type]


def drawn(*blocks: Block, language: str = "en") -> ElementTree.Element:
    (telling,) = tell(Project((target(*blocks),)), language)
    return ElementTree.fromstring(draw_script(telling, language))


def spoken(element: ElementTree.Element) -> str:
    """Return what is left without any style: the text, with the names of icons."""
    words = [element.text or "", element.get("aria-label", "")]
    for child in element:
        words += [spoken(child), child.tail or ""]
    return " ".join("".join(words).split())


def test_a_script_is_a_list_and_a_mouth_a_list_inside() -> None:
    show = Block("looks_show", "s")
    loop = Block("control_repeat", "r", (Input("TIMES", (), Literal(6, "10")), Input("SUBSTACK", (show,))))
    tree = drawn(Block("event_whenflagclicked", "h"), loop)
    assert (tree.tag, tree.get("role")) == ("ol", "list")
    hat, repeat = tree
    assert spoken(hat) == "when green flag clicked"
    assert (hat.tag, repeat.tag) == ("li", "li")
    (inner,) = repeat.iter("ol")
    assert inner.get("role") == "list"
    assert [spoken(item) for item in inner] == ["show"]
    assert spoken(repeat).replace(" ", "") == "repeat10show"


def test_what_belongs_together_can_be_heard() -> None:
    one, two, three = (Literal(4, digit) for digit in "123")
    inside = Block("operator_add", "a", (Input("NUM1", (), one), Input("NUM2", (), two)))
    twice = Block("operator_multiply", "m", (Input("NUM1", (inside,)), Input("NUM2", (), three)))
    tree = drawn(Block("looks_say", "s", (Input("MESSAGE", (twice,)),)))
    assert spoken(tree).replace(" ", "") == "say((1+2)*3)"


def test_empty_holes_are_named_in_the_language() -> None:
    tree = drawn(Block("control_if", "i"), language="zh_CN")
    assert spoken(tree) == "如果 空 那么空"


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_activity_is_drawn_as_well_formed_markup(activity: Authored, language: str) -> None:
    project = activity.build(language)
    for telling in tell(project, language):
        tree = ElementTree.fromstring(draw_script(telling, language))
        assert len(tree) == len(telling.phrases)
    ElementTree.fromstring(draw_stage(project, "x"))


def test_a_note_is_drawn_under_its_row_and_stays_text() -> None:
    show = Block("looks_show", "s")
    loop = Block("control_repeat", "r", (Input("SUBSTACK", (show,)),))
    owner = dataclasses.replace(target(loop), comments=(Comment("c", f"one\n{EVIL}", "r"),))
    (telling,) = tell(Project((owner,)), "en")
    tree = ElementTree.fromstring(draw_script(telling, "en"))
    (block,) = tree
    kinds = [str(part.get("class")).split()[0] for part in block]
    assert kinds == ["sb-row", "sb-comment", "sb-mouth", "sb-foot"]
    assert not list(tree.iter("script"))
    assert EVIL in "".join(block[1].itertext())


def test_each_category_has_colours() -> None:
    styles = (ROOT / "src/edukit/sphinxext/static/edukit/scratch.css").read_text("utf-8")
    for category in {row.category for row in opcodes().values()} - {"note"}:
        assert re.search(rf"\.sb-{category}\b[^{{]*{{ --sb:", styles), category


def test_what_a_project_says_stays_text() -> None:
    variable = Block("data_variable", "v", fields=(Field("VARIABLE", EVIL, "v"),))
    colour = Block("sensing_touchingcolor", "t", (Input("COLOR", (), Literal(9, EVIL)),))
    tree = drawn(
        Block("looks_say", "s", (Input("MESSAGE", (), Literal(10, EVIL)),)),
        Block("looks_say", "s", (Input("MESSAGE", (variable,)),)),
        Block("control_wait_until", "w", (Input("CONDITION", (colour,)),)),
    )
    assert not list(tree.iter("script"))
    assert spoken(tree).count(EVIL) == 3


def test_the_stage_shows_what_is_there_and_where() -> None:
    hidden = target(name="Hidden", visible=False, layer=1)
    turned = target(name="Turned", layer=2, x=-10, y=20, direction=45, size=200)
    flipped = target(name="Flipped", layer=3, direction=-90, rotation_style="left-right")
    monitor = Monitor("v", "data_variable", (("VARIABLE", EVIL),), None, True, 5, 6)
    project = Project((target(name="Stage"), flipped, turned, hidden), (monitor,))
    tree = ElementTree.fromstring(draw_stage(project, EVIL))
    assert tree.get("role") == "img"
    assert tree.findtext(f"{SVG_NAME}title") == EVIL
    moves = [group.get("transform") for group in tree.findall(f"{SVG_NAME}g")]
    assert moves == [
        "translate(240 180)",
        "translate(230 160) rotate(315) scale(2)",
        "translate(240 180) scale(-1 1)",
        "translate(5 6)",
    ]
    images = list(tree.iter(f"{SVG_NAME}image"))
    assert [(one.get("x"), one.get("width")) for one in images] == [("-2", "4")] * 3
    assert all(str(one.get("href")).startswith("data:image/svg+xml;base64,") for one in images)
    assert [one.text for one in tree.iter(f"{SVG_NAME}text")] == [EVIL, EVIL]


def test_a_bitmap_has_half_its_size_and_a_lost_one_is_left_out() -> None:
    png = b"\x89PNG\r\n\x1a\n" + bytes(8) + (20).to_bytes(4) + (10).to_bytes(4)
    bitmap = Asset("b", MD5, "png", png, None, '{"bitmapResolution":2}')
    lost = Asset("l", MD5, "png", None)
    stage = target(name="Stage", costumes=(bitmap,))
    tree = ElementTree.fromstring(draw_stage(Project((stage, target(costumes=(lost,)))), "x"))
    (image,) = tree.iter(f"{SVG_NAME}image")
    assert (image.get("width"), image.get("height"), image.get("x")) == ("10", "5", "-5")
