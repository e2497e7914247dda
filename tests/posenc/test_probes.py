"""Probes against numbers that were known before, slow definitions, and spans built to measure."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edukit.posenc import energy_spectrum, linear_probe, principal_angles, sinusoidal, subspace_overlap
from edukit.posenc._probes import _softmax_weights

# -- reading labels out ---------------------------------------------------------------------------


def sums(std, *, tokens=1000, positions=50, dim=64, seed=0):
    """Every token at every position: the vectors, the positions, the tokens."""
    words = np.random.default_rng(seed).normal(0, std, (tokens, 1, dim))
    x = (words + sinusoidal(positions, dim, dtype=np.float64)).reshape(-1, dim)
    return x, np.tile(np.arange(positions), tokens), np.repeat(np.arange(tokens), positions)


@pytest.mark.parametrize(
    ("std", "least_squares", "best"),
    [(0.02, 0.978, 1), (0.1, 0.963, 1), (0.3, 0.942, 0.986), (1, 0.477, 0.516)],
)
def test_position_is_read_as_well_as_the_facts_say(std, least_squares, best):
    x, positions, tokens = sums(std)
    table = sinusoidal(50, 64, dtype=np.float64)
    # For normal tokens the nearest row of the table is the best there is, and a linear rule.
    nearest = (x @ table.T - 0.5 * (table**2).sum(axis=1)).argmax(axis=1)
    assert (nearest == positions).mean() == pytest.approx(best, abs=0.005)

    fitted = linear_probe(x, positions, groups=tokens, probe="least squares", ridge=0)
    assert fitted.accuracy == pytest.approx(least_squares, abs=0.025)
    found = linear_probe(x, positions, groups=tokens, probe="discriminant")
    # What it has to learn from 750 tokens, the rule above knows.
    assert found.accuracy == pytest.approx(best, abs=0.035)
    assert found.accuracy >= fitted.accuracy


def test_softmax_reads_what_least_squares_misses():
    x, positions, tokens = sums(0.1, tokens=40)
    fitted = linear_probe(x, positions, groups=tokens, probe="least squares")
    best = linear_probe(x, positions, groups=tokens, probe="softmax", max_steps=60)
    assert fitted.accuracy < 0.97
    assert best.accuracy == 1


def test_the_figure_depends_on_probe_and_split():
    """A wide vector and few tokens: the same vectors give a tenth, or all, of their positions."""
    x, positions, tokens = sums(0.3, tokens=20, dim=512)
    unseen = {"groups": tokens, "ridge": 1e-6}
    assert linear_probe(x, positions, probe="least squares", **unseen).accuracy < 0.1
    assert linear_probe(x, positions, probe="discriminant", **unseen).accuracy > 0.98
    assert 0.5 < linear_probe(x, positions, probe="least squares", ridge=1e-6).accuracy < 0.9


def test_twenty_tokens_and_ten_positions_span_thirty_dimensions_and_are_told_apart():
    rng = np.random.default_rng(0)
    words, table = rng.normal(size=(20, 64)), sinusoidal(10, 64, dtype=np.float64)
    assert np.linalg.matrix_rank(np.concatenate([words, table])) == 30
    x, positions, tokens = (words[:, None] + table).reshape(-1, 64), np.tile(np.arange(10), 20), None
    result = linear_probe(x, positions, groups=tokens, probe="discriminant", ridge=1e-9)
    assert (result.accuracy, result.train_accuracy) == (1, 1)


def slow_least_squares_accuracy(x, labels, test):
    """Each class fitted on its own by numpy's solver, with a column of ones."""
    ones = np.concatenate([x, np.ones((len(x), 1))], axis=1)
    scores = [
        ones[test] @ np.linalg.lstsq(ones[~test], (labels[~test] == name).astype(float), rcond=None)[0]
        for name in np.unique(labels)
    ]
    return float((np.unique(labels)[np.argmax(scores, axis=0)] == labels[test]).mean())


@given(seed=st.integers(0, 10_000), classes=st.integers(2, 4))
def test_least_squares_is_least_squares(seed, classes):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, 80)
    x = rng.normal(size=(80, 3)) + np.eye(4)[labels][:, :3]
    result = linear_probe(x, labels, probe="least squares", ridge=0, seed=seed)
    test = np.zeros(80, dtype=bool)
    test[np.random.default_rng(seed).permutation(80)[:20]] = True
    assert result.accuracy == slow_least_squares_accuracy(x, labels, test)
    assert (result.train_rows, result.test_rows) == (60, 20)


