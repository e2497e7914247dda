r"""
Rotary: two arrows that turn together
=====================================

Rotary position encoding (`arXiv:2104.09864 <https://arxiv.org/abs/2104.09864>`_) adds nothing to a word. It
*turns* the query and the key, pair of numbers by pair of numbers, by an angle that grows with their
positions. This script watches two arrows turn, measures what stays the same, and looks at a curve that is
often said to fall and does not always.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import apply_rotary, rotary_frequencies

# %%
# Frame by frame
# --------------
#
# Take one pair of numbers of a query and one of a key, and draw them as arrows. The query stands at
# position :math:`m`, the key two places before it. Now both move along the sentence, a step from frame to
# frame.

one_pair = rotary_frequencies(2)  # a single pair turns by one radian a position
q = np.array([1.0, 0.0])
k = np.array([0.8, 0.4])
frames = [2, 3, 4, 5]
between = []  # the angle from the query to the key, in each frame

fig, panels = figures.subplots(
    2,
    2,
    figsize=(4.2, 4.4),
    alt=(
        "Four frames with two arrows, the query and the key, on a circle. From frame to frame both arrows "
        "turn by the same angle. The angle between them is the same in all four."
    ),
)
for axes, m in zip(panels.flat, frames, strict=True):
    arrows = apply_rotary([q, k], [m, m - 2], one_pair, layout="interleaved")
    for (x, y), name, colour in zip(arrows, ("query", "key"), ("C0", "C1"), strict=True):
        axes.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "->", "color": colour, "lw": 2.5})
        if m == frames[0]:
            axes.text(1.25 * x, 1.25 * y, name, color=colour, ha="center", va="center")
    circle = np.exp(1j * np.linspace(0, 2 * np.pi, 100))
    axes.plot(circle.real, circle.imag, color="#d8dade", lw=1, zorder=0)
    axes.set_title(f"{m}, {m - 2}", weight="normal")
    axes.set_xlim(-1.5, 1.5)
    axes.set_ylim(-1.5, 1.5)
    axes.set_aspect("equal")
    axes.set_axis_off()
    (query_x, query_y), (key_x, key_y) = arrows
    between.append(np.arctan2(query_x * key_y - query_y * key_x, query_x * key_x + query_y * key_y))
measure("field-rotary-frames-angle", np.ptp(between), below=1e-12)

# %%
# Above each frame stand the positions of query and key. The arrows wander, but the angle between them does
# not change, and neither do their lengths. The dot product of two arrows depends on just these two things.
#
# As a formula
# ------------
#
# Write each pair as a complex number. To turn is to multiply by :math:`e^{\mathrm i m \theta}`, so for a
# word :math:`x` at position :math:`m`
#
# .. math::
#
#    f(x, m) = (W x)\, e^{\mathrm i m \theta}
#
# and the score of a query at :math:`m` and a key at :math:`n` is the real part of
#
# .. math::
#
#    (W_q x_m)\, (W_k x_n)^{*}\, e^{\mathrm i (m - n) \theta}
#
# Only :math:`m - n` is left. We test it on twenty draws of queries and keys with 64 numbers, at random
# places in a text of 100 000 tokens.

d = 64
turning = rotary_frequencies(d)
norm_changed, score_changed, score_moved = [], [], []
for seed in range(20):
    rng = np.random.default_rng(seed)
    q, k = rng.normal(size=(2, d))
    offset = int(rng.integers(1, 100))
    starts = rng.integers(0, 100_000, size=50)
    queries = apply_rotary(np.tile(q, (50, 1)), starts + offset, turning, layout="interleaved")
    keys = apply_rotary(np.tile(k, (50, 1)), starts, turning, layout="interleaved")
    lengths = np.linalg.norm(queries, axis=1)
    scores = (queries * keys).sum(axis=1)
    norm_changed.append(np.abs(lengths - np.linalg.norm(q)).max())
    score_changed.append(np.ptp(scores))
    score_moved.append(np.ptp([keys @ queries[0]]))

print(f"change of the length:                at most  {max(norm_changed):.0e}")
print(f"change of the score, same offset:    at most  {max(score_changed):.0e}")
print(f"change of the score, other offsets:  at least {min(score_moved):.1f}")

measure("field-rotary-norm-error", max(norm_changed), below=1e-12)
measure("field-rotary-offset-error", max(score_changed), below=1e-9)
measure("field-rotary-other-offsets", min(score_moved), above=1.0)

# %%
# Multiplied, not added
# ---------------------
#
# Is this "a more complicated way of adding"? An addition would move every word at a position by the same
# step, whatever the word. Turn two words at the same position, and look at their steps.

steps_differ = []
for seed in range(20):
    rng = np.random.default_rng(seed)
    words = rng.normal(size=(2, d))
    steps = apply_rotary(words, [7, 7], turning, layout="interleaved") - words
    steps_differ.append(np.linalg.norm(steps[0] - steps[1]) / np.linalg.norm(steps, axis=1).mean())

print(f"two words, one position: their steps differ by {min(steps_differ):.2f} of their length or more")
measure("field-rotary-steps-differ", min(steps_differ), expect=1.11, within=0.005)

# The zero vector tells it at once: added to, it becomes the position; turned, it stays zero.
assert not apply_rotary(np.zeros(d), 7, turning, layout="interleaved").any()

# %%
# A bound is not a curve
# ----------------------
#
# The paper shows that scores tend to fall with the offset. What its equation 37 proves is an *upper bound*:
# up to a factor that depends on the content, no score is larger than
#
# .. math::
#
#    \frac{1}{d/2} \sum_{j=1}^{d/2} \left| S_j \right|, \quad
#    S_j = \sum_{i<j} e^{\mathrm i (m - n) \theta_i}
#
# Here is the bound for :math:`d = 64`, and the score itself for a query and a key of nothing but ones, as a
# share of its value at offset 0.


def bound(d, offsets):
    """Return the mean length of the partial sums, for each offset."""
    turns = np.exp(1j * np.multiply.outer(offsets, rotary_frequencies(d).inverse))
    return np.abs(np.cumsum(turns, axis=-1)).mean(axis=-1)


offsets = np.arange(101)
bound_64 = bound(64, offsets)
ones = np.ones((101, 64))
score = apply_rotary(ones, -offsets, turning, layout="interleaved") @ np.ones(64) / 64

fig, (upper, lower) = figures.subplots(
    2,
    1,
    figsize=(4.2, 4.4),
    sharex=True,
    alt=(
        "Two curves over the offset, from 0 to 100. The bound falls quickly at first, and then in waves, "
        "with several small rises. The score of equal vectors falls in waves too, and rises again and "
        "again."
    ),
)
upper.plot(offsets, bound_64)
upper.set_title("upper bound")
upper.set_ylim(0, 17)
upper.set_yticks([0, 8, 16])
lower.plot(offsets, score, color="C1")
lower.set_title("score, query and key alike")
lower.set_xlabel("offset")
lower.set_ylabel("share of the value at 0")
lower.set_ylim(0, 1.05)
lower.set_yticks([0, 0.5, 1])
lower.set_xticks([0, 25, 50, 75, 100])


def first_rise(curve):
    """Return after which offset the curve rises for the first time."""
    return int(np.flatnonzero(np.diff(curve) > 0)[0])


print(f"d = 64: the bound rises from {bound_64[11]:.3f} at offset 11 to {bound_64[12]:.3f} at offset 12")

measure("field-rotary-bound-first-rise", first_rise(bound_64), expect=11)
measure("field-rotary-bound-11", bound_64[11], expect=8.685, within=0.001)
measure("field-rotary-bound-12", bound_64[12], expect=8.804, within=0.001)
measure("field-rotary-bound-first-rise-128", first_rise(bound(128, offsets)), expect=18)
measure("field-rotary-score-first-rise", first_rise(score), above=0, below=12)

figures.show()

# %%
# What we have found
# ------------------
#
# - Turned arrows keep their lengths, and their dot product knows the offset and nothing else of the
#   positions.
# - Turning multiplies. It is no kind of addition: what it does to a word depends on the word.
# - That scores fall with the offset holds for an upper bound and only on the whole. The bound itself rises
#   here and there, and a single score may lie anywhere below it: a head that has learned to look five
#   places back has its largest score there.
