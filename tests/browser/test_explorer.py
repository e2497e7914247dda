"""The explorer computes what the library computes, and can be used by keyboard, by ear and without it."""

from collections.abc import Callable

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from edukit import posenc

OpenPage = Callable[..., Page]
PAGE = "position/explorer.html"


def turn(page: Page, name: str, value: float | str) -> None:
    page.locator(f"#explorer-{name}").evaluate(
        "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }", str(value)
    )


def numbers(page: Page) -> dict[str, float]:
    return {
        entry.get_attribute("data-name"): float(entry.get_attribute("data-value"))
        for entry in page.locator(".edukit-explorer-numbers dd").all()
    }


@pytest.mark.parametrize(
    ("width", "base", "layout", "position", "offset", "pair", "angle", "head"),
    [
        (32, 10000, "interleaved", 5, 8, 2, 0, 3),
        (128, 1000, "halves", 63, -32, 60, 45, 1),
        (4, 10, "interleaved", 0, 32, 1, -180, 8),
        (64, 1000000, "halves", 17, 0, 0, 175, 5),
    ],
)
def test_its_numbers_are_those_of_the_library(
    open_page: OpenPage, width, base, layout, position, offset, pair, angle, head
):
    page = open_page(PAGE)
    turn(page, "width", width)
    turn(page, "base", np.log10(base))
    page.get_by_role("radio", name=layout).check()
    for name, value in [
        ("position", position),
        ("offset", offset),
        ("pair", pair),
        ("angle", angle),
        ("head", head),
    ]:
        turn(page, name, value)
    shown = numbers(page)

    options = {"base": base, "layout": layout, "dtype": np.float64}
    table = posenc.sinusoidal(None, width, positions=[position, position + offset], **options)
    of_pair = table[0, [2 * pair, 2 * pair + 1] if layout == "interleaved" else [pair, pair + width // 2]]
    turns = posenc.wavelengths(width, base=base)
    omegas = 2 * np.pi / turns
    expected = {
        "frequency": omegas[pair],
        "wavelength": turns[pair],
        "sine": of_pair[0],
        "cosine": of_pair[1],
        "dot": table[0] @ table[1],
        "rotaryScore": np.cos(offset * omegas + np.deg2rad(angle)).mean(),
        "bias": posenc.alibi_bias(8, 1, 65, query_start=32, causal=False)[head - 1, 0, 32 + offset],
    }
    expected["factor"] = np.exp(expected["bias"])
    assert shown.keys() == expected.keys()
    for name, value in expected.items():
        assert shown[name] == pytest.approx(value, abs=1e-6, rel=1e-6), name

    rows = page.evaluate(
        "[0, 1, 63].map((row) => document.querySelector('.edukit-explorer').explorer.row(row))"
    )
    np.testing.assert_allclose(
        rows, posenc.sinusoidal(None, width, positions=[0, 1, 63], **options), atol=1e-12
    )


def test_the_curve_shows_the_numbers(open_page: OpenPage):
    page = open_page(PAGE)
    path = page.locator("path.edukit-explorer-sinusoid").get_attribute("d")
    points = np.array([[float(x) for x in point.split()] for point in path.removeprefix("M ").split(" L ")])
    table = posenc.sinusoidal(None, 32, positions=np.arange(-32, 33), dtype=np.float64)
    dots = table @ table[32] / 16
    np.testing.assert_allclose(points[:, 1], 14 + (1 - dots) / 2 * 180, atol=0.006)


def test_by_keyboard_and_by_ear(open_page: OpenPage):
    page = open_page(PAGE)
    slider = page.get_by_role("slider", name="Offset k")
    before = numbers(page)["dot"]
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "9")
    assert numbers(page)["dot"] != before
    expect(page.get_by_role("status")).to_contain_text("Dot product of the rows p and p + k:")
    dial = page.get_by_role("img", name="the hand of pair 2 turns by")
    expect(dial).to_be_visible()
    page.get_by_role("slider", name="Angle").focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("slider", name="Angle")).to_have_attribute("aria-valuetext", "−180°")


