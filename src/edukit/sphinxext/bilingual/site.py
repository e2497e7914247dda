"""Which languages a site has, which of them this build makes, and where the others are.

There are three kinds of build:

- the **root** build makes the source language and starts a child process for each other language;
- a **child** build makes one other language in a folder of the root's output;
- an **alone** build makes one other language at its own root: a translation project on Read the Docs,
  or ``sphinx-build -D language=zh_CN``.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from sphinx.application import Sphinx

from edukit.sphinxext.bilingual.languages import (
    Language,
    UnknownLanguageError,
    catalog_languages,
    normalise,
    own_name,
    sphinx_languages,
)
from edukit.sphinxext.common import stop


@dataclass(frozen=True, slots=True)
class Site:
    """The languages of a site as one of its builds sees them.

    Parameters
    ----------
    source
        The language that the pages are written in.
    current
        The language that this build makes.
    children
        The languages that this build starts child processes for.
    addresses
        From the root of this build to the root of each language that a reader can reach: ``""`` for
        its own, ``"zh-cn/"``, ``"../"``, or an absolute URL.
    urls
        The absolute URL of each language's root where it is known.
    """

    source: Language
    current: Language
    children: tuple[Language, ...] = ()
    addresses: Mapping[Language, str] = field(default_factory=dict)
    urls: Mapping[Language, str] = field(default_factory=dict)

    @property
    def is_translation(self) -> bool:
        """Whether this build makes another language than the source."""
        return self.current != self.source


_SITES: WeakKeyDictionary[Sphinx, Site] = WeakKeyDictionary()


def site_of(app: Sphinx) -> Site:
    """Return the site that a build belongs to."""
    return _SITES[app]


def remember(app: Sphinx, site: Site) -> Site:
    """Keep the site for as long as the application lives."""
    _SITES[app] = site
    return site


def known_languages(app: Sphinx) -> set[str]:
    """Return the codes of all languages that a build could be made in."""
    folders = [app.srcdir / folder for folder in app.config.locale_dirs]
    return sphinx_languages() | catalog_languages(folders)


def plan(app: Sphinx) -> Site:
    """Read the configuration and the environment into the site's plan; refuse what is not clear."""
    known = known_languages(app)
    config = app.config

    def language_code(value: object, setting: str) -> str:
        try:
            return normalise(value, known)
        except UnknownLanguageError as error:
            stop(
                f"{setting}: {error} Write a code such as en or zh_CN.",
                location=place_in_conf(app, setting),
            )

    def codes(setting: str) -> list[str]:
        values = getattr(config, setting)
        if isinstance(values, str) or not all(isinstance(value, str) for value in values):
            stop(f'{setting} in conf.py: write a list of languages, such as ["zh_CN"], not {values!r}.')
        found = [language_code(value, setting) for value in values if value.strip()]
        return list(dict.fromkeys(found))

    written = language_code(config.language, "language")
    others = codes("bilingual_languages")
    linked = codes("bilingual_linked_languages")
    for code in linked:
        if code not in others:
            stop(f"bilingual_linked_languages: {code} is not one of bilingual_languages.")
    # A command line may ask for another language than conf.py: that tells what the pages are written in.
    source = language_code(config._raw_config.get("language", "en"), "language in conf.py")
    if written != source and written not in others:
        if written not in catalog_languages([app.srcdir / folder for folder in config.locale_dirs]):
            stop(
                f"language: the pages are written in {source}, and there are no catalogs for {written}. "
                f"Ask for {' or '.join([source, *others])}, or make catalogs for {written} first."
            )
        others.append(written)
    if others and not config.locale_dirs:
        stop("locale_dirs in conf.py is empty: name the folder that holds the catalogs, such as locale.")
    others = [code for code in others if code != source]
    everything = [source, *others]
    languages = {code: Language(code, own_name(code, everything)) for code in everything}
    current = written

    on_read_the_docs = os.environ.get("READTHEDOCS") == "True"
    canonical = os.environ.get("READTHEDOCS_CANONICAL_URL", "") if on_read_the_docs else ""
    if on_read_the_docs and (asked := os.environ.get("READTHEDOCS_LANGUAGE")) and written == source:
        current = language_code(asked, "the language of the Read the Docs project")
        if current not in languages:
            stop(
                f"Read the Docs builds this project in {current}, but its pages are written in {source} "
                f"and bilingual_languages names {', '.join(others) or 'no other language'}. Choose one "
                "of these as the project's language, or add it to bilingual_languages."
            )
    canonical = f"{canonical.rstrip('/')}/" if canonical else ""
    base = f"{config.html_baseurl.rstrip('/')}/" if config.html_baseurl else canonical

    if current != source:
        # conf.py gives the address of the source language's pages, if any.
        base = canonical or base
        addresses = {languages[current]: ""}
        urls = {languages[current]: base} if base else {}
        root = _exchange_language(canonical, languages[current], languages[source])
        if root:
            # The project for the source language holds every language that has no project of its own.
            for code, language in languages.items():
                if code == source:
                    urls[language] = root
                elif code in linked and code != current:
                    url = _exchange_language(canonical, languages[current], language)
                    urls[language] = url or f"{root}{language.folder}/"
                elif code != current:
                    urls[language] = f"{root}{language.folder}/"
                addresses.setdefault(language, urls[language])
        return Site(languages[source], languages[current], (), addresses, urls)

    addresses = {languages[source]: ""}
    urls = {languages[source]: base} if base else {}
    children = []
    for code in others:
        language = languages[code]
        url = _exchange_language(canonical, languages[source], language) if code in linked else ""
        if url:
            addresses[language] = urls[language] = url
            continue
        children.append(language)
        addresses[language] = f"{language.folder}/"
        if base:
            urls[language] = f"{base}{language.folder}/"
    return Site(languages[source], languages[current], tuple(children), addresses, urls)


