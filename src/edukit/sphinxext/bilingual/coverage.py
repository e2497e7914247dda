"""What the catalogs lack is said while the pages are built: by file and line, with what to do.

What a page says is collected when it is read, before it is translated, as a number for each message
(``CollectMessages``). So every build, that of the source language too, knows how much of each page every
language has: the build says it at the end, and ``edition.py`` shows it on a page.
"""

import hashlib
import re
from array import array
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from docutils import nodes
from docutils.transforms.parts import Contents
from docutils.utils import get_source_line
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.i18n import docname_to_domain
from sphinx.util.index_entries import split_index_msg
from sphinx.util.nodes import LITERAL_TYPE_NODES, traverse_translatable_index

from edukit.catalogs import read
from edukit.catalogs.counting import Coverage, of_messages, total, words
from edukit.sphinxext.bilingual.languages import is_foreign
from edukit.sphinxext.bilingual.messages import keep_extracted, messages_of
from edukit.sphinxext.bilingual.processes import BUILDERS
from edukit.sphinxext.bilingual.site import is_overridden, place_in_conf, site_of, value_in_source
from edukit.sphinxext.bilingual.summaries import Summaries, Summary, catalog_files, digest, read_summaries
from edukit.sphinxext.common import SAME, UNTRANSLATED, shared_catalogs, stop

logger = logging.getLogger(__name__)

# The catalogs of each language that this build has looked at, by domain.
_SUMMARIES: WeakKeyDictionary[Sphinx, dict[str, Summaries]] = WeakKeyDictionary()

UPDATE = "Bring the catalogs up to date (edukit translate update), then translate it"


def check_catalogs(app: Sphinx) -> None:
    """Look at every catalog of the languages that this build makes.

    The source language has none. What cannot be read stops the build; what is not whole is a warning.
    """
    site = site_of(app)
    if app.builder.name in BUILDERS:
        for language in site.children:
            if not any(catalog_files(app, language.code)):
                expected = Path(app.srcdir, app.config.locale_dirs[0], language.code, "LC_MESSAGES")
                stop(
                    f"bilingual_languages names {language.code}, but there is not one catalog for it: "
                    f"{_shown(expected)} has no .po file. {UPDATE}, or take the language out.",
                    location=place_in_conf(app, "bilingual_languages"),
                )
    if not site.is_translation or not app.builder.use_message_catalog:
        return
    summaries, errors = read_summaries(app, site.current.code)
    _SUMMARIES.setdefault(app, {})[site.current.code] = summaries
    for error in errors:
        logger.error("%s", error.message, location=f"{error.path}:{error.line}")
    if errors:
        # Sphinx would go on with the old translation, or with none.
        stop(f"The pages in {site.current.code} are not built until their catalogs can be read.")


def summaries_of(app: Sphinx, code: str) -> Summaries:
    """Return the catalogs of a language; those that cannot be read are left out, its own build says so."""
    known = _SUMMARIES.setdefault(app, {})
    if code not in known:
        known[code] = read_summaries(app, code)[0]
    return known[code]


def _own(app: Sphinx) -> Summaries:
    return _SUMMARIES.get(app, {}).get(site_of(app).current.code, {})


