"""How tones change before other tones when Mandarin is spoken.

Dictionaries write each syllable with its own tone; so does this package unless it is asked. The rules
are those of the school books:

- 一 is yí before a fourth tone and yì before the others. It keeps its own tone in a row of numbers, in
  dates, after 第, and at the end of a word or line; between two like verbs it has none.
- 不 is bú before a fourth tone, and has no tone between two like words.
- Of third tones in a row all but the last of each group become second tones. A word is a group; words
  of one syllable join into pairs, and one that is left over joins the group before it. A 小 or 老 before
  a word of two syllables stands by itself: xiǎo láoshǔ.
"""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from edukit.lyrics.model import Syllable
from edukit.lyrics.pinyin import with_mark
from edukit.lyrics.pronouncing import is_erhua, readings, sound

_DIGITS = frozenset("〇零一二三四五六七八九")
_DATES = frozenset("月号號")
_ORDINALS = frozenset("第初")
_PREFIXES = frozenset("小老")


def spoken(syllables: Sequence[Syllable]) -> tuple[Syllable, ...]:
    """Return the syllables of a line in the tones in which they are spoken after each other.

    What an override says is left as it is.
    """
    result: list[Syllable] = []
    for stretch in _stretches(syllables):
        words = in_words(stretch)
        tones = _third_tones(words, _tones_of_yi_and_bu(stretch, words))
        result += [
            _with_tone(one, tone) if one.source != "override" else one
            for one, tone in zip(stretch, tones, strict=True)
        ]
    return tuple(result)


def typed(syllables: Sequence[Syllable]) -> tuple[Syllable, ...]:
    """Return the syllables of a line as one may type them who writes tones as they are spoken.

    Speakers differ in which third tones they group, so every one before another is changed; words are
    not looked at.
    """
    result: list[Syllable] = []
    for stretch in _stretches(syllables):
        tones = _tones_of_yi_and_bu(stretch, [[one] for one in stretch])
        following = [*tones[1:], None]
        result += [
            _with_tone(one, 2 if tone == after == 3 else tone)
            for one, tone, after in zip(stretch, tones, following, strict=True)
        ]
    return tuple(result)


def in_words(syllables: Sequence[Syllable]) -> list[list[Syllable]]:
    """Put the syllables of each word together."""
    words: list[list[Syllable]] = [[]]
    length = 0
    for one in syllables:
        words[-1].append(one)
        length += len(one.text)
        if length >= len(one.word):
            words.append([])
            length = 0
    return [word for word in words if word]


def _stretches(syllables: Sequence[Syllable]) -> list[list[Syllable]]:
    """Part a line wherever something stands between two syllables, or one is not Chinese."""
    stretches: list[list[Syllable]] = []
    for one in syllables:
        last = stretches[-1][-1] if stretches else None
        if last is None or last.stop != one.start or last.pinyin is None or one.pinyin is None:
            stretches.append([])
        stretches[-1].append(one)
    return stretches


def _tones_of_yi_and_bu(stretch: Sequence[Syllable], words: list[list[Syllable]]) -> list[int | None]:
    ends = set(itertools.accumulate(len(word) for word in words))
    begins = {0, *ends}
    tones = [one.tone for one in stretch]
    for at, one in enumerate(stretch):
        before = stretch[at - 1].text if at else ""
        after = stretch[at + 1].text if at + 1 < len(stretch) else ""
        following = _own_tone(stretch[at + 1]) if after else None
        if one.pinyin == "yī" and one.text == "一":
            ends_a_word = at + 1 in ends and at not in begins
            if before and before == after:
                tones[at] = 5
            elif after and not ends_a_word and not _is_number(before, after):
                tones[at] = 2 if following == 4 else 4
        elif one.pinyin == "bù" and one.text == "不":
            if before and before == after:
                tones[at] = 5
            elif following == 4:
                tones[at] = 2
    return tones


def _is_number(before: str, after: str) -> bool:
    return before in _ORDINALS or before in _DIGITS or before == "十" or after in _DIGITS or after in _DATES


def _own_tone(syllable: Syllable) -> int | None:
    """Return the tone of a syllable, the one that it has lost where it is neutral: 个 in 一个."""
    if syllable.tone != 5:
        return syllable.tone
    plain = sound(syllable.pinyin or "").plain
    return next(
        (own.tone for own in map(sound, readings(syllable.text)) if own.plain == plain and own.tone != 5), 5
    )


def _third_tones(words: list[list[Syllable]], tones: list[int | None]) -> list[int | None]:
    changed = list(tones)
    for is_third, run in itertools.groupby(range(len(tones)), key=lambda at: tones[at] == 3):
        if is_third:
            for group in _groups(list(run), words):
                for at in group[:-1]:
                    changed[at] = 2
    return changed


def _groups(run: list[int], words: list[list[Syllable]]) -> list[list[int]]:
    """Part a row of third tones, given by their indices, into what is spoken together."""
    word_of: list[tuple[int, bool]] = []
    for number, word in enumerate(words):
        has_prefix = len(word) == 3 and word[0].text in _PREFIXES
        word_of += [(number, has_prefix and at == 0) for at in range(len(word))]
    groups: list[list[int]] = []
    is_open = False  # whether the last group is a single word of one syllable
    for _, part in itertools.groupby(run, key=lambda at: word_of[at]):
        indices = list(part)
        single = len(indices) == 1 and not word_of[indices[0]][1]
        if single and is_open:
            groups[-1] += indices
            is_open = False
        else:
            groups.append(indices)
            is_open = single
    if is_open and len(groups) > 1:
        groups[-2:] = [groups[-2] + groups[-1]]
    return groups


def _with_tone(syllable: Syllable, tone: int | None) -> Syllable:
    if tone is None or tone == syllable.tone or syllable.pinyin is None:
        return syllable
    own = sound(syllable.pinyin)
    erhua = is_erhua(syllable.pinyin)
    pinyin = with_mark(own.plain[:-1] if erhua else own.plain, tone) + "r" * erhua
    return replace(syllable, pinyin=pinyin, tone=tone, zhuyin=sound(pinyin).zhuyin)
