r"""
Three open questions
====================

What does a sum lose that two vectors side by side would keep? Can a position be something else than a
count of words? And what do the cells have in common with all this by which a rat knows where it is? Each
of these questions has a part that can be computed, and this script computes it.
"""

import math

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import wavelengths

n_seeds = 5

# %%
# What does the sum lose?
# -----------------------
#
# Words live in a subspace of :math:`m` dimensions, positions in another one. Each pair of directions,
# one from either, encloses the same angle :math:`\theta`: at 90° the subspaces are at right angles, at 0°
# they are one and the same. We add a word :math:`u` and a position :math:`v`, and a little noise, for
# nothing in a network is exact:
#
# .. math::
#
#    x = u\,A + v\,(\cos\theta\,A + \sin\theta\,A^\perp) + \text{noise}
#
# Then we read the position back as well as any matrix can, by least squares, and count which share of it
# comes back. The test is made with words, positions and noise that were not used to find the matrix.

m, d = 8, 32
n_train, n_test = 2000, 2000
angles = np.array([0, 2, 5, 10, 20, 30, 45, 60, 90])


def orthonormal(rng):
    """Return 2m orthonormal rows: a basis of the words' subspace, and directions at right angles to it."""
    Q, _ = np.linalg.qr(rng.normal(size=(d, 2 * m)))
    return Q.T[:m], Q.T[m:]


def share_read(x, v):
    """Return which share of the variance of v a linear map reads from x, on rows it has not seen."""
    W, *_ = np.linalg.lstsq(x[:n_train], v[:n_train], rcond=1e-9)
    left = v[n_train:] - x[n_train:] @ W
    return 1 - (left**2).sum() / (v[n_train:] ** 2).sum()


def shares(noise, seed):
    """Return the share read from the sum for each angle, and the one read from a concatenation."""
    rng = np.random.default_rng(seed)
    A, across = orthonormal(rng)
    u, v = rng.normal(size=(2, n_train + n_test, m))
    small = noise * rng.normal(size=(n_train + n_test, d))
    found = []
    for theta in np.radians(angles):
        B = np.cos(theta) * A + np.sin(theta) * across
        found.append(share_read(u @ A + v @ B + small, v))
    side_by_side = np.hstack([u, v]) + noise * rng.normal(size=(n_train + n_test, 2 * m))
    return found, share_read(side_by_side, v)


noise = 0.1
exact = np.array([shares(0, seed)[0] for seed in range(n_seeds)])
noisy, concatenated = zip(*(shares(noise, seed) for seed in range(n_seeds)), strict=True)
noisy, concatenated = np.array(noisy), np.array(concatenated)


def at(angle):
    """Return the column of this angle."""
    return int(np.flatnonzero(angles == angle)[0])


print("angle   without noise   with noise (smallest and largest of five seeds)")
for k, angle in enumerate(angles):
    least, most = noisy[:, k].min(), noisy[:, k].max()
    print(f"{angle:4}°   {exact[:, k].mean():.3f}           {least:.3f} to {most:.3f}")
print(f"side by side, with noise: {concatenated.min():.3f}")

measure("open-exact-least", exact[:, 1:].min(), above=1 - 1e-9)
measure("open-exact-closed", exact[:, 0].mean(), expect=0.5, within=0.03)
for angle, expected in ((90, 0.99), (30, 0.963), (10, 0.799), (0, 0.5)):
    measure(f"open-noisy-{angle}", noisy[:, at(angle)].mean(), expect=expected, within=0.03)
measure("open-noisy-spread", np.ptp(noisy, axis=0).max(), below=0.06)
measure("open-concatenated", concatenated.mean(), expect=0.99, within=0.005)

# %%
# Without noise any angle will do, be it only 2°: as long as the subspaces share no direction, a matrix
# reads everything. This is what the argument by ranks promises. With noise the angle counts, for whoever
# wants to undo a small angle has to magnify, and magnifies the noise as well.
#
# How many bits is that?
# ----------------------
#
# For bell-shaped words, positions and noise the information can be written down. With
# :math:`k = 1/\text{noise}^2`, each dimension carries
#
# .. math::
#
#    \tfrac12 \log_2\left((1 + k)^2 - k^2 \cos^2\theta\right)
#
# bits about word and position together if they are added, and :math:`\log_2(1 + k)` if they are put side by
# side. The same formula says which share of the position can be read, and it has to agree with what was
# measured.

k = 1 / noise**2
theta = np.radians(np.linspace(0, 90, 91))


def determinant(theta):
    """Return the determinant that both formulas share."""
    return (1 + k) ** 2 - (k * np.cos(theta)) ** 2


bits = np.log2(determinant(theta)) / 2
readable = 1 - (1 + k) / determinant(theta)
bits_side_by_side = np.log2(1 + k)

