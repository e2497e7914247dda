"""Projects played in the page: by answer, by key, by touch, without a network, and while in sight."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, FrameLocator, Page, expect

from edukit.scratch import stage
from edukit.scratch.playing import PlayError
from tests.conftest import ROOT, SITES, sphinx_build


@pytest.fixture(scope="module")
def cache() -> str:
    """Fetch the player once into the project's own cache; where that fails, skip, but fail on CI."""
    os.environ["EDUKIT_CACHE"] = str(ROOT / ".cache")
    try:
        stage.fetch()
    except PlayError as error:
        if os.environ.get("CI"):
            pytest.fail(f"the player cannot be fetched: {error}")
        pytest.skip(f"the player cannot be fetched: {error}")
    return os.environ["EDUKIT_CACHE"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, cache: str) -> Path:
    out = tmp_path_factory.mktemp("play")
    for language in ("en", "zh_CN"):
        options = ["-q", "-W", "-n", "-D", f"language={language}", "-d", out / f"doctrees-{language}"]
        done = sphinx_build(*options, ".", out / language, cwd=SITES / "play", env={"EDUKIT_CACHE": cache})
        assert done.returncode == 0, done.stderr
    return out


@pytest.fixture
def open_play(chromium: Browser, site: Path) -> Iterator[Callable[..., Page]]:
    """Open the page from its folder, with the network off; any request to outside fails the test."""
    wrong: list[str] = []
    contexts = []

    def open_play(language: str = "en", **options: object) -> Page:
        context = chromium.new_context(viewport={"width": 390, "height": 800}, **options)
        context.set_offline(True)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "request",
            lambda one: one.url.startswith(("file:", "blob:", "data:")) or wrong.append(one.url),
        )
        page.goto((site / language / "index.html").as_uri())
        return page

    yield open_play
    for context in contexts:
        context.close()
    assert wrong == []


def player(page: Page, number: int = 0):
    return page.locator(".sb-play").nth(number)


def play(page: Page, number: int = 0, name: str = "Play here") -> FrameLocator:
    player(page, number).get_by_role("button", name=name).click()
    return player(page, number).frame_locator("iframe")


def value(frame: FrameLocator, name: str):
    """Return the display of a variable on the stage."""
    return frame.locator(".sc-monitor-root", has_text=name).locator(".sc-monitor-value")


def test_a_question_is_answered_and_the_score_is_shown_without_a_network(open_play):
    page = open_play()
    frame = play(page)
    box = frame.get_by_role("textbox", name="Question: What is 2 + 3?")
    box.fill("5")
    box.press("Enter")
    expect(value(frame, "score")).to_have_text("1")
    box = frame.get_by_role("textbox", name="Question: What is 4 + 4?")
    box.fill("9")
    box.press("Enter")
    said = player(page).get_by_role("log", name="What is said on the stage")
    expect(said).to_contain_text("Bird: The end.")
    expect(value(frame, "score")).to_have_text("1")
    lines = "Bird: What is 2 + 3?|Bird: What is 4 + 4?|Bird: The end."
    assert said.locator("p").all_inner_texts() == lines.split("|")


def test_it_is_chinese_on_the_chinese_page(open_play):
    page = open_play("zh_CN")
    frame = play(page, name="在这里玩")
    box = frame.get_by_role("textbox", name="提问：2 + 3 等于几？")
    box.fill("5")
    box.press("Enter")
    expect(value(frame, "得分")).to_have_text("1")
    assert frame.locator("html").get_attribute("lang") == "zh-CN"
    assert player(page).locator("iframe").get_attribute("title") == "加法：舞台"


def test_nothing_is_loaded_before_the_click(open_play, site):
    asked = []
    page = open_play()
    page.on("request", lambda one: asked.append(Path(one.url).name))
    page.reload()
    assert page.locator("iframe").count() == 0
    assert not {"player.js", "sums.sb3.js", "sums.sb3"}.intersection(asked)
    files = [site / "en" / "index.html", *(site / "en/_static/edukit").glob("scratch.*")]
    assert {one.suffix for one in files} == {".html", ".css", ".js"}
    assert sum(one.stat().st_size for one in files) < 60_000


