"""From the dictionary of blocks in the file to scripts: each block is followed once, from the top.

In the file a block names the one under it, the ones inside it and the one it hangs on. Scratch believes
all three; where they disagree it runs in circles. So a block is taken once, by the one it hangs on.
"""

import dataclasses
import json
import re
from collections.abc import Mapping

from .findings import Report
from .model import Block, Field, Input, Literal, Procedure, Script, canonical
from .opcodes import PART, opcodes
from .package import Limits, strict_json

Json = Mapping[str, object]

_SHORT = {12: ("data_variable", "VARIABLE"), 13: ("data_listcontents", "LIST")}
"""Two reporters are written in a short form: ``[12, name, id]``."""

_NAMED = {
    "VARIABLE": ("variables", "unknown-variable"),
    "LIST": ("lists", "unknown-list"),
    "BROADCAST_OPTION": ("broadcasts", "unknown-message"),
}
"""Fields that name something of the project by its id: where it is kept, what is said if it is not."""

_BLOCK_KEYS = frozenset(("opcode", "inputs", "fields", "next", "parent", "topLevel", "shadow", "x", "y"))


class Assembler:
    """Puts the scripts of one target after another together."""

    def __init__(self, limits: Limits, report: Report, *, whole: bool = True) -> None:
        self.limits = limits
        self.whole = whole
        self.report = report
        self.seen = 0
        self.raw: Json = {}
        self.used: set[str] = set()
        self.ids: dict[str, set[str]] = {}

    def scripts(self, raw: Json, target: Json, stage: Json) -> tuple[Script, ...]:
        """Return the scripts of a target.

        Parameters
        ----------
        raw
            Its blocks.
        target, stage
            The target and the stage, whose variables, lists and messages its blocks may name.
        """
        self.seen += len(raw)
        if self.seen > self.limits.blocks:
            raise self.report.refusal("too-much", what="blocks", limit=self.limits.blocks)
        self.raw, self.used = raw, set()
        self.ids = {kind: _keys(target, kind) | _keys(stage, kind) for kind, _ in _NAMED.values()}
        scripts: list[Script] = []
        for key, value in raw.items():
            self.report.script = len(scripts) + 1
            if isinstance(value, list):
                scripts.append(self._loose(key, value))
            elif not isinstance(value, dict):
                raise self.report.damage("a block", key)
            elif value.get("topLevel") is True:
                x, y = self._place(key, value, "x"), self._place(key, value, "y")
                scripts.append(Script(self._stack(key, None, 0), x, y))
        self.report.script = None
        for key, value in raw.items():
            if key not in self.used:
                if isinstance(value, dict) and value.get("parent") is not None:
                    raise self.report.refusal("wrong-parent", key)
                if isinstance(value, dict) and not isinstance(value.get("opcode"), str):
                    raise self.report.damage("a block", key)
                self.report.note("lost-block", key)
        return tuple(scripts)

    def _place(self, key: str, raw: Json, axis: str) -> float:
        value = raw.get(axis, 0)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.report.damage(f'"{axis}"', key)
        return value

    def _stack(self, key: str, parent: str | None, depth: int) -> tuple[Block, ...]:
        """Return a block and those under it."""
        if depth > self.limits.depth:
            raise self.report.refusal("too-much", key, what="depth", limit=self.limits.depth)
        blocks: list[Block] = []
        following: str | None = key
        while following is not None:
            raw = self._take(following, parent)
            blocks.append(self._block(following, raw, depth))
            parent, following = following, self._following(following, raw)
        return tuple(blocks)

    def _take(self, key: str, parent: str | None) -> Json:
        """Return a block of the file, if this is the first time and it hangs on ``parent``."""
        value = self.raw[key]
        if key in self.used:
            raise self.report.refusal("cycle", key)
        if not isinstance(value, dict):
            raise self.report.damage("a block", key)
        if value.get("parent") != parent:
            raise self.report.refusal("wrong-parent", key)
        self.used.add(key)
        return value

    def _following(self, key: str, raw: Json) -> str | None:
        following = raw.get("next")
        if following is not None and not isinstance(following, str):
            raise self.report.damage('"next"', key)
        if following is not None and following not in self.raw:
            self.report.note("dangling-next", key)
            return None
        return following

    def _block(self, key: str, raw: Json, depth: int) -> Block:
        opcode, shadow = raw.get("opcode"), raw.get("shadow", False)
        inputs, fields = raw.get("inputs", {}), raw.get("fields", {})
        if not (
            isinstance(opcode, str)
            and isinstance(shadow, bool)
            and isinstance(inputs, dict)
            and isinstance(fields, dict)
        ):
            raise self.report.damage("a block", key)
        if opcode not in opcodes():
            raise self.report.unknown_opcode(opcode, key)
        if not isinstance(raw.get("comment", ""), str):
            raise self.report.damage('"comment"', key)
        if not isinstance(raw.get("topLevel", False), bool):
            raise self.report.damage('"topLevel"', key)
        mutation = raw.get("mutation", {})
        if not isinstance(mutation, dict) or mutation.get("tagName", "mutation") != "mutation":
            raise self.report.damage('"mutation"', key)
        procedure = None
        if opcode in ("procedures_call", "procedures_prototype"):
            procedure, rest = self._procedure(key, raw)
            raw = {**{name: raw[name] for name in raw if name != "mutation"}, **rest}
        block = Block(
            opcode=opcode,
            id=key,
            inputs=tuple(self._input(key, name, one, depth) for name, one in inputs.items()),
            fields=tuple(self._field(key, name, one) for name, one in fields.items()),
            procedure=procedure,
            shadow=shadow,
            extra=canonical({name: raw[name] for name in raw if name not in _BLOCK_KEYS}),
        )
        self._fit(block)
        return block

    def _fit(self, block: Block) -> None:
        """Refuse a block that lacks what every reader of it relies on."""
        for opcode, name in _SHORT.values():
            field = block.field(name)
            if block.opcode == opcode and (field is None or field.id is None):
                raise self.report.damage(f'"{name}"', block.id)
        if block.opcode == "procedures_definition":
            hole = block.input("custom_block")
            prototype = hole.shadow or (hole.blocks and hole.blocks[0]) if hole else None
            if not isinstance(prototype, Block) or opcodes()[prototype.opcode].shape != PART:
                raise self.report.damage('"custom_block"', block.id)

    def _procedure(self, key: str, raw: Json) -> tuple[Procedure, Json]:
        """Return the signature, and what else the mutation says.

        Scratch packs lists into strings of JSON there, and writes truth values as strings.
        """
        mutation = raw.get("mutation")
        if not isinstance(mutation, dict):
            raise self.report.damage('"mutation"', key)
        rest = dict(mutation)

        def names(field: str) -> tuple[str, ...]:
            value = rest.pop(field, "[]")
            try:
                unpacked = strict_json(value) if isinstance(value, str) else None
            except (ValueError, RecursionError):
                unpacked = None
            if not isinstance(unpacked, list):
                raise self.report.damage(f'"{field}"', key)
            # The default of a condition may be a truth value instead of its name.
            return tuple(one if isinstance(one, str) else json.dumps(one) for one in unpacked)

        code = rest.pop("proccode", None)
        if not isinstance(code, str):
            raise self.report.damage('"proccode"', key)
        warp = rest.pop("warp", "false")
        if not (warp is None or isinstance(warp, bool) or warp in ("true", "false", "null")):
            raise self.report.damage('"warp"', key)
        procedure = Procedure(
            code=code,
            argument_ids=names("argumentids"),
            argument_names=names("argumentnames"),
            argument_defaults=names("argumentdefaults"),
            warp=warp is True or warp == "true",
        )
        rest.pop("tagName", None)
        children = rest.get("children", [])
        if not isinstance(children, list):
            raise self.report.damage('"mutation"', key)
        if not children:
            rest.pop("children", None)
        return procedure, {"mutation": rest} if rest else {}

    def _input(self, key: str, name: str, raw: object, depth: int) -> Input:
        top: tuple[Block, ...] | Literal = ()
        under: tuple[Block, ...] | Literal = ()
        if isinstance(raw, list) and raw and isinstance(raw[0], bool):
            raise self.report.damage(f'"{name}"', key)
        match raw:
            case [1, content]:
                under = self._content(key, name, content, depth)
            case [2, content]:
                top = self._content(key, name, content, depth)
            case [3, content, covered]:
                top = self._content(key, name, content, depth)
                under = self._content(key, name, covered, depth)
            case _:
                raise self.report.damage(f'"{name}"', key)
        # Other tools mark a typed value as a block, a variable as a shadow; both mean what they are.
        if isinstance(top, Literal) and not under:
            top, under = (), top
        if not isinstance(under, Literal) and under and under[0].opcode == "data_variable":
            top, under = top or under, ()
        if isinstance(top, Literal):
            raise self.report.damage(f'"{name}"', key)
        if isinstance(under, Literal):
            return Input(name, top, under)
        return Input(name, top, under[0] if under else None)

    def _content(self, key: str, name: str, raw: object, depth: int) -> tuple[Block, ...] | Literal:
        """Return what is in an input: blocks, which the file names by id, or a typed value."""
        match raw:
            case None:
                return ()
            case str() if raw not in self.raw:
                raise self.report.refusal("missing-block", key, name=name, block=raw)
            case str():
                blocks = self._stack(raw, key, depth + 1)
                if any(blocks[0].opcode == opcode for opcode, _ in _SHORT.values()):
                    # Written out in full by some tools; the same as the short form.
                    short = f"{key}.{name}"
                    return (dataclasses.replace(blocks[0], id=short, shadow=False, extra="{}"),)
                return blocks
            case [int(kind), str() | int() | float() as value] if kind in (
                4,
                5,
                6,
                7,
                8,
                10,
            ) and not isinstance(value, bool):
                return Literal(kind, value)
            case [9, str(value)] if re.fullmatch(r"#[0-9a-fA-F]{6}", value):
                return Literal(9, value)
            case [11, str(value), str(identifier)]:
                self._known("BROADCAST_OPTION", value, identifier, key)
                return Literal(11, value, identifier)
            case [int(kind), str(value), str(identifier), *rest] if (
                kind in _SHORT
                and len(rest) <= 2
                and all(isinstance(one, int | float) and not isinstance(one, bool) for one in rest)
            ):
                return (self._short(f"{key}.{name}", kind, value, identifier),)
            case _:
                raise self.report.damage(f'"{name}"', key)

    def _short(self, key: str, kind: int, name: str, identifier: str) -> Block:
        opcode, field = _SHORT[kind]
        self._known(field, name, identifier, key)
        return Block(opcode, key, fields=(Field(field, name, identifier),))

    def _loose(self, key: str, raw: object) -> Script:
        """Return a variable or list that lies on the workspace by itself."""
        self.used.add(key)
        match raw:
            case [int(kind), str(name), str(identifier), int() | float() as x, int() | float() as y] if (
                kind in _SHORT and not isinstance(x, bool) and not isinstance(y, bool)
            ):
                return Script((self._short(key, kind, name, identifier),), x, y)
            case _:
                raise self.report.damage("a block", key)

    def _field(self, key: str, name: str, raw: object) -> Field:
        match raw:
            case [str() | int() | float() as value]:
                return Field(name, value)
            case [str() | int() | float() as value, None]:
                return Field(name, value)
            case [str() | int() | float() as value, str(identifier)]:
                if name in _NAMED:
                    self._known(name, str(value), identifier, key)
                return Field(name, value, identifier)
            case _:
                raise self.report.damage(f'"{name}"', key)

    def _known(self, field: str, name: str, identifier: str, key: str) -> None:
        kind, code = _NAMED[field]
        # A sprite that was saved by itself uses what the project has into which it is loaded.
        if self.whole and identifier not in self.ids[kind]:
            self.report.note(code, key, name=name)


def _keys(target: Json, kind: str) -> set[str]:
    value = target.get(kind, {})
    return set(value) if isinstance(value, dict) else set()
