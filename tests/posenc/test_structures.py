"""Trees and graphs: closed forms, exact fractions, and the laws of moving about in a tree."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edukit.posenc import laplacian_encoding, random_walk_encoding, tree_encoding
from edukit.posenc._structures import _canonical_basis

# -- trees ----------------------------------------------------------------------------------------


def all_paths(depth, branching):
    return [
        path for length in range(depth + 1) for path in itertools.product(range(branching), repeat=length)
    ]


def down(branch, depth, branching, decay):
    """The paper's map to a child, as a matrix and an offset: everything moves on, a new step on top."""
    size = depth * branching
    matrix = np.zeros((size, size))
    for place in range(size - branching):
        matrix[place + branching, place] = decay
    offset = np.zeros(size)
    offset[branch] = 1
    return matrix, offset


def up(depth, branching, decay):
    """The map to the parent: the top step is dropped, and what is below moves back."""
    size = depth * branching
    matrix = np.zeros((size, size))
    for place in range(size - branching):
        matrix[place, place + branching] = 1 / decay
    return matrix


@pytest.mark.parametrize("decay", [1.0, 0.5, 0.9])
def test_one_affine_map_goes_down_and_one_goes_up_wherever_one_is(decay):
    depth, branching = 4, 3
    code = dict(
        zip(
            all_paths(depth, branching),
            tree_encoding(all_paths(depth, branching), depth=depth, branching=branching, decay=decay),
            strict=True,
        )
    )
    np.testing.assert_array_equal(code[()], np.zeros(depth * branching))
    for path in all_paths(depth - 1, branching):
        for branch in range(branching):
            matrix, offset = down(branch, depth, branching, decay)
            child = matrix @ code[path] + offset
            np.testing.assert_allclose(code[(*path, branch)], child, atol=1e-15)
            np.testing.assert_allclose(up(depth, branching, decay) @ child, code[path], atol=1e-15)


@given(depth=st.integers(1, 4), branching=st.integers(1, 3), decay=st.floats(0.1, 1))
def test_no_two_nodes_share_an_encoding(depth, branching, decay):
    paths = all_paths(depth, branching)
    codes = tree_encoding(paths, depth=depth, branching=branching, decay=decay)
    assert codes.shape == (len(paths), depth * branching)
    assert len(np.unique(codes, axis=0)) == len(paths)


def test_the_top_of_the_stack_comes_first():
    codes = tree_encoding([[2, 0]], depth=3, branching=3, decay=0.5)
    np.testing.assert_array_equal(codes, [[1, 0, 0, 0, 0, 0.5, 0, 0, 0]])


def test_several_decays_stand_side_by_side():
    paths = all_paths(3, 2)
    both = tree_encoding(paths, depth=3, branching=2, decay=[1.0, 0.25])
    single = [tree_encoding(paths, depth=3, branching=2, decay=decay) for decay in (1.0, 0.25)]
    np.testing.assert_array_equal(both, np.concatenate(single, axis=1))


def test_decay_0_keeps_the_last_step_only():
    np.testing.assert_array_equal(tree_encoding([[1, 0]], depth=2, branching=2, decay=0), [[1, 0, 0, 0]])


def test_length_grows_towards_the_limit_that_the_paper_scales_to_1():
    (code,) = tree_encoding([[0] * 200], depth=200, branching=2, decay=0.8)
    assert np.linalg.norm(code) * math.sqrt(1 - 0.8**2) == pytest.approx(1, abs=1e-12)


def test_no_nodes_and_the_root_alone():
    assert tree_encoding([], depth=2, branching=3).shape == (0, 6)
    np.testing.assert_array_equal(tree_encoding([[]], depth=1, branching=1), [[0]])


# -- graphs ---------------------------------------------------------------------------------------


def path_graph(nodes):
    return np.eye(nodes, k=1) + np.eye(nodes, k=-1)


def ring(nodes):
    return path_graph(nodes) + np.eye(nodes, k=nodes - 1) + np.eye(nodes, k=1 - nodes)


def laplacian(adjacency, normalized):
    """The definition, an entry at a time."""
    nodes = len(adjacency)
    degree = [math.fsum(adjacency[i]) for i in range(nodes)]
    matrix = np.zeros((nodes, nodes))
    for i in range(nodes):
        for j in range(nodes):
            if normalized:
                both = math.sqrt(degree[i] * degree[j])
                matrix[i, j] = (i == j and degree[i] > 0) - (adjacency[i][j] / both if both else 0)
            else:
                matrix[i, j] = (i == j) * degree[i] - adjacency[i][j]
    return matrix


