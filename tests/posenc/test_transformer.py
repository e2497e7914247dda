"""The small Transformer: its formula in slow loops, its gradients by finite differences, its symmetries."""

import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edukit.posenc import (
    Linear,
    LongRoPE,
    Transformer,
    TransformerConfig,
    YaRN,
    apply_rotary,
    rotary_frequencies,
)

POSITIONS = ("none", "add", "learned", "concatenate", "project", "rotary", "alibi", "t5")
SMALL = TransformerConfig(
    vocabulary=5, classes=3, width=8, heads=2, layers=2, feed_forward=6, position_width=3, max_length=7
)


def shaken(config, seed=0):
    """A model in float64 none of whose weights has the special value that it starts from."""
    model = Transformer(config, seed=seed, dtype=np.float64)
    rng = np.random.default_rng([seed, 1])
    for array in model.parameters.values():
        array += 0.3 * rng.normal(size=array.shape)
    return model


def draw(config, rng, batch=2, length=5):
    tokens = rng.integers(config.vocabulary, size=(batch, length))
    targets = rng.integers(config.classes, size=(batch, length))
    mask = rng.random((batch, length)) < 0.7
    mask[0, 0] = True
    return tokens, targets, mask


# -- the formula, in plain Python -----------------------------------------------------------------


def slow_sinusoid(position, width):
    row = []
    for column in range(width):
        angle = position / 10000 ** ((column - column % 2) / (width + width % 2))
        row.append(math.cos(angle) if column % 2 else math.sin(angle))
    return row


def slow_product(row, matrix):
    return [
        math.fsum(a * line[c] for a, line in zip(row, matrix, strict=True)) for c in range(len(matrix[0]))
    ]


def slow_norm(row, gain, bias):
    mean = math.fsum(row) / len(row)
    variance = math.fsum((a - mean) ** 2 for a in row) / len(row)
    return [
        (a - mean) / math.sqrt(variance + 1e-5) * g + b for a, g, b in zip(row, gain, bias, strict=True)
    ]


def slow_gelu(a):
    return 0.5 * a * (1 + math.tanh(math.sqrt(2 / math.pi) * (a + 0.044715 * a**3)))


def slow_rotary(row, position):
    turned = []
    for pair in range(len(row) // 2):
        angle = position * 10000 ** (-2 * pair / len(row))
        a, b = row[2 * pair : 2 * pair + 2]
        turned.append(a * math.cos(angle) - b * math.sin(angle))
        turned.append(a * math.sin(angle) + b * math.cos(angle))
    return turned


def slow_bucket(offset, causal):
    """Raffel et al.: a bucket a distance up to half of a side, then logarithmic up to 128."""
    side, first = (32, 0) if causal else (16, 16 if offset > 0 else 0)
    distance = max(-offset, 0) if causal else abs(offset)
    exact = side // 2
    if distance < exact:
        return first + distance
    far = math.log(distance / exact) / math.log(128 / exact) * (side - exact)
    return first + min(exact + int(far), side - 1)


def slow_score(config, p, head, q, k, i, j):
    if config.causal and j > i:
        return -math.inf
    if config.position == "rotary":
        q, k = slow_rotary(q, i), slow_rotary(k, j)
    score = math.fsum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q))
    if config.position == "alibi":
        score -= 2 ** (-8 * (head + 1) / config.heads) * abs(i - j)
    if config.position == "t5":
        score += p["t5"][slow_bucket(j - i, config.causal)][head]
    return score


