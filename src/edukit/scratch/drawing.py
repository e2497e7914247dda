"""Draw scripts as HTML and the stage as SVG; no script runs in the page, no file is fetched.

A script is a list of its blocks, and the mouth of a C-shaped block is a list inside the block: that is
what a screen reader tells, what stays when styles are off, and what text search finds. The shapes and
colours are in ``scratch.css``. The words of nested reporters have parentheses that only such readers
meet, because "a minus b equals c" does not say what belongs together.

Why not scratchblocks: in the page it is 39 kB of packed script, after which a reader without scripts, or
with a screen reader, still has nothing; drawn beforehand, the script of the guide's page on Scratch is an
SVG of 39 kB (13 packed) and of one width. The same script is 2 kB here (0.5 packed), and the style sheet
and the script of all pages are 17 kB (5 packed).
"""

import base64
import html
import itertools
import json
import math
import re

from .model import Asset, Monitor, Project, Target
from .opcodes import BOOLEAN, ICONS, LANGUAGES, Icon
from .pictures import UnsafePictureError, check_svg
from .wording import Mouth, Phrase, Slot, Telling

STAGE_WIDTH, STAGE_HEIGHT = 480, 360

_ICON_PATHS = {
    "greenFlag": "M4 1v14M4 2q3-1.5 5.5 0T14 2v7q-2 1.5-4.5 0T4 9z",
    "turnRight": "M12.6 4.4A6 6 0 1 0 14 8M13.6 1.2v3.9H9.7",
    "turnLeft": "M3.4 4.4A6 6 0 1 1 2 8M2.4 1.2v3.9h3.9",
}


def draw_script(telling: Telling, language: str) -> str:
    """Draw a script as an HTML list.

    Parameters
    ----------
    telling
        The script in the words of a language, from :func:`~edukit.scratch.wording.tell`.
    language
        That language: ``en`` or ``zh_CN``.

    Returns
    -------
    str
        An ``<ol>``, well-formed as XML too; what a project says is escaped.
    """
    return _stack(telling.phrases, language)


def draw_inline(block: Phrase, language: str) -> str:
    """Draw one block for the middle of a sentence; of a C-shaped block, the row above its mouth.

    Parameters
    ----------
    block
        The block in the words of a language.
    language
        That language: ``en`` or ``zh_CN``.

    Returns
    -------
    str
        A ``<span>`` with nothing but spans and icons in it, so that it may stand in a paragraph.
    """
    if block.shape in ("reporter", "menu", BOOLEAN):
        drawn = _reporter(block, language)
    else:
        row = itertools.takewhile(lambda part: not isinstance(part, Mouth), block.parts)
        words = " ".join(_part(part, language) for part in row)
        kind = f"sb-block sb-{block.category} sb-{block.shape}"
        drawn = f'<span class="{kind}"><span class="sb-row">{words}</span></span>'
    return f'<span class="sb-script sb-inline">{drawn}</span>'


def _stack(phrases: tuple[Phrase, ...], language: str) -> str:
    # Styles that take the bullets away take the list away from some screen readers; the role keeps it.
    items = "".join(_block(one, language) for one in phrases)
    return f'<ol class="sb-stack" role="list">{items}</ol>'


def _block(block: Phrase, language: str) -> str:
    if block.shape in ("reporter", "menu", BOOLEAN):
        return f'<li class="sb-loose">{_reporter(block, language)}</li>'
    rows: list[str] = []
    words: list[str] = []
    for part in block.parts:
        if isinstance(part, Mouth):
            rows.append(_row(words))
            rows.append(f'<div class="sb-mouth">{_mouth(part, language)}</div>')
            words = []
        else:
            words.append(_part(part, language))
    if words:
        rows.append(_row(words))
    if notes := "\n".join(block.comments):
        text = html.escape(notes).replace("\n", "<br/>")
        rows.insert(1, f'<div class="sb-comment">{text}</div>')
    c_shaped = any(isinstance(part, Mouth) for part in block.parts)
    kind = f"sb-block sb-{block.category} sb-{block.shape}" + (" sb-c" if c_shaped else "")
    foot = '<div class="sb-foot"></div>' if c_shaped else ""
    return f'<li class="{kind}">{"".join(rows)}{foot}</li>'


