r"""
Positions that are not on a line
================================

A word stands in a line: a single number says where. A patch of a picture has a row and a column. A node
of a tree has a way that leads down to it, and an atom of a molecule has nothing but its neighbours. What
takes the place of the sinusoidal table there? This script tries four answers, and each time it looks for
what made the table good on a line: a step is the same map wherever it is taken.
"""

from itertools import product

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import rotary_2d, rotary_frequencies, sinusoidal, sinusoidal_2d, tree_encoding

# %%
# A picture, read like a book
# ---------------------------
#
# Cut a picture into 15 × 15 patches. The simplest way to number them is the way we read: along the first
# row, then along the second. Patch :math:`(y, x)` gets the number :math:`15 y + x` and that row of the
# table. How alike are two patches? We take the dot product of their vectors, divided by its largest
# value, which is that of a patch with itself.

side, d = 15, 64
as_read = sinusoidal(side * side, d, dtype=np.float64).reshape(side, side, d)


def alike(table, one, other):
    """Return the dot product of two patches' vectors, 1 for a patch with itself."""
    return table[one] @ table[other] / (d / 2)


middle, right, below = (7, 7), (7, 8), (8, 7)
row_end, next_row = (7, 14), (8, 0)
read_right = measure("beyond-read-right", alike(as_read, middle, right), expect=0.9662, within=1e-4)
read_below = measure("beyond-read-below", alike(as_read, middle, below), expect=0.6084, within=1e-4)
read_wrap = measure("beyond-read-wrap", alike(as_read, row_end, next_row), expect=0.9662, within=1e-4)
print(f"to the right                         {read_right:.3f}")
print(f"below                                {read_below:.3f}")
print(f"from the end of a row to the next row {read_wrap:.3f}")

# %%
# The patch below touches ours just as the one to the right does, but it counts as 15 steps away. And the
# end of a row counts as a neighbour of the beginning of the next one, though they lie on opposite edges
# of the picture.
#
# A half for the row, a half for the column
# -----------------------------------------
#
# DETR (Carion et al. 2020, `arXiv:2005.12872 <https://arxiv.org/abs/2005.12872>`_) gives half of the
# dimensions to the row and half to the column, and puts the halves side by side:
#
# .. math::
#
#    PE(y, x) = \left[\, PE_{d/2}(y) \;\middle|\; PE_{d/2}(x) \,\right]
#
# That is a concatenation, and at the same time a sum: of one table that is zero on the right, and one
# that is zero on the left. This holds to the last bit.

by_halves = sinusoidal_2d(side, side, d, dtype=np.float64)

