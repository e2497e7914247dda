"""The look and the language of matplotlib figures.

A script draws its figure once, in English::

    from edukit import figures

    figure, axes = figures.subplots(alt="Two waves, the second twice as fast.")
    axes.set_xlabel("position")
    figures.show()

Run by hand, :func:`show` opens the window, in the language that ``EDUKIT_LANGUAGE`` names. For a
site, :func:`save_svg` writes the figure as SVG with its text as text, and beside it the messages of
its labels; :func:`translate_svg` gives the same picture in another language without running anything
again. A label is one message, whole, a title of two lines too; numbers and formulas are no words
and stay as they are.

Matplotlib is imported when a figure is made: the functions that only read need nothing of it.
"""

import functools
import io
import json
import math
import os
import re
import sys
import warnings
import weakref
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edukit import catalogs

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.text import Text

__all__ = [
    "FigureError",
    "Words",
    "alternative_text",
    "describe",
    "read_catalog",
    "read_words",
    "save_svg",
    "save_thumbnail",
    "show",
    "subplots",
    "translate_svg",
    "words",
    "words_path",
]


class FigureError(Exception):
    """A figure that cannot be shown as it is; the message names the label and says what to do."""


@dataclass(frozen=True, slots=True)
class Words:
    """What is said in one saved figure: the content of its ``.words.json``.

    Attributes
    ----------
    alt : str
        The alternative text.
    messages : mapping of str to str
        The label of each ``<g id>`` of the SVG that holds words, in the order of the figure.
    source : str
        The script that drew the figure, relative to the documentation; empty when unknown.
    """

    alt: str
    messages: Mapping[str, str] = field(default_factory=dict)
    source: str = ""


# --- The look ------------------------------------------------------------------------------------

#: Lines in these colours are told apart with every kind of colour vision, in this order best, and
#: stand out from the card by a contrast of 3 to 1 or more.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#aa4499", "#997700", "#333333")
CARD = "#fdfdfb"
INK = "#1f2328"
FAINT = "#d8dade"

STYLE: dict[Any, Any] = {
    # A phone 390 px wide shows a figure of 4.2 in at nine tenths: 11 pt are 13 px there, an exponent 9.
    "figure.figsize": (4.2, 2.9),
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.w_pad": 0.1,
    "figure.constrained_layout.h_pad": 0.1,
    "figure.facecolor": CARD,
    "savefig.facecolor": CARD,
    "axes.facecolor": CARD,
    "font.family": ["sans-serif"],
    # Matplotlib brings this font with it, so that every machine lays a figure out alike. It is
    # wide: what a reader's device puts in its place fits into the room that was left for it.
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 11.0,
    "axes.titlesize": 12.0,
    "axes.titleweight": "bold",
    "axes.labelsize": 11.0,
    "xtick.labelsize": 10.0,
    "ytick.labelsize": 10.0,
    "legend.fontsize": 10.0,
    "legend.frameon": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#6a6f76",
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.prop_cycle": f"cycler('color', {list(COLOURS)})",
    "grid.color": FAINT,
    "lines.linewidth": 2.0,
    "image.cmap": "viridis",
}

# Other text engines measure and name fonts in ways that leave no text to translate.
_SAVING: dict[Any, Any] = {
    "svg.fonttype": "none",
    "text.usetex": False,
    "path.sketch": None,
}
_RASTER_DPI = 144
_MANY_MARKS = 1000  # beyond this a mesh or a scatter is lighter as pixels than as paths

_alternative_texts: "weakref.WeakKeyDictionary[Figure, str]" = weakref.WeakKeyDictionary()


def subplots(
    nrows: int = 1,
    ncols: int = 1,
    *,
    alt: str,
    figsize: tuple[float, float] | None = None,
    **options: Any,
) -> tuple["Figure", Any]:
    """Make a figure in the house style, like :func:`matplotlib.pyplot.subplots`.

    Parameters
    ----------
    nrows, ncols : int
        The grid of axes.
    alt : str
        The alternative text: what the figure shows, in a sentence or two, for readers who do not
        see it. It is required.
    figsize : (float, float), optional
        Width and height in inches; 4.2 × 2.9 when not given.
    **options
        Handed to :func:`matplotlib.pyplot.subplots`.

    Returns
    -------
    figure : matplotlib.figure.Figure
    axes : matplotlib.axes.Axes or ndarray of Axes

    Raises
    ------
    FigureError
        If `alt` is empty.

    Notes
    -----
    The style is set for the whole process: matplotlib reads it again when a legend or a tick is made.
    """
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    mpl.rcParams.update(STYLE)
    figure, axes = plt.subplots(nrows, ncols, figsize=figsize, **options)
    return describe(figure, alt), axes