def _row(words: list[str]) -> str:
    return f'<div class="sb-row">{" ".join(words)}</div>'


def _mouth(mouth: Mouth, language: str) -> str:
    if mouth.phrases:
        return _stack(mouth.phrases, language)
    return f'<span class="sb-hidden">{("nothing", "空")[LANGUAGES.index(language)]}</span>'


def _part(part: str | Icon | Slot | Mouth | Phrase, language: str) -> str:
    match part:
        case str():
            return f"<span>{html.escape(part)}</span>"
        case Icon(name):
            label = ICONS[name][LANGUAGES.index(language)]
            return (
                f'<svg class="sb-icon sb-{name}" role="img" aria-label="{label}" viewBox="0 0 16 16">'
                f'<path d="{_ICON_PATHS[name]}"/></svg>'
            )
        case Slot():
            return _slot(part, language)
        case Phrase():
            return _reporter(part, language)
        case Mouth():
            raise TypeError("a mouth stands on rows of its own")


def _reporter(block: Phrase, language: str) -> str:
    words = " ".join(_part(part, language) for part in block.parts)
    opening, closing = "<>" if block.shape == BOOLEAN else "()"
    hidden = '<span class="sb-hidden">{}</span>'
    if len(block.parts) == 1 and isinstance(block.parts[0], str):
        opening = closing = ""
    before, after = (hidden.format(html.escape(one)) if one else "" for one in (opening, closing))
    # The outline of a hexagon is cut off with its corners, hence a box in a box.
    inner = f'<span class="sb-in">{before}{words}{after}</span>'
    return f'<span class="sb-reporter sb-{block.shape} sb-{block.category}">{inner}</span>'


def _slot(slot: Slot, language: str) -> str:
    empty = ("empty", "空")[LANGUAGES.index(language)]
    if slot.kind == "colour":
        colour = slot.text if re.fullmatch("#[0-9a-fA-F]{6}", slot.text) else "none"
        return (
            f'<svg class="sb-slot sb-colour" role="img" aria-label="{html.escape(slot.text)}" '
            f'viewBox="0 0 16 8"><rect width="16" height="8" fill="{colour}"/></svg>'
        )
    if slot.kind == "boolean":
        return f'<span class="sb-slot sb-empty-boolean"><span class="sb-hidden">{empty}</span></span>'
    kind = {"menu": "sb-menu", "field": "sb-field"}.get(slot.kind, "sb-typed")
    text = html.escape(slot.text).replace("\n", "<br/>")
    if not slot.text.strip():
        text = f'<span class="sb-hidden">{empty}</span>'
    return f'<span class="sb-slot {kind}">{text}</span>'


# -- the stage -----------------------------------------------------------------------------------------


def draw_stage(project: Project, title: str) -> str:
    """Draw the stage as it is when the project opens.

    Parameters
    ----------
    project
        The project.
    title
        What the picture is called for those who do not see it.

    Returns
    -------
    str
        An ``<svg>`` of 480 by 360 units. Each costume is an image inside it, so that its ids and styles
        stay its own and nothing in it runs.
    """
    drawn = [_costume(project.stage)]
    sprites = sorted(project.targets[1:], key=lambda target: target.layer)
    drawn += [_costume(target) for target in sprites if target.visible]
    drawn += [_monitor(monitor, project) for monitor in project.monitors]
    return (
        f'<svg class="sb-stage" role="img" viewBox="0 0 {STAGE_WIDTH} {STAGE_HEIGHT}" '
        f'width="{STAGE_WIDTH}" height="{STAGE_HEIGHT}" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{html.escape(title)}</title>"
        f'<rect width="{STAGE_WIDTH}" height="{STAGE_HEIGHT}" fill="#fff"/>'
        f"{''.join(drawn)}</svg>"
    )


