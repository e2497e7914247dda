"""The sinusoidal table against other people's code, the paper's formula written out, identities."""

import json
import math
import tracemalloc
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.posenc import rotation_matrix, sinusoidal, wavelengths

REFERENCE = json.loads(
    (Path(__file__).parent / "data" / "sinusoidal-reference.json").read_text(encoding="utf-8")
)
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")

# -- against the field's own code -----------------------------------------------------------------

CONVENTIONS = [
    ("sinusoidal_interleaved", {}),
    ("sinusoidal_interleaved_hf_distilbert", {}),
    ("sinusoidal_interleaved_odd_d7_pe_lib", {"odd": "truncate"}),
    ("sinusoidal_halves_paper_exponent", {"layout": "halves"}),
    ("sinusoidal_tensor2tensor", {"layout": "halves", "spacing": "tensor2tensor"}),
    ("sinusoidal_whisper", {"layout": "halves", "spacing": "tensor2tensor"}),
    (
        "sinusoidal_tensor2tensor_odd_d7",
        {"layout": "halves", "spacing": "tensor2tensor", "odd": "pad"},
    ),
]


@pytest.mark.parametrize(("name", "convention"), CONVENTIONS)
def test_agrees_with_libraries(name, convention):
    entry = REFERENCE[name]
    size = entry["params"]["n"], entry["params"]["d"]

    exact = sinusoidal(*size, **convention, dtype=np.float64)
    np.testing.assert_allclose(exact, entry["exact_f64"], rtol=1e-9, atol=1e-12)

    single = sinusoidal(*size, **convention)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, entry["lib"], rtol=1e-5, atol=2e-6)


def test_agrees_with_fairseq_from_the_first_token_on():
    entry = REFERENCE["sinusoidal_fairseq_padding_idx1"]
    first = entry["params"]["padding_idx"] + 1
    ours = sinusoidal(
        entry["params"]["n"] - first,
        entry["params"]["d"],
        start=first,
        layout="halves",
        spacing="tensor2tensor",
        dtype=np.float64,
    )
    np.testing.assert_allclose(ours, entry["exact_f64"][first:], rtol=1e-9, atol=1e-12)


# -- against the truth ----------------------------------------------------------------------------


