"""Biases against other people's code, the papers' formulas written out slowly, and identities."""

import json
import math
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.posenc import (
    alibi_bias,
    alibi_slopes,
    attention,
    sinusoidal,
    t5_bias,
    t5_buckets,
    transformer_xl_scores,
)

REFERENCE = json.loads(
    (Path(__file__).parent / "data" / "biases-reference.json").read_text(encoding="utf-8")
)
EXACT = {"rtol": 1e-9, "atol": 1e-12}
SINGLE = {"rtol": 1e-5, "atol": 2e-6}


def assert_result(array, shape, dtype):
    """A result is an array of one's own: writable, in order, and of the type that was asked for."""
    assert isinstance(array, np.ndarray)
    assert array.shape == shape
    assert array.dtype == dtype
    assert array.flags.writeable
    assert array.flags.c_contiguous
    assert array.flags.owndata


# -- ALiBi: slopes --------------------------------------------------------------------------------


@pytest.mark.parametrize("heads", sorted(map(int, REFERENCE["alibi_slopes"]["slopes"])))
def test_slopes_agree_with_libraries(heads):
    entry = REFERENCE["alibi_slopes"]["slopes"][str(heads)]
    slopes = alibi_slopes(heads)
    assert_result(slopes, (heads,), np.float64)
    np.testing.assert_allclose(slopes, entry["exact_f64"], **EXACT)
    np.testing.assert_allclose(slopes, entry["lib"], **SINGLE)


@settings(deadline=None)
@given(st.integers(1, 600))
def test_slopes_are_those_of_the_power_below_and_then_between_them(heads):
    # The rule in words: a geometric sequence that ends in 2^-8, and the steps between its steps.
    slopes = alibi_slopes(heads).tolist()
    power = max(p for p in (2**k for k in range(11)) if p <= heads)
    with localcontext() as context:
        context.prec = 40
        ratio = Decimal(2) ** (Decimal(-8) / power)
        expected = [ratio ** (k + 1) for k in range(power)]
        half_a_step = ratio.sqrt()
        expected += [expected[k] / half_a_step for k in range(heads - power)]
    np.testing.assert_allclose(slopes, [float(slope) for slope in expected], rtol=1e-15)
    assert len(set(slopes)) == heads  # no two heads alike
    assert 0 < min(slopes) <= max(slopes) < 1


