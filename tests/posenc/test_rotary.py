"""Rotary position encoding against other people's code, complex numbers written out, identities."""

import cmath
import json
import math
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.posenc import (
    DynamicNTK,
    Linear,
    RotaryFrequencies,
    YaRN,
    apply_rotary,
    rotary_2d,
    rotary_frequencies,
    rotary_permutation,
)

REFERENCE = json.loads(
    (Path(__file__).parent / "data" / "rotary-reference.json").read_text(encoding="utf-8")
)
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
LAYOUTS = ["interleaved", "halves"]

# -- against the field's own code -----------------------------------------------------------------

CONVENTIONS = [
    ("rope_interleaved", "interleaved", {}),
    ("rope_interleaved_x_transformers", "interleaved", {}),
    ("rope_interleaved_gptj", "interleaved", {}),
    ("rope_half", "halves", {}),
    ("rope_half_linear_factor4", "halves", {"scaling": Linear(4)}),
    ("rope_interleaved_linear_factor4", "interleaved", {"scaling": Linear(4)}),
]


@pytest.mark.parametrize("heads", [1, 5], ids=["one head", "several heads"])
@pytest.mark.parametrize(("name", "layout", "convention"), CONVENTIONS)
def test_agrees_with_libraries(name, layout, convention, heads):
    entry = REFERENCE[name]
    x = np.array(entry["params"]["x"])
    frequencies = rotary_frequencies(16, **convention)
    positions = np.arange(len(entry["exact_f64"]))
    tokens = np.broadcast_to(x, (heads, len(positions), 16))

    exact = apply_rotary(tokens, positions, frequencies, layout=layout)
    single = apply_rotary(tokens.astype(np.float32), positions, frequencies, layout=layout)
    for head in range(heads):
        np.testing.assert_allclose(exact[head], entry["exact_f64"], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(single[head], entry["lib"], rtol=1e-5, atol=2e-6)


def test_partial_rotation_agrees_with_a_library():
    entry = REFERENCE["rope_partial_4_of_16_interleaved"]
    x = np.tile(entry["params"]["x"], (len(entry["exact_f64"]), 1))
    turned = apply_rotary(x, np.arange(len(x)), rotary_frequencies(4), layout="interleaved", rotary_dim=4)
    np.testing.assert_allclose(turned, entry["exact_f64"], rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(turned[:, 4:], x[:, 4:])


# -- against complex numbers written out ----------------------------------------------------------


def slowly(row, position, inverse, layout, factor=1.0):
    """One row, a pair at a time, in Python's complex numbers."""
    row, pairs = [float(number) for number in row], len(inverse)
    turned = list(row)
    for pair, frequency in enumerate(inverse):
        a, b = (2 * pair, 2 * pair + 1) if layout == "interleaved" else (pair, pair + pairs)
        hand = complex(row[a], row[b]) * cmath.exp(1j * position * frequency) * factor
        turned[a], turned[b] = hand.real, hand.imag
    return turned


@settings(deadline=None)
@given(
    pairs=st.integers(1, 40),
    left=st.integers(0, 5),
    positions=st.lists(st.floats(-2000, 2000) | st.integers(-2000, 2000), min_size=1, max_size=9),
    heads=st.integers(1, 5),
    layout=st.sampled_from(LAYOUTS),
    factor=st.sampled_from([1.0, 1.25]),
    seed=st.integers(0, 9),
)
def test_each_pair_is_a_complex_number_that_turns(pairs, left, positions, heads, layout, factor, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(heads, len(positions), 2 * pairs + left))
    inverse = rng.uniform(0, 3, pairs)
    turned = apply_rotary(
        x, positions, RotaryFrequencies(inverse, factor), layout=layout, rotary_dim=2 * pairs
    )
    for head in range(heads):
        for row, position in enumerate(positions):
            expected = slowly(x[head, row, : 2 * pairs], position, inverse, layout, factor)
            np.testing.assert_allclose(turned[head, row, : 2 * pairs], expected, rtol=0, atol=3e-11)
    np.testing.assert_array_equal(turned[..., 2 * pairs :], x[..., 2 * pairs :])


@pytest.mark.parametrize("heads", [1, 8])
@pytest.mark.parametrize("position", [1, 8191, 65537, 2**31 - 1, -(2**31), 2**31 - 1.5])
def test_angles_are_right_far_out(position, heads):
    dim = 64
    x = np.tile(np.array([1.0, 0.0], np.float32), (heads, 1, dim // 2))
    turned = apply_rotary(x, position, rotary_frequencies(dim), layout="interleaved")[0, 0].astype(float)
    near = 2e-7 if abs(position) < 8192 else 4e-7
    with localcontext() as context:
        context.prec = 60
        for pair in range(dim // 2):
            angle = float(Decimal(position) * Decimal(10000) ** -(Decimal(2 * pair) / dim) % (2 * PI))
            assert turned[2 * pair] == pytest.approx(math.cos(angle), abs=near)
            assert turned[2 * pair + 1] == pytest.approx(math.sin(angle), abs=near)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("heads", [1, 8])
def test_long_ranges_scattered_positions_and_pieces_agree(layout, heads):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(heads, 700, 24))
    frequencies = rotary_frequencies(24)
    positions = np.arange(700) - 130
    whole = apply_rotary(x, positions, frequencies, layout=layout)
    order = rng.permutation(700)
    scattered = apply_rotary(x[:, order], positions[order], frequencies, layout=layout)
    np.testing.assert_allclose(scattered, whole[:, order], rtol=0, atol=1e-15 * 8)
    for row in (0, 129, 130, 131, 194, 699):
        alone = apply_rotary(x[0, row], positions[row], frequencies, layout=layout)
        np.testing.assert_allclose(alone, whole[0, row], rtol=0, atol=1e-15 * 8)


def test_a_line_that_counts_in_parts():
    """Padding, a jump, repetitions: what counts up by 1 is computed in another way than what does not."""
    positions = np.concatenate([[1] * 70, np.arange(200), [5.5, 7, 7], np.arange(1000, 1100), [3], [0.25]])
    x = np.random.default_rng(1).normal(size=(5, len(positions), 8))
    frequencies = rotary_frequencies(8)
    turned = apply_rotary(x, positions, frequencies, layout="halves")
    for row, position in enumerate(positions):
        expected = slowly(x[3, row], position, frequencies.inverse, "halves")
        np.testing.assert_allclose(turned[3, row], expected, rtol=0, atol=1e-11)
    fractions = apply_rotary(x[:, :90], np.arange(90) + 0.5, frequencies, layout="halves")
    np.testing.assert_allclose(
        fractions[0, 80], slowly(x[0, 80], 80.5, frequencies.inverse, "halves"), rtol=0, atol=1e-11
    )


def test_more_rows_than_one_table_holds():
    x = np.ones((4, 70_000, 2), np.float32)
    turned = apply_rotary(x, np.arange(70_000), RotaryFrequencies([0.5]), layout="halves")
    for row in (0, 32_767, 32_768, 65_536, 69_999):
        expected = slowly([1, 1], row, [0.5], "halves")
        np.testing.assert_allclose(turned[2, row], expected, atol=3e-7)
    wide = np.ones((4, 5000, 512))
    frequencies = rotary_frequencies(512)
    turned = apply_rotary(wide, np.arange(5000), frequencies, layout="halves")
    for row in (1023, 1024, 2048, 4999):
        expected = slowly(wide[1, row], row, frequencies.inverse, "halves")
        np.testing.assert_allclose(turned[1, row], expected, atol=1e-11)


# -- identities -----------------------------------------------------------------------------------

rotations = st.fixed_dictionaries(
    {
        "dim": st.integers(1, 40).map(lambda half: 2 * half),
        "layout": st.sampled_from(LAYOUTS),
        "heads": st.integers(1, 6),
        "seed": st.integers(0, 99),
    }
)
places = st.floats(-1e6, 1e6) | st.integers(-(2**31), 2**31)


@settings(deadline=None)
@given(rotation=rotations, position=places)
def test_norm_is_kept(rotation, position):
    dim, heads = rotation["dim"], rotation["heads"]
    x = np.random.default_rng(rotation["seed"]).normal(size=(heads, 1, dim))
    turned = apply_rotary(x, position, rotary_frequencies(dim), layout=rotation["layout"])
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-14)


@settings(deadline=None)
@given(
    rotation=rotations,
    query=st.integers(-(2**31), 2**31),
    key=st.integers(-(2**31), 2**31),
    shift=st.integers(-(2**20), 2**20),
    half=st.booleans(),
)
def test_score_depends_on_the_offset_alone(rotation, query, key, shift, half):
    dim, heads = rotation["dim"], rotation["heads"]
    rng = np.random.default_rng(rotation["seed"])
    q, k = rng.normal(size=(2, heads, 1, dim))
    frequencies = rotary_frequencies(dim)

    def score(q_position, k_position):
        turned = (
            apply_rotary(vector, position + half / 2, frequencies, layout=rotation["layout"])
            for vector, position in ((q, q_position), (k, k_position))
        )
        return np.vecdot(*turned)

    size = np.linalg.norm(q) * np.linalg.norm(k)
    np.testing.assert_allclose(
        score(query, key), score(query + shift, key + shift), rtol=0, atol=1e-13 * size
    )


@pytest.mark.parametrize("dim", [4, 8, 64])
def test_mixed_layouts_have_scores_that_depend_on_the_place(dim):
    rng = np.random.default_rng(2)
    q, k = rng.normal(size=(2, dim))
    frequencies = rotary_frequencies(dim)
    scores = [
        apply_rotary(q, place, frequencies, layout="interleaved")
        @ apply_rotary(k, place + 3, frequencies, layout="halves")
        for place in range(20)
    ]
    assert np.ptp(scores) > 0.1 * np.abs(scores).max()


@settings(deadline=None)
@given(
    dim=st.integers(1, 70).map(lambda half: 2 * half),
    heads=st.integers(1, 9),
    rows=st.integers(1, 150),
    dtype=st.sampled_from([np.float16, np.float32, np.float64]),
    start=st.integers(-300, 10**6),
    step=st.sampled_from([1, 3, 0.5]),
    factor=st.sampled_from([1.0, 1.1]),
)
def test_layouts_are_equal_after_the_permutation(dim, heads, rows, dtype, start, step, factor):
    x = np.random.default_rng(dim).normal(size=(heads, rows, dim)).astype(dtype)
    positions = start + step * np.arange(rows)
    frequencies = RotaryFrequencies(rotary_frequencies(dim).inverse, factor)
    order = rotary_permutation(dim)
    interleaved = apply_rotary(x, positions, frequencies, layout="interleaved")
    halves = apply_rotary(x[..., order], positions, frequencies, layout="halves")
    np.testing.assert_array_equal(halves, interleaved[..., order])


def test_permutation_is_evens_then_odds():
    order = rotary_permutation(10)
    assert order.tolist() == [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
    assert order.dtype == np.int64
    assert order.flags.c_contiguous
    assert order.flags.owndata
    assert rotary_permutation(2).tolist() == [0, 1]


def test_the_factor_touches_only_what_turns():
    x = np.random.default_rng(3).normal(size=(6, 10))
    plain = rotary_frequencies(4)
    sharper = RotaryFrequencies(plain.inverse, 1.5, plain.base)
    one, other = (
        apply_rotary(x, np.arange(6), frequencies, layout="halves", rotary_dim=4)
        for frequencies in (plain, sharper)
    )
    np.testing.assert_allclose(other[:, :4], 1.5 * one[:, :4], rtol=1e-15)
    np.testing.assert_array_equal(other[:, 4:], x[:, 4:])


@pytest.mark.parametrize("scaling", [None, Linear(4), YaRN(4, 2048)])
def test_scores_after_any_scaling_depend_on_the_offset_alone(scaling):
    q, k = np.random.default_rng(4).normal(size=(2, 64))
    frequencies = rotary_frequencies(64, scaling=scaling)
    scores = [
        apply_rotary(q, place, frequencies, layout="halves")
        @ apply_rotary(k, place + 7, frequencies, layout="halves")
        for place in (0, 1, 1000, 100_000)
    ]
    np.testing.assert_allclose(scores, scores[0], rtol=1e-12)


@pytest.mark.parametrize("dim", [4, 16, 64])
def test_keys_cached_under_another_base_do_not_meet_their_queries(dim):
    """The frequencies of dynamic NTK change while a text grows: all keys have to be turned anew."""
    scaling = DynamicNTK(4, original_max_position_embeddings=2048)
    then, now = (rotary_frequencies(dim, scaling=scaling, length=length) for length in (4096, 8192))
    q, k = np.ones((2, dim))

    def scores(for_keys):
        return np.array(
            [
                apply_rotary(q, place + 5, now, layout="halves")
                @ apply_rotary(k, place, for_keys, layout="halves")
                for place in range(0, 4000, 100)
            ]
        )

    assert np.ptp(scores(now)) < 1e-11
    assert np.ptp(scores(then)) > 0.1


# -- two dimensions -------------------------------------------------------------------------------


@pytest.mark.parametrize("heads", [1, 6])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_first_half_of_the_pairs_turns_by_y_the_second_by_x(layout, heads):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(heads, 3, 4, 16))
    positions = np.stack(np.mgrid[2:5, -1:3], axis=-1) * 1.5
    inverse = rotary_frequencies(8).inverse
    turned = rotary_2d(x, positions, RotaryFrequencies(inverse, 1.25), layout=layout)
    for row in range(3):
        for column in range(4):
            y, along = positions[row, column]
            # One row of frequencies, each already times its own coordinate.
            angles = np.concatenate([y * inverse, along * inverse])
            expected = slowly(x[-1, row, column], 1, angles, layout, 1.25)
            np.testing.assert_allclose(turned[-1, row, column], expected, rtol=0, atol=1e-13)


@settings(deadline=None)
@given(
    layout=st.sampled_from(LAYOUTS),
    query=st.tuples(st.integers(-50, 50), st.integers(-50, 50)),
    key=st.tuples(st.integers(-50, 50), st.integers(-50, 50)),
    shift=st.tuples(st.integers(-50, 50), st.integers(-50, 50)),
)
def test_score_of_patches_depends_on_both_offsets_alone(layout, query, key, shift):
    q, k = np.random.default_rng(6).normal(size=(2, 16))
    frequencies = rotary_frequencies(8)

    def score(by):
        turned = (
            rotary_2d(vector, np.add(place, by), frequencies, layout=layout)
            for vector, place in ((q, query), (k, key))
        )
        return np.vecdot(*turned)

    assert score(shift) == pytest.approx(score((0, 0)), abs=1e-12)


# -- shapes and types -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "positions"),
    [
        ((8,), ()),
        ((3, 8), (3,)),
        ((3, 8), ()),
        ((3, 8), (1,)),
        ((2, 3, 5, 8), (5,)),
        ((2, 3, 5, 8), (3, 5)),
        ((2, 3, 5, 8), (2, 1, 5)),
        ((2, 3, 5, 8), (2, 1, 1)),
        ((2, 3, 5, 8), (2, 3, 1)),
        ((2, 3, 5, 8), (3, 1)),
        ((2, 3, 5, 8), (2, 3, 5)),
        ((2, 3, 2, 3, 8), (2, 1, 2, 1)),
        ((2, 3, 2, 3, 8), (1, 3, 1, 3)),
        ((7, 1, 5, 1, 8), (5, 1)),
        ((0, 8), (0,)),
        ((2, 0, 8), (1,)),
        ((0, 3, 8), (3,)),
    ],
)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_positions_broadcast_to_the_rows(shape, positions, layout):
    rng = np.random.default_rng(7)
    x, places = rng.normal(size=shape), rng.integers(0, 99, size=positions)
    frequencies = rotary_frequencies(8)
    turned = apply_rotary(x, places, frequencies, layout=layout)
    assert turned.shape == shape
    everywhere = np.broadcast_to(places, shape[:-1])
    for index in np.ndindex(*shape[:-1]):
        expected = slowly(x[index], everywhere[index], frequencies.inverse, layout)
        np.testing.assert_allclose(turned[index], expected, rtol=0, atol=1e-13)


def test_a_batch_padded_on_the_left():
    x = np.random.default_rng(8).normal(size=(2, 4, 6, 8))
    frequencies = rotary_frequencies(8)
    padded = apply_rotary(x, [[[0, 1, 2, 3, 4, 5]], [[1, 1, 0, 1, 2, 3]]], frequencies, layout="halves")
    alone = apply_rotary(x[1, :, 2:], np.arange(4), frequencies, layout="halves")
    np.testing.assert_allclose(padded[1, :, 2:], alone, rtol=0, atol=1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("heads", [1, 5])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, ">f4"])
def test_float_type_is_kept_and_the_cast_comes_last(dtype, heads, layout):
    x = np.random.default_rng(9).normal(size=(heads, 3, 6)).astype(dtype)
    frequencies = rotary_frequencies(6)
    positions = np.array([1857, 40000, 3], dtype=np.int32)
    turned = apply_rotary(x, positions, frequencies, layout=layout)
    assert turned.dtype == np.dtype(dtype)
    exact = apply_rotary(x.astype(np.float64), positions, frequencies, layout=layout)
    step = np.finfo(np.dtype(dtype)).eps
    np.testing.assert_allclose(turned.astype(float), exact, rtol=step, atol=2e-7)


def test_integers_are_computed_in_float64():
    turned = apply_rotary([[3, 4]], [math.pi / 2], RotaryFrequencies([1]), layout="halves")
    assert turned.dtype == np.float64
    np.testing.assert_allclose(turned, [[-4, 3]], atol=1e-15)


@pytest.mark.parametrize("make", [np.asfortranarray, lambda x: x[::-1], lambda x: x[..., ::2]])
def test_result_is_fresh_writable_and_contiguous_and_inputs_stay(make):
    x = make(np.random.default_rng(10).normal(size=(4, 5, 8)))
    positions = np.arange(5)
    frequencies = rotary_frequencies(x.shape[-1])
    before = x.copy(), positions.copy(), frequencies.inverse.copy()
    one, other = (apply_rotary(x, positions, frequencies, layout="interleaved") for _ in range(2))
    assert one.flags.c_contiguous
    assert one.flags.owndata
    assert one.flags.writeable
    one[:] = 7
    assert not (other == 7).any()
    # Tables are kept between calls: what was written must not have reached them.
    again = apply_rotary(x, positions, frequencies, layout="interleaved")
    np.testing.assert_array_equal(again, other)
    for array, copy in zip((x, positions, frequencies.inverse), before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_frequencies_changed_by_hand_are_used():
    frequencies = rotary_frequencies(4)
    x = np.ones((5, 3, 4))
    apply_rotary(x, np.arange(3), frequencies, layout="halves")
    frequencies.inverse[:] = 0
    np.testing.assert_array_equal(apply_rotary(x, np.arange(3), frequencies, layout="halves"), x)


def test_frequencies_are_the_formula():
    for dim, base in ((2, 10000), (6, 10000), (64, 500000.0), (128, 1.0)):
        frequencies = rotary_frequencies(dim, base=base)
        expected = [base ** (-2 * pair / dim) for pair in range(dim // 2)]
        np.testing.assert_allclose(frequencies.inverse, expected, rtol=1e-14)
        assert (frequencies.attention_factor, frequencies.base) == (1.0, base)
        assert frequencies.inverse.dtype == np.float64
        assert frequencies.inverse.flags.writeable
        assert frequencies.inverse.flags.c_contiguous
    one, other = (rotary_frequencies(8).inverse for _ in range(2))
    one[:] = 7
    assert not (other == 7).any()
    assert not (rotary_frequencies(8).inverse == 7).any()


def test_two_columns_have_the_single_frequency_1():
    frequencies = rotary_frequencies(2)
    assert frequencies.inverse.tolist() == [1.0]
    turned = apply_rotary([[1.0, 0.0]] * 3, np.arange(3), frequencies, layout="halves")
    np.testing.assert_allclose(
        turned, np.stack([np.cos(np.arange(3)), np.sin(np.arange(3))], 1), atol=1e-15
    )


def test_frequencies_of_ones_own_are_copied():
    inverse = np.array([1, 2], dtype=np.float32)
    frequencies = RotaryFrequencies(inverse)
    inverse[:] = 7
    assert frequencies.inverse.tolist() == [1.0, 2.0]
    assert (frequencies.attention_factor, frequencies.base) == (1.0, 10000.0)


# -- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"dim": 0}, ValueError, "dim must be at least 2, not 0"),
        ({"dim": 7}, ValueError, "dim must be even, because columns turn in pairs, not 7"),
        ({"dim": 8.0}, TypeError, r"dim must be an integer, not 8\.0"),
        ({"base": 0.5}, ValueError, r"base must be at least 1, not 0\.5"),
        ({"base": math.nan}, ValueError, "base must be finite, not nan"),
        ({"base": "1"}, TypeError, "base must be a real number, not '1'"),
        ({"length": -1}, ValueError, "length must be at least 0, not -1"),
        ({"length": 1.5}, TypeError, r"length must be an integer, not 1\.5"),
        ({"scaling": "yarn"}, TypeError, "scaling must be None or one of Linear, NTK, .*, not 'yarn'"),
        ({"scaling": Linear}, TypeError, "scaling must be None or one of Linear"),
    ],
)
def test_rotary_frequencies_names_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        rotary_frequencies(**{"dim": 8, **arguments})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"inverse": []}, ValueError, r"inverse must have the shape \(pairs,\), .*, not \(0,\)"),
        ({"inverse": [[1.0]]}, ValueError, r"inverse must have the shape \(pairs,\), .*, not \(1, 1\)"),
        ({"inverse": [math.inf]}, ValueError, "inverse must be finite"),
        ({"inverse": ["1"]}, TypeError, "inverse must hold real numbers"),
        ({"attention_factor": 0}, ValueError, r"attention_factor must be above 0, not 0\.0"),
        ({"attention_factor": math.nan}, ValueError, "attention_factor must be finite, not nan"),
        ({"base": None}, TypeError, "base must be a real number, not None"),
    ],
)
def test_frequencies_of_ones_own_are_checked(arguments, error, message):
    with pytest.raises(error, match=message):
        RotaryFrequencies(**{"inverse": [1.0], **arguments})