def _costume(target: Target) -> str:
    costume = target.costumes[target.current_costume]
    size = picture_size(costume)
    if costume.data is None or size is None:
        return ""
    width, height = size
    center_x, center_y = costume.center or (width / 2, height / 2)
    moves = []
    if target.is_stage:
        moves.append(f"translate({_n(STAGE_WIDTH / 2)} {_n(STAGE_HEIGHT / 2)})")
    else:
        moves.append(f"translate({_n(STAGE_WIDTH / 2 + target.x)} {_n(STAGE_HEIGHT / 2 - target.y)})")
        turn = (target.direction - 90) % 360
        if target.rotation_style == "all around" and turn:
            moves.append(f"rotate({_n(turn)})")
        if target.rotation_style == "left-right" and target.direction % 360 > 180:
            moves.append("scale(-1 1)")
        if target.size != 100:
            moves.append(f"scale({_n(target.size / 100)})")
    kind = {"svg": "svg+xml", "jpg": "jpeg"}.get(costume.format, costume.format)
    data = base64.b64encode(costume.data).decode()
    return (
        f'<g transform="{" ".join(moves)}"><image x="{_n(-center_x)}" y="{_n(-center_y)}" '
        f'width="{_n(width)}" height="{_n(height)}" href="data:image/{kind};base64,{data}"/></g>'
    )


def picture_size(costume: Asset) -> tuple[float, float] | None:
    """Return width and height of a costume on the stage, or None for what cannot be measured."""
    if costume.data is None:
        return None
    if costume.format == "svg":
        try:
            return check_svg(costume.data)
        except UnsafePictureError:
            return None
    size = _bitmap_size(costume.data)
    if size is None:
        return None
    # Scratch keeps bitmaps at twice the size that they have on the stage.
    scale = json.loads(costume.extra).get("bitmapResolution")
    if not isinstance(scale, int | float) or scale <= 0:
        scale = 1
    return size[0] / scale, size[1] / scale


def _bitmap_size(data: bytes) -> tuple[int, int] | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    if data.startswith(b"GIF8") and len(data) >= 10:
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    if data.startswith(b"\xff\xd8"):
        at = 2
        while at + 9 <= len(data) and data[at] == 0xFF:
            marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
            if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                height, width = data[at + 5 : at + 7], data[at + 7 : at + 9]
                return int.from_bytes(width), int.from_bytes(height)
            at += 2 + length
    return None


def _monitor(monitor: Monitor, project: Project) -> str:
    """Draw the display of a variable; displays of other reporters and lists have no value yet."""
    if not monitor.visible or monitor.opcode != "data_variable":
        return ""
    owners = [target for target in project.targets if monitor.target in (None, target.name)]
    found = [one for target in owners for one in target.variables if one.id == monitor.id]
    if not found:
        return ""
    name, value = found[0].name, str(found[0].value)
    name_width, value_width = _text_width(name), max(_text_width(value), 28) + 12
    x, y = monitor.x, monitor.y
    return (
        f'<g transform="translate({_n(x)} {_n(y)})" font-family="sans-serif" font-size="12">'
        f'<rect width="{_n(name_width + value_width + 20)}" height="24" rx="4" fill="#e6f0ff" '
        f'stroke="#c4ccd8"/>'
        f'<text x="8" y="16.5" font-weight="bold" fill="#3c4453">{html.escape(name)}</text>'
        f'<rect x="{_n(name_width + 14)}" y="3" width="{_n(value_width)}" height="18" rx="4" '
        f'fill="#ff8c1a"/>'
        f'<text x="{_n(name_width + 14 + value_width / 2)}" y="16.5" text-anchor="middle" '
        f'fill="#1b1b1b">{html.escape(value)}</text></g>'
    )


def _text_width(text: str) -> float:
    return sum(12.5 if ord(character) > 0x2E80 else 7.2 for character in text)


def _n(value: float) -> str:
    """Write a coordinate: short, and never as nan or inf, which JSON cannot hold but sums can."""
    if not math.isfinite(value):
        return "0"
    return f"{value:.4f}".rstrip("0").rstrip(".")
