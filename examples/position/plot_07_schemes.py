r"""
Six ways to say where, side by side
===================================

Since 2017 many ways have been found to tell a Transformer where a token stands. They look different in
their formulas. Here they stand side by side, each as what it does to a score: how much does a query like
a key for nothing but the place where it stands? Then we look closer at two of them, ALiBi and T5, which
are often told the wrong way round.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import (
    BERT_BASE,
    alibi_bias,
    apply_rotary,
    attention,
    parameter_counts,
    rotary_frequencies,
    sinusoidal,
    t5_bias,
    t5_buckets,
)

# %%
# The same word everywhere
# ------------------------
#
# Let the same word stand at all of 24 positions. What it means can no longer make a difference, so
# whatever differs in the scores comes from the positions. A score of query :math:`i` and key :math:`j`:
#
# - *learned table*: the dot product of two rows of a table of parameters. Before training the rows are
#   random, and nothing relates one position to the next;
# - *sinusoid*: the dot product of two rows of the table of sines and cosines;
# - *rotary*: query and key are turned by an angle that grows with their positions;
# - *Shaw*: a vector for each offset, up to a largest one, meets the query. This one is random too;
# - *T5*: a number for each bucket of offsets is added. Ours falls with the number of the bucket;
# - *ALiBi*: a fixed amount is taken off for each step of distance.

n, d = 24, 64
rng = np.random.default_rng(1)
place = np.arange(n)
offset = place[:, np.newaxis] - place  # query minus key

learned = rng.normal(size=(n, d))
sines = sinusoidal(n, d, dtype=np.float64)
word = np.ones((n, d))
turned = apply_rotary(word, place, rotary_frequencies(d), layout="interleaved")
query = rng.normal(size=d)
farthest = 8
of_offset = rng.normal(size=(2 * farthest + 1, d))
falling = -np.arange(16.0)

scores = {
    "learned table": learned @ learned.T,
    "sinusoid": sines @ sines.T,
    "rotary": turned @ turned.T,
    "Shaw": of_offset[np.clip(offset, -farthest, farthest) + farthest] @ query,
    "T5": t5_bias(np.concatenate([falling, falling])[:, np.newaxis], n, n)[0],
    "ALiBi": alibi_bias(8, n, n, causal=False, dtype=np.float64)[0],
}

fig, panels = figures.subplots(
    3,
    2,
    figsize=(4.2, 6.0),
    alt=(
        "Six heat maps of 24 queries by 24 keys. The learned table has a bright diagonal and noise "
        "beside it. The other five have stripes along the diagonal: within a stripe all squares have "
        "the same colour, because query and key are equally far apart."
    ),
)
for axes, (name, S) in zip(panels.flat, scores.items(), strict=True):
    axes.imshow(S, cmap="viridis", interpolation="nearest")
    axes.set_title(name)
    axes.set_xticks([0, 23])
    axes.set_yticks([0, 23])
for axes in panels[-1]:
    axes.set_xlabel("key")
for axes in panels[:, 0]:
    axes.set_ylabel("query")


def spread_within_offsets(S):
    """Return how far scores with the same offset differ, in shares of the whole range."""
    return max(np.ptp(np.diagonal(S, k)) for k in range(1 - n, n)) / np.ptp(S)


spread = {name: spread_within_offsets(S) for name, S in scores.items()}
for name, value in spread.items():
    print(f"{name:14} {value:.0e}")

relative = [name for name in scores if name != "learned table"]
measure("field-spread-learned", spread["learned table"], above=0.2)
measure("field-spread-relative", max(spread[name] for name in relative), below=1e-12)

# %%
# The first map is a bed of nails: only training can bring an order into a learned table. In the other five
# each stripe along the diagonal has one colour. They see the *offset*, and differ in what they make of it.
# (The sinusoid sees it alone only here, where the matrices of queries and keys are
# left out. Inside a network the word and the position are mixed, and then it sees more.)
#
# What they cost
# --------------
#
# How many numbers would each add to a network like BERT base, with its 12 layers, 12 heads of width 64,
# and 512 positions?

layers, heads, width, positions = 12, 12, 64, 512
whole = parameter_counts(BERT_BASE).total
cost = {
    "sinusoid, rotary, ALiBi": 0,
    "T5, 32 buckets": 32 * heads,
    "Shaw, clipped at 16": layers * 2 * (2 * 16 + 1) * width,  # for keys and for values, in each layer
    "learned table": parameter_counts(BERT_BASE).positions,
}
for name, count in cost.items():
    print(f"{count:>8,} {count / whole:.2%}  {name}")

measure("field-cost-learned", cost["learned table"], expect=393216)
measure("field-cost-learned-share", cost["learned table"] / whole, expect=0.0036, within=0.0001)
measure("field-cost-t5", cost["T5, 32 buckets"], expect=384)

# %%
# ALiBi: minus, not plus
# ----------------------
#
# ALiBi changes a score by :math:`-m\,(i - j)`: it takes more off the farther back a key stands.
# Explanations now and then write :math:`+m\,|i - j|`. Take eight tokens that are equal in content and the
# slope :math:`m = 0.5`, and look at the shares of the last one.

nothing = np.zeros((8, 4))
minus = alibi_bias(8, 8, 8, dtype=np.float64)[0]  # the first of eight heads has the slope 0.5
plus = np.where(np.isfinite(minus), -minus, -np.inf)

_, as_published = attention(nothing, nothing, nothing, bias=minus)
_, as_told = attention(nothing, nothing, nothing, bias=plus)

fig, axes = figures.subplots(
    alt=(
        "Bars for the shares of eight keys, as the last token sees them. With minus the share grows "
        "from about a hundredth for the farthest key to four tenths for the token itself. With plus it is "
        "the other way round."
    ),
)
axes.bar(np.arange(8) - 0.2, as_published[-1], 0.4, label="minus, as published")
axes.bar(np.arange(8) + 0.2, as_told[-1], 0.4, label="plus", color="C1", hatch="///", edgecolor="w")
axes.set_xlabel("position of the key")
axes.set_ylabel("share")
axes.set_ylim(0, 0.58)
axes.set_yticks([0, 0.2, 0.4])
axes.legend(loc="upper center")

print(f"minus: farthest {as_published[-1, 0]:.3f}, itself {as_published[-1, -1]:.3f}")
print(f"plus:  farthest {as_told[-1, 0]:.3f}, itself {as_told[-1, -1]:.3f}")

measure("field-alibi-minus-self", as_published[-1, -1], expect=0.40, within=0.005)
measure("field-alibi-minus-farthest", as_published[-1, 0], expect=0.012, within=0.0005)
measure("field-alibi-plus-self", as_told[-1, -1], expect=0.012, within=0.0005)
measure("field-alibi-plus-farthest", as_told[-1, 0], expect=0.40, within=0.005)

# %%
# With the plus the token looks away from its neighbours, as far as it can.
#
# T5: near is exact, far is coarse
# --------------------------------
#
# T5 neither adds a vector to the words nor puts one beside them. It adds a single learned number to each
# score. Offsets share these numbers in *buckets*: near ones have a bucket each, farther ones share, and
# from 128 on all fall into the last.

back = np.arange(200)
bucket = t5_buckets(-back)  # in an encoder, keys before the query

fig, axes = figures.subplots(
    alt=(
        "A staircase on a logarithmic axis: the bucket over the distance. Up to distance 8 each step is "
        "one wide, then steps grow wider in proportion. From 128 on it stays at bucket 15."
    ),
)
axes.step(back + 1, bucket, where="mid")
axes.set_xscale("log")
axes.set_xticks([1, 9, 129], ["0", "8", "128"])
axes.set_xticks([], minor=True)
axes.set_yticks([0, 8, 15])
axes.set_xlabel("distance of the key before the query")
axes.set_ylabel("bucket")

alone = [b for b in range(16) if np.sum(bucket == b) == 1]
measure("field-t5-exact", len(alone), expect=8)
measure("field-t5-buckets", len(np.unique(t5_buckets(np.arange(-300, 301)))), expect=31)
print(f"buckets of a single distance: {alone}; the last one begins at {back[bucket == 15][0]}")

assert (bucket[128:] == 15).all()
assert np.unique(t5_buckets(-back, bidirectional=False), return_counts=True)[1][:16].max() == 1

figures.show()

# %%
# One side has 16 of the 32 buckets, eight of them exact. (Of 32 numbers 31 occur: the offset 0 counts as
# past, and so the bucket "no step ahead" stays empty.) The last bucket begins before 128 because the
# steps are rounded.
#
# What we have found
# ------------------
#
# - But for the learned table, all of these schemes can be read as a rule for offsets.
# - Some of them cost nothing, and the dearest of them a third of a per cent.
# - ALiBi takes away with the distance, and T5 adds one learned number to a score: it neither
#   adds nor concatenates vectors.
