"""Reading ``.docx``: the rows of a Word document are those of a text.

A document is a zip of XML files and may have been made to do harm, so no more than the two files with
the words and the names of the styles are unpacked, both measured first. They are read here and not by a
library, because the words may also stand where those do not look: in tracked changes and in content
controls; and the pinyin that Word lays above characters is the reading of their line.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from edukit.lyrics import text
from edukit.lyrics.model import Finding, LyricsError, Song
from edukit.lyrics.rows import MAX_COLUMNS, MAX_ROWS, clean_row
from edukit.lyrics.xml import Element, parse

MAX_XML = 3_000_000
"""The most bytes of an XML file in the document."""

_DOCUMENT, _STYLES = "word/document.xml", "word/styles.xml"
# What is not part of the words: deleted text, pictures and their alternatives, codes of fields.
_HIDDEN = frozenset(
    {"del", "moveFrom", "drawing", "pict", "object", "AlternateContent", "instrText", "rPr", "pPr"}
)


@dataclass(slots=True)
class _Paragraph:
    """The rows of a paragraph, and the pinyin that stands above their characters."""

    style: str = ""
    rows: list[str] = field(default_factory=lambda: [""])
    readings: list[list[str]] = field(default_factory=lambda: [[]])

    @property
    def texts(self) -> list[list[str]]:
        """Each row, and behind it its reading where there is one."""
        return [
            [row, " ".join(reading)] if reading else [row]
            for row, reading in zip(self.rows, self.readings, strict=True)
        ]


def read(path: Path, content: bytes, findings: list[Finding]) -> Song:
    """Make a song of the bytes of a ``.docx``; ``findings`` are those made so far."""
    document, titles = _unpacked(path, content)
    title = ""
    rows: list[text.Parts] = []
    for style, parts in _rows(document):
        number = len(rows) + 1
        if number > MAX_ROWS:
            message = f"the document has more than {MAX_ROWS} lines; more are not read"
            raise LyricsError(path, number, None, "too-many-lines", message)
        if any(len(part) > MAX_COLUMNS for part in parts):
            message = f"the line has more than {MAX_COLUMNS} characters; such lines are not read"
            raise LyricsError(path, number, MAX_COLUMNS + 1, "line-too-long", message)
        row = [clean_row(number, part, findings) for part in parts]
        if style in titles and not title and row[0].text.strip():
            title = row[0].text.strip()
            row = [clean_row(number, "", findings)]
        rows.append(row)
    if not any(part.text.strip() for row in rows for part in row):
        raise LyricsError(path, 1, 1, "empty", "the document has no text")
    form = text.recognise(row[0] for row in rows if len(row) == 1)
    return text.read_parts(path, rows, findings, form, title=title)


def _unpacked(path: Path, content: bytes) -> tuple[Element, frozenset[str]]:
    """Return the document, and the names that its styles of a title have in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if _DOCUMENT not in archive.namelist():
                message = "this zip is not a Word document: it has no word/document.xml"
                raise LyricsError(path, None, None, "format", message)
            document = _part(path, archive, _DOCUMENT)
            styles = _part(path, archive, _STYLES) if _STYLES in archive.namelist() else None
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        RuntimeError,
        ValueError,
    ):
        message = "the document is damaged or locked: open it in Word and save it anew"
        raise LyricsError(path, None, None, "damaged", message) from None
    titles = {"Title"}
    for style in styles.elements("style") if styles is not None else ():
        names = [name.attributes.get("val", "").lower() for name in style.elements("name")]
        if "title" in names:
            titles.add(style.attributes.get("styleId", ""))
    return document, frozenset(titles - {""})


def _part(path: Path, archive: zipfile.ZipFile, name: str) -> Element:
    # A zip may say less of a file than it holds, but no more than was said is ever unpacked.
    if archive.getinfo(name).file_size > MAX_XML:
        message = f"{name} in the document is larger than any song needs"
        raise LyricsError(path, None, None, "too-large", message)
    return parse(path, archive.read(name))


def _rows(document: Element) -> Iterator[tuple[str, list[str]]]:
    """Give the rows of a document with the style of their paragraph; those of a table are in parts."""
    waiting: list[Element] = [document]
    while waiting:
        element = waiting.pop()
        if element.name == "p":
            paragraph = _paragraph(element)
            yield from ((paragraph.style, texts) for texts in paragraph.texts)
        elif element.name == "tr":
            yield from (("", texts) for texts in _table_row(element))
        elif element.name not in _HIDDEN:
            waiting.extend(child for child in reversed(element.children) if isinstance(child, Element))


def _table_row(element: Element) -> Iterator[list[str]]:
    """Lay the rows within the cells side by side, line by line where all have as many."""
    cells = [
        [parts for one in cell.elements("p") for parts in _paragraph(one).texts]
        for cell in element.elements("tc")
    ]
    if len({len(texts) for texts in cells}) == 1:
        for side_by_side in zip(*cells, strict=True):
            yield [part for parts in side_by_side for part in parts]
    elif cells:
        yield [" ".join(part for parts in texts for part in parts if part.strip()) for texts in cells]


def _paragraph(element: Element) -> _Paragraph:
    paragraph = _Paragraph()
    for properties in element.children:
        if isinstance(properties, Element) and properties.name == "pPr":
            for style in properties.elements("pStyle"):
                paragraph.style = style.attributes.get("val", "")
    waiting: list[Element] = [element]
    while waiting:
        one = waiting.pop()
        if one.name == "t":
            paragraph.rows[-1] += "".join(child for child in one.children if isinstance(child, str))
        elif one.name in ("br", "cr"):
            paragraph.rows.append("")
            paragraph.readings.append([])
        elif one.name == "tab":
            paragraph.rows[-1] += " "
        elif one.name in ("noBreakHyphen", "softHyphen"):
            paragraph.rows[-1] += "-" if one.name == "noBreakHyphen" else ""
        elif one.name == "rt":
            paragraph.readings[-1].append(one.text())
        elif one.name not in _HIDDEN:
            waiting.extend(child for child in reversed(one.children) if isinstance(child, Element))
    return paragraph
