"""Word Order is played to its end in scratch-vm: right rows, wrong rows, odd answers, every starter."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from edukit.scratch.grading import grade_folder, load_rubric
from edukit.scratch.playing import Performance, Plan

from .activities import LANGUAGES, RUBRICS, built, compare, perform, starter_language, told

# What was played is kept in memory: one process for the whole file.
pytestmark = [pytest.mark.node, pytest.mark.xdist_group("words"), pytest.mark.usefixtures("player")]

NAME = "word_order"
SENTENCES = {
    "en": [
        ["the dog", "chases", "the cat"],
        ["the cat", "chases", "the dog"],
        ["the fish", "watches", "the cat", "from its bowl"],
    ],
    "zh_CN": [["小狗", "追", "小猫"], ["小猫", "追", "小狗"], ["小鱼", "在鱼缸里", "看着", "小猫"]],
}
WORDS = {
    "en": {
        "next": "Which word comes next?",
        "again": "Please type one of the numbers. ",
        "yes": "Yes: ",
        "other": "The same words in another order: ",
        "picture": "The picture says: ",
        "end": "Sentences that are right: {}. Order is part of the meaning!",
        "bag": "bag",
        "row": "your row",
        "scene": "Picture",
    },
    "zh_CN": {
        "next": "下一个是哪个词？",
        "again": "请输入其中一个序号。",
        "yes": "对了：",
        "other": "词一样，顺序不同：",
        "picture": "图上画的是：",
        "end": "排对的句子：{} 句。顺序也是意思的一部分！",
        "bag": "词袋",
        "row": "你排的队",
        "scene": "图画",
    },
}
ODD = ("", " ", "0", "9", "-1", "the dog", "小狗", "last", "random", "all", "1 2")


def plan(*answers: str, seed: int = 1) -> Plan:
    return Plan(answers, "1", seed=seed, seconds=600)


def bags(done: Performance) -> list[list[str]]:
    """Return the words of each question, as they are numbered."""
    return [re.findall(r"  \d+ (.*?)(?=  \d|$)", line) for line in told(done) if re.search(r"  1 ", line)]


def numbers(bag: list[str], sentence: list[str]) -> list[str]:
    """Return the answers that take the words of a bag in the order of the sentence."""
    left, answers = list(bag), []
    for word in sentence:
        answers.append(str(left.index(word) + 1))
        left.remove(word)
    return answers


def first_of_the_bag(language: str) -> tuple[Performance, ...]:
    """Play several seeds, always taking the first word of the bag."""
    return perform(NAME, language, tuple(plan(seed=seed) for seed in (1, 2, 3)))


VARIANTS: list[tuple[int, tuple[str, ...], Callable[[str], str]]] = [
    (1, (), str),
    (2, (), str),
    (3, (), str),
    (1, ODD, str),
    (1, (), lambda number: f" {number}.0 "),
    (1, (), lambda number: chr(ord(number) + 0xFEE0)),
]
"""Seed, what is answered first, and how numbers are written: the last are wide digits."""


def in_order(language: str) -> tuple[Performance, ...]:
    """Play each variant with the right answers; what is dealt next depends on what has been said."""
    answers = [list(odd) for _, odd, _ in VARIANTS]
    for step in range(4):
        plans = tuple(plan(*given, seed=one[0]) for given, one in zip(answers, VARIANTS, strict=True))
        played = perform(NAME, language, plans)
        if step == 3:
            break
        for given, done, (_, _, written) in zip(answers, played, VARIANTS, strict=True):
            bag = bags(done)[len(given)]
            given += [written(number) for number in numbers(bag, SENTENCES[language][step])]
    return played


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_right_order_makes_the_sentences_of_the_pictures(language: str) -> None:
    words = WORDS[language]
    for done in in_order(language)[:3]:
        assert done.ended
        said = [line for line in told(done) if line.startswith(words["yes"])]
        assert said == [words["yes"] + " ".join(one) for one in SENTENCES[language]]
        assert told(done)[-1] == words["end"].format(3)
        assert done.asked == 10
        assert done.lists[words["bag"]] == []
        assert done.lists[words["row"]] == SENTENCES[language][2]
        assert done.sprites[words["scene"]]["costume"] in ("fish watches cat", "鱼看猫")


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_order_is_shown_beside_what_the_picture_says(language: str) -> None:
    words = WORDS[language]
    for done in first_of_the_bag(language):
        asked, wrong, right = bags(done), [], 0
        for sentence in SENTENCES[language]:
            dealt = asked[0]
            assert sorted(dealt) == sorted(sentence)
            asked = asked[len(sentence) :]
            if dealt == sentence:
                right += 1
            else:
                wrong += [words["other"] + " ".join(dealt), words["picture"] + " ".join(sentence)]
        heard = [line for line in told(done) if line.startswith((words["other"], words["picture"]))]
        assert heard == wrong
        assert told(done)[-1] == words["end"].format(right)
    assert len({str(bags(done)) for done in first_of_the_bag(language)}) > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_that_is_not_there_is_asked_again(language: str) -> None:
    words, done = WORDS[language], in_order(language)[3]
    again = [line for line in told(done) if line.startswith(words["again"])]
    assert len(again) == len(ODD)
    assert all(words["next"] in line for line in again)
    assert (done.asked, told(done)[-1]) == (10 + len(ODD), words["end"].format(3))


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_written_otherwise_and_wide_digits_are_numbers(language: str) -> None:
    for done in in_order(language)[4:]:
        assert (done.asked, told(done)[-1]) == (10, WORDS[language]["end"].format(3))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_transcript_is_the_one_that_is_kept(language: str) -> None:
    compare(f"{NAME}.{language}", [in_order(language)[3], first_of_the_bag(language)[1]])


# After so many steps: how often is asked, and with a first answer that is no number.
STEPS = [(0, 0, 0), (1, 0, 0), (2, 3, 4), (3, 3, 4), (4, 3, 4)]


@pytest.mark.parametrize(("done", "asked", "asked_odd"), STEPS)
def test_every_starter_runs(done: int, asked: int, asked_odd: int) -> None:
    language = starter_language(done)
    words, sentence = WORDS[language], SENTENCES[language][0]
    first, odd = perform(NAME, language, (plan(), plan("x")), done)
    assert first.ended
    assert odd.ended
    assert (first.asked, odd.asked) == (asked, asked_odd)
    kept = first.lists[words["bag" if done < 2 else "row"]]
    assert sorted(kept) == (sorted(sentence) if done else [])
    assert any(line.startswith(words["again"]) for line in told(odd)) == (done >= 3)
    judged = [line for line in told(first) if line.startswith((words["yes"], words["other"]))]
    assert len(judged) == (1 if done >= 4 else 0)
    # Without the check of step 3 what is no number leaves a gap in the row.
    assert ("" in odd.lists[words["row"]]) == (done == 2)


def test_the_rubric_gives_the_finished_game_all_and_each_starter_less(tmp_path: Path) -> None:
    rubric = load_rubric(RUBRICS / "word-order.toml")
    for name, done, language in [
        ("2", 2, "zh_CN"),
        ("4", 4, "zh_CN"),
        ("5", 5, "zh_CN"),
        ("5-en", 5, "en"),
    ]:
        built(NAME, done).save(tmp_path / f"{name}.sb3", language)
    second, fourth, *finished = [one.points for one in grade_folder(tmp_path, rubric)]
    assert 0 < second < fourth < rubric.points
    assert finished == [rubric.points] * 2
