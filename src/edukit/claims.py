"""Measurements that examples record, and the claims that they decide.

An example measures, and says what it expects to find::

    from edukit.claims import measure

    ratio = measure("layers-widened", widened / narrow, expect=3.997, within=0.001)

A measurement that misses its expectation raises :class:`ClaimError` with the numbers: the example
fails, and whatever runs it. A page cites a measurement by its name and types no number of its own. A
*claim* on a page says what somebody states, whether it is right, and which measurements decide it.

:func:`recording` collects what an example measures, :func:`write` and :func:`read` keep it in a file,
:func:`run` runs a script for it, and :func:`read_claims` finds the claims of a page.
"""

import json
import math
import numbers
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

__all__ = [
    "VERDICTS",
    "Claim",
    "ClaimError",
    "Measurement",
    "PageError",
    "format_value",
    "measure",
    "read",
    "read_claims",
    "recording",
    "run",
    "section_key",
    "write",
]

_Number = TypeVar("_Number")

#: What can be said of a claim.
VERDICTS = ("true", "imprecise", "false", "open")

#: What the file of an example's measurements has in place of the script's suffix.
SUFFIX = ".measured.json"


class ClaimError(AssertionError):
    """A measurement that missed its expectation; the message holds the numbers."""


# -- measuring -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measurement:
    """A number with a name, and what was expected of it.

    Attributes
    ----------
    name : str
        By which pages cite it; unique among all examples.
    value : int or float
        What was measured.
    expect, within : float, optional
        The value should not differ from `expect` by more than `within`; not at all without it.
    below, above : float, optional
        The value should be less than `below` and greater than `above`.
    unit : str
        Of the value; empty for a plain number.
    """

    name: str
    value: int | float
    expect: int | float | None = None
    within: int | float | None = None
    below: int | float | None = None
    above: int | float | None = None
    unit: str = ""

    @property
    def is_held_to_account(self) -> bool:
        """Whether anything is expected of the value."""
        return not (self.expect is None and self.below is None and self.above is None)

    @property
    def holds(self) -> bool:
        """Whether the value is as expected; NaN never is."""
        if not math.isfinite(self.value):
            return False
        return (
            (self.expect is None or abs(self.value - self.expect) <= (self.within or 0))
            and (self.below is None or self.value < self.below)
            and (self.above is None or self.value > self.above)
        )

    @property
    def expectation(self) -> str:
        """What is expected, as a short formula; empty when nothing is."""
        parts = []
        if self.expect is not None:
            parts.append(f"= {self.expect!r}" + (f" ± {self.within!r}" if self.within else ""))
        if self.above is not None:
            parts.append(f"> {self.above!r}")
        if self.below is not None:
            parts.append(f"< {self.below!r}")
        return ", ".join(parts)

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        expected = f", expected {self.expectation}" if self.expectation else ""
        return f"{self.name} is {self.value!r}{unit}{expected}"


@dataclass(slots=True)
class _Recorder:
    """What is measured while it is open."""

    found: list[Measurement]
    keeps_going: bool


_recorders: list[_Recorder] = []


