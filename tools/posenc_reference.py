"""Make the reference values of the tests of ``edukit.posenc`` anew: run by hand, never in CI.

The values are what public libraries return, and the same formulas worked out with fifty digits. Nothing
here imports edukit. The libraries go into an environment of their own::

    python3 -m venv /tmp/reference
    /tmp/reference/bin/pip install -r tools/posenc_reference.txt
    /tmp/reference/bin/python tools/posenc_reference.py --check

``--check`` compares and changes nothing: it names each value that differs and exits with 1. Without it,
every ``*-reference.json`` in ``tests/posenc/data`` is written again: each entry whose name is known here
is computed, the others stay as they are, and so do fields that a file leaves out. Files can be named
instead.

An entry holds what the library returned in float32 (``lib``), the exact values (``exact_f64``), both with
ten significant digits, and the largest difference between the two.
"""

import argparse
import importlib.metadata
import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, getcontext
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "posenc" / "data"
REQUIREMENTS = Path(__file__).with_suffix(".txt")

getcontext().prec = 50
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")

Entry = dict[str, Any]
Table = Any  # numbers in lists in lists
ENTRIES: dict[str, Callable[[], Entry]] = {}


def entry(name: str, **given: Any) -> Callable[[Callable[..., Entry]], Callable[..., Entry]]:
    """Let a function make the entry of this name, called with what is `given`."""

    def register(make: Callable[..., Entry]) -> Callable[..., Entry]:
        ENTRIES[name] = lambda: make(**given)
        return make

    return register


def compared(
    params: Entry, library: str, lib: Table, exact: Table, *, formula: str = "", **more: Any
) -> Entry:
    """Return an entry: the library's values beside the exact ones."""
    worst = max(abs(float(one) - float(other)) for one, other in zip(flat(lib), flat(exact), strict=True))
    return {
        "params": params,
        "library": library,
        "lib": rounded(lib),
        **({"formula": formula} if formula else {}),
        "exact_f64": rounded(exact),
        "max_abs_lib_minus_exact": float(f"{worst:.3g}"),
        **more,
    }


def flat(table: Table) -> Iterator[Any]:
    if isinstance(table, list):
        for part in table:
            yield from flat(part)
    else:
        yield table


def rounded(table: Table) -> Table:
    if isinstance(table, list):
        return [rounded(part) for part in table]
    return table if isinstance(table, int) else float(f"{float(table):.10g}")


# -- exact numbers ----------------------------------------------------------------------------------------


def sine_and_cosine(angle: Decimal) -> tuple[Decimal, Decimal]:
    """Sum the two series, after taking off whole turns."""
    angle %= 2 * PI
    sums, term = [Decimal(0), Decimal(0)], Decimal(1)
    for power in range(80):  # 7**80 / 80! is below 1e-51
        sums[power % 2] += term if power % 4 < 2 else -term
        term *= angle / (power + 1)
    return sums[1], sums[0]


def exact_frequencies(pairs: int, steps: object, base: object = 10000) -> list[Decimal]:
    """Return base to the power of -i / steps for each pair i."""
    return [Decimal(base) ** -(Decimal(pair) / Decimal(steps)) for pair in range(pairs)]


def exact_row(position: object, frequencies: list[Decimal], *, halves: bool = False) -> list[Decimal]:
    hands = [sine_and_cosine(Decimal(position) * frequency) for frequency in frequencies]
    if halves:
        return [sine for sine, _ in hands] + [cosine for _, cosine in hands]
    return [number for hand in hands for number in hand]


def exact_table(
    rows: Iterable[object], frequencies: list[Decimal], *, halves: bool = False
) -> list[list[Decimal]]:
    return [exact_row(row, frequencies, halves=halves) for row in rows]


