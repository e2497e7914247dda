"""A song as a deck of cards for Anki: its lines, and its words that have a meaning.

Each card is known by its song and its line, or its word, so that importing a deck again mends the cards
that are there and keeps what was learnt. A file made twice from the same song is the same, byte by byte.
"""

import hashlib
import html
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from edukit.lyrics.decisions import line_hashes
from edukit.lyrics.extras import needs_dictionaries
from edukit.lyrics.model import Song
from edukit.lyrics.study import Entry, vocabulary

TIMESTAMP = 1_577_836_800
"""What the cards of a song are dated that comes from no file: the beginning of 2020."""

# Anki knows kinds of notes and decks by these numbers; they must never change.
_LINE_MODEL = 1_702_164_881
_WORD_MODEL = 1_702_164_882
_FIRST_DECK = 1 << 30

_CSS = """
.card { font-family: sans-serif; font-size: 1.6rem; text-align: center; line-height: 1.5 }
.reading { font-size: 1.2rem; opacity: .8 }
.beside { font-size: .9rem; opacity: .7 }
"""


@needs_dictionaries
def to_anki(
    song: Song,
    path: str | Path,
    *,
    glosses: Mapping[str, str] | None = None,
    timestamp: float = TIMESTAMP,
) -> None:
    """Write a song as a deck for Anki.

    Parameters
    ----------
    song
        A Chinese or an English song.
    path
        The file to be written, ``….apkg``.
    glosses
        The teacher's own meanings of words, which win.
    timestamp
        The date of the cards, in seconds since 1970. Anki replaces a card by a newer one, so this is
        the time of the song's last change where there is one.
    """
    import genanki

    name = song.title or "Song"
    identity = _identity(song)
    deck = genanki.Deck(_FIRST_DECK + int(_digest(identity)[:7], 16), name, "")
    words = [entry for entry in vocabulary(song, glosses=glosses) if entry.gloss]
    if any(entry.source == "CC-CEDICT" for entry in words):
        from edukit.lyrics.glossary import ATTRIBUTION

        deck.description = f"{ATTRIBUTION}"
    lines, terms = _models(genanki)
    keys = line_hashes(song)
    readings = _readings(song)
    for number, (line, key) in enumerate(zip(song.lines, keys, strict=True), 1):
        fields = [line.text, readings[number - 1], line.translation or "", name, str(number)]
        deck.add_note(_note(genanki, lines, fields, (identity, "line", *map(str, key))))
    for entry in words:
        key_of_word = (identity, "word", entry.text, entry.reading or "")
        deck.add_note(_note(genanki, terms, _fields_of(entry, name), key_of_word))
    _write(genanki.Package(deck), Path(path), timestamp)


def _fields_of(entry: Entry, name: str) -> list[str]:
    level = f"{entry.standard} {entry.level}" if entry.level else ""
    source = "" if entry.source in ("", "teacher") else entry.source
    return [entry.text, entry.reading or "", entry.gloss, " · ".join(filter(None, [level, source])), name]


def _identity(song: Song) -> str:
    """Return what tells one song from another: two may have the same title."""
    return "\n".join([song.title, song.language, *(f"{role}:{name}" for role, name in song.people)])


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _note(genanki: Any, model: Any, fields: list[str], key: tuple[str, ...]) -> Any:
    # The fields of a card are HTML, and the words of a song are not.
    return genanki.Note(model, [html.escape(field) for field in fields], guid=_digest(*key)[:16])


def _models(genanki: Any) -> tuple[Any, Any]:
    lines = genanki.Model(
        _LINE_MODEL,
        "Song line",
        fields=[{"name": name} for name in ("Line", "Reading", "Translation", "Song", "Number")],
        templates=[
            {
                "name": "Line to meaning",
                "qfmt": '{{Line}}<p class="beside">{{Song}} · {{Number}}</p>',
                "afmt": '{{FrontSide}}<hr id="answer"><p class="reading">{{Reading}}</p>{{Translation}}',
            }
        ],
        css=_CSS,
    )
    words = genanki.Model(
        _WORD_MODEL,
        "Song word",
        fields=[{"name": name} for name in ("Word", "Reading", "Meaning", "Level", "Song")],
        templates=[
            {
                "name": "Word to meaning",
                "qfmt": '{{Word}}<p class="beside">{{Song}}</p>',
                "afmt": '{{FrontSide}}<hr id="answer"><p class="reading">{{Reading}}</p>{{Meaning}}'
                '<p class="beside">{{Level}}</p>',
            },
            {
                "name": "Meaning to word",
                "qfmt": '{{Meaning}}<p class="beside">{{Song}}</p>',
                "afmt": '{{FrontSide}}<hr id="answer">{{Word}}<p class="reading">{{Reading}}</p>',
            },
        ],
        css=_CSS,
    )
    return lines, words


def _readings(song: Song) -> list[str]:
    """Return how each line is read: as its words are, wherever it was typed without tones."""
    from edukit.lyrics.aloud import read_aloud
    from edukit.lyrics.english import pronounce

    if song.language == "en":
        return [" ".join(word.ipa or word.text for word in pronounce(line)) for line in song.lines]
    return [" ".join(one.pinyin or one.text for one in read_aloud(line)) for line in song.lines]


def _write(package: Any, path: Path, timestamp: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "deck.apkg"
        package.write_to_file(made, timestamp=timestamp)
        with zipfile.ZipFile(made) as packed:
            contents = [(name, packed.read(name)) for name in packed.namelist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in contents:
            # Without this the time at which the file was made would be in it.
            packed.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
