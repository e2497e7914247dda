"""Bilingual course sites with Sphinx: computed lessons, song study pages, Scratch activities."""

__version__ = "0.1.0"
