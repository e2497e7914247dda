"""Read block text, the notation of scratchblocks, in English or Chinese, into the model.

What :func:`~edukit.scratch.block_text` writes comes back as it was, and what people write by hand is read
too: ``(score)`` for a variable, ``when flag clicked`` for the flag. There are two steps: the text is taken
apart into rows of words and holes, which needs no knowledge of Scratch; then each row is looked up in the
table of blocks by its words. A row that is not there is a problem, told with the block that comes nearest.
"""

import difflib
import functools
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .model import Block, Comment, Field, Input, Literal, Procedure, Project, Script, Target, empty_stage
from .opcodes import (
    BOOLEAN,
    CAP,
    HAT,
    ICONS,
    INDEX_WORDS,
    MENU,
    MENU_BLOCKS,
    MENU_WORDS,
    PART,
    REPORTER,
    Hole,
    Icon,
    opcodes,
)
from .package import LIMITS


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong in a text, and where: ``line`` counts from 1."""

    line: int
    english: str
    chinese: str

    def message(self, language: str) -> str:
        """Return the message in a language."""
        return self.chinese if language == "zh_CN" else self.english


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that was read: a project whose only sprite has its scripts, and what is wrong in it."""

    project: Project
    problems: tuple[Problem, ...]


def read_block_text(text: str, *, open_end: bool = False) -> Reading:
    """Read scripts that are written as text.

    Parameters
    ----------
    text
        The scripts, one block a line; an empty line stands between two scripts. Each block may be in
        English or in Chinese.
    open_end
        Whether a C-shaped block may do without its ``end``, as in a sentence about it.

    Returns
    -------
    Reading
        What could be read. A block that is not known stands there as one of the author's own.
    """
    # The notation is written into web pages, and these two are what is left of that.
    text = text.replace("&lt;", "<").replace("&gt;", ">").replace("\r\n", "\n")
    scanner = _Scanner(text)
    reader = _Reader(scanner.rows(), open_end)
    scripts = reader.scripts()
    sprite = Target("", False, scripts, (), (), (), (), (), comments=tuple(reader.comments))
    problems = sorted((*scanner.problems, *reader.problems), key=lambda one: one.line)
    return Reading(Project((empty_stage(), sprite)), tuple(problems))


# -- rows of words and holes ---------------------------------------------------------------------------

_Characters = list[tuple[str, bool]]
"""Characters, and whether each was escaped."""


@dataclass(slots=True)
class _Hole:
    """A pair of brackets: with a block in it, or with a text that may be a choice of a menu."""

    bracket: str
    text: str = ""
    menu: bool = False
    colour: bool = False
    row: "_Row | None" = None


_Part = str | Icon | _Hole


@dataclass(slots=True)
class _Row:
    """A line of the text, or what stands in a pair of brackets."""

    line: int
    parts: list[_Part] = field(default_factory=list)
    marks: tuple[str, ...] = ()
    note: str = ""
    opens: bool = False
    closes: bool = False

    @property
    def holes(self) -> list[_Hole]:
        return [part for part in self.parts if isinstance(part, _Hole)]

    @property
    def words(self) -> str | None:
        """The words, where there is nothing else."""
        match self.parts:
            case []:
                return ""
            case [str(words)]:
                return words
        return None

    @property
    def empty(self) -> bool:
        return not (self.parts or self.marks or self.note or self.opens or self.closes)


_BRACKETS = {"(": ")", "[": "]", "<": ">"}
_NUMBER = re.compile(r"[0-9e.-]*")
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_ICON = re.compile(r"@([A-Za-z]+)")
_EMPTY_CONDITION = re.compile(r"<[ \t]*>")
_ENDS_MARKS = re.compile(r"[)>\n{}]|//")


class _TooDeepError(Exception):
    pass


