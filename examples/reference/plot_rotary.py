r"""
Rotary encoding in pictures
===========================

Rotary position encoding adds nothing to a word. It turns: the query and the key of each word are
turned by an angle that grows with the position, and where they meet, in their dot product, only the
difference of the two angles is left. This script draws how the pairs turn, what that does to the
scores, and how the turning is slowed down for texts that are longer than those of the training.
"""

import numpy as np

from edukit import figures
from edukit.posenc import (
    NTK,
    DynamicNTK,
    Linear,
    Llama3,
    LongRoPE,
    RotaryFrequencies,
    YaRN,
    apply_rotary,
    rotary_2d,
    rotary_frequencies,
    rotary_frequencies_from_config,
    rotary_permutation,
)

# %%
# A frequency for each pair
# -------------------------
#
# The columns of a query or a key are taken in pairs. Each pair turns at a pace of its own: the first
# by one radian from word to word, each further one by a constant factor more slowly. A larger base
# spreads the paces further; models for long texts are trained with one.

d = 64
paces = {base: rotary_frequencies(d, base=base).inverse for base in (1e4, 5e5)}

fig, axes = figures.subplots(
    alt=(
        "The angle from word to word of 32 pairs on a logarithmic axis: two straight lines of dots that "
        "start at 1 and fall. The line for base 500000 falls more steeply than that for base 10000."
    ),
)
for pace, name in zip(paces.values(), ("base 10000", "base 500000"), strict=True):
    axes.semilogy(pace, ".", label=name)
axes.set_xlabel("pair")
axes.set_ylabel("radians a position")
axes.legend()

assert paces[1e4][0] == paces[5e5][0] == 1
assert (paces[5e5][1:] < paces[1e4][1:]).all()

# %%
# Pairs that turn
# ---------------
#
# Here is one key, four columns wide, at positions 0 to 7. Its first pair makes large steps around the
# circle, its second small ones. The length of each hand stays the same.

key = np.array([1.0, 0.0, 1.0, 0.0])
slow_enough_to_see = RotaryFrequencies([0.6, 0.1])
turned = apply_rotary(np.tile(key, (8, 1)), np.arange(8), slow_enough_to_see, layout="interleaved")

fig, both = figures.subplots(
    1,
    2,
    figsize=(4.2, 2.4),
    alt=(
        "Two circles with a hand for each of the positions 0 to 7. In the first circle the hands are "
        "spread over two thirds of the circle, in the second they stay close together. All hands are of "
        "one length."
    ),
)
for axes, pair, name in zip(both, (0, 2), ("first pair", "second pair"), strict=True):
    axes.plot(*np.array([np.cos(t := np.linspace(0, 2 * np.pi, 100)), np.sin(t)]), color="0.8")
    for position, (x, y) in enumerate(turned[:, pair : pair + 2]):
        axes.plot([0, x], [0, y], color="C0", alpha=0.3 + 0.1 * position)
    for position in (0, 7):
        axes.text(*1.2 * turned[position, pair : pair + 2], str(position), ha="center", va="center")
    axes.set_title(name)
    axes.set_aspect("equal")
    axes.set_xlim(-1.4, 1.4)
    axes.set_ylim(-1.4, 1.4)
    axes.axis("off")

assert np.allclose(np.linalg.norm(turned, axis=1), np.linalg.norm(key))

# %%
# Only the offset counts
# ----------------------
#
# Put a query at some place and a key a few words before it: the score is the same wherever this place
# is, at the beginning of a text or ten thousand words on. That holds as long as both are turned in the
# same layout. If one side takes neighbouring columns for a pair, the other columns from the two
# halves, nothing crashes, but the score now depends on the place.

rng = np.random.default_rng(1)
frequencies = rotary_frequencies(d)
q, k = rng.normal(size=(2, d))
places = np.arange(0, 200)


