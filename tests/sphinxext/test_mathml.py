"""Formulas: what they become, what is said of broken ones, and one font for every kind of build."""

import io
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from fontTools.ttLib import TTFont

from edukit.sphinxext.mathml import font
from edukit.sphinxext.mathml.latex import FormulaError, convert
from tests.conftest import sphinx_build

CONF = 'extensions = ["edukit.sphinxext.mathml"]\nhtml_theme = "basic"\n'
Build = Callable[..., tuple[str, str]]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    def build(rst: str, *options: str, conf: str = "", status: int = 0) -> tuple[str, str]:
        (tmp_path / "conf.py").write_text(CONF + conf, encoding="utf-8")
        (tmp_path / "index.rst").write_text(f"Title\n=====\n\n{rst}\n", encoding="utf-8")
        result = sphinx_build("-q", *options, "-b", "html", ".", "out", cwd=tmp_path)
        assert result.returncode == status, result.stderr
        return (tmp_path / "out/index.html").read_text(encoding="utf-8"), result.stderr

    return build


# -- one formula --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "latex",
    [
        r"A(PX) = P A(X) P^\top",
        r"\frac{QK^\top}{\sqrt{d}} \le \left\lVert x \right\rVert",
        r"\operatorname{softmax}\left(\frac{a}{b}\right)_{ij}",
        r"\text{位置 } p \in \mathbb{R}^{n \times d}",
        r"\begin{cases} 1 & i \ge j \\ 0 & \text{else} \end{cases}",
        r"\begin{pmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{pmatrix}",
        r'\text{<b> "quotes"}',
        r"\underbrace{a + b}_{n} + \overline{xy} + \vec v + \mathbf{x}",
    ],
)
@pytest.mark.parametrize("block", [True, False])
def test_a_formula_becomes_well_formed_mathml_that_holds_its_latex(latex: str, block: bool) -> None:
    root = ElementTree.fromstring(convert(latex, block=block).mathml)
    assert root.tag == "math"
    assert (root.get("display") == "block") == block
    assert root.get("alttext") == latex
    (annotation,) = root.iter("annotation")
    assert annotation.text == latex
    # The annotation stays hidden only where the rest is one element.
    (semantics,) = root
    assert [child.tag for child in semantics][1:] == ["annotation"]


@pytest.mark.parametrize(
    ("latex", "whole", "copied"),
    [
        (r" x^2 ", False, r"$$x^2$$"),
        (r"a &= b \\ c &= d", False, "$$\\begin{aligned}\na &= b \\\\ c &= d\n\\end{aligned}$$"),
        ("a\n\nb", False, "$$\\begin{gathered}\na\\\\\nb\n\\end{gathered}$$"),
        (r"\begin{split} a &= b \end{split}", False, r"$$\begin{split} a &= b \end{split}$$"),
        ("\\begin{align}\na\n\\end{align}\n", True, "\\begin{align}\na\n\\end{align}"),
    ],
)
def test_what_is_copied_is_latex_as_it_was_typed_or_meant(latex: str, whole: bool, copied: str) -> None:
    assert convert(latex, block=True, whole=whole).latex == copied


def test_a_formula_in_a_line_is_copied_with_its_dollars() -> None:
    assert convert(" x^2 ").latex == "$x^2$"


@pytest.mark.parametrize(
    ("latex", "rows"),
    [
        (r"\begin{align} a &= b \label{x} \\ c &= d \notag \end{align}", 2),
        (r"\begin{align*} a &= b \\ c &= d \end{align*}", 2),
        (r"\begin{alignat}{2} a &= b &\quad c &= d \end{alignat}", 1),
        (r"\begin{gather} a \\ b \\ c \end{gather}", 3),
        (r"\begin{multline} a \\ b \end{multline}", 2),
        (r"\begin{eqnarray} a &=& b \\ c &=& d \end{eqnarray}", 2),
        (r"\begin{equation}\begin{split} a &= b \\ c &= d \end{split}\end{equation}", 2),
        (r"\begin{flalign} a &= b \\ c &= d \end{flalign}", 2),
    ],
)
def test_the_environments_of_ams_have_their_rows_and_no_numbers_of_their_own(latex: str, rows: int) -> None:
    formula = convert(latex, block=True, whole=True)
    root = ElementTree.fromstring(formula.mathml)
    assert len(list(root.iter("mtr"))) == rows
    assert "(1)" not in "".join(root.itertext())
    assert formula.latex == latex


