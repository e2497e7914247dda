"""Scripts as plain text that is read aloud, printed and searched.

The words are those of the blocks. What the shapes of a picture tell is told by signs: a typed text
stands in quotation marks, a block inside a block in parentheses, and what is inside a mouth one level
deeper than the block.
"""

import re
from dataclasses import dataclass

from .model import Project
from .opcodes import BOOLEAN, ICONS, LANGUAGES, Icon
from .wording import Mouth, Phrase, Slot, tell

_WORDS = {
    "nothing": ("nothing", "空"),
    "empty": ("empty", "空"),
    "end": ("end", "结束"),
    "comment": ("note: {}", "注释：{}"),
}


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A line of a script: how deep it stands inside other blocks, and what it says."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class SpokenScript:
    """A script as it is read aloud.

    Parameters
    ----------
    target
        Name of the stage or sprite.
    index
        Number of the script in it, from 1.
    lines
        Its lines; a block with a mouth ends with a line of its own.
    """

    target: str
    index: int
    lines: tuple[SpokenLine, ...]

    @property
    def text(self) -> str:
        """The lines, each further in by two spaces for each level."""
        return "\n".join("  " * line.level + line.text for line in self.lines)


def spoken(project: Project, language: str) -> tuple[SpokenScript, ...]:
    """Put the scripts of a project into plain text.

    Parameters
    ----------
    project
        The project.
    language
        ``en`` or ``zh_CN``.

    Returns
    -------
    tuple of SpokenScript
        One for each script, in the order of :func:`~edukit.scratch.notation.block_text`.
    """
    tellings = tell(project, language)
    speaker = _Speaker(language)
    return tuple(
        SpokenScript(
            one.target.name,
            one.index,
            tuple(line for phrase in one.phrases for line in speaker.lines(phrase, 0)),
        )
        for one in tellings
    )


class _Speaker:
    """What is the same for all scripts in a language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.number = LANGUAGES.index(language)

    def word(self, name: str) -> str:
        return _WORDS[name][self.number]

    def lines(self, phrase: Phrase, level: int) -> list[SpokenLine]:
        if phrase.shape in ("reporter", "menu", BOOLEAN):
            return [SpokenLine(level, self.inline(phrase))]
        notes = [self.word("comment").format(" ".join(note.split())) for note in phrase.comments]
        result: list[SpokenLine] = []
        words: list[str] = []
        for part in phrase.parts:
            if not isinstance(part, Mouth):
                words.append(self.part(part))
                continue
            result.append(SpokenLine(level, self.join(words)))
            words = []
            inside = [line for inner in part.phrases for line in self.lines(inner, level + 1)]
            result += inside or [SpokenLine(level + 1, self.word("nothing"))]
        if result:
            result.append(SpokenLine(level, self.word("end")))
        else:
            result.append(SpokenLine(level, self.join(words)))
        result[1:1] = [SpokenLine(level + 1, note) for note in notes]
        return result

    def part(self, part: str | Icon | Slot | Mouth | Phrase) -> str:
        match part:
            case str():
                return part
            case Icon(name):
                return ICONS[name][self.number]
            case Slot():
                return self.slot(part)
            case Phrase():
                return self.inline(part)
            case Mouth():
                raise TypeError("a mouth stands on lines of its own")

    def inline(self, phrase: Phrase) -> str:
        words = self.join([self.part(part) for part in phrase.parts])
        if len(phrase.parts) == 1:
            return words
        return f"（{words}）" if self.language == "zh_CN" else f"({words})"

    def slot(self, slot: Slot) -> str:
        text = " ".join(slot.text.split())
        if not text:
            return self.word("empty")
        return f"“{text}”" if slot.kind == "text" and not _NUMBER.fullmatch(text) else text

    def join(self, words: list[str]) -> str:
        text = " ".join(word for word in words if word)
        # Between Chinese characters and signs stands no space; beside other letters there is one.
        return _WIDE_GAP.sub("", text) if self.language == "zh_CN" else text


_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_HAN, _SIGN = "\u3400-\u9fff", "\u3000-\u303f\uff00-\uffef“”"
_WIDE_GAP = re.compile(rf"(?<=[{_HAN}]) (?=[{_HAN}])|(?<=[{_SIGN}]) | (?=[{_SIGN}])")
