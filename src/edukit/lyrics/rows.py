"""A row of a lyric file, cleaned, that still knows where each of its characters stood."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file.

    Parameters
    ----------
    number
        Its number in the file, from 1.
    text
        Its text without invisible characters, every kind of space an ordinary one.
    columns
        The column in the file, from 1, of each character of ``text``, and of its end.
    """

    number: int
    text: str
    columns: tuple[int, ...]

    def part(self, start: int, stop: int | None = None) -> "Row":
        """Return a part of the row without the spaces around it."""
        text = self.text[start:stop]
        start += len(text) - len(text.lstrip())
        text = text.strip()
        return Row(self.number, text, self.columns[start : start + len(text) + 1])

    @property
    def column(self) -> int:
        """The column in the file where the text begins."""
        return self.columns[0]
