"""What a text gives to the index: its Chinese as it stands, other words by their stems.

``static/searchtools.js`` takes a query apart in the same way.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from html.parser import HTMLParser

from docutils import nodes
from sphinx import addnodes

# Chinese characters, with the sign of repetition and the zero that are written among them.
HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"(?P<han>[{HAN}]+)|(?:(?![{HAN}])\w)+")
# A number with signs in it is found whole as well; its parts are words like others.
_NUMBER = re.compile(rf"(?<!(?![{HAN}])\w)[0-9]+(?:[.,:/][0-9]+)+(?!(?![{HAN}])\w)")
# A line that is broken in the source is one line on the page.
_SOFT_BREAK = re.compile(rf"(?<=[{HAN}])[ \t]*\n[ \t]*(?=[{HAN}])")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}

# What a formula is written with and does not show; of its commands, the names of functions are read.
_LATEX = re.compile(
    r"\\(arccos|arcsin|arctan|arg|cosh?|cot|deg|det|dim|exp|gcd|inf|ker|lim|ln|log|max|min|Pr|sinh?|sup|tanh?)"
    r"(?![A-Za-z])|\\(?:begin|end)\{[^}]*\}|\\[A-Za-z]+|[_^{}&\\]"
)

# Between two blocks of text; within a block no blank line is left.
BREAK = "\n\n"

# What does not part the text before it from the text behind.
_INLINE = frozenset(
    re.findall(
        r"\w+",
        """
        a abbr b bdi bdo cite code data dfn em font i img ins kbd label mark q rb ruby s samp small span
        strong sub sup time tt u var wbr
        """,
    )
)

# The writer puts brackets or an arrow around these, which are in no text.
_BRACKETED = (
    addnodes.desc_parameterlist,
    addnodes.desc_type_parameter_list,
    addnodes.desc_optional,
    addnodes.desc_returns,
)


def fold(text: str) -> str:
    """Return a text without differences that a reader does not type.

    Examples
    --------
    >>> fold("ＲｏＰＥ 旋\u200b转")
    'rope 旋转'
    """
    return text.translate(_INVISIBLE | _FULL_WIDTH).lower()


def tokens(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the words of a text, and its runs of Chinese characters, with whether they are Chinese.

    Examples
    --------
    >>> list(tokens("用 RoPE旋转 512 维"))
    [('用', True), ('rope', False), ('旋转', True), ('512', False), ('维', True)]
    """
    for match in _TOKEN.finditer(_SOFT_BREAK.sub("", fold(text))):
        yield match[0], match["han"] is not None


def terms(text: str, stem: Callable[[str], str], stopwords: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return what is found of a text: the stems of its words, and its runs of Chinese characters.

    Parameters
    ----------
    text
        A text; blank lines part it.
    stem
        Returns the stem of a word.
    stopwords
        Words that are not found, unless the stem is none of them.
    """
    found = {match[0] for match in _NUMBER.finditer(fold(text))}
    runs: set[str] = set()
    for token, is_han in set(tokens(text)):
        if is_han:
            runs.add(token)
        else:
            # As in Sphinx: the stemmer must not make a word vanish among the stop words.
            found.update([word for word in (stem(token).lower(), token) if word not in stopwords][:1])
    return found, runs


def without_parts(runs: Iterable[str]) -> list[str]:
    """Return the runs that are not a part of another one: nothing more can be found in all of them.

    Examples
    --------
    >>> without_parts({"意", "注意力", "力", "维"})
    ['注意力', '维']
    """
    kept: list[str] = []
    joined = ""
    for run in sorted(runs, key=lambda run: (-len(run), run)):
        if run not in joined:
            kept.append(run)
            joined += f" {run}"
    return kept


def text_of(node: nodes.Node) -> str:
    """Return the text that a reader sees of a node, with a blank line between its blocks."""
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.raw):
        return _text_of_html(node.astext()) if "html" in node.get("format", "").split() else ""
    if isinstance(node, nodes.comment | nodes.substitution_definition | nodes.system_message | nodes.image):
        return ""
    assert isinstance(node, nodes.Element)
    if _is_left_out(node):
        return ""
    if isinstance(node, nodes.math | nodes.math_block):
        return _LATEX.sub(lambda match: match[1] or " ", node.astext())
    # A list of pages counts as a paragraph, whose caption would grow together with its first page.
    separator = BREAK if isinstance(node, addnodes.compact_paragraph) else node.child_text_separator
    text = separator.join(map(text_of, node.children))
    if isinstance(node, _BRACKETED):
        text = f" {text} "
    # Lines of code are lines on the page as well.
    return text.replace("\n", BREAK) if isinstance(node, nodes.FixedTextElement) else text


# What is marked so is no text of its page. A language alone is no such mark: a poem stays in its own.
_LEFT_OUT = frozenset({"no-search", "translated-copy"})


def _is_left_out(node: nodes.Element) -> bool:
    return bool(node.get("hidden")) or not _LEFT_OUT.isdisjoint(node["classes"])


def is_searched(node: nodes.Node) -> bool:
    """Tell whether neither a node nor what it stands in is hidden or marked as left out."""
    above: nodes.Node | None = node
    while above is not None:
        if isinstance(above, nodes.Element) and _is_left_out(above):
            return False
        above = above.parent
    return True


_UNSEEN = frozenset({"noscript", "rp", "rt", "script", "style", "template"})
_VOID = frozenset(
    re.findall(r"\w+", "area base br col embed hr img input link meta param source track wbr")
)


def _hides(attributes: dict[str, str | None]) -> bool:
    # What is hidden "until-found" is meant to be found.
    hidden = attributes.get("hidden", "until-found") or ""
    classes = (attributes.get("class") or "").split()
    return hidden.lower() != "until-found" or not _LEFT_OUT.isdisjoint(classes)


class _Text(HTMLParser):
    """Collects the text of HTML that an author wrote, as a browser would show it."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.hidden: str | None = None
        self.depth = 0  # how many elements of the hidden one's name are open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            self.handle_startendtag(tag, attributes)
        elif self.hidden is not None:
            self.depth += tag == self.hidden
        elif tag in _UNSEEN or _hides(dict(attributes)):
            self.hidden, self.depth = tag, 1
        elif tag not in _INLINE:
            self.text.append(BREAK)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        # A browser does not know <div/>: it opens.
        if tag not in _VOID:
            self.handle_starttag(tag, attributes)
        elif self.hidden is None and tag not in _INLINE:
            self.text.append(BREAK)

    def handle_endtag(self, tag: str) -> None:
        if tag == self.hidden:
            self.depth -= 1
            if not self.depth:
                self.hidden = None
        elif self.hidden is None and tag not in _INLINE:
            self.text.append(BREAK)

    def handle_data(self, data: str) -> None:
        if self.hidden is None:
            self.text.append(data)


def _text_of_html(html: str) -> str:
    parser = _Text()
    parser.feed(html)
    parser.close()
    return "".join(parser.text)
