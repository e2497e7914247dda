"""Scaled dot-product attention, with the weights it gave."""

import math
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
    q, k, v = (_matrix(name, value) for name, value in (("q", q), ("k", k), ("v", v)))
    _check_fit(q, k, v)
    given = np.result_type(q, k, v)
    asked = given if given.kind == "f" else np.dtype(np.float64)
    # The scores of float16 vectors overflow long before the vectors do.
    working = np.result_type(asked, np.float32)
    q, k, v = (array.astype(working, copy=False) for array in (q, k, v))

    factor = 1 / math.sqrt(max(q.shape[-1], 1)) if scale is None else arguments.finite("scale", scale)
    scores = (q * working.type(factor)) @ np.swapaxes(k, -1, -2)
    if bias is not None:
        scores = scores + _bias(bias, scores.shape).astype(working, copy=False)
    if mask is not None:
        scores = np.where(_mask(mask, scores.shape), scores, working.type(-np.inf))

    weights = _softmax(scores)
    return (weights @ v).astype(asked, copy=False), weights.astype(asked, copy=False)


def _softmax(scores: Array) -> Array:
    highest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    # Where nothing may be attended to, minus infinity less itself would be NaN.
    highest = np.where(np.isneginf(highest), 0, highest)
    parts = np.exp(scores - highest)
    total = parts.sum(axis=-1, keepdims=True)
    weights: Array = parts / np.where(total == 0, 1, total)
    return weights


def _matrix(name: str, value: npt.ArrayLike) -> Array:
    array = arguments.real_array(name, value)
    if array.ndim < 2:
        raise ValueError(
            f"{name} must have at least two axes, tokens and width, not the shape {array.shape}"
        )
    return array


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
