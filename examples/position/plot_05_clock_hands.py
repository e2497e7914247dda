r"""
Fast hands first
================

Each pair of columns of the sinusoidal table is the tip of a clock hand. Which of the hands are fast?
One often reads that the first columns change slowly and the last ones quickly. This script draws the
hands, measures how far each moves in one step, and finds the opposite. Then it asks how exactly a
hand must be read.
"""

import numpy as np

from edukit import figures
from edukit.claims import measure
from edukit.posenc import sinusoidal, wavelengths

# %%
# Four hands, seven moments
# -------------------------
#
# A table of eight columns has four pairs, which is four hands. At position :math:`p` hand :math:`i`
# has turned by the angle
#
# .. math::
#
#    p\,\omega_i, \qquad \omega_i = 10000^{-2i/d}
#
# Let us film the four hands, one picture for each position. All of them begin at the same mark, and
# the shaded slice is the way that a hand has come. (Our hands start at the right and turn to the left,
# as angles do in mathematics.)

n_frames = 7
table = sinusoidal(n_frames, 8, dtype=np.float64)
sines, cosines = table[:, 0::2], table[:, 1::2]

fig, dials = figures.subplots(
    4,
    n_frames,
    figsize=(4.2, 2.75),
    alt=(
        "Four rows of seven clock faces, one column for each position from 0 to 6. The hand of pair 0 "
        "goes nearly all the way round. The hand of pair 1 turns by a tenth of that, and those of "
        "pairs 2 and 3 do not visibly move."
    ),
)
circle = np.linspace(0, 2 * np.pi, 60)
for pair in range(4):
    for p in range(n_frames):
        dial = dials[pair, p]
        way = np.linspace(0, p * 2 * np.pi / wavelengths(8)[pair], 40)
        dial.fill([0, *np.cos(way), 0], [0, *np.sin(way), 0], color="C0", alpha=0.2, linewidth=0)
        dial.plot(np.cos(circle), np.sin(circle), color=figures.FAINT, linewidth=1)
        dial.plot([0, cosines[p, pair]], [0, sines[p, pair]], color="C0")
        assert np.allclose([np.cos(way[-1]), np.sin(way[-1])], [cosines[p, pair], sines[p, pair]])
        dial.set_aspect("equal")
        dial.set_xlim(-1.1, 1.1)
        dial.set_ylim(-1.1, 1.1)
        dial.set_xticks([])
        dial.set_yticks([])
        dial.spines[:].set_visible(False)
        if pair == 0:
            dial.set_title(str(p), fontweight="normal", fontsize=11)
    dials[pair, 0].set_ylabel(str(pair), rotation=0, ha="right", va="center")
fig.get_layout_engine().set(w_pad=0.03, h_pad=0.03, wspace=0, hspace=0)
fig.suptitle("position", fontsize=11)
fig.supylabel("pair", fontsize=11)

# %%
# From the first pair to the last
# -------------------------------
#
# The base model of the paper has :math:`d = 512` columns: 256 hands. How many positions does each of
# them take for one full turn? And by how much do its two columns change from one position to the next,
# on average?

d = 512
length = wavelengths(d)
step = np.abs(np.diff(sinusoidal(d, d, dtype=np.float64), axis=0)).mean(axis=0)
step = step.reshape(-1, 2).mean(axis=1)  # one number for each pair

measure("sinusoid-wavelength-first", length[0], expect=2 * np.pi, within=1e-12)
measure("sinusoid-wavelength-last", length[-1], expect=60611, within=1)
first_step = measure("sinusoid-step-first", step[0], expect=0.610, within=0.001)
last_step = measure("sinusoid-step-last", step[-1], expect=5.3e-5, within=5e-7)
measure("sinusoid-step-ratio", first_step / last_step, above=10_000, below=13_000)

print(f"pair   0: one turn in {length[0]:9,.2f} positions, step {step[0]:.3f}")
print(f"pair 255: one turn in {length[-1]:9,.2f} positions, step {step[-1]:.1e}")

