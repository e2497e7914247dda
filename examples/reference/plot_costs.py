r"""
What a position costs
=====================

Adding the position to the token is often called cheap, and concatenating the two dear: everything
would become four times larger. It depends on what is done with the longer vector. This script counts,
for a network of the size of BERT base.
"""

from dataclasses import replace

import numpy as np

from edukit import figures
from edukit.posenc import BERT_BASE, combining_cost, layer_flops, parameter_counts

# %%
# Where the parameters are
# ------------------------
#
# BERT base has 12 layers of width 768. Most of its parameters are in the feed-forward networks and
# in the table of tokens. Its learned position table has one row for each of 512 positions.

counts = parameter_counts(BERT_BASE)
parts = {
    "feed-forward": counts.feed_forward,
    "attention": counts.attention,
    "token table": counts.tokens,
    "pooler": counts.pooler,
    "position table": counts.positions,
}

fig, axes = figures.subplots(
    alt=(
        "Bar chart of the parameters of BERT base in millions: feed-forward networks 56.7, attention "
        "28.3, the token table 23.4, the pooler 0.6, the position table 0.4."
    ),
)
for row, count in enumerate(parts.values()):
    axes.barh(row, count / 1e6, color="C0")
    axes.text(count / 1e6 + 1, row, f"{count / 1e6:.1f}", va="center")
axes.set_yticks(range(len(parts)), list(parts))
axes.invert_yaxis()
axes.set_xlim(0, 68)
axes.set_xlabel("parameters in millions")

print(f"all: {counts.total:,}")
print(f"positions: {counts.positions:,}, {counts.positions / counts.total:.2%}")

assert counts.total == 109_482_240
assert counts.positions == 512 * 768

# %%
# A sinusoidal table is computed, not learned. It has no parameters at all.

sinusoid = parameter_counts(replace(BERT_BASE, positions=0))
assert sinusoid.total == counts.total - counts.positions

# %%
# Twice as wide
# -------------
#
# Now make the whole network twice as wide. A matrix from width to width grows by four, and so do the
# layers, nearly: biases and LayerNorms only double.

twice = replace(BERT_BASE, width=2 * 768, feed_forward=2 * 3072)
wide = parameter_counts(twice)
print(f"layers: {counts.layers / 1e6:.2f} M, {wide.layers / 1e6:.2f} M, x{wide.layers / counts.layers:.3f}")

# %%
# The *work* of a layer is another matter. Part of it is comparing every token with every other, which
# grows with the square of the length, but with the width only once. The longer the text, the larger
# that part, and the less it matters that the rest has grown by four.

lengths = 2 ** np.arange(6, 17)
ratio = [layer_flops(n, twice).total / layer_flops(n, BERT_BASE).total for n in lengths]

fig, axes = figures.subplots(
    alt=(
        "How many times as much work a layer of twice the width takes, against the number of tokens: "
        "nearly 4 for short texts, 3.06 for 4096 tokens, and towards 2 for very long ones."
    ),
)
axes.axhline(4, color="0.6", lw=1, ls="--")
axes.axhline(2, color="0.6", lw=1, ls="--")
axes.plot(lengths, ratio, "o-")
axes.set_xscale("log", base=2)
axes.set_xticks([128, 512, 4096, 65536], ["128", "512", "4096", "65536"])
axes.set_ylim(1.8, 4.2)
axes.set_yticks([2, 3, 4])
axes.set_xlabel("tokens")
axes.set_ylabel("times the work")

for n in (128, 512, 4096):
    print(f"{n:5} tokens: x{ratio[list(lengths).index(n)]:.2f}")

assert (np.diff(ratio) < 0).all()
assert 2 < min(ratio) < max(ratio) < 4

# %%
# Four ways to bring a position in
# --------------------------------
#
# - *Add* it. This is what we compare with.
# - Concatenate, and *widen* the whole network to hold both. The tables stay as they are.
# - Concatenate, and *project* both back to the old width with a single matrix.
# - *Split* the width: 704 numbers for the token, 64 for the position.

add = combining_cost("add", BERT_BASE, 512)
ways = {
    "widen": combining_cost("widen", BERT_BASE, 512, position_width=768),
    "project": combining_cost("project", BERT_BASE, 512, position_width=768),
    "split": combining_cost("split", BERT_BASE, 512, position_width=64),
}
more = {way: cost.parameters.network - add.parameters.network for way, cost in ways.items()}

fig, axes = figures.subplots(
    figsize=(4.2, 2.2),
    alt=(
        "Bar chart of the parameters that the network gains over adding, in millions: 256.7 when it is "
        "widened, 1.2 when the concatenation is projected, none when the width is split."
    ),
)
for row, gained in enumerate(more.values()):
    axes.barh(row, gained / 1e6, color="C1")
    axes.text(gained / 1e6 + 4, row, f"+{gained / 1e6:.1f}" if gained else "0", va="center")
axes.set_yticks(range(len(more)), list(more))
axes.invert_yaxis()
axes.set_xlim(0, 310)
axes.set_xlabel("more parameters, in millions")

for way, cost in ways.items():
    print(f"{way:8} {more[way]:>11,} parameters more, {cost.flops / add.flops:.3f} times the work")

assert more["project"] == 2 * 768 * 768
assert more["split"] == 0
assert ways["split"].flops == add.flops
# The tables get smaller, because a token has fewer numbers.
assert ways["split"].parameters.tables < add.parameters.tables

figures.show()

# %%
# So "four times" holds for one design only, in which the whole network is widened. To concatenate and
# project costs one per cent, and to split costs nothing. It is not the cost that speaks for adding.