class _Scanner:
    """Goes once through the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.problems: list[Problem] = []

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

    def rows(self) -> list[_Row]:
        rows = []
        while self.at < len(self.text):
            try:
                rows.append(self.row(""))
            except _TooDeepError:
                self.problems.append(
                    Problem(self.line, "blocks stand too deep inside each other", "积木嵌套得太深")
                )
                self.depth = 0
                self.at = (self.text + "\n").index("\n", self.at)
            self.at += 1  # the end of the line
        return rows

    def row(self, closer: str) -> _Row:
        """Read up to the end of the line, or behind the bracket that closes."""
        row = _Row(self.line)
        gathered: _Characters = []

        def flush() -> None:
            if words := _collapse(gathered):
                row.parts.append(words)
            gathered.clear()

        while self.at < len(self.text) and self.text[self.at] != "\n":
            character = self.text[self.at]
            ahead = self.text[self.at : self.at + 2]
            icon = _ICON.match(self.text, self.at)
            if character == closer and not self._is_sign():
                self.at += 1
                self._close(row, gathered, flush)
                return row
            if character == "\\" and len(ahead) == 2:
                gathered.append((ahead[1], True))
                self.at += 2
            elif ahead == "//" and not closer:
                end = (self.text + "\n").index("\n", self.at)
                row.note = self.text[self.at + 2 : end].strip()
                self.at = end
            elif ahead == "::":
                flush()
                found = _ENDS_MARKS.search(self.text, self.at)
                end = found.start() if found else len(self.text)
                row.marks = tuple(self.text[self.at + 2 : end].lower().split())
                self.at = end
                if found and found[0] in (")", ">") and found[0] != closer:
                    self.at += 1
            elif character in _BRACKETS and not self._is_sign():
                flush()
                row.parts.append(self.hole(character))
            elif character == "{" and not closer:
                flush()
                row.opens = True
                self.at += 1
            elif character == "}" and not closer:
                flush()
                row.closes = True
                self.at += 1
            elif icon and icon[1] in ICONS:
                flush()
                row.parts.append(Icon(icon[1]))
                self.at = icon.end()
            else:
                gathered.append((character, False))
                self.at += 1
        flush()
        if closer:
            opener = {one: other for other, one in _BRACKETS.items()}[closer]
            self._unclosed(row.line, opener, closer)
        return row

    def _close(self, row: _Row, gathered: _Characters, flush: Callable[[], None]) -> None:
        """Keep the text of brackets that hold nothing but words: it may be a choice of a menu."""
        menu = not row.parts and not row.marks and _is_menu(gathered)
        if menu:
            row.marks = ("menu",)
            del gathered[-2:]
        flush()

    def _is_sign(self) -> bool:
        """Tell whether an angle bracket is "less than" or "more than" instead."""
        sign = self.text[self.at]
        if sign not in "<>":
            return False
        before = self.text[self.at - 1 : self.at]
        after = self.text[self.at + 1 :]
        if sign == "<":
            if _EMPTY_CONDITION.match(self.text, self.at):
                return False
            return after[:1].isspace() or not after or (before in (")", "]") and after[0] in "([")
        if before.isspace():
            return re.match(r"\s+[(\[<]", after) is not None
        return before in (")", "]") and after[:1] in ("(", "[")

    def hole(self, opener: str) -> _Hole:
        line = self.line
        if opener == "<" and (empty := _EMPTY_CONDITION.match(self.text, self.at)):
            self.at = empty.end()
            return _Hole("<")
        self.at += 1
        if opener == "[":
            return self.square(line)
        self.depth += 1
        if self.depth > LIMITS.depth:
            raise _TooDeepError
        row = self.row(_BRACKETS[opener])
        self.depth -= 1
        if row.marks == ("menu",):
            return _Hole(opener, row.words or "", menu=True)
        words = row.words
        if opener == "(" and not row.marks and words is not None and _NUMBER.fullmatch(words):
            return _Hole(opener, words)
        return _Hole(opener, row=row)

    def square(self, line: int) -> _Hole:
        """Read a text: nothing in it means anything but its end, an escape, and `` v`` for a menu."""
        gathered: _Characters = []
        while self.at < len(self.text) and self.text[self.at] not in "]\n":
            if self.text[self.at] == "\\" and self.at + 1 < len(self.text):
                gathered.append((self.text[self.at + 1], True))
                self.at += 2
            else:
                gathered.append((self.text[self.at], False))
                self.at += 1
        if self.text[self.at : self.at + 1] == "]":
            self.at += 1
        else:
            self._unclosed(line, "[", "]")
        menu = _is_menu(gathered)
        if menu:
            del gathered[-2:]
        text = "".join(one for one, _ in gathered)
        plain = not menu and not any(escaped for _, escaped in gathered)
        return _Hole("[", text, menu, colour=plain and _COLOUR.fullmatch(text) is not None)

    def _unclosed(self, line: int, opener: str, closer: str) -> None:
        self.problems.append(Problem(line, f"a {opener} has no {closer}", f"{opener} 缺少对应的 {closer}"))


def _collapse(gathered: _Characters) -> str:
    """Join characters to words that are told apart by single spaces; what is escaped stays."""
    result = ""
    space = False
    for character, escaped in gathered:
        if character.isspace() and not escaped:
            space = True
            continue
        if space and result:
            result += " "
        result += character
        space = False
    return result


def _is_menu(gathered: _Characters) -> bool:
    return len(gathered) >= 2 and gathered[-2:] == [(" ", False), ("v", False)]


# -- the table, by words -------------------------------------------------------------------------------

_HOLE = "\0"
_DROPPED = re.compile(r"[\s,%?:]")
_ALSO = {
    "when flag clicked": "event_whenflagclicked",
    "when green flag clicked": "event_whenflagclicked",
    "when gf clicked": "event_whenflagclicked",
    "当绿旗被点击": "event_whenflagclicked",
    "当旗帜被点击": "event_whenflagclicked",
    "turn right _ degrees": "motion_turnright",
    "turn cw _ degrees": "motion_turnright",
    "turn ↻ _ degrees": "motion_turnright",
    "右转 _ 度": "motion_turnright",
    "turn left _ degrees": "motion_turnleft",
    "turn ccw _ degrees": "motion_turnleft",
    "turn ↺ _ degrees": "motion_turnleft",
    "左转 _ 度": "motion_turnleft",
}
"""What people write for blocks with an icon; scratchblocks reads most of these too."""
_DEFINE = re.compile(r"(?:define(?=\s|$)|定义)\s*", re.IGNORECASE)
_ELSE, _END = ("else", "否则"), ("end", "结束")
_OPEN_MENUS = {("sensing_of", "PROPERTY")}
"""Menus that hold names of variables beside their own words."""
_NOT_LOOKED_UP = frozenset(
    ("control_if_else", "data_variable", "data_listcontents", "argument_reporter_string_number")
) | {"argument_reporter_boolean", "procedures_definition", "procedures_call"}


def _key(parts: Sequence[object]) -> str:
    """Return what two spellings of a label have in common: no spaces, no capitals, no question mark."""
    result = ""
    for part in parts:
        match part:
            case str():
                result += _DROPPED.sub("", unicodedata.normalize("NFKC", part)).casefold()
            case Icon(name):
                result += f"@{name}"
            case _:
                result += _HOLE
    return result.replace("…", "...")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A block under one of its labels: the holes in the order of that label, and how it reads."""

    opcode: str
    holes: tuple[Hole, ...]
    mouths: tuple[str, ...]
    label: str


