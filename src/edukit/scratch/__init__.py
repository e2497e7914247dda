"""Scratch 3 projects: read safely, put into words, drawn, authored.

The package knows nothing of Sphinx. The way through it: a ``.sb3`` file is unpacked
(:mod:`~edukit.scratch.package`) and read (:mod:`~edukit.scratch.reading`) into a model
(:mod:`~edukit.scratch.model`), or a model is made by a program (:mod:`~edukit.scratch.author`); the model
is put into the words of a language (:mod:`~edukit.scratch.wording`) and these are written as text
(:mod:`~edukit.scratch.notation`) or drawn (:mod:`~edukit.scratch.drawing`).
"""

from .drawing import draw_script, draw_stage
from .findings import Finding, ScratchError
from .model import Project
from .notation import ScriptText, block_text
from .package import LIMITS, Limits
from .reading import check, load
from .writing import save

__all__ = [
    "LIMITS",
    "Finding",
    "Limits",
    "Project",
    "ScratchError",
    "ScriptText",
    "block_text",
    "check",
    "draw_script",
    "draw_stage",
    "load",
    "save",
]