def describe(figure: "Figure", alt: str) -> "Figure":
    """Give a figure its alternative text, and return it.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        A figure that was made without :func:`subplots`.
    alt : str
        What the figure shows, for readers who do not see it.

    Raises
    ------
    FigureError
        If `alt` is empty.
    """
    text = " ".join(alt.split())
    if not text:
        raise FigureError(
            "the alternative text is empty: say what the figure shows to readers who do not see it"
        )
    _alternative_texts[figure] = text
    return figure


def alternative_text(figure: "Figure") -> str:
    """Return the alternative text of a figure, on one line; empty when it has none."""
    return _alternative_texts.get(figure, "")


# --- The words -----------------------------------------------------------------------------------

_MATHTEXT = re.compile(r"(?<!\\)\$.*?(?<!\\)\$", re.DOTALL)
# One letter alone is a symbol (i, d, the e of 1e5): the same in every language.
_WORD = re.compile(r"[^\W\d_]{2,}|[\u3400-\u9fff\uf900-\ufaff]")


def words(figure: "Figure") -> dict[str, "Text"]:
    r"""Return the visible labels of a figure that hold words, by their group id.

    A label without an id gets one, ``word-1``, ``word-2``, …, in the order of the figure. Numbers,
    single letters and formulas (``$\omega_i$``) are no words.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Ticks exist once a figure has been drawn: draw it first.

    Returns
    -------
    dict of str to matplotlib.text.Text

    Raises
    ------
    FigureError
        If a label mixes words and mathtext. Matplotlib writes mathtext glyph by glyph, so that
        nothing of such a label could be translated as a whole.
    """
    found: dict[str, Text] = {}
    for label in _labels(figure):
        message = label.get_text()
        formulas = _MATHTEXT.findall(message) if label.get_parse_math() else []
        if not _WORD.search(_MATHTEXT.sub(" ", message) if formulas else message):
            continue
        if formulas:
            raise FigureError(
                f"the label {message!r} mixes words and a formula and cannot be translated as one: "
                "write the formula as Unicode text (ω, x², θ₁) or put it in a label of its own"
            )
        gid = label.get_gid()
        if not gid or gid in found:
            gid = _next_free(found)
            label.set_gid(gid)
        found[gid] = label
    return found


def _next_free(taken: Mapping[str, object]) -> str:
    number = len(taken) + 1
    while f"word-{number}" in taken:
        number += 1
    return f"word-{number}"


def _labels(artist: "Artist") -> Iterator["Text"]:
    """Yield the text that is drawn, nothing below a hidden artist or an axis switched off."""
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.text import Text

    if not artist.get_visible():
        return
    if isinstance(artist, Text) and artist.get_text().strip():
        yield artist
    for child in artist.get_children():
        if isinstance(artist, Axes) and isinstance(child, Axis) and not artist.axison:
            continue
        yield from _labels(child)


# --- Saving --------------------------------------------------------------------------------------

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_HOUSE_FONT = "font-family: 'DejaVu Sans', sans-serif"
# In an <img> a picture sees no font of the page, only those of the device.
_FONTS = {
    "zh-Hans": "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif",
}
_OTHER_FONTS = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif"