_SIGNS = {
    "number": "( )",
    "text": "[ ]",
    "boolean": "< >",
    "menu": "( v)",
    "field": "[ v]",
    "colour": "[# ]",
}


@functools.cache
def _table() -> dict[str, tuple[_Entry, ...]]:
    table: dict[str, tuple[_Entry, ...]] = {}

    def add(key: str, entry: _Entry) -> None:
        known = table.get(key, ())
        if entry.opcode not in (one.opcode for one in known):
            table[key] = (*known, entry)

    for row in opcodes().values():
        if row.shape in (MENU, PART) or row.name in _NOT_LOOKED_UP:
            continue
        mouths = tuple(hole.name for hole in row.holes if hole.kind == "mouth")
        for parts in row.labels:
            head = [part for part in parts if not (isinstance(part, Hole) and part.kind == "mouth")]
            holes = tuple(part for part in head if isinstance(part, Hole))
            label = " ".join(
                part
                if isinstance(part, str)
                else f"@{part.name}"
                if isinstance(part, Icon)
                else _sign(part)
                for part in head
            )
            add(_key(head), _Entry(row.name, holes, mouths, label))
    for words, opcode in _ALSO.items():
        pieces: list[object] = []
        for piece in words.split("_"):
            pieces += [piece, None]
        add(_key(pieces[:-1]), next(one for one in _entries(table) if one.opcode == opcode))
    return table


