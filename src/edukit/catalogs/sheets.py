"""One page as a file that a teacher can fill in: source and translation side by side, and back again.

Two forms are written. A table (CSV) opens in every spreadsheet program; a Markdown text has each
translation below its source. Both carry a key for each message: what it is of, and what its translation was
when the file was written. So rows may be sorted, left out or come twice, and texts that have changed in the
meantime, here or there, are noticed and not overwritten.
"""

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from .pofile import Catalog, Message, changed

# What spreadsheets take for a formula. An apostrophe before it makes it a text; one that was there gets a
# second one, so that reading takes away just what writing has put there.
_FORMULA = re.compile(r"'*[=+\-@\t\r＝＋－＠]")
_ERRORS = re.compile(r"#(?:NAME\?|VALUE!|REF!|DIV/0!|N/A|NUM!|NULL!|名称\?)")

CHECK_EN = "changed: look at it again"


class SheetError(Exception):
    """A file that cannot be read back; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """One message in a file for a teacher.

    Parameters
    ----------
    source, translation
        The texts.
    note
        What is to be looked at again; emptied by a teacher when the translation is right.
    key
        What the message is known by.
    line
        The line, or the row of the table, in the file.
    """

    source: str
    translation: str
    note: str
    key: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Remark:
    """Something noticed while a file was read back: its place in it, what, and what to do."""

    code: str
    line: int
    source: str
    message: str
    mend: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file has brought.

    Parameters
    ----------
    catalog
        The catalog with what was taken from the file.
    taken
        The messages whose translation is new, or no longer fuzzy.
    remarks
        What was noticed.
    """

    catalog: Catalog
    taken: tuple[Message, ...]
    remarks: tuple[Remark, ...]


# -- what a message is known by --------------------------------------------------------------------------


def _digest(text: str, size: int) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()


def _plain(text: str) -> str:
    """Return a text without what programs change when they save it: line ends, blanks at the end."""
    text = re.sub(r"\r\n?|\v", "\n", text)
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()


def key_of(message: Message) -> str:
    """Return the key of a message: of its source, and of its translation as it is now."""
    return f"{_name(message)}-{_digest(_plain(message.string), 3)}"


def _name(message: Message) -> str:
    return _digest(f"{message.context}\x04{message.id}", 5)


def _is_shown(message: Message) -> bool:
    """Leave out what has no words and is done: spreadsheets take numbers and dates for something else."""
    return not message.is_translated or bool(re.search(r"[^\W\d_]", message.id))


def rows_of(catalog: Catalog) -> list[Row]:
    """Return the messages of a catalog as rows; those with forms for the plural stay out."""
    return [
        Row(message.id, message.string, _note(message), key_of(message))
        for message in catalog.messages
        if not message.forms and _is_shown(message)
    ]


def _note(message: Message) -> str:
    if not message.fuzzy:
        return ""
    return f"{CHECK_EN}; it was: {message.previous}" if message.previous else CHECK_EN


# -- a table ---------------------------------------------------------------------------------------------


