r"""One formula from LaTeX to MathML.

math-core does the conversion. What comes before it is here: what Sphinx and MyST allow beyond a
formula of plain LaTeX is written out, and the place of a mistake is told in what the author typed.
"""

import functools
import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from xml.etree import ElementTree

from math_core import LatexError, LatexToMathML

# The outer environments fill the line and number their rows. The number is Sphinx's work and the line
# is the page's, so these are replaced by what stands inside of a formula.
_ENVIRONMENTS = {
    "align": r"aligned",
    "alignat": r"aligned",
    "alignedat": r"aligned",
    "eqnarray": r"array",
    "equation": "",
    "flalign": r"aligned",
    "gather": r"gathered",
    "multline": r"multline*",
    "split": r"aligned",
    "subequations": "",
}

# What math-core writes as inline styles, and the classes of math.css that mean the same.
_STYLES = {
    "width: 100%": "edukit-math-wide",
    "width: 50%": "edukit-math-half",
    "width: 7.5%": "edukit-math-margin",
    "text-align: left;justify-items: start;padding-right: 0;": "edukit-math-left edukit-math-close-right",
    "text-align: left;justify-items: start;padding-right: 0;padding-left:1em;": "edukit-math-case",
    "text-align: left;justify-items: start;": "edukit-math-left",
    "text-align: right;justify-items: end;": "edukit-math-right",
    "text-align: left;justify-items: start;padding-left: 0;": "edukit-math-left edukit-math-close-left",
    "text-align: right;justify-items: end;padding-right: 0;": "edukit-math-right edukit-math-close-right",
}


class FormulaError(Exception):
    """A formula that cannot be read.

    Parameters
    ----------
    reason
        What is wrong.
    latex
        The formula as it was typed.
    position
        Which of its characters it is wrong at, from 0; its length when something is missing.
    """

    def __init__(self, reason: str, latex: str, position: int) -> None:
        super().__init__(reason, latex, position)
        self.reason = reason
        self.latex = latex
        self.position = position

    def __str__(self) -> str:
        lines = self.latex[: self.position].split("\n")
        place = f"character {len(lines[-1]) + 1}"
        if "\n" in self.latex.strip():
            place = f"line {len(lines)} of the formula, {place}"
        rest = " ".join(self.latex[self.position :].split())
        found = f"at “{rest[:24]}{'…' if len(rest) > 24 else ''}”" if rest else "at the end"
        return f"{self.reason[:1].lower()}{self.reason[1:].rstrip('.')} ({place}, {found})"


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula as the page shows it.

    Parameters
    ----------
    mathml
        The ``<math>`` element.
    latex
        What copying gives: a formula that LaTeX and Markdown read, with its dollars.
    width
        How wide it is, roughly, in letters.
    """

    mathml: str
    latex: str
    width: float


def convert(
    latex: str,
    *,
    block: bool = False,
    whole: bool = False,
    xml: bool = False,
    macros: Mapping[str, str] | None = None,
) -> Formula:
    r"""Convert a formula.

    Parameters
    ----------
    latex
        The formula as it was typed.
    block
        Whether it stands on its own lines. Then blank lines separate formulas, and rows that end with
        ``\\`` are aligned at their ``&`` without an environment.
    whole
        Whether a block brings its own environment, such as ``\begin{align}``.
    xml
        Whether the element names its namespace, as XHTML wants.
    macros
        Commands of the project: ``{"R": r"\mathbb{R}", "norm": r"\lVert #1 \rVert"}``.

    Raises
    ------
    FormulaError
        The formula cannot be read.

    Examples
    --------
    >>> convert("x^2").mathml
    '<math alttext="x^2"><semantics><msup><mi>x</mi><mn>2</mn></msup>...
    >>> convert(r"\begin{align} a &= b \end{align}", block=True, whole=True).latex
    '\\begin{align} a &= b \\end{align}'
    >>> convert(r"\norm{x", macros={"norm": r"\lVert #1 \rVert"})
    Traceback (most recent call last):
    edukit.sphinxext.mathml.latex.FormulaError: expected closing token "}", ... (character 8, at the end)
    """
    return _convert(latex, block, whole, xml, tuple(sorted((macros or {}).items())))


@functools.lru_cache(maxsize=4096)
def _convert(
    latex: str, block: bool, whole: bool, xml: bool, macros: tuple[tuple[str, str], ...]
) -> Formula:
    source = _Traced(latex, range(len(latex) + 1))
    if block:
        source = _rows(source, whole)
    copied = source.text.strip()
    source = _as_math_core_knows_it(source)
    try:
        mathml = converter(macros, xml).convert_with_local_state(source.text, displaystyle=block)
    except LatexError as error:
        raise _placed(error, source, latex) from None
    dollars = "" if whole else "$$" if block else "$"
    mathml, width = _finished(mathml, copied, xml)
    return Formula(mathml, f"{dollars}{copied}{dollars}", width)


@functools.cache
def converter(macros: tuple[tuple[str, str], ...], xml: bool) -> LatexToMathML:
    """Return math-core's converter; raises its ``LatexError`` for a macro that cannot be read."""
    return LatexToMathML(macros=dict(macros), xml_namespace=xml, annotation=False, fancy_error=False)


