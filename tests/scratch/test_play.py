"""The activity is played to its end in scratch-vm: what the child sees, and the score."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edukit.scratch import playing
from edukit.scratch.author import Project as Authored
from edukit.scratch.playing import Performance, Plan

pytestmark = pytest.mark.node

WORDS = {
    "en": {
        "owl": "Owl",
        "lantern": "Lantern",
        "hello": "Hello! I am Owl. Ten problems are waiting!",
        "yes": "Yes, well done!",
        "no": "Not quite: ",
        "again": "Please type a number, like 7. ",
        "all": "All ten lanterns are lit. You are a master!",
        "end": "The end! Lanterns lit: {}. Click the green flag to play again.",
        "score": "score",
        "party": "party",
    },
    "zh_CN": {
        "owl": "猫头鹰",
        "lantern": "灯笼",
        "hello": "你好！我是猫头鹰。十道题等着你！",
        "yes": "对了，真棒！",
        "no": "正确答案是：",
        "again": "请输入一个数，比如 7。",
        "all": "十盏灯笼全亮了，你是减法大师！",
        "end": "结束啦！点亮的灯笼：{} 盏。点绿旗再玩一次吧。",
        "score": "得分",
        "party": "庆祝",
    },
}
LANGUAGES = list(WORDS)


@pytest.fixture
def play(player: Path, activity: Authored) -> Callable[..., dict[str, Any]]:
    def play(language: str, answers: list[str], then: str, seed: int) -> dict[str, Any]:
        plan = Plan(tuple(answers), then, seed=seed, seconds=600)
        (done,) = playing.play(activity.build(language), [plan], timeout=100)
        assert isinstance(done, Performance), done
        assert done.ended
        told = {"seen": [list(entry) for entry in done.seen], "variables": done.variables}
        return told | {"backdrop": done.backdrop, "clones": [list(entry) for entry in done.clones]}

    return play


def problems(seen: list[list[str]]) -> list[tuple[int, int]]:
    found = [re.search(r"(\d+) - (\d+) = \?", line[-1]) for line in seen]
    return [(int(one[1]), int(one[2])) for one in found if one]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", [1, 20261130])
def test_ten_right_answers_light_ten_lanterns(
    play: Callable[..., dict[str, Any]], language: str, seed: int
) -> None:
    words = WORDS[language]
    end = play(language, [], "{right}", seed)
    owl, *dealt = words["owl"], *problems(end["seen"])
    expected = [["say", owl, words["hello"]]]
    for first, second in dealt:
        expected.append(["say", owl, f"{first} - {second} = ?"])
        expected.append(["answer", str(first - second)])
        expected.append(["say", owl, words["yes"]])
    expected.append(["say", owl, words["all"]])
    assert end["seen"] == expected
    assert len(dealt) == 10
    assert all(0 < second <= first <= 20 and first >= 3 for first, second in dealt)
    assert len(set(dealt)) > 5
    assert end["variables"][words["score"]] == 10
    assert end["backdrop"] == words["party"]
    assert end["clones"] == [[words["lantern"], 44 * n - 242, 143, True] for n in range(1, 11)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_wrong_answers_are_put_right_and_light_nothing(
    play: Callable[..., dict[str, Any]], language: str
) -> None:
    words = WORDS[language]
    end = play(language, [], "{wrong}", 2)
    told = [line[-1] for line in end["seen"] if line[-1].startswith(words["no"])]
    assert told == [f"{words['no']}{a} - {b} = {a - b}" for a, b in problems(end["seen"])]
    assert len(told) == 10
    assert int(end["variables"][words["score"]]) == 0
    assert end["clones"] == []
    assert end["seen"][-1] == ["say", words["owl"], words["end"].format(0)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_number_is_asked_again_and_costs_nothing(
    play: Callable[..., dict[str, Any]], language: str
) -> None:
    words = WORDS[language]
    odd = ["", "   ", "hello", "１２", "7 apples", "--1"]
    end = play(language, [*odd, "{right}", "{wrong}"], "{right}", 3)
    asked = [line[-1] for line in end["seen"] if line[0] == "say" and line[-1].endswith("= ?")]
    assert asked[1 : len(odd) + 1] == [words["again"] + asked[0]] * len(odd)
    assert len(asked) == 10 + len(odd)
    assert end["variables"][words["score"]] == 9
    assert end["seen"][-1] == ["say", words["owl"], words["end"].format(9)]


def test_a_number_written_otherwise_is_still_the_number(play: Callable[..., dict[str, Any]]) -> None:
    forms = [" {right} ", "{right}.0", "0{right}", "+{right}"]
    assert play("en", forms, "{right}", 4)["variables"]["score"] == 10


def test_the_same_seed_plays_the_same_game(play: Callable[..., dict[str, Any]]) -> None:
    answers = ["{right}", "{wrong}", ""]
    assert play("zh_CN", answers, "{right}", 5) == play("zh_CN", answers, "{right}", 5)
    assert play("zh_CN", [], "{right}", 5)["seen"] != play("zh_CN", [], "{right}", 6)["seen"]