@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_slopes_that_are_powers_of_two_are_exact(heads):
    assert alibi_slopes(heads).tolist() == [2.0 ** -(8 // heads * (k + 1)) for k in range(heads)]


def test_known_faults_of_slopes():
    assert alibi_slopes(8)[0] == 0.5  # paiml/aprender#2143
    np.testing.assert_array_equal(  # ml-explore/mlx#343
        alibi_slopes(12)[-4:].round(4), [0.7071, 0.3536, 0.1768, 0.0884]
    )


# -- ALiBi: bias ----------------------------------------------------------------------------------


def slow_alibi(heads, queries, keys, causal, start):
    slopes = alibi_slopes(heads).tolist()
    bias = np.empty((heads, queries, keys))
    for h in range(heads):
        for a in range(queries):
            for j in range(keys):
                i = start + a
                distance = i - j if j <= i else j - i
                bias[h, a, j] = -math.inf if causal and j > i else 0.0 - slopes[h] * distance
    return bias


sizes = {"queries": st.integers(0, 7), "keys": st.integers(0, 9)}


starts = st.one_of(st.integers(-12, 12), st.integers(-(2**52), 2**52))


@settings(deadline=None)
@given(heads=st.integers(1, 13), **sizes, causal=st.booleans(), start=starts)
def test_alibi_is_minus_the_slope_times_the_distance(heads, queries, keys, causal, start):
    bias = alibi_bias(heads, queries, keys, causal=causal, query_start=start, dtype=np.float64)
    assert_result(bias, (heads, queries, keys), np.float64)
    np.testing.assert_array_equal(bias, slow_alibi(heads, queries, keys, causal, start))
    assert not np.signbit(bias[bias == 0]).any()


@settings(deadline=None)
@given(**sizes, causal=st.booleans(), start=st.integers(-12, 3000))
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_alibi_is_rounded_once(dtype, queries, keys, causal, start):
    arguments = {"causal": causal, "query_start": start}
    bias = alibi_bias(6, queries, keys, dtype=dtype, **arguments)
    assert_result(bias, (6, queries, keys), dtype)
    exact = alibi_bias(6, queries, keys, dtype=np.float64, **arguments)
    np.testing.assert_array_equal(bias, exact.astype(dtype))


def test_alibi_is_float32_and_causal_when_nothing_is_said():
    bias = alibi_bias(2, 3, 3)
    assert bias.dtype == np.float32
    np.testing.assert_array_equal(np.isneginf(bias[1]), ~np.tri(3, dtype=bool))


def test_alibi_agrees_with_x_transformers_on_both_sides():
    entry = REFERENCE["alibi_x_transformers_bias_h2_4x4"]
    params = entry["params"]
    bias = alibi_bias(params["heads"], params["i"], params["j"], causal=False)
    np.testing.assert_allclose(bias, entry["lib"], **SINGLE)


def test_alibi_gives_the_weights_of_bloom_which_stores_another_number():
    entry = REFERENCE["alibi_bloom_bias_row"]
    heads, tokens = entry["params"]["heads"], len(entry["params"]["attention_mask"][0])
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, heads, tokens, 8))
    _, ours = attention(q, k, v, bias=alibi_bias(heads, tokens, tokens, dtype=np.float64))
    _, bloom = attention(q, k, v, bias=np.array(entry["lib"]), mask=np.tri(tokens, dtype=bool))
    np.testing.assert_allclose(ours, bloom, atol=1e-12)


@settings(deadline=None)
@given(st.integers(1, 16), st.integers(2, 12), st.integers(0, 40))
def test_alibi_prefers_what_is_near(heads, tokens, start):
    # The sign, as a class: in every head and row the weights fall with the distance.
    nothing = np.zeros((tokens, 1))
    for causal in (True, False):
        bias = alibi_bias(heads, tokens, tokens + start, causal=causal, query_start=start, dtype=np.float64)
        _, weights = attention(
            nothing, np.zeros((tokens + start, 1)), np.zeros((tokens + start, 1)), bias=bias
        )
        for row, position in enumerate(range(start, start + tokens)):
            past = weights[:, row, : position + 1]
            assert (np.diff(past, axis=-1) > 0).all()
            future = weights[:, row, position:]
            if causal:
                assert (future[:, 1:] == 0).all()
            else:
                assert (np.diff(future, axis=-1) < 0).all()


def test_alibi_with_the_wrong_sign_would_look_away():
    # n = 8, slope 0.5, no content: what the last token attends to.
    nothing = np.zeros((8, 1))
    bias = alibi_bias(8, 8, 8)[0]
    _, right = attention(nothing, nothing, nothing, bias=bias)
    assert right[-1, 0] == pytest.approx(0.012, abs=5e-4)
    assert right[-1, -1] == pytest.approx(0.40, abs=5e-3)
    _, wrong = attention(nothing, nothing, nothing, bias=np.where(np.isfinite(bias), -bias, bias))
    assert wrong[-1, 0] == pytest.approx(0.40, abs=5e-3)
    assert wrong[-1, -1] == pytest.approx(0.012, abs=5e-4)


# -- T5: buckets ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "t5_buckets_bidirectional",
        "t5_buckets_unidirectional",
        "t5_buckets_far_bidirectional",
        "t5_buckets_far_unidirectional",
    ],
)
def test_buckets_agree_with_libraries(name):
    entry = REFERENCE[name]
    offsets = entry["params"]["relative_position"]
    if isinstance(offsets, str):
        assert offsets == "memory-query, -20..20"
        offsets = range(-20, 21)
    ours = t5_buckets(list(offsets), bidirectional=name.endswith("_bidirectional"))
    np.testing.assert_array_equal(ours, entry["lib"])
    np.testing.assert_array_equal(ours, entry["exact_f64"])