def save_svg(
    figure: "Figure", path: str | os.PathLike[str], *, language: str = "en", source: str = ""
) -> Words:
    """Save a figure as SVG whose text is text, with its words beside it.

    Two files are written: the picture, and ``<name>.words.json`` with the message of each label and
    the alternative text. Both are the same bytes each time. Formulas become outlines, because a
    device without matplotlib's fonts would tear them apart; big meshes and scatters become pixels,
    because they would weigh megabytes as paths.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        A figure with alternative text.
    path : path-like
        The SVG file; its folder must exist.
    language : str
        The language that the figure is written in.
    source : str
        The script that drew the figure, for translators.

    Returns
    -------
    Words

    Raises
    ------
    FigureError
        If the figure has no alternative text, mixes words and a formula in a label, uses a
        character that its font lacks, or draws a label so that its text is lost (path effects).
    """
    path = Path(path)
    alt = alternative_text(figure)
    if not alt:
        raise FigureError(
            "a figure has no alternative text: make it with figures.subplots(alt=…) "
            "or call figures.describe(figure, …)"
        )
    buffer = io.BytesIO()
    with _settings(_SAVING), _strict_glyphs(figure):
        figure.draw_without_rendering()
        labels = words(figure)
        with _formulas_as_outlines(figure), _heavy_as_pixels(figure):
            figure.savefig(buffer, format="svg", dpi=_RASTER_DPI, metadata={"Date": None, "Creator": None})
        root = _parse(buffer.getvalue().decode("utf-8"), str(path))
        messages = _anchor_labels(root, labels)
    _number_definitions(root)
    _set_language(root, language)
    said = Words(alt=alt, messages=messages, source=source)
    path.write_text(_serialize(root), encoding="utf-8", newline="\n")
    record = {"alt": said.alt, "source": said.source, "words": dict(said.messages)}
    words_path(path).write_text(
        json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n"
    )
    return said


def save_thumbnail(
    figure: "Figure", path: str | os.PathLike[str], *, size: tuple[int, int] = (400, 280)
) -> None:
    """Save a small picture of a figure without any text, so that it serves every language.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    path : path-like
        A PNG file.
    size : (int, int)
        The box in pixels that the picture fits into.
    """
    width, height = figure.get_size_inches()
    labels = list(_labels(figure))
    with _settings({"savefig.bbox": None}), ExitStack() as stack:
        for label in labels:
            stack.callback(label.set_visible, True)
            label.set_visible(False)
        figure.savefig(
            path,
            format="png",
            dpi=min(size[0] / width, size[1] / height),
            metadata={"Software": None},
        )


def words_path(svg: str | os.PathLike[str]) -> Path:
    """Return where the words of a saved figure lie: ``wave.svg`` has ``wave.words.json``."""
    return Path(svg).with_suffix(".words.json")


def read_words(svg: str | os.PathLike[str]) -> Words | None:
    """Read the words of a figure that :func:`save_svg` saved; None for any other picture.

    Raises
    ------
    FigureError
        If the file of the words is there and cannot be understood.
    """
    path = words_path(svg)
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        said = Words(record["alt"], record["words"], record["source"])
        texts: list[object] = [said.alt, said.source, *said.messages, *said.messages.values()]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        texts = [None]
    if not all(isinstance(text, str) for text in texts):
        raise FigureError(f"{path}: no words of a figure; save the figure again")
    return said


_NO_GLYPH = re.compile(r"Glyph (\d+) .*missing from font\(s\) (.*?)\.?$")


@contextmanager
def _settings(settings: dict[Any, Any]) -> Iterator[None]:
    import matplotlib as mpl

    with mpl.rc_context(settings):
        yield