def scores(layout_of_query, layout_of_key):
    """Return the score of a query and the key three words before it, for each place of the query."""
    queries = apply_rotary(np.tile(q, (200, 1)), places, frequencies, layout=layout_of_query)
    keys = apply_rotary(np.tile(k, (200, 1)), places - 3, frequencies, layout=layout_of_key)
    return np.vecdot(queries, keys)


same, mixed = scores("halves", "halves"), scores("interleaved", "halves")

fig, axes = figures.subplots(
    alt=(
        "The score of a query and a key three words before it, against the place of the query from 0 to "
        "200. In one layout it is a horizontal line. In mixed layouts it jumps up and down."
    ),
)
axes.plot(places, mixed, color="C1", linewidth=1, label="mixed layouts")
axes.plot(places, same, color="C0", label="one layout")
axes.set_xlabel("place of the query")
axes.set_ylabel("score")
axes.legend()

assert np.ptp(same) < 1e-12
assert np.ptp(mixed) > 10
print(f"one layout: the score varies by less than 1e-12; two layouts: by {np.ptp(mixed):.0f}")

# %%
# From one layout to the other
# ----------------------------
#
# The two layouts differ by an order of the columns: evens first, then odds. In that order the columns
# of the interleaved layout are those of the halves, to the last bit.

order = rotary_permutation(16)

fig, axes = figures.subplots(
    figsize=(3.0, 2.8),
    alt=(
        "A 16 by 16 grid with one dark square in each row and column. The upper eight rows take the even "
        "columns from left to right, the lower eight the odd ones: two lines of slope two."
    ),
)
axes.imshow(np.eye(16)[order], cmap="Greys", interpolation="nearest")
axes.set_xlabel("column, interleaved")
axes.set_ylabel("column, halves")
axes.set_xticks([0, 8, 15])
axes.set_yticks([0, 8, 15])

x = rng.normal(size=(5, 16))
sixteen = rotary_frequencies(16)
in_halves = apply_rotary(x[:, order], np.arange(5), sixteen, layout="halves")
interleaved = apply_rotary(x, np.arange(5), sixteen, layout="interleaved")
assert (in_halves == interleaved[:, order]).all()

# %%
# Pictures
# --------
#
# A patch of a picture has two coordinates: half of the pairs turn by the row, half by the column. The
# score of two patches with the same content then depends on how far apart they are, down and across.
# Move the query, and the pattern moves along.