def _sign(part: str | Icon | Hole) -> str:
    match part:
        case str():
            return part
        case Icon(name):
            return f"@{name}"
        case Hole(kind):
            return _SIGNS[kind]


def _entries(table: Mapping[str, tuple[_Entry, ...]]) -> Iterator[_Entry]:
    return itertools.chain.from_iterable(table.values())


def _nearest(key: str, *, at_least: float = 0.5) -> str | None:
    """Return the label of the block whose words come nearest."""
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(key)
    best, label = at_least, None
    for other, entries in _table().items():
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() < best or matcher.quick_ratio() < best:
            continue
        if (ratio := matcher.ratio()) >= best and (ratio > best or label is None):
            best, label = ratio, entries[0].label
    return label


@functools.cache
def _menu_values() -> dict[tuple[str, str], dict[str, str]]:
    """Return the value of the file for each word of a menu, in any language."""
    return {
        key: {word.casefold(): value for value, words in reversed(menu.items()) for word in (value, *words)}
        | {word.casefold(): value for value, words in reversed(menu.items()) for word in words}
        for key, menu in MENU_WORDS.items()
    }


# -- rows become blocks --------------------------------------------------------------------------------


class _Reader:
    """Goes once through the rows."""

    def __init__(self, rows: list[_Row], open_end: bool) -> None:
        self.rows = rows
        self.open_end = open_end
        self.at = 0
        self.count = 0
        self.problems: list[Problem] = []
        self.comments: list[Comment] = []
        self.parameters: set[str] = set()
        self.procedures = {
            _key(row.parts)[len(_key([found[0]])) :]
            for row in rows
            if row.parts and isinstance(row.parts[0], str) and (found := _DEFINE.match(row.parts[0]))
        }

    def problem(self, line: int, english: str, chinese: str) -> None:
        self.problems.append(Problem(line, english, chinese))

    def name(self) -> str:
        self.count += 1
        return f"block-{self.count}"

    def note(self, block: Block, notes: Sequence[str]) -> None:
        if text := " ".join(filter(None, notes)):
            self.comments.append(Comment(f"note-{block.id}", text, block.id))

    # -- scripts

    def scripts(self) -> tuple[Script, ...]:
        scripts = []
        while self.at < len(self.rows):
            self.parameters = set()
            if blocks := self.stack(inside=False):
                scripts.append(Script(blocks))
        return tuple(scripts)

    def stack(self, *, inside: bool) -> tuple[Block, ...]:
        """Read blocks one under another, up to what closes the mouth or ends the script."""
        blocks: list[Block] = []
        notes: list[str] = []
        while self.at < len(self.rows):
            row = self.rows[self.at]
            shape = opcodes()[blocks[-1].opcode].shape if blocks else ""
            if row.empty:
                self.at += 1
                if blocks and not inside:
                    break
            elif not row.parts and row.note and not row.closes:
                notes.append(row.note)
                self.at += 1
            elif row.closes or (row.words in (*_ELSE, *_END) and not row.marks):
                if inside:
                    break
                self.at += 1
                self.problem(
                    row.line,
                    f"{row.words or '}'!r} closes nothing: no C-shaped block is open here",
                    f"“{row.words or '}'}”多余：这里没有需要结束的 C 形积木",
                )
            elif not inside and (shape in (REPORTER, BOOLEAN) or (blocks and self.starts(row))):
                break
            else:
                if _ends(blocks[-1:]):
                    self.problem(
                        row.line,
                        "nothing can stand below the block above; an empty line begins another script",
                        "上面那块积木下方不能再接积木；如果是另一段脚本，请空一行",
                    )
                self.at += 1
                block = self.row(row, notes)
                notes = []
                shape = opcodes()[block.opcode].shape
                if shape in (REPORTER, BOOLEAN, HAT) and (blocks or inside):
                    self.problem(
                        row.line,
                        "this block cannot stand below or inside another one",
                        "这块积木不能接在别的积木下面，也不能放在别的积木里面",
                    )
                    continue
                blocks.append(block)
        if notes and blocks:
            self.note(blocks[-1], notes)
        return tuple(blocks)

    def starts(self, row: _Row) -> bool:
        """Tell whether a row begins a script of its own."""
        entry = self.entry(row)
        loose = len(row.parts) == 1 and row.holes and row.holes[0].row is not None
        return bool(loose) or _defines(row) or (entry is not None and opcodes()[entry.opcode].shape == HAT)

    def row(self, row: _Row, notes: Sequence[str]) -> Block:
        """Read the block of a line, with the lines inside its mouths."""
        if len(row.parts) == 1 and row.holes and (inner := row.holes[0].row) is not None:
            block = self.inner(inner, row.holes[0].bracket)
            self.note(block, (*notes, row.note))
            return block
        entry = self.entry(row)
        block = self.block(row, entry, "")
        mouths = entry.mouths if entry else ()
        if not mouths and row.opens:
            self.problem(row.line, "this block has no room for others", "这块积木里面不能放别的积木")
        gathered = [*notes, row.note]
        inputs = list(block.inputs)
        opcode = block.opcode
        for mouth in mouths:
            inputs.append(Input(mouth, self.stack(inside=True)))
            if (closing := self.closing(row, gathered)) is None or opcode != "control_if":
                continue
            if closing.words in _ELSE:
                opcode = "control_if_else"
                inputs.append(Input("SUBSTACK2", self.stack(inside=True)))
                closing = self.closing(row, gathered)
            if closing is not None and closing.words in _ELSE:
                self.problem(closing.line, "there is an else already", "这里已经有一个“否则”了")
        block = replace(block, opcode=opcode, inputs=tuple(inputs))
        self.note(block, gathered)
        return block

    def closing(self, opened: _Row, notes: list[str]) -> _Row | None:
        """Take the line that closes a mouth."""
        if self.at >= len(self.rows):
            if not self.open_end:
                self.problem(opened.line, 'this block has no "end"', "这块积木缺少“结束”")
            return None
        row = self.rows[self.at]
        self.at += 1
        notes.append(row.note)
        return row

    # -- a block

    def entry(self, row: _Row) -> _Entry | None:
        """Look a row up; where two blocks have the same words, its holes tell which it is."""
        if "custom" in row.marks or _defines(row):
            return None
        key = _key(row.parts)
        found = _table().get(key, ())
        holes = row.holes
        # "[abs v] of ()" differs from "[x v] of (Cat v)" in its words only, and its Chinese has no others:
        # with an unknown word it is another block, or none.
        chosen = tuple(one for one in found if _is_chosen(one, holes))
        if chosen or not any(map(str.isalnum, key)):
            found = chosen
        return max(
            found, key=lambda one: sum(map(_fit, itertools.repeat(one), one.holes, holes)), default=None
        )

    def inner(self, row: _Row, bracket: str) -> Block:
        """Read the block in a pair of brackets."""
        condition = bracket == "<"
        words = row.words
        if words is not None:
            for mark, opcode, name in (
                ("variables", "data_variable", "VARIABLE"),
                ("list", "data_listcontents", "LIST"),
                ("custom-arg", "argument_reporter_string_number", "VALUE"),
            ):
                if mark in row.marks:
                    argument = mark == "custom-arg" and condition
                    return self.reader(
                        "argument_reporter_boolean" if argument else opcode, name, words, row.marks
                    )
            if words in self.parameters:
                opcode = "argument_reporter_boolean" if condition else "argument_reporter_string_number"
                return self.reader(opcode, "VALUE", words, row.marks)
        entry = self.entry(row)
        if entry is None and words is not None and not condition:
            label = _nearest(_key(row.parts), at_least=0.8)
            if label is None:
                return self.reader("data_variable", "VARIABLE", words, row.marks)
            self.problem(
                row.line,
                f"({words}) is nearly the block ({label}); for a variable write ({words} :: variables)",
                f"({words}) 与积木 ({label}) 很接近；如果是变量，请写成 ({words} :: variables)",
            )
            return self.reader("data_variable", "VARIABLE", words, row.marks)
        if entry is None:
            self.unknown(row)
        elif opcodes()[entry.opcode].shape == BOOLEAN or (
            opcodes()[entry.opcode].shape == REPORTER and not condition
        ):
            return self.block(row, entry, bracket)
        else:
            self.problem(
                row.line,
                f"{_written(row)!r} does not fit into {bracket}{_BRACKETS[bracket]}",
                f"“{_written(row)}”放不进 {bracket}{_BRACKETS[bracket]}",
            )
        opcode = "argument_reporter_boolean" if condition else "argument_reporter_string_number"
        return self.reader(opcode, "VALUE", _written(row), row.marks)

    def reader(self, opcode: str, name: str, value: str, marks: tuple[str, ...]) -> Block:
        return Block(opcode, self.name(), fields=(Field(name, value, value),))

    def block(self, row: _Row, entry: _Entry | None, bracket: str) -> Block:
        if _defines(row):
            return self.definition(row)
        if entry is None:
            if "custom" not in row.marks and _key(row.parts) not in self.procedures:
                self.unknown(row)
            return self.call(row)
        inputs: list[Input] = []
        fields: list[Field] = []
        for hole, given in zip(entry.holes, row.holes, strict=True):
            if hole.kind == "field":
                fields.append(self.field(entry.opcode, hole, given, row))
            else:
                inputs.append(self.input(entry.opcode, hole, given, row))
        return Block(entry.opcode, self.name(), tuple(inputs), tuple(fields))

    def field(self, opcode: str, hole: Hole, given: _Hole, row: _Row) -> Field:
        if given.row is not None:
            self.problem(
                row.line,
                "here stands a menu, which takes no block: write [name v]",
                "这里是菜单，不能放积木：请写成 [名字 v]",
            )
        text = given.text if given.row is None else _written(given.row)
        known = _menu_values().get((opcode, hole.name))
        value = known.get(text.casefold(), text) if known else text
        if known and value == text and text not in MENU_WORDS[opcode, hole.name]:
            self.unknown_choice(opcode, hole.name, text, row)
        return Field(hole.name, value, None if known else value)

    def unknown_choice(self, opcode: str, name: str, text: str, row: _Row) -> None:
        if (opcode, name) in _OPEN_MENUS or opcode == "event_whenkeypressed":
            return
        words = [word for pair in MENU_WORDS[opcode, name].values() for word in pair]
        near = (difflib.get_close_matches(text, words, 1, 0) or words)[0]
        self.problem(
            row.line,
            f"the menu has no {text!r}; the nearest is {near!r}",
            f"菜单里没有“{text}”，最接近的是“{near}”",
        )

    def input(self, opcode: str, hole: Hole, given: _Hole, row: _Row) -> Input:
        if given.row is not None:
            block = self.inner(given.row, given.bracket)
            if hole.kind == "boolean" and opcodes()[block.opcode].shape != BOOLEAN:
                self.problem(
                    row.line,
                    f"{_written(given.row)!r} is no condition: it does not fit into <>",
                    f"“{_written(given.row)}”不是条件，放不进 <>",
                )
            return Input(hole.name, (block,))
        if hole.kind == "boolean":
            if given.bracket != "<":
                self.problem(row.line, "a condition stands in <>", "条件要写在 <> 里")
            return Input(hole.name)
        if hole.kind == "menu":
            return Input(hole.name, (), self.choice(opcode, hole, given.text))
        text = given.text
        if given.menu:
            index = [
                value for value, words in INDEX_WORDS.items() if text in words and "list" in opcode
            ] or [text]
            text = index[0]
        return Input(hole.name, (), Literal({"number": 4, "colour": 9}.get(hole.kind, 10), text))

    def choice(self, opcode: str, hole: Hole, text: str) -> Block | Literal:
        """Return what stands in the hole of a menu: a block of its own, or the name of a message."""
        menu = MENU_BLOCKS.get((opcode, hole.name))
        if menu is None:
            return Literal(11, text, text)
        name = opcodes()[menu].holes[0].name
        value = _menu_values().get((menu, name), {}).get(text.casefold(), text)
        return Block(menu, self.name(), fields=(Field(name, value),), shadow=True)

    def unknown(self, row: _Row) -> None:
        written = _written(row)
        label = _nearest(_key(row.parts))
        nearest = (f"; the nearest is: {label}", f"，最接近的是：{label}") if label else ("", "")
        self.problem(
            row.line,
            f"{written!r} is no block of Scratch{nearest[0]}",
            f"Scratch 里没有积木“{written}”{nearest[1]}",
        )

    # -- custom blocks

    def definition(self, row: _Row) -> Block:
        first = str(row.parts[0])
        found = _DEFINE.match(first)
        assert found is not None
        code, names = [], []
        for part in [first[found.end() :], *row.parts[1:]]:
            if isinstance(part, _Hole):
                names.append(part.text if part.row is None else _written(part.row))
                code.append("%b" if part.bracket == "<" else "%s")
            elif words := _written_part(part):
                code.append(words.replace("%", "\\%"))
        self.parameters = set(names)
        identifiers = tuple(f"argument-{number}" for number in range(1, len(names) + 1))
        procedure = Procedure(" ".join(code), identifiers, tuple(names), tuple("" for _ in names))
        prototype = Block("procedures_prototype", self.name(), procedure=procedure, shadow=True)
        return Block("procedures_definition", self.name(), (Input("custom_block", (), prototype),))

    def call(self, row: _Row) -> Block:
        code: list[str] = []
        inputs: list[Input] = []
        for part in row.parts:
            if not isinstance(part, _Hole):
                code.append(_written_part(part).replace("%", "\\%"))
                continue
            name = f"argument-{len(inputs) + 1}"
            if part.row is not None:
                inputs.append(Input(name, (self.inner(part.row, part.bracket),)))
            elif part.bracket == "<":
                inputs.append(Input(name))
            else:
                inputs.append(Input(name, (), Literal(4 if part.bracket == "(" else 10, part.text)))
            code.append({"<": "%b", "(": "%s" if part.menu or part.row else "%n"}.get(part.bracket, "%s"))
        identifiers = tuple(one.name for one in inputs)
        procedure = Procedure(" ".join(code), identifiers)
        return Block("procedures_call", self.name(), tuple(inputs), procedure=procedure)


