"""An activity grows step by step, and each step has a file to start from: all of one source."""

import runpy
from collections.abc import Callable
from pathlib import Path

from ..opcodes import LANGUAGES
from .pieces import AuthorError, Piece
from .project import Project


class Done(int):
    """How many steps of an activity are done; a number that also chooses blocks.

    ::

        def build(done: int = 3) -> Project:
            done = Done(done)
            ...
            owl.when_flag(
                say("Hello!", seconds=2),
                *done.since(1, set_to(score, 0)),
                *done.before(2, ask("7 - 3 = ?")),
                *done.since(2, repeat(10, ask(problem))),
            )
    """

    __slots__ = ()

    def since(self, step: int, *pieces: Piece) -> tuple[Piece, ...]:
        """Return blocks that a step puts in, if it is done."""
        return pieces if self >= step else ()

    def before(self, step: int, *pieces: Piece) -> tuple[Piece, ...]:
        """Return blocks that a step takes out, if it is not done yet."""
        return pieces if self < step else ()


def starter(program: Path, step: int) -> Project:
    """Return what the children have when a step begins.

    Parameters
    ----------
    program
        The program of the activity; it has a function ``build(done)``.
    step
        The step that begins, from 1: so many less one are done.
    """
    build = runpy.run_path(str(program)).get("build")
    if not callable(build):
        raise AuthorError(f"{program.name} has no function build(done)")
    project = build(step - 1)
    if not isinstance(project, Project):
        raise AuthorError(f"build of {program.name} returns no project")
    return project


def save_all(build: Callable[[int], Project], steps: int, folder: str | Path = ".") -> list[Path]:
    """Write the finished project and what each step begins with, in both languages.

    Parameters
    ----------
    build
        Returns the project when so many steps are done.
    steps
        How many steps there are.
    folder
        Where to.

    Returns
    -------
    list of Path
        The files.
    """
    written = []
    for done in range(steps + 1):
        project = build(done)
        for language in LANGUAGES:
            path = Path(folder, project.file_name(language))
            project.save(path, language)
            written.append(path)
    return written