def exact_row(position, dim):
    """One row of the paper's table, its angles reduced with sixty digits before they are floats."""
    row = []
    with localcontext() as context:
        context.prec = 60
        for pair in range(dim // 2):
            frequency = Decimal(10000) ** -(Decimal(2 * pair) / Decimal(dim))
            angle = float(Decimal(position) * frequency % (2 * PI))
            row += [math.sin(angle), math.cos(angle)]
    return np.array(row)


def test_float32_is_within_2e_7_of_the_truth_for_the_first_8192_positions():
    table = sinusoidal(8192, 64)
    for position in (*range(16), 1023, 1024, 4095, 7001, 8190, 8191):
        error = np.abs(table[position].astype(np.float64) - exact_row(position, 64))
        assert error.max() < 2e-7, position


@settings(deadline=None)
@given(position=st.integers(-(2**31), 2**31) | st.floats(-(2.0**31), 2.0**31))
def test_every_dtype_is_true_to_its_promise_up_to_2_31(position):
    exact = exact_row(position, 16)
    table = {size: sinusoidal(None, 16, positions=position, dtype=f"f{size}") for size in (2, 4, 8)}
    assert np.abs(table[8] - exact).max() < 4e-15
    assert np.abs(table[4].astype(np.float64) - exact).max() < 2e-7
    ulp = np.spacing(np.abs(exact).astype(np.float16)).astype(np.float64)
    assert (np.abs(table[2].astype(np.float64) - exact) <= ulp).all()


def test_every_row_of_a_long_table_is_as_true_as_the_float64_table():
    double = sinusoidal(32768, 64, dtype=np.float64)
    for position in (*range(0, 32768, 1111), 32767):
        assert np.abs(double[position] - exact_row(position, 64)).max() < 4e-15, position
    single = sinusoidal(32768, 64)
    assert np.abs(single - double).max() < 2e-7
    half = sinusoidal(32768, 64, dtype=np.float16).astype(np.float64)
    ulp = np.spacing(np.abs(double).astype(np.float16)).astype(np.float64)
    assert (np.abs(half - double) <= ulp).all()


def test_slow_pairs_keep_their_relative_precision():
    row = sinusoidal(None, 8, positions=3, base=1e280, dtype=np.float64)
    np.testing.assert_allclose(row[0::2], [math.sin(3), 3e-70, 3e-140, 3e-210], rtol=1e-14)


@pytest.mark.parametrize("position", [-1, -8191, 1857, 16384, 32767, 65535, 2**31 - 1])
def test_float16_is_the_truth_rounded_once(position):
    exact = exact_row(position, 32)
    half = sinusoidal(None, 32, positions=position, dtype=np.float16)
    # One unit in the last place of the true value, the smallest subnormal at least.
    ulp = np.spacing(np.abs(exact).astype(np.float16)).astype(np.float64)
    assert (np.abs(half.astype(np.float64) - exact) <= ulp).all()


def test_rows_of_a_long_float16_table_stay_distinct():
    table = sinusoidal(32768, 64, dtype=np.float16)
    assert len(np.unique(table, axis=0)) == len(table)


@settings(deadline=None)
@given(
    position=st.floats(-1000, 1000),
    pair=st.integers(0, 31),
    base=st.floats(2, 1e6),
    spacing=st.sampled_from(["paper", "tensor2tensor"]),
)
def test_formula_written_out(position, pair, base, spacing):
    exponent = Fraction(2 * pair, 64) if spacing == "paper" else Fraction(pair, 31)
    angle = position / base ** float(exponent)
    row = sinusoidal(None, 64, positions=position, base=base, spacing=spacing, dtype=np.float64)
    assert row[2 * pair] == pytest.approx(math.sin(angle), abs=1e-11)
    assert row[2 * pair + 1] == pytest.approx(math.cos(angle), abs=1e-11)


def test_first_pair_is_the_fastest():
    turns = wavelengths(512)
    assert turns[0] == pytest.approx(2 * math.pi)
    assert (np.diff(turns) > 0).all()
    assert turns[255] == pytest.approx(60611, abs=0.5)


# -- identities -----------------------------------------------------------------------------------

conventions = st.fixed_dictionaries(
    {
        "layout": st.sampled_from(["interleaved", "halves"]),
        "spacing": st.sampled_from(["paper", "tensor2tensor"]),
        "odd": st.sampled_from(["truncate", "pad"]),
        "base": st.sampled_from([1.0, 100.0, 10000.0, 5e5]),
        "dtype": st.sampled_from([np.float16, np.float32, np.float64]),
    }
)


@settings(deadline=None)
@given(
    dim=st.integers(1, 70),
    first=st.integers(0, 300),
    rows=st.integers(0, 100),
    start=st.integers(-200, 2000),
    convention=conventions,
)
def test_a_block_is_bitwise_the_rows_of_the_longer_table(dim, first, rows, start, convention):
    long = sinusoidal(400, dim, start=start, **convention)
    block = sinusoidal(rows, dim, start=start + first, **convention)
    assert block.tobytes() == long[first : first + rows].tobytes()


@pytest.mark.parametrize("start", [-(2**53), -(2**31) - 77, -1000, 5, 2**31 - 500, 2**53 - 1500])
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_blocks_of_wide_tables_at_far_positions(start, layout):
    long = sinusoidal(1500, 3000, start=start, layout=layout)
    for first, rows in ((0, 1), (1, 63), (37, 64), (500, 65), (511, 900), (1499, 1)):
        block = sinusoidal(rows, 3000, start=start + first, layout=layout)
        assert block.tobytes() == long[first : first + rows].tobytes()


@settings(deadline=None)
@given(dim=st.integers(1, 70), convention=conventions, data=st.data())
def test_scattered_positions_give_the_rows_of_the_table(dim, convention, data):
    wanted = data.draw(st.lists(st.integers(-50, 49), max_size=20))
    table = sinusoidal(100, dim, start=-50, **convention)
    rows = sinusoidal(None, dim, positions=wanted, **convention)
    assert rows.shape == (len(wanted), dim)
    assert rows.tobytes() == table[[50 + position for position in wanted]].tobytes()


@settings(deadline=None)
@given(dim=st.integers(1, 35).map(lambda half: 2 * half), convention=conventions)
def test_layouts_hold_the_same_columns(dim, convention):
    convention = {**convention, "layout": "interleaved"}
    interleaved = sinusoidal(20, dim, **convention)
    halves = sinusoidal(20, dim, **{**convention, "layout": "halves"})
    np.testing.assert_array_equal(halves[:, : dim // 2], interleaved[:, 0::2])
    np.testing.assert_array_equal(halves[:, dim // 2 :], interleaved[:, 1::2])


@pytest.mark.parametrize("rows", [63, 64, 65, 200])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f4"])
@pytest.mark.parametrize("odd", ["truncate", "pad"])
def test_every_way_of_writing_a_long_table_gives_the_same_columns(rows, dtype, odd):
    """Some tables are multiplied into place, others written column by column."""
    wide = sinusoidal(rows, 10, start=-70, dtype=dtype)
    halves = sinusoidal(rows, 10, start=-70, dtype=dtype, layout="halves")
    np.testing.assert_array_equal(halves, wide[:, [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]])
    if odd == "truncate":
        narrow = sinusoidal(rows, 9, start=-70, dtype=dtype)
        np.testing.assert_array_equal(narrow, wide[:, :9])
        narrow = sinusoidal(rows, 9, start=-70, dtype=dtype, layout="halves")
        np.testing.assert_array_equal(narrow, halves[:, :9])
    else:
        padded = sinusoidal(rows, 11, start=-70, dtype=dtype, odd="pad")
        np.testing.assert_array_equal(padded, np.pad(wide, ((0, 0), (0, 1))))
        padded = sinusoidal(rows, 11, start=-70, dtype=dtype, odd="pad", layout="halves")
        np.testing.assert_array_equal(padded, np.pad(halves, ((0, 0), (0, 1))))


@settings(deadline=None)
@given(dim=st.integers(0, 34).map(lambda half: 2 * half + 1), convention=conventions)
def test_odd_width_is_the_neighbouring_even_one(dim, convention):
    odd = sinusoidal(9, dim, **convention)
    assert odd.shape == (9, dim)
    if convention["odd"] == "truncate":
        np.testing.assert_array_equal(odd, sinusoidal(9, dim + 1, **convention)[:, :dim])
    else:
        np.testing.assert_array_equal(odd[:, -1], np.zeros(9))
        if dim > 1:
            np.testing.assert_array_equal(odd[:, :-1], sinusoidal(9, dim - 1, **convention))


@settings(deadline=None)
@given(position=st.floats(-1e4, 1e4), offset=st.floats(-1e3, 1e3))
def test_each_pair_turns_by_the_offset(position, offset):
    """sin and cos of a sum of angles: the same rotation wherever it starts."""
    here, there = sinusoidal(None, 16, positions=[position, position + offset], dtype=np.float64)
    angle = offset * 2 * np.pi / wavelengths(16)
    hands = (here[1::2] + 1j * here[0::2]) * np.exp(1j * angle)
    np.testing.assert_allclose(there[1::2] + 1j * there[0::2], hands, atol=1e-10)


@pytest.mark.parametrize("odd", ["truncate", "pad"])
@pytest.mark.parametrize("dim", [1, 2, 3, 8, 29])
@pytest.mark.parametrize("spacing", ["paper", "tensor2tensor"])
def test_wavelength_is_where_a_pair_comes_round(dim, spacing, odd):
    turns = wavelengths(dim, spacing=spacing, odd=odd)
    assert turns.shape == ((dim + (odd == "truncate")) // 2,)
    for pair, turn in enumerate(turns):
        round_trip = sinusoidal(None, dim, positions=turn, spacing=spacing, odd=odd, dtype=np.float64)
        assert round_trip[2 * pair] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("odd", ["truncate", "pad"])
def test_a_single_pair_spaced_as_tensor2tensor_has_frequency_1(odd):
    for dim in (2, 3) if odd == "pad" else (1, 2):
        table = sinusoidal(5, dim, spacing="tensor2tensor", odd=odd, dtype=np.float64)
        np.testing.assert_allclose(table[:, 0], np.sin(np.arange(5)), atol=1e-15)
        assert np.isfinite(table).all()


# -- the rotation that moves a row ------------------------------------------------------------------

moves = st.fixed_dictionaries(
    {
        "layout": st.sampled_from(["interleaved", "halves"]),
        "spacing": st.sampled_from(["paper", "tensor2tensor"]),
        "base": st.sampled_from([1.0, 100.0, 10000.0]),
    }
)
offsets = st.integers(-(10**6), 10**6) | st.floats(-1e4, 1e4)


@settings(deadline=None)
@given(position=st.integers(-1000, 1000), offset=offsets, dim=st.integers(1, 20), move=moves)
def test_rotation_moves_any_row_by_the_offset(position, offset, dim, move):
    odd = "pad" if dim % 2 else "truncate"
    turn = rotation_matrix(offset, dim, odd=odd, **move)
    here, there = sinusoidal(
        None, dim, positions=[position, position + offset], odd=odd, dtype=np.float64, **move
    )
    np.testing.assert_allclose(turn @ here, there, atol=1e-11)


@settings(deadline=None)
@given(one=offsets, other=offsets, half=st.integers(1, 9), move=moves)
def test_rotations_add_up_and_undo_each_other(one, other, half, move):
    turn, further = (rotation_matrix(offset, 2 * half, **move) for offset in (one, other))
    both = rotation_matrix(one + other, 2 * half, **move)
    np.testing.assert_allclose(turn @ further, both, atol=1e-9)
    np.testing.assert_allclose(turn.T, rotation_matrix(-one, 2 * half, **move), atol=1e-15)
    np.testing.assert_allclose(turn @ turn.T, np.eye(2 * half), atol=1e-14)


def test_rotation_is_a_block_for_each_pair():
    s, c = math.sin(3), math.cos(3)
    np.testing.assert_allclose(rotation_matrix(3, 2), [[c, s], [-s, c]], atol=1e-15)
    np.testing.assert_allclose(
        rotation_matrix(3, 3, odd="pad"), [[c, s, 0], [-s, c, 0], [0, 0, 1]], atol=1e-15
    )
    expected = [[c, 0, s, 0], [0, c, 0, s], [-s, 0, c, 0], [0, -s, 0, c]]
    np.testing.assert_allclose(rotation_matrix(3, 4, base=1, layout="halves"), expected, atol=1e-15)
    assert (rotation_matrix(0, 6) == np.eye(6)).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, ">f8"])
def test_rotation_has_the_asked_dtype(dtype):
    matrix = rotation_matrix(2, 4, dtype=dtype)
    assert matrix.dtype == np.dtype(dtype)
    assert matrix.shape == (4, 4)
    assert matrix.flags.c_contiguous
    assert matrix.flags.writeable
    np.testing.assert_allclose(matrix, rotation_matrix(2, 4), atol=1e-3)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"dim": 5}, ValueError, "dim must be even where odd is 'truncate', not 5"),
        ({"dim": 0}, ValueError, "dim must be at least 1, not 0"),
        ({"offset": "1"}, TypeError, "offset must be a real number, not '1'"),
        ({"offset": [1, 2]}, TypeError, r"offset must be a real number, not \[1, 2\]"),
        ({"offset": math.nan}, ValueError, "offset must be finite, not nan"),
        ({"offset": 2.0**60}, ValueError, "offset must lie between"),
        ({"layout": "half"}, ValueError, "layout must be 'interleaved' or 'halves', not 'half'"),
        ({"base": 0.5}, ValueError, "base must be at least 1, not 0.5"),
        ({"dtype": int}, TypeError, "dtype must be float16, float32 or float64, not int64"),
    ],
)
def test_rotation_names_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        rotation_matrix(**{"offset": 1, "dim": 4, **arguments})


