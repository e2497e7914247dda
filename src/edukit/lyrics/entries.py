"""From the texts of a lyric file to the lines of a song.

Every reader gives groups of `Entry`: a line, and beside it what may be its reading and its translation.
Where the file does not mark which is which, this is seen from their script and from whether a text can be
the pinyin of another; where that leaves two possibilities a finding says so.
"""

import dataclasses
import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from edukit.lyrics.aloud import HAN, misfit, pinyin_share
from edukit.lyrics.model import Finding, Line, Word
from edukit.lyrics.rows import Row

LANGUAGES = {
    "zh": "zh_CN",
    "zho": "zh_CN",
    "chi": "zh_CN",
    "cmn": "zh_CN",
    "zh-cn": "zh_CN",
    "zh-sg": "zh_CN",
    "zh-hans": "zh_CN",
    "zh-hans-cn": "zh_CN",
    "cmn-hans": "zh_CN",
    "zh-tw": "zh_TW",
    "zh-hk": "zh_TW",
    "zh-hant": "zh_TW",
    "zh-hant-tw": "zh_TW",
    "cmn-hant": "zh_TW",
    "en": "en",
    "eng": "en",
    "en-gb": "en",
    "en-us": "en",
    "汉语": "zh_CN",
    "中文": "zh_CN",
    "简体": "zh_CN",
    "简体中文": "zh_CN",
    "繁体": "zh_TW",
    "繁體": "zh_TW",
    "繁体中文": "zh_TW",
    "繁體中文": "zh_TW",
    "英语": "en",
    "英文": "en",
    "chinese": "zh_CN",
    "english": "en",
}
"""The languages of songs, by the tags and names that files give them."""

TAGS = {"zh_CN": "zh-Hans", "zh_TW": "zh-Hant", "en": "en"}
"""The tag that is written for a language."""

