"""What a Transformer weighs and works, and what each way to bring in a position adds to it."""

from dataclasses import dataclass, fields
from typing import Literal

from edukit.posenc import _arguments as arguments

Way = Literal["add", "widen", "project", "split"]


@dataclass(frozen=True, slots=True)
class TransformerSize:
    """The measures of an encoder such as BERT.

    How many heads there are is not among them: heads share the width, and their number changes
    neither the parameters nor the products.

    Parameters
    ----------
    layers : int
        Number of layers, at least 1.
    width : int
        Numbers in the vector of a token, at least 1.
    feed_forward : int
        Numbers in the hidden layer of the feed-forward network, at least 1.
    vocabulary : int
        Rows of the token table, at least 1.
    positions : int
        Rows of a learned position table; 0 for sinusoids, which are no parameters.
    segments : int
        Rows of the table that tells the first sentence from the second; 0 if there is none.
    pooler : bool
        Whether a dense layer follows on the first token.

    Raises
    ------
    TypeError
        If a measure is not an integer, or `pooler` not a bool.
    ValueError
        If a measure is too small.

    References
    ----------
    Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
    2018, section 3, `arXiv:1810.04805 <https://arxiv.org/abs/1810.04805>`_.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from edukit.posenc import BERT_BASE
    >>> replace(BERT_BASE, width=1536, feed_forward=6144)  # doctest: +ELLIPSIS
    TransformerSize(layers=12, width=1536, feed_forward=6144, ...)
    """

    layers: int
    width: int
    feed_forward: int
    vocabulary: int
    positions: int = 0
    segments: int = 0
    pooler: bool = False

    def __post_init__(self) -> None:
        for name in ("layers", "width", "feed_forward", "vocabulary"):
            self._set(name, arguments.integer(name, getattr(self, name), at_least=1))
        for name in ("positions", "segments"):
            self._set(name, arguments.integer(name, getattr(self, name), at_least=0))
        self._set("pooler", arguments.boolean("pooler", self.pooler))

    def _set(self, name: str, value: int) -> None:
        # An integer of numpy would overflow where Python's grows.
        object.__setattr__(self, name, value)


# BERT base: 109,482,240 parameters.
BERT_BASE = TransformerSize(
    layers=12,
    width=768,
    feed_forward=3072,
    vocabulary=30522,
    positions=512,
    segments=2,
    pooler=True,
)


@dataclass(frozen=True, slots=True)
class ParameterCounts:
    """The parameters of a Transformer, part by part, each over all layers.

    Parameters
    ----------
    tokens, positions, segments : int
        The three tables of the input.
    projection : int
        The matrix that brings a concatenation back to the width; 0 without one.
    embedding_norm : int
        Scale and shift of the LayerNorm over the input.
    attention : int
        Four square matrices a layer, for queries, keys, values and output, and their biases.
    feed_forward : int
        Two matrices a layer, there and back, and their biases.
    layer_norms : int
        Scale and shift of the two LayerNorms of each layer.
    pooler : int
        Its matrix and bias.
    """

    tokens: int
    positions: int
    segments: int
    projection: int
    embedding_norm: int
    attention: int
    feed_forward: int
    layer_norms: int
    pooler: int

    @property
    def tables(self) -> int:
        """Parameters of the three tables of the input."""
        return self.tokens + self.positions + self.segments

    @property
    def layers(self) -> int:
        """Parameters of all layers."""
        return self.attention + self.feed_forward + self.layer_norms

    @property
    def network(self) -> int:
        """Parameters of everything but the tables."""
        return self.total - self.tables

    @property
    def total(self) -> int:
        """All parameters."""
        return sum(getattr(self, part.name) for part in fields(self))


@dataclass(frozen=True, slots=True)
class LayerFlops:
    """The work of one layer, part by part, in floating-point operations.

    Parameters
    ----------
    projections : int
        Queries, keys, values and output: grows with the length times the width squared.
    scores : int
        Each query with each key: grows with the length squared times the width.
    mixing : int
        The weights with the values: as much as the scores.
    feed_forward : int
        There and back: grows with the length times the width squared.
    """

    projections: int
    scores: int
    mixing: int
    feed_forward: int

    @property
    def total(self) -> int:
        """All operations of the layer."""
        return self.projections + self.scores + self.mixing + self.feed_forward