def random_graph(seed, nodes):
    """A connected graph with weights that leave no symmetry."""
    rng = np.random.default_rng(seed)
    weights = rng.random((nodes, nodes)) * (rng.random((nodes, nodes)) < 0.5)
    weights = np.triu(weights, 1) + np.diag(rng.random(nodes - 1) + 0.1, 1)
    return weights + weights.T


@pytest.mark.parametrize("nodes", [2, 3, 7, 12])
def test_path_has_cosines(nodes):
    expected = np.empty((nodes, nodes - 1))
    for k in range(1, nodes):
        wave = [math.cos(math.pi * k * (j + 0.5) / nodes) for j in range(nodes)]
        expected[:, k - 1] = np.array(wave) * math.sqrt(2 / nodes)
    # An even wave takes its most extreme value in the middle, where one of its sequences is larger.
    found = laplacian_encoding(path_graph(nodes), nodes - 1, normalized=False)
    for column, wave in zip(found.T, expected.T, strict=True):
        larger = max(wave.tolist(), (-wave).tolist(), key=lambda v: [round(x, 9) for x in sorted(v)[::-1]])
        if np.allclose(np.sort(wave), np.sort(-wave)):
            larger = wave * np.sign(wave[np.argmax(np.abs(wave) > 1e-9)])
        np.testing.assert_allclose(column, larger, atol=1e-12)


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("nodes", [5, 8, 9])
def test_ring_has_cosines_and_sines_that_start_at_the_first_node(nodes, normalized):
    """Eigenvalues come in pairs: a basis that is left to LAPACK is any rotation of this one."""
    found = laplacian_encoding(ring(nodes), nodes - 1, normalized=normalized)
    places = np.arange(nodes)
    for k in range(1, (nodes + 1) // 2):
        turn = 2 * np.pi * k * places / nodes
        np.testing.assert_allclose(found[:, 2 * k - 2], np.sqrt(2 / nodes) * np.cos(turn), atol=1e-12)
        sine = np.sqrt(2 / nodes) * np.sin(turn)
        farthest = np.argmax(np.abs(sine) > np.abs(sine).max() - 1e-9)
        np.testing.assert_allclose(found[:, 2 * k - 1], sine * np.sign(sine[farthest]), atol=1e-12)


@given(seed=st.integers(0, 2**32 - 1), nodes=st.integers(2, 9), normalized=st.booleans())
def test_columns_are_the_slowest_eigenvectors(seed, nodes, normalized):
    adjacency = random_graph(seed, nodes)
    matrix = laplacian(adjacency.tolist(), normalized)
    found = laplacian_encoding(adjacency, nodes - 1, normalized=normalized)
    values = np.einsum("ij,ij->j", found, matrix @ found)
    np.testing.assert_allclose(matrix @ found, found * values, atol=1e-10)
    np.testing.assert_allclose(found.T @ found, np.eye(nodes - 1), atol=1e-10)
    assert (np.diff(values) > -1e-10).all()
    # Together with the trivial one they are all there are.
    assert values.sum() == pytest.approx(np.trace(matrix), abs=1e-9)


@given(seed=st.integers(0, 2**32 - 1), nodes=st.integers(3, 9), normalized=st.booleans())
def test_rows_move_with_the_nodes(seed, nodes, normalized):
    adjacency = random_graph(seed, nodes)
    matrix = laplacian(adjacency.tolist(), normalized)
    gaps = np.diff(np.linalg.eigvalsh(matrix)) / np.abs(matrix).max()
    found = laplacian_encoding(adjacency, nodes - 1, normalized=normalized)
    order = np.random.default_rng(seed).permutation(nodes)
    moved = laplacian_encoding(adjacency[np.ix_(order, order)], nodes - 1, normalized=normalized)
    for column in range(nodes - 1):
        wave = found[:, column]
        decided = np.abs(np.sort(wave) - np.sort(-wave)).max() > 1e-4
        if decided and gaps[column] > 1e-4 and (column == nodes - 2 or gaps[column + 1] > 1e-4):
            np.testing.assert_allclose(moved[:, column], wave[order], atol=1e-8)


@given(seed=st.integers(0, 2**32 - 1), nodes=st.integers(2, 8), data=st.data())
def test_basis_depends_on_the_span_alone(seed, nodes, data):
    size = data.draw(st.integers(1, nodes))
    rng = np.random.default_rng(seed)
    span = np.linalg.qr(rng.normal(size=(nodes, size)))[0]
    turned = span @ np.linalg.qr(rng.normal(size=(size, size)))[0]
    basis = _canonical_basis(span)
    np.testing.assert_allclose(_canonical_basis(turned), basis, atol=1e-7)
    np.testing.assert_allclose(basis.T @ basis, np.eye(size), atol=1e-12)
    np.testing.assert_allclose(span @ (span.T @ basis), basis, atol=1e-12)


def test_complete_graph_whose_eigenvalues_are_all_equal():
    found = laplacian_encoding(1 - np.eye(4), 3)
    np.testing.assert_allclose(found[:, 0], np.array([3, -1, -1, -1]) / math.sqrt(12), atol=1e-12)
    np.testing.assert_allclose(found[:, 1], np.array([0, 2, -1, -1]) / math.sqrt(6), atol=1e-12)
    np.testing.assert_allclose(found[:, 2], np.array([0, 0, 1, -1]) / math.sqrt(2), atol=1e-12)


@pytest.mark.parametrize("normalized", [True, False])
def test_parts_of_a_graph_are_told_apart_first(normalized):
    parts = np.zeros((7, 7))
    parts[:3, :3], parts[3:, 3:] = 1 - np.eye(3), 1 - np.eye(4)
    found = laplacian_encoding(parts, 6, normalized=normalized)
    assert np.ptp(found[:3, 0]) < 1e-12
    assert np.ptp(found[3:, 0]) < 1e-12
    assert found[0, 0] > 0.1
    assert found[3, 0] < -0.1
    matrix = laplacian(parts.tolist(), normalized)
    np.testing.assert_allclose(matrix @ found[:, 0], np.zeros(7), atol=1e-12)


@pytest.mark.parametrize("normalized", [True, False])
def test_nodes_without_edges_are_parts_of_their_own(normalized, recwarn):
    adjacency = np.zeros((4, 4))
    adjacency[1, 2] = adjacency[2, 1] = 1
    found = laplacian_encoding(adjacency, 3, normalized=normalized)
    matrix = laplacian(adjacency.tolist(), normalized)
    np.testing.assert_allclose(matrix @ found[:, :2], np.zeros((4, 2)), atol=1e-12)
    np.testing.assert_allclose(np.abs(found[:, 2]), [0, 0.5**0.5, 0.5**0.5, 0], atol=1e-12)
    none = laplacian_encoding(np.zeros((3, 3)), 2, normalized=normalized)
    np.testing.assert_allclose(none.sum(axis=0), [0, 0], atol=1e-12)
    assert not recwarn.list


@pytest.mark.parametrize("factor", [1e-12, 1e12])
def test_unit_of_the_weights_does_not_matter(factor):
    adjacency = random_graph(5, 7)
    for normalized in (True, False):
        np.testing.assert_allclose(
            laplacian_encoding(factor * adjacency, 6, normalized=normalized),
            laplacian_encoding(adjacency, 6, normalized=normalized),
            atol=1e-9,
        )


def test_a_few_columns_are_the_first_of_many():
    for adjacency in (ring(8), random_graph(3, 8), 1 - np.eye(8)):
        many = laplacian_encoding(adjacency, 7)
        for dim in range(1, 7):
            np.testing.assert_array_equal(laplacian_encoding(adjacency, dim), many[:, :dim])


def exact_returns(adjacency, steps):
    """Chances of being back, as fractions: sums over every walk by repeated multiplication."""
    nodes = range(len(adjacency))
    degree = [sum(map(Fraction, row)) for row in adjacency]
    chance = [[Fraction(w) / degree[i] if degree[i] else Fraction(0) for w in adjacency[i]] for i in nodes]
    walked = [[Fraction(int(i == j)) for j in nodes] for i in nodes]
    rows = [[] for _ in nodes]
    for _ in range(steps):
        walked = [[sum(walked[i][k] * chance[k][j] for k in nodes) for j in nodes] for i in nodes]
        for i in nodes:
            rows[i].append(float(walked[i][i]))
    return rows


@given(
    edges=st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=n, max_size=n)
    ),
    steps=st.integers(1, 6),
)
def test_random_walks_are_back_as_often_as_exact_fractions_say(edges, steps):
    found = random_walk_encoding(edges, steps)
    np.testing.assert_allclose(found, exact_returns(edges, steps), rtol=1e-12, atol=1e-15)


