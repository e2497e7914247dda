"""What all tests share: small sites as folders of their own, and sphinx-build as people call it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Processes side by side share the cores: numpy, which would take all of them, gets one in each.
if "PYTEST_XDIST_WORKER" in os.environ:
    for library in ("OMP", "OPENBLAS"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# How long an example may take depends on what else the machine does, and says nothing of the code.
settings.register_profile("edukit", deadline=None)
settings.load_profile("edukit")

pytest_plugins = "sphinx.testing.fixtures"

# Made once for a whole run: the tests that ask for one of these stay in one process.
MADE_ONCE = {"built_site": "site", "chromium": "site", "node": "node"}


@pytest.hookimpl(tryfirst=True)  # before the tests are handed out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for name in getattr(item, "fixturenames", ()):
            if name in MADE_ONCE:
                item.add_marker(pytest.mark.xdist_group(MADE_ONCE[name]))
                break


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


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course site, built as strictly as Sphinx can; every test of the pages reads this one."""
    out = tmp_path_factory.mktemp("site") / "html"
    result = sphinx_build("-W", "-n", "-c", ROOT, "-b", "html", "docs", out, cwd=ROOT, timeout=900)
    assert result.returncode == 0, f"the site does not build:\n{result.stderr}"
    return out
