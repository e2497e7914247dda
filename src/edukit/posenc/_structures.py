"""Positions that are no numbers: nodes of a tree by their paths, nodes of a graph by its matrices."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from edukit.posenc import _arguments as arguments

Floats = npt.NDArray[np.float64]

# Eigenvalues of a Laplacian that lie closer than this, relative to the largest, count as one; and
# entries of its eigenvectors below it as zero. Rounding is some hundred times smaller.
SAME = 1e-9
NEGLIGIBLE = 1e-6


def tree_encoding(
    paths: Sequence[Sequence[int]], *, depth: int, branching: int, decay: float | Sequence[float] = 1.0
) -> Floats:
    r"""Return an encoding of the nodes of a tree by the way down to them.

    A node is a stack of steps, the last step on top, and each step is one-hot over the branches:

    .. math::

       x = \left(e_{b_l},\; p\,e_{b_{l-1}},\; p^2\,e_{b_{l-2}},\; \dots,\; 0, \dots, 0\right)

    for the path :math:`b_1, \dots, b_l` from the root. To go down a branch is to push a step onto the
    stack and to go up is to pop it. Both are affine maps, the same at every node: that is what the
    rotation of the sinusoidal table is on a line.

    Parameters
    ----------
    paths : sequence of sequences of int
        For each node the branches to take from the root, counted from 0; an empty one for the root.
    depth : int
        Longest path, at least 1.
    branching : int
        Most children of a node, at least 1.
    decay : float or sequence of floats, optional
        :math:`p`, from 0 to 1: how much less a step weighs than the one after it. Several give as many
        copies side by side. In the paper these are learned, and each copy is scaled besides.

    Returns
    -------
    encoding : ndarray of float64, shape (len(paths), copies * depth * branching)
        The copies one after the other; within a copy the top of the stack first.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a path is too long or takes a branch that there is not, or a number is out of range.

    Notes
    -----
    Unless `decay` is 0, two nodes never share an encoding: a longer path would have to drop its first
    steps, and is refused. The paper multiplies a copy by :math:`\sqrt{1 - p^2} \sqrt{d/2}`, which makes
    its vectors about as long as those of a sinusoidal table; here that is left to the caller.

    References
    ----------
    Shiv and Quirk, "Novel positional encodings to enable tree-based transformers", NeurIPS 2019. For the
    sinusoidal table that it carries over to trees: Vaswani et al., 2017,
    `arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_.

    Examples
    --------
    The root, its left child, and the right child of that:

    >>> from edukit.posenc import tree_encoding
    >>> tree_encoding([[], [0], [0, 1]], depth=3, branching=2)
    array([[0., 0., 0., 0., 0., 0.],
           [1., 0., 0., 0., 0., 0.],
           [0., 1., 1., 0., 0., 0.]])
    """
    depth = arguments.integer("depth", depth, at_least=1)
    branching = arguments.integer("branching", branching, at_least=1)
    decays = arguments.real_array("decay", decay).astype(np.float64)
    if decays.ndim > 1 or not decays.size:
        raise ValueError(f"decay must be a number or a sequence of numbers, not of shape {decays.shape}")
    if not ((decays >= 0) & (decays <= 1)).all():
        raise ValueError(f"decay must lie between 0 and 1, not {decay!r}")

    stacks = np.zeros((len(paths), depth, branching))
    for node, path in enumerate(paths):
        if len(path) > depth:
            raise ValueError(
                f"paths must have at most depth {depth} steps, but path {node} has {len(path)}"
            )
        for level, branch in enumerate(reversed(path)):
            taken = arguments.integer(f"paths[{node}]", branch, at_least=0)
            if taken >= branching:
                raise ValueError(f"paths[{node}] must hold branches below {branching}, not {taken}")
            stacks[node, level, taken] = 1
    weights = decays.reshape(-1, 1) ** np.arange(depth)
    copies: Floats = stacks[:, np.newaxis] * weights[:, :, np.newaxis]
    return copies.reshape(len(paths), decays.size * depth * branching)


def laplacian_encoding(adjacency: npt.ArrayLike, dim: int, *, normalized: bool = True) -> Floats:
    r"""Return the eigenvectors of a graph's Laplacian that vary most slowly from node to node.

    .. math::

       L = I - D^{-1/2} A D^{-1/2} \quad\text{or}\quad L = D - A

    with the adjacency matrix :math:`A` and the degrees :math:`D`. On a ring these are sines and cosines;
    on any other graph they are what takes their place. Left out is the trivial one, which is the same
    at every node but for its degree.

    Parameters
    ----------
    adjacency : array_like, shape (n, n)
        Symmetric; weights of the edges, at least 0.
    dim : int
        Number of eigenvectors, from 1 to n - 1.
    normalized : bool, optional
        Whether the Laplacian is normalised by the degrees, as in the paper.

    Returns
    -------
    encoding : ndarray of float64, shape (n, dim)
        Orthonormal columns, by ascending eigenvalue.

    Raises
    ------
    TypeError
        If `adjacency` does not hold real numbers, `dim` is no integer or `normalized` is no bool.
    ValueError
        If `adjacency` is not square, symmetric, finite and free of negative weights, or there are fewer
        than `dim` non-trivial eigenvectors.

    Notes
    -----
    An eigenvector is determined up to its sign, and several of one eigenvalue up to a rotation. Here both
    are made canonical, so that the result is a function of the matrix and no accident of the solver:

    - *Sign*: of the values and their negatives, sorted downwards, the larger sequence is taken, so that
      the most extreme entry is positive. If both are equal, the first entry that is not zero is positive.
    - *Basis*: within the eigenspace the node that reaches farthest into it, the first one of several, gives
      the first vector (the projection of its axis); the same again in what is left.

    When the nodes are renumbered, the rows move along with them for every simple eigenvalue whose sign the
    values decide. Where they do not (a graph with a symmetry that turns the vector into its negative) or
    where an eigenvalue is repeated, no choice can be equivariant: the order of the nodes decides, here and
    everywhere. Then only the span of the columns is a property of the graph alone.

    A graph in c parts has c eigenvectors of eigenvalue 0. One combination is trivial; the others tell the
    parts apart and come first. A node without edges is a part of its own.

    References
    ----------
    Dwivedi and Bresson, "A Generalization of Transformer Networks to Graphs", 2020,
    `arXiv:2012.09699 <https://arxiv.org/abs/2012.09699>`_.

    Examples
    --------
    A path of four nodes: first one slope, then one valley.

    >>> import numpy as np
    >>> from edukit.posenc import laplacian_encoding
    >>> path = np.eye(4, k=1) + np.eye(4, k=-1)
    >>> laplacian_encoding(path, 2, normalized=False).round(2)
    array([[ 0.65,  0.5 ],
           [ 0.27, -0.5 ],
           [-0.27, -0.5 ],
           [-0.65,  0.5 ]])
    """
    weights = _adjacency(adjacency)
    if not np.array_equal(weights, weights.T):
        raise ValueError("adjacency must be symmetric; for a directed graph pass (A + A.T) / 2")
    dim = arguments.integer("dim", dim, at_least=1)
    if not isinstance(normalized, bool | np.bool_):
        raise TypeError(f"normalized must be True or False, not {normalized!r}")
    nodes = len(weights)
    if dim > nodes - 1:
        raise ValueError(f"dim must be at most {nodes - 1}, the non-trivial eigenvectors, not {dim}")

    laplacian, trivial = _laplacian(weights, bool(normalized))
    # Raising the trivial vector above all others takes it out, whatever else has eigenvalue 0.
    size = float(np.abs(laplacian).sum(axis=1).max()) or 1.0
    values, vectors = np.linalg.eigh(laplacian + 4 * size * np.outer(trivial, trivial))
    values, vectors = values[:-1], vectors[:, :-1]

    encoding = np.empty((nodes, dim))
    first = 0
    while first < dim:
        last = first + 1
        while last < nodes - 1 and values[last] - values[last - 1] <= SAME * size:
            last += 1
        space = _canonical_basis(vectors[:, first:last])
        encoding[:, first : min(last, dim)] = space[:, : dim - first]
        first = last
    return encoding


def random_walk_encoding(adjacency: npt.ArrayLike, steps: int) -> Floats:
    r"""Return for each node the chances that a random walk is back after 1, 2, ... steps.

    .. math::

       \left(R_{ii},\; (R^2)_{ii},\; \dots,\; (R^k)_{ii}\right), \qquad R = D^{-1} A

    Parameters
    ----------
    adjacency : array_like, shape (n, n)
        Weights of the edges, at least 0; row i holds the edges that leave node i. It need not be
        symmetric.
    steps : int
        :math:`k`, at least 1.

    Returns
    -------
    encoding : ndarray of float64, shape (n, steps)
        Chances from 0 to 1. From a node that no edge leaves no walk starts: its row is 0.

    Raises
    ------
    TypeError
        If `adjacency` does not hold real numbers or `steps` is no integer.
    ValueError
        If `adjacency` is not square, finite and free of negative weights, or `steps` is below 1.

    Notes
    -----
    Nothing here has a sign or a basis to choose: renumber the nodes, and the rows move along. Nodes that
    a symmetry of the graph exchanges get the same row, and so do some that none does.

    References
    ----------
    Dwivedi et al., "Graph Neural Networks with Learnable Structural and Positional Representations",
    2022, `arXiv:2110.07875 <https://arxiv.org/abs/2110.07875>`_.

    Examples
    --------
    In a triangle nobody is back after one step, and half of the walks after two:

    >>> import numpy as np
    >>> from edukit.posenc import random_walk_encoding
    >>> random_walk_encoding(1 - np.eye(3), 4)[0]
    array([0.   , 0.5  , 0.25 , 0.375])
    """
    weights = _adjacency(adjacency)
    steps = arguments.integer("steps", steps, at_least=1)
    degrees = weights.sum(axis=1)
    chances = weights / np.where(degrees > 0, degrees, 1)[:, np.newaxis]
    encoding = np.empty((len(weights), steps))
    walked = np.eye(len(weights))
    for step in range(steps):
        walked = walked @ chances
        encoding[:, step] = walked.diagonal()
    return encoding


# -- Laplacians -----------------------------------------------------------------------------------


def _adjacency(value: npt.ArrayLike) -> Floats:
    array: npt.NDArray[Any] = np.asarray(value)
    # Edges are often given as True and False.
    if array.dtype == np.bool_:
        array = array.astype(np.int64)
    array = arguments.real_array("adjacency", array)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or not array.size:
        raise ValueError(f"adjacency must be square, with a row for each node, not of shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("adjacency must be finite, but holds NaN or infinity")
    if (array < 0).any():
        raise ValueError(f"adjacency must hold weights of at least 0, not {array.min()}")
    return array.astype(np.float64)


def _laplacian(weights: Floats, normalized: bool) -> tuple[Floats, Floats]:
    """Return the Laplacian and its trivial eigenvector, of length 1."""
    degrees = weights.sum(axis=1)
    if not normalized:
        return np.diag(degrees) - weights, np.full(len(weights), len(weights) ** -0.5)
    alone = degrees == 0
    roots = np.sqrt(np.where(alone, 1, degrees))
    laplacian = np.diag(np.where(alone, 0.0, 1.0)) - weights / np.outer(roots, roots)
    # Nodes without edges have no share in the trivial vector, unless there is nothing else.
    trivial = np.ones(len(weights)) if alone.all() else np.sqrt(degrees)
    return laplacian, trivial / np.linalg.norm(trivial)


def _canonical_basis(vectors: Floats) -> Floats:
    """Return an orthonormal basis of the span of orthonormal columns that depends on the span alone."""
    if vectors.shape[1] == 1:
        return vectors * _sign(vectors[:, 0])
    basis = np.empty_like(vectors)
    left = vectors @ vectors.T
    for column in range(vectors.shape[1]):
        reach = left.diagonal()
        node = int(np.argmax(reach > reach.max() - NEGLIGIBLE))
        axis = left[:, node] / np.sqrt(reach[node])
        # Once more: what an earlier projection has left behind by rounding.
        axis = axis - basis[:, :column] @ (basis[:, :column].T @ axis)
        basis[:, column] = axis / np.linalg.norm(axis)
        left = left - np.outer(basis[:, column], basis[:, column])
    return basis


def _sign(vector: Floats) -> float:
    """Return 1 or -1: which of a vector and its negative is meant."""
    upwards, downwards = np.sort(vector), np.sort(-vector)
    differs = np.flatnonzero(np.abs(upwards - downwards) > NEGLIGIBLE)
    if differs.size:
        largest = differs[-1]
        return 1.0 if upwards[largest] > downwards[largest] else -1.0
    return 1.0 if vector[np.argmax(np.abs(vector) > NEGLIGIBLE)] > 0 else -1.0