X = np.ones((2, 3, 8))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"x": 3.0}, ValueError, "x must have the columns of a query or key as its last axis"),
        ({"x": X.astype(complex)}, TypeError, "x must hold real numbers, not values of dtype complex128"),
        (
            {"positions": [0, 1]},
            ValueError,
            r"positions must broadcast to the rows of x, \(2, 3\), not \(2,\)",
        ),
        ({"positions": np.zeros((4, 2, 3))}, ValueError, r"positions must broadcast .*, not \(4, 2, 3\)"),
        ({"positions": [0, 1, math.nan]}, ValueError, "positions must be finite"),
        ({"positions": [0, 1, 2**53 + 2]}, ValueError, "positions must lie between"),
        ({"positions": ["a"]}, TypeError, "positions must hold real numbers"),
        ({"frequencies": np.ones(4)}, TypeError, "frequencies must be RotaryFrequencies, not array"),
        (
            {"frequencies": rotary_frequencies(4)},
            ValueError,
            "frequencies must be half of the 8 columns of x, not 2",
        ),
        (
            {"frequencies": rotary_frequencies(10)},
            ValueError,
            "frequencies must be half of the 8 columns of x, not 5",
        ),
        ({"rotary_dim": 3}, ValueError, "rotary_dim must be even, because columns turn in pairs, not 3"),
        ({"rotary_dim": 4}, ValueError, "rotary_dim must be twice the number of frequencies, 8, not 4"),
        ({"rotary_dim": 10}, ValueError, "rotary_dim must be at most the 8 columns of x, not 10"),
        ({"rotary_dim": "8"}, TypeError, "rotary_dim must be an integer, not '8'"),
        ({"layout": "neox"}, ValueError, "layout must be 'interleaved' or 'halves', not 'neox'"),
        ({"layout": None}, ValueError, "layout must be 'interleaved' or 'halves', not None"),
    ],
)
def test_apply_rotary_names_bad_input(arguments, error, message):
    good = {"x": X, "positions": np.arange(3), "frequencies": rotary_frequencies(8), "layout": "halves"}
    with pytest.raises(error, match=message):
        apply_rotary(**{**good, **arguments})