def slow_forward(config, p, tokens):
    """One sequence through the model, a number at a time; p holds lists."""
    x = []
    for i, token in enumerate(tokens):
        row = list(p["embedding"][token])
        if config.position == "add":
            row = [a + b for a, b in zip(row, slow_sinusoid(i, config.width), strict=True)]
        if config.position == "learned":
            row = [a + b for a, b in zip(row, p["positions"][i], strict=True)]
        if config.position == "concatenate":
            row += slow_sinusoid(i, config.position_width)
        if config.position == "project":
            row = slow_product(row + slow_sinusoid(i, config.width), p["projection"])
        x.append(row)

    share = config.width // config.heads
    for layer in range(config.layers):
        w = {name.removeprefix(f"layer{layer}."): value for name, value in p.items()}
        normal = [slow_norm(row, w["attention_norm.gain"], w["attention_norm.bias"]) for row in x]
        q, k, v = ([slow_product(row, w[part]) for row in normal] for part in ("query", "key", "value"))
        for i, row in enumerate(x):
            mixed = []
            for head in range(config.heads):
                mine = slice(head * share, (head + 1) * share)
                scores = [
                    slow_score(config, p, head, q[i][mine], k[j][mine], i, j) for j in range(len(tokens))
                ]
                parts = [math.exp(score - max(scores)) for score in scores]
                for c in range(share):
                    weighted = (a * value[mine][c] for a, value in zip(parts, v, strict=True))
                    mixed.append(math.fsum(weighted) / math.fsum(parts))
            x[i] = [a + b for a, b in zip(row, slow_product(mixed, w["output"]), strict=True)]
        for i, row in enumerate(x):
            hidden = slow_product(
                slow_norm(row, w["feed_forward_norm.gain"], w["feed_forward_norm.bias"]), w["inner"]
            )
            hidden = [slow_gelu(a + b) for a, b in zip(hidden, w["inner.bias"], strict=True)]
            out = slow_product(hidden, w["outer"])
            x[i] = [a + b + c for a, b, c in zip(row, out, w["outer.bias"], strict=True)]

    ends = [slow_product(slow_norm(row, p["norm.gain"], p["norm.bias"]), p["classes"]) for row in x]
    return [[a + b for a, b in zip(row, p["classes.bias"], strict=True)] for row in ends]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("position", POSITIONS)
def test_forward_agrees_with_the_formula_written_out(position, causal):
    # 150 tokens would be slow; 30 reach past the buckets of one distance in either direction.
    length = 30 if position == "t5" else 6
    config = replace(SMALL, position=position, causal=causal)
    model = shaken(config, seed=3)
    tokens = np.random.default_rng(4).integers(5, size=(2, length))
    lists = {name: array.tolist() for name, array in model.parameters.items()}
    slow = [slow_forward(config, lists, row) for row in tokens.tolist()]
    np.testing.assert_allclose(model.forward(tokens), slow, rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("position", POSITIONS)
def test_float32_agrees_with_float64(position):
    config = replace(SMALL, position=position, causal=True)
    single = Transformer(config, seed=2)
    double = Transformer(config, seed=2, dtype=np.float64)
    tokens, targets, mask = draw(config, np.random.default_rng(5))
    for name, array in single.parameters.items():
        assert array.dtype == np.float32
        np.testing.assert_allclose(array, double.parameters[name], rtol=1e-6)
    assert single.forward(tokens).dtype == np.float32
    np.testing.assert_allclose(single.forward(tokens), double.forward(tokens), atol=1e-5)
    loss, gradients = single.loss_and_gradients(tokens, targets, mask)
    exact_loss, exact = double.loss_and_gradients(tokens, targets, mask)
    assert loss == pytest.approx(exact_loss, abs=1e-5)
    for name, array in gradients.items():
        assert array.dtype == np.float32, name
        np.testing.assert_allclose(array, exact[name], atol=1e-5, err_msg=name)


@pytest.mark.parametrize(
    "scaling", [Linear(2.0), YaRN(4.0, 8), LongRoPE([1.0, 1.0], [2.0, 3.0], 5, attention_factor=1.3)]
)
@pytest.mark.parametrize("length", [5, 7])
def test_scaled_queries_and_keys_are_those_of_apply_rotary(scaling, length):
    config = replace(SMALL, position="rotary", layers=1, heads=2, scaling=scaling)
    model = shaken(config, seed=1)
    tokens = np.random.default_rng(2).integers(5, size=(1, length))
    p = model.parameters
    x = p["embedding"][tokens[0]]
    unit = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)
    normal = unit * p["layer0.attention_norm.gain"] + p["layer0.attention_norm.bias"]
    frequencies = rotary_frequencies(4, scaling=scaling, length=length)
    q, k = (
        apply_rotary(
            (normal @ p[f"layer0.{part}"])[:, :4], np.arange(length), frequencies, layout="interleaved"
        )
        for part in ("query", "key")
    )
    parts = np.exp(q @ k.T / 2)  # the root of a head's width of 4
    expected = parts / parts.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(model.attention_weights(tokens)[0, 0, 0], expected, atol=1e-10)


