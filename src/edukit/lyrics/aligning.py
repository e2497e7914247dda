"""Typed pinyin, laid under the characters of a Chinese line that it belongs to, by spelling alone.

Pinyin joins the syllables of a word (``yuèliang``), so where one ends can be unclear: ``nǚér`` is two
syllables, ``huār`` is one, of two characters. All ways of cutting the whole line are followed at
once, and the one that gives each character its syllable by the rules of spelling wins; where none
does, or two do equally well, this is said and nothing is guessed.
"""

import functools
import re
from dataclasses import dataclass

from edukit.lyrics.pinyin import LONGEST, spell

HAN = re.compile(r"[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
"""One Chinese character."""

MOST_PATHS = 16
"""The most places at which the ways of cutting what was typed so far may have arrived."""

_LETTER = r"[^\W\d_]"
APOSTROPHE = "'’ʼ‘"
# A digit stands alone, so that a year can be read figure by figure; other scripts are read as words.
_LATIN = rf"(?:(?!{HAN.pattern}){_LETTER})+"
_UNIT = re.compile(rf"{HAN.pattern}|\d|{_LATIN}(?:[{APOSTROPHE}]{_LATIN})*")
_TYPED_PART = rf"{_LETTER}[^\W_]*(?:[\u0300-\u036f]+[^\W_]*)*"
TYPED_WORD = re.compile(rf"{_TYPED_PART}(?:[{APOSTROPHE}‐‑-]{_TYPED_PART})*|\d")
_VOWELS = ("a", "e", "o")
_RETROFLEX = ("儿", "兒")


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a typed reading does not fit its line; ``column`` counts from 1 in the reading."""

    code: str
    column: int
    typed: str
    expected: str
    message_en: str
    message_zh: str


@dataclass(frozen=True, slots=True)
class Unit:
    """A character, a Latin word or a digit of a line."""

    text: str
    start: int
    stop: int
    is_han: bool

    @property
    def takes_a_syllable(self) -> bool:
        """Whether it is read as one syllable: a Latin word is not."""
        return self.is_han or self.text.isdigit()


@dataclass(frozen=True, slots=True)
class Reading:
    """One character, or Latin word, of a line and what was typed for it."""

    start: int
    stop: int
    syllable: str | None
    erhua: bool
    tone: int | None
    word: int


@dataclass(frozen=True, slots=True)
class _Path:
    """One way of cutting what was typed so far.

    ``cost`` counts the places where it breaks the rules of spelling; ``tied`` tells that another way
    is just as good; the way itself is a chain of (reading, the chain before it).
    """

    cost: int = 0
    tied: bool = False
    chain: tuple[Reading, object] | None = None

    def step(self, reading: Reading, cost: int) -> "_Path":
        return _Path(self.cost + cost, self.tied, (reading, self.chain))


_Paths = dict[int, _Path]
"""The best path to each number of units that have their reading."""


def misfit(text: str, reading: str) -> Misfit | None:
    """Return why a typed reading does not fit a line, or None where it does."""
    result = align(text, reading)
    return result if isinstance(result, Misfit) else None


def pinyin_share(reading: str) -> float:
    """Return the share of the words of a text, 0 to 1, that could be pinyin."""
    words = TYPED_WORD.findall(reading)
    return sum(fewest_syllables(word) is not None for word in words) / len(words) if words else 0.0


def units_of(text: str) -> list[Unit]:
    """Return the characters, digits and Latin words of a line."""
    return [
        Unit(match.group(), match.start(), match.end(), HAN.match(match.group()) is not None)
        for match in _UNIT.finditer(text)
    ]


@functools.lru_cache(maxsize=1024)
def align(text: str, reading: str) -> tuple[Reading, ...] | Misfit:
    """Give each unit of a line what was typed for it, or say why that cannot be done."""
    units = units_of(text)
    words = list(TYPED_WORD.finditer(reading))
    paths: _Paths = {0: _Path()}
    for number, word in enumerate(words):
        paths = _read_word(word.group(), number, units, paths)
        if not paths:
            return _why_not(units, words)
    path = paths.get(len(units))
    if path is None:
        return _why_not(units, words)
    if path.tied:
        return Misfit(
            "reading-unclear",
            1,
            reading,
            "",
            f"“{reading}” can be cut into syllables in two ways: put an apostrophe where one begins",
            f"“{reading}”有两种切分音节的办法，请在音节开头处加隔音符号（'）",
        )
    readings: list[Reading] = []
    chain: object = path.chain
    while isinstance(chain, tuple):
        readings.append(chain[0])
        chain = chain[1]
    return tuple(reversed(readings))


def _read_word(word: str, number: int, units: list[Unit], paths: _Paths) -> _Paths:
    """Carry every path over one typed word."""
    after: _Paths = {}
    # A Latin word of the line is typed as it is, whether or not it happens to look like pinyin.
    for at, path in paths.items():
        if at < len(units) and not units[at].is_han and same(word, units[at].text):
            latin = Reading(units[at].start, units[at].stop, None, False, None, number)
            _keep(after, at + 1, path.step(latin, 0))
    for part in re.split(rf"[{APOSTROPHE}‐‑-]", word):
        paths = _read_part(part, number, units, paths)
    for at, path in paths.items():
        _keep(after, at, path)
    return after


def _read_part(part: str, number: int, units: list[Unit], paths: _Paths) -> _Paths:
    """Carry every path over letters without a mark of division among them."""
    toned = _has_tone(part)
    reached: list[_Paths] = [{} for _ in range(len(part) + 1)]
    reached[0] = paths
    for begin, here in enumerate(reached[:-1]):
        if not here:
            continue
        # Nobody types what can be cut in so many ways, but a file made to keep us busy has it.
        if len(here) > MOST_PATHS:
            return {}
        possible = [
            (end, spelt, erhua)
            for end in range(begin + 1, min(begin + LONGEST + 2, len(part)) + 1)
            for spelt, erhua in cuts(part[begin:end])
        ]
        for at, path in here.items():
            if at == len(units) or not units[at].takes_a_syllable:
                continue
            for end, spelt, erhua in possible:
                last = at + erhua
                if erhua and not has_er_behind(units, at):
                    continue
                if begin and not _may_begin_within(spelt, path):
                    continue
                # An r of its own costs as much as the missing apostrophe before er, so that li-er
                # and lie-r are equally good; the first syllable of a word is never neutral.
                cost = (begin > 0 and spelt[0].startswith(_VOWELS)) + erhua
                cost += begin == 0 and toned and spelt[1] is None
                step = Reading(units[at].start, units[last].stop, spelt[0], erhua, spelt[1], number)
                _keep(reached[end], last + 1, path.step(step, cost))
    return reached[-1]


def has_er_behind(units: list[Unit], at: int) -> bool:
    """Tell whether 儿 stands right behind a unit."""
    following = units[at + 1] if at + 1 < len(units) else None
    return following is not None and following.text in _RETROFLEX and following.start == units[at].stop


def _may_begin_within(spelt: tuple[str, int | None], path: _Path) -> bool:
    """Tell whether a syllable can follow another with no apostrophe between them.

    Before a vowel the apostrophe is required. Without this rule a syllable that was left out would
    be found in the one before it: cao is enough for two characters as ca-o. Two tones are as good
    as an apostrophe, and no syllable but er ends in an r.
    """
    if not spelt[0].startswith(_VOWELS) or spelt[0] == "er":
        return True
    return spelt[1] is not None and path.chain is not None and path.chain[0].tone is not None


@functools.lru_cache(maxsize=8192)
def cuts(typed: str) -> tuple[tuple[tuple[str, int | None], bool], ...]:
    """Return what one piece of typing can be: a syllable, or one with the r of 儿 at its end."""
    found = []
    if spelt := spell(typed):
        found.append((spelt, False))
    # The number of the tone may stand on either side of the r.
    if match := re.fullmatch(r"(.+)r([0-5]?)", typed, re.IGNORECASE | re.DOTALL):
        spelt = spell(match[1] + match[2])
        if spelt and spelt[0] != "er":
            found.append((spelt, True))
    return tuple(found)


def _keep(paths: _Paths, at: int, path: _Path) -> None:
    """Keep the better of two paths to one place, and remember when they are equally good."""
    known = paths.get(at)
    if known is None or path.cost < known.cost:
        paths[at] = path
    elif path.cost == known.cost:
        paths[at] = _Path(known.cost, True, known.chain)


def same(left: str, right: str) -> bool:
    """Tell whether two Latin words are one, whatever their case and the shape of their apostrophes."""
    return re.sub(rf"[{APOSTROPHE}]", "'", left.lower()) == re.sub(rf"[{APOSTROPHE}]", "'", right.lower())


def _has_tone(part: str) -> bool:
    return any(
        (spelt := spell(part[begin:end])) and spelt[1] is not None
        for begin in range(len(part))
        for end in range(begin + 1, min(begin + LONGEST, len(part)) + 1)
    )


def _why_not(units: list[Unit], words: list[re.Match[str]]) -> Misfit:
    latin = [unit.text for unit in units if not unit.is_han]
    count = 0
    for word in words:
        if any(same(word.group(), unit) for unit in latin):
            count += 1
            continue
        fewest = fewest_syllables(word.group())
        if fewest is None:
            return Misfit(
                "reading-syllable",
                word.start() + 1,
                word.group(),
                "",
                f"“{word.group()}” is neither pinyin nor a word of the line: a letter or the place of "
                "the tone mark is wrong",
                f"“{word.group()}”既不是拼音，也不是这一行里的词：字母或声调符号的位置有误",
            )
        count += fewest
    if count == len(units):
        typed = " ".join(word.group() for word in words)
        return Misfit(
            "reading-unclear",
            1,
            typed,
            "",
            f"it is not clear where the syllables of “{typed}” begin: put an apostrophe before each "
            "one inside a word that begins with a, e or o",
            f"“{typed}”的音节界限不清：词中以 a、e、o 开头的音节前请加隔音符号（'）",
        )
    return Misfit(
        "reading-count",
        1,
        str(count),
        str(len(units)),
        f"the pinyin has {count} syllables and the line {len(units)} characters: one is left out, "
        "doubled or has no apostrophe before it (xi’an)",
        f"拼音有 {count} 个音节，而这一行有 {len(units)} 个字：有漏写、多写之处，或缺隔音符号（xi’an）",
    )


@functools.lru_cache(maxsize=8192)
def fewest_syllables(word: str) -> int | None:
    """Return the least number of syllables that a typed word can be cut into, None if it cannot."""
    total = 0
    for part in re.split(rf"[{APOSTROPHE}‐‑-]", word):
        least: list[int | None] = [0] + [None] * len(part)
        for end in range(1, len(part) + 1):
            ways = [
                before + 1
                for begin in range(max(0, end - LONGEST - 2), end)
                if (before := least[begin]) is not None and cuts(part[begin:end])
            ]
            least[end] = min(ways, default=None)
        if least[-1] is None:
            return None
        total += least[-1]
    return total
