r"""
Reading word and position back
==============================

There are more words than dimensions, so no guarantee holds that a sum can be taken apart. But perhaps it
can be, nearly always? A *probe* tries: it is a simple reader that sees a sum and names the position, or
the word. This script measures how often it is right, how that depends on the size of the words, and what
the factor of :math:`\sqrt{d}` in the first Transformer has to do with it.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import sinusoidal

# %%
# Four readers
# ------------
#
# All four are linear: they take a dot product with each candidate, correct it by a constant, and
# name the candidate with the largest result. Each is tested on sums of words that it has not seen,
# where it reads positions.
#
# - The *best reader of positions* compares with each position: :math:`x \cdot p`. All rows of the
#   table have the same length, and the words are drawn with the same spread in all directions. Then
#   no reader, however clever, finds more positions of unseen words.
# - *Least squares* does not know the table. It learns from examples to answer 1 for the right
#   position and 0 for the others. This is the probe that is used most.
# - The *plain reader of words* compares with each word, after the mean position is taken off.
# - The *careful reader of words* first projects away all dimensions in which the positions lie.

n_words, n_places, n_seeds = 1000, 50, 5


def best_position(X, P):
    """Return the share of positions that the best reader finds in X of shape (words, positions, d)."""
    found = (X.reshape(-1, X.shape[-1]) @ P.T).argmax(axis=1)
    return (found.reshape(-1, len(P)) == np.arange(len(P))).mean()


def least_squares_position(X, n_training):
    """Return the share that least squares finds, trained on the first words, tested on the last 200."""
    n_places, d = X.shape[1:]
    training, test = (
        np.concatenate([part, np.ones((*part.shape[:2], 1))], axis=-1)  # the one carries the constant
        for part in (X[:n_training], X[-200:])
    )
    rows = training.reshape(-1, d + 1)
    wanted = np.tile(np.eye(n_places), (n_training, 1))
    W = np.linalg.lstsq(rows.T @ rows, rows.T @ wanted)[0]
    return ((test @ W).argmax(axis=-1) == np.arange(n_places)).mean()


def read_words(X, E):
    """Return the share of the first words, in X, that are found by comparing with all words in E."""
    scores = X.reshape(-1, X.shape[-1]) @ E.T - (E**2).sum(axis=1) / 2
    return (scores.argmax(axis=1).reshape(X.shape[:2]) == np.arange(len(X))[:, None]).mean()


def free_of_positions(P):
    """Return the directions, as columns, in which no position differs from zero."""
    _, sizes, directions = np.linalg.svd(P)
    return directions[(sizes > 1e-6 * sizes[0]).sum() :].T


# %%
# The size decides
# ----------------
#
# 1000 words, 50 positions, 64 dimensions. The size of the words, which is the standard deviation of
# their numbers, goes from 0.02 to 1. The table stays the same.

d = 64
P = sinusoidal(n_places, d, dtype=np.float64)
free = free_of_positions(P)
sizes = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0]
names = ("best position", "least squares", "plain word", "careful word")
shares = {name: np.zeros((len(sizes), n_seeds)) for name in names}
for seed in range(n_seeds):
    for row, size in enumerate(sizes):
        E = size * np.random.default_rng(seed).normal(size=(n_words, d))
        X = E[:, None] + P
        shares["best position"][row, seed] = best_position(X, P)
        if size in (0.02, 0.1, 0.3, 1.0):
            shares["least squares"][row, seed] = least_squares_position(X, 500)
        few = X[:200, ::10]  # 200 of the words, at five positions, are enough to read words
        shares["plain word"][row, seed] = read_words(few - P.mean(axis=0), E)
        shares["careful word"][row, seed] = read_words(few @ free, E @ free)

fig, axes = figures.subplots(
    figsize=(4.2, 3.2),
    alt=(
        "Share that is found against the size of the words. The position is always found for small words, "
        "and half of the time for words of size 1. The plain reader finds no small words and all large "
        "ones; the careful reader finds all words of all sizes."
    ),
)
for name, colour, style in (
    ("careful word", "C2", "-"),
    ("plain word", "C0", "-"),
    ("best position", "C1", "-"),
):
    axes.plot(sizes, shares[name], "o", color=colour, alpha=0.4, ms=4)
    axes.plot(sizes, np.median(shares[name], axis=1), style, color=colour)
axes.text(0.02, 1.05, "word, careful reader", color="C2")
axes.text(0.019, 0.19, "word, plain reader", color="C0")
axes.text(0.37, 0.45, "position", color="C1")
axes.set_xscale("log")
axes.set_xticks([0.02, 0.1, 0.3, 1], ["0.02", "0.1", "0.3", "1"])
axes.minorticks_off()
axes.set_ylim(-0.03, 1.16)
axes.set_yticks([0, 0.5, 1])
axes.set_xlabel("size of the words")
axes.set_ylabel("share found")

best, squares = (np.median(shares[name], axis=1) for name in ("best position", "least squares"))
for size, label, best_bounds, squares_bounds in (
    (0.02, "002", (0.999, 1.001), (0.95, 1.0)),
    (0.1, "01", (0.999, 1.001), (0.93, 0.99)),
    (0.3, "03", (0.97, 0.995), (0.91, 0.97)),
    (1.0, "1", (0.47, 0.57), (0.42, 0.54)),
):
    row = sizes.index(size)
    measure(f"told-best-{label}", best[row], above=best_bounds[0], below=best_bounds[1])
    measure(f"told-squares-{label}", squares[row], above=squares_bounds[0], below=squares_bounds[1])
    print(f"size {size}: positions, best reader {best[row]:.3f}, least squares {squares[row]:.3f}")
measure("told-best-spread", np.ptp(shares["best position"], axis=1).max(), below=0.05)
measure("told-careful-word", shares["careful word"].min(), above=0.999)
measure("told-plain-word-002", shares["plain word"][0].max(), below=0.05)
measure("told-plain-word-03", np.median(shares["plain word"][sizes.index(0.3)]), above=0.95, below=0.99)
measure("told-plain-word-1", shares["plain word"][-1].min(), above=0.99)
measure("told-position-dimensions", d - free.shape[1], above=10, below=30)

# %%
# The two are not alike. Positions keep to a few dimensions, so that a reader of words can simply
# ignore these. Words are everywhere; a reader of positions has no such way out, and depends on the
# words being small.
#
# Three things may be said of the numbers of a probe, and are too often left out. They belong to one
# reader: the best one and least squares differ. They belong to one way to split the data: ours are
# tested on words that were not seen. And they depend on how many words there were to learn from.
# With 50 words in 64 dimensions, fewer words than dimensions, least squares learns the 50 words by
# heart, and with new ones it guesses.

few_words = [
    least_squares_position(np.random.default_rng(seed).normal(size=(250, 1, d)) + P, 50)
    for seed in range(n_seeds)
]
measure("told-squares-few-words", max(few_words), below=0.1)
print(f"size 1, least squares from 50 words: {max(few_words):.3f} at most, by chance {1 / n_places}")

# %%
# The factor of the first Transformer
# -----------------------------------
#
# "Attention Is All You Need" (`arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_, section 3.4)
# multiplies each word by :math:`\sqrt{d}` before the position is added, and does not say why. If
# words are drawn with the standard deviation :math:`1/\sqrt{d}`, as is often done, their length is
# about 1. A row of the sinusoidal table has the length :math:`\sqrt{d/2}`, which is 16 for :math:`d
# = 512`. The factor puts the two on a level.

d, n_words = 512, 200
P = sinusoidal(n_places, d, dtype=np.float64)
lengths, found = {}, {}
for name, factor in (("as drawn", 1), ("times the root of d", np.sqrt(d))):
    lengths[name], found[name] = [], []
    for seed in range(n_seeds):
        E = factor / np.sqrt(d) * np.random.default_rng(seed).normal(size=(n_words, d))
        X = E[:, None] + P
        lengths[name].append(np.linalg.norm(E, axis=1).mean())
        found[name].append((read_words(X[:, ::10] - P.mean(axis=0), E), best_position(X, P)))

fig, axes = figures.subplots(
    figsize=(4.2, 2.7),
    alt=(
        "Share that is found with 512 dimensions. Words as drawn: all positions, and by plain "
        "comparison fewer than half of the words. Words multiplied by the root of 512: all words, and "
        "nearly all positions."
    ),
)
for row, (name, values) in enumerate(found.items()):
    word, place = np.array(values).T
    axes.plot(word, np.full(n_seeds, row - 0.12), "o", color="C0", alpha=0.5)
    axes.plot(place, np.full(n_seeds, row + 0.12), "s", color="C1", alpha=0.5)
    axes.text(0, row - 0.32, name)
axes.legend(
    axes.lines[:2],
    ["word, plain reader", "position"],
    loc="upper center",
    bbox_to_anchor=(0.5, 1.22),
    ncols=2,
)
axes.set_xlim(-0.03, 1.05)
axes.set_xticks([0, 0.5, 1])
axes.set_ylim(1.4, -0.6)
axes.set_yticks([])
axes.set_xlabel("share found")

plain = {name: np.median(values, axis=0) for name, values in found.items()}
measure("told-length-position", np.linalg.norm(P[0]), expect=16, within=1e-9)
measure("told-length-drawn", np.mean(lengths["as drawn"]), expect=1, within=0.02)
measure("told-length-scaled", np.mean(lengths["times the root of d"]), expect=np.sqrt(512), within=0.4)
measure("told-drawn-word", plain["as drawn"][0], above=0.35, below=0.5)
measure("told-drawn-position", plain["as drawn"][1], above=0.999)
measure("told-scaled-word", plain["times the root of d"][0], above=0.999)
measure("told-scaled-position", plain["times the root of d"][1], above=0.9, below=0.97)
for name, (word, place) in plain.items():
    print(f"{name}: length {np.mean(lengths[name]):.1f}, words {word:.1%}, positions {place:.1%}")

figures.show()

# %%
# What we have found
# ------------------
#
# Word and position can be told apart in practice, without any guarantee. The words can always be
# read by whoever ignores the few dimensions of the positions. The positions can be read as long as
# the words are not too large for the number of dimensions. The factor of :math:`\sqrt{d}` makes the
# words as large as the positions; at 512 dimensions that is little enough for the positions to
# survive.
