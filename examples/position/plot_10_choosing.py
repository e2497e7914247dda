r"""
What each choice costs
======================

Before one chooses how to tell a network the positions, one would like to know the price. This script
counts it for a network of the size of BERT base: the parameters, which have to be stored and learned,
and the work. Then it asks how the price grows when the texts get longer.
"""

from dataclasses import replace

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import (
    BERT_BASE,
    TransformerSize,
    alibi_slopes,
    combining_cost,
    layer_flops,
    learned_table,
    look_up,
    parameter_counts,
    t5_bias,
)

# %%
# Parameters
# ----------
#
# A sinusoid is computed from a formula, and so are the turns of rotary encoding and the slopes of ALiBi:
# nothing is learned, nothing is stored. A learned table has a row of 768 numbers for each of its 512
# positions. T5 learns one number for each of 32 groups of offsets and each head, and all layers share
# them.

layers, width, heads, n = BERT_BASE.layers, BERT_BASE.width, 12, 512

with_table = parameter_counts(BERT_BASE)
without = parameter_counts(replace(BERT_BASE, positions=0))

bert_table = measure("choosing-bert-table", with_table.total - without.total, expect=393_216)
measure("choosing-bert-share", bert_table / with_table.total, expect=0.0036, within=0.00005)

buckets = np.zeros((32, heads))
assert t5_bias(buckets, n, n).shape == (heads, n, n)  # so few numbers serve every pair of words
t5_parameters = measure("choosing-t5-parameters", buckets.size, expect=384)

sinusoid = replace(BERT_BASE, positions=0)
add = combining_cost("add", sinusoid, n)


def more(way, **options):
    """Return how many parameters a network with a sinusoid has more if it combines in this way."""
    return combining_cost(way, sinusoid, n, **options).parameters.network - add.parameters.network


sinusoid_parameters = measure("choosing-sinusoid-parameters", add.parameters.positions, expect=0)

project_parameters = measure("choosing-project-parameters", more("project"), expect=1_179_648)
parameters = {
    "sinusoid, added": sinusoid_parameters,
    "rotary, ALiBi": 0,
    "T5 bias": t5_parameters,
    "learned table, added": bert_table,
    "concatenated, projected": project_parameters,
    "concatenated, all wider": measure("choosing-widen-parameters", more("widen"), expect=256_695_552),
}
for name, number in parameters.items():
    print(f"{number:11,}  {number / with_table.total:8.2%}  {name}")

fig, axes = figures.subplots(
    figsize=(4.2, 3.6),
    alt=(
        "Bars of the parameters that each way costs in a network like BERT base, on a logarithmic axis. "
        "Sinusoid, rotary encoding and ALiBi cost none, the bias of T5 384, a learned table 393,216, "
        "concatenating with a projection 1.2 million, and a network that is wider throughout 257 million."
    ),
)
for row, (name, number) in enumerate(parameters.items()):
    axes.barh(row, max(number, 1), 0.42, color="C1" if "concatenated" in name else "C0")
    axes.text(1.3, row - 0.44, name, va="center")
    axes.text(max(number, 1) * 1.6, row, f"{number:,}", va="center")
axes.set_xscale("log")
axes.set_xlim(1, 1e12)
axes.set_xticks([1, 1e3, 1e6, 1e9], ["1", "1,000", "1,000,000", "1e9"])
axes.set_ylim(len(parameters) - 0.6, -0.8)
axes.set_yticks([])
axes.set_xlabel("parameters")

# %%
# Work
# ----
#
# To add a table takes one addition for each number of the input, once. To turn queries and keys takes
# six operations for each pair of numbers, four multiplications and two additions, in every layer. A bias
# takes one addition for each score, in every layer and head. Beside the matrices of the network, all
# three are next to nothing.

work = layers * layer_flops(n, BERT_BASE).total
extra = {
    "table": n * width,
    "rotary": layers * 2 * (n * width // 2) * 6,
    "bias": layers * len(alibi_slopes(heads)) * n**2,
}
for (name, operations), expected in zip(extra.items(), (4.07e-6, 2.930e-4, 3.906e-4), strict=True):
    measure(f"choosing-work-{name}", operations / work, expect=expected, within=expected / 1000)
    print(f"{name:6} {operations / work:.5%} more work")

project = combining_cost("project", sinusoid, n).flops / add.flops - 1
widen = combining_cost("widen", sinusoid, n).flops / add.flops
measure("choosing-work-project", project, expect=0.0125, within=0.0001)
measure("choosing-work-widen", widen, expect=3.80, within=0.005)
print(f"concatenated and projected {project:.2%} more, all wider {widen:.2f} times as much")

# %%
# Longer texts
# ------------
#
# One price depends on the length: a learned table has a row for each position. We let the table grow and
# look at its share of all parameters, for a network like BERT base and for one of the size of GPT-3.
# The measures of GPT-3 are those of its paper: 96 layers, width 12,288, 2048 positions.

GPT3 = TransformerSize(layers=96, width=12288, feed_forward=4 * 12288, vocabulary=50257, positions=2048)
lengths = 2 ** np.arange(9, 18)


def shares(size):
    """Return the share of the position table for each length."""
    counts = [parameter_counts(replace(size, positions=int(length))) for length in lengths]
    return np.array([count.positions / count.total for count in counts])


small, large = shares(BERT_BASE), shares(GPT3)
gpt3 = parameter_counts(GPT3)
measure("choosing-gpt3-table", gpt3.positions, expect=25_165_824)
measure("choosing-gpt3-share", gpt3.positions / gpt3.total, expect=0.000144, within=0.0000005)
measure("choosing-long-share", small[-1], expect=0.48, within=0.005)
measure("choosing-long-share-large", large[-1], expect=0.0091, within=0.00005)

print(f"table of GPT-3: {gpt3.positions:,} parameters, {gpt3.positions / gpt3.total:.4%}")
for length, one, other in zip(lengths, small, large, strict=True):
    print(f"{length:7,} positions: {one:6.2%} of the small network, {other:.3%} of the large one")

fig, axes = figures.subplots(
    alt=(
        "Share of a learned position table in all parameters, against its number of positions, both "
        "axes logarithmic. For a network like BERT base it grows from a third of a per cent to half of "
        "the network, for one like GPT-3 it stays below one per cent."
    ),
)
axes.plot(lengths, small, "o-", ms=4)
axes.plot(lengths, large, "s-", ms=4)
axes.text(2000, 0.06, "like BERT base", color="C0", ha="center")
axes.text(30000, 0.0003, "like GPT-3", color="C1")
axes.set_xscale("log", base=2)
axes.set_yscale("log")
axes.set_ylim(1e-5, 1.5)
axes.minorticks_off()
axes.set_xticks([512, 4096, 32768, 131072], ["512", "4096", "32768", "131072"])
axes.set_yticks([1e-4, 1e-2, 1], ["0.01 %", "1 %", "100 %"])
axes.set_xlabel("positions in the table")
axes.set_ylabel("share of parameters")

# The price is the smaller part of it: beyond its last row, a table has nothing to say at all.
table = learned_table(512, 8, seed=0)
try:
    look_up(table, [512])
except (IndexError, ValueError) as error:
    print("position 512 of 512 rows:", type(error).__name__)
else:
    raise AssertionError("a table of 512 rows has no row for position 512")

figures.show()

# %%
# What we have found
# ------------------
#
# - The common ways differ by less than one per cent, in parameters and in work. For a network of ordinary
#   size the price decides nothing.
# - Two things are dear: to make the whole network wider, and a very long learned table in a small network.
# - What decides is something else: what a way can do beyond the lengths of the training.
