"""How :func:`edukit.posenc.identify` finds out what a table is.

The frequencies are measured, not guessed: in the right pairing two columns are the hands of a clock,
and how far the clock turns from row to row is its frequency. Whatever is then read off (a round base,
a first position) is kept only if the table made from it is the table that was given.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from edukit.posenc._identify import Kind, Layout, TableIdentity

Floats = npt.NDArray[np.float64]
Hands = npt.NDArray[np.complex128]
LAYOUTS: tuple[Layout, ...] = ("interleaved", "halves")

# Significant bits of each format, and the absolute step below which it cannot tell numbers apart.
FORMATS = {
    "float16": (11, 2.0**-24),
    "bfloat16": (8, 2.0**-133),
    "float32": (24, 2.0**-149),
    "float64": (53, 0.0),
}
# Values of float64 are often printed with ten digits on their way: that is no damage.
PRINTED = 5e-11
# Rows and columns that are measured; more would add digits that nothing needs.
MEASURED_ROWS = (128, 16)
CHECKED_VALUES = 2**16
# A table is explained by a fit whose residual is at most so many roundings.
EXPLAINED = 8.0
# Logarithms of the ratio of frequencies that `-log(base) / d//2` leads to.
FLOORED = (-1.0, -2.0)
# Libraries that compute a base's frequencies in single precision miss them by up to this much.
SAME_BASE = 3e-6
# Where even the slowest pair has come round before the first row, so far the first row is looked for.
FARTHEST_START = 2**31
MOST_ROUNDS = 20_000


def recognised(values: npt.NDArray[Any]) -> TableIdentity:
    """Return what the table of these values is; it has two axes, and two rows at least."""
    given = _Table.of(values)
    plain = _without_sines(given)
    if plain is not None:
        return plain
    found = _as_sinusoid(given)
    if given.dtype == "float64" and found is not None and 1e-9 < found.error < 1e-5 * (found.scale or 1):
        single = _as_sinusoid(replace(given, precision="float32"))
        if single is not None and single.error < 1e-6 * (single.scale or 1):
            found = replace(single, evidence=(*single.evidence, "the values have the precision of float32"))
    if found is None or (found.correlation < 0.99 and not found.damage):
        # The other way round, NaN would be in every row.
        whole = given.x.shape[1] >= 2 and bool(given.present.all())
        turned = _as_sinusoid(_Table.of(np.ascontiguousarray(values.T))) if whole else None
        if turned is not None and (found is None or turned.correlation > found.correlation + 0.1):
            found = replace(
                turned,
                shape=given.x.shape,
                faults=("transposed", *turned.faults),
                evidence=("positions lie along the second axis", *turned.evidence),
            )
    return _random(given) if found is None else found


def made_again(identity: TableIdentity) -> Floats:
    """Return the table that a sinusoidal identity describes, without damage and noise."""
    assert identity.layout is not None
    assert identity.start is not None
    assert identity.step is not None
    assert identity.scale is not None
    transposed = "transposed" in identity.faults
    rows, dim = identity.shape[::-1] if transposed else identity.shape
    columns = _columns(dim, identity.layout, identity.cosine_first, identity.odd == "pad")
    log_base = 0.0 if identity.base is None else math.log(identity.base)
    if math.isinf(log_base):
        # The only ratio that is steep enough to carry the base past all floats.
        log_ratio = min(FLOORED)
    elif "own frequencies" in identity.faults:
        columns, log_ratio = _own(dim), -2 * log_base / dim
    else:
        log_ratio = -log_base / _steps(columns, identity.spacing, identity.odd)
    if "reversed frequencies" in identity.faults:
        columns = replace(columns, exponents=columns.exponents.max() - columns.exponents)
    fit = _Fit(columns, log_ratio, identity.start, identity.step, identity.scale)
    made = fit.values(np.arange(rows, dtype=np.float64))
    if identity.padding is not None:
        made[identity.padding] = 0
    return np.ascontiguousarray(made.T) if transposed else made


# -- what is given --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Table:
    """A table in float64, the format that its values were stored in, and which rows can be used."""

    x: Floats
    dtype: str
    # That of the values; a table made in single precision and rescaled in double has less than it holds.
    precision: str
    present: npt.NDArray[np.bool_]
    zero_rows: tuple[int, ...] = ()

    @classmethod
    def of(cls, values: npt.NDArray[Any]) -> "_Table":
        x = values.astype(np.float64)
        finite = np.isfinite(x).all(axis=1)
        dtype = _stored_in(values, x[finite])
        zero: npt.NDArray[np.bool_] = np.asarray(~x.any(axis=1))
        # A single sine is zero at position 0; a sine and a cosine are never zero together.
        if x.shape[1] < 2 or zero.all():
            zero[:] = False
        # Printed with ten digits, single precision is no longer exactly that.
        single = _rounded(x[finite], "float32")
        printed = dtype == "float64" and (np.abs(x[finite] - single) <= 1e-9 * np.abs(single)).all()
        return cls(
            x, dtype, "float32" if printed else dtype, finite & ~zero, tuple(map(int, np.flatnonzero(zero)))
        )

    def rounding(self, x: Floats, angles: Floats, scale: float) -> Floats:
        """Return by how much storing may have moved each value, and computing it properly."""
        bits, step = FORMATS[self.precision]
        stored = max(2.0**-bits, PRINTED)
        # Libraries work in single precision, whatever they store; a few roundings make the frequency.
        worked = PRINTED if self.precision == "float64" else 4 * 2.0**-24
        far = np.abs(angles)
        sure = stored * np.abs(x) + scale * (worked * np.minimum(far, 4) + 2.0**-50 * far)
        # Not even an exact zero is worth more than everything else.
        floored: Floats = sure + max(step, 1e-6 * stored * scale)
        return floored


def _stored_in(values: npt.NDArray[Any], x: Floats) -> str:
    if values.dtype == np.float16:
        return "float16"
    if np.isin(x, (-1, 0, 1)).all():
        return "float32" if values.dtype == np.float32 else "float64"
    # bfloat16 has the fewest digits: its values are float16's too, unless they are tiny.
    for name in ("bfloat16", "float16", "float32"):
        if np.array_equal(_rounded(x, name), x):
            return name
    return "float64"


def _rounded(x: Floats, name: str) -> Floats:
    """Return `x` rounded to a format, in float64."""
    with np.errstate(over="ignore"):
        if name == "float16":
            return x.astype(np.float16).astype(np.float64)
        single = x.astype(np.float32)
    if name == "float32":
        return single.astype(np.float64)
    # bfloat16 is the upper half of a float32; adding just under half a step rounds ties to even.
    bits = single.view(np.uint32).astype(np.int64)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return bits.astype(np.uint32).view(np.float32).astype(np.float64)


def _statistics(given: _Table) -> dict[str, Any]:
    finite = given.x[np.isfinite(given.x)]
    mean, std = (float(finite.mean()), float(finite.std())) if finite.size else (math.nan, math.nan)
    return {"shape": given.x.shape, "dtype": given.dtype, "mean": mean, "std": std}


def _without_sines(given: _Table) -> TableIdentity | None:
    """Return what a table is that needs no fit: nothing, the same throughout, one-hot."""
    x, about = given.x, _statistics(given)
    finite = np.isfinite(x).all(axis=1)
    kind: Kind
    if finite.sum() < 2:
        kind, said = "not finite", f"{len(x) - finite.sum()} of {len(x)} rows hold NaN or infinity"
        return TableIdentity(kind, **about, faults=("overflow",), evidence=(said,))
    if not finite.all():
        return None
    if not x.any():
        kind, said = "zeros", "every value is 0"
    elif (x == x[0]).all():
        kind = "constant"
        said = f"all rows are equal: nothing in them tells positions apart (mean {about['mean']:.4g})"
    elif x.shape[1] > 1 and ((x == 0) | (x == 1)).all() and (x.sum(axis=1) == 1).all():
        kind, said = "one-hot", "each row holds a single 1"
    else:
        return None
    return TableIdentity(kind, **about, evidence=(said,))


def _random(given: _Table) -> TableIdentity:
    about = _statistics(given)
    values = given.x[np.isfinite(given.x)]
    outside = float((np.abs(values - about["mean"]) > 2 * about["std"]).mean())
    said = [
        f"no sinusoid correlates with it; mean {about['mean']:.4g}, standard deviation {about['std']:.4g}",
        f"{outside:.1%} of the values lie beyond two standard deviations (4.6% in a normal distribution)",
    ]
    said += [f"row {row} is zero" for row in given.zero_rows]
    faults, more = _faults_of_rows(given, 0.0, 1.0)
    padding = given.zero_rows[0] if given.zero_rows else None
    return TableIdentity("random", **about, padding=padding, faults=faults, evidence=(*said, *more))


# -- a table of sines and cosines -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Columns:
    """What each column holds: a sine or a cosine (or zeros), and the exponent of its frequency."""

    layout: Layout
    cosine_first: bool
    padded: bool
    exponents: Floats
    cosine: npt.NDArray[np.bool_]
    # Columns of the sines and of the cosines of those pairs that are whole.
    sines: npt.NDArray[np.intp]
    cosines: npt.NDArray[np.intp]
    own: bool = False

    @property
    def dim(self) -> int:
        return self.exponents.size + self.padded

    @property
    def pairs(self) -> int:
        return (self.exponents.size + 1) // 2


@dataclass(frozen=True, slots=True)
class _Fit:
    """Columns with numbers to them; `log_ratio` is the logarithm of the ratio of two frequencies."""

    columns: _Columns
    log_ratio: float
    start: float
    step: float
    scale: float
    noise: float = 0.0

    def angles(self, rows: Floats) -> Floats:
        frequencies = np.exp(self.log_ratio * self.columns.exponents)
        return (self.start + self.step * rows)[:, np.newaxis] * frequencies

    def values(self, rows: Floats) -> Floats:
        return self.of_angles(self.angles(rows))

    def of_angles(self, angles: Floats) -> Floats:
        made = np.zeros((len(angles), self.columns.dim))
        live = made[:, : angles.shape[1]]
        cosine = self.columns.cosine
        live[:, ~cosine] = self.scale * np.sin(angles[:, ~cosine])
        live[:, cosine] = self.scale * np.cos(angles[:, cosine])
        return made


def _columns(dim: int, layout: Layout, cosine_first: bool, padded: bool) -> _Columns:
    width = dim - padded
    pairs = (width + 1) // 2
    order = np.arange(width)
    if layout == "interleaved":
        first, second = order[0::2], order[1::2]
    else:
        first, second = order[:pairs], order[pairs:]
    exponents = np.zeros(width)
    exponents[first], exponents[second] = np.arange(first.size), np.arange(second.size)
    cosine = np.zeros(width, dtype=bool)
    cosine[first if cosine_first else second] = True
    whole = first[: second.size]
    sines, cosines = (second, whole) if cosine_first else (whole, second)
    return _Columns(layout, cosine_first, padded, exponents, cosine, sines, cosines)


def _own(dim: int) -> _Columns:
    """Return the columns of the tutorial mistake in which each column has a frequency of its own."""
    columns = _columns(dim, "interleaved", False, False)
    return replace(columns, exponents=np.arange(dim, dtype=np.float64), own=True)


def _steps(columns: _Columns, spacing: str | None, odd: str | None) -> float:
    """Return into how many steps a spacing divides the way from 1 to 1/base."""
    if spacing == "tensor2tensor":
        return max(columns.pairs - 1, 1)
    return columns.dim / 2 if odd == "real" else columns.pairs


@dataclass(frozen=True, slots=True)
class _Window:
    """The rows that are measured: the first ones that can be used, and the gaps between them."""

    given: _Table
    x: Floats
    rows: Floats
    present: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, given: _Table, count: int) -> "_Window":
        first = int(np.argmax(given.present))
        block = slice(first, first + count)
        present = given.present[block]
        rows = np.arange(first, first + present.size, dtype=np.float64)
        return cls(given, np.where(present[:, np.newaxis], given.x[block], 0), rows, present)

    def hands(self, columns: _Columns) -> Hands:
        """Return the clock hand of each whole pair; zero in the gaps."""
        hands: Hands = self.x[:, columns.cosines] + 1j * self.x[:, columns.sines]
        return hands

    def unevenness(self, columns: _Columns) -> float:
        """Return by how much the hands differ in length, relative to their length."""
        lengths = np.abs(self.hands(columns)[self.present])
        return float(lengths.std() / (lengths.mean() + 1e-300))

    def difference(self, fit: _Fit) -> Floats:
        return (self.x - fit.values(self.rows))[self.present]

    def residual(self, fit: _Fit) -> float:
        return float(np.sqrt(np.mean(self.difference(fit) ** 2)))

    def correlation(self, fit: _Fit) -> float:
        x, made = self.x[self.present], fit.values(self.rows[self.present])
        constant = x.std() == 0 or made.std() == 0
        return 0.0 if constant else float(np.corrcoef(x.ravel(), made.ravel())[0, 1])

    def weights(self, fit: _Fit) -> Floats:
        angles = fit.angles(self.rows[self.present])
        rounding = self.given.rounding(self.x[self.present, : angles.shape[1]], angles, fit.scale)
        return 1 / np.hypot(rounding, fit.noise)

    def misfit(self, fit: _Fit, noise: float = 0.0) -> float:
        """Return the residual in units of what rounding, and noise, may do."""
        weights = self.weights(replace(fit, noise=noise))
        return float(np.sqrt(np.mean((self.difference(fit)[:, : weights.shape[1]] * weights) ** 2)))


def _as_sinusoid(given: _Table) -> TableIdentity | None:
    """Return the identity of a table of sines and cosines; None if it is none."""
    dim = given.x.shape[1]
    padded = dim % 2 == 1 and not given.x[given.present, -1].any()
    if given.present.sum() < 2 or dim == padded:
        return None
    noisy: list[tuple[_Window, _Fit]] = []
    for rows in MEASURED_ROWS:
        window = _Window.of(given, rows)
        guesses = _guesses(window, dim, padded)
        rounded = _explained_when_rounded(window, guesses[:6])
        if not rounded:
            far = _far_starts(window, guesses)
            guesses = _by_residual(window, far + guesses)
            rounded = _explained_when_rounded(window, far)
        if rounded:
            # Several may describe one table, such as a sine that runs backwards: the plainest is meant.
            fit = _with_base_as_measured(window, min(rounded, key=_oddities))
            return _report(given, window, fit, _damage(given, fit))
        measured = _with_measured_base(
            window, [guess for guess in guesses[:2] if window.correlation(guess) > 0.2]
        )
        if measured:
            fit = min(measured, key=_oddities)
            return _report(given, window, fit, _damage(given, fit))
        # Positions that were rounded spoil the later rows: what a formula would have made of them
        # is compared with the whole table.
        for guess in guesses[:2]:
            damaged = _damaged(given, guess, _textbook_ratios(guess.columns, guess.log_ratio))
            if damaged is not None:
                return _report(given, window, *damaged)
        # What does not resemble the table at all is not refined: a learned table is soon told.
        refined = [_simplest(window, guess) for guess in guesses[:2] if window.correlation(guess) > 0.2]
        refined = [fit for fit in refined if _is_credible(window, fit)]
        explained = [fit for fit in refined if window.misfit(fit) <= EXPLAINED]
        if explained:
            fit = min(explained, key=_oddities)
            return _report(given, window, fit, _damage(given, fit))
        for fit in refined:
            damaged = _damaged(given, fit, [fit.log_ratio])
            if damaged is not None:
                return _report(given, window, *damaged)
        noisy += [(window, fit) for fit in refined]
    if not noisy:
        return None
    window, fit = noisy[0]
    return _report(given, window, fit, "")


def _explained_when_rounded(window: _Window, guesses: list[_Fit]) -> list[_Fit]:
    fits = [fit for guess in guesses for fit in _rounded_fits(guess)]
    return [fit for fit in fits if window.misfit(fit) <= EXPLAINED / 2]


def _with_base_as_measured(window: _Window, fit: _Fit) -> _Fit:
    """Return a rounded fit, or with the measured base if that fits clearly better: 9999.99 is not 10000."""
    if fit.columns.pairs == 1:
        return fit
    measured = _refined(window, fit, ("log_ratio",))
    # Single precision moves the frequencies of libraries by so much, all in the same direction.
    steps, _, rank = min(
        (one[2:] for one in _named_bases(fit)), key=lambda one: one[2], default=(1.0, 1.0, 9)
    )
    if rank <= 1 and window.given.precision != "float64":
        near = abs(measured.log_ratio - fit.log_ratio) * steps < SAME_BASE
    else:
        near = False
    better = window.misfit(fit) > max(1.0, 1.2 * window.misfit(measured))
    return measured if better and not near else fit


def _with_measured_base(window: _Window, guesses: list[_Fit]) -> list[_Fit]:
    """Return the guesses that are explained by round numbers and a base that is not round."""
    found = []
    for guess in guesses:
        for fit in _rounded_fits(guess):
            measured = _refined(window, replace(fit, log_ratio=guess.log_ratio), ("log_ratio",))
            # Half of what would do elsewhere: damage is not to be hidden in the base.
            if fit.columns.pairs > 1 and window.misfit(measured) <= 2:
                found.append(measured)
                break
    return found


def _oddities(fit: _Fit) -> tuple[int, ...]:
    """Return what is unusual about a fit, the weightiest first."""
    return (
        _measured_numbers(fit),
        fit.step != 1,
        fit.columns.own,
        fit.columns.cosine_first,
        fit.columns.layout != "interleaved",
    )


# -- measuring ------------------------------------------------------------------------------------


def _guesses(window: _Window, dim: int, padded: bool) -> list[_Fit]:
    """Return fits of every arrangement of the columns, the closest first."""
    arrangements = [
        _columns(dim, layout, cosine_first, padded) for layout in LAYOUTS for cosine_first in (False, True)
    ]
    if not arrangements[0].sines.size:
        fits = [_single_column(window, columns) for columns in arrangements[:2]]
    else:
        # The hands of a right pairing are all of one length.
        uneven = [window.unevenness(columns) for columns in arrangements]
        fits = [
            fit
            for columns, spread in zip(arrangements, uneven, strict=True)
            if spread <= 1.5 * min(uneven) + 1e-3
            for fit in _pair_guesses(window, columns)
        ]
    if dim >= 3 and not padded:
        fits += _own_guesses(window, dim)
    return _by_residual(window, fits)


def _by_residual(window: _Window, fits: list[_Fit]) -> list[_Fit]:
    # Differences of rounding do not decide: then the order in which the fits were found does.
    return sorted(fits, key=lambda fit: round(window.residual(fit), 7))


def _pair_guesses(window: _Window, columns: _Columns) -> list[_Fit]:
    """Return fits of one arrangement: frequencies from rotation, the start from the phases."""
    hands = window.hands(columns)
    scale = float(np.sqrt(np.mean(np.abs(hands[window.present]) ** 2)))
    if not scale > 0:
        return []
    fits: list[_Fit] = []
    for log_ratio, step in _progressions(window, hands):
        backwards = log_ratio > 1e-3
        exponents = columns.exponents.max() - columns.exponents if backwards else columns.exponents
        ordered = replace(columns, exponents=exponents)
        # Counted from the other end, the first frequency is the last.
        step = step * math.exp(log_ratio * exponents.max()) if backwards else step
        whole = math.copysign(max(round(abs(step)), 1), step)
        measured = -abs(log_ratio)
        if exponents.size == 3:
            lone = _Fit(ordered, 0.0, 0.0, step, scale)
            measured = _ratio_of_third(window, replace(lone, start=_start(window, lone)))
        for ratio in (measured, *_textbook_ratios(ordered, measured)):
            for pace in {step, whole}:
                guess = _Fit(ordered, ratio, 0.0, pace, scale)
                fits.append(replace(guess, start=_start(window, guess)))
        if min(window.residual(fit) for fit in fits) < 0.05 * scale:
            break
    return fits


def _turns(hands: Hands, window: _Window) -> Floats:
    """Return by how much each hand turns from row to row, from ever longer ways."""
    count = len(hands)
    turns = np.zeros(hands.shape[1])
    lag = 1
    longest = max(1, 2 * count // 3)
    while True:
        ways = (hands[lag:] * hands[:-lag].conj()).sum(axis=0)
        # What is left after the turn known so far is less than half a round.
        turns = turns + np.angle(ways * np.exp(-1j * turns * lag)) / lag
        if lag >= longest:
            return np.asarray(turns, dtype=np.float64)
        lag = min(2 * lag, longest)


def _progressions(window: _Window, hands: Hands) -> list[tuple[float, float]]:
    """Return (log ratio, first turn) of geometric progressions through the turns of the pairs."""
    turns = _turns(hands, window)
    if turns.size == 1:
        return [(0.0, float(turns[0]) or 1.0)]
    pairs = np.arange(turns.size)
    still = hands * np.exp(-1j * np.outer(window.rows, turns))
    steady = np.abs(still.sum(axis=0)) / window.present.sum()
    blur = np.sqrt(np.maximum(np.mean(np.abs(still) ** 2, axis=0) - steady**2, 0)) / (steady + 1e-300)
    spread = (blur + 1e-9 * np.abs(turns)) / len(hands) ** 1.5 + 1e-15
    clear = np.abs(turns) > 8 * spread
    found = []
    # Fast pairs may turn by more than half a round, so that the slow ones have to lead.
    for part in (clear, clear & (pairs >= turns.size // 2), clear & (pairs < (turns.size + 1) // 2)):
        if part.sum() < 2:
            continue
        weight = np.minimum(np.abs(turns[part]) / spread[part], 1e8)
        slope, intercept = np.polyfit(pairs[part], np.log(np.abs(turns[part])), 1, w=weight)
        sign = 1.0 if (np.sign(turns[part]) * weight).sum() >= 0 else -1.0
        found.append((float(slope), sign * math.exp(min(intercept, 700))))
    return found


def _ratio_of_third(window: _Window, fit: _Fit) -> float:
    """Return the ratio that fits a third column, which has no partner to turn with."""
    bases = np.outer(np.arange(10, 100), 10.0 ** np.arange(-1, 6)).ravel()
    round_ratios = [-np.log(bases) / steps for _, _, steps in _spacings(fit.columns)]
    ratios = np.concatenate([*round_ratios, -np.geomspace(1e-6, 30, 2000)])
    third = int(np.setdiff1d(np.arange(3), [*fit.columns.sines, *fit.columns.cosines])[0])
    places = fit.start + fit.step * window.rows[window.present]
    angles = np.outer(np.exp(ratios * fit.columns.exponents[third]), places)
    waves = np.cos(angles) if fit.columns.cosine[third] else np.sin(angles)
    off = ((fit.scale * waves - window.x[window.present, third]) ** 2).sum(axis=1)
    return float(ratios[np.argmin(off)])


def _textbook_ratios(columns: _Columns, measured: float) -> list[float]:
    """Return the ratios of round bases near a measured one: a far start needs them exactly."""
    if columns.pairs == 1:
        return []
    ratios = []
    for _, _, steps in _spacings(columns):
        log_base = -measured * steps
        if log_base < 700:
            bases = {10000.0, *(_with_digits(math.exp(log_base), digits) for digits in (1, 2))}
            near = (
                base
                for base in bases
                if base >= 1 and abs(math.log(base) - log_base) < 0.02 * log_base + 0.02
            )
            ratios += [-math.log(base) / steps for base in sorted(near)]
    return ratios


def _start(window: _Window, fit: _Fit) -> float:
    """Return the position of row 0: coarsely from the slowest pair, finer by each faster one."""
    frequencies, phases = _phases(window, fit)
    start = 0.0
    usable = np.flatnonzero(frequencies > 1e-12)
    for pair in usable[np.argsort(frequencies[usable], kind="stable")]:
        rest = math.remainder(phases[pair] - frequencies[pair] * start, 2 * math.pi)
        start += rest / float(frequencies[pair])
    return start


def _phases(window: _Window, fit: _Fit) -> tuple[Floats, Floats]:
    """Return the frequency of each hand, and the angle it has in row 0."""
    columns = fit.columns
    exponents = columns.exponents[columns.sines] if columns.sines.size else columns.exponents
    hands = window.hands(columns) if columns.sines.size else _lone_hands(window, columns)[1]
    frequencies = np.exp(fit.log_ratio * exponents)
    turning = np.exp(-1j * fit.step * np.outer(window.rows, frequencies))
    return frequencies, np.angle((hands * turning).sum(axis=0))


def _far_starts(window: _Window, guesses: list[_Fit]) -> list[_Fit]:
    """Return the guesses with whole starts, farther out than half a turn of the slowest pair.

    Of the starts that make the same table the nearest to 0 is taken.
    """
    found = []
    for guess in guesses:
        frequencies, phases = _phases(window, guess)
        whole, miss, sure = _whole_starts(window, phases, frequencies)
        # The farther out, the more an error of the frequencies has grown; whether the start is right
        # is seen when the table is made from it.
        if whole.size and miss.min() <= max(10 * sure, 1e-4):
            near = whole[miss <= 1.5 * miss.min() + sure]
            far = replace(guess, start=float(near[np.argmin(np.abs(near))]))
            third = far.columns.exponents.size == 3 and not far.columns.own
            found.append(replace(far, log_ratio=_ratio_of_third(window, far)) if third else far)
    return found


def _start_is_sure(window: _Window, fit: _Fit) -> bool:
    """Whether no other whole start makes the same table."""
    frequencies, phases = _phases(window, fit)
    _, miss, sure = _whole_starts(window, phases, frequencies)
    left = float(_miss(np.array([fit.start]), phases, frequencies)[0])
    return int((miss <= 1.5 * left + sure).sum()) <= 1


def _whole_starts(window: _Window, phases: Floats, frequencies: Floats) -> tuple[Floats, Floats, float]:
    """Return whole starts that suit the first pairs, how far off all pairs are, and the certainty."""
    bits, _ = FORMATS[window.given.precision]
    sure = 3 * max(2.0**-bits, 1e-9) / math.sqrt(window.present.sum())
    moving = frequencies > 1e-12
    phases, frequencies = phases[moving], frequencies[moving]
    slowest = int(np.argmin(frequencies))
    period = 2 * math.pi / float(frequencies[slowest])
    most = min(MOST_ROUNDS, FARTHEST_START // period)
    whole = np.unique(
        np.round(phases[slowest] / frequencies[slowest] + period * np.arange(-most, most + 1))
    )
    # Few of them pass the first pairs, and only those are compared with the rest.
    for pair in np.argsort(-frequencies)[:4]:
        off = np.abs(np.angle(np.exp(1j * (phases[pair] - whole * frequencies[pair]))))
        whole = whole[off < 0.3]
    return whole, _miss(whole, phases, frequencies), sure


def _miss(starts: Floats, phases: Floats, frequencies: Floats) -> Floats:
    """Return the root mean square of the phases that starts leave over."""
    over = np.angle(np.exp(1j * (phases - np.outer(starts, frequencies))))
    root: Floats = np.sqrt(np.mean(over**2, axis=1))
    return root


def _single_column(window: _Window, columns: _Columns) -> _Fit:
    """Return the fit of a lone sine or cosine; its frequency is taken to be 1."""
    fit = _Fit(columns, 0.0, 0.0, 1.0, _lone_hands(window, columns)[0])
    return replace(fit, start=_start(window, fit))


def _lone_hands(window: _Window, columns: _Columns) -> tuple[float, Hands]:
    """Return the length of the hand whose sine or cosine a single column is, and the hand."""
    rows, x = window.rows[window.present], window.x[window.present, 0]
    waves = np.stack([np.sin(rows), np.cos(rows)], axis=1)
    (a, b), *_ = np.linalg.lstsq(waves, x, rcond=None)
    first = complex(b, -a) if columns.cosine_first else complex(a, b)
    hands = np.where(window.present, first * np.exp(1j * window.rows), 0)
    return abs(first), hands[:, np.newaxis]


def _own_guesses(window: _Window, dim: int) -> list[_Fit]:
    """Return fits in which each column has a frequency of its own, measured column by column."""
    columns = _own(dim)
    whole = window.present[2:] & window.present[1:-1] & window.present[:-2]
    if not whole.any():
        return []
    # Of a sine of any phase, the values before and after add up to 2 cos(frequency) times the value.
    middle, sides = window.x[1:-1][whole], (window.x[2:] + window.x[:-2])[whole]
    cosines = (middle * sides).sum(axis=0) / (2 * (middle**2).sum(axis=0) + 1e-300)
    usable = np.flatnonzero(np.abs(cosines) < 1 - 1e-6)
    if usable.size < 2:
        return []
    turns = np.log(np.arccos(cosines[usable]))
    slope = float(np.polyfit(usable, turns, 1, w=np.exp(turns))[0])
    if not slope < 0:
        return []
    scale = float(np.sqrt(2 * np.mean(window.x[window.present] ** 2)))
    ratios = (slope, *_textbook_ratios(columns, slope))
    fits = [_Fit(columns, ratio, start, 1.0, scale) for ratio in ratios for start in (0.0, 1.0, 2.0)]
    return sorted(fits, key=window.residual)[:2]


def _refined(window: _Window, guess: _Fit, free: tuple[str, ...]) -> _Fit:
    """Return the fit after Gauss-Newton steps in the numbers that are `free`."""
    fit = guess
    x, rows = window.x[window.present], window.rows[window.present]
    exponents, cosine = fit.columns.exponents, fit.columns.cosine
    for _ in range(8):
        angles = fit.angles(rows)
        sines, cosines = np.sin(angles), np.cos(angles)
        wave = np.where(cosine, cosines, sines)
        slope = fit.scale * np.where(cosine, -sines, cosines)
        rest = x[:, : wave.shape[1]] - fit.scale * wave
        fit = replace(fit, noise=float(np.median(np.abs(rest)) * 1.4826))
        weights = window.weights(fit)
        frequencies = np.exp(fit.log_ratio * exponents)
        derivatives = {
            "log_ratio": slope * angles * exponents,
            "start": slope * frequencies,
            "step": slope * np.outer(rows, frequencies),
            "scale": wave,
        }
        jacobian = np.stack([(derivatives[name] * weights).ravel() for name in free], axis=1)
        size = np.sqrt((jacobian**2).sum(axis=0))
        if not np.isfinite(size).all() or not size.all():
            break
        scaled = jacobian / size
        change = np.linalg.lstsq(scaled.T @ scaled, scaled.T @ (rest * weights).ravel(), rcond=None)[0]
        settled = bool((np.abs(change) < 1e-2).all())
        change = change / size
        moved = dict(zip(free, change.tolist(), strict=True))
        fit = replace(
            fit,
            log_ratio=fit.log_ratio + moved.get("log_ratio", 0.0),
            start=fit.start + moved.get("start", 0.0),
            step=fit.step + moved.get("step", 0.0),
            scale=fit.scale + moved.get("scale", 0.0),
        )
        # Wherever it has run to, it will not come back.
        if fit.scale <= 0 or abs(fit.log_ratio) > 50:
            return guess
        if settled:
            break
    return replace(fit, noise=0.0)


def _simplest(window: _Window, guess: _Fit) -> _Fit:
    """Return the fit with every number made round that can be round without fitting worse."""
    free = ["log_ratio", "start", "step", "scale"]
    if guess.columns.pairs == 1:
        free.remove("log_ratio")
    if not guess.columns.sines.size:
        free.remove("step")
    fit = _closest(window, [guess, _refined(window, guess, tuple(free))])
    for name in ("start", "step", "scale", "log_ratio"):
        if name not in free:
            continue
        floor = _noise_floor(window, fit)
        others = tuple(other for other in free if other != name)
        for value in _round_values(fit, name):
            change: dict[str, Any] = {name: value}
            fixed = replace(fit, **change)
            rounder = [fixed, _refined(window, fixed, others)] if others else [fixed]
            closest = _closest(window, rounder)
            if _fits_as_well(window, closest, fit, floor):
                fit, free = closest, list(others)
                break
    return fit


def _rounded_fits(fit: _Fit) -> list[_Fit]:
    """Return the fit with all its numbers made round at once."""
    scales = _usual_values(fit, "scale") or [fit.scale]
    steps = _usual_values(fit, "step") or [fit.step]
    ratios = _usual_values(fit, "log_ratio") if fit.columns.pairs > 1 else [fit.log_ratio]
    return [
        replace(fit, start=float(round(fit.start)), step=step, scale=scale, log_ratio=ratio)
        for scale in scales
        for step in steps
        for ratio in ratios
    ]


def _closest(window: _Window, fits: list[_Fit]) -> _Fit:
    """Return the fit that rounding explains best; if it explains none, the one that is least off."""
    best = min(fits, key=window.misfit)
    return best if window.misfit(best) <= EXPLAINED else min(fits, key=window.residual)


def _noise_floor(window: _Window, fit: _Fit) -> float:
    """Return the noise of a fit that rounding does not account for; 0 if it does."""
    residual = window.residual(fit)
    return residual if window.misfit(fit) > EXPLAINED else 0.0


def _fits_as_well(window: _Window, simple: _Fit, free: _Fit, floor: float) -> bool:
    """Whether the rounder fit is off by no more than chance makes of the free one."""
    if window.misfit(simple) <= EXPLAINED / 2:
        return True
    if floor == 0:
        return window.misfit(simple) <= 1.5 * window.misfit(free)
    chance = 12 / (window.present.sum() * window.x.shape[1])
    return bool(window.misfit(simple, floor) ** 2 <= window.misfit(free, floor) ** 2 * (1 + chance))


def _usual_values(fit: _Fit, name: str) -> list[float]:
    """Return what a number of a table usually is, near to the one that was measured."""
    value: float = getattr(fit, name)
    if name == "scale":
        dim = fit.columns.dim
        usual = (1.0, dim**-0.5, (2 / dim) ** 0.5, dim**0.5)
        return [scale for scale in usual if abs(value / scale - 1) < 0.05]
    if name == "step":
        whole = math.copysign(max(round(abs(value)), 1), value)
        return [whole] if abs(value - whole) < 0.05 else []
    if name == "start":
        return [float(round(value))]
    ratios = [-math.log(base) / steps for _, _, steps, base, _ in _bases(fit) if base >= 1]
    return [ratio for ratio in (*FLOORED, *ratios) if abs(ratio - value) < 0.02 * abs(value) + 0.01]


def _round_values(fit: _Fit, name: str) -> list[float]:
    """Return the usual values, and for want of them the measured one with fewer digits."""
    usual = _usual_values(fit, name)
    if name == "log_ratio":
        # In noise a base that merely lies near would be taken for a fault.
        return [ratio for ratio in usual if ratio not in FLOORED]
    return [*usual, _with_digits(getattr(fit, name), 4)]


# -- reading the base -----------------------------------------------------------------------------


def _spacings(columns: _Columns) -> list[tuple[str, str | None, float]]:
    """Return the spacings that a progression may have: (spacing, odd, steps)."""
    odd = columns.dim % 2 == 1
    how = None if not odd else "pad" if columns.padded else "truncate"
    if columns.own:
        return [("paper", how, columns.dim / 2)]
    known: list[tuple[str, str | None, float]] = [("paper", how, columns.pairs)]
    if columns.pairs > 1:
        known.append(("tensor2tensor", how, columns.pairs - 1))
    if how == "truncate":
        known.append(("paper", "real", columns.dim / 2))
    return known


def _bases(fit: _Fit) -> list[tuple[str, str | None, float, float, int]]:
    """Return (spacing, odd, steps, base, rank) of the round bases near a fit, the roundest first."""
    found = []
    for spacing, odd, steps in _spacings(fit.columns):
        log_base = -fit.log_ratio * steps
        if log_base < 700:
            base = math.exp(log_base)
            for digits in (1, 2, 3):
                value = _with_digits(base, digits)
                found.append((spacing, odd, steps, value, 0 if value == 10000 else digits))
    return sorted(found, key=lambda one: one[4])


def _with_digits(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}")


# -- precision ------------------------------------------------------------------------------------


def _damage(given: _Table, fit: _Fit) -> str:
    """Return what was rounded before the sine was taken; "" if nothing was, or nothing known."""
    rows, x = _checked(given)
    angles = fit.angles(rows)
    exact = fit.of_angles(angles)
    off = np.abs(x - exact)[:, : angles.shape[1]]
    # Twice a rounding, and what single precision costs whoever takes the sine in it.
    allowed = 2 * given.rounding(x[:, : angles.shape[1]], angles, fit.scale) + (
        0 if given.precision == "float64" else 4e-7 * fit.scale
    )
    if given.precision == "float64":
        allowed = allowed + 1e-9 * fit.scale
    if (off <= allowed).mean() > 0.999 and off.max() <= 4 * allowed.max():
        return ""
    return _rounding_that_explains(given, fit, rows, x) or ""


def _rounding_that_explains(
    given: _Table, fit: _Fit, rows: Floats, x: Floats, share: float = 0.98
) -> str | None:
    """Return the rounding that makes this very table, or keeps within its bound."""
    positions = fit.start + fit.step * rows
    frequencies = np.exp(fit.log_ratio * fit.columns.exponents)
    x = x[:, : frequencies.size]
    scores: dict[str, float] = {}
    unit = max(2 * 2.0 ** -FORMATS[given.precision][0], 2e-6)
    for name in ("float16", "bfloat16"):
        place = _rounded(positions, name)[:, np.newaxis]
        pace = _rounded(frequencies, name)
        trials = {
            "positions": (place * frequencies,),
            "angles": (
                _rounded(place * pace, name),
                _rounded(place * frequencies, name),
                _rounded(positions[:, np.newaxis] * frequencies, name),
                positions[:, np.newaxis] * pace,
            ),
        }
        for what, ways in trials.items():
            for angles in ways:
                with np.errstate(invalid="ignore"):
                    made = fit.of_angles(angles)[:, : frequencies.size]
                hit = np.abs(x - made) <= fit.scale * unit
                key = f"{what} in {name}"
                scores[key] = max(scores.get(key, 0.0), float(hit.mean()))
    name, score = max(scores.items(), key=lambda item: item[1])
    far = np.abs(positions[:, np.newaxis] * frequencies)
    off = np.abs(x - fit.values(rows)[:, : frequencies.size])
    # Single precision: a rounding of each angle, and of the exponent that made its frequency.
    if (off > fit.scale * 2 * unit).any() and (off <= fit.scale * (1.5e-6 * far + unit)).all():
        return "angles in float32"
    return name if score > max(share, float((off <= fit.scale * unit).mean())) else None


def _checked(given: _Table) -> tuple[Floats, Floats]:
    """Return rows of the whole table, and their values, in a number that can be compared quickly."""
    rows = np.flatnonzero(given.present)
    every = -(-rows.size // max(64, CHECKED_VALUES // given.x.shape[1]))
    # Odd strides: positions that are multiples of 2 survive rounding better than the rest.
    rows = rows[:: every + (every % 2 == 0)]
    return rows.astype(np.float64), given.x[rows]


def _damaged(given: _Table, fit: _Fit, ratios: list[float]) -> tuple[_Fit, str] | None:
    """Return the textbook table near a fit, and the rounding, that make this very table together."""
    if fit.columns.own:
        return None
    rows, x = _checked(given)
    few = slice(None, None, max(1, len(rows) // 16))
    first = np.flatnonzero(given.present)[:16]
    step = math.copysign(max(round(abs(fit.step)), 1), fit.step)
    scale = (_usual_values(fit, "scale") or [fit.scale])[0]
    plain = [-math.log(10000) / steps for _, _, steps in _spacings(fit.columns)]
    for ratio in sorted(ratios, key=lambda ratio: ratio not in plain):
        for start in sorted({float(round(fit.start)), 0.0, 1.0, 2.0}):
            trial = replace(fit, log_ratio=ratio, start=start, step=step, scale=scale)
            # Near the first row no rounding has done much harm yet.
            if (
                np.corrcoef(trial.values(first.astype(np.float64)).ravel(), given.x[first].ravel())[0, 1]
                < 0.9
            ):
                continue
            if _rounding_that_explains(given, trial, rows[few], x[few], 0.8) is None:
                continue
            what = _rounding_that_explains(given, trial, rows, x)
            if what is not None:
                return trial, what
    return None


# -- the verdict ----------------------------------------------------------------------------------


def _is_credible(window: _Window, fit: _Fit) -> bool:
    """Whether a fit says more than its free numbers could make of a table drawn at random."""
    size = int(window.present.sum()) * window.x.shape[1]
    if window.misfit(fit) <= EXPLAINED:
        return bool(size >= 3 * _measured_numbers(fit) + 2)
    correlation = window.correlation(fit)
    return correlation >= 0.5 and correlation**2 * size > 60


def _measured_numbers(fit: _Fit) -> int:
    """Return how many numbers of a fit are measured, and not round."""
    return (
        (fit.scale not in _usual_values(fit, "scale"))
        + (fit.step not in _usual_values(fit, "step"))
        + (fit.start != round(fit.start))
        + (fit.columns.pairs > 1 and not _named_bases(fit) and fit.log_ratio not in FLOORED)
    )


def _named_bases(fit: _Fit) -> list[tuple[str, str | None, float, float, int]]:
    """Return the round bases that a fit has exactly."""
    return [one for one in _bases(fit) if abs(-math.log(one[3]) / one[2] - fit.log_ratio) < 1e-13]


def _report(given: _Table, window: _Window, fit: _Fit, damage: str) -> TableIdentity:
    """Return the identity of the table that `fit` and `damage` explain."""
    dim = fit.columns.dim
    spacing, odd, base, undetermined, said = _read_base(fit)
    faults, more = _faults_of_formula(fit, spacing, None if "base" in undetermined else base)
    if not fit.columns.own and not _start_is_sure(window, fit):
        undetermined += ("start",)
        said += ("other starts would make the same table; the nearest to 0 is reported",)
    about_rows = _faults_of_rows(given, fit.start, fit.step)
    if fit.columns.pairs == 1:
        undetermined += ("layout",) if dim - fit.columns.padded <= 2 else ()
        said += ("a single pair of columns has the frequency 1 in every convention",)
    said += more + about_rows[1]

    rows = np.flatnonzero(given.present)
    values = fit.values(rows.astype(np.float64))
    x = given.x[rows]
    off = np.abs(x - values)
    error = float(off.max())
    constant = x.std() == 0 or values.std() == 0
    correlation = 1.0 if constant else float(np.corrcoef(x.ravel(), values.ravel())[0, 1])
    if damage:
        row = int(rows[np.argmax(off.max(axis=1))])
        said += (f"{damage}: off by up to {error:.3g}, most in row {row}; that rounding makes this table",)
    elif window.misfit(fit) > EXPLAINED and error > 1e-6 * fit.scale:
        rms = float(np.sqrt(np.mean(off**2)))
        said += (f"noise, or training, has moved the values by {rms:.3g} (root mean square)",)
    else:
        said += (f"made again from these numbers, the table differs by at most {error:.2g}",)
        spoilt = np.flatnonzero(off.max(axis=1) > 1e-2 * fit.scale)
        if spoilt.size:
            said += (f"{spoilt.size} rows differ for no known reason, first row {rows[spoilt[0]]}",)
    padding = given.zero_rows[0] if given.zero_rows else None
    if padding is not None:
        said += (f"row {padding} is zero: a padding token's; real tokens start at row {padding + 1}",)
    usual = {
        dim**-0.5: "1/sqrt(dim), as in x-transformers",
        (2 / dim) ** 0.5: "sqrt(2/dim): rows of norm 1",
    }
    usual |= {dim**0.5: "sqrt(dim)"}
    if fit.scale != 1 and fit.scale in usual:
        said += (f"the scale is {usual[fit.scale]}",)
    whole = fit.start == round(fit.start)
    return TableIdentity(
        "sinusoidal",
        **_statistics(given),
        layout=fit.columns.layout,
        cosine_first=fit.columns.cosine_first,
        spacing="tensor2tensor" if spacing == "tensor2tensor" else "paper",
        base=base,
        odd=odd,  # type: ignore[arg-type]  # one of the three, from _spacings
        start=round(fit.start) if whole else fit.start,
        step=fit.step,
        scale=fit.scale,
        padding=padding,
        damage=damage,
        faults=faults + about_rows[0],
        undetermined=undetermined,
        error=error,
        correlation=correlation,
        evidence=said,
    )


def _read_base(
    fit: _Fit,
) -> tuple[str, str | None, float | None, tuple[str, ...], tuple[str, ...]]:
    """Return (spacing, odd, base, undetermined, evidence): the roundest base that fits."""
    spacings = _spacings(fit.columns)
    spacing, odd, steps = spacings[0]
    if fit.columns.pairs == 1:
        return spacing, odd, None, ("spacing", "base"), ()
    named = _named_bases(fit)
    if named:
        spacing, odd, steps, base, rank = named[0]
    else:
        base, rank = _exponential(-fit.log_ratio * steps), 9
    if base == 1:
        return spacing, odd, 1.0, ("spacing",), ("all frequencies are 1: the base is 1 in every spacing",)
    undetermined: tuple[str, ...] = ()
    said: tuple[str, ...] = (
        f"from pair to pair the frequency falls by a factor of {math.exp(-fit.log_ratio):.6g}",
    )
    for other, other_odd, other_steps in spacings:
        if (other, other_odd) == (spacing, odd):
            continue
        label = "with the exponent -2i/d of the odd d" if other_odd == "real" else f"spaced as {other}"
        said += (
            f"base {_exponential(-fit.log_ratio * other_steps):.10g} {label} would make the same table",
        )
        ranks = [one[4] for one in named if one[:2] == (other, other_odd)]
        # Two round bases, or none: what is reported is the likelier one.
        if (ranks and min(ranks) <= 2) or (rank == 9 and not ranks and fit.log_ratio not in FLOORED):
            undetermined = ("spacing", "base")
    return spacing, odd, base, undetermined, said


def _exponential(value: float) -> float:
    return math.exp(value) if value < 709 else math.inf


def _faults_of_formula(
    fit: _Fit, spacing: str, base: float | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    faults: list[str] = []
    said: list[str] = []

    def found(name: str, sentence: str) -> None:
        faults.append(name)
        said.append(sentence)

    if fit.columns.cosine_first:
        found("swapped", "the cosine stands first: on purpose in some libraries, a slip elsewhere")
    if fit.columns.own:
        found(
            "own frequencies", "the exponent is -2j/d for column j: no sine has the cosine of its frequency"
        )
    elif fit.log_ratio < 0 and fit.columns.pairs > 1 and fit.columns.exponents[0] > 0:
        found("reversed frequencies", "the slowest pair comes first")
    if fit.columns.pairs > 1 and fit.log_ratio in FLOORED:
        found(
            "floor division",
            f"the frequencies fall by e**{-fit.log_ratio:g} from pair to pair, whatever the base: "
            "-log(base) / d//2 is rounded down to -1",
        )
    elif spacing == "paper" and base == 100.0:
        found("halved exponent", "base 10000 with the exponent -i/d makes the same table")
    elif spacing == "paper" and base == 1e8:
        found("doubled exponent", "base 10000 with the exponent -4i/d makes the same table")
    return tuple(faults), tuple(said)


def _faults_of_rows(given: _Table, start: float, step: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    faults, said = [], []
    both = given.present[1:] & given.present[:-1]
    # A lone sine may well rise and fall between two rows.
    both &= given.x.shape[1] > 1
    equal = np.flatnonzero((given.x[1:] == given.x[:-1]).all(axis=1) & both)
    if equal.size:
        faults.append("duplicate rows")
        said.append(f"{equal.size} rows equal the row before them, first row {equal[0] + 1}")
    infinite = np.flatnonzero(~np.isfinite(given.x).all(axis=1))
    if infinite.size:
        faults.append("overflow")
        said.append(
            f"{infinite.size} rows hold NaN or infinity, first row {infinite[0]}, "
            f"position {start + step * infinite[0]:.10g} (float16 ends at 65504)"
        )
    return tuple(faults), tuple(said)
