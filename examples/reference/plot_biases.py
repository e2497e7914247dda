r"""
Biases: the position in the score
=================================

A position need not be added to the token. ALiBi and T5 leave the tokens as they are and add a number
to each *score* instead, which depends on how far the key is from the query. Transformer-XL puts the
distance into the score as a vector. This script draws all three, and shows two ways to get them wrong.
"""

import numpy as np

from edukit import figures
from edukit.posenc import (
    alibi_bias,
    alibi_slopes,
    attention,
    sinusoidal,
    t5_bias,
    t5_buckets,
    transformer_xl_scores,
)

# %%
# ALiBi: a slope for each head
# ----------------------------
#
# Each head takes a fixed amount off the score for every step that the key lies back. That amount is
# the head's slope. For 8 heads the slopes are a half, a quarter, and so on: each is half the one
# before. For 12 heads there is no such simple sequence: eight heads keep the slopes of 8, and the other
# four stand half a step above the first four of them.

fig, axes = figures.subplots(
    alt=(
        "The slope of each head, on a logarithmic axis. With 8 heads the dots fall on a straight line "
        "from one half down. With 12 heads the first eight dots are the same, and the last four begin "
        "again at the top, a little higher."
    ),
)
for heads, style in ((8, {"marker": "o", "ms": 4}), (12, {"marker": "s", "ms": 9, "mfc": "none"})):
    axes.plot(np.arange(1, heads + 1), alibi_slopes(heads), ls="", label=f"{heads} heads", **style)
axes.set_yscale("log", base=2)
axes.set_yticks([1 / 2, 1 / 8, 1 / 32, 1 / 128], ["1/2", "1/8", "1/32", "1/128"])
axes.set_xticks([1, 4, 8, 12])
axes.set_xlabel("head")
axes.set_ylabel("slope")
axes.legend()

assert alibi_slopes(8)[0] == 0.5
assert (alibi_slopes(12)[:8] == alibi_slopes(8)).all()
print(alibi_slopes(12)[8:].round(4))

# %%
# The bias itself
# ---------------
#
# The bias is zero where a token looks at itself, and sinks with every step to the left. A steep head
# sees little but its neighbours, a flat one looks far back. To the right lies the future, which is
# masked.

n = 16
bias = alibi_bias(8, n, n)

fig, panels = figures.subplots(
    1,
    2,
    figsize=(4.2, 2.4),
    alt=(
        "Two heat maps of the bias for 16 queries and 16 keys; the upper right half is empty. In head "
        "1 the colour changes quickly with the distance from the diagonal, in head 4 hardly at all."
    ),
)
for axes, head in zip(panels, (1, 4), strict=True):
    image = axes.imshow(bias[head - 1], vmin=-8, vmax=0, cmap="viridis", interpolation="nearest")
    axes.set_title(f"head {head}")
    axes.set_xlabel("key")
    axes.set_xticks([0, 5, 10, 15])
    axes.set_yticks([0, 5, 10, 15])
panels[0].set_ylabel("query")
fig.colorbar(image, ax=panels, ticks=[0, -4, -8])

# %%
# The sign
# --------
#
# One reads now and then that ALiBi adds *plus* the slope times the distance. Then a token would attend
# to whatever is farthest. We give eight tokens no content at all and let the last one look around, in
# the head with the slope one half.

nothing = np.zeros((8, 1))
steep = alibi_bias(8, 8, 8)[0]
_, right = attention(nothing, nothing, nothing, bias=steep)
_, wrong = attention(nothing, nothing, nothing, bias=np.where(np.isfinite(steep), -steep, steep))

print(f"minus: itself {right[-1, -1]:.2f}, the farthest {right[-1, 0]:.3f}")
print(f"plus:  itself {wrong[-1, -1]:.3f}, the farthest {wrong[-1, 0]:.2f}")

assert (np.diff(right[-1]) > 0).all()  # the nearer, the more
assert (np.diff(wrong[-1]) < 0).all()

# %%
# T5: buckets
# -----------
#
# T5 *learns* its numbers, one for each head and bucket. Near offsets have a bucket each; farther ones
# share, and the farther they are, the more of them share. From 128 on all have the same. An encoder
# keeps half of the 32 buckets for the future; a decoder, which does not see it, uses all of them for
# the past.

offsets = np.arange(-160, 161)
encoder = t5_buckets(offsets)
decoder = t5_buckets(offsets, bidirectional=False)

