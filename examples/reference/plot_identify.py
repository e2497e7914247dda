r"""
Which table is this?
====================

Two libraries encode the same positions, and their tables differ. Or a model was saved with its table,
but nobody remembers how that was made. :func:`edukit.posenc.identify` looks at the numbers alone and says
which convention they follow, and whether something went wrong. This script shows what it looks at.
"""

import numpy as np

from edukit import figures
from edukit.posenc import identify, sinusoidal

# %%
# Two tables of one shape
# -----------------------
#
# Both have a hundred rows and 64 columns, and each is right in its own library.

ours = sinusoidal(100, 64)
theirs = sinusoidal(100, 64, layout="halves", spacing="tensor2tensor", start=2)
print(f"largest difference: {np.abs(ours - theirs).max():.2f}")

for table in (ours, theirs):
    print(identify(table))

found = identify(theirs)
assert np.array_equal(sinusoidal(**found.arguments()), theirs)

# %%
# Clock hands
# -----------
#
# If two columns are sine and cosine of one angle, each row is a point on a circle: the tip of a clock
# hand. If they are not, the points lie anywhere. This tells the layouts apart. Here are columns 4 and 5
# of both tables.

fig, panels = figures.subplots(
    1,
    2,
    figsize=(4.2, 2.4),
    alt=(
        "Two scatter plots of column 5 against column 4. Of the first table all points lie on a circle. Of "
        "the second they fill a square."
    ),
)
for axes, table, title in ((panels[0], ours, "interleaved"), (panels[1], theirs, "halves")):
    axes.plot(table[:, 4], table[:, 5], ".", ms=4)
    axes.set_title(title)
    axes.set_aspect("equal")
    axes.set_xlim(-1.15, 1.15)
    axes.set_ylim(-1.15, 1.15)
    axes.set_xticks([-1, 0, 1])
    axes.set_yticks([-1, 0, 1])
    axes.set_xlabel("column 4")
panels[0].set_ylabel("column 5")

assert np.ptp(np.hypot(ours[:, 4], ours[:, 5])) < 1e-6
assert np.ptp(np.hypot(theirs[:, 4], theirs[:, 5])) > 1

# %%
# How fast each hand turns
# ------------------------
#
# From row to row each hand turns by a fixed angle, its frequency. On a logarithmic axis the frequencies
# of a table fall in a straight line; how steeply they fall says the base. Two faults of public code show
# at once: in one a misplaced division makes them fall by a factor of :math:`e^2` each, in the other the
# exponent is half as large as it should be.


def turns(table):
    """Return the angle from row to row of each pair of an interleaved table."""
    hands = table[:, 1::2] + 1j * table[:, 0::2].astype(np.float64)
    return np.angle((hands[1:] * hands[:-1].conj()).sum(axis=0))


def interleaved(angles):
    """Return a table of the sines and cosines of angles."""
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)


p, pair = np.arange(100)[:, None], np.arange(32)
tables = {
    "right": ours,
    "divided too late": interleaved(p * np.exp(2 * pair * (-np.log(10000) / 64 // 2))),
    "exponent halved": interleaved(p * 10000.0 ** (-pair / 64)),
}

fig, axes = figures.subplots(
    alt=(
        "The frequency of each of 32 pairs on a logarithmic axis, for three tables. All begin at 1. The "
        "right one falls to about one ten-thousandth in a straight line, the one with the halved exponent "
        "to about one hundredth, and the one that was divided too late leaves the picture after five pairs."
    ),
)
for (name, table), marker in zip(tables.items(), "o^s", strict=True):
    axes.plot(pair, turns(table), marker, ms=4, label=name)
    print(f"{name}: {identify(table).faults}")
axes.set_yscale("log")
axes.set_xlabel("pair")
axes.set_ylabel("frequency")
axes.set_ylim(5e-5, 20)
axes.legend(loc="upper right")

assert identify(tables["right"]).faults == ()
assert identify(tables["divided too late"]).faults == ("floor division",)
assert identify(tables["exponent halved"]).faults == ("halved exponent",)

# %%
# What rounding does
# ------------------
#
# A table may follow the right formula and still be wrong, because positions or angles were rounded on
# the way. The error then grows with the position, until nothing is left of the table. Rounding the
# *finished* numbers does no such harm: it stays where it is.

rows, half = 4096, np.float16
p = np.arange(rows)
frequencies = 10000.0 ** (-pair / 32)
exact = sinusoidal(rows, 64, dtype=np.float64)
damaged = {
    "angles in float16": interleaved((p.astype(half)[:, None] * frequencies.astype(half)).astype(float)),
    "angles in float32": interleaved(p.astype(np.float32)[:, None] * frequencies.astype(np.float32)),
    "stored in float16": exact.astype(half),
}

fig, axes = figures.subplots(
    alt=(
        "The largest error up to each position, both axes logarithmic. With angles in half precision it "
        "grows in proportion to the position and reaches 2, the most there is. With angles in single "
        "precision it grows as fast, four powers of ten below. Of the table that is merely stored in half "
        "precision it stays at two ten-thousandths."
    ),
)
for name, table in damaged.items():
    error = np.abs(table - exact).max(axis=1)
    axes.plot(p[1:], np.maximum.accumulate(error)[1:], label=name)
    found = identify(table)
    print(f"{name}: {found.damage or 'no damage'}, error {found.error:.2g}")
    assert found.damage == ("" if name.startswith("stored") else name)
axes.set_xscale("log")
axes.set_yscale("log")
axes.set_ylim(1e-8, 3e3)
axes.set_yticks([1e-8, 1e-4, 1], ["1e-8", "1e-4", "1"])
axes.set_xlabel("position")
axes.set_ylabel("largest error so far")
axes.legend(loc="upper left")

figures.show()

# %%
# What it cannot tell
# -------------------
#
# Different conventions can make the same table. With a single pair of columns they all do. And the table
# of base 10000, spaced as in tensor2tensor, is that of another base spaced as in the paper. The rounder
# base is then the likelier one; the report names the other.

print(identify(sinusoidal(20, 2)))
