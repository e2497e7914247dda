r"""
Turns that were never finished
==============================

Why do models stumble past the length that they were trained on? Many pairs of the table turn so slowly that
training shows them a part of one turn only. Beyond lies an arc that the network has never seen. This script
counts these pairs, and then looks at what the known remedies do: they change the speed of the hands.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import (
    NTK,
    DynamicNTK,
    Linear,
    LongRoPE,
    YaRN,
    learned_table,
    look_up,
    rotary_frequencies,
    wavelengths,
)

# %%
# Which hands come round?
# -----------------------
#
# Pair :math:`i` of a table of width :math:`d` comes round once in :math:`2\pi \cdot 10000^{2i/d}`
# positions. Take :math:`d = 512` and a training length of 512.

d, trained = 512, 512
turns = trained / wavelengths(d)  # of each pair, within the training length
unfinished = int(np.sum(turns < 1))

fig, axes = figures.subplots(
    alt=(
        "A falling line on a logarithmic axis: turns of each of 256 pairs within 512 positions, from 81 "
        "down to a hundredth. It crosses one turn at pair 122; the part to the right of it is shaded."
    ),
)
axes.plot(np.arange(d // 2), turns)
axes.axhline(1, color="C5", ls=":", lw=1)
axes.axvspan(d // 2 - unfinished, d // 2 - 1, color="C1", alpha=0.15, lw=0)
axes.text(192, 8, "never once\nround", ha="center", va="center", color="C1")
axes.set_yscale("log")
axes.set_yticks([100, 10, 1, 0.1, 0.01], ["100", "10", "1", "0.1", "0.01"])
axes.set_xticks([0, 64, 128, 192, 255])
axes.set_xlabel("pair")
axes.set_ylabel("turns in 512 positions")

print(f"{unfinished} of {d // 2} pairs do not come round; the slowest makes {turns[-1]:.4f} of a turn")
measure("long-unfinished-pairs", unfinished, expect=133)
measure("long-quickest-turns", turns[0], expect=81.49, within=0.01)
measure("long-slowest-turn", turns[-1], expect=0.00845, within=0.0001)

# %%
# A quick hand shows the same faces again at position 600 as at position 100. The slow hands together point
# in a direction that has never occurred: to the network this is no new position, it is a new kind of input.
#
# A *learned* table fails more plainly. It has no row to look up.

table = learned_table(trained, 64, seed=0)
try:
    look_up(table, [trained])
except (IndexError, ValueError) as error:
    print(f"position {trained} of a learned table: {error}")
    has_a_row = 1
else:
    has_a_row = 0
measure("long-learned-refused", has_a_row, expect=1)

# %%
# Remedies: change the clock
# --------------------------
#
# With rotary encoding the frequencies are not parameters. They can be changed when training is over, and
# little further training lets the model grow used to it. Let a model with heads of width 64 be trained on
# 2048 tokens, and be meant for four times as many. Each remedy divides the frequencies in its own way:
#
# - *linear* (position interpolation): all by 4;
# - *NTK*: with a larger base, so that the fastest pair stays as it is and the slowest is divided by 4;
# - *dynamic NTK*: the same, growing with the text while it is read; here for a text of 8192;
# - *YaRN*: pairs that come round often stay, those that do not come round are divided by 4, and between the
#   two it goes over in a straight line;
# - *LongRoPE*: a divisor for each pair, found by search. Ours is made up, to show that any row is possible.

width, original, factor = 64, 2048, 4.0
pairs = np.arange(width // 2)
plain = rotary_frequencies(width).inverse
made_up = list(np.interp(pairs, [0, 10, 14, 20, 31], [1, 1.1, 2.2, 4.2, 4.6]))
scalings = {
    "linear": Linear(factor),
    "NTK": NTK(factor),
    "dynamic NTK": DynamicNTK(factor, original),
    "YaRN": YaRN(factor, original),
    "LongRoPE": LongRoPE([1.0] * 32, made_up, original, factor),
}
length = int(factor * original)
scaled = {name: rotary_frequencies(width, scaling=s, length=length) for name, s in scalings.items()}

fig, axes = figures.subplots(
    figsize=(4.2, 3.6),
    alt=(
        "By how much the frequency of each of 32 pairs is divided. Linear: 4 everywhere. NTK: rising from "
        "1 to 4. Dynamic NTK: rising from 1 to 13. YaRN: 1 up to pair 8, then rising to 4 at pair 21, and "
        "4 from there on. LongRoPE: a made-up line of its own."
    ),
)
for (name, frequencies), style in zip(
    scaled.items(), ("-", "--", "-.", (0, (6, 1)), (0, (1, 1))), strict=True
):
    axes.plot(pairs, plain / frequencies.inverse, ls=style, label=name)
axes.set_yscale("log")
axes.set_yticks([1, 2, 4, 8, 13], ["1", "2", "4", "8", "13"])
axes.set_yticks([], minor=True)
axes.set_ylim(0.9, 40)
axes.set_xticks([0, 8, 16, 24, 31])
axes.set_xlabel("pair")
axes.set_ylabel("frequency divided by")
axes.legend(ncols=2, loc="upper left")

# %%
# What do they achieve? Three questions: How far does the slowest pair turn in the long text, in shares of
# what it turned in training? More than 1 is an angle never seen. How finely does the fastest
# pair still tell neighbours apart, in shares of before? And how many pairs stay as they were?

print(f"{'':12} slowest pair  fastest pair  unchanged")
for name, frequencies in {"no remedy": rotary_frequencies(width), **scaled}.items():
    reach = frequencies.inverse[-1] * length / (plain[-1] * original)
    fine = frequencies.inverse[0] / plain[0]
    same = int(np.sum(np.isclose(frequencies.inverse, plain)))
    print(f"{name:12} {reach:12.2f}  {fine:12.2f}  {same:9}")

reach = {name: f.inverse[-1] * length / (plain[-1] * original) for name, f in scaled.items()}
measure("long-reach-linear", reach["linear"], expect=1, within=1e-9)
measure("long-reach-ntk", reach["NTK"], expect=1, within=1e-9)
measure("long-reach-yarn", reach["YaRN"], expect=1, within=1e-9)
measure("long-fine-linear", scaled["linear"].inverse[0] / plain[0], expect=0.25, within=1e-12)
measure("long-fine-ntk", scaled["NTK"].inverse[0] / plain[0], expect=1, within=1e-12)
measure("long-ntk-base", scaled["NTK"].base, expect=41829.37, within=0.01)
measure("long-yarn-unchanged", int(np.sum(np.isclose(scaled["YaRN"].inverse, plain))), expect=9)
measure("long-yarn-attention-factor", scaled["YaRN"].attention_factor, expect=1.138629436, within=1e-9)
measure("long-yarn-divided", int(np.sum(np.isclose(scaled["YaRN"].inverse * factor, plain))), expect=11)

bases = [
    rotary_frequencies(width, scaling=scalings["dynamic NTK"], length=n).base for n in (2048, 4096, 8192)
]
print("dynamic NTK, base at 2048, 4096, 8192:", ", ".join(f"{base:.2f}" for base in bases))
measure("long-dynamic-base-1", bases[0], expect=10000, within=1e-6)
measure("long-dynamic-base-2", bases[1], expect=52664.43, within=0.01)
measure("long-dynamic-base-4", bases[2], expect=141213.76, within=0.01)

# %%
# But not every pair is safe
# --------------------------
#
# Linear interpolation brings *every* pair into the range of angles that training has shown. NTK does so for
# the slowest alone: the pairs just before it are divided by less than 4, and had not come round either, so
# that they still go too far. Here is how many pairs reach an angle that training has never shown.

unseen = {}
for name, frequencies in {"no remedy": rotary_frequencies(width), **scaled}.items():
    seen = np.minimum(plain * original, 2 * np.pi)  # once round, a hand has shown everything
    unseen[name] = int(np.sum(np.minimum(frequencies.inverse * length, 2 * np.pi) > seen * (1 + 1e-9)))
    print(f"{unseen[name]:2} of {width // 2} pairs reach a new angle: {name}")

measure("long-new-angles-none", unseen["no remedy"], expect=11)
measure("long-new-angles-linear", unseen["linear"], expect=0)
measure("long-new-angles-ntk", unseen["NTK"], expect=10)
measure("long-new-angles-yarn", unseen["YaRN"], expect=0)

figures.show()

# %%
# What we have found
# ------------------
#
# - At a training length of 512, more than half of the pairs of a table of width 512 never come round.
# - Linear interpolation shows the network no new angle, at the price of a coarser view: the fastest pair
#   turns four times more slowly.
# - NTK keeps the fast pairs quick, and lets some slow ones go too far. YaRN treats each pair by whether it
#   came round. LongRoPE lets a search decide.
# - That an angle is known does not mean that the model works well with it. Most of these remedies are
#   meant to be followed by a little further training.
