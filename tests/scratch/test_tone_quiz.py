"""Tone Quiz is played to its end in scratch-vm: what is said and heard, and the sound of a tone."""

import hashlib
import io
import json
import re
import struct
import wave
from collections.abc import Callable
from pathlib import Path

import pytest

from edukit.lyrics import load, read_aloud
from edukit.scratch.grading import grade_folder, load_rubric
from edukit.scratch.playing import Performance, Plan
from edukit.scratch.writing import project_json

from .activities import (
    LANGUAGES,
    ROOT,
    RUBRICS,
    built,
    compare,
    perform,
    program,
    starter_language,
    told,
)

# What was played is kept in memory: one process for the whole file.
pytestmark = [pytest.mark.node, pytest.mark.xdist_group("node"), pytest.mark.usefixtures("player")]

NAME = "tone_quiz"
TONES = {"花": 1, "书": 1, "园": 2, "芽": 2, "雨": 3, "雪": 3, "字": 4, "画": 4}
WORDS = {
    "en": {
        "which": ": which tone? 1, 2, 3 or 4",
        "again": "Listen again, and type 1, 2, 3 or 4.",
        "yes": "Yes, ",
        "no": "Listen: ",
        "end": "Tones that you heard: {} of 8",
        "sound": "tone {}",
    },
    "zh_CN": {
        "which": "是第几声？1、2、3 还是 4",
        "again": "再听一遍，然后输入 1、2、3 或 4。",
        "yes": "对了，",
        "no": "听一听：",
        "end": "听对的声调：{} 个，一共 8 个",
        "sound": "声调 {}",
    },
}
MD5 = {
    "tone 1": "7aadf4b027e153d248adc2c02b8da58c",
    "tone 2": "c77eb36527d834ab5147aa4c6896fb53",
    "tone 3": "56096496ef62edf874a3db89baafd716",
    "tone 4": "f4509053f0e36963b0feb94219834976",
}
ODD = ("", " ", "5", "0", "1.5", "hua", "一", "1 2", "second")


def replies(answer: Callable[[int], str]) -> tuple[tuple[str, str], ...]:
    """Return what is answered to each word, by the sign that follows it in either language."""
    return tuple((word + sign, answer(tone)) for word, tone in TONES.items() for sign in " （")


REPLIES = replies(str)
WRONG = replies(lambda tone: str(tone % 4 + 1))
WIDE = replies(lambda tone: f" {chr(ord(str(tone)) + 0xFEE0)}")
PLANS = (
    *(Plan(replies=REPLIES, seed=seed, seconds=600) for seed in (1, 2, 3)),
    Plan(replies=WRONG, seed=1, seconds=600),
    Plan(replies=WIDE, seed=4, seconds=600),
    Plan(ODD, "3", seed=5, seconds=600),
)


