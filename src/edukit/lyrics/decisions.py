"""What a teacher has decided about a song: these findings are right as they stand.

The decisions lie beside the song, in ``<song file>.decisions.toml``. Each belongs to a line by the
hash of its text, so that it never lands on another one when lines are moved, and by its occurrence, for
a line that is sung again may be sung otherwise. The words of the song are not in the file.
"""

import hashlib
import json
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from edukit.lyrics.model import Finding, LyricsError, Song

_VERSION = 1
_HEAD = """# What the teacher decided about this song: these findings are right as they stand. Each belongs
# to a line by the hash of its text and by its occurrence, and holds as long as neither changes.
# 教师对这首歌的决定：下列各处照原样保留。每条决定按歌词行的散列值和出现次序对应，行一改动即失效。
"""


@dataclass(frozen=True, slots=True)
class Decision:
    """A finding that is right as it stands.

    Parameters
    ----------
    line
        The hash of the line's text, as `line_hash` gives it.
    occurrence
        Which of the lines with this text it is, from 1.
    code, column, typed
        Those of the finding.
    """

    line: str
    occurrence: int
    code: str
    column: int
    typed: str

    def covers(self, finding: Finding, key: tuple[str, int]) -> bool:
        """Tell whether a finding on the line with this hash and occurrence has been decided."""
        return (self.line, self.occurrence) == key and (self.code, self.column, self.typed) == (
            finding.code,
            finding.column,
            finding.typed,
        )


def line_hash(text: str) -> str:
    """Return the hash that stands for a line: 8 hexadecimal digits.

    How many spaces there are and how letters are encoded makes no difference.

    Examples
    --------
    >>> line_hash("One word") == line_hash(" One  word ")
    True
    """
    whole = " ".join(unicodedata.normalize("NFKC", text).split())
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def line_hashes(song: Song) -> list[tuple[str, int]]:
    """Return the hash of every line and which of the lines with this text it is."""
    seen: Counter[str] = Counter()
    keys = []
    for line in song.lines:
        digest = line_hash(line.text)
        seen[digest] += 1
        keys.append((digest, seen[digest]))
    return keys


def decisions_path(path: Path) -> Path:
    """Return where the decisions about a song file lie."""
    return path.with_name(f"{path.name}.decisions.toml")


def decide(song: Song, findings: Iterable[Finding]) -> tuple[Decision, ...]:
    """Return the decisions that findings of a song are right as they stand."""
    keys = line_hashes(song)
    return tuple(
        Decision(*keys[finding.line - 1], finding.code, finding.column, finding.typed)
        for finding in findings
    )


def load_decisions(path: Path) -> tuple[Decision, ...]:
    """Read the decisions about a song file; there are none where there is no file of them.

    Raises
    ------
    LyricsError
        If the file of decisions is not one.
    """
    place = decisions_path(path)
    try:
        content = place.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise LyricsError(
            place, None, None, "decisions", f"the decisions cannot be read: {error}"
        ) from None
    try:
        data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise LyricsError(place, None, None, "decisions", f"this is not TOML: {error}") from None
    if data.get("version") != _VERSION:
        raise LyricsError(
            place,
            None,
            None,
            "decisions",
            f"version {data.get('version')} of decisions is not read, only {_VERSION}",
        )
    entries = data.get("decision", [])
    if not isinstance(entries, list):
        raise LyricsError(place, None, None, "decisions", "decisions are written as [[decision]]")
    return tuple(_read(place, number, entry) for number, entry in enumerate(entries, 1))


def _read(place: Path, number: int, entry: object) -> Decision:
    kinds = {"line": str, "occurrence": int, "code": str, "column": int, "typed": str}
    if not isinstance(entry, dict) or any(
        type(entry.get(name)) is not kind for name, kind in kinds.items()
    ):
        names = ", ".join(kinds)
        raise LyricsError(
            place,
            None,
            None,
            "decisions",
            f"decision {number} is not whole: it needs {names}; delete it or mend it",
        )
    return Decision(**{name: entry[name] for name in kinds})


def save_decisions(path: Path, decisions: Iterable[Decision]) -> Path:
    """Write the decisions about a song file, and return where they lie."""
    place = decisions_path(path)
    blocks = [
        f"[[decision]]\nline = {_quoted(one.line)}\noccurrence = {one.occurrence}\n"
        f"code = {_quoted(one.code)}\ncolumn = {one.column}\ntyped = {_quoted(one.typed)}\n"
        for one in dict.fromkeys(decisions)
    ]
    place.write_text("\n".join([f"{_HEAD}version = {_VERSION}\n", *blocks]), encoding="utf-8", newline="\n")
    return place


def _quoted(text: str) -> str:
    # The strings of TOML and of JSON are written alike, but for the character that JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
