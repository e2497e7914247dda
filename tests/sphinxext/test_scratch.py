"""The directive ``scratch-project``: pictures, text and files of a project in the page's language."""

import io
import json
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import segno
from bs4 import BeautifulSoup, Tag
from sphinx.testing.util import SphinxTestApp

from edukit.scratch import load
from tests.conftest import sphinx_build

MakeApp = Callable[..., SphinxTestApp]


@pytest.fixture
def site(copy_site: Callable[[str], Path]) -> Path:
    return copy_site("scratch")


def build(make_app: MakeApp, srcdir: Path, builder: str = "html", **overrides: object) -> SphinxTestApp:
    app = make_app(builder, srcdir=srcdir, confoverrides=overrides, warning=io.StringIO())
    app.build()
    return app


def page(app: SphinxTestApp, name: str = "index.html") -> BeautifulSoup:
    return BeautifulSoup((app.outdir / name).read_text("utf-8"), "html.parser")


def words(tag: Tag | None) -> str:
    assert tag is not None
    return " ".join(tag.get_text(" ").split())


def warnings(app: SphinxTestApp) -> str:
    """Return what was warned of, without what Sphinx says of a second build in one process."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", app.warning.getvalue())
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if "already registered" not in line)


def test_a_page_shows_stage_scripts_and_download(make_app: MakeApp, site: Path) -> None:
    app = build(make_app, site)
    assert warnings(app) == ""
    soup = page(app)
    picture = soup.select_one("figure > svg[role=img]")
    assert words(picture and picture.title) == "The stage of Count when it opens"
    assert words(soup.select_one("figure figcaption")) == "A bird in the sky."
    assert [words(one) for one in soup.select(".sb-sprite > p")] == ["Stage", "Bird"]
    scripts = soup.select(".sb-script")
    assert [one["aria-label"] for one in scripts] == ["Stage, script 1", "Bird, script 1", "Bird, script 2"]
    assert [one["id"] for one in scripts] == ["script-1", "script-2", "script-3"]
    assert words(scripts[2].ol) == "when this sprite clicked say Tweet"
    assert [words(one) for one in scripts[1].select("ol ol > li")] == [
        "change number by 1",
        "say number for 1 seconds",
    ]
    link = soup.select_one("a.sb-download")
    assert link is not None
    assert words(link).startswith("Download the project (count.sb3, ")
    assert load(app.outdir / str(link["href"])).targets[1].name == "Bird"
    assert not soup.select(".sb-script script, .sb-script [onclick]")


def test_the_page_in_chinese_is_chinese(make_app: MakeApp, site: Path) -> None:
    app = build(make_app, site, language="zh_CN")
    assert warnings(app) == ""
    soup = page(app)
    assert words(soup.select_one("figure figcaption")) == "天上有只小鸟。"
    assert words(soup.select(".sb-script > ol")[2]) == "当角色被点击 说 叽叽"
    link = soup.select_one("a.sb-download")
    assert link is not None
    assert load(app.outdir / str(link["href"])).targets[1].name == "小鸟"
    # The words around are in edukit's own catalog.
    assert [words(one) for one in soup.select(".sb-sprite > p")] == ["舞台", "小鸟"]
    assert words(soup.select_one("figure title")) == "数数打开时的舞台"
    assert re.fullmatch(r"下载作品（count-zh-cn\.sb3，\d+\xa0kB）", link.get_text())
    assert soup.select(".sb-script")[2]["aria-label"] == "小鸟，第 2 段脚本"


WITH_GOAL = """# T