def test_the_frame_may_run_scripts_and_nothing_else(open_play):
    page = open_play()
    frame = play(page)
    expect(frame.locator("canvas")).to_be_visible()
    assert player(page).locator("iframe").get_attribute("sandbox") == "allow-scripts"
    # A request is refused before it leaves the frame, and so the fixture sees none.
    tried = frame.locator("body").evaluate(
        """async () => {
          const refused = async (what) => { try { await what(); return false; } catch { return true; } };
          return [
            await refused(() => fetch("https://example.org/")),
            await refused(() => parent.document.title),
            await refused(() => localStorage.length),
          ];
        }"""
    )
    assert tried == [True] * 3


def test_it_stops_when_it_is_scrolled_away_and_starts_again(open_play):
    page = open_play()
    frame = play(page, 1)
    status = player(page, 1).get_by_role("status")
    expect(status).to_have_text("Playing.")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(status).to_have_text("Stopped, because it was scrolled away.")
    scripts = frame.locator("body")
    player(page, 1).scroll_into_view_if_needed()
    player(page, 1).get_by_role("button", name="Start again").click()
    expect(status).to_have_text("Playing.")
    expect(scripts).to_be_visible()


def test_one_plays_at_a_time(open_play):
    page = open_play()
    page.set_viewport_size({"width": 1000, "height": 3000})
    play(page, 1)
    expect(player(page, 1).get_by_role("status")).to_have_text("Playing.")
    play(page, 0)
    expect(player(page, 1).get_by_role("status")).to_have_text("Stopped.")
    expect(player(page, 0).get_by_role("status")).to_have_text("Playing.")


def test_keys_from_a_keyboard_and_from_the_screen(open_play):
    page = open_play(has_touch=True, is_mobile=True)
    frame = play(page, 1)
    expect(player(page, 1).get_by_role("status")).to_have_text("Playing.")
    frame.locator("canvas").click()
    page.keyboard.press("ArrowRight", delay=60)
    expect(value(frame, "steps")).to_have_text("1")
    button = player(page, 1).get_by_role("group", name="Keys").get_by_role("button")
    assert button.all_inner_texts() == ["right arrow"]
    button.focus()
    page.keyboard.press("Enter")
    expect(value(frame, "steps")).to_have_text("2")
    for control in player(page, 1).get_by_role("button").all():
        assert control.bounding_box()["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_stop_close_and_full_screen(open_play):
    page = open_play()
    play(page, 1)
    place = player(page, 1)
    expect(place.get_by_role("status")).to_have_text("Playing.")
    place.get_by_role("button", name="Full screen").click()
    expect(place.get_by_role("button", name="Leave full screen")).to_be_visible()
    place.get_by_role("button", name="Leave full screen").click()
    expect(place.get_by_role("button", name="Full screen", exact=True)).to_be_visible()
    place.get_by_role("button", name="Stop").click()
    expect(place.get_by_role("status")).to_have_text("Stopped.")
    place.get_by_role("button", name="Close").click()
    expect(place.locator("iframe")).to_have_count(0)
    expect(place.get_by_role("button", name="Play here")).to_be_focused()


def test_a_phone_without_full_screen_gets_the_whole_window(open_play):
    page = open_play()
    page.evaluate("delete Element.prototype.requestFullscreen")
    play(page, 1)
    place = player(page, 1)
    expect(place.get_by_role("status")).to_have_text("Playing.")
    place.get_by_role("button", name="Full screen").click()
    box = place.locator(".sb-board").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 800)
    page.keyboard.press("Escape")
    expect(place.get_by_role("button", name="Full screen", exact=True)).to_be_focused()


def test_axe_finds_nothing_outside_the_frame(open_play):
    page = open_play()
    play(page)
    expect(player(page).get_by_role("status")).to_have_text("Playing.")
    expect(player(page).get_by_role("log")).to_be_visible()
    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"], "iframes": False}
    found = Axe().run(page, ".sb-play", options=options).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


def test_without_scripts_the_page_is_whole_and_has_no_button(open_play):
    page = open_play(java_script_enabled=False)
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.locator(".sb-play").first).to_be_hidden()
    expect(page.get_by_role("group", name="Bird, script 1")).to_be_visible()


def test_without_the_player_the_site_is_built_and_says_so(chromium, tmp_path):
    done = sphinx_build(
        "-W", "-n", ".", tmp_path / "out", cwd=SITES / "play", env={"EDUKIT_CACHE": str(tmp_path / "none")}
    )
    assert done.returncode == 0, done.stderr
    assert len(re.findall("have no play button", done.stdout)) == 1
    page = (tmp_path / "out/index.html").read_text("utf-8")
    assert "sb-play" not in page
    assert "sb-download" in page
    assert not (tmp_path / "out/_static/edukit/scratch-player").exists()
