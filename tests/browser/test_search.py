"""The search as readers meet it: typed queries on both sites, results, order, summaries, marks."""

import functools
import re
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

# What a search finds that finds nothing.
NOTHING: tuple[list[str], str | None] = ([], None)
ATTENTION, CODE, COPIES, INDEX, ROPE = "attention", "code", "copies", "index", "rope"
CALL = "code#edukit.sample.sinusoidal_table"

# Each query is typed into both sites: where it leads to there, in order, and what is marked around the
# first hit, and on the page that opens (None: nothing, since the page does not show why it was found).
QUERIES: list[tuple[str, tuple[list[str], str | None], tuple[list[str], str | None]]] = [
    # Any part of a sentence, of one character or more, and nothing else.
    ("木", NOTHING, NOTHING),
    ("注", NOTHING, ([CODE, ATTENTION], "注")),
    ("注意", NOTHING, ([CODE, ATTENTION], "注意")),
    ("注意力", NOTHING, ([CODE, ATTENTION], "注意力")),
    ("注意力机", NOTHING, ([ATTENTION], "注意力机")),
    ("意力机制会", NOTHING, ([ATTENTION], "意力机制会")),
    ("注意力机制会掂量它读到的东西", NOTHING, ([ATTENTION], "注意力机制会掂量它读到的东西")),
    ("制不", NOTHING, ([ATTENTION], "制不")),
    ("力机器", NOTHING, ([CODE], "力机器")),
    # All its pairs stand on the page, but not in a row.
    ("注意力学", NOTHING, NOTHING),
    ("机制在", NOTHING, NOTHING),
    # Over markup within a word; not over the end of a paragraph.
    ("角度随", NOTHING, ([ROPE], "角度随")),
    ("要紧词语", NOTHING, NOTHING),
    # Mixed: all words are needed.
    ("RoPE 旋转", NOTHING, ([ROPE], "旋转")),
    ("RoPE 注意", NOTHING, NOTHING),
    ("512 维", NOTHING, ([ROPE], "512 维")),
    ("512维", NOTHING, ([ROPE], "512 维")),
    ("５１２　维", NOTHING, ([ROPE], "512 维")),
    ("513 维", NOTHING, NOTHING),
    # Numbers, whole.
    ("512", ([ROPE], "512"), ([ROPE], "512")),
    ("10,000", ([ROPE], "10,000"), ([ROPE], "10,000")),
    ("3.14", ([ROPE], "3.14"), ([ROPE], "3.14")),
    ("旋转3.14", NOTHING, ([ROPE], "旋转 3.14")),
    ("3.1", NOTHING, NOTHING),
    # English stems, on the Chinese site too; parts of words where no word is found; all words.
    ("happiness", ([ATTENTION], "Happy"), NOTHING),
    ("dances mechanism", ([ATTENTION], "mechanisms"), NOTHING),
    ("attentions", ([ATTENTION], "Attention"), ([ATTENTION], "attention")),
    ("dimens", ([ROPE], "dimensions"), NOTHING),
    ("rope dance", NOTHING, NOTHING),
    # In one piece, with what stands between its words.
    ("two lines of one paragraph", ([ATTENTION], "Two lines of one paragraph"), NOTHING),
    ("weights = scores", ([ATTENTION], "weights = scores"), ([ATTENTION], "weights = scores")),
    # Stop words alone are in no text, but in titles.
    ("at others", ([ATTENTION], "at others"), NOTHING),
    ("the", NOTHING, NOTHING),
    # Titles of pages and sections come first.
    ("position", ([ROPE], "position"), NOTHING),
    ("位置", NOTHING, ([ROPE, INDEX], "位置")),
    ("angle", (["rope#angles"], "angle"), NOTHING),
    ("角", NOTHING, (["rope#angles"], "角")),
    # Entries of the index, which a page need not show; see; in the text.
    ("softmax", (["attention#index-0"], None), NOTHING),
    ("软最大", NOTHING, (["attention#index-0"], None)),
    ("harmonium", (["copies#index-1"], None), NOTHING),
    ("管风", NOTHING, (["copies#index-1"], None)),
    ("marimba", (["copies#index-0"], "marimba"), NOTHING),
    ("马林巴", NOTHING, (["copies#index-0"], "马林巴")),
    # Terms of the glossary, objects, keywords.
    ("causal mask", (["attention#term-causal-mask"], "causal mask"), NOTHING),
    ("因果", NOTHING, (["attention#term-causal-mask"], "因果")),
    ("sinusoidal_table", ([CALL], "sinusoidal_table"), ([CALL], "sinusoidal_table")),
    ("sinusoid", ([CALL], "sinusoidal_table"), ([CALL], "sinusoidal_table")),
    ("transformer", ([ATTENTION], None), NOTHING),
    ("变换器", NOTHING, ([ATTENTION], None)),
    # Hidden, in the source or in HTML; copies in another language; what a formula is written with.
    ("木琴", NOTHING, NOTHING),
    ("xylophone", NOTHING, NOTHING),
    ("celesta", NOTHING, NOTHING),
    ("theremin", NOTHING, NOTHING),
    ("glockenspiel", NOTHING, NOTHING),
    ("mathrm", NOTHING, NOTHING),
    # Guests in another language, a word or a verse, and what stands after something hidden.
    ("bonjour", ([COPIES], "bonjour"), ([COPIES], "bonjour")),
    ("fontaine", ([COPIES], "fontaine"), ([COPIES], "fontaine")),
    ("harmonica", ([COPIES], "harmonica"), ([COPIES], "harmonica")),
    ("spinet", ([COPIES], "spinet"), ([COPIES], "spinet")),
]


