"""The activities of the site, as the children have them: every step, in both languages, played."""

import functools
import os
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from edukit.scratch import playing
from edukit.scratch.author import Project
from edukit.scratch.playing import Performance, Plan

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "docs" / "scratch"
RUBRICS = ROOT / "src" / "edukit" / "scratch" / "rubrics"
TRANSCRIPTS = Path(__file__).parent / "transcripts"
LANGUAGES = ("en", "zh_CN")


@functools.cache
def program(name: str) -> dict[str, Any]:
    """Return what the program of an activity leaves."""
    return runpy.run_path(str(SCRATCH / f"{name}.py"))


def built(name: str, done: int | None = None) -> Project:
    """Return an activity when so many steps are done; all of them by default."""
    found = program(name)
    project = found["build"](found["STEPS"] if done is None else done)
    assert isinstance(project, Project)
    return project


@functools.cache
def perform(
    name: str, language: str, plans: tuple[Plan, ...], done: int | None = None
) -> tuple[Performance, ...]:
    """Play an activity by each plan, to the end; all in one process, whose start is what takes time."""
    played = playing.play(built(name, done).build(language), plans, timeout=100)
    performances = []
    for one in played:
        assert isinstance(one, Performance), one
        performances.append(one)
    return tuple(performances)


def starter_language(done: int) -> str:
    """Return the language to play a starter in.

    The finished activities are played in both; of the starters, which differ by nothing but words
    either, each second one is played in Chinese.
    """
    return LANGUAGES[done % 2]


def told(done: Performance) -> list[str]:
    """Return what was said and asked, in turn."""
    return [entry[-1] for entry in done.seen if entry[0] != "answer"]


def compare(name: str, performances: Sequence[Performance]) -> None:
    """Compare with the transcript that is kept; with ``EDUKIT_TRANSCRIPTS=write`` keep it anew."""
    lines = []
    for number, one in enumerate(performances, 1):
        lines.append(f"== play {number}, backdrop {one.backdrop} at the end")
        lines += ["  ".join(entry) for entry in one.seen]
    text = "\n".join(lines) + "\n"
    path = TRANSCRIPTS / f"{name}.txt"
    if os.environ.get("EDUKIT_TRANSCRIPTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
    assert text == path.read_text("utf-8")
