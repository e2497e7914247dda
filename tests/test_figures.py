"""Figures: what counts as a word, what a saved figure holds, and how it changes its language."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

import matplotlib as mpl

mpl.use("agg")

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.font_manager import fontManager
from matplotlib.patheffects import withStroke

from edukit import figures
from edukit.figures import FigureError

SVG = "{http://www.w3.org/2000/svg}"
CATALOG = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "position"
msgstr "位置"
"""


@pytest.fixture(autouse=True)
def fresh_matplotlib() -> Iterator[None]:
    with mpl.rc_context():
        yield
    plt.close("all")


def saved(figure: plt.Figure, folder: Path) -> tuple[str, figures.Words]:
    words = figures.save_svg(figure, folder / "f.svg")
    return (folder / "f.svg").read_text(encoding="utf-8"), words


def labels(svg: str) -> dict[str, ET.Element]:
    """The text element of each word, by the group's id."""
    root = ET.fromstring(svg)
    groups = {group.get("id", ""): group for group in root.iter(f"{SVG}g")}
    return {
        gid: text
        for gid, group in groups.items()
        if gid.startswith("word-") and (text := group.find(f".//{SVG}text")) is not None
    }


def lines(text: ET.Element) -> list[str]:
    return [span.text or "" for span in text.iter(f"{SVG}tspan")]


# -- the look and the alternative text -----------------------------------------------------------------


def test_a_figure_needs_alternative_text(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        figures.subplots()  # type: ignore[call-arg]
    with pytest.raises(FigureError, match="alternative text is empty"):
        figures.subplots(alt="  \n ")
    bare, _ = plt.subplots()
    with pytest.raises(FigureError, match="no alternative text"):
        figures.save_svg(bare, tmp_path / "bare.svg")
    assert not (tmp_path / "bare.svg").exists()
    assert figures.alternative_text(figures.describe(bare, "A box,\n  empty.")) == "A box, empty."
    assert saved(bare, tmp_path)[1].alt == "A box, empty."


def luminance(colour: str) -> float:
    channels = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
                for channel in mpl.colors.to_rgb(colour)]  # fmt: skip
    return float(np.dot(channels, [0.2126, 0.7152, 0.0722]))


@pytest.mark.parametrize(("colour", "contrast"), [(figures.INK, 7), *((c, 3) for c in figures.COLOURS)])
def test_colours_stand_out_from_the_card(colour: str, contrast: float) -> None:
    assert (luminance(figures.CARD) + 0.05) / (luminance(colour) + 0.05) >= contrast


def test_lines_have_the_house_colours_and_letters_of_a_readable_size() -> None:
    _, axes = figures.subplots(alt="Lines.")
    (line,) = axes.plot([0, 1])
    assert line.get_color() == figures.COLOURS[0]
    assert axes.set_xlabel("x").get_size() >= 10


# -- what is a word ------------------------------------------------------------------------------------


def test_words_are_labels_with_words() -> None:
    figure, axes = figures.subplots(alt="All kinds of text.")
    axes.set_xlabel("position")
    axes.set_ylabel(r"$\omega_i$")
    axes.set_title("Two lines\nof title")
    axes.text(0.5, 0.5, "12.5")
    axes.text(0.5, 0.4, "i")
    axes.text(0.5, 0.3, "咬")
    axes.text(0.5, 0.2, "not shown").set_visible(False)
    found = figures.words(figure)
    assert {label.get_text() for label in found.values()} == {"position", "Two lines\nof title", "咬"}
    assert all(label.get_gid() == gid for gid, label in found.items())
    assert figures.words(figure).keys() == found.keys()


def test_an_axis_that_is_off_says_nothing() -> None:
    figure, axes = figures.subplots(alt="Nothing.")
    axes.set_xlabel("position")
    axes.set_title("title")
    axes.axis("off")
    assert [label.get_text() for label in figures.words(figure).values()] == ["title"]


def test_words_beside_a_formula_are_refused(tmp_path: Path) -> None:
    figure, axes = figures.subplots(alt="A mixture.")
    axes.set_title(r"the wave $\sin(x)$")
    with pytest.raises(FigureError, match=r"'the wave \$.*mixes words and a formula"):
        saved(figure, tmp_path)


def test_a_price_is_no_formula(tmp_path: Path) -> None:
    figure, axes = figures.subplots(alt="A price.")
    axes.set_title(r"from \$5 to \$6")
    svg, words = saved(figure, tmp_path)
    assert list(words.messages.values()) == ["from $5 to $6"]
    assert lines(labels(svg)["word-1"]) == ["from $5 to $6"]


