"""Learned position encodings: a table of parameters, one row for each position, and no row after it."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from edukit.posenc import _arguments as arguments

Distribution = Literal["normal", "truncated"]


def learned_table(
    rows: int,
    dim: int,
    *,
    seed: int,
    std: float = 0.02,
    distribution: Distribution = "normal",
    padding: int | None = None,
    dtype: npt.DTypeLike = np.float32,
) -> npt.NDArray[Any]:
    r"""Return a table of position vectors as it is before training: numbers drawn at random.

    Parameters
    ----------
    rows : int
        Number of positions, at least 0; the model cannot read a longer text.
    dim : int
        Number of columns, at least 1.
    seed : int
        Which table to draw, at least 0. The same seed gives the same table.
    std : float, optional
        Standard deviation :math:`\sigma` of the normal distribution, at least 0.
    distribution : {"normal", "truncated"}, optional
        "normal": :math:`\mathcal N(0, \sigma^2)`. "truncated": the same, but what lies further than
        :math:`2\sigma` from 0 is drawn again, which leaves a standard deviation of :math:`0.88\,\sigma`.
    padding : int, optional
        A row to be filled with zeros, as fairseq does for the positions of padding tokens.
    dtype : dtype, optional
        float16, float32 or float64.

    Returns
    -------
    table : ndarray
        A new array of shape ``(rows, dim)``.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If an argument is out of range.

    Notes
    -----
    BERT as Google published it draws from the truncated distribution with 0.02. Its version in
    Hugging Face's library and that library's GPT-2 draw from the normal one with 0.02. GPT-2 as OpenAI
    published it takes 0.02 for words, but 0.01 for positions.

    References
    ----------
    Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
    2018, `arXiv:1810.04805 <https://arxiv.org/abs/1810.04805>`_.

    Examples
    --------
    >>> from edukit.posenc import learned_table
    >>> table = learned_table(512, 768, seed=0)
    >>> table.shape, f"{table.std():.3f}"
    ((512, 768), '0.020')
    """
    rows = arguments.integer("rows", rows, at_least=0)
    dim = arguments.integer("dim", dim, at_least=1)
    seed = arguments.integer("seed", seed, at_least=0)
    std = arguments.finite("std", std)
    if std < 0:
        raise ValueError(f"std must be at least 0, not {std}")
    arguments.choice("distribution", distribution, ("normal", "truncated"))
    wanted = arguments.float_dtype("dtype", dtype)
    if padding is not None:
        padding = arguments.integer("padding", padding, at_least=0)
        if padding >= rows:
            raise ValueError(f"padding must be one of the {rows} rows, counted from 0, not {padding}")

    rng = np.random.default_rng(seed)
    numbers = rng.standard_normal((rows, dim))
    if distribution == "truncated":
        while (beyond := np.abs(numbers) > 2).any():
            numbers[beyond] = rng.standard_normal(np.count_nonzero(beyond))
    numbers *= std
    if padding is not None:
        numbers[padding] = 0
    return numbers.astype(wanted)


def look_up(table: npt.ArrayLike, positions: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return the rows of a table that stand for the positions.

    Parameters
    ----------
    table : array_like of real numbers, shape (rows, dim)
        One row for each position, counted from 0.
    positions : array_like of integers
        Positions of any shape, from 0 to ``rows - 1``.

    Returns
    -------
    vectors : ndarray
        A new array of shape ``positions.shape + (dim,)``, of the table's dtype.

    Raises
    ------
    TypeError
        If `table` does not hold real numbers, or `positions` not integers.
    ValueError
        If `table` is no matrix, or has no row for a position; a negative one is not counted from the end.

    References
    ----------
    Gehring et al., "Convolutional Sequence to Sequence Learning", 2017, section 3.1,
    `arXiv:1705.03122 <https://arxiv.org/abs/1705.03122>`_.

    Examples
    --------
    >>> from edukit.posenc import learned_table, look_up, padded_positions
    >>> table = learned_table(512, 8, seed=0, padding=1)
    >>> look_up(table, padded_positions([[31, 41, 59], [26, 1, 1]], padding=1)).shape
    (2, 3, 8)
    >>> look_up(table, [511, 512])
    Traceback (most recent call last):
        ...
    ValueError: positions must lie between 0 and 511, as table has 512 rows, but hold 512
    """
    matrix = arguments.real_array("table", table)
    if matrix.ndim != 2:
        raise ValueError(f"table must have two axes, rows and dim, not the shape {matrix.shape}")
    places = _integers("positions", positions)
    rows = len(matrix)
    outside = places[(places < 0) | (places >= rows)]
    if outside.size:
        allowed = (
            f"lie between 0 and {rows - 1}, as table has {rows} rows" if rows else "be empty, as table is"
        )
        raise ValueError(f"positions must {allowed}, but hold {outside[0]}")
    return np.ascontiguousarray(matrix[places.astype(np.intp)])


def padded_positions(tokens: npt.ArrayLike, *, padding: int) -> npt.NDArray[np.int64]:
    r"""Return the positions of tokens as fairseq counts them, past the padding.

    Tokens are counted from :math:`\mathrm{padding} + 1`; the padding tokens, on either side or in
    between, all get the position :math:`\mathrm{padding}` and are not counted.

    Parameters
    ----------
    tokens : array_like of integers, shape (..., length)
        Numbers of the tokens in the vocabulary.
    padding : int
        Number of the padding token, at least 0; 1 in fairseq's vocabularies.

    Returns
    -------
    positions : ndarray of int64
        A new array of the same shape. A text of n tokens needs a table of n + padding + 1 rows.

    Raises
    ------
    TypeError
        If `tokens` does not hold integers, or `padding` is not an integer.
    ValueError
        If `tokens` has no axis, or `padding` is negative.

    References
    ----------
    Ott et al., "fairseq: A Fast, Extensible Toolkit for Sequence Modeling", 2019,
    `arXiv:1904.01038 <https://arxiv.org/abs/1904.01038>`_.

    Examples
    --------
    >>> from edukit.posenc import padded_positions
    >>> padded_positions([[31, 41, 59], [26, 1, 1], [1, 53, 58]], padding=1)
    array([[2, 3, 4],
           [2, 1, 1],
           [1, 2, 3]])
    """
    numbers = _integers("tokens", tokens)
    if numbers.ndim == 0:
        raise ValueError("tokens must have at least one axis, of tokens, not the shape ()")
    padding = arguments.integer("padding", padding, at_least=0)
    real = numbers != padding
    positions: npt.NDArray[np.int64] = np.cumsum(real, axis=-1, dtype=np.int64) * real + padding
    return positions


def _integers(name: str, value: npt.ArrayLike) -> npt.NDArray[Any]:
    array = arguments.real_array(name, value)
    # An empty list has no numbers that could be of the wrong kind, but numpy calls it float64.
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} must hold integers, not values of dtype {array.dtype}")
    return array