# -- shapes and types -----------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0), (2, 3), (1, 2, 3)])
def test_positions_of_any_shape(shape):
    positions = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    before = positions.copy()
    table = sinusoidal(None, 6, positions=positions)
    assert table.shape == (*shape, 6)
    np.testing.assert_array_equal(positions, before)


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("dtype", [np.float16, "float32", float, ">f4"])
def test_result_is_fresh_writable_and_contiguous(layout, dtype):
    one, other = (sinusoidal(4, 5, layout=layout, dtype=dtype) for _ in range(2))
    assert one.dtype == np.dtype(dtype)
    assert one.flags.c_contiguous
    assert one.flags.owndata
    one[:] = 7
    assert not (other == 7).any()


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_a_table_needs_little_more_memory_than_itself(layout):
    sinusoidal(64, 1024, layout=layout)
    tracemalloc.start()
    try:
        table = sinusoidal(8192, 1024, layout=layout)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.3 * table.nbytes


@pytest.mark.parametrize("spacing", ["paper", "tensor2tensor"])
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_width_2_has_the_one_frequency_1(spacing, layout):
    table = sinusoidal(100, 2, spacing=spacing, layout=layout, dtype=np.float64)
    places = np.arange(100)
    np.testing.assert_allclose(table, np.stack([np.sin(places), np.cos(places)], axis=1), atol=1e-14)


