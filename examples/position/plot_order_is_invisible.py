r"""
Order is invisible to attention
===============================

"Dog bites man" and "man bites dog" use the same three words. Attention, as it stands, gives each
word the same answer in both sentences: it does not know who came first. This script shows it, and
then measures what lets the order in: a causal mask over one layer, the same mask over two, or a table
of sines and cosines that is added to the words.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import attention, sinusoidal

# %%
# Words as rows
# -------------
#
# A sentence of :math:`n` words is a matrix :math:`X`: one row of :math:`d` numbers for each word. A
# trained model has learned its numbers; ours are drawn at random, which is enough here, because
# nothing below depends on what they are.
#
# One layer of attention turns each row into a query, a key and a value by three matrices, and lets
# every word collect the values of the words that it attends to:
#
# .. math::
#
#    Q = X W_Q, \quad K = X W_K, \quad V = X W_V
#
# .. math::
#
#    Y(X) = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d}}\right) V

d = 16


def draw_words(n, rng):
    """Draw n words, one a row."""
    return rng.normal(size=(n, d))


def draw_weights(rng):
    """Draw the three matrices of a layer, stacked."""
    return rng.normal(size=(3, d, d)) / np.sqrt(d)


def layer(X, W, mask=None):
    """Return Y(X)."""
    Q, K, V = X @ W
    Y, _ = attention(Q, K, V, mask=mask)
    return Y


# %%
# The same words in another order
# -------------------------------
#
# To reorder a sentence is to multiply it from the left by a permutation matrix :math:`P`: each of
# its rows has a single 1, which picks one word.

rng = np.random.default_rng(8)  # a draw whose rows the eye can tell apart
X = draw_words(3, rng)  # dog, bites, man
W = draw_weights(rng)
P = np.eye(3)[[2, 1, 0]]  # man, bites, dog

Y_dog_bites_man = layer(X, W)
Y_man_bites_dog = layer(P @ X, W)

fig, (left, right) = figures.subplots(
    1,
    2,
    figsize=(4.2, 2.2),
    alt=(
        "Two small heat maps of three rows, one for each word. The output for man bites dog has "
        "the same three rows as the output for dog bites man, only in the opposite order."
    ),
)
colours = {"cmap": "RdBu_r", "aspect": "auto", "interpolation": "nearest"}
limit = np.abs(Y_dog_bites_man).max()
for axes, Y, sentence in (
    (left, Y_dog_bites_man, "dog bites man"),
    (right, Y_man_bites_dog, "man bites dog"),
):
    axes.imshow(Y, vmin=-limit, vmax=limit, **colours)
    axes.set_title(sentence)
    axes.set_xticks([])
    axes.set_yticks(range(3), sentence.split())

# %%
# Each stripe is what one word has become after the layer. Find the row of *dog* on the left, then
# on the right: it has moved, but not one of its colours has changed. Whoever bites, *dog* means the
# same.
#
# Equivariant, not invariant
# --------------------------
#
# One often reads that attention is *invariant* to order. Look closely: the output does change, for
# its rows have moved. What holds is that the output is reordered exactly as the input was. This is
# called *equivariance*:
#
# .. math::
#
#    Y(P X) = P\, Y(X)
#
# Only what forgets the rows, such as their mean, stays the same. We test all three statements on
# sentences of seven words, with twenty draws of words, weights and order.

n = 7
n_draws = 20

not_moved_along, not_fixed, mean_changed = [], [], []
for seed in range(n_draws):
    rng = np.random.default_rng(seed)
    X, W = draw_words(n, rng), draw_weights(rng)
    P = np.eye(n)[rng.permutation(n)]
    not_moved_along.append(np.abs(layer(P @ X, W) - P @ layer(X, W)).max())
    not_fixed.append(np.abs(layer(P @ X, W) - layer(X, W)).max())
    mean_changed.append(np.abs(layer(P @ X, W).mean(axis=0) - layer(X, W).mean(axis=0)).max())

equivariance_error = measure("order-equivariance-error", max(not_moved_along), below=1e-12)
invariance_error = measure("order-invariance-error", min(not_fixed), above=0.1)
mean_error = measure("order-mean-invariance-error", max(mean_changed), below=1e-12)

print(f"|Y(PX) - P Y(X)|         <= {equivariance_error:.0e}")
print(f"|Y(PX) - Y(X)|           >= {invariance_error:.2f}")
print(f"|mean Y(PX) - mean Y(X)| <= {mean_error:.0e}")

# %%
# The first and the third number are zero but for the rounding of floating-point arithmetic. So a
# model that reads the mean of :math:`Y` cannot tell the two sentences apart, however it is trained.
#
# A table that says where
# -----------------------
#
# The way out in "Attention Is All You Need" (`arXiv:1706.03762
# <https://arxiv.org/abs/1706.03762>`_) is to add to each row a vector that depends on its position
# :math:`p` alone. Every pair of columns holds the sine and the cosine of an angle that grows with
# the position, quickly in the first pair and ever more slowly after it:
#
# .. math::
#
#    \sin\left(p / 10000^{2i/d}\right), \quad \cos\left(p / 10000^{2i/d}\right)

table = sinusoidal(64, 64)

fig, axes = figures.subplots(
    alt=(
        "Heat map of the sinusoidal table: 64 positions down, 64 dimensions across. The columns on "
        "the left change quickly from row to row, those on the right hardly at all."
    ),
)
image = axes.imshow(table, vmin=-1, vmax=1, **colours)
axes.set_xlabel("dimension")
axes.set_ylabel("position")
axes.set_xticks([0, 16, 32, 48, 63])
axes.set_yticks([0, 16, 32, 48, 63])
fig.colorbar(image, ax=axes, ticks=[-1, 0, 1])

assert len(np.unique(table, axis=0)) == 64  # no two positions share a row

# %%
# Does the last word notice?
# --------------------------
#
# A decoder has a *causal mask*: a word may attend to itself and to what came before it, never to
# what follows. That alone breaks the symmetry, because the first word sees one word and the last
# sees all of them. But how much of the order does it show?
#
# We keep the last word where it is, read all earlier words backwards, and measure by how much the
# last row of the output changes, relative to its length. There are four models, and twenty draws of
# words and weights for each; the table is added in the last of them only. Printed are the smallest
# change, the median and the largest. Beside it we note whether *any* word gets another answer than
# before: where none does, the model is equivariant.


def output(X, layers, mask):
    """Return what each word has become after all layers."""
    for W in layers:
        X = layer(X, W, mask)
    return X


backwards = [*reversed(range(n - 1)), n - 1]
causal = np.tri(n, dtype=bool)
PE = sinusoidal(n, d, dtype=np.float64)

models = {
    "2 layers, no mask": (2, None, 0),
    "1 layer, causal mask": (1, causal, 0),
    "2 layers, causal mask": (2, causal, 0),
    "1 layer, no mask, table added": (1, None, PE),
}
change = {name: [] for name in models}
any_change = {name: [] for name in models}
for name, (depth, mask, added) in models.items():
    for seed in range(n_draws):
        rng = np.random.default_rng(seed)
        X = draw_words(n, rng)
        layers = [draw_weights(rng) for _ in range(depth)]
        before = output(X + added, layers, mask)
        after = output(X[backwards] + added, layers, mask)[backwards]  # each word in its old row again
        change[name].append(np.linalg.norm(after[-1] - before[-1]) / np.linalg.norm(before[-1]))
        any_change[name].append(np.abs(after - before).max())

for name, values in change.items():
    print(f"{min(values):.0e}  {np.median(values):.0e}  {max(values):.0e}  {name}")

measure("order-change-no-mask", max(change["2 layers, no mask"]), below=1e-12)
measure("order-change-one-causal-layer", max(change["1 layer, causal mask"]), below=1e-12)
measure("order-change-two-causal-layers", min(change["2 layers, causal mask"]), above=1e-3)
measure("order-change-table-added", min(change["1 layer, no mask, table added"]), above=1e-3)

# One layer under a mask: blind at the last word, and yet no longer equivariant.
measure("order-mask-any-change", min(any_change["1 layer, causal mask"]), above=0.1)
measure("order-no-mask-any-change", max(any_change["2 layers, no mask"]), below=1e-12)

# %%
# Each dot is one draw. The axis is logarithmic: the dots on the left are rounding errors, a change
# of nothing.

fig, axes = figures.subplots(
    alt=(
        "Dot plot of the change in the last word for four models. For two layers without a mask "
        "and for one layer with a causal mask the change is a rounding error. For two layers with "
        "a causal mask, and with the table added, it is large in every draw."
    ),
)
for row, (name, values) in enumerate(change.items()):
    # A change of exactly nothing has no place on a logarithmic axis: it goes to the left edge.
    axes.plot(np.maximum(values, 1e-17), np.full(n_draws, row), "o", color="C0", alpha=0.5)
    axes.text(3e-18, row - 0.25, name)
axes.set_xscale("log")
axes.set_xlim(1e-18, 10)
axes.set_xticks([1e-16, 1e-12, 1e-8, 1e-4, 1], ["1e-16", "1e-12", "1e-8", "1e-4", "1"])
axes.set_ylim(len(change) - 0.5, -0.7)
axes.set_yticks([])
axes.set_xlabel("change in the last word")

figures.show()

# %%
# What we have found
# ------------------
#
# - Without a mask no number of layers helps: each of them moves the rows along, and so does the
#   whole.
# - A causal mask breaks the symmetry: already in a single layer some words get another answer. The
#   last one does not, for it still gets a mere *set* of earlier words. From the second layer on it
#   notices their order, because each of them has by then seen a different part of the sentence. This
#   leaves a decoder room to learn order without any position encoding, and decoders do (Haviv et al.
#   2022, `arXiv:2203.16634 <https://arxiv.org/abs/2203.16634>`_; Kazemnejad et al. 2023,
#   `arXiv:2305.19466 <https://arxiv.org/abs/2305.19466>`_).
# - An encoder has no such mask and has to be told. To add the table is enough: with a single layer
#   the last word notices in every draw.
#
# That the order *shows* does not yet mean that a model uses it well. That has to be learned.
