"""Learned tables: what is drawn, what is looked up, and the error past the end."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.posenc import learned_table, look_up, padded_positions

REFERENCE = json.loads(
    (Path(__file__).parent / "data" / "learned-reference.json").read_text(encoding="utf-8")
)

# -- drawing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("std", [0.02, 0.01, 3.0])
def test_normal_table_has_the_moments_of_its_distribution(std):
    table = learned_table(1000, 500, seed=1, std=std, dtype=np.float64)
    # Half a million numbers: these are five standard errors.
    assert abs(table.mean()) < 5 * std / math.sqrt(table.size)
    assert table.std() == pytest.approx(std, rel=5 / math.sqrt(2 * table.size))
    beyond = np.mean(np.abs(table) > 2 * std)
    expected = math.erfc(math.sqrt(2))
    assert beyond == pytest.approx(expected, abs=5 * math.sqrt(expected / table.size))


def test_truncated_table_has_the_moments_of_its_distribution():
    table = learned_table(1000, 500, seed=1, std=0.02, distribution="truncated", dtype=np.float64) / 0.02
    assert np.abs(table).max() <= 2
    assert np.abs(table).max() > 1.99
    inside = math.erf(math.sqrt(2))
    variance = 1 - 2 * 2 * math.exp(-2) / math.sqrt(2 * math.pi) / inside
    assert table.std() == pytest.approx(math.sqrt(variance), rel=5 / math.sqrt(table.size))
    assert math.sqrt(variance) == pytest.approx(0.88, abs=0.001)
    assert abs(table.mean()) < 5 / math.sqrt(table.size)
    # Within one standard deviation it is the normal distribution, only scaled up.
    near = math.erf(math.sqrt(0.5)) / inside
    assert np.mean(np.abs(table) < 1) == pytest.approx(near, abs=5 / math.sqrt(table.size))


@pytest.mark.parametrize("distribution", ["normal", "truncated"])
def test_a_seed_names_a_table(distribution):
    one, same, other = (learned_table(9, 5, seed=seed, distribution=distribution) for seed in (3, 3, 4))
    assert one.shape == (9, 5)
    assert one.dtype == np.float32
    np.testing.assert_array_equal(one, same)
    assert not np.isin(one, other).any()
    assert len(np.unique(one)) == one.size


def test_the_padding_row_is_zero_and_no_other():
    table = learned_table(6, 4, seed=0, padding=1)
    assert not table[1].any()
    assert np.delete(table, 1, axis=0).all()
    np.testing.assert_array_equal(
        np.delete(table, 1, axis=0), np.delete(learned_table(6, 4, seed=0), 1, axis=0)
    )


def test_edges_and_dtypes():
    assert learned_table(0, 3, seed=0).shape == (0, 3)
    assert not learned_table(3, 3, seed=0, std=0).any()
    for dtype in (np.float16, ">f4", np.float64):
        table = learned_table(3, 2, seed=np.int64(5), dtype=dtype)
        assert table.dtype == np.dtype(dtype)
        assert table.flags.c_contiguous
        assert table.flags.writeable
        np.testing.assert_allclose(table, learned_table(3, 2, seed=5), rtol=2e-3)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rows": -1}, ValueError, "rows must be at least 0, not -1"),
        ({"dim": 0}, ValueError, "dim must be at least 1, not 0"),
        ({"dim": 2.0}, TypeError, r"dim must be an integer, not 2\.0"),
        ({"seed": None}, TypeError, "seed must be an integer, not None"),
        ({"seed": -1}, ValueError, "seed must be at least 0, not -1"),
        ({"std": -0.1}, ValueError, r"std must be at least 0, not -0\.1"),
        ({"std": math.nan}, ValueError, "std must be finite, not nan"),
        ({"distribution": "bert"}, ValueError, "distribution must be 'normal' or 'truncated', not 'bert'"),
        ({"padding": 4}, ValueError, "padding must be one of the 4 rows, counted from 0, not 4"),
        ({"padding": -1}, ValueError, "padding must be at least 0, not -1"),
        ({"padding": True}, TypeError, "padding must be an integer, not True"),
        ({"dtype": int}, TypeError, "dtype must be float16, float32 or float64, not int64"),
    ],
)
def test_drawing_names_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        learned_table(**{"rows": 4, "dim": 2, "seed": 0, **arguments})


# -- looking up -----------------------------------------------------------------------------------


@settings(deadline=None)
@given(
    positions=st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), max_size=4),
    kind=st.sampled_from([np.int64, np.uint8, np.int16]),
)
def test_each_position_gets_its_row(positions, kind):
    table = learned_table(5, 2, seed=0)
    places = np.array(positions, dtype=kind).reshape(-1, 3)
    before = table.copy(), places.copy()
    vectors = look_up(table, places)
    assert vectors.shape == (*places.shape, 2)
    for index, place in np.ndenumerate(places):
        np.testing.assert_array_equal(vectors[index], table[int(place)])
    vectors[:] = 7
    np.testing.assert_array_equal(table, before[0])
    np.testing.assert_array_equal(places, before[1])


def test_a_single_position_and_a_table_of_any_kind():
    table = np.arange(6).reshape(3, 2)
    vector = look_up(table, 2)
    assert vector.shape == (2,)
    assert vector.dtype == table.dtype
    vector[:] = 9
    assert table[2, 0] == 4
    assert look_up(table.T.astype(">f4"), [0, 1]).dtype == np.dtype(">f4")
    assert look_up(np.asfortranarray(table), [[0, 1], [2, 0]]).flags.c_contiguous
    assert look_up(table, []).shape == (0, 2)
    assert look_up(np.zeros((0, 2)), []).shape == (0, 2)


@pytest.mark.parametrize(
    ("table", "positions", "error", "message"),
    [
        (np.ones((512, 2)), [0, 512], ValueError, "between 0 and 511, as table has 512 rows, but hold 512"),
        (np.ones((512, 2)), 600, ValueError, "positions must lie between 0 and 511, .* but hold 600"),
        (np.ones((512, 2)), [[1], [-1]], ValueError, "between 0 and 511, .* but hold -1"),
        (np.ones((4, 2)), np.array([2**64 - 1], dtype=np.uint64), ValueError, "hold 18446744073709551615"),
        (np.ones((0, 2)), [0], ValueError, "positions must be empty, as table is, but hold 0"),
        (np.ones((4, 2)), [1.0], TypeError, "positions must hold integers, not values of dtype float64"),
        (np.ones((4, 2)), [True], TypeError, "positions must hold real numbers, not values of dtype bool"),
        (np.ones(4), [1], ValueError, r"table must have two axes, rows and dim, not the shape \(4,\)"),
        ([["a"]], [0], TypeError, "table must hold real numbers"),
    ],
)
def test_looking_up_names_bad_input(table, positions, error, message):
    with pytest.raises(error, match=message):
        look_up(table, positions)


# -- fairseq's positions --------------------------------------------------------------------------


def test_agrees_with_fairseq():
    entry = REFERENCE["position_ids_fairseq"]
    ours = padded_positions(entry["params"]["input_ids"], padding=entry["params"]["padding_idx"])
    assert ours.dtype == np.int64
    np.testing.assert_array_equal(ours, entry["lib"])


@settings(deadline=None)
@given(
    tokens=st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=1, max_size=4),
    padding=st.integers(0, 4),
)
def test_tokens_are_counted_one_by_one(tokens, padding):
    array = np.array(tokens)
    before = array.copy()
    expected = []
    for row in tokens:
        seen, places = padding, []
        for token in row:
            seen += token != padding
            places.append(padding if token == padding else seen)
        expected.append(places)
    np.testing.assert_array_equal(padded_positions(array, padding=padding), expected)
    np.testing.assert_array_equal(array, before)


def test_the_longest_text_fills_the_table_and_one_more_token_is_an_error():
    table = learned_table(10 + 1 + 1, 4, seed=0, padding=1)
    assert look_up(table, padded_positions([[7] * 10 + [1]], padding=1)).shape == (1, 11, 4)
    with pytest.raises(ValueError, match="between 0 and 11, as table has 12 rows, but hold 12"):
        look_up(table, padded_positions([[7] * 11], padding=1))


def test_positions_of_any_number_of_axes():
    np.testing.assert_array_equal(padded_positions([5, 0, 6], padding=0), [1, 0, 2])
    assert padded_positions(np.ones((2, 3, 4), dtype=np.uint8), padding=0).shape == (2, 3, 4)
    assert padded_positions([], padding=1).dtype == np.int64


@pytest.mark.parametrize(
    ("tokens", "padding", "error", "message"),
    [
        (3, 1, ValueError, r"tokens must have at least one axis, of tokens, not the shape \(\)"),
        ([0.5], 1, TypeError, "tokens must hold integers, not values of dtype float64"),
        ([[1], [2, 3]], 1, ValueError, "tokens must be an array"),
        ([1], -1, ValueError, "padding must be at least 0, not -1"),
        ([1], None, TypeError, "padding must be an integer, not None"),
    ],
)
def test_counting_names_bad_input(tokens, padding, error, message):
    with pytest.raises(error, match=message):
        padded_positions(tokens, padding=padding)
