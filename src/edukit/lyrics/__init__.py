"""A song as data: read it from the teacher's file and say how its characters are read aloud.

``load`` reads the file into a `Song`; ``read_aloud`` says how a Chinese line is read and ``pronounce`` how
an English one is; ``proofread`` tells what seems wrong; ``vocabulary``, ``cloze`` and their like make
exercises of it, ``to_anki`` a deck of cards and ``prepare`` a file with all of this for a page. Nothing is
ever fetched.

Examples
--------
>>> from edukit.lyrics import Line, read_aloud
>>> line = Line("雨点儿，来啦！", reading="yǔdiǎnr, lái la!")
>>> [(syllable.text, syllable.pinyin, syllable.tone) for syllable in read_aloud(line)]
[('雨', 'yǔ', 3), ('点儿', 'diǎnr', 3), ('来', 'lái', 2), ('啦', 'la', 5)]
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from edukit.lyrics.aloud import read_aloud
    from edukit.lyrics.annotated import prepare
    from edukit.lyrics.decisions import Decision, line_hash, load_decisions
    from edukit.lyrics.deck import to_anki
    from edukit.lyrics.english import Spoken, pronounce
    from edukit.lyrics.files import load
    from edukit.lyrics.glossary import load_glosses
    from edukit.lyrics.model import Finding, Line, Loss, LyricsError, Song, Syllable, Word
    from edukit.lyrics.proof import proofread
    from edukit.lyrics.study import Entry, Gap, cloze, meaning_pairs, shuffled_lines, vocabulary
    from edukit.lyrics.writing import save

__all__ = [
    "Decision",
    "Entry",
    "Finding",
    "Gap",
    "Line",
    "Loss",
    "LyricsError",
    "Song",
    "Spoken",
    "Syllable",
    "Word",
    "cloze",
    "line_hash",
    "load",
    "load_decisions",
    "load_glosses",
    "meaning_pairs",
    "prepare",
    "pronounce",
    "proofread",
    "read_aloud",
    "save",
    "shuffled_lines",
    "to_anki",
    "vocabulary",
]

# A name is imported from its module when it is first used, so that reading a song never loads a
# dictionary. No module here has the name of a function: importing it would hide the function.
_MODULES = {
    "aloud": ["read_aloud"],
    "annotated": ["prepare"],
    "deck": ["to_anki"],
    "decisions": ["Decision", "line_hash", "load_decisions"],
    "english": ["Spoken", "pronounce"],
    "files": ["load"],
    "glossary": ["load_glosses"],
    "model": ["Finding", "Line", "Loss", "LyricsError", "Song", "Syllable", "Word"],
    "proof": ["proofread"],
    "study": ["Entry", "Gap", "cloze", "meaning_pairs", "shuffled_lines", "vocabulary"],
    "writing": ["save"],
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