@pytest.mark.parametrize("bidirectional", [True, False])
def test_buckets_agree_with_a_float32_logarithm(bidirectional):
    # What libraries compute; they were found to agree with exact buckets from -300 to 300.
    assert REFERENCE["t5_float32_vs_float64_mismatch_positions_-300..300"] == {"bi": [], "uni": []}
    offsets = np.arange(-300, 301)
    side = 16 if bidirectional else 32
    distance = np.abs(offsets) if bidirectional else np.maximum(-offsets, 0)
    exact = np.float32(side // 2)
    scaled = np.log(np.maximum(distance, 1).astype(np.float32) / exact) / np.float32(math.log(128 / exact))
    grown = np.minimum(side // 2 + (scaled * np.float32(side - side // 2)).astype(int), side - 1)
    expected = np.where(distance < side // 2, distance, grown)
    expected += side * (offsets > 0) * bidirectional
    np.testing.assert_array_equal(t5_buckets(offsets, bidirectional=bidirectional), expected)


def slow_bucket(offset, buckets, limit, bidirectional):
    """The formula for one offset: fifty digits, and integers where those might not do."""
    side = buckets // 2 if bidirectional else buckets
    first = side if bidirectional and offset > 0 else 0
    distance = abs(offset) if bidirectional else max(-offset, 0)
    exact = side // 2
    if distance < exact or side == 1:
        return first + min(distance, side - 1)
    with localcontext() as context:
        context.prec = 50
        share = (Decimal(distance) / exact).ln() / (Decimal(limit) / exact).ln() * (side - exact)
        step = int(share.to_integral_value())
        if abs(share - step) > Decimal("1e-40"):
            step = math.floor(share)
    return first + min(exact + step, side - 1)


@st.composite
def bucketings(draw):
    bidirectional = draw(st.booleans())
    buckets = draw(st.integers(2 if bidirectional else 1, 70))
    exact = (buckets // 2 if bidirectional else buckets) // 2
    limit = draw(st.one_of(st.integers(exact + 1, exact + 300), st.integers(exact + 1, 2**31 - 1)))
    return {"buckets": buckets, "max_distance": limit, "bidirectional": bidirectional}


any_offset = st.one_of(st.integers(-400, 400), st.integers(-(2**63), 2**63 - 1))


@settings(deadline=None)
@given(bucketings(), st.lists(any_offset, min_size=1, max_size=20))
def test_buckets_are_the_formula(how, offsets):
    expected = [
        slow_bucket(offset, how["buckets"], how["max_distance"], how["bidirectional"]) for offset in offsets
    ]
    assert t5_buckets(np.array(offsets, dtype=np.int64), **how).tolist() == expected


@pytest.mark.parametrize(
    ("side", "limit"),
    [(16, 128), (32, 64), (12, 6 * 3**6), (4, 8), (6, 3 * 10**3), (20, 10 * 2**10), (3, 49)],
)
def test_a_bucket_begins_right_on_its_edge(side, limit):
    # Limits for which edges are whole numbers: the edge belongs to the upper bucket, one less does not.
    exact, steps = side // 2, side - side // 2
    found = 0
    for step in range(1, steps):
        edge = round(exact * (limit / exact) ** (step / steps))
        if edge**steps == limit**step * exact ** (steps - step):
            found += 1
            at, below = t5_buckets([-edge, 1 - edge], buckets=side, max_distance=limit, bidirectional=False)
            assert at == exact + step
            assert below < at
    assert found


def test_a_bucket_that_begins_a_trace_past_an_integer_begins_at_the_next():
    # Halfway between 250 and the limit lies √(720057² + 1): float64 all but sees the integer.
    limit = (720057**2 + 1) // 250
    at, past = t5_buckets([-720057, -720058], buckets=500, max_distance=limit, bidirectional=False)
    assert at == past - 1 == 250 + 125 - 1


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(0, 500), any_offset)
def test_causal_and_bidirectional_buckets_agree(side, more, offset):
    limit = side // 2 + 1 + more
    past = t5_buckets(offset, buckets=side, max_distance=limit, bidirectional=False)
    both = t5_buckets(offset, buckets=2 * side, max_distance=limit)
    assert both == (past if offset <= 0 else both)
    if offset > 0:
        assert past == 0
        # The future is the past, one set of buckets higher.
        mirrored = t5_buckets(-offset, buckets=side, max_distance=limit, bidirectional=False)
        assert both == side + mirrored


@settings(deadline=None)
@given(bucketings(), st.lists(st.integers(0, 2**63 - 1), min_size=2, max_size=20))
def test_a_farther_key_never_falls_into_a_lower_bucket(how, distances):
    past = t5_buckets(-np.sort(distances), **how)
    assert (np.diff(past) >= 0).all()
    assert (past[np.sort(distances) >= how["max_distance"]] == past.max(initial=0)).all()
    assert past.min() >= 0
    assert past.max() < how["buckets"]


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint64])
def test_the_most_extreme_integers_of_every_type(dtype):
    extremes = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max], dtype=dtype)
    how = {"buckets": 8, "max_distance": 20}
    expected = [slow_bucket(offset, 8, 20, True) for offset in extremes.tolist()]
    assert t5_buckets(extremes, **how).tolist() == expected
    assert t5_buckets(extremes, **how, bidirectional=False).tolist() == [
        slow_bucket(offset, 8, 20, False) for offset in extremes.tolist()
    ]


