"""Position encodings, and the attention they act in, as plain numpy functions.

Attention treats its input as a set: it has no idea which token came first. The functions here make
the tables that tell it, and compute the attention that reads them. Each agrees with its paper and
says where the well-known libraries differ. Importing this package imports numpy and nothing else.
"""

from edukit.posenc._attention import attention
from edukit.posenc._identify import TableIdentity, identify
from edukit.posenc._sinusoid import sinusoidal, wavelengths

__all__ = ["TableIdentity", "attention", "identify", "sinusoidal", "wavelengths"]
