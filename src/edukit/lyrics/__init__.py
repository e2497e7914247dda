"""A song as data: read it from the teacher's file and say how its characters are read aloud.

``load`` reads the file into a `Song`; ``read_aloud`` pairs the characters of a line with the pinyin
that was typed for it. Only the standard library is used, and nothing is ever fetched.

Examples
--------
>>> from edukit.lyrics import Line, read_aloud
>>> line = Line("雨点儿，来啦！", reading="yǔdiǎnr, lái la!")
>>> [(syllable.text, syllable.pinyin, syllable.tone) for syllable in read_aloud(line)]
[('雨', 'yǔ', 3), ('点儿', 'diǎnr', 3), ('来', 'lái', 2), ('啦', 'la', 5)]
"""

from edukit.lyrics.aloud import read_aloud
from edukit.lyrics.files import load
from edukit.lyrics.model import Finding, Line, LyricsError, Song, Syllable, Word

__all__ = [
    "Finding",
    "Line",
    "LyricsError",
    "Song",
    "Syllable",
    "Word",
    "load",
    "read_aloud",
]
