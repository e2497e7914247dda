r"""Sines and cosines of position times frequency, by the addition of angles.

A sine costs some ten times as much as a multiplication, and a table needs one for each position and
frequency. But the turn of position :math:`64a + b` is the turn of :math:`64a`, then that of :math:`b`:

.. math::

   e^{\mathrm i (64 a + b) \omega} = e^{\mathrm i\, 64 a \omega} \; e^{\mathrm i\, b \omega}

So a coarse table for the multiples of 64 and a fine one for 0 to 63 are enough; the rest is a complex
multiplication. Blocks are counted from position 0 and not from the first row of a table: a row
depends on its position alone, to the last bit.

A product of two float64 numbers is off by 2e-7 of a radian at position 2**31. Angles are counted here
as a milometer counts miles: in fixed point and modulo one full turn, where the overflow of integers is
no mistake but the wheel coming round.
"""

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Complex = npt.NDArray[np.complexfloating[Any, Any]]
Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

BLOCK = 64
# Coarse and fine table are products too: of the turns of every eighth row and of 0 to 7 rows.
DIGITS = 8

# 1 / (2 pi), to 256 binary places.
TURNS_PER_RADIAN = 0x28BE60DB9391054A7F09D5F47D4D377036D8A5664F10E4107F9458EAF7AEF158
RADIANS_PER_LAST_PLACE = 2 * math.pi / 2**64
# Intermediate tables of so many numbers stay within the cache.
AT_ONCE = 1 << 15


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How far each pair of columns turns from one position to the next.

    Attributes
    ----------
    radians : ndarray of float64, shape (pairs,)
        The angle.
    turns : ndarray of uint64, shape (pairs,)
        The same in full turns, modulo one turn: its first 64 binary places.
    rest : ndarray of float64, shape (pairs,)
        The places that follow, as a fraction of the last of those.
    """

    radians: Floats
    turns: npt.NDArray[np.uint64]
    rest: Floats


@functools.lru_cache(maxsize=32)
def geometric(base: float, steps: int, pairs: int) -> Frequencies:
    """Return the frequencies ``base ** -(i / steps)`` for i in ``range(pairs)``; `base` is at least 1."""
    # Half of the time that importing this package takes would go into this import.
    from decimal import Decimal, localcontext

    # So many that 192 of them are left to the smallest frequency.
    places = 192 + math.ceil(math.log2(base) * max(pairs - 1, 0) / steps)
    with localcontext() as context:
        context.prec = places // 3 + 10
        ratio = int((Decimal(base).ln() / -steps).exp() * 2**places)
    radians = []
    radian = 2**places
    for _ in range(pairs):
        radians.append(radian)
        radian = radian * ratio >> places
    return _frequencies(radians, 2**places)


def exactly(radians: npt.ArrayLike) -> Frequencies:
    """Return frequencies that are exactly these finite numbers, of shape (pairs,), in radians."""
    ratios = [number.as_integer_ratio() for number in np.asarray(radians, dtype=np.float64).tolist()]
    # Each denominator is a power of two, so that the largest is a multiple of all.
    common = max((bottom for _, bottom in ratios), default=1)
    return _frequencies([top * (common // bottom) for top, bottom in ratios], common)


def turns(
    positions: npt.NDArray[Any],
    frequencies: Frequencies,
    dtype: npt.DTypeLike = np.complex64,
    *,
    sine_first: bool = False,
) -> Complex:
    r"""Return :math:`e^{\mathrm i p \omega}` for positions in any order.

    Parameters
    ----------
    positions : ndarray of integers or floats, any shape
        Finite, within ±2**53.
    frequencies : Frequencies
        How far each pair turns from one position to the next.
    dtype : {complex64, complex128}, optional
        Of the result.
    sine_first : bool, optional
        Return sine + i cosine in place of cosine + i sine.

    Returns
    -------
    hands : ndarray, shape ``positions.shape + (pairs,)``
        Within 2e-7 of the truth in complex64. At integers bitwise what :func:`turns_of_range` gives;
        elsewhere the sine and the cosine that numpy computes, cast.
    """
    hands = np.empty((positions.size, frequencies.radians.size), dtype=dtype)
    for rows, part in turns_by_part(positions, frequencies, dtype, sine_first=sine_first):
        hands[rows] = part
    return hands.reshape(*positions.shape, frequencies.radians.size)


def turns_of_range(
    first: int,
    count: int,
    frequencies: Frequencies,
    dtype: npt.DTypeLike = np.complex64,
    *,
    sine_first: bool = False,
) -> Complex:
    """Return what :func:`turns` gives for the `count` integers from `first` on, much faster."""
    hands = np.empty((count, frequencies.radians.size), dtype=dtype)
    for rows, coarse, fine in factors_of_range(first, count, frequencies, dtype, sine_first=sine_first):
        add(coarse, fine, out=hands[rows])
    return hands


def turns_by_part(
    positions: npt.NDArray[Any], frequencies: Frequencies, dtype: npt.DTypeLike, *, sine_first: bool = False
) -> Iterator[tuple[slice, Complex]]:
    """Give :func:`turns` of the flattened positions in parts that need little memory."""
    places = positions.reshape(-1).astype(np.float64)
    integer = np.floor(places) == places
    fine_numbers = np.unique(places[integer].astype(np.int64) % BLOCK)
    fine = _rows_in_use(fine_numbers, 1, frequencies, dtype, sine_first, leading=False)
    several = max(AT_ONCE // max(frequencies.radians.size, 1), 1)
    for first in range(0, places.size, several):
        rows = slice(first, first + several)
        which = integer[rows]
        part = np.empty((which.size, frequencies.radians.size), dtype=dtype)
        if which.any():
            numbers = places[rows][which].astype(np.int64)
            coarse_numbers, coarse_row = np.unique(numbers // BLOCK, return_inverse=True)
            coarse = _rows_in_use(coarse_numbers, BLOCK, frequencies, dtype, sine_first, leading=True)
            part[which] = add(coarse[coarse_row], fine[np.searchsorted(fine_numbers, numbers % BLOCK)])
        if not which.all():
            part[~which] = _leading(_turns_directly(places[rows][~which], frequencies), sine_first)
        yield rows, part


def factors_of_range(
    first: int, count: int, frequencies: Frequencies, dtype: npt.DTypeLike, *, sine_first: bool = False
) -> Iterator[tuple[slice, Complex, Complex]]:
    """Give what :func:`turns_of_range` multiplies, one block after another.

    Yields
    ------
    rows : slice
        The rows of the table, at most 64.
    coarse, fine : ndarray, shapes (pairs,) and (rows, pairs)
        What :func:`add` makes those rows of.
    """
    stop = first + count
    low = _turns_directly(np.arange(DIGITS), frequencies)
    high = _turns_directly(np.arange(DIGITS) * DIGITS, frequencies)
    fine = _all_sums(_following(high, sine_first), _following(low, sine_first), dtype)

    low = _following(_turns_directly(np.arange(DIGITS) * BLOCK, frequencies), sine_first)
    wide = DIGITS * BLOCK
    end = -(-stop // wide)
    several = max(AT_ONCE // max(DIGITS * frequencies.radians.size, 1), 1)
    for ahead in range(first // wide, end, several):
        high = _turns_directly(np.arange(ahead, min(ahead + several, end)) * wide, frequencies)
        for row, coarse in enumerate(_all_sums(_leading(high, sine_first), low, dtype)):
            begin = ahead * wide + row * BLOCK
            used = slice(max(first - begin, 0), min(stop - begin, BLOCK))
            if used.start < used.stop:
                yield slice(begin + used.start - first, begin + used.stop - first), coarse, fine[used]


def add(turn: Complex, further: Complex, *, out: Complex | None = None) -> Complex:
    """Add the angles of turns, of shape (..., pairs), by multiplying them.

    Numpy rounds the product of one complex number alone in another way than that of many, which would
    let a value depend on how many rows were asked for. So there are always two or more.
    """
    if turn.shape[-1] != 1:
        product: Complex = np.multiply(turn, further, out=out)
        return product
    twice = np.multiply(np.repeat(turn, 2, axis=-1), np.repeat(further, 2, axis=-1))
    if out is None:
        return np.ascontiguousarray(twice[..., :1])
    out[...] = twice[..., :1]
    return out


def _rows_in_use(
    numbers: Integers,
    unit: int,
    frequencies: Frequencies,
    dtype: npt.DTypeLike,
    sine_first: bool,
    *,
    leading: bool,
) -> Complex:
    """Return those rows of the coarse (unit 64) or the fine (unit 1) table that the numbers name."""
    high, high_row = np.unique(numbers // DIGITS, return_inverse=True)
    low, low_row = np.unique(numbers % DIGITS, return_inverse=True)
    turn = _turns_directly(high * (DIGITS * unit), frequencies)
    turn = _leading(turn, sine_first) if leading else _following(turn, sine_first)
    further = _following(_turns_directly(low * unit, frequencies), sine_first)
    return add(turn[high_row], further[low_row]).astype(dtype)


def _turns_directly(positions: npt.NDArray[Any], frequencies: Frequencies) -> Complex:
    """Return the turns in complex128, with a sine and a cosine for each."""
    places = positions[:, np.newaxis]
    whole = np.floor(places)
    # Overflow takes off full turns. In two's complement this is right for negative positions too.
    turned = whole.astype(np.int64).view(np.uint64) * frequencies.turns
    turned += np.rint(whole * frequencies.rest).astype(np.int64).view(np.uint64)
    angles = turned.view(np.int64) * RADIANS_PER_LAST_PLACE + (places - whole) * frequencies.radians
    # In fixed point the relative error of a small angle would be large.
    plain = places * frequencies.radians
    np.copyto(angles, plain, where=np.abs(plain) < 1)

    hands = np.empty(angles.shape, dtype=np.complex128)
    np.cos(angles, out=hands.real)
    np.sin(angles, out=hands.imag)
    return hands


def _all_sums(high: Complex, low: Complex, dtype: npt.DTypeLike) -> Complex:
    """Return each row of `high` with each row of `low` added, in the order of counting."""
    sums = add(high[:, np.newaxis], low).astype(dtype)
    return sums.reshape(len(high) * len(low), high.shape[-1])


# With s for a sine and c for a cosine, (s + ic)(c' - is') = (sc' + cs') + i(cc' - ss'): where the sine
# is to come first, the leading factor has both swapped, and all that follow are conjugates.


def _leading(hands: Complex, sine_first: bool) -> Complex:
    if not sine_first:
        return hands
    swapped = np.empty_like(hands)
    swapped.real, swapped.imag = hands.imag, hands.real
    return swapped


def _following(hands: Complex, sine_first: bool) -> Complex:
    return hands.conj() if sine_first else hands


def _frequencies(numerators: list[int], denominator: int) -> Frequencies:
    """Return the frequencies that these fractions of a radian are."""
    # 128 binary places of the turns. A negative number needs no care: // and >> round down.
    turned = [(number * TURNS_PER_RADIAN // denominator >> 128) % 2**128 for number in numerators]
    arrays = Frequencies(
        np.array([number / denominator for number in numerators], dtype=np.float64),
        np.array([places >> 64 for places in turned], dtype=np.uint64),
        np.array([places % 2**64 / 2**64 for places in turned], dtype=np.float64),
    )
    for array in (arrays.radians, arrays.turns, arrays.rest):
        array.flags.writeable = False  # they are kept for the next caller
    return arrays
