r"""
Concatenating is adding, one step later
=======================================

Two lists of numbers, what a word means and where it stands, can be put side by side or added up. Side
by side looks safer: nothing gets mixed. But a network does not look at numbers, it takes weighted sums
of them, and a weighted sum mixes. This script compares the two ways after that first step, and measures
what each of them can do that the other cannot.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import sinusoidal

# %%
# Side by side, then through a matrix
# -----------------------------------
#
# Let :math:`E` hold one word in each row, and :math:`P` the position of each row. Put side by side they
# make rows of twice the length, :math:`[E\;P]`. The first thing that a network does with a row is to
# take weighted sums, which is a product with a matrix. The matrix needs twice as many rows now, the
# upper half for the word and the lower half for the position:
#
# .. math::
#
#    [E\;P] \begin{bmatrix} W_E \\ W_P \end{bmatrix} = E\, W_E + P\, W_P
#
# On the right there is a sum. Concatenating adds, too; it only does so one step later.

n_draws = 20
n, d = 6, 8


def draw_weights(rng, rows, columns):
    """Draw a matrix that keeps the size of what it is multiplied with."""
    return rng.normal(size=(rows, columns)) / np.sqrt(rows)


rng = np.random.default_rng(1)
E, P = rng.normal(size=(n, d)), sinusoidal(n, d, dtype=np.float64)
W_E, W_P = draw_weights(rng, d, d), draw_weights(rng, d, d)

side_by_side = np.hstack([E, P]) @ np.vstack([W_E, W_P])
parts = [E @ W_E, P @ W_P]

fig, axes = figures.subplots(
    2,
    3,
    figsize=(4.2, 3.1),
    alt=(
        "Five heat maps in two rows. Above: words and positions side by side, and what the matrix makes "
        "of them. Below: what the upper half of the matrix makes of the words, plus what the lower half "
        "makes of the positions. The results on the right are the same."
    ),
)
colours = {"cmap": "RdBu_r", "vmin": -3, "vmax": 3, "aspect": "auto", "interpolation": "nearest"}
pictures = [
    (axes[0, 0], np.hstack([E, P]), "side by side"),
    (axes[0, 2], side_by_side, "result"),
    (axes[1, 0], parts[0], "from the words"),
    (axes[1, 1], parts[1], "from the places"),
    (axes[1, 2], parts[0] + parts[1], "sum"),
]
for place, values, title in pictures:
    place.imshow(values, **colours)
    place.set_title(title, fontsize=10, fontweight="normal")
    place.set_xticks([])
    place.set_yticks([])
axes[0, 0].axvline(d - 0.5, color="k", lw=1.5)
axes[0, 1].axis("off")
axes[0, 1].annotate(
    "", (0.95, 0.5), (0.05, 0.5), xycoords="axes fraction", arrowprops={"arrowstyle": "->", "lw": 1.5}
)
axes[0, 1].text(0.5, 0.62, "one matrix", ha="center", transform=axes[0, 1].transAxes)
for left, sign in ((axes[1, 0], "+"), (axes[1, 1], "=")):
    left.text(1.09, 0.5, sign, ha="center", va="center", fontsize=14, transform=left.transAxes)

# %%
# The pictures on the right are the same. So much for the worry that what is put side by side has to be
# "fused" later, and that this is hard: the first matrix does it, exactly.

errors = []
for seed in range(n_draws):
    rng = np.random.default_rng(seed)
    E = rng.normal(size=(n, d))
    W_E, W_P = draw_weights(rng, d, d), draw_weights(rng, d, d)
    result = np.hstack([E, P]) @ np.vstack([W_E, W_P])
    errors.append(np.abs(result - (E @ W_E + P @ W_P)).max())

fusing_error = measure("concat-fusing-error", max(errors), below=1e-13)
print(f"concatenated against summed: {fusing_error:.0e}")

# %%
# Each way contains the other, with a condition
# ---------------------------------------------
#
# *Adding is concatenating with tied weights.* Give word and position the same matrix,
# :math:`W_P = W_E = W`, and the sum is :math:`(E + P) W`. So whatever a network with addition computes
# in its first step, one with concatenation can compute too.
#
# *Concatenating within the same width is adding padded tables.* To split a width of 8 into 6 numbers
# for the word and 2 for the position is to add a word that ends with two zeros and a position that
# begins with six.

errors = []
for seed in range(n_draws):
    rng = np.random.default_rng(seed)
    E, W = rng.normal(size=(n, d)), draw_weights(rng, d, d)
    errors.append(np.abs(np.hstack([E, P]) @ np.vstack([W, W]) - (E + P) @ W).max())
tied_error = measure("concat-tied-error", max(errors), below=1e-13)

short_word, short_place = E[:, :6], P[:, :2]
word_padded = np.pad(short_word, [(0, 0), (0, 2)])
place_padded = np.pad(short_place, [(0, 0), (6, 0)])
split = np.hstack([short_word, short_place])
split_error = measure("concat-split-error", np.abs(split - (word_padded + place_padded)).max(), expect=0)

print(f"tied weights against addition: {tied_error:.0e}")
print(f"split against padded and added: {split_error:.0f}")

# %%
# What untying buys
# -----------------
#
# Now the harder direction. A network that concatenates may give the position a matrix of its own,
# :math:`W_P \ne W_E`. Can one that adds do the same?
#
# *If its position table is learned, yes, for one matrix.* It learns another table instead, in which
# the other matrix is already at work:
#
# .. math::
#
#    E\, W_E + P\, W_P = (E + P')\, W_E
#
# .. math::
#
#    P' = P\, W_P W_E^{-1}
#
# *If its table is fixed, no.* It has one matrix for both and must find a compromise.
#
# *Three times at once, no.* Attention has three matrices, for queries, keys and values. One table
# :math:`P'` of :math:`d` columns would have to satisfy three times :math:`d` equations.
#
# We measure all three with 50 positions and 200 words, in 20 draws: how large is the part that cannot
# be matched, compared with what the positions contribute? One means that nothing of it is matched.

n_words, n_places, d = 200, 50, 32
P = sinusoidal(n_places, d, dtype=np.float64)


def unmatched(difference, contribution):
    """Return the size of what is missed, relative to what positions contribute."""
    return np.linalg.norm(difference) / np.linalg.norm(contribution)


learned, fixed, three = [], [], []
for seed in range(n_draws):
    rng = np.random.default_rng(seed)
    E = rng.normal(size=(n_words, d))
    W_E, W_P = draw_weights(rng, d, d), draw_weights(rng, d, d)

    P_learned = np.linalg.solve(W_E.T, (P @ W_P).T).T
    learned.append(unmatched(P_learned @ W_E - P @ W_P, P @ W_P))

    # Every word at every position: the best single matrix for all these sums, by least squares.
    sums = (E[:, None] + P).reshape(-1, d)
    wanted = (E @ W_E)[:, None] + P @ W_P
    W = np.linalg.lstsq(sums, wanted.reshape(-1, d))[0]
    positions_give = np.broadcast_to(P @ W_P, wanted.shape)
    fixed.append(unmatched(sums @ W - wanted.reshape(-1, d), positions_give))

    # Queries, keys and values at once: the best single table, by least squares.
    WWW_E, WWW_P = draw_weights(rng, d, 3 * d), draw_weights(rng, d, 3 * d)
    P_learned = np.linalg.lstsq(WWW_E.T, (P @ WWW_P).T)[0].T
    three.append(unmatched(P_learned @ WWW_E - P @ WWW_P, P @ WWW_P))

missed = {
    "learned table, one matrix": learned,
    "fixed table, one matrix": fixed,
    "learned table, three matrices": three,
}
for name, values in missed.items():
    print(f"{min(values):.2g} to {max(values):.2g}, median {np.median(values):.2g}: {name}")

measure("concat-learned-absorbs", max(learned), below=1e-9)
measure("concat-fixed-misses-least", min(fixed), above=0.3)
measure("concat-fixed-misses", np.median(fixed), expect=0.7, within=0.02)
measure(
    "concat-three-misses",
    np.median(three),
    expect=np.sqrt(2 / 3),
    within=0.05,
)

fig, axes = figures.subplots(
    figsize=(4.2, 2.6),
    alt=(
        "Dot plot of the share of the positions' contribution that addition cannot match, in twenty "
        "draws. A learned table with one matrix misses nothing. A fixed table with one matrix, and a "
        "learned table that has to serve three matrices at once, miss a large share in every draw."
    ),
)
for row, (name, values) in enumerate(missed.items()):
    axes.plot(values, np.full(n_draws, row), "o", color="C0", alpha=0.5)
    axes.text(0, row - 0.27, name)
axes.set_xlim(-0.05, 1.25)
axes.set_xticks([0, 0.5, 1])
axes.set_ylim(2.5, -0.7)
axes.set_yticks([])
axes.set_xlabel("share that adding cannot match")

figures.show()

# %%
# What we have found
# ------------------
#
# - After the first matrix, concatenation *is* an addition. "Hard to fuse" does not describe it.
# - Addition is the special case in which word and position share their weights. A learned position
#   table makes up for one such matrix completely.
# - What it cannot make up for is a matrix of their own for positions in queries, keys and values at once.
#   Two thirds of the squared size stay unmatched, because one table has a third of the numbers that
#   would be needed. Models that want this freedom give positions their own matrices inside attention
#   (Ke et al. 2021, `arXiv:2006.15595 <https://arxiv.org/abs/2006.15595>`_).
