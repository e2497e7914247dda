"""The switcher, the offer and the memory, as a reader meets them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

OpenPage = Callable[..., Page]
CHAPTER = "position/order-is-invisible.html"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("script", [True, False])
def test_the_switcher_leads_to_the_same_page_and_back(
    open_page: OpenPage, width: int, script: bool
) -> None:
    page = open_page(CHAPTER, width=width, java_script_enabled=script)
    link = page.locator(".bilingual-switcher a[hreflang]:visible")
    expect(link).to_have_text("中文")
    link.click()
    assert page.url.endswith(f"/zh-cn/{CHAPTER}")
    assert len(page.context.pages) == 1
    link = page.locator(".bilingual-switcher a[hreflang]:visible")
    expect(link).to_have_text("English")
    link.click()
    assert page.url.endswith(f"/{CHAPTER}")
    assert "zh-cn" not in page.url


@pytest.mark.parametrize("width", [390, 1280])
def test_the_switcher_is_reached_by_keyboard(open_page: OpenPage, width: int) -> None:
    page = open_page(CHAPTER, width=width)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.bilingual-switcher a')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/zh-cn/{CHAPTER}")


def press(page: Page, selector: str) -> None:
    """Press where the element is seen. Playwright's own click scrolls the page for a sticky element."""
    box = page.locator(selector).bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_the_switcher_keeps_the_heading_that_is_read(open_page: OpenPage) -> None:
    page = open_page(CHAPTER, width=390)
    ids = page.evaluate("[...document.querySelectorAll('main section section[id]')].map((s) => s.id)")
    assert len(ids) > 3
    wanted = ids[2]
    page.evaluate("(id) => document.getElementById(id).scrollIntoView()", wanted)
    press(page, ".bilingual-switcher a[hreflang]:visible")
    page.wait_for_url(f"**/zh-cn/{CHAPTER}#{wanted}")
    top = page.evaluate("(id) => document.getElementById(id).getBoundingClientRect().top", wanted)
    assert -5 <= top < 400
    # An address with a place in it keeps that place.
    page.evaluate("(id) => { location.hash = id }", ids[1])
    page.wait_for_timeout(100)
    press(page, ".bilingual-switcher a[hreflang]:visible")
    page.wait_for_url(lambda url: url.endswith(f"/{CHAPTER}#{ids[1]}") and "zh-cn" not in url)


def test_the_switcher_keeps_what_was_searched_for(open_page: OpenPage) -> None:
    page = open_page("search.html?q=rope")
    page.locator(".bilingual-switcher a[hreflang]:visible").click()
    page.wait_for_url("**/zh-cn/search.html?q=rope")


def test_a_first_visitor_is_offered_the_other_language_once(open_page: OpenPage) -> None:
    page = open_page("index.html", locale="zh-CN", width=390)
    bar = page.locator(".bilingual-offer")
    expect(bar).to_be_visible()
    expect(bar).to_contain_text("本页也有中文版")
    assert bar.get_attribute("lang") == "zh-CN"
    assert page.url.endswith("/index.html")  # offered, not taken
    bar.get_by_role("button").click()
    expect(bar).to_have_count(0)
    page.reload()
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator(".bilingual-offer")).to_have_count(0)


def test_the_offer_leads_there_and_the_choice_is_remembered(open_page: OpenPage) -> None:
    page = open_page(CHAPTER, locale="zh-CN")
    page.locator(".bilingual-offer a").click()
    page.wait_for_url(f"**/zh-cn/{CHAPTER}")
    expect(page.locator(".bilingual-offer")).to_have_count(0)
    # Who chose Chinese and lands on an English page is offered Chinese there too.
    page.goto(page.url.replace("/zh-cn", ""))
    expect(page.locator(".bilingual-offer")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "locale"),
    [
        ("index.html", "en-GB"),
        ("zh-cn/index.html", "zh-Hans-CN"),
        ("index.html", "fr"),
        ("zh-cn/index.html#bilingual-both", "en-GB"),
    ],
)
def test_nobody_else_is_offered_anything(open_page: OpenPage, path: str, locale: str) -> None:
    page = open_page(path, locale=locale)
    expect(page.locator("main h1")).to_be_visible()
    page.wait_for_timeout(200)
    expect(page.locator(".bilingual-offer")).to_have_count(0)
