"""Costs against the weights of a real network, listed, and against multiplications that are counted."""

import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.posenc import (
    BERT_BASE,
    TransformerSize,
    combining_cost,
    layer_flops,
    parameter_counts,
)

# -- what there is to count: the weights of an encoder, by name -----------------------------------


def weights(size, *, heads=1, token=None, position=None, joined=None):
    """Yield the part, the name and the shape of each weight, head by head, as a checkpoint has them."""
    d, f = size.width, size.feed_forward
    token, position = token or d, position or d
    yield "tokens", "embeddings.token", (size.vocabulary, token)
    yield "positions", "embeddings.position", (size.positions, position)
    yield "segments", "embeddings.segment", (size.segments, token)
    if joined:
        yield "projection", "embeddings.projection", (joined, d)
    for what in ("scale", "shift"):
        yield "embedding_norm", f"embeddings.norm.{what}", (d,)
    for layer in range(size.layers):
        for what in ("query", "key", "value"):
            for head in range(heads):
                yield "attention", f"{layer}.{what}.{head}.weight", (d, d // heads)
                yield "attention", f"{layer}.{what}.{head}.bias", (d // heads,)
        yield "attention", f"{layer}.output.weight", (d, d)
        yield "attention", f"{layer}.output.bias", (d,)
        yield "feed_forward", f"{layer}.up.weight", (d, f)
        yield "feed_forward", f"{layer}.up.bias", (f,)
        yield "feed_forward", f"{layer}.down.weight", (f, d)
        yield "feed_forward", f"{layer}.down.bias", (d,)
        for where in ("attention", "feed_forward"):
            for what in ("scale", "shift"):
                yield "layer_norms", f"{layer}.{where}.norm.{what}", (d,)
    if size.pooler:
        yield "pooler", "pooler.weight", (d, d)
        yield "pooler", "pooler.bias", (d,)


PARTS = (
    "tokens",
    "positions",
    "segments",
    "projection",
    "embedding_norm",
    "attention",
    "feed_forward",
    "layer_norms",
    "pooler",
)


def assert_counts(counts, listed):
    listed = list(listed)
    by_part = dict.fromkeys(PARTS, 0)
    for part, _, shape in listed:
        by_part[part] += math.prod(shape)
    assert {part: getattr(counts, part) for part in PARTS} == by_part
    assert counts.total == sum(math.prod(shape) for _, _, shape in listed)
    tables = {"tokens", "positions", "segments"}
    assert counts.tables == sum(math.prod(shape) for part, _, shape in listed if part in tables)
    assert counts.network == sum(math.prod(shape) for part, _, shape in listed if part not in tables)
    assert counts.layers == sum(math.prod(shape) for _, name, shape in listed if name[0].isdigit())


whole = st.integers(1, 40)
sizes = st.builds(
    TransformerSize,
    layers=st.integers(1, 4),
    width=whole,
    feed_forward=whole,
    vocabulary=whole,
    positions=st.integers(0, 40),
    segments=st.integers(0, 3),
    pooler=st.booleans(),
)


@settings(deadline=None)
@given(sizes)
def test_parameters_are_those_of_the_listed_weights(size):
    assert_counts(parameter_counts(size), weights(size))


@pytest.mark.parametrize("heads", [1, 3, 12, 768])
def test_the_number_of_heads_does_not_matter(heads):
    assert_counts(parameter_counts(BERT_BASE), weights(BERT_BASE, heads=heads))


# -- the numbers of the course --------------------------------------------------------------------

TWICE = replace(BERT_BASE, width=2 * 768, feed_forward=2 * 3072)


def test_bert_base():
    counts = parameter_counts(BERT_BASE)
    assert counts.total == 109_482_240
    assert counts.positions == 393_216
    assert round(100 * counts.positions / counts.total, 2) == 0.36
    assert round(counts.layers / 1e6, 2) == 85.05


def test_twice_the_width_is_four_times_the_layers():
    before, after = parameter_counts(BERT_BASE), parameter_counts(TWICE)
    assert round(after.layers / 1e6, 2) == 339.98
    assert round(after.layers / before.layers, 3) == 3.997
    assert round((after.layers - before.layers) / 1e6, 1) == 254.9
    assert round((after.network - before.network) / 1e6, 1) == 256.7
    assert round((after.total - before.total) / 1e6, 1) == 280.5


def test_a_sinusoid_has_no_parameters():
    learned, sinusoid = parameter_counts(BERT_BASE), parameter_counts(replace(BERT_BASE, positions=0))
    assert sinusoid.positions == 0
    assert learned.total - sinusoid.total == 393_216


@pytest.mark.parametrize(("length", "ratio"), [(128, 3.95), (512, 3.80), (4096, 3.06)])
def test_twice_the_width_is_less_than_four_times_the_work(length, ratio):
    before, after = layer_flops(length, BERT_BASE).total, layer_flops(length, TWICE).total
    assert round(after / before, 2) == ratio


def test_ways_to_combine_in_bert_base():
    add = combining_cost("add", BERT_BASE, 512)
    assert add.parameters == parameter_counts(BERT_BASE)

    widen = combining_cost("widen", BERT_BASE, 512, position_width=768)
    assert round((widen.parameters.total - add.parameters.total) / 1e6, 1) == 256.7
    assert widen.parameters.tables == add.parameters.tables
    assert round(widen.flops / add.flops, 2) == 3.80

    project = combining_cost("project", BERT_BASE, 512, position_width=768)
    assert project.parameters.total - add.parameters.total == 1_179_648
    assert round(100 * 1_179_648 / add.parameters.total, 2) == 1.08
    assert round(project.flops / add.flops, 4) == 1.0125

    split = combining_cost("split", BERT_BASE, 512, position_width=64)
    assert (split.token_width, split.position_width) == (704, 64)
    assert split.parameters.network == add.parameters.network
    assert split.parameters.total < add.parameters.total
    assert split.flops == add.flops


# -- the work: a layer that counts ----------------------------------------------------------------


class Counter:
    """Multiplies matrices a number at a time, and counts each product and each sum."""

    def __init__(self):
        self.operations = 0

    def product(self, left, right):
        before = self.operations
        result = [[0.0] * len(right[0]) for _ in left]
        for i, row in enumerate(left):
            for j in range(len(right[0])):
                for a, other in zip(row, right, strict=True):
                    result[i][j] += a * other[j]
                    self.operations += 2
        return result, self.operations - before


def ones(rows, columns):
    return [[1.0] * columns for _ in range(rows)]


def run_layer(counter, length, size, heads):
    """Send tokens through one layer, head by head; return the operations part by part."""
    d, f, part = size.width, size.feed_forward, size.width // heads
    work = {"projections": 0, "scores": 0, "mixing": 0, "feed_forward": 0}

    def product(where, left, right):
        result, operations = counter.product(left, right)
        work[where] += operations
        return result

    x = ones(length, d)
    heard = [[] for _ in range(length)]
    for _ in range(heads):
        q, k, v = (product("projections", x, ones(d, part)) for _ in range(3))
        scores = product("scores", q, [list(column) for column in zip(*k, strict=True)])
        for row, mixed in zip(heard, product("mixing", scores, v), strict=True):
            row += mixed
    y = product("projections", heard, ones(d, d))
    product("feed_forward", product("feed_forward", y, ones(d, f)), ones(f, d))
    return work


@settings(deadline=None)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 3), st.integers(1, 7))
def test_flops_are_the_operations_of_a_layer(length, heads, part, hidden):
    size = TransformerSize(layers=2, width=heads * part, feed_forward=hidden, vocabulary=3)
    flops = layer_flops(length, size)
    counter = Counter()
    assert run_layer(counter, length, size, heads) == {
        name: getattr(flops, name) for name in ("projections", "scores", "mixing", "feed_forward")
    }
    assert flops.total == counter.operations


