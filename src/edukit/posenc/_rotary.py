"""Rotary position encoding: a query and a key turn by an angle that grows with the position."""

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from edukit.posenc import _angles as angles
from edukit.posenc import _arguments as arguments

Array = npt.NDArray[Any]
Layout = Literal["interleaved", "halves"]

LAYOUTS = ("interleaved", "halves")
# So many pairs are turned at a time: with their table and their result they stay within the cache.
PAIRS_AT_ONCE = 1 << 15
# Where so many rows share a position, its cosines and sines are written out column by column.
MANY = 4
# Of those up to 32 MiB are kept for the next call.
BYTES_OF_A_TABLE = 1 << 23
TABLES_KEPT = 4


@dataclass(frozen=True, slots=True, eq=False)
class RotaryFrequencies:
    """How far each pair of a query or a key turns from one position to the next.

    Made by :func:`rotary_frequencies` or :func:`rotary_frequencies_from_config`; a scheme of your own
    can be written down directly.

    Parameters
    ----------
    inverse : array_like of real numbers, shape (pairs,)
        The angle of each pair in radians. Libraries call it ``inv_freq``.
    attention_factor : float, optional
        By how much the turned columns are multiplied, in queries and in keys; 1 but for YaRN and
        LongRoPE. Scores grow by its square.
    base : float, optional
        The base that `inverse` was made with, after a change by :class:`NTK` or :class:`DynamicNTK`.
        It is kept for the reader: no function computes with it.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If `inverse` is empty, not a row, or not finite, or a factor is not positive.

    References
    ----------
    Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021,
    `arXiv:2104.09864 <https://arxiv.org/abs/2104.09864>`_.

    Examples
    --------
    >>> from edukit.posenc import RotaryFrequencies
    >>> RotaryFrequencies([1.0, 0.1]).attention_factor
    1.0
    """

    inverse: npt.NDArray[np.float64]
    attention_factor: float = 1.0
    base: float = 10000.0

    def __post_init__(self) -> None:
        # A copy: what the caller does with the array later must not reach in here.
        inverse = np.array(arguments.real_array("inverse", self.inverse), dtype=np.float64, order="C")
        if inverse.ndim != 1 or inverse.size == 0:
            raise ValueError(
                f"inverse must have the shape (pairs,), with one pair at least, not {inverse.shape}"
            )
        if not np.isfinite(inverse).all():
            raise ValueError("inverse must be finite, but holds NaN or infinity")
        factor = arguments.finite("attention_factor", self.attention_factor)
        if factor <= 0:
            raise ValueError(f"attention_factor must be above 0, not {factor}")
        object.__setattr__(self, "inverse", inverse)
        object.__setattr__(self, "attention_factor", factor)
        object.__setattr__(self, "base", arguments.finite("base", self.base))


class Scaling:
    """What all scalings have in common; each says what the frequencies become."""

    __slots__ = ()

    def frequencies(self, dim: int, base: float, length: int | None) -> RotaryFrequencies:
        """Return the scaled frequencies; all arguments have been checked."""
        raise NotImplementedError