def _guarded(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell


def to_csv(rows: Iterable[Row], source: str, language: str) -> str:
    """Return rows as a table; it has to be written as UTF-8 with a byte order mark, for Excel."""
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(
        [source, language, "check again (empty this cell when it is right)", "key (leave as it is)"]
    )
    for row in rows:
        table.writerow([*map(_guarded, (row.source, row.translation, row.note)), row.key])
    return out.getvalue()


def from_csv(text: str) -> list[Row]:
    """Read the rows of a table, whatever sign its columns are parted by."""
    first = text.partition("\n")[0]
    delimiter = max("\t;,", key=lambda sign: (first.count(sign), sign == ","))
    rows = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    line = 1
    try:
        head = next(reader, [])
        columns = _columns(head)
        for cells in reader:
            begins = line + 1
            line = reader.line_num
            cells = cells + [""] * (len(head) - len(cells))
            if any(cell.strip() for cell in cells):
                values = [_unguarded(cells[at]) if at >= 0 else "" for at in columns]
                rows.append(Row(values[0], values[1], values[2].strip(), values[3].strip(), begins))
    except csv.Error as error:
        raise SheetError(f"line {reader.line_num}: this is no table: {error}") from None
    return rows


def _columns(head: Sequence[str]) -> tuple[int, int, int, int]:
    """Find the columns by the first row; those of source and translation stand in this order."""
    names = [cell.strip().casefold() for cell in head]
    key = next((at for at, name in enumerate(names) if name.startswith("key")), -1)
    note = next((at for at, name in enumerate(names) if name.startswith("check again")), -1)
    others = [at for at in range(len(names)) if at not in (key, note)]
    if key < 0 or len(others) < 2:
        raise SheetError(
            "line 1: the first row with the names of the columns is not as it was written; put it back, "
            "with “key” over the last column"
        )
    return others[0], others[1], note, key


# -- a text ----------------------------------------------------------------------------------------------

_MARK = re.compile(r"<!--\s*(\d+)\s*·\s*([0-9a-f]{10}-[0-9a-f]{6})\s*(·\s*CHECK\s*)?.*?-->")
_LOOKS_LIKE_MARK = re.compile(r"\\*<!--\s*\d+\s*·")


def to_markdown(rows: Iterable[Row], source: str, language: str, page: str) -> str:
    """Return rows as a text: each source quoted, and the translation below it."""
    parts = [
        f"# {page}: {source} → {language}\n\n"
        "Write the translation below each quoted text. Leave the lines with `<!--` as they are; when one "
        "has the word CHECK, compare the translation, mend it, and delete that word.\n\n"
        "请在每段引文下面写译文。带有 `<!--` 的行不要改动；"
        "如果里面有 CHECK，请对照修改译文，再删去这个词。\n"
    ]
    for number, row in enumerate(rows, 1):
        mark = f"<!-- {number} · {row.key}{' · CHECK' if row.note else ''} -->"
        was = row.note.partition("it was: ")[2]
        before = f"<!-- was: {' '.join(was.split()).replace('--', '- -')} -->\n" if was else ""
        quoted = "\n".join(f"> {line}".rstrip(" ") for line in row.source.split("\n"))
        own = "\n".join(
            f"\\{line}" if _LOOKS_LIKE_MARK.match(line) else line for line in row.translation.split("\n")
        )
        parts.append(f"\n{mark}\n{before}{quoted}\n\n{own}\n")
    return "".join(parts)


def from_markdown(text: str) -> list[Row]:
    """Read the rows of a text."""
    rows: list[Row] = []
    lines: list[str] = []
    found: re.Match[str] | None = None
    begins = 0
    for number, line in enumerate([*re.sub(r"\r\n?", "\n", text).split("\n"), None], 1):
        mark = None if line is None else _MARK.match(line)
        if line is not None and mark is None:
            lines.append(line)
            continue
        if found is not None:
            rows.append(_row(found, lines, begins))
        found, lines, begins = mark, [], number
    if not rows:
        raise SheetError(
            "there is no line with <!-- and a key in this file: was it written by this command?"
        )
    return rows


def _row(found: re.Match[str], lines: list[str], line: int) -> Row:
    at = 0
    while at < len(lines) and (not lines[at].strip() or lines[at].startswith("<!-- was:")):
        at += 1
    source = []
    while at < len(lines) and lines[at].startswith(">"):
        source.append(lines[at][1:].removeprefix(" "))
        at += 1
    own = [
        text[1:] if text.startswith("\\") and _LOOKS_LIKE_MARK.match(text[1:]) else text
        for text in lines[at:]
    ]
    translation = "\n".join(own).strip("\n")
    if not translation.strip():
        translation = ""
    return Row("\n".join(source), translation, CHECK_EN if found[3] else "", found[2], line)


# -- and back --------------------------------------------------------------------------------------------


def decoded(data: bytes) -> tuple[str, str]:
    """Return the text of a file and its encoding: UTF-8, UTF-16 as Excel writes it, or GBK as WPS does.

    Raises
    ------
    SheetError
        It is a workbook, or in no encoding that is known here.
    """
    if data.startswith(b"PK\x03\x04"):
        raise SheetError("this is a workbook (.xlsx): save it as CSV in your spreadsheet program")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), "utf-16"
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise SheetError("the encoding of this file is not known: save it as CSV in UTF-8")


