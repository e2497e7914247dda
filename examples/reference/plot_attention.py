r"""
Attention: its weights, and what a score is made of
===================================================

Two small pictures of attention: how much each token looks at each other one, with and without a
mask, and the four parts that a score falls into when a position has been added to each token.
"""

import numpy as np

from edukit import figures
from edukit.posenc import attention, score_terms, sinusoidal

# %%
# Weights
# -------
#
# Eight tokens, drawn at random, look at each other. Every row of weights adds up to 1. Under a causal
# mask a token sees itself and what came before it; what it may not see gets nothing, and the rest
# shares it.

n, d = 8, 16
rng = np.random.default_rng(3)
tokens = rng.normal(size=(n, d))
W_Q, W_K = rng.normal(size=(2, d, d)) / np.sqrt(d)
Q, K = tokens @ W_Q, tokens @ W_K

_, free = attention(Q, K, tokens)
_, causal = attention(Q, K, tokens, mask=np.tri(n, dtype=bool))

fig, panels = figures.subplots(
    1,
    2,
    figsize=(4.2, 2.4),
    alt=(
        "Two heat maps of the weights of 8 queries over 8 keys. Without a mask all cells may be filled. "
        "With the causal mask the upper right half is empty and the first query gives all its weight to "
        "the first key."
    ),
)
for axes, weights, title in ((panels[0], free, "no mask"), (panels[1], causal, "causal mask")):
    image = axes.imshow(weights, vmin=0, vmax=1, cmap="viridis", interpolation="nearest")
    axes.set_title(title)
    axes.set_xlabel("key")
    axes.set_xticks([0, 7])
    axes.set_yticks([0, 7])
panels[0].set_ylabel("query")
fig.colorbar(image, ax=panels, ticks=[0, 0.5, 1])

assert np.allclose(free.sum(axis=-1), 1)
assert np.allclose(causal.sum(axis=-1), 1)
assert (causal[np.triu_indices(n, 1)] == 0).all()
print(f"the first query gives the first key {free[0, 0]:.2f} without a mask, {causal[0, 0]:.0f} with it")

# %%
# Four terms
# ----------
#
# Add a position :math:`p` to each token :math:`e`, and a score becomes a product of two sums. Multiplied
# out, it has four terms: what the query's token and the query's position find in the key's token and
# in the key's position.
#
# .. math::
#
#    (e_i + p_i) W_Q \cdot (e_j + p_j) W_K
#
# Only the last of them is about the two positions and nothing else. It is the same in every sentence.

positions = sinusoidal(n, d, dtype=np.float64)
terms = score_terms(tokens, positions, W_Q, W_K)

fig, panels = figures.subplots(
    2,
    2,
    figsize=(4.2, 4.2),
    alt=(
        "Four heat maps of 8 queries by 8 keys. Content with content is irregular. Where the position "
        "asks, rows next to each other are alike; where it is asked about, columns are. Position with "
        "position changes smoothly in both directions."
    ),
)
named = {
    "content, content": terms.content_content,
    "content, position": terms.content_position,
    "position, content": terms.position_content,
    "position, position": terms.position_position,
}
limit = max(np.abs(term).max() for term in named.values())
for axes, (title, term) in zip(panels.flat, named.items(), strict=True):
    axes.imshow(term, vmin=-limit, vmax=limit, cmap="RdBu_r", interpolation="nearest")
    axes.set_title(title, fontsize=11)
    axes.set_xticks([0, 7])
    axes.set_yticks([0, 7])
for axes in panels[1]:
    axes.set_xlabel("key")
for axes in panels[:, 0]:
    axes.set_ylabel("query")

whole = (tokens + positions) @ W_Q @ ((tokens + positions) @ W_K).T
assert np.allclose(sum(named.values()), whole)

another = score_terms(rng.normal(size=(n, d)), positions, W_Q, W_K)
assert (another.position_position == terms.position_position).all()
assert not np.allclose(another.content_position, terms.content_position)


def roughness(term, axis):
    """Return how much a term changes from one token to the next, against its own size."""
    return np.abs(np.diff(term, axis=axis)).mean() / np.abs(term).mean()


for title, term in named.items():
    print(f"{title:20} from row to row {roughness(term, 0):.2f}, column to column {roughness(term, 1):.2f}")

assert roughness(terms.position_content, 0) < roughness(terms.content_content, 0)
assert roughness(terms.content_position, 1) < roughness(terms.content_content, 1)

figures.show()

# %%
# The smooth pictures come from the table: neighbouring positions have similar rows. That alone does not
# make a token look at its neighbours. What the pattern turns into is up to the two matrices, and they
# have to be learned.
