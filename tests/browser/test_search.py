"""The search as readers meet it: typed queries on both sites, results, order, summaries, marks."""

import functools
import threading
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import _Quiet
from tests.conftest import SITES, sphinx_build

OpenPage = Callable[..., Page]
SITE = SITES / "search"


@pytest.fixture(scope="session")
def small_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the small site, in a plain theme of Sphinx's and without any other part of edukit's looks."""
    out = tmp_path_factory.mktemp("search") / "html"
    doctrees = out.parent / "doctrees"
    result = sphinx_build("-q", "-W", "-n", "-d", doctrees, SITE, out, cwd=SITE)
    assert result.returncode == 0, result.stderr
    return out


@pytest.fixture(scope="session")
def small(small_site: Path) -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=str(small_site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


@pytest.fixture
def search(chromium, small: str) -> Iterator[Callable[..., Page]]:
    """Type a query into the search page of the small site and wait for the count."""
    context = chromium.new_context()
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def search(site: str, query: str, *, at: str = small) -> Page:
        page.goto(f"{at}/{site}search.html")
        box = page.locator('input[name="q"]').first
        box.fill(query)
        box.press("Enter")
        expect(page.get_by_role("status")).not_to_be_empty()
        return page

    yield search
    context.close()
    assert errors == []


def places(page: Page) -> list[str]:
    links = page.locator("#search-results li > a").all()
    return [(link.get_attribute("href") or "").replace(".html", "") for link in links]


ZH, EN = "zh-cn/", ""

# The site, the query, where it leads to in order, what is marked in the first summary (None: no mark).
QUERIES = [
    # Any part of a sentence, of one character or more, and nothing else.
    (ZH, "木", [], None),
    (ZH, "注", ["code", "attention"], "注"),
    (ZH, "注意", ["code", "attention"], "注意"),
    (ZH, "注意力", ["code", "attention"], "注意力"),
    (ZH, "注意力机", ["attention"], "注意力机"),
    (ZH, "意力机制会", ["attention"], "意力机制会"),
    (ZH, "注意力机制会掂量它读到的东西", ["attention"], "注意力机制会掂量它读到的东西"),
    (ZH, "制不", ["attention"], "制不"),
    (ZH, "力机器", ["code"], "力机器"),
    # All its pairs stand on the page, but not in a row.
    (ZH, "注意力学", [], None),
    (ZH, "机制在", [], None),
    # Over markup within a word; not over the end of a paragraph.
    (ZH, "角度随", ["rope"], "角度随"),
    (ZH, "要紧词语", [], None),
    # Hidden text.
    (ZH, "木琴", [], None),
    (EN, "xylophone", [], None),
    # Mixed: all words are needed.
    (ZH, "RoPE 旋转", ["rope"], "旋转"),
    (ZH, "RoPE 注意", [], None),
    (ZH, "512 维", ["rope"], "512 维"),
    (ZH, "512维", ["rope"], "512 维"),
    (ZH, "５１２　维", ["rope"], "512 维"),
    (ZH, "513 维", [], None),
    # Numbers.
    (EN, "512", ["rope"], "512"),
    (EN, "10,000", ["rope"], "10,000"),
    (EN, "3.14", ["rope"], "3.14"),
    (ZH, "3.15", [], None),
    # English stems, on the Chinese site too; parts of words where no word is found.
    (EN, "happiness", ["attention"], "Happy"),
    (EN, "dances mechanism", ["attention"], "mechanisms"),
    (ZH, "attentions", ["attention"], "attention"),
    (EN, "dimens", ["rope"], "dimensions"),
    (EN, "rope dance", [], None),
    # Titles, of pages and of sections, first; objects; entries of the index; terms; keywords.
    (EN, "position", ["rope"], "position"),
    (ZH, "位置", ["rope", "index"], "位置"),
    (EN, "angle", ["rope#angles"], "angle"),
    (ZH, "角", ["rope#angles"], "角"),
    (EN, "softmax", ["attention#index-0"], None),
    (ZH, "因果", ["attention#term-causal-mask"], "因果"),
    (EN, "sinusoidal_table", ["code#edukit.sample.sinusoidal_table"], "sinusoidal_table"),
    (ZH, "sinusoid", ["code#edukit.sample.sinusoidal_table"], "sinusoidal_table"),
    (ZH, "变换器", ["attention"], None),
]


@pytest.mark.parametrize(("site", "query", "wanted", "marked"), QUERIES)
def test_a_query_finds_this_and_nothing_else(
    search: Callable[..., Page], site: str, query: str, wanted: list[str], marked: str | None
) -> None:
    page = search(site, query)
    assert places(page) == wanted
    status = page.get_by_role("status").inner_text()
    assert query in status
    assert (str(len(wanted)) in status) or len(wanted) == 0 or "One result" in status
    for item in page.locator("#search-results li").all():
        expect(item.locator(".context")).to_be_visible()
    if marked:
        first = page.locator("#search-results li").first.locator(".context .highlighted")
        assert marked in first.all_inner_texts()


def test_titles_come_first(search: Callable[..., Page]) -> None:
    page = search(ZH, "位置")
    kinds = [item.get_attribute("class") for item in page.locator("#search-results li").all()]
    assert kinds == ["kind-title", "kind-title"]
    page = search(ZH, "旋转")
    assert page.locator("#search-results li > a").first.inner_text() == "按位置旋转"
    page = search(ZH, "力")
    assert places(page) == ["code", "attention"]  # both only in their text: by title


@pytest.mark.parametrize(
    ("site", "query", "pieces"),
    [
        (ZH, "注意力机制", {"注意力机制"}),
        (ZH, "512维", {"512 维"}),
        (ZH, "角度随", {"角", "度随"}),  # markup within: two marks that touch
        (EN, "happiness", {"Happy"}),
        (EN, "pair of numbers", {"pair", "numbers"}),
    ],
)
def test_the_page_that_opens_shows_what_was_looked_for(
    search: Callable[..., Page], site: str, query: str, pieces: set[str]
) -> None:
    page = search(site, query)
    expect(page.locator(".context")).to_have_count(1)
    page.locator("#search-results a").first.press("Enter")
    page.wait_for_url(lambda url: "search.html" not in url)
    marks = page.locator(".highlighted")
    expect(marks.first).to_be_in_viewport()
    assert set(marks.all_inner_texts()) == pieces
    page.keyboard.press("Escape")
    text = page.locator("div.body").inner_text()
    page.reload()
    expect(marks).to_have_count(0)
    assert page.locator("div.body").inner_text() == text


def test_the_same_search_in_the_other_language(search: Callable[..., Page]) -> None:
    page = search(EN, "512 维")
    assert places(page) == []
    link = page.locator(".search-other a")
    expect(link).to_have_text("Search for “512 维” in 中文")
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/zh-cn/search.html?q=*")
    expect(page.locator("#search-results li")).to_have_count(1)
    expect(page.locator('input[name="q"]').first).to_have_value("512 维")
    expect(page.locator(".search-other a")).to_have_text("在 English 页面中搜索“512 维”")


@pytest.mark.parametrize(("site", "query", "wanted"), [(ZH, "角度随", 1), (EN, "angles", 1)])
def test_from_a_folder_it_finds_and_lists(
    small_site: Path, search: Callable[..., Page], site: str, query: str, wanted: int
) -> None:
    page = search(site, query, at=small_site.as_uri())
    assert page.locator("#search-results li").count() == wanted
    page.locator("#search-results a").first.click()
    page.wait_for_url(lambda url: "search.html" not in url)
    expect(page.locator(".highlighted").first).to_be_visible()


def test_an_address_can_ask_for_marks(search: Callable[..., Page], small: str) -> None:
    page = search(ZH, "木")
    page.goto(f"{small}/zh-cn/rope.html?highlight=512 维 rope")
    assert page.locator(".highlighted").all_inner_texts() == ["RoPE", "512 维"]
    assert "highlight" not in page.url


def test_a_page_that_cannot_be_read_is_listed(search: Callable[..., Page], small: str) -> None:
    page = search(ZH, "木")
    page.route("**/attention.html", lambda route: route.abort())
    page.goto(f"{small}/zh-cn/search.html?q=注意力机")
    expect(page.locator("#search-results li")).to_have_count(1)
    assert page.locator(".context").count() == 0


# The course itself: whatever stands on a page is found, by any part of it.


@pytest.mark.parametrize(
    ("path", "query", "wanted"),
    [
        ("zh-cn/", "看不见的顺", "position/order-is-invisible.html"),
        ("zh-cn/", "字的花园", "songs/a-garden-of-words.html"),
        ("zh-cn/", "把一个字种", "songs/a-garden-of-words.html"),  # words apart, with their pinyin between
        ("", "字的花园", "songs/a-garden-of-words.html#song-title"),
        ("", "garden of words", "songs/a-garden-of-words.html"),
        ("zh-cn/", "注意力", "auto_examples/position/plot_order_is_invisible.html"),
        ("zh-cn/", "edukit.posenc.attention", "reference/posenc/attention.html#edukit.posenc.attention"),
        ("", "sinusoidal", "reference/posenc/tables.html#edukit.posenc.sinusoidal"),
    ],
)
def test_the_course_is_searched(open_page: OpenPage, path: str, query: str, wanted: str) -> None:
    page = open_page(f"{path}index.html", width=390)
    page.locator(".search-button__button:visible").first.click()
    page.keyboard.type(query)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=*")
    expect(page.get_by_role("status")).not_to_be_empty()
    item = page.locator("#search-results li").filter(has=page.locator(f'a[href="{wanted}"]'))
    expect(item.locator(".context .highlighted").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