def place_in_conf(app: Sphinx, setting: str) -> str | None:
    """Return the line of conf.py that gives a setting; None when it came from elsewhere."""
    name = setting.partition(" ")[0]
    path = Path(app.confdir) / "conf.py"
    if name in app.config.overrides or not path.is_file():
        return None
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if re.match(rf"\s*{re.escape(name)}\s*[:=]", line):
            return f"{path}:{number}"
    return None


def is_overridden(app: Sphinx, name: str) -> bool:
    """Return whether ``bilingual_overrides`` gives a setting another value in this language."""
    site = site_of(app)
    return site.is_translation and name in app.config.bilingual_overrides.get(site.current.code, {})


def value_in_source(app: Sphinx, name: str) -> Any:
    """Return a setting as the pages in the source language have it."""
    config = app.config
    if not is_overridden(app, name):
        return config[name]
    return config._raw_config.get(name, config.values[name].default)


def child_site(site: Site, language: Language) -> Site:
    """Return the same site as the child process for a language sees it."""
    addresses = {}
    for other, address in site.addresses.items():
        if other == language:
            addresses[other] = ""
        elif re.match(r"[a-z]+://", address):
            addresses[other] = address
        else:
            addresses[other] = f"../{address}"
    return Site(site.source, language, (), addresses, site.urls)


def _exchange_language(url: str, old: Language, new: Language) -> str:
    """Return a Read the Docs address with its language exchanged; empty where it has none.

    >>> _exchange_language("https://x.example/zh-cn/latest/", Language("zh_CN", ""), Language("en", ""))
    'https://x.example/en/latest/'
    """
    scheme, separator, rest = url.partition("://")
    host, *folders = rest.split("/")
    for index, folder in enumerate(folders):
        if folder.lower().replace("_", "-") in {old.folder, old.code.lower().replace("_", "-")}:
            folders[index] = new.folder
            return f"{scheme}{separator}{'/'.join([host, *folders])}"
    return ""
