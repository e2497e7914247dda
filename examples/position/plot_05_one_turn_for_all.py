r"""
One shift is one turn
=====================

Move three positions on, and every clock hand turns by an angle of its own. The angle does not depend
on where you started: that is the beauty of sines and cosines. This script films the shift, measures
how exact it is, sees whether random numbers could do the same, and then follows the dot product of
two rows as they move apart. It falls, but not all the way.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import rotation_matrix, sinusoidal, wavelengths

# %%
# The film of a shift
# -------------------
#
# Take the row of position :math:`p` and the row three positions later. Each frame below has another
# :math:`p`. The grey hand shows :math:`p`, the blue one :math:`p + 3`, and the slice between them is
# the turn.

k = 3
starts = [0, 1, 2, 10, 11, 12]
table = sinusoidal(20, 8, dtype=np.float64)

fig, dials = figures.subplots(
    2,
    len(starts),
    figsize=(4.2, 1.9),
    alt=(
        "Two rows of six clock faces, one column for each starting position. In each row the blue hand "
        "stands ahead of the grey one by the same angle in every frame, wherever the grey one is: by "
        "nearly half a turn in pair 0, by a small slice in pair 1."
    ),
)
circle = np.linspace(0, 2 * np.pi, 60)
for pair in range(2):
    for column, p in enumerate(starts):
        dial = dials[pair, column]
        way = np.linspace(p, p + k, 40) * 2 * np.pi / wavelengths(8)[pair]
        dial.fill([0, *np.cos(way), 0], [0, *np.sin(way), 0], color="C0", alpha=0.2, linewidth=0)
        dial.plot(np.cos(circle), np.sin(circle), color=figures.FAINT, linewidth=1)
        for position, colour in ((p, "#8a8f96"), (p + k, "C0")):
            sine, cosine = table[position, 2 * pair : 2 * pair + 2]
            dial.plot([0, cosine], [0, sine], color=colour)
        # The slice reaches from the grey hand to the blue one, which was the last to be drawn.
        assert np.allclose(table[p, 2 * pair : 2 * pair + 2], [np.sin(way[0]), np.cos(way[0])])
        assert np.allclose([sine, cosine], [np.sin(way[-1]), np.cos(way[-1])])
        dial.set_aspect("equal")
        dial.set_xlim(-1.1, 1.1)
        dial.set_ylim(-1.1, 1.1)
        dial.set_xticks([])
        dial.set_yticks([])
        dial.spines[:].set_visible(False)
        if pair == 0:
            dial.set_title(str(p), fontweight="normal", fontsize=11)
    dials[pair, 0].set_ylabel(str(pair), rotation=0, ha="right", va="center")
fig.get_layout_engine().set(w_pad=0.03, h_pad=0.03, wspace=0, hspace=0)
fig.suptitle("starting position", fontsize=11)
fig.supylabel("pair", fontsize=11)

# %%
# Along a row the slice is always the same. It only starts elsewhere.
#
# One matrix for every place
# --------------------------
#
# To turn a hand is to multiply it by a small matrix. Put all those small matrices on the diagonal of a
# large one, and you have a matrix :math:`R(k)` that moves *any* row of the table :math:`k` positions on:
#
# .. math::
#
#    \mathrm{PE}(p + k) = R(k)\,\mathrm{PE}(p)
#
# We try it for every starting position in a table of 512 rows, and for several shifts.

d = 64
PE = sinusoidal(512, d, dtype=np.float64)
shift_error = max(np.abs(PE[:-k] @ rotation_matrix(k, d).T - PE[k:]).max() for k in (1, 3, 10, 100, 500))
measure("sinusoid-shift-error", shift_error, below=1e-12)
print(f"|R(k) PE(p) - PE(p + k)| <= {shift_error:.0e}")

# %%
# Zero, but for rounding. Shifts can be chained, too: three steps and then four are seven steps, and
# minus three steps undo three.

chained = rotation_matrix(3, d) @ rotation_matrix(4, d) - rotation_matrix(7, d)
undone = rotation_matrix(-3, d) @ rotation_matrix(3, d) - np.eye(d)
measure("sinusoid-chain-error", max(np.abs(chained).max(), np.abs(undone).max()), below=1e-12)

# %%
# Could random numbers do it?
# ---------------------------
#
# Draw a table of random numbers, and look for the matrix :math:`A` that best takes each row to the next
# one (by least squares). What remains is the residual, as a share of the whole: 0 if the matrix hits
# every row, 1 if it may as well not be there.
#
# With few rows the matrix can simply learn them by heart, so the shape of the table decides. For
# :math:`n` rows and :math:`d` columns there are :math:`n - 1` steps to get right, and chance predicts a
# residual of :math:`\sqrt{1 - d / (n - 1)}`. We draw five tables of each shape.


def residual(table):
    """Return what the best matrix from each row to the next leaves over."""
    before, after = table[:-1], table[1:]
    A = np.linalg.lstsq(before, after, rcond=None)[0]
    return np.linalg.norm(before @ A - after) / np.linalg.norm(after)


shapes = [(512, 64), (100, 64), (512, 512)]
random_residuals = {
    shape: [residual(np.random.default_rng(seed).normal(size=shape)) for seed in range(5)]
    for shape in shapes
}
sinusoid_residuals = {shape: residual(sinusoidal(*shape, dtype=np.float64)) for shape in shapes}
for n, d in shapes:
    values = random_residuals[n, d]
    print(
        f"{n} x {d}: random {min(values):.3f} to {max(values):.3f} "
        f"(predicted {np.sqrt(1 - d / (n - 1) if d < n - 1 else 0):.3f}), "
        f"sinusoid {'below 1e-9' if sinusoid_residuals[n, d] < 1e-9 else 'not zero'}"
    )

measure("sinusoid-random-residual-512x64", np.mean(random_residuals[512, 64]), expect=0.935, within=0.01)
measure("sinusoid-random-residual-100x64", np.mean(random_residuals[100, 64]), expect=0.595, within=0.02)
measure("sinusoid-random-residual-512x512", max(random_residuals[512, 512]), below=1e-9)
measure("sinusoid-residual", max(sinusoid_residuals.values()), below=1e-9)

# %%
# A table as wide as it is long proves nothing: there *any* numbers fit. The sinusoid fits in every shape,
# and with one matrix that goes on working for rows it was not fitted to.
#
# Closer means more alike: for a while
# ------------------------------------
#
# What is the dot product of two rows that are :math:`k` apart? Each pair contributes the cosine of the
# angle between its two hands:
#
# .. math::
#
#    g(k) = \mathrm{PE}(p) \cdot \mathrm{PE}(p + k) = \sum_i \cos(k\,\omega_i)
#
# There is no :math:`p` on the right. So the offset alone decides, and forward or back makes no
# difference: :math:`g(-k) = g(k)`. We check both in the whole table of 512 rows and 512 columns.

widths = (16, 512)
g = {}
depends_on_place = 0.0
for d in widths:
    PE = sinusoidal(512, d, dtype=np.float64)
    dots = PE @ PE.T
    g[d] = dots[0]
    offset = np.abs(np.subtract.outer(np.arange(512), np.arange(512)))
    depends_on_place = max(depends_on_place, np.abs(dots - g[d][offset]).max())
measure("sinusoid-dot-place-error", depends_on_place, below=1e-10)


def first_rise(values):
    """Return the offset after which the values go up for the first time."""
    return int(np.flatnonzero(np.diff(values) > 0)[0])


for d in widths:
    low = first_rise(g[d])
    print(f"d = {d}: g(0..5) = {g[d][:6].round(2)}, first rises from {low} to {low + 1}")

for offset, expected in enumerate((256, 249.10, 231.73, 211.75, 196.69, 189.60)):
    measure(f"sinusoid-dot-{offset}", g[512][offset], expect=expected, within=0.01)
measure("sinusoid-first-rise-512", first_rise(g[512]), expect=43)
measure("sinusoid-first-rise-16", first_rise(g[16]), expect=3)
rises = measure("sinusoid-rises-512", int((np.diff(g[512]) > 0).sum()), above=150, below=250)
print(f"d = 512: {rises} of 511 steps outwards make the dot product larger")

fig, axes = figures.subplots(
    alt=(
        "Line chart of the dot product against the offset from 0 to 100, each as a share of its value at "
        "offset 0. For 512 dimensions it falls steeply at first and then ever more slowly. For 16 "
        "dimensions it goes up and down widely."
    ),
)
for colour, d, label in (("C1", 16, "16 dimensions"), ("C0", 512, "512 dimensions")):
    axes.plot(g[d][:101] / g[d][0], color=colour, label=label)
    low = first_rise(g[d])
    axes.plot(low, g[d][low] / g[d][0], "o", color=colour)
axes.axhline(0, color=figures.FAINT, linewidth=1, zorder=0)
axes.set_ylim(-0.1, 1.25)
axes.legend(loc="upper right")
axes.set_xlabel("offset")
axes.set_ylabel("dot product")
axes.set_xticks([*(first_rise(g[d]) for d in widths), 100])
axes.set_yticks([0, 0.5, 1])

figures.show()

# %%
# The dots mark where each curve rises for the first time. A fast hand is to blame: after a full turn it
# stands where it stood, and says "the same place!" With many hands the others outvote it. With few of
# them it is heard.
#
# What we have found
# ------------------
#
# - A shift by :math:`k` is one and the same rotation for every starting position. A random table has
#   nothing like it, unless it is so wide that any numbers would fit.
# - The dot product of two rows depends on their offset alone. It has no direction: it cannot tell before
#   from after.
# - It is largest at offset 0 and falls at first, but it is *not* true that nearer is always more alike.
