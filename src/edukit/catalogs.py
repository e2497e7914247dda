r"""The state of the translations: gettext catalogs read with their lines, and brought up to date.

Examples
--------
>>> import tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp()) / "page.po"
>>> _ = path.write_text('msgid "Song"\nmsgstr "歌"\n', encoding="utf-8")
>>> read(path).messages
(Message(id='Song', string='歌', line=1, fuzzy=False),)
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.core import UnknownLocaleError
from babel.messages import Catalog as BabelCatalog
from babel.messages.pofile import PoFileError, read_po, write_po


class CatalogError(Exception):
    """A catalog that cannot be read.

    Parameters
    ----------
    path, line
        Where.
    message
        What is wrong there and what to do.
    """

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class Message:
    """One message: the source text, its translation (empty while there is none), and its line."""

    id: str
    string: str
    line: int
    fuzzy: bool


@dataclass(frozen=True, slots=True)
class Catalog:
    """A catalog as its file holds it, without the header and what is obsolete."""

    path: Path
    messages: tuple[Message, ...]


def read(path: Path) -> Catalog:
    """Read a catalog.

    Raises
    ------
    CatalogError
        The file is not UTF-8 or not in the form of a ``.po`` file.
    """
    return Catalog(
        path,
        tuple(
            Message(str(entry.id), str(entry.string or ""), entry.lineno or 1, entry.fuzzy)
            for entry in _parse(path)
            if entry.id and isinstance(entry.id, str)
        ),
    )


_LINE = re.compile(
    r"""(?: \#.* | (?: (?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?) \s* )? "(?:[^"\\]|\\.)*" )?""",
    re.VERBOSE,
)


def _parse(path: Path, locale: str | None = None) -> BabelCatalog:
    data = path.read_bytes()
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CatalogError(path, line, "this is not UTF-8: save the file in that encoding") from None
    # Babel takes a line without its quotation marks for a text and cuts its ends off.
    for number, text in enumerate(data.decode("utf-8-sig").splitlines(), 1):
        if not _LINE.fullmatch(text.strip()):
            raise CatalogError(
                path,
                number,
                "this line is not in the form of a .po file: a text stands between two "
                'quotation marks after msgid or msgstr, and a quotation mark inside it is written \\"',
            )
    try:
        return read_po(io.BytesIO(data.removeprefix(b"\xef\xbb\xbf")), locale, abort_invalid=True)
    except PoFileError as error:
        line = (error.lineno if error.lineno is not None else 0) + 1
        raise CatalogError(
            path,
            line,
            f"this line is not in the form of a .po file ({error.args[0]}): mend it here",
        ) from None
    except (ValueError, LookupError, AttributeError, IndexError) as error:
        raise CatalogError(
            path, 1, f"this is not in the form of a .po file ({error}): mend it, or make it anew"
        ) from None


# -- bringing up to date -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    """What an update did to one catalog."""

    path: Path
    added: int
    removed: int
    untranslated: int


def update(templates: Path, folder: Path, language: str) -> Iterator[Change]:
    """Merge templates into the catalogs of a language; a translation is never lost.

    A message that changed keeps its old translation as fuzzy; one that has gone is kept at the end of
    the file as obsolete. Running it again changes nothing.

    Parameters
    ----------
    templates
        The output of ``sphinx-build -b gettext``.
    folder
        ``locale/<language>/LC_MESSAGES``.
    language
        The code of the catalogs, such as ``zh_CN``.

    Yields
    ------
    Change
        For each catalog that was written.
    """
    for template_path in sorted(templates.rglob("*.pot")):
        path = folder / template_path.relative_to(templates).with_suffix(".po")
        template = _parse(template_path)
        if path.is_file():
            catalog = _parse(path, language)
        else:
            try:
                catalog = BabelCatalog(language, domain=path.stem)
            except UnknownLocaleError as error:
                raise CatalogError(path, 1, f"{error}: is this the code of a language?") from None
        before = {message.id for message in catalog if message.id}
        catalog.update(template, update_header_comment=False, keep_user_comments=True)
        after = {message.id for message in catalog if message.id}
        text = _written(catalog, language)
        if path.is_file() and path.read_bytes() == text:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".po.part")
        partial.write_bytes(text)
        partial.replace(path)
        yield Change(
            path,
            added=len(after - before),
            removed=len(before - after),
            untranslated=sum(
                1 for message in catalog if message.id and (message.fuzzy or not message.string)
            ),
        )


def _written(catalog: BabelCatalog, language: str) -> bytes:
    """Return the file: only what a translator needs, so that a change of the page is all that shows."""
    header = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {catalog.plural_forms}\\n"\n\n'
    )
    body = io.BytesIO()
    # No line numbers and no wrapping: a paragraph that moves does not change the file.
    write_po(body, catalog, width=0, omit_header=True, include_lineno=False)
    return header.encode() + body.getvalue().lstrip()