def test_a_scaling_may_come_after_the_training_and_go_again():
    plain = replace(SMALL, position="rotary")
    model = shaken(plain)
    tokens = np.array([[0, 1, 2, 3, 4, 0, 1]])
    before = model.forward(tokens)
    model.config = replace(plain, scaling=Linear(4.0))
    assert not np.allclose(model.forward(tokens), before, atol=1e-3)
    model.config = plain
    np.testing.assert_array_equal(model.forward(tokens), before)


# -- gradients ------------------------------------------------------------------------------------


TINY = TransformerConfig(
    vocabulary=3, classes=2, width=4, heads=2, feed_forward=3, position_width=2, max_length=4
)


def loss_alone(model, tokens, targets, mask):
    logits = model.forward(tokens)
    right = np.take_along_axis(logits, targets[..., np.newaxis], axis=-1)[..., 0]
    return float((np.log(np.exp(logits).sum(axis=-1)) - right)[mask].mean())


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("position", POSITIONS)
def test_gradients_of_every_number_agree_with_finite_differences(position, causal, layers):
    model = shaken(replace(TINY, position=position, causal=causal, layers=layers), seed=layers)
    batch = draw(model.config, np.random.default_rng(6), batch=3, length=4)
    loss, gradients = model.loss_and_gradients(*batch)
    assert loss == pytest.approx(loss_alone(model, *batch), rel=1e-12)
    assert gradients.keys() == model.parameters.keys()
    step = 1e-5
    for name, array in model.parameters.items():
        assert gradients[name].shape == array.shape
        differences = np.empty_like(array)
        for place in np.ndindex(array.shape):
            kept = array[place]
            array[place] = kept + step
            above = loss_alone(model, *batch)
            array[place] = kept - step
            differences[place] = (above - loss_alone(model, *batch)) / (2 * step)
            array[place] = kept
        scale = np.abs(differences).max()
        assert scale > 1e-6, f"{name}: a derivative of nothing would prove nothing"
        np.testing.assert_allclose(gradients[name], differences, rtol=1e-6, atol=1e-6 * scale, err_msg=name)


def test_gradients_go_through_an_attention_factor():
    model = shaken(replace(TINY, position="rotary", heads=1, scaling=YaRN(4.0, 4)), seed=5)
    batch = draw(model.config, np.random.default_rng(7), batch=3, length=4)
    loss, gradients = model.loss_and_gradients(*batch)
    array, step = model.parameters["layer0.query"], 1e-5
    differences = np.empty_like(array)
    for place in np.ndindex(array.shape):
        kept = array[place]
        array[place] = kept + step
        differences[place] = (loss_alone(model, *batch) - loss) / step
        array[place] = kept
    assert np.abs(differences).max() > 1e-3
    np.testing.assert_allclose(gradients["layer0.query"], differences, atol=1e-5)


@given(
    seed=st.integers(0, 2**32 - 1), position=st.sampled_from(POSITIONS), heads=st.sampled_from([1, 2, 4])
)
def test_gradients_predict_a_small_step_in_any_direction(seed, position, heads):
    rng = np.random.default_rng(seed)
    config = replace(SMALL, position=position, heads=heads, causal=bool(seed % 2))
    model = shaken(config, seed=seed)
    batch = draw(config, rng, batch=int(rng.integers(1, 4)), length=int(rng.integers(1, 8)))
    _, gradients = model.loss_and_gradients(*batch)
    direction = {name: rng.normal(size=array.shape) for name, array in model.parameters.items()}
    slope = sum(float((gradients[name] * direction[name]).sum()) for name in direction)
    losses = []
    for step in (1e-5, -2e-5):
        for name, array in model.parameters.items():
            array += step * direction[name]
        losses.append(model.loss_and_gradients(*batch)[0])
    assert (losses[0] - losses[1]) / 2e-5 == pytest.approx(slope, rel=1e-5, abs=1e-7)


def test_the_loss_is_the_mean_over_the_answers_that_count():
    model = shaken(SMALL)
    tokens, targets, mask = draw(SMALL, np.random.default_rng(7))
    logits = model.forward(tokens)
    expected = []
    for i, j in zip(*np.nonzero(mask), strict=True):
        parts = [math.exp(a) for a in logits[i, j]]
        expected.append(-math.log(parts[targets[i, j]] / math.fsum(parts)))
    loss, _ = model.loss_and_gradients(tokens, targets, mask)
    assert loss == pytest.approx(math.fsum(expected) / len(expected), rel=1e-12)
    other = np.where(mask, targets, (targets + 1) % 3)
    assert model.loss_and_gradients(tokens, other, mask)[0] == loss
    everywhere = model.loss_and_gradients(tokens, targets, np.ones_like(mask))[0]
    assert model.loss_and_gradients(tokens, targets)[0] == everywhere != loss


