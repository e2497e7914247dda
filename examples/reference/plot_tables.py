r"""
Position tables in pictures
===========================

A table of position encodings has one row for each position. Its numbers may be computed, from sines
and cosines, or learned like all other parameters. This script draws both kinds, and what can be done
with them.
"""

import numpy as np

from edukit import figures
from edukit.posenc import (
    learned_table,
    look_up,
    padded_positions,
    rotation_matrix,
    sinusoidal,
    sinusoidal_2d,
    wavelengths,
)

colours = {"cmap": "RdBu_r", "vmin": -1, "vmax": 1, "aspect": "auto", "interpolation": "nearest"}

# %%
# One table, two layouts
# ----------------------
#
# A pair of columns is the hand of a clock: a sine and a cosine of one angle. The first pair is the
# fastest, the last the slowest. The paper lets sine and cosine alternate; many libraries put all
# sines first and all cosines after them. The numbers are the same, only their columns are not. A
# network does not mind, but a table that is read in the wrong layout is another table.

interleaved = sinusoidal(48, 32)
halves = sinusoidal(48, 32, layout="halves")

fig, (left, right) = figures.subplots(
    1,
    2,
    sharey=True,
    alt=(
        "Two heat maps of 48 positions by 32 dimensions. Interleaved, the stripes get slower from left "
        "to right in a single sweep. In halves there are two such sweeps side by side, one of sines and "
        "one of cosines."
    ),
)
for axes, table, layout in ((left, interleaved, "interleaved"), (right, halves, "halves")):
    image = axes.imshow(table, **colours)
    axes.set_title(layout)
    axes.set_xlabel("dimension")
    axes.set_xticks([0, 16, 31])
left.set_ylabel("position")
left.set_yticks([0, 16, 32, 47])
fig.colorbar(image, ax=(left, right), ticks=[-1, 0, 1])

evens_then_odds = [*range(0, 32, 2), *range(1, 32, 2)]
assert (halves == interleaved[:, evens_then_odds]).all()

# %%
# How long a turn takes
# ---------------------
#
# The wavelength of a pair is the number of positions after which it has come round. It begins with
# :math:`2\pi` and grows by the same factor from pair to pair. Here is the second thing in which
# libraries differ: tensor2tensor spaces the pairs so that the last one has a frequency of exactly
# 1/10000; the paper stops one step short of that.

paper = wavelengths(16)
tensor2tensor = wavelengths(16, spacing="tensor2tensor")

fig, axes = figures.subplots(
    alt=(
        "The wavelength of each of 8 pairs on a logarithmic axis: two straight lines of dots from about "
        "6 upwards. The dots of tensor2tensor rise a little faster than those of the paper and end higher."
    ),
)
axes.plot(paper, "o", label="paper")
axes.plot(tensor2tensor, "s", mfc="none", label="tensor2tensor")
axes.set_yscale("log")
axes.set_xlabel("pair")
axes.set_ylabel("positions per turn")
axes.set_ylim(3, 2e5)
axes.legend()

print(paper.round(1))
assert np.allclose(paper[0], 2 * np.pi)
assert np.allclose(tensor2tensor[-1], 2 * np.pi * 10000)

# %%
# To move is to turn
# ------------------
#
# Seven positions further on, each hand has turned by seven times its step. That holds wherever it
# started: one matrix takes every row to the row seven positions later.

k = 7
R = rotation_matrix(k, 16)

fig, axes = figures.subplots(
    alt=(
        "Heat map of the 16 by 16 rotation matrix for an offset of 7. Eight blocks of two by two lie on "
        "the diagonal; everything else is zero. The last blocks are nearly the identity."
    ),
)
image = axes.imshow(R, **{**colours, "aspect": "equal"})
axes.set_xticks([0, 5, 10, 15])
axes.set_yticks([0, 5, 10, 15])
axes.set_xlabel("dimension before")
axes.set_ylabel("dimension after")
fig.colorbar(image, ax=axes, ticks=[-1, 0, 1])

table = sinusoidal(1000, 16, dtype=np.float64)
error = np.abs(table[:-k] @ R.T - table[k:]).max()
print(f"largest error in {len(table) - k} rows: {error:.0e}")
assert error < 1e-12

