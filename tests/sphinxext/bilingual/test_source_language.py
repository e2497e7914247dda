"""The pages need not be in English: a site that is written in Chinese, with catalogs for English."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import SITES, sphinx_build
from tests.page_texts import page_texts


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("chinese") / "site"
    shutil.copytree(SITES / "chinese", site, ignore=shutil.ignore_patterns("*.mo", "__pycache__"))
    result = sphinx_build("-q", "-W", "-n", "--keep-going", "-b", "html", ".", "_build", cwd=site)
    assert (result.returncode, result.stderr) == (0, "")
    return site / "_build"


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def index(folder: Path) -> dict:
    return dict(json.loads(read(folder / "searchindex.js").removeprefix("Search.setIndex(").rstrip(")")))


def test_each_page_is_in_its_language(built: Path) -> None:
    source, translated = (read(built / folder / "phases.html") for folder in ("", "en"))
    assert '<html lang="zh-CN"' in source
    assert '<html lang="en"' in translated
    assert "<title>月亮的样子 &#8212; 看月亮</title>" in source
    assert "<title>The shapes of the Moon &#8212; Watching the Moon</title>" in translated
    assert 'href="en/phases.html" hreflang="en"' in source
    assert 'href="../phases.html" hreflang="zh-CN"' in translated
    # The source is for everybody else, as English is on other sites.
    assert re.search(r'hreflang="x-default" href="[^"]*phases.html"', source)


@pytest.mark.parametrize("page", ["index", "phases", "words", "genindex", "search"])
def test_no_chinese_is_left_in_english(built: Path, page: str) -> None:
    # Code is the same in all languages; what leads to another language is in that one, or names it.
    left = page_texts(built / f"en/{page}.html", "highlight", "bilingual-switcher")
    assert [text for text in left if re.search("[\u4e00-\u9fff]", text.replace("中文", ""))] == []
    assert len(left) > 3


def test_kinds_are_translated_from_chinese_too(built: Path) -> None:
    page = read(built / "en/phases.html")
    said = page_texts(built / "en/phases.html")
    for text in ("First quarter", "Northern hemisphere", "Why does it change?", "right", "New moon"):
        assert text in said
    assert "img alt: A circle whose right half is bright." in said
    assert 'href="words.html#term-0"' in page
    said = page_texts(built / "en/index.html")
    assert "Watching" in said
    assert "meta content: Watch for a month how the Moon changes." in said
    # What leads to a heading or term of the source leads to its translation.
    ids = [
        re.findall(r'<(?:section|dt|figure)[^>]* id="([^"]+)"', html)
        for html in (page, read(built / "phases.html"))
    ]
    assert ids[0] == ids[1] != []


def test_what_is_found_and_what_the_index_lists(built: Path) -> None:
    english, chinese = index(built / "en"), index(built)
    assert {"New moon", "full moon", "lunar eclipse", "phases"} == set(english["indexentries"])
    assert {"新月", "满月", "月食", "月相"} == set(chinese["indexentries"])
    assert "eclips" in english["terms"]
    assert english["titles"] == ["Watching the Moon", "The shapes of the Moon", "Words"]
    entries = read(built / "en/genindex.html")
    assert '<a href="phases.html#index-0">New moon</a>' in entries
    assert re.findall(r"<h2[^>]*>(.)</h2>", entries) == ["F", "L", "P"]
