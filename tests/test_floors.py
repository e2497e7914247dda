"""The floors of the house: who may know whom, and what an import costs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

SOURCE = ROOT / "src/edukit"
DOMAINS = ["posenc", "lyrics", "scratch", "claims", "quiz", "catalogs", "figures"]
FEATURES = sorted(
    path.stem
    for path in (SOURCE / "sphinxext").iterdir()
    if (path.suffix == ".py" or (path / "__init__.py").exists()) and path.stem not in {"__init__", "common"}
)


def imports(path: Path) -> set[str]:
    """Return the full names that a file, or every file of a package, imports."""
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    names = set()
    for file in files:
        package = file.relative_to(ROOT / "src").parent.parts
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = list(package[: len(package) - node.level + 1]) if node.level else []
                module = ".".join([*base, node.module] if node.module else base)
                names.update({module, *(f"{module}.{alias.name}" for alias in node.names)})
    return names


def part(name: str) -> Path:
    file = SOURCE / f"{name}.py"
    return file if file.exists() else SOURCE / name


@pytest.mark.parametrize("name", DOMAINS)
def test_a_domain_knows_neither_sphinx_nor_another_domain(name: str) -> None:
    known = imports(part(name))
    allowed = {"edukit", f"edukit.{name}"} | ({"edukit.catalogs"} if name == "figures" else set())
    for imported in known:
        assert not imported.startswith(("sphinx", "docutils", "myst_parser")), imported
        if imported.startswith("edukit."):
            assert ".".join(imported.split(".")[:2]) in allowed, imported


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_does_not_know_another_feature(name: str) -> None:
    others = [f"edukit.sphinxext.{other}" for other in FEATURES if other != name]
    for imported in imports(part(f"sphinxext/{name}")):
        assert not any(imported == other or imported.startswith(f"{other}.") for other in others), imported


@pytest.mark.parametrize(
    ("name", "heavy"),
    [
        ("posenc", ["sphinx", "matplotlib", "scipy", "babel"]),
        (
            "lyrics",
            [
                "sphinx",
                "numpy",
                "babel",
                "docutils",
                "pypinyin",
                "rjieba",
                "opencc",
                "simplemma",
                "genanki",
            ],
        ),
        ("scratch", ["sphinx", "numpy", "babel", "docutils"]),
        ("figures", ["sphinx", "matplotlib", "numpy", "docutils"]),
        ("catalogs", ["sphinx", "numpy", "docutils"]),
    ],
)
def test_importing_a_domain_loads_nothing_heavy(name: str, heavy: list[str]) -> None:
    code = f"import sys, edukit.{name}; print([n for n in {heavy!r} if n in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