def test_few_buckets():
    offsets = [-(2**63), -5, -1, 0, 1, 5, 2**63 - 1]
    assert t5_buckets(offsets, buckets=1, bidirectional=False).tolist() == [0] * 7
    assert t5_buckets(offsets, buckets=2, bidirectional=False).tolist() == [1, 1, 1, 0, 0, 0, 0]
    assert t5_buckets(offsets, buckets=2).tolist() == [0, 0, 0, 0, 1, 1, 1]
    # Half of three, rounded down: the third is not used.
    assert t5_buckets(offsets, buckets=3).tolist() == t5_buckets(offsets, buckets=2).tolist()
    assert t5_buckets(offsets, buckets=4).tolist() == [1, 1, 1, 0, 3, 3, 3]


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (2, 3), (2, 1, 2)])
def test_buckets_have_the_shape_of_the_offsets(shape):
    for dtype in (np.int32, np.int64, np.uint8):
        offsets = np.ones(shape, dtype=dtype).T
        before = offsets.copy()
        assert_result(t5_buckets(offsets), offsets.shape, np.int64)
        np.testing.assert_array_equal(offsets, before)
        assert_result(t5_buckets(offsets, bidirectional=False), offsets.shape, np.int64)


# -- T5: bias -------------------------------------------------------------------------------------


@settings(deadline=None)
@given(
    how=bucketings(),
    heads=st.integers(1, 4),
    **sizes,
    start=st.one_of(st.integers(-12, 12), st.just(10**12)),
)
def test_t5_bias_looks_up_every_pair(how, heads, queries, keys, start):
    table = np.random.default_rng(how["buckets"]).normal(size=(how["buckets"], heads))
    limits = {"max_distance": how["max_distance"], "bidirectional": how["bidirectional"]}
    bias = t5_bias(table, queries, keys, query_start=start, **limits)
    assert_result(bias, (heads, queries, keys), np.float64)
    for a in range(queries):
        for j in range(keys):
            bucket = slow_bucket(j - (start + a), how["buckets"], how["max_distance"], how["bidirectional"])
            assert bias[:, a, j].tolist() == table[bucket].tolist()


