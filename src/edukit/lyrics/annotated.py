"""A song with all that dictionaries know of it, for a page that has none.

The file is JSON in the shape in which the page keeps its own songs::

    {"kind": "edukit-song", "version": 1, "title": …, "language": "zh_CN", "people": [[role, name], …],
     "source": …, "rights": …,
     "lines": [{"text": …, "translation": …, "reading": …, "start": …, "end": …, "section": …,
                "words": [[text, start, end], …],
                "parts": [[start, stop, reading, tone, zhuyin, group], …], "translationParts": …,
                "other": …, "spoken": [[stress, lemma, level, weak, links], …]}, …],
     "vocabulary": [[text, reading, gloss, level], …], "standard": …, "attribution": …}

Of ``parts`` each is a syllable of Chinese or a word of English, and those with one ``group`` are a
word; ``start`` and ``stop`` count as JavaScript does. ``spoken`` says more of each part of an English
line, ``other`` is a Chinese line in the other script. What is empty is left out.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from edukit.lyrics.aligning import HAN
from edukit.lyrics.extras import needs_dictionaries
from edukit.lyrics.model import Line, Song
from edukit.lyrics.study import vocabulary

KIND = "edukit-song"
VERSION = 1


@needs_dictionaries
def prepare(song: Song, *, glosses: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return a song with readings, meanings and levels, to be written as JSON.

    Examples
    --------
    >>> song = Song("", "zh_CN", lines=(Line("星星"),))
    >>> prepare(song, glosses={"星星": "star"})["lines"][0]["parts"]
    [[0, 1, 'xīng', 1, 'ㄒㄧㄥ', 0], [1, 2, 'xing', 5, '˙ㄒㄧㄥ', 0]]
    """
    from edukit.lyrics.glossary import ATTRIBUTION

    entries = [entry for entry in vocabulary(song, glosses=glosses) if entry.gloss]
    standards = [entry.standard for entry in entries if entry.standard]
    return _without_nothing(
        {
            "kind": KIND,
            "version": VERSION,
            "title": song.title,
            "language": song.language,
            "people": [list(person) for person in song.people],
            "source": song.source,
            "rights": song.rights,
            "lines": [_line(line, song.language) for line in song.lines],
            "vocabulary": [[entry.text, entry.reading, entry.gloss, entry.level] for entry in entries],
            "standard": standards[0] if standards else None,
            "attribution": ATTRIBUTION if any(entry.source == "CC-CEDICT" for entry in entries) else None,
        }
    )


def prepared_path(path: Path) -> Path:
    """Return where the annotated form of a song file lies."""
    return path.with_name(f"{path.name}.song.json")


def save_prepared(data: Mapping[str, Any], path: Path) -> None:
    """Write an annotated song, a line and a word of it to a row."""
    rows = []
    for key, value in data.items():
        written = json.dumps(value, ensure_ascii=False)
        if key in ("lines", "vocabulary"):
            inner = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in value)
            written = f"[\n  {inner}\n ]"
        rows.append(f" {json.dumps(key)}: {written}")
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8", newline="\n")


def _line(line: Line, language: str) -> dict[str, Any]:
    translation = line.translation or ""
    data: dict[str, Any] = {
        "text": line.text,
        "translation": translation,
        "reading": line.reading,
        "start": line.start,
        "end": line.end,
        "section": line.section,
        "words": [[word.text, word.start, word.end] for word in line.words],
        "parts": list(_parts(line, language)),
        "translationParts": list(_parts(Line(translation), "zh_CN" if HAN.search(translation) else "en")),
        "other": _other_script(line.text, language),
    }
    if language == "en":
        from edukit.lyrics.english import pronounce

        data["spoken"] = [
            [list(one.stress), one.lemma, one.level, one.weak, one.links] for one in pronounce(line)
        ]
    return _without_nothing(data)


def _parts(line: Line, language: str) -> Iterator[list[Any]]:
    if language == "en":
        from edukit.lyrics.english import pronounce, words_of

        words = zip(words_of(line.text), pronounce(line), strict=True)
        for group, ((_, start, stop), one) in enumerate(words):
            yield [_place(line.text, start), _place(line.text, stop), one.ipa, None, None, group]
        return
    from edukit.lyrics.aloud import read_aloud
    from edukit.lyrics.sandhi import in_words

    for group, word in enumerate(in_words(read_aloud(line))):
        for syllable in word:
            start, stop = _place(line.text, syllable.start), _place(line.text, syllable.stop)
            yield [start, stop, syllable.pinyin, syllable.tone, syllable.zhuyin, group]


def _place(text: str, at: int) -> int:
    """Return a place as JavaScript counts, where a character beyond the first 65,536 is two."""
    return at + sum(character > "\uffff" for character in text[:at])


def _other_script(text: str, language: str) -> str | None:
    if language == "en" or not HAN.search(text):
        return None
    from edukit.lyrics.script import simplified, traditional

    return simplified(text) if language == "zh_TW" else traditional(text)


def _without_nothing(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None and value not in ("", [])}
