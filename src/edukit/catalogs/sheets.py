"""One page as a file that a teacher can fill in: source and translation side by side, and back again.

Two forms are written. A table (CSV) opens in every spreadsheet program; a Markdown text has each
translation below its source. Both carry a key for each message: what it is of, and what its translation was
when the file was written. So rows may be sorted, left out or come twice, and texts that have changed in the
meantime, here or there, are noticed and not overwritten. A key and the source beside it have to agree: who
sorts or moves a column by itself would put translations under sources that they do not belong to.
"""

import contextlib
import csv
import difflib
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from .encodings import misread
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
    place
        Where it stands in the file: ``row 3`` of a table as a spreadsheet counts, or ``line 12`` of a text.
    """

    source: str
    translation: str
    note: str
    key: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something noticed while a file was read back: its place in it, what, and what to do."""

    code: str
    place: str
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
    agreed
        In what the file and the catalog agree now, where that is not what the file began with: by key.
    """

    catalog: Catalog
    taken: tuple[Message, ...]
    remarks: tuple[Remark, ...]
    agreed: dict[str, str] = field(default_factory=dict)


# -- what a message is known by --------------------------------------------------------------------------


def _digest(text: str, size: int) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()


def _plain(text: str) -> str:
    """Return a text without what programs change when they save it: line ends, blanks at the end."""
    text = re.sub(r"\r\n?|\v", "\n", text)
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()


_KEY = "[0-9a-f]{10}-[0-9a-f]{6}"


def key_of(message: Message) -> str:
    """Return the key of a message: of its source, and of its translation as it is now."""
    return f"{_name(message)}-{_state(message.string)}"


def _state(translation: str) -> str:
    return _digest(_plain(translation), 3)


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


_CHECK, _KEYS = "check again", "key"


def to_csv(rows: Iterable[Row], source: str, language: str) -> str:
    """Return rows as a table; it has to be written as UTF-8 with a byte order mark, for Excel."""
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(
        [source, language, f"{_CHECK} (empty this cell when it is right)", f"{_KEYS} (leave as it is)"]
    )
    for row in rows:
        table.writerow([*map(_guarded, (row.source, row.translation, row.note)), row.key])
    return out.getvalue()


def from_csv(text: str, source: str, language: str) -> list[Row]:
    """Read the rows of a table, whatever order its columns have and whatever parts them."""
    # Excel writes, and does not show, a line that says how the columns are parted.
    if said := re.match(r'"?sep=(.)"?\r?\n', text, re.IGNORECASE):
        delimiter, text = said[1], text[said.end() :]
    else:
        first = text.partition("\n")[0]
        delimiter = max("\t;,", key=lambda sign: (first.count(sign), sign == ","))
    rows = []
    number = 1
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        head = next(reader, [])
        columns = _columns(head, source, language)
        # A spreadsheet counts rows, however many lines the text in one of them has.
        for number, cells in enumerate(reader, 2):
            if any(cell.strip() for cell in cells):
                cells = cells + [""] * (len(head) - len(cells))
                # Without the column that is emptied when a translation is right, none is said to be.
                values = [_unguarded(cells[at]) if at >= 0 else CHECK_EN for at in columns]
                rows.append(
                    Row(values[0], values[1], values[2].strip(), values[3].strip(), f"row {number}")
                )
    except csv.Error as error:
        raise SheetError(f"row {number + 1}: this is no table: {error}") from None
    return rows


def _columns(head: Sequence[str], source: str, language: str) -> tuple[int, int, int, int]:
    """Find the columns by the first row; those that somebody has added are nobody's business."""
    names = [re.sub(r"\s*\(.*", "", cell).strip().casefold().replace("-", "_") for cell in head]
    wanted = [name.casefold().replace("-", "_") for name in (source, language, _CHECK, _KEYS)]
    for name, asked in zip(wanted, (source, language, _CHECK, _KEYS), strict=True):
        if names.count(name) > 1 or (name not in names and asked != _CHECK):
            often = "twice" if name in names else "not"
            raise SheetError(
                f"row 1: the first row with the names of the columns is not as it was written: “{asked}” "
                f"is {often} there; write {source} over the source, {language} over the translation, and "
                f"{_KEYS} over the keys"
            )
    at = [names.index(name) if name in names else -1 for name in wanted]
    return at[0], at[1], at[2], at[3]


# -- a text ----------------------------------------------------------------------------------------------