def test_t5_bias_says_which_arguments_are_left_out():
    table = np.arange(32.0)[:, np.newaxis]
    offsets = np.arange(140) - np.arange(139)[:, np.newaxis]
    np.testing.assert_array_equal(t5_bias(table, 139, 140)[0], t5_buckets(offsets))
    np.testing.assert_array_equal(
        t5_bias(table, 139, 140, bidirectional=False)[0], t5_buckets(offsets, bidirectional=False)
    )


@pytest.mark.parametrize(
    ("given_type", "result"),
    [(np.float16, np.float16), (np.float32, np.float32), (np.float64, np.float64), (np.int8, np.float64)],
)
def test_t5_bias_has_the_float_type_of_the_table(given_type, result):
    table = np.asfortranarray(np.arange(8).reshape(4, 2).astype(given_type))
    before = table.copy()
    bias = t5_bias(table, 3, 5)
    assert_result(bias, (2, 3, 5), result)
    bias[:] = 7
    np.testing.assert_array_equal(table, before)


# -- both: a decoder's step and blocks ------------------------------------------------------------

TABLE = np.random.default_rng(5).normal(size=(12, 3)).astype(np.float32)
MAKERS = {
    "alibi": lambda q, k, **o: alibi_bias(6, q, k, **o),
    "alibi on both sides": lambda q, k, **o: alibi_bias(6, q, k, causal=False, **o),
    "t5": lambda q, k, **o: t5_bias(TABLE, q, k, max_distance=20, **o),
    "t5 of a decoder": lambda q, k, **o: t5_bias(TABLE, q, k, max_distance=20, bidirectional=False, **o),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@settings(deadline=None)
@given(start=st.integers(0, 39), count=st.integers(0, 40), keys=st.integers(0, 40))
def test_a_block_is_bitwise_a_part_of_the_whole(make, start, count, keys):
    count = min(count, 40 - start)
    whole = make(40, 40)
    block = make(count, keys, query_start=start)
    assert block.tobytes() == whole[:, start : start + count, :keys].tobytes()


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_decoder_with_a_cache_sees_the_last_row(make):
    for keys in (1, 2, 17, 300):
        np.testing.assert_array_equal(make(1, keys, query_start=keys - 1), make(keys, keys)[:, -1:])


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@settings(deadline=None)
@given(shift=st.integers(-(2**52), 2**52))
def test_only_the_offset_counts(make, shift):
    bias = make(6, 9, query_start=shift)
    for matrix in bias:
        for offset in range(-5, 9):
            assert len(set(np.diagonal(matrix, offset).tolist())) == 1


# -- Transformer-XL -------------------------------------------------------------------------------


def slow_transformer_xl(q, k, encode, u, v):
    """The paper's sum, a pair of tokens and a column at a time; `encode(offset)` is a row of R."""
    memory = len(k) - len(q)
    scores = np.empty((len(q), len(k)))
    for i, query in enumerate(q):
        for j, key in enumerate(k):
            row = encode(memory + i - j)
            scores[i, j] = math.fsum(
                (a + b) * c for a, b, c in zip(query, u, key, strict=True)
            ) + math.fsum((a + b) * c for a, b, c in zip(query, v, row, strict=True))
    return scores


def test_transformer_xl_agrees_with_a_library():
    entry = REFERENCE["transformer_xl_relative_scores_3x3"]
    params = entry["params"]
    q, k = np.array(params["q"]), np.array(params["k"])
    u, v = np.array(params["u(r_w_bias)"])[0], np.array(params["v(r_r_bias)"])[0]
    offsets = np.arange(2, -3, -1)
    r = sinusoidal(None, 4, positions=offsets, layout="halves", dtype=np.float64)
    scores = transformer_xl_scores(q, k, r, u, v)
    np.testing.assert_allclose(scores, entry["exact_f64"], rtol=1e-9, atol=1e-9)
    single = transformer_xl_scores(*(array.astype(np.float32) for array in (q, k, r, u, v)))
    assert_result(single, (3, 3), np.float32)
    np.testing.assert_allclose(single, entry["lib"], **SINGLE)


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 5), st.integers(0, 5), st.integers(1, 4))
def test_transformer_xl_is_the_formula(seed, queries, memory, dim):
    rng = np.random.default_rng(seed)
    keys = queries + memory
    q, k = rng.normal(size=(queries, dim)), rng.normal(size=(keys, dim))
    u, v = rng.normal(size=(2, dim))
    rows = {offset: rng.normal(size=dim) for offset in range(keys - 1, -queries, -1)}
    r = np.array(list(rows.values())).reshape(-1, dim)
    scores = transformer_xl_scores(q, k, r, u, v)
    assert_result(scores, (queries, keys), np.float64)
    slow = slow_transformer_xl(q.tolist(), k.tolist(), lambda offset: rows[offset].tolist(), u, v)
    np.testing.assert_allclose(scores, slow, rtol=1e-12, atol=1e-13)

    # With nothing known of the future, the past is the same and the future is masked.
    past = transformer_xl_scores(q, k, r[:keys], u, v)
    seen = np.tri(queries, keys, memory, dtype=bool)
    np.testing.assert_allclose(past[seen], slow[seen], rtol=1e-12, atol=1e-13)
    assert np.isneginf(past[~seen]).all()


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(0, 4))
def test_no_query_leaks_into_another_row(seed, queries, memory):
    # The fault of the shift by reshaping: the future of row i was made of the query of row i + 1.
    rng = np.random.default_rng(seed)
    keys = queries + memory
    q, k, r = (rng.normal(size=(rows, 3)) for rows in (queries, keys, keys + queries - 1))
    u, v = rng.normal(size=(2, 3))
    before = transformer_xl_scores(q, k, r, u, v)
    which = int(rng.integers(queries))
    q[which] = rng.normal(size=3)
    changed = transformer_xl_scores(q, k, r, u, v) != before
    assert changed[which].all()
    assert not np.delete(changed, which, axis=0).any()


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(0, 4))
def test_position_counts_by_the_offset_alone(seed, queries, memory):
    rng = np.random.default_rng(seed)
    keys = queries + memory
    same = np.tile(rng.normal(size=3), (queries, 1)), np.tile(rng.normal(size=3), (keys, 1))
    scores = transformer_xl_scores(
        *same, rng.normal(size=(keys + queries - 1, 3)), *rng.normal(size=(2, 3))
    )
    for offset in range(1 - queries, keys):
        np.testing.assert_allclose(np.ptp(np.diagonal(scores, offset)), 0, atol=1e-12)