@pytest.mark.parametrize("site", [EN, ZH], ids=["English", "Chinese"])
@pytest.mark.parametrize(("query", "english", "chinese"), QUERIES, ids=[query for query, *_ in QUERIES])
def test_a_query_finds_this_and_nothing_else(
    search: Callable[..., Page],
    site: str,
    query: str,
    english: tuple[list[str], str | None],
    chinese: tuple[list[str], str | None],
) -> None:
    wanted, marked = english if site == EN else chinese
    page = search(site, query)
    assert places(page) == wanted
    status = page.get_by_role("status").inner_text()
    assert query in status
    assert len(wanted) == (int(re.sub(r"“.*”|\D", "", status) or "One result" in status))
    items = page.locator("#search-results li")
    expect(items.locator(".context")).to_have_count(len(wanted))
    if not wanted:
        return
    marks = items.first.locator(".context .highlighted")
    assert (marked in marks.all_inner_texts()) if marked else (marks.count() == 0)

    items.first.locator("a").first.press("Enter")
    page.wait_for_url(lambda url: "search.html" not in url)
    assert wanted[0] == page.url.rpartition("/")[2].replace(".html", "")
    marks = page.locator(".highlighted")
    # Markup within a word parts a mark in two, which touch.
    assert (marked or "") in "".join(marks.all_inner_texts())
    assert marked or marks.count() == 0


def test_thirty_queries_are_typed_into_both_sites() -> None:
    assert len(QUERIES) >= 30
    for site in (1, 2):
        assert len([query for query in QUERIES if query[site][1]]) >= 15


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
        (EN, "pair of numbers", {"pair of numbers"}),
        (EN, "number pair", {"pair", "numbers"}),
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


@pytest.mark.parametrize("site", [EN, ZH], ids=["English", "Chinese"])
def test_from_a_folder_it_finds_the_same(small_site: Path, search: Callable[..., Page], site: str) -> None:
    at = small_site.as_uri()
    page = search(site, "rope", at=at)
    for query, english, chinese in QUERIES:
        wanted, _ = english if site == EN else chinese
        page.evaluate("(query) => Search.performSearch(query)", query)
        expect(page.get_by_role("status")).to_contain_text(query)
        assert places(page) == wanted, query
    page = search(site, "3.14", at=at)
    page.locator("#search-results a").first.click()
    page.wait_for_url(lambda url: "search.html" not in url)
    expect(page.locator(".highlighted").first).to_have_text("3.14")


def test_the_count_is_read_out(search: Callable[..., Page], small: str) -> None:
    """A screen reader reads a status that changes, not one that comes with its text."""
    page = search(EN, "rope")
    page.add_init_script("""
        window.statuses = [];
        const note = () => {
            const status = document.querySelector("[role=status]");
            const text = status?.textContent;
            if (status && statuses.at(-1) !== text) statuses.push(text);
        };
        const all = { childList: true, subtree: true, characterData: true };
        new MutationObserver(note).observe(document, all);
    """)
    page.goto(f"{small}/search.html?q=position")
    expect(page.get_by_role("status")).to_have_text("One result for “position”")
    assert page.evaluate("statuses") == ["", "One result for “position”"]


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
        ("zh-cn/", "字的花园", "songs/a-garden-of-words.html#song-title"),
        ("zh-cn/", "garden of words", "songs/a-garden-of-words.html#song-title"),
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
