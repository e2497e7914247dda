"""Blocks as they read in a language: the tree that block text and block pictures are both made from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from .model import Block, Input, Literal, Project, Script, Target
from .opcodes import HAT, INDEX_WORDS, LANGUAGES, MENU, STACK, Hole, Icon, menu_word, opcodes


@dataclass(frozen=True, slots=True)
class Slot:
    """A hole with nothing dropped into it.

    ``kind`` is that of the hole (number, text, boolean, menu, field, colour); ``text`` is what is typed
    or chosen there, in the reader's language where it is a word of Scratch.
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Mouth:
    """The inside of a C-shaped block; may be empty."""

    phrases: tuple["Phrase", ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A block as it reads.

    Parameters
    ----------
    opcode, category, shape
        As in the table of blocks.
    parts
        Words, icons, empty or filled holes, other blocks and mouths, in the order of the language.
    comment
        The note that is stuck to it.
    """

    opcode: str
    category: str
    shape: str
    parts: tuple["str | Icon | Slot | Mouth | Phrase", ...]
    comment: str = ""

    @property
    def comments(self) -> tuple[str, ...]:
        """The notes of the block and of all that stands in its row, mouths left out."""
        inner = [note for part in self.parts if isinstance(part, Phrase) for note in part.comments]
        return (self.comment, *inner) if self.comment else tuple(inner)


@dataclass(frozen=True, slots=True)
class Telling:
    """A script as it reads: of which target (named as in the project), and its number there, from 1."""

    target: Target
    index: int
    script: Script
    phrases: tuple[Phrase, ...]


def tell(project: Project, language: str) -> tuple[Telling, ...]:
    """Put all scripts of a project into the words of a language.

    Parameters
    ----------
    project
        The project.
    language
        ``en`` or ``zh_CN``.
    """
    if language not in LANGUAGES:
        raise ValueError(f"blocks have words in {' and '.join(LANGUAGES)}, not in {language!r}")
    return tuple(
        Telling(target, index, script, tuple(phrase(block, notes, language) for block in script.blocks))
        for target in project.targets
        for notes in [{one.block: one.text for one in target.comments if one.block}]
        for index, script in enumerate(target.scripts, start=1)
    )


Notes = Mapping[str, str]
"""What is written on the notes that are stuck to blocks, by the block's id."""


def phrase(block: Block, notes: Notes, language: str) -> Phrase:
    """Put a block, with all that is in it, into the words of a language."""
    worded = _phrase(block, notes, language)
    return replace(worded, comment=notes[block.id]) if block.id in notes else worded


def _phrase(block: Block, notes: Notes, language: str) -> Phrase:
    if block.opcode == "procedures_definition":
        return _definition(block, notes, language)
    if block.opcode == "procedures_call":
        return _call(block, notes, language)
    row = opcodes()[block.opcode]
    if (
        row.shape == MENU
        or block.opcode in ("data_variable", "data_listcontents")
        or (block.opcode.startswith("argument_reporter"))
    ):
        hole = row.holes[0]
        return Phrase(block.opcode, row.category, row.shape, (_choice(block, hole.name, language),))
    parts = tuple(
        _fill(block, part, notes, language) if isinstance(part, Hole) else part
        for part in row.label(language)
    )
    return Phrase(block.opcode, row.category, _shape(block, row.shape), parts)


def _shape(block: Block, shape: str) -> str:
    """Let the one block whose shape depends on its menu have it."""
    if block.opcode == "control_stop":
        choice = block.field("STOP_OPTION")
        if choice is not None and str(choice.value).startswith("other scripts"):
            return STACK
    return shape


def _choice(block: Block, name: str, language: str) -> str:
    field = block.field(name)
    return menu_word(block.opcode, name, str(field.value), language) if field else ""


def _fill(block: Block, hole: Hole, notes: Notes, language: str) -> Slot | Mouth | Phrase:
    if hole.kind == "field":
        return Slot("field", _choice(block, hole.name, language))
    content = block.input(hole.name)
    if hole.kind == "mouth":
        inside = content.blocks if content else ()
        return Mouth(tuple(phrase(one, notes, language) for one in inside))
    return _content(content, hole.kind, notes, language, index="list" in block.opcode)


def _content(
    content: Input | None, kind: str, notes: Notes, language: str, *, index: bool = False
) -> Slot | Phrase:
    if content is not None and content.blocks:
        return phrase(content.blocks[0], notes, language)
    shadow = content.shadow if content else None
    if isinstance(shadow, Block):
        inner = phrase(shadow, notes, language)
        if shadow.opcode == "note":
            return Slot("number", str(inner.parts[0]))
        if inner.shape == MENU:
            return Slot("menu", str(inner.parts[0]))
        return inner
    text = "" if shadow is None else _typed(shadow)
    if index and kind == "number" and text in INDEX_WORDS:
        return Slot("menu", INDEX_WORDS[text][LANGUAGES.index(language)])
    return Slot(kind, text)


def _typed(literal: Literal) -> str:
    value = literal.value
    # JSON's 10.0 is what a child sees as 10.
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


_PARAMETER = re.compile(r"(?<!\\)(%[sbn])(?=\s|$|%)")


def _words(text: str) -> str:
    """Undo Scratch's own escape in the label of a custom block."""
    return text.replace("\\%", "%").strip()


def _definition(block: Block, notes: Notes, language: str) -> Phrase:
    hole = block.input("custom_block")
    assert hole is not None
    prototype = hole.shadow if isinstance(hole.shadow, Block) else hole.blocks[0]
    procedure = prototype.procedure
    assert procedure is not None
    names = iter(procedure.argument_names)
    parts: list[str | Icon | Slot | Mouth | Phrase] = [*_strings("procedures_definition", language)]
    for piece in _PARAMETER.split(procedure.code):
        if _PARAMETER.fullmatch(piece):
            opcode = "argument_reporter_string_number"
            if piece == "%b":
                opcode = "argument_reporter_boolean"
            parts.append(Phrase(opcode, "custom", opcodes()[opcode].shape, (next(names, ""),)))
        elif words := _words(piece):
            parts.append(words)
    return Phrase(block.opcode, "custom", HAT, tuple(parts))


def _strings(opcode: str, language: str) -> list[str]:
    return [part for part in opcodes()[opcode].label(language) if isinstance(part, str)]


def _call(block: Block, notes: Notes, language: str) -> Phrase:
    procedure = block.procedure
    assert procedure is not None
    identifiers = iter(procedure.argument_ids)
    parts: list[str | Icon | Slot | Mouth | Phrase] = []
    for piece in _PARAMETER.split(procedure.code):
        if _PARAMETER.fullmatch(piece):
            kind = {"%b": "boolean", "%n": "number", "%s": "text"}[piece]
            parts.append(_content(block.input(next(identifiers, "")), kind, notes, language))
        elif words := _words(piece):
            parts.append(words)
    return Phrase(block.opcode, "custom", STACK, tuple(parts))
