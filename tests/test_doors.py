"""The pictures of the home page show the table, the song and the game as they are now."""

import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOORS = ROOT / "docs" / "_static" / "doors"


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "draw_doors.py"))


@pytest.mark.parametrize("name", ["position", "songs", "scratch"])
def test_the_picture_is_what_the_script_draws(script: dict[str, Any], name: str) -> None:
    drawn = script[f"draw_{name}"]()
    kept = (DOORS / f"{name}.svg").read_text(encoding="utf-8")
    assert kept == drawn, "out of date: run tools/draw_doors.py and look at the pictures"
