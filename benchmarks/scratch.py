"""What checking, drawing and grading Scratch projects cost.

    python benchmarks/scratch.py            measure and print
    python benchmarks/scratch.py --assert   and exit with 1 when a bound is missed
    python benchmarks/scratch.py --small    once, with few blocks and files: does it run?

A project of 1,000 blocks is read, checked and drawn in a process that has done so before, as the build of
a site does; a class of 40 such as a teacher has is graded from nothing, with all processes that are
started for it. Grading needs the player: ``edukit scratch install``.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from edukit.scratch import check, draw_script, load
from edukit.scratch.author import (
    Costume,
    Project,
    Words,
    answer,
    ask,
    change,
    equals,
    if_,
    join,
    pick_random,
    repeat,
    say,
    set_to,
)
from edukit.scratch.grading import grade_folder, load_rubric
from edukit.scratch.model import walk
from edukit.scratch.playing import PlayError
from edukit.scratch.wording import tell

# Seconds.
BOUNDS = {"check and draw 1,000 blocks": 1.0, "grade 40 projects": 60.0}
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
RUBRIC = """
[[contain]]
en = "asks"
blocks = ["ask and wait"]

[[behave]]
en = "right answers count"
then = "{right}"
variable = "score"
is = 5

[[behave]]
en = "wrong answers do not"
then = "{wrong}"
variable = "score"
is = 0

[[behave]]
en = "it ends"
then = "x"
ends = true
"""


def quiz(scripts: int) -> Project:
    """Return a project that sets five sums, with further scripts of ten blocks each."""
    costume = Costume("plain", PICTURE)
    project = Project("quiz", Words("Quiz", zh_CN="测验"), backdrops=[costume])
    score = project.variable("score")
    first, second = project.variable("first"), project.variable("second")
    cat = project.sprite("Cat", costumes=[costume])
    cat.when_flag(
        set_to(score, 0),
        repeat(
            5,
            set_to(first, pick_random(1, 9)),
            set_to(second, pick_random(1, 9)),
            ask(join(first, " + ", second, " = ?")),
            if_(equals(answer(), first + second), change(score, by=1), otherwise=[say("No", seconds=1)]),
        ),
    )
    for number in range(scripts):
        key = "abcdefghijklmnopqrstuvwxyz"[number % 26]
        cat.when_key(key, say(join(score * 2 + number, " points"), seconds=1), if_(score > 3, say("Good")))
    return project


def children_seconds() -> float:
    """Return how long the processors were busy with the processes that were started."""
    times = os.times()
    return times.children_user + times.children_system


def seconds(action: Callable[[], object], rounds: int) -> float:
    """Return the median of how long an action takes."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def measure(*, small: bool) -> dict[str, float]:
    """Return the seconds of each thing that is measured."""
    result = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "quiz.sb3")
        quiz(1 if small else 100).save(path, language="en")
        blocks = sum(1 for target in load(path).targets for one in target.scripts for _ in walk(one.blocks))
        print(f"{blocks} blocks, {os.cpu_count()} cores, Python {sys.version.split()[0]}")

        def check_and_draw() -> None:
            check(path)
            for telling in tell(load(path), "zh_CN"):
                draw_script(telling, "zh_CN")

        check_and_draw()
        took = seconds(check_and_draw, 1 if small else 9)
        result["check and draw 1,000 blocks"] = took if small else took * 1000 / blocks
        pupils, rubric = Path(folder, "class"), Path(folder, "rubric.toml")
        rubric.write_text(RUBRIC, "utf-8")
        pupils.mkdir()
        for number in range(2 if small else 40):
            shutil.copy(path, pupils / f"pupil {number}.sb3")
        try:
            begin = time.perf_counter()
            grades = grade_folder(pupils, load_rubric(rubric))
            result["grade 40 projects"] = time.perf_counter() - begin
            print(f"grading took {children_seconds():.0f} s of processors")
        except PlayError as error:
            print(f"not graded: {error}")
            result["grade 40 projects"] = float("inf")
        else:
            # What is fast because it does nothing is not measured.
            assert all(grade.points == 4 for grade in grades), grades[0].results
    return result


def main() -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--assert", dest="strict", action="store_true", help="fail when a bound is missed")
    parser.add_argument("--small", action="store_true", help="once, with little: does it run?")
    options = parser.parse_args()
    missed = []
    for name, took in measure(small=options.small).items():
        over = took > BOUNDS[name]
        missed += [name] if over else []
        print(f"{'✗' if over else '✓'} {name}: {took:.3f} s (at most {BOUNDS[name]:g} s)")
    return 1 if options.strict and missed else 0


if __name__ == "__main__":
    sys.exit(main())
