"""How Chinese characters are read without any help: by phrases first, then one by one.

The phrases are those of pypinyin, of the collection ``di`` of pypinyin-dict (reduplicated adverbs,
慢慢地) and of our own supplement, ``phrases.tsv``. pypinyin's functions are not used for this, because
they would have to be told of further phrases for the whole process, and do not say whether a reading
comes from a phrase. Everything loads when it is first used.
"""

import functools
import unicodedata
from dataclasses import dataclass
from importlib import resources

from edukit.lyrics.pinyin import spell

_TONES = {"\u0304": 1, "\u0301": 2, "\u030c": 3, "\u0300": 4}
# Phrases write how 一 and 不 change before their neighbours; dictionaries, and GB/T 16159, do not.
_CITATION = {"一": {"yí": "yī", "yì": "yī"}, "不": {"bú": "bù"}}


@dataclass(frozen=True, slots=True)
class Sound:
    """A syllable as it sounds, in pinyin and in zhuyin; ``plain`` is the pinyin without its tone."""

    pinyin: str
    plain: str
    tone: int
    zhuyin: str


@dataclass(frozen=True, slots=True)
class Read:
    """What is read at one place of a text: ``width`` characters as one syllable."""

    width: int
    pinyin: str | None
    source: str


@functools.lru_cache(maxsize=4096)
def sound(pinyin: str) -> Sound:
    """Take a syllable with its tone mark apart; an r at its end may be that of 儿.

    Examples
    --------
    >>> sound("diǎnr")
    Sound(pinyin='diǎnr', plain='dianr', tone=3, zhuyin='ㄉㄧㄢˇㄦ')
    >>> sound("lǜ").zhuyin, sound("le").zhuyin
    ('ㄌㄩˋ', '˙ㄌㄜ')
    """
    from pypinyin import Style
    from pypinyin.style import convert

    letters = unicodedata.normalize("NFD", pinyin)
    tone = next((_TONES[letter] for letter in letters if letter in _TONES), 5)
    plain = unicodedata.normalize("NFC", "".join(letter for letter in letters if letter not in _TONES))
    erhua = is_erhua(pinyin)
    bare = pinyin[:-1] if erhua else pinyin
    zhuyin = convert(bare, Style.BOPOMOFO, strict=True)
    # The dot of the neutral tone is written before the syllable.
    if zhuyin.endswith("˙"):
        zhuyin = f"˙{zhuyin[:-1]}"
    return Sound(pinyin, plain, tone, zhuyin + "ㄦ" * erhua)


@functools.lru_cache(maxsize=4096)
def is_erhua(pinyin: str) -> bool:
    """Tell whether a syllable ends in the r of 儿, as diǎnr does and èr does not."""
    return pinyin.endswith("r") and spell(pinyin) is None


def read(text: str) -> list[Read]:
    """Read every character of a simplified text, the longest phrase at each place first.

    Parameters
    ----------
    text
        Simplified characters and anything between them, which has no reading.

    Returns
    -------
    list of Read
        Their widths add up to the length of the text. ``source`` is ``"phrase"`` or ``"dictionary"``.
    """
    phrases, longest = _phrases()
    result: list[Read] = []
    append, length = result.append, len(text)
    at = 0
    while at < length:
        first = text[at]
        for width in range(min(longest.get(first, 1), length - at), 1, -1):
            if found := phrases.get(text[at : at + width]):
                result.extend(found if isinstance(found, tuple) else _learn(text[at : at + width], found))
                at += width
                break
        else:
            append(_single(first))
            at += 1
    return result


def readings(character: str) -> tuple[str, ...]:
    """Return every reading of a simplified character, with its tone mark, the usual one first.

    Examples
    --------
    >>> readings("了"), readings("不")
    (('le', 'liǎo', 'liào'), ('bù', 'fǒu', 'fōu', 'fū'))
    """
    from pypinyin.constants import PINYIN_DICT

    known = PINYIN_DICT.get(ord(character), "")
    changed = _CITATION.get(character, {})
    return tuple(one for one in known.split(",") if one and one not in changed)


@functools.lru_cache(maxsize=16384)
def _single(character: str) -> Read:
    known = readings(character)
    return Read(1, known[0] if known else None, "dictionary")


_Found = list[list[str]] | tuple[Read, ...]


@functools.cache
def _phrases() -> tuple[dict[str, _Found], dict[str, int]]:
    """Return the readings of all phrases, and the length of the longest that begins with a character."""
    from pypinyin.constants import PHRASES_DICT
    from pypinyin_dict.phrase_pinyin_data import di

    phrases: dict[str, _Found] = {**PHRASES_DICT, **di.phrases_dict, **supplement()}
    longest: dict[str, int] = {}
    for phrase in phrases:
        first, length = phrase[0], len(phrase)
        if length > longest.get(first, 1):
            longest[first] = length
    return phrases, longest


def supplement() -> dict[str, tuple[Read, ...]]:
    """Return our own phrases with their readings."""
    text = resources.files("edukit.lyrics").joinpath("phrases.tsv").read_text(encoding="utf-8")
    phrases = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            phrase, reading = line.split("\t")
            phrases[phrase] = tuple(
                Read(1 + is_erhua(syllable), syllable, "phrase") for syllable in reading.split()
            )
    return phrases


def _learn(phrase: str, found: list[list[str]]) -> tuple[Read, ...]:
    """Take a phrase over from pypinyin's data as it is first met."""
    read = tuple(
        Read(1, _CITATION.get(character, {}).get(options[0], options[0]), "phrase")
        for character, options in zip(phrase, found, strict=True)
    )
    _phrases()[0][phrase] = read
    return read
