"""Attention against a slow loop, and the laws that the first chapter rests on."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edukit.posenc import attention


def slow_attention(q, k, v, mask, bias, scale):
    """The definition, a query and a key at a time, in exact sums; the arguments are lists."""
    output, weights = [], []
    for i, query in enumerate(q):
        score = {
            j: scale * math.fsum(a * b for a, b in zip(query, key, strict=True)) + bias[i][j]
            for j, key in enumerate(k)
            if mask[i][j]
        }
        highest = max(score.values(), default=0.0)
        parts = [math.exp(score[j] - highest) if j in score else 0.0 for j in range(len(k))]
        total = math.fsum(parts)
        row = [part / total if score else 0.0 for part in parts]
        weights.append(row)
        output.append(
            [math.fsum(w * value[c] for w, value in zip(row, v, strict=True)) for c in range(len(v[0]))]
        )
    return output, weights


def tokens(rng, *shape):
    return rng.normal(size=shape)


@given(seed=st.integers(0, 2**32 - 1), queries=st.integers(1, 5), keys=st.integers(1, 5))
def test_agrees_with_the_definition(seed, queries, keys):
    rng = np.random.default_rng(seed)
    q, k, v = tokens(rng, queries, 3), tokens(rng, keys, 3), tokens(rng, keys, 2)
    mask = rng.random((queries, keys)) < 0.6
    bias = tokens(rng, queries, keys)
    output, weights = attention(q, k, v, mask=mask, bias=bias, scale=0.7)
    slow_output, slow_weights = slow_attention(*(a.tolist() for a in (q, k, v, mask, bias)), 0.7)
    np.testing.assert_allclose(weights, slow_weights, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(output, slow_output, rtol=1e-12, atol=1e-14)


def test_scale_is_one_over_root_of_the_width_when_left_out():
    rng = np.random.default_rng(1)
    q, k, v = tokens(rng, 3, 16), tokens(rng, 4, 16), tokens(rng, 4, 5)
    np.testing.assert_array_equal(attention(q, k, v)[1], attention(q, k, v, scale=0.25)[1])
    assert not np.allclose(attention(q, k, v)[1], attention(q, k, v, scale=1)[1])


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 8))
def test_permuting_the_tokens_permutes_the_output(seed, count):
    rng = np.random.default_rng(seed)
    x, order = tokens(rng, count, 6), rng.permutation(count)
    output, weights = attention(x, x, x)
    moved, moved_weights = attention(x[order], x[order], x[order])
    np.testing.assert_allclose(moved, output[order], atol=1e-13)
    np.testing.assert_allclose(moved_weights, weights[order][:, order], atol=1e-13)


def test_a_causal_mask_hides_the_future_and_so_breaks_the_symmetry():
    rng = np.random.default_rng(2)
    x, causal = tokens(rng, 5, 6), np.tri(5, dtype=bool)
    output, weights = attention(x, x, x, mask=causal)
    assert (weights[~causal] == 0).all()
    changed = x.copy()
    changed[3:] = tokens(rng, 2, 6)
    np.testing.assert_array_equal(attention(changed, changed, changed, mask=causal)[0][:3], output[:3])
    backwards = attention(x[::-1], x[::-1], x[::-1], mask=causal)[0]
    assert np.abs(backwards - output[::-1]).max() > 0.1


def test_a_query_that_may_attend_to_nothing_gives_zeros_without_a_warning(recwarn):
    x = np.eye(3)
    nothing = np.ones((3, 3), dtype=bool)
    nothing[1] = False
    for masking in ({"mask": nothing}, {"bias": np.where(nothing, 0.0, -np.inf)}):
        output, weights = attention(x, x, x, **masking)
        np.testing.assert_array_equal(weights[1], np.zeros(3))
        np.testing.assert_array_equal(output[1], np.zeros(3))
        np.testing.assert_allclose(weights[[0, 2]].sum(axis=-1), 1)
    assert attention(x, np.empty((0, 3)), np.empty((0, 2)))[0].tolist() == [[0.0, 0.0]] * 3
    assert not recwarn.list


def test_heads_and_batches_broadcast():
    rng = np.random.default_rng(3)
    q, k, v = tokens(rng, 2, 4, 3, 8), tokens(rng, 4, 5, 8), tokens(rng, 2, 1, 5, 6)
    slopes = -np.arange(4.0)[:, None, None] * np.arange(5)
    padding = np.array([True, True, False, True, True])
    output, weights = attention(q, k, v, bias=slopes, mask=padding)
    assert output.shape == (2, 4, 3, 6)
    assert weights.shape == (2, 4, 3, 5)
    assert (weights[..., 2] == 0).all()
    single, _ = attention(q[1, 2], k[2], v[1, 0], bias=slopes[2], mask=padding)
    np.testing.assert_allclose(output[1, 2], single, atol=1e-13)


@pytest.mark.parametrize(
    ("given_types", "result"),
    [
        ((np.float16, np.float16, np.float16), np.float16),
        ((np.float32, np.float16, np.float32), np.float32),
        ((np.float32, np.float32, np.float64), np.float64),
        ((np.int8, np.int8, np.int8), np.float64),
    ],
)
def test_result_has_the_common_float_type(given_types, result):
    q, k, v = (np.ones((2, 4), dtype=dtype) for dtype in given_types)
    for array in attention(q, k, v, bias=np.zeros((2, 2)), scale=0.5):
        assert array.dtype == result


def test_float16_scores_do_not_overflow():
    large = np.full((2, 64), 200, dtype=np.float16)
    output, weights = attention(large, large, np.eye(2, dtype=np.float16))
    np.testing.assert_array_equal(weights, np.full((2, 2), 0.5))
    np.testing.assert_array_equal(output, np.full((2, 2), 0.5))


def test_large_scores_do_not_overflow(recwarn):
    x = np.array([[1e4, 0.0], [0.0, 1e4]])
    np.testing.assert_array_equal(attention(x, x, x, scale=1)[1], np.eye(2))
    assert not recwarn.list


X = np.ones((3, 4))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"q": np.ones(4)}, ValueError, r"q must have at least two axes, .* not the shape \(4,\)"),
        ({"q": [["a"]]}, TypeError, "q must hold real numbers, not values of dtype <U1"),
        ({"v": X * 1j}, TypeError, "v must hold real numbers, not values of dtype complex128"),
        ({"k": np.ones((3, 5))}, ValueError, "q and k must be equally wide, not 4 and 5"),
        (
            {"v": np.ones((2, 4))},
            ValueError,
            "k and v must have one row for each token, not 3 and 2",
        ),
        (
            {"q": np.ones((2, 3, 4)), "k": np.ones((5, 3, 4))},
            ValueError,
            r"leading axes of q, k and v must broadcast .* not \(2,\), \(5,\) and \(\)",
        ),
        ({"mask": np.ones((3, 3))}, TypeError, "mask must be of bool, .* not of float64"),
        (
            {"mask": np.ones((2, 3), dtype=bool)},
            ValueError,
            r"mask must broadcast to the shape of the scores, \(3, 3\), not \(2, 3\)",
        ),
        (
            {"q": np.ones((1, 4)), "mask": np.ones((3, 3), dtype=bool)},
            ValueError,
            r"mask must broadcast to the shape of the scores, \(1, 3\), not \(3, 3\)",
        ),
        ({"bias": np.full((3, 3), np.nan)}, ValueError, "bias must hold finite numbers or minus"),
        ({"bias": np.full((3, 3), np.inf)}, ValueError, "bias must hold finite numbers or minus"),
        ({"bias": np.ones((3, 2))}, ValueError, r"bias must broadcast .* \(3, 3\), not \(3, 2\)"),
        ({"bias": [["x"]]}, TypeError, "bias must hold real numbers"),
        ({"scale": "1"}, TypeError, "scale must be a real number, not '1'"),
        ({"scale": math.inf}, ValueError, "scale must be finite, not inf"),
    ],
)
def test_bad_input_is_named(arguments, error, message):
    with pytest.raises(error, match=message):
        attention(**{"q": X, "k": X, "v": X, **arguments})


def test_inputs_are_left_as_they_are():
    rng = np.random.default_rng(4)
    q, k, v, bias = (tokens(rng, 3, 3) for _ in range(4))
    mask = np.tri(3, dtype=bool)
    before = [array.copy() for array in (q, k, v, bias, mask)]
    attention(q, k, v, bias=bias, mask=mask)
    for array, copy in zip((q, k, v, bias, mask), before, strict=True):
        np.testing.assert_array_equal(array, copy)
