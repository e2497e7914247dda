"""How Chinese looks: where lines end, what is slanted, where a heading breaks on a phone."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from edukit.sphinxext.cjk.marks import phrases
from tests.conftest import SITES, sphinx_build

# With formulas that ask nobody for a script.
EXTENSIONS = "myst_parser,edukit.sphinxext.cjk,edukit.sphinxext.mathml"

HEADINGS = [
    "用自注意力机制解释为什么词的顺序是看不见的",
    "长度外推：训练时短、测试时长会发生什么",
    "RoPE 旋转位置编码与 ALiBi 偏置怎样相互比较",
]
TEXT = (
    "他问：“这是‘位置’吗？”——“是的！”（她说。）……《词的花园》里写着：“顺序、位置、编码。”"
    "于是，大家都笑了！！！（真的？？？）“好。”“好！”“好？”"
)


@pytest.fixture(scope="session")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cjk")
    source = shutil.copytree(SITES / "cjk", folder / "site")
    page = "\n\n".join(["# 标题", TEXT * 3, *(f"## {heading}" for heading in HEADINGS)])
    (source / "translated.md").write_text(page, encoding="utf-8")
    for language in ("zh_CN", "en"):
        options = ["-D", f"language={language}", "-D", f"extensions={EXTENSIONS}"]
        trees, out = folder / language, folder / f"out-{language}"
        done = sphinx_build("-q", *options, "-d", trees, source, out, cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


# Returns the lines in which an element's text is set, and how far each one reaches beyond the element.
LINES = """element => {
  const lines = [], box = element.getBoundingClientRect()
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let text; text = walker.nextNode();) {
    if (text.parentElement.closest('.headerlink')) continue
    for (let i = 0; i < text.length; i++) {
      const range = document.createRange()
      range.setStart(text, i)
      range.setEnd(text, i + 1)
      const rect = range.getBoundingClientRect()
      const last = lines.at(-1)
      if (!last || rect.top > last.top + rect.height / 2)
        lines.push({top: rect.top, text: '', beyond: -Infinity})
      lines.at(-1).text += text.data[i]
      lines.at(-1).beyond = Math.max(lines.at(-1).beyond, rect.right - box.right)
    }
  }
  return lines.map(({text, beyond}) => ({text, beyond}))
}"""


def lines(page: Page, selector: str) -> list[list[dict[str, object]]]:
    return [element.evaluate(LINES) for element in page.query_selector_all(selector)]


@pytest.mark.parametrize("width", [320, 390])
def test_headings_break_between_words(open_page: Callable[..., Page], chinese: Path, width: int) -> None:
    page = open_page((chinese / "out-zh_CN/translated.html").as_uri(), width=width)
    headings = lines(page, "h2")
    assert any(len(heading) > 1 for heading in headings)
    for text, heading in zip(HEADINGS, headings, strict=True):
        ends = {len("".join(phrases(text)[:n])) for n in range(len(phrases(text)) + 1)}
        ends |= {at + 1 for at, character in enumerate(text) if character == " "}
        end = 0
        for line in heading:
            end += len(str(line["text"]))
            assert end in ends, heading
            assert line["beyond"] <= 0.5


@pytest.mark.parametrize("width", range(320, 400, 11))
def test_marks_at_the_ends_of_lines(open_page: Callable[..., Page], chinese: Path, width: int) -> None:
    page = open_page((chinese / "out-zh_CN/translated.html").as_uri(), width=width)
    [paragraph] = lines(page, "section > p")
    assert "".join(str(line["text"]) for line in paragraph) == TEXT * 3
    for line in paragraph:
        assert str(line["text"])[0] not in "，。、：！？）》”’"
        assert str(line["text"])[-1] not in "（《“‘"
        assert line["beyond"] <= 0.5


def style(page: Page, selector: str, name: str) -> str:
    return str(page.eval_on_selector(selector, f"e => getComputedStyle(e)['{name}']"))


def test_emphasis_suits_the_language(open_page: Callable[..., Page], chinese: Path) -> None:
    page = open_page((chinese / "out-zh_CN/page.html").as_uri())
    dotted = "p > em:not(.edukit-latin)"
    assert style(page, dotted, "fontStyle") == "normal"
    assert style(page, dotted, "textEmphasisStyle") == "dot"
    assert style(page, ".edukit-latin", "fontStyle") == "italic"
    assert style(page, ".edukit-latin", "textEmphasisStyle") == "none"
    assert style(page, "[lang=en]", "lineBreak") == "auto"
    page = open_page((chinese / "out-en/english.html").as_uri())
    assert style(page, "em", "fontStyle") == "italic"
    assert style(page, "em > [lang]", "fontStyle") == "normal"
    assert style(page, "em > [lang]", "textEmphasisStyle") == "dot"


def test_joined_lines_leave_no_gap(open_page: Callable[..., Page], chinese: Path) -> None:
    page = open_page((chinese / "out-zh_CN/index.html").as_uri())
    gap = page.evaluate(
        """() => {
          const text = document.querySelector('section > p').firstChild
          const at = (i) => {
            const range = document.createRange()
            range.setStart(text, i)
            range.setEnd(text, i + 1)
            return range.getBoundingClientRect()
          }
          return at(text.data.indexOf('第二')).left - at(text.data.indexOf('第二') - 1).right
        }"""
    )
    assert abs(gap) < 0.5


def test_no_page_of_the_site_is_too_wide(open_page: Callable[..., Page]) -> None:
    for path in (
        "zh-cn/index.html",
        "zh-cn/position/order-is-invisible.html",
        "songs/a-garden-of-words.html",
    ):
        page = open_page(path, width=390)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