fig, axes = figures.subplots(
    alt=(
        "The bucket of each offset from minus 160 to 160. Going away from 0 the steps become longer and "
        "longer, until they end in a flat line. The encoder climbs on both sides, the future from 16 "
        "up; the decoder climbs on the left, twice as high, and stays at 0 on the right."
    ),
)
axes.step(offsets, encoder, where="mid", label="encoder")
axes.step(offsets, decoder, where="mid", label="decoder")
axes.set_xticks([-128, -64, 0, 64, 128])
axes.set_yticks([0, 8, 16, 24, 31])
axes.set_xlabel("position of the key minus that of the query")
axes.set_ylabel("bucket")
axes.legend(loc="upper right", bbox_to_anchor=(1, 0.75))

assert len(np.unique(decoder)) == 32
assert set(range(32)) - set(encoder) == {16}  # the future at a distance of nothing: there is none
assert (encoder[offsets <= -128] == 15).all()

# %%
# Spread over all queries and keys, the numbers of one head make stripes along the diagonal, thin ones
# near it and broad ones far away. Ours are drawn at random, as if nothing had been learned yet.

table = np.random.default_rng(1).normal(size=(32, 1))
(stripes,) = t5_bias(table, 64, 64)

fig, axes = figures.subplots(
    alt=(
        "Heat map of the bias of one head for 64 queries and 64 keys: stripes of one colour along the "
        "diagonal, one cell thin in the middle and ever broader towards the two corners."
    ),
)
axes.imshow(stripes, cmap="RdBu_r", vmin=-2, vmax=2, interpolation="nearest")
axes.set_xlabel("key")
axes.set_ylabel("query")
axes.set_xticks([0, 21, 42, 63])
axes.set_yticks([0, 21, 42, 63])

assert stripes[40, 20] == stripes[50, 30]  # the offset alone counts

# %%
# Transformer-XL: the shift
# -------------------------
#
# Here every offset has a vector :math:`R_{i-j}`, and the query is compared with it. To compute
# :math:`q_i \cdot R` for all offsets at once is easy, but then row :math:`i` has to be moved into place,
# each row by one more than the next. The usual trick pads a column of zeros and reads the same numbers
# off in rows of another length. It is right for the past. For the future it brings in numbers of
# the *next* query.

queries, keys, d = 8, 12, 16  # four keys are memory
rng = np.random.default_rng(2)
q = rng.normal(size=(queries, d))
r = sinusoidal(None, d, positions=np.arange(keys - 1, -queries, -1), dtype=np.float64)
only_position = {"k": np.zeros((keys, d)), "u": np.zeros(d), "v": np.zeros(d)}
fetched = transformer_xl_scores(q, r=r, **only_position)

padded = np.hstack([np.zeros((queries, 1)), q @ r[:keys].T])
reshaped = padded.reshape(keys + 1, queries)[1:].reshape(queries, keys)

fig, panels = figures.subplots(
    1,
    2,
    figsize=(4.2, 2.0),
    alt=(
        "Two heat maps of position scores, 8 queries by 12 keys, with a line between past and future. "
        "Below the line the two are the same. Above it, the one by reshaping has a white stripe and "
        "then the numbers of the row below it."
    ),
)
limit = np.abs(fetched).max()
for axes, scores, title in ((panels[0], fetched, "fetched"), (panels[1], reshaped, "reshaped")):
    axes.imshow(scores, vmin=-limit, vmax=limit, cmap="RdBu_r", interpolation="nearest")
    border = np.arange(queries + 1)
    axes.step(np.append(border[:-1] + keys - queries + 0.5, keys - 0.5), border - 0.5, color="k", lw=1.5)
    axes.set_title(title)
    axes.set_xlabel("key")
    axes.set_xticks([0, 4, 11])
    axes.set_yticks([0, 7])
panels[0].set_ylabel("query")

past = np.tri(queries, keys, keys - queries, dtype=bool)
assert np.allclose(fetched[past], reshaped[past])
assert not np.allclose(fetched[~past], reshaped[~past])

changed = q.copy()
changed[1] += 1  # another second query …
again = transformer_xl_scores(changed, r=r, **only_position)
assert (again[0] == fetched[0]).all()  # … leaves the first row alone

figures.show()

# %%
# Under a causal mask the wrong numbers are never seen, and so the trick does no harm in a decoder. In
# an encoder it does, and there each number has to be fetched from its own row.
