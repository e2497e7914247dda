"""Self-check questions as data: what counts as the same answer, and codes that carry a result.

A quiz on a page is answered in the reader's browser. What a reader types is compared with
:func:`same_text` and :func:`same_number`; ``quiz.js`` does the same, and a test holds the two together.
A result is a short code that a learner hands in and a teacher reads back with :func:`decode`. It shows
a score. It is no certificate: whoever wants to can make one up.
"""

import hashlib
import math
import random
import re
import unicodedata
import zlib
from dataclasses import dataclass
from enum import IntEnum

__all__ = [
    "KINDS",
    "CodeError",
    "Mark",
    "Result",
    "decode",
    "encode",
    "page_key",
    "read_number",
    "read_tolerance",
    "same_number",
    "same_text",
    "shuffled",
]

#: The kinds of questions: one right answer, several, a number, typed text, pairs, an order.
KINDS = ("one", "several", "number", "text", "match", "order")


# -- answers -----------------------------------------------------------------------------------------------


def fold(text: str) -> str:
    """Return a text without what a reader need not type: case, width, marks at the ends, doubled blanks.

    Examples
    --------
    >>> fold("  Ｅquivariant。"), fold("“Dog”  bites!")
    ('equivariant', 'dog" bites')
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    text = re.sub("[\u2018\u2019]", "'", re.sub("[\u201c\u201d]", '"', text))
    return re.sub(r"\s+", " ", text).strip(" \"'.,;:!?。，；：！？、")


def same_text(typed: str, accepted: str) -> bool:
    """Whether a typed text is an accepted spelling; an empty one never is."""
    return fold(typed) == fold(accepted) != ""


_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?")


# As the pages show powers of ten (superscripts are plain by then), and as they are typed.
_POWER = re.compile(r"(?:(.+)[×x*]10\^?|10\^|10(?=[+-]))([+-]?\d+)")


def read_number(text: str) -> float | None:
    """Return the number that a reader has typed, or None.

    Full-width digits, a minus sign, thousands grouped by commas, percentages and fractions are numbers.

    Examples
    --------
    >>> read_number("１２．５"), read_number("−3/4"), read_number("109,482,240"), read_number("12%")
    (12.5, -0.75, 109482240.0, 0.12)
    >>> read_number("1.5 × 10⁻⁷"), read_number("10^3"), read_number("1e-3"), read_number("about 3")
    (1.5e-07, 1000.0, 0.001, None)
    """
    text = unicodedata.normalize("NFKC", text).strip().lower().replace("\N{MINUS SIGN}", "-")
    text = re.sub(r"\s+", "", text)
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?%?", text):
        text = text.replace(",", "")
    if power := _POWER.fullmatch(text):
        text = f"{power[1] or 1}e{power[2]}"
    percent = text.endswith("%")
    numerator, slash, denominator = text.removesuffix("%").partition("/")
    parts = [numerator, denominator] if slash else [numerator]
    if not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    value = float(numerator)
    if slash:
        if not float(denominator):
            return None
        value /= float(denominator)
    value = value / 100 if percent else value
    return value if math.isfinite(value) else None


def read_tolerance(text: str) -> tuple[float, float] | None:
    """Return an answer and how far one may be from it, as in ``6.28 ± 0.01``; None if it is no number.

    Examples
    --------
    >>> read_tolerance("6.28 ± 0.01"), read_tolerance("512")
    ((6.28, 0.01), (512.0, 0.0))
    """
    value, sign, tolerance = text.partition("±")
    number, within = read_number(value), read_number(tolerance) if sign else 0.0
    if number is None or within is None or within < 0:
        return None
    return number, within


def same_number(typed: str, accepted: str) -> bool:
    """Whether a typed number is within the tolerance of the accepted one."""
    number, wanted = read_number(typed), read_tolerance(accepted)
    if number is None or wanted is None:
        return False
    # The last digits of a sum of decimal numbers are accidents of the binary ones.
    slack = 1e-9 * max(abs(wanted[0]), wanted[1], 1e-300)
    return abs(number - wanted[0]) <= wanted[1] + slack


def shuffled(number: int, seed: str) -> list[int]:
    """Return the numbers below `number` in another order: the same one each time for a seed.

    Examples
    --------
    >>> sorted(shuffled(4, "x")), shuffled(4, "x") == shuffled(4, "x") != [0, 1, 2, 3]
    ([0, 1, 2, 3], True)
    """
    order = list(range(number))
    draw = random.Random(hashlib.sha256(seed.encode()).digest())
    while number > 1 and order == list(range(number)):
        draw.shuffle(order)
    return order


# -- codes -------------------------------------------------------------------------------------------------


class Mark(IntEnum):
    """How a question was answered."""

    OPEN = 0
    WRONG = 1
    RIGHT = 2
    AT_ONCE = 3


@dataclass(frozen=True, slots=True)
class Result:
    """What a code says.

    Attributes
    ----------
    page : int
        The key of the page, see :func:`page_key`.
    marks : tuple of Mark
        For each question of the page, in its order.
    """

    page: int
    marks: tuple[Mark, ...]

    @property
    def right(self) -> int:
        """How many questions were answered rightly in the end."""
        return sum(mark >= Mark.RIGHT for mark in self.marks)

    @property
    def at_once(self) -> int:
        """How many were answered rightly at the first try."""
        return sum(mark is Mark.AT_ONCE for mark in self.marks)


class CodeError(ValueError):
    """What was handed in is no code; the message says why."""


# Without I, L, O and U, which are misread or make words.
_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MISREAD = str.maketrans("ILO", "110")
_PAGE_BITS, _COUNT_BITS, _CHECK_BITS = 20, 6, 14
MOST_QUESTIONS = (1 << _COUNT_BITS) - 1


def page_key(page: str) -> int:
    """Return a number for the name of a page, the same in every language."""
    return zlib.crc32(page.encode()) & ((1 << _PAGE_BITS) - 1)


def encode(result: Result) -> str:
    """Return the code of a result, in groups of four signs.

    Examples
    --------
    >>> code = encode(Result(page_key("position/geometry"), (Mark.AT_ONCE, Mark.WRONG, Mark.RIGHT)))
    >>> code
    'D7Y9-1XGQ-T0'
    >>> decode(code.lower().replace("-", " ")).right
    2
    """
    if not 0 < len(result.marks) <= MOST_QUESTIONS:
        raise ValueError(f"a code holds 1 to {MOST_QUESTIONS} questions, not {len(result.marks)}")
    bits = f"{result.page:0{_PAGE_BITS}b}{len(result.marks):0{_COUNT_BITS}b}"
    bits += "".join(f"{mark:02b}" for mark in result.marks)
    bits += _check(bits)
    bits += "0" * (-len(bits) % 5)
    signs = "".join(_DIGITS[int(bits[n : n + 5], 2)] for n in range(0, len(bits), 5))
    return "-".join(signs[n : n + 4] for n in range(0, len(signs), 4))


def decode(code: str) -> Result:
    """Return what a code says; blanks, dashes and case do not matter.

    Raises
    ------
    CodeError
        If it is no code, or one that was mistyped.
    """
    signs = re.sub(r"[\s\-\u2010-\u2015\u2212]", "", unicodedata.normalize("NFKC", code)).upper()
    signs = signs.translate(_MISREAD)
    if not signs or any(sign not in _DIGITS for sign in signs):
        raise CodeError(f"{code.strip()!r} is no result code")
    bits = "".join(f"{_DIGITS.index(sign):05b}" for sign in signs)
    head = _PAGE_BITS + _COUNT_BITS
    count = int(bits[_PAGE_BITS:head] or "0", 2)
    end = head + 2 * count
    length = end + _CHECK_BITS
    if not count or len(bits) - length not in range(5):
        raise CodeError(f"{code.strip()!r} is no result code: some of its signs are missing, or too many")
    if _check(bits[:end]) != bits[end:length] or "1" in bits[length:]:
        raise CodeError(f"{code.strip()!r} is no result code: a sign of it is wrong")
    marks = tuple(Mark(int(bits[n : n + 2], 2)) for n in range(head, end, 2))
    return Result(int(bits[:_PAGE_BITS], 2), marks)


def _check(bits: str) -> str:
    return f"{zlib.crc32(bits.encode()) & ((1 << _CHECK_BITS) - 1):0{_CHECK_BITS}b}"


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A line of what a class has handed in: a name, and a result or what is wrong with it."""

    name: str
    result: Result | None
    problem: str


_DASH = "[-\u2010-\u2015\u2212]"
_CODE = re.compile(rf"(?<!\w)(?:[0-9A-Za-z]{{4}}{_DASH})+[0-9A-Za-z]{{1,4}}(?!\w)")


def read_list(text: str) -> tuple[HandedIn, ...]:
    """Return the results in a pasted list: each line a name and a code, in either order.

    Examples
    --------
    >>> [line] = read_list("小明：D7Y9-1XGQ-T0")
    >>> line.name, line.result.right, line.result.at_once
    ('小明', 2, 1)
    """
    return tuple(
        _read_line(unicodedata.normalize("NFKC", line)) for line in text.splitlines() if line.strip()
    )


def _read_line(line: str) -> HandedIn:
    handed_in = HandedIn(line.strip(), None, "no result code")
    # A date may look like a code, but does not stand the check.
    for found in _CODE.finditer(line):
        rest = f"{line[: found.start()]} {line[found.end() :]}"
        name = re.sub(r"\s+", " ", rest).strip(" ,;:|\"'")
        try:
            return HandedIn(name, decode(found[0]), "")
        except CodeError as error:
            handed_in = HandedIn(name, None, str(error))
    return handed_in
