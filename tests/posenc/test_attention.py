"""Attention and the terms of its scores against slow loops, and the laws that the course rests on."""

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.posenc import ScoreTerms, attention, score_terms


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


@settings(deadline=None)
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


@settings(deadline=None)
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


# -- the four terms of a score --------------------------------------------------------------------

TERMS = ("content_content", "content_position", "position_content", "position_position")


def slow_term(asking, asked_about, w_query, w_key):
    """One term, a pair of tokens at a time; the arguments are lists."""

    def projected(row, matrix):
        return [
            math.fsum(x * m[c] for x, m in zip(row, matrix, strict=True)) for c in range(len(matrix[0]))
        ]

    return [
        [
            math.fsum(a * b for a, b in zip(projected(one, w_query), projected(other, w_key), strict=True))
            for other in asked_about
        ]
        for one in asking
    ]


def draw_terms(rng, count, d, e):
    return tokens(rng, count, d), tokens(rng, count, d), tokens(rng, d, e), tokens(rng, d, e)


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 5), d=st.integers(1, 4), e=st.integers(1, 4))
def test_terms_are_who_asks_and_who_is_asked_about(seed, count, d, e):
    given_arrays = draw_terms(np.random.default_rng(seed), count, d, e)
    terms = score_terms(*given_arrays)
    E, P, w_query, w_key = (array.tolist() for array in given_arrays)
    for name, (asking, asked_about) in zip(TERMS, [(E, E), (E, P), (P, E), (P, P)], strict=True):
        slow = slow_term(asking, asked_about, w_query, w_key)
        np.testing.assert_allclose(getattr(terms, name), slow, rtol=1e-12, atol=1e-13)


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(0, 6), heads=st.integers(1, 3))
def test_terms_add_up_to_the_scores_of_the_sum(seed, count, heads):
    rng = np.random.default_rng(seed)
    E, P = tokens(rng, 2, 1, count, 8), tokens(rng, count, 8)
    w_query, w_key = tokens(rng, heads, 8, 4), tokens(rng, heads, 8, 4)
    terms = score_terms(E, P, w_query, w_key)
    q, k = (E + P) @ w_query, (E + P) @ w_key
    total = sum(getattr(terms, name) for name in TERMS)
    np.testing.assert_allclose(total, q @ np.swapaxes(k, -1, -2), atol=1e-11)
    for name in TERMS:
        term = getattr(terms, name)
        assert term.shape == (2, heads, count, count)
        assert term.dtype == np.float64
        assert term.flags.c_contiguous
        assert term.flags.writeable
    # The same scores, scaled, are what attention turns into weights.
    _, weights = attention(q, k, k)
    _, of_terms = attention(np.zeros_like(q), k, k, bias=total / 2)
    np.testing.assert_allclose(weights, of_terms, atol=1e-12)


def test_without_positions_only_content_is_left():
    E, P, w_query, w_key = draw_terms(np.random.default_rng(5), 4, 6, 3)
    terms = score_terms(E, np.zeros_like(P), w_query, w_key)
    assert np.abs(terms.content_content).min() > 0
    for name in TERMS[1:]:
        np.testing.assert_array_equal(getattr(terms, name), np.zeros((4, 4)))


@pytest.mark.parametrize(
    ("given_type", "result"), [(np.float16, np.float16), (np.float32, np.float32), (np.int8, np.float64)]
)
def test_terms_have_the_common_float_type(given_type, result):
    terms = score_terms(*(np.eye(3, dtype=given_type) for _ in range(4)))
    for name in TERMS:
        assert getattr(terms, name).dtype == result
        np.testing.assert_array_equal(getattr(terms, name), np.eye(3))


def test_float16_terms_are_computed_in_float32():
    row = np.array([[300, 300]], dtype=np.float16)
    turn = np.array([[1, 0], [0, -1]], dtype=np.float16)
    terms = score_terms(row, row, np.eye(2, dtype=np.float16), turn)
    np.testing.assert_array_equal(terms.content_position, [[0]])


def test_terms_leave_their_inputs_as_they_are_and_cannot_be_reassigned():
    given_arrays = draw_terms(np.random.default_rng(6), 3, 4, 2)
    copies = [array.copy() for array in given_arrays]
    terms = score_terms(*given_arrays)
    assert isinstance(terms, ScoreTerms)
    terms.content_content[:] = 0
    for array, copy in zip(given_arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
    with pytest.raises(FrozenInstanceError):
        terms.content_content = np.zeros(1)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"embedding": np.ones(4)}, ValueError, "embedding must have at least two axes"),
        ({"w_key": [["a"]]}, TypeError, "w_key must hold real numbers"),
        (
            {"position": np.ones((2, 4))},
            ValueError,
            r"position must have the tokens and the width of embedding, \(3, 4\), not \(2, 4\)",
        ),
        (
            {"w_query": np.ones((3, 4))},
            ValueError,
            r"w_query must have a row for each column of embedding, 4, not the shape \(3, 4\)",
        ),
        (
            {"w_key": np.ones((5, 4))},
            ValueError,
            r"w_key must have a row for each column of embedding, 4, not the shape \(5, 4\)",
        ),
        (
            {"w_key": np.ones((4, 3))},
            ValueError,
            "w_query and w_key must be equally wide, not 2 and 3",
        ),
        (
            {"embedding": np.ones((2, 3, 4)), "w_key": np.ones((5, 4, 2))},
            ValueError,
            r"leading axes of embedding, .* not \(2,\), \(\), \(\) and \(5,\)",
        ),
    ],
)
def test_bad_input_of_terms_is_named(arguments, error, message):
    right = {"embedding": X, "position": X, "w_query": np.ones((4, 2)), "w_key": np.ones((4, 2))}
    with pytest.raises(error, match=message):
        score_terms(**{**right, **arguments})
