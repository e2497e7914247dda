"""Reading ``.sb3`` files: what is right comes back equal, what is wrong is named and never believed."""

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edukit.scratch import (
    Limits,
    ScratchError,
    block_text,
    check,
    draw_script,
    draw_stage,
    load,
    save,
    spoken,
)
from edukit.scratch.author import Project as Authored
from edukit.scratch.wording import tell

from .conftest import MD5, SVG, block, raw_project

Pack = Callable[..., Path]
Raw = dict[str, Any]
Node = Callable[..., str]


def blocks(raw: Raw) -> dict[str, Any]:
    found: dict[str, Any] = raw["targets"][1]["blocks"]
    return found


def test_a_script_is_a_tree(raw: Raw, pack: Pack) -> None:
    project = load(pack(raw))
    script, loose = project.targets[1].scripts
    hat, _, loop, say = script.blocks
    assert [hat.opcode, loop.opcode, say.opcode] == [
        "event_whenflagclicked",
        "control_repeat",
        "looks_say",
    ]
    mouth = loop.input("SUBSTACK")
    assert mouth is not None
    assert [one.opcode for one in mouth.blocks] == ["motion_goto"]
    message = say.input("MESSAGE")
    assert message is not None
    assert message.blocks[0].opcode == "data_variable"
    assert (script.x, script.y, loose.x, loose.y) == (5, 6, 100, 200)
    assert check(pack(raw)) == ()


@pytest.mark.parametrize("folder", ["", "my project/"])
def test_reading_what_was_saved_gives_an_equal_project(
    raw: Raw, pack: Pack, tmp_path: Path, folder: str
) -> None:
    raw["targets"][1]["comments"] = {"c": {"blockId": "say", "text": "why", "x": 1, "y": 2}}
    raw["targets"][1]["blocks"]["say"]["comment"] = "c"
    raw["somebody else's"] = [1, {"b": None}]
    project = load(pack(raw, folder=folder))
    save(project, tmp_path / "again.sb3")
    again = load(tmp_path / "again.sb3")
    assert again == project
    with zipfile.ZipFile(tmp_path / "again.sb3") as archive:
        written = json.loads(archive.read("project.json"))
    assert written["somebody else's"] == [1, {"b": None}]
    assert written["targets"][1]["comments"]["c"]["text"] == "why"
    assert written["targets"][1]["blocks"]["say"]["comment"] == "c"


def test_equal_projects_are_saved_as_equal_bytes(raw: Raw, pack: Pack, tmp_path: Path) -> None:
    project = load(pack(raw))
    save(project, tmp_path / "a.sb3")
    save(load(tmp_path / "a.sb3"), tmp_path / "b.sb3")
    assert (tmp_path / "a.sb3").read_bytes() == (tmp_path / "b.sb3").read_bytes()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_an_authored_project_is_read_back_as_it_was_made(
    activity: Authored, tmp_path: Path, language: str
) -> None:
    activity.save(tmp_path / "a.sb3", language)
    assert load(tmp_path / "a.sb3") == activity.build(language)
    assert check(tmp_path / "a.sb3") == ()


# -- faults that must be refused -----------------------------------------------------------------------

Spoil = Callable[[Raw], Any]

