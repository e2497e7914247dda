"""Line breaks of the source, which must not show as spaces between Chinese characters."""

import functools
import os
import re
import unicodedata
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import docname_join, logging

from edukit.sphinxext.cjk.blocks import blocks, is_cjk, language_of, leaves, replace, shown
from edukit.sphinxext.cjk.characters import SHARED_MARKS, is_hangul, is_mark, is_wide

logger = logging.getLogger(__name__)


_BREAK = re.compile(r"[ \t]*\n[ \t\n]*")


def join_lines(text: str, language: str = "zh") -> str:
    r"""Return a text without the line breaks that would show as spaces where its script has none.

    A break goes when the characters on both sides are wide (see `is_wide`). In Chinese and Japanese it
    goes beside punctuation of full width too, which has its space built in, and beside the marks shared
    with Latin, such as ”, as if they were wide. Every other break stays: a browser makes it a space.

    Parameters
    ----------
    text
        Text with line breaks as in the source.
    language
        Its language tag. Korean text is returned as it is.

    Examples
    --------
    >>> join_lines("位置\n编码，\nRoPE\n是“旋转”\n的")
    '位置编码，RoPE\n是“旋转”的'
    """
    return _BREAK.sub(lambda match: "" if _is_needless(match, language) else match[0], text)


def _is_needless(match: re.Match[str], language: str) -> bool:
    """Tell whether a break goes; the match stands in the text around it."""
    if language.partition("-")[0] == "ko":
        return False
    before = _neighbour(match.string, match.start() - 1, -1)
    after = _neighbour(match.string, match.end(), 1)
    if not before or not after:
        return False
    if is_wide(before) and is_wide(after):
        return True
    if not is_cjk(language) or is_hangul(before) or is_hangul(after):
        return False
    if is_mark(before) or is_mark(after):
        return True
    return all(is_wide(character) or character in SHARED_MARKS for character in (before, after))


def _neighbour(text: str, position: int, step: int) -> str:
    """Return the next character that is seen: no variation selector, no escape of docutils."""
    while 0 <= position < len(text):
        character = text[position]
        escaped = position > 0 and text[position - 1] == "\0" and character.isspace()
        if not escaped and character != "\0" and not unicodedata.category(character).startswith("M"):
            return character
        position += step
    return ""


def _join_block(block: nodes.TextElement, page: str) -> None:
    """Join the lines of a block across its emphases and links, and across texts that lie side by side."""
    parts = list(leaves(block))
    if not any("\n" in leaf for leaf in parts if isinstance(leaf, nodes.Text)):
        return
    texts = [shown(leaf) for leaf in parts]
    ends = [sum(map(len, texts[: number + 1])) for number in range(len(texts))]

    def language_at(position: int) -> str:
        return language_of(next(parts[n] for n, end in enumerate(ends) if position < end).parent, page)

    gone = {
        position
        for match in _BREAK.finditer("".join(texts))
        if _is_needless(match, language_at(match.start() + match[0].index("\n")))
        for position in range(*match.span())
    }
    for leaf, text, end in zip(parts, texts, ends, strict=True):
        if isinstance(leaf, nodes.Text):
            start = end - len(text)
            replace(leaf, "".join(c for at, c in enumerate(text, start) if at not in gone))


def join_folded(text: str, source: str, language: str = "zh") -> str:
    r"""Return a text whose lines have become spaces already, without those that `join_lines` would drop.

    YAML and some directives fold the lines of a value. Which of its spaces were line breaks, only the
    source can tell: a space goes when the source has a line break there, and nowhere the space.

    Examples
    --------
    >>> join_folded("位置 编码 自由", "description: 位置\n  编码 自由")
    '位置编码 自由'
    """
    text = join_lines(text, language)

    def fold(match: re.Match[str]) -> str:
        # A few characters on both sides find the place; quotation marks and tags may be of another syntax.
        left = re.split(r"[\s\"<>]", text[: match.start()])[-1][-20:]
        right = re.split(r"[\s\"<>]", text[match.end() :])[0][:20]
        broken = re.search(rf"{re.escape(left)}[ \t]*\r?\n[ \t>]*{re.escape(right)}", source)
        if not broken or f"{left} {right}" in source:
            return match[0]
        return "" if join_lines(f"{left}\n{right}", language) == left + right else match[0]

    return re.sub(r"(?<=\S) (?=\S)", fold, text)


def _may_be_folded(text: str) -> bool:
    return any(
        is_mark(match[1]) or is_mark(match[2]) or (is_wide(match[1]) and is_wide(match[2]))
        for match in re.finditer(r"(?=(\S) (\S))", text)
    )


