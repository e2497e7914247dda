r"""
Adding moves the whole cloud
============================

Think of each word as a house on a map. To add a position is to walk: three streets east, one north.
All houses take the same walk, so that the whole town moves, and its streets stay as they are. But does
a house of the moved town not land where another one stood before? On a map, easily. This script looks
at how it comes about, and how many dimensions and which scale keep the houses apart.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import sinusoidal

# %%
# A walk for everyone
# -------------------
#
# Five words in the plane, and four positions :math:`(\sin p, \cos p)`, the sinusoidal table of two
# columns. Each frame adds the vector of one position to all the words. The small grey dots show where
# the words are without any position.

words = np.array([[0.0, 0.0], [1.5, 0.4], [0.7, 1.6], [-1.2, 0.9], [-0.5, -1.1]])
PE = sinusoidal(4, 2, dtype=np.float64)

fig, frames = figures.subplots(
    2,
    2,
    figsize=(4.2, 4.2),
    sharex=True,
    sharey=True,
    alt=(
        "Four frames, for the positions 0 to 3. Five points, joined to a star, keep their distances and "
        "directions, while an arrow that turns from frame to frame moves all of them together."
    ),
)
for p, axes in enumerate(frames.flat):
    moved = words + PE[p]
    axes.plot(*words.T, "o", color="0.75", ms=4)
    for point in moved[1:]:
        axes.plot(*np.array([moved[0], point]).T, color="C0", lw=1)
    axes.plot(*moved.T, "o", color="C0", ms=6)
    axes.annotate("", PE[p], (0, 0), arrowprops={"arrowstyle": "->", "color": "C1", "lw": 2})
    axes.set_title(f"position {p}")
    axes.set_xlim(-2.4, 2.7)
    axes.set_ylim(-2.4, 2.9)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])

# %%
# The star keeps its shape. In formulas: the step from position :math:`a` to position :math:`b` is the
# same for every word, because the word cancels,
#
# .. math::
#
#    (e + p_b) - (e + p_a) = p_b - p_a,
#
# and the distance of two words is the same at every position, because the position cancels.

n_draws = 20
step_spread, distance_change = [], []
for seed in range(n_draws):
    E = np.random.default_rng(seed).normal(size=(50, 64))
    P = sinusoidal(50, 64, dtype=np.float64)
    sums = E[:, None] + P  # word, position, dimension
    steps = sums[:, 1:] - sums[:, :-1]
    step_spread.append(np.abs(steps - (P[1:] - P[:-1])).max())
    gaps = sums[:1] - sums[1:]
    distance_change.append(np.abs(gaps - gaps[:, :1]).max())

step_error = measure("geometry-step-error", max(step_spread), below=1e-13)
gap_error = measure("geometry-gap-error", max(distance_change), below=1e-13)
print(f"steps differ from word to word by at most     {step_error:.0e}")
print(f"gaps differ from position to position by at most {gap_error:.0e}")

# %%
# Collisions
# ----------
#
# Let a step to the next position be a walk by :math:`(1, 0)`. The word that lives at :math:`(1, 0)`,
# at position 0, and the word that lives at :math:`(0, 0)`, at position 1, then meet. From the sum alone
# nobody can tell who it is. A third dimension that only positions use would keep them apart.

meet = np.array([1, 0]) + 0 * np.array([1, 0]) - (np.array([0, 0]) + 1 * np.array([1, 0]))
measure("geometry-plane-collision", np.linalg.norm(meet), expect=0)

# %%
# How close do sums of *different* words come in general? We draw 40 words at random, put each at 50
# positions of the sinusoidal table, and look for the two sums of different words that are nearest to
# each other. What matters is how many dimensions there are, and how large the words are: 1 is the
# standard deviation with which many draw their tables, 0.02 the one of BERT.

n_words, n_places, n_seeds = 40, 50, 5


def nearest(E, P):
    """Return the least distance between sums of different words, at any two positions."""
    sums = (E[:, None] + P).reshape(-1, E.shape[1])
    squares = (sums**2).sum(axis=1)
    distances = squares[:, None] + squares - 2 * sums @ sums.T
    same_word = np.kron(np.eye(len(E), dtype=bool), np.ones((len(P), len(P)), dtype=bool))
    return np.sqrt(max(distances[~same_word].min(), 0.0))


dims = [2, 4, 8, 16, 32, 64, 128]
scales = {1.0: [], 0.02: []}
for scale, found in scales.items():
    for d in dims:
        P = sinusoidal(n_places, d, dtype=np.float64)
        found.append(
            [
                nearest(scale * np.random.default_rng(seed).normal(size=(n_words, d)), P)
                for seed in range(n_seeds)
            ]
        )
steps = [np.linalg.norm(np.diff(sinusoidal(2, d, dtype=np.float64), axis=0)) for d in dims]

fig, axes = figures.subplots(
    figsize=(4.2, 3.2),
    alt=(
        "The least distance between sums of different words, against the number of dimensions, on "
        "logarithmic axes, for words of standard deviation 1 and 0.02. Both rise steeply, from next to "
        "nothing in the plane. At 64 dimensions words of standard deviation 1 keep several steps "
        "between neighbouring positions apart, those of 0.02 only a small part of a step."
    ),
)
for found, colour in zip(scales.values(), ("C0", "C1"), strict=True):
    for seed in range(n_seeds):
        axes.plot(dims, [values[seed] for values in found], "o", color=colour, alpha=0.4, ms=4)
    axes.plot(dims, np.median(found, axis=1), color=colour)
axes.plot(dims, steps, "--", color="0.4")
axes.text(2, 1.35, "next position", color="0.3")
axes.text(24, 8.5, "words of size 1", color="C0", ha="right")
axes.text(20, 0.012, "words of size 0.02", color="C1")
axes.set_xscale("log", base=2)
axes.set_yscale("log")
axes.set_xticks(dims, [str(d) for d in dims])
axes.set_yticks([1e-4, 1e-2, 1, 10], ["0.0001", "0.01", "1", "10"])
axes.minorticks_off()
axes.set_xlabel("dimensions")
axes.set_ylabel("least distance")

# In between: words of size 1/8, whose length is about 1.
P = sinusoidal(n_places, 64, dtype=np.float64)
at_64 = {scale: np.array(found[dims.index(64)]) for scale, found in scales.items()}
at_64[0.125] = np.array(
    [nearest(0.125 * np.random.default_rng(seed).normal(size=(n_words, 64)), P) for seed in range(n_seeds)]
)
for scale, values in at_64.items():
    print(f"d = 64, words of size {scale}: {values.min():.3f} to {values.max():.3f}")

measure("geometry-nearest-plane", np.median(scales[1.0][0]), above=0, below=0.02)
measure("geometry-nearest-1", np.median(at_64[1.0]), above=6.5, below=9)
measure("geometry-nearest-0125", np.median(at_64[0.125]), above=0.8, below=1.2)
measure("geometry-nearest-002", np.median(at_64[0.02]), above=0.12, below=0.19)
measure("geometry-step-64", steps[dims.index(64)], expect=1.47, within=0.005)

figures.show()

# %%
# What we have found
# ------------------
#
# In the plane 2000 sums crowd together and some nearly meet. In 64 dimensions those of size 1 keep far
# apart. Small words, drawn as BERT draws them, are another matter: whoever stands at the same position
# is only a small step away from its neighbours, less than the step to the next position. No two meet,
# but the positions drown the words. It takes many dimensions *and* the right size.
