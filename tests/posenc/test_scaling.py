"""Scaled rotary frequencies against other people's code, the formulas a pair at a time, config.json."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.posenc import (
    NTK,
    DynamicNTK,
    Linear,
    Llama3,
    LongRoPE,
    YaRN,
    rotary_frequencies,
    rotary_frequencies_from_config,
)

REFERENCE = json.loads(
    (Path(__file__).parent / "data" / "rotary-reference.json").read_text(encoding="utf-8")
)

# -- against the field's own code -----------------------------------------------------------------

SHORT = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7000000000000002]
LONG = [2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5]
DYNAMIC = {"type": "dynamic", "factor": 4}
YARN = {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 2048}
LLAMA = {
    "rope_type": "llama3",
    "low_freq_factor": 1,
    "high_freq_factor": 4,
    "original_max_position_embeddings": 8192,
}
LONGROPE = {"rope_type": "longrope", "short_factor": SHORT, "long_factor": LONG, "factor": 32}

# Name, scaling, base, length, and the same as a config.json has it.
SCHEMES = [
    (
        "rope_linear_factor4_inv_freq",
        Linear(4),
        1e4,
        None,
        {"rope_scaling": {"type": "linear", "factor": 4}},
    ),
    (
        "rope_ntk_static_factor4_inv_freq",
        NTK(4),
        1e4,
        None,
        {"rope_scaling": {"type": "dynamic", "alpha": 4}},
    ),
    *(
        (
            f"rope_dynamic_ntk_factor4_len{length}_inv_freq",
            DynamicNTK(4, 2048),
            1e4,
            length,
            {"rope_scaling": DYNAMIC, "max_position_embeddings": 2048},
        )
        for length in (2048, 4096, 8192)
    ),
    ("rope_yarn_factor4_orig2048_d64", YaRN(4, 2048), 1e4, None, {"rope_parameters": YARN}),
    (
        "rope_yarn_factor4_orig2048_d64_truncateFalse",
        YaRN(4, 2048, truncate=False),
        1e4,
        None,
        {"rope_parameters": {**YARN, "truncate": False}},
    ),
    ("rope_llama3_factor8_d128", Llama3(8, 8192), 5e5, None, {"rope_parameters": {**LLAMA, "factor": 8}}),
    ("rope_llama3_factor32_d64", Llama3(32, 8192), 5e5, None, {"rope_scaling": {**LLAMA, "factor": 32}}),
    *(
        (
            f"rope_longrope_{which}",
            LongRoPE(SHORT, LONG, 4096, factor=32),
            1e4,
            length,
            {
                "rope_scaling": LONGROPE,
                "original_max_position_embeddings": 4096,
                "max_position_embeddings": 131072,
            },
        )
        for which, length in (("short", 4096), ("long", 4097))
    ),
]


@pytest.mark.parametrize("source", ["scaling", "config"])
@pytest.mark.parametrize(("name", "scaling", "base", "length", "config"), SCHEMES)
def test_agrees_with_libraries(name, scaling, base, length, config, source):
    entry = REFERENCE[name]
    dim = entry["params"]["d"]
    if source == "scaling":
        scaled = rotary_frequencies(dim, base=base, scaling=scaling, length=length)
    else:
        config = {"head_dim": dim, "rope_theta": base, **config}
        scaled = rotary_frequencies_from_config(config, length=length)
    np.testing.assert_allclose(scaled.inverse, entry["exact_f64"], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(scaled.inverse, entry["lib"], rtol=1e-5, atol=2e-6)
    expected = entry.get("attention_factor_exact", entry.get("attention_factor", 1.0))
    assert scaled.attention_factor == pytest.approx(expected, rel=1e-9)
    assert scaled.base == pytest.approx(entry.get("base_new", base), rel=1e-9)
    assert scaled.inverse.dtype == np.float64
    assert scaled.inverse.flags.c_contiguous
    assert scaled.inverse.flags.writeable


# -- against the formulas, a pair at a time -------------------------------------------------------


@settings(deadline=None)
@given(
    pairs=st.integers(1, 64),
    base=st.floats(10, 1e6),
    factor=st.floats(1, 64),
    original=st.integers(64, 65536),
    fast=st.floats(8, 64),
    slow=st.floats(0.5, 4),
    truncate=st.booleans(),
)
def test_yarn_written_out(pairs, base, factor, original, fast, slow, truncate):
    dim = 2 * pairs
    ends = [
        dim * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (fast, slow)
    ]
    if truncate:
        ends = [math.floor(ends[0]), math.ceil(ends[1])]
    low, high = max(ends[0], 0), min(ends[1], dim - 1)
    yarn = YaRN(factor, original, beta_fast=fast, beta_slow=slow, truncate=truncate)
    scaled = rotary_frequencies(dim, base=base, scaling=yarn)
    for pair in range(pairs):
        plain = base ** (-2 * pair / dim)
        if pair <= low:
            expected = plain
        elif pair >= high:
            expected = plain / factor
        else:
            share = (pair - low) / (high - low)
            expected = share * plain / factor + (1 - share) * plain
        assert scaled.inverse[pair] == pytest.approx(expected, rel=1e-9)
    assert scaled.attention_factor == pytest.approx(1 + math.log(factor) / 10, rel=1e-12)


@settings(deadline=None)
@given(
    pairs=st.integers(1, 64),
    base=st.floats(10, 1e6),
    factor=st.floats(1, 64),
    original=st.integers(1, 65536),
    low=st.floats(0.25, 2),
    more=st.floats(0.25, 8),
)
def test_llama3_written_out(pairs, base, factor, original, low, more):
    scaling = Llama3(factor, original, low_freq_factor=low, high_freq_factor=low + more)
    scaled = rotary_frequencies(2 * pairs, base=base, scaling=scaling)
    for pair in range(pairs):
        plain = base ** (-pair / pairs)
        wavelength = 2 * math.pi / plain
        if wavelength < original / (low + more):
            expected = plain
        elif wavelength > original / low:
            expected = plain / factor
        else:
            smooth = (original / wavelength - low) / more
            expected = (1 - smooth) * plain / factor + smooth * plain
        assert scaled.inverse[pair] == pytest.approx(expected, rel=1e-9)


@settings(deadline=None)
@given(pairs=st.integers(2, 64), base=st.floats(2, 1e6), factor=st.floats(1, 64))
def test_ntk_slows_the_slowest_pair_by_the_factor_and_leaves_the_fastest(pairs, base, factor):
    plain = rotary_frequencies(2 * pairs, base=base).inverse
    scaled = rotary_frequencies(2 * pairs, base=base, scaling=NTK(factor)).inverse
    assert scaled[0] == plain[0] == 1
    assert plain[-1] / scaled[-1] == pytest.approx(factor, rel=1e-9)


@settings(deadline=None)
@given(
    dim=st.integers(1, 64).map(lambda half: 2 * half),
    factor=st.floats(1, 64),
    original=st.integers(1, 10**6),
    times=st.integers(1, 9),
    share=st.floats(0, 1),
)
def test_dynamic_ntk_is_static_ntk_of_the_growth(dim, factor, original, times, share):
    scaling = DynamicNTK(factor, original)
    grown = rotary_frequencies(dim, scaling=scaling, length=times * original)
    static = rotary_frequencies(dim, scaling=NTK(factor * times - (factor - 1)))
    np.testing.assert_allclose(grown.inverse, static.inverse, rtol=1e-9)
    short = rotary_frequencies(dim, scaling=scaling, length=math.floor(share * original))
    np.testing.assert_array_equal(short.inverse, rotary_frequencies(dim).inverse)
    assert short.base == 10000.0


def test_llama3_scales_what_was_asked_to_be_scaled():
    """A library once returned the plain frequencies, and nothing failed."""
    plain = rotary_frequencies(64, base=5e5).inverse
    scaled = rotary_frequencies(64, base=5e5, scaling=Llama3(32, 8192)).inverse
    np.testing.assert_array_equal(scaled[:15], plain[:15])
    np.testing.assert_array_equal(scaled[18:], plain[18:] / 32)
    assert (scaled[15:18] < plain[15:18]).all()
    assert (scaled[15:18] > plain[15:18] / 32).all()


@pytest.mark.parametrize(
    "scaling",
    [Linear(4), NTK(4), DynamicNTK(4, 64), YaRN(4, 64), Llama3(4, 64), LongRoPE([2] * 8, [3] * 8, 64, 4)],
    ids=lambda scaling: type(scaling).__name__,
)
def test_every_scaling_slows_a_pair_and_hastens_none(scaling):
    plain = rotary_frequencies(16).inverse
    scaled = rotary_frequencies(16, scaling=scaling, length=256).inverse
    assert (scaled <= plain).all()
    assert scaled[-1] < plain[-1] / 2


@pytest.mark.parametrize(
    "scaling",
    [None, NTK(4), DynamicNTK(4, 64)],
    ids=["none", "NTK", "DynamicNTK"],
)
def test_two_columns_keep_the_single_frequency_1(scaling):
    scaled = rotary_frequencies(2, scaling=scaling, length=256)
    assert scaled.inverse.tolist() == [1.0]
    assert scaled.base == 10000.0


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, 1 + 0.1 * math.log(40)),
        ({"attention_factor": 1.5}, 1.5),
        ({"mscale": 0.707, "mscale_all_dim": 0.707}, 1.0),
        ({"mscale": 1.0, "mscale_all_dim": 0.5}, (0.1 * math.log(40) + 1) / (0.05 * math.log(40) + 1)),
        ({"mscale": 0.5}, 0.05 * math.log(40) + 1),
        ({"mscale_all_dim": 1.0}, 1.0),
        ({"mscale": 0.5, "attention_factor": 1.25}, 1.25),
    ],
)
def test_attention_factor_of_yarn(given, expected):
    scaled = rotary_frequencies(64, scaling=YaRN(40, 4096, **given))
    assert scaled.attention_factor == pytest.approx(expected, rel=1e-12)
    config = {"head_dim": 64, "rope_scaling": {**YARN, "factor": 40, **given}}
    assert rotary_frequencies_from_config(config).attention_factor == pytest.approx(expected, rel=1e-12)


def test_yarn_where_the_original_length_is_shorter_than_any_wave_or_longer_than_all():
    plain = rotary_frequencies(8).inverse
    short = rotary_frequencies(8, scaling=YaRN(4, 2)).inverse
    np.testing.assert_array_equal(short[1:], plain[1:] / 4)
    long = rotary_frequencies(8, base=2, scaling=YaRN(4, 10**9)).inverse
    np.testing.assert_array_equal(long, rotary_frequencies(8, base=2).inverse)


def test_attention_factor_of_longrope():
    assert rotary_frequencies(4, scaling=LongRoPE([1, 1], [2, 2], 4096, 1), length=9).attention_factor == 1
    given = LongRoPE([1, 1], [2, 2], 4096, attention_factor=1.5)
    assert rotary_frequencies(4, scaling=given, length=9999).attention_factor == 1.5


def test_factors_are_kept_as_they_were():
    short = np.array([1.0, 2.0])
    scaling = LongRoPE(short, [3, 4], 4096, 32)
    short[:] = 7
    assert scaling.short_factor == (1.0, 2.0)
    assert scaling == LongRoPE([1, 2], [3.0, 4.0], 4096, 32.0)


# -- config.json ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "dim"),
    [
        ({"hidden_size": 4096, "num_attention_heads": 32}, 128),
        ({"hidden_size": 4096, "num_attention_heads": 32, "head_dim": 64}, 64),
        ({"hidden_size": 4096, "num_attention_heads": 32, "head_dim": None}, 128),
        ({"head_dim": 64, "rope_scaling": None}, 64),
        ({"head_dim": 64, "rope_parameters": {"rope_type": "default", "rope_theta": 1e4}}, 64),
        ({"head_dim": 64, "rope_scaling": {"type": "mrope", "mrope_section": [8, 12, 12]}}, 64),
        ({"hidden_size": 2560, "num_attention_heads": 32, "partial_rotary_factor": 0.4}, 32),
        ({"head_dim": 80, "rope_parameters": {"partial_rotary_factor": 0.4}}, 32),
        (
            {
                "head_dim": 80,
                "partial_rotary_factor": 1.0,
                "rope_parameters": {"partial_rotary_factor": 0.4},
            },
            32,
        ),
        (
            {"hidden_size": 6144, "num_attention_heads": 64, "rotary_pct": 0.25, "rotary_emb_base": 10000},
            24,
        ),
        ({"n_embd": 4096, "n_head": 16, "rotary_dim": 64, "n_positions": 2048}, 64),
        ({"n_embd": 4096, "n_head": 16, "rotary_dim": None}, 256),
        ({"hidden_size": 7168, "num_attention_heads": 128, "qk_rope_head_dim": 64}, 64),
    ],
)
def test_width_of_the_turning_columns(config, dim):
    read = rotary_frequencies_from_config(config)
    np.testing.assert_array_equal(read.inverse, rotary_frequencies(dim).inverse)
    assert read.attention_factor == 1


@pytest.mark.parametrize(
    ("config", "base"),
    [
        ({}, 10000.0),
        ({"rope_theta": 5e5}, 5e5),
        ({"rope_theta": 5e5, "rope_scaling": {"type": "linear", "factor": 1}}, 5e5),
        ({"rotary_emb_base": 25000}, 25000.0),
        ({"rope_parameters": {"rope_theta": 1e6}}, 1e6),
        ({"rope_theta": 1e4, "rope_parameters": {"rope_theta": 1e6}}, 1e6),
        ({"rope_theta": None}, 10000.0),
    ],
)
def test_base(config, base):
    read = rotary_frequencies_from_config({"head_dim": 8, **config})
    np.testing.assert_array_equal(read.inverse, rotary_frequencies(8, base=base).inverse)
    assert read.base == base


@pytest.mark.parametrize(
    ("config", "scaling", "length"),
    [
        # No original length: the one in the file is taken for it.
        (
            {"rope_scaling": {"type": "yarn", "factor": 2}, "max_position_embeddings": 4096},
            YaRN(2, 4096),
            None,
        ),
        (
            {"rope_scaling": {**YARN, "factor": None}, "max_position_embeddings": 8192},
            YaRN(4, 2048),
            None,
        ),
        (
            {"rope_scaling": {**YARN, "beta_fast": 16, "beta_slow": 2, "mscale": None}},
            YaRN(4, 2048, beta_fast=16, beta_slow=2),
            None,
        ),
        # Llama 3 with the original length at the top, which goes before the other.
        (
            {"rope_scaling": {**LLAMA, "factor": 8}, "original_max_position_embeddings": 4096},
            Llama3(8, 4096),
            None,
        ),
        (
            {"rope_scaling": {**LLAMA, "factor": 8, "low_freq_factor": 2, "high_freq_factor": 3}},
            Llama3(8, 8192, 2, 3),
            None,
        ),
        # Phi-3: the factor is how many times longer the texts became.
        *(
            (
                {
                    "rope_scaling": {"type": kind, "short_factor": [1.5] * 16, "long_factor": [2.5] * 16},
                    "max_position_embeddings": 131072,
                    "original_max_position_embeddings": 4096,
                },
                LongRoPE([1.5] * 16, [2.5] * 16, 4096, factor=32),
                length,
            )
            for kind, length in (("su", 4096), ("longrope", 4097), ("yarn", 5000))
        ),
        # Phi-3.5-MoE: two attention factors.
        *(
            (
                {
                    "rope_scaling": {
                        "type": "longrope",
                        "short_factor": [1.5] * 16,
                        "long_factor": [2.5] * 16,
                        "short_mscale": 1.1,
                        "long_mscale": 1.2,
                        "original_max_position_embeddings": 4096,
                    },
                },
                LongRoPE([1.5] * 16, [2.5] * 16, 4096, attention_factor=factor),
                length,
            )
            for length, factor in ((4096, 1.1), (4097, 1.2))
        ),
        (
            {
                "rope_scaling": {**DYNAMIC, "original_max_position_embeddings": 512},
                "max_position_embeddings": 2048,
            },
            DynamicNTK(4, 512),
            1024,
        ),
        ({"rope_scaling": DYNAMIC, "n_positions": 512}, DynamicNTK(4, 512), 1024),
    ],
)
def test_forms_of_the_fields(config, scaling, length):
    read = rotary_frequencies_from_config({"head_dim": 32, **config}, length=length)
    expected = rotary_frequencies(32, scaling=scaling, length=length)
    np.testing.assert_array_equal(read.inverse, expected.inverse)
    assert read.attention_factor == expected.attention_factor


NESTED = {
    "rope_parameters": {
        "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        "chunked_attention": None,
    }
}
LOCAL = {
    "rope_theta": 1e6,
    "rope_local_base_freq": 1e4,
    "rope_scaling": {"rope_type": "linear", "factor": 8.0},
}
GLOBAL = {"global_rope_theta": 1e6, "local_rope_theta": 1e4}


@pytest.mark.parametrize(
    ("config", "factor"), [(NESTED, 8), (LOCAL, 8), (GLOBAL, 1)], ids=["nested", "Gemma 3", "ModernBERT"]
)
def test_layers_of_different_types(config, factor):
    config = {"head_dim": 16, **config}
    full = rotary_frequencies_from_config(config, layer_type="full_attention")
    sliding = rotary_frequencies_from_config(config, layer_type="sliding_attention")
    np.testing.assert_array_equal(full.inverse, rotary_frequencies(16, base=1e6).inverse / factor)
    np.testing.assert_array_equal(sliding.inverse, rotary_frequencies(16).inverse)
    for wrong in (None, "other"):
        with pytest.raises(ValueError, match=f"layer_type must be 'full_attention' or .*, not {wrong!r}"):
            rotary_frequencies_from_config(config, layer_type=wrong)


def test_layers_that_do_not_turn():
    with pytest.raises(
        ValueError, match=r"layer_type must be one whose .* turn; those of 'chunked_attention'"
    ):
        rotary_frequencies_from_config({"head_dim": 16, **NESTED}, layer_type="chunked_attention")


def test_a_layer_type_is_no_matter_where_layers_are_alike():
    read = rotary_frequencies_from_config({"head_dim": 16}, layer_type="full_attention")
    np.testing.assert_array_equal(read.inverse, rotary_frequencies(16).inverse)


def test_proportional_puts_the_slow_pairs_to_rest():
    rope = {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": 0.25}
    read = rotary_frequencies_from_config({"head_dim": 32, "rope_parameters": rope})
    assert read.inverse.size == 16
    np.testing.assert_array_equal(read.inverse[:4], rotary_frequencies(32, base=1e6).inverse[:4])
    assert not read.inverse[4:].any()
    rope = {"rope_type": "proportional", "rope_theta": 1e6, "factor": 2}
    read = rotary_frequencies_from_config({"head_dim": 32, "rope_parameters": rope})
    np.testing.assert_array_equal(read.inverse, rotary_frequencies(32, base=1e6).inverse / 2)


def test_a_config_is_left_as_it_is():
    config = {"head_dim": 16, "rope_scaling": dict(LONGROPE), "original_max_position_embeddings": 4096}
    before = json.dumps(config)
    rotary_frequencies_from_config(config, length=10)
    assert json.dumps(config) == before


# -- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Linear(0.5), ValueError, r"factor must be at least 1, not 0\.5"),
        (lambda: Linear("4"), TypeError, "factor must be a real number, not '4'"),
        (lambda: NTK(math.inf), ValueError, "factor must be finite, not inf"),
        (lambda: NTK(0), ValueError, r"factor must be at least 1, not 0\.0"),
        (lambda: DynamicNTK(0, 9), ValueError, r"factor must be at least 1, not 0\.0"),
        (
            lambda: DynamicNTK(4, 0),
            ValueError,
            "original_max_position_embeddings must be at least 1, not 0",
        ),
        (
            lambda: DynamicNTK(4, 2.5),
            TypeError,
            r"original_max_position_embeddings must be an integer, not 2\.5",
        ),
        (lambda: YaRN(0, 9), ValueError, "factor must be at least 1"),
        (lambda: YaRN(4, 0), ValueError, "original_max_position_embeddings must be at least 1, not 0"),
        (
            lambda: YaRN(4, 9, beta_fast=1),
            ValueError,
            r"beta_fast must be above beta_slow, .*, not 1\.0 and 1\.0",
        ),
        (lambda: YaRN(4, 9, beta_slow=0), ValueError, r"and that above 0, not 32\.0 and 0\.0"),
        (lambda: YaRN(4, 9, beta_slow=-1), ValueError, r"beta_slow must be at least 0, not -1\.0"),
        (lambda: YaRN(4, 9, truncate="no"), TypeError, "truncate must be True or False, not 'no'"),
        (lambda: YaRN(4, 9, attention_factor=0), ValueError, "attention_factor must be above 0, not 0"),
        (lambda: YaRN(4, 9, mscale=-1), ValueError, r"mscale must be at least 0, not -1\.0"),
        (lambda: YaRN(4, 9, mscale_all_dim="1"), TypeError, "mscale_all_dim must be a real number"),
        (lambda: Llama3(0, 9), ValueError, "factor must be at least 1"),
        (lambda: Llama3(8, -1), ValueError, "original_max_position_embeddings must be at least 1, not -1"),
        (
            lambda: Llama3(8, 9, 4, 4),
            ValueError,
            r"high_freq_factor must be above low_.*, not 4\.0 and 4\.0",
        ),
        (lambda: Llama3(8, 9, -1), ValueError, r"low_freq_factor must be at least 0, not -1\.0"),
        (
            lambda: LongRoPE([0], [1], 9, 4),
            ValueError,
            r"short_factor must be a row of .* above 0, not \[0\]",
        ),
        (lambda: LongRoPE([1], [[1]], 9, 4), ValueError, "long_factor must be a row of finite numbers"),
        (
            lambda: LongRoPE([1], [math.nan], 9, 4),
            ValueError,
            "long_factor must be a row of finite numbers",
        ),
        (lambda: LongRoPE(["1"], [1], 9, 4), TypeError, "short_factor must hold real numbers"),
        (
            lambda: LongRoPE([1], [1], 1, 4),
            ValueError,
            "original_max_position_embeddings must be at least 2",
        ),
        (lambda: LongRoPE([1], [1], 9), ValueError, "factor must be given where attention_factor is not"),
        (lambda: LongRoPE([1], [1], 9, 0.5), ValueError, r"factor must be at least 1, not 0\.5"),
        (lambda: LongRoPE([1], [1], 9, 4, -1), ValueError, "attention_factor must be above 0, not -1"),
    ],
)
def test_scalings_name_bad_input(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    ("scaling", "message"),
    [
        (
            DynamicNTK(4, 9),
            "length must be given with DynamicNTK, whose frequencies depend on it, not be None",
        ),
        (LongRoPE([1] * 4, [1] * 4, 9, 4), "length must be given with LongRoPE"),
        (LongRoPE([1] * 3, [1] * 4, 9, 4), "short_factor must hold a number for each of 4 pairs, not 3"),
        (LongRoPE([1] * 4, [1] * 5, 9, 4), "long_factor must hold a number for each of 4 pairs, not 5"),
    ],
)
def test_what_a_scaling_needs(scaling, message):
    with pytest.raises(ValueError, match=message):
        rotary_frequencies(8, scaling=scaling)


def test_yarn_needs_a_base_above_1():
    with pytest.raises(ValueError, match=r"base must be above 1 with YaRN, not 1\.0"):
        rotary_frequencies(8, base=1, scaling=YaRN(4, 9))


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ("config.json", TypeError, "mapping must be a mapping, such as json.load gives, not 'config.json'"),
        ({}, ValueError, "mapping must hold hidden_size or n_embd, which is missing$"),
        (
            {"hidden_size": 64},
            ValueError,
            "mapping must hold num_attention_heads or n_head, which is missing",
        ),
        ({"text_config": {}}, ValueError, "missing; its text_config may hold what is missing"),
        ({"head_dim": 7}, ValueError, "the number of columns that turn must be even, .*, not 7"),
        ({"head_dim": "64"}, TypeError, "head_dim must be an integer, not '64'"),
        ({"head_dim": 64, "rotary_dim": 5}, ValueError, "rotary_dim must be even, .*, not 5"),
        (
            {"head_dim": 64, "rotary_pct": 1.5},
            ValueError,
            r"partial_rotary_factor must be above 0 .*, not 1\.5",
        ),
        (
            {"head_dim": 64, "rotary_pct": 0},
            ValueError,
            r"partial_rotary_factor must be above 0 .*, not 0\.0",
        ),
        ({"head_dim": 8, "rope_theta": 0}, ValueError, r"base must be at least 1, not 0\.0"),
        (
            {"head_dim": 8, "rope_scaling": [1]},
            TypeError,
            r"rope_scaling or .* must be a mapping, not \[1\]",
        ),
        (
            {"head_dim": 8, "rope_scaling": {"type": "spiral"}},
            ValueError,
            "rope_type must be one of default, linear, dynamic, yarn, llama3, .*, not 'spiral'",
        ),
        ({"head_dim": 8, "rope_scaling": {"type": "linear"}}, ValueError, "mapping must hold factor"),
        (
            {"head_dim": 8, "rope_scaling": {"type": "dynamic"}},
            ValueError,
            "mapping must hold max_position_",
        ),
        (
            {"head_dim": 8, "rope_scaling": {"type": "dynamic"}, "max_position_embeddings": 9},
            ValueError,
            "mapping must hold factor",
        ),
        (
            {"head_dim": 8, "rope_scaling": DYNAMIC, "max_position_embeddings": 9},
            ValueError,
            "length must be given with DynamicNTK",
        ),
        ({"head_dim": 8, "rope_scaling": {"type": "yarn"}}, ValueError, "mapping must hold factor"),
        (
            {"head_dim": 8, "rope_scaling": {"type": "yarn", "factor": 2}},
            ValueError,
            "mapping must hold original_max_position_embeddings or max_position_embeddings",
        ),
        (
            {"head_dim": 8, "rope_scaling": {**YARN, "factor": None}},
            ValueError,
            "must hold max_position_embedd",
        ),
        ({"head_dim": 8, "rope_scaling": LLAMA}, ValueError, "mapping must hold factor"),
        (
            {"head_dim": 8, "rope_scaling": {**LLAMA, "factor": 8, "low_freq_factor": None}},
            ValueError,
            "mapping must hold low_freq_factor",
        ),
        (
            {"head_dim": 8, "rope_scaling": {**LLAMA, "factor": 8, "high_freq_factor": None}},
            ValueError,
            "mapping must hold high_freq_factor",
        ),
        (
            {"head_dim": 8, "rope_scaling": {"type": "longrope"}},
            ValueError,
            "mapping must hold short_factor",
        ),
        (
            {"head_dim": 8, "rope_scaling": {"type": "su", "short_factor": [1]}},
            ValueError,
            "mapping must hold long_factor",
        ),
        (
            {"head_dim": 16, "rope_scaling": LONGROPE, "max_position_embeddings": 4096},
            ValueError,
            "length must be given with LongRoPE",
        ),
        (
            {"head_dim": 16, "rope_scaling": {"type": "linear", "factor": "4"}},
            TypeError,
            "factor must be a real",
        ),
        ({"head_dim": 7, "rope_scaling": {"type": "proportional"}}, ValueError, "head_dim must be even"),
        ({"head_dim": 8, "local_rope_theta": 1e4}, ValueError, "mapping must hold global_rope_theta"),
    ],
)
def test_configs_name_what_is_wrong(config, error, message):
    with pytest.raises(error, match=message):
        rotary_frequencies_from_config(config)
