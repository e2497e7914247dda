"""What a position table is: its convention, what damaged it, or which known fault made it."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from edukit.posenc import _arguments as arguments

Floats = npt.NDArray[np.float64]
Layout = Literal["interleaved", "halves"]
Kind = Literal["sinusoidal", "random", "zeros", "constant", "one-hot", "not finite"]


@dataclass(frozen=True, slots=True)
class TableIdentity:
    """What :func:`identify` found out about a table.

    Parameters
    ----------
    kind : {"sinusoidal", "random", "zeros", "constant", "one-hot", "not finite"}
        "random" is a table without any of these structures: drawn at random, or learned.
    shape : tuple of int
        Rows and columns, as they were given.
    dtype : {"float16", "bfloat16", "float32", "float64"}
        The narrowest format that holds every value: what the table is, or was once, stored in.
    layout : {"interleaved", "halves"} or None
        As in :func:`sinusoidal`; None, like all that follow, where it does not apply.
    cosine_first : bool
        Whether each cosine stands where others put the sine.
    spacing : {"paper", "tensor2tensor"} or None
        As in :func:`sinusoidal`.
    base : float or None
        As in :func:`sinusoidal`; None too if there is only one frequency.
    odd : {"truncate", "pad", "real"} or None
        For an odd width: as in :func:`sinusoidal`, or "real" if the exponent is :math:`-2i/d` with the
        odd :math:`d` itself, as Hugging Face's DistilBERT and Marian have it.
    start : int, float or None
        Position of the first row.
    step : float or None
        How far the position moves from row to row; 1 unless rows were left out, reversed or rescaled.
    scale : float or None
        Factor of the whole table.
    padding : int or None
        Index of a row set to zero, as fairseq does with its padding index.
    mean, std : float
        Of all finite values.
    damage : str
        "positions in float16", "angles in bfloat16", "angles in float32" and the like: what was
        rounded before the sine was taken. Empty if nothing was: a result that is merely *stored* in a
        narrow format is not damaged.
    faults : tuple of str
        Known faults, by the names that :func:`identify` lists.
    undetermined : tuple of str
        Names of those fields above that this table cannot tell: others would have made the same.
    error : float
        Largest difference between the table and the one that the convention asks for.
    correlation : float
        Of these two.
    evidence : tuple of str
        Sentences with figures that say what the verdict rests on.
    """

    kind: Kind
    shape: tuple[int, int]
    dtype: str
    layout: Layout | None = None
    cosine_first: bool = False
    spacing: Literal["paper", "tensor2tensor"] | None = None
    base: float | None = None
    odd: Literal["truncate", "pad", "real"] | None = None
    start: float | None = None
    step: float | None = None
    scale: float | None = None
    padding: int | None = None
    mean: float = 0.0
    std: float = 0.0
    damage: str = ""
    faults: tuple[str, ...] = ()
    undetermined: tuple[str, ...] = ()
    error: float = 0.0
    correlation: float = 0.0
    evidence: tuple[str, ...] = ()

    def __str__(self) -> str:
        rows, columns = self.shape
        lines = [f"{self.kind} table of {rows} rows and {columns} columns, stored in {self.dtype}"]
        if self.kind == "sinusoidal":
            names = ("layout", "spacing", "base", "odd", "start", "step", "scale", "padding")
            settings = [
                f"{name} {_plainly(value)}" for name in names if (value := getattr(self, name)) is not None
            ]
            lines.append("  " + ", ".join(settings))
        if self.undetermined:
            lines.append("  cannot be told for sure: " + ", ".join(self.undetermined))
        if self.damage:
            lines.append(f"  damage: {self.damage}, off by up to {self.error:.3g}")
        if self.faults:
            lines.append("  known faults: " + ", ".join(self.faults))
        lines += [f"  - {sentence}" for sentence in self.evidence]
        return "\n".join(lines)

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments with which :func:`sinusoidal` makes the table that was meant.

        That is the table without its scale, its padding row, its damage, and any order of columns that
        `sinusoidal` does not know. A floor division has lost the base; 10000 is put in its place.

        Returns
        -------
        arguments : dict
            For ``sinusoidal(**arguments)``. A table stored in bfloat16 is made in float32.

        Raises
        ------
        ValueError
            If the table is not sinusoidal.
        """
        if self.kind != "sinusoidal":
            raise ValueError(f"only a sinusoidal table has arguments, not a table of kind {self.kind!r}")
        rows, dim = self.shape[::-1] if "transposed" in self.faults else self.shape
        found: dict[str, Any] = {"length": rows, "dim": dim, "layout": self.layout}
        found["spacing"] = self.spacing
        if self.base is not None:
            # One more column in the exponent, made up for by the base.
            found["base"] = self.base ** ((dim + 1) / dim) if self.odd == "real" else self.base
        if "floor division" in self.faults:
            found["base"] = 10000.0
        if self.odd is not None:
            found["odd"] = "pad" if self.odd == "pad" else "truncate"
        if self.step == 1 and isinstance(self.start, int):
            found["start"] = self.start
        else:
            assert self.start is not None
            assert self.step is not None
            found |= {"length": None, "positions": self.start + self.step * np.arange(rows)}
        found["dtype"] = np.dtype("float32" if self.dtype == "bfloat16" else self.dtype)
        return found

    def table(self) -> Floats:
        """Return the table again, as it was given but for its damage and noise.

        Scale, padding row, order of columns and the faults of the formula are all in it.

        Returns
        -------
        table : ndarray of float64
            A new array of the shape that was given.

        Raises
        ------
        ValueError
            If the table is not sinusoidal.
        """
        if self.kind != "sinusoidal":
            raise ValueError(f"only a sinusoidal table can be made again, not one of kind {self.kind!r}")
        from edukit.posenc import _recognition as recognition

        return recognition.made_again(self)