line = sinusoidal(side, d // 2, dtype=np.float64)
zeros = np.zeros_like(line)
of_row = np.hstack([line, zeros])
of_column = np.hstack([zeros, line])
as_a_sum = of_row[:, None] + of_column[None, :]
measure("beyond-halves-as-sum", np.abs(by_halves - as_a_sum).max(), expect=0)

# %%
# The dot product of two patches is then a sum too, :math:`g(\Delta y) + g(\Delta x)`, with the function
# :math:`g` of the table on a line. It depends on the offset in the plane alone. We try all pairs of
# patches.

vectors = by_halves.reshape(-1, d)
y, x = np.mgrid[:side, :side].reshape(2, -1)
g = line @ line[0]
predicted = g[np.abs(y[:, None] - y)] + g[np.abs(x[:, None] - x)]
grid_error = measure("beyond-grid-offset-error", np.abs(vectors @ vectors.T - predicted).max(), below=1e-12)

grid_right = measure("beyond-grid-right", alike(by_halves, middle, right), expect=0.9786, within=1e-4)
grid_below = measure("beyond-grid-below", alike(by_halves, middle, below), expect=0.9786, within=1e-4)
print(f"to the right {grid_right:.3f}, below {grid_below:.3f}")
print(f"differs from g(dy) + g(dx) by at most {grid_error:.0e}")

fig, panels = figures.subplots(
    1,
    2,
    figsize=(4.2, 2.7),
    sharey=True,
    alt=(
        "Two heat maps of 15 by 15 patches: how alike each patch is to the one in the middle. Numbered "
        "as we read, only a streak along the middle row is bright. With a half for the row and a half for "
        "the column, a cross is bright: the middle row and the middle column, brightest where they meet."
    ),
)
for axes, table, title in zip(
    panels, (as_read, by_halves), ("numbered\nas we read", "row and\ncolumn"), strict=True
):
    image = axes.imshow(table @ table[middle] / (d / 2), vmin=0.3, vmax=1, interpolation="nearest")
    axes.set_title(title)
    axes.set_xticks([0, 7, 14])
    axes.set_yticks([0, 7, 14])
    axes.set_xlabel("column")
panels[0].set_ylabel("row")
fig.colorbar(image, ax=panels, ticks=[0.4, 0.6, 0.8, 1], location="bottom", shrink=0.7, aspect=30)

# %%
# On the right rows and columns count alike. But look at the shape: it is a cross, no circle. A sum says
# *or*: a patch of the same row is alike however far away it is, because its row half agrees fully. Seven
# steps along the row count as nearer than three steps down and three to the side, although on the picture
# these are only 4.2 patches away.

along = measure("beyond-cross-along", alike(by_halves, middle, (7, 14)), expect=0.8571, within=1e-4)
aslant = measure("beyond-cross-aslant", alike(by_halves, middle, (10, 10)), expect=0.7670, within=1e-4)
measure("beyond-cross", along - aslant, above=0.05)
print(f"7 along the row {along:.3f}, 3 down and 3 to the side {aslant:.3f}")

# %%
# Turn by the row, turn by the column
# -----------------------------------
#
# Rotary encoding goes the same way: half of the pairs of a query or a key turn by the row, the other half
# by the column. Let a patch look at all others, then move the whole picture by 3 rows and 5 columns. What
# is in the patches stays as it is. We draw queries and keys five times, and compare with what happens to
# the scores when the table of halves is added instead.

frequencies = rotary_frequencies(d // 2)
patches = np.stack([y, x], axis=-1)
move = np.array([3, 5])
larger = sinusoidal_2d(side + 5, side + 5, d, dtype=np.float64)


def scores_turned(q, k, places):
    """Return the scores of queries and keys that were turned to their places."""
    turned_q = rotary_2d(q, places, frequencies, layout="halves")
    turned_k = rotary_2d(k, places, frequencies, layout="halves")
    return turned_q @ turned_k.T


def scores_added(q, k, places):
    """Return the scores of queries and keys to which the table was added."""
    added = larger[places[:, 0], places[:, 1]]
    return (q + added) @ (k + added).T


changed = {scores_turned: [], scores_added: []}
for seed in range(5):
    q, k = np.random.default_rng(seed).normal(size=(2, side * side, d))
    for scores, values in changed.items():
        before, after = scores(q, k, patches), scores(q, k, patches + move)
        values.append(np.abs(after - before).max() / before.std())
moved_turned = measure("beyond-moved-rotary", max(changed[scores_turned]), below=1e-12)
moved_added = measure("beyond-moved-added", min(changed[scores_added]), expect=2.04, within=0.05)
print(f"scores change by at most {moved_turned:.0e} when turned, by {moved_added:.1f} when added")

# %%
# Measured in standard deviations of the scores, rotary encoding changes nothing. With an added table the
# content meets the position (:math:`q \cdot p` and :math:`p \cdot k`), and these terms do notice where the
# picture begins.
#
# A word or a patch?
# ------------------
#
# Now a model reads a caption and looks at a picture. The words have the table of a line, the patches that
# of a grid, both with :math:`d` columns. Which vectors come nearest to each other?

words = sinusoidal(side * side, d, dtype=np.float64)


def nearest(some, others):
    """Return the least distance between a row of the one table and a row of the other."""
    return min(np.linalg.norm(row - others, axis=1).min() for row in some)


untagged = measure("beyond-word-patch", nearest(words, vectors), expect=0)

# %%
# The first word and the first patch have the *same* vector: all angles are 0. A network that gets only
# this cannot tell a word's place from a patch's. So a second encoding is needed, which says what kind of
# thing it is: a *tag*, one vector for all words and another for all patches. It may be added, like the
# segments of BERT. We draw such tags at random, five times.

tagged = []
for seed in range(5):
    word_tag, patch_tag = np.random.default_rng(seed).normal(size=(2, d))
    tagged.append(nearest(words + word_tag, vectors + patch_tag))
tagged = measure("beyond-word-patch-tagged", min(tagged), above=5)
print(f"nearest word and patch: {untagged:.0f} without a tag, {tagged:.1f} with one")

# %%
# A tree: push and pop
# --------------------
#
# In a family tree or a program a place is a way from the root: left, right, left. Shiv and Quirk (2019)
# keep it as a stack. The last step lies on top, a one for the branch that was taken, and each step below
# it counts half as much as the one above (they learn this factor). To go *down* is to put a step on top
# and push the others down; to go *up* is to take the top away and pull the others up.

depth, branches, decay = 5, 2, 0.5
root = np.zeros(depth * branches)


def down(node, branch):
    """Put a step on top of the stack."""
    return np.concatenate([np.eye(branches)[branch], decay * node[:-branches]])


def up(node):
    """Take the top of the stack away."""
    return np.concatenate([node[branches:], np.zeros(branches)]) / decay


for way in ("", "L", "R", "LR", "RR"):
    node = root
    for step in way:
        node = down(node, "LR".index(step))
    print(f"{way or 'root':>4}", *(f"{number:4.2g}" for number in node[:6]), "...")

# %%
# Both maps are the same at every node, and :math:`U D_b = I`: down and up again leads back. We try it at
# each node of the tree that has room for one more step.

levels = [[root]]
for _ in range(depth):
    levels.append([down(node, branch) for node in levels[-1] for branch in range(branches)])
not_back = max(
    np.abs(up(down(node, branch)) - node).max()
    for level in levels[:-1]
    for node in level
    for branch in range(branches)
)
measure("beyond-tree-down-up", not_back, expect=0)  # halving and doubling round nothing

nodes = np.array([node for level in levels for node in level])
# The same nodes by their ways down, as the library takes them.
ways = [way for length in range(depth + 1) for way in product(range(branches), repeat=length)]
assert np.array_equal(nodes, tree_encoding(ways, depth=depth, branching=branches, decay=decay))
measure("beyond-tree-nodes", len(np.unique(nodes, axis=0)), expect=2 ** (depth + 1) - 1)
print(f"{len(nodes)} nodes, all different; down and up again misses by {not_back:.0f}")

# %%
# So "two up, then down to the right" is one fixed map for every node, just as "three places further" is
# one fixed rotation on a line. But now the order of the steps matters: down and then up leads back, while
# up and then down may lead to the sibling.
#
# A graph: waves
# --------------
#
# In a graph there is no root and no left or right, only who is joined with whom. The *Laplacian* of a
# graph is a matrix with the number of neighbours of each node on the diagonal, and :math:`-1` for each
# edge. Its eigenvectors are the waves in which the graph would swing, the slow ones first. For a chain of
# nodes these are waves that we know:
#
# .. math::
#
#    u_k(j) \propto \cos\left(\frac{\pi k}{n} \left(j + \tfrac12\right)\right)


def laplacian(edges, n):
    """Return the matrix of a graph with n nodes."""
    adjacency = np.zeros((n, n))
    for a, b in edges:
        adjacency[a, b] = adjacency[b, a] = 1
    return np.diag(adjacency.sum(axis=1)) - adjacency


n = 24
chain = laplacian([(j, j + 1) for j in range(n - 1)], n)
_, waves = np.linalg.eigh(chain)
cosines = np.cos(np.pi * np.arange(n) * (np.arange(n)[:, None] + 0.5) / n)
cosines /= np.linalg.norm(cosines, axis=0)
signs = np.sign((waves * cosines).sum(axis=0))
chain_error = measure("beyond-chain-cosines", np.abs(signs * waves - cosines).max(), below=1e-11)

# %%
# Close the chain to a ring, and nearly every wave comes twice, as a sine and a cosine: the pairs of the
# sinusoidal table. The dot product of two nodes, over one such pair, depends on their offset alone.

ring = laplacian([(j, (j + 1) % n) for j in range(n)], n)
_, swings = np.linalg.eigh(ring)
offset = np.arange(n)[:, None] - np.arange(n)
ring_error = 0.0
for k in range(1, n // 2):
    pair = swings[:, 2 * k - 1 : 2 * k + 1]
    wave = 2 / n * np.cos(2 * np.pi * k * offset / n)
    ring_error = max(ring_error, np.abs(pair @ pair.T - wave).max())
ring_error = measure("beyond-ring-offset", ring_error, below=1e-11)
print(f"chain: cosines to {chain_error:.0e};  ring: pairs to {ring_error:.0e}")

# %%
# Which sign?
# -----------
#
# There is a catch. If :math:`u` is such a wave, so is :math:`-u`, and nothing about the graph says which
# one to take. The solver takes one, by accident of how the nodes are numbered. Here is a small molecule,
# a ring of six with a ring of three. We number its nodes anew, two hundred times, and count how often one
# of the three slowest waves comes back upside down.

edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 6), (6, 7), (7, 8), (8, 6)]
molecule = laplacian(edges, 9)
values, modes = np.linalg.eigh(molecule)
assert np.diff(values[:5]).min() > 1e-3  # each of them has an eigenvalue of its own
modes = modes[:, 1:4]

flipped, dots_change = [], []
for seed in range(200):
    order = np.random.default_rng(seed).permutation(9)
    _, again = np.linalg.eigh(molecule[np.ix_(order, order)])
    again = again[np.argsort(order), 1:4]  # back in the old order
    flipped.append((again * modes).sum(axis=0) < 0)
    dots_change.append(np.abs(again @ again.T - modes @ modes.T).max())
flips = measure("beyond-graph-flips", np.mean(flipped), above=0.4, below=0.6)
dots_change = measure("beyond-graph-dots", max(dots_change), below=1e-11)
still_waves = np.abs(molecule @ -modes - -modes * values[1:4]).max()
assert still_waves < 1e-11  # upside down they are waves all the same
print(f"upside down: {flips:.0%};  dot products change by {dots_change:.0e}")

# %%
# It is a toss of a coin. The dot product of two nodes does not mind, because both factors change their
# sign; but whatever a network learns about the vectors themselves is turned around. Remedies: flip the
# signs at random in training, so that the network learns not to rely on them (Dwivedi and Bresson 2020,
# `arXiv:2012.09699 <https://arxiv.org/abs/2012.09699>`_), build a network for which :math:`u` and
# :math:`-u` are the same (Lim et al. 2022, `arXiv:2202.13013 <https://arxiv.org/abs/2202.13013>`_), or
# use numbers that have no sign, such as the chance that a random walk is back after some steps (Dwivedi
# et al. 2021, `arXiv:2110.07875 <https://arxiv.org/abs/2110.07875>`_).

fig, (top, bottom) = figures.subplots(
    2,
    1,
    figsize=(4.2, 4.3),
    height_ratios=(3, 2),
    alt=(
        "Above: the three slowest waves of a chain of 24 nodes, as dots that lie exactly on curves of "
        "cosines with one, two and three half turns. Below: the same molecule twice, a ring of six joined "
        "to a ring of three. The slowest wave colours one ring blue and the other red; in the second "
        "drawing the colours are swapped."
    ),
)
where = np.linspace(0, n - 1, 200)
for k in (1, 2, 3):
    curve = np.cos(np.pi * k * (where + 0.5) / n) * np.sqrt(2 / n)
    top.plot(where, curve, color=f"C{k - 1}", lw=1)
    top.plot(signs[k] * waves[:, k], "o", ms=4, color=f"C{k - 1}")
top.set_title("waves of a chain")
top.set_xlabel("node")
top.set_xticks([0, 8, 16, 23])
top.set_yticks([0])

turn = np.pi / 3 * np.arange(6)
six = np.column_stack([np.cos(turn), np.sin(turn)])
three = np.array([[2.0, 0.0], [2.9, 0.5], [2.9, -0.5]])
places = np.vstack([six, three])
slowest = modes[:, 0] * np.sign(modes[7, 0])
for shift, sign in ((0, 1), (5, -1)):
    at = places + np.array([shift, 0])
    for a, b in edges:
        bottom.plot(*at[[a, b]].T, color="0.4", lw=1.5, zorder=1)
    bottom.scatter(
        *at.T, c=sign * slowest, cmap="RdBu_r", vmin=-0.5, vmax=0.5, s=90, edgecolors="0.2", zorder=2
    )
bottom.text(1, -1.35, "a wave", ha="center", va="top")
bottom.text(6, -1.35, "its negative", ha="center", va="top")
bottom.set_ylim(-2.1, 1.1)
bottom.set_aspect("equal")
bottom.axis("off")

figures.show()

# %%
# What we have found
# ------------------
#
# - A picture numbered as we read loses its columns. A half for the row and a half for the column mends
#   it, and is a concatenation and a sum at once. Its dot product draws a cross, no circle.
# - Words and patches in one model need a tag as well: without one, the first word and the first patch are
#   the same.
# - In a tree the steps are affine maps, and down and up again leads back.
# - In a graph waves take the place of sines and cosines; on a chain they *are* cosines. Their signs are
#   nobody's choice, and a network must not depend on them.
