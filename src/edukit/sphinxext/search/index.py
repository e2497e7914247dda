"""The index: what is found on which page, and the file that a browser loads.

The file has the form of Sphinx's own, and its keys where they mean the same. It differs in these ways:

- ``terms`` holds the stems of words; titles are not listed by their words a second time, since a title is
  text of its page. The numbers of pages are written as gaps, in one or two letters each.
- ``chinese`` has one string for each page: its Chinese, run by run, without the runs that are a part of
  another one. A browser looks for the characters of a query in all of them, so it finds whatever stands
  in one piece and nothing else, and need not ask for a page to be sure. Each character is written as a
  sign, the frequent ones as signs of one byte: ``characters`` are all in their order, ``signs`` what they
  are written as. That takes half the room of the text itself.
- A build goes on from the file of the build before, with nothing lost: it holds all that pages gave.
"""

import html
import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import IO, Any

from docutils import nodes
from sphinx import addnodes
from sphinx.environment import BuildEnvironment
from sphinx.search import IndexBuilder
from sphinx.util.index_entries import split_index_msg

from edukit.sphinxext.common import interface_text, metadata
from edukit.sphinxext.search.words import is_searched, terms, text_of, without_parts

PREFIX, SUFFIX = "Search.setIndex(", ")"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
# What frequent characters are written as: one byte each in UTF-8, then two. No quotation marks and
# backslashes, which JSON would make longer; nothing that is not seen, combines, or turns the direction.
SIGNS = [
    chr(code)
    for first, last in [(0x21, 0x7E), (0xA1, 0x2AF), (0x400, 0x482), (0x48A, 0x52F)]
    for code in range(first, last + 1)
    if code not in (0x22, 0x5C, 0xAD)
]