def seen_on_a_walk(page: Page) -> tuple[np.ndarray, np.ndarray]:
    """Let p walk; return p and where the two hands point, in radians, frame by frame."""
    page.get_by_role("button", name="Let p walk").click()
    frames = page.evaluate(
        """async () => {
          const slider = document.querySelector("#explorer-position");
          const frames = [];
          while (Number(slider.value) < 8) {
            await new Promise(requestAnimationFrame);
            const hands = ["first", "second"].map((name) => {
              const tip = document.querySelector(`circle.edukit-explorer-${name}`);
              return Math.atan2(tip.getAttribute("cx"), -tip.getAttribute("cy"));
            });
            frames.push([Number(slider.value), ...hands]);
          }
          return frames;
        }"""
    )
    return np.array(frames)[:, 0], np.array(frames)[:, 1:]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_on_a_walk_both_hands_turn_and_keep_their_angle(open_page: OpenPage, motion):
    page = open_page(PAGE, reduced_motion=motion)
    positions, hands = seen_on_a_walk(page)
    omega = numbers(page)["frequency"]
    assert positions[0] == 5
    assert positions[-1] >= 8
    # The angle between the hands is that of the offset, in every frame.
    np.testing.assert_allclose(np.exp(1j * (hands[:, 1] - hands[:, 0])), np.exp(8j * omega), atol=1e-9)
    # The first hand is less than one step ahead of p: it glides. Whoever has asked for less motion sees
    # it at whole positions only.
    ahead = (hands[:, 0] - positions * omega + 1e-9) % (2 * np.pi) / omega
    assert (ahead < 1 + 1e-6).all()
    assert ahead.max() < 1e-6 if motion == "reduce" else ahead.max() > 0.1


def test_a_walk_can_be_stopped_and_ends_by_itself(open_page: OpenPage):
    page = open_page(PAGE)
    slider = page.locator("#explorer-position")
    walk = page.locator(".edukit-explorer-walk")
    walk.focus()
    page.keyboard.press("Enter")
    expect(walk).to_have_text("Stop p")
    expect(slider).not_to_have_value("5")
    page.keyboard.press("Enter")
    expect(walk).to_have_text("Let p walk")
    held = slider.input_value()
    page.evaluate(
        "async () => { for (let n = 0; n < 60; n += 1) await new Promise(requestAnimationFrame); }"
    )
    assert slider.input_value() == held

    # A hand on the slider stops it, too.
    walk.click()
    turn(page, "position", 62)
    expect(walk).to_have_text("Let p walk")

    walk.click()
    expect(slider).to_have_value("63")
    expect(walk).to_have_text("Let p walk")
    # From the end it begins anew.
    walk.click()
    expect(slider).not_to_have_value("63")


def test_a_narrow_table_has_fewer_pairs(open_page: OpenPage):
    page = open_page(PAGE)
    turn(page, "pair", 15)
    turn(page, "width", 4)
    expect(page.get_by_role("slider", name="Pair i")).to_have_attribute("aria-valuetext", "1")


@pytest.mark.parametrize(("path", "width"), [(PAGE, 390), (f"zh-cn/{PAGE}", 1280)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_runs_over(open_page: OpenPage, path, width, scheme):
    page = open_page(path, width=width, scheme=scheme)
    found = Axe().run(page, {"include": [[".edukit-explorer"]]})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_speaks_chinese(open_page: OpenPage):
    page = open_page(f"zh-cn/{PAGE}", locale="zh-CN")
    expect(page.get_by_role("slider", name="宽度 d")).to_be_visible()
    expect(page.get_by_role("img", name="第 2 对的指针转过 144.9 度")).to_be_visible()


def test_without_a_script_there_is_a_picture(open_page: OpenPage):
    page = open_page(PAGE, java_script_enabled=False)
    expect(page.locator(".edukit-explorer img")).to_be_visible()


def test_only_this_page_loads_it(open_page: OpenPage):
    page = open_page("position/order-is-invisible.html")
    assert page.locator('script[src*="explorer.js"], link[href*="explorer.css"]').count() == 0