def exact_rotation(
    x: list[Decimal], position: int, frequencies: list[Decimal], *, halves: bool = False
) -> list[Decimal]:
    """Turn each pair of numbers by its angle; what is left over stays as it is."""
    turned, width = list(x), 2 * len(frequencies)
    for pair, frequency in enumerate(frequencies):
        first, second = (pair, pair + width // 2) if halves else (2 * pair, 2 * pair + 1)
        sine, cosine = sine_and_cosine(position * frequency)
        turned[first] = x[first] * cosine - x[second] * sine
        turned[second] = x[first] * sine + x[second] * cosine
    return turned


# -- sinusoidal tables ------------------------------------------------------------------------------------

PE = "positional-encodings 6.0.3"
HF = "transformers 5.24.0"


def positional_encodings_1d(n: int, d: int) -> Table:
    import torch
    from positional_encodings.torch_encodings import PositionalEncoding1D

    return PositionalEncoding1D(d)(torch.zeros(1, n, d))[0].tolist()


def distilbert(n: int, d: int) -> Table:
    import torch
    from transformers.models.distilbert.modeling_distilbert import create_sinusoidal_embeddings

    table = torch.empty(n, d)
    create_sinusoidal_embeddings(n, d, table)
    return table.tolist()


def m2m_100(n: int, d: int, padding: int | None = None) -> Table:
    from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding

    return M2M100SinusoidalPositionalEmbedding.get_embedding(n, d, padding).tolist()


@entry("sinusoidal_interleaved")
def sinusoidal_interleaved() -> Entry:
    return compared(
        {"n": 8, "d": 16, "base": 10000},
        f"{PE} PositionalEncoding1D",
        positional_encodings_1d(8, 16),
        exact_table(range(8), exact_frequencies(8, 8)),
        formula="PE[p,2i]=sin(p*base^(-2i/d)); PE[p,2i+1]=cos(same)",
    )


@entry("sinusoidal_interleaved_hf_distilbert")
def sinusoidal_interleaved_hf_distilbert() -> Entry:
    return compared(
        {"n": 8, "d": 16},
        f"{HF} models/distilbert _create_sinusoidal_embeddings (== XLM)",
        distilbert(8, 16),
        exact_table(range(8), exact_frequencies(8, 8)),
    )


@entry("sinusoidal_interleaved_odd_d7_pe_lib")
def sinusoidal_interleaved_odd_d7_pe_lib() -> Entry:
    note = "library rounds d up to 8 for the exponent and truncates -> exponent uses 8 not 7"
    return compared(
        {"n": 4, "d": 7, "note": note},
        f"{PE} PositionalEncoding1D",
        positional_encodings_1d(4, 7),
        [row[:7] for row in exact_table(range(4), exact_frequencies(4, 4))],
    )


@entry("sinusoidal_interleaved_odd_d7_hf")
def sinusoidal_interleaved_odd_d7_hf() -> Entry:
    return compared(
        {"n": 4, "d": 7, "note": "exponent uses d=7, 4 sin and 3 cos"},
        f"{HF} distilbert",
        distilbert(4, 7),
        [row[:7] for row in exact_table(range(4), exact_frequencies(4, Decimal(7) / 2))],
    )


@entry("sinusoidal_halves_paper_exponent")
def sinusoidal_halves_paper_exponent() -> Entry:
    from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding

    return compared(
        {"n": 8, "d": 16},
        f"{HF} models/marian MarianSinusoidalPositionalEmbedding.create_weight (== RoFormer, Pegasus)",
        MarianSinusoidalPositionalEmbedding(8, 16).create_weight().tolist(),
        exact_table(range(8), exact_frequencies(8, 8), halves=True),
        formula="[sin(p w_0..w_{d/2-1}) | cos(...)], w_i=10000^(-2i/d)",
    )


@entry("sinusoidal_tensor2tensor")
def sinusoidal_tensor2tensor() -> Entry:
    return compared(
        {"n": 8, "d": 16},
        f"{HF} models/m2m_100 get_embedding(padding_idx=None) (docstring: matches tensor2tensor)",
        m2m_100(8, 16),
        exact_table(range(8), exact_frequencies(8, 7), halves=True),
        formula="[sin|cos], w_i=10000^(-i/(d/2-1)), i=0..d/2-1",
    )


@entry("sinusoidal_fairseq_padding_idx1")
def sinusoidal_fairseq_padding_idx1() -> Entry:
    exact = exact_table(range(8), exact_frequencies(8, 7), halves=True)
    exact[1] = [Decimal(0)] * 16
    note = "row padding_idx is zeroed; first real token uses row padding_idx+1=2"
    return compared(
        {"n": 8, "d": 16, "padding_idx": 1, "note": note},
        f"{HF} models/m2m_100 get_embedding(padding_idx=1) (fairseq convention)",
        m2m_100(8, 16, 1),
        exact,
    )


@entry("sinusoidal_tensor2tensor_odd_d7")
def sinusoidal_tensor2tensor_odd_d7() -> Entry:
    return compared(
        {"n": 4, "d": 7, "note": "half=3, last column zero padded"},
        f"{HF} m2m_100",
        m2m_100(4, 7),
        [[*row, Decimal(0)] for row in exact_table(range(4), exact_frequencies(3, 2), halves=True)],
    )


@entry("position_ids_fairseq")
def position_ids_fairseq() -> Entry:
    import torch
    from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding

    ids, padding = [[5, 6, 7, 1, 1]], 1
    positions = M2M100SinusoidalPositionalEmbedding.create_position_ids_from_input_ids(
        torch.tensor(ids), padding
    )
    exact = [
        [
            padding if token == padding else padding + sum(other != padding for other in row[: place + 1])
            for place, token in enumerate(row)
        ]
        for row in ids
    ]
    return compared(
        {"input_ids": ids, "padding_idx": padding},
        f"{HF} m2m_100/roberta create_position_ids_from_input_ids",
        positions.double().tolist(),
        [list(map(float, row)) for row in exact],
    )


@entry("sinusoidal_whisper")
def sinusoidal_whisper() -> Entry:
    from transformers.models.whisper.modeling_whisper import sinusoids

    return compared(
        {"n": 8, "d": 16},
        f"{HF} models/whisper sinusoids",
        sinusoids(8, 16).tolist(),
        exact_table(range(8), exact_frequencies(8, 7), halves=True),
    )


@entry("sinusoidal_x_transformers_scaled")
def sinusoidal_x_transformers_scaled() -> Entry:
    import torch
    from x_transformers.x_transformers import ScaledSinusoidalEmbedding

    exact = exact_table(range(8), exact_frequencies(8, 8), halves=True)
    return compared(
        {"n": 8, "d": 16, "note": "halves, multiplied by learnable scale initialised to d^-0.5"},
        "x-transformers 2.31.10 ScaledSinusoidalEmbedding",
        ScaledSinusoidalEmbedding(16)(torch.zeros(1, 8, 16)).tolist(),
        [[number / Decimal(16).sqrt() for number in row] for row in exact],
    )


@entry("sinusoidal_dtype_error_d16")
def sinusoidal_dtype_error_d16() -> Entry:
    import torch

    positions = [1024, 16384, 131072, 1048576]
    dtypes = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
    frequencies = exact_frequencies(8, 8)
    inverse = 1 / 10000.0 ** (torch.arange(0, 16, 2).float() / 16)
    errors: dict[str, dict[str, Any]] = {}
    for position in positions:
        exact = [float(sine_and_cosine(position * frequency)[0]) for frequency in frequencies]
        of_position = errors.setdefault(str(position), {})
        for name, dtype in dtypes.items():
            sines = torch.sin(torch.tensor(float(position)).to(dtype) * inverse.to(dtype)).tolist()
            worst = max((abs(one - other) for one, other in zip(sines, exact, strict=True)), key=_nan_last)
            of_position[name] = rounded(worst) if math.isfinite(worst) else "nan/inf"
    return {
        "params": {"positions": positions},
        "library": "torch 2.13.0+cpu",
        "max_abs_error_sin_vs_f64": errors,
    }


def _nan_last(number: float) -> float:
    return math.inf if math.isnan(number) else number


# -- two dimensions ---------------------------------------------------------------------------------------


@entry("detr_sine2d_4x5_d16", normalize=False)
@entry("detr_sine2d_4x5_d16_normalized", normalize=True)
def detr_sine2d(*, normalize: bool) -> Entry:
    import torch
    from transformers.models.detr.modeling_detr import DetrSinePositionEmbedding

    height, width, features = 4, 5, 8
    made = DetrSinePositionEmbedding(features, normalize=normalize)
    lib = made(torch.Size((1, 3, height, width)), torch.device("cpu"), torch.float32)

    def place(index: int, count: int) -> Decimal:
        # DETR keeps the division from failing by a millionth.
        return (index + 1) / (count + Decimal("1e-6")) * 2 * PI if normalize else Decimal(index + 1)

    frequencies = exact_frequencies(4, 4)
    exact = [
        [
            exact_row(place(y, height), frequencies) + exact_row(place(x, width), frequencies)
            for x in range(width)
        ]
        for y in range(height)
    ]
    note = "positions start at 1 (cumsum of mask); y half first, then x half; layout here [H][W][d]"
    return compared(
        {
            "H": height,
            "W": width,
            "d": 2 * features,
            "num_position_features": features,
            "normalize": normalize,
            "note": note,
        },
        f"{HF} models/detr",
        lib[0].permute(1, 2, 0).tolist(),
        exact,
    )


@entry("sine2d_positional_encodings_4x5_d16")
def sine2d_positional_encodings() -> Entry:
    import torch
    from positional_encodings.torch_encodings import PositionalEncoding2D

    frequencies = exact_frequencies(4, 4)
    return compared(
        {"note": "positions start at 0; first half = axis 0"},
        f"{PE} PositionalEncoding2D",
        PositionalEncoding2D(16)(torch.zeros(1, 4, 5, 16))[0].tolist(),
        [[exact_row(y, frequencies) + exact_row(x, frequencies) for x in range(5)] for y in range(4)],
    )


# -- rotary -----------------------------------------------------------------------------------------------

ROTARY = "rotary-embedding-torch 0.9.1"
POSITIONS = range(6)
X = [Decimal(tenth) / 10 for tenth in range(1, 17)]


def x_rows() -> Any:
    """Return the same sixteen numbers at each of the six positions, as (batch, heads, rows, columns)."""
    import torch

    return torch.tensor([float(number) for number in X]).repeat(1, 1, len(POSITIONS), 1)


def exact_x_rows(frequencies: list[Decimal], *, halves: bool = False) -> Table:
    return [exact_rotation(X, position, frequencies, halves=halves) for position in POSITIONS]


@entry("rope_interleaved")
def rope_interleaved() -> Entry:
    from rotary_embedding_torch import RotaryEmbedding

    return compared(
        {"d": 16, "base": 10000, "positions": [0, 5], "x": rounded(X)},
        f"{ROTARY} RotaryEmbedding.rotate_queries_or_keys (GPT-J/RoFormer/paper pairing (2i,2i+1))",
        RotaryEmbedding(16).rotate_queries_or_keys(x_rows())[0, 0].tolist(),
        exact_x_rows(exact_frequencies(8, 8)),
        formula="out[2i]=x[2i]cos-x[2i+1]sin; out[2i+1]=x[2i]sin+x[2i+1]cos, angle p*base^(-2i/d)",
    )


@entry("rope_interleaved_x_transformers")
def rope_interleaved_x_transformers() -> Entry:
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    angles, scale = RotaryEmbedding(16).forward_from_seq_len(len(POSITIONS))
    return compared(
        {"d": 16, "x": rounded(X)},
        "x-transformers 2.31.10 RotaryEmbedding+apply_rotary_pos_emb",
        apply_rotary_pos_emb(x_rows(), angles, scale)[0, 0].tolist(),
        exact_x_rows(exact_frequencies(8, 8)),
    )


@entry("rope_interleaved_gptj")
def rope_interleaved_gptj() -> Entry:
    from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb, create_sinusoidal_positions

    sines, cosines = create_sinusoidal_positions(len(POSITIONS), 16)[None].chunk(2, dim=-1)
    # GPT-J has the heads after the rows.
    turned = apply_rotary_pos_emb(x_rows().transpose(1, 2), sines, cosines)
    return compared(
        {"d": 16, "x": rounded(X)},
        f"{HF} models/gptj",
        turned[0, :, 0].tolist(),
        exact_x_rows(exact_frequencies(8, 8)),
    )


def llama(x: Any, **rope: Any) -> Any:
    """Rotate with Llama's code, whose rope settings are given."""
    import torch
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    config = LlamaConfig(
        head_dim=x.shape[-1], rope_parameters={"rope_type": "default", "rope_theta": 10000.0, **rope}
    )
    cosines, sines = LlamaRotaryEmbedding(config)(x, torch.arange(x.shape[-2])[None])
    return apply_rotary_pos_emb(x, x, cosines, sines)[0]


@entry("rope_half")
def rope_half() -> Entry:
    return compared(
        {"d": 16, "base": 10000, "positions": [0, 5], "x": rounded(X)},
        f"{HF} models/llama (GPT-NeoX pairing (i,i+d/2))",
        llama(x_rows())[0, 0].tolist(),
        exact_x_rows(exact_frequencies(8, 8), halves=True),
        formula="out[i]=x[i]cos-x[i+d/2]sin; out[i+d/2]=x[i+d/2]cos+x[i]sin",
    )


@entry("rope_partial_4_of_16_interleaved")
def rope_partial() -> Entry:
    from rotary_embedding_torch import RotaryEmbedding

    note = "exponent uses rotary_dim, remaining 12 untouched (concatenation-like)"
    return compared(
        {"d": 16, "rotary_dim": 4, "x": rounded(X), "note": note},
        ROTARY,
        RotaryEmbedding(4).rotate_queries_or_keys(x_rows())[0, 0].tolist(),
        exact_x_rows(exact_frequencies(2, 2)),
    )


# -- rotary: scaled frequencies ---------------------------------------------------------------------------


def rope_frequencies(kind: str, dim: int, length: int | None = None, **rope: Any) -> tuple[Table, float]:
    """Return the frequencies and the attention factor of transformers' own functions."""
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    settings = {"rope_type": kind, "rope_theta": 10000.0, **rope}
    most = settings.pop("max_position_embeddings", 2048)
    config = LlamaConfig(head_dim=dim, max_position_embeddings=most, rope_parameters=settings)
    frequencies, factor = ROPE_INIT_FUNCTIONS[kind](config, None, seq_len=length)
    return frequencies.tolist(), factor


@entry("rope_linear_factor4_inv_freq")
def rope_linear() -> Entry:
    lib, factor = rope_frequencies("linear", 16, factor=4.0)
    return compared(
        {"d": 16, "base": 10000, "factor": 4},
        f"{HF} modeling_rope_utils",
        lib,
        [frequency / 4 for frequency in exact_frequencies(8, 8)],
        formula="inv_freq/factor (== positions/factor)",
        attention_factor=factor,
    )


@entry("rope_half_linear_factor4")
def rope_half_linear() -> Entry:
    return compared(
        {"d": 16, "factor": 4, "x": rounded(X), "positions": [0, 5]},
        f"{HF} llama",
        llama(x_rows(), rope_type="linear", factor=4.0)[0, 0].tolist(),
        exact_x_rows([frequency / 4 for frequency in exact_frequencies(8, 8)], halves=True),
    )


@entry("rope_interleaved_linear_factor4")
def rope_interleaved_linear() -> Entry:
    from rotary_embedding_torch import RotaryEmbedding

    return compared(
        {"d": 16, "factor": 4, "x": rounded(X)},
        f"{ROTARY} interpolate_factor=4",
        RotaryEmbedding(16, interpolate_factor=4).rotate_queries_or_keys(x_rows())[0, 0].tolist(),
        exact_x_rows([frequency / 4 for frequency in exact_frequencies(8, 8)]),
    )


def raised_base(stretch: Decimal, dim: int) -> Decimal:
    return 10000 * stretch ** (Decimal(dim) / (dim - 2))


@entry("rope_ntk_static_factor4_inv_freq")
def rope_ntk_static() -> Entry:
    from rotary_embedding_torch import RotaryEmbedding

    base = raised_base(Decimal(4), 64)
    return compared(
        {"d": 64, "alpha": 4},
        f"{ROTARY} theta_rescale_factor=4",
        RotaryEmbedding(64, theta_rescale_factor=4).freqs.tolist(),
        exact_frequencies(32, 32, base),
        formula="base'=base*alpha^(d/(d-2))",
        base_new=rounded(base),
    )


@entry("rope_dynamic_ntk_factor4_len2048_inv_freq", length=2048)
@entry("rope_dynamic_ntk_factor4_len4096_inv_freq", length=4096)
@entry("rope_dynamic_ntk_factor4_len8192_inv_freq", length=8192)
def rope_dynamic_ntk(*, length: int) -> Entry:
    lib, factor = rope_frequencies("dynamic", 64, length, factor=4.0, max_position_embeddings=2048)
    base = raised_base(Decimal(4 * length) / 2048 - 3, 64)
    return compared(
        {"d": 64, "base": 10000, "factor": 4, "max_position_embeddings": 2048, "seq_len": length},
        HF,
        lib,
        exact_frequencies(32, 32, base),
        formula="base'=base*((f*L/Lmax)-(f-1))^(d/(d-2)), L>=Lmax",
        attention_factor=factor,
        base_new=rounded(base),
    )


@entry("rope_yarn_factor4_orig2048_d64", truncate=True)
@entry("rope_yarn_factor4_orig2048_d64_truncateFalse", truncate=False)
def rope_yarn(*, truncate: bool) -> Entry:
    dim, original = 64, 2048
    lib, factor = rope_frequencies(
        "yarn",
        dim,
        factor=4.0,
        original_max_position_embeddings=original,
        beta_fast=32,
        beta_slow=1,
        truncate=truncate,
        max_position_embeddings=4 * original,
    )
    raw = [dim * (original / (2 * PI * beta)).ln() / (2 * Decimal(10000).ln()) for beta in (32, 1)]
    low, high = raw
    if truncate:
        low = low.to_integral_value(ROUND_FLOOR)
        high = high.to_integral_value(ROUND_CEILING)
    exact = []
    for pair, frequency in enumerate(exact_frequencies(dim // 2, dim // 2)):
        ramp = min(max((pair - low) / (high - low), Decimal(0)), Decimal(1))
        exact.append(frequency / 4 * ramp + frequency * (1 - ramp))
    return compared(
        {
            "d": dim,
            "base": 10000,
            "factor": 4,
            "original_max_position_embeddings": original,
            "beta_fast": 32,
            "beta_slow": 1,
            "truncate": truncate,
        },
        HF,
        lib,
        exact,
        formula="inv=(inv/f)*ramp+inv*(1-ramp); ramp=clip((i-low)/(high-low),0,1); "
        "low/high=d ln(L0/(2 pi beta))/(2 ln base)",
        attention_factor=rounded(factor),
        attention_factor_exact=rounded(Decimal(4).ln() / 10 + 1),
        low_high=rounded([low, high]),
        low_high_raw=rounded(raw),
    )


def llama3(dim: int, stretch: int) -> tuple[Entry, Table, float, list[Decimal], list[Decimal]]:
    """Return the settings, transformers' frequencies and factor, the exact ones, and how much is kept."""
    settings = {
        "factor": stretch,
        "low_freq_factor": 1,
        "high_freq_factor": 4,
        "original_max_position_embeddings": 8192,
    }
    lib, factor = rope_frequencies(
        "llama3",
        dim,
        rope_theta=500000.0,
        max_position_embeddings=131072,
        **{
            name: value if name.startswith("original") else float(value) for name, value in settings.items()
        },
    )
    plain = exact_frequencies(dim // 2, dim // 2, 500000)
    turns = [8192 * frequency / (2 * PI) for frequency in plain]
    kept = [min(max((number - 1) / (4 - 1), Decimal(0)), Decimal(1)) for number in turns]
    exact = [
        frequency * (share + (1 - share) / stretch) for frequency, share in zip(plain, kept, strict=True)
    ]
    return {"d": dim, "base": 500000, **settings}, lib, factor, exact, kept


@entry("rope_llama3_factor8_d128")
def rope_llama3_factor8() -> Entry:
    params, lib, factor, exact, _ = llama3(128, 8)
    return compared(params, HF, lib, exact, attention_factor=factor)


@entry("rope_llama3_factor32_d64")
def rope_llama3_factor32() -> Entry:
    params, lib, _, exact, kept = llama3(64, 32)
    unchanged = [pair for pair, share in enumerate(kept) if share == 1]
    divided = [pair for pair, share in enumerate(kept) if share == 0]
    return compared(
        params,
        HF,
        lib,
        exact,
        unchanged_idx=[unchanged[0], unchanged[-1]],
        divided_idx=[divided[0], divided[-1]],
    )


@entry("rope_longrope_short", length=4096)
@entry("rope_longrope_long", length=4097)
def rope_longrope(*, length: int) -> Entry:
    short = [1 + Decimal(pair) / 10 for pair in range(8)]
    long = [2 + Decimal(pair) / 2 for pair in range(8)]
    lib, factor = rope_frequencies(
        "longrope",
        16,
        length,
        short_factor=list(map(float, short)),
        long_factor=list(map(float, long)),
        factor=32.0,
        original_max_position_embeddings=4096,
        max_position_embeddings=131072,
    )
    divisors = short if length <= 4096 else long
    exact = [
        frequency / divisor for frequency, divisor in zip(exact_frequencies(8, 8), divisors, strict=True)
    ]
    return compared(
        {
            "d": 16,
            "short_factor": [1 + 0.1 * pair for pair in range(8)],
            "long_factor": list(map(float, long)),
            "original": 4096,
            "factor": 32,
            "seq_len": length,
        },
        HF,
        lib,
        exact,
        attention_factor=rounded(factor),
        attention_factor_exact=rounded((1 + Decimal(32).ln() / Decimal(4096).ln()).sqrt()),
    )


# -- biases -----------------------------------------------------------------------------------------------


@entry("alibi_slopes")
def alibi_slopes() -> Entry:
    import torch
    from transformers.models.bloom.modeling_bloom import _get_alibi_slopes
    from x_transformers.x_transformers import AlibiPositionalBias

    slopes = {}
    for heads in [*range(1, 17), 20, 40]:
        lib = _get_alibi_slopes(heads, torch.device("cpu")).tolist()
        whole = 2 ** (heads.bit_length() - 1)
        exact = [Decimal(2) ** (Decimal(-8 * k) / whole) for k in range(1, whole + 1)]
        exact += [
            Decimal(2) ** (Decimal(-8 * (2 * k - 1)) / (2 * whole)) for k in range(1, heads - whole + 1)
        ]
        for other, one in zip(AlibiPositionalBias._get_slopes(heads), exact, strict=True):
            assert math.isclose(other, one, rel_tol=1e-12)
        slopes[str(heads)] = {"lib": rounded(lib), "exact_f64": rounded(exact)}
    return {
        "library": f"{HF} models/bloom _get_alibi_slopes; "
        "x-transformers 2.31.10 AlibiPositionalBias._get_slopes agrees to 1e-12",
        "formula": "c=2^floor(log2 n): 2^(-8k/c),k=1..c, then 2^(-8(2k-1)/(2c)),k=1..n-c",
        "slopes": slopes,
    }


@entry("alibi_bloom_bias_row")
def alibi_bloom_bias_row() -> Entry:
    import torch
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    mask = [[1, 1, 1, 1]]
    note = (
        "BLOOM stores +m*j (key index) not -m*(i-j): equal after softmax shift-invariance under causal mask"
    )
    return {
        "params": {"heads": 2, "attention_mask": mask, "note": note},
        "library": HF,
        "lib": rounded(build_alibi_tensor(torch.tensor(mask), 2, torch.float32).tolist()),
    }


@entry("alibi_x_transformers_bias_h2_4x4")
def alibi_x_transformers_bias() -> Entry:
    from x_transformers.x_transformers import AlibiPositionalBias

    return {
        "params": {"heads": 2, "i": 4, "j": 4, "note": "-m*|i-j| symmetric"},
        "library": "x-transformers 2.31.10",
        "lib": rounded((AlibiPositionalBias(2)(4, 4) + 0.0).tolist()),  # no negative zeros
    }


FAR = [-1000, -129, -128, -127, -114, -113, -92, -91, -64, -32, -16, -8, 0]
FAR += [8, 16, 32, 64, 91, 92, 113, 114, 127, 128, 129, 1000]


def exact_bucket(offset: int, *, bidirectional: bool, buckets: int = 32, farthest: int = 128) -> int:
    """Find the bucket by comparing whole numbers: no logarithm that could be rounded over an edge."""
    first = 0
    if bidirectional:
        buckets //= 2
        first = buckets if offset > 0 else 0
        distance = abs(offset)
    else:
        distance = max(-offset, 0)
    near = buckets // 2
    if distance < near:
        return first + distance
    # Bucket near + k begins where (distance / near) ** steps reaches (farthest / near) ** k.
    steps = buckets - near
    k = 0
    while k + 1 < steps and distance**steps * near ** (k + 1) >= farthest ** (k + 1) * near**steps:
        k += 1
    return first + near + k


def t5_library(offsets: list[int], *, bidirectional: bool) -> list[int]:
    import torch
    from transformers.models.t5.modeling_t5 import T5Attention
    from x_transformers.x_transformers import RelativePositionBias

    given = torch.tensor(offsets)
    lib: list[int] = T5Attention._relative_position_bucket(given, bidirectional).tolist()
    other = RelativePositionBias._relative_position_bucket(given, causal=not bidirectional)
    assert lib == other.tolist()
    return lib


@entry("t5_buckets_bidirectional", bidirectional=True)
@entry("t5_buckets_unidirectional", bidirectional=False)
def t5_buckets(*, bidirectional: bool) -> Entry:
    offsets = list(range(-20, 21))
    return compared(
        {"relative_position": "memory-query, -20..20", "num_buckets": 32, "max_distance": 128},
        f"{HF} T5Attention._relative_position_bucket; x-transformers RelativePositionBias agrees",
        t5_library(offsets, bidirectional=bidirectional),
        [float(exact_bucket(offset, bidirectional=bidirectional)) for offset in offsets],
    )


@entry("t5_buckets_far_bidirectional", bidirectional=True)
@entry("t5_buckets_far_unidirectional", bidirectional=False)
def t5_buckets_far(*, bidirectional: bool) -> Entry:
    return compared(
        {"relative_position": FAR},
        HF,
        t5_library(FAR, bidirectional=bidirectional),
        [float(exact_bucket(offset, bidirectional=bidirectional)) for offset in FAR],
    )


@entry("t5_float32_vs_float64_mismatch_positions_-300..300")
def t5_mismatch() -> Entry:
    offsets = list(range(-300, 301))
    found = {}
    for name, bidirectional in [("bi", True), ("uni", False)]:
        lib = t5_library(offsets, bidirectional=bidirectional)
        found[name] = [
            offset
            for offset, bucket in zip(offsets, lib, strict=True)
            if bucket != exact_bucket(offset, bidirectional=bidirectional)
        ]
    return found


# -- Transformer-XL, learned tables -----------------------------------------------------------------------


@entry("transformer_xl_relative_scores_3x3")
def transformer_xl() -> Entry:
    import torch
    from transformers.models.xlnet.modeling_xlnet import XLNetRelativeAttention

    length, width = 3, 4
    q = torch.tensor([[0.1 * row + 0.01 * column for column in range(width)] for row in (1, 2, 3)])
    k = torch.tensor([[0.2 * row - 0.02 * column for column in range(width)] for row in (1, 2, 3)])
    u, v = torch.tensor([0.05, -0.05, 0.1, 0.0]), torch.tensor([-0.1, 0.2, 0.0, 0.3])

    # The library's positions run from the length down to its negative; R holds sines, then cosines.
    places = torch.arange(length, -length, -1.0)[:, None]
    angles = places * 10000 ** -(torch.arange(width // 2) / (width / 2))
    distances = torch.cat([angles.sin(), angles.cos()], dim=1)
    shifted = XLNetRelativeAttention.rel_shift_bnij(((q + v) @ distances.T)[None, None], klen=length)
    lib = (q + u) @ k.T + shifted[0, 0]

    def exact_numbers(tensor: Any) -> Any:
        return [exact_numbers(part) for part in tensor] if tensor.ndim else Decimal(tensor.item())

    q_, k_, u_, v_ = map(exact_numbers, (q, k, u, v))
    frequencies = exact_frequencies(width // 2, width // 2)
    exact = [
        [
            sum((q_[i][c] + u_[c]) * k_[j][c] for c in range(width))
            + sum(
                (q_[i][c] + v_[c]) * number
                for c, number in enumerate(exact_row(i - j, frequencies, halves=True))
            )
            for j in range(length)
        ]
        for i in range(length)
    ]
    note = (
        "score[i,j]=(q_i+u).k_j+(q_i+v).R_{i-j}, R halves layout, unscaled; "
        "computed via rel_shift in library and directly in exact_f64"
    )
    return compared(
        {
            "d_head": width,
            "qlen": length,
            "q": rounded(q.tolist()),
            "k": rounded(k.tolist()),
            "u(r_w_bias)": [rounded(u.tolist())],
            "v(r_r_bias)": [rounded(v.tolist())],
            "W_kR": "identity",
            "note": note,
        },
        f"{HF} models/xlnet rel_shift_bnij (Transformer-XL model removed from this version)",
        lib.tolist(),
        exact,
    )


@entry("learned")
def learned() -> Entry:
    return {
        "note": "no reference values: a table of parameters; init N(0,0.02^2) in BERT/GPT-2 "
        "(initializer_range=0.02); indices >= max_position raise IndexError"
    }


# -- the files --------------------------------------------------------------------------------------------


def chosen(old: Any, new: Any) -> Any:
    """Return the new values of the fields that the file has: it may leave some out."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {name: chosen(value, new.get(name, value)) for name, value in old.items()}
    return new


def differences(old: Any, new: Any, where: str) -> Iterator[str]:
    """Yield where a file differs from what was computed by more than processors differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name, value in old.items():
            if name in new:
                yield from differences(value, new[name], f"{where}.{name}")
            else:
                yield f"{where}.{name}: not computed here"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, parts in enumerate(zip(old, new, strict=True)):
            yield from differences(*parts, f"{where}[{number}]")
    elif isinstance(old, int | float) and isinstance(new, int | float):
        # Sines in float32 end in other bits on another processor; exact values do not.
        of_library = ".lib" in where or ".max_abs" in where
        relative, absolute = (1e-6, 2e-7) if of_library else (1e-9, 1e-12)
        if not math.isclose(old, new, rel_tol=relative, abs_tol=absolute):
            yield f"{where}: {old} in the file, {new} computed"
    elif old != new:
        yield f"{where}: {old!r} in the file, {new!r} computed"


def written(value: Any, indent: str = "\n ") -> str:
    """Return JSON with each row of numbers on a line of its own."""
    if isinstance(value, dict) and value:
        parts = [f"{json.dumps(name)}: {written(part, indent + ' ')}" for name, part in value.items()]
    elif isinstance(value, list) and any(isinstance(part, list | dict | str) for part in value):
        parts = [written(part, indent + " ") for part in value]
    else:
        return json.dumps(value, ensure_ascii=False)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + indent + f",{indent}".join(parts) + indent[:-1] + closing


def check_versions() -> None:
    wrong = []
    for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines():
        name, separator, wanted = line.partition("==")
        if not separator:
            continue
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found = "missing"
        if found.partition("+")[0] != wanted:
            wrong.append(f"  {name} {wanted} is wanted, and is {found}")
    if wrong:
        sys.exit(
            "These are other libraries than the values come from:\n"
            + "\n".join(wrong)
            + f"\nIn an environment of its own: pip install -r {REQUIREMENTS.relative_to(ROOT)}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="compare, change nothing, exit with 1 if any differ"
    )
    parser.add_argument("files", nargs="*", type=Path, default=sorted(DATA.glob("*-reference.json")))
    options = parser.parse_args()
    check_versions()

    computed: dict[str, Entry] = {}
    differing = 0
    for path in options.files:
        content = json.loads(path.read_text(encoding="utf-8"))
        unknown = []
        for name in content:
            if name not in ENTRIES:
                unknown += [] if name.startswith("_") else [name]
                continue
            if name not in computed:
                computed[name] = ENTRIES[name]()
            for difference in differences(content[name], computed[name], name):
                differing += 1
                print(f"{path.name}: {difference}")
            content[name] = chosen(content[name], computed[name])
        known = len(content.keys() & ENTRIES.keys())
        print(
            f"{path.name}: {known} entries computed"
            + (f"; not known here: {', '.join(unknown)}" if unknown else "")
        )
        if not options.check:
            path.write_text(written(content) + "\n", encoding="utf-8", newline="\n")
    if options.check and differing:
        sys.exit(f"{differing} differences")


if __name__ == "__main__":
    main()