# Not only at the ends: every pair is slower than the one before it.
longer = int((np.diff(length) > 0).sum())
measure("sinusoid-pairs-slower-than-the-last", longer, expect=d // 2 - 1)

fig, axes = figures.subplots(
    figsize=(4.2, 2.6),
    alt=(
        "Line on a logarithmic axis: the mean change from one position to the next falls by four powers "
        "of ten from pair 0 to pair 255, in a nearly straight line."
    ),
)
axes.plot(step)
axes.set_yscale("log")
axes.set_yticks([1, 1e-2, 1e-4], ["1", "0.01", "0.0001"])
axes.minorticks_off()
axes.set_ylim(1e-5, 3)
axes.set_xticks([0, 64, 128, 192, 255])
axes.set_xlabel("pair")
axes.set_ylabel("mean step")
axes.text(8, 0.8, "fast hands", va="bottom")
axes.text(255, 2e-3, "slow hands", ha="right")

# %%
# The first columns are the fast ones. A straight line on this axis means that the hands slow down by
# the same factor from each to the next.
#
# Why people get it backwards
# ---------------------------
#
# Perhaps because of how we write numbers. Count in binary: 000, 001, 010, 011. The *last* digit flips
# at every step, the first one rarely. The table is such a counter too, with soft hands in place of hard
# digits, but it is written from the other end: the digit that changes fastest stands first. If we write
# binary numbers that way as well, the two pictures agree.
#
# To see it best we choose a base of 16 and a width of 8, so that each hand takes twice as long as the one
# before, and take positions in steps of :math:`\pi`, so that the first hand makes half a turn each time.

count = np.arange(16)
digits = count[:, np.newaxis] // 2 ** np.arange(4) % 2  # the fastest digit first
hands = sinusoidal(None, 8, positions=np.pi * count, base=16, dtype=np.float64)[:, 1::2]

fig, (left, right) = figures.subplots(
    1,
    2,
    figsize=(4.2, 3.0),
    alt=(
        "Two heat maps of sixteen rows and four columns. On the left the digits of the binary numbers "
        "0 to 15, fastest digit first. On the right four cosines of the table: the same stripes, with "
        "soft edges in the later columns."
    ),
)
for axes, values, title in (
    (left, 1 - 2 * digits, "binary digits"),
    (right, hands, "clock hands"),
):
    axes.imshow(values, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    axes.set_title(title)
    axes.set_xticks(range(4))
    axes.set_yticks([0, 5, 10, 15])
    axes.set_xlabel("pair" if axes is right else "digit")
left.set_ylabel("position")

# The first hand is the last binary digit, exactly, and each later one is its digit whenever that flips.
for pair in range(4):
    flips = slice(None, None, 2**pair)
    assert np.allclose(hands[flips, pair], 1 - 2 * digits[flips, pair])

# %%
# How exactly must a hand be read?
# --------------------------------
#
# A fast hand is a sensitive one. By position 16384 the first hand has gone round more than two
# thousand times, and only what is left over after the last full turn counts. A number format that keeps
# three digits has long forgotten it.
#
# Networks often compute in such formats, with 16 bits a number: float16, which keeps about three
# decimal digits, and bfloat16, which keeps fewer than three. Here is what happens when the *angle* is
# computed in one of them. Numpy has no bfloat16, but it is easily made: a float32 whose last 16 bits have
# been rounded away.


def bfloat16(x):
    """Round to the nearest bfloat16; the result is held in a float32."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    to_even = 0x7FFF + (bits >> 16 & 1)
    return (bits + to_even & 0xFFFF0000).astype(np.uint32).view(np.float32)


formats = {"bfloat16": bfloat16, "float16": np.float16, "float32": np.float32}
omega = 10000.0 ** (-np.arange(0, 16, 2) / 16)
positions = 2 ** np.arange(15)  # powers of two: each format holds these positions exactly


def error(positions, rounded):
    """Return by how much sine and cosine are off at the worst pair, one row for each position."""
    p, w = rounded(positions), rounded(omega)
    angle = rounded(p[:, np.newaxis] * w).astype(np.float64)
    true = positions[:, np.newaxis] * omega
    sine = np.abs(np.sin(angle) - np.sin(true)).max(axis=1)
    cosine = np.abs(np.cos(angle) - np.cos(true)).max(axis=1)
    return sine, cosine


errors = {name: error(positions, rounded) for name, rounded in formats.items()}
for name, (sine, _) in errors.items():
    print(f"{name:9}  position 1024: {sine[10]:.0e}   position 16384: {sine[14]:.0e}")

measure("sinusoid-float32-error-1024", errors["float32"][0][10], expect=2e-6, within=5e-7)
measure("sinusoid-float32-error-16384", errors["float32"][0][14], expect=3e-5, within=5e-6)
measure("sinusoid-bfloat16-error-1024", errors["bfloat16"][0][10], expect=0.173, within=0.001)
measure("sinusoid-bfloat16-error-16384", errors["bfloat16"][0][14], expect=1.25, within=0.01)
measure("sinusoid-bfloat16-cosine-error-16384", errors["bfloat16"][1][14], expect=1.763, within=0.01)
measure("sinusoid-float16-error-1024", errors["float16"][0][10], expect=0.066, within=0.001)
measure("sinusoid-float16-error-16384", errors["float16"][0][14], expect=1.023, within=0.01)

# What helps: angles as exact as can be, and only the result rounded.
late = np.arange(16384 - 64, 16384)
true = np.sin(late[:, np.newaxis] * omega)
cast_last = sinusoidal(None, 16, positions=late, dtype=np.float16)[:, 0::2].astype(np.float64)
cast_last_error = measure(
    "sinusoid-float16-cast-last-error", np.abs(cast_last - true).max(), above=1e-4, below=2.5e-4
)
print(f"float16, cast last, up to position 16384: {cast_last_error:.0e}")

fig, axes = figures.subplots(
    alt=(
        "Line chart on two logarithmic axes: the error of the sine against the position, for three "
        "number formats. It grows in proportion to the position. With bfloat16 and float16 it reaches "
        "the size of the sine itself by position 16384; with float32 it stays thousands of times "
        "smaller."
    ),
)
for style, (name, (sine, _)) in zip(("-", "--", "-."), errors.items(), strict=True):
    axes.plot(positions[1:], sine[1:], style, label=name)
axes.axhline(1, color=figures.INK, linewidth=1, linestyle=":")
axes.set_xscale("log", base=2)
axes.set_yscale("log")
axes.set_xticks([2, 64, 1024, 16384], ["2", "64", "1024", "16384"])
axes.set_yticks([1, 1e-2, 1e-4, 1e-6], ["1", "0.01", "0.0001", "1e-6"])
axes.minorticks_off()
axes.set_ylim(1e-9, 9)
axes.set_xlabel("position")
axes.set_ylabel("error of the sine")
axes.legend(loc="lower right")

figures.show()

# %%
# What we have found
# ------------------
#
# - Pair 0 is the fastest: one turn in :math:`2\pi` positions. The last one takes
#   :measured:`sinusoid-wavelength-last:,.0f`, and moves more than ten thousand times less in each step.
# - The table is a counter whose fastest digit is written first.
# - The angle must be computed in float32 or better. Rounding only the finished sine to float16 is
#   harmless.
