"""Reading the text forms that teachers write: ``original;译文``, lines and pinyin in turn, plain lines.

A text may begin with a header, rows such as ``title: …`` or ``版权：own``. A first row that has a bullet
at its end, as a list copied from a page has it, or that stands alone above an empty one, is the title.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from edukit.lyrics import separators
from edukit.lyrics.entries import (
    Entry,
    has_han,
    is_like_pinyin,
    language_of,
    song_lines,
    told,
    unknown_language,
)
from edukit.lyrics.model import Finding, LyricsError, Song
from edukit.lyrics.rows import Row

MAX_LINES = 30_000
"""The most lines that are read."""

KEYS = {
    "title": ("title", "标题", "標題", "歌名", "曲名"),
    "language": ("language", "语言", "語言"),
    "artist": ("artist", "singer", "演唱", "歌手"),
    "author": ("author", "words", "lyrics", "作词", "作詞"),
    "file": ("file", "整理"),
    "source": ("source", "album", "来源", "來源", "专辑", "專輯"),
    "rights": ("rights", "版权", "版權"),
    "encoding": ("encoding", "编码", "編碼"),
    "format": ("format", "格式"),
}
"""The keys of a header, and the words that stand for each; the first is the one that is written."""

FORMS = ("pairs", "bullets", "plain")
"""The names of the text forms."""

PEOPLE = ("artist", "author", "file")
"""The keys that are roles of people."""

_KEY_OF = {word: key for key, words in KEYS.items() for word in words}
_HEADER = re.compile(rf"({'|'.join(map(re.escape, _KEY_OF))})\s*[:：]\s*(.*)", re.I)
_SECTION = re.compile(r"[\[［【]\s*([^\[\]［］【】:：]+?)\s*[\]］】]")
_BULLETS = "•●▪◦‣∙・"
# A dash or a star may be a bullet too, but begins many a line that has none.
_BULLET = re.compile(rf"[{_BULLETS}]\s*|[-*·]\s+")
_BULLET_AT_END = re.compile(rf"\s*[{_BULLETS}·]$")
_IPA = re.compile(r"/.*/")
# What stands over the columns of a table.
_HEADINGS = frozenset(
    {"english", "chinese", "original", "translation", "pinyin", "lyrics"}
    | {"英文", "英语", "中文", "汉语", "原文", "译文", "翻译", "拼音", "歌词"}
)

Parts = list[Row]
"""One row of the file, in one piece or, from a table, in several."""


@dataclass(slots=True)
class _Body:
    """A text by what its rows are."""

    title: str = ""
    language: str | None = None
    people: list[tuple[str, str]] = field(default_factory=list)
    source: str = ""
    rights: str = ""
    lines: list[Parts] = field(default_factory=list)
    sections: list[str | None] = field(default_factory=list)


def recognise(rows: Iterable[Row]) -> str:
    """Return which of the text forms the rows are in: ``pairs``, ``bullets`` or ``plain``."""
    texts = [row.text.strip() for row in rows]
    if said := _said_form(texts):
        return said
    texts = _sung(texts)
    if separators.is_separator(separators.SEMICOLON, texts):
        return "pairs"
    return "bullets" if _has_bullets(texts) or _alternate(texts) else "plain"


def _header_size(texts: Sequence[str]) -> int:
    """Return how many rows at the top are the header; below an empty one a line may look like one."""
    size = 0
    for at, text in enumerate(texts):
        if text and _HEADER.fullmatch(text):
            size = at + 1
        elif text or size:
            break
    return size


def _sung(texts: Sequence[str]) -> list[str]:
    """Return the rows below the header that are not empty and name no section."""
    below = texts[_header_size(texts) :]
    return [text for text in below if text and not _SECTION.fullmatch(text)]


def _said_form(texts: Sequence[str]) -> str | None:
    """Return the form that the header of the file names."""
    for text in texts[: _header_size(texts)]:
        match = _HEADER.fullmatch(text)
        if match and _KEY_OF[match[1].lower()] == "format" and match[2].lower() in FORMS:
            return match[2].lower()
    return None


def _has_bullets(texts: Sequence[str]) -> bool:
    bullets = [match[0].strip() for text in texts if (match := _BULLET.match(text))]
    clear = sum(bullet in _BULLETS for bullet in bullets)
    # A title has its bullet at the end, and the first line none.
    return (clear > 0 and clear * 2 >= len(texts) - 2) or (
        len(bullets) > 2 and len(bullets) >= len(texts) - 2
    )


def _alternate(texts: Sequence[str]) -> bool:
    """Tell whether, without bullets, two scripts stand in turn from beginning to end."""
    scripts = [has_han(text) for text in texts]
    in_turn = all(one != other for one, other in itertools.pairwise(scripts))
    return len(texts) >= 4 and len(texts) % 2 == 0 and in_turn


def read(path: Path, rows: Iterable[Row], findings: list[Finding], form: str) -> Song:
    """Make a song of the rows of a text; ``findings`` are those made so far."""
    return read_parts(path, [[row] for row in rows], findings, form)


def read_parts(
    path: Path, rows: Sequence[Parts], findings: list[Finding], form: str, *, title: str = ""
) -> Song:
    """Make a song of rows that may already be in parts, as those of a table are."""
    body = _take_apart(rows, findings, form)
    if len(body.lines) > MAX_LINES:
        number = body.lines[MAX_LINES][0].number
        message = f"more than {MAX_LINES} lines, which no song has"
        raise LyricsError(path, number, None, "too-many-lines", message)
    if not body.lines:
        raise LyricsError(path, 1, 1, "empty", "the file has no line of a song")
    section_of = {id(parts[0]): section for parts, section in zip(body.lines, body.sections, strict=True)}
    together = _in_turn(body.lines, body.language) if form == "bullets" else body.lines
    reads_aloud = _second_is_reading(together)
    groups = [
        [
            Entry(parts[0], section=section_of[id(parts[0])]),
            *(Entry(part, role=role) for part, role in _roles(parts, reads_aloud)),
        ]
        for parts in together
    ]
    language, lines = song_lines(groups, body.language, findings, mark="language: {}")
    return Song(
        title=body.title or title or path.stem,
        language=language,
        people=tuple(body.people),
        source=body.source,
        rights=body.rights,
        lines=lines,
        findings=tuple(findings),
    )


def _take_apart(rows: Sequence[Parts], findings: list[Finding], form: str) -> _Body:
    body = _Body()
    texts = [parts[0].text.strip() for parts in rows]
    header = _header_size(texts)
    bulleted = form != "plain" and _has_bullets(_sung(texts))
    section: str | None = None
    begun = False
    for at, parts in enumerate(rows):
        first = parts[0].part(0)
        if len(parts) > 1:
            if not _is_heading(parts):
                _add(body, [part.part(0) for part in parts], section)
            begun = True
            continue
        if not first.text:
            continue
        if at < header and (match := _HEADER.fullmatch(first.text)):
            _take_header(body, match[1], first.part(match.start(2)), findings)
            continue
        if match := _SECTION.fullmatch(first.text):
            section = match[1]
            begun = True
            continue
        if not begun and not body.title and not _BULLET.match(first.text):
            if form != "plain" and (match := _BULLET_AT_END.search(first.text)):
                body.title = first.text[: match.start()]
                continue
            if _stands_alone(rows, at) and not separators.SEMICOLON.search(first.text):
                body.title = first.text
                findings.append(_taken_as_title(first))
                continue
        begun = True
        if bulleted:
            first = _without_bullets(first)
        if form == "pairs":
            line, translation = separators.split(first, separators.SEMICOLON, findings)
            _add(body, [line] if translation is None else [line, translation], section)
        else:
            _add(body, [first], section)
    return body


def _add(body: _Body, parts: Parts, section: str | None) -> None:
    if parts := [part for part in parts if part.text]:
        body.lines.append(parts)
        body.sections.append(section)


def _without_bullets(row: Row) -> Row:
    if match := _BULLET.match(row.text):
        row = row.part(match.end())
    # Pasted text may break before its bullets instead of after the lines.
    if (match := re.search(rf"\s*[{_BULLETS}]$", row.text)) and match.start():
        row = row.part(0, match.start())
    return row


def _stands_alone(rows: Sequence[Parts], at: int) -> bool:
    """Tell whether a row has an empty one after it, and then at least two that follow each other."""
    below = [parts[0].text.strip() for parts in rows[at + 1 : at + 8]]
    if not below or below[0]:
        return False
    return any(one and other for one, other in itertools.pairwise(below))


def _take_header(body: _Body, word: str, value: Row, findings: list[Finding]) -> None:
    key = _KEY_OF[word.lower()]
    if not value.text:
        return
    if key in PEOPLE:
        body.people.append((key, value.text))
    elif key == "title":
        body.title = body.title or value.text
    elif key == "source":
        body.source = body.source or value.text
    elif key == "rights":
        body.rights = body.rights or value.text
    elif key == "language":
        body.language = language_of(value.text)
        if body.language is None:
            findings.append(unknown_language(value))


def _is_heading(parts: Parts) -> bool:
    return all(part.text.strip().lower() in _HEADINGS for part in parts if part.text.strip())


def _in_turn(lines: Sequence[Parts], language: str | None) -> list[Parts]:
    """Put the rows together that are one line, its reading and its translation in turn."""
    texts = [parts[0].text for parts in lines]
    chinese = [has_han(text) for text in texts]
    leads = _leading_script(texts, chinese, language)
    begins = [
        is_chinese == leads and not _IPA.fullmatch(text)
        for text, is_chinese in zip(texts, chinese, strict=True)
    ]
    starts = [at for at, is_next in enumerate(begins) if is_next] or [0]
    # The commonest distance between two lines. Where it is larger than three, a line of "La la la" stands
    # between, which does not look like one.
    between = [b - a for a, b in itertools.pairwise(starts)] or [len(texts) - starts[0]]
    gaps = Counter(gap for gap in between if gap <= 3)
    size = max(sorted(gaps), key=lambda gap: gaps[gap], default=2)
    together: list[Parts] = []
    for parts, is_next in zip(lines, begins, strict=True):
        if not together or is_next or len(parts) > 1 or len(together[-1]) >= size:
            together.append(list(parts))
        else:
            together[-1].extend(parts)
    return together


def _leading_script(texts: Sequence[str], chinese: Sequence[bool], language: str | None) -> bool:
    """Tell whether the lines themselves are the Chinese rows."""
    if language is not None:
        return language != "en"
    below = [at for at, (one, other) in enumerate(itertools.pairwise(chinese), 1) if one and not other]
    readings = sum(is_like_pinyin(texts[at]) for at in below)
    if below and readings * 2 > len(below):
        return True
    return chinese[0]


def _second_is_reading(together: Sequence[Parts]) -> bool:
    """Tell whether what stands beside the Chinese lines is their pinyin."""
    seconds = [parts[1].text for parts in together if len(parts) > 1 and has_han(parts[0].text)]
    return sum(map(is_like_pinyin, seconds)) * 2 > len(seconds)


def _roles(parts: Parts, reads_aloud: bool) -> Iterator[tuple[Row, Literal["reading", "translation"]]]:
    """Say of what stands beside a line whether it is its reading or its translation."""
    others = parts[1:]
    reading = next((part for part in others if _IPA.fullmatch(part.text)), None)
    if reading is None and (reads_aloud or len(others) > 1):
        reading = next((part for part in others if is_like_pinyin(part.text)), None)
        if reading is None and others and reads_aloud and not has_han(others[0].text):
            # Typed by hand, a reading may be anything.
            reading = others[0]
    for part in others:
        yield part, "reading" if part is reading else "translation"


def _taken_as_title(row: Row) -> Finding:
    return told(
        "title",
        row,
        f"This row stands alone at the top and is taken as the title: write “title: {row.text}”.",
        f"这一行单独位于开头，按歌名处理：请写成“歌名：{row.text}”。",
        expected=f"title: {row.text}",
    )