@pytest.mark.parametrize(
    "latex",
    [
        r"\begin{align} a &= b \end{align}",
        r"\begin{cases} a & b \end{cases}",
        r"\begin{multline} a \\ b \\ c \end{multline}",
        r"\begin{array}{|l||c:r|} \hline a & b & c \\ \hdashline d & e & f \\ \hline \end{array}",
        r"\sum_{\substack{a \\ b}} \color{red}{x}",
        r"a\!b \mathbin{+} \mathord{x} \cfrac{1}{2} \left.\frac{a}{b}\right|_0",
    ],
)
def test_no_formula_needs_a_style_of_its_own(latex: str) -> None:
    assert " style=" not in convert(latex, block=True, whole=True).mathml


def test_the_last_line_of_a_table_begins_no_row() -> None:
    formula = convert(r"\begin{array}{c|c} a & b \\ \hline c & d \\ \hline \end{array}")
    (table,) = ElementTree.fromstring(formula.mathml).iter("mtable")
    assert len(table) == 2
    assert table.get("class") == "edukit-math-solid-bottom"
    assert [cell.get("class") for cell in table[1]][1] == "edukit-math-solid-top"


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"\substack{i < j \\ j \in \{1\}}", "i<jj∈{1}"),
        (r"\begin{smallmatrix} a & b \\ c & d \end{smallmatrix}", "abcd"),
        (r"\widetilde{xy}z", "xy~z"),
        (r"\begin{aligned}[t] a &= b \\[2pt] c &= d \\* e \end{aligned}", "a=bc=de"),
        (r"1, \dotsc, n", "1,...,n"),
        (r"\pmb x", "𝒙"),
        (r"\cancel{x} + \boxed{y}", "x+y"),
    ],
)
def test_what_math_core_lacks_is_written_in_its_own_words(latex: str, shown: str) -> None:
    formula = convert(latex)
    (semantics,) = ElementTree.fromstring(formula.mathml)
    assert "".join(semantics[0].itertext()) == shown
    assert formula.latex == f"${latex}$"


def test_small_matrices_are_small() -> None:
    for latex in [r"\begin{smallmatrix} a \\ b \end{smallmatrix}", r"\substack{a \\ b}"]:
        (table,) = ElementTree.fromstring(convert(latex).mathml).iter("mtable")
        assert table.get("scriptlevel") == "1"


def test_a_wide_tilde_stands_over_its_own_letters_only() -> None:
    root = ElementTree.fromstring(convert(r"\widetilde{\widehat{x} + \widetilde y} + \widehat z").mathml)
    marks = {"".join(mover[0].itertext()): mover[1].text for mover in root.iter("mover")}
    assert marks == {"x̂+y~": "~", "x": "\u0302", "y": "~", "z": "\u0302"}


def test_words_have_their_looks_in_pages_and_in_books() -> None:
    latex = r"\text{a \emph{é} \textbf{\textit{字}}}"
    page, book = (
        list(ElementTree.fromstring(convert(latex, xml=xml).mathml).iter()) for xml in (False, True)
    )
    assert [one.get("class") for one in page if one.text == "é"] == ["edukit-math-italic"]
    assert [one.get("mathvariant") for one in book if one.text == "字"] == ["bold-italic"]
    assert not {one.tag for one in page} & {"b", "i", "em", "span", "code"}
    assert {"é", "a"} <= font.characters(convert(latex).mathml)