_TONES = re.compile(r"[\u0300\u0301\u0304\u0306\u030cāáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ]|[a-z][1-5]\b", re.I)
_IPA = re.compile(r"^/.*/$|[ˈˌːəɪʊæʌθðŋʃʒɔɛɜ]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One text of a file, with the times that it has there.

    ``role`` is what the file itself marks it as; None leaves it to be found out.
    """

    row: Row
    start: int | None = None
    end: int | None = None
    words: tuple[Word, ...] = ()
    section: str | None = None
    role: Literal["reading", "translation"] | None = None

    @property
    def text(self) -> str:
        """What is sung, read or meant."""
        return self.row.text


@dataclass(frozen=True, slots=True)
class _Line:
    """What belongs together, by its part in the line."""

    original: Entry
    reading: Entry | None = None
    translation: Entry | None = None


def language_of(name: str) -> str | None:
    """Return the language that a tag or a name means, None where it is not known."""
    return LANGUAGES.get(name.strip().lower().replace("_", "-"))


def has_han(text: str) -> bool:
    """Tell whether a text has a Chinese character."""
    return HAN.search(text) is not None


def has_letters(text: str) -> bool:
    """Tell whether a text has a letter of any script."""
    return any(character.isalpha() for character in text)


def is_like_pinyin(text: str) -> bool:
    """Tell whether a text is rather pinyin than words of another language."""
    if has_han(text):
        return False
    share = pinyin_share(text)
    return share > 0.8 or (share > 0.5 and _TONES.search(text) is not None)


def song_lines(
    groups: Sequence[Sequence[Entry]], language: str | None, findings: list[Finding], *, mark: str = ""
) -> tuple[str, tuple[Line, ...]]:
    """Make the lines of a song, and find its language where the file does not say it.

    Parameters
    ----------
    groups
        The texts that belong together, in the order in which they are sung.
    language
        The language that the file names, or None.
    findings
        Those made so far; new ones are added.
    mark
        How a file of this format names its language, with ``{}`` in the place of the tag; empty where
        it cannot.
    """
    groups = [group for group in groups if group]
    language = language or _guess_language(groups, findings, mark)
    found: dict[tuple[str, int], Finding] = {}  # a row that is sung again is reported once
    pair = _pair_english if language == "en" else _pair_chinese
    lines = pair(groups, found)
    findings.extend(found.values())
    findings.extend(_misfits(lines, language))
    return language, tuple(
        Line(
            text=line.original.text,
            translation=line.translation.text if line.translation else None,
            reading=line.reading.text if line.reading else None,
            start=line.original.start,
            end=line.original.end,
            words=line.original.words,
            section=line.original.section,
        )
        for line in lines
    )


def _guess_language(groups: Sequence[Sequence[Entry]], findings: list[Finding], mark: str) -> str:
    """Return the language of the lines where the file does not say it."""
    chinese = english = 0
    certain = 0
    for group in groups:
        unmarked = [entry for entry in group if entry.role is None] or group
        han = next((entry for entry in unmarked if has_han(entry.text)), None)
        # A text with its reading beside it is the song's own: nobody types the pinyin of a translation.
        if han and any(
            entry is not han and entry.role != "translation" and _is_reading_of(han, entry)
            for entry in group
        ):
            chinese += 2
            certain += 1
        elif unmarked[0] is han:
            chinese += 1
        elif has_letters(unmarked[0].text):
            english += 1
    language = "en" if english > chinese else "zh_CN"
    by_place = all(len(group) == 1 or any(entry.role for entry in group) for group in groups)
    mixed = (
        len({has_han(entry.text) for group in groups for entry in group if has_letters(entry.text)}) == 2
    )
    if language != "en" and _is_traditional(groups):
        language = "zh_TW"
    # Where the file itself tells what is a translation, the language of the rest is no guess.
    sure = certain * 2 > len(groups) or (by_place and any(len(group) > 1 for group in groups))
    if mixed and not sure:
        findings.append(_guessed_language(language, mark))
    return language


def _is_reading_of(original: Entry, entry: Entry) -> bool:
    return entry.role == "reading" or misfit(original.text, entry.text) is None


def _is_traditional(groups: Sequence[Sequence[Entry]]) -> bool:
    """Tell whether the characters are rather those of the Big5 list than of the simplified one."""
    traditional = simplified = 0
    for group in groups:
        for character in group[0].text:
            kind = _kind(character) if character > "\x7f" else 0
            traditional += kind > 0
            simplified += kind < 0
    return traditional > simplified


@functools.lru_cache(maxsize=8192)
def _kind(character: str) -> int:
    """Return 1 for a character of Big5 alone, -1 for one of GB2312 alone, else 0."""
    if not HAN.match(character):
        return 0
    in_big5, in_gb2312 = (bool(character.encode(name, "ignore")) for name in ("big5", "gb2312"))
    return in_big5 - in_gb2312


def _pair_english(groups: Sequence[Sequence[Entry]], found: dict[tuple[str, int], Finding]) -> list[_Line]:
    lines: list[_Line] = []
    for group in groups:
        translations = [e for e in group if e.role == "translation" or (not e.role and has_han(e.text))]
        readings = [
            entry
            for entry in _without(group, translations)
            if entry.role == "reading" or _IPA.search(entry.text)
        ]
        originals = _without(group, translations, readings)
        if not originals:
            # A line without any English in it, a cry in Chinese say, is a line all the same.
            unmarked = [entry for entry in group if entry.role is None]
            without_han = [entry for entry in unmarked if not has_han(entry.text)]
            originals = without_han or unmarked or list(group[:1])
        lines += _assign(originals, _without(readings, originals), _without(translations, originals), found)
    return lines


def _without(entries: Sequence[Entry], *others: Sequence[Entry]) -> list[Entry]:
    # By identity: a stamp may have thousands of texts, and the same one twice.
    gone = {id(entry) for part in others for entry in part}
    return [entry for entry in entries if id(entry) not in gone]


def _pair_chinese(groups: Sequence[Sequence[Entry]], found: dict[tuple[str, int], Finding]) -> list[_Line]:
    toned = any(
        _TONES.search(entry.text) and pinyin_share(entry.text) > 0.8
        for group in groups
        for entry in group
        if not has_han(entry.text)
    )
    sorted_out = [_Parts.of(group, toned) for group in groups]
    # Where a text could be either, the order of the file's clear lines decides.
    clear = [parts.reading_first for parts in sorted_out if parts.reading_first is not None]
    reading_first = sum(clear) * 2 >= len(clear)

    lines: list[_Line] = []
    for parts in sorted_out:
        readings, translations = list(parts.readings), list(parts.translations)
        for entry in parts.either:
            wanting = not readings and (reading_first or translations or len(parts.either) == 1)
            (readings if wanting else translations).append(entry)
        if parts.either:
            first = parts.either[0]
            found.setdefault(("role-unclear", first.row.number), _unclear_role(first))
        lines += _assign(list(parts.originals), readings, translations, found)
    return lines


@dataclass(frozen=True, slots=True)
class _Parts:
    """The texts of one line of a Chinese song, as far as each shows by itself what it is."""

    originals: tuple[Entry, ...]
    readings: tuple[Entry, ...]
    translations: tuple[Entry, ...]
    either: tuple[Entry, ...]

    @classmethod
    def of(cls, group: Sequence[Entry], toned: bool) -> "_Parts":
        unmarked = [entry for entry in group if entry.role is None] or list(group[:1])
        originals = [entry for entry in unmarked if has_han(entry.text)] or unmarked[:1]
        rest = _without(group, originals)
        marked = [entry for entry in rest if entry.role == "reading"]
        likely = {
            id(entry): 0 if entry.role or marked else _likely(originals[0].text, entry.text, toned)
            for entry in rest
        }
        best = max(likely.values(), default=0)
        candidates = [entry for entry in rest if best and likely[id(entry)] == best]
        if len(candidates) > 1 or best == 1:
            either, readings = candidates, marked
        else:
            either, readings = [], marked or candidates
        translations = _without(rest, either, readings)
        return cls(tuple(originals), tuple(readings), tuple(translations), tuple(either))

    @property
    def reading_first(self) -> bool | None:
        """Whether the reading stands above the translation, None where there are not both."""
        if not self.readings or not self.translations:
            return None
        return self.readings[0].row.number < self.translations[0].row.number


def _likely(original: str, text: str, toned: bool) -> int:
    """Return how likely a text is the pinyin of a line, 0 (not at all) to 3.

    In a file whose readings have tones, one without any is doubtful even where its syllables fit:
    "long, long" fits two characters.
    """
    fits = misfit(original, text) is None
    if toned and not _TONES.search(text):
        return 1 if fits else 0
    if fits:
        return 3
    # Readings are typed by hand, and a syllable is easily left out.
    return 2 if pinyin_share(text) > (0.6 if toned else 0.8) else 0


def _assign(
    originals: list[Entry],
    readings: list[Entry],
    translations: list[Entry],
    found: dict[tuple[str, int], Finding],
) -> Iterator[_Line]:
    """Make the lines of one group; what has no place in them is told."""
    first, *others = originals
    yield _Line(first, next(iter(readings), None), next(iter(translations), None))
    for entry in others:
        found.setdefault(("same-stamp", entry.row.number), _same_stamp(entry))
        yield _Line(entry)
    for entry in (*readings[1:], *translations[1:]):
        found.setdefault(("not-used", entry.row.number), _not_used(entry))


def _misfits(lines: list[_Line], language: str) -> Iterator[Finding]:
    """Find the readings that do not fit their lines."""
    told: set[int] = set()
    for line in lines:
        reading = line.reading
        if language == "en" or reading is None or reading.row.number in told:
            continue
        if fault := misfit(line.original.text, reading.text):
            told.add(reading.row.number)
            yield Finding(
                fault.code,
                reading.row.number,
                reading.row.columns[fault.column - 1],
                fault.typed,
                fault.expected,
                fault.message_en,
                fault.message_zh,
            )


# What is told, each in both languages.


def told(code: str, row: Row, en: str, zh: str, typed: str | None = None, expected: str = "") -> Finding:
    """Return a finding about a row, or about a part of one."""
    return Finding(code, row.number, row.column, row.text if typed is None else typed, expected, en, zh)


def unknown_language(value: Row) -> Finding:
    """Tell that the language a file names is not one of those that are known."""
    return told(
        "language",
        value,
        f"The language “{value.text}” is not known: write zh-Hans, zh-Hant or en.",
        f"不认识语言“{value.text}”：请写 zh-Hans、zh-Hant 或 en。",
    )


def _guessed_language(language: str, mark: str) -> Finding:
    en, zh = {
        "en": ("English", "英语"),
        "zh_CN": ("Chinese", "汉语"),
        "zh_TW": ("Chinese in traditional characters", "汉语（繁体字）"),
    }[language]
    written = mark.format(TAGS[language]) if mark else ""
    return Finding(
        "language",
        1,
        1,
        "",
        written,
        f"The file does not say its language; taken as {en}"
        + (f": write {written} if that is right." if written else "."),
        f"文件没有注明语言，按{zh}处理" + (f"：若无误，请写上 {written}。" if written else "。"),
    )


def _unclear_role(entry: Entry) -> Finding:
    return told(
        "role-unclear",
        entry.row,
        "This may be the pinyin or the translation: give the pinyin its tones, "
        "or write [tr] before the translation.",
        "分不清这是拼音还是译文：请给拼音标上声调，或在译文前写上 [tr]。",
    )


def _same_stamp(entry: Entry) -> Finding:
    return told(
        "same-stamp",
        entry.row,
        "Another line in this language has the same time stamp; both are kept.",
        "同一语言的另一行也用了这个时间标签；两行都已保留。",
    )


def _not_used(entry: Entry) -> Finding:
    return told(
        "not-used",
        entry.row,
        "The line with this time stamp already has its reading and its translation; this text is left out.",
        "这个时间标签的歌词已有注音和译文；这一行已略去。",
    )


def moved(entry: Entry, by: int) -> Entry:
    """Return an entry that is sung later by so many milliseconds, but never before the song begins."""

    def later(time: int | None) -> int | None:
        return None if time is None else max(0, time + by)

    if not by:
        return entry
    words = tuple(Word(word.text, later(word.start), later(word.end)) for word in entry.words)
    return dataclasses.replace(entry, start=later(entry.start), end=later(entry.end), words=words)
