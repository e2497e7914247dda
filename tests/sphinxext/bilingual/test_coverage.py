"""How much is translated: said by the build, told on a page, and marked where it is not."""

import os
import re
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from edukit.catalogs import CatalogError
from edukit.sphinxext.bilingual import summaries
from tests.conftest import SITES, sphinx_build

LOCALE = "locale/zh_CN/LC_MESSAGES"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site in three languages, partly translated."""
    site = tmp_path_factory.mktemp("coverage") / "site"
    shutil.copytree(SITES / "coverage", site)
    result = sphinx_build("-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode == 0, result.stderr
    (site / "said").write_text(result.stdout, encoding="utf-8")
    return site


def soup(site: Path, page: str) -> BeautifulSoup:
    return BeautifulSoup((site / "_build/html" / page).read_text(encoding="utf-8"), "html.parser")


def test_the_build_says_how_much_is_translated(built: Path) -> None:
    said = (built / "said").read_text(encoding="utf-8")
    assert "[zh_CN] 25 % of the words are translated: 9 of 35 (10 messages on 3 pages; " in said
    assert "; 1 fuzzy, 6 missing, 2 stale)" in said
    assert "[ar] 2 % of the words are translated: 1 of 35 (10 messages on 3 pages; " in said
    assert "; 0 fuzzy, 9 missing, 0 stale)" in said


@pytest.mark.parametrize("folder", ["", "zh-cn/", "ar/"])
def test_the_tables_tell_the_same_in_every_language(built: Path, folder: str) -> None:
    languages, pages = soup(built, f"{folder}index.html").find_all("table", class_="bilingual-edition")
    rows = [[cell.get_text() for cell in row.find_all(["td", "th"])] for row in languages.find_all("tr")]
    assert [re.findall(r"[\d–]+", " ".join(row[1:])) for row in rows[1:]] == [
        ["1", "3", "35", "2", "0", "–"],
        ["1", "3", "35", "25", "2", "2026", "05", "04"],
    ]
    assert languages.caption
    assert all(row.th["class"] == ["stub"] for row in languages.tbody.find_all("tr"))
    assert [cell["lang"] for cell in languages.tbody.select("th a, th span")] == ["ar", "zh-CN"]
    cells = [
        [re.findall(r"\d+", cell.get_text()) for cell in row.find_all("td")]
        for row in pages.tbody.find_all("tr")
    ]
    assert sorted(cells) == sorted(
        [[["1"], ["100"], ["100"]], [["12"], ["0"], ["0"]], [["22"], ["0"], ["36", "2"]]]
    )
    # Each link leads to a page, in its language.
    page = built / "_build/html" / folder
    for link in [*languages.find_all("a"), *pages.find_all("a")]:
        if not link["href"].startswith("#"):
            assert (page / link["href"]).is_file(), link


def test_a_block_that_is_not_translated_is_marked(built: Path) -> None:
    page = soup(built, "zh-cn/part.html")
    blocks = page.find_all(class_="bilingual-untranslated")
    assert [block.get_text() for block in blocks] == [
        "This one is not.",
        "This one has changed.",
        "An item, not translated either",
    ]
    assert {(block["lang"], block["dir"]) for block in blocks} == {("en", "ltr")}
    marks = page.find_all(class_="bilingual-mark")
    assert [mark.get_text() for mark in marks] == ["EN 尚未翻译"] * 3
    assert {mark["lang"] for mark in marks} == {"zh-CN"}
    # A screen reader says what is meant, and not the sign.
    assert marks[0].find(class_="bilingual-mark-sign")["aria-hidden"] == "true"


def test_a_page_that_is_not_translated_at_all_is_marked_once(built: Path) -> None:
    page = soup(built, "zh-cn/none.html")
    assert len(page.find_all(class_="bilingual-untranslated")) == 3
    [mark] = page.find_all(class_="bilingual-mark")
    assert mark.find_parent("h1")
    assert page.title.string.startswith("A page without a catalog —")
    assert "EN" not in page.find(class_="sphinxsidebarwrapper").get_text()
    # Where the words are not translated themselves, they say so.
    assert soup(built, "ar/none.html").find(class_="bilingual-mark")["lang"] == "en"


def test_nothing_is_marked_where_all_is_translated(built: Path) -> None:
    for page in ["index.html", "part.html", "zh-cn/index.html"]:
        assert "bilingual-untranslated" not in str(soup(built, page).body)


def test_the_mark_is_no_text_of_the_page(built: Path) -> None:
    index = (built / "_build/html/zh-cn/searchindex.js").read_text(encoding="utf-8")
    assert "尚未" not in index


def test_the_page_that_tells_is_written_again_when_a_catalog_changes(built: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(built, site, symlinks=True)
    for path in site.rglob("*"):  # copying has kept the times of the files, and that is what Sphinx goes by
        assert path.stat().st_mtime <= time.time()
    assert sphinx_build("-q", "-b", "html", ".", "_build/html", cwd=site).returncode == 0
    before = {path: path.stat().st_mtime_ns for path in site.glob("_build/html/**/*.html")}
    assert sphinx_build("-q", "-b", "html", ".", "_build/html", cwd=site).returncode == 0
    unchanged = {"genindex.html", "search.html"}
    assert {p.name for p, t in before.items() if p.stat().st_mtime_ns != t} <= unchanged
    catalog = site / LOCALE / "part.po"
    text = catalog.read_text(encoding="utf-8")
    catalog.write_text(
        text.replace('"This one is *not*."\nmsgstr ""', '"This one is *not*."\nmsgstr "这一段*也*"'),
        encoding="utf-8",
    )
    assert sphinx_build("-q", "-b", "html", ".", "_build/html", cwd=site).returncode == 0
    written = {
        str(p.relative_to(site / "_build/html")) for p, t in before.items() if p.stat().st_mtime_ns != t
    }
    assert {name for name in written if Path(name).name not in unchanged} == {
        "index.html",
        "ar/index.html",
        "zh-cn/index.html",
        "zh-cn/part.html",
    }
    assert "37\u202f%" in str(soup(site, "index.html"))


class App:
    """As much of an application as the catalogs need."""

    def __init__(self, folder: Path) -> None:
        self.srcdir = folder
        self.doctreedir = folder / "doctrees"
        self.config = type("Config", (), {"locale_dirs": ["locale"]})


def test_a_catalog_is_read_when_it_has_changed_and_only_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(SITES / "coverage/locale", tmp_path / "locale")
    app: Any = App(tmp_path)  # all of an application that is asked for
    first, _ = summaries.read_summaries(app, "zh_CN")
    assert sorted(first) == ["index", "part"]
    assert [len(first["part"][0].done), first["part"][0].fuzzy_lines] == [2, (16,)]
    read = summaries.read
    names: list[str] = []

    def noting(path: Path) -> object:
        names.append(path.name)
        return read(path)

    monkeypatch.setattr(summaries, "read", noting)
    again, _ = summaries.read_summaries(app, "zh_CN")
    assert names == []
    assert again == first
    catalog = tmp_path / LOCALE / "part.po"
    catalog.write_text(catalog.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    summaries.read_summaries(app, "zh_CN")
    assert names == ["part.po"]
    # A kept file that makes no sense is no obstacle.
    (app.doctreedir / "bilingual-zh_CN.pickle").write_bytes(b"nonsense")
    assert summaries.read_summaries(app, "zh_CN")[0].keys() == first.keys()
    state = catalog.stat()
    catalog.write_text("nonsense", encoding="utf-8")
    os.utime(catalog, ns=(state.st_atime_ns, state.st_mtime_ns))
    _, errors = summaries.read_summaries(app, "zh_CN")
    assert isinstance(errors[0], CatalogError)