def _ends(last: Sequence[Block]) -> bool:
    """Tell whether nothing can be put below a block."""
    for block in last:
        if block.opcode == "control_stop":
            choice = block.field("STOP_OPTION")
            return choice is None or not str(choice.value).startswith("other")
        return opcodes()[block.opcode].shape == CAP
    return False


def _defines(row: _Row) -> bool:
    return bool(row.parts) and isinstance(row.parts[0], str) and bool(_DEFINE.match(row.parts[0]))


def _is_chosen(entry: _Entry, holes: Sequence[_Hole]) -> bool:
    """Tell whether every menu of a block that has fixed words is given one of them."""
    menus = (
        (_menu_values().get((entry.opcode, hole.name)), hole, given)
        for hole, given in zip(entry.holes, holes, strict=True)
    )
    return all(
        given.text.casefold() in known
        for known, hole, given in menus
        if known and hole.kind == "field" and (entry.opcode, hole.name) not in _OPEN_MENUS
    )


def _fit(entry: _Entry, hole: Hole, given: _Hole) -> int:
    """Tell how well what is written fits into a hole."""
    filled = given.row is not None
    match hole.kind:
        case "field" if given.menu:
            known = _menu_values().get((entry.opcode, hole.name))
            if known and given.text.casefold() in known:
                return 4
            return -2 if known and (entry.opcode, hole.name) not in _OPEN_MENUS else 2
        case "field":
            return -5 if filled else 0
        case "menu":
            return 3 if given.menu else 1 if filled else 0
        case "number":
            return 1 if filled else -2 if given.menu else 2 if given.bracket == "(" else 0
        case "text":
            return 1 if filled else -2 if given.menu else 2 if given.bracket == "[" else 1
        case "colour":
            return 3 if given.colour else 1 if filled else -2
    return 2 if given.bracket == "<" else -5