def _placed(error: LatexError, source: "_Traced", latex: str) -> FormulaError:
    position, separator, reason = str(error).partition(": ")
    if not separator or not position.isdecimal():
        return FormulaError(" ".join(str(error).split()), latex, 0)
    at = source.origins[min(int(position), len(source.text))]
    return FormulaError(" ".join(reason.split()), latex, at)


def _finished(mathml: str, latex: str, xml: bool) -> tuple[str, float]:
    # XHTML, and so EPUB, knows only five entities by name.
    mathml = re.sub(r"&(?!(?:lt|gt|amp|quot|apos);)[A-Za-z]+;", lambda name: html.unescape(name[0]), mathml)
    # A policy that forbids inline styles must not break tables.
    for style, classes in _STYLES.items():
        mathml = mathml.replace(f' style="{style}"', f' class="{classes}"')
    start = mathml.index(">") + 1
    head, body = mathml[: start - 1], mathml[start:].removesuffix("</math>")
    shown = ElementTree.fromstring(f"<mrow>{body}</mrow>")
    width = _width(shown)
    if xml:
        shown = _in_mathml_3(shown)
        body = "".join(ElementTree.tostring(child, encoding="unicode") for child in shown)
    # <semantics> shows its first child and keeps the rest for programs.
    if len(shown) != 1:
        body = f"<mrow>{body}</mrow>"
    note = f'<annotation encoding="application/x-tex">{html.escape(latex, quote=False)}</annotation>'
    alternative = html.escape(" ".join(latex.split()))
    return f'{head} alttext="{alternative}"><semantics>{body}{note}</semantics></math>', width


def _in_mathml_3(element: ElementTree.Element) -> ElementTree.Element:
    """Move attributes that every element has in MathML Core to an element that had them before.

    Books are checked against MathML 3.
    """
    for index, child in enumerate(list(element)):
        moved = _in_mathml_3(child)
        if child.tag != "mstyle":
            names = [name for name in ("displaystyle", "scriptlevel") if name in child.attrib]
            if names:
                style: dict[str, str] = {name: child.attrib.pop(name) for name in names}
                moved = ElementTree.Element("mstyle", style)
                moved.append(child)
        element[index] = moved
    return element


def _width(element: ElementTree.Element) -> float:
    """Guess the width of what an element shows, in letters."""
    name = element.tag.rpartition("}")[2]
    widths = [_width(child) for child in element]
    if name == "mtable":
        cells = [[_width(cell) for cell in row] for row in element]
        columns = max(map(len, cells), default=0)
        return sum(max((row[i] for row in cells if i < len(row)), default=0) + 1 for i in range(columns))
    if name in {"mfrac", "munder", "mover", "munderover"}:
        return max(widths, default=0)
    if name in {"msub", "msup", "msubsup", "mmultiscripts"}:
        return widths[0] + 0.7 * sum(widths[1:]) if widths else 0
    text = (element.text or "").strip()
    # An operator stands between spaces; a Chinese character is as wide as two letters.
    own = sum(2 if character > "⺀" and character < "\uffff" else 1 for character in text)
    return own + sum(widths) + (1 if name == "mo" and text not in "()[]{}|,.′⁡" else 0)