def test_u_goes_with_content_and_v_with_position():
    rng = np.random.default_rng(6)
    q, k, r = rng.normal(size=(2, 4)), rng.normal(size=(3, 4)), rng.normal(size=(4, 4))
    u, v = rng.normal(size=(2, 4))
    nothing = np.zeros_like
    np.testing.assert_allclose(
        transformer_xl_scores(nothing(q), k, nothing(r), u, v), np.tile(k @ u, (2, 1)), atol=1e-13
    )
    ways = r @ v
    np.testing.assert_allclose(
        transformer_xl_scores(nothing(q), nothing(k), r, u, v), [ways[1:4], ways[0:3]], atol=1e-13
    )


def test_batches_and_heads_broadcast():
    rng = np.random.default_rng(7)
    q, k, r = rng.normal(size=(2, 4, 3, 8)), rng.normal(size=(2, 4, 5, 8)), rng.normal(size=(4, 7, 8))
    u, v = rng.normal(size=(2, 4, 8))
    scores = transformer_xl_scores(q, k, r, u, v)
    assert scores.shape == (2, 4, 3, 5)
    for batch in range(2):
        for head in range(4):
            single = transformer_xl_scores(q[batch, head], k[batch, head], r[head], u[head], v[head])
            np.testing.assert_allclose(scores[batch, head], single, atol=1e-13)