def _written(row: _Row) -> str:
    return " ".join(map(_written_part, row.parts))


def _written_part(part: _Part) -> str:
    match part:
        case str():
            return part
        case Icon(name):
            return f"@{name}"
    inside = _written(part.row) if part.row else part.text + (" v" if part.menu else "")
    return f"{part.bracket}{inside}{_BRACKETS[part.bracket]}"


# -- the words that are the author's own ---------------------------------------------------------------


def own_words(project: Project) -> tuple[str, ...]:
    """Return the texts and names of a project that Scratch has no words for: what there is to translate.

    Parameters
    ----------
    project
        The project.

    Returns
    -------
    tuple of str
        In reading order, each once: what is typed, names, the labels of custom blocks with ``%s`` and
        ``%b`` for their parameters, and notes.
    """
    found: dict[str, None] = {}

    def keep(text: str) -> str:
        found[text] = None
        return text

    _reworded(project, keep)
    return tuple(found)


def with_own_words(project: Project, words: Mapping[str, str]) -> Project:
    """Return a project with other texts and names.

    Parameters
    ----------
    project
        The project.
    words
        The new text for each of :func:`own_words`; one that is missing stays as it is.

    Returns
    -------
    Project
        The project; names that were the same are the same again.
    """
    return _reworded(project, lambda text: words.get(text, text))


