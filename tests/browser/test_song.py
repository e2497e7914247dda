"""A song in the page: shown, practised, sung, opened from a file, printed; by keyboard and by touch."""

import itertools
import json
import math
import random
import re
import struct
import unicodedata
import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from edukit import lyrics
from edukit.lyrics.entries import misfit
from edukit.lyrics.files import read_bytes
from edukit.sphinxext.song.data import page_data, parts_of
from tests.conftest import SITES, sphinx_build
from tests.lyrics.test_cases import as_json

OpenSong = Callable[..., Page]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("singing")
    for language in ("en", "zh_CN"):
        doctrees = out / f"doctrees-{language}"
        options = ["-q", "-W", "-n", "-D", f"language={language}", "-d", doctrees]
        result = sphinx_build(*options, ".", out / language, cwd=SITES / "singing")
        assert result.returncode == 0, result.stderr
    return out


@pytest.fixture
def open_song(chromium: Browser, site: Path) -> Iterator[OpenSong]:
    """Open a page on a phone; the pages of one test share what the device keeps."""
    errors: list[str] = []
    contexts = {}

    def open_song(name: str = "index", language: str = "en", width: int = 390, **options: object) -> Page:
        key = f"{width} {options}"
        if key not in contexts:
            contexts[key] = chromium.new_context(viewport={"width": width, "height": 800}, **options)
        page = contexts[key].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "request", lambda one: one.url.startswith(("file:", "blob:", "data:")) or errors.append(one.url)
        )
        page.goto((site / language / f"{name}.html").as_uri())
        return page

    yield open_song
    for context in contexts.values():
        context.close()
    assert errors == []


def unfold(page: Page, name: str) -> Locator:
    """Open one of the panels above the song."""
    panel = page.locator(f".edukit-song-tools > .edukit-song-{name}")
    panel.locator("summary").first.click()
    return panel


def readings(page: Page, number: int = 1) -> list[str]:
    return page.locator(f"#line-{number} .edukit-song-original rt").all_inner_texts()


# -- display ------------------------------------------------


def test_the_scripts_lay_a_line_out_as_the_page_was_built(open_song):
    shown = """() => [...document.querySelectorAll(".edukit-song-original")].map((line) => [
        line.textContent, [...line.querySelectorAll(".edukit-song-unit")].map((unit) => unit.textContent)
    ])"""
    assert open_song().evaluate(shown) == open_song(java_script_enabled=False).evaluate(shown)


def test_every_way_to_show_the_sounds(open_song):
    page = open_song()
    unfold(page, "display")
    pinyin = page.get_by_role("combobox", name="Pinyin", exact=True)
    assert readings(page) == ["yuèliang", "chūlái", "le"]
    pinyin.select_option("character")
    assert readings(page, 6) == ["wǎn", "ān", "hǎo", "péng", "you"]
    pinyin.select_option("word")
    assert readings(page, 6) == ["wǎn’ān", "hǎo", "péngyou"]
    pinyin.select_option("below")
    assert readings(page) == []
    expect(page.locator("#line-1 .edukit-song-reading")).to_have_text("Yuèliang chūlái le,")
    pinyin.select_option("hidden")
    expect(page.locator("#line-1 rt").first).to_be_hidden()
    # What is hidden on the screen is there in print.
    page.emulate_media(media="print")
    expect(page.locator("#line-1 rt").first).to_be_visible()
    expect(page.locator(".edukit-song-tools")).to_be_hidden()


def test_translation_beside_below_or_hidden(open_song):
    page = open_song(width=1280)
    unfold(page, "display")
    original, translation = (
        page.locator(f"#line-2 .edukit-song-{kind}") for kind in ("original", "translation")
    )

    def is_beside() -> bool:
        return translation.bounding_box()["x"] > original.bounding_box()["x"] + 100

    assert is_beside()
    page.get_by_label("Translation").select_option("under")
    assert not is_beside()
    page.get_by_label("Translation").select_option("hidden")
    expect(translation).to_be_hidden()
    page.emulate_media(media="print")
    expect(translation).to_be_visible()


def test_tones_have_a_colour_and_a_line(open_song):
    page = open_song()
    unfold(page, "display")
    tones = page.locator("#line-1 [class^=edukit-tone]")
    assert [tone.get_attribute("class")[-1] for tone in tones.all()] == ["4", "5", "1", "2", "5"]
    look = "(one) => [getComputedStyle(one).color, getComputedStyle(one).textDecorationStyle]"
    assert len({tuple(tone.evaluate(look)) for tone in tones.all()}) == 1
    page.get_by_label("Colours of the tones").check()
    colours, lines = zip(*[tone.evaluate(look) for tone in tones.all()], strict=True)
    assert len(set(colours)) == len(set(lines)) == 4