REFUSED: dict[str, tuple[str, Spoil]] = {
    "a parent that is not the parent": (
        "wrong-parent",
        lambda raw: blocks(raw)["say"].update(parent="hat"),
    ),
    "a held block without parent": (
        "wrong-parent",
        lambda raw: blocks(raw)["say"].update(parent=None),
    ),
    "a block that says that it hangs somewhere and does not": (
        "wrong-parent",
        lambda raw: blocks(raw).update(lost=block("looks_show", parent="say")),
    ),
    "a cycle through next": (
        "cycle",
        lambda raw: blocks(raw)["say"].update(next="loop"),
    ),
    "a block under itself": (
        "cycle",
        lambda raw: blocks(raw)["say"].update(next="say"),
    ),
    "a block in two holes": (
        "cycle",
        lambda raw: (
            blocks(raw)["say"]["inputs"].update(MESSAGE=[3, "sum", [10, ""]], AGAIN=[3, "sum", [10, ""]])
            or blocks(raw).update(sum=block("operator_add", parent="say"))
        ),
    ),
    "a bare text as input": (
        "missing-block",
        lambda raw: blocks(raw)["say"]["inputs"].update(MESSAGE=[1, "5"]),
    ),
    "an unknown block": (
        "unknown-opcode",
        lambda raw: blocks(raw)["say"].update(opcode="microbit_displayText"),
    ),
    "an input of no known kind": (
        "damaged-json",
        lambda raw: blocks(raw)["say"]["inputs"].update(MESSAGE=[4, [10, "x"]]),
    ),
    "a primitive of no known kind": (
        "damaged-json",
        lambda raw: blocks(raw)["say"]["inputs"].update(MESSAGE=[1, [77, "x"]]),
    ),
    "a definition without signature": (
        "damaged-json",
        lambda raw: blocks(raw).update(d=block("procedures_definition", topLevel=True)),
    ),
    "a call without label": (
        "damaged-json",
        lambda raw: blocks(raw)["say"].update(opcode="procedures_call", mutation={}),
    ),
    "no stage": ("damaged-json", lambda raw: raw["targets"].pop(0)),
    "no targets": ("damaged-json", lambda raw: raw.update(targets=[])),
    "no costume": ("damaged-json", lambda raw: raw["targets"][1].update(costumes=[])),
    "another version": ("damaged-json", lambda raw: raw["meta"].update(semver="2.0")),
    "Scratch 2": ("scratch-2", lambda raw: raw.update(objName="Stage")),
    "text for blocks": ("damaged-json", lambda raw: raw["targets"][1].update(blocks="x")),
    "an asset that leads elsewhere": (
        "damaged-json",
        lambda raw: raw["targets"][1]["costumes"][0].update(assetId="../../../etc/passwd"),
    ),
    "a truth value as position": ("damaged-json", lambda raw: raw["targets"][1].update(x=True)),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_project_that_would_harm_is_refused(fault: str, raw: Raw, pack: Pack) -> None:
    code, spoil = REFUSED[fault]
    spoil(raw)
    path = pack(raw)
    with pytest.raises(ScratchError) as caught:
        load(path)
    assert caught.value.code == code
    assert str(caught.value).startswith("project.sb3: ")
    finding = check(path)[-1]
    assert (finding.code, finding.severity) == (code, "error")
    # Both languages say something, and neither has a hole left in it.
    for words in (finding.message_en, finding.message_zh, finding.mend_en, finding.mend_zh):
        assert words
        assert "{" not in words


def test_the_refusal_names_the_sprite_and_the_block(raw: Raw, pack: Pack) -> None:
    blocks(raw)["say"]["parent"] = "hat"
    with pytest.raises(ScratchError, match=r'"Cat", script 1, block say: This block says'):
        load(pack(raw))


def test_the_refusal_of_an_unknown_block_lists_what_is_allowed(raw: Raw, pack: Pack) -> None:
    blocks(raw)["say"]["opcode"] = "ev3_beep"
    with pytest.raises(ScratchError, match=r"'ev3_beep'.*looks_…, motion_…, music_…"):
        load(pack(raw))


NOTED: dict[str, tuple[str, Spoil]] = {
    "a next that is not there": (
        "dangling-next",
        lambda raw: blocks(raw)["say"].update(next="gone"),
    ),
    "a variable that is not there": (
        "unknown-variable",
        lambda raw: blocks(raw)["say"]["inputs"].update(MESSAGE=[3, [12, "lives", "nowhere"], [10, ""]]),
    ),
    "a list that is not there": (
        "unknown-list",
        lambda raw: blocks(raw)["say"].update(
            opcode="data_deletealloflist", inputs={}, fields={"LIST": ["x", "nowhere"]}
        ),
    ),
    "a message that is not there": (
        "unknown-message",
        lambda raw: blocks(raw)["say"].update(
            opcode="event_broadcast", inputs={"BROADCAST_INPUT": [1, [11, "x", "nowhere"]]}
        ),
    ),
    "two sprites of one name": (
        "same-name",
        lambda raw: raw["targets"].append(raw_project()["targets"][1]),
    ),
    "a picture that is not there": (
        "missing-asset",
        lambda raw: raw["targets"][1]["costumes"][0].update(assetId="0" * 32, md5ext=f"{'0' * 32}.svg"),
    ),
    "a block in no script": (
        "lost-block",
        lambda raw: blocks(raw).update(lost=block("looks_show")),
    ),
}


@pytest.mark.parametrize("fault", NOTED)
def test_what_goes_silently_wrong_is_noted_and_read(
    fault: str, raw: Raw, pack: Pack, tmp_path: Path
) -> None:
    code, spoil = NOTED[fault]
    spoil(raw)
    findings = check(pack(raw))
    assert {(one.code, one.severity) for one in findings if one.severity != "hint"} == {(code, "warning")}
    project = load(pack(raw))
    save(project, tmp_path / "again.sb3")
    assert load(tmp_path / "again.sb3") == project


def test_a_picture_that_was_changed_is_noted(raw: Raw, pack: Pack) -> None:
    other = SVG.replace(b"rect", b"path", 1)
    findings = check(pack(raw, {f"{MD5}.svg": other}))
    assert {one.code for one in findings} == {"wrong-md5"}


# -- the package ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "bad-json"),
        ('{"a": NaN}', "bad-json"),
        ('{"a": 1e999}', "bad-json"),
        ('{"a": 1, "a": 2}', "bad-json"),
        ("[" * 100_000, "bad-json"),
        ("[]", "damaged-json"),
        ('{"targets": "' + "舞台".encode("gbk").decode("latin-1") + '"}', "damaged-json"),
        (b'{"targets": "' + "舞台".encode("gbk") + b'"}', "not-utf-8"),
        (" " * 30_000_000, "too-much"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_json_that_is_not_is_refused(text: str | bytes, code: str, pack: Pack) -> None:
    with pytest.raises(ScratchError) as caught:
        load(pack(text))
    assert caught.value.code == code
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("../out.svg", "bad-entry-name"),
        ("/etc/out.svg", "bad-entry-name"),
        ("a\\..\\out.svg", "bad-entry-name"),
        ("C:out.svg", "bad-entry-name"),
        ("a//out.svg", "bad-entry-name"),
        ("copy/project.json", "second-project"),
    ],
)
def test_names_that_lead_astray_are_refused(name: str, code: str, raw: Raw, pack: Pack) -> None:
    with pytest.raises(ScratchError) as caught:
        load(pack(raw, {name: b"x"}))
    assert caught.value.code == code


