"""Reading LRC: rows with time stamps become the lines of a song.

A row gives one or more `_Entry`, a text at a time; entries with the same stamp are one `Line`. Which of
them is the line itself, which its reading and which its translation is seen from their script and from
whether a text can be the pinyin of another; where that leaves two possibilities a finding says so.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from edukit.lyrics.aligning import HAN, misfit, pinyin_share
from edukit.lyrics.model import Finding, Line, LyricsError, Song, Word
from edukit.lyrics.rows import Row

MAX_ENTRIES = 10_000
"""The most texts, repeats counted, that are read."""

_TIME = r"(\d{1,3})[:：]([0-5]?\d)(?:[.:．：](\d{1,3}))?"
_STAMP = re.compile(rf"\s*[\[［]\s*{_TIME}\s*[\]］]")
_WORD_STAMP = re.compile(rf"[\[［<＜]\s*{_TIME}\s*[\]］>＞]")
_BROKEN_STAMP = re.compile(r"[\[［]\s*\d+\s*[:：.]|[\[［]\s*\d+\s*$")
_TAG = re.compile(r"[\[［]\s*([A-Za-z]+)\s*[:：](.*)[\]］]")
_SECTION = re.compile(r"[\[［【]\s*([^\[\]［］【】:：]+?)\s*[\]］】]")
_TRANSLATION = re.compile(r"[\[［]tr(?:[:：][\w-]*)?[\]］]")
_TONES = re.compile(r"[\u0300\u0301\u0304\u0306\u030cāáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ]|[a-z][1-5]\b", re.I)
_IPA = re.compile(r"^/.*/$|[ˈˌːəɪʊæʌθðŋʃʒɔɛɜ]")

_PEOPLE = {"ar": "artist", "au": "author", "by": "file"}
# Tags that say nothing about the song itself: its length, the program that made the file.
_IGNORED_TAGS = frozenset({"length", "re", "ve", "tool", "id", "hash", "sign", "qq", "total"})
_LANGUAGES = {
    "zh": "zh_CN",
    "zho": "zh_CN",
    "chi": "zh_CN",
    "cmn": "zh_CN",
    "zh-cn": "zh_CN",
    "zh-sg": "zh_CN",
    "zh-hans": "zh_CN",
    "zh-tw": "zh_TW",
    "zh-hk": "zh_TW",
    "zh-hant": "zh_TW",
    "en": "en",
    "eng": "en",
    "en-gb": "en",
    "en-us": "en",
}


@dataclass(frozen=True, slots=True)
class _Entry:
    """One text at one time, in milliseconds as the file has it."""

    time: int
    row: Row
    words: tuple[Word, ...]
    section: str | None
    is_translation: bool

    @property
    def text(self) -> str:
        return self.row.text


@dataclass(frozen=True, slots=True)
class _Group:
    """What has one stamp, by its part in the line."""

    original: _Entry
    reading: _Entry | None = None
    translation: _Entry | None = None


def recognise(rows: Iterable[Row]) -> bool:
    """Tell whether any row begins with a time stamp."""
    return any(_STAMP.match(row.text) for row in rows)


def read(path: Path, rows: Iterable[Row], findings: list[Finding]) -> Song:
    """Make a song of the rows of an LRC file; ``findings`` are those made so far."""
    tags: list[tuple[str, Row]] = []
    entries: list[_Entry] = []
    section: str | None = None
    for row in rows:
        body = row.part(0)
        if not body.text or body.text.startswith("#"):
            continue
        stamps, body = _take_stamps(body)
        if match := _SECTION.fullmatch(body.text):
            section = match[1]
            body = body.part(len(body.text))
        elif not stamps and (match := _TAG.fullmatch(body.text)):
            tags.append((match[1].lower(), body.part(match.start(2), match.end(2))))
            continue
        elif _BROKEN_STAMP.match(body.text):
            findings.append(_broken_stamp(body))
            continue
        elif not stamps:
            findings.append(_no_stamp(body))
            continue
        entries.extend(_entries(stamps, body, section))
        if len(entries) > MAX_ENTRIES:
            message = f"more than {MAX_ENTRIES} stamped lines, which no song has"
            raise LyricsError(path, row.number, None, "too-many-lines", message)

    entries.sort(key=lambda entry: entry.time)
    sung = [entry for entry in entries if entry.text]
    told = _Tags.read(tags, findings)
    language = told.language or _guess_language(sung, findings)
    groups = list(_groups(sung, language, findings))
    findings.extend(_misfits(groups, language))
    findings.sort(key=lambda finding: (finding.line, finding.column))
    return Song(
        title=told.title or path.stem,
        language=language,
        people=told.people,
        source=told.source,
        rights=told.rights,
        lines=tuple(_lines(groups, [entry.time for entry in entries], told.offset)),
        findings=tuple(findings),
    )


def _take_stamps(row: Row) -> tuple[list[int], Row]:
    """Return the stamps at the beginning of a row, and the row after them."""
    stamps = []
    at = 0
    while match := _STAMP.match(row.text, at):
        stamps.append(_milliseconds(match))
        at = match.end()
    return stamps, row.part(at)


def _milliseconds(stamp: re.Match[str]) -> int:
    # The last part is a decimal fraction whatever separates it: .5, .50 and .500 are half a second,
    # and some players write :50.
    minutes, seconds, fraction = stamp.groups(default="0")
    return (int(minutes) * 60 + int(seconds)) * 1000 + int(fraction.ljust(3, "0"))


def _entries(stamps: list[int], row: Row, section: str | None) -> Iterator[_Entry]:
    is_translation = False
    if match := _TRANSLATION.match(row.text):
        is_translation = True
        row = row.part(match.end())
    # Some players write two strokes where a line has no translation.
    if row.text == "//":
        row = row.part(len(row.text))
    text, words = _take_words(row, stamps[0] if stamps else 0)
    for stamp in stamps:
        late = stamp - stamps[0]
        moved = tuple(Word(word.text, _plus(word.start, late), _plus(word.end, late)) for word in words)
        yield _Entry(stamp, text, moved, section, is_translation)


def _plus(time: int | None, later: int) -> int | None:
    return None if time is None else time + later


def _take_words(row: Row, start: int) -> tuple[Row, tuple[Word, ...]]:
    """Return a row without the times of its words, and the words."""
    marks = list(_WORD_STAMP.finditer(row.text))
    if not marks:
        return row, ()
    times = [start, *(_milliseconds(mark) for mark in marks)]
    begins = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(row.text)]
    words = [
        Word(text, time, later)
        for begin, end, time, later in itertools.zip_longest(begins, ends, times, times[1:])
        if (text := row.text[begin:end].strip())
    ]
    kept: list[int] = []
    for begin, end in zip(begins, ends, strict=True):
        for at in range(begin, end):
            # The spaces on both sides of a mark are one.
            if not (row.text[at] == " " and kept and row.text[kept[-1]] == " "):
                kept.append(at)
    bare = Row(
        row.number,
        "".join(row.text[at] for at in kept),
        (*(row.columns[at] for at in kept), row.columns[-1]),
    )
    return bare.part(0), tuple(words)


@dataclass(frozen=True, slots=True)
class _Tags:
    """What the tags of a file say."""

    title: str
    people: tuple[tuple[str, str], ...]
    source: str
    rights: str
    language: str | None
    offset: int

    @classmethod
    def read(cls, tags: list[tuple[str, Row]], findings: list[Finding]) -> "_Tags":
        single: dict[str, str] = {}
        people: list[tuple[str, str]] = []
        language = None
        offset = 0
        for name, value in tags:
            if name in _PEOPLE:
                people.append((_PEOPLE[name], value.text))
            elif name in ("ti", "al", "rights"):
                single.setdefault(name, value.text)
            elif name == "la":
                language = _LANGUAGES.get(value.text.lower().replace("_", "-"))
                if language is None:
                    findings.append(_unknown_language(value))
            elif name == "offset":
                if re.fullmatch(r"[+-]?\d{1,7}", value.text):
                    offset = int(value.text)
                else:
                    findings.append(_bad_offset(value))
            elif name not in _IGNORED_TAGS:
                findings.append(_unknown_tag(name, value))
        return cls(
            title=single.get("ti", ""),
            people=tuple((role, name) for role, name in people if name),
            source=single.get("al", ""),
            rights=single.get("rights", ""),
            language=language,
            offset=offset,
        )


def _guess_language(entries: list[_Entry], findings: list[Finding]) -> str:
    """Return the language of the lines where no tag says it."""
    chinese = english = 0
    scripts = {bool(HAN.search(entry.text)) for entry in entries}
    for _, same_time in itertools.groupby(entries, key=lambda entry: entry.time):
        group = list(same_time)
        first, *others = group
        han = next((entry for entry in group if HAN.search(entry.text)), None)
        # A text with its reading beside it is the song's own: nobody types the pinyin of a translation.
        if han and any(
            entry is not han and misfit(han.text, entry.text) is None for entry in [first, *others]
        ):
            chinese += 2
        elif first is han:
            chinese += 1
        else:
            english += 1
    language = "zh_CN" if chinese >= english else "en"
    if len(scripts) == 2 and entries:
        findings.append(_guessed_language(language))
    return language


def _groups(entries: list[_Entry], language: str, findings: list[Finding]) -> list[_Group]:
    """Pair the texts that have one stamp."""
    together = [list(group) for _, group in itertools.groupby(entries, key=lambda entry: entry.time)]
    found: dict[tuple[str, int], Finding] = {}  # a row that is sung again is reported once
    pair = _pair_english if language == "en" else _pair_chinese
    groups = pair(together, found)
    findings.extend(found.values())
    return groups


def _pair_english(together: list[list[_Entry]], found: dict[tuple[str, int], Finding]) -> list[_Group]:
    groups: list[_Group] = []
    for group in together:
        han = [entry for entry in group if HAN.search(entry.text) or entry.is_translation]
        plain = [entry for entry in group if entry not in han and not _IPA.search(entry.text)]
        readings = [entry for entry in group if entry not in han and entry not in plain]
        # A line without any English in it, a cry in Chinese say, is a line all the same.
        originals = plain or readings or han
        groups += _assign(
            originals,
            [entry for entry in readings if entry not in originals],
            [entry for entry in han if entry not in originals],
            found,
        )
    return groups


def _pair_chinese(together: list[list[_Entry]], found: dict[tuple[str, int], Finding]) -> list[_Group]:
    toned = any(
        _TONES.search(entry.text) and pinyin_share(entry.text) > 0.8
        for group in together
        for entry in group
        if not HAN.search(entry.text)
    )
    sorted_out = [_Parts.of(group, toned) for group in together]
    # Where a text could be either, the order of the file's clear lines decides.
    clear = [parts.reading_first for parts in sorted_out if parts.reading_first is not None]
    reading_first = sum(clear) * 2 >= len(clear)

    groups: list[_Group] = []
    for parts in sorted_out:
        readings, translations = list(parts.readings), list(parts.translations)
        for entry in parts.either:
            wanting = not readings and (reading_first or translations or len(parts.either) == 1)
            (readings if wanting else translations).append(entry)
        if parts.either:
            first = parts.either[0]
            found.setdefault(("role-unclear", first.row.number), _unclear_role(first))
        groups += _assign(list(parts.originals), readings, translations, found)
    return groups


@dataclass(frozen=True, slots=True)
class _Parts:
    """The texts at one time in a Chinese song, as far as each shows by itself what it is."""

    originals: tuple[_Entry, ...]
    readings: tuple[_Entry, ...]
    translations: tuple[_Entry, ...]
    either: tuple[_Entry, ...]

    @classmethod
    def of(cls, group: list[_Entry], toned: bool) -> "_Parts":
        originals = [e for e in group if HAN.search(e.text) and not e.is_translation] or group[:1]
        rest = [entry for entry in group if entry not in originals]
        likely = {
            id(entry): 0 if entry.is_translation else _likely(originals[0].text, entry.text, toned)
            for entry in rest
        }
        best = max(likely.values(), default=0)
        candidates = [entry for entry in rest if best and likely[id(entry)] == best]
        if len(candidates) > 1 or best == 1:
            either, readings = candidates, []
        else:
            either, readings = [], candidates
        translations = [e for e in rest if e not in either and e not in readings]
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
    originals: list[_Entry],
    readings: list[_Entry],
    translations: list[_Entry],
    found: dict[tuple[str, int], Finding],
) -> Iterator[_Group]:
    """Make the lines of one stamp; what has no place in them is told."""
    first, *others = originals
    yield _Group(first, next(iter(readings), None), next(iter(translations), None))
    for entry in others:
        found.setdefault(("same-stamp", entry.row.number), _same_stamp(entry))
        yield _Group(entry)
    for entry in (*readings[1:], *translations[1:]):
        found.setdefault(("not-used", entry.row.number), _not_used(entry))


def _lines(groups: list[_Group], times: list[int], offset: int) -> Iterator[Line]:
    """Make the lines; each ends where something else begins, be it silence."""
    begins = sorted(set(times))
    following = dict(itertools.pairwise(begins))

    def moved(time: int | None) -> int | None:
        return None if time is None else max(0, time - offset)

    for group in groups:
        original = group.original
        yield Line(
            text=original.text,
            translation=group.translation.text if group.translation else None,
            reading=group.reading.text if group.reading else None,
            start=moved(original.time),
            end=moved(following.get(original.time)),
            words=tuple(Word(word.text, moved(word.start), moved(word.end)) for word in original.words),
            section=original.section,
        )


def _misfits(groups: list[_Group], language: str) -> Iterator[Finding]:
    """Find the readings that do not fit their lines."""
    told: set[int] = set()
    for group in groups:
        reading = group.reading
        if language == "en" or reading is None or reading.row.number in told:
            continue
        if fault := misfit(group.original.text, reading.text):
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


def _told(code: str, row: Row, en: str, zh: str, typed: str | None = None) -> Finding:
    return Finding(code, row.number, row.column, row.text if typed is None else typed, "", en, zh)


def _broken_stamp(row: Row) -> Finding:
    return _told(
        "stamp",
        row,
        "This time stamp is not whole, so the line is left out: write [mm:ss.xx].",
        "时间标签不完整，这一行已略去：请写成 [mm:ss.xx]。",
    )


def _no_stamp(row: Row) -> Finding:
    return _told(
        "no-stamp",
        row,
        "The line has no time stamp and is left out: write [mm:ss.xx] before it.",
        "这一行没有时间标签，已略去：请在行首写上 [mm:ss.xx]。",
    )


def _unknown_tag(name: str, value: Row) -> Finding:
    return _told(
        "unknown-tag",
        value,
        f"The tag “{name}” is not known and is left out.",
        f"不认识标签“{name}”，已略去。",
        name,
    )


def _unknown_language(value: Row) -> Finding:
    return _told(
        "language",
        value,
        f"The language “{value.text}” is not known: write zh-Hans, zh-Hant or en.",
        f"不认识语言“{value.text}”：请写 zh-Hans、zh-Hant 或 en。",
    )


def _bad_offset(value: Row) -> Finding:
    return _told(
        "offset",
        value,
        "The offset is not a whole number of milliseconds and is taken as 0.",
        "offset 不是整数毫秒，按 0 处理。",
    )


def _guessed_language(language: str) -> Finding:
    tag, en, zh = ("en", "English", "英语") if language == "en" else ("zh-Hans", "Chinese", "汉语")
    return Finding(
        "language",
        1,
        1,
        "",
        f"[la:{tag}]",
        f"The file does not say its language; taken as {en}: write [la:{tag}] if that is right.",
        f"文件没有注明语言，按{zh}处理：若无误，请写上 [la:{tag}]。",
    )


def _unclear_role(entry: _Entry) -> Finding:
    return _told(
        "role-unclear",
        entry.row,
        "This may be the pinyin or the translation: give the pinyin its tones, "
        "or write [tr] before the translation.",
        "分不清这是拼音还是译文：请给拼音标上声调，或在译文前写上 [tr]。",
    )


def _same_stamp(entry: _Entry) -> Finding:
    return _told(
        "same-stamp",
        entry.row,
        "Another line in this language has the same time stamp; both are kept.",
        "同一语言的另一行也用了这个时间标签；两行都已保留。",
    )


def _not_used(entry: _Entry) -> Finding:
    return _told(
        "not-used",
        entry.row,
        "The line with this time stamp already has its reading and its translation; this text is left out.",
        "这个时间标签的歌词已有注音和译文；这一行已略去。",
    )
