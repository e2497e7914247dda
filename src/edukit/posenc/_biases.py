"""Relative position: what attention adds to a score for the way from the query to the key."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from edukit.posenc import _arguments as arguments

Array = npt.NDArray[Any]

# The edges of T5's buckets are found with float64, which is sure of integers up to here and well beyond.
LARGEST_DISTANCE = 2**31 - 1


def alibi_slopes(heads: int) -> npt.NDArray[np.float64]:
    r"""Return the slope of each head of ALiBi.

    For a number of heads :math:`n` that is a power of two, head :math:`h = 1, \dots, n` has the slope

    .. math::

       m_h = 2^{-8h/n}

    For any other number, the slopes for the largest power of two below it come first, and the rest are
    every other slope for twice that power.

    Parameters
    ----------
    heads : int
        Number of heads, at least 1.

    Returns
    -------
    slopes : ndarray of float64
        Shape ``(heads,)``, in score per position: how much a head takes off for each step of distance.

    Raises
    ------
    TypeError
        If `heads` is not an integer.
    ValueError
        If `heads` is less than 1.

    References
    ----------
    Press, Smith and Lewis, "Train Short, Test Long: Attention with Linear Biases Enables Input Length
    Extrapolation", 2021, section 3, `arXiv:2108.12409 <https://arxiv.org/abs/2108.12409>`_; the rule for
    other numbers of heads is that of the code that was published with it.

    Examples
    --------
    >>> from edukit.posenc import alibi_slopes
    >>> alibi_slopes(4)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625])
    >>> alibi_slopes(6)[4:]
    array([0.5  , 0.125])
    """
    heads = arguments.integer("heads", heads, at_least=1)
    power = 1 << (heads.bit_length() - 1)
    exponents = [-8 * head / power for head in range(1, power + 1)]
    exponents += [-8 * head / (2 * power) for head in range(1, 2 * (heads - power), 2)]
    # Python's power is exact where the result is a power of two; vectorized ones need not be.
    return np.array([2.0**exponent for exponent in exponents])


def alibi_bias(
    heads: int,
    query_length: int,
    key_length: int,
    *,
    causal: bool = True,
    query_start: int = 0,
    dtype: npt.DTypeLike = np.float32,
) -> Array:
    r"""Return the bias of ALiBi: the farther the key, the lower the score.

    With the slope :math:`m_h` of :func:`alibi_slopes`, a query at position :math:`i` and a key at
    position :math:`j`:

    .. math::

       B_{hij} = \begin{cases} -m_h\,(i - j) & j \le i \\ -\infty & j > i \end{cases}

    Without `causal` it is :math:`-m_h\,|i - j|` on both sides.

    Parameters
    ----------
    heads : int
        Number of heads, at least 1.
    query_length, key_length : int
        Number of queries and of keys, at least 0. The first key stands at position 0.
    causal : bool, optional
        Whether the future, keys after the query, is masked with minus infinity.
    query_start : int, optional
        Position of the first query. A decoder that adds one token to a cache has one query, which
        stands at ``key_length - 1``. May be negative, when a block of later keys is looked at.
    dtype : dtype, optional
        float16, float32 or float64. Values are computed in float64; the cast comes last.

    Returns
    -------
    bias : ndarray
        A new array of shape ``(heads, query_length, key_length)``, to be added to the scores, as the
        `bias` of :func:`attention`.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If an argument is out of range, or float16 cannot hold the bias of the farthest key.

    Notes
    -----
    The sign matters: with :math:`+m_h\,(i - j)` a head would look away from its neighbours.

    BLOOM stores :math:`+m_h\,j`. In each row that is the bias here plus :math:`m_h\,i`, the same
    number for all keys, and the softmax does not notice it.

    References
    ----------
    Press, Smith and Lewis, "Train Short, Test Long: Attention with Linear Biases Enables Input Length
    Extrapolation", 2021, section 3, `arXiv:2108.12409 <https://arxiv.org/abs/2108.12409>`_.

    Examples
    --------
    >>> from edukit.posenc import alibi_bias
    >>> alibi_bias(8, 3, 3)[0]
    array([[ 0. , -inf, -inf],
           [-0.5,  0. , -inf],
           [-1. , -0.5,  0. ]], dtype=float32)
    >>> alibi_bias(8, 1, 4, query_start=3)[0]
    array([[-1.5, -1. , -0.5,  0. ]], dtype=float32)
    """
    slopes = alibi_slopes(heads)
    causal = arguments.boolean("causal", causal)
    wanted = arguments.float_dtype("dtype", dtype)
    offsets = _offsets(query_length, key_length, query_start)

    # Not minus the product: the token itself would get the number -0.0.
    ways = (np.minimum(offsets, 0) if causal else -np.abs(offsets)).astype(np.float64)
    lowest = slopes.max() * ways.min(initial=0.0)
    if lowest < np.finfo(wanted).min:
        raise ValueError(
            f"dtype must be float32 or float64 to hold the bias of the farthest key, {lowest:g}, "
            f"not {wanted.name}"
        )
    lines = np.empty((heads, offsets.size), dtype=wanted)
    np.multiply(slopes[:, np.newaxis], ways, out=lines, casting="same_kind")
    if causal:
        lines[:, np.searchsorted(offsets, 1) :] = -np.inf
    return _spread(lines, query_length, key_length)


def t5_buckets(
    key_minus_query: npt.ArrayLike,
    *,
    buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
) -> npt.NDArray[np.int64]:
    r"""Return the bucket of T5 that each offset falls into.

    Of the :math:`n` buckets of one side, the first :math:`e = \lfloor n/2 \rfloor` hold one distance
    each, 0 to :math:`e - 1`. From there on buckets grow with the distance :math:`r`, up to the largest
    distance :math:`D`; the last one holds whatever is farther:

    .. math::

       \min\left(n - 1,\; e + \left\lfloor \frac{\ln(r / e)}{\ln(D / e)}\,(n - e) \right\rfloor\right)

    Parameters
    ----------
    key_minus_query : array_like of int
        Position of the key minus position of the query, of any shape: negative for the past.
    buckets : int, optional
        Number of buckets in all: at least 2 if `bidirectional`, else at least 1.
    max_distance : int, optional
        :math:`D`: from here on, all distances share the last bucket; more than :math:`e`, and less
        than 2**31.
    bidirectional : bool, optional
        True, as in an encoder: half of the buckets, rounded down, are for the past and the token
        itself, and as many, with the higher numbers, for the future. False, as in a decoder: all
        buckets are for the past, and the whole future falls into bucket 0.

    Returns
    -------
    numbers : ndarray of int64
        A new array of the shape of `key_minus_query`, of numbers from 0 to ``buckets - 1``.

    Raises
    ------
    TypeError
        If an argument has the wrong type; offsets are integers.
    ValueError
        If `buckets` or `max_distance` is out of range.

    Notes
    -----
    Where a bucket begins is settled in whole numbers, so that no rounded logarithm decides over a
    distance right at an edge. For T5's own 32 and 128 this is what libraries return at every distance.

    Two numbers do not occur: ``buckets // 2`` when both sides have several buckets, because the offset 0
    counts as past; and the last one of an odd number of `buckets` for both sides.

    References
    ----------
    Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
    2019, section 2.1, `arXiv:1910.10683 <https://arxiv.org/abs/1910.10683>`_; the formula is that of the
    code that was published with it.

    Examples
    --------
    >>> from edukit.posenc import t5_buckets
    >>> t5_buckets([-200, -9, -2, -1, 0, 1, 2, 9, 200])
    array([15,  8,  2,  1,  0, 17, 18, 24, 31])
    >>> t5_buckets([-200, -9, -2, -1, 0, 1, 2, 9, 200], bidirectional=False)
    array([31,  9,  2,  1,  0,  0,  0,  0,  0])
    """
    offsets = _integers("key_minus_query", key_minus_query)
    bidirectional = arguments.boolean("bidirectional", bidirectional)
    buckets = arguments.integer("buckets", buckets, at_least=2 if bidirectional else 1)
    side = buckets // 2 if bidirectional else buckets
    edges = _bucket_edges(side, max_distance)

    # Signed offsets are looked up as they are: the most negative int64 has no positive counterpart.
    numbers = edges.size - np.searchsorted(-edges[::-1], offsets, side="left")
    if bidirectional:
        numbers += np.searchsorted(edges, offsets, side="right") + side * (offsets > 0)
    return np.asarray(numbers, dtype=np.int64)


def t5_bias(
    table: npt.ArrayLike,
    query_length: int,
    key_length: int,
    *,
    query_start: int = 0,
    max_distance: int = 128,
    bidirectional: bool = True,
) -> Array:
    r"""Return the bias of T5: one learned number for each head and bucket of offsets.

    .. math::

       B_{hij} = \mathrm{table}[\mathrm{bucket}(j - i),\; h]

    Parameters
    ----------
    table : array_like of real numbers, shape (buckets, heads)
        The learned numbers; T5's layers share one table.
    query_length, key_length : int
        Number of queries and of keys, at least 0. The first key stands at position 0.
    query_start : int, optional
        Position of the first query; ``key_length - 1`` for the one new token of a decoder.
    max_distance, bidirectional
        As in :func:`t5_buckets`.

    Returns
    -------
    bias : ndarray
        A new array of shape ``(heads, query_length, key_length)`` and the float type of `table`, to be
        added to the scores, as the `bias` of :func:`attention`.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If an argument is out of range, or `table` has the wrong shape.

    Notes
    -----
    Nothing is masked, with ``bidirectional=False`` either: a decoder needs its causal mask as well.
    T5 does not scale its scores: in :func:`attention` say ``scale=1``.

    References
    ----------
    Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
    2019, section 2.1, `arXiv:1910.10683 <https://arxiv.org/abs/1910.10683>`_.

    Examples
    --------
    >>> import numpy as np
    >>> from edukit.posenc import t5_bias
    >>> table = np.array([[0.0], [-1.0], [-2.0], [-3.0]])
    >>> t5_bias(table, 3, 3, bidirectional=False, max_distance=8)
    array([[[ 0.,  0.,  0.],
            [-1.,  0.,  0.],
            [-2., -1.,  0.]]])
    """
    numbers = arguments.real_array("table", table)
    if numbers.ndim != 2 or 0 in numbers.shape:
        raise ValueError(
            f"table must have the shape (buckets, heads), at least one of each, not {numbers.shape}"
        )
    wanted = arguments.float_dtype("table", numbers.dtype if numbers.dtype.kind == "f" else np.float64)
    which = t5_buckets(
        _offsets(query_length, key_length, query_start),
        buckets=numbers.shape[0],
        max_distance=max_distance,
        bidirectional=bidirectional,
    )
    lines = np.take(np.ascontiguousarray(numbers.T, dtype=wanted), which, axis=1)
    return _spread(lines, query_length, key_length)


def transformer_xl_scores(
    q: npt.ArrayLike, k: npt.ArrayLike, r: npt.ArrayLike, u: npt.ArrayLike, v: npt.ArrayLike
) -> Array:
    r"""Return the scores of Transformer-XL, which see the offset of query and key.

    For a query at position :math:`i` and a key at position :math:`j`:

    .. math::

       S_{ij} = (q_i + u) \cdot k_j + (q_i + v) \cdot R_{i-j}

    The queries are the last tokens of the keys; keys before them are the memory.

    Parameters
    ----------
    q : array_like, shape (..., queries, d)
        Queries.
    k : array_like, shape (..., keys, d)
        Keys, at least as many as queries: first those of the memory, if there is one.
    r : array_like, shape (..., keys + queries - 1, d)
        Encodings :math:`R` of the offsets, already projected, from the longest way back to the longest
        way ahead: row 0 is :math:`R_{\mathrm{keys}-1}`, the last row :math:`R_{-(\mathrm{queries}-1)}`.
        With ``keys`` rows only, down to :math:`R_0`, the future is masked.
    u, v : array_like, shape (..., d)
        What takes the place of the query's position for content and for offset. Leading axes, such as
        one of heads, go with those of `q`.

    Returns
    -------
    scores : ndarray, shape (..., queries, keys)
        Not yet scaled; minus infinity where `r` says nothing of the future.

    Raises
    ------
    TypeError
        If an array does not hold real numbers.
    ValueError
        If the shapes do not fit.

    Notes
    -----
    The usual trick computes :math:`(q_i + v) \cdot R` for all rows and shifts each row by reshaping a
    padded matrix. What it leaves in the future is taken from the next query and means nothing. Here each
    number is fetched from its own row.

    The result has the common float type of the arguments; float16 is computed in float32.

    References
    ----------
    Dai et al., "Transformer-XL: Attentive Language Models Beyond a Fixed-Length Context", 2019, section
    3.3, `arXiv:1901.02860 <https://arxiv.org/abs/1901.02860>`_.

    Examples
    --------
    >>> import numpy as np
    >>> from edukit.posenc import sinusoidal, transformer_xl_scores
    >>> rng = np.random.default_rng(0)
    >>> q, k = rng.normal(size=(2, 8)), rng.normal(size=(5, 8))
    >>> r = sinusoidal(None, 8, positions=np.arange(4, -2, -1))
    >>> transformer_xl_scores(q, k, r, u=np.zeros(8), v=np.zeros(8)).shape
    (2, 5)
    """
    q, k, r = (arguments.matrix(name, value) for name, value in (("q", q), ("k", k), ("r", r)))
    u, v = (arguments.real_array(name, value) for name, value in (("u", u), ("v", v)))
    _check_relative(q, k, r, u, v)
    asked, working = arguments.float_types(q, k, r, u, v)
    q, k, r, u, v = (array.astype(working, copy=False) for array in (q, k, r, u, v))

    queries, keys, rows = q.shape[-2], k.shape[-2], r.shape[-2]
    content = (q + u[..., np.newaxis, :]) @ np.swapaxes(k, -1, -2)
    projected = (q + v[..., np.newaxis, :]) @ np.swapaxes(r, -1, -2)
    # Of R_{i-j}, the last query needs the first rows, and each query before it begins one row later.
    query = np.arange(queries)[:, np.newaxis]
    row = queries - 1 - query + np.arange(keys)
    known = row < rows
    offset = projected[..., query, np.where(known, row, 0)]
    scores: Array = np.where(known, content + offset, working.type(-np.inf))
    return scores.astype(asked, copy=False)


# -- Toeplitz matrices ----------------------------------------------------------------------------


def _offsets(query_length: int, key_length: int, query_start: int) -> npt.NDArray[np.int64]:
    """Return key minus query along the diagonals, from the last query and the first key on."""
    queries = arguments.integer("query_length", query_length, at_least=0)
    keys = arguments.integer("key_length", key_length, at_least=0)
    start = arguments.integer("query_start", query_start)
    first, stop = -(start + queries - 1), keys - start
    if max(abs(first), abs(stop)) > arguments.LARGEST_POSITION:
        raise ValueError(f"query_start must keep every offset within 2**53, not {start}")
    return np.arange(first, stop, dtype=np.int64)


def _spread(lines: Array, queries: int, keys: int) -> Array:
    """Return ``(heads, queries, keys)`` from one line of diagonals a head.

    Every row is a stretch of its head's line, one further to the left for each query: a single pass
    of copying, at the pace of the memory.
    """
    if queries == 0:
        return np.empty((len(lines), 0, keys), dtype=lines.dtype)
    bias: Array = sliding_window_view(lines, keys, axis=-1)[:, ::-1].copy()
    return bias


# -- the buckets of T5 ----------------------------------------------------------------------------


def _bucket_edges(side: int, max_distance: int) -> npt.NDArray[np.int64]:
    """Return the smallest distance of each bucket of one side, but for the first bucket."""
    exact = side // 2
    limit = arguments.integer("max_distance", max_distance, at_least=exact + 1)
    if limit > LARGEST_DISTANCE:
        raise ValueError(f"max_distance must be less than 2**31, not {limit}")
    steps = side - exact
    growing = [_first_distance(exact, limit, step, steps) for step in range(1, steps)]
    return np.array([*range(1, exact + 1), *growing], dtype=np.int64)


def _first_distance(exact: int, limit: int, step: int, steps: int) -> int:
    """Return the smallest integer r for which ln(r/exact) / ln(limit/exact) is step/steps or more."""
    edge: float = exact * (limit / exact) ** (step / steps)
    nearest = round(edge)
    if abs(edge - nearest) > 1e-12 * edge:
        return math.ceil(edge)
    # Rounding would decide on which side of an integer the edge lies. Integers know.
    reached: bool = nearest**steps >= limit**step * exact ** (steps - step)
    return nearest if reached else nearest + 1


def _integers(name: str, value: npt.ArrayLike) -> npt.NDArray[np.int64]:
    array = arguments.real_array(name, value)
    if array.dtype.kind == "f":
        raise TypeError(f"{name} must hold integers, not values of dtype {array.dtype}")
    if array.dtype.kind == "u":
        # Unsigned numbers too large for int64 are farther than any edge, and stay so.
        array = np.minimum(array, np.uint64(arguments.LARGEST_POSITION))
    return array.astype(np.int64)


# -- the shapes of Transformer-XL -----------------------------------------------------------------


def _check_relative(q: Array, k: Array, r: Array, u: Array, v: Array) -> None:
    for name, array in (("k", k), ("r", r), ("u", u), ("v", v)):
        if array.ndim == 0 or array.shape[-1] != q.shape[-1]:
            raise ValueError(f"{name} must be as wide as q, {q.shape[-1]}, not of shape {array.shape}")
    queries, keys, rows = q.shape[-2], k.shape[-2], r.shape[-2]
    if keys < queries:
        raise ValueError(f"k must have at least as many rows as q, {queries}, not {keys}")
    both = max(keys + queries - 1, 0)
    if rows not in (both, keys):
        raise ValueError(
            f"r must have {both} rows, for the offsets {keys - 1} to {1 - queries}, "
            f"or {keys}, for {keys - 1} to 0, not {rows}"
        )
    leading = [array.shape[:-2] for array in (q, k, r)] + [array.shape[:-1] for array in (u, v)]
    try:
        np.broadcast_shapes(*leading)
    except ValueError:
        shapes = ", ".join(str(shape) for shape in leading)
        raise ValueError(
            f"the leading axes of q, k, r, u and v must broadcast to one shape, not {shapes}"
        ) from None
