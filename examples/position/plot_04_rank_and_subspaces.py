r"""
When a sum can be taken apart
=============================

Somebody adds two numbers and tells you the sum, 1734. Which were they? Hopeless. Unless you know that one
of them was a multiple of 100 and the other one smaller than 100: then they were 1700 and 34, for sure. A
sum can be taken apart if its parts come from places that have nothing in common. This script tests what
is said to guarantee that for words and positions, and what really does.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import sinusoidal

# %%
# The rank proves nothing
# -----------------------
#
# The *rank* of a matrix is the number of dimensions that its rows span. One argument for adding
# goes: :math:`\mathrm{rank}(E + P) \le \mathrm{rank}(E) + \mathrm{rank}(P)`, so nothing gets lost.
# The inequality is true, for all matrices in the world. That is what is wrong with it: it also
# holds where everything is lost.

rank = np.linalg.matrix_rank
violations = 0
for seed in range(20):
    rng = np.random.default_rng(seed)
    # Ranks from 1 to 7, so that some sums have all the rank that is allowed, and some have no room for it.
    A, B = (
        rng.normal(size=(8, inner)) @ rng.normal(size=(inner, 16)) for inner in rng.integers(1, 8, size=2)
    )
    violations += rank(A + B) > rank(A) + rank(B)
measure("told-rank-violations", violations, expect=0)

E = np.random.default_rng(0).normal(size=(8, 16))
P = -E
measure("told-rank-word", rank(E), expect=8)
measure("told-rank-cancelled", rank(E + P), expect=0)
print(f"rank {rank(E)} and rank {rank(P)} make a sum of rank {rank(E + P)}")

# %%
# An invertible matrix gives back the sum
# ---------------------------------------
#
# Another argument: if the matrix :math:`W` behind the sum can be inverted, word and position can be
# recovered from :math:`(E + P) W`. Recovered is :math:`E + P`. Which parts it had is another
# question: add any vector :math:`c` to all words and take it off all positions, and the sum is the
# same.

recovered, same_sum = [], []
for seed in range(20):
    rng = np.random.default_rng(seed)
    E, P = rng.normal(size=(8, 16)), sinusoidal(8, 16, dtype=np.float64)
    W = rng.normal(size=(16, 16))
    c = 10 * rng.normal(size=16)
    given_back = np.linalg.solve(W.T, ((E + P) @ W).T).T
    recovered.append(np.abs(given_back - (E + P)).max())
    same_sum.append(np.abs(given_back - ((E + c) + (P - c))).max())
measure("told-inverse-error", max(recovered), below=1e-9)
measure("told-same-sum-error", max(same_sum), below=1e-9)
print(f"the sum is recovered to       {max(recovered):.0e}")
print(f"and fits other parts as well, to {max(same_sum):.0e}")

# %%
# Subspaces that share nothing
# ----------------------------
#
# What does guarantee it is the trick with the hundreds. Let the words span one subspace and the
# positions another one, and let the two have only zero in common. Then there is exactly one way to
# take each sum apart. Numbers tell: 20 words and 10 positions, in 64 dimensions, together span
# :math:`20 + 10 = 30`.
#
# A linear map that does it: stack both tables, and solve for how much of each row is in a sum.

d, n_places = 64, 10
P = sinusoidal(n_places, d, dtype=np.float64)


def decoded(E, P):
    """Return the share of words that a linear map finds, and how far off its positions are."""
    sums = (E[:, None] + P).reshape(-1, E.shape[1])
    amounts = sums @ np.linalg.pinv(np.vstack([E, P]))
    word = amounts[:, : len(E)].argmax(axis=1).reshape(len(E), len(P))
    place = amounts[:, len(E) :].argmax(axis=1).reshape(len(E), len(P))
    return (word == np.arange(len(E))[:, None]).mean(), np.abs(place - np.arange(len(P)))


counts = [10, 20, 30, 40, 50, 54, 60, 80, 100, 200, 400]
words_found, places_found, joint_rank = [], [], []
for n_words in counts:
    draws = [np.random.default_rng(seed).normal(size=(n_words, d)) for seed in range(5)]
    results = [decoded(E, P) for E in draws]
    words_found.append([share for share, _ in results])
    places_found.append([(off == 0).mean() for _, off in results])
    joint_rank.append([rank(np.vstack([E, P])) for E in draws])

at = counts.index
measure("told-joint-rank", min(joint_rank[at(20)]), expect=30)
measure("told-decoded-20-words", min(words_found[at(20)] + places_found[at(20)]), expect=1)
measure("told-decoded-54-words", min(words_found[at(54)] + places_found[at(54)]), expect=1)
measure("told-joint-rank-400", max(joint_rank[at(400)]), expect=64)
measure("told-decoded-400-words", np.median(places_found[at(400)]), above=0.4, below=0.8)
# Of the mistakes with 400 words, how many name the position before or after?
next_door = [(off == 1).sum() / (off > 0).sum() for _, off in results]
measure("told-mistaken-next-door", np.median(next_door), above=0.75, below=0.92)

fig, axes = figures.subplots(
    alt=(
        "Share of sums in which word and position are found by a linear map, against the number of "
        "words, with 64 dimensions and ten positions. All are found up to 54 words. Beyond it the words "
        "are still found, but the share of positions falls steadily."
    ),
)
axes.axvline(54, color="0.6", lw=1, ls="--")
for values, colour in ((words_found, "C0"), (places_found, "C1")):
    for draw in np.array(values).T:
        axes.plot(counts, draw, "o", color=colour, alpha=0.4, ms=4)
    axes.plot(counts, np.median(values, axis=1), color=colour)
axes.text(160, 1.03, "word", color="C0")
axes.text(140, 0.71, "position", color="C1")
axes.text(51, 0.35, "54 words", ha="right", color="0.3")
axes.set_xscale("log")
axes.set_xticks([10, 20, 50, 100, 200, 400], ["10", "20", "50", "100", "200", "400"])
axes.minorticks_off()
axes.set_ylim(0, 1.13)
axes.set_yticks([0, 0.5, 1])
axes.set_xlabel("words")
axes.set_ylabel("share found")

for n_words in (20, 54, 400):
    word, place = np.median(words_found[at(n_words)]), np.median(places_found[at(n_words)])
    print(f"{n_words:3} words: rank {joint_rank[at(n_words)][0]}, words {word:.0%}, positions {place:.0%}")
print(f"of the mistakes {np.median(next_door):.0%} name a neighbour")

# %%
# Up to :math:`54 + 10 = 64` everything is found. With more words there is no room left: the words
# span all 64 dimensions, and the positions lie among them; neighbours, which are alike, get mixed
# up first. A real model has tens of thousands of words in hundreds or thousands of dimensions. For it this
# guarantee does not exist.
#
# How much room positions take
# ----------------------------
#
# Positions need far less room than their number of columns. The *energy* of a table is the sum of
# its squares. Which share of it do the best :math:`k` dimensions hold? The squares of the singular
# values say it.


def energy(table):
    """Return the share of the energy in the best 1, 2, 3, ... dimensions."""
    squares = np.linalg.svd(table, compute_uv=False) ** 2
    return np.cumsum(squares) / squares.sum()


def dimensions_for(share, table):
    """Return how many dimensions hold this share of the energy."""
    return int((energy(table) < share).sum()) + 1


P = sinusoidal(512, 512, dtype=np.float64)
E = np.random.default_rng(0).normal(size=(512, 512))
centred = P - P.mean(axis=0)

measure("told-energy-90", dimensions_for(0.90, P), expect=62)
measure("told-energy-99", dimensions_for(0.99, P), expect=109)
measure("told-energy-90-centred", dimensions_for(0.90, centred), expect=80)
measure("told-energy-99-centred", dimensions_for(0.99, centred), expect=111)

fig, axes = figures.subplots(
    alt=(
        "Share of the energy against the number of dimensions, for the sinusoidal table and for a table "
        "of random words, both 512 by 512. The sinusoid has nearly all of its energy in a fifth of the "
        "dimensions, the random words need nearly all dimensions."
    ),
)
axes.plot(range(513), [0, *energy(P)], color="C1")
axes.plot(range(513), [0, *energy(E)], color="C0")
for share, right, below in ((0.9, 13, 0.06), (0.99, 3, 0.07)):
    needed = dimensions_for(share, P)
    axes.plot(needed, share, "o", color="C1", ms=5)
    axes.text(needed + right, share - below, str(needed), color="C1")
axes.text(150, 1.04, "positions", color="C1")
axes.text(215, 0.55, "random words", color="C0")
axes.set_xlim(0, 512)
axes.set_ylim(0, 1.13)
axes.set_xticks([0, 128, 256, 384, 512])
axes.set_yticks([0, 0.5, 1])
axes.set_xlabel("dimensions")
axes.set_ylabel("share of the energy")

# How much of random words lies in the dimensions of the positions?
_, _, directions = np.linalg.svd(P)
directions = directions[:needed]


def share_inside(table):
    """Return the share of the energy of the table that lies in these directions."""
    return ((table @ directions.T) ** 2).sum() / (table**2).sum()


inside = measure("told-words-among-positions", share_inside(E), expect=needed / 512, within=0.01)
assert share_inside(P) >= 0.99

print(f"90 % of the energy in {dimensions_for(0.90, P)} dimensions, 99 % in {dimensions_for(0.99, P)}")
print(f"of random words {inside:.1%} lie in these {needed} dimensions")

figures.show()

# %%
# What we have found
# ------------------
#
# - The inequality of ranks and the invertible matrix guarantee nothing.
# - Subspaces that share only zero do: then one linear map finds both, always. It takes no more
#   words and positions than there are dimensions.
# - Positions take up a fifth of the dimensions. A network *could* keep its words out of these.
#   Random words do not: they lie in them with a fifth of their energy.
