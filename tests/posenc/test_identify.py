"""What `identify` says about tables that public code makes, about every fault, and about anything else."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from edukit.posenc import TableIdentity, identify, sinusoidal

REFERENCE = json.loads(
    (Path(__file__).parent / "data" / "identify-reference.json").read_text(encoding="utf-8")
)
PAPER, T2T = {"spacing": "paper"}, {"layout": "halves", "spacing": "tensor2tensor"}


def in_bfloat16(x):
    """Round to eight significant bits, ties to even, by scaling each value to an integer."""
    mantissa, exponent = np.frexp(np.asarray(x, dtype=np.float64))
    return np.ldexp(np.rint(mantissa * 256), exponent - 8)


def in_float16(x):
    with np.errstate(over="ignore"):
        return np.asarray(x).astype(np.float16)


def halves(angles):
    with np.errstate(invalid="ignore"):
        return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def frequencies(dim, base=10000.0):
    return base ** -(np.arange(dim // 2) / (dim // 2))


# -- against the field's own code -----------------------------------------------------------------

LIBRARIES = [
    ("sinusoidal_interleaved", {"layout": "interleaved", **PAPER}),
    ("sinusoidal_interleaved_hf_distilbert", {"layout": "interleaved", **PAPER}),
    ("sinusoidal_interleaved_odd_d7_pe_lib", {"layout": "interleaved", **PAPER, "odd": "truncate"}),
    ("sinusoidal_interleaved_odd_d7_hf", {"layout": "interleaved", **PAPER, "odd": "real"}),
    ("sinusoidal_halves_paper_exponent", {"layout": "halves", **PAPER}),
    ("sinusoidal_tensor2tensor", T2T),
    ("sinusoidal_fairseq_padding_idx1", {**T2T, "padding": 1}),
    ("sinusoidal_tensor2tensor_odd_d7", {**T2T, "odd": "pad"}),
    ("sinusoidal_whisper", T2T),
    ("sinusoidal_x_transformers_scaled", {"layout": "halves", **PAPER, "scale": 16**-0.5}),
]
PLAIN = {"base": 10000.0, "start": 0, "step": 1.0, "scale": 1.0, "padding": None, "odd": None}


def agrees(found, expected):
    for name, value in expected.items():
        assert getattr(found, name) == value, f"{name}: {getattr(found, name)} and not {value}"


@pytest.mark.parametrize("values", ["lib", "exact_f64"])
@pytest.mark.parametrize(("name", "convention"), LIBRARIES)
def test_recognises_what_libraries_make(name, convention, values):
    table = np.array(REFERENCE[name][values], dtype=np.float32 if values == "lib" else np.float64)
    found = identify(table)
    assert found.kind == "sinusoidal"
    agrees(found, {**PLAIN, **convention})
    assert (found.damage, found.faults) == ("", ())
    assert found.dtype == table.dtype.name
    np.testing.assert_allclose(found.table(), table, atol=3e-7 if values == "lib" else 2e-10)
    # One entry may be read in two ways: the tensor2tensor table of base 10000 with three pairs is the
    # paper's of base 1000000.
    assert set(found.undetermined) <= ({"spacing", "base"} if table.shape[1] == 7 else set())


@pytest.mark.parametrize("values", ["lib", "exact_f64"])
def test_recognises_the_axes_of_a_picture(values):
    grid = np.array(REFERENCE["detr_sine2d_4x5_d16"][values])
    agrees(identify(grid[:, 0, :8]), {**PLAIN, "layout": "interleaved", **PAPER, "start": 1})
    agrees(identify(grid[0, :, 8:]), {**PLAIN, "layout": "interleaved", **PAPER, "start": 1})
    grid = np.array(REFERENCE["detr_sine2d_4x5_d16_normalized"][values])
    found = identify(grid[0, :, 8:])
    assert found.base == 10000
    # Five columns of pictures on a circle: the last one has come all the way round.
    assert found.step == pytest.approx(2 * math.pi / 5, rel=1e-4)
    assert found.start == pytest.approx(2 * math.pi / 5, rel=1e-4)


# -- recovers what made it ------------------------------------------------------------------------

tables = st.fixed_dictionaries(
    {
        "layout": st.sampled_from(["interleaved", "halves"]),
        "spacing": st.sampled_from(["paper", "tensor2tensor"]),
        "base": st.sampled_from([10000.0, 500000.0, 1e6, 500.0, 2000.0]),
        "start": st.integers(-300, 5000),
        "odd": st.sampled_from(["truncate", "pad"]),
        "dtype": st.sampled_from([np.float16, np.float32, np.float64]),
    }
)


@settings(deadline=None, max_examples=60)
@given(length=st.integers(4, 300), dim=st.integers(10, 80), made=tables)
def test_recovers_what_made_the_table(length, dim, made):
    table = sinusoidal(length, dim, **made)
    found = identify(table)
    assert found.kind == "sinusoidal"
    np.testing.assert_allclose(found.table(), table, atol=1e-3 if made["dtype"] == np.float16 else 1e-6)
    assert (found.damage, found.faults) == ("", ())
    assert (found.cosine_first, found.step, found.scale) == (False, 1, 1)
    assert found.layout == made["layout"]
    assert found.start == made["start"]
    assert found.dtype == np.dtype(made["dtype"]).name
    assert found.odd == (made["odd"] if dim % 2 else None)
    if "base" not in found.undetermined:
        assert (found.spacing, found.base) == (made["spacing"], made["base"])
    else:
        # In half precision a few rows may leave another start open too.
        assert {"spacing", "base"} <= set(found.undetermined) <= {"spacing", "base", "start"}
    # With base 10000 in doubt only if the other spacing too has a base of one or two digits.
    if made["base"] == 10000 and dim > 10 and dim % 2 == 0:
        assert not found.undetermined
    again = sinusoidal(**found.arguments())
    assert again.shape == table.shape
    np.testing.assert_allclose(again, table, atol=1e-3 if made["dtype"] == np.float16 else 1e-6)


@settings(deadline=None, max_examples=40)
@given(
    length=st.integers(8, 200),
    half=st.integers(3, 40),
    base=st.floats(1.5, 1e6) | st.sampled_from([9999.9, 100.003, 249999.0, 38.0003, 499990.0]),
    start=st.integers(0, 500),
    made=tables,
)
def test_any_base_is_measured_to_six_digits(length, half, base, start, made):
    assume(made["dtype"] != np.float16)
    made = {**made, "base": base, "start": start}
    found = identify(sinusoidal(length, 2 * half, **made))
    assert (found.layout, found.start, found.step, found.scale) == (made["layout"], start, 1, 1)
    steps = {"paper": half, "tensor2tensor": half - 1}
    # The same frequencies, whichever spacing they are said in.
    same = base ** (steps[found.spacing] / steps[made["spacing"]])
    # Nobody means 9999.99: so near to one digit, single precision has moved the frequencies.
    one_digit = found.base == float(f"{found.base:.0e}") and made["dtype"] == np.float32
    assert found.base == pytest.approx(same, rel=3e-6 if one_digit else 1e-6)
    if found.spacing != made["spacing"]:
        assert "spacing" in found.undetermined


@settings(deadline=None, max_examples=40)
@given(
    length=st.integers(8, 60),
    dim=st.integers(8, 40),
    made=tables,
    scale=st.sampled_from([0.25, 3.7, "norm", "root", "inverse root"]),
    cosine_first=st.booleans(),
    backwards=st.booleans(),
)
def test_recovers_scale_and_order(length, dim, made, scale, cosine_first, backwards):
    dim += dim % 2
    factor = {"norm": (2 / dim) ** 0.5, "root": dim**0.5, "inverse root": dim**-0.5}.get(scale, scale)
    table = sinusoidal(length, dim, **{**made, "dtype": np.float64})
    if cosine_first:
        pairs = np.arange(dim).reshape((-1, 2) if made["layout"] == "interleaved" else (2, -1))
        table = table[:, (pairs[:, ::-1] if made["layout"] == "interleaved" else pairs[::-1]).ravel()]
    table = (factor * table[:: -1 if backwards else 1]).astype(np.float32)
    found = identify(table)
    assert found.scale == pytest.approx(factor, rel=1e-6)
    assert found.cosine_first == cosine_first
    assert found.faults == (("swapped",) if cosine_first else ())
    assert found.step == (-1 if backwards else 1)
    assert found.start == made["start"] + (length - 1 if backwards else 0)
    np.testing.assert_allclose(found.table(), table, rtol=1e-5, atol=1e-6 * factor)


@pytest.mark.parametrize("stride", [2, 3, 4, 7, 50])
def test_rows_that_were_left_out(stride):
    found = identify(sinusoidal(40 * stride, 64, start=3)[::stride])
    agrees(found, {**PLAIN, **PAPER, "layout": "interleaved", "start": 3, "step": stride})


def test_positions_between_the_whole_ones():
    positions = 0.5 + 0.25 * np.arange(60)
    found = identify(sinusoidal(None, 32, positions=positions, layout="halves"))
    assert found.start == pytest.approx(0.5, rel=1e-6)
    assert found.step == pytest.approx(0.25, rel=1e-6)
    again = sinusoidal(**found.arguments())
    np.testing.assert_allclose(again, sinusoidal(None, 32, positions=positions, layout="halves"), atol=1e-6)


@pytest.mark.parametrize("base", [249999.0, 250001.0, 38.0003, 9999.9])
def test_a_base_next_to_a_round_one_is_not_that_one(base):
    assert identify(sinusoidal(8, 6, base=base)).base == pytest.approx(base, rel=1e-6)


def test_a_start_past_the_first_round_with_a_base_that_is_not_round():
    found = identify(sinusoidal(128, 6, base=100.003, start=367, layout="halves", odd="pad"))
    assert found.start == 367
    assert found.base == pytest.approx(100.003, rel=1e-6)


def test_a_start_far_out():
    for start in (-(10**6), 2**20, 2**29):
        agrees(identify(sinusoidal(64, 64, start=start)), {**PLAIN, **PAPER, "start": start})


@pytest.mark.parametrize("row", [0, 1, 5])
def test_a_padding_row(row):
    table = sinusoidal(20, 16, **T2T)
    table[row] = 0
    found = identify(table)
    agrees(found, {**PLAIN, **T2T, "padding": row})
    np.testing.assert_allclose(found.table(), table, atol=1e-6)
    assert f"row {row} is zero" in str(found)


def test_other_base_is_said_in_the_evidence():
    """tensor2tensor with base b' is the paper with base b where b'^(1/(d/2-1)) = b^(2/d)."""
    found = identify(sinusoidal(100, 64, layout="halves", spacing="tensor2tensor"))
    other = 10000 ** (32 / 31)
    assert f"base {other:.10g} spaced as paper would make the same table" in found.evidence


@pytest.mark.parametrize("dim", [1, 2])
@pytest.mark.parametrize("made", [{"layout": "halves"}, {"spacing": "tensor2tensor"}, {"base": 17.0}])
def test_one_pair_cannot_tell_the_conventions_apart(dim, made):
    found = identify(sinusoidal(30, dim, start=4, **made))
    assert set(found.undetermined) == {"layout", "spacing", "base"}
    assert (found.kind, found.base, found.start) == ("sinusoidal", None, 4)
    np.testing.assert_allclose(
        sinusoidal(**found.arguments()), sinusoidal(30, dim, start=4, **made), atol=1e-6
    )


def test_base_1_has_no_spacing():
    found = identify(sinusoidal(50, 8, base=1))
    assert (found.base, found.start) == (1, 0)
    assert "spacing" in found.undetermined
    assert found.faults == ()


def test_other_starts_that_make_the_same_table_are_mentioned():
    # 710 radians are 113 turns, but for 6e-5: less than half precision tells.
    found = identify(sinusoidal(50, 2, start=715, dtype=np.float16))
    assert found.start == 5
    assert "start" in found.undetermined
    assert identify(sinusoidal(50, 2, start=715)).start == 715


@pytest.mark.parametrize("dim", [3, 4, 5])
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("length", [2, 3])
def test_two_rows_are_enough(length, layout, dim):
    table = sinusoidal(length, dim, layout=layout)
    found = identify(table)
    assert (found.kind, found.layout, found.start) == ("sinusoidal", layout, 0)
    np.testing.assert_allclose(found.table(), table, atol=1e-6)


# -- precision ------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=20)
@given(
    rows=st.integers(300, 3000),
    half=st.integers(8, 32),
    name=st.sampled_from(["float16", "bfloat16"]),
    kept=st.booleans(),
    positions_only=st.booleans(),
    interleaved=st.booleans(),
)
def test_angles_and_positions_in_half_precision(rows, half, name, kept, positions_only, interleaved):
    """The class of EleutherAI/gpt-neox#1003 and NVIDIA/Megatron-LM#535."""
    to = in_bfloat16 if name == "bfloat16" else lambda x: in_float16(x).astype(np.float64)
    # Positions lose nothing before they run out of digits.
    rows += 2400 if positions_only and name == "float16" else 0
    p, w = np.arange(rows), frequencies(2 * half)
    angles = to(p)[:, None] * w if positions_only else to(to(p)[:, None] * to(w))
    table = halves(angles)
    if interleaved:
        table = table.reshape(rows, 2, half).swapaxes(1, 2).reshape(rows, 2 * half)
    table = to(table) if kept else table.astype(np.float32)
    found = identify(table)
    agrees(found, {**PLAIN, **PAPER, "layout": "interleaved" if interleaved else "halves"})
    assert found.damage == f"{'positions' if positions_only else 'angles'} in {name}"
    assert found.dtype == (name if kept else "float32")
    exact = sinusoidal(rows, 2 * half, layout=found.layout, dtype=np.float64)
    assert found.error == pytest.approx(np.abs(table - exact).max(), abs=1e-6)
    assert found.damage in str(found)
    # The table that was meant, without the damage.
    np.testing.assert_allclose(found.table(), exact, atol=1e-9)
    repeated = (name == "bfloat16" and rows > 258) or (name == "float16" and rows > 2050)
    assert ("duplicate rows" in found.faults) == repeated


