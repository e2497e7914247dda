"""What position encodings cost, beside the memory that they fill: the time, the memory, the import.

    python benchmarks/posenc.py            measure and print
    python benchmarks/posenc.py --assert   and exit with 1 when a bound is missed
    python benchmarks/posenc.py --small    once, with small arrays: does it run?
    python benchmarks/posenc.py --write    and write the tables and the figure of docs/reference

Each function competes with a floor, the memory alone: for a table that is allocating and copying as many
bytes, for a rotation a copy of its input, for a bias allocating and filling an array. (``np.empty`` is no
floor: the system hands the memory out when it is first written to.) All competitors of a group take turns
in one process, each once a round, in an order drawn anew; a ratio is one of a single round. Printed are
the medians of time and ratio, and between what the middle eight tenths of the ratios lie.

Other libraries take part where they are installed, and ``--write`` wants all of them; in an environment
of its own: ``pip install -r tools/posenc_reference.txt -e .``. PyTorch uses all the cores, numpy one. No
BLAS is called in what is timed, so that it does not matter which one numpy has. A quiet machine matters.
"""

import argparse
import datetime
import importlib.metadata
import math
import os
import platform
import random
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)

from benchmarks import report  # noqa: E402  # found by the path above
from edukit.posenc import alibi_bias, apply_rotary, rotary_frequencies, sinusoidal, t5_bias  # noqa: E402

PAGE = ROOT / "docs/reference/posenc/speed.md"
CATALOG = ROOT / "docs/locale/zh_CN/LC_MESSAGES/reference/posenc/speed.po"
EXAMPLE = ROOT / "examples/reference/plot_speed.py"

LIBRARIES = ("torch", "transformers", "positional-encodings", "rotary-embedding-torch", "x-transformers")

# The promises: times the floor; memory at its peak over the memory of the result; milliseconds.
BOUNDS = {
    "sinusoidal": 2.0,
    "sinusoidal memory": 1.3,
    "apply_rotary": 3.0,
    "alibi_bias": 2.0,
    "t5_bias": 2.0,
    "import": 20.0,
}


@dataclass(frozen=True, slots=True)
class Sizes:
    """How big the arrays are, and how long to measure each group: rounds, or less after some seconds."""

    table: tuple[int, int]  # positions, columns
    growth: tuple[int, ...]  # positions
    rotary: tuple[int, int, int]  # heads, positions, columns of a head
    bias: tuple[int, int, int]  # heads, queries, keys
    rounds: int
    seconds: float
    imports: int


# Tables, inputs and biases of 32 MiB in float32.
LARGE = Sizes((8192, 1024), tuple(2**k for k in range(8, 17)), (32, 2048, 128), (8, 1024, 1024), 60, 15, 20)
SMALL = Sizes((64, 16), (16, 32), (2, 16, 8), (2, 16, 16), 3, 1, 2)


@dataclass(frozen=True, slots=True)
class Competitor:
    """Something that is timed; `convention` says which exact table it is compared with."""

    name: str
    call: Callable[[], Any]
    promise: str = ""
    convention: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The median time in seconds; the ratio to the floor, its 10th percentile, median and 90th."""

    name: str
    seconds: float
    low: float
    ratio: float
    high: float
    promise: str = ""
    memory: float | None = None  # at its peak, over that of the result
    error: float | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A promise as it was measured."""

    name: str
    promise: str
    value: float
    spread: str


# -- measuring --------------------------------------------------------------------------------------------


def take_turns(competitors: Sequence[Competitor], rounds: int, seconds: float) -> list[Result]:
    """Time all competitors once a round; the first of them is the floor."""
    chance = random.Random(1)
    order = list(competitors)
    times: dict[str, list[float]] = {one.name: [] for one in competitors}
    end = time.perf_counter() + seconds
    for number in range(rounds + 1):
        chance.shuffle(order)
        for one in order:
            start = time.perf_counter()
            result = one.call()
            duration = time.perf_counter() - start
            del result  # before the next one asks for memory
            if number:  # the first round only warms up
                times[one.name].append(duration)
        if number >= 3 and time.perf_counter() > end:
            break
    floor = np.array(times[competitors[0].name])
    results = []
    for one in competitors:
        ratios = np.array(times[one.name]) / floor
        low, middle, high = np.percentile(ratios, [10, 50, 90])
        results.append(Result(one.name, float(np.median(times[one.name])), low, middle, high, one.promise))
    return results


def peak_memory(competitor: Competitor) -> float | None:
    """Return what is held at the most during a call, over the result; of PyTorch nothing is known."""
    tracemalloc.start()
    result = competitor.call()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return float(peak / result.nbytes) if isinstance(result, np.ndarray) else None


