"""Scalings of rotary frequencies, by which a model reads longer texts than it was trained on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from edukit.posenc import _arguments as arguments
from edukit.posenc._rotary import RotaryFrequencies, Scaling, even, geometric, rotary_frequencies

YARN_KEYS = ("beta_fast", "beta_slow", "truncate", "attention_factor", "mscale", "mscale_all_dim")
KINDS = ("default", "linear", "dynamic", "yarn", "llama3", "longrope", "su", "proportional", "mrope")


@dataclass(frozen=True, slots=True)
class Linear(Scaling):
    r"""Position interpolation: all frequencies divided by `factor`.

    .. math::

       \omega_i' = \omega_i / f

    Parameters
    ----------
    factor : float
        :math:`f`, how many times longer the texts become; at least 1.

    Raises
    ------
    TypeError, ValueError
        If `factor` is not a number or below 1.

    References
    ----------
    Chen et al., "Extending Context Window of Large Language Models via Positional Interpolation", 2023,
    `arXiv:2306.15595 <https://arxiv.org/abs/2306.15595>`_.

    Examples
    --------
    >>> from edukit.posenc import Linear, rotary_frequencies
    >>> rotary_frequencies(4, scaling=Linear(2.0)).inverse
    array([0.5  , 0.005])
    """

    factor: float

    def __post_init__(self) -> None:
        _check_numbers(self, factor=1)

    def frequencies(self, dim: int, base: float, length: int | None) -> RotaryFrequencies:
        """Return the scaled frequencies."""
        return RotaryFrequencies(geometric(dim, base) / self.factor, 1.0, base)


@dataclass(frozen=True, slots=True)
class NTK(Scaling):
    r"""NTK-aware scaling: a larger base, which slows the slow pairs and hardly touches the fast ones.

    .. math::

       \mathrm{base}' = \mathrm{base} \cdot f^{\,d/(d-2)}

    so that the slowest pair becomes :math:`f` times slower and the fastest stays.

    Parameters
    ----------
    factor : float
        :math:`f`, also called alpha; at least 1.

    Raises
    ------
    TypeError, ValueError
        If `factor` is not a number or below 1.

    Notes
    -----
    With two columns there is one pair, the fastest: its frequency stays 1 and the base as it was.

    References
    ----------
    Peng et al., "YaRN: Efficient Context Window Extension of Large Language Models", 2023, section 3.1,
    `arXiv:2309.00071 <https://arxiv.org/abs/2309.00071>`_.

    Examples
    --------
    >>> from edukit.posenc import NTK, rotary_frequencies
    >>> round(rotary_frequencies(64, scaling=NTK(4.0)).base, 2)
    41829.37
    """

    factor: float

    def __post_init__(self) -> None:
        _check_numbers(self, factor=1)

    def frequencies(self, dim: int, base: float, length: int | None) -> RotaryFrequencies:
        """Return the scaled frequencies."""
        return _with_larger_base(dim, base, self.factor)


@dataclass(frozen=True, slots=True)
class DynamicNTK(Scaling):
    r"""NTK-aware scaling that grows with the length of the text.

    .. math::

       \mathrm{base}' = \mathrm{base} \cdot \left(f\,\frac{L}{L_0} - (f - 1)\right)^{d/(d-2)}

    for a text of :math:`L > L_0` tokens; up to :math:`L_0` nothing changes.

    Parameters
    ----------
    factor : float
        :math:`f`, at least 1.
    original_max_position_embeddings : int
        :math:`L_0`, the longest text of the training.

    Raises
    ------
    TypeError, ValueError
        If a parameter is not a number or out of range.

    Notes
    -----
    The frequencies need the `length` of the whole text, cached keys included. Keys that were turned when
    the text was shorter have another base than the next query: turn them again, or cache them before
    they turn.

    References
    ----------
    Peng et al., "YaRN: Efficient Context Window Extension of Large Language Models", 2023, section 3.3,
    `arXiv:2309.00071 <https://arxiv.org/abs/2309.00071>`_. The formula is that of Hugging Face.

    Examples
    --------
    >>> from edukit.posenc import DynamicNTK, rotary_frequencies
    >>> scaling = DynamicNTK(4.0, original_max_position_embeddings=2048)
    >>> [round(rotary_frequencies(64, scaling=scaling, length=n).base, 2) for n in (2048, 4096, 8192)]
    [10000.0, 52664.43, 141213.76]
    """

    factor: float
    original_max_position_embeddings: int

    def __post_init__(self) -> None:
        _check_numbers(self, factor=1)
        _check_original(self, at_least=1)

    def frequencies(self, dim: int, base: float, length: int | None) -> RotaryFrequencies:
        """Return the scaled frequencies."""
        beyond = max(_needed(length, self) / self.original_max_position_embeddings - 1, 0)
        return _with_larger_base(dim, base, 1 + self.factor * beyond)


@dataclass(frozen=True, slots=True)
class YaRN(Scaling):
    r"""YaRN: fast pairs stay, slow ones are divided by `factor`, and scores are sharpened.

    A pair that turns :math:`\beta` times within the original length has the number

    .. math::

       i(\beta) = \frac{d\, \ln(L_0 / (2 \pi \beta))}{2 \ln \mathrm{base}}

    Pairs up to :math:`i(\beta_\mathrm{fast})` stay, pairs from :math:`i(\beta_\mathrm{slow})` on are
    divided, and between the two the frequency goes over in a straight line.

    Parameters
    ----------
    factor : float
        :math:`f`, how many times longer the texts become; at least 1.
    original_max_position_embeddings : int
        :math:`L_0`, the longest text of the training.
    beta_fast, beta_slow : float, optional
        Numbers of turns; `beta_fast` above `beta_slow`, both above 0.
    truncate : bool, optional
        Round the two ends outwards to whole pairs, as the authors' code and Hugging Face do. False:
        leave them as they are, as gpt-oss does.
    attention_factor : float, optional
        In place of the one below; above 0.
    mscale, mscale_all_dim : float, optional
        :math:`m` and :math:`m'` of DeepSeek's models, 1 and 0 when left out: the attention factor is

        .. math::

           \frac{0.1\, m \ln f + 1}{0.1\, m' \ln f + 1}

    Raises
    ------
    TypeError, ValueError
        If a parameter has the wrong type or is out of range, or the base of the frequencies is 1.

    Notes
    -----
    Without `mscale` this is the paper's :math:`0.1 \ln f + 1`. DeepSeek's models also multiply the scale
    of their scores by :math:`(0.1\, m' \ln f + 1)^2`, outside of the rotation. Hugging Face takes no
    notice of one `mscale` without the other.

    References
    ----------
    Peng et al., "YaRN: Efficient Context Window Extension of Large Language Models", 2023, section 3.2
    and 3.4, `arXiv:2309.00071 <https://arxiv.org/abs/2309.00071>`_. DeepSeek-AI, "DeepSeek-V2", 2024,
    `arXiv:2405.04434 <https://arxiv.org/abs/2405.04434>`_.

    Examples
    --------
    >>> from edukit.posenc import YaRN, rotary_frequencies
    >>> yarn = YaRN(4.0, original_max_position_embeddings=2048)
    >>> round(rotary_frequencies(64, scaling=yarn).attention_factor, 6)
    1.138629
    """

    factor: float
    original_max_position_embeddings: int
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    truncate: bool = True
    attention_factor: float | None = None
    mscale: float | None = None
    mscale_all_dim: float | None = None

    def __post_init__(self) -> None:
        _check_numbers(self, factor=1, beta_fast=0, beta_slow=0)
        _check_original(self, at_least=1)
        if not self.beta_fast > self.beta_slow > 0:
            raise ValueError(
                "beta_fast must be above beta_slow, and that above 0, "
                f"not {self.beta_fast} and {self.beta_slow}"
            )
        arguments.boolean("truncate", self.truncate)
        _check_attention_factor(self.attention_factor)
        for name in ("mscale", "mscale_all_dim"):
            if getattr(self, name) is not None:
                _check_numbers(self, **{name: 0})

    def frequencies(self, dim: int, base: float, length: int | None) -> RotaryFrequencies:
        """Return the scaled frequencies."""
        if base == 1:
            raise ValueError("base must be above 1 with YaRN, not 1.0: all pairs would be equally fast")
        low, high = self._ends(dim, base)
        ramp = np.clip((np.arange(dim // 2) - low) / (high - low), 0, 1)
        plain = geometric(dim, base)
        return RotaryFrequencies(plain / self.factor * ramp + plain * (1 - ramp), self._attention(), base)

    def _ends(self, dim: int, base: float) -> tuple[float, float]:
        """Return the last pair that stays and the first that is divided."""
        low, high = (
            dim
            * math.log(self.original_max_position_embeddings / (2 * math.pi * turns))
            / (2 * math.log(base))
            for turns in (self.beta_fast, self.beta_slow)
        )
        if self.truncate:
            low, high = math.floor(low), math.ceil(high)
        low = max(low, 0)
        # The field's code bounds the end by the columns, not by the pairs, and so has to be followed.
        return low, max(min(high, dim - 1), low + 0.001)

    def _attention(self) -> float:
        if self.attention_factor is not None:
            return float(self.attention_factor)
        above = 1.0 if self.mscale is None else self.mscale
        below = 0.0 if self.mscale_all_dim is None else self.mscale_all_dim
        growth = 0.1 * math.log(self.factor)
        return (above * growth + 1) / (below * growth + 1)


@dataclass(frozen=True, slots=True)
class Llama3(Scaling):
    r"""Llama 3.1's scaling: pairs that turn often within the original length stay, slow ones are divided.

    With :math:`n_i = L_0 \omega_i / (2 \pi)`, how often a pair turns within the original length, and
    :math:`s_i = (n_i - \mathrm{low}) / (\mathrm{high} - \mathrm{low})`, cut off at 0 and 1,

    .. math::

       \omega_i' = (1 - s_i)\, \omega_i / f + s_i\, \omega_i

    Parameters
    ----------
    factor : float
        :math:`f`, at least 1: 8 in Llama 3.1, 32 in the small models of Llama 3.2.
    original_max_position_embeddings : int
        :math:`L_0`, the longest text of the training.
    low_freq_factor, high_freq_factor : float, optional
        Numbers of turns: pairs that turn less often than `low_freq_factor` are divided, those that turn
        more often than `high_freq_factor` stay.

    Raises
    ------
    TypeError, ValueError
        If a parameter is not a number or out of range.

    References
    ----------
    Grattafiori et al., "The Llama 3 Herd of Models", 2024, `arXiv:2407.21783
    <https://arxiv.org/abs/2407.21783>`_. The formula is in the code of the models alone.

    Examples
    --------
    >>> from edukit.posenc import Llama3, rotary_frequencies
    >>> plain = rotary_frequencies(64, base=5e5).inverse
    >>> llama = rotary_frequencies(64, base=5e5, scaling=Llama3(32.0, 8192)).inverse
    >>> (plain / llama).round(1)[12:20]
    array([ 1. ,  1. ,  1. ,  1.7,  3.3,  9.7, 32. , 32. ])
    """

    factor: float
    original_max_position_embeddings: int
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0

    def __post_init__(self) -> None:
        _check_numbers(self, factor=1, low_freq_factor=0, high_freq_factor=0)
        _check_original(self, at_least=1)
        if not self.high_freq_factor > self.low_freq_factor:
            raise ValueError(
                "high_freq_factor must be above low_freq_factor, "
                f"not {self.high_freq_factor} and {self.low_freq_factor}"
            )

    def frequencies(self, dim: int, base: float, length: int | None) -> RotaryFrequencies:
        """Return the scaled frequencies."""
        plain = geometric(dim, base)
        turns = self.original_max_position_embeddings * plain / (2 * np.pi)
        stays = np.clip(
            (turns - self.low_freq_factor) / (self.high_freq_factor - self.low_freq_factor), 0, 1
        )
        return RotaryFrequencies((1 - stays) * plain / self.factor + stays * plain, 1.0, base)


@dataclass(frozen=True, slots=True)
class LongRoPE(Scaling):
    r"""LongRoPE: a divisor for each pair, found by search; one row of them for short texts, one for long.

    .. math::

       \omega_i' = \omega_i / \lambda_i

    where :math:`\lambda` is `long_factor` for a text longer than the original length, else `short_factor`.

    Parameters
    ----------
    short_factor, long_factor : sequence of float
        :math:`\lambda`, one for each pair, above 0.
    original_max_position_embeddings : int
        :math:`L_0`, the longest text of the training; at least 2.
    factor : float, optional
        :math:`f`, how many times longer the texts become; needed unless `attention_factor` is given.
    attention_factor : float, optional
        In place of :math:`\sqrt{1 + \ln f / \ln L_0}`; above 0.

    Raises
    ------
    TypeError, ValueError
        If a parameter has the wrong type or is out of range.

    Notes
    -----
    The attention factor is the same for short texts. The frequencies need the `length` of the whole
    text, cached keys included; when it grows past the original one, all keys have to be turned again.

    References
    ----------
    Ding et al., "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens", 2024,
    `arXiv:2402.13753 <https://arxiv.org/abs/2402.13753>`_.

    Examples
    --------
    >>> from edukit.posenc import LongRoPE, rotary_frequencies
    >>> scaling = LongRoPE([1.0, 1.5], [4.0, 8.0], 4096, factor=32.0)
    >>> rotary_frequencies(4, scaling=scaling, length=4096).inverse.round(5)
    array([1.     , 0.00667])
    >>> rotary_frequencies(4, scaling=scaling, length=4097).inverse.round(5)
    array([0.25   , 0.00125])
    """

    short_factor: Sequence[float]
    long_factor: Sequence[float]
    original_max_position_embeddings: int
    factor: float | None = None
    attention_factor: float | None = None

    def __post_init__(self) -> None:
        for name in ("short_factor", "long_factor"):
            divisors = arguments.real_array(name, getattr(self, name))
            if divisors.ndim != 1 or not (np.isfinite(divisors).all() and (divisors > 0).all()):
                raise ValueError(
                    f"{name} must be a row of finite numbers above 0, not {getattr(self, name)!r}"
                )
            object.__setattr__(self, name, tuple(divisors.astype(np.float64).tolist()))
        _check_original(self, at_least=2)
        if self.factor is not None:
            _check_numbers(self, factor=1)
        elif self.attention_factor is None:
            raise ValueError("factor must be given where attention_factor is not; both are None")
        _check_attention_factor(self.attention_factor)

    def frequencies(self, dim: int, base: float, length: int | None) -> RotaryFrequencies:
        """Return the scaled frequencies."""
        for name in ("short_factor", "long_factor"):
            count = len(getattr(self, name))
            if count != dim // 2:
                raise ValueError(f"{name} must hold a number for each of {dim // 2} pairs, not {count}")
        long = _needed(length, self) > self.original_max_position_embeddings
        divisors = np.array(self.long_factor if long else self.short_factor)
        return RotaryFrequencies(geometric(dim, base) / divisors, self._attention(), base)

    def _attention(self) -> float:
        if self.attention_factor is not None:
            return float(self.attention_factor)
        assert self.factor is not None  # one of the two is given
        return math.sqrt(1 + math.log(self.factor) / math.log(self.original_max_position_embeddings))


def rotary_frequencies_from_config(
    mapping: Mapping[str, Any], *, length: int | None = None, layer_type: str | None = None
) -> RotaryFrequencies:
    """Return the frequencies that a model's ``config.json`` asks for, as Hugging Face writes it.

    Parameters
    ----------
    mapping : mapping
        What ``json.load`` gives for the file; of a model with several parts, the one with the attention,
        such as ``config["text_config"]``.
    length : int, optional
        Number of tokens in the whole text, cached ones included; needed where the frequencies depend on
        it ("dynamic", "longrope").
    layer_type : str, optional
        Which kind of layer, such as "full_attention"; needed where kinds differ.

    Returns
    -------
    frequencies : RotaryFrequencies
        Already scaled. Twice their number is the number of columns that turn, which is the `rotary_dim`
        of :func:`apply_rotary`.

    Raises
    ------
    TypeError
        If `mapping` is no mapping, or a value has the wrong type.
    ValueError
        If a key is missing (it is named), or its value is out of range or not known.

    Notes
    -----
    Read are ``rope_scaling`` (with ``rope_type`` or the older ``type``) and ``rope_parameters``; the
    types "default", "linear", "dynamic", "yarn", "llama3", "longrope" (or "su") and "proportional";
    "mrope" has the default's frequencies. The base is ``rope_theta`` or ``rotary_emb_base``, 10000 if
    neither is there. The columns are ``rotary_dim``, ``qk_rope_head_dim``, or a share
    (``partial_rotary_factor``, ``rotary_pct``) of ``head_dim``, which may follow from ``hidden_size`` and
    ``num_attention_heads``. A configuration does not say which layout a model has: models as Hugging
    Face stores them mostly have halves, GPT-J and a few others interleaved.

    References
    ----------
    Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021,
    `arXiv:2104.09864 <https://arxiv.org/abs/2104.09864>`_, and for each type the reference at its class:
    :class:`Linear`, :class:`DynamicNTK`, :class:`YaRN`, :class:`Llama3`, :class:`LongRoPE`.

    Examples
    --------
    >>> from edukit.posenc import rotary_frequencies_from_config
    >>> config = {"hidden_size": 64, "num_attention_heads": 8, "rope_theta": 10000.0,
    ...           "rope_scaling": {"type": "linear", "factor": 2.0}}
    >>> rotary_frequencies_from_config(config).inverse
    array([0.5   , 0.05  , 0.005 , 0.0005])
    """
    if not isinstance(mapping, Mapping):
        raise TypeError(f"mapping must be a mapping, such as json.load gives, not {mapping!r}")
    rope = _rope(mapping, layer_type)
    base = _first(rope, "rope_theta")
    if base is None:
        base = _first({"default": 10000.0, **mapping}, "rope_theta", "rotary_emb_base", "default")
    kind = _first(rope, "rope_type", "type") or "default"
    # The first models with LongRoPE said "su" or even "yarn", which has no factors of its own.
    if kind == "su" or (kind == "yarn" and "long_factor" in rope):
        kind = "longrope"
    if kind == "proportional":
        return _proportional(mapping, rope, base)
    dim = _turning_columns(mapping, rope)
    return rotary_frequencies(dim, base=base, scaling=_scaling(kind, mapping, rope, length), length=length)


def _with_larger_base(dim: int, base: float, factor: float) -> RotaryFrequencies:
    # The one frequency of two columns is 1 with any base, and d / (d - 2) is infinite.
    if dim > 2:
        base *= factor ** (dim / (dim - 2))
    return RotaryFrequencies(geometric(dim, base), 1.0, base)


def _needed(length: int | None, scaling: Scaling) -> int:
    if length is None:
        name = type(scaling).__name__
        raise ValueError(f"length must be given with {name}, whose frequencies depend on it, not be None")
    return length


def _check_numbers(scaling: Scaling, **at_least: float) -> None:
    for name, least in at_least.items():
        value = arguments.finite(name, getattr(scaling, name))
        if value < least:
            raise ValueError(f"{name} must be at least {least}, not {value}")
        object.__setattr__(scaling, name, value)


def _check_original(scaling: Scaling, *, at_least: int) -> None:
    name = "original_max_position_embeddings"
    object.__setattr__(scaling, name, arguments.integer(name, getattr(scaling, name), at_least=at_least))


def _check_attention_factor(value: float | None) -> None:
    if value is not None and arguments.finite("attention_factor", value) <= 0:
        raise ValueError(f"attention_factor must be above 0, not {value}")


# -- config.json ----------------------------------------------------------------------------------


def _first(mapping: Mapping[str, Any], *keys: str) -> Any:
    """Return the value of the first key that is there and not null, or None."""
    return next((mapping[key] for key in keys if mapping.get(key) is not None), None)


def _required(mapping: Mapping[str, Any], *keys: str) -> Any:
    value = _first(mapping, *keys)
    if value is None:
        hint = "; its text_config may hold what is missing" if "text_config" in mapping else ""
        raise ValueError(f"mapping must hold {' or '.join(keys)}, which is missing{hint}")
    return value


def _rope(mapping: Mapping[str, Any], layer_type: str | None) -> Mapping[str, Any]:
    """Return the fields about rotation that hold for one type of layer."""
    rope: Any = _first(mapping, "rope_scaling") or _first(mapping, "rope_parameters") or {}
    if not isinstance(rope, Mapping):
        raise TypeError(f"rope_scaling or rope_parameters must be a mapping, not {rope!r}")
    types: dict[str, Any] = {}
    if any(isinstance(value, Mapping) for value in rope.values()):
        types = {key: value for key, value in rope.items() if value is None or isinstance(value, Mapping)}
    # Before there was a mapping for each type of layer, models had keys of their own.
    elif (local := _first(mapping, "rope_local_base_freq")) is not None:
        types = {"full_attention": rope, "sliding_attention": {"rope_theta": local}}
    elif (local := _first(mapping, "local_rope_theta")) is not None:
        whole = {"rope_theta": _required(mapping, "global_rope_theta")}
        types = {"full_attention": whole, "sliding_attention": {"rope_theta": local}}
    if not types:
        return rope
    if layer_type is None or layer_type not in types:
        known = " or ".join(repr(name) for name in types)
        raise ValueError(f"layer_type must be {known}, whose frequencies differ, not {layer_type!r}")
    if types[layer_type] is None:
        raise ValueError(
            f"layer_type must be one whose queries and keys turn; those of {layer_type!r} do not"
        )
    found: Mapping[str, Any] = types[layer_type]
    return found


def _turning_columns(mapping: Mapping[str, Any], rope: Mapping[str, Any]) -> int:
    share = _first(rope, "partial_rotary_factor")
    if share is None:
        share = _first(mapping, "partial_rotary_factor", "rotary_pct")
    if share is None:
        columns = _first(mapping, "rotary_dim")
        if columns is not None:
            return even("rotary_dim", columns)
        share = 1.0
    share = arguments.finite("partial_rotary_factor", share)
    if not 0 < share <= 1:
        raise ValueError(f"partial_rotary_factor must be above 0 and at most 1, not {share}")
    return even("the number of columns that turn", int(_head_columns(mapping) * share))


def _head_columns(mapping: Mapping[str, Any]) -> int:
    # DeepSeek's models keep columns that turn apart from those that do not.
    columns = _first(mapping, "qk_rope_head_dim", "head_dim")
    if columns is not None:
        return arguments.integer("head_dim", columns, at_least=1)
    hidden = arguments.integer("hidden_size", _required(mapping, "hidden_size", "n_embd"), at_least=1)
    heads = arguments.integer(
        "num_attention_heads", _required(mapping, "num_attention_heads", "n_head"), at_least=1
    )
    return hidden // heads


def _scaling(
    kind: str, mapping: Mapping[str, Any], rope: Mapping[str, Any], length: int | None
) -> Scaling | None:
    if kind in ("default", "mrope"):
        return None
    if kind == "linear":
        return Linear(_required(rope, "factor"))
    if kind == "dynamic":
        # Hunyuan's models call the static scaling so, and its factor alpha.
        if _first(rope, "alpha") is not None:
            return NTK(rope["alpha"])
        original = _first(rope, "original_max_position_embeddings")
        if original is None:
            original = _required(mapping, "max_position_embeddings", "n_positions")
        return DynamicNTK(_required(rope, "factor"), original)
    if kind == "yarn":
        given = {key: _first(rope, key) for key in YARN_KEYS}
        return YaRN(
            _factor(mapping, rope),
            _original(mapping, rope),
            **{key: value for key, value in given.items() if value is not None},
        )
    if kind == "llama3":
        return Llama3(
            _required(rope, "factor"),
            _original(mapping, rope),
            _required(rope, "low_freq_factor"),
            _required(rope, "high_freq_factor"),
        )
    if kind == "longrope":
        return _longrope(mapping, rope, length)
    known = ", ".join(KINDS)
    raise ValueError(f"rope_type must be one of {known}, not {kind!r}")


def _longrope(mapping: Mapping[str, Any], rope: Mapping[str, Any], length: int | None) -> LongRoPE:
    short, long, original = (
        _required(rope, "short_factor"),
        _required(rope, "long_factor"),
        _original(mapping, rope),
    )
    attention = _first(rope, "attention_factor")
    # Phi-3.5-MoE has two attention factors.
    if attention is None and length is not None:
        attention = _first(rope, "long_mscale" if length > original else "short_mscale")
    factor = _factor(mapping, rope) if attention is None else None
    return LongRoPE(short, long, original, factor, attention)


def _original(mapping: Mapping[str, Any], rope: Mapping[str, Any]) -> Any:
    """Return the length of the training; Phi-3 writes it beside the other fields, not among them."""
    name = "original_max_position_embeddings"
    value = _first(mapping, name)
    if value is None:
        value = _first(rope, name)
    return _required(mapping, name, "max_position_embeddings") if value is None else value


def _factor(mapping: Mapping[str, Any], rope: Mapping[str, Any]) -> Any:
    """Return the factor, or else how many times longer the texts became."""
    value = _first(rope, "factor")
    original = _first(mapping, "original_max_position_embeddings") or _first(
        rope, "original_max_position_embeddings"
    )
    if value is not None or original is None:
        return _required(rope, "factor")
    longest = _required(mapping, "max_position_embeddings")
    return arguments.finite("max_position_embeddings", longest) / arguments.finite(
        "original_max_position_embeddings", original
    )


def _proportional(mapping: Mapping[str, Any], rope: Mapping[str, Any], base: float) -> RotaryFrequencies:
    """Return Gemma 4's frequencies: those of the whole head, of which the slow ones are put to rest."""
    dim = even("head_dim", _head_columns(mapping))
    share = _first(rope, "partial_rotary_factor")
    turning = int((1.0 if share is None else arguments.finite("partial_rotary_factor", share)) * dim // 2)
    factor = _first(rope, "factor")
    scaled = rotary_frequencies(dim, base=base, scaling=Linear(1.0 if factor is None else factor))
    scaled.inverse[turning:] = 0
    return scaled
