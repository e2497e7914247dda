r"""
What a wider vector costs
=========================

To put word and position side by side makes the vector twice as long. Does everything then become four
times as large? This script counts it for a network of the size of BERT base, part by part, for three
ways to go on from the longer vector.
"""

from dataclasses import replace

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import BERT_BASE, combining_cost, layer_flops, parameter_counts

# %%
# If the whole network is made wider
# ----------------------------------
#
# BERT base works on vectors of 768 numbers. A matrix that takes 768 numbers to 768 has :math:`768^2` of
# them; twice as wide, it has :math:`(2 \cdot 768)^2`, four times as many. Nearly all of a layer is such
# matrices. Only biases and LayerNorms, which are vectors, just double.

narrow = parameter_counts(BERT_BASE)
twice = replace(BERT_BASE, width=2 * 768, feed_forward=2 * 3072)
wide = parameter_counts(twice)

measure("concat-bert-parameters", narrow.total, expect=109_482_240)
measure("concat-layers-narrow", narrow.layers, expect=85_054_464)
measure("concat-layers-wide", wide.layers, expect=339_978_240)
measure("concat-layers-ratio", wide.layers / narrow.layers, expect=3.997, within=0.0005)

# What the article calls hundreds of millions, counted in three ways.
measure("concat-widen-layers", wide.layers - narrow.layers, expect=254_923_776)
measure("concat-widen-network", wide.network - narrow.network, expect=256_695_552)
measure("concat-widen-all", wide.total - narrow.total, expect=280_531_200)

print(f"layers: {narrow.layers:,} -> {wide.layers:,}, x{wide.layers / narrow.layers:.3f}")
print(f"more parameters: layers {wide.layers - narrow.layers:,}")
print(f"                 with pooler and LayerNorm {wide.network - narrow.network:,}")
print(f"                 with tables as wide {wide.total - narrow.total:,}")

# %%
# If it is not
# ------------
#
# But nobody has to widen the network. One matrix can bring the 1536 numbers back to 768, once, at the
# entrance. Or word and position share the 768 numbers from the beginning, 704 for the one and 64 for
# the other. The network behind stays as it is.

add = combining_cost("add", BERT_BASE, 512)
project = combining_cost("project", BERT_BASE, 512, position_width=768)
split = combining_cost("split", BERT_BASE, 512, position_width=64)

project_more = measure(
    "concat-project-parameters", project.parameters.total - add.parameters.total, expect=1_179_648
)
measure("concat-project-share", project_more / add.parameters.total, expect=0.0108, within=0.00005)
measure("concat-project-work", project.flops / add.flops, expect=1.0125, within=0.0001)
measure("concat-split-parameters", split.parameters.network - add.parameters.network, expect=0)
measure("concat-split-work", split.flops / add.flops, expect=1)

print(f"projected: {project_more:,} parameters, {project_more / add.parameters.total:.2%} more")
print(f"projected: {project.flops / add.flops - 1:.2%} more work")
print(f"split:     {split.parameters.network - add.parameters.network} parameters more in the network")

# %%
# The work of a layer
# -------------------
#
# How long a layer takes is another question than how large it is. For :math:`n` words of width
# :math:`d`, attention compares each word with each other and mixes them: that work grows with
# :math:`n^2 d`. One often reads that this is the cost of a layer, so that twice the width means twice
# the work. It leaves out the matrices, through which every word has to go: their work grows with
# :math:`n d^2`, and that is four times as much.
#
# Each bar shows where the work goes, before and after widening. The unit is the work of the narrow layer.

lengths = {512: "512 words", 4096: "4096 words", 32768: "32768 words"}
fig, axes = figures.subplots(
    figsize=(4.2, 3.4),
    alt=(
        "Stacked bars of the work of a layer for texts of 512, 4096 and 32768 words, narrow and twice as "
        "wide. For short texts nearly all of it is matrices, which grow fourfold; the comparing of words, "
        "which only doubles, matters for long texts alone."
    ),
)
ratio = {}
for block, (length, name) in enumerate(lengths.items()):
    before, after = layer_flops(length, BERT_BASE), layer_flops(length, twice)
    ratio[length] = after.total / before.total
    for row, flops in ((3 * block, before), (3 * block + 0.9, after)):
        matrices = (flops.projections + flops.feed_forward) / before.total
        comparing = (flops.scores + flops.mixing) / before.total
        first = block == 0 and flops is before
        axes.barh(row, matrices, 0.8, color="C0", label="matrices" if first else None)
        axes.barh(
            row, comparing, 0.8, left=matrices, color="C1", label="comparing words" if first else None
        )
        axes.text(matrices + comparing + 0.06, row, f"{matrices + comparing:.2f}", va="center")
    axes.text(0, 3 * block - 0.65, name)
axes.set_ylim(7.6, -1.4)
axes.set_yticks([])
axes.set_xlim(0, 4.9)
axes.set_xticks(range(5))
axes.set_xlabel("times the work")
fig.legend(axes.patches[:2], ["matrices", "comparing words"], loc="outside upper center", ncols=2)

for length, expected in ((128, 3.95), (512, 3.80), (4096, 3.06)):
    exact = layer_flops(length, twice).total / layer_flops(length, BERT_BASE).total
    measure(f"concat-work-ratio-{length}", exact, expect=expected, within=0.005)
    print(f"{length:5} words: {exact:.2f} times the work")

# From which length on is comparing more than half of the work? Where 4 n² d exceeds the matrices' 24 n d².
even = measure("concat-even-length", 6 * BERT_BASE.width, expect=4608)
at_even = layer_flops(even, BERT_BASE)
assert at_even.scores + at_even.mixing == at_even.projections + at_even.feed_forward
assert (np.diff(list(ratio.values())) < 0).all()  # the longer the text, the closer to 2
print(f"as much comparing as matrices from {even} words on")

figures.show()

# %%
# What we have found
# ------------------
#
# "Four times" is right for the layers of a network that is made twice as wide throughout. It is a choice,
# and a bad one: with one matrix at the entrance the same concatenation costs a hundredth, and with a
# split width nothing. The cost is no argument for adding, only against widening.
