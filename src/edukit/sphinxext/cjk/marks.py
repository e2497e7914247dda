"""What HTML and EPUB say beyond the text: its language, and where a heading may break."""

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from edukit.sphinxext.cjk.blocks import blocks, is_chinese, is_cjk, language_of, leaves
from edukit.sphinxext.cjk.characters import HAN, IDEOGRAPH, KANA_OR_HANGUL, is_mark, is_wide

logger = logging.getLogger(__name__)


def name_language_of_book(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Let the pages of an EPUB say their language: Sphinx writes it into the book, but not on its pages."""
    tag = context.get("html_tag", "")
    language = (app.config.epub_language or app.config.language).replace("_", "-")
    if app.builder.name == "epub" and tag.startswith("<html") and " lang=" not in tag:
        context["html_tag"] = f'<html lang="{language}" xml:lang="{language}"{tag.removeprefix("<html")}'


class marked_text(nodes.Text):
    """A text that is written with marks: the language of a part of it, places where it may break.

    It is one text to everything that reads the page, such as the search, which so finds words and phrases
    as if nothing had been marked.
    """


class MarkText(SphinxPostTransform):
    """Finds the texts that are written with marks."""

    default_priority = 900  # when the page is as it will be written
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Look at each text in the light of its language."""
        page = self.config.language
        for emphasis in self.document.findall(nodes.emphasis):
            if is_chinese(language_of(emphasis, page)) and not any(map(is_wide, emphasis.astext())):
                emphasis["classes"].append("edukit-latin")
        for block in blocks(self.document):
            words = block.astext()
            if not HAN.search(words):
                continue
            heading = isinstance(block, nodes.title) and isinstance(block.parent, nodes.section)
            for leaf in list(leaves(block)):
                if not isinstance(leaf, nodes.Text) or not HAN.search(leaf):
                    continue
                language = language_of(leaf.parent, page)
                marked = heading if is_chinese(language) else not is_cjk(language)
                # Beside kana or Hangul the characters are Japanese or Korean ones.
                if marked and not (KANA_OR_HANGUL.search(words) and not is_chinese(language)):
                    leaf.parent.replace(leaf, marked_text(str(leaf)))


def visit_marked_text(translator: HTML5Translator, node: marked_text) -> None:
    """Write a text in parts."""
    config = translator.config
    text = node.astext()
    encode: Callable[[str], str] = translator.encode
    if translator.in_mailto:  # addresses are hidden from robots character by character
        translator.visit_Text(node)
    elif is_chinese(language_of(node.parent, config.language)):
        translator.body.append("<wbr />".join(map(encode, phrases(text, tuple(config.cjk_words)))))
    else:
        for part, language in han_runs(text, config.cjk_han_language):
            encoded = encode(part)
            translator.body.append(
                f'<span lang="{translator.attval(language)}">{encoded}</span>' if language else encoded
            )


_RUN = re.compile(
    f"[〈《「『【〔〖（［｛]*[{IDEOGRAPH}][{IDEOGRAPH}\u3001-\u303f\uff01-\uff60\ufe00-\ufe0f]*"
)


def han_runs(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text on a page in another language, each with its language tag or nothing.

    Characters do not tell which language they write. As ``zh-Hans`` only those runs are taken that hold
    no character of traditional Chinese or Japanese; what is in doubt is left for the author to mark. Any
    other language is taken at its word.

    Examples
    --------
    >>> list(han_runs("The word 春天 is spring, 東京 a city.", "zh-Hans"))
    [('The word ', ''), ('春天', 'zh-Hans'), (' is spring, 東京 a city.', '')]
    """
    end = 0
    for match in _RUN.finditer(text):
        if language and (language != "zh-Hans" or all(map(_is_simplified, match[0]))):
            if before := text[end : match.start()]:
                yield before, ""
            yield match[0], language
            end = match.end()
    if end < len(text):
        yield text[end:], ""


@functools.cache
def _is_simplified(character: str) -> bool:
    """Tell whether a character occurs in simplified Chinese, by the character sets of the region."""
    return _in(character, "gb2312") or not (_in(character, "big5") or _in(character, "shift_jis"))


def _in(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


# So many characters fit into one line at any width, and need no marks.
_ONE_LINE = 8

# Words that lean on the one before; a line does not begin with them.
_LEANING = frozenset("的地得了着过们吗呢吧啊嘛")


def phrases(text: str, words: tuple[str, ...] = ()) -> list[str]:
    """Return Chinese text in the pieces between which a heading may break.

    A browser breaks Chinese after any character, and so a heading on a phone in the midst of a word. Where
    the words are, only a dictionary knows: that of jieba, which the package rjieba holds. Without it the
    text stays in one piece and the browser breaks it as ever.

    Parameters
    ----------
    text
        The text of a heading.
    words
        Words that the dictionary lacks.

    Examples
    --------
    >>> phrases("旋转位置编码怎样工作")
    ['旋转', '位置', '编码', '怎样', '工作']
    """
    if len(text) <= _ONE_LINE or (cut := _dictionary(words)) is None:
        return [text]
    pieces: list[str] = []
    for word in cut(text):
        joins_on = not pieces or word in _LEANING or not (_may_end(pieces[-1][-1]) and _may_begin(word[0]))
        if joins_on:
            pieces[-1:] = [(pieces[-1] if pieces else "") + word]
        else:
            pieces.append(word)
    return pieces


def _may_begin(character: str) -> bool:
    opening = unicodedata.category(character) in ("Ps", "Pi")
    return opening or (is_wide(character) and not is_mark(character))


def _may_end(character: str) -> bool:
    return is_wide(character) and unicodedata.category(character) not in ("Ps", "Pi")


@functools.cache
def _dictionary(words: tuple[str, ...]) -> Callable[[str], list[str]] | None:
    try:
        import rjieba
    except ImportError:
        logger.info("Chinese headings may break within words: the package rjieba is not installed")
        return None
    dictionary = rjieba.Jieba()
    for word in words:
        dictionary.add_word(word, None, None)
    cut: Callable[[str], list[str]] = dictionary.cut
    return cut