def test_choices_are_kept_and_by_keyboard(open_song):
    page = open_song()
    page.locator(".edukit-song-display summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="Pinyin", exact=True)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.get_by_label("Colours of the tones").focus()
    page.keyboard.press("Space")
    for again in (open_song(), open_song(language="zh_CN")):
        assert readings(again)[:2] == ["yuè", "liang"]
        expect(again.locator(".edukit-song").first).to_have_class(re.compile("edukit-song-toned"))


@pytest.mark.parametrize("kept", ["{", "null", "7", '{"pinyin": 3, "tones": "yes", "script": "<b>"}'])
def test_what_is_kept_may_be_nonsense(open_song, kept):
    page = open_song()
    page.evaluate("(kept) => localStorage.setItem('edukit-song:display:zh', kept)", kept)
    page.reload()
    assert readings(page) == ["yuèliang", "chūlái", "le"]


def test_without_storage_everything_works(open_song):
    page = open_song()
    # Only for songs: the theme is not made for a browser that keeps nothing.
    page.add_init_script(
        """for (const name of ["getItem", "setItem"]) {
            const real = Storage.prototype[name];
            Storage.prototype[name] = function (key, ...more) {
                if (key.startsWith("edukit-song")) throw Error("none");
                return real.call(this, key, ...more);
            };
        }"""
    )
    page.reload()
    unfold(page, "display")
    page.get_by_role("combobox", name="Pinyin", exact=True).select_option("character")
    assert readings(page)[0] == "yuè"


def test_copying_gives_the_words_without_their_sounds(open_song):
    page = open_song(permissions=["clipboard-read", "clipboard-write"])
    unfold(page, "display")
    page.get_by_role("button", name="Copy the words").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines()[:2] == ["月亮出来了，", "The moon is out,"]
    assert page.locator("#line-1 rt").first.evaluate("(one) => getComputedStyle(one).userSelect") == "none"


def test_the_other_script(open_song):
    pytest.importorskip("opencc")  # an extra: without it a page does not offer the other script
    page = open_song()
    unfold(page, "display")
    page.get_by_label("Characters").select_option("zh-Hant")
    line = page.locator("#line-1 .edukit-song-original")
    expect(line).to_contain_text("來")
    expect(line).to_have_attribute("lang", "zh-Hant")
    assert readings(page) == ["yuèliang", "chūlái", "le"]


def test_without_a_script_the_page_is_whole(open_song):
    page = open_song(java_script_enabled=False)
    assert page.locator(".edukit-song-lines li").count() == 6
    assert readings(page) == ["yuèliang", "chūlái", "le"]
    page.get_by_label("Translation").uncheck()
    expect(page.locator(".edukit-song-translation").first).to_be_hidden()


# -- practice ------------------------------------------------


def begin(page: Page, name: str) -> Locator:
    if page.locator(".edukit-song-practice[open]").count() == 0:
        unfold(page, "practice")
    page.get_by_role("button", name=name, exact=True).click()
    return page.locator(".edukit-song-exercise")


def answers(page: Page) -> list[dict[str, str]]:
    """Return the words that are left out, from the song's data by the rules of the page."""
    return page.evaluate(
        """() => {
            const {gaps, linesOf, randomFrom} = edukitSong;
            const data = JSON.parse(document.querySelector(".edukit-song-data").textContent);
            const item = (line) => ({text: line.text, parts: line.parts, chinese: true});
            const song = {data, original: item, translation: () => ({text: ""})};
            return gaps(linesOf(song, true), 0.5, randomFrom(1))
                .flatMap((line) => line.gaps.map((word) => ({...word, tone: word.reading !== "le"})));
        }"""
    )


def numbered(marked: str) -> str:
    """Write one syllable as people type it where they have no marks."""
    tones = {"\u0304": "1", "\u0301": "2", "\u030c": "3", "\u0300": "4"}
    letters = [sign for sign in unicodedata.normalize("NFD", marked) if sign not in tones]
    number = [tones[sign] for sign in unicodedata.normalize("NFD", marked) if sign in tones]
    return "".join(letters + number)


def test_gaps_typed_by_keyboard(open_song):
    page = open_song()
    unfold(page, "practice")
    page.get_by_label("Gaps").select_option("50")
    area = begin(page, "Fill the gaps")
    expect(page.locator(".edukit-song-lines")).to_be_hidden()
    fields = area.get_by_role("textbox")
    expect(fields.first).to_be_focused()
    words = answers(page)
    assert fields.count() == len(words) == 11  # half of 21 words, rounded up
    # One as characters, one in pinyin as marked, one without its tones, one wrong, the rest right.
    typed = [word["text"] for word in words]
    reading, toneless = [at for at, word in enumerate(words) if len(word["text"]) == 1 and word["tone"]][:2]
    typed[reading] = numbered(words[reading]["reading"]).upper()
    typed[toneless] = "".join(c for c in numbered(words[toneless]["reading"]) if not c.isdigit())
    wrong = next(at for at in range(len(words)) if at not in (reading, toneless))
    typed[wrong] = "x"
    for text in typed:
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(area.locator(".edukit-song-result")).to_have_text("9 of 11 right")
    expect(area.locator(".edukit-song-result")).to_be_focused()
    verdicts = area.locator(".edukit-song-verdict").all_inner_texts()
    assert "wrong" in verdicts[wrong]
    assert words[wrong]["text"] in verdicts[wrong]
    assert "the tones are missing" in verdicts[toneless]
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(fields.first).to_be_focused()
    expect(area.locator(".edukit-song-result")).to_have_count(0)


@pytest.mark.parametrize(("share", "count"), [("25", 6), ("50", 11), ("100", 21)])
def test_the_share_is_of_the_words_and_rounded_up(open_song, share, count):
    page = open_song()
    unfold(page, "practice")
    page.get_by_label("Gaps").select_option(share)
    assert begin(page, "Fill the gaps").get_by_role("textbox").count() == count


def test_gaps_picked_by_touch_in_english(open_song):
    page = open_song(has_touch=True, is_mobile=True)
    page.locator(".edukit-song-practice summary").tap()
    page.get_by_label("Language").select_option("english")
    page.get_by_label("Answers").select_option("picked")
    page.get_by_role("button", name="Fill the gaps").tap()
    area = page.locator(".edukit-song-exercise")
    fields = area.get_by_role("combobox").all()
    for field in fields:
        line = field.locator("xpath=ancestor::li").locator(".edukit-song-of-line").inner_text()
        text = page.locator(f"#line-{line} .edukit-song-translation").text_content()
        offered = [
            one for one in field.locator("option").all_inner_texts() if one in re.findall(r"\w+", text)
        ]
        # A wrong one may stand in the same line; the first that fits is taken and judged below.
        field.select_option(offered[0])
        assert field.bounding_box()["height"] >= 40
    page.get_by_role("button", name="Check").tap()
    expect(area.locator(".edukit-song-result")).to_contain_text(f"of {len(fields)} right")
    assert area.locator(".edukit-song-verdict.edukit-song-right").count() >= 1


def test_nothing_typed_is_no_answer(open_song):
    page = open_song()
    area = begin(page, "Fill the gaps")
    page.get_by_role("button", name="Check").click()
    expect(area.get_by_role("status")).to_have_text("Answer first.")
    expect(area.locator(".edukit-song-result")).to_have_count(0)


SUNG = ["月亮出来了，", "星星眨眼睛；", "风儿轻轻吹，", "小猫睡着了。", "我也要睡了，", "晚安好朋友！"]


@pytest.mark.parametrize("by", ["keyboard", "touch"])
def test_the_order_of_the_lines(open_song, by):
    page = open_song(has_touch=by == "touch")
    area = begin(page, "Order the lines")
    items = area.locator("ol > li > span[lang]")
    assert items.all_inner_texts() != SUNG
    for place, text in enumerate(SUNG):
        up = area.get_by_role("button", name=f"Move up: {text}")
        while items.all_inner_texts().index(text) > place:
            if by == "touch":
                up.tap()
            else:
                up.focus()
                page.keyboard.press("Enter")
                expect(up).to_be_focused()
                number = items.all_inner_texts().index(text) + 1
                expect(area.get_by_role("status").first).to_have_text(f"{text} is now number {number}")
    area.get_by_role("button", name="Check").click()
    expect(area.locator(".edukit-song-result")).to_have_text("6 of 6 right")


def test_pairs(open_song):
    page = open_song()
    area = begin(page, "Match")
    data = page.evaluate("JSON.parse(document.querySelector('.edukit-song-data').textContent)")
    pairs = {line["text"]: line["translation"] for line in data["lines"]}
    pairs |= {text: gloss for text, _, gloss, *_ in data.get("vocabulary", [])}
    fields = area.get_by_role("combobox").all()
    asked = [field.evaluate("(one) => one.labels[0].firstChild.textContent") for field in fields]
    meanings = [pairs[one] for one in asked]
    for field, meaning in zip(fields, [meanings[1], *meanings[1:]], strict=True):
        field.select_option(meaning)
    area.get_by_role("button", name="Check").click()
    expect(area.locator(".edukit-song-result")).to_have_text(f"{len(asked) - 1} of {len(asked)} right")
    expect(area.locator(".edukit-song-verdict.edukit-song-wrong")).to_have_text(f"wrong: {meanings[0]}")


TONES = {
    **dict.fromkeys("出星风轻吹猫安", 1),
    **dict.fromkeys("来着朋", 2),
    **dict.fromkeys("眨眼小我也晚好", 3),
    **dict.fromkeys("月睡要", 4),
    **dict.fromkeys("亮了睛友", 5),
}


@pytest.mark.parametrize("by", ["keyboard", "touch"])
def test_tones(open_song, by):
    page = open_song(has_touch=by == "touch")
    area = begin(page, "Tones")
    right = 0
    for question in range(10):
        asked = area.locator(".edukit-song-question b").inner_text()
        names = ["first tone", "second tone", "third tone", "fourth tone", "neutral tone"]
        wanted = {"儿": 2}.get(asked, TONES.get(asked, 1)) if question else 0
        button = area.get_by_role("button", name=names[wanted - 1])
        if by == "touch":
            button.tap()
        else:
            button.focus()
            page.keyboard.press("Enter")
        said = area.get_by_role("status").inner_text()
        right += said.endswith("Right.")
        if question < 9:
            area.get_by_role("button", name="Next").click()
    expect(area.locator(".edukit-song-result")).to_have_text(f"{right} of 10 right")
    assert right >= 7  # 星 of the second syllable is neutral, and the first answer was a guess


@pytest.mark.parametrize(
    ("typed", "text", "reading", "result"),
    [
        ("绿", "绿", "lǜ", "right"),
        ("lv4", "绿", "lǜ", "right"),
        ("lu:4", "绿", "lǜ", "right"),
        ("LǙ", "绿", "lǜ", "tones"),
        ("lu4", "绿", "lǜ", "wrong"),
        ("xi1’an1", "西安", "xīān", "right"),
        ("Xi an", "西安", "xīān", "tones"),
        ("nue4", "虐", "nüè", "right"),
        ("xu3duo1", "许多", "xǔduō", "right"),
        ("xv3duo1", "许多", "xǔduō", "right"),
        ("pengyou", "朋友", "péngyou", "tones"),
        ("peng2you5", "朋友", "péngyou", "right"),
        ("", "朋友", "péngyou", "wrong"),
    ],
)
def test_what_counts_as_right_in_pinyin(open_song, typed, text, reading, result):
    judge = "([typed, word]) => edukitSong.judge(typed, word)"
    word = {"text": text, "reading": reading, "chinese": True}
    assert open_song().evaluate(judge, [typed, word]) == result


@pytest.mark.parametrize(
    ("typed", "result"), [("Don't", "right"), ("don’t ", "right"), ("dont", "wrong"), ("do", "wrong")]
)
def test_what_counts_as_right_in_english(open_song, typed, result):
    word = {"text": "don’t", "reading": "doʊnt", "chinese": False}
    assert open_song().evaluate("([t, w]) => edukitSong.judge(t, w)", [typed, word]) == result


# -- singing ------------------------------------------------


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three seconds of a soft tone."""
    path = tmp_path_factory.mktemp("audio") / "moon.wav"
    rate = 8000
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        samples = (round(1000 * math.sin(at * 440 * math.tau / rate)) for at in range(3 * rate))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return path


LIT = """() => {
    globalThis.lit = [];
    const lines = [...document.querySelectorAll(".edukit-song-lines li")];
    const note = () => {
        const at = lines.findIndex((line) => line.classList.contains("edukit-song-now"));
        const word = [...document.querySelectorAll(".edukit-song-lit")].map((one) => one.dataset.at).join();
        const now = `${at + 1}:${word}`;
        if (at >= 0 && globalThis.lit.at(-1) !== now) globalThis.lit.push(now);
    };
    new MutationObserver(note).observe(document.body, {subtree: true, attributes: true});
}"""
"""What was lit so far, as number of the line and place of the word, is put together in ``lit``."""


def open_recording(page: Page, recording: Path) -> Locator:
    panel = unfold(page, "sing")
    panel.get_by_label("Your recording of the song").set_input_files(recording)
    page.wait_for_function("document.querySelector('audio').readyState >= 2")
    page.evaluate(LIT)
    return panel


def lines_lit(page: Page) -> list[str]:
    return [at for at, _ in itertools.groupby(one.split(":")[0] for one in page.evaluate("lit"))]


def test_lines_light_up_with_the_recording(open_song, recording):
    page = open_song()
    open_recording(page, recording)
    page.evaluate("document.querySelector('audio').play()")
    page.wait_for_function("document.querySelector('audio').ended")
    assert lines_lit(page) == ["1", "2", "3", "4", "5", "6"]


def test_words_light_up_where_the_file_has_their_times(open_song, recording):
    page = open_song("words")
    open_recording(page, recording)
    page.evaluate("document.querySelector('audio').play()")
    page.wait_for_function("document.querySelector('audio').ended")
    assert page.evaluate("lit") == ["1:0", "1:6", "1:12", "2:0", "2:3"]


@pytest.mark.parametrize("by", ["keyboard", "touch", "the line"])
def test_a_line_is_heard_alone(open_song, recording, by):
    page = open_song(has_touch=by == "touch")
    hear = page.get_by_role("button", name="Hear line 3")
    expect(hear).to_have_count(0)  # lines that are only read are not in the way of who reads them
    open_recording(page, recording)
    if by == "touch":
        hear.tap()
    elif by == "keyboard":
        hear.focus()
        page.keyboard.press("Enter")
    else:
        page.locator("#line-3 .edukit-song-translation").click()
    page.wait_for_function("lit.length && document.querySelector('audio').paused")
    assert lines_lit(page) == ["3"]


def test_a_part_is_heard_again_and_again_and_slower(open_song, recording):
    page = open_song()
    panel = open_recording(page, recording)
    panel.get_by_label("Speed").select_option("0.75")
    audio = page.locator("audio")
    assert audio.evaluate("(one) => [one.playbackRate, one.preservesPitch]") == [0.75, True]
    audio.evaluate("(one) => { one.currentTime = 1; }")
    panel.get_by_role("button", name="From here").click()
    audio.evaluate("(one) => { one.currentTime = 1.3; }")
    panel.get_by_role("button", name="To here").click()
    expect(panel.get_by_text("Again and again from 00:01.00 to 00:01.30")).to_be_visible()
    audio.evaluate(
        """(one) => {
            globalThis.rounds = 0;
            one.addEventListener("seeked", () => (globalThis.rounds += 1));
            one.play();
        }"""
    )
    page.wait_for_function("rounds >= 3")
    panel.get_by_role("button", name="No loop").click()
    page.wait_for_function("document.querySelector('audio').ended")


def test_a_file_that_is_no_sound_is_told(open_song, tmp_path):
    page = open_song()
    path = tmp_path / "no.wav"
    path.write_text("nothing")
    panel = unfold(page, "sing")
    panel.get_by_label("Your recording").set_input_files(path)
    expect(panel.get_by_text("This browser cannot play the file.")).to_be_visible()


@pytest.mark.parametrize("by", ["keyboard", "touch"])
def test_times_are_tapped_corrected_and_saved(open_song, recording, tmp_path, by):
    page = open_song("untimed", has_touch=by == "touch")
    panel = open_recording(page, recording)
    expect(panel.get_by_text("This song has no times yet.")).to_be_visible()
    panel.get_by_role("button", name="Tap the times").click()
    audio = page.locator("audio")
    for number, time in enumerate([0.25, 1.0, 1.75], 1):
        # The hand of the singer: the recording stands where the line begins.
        audio.evaluate("(one, time) => { one.pause(); one.currentTime = time; }", time)
        tap = panel.get_by_role("button", name=f"Line {number} begins now")
        if by == "touch":
            tap.tap()
        else:
            expect(tap).to_be_focused()
            page.keyboard.press("Space")
    expect(panel.get_by_text("Every line has its time.")).to_be_visible()
    panel.locator("details summary").click()
    panel.get_by_role("textbox", name="Time of line 2").fill("0:01.12")
    panel.get_by_role("textbox", name="Time of line 3").fill("soon")
    panel.get_by_role("button", name="Time of line 3: later").click()
    with page.expect_download() as saved:
        panel.get_by_role("button", name="Save as LRC").click()
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    song = lyrics.load(path)
    assert song.findings == ()
    assert [(line.start, line.end) for line in song.lines] == [(250, 1120), (1120, 1850), (1850, None)]
    assert [line.text for line in song.lines] == ["雨停了，", "天晴了，", "我们出去玩吧！"]
    assert song.lines[2].reading == "wǒmen chūqù wán ba!"
    assert song.lines[2].translation == "let us go out and play!"
    assert (song.title, song.rights) == ("雨停了", "own")


def test_what_is_saved_is_read_back(open_song, tmp_path):
    for name in ("moon", "words"):
        song = lyrics.load(SITES / "singing" / f"{name}.lrc")
        text = open_song().evaluate("(data) => edukitSong.lrcOf(data)", page_data(song))
        path = tmp_path / f"{name}.lrc"
        path.write_text(text, encoding="utf-8")
        assert lyrics.load(path) == song


def test_large_lines(open_song, recording):
    page = open_song(width=1280)
    panel = open_recording(page, recording)
    panel.get_by_role("button", name="Large lines").click()
    dialog = page.get_by_role("dialog", name="Large lines")
    expect(dialog).to_contain_text("月亮", use_inner_text=False)
    page.keyboard.press("ArrowRight")
    expect(dialog).to_contain_text("blinking")
    assert barriers(page) == []
    page.evaluate("document.querySelector('audio').currentTime = 2.6")
    expect(dialog).to_contain_text("good night")
    dialog.get_by_role("button", name="Line before").click()
    expect(dialog).to_contain_text("I will sleep too")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


# -- the melody ------------------------------------------------


def test_strings_are_in_tune(open_song):
    rate = 44100
    for pitch in (48, 60, 69, 79, 91):
        sound = np.array(
            open_song().evaluate(
                "([pitch, rate]) => [...edukitSong.pluck(edukitSong.frequencyOf(pitch), 1, rate)]",
                [pitch, rate],
            )
        )
        wanted = 440 * 2 ** ((pitch - 69) / 12)
        spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound)), 8 * rate))
        near = slice(round(wanted * 0.9 * 8), round(wanted * 1.1 * 8))
        found = (near.start + int(np.argmax(spectrum[near]))) / 8
        assert abs(1200 * math.log2(found / wanted)) < 8  # a twelfth of the smallest step
        assert 0.05 < np.abs(sound[: rate // 10]).max() <= 1
        assert np.abs(sound[-rate // 10 :]).max() < np.abs(sound[: rate // 10]).max() / 2


def test_a_line_of_the_melody_lights_its_syllables(open_song):
    page = open_song()
    unfold(page, "display")
    page.get_by_role("combobox", name="Pinyin", exact=True).select_option("character")
    panel = unfold(page, "sing")
    panel.get_by_label("Tempo").fill("180")
    page.evaluate(LIT)
    page.get_by_role("button", name="Hear line 2").click()
    page.wait_for_function("lit.length && !document.querySelector('.edukit-song-now')")
    assert page.evaluate("lit") == [f"2:{at}" for at in range(5)]


def test_the_melody_is_counted_in_and_stopped(open_song):
    page = open_song()
    panel = unfold(page, "sing")
    expect(panel.get_by_label("Count in")).to_be_checked()
    page.evaluate(LIT)
    page.evaluate(
        """() => {
            globalThis.begun = [];
            const start = AudioBufferSourceNode.prototype.start;
            AudioBufferSourceNode.prototype.start = function (when) {
                globalThis.begun.push(when);
                start.call(this, when);
            };
        }"""
    )
    panel.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("lit.length")
    panel.get_by_role("button", name="Stop").click()
    expect(page.locator(".edukit-song-now")).to_have_count(0)
    begun = page.evaluate("begun")
    # One bar of four, then 30 notes: half a second a quarter.
    assert len(begun) == 4 + 30
    assert [round((at - begun[0]) * 2, 3) for at in begun[:7]] == [0, 1, 2, 3, 4, 4.5, 5]
    expect(panel.get_by_role("button", name="Play", exact=True)).to_be_visible()


# -- a song of one's own ------------------------------------------------

CASES = SITES.parent / "lyrics" / "cases"


@pytest.fixture(scope="module")
def reader(chromium: Browser, site: Path) -> Iterator[Page]:
    context = chromium.new_context()
    page = context.new_page()
    page.goto((site / "en" / "mine.html").as_uri())
    yield page
    context.close()


@pytest.mark.parametrize(
    "path", sorted([*CASES.glob("*.txt"), *CASES.glob("*.lrc")]), ids=lambda path: path.name
)
def test_files_are_read_as_in_python(reader, path):
    read = reader.evaluate(
        "([bytes, name]) => edukitSong.readBytes(new Uint8Array(bytes), name)",
        [list(path.read_bytes()), path.stem],
    )
    for finding in read["findings"]:
        finding.pop("language", None)
    assert read == json.loads(path.with_name(f"{path.name}.json").read_text(encoding="utf-8"))


# Pieces of which lyric files and mistakes in them are made.
PIECES = """
[00:01.00] [00:02.50] [00:03:20] [1:2] ［00:04.00］ [00:0 <00:01.20> <00:02.00> [ti:歌] [la:zh]
[la:en] [la:xx] [offset:500] [offset:x] [rights:own] [foo:bar] [Verse·1] 【副歌】 【译】
[tr:zh-Hans] // # •· • -· ;· ； ·/· ·|· ^ title:·歌 语言：英语 format:·plain 月亮出来了
yuèliang·chūlái·le yue4liang·chu1lai2·le the·moon·is·out long·long 你好 nǐ·hǎo Xi'an 西安 xīān 女儿
nǚér 點兒 音樂 /ðə·muːn/ La·La 啊 a 2024 \u3000 · \ufeff \u202e 😀 𠮷 *·
"""


def test_files_drawn_by_lot_are_read_as_in_python(reader):
    lot = random.Random(3)
    pieces = [piece.replace("·", " ") for piece in re.split("[ \n]", PIECES) if piece] + ["\n"] * 12
    texts = ["".join(lot.choices(pieces, k=lot.randint(3, 30))) for _ in range(100)]
    # Which of two texts is the pinyin is harder to tell than what a stamp is.
    roles = [
        "你好",
        "nǐ hǎo",
        "long long",
        "bang ban",
        "hello",
        "/heˈloʊ/",
        "[tr]hello",
        "ni hao",
        "西安",
        "xīān",
    ]
    for _ in range(100):
        rows = [f"[00:0{lot.randint(1, 3)}]{lot.choice(roles)}" for _ in range(lot.randint(3, 9))]
        texts.append("\n".join([lot.choice(["[la:zh]", "[la:en]", "[ti:a]"]), *rows]))
    own = reader.evaluate(
        """(texts) => texts.map((text) => {
            try {
                return edukitSong.readBytes(new TextEncoder().encode(text), "x");
            } catch (error) {
                return {refused: error instanceof edukitSong.Unreadable};
            }
        })""",
        texts,
    )
    for text, read in zip(texts, own, strict=True):
        try:
            expected = as_json(read_bytes(Path("x"), text.encode()))
        except lyrics.LyricsError:
            expected = {"refused": True}
        for finding in read.get("findings", []):
            finding.pop("language", None)
        assert read == expected, text


@pytest.mark.parametrize(
    "path", [SITES / "singing" / "moon.lrc", SITES / "singing" / "untimed.txt"], ids=lambda p: p.name
)
def test_typed_pinyin_is_laid_under_its_characters_as_in_python(reader, path):
    for line in lyrics.load(path).lines:
        own = reader.evaluate(
            "([text, reading]) => edukitSong.pinyin.partsOf(text, reading)", [line.text, line.reading]
        )
        expected = parts_of(line.text, "zh_CN", line.reading)
        assert [one[:4] for one in own] == [
            [one.start, one.stop, one.reading, one.tone] for one in expected
        ]


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("小草儿绿了", "xiǎocǎor lǜ le"),
        ("女儿 OK，2号", "nv3'er2 ok èr hao4"),
        ("西安", "xīān"),
        ("西安", "xian"),
        ("点儿", "diǎn ér"),
        ("𠮷𠮷好", "jíjí hǎo"),
        ("你好", "hello"),
        ("你好吗", "nǐ hǎo"),
    ],
)
def test_other_pinyin_too(reader, text, reading):
    own = reader.evaluate("([text, reading]) => edukitSong.pinyin.partsOf(text, reading)", [text, reading])
    line = lyrics.Song("", "zh_CN", lines=(lyrics.Line(text, reading=reading),))
    parts = page_data(line)["lines"][0].get("parts", [])
    expected = parts if misfit(text, reading) is None else []
    # Which syllables are one word a dictionary may know better than the typist.
    assert [one[:4] for one in own] == [one[:4] for one in expected]


def paste(page: Page, text: str) -> Locator:
    page.get_by_label("Or paste it here").fill(text)
    page.get_by_role("button", name="Show").click()
    return page.locator(".edukit-song").nth(1)


def test_a_file_is_opened_with_all_that_needs_no_dictionary(open_song, recording):
    page = open_song("mine")
    page.get_by_label("Open a lyric file").set_input_files(SITES / "singing" / "moon.lrc")
    song = page.locator(".edukit-song").nth(1)
    expect(song.locator(".edukit-song-title")).to_be_focused()
    expect(song.locator(".edukit-song-title")).to_have_text("晚安 Good Night")
    assert song.locator(".edukit-song-section").all_inner_texts() == ["Verse 1", "Verse 2"]
    assert song.locator("#my-opened-line-1 rt").all_inner_texts() == ["yuèliang", "chūlái", "le"]
    for name in ("display", "practice", "sing", "class"):
        expect(song.locator(f".edukit-song-{name}")).to_have_count(1)
    song.locator(".edukit-song-practice summary").click()
    buttons = song.locator(".edukit-song-practice button:visible").all_inner_texts()
    assert buttons == ["Fill the gaps", "Order the lines", "Match", "Tones"]
    # Nothing of it is kept.
    page.reload()
    assert page.locator(".edukit-song").count() == 1
    assert page.evaluate("JSON.stringify(localStorage)").count("月亮") == 0


def test_what_is_noticed_in_a_file_is_told(open_song):
    page = open_song("mine", language="zh_CN")
    page.get_by_label("粘贴").fill("[la:zh]\n[00:01]你好\n[00:01]nǐ hǎo hǎo\n[00:0")
    page.get_by_role("button", name="显示").click()
    page.locator(".edukit-song-opener details summary").click()
    told = page.locator(".edukit-song-opener li").all_inner_texts()
    assert [one.split("：")[0] for one in told] == ["第 3 行第 8 列", "第 4 行第 1 列"]
    assert all(not re.search("[a-z]{4}", one) for one in told)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "Open or paste a song first."),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nLa", "text and LRC"),
        ("{}", "no line of a song"),
        ('{"lines": 3}', "no line of a song"),
        ("{", "text and LRC"),
        ("a" * 2000, "longer than any song"),
        ("\n".join("a" * 10 for _ in range(30_001)), "longer than any song"),
    ],
)
def test_what_is_no_song_is_told(open_song, content, said):
    page = open_song("mine")
    page.get_by_label("Or paste it here").evaluate("(field, text) => { field.value = text; }", content)
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("status").first).to_contain_text(said)
    assert page.locator(".edukit-song").count() == 1


@pytest.mark.parametrize(
    ("name", "content"), [("a.txt", b"\0\1"), ("a.pdf", b"%PDF-1.7"), ("a.lrc", b"\xff\xff\xfe")]
)
def test_a_file_that_is_no_text_is_told(open_song, tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    page = open_song("mine")
    page.get_by_label("Open a lyric file").set_input_files(path)
    expect(page.get_by_role("status").first).to_contain_text("cannot be read here")


def test_gb18030_is_read_and_told(open_song, tmp_path):
    path = tmp_path / "old.txt"
    path.write_bytes("月亮出来了\n星星眨眼睛\n".encode("gb18030"))
    page = open_song("mine")
    page.get_by_label("Open a lyric file").set_input_files(path)
    expect(page.locator(".edukit-song-original").first).to_have_text("月亮出来了")
    expect(page.get_by_role("status").first).to_contain_text("Noticed in the file (1)")


HOSTILE = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'


def test_nothing_in_a_file_is_run(open_song):
    page = open_song("mine")
    text = f"[ti:{HOSTILE}]\n[ar:{HOSTILE}]\n[la:en]\n[{HOSTILE}]\n[00:01]{HOSTILE}\n[00:01]译{HOSTILE}\n"
    text += "[00:02]other\n[00:03]third"
    song = paste(page, text)
    expect(song.locator(".edukit-song-original").first).to_contain_text("<script>")
    for name in ("display", "practice", "sing"):
        song.locator(f".edukit-song-{name} summary").first.click()
    for button in song.locator(".edukit-song-practice button:visible").all()[:3]:
        button.click()
    assert page.evaluate("window.hit") is None
    assert song.locator("img, script").count() == 0


PREPARED = {
    "title": "Rain",
    "language": "en",
    "lines": [
        {
            "text": "Water again, window again",
            "translation": "又是水，又是窗",
            "spoken": [[[1, 0], "water", "A1", False, True], [], [[], None, None, False, 1]],
            "parts": [
                [0, 5, "ˈwɔːtər", None, None, 0],
                [6, 11, "əˈɡen", None, None, 1],
                [13, 19, "ˈwɪndoʊ", None, None, 2],
            ],
            "translationParts": [
                [0, 1, "yòu", 4, "ㄧㄡˋ", 0],
                [1, 2, "shì", 4, "ㄕˋ", 1],
                [2, 3, "shuǐ", 3, "ㄕㄨㄟˇ", 2],
            ],
        },
        {"text": "garden", "parts": [[0, 6, "ˈɡɑːrdən", None, None, 0]]},
        {"text": "hotel", "parts": [[0, 99, "hoʊˈtel", None, None, 0]], "start": "<b>", "words": {}},
    ],
    "vocabulary": [
        ["water", "ˈwɔːtər", "水"],
        ["window", None, "窗"],
        ["garden", None, "花园"],
        ["again", None, "再"],
    ],
    "attribution": "CC-CEDICT",
}


def test_a_prepared_file_brings_its_sounds_and_meanings(open_song, tmp_path):
    path = tmp_path / "rain.song.json"
    path.write_text(json.dumps(PREPARED), encoding="utf-8")
    page = open_song("mine")
    page.get_by_label("Open a lyric file").set_input_files(path)
    song = page.locator(".edukit-song").nth(1)
    assert song.locator("#my-opened-line-1 rt").all_inner_texts() == ["ˈwɔːtər", "əˈɡen", "ˈwɪndoʊ"]
    # Parts that cannot be are left out, and the line is there all the same.
    assert song.locator("#my-opened-line-3 rt").count() == 0
    song.locator(".edukit-song-display summary").click()
    song.get_by_label("Sounds of English").select_option("below")
    expect(song.locator("#my-opened-line-1 .edukit-song-reading")).to_have_text("/ˈwɔːtər‿əˈɡen ˈwɪndoʊ/")
    song.get_by_role("combobox", name="Pinyin", exact=True).select_option("character")
    assert song.locator("#my-opened-line-1 rt").all_inner_texts() == ["yòu", "shì", "shuǐ"]
    song.get_by_label("Write sounds in").select_option("zhuyin")
    assert song.locator("#my-opened-line-1 rt").all_inner_texts() == ["ㄧㄡˋ", "ㄕˋ", "ㄕㄨㄟˇ"]
    assert barriers(page) == []


@pytest.mark.parametrize("by", ["keyboard", "touch"])
def test_stress(open_song, by):
    page = open_song("mine", has_touch=by == "touch")
    song = paste(page, json.dumps(PREPARED))
    song.locator(".edukit-song-practice summary").click()
    song.get_by_role("button", name="Stress").click()
    wanted = {"water": "1", "again": "2", "window": "1", "garden": "1"}
    for question in range(4):
        asked = song.locator(".edukit-song-question b").inner_text()
        button = song.locator(".edukit-song-exercise").get_by_role("button", name=wanted[asked], exact=True)
        if by == "touch":
            button.tap()
        else:
            button.focus()
            page.keyboard.press("Enter")
        if question < 3:
            page.keyboard.press("Enter") if by == "keyboard" else song.get_by_role(
                "button", name="Next"
            ).tap()
    expect(song.locator(".edukit-song-result")).to_have_text("4 of 4 right")


def test_words_and_meanings_with_their_source(open_song):
    page = open_song("mine")
    song = paste(page, json.dumps(PREPARED))
    song.locator(".edukit-song-practice summary").click()
    song.get_by_role("button", name="Match").click()
    for word, _, meaning in PREPARED["vocabulary"]:
        song.get_by_role("combobox", name=word, exact=True).select_option(meaning)
    expect(song.locator(".edukit-song-exercise")).to_contain_text("CC-CEDICT")
    song.get_by_role("button", name="Check").click()
    expect(song.locator(".edukit-song-result")).to_have_text("4 of 4 right")


def test_a_page_without_its_file_comes_alive_with_it(open_song):
    page = open_song("missing")
    expect(page.get_by_text("The words are not part of this page.")).to_be_visible()
    assert page.locator("#line-3").inner_text().startswith("Line 3")
    page.get_by_label("Open a lyric file").set_input_files(SITES / "singing" / "moon.lrc")
    link = page.locator(".edukit-song-about a")
    link.click()
    assert page.evaluate("location.hash") == "#opened-line-3"
    expect(page.locator("#opened-line-3")).to_be_in_viewport()
    assert barriers(page) == []


# -- sheets ------------------------------------------------


def printed(page: Page, name: str) -> tuple[str, int]:
    """Return the text of a sheet, and how many pages it takes."""
    page.evaluate("globalThis.print = () => {}")
    page.get_by_role("button", name=name, exact=True).click()
    text = page.locator(".edukit-song-sheet").inner_text()
    pdf = page.pdf(prefer_css_page_size=True)
    expect(page.locator(".edukit-song-sheet")).to_have_count(0)
    assert b"[0 0 594.95996 841.91998]" in pdf  # A4 in points
    return text, len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_sheets_for_a_class(open_song):
    page = open_song()
    unfold(page, "class")
    texts = {}
    for name in ("Print the words", "Worksheet A", "Worksheet B", "Key"):
        texts[name], pages = printed(page, name)
        assert pages == 1, name
        assert printed(page, name) == (texts[name], 1)  # the same each time
    assert "good night, my friend!" in texts["Print the words"]
    gaps = {name: set(re.findall(r"(\d+)\u2007", texts[name])) for name in texts}
    key = dict(re.findall(r"\[(\d+) ([AB])", texts["Key"]))
    assert gaps["Worksheet A"] == {number for number, of in key.items() if of == "A"}
    assert gaps["Worksheet B"] == {number for number, of in key.items() if of == "B"}
    assert gaps["Worksheet A"] & gaps["Worksheet B"] == set()
    assert len(key) == 8  # 35 % of 21 words, rounded up
    for number, of, word in re.findall(r"\[(\d+) ([AB]): ([^\]]+)\]", texts["Key"]):
        other = "B" if of == "A" else "A"
        assert word in texts[f"Worksheet {other}"], number


def test_a_long_song_is_one_page_too(open_song):
    page = open_song("mine")
    lines = "\n".join(f"[01:{at:02}]line {at} of a long song\n[01:{at:02}]第 {at} 行" for at in range(60))
    song = paste(page, f"[la:en]\n{lines}")
    song.locator(".edukit-song-class summary").click()
    text, pages = printed(page, "Print the words")
    assert "line 59 of" in text
    assert pages == 1


# -- nobody is kept out ------------------------------------------------


def barriers(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found]


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("zh_CN", "dark")])
def test_no_barrier_in_display_and_practice(open_song, language, scheme):
    page = open_song(language=language, color_scheme=scheme)
    unfold(page, "display")
    page.locator(".edukit-song-display input").check()
    assert barriers(page) == []
    unfold(page, "sing").locator("details summary").click()
    assert barriers(page) == []
    unfold(page, "practice")
    for at in range(page.locator(".edukit-song-practice .edukit-song-row button:visible").count()):
        page.locator(".edukit-song-practice .edukit-song-row button").nth(at).click()
        assert barriers(page) == []
        if page.locator(".edukit-song-exercise form").count():
            for field in page.locator(".edukit-song-exercise :is(input, select)").all()[:1]:
                kind = field.evaluate("(one) => one.tagName")
                field.fill("x") if kind == "INPUT" else field.select_option(index=1)
            page.locator(".edukit-song-exercise [type=submit]").click()
        else:
            page.locator(".edukit-song-exercise .edukit-song-row button").first.click()
        assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