# -- what was typed and what is converted -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Traced:
    """A text that knows where each of its characters (and its end) stood in the text it was made from."""

    text: str
    origins: range | tuple[int, ...]

    def sub(self, pattern: str, replacement: Callable[[re.Match[str]], str]) -> "_Traced":
        text, last = "", 0
        origins: list[int] = []
        for match in re.finditer(pattern, self.text, re.DOTALL):
            new = replacement(match)
            text += self.text[last : match.start()] + new
            origins += self.origins[last : match.start()]
            # Parts of the match that stay in order keep their places.
            old = match.start()
            for character in new:
                found = self.text.find(character, old, match.end())
                old = found if found >= 0 else old
                origins.append(self.origins[old])
            last = match.end()
        return _Traced(text + self.text[last:], (*origins, *self.origins[last:]))

    def cut(self, start: int, stop: int) -> "_Traced":
        return _Traced(self.text[start:stop], tuple(self.origins[start : stop + 1]))

    def around(self, before: str, after: str) -> "_Traced":
        first, last = self.origins[0], self.origins[-1]
        origins = (*[first] * len(before), *self.origins[:-1], *[last] * (len(after) + 1))
        return _Traced(before + self.text + after, origins)

    def __add__(self, other: "_Traced") -> "_Traced":
        return _Traced(self.text + other.text, (*self.origins[:-1], *other.origins))


def _rows(source: _Traced, whole: bool) -> _Traced:
    """Put rows into the environment that Sphinx allows to leave out."""
    if whole:
        return source
    parts = [
        source.cut(match.start(), match.end())
        for match in re.finditer(r"\S(?:.*?\S)??(?=\s*\Z|[ \t]*\n[ \t]*\n)", source.text, re.DOTALL)
    ]
    if not parts:
        return source
    if len(parts) == 1 and not _has_rows(parts[0].text):
        return parts[0]
    joined = parts[0]
    for part in parts[1:]:
        joined = joined.around("", "\\\\\n") + part
    environment = "aligned" if any("&" in _outside(part.text) for part in parts) else "gathered"
    return joined.around(f"\\begin{{{environment}}}\n", f"\n\\end{{{environment}}}")


def _outside(latex: str) -> str:
    r"""Return what stands outside of all braces and environments.

    >>> _outside(r"a &= \begin{cases} 1 & x \\ 2 \end{cases} \\ \text{b & c} d")
    'a &=  \\\\ \\text d'
    """
    depth, outside = 0, ""
    for token in re.findall(r"\\begin\s*\{.*?\}|\\end\s*\{.*?\}|\\.|.", latex, re.DOTALL):
        opens = token == "{" or token.startswith("\\begin")
        closes = token == "}" or token.startswith("\\end")
        depth += opens - closes
        if depth == 0 and not opens and not closes:
            outside += token
    return outside


def _has_rows(latex: str) -> bool:
    outside = _outside(latex)
    return "\\\\" in outside or "&" in re.sub(r"\\.", "", outside)


def _as_math_core_knows_it(source: _Traced) -> _Traced:
    def environment(match: re.Match[str]) -> str:
        verb, name, count = match[1], match[2], match[3] or ""
        inner = _ENVIRONMENTS.get(name)
        if inner is None:
            return match[0]
        if not inner:
            return ""
        columns = "{rcl}" if inner == "array" and verb == "begin" else ""
        return f"\\{verb}{{{inner}}}{columns}" + ("" if name.endswith("at") else count)

    def words(match: re.Match[str]) -> str:
        command, inside = match[1].replace("mbox", "text"), match[2]
        if "$" not in inside:
            return f"\\{command}{{{inside}}}"
        pieces = re.split(r"(?<!\\)\$", inside)
        texts = [f"\\{command}{{{piece}}}" if i % 2 == 0 else piece for i, piece in enumerate(pieces)]
        return "{" + "".join(texts) + "}"

    # Numbers and labels are Sphinx's.
    source = source.sub(r"\\(?:label\s*\{[^{}]*\}|(?:notag|nonumber)(?![A-Za-z]))", lambda match: "")
    source = source.sub(r"\\(begin|end)\s*\{(\w+)\*?\}((?:\{\d+\})?)", environment)
    # math-core knows no formula inside of words.
    return source.sub(r"\\(text\w*|mbox)\s*\{((?:[^{}]|\{[^{}]*\})*)\}", words)