# -- saving --------------------------------------------------------------------------------------------


def test_the_words_lie_beside_the_figure(tmp_path: Path) -> None:
    figure, axes = figures.subplots(alt="A title.")
    axes.set_title("Two lines\nof title")
    svg, words = saved(figure, tmp_path)
    record = json.loads((tmp_path / "f.words.json").read_text(encoding="utf-8"))
    assert record == {"alt": "A title.", "source": "", "words": {"word-1": "Two lines\nof title"}}
    assert figures.read_words(tmp_path / "f.svg") == words
    assert figures.read_words(tmp_path / "other.svg") is None
    assert lines(labels(svg)["word-1"]) == ["Two lines", "of title"]


@pytest.mark.parametrize("text", ["{", "[]", '{"alt": "a", "source": "", "words": {"word-1": 3}}'])
def test_a_broken_file_of_words_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "f.words.json").write_text(text, encoding="utf-8")
    with pytest.raises(FigureError, match=r"f\.words\.json"):
        figures.read_words(tmp_path / "f.svg")


SCRIPT = """
import sys, numpy as np
from edukit import figures
figure, axes = figures.subplots(alt="Waves.")
axes.plot(np.sin(np.arange(9)), marker="o", label="wave")
axes.scatter(*np.random.default_rng(0).normal(size=(2, 2000)))
axes.imshow(np.eye(3))
axes.legend()
figures.save_svg(figure, sys.argv[1])
"""


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        subprocess.run([sys.executable, "-c", SCRIPT, tmp_path / name], check=True, timeout=120)
    first, second = ((tmp_path / name).read_bytes() for name in ("a.svg", "b.svg"))
    assert first == second
    assert b"metadata" not in first
    assert len(first) < 60_000  # the scatter went in as pixels


def test_saving_again_changes_nothing_and_references_hold(tmp_path: Path) -> None:
    figure, axes = figures.subplots(alt="Clipped and hatched.")
    axes.plot([0, 3], marker="o")
    axes.bar([0, 1], [1, 2], hatch="//")
    axes.imshow(np.eye(3))
    first, second = saved(figure, tmp_path)[0], saved(figure, tmp_path)[0]
    assert first == second
    names = set(re.findall(r'\bid="([^"]+)"', first))
    used = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', first))
    assert len(used) >= 3
    assert {one or other for one, other in used} <= names


def test_a_missing_glyph_is_an_error_with_label_and_font(tmp_path: Path) -> None:
    figure, axes = figures.subplots(alt="Chinese in a Latin font.")
    axes.set_title("位置 position")
    with pytest.raises(
        FigureError, match=r"DejaVu Sans has no glyph for '位' \(U\+4F4D\).*'位置 position'"
    ):
        saved(figure, tmp_path)
    assert not (tmp_path / "f.svg").exists()


def test_a_label_that_is_lost_as_text_is_an_error(tmp_path: Path) -> None:
    figure, axes = figures.subplots(alt="Outlined words.")
    axes.set_title("outlined", path_effects=[withStroke(linewidth=3)])
    with pytest.raises(FigureError, match="'outlined' is not drawn as text"):
        saved(figure, tmp_path)


def test_formulas_are_outlines_and_the_figure_stays_as_it_was(tmp_path: Path) -> None:
    figure, axes = figures.subplots(alt="A formula.")
    label = axes.set_ylabel(r"$\sin(\omega_i)$")
    svg, _ = saved(figure, tmp_path)
    assert "ω" not in svg
    assert not label.get_path_effects()


def test_a_thumbnail_holds_no_text_and_the_figure_gets_it_back(tmp_path: Path) -> None:
    from PIL import Image

    pictures = []
    for title in ("one title", "another, much longer title"):
        figure, axes = figures.subplots(alt="A line.", layout="none")
        axes.plot([0, 1])
        label = axes.set_title(title)
        figures.save_thumbnail(figure, tmp_path / "t.png", size=(200, 140))
        assert label.get_visible()
        with Image.open(tmp_path / "t.png") as picture:
            assert picture.width <= 200
            assert picture.height <= 140
            pictures.append(picture.tobytes())
    assert pictures[0] == pictures[1]


# -- where a label of another width stands -------------------------------------------------------------


