"""Block text: scripts in the notation of scratchblocks, which forums, wikis and teachers write.

The notation lets the reader of it guess what a word is. Nothing is left to guess here: variables, lists
and custom blocks always say so, because two Chinese labels may be the same for two blocks, and what a
child typed is escaped so that it stays text.
"""

import re
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


def _lines(phrase: Phrase, end: str) -> list[str]:
    if phrase.shape in ("reporter", "menu", BOOLEAN):
        return [_inline(phrase)]
    lines: list[str] = []
    words: list[str] = []
    for part in phrase.parts:
        if isinstance(part, Mouth):
            lines.append(" ".join(words))
            lines.extend("  " + line for inner in part.phrases for line in _lines(inner, end))
            words = []
        else:
            words.append(_part(part, phrase))
    if any(isinstance(part, Mouth) for part in phrase.parts):
        return [*lines, end]
    if phrase.opcode == "procedures_call":
        words.append(":: custom")
    return [" ".join(words)]


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
    return opening + " ".join(_part(part, phrase) for part in phrase.parts) + closing


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
    return re.sub(r"^([+-])", r"\\\1", escaped)
