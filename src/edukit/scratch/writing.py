"""Write a project into a ``.sb3`` or ``.sprite3`` file: equal projects give equal bytes."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from .model import Asset, Block, Comment, Input, Literal, Monitor, Project, Target

_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can hold: the bytes must not tell when they were written."""

_REPORTERS = {"data_variable": (12, "VARIABLE"), "data_listcontents": (13, "LIST")}


def save(project: Project, path: str | Path) -> None:
    """Write a project.

    Parameters
    ----------
    project
        The project.
    path
        The ``.sb3`` file (``.sprite3`` for a single sprite); reading it back gives an equal project.
    """
    Path(path).write_bytes(to_bytes(project))


def to_bytes(project: Project) -> bytes:
    """Return the content of the ``.sb3`` file of a project."""
    alone = project.kind == "sprite"
    targets = project.targets[1:] if alone else project.targets
    entries = {"sprite.json" if alone else "project.json": project_json(project).encode()}
    for target in targets:
        for asset in (*target.costumes, *target.sounds):
            if asset.data is not None:
                entries[asset.file_name] = asset.data
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in entries.items():
            info = zipfile.ZipInfo(name, _TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            # Else the system that writes shows in the bytes.
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return buffer.getvalue()


def project_json(project: Project) -> str:
    """Return the text of ``project.json``, or of ``sprite.json`` for a single sprite."""
    raw = _target(project.targets[1]) if project.kind == "sprite" else _project(project)
    return json.dumps(raw, ensure_ascii=False, separators=(",", ":"))


def _project(project: Project) -> dict[str, Any]:
    return {
        "targets": [_target(target) for target in project.targets],
        "monitors": [_monitor(monitor) for monitor in project.monitors],
        "extensions": list(project.extensions),
        **json.loads(project.extra),
    }


def _target(target: Target) -> dict[str, Any]:
    blocks: dict[str, Any] = {}
    for script in target.scripts:
        first = script.blocks[0]
        if first.opcode in _REPORTERS and len(script.blocks) == 1:
            blocks[first.id] = [*_reporter(first), script.x, script.y]
        else:
            _stack(script.blocks, None, blocks)
            blocks[first.id] |= {"topLevel": True, "x": script.x, "y": script.y}
    raw: dict[str, Any] = {
        "isStage": target.is_stage,
        "name": target.name,
        "variables": {
            one.id: [one.name, one.value, True] if one.cloud else [one.name, one.value]
            for one in target.variables
        },
        "lists": {one.id: [one.name, list(one.items)] for one in target.lists},
        "broadcasts": {one.id: one.name for one in target.messages},
        "blocks": blocks,
        "comments": {one.id: _comment(one) for one in target.comments},
        "currentCostume": target.current_costume,
        "costumes": [_asset(asset) for asset in target.costumes],
        "sounds": [_asset(asset) for asset in target.sounds],
        "layerOrder": target.layer,
    }
    if not target.is_stage:
        raw |= {
            "visible": target.visible,
            "x": target.x,
            "y": target.y,
            "size": target.size,
            "direction": target.direction,
            "rotationStyle": target.rotation_style,
        }
    raw |= json.loads(target.extra)
    return raw


def _comment(comment: Comment) -> dict[str, Any]:
    return {"blockId": comment.block, "text": comment.text, **json.loads(comment.extra)}


def _asset(asset: Asset) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "name": asset.name,
        "assetId": asset.asset_id,
        "dataFormat": asset.format,
        "md5ext": asset.file_name,
    }
    if asset.center is not None:
        raw |= {"rotationCenterX": asset.center[0], "rotationCenterY": asset.center[1]}
    raw |= json.loads(asset.extra)
    return raw


def _monitor(monitor: Monitor) -> dict[str, Any]:
    return {
        "id": monitor.id,
        "opcode": monitor.opcode,
        "params": dict(monitor.params),
        "spriteName": monitor.target,
        "visible": monitor.visible,
        "x": monitor.x,
        "y": monitor.y,
        **json.loads(monitor.extra),
    }


def _reporter(block: Block) -> list[Any]:
    kind, name = _REPORTERS[block.opcode]
    field = block.field(name)
    assert field is not None
    return [kind, field.value, field.id]


def _stack(stack: tuple[Block, ...], parent: str | None, blocks: dict[str, Any]) -> str | None:
    """Write blocks that stand under one another; return the id of the first."""
    for index, block in enumerate(stack):
        following = stack[index + 1].id if index + 1 < len(stack) else None
        _block(block, parent, following, blocks)
        parent = block.id
    return stack[0].id if stack else None


def _block(block: Block, parent: str | None, following: str | None, blocks: dict[str, Any]) -> None:
    raw: dict[str, Any] = {"opcode": block.opcode, "next": following, "parent": parent}
    blocks[block.id] = raw
    raw["inputs"] = {hole.name: _input(hole, block.id, blocks) for hole in block.inputs}
    raw["fields"] = {
        field.name: [field.value] if field.id is None else [field.value, field.id] for field in block.fields
    }
    raw["shadow"] = block.shadow
    raw["topLevel"] = False
    raw |= json.loads(block.extra)
    if procedure := block.procedure:
        mutation = {
            "tagName": "mutation",
            "children": [],
            "proccode": procedure.code,
            "argumentids": json.dumps(procedure.argument_ids, ensure_ascii=False),
            "warp": "true" if procedure.warp else "false",
        }
        if block.opcode == "procedures_prototype":
            names, defaults = procedure.argument_names, procedure.argument_defaults
            mutation["argumentnames"] = json.dumps(names, ensure_ascii=False)
            mutation["argumentdefaults"] = json.dumps(defaults, ensure_ascii=False)
        raw["mutation"] = mutation | raw.get("mutation", {})


def _input(hole: Input, parent: str, blocks: dict[str, Any]) -> list[Any]:
    inside: Any = None
    if len(hole.blocks) == 1 and hole.blocks[0].opcode in _REPORTERS and not hole.blocks[0].inputs:
        inside = _reporter(hole.blocks[0])
    elif hole.blocks:
        inside = _stack(hole.blocks, parent, blocks)
    shadow: Any = None
    if isinstance(hole.shadow, Literal):
        shadow = [hole.shadow.kind, hole.shadow.value]
        if hole.shadow.kind == 11:
            shadow.append(hole.shadow.id)
    elif hole.shadow is not None:
        shadow = _stack((hole.shadow,), parent, blocks)
    if inside is None and shadow is not None:
        return [1, shadow]
    return [2, inside] if shadow is None else [3, inside, shadow]
