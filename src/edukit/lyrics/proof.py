"""A song read for its mistakes.

What was typed is held against what the dictionaries say; what differs is told, and nothing is changed:
a song may be sung otherwise than a dictionary reads it, and the teacher decides.
"""

import itertools
import re
from collections.abc import Collection, Iterator, Sequence

from edukit.lyrics.aligning import HAN
from edukit.lyrics.decisions import Decision, line_hashes
from edukit.lyrics.extras import needs_dictionaries
from edukit.lyrics.matching import Expected, Match, has_tones, match
from edukit.lyrics.model import Finding, Line, Song
from edukit.lyrics.pinyin import with_mark
from edukit.lyrics.pronouncing import sound

_SEPARATORS = re.compile(r"[;；|]\s*[;；|]|(?<!:)//")
_SEPARATOR = re.compile(r"[;；]")
_LETTER = re.compile(r"[A-Za-z]")
_CRIES = re.compile(r"(?:la|na|oh|ooh|ah|hey|yeah|da|mm+|[啦拉呀哦噢啊嘿哎喂嗯呜哇])+", re.IGNORECASE)
_PARTS_EN = {"text": "the line", "reading": "the pinyin", "translation": "the translation"}
_PARTS_ZH = {"text": "歌词", "reading": "拼音", "translation": "译文"}


@needs_dictionaries
def proofread(song: Song, *, decisions: Collection[Decision] = ()) -> tuple[Finding, ...]:
    """Return what seems wrong in a song.

    Parameters
    ----------
    song
        Any song; typed pinyin is held against its characters, English against a dictionary.
    decisions
        What the teacher has decided to be right, as `edukit.lyrics.decisions` keeps it; it is not told
        again.

    Returns
    -------
    tuple of Finding
        In the order of the lines. ``line`` is the number of the sung line, from 1, and ``column`` the
        place in what is named: for the codes that begin with ``reading`` in the line's pinyin, and for
        the others in the text that the message names.

    Notes
    -----
    The codes are ``reading-v`` (v typed for ü), ``reading-missing`` and ``reading-extra`` (a syllable
    too few or too many), ``reading-impossible`` (the character is never read so), ``reading-other``
    (it is, but not here: the teacher decides), ``reading-apostrophe``, ``reading-syllable`` (no pinyin at
    all), ``reading-count`` (the pinyin belongs to another line), ``no-reading``, ``no-translation``,
    ``doubled-separator``, ``stamp-order``, ``traditional`` and ``simplified`` (a character of the other
    script) and ``spelling``.

    Examples
    --------
    >>> from edukit.lyrics import Line, Song
    >>> song = Song("", "zh_CN", lines=(Line("绿草长大了", "Grass grew", "lv cao da liao"),))
    >>> for finding in proofread(song):
    ...     print(finding.line, finding.column, finding.code, finding.typed, finding.expected)
    1 1 reading-v lv lü
    1 8 reading-missing  zhang
    1 11 reading-other liao le
    """
    keys = line_hashes(song)
    findings = [*_readings(song), *_translations(song), *_texts(song), *_stamps(song.lines)]
    open_findings = [
        finding
        for finding in findings
        if not any(one.covers(finding, keys[finding.line - 1]) for one in decisions)
    ]
    return tuple(sorted(open_findings, key=lambda finding: (finding.line, finding.column)))


# -- the pinyin ------------------------------------------------------------------------------------------


def _readings(song: Song) -> Iterator[Finding]:
    if not song.language.startswith("zh"):
        return
    has_readings = any(line.reading is not None for line in song.lines)
    for number, line in enumerate(song.lines, 1):
        if not HAN.search(line.text):
            continue
        if line.reading is not None:
            yield from _reading(number, line.text, line.reading)
        elif has_readings:
            yield _told("no-reading", number, 1, "", "", "The line has no pinyin.", "这一行没有拼音。")


def _reading(number: int, text: str, reading: str) -> Iterator[Finding]:
    from edukit.lyrics.aloud import expected

    units = expected(text)
    matches = match(units, reading)
    right = sum(one.kind in ("right", "other") for one in matches or ())
    if matches is None or right * 3 < len(units):
        yield _told(
            "reading-count",
            number,
            1,
            reading,
            "",
            "The pinyin does not seem to belong to this line.",
            "这行拼音似乎不属于这一行歌词。",
        )
        return
    toned = has_tones(reading)
    for one in matches:
        yield from _judged(number, one, units[one.at] if one.at is not None else None, toned)


