"""The player for web pages: fetched once, whole or not at all, and put into the wheel."""

import base64
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from edukit.scratch import stage
from edukit.scratch.playing import Node, PlayError
from tests.conftest import ROOT

FILES = {
    "package/dist/scaffolding/scaffolding-min.js": b"the player",
    "package/dist/scaffolding/scaffolding-min.js.LICENSE.txt": b"notices",
    "package/LICENSE": b"the licence",
    "package/../../evil.js": b"never asked for",
}


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a package, let it be the expected one, and let the cache be empty."""
    path = tmp_path / "packed.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for name, content in FILES.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    digest = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
    monkeypatch.setattr(stage, "INTEGRITY", digest)
    monkeypatch.setenv("EDUKIT_CACHE", str(tmp_path / "cache"))
    return path


@pytest.fixture
def npm(packed: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Stand in for npm; return what it was asked for."""
    asked: list[list[str]] = []

    def run(command: list[str], *, cwd: str, **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        Path(cwd, "x.tgz").write_bytes(packed.read_bytes())
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(stage, "find_node", lambda: Node("node", "npm", Path()))
    monkeypatch.setattr(subprocess, "run", run)
    return asked


def test_it_is_fetched_once_and_has_its_licence_beside_it(npm: list[list[str]], tmp_path: Path) -> None:
    assert stage.player_files() is None
    folder = stage.fetch()
    assert stage.fetch() == folder == stage.player_files()
    assert npm == [["npm", "pack", "@turbowarp/packager@3.13.0", "--ignore-scripts", "--silent"]]
    assert sorted(one.name for one in folder.iterdir()) == ["LICENSE.txt", "NOTICES.txt", "scaffolding.js"]
    licence = (folder / "LICENSE.txt").read_text("utf-8")
    assert "https://github.com/TurboWarp/packager" in licence
    assert licence.endswith("the licence")
    # Nothing is left of the way there.
    assert [one.name for one in (tmp_path / "cache").iterdir()] == [folder.name]


def test_what_is_not_the_expected_package_is_refused(
    npm: list[list[str]], packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed.write_bytes(packed.read_bytes() + b"\0")
    with pytest.raises(PlayError, match="is not what it should be"):
        stage.fetch()
    assert stage.player_files() is None


@pytest.mark.parametrize("failure", ["status", "nothing", "error"])
def test_without_a_network_it_says_so(packed: Path, monkeypatch: pytest.MonkeyPatch, failure: str) -> None:
    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        if failure == "error":
            raise OSError("no such program")
        return subprocess.CompletedProcess(command, int(failure == "status"), "", "no network")

    monkeypatch.setattr(stage, "find_node", lambda: Node("node", "npm", Path()))
    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(PlayError, match="npm could not fetch the player for web pages"):
        stage.fetch()
    assert stage.player_files() is None


@pytest.mark.node
def test_a_wheel_has_it_and_so_needs_no_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build as pip does, with the player from the project's own cache."""
    monkeypatch.setenv("EDUKIT_CACHE", str(ROOT / ".cache"))
    try:
        fetched = stage.fetch()
    except PlayError as error:
        if os.environ.get("CI"):
            pytest.fail(f"the player cannot be fetched: {error}")
        pytest.skip(f"the player cannot be fetched: {error}")
    program = "import sys; from hatchling.build import build_wheel, build_editable as edit; " + (
        "build_wheel(sys.argv[1]); edit(sys.argv[2])"
    )
    folders = [tmp_path / "wheel", tmp_path / "editable"]
    for folder in folders:
        folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, folders)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    inside = "edukit/scratch/player/stage/"
    names = []
    for folder in folders:
        (path,) = folder.glob("*.whl")
        with zipfile.ZipFile(path) as archive:
            names.append([one for one in archive.namelist() if one.startswith(inside)])
            if names[-1]:
                wanted = (fetched / stage.PLAYER).read_bytes()
                assert archive.read(inside + stage.PLAYER) == wanted
    # An editable install reads it in the cache.
    assert [len(one) for one in names] == [3, 0]