def test_a_sure_wrong_answer_has_a_finite_loss(recwarn):
    model = shaken(SMALL)
    model.parameters["classes.bias"][:] = [1e4, 0, -1e4]
    loss, gradients = model.loss_and_gradients([[0, 1]], [[2, 2]])
    assert loss == pytest.approx(2e4, rel=1e-2)
    assert all(np.isfinite(array).all() for array in gradients.values())
    assert not recwarn.list


# -- symmetries -----------------------------------------------------------------------------------


@given(seed=st.integers(0, 2**32 - 1), length=st.integers(1, 9), layers=st.integers(1, 3))
def test_without_position_and_mask_the_answers_move_along(seed, length, layers):
    rng = np.random.default_rng(seed)
    model = shaken(replace(SMALL, layers=layers), seed=seed)
    tokens, order = rng.integers(5, size=(1, length)), rng.permutation(length)
    np.testing.assert_allclose(
        model.forward(tokens[:, order]), model.forward(tokens)[:, order], rtol=1e-10, atol=1e-11
    )


@pytest.mark.parametrize("position", POSITIONS[1:])
def test_every_position_encoding_breaks_that_symmetry(position):
    model = shaken(replace(SMALL, position=position))
    tokens, moved = np.array([[0, 1, 2, 3, 4]]), [2, 0, 4, 1, 3]
    assert np.abs(model.forward(tokens[:, moved]) - model.forward(tokens)[:, moved]).max() > 1e-3


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("position", POSITIONS)
def test_a_penalty_on_the_distance_alone_does_not_know_left_from_right(position, causal):
    """Without a causal mask, a model with ALiBi reads a sequence and its mirror image alike."""
    model = shaken(replace(SMALL, position=position, causal=causal))
    tokens = np.array([[0, 1, 2, 3, 4]])
    change = np.abs(model.forward(tokens[:, ::-1]) - model.forward(tokens)[:, ::-1]).max()
    if position in ("none", "alibi") and not causal:
        assert change < 1e-12
    else:
        assert change > 1e-3


@pytest.mark.parametrize("seed", range(5))
def test_under_a_causal_mask_order_shows_from_the_second_layer_on(seed):
    rng = np.random.default_rng(seed)
    tokens = np.array([[0, 1, 2, 3, 4, 4]])
    moved = tokens.copy()
    moved[0, :5] = tokens[0, :5][rng.permutation(5)]
    assert (moved != tokens).any()
    change = {}
    for layers in (1, 2):
        model = Transformer(replace(SMALL, causal=True, layers=layers), seed=seed, dtype=np.float64)
        change[layers] = np.abs(model.forward(moved) - model.forward(tokens))[0, -1].max()
    assert change[1] < 1e-14
    assert change[2] > 1e-3


@pytest.mark.parametrize("position", POSITIONS)
def test_causal_later_tokens_change_nothing_before_them(position):
    tokens = np.array([[0, 1, 2, 3, 4]])
    changed = np.array([[0, 1, 2, 4, 0]])
    for causal in (True, False):
        model = shaken(replace(SMALL, position=position, causal=causal))
        difference = np.abs(model.forward(tokens) - model.forward(changed))[0, :3].max()
        assert bool(difference < 1e-13) == causal


