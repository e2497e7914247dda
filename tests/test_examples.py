"""Each example runs alone, says what its page shows, and would stop if its claim did not hold."""

import ast
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
SCRIPTS = sorted(EXAMPLES.rglob("plot_*.py"))


def run(script, *, setup=""):
    """Run an example as a reader does, in a process of its own; `setup` is done to it before."""
    code = f"import runpy\n{setup}\nrunpy.run_path({str(script)!r}, run_name='__main__')"
    # One thread, as in the process that builds the site: the last digit of a sum depends on it.
    threads = dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"], "1")
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **threads, "MPLBACKEND": "agg", "PYTHONIOENCODING": "utf-8"},
        check=False,
    )


def named(script):
    return script.relative_to(EXAMPLES).as_posix()


def test_there_are_examples():
    assert SCRIPTS


def said_on_page(script):
    """Return the lines that the site shows as what an example prints."""
    page = (ROOT / "docs" / "auto_examples" / script.relative_to(EXAMPLES)).with_suffix(".rst")
    lines = iter(page.read_text(encoding="utf-8").splitlines())
    said = []
    for line in lines:
        if line == ".. rst-class:: sphx-glr-script-out":
            assert next(lines) == ""
            assert next(lines).strip() == ".. code-block:: none"
            said += itertools.takewhile(lambda text: text.startswith("    ") or not text, lines)
    return [line.strip() for line in said if line.strip()]


@pytest.mark.parametrize("script", SCRIPTS, ids=named)
def test_runs_alone_and_says_what_its_page_shows(built_site, script):
    """The site was built by another process: so the two runs also say the same."""
    result = run(script)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()
    assert [line.strip() for line in result.stdout.splitlines() if line.strip()] == said_on_page(script)


@pytest.mark.parametrize("script", SCRIPTS, ids=named)
def test_is_written_as_a_lesson(script):
    text = script.read_text(encoding="utf-8")
    tree = ast.parse(text)
    title, rule = (ast.get_docstring(tree) or "").splitlines()[:2]
    assert re.fullmatch(r"=+", rule)
    assert len(rule) == len(title)
    # What it concludes is checked where it is concluded, and not only printed.
    assert any(
        isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and ast.unparse(node.func) == "measure")
        for node in ast.walk(tree)
    )
    # The figures of the site are made by the house's own functions, which ask for alternative text.
    assert "pyplot" not in text
    assert "figures.show()" in text


@pytest.mark.parametrize("folder", [EXAMPLES, *sorted({script.parent for script in SCRIPTS})], ids=named)
def test_each_folder_has_its_introduction(folder):
    lines = (folder / "GALLERY_HEADER.rst").read_text(encoding="utf-8").splitlines()
    assert len(lines[0]) == len(lines[1])
    assert "".join(lines[2:])


ORDER = EXAMPLES / "position" / "plot_order_is_invisible.py"


@pytest.mark.parametrize(
    ("setup", "claim"),
    [
        # An attention that looks at places: each query is pushed towards the first key.
        (
            "import edukit.posenc as e, numpy; true = e.attention\n"
            "e.attention = lambda q, k, v, mask=None: "
            "true(q, k, v, mask=mask, bias=-numpy.arange(len(k)))",
            "order-equivariance-error is",
        ),
        # A table that says nothing.
        (
            "import edukit.posenc as e, numpy\n"
            "e.sinusoidal = lambda length, dim, **o: numpy.zeros((length, dim))",
            "assert len(np.unique(table, axis=0)) == 64",
        ),
        # A mask that nobody heeds: two layers under it are as blind as two without.
        (
            "import edukit.posenc as e; true = e.attention\n"
            "e.attention = lambda q, k, v, mask=None: true(q, k, v)",
            "order-change-two-causal-layers is",
        ),
    ],
)
def test_order_is_invisible_stops_when_a_claim_fails(setup, claim):
    result = run(ORDER, setup=setup)
    assert result.returncode == 1
    assert claim in result.stderr


@pytest.mark.parametrize(
    ("script", "setup", "claim"),
    [
        # All positions alike: then one matrix serves word and position well enough.
        (
            "plot_02_concatenate_or_add",
            "import edukit.posenc as e, numpy\n"
            "e.sinusoidal = lambda length, dim, **o: numpy.ones((length, dim))",
            "concat-fixed-misses-least is",
        ),
        # A layer whose work is the comparing alone, as the article has it.
        (
            "plot_02_what_width_costs",
            "import edukit.posenc as e, dataclasses; true = e.layer_flops\n"
            "e.layer_flops = lambda *given: "
            "dataclasses.replace(true(*given), projections=0, feed_forward=0)",
            "concat-work-ratio-128 is",
        ),
        (
            "plot_03_geometry",
            "import edukit.posenc as e; true = e.sinusoidal\n"
            "e.sinusoidal = lambda length, dim, **o: 2 * true(length, dim, **o)",
            "geometry-step-64 is",
        ),
        # Positions that are at right angles and as different as can be.
        (
            "plot_03_nearly_orthogonal",
            "import edukit.posenc as e, numpy\n"
            "e.sinusoidal = lambda n, d, **o: numpy.random.default_rng(99).normal(size=(n, d))",
            "geometry-cosine-positions is",
        ),
        (
            "plot_04_rank_and_subspaces",
            "import edukit.posenc as e, numpy\n"
            "e.sinusoidal = lambda n, d, **o: numpy.random.default_rng(99).normal(size=(n, d))",
            "told-decoded-400-words is",
        ),
        # Positions a hundred times smaller than they are drown in the words.
        (
            "plot_04_probes_and_scale",
            "import edukit.posenc as e; true = e.sinusoidal\n"
            "e.sinusoidal = lambda length, dim, **o: true(length, dim, **o) / 100",
            "told-best-002 is",
        ),
        # The pairs in the order in which the article has them: slow hands first.
        (
            "plot_05_clock_hands",
            "import edukit.posenc as e; true = e.wavelengths\n"
            "e.wavelengths = lambda dim, **o: true(dim, **o)[::-1]",
            "assert np.allclose([np.cos(way[-1])",
        ),
        # A turn the wrong way, and none.
        (
            "plot_05_one_turn_for_all",
            "import edukit.posenc as e; true = e.rotation_matrix\n"
            "e.rotation_matrix = lambda offset, dim: true(-offset, dim)",
            "sinusoid-shift-error is",
        ),
        (
            "plot_06_look_back",
            "import edukit.posenc as e, numpy\ne.rotation_matrix = lambda offset, dim: numpy.eye(dim)",
            "inside-built-share is",
        ),
        # A rotary encoding that turns nothing: then six equal words look alike in every respect.
        (
            "plot_06_four_terms",
            "import edukit.posenc as e; e.apply_rotary, e.rotary_frequencies\n"
            "e.apply_rotary = lambda x, *given, **o: x",
            "inside-weights-differ-others is",
        ),
    ],
)
def test_why_add_stops_when_a_claim_fails(script, setup, claim):
    result = run(EXAMPLES / "position" / f"{script}.py", setup=setup)
    assert result.returncode == 1
    assert claim in result.stderr
