"""Words, and how much of a page is translated.

English is counted by words and Chinese by characters, as translators and word processors do.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from .pofile import Message
from .project import Project

# Scripts that put no spaces between words: each sign counts.
_SIGNS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_SIGN = re.compile(f"[{_SIGNS}]")
_WORD = re.compile(r"[^\W_]\w*(?:[’'-]\w+)*")


def words(text: str) -> int:
    """Return how many words a text has; each Chinese, Japanese or Korean sign counts as one.

    Examples
    --------
    >>> words("It's a well-known song."), words("我们一起唱 Let It Go。")
    (4, 8)
    """
    if text.isascii():
        # As word processors do it, and ten times as fast: a build counts every message.
        return len(text.split())
    text, count = _SIGN.subn(" ", text)
    return count + len(_WORD.findall(text))


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of some messages is translated.

    Parameters
    ----------
    messages, translated, fuzzy, missing
        How many messages there are, and in which state.
    changed, new, gone
        What makes a translation stale: texts that have changed since they were translated, texts that the
        catalog lacks, and texts of the catalog that the page no longer has.
    words, words_done
        The words of the source, and of the part of it that is translated.
    """

    messages: int = 0
    translated: int = 0
    fuzzy: int = 0
    missing: int = 0
    changed: int = 0
    new: int = 0
    gone: int = 0
    words: int = 0
    words_done: int = 0

    @property
    def stale(self) -> int:
        """How many messages are behind the page: a text that changed there is new and gone at once."""
        return self.changed + max(self.new, self.gone)

    @property
    def words_left(self) -> int:
        """How many words wait for a translation."""
        return self.words - self.words_done

    @property
    def percent(self) -> int:
        """Return the translated share of the words, rounded down: 100 means all.

        Examples
        --------
        >>> Coverage(messages=1000, translated=999, words=9999, words_done=9998).percent
        99
        >>> Coverage(messages=2, translated=1, words=5, words_done=5).percent
        99
        """
        if self.messages == self.translated:
            return 100
        whole, done = (self.words, self.words_done) if self.words else (self.messages, self.translated)
        return min(99, 100 * done // whole)

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to translate."""
        return self.messages == self.translated


def total(parts: Iterable[Coverage]) -> Coverage:
    """Return the sum."""
    rows = [[getattr(part, name) for name in Coverage.__slots__] for part in parts]
    return Coverage(*map(sum, zip(*rows, strict=True)))


@dataclass(frozen=True, slots=True)
class PageStatus:
    """The state of one page in one language; without a page, what a catalog holds is no reader's."""

    language: str
    page: str
    coverage: Coverage
    path: Path
    has_page: bool = True


def of_messages(messages: Iterable[Message]) -> Coverage:
    """Count the messages of a catalog, and no page beside it."""
    result = [0] * 7
    for message in messages:
        count = words(message.id)
        result[0] += 1
        result[1] += message.is_translated
        result[2] += message.fuzzy
        result[3] += not message.string and not message.fuzzy
        result[4] += message.fuzzy and bool(message.previous)
        result[5] += count
        result[6] += count if message.is_translated else 0
    all_, done, fuzzy, missing, changed, number, words_done = result
    return Coverage(all_, done, fuzzy, missing, changed, 0, 0, number, words_done)


def status(project: Project, language: str) -> list[PageStatus]:
    """Return the state of every page in a language, the one with most work left first.

    Where there are templates, the texts are those of the pages, and what catalogs lack or hold in excess is
    known; else they are those of the catalogs.
    """
    found = []
    catalogs = project.catalogs(language)
    templates = project.templates()
    for name in sorted({*catalogs, *templates}):
        catalog, template = catalogs.get(name), templates.get(name)
        coverage = of_messages(catalog.messages if catalog else ())
        if template is not None:
            held = {message.key: message for message in (catalog.messages if catalog else ())}
            wanted = {message.key: message for message in template.messages}
            here = [held[key] if key in held else replace(one, string="") for key, one in wanted.items()]
            coverage = replace(
                of_messages(here),
                new=sum(key not in held for key in wanted),
                gone=sum(key not in wanted and bool(one.string) for key, one in held.items()),
            )
        path = catalog.path if catalog else project.catalog_path(language, name)
        # The project's own words for Sphinx's interface are no page, nor is what has no template.
        is_page = not templates or template is not None or name in project.SHARED
        found.append(PageStatus(language, name, coverage, path, is_page))
    found.sort(key=lambda one: (-one.coverage.words_left, -one.coverage.stale, one.page))
    return found
