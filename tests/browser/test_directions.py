"""A page from right to left, as Chromium lays it out: what is not words keeps its own direction."""

from playwright.sync_api import Browser

from edukit.sphinxext.common import STATIC

PAGE = """<!DOCTYPE html><html dir="rtl" lang="ar"><style>{css}</style><body>
<p>اكتب <code class="first">a(b, 1)</code> هنا.</p>
<div class="highlight"><pre class="second">x = [1, 2]</pre></div>
<p>اقرأ <a class="third" href="#">C++ (2nd)</a> الآن.</p>
<p>قيمة <math class="fourth"><mn>1</mn><mo>&lt;</mo><mn>2</mn></math>.</p>
</body></html>"""


def test_code_and_formulas_run_from_left_to_right(chromium: Browser) -> None:
    css = (STATIC / "edukit/right-to-left.css").read_text(encoding="utf-8")
    page = chromium.new_page()
    page.set_content(PAGE.format(css=css))
    styles = {
        name: page.eval_on_selector(
            f".{name}", "e => [getComputedStyle(e).direction, getComputedStyle(e).unicodeBidi]"
        )
        for name in ("first", "second", "third", "fourth")
    }
    assert styles["first"] == styles["fourth"] == ["ltr", "isolate"]
    assert styles["second"][0] == "ltr"
    # A link runs as its own words do, and its last bracket stays with it.
    assert styles["third"] == ["rtl", "isolate"]
    start = page.eval_on_selector(".second", "e => getComputedStyle(e).textAlign")
    assert start == "left"
    # The closing bracket of the code is drawn at its right end.
    box = """e => { const range = document.createRange(), text = e.firstChild;
        const at = (i) => { range.setStart(text, i); range.setEnd(text, i + 1);
                            return range.getBoundingClientRect().left; };
        return [at(0), at(text.length - 1)]; }"""
    first, last = page.eval_on_selector(".first", box)
    assert first < last
    page.close()
