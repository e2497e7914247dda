"""What the catalogs lack is said while the pages are built: by file and line, with what to do."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from docutils import nodes
from docutils.utils import get_source_line
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.i18n import docname_to_domain
from sphinx.util.nodes import LITERAL_TYPE_NODES, extract_messages

from edukit.catalogs import Catalog, CatalogError, read
from edukit.sphinxext.bilingual.processes import BUILDERS
from edukit.sphinxext.bilingual.site import place_in_conf, site_of
from edukit.sphinxext.common import shared_catalogs, stop

logger = logging.getLogger(__name__)

# The catalogs of the language that is being built, by domain.
_CATALOGS: WeakKeyDictionary[Sphinx, dict[str, list[Catalog]]] = WeakKeyDictionary()

UPDATE = "Bring the catalogs up to date (here: make catalogs), then translate it"


def check_catalogs(app: Sphinx) -> None:
    """Look at every catalog of the languages that this build makes.

    The source language has none. What cannot be read stops the build; what is not whole is a warning.
    """
    site = site_of(app)
    if app.builder.name in BUILDERS:
        for language in site.children:
            if not any(_catalog_files(app, language.code)):
                expected = Path(app.srcdir, app.config.locale_dirs[0], language.code, "LC_MESSAGES")
                stop(
                    f"bilingual_languages names {language.code}, but there is not one catalog for it: "
                    f"{_shown(expected)} has no .po file. {UPDATE}, or take the language out.",
                    location=place_in_conf(app, "bilingual_languages"),
                )
    if not site.is_translation or not app.builder.use_message_catalog:
        return
    catalogs = _CATALOGS.setdefault(app, {})
    broken = False
    for folder, path in _catalog_files(app, site.current.code):
        try:
            domain = path.relative_to(folder).with_suffix("").as_posix()
            catalogs.setdefault(domain, []).append(read(path))
        except CatalogError as error:
            broken = True
            logger.error("%s", error.message, location=f"{error.path}:{error.line}")
    if broken:
        # Sphinx would go on with the old translation, or with none.
        stop(f"The pages in {site.current.code} are not built until their catalogs can be read.")


def report_catalogs(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Say what is not whole; by now every page is known, the generated ones too."""
    domains = {docname_to_domain(docname, app.config.gettext_compact) for docname in env.found_docs}
    domains |= shared_catalogs(app)
    for domain, catalogs in _CATALOGS.get(app, {}).items():
        for catalog in catalogs:
            if domain in domains:
                _report(catalog)
            else:
                logger.warning(
                    "this catalog belongs to no page any more: delete it, or rename it as its page was",
                    location=f"{catalog.path}:1",
                    type="bilingual",
                    subtype="unused_catalog",
                )


def _report(catalog: Catalog) -> None:
    for message in catalog.messages:
        if message.fuzzy:
            logger.warning(
                "this translation is marked as fuzzy and not used, so the page shows the source: "
                "compare it with the source, then remove the word fuzzy",
                location=f"{catalog.path}:{message.line}",
                type="bilingual",
                subtype="fuzzy",
            )
    missing = [message for message in catalog.messages if not message.string and not message.fuzzy]
    if missing:
        logger.warning(
            "%d of %d messages have no translation; the first is: %s",
            len(missing),
            len(catalog.messages),
            _excerpt(missing[0].id),
            location=f"{catalog.path}:{missing[0].line}",
            type="bilingual",
            subtype="untranslated",
        )


def _catalog_files(app: Sphinx, code: str) -> Iterator[tuple[Path, Path]]:
    """Yield every catalog of a language, each with the folder that its name is counted from."""
    for locale_dir in app.config.locale_dirs:
        folder = Path(app.srcdir, locale_dir, code, "LC_MESSAGES")
        for path in sorted(folder.rglob("*.po")):
            if not any(part.startswith(".") for part in path.relative_to(folder).parts[:-1]):
                yield folder, path