@pytest.mark.parametrize("ridge", [0.1, 0.001])
def test_softmax_ends_where_its_loss_is_lowest(ridge):
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.normal(size=(40, 3)), np.ones((40, 1))], axis=1)
    labels = rng.integers(0, 3, 40)

    def loss(weights):
        total = 0.0
        for row, label in zip(x, labels, strict=True):
            scores = row @ weights
            total += math.log(math.fsum(math.exp(score) for score in scores)) - scores[label]
        return total / 40 + ridge * float((weights[:-1] ** 2).sum())

    weights = _softmax_weights(x, labels, 3, ridge, 500)
    for place in np.ndindex(weights.shape):
        for by in (1e-3, -1e-3):
            elsewhere = weights.copy()
            elsewhere[place] += by
            assert loss(elsewhere) > loss(weights) - 1e-9
    assert loss(weights) < math.log(3)


@pytest.mark.parametrize("probe", ["softmax", "discriminant", "least squares"])
def test_a_group_is_never_on_both_sides(probe):
    """Labels that only the group tells: known when rows are held out, unknown when groups are."""
    rng = np.random.default_rng(4)
    groups = np.repeat(np.arange(40), 8)
    labels = rng.integers(0, 2, 40)[groups]
    x = np.eye(40)[groups] + rng.normal(0, 0.01, (320, 40))
    assert linear_probe(x, labels, probe=probe).accuracy > 0.95
    results = [linear_probe(x, labels, groups=groups, probe=probe, seed=seed) for seed in range(5)]
    assert np.mean([result.accuracy for result in results]) < 0.75
    assert results[0].split == "10 of 40 groups held out, seed 0"
    assert results[0].test_rows == 80


def test_result_says_what_it_depends_on():
    x, positions, tokens = sums(0.1, tokens=8, positions=4, dim=8)
    result = linear_probe(x, positions, groups=tokens, probe="least squares", ridge=0.01, seed=7)
    assert result.probe == "least squares, ridge 0.01"
    assert result.split == "2 of 8 groups held out, seed 7"
    assert (result.train_rows, result.test_rows, result.classes, result.chance) == (24, 8, 4, 0.25)
    for part in ("accuracy", "chance 0.250", result.probe, result.split, "24 rows", "8 for the test"):
        assert part in str(result)


def test_a_seed_gives_the_same_result_each_time():
    x, positions, tokens = sums(1, tokens=20, positions=5, dim=8)
    results = {linear_probe(x, positions, groups=tokens, seed=seed, max_steps=20) for seed in (0, 0, 1, 2)}
    assert len(results) == 3


def test_a_label_that_training_lacks_is_never_named(recwarn):
    x = np.array([[0.0], [0.1], [1.0], [1.1], [5.0]])
    for seed in range(5):
        result = linear_probe(
            x, [0, 0, 1, 1, 2], groups=[0, 1, 2, 3, 4], probe="discriminant", test_share=0.2, seed=seed
        )
        assert result.classes == 3
    assert not recwarn.list


# -- spans ----------------------------------------------------------------------------------------


@given(
    seed=st.integers(0, 2**32 - 1),
    angles=st.lists(
        st.sampled_from([0.0, 1e-12, 1e-8, 1e-4, 0.3, np.pi / 4, 1.0, np.pi / 2 - 1e-6, np.pi / 2]),
        min_size=1,
        max_size=4,
    ),
    more=st.integers(0, 2),
)
def test_angles_are_those_that_were_built_in(seed, angles, more):
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(12, 12)))[0]
    k = len(angles)
    first = axes[: k + more]
    second = np.cos(angles)[:, None] * axes[:k] + np.sin(angles)[:, None] * axes[8 : 8 + k]
    # Any other vectors of the same spans, more of them than needed.
    mixed = [np.linalg.qr(rng.normal(size=(len(m), len(m))))[0] @ m for m in (first, second)]
    mixed[0] = np.concatenate([mixed[0], 2 * mixed[0][:1]])
    for a, b in (mixed, mixed[::-1]):
        np.testing.assert_allclose(principal_angles(a, b), np.sort(angles), rtol=1e-9, atol=3e-15)
    assert subspace_overlap(*mixed) == pytest.approx(np.mean(np.cos(angles) ** 2), abs=1e-12)


def test_spans_that_hold_each_other_or_nothing_in_common():
    plane = [[1, 0, 0, 0], [1, 1, 0, 0]]
    assert subspace_overlap(plane, [[0, 2, 0, 0]]) == pytest.approx(1)
    assert subspace_overlap(plane, [[0, 0, 3, 1]]) == 0
    assert principal_angles(plane, np.zeros((2, 4))).size == 0
    assert subspace_overlap(plane, np.zeros((0, 4))) == 0


def test_random_spans_overlap_by_their_share_of_the_dimensions():
    rng = np.random.default_rng(0)
    overlaps = [subspace_overlap(rng.normal(size=(30, 64)), rng.normal(size=(10, 64))) for _ in range(200)]
    assert np.mean(overlaps) == pytest.approx(30 / 64, abs=0.01)