@pytest.mark.parametrize(
    ("latex", "said"),
    [
        (r"x \tag{A}", "numbers are given by the page: give the formula a label in place of a number of "
         "its own (character 3, at “\\tag{A}”)"),
        (r"see \eqref{a}", "write the reference in the text: a formula cannot hold one (character 5"),
        (r"\href{a}{b}", "put the link around words of the text: a formula cannot hold one (character 1"),
        (r"a \\ \intertext{and} b", "end the formula, write the words as text, and begin another formula"),
    ],
)  # fmt: skip
def test_what_is_the_work_of_the_page_is_said_to_be(latex: str, said: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(said)):
        convert(latex, block=True)


def test_a_macro_of_the_project_wins() -> None:
    macros = {"tag": r"\text{#1}", "widetilde": r"\hat{#1}"}
    shown = "".join(
        ElementTree.fromstring(convert(r"\tag{a} \widetilde b", macros=macros).mathml)[0][0].itertext()
    )
    assert shown == "abˆ"


def test_books_get_the_mathml_that_they_are_checked_against() -> None:
    for latex in [r"\begin{aligned} a &= \tfrac12 \\ b \end{aligned}", r"\begin{cases} 1 & x \end{cases}"]:
        root = ElementTree.fromstring(convert(latex, xml=True).mathml)
        holders = {one.tag.partition("}")[2] for one in root.iter() if "scriptlevel" in one.attrib}
        assert holders == {"mstyle"}
        assert {one.tag.partition("}")[0] for one in root.iter()} == {"{http://www.w3.org/1998/Math/MathML"}


def test_rows_inside_of_braces_do_not_make_rows_of_the_formula() -> None:
    cases = convert(r"f = \begin{cases} 1 & x \\ 2 & y \end{cases}", block=True)
    assert len(list(ElementTree.fromstring(cases.mathml).iter("mtable"))) == 1
    both = convert(r"f &= \begin{cases} 1 & x \\ 2 & y \end{cases} \\ g &= 1", block=True)
    assert len(list(ElementTree.fromstring(both.mathml).iter("mtable"))) == 2


def test_formulas_inside_of_words() -> None:
    root = ElementTree.fromstring(convert(r"\text{位置 $p_{1}$ 的}").mathml)
    assert [one.text for one in root.iter("mtext")] == ["位置\N{NO-BREAK SPACE}", "\N{NO-BREAK SPACE}的"]
    assert [one.text for one in root.iter("mi")] == ["p"]


@pytest.mark.parametrize(
    ("latex", "block", "said"),
    [
        (r"a + \nosuch x", False, r'unknown command "\nosuch" (character 5, at “\nosuch x”)'),
        (r"\frac{a", False, "(character 8, at the end)"),
        (r"\left( x", False, "(character 9, at the end)"),
        (r"a_{1", False, "(character 5, at the end)"),
        ("a &= b \\\\\n c &= \\nosuch", True, "(line 2 of the formula, character 7, at “\\nosuch”)"),
        ("a\n\nb + \\nosuch", True, "(line 3 of the formula, character 5, at “\\nosuch”)"),
        (r"\text{if $x$} \nosuch", False, "(character 15, at “\\nosuch”)"),
        ("\\begin{align}\n\\label{x}1 \\\\\n \\nosuch\n\\end{align}", True, "(line 3 of the formula"),
    ],
)  # fmt: skip
def test_the_position_is_that_in_what_was_typed(latex: str, block: bool, said: str) -> None:
    with pytest.raises(FormulaError) as error:
        convert(latex, block=block, whole=latex.startswith("\\begin"))
    assert said in str(error.value)


def test_long_formulas_are_known_as_long() -> None:
    assert convert(r"\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right) V").width < 24
    assert convert(r"x_1 + x_2 + x_3 + x_4 + x_5 + x_6 + x_7 + x_8 + x_9").width > 24
    assert convert(r"\frac{x_1 + x_2 + x_3}{y_1 + y_2 + y_3}").width < 12


# -- the font -----------------------------------------------------------------------------------------