_MARK = re.compile(rf"<!--\s*(\d+)\s*·\s*({_KEY})\s*(·\s*CHECK\s*)?.*?-->")
# What could be taken for a mark, whole or damaged, or for the quoted source. In a translation it stands
# behind a backslash and a blank: editors put a backslash alone before what they guard.
_SPECIAL = re.compile(rf"(?:\\ )*(?:>|.*\b{_KEY}\b|\W*<!\W*\d+\s*·)")
_WAS = "<!-- was:"
_TITLE = re.compile(r"#\s.*:\s*\S+\s*→\s*(\S+)\s*$")


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
        before = f"{_WAS} {' '.join(was.split()).replace('--', '- -')} -->\n" if was else ""
        quoted = "\n".join(f"> {line}".rstrip(" ") for line in row.source.split("\n"))
        own = "\n".join(
            f"\\ {line}" if _SPECIAL.match(line) else line for line in row.translation.split("\n")
        )
        parts.append(f"\n{mark}\n{before}{quoted}\n\n{own}\n")
    return "".join(parts)


def from_markdown(text: str, language: str) -> list[Row]:
    """Read the rows of a text."""
    rows: list[Row] = []
    lines: list[str] = []
    found: re.Match[str] | None = None
    begins = 0
    text = re.sub(r"\r\n?", "\n", text)
    title = _TITLE.match(text.partition("\n")[0])
    if title and title[1].replace("-", "_") != language.replace("-", "_"):
        raise SheetError(f"line 1: this file is of translations into {title[1]}, not into {language}")
    for number, line in enumerate([*text.split("\n"), None], 1):
        mark = None if line is None else _MARK.match(line)
        if line is not None and mark is None:
            if _SPECIAL.match(line) and not line.startswith((">", "\\ ", _WAS)):
                raise SheetError(
                    f"line {number}: this line is damaged: it has to begin with <!-- and to end with -->, "
                    "as the others do; nothing was taken"
                )
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
    while at < len(lines) and (not lines[at].strip() or lines[at].startswith(_WAS)):
        at += 1
    source = []
    while at < len(lines) and lines[at].startswith(">"):
        source.append(lines[at][1:].removeprefix(" "))
        at += 1
    own = lines[at:]
    quoted = [number for number, text in enumerate(own, line + at + 1) if text.startswith(">")]
    if quoted and not any(text.startswith(">") for text in source):
        # Somebody has quoted the translation too, or has deleted the mark of the next source.
        if len(quoted) < sum(bool(text.strip()) for text in own):
            raise SheetError(
                f"line {quoted[0]}: a quotation in the midst of a translation: put the line with <!-- "
                "above it back, or delete the >; nothing was taken"
            )
        own = [text.removeprefix(">").removeprefix(" ") for text in own]
    own = [text[2:] if text.startswith("\\ ") and _SPECIAL.match(text[2:]) else text for text in own]
    translation = "\n".join(own).strip("\n")
    if not translation.strip():
        translation = ""
    return Row("\n".join(source), translation, CHECK_EN if found[3] else "", found[2], f"line {line}")


# -- and back --------------------------------------------------------------------------------------------


def decoded(data: bytes) -> tuple[str, str]:
    """Return the text of a file and its encoding: UTF-8, UTF-16 as Excel writes it, or GBK as WPS does.

    Raises
    ------
    SheetError
        It is a workbook, or in no encoding that is known here.
    """
    # Workbooks are archives; those of old are in a form of their own.
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise SheetError("this is a workbook (.xlsx or .xls): save it as CSV in your spreadsheet program")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), "utf-16"
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise SheetError("the encoding of this file is not known: save it as CSV in UTF-8")


