"""What the feature modules share: the words of the interface, the files a page loads, how to stop.

The features do not know each other; this module knows none of them.
"""

import functools
import hashlib
import logging as std_logging
from pathlib import Path
from typing import NoReturn, TypeVar
from weakref import WeakKeyDictionary

from babel.messages.pofile import read_po
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

from edukit import __version__

PACKAGE = Path(__file__).resolve().parent.parent
STATIC = PACKAGE / "sphinxext" / "static"

logger = logging.getLogger(__name__)


@functools.cache
def metadata() -> ExtensionMetadata:
    """Return what ``setup`` of every feature returns.

    The version of the environment is made from the package itself: after an upgrade or an edit of edukit
    no page shows what an older one has made of it.
    """
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in {".py", ".po", ".toml"}:
            digest.update(path.read_bytes())
    return {
        "version": __version__,
        "env_version": int(digest.hexdigest()[:8], 16),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def stop(message: str, *, location: str | None = None) -> NoReturn:
    """End the build with one clear message.

    An exception of Sphinx's would be shown with versions, a traceback and the request to report a
    bug; what goes wrong here is for the author to mend.
    """
    for handler in std_logging.getLogger(logging.NAMESPACE).handlers:
        for prefix in [one for one in handler.filters if isinstance(one, logging.MessagePrefixFilter)]:
            handler.removeFilter(prefix)  # "while setting up extension ...": nothing an author knows
    logger.error("%s", message, location=location)
    raise SystemExit(2)


@functools.cache
def _messages(language: str) -> dict[str, str]:
    path = PACKAGE / "locale" / language / "edukit.po"
    if not path.is_file():
        return {}
    with path.open("rb") as file:
        catalog = read_po(file, locale=language, abort_invalid=True)
    return {str(message.id): str(message.string) for message in catalog if message.string}


def interface_text(text: str, language: str) -> str:
    """Return a text of edukit's own interface in a language; in English where it has none.

    The catalogs lie in ``edukit/locale`` as plain ``.po`` files and are read as they are: nothing has
    to be compiled when the package is built or edited.
    """
    return _messages(language).get(text, text)


def add_assets(app: Sphinx, *names: str) -> None:
    """Let every HTML page load style sheets and scripts from ``static/edukit``."""

    def add_static_path(app: Sphinx, config: Config) -> None:
        if str(STATIC) not in config.html_static_path:
            config.html_static_path = [*config.html_static_path, str(STATIC)]

    # Before the environment is compared with the configuration it was made with, else every build
    # would look like one with a changed configuration.
    app.connect("config-inited", add_static_path)
    for name in names:
        if name.endswith(".css"):
            app.add_css_file(f"edukit/{name}")
        else:
            app.add_js_file(f"edukit/{name}", loading_method="defer")


_SHARED_CATALOGS: WeakKeyDictionary[Sphinx, set[str]] = WeakKeyDictionary()


def shared_catalogs(app: Sphinx) -> set[str]:
    """Return the catalogs that belong to no page, such as ``figures``; a feature adds its own."""
    return _SHARED_CATALOGS.setdefault(app, {"sphinx"})


# -- texts in two languages ------------------------------------------------------------------------------

# The class of a text's copy in another language: it is shown when a reader asks for both, and is no text
# of the page to anything else.
TRANSLATED_COPY = "translated-copy"
# The Python attribute under which a block keeps that copy as long as it is not shown.
OTHER_SIDE = "bilingual_other_side"
# The one that a block has which stays in the source language: whether it carries a mark of its own. An
# attribute of Python's, so that it takes no part in what becomes of the page elsewhere: titles, contents.
UNTRANSLATED = "bilingual_untranslated"
# What stands there for a block whose translation is its source, letter by letter: it needs no mark.
SAME = "same"

_E = TypeVar("_E", bound=nodes.Element)


def language_of(node: nodes.Node | None, page: str) -> str:
    """Return the language tag of what stands in a node, in lower case: its own, else the page's."""
    while isinstance(node, nodes.Element):
        lang = node.get("lang")
        if isinstance(lang, str) and lang:
            return lang.lower()
        for name in node["classes"]:
            if name.startswith("language-"):
                return str(name).removeprefix("language-").lower()
        node = node.parent
    return page.replace("_", "-").lower()


def copy_with_sides(node: _E) -> _E:
    """Return a deep copy of a part of a page that keeps what its blocks say in the other language."""
    copy = node.deepcopy()
    carry_sides(node, copy)
    return copy


def carry_sides(node: nodes.Element, copy: nodes.Element) -> None:
    """Let a deep copy have what its blocks say in the other language, and which are not translated."""
    for old, new in zip(node.findall(nodes.TextElement), copy.findall(nodes.TextElement), strict=True):
        if side := old.__dict__.get(OTHER_SIDE):
            other = side.deepcopy()
            other.parent = new
            setattr(new, OTHER_SIDE, other)
        if UNTRANSLATED in old.__dict__:
            setattr(new, UNTRANSLATED, old.__dict__[UNTRANSLATED])


def dissolve_marks(document: nodes.document, noted: str) -> None:
    """Take away what only marks parts of paragraphs as texts of their own.

    Sphinx does so when a page has been read. It is put off for those of which something is noted under a
    Python attribute of this name, and is done here for formats that have no use for it.
    """
    for mark in list(document.findall(nodes.inline)):
        if noted in mark.__dict__:
            mark.replace_self(mark.children)


_TEXT_TRANSFORMS: WeakKeyDictionary[Sphinx, list[type[SphinxTransform]]] = WeakKeyDictionary()


def text_transforms(app: Sphinx) -> list[type[SphinxTransform]]:
    """Return the transforms that set the text of a page; a feature adds its own.

    They are applied to the copies in another language as well, each of which says its language.
    """
    return _TEXT_TRANSFORMS.setdefault(app, [])
