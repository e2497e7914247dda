"""Subtraction Challenge is played to its end in scratch-vm: what the child sees, step by step."""

import json
import re
from pathlib import Path

import pytest

from edukit.scratch import playing
from edukit.scratch.grading import grade_folder, load_rubric
from edukit.scratch.playing import Performance, Plan
from edukit.scratch.writing import project_json

from .activities import LANGUAGES, RUBRICS, built, compare, perform, starter_language, told

# What was played is kept in memory: one process for the whole file.
pytestmark = [pytest.mark.node, pytest.mark.xdist_group("subtraction"), pytest.mark.usefixtures("player")]

NAME = "subtraction_challenge"
RUBRIC = RUBRICS / "subtraction-challenge.toml"
WORDS = {
    "en": {
        "yes": "Yes, well done!",
        "no": "Not quite: ",
        "again": "Please type a number, like 7. ",
        "through": "You made it through the night!",
        "over": "No lives left: the sun is up.",
        "new": "A new best score!",
        "end": "Lanterns lit: {}. Click the green flag to play again.",
        "score": "score",
        "best": "best score",
        "lives": "lives",
        "level": "level",
        "lantern": "Lantern",
        "party": "party",
        "dawn": "dawn",
    },
    "zh_CN": {
        "yes": "对了，真棒！",
        "no": "正确答案是：",
        "again": "请输入一个数，比如 7。",
        "through": "你闯过了整个夜晚！",
        "over": "生命用完，天亮了。",
        "new": "新的最高分！",
        "end": "点亮的灯笼：{} 盏。点绿旗再玩一次吧。",
        "score": "得分",
        "best": "最高分",
        "lives": "生命",
        "level": "关卡",
        "lantern": "灯笼",
        "party": "庆祝",
        "dawn": "天亮",
    },
}


ODD = ("", "   ", "\N{IDEOGRAPHIC SPACE}", "hello", "七", "7 apples", "--1", "1 2", "7 - 3", "<b>")
FORMS = (" {right} ", "{right}.0", "0{right}", "+{right}", "\N{IDEOGRAPHIC SPACE}{right}")


def plan(*answers: str, then: str = "{right}", seed: int = 1) -> Plan:
    return Plan(answers, then, seed=seed, seconds=600)


PLANS = {
    "right": plan(),
    "right 2": plan(seed=2),
    "right 3": plan(seed=20261130),
    "wrong": plan(then="{wrong}", seed=2),
    "two right": plan("{right}", "{right}", then="{wrong}", seed=3),
    "odd": plan(*ODD, "{right}", "{wrong}", seed=3),
    "forms": plan(*FORMS, seed=4),
    "mixed": plan("{right}", "{wrong}", "", seed=5),
    "mixed again": plan("{right}", "{wrong}", "", seed=5),
    "mixed otherwise": plan("{right}", "{wrong}", "", seed=6),
}


def game(language: str, name: str) -> Performance:
    return dict(zip(PLANS, perform(NAME, language, tuple(PLANS.values())), strict=True))[name]


def problems(done: Performance) -> list[tuple[int, int]]:
    found = [re.search(r"(\d+) - (-?\d+) = \?", line) for line in told(done)]
    return [(int(one[1]), int(one[2])) for one in found if one]


def values(done: Performance, words: dict[str, str], *names: str) -> list[int]:
    return [int(done.variables[words[name]]) for name in names]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["right", "right 2", "right 3"])