def import_times(count: int) -> list[float]:
    """Return what the import takes once numpy is there, in seconds, each in a process of its own."""
    code = (
        "import time, numpy; start = time.perf_counter(); import edukit.posenc; "
        "print(time.perf_counter() - start)"
    )
    # The first one compiles, and has to be allowed to keep what it compiled.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    runs = (
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=env)
        for _ in range(count + 1)
    )
    return [float(run.stdout) for run in runs][1:]


# -- the competitors --------------------------------------------------------------------------------------


def installed(*names: str) -> bool:
    try:
        return all(importlib.metadata.version(name) for name in names)
    except importlib.metadata.PackageNotFoundError:
        return False


def numpy_table(n: int, d: int, dtype: type) -> np.ndarray:
    """The formula of the paper as it stands, worked out in `dtype`."""
    frequencies = 10000.0 ** -(np.arange(0, d, 2) / d)
    angles = np.arange(n, dtype=dtype)[:, np.newaxis] * frequencies.astype(dtype)
    table = np.empty((n, d), np.float32)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table


def torch_table(n: int, d: int) -> Any:
    """Our wording of the code that most PyTorch tutorials share."""
    import torch

    rates = torch.exp(torch.arange(0, d, 2).float() * (-math.log(10000.0) / d))
    angles = torch.arange(n).float().unsqueeze(1) * rates
    table = torch.zeros(n, d)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


def tables(n: int, d: int) -> list[Competitor]:
    memory = np.ones((n, d), np.float32)
    competitors = [
        Competitor("allocation and copy", memory.copy),
        Competitor("`sinusoidal`", lambda: sinusoidal(n, d), "sinusoidal", "paper"),
        Competitor("numpy, formula in float64", lambda: numpy_table(n, d, np.float64), "", "paper"),
        Competitor("numpy, formula in float32", lambda: numpy_table(n, d, np.float32), "", "paper"),
    ]
    if installed("torch"):
        competitors.append(Competitor("PyTorch, tutorial code", lambda: torch_table(n, d), "", "paper"))
    if installed("torch", "positional-encodings"):
        import torch
        from positional_encodings.torch_encodings import PositionalEncoding1D

        rows = torch.empty(1, n, d)
        # A new object each time: it keeps the table that it has made.
        competitors.append(
            Competitor("positional-encodings", lambda: PositionalEncoding1D(d)(rows)[0], "", "paper")
        )
    if installed("torch", "transformers"):
        from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding

        make = M2M100SinusoidalPositionalEmbedding.get_embedding
        competitors.append(
            Competitor("transformers, M2M100", lambda: make(n, d), "", "tensor2tensor in halves")
        )
    return competitors


def largest_error(competitor: Competitor, n: int, d: int) -> float | None:
    """Return how far a table is from the same formula in float64."""
    if not competitor.convention:
        return None
    halves = competitor.convention.endswith("halves")
    pairs = d // 2
    frequencies = 10000.0 ** -(np.arange(pairs) / (pairs - 1 if halves else pairs))
    angles = np.arange(n)[:, np.newaxis] * frequencies
    table = np.asarray(competitor.call())
    sines, cosines = (table[:, :pairs], table[:, pairs:]) if halves else (table[:, 0::2], table[:, 1::2])
    return float(max(np.abs(sines - np.sin(angles)).max(), np.abs(cosines - np.cos(angles)).max()))


def rotations(heads: int, n: int, width: int) -> list[Competitor]:
    x = np.random.default_rng(1).normal(size=(heads, n, width)).astype(np.float32)
    positions, frequencies = np.arange(n), rotary_frequencies(width)

    def rotate(layout: Any) -> Callable[[], Any]:
        return lambda: apply_rotary(x, positions, frequencies, layout=layout)

    competitors = [
        Competitor("copy of x", x.copy),
        Competitor("`apply_rotary`, interleaved", rotate("interleaved"), "apply_rotary"),
        Competitor("`apply_rotary`, halves", rotate("halves"), "apply_rotary"),
    ]
    if installed("torch", "rotary-embedding-torch"):
        import torch
        from rotary_embedding_torch import RotaryEmbedding

        rotary, batch = RotaryEmbedding(width), torch.from_numpy(x)[None]
        competitors.append(
            Competitor("rotary-embedding-torch", lambda: rotary.rotate_queries_or_keys(batch))
        )
    if installed("torch", "transformers"):
        import torch
        from transformers import LlamaConfig
        from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

        batch, places = torch.from_numpy(x)[None], torch.arange(n)[None]
        llama = LlamaRotaryEmbedding(LlamaConfig(head_dim=width))
        # It rotates queries and keys: one head of keys is the least that it can be given.
        competitors.append(
            Competitor(
                "transformers, Llama",
                lambda: apply_rotary_pos_emb(batch, batch[:, :1], *llama(batch, places)),
            )
        )
    return competitors