def test_transformer_xl_types():
    ones = [np.ones(shape, dtype=np.float16) for shape in ((2, 64), (2, 64), (3, 64), (64,), (64,))]
    large = [array * np.float16(20) for array in ones]
    assert_result(transformer_xl_scores(*ones), (2, 2), np.float16)
    np.testing.assert_array_equal(transformer_xl_scores(*ones), np.full((2, 2), 256))
    # 64 columns of 40 times 20, twice, is past 65504; float32 holds it.
    mixed = [array.astype(np.float32) for array in large]
    np.testing.assert_array_equal(transformer_xl_scores(*mixed), np.full((2, 2), 102400))
    whole = [array.astype(np.int8) for array in ones]
    assert_result(transformer_xl_scores(*whole), (2, 2), np.float64)


def test_transformer_xl_float16_is_computed_in_float32():
    # The sums stay within float16, their parts do not.
    q = np.array([[300.0, 300.0]], dtype=np.float16)
    k = np.array([[300.0, -300.0]], dtype=np.float16)
    none = np.zeros(2, dtype=np.float16)
    np.testing.assert_array_equal(transformer_xl_scores(q, k, k, none, none), [[0.0]])


def test_inputs_are_left_as_they_are():
    rng = np.random.default_rng(8)
    arrays = [rng.normal(size=shape) for shape in ((2, 4), (3, 4), (4, 4), (4,), (4,))]
    copies = [array.copy() for array in arrays]
    transformer_xl_scores(*arrays)[:] = 0
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


# -- bad input ------------------------------------------------------------------------------------

XL = {"q": np.ones((2, 4)), "k": np.ones((3, 4)), "r": np.ones((4, 4)), "u": np.ones(4), "v": np.ones(4)}
T5 = {"table": np.ones((32, 2)), "query_length": 2, "key_length": 2}
ALIBI = {"heads": 2, "query_length": 2, "key_length": 2}