@contextmanager
def _strict_glyphs(figure: "Figure") -> Iterator[None]:
    """Turn matplotlib's warning about a missing glyph, which nobody reads, into an error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        if match := _NO_GLYPH.match(str(warning.message)):
            character = chr(int(match[1]))
            labels = [text.get_text() for text in _labels(figure) if character in text.get_text()]
            where = f" of the label {labels[0]!r}" if labels else ""
            raise FigureError(
                f"the font {match[2]} has no glyph for {character!r} (U+{int(match[1]):04X})"
                f"{where}: use other characters, or a font that has them"
            )
    for warning in caught:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


@contextmanager
def _formulas_as_outlines(figure: "Figure") -> Iterator[None]:
    from matplotlib.patheffects import Normal

    with ExitStack() as stack:
        for label in _labels(figure):
            if label.get_parse_math() and _MATHTEXT.search(label.get_text()):
                stack.callback(label.set_path_effects, label.get_path_effects())
                label.set_path_effects([*(label.get_path_effects() or []), Normal()])
        yield


@contextmanager
def _heavy_as_pixels(figure: "Figure") -> Iterator[None]:
    import numpy as np
    from matplotlib.collections import Collection, PathCollection, QuadMesh

    with ExitStack() as stack:
        for artist in figure.findobj(Collection):
            if isinstance(artist, QuadMesh):
                marks = np.size(artist.get_array())  # type: ignore[arg-type]  # a mesh has values
            elif isinstance(artist, PathCollection):
                marks = np.size(artist.get_offsets()) // 2
            else:
                continue
            if marks > _MANY_MARKS and not artist.get_rasterized():
                stack.callback(artist.set_rasterized, artist.get_rasterized())
                artist.set_rasterized(True)
        yield


# --- The text in the SVG -------------------------------------------------------------------------
#
# Matplotlib writes a line of text at its left end, where a line of another width would no longer be
# centred; only single lines that are not turned carry a text-anchor. So each label is written anew:
#
#   <g id="word-1">
#     <text transform="translate(x y) rotate(r)" style="…; text-anchor: middle" data-grow="up"
#           data-step="14"><tspan x="0" y="0">first</tspan><tspan x="0" y="14">second</tspan></text>
#   </g>
#
# with the origin at the anchor of the first line, and with the side to which more lines would grow.


def translate_svg(
    svg: str, words: Mapping[str, str], translations: Mapping[str, str], language: str
) -> str:
    """Put the words of a saved figure into another language.

    Each label keeps its place, its turn and its alignment. A word without translation stays as it
    is, marked as of the language that the figure was written in.

    Parameters
    ----------
    svg : str
        What :func:`save_svg` wrote.
    words : mapping of str to str
        The message of each group id, from :func:`read_words`.
    translations : mapping of str to str
        Translated labels by message.
    language : str
        The language of the translations, such as ``zh_CN``.

    Returns
    -------
    str
        The translated SVG, with ``lang`` and the fonts of the language.

    Raises
    ------
    FigureError
        If `svg` is no SVG that :func:`save_svg` wrote, or lacks one of the groups.
    """
    root = _parse(svg, "the figure")
    groups = {group.get("id"): group for group in root.iter(f"{{{_SVG}}}g")}
    for gid, message in words.items():
        group = groups.get(gid)
        text = group.find(f".//{{{_SVG}}}text") if group is not None else None
        if group is None or text is None:
            raise FigureError(
                f"the figure has no label {gid!r} ({message!r}): it and its words do not belong "
                "together; save the figure again"
            )
        if translation := translations.get(message):
            _replace_lines(text, translation.split("\n"))
        else:
            group.set(_XML_LANG, root.get("lang", "en"))
    _set_language(root, language)
    return _serialize(root)


def _parse(svg: str, name: str) -> ET.Element:
    """Read an SVG; a document type of its own, which could define entities, is refused."""
    svg = re.sub(r'<!DOCTYPE svg PUBLIC "[^"<>]*"\s+"[^"<>]*">', "", svg, count=1)
    if "<!DOCTYPE" in svg or "<!ENTITY" in svg:
        raise FigureError(f"{name}: an SVG with a document type of its own is not read")
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as error:
        raise FigureError(f"{name}: no well-formed SVG ({error})") from None
    if root.tag != f"{{{_SVG}}}svg":
        raise FigureError(f"{name}: no SVG, but <{root.tag}>")
    return root


def _serialize(root: ET.Element) -> str:
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _set_language(root: ET.Element, language: str) -> None:
    tag = language_tag(language)
    root.set("lang", tag)
    root.set(_XML_LANG, tag)
    root.set("font-family", _FONTS.get(tag, _OTHER_FONTS))


def language_tag(language: str) -> str:
    """Return a language as ``lang`` attributes write it: ``zh-Hans`` for ``zh_CN``.

    >>> language_tag("zh_CN"), language_tag("pt_BR")
    ('zh-Hans', 'pt-BR')
    """
    return {"zh_CN": "zh-Hans"}.get(language, language.replace("_", "-"))


def _anchor_labels(root: ET.Element, labels: Mapping[str, "Text"]) -> dict[str, str]:
    """Write each label as one anchored text; return the messages of those that were drawn."""
    for metadata in root.findall(f"{{{_SVG}}}metadata"):
        root.remove(metadata)
    groups = {group.get("id"): group for group in root.iter(f"{{{_SVG}}}g")}
    messages: dict[str, str] = {}
    done: set[ET.Element] = set()
    for gid, label in labels.items():
        group = groups.get(gid)
        if group is None:  # clipped away, or outside of the figure
            continue
        lines = [text for text in group.iter(f"{{{_SVG}}}text") if text.text]
        drawn = label.get_text().replace(r"\$", "$").split("\n")
        if [line.text for line in lines] != [line for line in drawn if line]:
            raise FigureError(
                f"the label {label.get_text()!r} is not drawn as text, so that it cannot be "
                "translated: draw it without path effects and without LaTeX"
            )
        _write_anchored(group, lines, drawn, label)
        done.update(group.iter(f"{{{_SVG}}}text"))
        messages[gid] = label.get_text().replace(r"\$", "$")
    for text in root.iter(f"{{{_SVG}}}text"):
        if text.get("transform", "").startswith("rotate(-0 "):
            del text.attrib["transform"]
        style = text.get("style", "")
        text.set("style", re.sub(f"; {_HOUSE_FONT}|{_HOUSE_FONT}; ", "", style))
        if text not in done and _WORD.search("".join(text.itertext())):
            raise FigureError(
                f"the text {''.join(text.itertext())!r} belongs to no artist that the figure lists, "
                "so that it cannot be translated"
            )
    return messages


def _number_definitions(root: ET.Element) -> None:
    """Give what is used by reference a plain number: matplotlib's own names differ between runs."""
    names: dict[str, str] = {}
    for element in root.iter():
        name = element.get("id")
        if name and element.tag != f"{{{_SVG}}}g":
            names[name] = f"d{len(names) + 1}"
            element.set("id", names[name])
    for element in root.iter():
        for key, value in element.attrib.items():
            renamed = _REFERENCE.sub(lambda used: names.get(used[0], used[0]), value)
            element.set(key, renamed)