def test_default_is_the_paper_in_float32_from_position_0():
    assert sinusoidal(0, 4).shape == (0, 4)
    np.testing.assert_array_equal(sinusoidal(1, 4), np.array([[0, 1, 0, 1]], dtype=np.float32))
    assert sinusoidal(np.int16(2), np.uint8(4)).dtype == np.float32


# -- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"dim": 0}, ValueError, "dim must be at least 1, not 0"),
        ({"dim": 4.0}, TypeError, "dim must be an integer, not 4.0"),
        ({"dim": True}, TypeError, "dim must be an integer, not True"),
        ({"length": -1}, ValueError, "length must be at least 0, not -1"),
        ({"length": "3"}, TypeError, "length must be an integer, not '3'"),
        ({"length": None}, ValueError, "length must be an integer, or positions must be given"),
        ({"start": 0.5}, TypeError, "start must be an integer, not 0.5"),
        ({"start": 2**53}, ValueError, r"start must keep every position within 2\*\*53"),
        ({"base": 0}, ValueError, "base must be at least 1, not 0"),
        ({"base": math.inf}, ValueError, "base must be finite, not inf"),
        ({"base": math.nan}, ValueError, "base must be finite, not nan"),
        ({"base": "10000"}, TypeError, "base must be a real number, not '10000'"),
        ({"base": [1, 2]}, TypeError, r"base must be a real number, not \[1, 2\]"),
        ({"layout": "half"}, ValueError, "layout must be 'interleaved' or 'halves', not 'half'"),
        ({"layout": None}, ValueError, "layout must be 'interleaved' or 'halves', not None"),
        ({"spacing": "t2t"}, ValueError, "spacing must be 'paper' or 'tensor2tensor', not 't2t'"),
        ({"odd": ""}, ValueError, "odd must be 'truncate' or 'pad', not ''"),
        ({"dtype": int}, TypeError, "dtype must be float16, float32 or float64, not int64"),
        ({"dtype": complex}, TypeError, "dtype must be float16, float32 or float64, not complex"),
        ({"dtype": "bfloat16"}, TypeError, "dtype must be float16, float32 or float64"),
        ({"positions": [1]}, ValueError, "length must be None when positions are given, not 3"),
        (
            {"length": None, "positions": [1], "start": 1},
            ValueError,
            "start must be left out when positions are given, not 1",
        ),
        ({"length": None, "positions": [math.nan]}, ValueError, "positions must be finite"),
        ({"length": None, "positions": [0, -math.inf]}, ValueError, "positions must be finite"),
        ({"length": None, "positions": ["1"]}, TypeError, "positions must hold real numbers"),
        ({"length": None, "positions": [1j]}, TypeError, "positions must hold real numbers"),
        ({"length": None, "positions": [True]}, TypeError, "positions must hold real numbers"),
        ({"length": None, "positions": [[1], [2, 3]]}, ValueError, "positions must be an array"),
        ({"length": None, "positions": [1, 2**53 + 1]}, ValueError, "positions must lie between"),
        ({"length": None, "positions": [-(2**63)]}, ValueError, "positions must lie between"),
    ],
)
def test_bad_input_is_named(arguments, error, message):
    with pytest.raises(error, match=message):
        sinusoidal(**{"length": 3, "dim": 4, **arguments})


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="long double is double here")
def test_long_double_would_be_a_false_promise():
    with pytest.raises(TypeError, match="dtype must be float16, float32 or float64, not float"):
        sinusoidal(3, 4, dtype=np.longdouble)


def test_wavelengths_names_bad_input():
    with pytest.raises(ValueError, match="dim must be at least 1, not -2"):
        wavelengths(-2)
    with pytest.raises(ValueError, match=r"base must be at least 1, not 0\.5"):
        wavelengths(4, base=0.5)
