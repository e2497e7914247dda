"""The sinusoidal table against other people's code, the paper's formula written out, identities."""

import json
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edukit.posenc import sinusoidal, wavelengths

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


@given(dim=st.integers(1, 70), convention=conventions, data=st.data())
def test_scattered_positions_give_the_rows_of_the_table(dim, convention, data):
    wanted = data.draw(st.lists(st.integers(-50, 49), max_size=20))
    table = sinusoidal(100, dim, start=-50, **convention)
    rows = sinusoidal(None, dim, positions=wanted, **convention)
    assert rows.shape == (len(wanted), dim)
    assert rows.tobytes() == table[[50 + position for position in wanted]].tobytes()


@given(dim=st.integers(1, 35).map(lambda half: 2 * half), convention=conventions)
def test_layouts_hold_the_same_columns(dim, convention):
    convention = {**convention, "layout": "interleaved"}
    interleaved = sinusoidal(20, dim, **convention)
    halves = sinusoidal(20, dim, **{**convention, "layout": "halves"})
    np.testing.assert_array_equal(halves[:, : dim // 2], interleaved[:, 0::2])
    np.testing.assert_array_equal(halves[:, dim // 2 :], interleaved[:, 1::2])


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
