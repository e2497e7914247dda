"""Position encodings, and the attention they act in, as plain numpy functions.

Attention treats its input as a set: it has no idea which token came first. The functions here make
the tables that tell it, and compute the attention that reads them. Each agrees with its paper and
says where the well-known libraries differ. Importing this package imports numpy and nothing else.
"""

from edukit.posenc._attention import attention
from edukit.posenc._identify import TableIdentity, identify
from edukit.posenc._probes import (
    ProbeResult,
    energy_spectrum,
    linear_probe,
    principal_angles,
    subspace_overlap,
)
from edukit.posenc._sinusoid import sinusoidal, wavelengths
from edukit.posenc._structures import laplacian_encoding, random_walk_encoding, tree_encoding

__all__ = [
    "ProbeResult",
    "TableIdentity",
    "attention",
    "energy_spectrum",
    "identify",
    "laplacian_encoding",
    "linear_probe",
    "principal_angles",
    "random_walk_encoding",
    "sinusoidal",
    "subspace_overlap",
    "tree_encoding",
    "wavelengths",
]
