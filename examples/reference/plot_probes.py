r"""
What can be read out of a sum
=============================

A Transformer adds a vector for the position to the vector of the token. Can the two still be told
apart? A *probe* answers by trying: it learns to read the position, and is then asked about tokens that
it has never met. The angles between the spaces that tokens and positions span say why it works.
"""

import numpy as np

from edukit import figures
from edukit.posenc import energy_spectrum, linear_probe, principal_angles, sinusoidal, subspace_overlap

# %%
# Reading the position
# --------------------
#
# Every token stands once at every position. A quarter of the *tokens* is kept for the test. How well a
# linear classifier does depends on how large the tokens are, and on how the classifier was found: the
# same vectors, the same split, three figures.

n_tokens, n_positions, d = 80, 20, 32
table = sinusoidal(n_positions, d, dtype=np.float64)
position = np.tile(np.arange(n_positions), n_tokens)
token = np.repeat(np.arange(n_tokens), n_positions)
stds = (0.1, 0.3, 0.6, 1.0)

accuracy = {"discriminant": [], "softmax": [], "least squares": []}
for std in stds:
    words = np.random.default_rng(0).normal(0, std, (n_tokens, 1, d))
    x = (words + table).reshape(-1, d)
    for probe, values in accuracy.items():
        result = linear_probe(x, position, groups=token, probe=probe, max_steps=30)
        values.append(result.accuracy)
print(result)

fig, axes = figures.subplots(
    alt=(
        "The share of positions that is read correctly, for tokens of growing size and three probes. All "
        "begin at nine tenths or more and fall below four tenths, still far above chance. Least squares "
        "lies below the other two."
    ),
)
for (probe, values), marker in zip(accuracy.items(), "o^s", strict=True):
    axes.plot(stds, values, marker=marker, label=probe)
axes.axhline(1 / n_positions, color="C5", ls=":", label="chance")
axes.set_xlabel("standard deviation of the tokens")
axes.set_ylabel("accuracy")
axes.set_ylim(0, 1.05)
axes.legend()

assert accuracy["discriminant"][0] > 0.99
assert accuracy["softmax"][-1] < 0.4
for fitted, *others in zip(*reversed(accuracy.values()), strict=True):
    assert fitted < min(others)

# %%
# Angles between two spaces
# -------------------------
#
# Twenty tokens span a space of twenty dimensions, ten positions one of ten. If no vector lies in both,
# sums can be taken apart. The *principal angles* say how far the two are from sharing one: the first is
# the smallest angle between any vector of the one and any vector of the other. In more dimensions there
# is more room.

rng = np.random.default_rng(1)
fig, axes = figures.subplots(
    alt=(
        "The ten principal angles between tokens and positions, ascending, in 32, 64 and 512 dimensions. "
        "In 32 dimensions they begin near zero, in 64 near 40 degrees, and in 512 all are above 70."
    ),
)
for width, marker in ((32, "o"), (64, "^"), (512, "s")):
    tokens, positions = rng.normal(size=(20, width)), sinusoidal(10, width, dtype=np.float64)
    angles = np.degrees(principal_angles(tokens, positions))
    overlap = subspace_overlap(tokens, positions)
    axes.plot(np.arange(1, 11), angles, marker=marker, label=f"{width} dimensions")
    print(f"{width} dimensions: smallest angle {angles[0]:.0f} degrees, overlap {overlap:.2f}")
    assert np.isclose(overlap, np.mean(np.cos(np.radians(angles)) ** 2))
    if width == 64:
        assert np.linalg.matrix_rank(np.concatenate([tokens, positions])) == 30
axes.set_xlabel("number of the angle")
axes.set_ylabel("angle in degrees")
axes.set_xticks([1, 4, 7, 10])
axes.set_yticks([0, 30, 60, 90])
axes.legend(loc="lower right")

# %%
# How many dimensions a table uses
# --------------------------------
#
# The table of 512 positions has 512 columns, but the slow ones hardly change. Most of its energy, the
# sum of its squares, lies in far fewer dimensions. Subtracting the mean row first takes away the
# strongest of them. A table of random numbers uses them all.

spectra = {
    "sinusoidal": energy_spectrum(sinusoidal(512, 512)),
    "sinusoidal, centred": energy_spectrum(sinusoidal(512, 512), centred=True),
    "random": energy_spectrum(rng.normal(size=(512, 512))),
}

fig, axes = figures.subplots(
    alt=(
        "The share of the energy that the strongest dimensions hold, for three tables. Both curves of the "
        "sinusoidal table reach one soon after 100 dimensions, the centred one later at first. The random "
        "table rises slowly, up to 512."
    ),
)
for name, shares in spectra.items():
    axes.plot(np.arange(1, 513), shares, label=name)
    needed = [int(np.searchsorted(shares, share)) + 1 for share in (0.9, 0.99)]
    print(f"{name}: 90 % in {needed[0]} dimensions, 99 % in {needed[1]}")
axes.set_xlabel("dimensions")
axes.set_ylabel("share of the energy")
axes.set_xticks([1, 128, 256, 384, 512])
axes.legend(loc="lower right")

assert [int(np.searchsorted(spectra["sinusoidal"], share)) + 1 for share in (0.9, 0.99)] == [62, 109]

figures.show()

# %%
# None of this says that a trained model *does* take its sums apart. It says that a single matrix could.
