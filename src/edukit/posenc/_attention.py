"""Scaled dot-product attention, with the weights it gave, and what its scores are made of."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from edukit.posenc import _arguments as arguments

Array = npt.NDArray[Any]


def attention(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    mask: npt.ArrayLike | None = None,
    bias: npt.ArrayLike | None = None,
    scale: float | None = None,
) -> tuple[Array, Array]:
    r"""Return scaled dot-product attention and its weights.

    .. math::

       \mathrm{softmax}\left(s\,Q K^\top + B\right) V

    Parameters
    ----------
    q : array_like, shape (..., queries, d)
        What each token looks for.
    k : array_like, shape (..., keys, d)
        What each token can be found by.
    v : array_like, shape (..., keys, e)
        What each token hands over.
    mask : array_like of bool, optional
        True where a query may attend to a key; broadcast to ``(..., queries, keys)``.
    bias : array_like of real numbers, optional
        :math:`B`, added to the scores before the softmax, such as a position bias; broadcast in the
        same way. Minus infinity masks.
    scale : float, optional
        :math:`s`; :math:`1/\sqrt{d}` when left out.

    Returns
    -------
    output, weights : ndarray, shapes (..., queries, e) and (..., queries, keys)
        For each query the weighted mean of the values, and the weights of that mean, which sum to 1.
        A query that may attend to nothing gets zeros in both.

    Raises
    ------
    TypeError
        If an array does not hold real numbers, or `mask` is not of bool.
    ValueError
        If the shapes do not fit, or `bias` holds NaN or plus infinity.

    Notes
    -----
    The result has the common float type of `q`, `k` and `v`; float16 is computed in float32.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1,
    `arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_.

    Examples
    --------
    >>> import numpy as np
    >>> from edukit.posenc import attention
    >>> tokens = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> output, weights = attention(tokens, tokens, tokens, mask=np.tri(2, dtype=bool))
    >>> weights.round(2)
    array([[1.  , 0.  ],
           [0.33, 0.67]])
    """
    q, k, v = (arguments.matrix(name, value) for name, value in (("q", q), ("k", k), ("v", v)))
    _check_fit(q, k, v)
    asked, working = arguments.float_types(q, k, v)
    q, k, v = (array.astype(working, copy=False) for array in (q, k, v))

    factor = 1 / math.sqrt(max(q.shape[-1], 1)) if scale is None else arguments.finite("scale", scale)
    scores = (q * working.type(factor)) @ np.swapaxes(k, -1, -2)
    if bias is not None:
        scores = scores + _bias(bias, scores.shape).astype(working, copy=False)
    if mask is not None:
        scores = np.where(_mask(mask, scores.shape), scores, working.type(-np.inf))

    weights = _softmax(scores)
    return (weights @ v).astype(asked, copy=False), weights.astype(asked, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTerms:
    """The four parts of the scores between tokens that positions were added to.

    Each is an array of shape ``(..., queries, keys)``; their sum is the whole, not yet scaled.

    Parameters
    ----------
    content_content : ndarray
        What the query's token finds in the key's token.
    content_position : ndarray
        What the query's token finds in the key's position.
    position_content : ndarray
        What the query's position finds in the key's token.
    position_position : ndarray
        What the query's position finds in the key's position.

    References
    ----------
    Ke, He and Liu, "Rethinking Positional Encoding in Language Pre-training", 2020, equation 6,
    `arXiv:2006.15595 <https://arxiv.org/abs/2006.15595>`_.
    """

    content_content: Array
    content_position: Array
    position_content: Array
    position_position: Array


def score_terms(
    embedding: npt.ArrayLike, position: npt.ArrayLike, w_query: npt.ArrayLike, w_key: npt.ArrayLike
) -> ScoreTerms:
    r"""Return the four terms of the scores of tokens that positions were added to.

    With the tokens :math:`E`, one a row, and their positions :math:`P`, the scores are

    .. math::

       \begin{aligned}
       & (E + P) W_Q \left((E + P) W_K\right)^\top \\
       &= E W_Q (E W_K)^\top + E W_Q (P W_K)^\top \\
       &+ P W_Q (E W_K)^\top + P W_Q (P W_K)^\top
       \end{aligned}

    Parameters
    ----------
    embedding, position : array_like, shape (..., tokens, d)
        :math:`E` and :math:`P`, of as many tokens and as wide as one another.
    w_query, w_key : array_like, shape (..., d, e)
        :math:`W_Q` and :math:`W_K`, which make the queries and the keys. With an axis of heads in
        front, so have the terms.

    Returns
    -------
    terms : ScoreTerms
        Content and content, content and position, position and content, position and position: the
        query's part is named first. Each has the shape ``(..., tokens, tokens)`` and is not scaled.

    Raises
    ------
    TypeError
        If an array does not hold real numbers.
    ValueError
        If the shapes do not fit.

    Notes
    -----
    The terms have the common float type of the arguments; float16 is computed in float32.

    References
    ----------
    Ke, He and Liu, "Rethinking Positional Encoding in Language Pre-training", 2020, equation 6,
    `arXiv:2006.15595 <https://arxiv.org/abs/2006.15595>`_.

    Examples
    --------
    >>> import numpy as np
    >>> from edukit.posenc import score_terms
    >>> words = np.array([[1.0, 0.0], [2.0, 0.0]])
    >>> places = np.array([[0.0, 1.0], [0.0, 3.0]])
    >>> terms = score_terms(words, places, w_query=np.eye(2), w_key=np.eye(2))
    >>> terms.content_content
    array([[1., 2.],
           [2., 4.]])
    >>> terms.position_position
    array([[1., 3.],
           [3., 9.]])
    """
    given = {"embedding": embedding, "position": position, "w_query": w_query, "w_key": w_key}
    arrays = [arguments.matrix(name, value) for name, value in given.items()]
    _check_terms(*arrays)
    asked, working = arguments.float_types(*arrays)
    content, place, to_query, to_key = (array.astype(working, copy=False) for array in arrays)
    # One position table serves a whole batch, and still each term has the shape of all of them.
    content, place = np.broadcast_arrays(content, place)

    def term(asking: Array, asked_about: Array) -> Array:
        scores: Array = (asking @ to_query) @ np.swapaxes(asked_about @ to_key, -1, -2)
        return scores.astype(asked, copy=False)

    return ScoreTerms(
        content_content=term(content, content),
        content_position=term(content, place),
        position_content=term(place, content),
        position_position=term(place, place),
    )


def _softmax(scores: Array) -> Array:
    highest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    # Where nothing may be attended to, minus infinity less itself would be NaN.
    highest = np.where(np.isneginf(highest), 0, highest)
    parts = np.exp(scores - highest)
    total = parts.sum(axis=-1, keepdims=True)
    weights: Array = parts / np.where(total == 0, 1, total)
    return weights


def _check_fit(q: Array, k: Array, v: Array) -> None:
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"q and k must be equally wide, not {q.shape[-1]} and {k.shape[-1]}")
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(f"k and v must have one row for each token, not {k.shape[-2]} and {v.shape[-2]}")
    try:
        np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    except ValueError:
        raise ValueError(
            "the leading axes of q, k and v must broadcast to one shape, "
            f"not {q.shape[:-2]}, {k.shape[:-2]} and {v.shape[:-2]}"
        ) from None


def _check_terms(embedding: Array, position: Array, w_query: Array, w_key: Array) -> None:
    if embedding.shape[-2:] != position.shape[-2:]:
        raise ValueError(
            "position must have the tokens and the width of embedding, "
            f"{embedding.shape[-2:]}, not {position.shape[-2:]}"
        )
    for name, array in (("w_query", w_query), ("w_key", w_key)):
        if array.shape[-2] != embedding.shape[-1]:
            raise ValueError(
                f"{name} must have a row for each column of embedding, {embedding.shape[-1]}, "
                f"not the shape {array.shape}"
            )
    if w_query.shape[-1] != w_key.shape[-1]:
        raise ValueError(
            f"w_query and w_key must be equally wide, not {w_query.shape[-1]} and {w_key.shape[-1]}"
        )
    leading = [array.shape[:-2] for array in (embedding, position, w_query, w_key)]
    try:
        np.broadcast_shapes(*leading)
    except ValueError:
        raise ValueError(
            "the leading axes of embedding, position, w_query and w_key must broadcast to one shape, "
            f"not {leading[0]}, {leading[1]}, {leading[2]} and {leading[3]}"
        ) from None


def _mask(value: npt.ArrayLike, scores: tuple[int, ...]) -> Array:
    mask = np.asarray(value)
    # A mask of zeros and minus infinities, or of ones for what is hidden, would be read backwards.
    if mask.dtype != np.bool_:
        raise TypeError(
            "mask must be of bool, True where a query may attend to a key, "
            f"not of {mask.dtype}; scores to be added are a bias"
        )
    _check_broadcast("mask", mask, scores)
    return mask


def _bias(value: npt.ArrayLike, scores: tuple[int, ...]) -> Array:
    bias = arguments.real_array("bias", value)
    if np.isnan(bias).any() or np.isposinf(bias).any():
        raise ValueError("bias must hold finite numbers or minus infinity, not NaN or infinity")
    _check_broadcast("bias", bias, scores)
    return bias


def _check_broadcast(name: str, array: Array, scores: tuple[int, ...]) -> None:
    try:
        fits = np.broadcast_shapes(array.shape, scores)[-2:] == scores[-2:]
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"{name} must broadcast to the shape of the scores, {scores}, not {array.shape}")