grid = np.stack(np.mgrid[:24, :24], axis=-1)
patches = rotary_2d(np.ones((24, 24, d)), grid, rotary_frequencies(d // 2, base=100.0), layout="halves")

fig, both = figures.subplots(
    1,
    2,
    figsize=(4.2, 2.4),
    alt=(
        "Two heat maps of 24 by 24 patches: the score of each patch with one query. It is largest at the "
        "query and falls off on all sides, with a cross of larger scores along its row and column. On "
        "the left the query is in the middle, on the right near the upper left corner."
    ),
)
for axes, (y, x), name in zip(both, ((12, 12), (5, 6)), ("query at 12, 12", "query at 5, 6"), strict=True):
    image = axes.imshow(
        patches @ patches[y, x] / d, vmin=-1, vmax=1, cmap="RdBu_r", interpolation="nearest"
    )
    axes.set_title(name)
    axes.set_xticks([0, 12, 23])
    axes.set_yticks([0, 12, 23])
fig.colorbar(image, ax=both, ticks=[-1, 0, 1])

assert np.isclose(patches[12, 12] @ patches[14, 11], patches[5, 6] @ patches[7, 5])

# %%
# Longer texts
# ------------
#
# A model that was trained on 2048 words has never seen the angles of word 8000. All remedies slow
# pairs down; they differ in which. Linear interpolation slows all of them by the same factor, and with
# them the fast pairs that tell neighbours apart. The others spare the fast pairs: NTK by a larger
# base, YaRN and Llama 3 by how often a pair turns within the original length, LongRoPE by a row of
# numbers that was found by search (the ones here are made up).

L0, factor = 2048, 4.0
made_up = factor ** np.linspace(0, 1, d // 2) ** 0.5
scalings = {
    "Linear": Linear(factor),
    "NTK": NTK(factor),
    "YaRN": YaRN(factor, L0),
    "Llama3": Llama3(factor, L0),
    "LongRoPE": LongRoPE(np.ones(d // 2), made_up, L0, factor),
}

fig, axes = figures.subplots(
    alt=(
        "By how much each of 32 pairs is slowed, for a factor of 4. Linear: all by 4. NTK: a curve that "
        "rises from 1 to 4. YaRN and Llama3: 1 for the fast pairs, 4 for the slow ones, and a rise "
        "between. LongRoPE: a curve that rises early."
    ),
)
plain = rotary_frequencies(d).inverse
for name, scaling in scalings.items():
    slowed = plain / rotary_frequencies(d, scaling=scaling, length=8192).inverse
    axes.plot(slowed, label=name)
    assert np.isclose(slowed[-1], factor)
    assert (slowed[0] > 1) == (name == "Linear")
axes.set_xlabel("pair")
axes.set_ylabel("times slower")
axes.set_yticks([1, 2, 3, 4])
axes.legend()

# %%
# Two of the schemes look at the length of the text. Dynamic NTK leaves short texts as they are and
# then slows down ever more; LongRoPE has one row of numbers up to the original length and another row
# beyond. What they have in common: when the text grows, a key that was turned some time ago was turned
# by other frequencies than the query of now. All keys have to be turned again.

lengths = np.arange(256, 8193, 128)
growing = {"DynamicNTK": DynamicNTK(factor, L0), "LongRoPE": scalings["LongRoPE"]}

fig, axes = figures.subplots(
    alt=(
        "By how much the slowest pair is slowed, against the length of the text up to 8192. Both "
        "lines are at 1 until 2048. Then that of DynamicNTK rises steadily to 13, and that of LongRoPE "
        "jumps to 4 and stays there."
    ),
)
for name, scaling in growing.items():
    slowed = [
        plain[-1] / rotary_frequencies(d, scaling=scaling, length=int(length)).inverse[-1]
        for length in lengths
    ]
    axes.plot(lengths, slowed, label=name)
    assert np.isclose(slowed[0], 1)
    assert np.isclose(slowed[-1], 13 if name == "DynamicNTK" else 4)
axes.set_xlabel("length of the text")
axes.set_ylabel("slowest pair, times slower")
axes.set_xticks([0, 2048, 4096, 8192])
axes.legend()

# %%
# What a model says of itself
# ---------------------------
#
# The file ``config.json`` of a model holds all of this. These are the fields of a small Llama 3.2.
# Pairs whose wavelength is well below the original length, the dotted line, are as they were; those
# above it are 32 times slower.

config = {
    "hidden_size": 2048,
    "num_attention_heads": 32,
    "head_dim": 64,
    "rope_theta": 500000.0,
    "rope_scaling": {
        "rope_type": "llama3",
        "factor": 32.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    },
}
before = rotary_frequencies(64, base=500000.0).inverse
after = rotary_frequencies_from_config(config).inverse

fig, axes = figures.subplots(
    alt=(
        "The wavelength of 32 pairs on a logarithmic axis, before and after scaling. Up to pair 14 the "
        "dots coincide, from pair 18 on those after scaling are 32 times higher. A dotted line at "
        "8192 positions lies between."
    ),
)
axes.semilogy(2 * np.pi / before, ".", label="before")
axes.semilogy(2 * np.pi / after, ".", label="after")
axes.axhline(8192, color="0.5", linestyle=":")
axes.set_xlabel("pair")
axes.set_ylabel("wavelength in positions")
axes.legend()

assert (after[:15] == before[:15]).all()
assert np.allclose(after[18:], before[18:] / 32)

figures.show()
