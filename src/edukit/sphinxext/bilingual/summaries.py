"""What a build needs of the catalogs, kept from build to build.

To read a thousand catalogs costs a second, and most builds change none of them. So what each one gave is
kept in a file beside the doctrees, by the file's size and time: a catalog is read when it has changed.
"""

import pickle
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from sphinx.application import Sphinx

from edukit.catalogs import Catalog, CatalogError, read
from edukit.sphinxext.common import metadata


def digest(message: str) -> int:
    """Return a number for a message: what is the same number is the same text."""
    return int.from_bytes(blake2b(message.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


@dataclass(frozen=True)
class Summary:
    """What a build needs of one catalog.

    Parameters
    ----------
    path
        The file.
    size, time
        Its size in bytes and the time of its last change, in nanoseconds.
    done, fuzzy, changed, empty
        The messages by their digests: translated; fuzzy; fuzzy because the source has changed; without a
        translation.
    fuzzy_lines
        Where the fuzzy ones are.
    first_empty
        The line and the text of the first one without a translation.
    revised
        When a translator has last worked on it, as the header has it.
    """

    path: str
    size: int
    time: int
    done: "array[int]"
    fuzzy: "array[int]"
    changed: "array[int]"
    empty: "array[int]"
    fuzzy_lines: tuple[int, ...]
    first_empty: tuple[int, str]
    revised: str

    @cached_property
    def held(self) -> frozenset[int]:
        """All messages."""
        return frozenset(self.done) | frozenset(self.fuzzy) | frozenset(self.empty)

    @property
    def messages(self) -> int:
        """How many messages the catalog has."""
        return len(self.done) + len(self.fuzzy) + len(self.empty)

    def __getstate__(self) -> dict[str, object]:
        """Return what is kept: the set is made again faster than it is read."""
        return {name: value for name, value in self.__dict__.items() if name != "held"}


def summary_of(catalog: Catalog, size: int, time: int) -> Summary:
    """Return what a build needs of a catalog."""
    done, fuzzy, changed, empty = array("Q"), array("Q"), array("Q"), array("Q")
    lines: list[int] = []
    first = (0, "")
    for message in catalog.messages:
        number = digest(message.id)
        if message.fuzzy:
            fuzzy.append(number)
            lines.append(message.line)
            if message.previous:
                changed.append(number)
        elif message.string:
            done.append(number)
        else:
            first = first if empty else (message.line, message.id)
            empty.append(number)
    revised = catalog.fields.get("PO-Revision-Date", "")
    return Summary(
        str(catalog.path),
        size,
        time,
        done,
        fuzzy,
        changed,
        empty,
        tuple(lines),
        first,
        revised if revised[:4].isdigit() else "",
    )


# By the folder that a name is counted from and the name: the domain of the catalog.
Summaries = dict[str, list[Summary]]


def catalog_files(app: Sphinx, code: str) -> Iterator[tuple[Path, Path]]:
    """Yield every catalog of a language, each with the folder that its name is counted from."""
    for locale_dir in app.config.locale_dirs:
        folder = Path(app.srcdir, locale_dir, code, "LC_MESSAGES")
        for path in sorted(folder.rglob("*.po")):
            if not any(part.startswith(".") for part in path.relative_to(folder).parts[:-1]):
                yield folder, path


def read_summaries(app: Sphinx, code: str) -> tuple[Summaries, list[CatalogError]]:
    """Return the catalogs of a language by their domains, and what stands in the way of reading others.

    Where several folders have a catalog of one domain, the one that ``locale_dirs`` names first comes
    first: it has the say, as in Sphinx.
    """
    store = Path(app.doctreedir) / f"bilingual-{code}.pickle"
    key = metadata()["env_version"]
    kept = _load(store, key)
    found: Summaries = {}
    errors = []
    new: dict[str, Summary] = {}
    is_new = False
    for folder, path in catalog_files(app, code):
        try:
            state = path.stat()
            summary = kept.get(str(path))
            if summary is None or (summary.size, summary.time) != (state.st_size, state.st_mtime_ns):
                summary = summary_of(read(path), state.st_size, state.st_mtime_ns)
                is_new = True
        except CatalogError as error:
            errors.append(error)
            continue
        new[str(path)] = summary
        found.setdefault(path.relative_to(folder).with_suffix("").as_posix(), []).append(summary)
    if is_new or new.keys() != kept.keys():
        _save(store, key, new)
    return found, errors


def _load(store: Path, key: object) -> dict[str, Summary]:
    try:
        made_by, kept = pickle.loads(store.read_bytes())
    except Exception:
        # It is not there, or another version of edukit or Python has written it: all is read anew.
        return {}
    return kept if made_by == key else {}


def _save(store: Path, key: object, summaries: dict[str, Summary]) -> None:
    store.parent.mkdir(parents=True, exist_ok=True)
    partial = store.with_suffix(".part")
    partial.write_bytes(pickle.dumps((key, summaries), pickle.HIGHEST_PROTOCOL))
    partial.replace(store)