@dataclass(frozen=True, slots=True)
class CombiningCost:
    """What a Transformer costs that gets its positions in a certain way.

    Parameters
    ----------
    way : str
        "add", "widen", "project" or "split".
    token_width, position_width : int
        Numbers in the vector of a token and in the one of a position.
    network_width : int
        Numbers in the vectors that the layers work on.
    parameters : ParameterCounts
        All parameters.
    flops : int
        Operations of all layers, and of the projection, for one sequence.
    """

    way: Way
    token_width: int
    position_width: int
    network_width: int
    parameters: ParameterCounts
    flops: int


def parameter_counts(size: TransformerSize) -> ParameterCounts:
    r"""Return how many parameters each part of a Transformer has.

    Of width :math:`d` and with the hidden width :math:`f`, one layer has

    .. math::

       4\,(d^2 + d) + (2 d f + f + d) + 2 \cdot 2 d

    parameters: attention, feed-forward network and two LayerNorms.

    Parameters
    ----------
    size : TransformerSize
        Its measures, such as :data:`BERT_BASE`.

    Returns
    -------
    counts : ParameterCounts
        Part by part, with sums.

    Raises
    ------
    TypeError
        If `size` is not a :class:`TransformerSize`.

    Notes
    -----
    Counted is the encoder, as it stands before a task is set: the head that guesses words in training
    is left out.

    References
    ----------
    Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
    2018, section 3, `arXiv:1810.04805 <https://arxiv.org/abs/1810.04805>`_.

    Examples
    --------
    >>> from edukit.posenc import BERT_BASE, parameter_counts
    >>> counts = parameter_counts(BERT_BASE)
    >>> f"{counts.total:,}, of which {counts.positions:,} for positions"
    '109,482,240, of which 393,216 for positions'
    """
    size = _size(size)
    return _parameters(size, token_width=size.width, position_width=size.width)


def layer_flops(length: int, size: TransformerSize) -> LayerFlops:
    r"""Return how many floating-point operations one layer takes.

    For :math:`n` tokens of width :math:`d`, and the hidden width :math:`f`:

    .. math::

       \underbrace{8 n d^2}_{\text{projections}} + \underbrace{2 n^2 d}_{\text{scores}}
       + \underbrace{2 n^2 d}_{\text{mixing}} + \underbrace{4 n d f}_{\text{feed-forward}}

    Parameters
    ----------
    length : int
        Number of tokens :math:`n`, at least 0.
    size : TransformerSize
        The measures of the network.

    Returns
    -------
    flops : LayerFlops
        Part by part, with their sum. A multiplication and the addition that follows are two operations.

    Raises
    ------
    TypeError
        If `length` is not an integer, or `size` not a :class:`TransformerSize`.
    ValueError
        If `length` is negative.

    Notes
    -----
    Only matrix products are counted. Biases, the softmax, LayerNorms and the activation grow more
    slowly, and are small beside them.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 4 and table 1,
    `arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from edukit.posenc import BERT_BASE, layer_flops
    >>> twice = replace(BERT_BASE, width=1536, feed_forward=6144)
    >>> for length in (128, 512, 4096):
    ...     print(f"{layer_flops(length, twice).total / layer_flops(length, BERT_BASE).total:.2f}")
    3.95
    3.80
    3.06
    """
    length = arguments.integer("length", length, at_least=0)
    size = _size(size)
    return LayerFlops(
        projections=4 * 2 * length * size.width**2,
        scores=2 * length**2 * size.width,
        mixing=2 * length**2 * size.width,
        feed_forward=2 * 2 * length * size.width * size.feed_forward,
    )


