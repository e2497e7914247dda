"""Several languages from one ``sphinx-build``.

In ``conf.py`` of any Sphinx project with gettext catalogs::

    extensions = ["edukit.sphinxext.bilingual", ...]   # first, so that all the others see the language
    language = "en"                                    # what the pages are written in
    bilingual_languages = ["zh_CN"]                    # what there are catalogs for

The ``html`` and ``dirhtml`` builders then write the source language at the root of the output and every
other language under its code (``zh-cn/``), and link each page with itself in the other languages. All
other builders make one language.

Read from the top: ``languages`` (names), ``site`` (what is to be built), ``guard`` (one build at a time,
nothing from a broken one), ``processes`` and ``child`` (the other languages), ``speed``; ``summaries``,
``coverage`` and ``edition`` (what the catalogs lack, said by the build and on the pages); ``extraction``
(what translators are offered), ``translation`` with ``messages``, ``parsing`` and ``references`` (how it
gets into the pages), ``sides`` and ``sources`` (each block with its source beside it), ``cards``, ``pages``
and ``direction`` (what a reader sees of it).
"""

from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.typing import ExtensionMetadata

from edukit.sphinxext.bilingual import (
    cards,
    child,
    coverage,
    direction,
    edition,
    extraction,
    guard,
    pages,
    processes,
    sides,
    speed,
    translation,
)
from edukit.sphinxext.bilingual.site import plan, remember, site_of
from edukit.sphinxext.common import add_assets, metadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set the extension up."""
    app.add_config_value("bilingual_languages", [], "env", types=frozenset({list, tuple}))
    app.add_config_value("bilingual_linked_languages", [], "html", types=frozenset({list, tuple}))
    app.add_config_value("bilingual_overrides", {}, "", types=frozenset({dict}))

    if child.parents_site():
        child.send_log(app)
    processes.note_dictionaries(app)
    set_language(app)
    sides.setup(app)

    app.connect("config-inited", prepare, priority=1)
    app.connect("config-inited", pages.add_templates)
    app.connect("builder-inited", guard.mark, priority=0)
    app.connect("builder-inited", guard.remove_former_languages, priority=0)
    app.connect("builder-inited", speed.keep_compiled_templates)
    app.connect("builder-inited", speed.look_for_garbage_less_often, priority=0)
    app.connect("builder-inited", speed.end_at_once)
    app.connect("builder-inited", coverage.check_catalogs, priority=1)
    app.connect("builder-inited", pages.wrap_rendering)
    app.connect("builder-inited", direction.load_style)
    app.connect("builder-inited", processes.connect, priority=999)
    app.connect("env-get-outdated", coverage.outdated_by_catalogs)
    app.connect("env-before-read-docs", coverage.report_catalogs)
    app.connect("env-updated", coverage.report_missing)
    app.connect("env-updated", pages.refuse_clashing_pages)
    app.connect("html-page-context", pages.add_links)
    app.connect("build-finished", coverage.say_coverage)
    app.connect("build-finished", speed.look_as_before)
    app.connect("build-finished", guard.finish, priority=999)
    extraction.setup(app)
    translation.replace_locale(app)
    app.add_transform(coverage.KeepMathematics)
    app.add_transform(coverage.CollectMessages)
    app.add_transform(coverage.ReportMissingMessages)
    app.add_transform(coverage.ForgetProgress)
    app.add_post_transform(cards.TranslateCards)
    edition.setup(app)
    add_assets(app, "bilingual.css", "bilingual.js")
    return metadata()


def set_language(app: Sphinx) -> None:
    """Settle the language before other extensions and themes look at it."""
    site = remember(app, child.parents_site() or plan(app))
    if app.config.language == site.current.code:
        return
    app.config.language = site.current.code
    # Sphinx has loaded its own texts in what it understood by the language as it was written.
    app._init_i18n()


def prepare(app: Sphinx, config: Config) -> None:
    """Take the folder, look at what the build before left, and fit the configuration to the language."""
    site = site_of(app)
    if not child.parents_site():
        guard.acquire(app)
    guard.begin(app, config)
    if url := site.urls.get(site.current):
        config.html_baseurl = url
    if child.parents_site():
        leave_generating_to_the_parent(config)


def leave_generating_to_the_parent(config: Config) -> None:
    """Switch off what writes pages into the source folder: it has been done when a child starts."""
    quiet: dict[str, Any] = {
        "autosummary_generate": False,
        "apidoc_modules": [],
        "autoapi_generate_api_docs": False,
    }
    for name, value in quiet.items():
        if name in config.values:
            setattr(config, name, value)
    if "sphinx_gallery_conf" in config.values:
        config.sphinx_gallery_conf = {
            **config.sphinx_gallery_conf,
            "examples_dirs": [],
            "gallery_dirs": [],
        }
