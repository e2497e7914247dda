"""Formulas in Chromium: the font, copying, scrolling, what a screen reader finds, paper."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image, ImageOps
from playwright.sync_api import CDPSession, Page

from edukit.sphinxext.mathml.latex import convert
from tests.conftest import SITES, sphinx_build

OpenPage = Callable[..., Page]
Open = Callable[..., Page]


@pytest.fixture(scope="session")
def formulas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("formulas") / "html"
    result = sphinx_build("-q", "-W", "-d", out.parent / "doctrees", SITES / "mathml", out, cwd=out.parent)
    assert result.returncode == 0, result.stderr
    return out


@pytest.fixture
def show(formulas: Path, open_page: OpenPage) -> Open:
    def show(name: str = "index.html", **more: object) -> Page:
        page = open_page((formulas / name).as_uri(), **more)
        page.evaluate("document.fonts.ready")
        return page

    return show


def inspector(page: Page) -> tuple[CDPSession, int]:
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    return session, session.send("DOM.getDocument")["root"]["nodeId"]


def fonts_of(page: Page, selector: str) -> list[set[tuple[str, bool]]]:
    """Return the fonts that each element is drawn with, and whether the page brought them along."""
    session, root = inspector(page)
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": selector})["nodeIds"]
    found = [session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"] for node in nodes]
    return [{(font["familyName"], font["isCustomFont"]) for font in fonts} for fonts in found]


@pytest.mark.parametrize("name", ["index.html", "more.html"])
def test_every_sign_is_drawn_with_the_font_of_the_page(show: Open, name: str) -> None:
    page = show(name)
    signs = fonts_of(page, "mi, mn, mo")
    assert len(signs) > 20
    assert set().union(*signs) == {("STIX Two Math", True)}


def test_chinese_words_in_a_formula_are_set_in_a_chinese_font(show: Open) -> None:
    page = show()
    assert len(fonts_of(page, "mtext")) == 2
    for fonts in fonts_of(page, "mtext"):
        # Latin words and spaces as in a book of mathematics, the others by the system.
        assert ("STIX Two Math", True) in fonts
        assert len(fonts) == 2


@pytest.mark.parametrize("prefix", ["", "zh-cn/"])
def test_so_it_is_on_the_site(open_page: OpenPage, prefix: str) -> None:
    page = open_page(f"{prefix}position/order-is-invisible.html")
    page.evaluate("document.fonts.ready")
    signs = fonts_of(page, "mi, mn, mo")
    assert len(signs) > 100
    assert set().union(*signs) == {("STIX Two Math", True)}


def test_brackets_and_roots_stretch(show: Open) -> None:
    page = show()
    formula = page.locator("div.edukit-math").first
    height = "element => element.getBoundingClientRect().height"
    bracket = formula.locator("mo", has_text="(").nth(1).evaluate(height)
    assert bracket > 1.5 * formula.locator("mi", has_text="Q").first.evaluate(height)
    assert bracket >= formula.locator("mfrac").evaluate(height)


def test_no_gap_stands_behind_a_root(show: Open) -> None:
    page = show()
    gaps = page.evaluate(
        """[...document.querySelectorAll("msqrt")].map(root => {
            const inside = Math.max(...[...root.children].map(one => one.getBoundingClientRect().right));
            return root.getBoundingClientRect().right - inside;
        })"""
    )
    assert gaps
    assert max(gaps) < 3


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    return page.locator(selector).evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().toJSON())"
    )


@pytest.mark.parametrize("prefix", ["", "zh-cn/"])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_number_stands_at_the_right_edge_of_the_text(
    open_page: OpenPage, prefix: str, width: int
) -> None:
    page = open_page(f"{prefix}guide/mathematics.html", width=width)
    equations, numbers = boxes(page, "div.edukit-math:has(.eqno)"), boxes(page, "div.edukit-math .eqno")
    assert len(numbers) == 3
    for equation, number in zip(equations, numbers, strict=True):
        assert abs(equation["right"] - number["right"]) < 1
        # In the middle of the height, also of several lines.
        middle = (equation["top"] + equation["bottom"]) / 2
        assert abs((number["top"] + number["bottom"]) / 2 - middle) < 2


@pytest.fixture
def formula(show: Open) -> Callable[[str], Page]:
    """Show formulas of one's own in the style and the font of the small site."""

    def formula(*mathml: str) -> Page:
        page = show()
        paragraphs = "".join(f"<p>{one}</p>" for one in mathml)
        page.evaluate("all => { document.querySelector('section').innerHTML = all }", paragraphs)
        return page

    return formula


def test_exponents_stand_at_one_height_and_so_do_indices(formula: Callable[[str], Page]) -> None:
    page = formula(convert(r"x^2 + K^2 + )^2 + q_2 + k_2 + )_2").mathml)
    exponents = {round(box["top"]) for box in boxes(page, "msup > mn")}
    indices = {round(box["top"]) for box in boxes(page, "msub > mn")}
    assert max(exponents) - min(exponents) <= 1
    assert max(indices) - min(indices) <= 2


def ink(page: Page, number: int, tag: str) -> tuple[int, int, int, int]:
    """Return where a formula of the page has ink when only the elements of one kind have a colour.

    The box of an operator tells nothing: Chromium gives it the size that the glyph has in a line.
    """
    page.add_style_tag(content=f"math * {{ color: transparent }} math {tag} {{ color: black }}")
    picture = Image.open(io.BytesIO(page.locator("section > p").nth(number).screenshot())).convert("L")
    box = ImageOps.invert(picture).point(lambda value: 255 * (value > 60)).getbbox()
    assert box
    return box


