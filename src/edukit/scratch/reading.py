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
from .findings import Finding, Report, ScratchError
from .model import (
    Asset,
    List,
    Message,
    Monitor,
    Project,
    Scalar,
    Target,
    Variable,
    canonical,
)
from .package import LIMITS, Limits, Package
from .pictures import UnsafePictureError, check_svg

_FORMATS = ("svg", "png", "jpg", "jpeg", "bmp", "gif", "wav", "wave", "mp3")
_TARGET_KEYS = frozenset(
    (
        *("name", "isStage", "blocks", "variables", "lists", "broadcasts", "costumes", "sounds"),
        *("currentCostume", "layerOrder", "x", "y", "size", "direction", "visible"),
        "rotationStyle",
    )
)
_MONITOR_KEYS = frozenset(("id", "opcode", "params", "spriteName", "visible", "x", "y"))
Json = Mapping[str, object]


def load(path: str | Path, *, limits: Limits = LIMITS) -> Project:
    """Read a project.

    Parameters
    ----------
    path
        A ``.sb3`` file.
    limits
        How much it may hold.

    Returns
    -------
    Project
        What is in it. Equal files give equal projects.

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
    return _read(Report(Path(path)), limits)


def check(path: str | Path, *, limits: Limits = LIMITS) -> tuple[Finding, ...]:
    """Tell what is wrong with a file; never raises on its content.

    Parameters
    ----------
    path
        A ``.sb3`` file.
    limits
        How much it may hold.

    Returns
    -------
    tuple of Finding
        What was noticed; a refusal is the last and has the severity ``error``.

    Raises
    ------
    OSError
        If there is no such file.
    """
    report = Report(Path(path))
    try:
        _read(report, limits)
    except ScratchError as error:
        return (*report.findings, error.finding)
    return tuple(report.findings)


def _read(report: Report, limits: Limits) -> Project:
    with report.path.open("rb") as file:
        package = Package(file, limits, report)
        return _Reader(package, limits, report).project(package.project_json())


class _Reader:
    """One pass over one file."""

    def __init__(self, package: Package, limits: Limits, report: Report) -> None:
        self.package = package
        self.limits = limits
        self.report = report
        self.assembler = Assembler(limits, report)
        self.assets: dict[str, bytes | None] = {}

    def project(self, raw: Json) -> Project:
        if "objName" in raw:
            raise self.report.refusal("scratch-2")
        version = self.mapping(raw, "meta").get("semver")
        if not isinstance(version, str) or not re.fullmatch(r"3\.\d+\.\d+", version):
            raise self.report.damage('"semver"')
        rows = self.sequence(raw, "targets")
        if len(rows) > self.limits.targets:
            raise self.report.refusal("too-much", what="targets", limit=self.limits.targets)
        for index, row in enumerate(rows):
            if not isinstance(row, dict) or row.get("isStage", False) is not (index == 0):
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
        if not all(isinstance(one, str) for one in extensions):
            raise self.report.damage('"extensions"')
        return Project(
            targets=targets,
            monitors=tuple(self.monitor(one) for one in self.sequence(raw, "monitors")),
            extensions=tuple(str(one) for one in extensions),
            extra=_rest(raw, {"targets", "monitors", "extensions"}),
        )

    def target(self, raw: Json, stage: Json) -> Target:
        name = self.text(raw, "name")
        self.report.target = name
        is_stage = raw is stage
        if is_stage and name != "Stage":
            raise self.report.damage("the name of the stage")
        costumes = tuple(self.asset(one, "costumes") for one in self.sequence(raw, "costumes"))
        current = self.number(raw, "currentCostume", 0)
        if not costumes or not isinstance(current, int) or current < 0:
            raise self.report.damage('"costumes"')
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
            current_costume=min(current, len(costumes) - 1),
            layer=int(self.number(raw, "layerOrder", 0)),
            x=self.number(raw, "x", 0),
            y=self.number(raw, "y", 0),
            size=self.number(raw, "size", 100),
            direction=self.number(raw, "direction", 90),
            visible=self.truth(raw, "visible", True),
            rotation_style=self.text(raw, "rotationStyle", "all around"),
            extra=_rest(raw, _TARGET_KEYS),
        )

    def variable(self, key: str, raw: object) -> Variable:
        match raw:
            case [str(name), str() | int() | float() | bool() as value]:
                return Variable(key, name, value)
            case [str(name), str() | int() | float() | bool() as value, bool(cloud)]:
                return Variable(key, name, value, cloud)
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
        sprite = raw.get("spriteName")
        return Monitor(
            id=self.text(raw, "id"),
            opcode=self.text(raw, "opcode"),
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
        if not re.fullmatch(r"[0-9a-fA-F]{32}", asset_id) or ending not in _FORMATS:
            raise self.report.damage(f'"{where}"')
        known, center = {"name", "assetId", "dataFormat", "md5ext"}, None
        if "rotationCenterX" in raw and "rotationCenterY" in raw:
            known |= {"rotationCenterX", "rotationCenterY"}
            center = (self.number(raw, "rotationCenterX", 0), self.number(raw, "rotationCenterY", 0))
        data = self.asset_data(name, asset_id, ending)
        return Asset(name, asset_id, ending, data, center, _rest(raw, known))

    def asset_data(self, name: str, asset_id: str, ending: str) -> bytes | None:
        file = f"{asset_id}.{ending}"
        if file in self.assets:
            return self.assets[file]
        data = self.assets[file] = self.package.asset(file)
        if data is None:
            self.report.note("missing-asset", name=name, file=file)
            return None
        if hashlib.md5(data, usedforsecurity=False).hexdigest() != asset_id.lower():
            self.report.note("wrong-md5", name=name)
        if ending == "svg":
            try:
                check_svg(data)
            except UnsafePictureError as error:
                raise self.report.refusal(
                    "unsafe-picture", name=name, en=error.english, zh=error.chinese
                ) from None
        return data

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
        value = owner.get(key)
        value = default if value is None else value
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
