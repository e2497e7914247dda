"""Position encodings, and the attention they act in, as plain numpy functions.

Attention treats its input as a set: it has no idea which token came first. The functions here make
the tables that tell it, and compute the attention that reads them. Each agrees with its paper and
says where the well-known libraries differ. Importing this package imports numpy and nothing else.
"""

from edukit.posenc._attention import attention
from edukit.posenc._rotary import (
    RotaryFrequencies,
    apply_rotary,
    rotary_2d,
    rotary_frequencies,
    rotary_permutation,
)
from edukit.posenc._scaling import (
    NTK,
    DynamicNTK,
    Linear,
    Llama3,
    LongRoPE,
    YaRN,
    rotary_frequencies_from_config,
)
from edukit.posenc._sinusoid import rotation_matrix, sinusoidal, wavelengths

__all__ = [
    "NTK",
    "DynamicNTK",
    "Linear",
    "Llama3",
    "LongRoPE",
    "RotaryFrequencies",
    "YaRN",
    "apply_rotary",
    "attention",
    "rotary_2d",
    "rotary_frequencies",
    "rotary_frequencies_from_config",
    "rotary_permutation",
    "rotation_matrix",
    "sinusoidal",
    "wavelengths",
]
