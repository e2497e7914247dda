"""Sine Painter is played to its end in scratch-vm: the lines on the paper, and what the brush says."""

import itertools
import json
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edukit.scratch.grading import grade_folder, load_rubric
from edukit.scratch.playing import Performance, Plan
from edukit.scratch.writing import project_json

from .activities import LANGUAGES, RUBRICS, SCRATCH, built, compare, perform, starter_language, told

# What was played is kept in memory: one process for the whole file.
pytestmark = [pytest.mark.node, pytest.mark.xdist_group("node"), pytest.mark.usefixtures("player")]

NAME = "sine_painter"
SPEEDS = (24, 12, 6, 3)
WORDS = {
    "en": {
        "hello": "Watch me paint waves!",
        "which": "Which place? From 0 to 100",
        "again": "Please type a number from 0 to 100",
        "read": "Place {} is {}",
        "end": "Did any two places look the same?",
    },
    "zh_CN": {
        "hello": "看我画波浪！",
        "which": "哪个位置？0 到 100",
        "again": "请输入 0 到 100 之间的数",
        "read": "位置 {} 是 {}",
        "end": "有没有两个位置一模一样？",
    },
}
ODD = ("", " ", "left", "中间", "-1", "101", "1 0", "Infinity", "NaN")
PICTURE = SCRATCH / "pictures" / "waves.svg"


def wave(place: float, speed: int) -> float:
    # Scratch rounds a sine to ten places.
    return 25 * round(math.sin(math.radians(place * speed)), 10)


def reading(place: float) -> str:
    return " ".join(str(math.floor(wave(place, speed) + 0.5)) for speed in SPEEDS)


PLANS = (
    Plan(("20", "21", "60"), seconds=600),
    Plan(("0", "100", "2.5"), seconds=600, seed=2),
    Plan((*ODD, "５", " 30 ", "007"), seconds=600),
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("number", "places"), [(0, (20, 21, 60)), (1, (0, 100, 2.5)), (2, (5, 30, 7))])
def test_every_place_is_read_on_all_waves(language: str, number: int, places: tuple[float, ...]) -> None:
    words, done = WORDS[language], perform(NAME, language, PLANS)[number]
    assert done.ended
    read = [line for line in told(done) if re.match(words["read"].split("{")[0] + r"[ \d]", line)]
    as_typed = {7: " 007 ".strip(), 30: " 30 "}
    assert read == [words["read"].format(as_typed.get(one, one), reading(one)) for one in places]
    assert told(done)[-1] == words["end"]
    odd = len(ODD) if number == 2 else 0
    assert told(done).count(words["which"]) == 3
    assert told(done).count(words["again"]) == odd
    assert done.asked == 3 + odd


def test_two_places_look_the_same_and_neighbours_do_not() -> None:
    """The page asks for two such places, and says why real tables have cosines as well."""
    assert reading(0) == reading(60)
    readings = [reading(place) for place in range(101)]
    assert all(one != next_one for one, next_one in itertools.pairwise(readings))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_transcript_is_the_one_that_is_kept(language: str) -> None:
    compare(f"{NAME}.{language}", perform(NAME, language, PLANS)[1:])


# -- the paper -------------------------------------------------------------------------------------------

Line = tuple[float, float, float, float, tuple[int, ...], float]


@pytest.fixture(scope="session")
def paint(
    node: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[int], list[Line]]:
    """Return the lines that are on the paper at the end, when so many steps are done."""

    def paint(done: int) -> list[Line]:
        path = tmp_path_factory.mktemp("paper") / "project.json"
        path.write_text(project_json(built(NAME, done).build("en")), "utf-8")
        lines: list[Any] = json.loads(node("witness.cjs", path, "120", '["20", "21", "22"]'))["lines"]
        return [(*one[:4], tuple(one[4]), one[5]) for one in lines]

    return paint


def expected_wave(speed: int, height: int) -> list[tuple[float, ...]]:
    ends = [(4 * place - 200, height + wave(place, speed)) for place in range(101)]
    return [(*one, *other) for one, other in itertools.pairwise(ends)]


def assert_waves(lines: list[Line], speeds: tuple[int, ...]) -> None:
    assert len(lines) == 100 * len(speeds)
    for number, speed in enumerate(speeds):
        painted = lines[100 * number : 100 * number + 100]
        for line, expected in zip(painted, expected_wave(speed, 90 - 60 * number), strict=True):
            assert line[:4] == pytest.approx(expected, abs=1e-4)


def svg(lines: list[Line]) -> str:
    """Draw the lines over the paper, each wave as one path."""
    paths = []
    for (colour, width), group in itertools.groupby(lines, key=lambda line: (line[4], line[5])):
        steps, end = [], None
        for x0, y0, x1, y1, *_ in group:
            start = "" if (x0, y0) == end else f"M{x0 + 240:g} {180 - y0:.4g}"
            steps.append(f"{start}L{x1 + 240:g} {180 - y1:.4g}")
            end = (x1, y1)
        paint = "#" + "".join(f"{part:02x}" for part in colour[:3])
        paths.append(
            f'  <path fill="none" stroke="{paint}" stroke-width="{width:g}" d="{"".join(steps)}"/>\n'
        )
    paper = (SCRATCH / "pictures" / "paper.svg").read_text("utf-8")
    return paper.replace("</svg>", "".join(paths) + "</svg>")


def test_four_waves_are_on_the_paper_in_four_colours(paint: Callable[[int], list[Line]]) -> None:
    lines = paint(5)
    assert_waves(lines[:400], SPEEDS)
    assert len({line[4] for line in lines[:400]}) == 4
    # The places that the script was asked for, from bottom to top.
    assert [line[:4] for line in lines[400:]] == [
        (4 * p - 200, -120, 4 * p - 200, 125) for p in (20, 21, 22)
    ]
    drawn = svg(lines[:402])
    if os.environ.get("EDUKIT_TRANSCRIPTS") == "write":
        PICTURE.write_text(drawn, "utf-8", newline="\n")
    assert drawn == PICTURE.read_text("utf-8")


@pytest.mark.parametrize(
    ("done", "speeds"), [(0, ()), (1, SPEEDS[:1]), (2, SPEEDS[:2]), (3, SPEEDS), (4, SPEEDS)]
)
def test_every_starter_runs_and_paints(
    paint: Callable[[int], list[Line]], done: int, speeds: tuple[int, ...]
) -> None:
    language = starter_language(done)
    (seen,) = perform(NAME, language, (Plan(seconds=600),), done)
    assert isinstance(seen, Performance)
    assert seen.ended
    assert told(seen)[0] == WORDS[language]["hello"]
    read = [WORDS[language]["read"].format(place, reading(place)) for place in (20, 21)]
    assert told(seen)[1:] == (read if done == 4 else [])
    lines = paint(done)
    assert_waves(lines[: 100 * len(speeds)], speeds)
    assert len(lines) == 100 * len(speeds) + (2 if done == 4 else 0)


def test_the_rubric_gives_the_finished_painting_all_and_each_starter_less(tmp_path: Path) -> None:
    rubric = load_rubric(RUBRICS / "sine-painter.toml")
    for name, done, language in [*((str(n), n, "zh_CN") for n in (2, 4, 5)), ("5-en", 5, "en")]:
        built(NAME, done).save(tmp_path / f"{name}.sb3", language)
    second, fourth, *finished = [one.points for one in grade_folder(tmp_path, rubric)]
    assert 0 < second < fourth < rubric.points
    assert finished == [rubric.points] * 2
