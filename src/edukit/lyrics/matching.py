"""Typed pinyin against the characters, where the two may differ.

The typed letters are cut into syllables and laid under the characters at once, by the cheapest way
through both: a syllable that is read so costs nothing, one that belongs to another reading of its
character a little, one that the character is never read as more, and most one that is left out or too
many. The characters thus decide where a syllable ends (``xian`` is one for 先 and two for 西安), and
one mistake does not shift all that comes after it.
"""

import difflib
import functools
import heapq
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from edukit.lyrics.aligning import (
    APOSTROPHE,
    TYPED_WORD,
    Unit,
    cuts,
    fewest_syllables,
    has_er_behind,
    same,
)
from edukit.lyrics.pinyin import LONGEST
from edukit.lyrics.pronouncing import readings, sound

MISSING = 1.6
"""What a syllable costs that was left out, or is too many."""

MAX_STEPS = 30_000
"""How far a way is looked for; lines that were typed in earnest need some hundred steps."""

HOPELESS = 0.8
"""The cost for each unit of a line at which its pinyin belongs to another one."""

_NOT_PINYIN = 1.8
_NO_APOSTROPHE = 0.3
_NUMBERS = "líng yī èr sān sì wǔ liù qī bā jiǔ"
_DIGITS = dict(zip("0123456789", _NUMBERS.split(), strict=True))


@dataclass(frozen=True, slots=True)
class Expected:
    """A unit of a line and how it is read there.

    Parameters
    ----------
    unit
        A character, a digit or a Latin word.
    character
        The simplified character.
    pinyin
        Its reading in this line, None where there is none.
    spoken
        The same after the changes of tone in speech, which some type.
    """

    unit: Unit
    character: str
    pinyin: str | None
    spoken: str | None


@dataclass(frozen=True, slots=True)
class Match:
    """What was typed for a unit.

    ``at`` is the index of the unit, None for what is too much; ``column`` counts from 1 in the reading.
    ``kind`` is ``"right"``, ``"other"`` (another reading of the character), ``"impossible"``,
    ``"missing"``, ``"extra"``, ``"latin"`` or ``"not-pinyin"``. ``syllable`` and ``tone`` are what was
    typed, None where it is no syllable; ``no_apostrophe`` tells that one is due before it.
    """

    at: int | None
    kind: str
    column: int
    typed: str
    syllable: str | None = None
    tone: int | None = None
    erhua: bool = False
    no_apostrophe: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """Typed letters without a mark of division among them."""

    text: str
    start: int
    word: str
    parts_to_next_word: int
    is_pinyin: bool


def match(expected: Sequence[Expected], reading: str) -> tuple[Match, ...] | None:
    """Lay typed pinyin under the units of a line; None where the two have nothing to do with each other."""
    parts = list(_parts(reading))
    toned = has_tones(reading)
    units = [one.unit for one in expected]
    # Dijkstra's way: places are (part, letter in it, unit); the cheapest is always looked at first.
    goal = (len(parts), 0, len(units))
    start = (0, 0, 0)
    cheapest: dict[tuple[int, int, int], float] = {start: 0.0}
    came_from: dict[tuple[int, int, int], tuple[tuple[int, int, int], Match]] = {}
    waiting: list[tuple[float, int, tuple[int, int, int]]] = [(0.0, 0, start)]
    done: set[tuple[int, int, int]] = set()
    while waiting:
        cost, _, place = heapq.heappop(waiting)
        if place == goal:
            return _way_to(goal, came_from)
        if place in done:
            continue
        done.add(place)
        if len(done) > MAX_STEPS or cost > HOPELESS * len(units) + 2 * MISSING:
            return None
        for more, following, step in _steps(place, parts, expected, units, len(reading), toned):
            total = cost + more
            if following not in done and total < cheapest.get(following, float("inf")):
                cheapest[following] = total
                came_from[following] = place, step
                # Among equals the one that has come furthest first.
                heapq.heappush(waiting, (total, -sum(following), following))
    return None


def _way_to(
    goal: tuple[int, int, int],
    came_from: dict[tuple[int, int, int], tuple[tuple[int, int, int], Match]],
) -> tuple[Match, ...]:
    way = []
    place = goal
    while place in came_from:
        place, step = came_from[place]
        way.append(step)
    return tuple(reversed(way))


def _parts(reading: str) -> Iterator[_Part]:
    for word in TYPED_WORD.finditer(reading):
        parts = [
            (piece.group(), word.start() + piece.start())
            for piece in re.finditer(rf"[^{APOSTROPHE}‐‑-]+", word.group())
        ]
        for at, (text, start) in enumerate(parts):
            yield _Part(
                text,
                start,
                word.group() if at == 0 else "",
                len(parts) - at,
                fewest_syllables(text) is not None,
            )


