"""The directive and the role ``scratch-blocks``: drawn and translated, and typos told at their lines."""

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from sphinx.testing.util import SphinxTestApp

MakeApp = Callable[..., SphinxTestApp]


@pytest.fixture
def site(copy_site: Callable[[str], Path]) -> Path:
    return copy_site("blocks")


def build(make_app: MakeApp, srcdir: Path, builder: str = "html", **overrides: object) -> SphinxTestApp:
    app = make_app(builder, srcdir=srcdir, confoverrides=overrides, warning=io.StringIO())
    app.build()
    return app


def warnings(app: SphinxTestApp) -> list[str]:
    text = re.sub(r"\x1b\[[0-9;]*m", "", app.warning.getvalue())
    return [line for line in text.splitlines() if "already registered" not in line]


def page(app: SphinxTestApp, name: str = "index.html") -> BeautifulSoup:
    return BeautifulSoup((app.outdir / name).read_text("utf-8"), "html.parser")


def words(tag: object) -> str:
    return " ".join(tag.get_text(" ").split())


def test_blocks_are_drawn_in_the_language_of_the_page(make_app: MakeApp, site: Path) -> None:
    app = build(make_app, site)
    assert warnings(app) == []
    soup = page(app)
    first, second = soup.select("div.edukit-scratch > .sb-script > ol")
    assert words(first).startswith("when clicked ask What is your name? and wait the child set score to 5")
    assert words(second) == "define 跳 高度 次 repeat 高度 change y by 10"
    inline = soup.select("p > span.sb-inline")
    assert [words(one) for one in inline] == ["say Hello", "< score > 5 >"]
    # Nothing in a paragraph but what may stand there.
    assert {tag.name for one in inline for tag in one.find_all(True)} == {"span"}
    rest = page(app, "rest.html").select("p > span.sb-inline")
    assert [words(one) for one in rest] == ["turn 15 degrees", "say a]b"]


def test_the_author_is_asked_for_no_more_than_the_author_wrote(make_app: MakeApp, site: Path) -> None:
    app = build(make_app, site, "gettext", gettext_additional_targets=["literal-block"])
    catalog = (app.outdir / "index.pot").read_text("utf-8")
    assert re.findall(r'^msgid "(.+)"$', catalog, re.MULTILINE) == [
        "Blocks",
        "The block {scratch-blocks}`say [Hello]` talks, {scratch-blocks}`<(score) > (5)>` asks.",
        *("What is your name?", "score", "Hello, ", "跳 %s 次", "高度", "the child"),
    ]


def test_the_chinese_page_is_chinese(make_app: MakeApp, site: Path) -> None:
    app = build(make_app, site, language="zh_CN")
    assert warnings(app) == []
    soup = page(app)
    first = soup.select_one("div.edukit-scratch > .sb-script > ol")
    assert words(first).startswith("当 被点击 询问 你叫什么名字？ 并等待 小朋友 将 得分 设为 5 如果")
    assert [words(one) for one in soup.select("p > span.sb-inline")] == ["说 你好", "< 得分 > 5 >"]
    assert soup.select_one(".sb-script[role=group]")["aria-label"] == "积木"


def test_text_builders_get_block_text(make_app: MakeApp, site: Path) -> None:
    app = build(make_app, site, "text", language="zh_CN")
    text = (app.outdir / "index.txt").read_text("utf-8")
    assert "说 [你好]" in text
    assert "   当 @greenFlag 被点击\n   询问 [你叫什么名字？] 并等待 // 小朋友\n" in text


@pytest.mark.parametrize("builder", ["latex", "man", "texinfo", "epub", "xml"])
def test_other_builders_take_them_too(make_app: MakeApp, site: Path, builder: str) -> None:
    assert warnings(build(make_app, site, builder, copyright="x", version="1")) == []


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("index.md", "# T\n\n- item\n\n  ```{scratch-blocks}\n  show\n\n  mvoe (10) steps\n  ```\n"),
        ("index.rst", "T\n=\n\n.. note::\n\n   .. scratch-blocks::\n\n      mvoe (10) steps\n"),
    ],
)
def test_a_typo_is_a_warning_at_its_line(make_app: MakeApp, site: Path, name: str, source: str) -> None:
    for path in [*site.glob("*.md"), *site.glob("*.rst")]:
        path.unlink()
    (site / name).write_text(source, "utf-8")
    app = build(make_app, site)
    (line,) = warnings(app)
    assert f"{name}:8: WARNING: scratch-blocks: 'mvoe (10) steps' is no block of Scratch; " in line
    assert "the nearest is: move ( ) steps" in line
    assert "mvoe 10 steps" in words(page(app))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("```{scratch-blocks}\n```", "index.md:3: WARNING: scratch-blocks: here are no blocks"),
        ("A {scratch-blocks}`syy [x]`.", "index.md:3: WARNING: scratch-blocks: 'syy [x]' is no block"),
        (
            "A {scratch-blocks}`// x`.",
            "index.md:3: WARNING: scratch-blocks: one block stands in a sentence",
        ),
    ],
)
def test_what_else_is_wrong(make_app: MakeApp, site: Path, source: str, message: str) -> None:
    (site / "index.md").write_text(f"# T\n\n{source}\n", "utf-8")
    app = build(make_app, site, suppress_warnings=["toc.not_included"])
    assert message in "\n".join(warnings(app))