# -- energy ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("share", "centred", "dimensions"),
    [(0.99, False, 109), (0.9, False, 62), (0.99, True, 111), (0.9, True, 80)],
)
def test_energy_of_the_sinusoidal_table(share, centred, dimensions):
    shares = energy_spectrum(sinusoidal(512, 512, dtype=np.float64), centred=centred)
    assert int(np.searchsorted(shares, share)) + 1 == dimensions


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=6), st.integers(0, 2**32 - 1))
def test_energy_of_directions_that_were_built_in(sizes, seed):
    rng = np.random.default_rng(seed)
    left, right = (np.linalg.qr(rng.normal(size=(8, 8)))[0] for _ in range(2))
    table = (left[:, : len(sizes)] * sizes) @ right[: len(sizes)]
    squares = sorted((size**2 for size in sizes), reverse=True)
    expected = [math.fsum(squares[: k + 1]) / math.fsum(squares) for k in range(len(squares))]
    shares = energy_spectrum(table)
    np.testing.assert_allclose(shares[: len(sizes)], expected, rtol=1e-9)
    assert shares.shape == (8,)
    assert shares[-1] == 1
    assert (np.diff(shares) >= 0).all()


def test_centring_takes_out_the_mean_row():
    table = np.array([[1.0, 10.0], [-1.0, 10.0], [0.0, 10.0]])
    np.testing.assert_allclose(energy_spectrum(table), [300 / 302, 1])
    np.testing.assert_allclose(energy_spectrum(table, centred=True), [1, 1])


# -- bad input ------------------------------------------------------------------------------------

X = np.ones((4, 2))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"x": np.ones(4)}, ValueError, r"x must have two axes, .* not the shape \(4,\)"),
        ({"x": np.full((4, 2), np.nan)}, ValueError, "x must be finite"),
        ({"x": [["a"]] * 4}, TypeError, "x must hold real numbers"),
        (
            {"labels": [0, 1]},
            ValueError,
            r"labels must have one value for each row, shape \(4,\), not \(2,\)",
        ),
        ({"labels": [0.0, 1, 0, 1]}, TypeError, "labels must hold integers, not values of dtype float64"),
        ({"groups": [0]}, ValueError, "groups must have one value for each row"),
        (
            {"groups": [1, 1, 1, 1]},
            ValueError,
            "test_share must leave groups on both sides, not hold out 0 of 1",
        ),
        ({"probe": "svm"}, ValueError, "probe must be 'softmax' or 'discriminant' or 'least squares'"),
        ({"test_share": 0}, ValueError, "test_share must lie between 0 and 1, not 0"),
        ({"test_share": 1.0}, ValueError, "test_share must lie between 0 and 1, not 1"),
        ({"test_share": 0.01}, ValueError, "test_share must leave rows on both sides, not hold out 0 of 4"),
        ({"ridge": -1}, ValueError, "ridge must be at least 0, not -1"),
        ({"max_steps": 0}, ValueError, "max_steps must be at least 1, not 0"),
        ({"seed": -1}, ValueError, "seed must be at least 0, not -1"),
        ({"seed": None}, TypeError, "seed must be an integer, not None"),
    ],
)
def test_probe_names_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        linear_probe(**{"x": X, "labels": [0, 1, 0, 1], **arguments})


@pytest.mark.parametrize("compare", [principal_angles, subspace_overlap])
def test_spans_name_bad_input(compare):
    with pytest.raises(ValueError, match="a and b must be equally wide, not 2 and 3"):
        compare(X, np.ones((4, 3)))
    with pytest.raises(ValueError, match=r"b must have two axes, rows and columns, not the shape \(2,\)"):
        compare(X, np.ones(2))
    with pytest.raises(ValueError, match="a must be finite"):
        compare(np.full((2, 2), np.inf), X)


def test_energy_names_bad_input():
    with pytest.raises(ValueError, match=r"table must have rows and columns, not the shape \(0, 3\)"):
        energy_spectrum(np.ones((0, 3)))
    with pytest.raises(ValueError, match="table must hold something"):
        energy_spectrum(X, centred=True)
    with pytest.raises(TypeError, match="centred must be True or False, not 1"):
        energy_spectrum(X, centred=1)


def test_inputs_are_left_as_they_are_and_results_are_fresh():
    x, positions, tokens = sums(0.1, tokens=8, positions=4, dim=8)
    before = [array.copy() for array in (x, positions, tokens)]
    linear_probe(x, positions, groups=tokens)
    energy_spectrum(x, centred=True)
    angles = principal_angles(x[:3], x[3:6])
    for array, copy in zip((x, positions, tokens), before, strict=True):
        np.testing.assert_array_equal(array, copy)
    for array in (angles, energy_spectrum(x)):
        assert array.flags.writeable
        assert array.flags.c_contiguous