def test_layout_has_no_default():
    with pytest.raises(TypeError, match="layout"):
        apply_rotary(X, np.arange(3), rotary_frequencies(8))
    with pytest.raises(TypeError, match="layout"):
        rotary_2d(X, np.zeros((3, 2)), rotary_frequencies(4))


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="long double is double here")
def test_long_double_would_be_a_false_promise():
    with pytest.raises(TypeError, match="x must be float16, float32 or float64, not float"):
        apply_rotary(X.astype(np.longdouble), 0, rotary_frequencies(8), layout="halves")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"frequencies": rotary_frequencies(8)},
            ValueError,
            "frequencies must be a quarter of the 8 columns",
        ),
        ({"frequencies": None}, TypeError, "frequencies must be RotaryFrequencies, not None"),
        (
            {"positions": np.zeros(3)},
            ValueError,
            r"positions must have the shape \(\.\.\., 2\), y and x, not \(3,\)",
        ),
        ({"positions": 0}, ValueError, r"positions must have the shape \(\.\.\., 2\), y and x, not \(\)"),
        (
            {"positions": np.zeros((2, 2))},
            ValueError,
            r"positions must broadcast to the rows of x, \(2, 3\)",
        ),
        ({"layout": ""}, ValueError, "layout must be 'interleaved' or 'halves', not ''"),
    ],
)
def test_rotary_2d_names_bad_input(arguments, error, message):
    good = {"x": X, "positions": np.zeros((3, 2)), "frequencies": rotary_frequencies(4), "layout": "halves"}
    with pytest.raises(error, match=message):
        rotary_2d(**{**good, **arguments})


@pytest.mark.parametrize(("dim", "message"), [(0, "at least 2, not 0"), (5, "must be even, .*, not 5")])
def test_rotary_permutation_names_bad_input(dim, message):
    with pytest.raises(ValueError, match=f"dim .*{message}"):
        rotary_permutation(dim)