measure(
    "open-formula-error",
    np.abs(noisy - (1 - (1 + k) / determinant(np.radians(angles)))).max(),
    below=0.04,
)
measure("open-bits-concatenated", bits_side_by_side, expect=6.658, within=0.0005)
measure("open-bits-90", bits[90], expect=6.658, within=0.0005)
measure("open-bits-30", bits[30], expect=5.70, within=0.005)
measure("open-bits-0", bits[0], expect=3.83, within=0.005)
assert (bits <= bits_side_by_side + 1e-12).all()  # a sum never tells more
print(f"bits: side by side {bits_side_by_side:.2f}, added at 90° {bits[90]:.2f}, at 0° {bits[0]:.2f}")

fig, (upper, lower) = figures.subplots(
    2,
    1,
    figsize=(4.2, 4.6),
    sharex=True,
    alt=(
        "Above: the share of the position that can be read from the sum, against the angle between the "
        "subspaces. Without noise it is everything as soon as the angle is not zero; with noise it falls "
        "from 99 per cent at a right angle to half at 0°. Below: the information in bits, which falls "
        "from that of a concatenation at 90° to little more than half of it at 0°."
    ),
)
upper.plot(angles, exact.mean(axis=0), "s--", color="C2", ms=4, lw=1.2)
upper.plot(np.degrees(theta), readable, color="C0", lw=1.5)
upper.plot(np.tile(angles, n_seeds), noisy.ravel(), "o", color="C0", ms=4)
upper.text(24, 0.72, "with noise", color="C0")
upper.text(12, 1.05, "without noise", color="C2")
upper.set_ylim(0.4, 1.15)
upper.set_yticks([0.5, 0.75, 1], ["50 %", "75 %", "100 %"])
upper.set_title("share of the position read")
lower.plot(np.degrees(theta), bits, color="C0")
lower.axhline(bits_side_by_side, color="C1", ls="--", lw=1.5)
lower.text(1, bits_side_by_side + 0.25, "side by side", color="C1")
lower.text(32, 4.4, "added", color="C0")
lower.set_ylim(0, 7.9)
lower.set_yticks([0, 2, 4, 6])
lower.set_title("bits for each dimension")
lower.set_xticks([0, 30, 60, 90], ["0°", "30°", "60°", "90°"])
lower.set_xlabel("angle between words and positions")

# %%
# Positions that adapt
# --------------------
#
# *Two sentences back* is not a fixed number of words back. CoPE (Golovneva et al. 2024,
# `arXiv:2405.18719 <https://arxiv.org/abs/2405.18719>`_) lets each word decide what it counts: every
# earlier word gets a gate between 0 and 1, which depends on query and key, and the position is the sum of
# the gates from there to here:
#
# .. math::
#
#    p_{ij} = \sum_{t=j}^{i} \sigma(q_i \cdot k_t)
#
# We set query and keys by hand, so that only full stops open the gate. Each text has 40 sentences of random
# length. How well does the sum of the gates count the sentences? And how often does the best fixed offset
# lead from a full stop to the one two sentences before?


def contextual_positions(query, keys):
    """Return the position of each word as the last one sees it."""
    gates = 1 / (1 + np.exp(-keys @ query))
    return np.cumsum(gates[::-1])[::-1]


stop, word = np.array([1.0, 0.0]), np.array([0.0, 1.0])
query = np.array([40.0, -40.0])

cope_error, offset_hits = [], []
for seed in range(n_seeds):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(3, 20, size=40)  # in words, with the full stop
    stops = np.cumsum(lengths) - 1
    keys = np.tile(word, (lengths.sum(), 1))
    keys[stops] = stop
    positions = contextual_positions(query, keys)
    # The last full stop is number 1, the one before number 2, and so on.
    cope_error.append(np.abs(positions[stops] - np.arange(len(stops), 0, -1)).max())
    two_back = stops[2:] - stops[:-2]
    offset_hits.append(np.bincount(two_back).max() / len(two_back))

measure("open-cope-error", max(cope_error), below=1e-9)
hits = measure("open-offset-hits", max(offset_hits), expect=0.1316, within=0.0001)
print(f"counting full stops is off by {max(cope_error):.0e}")
print(f"the best fixed offset is right in {min(offset_hits):.0%} to {hits:.0%} of the cases")

# %%
# FIRE (Li et al. 2024, `arXiv:2310.04418 <https://arxiv.org/abs/2310.04418>`_) learns a function of the
# offset, but first divides by the length so far, and takes the logarithm of both, so that near offsets
# stay apart:
#
# .. math::
#
#    \frac{\log(c\,(i-j) + 1)}{\log(c \max(i, L) + 1)}
#
# What the function is given stays between 0 and 1 for a text of any length: it is never asked about
# numbers that training has not shown.


def fire_input(i, j, c=1.0, threshold=64):
    """Return what the learned function of FIRE is given for query i and key j."""
    return np.log(c * (i - j) + 1) / np.log(c * np.maximum(i, threshold) + 1)