class JoinLines(SphinxTransform):
    """Joins the lines of everything on a page while it is read."""

    # After the translation (20) and what still puts texts together (substitutions 220), before titles,
    # index entries and the like are taken from the page (850, 880).
    default_priority = 700

    def apply(self, **kwargs: Any) -> None:
        """Leave what will be messages as it is when they are extracted."""
        page = self.config.language
        for reference in self.document.findall(addnodes.pending_xref):
            self._join_target(reference)
        if self.env._app.builder.name == "gettext":
            return
        _check_languages(self.document)
        for block in blocks(self.document):
            _join_block(block, page)
            for leaf in leaves(block):
                # Front matter comes with its lines folded already.
                if isinstance(leaf, nodes.Text) and _may_be_folded(leaf):
                    replace(leaf, self._joined(str(leaf), block))
        for element in self.document.findall(nodes.Element):
            self._join_attributes(element)
        for card in self.document.findall(nodes.raw):
            if "sphx-glr-thumbcontainer" in card.astext():
                self._join_tooltip(card)

    def _join_attributes(self, element: nodes.Element) -> None:
        for name in ("alt", "explanation", "reftitle", "title"):
            if isinstance(text := element.get(name), str):
                element[name] = self._joined(text, element)
        if isinstance(element, nodes.meta) and isinstance(text := element.get("content"), str):
            element["content"] = self._joined(text, element)
        elif isinstance(element, addnodes.toctree):
            if caption := element.get("caption"):
                element["caption"] = self._joined(caption, element)
            element["entries"] = [
                (title and self._joined(title, element), target) for title, target in element["entries"]
            ]
        elif isinstance(element, addnodes.index):
            element["entries"] = [
                (kind, self._joined(value, element), *rest) for kind, value, *rest in element["entries"]
            ]

    def _join_target(self, reference: addnodes.pending_xref) -> None:
        """Mend the name of a term that is broken in the line where it is mentioned."""
        target = reference.get("reftarget")
        if "\n" in reference.rawsource and isinstance(target, str):
            reference["reftarget"] = join_folded(target, reference.rawsource, self._language_of(reference))

    def _join_tooltip(self, card: nodes.raw) -> None:
        """Mend what sphinx-gallery tells of an example: its first paragraph, as HTML, its lines folded.

        How they were broken is seen in the page of the example, which the next reference leads to.
        """
        reference = card.next_node(addnodes.pending_xref, siblings=True, ascend=True)
        if isinstance(reference, addnodes.pending_xref):
            page = docname_join(reference.get("refdoc", ""), reference["reftarget"])
            html = join_folded(card.astext(), _read(self.env.doc2path(page)), self._language_of(card))
            card.children = []
            card += nodes.Text(html)

    def _joined(self, text: str, element: nodes.Element) -> str:
        if not any(map(is_wide, text)) or not re.search(r"\s", text):
            return text
        return join_folded(text, self._source, self._language_of(element))

    def _language_of(self, element: nodes.Element) -> str:
        return language_of(element, self.config.language)

    @functools.cached_property
    def _source(self) -> str:
        return _read(self.env.doc2path(self.env.current_document.docname))


def _read(path: str | os.PathLike[str]) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""


_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")


def _check_languages(document: nodes.document) -> None:
    """Say where a class names no language that a browser could know, such as ``language-zh_CN``."""
    for element in document.findall(nodes.Element):
        for name in element["classes"]:
            tag = str(name).removeprefix("language-")
            if tag != name and not _TAG.fullmatch(tag):
                logger.warning(
                    "%r is no language tag: write one such as language-en, language-zh-Hans or "
                    "language-zh-Latn-pinyin",
                    str(name),
                    location=element,
                    type="cjk",
                    subtype="language",
                )


class JoinNames(SphinxTransform):
    """Finds the targets of reStructuredText's links whose name is broken in the line."""

    # After the translation (20), before docutils resolves them (from 460 on).
    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        """Give such a link the name that there is a target for."""
        document = self.document
        for reference in list(document.findall(nodes.reference)):
            name = reference.get("refname", "")
            if "\n" not in reference.rawsource or not name or name in document.nameids:
                continue
            # Names are compared in lower case.
            language = language_of(reference, self.config.language)
            joined = join_folded(name, reference.rawsource.lower(), language)
            if joined != name and joined in document.nameids:
                reference["refname"] = joined
                document.refnames[name].remove(reference)
                document.refnames.setdefault(joined, []).append(reference)


class JoinLinesAtReferences(SphinxPostTransform):
    """Joins the lines before and after references, whose words are known only now."""

    default_priority = 15  # just after references are resolved (10)

    def run(self, **kwargs: Any) -> None:
        """Leave the page as it is when its messages are extracted."""
        if self.env._app.builder.name != "gettext":
            for block in blocks(self.document):
                _join_block(block, self.config.language)
