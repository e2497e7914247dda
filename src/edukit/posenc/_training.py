"""Training of the small Transformer: tasks with a known answer, Adam, and the loop."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from edukit.posenc import _arguments as arguments
from edukit.posenc._transformer import Array, Transformer

Drawn = tuple[Array, Array, Array]
# Annotations with np.random are in quotes: numpy loads its random numbers when they are first used, and
# importing this package is not to be that use.


@dataclass(frozen=True, slots=True)
class Task:
    """A task for a :class:`Transformer`: sequences that are drawn at random, with their answers.

    Parameters
    ----------
    name : str
        What the task is called.
    vocabulary : int
        Number of different tokens.
    classes : int
        Number of different answers.
    length : int
        Number of tokens in a sequence, unless another is asked for.
    shortest : int
        The fewest tokens that the task makes sense with.
    chance : float
        Which share of the answers is right by blind guessing.
    make : callable
        ``make(rng, count, length)`` draws tokens, targets and mask.

    Raises
    ------
    TypeError, ValueError
        If `length` is no integer, or less than `shortest`.

    References
    ----------
    Kazemnejad et al., "The Impact of Positional Encoding on Length Generalization in Transformers",
    2023, `arXiv:2305.19466 <https://arxiv.org/abs/2305.19466>`_, compares position encodings on tasks
    of this kind.

    Examples
    --------
    >>> from edukit.posenc import copy_back
    >>> task = copy_back(length=6, back=2)
    >>> tokens, targets, mask = task.draw(1, seed=0)
    >>> (tokens[0, :-2] == targets[0, 2:]).all()
    np.True_
    """

    name: str
    vocabulary: int
    classes: int
    length: int
    shortest: int
    chance: float
    make: "Callable[[np.random.Generator, int, int], Drawn]"

    def __post_init__(self) -> None:
        arguments.integer("length", self.length, at_least=self.shortest)

    def draw(self, count: int, *, seed: "int | np.random.Generator", length: int | None = None) -> Drawn:
        """Draw sequences with their answers.

        Parameters
        ----------
        count : int
            How many sequences.
        seed : int or numpy.random.Generator
            The same seed draws the same sequences.
        length : int, optional
            Tokens in each; the `length` of the task when left out.

        Returns
        -------
        tokens, targets, mask : ndarrays of int, int and bool, shape (count, length)
            The sequences, the right answer at each token, and where there is one.

        Raises
        ------
        TypeError, ValueError
            If `count` or `length` is no integer, or too small.
        """
        count = arguments.integer("count", count, at_least=1)
        length = self.length if length is None else length
        length = arguments.integer("length", length, at_least=self.shortest)
        if not isinstance(seed, np.random.Generator):
            seed = np.random.default_rng(arguments.integer("seed", seed, at_least=0))
        return self.make(seed, count, length)


def which_came_first(length: int = 16, *, fillers: int = 5) -> Task:
    """Return the task to say which of two marked tokens came first.

    A sequence holds the token 0 once, the token 1 once, and ends with the question, the token 2. The
    others are fillers, drawn from the numbers after it. The answer, at the question alone, is 0 or 1.

    Parameters
    ----------
    length : int, optional
        Tokens in a sequence, at least 3.
    fillers : int, optional
        Number of different fillers.

    Returns
    -------
    task : Task
        The task.

    Raises
    ------
    TypeError, ValueError
        If an argument is no integer, or too small.

    Notes
    -----
    Both answers come with the same sets of tokens. A model that cannot see the order is at chance, 1/2,
    however long it is trained.

    References
    ----------
    Haviv et al., "Transformer Language Models without Positional Encodings Still Learn Positional
    Information", 2022, `arXiv:2203.16634 <https://arxiv.org/abs/2203.16634>`_, for the question.

    Examples
    --------
    >>> from edukit.posenc import which_came_first
    >>> tokens, targets, mask = which_came_first(length=6).draw(2, seed=0)
    >>> tokens
    array([[1, 6, 0, 4, 4, 2],
           [0, 3, 1, 7, 6, 2]])
    >>> targets[mask]
    array([1, 0])
    """
    fillers = arguments.integer("fillers", fillers, at_least=1)

    def make(rng: "np.random.Generator", count: int, length: int) -> Drawn:
        tokens = rng.integers(3, 3 + fillers, size=(count, length))
        # The two smallest of random numbers stand at two different places, all pairs equally likely.
        places = np.argsort(rng.random((count, length - 1)), axis=1)[:, :2]
        np.put_along_axis(tokens, places, np.array([[0, 1]]), axis=1)
        tokens[:, -1] = 2
        targets, mask = _unanswered(tokens)
        targets[:, -1] = places[:, 1] < places[:, 0]
        mask[:, -1] = True
        return tokens, targets, mask

    return Task("which came first", 3 + fillers, 2, length, 3, 1 / 2, make)


def copy_back(length: int = 24, *, back: int = 2, symbols: int = 8) -> Task:
    """Return the task to say, at every token, which token stands a fixed number of places before it.

    Parameters
    ----------
    length : int, optional
        Tokens in a sequence, more than `back`.
    back : int, optional
        How many places before, at least 1.
    symbols : int, optional
        Number of different tokens.

    Returns
    -------
    task : Task
        The task. The first `back` tokens have no answer.

    Raises
    ------
    TypeError, ValueError
        If an argument is no integer, or too small.

    Notes
    -----
    The answer is one token at an exact offset, which a longer sequence does not change: the task tests
    whether a model has learned the offset, or the places that it has seen.

    References
    ----------
    Kazemnejad et al., "The Impact of Positional Encoding on Length Generalization in Transformers",
    2023, `arXiv:2305.19466 <https://arxiv.org/abs/2305.19466>`_, for the question.

    Examples
    --------
    >>> from edukit.posenc import copy_back
    >>> tokens, targets, mask = copy_back(length=6, back=1).draw(1, seed=0)
    >>> tokens
    array([[6, 5, 4, 2, 2, 0]])
    >>> targets[mask]
    array([6, 5, 4, 2, 2])
    """
    back = arguments.integer("back", back, at_least=1)
    symbols = arguments.integer("symbols", symbols, at_least=2)

    def make(rng: "np.random.Generator", count: int, length: int) -> Drawn:
        tokens = rng.integers(symbols, size=(count, length))
        targets, mask = _unanswered(tokens)
        targets[:, back:] = tokens[:, :-back]
        mask[:, back:] = True
        return tokens, targets, mask

    return Task("copy back", symbols, symbols, length, back + 1, 1 / symbols, make)


def last_seen(length: int = 24, *, symbols: int = 7, share: float = 0.15) -> Task:
    """Return the task to say, at every blank, which symbol was the last before it.

    The symbols are the numbers below `symbols`, a blank is the number `symbols` itself. A sequence
    begins with a symbol and ends with a blank.

    Parameters
    ----------
    length : int, optional
        Tokens in a sequence, at least 2.
    symbols : int, optional
        Number of different symbols, at least 2.
    share : float, optional
        Which share of the tokens between the first and the last are symbols, from 0 to 1.

    Returns
    -------
    task : Task
        The task.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type, or is out of range.

    Notes
    -----
    What is near counts, at no exact offset: the kind of task that a penalty on the distance helps with.

    References
    ----------
    Press et al., "Train Short, Test Long: Attention with Linear Biases Enables Input Length
    Extrapolation", 2021, `arXiv:2108.12409 <https://arxiv.org/abs/2108.12409>`_, for the question.

    Examples
    --------
    >>> from edukit.posenc import last_seen
    >>> tokens, targets, mask = last_seen(length=8, symbols=4, share=0.3).draw(1, seed=1)
    >>> tokens
    array([[1, 4, 4, 4, 4, 0, 4, 4]])
    >>> targets[mask]
    array([1, 1, 1, 1, 0, 0])
    """
    symbols = arguments.integer("symbols", symbols, at_least=2)
    share = arguments.finite("share", share)
    if not 0 <= share <= 1:
        raise ValueError(f"share must lie between 0 and 1, not {share}")

    def make(rng: "np.random.Generator", count: int, length: int) -> Drawn:
        tokens = rng.integers(symbols, size=(count, length))
        mask = rng.random((count, length)) >= share
        mask[:, 0], mask[:, -1] = False, True
        last = np.maximum.accumulate(np.where(mask, 0, np.arange(length)), axis=1)
        targets = np.take_along_axis(tokens, last, axis=1)
        tokens[mask] = symbols
        return tokens, np.where(mask, targets, 0), mask

    return Task("last seen", symbols + 1, symbols, length, 2, 1 / symbols, make)


class Adam:
    r"""Adam: steps along the mean of the gradients, each number's in units of its own size.

    At step :math:`t`, for each parameter :math:`\theta` with gradient :math:`g`:

    .. math::

       m &\leftarrow \beta_1 m + (1 - \beta_1)\, g \\
       v &\leftarrow \beta_2 v + (1 - \beta_2)\, g^2 \\
       \theta &\leftarrow \theta - \alpha\,
       \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \epsilon}

    Parameters
    ----------
    parameters : mapping of str to ndarray
        The parameters, which :meth:`step` changes in place.
    rate : float, optional
        :math:`\alpha`, more than 0.
    beta1, beta2 : float, optional
        How much of the means of :math:`g` and of :math:`g^2` a step keeps; at least 0, less than 1.
    epsilon : float, optional
        :math:`\epsilon`, more than 0.

    Raises
    ------
    TypeError, ValueError
        If a number has the wrong type, or is out of range.

    References
    ----------
    Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1,
    `arXiv:1412.6980 <https://arxiv.org/abs/1412.6980>`_.

    Examples
    --------
    >>> import numpy as np
    >>> from edukit.posenc import Adam
    >>> weights = {"a": np.array([1.0, -2.0])}
    >>> adam = Adam(weights, rate=0.1)
    >>> adam.step({"a": np.array([5000.0, -0.03])})
    >>> weights["a"].round(6)  # the first step is as long as the rate, whatever the gradient
    array([ 0.9, -1.9])
    """

    def __init__(
        self,
        parameters: Mapping[str, Array],
        *,
        rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
    ) -> None:
        self.rate = _positive("rate", rate)
        self.beta1, self.beta2 = _share_kept("beta1", beta1), _share_kept("beta2", beta2)
        self.epsilon = _positive("epsilon", epsilon)
        self._parameters = parameters
        self._mean = {name: np.zeros_like(array) for name, array in parameters.items()}
        self._square = {name: np.zeros_like(array) for name, array in parameters.items()}
        self._steps = 0

    def step(self, gradients: Mapping[str, Array], *, rate: float | None = None) -> None:
        """Change every parameter by one step.

        Parameters
        ----------
        gradients : mapping of str to ndarray
            One array for each parameter, of its shape.
        rate : float, optional
            The rate of this step; that of the optimizer when left out.

        Raises
        ------
        ValueError
            If a gradient is missing or has another shape, or `rate` is not more than 0.
        """
        rate = self.rate if rate is None else _positive("rate", rate)
        for name, parameter in self._parameters.items():
            if name not in gradients:
                raise ValueError(f"gradients must have one for each parameter, but {name!r} is missing")
            if gradients[name].shape != parameter.shape:
                raise ValueError(
                    f"gradients must have the shapes of the parameters; that of {name!r} has "
                    f"{gradients[name].shape}, not {parameter.shape}"
                )
        self._steps += 1
        # Both means start at zero: at first they hold only this share of what they are the mean of.
        mean_share = 1 - self.beta1**self._steps
        square_share = 1 - self.beta2**self._steps
        for name, parameter in self._parameters.items():
            g, m, v = gradients[name], self._mean[name], self._square[name]
            m *= self.beta1
            m += (1 - self.beta1) * g
            v *= self.beta2
            v += (1 - self.beta2) * g * g
            parameter -= rate / mean_share * m / (np.sqrt(v / square_share) + self.epsilon)


def train(
    model: Transformer, task: Task, *, steps: int, batch: int = 32, rate: float = 0.003, seed: int
) -> Array:
    r"""Train a model on a task, and return the loss of every step.

    Each step draws new sequences and takes one step of :class:`Adam`, with :math:`\beta_2 = 0.99` since
    a run is short. The rate rises in a straight line through the first tenth of the steps, and then falls
    in a straight line to zero.

    Parameters
    ----------
    model : Transformer
        The model; its `parameters` change.
    task : Task
        What is to be learned.
    steps : int
        How many steps.
    batch : int, optional
        How many sequences in each.
    rate : float, optional
        The highest rate.
    seed : int
        Seed of the sequences. They are others than those of :func:`accuracy` with the same seed.

    Returns
    -------
    losses : ndarray of float64, shape (steps,)
        The mean cross entropy of each batch before its step.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a number is out of range, or the model has not the vocabulary or the classes of the task.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 5.3, for the rate that rises and falls,
    `arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_.

    Examples
    --------
    >>> from edukit.posenc import Transformer, TransformerConfig, train, which_came_first
    >>> task = which_came_first(length=5)
    >>> config = TransformerConfig(task.vocabulary, task.classes, position="add", width=16)
    >>> losses = train(Transformer(config, seed=0), task, steps=80, seed=0)
    >>> bool(losses[-10:].mean() < losses[:10].mean() / 2)
    True
    """
    _check_fit(model, task)
    steps = arguments.integer("steps", steps, at_least=1)
    batch = arguments.integer("batch", batch, at_least=1)
    adam = Adam(model.parameters, rate=rate, beta2=0.99)
    rng = _stream(seed, _TRAINING)
    losses = np.empty(steps)
    for step in range(steps):
        losses[step], gradients = model.loss_and_gradients(*task.draw(batch, seed=rng))
        adam.step(gradients, rate=rate * _height(step, steps))
    return losses


def accuracy(
    model: Transformer, task: Task, *, count: int = 500, length: int | None = None, seed: int
) -> float:
    """Return which share of the answers of a model is right.

    Parameters
    ----------
    model : Transformer
        The model.
    task : Task
        The task.
    count : int, optional
        How many sequences are drawn.
    length : int, optional
        Tokens in each; the `length` of the task when left out. A longer one shows what the model does
        past what it was trained on.
    seed : int
        Seed of the sequences. They are others than those of :func:`train` with the same seed.

    Returns
    -------
    share : float
        From 0 to 1.

    Raises
    ------
    TypeError, ValueError
        As in :func:`train`; also if the sequences are longer than a learned table.

    References
    ----------
    Press et al., "Train Short, Test Long: Attention with Linear Biases Enables Input Length
    Extrapolation", 2021, `arXiv:2108.12409 <https://arxiv.org/abs/2108.12409>`_, for the longer tests.

    Examples
    --------
    >>> from edukit.posenc import Transformer, TransformerConfig, accuracy, which_came_first
    >>> task = which_came_first()
    >>> model = Transformer(TransformerConfig(task.vocabulary, task.classes), seed=0)
    >>> 0.4 < accuracy(model, task, seed=0) < 0.6  # nothing learned: it guesses
    True
    """
    _check_fit(model, task)
    count = arguments.integer("count", count, at_least=1)
    rng = _stream(seed, _TESTING)
    right, all_answers = 0, 0
    # In parts, so that long sequences do not need their square in memory a thousandfold.
    for start in range(0, count, 100):
        tokens, targets, mask = task.draw(min(100, count - start), seed=rng, length=length)
        right += int((model.forward(tokens).argmax(axis=-1) == targets)[mask].sum())
        all_answers += int(mask.sum())
    return right / all_answers


# One seed gives two streams of random numbers that have nothing to do with each other.
_TRAINING, _TESTING = 0, 1


def _stream(seed: int, purpose: int) -> "np.random.Generator":
    return np.random.default_rng([arguments.integer("seed", seed, at_least=0), purpose])


def _height(step: int, steps: int) -> float:
    """Return the share of the highest rate at a step: up through a tenth of them, then down."""
    return min((step + 1) / (0.1 * steps), (steps - step) / (0.9 * steps), 1.0)


def _unanswered(tokens: Array) -> tuple[Array, Array]:
    return np.zeros_like(tokens), np.zeros(tokens.shape, dtype=bool)


def _check_fit(model: Transformer, task: Task) -> None:
    if not isinstance(model, Transformer):
        raise TypeError(f"model must be a Transformer, not {model!r}")
    if not isinstance(task, Task):
        raise TypeError(f"task must be a Task, not {task!r}")
    for name in ("vocabulary", "classes"):
        has, needs = getattr(model.config, name), getattr(task, name)
        if has != needs:
            raise ValueError(f"model must have the {name} of the task, {needs}, not {has}")


def _positive(name: str, value: float) -> float:
    number = arguments.finite(name, value)
    if number <= 0:
        raise ValueError(f"{name} must be more than 0, not {number}")
    return number


def _share_kept(name: str, value: float) -> float:
    number = arguments.finite(name, value)
    if not 0 <= number < 1:
        raise ValueError(f"{name} must be at least 0 and less than 1, not {number}")
    return number
