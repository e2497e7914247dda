"""A melody in numbered notation, jianpu, as the notes that a page can play.

One row of notation belongs to one line of the song, so that each note finds its syllable::

    # The head: the key, the meter, the tempo in quarters a minute.
    1=G 4/4 96
    * 0 0 0 5 |
    1 1 2 3 | 5 - - 3_ 2_ |
    3 2 1 ~2_ 1_ | 1 - - 0 |
    = 1

- ``1`` to ``7`` are the notes of the scale and ``0`` is a rest, each a quarter long.
- ``#4`` and ``b7`` are half a tone higher or lower; ``1'`` is an octave higher, ``5,`` one lower.
- ``5_`` is half as long, ``5__`` a quarter of it; ``5.`` half as long again, ``5_.`` both; each ``-``
  after a note holds it for a quarter more.
- ``~5`` is sung on the syllable of the note before it.
- ``|`` ends a bar, and the bar has to be full; only the first of all may be shorter, an upbeat.
- A row that begins with ``*`` has no words. ``= 1`` sings what line 1 sings.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

_HEAD = re.compile(r"1\s*=\s*([#b♯♭]?)([A-G])\s+(\d{1,2})/(2|4|8|16)\s+(\d{1,3})")
_TOKEN = re.compile(r"(~?)([#b♯♭]?)([0-7])(['’]*|,*)(_{0,3})(\.?)(?![\d'’,_.])|(-)|(\|)")
_REPEAT = re.compile(r"=\s*(\d+)")
_SCALE = {"1": 0, "2": 2, "3": 4, "4": 5, "5": 7, "6": 9, "7": 11}
_TONICS = {"C": 60, "D": 62, "E": 64, "F": 65, "G": 67, "A": 57, "B": 59}
_LOWEST, _HIGHEST = 33, 96
_SLOWEST, _FASTEST = 30, 240


@dataclass(frozen=True, slots=True)
class Note:
    """A note to be played.

    Parameters
    ----------
    pitch
        Its number in MIDI: 60 is the middle c.
    start, beats
        When it begins and how long it is, in quarters.
    line, syllable
        The line of the song and the syllable in it, both from 0; None where nothing is sung.
    """

    pitch: int
    start: Fraction
    beats: Fraction
    line: int | None
    syllable: int | None


@dataclass(frozen=True, slots=True)
class Melody:
    """The notes of a song; ``bar`` is the length of a bar and ``upbeat`` what stands before the first."""

    tempo: int
    bar: Fraction
    upbeat: Fraction
    beats: Fraction
    notes: tuple[Note, ...]


class JianpuError(Exception):
    """What is wrong in a melody, at its line and column, both from 1."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.message = message


@dataclass(slots=True)
class _Row:
    """A row of notation without its comment, and the line of the file that it stands in."""

    text: str
    line: int
    sung: bool


def read_melody(text: str, syllables: Sequence[int | None]) -> Melody:
    r"""Read a melody.

    Parameters
    ----------
    text
        The notation.
    syllables
        How many syllables each line of the song has, None where it is not known.

    Raises
    ------
    JianpuError
        If a note cannot be read, a bar is not full, or a line has another number of notes than
        syllables.

    Examples
    --------
    >>> melody = read_melody("1=C 4/4 90\n1 2_ 3_ 5 - |", [4])
    >>> [(note.pitch, float(note.beats)) for note in melody.notes]
    [(60, 1.0), (62, 0.5), (64, 0.5), (67, 2.0)]
    """
    (tonic, tempo, bar), rows = _head(text)
    sung: list[_Row] = []
    player = _Player(tonic, bar)
    for row in rows:
        if not row.sung:
            player.play(row, None)
            continue
        at = len(sung)
        sung.append(row)
        if at >= len(syllables):
            raise JianpuError(row.line, 1, f"the song has {len(syllables)} lines, and this is one more")
        notation = row
        if repeat := _REPEAT.fullmatch(row.text.strip()):
            of = int(repeat[1]) - 1
            if not 0 <= of < at or sung[of].text.strip().startswith("="):
                message = f"“{row.text.strip()}” has to name a line above that has notes of its own"
                raise JianpuError(row.line, 1, message)
            notation = _Row(sung[of].text, row.line, sung=True)
        count = player.play(notation, at)
        if (wanted := syllables[at]) is not None and count != wanted:
            message = f"line {at + 1} of the song has {wanted} syllables and its melody {count} notes"
            raise JianpuError(row.line, 1, message)
    if not player.notes:
        raise JianpuError(1, 1, "the melody has no notes")
    return Melody(tempo, bar, player.upbeat or Fraction(0), player.now, tuple(player.notes))


