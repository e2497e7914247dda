"""The task runner, and the files that have to agree with it."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import ROOT


@pytest.fixture
def dev() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dev", ROOT / "tools/dev.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools/dev.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_task_is_offered_and_another_one_is_refused(dev: ModuleType) -> None:
    for arguments, status in [([], 0), (["help"], 0), (["nonsense"], 2)]:
        result = run(*arguments)
        assert result.returncode == status
        for task in dev.TASKS:
            assert f"  {task} " in result.stdout
            assert callable(getattr(dev, f"task_{task}"))


def test_the_makefile_knows_the_same_tasks(dev: ModuleType) -> None:
    makefile = (ROOT / "Makefile").read_text()
    (targets,) = re.findall(r"^([a-z ]+):$", makefile, re.MULTILINE)
    assert set(targets.split()) == {"help", *dev.TASKS}
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert set(phony.split()) == {"help", *dev.TASKS}


@pytest.mark.parametrize("name", ["site.txt", "dev.txt"])
def test_the_lock_is_whole(dev: ModuleType, name: str) -> None:
    path = ROOT / "requirements" / name
    text = path.read_text()
    # One version of each package for every Python, each with its hashes, from wherever pip is told.
    packages = re.findall(r"^([a-z0-9._-]+)==(\S+)", text, re.MULTILINE)
    assert len(packages) == len({name for name, _ in packages}) == dev.count_requirements(path)
    assert ("sphinx", "9.0.4") in packages
    assert {"hatchling", "editables"} <= {name for name, _ in packages}
    assert "://" not in text
    for entry in re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]:
        assert "--hash=sha256:" in entry


def test_both_locks_hold_the_same_versions() -> None:
    versions = [
        dict(
            re.findall(r"^([a-z0-9._-]+)==(\S+)", (ROOT / "requirements" / name).read_text(), re.MULTILINE)
        )
        for name in ("site.txt", "dev.txt")
    ]
    assert versions[0].items() <= versions[1].items()


def test_the_environment_finds_the_package_by_a_relative_path(
    dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = tmp_path / "课程 [1]/.venv/lib/python3.11/site-packages"
    packages.mkdir(parents=True)
    link = packages / "_editable_impl_sphinx_edukit.pth"
    link.write_text("/somewhere/课程/src", encoding="utf-8")
    monkeypatch.setattr(dev, "VENV", str(tmp_path / "课程 [1]/.venv"))
    monkeypatch.setattr(dev, "ROOT", str(tmp_path / "课程 [1]"))
    dev.link_relatively()
    assert link.read_bytes().isascii()
    assert (packages / link.read_text().strip()).resolve() == tmp_path / "课程 [1]/src"


def test_a_changed_lock_sets_the_environment_up_again(
    dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements/site.txt").write_text("one==1\n")
    (tmp_path / "requirements/dev.txt").write_text("one==1\ntwo==1\n")
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.setattr(dev, "ROOT", str(tmp_path))
    before = {level: dev.wanted(level) for level in ("site", "dev")}
    (tmp_path / "requirements/dev.txt").write_text("one==1\ntwo==2\n")
    after = {level: dev.wanted(level) for level in ("site", "dev")}
    assert after["site"] == before["site"]
    assert after["dev"] != before["dev"]
