"""Reading XML that comes from outside: no document type, no entity, nothing fetched, bounded depth.

The standard tree reader would keep no places; here every element knows its line and column.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from edukit.lyrics.model import LyricsError

MAX_DEPTH = 100
"""The deepest nesting that is read."""

MAX_ELEMENTS = 200_000
"""The most elements that are read."""

_SPACE = re.compile(r"\s+")


@dataclass(slots=True)
class Element:
    """An element by its local name, with attributes by theirs; ``children`` are texts and elements."""

    name: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list["str | Element"] = field(default_factory=list)

    def elements(self, name: str) -> "Iterator[Element]":
        """Give the elements of a name below this one, without those within another of them."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            if element is not self and element.name == name:
                yield element
            else:
                waiting.extend(child for child in reversed(element.children) if isinstance(child, Element))

    def text(self) -> str:
        """Return all text within."""
        parts: list[str] = []
        waiting: list[str | Element] = [self]
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                parts.append(one)
            else:
                waiting.extend(reversed(one.children))
        return _SPACE.sub(" ", "".join(parts)).strip()


class _Reader:
    """Builds the tree while expat reads."""

    def __init__(self, path: Path, encoding: str | None) -> None:
        self.path = path
        self.parser = expat.ParserCreate(encoding, " ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse
        self.root: Element | None = None
        self.open: list[Element] = []
        self.count = 0

    @property
    def _place(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        line, column = self._place
        self.count += 1
        if len(self.open) == MAX_DEPTH or self.count > MAX_ELEMENTS:
            message = f"more than {MAX_ELEMENTS} elements, or nested more than {MAX_DEPTH} deep"
            raise LyricsError(self.path, line, column, "xml", message)
        local = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        element = Element(name.rpartition(" ")[2], local, line, column)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, name: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        if self.open:
            self.open[-1].children.append(text)

    def _refuse(self, *declaration: object) -> None:
        line, column = self._place
        message = "the file declares a document type or entities, which no lyric file needs: remove it"
        raise LyricsError(self.path, line, column, "xml", message)


def parse(path: Path, text: str | bytes) -> Element:
    """Return the root of an XML text; bytes are read in the encoding that they declare.

    Raises
    ------
    LyricsError
        If it is not well-formed, declares a document type, or is nested too deep.
    """
    # In a text that is decoded already, what it says of its encoding is overruled.
    reader = _Reader(path, None if isinstance(text, bytes) else "utf-8")
    try:
        reader.parser.Parse(text if isinstance(text, bytes) else text.encode("utf-8"), True)
    except expat.ExpatError as error:
        message = f"the file is not well-formed XML: {expat.ErrorString(error.code)}"
        raise LyricsError(path, error.lineno, error.offset + 1, "xml", message) from None
    # Expat knows few encodings, and refuses the name of another in ways of its own.
    except (LookupError, ValueError) as error:
        raise LyricsError(path, 1, 1, "xml", f"the file is not readable XML: {error}") from None
    assert reader.root is not None  # an empty document is not well-formed
    return reader.root