def test_angles_in_single_precision():
    p, w = np.arange(20000, dtype=np.float32), frequencies(64).astype(np.float32)
    found = identify(halves(p[:, None] * w))
    agrees(found, {**PLAIN, **PAPER, "layout": "halves", "damage": "angles in float32"})
    assert 1e-4 < found.error < 2e-3


@pytest.mark.parametrize(("rows", "dim"), [(50, 64), (2048, 1024)])
def test_single_precision_in_the_manner_of_libraries_leaves_the_base_round(rows, dim):
    f, pairs = np.float32, np.arange(dim // 2, dtype=np.float32)
    for spacing, w in (
        ("paper", np.exp(2 * pairs * f(-math.log(10000) / dim))),
        ("tensor2tensor", np.exp(pairs * f(-math.log(10000) / (dim // 2 - 1)))),
    ):
        found = identify(halves(np.arange(rows, dtype=f)[:, None] * w))
        assert (found.base, found.spacing, found.undetermined) == (10000, spacing, ())
        assert found.damage == ("angles in float32" if rows > 1000 else "")


@pytest.mark.parametrize("to", [in_bfloat16, in_float16, np.float32])
@pytest.mark.parametrize("length", [50, 9000])
def test_what_is_merely_stored_is_not_damaged(to, length):
    table = to(sinusoidal(length, 64, dtype=np.float64))
    found = identify(table)
    assert (found.damage, found.faults, found.base) == ("", (), 10000)
    assert found.error <= 2**-8
    assert found.dtype == {"in_bfloat16": "bfloat16", "in_float16": "float16"}.get(to.__name__, "float32")


def test_single_precision_in_a_double_table_is_seen():
    found = identify(sinusoidal(50, 16).astype(np.float64) * math.pi)
    assert found.dtype == "float64"
    assert "the values have the precision of float32" in found.evidence
    assert found.scale == pytest.approx(math.pi, rel=1e-6)


# -- known faults ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dim", [8, 64, 256, 1024])
@pytest.mark.parametrize("doubled", [True, False])
def test_floor_division_of_the_factor(dim, doubled):
    """zju3dv/LoFTR#41: -log(10000) / dim//2 is -1, not -0.07196 for dim 256."""
    places = np.arange(0, dim, 2) if doubled else np.arange(dim // 2)
    factor = -math.log(10000.0) / dim // 2
    assert factor == -1 or dim == 8
    w = np.exp(places * -1.0)
    found = identify(halves((1 + np.arange(40))[:, None] * w).astype(np.float32))
    assert found.faults == ("floor division",)
    assert found.start == 1
    np.testing.assert_allclose(found.table(), halves((1 + np.arange(40))[:, None] * w), atol=1e-6)
    meant = sinusoidal(40, dim, start=1, layout="halves")
    np.testing.assert_allclose(sinusoidal(**found.arguments()), meant, atol=1e-6)
    # The right factor is no fault.
    right = math.log(10000.0) / (dim // 2)
    assert right == pytest.approx(0.07196, abs=1e-5) or dim != 256
    w = np.exp(-right * np.arange(dim // 2))
    assert identify(halves(np.arange(40)[:, None] * w).astype(np.float32)).faults == ()


@pytest.mark.parametrize(
    ("power", "fault", "base"), [(1, "halved exponent", 100), (4, "doubled exponent", 1e8)]
)
@pytest.mark.parametrize("dim", [24, 64])
def test_wrong_factor_in_the_exponent(power, fault, base, dim):
    w = 10000.0 ** (-power * np.arange(dim // 2) / dim)
    found = identify(halves(np.arange(60)[:, None] * w).astype(np.float32))
    assert found.faults == (fault,)
    assert (found.spacing, found.base) == ("paper", base)


@pytest.mark.parametrize("dim", [3, 8, 64])
@pytest.mark.parametrize(("start", "base"), [(0, 10000.0), (1, 10000.0), (0, 500.0)])
def test_every_column_with_a_frequency_of_its_own(dim, start, base):
    j = np.arange(dim)
    angles = (start + np.arange(60))[:, None] * base ** (-2 * j / dim)
    table = np.where(j % 2 == 0, np.sin(angles), np.cos(angles)).astype(np.float32)
    found = identify(table)
    assert (found.faults, found.base, found.start) == (("own frequencies",), base, start)
    np.testing.assert_allclose(found.table(), table, atol=1e-6)
    # What was meant is the paper's table.
    np.testing.assert_array_equal(
        sinusoidal(**found.arguments()), sinusoidal(60, dim, start=start, base=base)
    )


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_slowest_pair_first(layout):
    table = sinusoidal(60, 32, layout=layout)
    pairs = np.arange(32).reshape((16, 2) if layout == "interleaved" else (2, 16))
    turned = table[:, (pairs[::-1] if layout == "interleaved" else pairs[:, ::-1]).ravel()]
    found = identify(turned)
    agrees(found, {**PLAIN, **PAPER, "layout": layout, "faults": ("reversed frequencies",)})
    np.testing.assert_allclose(found.table(), turned, atol=1e-6)


def test_the_wrong_way_round():
    found = identify(sinusoidal(50, 64).T)
    agrees(found, {**PLAIN, **PAPER, "layout": "interleaved", "faults": ("transposed",)})
    assert found.shape == (64, 50)
    np.testing.assert_allclose(found.table(), sinusoidal(50, 64).T, atol=1e-6)
    np.testing.assert_array_equal(sinusoidal(**found.arguments()), sinusoidal(50, 64))


def test_rows_that_overflowed():
    positions = in_float16(np.arange(65000, 65600))
    table = sinusoidal(600, 32)
    table[~np.isfinite(positions)] = np.nan
    found = identify(table)
    assert found.faults == ("overflow",)
    assert (found.kind, found.base) == ("sinusoidal", 10000)
    assert "80 rows hold NaN or infinity, first row 520" in str(found)
    assert identify(np.full((3, 4), np.nan)).kind == "not finite"
    assert identify([[1.0, 2.0], [np.inf, 0.0]]).faults == ("overflow",)


def test_half_precision_from_the_first_row_to_past_its_end():
    w = in_float16(frequencies(32))
    with np.errstate(over="ignore", invalid="ignore"):
        found = identify(halves(in_float16(np.arange(66000))[:, None] * w))
    assert found.damage == "angles in float16"
    assert found.faults == ("duplicate rows", "overflow")
    assert "first row 65520, position 65520" in str(found)


# -- trained, random, and everything else ---------------------------------------------------------


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.5])
@pytest.mark.parametrize("made", [{}, T2T])
def test_a_trained_table_that_began_as_a_sinusoid(noise, made):
    table = sinusoidal(256, 64, **made) + np.random.default_rng(1).normal(0, noise, (256, 64))
    found = identify(table)
    agrees(found, {**PLAIN, "layout": "interleaved", **PAPER, **made, "damage": "", "faults": ()})
    began = sinusoidal(256, 64, **made)
    assert found.correlation == pytest.approx(np.corrcoef(table.ravel(), began.ravel())[0, 1], abs=1e-6)
    assert "noise, or training, has moved the values by" in str(found)


@pytest.mark.parametrize(
    ("noise", "rows", "dim", "within"), [(0.1, 128, 64, 0.01), (0.3, 300, 32, 0.05), (0.3, 40, 16, 0.2)]
)
def test_a_base_in_noise_is_rounded_no_further_than_chance_allows(noise, rows, dim, within):
    clean = sinusoidal(rows, dim, base=3456.7, layout="halves", dtype=np.float64)
    for seed in range(2):
        found = identify(clean + np.random.default_rng(seed).normal(0, noise, clean.shape))
        pairs = dim // 2
        base = found.base if found.spacing == "paper" else found.base ** (pairs / (pairs - 1))
        assert base == pytest.approx(3456.7, rel=within)
        assert (found.start, found.step, found.faults) == (0, 1, ())


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(2, 60), dim=st.integers(1, 40))
def test_a_random_table_is_not_taken_for_a_sinusoid(seed, rows, dim):
    table = np.random.default_rng(seed).normal(0.1, 0.02, (rows, dim))
    found = identify(table)
    assert found.kind == "random"
    assert found.mean == pytest.approx(table.mean())
    assert found.std == pytest.approx(table.std())


def test_a_learned_table_is_described():
    table = np.random.default_rng(0).normal(0, 0.02, (512, 64)).astype(np.float32)
    found = identify(table)
    assert found.kind == "random"
    assert found.std == pytest.approx(0.02, rel=0.01)
    assert "4.6% in a normal distribution" in str(found)
    table[1] = 0
    assert identify(table).padding == 1


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (np.zeros((3, 4)), "zeros"),
        (np.full((3, 4), 0.5), "constant"),
        (np.tile([1.0, 2.0], (5, 1)), "constant"),
        (np.eye(5), "one-hot"),
        (np.eye(5, dtype=int)[[0, 2, 4]], "one-hot"),
        (sinusoidal(4, 1, odd="pad"), "zeros"),
        (np.outer(np.arange(50), np.ones(8)), "random"),
    ],
)
def test_other_tables(table, kind):
    found = identify(table)
    assert found.kind == kind
    assert str(found).startswith(f"{kind} table of {len(table)} rows")
    for method in (found.arguments, found.table):
        with pytest.raises(ValueError, match=f"kind '{kind}'"):
            method()


def test_rows_that_something_else_has_overwritten_are_counted():
    table = sinusoidal(300, 32)
    table[200:210] = 0.5
    found = identify(table)
    assert (found.base, found.damage) == (10000, "")
    assert "10 rows differ for no known reason, first row 200" in found.evidence
    assert not any("differ for no" in sentence for sentence in identify(sinusoidal(300, 32)).evidence)


# -- the report -----------------------------------------------------------------------------------


def test_report_reads_as_sentences():
    report = str(identify(sinusoidal(100, 64, layout="halves", start=2)))
    assert report.splitlines()[:2] == [
        "sinusoidal table of 100 rows and 64 columns, stored in float32",
        "  layout halves, spacing paper, base 10000, start 2, step 1, scale 1",
    ]
    assert "from pair to pair the frequency falls by a factor of 1.33352" in report


def test_arguments_are_those_of_sinusoidal():
    found = identify(sinusoidal(10, 8, start=2, dtype=np.float64))
    assert found.arguments() == {
        "length": 10,
        "dim": 8,
        "layout": "interleaved",
        "spacing": "paper",
        "base": 10000.0,
        "start": 2,
        "dtype": np.float64,
    }
    # The exponent with the odd width itself is no option of sinusoidal, but another base is.
    odd = np.array(REFERENCE["sinusoidal_interleaved_odd_d7_hf"]["exact_f64"])
    np.testing.assert_allclose(sinusoidal(**identify(odd).arguments()), odd, atol=1e-9)


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        (np.ones(3), ValueError, r"table must have two axes, positions and columns, not the shape \(3,\)"),
        (np.ones((2, 2, 2)), ValueError, "table must have two axes"),
        (np.ones((1, 4)), ValueError, "table must have at least 2 rows, not 1"),
        (np.ones((3, 0)), ValueError, "table must have at least 1 column, not 0"),
        ([["a", "b"], ["c", "d"]], TypeError, "table must hold real numbers, not values of dtype <U1"),
        (np.ones((2, 2)) * 1j, TypeError, "table must hold real numbers"),
        ([[1, 2], [3]], ValueError, "table must be an array"),
    ],
)
def test_bad_input_is_named(table, error, message):
    with pytest.raises(error, match=message):
        identify(table)


def test_input_is_left_as_it_is_and_the_table_is_fresh(recwarn):
    table = sinusoidal(20, 8)
    before = table.copy()
    found = identify(table)
    np.testing.assert_array_equal(table, before)
    assert isinstance(found, TableIdentity)
    one, other = found.table(), found.table()
    assert one.flags.c_contiguous
    assert one.dtype == np.float64
    one[:] = 7
    assert not (other == 7).any()
    assert not recwarn.list
