"""Two languages on one page, as a reader meets them."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

OpenPage = Callable[..., Page]
CHAPTER = "position/order-is-invisible.html"
CHINESE = f"zh-cn/{CHAPTER}"
# A theme may hold the switcher twice, for wide windows and for narrow ones.
BOTH = ".bilingual-switcher .bilingual-both:visible"
ONE = ".bilingual-switcher .bilingual-one:visible"


def sources_shown(page: Page) -> int:
    return page.locator("main .translated-copy:visible").count()


def current(page: Page) -> set[str]:
    """Return what the switch says that is seen."""
    return {
        text.strip() for text in page.locator(".bilingual-switcher [aria-current=true]").all_text_contents()
    }


def turn_on(page: Page, **settings: object) -> None:
    """Set what a reader would have chosen on an earlier page."""
    page.evaluate("(kept) => localStorage.setItem('bilingual-view', JSON.stringify(kept))", settings)
    page.reload()


def tool(name: str) -> str:
    return f'.bilingual-tools [data-sets="{name}"]'


@pytest.mark.parametrize("width", [390, 1280])
def test_the_switch_shows_both_and_is_remembered(open_page: OpenPage, width: int) -> None:
    page = open_page(CHINESE, width=width)
    assert sources_shown(page) == 0
    assert current(page) == {"中文"}
    page.locator(BOTH).click()
    assert sources_shown(page) > 20
    assert current(page) == {"双语"}
    # Beside each other where there is room, below on a phone; nothing sticks out.
    one, two = (page.locator(f"main h1 > .bilingual-side >> nth={n}").bounding_box() for n in (0, 1))
    assert one
    assert two
    assert (two["x"] > one["x"] + one["width"]) is (width == 1280)
    assert (two["y"] >= one["y"] + one["height"] - 1) is (width == 390)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.goto(page.url.replace("order-is-invisible", "geometry"))
    assert sources_shown(page) > 20
    page.locator(ONE).click()
    assert sources_shown(page) == 0
    page.reload()
    assert sources_shown(page) == 0


def test_what_is_read_stays_in_its_place(open_page: OpenPage) -> None:
    page = open_page(CHINESE, width=390)
    heading = page.locator("main h2 >> nth=3")
    heading.evaluate("(element) => element.scrollIntoView()")
    before = heading.bounding_box()
    assert before
    page.locator(BOTH).evaluate("(link) => link.click()")
    assert sources_shown(page) > 20
    after = heading.bounding_box()
    assert after
    assert abs(after["y"] - before["y"]) < 60


def test_the_page_in_the_source_language_leads_there(open_page: OpenPage) -> None:
    page = open_page(CHAPTER)
    assert current(page) == {"English"}
    identifier = page.locator("main section section >> nth=2").get_attribute("id")
    page.evaluate("(id) => document.getElementById(id).scrollIntoView()", identifier)
    box = page.locator(BOTH).bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url(f"**/{CHINESE}#{identifier}")
    assert sources_shown(page) > 20
    top = page.evaluate("(id) => document.getElementById(id).getBoundingClientRect().top", identifier)
    assert -5 <= top < 400
    # And back: the switcher goes on leading to the other language.
    page.evaluate("scrollTo(0, 0)")
    page.locator(".bilingual-switcher a[hreflang=en]:visible").click()
    page.wait_for_url(lambda url: "zh-cn" not in url and "bilingual-both" not in url)


def test_an_address_within_the_page_shows_both_and_its_place(open_page: OpenPage) -> None:
    page = open_page(CHINESE)
    identifier = page.locator("main section section >> nth=2").get_attribute("id")
    page.evaluate("(id) => { location.hash = `bilingual-both:${id}` }", identifier)
    page.wait_for_url(f"**/{CHINESE}#{identifier}")
    assert sources_shown(page) > 20
    top = page.evaluate("(id) => document.getElementById(id).getBoundingClientRect().top", identifier)
    assert -5 <= top < 400


def test_without_scripts_a_link_shows_both(open_page: OpenPage) -> None:
    page = open_page(CHAPTER, java_script_enabled=False)
    page.locator(BOTH).click()
    assert page.url.endswith(f"{CHINESE}#bilingual-both")
    expect(page.locator("main h1 .translated-copy")).to_be_visible()
    assert sources_shown(page) > 20
    expect(page.locator(".bilingual-tools")).to_be_hidden()
    page.locator(ONE).click()
    expect(page.locator("main h1 .translated-copy")).to_be_hidden()


def test_either_language_is_first_for_eyes_ears_and_the_clipboard(open_page: OpenPage) -> None:
    page = open_page(CHINESE, width=390)
    page.locator(BOTH).click()

    def copied() -> list[str]:
        return page.evaluate(
            """() => {
              getSelection().selectAllChildren(document.querySelector("main h1"));
              return getSelection().toString().split("\\n").map((line) => line.trim()).filter(Boolean);
            }"""
        )

    assert copied()[:2] == ["看不见的顺序", "Order is invisible"]
    page.locator(tool("first")).click()
    expect(page.locator(tool("first"))).to_have_attribute("aria-pressed", "true")
    assert copied()[:2] == ["Order is invisible", "看不见的顺序"]
    tops = page.eval_on_selector_all(
        "main h1 > .bilingual-side", "(sides) => sides.map((side) => side.getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)
    page.reload()
    assert copied()[:2] == ["Order is invisible", "看不见的顺序"]


def test_touching_one_side_marks_the_other(open_page: OpenPage) -> None:
    page = open_page(CHINESE)
    page.locator(BOTH).click()
    first = page.locator("main section > p:has(> .translated-copy)").first
    sides = first.locator("> .bilingual-side")

    def marked() -> bool:
        found = sides.evaluate_all("(all) => all.map((side) => getComputedStyle(side).backgroundColor)")
        return len(set(found)) == 1 and found[0] != "rgba(0, 0, 0, 0)"

    page.mouse.move(0, 0)
    assert not marked()
    sides.nth(1).hover()
    assert marked()
    page.mouse.move(0, 0)
    linked = page.locator("main p:has(> .translated-copy a)").first
    sides = linked.locator("> .bilingual-side")
    linked.locator("a").first.focus()
    assert marked()


def spoken(page: Page) -> str:
    """Return what a screen reader has of the page."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    return "\n".join(node.get("name", {}).get("value", "") for node in tree["nodes"] if not node["ignored"])


