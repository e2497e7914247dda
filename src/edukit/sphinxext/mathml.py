r"""Formulas as MathML, made when the site is built: no script, read aloud, sharp at every size.

.. code-block:: python

    extensions = ["edukit.sphinxext.mathml"]
    html_math_renderer = "mathml"  # the default where the project names no other

A formula becomes a ``<math>`` element that also holds its LaTeX, so that copying gives it back:

.. code-block:: html

    <div class="math edukit-math" id="equation-norm"> <math display="block"> … </math>
      <span class="eqno">(1)</span> </div>

A formula that cannot be converted is an error at its file and line.
"""

import functools
import html
import re

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from edukit.sphinxext.common import add_assets, metadata

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set the extension up."""
    app.add_html_math_renderer(
        "mathml", inline_renderers=(visit_inline, None), block_renderers=(visit_block, None)
    )
    app.connect("config-inited", prefer_mathml)
    add_assets(app, "math.css")
    return metadata()


def prefer_mathml(app: Sphinx, config: Config) -> None:
    """Use this renderer unless the project has chosen one."""
    if config.html_math_renderer is None:
        config.html_math_renderer = "mathml"


@functools.cache
def _converter() -> LatexToMathML:
    return LatexToMathML(annotation=True, fancy_error=False)


@functools.cache
def to_mathml(latex: str, *, block: bool) -> str:
    r"""Return a formula as a ``<math>`` element.

    Parameters
    ----------
    latex
        The formula as in LaTeX's mathematics mode.
    block
        Whether it stands on its own lines.

    Raises
    ------
    math_core.LatexError
        The formula cannot be read; the error tells the position.

    Examples
    --------
    >>> to_mathml("x^2", block=False)[:40]
    '<math><semantics><msup><mi>x</mi><mn>2</'
    """
    mathml = _converter().convert_with_local_state(latex, displaystyle=block)
    # XHTML, and so EPUB, knows only five entities by name.
    return re.sub(r"&(?!(?:lt|gt|amp|quot|apos);)[A-Za-z]+;", lambda name: html.unescape(name[0]), mathml)


# The outer environments number their lines, which is Sphinx's work here; these are the same without.
_ENVIRONMENTS = {
    "align": "aligned",
    "alignat": "alignedat",
    "flalign": "aligned",
    "gather": "gathered",
    "multline": "gathered",
    "eqnarray": "aligned",
    "split": "aligned",
}


def _inner_environments(latex: str) -> str:
    latex = re.sub(r"\\(begin|end)\{equation\*?\}", "", latex)
    for outer, inner in _ENVIRONMENTS.items():
        latex = re.sub(rf"\\(begin|end)\{{{outer}\*?\}}", rf"\\\1{{{inner}}}", latex)
    return latex.strip()


def _display(node: nodes.math_block) -> str:
    """Return the LaTeX of a block: what Sphinx allows beyond LaTeX is written out."""
    latex = node.astext()
    if node.get("no-wrap", node.get("nowrap", False)):
        return _inner_environments(latex)
    # Blank lines separate formulas, and lines that end with \\ are aligned at their &.
    parts = [part.strip() for part in latex.split("\n\n") if part.strip()]
    aligned = [
        rf"\begin{{aligned}}{part}\end{{aligned}}" if r"\\" in part and r"\begin" not in part else part
        for part in map(_inner_environments, parts)
    ]
    if len(aligned) == 1:
        return aligned[0]
    return r"\begin{gathered}" + r" \\ ".join(aligned) + r"\end{gathered}"


def _convert(translator: HTML5Translator, node: nodes.Element, latex: str, *, block: bool) -> str:
    try:
        return to_mathml(latex, block=block)
    except LatexError as error:
        logger.error(
            "this formula cannot be read: %s. It is: %s",
            " ".join(str(error).split()),
            latex,
            location=node,
            type="mathml",
        )
        return str(translator.encode(latex))


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    mathml = _convert(translator, node, node.astext(), block=False)
    translator.body.append(f'<span class="math edukit-math">{mathml}</span>')
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on its own lines, with its number where it has one."""
    mathml = _convert(translator, node, _display(node), block=True)
    translator.body.append(translator.starttag(node, "div", CLASS="math edukit-math"))
    translator.body.append(f'<div class="edukit-math-formula">{mathml}</div>')
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode
