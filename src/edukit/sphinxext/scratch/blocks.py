"""The directive and the role ``scratch-blocks``: a few blocks in running text.

::

    ```{scratch-blocks}
    when @greenFlag clicked
    ask [What is your name?] and wait
    say (join [Hello, ] (answer))
    ```

    The block {scratch-blocks}`say [Hello]` makes a speech bubble.

They are written in the notation of scratchblocks, in English or Chinese, and drawn in the language of the
page. What Scratch has no words for (texts, names, notes) goes to the catalog of the page, one message
each. A role is part of its sentence and is translated with it.

The node tree::

    scratch_blocks          (notation, words)
        scratch_script      (html)  the script as block text, in a literal block

    scratch_inline          (html)  the block as block text

What cannot be read is a warning at its line, and is drawn as a block of the author's own.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from docutils import nodes, utils
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.typing import OptionSpec
from sphinx.writers.html5 import HTML5Translator

from edukit.scratch import Problem, block_text, draw_inline, draw_script, own_words, read_block_text
from edukit.scratch import with_own_words as reworded
from edukit.scratch.wording import tell
from edukit.sphinxext.common import interface_text

from .common import block_language, script_node

logger = logging.getLogger(__name__)


class scratch_blocks(nodes.General, nodes.Element, addnodes.translatable):
    """Scripts in the words of their author (``notation``), with the translations of these (``words``)."""

    def preserve_original_messages(self) -> None:
        """Keep what there is to translate."""
        self["messages"] = list(own_words(read_block_text(self["notation"]).project))

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        """Take the translation of a message."""
        self["words"][original_message] = translated_message

    def extract_original_messages(self) -> Sequence[str]:
        """Return what there is to translate."""
        return list(self.get("messages", ()))


class scratch_inline(nodes.Inline, nodes.TextElement):
    """One block in a sentence: drawn in ``html``; its text is the block as block text."""


def _warn(kind: str, problem: Problem, language: str, location: Any) -> None:
    logger.warning(
        "%s: %s", kind, problem.message(language), location=location, type="edukit", subtype="scratch"
    )


class ScratchBlocksDirective(SphinxDirective):
    """Read the blocks; see the module for how they are written."""

    has_content = True
    option_spec: ClassVar[OptionSpec] = {}

    def run(self) -> list[nodes.Node]:
        """Return the node that is drawn once its words are translated."""
        notation = "\n".join(self.content)
        language = block_language(self.config)
        reading = read_block_text(notation)
        for problem in reading.problems:
            _warn("scratch-blocks", problem, language, self.place(problem.line))
        if not reading.project.targets[1].scripts:
            empty = Problem(1, "here are no blocks", "这里没有积木")
            _warn("scratch-blocks", empty, language, self.get_location())
            return []
        node = scratch_blocks(notation=notation, words={}, classes=["edukit-scratch"])
        self.set_source_info(node)
        return [node]

    def place(self, line: int) -> str:
        """Return the place of a line of the content."""
        source, first = self.content.info(0)
        if not first:
            # MyST counts the lines of the content by themselves.
            return f"{source}:{self.lineno + self.content_offset + line}"
        return f"{source}:{first + line}"


class DrawBlocks(SphinxTransform):
    """Draw the blocks when their words are translated, which Sphinx does at 20."""

    default_priority = 25

    def apply(self, **kwargs: Any) -> None:
        """Give each node its scripts."""
        language = block_language(self.config)
        label = interface_text("Blocks", self.config.language)
        for node in list(self.document.findall(scratch_blocks)):
            project = reworded(read_block_text(node["notation"]).project, node["words"])
            texts = block_text(project, language)
            for telling, text in zip(tell(project, language), texts, strict=True):
                node += script_node(draw_script(telling, language), label, text.text)


class ScratchBlocksRole(SphinxRole):
    """Draw one block in a sentence."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the block; what is wrong with it is a warning at the sentence."""
        language = block_language(self.config)
        # A backslash belongs to the notation; reStructuredText takes it away from what a role is told.
        raw = utils.unescape(self.rawtext, restore_backslashes=True)
        notation = raw[raw.index("`") + 1 : raw.rindex("`")]
        reading = read_block_text(notation, open_end=True)
        tellings = tell(reading.project, language)
        problems = list(reading.problems)
        if len(tellings) != 1 or len(tellings[0].phrases) != 1:
            problems.append(Problem(1, "one block stands in a sentence", "句子里只能放一块积木"))
        for problem in problems:
            _warn("scratch-blocks", problem, language, self.get_location())
        if not tellings:
            return [nodes.literal(self.rawtext, notation)], []
        text = block_text(reading.project, language)[0].text.partition("\n")[0]
        drawn = draw_inline(tellings[0].phrases[0], language)
        return [scratch_inline(self.rawtext, text, html=drawn)], []


def visit_blocks(self: HTML5Translator, node: nodes.Element) -> None:
    """Open what holds the scripts."""
    self.body.append(self.starttag(node, "div"))


def depart_blocks(self: HTML5Translator, node: nodes.Element) -> None:
    """Close it."""
    self.body.append("</div>\n")


def visit_inline(self: HTML5Translator, node: nodes.Element) -> None:
    """Write the picture in place of the text."""
    self.body.append(node["html"])
    raise nodes.SkipNode