def test_the_characters_are_those_that_a_browser_shows() -> None:
    shown = font.characters(convert(r"h\theta\mathrm{d}x \text{词， “wé”} \le \sin \nabla").mathml)
    assert {"ℎ", "𝜃", "d", "𝑥", "≤", "s", "i", "n", "w", "é"} <= shown
    assert not shown & {"h", "θ", "x", "词", "，", "“"}


def test_the_cut_holds_what_is_asked_for_what_stretches_and_its_notices() -> None:
    data = font.cut("𝑥≤")
    cut = TTFont(io.BytesIO(data))
    held = cut.getBestCmap()
    assert {ord(one) for one in "𝑥≤√()[]{}|‖∑∏∫"} <= held.keys()
    assert ord("𝑦") not in held
    assert len(data) < 30_000
    variants = cut["MATH"].table.MathVariants
    assert held[ord("(")] in variants.VertGlyphCoverage.glyphs
    assert held[0x302] in variants.HorizGlyphCoverage.glyphs
    assert "SIL Open Font License" in cut["name"].getDebugName(13)
    assert "STIX" in cut["name"].getDebugName(0)


def test_primes_are_those_for_exponents_and_arrows_grow() -> None:
    cut = TTFont(io.BytesIO(font.cut("→")))
    names, glyphs = cut.getBestCmap(), cut["glyf"]
    # The high one, for minutes, would begin at 400.
    assert all(glyphs[names[ord(prime)]].yMin < 100 for prime in "′″‴")
    assert names[ord("~")] == names[0x303]
    variants = cut["MATH"].table.MathVariants
    arrow = variants.HorizGlyphConstruction[variants.HorizGlyphCoverage.glyphs.index(names[ord("→")])]
    parts = arrow.GlyphAssembly.PartRecords
    for left, right in pairwise(parts):
        assert min(left.EndConnectorLength, right.StartConnectorLength) >= variants.MinConnectorOverlap


def test_equal_characters_make_equal_fonts_in_any_order() -> None:
    assert font.cut("𝑥𝑦𝑧") == font.cut("𝑧𝑦𝑥")
    assert font.name_version("𝑥𝑦𝑧") == font.name_version("𝑧𝑦𝑥") != font.name_version("𝑥𝑦")


def test_the_notice_has_owner_change_and_licence() -> None:
    notice = font.notice()
    for words in ["The STIX Fonts Project Authors", "has been changed", "OPEN FONT LICENSE Version 1.1",
                  "PERMISSION & CONDITIONS", "DISCLAIMER"]:  # fmt: skip
        assert words in notice


# -- a page -------------------------------------------------------------------------------------------


def test_a_page_has_formulas_and_no_script_for_them(build: Build) -> None:
    html, _ = build("Inline :math:`x^2 < 3`.\n\n.. math:: y = 1\n   :label: eq", "-W")
    assert html.count("<math") == 2
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in html
    assert "mathjax" not in html.lower()
    assert 'id="equation-eq"' in html
    assert '<span class="eqno">(1)' in html


def test_blocks_of_several_lines_and_outer_environments(build: Build) -> None:
    html, _ = build(
        ".. math::\n\n   a &= b \\\\\n   c &= d\n\n.. math::\n\n   a = 1\n\n   b = 2\n\n"
        ".. math::\n   :no-wrap:\n\n   \\begin{align} a &= b \\\\ c &= d \\end{align}\n",
        "-W",
    )
    formulas = [ElementTree.fromstring(f"<math{part.partition('</math>')[0]}</math>")
                for part in html.split("<math")[1:]]  # fmt: skip
    assert [len(list(formula.iter("mtr"))) for formula in formulas] == [2, 2, 2]


@pytest.mark.parametrize(
    ("around", "kept"),
    [
        ("It is :math:`x`, and", "It is <x,> and"),
        ("All (:math:`x`).", "All <(x).>"),
        ("每个（\\ :math:`x`\\ ），然后", "每个<（x），>然后"),
        ("An :math:`x`\\ -th row", "An <x->th row"),
        ("The :math:`x` row", "The x row"),
    ],
)
def test_punctuation_stays_on_the_line_of_its_formula(build: Build, around: str, kept: str) -> None:
    html, _ = build(around, "-W")
    (line,) = re.findall(r"<p>(.*)</p>", html)
    line = re.sub(r'<span class="math edukit-math">.*?</span></span>', "x", line.replace("</math>", ""))
    assert line.replace('<span class="edukit-math-together">', "<").replace("</span>", ">") == kept