def numpy_alibi(heads: int, queries: int, keys: int) -> np.ndarray:
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    distance = np.arange(queries)[:, np.newaxis] - np.arange(keys)
    bias = -slopes[:, np.newaxis, np.newaxis] * distance
    return np.where(distance >= 0, bias, -np.inf).astype(np.float32)


def numpy_t5(table: np.ndarray, queries: int, keys: int) -> np.ndarray:
    offsets = np.arange(keys) - np.arange(queries)[:, np.newaxis]
    distance = np.abs(offsets)
    far = 8 + (np.log(np.maximum(distance, 1) / 8) / np.log(128 / 8) * 8).astype(int)
    buckets = np.where(distance < 8, distance, np.minimum(far, 15)) + 16 * (offsets > 0)
    return np.ascontiguousarray(table[buckets].transpose(2, 0, 1))


def biases(heads: int, queries: int, keys: int) -> list[Competitor]:
    shape = heads, queries, keys
    table = np.random.default_rng(1).normal(size=(32, heads)).astype(np.float32)
    competitors = [
        Competitor("allocation and filling", lambda: np.full(shape, 1, np.float32)),
        Competitor("`alibi_bias`", lambda: alibi_bias(*shape), "alibi_bias"),
        Competitor("ALiBi in numpy, formula", lambda: numpy_alibi(*shape)),
        Competitor("`t5_bias`", lambda: t5_bias(table, queries, keys), "t5_bias"),
        Competitor("T5 in numpy, formula", lambda: numpy_t5(table, queries, keys)),
    ]
    if installed("torch", "x-transformers"):
        from x_transformers.x_transformers import AlibiPositionalBias

        competitors.append(
            Competitor("x-transformers, ALiBi", lambda: AlibiPositionalBias(heads)(queries, keys))
        )
    if installed("torch", "transformers"):
        import torch
        from transformers import T5Config
        from transformers.models.t5.modeling_t5 import T5Attention

        config = T5Config(num_heads=heads, d_model=8 * heads, d_kv=8)
        t5 = T5Attention(config, has_relative_attention_bias=True)
        competitors.append(
            Competitor("transformers, T5", torch.no_grad()(lambda: t5.compute_bias(queries, keys)))
        )
    return competitors


# -- the whole --------------------------------------------------------------------------------------------

GROUPS = ("tables", "rotary", "biases")
GROWTH = {
    "allocation and copy": "memory alone",
    "`sinusoidal`": "edukit",
    "numpy, formula in float64": "numpy, formula",
    "PyTorch, tutorial code": "PyTorch, tutorial code",
    "transformers, M2M100": "transformers, M2M100",
}
Growth = dict[str, list[float]]


def measure_group(competitors: list[Competitor], sizes: Sizes) -> list[Result]:
    # Memory first: the first call of a function fills what it may keep for the next ones.
    memory = {one.name: peak_memory(one) for one in competitors}
    error = {one.name: largest_error(one, *sizes.table) for one in competitors}
    return [
        replace(result, memory=memory[result.name], error=error[result.name])
        for result in take_turns(competitors, sizes.rounds, sizes.seconds)
    ]