def identify(table: npt.ArrayLike) -> TableIdentity:
    r"""Say what a position table is: its convention, its damage, or the known fault that it shows.

    A table of sines and cosines is recognised by its clock hands: two columns that belong together
    satisfy

    .. math::

       \cos(p\,\omega) + i \sin(p\,\omega) = e^{i p \omega}

    and turn by the same angle from each row to the next. From these angles follow the frequencies, the
    base and the first position. A round base, a whole first position and a usual scale are preferred to
    what was measured if they make the same table.

    Parameters
    ----------
    table : array_like, shape (rows, dim)
        At least two rows, evenly spaced in position. Rows may hold NaN or infinity; these are reported.

    Returns
    -------
    identity : TableIdentity
        What was found, with the evidence; ``print(identity)`` is a report,
        :meth:`TableIdentity.arguments` and :meth:`TableIdentity.table` make the table again.

    Raises
    ------
    TypeError
        If `table` does not hold real numbers.
    ValueError
        If `table` has not two axes, fewer than two rows, or no columns.

    Notes
    -----
    The faults go by these names:

    - "swapped": the cosine stands where sinusoidal tables have the sine (some libraries mean it);
    - "reversed frequencies": the slowest pair comes first;
    - "halved exponent", "doubled exponent": the exponent is :math:`-i/d` or :math:`-4i/d` of base 10000
      in place of :math:`-2i/d`; base 100 or :math:`10^8` would make the same table;
    - "own frequencies": column :math:`j` has the exponent :math:`-2j/d`, so that no sine has its cosine;
    - "floor division": ``/ d//2`` was meant to be ``/ (d//2)`` (zju3dv/LoFTR#41), and the frequencies
      fall by :math:`e` or :math:`e^2` from pair to pair;
    - "duplicate rows": neighbouring positions share a row (NVIDIA/Megatron-LM#535);
    - "overflow": rows hold NaN or infinity;
    - "transposed": positions lie along the second axis.

    With one pair of columns all conventions agree: then layout, spacing and base cannot be told. The
    spacings agree for more pairs too if the bases fit: the table of base :math:`b` spaced as in the
    paper is that of base :math:`b^{1 - 2/d}` spaced as in tensor2tensor. The rounder base is reported,
    the other one said in the evidence.

    A trained table that began as a sinusoid is still recognised, by its correlation with one: at least
    0.5, and more if the table is small.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5,
    `arXiv:1706.03762 <https://arxiv.org/abs/1706.03762>`_.

    Examples
    --------
    >>> import numpy as np
    >>> from edukit.posenc import identify, sinusoidal
    >>> found = identify(sinusoidal(50, 64, layout="halves", start=2))
    >>> found.layout, found.spacing, found.base, found.start
    ('halves', 'paper', 10000.0, 2)
    >>> p = np.arange(3000, dtype=np.float16)[:, None]
    >>> angles = p * (10000.0 ** (-np.arange(32) / 32)).astype(np.float16)
    >>> identify(np.concatenate([np.sin(angles), np.cos(angles)], axis=1)).damage
    'angles in float16'
    """
    values = arguments.real_array("table", table)
    if values.ndim != 2:
        raise ValueError(f"table must have two axes, positions and columns, not the shape {values.shape}")
    if values.shape[0] < 2:
        raise ValueError(f"table must have at least 2 rows, not {values.shape[0]}")
    if values.shape[1] < 1:
        raise ValueError("table must have at least 1 column, not 0")

    # Loaded when it is needed: importing the package is quick.
    from edukit.posenc import _recognition as recognition

    return recognition.recognised(values)


def _plainly(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)
