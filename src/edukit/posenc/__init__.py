"""Position encodings, and the attention they act in, as plain numpy functions.

Attention treats its input as a set: it has no idea which token came first. The functions here make
the tables that tell it, and compute the attention that reads them. Each agrees with its paper and
says where the well-known libraries differ. Importing this package imports numpy and nothing else.
"""

from edukit.posenc._attention import attention
from edukit.posenc._grid import sinusoidal_2d
from edukit.posenc._learned import learned_table, look_up, padded_positions
from edukit.posenc._sinusoid import rotation_matrix, sinusoidal, wavelengths

__all__ = [
    "attention",
    "learned_table",
    "look_up",
    "padded_positions",
    "rotation_matrix",
    "sinusoidal",
    "sinusoidal_2d",
    "wavelengths",
]
