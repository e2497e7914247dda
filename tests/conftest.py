"""What all tests share: small sites as folders of their own, and sphinx-build as people call it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

# Processes side by side share the cores: numpy, which would take all of them, gets one in each.
if "PYTEST_XDIST_WORKER" in os.environ:
    for library in ("OMP", "OPENBLAS"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# How long an example may take depends on what else the machine does, and says nothing of the code.
settings.register_profile("edukit", deadline=None)
settings.load_profile("edukit")

pytest_plugins = "sphinx.testing.fixtures"

ROOT = Path(__file__).resolve().parent.parent
SITES = ROOT / "tests" / "sites"


@pytest.fixture(scope="session")
def rootdir() -> Path:
    """Where ``@pytest.mark.sphinx(testroot=...)`` of sphinx.testing looks for its sites."""
    return SITES


@pytest.fixture
def copy_site(tmp_path: Path) -> Callable[[str], Path]:
    """Copy a site from tests/sites, so that a test may change it."""

    def copy(name: str, to: str = "site") -> Path:
        return Path(
            shutil.copytree(
                SITES / name, tmp_path / to, ignore=shutil.ignore_patterns("_build", "*.mo", "__pycache__")
            )
        )

    return copy


def sphinx_build(
    *arguments: str | Path, cwd: Path, env: dict[str, str] | None = None, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run sphinx-build as on a command line; colours and the machine's Read the Docs settings off."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("READTHEDOCS")}
    return subprocess.run(
        [sys.executable, "-m", "sphinx", *map(str, arguments)],
        cwd=cwd,
        env=clean | {"NO_COLOR": "1", "LC_ALL": "C.UTF-8"} | (env or {}),
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the file that looks at every page, and end with the others that want the site.

    It takes longest; and while one process builds the site, the other does not wait for it. The file that
    runs every example comes before those others, so that no process is left with it alone.
    """
    of_site = {item.path for item in items if "built_site" in getattr(item, "fixturenames", ())}
    first = min(of_site, key=lambda path: (path.name != "test_pages.py", path), default=None)

    def turn(path: Path) -> int:
        if path == first:
            return 0
        if path not in of_site:
            return 1
        return 2 if path.name == "test_examples.py" else 3

    items.sort(key=lambda item: turn(item.path))


@pytest.fixture(scope="session")
def of_all(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def built_site(of_all: Path) -> Path:
    """The course site, built as strictly as Sphinx can; every test of the pages reads this one."""
    out, done = of_all / "site", of_all / "site-is-built"
    with FileLock(of_all / "site.lock"):
        if not done.exists():
            result = sphinx_build("-W", "-n", "-c", ROOT, "-b", "html", "docs", out, cwd=ROOT, timeout=900)
            assert result.returncode == 0, f"the site does not build:\n{result.stderr}"
            done.touch()
    return out