def place(text: ET.Element) -> tuple[float, float, float]:
    x, y = map(float, re.findall(r"translate\(([-\d.]+) ([-\d.]+)\)", text.get("transform", ""))[0])
    turn = re.search(r"rotate\(([-\d.]+)\)", text.get("transform", ""))
    return x, y, float(turn[1]) if turn else 0.0


def anchor(text: ET.Element) -> str:
    found = re.search(r"text-anchor: (\w+)", text.get("style", ""))
    assert found
    return found[1]


@pytest.mark.parametrize("align", ["left", "center", "right"])
@pytest.mark.parametrize("message", ["one line", "first\nsecond, longer"])
def test_lines_are_anchored_where_they_are_aligned(tmp_path: Path, align: str, message: str) -> None:
    figure, axes = figures.subplots(alt="A text.", layout="none")
    axes.text(0.25, 0.5, message, ha=align, transform=figure.transFigure)
    (text,) = labels(saved(figure, tmp_path)[0]).values()
    assert anchor(text) == {"left": "start", "center": "middle", "right": "end"}[align]
    assert place(text)[0] == pytest.approx(figure.get_size_inches()[0] * 72 / 4, abs=0.2)


@pytest.mark.parametrize(
    ("rotation", "ha", "va", "expected", "grow"),
    [
        (90, "center", "bottom", "start", "both"),
        (90, "center", "top", "end", "both"),
        (90, "left", "center", "middle", "down"),
        (270, "center", "bottom", "end", "both"),
        (270, "left", "center", "middle", "up"),
        (30, "right", "top", "end", "down"),
        (180, "left", "top", "end", "up"),
    ],
)
def test_turned_lines_keep_the_end_that_their_box_is_aligned_by(
    tmp_path: Path, rotation: float, ha: str, va: str, expected: str, grow: str
) -> None:
    figure, axes = figures.subplots(alt="A turned text.")
    axes.text(0.5, 0.5, "turned", rotation=rotation, ha=ha, va=va)
    (text,) = labels(saved(figure, tmp_path)[0]).values()
    assert (anchor(text), text.get("data-grow")) == (expected, grow)
    assert place(text)[2] % 360 == pytest.approx(-rotation % 360)


def test_an_axis_label_of_two_lines_stays_centred(tmp_path: Path) -> None:
    figure, axes = figures.subplots(alt="A label.", layout="none")
    axes.set_ylabel("short\na longer line")
    (text,) = labels(saved(figure, tmp_path)[0]).values()
    box = axes.get_position()
    middle = (1 - (box.y0 + box.y1) / 2) * figure.get_size_inches()[1] * 72
    assert anchor(text) == "middle"
    assert place(text)[1] == pytest.approx(middle, abs=0.2)
    assert place(text)[2] == -90


# -- another language ----------------------------------------------------------------------------------


def test_translation_replaces_whole_labels(tmp_path: Path) -> None:
    figure, axes = figures.subplots(alt="Labels.")
    axes.set_title("Two lines\nof title")
    axes.set_xlabel("position")
    axes.set_ylabel("left alone")
    svg, words = saved(figure, tmp_path)
    chinese = figures.translate_svg(
        svg, words.messages, {"position": "位置 <i>", "Two lines\nof title": "一行标题"}, "zh_CN"
    )
    gids = {message: gid for gid, message in words.messages.items()}
    before, after = labels(svg), labels(chinese)
    assert lines(after[gids["position"]]) == ["位置 <i>"]
    assert lines(after[gids["Two lines\nof title"]]) == ["一行标题"]
    assert lines(after[gids["left alone"]]) == ["left alone"]
    for gid, text in after.items():
        assert (text.get("transform"), text.get("style")) == (
            before[gid].get("transform"),
            before[gid].get("style"),
        )
    root = ET.fromstring(chinese)
    assert root.get("lang") == root.get("{http://www.w3.org/XML/1998/namespace}lang") == "zh-Hans"
    assert "Noto Sans CJK SC" in root.get("font-family", "")
    assert "font-family" not in "".join(text.get("style", "") for text in after.values())
    untranslated = next(g for g in root.iter(f"{SVG}g") if g.get("id") == gids["left alone"])
    assert untranslated.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"
    assert chinese == figures.translate_svg(
        svg, words.messages, {"position": "位置 <i>", "Two lines\nof title": "一行标题"}, "zh_CN"
    )


