"""The prose of a page, block by block, and the language it is in."""

import re
from collections.abc import Iterator

from docutils import nodes

from edukit.sphinxext.cjk.characters import OPAQUE
from edukit.sphinxext.common import language_of as language_of


def is_chinese(language: str) -> bool:
    """Tell whether a language is written in Chinese characters; pinyin is not."""
    return (
        language.partition("-")[0] in ("zh", "cmn", "yue", "lzh", "wuu", "nan") and "latn" not in language
    )


def is_cjk(language: str) -> bool:
    """Tell whether Chinese characters are at home in a language."""
    return is_chinese(language) or language.partition("-")[0] in ("ja", "ko")


_LITERAL = (nodes.literal, nodes.math, nodes.raw, nodes.problematic, nodes.FixedTextElement)
_PICTURE = (nodes.image, nodes.footnote_reference, nodes.citation_reference)


def blocks(document: nodes.document) -> Iterator[nodes.TextElement]:
    """Yield what holds a line of thought of its own: paragraphs, titles, terms and the like."""
    for block in list(document.findall(nodes.TextElement)):
        if not isinstance(block, (*_LITERAL, nodes.Invisible)) and not isinstance(
            block.parent, nodes.TextElement
        ):
            yield block


def leaves(element: nodes.Element) -> Iterator[nodes.Text | nodes.Element]:
    """Yield the texts of a block in their order, and each piece that is not prose as it is."""
    for child in element.children:
        if isinstance(child, nodes.Invisible) and not isinstance(child, nodes.target):
            continue
        if isinstance(child, (nodes.Text, *_LITERAL, *_PICTURE)):
            yield child
        elif isinstance(child, nodes.Element):
            yield from leaves(child)


def shown(leaf: nodes.Text | nodes.Element) -> str:
    """Return what a leaf is to its neighbours, as long as the text that it is."""
    if isinstance(leaf, nodes.Text):
        return str(leaf)
    # Code is a neighbour as any word, but no place to look for line breaks.
    return re.sub(r"\s", OPAQUE, leaf.astext()) if isinstance(leaf, nodes.literal) else OPAQUE


def replace(leaf: nodes.Text, text: str) -> None:
    """Put another text in the place of a leaf."""
    if leaf.parent is not None and text != str(leaf):
        leaf.parent.replace(leaf, nodes.Text(text))
