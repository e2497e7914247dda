"""Quotation marks that suit the language."""

import re
from typing import Any

from docutils import nodes
from docutils.utils import smartquotes
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import is_smartquotable

from edukit.sphinxext.cjk.blocks import blocks, is_chinese, is_cjk, language_of, leaves, replace, shown
from edukit.sphinxext.cjk.characters import HAN, OPAQUE, is_wide


def set_quotes(text: str, marks: str = "“”‘’") -> str:
    r"""Return Chinese text with typographic quotation marks for its straight ones.

    In Chinese no space tells where a quotation begins, so that marks are taken in pairs; a text with one
    left over is returned as it is. A pair is set that encloses Chinese or stands in it; what is Latin
    within and without, such as values in a program, is not. A single mark is an apostrophe unless its
    pair encloses Chinese.

    Parameters
    ----------
    text
        A whole paragraph. A mark behind NUL, which is how docutils keeps an escaped one, is kept.
    marks
        Outer opening, outer closing, inner opening, inner closing.

    Examples
    --------
    >>> set_quotes('他问："什么是\'位置\'？"')
    '他问：“什么是‘位置’？”'
    >>> set_quotes('写作 "RoPE"，取值 {"a", "b"} 之一')
    '写作 “RoPE”，取值 {"a", "b"} 之一'
    """
    characters = list(text)
    doubles = [match.start() for match in re.finditer('(?<!\0)"', text)]
    if len(doubles) % 2 == 0:
        for start, end in zip(doubles[::2], doubles[1::2], strict=True):
            around = text[:start].rstrip()[-1:] + text[end + 1 :].lstrip()[:1]
            if any(map(is_wide, text[start:end] + around)):
                characters[start], characters[end] = marks[0], marks[1]
    text = "".join(characters)
    return re.sub(
        r"(?<![A-Za-z0-9\0])'([^'\"]*)(?<!\0)'(?![A-Za-z0-9])",
        lambda match: f"{marks[2]}{match[1]}{marks[3]}" if HAN.search(match[1]) else match[0],
        text,
    )


def set_quotes_within(text: str) -> str:
    r"""Return text in another language with typographic marks for the straight ones within its Chinese.

    Only a pair is set that opens right behind a wide character and encloses what begins and ends with one.
    The others are marks of the language around.

    Examples
    --------
    >>> set_quotes_within('the line 他说："好的，\'你\'来" and "位置"')
    'the line 他说：“好的，‘你’来” and "位置"'
    """

    def within(mark: str, opening: str, closing: str, text: str) -> str:
        def pair(match: re.Match[str]) -> str:
            before, inside = text[match.start() - 1 : match.start()], match[1]
            if before and all(is_wide(one) or one in "“”‘’" for one in (before, inside[0], inside[-1])):
                return opening + inside + closing
            return match[0]

        return re.sub(rf"(?<!\0){mark}([^\s{mark}](?:[^{mark}]*[^\s{mark}])?)(?<!\0){mark}", pair, text)

    # Whichever kind is within the other has to be set first.
    for mark, opening, closing in [('"', "“", "”"), ("'", "‘", "’"), ('"', "“", "”")]:
        text = within(mark, opening, closing, text)
    return text


class SetQuotationMarks(SphinxTransform):
    """Gives Chinese text the quotation marks of Chinese, on pages of every language.

    Sphinx leaves Chinese pages alone, because docutils knows opening marks by the space before them. What
    is in another language on such a page is set by docutils' own rules here.
    """

    # Before Sphinx's own (750), which then finds nothing left, and before lines are joined, which is
    # easier to judge by typographic marks.
    default_priority = 695

    def apply(self, **kwargs: Any) -> None:
        """Work under the options that Sphinx has for this."""
        config = self.config
        builder = self.env._app.builder.name
        excluded = config.smartquotes_excludes
        if (
            not config.smartquotes
            or self.document.settings.smart_quotes is False
            or builder in (*excluded.get("builders", []), "gettext")
            or not set(config.smartquotes_action) & set("q123")
        ):
            return
        left_alone = config.language in excluded.get("languages", []) and is_chinese(
            language_of(None, config.language)
        )
        for block in blocks(self.document):
            texts = [leaf for leaf in leaves(block) if isinstance(leaf, nodes.Text)]
            if any(mark in text for text in texts for mark in "\"'"):
                self._set_block(block, others=left_alone)

    def _set_block(self, block: nodes.TextElement, *, others: bool) -> None:
        parts = list(leaves(block))
        languages = [
            language_of(leaf.parent, self.config.language)
            if isinstance(leaf, nodes.Text) and is_smartquotable(leaf)
            else ""
            for leaf in parts
        ]
        texts = [shown(leaf) for leaf in parts]
        for language in dict.fromkeys(filter(None, languages)):
            own = [language == one for one in languages]
            if not is_chinese(language) and is_cjk(language):
                continue
            # What is not in this language takes no part, but keeps its length.
            masked = "".join(
                text if mine else OPAQUE * len(text) for text, mine in zip(texts, own, strict=True)
            )
            chinese = is_chinese(language)
            quoted = set_quotes(masked, _marks(language)) if chinese else set_quotes_within(masked)
            start = 0
            for number, text in enumerate(texts):
                if own[number]:
                    texts[number] = quoted[start : start + len(text)]
                start += len(text)
            if others and not chinese and (known := _known_to_docutils(language)):
                texts = list(
                    smartquotes.educate_tokens(
                        [
                            ("plain", re.sub("(?<=\0)([-\\\\'\".`])", r"\\\1", text))
                            if mine
                            else ("literal", text)
                            for text, mine in zip(texts, own, strict=True)
                        ],
                        attr=self.config.smartquotes_action,
                        language=known,
                    )
                )
        for leaf, text in zip(parts, texts, strict=True):
            if isinstance(leaf, nodes.Text):
                replace(leaf, text)


def _marks(language: str) -> str:
    traditional = set(language.split("-")) & {"hant", "tw", "hk", "mo"}
    return str(smartquotes.smartchars.quotes["zh-tw" if traditional else "zh-cn"])


def _known_to_docutils(language: str) -> str:
    base = language.partition("-")[0]
    return next((tag for tag in (language, base) if tag in smartquotes.smartchars.quotes), "")