# -- combining: the networks, listed and run ------------------------------------------------------


@settings(deadline=None)
@given(sizes, st.integers(0, 3), st.integers(1, 3), st.data())
def test_each_way_is_a_network_that_could_be_built(size, length, more, data):
    d = size.width
    built = {
        "add": (size, {}, d),
        # As much wider as keeps the proportion of the feed-forward network a whole number.
        "widen": (
            replace(size, width=d * (1 + more), feed_forward=size.feed_forward * (1 + more)),
            {"token": d, "position": d * more},
            d * more,
        ),
        "project": (size, {"position": more, "joined": d + more}, more),
    }
    if d > 1:
        position = data.draw(st.integers(1, d - 1))
        built["split"] = size, {"token": d - position, "position": position}, position
    for way, (network, tables, position) in built.items():
        cost = combining_cost(way, size, length, position_width=position)
        assert cost.way == way
        assert cost.network_width == network.width
        assert cost.position_width == position
        assert cost.token_width == tables.get("token", d)
        assert_counts(cost.parameters, weights(network, **tables))
        # What the layers are given is as wide as they are.
        given_width = {
            "add": cost.token_width,
            "widen": cost.token_width + position,
            "project": d,
            "split": cost.token_width + position,
        }[way]
        assert given_width == cost.network_width

        counter = Counter()
        for _ in range(network.layers if network.width * network.feed_forward < 400 else 0):
            run_layer(counter, length, network, 1)
        if way == "project":
            counter.product(ones(length, d + position), ones(d + position, d))
        if network.width * network.feed_forward < 400:
            assert cost.flops == counter.operations


