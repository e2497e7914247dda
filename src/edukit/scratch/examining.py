"""Read and draw one pupil's file in a process of its own, so that no file can do harm to the others.

The parent never opens the file: it gets findings, counts, pictures and the project's JSON as text.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .apart import run_apart
from .findings import Finding

_MEMORY = 2_000_000_000
_PACKAGES = str(Path(__file__).resolve().parent.parent.parent)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A script of a project, drawn: of which sprite, its number there, and the HTML."""

    target: str
    index: int
    html: str


@dataclass(frozen=True, slots=True)
class Examination:
    """What there is to say about a file.

    Parameters
    ----------
    findings
        As :func:`~edukit.scratch.check` gives them.
    project
        The text of the project's JSON; None for a file that is refused.
    counts
        How many blocks of each opcode stand in scripts that can run.
    drawings
        The scripts, drawn.
    stage
        The stage, drawn; None for a single sprite.
    failure
        Why the examination was broken off: ``too-slow`` or ``crashed``; None otherwise.
    """

    findings: tuple[Finding, ...] = ()
    project: str | None = None
    counts: Mapping[str, int] | None = None
    drawings: tuple[Drawing, ...] = ()
    stage: str | None = None
    failure: str | None = None


def examine(path: Path, language: str, *, timeout: float = 30) -> Examination:
    """Read, check and draw a file in a process of its own.

    Parameters
    ----------
    path
        The file.
    language
        Of the pictures: ``en`` or ``zh_CN``.
    timeout
        Seconds by the clock.
    """
    # -I: what stands in the environment and in the folder of the pupils is not imported.
    program = (
        f"import sys; sys.path.insert(0, {_PACKAGES!r}); from edukit.scratch.examining import main; main()"
    )
    command = [sys.executable, "-I", "-X", "utf8", "-c", program, str(path.absolute()), language]
    outcome = run_apart(command, "", timeout)
    if outcome.status is None:
        return Examination(failure="too-slow")
    if outcome.status:
        return Examination(failure="crashed")
    raw = json.loads(outcome.out)
    return Examination(
        findings=tuple(Finding(**one) for one in raw["findings"]),
        project=raw["project"],
        counts=raw["counts"],
        drawings=tuple(Drawing(**one) for one in raw["drawings"]),
        stage=raw["stage"],
    )


def main() -> None:
    """Examine the file that the arguments name and print the result as JSON."""
    if os.name != "nt":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    path, language = Path(sys.argv[1]), sys.argv[2]
    print(json.dumps(_examined(path, language)))


def _examined(path: Path, language: str) -> dict[str, Any]:
    from .checking import look_over
    from .drawing import draw_script, draw_stage
    from .findings import Report, ScratchError
    from .model import walk
    from .opcodes import HAT, opcodes
    from .reading import read
    from .wording import tell
    from .writing import project_json

    report = Report(path)
    result: dict[str, Any] = {"project": None, "counts": None, "drawings": [], "stage": None}
    try:
        project = read(report)
    except ScratchError as error:
        return result | {"findings": [asdict(one) for one in (*report.findings, error.finding)]}
    look_over(project, report)
    counts: Counter[str] = Counter()
    for target in project.targets:
        for script in target.scripts:
            if opcodes()[script.blocks[0].opcode].shape == HAT:
                counts.update(block.opcode for block in walk(script.blocks))
    title = "舞台" if language == "zh_CN" else "The stage"
    return {
        "findings": [asdict(one) for one in report.findings],
        "project": project_json(project) if project.kind == "project" else None,
        "counts": counts,
        "drawings": [
            {"target": one.target.name, "index": one.index, "html": draw_script(one, language)}
            for one in tell(project, language)
        ],
        "stage": draw_stage(project, title) if project.kind == "project" else None,
    }
