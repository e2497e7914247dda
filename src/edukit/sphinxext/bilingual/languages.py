"""Names of languages: as people write them, as Sphinx, HTML and addresses need them.

Sphinx knows Chinese only as ``zh_CN``: given ``zh-cn`` it builds English and says nothing. Here every
usual way to write a language is understood, and an unknown one is refused.
"""

import difflib
import functools
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

import sphinx
from babel import Locale, UnknownLocaleError
from babel.core import get_global


class UnknownLanguageError(ValueError):
    """A language that neither Sphinx nor the project's catalogs know."""

    def __init__(self, value: object, known: Collection[str]) -> None:
        near = [code for code in sorted(known) if _english_name(code) == str(value).strip().lower()]
        if any("_" not in code for code in near):
            near = [code for code in near if "_" not in code]
        near = near or difflib.get_close_matches(str(value).replace("-", "_"), sorted(known), n=3)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        super().__init__(
            f"the language {value!r} is not known: Sphinx has no texts in it, and locale_dirs holds no "
            f"catalogs for it.{hint}"
        )


def _english_name(code: str) -> str:
    try:
        return str(Locale.parse(code.partition("@")[0]).get_language_name("en") or "").lower()
    except (UnknownLocaleError, ValueError):
        return ""


@dataclass(frozen=True, slots=True)
class Language:
    """One language of a site.

    Parameters
    ----------
    code
        As Sphinx writes it and as the catalogs' folder is called: ``zh_CN``.
    name
        What its readers call it: ``中文``.
    """

    code: str
    name: str

    @property
    def tag(self) -> str:
        """The BCP 47 tag for ``lang`` and ``hreflang``: ``zh-CN``."""
        return self.code.replace("@latin", "_Latn").replace("_", "-")

    @property
    def folder(self) -> str:
        """The folder of its pages in an address: ``zh-cn``."""
        return self.tag.lower()

    @property
    def is_right_to_left(self) -> bool:
        """Whether it is written from right to left."""
        return _is_right_to_left(self.code)

    @property
    def direction(self) -> str:
        """The way it runs, as ``dir`` has it: ``rtl`` or ``ltr``."""
        return "rtl" if self.is_right_to_left else "ltr"


@functools.cache
def _is_right_to_left(code: str) -> bool:
    try:
        return str(Locale.parse(code.partition("@")[0]).text_direction) == "rtl"
    except (UnknownLocaleError, ValueError):
        return False


# How Unicode begins the names of letters, by the code of a script that languages are written in.
_LETTERS = {
    "Arab": ("ARABIC",),
    "Cyrl": ("CYRILLIC",),
    "Deva": ("DEVANAGARI",),
    "Grek": ("GREEK",),
    "Hans": ("CJK",),
    "Hant": ("CJK",),
    "Hebr": ("HEBREW",),
    "Jpan": ("CJK", "HIRAGANA", "KATAKANA"),
    "Kore": ("HANGUL", "CJK"),
    "Latn": ("LATIN",),
    "Thai": ("THAI",),
}


@functools.cache
def _letters_of(code: str) -> tuple[str, ...]:
    """Return how the names of a language's letters begin; nothing where that is not known here."""
    try:
        locale = Locale.parse(code.partition("@")[0])
    except (UnknownLocaleError, ValueError):
        return ()
    likely = get_global("likely_subtags").get(str(locale), "") or get_global("likely_subtags").get(
        locale.language, ""
    )
    script = locale.script or next((part for part in likely.split("_") if len(part) == 4), "")
    return _LETTERS.get(script, ())


def is_foreign(text: str, code: str) -> bool:
    """Tell whether a text has letters, and none that a language is written with.

    Examples
    --------
    >>> is_foreign("T5", "zh_CN"), is_foreign("T5 模型", "zh_CN"), is_foreign("T5", "de")
    (True, False, False)
    >>> is_foreign("3.14", "zh_CN"), is_foreign("模型", "en"), is_foreign("T5", "xx")
    (False, True, False)
    """
    own = _letters_of(code)
    letters = [unicodedata.name(letter, "") for letter in text if letter.isalpha()]
    return bool(own and letters) and not any(name.startswith(own) for name in letters)


def html_attributes(code: str) -> dict[str, str]:
    """Return what HTML says of a text in a language: ``lang`` and ``dir``.

    Both belong on every part of a page that is in another language than the page: without ``dir`` the
    full stop of an English sentence jumps to its other end on an Arabic page.

    Examples
    --------
    >>> html_attributes("zh_CN"), html_attributes("he")
    ({'lang': 'zh-CN', 'dir': 'ltr'}, {'lang': 'he', 'dir': 'rtl'})
    """
    language = Language(code, "")
    return {"lang": language.tag, "dir": language.direction}


def sphinx_languages() -> set[str]:
    """Return the languages that Sphinx itself speaks."""
    locale = Path(sphinx.__file__).parent / "locale"
    return {"en"} | {path.parent.name for path in locale.glob("*/LC_MESSAGES")}


def catalog_languages(folders: Iterable[Path]) -> set[str]:
    """Return the languages that a project has catalogs for."""
    return {path.parent.name for folder in folders for path in folder.glob("*/LC_MESSAGES")}


def normalise(value: object, known: Collection[str]) -> str:
    """Return the one of the known codes that a way of writing a language means.

    Parameters
    ----------
    value
        A language as in ``conf.py``, on a command line or on Read the Docs: ``zh-cn``, ``zh_Hans``.
    known
        The codes to choose from, such as ``zh_CN``.

    Raises
    ------
    UnknownLanguageError
        None of the codes fits.

    Examples
    --------
    >>> [normalise(text, {"en", "zh_CN", "zh_TW"}) for text in ("zh-cn", "zh_Hans", "zh", "zh-Hant")]
    ['zh_CN', 'zh_CN', 'zh_CN', 'zh_TW']
    >>> normalise("en-US", {"en", "zh_CN"})
    'en'
    """
    if not isinstance(value, str) or not value.strip():
        raise UnknownLanguageError(value, known)
    written = value.strip().replace("-", "_")
    by_lower_case = {code.lower(): code for code in known}
    if code := by_lower_case.get(written.lower()):
        return code
    try:
        locale = Locale.parse(written)
    except (UnknownLocaleError, ValueError, TypeError):
        raise UnknownLanguageError(value, known) from None
    likely = get_global("likely_subtags")
    base = locale.language
    usual = Locale.parse(likely.get(f"{base}_{locale.script}") or likely.get(base, base))
    # From the most exact reading to the widest: zh_Hans_SG is zh_SG, or what zh_Hans usually means.
    with_territory = f"{base}_{locale.territory}"
    as_usual = f"{base}_{usual.territory}"
    for code in [with_territory, *([as_usual] if locale.script else []), base, as_usual]:
        if found := by_lower_case.get(code.lower()):
            return found
    raise UnknownLanguageError(value, known)


def own_name(code: str, others: Iterable[str] = ()) -> str:
    """Return what its readers call a language, with its country where another one shares its name.

    Examples
    --------
    >>> own_name("zh_CN"), own_name("en"), own_name("fr")
    ('中文', 'English', 'Français')
    """
    try:
        locale = Locale.parse(code.partition("@")[0])
    except (UnknownLocaleError, ValueError):
        return code
    base = locale.language
    shared = any(other != code and other.partition("_")[0] == base for other in others)
    name = locale.get_display_name() if shared else locale.languages.get(base)
    return f"{name[:1].upper()}{name[1:]}" if name else code