def combining_cost(
    way: Way, size: TransformerSize, length: int, *, position_width: int | None = None
) -> CombiningCost:
    """Return what a Transformer costs that brings token and position together in a certain way.

    Parameters
    ----------
    way : {"add", "widen", "project", "split"}
        "add": both are as wide as the network and are added. "widen": they are concatenated, and the
        whole network is made as wide as both together, its feed-forward networks in proportion; the
        tables stay as they are. "project": they are concatenated, and one matrix brings them back to
        the width. "split": they are concatenated and share the width, so that the token leaves some of
        it to the position.
    size : TransformerSize
        The measures of the network that adds.
    length : int
        Number of tokens in the sequence, at least 0.
    position_width : int, optional
        Numbers in the vector of a position, at least 1. Left out, it is the width of the network; to
        split, it has to be said, and is smaller than that.

    Returns
    -------
    cost : CombiningCost
        The widths, the parameters and the operations.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If an argument is out of range or does not go with `way`.

    Notes
    -----
    Operations are counted as in :func:`layer_flops`. The addition itself, one for each number of the
    input, is left out like all that is no matrix product.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5, adds;
    `arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_.

    Examples
    --------
    >>> from edukit.posenc import BERT_BASE, combining_cost
    >>> add = combining_cost("add", BERT_BASE, 512)
    >>> for way, width in (("widen", 768), ("project", 768), ("split", 64)):
    ...     cost = combining_cost(way, BERT_BASE, 512, position_width=width)
    ...     print(f"{way}: {cost.parameters.network - add.parameters.network:,}")
    widen: 256,695,552
    project: 1,179,648
    split: 0
    """
    arguments.choice("way", way, ("add", "widen", "project", "split"))
    size = _size(size)
    length = arguments.integer("length", length, at_least=0)
    position = _position_width(way, size.width, position_width)
    token = size.width - position if way == "split" else size.width
    together = size.width + position

    network = _widened(size, together) if way == "widen" else size
    matrix = together * size.width if way == "project" else 0
    return CombiningCost(
        way=way,
        token_width=token,
        position_width=position,
        network_width=network.width,
        parameters=_parameters(network, token_width=token, position_width=position, projection=matrix),
        flops=network.layers * layer_flops(length, network).total + 2 * length * matrix,
    )


def _parameters(
    size: TransformerSize, *, token_width: int, position_width: int, projection: int = 0
) -> ParameterCounts:
    norm = 2 * size.width
    return ParameterCounts(
        tokens=size.vocabulary * token_width,
        positions=size.positions * position_width,
        segments=size.segments * token_width,
        projection=projection,
        embedding_norm=norm,
        attention=size.layers * 4 * _dense(size.width, size.width),
        feed_forward=size.layers
        * (_dense(size.width, size.feed_forward) + _dense(size.feed_forward, size.width)),
        layer_norms=size.layers * 2 * norm,
        pooler=_dense(size.width, size.width) if size.pooler else 0,
    )


def _dense(inputs: int, outputs: int) -> int:
    """Return the parameters of a matrix with a bias."""
    return inputs * outputs + outputs


def _widened(size: TransformerSize, width: int) -> TransformerSize:
    hidden, left_over = divmod(size.feed_forward * width, size.width)
    if left_over:
        raise ValueError(
            "position_width must widen the feed-forward networks to a whole number, "
            f"not {size.feed_forward} to {size.feed_forward}·{width}/{size.width}"
        )
    return TransformerSize(
        size.layers, width, hidden, size.vocabulary, size.positions, size.segments, size.pooler
    )


def _position_width(way: str, width: int, given: int | None) -> int:
    if given is None:
        if way == "split":
            raise ValueError(f"position_width must be said to split the width, 1 to {width - 1}, not None")
        return width
    position = arguments.integer("position_width", given, at_least=1)
    if way == "add" and position != width:
        raise ValueError(
            f"position_width must be {width}, the width of what it is added to, not {position}"
        )
    if way == "split" and position >= width:
        raise ValueError(f"position_width must be less than the width to split, {width}, not {position}")
    return position


def _size(value: object) -> TransformerSize:
    if not isinstance(value, TransformerSize):
        raise TypeError(f"size must be a TransformerSize, not {value!r}")
    return value
