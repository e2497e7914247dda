"""
Heights
=======

We measure the child, :measured:`child-height` cm, and the tree.
"""

from edukit.claims import measure

child = measure("child-height", 128, expect=128, unit="cm")
tree = measure("tree-height", 7.25, above=child / 100, unit="m")

# %%
# Thin things.

measure("hair-width", 7.05e-5, expect=7e-5, within=1e-6, unit="m")
measure("atom-width", 1e-10, above=0, below=1e-9)
print("measured")