_REFERENCE = re.compile(r"(?<=url\(#)[^)]+|(?<=^#).+")


def _write_anchored(group: ET.Element, lines: list[ET.Element], drawn: list[str], label: "Text") -> None:
    starts, turn = _starts(lines)
    along = (math.cos(math.radians(turn)), math.sin(math.radians(turn)))
    down = (-along[1], along[0])
    anchor, (x, y), step = _anchor_of(lines, starts, along, down, label)
    # Empty lines draw nothing; the origin belongs to the first line, drawn or not.
    empty = next(number for number, line in enumerate(drawn) if line)
    x, y = x - empty * step * down[0], y - empty * step * down[1]

    text = lines[0]
    for line in lines[1:]:
        _remove(group, line)
    style = text.get("style", "")
    if "text-anchor" not in style:
        style += f"; text-anchor: {anchor}"
    for name in ("x", "y"):
        text.attrib.pop(name, None)
    text.set("style", style)
    turned = f" rotate({_number(turn)})" if turn else ""
    text.set("transform", f"translate({_number(x)} {_number(y)}){turned}")
    text.set("data-grow", _growth(label))
    _write_lines(text, drawn, 0.0, step)


def _starts(lines: list[ET.Element]) -> tuple[list[tuple[float, float]], float]:
    """Return the points where lines of text stand, and how far they are turned, in degrees."""
    starts = []
    turn = 0.0
    for line in lines:
        transform = line.get("transform", "")
        moved = re.search(r"translate\(([^ )]+) ([^ )]+)\)", transform)
        turned = re.search(r"rotate\(([^ )]+)", transform)
        place = (moved[1], moved[2]) if moved else (line.get("x", "0"), line.get("y", "0"))
        starts.append((float(place[0]), float(place[1])))
        turn = float(turned[1]) if turned else 0.0
    return starts, turn


