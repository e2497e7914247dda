"""What the directives for projects and for blocks share: a drawn script as a node."""

from typing import Any

from docutils import nodes
from sphinx.config import Config
from sphinx.transforms import SphinxTransform
from sphinx.writers.html5 import HTML5Translator

from edukit.sphinxext.common import interface_text


class scratch_script(nodes.General, nodes.Element):
    """A script: drawn in ``html``, called ``label``; its child is the same as block text."""


def script_node(drawn: str, label: str, text: str) -> scratch_script:
    """Return the node of a script."""
    block = nodes.literal_block(text, text, language="none", translatable=False)
    return scratch_script("", block, html=drawn, label=label)


def block_language(config: Config) -> str:
    """Return the language of the blocks: that of the page where there are words for it, else English."""
    return "zh_CN" if config.language == "zh_CN" else "en"


class KeepOwnWords(SphinxTransform):
    """Keep block text out of the catalogs of projects that translate their literal blocks.

    It is in the page's language already. Sphinx marks the blocks at 10 and looks for messages at 20.
    """

    default_priority = 15

    def apply(self, **kwargs: Any) -> None:
        """Take the marks away."""
        for script in self.document.findall(scratch_script):
            for block in script.findall(nodes.literal_block):
                block["translatable"] = False


def visit_script(self: HTML5Translator, node: nodes.Element) -> None:
    """Write the picture in place of the text."""
    label = {"role": "group", "aria-label": node["label"]}
    self.body.append(self.starttag(node, "div", "", CLASS="sb-script", **label))
    self.body.append(node["html"])
    if node["ids"]:
        text = self.encode(interface_text("Link to this script", self.config.language))
        self.body.append(f'<a class="sb-link" href="#{node["ids"][0]}">{text}</a>')
    self.body.append("</div>\n")
    raise nodes.SkipNode


def pass_through(self: Any, node: nodes.Element) -> None:
    """Let the children speak."""


def skip(self: Any, node: nodes.Element) -> None:
    """Leave out what has a meaning in HTML alone."""
    raise nodes.SkipNode
