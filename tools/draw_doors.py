"""Draw the pictures of the home page from what the site itself is made of.

Each picture shows what is behind its door: a table of position encodings as edukit.posenc computes
it, lines of the song, the stage of the Scratch project. Run it again when one of them changes::

    .venv/bin/python tools/draw_doors.py
"""

import re
import runpy
from html import escape
from pathlib import Path

import numpy as np

from edukit.lyrics import load, read_aloud
from edukit.posenc import sinusoidal
from edukit.scratch.model import Asset

ROOT = Path(__file__).resolve().parent.parent
DOORS = ROOT / "docs" / "_static" / "doors"
SONG = ROOT / "docs" / "songs" / "a-garden-of-words.lrc"
GAME = ROOT / "docs" / "scratch" / "subtraction_challenge.py"
SIZE = 480
CELADON, PERSIMMON, GOLD, INK = "#23796d", "#c8562b", "#f2c14e", "#23292b"
# As in docs/_static/site.css: a picture in a page does not see the style sheet of the page.
LATIN = "-apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial"
HAN = "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Source Han Sans SC'"


def picture(*parts: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" '
        f'width="{SIZE}" height="{SIZE}">\n' + "\n".join(parts) + "\n</svg>\n"
    )


def draw_position(rows: int = 30, columns: int = 30) -> str:
    """A table of position encodings: a row is a position; sines stand left, cosines right."""
    table = sinusoidal(rows, columns, base=30.0, layout="halves")
    # From -1 (persimmon) over 0 (paper) to 1 (celadon).
    shades = [PERSIMMON, "#dc8458", "#ebb190", "#f5d9c6", "#fbf3e6"]
    shades += ["#cfe3da", "#9ac8bb", "#5aa797", CELADON]
    shade_of = np.rint((table + 1) / 2 * (len(shades) - 1)).astype(int)
    side = SIZE // columns
    paths = []
    for shade, colour in enumerate(shades):
        runs = []
        for row in range(rows):
            # Neighbours of one shade are one rectangle: half the size of the file.
            edges = np.flatnonzero(np.diff(shade_of[row] == shade, prepend=False, append=False))
            for start, stop in zip(edges[::2], edges[1::2], strict=True):
                width = (stop - start) * side
                runs.append(f"M{start * side} {row * side}h{width}v{side}h-{width}z")
        paths.append(f'<path fill="{colour}" d="{"".join(runs)}"/>')
    return picture(*paths)


def draw_songs(first: str = "一个字是一朵花，", count: int = 2) -> str:
    """Two lines of the song below a flower, each character with its pinyin."""
    lines = load(SONG).lines
    begin = next(index for index, line in enumerate(lines) if line.text == first)
    parts = [f'<path fill="#f9e7da" d="M0 0h{SIZE}v{SIZE}H0z"/>', flower(SIZE // 2, 118)]
    for row, line in enumerate(lines[begin : begin + count]):
        syllables = read_aloud(line)
        step = 58
        left = (SIZE - step * (len(syllables) - 1)) / 2
        han, pinyin = [], []
        for index, syllable in enumerate(syllables):
            at = f'x="{left + index * step:g}"'
            han.append(f"<tspan {at}>{escape(syllable.text)}</tspan>")
            pinyin.append(f"<tspan {at}>{escape(syllable.pinyin or '')}</tspan>")
        base = 322 + row * 104
        parts.append(
            f'<text y="{base - 50}" font-family="{LATIN}, sans-serif" font-size="22" '
            f'fill="#94421f" text-anchor="middle" lang="zh-Latn">{"".join(pinyin)}</text>'
        )
        parts.append(
            f'<text y="{base}" font-family="{HAN}, sans-serif" font-size="48" '
            f'fill="{INK}" text-anchor="middle" lang="zh-Hans">{"".join(han)}</text>'
        )
    return picture(*parts)


def flower(x: int, y: int) -> str:
    """One flower of the song's garden."""
    petals = "".join(
        f'<ellipse cy="-42" rx="25" ry="37" transform="rotate({turn})"/>' for turn in range(0, 360, 60)
    )
    return (
        f'<g transform="translate({x} {y})">'
        f'<path d="M0 40V126" stroke="{CELADON}" stroke-width="9" stroke-linecap="round"/>'
        f'<path fill="{CELADON}" d="M2 116c8-34 34-40 56-40-2 24-22 44-56 40zM-2 102c-6-26-26-32-46'
        f'-32 2 20 18 36 46 32z"/>'
        f'<g fill="{PERSIMMON}" stroke="#f9e7da" stroke-width="4">{petals}</g>'
        f'<circle r="24" fill="{GOLD}"/></g>'
    )


def draw_scratch(lit: int = 7) -> str:
    """The stage of the game as it asks: Owl where it sits, a lantern for each right answer."""
    stage, owl, lantern = runpy.run_path(str(GAME))["project"].build("en").targets
    height = 360
    top = SIZE - height  # the sky goes on above the stage, which is wider than high

    def place(costume: Asset, x: float, y: float) -> str:
        """Put a costume where Scratch puts it: x and y count from the middle of the stage."""
        left = x + SIZE / 2 - costume.center[0]
        upper = height / 2 - y - costume.center[1] + top
        svg = costume.data.decode()
        return re.sub("<svg ", f'<svg x="{left:g}" y="{upper:g}" ', svg, count=1).strip()

    sky = re.search(r'stop-color="(#\w+)"', stage.costumes[0].data.decode())[1]
    lanterns = [
        place(lantern.costumes[0], score * 44 - 242, 143).replace(' xmlns="http://www.w3.org/2000/svg"', "")
        for score in range(1, lit + 1)
    ]
    return picture(
        f'<path fill="{sky}" d="M0 0h{SIZE}v{top + 1}H0z"/>',
        place(stage.costumes[0], 0, 0),
        *lanterns,
        place(owl.costumes[0], owl.x, owl.y),
        # The bubble in which "ask" speaks, and the line that waits for the answer.
        '<path fill="#fff" stroke="#c9d0e6" stroke-width="3" stroke-linejoin="round" '
        'd="M206 230h214a22 22 0 0 1 22 22v48a22 22 0 0 1-22 22H206a22 22 0 0 1-22-22l-28 10 28-38'
        'v-20a22 22 0 0 1 22-22z"/>',
        f'<text x="313" y="292" font-family="{LATIN}, sans-serif" font-size="46" font-weight="600" '
        f'fill="{INK}" text-anchor="middle">13 − 5 = ?</text>',
        '<rect x="24" y="424" width="432" height="38" rx="19" fill="#fff"/>',
        f'<circle cx="436" cy="443" r="14" fill="{CELADON}"/>',
        '<path fill="none" stroke="#fff" stroke-width="3.5" d="m429 443 5 5 9-10"/>',
    )


def main() -> None:
    DOORS.mkdir(parents=True, exist_ok=True)
    pictures = {"position": draw_position, "songs": draw_songs, "scratch": draw_scratch}
    for name, draw in pictures.items():
        (DOORS / f"{name}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
