r"""
Room for nearly right angles
============================

In the plane two arrows drawn at random may point anywhere, also nearly the same way. With 512 numbers
they nearly always stand at a right angle to each other. This is why a word and a position hardly ever
get in each other's way, and it is said so often that one forgets to check the other half: do the
*positions* stand at right angles to each other as well? They do not.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import sinusoidal

# %%
# Random arrows
# -------------
#
# The *cosine* of two arrows is their dot product, divided by their lengths. It is 1 for the same
# direction, 0 for a right angle and -1 for the opposite direction. We draw pairs of random vectors in
# 2, 16 and 512 dimensions.

n_pairs = 4000


def cosines(A, B):
    """Return the cosine of each row of A with the same row of B."""
    return (A * B).sum(axis=-1) / (np.linalg.norm(A, axis=-1) * np.linalg.norm(B, axis=-1))


fig, all_axes = figures.subplots(
    3,
    1,
    figsize=(4.2, 3.8),
    sharex=True,
    alt=(
        "Three histograms of the cosine of two random vectors. In 2 dimensions it takes all values, most "
        "often those near minus one and one. In 16 it forms a hill around zero. In 512 it is a needle at "
        "zero: nearly all pairs are at right angles."
    ),
)
spread = {}
for d, axes in zip((2, 16, 512), all_axes, strict=True):
    rng = np.random.default_rng(0)
    values = cosines(rng.normal(size=(n_pairs, d)), rng.normal(size=(n_pairs, d)))
    spread[d] = np.sqrt((values**2).mean())
    axes.hist(values, bins=np.linspace(-1, 1, 81), histtype="stepfilled", color="C0")
    axes.set_yticks([])
    axes.text(-1, 0.95, f"{d} dimensions", transform=axes.get_xaxis_transform(), va="top")
    print(f"{d:3} dimensions: standard deviation {spread[d]:.4f}, one over the root {1 / np.sqrt(d):.4f}")
all_axes[-1].set_xticks([-1, 0, 1])
all_axes[-1].set_xlabel("cosine")

# By chance, the spread of 4000 pairs is off by about 1 %: five times as much is allowed.
for d, value in spread.items():
    measure(f"geometry-cosine-spread-{d}", value, expect=1 / np.sqrt(d), within=0.05 / np.sqrt(d))

# %%
# The rule behind it is short. Take any vector and measure its cosine with each of the :math:`d` axes. By
# Pythagoras the squares of these cosines add up to 1. No axis is preferred, so each square is
# :math:`1/d` on average.
#
# Words, positions
# ----------------
#
# Now with the table: 512 positions of 512 dimensions, and 512 words, drawn at random.

n = d = 512
P = sinusoidal(n, d, dtype=np.float64)
E = np.random.default_rng(0).normal(size=(n, d))


def all_cosines(A, B):
    """Return the cosine of each row of A with each row of B."""
    return (A / np.linalg.norm(A, axis=1, keepdims=True)) @ (B / np.linalg.norm(B, axis=1, keepdims=True)).T


pairs = np.triu_indices(n, 1)  # each pair once, none with itself
found = {
    "word and word": all_cosines(E, E)[pairs],
    "word and position": all_cosines(E, P).ravel(),
    "position and position": all_cosines(P, P)[pairs],
}

fig, all_axes = figures.subplots(
    3,
    1,
    figsize=(4.2, 3.8),
    sharex=True,
    alt=(
        "Three histograms of cosines. Words with words, and words with positions, are needles at zero. "
        "Positions with positions all lie to the right of zero, spread up to 1."
    ),
)
for (name, values), axes in zip(found.items(), all_axes, strict=True):
    colour = "C1" if name == "position and position" else "C0"
    axes.hist(values, bins=np.linspace(-1, 1, 81), histtype="stepfilled", color=colour)
    axes.set_yticks([])
    axes.text(-1, 0.95, name, transform=axes.get_xaxis_transform(), va="top")
    print(f"{name}: mean {values.mean():.3f}, standard deviation {values.std():.3f}")
all_axes[-1].set_xticks([-1, 0, 1])
all_axes[-1].set_xlabel("cosine")

measure("geometry-cosine-word-word", found["word and word"].std(), expect=0.0442, within=0.001)
measure("geometry-cosine-word-position", found["word and position"].std(), expect=0.0442, within=0.003)
measure("geometry-cosine-positions", found["position and position"].mean(), expect=0.4198, within=0.0001)
measure(
    "geometry-cosine-positions-least", found["position and position"].min(), expect=0.228, within=0.0005
)
neighbours = cosines(P[:-1], P[1:])
measure("geometry-cosine-neighbours", neighbours.mean(), expect=0.973, within=0.0005)
assert np.ptp(neighbours) < 1e-12  # the same for all neighbours

# %%
# Every position has something in common with every other: the slow columns on the right of the table
# hold nearly the same numbers in all rows. That a word is at a right angle to a position is the work of
# the word, which was drawn at random. For two positions there is no such luck, and none is wanted.
#
# Do positions blur?
# ------------------
#
# If all of them point a similar way, are 1 and 10 still different? What counts for that is their
# distance. Each row has the same length, :math:`\sqrt{d/2} = 16`, because each of its :math:`d/2` pairs
# has :math:`\sin^2 + \cos^2 = 1`.

squares = (P**2).sum(axis=1)
distance = np.sqrt(np.maximum(squares[:, None] + squares - 2 * P @ P.T, 0))

measure("geometry-norm", np.linalg.norm(P, axis=1).mean(), expect=16, within=1e-12)
measure("geometry-distance-1-10", distance[1, 10], expect=12.37, within=0.005)
measure("geometry-distance-neighbours", distance[0, 1], expect=3.714, within=0.0005)
measure("geometry-distance-least", distance[pairs].min(), expect=3.714, within=0.0005)

fig, axes = figures.subplots(
    alt=(
        "The distance from position 1 to every other one. It is zero at position 1 itself, small at its "
        "neighbours, and beyond a few positions it stays large."
    ),
)
axes.plot(range(n), distance[1], lw=1.2)
axes.plot([0, 2, 10], distance[1, [0, 2, 10]], "o", color="C1", ms=5)
axes.text(22, distance[1, 2] - 0.6, "neighbours", color="C1")
axes.text(26, distance[1, 10] - 1.6, "position 10", color="C1")
axes.set_xlim(-8, 512)
axes.set_ylim(0, 21)
axes.set_xticks([1, 128, 256, 384, 511])
axes.set_yticks([0, 5, 10, 15, 20])
axes.set_xlabel("position")
axes.set_ylabel("distance from position 1")

print(f"length of a row {np.linalg.norm(P[0]):.2f}")
print(f"from 1 to 10    {distance[1, 10]:.2f}")
print(f"neighbours      {distance[0, 1]:.2f}, the least of all {distance[pairs].min():.2f}")

figures.show()

# %%
# What we have found
# ------------------
#
# - Random vectors of many dimensions are nearly at right angles, with a spread of one over the root of
#   the dimension. That holds between words and positions.
# - It does not hold among positions. They share a large common part.
# - Still no two of 512 positions are closer than neighbours are, and 1 and 10 are more than three
#   times as far apart.