def report_catalogs(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Say what is not whole; by now every page is known, the generated ones too."""
    domains = {docname_to_domain(docname, app.config.gettext_compact) for docname in env.found_docs}
    domains |= shared_catalogs(app)
    for domain, summaries in _own(app).items():
        for summary in summaries:
            if domain in domains:
                _report(summary)
            else:
                logger.warning(
                    "this catalog belongs to no page any more: delete it, or rename it as its page was",
                    location=f"{summary.path}:1",
                    type="bilingual",
                    subtype="unused_catalog",
                )


def _report(summary: Summary) -> None:
    for line in summary.fuzzy_lines:
        logger.warning(
            "this translation is marked as fuzzy and not used, so the page shows the source: "
            "compare it with the source, then remove the word fuzzy",
            location=f"{summary.path}:{line}",
            type="bilingual",
            subtype="fuzzy",
        )
    if summary.empty:
        line, first = summary.first_empty
        logger.warning(
            "%d of %d messages have no translation; the first is: %s",
            len(summary.empty),
            summary.messages,
            _excerpt(first),
            location=f"{summary.path}:{line}",
            type="bilingual",
            subtype="untranslated",
        )


def outdated_by_catalogs(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> set[str]:
    """Return the pages that Sphinx does not know to be outdated.

    These are the pages whose catalog has come or gone, and every page when the project's own words for
    Sphinx's interface (sphinx.po) have changed.
    """
    domains = frozenset(_own(app))
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


# -- what a page says ------------------------------------------------------------------------------------

_MESSAGES = "bilingual_messages"
_MISSING = "bilingual_missing"
_COLLECTED = "bilingual_collected"
_WRITTEN_WHOLE = "bilingual_written_whole"


class CollectMessages(SphinxTransform):
    """Notes what a page says, before it is translated."""

    # When everything is a message that can be (10 and after), just before the translation (20), which takes
    # over what is found here.
    default_priority = 19

    def apply(self, **kwargs: Any) -> None:
        """Keep the messages with their nodes for a moment, and a number for each for good."""
        site = site_of(self.app)
        if not (site.children or site.is_translation) or not self.app.builder.use_message_catalog:
            return
        unseen = _metadata(self.document)
        given = _given_by_overrides(self.app)
        found = [
            (node, message)
            for node, message in keep_extracted(self.app, self.document)
            if not isinstance(node, LITERAL_TYPE_NODES)
            and id(node) not in unseen
            and not _titles_nothing(node)
            and not (given and (str(node.source) in given or message in given))
        ]
        setattr(self.document, _COLLECTED, found)
        setattr(
            self.document,
            _WRITTEN_WHOLE,
            [node for node, _ in found if isinstance(node, nodes.meta) or "role" in node.attributes],
        )
        messages = dict.fromkeys(message for _, message in found)
        if "index" in self.config.gettext_additional_targets:
            for _, entries in traverse_translatable_index(self.document):
                for kind, value, *_ in entries:
                    messages.update(dict.fromkeys(split_index_msg(kind, value)))
        numbers, counts = array("Q"), array("I")
        own_words = _own_words(self.app)
        domain = docname_to_domain(self.env.current_document.docname, self.config.gettext_compact)
        summaries = _own(self.app).get(domain, []) if own_words else []
        held = frozenset[int]().union(*(one.held for one in summaries))
        for message in messages:
            # Two of Sphinx's words may have one translation: "Example" and "Examples" in Chinese.
            meant = own_words.get(message, (message,))
            message = next((one for one in meant if digest(one) in held), meant[0])
            numbers.append(digest(message))
            counts.append(words(message))
        self.env.metadata[self.env.current_document.docname][_MESSAGES] = (numbers, counts)


def _given_by_overrides(app: Sphinx) -> set[str]:
    """Return the paragraphs that the configuration gives in this language, and where they seem to be from.

    They are in the language of the page and are no messages of it.
    """
    given = {f"<{name}ue>" for name in ("rst_prolog", "rst_epilog") if is_overridden(app, name)}
    if is_overridden(app, "myst_substitutions"):
        source = value_in_source(app, "myst_substitutions")
        now = app.config["myst_substitutions"]
        changed = [str(text) for name, text in now.items() if text != source.get(name)]
        given |= {part.strip() for text in changed for part in re.split(r"\n\s*\n", text)}
    return given


def _titles_nothing(node: nodes.Element) -> bool:
    """Tell whether a text is the title of a table of contents that will be empty: it goes with it (720)."""
    topic = node.parent
    if not isinstance(node, nodes.title) or not isinstance(topic, nodes.topic):
        return False
    pending = topic[-1]
    if not isinstance(pending, nodes.pending) or pending.transform is not Contents:
        return False
    above = topic.parent
    while above.parent is not None and not (
        "local" in pending.details and isinstance(above, nodes.section)
    ):
        above = above.parent
    return not any(isinstance(child, nodes.section) for child in above)


def _own_words(app: Sphinx) -> dict[str, tuple[str, ...]]:
    """Return what Sphinx itself says in this language ("Notes" in a docstring), with what it means.

    Such headings come in the page's language and are no messages of it.
    """
    return _reversed(app.translator) if site_of(app).is_translation else {}


@cache
def _reversed(translator: Any) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    while translator is not None:
        for message, translation in getattr(translator, "_catalog", {}).items():
            if isinstance(message, str) and message and isinstance(translation, str):
                found[translation] = (*found.get(translation, ()), message)
        translator = getattr(translator, "_fallback", None)
    return found


class ForgetProgress(SphinxTransform):
    """Takes away what is noted of a translation where all that is noted comes into the page.

    Sphinx writes every attribute of a description for search engines, and so do extensions for tabs:
    "translated" is none that HTML knows.
    """

    default_priority = 960  # after Sphinx has counted (25) and has named classes (950)

    def apply(self, **kwargs: Any) -> None:
        """Look at the few nodes that were found with the messages."""
        for node in self.document.__dict__.pop(_WRITTEN_WHOLE, ()):
            node.attributes.pop("translated", None)


class ReportMissingMessages(SphinxTransform):
    """Names the texts of a page that its catalog does not hold: they came or changed after it was made."""

    default_priority = 21  # just after the translation

    def apply(self, **kwargs: Any) -> None:
        """Compare the page with its catalog, and mark what stays in the source language."""
        found = self.document.__dict__.pop(_COLLECTED, [])
        if not site_of(self.app).is_translation:
            return
        self.say_language_of_the_same(found)
        untranslated = [(node, message) for node, message in found if not node.get("translated")]
        if not untranslated:
            return
        docname = self.env.current_document.docname
        summaries = _own(self.app).get(docname_to_domain(docname, self.config.gettext_compact), [])
        own_words = _own_words(self.app)
        _mark(untranslated, own_words, whole=len(untranslated) == len(found))
        # A message that the catalog holds is either translated or reported with its line there.
        held = frozenset[int]().union(*(summary.held for summary in summaries))
        missing = [
            (node, message)
            for node, message in untranslated
            if message not in own_words and digest(message) not in held
        ]
        if not missing:
            return
        # Said when all pages are read, and again in every build until it is mended.
        node, message = missing[0]
        source, line = get_source_line(node)
        self.env.metadata[docname][_MISSING] = (
            f"{source}:{line}" if source and line else None,
            len(missing),
            message,
            bool(summaries),
        )

    def say_language_of_the_same(self, found: list[tuple[nodes.Element, str]]) -> None:
        """Note which blocks are translated as they are, and so are in the language of the source.

        Such as names and titles of works. A word in letters of the page's own language may be its own.
        """
        translations = messages_of(self.app, self.env.current_document.docname) or {}
        code = site_of(self.app).current.code
        for node, message in found:
            if (
                translations.get(message) == message
                and isinstance(node, nodes.TextElement)
                and node.get("translated")
                and is_foreign(_prose(node), code)
            ):
                _note(node, SAME)


def _prose(node: nodes.Element) -> str:
    """Return the words that stand in a text as they were written; nothing where others come into it."""
    if any(map(_takes_words, node.findall(nodes.Element))):
        return ""
    return "".join(text for text in node.findall(nodes.Text) if not isinstance(text.parent, _NO_PROSE))


def _takes_words(node: nodes.Element) -> bool:
    """Tell whether a node shows the words of another place, which are translated there."""
    if isinstance(node, addnodes.pending_xref):
        return not node.get("refexplicit")
    return isinstance(node, nodes.substitution_reference) or (
        isinstance(node, nodes.reference) and not node.children
    )


_NO_PROSE = (nodes.literal, nodes.math, nodes.raw)


def _note(block: nodes.TextElement, how: bool | str) -> None:
    setattr(block, UNTRANSLATED, how)
    if isinstance(block, nodes.inline):
        # Sphinx would dissolve what only marks a part of a paragraph as a message (999), and with it
        # would go what is noted here.
        block.attributes.pop("translatable", None)


def _mark(
    untranslated: list[tuple[nodes.Element, str]], own_words: Collection[str], *, whole: bool
) -> None:
    """Note which blocks a reader finds in the source language.

    On a page that is not translated at all, one mark at its title says enough.
    """
    blocks = [
        node
        for node, message in untranslated
        if isinstance(node, nodes.TextElement)
        and message not in own_words
        and any(map(str.isalpha, message))
    ]
    for at, block in enumerate(blocks):
        _note(block, at == 0 or not whole)


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


def _metadata(document: nodes.document) -> set[int]:
    """Return what stands in the fields that begin a page, which no reader sees."""
    first = document.children[0] if document.children else None
    return {id(node) for node in first.findall()} if isinstance(first, nodes.field_list) else set()


# -- how much is translated ------------------------------------------------------------------------------


def coverage_of(app: Sphinx, code: str) -> dict[str, Coverage]:
    """Return how much of each page is translated into a language, by the page's name.

    The messages are those of the page as it is now. The catalogs that belong to no page come last, by
    their own names in brackets.
    """
    env = app.env
    summaries = summaries_of(app, code)
    compact = app.config.gettext_compact
    found: dict[str, Coverage] = {}
    states: dict[str, State] = {}
    for docname in sorted(env.found_docs):
        domain = docname_to_domain(docname, compact)
        if domain not in states:
            states[domain] = State.of(summaries.get(domain, []))
        numbers, counts = env.metadata.get(docname, {}).get(_MESSAGES, ((), ()))
        found[docname] = states[domain].coverage(numbers, counts)
    for domain in sorted(shared_catalogs(app) - {"sphinx"}):
        for summary in summaries.get(domain, []):
            found[f"({domain})"] = of_messages(read(Path(summary.path)).messages)
    return found


@dataclass(frozen=True, slots=True)
class State:
    """Which messages the catalogs of one domain hold, and which of them are translated, or were once."""

    done: Set[int]
    fuzzy: Set[int]
    changed: Set[int]
    held: Set[int]

    @classmethod
    def of(cls, summaries: list[Summary]) -> "State":
        """Put the catalogs of one domain together."""
        if len(summaries) == 1:
            [one] = summaries
            return cls(frozenset(one.done), frozenset(one.fuzzy), frozenset(one.changed), one.held)
        done = frozenset[int]().union(*(one.done for one in summaries))
        return cls(
            done,
            frozenset[int]().union(*(one.fuzzy for one in summaries)) - done,
            frozenset[int]().union(*(one.changed for one in summaries)) - done,
            frozenset[int]().union(*(one.held for one in summaries)),
        )

    def coverage(self, numbers: Sequence[int], counts: Sequence[int]) -> Coverage:
        """Return how much of a page is translated; its messages are given as numbers and words."""
        every = frozenset(numbers)
        left = every - self.done
        if not left:
            all_words = sum(counts)
            return Coverage(len(every), len(every), words=all_words, words_done=all_words)
        fuzzy = len(left & self.fuzzy)
        return Coverage(
            messages=len(every),
            translated=len(every) - len(left),
            fuzzy=fuzzy,
            missing=len(left) - fuzzy,
            changed=len(left & self.changed),
            # A page that nobody has begun to translate is not behind.
            new=len(left - self.held) if self.held else 0,
            words=sum(counts),
            words_done=sum(
                count for number, count in zip(numbers, counts, strict=True) if number in self.done
            ),
        )


def say_coverage(app: Sphinx, exception: Exception | None) -> None:
    """Say at the end of the build how much of the pages is translated."""
    site = site_of(app)
    if exception is not None or not site.is_translation or app.builder.name not in BUILDERS:
        return
    pages = coverage_of(app, site.current.code)
    whole = total(pages.values())
    logger.info(
        "%d %% of the words are translated: %s of %s (%s messages on %s pages; "
        "%s fuzzy, %s missing, %s stale)",
        whole.percent,
        *(
            f"{number:,}"
            for number in (
                whole.words_done,
                whole.words,
                whole.messages,
                len(app.env.found_docs),
                whole.fuzzy,
                whole.missing,
                whole.stale,
            )
        ),
    )


def _excerpt(text: str) -> str:
    text = " ".join(text.split())
    return f"“{text[:57]}…”" if len(text) > 60 else f"“{text}”"


def _shown(path: Path) -> str:
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
