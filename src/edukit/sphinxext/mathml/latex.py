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
    "align": "aligned",
    "alignat": "aligned",
    "alignedat": "aligned",
    "eqnarray": "array",
    "equation": "",
    "flalign": "aligned",
    "gather": "gathered",
    "multline": "multline*",
    # The only one whose letters are small.
    "smallmatrix": "subarray",
    "split": "aligned",
    "subequations": "",
}
_COLUMNS = {"eqnarray": "{rcl}", "smallmatrix": f"{{{'c' * 10}}}"}

# A letter that no formula has tells the wide tilde, which math-core lacks, from the wide hat.
_WIDE_TILDE = "\ue000"

# What it lacks besides, in its own words.
_MACROS = {
    "dotsb": r"\cdots",
    "dotsc": r"\ldots",
    "dotsi": r"\cdots",
    "dotsm": r"\cdots",
    "dotso": r"\ldots",
    "hdots": r"\ldots",
    "pmb": r"\boldsymbol{#1}",
    "widetilde": rf"\widehat{{\text{{{_WIDE_TILDE}}}#1}}",
}

# What is not the work of a formula on a page, and whose it is.
_INSTEAD = {
    "tag": "numbers are given by the page: give the formula a label in place of a number of its own",
    "ref": "write the reference in the text: a formula cannot hold one",
    "href": "put the link around words of the text: a formula cannot hold one",
    "intertext": "end the formula, write the words as text, and begin another formula",
    "DeclareMathOperator": r"write \operatorname{…}, or define the name in edukit_math_macros",
}
_INSTEAD |= {
    "eqref": _INSTEAD["ref"],
    "url": _INSTEAD["href"],
    "shortintertext": _INSTEAD["intertext"],
}

# What math-core writes as inline styles, and the classes of math.css that mean the same.
_STYLES = {
    "width: 100%": "wide",
    "width: 50%": "half",
    "width: 7.5%": "margin",
    "text-align: left": "left",
    "text-align: right": "right",
    "justify-items: start": "",  # said by the two before
    "justify-items: end": "",
    "padding-left: 0": "close-left",
    "padding-right: 0": "close-right",
    "padding-left: 0.1em": "near-left",
    "padding-right: 0.1em": "near-right",
    "padding-left:1em": "case",
    "padding-left:0": "close-left",
    "padding-right:0": "close-right",
    "padding-left:0.1667em": "thin-left",
    "padding-right:0.1667em": "thin-right",
    "padding-left:0.2778em": "thick-left",
    "padding-right:0.2778em": "thick-right",
    "padding-top: 0.1667em": "thin-top",
    "margin-left:-0.16666667em": "back",
    "padding-top: 0": "close",
    "padding-bottom: 0": "",
    **{
        f"border-{side}: 0.05em {kind} currentcolor": f"{kind}-{side}"
        for side in ("left", "right", "top", "bottom")
        for kind in ("solid", "dashed")
    },
}

# What math-core writes into words, and what MathML calls it.
_FACES = {"b": "bold", "i": "italic", "em": "italic", "code": "monospace", "span": "sans-serif"}


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
    _refuse(source, latex, macros)
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
    # Those of the project first: an error names a macro by its number.
    known = {**dict(macros), **{name: _MACROS[name] for name in _MACROS.keys() - dict(macros).keys()}}
    return LatexToMathML(macros=known, xml_namespace=xml, annotation=False, fancy_error=False)


def _refuse(source: "_Traced", latex: str, macros: tuple[tuple[str, str], ...]) -> None:
    for match in re.finditer(r"\\\\|\\([A-Za-z]+)", source.text):
        if match[1] in _INSTEAD and match[1] not in dict(macros):
            raise FormulaError(_INSTEAD[match[1]], latex, source.origins[match.start()])


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
    mathml = re.sub(r' style="([^"]*)"', _without_style, mathml)
    mathml = re.sub(
        r"<mtext>(<[a-z].*?)</mtext>", lambda match: _words(match[1], xml), mathml, flags=re.DOTALL
    )
    mathml = re.sub(r'<mrow class="menclose-\w+"></mrow>', "", mathml)  # drawn by math.css
    start = mathml.index(">") + 1
    head, body = mathml[: start - 1], mathml[start:].removesuffix("</math>")
    shown = ElementTree.fromstring(f"<mrow>{body}</mrow>")
    mended = False
    if _WIDE_TILDE in body:
        _set_wide_tildes(shown)
        mended = True
    if "-top" in body:
        mended = _close_tables(shown) or mended
    width = _width(shown)
    if xml:
        shown = _in_mathml_3(shown)
    if xml or mended:
        body = "".join(ElementTree.tostring(child, encoding="unicode") for child in shown)
    # <semantics> shows its first child and keeps the rest for programs.
    if len(shown) != 1:
        body = f"<mrow>{body}</mrow>"
    note = f'<annotation encoding="application/x-tex">{html.escape(latex, quote=False)}</annotation>'
    alternative = html.escape(" ".join(latex.split()))
    return f'{head} alttext="{alternative}"><semantics>{body}{note}</semantics></math>', width