def outdated_by_catalogs(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> set[str]:
    """Return the pages that Sphinx does not know to be outdated.

    These are the pages whose catalog has come or gone, and every page when the project's own words for
    Sphinx's interface (sphinx.po) have changed.
    """
    domains = frozenset(_CATALOGS.get(app, {}))
    former = getattr(env, "bilingual_domains", domains)
    setattr(env, "bilingual_domains", domains)
    _forget_compiled(app, gone=former - domains)
    compact = app.config.gettext_compact
    outdated = {
        docname for docname in env.found_docs if docname_to_domain(docname, compact) in domains ^ former
    }
    code = site_of(app).current.code
    digest = hashlib.sha256()
    for locale_dir in app.config.locale_dirs:
        path = Path(app.srcdir, locale_dir, code, "LC_MESSAGES", "sphinx.po")
        if path.is_file():
            digest.update(path.read_bytes())
    before = getattr(env, "bilingual_interface", None)
    setattr(env, "bilingual_interface", digest.hexdigest())
    return env.found_docs if before not in (None, digest.hexdigest()) else outdated


def _forget_compiled(app: Sphinx, *, gone: frozenset[str]) -> None:
    """Remove what was compiled from catalogs that have gone since the last build.

    Sphinx would use it for ever. A compiled catalog that no build has seen with its source may be all that
    a project has: that one is left, and named.
    """
    site = site_of(app)
    if not site.is_translation:
        return
    for locale_dir in app.config.locale_dirs:
        folder = Path(app.srcdir, locale_dir, site.current.code, "LC_MESSAGES")
        for compiled in sorted(folder.rglob("*.mo")):
            if compiled.with_suffix(".po").exists():
                continue
            if compiled.relative_to(folder).with_suffix("").as_posix() in gone:
                compiled.unlink()
                continue
            logger.warning(
                "this compiled catalog has no .po file beside it and is used as it is: bring the .po file "
                "back, or delete this one too",
                location=f"{compiled}:1",
                type="bilingual",
                subtype="compiled_catalog",
            )


class KeepMathematics(SphinxTransform):
    """Formulas and code are the same in every language: they are no messages.

    Sphinx would offer displayed formulas to translators, and a translated one comes out broken.
    """

    default_priority = 4  # before the messages are collected (10) and translated (20)

    def apply(self, **kwargs: Any) -> None:
        """Take the formulas out of what is translated."""
        for node in self.document.findall(nodes.math_block):
            node["translatable"] = False


class ReportMissingMessages(SphinxTransform):
    """Names the texts of a page that its catalog does not hold: they came or changed after it was made."""

    default_priority = 21  # just after the translation

    def apply(self, **kwargs: Any) -> None:
        """Compare the page with its catalog."""
        app = self.app
        if not site_of(app).is_translation or not app.builder.use_message_catalog:
            return
        domain = docname_to_domain(self.env.current_document.docname, self.config.gettext_compact)
        untranslated = [
            (node, message)
            for node, message in extract_messages(self.document)
            if not node.get("translated")
            and not isinstance(node, LITERAL_TYPE_NODES)
            and not _is_metadata(node)
        ]
        if not untranslated:
            return
        messages = [
            message for catalog in _CATALOGS.get(app, {}).get(domain, []) for message in catalog.messages
        ]
        # A message that the catalog holds is either translated or reported with its line there. The texts
        # of images are replaced in place, so here they are translations.
        held = {text for message in messages for text in (message.id, message.string)}
        # Headings that Sphinx writes by itself ("Notes" in a docstring) come in the page's language.
        translator: Any = app.translator
        while translator is not None:
            held |= set(getattr(translator, "_catalog", {}).values())
            translator = getattr(translator, "_fallback", None)
        missing = [(node, message) for node, message in untranslated if message not in held]
        if not missing:
            return
        # Said when all pages are read, and again in every build until it is mended.
        node, message = missing[0]
        source, line = get_source_line(node)
        self.env.metadata[self.env.current_document.docname][_MISSING] = (
            f"{source}:{line}" if source and line else None,
            len(missing),
            message,
            bool(messages),
        )


_MISSING = "bilingual_missing"


def report_missing(app: Sphinx, env: BuildEnvironment) -> None:
    """Name the pages that say something which their catalogs do not hold."""
    code = site_of(app).current.code
    for docname in sorted(env.found_docs):
        if _MISSING not in env.metadata.get(docname, {}):
            continue
        location, count, message, has_catalog = env.metadata[docname][_MISSING]
        if has_catalog:
            logger.warning(
                "%d texts of this page are not in its %s catalog; the first is: %s. %s",
                count,
                code,
                _excerpt(message),
                UPDATE,
                location=location or docname,
                type="bilingual",
                subtype="missing_message",
            )
        else:
            domain = docname_to_domain(docname, app.config.gettext_compact)
            logger.warning(
                "this page has no %s catalog (%s) and stays untranslated. %s",
                code,
                _shown(Path(app.srcdir, app.config.locale_dirs[0], code, "LC_MESSAGES", f"{domain}.po")),
                UPDATE,
                location=(docname, 1),
                type="bilingual",
                subtype="missing_catalog",
            )


def _is_metadata(node: nodes.Node) -> bool:
    """Whether a node stands in the fields that begin a page, which no reader sees."""
    while node.parent is not None:
        if isinstance(node, nodes.field_list) and isinstance(node.parent, nodes.document):
            return bool(node.parent.index(node) == 0)
        node = node.parent
    return False


def _excerpt(text: str) -> str:
    text = " ".join(text.split())
    return f"“{text[:57]}…”" if len(text) > 60 else f"“{text}”"


def _shown(path: Path) -> str:
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
