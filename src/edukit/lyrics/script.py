"""Traditional and simplified characters, through OpenCC, which loads when it is first used.

Every function keeps the number of characters, so that a place in one text is a place in the other.
"""

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opencc import OpenCC


def simplified(text: str) -> str:
    """Return a text with simplified characters, for the dictionaries that know only those.

    Examples
    --------
    >>> simplified("看著你彈吉他")
    '看着你弹吉他'
    """
    return _converted(text, "tw2s")


def traditional(text: str) -> str:
    """Return a text with the traditional characters of Taiwan.

    Examples
    --------
    >>> traditional("头发后面发现")
    '頭髮後面發現'
    """
    return _converted(text, "s2tw")


def _converted(text: str, direction: str) -> str:
    # Half a character, which a program may put in a text, cannot leave Python.
    whole = text.encode("utf-8", "replace").decode()
    result: str = _converter(direction).convert(whole)
    if len(result) != len(text):
        result = "".join(_converter(direction).convert(one)[:1] or one for one in whole)
    return result


@functools.cache
def _converter(direction: str) -> "OpenCC":
    from opencc import OpenCC

    return OpenCC(direction)
