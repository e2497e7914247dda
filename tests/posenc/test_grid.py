"""Grids against other people's code and against the formula written out, cell by cell."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.posenc import sinusoidal, sinusoidal_2d

REFERENCE = json.loads((Path(__file__).parent / "data" / "grid-reference.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "convention"),
    [
        ("detr_sine2d_4x5_d16", {"start": 1}),
        ("detr_sine2d_4x5_d16_normalized", {"start": 1, "normalize": True}),
        ("sine2d_positional_encodings_4x5_d16", {}),
    ],
)
def test_agrees_with_libraries(name, convention):
    entry = REFERENCE[name]
    exact = sinusoidal_2d(4, 5, 16, **convention, dtype=np.float64)
    np.testing.assert_allclose(exact, entry["exact_f64"], rtol=1e-9, atol=1e-12)
    single = sinusoidal_2d(4, 5, 16, **convention)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, entry["lib"], rtol=1e-5, atol=2e-6)


def cell(y, x, dim, base):
    """One cell as the paper and DETR describe it: rows first, sine and cosine in turn."""
    values = []
    for place in (y, x):
        for pair in range(dim // 4):
            angle = place / base ** (2 * pair / (dim / 2))
            values += [math.sin(angle), math.cos(angle)]
    return values


@settings(deadline=None)
@given(
    height=st.integers(1, 6),
    width=st.integers(1, 6),
    quarter=st.integers(1, 5),
    start=st.integers(-3, 9),
    base=st.sampled_from([20.0, 10000.0]),
)
def test_formula_written_out(height, width, quarter, start, base):
    dim = 4 * quarter
    grid = sinusoidal_2d(height, width, dim, start=start, base=base, dtype=np.float64)
    assert grid.shape == (height, width, dim)
    for y in range(height):
        for x in range(width):
            np.testing.assert_allclose(grid[y, x], cell(start + y, start + x, dim, base), atol=1e-13)


@settings(deadline=None)
@given(
    height=st.integers(1, 6),
    width=st.integers(1, 6),
    start=st.integers(0, 3),
    scale=st.sampled_from([None, 1.0, -6.5, 100.0]),
)
def test_normalized_grids_cover_the_same_angles(height, width, start, scale):
    grid = sinusoidal_2d(height, width, 8, start=start, normalize=True, scale=scale, dtype=np.float64)
    reach = 2 * math.pi if scale is None else scale
    for y in range(height):
        for x in range(width):
            place = [
                (start + here) / (start + size - 1 + 1e-6) * reach
                for here, size in ((y, height), (x, width))
            ]
            np.testing.assert_allclose(grid[y, x], cell(*place, 8, 10000.0), atol=1e-12)


@settings(deadline=None)
@given(
    height=st.integers(0, 5),
    width=st.integers(0, 5),
    dim=st.sampled_from([4, 8, 20]),
    convention=st.fixed_dictionaries(
        {
            "layout": st.sampled_from(["interleaved", "halves"]),
            "spacing": st.sampled_from(["paper", "tensor2tensor"]),
            "start": st.integers(0, 2),
            "dtype": st.sampled_from([np.float16, np.float32, np.float64]),
        }
    ),
)
def test_each_half_is_the_table_of_one_axis(height, width, dim, convention):
    grid = sinusoidal_2d(height, width, dim, **convention)
    assert grid.dtype == convention["dtype"]
    rows, columns = (sinusoidal(size, dim // 2, **convention) for size in (height, width))
    for y in range(height):
        for x in range(width):
            np.testing.assert_array_equal(grid[y, x], np.concatenate([rows[y], columns[x]]))
    swapped = sinusoidal_2d(height, width, dim, order="xy", **convention)
    np.testing.assert_array_equal(swapped, np.roll(grid, dim // 2, axis=-1))
    transposed = sinusoidal_2d(width, height, dim, **convention).swapaxes(0, 1)
    np.testing.assert_array_equal(swapped, transposed)


@pytest.mark.parametrize("dim", [8, 64, 256])
def test_exponent_is_taken_by_the_width_of_a_half(dim):
    """As in LoFTR's precedence fault, where ``/ d//2`` halved the wrong thing."""
    sines = sinusoidal_2d(2, 2, dim, dtype=np.float64)[1, 0, : dim // 2 : 2]
    factors = np.log(np.arcsin(sines[1:])) / np.arange(2, dim // 2, 2)
    np.testing.assert_allclose(factors, -math.log(10000) / (dim / 2), rtol=1e-9)
    if dim == 256:
        np.testing.assert_allclose(factors, -0.07196, atol=5e-6)


def test_a_grid_of_one_cell_is_not_divided_by_zero():
    grid = sinusoidal_2d(1, 1, 4, normalize=True)
    np.testing.assert_array_equal(grid, [[[0, 1, 0, 1]]])
    assert sinusoidal_2d(0, 3, 4, normalize=True).shape == (0, 3, 4)


def test_result_is_fresh_writable_and_contiguous():
    one, other = (sinusoidal_2d(3, 4, 8, dtype=">f4") for _ in range(2))
    assert one.dtype == np.dtype(">f4")
    assert one.flags.c_contiguous
    assert one.flags.owndata
    one[:] = 7
    assert not (other == 7).any()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"height": -1}, ValueError, "height must be at least 0, not -1"),
        ({"width": 2.0}, TypeError, r"width must be an integer, not 2\.0"),
        ({"dim": 6}, ValueError, "dim must be a multiple of 4, not 6"),
        ({"dim": 0}, ValueError, "dim must be at least 4, not 0"),
        ({"order": "xyz"}, ValueError, "order must be 'yx' or 'xy', not 'xyz'"),
        ({"start": 0.5}, TypeError, r"start must be an integer, not 0\.5"),
        ({"start": -1, "normalize": True}, ValueError, "start must be at least 0, not -1"),
        ({"normalize": 1}, TypeError, "normalize must be True or False, not 1"),
        ({"scale": 1.0}, ValueError, r"scale must be left out unless normalize is True, not 1\.0"),
        ({"scale": math.inf, "normalize": True}, ValueError, "scale must be finite, not inf"),
        ({"scale": "1", "normalize": True}, TypeError, "scale must be a real number, not '1'"),
        ({"base": 0}, ValueError, r"base must be at least 1, not 0\.0"),
        ({"layout": "half"}, ValueError, "layout must be 'interleaved' or 'halves', not 'half'"),
        ({"spacing": ""}, ValueError, "spacing must be 'paper' or 'tensor2tensor', not ''"),
        ({"dtype": int}, TypeError, "dtype must be float16, float32 or float64, not int64"),
    ],
)
def test_bad_input_is_named(arguments, error, message):
    with pytest.raises(error, match=message):
        sinusoidal_2d(**{"height": 2, "width": 2, "dim": 4, **arguments})
