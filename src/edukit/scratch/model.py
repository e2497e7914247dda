"""A Scratch project as plain frozen data.

The file format spreads a script over a dictionary of blocks that point at each other. Here a script is
what a child sees: blocks one under another, and in each block the inputs, which hold a typed value, a
menu, another block, or (the mouth of a C-shaped block) more blocks one under another.

What this package has no use for is not thrown away: each thing keeps it in ``extra``, as canonical JSON
text, which is immutable, comparable, and goes back into the file unchanged.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

Scalar = str | int | float | bool
"""A value of a variable or of an item of a list."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A value typed into an input.

    Parameters
    ----------
    kind
        Number of the primitive in the file: 4 to 8 numbers (number, positive, whole, integer, angle),
        9 a colour, 10 text, 11 a broadcast.
    value
        What was typed, as the file has it: Scratch writes numbers as text.
    id
        For a broadcast, the id of the message.
    """

    kind: int
    value: str | int | float
    id: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A choice made in a block: a menu entry, or a variable, list or message by name and id."""

    name: str
    value: str | int | float
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Input:
    """A hole of a block and what is in it.

    Parameters
    ----------
    name
        Name of the input, such as ``MESSAGE`` or ``SUBSTACK``.
    blocks
        What was dropped into it: nothing, one reporter, or the blocks of a mouth.
    shadow
        What stands there when nothing was dropped: a typed value, the block of a menu, or nothing.
    """

    name: str
    blocks: tuple["Block", ...] = ()
    shadow: "Literal | Block | None" = None


@dataclass(frozen=True, slots=True)
class Procedure:
    """The signature of a block that the author of the project made ("My Blocks").

    Parameters
    ----------
    code
        The label with ``%s`` (number or text) and ``%b`` (condition) for the parameters.
    argument_ids
        The names of the inputs of a call, in the order of the parameters.
    argument_names, argument_defaults
        Names and first values of the parameters; empty in a call.
    warp
        Whether it runs without screen refresh.
    """

    code: str
    argument_ids: tuple[str, ...]
    argument_names: tuple[str, ...] = ()
    argument_defaults: tuple[str, ...] = ()
    warp: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A block with everything inside it.

    Parameters
    ----------
    opcode
        What it is, such as ``looks_say``.
    id
        Its key in the file; comments and findings name it.
    inputs, fields
        In the order of the file.
    procedure
        For definitions and calls of custom blocks.
    shadow
        Whether it is part of another block and cannot be dragged away.
    extra
        All else that the file says of it, as canonical JSON text.
    """

    opcode: str
    id: str
    inputs: tuple[Input, ...] = ()
    fields: tuple[Field, ...] = ()
    procedure: Procedure | None = None
    shadow: bool = False
    extra: str = "{}"

    def input(self, name: str) -> Input | None:
        """Return the input of a name, or None."""
        return next((one for one in self.inputs if one.name == name), None)

    def field(self, name: str) -> Field | None:
        """Return the field of a name, or None."""
        return next((one for one in self.fields if one.name == name), None)


@dataclass(frozen=True, slots=True)
class Script:
    """Blocks one under another, and where they lie on the workspace."""

    blocks: tuple[Block, ...]
    x: float = 0
    y: float = 0


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable with the value it has when the project opens."""

    id: str
    name: str
    value: Scalar
    cloud: bool = False


@dataclass(frozen=True, slots=True)
class List:
    """A list with the items it has when the project opens."""

    id: str
    name: str
    items: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A message that blocks broadcast and receive."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A note that somebody stuck to a block, or laid on the workspace.

    Parameters
    ----------
    id
        Its key in the file; the block that it is stuck to has it in ``extra``.
    text
        What it says.
    block
        The id of the block, or None.
    extra
        All else, as canonical JSON text.
    """

    id: str
    text: str
    block: str | None = None
    extra: str = "{}"


@dataclass(frozen=True, slots=True)
class Asset:
    """A picture or a sound.

    Parameters
    ----------
    name
        What a child calls it.
    asset_id
        MD5 of its content, 32 hexadecimal digits.
    format
        ``svg``, ``png``, ``wav`` and so on; also the ending of its file.
    data
        Its content, or None where the project names it and the file lacks it.
    center
        For a costume, the point that stands on the sprite's position, in pixels of the picture.
    extra
        All else, as canonical JSON text.
    file
        Name of its entry in the zip where it is not made of the id and the format.
    """

    name: str
    asset_id: str
    format: str
    data: bytes | None
    center: tuple[float, float] | None = None
    extra: str = "{}"
    file: str = ""

    @property
    def file_name(self) -> str:
        """Name of its entry in the zip."""
        return self.file or f"{self.asset_id}.{self.format}"


@dataclass(frozen=True, slots=True)
class Target:
    """The stage or a sprite."""

    name: str
    is_stage: bool
    scripts: tuple[Script, ...]
    variables: tuple[Variable, ...]
    lists: tuple[List, ...]
    messages: tuple[Message, ...]
    costumes: tuple[Asset, ...]
    sounds: tuple[Asset, ...]
    current_costume: int = 0
    layer: int = 0
    x: float = 0
    y: float = 0
    size: float = 100
    direction: float = 90
    visible: bool = True
    rotation_style: str = "all around"
    comments: tuple[Comment, ...] = ()
    extra: str = "{}"


@dataclass(frozen=True, slots=True)
class Monitor:
    """The little display of a variable or a reporter on the stage.

    Parameters
    ----------
    id
        For a variable, the variable's id.
    opcode
        The block that it shows, such as ``data_variable``.
    params
        The block's fields, by name.
    target
        Name of the sprite it belongs to, or None.
    visible, x, y
        Whether and where it stands: pixels from the upper left corner of the stage.
    extra
        All else, as canonical JSON text.
    """

    id: str
    opcode: str
    params: tuple[tuple[str, str], ...]
    target: str | None
    visible: bool
    x: float
    y: float
    extra: str = "{}"


@dataclass(frozen=True, slots=True)
class Project:
    """A whole project: the stage first, then the sprites.

    Parameters
    ----------
    targets
        The stage and the sprites.
    monitors
        The displays on the stage.
    extensions
        The extensions that are switched on, such as ``pen``.
    extra
        All else, as canonical JSON text.
    kind
        ``project``, or ``sprite`` for a single sprite (``.sprite3``): its stage is an empty one, is no
        part of the file, and the variables of the project that it came from are not there.
    """

    targets: tuple[Target, ...]
    monitors: tuple[Monitor, ...] = ()
    extensions: tuple[str, ...] = ()
    extra: str = "{}"
    kind: str = "project"

    @property
    def stage(self) -> Target:
        """The stage."""
        return self.targets[0]


def canonical(value: object) -> str:
    """Return JSON text that is the same for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def empty_stage() -> Target:
    """Return the stage that a sprite stands on which was saved by itself."""
    picture = b'<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>'
    blank = Asset("1", hashlib.md5(picture, usedforsecurity=False).hexdigest(), "svg", picture, (1, 1))
    return Target("Stage", True, (), (), (), (), (blank,), ())


def walk(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Yield blocks and all that is in them, in reading order, menus included."""
    for block in blocks:
        yield block
        for hole in block.inputs:
            yield from walk(hole.blocks)
            if isinstance(hole.shadow, Block):
                yield from walk((hole.shadow,))
