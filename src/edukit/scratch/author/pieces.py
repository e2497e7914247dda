"""What scripts are made of: texts in two languages, blocks with their holes filled, and names."""

import math
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from ..opcodes import BOOLEAN, CAP, LANGUAGES, MENU_WORDS, REPORTER, STACK, Hole, opcodes

_HERE = str(Path(__file__).parent) + os.sep


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the program that describes the project."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{Path(self.file).name}:{self.line}"


def place() -> Place:
    """Return the line outside this package that is being run."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_HERE, "<string>")):
        frame = frame.f_back
    return Place(frame.f_code.co_filename, frame.f_lineno)


class AuthorError(ValueError):
    """The program describes a project that would not work in Scratch.

    Parameters
    ----------
    message
        What is wrong and what to write.
    at
        The line; by default the one that is being run.
    """

    def __init__(self, message: str, at: Place | None = None) -> None:
        self.place = at or place()
        self.message = message
        super().__init__(f"{self.place}: {message}")


@dataclass(frozen=True, slots=True)
class Words:
    """A text in both languages.

    Parameters
    ----------
    en
        The English text.
    zh_CN
        The Chinese text.
    """

    en: str
    zh_CN: str  # noqa: N815 (the code of the language, as everywhere)

    def text(self, language: str) -> str:
        """Return the text in a language."""
        return self.zh_CN if language == "zh_CN" else self.en


Text = Words | str
"""A plain ``str`` is the same in both languages: a sign, or a name that no child sees."""


def text_in(text: Text, language: str) -> str:
    """Return a text in a language."""
    return text.text(language) if isinstance(text, Words) else text


class Arithmetic:
    """Lets ``+ - * / < >`` make the blocks of the same signs.

    Equality is the function ``equals``, because ``==`` must go on to mean the same thing in Python.
    """

    __slots__ = ()

    def __add__(self, other: "Value") -> "Piece":
        return make("operator_add", NUM1=self, NUM2=other)

    def __radd__(self, other: "Value") -> "Piece":
        return make("operator_add", NUM1=other, NUM2=self)

    def __sub__(self, other: "Value") -> "Piece":
        return make("operator_subtract", NUM1=self, NUM2=other)

    def __rsub__(self, other: "Value") -> "Piece":
        return make("operator_subtract", NUM1=other, NUM2=self)

    def __mul__(self, other: "Value") -> "Piece":
        return make("operator_multiply", NUM1=self, NUM2=other)

    def __rmul__(self, other: "Value") -> "Piece":
        return make("operator_multiply", NUM1=other, NUM2=self)

    def __truediv__(self, other: "Value") -> "Piece":
        return make("operator_divide", NUM1=self, NUM2=other)

    def __rtruediv__(self, other: "Value") -> "Piece":
        return make("operator_divide", NUM1=other, NUM2=self)

    def __lt__(self, other: "Value") -> "Piece":
        return make("operator_lt", OPERAND1=self, OPERAND2=other)

    def __gt__(self, other: "Value") -> "Piece":
        return make("operator_gt", OPERAND1=self, OPERAND2=other)

    def __bool__(self) -> bool:
        raise AuthorError(
            "a block is neither true nor false while the program is written: use if_(condition, ...), "
            "both(a, b), either(a, b) or not_(a)"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Piece(Arithmetic):
    """A block with its holes filled; the functions of this package make them.

    Parameters
    ----------
    opcode
        What it is.
    holes
        What is in it, by the names of the holes.
    place
        The line that wrote it.
    block
        For a call, the custom block.
    """

    opcode: str
    holes: tuple[tuple[str, object], ...]
    place: Place
    block: "CustomBlock | None" = None

    @property
    def shape(self) -> str:
        """The shape, as in the table of blocks."""
        return opcodes()[self.opcode].shape


@dataclass(frozen=True, slots=True, eq=False)
class Variable(Arithmetic):
    """A variable, made by ``project.variable(...)`` or ``sprite.variable(...)``."""

    name: Text
    value: str | int | float
    owner: object
    id: str
    show_at: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class List:
    """A list, made by ``project.list(...)`` or ``sprite.list(...)``."""

    name: Text
    items: tuple["Text | int | float", ...]
    owner: object
    id: str
    show_at: tuple[float, float] | None = None

    def __iter__(self) -> NoReturn:
        raise AuthorError(
            "a list has no items yet while the program is written: use repeat(...) and item(list, number)"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """A message that is broadcast and received, made by ``project.message(...)``."""

    name: Text
    id: str


Value = Piece | Variable | List | Words | str | int | float


@dataclass(slots=True, eq=False)
class CustomBlock:
    """A block of one's own, made by ``sprite.block(...)``.

    Call it to use the block, ask it for ``["parameter"]`` inside its definition.
    """

    label: Words
    owner: object
    number: int
    place: Place
    warp: bool = False
    definition: tuple[Piece, ...] | None = field(default=None)

    def __post_init__(self) -> None:
        if not self.label.en.strip() or not self.label.zh_CN.strip():
            raise AuthorError("a block needs a label in both languages")
        for language in LANGUAGES:
            names = [name for _, name in self.parameters(language)]
            if len(set(names)) < len(names):
                raise AuthorError(f"the block {self.label.text(language)!r} names two parameters the same")
        kinds = {language: [kind for kind, _ in self.parameters(language)] for language in LANGUAGES}
        if kinds["en"] != kinds["zh_CN"]:
            raise AuthorError(
                f"the block {self.label.en!r} has other parameters in Chinese: "
                f"write as many [texts] and <conditions>, in the same order"
            )

    def parameters(self, language: str) -> list[tuple[str, str]]:
        """Return kind (text or boolean) and name of the parameters in a language."""
        found = re.findall(r"\[([^\[\]<>]+)\]|<([^\[\]<>]+)>", self.label.text(language))
        return [("text", text) if text else ("boolean", condition) for text, condition in found]

    def code(self, language: str) -> str:
        """Return the label as the file has it, with ``%s`` and ``%b`` for the parameters."""
        escaped = self.label.text(language).replace("%", "\\%")
        pieces = re.split(r"(\[[^\[\]<>]+\]|<[^\[\]<>]+>)", escaped)
        signs = ["%s" if one[:1] == "[" else "%b" if one[:1] == "<" else one for one in pieces]
        return " ".join(one.strip() for one in signs if one.strip())

    def define(self, *pieces: Piece) -> None:
        """Say what the block does."""
        if self.definition is not None:
            raise AuthorError(f"the block {self.label.en!r} is defined twice")
        self.definition = stack(pieces)

    def __getitem__(self, name: str) -> Piece:
        for index, (kind, english) in enumerate(self.parameters("en")):
            if english == name:
                chinese = self.parameters("zh_CN")[index][1]
                opcode = "argument_reporter_string_number"
                if kind == "boolean":
                    opcode = "argument_reporter_boolean"
                return Piece(opcode, (("VALUE", Words(english, chinese)),), place(), self)
        raise AuthorError(f"the block {self.label.en!r} has no parameter {name!r}")

    def __call__(self, *values: Value) -> Piece:
        """Use the block, with a value for each parameter."""
        parameters = self.parameters("en")
        if len(values) != len(parameters):
            raise AuthorError(
                f"the block {self.label.en!r} takes {len(parameters)} values, not {len(values)}"
            )
        holes = tuple(
            (f"argument-{index}", fit(Hole(kind, name), value))
            for index, ((kind, name), value) in enumerate(zip(parameters, values, strict=True))
        )
        return Piece("procedures_call", holes, place(), self)


_LIST_INDEX = ("data_deleteoflist", "data_itemoflist", "data_insertatlist", "data_replaceitemoflist")


def make(opcode: str, **holes: object) -> Piece:
    """Make a block after checking that what is put into each hole has its shape."""
    row = opcodes()[opcode]
    kinds = {hole.name: hole for hole in row.holes}
    assert set(holes) == set(kinds), f"{opcode} has the holes {sorted(kinds)}"
    # In the order of the label, so that files are the same however a function writes its call.
    filled = tuple((name, fit(hole, holes[name], opcode)) for name, hole in kinds.items())
    return Piece(opcode, filled, place())


def fit(hole: Hole, value: object, opcode: str = "") -> object:
    """Return what goes into a hole, or raise if its shape does not fit."""
    if isinstance(value, bool):
        raise AuthorError(f"{value} is no block: a condition is made by equals(...), not_(...), a < b")
    if isinstance(value, Piece) and value.shape not in (REPORTER, BOOLEAN):
        raise AuthorError(f"{value.opcode} does something and has no value to put into {hole.name}")
    match hole.kind:
        case "mouth":
            return stack(value if isinstance(value, tuple | list) else (value,))
        case "boolean":
            if not (isinstance(value, Piece) and value.shape == BOOLEAN):
                raise AuthorError(
                    f"{hole.name} of {opcode or 'the block'} takes a condition, such as equals(a, b)"
                )
        case "number":
            if opcode in _LIST_INDEX and value in ("last", "random", "all") and hole.name == "INDEX":
                return value
            if not isinstance(value, Piece | Variable | int | float):
                raise AuthorError(f"{hole.name} of {opcode} takes a number, not {value!r}")
            if isinstance(value, int | float) and not math.isfinite(value):
                raise AuthorError(f"{hole.name} of {opcode} takes a number that ends, not {value!r}")
        case "colour":
            known = isinstance(value, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", value)
            if not known and not isinstance(value, Piece | Variable):
                raise AuthorError(f"{hole.name} of {opcode} takes a colour like '#3366cc', not {value!r}")
        case "text":
            if not isinstance(value, Piece | Variable | List | Words | str | int | float):
                raise AuthorError(f"{hole.name} takes a text or a number, not {value!r}")
        case "field":
            words = MENU_WORDS.get((opcode, hole.name))
            if words and value not in words:
                raise AuthorError(f"{value!r} is none of {', '.join(words)}")
            kinds: dict[str, type] = {"VARIABLE": Variable, "LIST": List, "BROADCAST_OPTION": Message}
            wanted = kinds.get(hole.name)
            if wanted and not isinstance(value, wanted):
                raise AuthorError(
                    f"{hole.name} of {opcode} takes what project.{wanted.__name__.lower()}(...) "
                    f"returned, not {value!r}"
                )
    return value


def stack(pieces: object) -> tuple[Piece, ...]:
    """Return blocks that stand under one another, or raise if they cannot."""
    result: list[Piece] = []
    for piece in pieces if isinstance(pieces, tuple | list) else (pieces,):
        if not isinstance(piece, Piece):
            raise AuthorError(f"{piece!r} is no block")
        if piece.shape not in (STACK, CAP):
            raise AuthorError(f"{piece.opcode} is a value: it goes into a hole, not under a block")
        if result and _ends(result[-1]):
            raise AuthorError(f"nothing fits under {result[-1].opcode}", piece.place)
        result.append(piece)
    return tuple(result)


def _ends(piece: Piece) -> bool:
    others = ("STOP_OPTION", "other scripts in sprite")
    return piece.shape == CAP and others not in piece.holes
