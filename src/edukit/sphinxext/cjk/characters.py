"""What a character is: of which script, how wide, a mark or not."""

import functools
import re
import unicodedata

# Marks that Chinese shares with Latin: as wide as a character in Chinese, and never beside a space there.
SHARED_MARKS = "“”‘’…—·"
OPAQUE = "\ufffc"  # stands for code, a formula or a picture in a line


@functools.cache
def is_wide(character: str) -> bool:
    """Tell whether a character is one of a script that puts no spaces between its words.

    Its East Asian width (UAX 11) is W or F, and it is neither Hangul nor an emoji.

    Examples
    --------
    >>> [is_wide(character) for character in "字，カ한a“😀"]
    [True, True, True, False, False, False, False]
    """
    if unicodedata.east_asian_width(character) not in ("W", "F"):
        return False
    if unicodedata.category(character) in ("So", "Sk") and not "\u2e80" <= character < "\u3400":
        return False
    return "HANGUL" not in unicodedata.name(character, "")


def is_mark(character: str) -> bool:
    """Tell whether a character is a Chinese punctuation mark, which brings its own space along."""
    return is_wide(character) and unicodedata.category(character).startswith("P")


def is_hangul(character: str) -> bool:
    """Tell whether a character belongs to the Korean alphabet."""
    return "HANGUL" in unicodedata.name(character, "")


IDEOGRAPH = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
HAN = re.compile(f"[{IDEOGRAPH}]")
KANA_OR_HANGUL = re.compile(
    "[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]"
)
