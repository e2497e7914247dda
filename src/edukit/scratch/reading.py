"""Read a project: from the JSON of a package to the model.

Two kinds of trouble are told apart: what makes Scratch hang, crash or ask another computer ends the
reading; what Scratch loads and gets silently wrong is noted and read past.
"""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from .assembling import Assembler
from .checking import look_over
from .findings import Finding, Report, ScratchError
from .model import (
    Asset,
    Comment,
    List,
    Message,
    Monitor,
    Project,
    Scalar,
    Target,
    Variable,
    canonical,
    empty_stage,
)
from .opcodes import EXTENSIONS, opcodes
from .package import LIMITS, Limits, Package
from .pictures import UnsafePictureError, check_svg, refuse_markup

_FORMATS = {
    "costumes": ("svg", "png", "jpg", "jpeg", "bmp", "gif"),
    "sounds": ("wav", "wave", "mp3"),
}
_BEGINNINGS = {
    # A file of another kind of picture than its name says is shown all the same; so are these together.
    "costumes": (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM"),
    "sounds": (b"RIFF", b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"\xff\xfa", b"\xff\xe3"),
}
_TARGET_KEYS = frozenset(
    (
        *("name", "isStage", "blocks", "variables", "lists", "broadcasts", "costumes", "sounds"),
        *("currentCostume", "layerOrder", "x", "y", "size", "direction", "visible"),
        *("rotationStyle", "comments"),
    )
)
_CHOICES = {
    "rotationStyle": ("all around", "don't rotate", "left-right"),
    "videoState": ("on", "off", "on-flipped"),
}
_MONITOR_KEYS = frozenset(("id", "opcode", "params", "spriteName", "visible", "x", "y"))
Json = Mapping[str, object]


def load(path: str | Path, *, limits: Limits = LIMITS) -> Project:
    """Read a project.

    Parameters
    ----------
    path
        A ``.sb3`` file, or a ``.sprite3`` file, which holds a single sprite.
    limits
        How much it may hold.

    Returns
    -------
    Project
        What is in it. Equal files give equal projects. A single sprite stands on an empty stage.

    Raises
    ------
    ScratchError
        If it is no project of Scratch 3, is damaged, holds too much, or is one that makes Scratch
        hang, crash or ask another computer.
    OSError
        If there is no such file.

    Notes
    -----
    There is no specification of the format; the schema in npm scratch-parser 5.2.1 and the behaviour of
    scratch-vm 4.8.115 were followed.
    """
    return read(Report(Path(path)), limits)


def check(path: str | Path, *, limits: Limits = LIMITS) -> tuple[Finding, ...]:
    """Tell what is wrong with a file, and what could be better; never raises on its content.

    Parameters
    ----------
    path
        A ``.sb3`` or ``.sprite3`` file.
    limits
        How much it may hold.

    Returns
    -------
    tuple of Finding
        What was noticed; a refusal is the last and has the severity ``error``. See
        :func:`~edukit.scratch.checking.look_over` for what is looked at in a project that can be read.

    Raises
    ------
    OSError
        If there is no such file.
    """
    report = Report(Path(path))
    try:
        look_over(read(report, limits), report)
    except ScratchError as error:
        return (*report.findings, error.finding)
    return tuple(report.findings)


def read(report: Report, limits: Limits = LIMITS) -> Project:
    """Read the file of a report, and note in it what goes silently wrong."""
    with report.path.open("rb") as file:
        package = Package(file, limits, report)
        reader, raw = _Reader(package, limits, report), package.main_json()
        return reader.sprite(raw) if package.kind == "sprite" else reader.project(raw)


class _Reader:
    """One pass over one file."""

    def __init__(self, package: Package, limits: Limits, report: Report) -> None:
        self.package = package
        self.limits = limits
        self.report = report
        self.assembler = Assembler(limits, report, whole=package.kind == "project")
        self.assets: dict[tuple[str, str, str], tuple[bytes | None, str]] = {}

    def project(self, raw: Json) -> Project:
        if "objName" in raw:
            raise self.report.refusal("scratch-2")
        self.meta(self.mapping(raw, "meta"))
        rows = self.sequence(raw, "targets")
        if len(rows) > self.limits.targets:
            raise self.report.refusal("too-much", what="targets", limit=self.limits.targets)
        for index, row in enumerate(rows):
            if not isinstance(row, dict) or row.get("isStage") is not (index == 0):
                raise self.report.damage(f"target {index + 1}")
        if not rows:
            raise self.report.damage('"targets"')
        targets = tuple(self.target(cast("Json", row), cast("Json", rows[0])) for row in rows)
        self.report.target = None
        names = [target.name for target in targets]
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                self.report.note("same-name", name=name)
        extensions = self.sequence(raw, "extensions")
        for one in extensions:
            if not isinstance(one, str):
                raise self.report.damage('"extensions"')
            if one not in EXTENSIONS:
                raise self.report.refusal("unknown-extension", name=one, allowed=", ".join(EXTENSIONS))
        if raw.get("extensionURLs"):
            raise self.report.refusal("outside-extension")
        return Project(
            targets=targets,
            monitors=tuple(self.monitor(one) for one in self.sequence(raw, "monitors")),
            extensions=tuple(str(one) for one in extensions),
            extra=_rest(raw, {"targets", "monitors", "extensions"}),
        )

    def meta(self, raw: Json) -> None:
        version, machine = self.text(raw, "semver"), self.text(raw, "vm", "0.0.0")
        if not re.fullmatch(r"3\.\d+\.\d+", version):
            raise self.report.damage('"semver"')
        if not re.match(r"\d+\.\d+\.\d+($|-)", machine):
            raise self.report.damage('"vm"')
        for key in ("agent", "origin"):
            self.text(raw, key, "")

    def sprite(self, raw: Json) -> Project:
        """Read a sprite that was saved by itself."""
        if "objName" in raw:
            raise self.report.refusal("scratch-2")
        if raw.get("isStage") is not False:
            raise self.report.damage('"isStage"')
        target = self.target(raw, {})
        return Project((empty_stage(), target), kind="sprite")

    def target(self, raw: Json, stage: Json) -> Target:
        name = self.text(raw, "name")
        self.report.target = name
        is_stage = raw is stage
        if name == "_stage_" or (is_stage and name != "Stage"):
            raise self.report.damage('"name"')
        for key in ("variables", "costumes", "sounds", "blocks"):
            if key not in raw:
                raise self.report.damage(f'"{key}"')
        self.settings(raw)
        costumes = tuple(self.asset(one, "costumes") for one in self.sequence(raw, "costumes"))
        current = self.number(raw, "currentCostume", 0)
        if not costumes or int(current) != current or current < 0:
            raise self.report.damage('"costumes"')
        layer = self.number(raw, "layerOrder", 0 if is_stage else 1)
        if int(layer) != layer or (layer != 0 if is_stage else layer < 1):
            raise self.report.damage('"layerOrder"')
        try:
            scripts = self.assembler.scripts(self.mapping(raw, "blocks"), raw, stage)
        except RecursionError:
            raise self.report.refusal("too-much", what="depth", limit=self.limits.depth) from None
        return Target(
            name=name,
            is_stage=is_stage,
            scripts=scripts,
            variables=tuple(
                self.variable(key, value) for key, value in self.mapping(raw, "variables").items()
            ),
            lists=tuple(self.list_(key, value) for key, value in self.mapping(raw, "lists").items()),
            messages=tuple(
                self.message(key, value) for key, value in self.mapping(raw, "broadcasts").items()
            ),
            costumes=costumes,
            sounds=tuple(self.asset(one, "sounds") for one in self.sequence(raw, "sounds")),
            current_costume=min(int(current), len(costumes) - 1),
            layer=int(layer),
            x=self.number(raw, "x", 0),
            y=self.number(raw, "y", 0),
            size=self.number(raw, "size", 100),
            direction=self.number(raw, "direction", 90),
            visible=self.truth(raw, "visible", True),
            rotation_style=self.text(raw, "rotationStyle", "all around"),
            comments=tuple(
                self.comment(key, value) for key, value in self.mapping(raw, "comments").items()
            ),
            extra=_rest(raw, _TARGET_KEYS),
        )

    def settings(self, raw: Json) -> None:
        """Check what is kept without being understood: Scratch opens no project that has it otherwise."""
        for key in ("volume", "tempo", "videoTransparency"):
            self.number(raw, key, 0)
        self.truth(raw, "draggable", False)
        for key, words in _CHOICES.items():
            if self.text(raw, key, words[0]) not in words:
                raise self.report.damage(f'"{key}"')

    def comment(self, key: str, raw: object) -> Comment:
        if not isinstance(raw, dict):
            raise self.report.damage('"comments"')
        text, block = self.text(raw, "text"), raw.get("blockId")
        if len(text) > 8_000 or not (block is None or isinstance(block, str)):
            raise self.report.damage('"comments"')
        for name in ("x", "y", "width", "height"):
            if raw.get(name) is not None or name in ("width", "height"):
                self.number(raw, name, 0)
        self.truth(raw, "minimized", False)
        return Comment(key, text, block, _rest(raw, {"text", "blockId"}))

    def variable(self, key: str, raw: object) -> Variable:
        match raw:
            case [str(name), str() | int() | float() | bool() as value]:
                return Variable(key, name, value)
            case [str(name), str() | int() | float() | bool() as value, True]:
                return Variable(key, name, value, cloud=True)
            case _:
                raise self.report.damage(f"variable {key!r}")

    def list_(self, key: str, raw: object) -> List:
        match raw:
            case [str(name), [*items]] if all(isinstance(one, str | int | float) for one in items):
                return List(key, name, tuple(cast("list[Scalar]", items)))
            case _:
                raise self.report.damage(f"list {key!r}")

    def message(self, key: str, raw: object) -> Message:
        if not isinstance(raw, str):
            raise self.report.damage(f"message {key!r}")
        return Message(key, raw)

    def monitor(self, raw: object) -> Monitor:
        if not isinstance(raw, dict):
            raise self.report.damage('"monitors"')
        params = self.mapping(raw, "params")
        if not all(isinstance(value, str) for value in params.values()):
            raise self.report.damage('"monitors"')
        sprite, opcode = raw.get("spriteName"), self.text(raw, "opcode")
        if opcode not in opcodes():
            # Scratch loads the extension of a display as it loads that of a block.
            raise self.report.unknown_opcode(opcode)
        return Monitor(
            id=self.text(raw, "id"),
            opcode=opcode,
            params=tuple((key, str(value)) for key, value in params.items()),
            target=sprite if isinstance(sprite, str) else None,
            visible=self.truth(raw, "visible", False),
            x=self.number(raw, "x", 0),
            y=self.number(raw, "y", 0),
            extra=_rest(raw, _MONITOR_KEYS),
        )

    def asset(self, raw: object, where: str) -> Asset:
        if not isinstance(raw, dict):
            raise self.report.damage(f'"{where}"')
        name, asset_id = self.text(raw, "name"), self.text(raw, "assetId")
        ending = self.text(raw, "dataFormat")
        if not re.fullmatch(r"[0-9a-fA-F]{32}", asset_id) or ending not in _FORMATS[where]:
            raise self.report.damage(f'"{where}"')
        # Scratch shows the file of this name, whatever the id says; it has to be the one that is checked.
        plain = f"{asset_id}.{ending}"
        file = self.text(raw, "md5ext", plain)
        if not re.fullmatch(r"[0-9a-fA-F]{32}\.[a-zA-Z0-9]+", file):
            raise self.report.damage('"md5ext"')
        for key in ("bitmapResolution", "rate", "sampleCount"):
            if int(number := self.number(raw, key, 1)) != number:
                raise self.report.damage(f'"{key}"')
        known, center = {"name", "assetId", "dataFormat", "md5ext"}, None
        for key in ("rotationCenterX", "rotationCenterY"):
            self.number(raw, key, 0)
        if "rotationCenterX" in raw and "rotationCenterY" in raw:
            known |= {"rotationCenterX", "rotationCenterY"}
            center = (self.number(raw, "rotationCenterX", 0), self.number(raw, "rotationCenterY", 0))
        data, digest = self.content(name, file, ending, where)
        if data is not None and digest != asset_id.lower():
            self.report.note("wrong-md5", name=name)
        extra = _rest(raw, known)
        return Asset(name, asset_id, ending, data, center, extra, "" if file == plain else file)

    def content(self, name: str, file: str, ending: str, where: str) -> tuple[bytes | None, str]:
        """Return what is in the file of an asset, and its MD5; each file is checked once a format."""
        key = (file, ending, where)
        if key in self.assets:
            return self.assets[key]
        data = self.package.asset(file)
        digest = "" if data is None else hashlib.md5(data, usedforsecurity=False).hexdigest()
        self.assets[key] = data, digest
        if data is None:
            self.report.note("missing-asset", name=name, file=file)
            return None, ""
        try:
            if ending == "svg":
                check_svg(data)
            elif not data.startswith(_BEGINNINGS[where]):
                refuse_markup(data)
                self.report.note("wrong-kind", name=name, ending=ending)
        except UnsafePictureError as error:
            raise self.report.refusal(
                "unsafe-picture", name=name, en=error.english, zh=error.chinese
            ) from None
        return data, digest

    # -- values of the kinds that the JSON must have ------------------------------------------------

    def mapping(self, owner: Json, key: str) -> Json:
        value = owner.get(key, {})
        if not isinstance(value, dict):
            raise self.report.damage(f'"{key}"')
        return value

    def sequence(self, owner: Json, key: str) -> list[object]:
        value = owner.get(key, [])
        if not isinstance(value, list):
            raise self.report.damage(f'"{key}"')
        return value

    def text(self, owner: Json, key: str, default: str | None = None) -> str:
        value = owner.get(key, default)
        if not isinstance(value, str):
            raise self.report.damage(f'"{key}"')
        return value

    def number(self, owner: Json, key: str, default: float) -> float:
        value = owner.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.report.damage(f'"{key}"')
        return value

    def truth(self, owner: Json, key: str, default: bool) -> bool:
        value = owner.get(key, default)
        if not isinstance(value, bool):
            raise self.report.damage(f'"{key}"')
        return value


def _rest(raw: Json, known: "set[str] | frozenset[str]") -> str:
    return canonical({key: value for key, value in raw.items() if key not in known})