def measure_growth(sizes: Sizes) -> Growth:
    """Return the milliseconds of each competitor of the figure for each number of positions."""
    growth: Growth = {}
    for n in sizes.growth:
        competitors = [one for one in tables(n, sizes.table[1]) if one.name in GROWTH]
        for result in take_turns(competitors, max(sizes.rounds // 4, 3), sizes.seconds / 4):
            growth.setdefault(GROWTH[result.name], []).append(float(f"{1000 * result.seconds:.3g}"))
    return growth


def kept_promises(groups: dict[str, list[Result]], imports: list[float]) -> list[Check]:
    checks = []
    for results in groups.values():
        for result in results:
            if not result.promise:
                continue
            name = f"{result.name}, against {results[0].name}"
            checks.append(Check(name, result.promise, result.ratio, spread(result.low, result.high)))
            if f"{result.promise} memory" in BOUNDS:
                assert result.memory is not None
                name = f"{result.name}, peak memory against the size of the result"
                checks.append(Check(name, f"{result.promise} memory", result.memory, ""))
    low, middle, high = np.percentile(imports, [10, 50, 90]) * 1000
    name = "`import edukit.posenc`, milliseconds over numpy"
    return [*checks, Check(name, "import", float(middle), spread(low, high))]


# -- what is said -----------------------------------------------------------------------------------------


def short(value: float) -> str:
    """Write a number with two decimals, or none, or an exponent."""
    if value and abs(value) < 0.005:
        return f"{value:.1e}".replace("e-0", "e-")
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.0f}"


def spread(low: float, high: float) -> str:
    return f"{short(low)}–{short(high)}"


def group_rows(results: Sequence[Result]) -> list[list[str]]:
    rows = [["what", "ms", "ratio", "middle 80 %", "peak memory", "largest error"]]
    for result in results:
        rest = ["" if value is None else short(value) for value in (result.memory, result.error)]
        between = spread(result.low, result.high)
        rows.append([result.name, short(1000 * result.seconds), short(result.ratio), between, *rest])
    if all(result.error is None for result in results):
        rows = [row[:-1] for row in rows]
    return rows


def promise_rows(checks: Sequence[Check], bounds: dict[str, float]) -> list[list[str]]:
    rows = [["what", "measured", "at most", "middle 80 %"]]
    return rows + [
        [check.name, short(check.value), f"{bounds[check.promise]:g}", check.spread] for check in checks
    ]


def growth_rows(positions: Sequence[int], growth: Growth) -> list[list[str]]:
    rows = [["positions", *map(str, positions)]]
    return rows + [[name, *map(short, milliseconds)] for name, milliseconds in growth.items()]


def circumstances(rounds: int) -> list[str]:
    """Say when, where and with what it was measured."""
    lines = [
        datetime.datetime.now(datetime.UTC).date().isoformat(),
        report.machine(),
        f"{platform.system()}, Python {platform.python_version()}, numpy {np.__version__}",
    ]
    lines += [f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES if installed(name)]
    return [*lines, f"up to {rounds} rounds"]


# -- the pages --------------------------------------------------------------------------------------------


def write_table(name: str, rows: list[list[str]]) -> None:
    report.write_table(PAGE, name, rows)


def write_catalog(tables: Sequence[list[list[str]]]) -> None:
    report.write_catalog(CATALOG, PAGE.relative_to(ROOT).as_posix(), tables)


def write_example(positions: Sequence[int], growth: Growth) -> None:
    lines = "".join(f'    "{name}": {milliseconds},\n' for name, milliseconds in growth.items())
    content = f"positions = {list(positions)}\nmilliseconds = {{\n{lines}}}\n"
    report.write_between(
        EXAMPLE, "# Written by benchmarks/posenc.py:", "# (end of what is written)", content
    )


# -- the command ------------------------------------------------------------------------------------------


def bound(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    if name not in BOUNDS:
        raise argparse.ArgumentTypeError(f"{name} is none of {', '.join(BOUNDS)}")
    return name, float(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--assert", dest="assert_", action="store_true", help="exit with 1 when a bound is missed"
    )
    parser.add_argument("--small", action="store_true", help="small arrays, once, to see that it runs")
    parser.add_argument(
        "--write", action="store_true", help="write the tables and the figure of docs/reference"
    )
    parser.add_argument(
        "--bound",
        type=bound,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another bound for --assert",
    )
    options = parser.parse_args()
    sizes = SMALL if options.small else LARGE
    bounds = BOUNDS | dict(options.bound)
    missing = [name for name in LIBRARIES if not installed(name)]
    if options.write and (options.small or missing):
        sys.exit(
            "The page shows large arrays and compares with every library"
            + (f"; missing here: {', '.join(missing)}" if missing else "")
            + ".\nIn an environment of its own: pip install -r tools/posenc_reference.txt -e ."
        )

    print(*circumstances(sizes.rounds), sep="\n")
    groups = {}
    for title, competitors in zip(
        GROUPS, (tables(*sizes.table), rotations(*sizes.rotary), biases(*sizes.bias)), strict=True
    ):
        groups[title] = measure_group(competitors, sizes)
        print(f"\n{title}\n{report.plain(group_rows(groups[title]))}", flush=True)
    growth = measure_growth(sizes)
    print(f"\ngrowth, milliseconds\n{report.plain(growth_rows(sizes.growth, growth))}")
    checks = kept_promises(groups, import_times(sizes.imports))
    promised = promise_rows(checks, bounds)
    print(f"\npromises\n{report.plain(promised)}")

    if options.write:
        report.write_between(
            PAGE,
            "% measured",
            "% end",
            "\n```text\n" + "\n".join(circumstances(sizes.rounds)) + "\n```\n\n",
        )
        shown = {"promises": promised} | {title: group_rows(results) for title, results in groups.items()}
        for name, rows in shown.items():
            write_table(name, rows)
        write_catalog(list(shown.values()))
        write_example(sizes.growth, growth)
    if options.assert_:
        report.stop_if_missed(checks, bounds, short)


if __name__ == "__main__":
    main()
