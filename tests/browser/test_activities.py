"""The activities of the site, played to the end in their pages: at phone size, without a network."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

TONES = {"花": 1, "书": 1, "园": 2, "芽": 2, "雨": 3, "雪": 3, "字": 4, "画": 4}
SENTENCES = [
    ["the dog", "chases", "the cat"],
    ["the cat", "chases", "the dog"],
    ["the fish", "watches", "the cat", "from its bowl"],
]


def subtract(asked: list[str]) -> str:
    """Solve the first problem; three wrong answers cost three lives."""
    first, second = map(int, re.findall(r"\d+", asked[-1])[-2:])
    return str(first - second if len(asked) == 1 else 99)


def put_in_order(asked: list[str]) -> str:
    words = [word for sentence in SENTENCES for word in sentence]
    offered = dict(re.findall(r"(\d) +(.+?)(?=  \d|$)", asked[-1]))
    [number] = [number for number, word in offered.items() if word.strip() == words[len(asked) - 1]]
    return str(number)


def name_a_place(asked: list[str]) -> str:
    return str(len(asked) * 20)


def name_the_tone(asked: list[str]) -> str:
    [tone] = [tone for character, tone in TONES.items() if character in asked[-1]]
    return str(tone)


@pytest.fixture
def play(chromium: Browser, built_site: Path) -> Iterator[Callable[..., tuple[object, list[str]]]]:
    contexts = []

    def play(name: str, answer: Callable[[list[str]], str], times: int):
        context = chromium.new_context(viewport={"width": 390, "height": 800}, has_touch=True)
        context.set_offline(True)
        contexts.append(context)
        page = context.new_page()
        page.goto((built_site / "scratch" / f"{name}.html").as_uri())
        player = page.locator(".sb-play").first
        button = player.get_by_role("button", name="Play here")
        if not button.count():
            message = "the site was built without the player for web pages: edukit scratch install"
            pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
        button.tap()
        box = player.frame_locator("iframe").get_by_role("textbox")
        asked: list[str] = []
        for _ in range(times):
            box.wait_for(timeout=60_000)
            asked.append(box.get_attribute("aria-label") or "")
            box.fill(answer(asked))
            old = box.element_handle()
            box.press("Enter")
            page.wait_for_timeout(100)
            old.wait_for_element_state("hidden", timeout=60_000)
        return player, asked

    yield play
    for context in contexts:
        context.close()


@pytest.mark.parametrize(
    ("name", "answer", "times", "end"),
    [
        ("subtraction-challenge", subtract, 4, "Lanterns lit: 1"),
        ("word-order", put_in_order, 10, "Sentences that are right: 3"),
        ("sine-painter", name_a_place, 3, "Place 60 is"),
        ("tone-quiz", name_the_tone, 8, "Tones that you heard: 8"),
    ],
)
def test_it_is_played_to_the_end(play, tmp_path: Path, name: str, answer, times: int, end: str) -> None:
    player, asked = play(name, answer, times)
    expect(player.get_by_role("log")).to_contain_text(end, timeout=60_000)
    assert len(asked) == times
    # What is seen at the end stays with the report of the tests.
    player.screenshot(path=tmp_path / f"{name}.png")
    assert (tmp_path / f"{name}.png").stat().st_size > 5_000
