"""A small project as raw JSON, so that a test may spoil one thing in it, and the machinery of Node."""

import contextlib
import copy
import hashlib
import json
import os
import runpy
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from edukit.scratch import playing
from edukit.scratch.author import Project as Authored

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect width="4" height="2"/></svg>'
MD5 = hashlib.md5(SVG).hexdigest()


def block(opcode: str, **more: Any) -> dict[str, Any]:
    plain = {"opcode": opcode, "next": None, "parent": None, "inputs": {}, "fields": {}}
    return plain | {"shadow": False, "topLevel": False} | more


def raw_project() -> dict[str, Any]:
    """Return a project with a script of each kind of link: next, mouth, reporter, menu, variable."""
    costume = {"name": "c", "assetId": MD5, "dataFormat": "svg", "md5ext": f"{MD5}.svg"}
    common = {"variables": {}, "lists": {}, "broadcasts": {}, "comments": {}, "blocks": {}}
    common |= {"currentCostume": 0, "costumes": [costume], "sounds": [], "volume": 100}
    stage = copy.deepcopy(common) | {"isStage": True, "name": "Stage", "layerOrder": 0}
    stage["variables"] = {"v": ["score", 0]}
    stage["broadcasts"] = {"m": "go"}
    sprite = copy.deepcopy(common) | {"isStage": False, "name": "Cat", "layerOrder": 1}
    sprite |= {"x": 1, "y": 2, "size": 50, "direction": 90, "visible": True, "draggable": False}
    sprite["lists"] = {"l": ["things", ["a", 1]]}
    sprite["blocks"] = {
        "hat": block("event_whenflagclicked", next="set", topLevel=True, x=5, y=6),
        "set": block(
            "data_setvariableto",
            parent="hat",
            next="loop",
            inputs={"VALUE": [1, [10, "3"]]},
            fields={"VARIABLE": ["score", "v"]},
        ),
        "loop": block(
            "control_repeat",
            parent="set",
            next="say",
            inputs={"TIMES": [1, [6, "10"]], "SUBSTACK": [2, "go"]},
        ),
        "go": block("motion_goto", parent="loop", inputs={"TO": [1, "menu"]}),
        "menu": block("motion_goto_menu", parent="go", shadow=True, fields={"TO": ["_mouse_", None]}),
        "say": block("looks_say", parent="loop", inputs={"MESSAGE": [3, [12, "score", "v"], [10, "Hi"]]}),
        "loose": [12, "score", "v", 100, 200],
    }
    return {"targets": [stage, sprite], "monitors": [], "extensions": [], "meta": {"semver": "3.0.0"}}


@pytest.fixture
def raw() -> dict[str, Any]:
    return raw_project()


@pytest.fixture
def pack(tmp_path: Path) -> Callable[..., Path]:
    """Write a ``.sb3`` from raw JSON, or from any text or bytes, with the entries that a test wants."""

    def write(content: Any, entries: dict[str, bytes] | None = None, folder: str = "") -> Path:
        path = tmp_path / "project.sb3"
        text = content if isinstance(content, str | bytes) else json.dumps(content)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{folder}project.json", text)
            for name, data in ({f"{folder}{MD5}.svg": SVG} if entries is None else entries).items():
                archive.writestr(name, data)
        return path

    return write


@pytest.fixture(scope="session")
def activity() -> Authored:
    """The Subtraction Challenge of the site."""
    path = ROOT / "docs" / "scratch" / "subtraction_challenge.py"
    project = runpy.run_path(str(path))["project"]
    assert isinstance(project, Authored)
    return project


# -- Node ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def player() -> Path:
    """Install the player into the project's own cache, once for each state of its lock.

    Where that cannot be done the tests are skipped with the reason, except where ``CI`` is set: there they
    fail.
    """
    os.environ["EDUKIT_CACHE"] = str(ROOT / ".cache")
    try:
        with _alone(ROOT / ".cache" / "player.lock"):
            return playing.install()
    except playing.PlayError as error:
        if os.environ.get("CI"):
            pytest.fail(f"scratch-vm cannot be run: {error}")
        pytest.skip(f"scratch-vm cannot be run: {error}")


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Let one of several test processes fetch the player while the others wait for it."""
    lock.parent.mkdir(exist_ok=True)
    for _ in range(600):
        if playing.is_installed():
            break
        try:
            lock.touch(exist_ok=False)
        except FileExistsError:
            time.sleep(1)
        else:
            break
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


@pytest.fixture(scope="session")
def node(player: Path) -> Callable[..., str]:
    """Run a script of this folder under Node, with the player's packages, and return what it prints."""
    found = playing.find_node()

    def run(script: str, *arguments: str | Path, timeout: float = 120) -> str:
        done = subprocess.run(
            [found.program, str(HERE / script), str(player / "node_modules"), *map(str, arguments)],
            capture_output=True,
            encoding="utf-8",
            env=found.environment,
            timeout=timeout,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    return run
