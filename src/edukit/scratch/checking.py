"""Look a project over as a teacher would: what does nothing, what goes wrong the second time.

The project has been read, so it holds together; here is what it *does* that matters. Where it cannot be
told from the blocks (a message whose name is put together while the project runs) nothing is said.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .findings import Report
from .model import Block, Literal, Project, Script, Target, walk
from .opcodes import CAP, HAT, MENU_WORDS, SERVER_EXTENSIONS, opcodes

_DEFAULT_NAME = re.compile(r"(Sprite|角色|Figur|Objet|Objeto)\s*\d+")

_STARTS = frozenset(
    (
        *("event_whenflagclicked", "event_whenkeypressed", "event_whenthisspriteclicked"),
        *("event_whenstageclicked", "event_whengreaterthan", "event_whentouchingobject"),
    )
)

_WAITS = frozenset(
    (
        *("control_wait", "control_wait_until", "motion_glideto", "motion_glidesecstoxy"),
        *("looks_sayforsecs", "looks_thinkforsecs", "looks_switchbackdroptoandwait"),
        *("sound_playuntildone", "event_broadcastandwait", "sensing_askandwait"),
        *("music_playDrumForBeats", "music_midiPlayDrumForBeats", "music_restForBeats"),
        *("music_playNoteForBeats", "text2speech_speakAndWait", "control_stop"),
        "control_delete_this_clone",
    )
)

# Thirty times a second these pile up, flicker or drown everything; to move, to watch and to follow is
# what a loop without a wait is for.
_HASTY = frozenset(
    (
        *("event_broadcast", "control_create_clone_of", "data_changevariableby", "data_addtolist"),
        *("data_insertatlist", "sound_play", "looks_nextcostume", "looks_nextbackdrop", "looks_say"),
        *("looks_think", "pen_stamp"),
    )
)


@dataclass(frozen=True, slots=True)
class _Trait:
    """Something that a project may change: by which blocks, and by which it is put back."""

    english: str
    chinese: str
    changed: frozenset[str]
    reset: frozenset[str]


def _trait(english: str, chinese: str, changed: str, reset: str) -> _Trait:
    return _Trait(english, chinese, frozenset(changed.split()), frozenset(reset.split()))


_TRAITS = (
    _trait(
        "The position",
        "位置",
        "motion_movesteps motion_changexby motion_changeyby motion_glideto motion_glidesecstoxy "
        "motion_goto motion_gotoxy motion_setx motion_sety",
        "motion_goto motion_gotoxy motion_glideto motion_glidesecstoxy motion_setx motion_sety",
    ),
    _trait(
        "The direction",
        "方向",
        "motion_turnright motion_turnleft motion_pointindirection motion_pointtowards",
        "motion_pointindirection motion_pointtowards",
    ),
    _trait("The size", "大小", "looks_changesizeby looks_setsizeto", "looks_setsizeto"),
    _trait("The costume", "造型", "looks_nextcostume looks_switchcostumeto", "looks_switchcostumeto"),
    _trait("Being shown or hidden", "显示或隐藏", "looks_hide looks_show", "looks_hide looks_show"),
)
_BACKDROP = _trait(
    "The backdrop",
    "背景",
    "looks_nextbackdrop looks_switchbackdropto looks_switchbackdroptoandwait",
    "looks_switchbackdropto looks_switchbackdroptoandwait",
)


@dataclass(slots=True)
class _Uses:
    """What the scripts of a whole project use, by id or name, and where first."""

    sent: dict[str, "_Place"] = field(default_factory=dict)
    sent_by_name: set[str] = field(default_factory=set)
    sends_unknown: bool = False
    received: dict[str, "_Place"] = field(default_factory=dict)
    read: dict[str, "_Place"] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    opcodes: dict[str, "_Place"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Place:
    target: Target
    index: int
    block: Block


def look_over(project: Project, report: Report) -> None:
    """Look a project over and note what is found.

    Parameters
    ----------
    project
        The project.
    report
        Where it is noted.
    """
    uses = _Uses()
    for place in _places(project):
        _collect(place, project, uses)
    for target in project.targets:
        report.target, report.script = target.name, None
        if not target.is_stage and _DEFAULT_NAME.fullmatch(target.name):
            report.note("default-name", name=target.name)
        _scripts(project, target, report)
        _own_blocks(target, report)
    _names(project, report)
    if project.kind == "project":
        _messages(project, uses, report)
        _data(project, uses, report)
        _start(project, report)
    _questions(uses, report)
    _servers(uses, report)
    report.target = report.script = None


def _places(project: Project) -> Iterator[_Place]:
    for target in project.targets:
        for index, script in enumerate(target.scripts, 1):
            for block in walk(script.blocks):
                yield _Place(target, index, block)


def _note(report: Report, place: _Place, code: str, **values: object) -> None:
    report.target, report.script = place.target.name, place.index
    report.note(code, place.block.id, **values)


# -- what is used where --------------------------------------------------------------------------------

_WRITERS = frozenset(
    (
        *("data_setvariableto", "data_changevariableby", "control_for_each"),
        *("data_addtolist", "data_insertatlist", "data_replaceitemoflist"),
    )
)
_NEUTRAL = frozenset(
    (
        *("data_showvariable", "data_hidevariable", "data_showlist", "data_hidelist"),
        *("data_deleteoflist", "data_deletealloflist"),
    )
)


def _collect(place: _Place, project: Project, uses: _Uses) -> None:
    block = place.block
    uses.opcodes.setdefault(block.opcode, place)
    if block.opcode in ("event_broadcast", "event_broadcastandwait"):
        hole = block.input("BROADCAST_INPUT")
        if hole is None or hole.blocks:
            uses.sends_unknown = True
        elif isinstance(hole.shadow, Literal):
            uses.sent.setdefault(hole.shadow.id, place)
            uses.sent_by_name.add(str(hole.shadow.value).lower())
        elif isinstance(hole.shadow, Block):
            for chosen in hole.shadow.fields:
                uses.sent.setdefault(chosen.id or "", place)
                uses.sent_by_name.add(str(chosen.value).lower())
    if block.opcode == "event_whenbroadcastreceived" and (
        chosen_message := block.field("BROADCAST_OPTION")
    ):
        uses.received.setdefault(str(chosen_message.value).lower(), place)
    for name in ("VARIABLE", "LIST"):
        if named := block.field(name):
            if block.opcode in _WRITERS:
                uses.written.add(named.id or "")
            elif block.opcode not in _NEUTRAL:
                uses.read.setdefault(named.id or "", place)


# -- scripts by themselves -----------------------------------------------------------------------------


def _scripts(project: Project, target: Target, report: Report) -> None:
    waiting = _waiting_blocks(target)
    for index, script in enumerate(target.scripts, 1):
        first = script.blocks[0]
        report.script = index
        shape = opcodes()[first.opcode].shape
        if shape == HAT:
            if len(script.blocks) == 1:
                report.note("empty-script", first.id)
        elif shape not in ("reporter", "boolean"):
            report.note("dead-script", first.id)
        for stack in _stacks(script.blocks):
            for block in stack[:-1]:
                if _ends(block):
                    report.note("unreachable", block.id)
        for block in walk(script.blocks):
            if block.opcode == "control_forever" and _is_busy(block, waiting):
                report.note("busy-forever", block.id)


def _stacks(blocks: tuple[Block, ...]) -> Iterator[tuple[Block, ...]]:
    yield blocks
    for block in blocks:
        for hole in block.inputs:
            if hole.blocks:
                yield from _stacks(hole.blocks)


def _ends(block: Block) -> bool:
    if block.opcode == "control_stop":
        choice = block.field("STOP_OPTION")
        return choice is None or not str(choice.value).startswith("other scripts")
    return opcodes()[block.opcode].shape == CAP


def _is_busy(loop: Block, waiting: frozenset[str]) -> bool:
    hole = loop.input("SUBSTACK")
    inside = hole.blocks if hole else ()
    if not inside:
        return True
    if any(_waits(block, waiting) for block in walk(inside)):
        return False
    return any(block.opcode in _HASTY for block in inside)


def _waits(block: Block, waiting: frozenset[str]) -> bool:
    called = block.procedure.code if block.procedure and block.opcode == "procedures_call" else None
    return block.opcode in _WAITS or called in waiting


def _definition(script: Script) -> Block | None:
    """Return the signature of the custom block that a script defines."""
    first = script.blocks[0]
    hole = first.input("custom_block") if first.opcode == "procedures_definition" else None
    if hole is None:
        return None
    return hole.shadow if isinstance(hole.shadow, Block) else hole.blocks[0]


def _waiting_blocks(target: Target) -> frozenset[str]:
    """Return the labels of the custom blocks that wait, directly or by what they call."""
    bodies = {
        prototype.procedure.code: script.blocks[1:]
        for script in target.scripts
        if (prototype := _definition(script)) and prototype.procedure
    }
    found: frozenset[str] = frozenset()
    while True:
        more = frozenset(
            code for code, body in bodies.items() if any(_waits(block, found) for block in walk(body))
        )
        if more == found:
            return found
        found = more


def _own_blocks(target: Target, report: Report) -> None:
    called = {
        block.procedure.code
        for script in target.scripts
        for block in walk(script.blocks)
        if block.opcode == "procedures_call" and block.procedure
    }
    defined = set()
    for index, script in enumerate(target.scripts, 1):
        report.script = index
        prototype = _definition(script)
        if prototype is None or prototype.procedure is None:
            continue
        name = label(prototype.procedure.code)
        defined.add(prototype.procedure.code)
        if prototype.procedure.code not in called:
            report.note("block-never-called", script.blocks[0].id, name=name)
        if prototype.procedure.warp:
            for block in walk(script.blocks[1:]):
                if block.opcode == "control_forever":
                    report.note("frozen-stage", block.id, name=name)
    for index, script in enumerate(target.scripts, 1):
        report.script = index
        for block in walk(script.blocks):
            procedure = block.procedure if block.opcode == "procedures_call" else None
            if procedure and procedure.code not in defined:
                report.note("undefined-block", block.id, name=label(procedure.code))


def label(code: str) -> str:
    """Return the label of a custom block as a child reads it, with gaps for its parameters."""
    gaps = re.sub(r"(?<!\\)%[sn]", "( )", code.strip())
    return re.sub(r"(?<!\\)%b", "< >", gaps).replace("\\%", "%")


# -- names that the menus of blocks hold ---------------------------------------------------------------

_SPRITE_MENUS = frozenset(
    (
        *("motion_goto_menu", "motion_glideto_menu", "motion_pointtowards_menu"),
        *("control_create_clone_of_menu", "sensing_touchingobjectmenu", "sensing_distancetomenu"),
        *("sensing_of_object_menu", "event_touchingobjectmenu"),
    )
)


def _names(project: Project, report: Report) -> None:
    sprites = {target.name for target in project.targets[1:]}
    backdrops = {one.name for one in project.stage.costumes}
    for place in _places(project):
        block = place.block
        if block.opcode == "event_whenbackdropswitchesto":
            chosen = block.field("BACKDROP")
        elif block.shadow and block.opcode in (*_SPRITE_MENUS, *_ASSET_MENUS):
            chosen = next(iter(block.fields), None)
        else:
            continue
        if chosen is None or str(chosen.value) in MENU_WORDS.get((block.opcode, chosen.name), {}):
            continue
        name = str(chosen.value)
        if block.opcode in _SPRITE_MENUS:
            if project.kind == "project" and name not in sprites:
                _note(report, place, "unknown-sprite", name=name)
            continue
        known = {
            "looks_costume": {one.name for one in place.target.costumes},
            "sound_sounds_menu": {one.name for one in place.target.sounds},
        }.get(block.opcode, backdrops)
        # A number in place of a name counts costumes; a sprite by itself has left its stage.
        if name in known or name.strip().isdigit() or (known is backdrops and project.kind == "sprite"):
            continue
        code = "unknown-sound" if block.opcode == "sound_sounds_menu" else "unknown-costume"
        _note(report, place, code, name=name)


_ASSET_MENUS = ("looks_costume", "looks_backdrops", "sound_sounds_menu")


# -- what belongs together across sprites --------------------------------------------------------------


def _messages(project: Project, uses: _Uses, report: Report) -> None:
    names = {one.id: one.name for target in project.targets for one in target.messages}
    for identifier, place in uses.sent.items():
        name = names.get(identifier)
        if name is not None and name.lower() not in uses.received:
            _note(report, place, "message-never-received", name=name)
    if uses.sends_unknown:
        return
    for name, place in uses.received.items():
        if name not in uses.sent_by_name:
            chosen = place.block.field("BROADCAST_OPTION")
            _note(report, place, "message-never-sent", name=chosen.value if chosen else name)


def _data(project: Project, uses: _Uses, report: Report) -> None:
    # A slider on the stage lets a child set the variable by hand.
    sliders = {one.id for one in project.monitors if one.visible and '"mode":"slider"' in one.extra}
    for target in project.targets:
        for variable in target.variables:
            unset = variable.id not in uses.written and variable.id not in sliders
            if unset and not variable.cloud and variable.id in uses.read:
                _note(
                    report,
                    uses.read[variable.id],
                    "variable-never-set",
                    name=variable.name,
                    value=variable.value,
                )
        for one in target.lists:
            if not one.items and one.id in uses.read and one.id not in uses.written:
                _note(report, uses.read[one.id], "list-never-filled", name=one.name)


def _questions(uses: _Uses, report: Report) -> None:
    asked, used = uses.opcodes.get("sensing_askandwait"), uses.opcodes.get("sensing_answer")
    if asked and not used:
        _note(report, asked, "unused-answer")
    if used and not asked:
        _note(report, used, "answer-without-question")


_FAMILIES = {"text2speech": ("Text to Speech", "文字朗读"), "translate": ("Translate", "翻译")}


def _servers(uses: _Uses, report: Report) -> None:
    told = set()
    for opcode, place in uses.opcodes.items():
        family = opcode.partition("_")[0]
        if family in SERVER_EXTENSIONS and family not in told and not place.block.shadow:
            told.add(family)
            en, zh = _FAMILIES[family]
            _note(report, place, "server-block", en=en, zh=zh)


# -- the state that a game begins with -----------------------------------------------------------------


def _start(project: Project, report: Report) -> None:
    hats = {
        script.blocks[0].opcode for target in project.targets for script in target.scripts if script.blocks
    }
    if not hats:
        return
    if not hats & _STARTS:
        report.target = report.script = None
        report.note("no-start")
        return
    if "event_whenflagclicked" not in hats:
        return
    at_start = _at_start(project)
    every_reset = {block.opcode for blocks in at_start.values() for block in blocks}
    for target in project.targets:
        report.target, report.script = target.name, None
        # Clones are gone when the flag is clicked again, so what only they change needs no reset.
        lasting = [
            block
            for script in target.scripts
            if script.blocks[0].opcode != "control_start_as_clone"
            and opcodes()[script.blocks[0].opcode].shape == HAT
            for block in walk(script.blocks)
        ]
        changed = {block.opcode for block in lasting}
        reset = {block.opcode for block in at_start[target.name]}
        for trait in () if target.is_stage else _TRAITS:
            if changed & trait.changed and not reset & trait.reset:
                report.note("no-start-state", en=trait.english, zh=trait.chinese)
        if changed & _BACKDROP.changed and not every_reset & _BACKDROP.reset:
            report.note("no-start-state", en=_BACKDROP.english, zh=_BACKDROP.chinese)
    _start_of_data(project, at_start, report)


def _start_of_data(project: Project, at_start: dict[str, list[Block]], report: Report) -> None:
    set_, emptied = set(), set()
    for blocks in at_start.values():
        for block in blocks:
            if block.opcode == "data_setvariableto" and (chosen := block.field("VARIABLE")):
                set_.add(chosen.id)
            if block.opcode in ("data_deletealloflist", "data_deleteoflist") and (
                chosen := block.field("LIST")
            ):
                emptied.add(chosen.id)
    told: set[str | None] = set()
    for place in _places(project):
        block = place.block
        kinds = {
            "data_changevariableby": ("VARIABLE", set_, "variable", "变量"),
            "data_addtolist": ("LIST", emptied, "list", "列表"),
        }
        if block.opcode not in kinds:
            continue
        name, done, english, chinese = kinds[block.opcode]
        chosen = block.field(name)
        if chosen is None or chosen.id in done or chosen.id in told:
            continue
        told.add(chosen.id)
        en, zh = f'The {english} "{chosen.value}"', f"{chinese}“{chosen.value}”"
        _note(report, place, "no-start-state", en=en, zh=zh)


def _at_start(project: Project) -> dict[str, list[Block]]:
    """Return by sprite the blocks that a click on the flag leads to, by messages and custom blocks too."""
    found: dict[tuple[int, int], tuple[Target, Script]] = {}
    sent: set[str] = set()
    called: set[tuple[int, str]] = set()
    backdrops = False
    grown = True
    while grown:
        grown = False
        for number, target in enumerate(project.targets):
            for index, script in enumerate(target.scripts):
                if (number, index) in found or not _begins(script, number, sent, called, backdrops):
                    continue
                grown = True
                found[number, index] = (target, script)
                for block in walk(script.blocks):
                    if block.opcode.startswith("event_broadcast"):
                        hole = block.input("BROADCAST_INPUT")
                        if hole and isinstance(hole.shadow, Literal):
                            sent.add(str(hole.shadow.value).lower())
                    elif block.opcode == "procedures_call" and block.procedure:
                        called.add((number, block.procedure.code))
                    backdrops |= block.opcode in _BACKDROP.changed
    result: dict[str, list[Block]] = {target.name: [] for target in project.targets}
    for target, script in found.values():
        result[target.name] += walk(script.blocks)
    return result


def _begins(
    script: Script, number: int, sent: set[str], called: set[tuple[int, str]], backdrops: bool
) -> bool:
    first = script.blocks[0]
    match first.opcode:
        case "event_whenflagclicked":
            return True
        case "event_whenbroadcastreceived":
            chosen = first.field("BROADCAST_OPTION")
            return chosen is not None and str(chosen.value).lower() in sent
        case "event_whenbackdropswitchesto":
            return backdrops
        case "procedures_definition":
            prototype = _definition(script)
            if prototype is None or prototype.procedure is None:
                return False
            return (number, prototype.procedure.code) in called
    return False