def test_the_width_of_a_position_is_that_of_the_network_when_left_out():
    for way in ("add", "widen", "project"):
        assert combining_cost(way, BERT_BASE, 8) == combining_cost(way, BERT_BASE, 8, position_width=768)


# -- sizes ----------------------------------------------------------------------------------------


def test_numbers_of_numpy_do_not_overflow():
    measures = {"layers": 12, "width": 768, "feed_forward": 3072, "vocabulary": 30522, "positions": 512}
    small = TransformerSize(
        **{name: np.int32(n) for name, n in measures.items()}, segments=2, pooler=np.True_
    )
    assert small == BERT_BASE
    assert parameter_counts(small).total == 109_482_240
    assert layer_flops(np.int32(2**20), small) == layer_flops(2**20, BERT_BASE)
    assert type(layer_flops(np.int32(5), small).total) is int


def test_models_are_frozen():
    counts, flops, cost = (
        parameter_counts(BERT_BASE),
        layer_flops(1, BERT_BASE),
        combining_cost("add", BERT_BASE, 1),
    )
    for model, name in ((BERT_BASE, "layers"), (counts, "tokens"), (flops, "scores"), (cost, "flops")):
        with pytest.raises(FrozenInstanceError):
            setattr(model, name, 3)


def test_optional_measures_are_none_of_them():
    size = TransformerSize(1, 2, 3, 4)
    assert (size.positions, size.segments, size.pooler) == (0, 0, False)


RIGHT = {"layers": 1, "width": 6, "feed_forward": 5, "vocabulary": 4}


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"layers": 0}, ValueError, "layers must be at least 1, not 0"),
        ({"width": 0}, ValueError, "width must be at least 1, not 0"),
        ({"feed_forward": 0}, ValueError, "feed_forward must be at least 1, not 0"),
        ({"vocabulary": -1}, ValueError, "vocabulary must be at least 1, not -1"),
        ({"positions": -1}, ValueError, "positions must be at least 0, not -1"),
        ({"segments": -1}, ValueError, "segments must be at least 0, not -1"),
        ({"width": 1.5}, TypeError, "width must be an integer, not 1.5"),
        ({"pooler": 1}, TypeError, "pooler must be True or False, not 1"),
    ],
)
def test_bad_measures_are_named(changed, error, message):
    with pytest.raises(error, match=message):
        TransformerSize(**{**RIGHT, **changed})


@pytest.mark.parametrize(
    ("function", "arguments", "error", "message"),
    [
        (parameter_counts, ("bert",), TypeError, "size must be a TransformerSize, not 'bert'"),
        (layer_flops, (1, None), TypeError, "size must be a TransformerSize, not None"),
        (layer_flops, (-1, BERT_BASE), ValueError, "length must be at least 0, not -1"),
        (layer_flops, (0.5, BERT_BASE), TypeError, "length must be an integer, not 0.5"),
        (combining_cost, ("add", None, 1), TypeError, "size must be a TransformerSize, not None"),
        (combining_cost, ("add", BERT_BASE, -1), ValueError, "length must be at least 0, not -1"),
        (
            combining_cost,
            ("mix", BERT_BASE, 1),
            ValueError,
            "way must be 'add' or 'widen' or 'project' or 'split', not 'mix'",
        ),
        (
            combining_cost,
            ("split", BERT_BASE, 1),
            ValueError,
            "position_width must be said to split the width, 1 to 767, not None",
        ),
    ],
)
def test_bad_input_is_named(function, arguments, error, message):
    with pytest.raises(error, match=message):
        function(*arguments)


@pytest.mark.parametrize(
    ("way", "position_width", "error", "message"),
    [
        ("add", 5, ValueError, "position_width must be 6, the width of what it is added to, not 5"),
        ("split", 6, ValueError, "position_width must be less than the width to split, 6, not 6"),
        ("project", 0, ValueError, "position_width must be at least 1, not 0"),
        ("widen", 2.0, TypeError, "position_width must be an integer, not 2.0"),
        (
            "widen",
            1,
            ValueError,
            "position_width must widen the feed-forward networks to a whole number, not 5 to 5·7/6",
        ),
    ],
)
def test_a_width_that_does_not_go_with_the_way_is_named(way, position_width, error, message):
    with pytest.raises(error, match=message):
        combining_cost(way, TransformerSize(**RIGHT), 3, position_width=position_width)
