r"""
A wave of :math:`\sin`
======================

One wave, *drawn* once. See :doc:`/index`.
"""

import numpy as np

from edukit import figures

figure, axes = figures.subplots(alt="A wave that rises, falls and rises again.")
x = np.linspace(0, 10, 50)
axes.plot(x, np.sin(x), label="first wave")
axes.set_title("One wave,\ntwo lines")
axes.set_xlabel("position")
axes.set_ylabel(r"$\sin(x)$")
axes.legend()
figures.show()

# %%
# Its square
# ----------
#
# It never falls below zero.

figure, axes = figures.subplots(alt="A wave above zero.")
axes.plot(x, np.sin(x) ** 2)
axes.set_xlabel("position")
figures.show()