def asked(done: Performance, language: str) -> list[str]:
    """Return the words that were asked for, each once in a row."""
    found: list[str] = []
    for line in told(done):
        if line.endswith(WORDS[language]["which"]) and line[0] not in found[-1:]:
            found.append(line[0])
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_each_word_comes_once_and_right_answers_count(language: str, number: int) -> None:
    words, done = WORDS[language], perform(NAME, language, PLANS)[number]
    assert done.ended
    assert sorted(asked(done, language)) == sorted(TONES)
    assert done.asked == 8
    assert sum(line.startswith(words["yes"]) for line in told(done)) == 8
    assert told(done)[-1] == words["end"].format(8)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_order_is_another_with_another_seed(language: str) -> None:
    orders = {tuple(asked(done, language)) for done in perform(NAME, language, PLANS)[:3]}
    assert len(orders) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_answer_is_told_the_reading_and_the_tone(language: str) -> None:
    words, done = WORDS[language], perform(NAME, language, PLANS)[3]
    heard = [line for line in told(done) if line.startswith(words["no"])]
    assert len(heard) == 8
    for character, line in zip(asked(done, language), heard, strict=True):
        assert re.search(rf"\b{TONES[character]}\b", line)
    assert told(done)[-1] == words["end"].format(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_tone_is_asked_again(language: str) -> None:
    words, done = WORDS[language], perform(NAME, language, PLANS)[5]
    assert told(done).count(words["again"]) == len(ODD)
    assert done.asked == 8 + len(ODD)
    assert told(done)[-1] == words["end"].format(2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_transcript_is_the_one_that_is_kept(language: str) -> None:
    plays = perform(NAME, language, PLANS)
    compare(f"{NAME}.{language}", [plays[0], plays[3], plays[5]])


# -- what is heard ---------------------------------------------------------------------------------------

Events = list[list[str]]


@pytest.fixture(scope="session")
def hear(node: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Events]:
    """Return what is said and heard, in turn."""

    def hear(language: str, answer: str, done: int | None = None) -> Events:
        path = tmp_path_factory.mktemp("sounds") / "project.json"
        path.write_text(project_json(built(NAME, done).build(language)), "utf-8")
        events: Events = json.loads(node("witness.cjs", path, "600", json.dumps([answer])))["events"]
        return events

    return hear


@pytest.mark.parametrize("language", LANGUAGES)
def test_before_each_question_the_tone_of_the_word_is_heard(
    hear: Callable[..., Events], language: str
) -> None:
    words, events = WORDS[language], hear(language, "1")
    sounds = [text for kind, text in events if kind == "hear"]
    assert sounds[:4] == [words["sound"].format(tone) for tone in (1, 2, 3, 4)]
    questions = [number for number, (_, text) in enumerate(events) if text.endswith(words["which"])]
    assert len(questions) == 8
    for number in questions:
        tone = TONES[events[number][1][0]]
        assert events[number - 1] == ["hear", words["sound"].format(tone)]
        # Tone 1 was answered: where it is another, the right one is heard once more.
        told_again = events[number + 2 : number + 3] == [["hear", words["sound"].format(tone)]]
        assert told_again == (tone != 1)


def frequency(samples: list[int], rate: int) -> float:
    """Return the pitch of a stretch of sound: the shift by which it is most like itself."""

    def alike(shift: int) -> int:
        return sum(one * other for one, other in zip(samples, samples[shift:], strict=False))

    return rate / max(range(rate // 400, rate // 140), key=alike)


def test_the_tones_sound_as_teachers_draw_them() -> None:
    course = {}
    for tone in (1, 2, 3, 4):
        with wave.open(io.BytesIO(program(NAME)["hum"](tone))) as file:
            rate, count = file.getframerate(), file.getnframes()
            samples = list(struct.unpack(f"<{count}h", file.readframes(count)))
        assert 4000 < max(samples) <= 32767
        assert abs(samples[0]) < 100
        assert abs(samples[-1]) < 100
        stretch = 500
        starts = [count // 20, count // 2 - stretch // 2, count * 19 // 20 - stretch]
        course[tone] = [frequency(samples[start : start + stretch], rate) for start in starts]
    start, middle, end = course[1]
    assert max(course[1]) - min(course[1]) < 10
    start, middle, end = course[2]
    assert start * 1.1 < middle < end / 1.1
    start, middle, end = course[3]
    assert middle * 1.1 < start < end
    start, middle, end = course[4]
    assert start / 1.2 > middle > end * 1.2


def test_the_sounds_are_small_and_the_same_on_every_machine() -> None:
    project = built(NAME).build("en")
    sounds = {one.name: one for one in project.targets[1].sounds}
    found = {name: hashlib.md5(one.data, usedforsecurity=False).hexdigest() for name, one in sounds.items()}
    assert found == MD5
    assert sum(len(one.data) for one in sounds.values()) < 64_000
    assert len(built(NAME).to_bytes("en")) < 80_000


def test_the_words_are_of_the_song_and_their_tones_those_of_the_page() -> None:
    song = load(ROOT / "docs" / "songs" / "a-garden-of-words.lrc")
    heard = {(one.text, one.pinyin, one.tone) for line in song.lines for one in read_aloud(line)}
    for words, reading, tone in program(NAME)["WORDS"]:
        assert words.en[0] == words.zh_CN[0]
        assert TONES[words.en[0]] == tone
        assert (words.en[0], reading, tone) in heard


@pytest.mark.parametrize("done", range(5))
def test_every_starter_runs(hear: Callable[..., Events], done: int) -> None:
    language = starter_language(done)
    words, events = WORDS[language], hear(language, "2", done)
    sounds = [text for kind, text in events if kind == "hear"]
    if done:
        assert sounds[:4] == [words["sound"].format(tone) for tone in (1, 2, 3, 4)]
    else:
        assert sounds == []
    questions = [text for _, text in events if text.endswith(words["which"])]
    assert len(questions) == (0, 0, 1, 1, 8)[done]
    judged = [
        text for kind, text in events if kind == "say" and text.startswith((words["yes"], words["no"]))
    ]
    assert len(judged) == len(questions)
    for question, verdict in zip(questions, judged, strict=True):
        assert verdict.startswith(words["yes"]) == (TONES[question[0]] == 2)
    if done == 2:
        assert questions[0][0] == "花"
    if done == 4:
        assert sorted(question[0] for question in questions) == sorted(TONES)


def test_the_rubric_gives_the_finished_quiz_all_and_each_starter_less(tmp_path: Path) -> None:
    rubric = load_rubric(RUBRICS / "tone-quiz.toml")
    for name, done, language in [*((str(n), n, "zh_CN") for n in (2, 4, 5)), ("5-en", 5, "en")]:
        built(NAME, done).save(tmp_path / f"{name}.sb3", language)
    second, fourth, *finished = [one.points for one in grade_folder(tmp_path, rubric)]
    assert 0 < second < fourth < rubric.points
    assert finished == [rubric.points] * 2