def test_what_a_mac_adds_is_passed_over(raw: Raw, pack: Pack) -> None:
    path = pack(raw, {f"p/{MD5}.svg": SVG, "__MACOSX/p/._x": b"", "p/.DS_Store": b""}, folder="p/")
    assert check(path) == ()


def test_two_entries_of_one_name_are_refused(raw: Raw, pack: Pack) -> None:
    path = pack(raw)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("project.json", "{}")
    assert check(path)[-1].code == "second-entry"


def test_no_zip_a_piece_of_one_and_an_empty_one_are_refused(raw: Raw, pack: Pack, tmp_path: Path) -> None:
    whole = pack(raw).read_bytes()
    for content in (b"", b"PK", b"<html>", whole[:-30], whole[: len(whole) // 2]):
        path = tmp_path / "broken.sb3"
        path.write_bytes(content)
        assert check(path)[-1].code == "not-a-zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "")
    assert check(path)[-1].code == "no-project"


def test_encrypted_entries_are_refused(raw: Raw, pack: Pack) -> None:
    path = pack(raw)
    data = bytearray(path.read_bytes())
    # The flag stands in the local header and in the directory.
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert check(path)[-1].code == "encrypted"


@pytest.mark.parametrize(
    "limits",
    [
        Limits(entries=1),
        Limits(json_bytes=100),
        Limits(asset_bytes=10),
        Limits(total_bytes=1000),
        Limits(targets=1),
        Limits(blocks=5),
        Limits(depth=0),
    ],
    ids=str,
)
def test_each_limit_holds(limits: Limits, raw: Raw, pack: Pack) -> None:
    with pytest.raises(ScratchError) as caught:
        load(pack(raw), limits=limits)
    assert caught.value.code == "too-much"


def test_a_small_file_that_unpacks_to_a_large_one_is_refused(raw: Raw, pack: Pack) -> None:
    # Within the limit of an asset, so it is the ratio that speaks.
    path = pack(raw, {f"{MD5}.svg": b"<svg>" + b" " * 5_000_000 + b"</svg>"})
    assert check(path)[-1].code == "too-much"


def test_blocks_deep_in_blocks_end_in_a_message(raw: Raw, pack: Pack) -> None:
    deep = {f"n{i}": block("operator_not", parent=f"n{i - 1}") for i in range(5000)}
    for i in range(4999):
        deep[f"n{i}"]["inputs"] = {"OPERAND": [2, f"n{i + 1}"]}
    deep["n0"] |= {"parent": None, "topLevel": True}
    blocks(raw).update(deep)
    assert check(pack(raw))[-1].code == "too-much"
    assert check(pack(raw))[-1].severity == "error"
    with pytest.raises(ScratchError):
        load(pack(raw), limits=Limits(depth=1_000_000))


@pytest.mark.parametrize(
    "inside",
    [
        '<image href="https://example.org/x.png"/>',
        '<image xlink:href="//example.org/x.png"/>',
        '<use href="other.svg#a"/>',
        "<script>1</script>",
        "<rect onclick='x()'/>",
        "<style>@import 'x.css';</style>",
        "<style>rect{fill:url(https://example.org/x)}</style>",
        "<style>rect{fill:u\\72l(x)}</style>",
        "<rect style='fill:url(//example.org/x)'/>",
        "<rect fill='url(http://example.org/#x)'/>",
        "<foreignObject/>",
        "<a href='javascript:x()'/>",
        "<set attributeName='xlink:href' to='x'/>",
        "<g xml:base='https://example.org/'/>",
        "<rect>",
    ],
)
def test_pictures_that_reach_out_are_refused(inside: str, raw: Raw, pack: Pack) -> None:
    picture = f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>'.encode()
    finding = check(pack(raw, {f"{MD5}.svg": picture}))[-1]
    assert (finding.code, finding.severity) == ("unsafe-picture", "error")


@pytest.mark.parametrize(
    "whole",
    [
        b"<html/>",
        b"not xml",
        b'<?xml-stylesheet href="x.css"?><svg/>',
        b'<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>',
        b"<svg>" + b"<g>" * 300 + b"</g>" * 300 + b"</svg>",
    ],
)
def test_what_is_no_plain_picture_is_refused(whole: bytes, raw: Raw, pack: Pack) -> None:
    assert check(pack(raw, {f"{MD5}.svg": whole}))[-1].code == "unsafe-picture"


def test_pictures_that_keep_to_themselves_are_read(raw: Raw, pack: Pack) -> None:
    picture = (
        b'<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">'
        b'<svg viewBox="0 0 9 9"><linearGradient id="g" xlink:href="#h"/>'
        b"<style>@font-face{src:url(data:font/woff2;base64,AA)} a{fill:url(#g)}</style>"
        b'<image href="data:image/png;base64,AA"/><path transform="rotate(2)" fill="url(#g)"/></svg>'
    )
    assert {one.code for one in check(pack(raw, {f"{MD5}.svg": picture}))} == {"wrong-md5"}


def test_a_picture_that_is_a_web_page_is_refused(raw: Raw, pack: Pack) -> None:
    costume = raw["targets"][1]["costumes"][0]
    costume |= {"dataFormat": "png", "md5ext": f"{MD5}.png"}
    page = b"  <!DOCTYPE html><html><script>1</script></html>"
    finding = check(pack(raw, {f"{MD5}.svg": SVG, f"{MD5}.png": page}))[-1]
    assert (finding.code, finding.severity) == ("unsafe-picture", "error")
    assert '"Cat"' in finding.text("en")
    noise = check(pack(raw, {f"{MD5}.svg": SVG, f"{MD5}.png": b"noise"}))
    assert "wrong-kind" in {one.code for one in noise}


def test_the_file_that_scratch_shows_is_the_one_that_is_checked(raw: Raw, pack: Pack) -> None:
    other, evil = "f" * 32, b"<svg><script>1</script></svg>"
    raw["targets"][1]["costumes"][0]["md5ext"] = f"{other}.svg"
    for name in (f"{other}.svg", f"folder/{other}.svg"):
        assert check(pack(raw, {f"{MD5}.svg": SVG, name: evil}))[-1].code == "unsafe-picture"
    # A drawing that is called a photo in one place and a drawing in another is checked as a drawing.
    raw["targets"][1]["costumes"][0]["md5ext"] = f"{other}.png"
    assert check(pack(raw, {f"{MD5}.svg": SVG, f"{other}.png": evil}))[-1].code == "unsafe-picture"


# -- what comes back -----------------------------------------------------------------------------------


def test_a_single_sprite_is_read_and_saved_as_one(raw: Raw, tmp_path: Path) -> None:
    sprite = raw["targets"][1]
    sprite["blocks"]["say"]["comment"] = "c"
    sprite["comments"] = {"c": {"blockId": "say", "text": "why", "x": None, "y": 2}}
    sprite["unheard of"] = 1
    path, again = tmp_path / "cat.sprite3", tmp_path / "again.sprite3"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("sprite.json", json.dumps(sprite))
        archive.writestr(f"{MD5}.svg", SVG)
    project = load(path)
    assert project.kind == "sprite"
    assert [target.name for target in project.targets] == ["Stage", "Cat"]
    assert project.targets[1].comments[0].text == "why"
    # The variable that it uses stayed behind in the project that it came from.
    assert check(path) == ()
    save(project, again)
    assert load(again) == project
    with zipfile.ZipFile(again) as archive:
        assert json.loads(archive.read("sprite.json"))["unheard of"] == 1


def test_a_project_inside_a_zip_is_asked_to_be_unpacked(raw: Raw, pack: Pack, tmp_path: Path) -> None:
    whole, outer = pack(raw).read_bytes(), tmp_path / "homework.zip"
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("小明/猫.sb3", whole)
    (finding,) = check(outer)
    assert (finding.code, finding.severity) == ("zip-of-projects", "error")
    assert "猫.sb3" in finding.message_zh


NAMES = [
    '"',
    "'",
    "<script>alert(1)</script>",
    "👩‍🏫🐱",
    "two\nlines",
    "\u202eright to left",
    "a" * 5_000,
    "",
]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_any_name_comes_back_as_it_was(name: str, raw: Raw, pack: Pack, tmp_path: Path) -> None:
    sprite = raw["targets"][1]
    sprite["name"] = name
    raw["targets"][0]["variables"]["v"][0] = name
    blocks(raw)["say"]["inputs"]["MESSAGE"] = [3, [12, name, "v"], [10, name]]
    sprite["costumes"][0]["name"] = name
    path = pack(raw)
    project = load(path)
    assert project.targets[1].name == name
    save(project, tmp_path / "again.sb3")
    assert load(tmp_path / "again.sb3") == project
    for finding in check(path):
        assert len(finding.text("en")) < 12_000
        assert "\n" not in finding.text("zh_CN")


def test_ten_thousand_sprites_end_in_a_message(raw: Raw, pack: Pack) -> None:
    raw["targets"] += [raw["targets"][1] | {"name": str(n)} for n in range(10_000)]
    (finding,) = check(pack(raw))
    assert (finding.code, finding.severity) == ("too-much", "error")


def test_nobody_has_to_read_a_hundred_thousand_findings(raw: Raw, pack: Pack) -> None:
    blocks(raw).update({f"x{n}": block("looks_show") for n in range(5_000)})
    findings = check(pack(raw))
    assert len(findings) < 400
    assert findings[300].code == "too-many"


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda raw: raw["extensions"].append("microbit"), "unknown-extension"),
        (lambda raw: raw.update(extensionURLs={"x": "https://example.org/x.js"}), "outside-extension"),
        (
            lambda raw: raw["monitors"].append({"id": "m", "opcode": "ev3_getDistance", "params": {}}),
            "unknown-opcode",
        ),
    ],
)
def test_what_would_load_a_program_is_refused(spoil: Spoil, code: str, raw: Raw, pack: Pack) -> None:
    spoil(raw)
    finding = check(pack(raw))[-1]
    assert (finding.code, finding.severity) == (code, "error")