_Word = Callable[[str], str]
_MEANS_NOTHING = re.compile(r"[\W\d_]*")
"""Numbers and signs need no translation."""


def _reworded(project: Project, word: _Word) -> Project:
    def own(text: str) -> str:
        return text if _MEANS_NOTHING.fullmatch(text) else word(text)

    targets = tuple(
        replace(
            target,
            scripts=tuple(
                replace(script, blocks=tuple(_block(one, own) for one in script.blocks))
                for script in target.scripts
            ),
            comments=tuple(replace(one, text=own(one.text)) for one in target.comments),
        )
        for target in project.targets
    )
    return replace(project, targets=targets)


def _block(block: Block, own: _Word) -> Block:
    procedure = block.procedure
    if procedure is not None:
        procedure = replace(
            procedure,
            code=_code(procedure.code, own),
            argument_names=tuple(map(own, procedure.argument_names)),
        )
    return replace(
        block,
        procedure=procedure,
        fields=tuple(_field(block.opcode, one, own) for one in block.fields),
        inputs=tuple(
            replace(
                one,
                blocks=tuple(_block(inner, own) for inner in one.blocks),
                shadow=_shadow(block.opcode, one.shadow, own),
            )
            for one in block.inputs
        ),
    )


_PARAMETER = re.compile(r"(?<!\\)%[sbn]")


def _code(code: str, own: _Word) -> str:
    """Translate a label; a call may know that a number stands in it where the definition does not."""
    kinds = iter(_PARAMETER.findall(code))
    translated = own(_PARAMETER.sub(lambda found: found[0].replace("n", "s"), code))
    return _PARAMETER.sub(lambda found: next(kinds, found[0]), translated)


def _field(opcode: str, given: Field, own: _Word) -> Field:
    if str(given.value) in MENU_WORDS.get((opcode, given.name), {}) or opcode == "event_whenkeypressed":
        return given
    return replace(given, value=own(str(given.value)))


def _shadow(opcode: str, given: Literal | Block | None, own: _Word) -> Literal | Block | None:
    match given:
        case Block():
            return _block(given, own) if given.opcode != "sensing_keyoptions" else given
        case Literal(kind, value) if kind in (4, 10, 11):
            return (
                given
                if "list" in opcode and value in INDEX_WORDS
                else replace(given, value=own(str(value)))
            )
    return given