def test_what_is_hidden_or_covered_is_not_read_aloud(open_page: OpenPage) -> None:
    page = open_page(CHINESE)
    sentence = "is an everyday story"
    assert sentence not in spoken(page)
    page.locator(BOTH).click()
    assert sentence in spoken(page)
    page.locator(tool("cover")).click()
    assert sentence not in spoken(page)
    assert "显示 English" in spoken(page)


def test_a_covered_side_is_shown_by_keyboard_and_by_touch(open_page: OpenPage) -> None:
    page = open_page(CHINESE, width=390, has_touch=True)
    turn_on(page, view="both", cover=True)
    block = page.locator("main section > p:has(> .translated-copy)").first
    cover = block.locator(".bilingual-cover")
    words = block.locator(".translated-copy em").first
    expect(cover).to_have_attribute("aria-expanded", "false")
    expect(words).to_be_hidden()
    height = block.bounding_box()
    cover.focus()
    page.keyboard.press("Enter")
    expect(words).to_be_visible()
    expect(cover).to_be_focused()
    expect(cover).to_have_attribute("aria-expanded", "true")
    assert block.bounding_box() == height  # nothing moves
    page.keyboard.press("Space")
    expect(words).to_be_hidden()
    cover.tap()
    expect(words).to_be_visible()
    # All at once, and the practice goes on with the next page.
    page.locator(tool("all")).click()
    assert page.locator('.bilingual-cover[aria-expanded="false"]').count() == 0
    page.locator(tool("all")).click()
    assert page.locator('.bilingual-cover[aria-expanded="true"]').count() == 0
    page.goto(page.url.replace("order-is-invisible", "geometry"))
    assert page.locator(".bilingual-cover").count() > 20
    page.locator(tool("cover")).click()
    assert page.locator(".bilingual-cover").count() == 0
    assert sources_shown(page) > 20


def test_no_button_stands_in_another_control(open_page: OpenPage) -> None:
    page = open_page(CHINESE)
    turn_on(page, view="both", cover=True)
    assert page.locator(".bilingual-cover").count() > 20
    assert page.locator(":is(a, button, label, summary) .bilingual-cover").count() == 0
    for side in page.locator(".edukit-quiz label .translated-copy").all():
        expect(side).to_be_visible()


def test_the_order_of_a_quiz_is_told_in_one_language(open_page: OpenPage) -> None:
    page = open_page("zh-cn/position/geometry.html")
    page.locator(BOTH).click()
    labels = page.eval_on_selector_all(
        ".edukit-quiz-moves button",
        "(all) => all.map((one) => one.getAttribute('aria-label'))",
    )
    assert labels
    sources = page.eval_on_selector_all(
        ".edukit-quiz-item .translated-copy", "(copies) => copies.map((copy) => copy.textContent.trim())"
    )
    assert sources
    assert not [label for label in labels if any(source in label for source in sources)]


def test_paper_has_both_and_no_cover(open_page: OpenPage) -> None:
    page = open_page(CHINESE)
    turn_on(page, view="both", cover=True)
    page.emulate_media(media="print")
    words = page.locator("main section > p .translated-copy em").first
    expect(words).to_be_visible()
    expect(page.locator(".bilingual-cover").first).to_be_hidden()
    expect(page.locator(".bilingual-tools")).to_be_hidden()


def test_the_page_is_drawn_as_it_stays(open_page: OpenPage) -> None:
    """The script that comes late changes nothing that was drawn before it came."""
    page = open_page(CHINESE)

    def places() -> list[float]:
        return page.eval_on_selector_all(
            "main :is(h1, h2, p)",
            """(all) => all.filter((one) => one.checkVisibility())
              .map((one) => Math.round(one.getBoundingClientRect().top))""",
        )

    page.route("**/bilingual-sides.js*", lambda route: route.fulfill(body=""))
    turn_on(page, view="both", first="source")
    assert sources_shown(page) > 20
    before = places()
    # What cannot be uncovered is not covered.
    turn_on(page, view="both", cover=True)
    expect(page.locator("main h1 .translated-copy")).to_be_visible()
    page.unroute("**/bilingual-sides.js*")
    turn_on(page, view="both", first="source")
    assert page.locator("main h1 > :first-child").get_attribute("lang") == "en"
    assert places() == before


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
@pytest.mark.parametrize("cover", [False, True])
def test_both_have_no_barrier(open_page: OpenPage, width: int, scheme: str, cover: bool) -> None:
    axe = Axe()
    page = open_page(CHINESE, width=width, scheme=scheme)
    turn_on(page, view="both", cover=cover)
    found = []
    for name in [CHAPTER, "songs/a-garden-of-words.html", "guide/quiz.html", "position/glossary.html"]:
        page.goto(page.url.partition("/zh-cn/")[0] + f"/zh-cn/{name}")
        for violation in axe.run(page).response["violations"]:
            places = [node["html"][:160] for node in violation["nodes"][:3]]
            found.append(f"{name}: {violation['id']}: {places}")
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if overflow > 0:
            found.append(f"{name}: {overflow} pixels wider than the window")
    assert found == []
