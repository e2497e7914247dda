"""What a song is made of."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was noticed in a song; it is told, and nothing is changed because of it.

    Parameters
    ----------
    code
        A short name of the kind, for example ``"reading-count"``.
    line, column
        Where it stands in the file, both from 1; columns count characters, as editors do.
    typed, expected
        What stands there and what would be right, each empty where there is no such thing.
    message_en, message_zh
        The same sentence in English and in Chinese.
    """

    code: str
    line: int
    column: int
    typed: str
    expected: str
    message_en: str
    message_zh: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word with a time of its own, as karaoke files have it; times are milliseconds."""

    text: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One sung line.

    Parameters
    ----------
    text
        The line in the language of the song.
    translation
        The line in the other language, or None.
    reading
        The pinyin (for an English song the IPA) as it was typed, or None.
    start, end
        When it is sung, in milliseconds, or None.
    words
        The words with their times, where the file has them.
    section
        The name of the part it belongs to as the file writes it ("Verse 1", "副歌"), or None.
    """

    text: str
    translation: str | None = None
    reading: str | None = None
    start: int | None = None
    end: int | None = None
    words: tuple[Word, ...] = ()
    section: str | None = None


@dataclass(frozen=True, slots=True)
class Song:
    """A song with everything its file says about it.

    Parameters
    ----------
    title
        The title as the file writes it; a title in two languages is written ``原名 / Title``.
    language
        The language of the song's own lines: ``"zh_CN"``, ``"zh_TW"`` or ``"en"``.
    people
        Pairs of role and name. Roles: ``"artist"``, ``"author"`` (of the words), ``"file"`` (who made
        the file).
    source
        Where the song comes from, empty if the file does not say.
    rights
        The rights statement: ``own``, ``public-domain``, ``permission`` or ``private``, which may be
        followed by a comma and details (``own, CC BY 4.0``). Empty if the file does not say.
    lines
        The lines in the order in which they are sung; a repeated line stands here each time.
    findings
        What was noticed while the file was read.
    format, encoding
        How the file was read: the name of its format, and of its encoding (``"docx"`` has none of its
        own). Empty for a song that comes from no file.

    Notes
    -----
    Songs are equal when they are the same song: ``findings``, ``format`` and ``encoding`` speak of the
    file and take no part in it.
    """

    title: str
    language: str
    people: tuple[tuple[str, str], ...] = ()
    source: str = ""
    rights: str = ""
    lines: tuple[Line, ...] = ()
    findings: tuple[Finding, ...] = field(default=(), compare=False)
    format: str = field(default="", compare=False)
    encoding: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Loss:
    """Something of a song that the format of a written file does not hold.

    Parameters
    ----------
    code
        What is lost, by the name of the field: ``"title"``, ``"language"``, ``"people"``, ``"source"``,
        ``"rights"``, or of a line its ``"text"``, ``"translation"``, ``"reading"``, ``"start"``,
        ``"end"``, ``"words"``, ``"section"``; ``"line"`` for a whole line, ``"order"`` where the lines
        come back in another order.
    line
        The line of the song, from 1, or None for the song itself.
    lost, kept
        What the song has, and what a reader of the written file gets in its place; empty for nothing.
    message_en, message_zh
        The same sentence in English and in Chinese.
    """

    code: str
    line: int | None
    lost: str
    kept: str
    message_en: str
    message_zh: str


@dataclass(frozen=True, slots=True)
class Syllable:
    """One sung syllable of a Chinese line, or one Latin word in it.

    Parameters
    ----------
    text
        The characters: one, or two where 儿 only colours the one before it (点儿), or a Latin word.
    start, stop
        Where they stand: ``line.text[start:stop] == text``.
    pinyin
        The reading in lower case with its tone mark; None for a Latin word, a digit, and a character
        that no dictionary has.
    tone
        1 to 4, or 5 for the neutral tone; None where there is no pinyin, and for a character that no
        dictionary has and whose reading was typed without its tone.
    zhuyin
        The reading in zhuyin, the dot of the neutral tone before it; None where there is no tone.
    word
        The word that the syllable belongs to: as the typed reading joins it, or else that of the
        dictionary.
    source
        Where the reading comes from: ``"typed"``, ``"override"``, or of the dictionaries ``"phrase"`` (read
        as a part of a phrase) or ``"dictionary"`` (as the character alone is read most often).
    """

    text: str
    start: int
    stop: int
    pinyin: str | None
    tone: int | None
    zhuyin: str | None
    word: str
    source: str


class LyricsError(Exception):
    """A lyric file or line that cannot be read.

    Parameters
    ----------
    path
        The file, or None for a line that was not read from one.
    line, column
        Where the fault is, both from 1, or None where the whole file is meant.
    code
        A short name of the kind of fault.
    message
        What is wrong and what to do about it, in English.
    """

    def __init__(
        self, path: Path | None, line: int | None, column: int | None, code: str, message: str
    ) -> None:
        super().__init__(path, line, column, code, message)
        self.path = path
        self.line = line
        self.column = column
        self.code = code
        self.message = message

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message
