"""A Transformer small enough to be trained on one core, with its gradients written by hand.

Each part of the model is a function that returns its output and a function `back`. Forwards stands the
formula; `back` takes the derivative of the loss by the output, adds those by the parameters to a
dictionary, and returns the one by the input. The whole model is run part by part, and then backwards.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from edukit.posenc import _arguments as arguments
from edukit.posenc._attention import _softmax
from edukit.posenc._biases import alibi_bias, t5_buckets
from edukit.posenc._rotary import Scaling, rotary_frequencies
from edukit.posenc._sinusoid import sinusoidal

Array = npt.NDArray[Any]
Parameters = dict[str, Array]
Back = Callable[[Array, Parameters], Array]
Position = Literal["none", "add", "learned", "concatenate", "project", "rotary", "alibi", "t5"]

POSITIONS = ("none", "add", "learned", "concatenate", "project", "rotary", "alibi", "t5")
T5_BUCKETS = 32


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    r"""Say how a :class:`Transformer` is built, and how it learns where its tokens stand.

    Parameters
    ----------
    vocabulary : int
        Number of different tokens.
    classes : int
        Number of different answers.
    position : str, optional
        How the order enters, one of

        - "none": not at all;
        - "add": a sinusoidal table is added to the embeddings;
        - "learned": a table of `max_length` rows, learned with the rest, is added;
        - "concatenate": the last `position_width` columns of `width` hold a sinusoidal table, and the
          embeddings have only the columns before them;
        - "project": a sinusoidal table stands beside embeddings of full width, and a matrix takes the
          :math:`2\,\mathrm{width}` columns back to `width`;
        - "rotary": queries and keys are turned by their position;
        - "alibi": a fixed penalty on the distance is added to the scores;
        - "t5": a number for each head and bucket of distances, learned, is added to the scores.
    causal : bool, optional
        Whether a token sees only itself and what came before it.
    width : int, optional
        Number of columns of a token on its way through the layers.
    heads : int, optional
        Number of attention heads; they share the `width` evenly.
    layers : int, optional
        Number of layers.
    feed_forward : int, optional
        Number of hidden units after the attention of each layer.
    position_width : int, optional
        Columns of the table for "concatenate".
    max_length : int, optional
        Rows of the table for "learned".
    scaling : Linear, NTK, DynamicNTK, YaRN, Llama3 or LongRoPE, optional
        What changes the frequencies of "rotary", as in :func:`rotary_frequencies`. No weight depends on
        it: it may be changed when the training is over.

    Raises
    ------
    TypeError
        If a number is no integer, `causal` no bool or `scaling` none of these.
    ValueError
        If a number is less than 1, `position` is unknown, or the widths or `scaling` do not fit.

    Notes
    -----
    The `width` is a multiple of `heads`; each head is of even width for "rotary". `position_width` is
    less than `width` for "concatenate". Only "rotary" takes a `scaling`. The buckets of "t5" are those of
    :func:`t5_buckets`.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017,
    `arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_.

    Examples
    --------
    >>> from edukit.posenc import TransformerConfig
    >>> config = TransformerConfig(vocabulary=8, classes=2, position="rotary")
    >>> config.layers
    2
    """

    vocabulary: int
    classes: int
    position: Position = "none"
    causal: bool = False
    width: int = 32
    heads: int = 4
    layers: int = 2
    feed_forward: int = 64
    position_width: int = 8
    max_length: int = 64
    scaling: Scaling | None = None

    def __post_init__(self) -> None:
        for name in (
            *("vocabulary", "classes", "width", "heads", "layers"),
            *("feed_forward", "position_width", "max_length"),
        ):
            arguments.integer(name, getattr(self, name), at_least=1)
        arguments.choice("position", self.position, POSITIONS)
        if not isinstance(self.causal, bool):
            raise TypeError(f"causal must be True or False, not {self.causal!r}")
        if self.width % self.heads:
            raise ValueError(f"width must be a multiple of the {self.heads} heads, not {self.width}")
        if self.position == "rotary" and self.width // self.heads % 2:
            raise ValueError(
                f"width must give each of the {self.heads} heads an even share for rotary, not {self.width}"
            )
        if self.position == "concatenate" and self.position_width >= self.width:
            raise ValueError(
                f"position_width must be less than the width, {self.width}, not {self.position_width}"
            )
        if self.scaling is not None:
            if self.position != "rotary":
                raise ValueError(f"scaling must be None for {self.position}: it changes rotary alone")
            rotary_frequencies(self.width // self.heads, scaling=self.scaling, length=1)


class Transformer:
    r"""A Transformer that answers at every token, with random weights until it is trained.

    A layer is, with LayerNorm in front of each part,

    .. math::

       Y &= X + \mathrm{Attention}(\mathrm{Norm}(X)) \\
       Z &= Y + \mathrm{GELU}(\mathrm{Norm}(Y)\, W_1 + b_1)\, W_2 + b_2

    `config` is what was given, `parameters` holds the weights by name, such as ``"embedding"`` or
    ``"layer0.query"``, and `size` says how many numbers they are. A `config` that differs in `scaling`
    alone may take the place of the first at any time, and the weights stay.

    Parameters
    ----------
    config : TransformerConfig
        How the model is built.
    seed : int
        Seed of the random weights.
    dtype : dtype, optional
        float32, or float64 for gradients that are to be checked.

    Raises
    ------
    TypeError
        If `config` is no :class:`TransformerConfig`, `seed` no integer or `dtype` another type.
    ValueError
        If `seed` is negative.

    Notes
    -----
    Weights start as normal numbers: embeddings with variance 1, a learned table with 1/2, which is the
    mean square of a sine, the table of T5 with one over `width`, and matrices with one over the number
    of their rows. GELU is taken in the form with the hyperbolic tangent. The attention of a head has
    the scale :math:`1/\sqrt{\text{width}/\text{heads}}`.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017,
    `arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_;
    Xiong et al., "On Layer Normalization in the Transformer Architecture", 2020,
    `arXiv:2002.04745 <https://arxiv.org/abs/2002.04745>`_;
    Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016,
    `arXiv:1606.08415 <https://arxiv.org/abs/1606.08415>`_.

    Examples
    --------
    >>> import numpy as np
    >>> from edukit.posenc import Transformer, TransformerConfig
    >>> model = Transformer(TransformerConfig(vocabulary=3, classes=2), seed=0)
    >>> one, other = model.forward([[0, 1, 2], [2, 1, 0]])
    >>> np.allclose(one, other[::-1], atol=1e-5)  # no position, no mask: the answers move along
    True
    """

    def __init__(self, config: TransformerConfig, *, seed: int, dtype: npt.DTypeLike = np.float32) -> None:
        if not isinstance(config, TransformerConfig):
            raise TypeError(f"config must be a TransformerConfig, not {config!r}")
        number = arguments.float_dtype("dtype", dtype)
        if number.itemsize < 4:
            raise TypeError(f"dtype must be float32 or float64, not {number.name}")
        rng = np.random.default_rng(arguments.integer("seed", seed, at_least=0))
        self.config = config
        self.parameters = _draw(config, rng, number)

    @property
    def size(self) -> int:
        """How many numbers the weights are."""
        return sum(array.size for array in self.parameters.values())

    def forward(self, tokens: npt.ArrayLike) -> Array:
        """Return the scores of the classes at every token.

        Parameters
        ----------
        tokens : array_like of int, shape (batch, length)
            Sequences of tokens, each from 0 to ``vocabulary - 1``.

        Returns
        -------
        logits : ndarray, shape (batch, length, classes)
            The scores; the highest is the answer.

        Raises
        ------
        TypeError
            If `tokens` are no integers.
        ValueError
            If `tokens` have another shape, are out of range, or are longer than a learned table.
        """
        return self._run(self._tokens(tokens))[0]

    def attention_weights(self, tokens: npt.ArrayLike) -> Array:
        """Return what every token attends to, in every layer and head.

        Parameters
        ----------
        tokens : array_like of int, shape (batch, length)
            As in :meth:`forward`.

        Returns
        -------
        weights : ndarray, shape (layers, batch, heads, length, length)
            One row for each token that looks, one column for each that is looked at.

        Raises
        ------
        TypeError, ValueError
            As in :meth:`forward`.
        """
        return np.stack(self._run(self._tokens(tokens))[1])

    def loss_and_gradients(
        self, tokens: npt.ArrayLike, targets: npt.ArrayLike, mask: npt.ArrayLike | None = None
    ) -> tuple[float, Parameters]:
        r"""Return the mean cross entropy of the answers, and its derivatives by the weights.

        Parameters
        ----------
        tokens : array_like of int, shape (batch, length)
            As in :meth:`forward`.
        targets : array_like of int, shape (batch, length)
            The right answers, each from 0 to ``classes - 1``.
        mask : array_like of bool, shape (batch, length), optional
            True where an answer counts; everywhere when left out.

        Returns
        -------
        loss, gradients : float and dict of str to ndarray
            The mean of :math:`-\ln p(\text{target})` over the answers that count, and one array for each
            of the `parameters`, of its shape.

        Raises
        ------
        TypeError
            If `tokens` or `targets` are no integers, or `mask` is not of bool.
        ValueError
            If the shapes differ, a number is out of range, or no answer counts.
        """
        tokens = self._tokens(tokens)
        targets = _numbers("targets", targets, below=self.config.classes)
        mask = np.ones(tokens.shape, dtype=bool) if mask is None else np.asarray(mask)
        if mask.dtype != np.bool_:
            raise TypeError(f"mask must be of bool, True where an answer counts, not of {mask.dtype}")
        for name, array in (("targets", targets), ("mask", mask)):
            if array.shape != tokens.shape:
                raise ValueError(f"{name} must have the shape of tokens, {tokens.shape}, not {array.shape}")
        if not mask.any():
            raise ValueError("mask must be True somewhere, but no answer counts")

        logits, _, back = self._run(tokens)
        loss, d_logits = _cross_entropy(logits, targets, mask)
        gradients: Parameters = {}
        back(d_logits, gradients)
        return loss, {name: gradients[name] for name in self.parameters}

    def _run(self, tokens: Array) -> tuple[Array, list[Array], Back]:
        """Return the logits, the attention weights of each layer, and the way back."""
        p, config = self.parameters, self.config
        relative = _relative(p, config, tokens.shape[1])

        x, back_embedding = _embedding(p, config, tokens)
        weights, back_layers = [], []
        for layer in range(config.layers):
            x, attended, back_layer = _layer(p, f"layer{layer}", x, config.heads, relative)
            weights.append(attended)
            back_layers.append(back_layer)
        x, back_norm = _layer_norm(p, "norm", x)
        logits, back_classes = _linear(p, "classes", x)

        def back(d: Array, g: Parameters) -> Array:
            for step in (back_classes, back_norm, *reversed(back_layers), back_embedding):
                d = step(d, g)
            return d

        return logits, weights, back

    def _tokens(self, value: npt.ArrayLike) -> Array:
        tokens = _numbers("tokens", value, below=self.config.vocabulary)
        if tokens.ndim != 2 or tokens.size == 0:
            raise ValueError(f"tokens must have the shape (batch, length), neither 0, not {tokens.shape}")
        longest = self.config.max_length
        if self.config.position == "learned" and tokens.shape[1] > longest:
            raise ValueError(
                f"tokens must be at most {longest} long, not {tokens.shape[1]}: "
                "a learned table has no row for what lies past its end"
            )
        return tokens


# --- Where the tokens stand ----------------------------------------------------------------------


def _embedding(p: Parameters, config: TransformerConfig, tokens: Array) -> tuple[Array, Back]:
    """Return the rows that enter the first layer: the tokens and, in four schemes, their positions."""
    length = tokens.shape[1]
    E = p["embedding"]
    # Rows picked by number are a product with one-hot rows, whose derivative is a product again.
    one_hot = np.eye(len(E), dtype=E.dtype)[tokens]
    x = E[tokens]
    if config.position == "add":
        x = x + sinusoidal(length, config.width, dtype=E.dtype)
    elif config.position == "learned":
        x = x + p["positions"][:length]
    elif config.position == "concatenate":
        x = _beside(x, sinusoidal(length, config.position_width, dtype=E.dtype))
    elif config.position == "project":
        x = joined = _beside(x, sinusoidal(length, config.width, dtype=E.dtype))
        x = joined @ p["projection"]

    def back(d: Array, g: Parameters) -> Array:
        if config.position == "learned":
            g["positions"] = np.zeros_like(p["positions"])
            g["positions"][:length] = d.sum(axis=0)
        elif config.position == "project":
            g["projection"] = _matrix_gradient(joined, d)
            d = d @ p["projection"].T
        # A sinusoidal table, in the last columns if anywhere, has nothing to learn.
        d = d[..., : E.shape[1]]
        g["embedding"] = _matrix_gradient(one_hot, d)
        return d

    return x, back


def _beside(x: Array, table: Array) -> Array:
    return np.concatenate([x, np.broadcast_to(table, (len(x), *table.shape))], axis=-1)


class _Relative(NamedTuple):
    """What attention is told of the offset between two tokens, the same in every layer.

    Attributes
    ----------
    phases : ndarray of complex, shape (length, head width / 2), or None
        By what each pair of columns of a query or a key is multiplied; its modulus is the attention factor.
    bias : ndarray, shape (heads or 1, length, length), or None
        What is added to the scores.
    buckets : ndarray of int, shape (length, length), or None
        In which row of the learned table of T5 the bias was found.
    """

    phases: Array | None = None
    bias: Array | None = None
    buckets: Array | None = None


def _relative(p: Parameters, config: TransformerConfig, length: int) -> _Relative:
    dtype = p["embedding"].dtype
    future = np.zeros((1, length, length), dtype=dtype)
    if config.causal:
        future[0, ~np.tri(length, dtype=bool)] = -np.inf

    if config.position == "rotary":
        frequencies = rotary_frequencies(
            config.width // config.heads, scaling=config.scaling, length=length
        )
        angles = np.arange(length)[:, np.newaxis] * frequencies.inverse
        phases = frequencies.attention_factor * np.exp(1j * angles)
        return _Relative(phases.astype(np.result_type(dtype, np.complex64)), future)
    if config.position == "alibi":
        return _Relative(bias=alibi_bias(config.heads, length, length, causal=config.causal, dtype=dtype))
    if config.position == "t5":
        places = np.arange(length)
        buckets = t5_buckets(
            places - places[:, np.newaxis], buckets=T5_BUCKETS, bidirectional=not config.causal
        )
        return _Relative(bias=np.moveaxis(p["t5"][buckets], -1, 0) + future, buckets=buckets)
    return _Relative(bias=future)


def _turn(x: Array, phases: Array | None) -> Array:
    """Return x with each pair of its columns, taken as a complex number, multiplied by its phase."""
    if phases is None:
        return x
    pairs: Array = np.ascontiguousarray(x).view(phases.dtype) * phases
    return pairs.view(x.dtype)


def _turn_back(x: Array, phases: Array | None) -> Array:
    return x if phases is None else _turn(x, phases.conj())


# --- The layers ----------------------------------------------------------------------------------


def _layer(
    p: Parameters, name: str, x: Array, heads: int, relative: _Relative
) -> tuple[Array, Array, Back]:
    normal, back_attention_norm = _layer_norm(p, f"{name}.attention_norm", x)
    attended, weights, back_attention = _attention(p, name, normal, heads, relative)
    y = x + attended
    normal, back_feed_forward_norm = _layer_norm(p, f"{name}.feed_forward_norm", y)
    fed, back_feed_forward = _feed_forward(p, name, normal)

    def back(d: Array, g: Parameters) -> Array:
        d = d + back_feed_forward_norm(back_feed_forward(d, g), g)
        return d + back_attention_norm(back_attention(d, g), g)

    return y + fed, weights, back


def _attention(
    p: Parameters, name: str, x: Array, heads: int, relative: _Relative
) -> tuple[Array, Array, Back]:
    q, k, v = (_split(x @ p[f"{name}.{part}"], heads) for part in ("query", "key", "value"))
    scale = 1 / math.sqrt(q.shape[-1])
    q, k = _turn(q * scale, relative.phases), _turn(k, relative.phases)
    A = _softmax(q @ _swap(k) + relative.bias)
    mixed = _join(A @ v)
    y = mixed @ p[f"{name}.output"]

    def back(d: Array, g: Parameters) -> Array:
        g[f"{name}.output"] = _matrix_gradient(mixed, d)
        d_mixed = _split(d @ p[f"{name}.output"].T, heads)
        d_A = d_mixed @ _swap(v)
        d_scores = A * (d_A - (A * d_A).sum(axis=-1, keepdims=True))
        if relative.buckets is not None:
            _add_bucket_gradient(p, d_scores, relative.buckets, g)
        d_q = _turn_back(d_scores @ k, relative.phases) * scale
        d_k = _turn_back(_swap(d_scores) @ q, relative.phases)
        d_v = _swap(A) @ d_mixed

        d_x = np.zeros_like(x)
        for part, d_part in (("query", d_q), ("key", d_k), ("value", d_v)):
            d_part = _join(d_part)
            g[f"{name}.{part}"] = _matrix_gradient(x, d_part)
            d_x += d_part @ p[f"{name}.{part}"].T
        return d_x

    return y, A, back


def _add_bucket_gradient(p: Parameters, d_scores: Array, buckets: Array, g: Parameters) -> None:
    """Add to each number of the T5 table the derivatives by all scores it was added to."""
    one_hot = np.eye(T5_BUCKETS, dtype=d_scores.dtype)[buckets]
    g["t5"] = g.get("t5", 0) + np.einsum("hqk,qkb->bh", d_scores.sum(axis=0), one_hot)


def _feed_forward(p: Parameters, name: str, x: Array) -> tuple[Array, Back]:
    hidden, back_inner = _linear(p, f"{name}.inner", x)
    c = math.sqrt(2 / math.pi)
    gate = np.tanh(c * (hidden + 0.044715 * hidden * hidden * hidden))
    y, back_outer = _linear(p, f"{name}.outer", hidden * (1 + gate) / 2)

    def back(d: Array, g: Parameters) -> Array:
        d_gate = (1 - gate * gate) * c * (1 + 3 * 0.044715 * hidden * hidden)
        return back_inner(back_outer(d, g) * (1 + gate + hidden * d_gate) / 2, g)

    return y, back


def _layer_norm(p: Parameters, name: str, x: Array) -> tuple[Array, Back]:
    centred = x - _mean(x)
    spread = np.sqrt(_mean(centred * centred) + 1e-5)
    unit = centred / spread
    gain = p[f"{name}.gain"]

    def back(d: Array, g: Parameters) -> Array:
        g[f"{name}.gain"] = (d * unit).sum(axis=(0, 1))
        g[f"{name}.bias"] = d.sum(axis=(0, 1))
        d_unit = d * gain
        back_x: Array = (d_unit - _mean(d_unit) - unit * _mean(d_unit * unit)) / spread
        return back_x

    return unit * gain + p[f"{name}.bias"], back


def _linear(p: Parameters, name: str, x: Array) -> tuple[Array, Back]:
    W = p[name]

    def back(d: Array, g: Parameters) -> Array:
        g[name] = _matrix_gradient(x, d)
        g[f"{name}.bias"] = d.sum(axis=(0, 1))
        back_x: Array = d @ W.T
        return back_x

    return x @ W + p[f"{name}.bias"], back


def _cross_entropy(logits: Array, targets: Array, mask: Array) -> tuple[float, Array]:
    """Return the mean of the losses that count, and its derivative by the logits."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log_probability = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    right = np.eye(logits.shape[-1], dtype=logits.dtype)[targets]
    share = (mask / mask.sum()).astype(logits.dtype)[..., np.newaxis]
    return -float((log_probability * right * share).sum()), (np.exp(log_probability) - right) * share