# What the search page says, in the order in which a reader may meet it.
TEXTS = {
    "none": "Nothing found for “{query}”. Only pages with all words of the query are shown.",
    "one": "One result for “{query}”",
    "many": "{count} results for “{query}”",
    "more": "Show more results",
    "other": "Search for “{query}” in {language}",
    "in": "{kind}, in {title}",
    "entry": "index entry, in {title}",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A text that leads to a place: a title (``id`` None for the page's own) or an entry of an index."""

    text: str
    id: str | None
    main: bool = True


@dataclass(frozen=True, slots=True)
class FoundPage:
    """What one page gives to the index."""

    title: str
    titles: tuple[Entry, ...]
    entries: tuple[Entry, ...]
    terms: frozenset[str]
    chinese: tuple[str, ...]


def encode(numbers: Iterable[int]) -> str:
    """Write ascending numbers as the gaps between them, five bits a letter.

    Examples
    --------
    >>> encode([0, 1, 5, 40])
    'AADiB'
    """
    letters = []
    last = -1
    for number in numbers:
        gap = number - last - 1
        last = number
        while gap >= 32:
            letters.append(LETTERS[32 + gap % 32])
            gap //= 32
        letters.append(LETTERS[gap])
    return "".join(letters)


def decode(letters: str) -> list[int]:
    """Read what :func:`encode` wrote.

    Examples
    --------
    >>> decode("AADiB")
    [0, 1, 5, 40]
    """
    numbers = []
    last = -1
    gap, shift = 0, 0
    for letter in letters:
        value = LETTERS.index(letter)
        gap += (value % 32) << shift
        shift += 5
        if value < 32:
            last += gap + 1
            numbers.append(last)
            gap, shift = 0, 0
    return numbers


class _File:
    """Reads and writes the index in the place of Sphinx's ``js_index``."""

    @staticmethod
    def dump(data: Any, file: IO[str]) -> None:
        file.write(PREFIX)
        # Chinese as it is: escaped, every character would be six bytes long.
        json.dump(data, file, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        file.write(SUFFIX)

    @staticmethod
    def load(file: IO[str]) -> Any:
        text = file.read()
        if not text.startswith(PREFIX) or not text.endswith(SUFFIX):
            raise ValueError("not an index")
        return json.loads(text[len(PREFIX) : -len(SUFFIX)])


class PageIndex(IndexBuilder):
    """The index of one build.

    Parameters
    ----------
    env
        The environment of the build.
    stock
        The index that Sphinx made: its stemmer, stop words and scorer stay in use.
    language
        The language of the interface.
    """

    def __init__(self, env: BuildEnvironment, stock: IndexBuilder, language: str) -> None:
        super().__init__(env, "en", {}, "")
        self.lang = stock.lang
        self.js_scorer_code = stock.js_scorer_code
        self._language = language
        self._stem = cache(stock.lang.stem)
        self._pages: dict[str, FoundPage] = {}
        # Sphinx keeps these in the environment, where they would outlast a type that is no longer there.
        self._objtypes = {}
        self._objnames = {}

    def feed(
        self, docname: str, filename: str | os.PathLike[str], title: str, doctree: nodes.document
    ) -> None:
        """Take a page in; the builder gives those marked as ``no-search`` without a title."""
        self._pages.pop(docname, None)
        if not title:
            return
        keywords = [
            node["content"]
            for node in doctree.findall(nodes.meta)
            if node.get("name") == "keywords" and _speaks(node.get("lang"), self._language)
        ]
        text = "\n\n".join([text_of(doctree), *keywords])
        words, runs = terms(text, self._stem, self.lang.stopwords)
        self._pages[docname] = FoundPage(
            title=" ".join(title.split()),
            titles=tuple(_titles(doctree)),
            entries=tuple(sorted(set(_entries(doctree)), key=_order)),
            terms=frozenset(words),
            chinese=tuple(without_parts(runs)),
        )

    def prune(self, docnames: Iterable[str]) -> None:
        """Forget all other pages."""
        kept = set(docnames)
        self._pages = {name: page for name, page in self._pages.items() if name in kept}

    def freeze(self) -> dict[str, Any]:
        """Return the index as it is written."""
        names = sorted(self._pages)
        pages = [self._pages[name] for name in names]
        alltitles: dict[str, list[tuple[int, str | None]]] = {}
        indexentries: dict[str, list[tuple[int, str, bool]]] = {}
        for number, page in enumerate(pages):
            for entry in page.titles:
                alltitles.setdefault(entry.text, []).append((number, entry.id))
            for entry in page.entries:
                indexentries.setdefault(entry.text, []).append((number, entry.id or "", entry.main))
        characters, signs = _signs(pages)
        written = str.maketrans(characters, signs)
        objects = {
            # Names are text here; whatever shows them writes them as text.
            html.unescape(prefix): [(*rest, html.unescape(name)) for *rest, name in found]
            for prefix, found in self.get_objects(
                {name: number for number, name in enumerate(names)}
            ).items()
        }
        return {
            "alltitles": alltitles,
            "characters": characters,
            "chinese": [" ".join(page.chinese).translate(written) for page in pages],
            "docnames": names,
            "indexentries": indexentries,
            "objects": objects,
            "objnames": self._objnames,
            "signs": signs,
            "terms": _listed([page.terms for page in pages]),
            "texts": {name: interface_text(text, self._language) for name, text in TEXTS.items()},
            "titles": [page.title for page in pages],
            "version": metadata()["env_version"],
        }

    def dump(self, stream: Any, format: Any) -> None:
        """Write the index."""
        _File.dump(self.freeze(), stream)

    def load(self, stream: Any, format: Any) -> None:
        """Read the index of the build before.

        Raises
        ------
        ValueError
            It is of another kind or version; the builder then begins anew.
        """
        frozen = _File.load(stream)
        if not isinstance(frozen, dict) or frozen.get("version") != metadata()["env_version"]:
            raise ValueError("another version")
        count = len(frozen["docnames"])
        titles: list[list[Entry]] = [[] for _ in range(count)]
        entries: list[list[Entry]] = [[] for _ in range(count)]
        for text, places in frozen["alltitles"].items():
            for number, id_ in places:
                titles[number].append(Entry(text, id_))
        for text, places in frozen["indexentries"].items():
            for number, id_, main in places:
                entries[number].append(Entry(text, id_, main))
        words = _by_page(frozen["terms"], count)
        read = str.maketrans(frozen["signs"], frozen["characters"])
        self._pages = {
            name: FoundPage(
                title=frozen["titles"][number],
                titles=tuple(titles[number]),
                entries=tuple(entries[number]),
                terms=frozenset(words[number]),
                chinese=tuple(frozen["chinese"][number].translate(read).split()),
            )
            for number, name in enumerate(frozen["docnames"])
        }


def _listed(pages: list[frozenset[str]]) -> dict[str, str]:
    """Turn the terms of each page into the pages of each term."""
    numbers: dict[str, list[int]] = {}
    for number, found in enumerate(pages):
        for term in found:
            numbers.setdefault(term, []).append(number)
    return {term: encode(listed) for term, listed in numbers.items()}


def _by_page(listed: dict[str, str], count: int) -> list[set[str]]:
    """Undo :func:`_listed`."""
    pages: list[set[str]] = [set() for _ in range(count)]
    for term, letters in listed.items():
        for number in decode(letters):
            pages[number].add(term)
    return pages


def _signs(pages: list[FoundPage]) -> tuple[str, str]:
    """Return the characters that are written as signs, the most frequent first, and their signs."""
    counts = Counter("".join(run for page in pages for run in page.chinese))
    ranked = sorted(counts, key=lambda character: (-counts[character], character))[: len(SIGNS)]
    return "".join(ranked), "".join(SIGNS[: len(ranked)])


def _speaks(tag: str | None, language: str) -> bool:
    return tag is None or tag.replace("_", "-").split("-")[0].lower() == language.split("_")[0].lower()


def _order(entry: Entry) -> tuple[str, str, bool]:
    return entry.text, entry.id or "", entry.main


def _titles(doctree: nodes.document) -> list[Entry]:
    """Return the titles of a page: its own without an id, since it leads to the page."""
    found: list[Entry] = []
    for node in doctree.findall(nodes.Element):
        if not isinstance(node, nodes.title) and not node.get("search_title"):
            continue
        text = " ".join(text_of(node).split())
        if text and is_searched(node):
            ids = node["ids"] or (node.parent["ids"] if node.parent is not None else [])
            found.append(Entry(text, ids[0] if ids and found else None))
    # In the order in which the file holds them, so that reading it back changes nothing.
    return sorted(set(found), key=_order)


def _entries(doctree: nodes.document) -> Iterable[Entry]:
    """Yield the entries of the index that a page makes, and the terms of its glossaries."""
    for node in doctree.findall(addnodes.index):
        if not is_searched(node):
            continue
        for kind, value, target, main, _key in node["entries"]:
            try:
                parts = split_index_msg(kind, value)
            except ValueError:  # told when the page was read
                continue
            yield from (Entry(part, target or "", main == "main") for part in parts if part)
    for glossary in doctree.findall(addnodes.glossary):
        for term in glossary.findall(nodes.term):
            text = " ".join(text_of(term).split())
            if text and term["ids"] and is_searched(term):
                yield Entry(text, term["ids"][0])