@pytest.mark.parametrize("position", POSITIONS)
def test_sequences_of_a_batch_do_not_see_each_other(position):
    model = shaken(replace(SMALL, position=position))
    tokens = np.random.default_rng(8).integers(5, size=(3, 6))
    alone = np.concatenate([model.forward(tokens[i : i + 1]) for i in range(3)])
    np.testing.assert_allclose(model.forward(tokens), alone, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("position", ["rotary", "alibi", "t5"])
def test_relative_schemes_see_the_offset_alone(position):
    """With one layer and the same tokens everywhere before, a token cannot tell how far along it is."""
    model = shaken(replace(SMALL, position=position, layers=1))
    weights = model.attention_weights(np.full((1, 9), 2))[0, 0]
    odds = np.log(weights) - np.log(np.diagonal(weights, axis1=1, axis2=2))[:, :, np.newaxis]
    np.testing.assert_allclose(odds[:, 1:, 1:], odds[:, :-1, :-1], atol=1e-11)
    assert np.ptp(odds) > 0.1


# -- attention weights, size, seeds ---------------------------------------------------------------


def test_attention_weights_are_what_the_layers_used():
    model = shaken(replace(SMALL, causal=True))
    weights = model.attention_weights(np.zeros((3, 6), dtype=int))
    assert weights.shape == (2, 3, 2, 6, 6)
    np.testing.assert_allclose(weights.sum(axis=-1), 1)
    assert (weights[..., ~np.tri(6, dtype=bool)] == 0).all()
    # Equal tokens without positions draw equal attention.
    np.testing.assert_allclose(weights[0, 0, 0], np.tri(6) / np.arange(1, 7)[:, np.newaxis], atol=1e-12)


def test_size_counts_every_number():
    w, f, v, c = 8, 6, 5, 3
    layer = 4 * w * w + 2 * 2 * w + w * f + f + f * w + w
    expected = v * w + 2 * layer + 2 * w + w * c + c
    more = {"learned": 7 * w, "concatenate": -v * 3, "project": 2 * w * w, "t5": 32 * 2}
    for position in POSITIONS:
        model = Transformer(replace(SMALL, position=position), seed=0)
        assert model.size == expected + more.get(position, 0), position


def test_weights_start_as_the_docstring_says():
    wide = TransformerConfig(400, 300, "learned", width=256, heads=2, feed_forward=512, max_length=200)
    p = Transformer(wide, seed=1).parameters
    for name, variance in (
        ("embedding", 1),
        ("positions", 1 / 2),
        ("layer0.query", 1 / 256),
        ("layer1.outer", 1 / 512),
        ("classes", 1 / 256),
    ):
        assert p[name].var() == pytest.approx(variance, rel=0.05), name
        assert abs(p[name].mean()) < 5 * math.sqrt(variance / p[name].size), name
    p = Transformer(replace(wide, position="project"), seed=1).parameters
    assert p["projection"].var() == pytest.approx(1 / 512, rel=0.05)
    many = replace(wide, position="t5", heads=64)
    assert Transformer(many, seed=1).parameters["t5"].var() == pytest.approx(1 / 256, rel=0.2)


def test_a_seed_gives_one_model_and_another_seed_another():
    tokens = [[0, 1, 2]]
    first = Transformer(SMALL, seed=1).forward(tokens)
    np.testing.assert_array_equal(Transformer(SMALL, seed=1).forward(tokens), first)
    assert not np.allclose(Transformer(SMALL, seed=2).forward(tokens), first)


def test_results_are_fresh_and_inputs_stay_as_they_were():
    model = shaken(replace(SMALL, position="learned"))
    tokens, targets, mask = draw(SMALL, np.random.default_rng(9))
    before = [array.copy() for array in (tokens, targets, mask, *model.parameters.values())]
    loss, gradients = model.loss_and_gradients(tokens, targets, mask)
    results = [model.forward(tokens), model.attention_weights(tokens), *gradients.values()]
    for array in results:
        assert array.flags.writeable
        assert array.flags.c_contiguous
        array[...] = 7
    for array, kept in zip((tokens, targets, mask, *model.parameters.values()), before, strict=True):
        np.testing.assert_array_equal(array, kept)
    assert model.loss_and_gradients(tokens, targets, mask)[0] == loss


# -- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"vocabulary": 0}, ValueError, "vocabulary must be at least 1, not 0"),
        ({"classes": -1}, ValueError, "classes must be at least 1, not -1"),
        ({"width": 2.0}, TypeError, "width must be an integer, not 2.0"),
        ({"heads": 0}, ValueError, "heads must be at least 1, not 0"),
        ({"layers": True}, TypeError, "layers must be an integer, not True"),
        ({"feed_forward": 0}, ValueError, "feed_forward must be at least 1, not 0"),
        ({"max_length": 0}, ValueError, "max_length must be at least 1, not 0"),
        ({"position_width": 0}, ValueError, "position_width must be at least 1, not 0"),
        ({"position": "rope"}, ValueError, "position must be 'none' or 'add' .* or 't5', not 'rope'"),
        ({"causal": 1}, TypeError, "causal must be True or False, not 1"),
        ({"width": 9}, ValueError, "width must be a multiple of the 2 heads, not 9"),
        (
            {"width": 6, "position": "rotary"},
            ValueError,
            "width must give each of the 2 heads an even share for rotary, not 6",
        ),
        (
            {"position": "concatenate", "position_width": 8},
            ValueError,
            "position_width must be less than the width, 8, not 8",
        ),
        ({"scaling": Linear(2.0)}, ValueError, "scaling must be None for none: it changes rotary alone"),
        ({"position": "rotary", "scaling": 2.0}, TypeError, "scaling must be None or one of .*, not 2.0"),
        (
            {"position": "rotary", "scaling": LongRoPE([1.0], [2.0], 8, factor=2.0)},
            ValueError,
            "short_factor must hold a number for each of 2 pairs, not 1",
        ),
    ],
)
def test_a_config_that_cannot_be_built_is_refused(change, error, message):
    with pytest.raises(error, match=f"^{message}$"):
        replace(SMALL, **change)