def test_what_stands_over_several_letters_grows(formula: Callable[[str], Page]) -> None:
    latex = [r"\widetilde{xyzw}", r"\widehat{xyzw}", r"\overrightarrow{xyzw}", r"\xrightarrow{xyzwxyzw}"]
    for number, one in enumerate(latex):
        page = formula(*(convert(one).mathml for one in latex))
        left, _, right, _ = ink(page, number, "mo")
        page = formula(*(convert(one).mathml for one in latex))
        first, _, last, _ = ink(page, number, "mi")
        assert right - left > 0.8 * (last - first), one


def test_primes_stand_where_exponents_stand(formula: Callable[[str], Page]) -> None:
    _, prime, _, low = ink(formula(convert("x'").mathml, convert("x^2").mathml), 0, "mo")
    _, exponent, _, foot = ink(formula(convert("x'").mathml, convert("x^2").mathml), 1, "mn")
    assert abs(prime - exponent) <= 3
    assert abs(low - foot) <= 3


def test_a_frame_and_a_stroke_are_drawn(formula: Callable[[str], Page]) -> None:
    page = formula(
        convert(r"\boxed{a}").mathml, convert(r"\cancel{a}").mathml, convert(r"\xcancel{a}").mathml
    )
    looks = page.locator("menclose").evaluate_all(
        """all => all.map(one => {
            const style = getComputedStyle(one);
            return [style.borderTopStyle, style.backgroundImage.match(/gradient/g)?.length ?? 0];
        })"""
    )
    assert looks == [["solid", 0], ["none", 1], ["none", 2]]


SELECTED = "getSelection().toString()"


def test_a_click_marks_a_formula_and_copying_gives_latex(show: Open) -> None:
    page = show()
    page.locator("p .edukit-math").first.click()
    assert page.evaluate(SELECTED) == r"$A(PX) = P\,A(X)\,P^\top$"
    page.locator("div.edukit-math").nth(1).click()
    lines = page.evaluate(SELECTED).splitlines()
    assert (lines[0], lines[-1]) == (r"\begin{align}", r"\end{align}")
    # What was pressed is really what a program gets that is pasted into.
    page.evaluate("document.body.append(document.createElement('textarea'))")
    page.keyboard.press("Control+c")
    page.locator("textarea").focus()
    page.keyboard.press("Control+v")
    assert page.locator("textarea").input_value().splitlines() == lines


def test_a_sentence_is_copied_with_its_formulas_as_latex(show: Open) -> None:
    page = show()
    page.evaluate("getSelection().selectAllChildren(document.querySelector('main p, p'))")
    text = " ".join(page.evaluate(SELECTED).split())
    assert text.startswith(
        r"In a line: $A(PX) = P\,A(X)\,P^\top$, and $x \in \R^{n \times d}$. See (1), (2)"
    )


@pytest.mark.parametrize("width", [320, 390])
def test_long_formulas_scroll_inside_themselves(show: Open, width: int) -> None:
    page = show(width=width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    long = page.locator(".edukit-math[tabindex], .edukit-math-formula[tabindex]")
    wide = page.evaluate(
        """[...document.querySelectorAll("span.edukit-math-long, .edukit-math-formula")]
            .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.tabIndex)"""
    )
    assert len(wide) >= 2
    assert set(wide) == {0}, "a formula scrolls that is not known as long"
    for index in range(long.count()):
        scroller = long.nth(index)
        if scroller.evaluate("one => one.scrollWidth <= one.clientWidth"):
            continue
        # All of it can be reached: nothing sticks out to the left of where scrolling begins.
        left = scroller.evaluate("""one => {
            const formula = one.querySelector("math").getBoundingClientRect();
            return formula.left - one.getBoundingClientRect().left;
        }""")
        assert left >= -1
        scroller.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("one => one.scrollLeft > 0", arg=scroller.element_handle())


def test_formulas_have_no_barrier(show: Open) -> None:
    for width in [390, 1280]:
        page = show(width=width)
        found = Axe().run(page, options={"preload": False}).response["violations"]
        assert [one["id"] for one in found if any("math" in node["html"] for node in one["nodes"])] == []


def test_a_screen_reader_finds_the_formula_once_and_with_its_structure(show: Open) -> None:
    page = show()
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    seen = [node for node in nodes if not node["ignored"]]
    roles = [node["role"]["value"] for node in seen]
    assert roles.count("MathMLMath") == page.locator("math").count()
    assert {"MathMLFraction", "MathMLSquareRoot", "MathMLSup", "MathMLTable"} <= set(roles)
    words = " ".join(str(node.get("name", {}).get("value", "")) for node in seen)
    assert "frac" not in words
    assert "否则" in words


def test_paper_has_the_formula_whole_and_no_hidden_latex(show: Open) -> None:
    page = show()
    page.emulate_media(media="print")
    assert not page.locator(".edukit-math-copy").first.is_visible()
    overflow = page.locator(".edukit-math-formula").evaluate_all(
        "all => all.map(one => getComputedStyle(one).overflowX)"
    )
    assert set(overflow) == {"visible"}


@pytest.mark.parametrize("which", [0, 1])
def test_no_line_begins_with_the_comma_behind_a_formula(show: Open, which: int) -> None:
    page = show()
    fallen = page.evaluate(
        """which => {
            const paragraph = document.querySelectorAll("p:has(.edukit-math-together)")[which];
            const found = [];
            for (let width = 150; width < 400; width += 2) {
                paragraph.style.width = width + "px";
                for (const group of paragraph.querySelectorAll(".edukit-math-together")) {
                    const comma = document.createRange();
                    comma.selectNode(group.lastChild);
                    const formula = group.querySelector("math").getBoundingClientRect();
                    if (comma.getBoundingClientRect().top > formula.bottom) found.push(width);
                }
            }
            return found;
        }""",
        which,
    )
    assert page.locator(".edukit-math-together").count() == 3
    assert fallen == []