def _judged(number: int, found: Match, unit: Expected | None, toned: bool) -> Iterator[Finding]:
    right = _written(unit.pinyin, toned, found.erhua) if unit is not None and unit.pinyin else ""
    if unit is None or found.kind == "not-pinyin":
        yield _superfluous(number, found, right)
        return
    character, typed = unit.unit.text, found.typed
    if found.no_apostrophe and found.kind == "right":
        yield _told(
            "reading-apostrophe",
            number,
            found.column,
            typed,
            f"’{right}",
            f"An apostrophe belongs before “{typed}”, the syllable of {character}: it begins with a vowel.",
            f"“{typed}”（{character}）以元音开头，前面应加隔音符号（’）。",
        )
    if found.kind == "missing":
        yield _told(
            "reading-missing",
            number,
            found.column,
            "",
            right,
            f"The syllable of {character} is left out: {right}.",
            f"漏写了“{character}”的音节 {right}。",
        )
    elif found.kind == "right" and "v" in typed.lower():
        better = _written_again(found, toned)
        yield _told(
            "reading-v",
            number,
            found.column,
            typed,
            better,
            f"“{typed}” has a v for ü: {better}.",
            f"“{typed}”用 v 代替了 ü，应写作 {better}。",
        )
    elif found.kind == "other":
        yield _other(number, found, character, right, toned)
    elif found.kind == "impossible":
        yield _told(
            "reading-impossible",
            number,
            found.column,
            typed,
            right,
            f"{character} is never read “{typed}”; here it is {right}.",
            f"“{character}”没有 {typed} 这个读音，这里应读 {right}。",
        )


def _superfluous(number: int, found: Match, right: str) -> Finding:
    if found.kind == "extra":
        return _told(
            "reading-extra",
            number,
            found.column,
            found.typed,
            "",
            f"The syllable “{found.typed}” belongs to no character.",
            f"音节“{found.typed}”没有对应的字。",
        )
    return _told(
        "reading-syllable",
        number,
        found.column,
        found.typed,
        right,
        f"“{found.typed}” is not pinyin: a letter or the place of the tone mark is wrong.",
        f"“{found.typed}”不是拼音：字母或声调符号的位置有误。",
    )


def _other(number: int, found: Match, character: str, right: str, toned: bool) -> Finding:
    if toned and found.tone is None:
        en = f"“{found.typed}” has no tone mark: {character} is {right} here, unless it is said lightly."
        zh = f"“{found.typed}”没有标调：“{character}”在这里读 {right}，除非唱作轻声。请决定。"
    else:
        en = f"{character} can be read “{found.typed}”, but here it is {right}: decide which is sung."
        zh = f"“{character}”可以读 {found.typed}，但在这里一般读 {right}，请决定唱哪一个。"
    return _told("reading-other", number, found.column, found.typed, right, en, zh)


def _written(pinyin: str, toned: bool, erhua: bool) -> str:
    """Write a reading as the line writes its readings: with tones or without."""
    return (pinyin if toned else sound(pinyin).plain) + "r" * erhua


def _written_again(found: Match, toned: bool) -> str:
    """Write what was typed with its ü."""
    syllable = found.syllable or ""
    if found.tone is None:
        return syllable + "r" * found.erhua
    if found.typed.rstrip("rR")[-1:].isdigit():
        return f"{syllable}{found.tone}" + "r" * found.erhua
    return with_mark(syllable, found.tone) + "r" * found.erhua


# -- the other texts -------------------------------------------------------------------------------------


def _translations(song: Song) -> Iterator[Finding]:
    worded = [(number, line) for number, line in enumerate(song.lines, 1) if _has_words(line.text)]
    lacking = [(number, line) for number, line in worded if not line.translation]
    if worded and len(lacking) == len(worded):
        yield _told(
            "no-translation",
            worded[0][0],
            1,
            "",
            "",
            "No line of the song has a translation.",
            "全歌都没有译文。",
        )
        return
    for number, _ in lacking:
        yield _told("no-translation", number, 1, "", "", "The line has no translation.", "这一行没有译文。")


def _has_words(text: str) -> bool:
    """Tell whether a line has more in it than cries, which need no translation."""
    words = re.findall(r"[^\W\d_]+", text)
    return any(not _CRIES.fullmatch(word) for word in words)


def _texts(song: Song) -> Iterator[Finding]:
    chinese = song.language.startswith("zh")
    own = [(number, "text", line.text) for number, line in enumerate(song.lines, 1)]
    other = [(number, "translation", line.translation or "") for number, line in enumerate(song.lines, 1)]
    for number, part, text in own + other:
        yield from _doubled_separators(number, part, text)
    in_chinese, in_english = (own, other) if chinese else (other, own)
    yield from _scripts(in_chinese, song.language if chinese else None)
    for number, part, text in in_english:
        if not HAN.search(text):
            yield from _spelling(number, part, text)