def test_a_config_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        SMALL.width = 16


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"config": {}}, TypeError, r"config must be a TransformerConfig, not \{\}"),
        ({"seed": -1}, ValueError, "seed must be at least 0, not -1"),
        ({"seed": None}, TypeError, "seed must be an integer, not None"),
        ({"dtype": np.float16}, TypeError, "dtype must be float32 or float64, not float16"),
        ({"dtype": int}, TypeError, "dtype must be .*float64, not int64"),
    ],
)
def test_a_model_that_cannot_be_built_is_refused(arguments, error, message):
    with pytest.raises(error, match=f"^{message}$"):
        Transformer(**{"config": SMALL, "seed": 0} | arguments)


@pytest.mark.parametrize(
    ("tokens", "error", "message"),
    [
        ([[0.0, 1.0]], TypeError, "tokens must be integers, not values of dtype float64"),
        ([[0, 5]], ValueError, "tokens must lie between 0 and 4, but hold 5"),
        ([[0, -1]], ValueError, "tokens must lie between 0 and 4, but hold -1"),
        ([0, 1], ValueError, r"tokens must have the shape \(batch, length\), neither 0, not \(2,\)"),
        (
            np.zeros((2, 0), int),
            ValueError,
            r"tokens must have the shape \(batch, length\), neither 0, not \(2, 0\)",
        ),
        ([[0] * 8], ValueError, "tokens must be at most 7 long, not 8: a learned table has no row .*"),
    ],
)
def test_tokens_that_cannot_be_read_are_refused(tokens, error, message):
    model = Transformer(replace(SMALL, position="learned"), seed=0)
    for method in (model.forward, model.attention_weights, lambda t: model.loss_and_gradients(t, t)):
        with pytest.raises(error, match=f"^{message}$"):
            method(tokens)


def test_only_a_learned_table_ends():
    for position in POSITIONS:
        if position != "learned":
            model = Transformer(replace(SMALL, position=position), seed=0)
            assert model.forward([[0] * 300]).shape == (1, 300, 3)
    learned = Transformer(replace(SMALL, position="learned"), seed=0)
    assert learned.forward([[0] * 7]).shape == (1, 7, 3)


@pytest.mark.parametrize(
    ("targets", "mask", "error", "message"),
    [
        ([[0, 3]], None, ValueError, "targets must lie between 0 and 2, but hold 3"),
        ([[0, 0.5]], None, TypeError, "targets must be integers, not values of dtype float64"),
        ([[0]], None, ValueError, r"targets must have the shape of tokens, \(1, 2\), not \(1, 1\)"),
        ([[0, 1]], [[1, 0]], TypeError, "mask must be of bool, True where an answer counts, not of int64"),
        ([[0, 1]], [True], ValueError, r"mask must have the shape of tokens, \(1, 2\), not \(1,\)"),
        ([[0, 1]], [[False, False]], ValueError, "mask must be True somewhere, but no answer counts"),
    ],
)
def test_answers_that_cannot_be_used_are_refused(targets, mask, error, message):
    with pytest.raises(error, match=f"^{message}$"):
        Transformer(SMALL, seed=0).loss_and_gradients([[0, 1]], targets, mask)