trained, used = 512, 8192
i = np.arange(1, used)
largest = max(fire_input(i, 0).max(), fire_input(i, i).max())
measure("open-fire-largest", largest, expect=1, within=1e-12)
unseen = 1 - sum(min(trained, row + 1) for row in range(used)) / (used * (used + 1) / 2)
measure("open-offsets-unseen", unseen, expect=0.879, within=0.0005)
print(f"FIRE: input at most {largest:.3f}; of the plain offsets {unseen:.1%} were never seen")

# %%
# Grid cells
# ----------
#
# Some cells in the brain of a rat fire at regular distances, like the knots of a grid. They come in
# modules: all cells of a module share the same distance, its *period*, and differ in where they start. A
# module says where one is within its period, like the hand of a clock, and nothing else.
#
# On a line, a module of period 5 has five cells, of which one fires. We take five modules and 40 cells in
# all, and ask: how far can one go until the same pattern comes again?


def pattern(periods, n):
    """Return which cells fire at the places 0 to n - 1: one in each module."""
    place = np.arange(n)
    return np.hstack([np.eye(period, dtype=np.uint8)[place % period] for period in periods])


def unique_range(periods):
    """Return the first place whose pattern is that of place 0, found by looking."""
    table = pattern(periods, math.prod(periods) + 1)
    return 1 + int(np.flatnonzero((table[1:] == table[0]).all(axis=1))[0])


apart, related = (5, 7, 8, 9, 11), (4, 6, 8, 10, 12)
cells = measure("open-grid-cells", sum(apart), expect=40)
assert sum(related) == cells
ranges = {periods: [unique_range(periods[:count]) for count in range(1, 6)] for periods in (apart, related)}
grid_apart = measure("open-grid-apart", ranges[apart][-1], expect=27_720)
grid_related = measure("open-grid-related", ranges[related][-1], expect=120)
assert grid_apart == math.prod(apart)
assert grid_related == math.lcm(*related)
# Before the pattern comes back, all places differ.
assert len(np.unique(pattern(apart, grid_apart), axis=0)) == grid_apart
print(f"{cells} cells, one a place: {cells} places")
print(f"{cells} cells, related periods: {grid_related} places")
print(f"{cells} cells, no common divisor: {grid_apart:,} places")

fig, axes = figures.subplots(
    alt=(
        "How many places can be told apart, against the number of modules, on a logarithmic axis. With "
        "periods that have no common divisor it grows to 27,720 for five modules, with related periods "
        "only to 120, and with one cell for each place to 40."
    ),
)
modules = np.arange(1, 6)
axes.plot(modules, ranges[apart], "o-")
axes.plot(modules, ranges[related], "s-")
axes.plot(modules, np.cumsum(apart), "^-")
axes.text(3.5, 2600, "no common divisor", color="C0", ha="right")
axes.text(5, 175, "related periods", color="C1", ha="right")
axes.text(5, 9, "one cell a place", color="C2", ha="right", va="center")
axes.set_yscale("log")
axes.minorticks_off()
axes.set_ylim(2, 60_000)
axes.set_yticks([10, 100, 1000, 10000], ["10", "100", "1000", "10000"])
axes.set_xticks(modules)
axes.set_xlabel("modules")
axes.set_ylabel("places told apart")

# %%
# The sinusoid: clocks that never come back
# -----------------------------------------
#
# The slowest hand of the table takes some 60 000 steps for a turn. Are there no more places than that? How
# far apart two rows are depends on their offset alone,
#
# .. math::
#
#    \lVert PE_{p+k} - PE_p \rVert^2 = \sum_i \left(2 - 2 \cos \omega_i k\right)
#
# so we can try every two of 200 000 positions.

d, n_positions = 512, 200_000
longest = wavelengths(d)[-1]
frequencies = 2 * np.pi / wavelengths(d)
apart_by = np.empty(n_positions)
for start in range(0, n_positions, 10_000):
    offset = np.arange(start, start + 10_000)[:, np.newaxis]
    apart_by[start : start + 10_000] = np.sqrt((2 - 2 * np.cos(frequencies * offset)).sum(axis=1))

measure("open-sinusoid-nearest", apart_by[1:].min(), expect=3.714, within=0.001)
measure("open-sinusoid-nearest-offset", 1 + int(apart_by[1:].argmin()), expect=1)
beyond = apart_by[math.ceil(longest) :].min()
measure("open-sinusoid-beyond", beyond, expect=21.124, within=0.01)
print(f"the slowest hand comes round in {longest:,.0f} steps")
print(f"rows that are farther apart than that differ by {beyond:.1f} or more")

figures.show()

# %%
# What we have found
# ------------------
#
# - A sum tells as much as a concatenation when words and positions are at right angles, and less
#   otherwise. How much less depends on angle and noise together; the rank alone says nothing about it.
# - Whoever counts what matters can find "two sentences back", which no fixed offset can. Whether a network
#   learns to do so is another question.
# - A few clocks with unrelated periods reach very far. The sinusoid is made of clocks too, and its rows
#   stay different far beyond the turn of its slowest hand.