def _without_style(match: re.Match[str]) -> str:
    attributes, rest = "", []
    classes: list[str] = []
    for declaration in filter(None, match[1].split(";")):
        if declaration in _STYLES:
            classes += [f"edukit-math-{_STYLES[declaration]}"] if _STYLES[declaration] else []
        elif declaration.startswith("color:"):
            attributes += f' mathcolor="{declaration.removeprefix("color:")}"'
        else:
            rest.append(declaration)
    attributes += f' class="{" ".join(classes)}"' if classes else ""
    return attributes + (f' style="{";".join(rest)}"' if rest else "")


def _words(inside: str, xml: bool) -> str:
    """Say how words look by an attribute: books allow no HTML here, and themes dress it up."""
    faces: list[str] = []
    while match := re.fullmatch(r'<(b|i|em|code|span)(?: class="([^"]*)")?>(.*)</\1>', inside, re.DOTALL):
        if match[1] != "span" or "sans" in match[2]:
            faces.append(_FACES[match[1]])
        inside = match[3]
    if not faces:
        return f"<mtext>{inside}</mtext>"
    if xml:
        face = "bold-italic" if {"bold", "italic"} <= set(faces) else faces[-1]
        return f'<mtext mathvariant="{face}">{inside}</mtext>'
    return f'<mtext class="{" ".join(f"edukit-math-{face}" for face in faces)}">{inside}</mtext>'


def _set_wide_tildes(shown: ElementTree.Element) -> None:
    """Turn the hat over a letter that stands for a wide tilde into one, and take the letter away."""
    for mover in list(shown.iter("mover")):
        first = mover[0][0] if len(mover[0]) else None
        if first is not None and first.tag == "mtext" and first.text == _WIDE_TILDE:
            mover[0].remove(first)
            mover[1].text = "~"  # the only tilde that browsers let grow; the font draws it flat


def _close_tables(shown: ElementTree.Element) -> bool:
    r"""Draw the line of a last ``\\hline`` below the table: math-core begins another row with it."""
    closed = False
    for table in shown.iter("mtable"):
        last = table[-1]
        line = (
            re.match(r"edukit-math-(solid|dashed)-top\b", last[0].get("class", ""))
            if len(last) == 1
            else None
        )
        if line and not len(last[0]) and len(table) > 1:
            table.remove(last)
            table.set("class", f"{table.get('class', '')} edukit-math-{line[1]}-bottom".strip())
            closed = True
    return closed


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


# What stands in braces, with braces in it to some depth.
_BRACES = r"(?:[^{}]|\{[^{}]*\})*"
for _ in range(3):
    _BRACES = rf"(?:[^{{}}]|\{{{_BRACES}\}})*"

_LENGTH = r"\[\s*-?[\d.]+\s*(?:pt|em|ex|mu|mm|cm|in|pc|bp|\\\w+)\s*\]"


def _as_math_core_knows_it(source: _Traced) -> _Traced:
    def environment(match: re.Match[str]) -> str:
        verb, name, count = match[1], match[2], match[3] or ""
        inner = _ENVIRONMENTS.get(name)
        if inner is None:
            return f"\\{verb}{{{name}}}{count}" if name in ("aligned", "gathered") else match[0]
        if not inner:
            return ""
        columns = _COLUMNS.get(name, "") if verb == "begin" else ""
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
    # Rows have their distance from math.css, and tables stand where they stand.
    source = source.sub(rf"\\\\\*?[ \t]*{_LENGTH}|\\\\\*", lambda match: "\\\\")
    source = source.sub(
        r"\\(begin|end)\s*\{(\w+)\*?\}((?:\{\d+\})?)(?:(?<=ed\})[ \t]*\[[tcb]\])?", environment
    )
    while match := re.search(rf"\\substack\s*\{{({_BRACES})\}}", source.text):
        rows = source.cut(match.start(1), match.end(1)).around(r"\begin{subarray}{c}", r"\end{subarray}")
        source = source.cut(0, match.start()) + rows + source.cut(match.end(), len(source.text))
    # math-core knows no formula inside of words.
    return source.sub(rf"\\(text\w*|mbox)\s*\{{({_BRACES})\}}", words)