def rotary_frequencies(
    dim: int, *, base: float = 10000.0, scaling: Scaling | None = None, length: int | None = None
) -> RotaryFrequencies:
    r"""Return the frequencies of rotary position encoding, as they are or scaled for longer texts.

    .. math::

       \omega_i = \mathrm{base}^{-2i/d}, \quad i = 0, \dots, d/2 - 1

    Parameters
    ----------
    dim : int
        Number of columns that turn, :math:`d`: the width of a head, or the part of it that turns.
        Even, at least 2.
    base : float, optional
        Sets how slow the slowest pair is; at least 1.
    scaling : Linear, NTK, DynamicNTK, YaRN, Llama3 or LongRoPE, optional
        How a model that was trained on shorter texts was made to read longer ones.
    length : int, optional
        Number of tokens in the whole text, cached ones included; needed by :class:`DynamicNTK` and
        :class:`LongRoPE` alone.

    Returns
    -------
    frequencies : RotaryFrequencies
        With ``dim / 2`` frequencies, already scaled.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If `dim` is odd, an argument is out of range, or `length` is missing where it is needed.

    Notes
    -----
    Where the frequencies depend on `length`, turn all keys again when it grows: the score of a query and
    a key that were turned by different frequencies does not depend on their offset alone. Caches of keys
    have had this fault. With ``dim=2`` the one frequency is 1, whatever the base.

    References
    ----------
    Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021, section 3.2.2,
    `arXiv:2104.09864 <https://arxiv.org/abs/2104.09864>`_.

    Examples
    --------
    >>> from edukit.posenc import Linear, rotary_frequencies
    >>> rotary_frequencies(8).inverse
    array([1.   , 0.1  , 0.01 , 0.001])
    >>> rotary_frequencies(8, scaling=Linear(4.0)).inverse
    array([0.25   , 0.025  , 0.0025 , 0.00025])
    """
    dim = even("dim", dim)
    base = arguments.finite("base", base)
    # From 1 up no frequency exceeds 1.
    if base < 1:
        raise ValueError(f"base must be at least 1, not {base}")
    if length is not None:
        length = arguments.integer("length", length, at_least=0)
    if scaling is None:
        return RotaryFrequencies(geometric(dim, base), 1.0, base)
    if not isinstance(scaling, Scaling):
        raise TypeError(
            "scaling must be None or one of Linear, NTK, DynamicNTK, YaRN, Llama3, LongRoPE, "
            f"not {scaling!r}"
        )
    return scaling.frequencies(dim, base, length)


def apply_rotary(
    x: npt.ArrayLike,
    positions: npt.ArrayLike,
    frequencies: RotaryFrequencies,
    *,
    layout: Layout,
    rotary_dim: int | None = None,
) -> Array:
    r"""Return queries or keys, turned by their positions.

    A pair of columns :math:`(a, b)` at position :math:`p` is a complex number, and it turns:

    .. math::

       a' + \mathrm i\, b' = (a + \mathrm i\, b)\, e^{\mathrm i\, p\, \omega_i}

    Parameters
    ----------
    x : array_like of real numbers, shape (..., d)
        Queries or keys, one head a row.
    positions : array_like of real numbers
        Positions, broadcast to ``x.shape[:-1]``; negative and fractional ones too, within ±2**53. For
        ``x`` of shape (batch, heads, tokens, d) give (tokens,), or (batch, 1, tokens) where each text
        of a batch counts by itself, as when it is padded on the left.
    frequencies : RotaryFrequencies
        From :func:`rotary_frequencies`; one and the same for the queries and the keys that meet.
    layout : {"interleaved", "halves"}
        Which columns make a pair, without a default because a wrong guess goes unnoticed.
        "interleaved": columns :math:`2i` and :math:`2i+1`, as in the paper, GPT-J and Meta's Llama.
        "halves": columns :math:`i` and :math:`i + d/2`, as in GPT-NeoX and in Llama as Hugging Face
        stores it. :func:`rotary_permutation` leads from one to the other.
    rotary_dim : int, optional
        Turn the first `rotary_dim` columns and leave the rest as they are; twice the number of
        frequencies. All columns when left out.

    Returns
    -------
    turned : ndarray, shape of `x`
        A new array of the float type of `x`; float64 for integers.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If shapes do not fit, or an argument is out of range; the message says which.

    Notes
    -----
    The norm of a row is kept, and the dot product of two turned rows depends on their positions only
    through the offset, as long as both are turned by the same `frequencies` in the same `layout`. The
    attention factor multiplies what turns, not the columns that are left as they are. Angles are
    computed to the last place and float16 is turned in float32; the cast comes last. Where several heads
    share their positions, up to 32 MiB of sines and cosines are kept for the next call.

    References
    ----------
    Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021, section 3.2,
    `arXiv:2104.09864 <https://arxiv.org/abs/2104.09864>`_.

    Examples
    --------
    >>> import numpy as np
    >>> from edukit.posenc import apply_rotary, rotary_frequencies
    >>> frequencies = rotary_frequencies(4)
    >>> q, k = np.array([1.0, 0.0, 1.0, 0.0]), np.array([0.0, 1.0, 0.0, 1.0])
    >>> for p in (0, 1000):
    ...     turned = apply_rotary([q, k], [p, p + 3], frequencies, layout="interleaved")
    ...     print(round(float(turned[0] @ turned[1]), 6))
    -0.171116
    -0.171116
    """
    array, turned = _prepare(x)
    width = _width(array, frequencies, rotary_dim)
    arguments.choice("layout", layout, LAYOUTS)
    places = _broadcast(arguments.position_array("positions", positions), array.shape[:-1])
    turned[..., width:] = array[..., width:]
    _turn(array, turned, places, frequencies, _Columns(layout, width, 0, frequencies.inverse.size))
    return turned


