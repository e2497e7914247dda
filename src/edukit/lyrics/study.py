"""What a class does with a song: its words, gaps to fill, lines to put in order, meanings to find."""

import math
import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from edukit.lyrics.extras import needs_dictionaries
from edukit.lyrics.model import Line, Song, Syllable


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of a song.

    Parameters
    ----------
    text
        The word as the song writes it; of an English one its dictionary form.
    reading
        Its pinyin as it is read in this song, or its IPA; None if it is not known.
    gloss
        What it means in the other language, empty if that is not known.
    source
        Where the meaning is from: ``"teacher"``, ``"CC-CEDICT"`` (to be attributed, see
        `edukit.lyrics.glossary`) or empty.
    level, standard
        Its level, and what this is a level of: ``"HSK 3.0 (2025)"`` or ``"CEFR"``. Both None for a word
        that the standard does not have.
    count
        How often it is sung.
    line
        The line where it is sung first, from 1.
    """

    text: str
    reading: str | None
    gloss: str
    source: str
    level: str | None
    standard: str | None
    count: int
    line: int


@dataclass(frozen=True, slots=True)
class Gap:
    """A word to fill in: ``line`` counts from 1, and ``answer`` is the text from ``start`` to ``stop``."""

    line: int
    start: int
    stop: int
    answer: str


@dataclass(frozen=True, slots=True)
class _Occurrence:
    """A word where it is sung; words with one ``key`` are one entry."""

    key: tuple[str, str]
    text: str
    reading: str | None
    readings: tuple[str, ...]
    level: str | None
    line: int
    start: int
    stop: int


@needs_dictionaries
def vocabulary(song: Song, *, glosses: Mapping[str, str] | None = None) -> tuple[Entry, ...]:
    """Return the words of a song in the order in which they are first sung.

    Parameters
    ----------
    song
        A Chinese or an English song. A Chinese word that is read in two ways is two words.
    glosses
        The teacher's own meanings by word (or the dictionary form of an English one), which win.

    Examples
    --------
    >>> song = Song("", "zh_CN", lines=(Line("星星数星星"),))
    >>> for entry in vocabulary(song, glosses={"数": "count"}):
    ...     print(entry.text, entry.reading, entry.gloss, entry.source, entry.count, entry.line)
    星星 xīngxing a star; the stars in the sky CC-CEDICT 2 1
    数 shǔ count teacher 1 1
    """
    from edukit.lyrics.glossary import gloss_key

    own = {gloss_key(word): meaning for word, meaning in (glosses or {}).items()}
    entries: dict[tuple[str, str], Entry] = {}
    for one in _occurrences(song, own):
        if one.key in entries:
            entries[one.key] = replace(entries[one.key], count=entries[one.key].count + 1)
        else:
            entries[one.key] = _entry(one, song.language, own)
    return tuple(entries.values())


def _entry(one: _Occurrence, language: str, own: Mapping[str, str]) -> Entry:
    from edukit.lyrics import english, glossary

    word = one.key[0]
    gloss, source = own.get(glossary.gloss_key(word), ""), "teacher"
    if not gloss:
        gloss = (
            glossary.english_gloss(word) if language == "en" else glossary.chinese_gloss(word, one.readings)
        )
        source = "CC-CEDICT" if gloss else ""
    standard = english.LEVEL_STANDARD if language == "en" else glossary.HSK
    return Entry(
        text=one.text,
        reading=one.reading,
        gloss=gloss,
        source=source,
        level=one.level,
        standard=standard if one.level else None,
        count=1,
        line=one.line,
    )


def _occurrences(song: Song, glosses: Collection[str] | None = None) -> Iterator[_Occurrence]:
    """Yield the words of a song; with ``glosses``, may they be none, those that have a meaning."""
    for number, line in enumerate(song.lines, 1):
        if song.language == "en":
            yield from _english(number, line)
        else:
            yield from _chinese(number, line, glosses)


def _chinese(number: int, line: Line, glosses: Collection[str] | None) -> Iterator[_Occurrence]:
    from edukit.lyrics.aloud import read_aloud, segmented
    from edukit.lyrics.glossary import hsk_level
    from edukit.lyrics.script import simplified

    simple = simplified(line.text)
    words = segmented(simple)
    if glosses is not None:
        words = _with_meanings(simple, words, glosses)
    for group in _by_word(read_aloud(line), words):
        start, stop = group[0].start, group[-1].stop
        readings = tuple(one.pinyin for one in group if one.pinyin is not None)
        word = simple[start:stop]
        yield _Occurrence(
            (word, " ".join(readings)),
            line.text[start:stop],
            joined(readings),
            readings,
            hsk_level(word),
            number,
            start,
            stop,
        )


def _with_meanings(
    simple: str, words: list[tuple[int, int]], glosses: Collection[str]
) -> list[tuple[int, int]]:
    """Take the words that the teacher explains, and part those that no dictionary has: 一朵花."""
    from edukit.lyrics.glossary import is_known

    longest = max(map(len, glosses), default=0)
    parted: list[tuple[int, int]] = []
    while len(parted) < len(simple):
        begin = len(parted)
        furthest = min(begin + longest, len(simple))
        end = next((end for end in range(furthest, begin, -1) if simple[begin:end] in glosses), 0)
        if not end:
            end = words[begin][1]
            while end - begin > 1 and not is_known(simple[begin:end].removesuffix("儿")):
                end -= 1
        parted += [(begin, end)] * (end - begin)
    return parted


def _by_word(syllables: tuple[Syllable, ...], words: list[tuple[int, int]]) -> Iterator[list[Syllable]]:
    """Put the syllables of each word of the dictionary together, however the reading was typed."""
    group: list[Syllable] = []
    for one in syllables:
        if group and words[one.start] != words[group[0].start]:
            yield group
            group = []
        if one.pinyin is not None:
            group.append(one)
    if group:
        yield group


def joined(readings: tuple[str, ...]) -> str:
    """Join the pinyin of a word; an apostrophe tells where a syllable begins with a vowel.

    Examples
    --------
    >>> joined(("xī", "ān")), joined(("yǔ", "diǎnr"))
    ("xī'ān", 'yǔdiǎnr')
    """
    from edukit.lyrics.pronouncing import sound

    return readings[0] + "".join(f"'{one}" if sound(one).plain[0] in "aeo" else one for one in readings[1:])


def _english(number: int, line: Line) -> Iterator[_Occurrence]:
    from edukit.lyrics import english

    for word, start, stop in english.words_of(line.text):
        lemma = english.lemma_of(word)
        sounds = english.sounds_of(lemma)
        yield _Occurrence(
            (lemma, ""),
            lemma,
            english.ipa(sounds) if sounds else None,
            (),
            english.level_of(word, lemma),
            number,
            start,
            stop,
        )


@needs_dictionaries
def cloze(song: Song, share: float, *, seed: int, levels: Collection[str] | None = None) -> tuple[Gap, ...]:
    """Return words of a song to be filled in.

    Parameters
    ----------
    song
        A Chinese or an English song.
    share
        The share of the words, 0 to 1; their number is rounded up.
    seed
        The same seed gives the same gaps.
    levels
        Take only words of these levels, and the share of those: ``{"1", "2"}``, or ``{"A1"}``.

    Raises
    ------
    ValueError
        If the share is not from 0 to 1.

    Examples
    --------
    >>> song = Song("", "en", lines=(Line("One word makes one flower bloom"),))
    >>> len(cloze(song, 0.25, seed=1)), [gap.answer for gap in cloze(song, 1, seed=1)][-1]
    (2, 'bloom')
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a share is from 0 to 1, not {share}")
    words = [
        Gap(one.line, one.start, one.stop, song.lines[one.line - 1].text[one.start : one.stop])
        for one in _occurrences(song)
        if levels is None or one.level in levels
    ]
    # As the share is written: 0.1 of 30 words is 3, which binary numbers make a little more.
    number = math.ceil(Decimal(str(share)) * len(words))
    chosen = random.Random(seed).sample(words, number)
    return tuple(sorted(chosen, key=lambda gap: (gap.line, gap.start)))