def measure(
    name: str,
    value: _Number,
    *,
    expect: float | None = None,
    within: float | None = None,
    below: float | None = None,
    above: float | None = None,
    unit: str = "",
) -> _Number:
    """Record a measurement and hold it to what is expected of it.

    Parameters
    ----------
    name : str
        By which pages cite it: one line without colon, comma or backtick.
    value : real number
        What was measured.
    expect, within : real number, optional
        The value must not differ from `expect` by more than `within`; not at all when that is left out.
    below, above : real number, optional
        The value must be less than `below`, and greater than `above`.
    unit : str, optional
        Of the value, such as ``"ms"``.

    Returns
    -------
    value : real number
        As given, so that the call can stand where the value is used.

    Raises
    ------
    ClaimError
        If the value is not as expected, or is NaN or infinite.
    TypeError, ValueError
        If an argument cannot be used, or two measurements of one recording have the same name.

    Examples
    --------
    >>> from edukit.claims import measure
    >>> measure("wavelength-first", 6.2832, expect=6.283185, within=1e-4)
    6.2832
    >>> measure("wavelength-first", 6.4, expect=6.283185, within=1e-4)
    Traceback (most recent call last):
    ...
    edukit.claims.ClaimError: wavelength-first is 6.4, expected = 6.283185 ± 0.0001
    """
    measurement = Measurement(
        _name(name),
        _number("value", value),
        **{
            key: None if bound is None else _number(key, bound)
            for key, bound in (("expect", expect), ("within", within), ("below", below), ("above", above))
        },
        unit=unit,
    )
    if within is not None and expect is None:
        raise ValueError("within says how far the value may be from expect, which is not given")
    if measurement.within is not None and not measurement.within >= 0:
        raise ValueError(f"within must not be negative, not {within!r}")
    keeps_going = False
    if _recorders:
        recorder = _recorders[-1]
        keeps_going = recorder.keeps_going
        if any(known.name == measurement.name for known in recorder.found):
            raise ValueError(f"the name {name!r} is taken: each measurement needs one of its own")
        recorder.found.append(measurement)
    if not measurement.holds and not keeps_going:
        raise ClaimError(str(measurement))
    return value


@contextmanager
def recording(*, keep_going: bool = False) -> Iterator[list[Measurement]]:
    """Collect what is measured inside the block.

    Parameters
    ----------
    keep_going : bool, optional
        Record a measurement that misses its expectation instead of raising.

    Yields
    ------
    list of Measurement
        In the order of measuring; it grows while the block runs.
    """
    recorder = _Recorder([], keep_going)
    _recorders.append(recorder)
    try:
        yield recorder.found
    finally:
        _recorders.remove(recorder)


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"name must be a string, not {name!r}")
    if not name.strip() or name != name.strip() or re.search(r"[`:,\n\r]", name):
        raise ValueError(
            f"name must be one line without colon, comma, backtick or blanks around it, not {name!r}"
        )
    return name


def _number(name: str, value: Any) -> int | float:
    if getattr(value, "ndim", None) == 0:
        value = value.item()  # numpy's scalars, float32 ones too, and arrays without axes
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a real number, not {value!r}")
    return int(value) if isinstance(value, numbers.Integral) else float(value)


# -- keeping -----------------------------------------------------------------------------------------------


def write(path: Path, measurements: Iterable[Measurement], *, script: str) -> None:
    """Write measurements, and the name of the script that made them, into a JSON file.

    A file that already says the same is not touched, so that nothing that depends on it is made anew.
    """
    rows = [
        {key: value for key, value in asdict(measurement).items() if value not in (None, "")}
        for measurement in measurements
    ]
    text = json.dumps({"script": script, "measurements": rows}, ensure_ascii=False, indent=1) + "\n"
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8", newline="\n")


def read(path: Path) -> tuple[str, tuple[Measurement, ...]]:
    """Return the script and the measurements that :func:`write` has kept.

    Raises
    ------
    ValueError
        If the file is not one of those.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return str(data["script"]), tuple(Measurement(**row) for row in data["measurements"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} does not hold measurements: {error}") from None


_RUN = """
import runpy, sys
from pathlib import Path
from edukit import claims
script, out = sys.argv[1:]
sys.argv[1:] = []
sys.path.insert(0, str(Path(script).parent))
with claims.recording(keep_going=True) as found:
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        claims.write(Path(out), found, script=script)
"""


def run(script: Path) -> tuple[tuple[Measurement, ...], str]:
    """Run an example in a process of its own and return what it measured.

    Returns
    -------
    measurements : tuple of Measurement
        Those that miss their expectation too.
    error : str
        The last lines of the error with which the script ended; empty when it went well.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "measured.json"
        done = subprocess.run(
            [sys.executable, "-c", _RUN, str(script), str(out)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "MPLBACKEND": "agg", "PYTHONIOENCODING": "utf-8"},
        )
        measurements = read(out)[1] if out.is_file() else ()
    if not done.returncode:
        return measurements, ""
    last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
    return measurements, last[0] if last else f"exit status {done.returncode}"