def test_macros_hold_in_pages_and_in_latex(build: Build, tmp_path: Path) -> None:
    conf = r'edukit_math_macros = {"R": r"\mathbb{R}", "norm": r"\left\lVert #1 \right\rVert"}'
    html, _ = build(r":math:`\norm{x} \in \R`", "-W", conf=conf)
    assert "<mi>ℝ</mi>" in html
    assert "<mo>‖</mo>" in html
    sphinx_build("-q", "-b", "latex", ".", "tex", cwd=tmp_path)
    (tex,) = (tmp_path / "tex").glob("*.tex")
    text = tex.read_text(encoding="utf-8")
    assert r"\renewcommand{\R}{\mathbb{R}}" in text
    assert r"\renewcommand{\norm}[1]{\left\lVert #1 \right\rVert}" in text
    assert r"\(\norm{x} \in \R\)" in text


@pytest.mark.parametrize(
    ("macros", "said"),
    [
        (r'{"good": "x", "bad": r"\nosuch"}', "'bad' cannot be read: "),
        (r'{"x1": "x"}', "'x1' cannot be the name of a macro"),
        (r'{"x": 1}', "'x' must be a text of LaTeX, not 1"),
    ],
)
def test_a_macro_that_cannot_be_read_stops_the_build(tmp_path: Path, macros: str, said: str) -> None:
    (tmp_path / "conf.py").write_text(f"{CONF}edukit_math_macros = {macros}", encoding="utf-8")
    (tmp_path / "index.rst").write_text("Title\n=====\n", encoding="utf-8")
    result = sphinx_build("-q", ".", "out", cwd=tmp_path)
    assert result.returncode == 2
    assert f"edukit_math_macros in conf.py: {said}" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("latex", [r"\frac{a", r"a_{1", r"\nosuchcommand x", r"\left( x"])
def test_a_broken_formula_is_an_error_at_its_line(build: Build, latex: str) -> None:
    html, errors = build(f"One line.\n\nAnd :math:`{latex}`.", "-W", status=1)
    (line,) = errors.splitlines()
    assert "index.rst:6: ERROR: this formula cannot be read: " in line
    assert "(character " in line
    assert latex in line
    assert '<code class="edukit-math-error">' in html


def test_the_line_is_that_of_the_formula_and_not_of_its_paragraph(build: Build) -> None:
    _, errors = build(
        "One line,\nanother :math:`x`\nand :math:`\\nosuch`.\n\n.. math::\n\n   y\n   \\other"
    )
    first, second = errors.splitlines()
    assert "index.rst:6: ERROR" in first
    assert "index.rst:10: ERROR" in second
    assert "(line 2 of the formula, character 1, " in second


def test_a_formula_broken_in_a_translation_is_shown_in_the_catalog(build: Build, tmp_path: Path) -> None:
    folder = tmp_path / "locale" / "zh_CN" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalog = 'msgid "Title"\nmsgstr "标题"\n\nmsgid "The :math:`x`."\nmsgstr "这个 :math:`\\\\nosuch`。"\n'
    (folder / "index.po").write_text(catalog, encoding="utf-8")
    conf = 'language = "zh_CN"\nlocale_dirs = ["locale"]\n'
    _, errors = build("The :math:`x`.", conf=conf)
    (line,) = [line for line in errors.splitlines() if "ERROR" in line]
    assert "zh_CN/LC_MESSAGES/index.po:4: ERROR: this formula cannot be read: " in line.replace("\\", "/")