def test_a_project_of_scratch_1_is_called_that(tmp_path: Path) -> None:
    path = tmp_path / "old.sb"
    path.write_bytes(b"ScratchV01" + bytes(100))
    assert check(path)[-1].code == "scratch-1"


@pytest.mark.parametrize("empty", [{}, {"SUBSTACK2": [2, None]}, {"SUBSTACK2": [1, None]}])
def test_an_empty_else_is_an_empty_mouth(empty: Raw, raw: Raw, pack: Pack, tmp_path: Path) -> None:
    blocks(raw)["say"]["next"] = "if"
    blocks(raw)["if"] = block("control_if_else", parent="say", inputs=empty)
    path = pack(raw)
    assert check(path) == ()
    assert block_text(load(path), "en")[0].text.endswith("if <> then\nelse\nend")
    save(load(path), tmp_path / "again.sb3")
    assert load(tmp_path / "again.sb3") == load(path)


def test_a_picture_that_is_lost_keeps_its_id(raw: Raw, pack: Pack, tmp_path: Path) -> None:
    project = load(pack(raw, {}))
    save(project, tmp_path / "again.sb3")
    with zipfile.ZipFile(tmp_path / "again.sb3") as archive:
        written = json.loads(archive.read("project.json"))
    assert written["targets"][1]["costumes"][0]["assetId"] == MD5
    assert load(tmp_path / "again.sb3") == project


