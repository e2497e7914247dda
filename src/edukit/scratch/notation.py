"""Block text: scripts in the notation of scratchblocks, which forums, wikis and teachers write.

The notation lets the reader of it guess what a word is. Nothing is left to guess here: variables, lists
and custom blocks always say so, because two Chinese labels may be the same for two blocks, and what a
child typed is escaped so that it stays text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .model import Project
from .opcodes import BOOLEAN, LANGUAGES, Icon
from .wording import Mouth, Phrase, Slot, tell

_NUMBER = re.compile(r"[0-9e.-]*")
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_KIND = {
    "data_variable": "variables",
    "data_listcontents": "list",
    "argument_reporter_string_number": "custom-arg",
    "argument_reporter_boolean": "custom-arg",
}
_END = ("end", "结束")
_CLOSING = ("end", "else", "结束", "否则")
_SELDOM = frozenset(
    (
        *("motion_scroll_right", "motion_scroll_up", "motion_align_scene", "motion_xscroll"),
        *("motion_yscroll", "looks_hideallsprites", "looks_changestretchby", "looks_setstretchto"),
        *("event_whentouchingobject", "control_while", "control_for_each", "control_all_at_once"),
        *("control_get_counter", "control_incr_counter", "control_clear_counter"),
        *("sensing_loud", "sensing_userid"),
    )
)
"""Blocks of old projects that scratchblocks does not know as such, so that they say what they are."""


@dataclass(frozen=True, slots=True)
class ScriptText:
    """A script as block text.

    Parameters
    ----------
    target
        Name of the stage or sprite.
    index
        Number of the script in it, from 1.
    text
        The script, one block a line.
    """

    target: str
    index: int
    text: str


def block_text(project: Project, language: str) -> tuple[ScriptText, ...]:
    """Write the scripts of a project as text.

    Parameters
    ----------
    project
        The project.
    language
        ``en`` or ``zh_CN``: of the blocks and menus. Names and texts are the project's own.

    Returns
    -------
    tuple of ScriptText
        One for each script, in the order of the file.
    """
    end = _END[LANGUAGES.index(language)] if language in LANGUAGES else ""
    return tuple(
        ScriptText(
            telling.target.name,
            telling.index,
            "\n".join(line for phrase in telling.phrases for line in _lines(phrase, end)),
        )
        for telling in tell(project, language)
    )


def _lines(phrase: Phrase, end: str, *, remarks: bool = True) -> list[str]:
    if phrase.shape in ("reporter", "menu", BOOLEAN):
        return [_inline(phrase)]
    remark = _remark(phrase.comments) if remarks else ""
    if phrase.opcode in _SELDOM and any(isinstance(part, Mouth) for part in phrase.parts):
        return _embraced(phrase, end, remarks=remarks)
    lines: list[str] = []
    words: list[str] = []
    for part in phrase.parts:
        if isinstance(part, Mouth):
            lines.append(" ".join(words) + (remark if not lines else ""))
            inside = [line for one in part.phrases for line in _lines(one, end, remarks=remarks)]
            lines.extend("  " + line for line in inside)
            words = []
        else:
            words.append(_part(part, phrase))
    if lines:
        return [*lines, end]
    if phrase.opcode == "procedures_call":
        words.append(":: custom stack" if " ".join(words).lower() in _CLOSING else ":: custom")
    return [" ".join([*words, *_marks(phrase)]) + remark]


def _embraced(phrase: Phrase, end: str, *, remarks: bool) -> list[str]:
    """Write a block with a mouth that only braces tell the reader of the notation of.

    No note can stand between braces, so the notes of what is inside come last.
    """
    words = [_part(part, phrase) for part in phrase.parts if not isinstance(part, Mouth)]
    inside = [one for part in phrase.parts if isinstance(part, Mouth) for one in part.phrases]
    lines = [f"  {line}" for one in inside for line in _lines(one, end, remarks=False)]
    remark = _remark(tuple(_all_comments(phrase))) if remarks else ""
    return [" ".join([*words, "{"]), *lines, f"}} :: {phrase.category}{remark}"]


def _all_comments(phrase: Phrase) -> Iterator[str]:
    yield from phrase.comments
    for part in phrase.parts:
        if isinstance(part, Mouth):
            for one in part.phrases:
                yield from _all_comments(one)


def _remark(comments: tuple[str, ...]) -> str:
    """Return the end of a line that holds notes; one of several lines becomes one."""
    note = " ".join(" ".join(comments).split())
    return f" // {note}" if note else ""


def _marks(phrase: Phrase) -> list[str]:
    """Return category and shape of a block that other readers of the notation do not know."""
    return [f":: {phrase.category} {phrase.shape}"] if phrase.opcode in _SELDOM else []


def _part(part: str | Icon | Slot | Mouth | Phrase, owner: Phrase) -> str:
    match part:
        case str():
            # The words of Scratch need no escape; those of a custom block are anybody's.
            return _escape_words(part) if owner.category == "custom" else part
        case Icon(name):
            return f"@{name}"
        case Slot():
            return _slot(part)
        case Phrase():
            return _inline(part)
        case Mouth():
            raise TypeError("a mouth stands on lines of its own")


def _inline(phrase: Phrase) -> str:
    opening, closing = "<>" if phrase.shape == BOOLEAN else "()"
    if phrase.shape == "menu":
        return f"({_escape_words(str(phrase.parts[0]))} v)"
    if kind := _KIND.get(phrase.opcode):
        return f"{opening}{_escape_words(str(phrase.parts[0]))} :: {kind}{closing}"
    words = [*(_part(part, phrase) for part in phrase.parts), *_marks(phrase)]
    return opening + " ".join(words) + closing


def _slot(slot: Slot) -> str:
    match slot.kind:
        case "boolean":
            return "<>"
        case "field":
            return f"[{_escape(slot.text)} v]"
        case "menu":
            return f"({_escape_words(slot.text)} v)"
        case "number" if _NUMBER.fullmatch(slot.text):
            return f"({slot.text})"
        case "colour":
            return f"[{slot.text}]"
    text = _escape(slot.text)
    if text.endswith(" v"):
        text = text[:-1] + "\\v"
    if _COLOUR.fullmatch(text):
        text = "\\" + text
    return f"[{text}]"


def _escape(text: str) -> str:
    """Escape what ends a text or a name, or begins another thing; a line break is kept."""
    escaped = re.sub(r"[\\\[\]()<>@%\n◂▸{}]", lambda match: "\\" + match[0], text)
    # The reader of the notation turns these two back into signs before it looks at anything else.
    return re.sub(r"&(?=[lg]t;)", "&\\\\", escaped)


def _escape_words(text: str) -> str:
    escaped = _escape(text).replace("::", "\\:\\:").replace("//", "\\/\\/")
    escaped = re.sub(r"^([+-])", r"\\\1", escaped)
    # Words are told apart by single spaces; any other white space belongs to a name. A line break has its
    # escape by now.
    return re.sub(r"^[^\S\n]|[^\S\n]\Z|(?<=\s)[^\S\n]|[^\S \n]", lambda match: "\\" + match[0], escaped)
