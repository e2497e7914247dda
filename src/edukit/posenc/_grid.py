"""Sinusoidal position encoding of a grid, such as the patches of an image."""

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from edukit.posenc import _arguments as arguments
from edukit.posenc._sinusoid import Layout, Spacing, sinusoidal

Order = Literal["yx", "xy"]

# As in DETR; it also keeps a grid of one row, counted from 0, from dividing by 0.
ADDED_TO_LAST = 1e-6


def sinusoidal_2d(
    height: int,
    width: int,
    dim: int,
    *,
    order: Order = "yx",
    start: int = 0,
    normalize: bool = False,
    scale: float | None = None,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    spacing: Spacing = "paper",
    dtype: npt.DTypeLike = np.float32,
) -> npt.NDArray[Any]:
    r"""Return a sinusoidal position encoding of the cells of a grid.

    Half of the columns encode the row :math:`y` of a cell, the other half its column :math:`x`:

    .. math::

       PE(y, x) = \left[\, PE_{d/2}(y) \;\middle|\; PE_{d/2}(x) \,\right]

    Parameters
    ----------
    height, width : int
        Number of rows and of columns of the grid, at least 0.
    dim : int
        Number of columns :math:`d` of the encoding, a multiple of 4: each half holds whole pairs.
    order : {"yx", "xy"}, optional
        Which half comes first.
    start : int, optional
        Position of the first row and of the first column. DETR counts from 1.
    normalize : bool, optional
        Divide each position by the last one and multiply it by `scale`, so that grids of any size
        cover the same angles. `start` must not be negative then.
    scale : float, optional
        Where the last of the normalized positions comes to lie: :math:`2\pi` when left out, as in
        DETR.
    base, layout, spacing
        As in :func:`sinusoidal`, for each half by itself.
    dtype : dtype, optional
        float16, float32 or float64.

    Returns
    -------
    grid : ndarray
        A new array of shape ``(height, width, dim)``.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If an argument is out of range, or `scale` is given though nothing is normalized.

    Notes
    -----
    DETR is ``start=1, normalize=True``; like it, this function adds 1e-6 to the last position before
    it divides. The exponent of the frequencies is :math:`-2i/(d/2)`, with the width of one half.

    References
    ----------
    Carion et al., "End-to-End Object Detection with Transformers", 2020, appendix,
    `arXiv:2005.12872 <https://arxiv.org/abs/2005.12872>`_.

    Examples
    --------
    >>> from edukit.posenc import sinusoidal_2d
    >>> grid = sinusoidal_2d(2, 3, 8)
    >>> grid.shape
    (2, 3, 8)
    >>> grid[1, 2].round(2)
    array([ 0.84,  0.54,  0.01,  1.  ,  0.91, -0.42,  0.02,  1.  ], dtype=float32)
    """
    height = arguments.integer("height", height, at_least=0)
    width = arguments.integer("width", width, at_least=0)
    dim = arguments.integer("dim", dim, at_least=4)
    if dim % 4:
        raise ValueError(f"dim must be a multiple of 4, not {dim}")
    arguments.choice("order", order, ("yx", "xy"))
    if not isinstance(normalize, bool | np.bool_):
        raise TypeError(f"normalize must be True or False, not {normalize!r}")
    if scale is not None and not normalize:
        raise ValueError(f"scale must be left out unless normalize is True, not {scale!r}")
    last_angle = 2 * math.pi if scale is None else arguments.finite("scale", scale)
    start = arguments.integer("start", start, at_least=0 if normalize else None)
    wanted = arguments.float_dtype("dtype", dtype)

    def half(length: int) -> npt.NDArray[Any]:
        if not normalize:
            return sinusoidal(
                length, dim // 2, start=start, base=base, layout=layout, spacing=spacing, dtype=wanted
            )
        places = np.arange(start, start + length) / (start + length - 1 + ADDED_TO_LAST) * last_angle
        return sinusoidal(
            None, dim // 2, positions=places, base=base, layout=layout, spacing=spacing, dtype=wanted
        )

    grid = np.empty((height, width, dim), dtype=wanted)
    first, second = grid[..., : dim // 2], grid[..., dim // 2 :]
    of_y, of_x = (first, second) if order == "yx" else (second, first)
    of_y[...] = half(height)[:, np.newaxis]
    of_x[...] = half(width)
    return grid
