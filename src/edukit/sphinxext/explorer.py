"""A page on which the reader turns the knobs of a position encoding and watches what they do.

````
```{position-explorer}
What stands here is shown where there is no script: a figure, a paragraph.
```
````

The script ``explorer.js`` puts controls and pictures in its place. It computes what :mod:`edukit.posenc`
computes, a test holds the two together, and it asks nothing of any other place.
"""

import json
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from edukit.sphinxext.common import add_assets, interface_text, metadata

logger = logging.getLogger(__name__)

# What the script says, by the names that it uses.
TEXTS = {
    "width": "Width d",
    "base": "Base",
    "layout": "Layout",
    "interleaved": "interleaved",
    "halves": "halves",
    "position": "Position p",
    "offset": "Offset k",
    "pair": "Pair i",
    "angle": "Angle between query and key",
    "head": "ALiBi head",
    "tableTitle": "The table",
    "tableText": "Rows are the positions 0 to {last}, columns the {width} dimensions. The lines mark the "
    "positions p and p + k, and the two columns of pair i.",
    "pairTitle": "One pair turns",
    "pairText": "From position p to p + k the hand of pair {pair} turns by {degrees} degrees.",
    "walk": "Let p walk",
    "stop": "Stop p",
    "curveTitle": "What an offset does to a score",
    "curveText": "Against the offset, from {first} to {last}: the sinusoid's dot product and the rotary "
    "score, both as a share of their largest value, and the factor by which ALiBi makes a weight smaller.",
    "sinusoid": "sinusoid",
    "rotary": "rotary",
    "alibi": "ALiBi",
    "readout": "In numbers",
    "frequency": "Angle for one step, in radians",
    "wavelength": "Positions for a full turn",
    "sine": "Sine at p",
    "cosine": "Cosine at p",
    "dot": "Dot product of the rows p and p + k",
    "rotaryScore": "Rotary score at this offset, as a share",
    "bias": "What ALiBi adds to the score",
    "factor": "Factor that this is for the weight",
}


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive and its node; only pages that have it load its script."""
    app.add_node(explorer, html=(visit_explorer, depart_explorer))
    app.add_directive("position-explorer", ExplorerDirective)
    app.connect("html-page-context", load_only_where_needed)
    add_assets(app, "explorer.css", "explorer.js")
    return metadata()


class explorer(nodes.container):
    """What is shown without a script; with one, the controls and pictures take its place."""


class ExplorerDirective(SphinxDirective):
    """Holds the text and the picture for readers without a script."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Read the content; there has to be some."""
        node = explorer(classes=["edukit-explorer"])
        self.state.nested_parse(self.content, self.content_offset, node)
        if not node.children:
            logger.error(
                "a position-explorer holds what is shown without a script: put a figure into it",
                location=self.get_location(),
                type="edukit",
                subtype="explorer",
            )
        self.set_source_info(node)
        return [node]


def visit_explorer(self: Any, node: explorer) -> None:
    """Write the words that the script needs beside what it replaces."""
    texts = {key: interface_text(text, self.config.language) for key, text in TEXTS.items()}
    self.body.append(self.starttag(node, "div", **{"data-texts": json.dumps(texts, ensure_ascii=False)}))


def depart_explorer(self: Any, node: explorer) -> None:
    """Close the block."""
    self.body.append("</div>\n")


def load_only_where_needed(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Keep every other page as light as it was."""
    if "edukit-explorer" in context.get("body", ""):
        return
    for kind in ("script_files", "css_files"):
        context[kind] = [
            file
            for file in context.get(kind, [])
            if "edukit/explorer." not in str(getattr(file, "filename", file))
        ]
