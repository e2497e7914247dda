"""How a Chinese line is read aloud.

Three hands write the reading, each over the one before: the dictionaries, what was typed for the line,
and what an override says of this line.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from edukit.lyrics.aligning import HAN, Misfit, Reading, align, misfit, pinyin_share, units_of
from edukit.lyrics.extras import needs_dictionaries
from edukit.lyrics.model import Line, LyricsError, Syllable
from edukit.lyrics.pinyin import with_mark

if TYPE_CHECKING:
    from edukit.lyrics.matching import Expected

__all__ = ["HAN", "expected", "misfit", "pinyin_share", "read_aloud"]

_Cell = tuple[int, str | None, int | None, str]
"""What is read from one character on: where it ends, its pinyin, its tone, and who says so."""

_Cells = list[_Cell | None]
"""A cell for each character of a line; None where nothing begins to be read."""

_Words = list[tuple[int, int]]
"""For each character the word that it is in, from where to where."""


@needs_dictionaries
def read_aloud(
    line: Line,
    *,
    overrides: Iterable[tuple[str | int, str]] | Mapping[str, str] = (),
    sandhi: bool = False,
) -> tuple[Syllable, ...]:
    """Return the syllables of a Chinese line.

    Parameters
    ----------
    line
        A line in simplified or traditional characters. Its ``reading``, if it has one, is pinyin with
        tone marks, tone numbers or no tones, joined into words or not, an apostrophe or nothing between
        syllables; Latin words are typed as they are, and punctuation does not matter. It settles how
        the characters are read. Tones that it leaves out, and syllables, are those of the dictionaries.
    overrides
        Pairs that have the last word on this line: characters of it, all of which are meant wherever
        they stand, or the index of one, and their pinyin with its tones: ``[("还", "huán")]``, or a
        mapping of the same.
    sandhi
        Whether tones change before other tones as in speech. Dictionaries, and GB/T 16159, keep each
        syllable's own.

    Returns
    -------
    tuple of Syllable
        One for each character, Latin word or digit.

    Raises
    ------
    LyricsError
        If an override names what is not in the line, or its pinyin does not fit the characters
        (``override``), or the dictionaries are not installed (``not-installed``); path and line are None.

    Examples
    --------
    >>> " ".join(str(syllable.pinyin) for syllable in read_aloud(Line("彈吉他，數星星")))
    'tán jí tā shǔ xīng xing'
    >>> [(s.pinyin, s.source) for s in read_aloud(Line("还你", reading="hai ni"))]
    [('hái', 'typed'), ('nǐ', 'typed')]
    >>> [s.pinyin for s in read_aloud(Line("一起看一看"), sandhi=True)]
    ['yì', 'qǐ', 'kàn', 'yi', 'kàn']
    """
    from edukit.lyrics import script

    text = line.text
    simple = script.simplified(text)
    cells = _from_dictionaries(text, simple)
    words = None
    if line.reading is not None:
        typed = _typed(text, simple, line.reading, cells)
        words = _typed_words(typed, text)
        _settle(cells, simple, typed)
    for key, pinyin in overrides.items() if isinstance(overrides, Mapping) else overrides:
        _override(cells, text, key, pinyin)
    syllables = tuple(_syllables(text, cells, words or segmented(simple)))
    if sandhi:
        from edukit.lyrics.sandhi import spoken

        return spoken(syllables)
    return syllables


# -- the dictionaries ------------------------------------------------------------------------------------


def _from_dictionaries(text: str, simple: str) -> _Cells:
    from edukit.lyrics.pronouncing import read, sound

    cells: _Cells = []
    append = cells.append
    at = 0
    only_han = True
    for one in read(simple):
        at += one.width
        if one.pinyin is None:
            append(None)
            only_han = False
            continue
        append((at, one.pinyin, sound(one.pinyin).tone, one.source))
        if one.width > 1:
            cells += [None] * (one.width - 1)
    if not only_han:
        for unit in units_of(text):
            if cells[unit.start] is None and (not unit.is_han or not _is_covered(cells, unit.start)):
                cells[unit.start] = (unit.stop, None, None, "dictionary")
    return cells


def _is_covered(cells: _Cells, at: int) -> bool:
    """Tell whether a character is the 儿 of the syllable that begins before it."""
    before = cells[at - 1] if at else None
    return before is not None and before[0] > at


def segmented(simple: str) -> _Words:
    """Find the words of a simplified text, those of the dictionary only."""
    import rjieba

    words: _Words = []
    for word in rjieba.cut(simple, hmm=False):
        begin = len(words)
        words += [(begin, begin + len(word))] * len(word)
    return words


def expected(text: str) -> "list[Expected]":
    """Return the units of a line with the readings that the dictionaries give them here."""
    from edukit.lyrics import sandhi, script
    from edukit.lyrics.matching import Expected
    from edukit.lyrics.pronouncing import is_erhua

    simple = script.simplified(text)
    cells = _from_dictionaries(text, simple)
    # To find the words would take longer than all the rest, and nothing here depends on them.
    syllables = tuple(_syllables(text, cells, [(at, at + 1) for at in range(len(text))]))
    said = {}
    for plain, changed in zip(syllables, sandhi.typed(syllables), strict=True):
        erhua = plain.pinyin is not None and len(plain.text) > 1 and is_erhua(plain.pinyin)
        said[plain.start] = [
            one.pinyin[:-1] if erhua and one.pinyin else one.pinyin for one in (plain, changed)
        ]
    return [
        Expected(unit, simple[unit.start : unit.stop], *said.get(unit.start, ("ér", "ér")))
        for unit in units_of(text)
    ]


# -- what was typed --------------------------------------------------------------------------------------


def _typed(text: str, simple: str, reading: str, cells: _Cells) -> tuple[Reading, ...]:
    """Give the units of a line what was typed for them, as far as that is clear."""
    exact = align(text, reading)
    if not isinstance(exact, Misfit):
        return exact
    from edukit.lyrics.matching import match

    units = expected(text)
    found = []
    for one in match(units, reading) or ():
        # In a line that does not fit as a whole, only what can be right is believed.
        if one.at is not None and one.kind in ("right", "other") and one.syllable is not None:
            unit, last = units[one.at].unit, units[one.at + one.erhua].unit
            found.append(Reading(unit.start, last.stop, one.syllable, one.erhua, one.tone, unit.start))
    return tuple(found)


def _typed_words(typed: tuple[Reading, ...], text: str) -> _Words | None:
    """Return the words as they were typed, None where every syllable was typed by itself."""
    words: _Words = [(at, at + 1) for at in range(len(text))]
    joined = False
    for _, group in itertools.groupby(typed, key=lambda one: one.word):
        run: list[Reading] = []
        for one in group:
            # Punctuation parts what was typed as one.
            if run and run[-1].stop != one.start:
                run = []
            run.append(one)
            begin, end = run[0].start, one.stop
            words[begin:end] = [(begin, end)] * (end - begin)
            joined = joined or len(run) > 1
    return words if joined else None


def _settle(cells: _Cells, simple: str, typed: tuple[Reading, ...]) -> None:
    """Put what was typed in the place of what the dictionaries say."""
    from edukit.lyrics.pronouncing import is_erhua

    # An unmarked syllable is a neutral one only beside marked ones: else the typist left all tones out.
    marked = any(one.tone is not None for one in typed)
    before = list(cells)
    for one in typed:
        if one.syllable is None:
            cells[one.start] = (one.stop, None, None, "typed")
            continue
        tone: int | None
        if one.tone is not None or marked:
            tone = one.tone or 5
        else:
            cell = before[one.start]
            here = cell[1] if cell else "ér"
            if here is not None and is_erhua(here):
                here = here[:-1]
            tone = _tone_of(simple[one.start], one.syllable, here)
            if tone is None and here is not None and simple[one.start : one.start + 1].isalpha():
                # The character is never read so, and a syllable without a tone cannot be shown.
                continue
        pinyin = with_mark(one.syllable, tone or 5) + "r" * one.erhua
        _put(cells, one.start, (one.stop, pinyin, tone, "typed"))


def _tone_of(character: str, syllable: str, here: str | None) -> int | None:
    """Return the tone that the dictionaries give a typed syllable."""
    from edukit.lyrics.pronouncing import readings, sound

    for known in ([here] if here else []) + list(readings(character)):
        if sound(known).plain == syllable:
            return sound(known).tone
    return None


def _put(cells: _Cells, start: int, cell: _Cell) -> None:
    """Put a cell in its place, and cut those that reach into it."""
    before = cells[start - 1] if start else None
    if before is not None and before[0] > start and before[1] is not None:
        cells[start - 1] = (start, before[1].removesuffix("r"), before[2], before[3])
    old = cells[start]
    stop = cell[0]
    if old is not None and old[0] > stop:
        cells[stop] = (old[0], "ér", 2, "dictionary")
    cells[start:stop] = [cell] + [None] * (stop - start - 1)


# -- overrides -------------------------------------------------------------------------------------------


def _override(cells: _Cells, text: str, key: str | int, pinyin: str) -> None:
    if isinstance(key, int):
        places = [key] if 0 <= key < len(text) else []
        key = text[key : key + 1] if places else str(key)
    else:
        places = [at for at in range(len(text)) if key and text.startswith(key, at)]
    if not places:
        raise LyricsError(None, None, None, "override", f"“{text}” has no “{key}” to be read as {pinyin}")
    readings = align(key, pinyin)
    if isinstance(readings, Misfit):
        raise LyricsError(
            None, None, None, "override", f"“{key}” cannot be read as “{pinyin}”: {readings.message_en}"
        )
    for place, one in itertools.product(places, readings):
        start, stop = place + one.start, place + one.stop
        sound = with_mark(one.syllable, one.tone or 5) + "r" * one.erhua if one.syllable else None
        _put(cells, start, (stop, sound, (one.tone or 5) if sound else None, "override"))


# -- together --------------------------------------------------------------------------------------------


def _syllables(text: str, cells: _Cells, words: _Words) -> Iterator[Syllable]:
    from edukit.lyrics.pronouncing import sound

    for at, cell in enumerate(cells):
        if cell is None:
            continue
        stop, pinyin, tone, source = cell
        begin, end = words[at]
        if stop > end:
            # 点 and 儿 are one syllable, so the words that they are in are one too.
            end = words[stop - 1][1]
            words[begin:end] = [(begin, end)] * (end - begin)
        zhuyin = sound(pinyin).zhuyin if pinyin is not None and tone is not None else None
        yield Syllable(text[at:stop], at, stop, pinyin, tone, zhuyin, text[begin:end], source)