@given(seed=st.integers(0, 2**32 - 1), nodes=st.integers(2, 9))
def test_random_walks_move_with_the_nodes(seed, nodes):
    adjacency = random_graph(seed, nodes)
    order = np.random.default_rng(seed).permutation(nodes)
    moved = random_walk_encoding(adjacency[np.ix_(order, order)], 5)
    np.testing.assert_allclose(moved, random_walk_encoding(adjacency, 5)[order], atol=1e-12)


def test_no_walk_starts_where_no_edge_leaves(recwarn):
    found = random_walk_encoding([[0, 1, 0], [1, 0, 0], [0, 0, 0]], 2)
    np.testing.assert_array_equal(found, [[0, 1], [0, 1], [0, 0]])
    # A one-way street: away, and never back.
    np.testing.assert_array_equal(random_walk_encoding([[0, 1], [0, 0]], 2), np.zeros((2, 2)))
    assert not recwarn.list


# -- what goes in and comes out -------------------------------------------------------------------


def test_results_are_fresh_and_inputs_unchanged():
    adjacency = ring(5)
    before = adjacency.copy()
    paths = [[0, 1], []]
    for make in (
        lambda: laplacian_encoding(adjacency, 3),
        lambda: random_walk_encoding(adjacency, 3),
        lambda: tree_encoding(paths, depth=2, branching=2),
    ):
        one, other = make(), make()
        assert one.dtype == np.float64
        assert one.flags.c_contiguous
        assert one.flags.writeable
        one[:] = 7
        assert not (other == 7).any()
    np.testing.assert_array_equal(adjacency, before)
    assert paths == [[0, 1], []]