def _anchor_of(
    lines: list[ET.Element],
    starts: list[tuple[float, float]],
    along: tuple[float, float],
    down: tuple[float, float],
    label: "Text",
) -> tuple[str, tuple[float, float], float]:
    """Find the anchor of a label, the point of its first line, and the step from line to line."""
    size = re.search(r"font-size: ([0-9.]+)px", lines[0].get("style", ""))
    step = 1.2 * float(size[1]) if size else 14.0
    if "text-anchor" in lines[0].get("style", ""):  # matplotlib has done it
        return "", starts[0], step

    from matplotlib.textpath import text_to_path

    font = label.get_fontproperties()
    widths = [
        text_to_path.get_text_width_height_descent(line.text or "", font, ismath=False)[0] for line in lines
    ]
    (x, y), depths = starts[0], [_dot(start, down) for start in starts]
    if len(lines) > 1:
        step = (depths[-1] - depths[0]) / (len(lines) - 1)
    shares = {"start": 0.0, "middle": 0.5, "end": 1.0}
    wanted = _alignment(label)

    def spread(anchor: str) -> float:
        """How far apart the lines' anchors are, if this is how the lines are aligned."""
        places = [
            _dot(start, along) + shares[anchor] * width for start, width in zip(starts, widths, strict=True)
        ]
        return round(max(places) - min(places), 2)

    anchor = min(shares, key=lambda name: (spread(name), name != wanted))
    share = shares[anchor] * widths[0]
    return anchor, (x + share * along[0], y + share * along[1]), step


def _alignment(label: "Text") -> str:
    """Return which end of a single line stays in place when its text gets longer."""
    if _aligned_along(label):
        anchor = {"left": "start", "right": "end"}.get(label.get_horizontalalignment(), "middle")
    else:
        upwards = {"bottom": "start", "baseline": "start", "top": "end"}
        anchor = upwards.get(label.get_verticalalignment(), "middle")
    return {"start": "end", "end": "start"}.get(anchor, anchor) if _reversed(label) else anchor


def _growth(label: "Text") -> str:
    """Return whether more lines than now would grow ``up``, ``down`` or to ``both`` sides."""
    if _aligned_along(label):
        sides = {"top": "down", "bottom": "up", "baseline": "up"}
        grow = sides.get(label.get_verticalalignment(), "both")
    else:  # text that reads upwards stacks its lines to the right
        grow = {"left": "down", "right": "up"}.get(label.get_horizontalalignment(), "both")
    return {"up": "down", "down": "up"}.get(grow, grow) if _reversed(label) else grow


def _aligned_along(label: "Text") -> bool:
    """Whether left and right mean the ends of the line, and not the sides of the box around it."""
    angle = label.get_rotation() % 180
    return label.get_rotation_mode() == "anchor" or min(angle, 180 - angle) < 45


def _reversed(label: "Text") -> bool:
    """Whether turning the text has put its end where its beginning would be."""
    angle = label.get_rotation() % 360
    return label.get_rotation_mode() != "anchor" and 135 < angle <= 315


def _write_lines(text: ET.Element, lines: list[str], first: float, step: float) -> None:
    for child in list(text):
        text.remove(child)
    text.text = None
    text.set("data-step", _number(step))
    for number, line in enumerate(lines):
        if line:
            span = ET.SubElement(text, f"{{{_SVG}}}tspan", {"x": "0", "y": _number(first + number * step)})
            span.text = line


def _replace_lines(text: ET.Element, lines: list[str]) -> None:
    spans = text.findall(f"{{{_SVG}}}tspan")
    step = float(text.get("data-step", "14"))
    before = 1 + round(float(spans[-1].get("y", "0")) / step) if spans else 1
    more = len(lines) - before
    first = {"up": -more * step, "both": -more * step / 2}.get(text.get("data-grow", ""), 0.0)
    _write_lines(text, lines, first, step)


def _remove(root: ET.Element, element: ET.Element) -> None:
    for parent in root.iter():
        if element in list(parent):
            parent.remove(element)
            return


def _dot(point: tuple[float, float], direction: tuple[float, float]) -> float:
    return point[0] * direction[0] + point[1] * direction[1]


def _number(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}".rstrip("0").rstrip(".")


# --- Run by hand ---------------------------------------------------------------------------------

#: Fonts that hold simplified Chinese, as the systems of readers and of servers name them.
CHINESE_FONTS = (
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "STHeiti",
    "Microsoft YaHei",
    "SimHei",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Noto Sans CJK JP",  # older matplotlibs know a collection by its first face, which has them too
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "Arial Unicode MS",
)


