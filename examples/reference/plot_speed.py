r"""
The memory sets the pace
========================

How fast can a table of sines and cosines be? No faster than its numbers can be written: whoever fills
32 megabytes has to move 32 megabytes. This script shows how near to that limit each way of making the
table comes. A sine costs many times what it costs to store one, so the trick is to compute hardly any.
"""

import numpy as np

from edukit import figures
from edukit.posenc import sinusoidal

# %%
# Few sines make many
# -------------------
#
# Position :math:`64a + b` turns a pair of columns as far as position :math:`64a` does, and then as far as
# position :math:`b`. As complex numbers, two turns one after the other are a product:
#
# .. math::
#
#    e^{i (64a + b) \omega} = e^{i\, 64a\, \omega} \cdot e^{i\, b\, \omega}
#
# So it is enough to know the turns of the multiples of 64 and those of 0 to 63. Everything else is
# multiplication.

n, d = 8192, 128
omega = 10000.0 ** -(np.arange(0, d, 2) / d)
coarse = np.exp(1j * np.outer(np.arange(0, n, 64), omega))
fine = np.exp(1j * np.outer(np.arange(64), omega))
turns = (coarse[:, np.newaxis] * fine).reshape(n, d // 2)

table = np.empty((n, d))
table[:, 0::2], table[:, 1::2] = turns.imag, turns.real

print(
    f"{coarse.size + fine.size:,} turns are computed, {turns.size - coarse.size - fine.size:,} multiplied"
)

assert coarse.size + fine.size < turns.size / 40
assert np.abs(table - sinusoidal(n, d, dtype=np.float64)).max() < 1e-11

# %%
# How it was measured
# -------------------
#
# A time alone says little: the same code is slower on a busy machine, and on another machine it takes
# another time. A ratio lasts longer. The limit here is to allocate and copy as many bytes as the table
# has. The competitors took turns with it in one process, many rounds, in an order that was drawn anew in
# each of them, so that what slowed down one of them slowed down the others too.
#
# The tables have 1024 columns in float32. The numbers below are medians; ``benchmarks/posenc.py``, which
# measured them, has written them here, so that this script draws the same figure on every machine.

# Written by benchmarks/posenc.py:
positions = [256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536]
milliseconds = {
    "memory alone": [0.0406, 0.119, 0.333, 0.915, 1.94, 5.1, 9.76, 20.4, 40.8],
    "edukit": [0.755, 0.891, 1.28, 1.91, 3.12, 7.41, 13.3, 26.6, 52.5],
    "numpy, formula": [3.07, 6.93, 13.6, 29.1, 64.0, 139.0, 287.0, 682.0, 1670.0],
    "PyTorch, tutorial code": [0.513, 0.906, 1.69, 3.22, 6.69, 24.7, 66.2, 144.0, 560.0],
    "transformers, M2M100": [0.432, 0.807, 1.3, 2.65, 5.39, 25.4, 59.8, 243.0, 498.0],
}
# (end of what is written)

# %%
# Both axes are logarithmic, so that equal distances are equal ratios. What is bought once, the coarse and
# the fine turns, weighs on a short table and is lost in a long one.

fig, axes = figures.subplots(
    alt=(
        "Line plot of the time for a table against its number of positions, both logarithmic. With few "
        "positions edukit lies among the others. The more there are, the nearer it comes to the line of "
        "the memory alone, and the farther it is below numpy, PyTorch and transformers."
    ),
    figsize=(4.2, 4.0),
)
styles = {"memory alone": {"color": "C5", "linestyle": "--"}, "edukit": {"color": "C0", "linewidth": 3}}
for name, values in milliseconds.items():
    axes.plot(positions, values, label=name, **styles.get(name, {"linewidth": 1.5}))
axes.set_xscale("log", base=2)
axes.set_yscale("log")
axes.set_xticks([256, 1024, 4096, 16384, 65536], ["256", "1024", "4096", "16384", "65536"])
axes.set_yticks([0.1, 1, 10, 100, 1000], ["0.1", "1", "10", "100", "1000"])
axes.minorticks_off()
axes.set_xlabel("positions")
axes.set_ylabel("milliseconds")
axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0))

times = {name: np.array(values) for name, values in milliseconds.items()}
times_memory = times["edukit"] / times["memory alone"]
assert times_memory[-3:].max() < times_memory[0]
assert np.all(times["edukit"] < times["numpy, formula"])
for name in ("numpy, formula", "PyTorch, tutorial code", "transformers, M2M100"):
    assert np.all(times["edukit"][-4:] < times[name][-4:] / 2)

figures.show()

# %%
# What it means
# -------------
#
# - The limit is the memory. A table that comes within twice of it leaves little to gain: the numbers have
#   to be written whatever the method.
# - The identity that makes it fast is the one that makes the encoding linear: the row of :math:`p + k` is
#   the row of :math:`p`, turned by :math:`k`.
# - The other libraries multiply position and frequency in float32, which is fast and wrong: position 8191
#   has hardly more than three digits left behind the point of its angle. The :doc:`page about speed
#   </reference/posenc/speed>` lists the errors beside the times.
