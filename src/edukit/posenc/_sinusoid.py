"""Sinusoidal position encoding: each pair of columns is a clock hand with a pace of its own."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from edukit.posenc import _angles as angles
from edukit.posenc import _arguments as arguments

Layout = Literal["interleaved", "halves"]
Spacing = Literal["paper", "tensor2tensor"]
Odd = Literal["truncate", "pad"]


def sinusoidal(
    length: int | None,
    dim: int,
    *,
    positions: npt.ArrayLike | None = None,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    spacing: Spacing = "paper",
    start: int = 0,
    odd: Odd = "truncate",
    dtype: npt.DTypeLike = np.float32,
) -> npt.NDArray[Any]:
    r"""Return the sinusoidal position encoding of Vaswani et al.

    Pair :math:`i` of row :math:`p` holds :math:`\sin(p\,\omega_i)` and :math:`\cos(p\,\omega_i)`.
    The paper spaces the frequencies as :math:`\omega_i = \mathrm{base}^{-2i/d}`.

    Parameters
    ----------
    length : int or None
        Number of rows; None when `positions` are given.
    dim : int
        Number of columns :math:`d`, at least 1.
    positions : array_like of real numbers, optional
        Positions of any shape, in place of `length` and `start`. They may be negative, fractional
        and in any order, within ±2**53.
    base : float, optional
        Sets how slow the slowest pair is; at least 1.
    layout : {"interleaved", "halves"}, optional
        "interleaved": sine and cosine alternate, as in the paper. "halves": all sines, then all
        cosines, as in tensor2tensor, fairseq and Marian.
    spacing : {"paper", "tensor2tensor"}, optional
        "paper": the exponent is :math:`-2i/d`. "tensor2tensor": it is :math:`-i/(d/2-1)`, so that
        the last frequency is exactly 1/base; with one pair the frequency is 1.
    start : int, optional
        Position of the first row. DETR counts from 1, fairseq from its padding index plus 1.
    odd : {"truncate", "pad"}, optional
        What to do when `dim` is odd. "truncate": make a table one wider and drop its last column.
        "pad": make a table one narrower and add a column of zeros.
    dtype : dtype, optional
        float16, float32 or float64. Angles are never rounded to it; the cast comes last.

    Returns
    -------
    table : ndarray
        A new array of shape ``(length, dim)``, or ``positions.shape + (dim,)``.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If an argument is out of range, or both `length` and `positions` are given, or neither.

    Notes
    -----
    A row depends on its position alone: rows of a longer table are bitwise the same.

    The angles of a range of positions are added up: position :math:`64a+b` is turned as far as
    :math:`64a` and then as far as :math:`b`, which takes one multiplication in place of a sine and a
    cosine. Float32 is within 2e-7 of the exact value at every position, and may pass 1 by one unit in
    the last place; float16 is within one unit in the last place; float64 is within 4e-15.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5,
    `arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_.

    Examples
    --------
    >>> from edukit.posenc import sinusoidal
    >>> sinusoidal(3, 4).round(3)
    array([[ 0.   ,  1.   ,  0.   ,  1.   ],
           [ 0.841,  0.54 ,  0.01 ,  1.   ],
           [ 0.909, -0.416,  0.02 ,  1.   ]], dtype=float32)
    >>> sinusoidal(None, 4, positions=[-1, 0.5], layout="halves").shape
    (2, 4)
    """
    dim = arguments.integer("dim", dim, at_least=1)
    arguments.choice("layout", layout, ("interleaved", "halves"))
    wanted = arguments.float_dtype("dtype", dtype)
    frequencies = frequencies_of(dim, base, spacing, odd)
    places = _places(length, positions, start)

    shape = (len(places),) if isinstance(places, range) else places.shape
    table = np.empty((*shape, dim), dtype=wanted)
    fill(table.reshape(-1, dim), places, frequencies, layout)
    return table


def wavelengths(
    dim: int, *, base: float = 10000.0, spacing: Spacing = "paper", odd: Odd = "truncate"
) -> npt.NDArray[np.float64]:
    r"""Return how many positions each pair of :func:`sinusoidal` takes for one full turn.

    The first pair is the fastest: its wavelength is :math:`2\pi`.

    Parameters
    ----------
    dim, base, spacing, odd
        As in :func:`sinusoidal`.

    Returns
    -------
    wavelengths : ndarray of float64
        Shape ``(pairs,)``, in positions; ``pairs`` is half of `dim`, rounded up if an odd `dim` is
        truncated and down if it is padded.

    Raises
    ------
    TypeError, ValueError
        As in :func:`sinusoidal`.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5,
    `arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_.

    Examples
    --------
    >>> from edukit.posenc import wavelengths
    >>> wavelengths(8).astype(int)
    array([   6,   62,  628, 6283])
    """
    dim = arguments.integer("dim", dim, at_least=1)
    return 2 * np.pi / frequencies_of(dim, base, spacing, odd).radians


def rotation_matrix(
    offset: float,
    dim: int,
    *,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    spacing: Spacing = "paper",
    odd: Odd = "truncate",
    dtype: npt.DTypeLike = np.float64,
) -> npt.NDArray[Any]:
    r"""Return the matrix that moves a row of :func:`sinusoidal` by an offset, wherever it stands.

    .. math::

       PE(p + k) = R(k)\, PE(p)

    For the sine and the cosine of pair :math:`i` it is a rotation by the angle :math:`k\,\omega_i`:

    .. math::

       \begin{pmatrix}
          \cos k\,\omega_i & \sin k\,\omega_i \\
          -\sin k\,\omega_i & \cos k\,\omega_i
       \end{pmatrix}

    Parameters
    ----------
    offset : real number
        :math:`k`, in positions; it may be negative or fractional, within ±2**53.
    dim : int
        Number of columns of the table, at least 1. It must be even unless the table is padded: the
        last sine of a truncated table has no cosine to be turned with.
    base, layout, spacing, odd
        As in :func:`sinusoidal`. The column of zeros of a padded table is left as it is.
    dtype : dtype, optional
        float16, float32 or float64.

    Returns
    -------
    matrix : ndarray
        A new array of shape ``(dim, dim)``, orthogonal: its transpose is ``R(-k)``.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If an argument is out of range, or `dim` is odd and `odd` is "truncate".

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5,
    `arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_.

    Examples
    --------
    >>> import numpy as np
    >>> from edukit.posenc import rotation_matrix, sinusoidal
    >>> rotation_matrix(1, 4).round(2)
    array([[ 0.54,  0.84,  0.  ,  0.  ],
           [-0.84,  0.54,  0.  ,  0.  ],
           [ 0.  ,  0.  ,  1.  ,  0.01],
           [ 0.  ,  0.  , -0.01,  1.  ]])
    >>> table = sinusoidal(100, 4)
    >>> np.allclose(table[:-7] @ rotation_matrix(7, 4).T, table[7:], atol=1e-6)
    True
    """
    dim = arguments.integer("dim", dim, at_least=1)
    arguments.choice("layout", layout, ("interleaved", "halves"))
    wanted = arguments.float_dtype("dtype", dtype)
    frequencies = frequencies_of(dim, base, spacing, odd)
    if dim % 2 == 1 and odd == "truncate":
        raise ValueError(f"dim must be even where odd is 'truncate', not {dim}")
    place = arguments.position_array("offset", arguments.finite("offset", offset))
    turn = angles.turns(place, frequencies, np.complex128)

    matrix = np.eye(dim)
    sines, cosines = (np.arange(dim)[columns] for columns in _columns(dim, turn.size, layout))
    matrix[sines, sines] = matrix[cosines, cosines] = turn.real
    matrix[sines, cosines] = turn.imag
    matrix[cosines, sines] = -turn.imag
    return matrix.astype(wanted)


def frequencies_of(dim: int, base: float, spacing: str, odd: str) -> angles.Frequencies:
    """Return the frequency of each pair; the fastest comes first."""
    base = arguments.finite("base", base)
    # From 1 up no frequency exceeds 1: the first pair is the fastest.
    if base < 1:
        raise ValueError(f"base must be at least 1, not {base}")
    arguments.choice("spacing", spacing, ("paper", "tensor2tensor"))
    arguments.choice("odd", odd, ("truncate", "pad"))

    pairs = (dim + 1) // 2 if odd == "truncate" else dim // 2
    # A single pair has no second one to be spaced from: its frequency is 1, not base to the 0/0.
    steps = pairs if spacing == "paper" else pairs - 1
    return angles.geometric(base, max(steps, 1), pairs)


def fill(
    table: npt.NDArray[Any],
    places: range | npt.NDArray[np.float64],
    frequencies: angles.Frequencies,
    layout: str,
) -> None:
    """Write the rows of `places` into `table`, of shape (rows, dim)."""
    dim, pairs = table.shape[1], frequencies.radians.size
    table[:, 2 * pairs :] = 0
    sines, cosines = _columns(dim, pairs, layout)
    # Float16 values near 0 are spaced more closely than complex64 is exact.
    working = np.dtype(np.complex64 if table.dtype.itemsize == 4 else np.complex128)

    def write(rows: slice, hands: angles.Complex) -> None:
        table[rows, sines] = hands.real
        # A table cut to an odd width has lost its last cosine.
        table[rows, cosines] = hands.imag[:, : dim - pairs]

    # A few rows do not repay the fine table of a range.
    if isinstance(places, range) and len(places) < angles.BLOCK:
        places = np.arange(places.start, places.stop, dtype=np.float64)
    if not isinstance(places, range):
        for rows, hands in angles.turns_by_part(places, frequencies, working, sine_first=True):
            write(rows, hands)
        return
    factors = angles.factors_of_range(places.start, len(places), frequencies, working, sine_first=True)
    # Sines and cosines in turn are complex numbers, and need not be written twice.
    if layout == "interleaved" and dim == 2 * pairs and table.dtype == f"f{working.itemsize // 2}":
        hands = table.view(working)
        for rows, coarse, fine in factors:
            angles.add(coarse, fine, out=hands[rows])
        return
    block = np.empty((angles.BLOCK, pairs), dtype=working)
    for rows, coarse, fine in factors:
        write(rows, angles.add(coarse, fine, out=block[: len(fine)]))


def _columns(dim: int, pairs: int, layout: str) -> tuple[slice, slice]:
    """Return where the sines stand and where the cosines."""
    if layout == "interleaved":
        return slice(0, 2 * pairs, 2), slice(1, dim, 2)
    return slice(0, pairs), slice(pairs, min(2 * pairs, dim))


def _places(
    length: int | None, positions: npt.ArrayLike | None, start: int
) -> range | npt.NDArray[np.float64]:
    """Return the positions of the rows, from one of the two ways to ask for them."""
    start = arguments.integer("start", start)
    if positions is not None:
        if length is not None:
            raise ValueError(f"length must be None when positions are given, not {length!r}")
        if start != 0:
            raise ValueError(f"start must be left out when positions are given, not {start}")
        return arguments.position_array("positions", positions)
    if length is None:
        raise ValueError("length must be an integer, or positions must be given; both are None")
    length = arguments.integer("length", length, at_least=0)
    if max(abs(start), abs(start + length)) > arguments.LARGEST_POSITION:
        raise ValueError(f"start must keep every position within 2**53, not {start}")
    return range(start, start + length)
