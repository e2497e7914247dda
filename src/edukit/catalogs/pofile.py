"""A gettext catalog as its file holds it: read whole and fast, written back without a change too many.

What a file holds and this module does not understand any better is kept as it was typed: headers, comments,
flags, and the way in which another tool has wrapped the lines of a message that stays the same.
"""

import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any


class CatalogError(Exception):
    """A catalog that cannot be read.

    Parameters
    ----------
    path, line
        Where.
    message
        What is wrong there and what to do.
    """

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a catalog.

    Parameters
    ----------
    id, string
        The source text and its translation, which is empty while there is none.
    line
        The line of the file on which the source text begins.
    fuzzy
        Whether the translation is to be looked at again; it is not used until then.
    context
        What tells two messages with the same source text apart.
    plural, forms
        The source text in the plural, and all translations of a message that has one.
    comments, notes
        The lines that a translator has written (``#``), and those taken from the source (``#.``).
    references
        Where the source text stands, as the file has it (``#:``).
    flags
        All flags but *fuzzy*.
    previous
        The source text that a fuzzy translation was made for (``#|``).
    obsolete
        Whether the source has no such text any more.
    typed, typed_previous, typed_comments
        The lines of context, source text and translation as they were typed, those of ``#|`` and of ``#``.
    """

    id: str
    string: str
    line: int
    fuzzy: bool
    context: str = ""
    plural: str = ""
    forms: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    previous: str = ""
    obsolete: bool = False
    typed: str = field(default="", repr=False, compare=False)
    typed_previous: str = field(default="", repr=False, compare=False)
    typed_comments: str = field(default="", repr=False, compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """What a message is known by: its context and its source text."""
        return (self.context, self.id)

    @property
    def is_translated(self) -> bool:
        """Whether a reader gets to see the translation."""
        return bool(self.string) and not self.fuzzy

    @property
    def ignored(self) -> frozenset[str]:
        """The codes of findings that a translator has ruled out: ``# edukit: ignore CODE``."""
        codes: set[str] = set()
        for comment in self.comments:
            if found := _IGNORE.match(comment.strip()):
                codes.update(re.split(r"[\s,，]+", found[1].strip()))
        return frozenset(codes)


_IGNORE = re.compile(r"edukit:\s*ignore[\s:]+(.*)")


@dataclass(frozen=True, slots=True)
class Catalog:
    """A catalog: its messages in the order of the file, its header, what is obsolete, and the file's form.

    Parameters
    ----------
    path
        The file.
    messages, header, obsolete
        What it holds, in the order of the file.
    tail
        The comments at the end, which no message stands below.
    end, newline
        How the file ends, and how its lines do.
    """

    path: Path
    messages: tuple[Message, ...]
    header: Message | None = None
    obsolete: tuple[Message, ...] = ()
    tail: str = ""
    end: str = "\n"
    newline: str = "\n"

    @property
    def fields(self) -> dict[str, str]:
        """The fields of the header, such as ``PO-Revision-Date``, by their names."""
        lines = self.header.string.splitlines() if self.header else []
        pairs = (line.partition(":") for line in lines)
        return {name.strip(): value.strip() for name, colon, value in pairs if colon}


# -- reading -----------------------------------------------------------------------------------------


def read(path: Path) -> Catalog:
    """Read a catalog.

    Raises
    ------
    CatalogError
        The file cannot be opened, is not UTF-8 or not in the form of a ``.po`` file.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CatalogError(path, 1, f"this cannot be read: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CatalogError(path, line, "this is not UTF-8: save the file as UTF-8") from None
    return parse(text, path)


def parse(text: str, path: Path = Path()) -> Catalog:
    r"""Read a catalog from its text.

    Raises
    ------
    CatalogError
        The text is not in the form of a ``.po`` file; ``path`` stands in the error.

    Examples
    --------
    >>> [message] = parse('msgid "Song"\nmsgstr "歌"\n').messages
    >>> message.id, message.string, message.line
    ('Song', '歌', 1)
    """
    messages: list[Message] = []
    obsolete: list[Message] = []
    header = None
    reader = _Reader(path)
    for message in reader.messages(text):
        if message.obsolete:
            obsolete.append(message)
        elif message.id or message.context:
            messages.append(message)
        elif header is None:
            header = message
    # Some tools leave an empty line at the end, and some do not; either stays.
    end = "\n\n" if text.endswith(("\n\n", "\r\n\r\n")) else "\n"
    newline = "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"
    return Catalog(path, tuple(messages), header, tuple(obsolete), reader.tail, end, newline)


_FORM = (
    "this line is not in the form of a .po file: a text stands between two "
    'quotation marks after msgid or msgstr, and a quotation mark inside it is written \\"'
)
_MERGE = (
    "two versions of this file have not been merged: keep what is right of both, and delete the lines that "
    "begin with <<<<<<<, ======= and >>>>>>>"
)
_MERGE_MARK = re.compile(r"(<{7}|={7}|>{7}|\|{7})(?: |$)")
_KEYWORD = re.compile(r"(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d+)\])?)\s*(?=\")")
_STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"')
_ESCAPE = re.compile(r"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def _unescaped(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        sign = found[1]
        if sign in _ESCAPED:
            return _ESCAPED[sign]
        if sign[0] == "x" and len(sign) > 1:
            return chr(int(sign[1:], 16))
        if sign[0] in "01234567":
            return chr(int(sign, 8))
        return sign

    return _ESCAPE.sub(one, text)


# What nearly all messages look like. One match in place of a dozen steps makes a thousand catalogs read in
# half the time; everything else goes line by line.
_USUAL = re.compile(
    r"""((?:\#:\ .*\n)*)(?:\#,\ ((?!.*\bfuzzy\b).*)\n)?"""
    r"""(msgid\ "([^"\\\n]*(?:\\.[^"\\\n]*)*)"\nmsgstr\ "([^"\\\n]*(?:\\.[^"\\\n]*)*)")""",
    re.VERBOSE,
)


class _Reader:
    """Goes through the lines of a file and puts messages together."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tail = ""
        self.clear()

    def clear(self) -> None:
        self.comments: list[str] = []
        self.notes: list[str] = []
        self.references: list[str] = []
        self.flags: list[str] = []
        self.previous: dict[str, list[str]] = {}
        self.texts: dict[str, list[str]] = {}
        self.current: list[str] | None = None
        self.typed: list[str] = []
        self.typed_previous: list[str] = []
        self.typed_comments: list[str] = []
        self.line = 0
        self.obsolete = False
        self.complete = False

    def error(self, number: int, message: str = _FORM) -> CatalogError:
        return CatalogError(self.path, number, message)

    def messages(self, text: str) -> Iterable[Message]:
        # Only these end a line; str.splitlines() would also part a text at U+2028 and the like.
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        number = 1
        for chunk in text.split("\n\n"):
            usual = _USUAL.fullmatch(chunk)
            if usual and usual[4] and (self.complete or self.is_idle):
                if self.complete:
                    yield self.take(number)
                yield self.usual(usual, number)
            else:
                yield from self.lines(chunk, number)
            number += chunk.count("\n") + 2
        if self.texts or self.complete:
            yield self.take(number)
        elif not self.is_idle:
            self.tail = _tail(text)

    @property
    def is_idle(self) -> bool:
        """Whether nothing has been read of the next message: no comment waits for it."""
        return not (
            self.texts or self.comments or self.notes or self.references or self.flags or self.previous
        )

    def usual(self, found: re.Match[str], number: int) -> Message:
        references, flags, typed, source, string = found.groups()
        return Message(
            _unescaped(source) if "\\" in source else source,
            _unescaped(string) if "\\" in string else string,
            number + references.count("\n") + (flags is not None),
            fuzzy=False,
            references=tuple(line[3:].strip() for line in references.split("\n")[:-1])
            if references
            else (),
            flags=tuple(flag.strip() for flag in flags.split(",") if flag.strip()) if flags else (),
            typed=typed,
        )

    def lines(self, text: str, number: int) -> Iterable[Message]:
        for at, line in enumerate(text.split("\n"), number):
            sign = line[:1]
            if sign == '"' and self.current is not None:
                # The usual line, taken without a pattern: no sign in it needs a second look.
                if "\\" not in line and line[-1] == '"' and line.count('"') == 2:
                    self.current.append(line[1:-1])
                else:
                    self.current.append(self.string(line.rstrip(), at))
                self.typed.append(line)
                continue
            typed, line = line, line.strip()
            if not line:
                continue
            if line[0] == "#":
                if line[1:2] == "~":
                    yield from self.obsolete_line(line[2:].strip(), at)
                    continue
                if self.complete or self.obsolete:
                    yield self.take(at)
                self.comment(line, at, typed)
            else:
                if self.obsolete:
                    yield self.take(at)
                yield from self.text_line(line, at, self.texts)

    def obsolete_line(self, line: str, number: int) -> Iterable[Message]:
        if (self.texts and not self.obsolete) or (self.complete and line[:1] in "#|"):
            yield self.take(number)
        self.obsolete = True
        if line[:1] == "|":
            self.typed_previous.append(f"#~{line}")
            yield from self.text_line(line[1:].strip(), number, self.previous)
        elif line[:1] == "#":
            self.comment(line, number)
        elif line:
            yield from self.text_line(line, number, self.texts)

    def comment(self, line: str, number: int, typed: str = "") -> None:
        kind, rest = line[1:2], line[2:]
        if kind == ":":
            self.references.append(rest.strip())
        elif kind == ",":
            self.flags += [flag.strip() for flag in rest.split(",") if flag.strip()]
        elif kind == "|":
            self.typed_previous.append(line)
            for _ in self.text_line(rest.strip(), number, self.previous):
                pass
        elif kind == ".":
            self.notes.append(rest.removeprefix(" "))
        else:
            self.comments.append(line[1:].removeprefix(" "))
            self.typed_comments.append(typed or line)

    def text_line(self, line: str, number: int, texts: dict[str, list[str]]) -> Iterable[Message]:
        if line[0] == '"':
            if self.current is None:
                raise self.error(number)
            self.current.append(self.string(line, number))
        else:
            found = _KEYWORD.match(line)
            if found is None:
                raise self.error(number, _MERGE if _MERGE_MARK.match(line) else _FORM)
            keyword = found[1]
            if texts is self.texts:
                if self.complete and not keyword.startswith("msgstr"):
                    was_obsolete = self.obsolete
                    yield self.take(number)
                    self.obsolete = was_obsolete
                    texts = self.texts
                if keyword in texts:
                    raise self.error(number, f"a second {keyword} in one message: mend it here")
                if keyword.startswith("msgstr"):
                    if "msgid" not in texts:
                        raise self.error(number, "a msgstr without the msgid that belongs before it")
                    self.complete = True
                if keyword == "msgid":
                    self.line = number
            texts[keyword] = self.current = [self.string(line[found.end() :], number)]
        if texts is self.texts:
            self.typed.append(f"#~ {line}" if self.obsolete else line)

    def string(self, text: str, number: int) -> str:
        if "\\" not in text and text[0] == text[-1] == '"' and text.count('"') == 2:
            return text[1:-1]
        found = _STRING.fullmatch(text)
        if found is None:
            raise self.error(number)
        return _unescaped(found[1]) if "\\" in text else found[1]

    def take(self, number: int) -> Message:
        """Return the message that has been put together, and begin the next one."""
        texts = self.texts
        if not self.complete:
            raise self.error(self.line or number, "a msgid without the msgstr that belongs after it")
        forms: tuple[str, ...] = ()
        if "msgid_plural" in texts:
            forms = tuple("".join(parts) for name, parts in texts.items() if name.startswith("msgstr"))
            string = forms[0] if all(forms) else ""
        else:
            string = "".join(texts.get("msgstr") or texts.get("msgstr[0]") or ())
        flags = self.flags
        message = Message(
            "".join(texts["msgid"]),
            string,
            self.line,
            "fuzzy" in flags,
            "".join(texts["msgctxt"]) if "msgctxt" in texts else "",
            "".join(texts["msgid_plural"]) if forms else "",
            forms,
            tuple(self.comments),
            tuple(self.notes),
            tuple(self.references),
            tuple(flag for flag in flags if flag != "fuzzy") if flags else (),
            "".join(self.previous.get("msgid", ())) if self.previous else "",
            self.obsolete,
            "\n".join(self.typed),
            "\n".join(self.typed_previous),
            "\n".join(self.typed_comments),
        )
        self.clear()
        return message


def _tail(text: str) -> str:
    """Return the comments at the end of a text, which belong to no message."""
    lines = text.rstrip("\n").split("\n")
    begin = len(lines)
    while begin and re.match(r"\s*(?:#(?!~)|$)", lines[begin - 1]):
        begin -= 1
    return "\n".join(lines[begin:]).lstrip("\n")


# -- writing -----------------------------------------------------------------------------------------


def written(catalog: Catalog) -> str:
    """Return the text of a catalog's file: header, messages, what is obsolete, and the last comments.

    A message keeps its lines as they were typed; one without them is written on one line for each line of
    its text, since wrapping at a width would move whole paragraphs for the sake of one word.

    Examples
    --------
    >>> print(written(Catalog(Path("page.po"), (Message("Song", "歌", 1, fuzzy=False),))), end="")
    msgid "Song"
    msgstr "歌"
    """
    parts = [catalog.header] if catalog.header else []
    blocks = [_block(message) for message in (*parts, *catalog.messages, *catalog.obsolete)]
    blocks += [catalog.tail] if catalog.tail else []
    return "\n\n".join(blocks) + catalog.end if blocks else ""


def changed(message: Message, **changes: Any) -> Message:
    """Return a message with changes; its lines are written anew when they are about its texts."""
    typed = "" if changes.keys() & {"id", "string", "context", "plural", "forms"} else message.typed
    if changes.get("obsolete", message.obsolete) != message.obsolete:
        typed = ""
    previous = message.typed_previous if typed and "previous" not in changes else ""
    comments = "" if "comments" in changes else message.typed_comments
    return replace(
        message,
        typed=typed,
        typed_previous=previous,
        typed_comments=comments,
        **changes,
    )


def save(catalog: Catalog) -> bool:
    """Write a catalog to its file if that changes it; return whether it did."""
    data = written(catalog).replace("\n", catalog.newline).encode()
    # A link stays one, and what it leads to is written.
    path = catalog.path.resolve()
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    # A file that is half written would be a catalog lost.
    partial = path.with_suffix(".po.part")
    partial.write_bytes(data)
    if path.exists():
        shutil.copymode(path, partial)
    partial.replace(path)
    return True


def _block(message: Message) -> str:
    mark = "#~ " if message.obsolete else ""
    lines = (
        [message.typed_comments]
        if message.typed_comments
        else [f"# {one}".rstrip() for one in message.comments]
    )
    lines += [f"#. {one}".rstrip() for one in message.notes]
    lines += [f"#: {one}" for one in message.references]
    flags = (["fuzzy"] if message.fuzzy else []) + list(message.flags)
    if flags:
        lines.append(f"#, {', '.join(flags)}")
    if message.previous:
        before = "#~| " if message.obsolete else "#| "
        lines += (
            [message.typed_previous]
            if message.typed_previous
            else [before + line for line in _texts("msgid", message.previous)]
        )
    if message.typed:
        lines.append(message.typed)
        return "\n".join(lines)
    texts = _texts("msgctxt", message.context) if message.context else []
    texts += _texts("msgid", message.id)
    if message.plural:
        texts += _texts("msgid_plural", message.plural)
        for number, form in enumerate(message.forms):
            texts += _texts(f"msgstr[{number}]", form)
    else:
        texts += _texts("msgstr", message.string)
    return "\n".join(lines + [mark + line for line in texts])


_SIGNS = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_TO_ESCAPE = re.compile(r'[\\"\n\t\r]')


def _texts(keyword: str, text: str) -> list[str]:
    def quoted(part: str) -> str:
        return '"' + _TO_ESCAPE.sub(lambda found: _SIGNS[found[0]], part) + '"'

    parts = text.splitlines(keepends=True) if "\n" not in text else re.findall(r"[^\n]*\n|[^\n]+", text)
    if "\n" not in text[:-1]:
        return [f"{keyword} {quoted(text)}"]
    return [f'{keyword} ""', *map(quoted, parts)]


def wrapped_references(places: Sequence[str]) -> tuple[str, ...]:
    """Return places as lines of references of usual width; no place is parted."""
    lines: list[str] = []
    for place in places:
        if lines and " " not in place and len(lines[-1]) + len(place) < 73 and " of " not in lines[-1]:
            lines[-1] += f" {place}"
        else:
            lines.append(place)
    return tuple(lines)