def shuffled_lines(song: Song, *, seed: int) -> tuple[int, ...]:
    """Return the numbers of the lines, from 1, in an order to be put right.

    It is never already right, unless all lines are the same.

    Examples
    --------
    >>> sorted(shuffled_lines(Song("", "en", lines=(Line("One"), Line("Two"))), seed=3))
    [1, 2]
    """
    numbers = list(range(1, len(song.lines) + 1))
    texts = [line.text for line in song.lines]
    if len(set(texts)) < 2:
        return tuple(numbers)
    chance = random.Random(seed)
    while True:
        chance.shuffle(numbers)
        if [texts[number - 1] for number in numbers] != texts:
            return tuple(numbers)


def meaning_pairs(
    song: Song, count: int, *, seed: int, glosses: Mapping[str, str] | None = None
) -> tuple[tuple[str, str], ...]:
    """Return pairs of a word and its meaning to be matched, at most ``count``; no two mean the same.

    Examples
    --------
    >>> song = Song("", "zh_CN", lines=(Line("星星月亮"),))
    >>> meaning_pairs(song, 1, seed=0, glosses={"星星": "star", "月亮": "moon"})[0][1] in {"star", "moon"}
    True
    """
    by_meaning = {
        entry.gloss: entry.text for entry in reversed(vocabulary(song, glosses=glosses)) if entry.gloss
    }
    pairs = [(word, meaning) for meaning, word in sorted(by_meaning.items())]
    return tuple(random.Random(seed).sample(pairs, min(count, len(pairs))))
