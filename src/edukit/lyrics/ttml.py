"""Reading TTML as music players write it: lines, times of words, and roles for the rest.

A translation or a reading stands within its line (``ttm:role="x-translation"``, ``"x-roman"``) or in the
head, and names its line by a key. What is sung behind a line (``"x-bg"``) becomes a line of its own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from edukit.lyrics.entries import Entry, has_han, language_of, song_lines, told
from edukit.lyrics.lrc import MAX_ENTRIES
from edukit.lyrics.model import Finding, LyricsError, Song, Word
from edukit.lyrics.rows import Row, clean_row
from edukit.lyrics.xml import Element, parse

_BEGINNING = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:\w+:)?tt[\s>]", re.S)
_CLOCK = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6})(?:\.(\d{1,9}))?s?")
_AMOUNT = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?(h|ms|m)")
_UNITS = {"h": 3_600_000, "m": 60_000, "ms": 1}
_BREAK = re.compile(r"\s*[\r\n]\s*")
_ROLES: dict[str, Literal["reading", "translation"]] = {
    "x-translation": "translation",
    "x-roman": "reading",
    "x-romanization": "reading",
}
_BEHIND = "x-bg"
_META = {"musicName": "title", "artists": "artist", "album": "source"}


@dataclass(slots=True)
class _Sung:
    """What stands in a line, and in what is sung behind it."""

    element: Element
    text: str = ""
    words: list[Word] = field(default_factory=list)
    beside: list[tuple[Element, str, Literal["reading", "translation"]]] = field(default_factory=list)
    behind: list["_Sung"] = field(default_factory=list)


def recognise(text: str) -> bool:
    """Tell whether a text is TTML."""
    return _BEGINNING.match(text[:4096]) is not None


def read(path: Path, text: str, findings: list[Finding]) -> Song:
    """Make a song of the text of a TTML file; ``findings`` are those made so far."""
    root = parse(path, text)
    if root.name != "tt":
        raise LyricsError(path, root.line, root.column, "format", f"this is <{root.name}>, not TTML")
    language = language_of(root.attributes.get("lang", ""))
    groups = list(_groups(path, root, language, findings))
    if not groups:
        raise LyricsError(path, root.line, root.column, "empty", "the file has no line <p> with words")
    groups.sort(key=lambda group: group[0].start or 0)
    language, lines = song_lines(groups, language, findings)
    title, people, source = _metadata(root, findings)
    return Song(
        title=title or path.stem,
        language=language,
        people=tuple(people),
        source=source,
        lines=lines,
        findings=tuple(findings),
    )


def _metadata(root: Element, findings: list[Finding]) -> tuple[str, list[tuple[str, str]], str]:
    title = source = ""
    people: list[tuple[str, str]] = []
    for head in root.elements("head"):
        for element in head.elements("title"):
            title = title or _clean(element, element.text(), findings).text
        for element in head.elements("meta"):
            value = _clean(element, element.attributes.get("value", "").strip(), findings).text
            kind = _META.get(element.attributes.get("key", ""))
            if kind == "title":
                title = title or value
            elif kind == "source":
                source = source or value
            elif kind and value:
                people.append((kind, value))
        writers = (_clean(one, one.text(), findings).text for one in head.elements("songwriter"))
        people.extend(("author", writer) for writer in writers if writer)
    return title, people, source


def _groups(
    path: Path, root: Element, language: str | None, findings: list[Finding]
) -> Iterator[list[Entry]]:
    aside = _in_head(root)
    count = 0
    for body in root.elements("body"):
        for name, line in _lines(body):
            section = _clean(line, name, findings).text if name else None
            sung = _sung(line)
            key = line.attributes.get("key", "")
            for element, role in aside.get(key, ()) if key else ():
                sung.beside.append((element, element.text(), role))
            for one in (sung, *sung.behind):
                if group := _group(one, section or None, language, findings):
                    count += len(group)
                    if count > MAX_ENTRIES:
                        message = f"more than {MAX_ENTRIES} texts, which no song has"
                        raise LyricsError(path, line.line, line.column, "too-many-lines", message)
                    yield group


def _lines(body: Element) -> Iterator[tuple[str | None, Element]]:
    """Give the lines with the names of their sections."""
    waiting: list[tuple[str | None, Element]] = [(None, body)]
    while waiting:
        section, element = waiting.pop()
        if element.name == "p":
            yield section, element
            continue
        section = element.attributes.get("songPart") or element.attributes.get("song-part") or section
        waiting.extend((section, one) for one in reversed(element.children) if isinstance(one, Element))


def _in_head(root: Element) -> dict[str, list[tuple[Element, Literal["reading", "translation"]]]]:
    """Return the translations and readings of the head by the keys of their lines."""
    found: dict[str, list[tuple[Element, Literal["reading", "translation"]]]] = {}
    roles: tuple[tuple[str, Literal["reading", "translation"]], ...] = (
        ("translation", "translation"),
        ("transliteration", "reading"),
    )
    for head in root.elements("head"):
        for name, role in roles:
            for part in head.elements(name):
                for text in part.elements("text"):
                    text.attributes.setdefault("lang", part.attributes.get("lang", ""))
                    found.setdefault(text.attributes.get("for", ""), []).append((text, role))
    return found


def _sung(line: Element) -> _Sung:
    """Take the content of a line apart; nesting is bounded by the reader of XML."""
    sung = _Sung(line)
    pieces: list[str] = []

    def walk(element: Element) -> None:
        for child in element.children:
            if isinstance(child, str):
                pieces.append(child)
                continue
            role = child.attributes.get("role", "")
            if role in _ROLES:
                sung.beside.append((child, child.text(), _ROLES[role]))
            elif role == _BEHIND:
                sung.behind.append(_sung(child))
            elif child.name == "br":
                pieces.append(" ")
            elif child.attributes.get("ruby", "") not in ("text", "textContainer", "delimiter"):
                begin, end = _times(child)
                text = child.text()
                is_whole = all(_times(one)[0] is None for one in child.elements("span"))
                if begin is not None and text and is_whole:
                    sung.words.append(Word(text, begin, end))
                walk(child)

    walk(line)
    sung.text = _joined(pieces)
    return sung


def _joined(pieces: list[str]) -> str:
    """Join the texts of a line; where the file was laid out in rows, these are no spaces in Chinese."""
    text = "".join(pieces).strip()

    def between(match: re.Match[str]) -> str:
        near = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        return "" if any(has_han(character) for character in near) else " "

    return re.sub(r" {2,}", " ", _BREAK.sub(between, text))


def _group(sung: _Sung, section: str | None, language: str | None, findings: list[Finding]) -> list[Entry]:
    row = _clean(sung.element, sung.text, findings)
    if not row.text:
        return []
    begin, end = _times(sung.element)
    starts = [word.start for word in sung.words if word.start is not None]
    ends = [word.end for word in sung.words if word.end is not None]
    begin = begin if begin is not None else min(starts, default=None)
    end = end if end is not None else max(ends, default=None)
    end = None if begin is None or (end is not None and end < begin) else end
    if begin is None:
        findings.append(_without_times(row))
    words = tuple(
        replace(word, text=text)
        for word in sung.words
        if (text := _clean(sung.element, word.text, []).text)
    )
    other = {"en": ("zh_CN", "zh_TW"), None: ()}.get(language, ("en",))
    beside = sorted(
        sung.beside, key=lambda one: language_of(one[0].attributes.get("lang", "")) not in other
    )
    entries = [Entry(row, begin, end, words, section)]
    for element, text, role in beside:
        if (part := _clean(element, text, findings)).text:
            entries.append(Entry(part, begin, end, (), None, role))
    return entries


def _clean(element: Element, text: str, findings: list[Finding]) -> Row:
    return clean_row(element.line, text, findings, column=element.column).part(0)


def _times(element: Element) -> tuple[int | None, int | None]:
    begin = _milliseconds(element.attributes.get("begin", ""))
    end = _milliseconds(element.attributes.get("end", ""))
    length = _milliseconds(element.attributes.get("dur", ""))
    if end is None and begin is not None and length is not None:
        end = begin + length
    if begin is not None and end is not None and end < begin:
        end = None
    return begin, end


def _milliseconds(text: str) -> int | None:
    text = text.strip()
    if match := _CLOCK.fullmatch(text):
        hours, minutes, seconds, fraction = (part or "0" for part in match.groups())
        whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
        return whole * 1000 + int(fraction[:3].ljust(3, "0"))
    if match := _AMOUNT.fullmatch(text):
        return round(float(f"{match[1]}.{match[2] or 0}") * _UNITS[match[3]])
    return None


def _without_times(row: Row) -> Finding:
    return told(
        "no-stamp",
        row,
        'The line has no time that can be read; it is kept without one: write begin="00:12.500".',
        '这一行没有可读的时间；保留该行，但没有时间：请写成 begin="00:12.500"。',
    )