def _doubled_separators(number: int, part: str, text: str) -> Iterator[Finding]:
    found = _SEPARATORS.search(text)
    if found is None:
        # What stands between two languages is more than punctuation.
        found = next(
            (
                one
                for one in _SEPARATOR.finditer(text)
                if _is_chinese(text[: one.start()]) is not _is_chinese(text[one.end() :])
                and _LETTER.search(text)
                and HAN.search(text)
                and text[one.end() :].strip()
            ),
            None,
        )
    if found is not None:
        yield _told(
            "doubled-separator",
            number,
            found.start() + 1,
            found.group(),
            "",
            f"In {_PARTS_EN[part]} the languages have more than one separator, or a text too many.",
            f"{_PARTS_ZH[part]}里两种语言之间的分隔符不止一个，或多出一段文字。",
        )


def _is_chinese(text: str) -> bool:
    return HAN.search(text) is not None


def _scripts(texts: Sequence[tuple[int, str, str]], language: str | None) -> Iterator[Finding]:
    """Find the characters of the other script: what most of the text is, where the song does not say."""
    from edukit.lyrics.script import simplified, traditional

    all_text = "\n".join(text for _, _, text in texts)
    if not HAN.search(all_text):
        return
    in_simplified = simplified(all_text)
    if language is None:
        marked = sum(one != other for one, other in zip(all_text, in_simplified, strict=True))
        in_traditional = traditional(all_text)
        unmarked = sum(one != other for one, other in zip(all_text, in_traditional, strict=True))
        language = "zh_TW" if marked > unmarked else "zh_CN"
    for number, part, text in texts:
        if language == "zh_TW":
            pairs = list(zip(text, traditional(text), strict=True))
            pairs = [
                (one, right if _is_simplified_only(text, at) else one)
                for at, (one, right) in enumerate(pairs)
            ]
        else:
            pairs = list(zip(text, simplified(text), strict=True))
        for column, (one, right) in enumerate(pairs, 1):
            if one != right:
                yield _other_script(number, column, part, one, right, language)


def _is_simplified_only(text: str, at: int) -> bool:
    """Tell whether a character is not also one of traditional text, as 后 and 里 are."""
    if text[at] == "么":
        return text[at - 1 : at] in set("什怎这那多要")
    try:
        text[at].encode("big5")
    except UnicodeEncodeError:
        return True
    return False


def _other_script(number: int, column: int, part: str, typed: str, right: str, language: str) -> Finding:
    if language == "zh_TW":
        return _told(
            "simplified",
            number,
            column,
            typed,
            right,
            f"In {_PARTS_EN[part]}, {typed} is a simplified character in traditional text: {right}.",
            f"{_PARTS_ZH[part]}是繁体，“{typed}”却是简体字，应为“{right}”。",
        )
    return _told(
        "traditional",
        number,
        column,
        typed,
        right,
        f"In {_PARTS_EN[part]}, {typed} is a traditional character in simplified text: {right}.",
        f"{_PARTS_ZH[part]}是简体，“{typed}”却是繁体字，应为“{right}”。",
    )


def _spelling(number: int, part: str, text: str) -> Iterator[Finding]:
    from edukit.lyrics.english import misspelt

    for column, word, likely in misspelt(text):
        meant_en = f"; “{likely}” may be meant" if likely else ""
        meant_zh = f"，也许是“{likely}”" if likely else ""
        yield _told(
            "spelling",
            number,
            column,
            word,
            likely,
            f"In {_PARTS_EN[part]}, “{word}” is not in the dictionary{meant_en}.",
            f"{_PARTS_ZH[part]}里的“{word}”词典里没有{meant_zh}。",
        )


def _stamps(lines: Sequence[Line]) -> Iterator[Finding]:
    timed = [(number, line) for number, line in enumerate(lines, 1) if line.start is not None]
    for (_, before), (number, line) in itertools.pairwise(timed):
        if (line.start or 0) < (before.start or 0):
            yield _out_of_order(number, _clock(line.start), f"≥ {_clock(before.start)}")
    for number, line in enumerate(lines, 1):
        if line.start is not None and line.end is not None and line.end < line.start:
            yield _out_of_order(number, _clock(line.end), f"≥ {_clock(line.start)}")
        times = [word.start for word in line.words if word.start is not None]
        for earlier, later in itertools.pairwise(times):
            if later < earlier:
                yield _out_of_order(number, _clock(later), f"≥ {_clock(earlier)}")
                break


def _out_of_order(number: int, typed: str, right: str) -> Finding:
    return _told(
        "stamp-order",
        number,
        1,
        typed,
        right,
        f"The time {typed} is earlier than the one before it.",
        f"时间 {typed} 早于它前面的时间。",
    )


def _clock(milliseconds: int | None) -> str:
    time = milliseconds or 0
    return f"{time // 60000:02}:{time // 1000 % 60:02}.{time % 1000:03}"


def _told(code: str, line: int, column: int, typed: str, right: str, en: str, zh: str) -> Finding:
    return Finding(code, line, column, typed, right, en, zh)