# -- showing -----------------------------------------------------------------------------------------------


def format_value(value: float, spec: str = "") -> tuple[str, str]:
    """Return a number as text, and its power of ten where it has one.

    Parameters
    ----------
    value : int or float
        The number.
    spec : str, optional
        A format specification of Python's, such as ``.2f``, ``,`` or ``.1%``. Left out, an integer is
        grouped by thousands and any other number has three significant digits.

    Returns
    -------
    digits, exponent : str
        `exponent` is empty unless the format writes a power of ten. `digits` is empty when the number is
        that power itself.

    Raises
    ------
    ValueError
        If `spec` is not a format for numbers.

    Examples
    --------
    >>> format_value(109482240), format_value(-0.07196), format_value(1.35e-7), format_value(1e-16, ".0e")
    (('109,482,240', ''), ('−0.072', ''), ('1.35', '−7'), ('', '−16'))
    """
    text = format(value, spec or ("," if isinstance(value, int) else ".3g"))
    digits, _, exponent = text.partition("e")
    if exponent:
        exponent = str(int(exponent)).replace("-", "\N{MINUS SIGN}")
    if exponent and digits == "1":
        digits = ""
    return digits.replace("-", "\N{MINUS SIGN}"), exponent


_SUPERSCRIPTS = str.maketrans("0123456789\N{MINUS SIGN}", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def plain_value(value: float, spec: str = "") -> str:
    """Return a number as one line of plain text.

    Examples
    --------
    >>> plain_value(1.35e-7), plain_value(1e-16, ".0e")
    ('1.35 × 10⁻⁷', '10⁻¹⁶')
    """
    digits, exponent = format_value(value, spec)
    if not exponent:
        return digits
    return (f"{digits} × " if digits else "") + "10" + exponent.translate(_SUPERSCRIPTS)


_ROLE = re.compile(r"\{measured\}`([^`:]+)(?::([^`]*))?`")
# Links that a terminal cannot follow: what they say is enough there.
_LINK = re.compile(r"\{(?:term|doc|func|class|ref|cite:[a-z]+)\}`~?([^`<]+?)(?:\s*<[^`>]*>)?`")


def fill_in(text: str, measured: Mapping[str, Measurement]) -> str:
    """Return a text of a page with the numbers that it cites; what is not known stays as it is.

    Examples
    --------
    >>> measured = {"height": Measurement("height", 7.25)}
    >>> fill_in("The {term}`oak <tree>` is {measured}`height:.1f` m tall.", measured)
    'The oak is 7.2 m tall.'
    """

    def number(role: re.Match[str]) -> str:
        one = measured.get(role[1].strip())
        return plain_value(one.value, (role[2] or "").strip()) if one else role[0]

    return _LINK.sub(r"\1", _ROLE.sub(number, text))


# -- the claims of a page ----------------------------------------------------------------------------------


class PageError(ValueError):
    """A claim on a page that cannot be read.

    Parameters
    ----------
    path, line
        Where.
    message
        What is wrong there and what to do.
    """

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class Claim:
    """What somebody states, and what is to be said of it.

    Attributes
    ----------
    section : str
        Where it is stated, such as ``"4.1"``.
    verdict : str
        One of :data:`VERDICTS`.
    statement : str
        What is claimed.
    correction : tuple of str
        What is right, a paragraph each.
    source : str
        The primary source.
    measured : tuple of str
        The names of the measurements that decide it.
    path, line
        Where it is written.
    """

    section: str
    verdict: str
    statement: str
    correction: tuple[str, ...]
    source: str
    measured: tuple[str, ...]
    path: Path
    line: int


_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,}|:{3,})\s*(?:\{(?P<name>[^}]*)\}\s*(?P<argument>.*))?")
_OPTION = re.compile(r":(?P<key>[a-z]+):\s*(?P<value>.*)")


