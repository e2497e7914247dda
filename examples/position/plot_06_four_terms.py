r"""
What a score is made of
=======================

Positions are added to words, and then attention begins. What becomes of the sum inside? This script
takes a score apart into four terms, asks whether a head that has learned nothing prefers its
neighbours, and looks at what the *values* carry. There adding does something that T5, ALiBi and rotary
encoding do not do.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import (
    alibi_bias,
    apply_rotary,
    attention,
    rotary_frequencies,
    score_terms,
    sinusoidal,
    t5_bias,
)

# %%
# Four questions in one
# ---------------------
#
# Row :math:`i` holds a word and its position, :math:`e_i + p_i`. Its query is compared with the key of
# row :math:`j`. Both are sums of two, so the product has four terms:
#
# .. math::
#
#    (e_i + p_i) W_Q \cdot (e_j + p_j) W_K
#
# What the word asks of the other word, what the word asks of the other position, what the position asks
# of the other word, and what the position asks of the other position.

n, d = 16, 64


def draw_weights(rng):
    """Draw the matrices of a head that has not learned anything."""
    return rng.normal(size=(2, d, d)) / np.sqrt(d)


rng = np.random.default_rng(0)
E = rng.normal(size=(n, d))
P = sinusoidal(n, d, dtype=np.float64)
W_Q, W_K = draw_weights(rng)

terms = score_terms(E, P, W_Q, W_K)
whole = (E + P) @ W_Q @ ((E + P) @ W_K).T
parts = {
    "word asks word": terms.content_content,
    "word asks position": terms.content_position,
    "position asks word": terms.position_content,
    "position asks position": terms.position_position,
}
sum_error = measure("inside-terms-error", np.abs(sum(parts.values()) - whole).max(), below=1e-11)
print(f"|sum of the four terms - score| <= {sum_error:.0e}")

fig, grid = figures.subplots(
    2,
    2,
    figsize=(4.2, 4.2),
    alt=(
        "Four heat maps, one for each term of the scores of sixteen random words. Word asks word is "
        "speckled. Word asks position changes smoothly along each row, position asks word smoothly down "
        "each column, position asks position smoothly in both directions, without a bright diagonal."
    ),
)
for axes, (name, values) in zip(grid.flat, parts.items(), strict=True):
    limit = np.abs(values).max()
    axes.imshow(values, cmap="RdBu_r", vmin=-limit, vmax=limit, interpolation="nearest")
    axes.set_title(name, fontsize=10, fontweight="normal")
    axes.set_xticks([0, 15])
    axes.set_yticks([0, 15])
grid[1, 0].set_xlabel("key")
grid[1, 1].set_xlabel("key")
grid[0, 0].set_ylabel("query")
grid[1, 0].set_ylabel("query")

# %%
# Find the positions: where a position takes part, the colours change smoothly, because neighbouring
# positions have similar vectors. Smooth is all they are. In the last picture, where position meets
# position, there is no bright diagonal: this head does not look at its neighbours.
#
# Does a fresh head look at its neighbours?
# -----------------------------------------
#
# It is tempting to argue: neighbouring positions have a large dot product, so attention looks at
# neighbours. But the dot product is not taken of the positions. It is taken of queries and keys, and in
# between stand two matrices. Before training they are random.
#
# We correlate the scores with the distance :math:`|i - j|`. A head that prefers near words would have a
# clearly negative correlation. For comparison: the plain dot product of the positions, without any
# matrices.

n = 64
n_draws = 40
P = sinusoidal(n, d, dtype=np.float64)
distance = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))


def correlation(scores):
    """Return how scores and distance go together: from -1, near is high, to 1, far is high."""
    return np.corrcoef(scores.ravel(), distance.ravel())[0, 1]


plain = correlation(P @ P.T)
positions_alone, with_words = [], []
for seed in range(n_draws):
    rng = np.random.default_rng(seed)
    W_Q, W_K = draw_weights(rng)
    X = rng.normal(size=(n, d)) + P
    positions_alone.append(correlation(P @ W_Q @ (P @ W_K).T))
    with_words.append(correlation(X @ W_Q @ (X @ W_K).T))

for name, values in (("positions alone", positions_alone), ("words added", with_words)):
    print(
        f"{name:15}  mean {np.mean(values):+.2f}, spread {np.std(values):.2f}, "
        f"from {min(values):+.2f} to {max(values):+.2f}"
    )
print(f"no matrices      {plain:+.2f}")

measure("inside-plain-correlation", plain, expect=-0.83, within=0.01)
measure("inside-random-mean", np.mean(positions_alone), above=-0.1, below=0.1)
measure("inside-random-spread", np.std(positions_alone), above=0.04, below=0.3)
measure("inside-random-lowest", min(positions_alone), above=-0.7, below=0)
measure("inside-random-highest", max(positions_alone), above=0, below=0.8)
measure("inside-random-words-mean", np.mean(with_words), above=-0.05, below=0.05)
measure("inside-random-words-spread", np.std(with_words), above=0.01, below=0.1)

fig, axes = figures.subplots(
    figsize=(4.2, 2.5),
    alt=(
        "Dot plot of correlations between score and distance. Without matrices it is clearly negative. "
        "For forty heads with random matrices the dots scatter around zero to both sides, and closer to "
        "zero when words are added."
    ),
)
rows = {
    "no matrices": [plain],
    "random matrices": positions_alone,
    "random matrices, words added": with_words,
}
for row, (name, values) in enumerate(rows.items()):
    axes.plot(values, np.full(len(values), row), "o", color="C0", alpha=0.5)
    axes.text(-0.97, row - 0.25, name)
axes.axvline(0, color=figures.FAINT, linewidth=1, zorder=0)
axes.set_xlim(-1, 1)
axes.set_xticks([-1, -0.5, 0, 0.5, 1])
axes.set_ylim(2.5, -0.7)
axes.set_yticks([])
axes.set_xlabel("correlation with the distance")

# %%
# Some fresh heads lean a little to near words, about as many lean to far ones, and on average there
# is nothing. A preference for neighbours has to be learned.
# (:doc:`/auto_examples/position/plot_06_look_back` shows that it can be.)
#
# What the values carry
# ---------------------
#
# Queries and keys decide *where* a word looks. What it gets from there are the values, and they are made
# of the same sum: :math:`(e_j + p_j) W_V`. The position is in them too.
#
# A sentence in which every word is the same shows it best: "no no no no no no". There are four ways
# to tell attention where each *no* stands: add the table; add the bias of T5 to the scores; add that
# of ALiBi; turn queries and keys, as rotary encoding does. T5's table would be learned; here it is
# random. We draw word and matrices ten times.

n = 6
P = sinusoidal(n, d, dtype=np.float64)
turns = rotary_frequencies(d)


def turned(x):
    """Turn queries or keys by their positions."""
    return apply_rotary(x, np.arange(n), turns, layout="interleaved")


def one_word_six_times(seed):
    """Return output and weights of the four ways for one draw of word and matrices."""
    rng = np.random.default_rng(seed)
    X = np.tile(rng.normal(size=d), (n, 1))
    W_Q, W_K, W_V = rng.normal(size=(3, d, d)) / np.sqrt(d)
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    t5 = t5_bias(rng.normal(size=(32, 1)), n, n)[0]
    alibi = alibi_bias(8, n, n, causal=False, dtype=np.float64)[0]
    return {
        "added": attention((X + P) @ W_Q, (X + P) @ W_K, (X + P) @ W_V),
        "T5": attention(Q, K, V, bias=t5),
        "ALiBi": attention(Q, K, V, bias=alibi),
        "rotary": attention(turned(Q), turned(K), V),
    }


def differ(rows):
    """Return the largest difference between any row and the first one."""
    return np.abs(rows - rows[0]).max()


results = [one_word_six_times(seed) for seed in range(10)]
for name in results[0]:
    weights = [differ(result[name][1]) for result in results]
    outputs = [differ(result[name][0]) for result in results]
    print(f"{name:6} weights differ by at least {min(weights):.3f}, outputs by at most {max(outputs):.0e}")

others = ("T5", "ALiBi", "rotary")
measure("inside-output-differs-added", min(differ(r["added"][0]) for r in results), above=0.005)
measure("inside-output-differs-others", max(differ(r[o][0]) for r in results for o in others), below=1e-12)
measure("inside-weights-differ-others", min(differ(r[o][1]) for r in results for o in others), above=1e-4)

fig, grid = figures.subplots(
    2,
    4,
    figsize=(4.2, 3.0),
    alt=(
        "Eight small heat maps in two rows. Above, the attention weights for four ways to encode "
        "position: they change from word to word in each. Below, by how much the six outputs differ from "
        "their mean: with the added table by stripes of colour, with T5, ALiBi and rotary not at all."
    ),
)
limit = 0
for column, (name, (output, weights)) in enumerate(results[0].items()):
    above, below = grid[:, column]
    above.imshow(weights, aspect="auto", interpolation="nearest")
    differences = (output - output.mean(axis=0)).round(9)[:, :12]  # of the first twelve columns
    limit = limit or np.abs(differences).max()  # one scale for all: that of the added table
    below.imshow(
        differences, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest"
    )
    above.set_title(name, fontsize=11)
    for axes in (above, below):
        axes.set_xticks([])
        axes.set_yticks([])
grid[0, 0].set_ylabel("weights")
grid[1, 0].set_ylabel("differences")

figures.show()

# %%
# The upper row shows the weights, one line for each word. In all four pictures they know the
# positions. The lower row shows in what the outputs of the six words differ, on one scale. A mean of
# six equal things is that thing, whatever the weights: with T5, ALiBi and rotary encoding the six
# words leave the layer as equal as they came. With the added table they do not, for the values they
# collected carry positions.
#
# What we have found
# ------------------
#
# - A score has four terms. Position takes part in three of them.
# - Without training no preference for neighbours: the correlation with the distance scatters around
#   zero.
# - Added positions travel on in the values. The schemes that act on the scores alone keep them out.