def read_back(catalog: Catalog, rows: Iterable[Row], *, encoding: str = "utf-8") -> Reading:
    """Take what a teacher has filled in into a catalog; nothing that is there is lost.

    Parameters
    ----------
    catalog
        The catalog as it is now.
    rows
        What the file holds.
    encoding
        What the file was in: GBK lacks signs, for which a question mark stands.
    """
    there = {_name(message): message for message in catalog.messages}
    new = dict(there)
    taken: list[str] = []
    remarks: list[Remark] = []
    late: list[Message] = []
    first: dict[str, Row] = {}
    for row in rows:
        name, _, base = row.key.partition("-")
        if not re.fullmatch(r"[0-9a-f]{10}-[0-9a-f]{6}", row.key):
            name = _found_by_source(row, there)
            base = _digest(_plain(there[name].string), 3) if name in there else ""
            if not name:
                remarks.append(
                    _remark("key", row, "its key is damaged", "put the key back; nothing was taken")
                )
                continue
        if name in first:
            other = first[name]
            if _plain(other.translation) != _plain(row.translation):
                text = f"the message stands in line {other.line} too, with another translation"
                remarks.append(_remark("twice", row, text, "delete one of them; the first one was taken"))
            continue
        first[name] = row
        message = there.get(name)
        if message is None:
            if row.translation.strip() and _digest(_plain(row.translation), 3) != base:
                late.append(Message(row.source, row.translation, row.line, fuzzy=False))
                text = "the page no longer has this text: it has changed since the file was written"
                mend = "write the file anew; the translation is kept in the catalog, for you to compare"
                remarks.append(_remark("gone", row, text, mend))
            continue
        for outcome in _compared(row, message, base, encoding):
            if isinstance(outcome, Remark):
                remarks.append(outcome)
            else:
                new[name] = outcome
                taken.append(name)
    result = replace(catalog, messages=tuple(new[_name(one)] for one in catalog.messages))
    result = _with_late(result, late)
    return Reading(result, tuple(new[name] for name in taken), tuple(remarks))


def _remark(code: str, row: Row, message: str, mend: str) -> Remark:
    return Remark(code, row.line, row.source, message, mend)


def _found_by_source(row: Row, there: dict[str, Message]) -> str:
    hits = [name for name, message in there.items() if _plain(message.id) == _plain(row.source)]
    return hits[0] if len(hits) == 1 else ""


def _compared(row: Row, message: Message, base: str, encoding: str) -> Iterator[Message | Remark]:
    """Yield the message as the row has it, if it has anything new, and what is to be said of it."""
    own = _plain(row.translation)
    before = _plain(message.string)
    as_it_was = _digest(own, 3) == base
    lossy = encoding == "gb18030" and own == _plain(_in_gbk(message.string))
    confirmed = message.fuzzy and not row.note and bool(own)
    if as_it_was or own == before or lossy:
        if confirmed and _digest(before, 3) == base:
            yield changed(message, fuzzy=False, previous="")
        return
    if _digest(before, 3) != base:
        text = f"both the file and the catalog have changed since; the catalog has: {_short(before)}"
        yield _remark(
            "both", row, text, "decide which is right, and write it into the catalog; nothing was taken"
        )
        return
    if not own:
        text = "the translation was emptied; the catalog keeps the one it has"
        yield _remark("emptied", row, text, "write a better one, or empty it in the catalog itself")
        return
    if _ERRORS.search(own) and not _ERRORS.search(message.id):
        text = "the spreadsheet has put an error in place of the text"
        yield _remark("formula", row, text, "write an apostrophe before it; nothing was taken")
        return
    if _bare(row.source) != _bare(message.id):
        if not re.search(r"[^\W\d_]{2}", message.id):
            text = "the spreadsheet has made something else of a number or a date"
            yield _remark("number", row, text, "format the columns as text; nothing was taken")
            return
        if _bare(_in_gbk(message.id)) != _bare(row.source):
            text = "the source in this file was changed; only translations are read"
            yield _remark("source", row, text, "change the page itself, if it should say that")
    if encoding == "gb18030" and _in_gbk(message.id) != message.id and "?" in own:
        text = "the file was saved as GBK, which lacks signs of this text; look for question marks"
        yield _remark("encoding", row, text, "save the file as CSV UTF-8")
    yield changed(message, string=_edged(own, message.id), fuzzy=False, previous="")


def _in_gbk(text: str) -> str:
    """Return a text as it is after it was saved in GBK."""
    return text.encode("gbk", "replace").decode("gbk")


def _bare(text: str) -> str:
    """Return a text without what programs make nicer: quotation marks, dashes, blanks."""
    text = re.sub("[“”„«»]", '"', re.sub("[‘’‚′]", "'", text))
    return re.sub(r"\s+", " ", text.replace("…", "...").replace("–", "-").replace("—", "--")).strip()


def _edged(text: str, source: str) -> str:
    """Return a translation with the blanks and line ends around it that the source has."""
    start = source[: len(source) - len(source.lstrip())]
    end = source[len(source.rstrip()) :]
    return f"{start}{text}{end}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) < 80 else f"{text[:79]}…"


def _with_late(catalog: Catalog, late: Iterable[Message]) -> Catalog:
    """Keep translations of texts that have gone: the next update offers them for what is most alike."""
    held = {message.key for message in catalog.obsolete}
    new = tuple(replace(one, obsolete=True) for one in late if one.key not in held)
    return replace(catalog, obsolete=catalog.obsolete + new)
