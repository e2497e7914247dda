"""What can be read out of vectors linearly, and how the spaces that they span lie to each other."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from edukit.posenc import _arguments as arguments

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Probe = Literal["softmax", "discriminant", "least squares"]
PROBES = ("softmax", "discriminant", "least squares")

# The search for the best classifier ends when the gradient is this much smaller than at the start.
SETTLED = 1e-5
REMEMBERED = 10


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """How well labels can be read out linearly, together with what that number depends on.

    Parameters
    ----------
    accuracy : float
        Share of the test rows whose label was found.
    train_accuracy : float
        The same for the rows that the probe was trained on.
    chance : float
        Accuracy on the test rows of always naming the label that is most frequent in training.
    probe : str
        Name of the probe, with the strength of the ridge.
    split : str
        How the test rows were chosen.
    train_rows, test_rows, classes : int
        Sizes.
    """

    accuracy: float
    train_accuracy: float
    chance: float
    probe: str
    split: str
    train_rows: int
    test_rows: int
    classes: int

    def __str__(self) -> str:
        return (
            f"accuracy {self.accuracy:.3f} (training {self.train_accuracy:.3f}, chance {self.chance:.3f}); "
            f"{self.classes} classes; probe: {self.probe}; split: {self.split}; "
            f"{self.train_rows} rows for training, {self.test_rows} for the test"
        )


def linear_probe(
    x: npt.ArrayLike,
    labels: npt.ArrayLike,
    *,
    groups: npt.ArrayLike | None = None,
    probe: Probe = "softmax",
    test_share: float = 0.25,
    ridge: float = 1e-3,
    max_steps: int = 300,
    seed: int = 0,
) -> ProbeResult:
    r"""Return how well labels, such as positions, can be read out of vectors by a linear classifier.

    Each probe names the label :math:`c` with the largest :math:`w_c \cdot x + b_c`; they differ in how
    they find the weights. "least squares" fits these scores to the one-hot labels,

    .. math::

       \min_{W, b} \frac{1}{n} \sum_r \lVert W x_r + b - e_{c_r} \rVert^2 + \lambda \lVert W \rVert^2,

    "softmax" makes the right labels as probable as it can,

    .. math::

       \min_{W, b} -\frac{1}{n} \sum_r \log \mathrm{softmax}(W x_r + b)_{c_r} + \lambda \lVert W \rVert^2,

    and "discriminant" takes every class for a normal distribution with a mean :math:`\mu_c` of its own
    and one covariance :math:`\Sigma` for all:

    .. math::

       w_c = (\Sigma + \lambda I)^{-1} \mu_c, \quad b_c = -\tfrac{1}{2} w_c \cdot \mu_c.

    If the tokens are drawn so, and enough of them are known, no classifier of any kind is better.

    Parameters
    ----------
    x : array_like, shape (rows, d)
        One vector a row.
    labels : array_like of int, shape (rows,)
        What is to be read out.
    groups : array_like of int, shape (rows,), optional
        What must not be shared by training and test, such as the token of each row: then no token of
        the test has been seen in training. When left out, single rows are held out.
    probe : {"softmax", "discriminant", "least squares"}, optional
        The classifier.
    test_share : float, optional
        Share of the groups, or of the rows, that is held out; between 0 and 1.
    ridge : float, optional
        :math:`\lambda`, at least 0, for vectors that have been centred and divided by one number, the
        root mean square of the training values.
    max_steps : int, optional
        Most steps of the search (L-BFGS) for the softmax probe.
    seed : int, optional
        Draws the split; everything else is determined.

    Returns
    -------
    result : ProbeResult
        The accuracy, with the probe, the split and the sizes that it depends on.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If the shapes do not fit, values are not finite, or a part of the split would be empty.

    Notes
    -----
    A probe measures itself too: one-hot least squares finds fewer labels than the best linear classifier,
    and any probe finds fewer if it was trained on few tokens. So the result states probe, split and sizes.

    References
    ----------
    Alain and Bengio, "Understanding intermediate layers using linear classifier probes", 2016,
    `arXiv:1610.01644 <https://arxiv.org/abs/1610.01644>`_.

    Hewitt and Liang, "Designing and Interpreting Probes with Control Tasks", 2019,
    `arXiv:1909.03368 <https://arxiv.org/abs/1909.03368>`_.

    Examples
    --------
    Twenty tokens at ten positions; the position is read from tokens that were never seen:

    >>> import numpy as np
    >>> from edukit.posenc import linear_probe, sinusoidal
    >>> tokens = np.random.default_rng(0).normal(size=(20, 1, 64), scale=0.3)
    >>> sums = (tokens + sinusoidal(10, 64)).reshape(200, 64)
    >>> which = np.arange(200)
    >>> linear_probe(sums, which % 10, groups=which // 10).accuracy
    1.0
    """
    x = arguments.real_array("x", x)
    if x.ndim != 2 or x.shape[1] < 1:
        raise ValueError(f"x must have two axes, rows and columns, not the shape {x.shape}")
    x = _finite_array("x", x)
    classes, wanted = np.unique(_integers("labels", labels, len(x)), return_inverse=True)
    arguments.choice("probe", probe, PROBES)
    ridge = arguments.finite("ridge", ridge)
    if ridge < 0:
        raise ValueError(f"ridge must be at least 0, not {ridge}")
    max_steps = arguments.integer("max_steps", max_steps, at_least=1)
    test, split = _split(len(x), groups, test_share, arguments.integer("seed", seed, at_least=0))

    features, unseen = _scaled(x[~test], x[test])
    train_labels, test_labels = wanted[~test], wanted[test]
    if probe == "softmax":
        weights = _softmax_weights(features, train_labels, len(classes), ridge, max_steps)
    elif probe == "discriminant":
        weights = _discriminant_weights(features, train_labels, len(classes), ridge)
    else:
        weights = _least_squares_weights(features, train_labels, len(classes), ridge)
    usual = np.bincount(train_labels, minlength=len(classes)).argmax()
    return ProbeResult(
        accuracy=_accuracy(unseen, weights, test_labels),
        train_accuracy=_accuracy(features, weights, train_labels),
        chance=float((test_labels == usual).mean()),
        probe=f"{probe}, ridge {ridge:g}",
        split=split,
        train_rows=int((~test).sum()),
        test_rows=int(test.sum()),
        classes=len(classes),
    )


def principal_angles(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    r"""Return the principal angles between the spans of the rows of two matrices.

    The first angle is the smallest that a vector of one span makes with a vector of the other; each next
    one is the smallest among what is orthogonal to the pairs before:

    .. math::

       \cos\theta_k = \sigma_k(Q_a Q_b^\top),

    with :math:`Q` an orthonormal basis, in rows, and :math:`\sigma` singular values.

    Parameters
    ----------
    a, b : array_like, shapes (m, d) and (n, d)
        Vectors, one a row: a table of tokens, a table of positions.

    Returns
    -------
    angles : ndarray of float64
        In radians, ascending, from 0 to :math:`\pi/2`; as many as the smaller of the two ranks.

    Raises
    ------
    TypeError
        If a matrix does not hold real numbers.
    ValueError
        If a matrix has not two axes, the widths differ, or values are not finite.

    Notes
    -----
    Small angles are taken from their sines, because the cosine of an angle below 1e-8 is rounded to 1.

    References
    ----------
    Björck and Golub, "Numerical methods for computing angles between linear subspaces", Mathematics of
    Computation 27, 1973, `doi:10.1090/S0025-5718-1973-0348991-3
    <https://doi.org/10.1090/S0025-5718-1973-0348991-3>`_.

    Zhu and Knyazev, "Angles between subspaces and their tangents", 2012,
    `arXiv:1209.0523 <https://arxiv.org/abs/1209.0523>`_.

    Examples
    --------
    A plane and a line that leaves it by 45 degrees:

    >>> import numpy as np
    >>> from edukit.posenc import principal_angles
    >>> np.degrees(principal_angles([[1, 0, 0], [0, 1, 0]], [[1, 0, 1]])).round(6)
    array([45.])
    """
    first, second = _bases(a, b)
    if len(first) < len(second):
        first, second = second, first
    products = second @ first.T
    cosines = np.linalg.svd(products, compute_uv=False)
    # What is left of the smaller span outside the larger one: ascending angles have ascending sines.
    sines = np.linalg.svd(second - products @ first, compute_uv=False)[::-1][: len(cosines)]
    angles: Floats = np.where(
        cosines**2 > 0.5, np.arcsin(np.minimum(sines, 1)), np.arccos(np.clip(cosines, 0, 1))
    )
    return angles


def subspace_overlap(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    r"""Return how far the spans of the rows of two matrices coincide.

    .. math::

       \frac{1}{\min(r_a, r_b)} \sum_k \cos^2 \theta_k

    of the :func:`principal_angles`: 0 if the spans are orthogonal, 1 if one of them holds the other.

    Parameters
    ----------
    a, b : array_like, shapes (m, d) and (n, d)
        Vectors, one a row.

    Returns
    -------
    overlap : float
        From 0 to 1; 0 if one of the spans is only the zero vector.

    Raises
    ------
    TypeError, ValueError
        As in :func:`principal_angles`.

    Notes
    -----
    Random spans of :math:`r` and :math:`s \le r` dimensions overlap by :math:`r/d` on average.

    References
    ----------
    Zhu and Knyazev, "Angles between subspaces and their tangents", 2012,
    `arXiv:1209.0523 <https://arxiv.org/abs/1209.0523>`_.

    Examples
    --------
    >>> from edukit.posenc import subspace_overlap
    >>> subspace_overlap([[1, 0, 0], [0, 1, 0]], [[0, 1, 0], [0, 0, 1]])
    0.5
    """
    first, second = _bases(a, b)
    fewest = min(len(first), len(second))
    return float(((first @ second.T) ** 2).sum() / fewest) if fewest else 0.0


def energy_spectrum(table: npt.ArrayLike, *, centred: bool = False) -> Floats:
    r"""Return which share of a table's energy its strongest directions hold.

    .. math::

       E_k = \frac{\sum_{i \le k} \sigma_i^2}{\sum_i \sigma_i^2}

    with the singular values :math:`\sigma_1 \ge \sigma_2 \ge \dots` of the table. No :math:`k`
    dimensions hold more of the sum of its squares.

    Parameters
    ----------
    table : array_like, shape (rows, d)
        One vector a row.
    centred : bool, optional
        Whether the mean row is subtracted first, as in a principal component analysis.

    Returns
    -------
    shares : ndarray of float64, shape (min(rows, d),)
        Ascending; the last one is 1.

    Raises
    ------
    TypeError
        If `table` does not hold real numbers, or `centred` is not a bool.
    ValueError
        If `table` has not two axes, is empty, holds NaN or infinity, or holds nothing but zeros.

    References
    ----------
    Mu, Bhat and Viswanath, "All-but-the-Top: Simple and Effective Postprocessing for Word
    Representations", 2017, `arXiv:1702.01417 <https://arxiv.org/abs/1702.01417>`_, on what the mean and
    the strongest directions of embeddings hold.

    Examples
    --------
    How many of 512 dimensions hold 90 % and 99 % of the sinusoidal table:

    >>> import numpy as np
    >>> from edukit.posenc import energy_spectrum, sinusoidal
    >>> shares = energy_spectrum(sinusoidal(512, 512))
    >>> [int(np.searchsorted(shares, share)) + 1 for share in (0.9, 0.99)]
    [62, 109]
    """
    x = _matrix("table", table)
    if not x.size:
        raise ValueError(f"table must have rows and columns, not the shape {x.shape}")
    if not isinstance(centred, bool | np.bool_):
        raise TypeError(f"centred must be True or False, not {centred!r}")
    if centred:
        x = x - x.mean(axis=0)
    energy = np.linalg.svd(x, compute_uv=False) ** 2
    total = energy.sum()
    if not total > 0:
        raise ValueError("table must hold something: all its values, less the mean if centred, are 0")
    shares: Floats = np.minimum(np.cumsum(energy) / total, 1)
    shares[-1] = 1
    return shares


# -- splitting and training -----------------------------------------------------------------------


def _split(
    rows: int, groups: npt.ArrayLike | None, test_share: float, seed: int
) -> tuple[npt.NDArray[np.bool_], str]:
    """Return which rows are for the test, and the rule in words."""
    test_share = arguments.finite("test_share", test_share)
    if not 0 < test_share < 1:
        raise ValueError(f"test_share must lie between 0 and 1, not {test_share}")
    names = np.arange(rows) if groups is None else _integers("groups", groups, rows)
    known, member = np.unique(names, return_inverse=True)
    what = "rows" if groups is None else "groups"
    held_out = round(test_share * known.size)
    if not 0 < held_out < known.size:
        raise ValueError(
            f"test_share must leave {what} on both sides, not hold out {held_out} of {known.size}"
        )
    chosen = np.zeros(known.size, dtype=bool)
    chosen[np.random.default_rng(seed).permutation(known.size)[:held_out]] = True
    return chosen[member], f"{held_out} of {known.size} {what} held out, seed {seed}"


def _scaled(train: Floats, test: Floats) -> tuple[Floats, Floats]:
    """Return both parts, moved and scaled as a whole so that the training values have mean 0 and size 1."""
    mean = train.mean(axis=0)
    size = float(np.sqrt(np.mean((train - mean) ** 2))) or 1.0
    return _with_one((train - mean) / size), _with_one((test - mean) / size)


def _with_one(x: Floats) -> Floats:
    return np.concatenate([x, np.ones((len(x), 1))], axis=1)


def _least_squares_weights(x: Floats, labels: Integers, classes: int, ridge: float) -> Floats:
    # The constant is orthogonal to centred columns, and is not held back by the ridge.
    penalty = np.full(x.shape[1], ridge)
    penalty[-1] = 0
    normal = x.T @ x / len(x) + np.diag(penalty)
    weights: Floats = np.linalg.pinv(normal, hermitian=True) @ (x.T @ np.eye(classes)[labels] / len(x))
    return weights


def _discriminant_weights(x: Floats, labels: Integers, classes: int, ridge: float) -> Floats:
    vectors, counts = x[:, :-1], np.bincount(labels, minlength=classes)
    means = np.zeros((classes, vectors.shape[1]))
    np.add.at(means, labels, vectors)
    means /= np.maximum(counts, 1)[:, np.newaxis]
    left = vectors - means[labels]
    spread = left.T @ left / len(x) + ridge * np.eye(vectors.shape[1])
    # Without a ridge the spread may be singular: then what does not vary within a class decides nothing.
    weights = np.linalg.pinv(spread, hermitian=True) @ means.T
    offsets = -0.5 * (weights * means.T).sum(axis=0)
    # A label that training has never seen is never named.
    offsets[counts == 0] = -np.inf
    found: Floats = np.concatenate([weights, offsets[np.newaxis]])
    return found


def _softmax_weights(x: Floats, labels: Integers, classes: int, ridge: float, max_steps: int) -> Floats:
    """Return the weights that L-BFGS finds, from zeros on."""
    rows = np.arange(len(x))
    penalty = np.full((x.shape[1], 1), ridge)
    penalty[-1] = 0

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = x @ weights
        scores -= scores.max(axis=1, keepdims=True)
        parts = np.exp(scores)
        total = parts.sum(axis=1, keepdims=True)
        value = float((np.log(total[:, 0]) - scores[rows, labels]).mean() + (penalty * weights**2).sum())
        parts /= total
        parts[rows, labels] -= 1
        return value, x.T @ parts / len(x) + 2 * penalty * weights

    weights = np.zeros((x.shape[1], classes))
    value, gradient = loss(weights)
    goal = SETTLED * np.abs(gradient).max()
    moves: list[tuple[Floats, Floats]] = []
    for _ in range(max_steps):
        if np.abs(gradient).max() <= goal:
            break
        step = -_inverse_hessian(moves, gradient)
        slope = float((step * gradient).sum())
        length = 1.0
        while True:
            new_value, new_gradient = loss(weights + length * step)
            if new_value <= value + 1e-4 * length * slope or length < 1e-10:
                break
            length /= 2
        move, change = length * step, new_gradient - gradient
        if (move * change).sum() > 1e-12 * (change**2).sum():
            moves = [*moves[1 - REMEMBERED :], (move, change)]
        weights, value, gradient = weights + move, new_value, new_gradient
    return weights


def _inverse_hessian(moves: list[tuple[Floats, Floats]], gradient: Floats) -> Floats:
    """Return the gradient times what the last moves tell about the inverse of the second derivatives."""
    direction = gradient.copy()
    shares = []
    for move, change in reversed(moves):
        share = (move * direction).sum() / (move * change).sum()
        direction -= share * change
        shares.append(share)
    if moves:
        move, change = moves[-1]
        direction *= (move * change).sum() / (change**2).sum()
    for (move, change), share in zip(moves, reversed(shares), strict=True):
        direction += (share - (change * direction).sum() / (move * change).sum()) * move
    return direction


def _accuracy(x: Floats, weights: Floats, labels: Integers) -> float:
    return float(((x @ weights).argmax(axis=1) == labels).mean())


# -- checks and spans -----------------------------------------------------------------------------


def _bases(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return orthonormal bases, in rows, of the spans of the rows of two matrices."""
    first, second = _matrix("a", a), _matrix("b", b)
    if first.shape[1] != second.shape[1]:
        raise ValueError(f"a and b must be equally wide, not {first.shape[1]} and {second.shape[1]}")
    return _basis(first), _basis(second)


def _basis(x: Floats) -> Floats:
    if not x.size:
        return np.zeros((0, x.shape[1]))
    _, sizes, directions = np.linalg.svd(x, full_matrices=False)
    rank = int((sizes > max(x.shape) * np.finfo(float).eps * sizes.max()).sum())
    basis: Floats = directions[:rank]
    return basis


def _matrix(name: str, value: npt.ArrayLike) -> Floats:
    array = arguments.real_array(name, value)
    if array.ndim != 2:
        raise ValueError(f"{name} must have two axes, rows and columns, not the shape {array.shape}")
    return _finite_array(name, array)


def _finite_array(name: str, array: npt.NDArray[Any]) -> Floats:
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, but holds NaN or infinity")
    return array.astype(np.float64)


def _integers(name: str, value: npt.ArrayLike, rows: int) -> npt.NDArray[Any]:
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold integers, not values of dtype {array.dtype}")
    if array.shape != (rows,):
        raise ValueError(f"{name} must have one value for each row, shape ({rows},), not {array.shape}")
    return array