# -- the peer ------------------------------------------------------------------------------------------

# What the peer lets through and would harm: links between blocks, and what is loaded from outside.
OURS = {"wrong-parent", "cycle", "missing-block", "unknown-opcode", "unknown-extension", "damaged-json"}


@pytest.mark.node
def test_nothing_is_read_that_scratch_itself_refuses(node: Node, pack: Pack, tmp_path: Path) -> None:
    values: list[Any] = [None, True, -1.5, "x", [], {}]
    full = raw_project()
    full["targets"][1] |= {"volume": 100, "rotationStyle": "all around", "tempo": 60}
    full["targets"][1]["comments"] = {"c": {"text": "why", "blockId": None, "x": 1, "minimized": True}}
    full["targets"][1]["costumes"][0] |= {"bitmapResolution": 1, "rotationCenterX": 2}
    full["targets"][0] |= {"videoState": "on", "videoTransparency": 50}
    full["meta"] |= {"vm": "4.8.115", "agent": "x"}
    full["targets"][1]["blocks"]["say"] |= {"comment": "c", "mutation": {"tagName": "mutation"}}
    spoiled, told = [full], ["as it was"]
    for place in range(len(list(_places(full)))):
        for value in [*values, ...]:
            copy = json.loads(json.dumps(full))
            owner, key = list(_places(copy))[place]
            if value is ...:
                del owner[key]
            else:
                owner[key] = value
            spoiled.append(copy)
            told.append(f"{key} = {value}")
    cases = tmp_path / "cases.json"
    cases.write_text(json.dumps([[False, one] for one in spoiled]), "utf-8")
    accepted = json.loads(node("validate.cjs", cases))
    refused = []
    for raw in spoiled:
        try:
            load(pack(raw))
        except ScratchError as error:
            refused.append(error.code)
        else:
            refused.append("")
    assert accepted[0]
    assert refused[0] == ""
    verdicts = list(zip(told, accepted, refused, strict=True))
    let_through = [change for change, peer, ours in verdicts if not peer and not ours]
    assert "\n".join(let_through) == ""
    assert {ours for _, peer, ours in verdicts if peer and ours} <= OURS
    # Both refuse and both accept many, else this would say nothing.
    assert sum(accepted) > 200
    assert sum(not one for one in accepted) > 200