def test_edges_may_be_true_and_false():
    np.testing.assert_array_equal(laplacian_encoding(ring(5) > 0, 2), laplacian_encoding(ring(5), 2))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"depth": 0}, ValueError, "depth must be at least 1, not 0"),
        ({"branching": 0}, ValueError, "branching must be at least 1, not 0"),
        ({"branching": 2.0}, TypeError, "branching must be an integer, not 2.0"),
        (
            {"paths": [[0], [0, 1, 0]]},
            ValueError,
            "paths must have at most depth 2 steps, but path 1 has 3",
        ),
        ({"paths": [[0], [2]]}, ValueError, r"paths\[1\] must hold branches below 2, not 2"),
        ({"paths": [[-1]]}, ValueError, r"paths\[0\] must be at least 0, not -1"),
        ({"paths": [[0.5]]}, TypeError, r"paths\[0\] must be an integer, not 0.5"),
        ({"decay": 1.5}, ValueError, "decay must lie between 0 and 1, not 1.5"),
        ({"decay": [0.5, -0.1]}, ValueError, "decay must lie between 0 and 1"),
        ({"decay": math.nan}, ValueError, "decay must lie between 0 and 1, not nan"),
        ({"decay": []}, ValueError, "decay must be a number or a sequence of numbers"),
        ({"decay": "1"}, TypeError, "decay must hold real numbers"),
    ],
)
def test_tree_names_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        tree_encoding(**{"paths": [[0]], "depth": 2, "branching": 2, **arguments})


@pytest.mark.parametrize(
    ("adjacency", "error", "message"),
    [
        (np.ones((2, 3)), ValueError, r"adjacency must be square, .* not of shape \(2, 3\)"),
        (np.ones(3), ValueError, "adjacency must be square"),
        (np.ones((0, 0)), ValueError, "adjacency must be square"),
        ([[0, -1.0], [-1.0, 0]], ValueError, "adjacency must hold weights of at least 0, not -1.0"),
        ([[0, math.nan], [1, 0]], ValueError, "adjacency must be finite"),
        ([["a"]], TypeError, "adjacency must hold real numbers"),
    ],
)
@pytest.mark.parametrize("encode", [laplacian_encoding, random_walk_encoding])
def test_graphs_name_bad_matrices(encode, adjacency, error, message):
    with pytest.raises(error, match=message):
        encode(adjacency, 1)


def test_graphs_name_other_bad_input():
    with pytest.raises(ValueError, match="adjacency must be symmetric; for a directed graph"):
        laplacian_encoding([[0, 1], [0, 0]], 1)
    with pytest.raises(ValueError, match="dim must be at most 4, the non-trivial eigenvectors, not 5"):
        laplacian_encoding(ring(5), 5)
    with pytest.raises(ValueError, match="dim must be at least 1, not 0"):
        laplacian_encoding(ring(5), 0)
    with pytest.raises(ValueError, match="dim must be at most 0"):
        laplacian_encoding([[0]], 1)
    with pytest.raises(TypeError, match="normalized must be True or False, not 'yes'"):
        laplacian_encoding(ring(5), 1, normalized="yes")
    with pytest.raises(ValueError, match="steps must be at least 1, not 0"):
        random_walk_encoding(ring(5), 0)
