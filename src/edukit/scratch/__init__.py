"""Scratch 3 projects: read safely, put into words, drawn, authored.

The package knows nothing of Sphinx. The way through it: a ``.sb3`` file is unpacked
(:mod:`~edukit.scratch.package`) and read (:mod:`~edukit.scratch.reading`) into a model
(:mod:`~edukit.scratch.model`), or a model is made by a program (:mod:`~edukit.scratch.author`); the model
is put into the words of a language (:mod:`~edukit.scratch.wording`) and these are written as text
(:mod:`~edukit.scratch.notation`), read aloud (:mod:`~edukit.scratch.speaking`) or drawn
(:mod:`~edukit.scratch.drawing`); text is read back by :mod:`~edukit.scratch.parsing`.
:mod:`~edukit.scratch.checking` looks a project over.
"""

from .drawing import draw_inline, draw_script, draw_stage
from .findings import Finding, ScratchError
from .model import Project
from .notation import ScriptText, block_text
from .package import LIMITS, Limits
from .parsing import Problem, Reading, own_words, read_block_text, with_own_words
from .reading import check, load
from .speaking import SpokenLine, SpokenScript, spoken
from .writing import save

__all__ = [
    "LIMITS",
    "Finding",
    "Limits",
    "Problem",
    "Project",
    "Reading",
    "ScratchError",
    "ScriptText",
    "SpokenLine",
    "SpokenScript",
    "block_text",
    "check",
    "draw_inline",
    "draw_script",
    "draw_stage",
    "load",
    "own_words",
    "read_block_text",
    "save",
    "spoken",
    "with_own_words",
]