# --- Small pieces --------------------------------------------------------------------------------


def _matrix_gradient(x: Array, d: Array) -> Array:
    """Return the derivative by W where y = x W and d is the derivative by y."""
    gradient: Array = x.reshape(-1, x.shape[-1]).T @ d.reshape(-1, d.shape[-1])
    return gradient


def _mean(x: Array) -> Array:
    mean: Array = x.mean(axis=-1, keepdims=True)
    return mean


def _swap(x: Array) -> Array:
    return np.swapaxes(x, -1, -2)


def _split(x: Array, heads: int) -> Array:
    """Give each head its share of the columns: (batch, length, width) to (batch, heads, length, share)."""
    batch, length, width = x.shape
    return x.reshape(batch, length, heads, width // heads).swapaxes(1, 2)


def _join(x: Array) -> Array:
    batch, heads, length, share = x.shape
    return x.swapaxes(1, 2).reshape(batch, length, heads * share)


def _numbers(name: str, value: npt.ArrayLike, *, below: int) -> Array:
    """Return `value` as an array of whole numbers, none of them negative or too large."""
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, not values of dtype {array.dtype}")
    if array.size and (array.min() < 0 or array.max() >= below):
        worst = array.min() if array.min() < 0 else array.max()
        raise ValueError(f"{name} must lie between 0 and {below - 1}, but hold {worst}")
    return array


def _draw(config: TransformerConfig, rng: "np.random.Generator", dtype: np.dtype[Any]) -> Parameters:
    def normal(rows: int, columns: int, variance: float) -> Array:
        return (rng.normal(size=(rows, columns)) * math.sqrt(variance)).astype(dtype)

    def matrix(rows: int, columns: int) -> Array:
        return normal(rows, columns, 1 / rows)

    def constant(value: int, columns: int) -> Array:
        return np.full(columns, value, dtype=dtype)

    width, position = config.width, config.position
    content = width - config.position_width if position == "concatenate" else width
    p = {"embedding": normal(config.vocabulary, content, 1)}
    if position == "learned":
        p["positions"] = normal(config.max_length, width, 1 / 2)
    elif position == "project":
        p["projection"] = matrix(2 * width, width)
    elif position == "t5":
        p["t5"] = normal(T5_BUCKETS, config.heads, 1 / width)
    for name in (f"layer{layer}" for layer in range(config.layers)):
        p[f"{name}.attention_norm.gain"] = constant(1, width)
        p[f"{name}.attention_norm.bias"] = constant(0, width)
        for part in ("query", "key", "value", "output"):
            p[f"{name}.{part}"] = matrix(width, width)
        p[f"{name}.feed_forward_norm.gain"] = constant(1, width)
        p[f"{name}.feed_forward_norm.bias"] = constant(0, width)
        p[f"{name}.inner"] = matrix(width, config.feed_forward)
        p[f"{name}.inner.bias"] = constant(0, config.feed_forward)
        p[f"{name}.outer"] = matrix(config.feed_forward, width)
        p[f"{name}.outer.bias"] = constant(0, width)
    p["norm.gain"] = constant(1, width)
    p["norm.bias"] = constant(0, width)
    p["classes"] = matrix(width, config.classes)
    p["classes.bias"] = constant(0, config.classes)
    return p