def read_back(
    catalog: Catalog,
    rows: Iterable[Row],
    *,
    encoding: str = "utf-8",
    agreed: Mapping[str, str] | None = None,
) -> Reading:
    """Take what a teacher has filled in into a catalog; nothing that is there is lost.

    Parameters
    ----------
    catalog
        The catalog as it is now.
    rows
        What the file holds.
    encoding
        What the file was in: GBK lacks signs, for which a question mark stands.
    agreed
        What the last reading of this file has returned as ``agreed``: it may be corrected and read again.

    Raises
    ------
    SheetError
        The translations have moved against their sources.
    """
    there = {_name(message): message for message in catalog.messages}
    new = dict(there)
    taken: list[str] = []
    remarks: list[Remark] = []
    late: list[Message] = []
    first: dict[str, Row] = {}
    exported: dict[str, str] = {}
    for row, name, base in _placed(list(rows), there, remarks):
        if name in first:
            other = first[name]
            if _plain(other.translation) != _plain(row.translation):
                text = f"the message stands in {other.place} too, with another translation"
                remarks.append(_remark("twice", row, text, "delete one of them; the first one was taken"))
            continue
        first[name], exported[name] = row, base
    _refuse_moved(first, there, exported)
    bases = exported | _bases(first, exported, agreed or {})
    for name, row in first.items():
        message = there.get(name)
        if message is None:
            if row.translation.strip() and _state(row.translation) != bases[name]:
                late.append(Message(row.source, row.translation, 0, fuzzy=False))
                text = "the page no longer has this text: it has changed since the file was written"
                mend = "write the file anew; the translation is kept in the catalog, for you to compare"
                remarks.append(_remark("gone", row, text, mend))
            continue
        for outcome in _compared(row, message, bases[name], exported[name], encoding):
            if isinstance(outcome, Remark):
                remarks.append(outcome)
            else:
                new[name] = outcome
                taken.append(name)
    result = replace(catalog, messages=tuple(new[_name(one)] for one in catalog.messages))
    result = _with_late(result, late)
    now = {
        f"{name}-{exported[name]}": _state(row.translation)
        for name, row in first.items()
        if name in new and _state(row.translation) == _state(new[name].string) != exported[name]
    }
    return Reading(result, tuple(new[name] for name in taken), tuple(remarks), dict(agreed or {}) | now)


def _placed(
    rows: Sequence[Row], there: Mapping[str, Message], remarks: list[Remark]
) -> Iterator[tuple[Row, str, str]]:
    """Yield each row with the name of its message, and the state of the translation it was written with."""
    by_source: dict[str, list[str]] = {}
    for name, message in there.items():
        by_source.setdefault(_bare(message.id), []).append(name)
    written = dict(row.key.split("-") for row in rows if re.fullmatch(_KEY, row.key))
    apart: list[tuple[Row, str]] = []
    for row in rows:
        keyed = row.key.partition("-")[0] if re.fullmatch(_KEY, row.key) else ""
        if keyed in there and _fits(row.source, there[keyed].id):
            yield row, keyed, row.key[-6:]
            continue
        hits = by_source.get(_bare(row.source), [])
        if len(hits) == 1 and keyed:
            apart.append((row, hits[0]))
        elif len(hits) == 1:
            yield row, hits[0], written.get(hits[0]) or _state(there[hits[0]].string)
        elif keyed:
            yield row, keyed, row.key[-6:]
        else:
            remarks.append(_remark("key", row, "its key is damaged", "put the key back; nothing was taken"))
    # The keys were not sorted along; unless it was the source alone that was sorted.
    if any(
        row.translation.strip() and _state(row.translation) == row.key[-6:] != written.get(name)
        for row, name in apart
    ):
        for row, _ in apart:
            if row.translation.strip() and _state(row.translation) != row.key[-6:]:
                remarks.append(_apart(row))
        return
    if apart:
        text = f"the key is that of another text, in {len(apart)} rows; they were read by their source"
        mend = "sort all columns together; what was emptied under “check again” in these rows was not read"
        remarks.append(_remark("sorted", apart[0][0], text, mend))
    for row, name in apart:
        # The column may have stayed behind that tells of a translation that it is right.
        row = replace(row, note=row.note or CHECK_EN)
        yield row, name, written.get(name) or _state(there[name].string)


def _fits(source: str, text: str) -> bool:
    return not source.strip() or _bare(source) in (_bare(text), _bare(_in_gbk(text)))


def _apart(row: Row) -> Remark:
    text = "the source and the key in this row belong to different texts"
    return _remark("apart", row, text, "write the file anew, and move whole rows only; nothing was taken")


def _refuse_moved(
    rows: Mapping[str, Row], there: Mapping[str, Message], exported: Mapping[str, str]
) -> None:
    """Refuse a file in which translations have moved up or down, or were sorted by themselves."""
    own = {name: _plain(row.translation) for name, row in rows.items() if name in there}
    owners: dict[str, list[str]] = {}
    for name in own:
        owners.setdefault(_plain(there[name].string), []).append(name)
    moved = [
        rows[name].place
        for name, text in own.items()
        if text
        and text in owners
        and all(own[owner] != text for owner in owners[text])
        # It may be the catalog in which they have moved since.
        and _state(text) != exported[name]
    ]
    # Two may have been exchanged by who knows why.
    if len(moved) > 2:
        raise SheetError(
            f"translations stand beside other sources than before, in {', '.join(moved[:5])}"
            f"{' …' if len(moved) > 5 else ''}: was a cell put in or deleted, or one column sorted by "
            "itself? Move and sort whole rows only; nothing was taken"
        )