# -- files that nobody thought of ----------------------------------------------------------------------


def test_half_an_emoji_becomes_something_that_can_be_written(raw: Raw, pack: Pack) -> None:
    text = json.dumps(raw).replace('"score"', '"\\ud83d score"')
    project = load(pack(text))
    assert project.stage.variables[0].name == "\ufffd score"


# How much longer to look than a run of all tests allows: EDUKIT_FUZZ=40 is some minutes.
MORE = int(os.environ.get("EDUKIT_FUZZ", "1"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-20, 20) | st.text(max_size=3) | st.just("say"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)


def full_project() -> Raw:
    """Return a project with a custom block, a list, a message, a monitor and a note as well."""
    raw = raw_project()
    sprite, held = raw["targets"][1], blocks(raw)
    signature = {"tagName": "mutation", "children": [], "proccode": "jump %s %b", "warp": "true"}
    signature |= {"argumentids": '["a", "b"]'}
    names = {"argumentnames": '["high", "ok"]', "argumentdefaults": '["", "false"]'}
    held["call"] = block("procedures_call", parent="say", next="add", mutation=dict(signature))
    held["call"]["inputs"] = {"a": [1, [10, "5"]]}
    held["say"] |= {"next": "call", "comment": "c"}
    add = {"parent": "call", "next": "send", "inputs": {"ITEM": [3, [13, "things", "l"], [10, ""]]}}
    held["add"] = block("data_addtolist", fields={"LIST": ["things", "l"]}, **add)
    held["send"] = block("event_broadcast", parent="add", inputs={"BROADCAST_INPUT": [1, [11, "go", "m"]]})
    held["define"] = block("procedures_definition", topLevel=True, next="note", x=1, y=2)
    held["define"]["inputs"] = {"custom_block": [1, "sign"]}
    held["sign"] = block("procedures_prototype", parent="define", shadow=True, mutation=signature | names)
    held["note"] = block("music_playNoteForBeats", parent="define", next="colour")
    held["note"]["inputs"] = {"NOTE": [1, "piano"], "BEATS": [1, [4, 0.25]]}
    held["piano"] = block("note", parent="note", shadow=True, fields={"NOTE": ["60", None]})
    held["colour"] = block("pen_setPenColorToColor", parent="note", inputs={"COLOR": [1, [9, "#12ab34"]]})
    sprite["comments"] = {"c": {"blockId": "say", "text": "why", "x": 1, "y": None}}
    raw["extensions"] = ["pen", "music"]
    monitor = {"id": "v", "mode": "default", "opcode": "data_variable", "params": {"VARIABLE": "score"}}
    raw["monitors"] = [monitor | {"spriteName": None, "value": 0, "visible": True, "x": 5, "y": 6}]
    return raw


@settings(
    max_examples=150 * MORE,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10**6), value=VALUES)
def test_one_wrong_value_anywhere_is_read_or_refused(pack: Pack, seed: int, value: object) -> None:
    raw = full_project()
    places = list(_places(raw))
    owner, key = places[seed % len(places)]
    owner[key] = value
    path = pack(raw)
    if any(one.severity == "error" for one in check(path)):
        with pytest.raises(ScratchError):
            load(path)
        return
    project = load(path)
    for language in ("en", "zh_CN"):
        block_text(project, language)
        spoken(project, language)
        for telling in tell(project, language):
            draw_script(telling, language)
    draw_stage(project, "x")
    again = path.with_name("again.sb3")
    save(project, again)
    assert load(again) == project


def _places(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


@settings(
    max_examples=80 * MORE,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_damaged_bytes_are_read_or_refused(pack: Pack, data: st.DataObject) -> None:
    path = pack(raw_project())
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    check(path)