def read_claims(path: Path) -> tuple[Claim, ...]:
    """Return the claims of a MyST page, read from its ``claim`` directives.

    Raises
    ------
    PageError
        If a claim is incomplete, has a verdict that is not known, or is never closed.
    """
    found = []
    lines = path.read_text(encoding="utf-8").split("\n")
    open_fences: list[str] = []
    start = 0
    while start < len(lines):
        line = lines[start].strip()
        start += 1
        if open_fences and _closes(line, open_fences[-1]):
            open_fences.pop()
            continue
        opening = _FENCE.fullmatch(line)
        if opening is None:
            continue
        name, fence = opening["name"], opening["fence"]
        if name in _CONTAINERS:
            open_fences.append(fence)
            continue
        end = next((n for n in range(start, len(lines)) if _closes(lines[n].strip(), fence)), None)
        if name == "claim":
            if end is None:
                raise PageError(path, start, f"this claim never ends: close it with a line of {fence}")
            found.append(_claim(path, start, opening["argument"], lines[start:end]))
        # What stands in any other fence is shown, and not meant.
        if end is not None:
            start = end + 1
    return tuple(found)


# Where a claim may stand inside.
_CONTAINERS = {
    *("admonition", "attention", "caution", "danger", "error", "hint", "important", "note", "seealso"),
    *("tip", "topic", "sidebar", "warning", "only", "versionadded", "versionchanged"),
    *("card", "details", "dropdown", "grid", "grid-item", "tab-item", "tab-set"),
}


def _closes(line: str, fence: str) -> bool:
    return len(line) >= len(fence) and not line.strip(fence[0])


def _claim(path: Path, line: int, section: str, lines: list[str]) -> Claim:
    options: dict[str, str] = {}
    body = [one.strip() for one in lines]
    while body and (option := _OPTION.fullmatch(body[0])):
        options[option["key"]] = option["value"]
        body.pop(0)
    paragraphs = re.sub(r"\n{2,}", "\n\n", "\n".join(body).strip()).split("\n\n")
    paragraphs = [re.sub(r"\s*\n\s*", " ", text) for text in paragraphs if text]
    claim = Claim(
        section.strip(),
        options.get("verdict", "").strip(),
        paragraphs[0] if paragraphs else "",
        tuple(paragraphs[1:]),
        options.get("source", "").strip(),
        names(options.get("measured", "")),
        path,
        line,
    )
    if problem := fault(claim):
        raise PageError(path, line, problem)
    return claim


def names(text: str) -> tuple[str, ...]:
    """Return the names of measurements in a list parted by commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def fault(claim: Claim) -> str:
    """Return what is wrong with a claim and what to do about it; nothing when it is in order."""
    if not claim.section:
        return "a claim says in which section it is stated, as {claim} 4.1"
    if claim.verdict not in VERDICTS:
        return f"the verdict of a claim is {', '.join(VERDICTS[:-1])} or open, not {claim.verdict!r}"
    if not claim.statement:
        return "a claim begins with what is claimed, in a paragraph of its own"
    if claim.verdict in ("false", "imprecise") and not claim.correction:
        return f"a claim that is {claim.verdict} needs a second paragraph that says what is right"
    if not claim.source and not claim.measured:
        return "nothing decides this claim: name measurements with :measured: or a source with :source:"
    return ""


def section_key(section: str) -> tuple[tuple[int, int, str], ...]:
    """Return what sections are sorted by: numbers by their size, words behind them.

    Examples
    --------
    >>> sorted(["10", "further", "2.3", "2"], key=section_key)
    ['2', '2.3', '10', 'further']
    """
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in section.split(".") if part
    )
