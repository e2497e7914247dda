"""The benchmark of posenc runs, says what it should, and can fail. No test looks at a time."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import posenc
from benchmarks.posenc import BOUNDS, Check, Competitor, Result
from edukit import catalogs

ROOT = Path(__file__).resolve().parent.parent
NUMBER = r"\d[\d.]*(?:e[+-]?\d+)?"


def run(*arguments):
    command = [sys.executable, ROOT / "benchmarks" / "posenc.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


def bounds(**others):
    """Return the options that give every bound a value that no machine misses, but for `others`."""
    values = {name: others.get(name.replace(" ", "_"), 1e12) for name in BOUNDS}
    return [f"--bound={name}={value}" for name, value in values.items()]


# -- the command ----------------------------------------------------------------------------------------


def test_it_measures_everything_it_promises():
    done = run("--small", "--assert", *bounds())
    assert done.returncode == 0, done.stderr
    sections = dict(re.findall(r"^(\w+)[^\n]*\n((?:  .*\n)+)", done.stdout, re.MULTILINE))
    assert list(sections) == ["tables", "rotary", "biases", "growth", "promises"]

    for title, ours in [
        ("tables", ["sinusoidal"]),
        ("rotary", ["apply_rotary`, interleaved", "apply_rotary`, halves"]),
        ("biases", ["alibi_bias", "t5_bias"]),
    ]:
        head, floor, *rest = sections[title].splitlines()
        assert head.split()[:3] == ["what", "ms", "ratio"]
        assert re.search(rf" {NUMBER}  +1\.00  +1\.00–1\.00", floor)
        for name in ours:
            [row] = [line for line in rest if f"`{name}" in line]
            assert re.search(rf" {NUMBER}  +{NUMBER}  +{NUMBER}–{NUMBER}  +{NUMBER}", row)

    promised = sections["promises"].splitlines()[1:]
    assert [name for name in BOUNDS for row in promised if name.split()[0] in row]
    assert all(re.search(rf" {NUMBER}  +1e\+12(  |$)", row) for row in promised)
    assert len(promised) == len(BOUNDS) + 1  # two layouts of one promise


def test_it_fails_when_a_bound_is_missed_and_names_it():
    done = run("--small", "--assert", *bounds(sinusoidal_memory=0))
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("missed: `sinusoidal`, peak memory")
    assert line.endswith("at most 0")


def test_without_assert_nothing_is_missed():
    assert run("--small", *bounds(sinusoidal=0)).returncode == 0


@pytest.mark.parametrize("given", ["speed=1", "sinusoidal", "sinusoidal=fast"])
def test_a_bound_that_it_does_not_know(given, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["posenc.py", "--small", f"--bound={given}"])
    with pytest.raises(SystemExit, match="2"):
        posenc.main()
    assert "--bound" in capsys.readouterr().err


# -- measuring ------------------------------------------------------------------------------------------


def test_competitors_take_turns():
    calls = []
    competitors = [Competitor(name, lambda name=name: calls.append(name)) for name in "abc"]
    results = posenc.take_turns(competitors, rounds=20, seconds=1e9)
    turns = ["".join(calls[at : at + 3]) for at in range(0, len(calls), 3)]
    assert len(turns) == 21  # the first only warms up
    assert {"".join(sorted(turn)) for turn in turns} == {"abc"}
    assert len(set(turns)) > 3  # in another order each time
    assert [result.name for result in results] == ["a", "b", "c"]
    assert (results[0].low, results[0].ratio, results[0].high) == (1, 1, 1)
    assert all(result.low <= result.ratio <= result.high for result in results)


def test_times_are_medians_without_the_first_round(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(posenc.time, "perf_counter", lambda: now[0])

    def lasting(*seconds):
        left = list(seconds)
        return lambda: now.__setitem__(0, now[0] + left.pop(0))

    competitors = [
        Competitor("floor", lasting(50, 1, 2, 1, 2, 1)),
        Competitor("other", lasting(9000, 4, 8, 3, 10, 5)),
    ]
    floor, other = posenc.take_turns(competitors, rounds=5, seconds=1e9)
    assert (floor.seconds, other.seconds) == (1, 5)
    assert other.ratio == 4  # of 4, 4, 3, 5, 5: a ratio of one round, and not of the medians
    assert 3 < other.low < other.ratio < other.high <= 5


def test_it_stops_after_its_time_but_not_before_three_rounds():
    calls = []
    posenc.take_turns([Competitor("a", lambda: calls.append(1))], rounds=20, seconds=0)
    assert len(calls) == 4


def test_peak_memory_counts_what_is_thrown_away():
    def lean():
        return np.ones(100_000)

    def wasteful():
        return np.ones(100_000) + np.ones(100_000)

    assert posenc.peak_memory(Competitor("lean", lean)) == pytest.approx(1, abs=0.05)
    assert posenc.peak_memory(Competitor("wasteful", wasteful)) >= 2
    assert posenc.peak_memory(Competitor("other", lambda: "no array")) is None


@pytest.mark.parametrize("convention", ["paper", "tensor2tensor in halves"])
def test_errors_are_those_of_the_table(convention):
    n, d = 40, 8
    [ours] = [one for one in posenc.tables(n, d) if one.name == "`sinusoidal`"]
    table = ours.call().astype(float)
    if convention != "paper":
        from edukit.posenc import sinusoidal

        table = sinusoidal(n, d, layout="halves", spacing="tensor2tensor", dtype=float)
    right = Competitor("right", lambda: table, convention=convention)
    assert posenc.largest_error(right, n, d) < 1e-6
    table[7, 3] += 0.25
    assert posenc.largest_error(right, n, d) == pytest.approx(0.25, abs=1e-6)


def test_the_formulas_that_compete_say_what_ours_say():
    from edukit.posenc import alibi_bias, sinusoidal, t5_bias

    table = np.random.default_rng(0).normal(size=(32, 4)).astype(np.float32)
    np.testing.assert_allclose(posenc.numpy_table(64, 16, np.float64), sinusoidal(64, 16), atol=1e-6)
    np.testing.assert_allclose(posenc.numpy_alibi(4, 20, 20), alibi_bias(4, 20, 20), rtol=1e-6)
    np.testing.assert_array_equal(posenc.numpy_t5(table, 200, 200), t5_bias(table, 200, 200))


# -- what is written ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0.00"), (1, "1.00"), (1.234, "1.23"), (12.345, "12"), (123.4, "123"), (1.3e-7, "1.3e-7")],
)
def test_numbers_are_short(value, text):
    assert posenc.short(value) == text


@pytest.fixture
def copies(tmp_path, monkeypatch):
    """Let the benchmark write into copies of the page, its catalog and the example."""
    monkeypatch.setattr(posenc, "ROOT", tmp_path)
    for name in ("PAGE", "CATALOG", "EXAMPLE"):
        original = getattr(posenc, name)
        copy = tmp_path / original.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(original, copy)
        monkeypatch.setattr(posenc, name, copy)
    return tmp_path


def test_the_tables_of_the_page_are_written_and_its_catalog_with_them(copies):
    before = catalogs.read(posenc.CATALOG).messages
    promises = [Check("`sinusoidal`, against allocation and copy", "sinusoidal", 1.2345678, "1.11–1.99")]
    group = [Result("copy of x", 0.009876, 1, 1, 1, memory=1)]
    shown = {
        "promises": posenc.promise_rows(promises, BOUNDS),
        "rotary": posenc.group_rows(group),
    }
    for _ in range(2):  # writing the same again changes nothing
        for name, rows in shown.items():
            posenc.write_table(name, rows)
        posenc.write_catalog(list(shown.values()))
        page = posenc.PAGE.read_text(encoding="utf-8")
        assert "| `sinusoidal`, against allocation and copy | 1.23 | 2 | 1.11–1.99 |\n" in page
        assert "| copy of x | 9.88 | 1.00 | 1.00–1.00 | 1.00 |\n" in page

        after = {message.id: message.string for message in catalogs.read(posenc.CATALOG).messages}
        for cell in ["1.23", "1.11–1.99", "2", "9.88", "1.00"]:
            assert after[cell] == cell
        # Words stay, with their translations; numbers that are on the page no more do not.
        words = [(one.id, one.string) for one in before if re.search(r"[^\W\d_]{2}", one.id)]
        assert words == [pair for pair in after.items() if re.search(r"[^\W\d_]{2}", pair[0])]
        assert len(after) == len(words) + 6
        ids = list(after)
        assert ids.index("1.23") == ids.index("`sinusoidal`, against allocation and copy") + 1


def test_the_catalog_is_in_the_order_that_make_catalogs_gives_it(copies):
    page = posenc.PAGE.read_text(encoding="utf-8")
    shown = [
        [[cell.strip() for cell in line[1:-1].split("|")] for line in block.split("\n") if line[:2] == "| "]
        for block in re.findall(r"^% table \w+\n(.*?)^% end", page, re.DOTALL | re.MULTILINE)
    ]
    assert len(shown) == 4
    before = posenc.CATALOG.read_bytes()
    posenc.write_catalog([[rows[0], *rows[2:]] for rows in shown])
    assert posenc.CATALOG.read_bytes() == before


def test_the_figure_draws_what_was_written(copies):
    text = posenc.EXAMPLE.read_text(encoding="utf-8")
    names = list(posenc.GROWTH.values())
    posenc.write_example([16, 32], {name: [0.5, float(at)] for at, name in enumerate(names)})
    written = posenc.EXAMPLE.read_text(encoding="utf-8")
    given = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(written).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in {"positions", "milliseconds"}
    }
    assert given["positions"] == [16, 32]
    assert given["milliseconds"] == {name: [0.5, at] for at, name in enumerate(names)}
    # The example that is kept has the same names, from a run of the large arrays.
    assert f"positions = {list(posenc.LARGE.growth)}\n" in text
    assert all(f'    "{name}": [' in text for name in names)


def test_only_the_large_arrays_are_written(copies, monkeypatch):
    before = posenc.PAGE.read_bytes()
    monkeypatch.setattr(sys, "argv", ["posenc.py", "--small", "--write"])
    with pytest.raises(SystemExit, match="large arrays"):
        posenc.main()
    assert posenc.PAGE.read_bytes() == before


def test_a_page_without_a_place_is_said(copies):
    posenc.PAGE.write_text("nothing\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"speed\.md has no place .* % table rotary"):
        posenc.write_table("rotary", posenc.group_rows([Result("a", 1, 1, 1, 1)]))


def test_the_page_shows_the_bounds_that_are_checked():
    page = posenc.PAGE.read_text(encoding="utf-8")
    rows = page.partition("% table promises")[2].partition("% end")[0].splitlines()
    shown = [row.split("|")[3] for row in rows if row.startswith("| `")]
    expected = [BOUNDS[name] for name in BOUNDS for _ in range(2 if name == "apply_rotary" else 1)]
    assert [float(bound) for bound in shown] == expected