def test_twelve_right_answers_light_twelve_lanterns_on_three_levels(language: str, name: str) -> None:
    words, done = WORDS[language], game(language, name)
    assert done.ended
    dealt = problems(done)
    assert len(dealt) == 12
    for first, second in dealt[:4]:
        assert 0 < second <= first <= 10
    for first, second in dealt[4:8]:
        assert second < first < 100
        assert second % 10 <= first % 10
    for first, second in dealt[8:]:
        assert second < first < 100
        assert second % 10 > first % 10
    assert told(done).count(words["yes"]) == 12
    assert told(done)[-3:] == [words["through"], words["new"], words["end"].format(12)]
    assert values(done, words, "score", "best", "lives", "level") == [12, 12, 3, 3]
    assert done.backdrop == words["party"]
    assert list(done.clones) == [(words["lantern"], 38 * n - 247, 143, True) for n in range(1, 13)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_transcript_is_the_one_that_is_kept(language: str) -> None:
    compare(f"{NAME}.{language}", [game(language, "right"), game(language, "odd"), game(language, "wrong")])


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_wrong_answers_end_the_night(language: str) -> None:
    words, none, some = WORDS[language], game(language, "wrong"), game(language, "two right")
    put_right = [line for line in told(none) if line.startswith(words["no"])]
    assert put_right == [f"{words['no']}{a} - {b} = {a - b}" for a, b in problems(none)]
    assert len(put_right) == 3
    assert told(none)[-2:] == [words["over"], words["end"].format(0)]
    assert (none.backdrop, none.clones) == (words["dawn"], ())
    assert told(some)[-3:] == [words["over"], words["new"], words["end"].format(2)]
    assert values(some, words, "lives", "best") == [0, 2]
    assert len(some.clones) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_number_is_asked_again_and_costs_nothing(language: str) -> None:
    words, done = WORDS[language], game(language, "odd")
    asked = [line for line in told(done) if line.endswith("= ?")]
    assert asked[1 : len(ODD) + 1] == [words["again"] + asked[0]] * len(ODD)
    assert len(asked) == 12 + len(ODD)
    assert values(done, words, "score", "lives") == [11, 2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_written_otherwise_is_still_the_number(language: str) -> None:
    done = game(language, "forms")
    assert (done.asked, values(done, WORDS[language], "score")) == (12, [12])


def test_wide_digits_are_digits() -> None:
    answers = [str(a - b) for a, b in problems(game("zh_CN", "right"))]
    wide = [answer.translate(str.maketrans("0123456789", "０１２３４５６７８９")) for answer in answers]
    long = next(number for number, answer in enumerate(answers) if len(answer) == 2)
    wide[long] = wide[long][0] + answers[long][1]
    (done,) = perform(NAME, "zh_CN", (plan(*wide),))
    assert done.asked == 12
    assert values(done, WORDS["zh_CN"], "score", "lives") == [12, 3]


def test_a_best_score_is_kept_until_it_is_beaten() -> None:
    project = json.loads(project_json(built(NAME).build("en")))
    for variable in project["targets"][0]["variables"].values():
        if variable[0] == "best score":
            variable[1] = 5
    plans = [plan(*["{right}"] * score, then="{wrong}") for score in (4, 5, 6)]
    played = [one for one in playing.play(json.dumps(project), plans) if isinstance(one, Performance)]
    assert [WORDS["en"]["new"] in told(one) for one in played] == [False, False, True]
    assert [one.variables["best score"] for one in played] == [5, 5, 6]


# After so many steps: what is asked if all is right and if all is wrong, the lanterns, and what is asked
# if the first answer is no number.
STEPS = [
    (0, 0, 0, 0, 0),
    (1, 1, 1, 0, 1),
    (2, 12, 12, 12, 12),
    (3, 12, 12, 12, 12),
    (4, 12, 12, 12, 13),
    (5, 12, 3, 12, 13),
]


@pytest.mark.parametrize(("done", "asked", "asked_wrong", "lanterns", "asked_odd"), STEPS)
def test_every_starter_runs(done: int, asked: int, asked_wrong: int, lanterns: int, asked_odd: int) -> None:
    language = starter_language(done)
    words = WORDS[language]
    plans = (plan(), plan(then="{wrong}"), plan("hello"))
    right, wrong, odd = perform(NAME, language, plans, done)
    assert right.ended
    assert wrong.ended
    assert (right.asked, wrong.asked, odd.asked) == (asked, asked_wrong, asked_odd)
    assert told(right).count(words["yes"]) == asked
    assert sum(line.startswith(words["no"]) for line in told(wrong)) == asked_wrong
    assert int(right.variables[words["score"]]) == lanterns
    assert int(wrong.variables[words["score"]]) == 0
    assert (len(right.clones), len(wrong.clones)) == (lanterns, 0)


def test_the_same_seed_plays_the_same_game() -> None:
    assert game("zh_CN", "mixed") == game("zh_CN", "mixed again")
    assert game("zh_CN", "mixed").seen != game("zh_CN", "mixed otherwise").seen


def test_the_rubric_gives_the_finished_game_all_and_each_starter_less(tmp_path: Path) -> None:
    rubric = load_rubric(RUBRIC)
    for name, done, language in [
        ("2", 2, "zh_CN"),
        ("4", 4, "zh_CN"),
        ("6", 6, "zh_CN"),
        ("6-en", 6, "en"),
    ]:
        built(NAME, done).save(tmp_path / f"{name}.sb3", language)
    second, fourth, *finished = [one.points for one in grade_folder(tmp_path, rubric)]
    assert 0 < second < fourth < rubric.points
    assert finished == [rubric.points] * 2
