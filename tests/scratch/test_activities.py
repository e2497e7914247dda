"""What holds for every activity of the site: its starters, its files, its words and its rubric."""

import itertools
import json
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from edukit.scratch import block_text, load
from edukit.scratch.author import AuthorError, Done, save_all, say, starter
from edukit.scratch.checking import look_over
from edukit.scratch.findings import Report
from edukit.scratch.grading import load_rubric

from .activities import LANGUAGES, RUBRICS, SCRATCH, built, program

ACTIVITIES = ["subtraction_challenge", "word_order", "sine_painter", "tone_quiz"]


@pytest.mark.parametrize("name", ACTIVITIES)
def test_there_is_a_starter_for_each_step(name: str) -> None:
    steps = program(name)["STEPS"]
    files = sorted(SCRATCH.glob(f"steps/{name}_*.py"))
    assert [path.stem for path in files] == [f"{name}_{step}" for step in range(1, steps + 1)]
    for step, path in enumerate(files, 1):
        project = runpy.run_path(str(path))["project"]
        assert project.name == f"{built(name).name}-step-{step}"
        for language in LANGUAGES:
            assert project.build(language) == built(name, step - 1).build(language)


@pytest.mark.parametrize("name", ACTIVITIES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_step_has_anything_that_a_teacher_would_speak_about(name: str, language: str) -> None:
    for done in range(program(name)["STEPS"] + 1):
        report = Report(Path("activity.sb3"))
        look_over(built(name, done).build(language), report)
        assert report.findings == []


@pytest.mark.parametrize("name", ACTIVITIES)
def test_each_step_changes_something(name: str) -> None:
    steps = [built(name, done).build("en").targets for done in range(program(name)["STEPS"] + 1)]
    scripts = [[target.scripts for target in targets] for targets in steps]
    assert all(one != next_one for one, next_one in itertools.pairwise(scripts))


@pytest.mark.parametrize("name", ACTIVITIES)
def test_the_files_are_the_same_each_time_and_read_back(name: str, tmp_path: Path) -> None:
    found = program(name)
    first = save_all(found["build"], found["STEPS"], tmp_path)
    assert len(first) == 2 * (found["STEPS"] + 1)
    assert len({path.name for path in first}) == len(first)
    kept = [path.read_bytes() for path in first]
    again = save_all(runpy.run_path(str(SCRATCH / f"{name}.py"))["build"], found["STEPS"], tmp_path)
    assert [path.read_bytes() for path in again] == kept
    for path in first[-2:]:
        language = "zh_CN" if path.stem.endswith("zh-cn") else "en"
        assert load(path) == built(name).build(language)


@pytest.mark.node
@pytest.mark.parametrize("name", ACTIVITIES)
def test_scratchblocks_reads_every_script_whole(
    node: Callable[..., str], name: str, tmp_path: Path
) -> None:
    cases = [
        ["zh-cn" if language == "zh_CN" else "en", one.text]
        for language in LANGUAGES
        for one in block_text(built(name).build(language), language)
    ]
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(cases), "utf-8")
    read = json.loads(node("parse.mjs", path))
    assert len(read) == len(cases)
    assert all(len(scripts) == 1 for scripts in read)
    assert '"obsolete"' not in json.dumps(read)


@pytest.mark.parametrize("name", ACTIVITIES)
def test_both_languages_have_words_of_their_own(name: str) -> None:
    """What is the same in both is a sign or a costume, never a name that was forgotten."""
    english, chinese = (built(name).build(language) for language in LANGUAGES)
    for one, other in zip(english.targets[1:], chinese.targets[1:], strict=True):
        assert one.name != other.name
    for one, other in zip(english.targets[0].variables, chinese.targets[0].variables, strict=True):
        assert one.name != other.name
        assert not other.name.isascii()


@pytest.mark.parametrize("name", ACTIVITIES)
def test_the_rubric_ships_in_both_languages(name: str) -> None:
    rubric = load_rubric(RUBRICS / f"{built(name).name}.toml")
    assert rubric.title("en") == built(name).title.text("en")
    assert rubric.title("zh_CN") == built(name).title.text("zh_CN")
    assert {item.kind for item in rubric.items} == {"contain", "behave", "avoid"}
    assert all(item.en.isascii() or "花" in item.en for item in rubric.items)
    assert not any(item.zh.isascii() for item in rubric.items)


def test_blocks_are_chosen_by_what_is_done() -> None:
    piece = say("Hello!")
    assert [Done(done).since(2, piece) for done in (1, 2, 3)] == [(), (piece,), (piece,)]
    assert [Done(done).before(2, piece) for done in (1, 2, 3)] == [(piece,), (), ()]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("x = 1", "has no function build"), ("def build(done):\n    return 1", "returns no project")],
)
def test_a_program_that_builds_nothing_is_an_error(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "activity.py"
    path.write_text(text, "utf-8")
    with pytest.raises(AuthorError, match=complaint):
        starter(path, 1)