def test_a_formula_broken_in_a_docstring_names_the_object(build: Build, tmp_path: Path) -> None:
    (tmp_path / "waves.py").write_text(
        'def wave():\n    r"""Wave.\n\n    As :math:`\\nosuch`.\n    """\n', encoding="utf-8"
    )
    conf = 'import sys\nsys.path.insert(0, ".")\nextensions.append("sphinx.ext.autodoc")\n'
    _, errors = build(".. automodule:: waves\n   :members:", conf=conf)
    assert "waves.py:docstring of waves.wave:3: ERROR: this formula cannot be read: " in errors


def test_an_error_is_said_again_until_it_is_mended(build: Build) -> None:
    broken = "And :math:`\\nosuch`."
    _, first = build(broken)
    _, second = build(broken)
    assert first == second != ""
    assert build("And :math:`x`.")[1] == ""


# -- a site -------------------------------------------------------------------------------------------


@pytest.fixture
def site(copy_site: Callable[[str], Path]) -> Path:
    return copy_site("mathml")


def made(site: Path, out: str, *options: str, builder: str = "html") -> dict[str, bytes]:
    """Build the site; return every page, and what lies in _static/edukit."""
    arguments = ["-q", "-W", "-n", *options, "-b", builder, "-d", f"{out}-doctrees", ".", out]
    result = sphinx_build(*arguments, cwd=site)
    assert result.returncode == 0, result.stderr
    folder = site / out
    files = [*folder.rglob("*.html"), *(folder / "_static" / "edukit").iterdir()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_parallel_and_clean_builds_are_equal(site: Path, builder: str) -> None:
    # Sphinx reads in several processes from six pages on.
    letters = ["alpha", "beta", "gamma", "delta", "eta", "zeta", "mu", "nu"]
    for letter in letters:
        page = f"---\norphan: true\n---\n# Page\n\n$\\{letter}$\n"
        (site / f"{letter}.md").write_text(page, encoding="utf-8")
    once = made(site, "_build/one", builder=builder)
    assert made(site, "_build/two", "-j2", builder=builder) == once
    held = TTFont(io.BytesIO(once["_static/edukit/math.woff2"])).getBestCmap()
    assert {ord(one) for one in "𝛼𝛽𝛾𝛿𝜂𝜁𝜇𝜈"} <= held.keys()


def test_an_incremental_build_is_equal_to_a_clean_one(site: Path) -> None:
    before = made(site, "_build/more")
    page = site / "plain.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(text + "\nNow $\\aleph$.\n", encoding="utf-8")
    after = made(site, "_build/more")
    assert after == made(site, "_build/clean-1")
    font_file = "_static/edukit/math.woff2"
    assert after[font_file] != before[font_file]
    # Other pages, which have not changed, ask for the new sheet and through it for the new font.
    assert after["more.html"] != before["more.html"]
    page.write_text(text, encoding="utf-8")
    assert made(site, "_build/more") == before


def test_a_page_that_goes_takes_its_characters_along(site: Path) -> None:
    (site / "extra.md").write_text("---\norphan: true\n---\n# Extra\n\n$\\aleph$\n", encoding="utf-8")
    made(site, "_build/more")
    (site / "extra.md").unlink()
    (site / "_build/more/extra.html").unlink()
    assert made(site, "_build/more") == made(site, "_build/clean")


def test_a_build_with_nothing_to_do_cuts_no_font(site: Path) -> None:
    made(site, "_build/more")
    path = site / "_build/more/_static/edukit/math.woff2"
    path.write_bytes(b"as it was")
    made(site, "_build/more")
    assert path.read_bytes() == b"as it was"


def test_a_site_without_formulas_has_no_font(build: Build, tmp_path: Path) -> None:
    build("A :math:`x`.")
    folder = tmp_path / "out/_static/edukit"
    assert (folder / "math.woff2").is_file()
    build("Words.")
    assert sorted(path.name for path in folder.iterdir()) == ["math.css"]
    assert "@font-face" not in (folder / "math.css").read_text(encoding="utf-8")


def test_the_sheet_names_the_font_with_its_version_and_the_licence_lies_beside_it(site: Path) -> None:
    files = made(site, "_build/html")
    sheet = files["_static/edukit/math.css"].decode()
    assert re.search(r'src: url\("math\.woff2\?v=[0-9a-f]{8}"\) format\("woff2"\);', sheet)
    assert "font-display: block" in sheet
    assert b"OPEN FONT LICENSE" in files["_static/edukit/math-font-licence.txt"]


def test_equations_have_the_same_names_in_every_build_and_language(site: Path) -> None:
    names = {}
    for language in ["en", "zh_CN"]:
        html = made(site, f"_build/{language}", "-D", f"language={language}")["index.html"].decode()
        names[language] = re.findall(r'id="(equation-[^"]*)"', html)
    assert names["en"] == ["equation-attention", "equation-eq-rows", "equation-3", "equation-norm"]
    assert names["zh_CN"] == names["en"]


def test_equations_are_numbered_and_referred_to(site: Path) -> None:
    files = made(site, "_build/html")
    page = files["index.html"].decode()
    assert re.findall(r'<span class="eqno">\((\d)\)', page) == ["1", "2", "3", "4"]
    assert 'href="#equation-eq-rows">(2)</a>' in page
    assert 'href="index.html#equation-norm">(4)</a>' in files["more.html"].decode()


def test_titles_hold_no_latex(site: Path) -> None:
    files = made(site, "_build/html")
    assert "<title>Formulas and ‖x‖ " in files["index.html"].decode()
    assert "norm{" not in files["more.html"].decode().partition("</head>")[0]


def test_a_label_used_twice_is_a_warning(site: Path) -> None:
    again = "\n\\begin{equation}\nx \\label{eq:rows}\n\\end{equation}\n"
    with (site / "plain.md").open("a", encoding="utf-8") as file:
        file.write(again)
    result = sphinx_build("-q", ".", "_build", cwd=site)
    assert (
        "plain.md:5: WARNING: duplicate label of equation eq:rows, other instance in index" in result.stderr
    )


def test_latex_stays_tex_with_labels_where_they_count(site: Path) -> None:
    result = sphinx_build("-q", "-W", "-b", "latex", ".", "_build", cwd=site)
    assert result.returncode == 0, result.stderr
    (path,) = (site / "_build").glob("*.tex")
    tex = path.read_text(encoding="utf-8")
    assert r"\begin{align}\label{equation:index:eq:rows}" in tex
    assert r"\eqref{equation:index:eq:rows}" in tex
    assert "<math" not in tex


def test_a_book_holds_mathml_and_the_font(site: Path) -> None:
    result = sphinx_build("-q", "-W", "-b", "epub", "-d", "_build/d", ".", "_build/book", cwd=site)
    assert result.returncode == 0, result.stderr
    (book,) = (site / "_build/book").glob("*.epub")
    with ZipFile(book) as file:
        page = ElementTree.fromstring(file.read("index.xhtml"))
        manifest = file.read("content.opf").decode()
        sheet = file.read("_static/edukit/math.css").decode()
        names = file.namelist()
    formulas = list(page.iter("{http://www.w3.org/1998/Math/MathML}math"))
    assert len(formulas) > 5
    marked = set(re.findall(r'<item [^>]*href="([^"]*)" properties="mathml"', manifest))
    assert marked == {"index.xhtml", "more.xhtml"}
    assert 'url("math.woff2")' in sheet
    assert {"_static/edukit/math.woff2", "_static/edukit/math-font-licence.txt"} <= set(names)
    assert "edukit-math-copy" not in ElementTree.tostring(page, encoding="unicode")


def test_another_renderer_is_left_alone(build: Build, tmp_path: Path) -> None:
    conf = 'extensions.append("sphinx.ext.mathjax")\nhtml_math_renderer = "mathjax"\n'
    html, errors = build(":math:`\\nosuch`", "-W", conf=conf)
    assert "<math" not in html
    assert errors == ""
    assert not (tmp_path / "out/_static/edukit/math.woff2").exists()
