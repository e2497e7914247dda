"""Checks of arguments: each error names the argument, the value it had and what is allowed."""

import math
import operator
from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

# Up to here float64 tells neighbouring integers apart; past it two positions would share a row.
LARGEST_POSITION = 2**53


def integer(name: str, value: object, *, at_least: int | None = None) -> int:
    """Return `value` as an int: Python's or numpy's integers, but neither 3.0 nor True."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # whether it is one is the question
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None
    if at_least is not None and number < at_least:
        raise ValueError(f"{name} must be at least {at_least}, not {number}")
    return number


def finite(name: str, value: object) -> float:
    """Return `value` as a float that is neither infinite nor NaN."""
    if isinstance(value, bool | np.bool_ | str | bytes) or not isinstance(value, SupportsFloat):
        raise TypeError(f"{name} must be a real number, not {value!r}")
    try:
        number = float(value)
    except (TypeError, OverflowError):
        raise TypeError(f"{name} must be a real number, not {value!r}") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, not {number}")
    return number


def boolean(name: str, value: object) -> bool:
    """Return `value` as a bool: not a text such as "False", which would count as true."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def choice(name: str, value: object, allowed: tuple[str, ...]) -> str:
    """Return `value` if it is one of the names that are `allowed`."""
    for known in allowed:
        if isinstance(value, str) and value == known:
            return known
    names = " or ".join(repr(known) for known in allowed)
    raise ValueError(f"{name} must be {names}, not {value!r}")


def float_dtype(name: str, value: npt.DTypeLike) -> np.dtype[Any]:
    """Return the dtype that `value` means, if float64 can be cast to it without a false promise."""
    try:
        dtype = np.dtype(value)
    except TypeError:
        raise TypeError(f"{name} must be float16, float32 or float64, not {value!r}") from None
    # A long double would only hold the float64 value with zeros behind it.
    if dtype.kind != "f" or dtype.itemsize > 8:
        raise TypeError(f"{name} must be float16, float32 or float64, not {dtype.name}")
    return dtype


def real_array(name: str, value: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return `value` as an array of integers or floats."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be an array; the rows of the value differ in shape") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold real numbers, not values of dtype {array.dtype}")
    return array


def matrix(name: str, value: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return `value` as an array of real numbers that has tokens and width as its last two axes."""
    array = real_array(name, value)
    if array.ndim < 2:
        raise ValueError(
            f"{name} must have at least two axes, tokens and width, not the shape {array.shape}"
        )
    return array


def float_types(*arrays: npt.NDArray[Any]) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """Return the float type that a result of `arrays` has, and the one to compute it in."""
    given = np.result_type(*arrays)
    asked = given if given.kind == "f" else np.dtype(np.float64)
    # The scores of float16 vectors overflow long before the vectors do.
    return asked, np.result_type(asked, np.float32)


def position_array(name: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return positions as float64, which must be able to tell them apart."""
    array = real_array(name, value)
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite, but hold NaN or infinity")
    # Not abs(): the most negative int64 has no positive counterpart.
    if array.size and (array.max() > LARGEST_POSITION or array.min() < -LARGEST_POSITION):
        worst = array.max() if array.max() > LARGEST_POSITION else array.min()
        raise ValueError(f"{name} must lie between -2**53 and 2**53, but hold {worst}")
    return array.astype(np.float64)