def rotary_2d(
    x: npt.ArrayLike, positions: npt.ArrayLike, frequencies: RotaryFrequencies, *, layout: Layout
) -> Array:
    """Return queries or keys of the patches of a picture, turned by row and by column.

    The first half of the pairs turns by y, the second half by x, both with the same frequencies.

    Parameters
    ----------
    x : array_like of real numbers, shape (..., d)
        Queries or keys; `d` a multiple of 4.
    positions : array_like of real numbers, shape (..., 2)
        y and x of each patch, broadcast to ``x.shape[:-1] + (2,)``.
    frequencies : RotaryFrequencies
        ``d / 4`` of them: ``rotary_frequencies(d // 2)``.
    layout : {"interleaved", "halves"}
        Which columns make a pair, as in :func:`apply_rotary`.

    Returns
    -------
    turned : ndarray, shape of `x`
        As from :func:`apply_rotary`.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If shapes do not fit, or an argument is out of range; the message says which.

    Notes
    -----
    A score depends on the offset in y and the offset in x alone. This is the axial convention of
    Qwen2-VL and DINOv3, whose layout is "halves". Others differ: RoPE-ViT (Heo et al., 2024) turns by x
    before y, with base 100, and Pixtral gives y the even and x the odd frequencies of one row of ``d / 2``.
    DINOv3 scales positions to the range from -1 to 1 first.

    References
    ----------
    Wang et al., "Qwen2-VL: Enhancing Vision-Language Model's Perception of the World at Any Resolution",
    2024, section 2.1, `arXiv:2409.12191 <https://arxiv.org/abs/2409.12191>`_.

    Heo et al., "Rotary Position Embedding for Vision Transformer", 2024,
    `arXiv:2403.13298 <https://arxiv.org/abs/2403.13298>`_.

    Examples
    --------
    >>> import numpy as np
    >>> from edukit.posenc import rotary_2d, rotary_frequencies
    >>> patches = np.ones((2, 3, 8))
    >>> positions = np.stack(np.mgrid[:2, :3], axis=-1)
    >>> rotary_2d(patches, positions, rotary_frequencies(4), layout="halves").shape
    (2, 3, 8)
    """
    array, turned = _prepare(x)
    _check_frequencies(frequencies)
    pairs = frequencies.inverse.size
    if array.shape[-1] != 4 * pairs:
        raise ValueError(
            f"frequencies must be a quarter of the {array.shape[-1]} columns of x, not {pairs}"
        )
    arguments.choice("layout", layout, LAYOUTS)
    places = arguments.position_array("positions", positions)
    if places.ndim == 0 or places.shape[-1] != 2:
        raise ValueError(f"positions must have the shape (..., 2), y and x, not {places.shape}")
    for axis in range(2):
        along = _broadcast(places[..., axis], array.shape[:-1])
        columns = _Columns(layout, array.shape[-1], axis * pairs, pairs)
        _turn(array, turned, along, frequencies, columns)
    return turned