def _bases(
    rows: Mapping[str, Row], exported: Mapping[str, str], agreed: Mapping[str, str]
) -> dict[str, str]:
    """Return in what the file and the catalog agreed when it was last read, by the names of messages."""
    found = {
        name: agreed[f"{name}-{base}"] for name, base in exported.items() if f"{name}-{base}" in agreed
    }
    back = sum(_state(rows[name].translation) == exported[name] for name in found)
    # Where most of it is gone, this is another copy of the file, from somebody who has not seen the first.
    return found if 2 * back <= len(found) else {}


def _remark(code: str, row: Row, message: str, mend: str) -> Remark:
    return Remark(code, row.place, row.source, message, mend)


def _compared(
    row: Row, message: Message, base: str, exported: str, encoding: str
) -> Iterator[Message | Remark]:
    """Yield the message as the row has it, if it has anything new, and what is to be said of it."""
    own = _plain(row.translation)
    before = _plain(message.string)
    if not own and row.source.startswith(f"{message.id}\n"):
        # In a text, the translation was written into the quotation, below the source.
        own = _plain(row.source.removeprefix(message.id))
        row = replace(row, source=message.id)
    state = _state(before)
    lossy = encoding == "gb18030" and own == _plain(_in_gbk(message.string))
    confirmed = message.fuzzy and not row.note and bool(own)
    if own == before or lossy or (_state(own) == base and state != exported):
        if confirmed and state == base:
            yield changed(message, fuzzy=False, previous="")
        return
    if state not in (base, exported):
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
    if _is_garbled(own) and not _is_garbled(message.id):
        text = f"the file was opened or saved in a wrong encoding: {_short(own)}"
        yield _remark("encoding", row, text, "open it as UTF-8 and save it as CSV UTF-8; nothing was taken")
        return
    if before and _bare(own) == _bare(message.id):
        text = f"the source stands in place of its translation, which is: {_short(before)}"
        yield _remark("same", row, text, "if that is meant, write it into the catalog; nothing was taken")
        return
    if not _fits(row.source, message.id):
        if not re.search(r"[^\W\d_]{2}", message.id):
            text = "the spreadsheet has made something else of a number or a date"
            yield _remark("number", row, text, "format the columns as text; nothing was taken")
            return
        if not _is_alike(row.source, message.id):
            yield _apart(row)
            return
        text = "the source in this file was changed; only translations are read"
        yield _remark("source", row, text, "change the page itself, if it should say that")
    if encoding == "gb18030" and _in_gbk(message.id) != message.id and "?" in own:
        text = "the file was saved as GBK, which lacks signs of this text; look for question marks"
        yield _remark("encoding", row, text, "save the file as CSV UTF-8")
    yield changed(message, string=_edged(own, message.id), fuzzy=False, previous="")


def _is_alike(one: str, other: str) -> bool:
    return difflib.SequenceMatcher(None, _bare(one), _bare(other), autojunk=False).ratio() >= 0.6


def _is_garbled(text: str) -> bool:
    return "\ufffd" in text or bool(misread(text))


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


def known(catalog: Catalog, rows: Iterable[Row]) -> int:
    """Return how many of the rows are of messages that a catalog has, or had."""
    messages = (*catalog.messages, *catalog.obsolete)
    names = {_name(one) for one in messages}
    sources = {_bare(one.id) for one in messages}
    return sum(row.key.partition("-")[0] in names or _bare(row.source) in sources for row in rows)


# -- from one reading to the next ------------------------------------------------------------------------


def recalled(memory: Path, sheet: str) -> dict[str, str]:
    """Return in what a file and its catalog agreed when it was last read, so far as it is known."""
    return _memory(memory).get(sheet, {})


def remember(memory: Path, sheet: str, agreed: Mapping[str, str]) -> None:
    """Keep in what a file and its catalog agree, so that it can be corrected and read again.

    It is kept beside what the build makes, not in the file, which a spreadsheet program may have open.
    Where it is lost, or cannot be written, a corrected translation is not taken, and that is told.
    """
    kept = _memory(memory)
    if kept.get(sheet, {}) == agreed:
        return
    kept[sheet] = dict(agreed)
    with contextlib.suppress(OSError):
        memory.parent.mkdir(parents=True, exist_ok=True)
        memory.write_text(json.dumps(kept, indent=1), encoding="utf-8")


def _memory(path: Path) -> dict[str, dict[str, str]]:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}