@pytest.mark.parametrize(("va", "first"), [("top", 0.0), ("bottom", -2.0), ("center", -1.0)])
def test_more_lines_grow_away_from_what_the_label_belongs_to(tmp_path: Path, va: str, first: float) -> None:
    figure, axes = figures.subplots(alt="A label.")
    axes.text(0.5, 0.5, "one", va=va, size=10)
    svg, words = saved(figure, tmp_path)
    (text,) = labels(figures.translate_svg(svg, words.messages, {"one": "一\n二\n三"}, "zh_CN")).values()
    assert [float(span.get("y", "")) for span in text.iter(f"{SVG}tspan")] == pytest.approx(
        [(first + n) * 12 for n in range(3)]
    )


@pytest.mark.parametrize(
    ("svg", "said"),
    [
        ("<svg", "no well-formed SVG"),
        ("<html/>", "no SVG, but <html>"),
        (
            '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
            "document type",
        ),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', "no label 'word-1' .*'position'"),
    ],
)
def test_what_is_no_saved_figure_is_refused(svg: str, said: str) -> None:
    with pytest.raises(FigureError, match=said):
        figures.translate_svg(svg, {"word-1": "position"}, {"position": "位置"}, "zh_CN")


def test_a_catalog_is_read_without_its_fuzzy_entries(tmp_path: Path) -> None:
    path = tmp_path / "figures.po"
    path.write_text(CATALOG + '\n#, fuzzy\nmsgid "wave"\nmsgstr "浪"\n', encoding="utf-8")
    assert figures.read_catalog(path) == {"position": "位置"}
    path.write_text(CATALOG.replace('"位置"', '"位置'), encoding="utf-8")
    with pytest.raises(FigureError, match=r"figures\.po:6: "):
        figures.read_catalog(path)
    with pytest.raises(FigureError, match=r"other\.po: cannot be read"):
        figures.read_catalog(tmp_path / "other.po")


# -- run by hand ---------------------------------------------------------------------------------------

BY_HAND = """
from matplotlib import pyplot as plt
from edukit import figures
figure, axes = figures.subplots(alt="A label.")
label = axes.set_xlabel("position")
figures.show()
figure.canvas.draw()
print(label.get_text().encode("unicode-escape").decode())
"""
has_chinese = any(font.name in figures.CHINESE_FONTS for font in fontManager.ttflist)


def by_hand(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    script = folder / "scripts" / "plot.py"
    script.parent.mkdir(exist_ok=True)
    script.write_text(BY_HAND, encoding="utf-8")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("EDUKIT_")}
    return subprocess.run(
        [sys.executable, script],
        env=clean | {"MPLBACKEND": "agg"} | settings,
        cwd=folder.parent,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    catalogs = folder / "docs" / "locale" / "zh_CN" / "LC_MESSAGES"
    catalogs.mkdir(parents=True)
    (catalogs / "figures.po").write_text(CATALOG, encoding="utf-8")
    return folder


def test_a_script_speaks_english_and_is_quiet(project: Path) -> None:
    run = by_hand(project)
    assert (run.stdout, run.stderr) == ("position\n", "")


@pytest.mark.skipif(not has_chinese, reason="no Chinese font is installed")
@pytest.mark.parametrize("language", ["zh_CN", "zh-cn", "zh"])
def test_a_script_speaks_chinese_when_asked(project: Path, language: str) -> None:
    run = by_hand(project, EDUKIT_LANGUAGE=language)
    # Nothing on stderr: matplotlib would warn there about a glyph that is missing.
    assert (run.stdout, run.stderr) == ("\\u4f4d\\u7f6e\n", "")


def test_without_a_catalog_one_message_and_english(project: Path) -> None:
    run = by_hand(project, EDUKIT_LANGUAGE="fr")
    assert run.stdout == "position\n"
    assert "docs/locale/fr/LC_MESSAGES/figures.po" in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.skipif(not has_chinese, reason="no Chinese font is installed")
def test_a_catalog_can_be_named(project: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.po"
    path.write_text(CATALOG.replace("位置", "地方"), encoding="utf-8")
    run = by_hand(project, EDUKIT_LANGUAGE="zh_CN", EDUKIT_FIGURES_CATALOG=str(path))
    assert run.stdout == "\\u5730\\u65b9\n"


def test_without_a_font_one_message_and_english(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(figures, "CHINESE_FONTS", ("No Such Font",))
    monkeypatch.setenv("EDUKIT_LANGUAGE", "zh_CN")
    monkeypatch.chdir(project)
    _, axes = figures.subplots(alt="A label.")
    label = axes.set_xlabel("position")
    figures.show()
    assert label.get_text() == "position"
    assert "no installed font" in capsys.readouterr().err