@pytest.mark.parametrize(
    ("function", "arguments", "error", "message"),
    [
        (alibi_slopes, {"heads": 0}, ValueError, "heads must be at least 1, not 0"),
        (alibi_slopes, {"heads": 8.0}, TypeError, "heads must be an integer, not 8.0"),
        (alibi_bias, {**ALIBI, "heads": -1}, ValueError, "heads must be at least 1, not -1"),
        (alibi_bias, {**ALIBI, "query_length": -1}, ValueError, "query_length must be at least 0, not -1"),
        (alibi_bias, {**ALIBI, "key_length": -2}, ValueError, "key_length must be at least 0, not -2"),
        (alibi_bias, {**ALIBI, "key_length": None}, TypeError, "key_length must be an integer, not None"),
        (alibi_bias, {**ALIBI, "query_start": 0.5}, TypeError, "query_start must be an integer, not 0.5"),
        (
            alibi_bias,
            {**ALIBI, "query_start": 2**53},
            ValueError,
            r"query_start must keep every offset within 2\*\*53, not 9007199254740992",
        ),
        (
            alibi_bias,
            {**ALIBI, "query_start": -(2**60)},
            ValueError,
            r"query_start must keep every offset within 2\*\*53, not -1152921504606846976",
        ),
        (alibi_bias, {**ALIBI, "causal": "no"}, TypeError, "causal must be True or False, not 'no'"),
        (alibi_bias, {**ALIBI, "causal": 1}, TypeError, "causal must be True or False, not 1"),
        (
            alibi_bias,
            {**ALIBI, "dtype": int},
            TypeError,
            "dtype must be float16, float32 or float64, not int",
        ),
        (
            alibi_bias,
            {**ALIBI, "heads": 8, "query_start": 200_000, "dtype": np.float16},
            ValueError,
            "dtype must be float32 or float64 to hold the bias of the farthest key, -100000, not float16",
        ),
        (
            t5_buckets,
            {"key_minus_query": [0.0]},
            TypeError,
            "key_minus_query must hold integers, .*float64",
        ),
        (t5_buckets, {"key_minus_query": [True]}, TypeError, "key_minus_query must hold real .*bool"),
        (t5_buckets, {"key_minus_query": [2**64]}, TypeError, "key_minus_query must hold real .*object"),
        (t5_buckets, {"key_minus_query": 0, "buckets": 1}, ValueError, "buckets must be at least 2, not 1"),
        (
            t5_buckets,
            {"key_minus_query": 0, "buckets": 0, "bidirectional": False},
            ValueError,
            "buckets must be at least 1, not 0",
        ),
        (t5_buckets, {"key_minus_query": 0, "buckets": "32"}, TypeError, "buckets must be an integer, not"),
        (
            t5_buckets,
            {"key_minus_query": 0, "max_distance": 8},
            ValueError,
            "max_distance must be at least 9, not 8",
        ),
        (
            t5_buckets,
            {"key_minus_query": 0, "max_distance": 16, "bidirectional": False},
            ValueError,
            "max_distance must be at least 17, not 16",
        ),
        (
            t5_buckets,
            {"key_minus_query": 0, "max_distance": 2**31},
            ValueError,
            r"max_distance must be less than 2\*\*31, not 2147483648",
        ),
        (
            t5_buckets,
            {"key_minus_query": 0, "bidirectional": None},
            TypeError,
            "bidirectional must be True or False, not None",
        ),
        (
            t5_bias,
            {**T5, "table": np.ones(32)},
            ValueError,
            r"table must have the shape \(buckets, heads\), at least one of each, not \(32,\)",
        ),
        (t5_bias, {**T5, "table": np.ones((32, 0))}, ValueError, r"table must have .* not \(32, 0\)"),
        (t5_bias, {**T5, "table": np.ones((0, 2))}, ValueError, r"table must have .* not \(0, 2\)"),
        (t5_bias, {**T5, "table": [["x"]]}, TypeError, "table must hold real numbers"),
        pytest.param(
            t5_bias,
            {**T5, "table": np.ones((32, 2), dtype=np.longdouble)},
            TypeError,
            "table must be float16, float32 or float64",
            marks=pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="is float64 here"),
        ),
        (t5_bias, {**T5, "query_length": -1}, ValueError, "query_length must be at least 0, not -1"),
        (t5_bias, {**T5, "max_distance": 7}, ValueError, "max_distance must be at least 9, not 7"),
        (t5_bias, {**T5, "query_start": "a"}, TypeError, "query_start must be an integer, not 'a'"),
        (transformer_xl_scores, {**XL, "q": np.ones(4)}, ValueError, "q must have at least two axes"),
        (transformer_xl_scores, {**XL, "r": [["x"]]}, TypeError, "r must hold real numbers"),
        (
            transformer_xl_scores,
            {**XL, "k": np.ones((3, 5))},
            ValueError,
            r"k must be as wide as q, 4, not of shape \(3, 5\)",
        ),
        (
            transformer_xl_scores,
            {**XL, "u": 1.0},
            ValueError,
            r"u must be as wide as q, 4, not of shape \(\)",
        ),
        (
            transformer_xl_scores,
            {**XL, "v": np.ones(5)},
            ValueError,
            r"v must be as wide as q, 4, not of shape \(5,\)",
        ),
        (
            transformer_xl_scores,
            {**XL, "k": np.ones((1, 4))},
            ValueError,
            "k must have at least as many rows as q, 2, not 1",
        ),
        (
            transformer_xl_scores,
            {**XL, "r": np.ones((5, 4))},
            ValueError,
            "r must have 4 rows, for the offsets 2 to -1, or 3, for 2 to 0, not 5",
        ),
        (
            transformer_xl_scores,
            {**XL, "q": np.ones((2, 2, 4)), "u": np.ones((3, 4))},
            ValueError,
            r"leading axes of q, k, r, u and v must broadcast .* not \(2,\), \(\), \(\), \(3,\), \(\)",
        ),
    ],
)
def test_bad_input_is_named(function, arguments, error, message):
    with pytest.raises(error, match=message):
        function(**arguments)
