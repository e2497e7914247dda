r"""
Positions in trees and graphs
=============================

Words stand in a line, and a number says where. A node of a syntax tree or an atom of a molecule has no
such number: its position is the way to it, or its place among its neighbours. This script draws three
encodings for such positions.
"""

import numpy as np

from edukit import figures
from edukit.posenc import laplacian_encoding, random_walk_encoding, tree_encoding

# %%
# Trees: the way down
# -------------------
#
# A node of a tree is reached from the root by a series of turns, left (L) or right (R). The encoding is a
# stack of these turns, the last one on top; with a decay, earlier turns weigh less. To go down is to
# push, to go up is to pop: the same move at every node.

paths = [[], [0], [1], [0, 0], [0, 1], [1, 0], [1, 1], [0, 1, 0], [0, 1, 1]]
names = ["root", *("".join("LR"[turn] for turn in path) for path in paths[1:])]
code = tree_encoding(paths, depth=3, branching=2, decay=0.6)

fig, axes = figures.subplots(
    alt=(
        "Heat map of nine nodes by six columns. The row of the root is empty. Each further row has a dark "
        "cell in the first two columns for its last turn, a paler one in the next two for the turn before, "
        "and the palest in the last two."
    ),
)
axes.imshow(code, cmap="Blues", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
axes.set_yticks(np.arange(len(names)), names)
axes.set_xticks(np.arange(6), ["L", "R"] * 3)
axes.set_xlabel("last turn, the one before, the one before that")
axes.set_ylabel("node")

parent = code[names.index("LR")]
for turn, name in enumerate(("LRL", "LRR")):
    pushed = np.concatenate([np.eye(2)[turn], 0.6 * parent[:-2]])
    assert np.allclose(code[names.index(name)], pushed)

# %%
# Graphs: waves
# -------------
#
# The eigenvectors of the Laplacian are the waves that fit on a graph, the longest first. Here is a strip of
# squares, nine by four nodes. The first wave falls from the left end to the right end, the second one
# has a valley in the middle, the third falls from one long side to the other.

width, height = 9, 4
node = np.arange(width * height).reshape(height, width)
adjacency = np.zeros((node.size, node.size))
for here, there in ((node[:, 1:], node[:, :-1]), (node[1:], node[:-1])):
    adjacency[here.ravel(), there.ravel()] = adjacency[there.ravel(), here.ravel()] = 1
waves = laplacian_encoding(adjacency, 3, normalized=False)

fig, panels = figures.subplots(
    3,
    1,
    figsize=(4.2, 3.9),
    alt=(
        "Three drawings of one strip of nine by four nodes, coloured by an eigenvector each. In the first "
        "the colour goes from red at the left to blue at the right, in the second it is blue at both ends "
        "and red in the middle, in the third it goes from red at the top to blue at the bottom."
    ),
)
rows, columns = np.divmod(np.arange(node.size), width)
for number, axes in enumerate(panels):
    for a, b in zip(*np.nonzero(np.triu(adjacency)), strict=True):
        axes.plot(columns[[a, b]], rows[[a, b]], color="0.7", lw=1, zorder=0)
    axes.scatter(
        columns, rows, c=waves[:, number], cmap="RdBu_r", vmin=-0.4, vmax=0.4, s=60, edgecolors="0.4"
    )
    axes.set_ylabel(f"{number + 1}")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.margins(0.04, 0.16)
    axes.invert_yaxis()

again = laplacian_encoding(adjacency, 3, normalized=False)
assert np.array_equal(waves, again)
assert np.allclose(waves[:, 0].reshape(height, width), waves[:width, 0])  # the same in every row

# %%
# An eigenvector is as good as its negative, and two of one eigenvalue may be turned into each other. A
# library that takes what the solver happens to give can show a different encoding of the same graph on
# another machine. Here sign and basis are fixed by a rule; renumber the nodes, and the waves go along,
# except where the graph itself looks the same from both sides.

order = np.random.default_rng(0).permutation(node.size)
moved = laplacian_encoding(adjacency[np.ix_(order, order)], 3, normalized=False)
for number in range(3):
    side = np.sign(moved[:, number] @ waves[order, number])
    print(f"wave {number + 1}: {'the same' if side > 0 else 'the other sign'}")
    assert np.allclose(moved[:, number], side * waves[order, number])

# %%
# Graphs: ways back
# -----------------
#
# A walker takes a random edge at every node. The chance to be back after one step, two steps and so on
# depends on the neighbourhood alone, and no sign or basis has to be chosen. Here are three nodes of a
# path with a triangle at its end.

path = np.eye(11, k=1) + np.eye(11, k=-1)
path[8, 10] = path[10, 8] = 1  # nodes 8, 9 and 10 are the triangle
back = random_walk_encoding(path, 12)

fig, axes = figures.subplots(
    alt=(
        "The chance to be back after 1 to 12 steps for three nodes. At the end of the path it is one half "
        "after two steps, then less every second step, and zero after an odd number. In the triangle it is "
        "above zero after three steps as well and soon hardly changes. Where the two meet it lies between."
    ),
)
for where, name, marker in ((0, "end of the path", "o"), (9, "triangle", "^"), (8, "where they meet", "s")):
    axes.plot(np.arange(1, 13), back[where], marker=marker, ms=5, label=name)
axes.set_xlabel("steps")
axes.set_ylabel("chance to be back")
axes.set_xticks([2, 4, 6, 8, 10, 12])
axes.set_ylim(0, 0.75)
axes.legend()

assert back[0, 1] == 0.5
assert (back[0, ::2] < 1e-2).all()
assert back[9, 2] > 0.1

figures.show()