def show() -> None:
    """End a script: show its figures, in the language that ``EDUKIT_LANGUAGE`` names.

    English needs nothing. Another language, such as ``zh_CN``, needs the catalog of the figures'
    words (``EDUKIT_FIGURES_CATALOG``, or ``docs/locale/<language>/LC_MESSAGES/figures.po`` above
    the script or the working folder) and a font with its glyphs; where one is missing, one message
    says so and the figures speak English. A backend without windows shows nothing.
    """
    import matplotlib as mpl
    from matplotlib import pyplot as plt
    from matplotlib.backends.registry import BackendFilter, backend_registry

    language = _spoken_language()
    if language != "en":
        try:
            _speak([plt.figure(number) for number in plt.get_fignums()], language)
        except FigureError as error:
            print(f"edukit: {error}; the figures speak English", file=sys.stderr)
    # matplotlib has no annotations there.
    silent = backend_registry.list_builtin(BackendFilter.NON_INTERACTIVE)  # type: ignore[no-untyped-call]
    if mpl.get_backend().lower() not in silent:
        plt.show()


def _spoken_language() -> str:
    language = os.environ.get("EDUKIT_LANGUAGE", "").strip().replace("-", "_") or "en"
    main = language.partition("_")[0].lower()
    return {"en": "en", "zh": "zh_CN"}.get(main, language)


def _speak(figures: Iterable["Figure"], language: str) -> None:
    path = _catalog_path(language)
    translations = read_catalog(path)
    spoken: dict[Text, str] = {}
    for figure in figures:
        figure.draw_without_rendering()
        for label in words(figure).values():
            if translation := translations.get(label.get_text()):
                spoken[label] = translation
    # Before U+2E80 lie the letters that the house font has itself.
    font = _font_for({sign for text in spoken.values() for sign in text if ord(sign) >= 0x2E80})
    for label, translation in spoken.items():
        label.set_text(translation)
        if font:
            label.set_fontfamily([*label.get_fontfamily(), font])


def _catalog_path(language: str) -> Path:
    if given := os.environ.get("EDUKIT_FIGURES_CATALOG"):
        path = Path(given)
        if not path.is_file():
            raise FigureError(f"EDUKIT_FIGURES_CATALOG: {given} is no file")
        return path
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    beginnings = [Path(script).resolve().parent] if script else []
    for beginning in (*beginnings, Path.cwd()):
        for folder in (beginning, *beginning.parents):
            for locale in ("docs/locale", "locale"):
                path = folder / locale / language / "LC_MESSAGES" / "figures.po"
                if path.is_file():
                    return path
    raise FigureError(
        f"no docs/locale/{language}/LC_MESSAGES/figures.po above the script or the working folder "
        "(EDUKIT_FIGURES_CATALOG can name one)"
    )


def _font_for(characters: set[str]) -> str:
    """Return an installed font that has all the characters; empty when there are none."""
    if not characters:
        return ""
    from matplotlib.font_manager import FontProperties, fontManager, get_font

    installed = {entry.name for entry in fontManager.ttflist}
    for name in CHINESE_FONTS:
        if name in installed:
            path = fontManager.findfont(FontProperties(family=[name]), fallback_to_default=False)
            if {ord(character) for character in characters} <= get_font(path).get_charmap().keys():
                return name
    raise FigureError(
        "no installed font has the characters of the labels (looked for "
        f"{', '.join(CHINESE_FONTS[:7])} and others; installing Noto Sans CJK SC helps)"
    )


# --- The catalog of the figures' words -----------------------------------------------------------


def read_catalog(path: str | os.PathLike[str]) -> Mapping[str, str]:
    """Read the translated labels of a ``figures.po``, by message; fuzzy ones do not count.

    Raises
    ------
    FigureError
        If the file cannot be read or is broken; the message names the file and the line.
    """
    path = Path(path)
    try:
        return _read_catalog(str(path), path.stat().st_mtime_ns)
    except OSError as error:
        raise FigureError(f"{path}: cannot be read ({error.strerror})") from None


@functools.lru_cache(maxsize=8)
def _read_catalog(path: str, _changed: int) -> Mapping[str, str]:
    try:
        catalog = catalogs.read(Path(path))
    except catalogs.CatalogError as error:
        raise FigureError(str(error)) from None
    return {
        message.id: message.string for message in catalog.messages if message.string and not message.fuzzy
    }
