r"""
A head that looks back
======================

Nothing in attention looks at the previous word by itself. Can a head do it at all, when all it is given
is a table of sines and cosines, added to the words? This script builds such a head by hand, with a
rotation in its key matrix. It then sees what words do to it, and at last lets a head learn the same from
random beginnings.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import attention, rotation_matrix, sinusoidal

# %%
# Turn the keys
# -------------
#
# A head looks where query and key agree best. Let the query be the position itself, and let the key
# matrix turn each position :math:`k` steps on:
#
# .. math::
#
#    q_i = \mathrm{PE}(i), \qquad k_j = R(k)\,\mathrm{PE}(j) = \mathrm{PE}(j + k)
#
# The two agree best where :math:`j + k = i`: at the word :math:`k` places back. So :math:`W_Q` is the
# identity and :math:`W_K` a rotation; as our positions are rows, it is the transpose of :math:`R(k)`.
# We make the queries longer by a factor of :math:`\sqrt{d}`, so that the head is sure of itself.
#
# Positions alone to begin with, and one frame for each :math:`k`:

d = 512
P = sinusoidal(13, d, dtype=np.float64)


def look(X, k, before=None):
    """Return the attention weights of a head that looks k places back."""
    read = X if before is None else X @ before
    W_Q, W_K = np.sqrt(d) * np.eye(d), rotation_matrix(k, d).T
    return attention(read @ W_Q, read @ W_K, X)[1]


frames = range(-1, 5)
fig, grid = figures.subplots(
    3,
    2,
    figsize=(4.2, 3.9),
    sharex=True,
    sharey=True,
    alt=(
        "Six bar charts of the attention of word 7 over words 0 to 12, for key matrices that turn by minus "
        "1 to 4 steps. The bar is at word 8 for minus 1, at 7 for 0, and then moves to 6, 5, 4 and 3."
    ),
)
for axes, k in zip(grid.flat, frames, strict=True):
    share = look(P, k)[7]
    axes.bar(range(13), share, color=["C1" if j == 7 - k else "C0" for j in range(13)])
    axes.axvline(7, color=figures.FAINT, linewidth=1, zorder=0)
    axes.set_title(f"k = {k}".replace("-", "\N{MINUS SIGN}"), fontsize=10, fontweight="normal")
    axes.set_xticks([0, 7, 12])
    axes.set_yticks([0, 1])
for axes in grid[-1]:
    axes.set_xlabel("key")
grid[1, 0].set_ylabel("share of attention")

# %%
# Turn the keys by one step, and all attention moves by one word. Nothing else has changed. The matrix
# does not know where it is used: the same head looks back by :math:`k` from every word.

n = 64
P = sinusoidal(n, d, dtype=np.float64)
share_back = [np.diag(look(P, k), -k).min() for k in (1, 2, 3)]
built = measure("inside-built-share", min(share_back), above=0.99)
print(f"positions alone: at least {built:.1%} of the attention is where it should be")

# %%
# What words do to it
# -------------------
#
# So far there were no words. With random words of a small standard deviation added, which is how
# embeddings look at the start of BERT's training, the head stands firm. As the words grow, they drown it.

n_seeds = 5
stds = [0.02, 0.05, 0.1, 0.2, 0.5, 1.0]


def mean_share(weights):
    """Return the mean share of the previous word, over all words that have one."""
    return np.diag(weights, -1).mean()


disturbed = {
    std: [
        mean_share(look(P + std * np.random.default_rng(seed).normal(size=(n, d)), 1))
        for seed in range(n_seeds)
    ]
    for std in stds
}
for std, values in disturbed.items():
    print(f"token std {std:4}: {min(values):.3f} to {max(values):.3f}")
measure("inside-share-small-words", min(disturbed[0.02]), above=0.98)
measure("inside-share-large-words", max(disturbed[1.0]), below=0.1)

# %%
# Help is possible. Words and positions lie in different directions, if there is room. Then there is one
# matrix that erases every word of a vocabulary and leaves every position as it is. Put it in front of
# :math:`W_Q` and :math:`W_K`, and the head sees positions alone. We take a vocabulary of 100 words of
# full size.

basis = np.linalg.svd(P, full_matrices=False)
directions = basis[2][basis[1] > 1e-3 * basis[1][0]]  # those in which the positions lie

erased = []
for seed in range(n_seeds):
    rng = np.random.default_rng(seed)
    vocabulary = rng.normal(size=(100, d))
    eraser = np.linalg.pinv(np.vstack([vocabulary, directions])) @ np.vstack(
        [np.zeros_like(vocabulary), directions]
    )
    sentence = vocabulary[rng.integers(100, size=n)]
    X = sentence + P
    assert mean_share(look(X, 1)) < 0.1  # as it is, the words drown the head
    erased.append(mean_share(look(X, 1, before=eraser)))
share_erased = measure("inside-share-erased", min(erased), above=0.98)
print(f"words of std 1, erased first: at least {share_erased:.3f}")

# %%
# Can it be learned?
# ------------------
#
# To build a head is one thing. Does training find one? A small task: random words from a vocabulary
# of 20, sixteen a sentence. Every word should attend to the one before it, and the loss is the
# negative logarithm of the share that it gets. We start from random :math:`W_Q` and :math:`W_K` and
# follow the gradient, which is short enough to write by hand. Five beginnings, and every sentence is
# a new one.
#
# The control is the same head without positions. The words are drawn independently, so nothing about them
# tells which one came before: it has nothing to learn from.

n, d_small, n_words, batch = 16, 64, 20, 16
n_steps, rate, momentum = 200, 0.2, 0.9
target = np.eye(n, k=-1)  # the previous word; the first one has none
table = sinusoidal(n, d_small, dtype=np.float64)


def learn(seed, table):
    """Train a head to look at the previous word; return its share after each step."""
    rng = np.random.default_rng(seed)
    vocabulary = rng.normal(size=(n_words, d_small))
    W = rng.normal(size=(2, d_small, d_small)) / np.sqrt(d_small)
    velocity = np.zeros_like(W)
    shares = []
    for _ in range(n_steps + 1):
        X = vocabulary[rng.integers(n_words, size=(batch, n))] + table
        Q, K = X @ W[0], X @ W[1]
        _, weights = attention(Q, K, X)
        shares.append(np.diagonal(weights, -1, axis1=1, axis2=2).mean())

        slope = (weights - target) / np.sqrt(d_small) / (batch * (n - 1))  # of the loss, in each score
        slope[:, 0] = 0
        gradient = np.stack(
            [
                np.einsum("bni,bnj->ij", X, slope @ K),
                np.einsum("bni,bnj->ij", X, slope.swapaxes(1, 2) @ Q),
            ]
        )
        velocity = momentum * velocity - rate * gradient
        W = W + velocity
    return shares


with_table = np.array([learn(seed, table) for seed in range(n_seeds)])
without = np.array([learn(seed, 0 * table) for seed in range(n_seeds)])

print(f"before: {with_table[:, 0].min():.3f} to {with_table[:, 0].max():.3f}, chance is {1 / n:.3f}")
print(f"after, with positions:    {with_table[:, -1].min():.2f} to {with_table[:, -1].max():.2f}")
print(f"after, without positions: {without[:, -1].min():.2f} to {without[:, -1].max():.2f}")
measure("inside-untrained-share", with_table[:, 0].max(), below=0.12)
measure("inside-learned-share", with_table[:, -1].min(), above=0.9)
measure("inside-learned-share-no-positions", without[:, -1].max(), below=0.12)

fig, axes = figures.subplots(
    alt=(
        "Line chart of the share of attention on the previous word during 200 steps of training. With "
        "positions, five lines rise from about one sixteenth to nearly 1. Without positions, five lines "
        "stay at one sixteenth."
    ),
)
axes.plot(with_table.T, color="C0", linewidth=1)
axes.plot(without.T, color="C1", linewidth=1)
axes.text(200, 0.80, "positions added", color="C0", ha="right")
axes.text(200, 0.14, "no positions", color="C1", ha="right")
axes.set_ylim(0, 1.05)
axes.set_xlabel("step of training")
axes.set_ylabel("share of the previous word")

figures.show()

# %%
# What we have found
# ------------------
#
# - A rotation in :math:`W_K` makes a head look back by any fixed number of words, the same from
#   every place.
# - Words of full size drown it, unless the matrices erase them first. That is possible where words
#   and positions lie in different directions.
# - It does not come by itself: before training the previous word gets what chance gives it.
#   Training finds such a head quickly in this small task, from all five beginnings.