def _steps(
    place: tuple[int, int, int],
    parts: Sequence[_Part],
    expected: Sequence[Expected],
    units: list[Unit],
    end_of_reading: int,
    toned: bool,
) -> Iterator[tuple[float, tuple[int, int, int], Match]]:
    """Yield the ways on from a place: what each costs, where it leads and what it means."""
    number, begin, at = place
    part = parts[number] if number < len(parts) else None
    column = (part.start + begin if part else end_of_reading) + 1
    has_unit = at < len(units)
    if has_unit:
        # Latin words are often left out of the pinyin, and need none.
        cost = MISSING if units[at].takes_a_syllable else 0.2
        kind = "missing" if units[at].is_han else "latin"
        yield cost, (number, begin, at + 1), Match(at, kind, column, "")
    if part is None:
        return
    if begin == 0 and has_unit and not units[at].is_han and part.word and same(part.word, units[at].text):
        yield 0.0, (number + part.parts_to_next_word, 0, at + 1), Match(at, "latin", column, part.word)
    if not part.is_pinyin:
        # It is taken as a whole: to cut a syllable out of it would be to guess.
        if begin == 0:
            if has_unit and units[at].is_han:
                yield _NOT_PINYIN, (number + 1, 0, at + 1), Match(at, "not-pinyin", column, part.text)
            yield MISSING + 0.3, (number + 1, 0, at), Match(None, "not-pinyin", column, part.text)
        return
    for end in range(begin + 1, min(begin + LONGEST + 2, len(part.text)) + 1):
        typed = part.text[begin:end]
        following = (number + 1, 0) if end == len(part.text) else (number, end)
        for (syllable, tone), erhua in cuts(typed):
            bare = begin > 0 and syllable[0] in "aeo" and not _ends_in_tone(part.text[:begin])
            cost = _NO_APOSTROPHE if bare else 0.0
            if not erhua:
                extra = Match(None, "extra", column, typed, syllable, tone)
                yield MISSING + cost, (*following, at), extra
            if not has_unit or not units[at].takes_a_syllable or (erhua and not has_er_behind(units, at)):
                continue
            more, kind = _judged(
                expected[at].character,
                expected[at].pinyin,
                expected[at].spoken,
                syllable,
                # A syllable without a mark is a neutral one where others have theirs.
                5 if toned and tone is None else tone,
            )
            found = Match(at, kind, column, typed, syllable, tone, erhua, bare)
            yield cost + more, (*following, at + 1 + erhua), found


def has_tones(reading: str) -> bool:
    """Tell whether any tone was typed."""
    letters = unicodedata.normalize("NFD", reading)
    return re.search(r"[\u0300\u0301\u0304\u0306\u030c]|[a-z\u0308][1-5]", letters, re.I) is not None


def _ends_in_tone(typed: str) -> bool:
    """Tell whether the syllable that ends here carries its tone, so that the next one is clear."""
    return typed[-1:].isdigit() or any(
        letter in "\u0300\u0301\u0304\u0306\u030c" for letter in unicodedata.normalize("NFD", typed)
    )


@functools.lru_cache(maxsize=16384)
def _judged(
    character: str, pinyin: str | None, spoken: str | None, syllable: str, tone: int | None
) -> tuple[float, str]:
    """Return what it costs to read a character so, and of what kind that is."""
    if character in _DIGITS:
        same_digit = sound(_DIGITS[character]).plain == syllable
        return (0.0 if same_digit or (character == "1" and syllable == "yao") else 0.3), "right"
    if pinyin is None:
        return 0.2, "right"
    here = sound(pinyin)
    own = [sound(one) for one in readings(character)]
    if syllable == here.plain and tone in {None, here.tone, sound(spoken or pinyin).tone}:
        return 0.0, "right"
    same_letters = [one for one in own if one.plain == syllable]
    if any(tone in (None, one.tone) for one in same_letters):
        # A neutral tone in the dictionary is a full one for many who sing.
        is_fuller = syllable == here.plain and here.tone == 5 and tone is not None
        return (0.0, "right") if is_fuller else (0.5, "other")
    if same_letters and tone == 5:
        return 0.5, "other"
    if same_letters:
        return 0.8, "impossible"
    likeness = max(
        (difflib.SequenceMatcher(None, syllable, one.plain).ratio() for one in (here, *own)), default=0.0
    )
    return 2.2 - 1.2 * likeness, "impossible"
