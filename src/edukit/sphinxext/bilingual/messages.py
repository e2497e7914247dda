"""The catalogs as the pages are translated by them, and where they hold a message."""

import gettext
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.i18n import docname_to_domain
from sphinx.util.nodes import extract_messages

from edukit.catalogs import CatalogError, read

Message = tuple[nodes.Element, str]


@dataclass(slots=True)
class Kept:
    """What is kept for as long as a build lives."""

    messages: dict[str, dict[str, str] | None] = field(default_factory=dict)
    source: tuple[str, str] = ("", "")  # the name of the page that is being read, and its text
    markdown: Any = None  # MyST's renderer of messages
    extracted: tuple[nodes.document | None, list[Message]] = (None, [])


_KEPT: WeakKeyDictionary[Sphinx, Kept] = WeakKeyDictionary()


def kept_for(app: Sphinx) -> Kept:
    """Return what this build keeps."""
    return _KEPT.setdefault(app, Kept())


def forget(app: Sphinx, exception: Exception | None) -> None:
    """Let go of what a build has kept."""
    _KEPT.pop(app, None)


def keep_extracted(app: Sphinx, document: nodes.document) -> list[Message]:
    """Return the messages of a page, and keep them for who asks next: to find them takes a walk."""
    found = list(extract_messages(document))
    kept_for(app).extracted = (document, found)
    return found


def extracted(app: Sphinx, document: nodes.document) -> list[Message]:
    """Return the messages of a page, which may have been found already."""
    kept = kept_for(app)
    of, found = kept.extracted
    kept.extracted = (None, [])
    return found if of is document else list(extract_messages(document))


def remember_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Keep the text of the page that is read next: its messages may need its definitions."""
    kept_for(app).source = (docname, content[0])


def messages_of(app: Sphinx, docname: str) -> dict[str, str] | None:
    """Return the translations of a page's messages by message; None without a catalog.

    Where several folders hold the catalog, the one that ``locale_dirs`` names first has the say.
    """
    domain = docname_to_domain(docname, app.config.gettext_compact)
    messages = kept_for(app).messages
    if domain not in messages:
        found: dict[str, str] | None = None
        for folder in reversed(app.config.locale_dirs):
            place = os.fspath(app.srcdir / folder)
            # For zh_CN both zh_CN and zh are found, in this order.
            for path in reversed(gettext.find(domain, place, [app.config.language], all=True)):
                with Path(path).open("rb") as file:
                    catalog: dict[Any, str] = getattr(gettext.GNUTranslations(file), "_catalog")
                found = (found or {}) | catalog
        if app.config.gettext_compact is False:
            messages.clear()  # the page's own catalog: no other page wants it
        messages[domain] = found
    return messages[domain]


def place_of(app: Sphinx, docname: str, message: str) -> tuple[str, int] | None:
    """Return where the catalog holds a message, for a warning: a file and a line."""
    domain = docname_to_domain(docname, app.config.gettext_compact)
    for folder in app.config.locale_dirs:
        path = Path(app.srcdir, folder, app.config.language, "LC_MESSAGES", f"{domain}.po")
        if not path.is_file():
            continue
        try:
            catalog = read(path)
        except CatalogError:
            continue
        for entry in catalog.messages:
            if entry.id == message:
                return os.fspath(path), entry.line
    return None
