"""The agreed terms of a project: ``glossary.csv``, which a spreadsheet can edit.

The first line names the columns: ``term``, a column for each language (``zh_CN``), and, where wanted, one
of translations to avoid (``zh_CN avoid``) and one of notes (``note``). Several translations of a term are
parted by ``;`` or ``；``; the first one is preferred. ``#`` before a term takes its line out.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .project import ProjectError


@dataclass(frozen=True, slots=True)
class Term:
    """A term with its agreed translations and those to avoid."""

    term: str
    translations: tuple[str, ...]
    avoid: tuple[str, ...] = ()
    note: str = ""


def read_glossary(path: Path, language: str) -> tuple[Term, ...]:
    """Read the terms of a language, the longest first.

    Raises
    ------
    ProjectError
        The file is no table with a column ``term``; or a term stands in it twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ProjectError(f"{path}: this is not UTF-8: save the table in that encoding") from None
    except OSError as error:
        raise ProjectError(f"{path}: this cannot be read: {error.strerror}") from None
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    terms: dict[str, Term] = {}
    try:
        head = [cell.strip() for cell in next(rows, [])]
        if "term" not in head:
            raise ProjectError(
                f"{path}:1: the first line names the columns, such as term,zh_CN,note; "
                "there is no term in it"
            )
        for cells in rows:
            row = dict(zip(head, (cell.strip() for cell in cells), strict=False))
            name = row.get("term", "")
            if not name or name.startswith("#") or not row.get(language):
                continue
            if name in terms:
                raise ProjectError(f"{path}:{rows.line_num}: {name!r} stands here for the second time")
            terms[name] = Term(
                name, _parts(row[language]), _parts(row.get(f"{language} avoid", "")), row.get("note", "")
            )
    except csv.Error as error:
        raise ProjectError(f"{path}:{rows.line_num}: this is no CSV: {error}") from None
    return tuple(sorted(terms.values(), key=lambda one: -len(one.term)))


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split("[;；]", cell) if part.strip())


def pattern(text: str) -> re.Pattern[str]:
    """Return what finds a term in its inflected forms; a term in Chinese is found as it is.

    Examples
    --------
    >>> [bool(pattern("query").search(text)) for text in ("Queries", "a query's", "queryable")]
    [True, True, False]
    >>> bool(pattern("dot product").search("dot-products"))
    True
    """
    if not re.search(r"[A-Za-zÀ-ɏ]", text):
        return re.compile(re.escape(text))
    *words, last = re.split(r"[\s-]+", text)
    endings = rf"{re.escape(last)}(?:s|es|['’]s)?"
    if re.search(r"[^aeiou]y\Z", last):
        endings = rf"(?:{endings}|{re.escape(last[:-1])}ies)"
    elif last.endswith("is"):
        endings = rf"(?:{endings}|{re.escape(last[:-2])}es)"
    elif last.endswith("ix"):
        endings = rf"(?:{endings}|{re.escape(last[:-2])}ices)"
    joined = r"[\s-]+".join([*map(re.escape, words), endings])
    # A name that is written with capitals inside is no other word.
    is_name = bool(re.search(r"[A-Z]", text[1:]))
    return re.compile(rf"(?<![\w-]){joined}(?![\w-])", 0 if is_name else re.IGNORECASE)


class Glossary:
    """The terms of a language, ready to be looked for."""

    def __init__(self, terms: tuple[Term, ...]) -> None:
        self._terms = [(term, pattern(term.term)) for term in terms]
        self._sought: dict[str, re.Pattern[str]] = {}

    def __bool__(self) -> bool:
        return bool(self._terms)

    def in_text(self, prose: str, kept: str = "") -> Iterator[Term]:
        """Yield the terms of a text; what belongs to a longer term is not one by itself.

        A term that a translation keeps in the language of the source, as in the title of a book, is not to
        be translated there: ``kept`` is the translation.
        """
        for term, sought in self._terms:
            prose, count = sought.subn("\ue004", prose)
            if count:
                if kept:
                    kept, still = sought.subn("\ue004", kept)
                    count -= still
                if count > 0:
                    yield term

    def has(self, text: str, translation: str) -> bool:
        """Tell whether a translation stands in a text."""
        if translation not in self._sought:
            self._sought[translation] = pattern(translation)
        return bool(self._sought[translation].search(text))