```{scratch-project} bird.py
:parts: stage

A bird.

Count to *ten*.

- by ones
```
"""


def test_the_goal_follows_the_caption(make_app: MakeApp, site: Path) -> None:
    (site / "index.md").write_text(WITH_GOAL, "utf-8")
    app = build(make_app, site, suppress_warnings=["toc.not_included"])
    assert warnings(app) == ""
    soup = page(app)
    assert words(soup.select_one("figcaption")) == "A bird."
    assert words(soup.select_one(".sb-goal")) == "Goal Count to ten . by ones"


def test_the_goal_goes_to_the_catalog(make_app: MakeApp, site: Path) -> None:
    (site / "index.md").write_text(WITH_GOAL, "utf-8")
    app = build(make_app, site, "gettext", suppress_warnings=["toc.not_included"])
    catalog = (app.outdir / "index.pot").read_text("utf-8")
    assert re.findall(r'^msgid "(.+)"$', catalog, re.MULTILINE) == [
        *("T", "A bird.", "Count to *ten*.", "by ones"),
    ]


def test_the_way_to_open_it_is_told_and_each_script_has_its_link(make_app: MakeApp, site: Path) -> None:
    soup = page(build(make_app, site, language="zh_CN"))
    assert words(soup.select_one("details.sb-how")).endswith("选中 count-zh-cn.sb3，然后点击绿旗。")
    links = soup.select(".sb-script > a")
    assert [(words(one), one["href"]) for one in links] == [
        ("本段脚本的链接", f"#script-{number}") for number in (1, 2, 3)
    ]
    assert soup.select(".sb-qr") == []


def test_a_site_with_an_address_shows_it_to_cameras(make_app: MakeApp, site: Path) -> None:
    soup = page(build(make_app, site, html_baseurl="https://example.org/course/"))
    picture = soup.select_one(".sb-qr > svg")
    assert picture is not None
    assert picture["aria-label"] == "QR code: the address of the file"
    drawn = picture.path
    assert drawn is not None
    address = "https://example.org/course/_downloads/index/count.sb3"
    assert str(drawn["d"]) in segno.make(address, micro=False).svg_inline(border=4)
    assert str(drawn["d"]) not in segno.make(address + "x", micro=False).svg_inline(border=4)


def test_another_language_has_english_blocks(make_app: MakeApp, site: Path) -> None:
    soup = page(build(make_app, site, language="de"))
    assert words(soup.select(".sb-script > ol")[2]) == "when this sprite clicked say Tweet"


@pytest.mark.parametrize("builder", ["html", "dirhtml", "singlehtml"])
def test_links_lead_to_the_file_from_any_depth(make_app: MakeApp, site: Path, builder: str) -> None:
    app = build(make_app, site, builder)
    found = 0
    for path in app.outdir.rglob("*.html"):
        soup = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        for link in soup.select("a.sb-download"):
            load(path.parent / str(link["href"]))
            found += 1
    assert found == 2


def test_parts_and_scripts_can_be_chosen(make_app: MakeApp, site: Path) -> None:
    soup = page(build(make_app, site), "sub/more.html")
    assert soup.select("figure") == []
    body = soup.select_one(".edukit-scratch")
    assert body is not None
    assert [one["class"][0] for one in body.find_all(recursive=False)] == [
        "sb-sprite",
        "sb-get",
    ]
    assert [one["id"] for one in soup.select(".sb-script")] == ["script-2", "script-3"]


def test_text_builders_get_block_text(make_app: MakeApp, site: Path) -> None:
    app = build(make_app, site, "text", language="zh_CN")
    text = (app.outdir / "index.txt").read_text("utf-8")
    assert "天上有只小鸟。" in text
    assert "当角色被点击\n   说 [叽叽]" in text
    assert "sb-" not in text


@pytest.mark.parametrize("builder", ["latex", "man", "texinfo", "xml", "pseudoxml"])
def test_other_builders_take_it_too(make_app: MakeApp, site: Path, builder: str) -> None:
    assert warnings(build(make_app, site, builder)) == ""


def test_an_electronic_book_has_the_pictures_and_no_download(make_app: MakeApp, site: Path) -> None:
    app = build(make_app, site, "epub", copyright="x", version="1")
    assert warnings(app) == ""
    soup = page(app, "index.xhtml")
    assert len(soup.select(".sb-script")) == 3
    assert soup.select("a.sb-download") == []
    ElementTree.fromstring((app.outdir / "index.xhtml").read_bytes())


def test_only_the_words_of_the_author_go_to_the_catalog(make_app: MakeApp, site: Path) -> None:
    app = build(make_app, site, "gettext", gettext_additional_targets=["literal-block", "index", "image"])
    catalog = (app.outdir / "index.pot").read_text("utf-8")
    assert re.findall(r'^msgid "(.+)"$', catalog, re.MULTILINE) == [
        "Counting",
        "A bird in the sky.",
    ]


def test_a_project_file_is_shown_and_copied(make_app: MakeApp, site: Path) -> None:
    first = build(make_app, site)
    made = (first.outdir / "_downloads" / "index" / "count.sb3").read_bytes()
    (site / "小鸟 1.sb3").write_bytes(made)
    (site / "index.md").write_text("# T\n\n```{scratch-project} 小鸟 1.sb3\n```\n", "utf-8")
    app = build(make_app, site, language="zh_CN", suppress_warnings=["toc.not_included"])
    assert warnings(app) == ""
    soup = page(app)
    assert words(soup.select(".sb-script > ol")[2]) == "当角色被点击 说 Tweet"
    assert (app.outdir / "_downloads" / "index" / "小鸟 1.sb3").read_bytes() == made
    link = soup.select_one("a.sb-download")
    assert link is not None
    assert str(link["href"]).endswith("%E5%B0%8F%E9%B8%9F%201.sb3")


WRONG = {
    "no.py": ("", "there is no file no.py"),
    "page.txt": ("x", "page.txt is neither a .sb3 file nor a .py program"),
    "broken.py": ("x = 1\nif\n", "broken.py:2: invalid syntax"),
    "crash.py": ("x = 1\ny = x.no\n", "crash.py:2: AttributeError: "),
    "leave.py": ("import sys\nsys.exit(3)\n", "leave.py:2: SystemExit: 3"),
    "empty.py": ("x = 1\n", "empty.py: the program leaves no project"),
    "wrong.py": (
        "from edukit.scratch.author import move\n\nmove('ten')\n",
        "wrong.py:3: STEPS of motion_movesteps takes a number, not 'ten'",
    ),
    "late.py": (
        "from bird import bird, number, project\n"
        "from edukit.scratch.author import switch_costume\n"
        "bird.when_flag(switch_costume('red'))\n",
        "late.py:3: there is no picture named 'red', only 'bird'",
    ),
    "page.sb3": ("<html>", "page.sb3: This is not a Scratch 3 project"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_one_message_at_the_line_of_the_page(
    make_app: MakeApp, site: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, message = WRONG[name]
    if content:
        (site / name).write_text(content, "utf-8")
    monkeypatch.syspath_prepend(site)
    (site / "index.md").write_text(f"# T\n\nWords.\n\n```{{scratch-project}} {name}\n```\n", "utf-8")
    app = build(make_app, site, suppress_warnings=["toc.not_included"])
    (line,) = warnings(app).strip().splitlines()
    assert f"index.md:5: ERROR: scratch-project: {message}" in line.replace(os.sep, "/")
    assert words(page(app).select_one("p")) == "Words."


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (":scripts: 4", "'4': the project has the scripts 1 to 3"),
        (":scripts: two", "'two' is no number"),
        (":parts: stage,music", "music is none of stage, play, download, scripts"),
    ],
)
def test_a_wrong_option_is_a_message_at_the_line(
    make_app: MakeApp, site: Path, option: str, message: str
) -> None:
    (site / "index.md").write_text(f"# T\n\n```{{scratch-project}} bird.py\n{option}\n```\n", "utf-8")
    app = build(make_app, site, suppress_warnings=["toc.not_included"])
    assert re.search(r"index\.md:[34]: (ERROR|WARNING): ", warnings(app))
    assert message in warnings(app)


def test_what_is_silently_wrong_in_a_project_is_a_warning(make_app: MakeApp, site: Path) -> None:
    data = (build(make_app, site).outdir / "_downloads" / "index" / "count.sb3").read_bytes()
    (site / "x.sb3").write_bytes(data)

    with zipfile.ZipFile(site / "x.sb3") as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    raw = json.loads(entries["project.json"])
    raw["targets"][0]["variables"] = {}
    entries["project.json"] = json.dumps(raw).encode()
    with zipfile.ZipFile(site / "x.sb3", "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    (site / "index.md").write_text("# T\n\n```{scratch-project} x.sb3\n```\n", "utf-8")
    app = build(make_app, site, language="zh_CN", suppress_warnings=["toc.not_included"])
    assert "index.md:3: WARNING: scratch-project: x.sb3: " in warnings(app)
    assert "不存在名为“number”的变量" in warnings(app)


@pytest.mark.parametrize("changed", ["bird.py", "bird.svg"])
def test_a_changed_source_is_shown_in_the_next_build(make_app: MakeApp, site: Path, changed: str) -> None:
    before = build(make_app, site)
    file = before.outdir / "_downloads" / "sub" / "more" / "count.sb3"
    old, old_page = file.read_bytes(), str(page(before))
    text = (site / changed).read_text("utf-8")
    new = {"bird.py": text.replace("Tweet", "Chirp"), "bird.svg": text.replace('r="5"', 'r="4"')}
    (site / changed).write_text(new[changed], "utf-8")
    os.utime(site / changed, (4e9, 4e9))
    after = build(make_app, site)
    assert file.read_bytes() != old
    assert str(page(after)) != old_page


def test_a_page_that_did_not_change_keeps_its_file(make_app: MakeApp, site: Path) -> None:
    first = build(make_app, site)
    for file in first.outdir.rglob("*.sb3"):
        file.unlink()
    again = build(make_app, site)
    assert len(list(again.outdir.rglob("*.sb3"))) == 2


def test_parallel_builds_give_the_same_site(site: Path, tmp_path: Path) -> None:
    for index in range(8):
        (site / f"p{index}.md").write_text(
            f"---\norphan: true\n---\n\n# P{index}\n\n```{{scratch-project}} bird.py\n```\n",
            "utf-8",
        )
    for jobs, out in (("1", "one"), ("2", "two")):
        done = sphinx_build("-q", "-W", "-E", "-j", jobs, ".", tmp_path / out, cwd=site)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.sb3"))
    assert len(files) == 10
    for path in [*files, Path("index.html"), Path("p3.html")]:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()
