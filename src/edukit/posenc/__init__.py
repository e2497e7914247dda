"""Position encodings, and the attention they act in, as plain numpy functions.

Attention treats its input as a set: it has no idea which token came first. The functions here make
the tables that tell it, and compute the attention that reads them. Each agrees with its paper and
says where the well-known libraries differ. Importing this package imports numpy and nothing else.
"""

from edukit.posenc._attention import ScoreTerms, attention, score_terms
from edukit.posenc._biases import alibi_bias, alibi_slopes, t5_bias, t5_buckets, transformer_xl_scores
from edukit.posenc._costs import (
    BERT_BASE,
    CombiningCost,
    LayerFlops,
    ParameterCounts,
    TransformerSize,
    combining_cost,
    layer_flops,
    parameter_counts,
)
from edukit.posenc._grid import sinusoidal_2d
from edukit.posenc._identify import TableIdentity, identify
from edukit.posenc._learned import learned_table, look_up, padded_positions
from edukit.posenc._probes import (
    ProbeResult,
    energy_spectrum,
    linear_probe,
    principal_angles,
    subspace_overlap,
)
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
from edukit.posenc._structures import laplacian_encoding, random_walk_encoding, tree_encoding
from edukit.posenc._training import Adam, Task, accuracy, copy_back, last_seen, train, which_came_first
from edukit.posenc._transformer import Transformer, TransformerConfig

__all__ = [
    "BERT_BASE",
    "NTK",
    "Adam",
    "CombiningCost",
    "DynamicNTK",
    "LayerFlops",
    "Linear",
    "Llama3",
    "LongRoPE",
    "ParameterCounts",
    "ProbeResult",
    "RotaryFrequencies",
    "ScoreTerms",
    "TableIdentity",
    "Task",
    "Transformer",
    "TransformerConfig",
    "TransformerSize",
    "YaRN",
    "accuracy",
    "alibi_bias",
    "alibi_slopes",
    "apply_rotary",
    "attention",
    "combining_cost",
    "copy_back",
    "energy_spectrum",
    "identify",
    "laplacian_encoding",
    "last_seen",
    "layer_flops",
    "learned_table",
    "linear_probe",
    "look_up",
    "padded_positions",
    "parameter_counts",
    "principal_angles",
    "random_walk_encoding",
    "rotary_2d",
    "rotary_frequencies",
    "rotary_frequencies_from_config",
    "rotary_permutation",
    "rotation_matrix",
    "score_terms",
    "sinusoidal",
    "sinusoidal_2d",
    "subspace_overlap",
    "t5_bias",
    "t5_buckets",
    "train",
    "transformer_xl_scores",
    "tree_encoding",
    "wavelengths",
    "which_came_first",
]