def rotary_permutation(dim: int) -> npt.NDArray[np.int64]:
    r"""Return the order of columns that leads from the interleaved layout to halves.

    With :math:`P` the even columns and then the odd ones,

    .. math::

       \mathrm{halves}(x_P) = \mathrm{interleaved}(x)_P

    to the last bit. To bring a model from the interleaved layout to halves, put the rows of the matrices
    that make each head's queries and keys into this order.

    Parameters
    ----------
    dim : int
        Number of columns that turn; even, at least 2.

    Returns
    -------
    permutation : ndarray of int64, shape (dim,)
        Indices of columns; ``numpy.argsort`` of it leads back.

    Raises
    ------
    TypeError
        If `dim` is not an integer.
    ValueError
        If `dim` is odd or below 2.

    References
    ----------
    Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021, section 3.2.2,
    `arXiv:2104.09864 <https://arxiv.org/abs/2104.09864>`_, writes the interleaved layout; halves came
    with GPT-NeoX (Black et al., 2022, `arXiv:2204.06745 <https://arxiv.org/abs/2204.06745>`_).

    Examples
    --------
    >>> from edukit.posenc import rotary_permutation
    >>> rotary_permutation(6)
    array([0, 2, 4, 1, 3, 5])
    """
    dim = even("dim", dim)
    return np.arange(dim, dtype=np.int64).reshape(-1, 2).T.reshape(-1).copy()