# %%
# Two dimensions
# --------------
#
# A patch of an image has a row and a column. Half of the dimensions tell its row :math:`y`, the other
# half its column :math:`x`. To see what comes of it we take the patch in the middle and ask how similar
# its encoding is to that of every other patch, by the cosine of the angle between the two.

grid = sinusoidal_2d(17, 25, 64)
middle = grid[8, 12]
lengths = np.linalg.norm(grid, axis=-1)
similarity = grid @ middle / (lengths * np.linalg.norm(middle))

fig, axes = figures.subplots(
    alt=(
        "Heat map of a grid of 17 rows and 25 columns: the similarity of each patch to the one in the "
        "middle. It is 1 there and falls off on all sides, more slowly along the row and the column of "
        "that patch, which stand out as a cross."
    ),
)
image = axes.imshow(similarity, cmap="viridis", interpolation="nearest")
axes.set_xlabel("column x")
axes.set_ylabel("row y")
axes.set_xticks([0, 12, 24])
axes.set_yticks([0, 8, 16])
fig.colorbar(image, ax=axes, shrink=0.75)

assert similarity.argmax() == 8 * 25 + 12
assert similarity[8, 0] > similarity[2, 2]  # along the row it falls off more slowly

# %%
# Numbers to begin with
# ---------------------
#
# A learned table starts out as chance: its numbers are drawn from a normal distribution with a small
# standard deviation. The first BERT cuts off the tails: what is further from zero than two standard
# deviations is drawn again.

normal = learned_table(512, 768, seed=0)
truncated = learned_table(512, 768, seed=0, distribution="truncated")

fig, axes = figures.subplots(
    alt=(
        "Two histograms of the numbers of a new table. The normal distribution is a bell with tails "
        "beyond 0.06 on both sides. The truncated one is a little higher in the middle and ends sharply "
        "at 0.04."
    ),
)
bins = np.linspace(-0.08, 0.08, 65)
for table, label in ((normal, "normal"), (truncated, "truncated")):
    axes.hist(table.ravel(), bins, histtype="step", linewidth=2, label=label, density=True)
axes.set_xlabel("value")
axes.set_yticks([])
axes.set_xticks([-0.08, -0.04, 0, 0.04, 0.08])
axes.set_ylim(0, 28)
axes.legend(loc="upper left")

print(f"standard deviations: {normal.std():.4f} and {truncated.std():.4f}")
assert abs(normal.std() - 0.02) < 1e-4
assert np.abs(truncated).max() <= 0.04

# %%
# Which row a token gets
# ----------------------
#
# The sentences of a batch differ in length; the shorter ones are filled up with a padding token.
# fairseq numbers the padding token 1, gives it the position 1, and counts all others from 2. A table
# for six tokens needs eight rows, and a seventh token has none.

padding = 1
tokens = np.array([[8, 3, 9, 4, 7, 5], [6, 2, 9, 1, 1, 1], [1, 1, 8, 5, 3, 4]])
positions = padded_positions(tokens, padding=padding)

fig, axes = figures.subplots(
    figsize=(4.2, 2.2),
    alt=(
        "Three sentences of six cells, with the position of each token. The first has the positions 2 to "
        "7. The second has 2, 3, 4 and then three padding tokens with the position 1. The third begins "
        "with two padding tokens at position 1, and then counts 2 to 5."
    ),
)
axes.imshow(positions == padding, cmap="Greys", vmin=0, vmax=4, aspect="auto")
for (row, column), position in np.ndenumerate(positions):
    axes.text(column, row, str(position), ha="center", va="center")
axes.set_xticks([])
axes.set_yticks(range(3), ["sentence A", "sentence B", "sentence C"])
axes.set_title("position")

table = learned_table(6 + padding + 1, 4, seed=0, padding=padding)
vectors = look_up(table, positions)
assert vectors.shape == (3, 6, 4)
assert not vectors[tokens == padding].any()

try:
    look_up(table, padded_positions([[8, 3, 9, 4, 7, 5, 2]], padding=padding))
except ValueError as error:
    print(error)
else:
    raise AssertionError("a seventh token has no row")

figures.show()
