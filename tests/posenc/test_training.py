"""Tasks against their definition, Adam against the paper, and runs that learn what can be learned."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edukit.posenc import (
    Adam,
    Task,
    Transformer,
    TransformerConfig,
    accuracy,
    copy_back,
    last_seen,
    train,
    which_came_first,
)

SEEDS = st.integers(0, 2**32 - 1)


def model_for(task, *, seed=0, **options):
    return Transformer(TransformerConfig(task.vocabulary, task.classes, **options), seed=seed)


# -- the tasks ------------------------------------------------------------------------------------


@given(seed=SEEDS, length=st.integers(3, 20), fillers=st.integers(1, 6))
def test_which_came_first_asks_for_the_order_of_two_tokens(seed, length, fillers):
    task = which_came_first(length, fillers=fillers)
    for row, answers, counts in zip(*(a.tolist() for a in task.draw(5, seed=seed)), strict=True):
        assert len(row) == length
        assert sorted(token for token in row if token < 3) == [0, 1, 2]
        assert row[-1] == 2
        assert max(row) < task.vocabulary == 3 + fillers
        assert answers[-1] == (0 if row.index(0) < row.index(1) else 1)
        assert counts == [False] * (length - 1) + [True]


def test_which_came_first_draws_all_pairs_of_places_and_both_answers():
    tokens, targets, _ = which_came_first(5).draw(2000, seed=0)
    pairs = {(row.index(0), row.index(1)) for row in tokens.tolist()}
    assert len(pairs) == 4 * 3
    assert 0.45 < targets[:, -1].mean() < 0.55
    assert {row[i] for row in tokens.tolist() for i in range(5)} == set(range(8))


@given(seed=SEEDS, back=st.integers(1, 5), more=st.integers(1, 9), symbols=st.integers(2, 6))
def test_copy_back_asks_for_the_token_some_places_before(seed, back, more, symbols):
    task = copy_back(back + more, back=back, symbols=symbols)
    for row, answers, counts in zip(*(a.tolist() for a in task.draw(3, seed=seed)), strict=True):
        assert max(row) < task.vocabulary == task.classes == symbols
        assert counts == [i >= back for i in range(back + more)]
        assert all(answers[i] == row[i - back] for i in range(back, back + more))


@given(seed=SEEDS, length=st.integers(2, 20), symbols=st.integers(2, 6), share=st.floats(0, 1))
def test_last_seen_asks_for_the_nearest_symbol_before(seed, length, symbols, share):
    task = last_seen(length, symbols=symbols, share=share)
    for row, answers, counts in zip(*(a.tolist() for a in task.draw(3, seed=seed)), strict=True):
        assert max(row) <= symbols == task.classes == task.vocabulary - 1
        assert row[0] != symbols == row[-1]
        assert counts == [token == symbols for token in row]
        for i in range(length):
            if counts[i]:
                assert answers[i] == next(token for token in reversed(row[:i]) if token != symbols)


def test_the_share_of_symbols_is_as_asked():
    tokens, _, _ = last_seen(100, symbols=7, share=0.3).draw(200, seed=1)
    assert (tokens[:, 1:-1] < 7).mean() == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize("task", [which_came_first(), copy_back(), last_seen()])
def test_drawing_is_decided_by_the_seed(task):
    first = task.draw(20, seed=3)
    for ours, again, other in zip(
        first, task.draw(20, seed=3), task.draw(20, seed=4, length=task.length), strict=True
    ):
        np.testing.assert_array_equal(ours, again)
        assert ours.shape == other.shape == (20, task.length)
        assert ours.flags.writeable
        assert ours.flags.c_contiguous
    assert not np.array_equal(first[0], task.draw(20, seed=4)[0])
    rng = np.random.default_rng(3)
    np.testing.assert_array_equal(task.draw(20, seed=rng)[0], first[0])
    assert not np.array_equal(task.draw(20, seed=rng)[0], first[0])  # a generator goes on
    assert task.draw(1, seed=0, length=77)[0].shape == (1, 77)
    assert first[0].max() == task.vocabulary - 1
    assert first[1].max() == task.classes - 1


@pytest.mark.parametrize("task", [which_came_first(), copy_back(), last_seen()])
def test_chance_is_the_share_of_blind_guesses_that_are_right(task):
    _, targets, mask = task.draw(2000, seed=5)
    guesses = np.random.default_rng(6).integers(task.classes, size=targets.shape)
    assert (guesses == targets)[mask].mean() == pytest.approx(task.chance, abs=0.04)


# -- Adam -----------------------------------------------------------------------------------------


def slow_adam(theta, gradients, alpha, beta1, beta2, epsilon):
    """Algorithm 1 of Kingma and Ba for one number, line by line."""
    m = v = 0.0
    path = []
    for t, g in enumerate(gradients, start=1):
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g**2
        m_hat = m / (1 - beta1**t)
        v_hat = v / (1 - beta2**t)
        theta = theta - alpha * m_hat / (math.sqrt(v_hat) + epsilon)
        path.append(theta)
    return path


@given(
    gradients=st.lists(st.floats(-10, 10), min_size=1, max_size=8),
    rate=st.floats(1e-4, 1),
    beta1=st.floats(0, 0.99),
    beta2=st.floats(0, 0.999),
    epsilon=st.floats(1e-8, 1),
)
def test_adam_takes_the_steps_of_the_paper(gradients, rate, beta1, beta2, epsilon):
    weights = {"a": np.array([[0.5]]), "b": np.array([-2.0, 3.0])}
    adam = Adam(weights, rate=rate, beta1=beta1, beta2=beta2, epsilon=epsilon)
    paths = [
        slow_adam(start, [sign * g for g in gradients], rate, beta1, beta2, epsilon)
        for start, sign in ((0.5, 1), (-2.0, -3), (3.0, 0))
    ]
    for i, g in enumerate(gradients):
        adam.step({"a": np.array([[g]]), "b": np.array([-3 * g, 0.0])})
        ours = [weights["a"][0, 0], *weights["b"]]
        np.testing.assert_allclose(ours, [path[i] for path in paths], rtol=1e-9, atol=1e-9)


def test_adam_forgets_a_large_gradient_without_losing_a_small_one():
    weights = {"a": np.zeros(1)}
    adam = Adam(weights, rate=1, beta1=0, beta2=0, epsilon=1e-12)
    for g in (1.0, 1e-9):
        adam.step({"a": np.array([g])})
    # Without memory each step is the sign of its gradient.
    np.testing.assert_allclose(weights["a"], -2, rtol=1e-2)


def test_adam_starts_with_the_numbers_of_the_paper():
    adam = Adam({})
    assert (adam.rate, adam.beta1, adam.beta2, adam.epsilon) == (0.001, 0.9, 0.999, 1e-8)


@given(seed=SEEDS, factor=st.floats(1e-3, 1e3))
def test_adam_does_not_mind_the_unit_of_the_loss(seed, factor):
    gradients = np.random.default_rng(seed).normal(size=(6, 4)) + 2
    ends = []
    for scale in (1.0, factor):
        weights = {"a": np.zeros(4)}
        adam = Adam(weights, rate=0.1, epsilon=1e-300)
        for g in gradients:
            adam.step({"a": scale * g})
        ends.append(weights["a"])
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-9)


def test_a_rate_can_be_given_for_one_step():
    weights = {"a": np.zeros(1)}
    adam = Adam(weights, rate=0.1)
    for rate, place in ((0.5, -0.5), (None, -0.6), (0.25, -0.85)):
        adam.step({"a": np.ones(1)}, rate=rate)
        np.testing.assert_allclose(weights["a"], place, atol=1e-6)


def test_adam_changes_the_parameters_in_place_and_nothing_else():
    array, g = np.zeros(2, dtype=np.float32), np.ones(2, dtype=np.float32)
    Adam({"a": array}, rate=0.1).step({"a": g, "of no parameter": g})
    np.testing.assert_allclose(array, -0.1, atol=1e-6)
    assert array.dtype == np.float32
    np.testing.assert_array_equal(g, 1)


def test_adam_finds_the_bottom_of_a_bowl():
    weights = {"a": np.array([3.0, -2.0])}
    adam = Adam(weights, rate=0.1)
    for step in range(400):
        adam.step({"a": np.array([100.0, 0.01]) * weights["a"]}, rate=0.1 * (1 - step / 400))
    np.testing.assert_allclose(weights["a"], 0, atol=1e-2)


# -- runs -----------------------------------------------------------------------------------------


def test_training_and_testing_are_decided_by_the_seed():
    task = copy_back(6)
    runs = []
    for seed in (1, 1, 2):
        model = model_for(task, position="rotary", width=8, feed_forward=8)
        losses = train(model, task, steps=12, batch=4, seed=seed)
        runs.append((losses.tolist(), accuracy(model, task, count=130, seed=7)))
        assert losses.shape == (12,)
        assert losses.dtype == np.float64
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_a_run_is_adam_over_fresh_sequences_with_a_rate_that_rises_and_falls():
    task = which_came_first(4)
    trained, by_hand = model_for(task, seed=3), model_for(task, seed=3)
    losses = train(trained, task, steps=20, batch=5, rate=0.01, seed=4)
    adam, rng = Adam(by_hand.parameters, beta2=0.99), np.random.default_rng([4, 0])
    # Up through two steps, down through eighteen; the top is reached on the way, at 1.
    heights = [1 / 2, 1, 1, *(left / 18 for left in range(17, 0, -1))]
    for loss, height in zip(losses, heights, strict=True):
        expected, gradients = by_hand.loss_and_gradients(*task.draw(5, seed=rng))
        assert loss == pytest.approx(expected, rel=1e-4)
        adam.step(gradients, rate=0.01 * height)
    for name, array in trained.parameters.items():
        np.testing.assert_allclose(array, by_hand.parameters[name], atol=1e-4, err_msg=name)


def test_a_run_of_a_single_step_takes_it():
    task = which_came_first(4)
    model = model_for(task)
    before = model.parameters["classes"].copy()
    assert train(model, task, steps=1, seed=0).shape == (1,)
    assert not np.array_equal(model.parameters["classes"], before)


@pytest.mark.parametrize(
    ("position", "causal"), [("add", False), ("concatenate", False), ("rotary", False), ("none", True)]
)
def test_order_is_learned_with_a_position_encoding_or_a_causal_mask(position, causal):
    task = which_came_first(8)
    model = model_for(task, position=position, causal=causal)
    losses = train(model, task, steps=120, seed=0)
    assert losses[-10:].mean() < 0.2 < 0.6 < losses[:10].mean()
    assert accuracy(model, task, seed=0) > 0.9


@pytest.mark.parametrize(("layers", "causal"), [(2, False), (1, True)])
def test_order_cannot_be_learned_where_it_does_not_show(layers, causal):
    task = which_came_first(8)
    model = model_for(task, layers=layers, causal=causal)
    train(model, task, steps=120, seed=0)
    assert 0.4 < accuracy(model, task, seed=0) < 0.6


def test_accuracy_counts_the_right_answers_where_there_is_one():
    task = copy_back(6, back=2, symbols=3)
    model = model_for(task, position="add", seed=1)
    tokens, targets, mask = task.draw(40, seed=np.random.default_rng([9, 1]))
    answers = model.forward(tokens).argmax(axis=-1)
    right = [answers[i, j] == targets[i, j] for i, j in zip(*np.nonzero(mask), strict=True)]
    assert accuracy(model, task, count=40, seed=9) == sum(right) / len(right)


def test_accuracy_asks_for_as_many_sequences_as_it_is_told_and_as_long():
    asked = []

    def make(rng, count, length):
        asked.append((count, length))
        return (np.zeros((count, length), dtype=int), *copy.make(rng, count, length)[1:])

    copy = copy_back()
    task = replace(copy, make=make)
    model = model_for(task)
    accuracy(model, task, count=250, length=9, seed=0)
    assert asked == [(100, 9), (100, 9), (50, 9)]
    accuracy(model, task, count=7, seed=0)
    assert asked[3:] == [(7, copy.length)]


def test_testing_draws_other_sequences_than_training():
    drawn = []

    def make(rng, count, length):
        drawn.append(copy.make(rng, count, length))
        return drawn[-1]

    copy = copy_back()
    task = replace(copy, make=make)
    model = model_for(task)
    train(model, task, steps=1, batch=20, seed=5)
    accuracy(model, task, count=20, seed=5)
    assert not np.array_equal(drawn[0][0], drawn[1][0])


# -- errors ---------------------------------------------------------------------------------------

TASK = which_came_first()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: which_came_first(2), ValueError, "length must be at least 3, not 2"),
        (lambda: which_came_first(3.0), TypeError, "length must be an integer, not 3.0"),
        (lambda: which_came_first(fillers=0), ValueError, "fillers must be at least 1, not 0"),
        (lambda: copy_back(3, back=3), ValueError, "length must be at least 4, not 3"),
        (lambda: copy_back(back=0), ValueError, "back must be at least 1, not 0"),
        (lambda: copy_back(symbols=1), ValueError, "symbols must be at least 2, not 1"),
        (lambda: last_seen(1), ValueError, "length must be at least 2, not 1"),
        (lambda: last_seen(symbols=1), ValueError, "symbols must be at least 2, not 1"),
        (lambda: last_seen(share=1.5), ValueError, "share must lie between 0 and 1, not 1.5"),
        (lambda: last_seen(share="half"), TypeError, "share must be a real number, not 'half'"),
        (lambda: TASK.draw(0, seed=0), ValueError, "count must be at least 1, not 0"),
        (lambda: TASK.draw(1, seed=0, length=2), ValueError, "length must be at least 3, not 2"),
        (lambda: TASK.draw(1, seed=-1), ValueError, "seed must be at least 0, not -1"),
        (lambda: TASK.draw(1, seed=None), TypeError, "seed must be an integer, not None"),
        (lambda: Adam({}, rate=0), ValueError, "rate must be more than 0, not 0.0"),
        (lambda: Adam({}, rate=math.nan), ValueError, "rate must be finite, not nan"),
        (lambda: Adam({}, beta1=1), ValueError, "beta1 must be at least 0 and less than 1, not 1.0"),
        (lambda: Adam({}, beta2=-0.1), ValueError, "beta2 must be at least 0 and less than 1, not -0.1"),
        (lambda: Adam({}, epsilon=0), ValueError, "epsilon must be more than 0, not 0.0"),
        (
            lambda: Adam({"a": np.zeros(2)}).step({}),
            ValueError,
            "gradients must have one for each parameter, but 'a' is missing",
        ),
        (
            lambda: Adam({"a": np.zeros(2)}).step({"a": np.zeros(3)}),
            ValueError,
            r"gradients must have the shapes of the parameters; that of 'a' has \(3,\), not \(2,\)",
        ),
        (lambda: Adam({}).step({}, rate=-1), ValueError, "rate must be more than 0, not -1.0"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=f"^{message}$"):
        call()


def test_a_refused_step_changes_nothing():
    weights = {"a": np.zeros(2), "b": np.zeros(2)}
    adam = Adam(weights, rate=0.1)
    with pytest.raises(ValueError, match="'b' is missing"):
        adam.step({"a": np.ones(2)})
    np.testing.assert_array_equal(weights["a"], 0)
    adam.step({"a": np.ones(2), "b": np.ones(2)})
    np.testing.assert_allclose(weights["a"], -0.1, atol=1e-6)


@pytest.mark.parametrize("run", [lambda *a: train(*a, steps=1, seed=0), lambda *a: accuracy(*a, seed=0)])
def test_a_model_that_does_not_fit_the_task_is_refused(run):
    with pytest.raises(TypeError, match=r"^model must be a Transformer, not 3$"):
        run(3, TASK)
    with pytest.raises(TypeError, match=r"^task must be a Task, not 'order'$"):
        run(model_for(TASK), "order")
    for change, message in (
        ({"vocabulary": 9}, "model must have the vocabulary of the task, 8, not 9"),
        ({"classes": 3}, "model must have the classes of the task, 2, not 3"),
    ):
        config = replace(TransformerConfig(TASK.vocabulary, TASK.classes), **change)
        with pytest.raises(ValueError, match=f"^{message}$"):
            run(Transformer(config, seed=0), TASK)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"steps": 0}, ValueError, "steps must be at least 1, not 0"),
        ({"batch": 0}, ValueError, "batch must be at least 1, not 0"),
        ({"rate": -1}, ValueError, "rate must be more than 0, not -1.0"),
        ({"seed": 0.5}, TypeError, "seed must be an integer, not 0.5"),
    ],
)
def test_a_run_that_makes_no_sense_is_refused(arguments, error, message):
    with pytest.raises(error, match=f"^{message}$"):
        train(model_for(TASK), TASK, **{"steps": 1, "seed": 0} | arguments)


def test_a_learned_table_cannot_be_tested_past_its_end():
    model = model_for(TASK, position="learned", max_length=16)
    with pytest.raises(ValueError, match=r"^tokens must be at most 16 long, not 17: a learned table"):
        accuracy(model, TASK, length=17, seed=0)


def test_a_task_of_ones_own():
    def make(rng, count, length):
        tokens = rng.integers(2, size=(count, length))
        return tokens, tokens, np.ones(tokens.shape, dtype=bool)

    echo = Task("echo", 2, 2, length=3, shortest=1, chance=1 / 2, make=make)
    model = model_for(echo, width=8)
    train(model, echo, steps=60, rate=0.01, seed=0)
    assert accuracy(model, echo, seed=0) == 1
    with pytest.raises(ValueError, match=r"^length must be at least 1, not 0$"):
        replace(echo, length=0)