def geometric(dim: int, base: float) -> npt.NDArray[np.float64]:
    """Return ``dim / 2`` frequencies from 1 down, each to the last place of float64."""
    return angles.geometric(base, dim // 2, dim // 2).radians.copy()


def even(name: str, value: object) -> int:
    """Return `value` as an even int, 2 at least: columns that turn come in pairs."""
    number = arguments.integer(name, value, at_least=2)
    if number % 2:
        raise ValueError(f"{name} must be even, because columns turn in pairs, not {number}")
    return number


def _prepare(x: npt.ArrayLike) -> tuple[Array, Array]:
    """Return `x` as a contiguous array of floats, and a new array for the result."""
    array = arguments.real_array("x", x)
    if array.ndim == 0:
        raise ValueError(
            f"x must have the columns of a query or key as its last axis, not be the number {array}"
        )
    dtype = arguments.float_dtype("x", array.dtype if array.dtype.kind == "f" else np.float64)
    array = np.ascontiguousarray(array, dtype=dtype)
    return array, np.empty_like(array)


def _check_frequencies(frequencies: object) -> None:
    if not isinstance(frequencies, RotaryFrequencies):
        raise TypeError(f"frequencies must be RotaryFrequencies, not {frequencies!r}")


def _width(array: Array, frequencies: RotaryFrequencies, rotary_dim: int | None) -> int:
    """Return the number of columns that turn."""
    _check_frequencies(frequencies)
    columns: int = array.shape[-1]
    turning = 2 * frequencies.inverse.size
    if rotary_dim is None:
        if turning != columns:
            raise ValueError(
                f"frequencies must be half of the {columns} columns of x, not {turning // 2}; "
                "give rotary_dim to turn the first columns only"
            )
        return columns
    rotary_dim = even("rotary_dim", rotary_dim)
    if rotary_dim > columns:
        raise ValueError(f"rotary_dim must be at most the {columns} columns of x, not {rotary_dim}")
    if rotary_dim != turning:
        raise ValueError(f"rotary_dim must be twice the number of frequencies, {turning}, not {rotary_dim}")
    return rotary_dim


def _broadcast(positions: npt.NDArray[np.float64], shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Return `positions` with as many axes as `shape`; of length 1 where all positions along are equal."""
    try:
        fits = np.broadcast_shapes(positions.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"positions must broadcast to the rows of x, {shape}, not {positions.shape}")
    positions = positions.reshape((1,) * (len(shape) - positions.ndim) + positions.shape)
    for axis in range(positions.ndim):
        one = positions.take([0], axis) if positions.shape[axis] > 1 else positions
        if (positions == one).all():
            positions = one
    return positions


# -- turning --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns that turn: `pairs` pairs from `first` on, of those that `width` columns make."""

    layout: Layout
    width: int
    first: int
    pairs: int

    def of(self, array: Array) -> Array:
        """Return a view of these columns; the two halves are two rows of it."""
        if self.layout == "interleaved":
            return array[..., 2 * self.first : 2 * (self.first + self.pairs)]
        halves = array[..., : self.width].reshape(*array.shape[:-1], 2, self.width // 2)
        return halves[..., self.first : self.first + self.pairs]


def _turn(
    x: Array,
    out: Array,
    positions: npt.NDArray[np.float64],
    frequencies: RotaryFrequencies,
    columns: _Columns,
) -> None:
    """Write the `columns` of `x`, turned, into `out`; `positions` are as :func:`_broadcast` gives them.

    Rows that share a position share its turns, which are made once: the heads of a layer, most often.
    The way to compute depends on how many share them, never on the layout: both layouts round alike,
    and so agree to the last bit.
    """
    if not x.size:
        return
    axes = _axes(x.shape[:-1], positions.shape)
    lines = positions.reshape([length for length, own in axes if own])
    x, out = (
        columns.of(array.reshape(*(length for length, _ in axes), array.shape[-1])) for array in (x, out)
    )
    apart = [length for length, own in axes[:-3] if not own]
    shared, _, inner = (length for length, _ in axes[-3:])
    pieces, turn = (_tables, _combine) if math.prod(apart) * shared * inner >= MANY else (_turns, _multiply)

    working = np.result_type(out.dtype, np.float32)
    at_once = max(PAIRS_AT_ONCE // (inner * columns.pairs), 1)
    spare = np.empty(2 * columns.pairs * inner * at_once, working)
    for index in np.ndindex(*lines.shape[:-1]):
        numbers = iter(index)
        line = tuple(next(numbers) if own else slice(None) for _, own in axes[:-2])
        source, target = x[line], out[line]
        for begin, factors in pieces(lines[index], frequencies, columns.layout, working):
            for start in range(0, len(factors[0]), at_once):
                some = tuple(factor[start : start + at_once] for factor in factors)
                rows = slice(begin + start, begin + start + len(some[0]))
                several = at_once // len(some[0])
                for outer in np.ndindex(*apart):
                    for first in range(0, shared, several):
                        part = (*outer, slice(first, first + several), rows)
                        _in_working_type(turn, source[part], target[part], some, columns.layout, spare)


def _in_working_type(
    turn: Callable[..., None], x: Array, out: Array, factors: tuple[Array, ...], layout: str, spare: Array
) -> None:
    """Turn float16 in float32."""
    if x.dtype == spare.dtype:
        turn(x, out, factors, layout, spare)
        return
    turned = np.empty(x.shape, spare.dtype)
    turn(x.astype(spare.dtype), turned, factors, layout, spare)
    out[...] = turned


# Each of the two ways: what to multiply by, some rows at a time, and how.


def _turns(
    line: npt.NDArray[np.float64], frequencies: RotaryFrequencies, layout: str, dtype: np.dtype[Any]
) -> Iterator[tuple[int, tuple[Array]]]:
    """Give the first row and the turns that begin there; they are overwritten by those that follow."""
    hands = np.result_type(dtype, np.complex64)
    exact = _exactly(frequencies.inverse.tobytes())
    block = np.empty((angles.BLOCK, exact.radians.size), hands)
    parts: Iterator[tuple[slice, Array]]
    for start, stop, counting in _stretches(line):
        if counting:
            factors = angles.factors_of_range(int(line[start]), stop - start, exact, hands)
            parts = (
                (rows, angles.add(coarse, fine, out=block[: len(fine)])) for rows, coarse, fine in factors
            )
        else:
            parts = angles.turns_by_part(line[start:stop], exact, hands, sine_first=False)
        for rows, turns in parts:
            if frequencies.attention_factor != 1:
                turns *= dtype.type(frequencies.attention_factor)
            yield start + rows.start, (turns[:, np.newaxis],)


def _multiply(x: Array, out: Array, factors: tuple[Array], layout: str, spare: Array) -> None:
    """Turn pairs as complex numbers."""
    (turns,) = factors
    if layout == "interleaved":
        angles.add(x.view(turns.dtype), turns, out=out.view(turns.dtype))
        return
    hands = spare[: x.size].view(turns.dtype).reshape(*x.shape[:-2], x.shape[-1])
    hands.real, hands.imag = x[..., 0, :], x[..., 1, :]
    angles.add(hands, turns, out=hands)
    out[..., 0, :], out[..., 1, :] = hands.real, hands.imag


def _tables(
    line: npt.NDArray[np.float64], frequencies: RotaryFrequencies, layout: str, dtype: np.dtype[Any]
) -> Iterator[tuple[int, tuple[Array, Array]]]:
    """Give the first row and the cosines and sines that begin there, one of each for each column."""
    rows = max(BYTES_OF_A_TABLE // (4 * frequencies.inverse.size * dtype.itemsize), 1)
    for start in range(0, line.size, rows):
        piece = line[start : start + rows].tobytes()
        factor = frequencies.attention_factor
        yield start, _table(piece, frequencies.inverse.tobytes(), factor, layout, dtype)


@functools.lru_cache(maxsize=TABLES_KEPT)
def _table(
    positions: bytes, inverse: bytes, factor: float, layout: str, dtype: np.dtype[Any]
) -> tuple[Array, Array]:
    """Return cosines and sines; in halves the sine has the sign that is due.

    Kept, because a model turns its queries, then its keys, and so in every layer.
    """
    frequencies = RotaryFrequencies(np.frombuffer(inverse), factor)
    line, pairs = np.frombuffer(positions), frequencies.inverse.size
    shape = (2 * pairs,) if layout == "interleaved" else (2, pairs)
    cosines, sines = (np.empty((line.size, 1, *shape), dtype) for _ in range(2))
    for start, (turns,) in _turns(line, frequencies, layout, dtype):
        cosine, sine = (array[start : start + len(turns)] for array in (cosines, sines))
        if layout == "interleaved":
            for half in (slice(0, None, 2), slice(1, None, 2)):
                cosine[..., half], sine[..., half] = turns.real, turns.imag
        else:
            cosine[..., 0, :] = turns.real
            cosine[..., 1, :] = cosine[..., 0, :]
            sine[..., 1, :] = turns.imag
            np.negative(sine[..., 1, :], out=sine[..., 0, :])
    for array in (cosines, sines):
        array.flags.writeable = False  # they are kept for the next caller
    return cosines, sines


def _combine(x: Array, out: Array, factors: tuple[Array, Array], layout: str, spare: Array) -> None:
    """Add the pairs times the cosine and the pairs a quarter turn on times the sine."""
    cosines, sines = factors
    ahead = spare[: x.size].reshape(x.shape)
    if layout == "interleaved":
        hands = np.result_type(x.dtype, np.complex64)
        np.multiply(x.view(hands), hands.type(1j), out=ahead.view(hands))
        ahead *= sines
    else:
        np.multiply(x[..., ::-1, :], sines, out=ahead)
    np.multiply(x, cosines, out=out)
    out += ahead


def _axes(shape: tuple[int, ...], positions: tuple[int, ...]) -> list[tuple[int, bool]]:
    """Return the axes of the rows, neighbours of one kind merged: their length, and if positions differ.

    The last three are always: one that shares its positions, one that does not, one that does.
    """
    axes: list[tuple[int, bool]] = [(1, False)]
    for length, places in zip(shape, positions, strict=True):
        own = places > 1
        if length == 1:
            continue
        if axes[-1][1] == own:
            axes[-1] = (axes[-1][0] * length, own)
        else:
            axes.append((length, own))
    if len(axes) == 1:
        axes.append((1, True))
    if axes[-1][1]:
        axes.append((1, False))
    return axes


def _stretches(line: npt.NDArray[np.float64]) -> Iterator[tuple[int, int, bool]]:
    """Cut positions where they stop counting up by 1; short stretches in a row are left together."""
    edges = np.concatenate(([0], np.flatnonzero(np.diff(line) != 1) + 1, [line.size]))
    done = 0
    for number in np.flatnonzero(np.diff(edges) >= angles.BLOCK):
        start, stop = int(edges[number]), int(edges[number + 1])
        if not line[start].is_integer():
            continue
        if start > done:
            yield done, start, False
        yield start, stop, True
        done = stop
    if line.size > done:
        yield done, line.size, False


@functools.lru_cache(maxsize=32)
def _exactly(inverse: bytes) -> angles.Frequencies:
    return angles.exactly(np.frombuffer(inverse))