def _head(text: str) -> tuple[tuple[int, int, Fraction], list[_Row]]:
    rows = []
    head: tuple[int, int, Fraction] | None = None
    for number, raw in enumerate(re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")), 1):
        # A # before a note raises it, so that a comment is a row of its own or begins with "# ".
        row = re.sub(r"(^\s*#(?!\d)|\s#\s).*", "", raw).rstrip()
        if not row.strip():
            continue
        if head is None:
            match = _HEAD.fullmatch(row.strip())
            tempo = int(match[5]) if match else 0
            if not match or int(match[3]) == 0 or not _SLOWEST <= tempo <= _FASTEST:
                message = (
                    "the first row names the key, the meter and the tempo "
                    f"({_SLOWEST} to {_FASTEST}): 1=C 4/4 90"
                )
                raise JianpuError(number, 1, message)
            tonic = _TONICS[match[2]] + _accidental(match[1])
            head = tonic, tempo, Fraction(int(match[3]) * 4, int(match[4]))
        elif row.lstrip().startswith("*"):
            rows.append(_Row(row.replace("*", " ", 1), number, sung=False))
        else:
            rows.append(_Row(row, number, sung=True))
    if head is None:
        raise JianpuError(1, 1, "the melody is empty")
    return head, rows


def _accidental(sign: str) -> int:
    return {"": 0, "#": 1, "♯": 1, "b": -1, "♭": -1}[sign]


class _Player:
    """Keeps the time while the rows are read."""

    def __init__(self, tonic: int, bar: Fraction) -> None:
        self.tonic = tonic
        self.bar = bar
        self.now = Fraction(0)
        self.in_bar = Fraction(0)
        self.upbeat: Fraction | None = None
        self.notes: list[Note] = []
        self.holds: bool = False
        """Whether the last sign was a note: a rest that is held only lets time pass."""

    def play(self, row: _Row, line: int | None) -> int:
        """Add the notes of a row and return how many syllables they are sung on."""
        syllable = -1
        fresh = True
        at = 0
        while at < len(row.text):
            if row.text[at].isspace():
                at += 1
                continue
            match = _TOKEN.match(row.text, at)
            if match is None:
                sign = row.text[at:].split()[0]
                raise JianpuError(row.line, at + 1, f"“{sign}” is no note: write for example 5, 5_ or #4'")
            tie, sharp, degree, octave, short, dot, hold, bar = match.groups()
            if bar:
                self._end_bar(row, at)
            elif hold:
                self._hold(row, at, fresh)
            else:
                beats = Fraction(1, 2 ** len(short)) * (Fraction(3, 2) if dot else 1)
                if tie and (syllable < 0 or degree == "0"):
                    raise JianpuError(row.line, at + 1, "a ~ stands before a note that follows another")
                if degree != "0":
                    pitch = self.tonic + _SCALE[degree] + _accidental(sharp)
                    pitch += 12 * (-len(octave) if octave.startswith(",") else len(octave))
                    if not _LOWEST <= pitch <= _HIGHEST:
                        raise JianpuError(row.line, at + 1, "nobody can sing this note: it is too far off")
                    syllable += not tie
                    place = None if line is None else syllable
                    self.notes.append(Note(pitch, self.now, beats, line, place))
                self.holds = degree != "0"
                self._pass(beats)
                fresh = False
            at = match.end()
        return syllable + 1

    def _pass(self, beats: Fraction) -> None:
        self.now += beats
        self.in_bar += beats

    def _hold(self, row: _Row, at: int, fresh: bool) -> None:
        if fresh and not self.now:
            raise JianpuError(row.line, at + 1, "a - holds the note before it, and there is none")
        if self.holds:
            last = self.notes[-1]
            self.notes[-1] = Note(last.pitch, last.start, last.beats + 1, last.line, last.syllable)
        self._pass(Fraction(1))

    def _end_bar(self, row: _Row, at: int) -> None:
        if self.upbeat is None and 0 < self.in_bar <= self.bar:
            self.upbeat = self.in_bar % self.bar
        elif self.in_bar != self.bar:
            has, wanted = float(self.in_bar), float(self.bar)
            message = f"the bar that ends here has {has:g} quarters and not {wanted:g}"
            raise JianpuError(row.line, at + 1, message)
        self.in_bar = Fraction(0)
