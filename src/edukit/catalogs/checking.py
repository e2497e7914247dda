"""What went wrong in a translation: each message is held to its source and to the rules of its language."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .findings import KINDS, Finding, described
from .glossary import Glossary, read_glossary
from .markup import (
    NOTHING,
    PLACEHOLDER,
    SPACE,
    UNKNOWN,
    WORD,
    Analysis,
    analyse,
    idle_emphasis,
    is_markdown,
    without_other_languages,
)
from .pofile import Catalog, Message
from .project import Project, ProjectError

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3007\U00020000-\U0003ffff"
_CJK = f"{HAN}\u3040-\u30ff\uac00-\ud7af"
_LATIN = f"A-Za-z0-9À-ɏ{WORD}"


@dataclass(frozen=True, slots=True)
class Text:
    """A translated message with what the rules need of it."""

    message: Message
    language: str
    markdown: bool
    before: Analysis
    after: Analysis
    rules: "Rules"

    @property
    def base(self) -> str:
        """The language without its country."""
        return self.language.partition("_")[0]


@dataclass(frozen=True, slots=True)
class Rules:
    """What a project has agreed on."""

    glossary: Glossary
    spacing: str = "yes"
    same: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    source: str = "en"


# What a rule finds: a code, and the values that its texts take.
Found = tuple[str, dict[str, str]]
Rule = Callable[[Text], Iterator[Found]]


def rules_of(project: Project, language: str) -> Rules:
    """Return the rules of a project for one of its languages."""
    settings = project.settings
    for code in settings.ignore:
        if code not in KINDS:
            raise ProjectError(
                f"ignore in [tool.edukit.translate]: there is no finding {code!r}; "
                f"there are {', '.join(KINDS)}"
            )
    path = Path(settings.glossary) if settings.glossary else project.locale / "glossary.csv"
    if not path.is_absolute():
        path = project.root / path
    if settings.glossary and not path.is_file():
        raise ProjectError(f"glossary in [tool.edukit.translate]: there is no file {path}")
    terms = read_glossary(path, language) if path.is_file() else ()
    return Rules(
        Glossary(terms),
        settings.spacing,
        frozenset(settings.same),
        frozenset(settings.ignore),
        project.source,
    )


def check(project: Project, language: str, *, pages: Iterable[str] = ()) -> Iterator[Finding]:
    """Yield what is found in the catalogs of a language, page by page.

    Parameters
    ----------
    project, language
        Whose catalogs.
    pages
        Only these; all without them.
    """
    rules = rules_of(project, language)
    wanted = set(pages)
    lines = _Lines(project)
    for name, catalog in project.catalogs(language).items():
        if not wanted or name in wanted:
            yield from check_catalog(catalog, language, rules, page=name, place=lines.place)


def check_catalog(
    catalog: Catalog,
    language: str,
    rules: Rules,
    *,
    page: str = "",
    place: Callable[[str, Message], str] = lambda page, message: "",
) -> Iterator[Finding]:
    """Yield what is found in one catalog."""
    for message in catalog.messages:
        hits = list(check_message(message, language, rules, page=page))
        source = place(page, message) if hits else ""
        for code, values in hits:
            yield Finding(
                code,
                language,
                page,
                source,
                catalog.path,
                message.line,
                message.id,
                message.string,
                *described(code, **values),
            )


def check_message(message: Message, language: str, rules: Rules, *, page: str = "") -> Iterator[Found]:
    """Yield what is found in one message: codes and the values of their texts."""
    ignored = rules.ignore | message.ignored
    for code, values in _all(message, language, rules, page):
        if code not in ignored:
            yield code, values


def _all(message: Message, language: str, rules: Rules, page: str) -> Iterator[Found]:
    if message.fuzzy:
        yield "fuzzy", {}
        return
    if not message.string.strip():
        yield "untranslated", {}
        return
    markdown = is_markdown(message.references, page)
    forms = message.forms or (message.string,)
    for number, form in enumerate(forms):
        source = message.plural if number and message.plural else message.id
        if form == message.id and source == message.id:
            yield from _identical(message, language, rules, markdown)
            continue
        text = Text(
            message if form == message.string else _form(message, source, form),
            language,
            markdown,
            analyse(source, markdown=markdown),
            analyse(form, markdown=markdown),
            rules,
        )
        for rule in RULES:
            yield from rule(text)


def _form(message: Message, source: str, form: str) -> Message:
    return Message(source, form, message.line, fuzzy=False, comments=message.comments)


# -- where it stands -----------------------------------------------------------------------------------


class _Lines:
    """Finds the line of a page that a message stands on: by the templates, else by its first words."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._templates: dict[str, dict[str, str]] = {}
        self._pages: dict[str, tuple[str, str]] = {}

    def place(self, page: str, message: Message) -> str:
        path = self._project.page_file(page)
        if path is None:
            return next((one.split()[0] for one in message.references if one.split()), "")
        if page not in self._pages:
            self._pages[page] = (path.as_posix(), path.read_text(encoding="utf-8", errors="replace"))
        name, text = self._pages[page]
        name = self._project.shown(Path(name))
        if line := self._line_of_template(page, message):
            return f"{name}:{line}"
        words = message.id.split()[:6]
        found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
        return f"{name}:{text.count(chr(10), 0, found.start()) + 1}" if found else name

    def _line_of_template(self, page: str, message: Message) -> str:
        if page not in self._templates:
            self._templates[page] = {}
            path = self._project.templates_folder / f"{page}.pot"
            if path.is_file():
                from .pofile import read

                for one in read(path).messages:
                    for place in one.references:
                        if found := re.search(r"\.(?:md|rst|ipynb|txt):(\d+)", place):
                            self._templates[page].setdefault(one.id, found[1])
        return self._templates[page].get(message.id, "")


# -- the same markup ---------------------------------------------------------------------------------------


def _difference(before: Iterable[str], after: Iterable[str]) -> str:
    """Return what one text has more than the other, as a reader sees it; empty when they agree."""
    first, second = Counter(before), Counter(after)
    parts = [f"− {_short(one)}" for one in (first - second).elements()]
    parts += [f"+ {_short(one)}" for one in (second - first).elements()]
    return ", ".join(parts[:6])


def _short(text: str, length: int = 60) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _targets(kind: str, *pieces: str) -> Rule:
    def rule(text: Text) -> Iterator[Found]:
        before = [piece.target for piece in text.before.of(*pieces)]
        after = [piece.target for piece in text.after.of(*pieces)]
        if found := _difference(before, after):
            yield kind, {"found": found}

    return rule


def _placeholders(text: Text) -> Iterator[Found]:
    before, after = (_filled_in(analysis) for analysis in (text.before, text.after))
    # "%s" and "{number}" are two ways to write the number of a figure.
    if _difference(*([one.replace("%s", "{number}") for one in every] for every in (before, after))):
        yield "placeholder", {"found": _difference(before, after)}


def _filled_in(analysis: Analysis) -> list[str]:
    """Return the placeholders of a message, those for the number of a figure among them.

    A slip in the title of ``numref`` has no number to show, and Sphinx may even end there.
    """
    titles = [one.text for one in analysis.of("role") if one.name.rpartition(":")[2] == "numref"]
    numbers = [one for title in titles for one in PLACEHOLDER.findall(title)]
    return [one.target for one in analysis.of("placeholder")] + numbers


def _roles(text: Text) -> Iterator[Found]:
    before, after = text.before.of("role"), text.after.of("role")
    if found := _difference([f"{{{one.name}}}" for one in before], [f"{{{one.name}}}" for one in after]):
        yield "role", {"found": found}
    elif found := _difference(
        [one.target for one in before if one.target], [one.target for one in after if one.target]
    ):
        yield "target", {"found": found}


def _references(text: Text) -> Iterator[Found]:
    before, after = text.before.of("reference"), text.after.of("reference")
    if len(before) != len(after):
        found = _difference(
            [one.target or one.text for one in before], [one.target or one.text for one in after]
        )
        yield "target", {"found": found or f"{len(before)} → {len(after)}"}
    elif found := _difference(
        [one.target for one in before if one.target], [one.target for one in after if one.target]
    ):
        yield "target", {"found": found}


def _links(text: Text) -> Iterator[Found]:
    before = Counter(piece.target for piece in text.before.of("link"))
    after = Counter(piece.target for piece in text.after.of("link"))
    missing, extra = before - after, after - before
    # The same place in the language of the translation is what a reader wants.
    own = re.compile(rf"(?<![a-z]){text.base}(?![a-z])|(?<![a-z])cn(?![a-z])", re.IGNORECASE)
    if missing.total() == extra.total() and all(own.search(address) for address in extra):
        return
    if found := _difference(before.elements(), after.elements()):
        yield "link", {"found": found}


def _html(text: Text) -> Iterator[Found]:
    # What a translation says in the page's own language is marked on the other page alone.
    bases = {text.base, text.rules.source.partition("_")[0]}

    def tags(analysis: Analysis) -> list[str]:
        found = [piece.target for piece in analysis.of("html")]
        return [tag for tag in found if not _is_language_of(tag, bases)]

    if found := _difference(tags(text.before), tags(text.after)):
        yield "html", {"found": found}


def _is_language_of(tag: str, bases: set[str]) -> bool:
    found = re.fullmatch(r"\{\s*\.language-([a-zA-Z]+)(-Han[st]|-[A-Z]{2})?\s*\}", tag)
    return found is not None and found[1] in bases


_WORDS_IN_MATH = re.compile(r"\\(?:text|mathrm|textbf|textit|mbox|operatorname)\s*\{[^{}]*\}")


def _mathematics(text: Text) -> Iterator[Found]:
    def core(formula: str) -> str:
        return re.sub(r"\s+", " ", _WORDS_IN_MATH.sub(r"\\text{}", formula)).strip()

    # A formula may be said once more in Chinese, where English says "it".
    before = {core(one.target) for one in text.before.of("math")}
    after = {core(one.target) for one in text.after.of("math")}
    if found := _difference(before, after):
        yield "math", {"found": found}


def _code(text: Text) -> Iterator[Found]:
    before = {one.target for one in text.before.of("code")}
    after = {one.target for one in text.after.of("code")}
    if found := _difference(before, after):
        yield "code", {"found": found}


# -- numbers -----------------------------------------------------------------------------------------------

_NUMBER = re.compile(
    r"""
      (?<![\w.])(?P<parted>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+)(?!\w)
    | (?<![\w.,])(?P<plain>\d+(?:\.\d+)*)(?=(?:st|nd|rd|th|s)?(?!\w|\.\d))
    """,
    re.VERBOSE,
)
_TIMES = re.compile(r"\s*(thousand|million|billion)\b")
_SIZES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_DIGITS = "零一二三四五六七八九"
_WIDE = str.maketrans("０１２３４５６７８９．", "0123456789.")


def spoken(number: int) -> str:
    """Return a number as it is written in Chinese.

    Examples
    --------
    >>> spoken(10), spoken(25), spoken(306), spoken(250_000_000)
    ('十', '二十五', '三百零六', '二亿五千万')
    """
    for unit, size in (("亿", 10**8), ("万", 10**4)):
        if number >= size:
            rest = number % size
            zero = "零" if 0 < rest < size // 10 else ""
            return f"{spoken(number // size)}{unit}{zero}{spoken(rest) if rest else ''}"
    text = ""
    gap = False
    for unit, size in (("千", 1000), ("百", 100), ("十", 10), ("", 1)):
        digit = number // size % 10
        if digit:
            text += ("零" if gap and text else "") + _DIGITS[digit] + unit
        gap = not digit
    return (text.removeprefix("一") if text.startswith("一十") else text) or "零"


def _numbers(text: Text) -> Iterator[Found]:
    source = text.before.prose.translate(_WIDE)
    target = f"{text.message.string} {text.after.prose}".translate(_WIDE)
    # The figures of a translation, without the commas and blanks that part thousands.
    flat = re.sub(r"(?<=\d)[, \u00a0\u2009\u202f](?=\d{3}(?!\d))", "", target)
    missing = []
    for found in _NUMBER.finditer(source):
        number = re.sub(r"[, \u00a0\u2009\u202f]", "", found[0])
        size = _TIMES.match(source, found.end())
        if not any(_has_number(number, one, size[1] if size else "", text.base) for one in (flat, target)):
            missing.append(found[0])
    if missing:
        yield "number", {"found": ", ".join(dict.fromkeys(missing))}


def _has_number(number: str, target: str, size: str, base: str) -> bool:
    if re.search(rf"(?<![\d.]){re.escape(number)}(?!\d|\.\d)", target):
        return True
    if base not in ("zh", "ja"):
        # Many languages write a comma where English has a point.
        return base != "en" and "." in number and number.replace(".", ",") in target
    if number.count(".") > 1:
        return False
    value = round(float(number) * _SIZES.get(size, 1), 9)
    for unit, worth in (("[亿億]", 10**8), ("[万萬]", 10_000), ("千", 1000), ("百", 100)):
        if value >= worth and re.search(rf"(?<![\d.]){re.escape(f'{value / worth:g}')} ?{unit}", target):
            return True
    if value != int(value):
        return False
    whole = int(value)
    if size and re.search(rf"(?<!\d){whole}(?!\d)", target):
        return True
    forms = {spoken(whole)} | ({"两", "双", "俩"} if whole == 2 else set())
    # 两 stands for 二 before a unit; traditional forms for the simplified ones.
    plain = re.sub("[两兩](?=[百千万萬亿億])", "二", target).translate(str.maketrans("萬億兩", "万亿两"))
    return any(form in plain for form in forms)


# -- pairs -------------------------------------------------------------------------------------------------

_PAIRS = {
    "(": ")",
    "[": "]",
    "{": "}",
    "（": "）",
    "［": "］",
    "【": "】",
    "〔": "〕",
    "《": "》",
    "〈": "〉",
}
_QUOTES = {"“": "”", "「": "」", "『": "』", "«": "»"}


def _unmatched(prose: str, pairs: dict[str, str]) -> str:
    """Return the first sign without its partner."""
    waiting: list[str] = []
    closing = {end: begin for begin, end in pairs.items()}
    for at, sign in enumerate(prose):
        if sign in pairs:
            waiting.append(sign)
        elif sign in closing:
            if not waiting or waiting[-1] != closing[sign]:
                return _around(prose, at)
            waiting.pop()
    return _around(prose, prose.rindex(waiting[-1])) if waiting else ""


def _around(prose: str, at: int, width: int = 6) -> str:
    return _visible(prose[max(0, at - width) : at + width + 1])


def _visible(text: str) -> str:
    text = text.replace(WORD, "`…`").replace(UNKNOWN, "{…}").replace(SPACE, " ").replace(NOTHING, "")
    return text.replace("\n", " ")


def _brackets(text: Text) -> Iterator[Found]:
    # What the source leaves open, such as 1) or [0, 1), may stay so.
    if (found := _unmatched(text.after.prose, _PAIRS)) and not _unmatched(text.before.prose, _PAIRS):
        yield "bracket", {"found": found}


def _quotations(text: Text) -> Iterator[Found]:
    if (found := _unmatched(text.after.prose, _QUOTES)) and not _unmatched(text.before.prose, _QUOTES):
        yield "quotation", {"found": found}
    elif text.after.prose.count('"') % 2 > text.before.prose.count('"') % 2:
        yield "quotation", {"found": '"'}


# -- how Chinese, Japanese and Korean are written --------------------------------------------------------


def _is_cjk(text: Text) -> bool:
    return text.base in ("zh", "ja", "ko") and bool(re.search(f"[{_CJK}]", text.after.prose))


_NARROW = re.compile(
    rf"(?<=[{HAN}])[,;:!?](?![\d/])|(?<=[{HAN}])\.(?![\w./])|[,;!?](?=[{HAN}])|(?<=[{HAN}])\.\.\.|\.\.\.(?=[{HAN}])"
    rf"|\([^()]*[{HAN}][^()]*\)|(?<=[{HAN}])\(|\)(?=[{HAN}])"
)
_WIDE_IN_LATIN = re.compile(r"(?<=\d)[，．](?=\d{3}(?!\d))|(?<=\d)．(?=\d)|[Ａ-Ｚａ-ｚ０-９]")


def _widths(text: Text) -> Iterator[Found]:
    prose = text.after.prose
    if text.base in ("zh", "ja") and _is_cjk(text):
        # What stands in brackets after a parameter is laid out by Sphinx, which adds the dash.
        prose = re.sub(r"\([^()]*\)(?= --)", "", prose)
        for found in _NARROW.finditer(prose):
            yield "width", {"found": _visible(prose[max(0, found.start() - 3) : found.end() + 3])}
            return
    source = text.before.prose
    for found in _WIDE_IN_LATIN.finditer(prose):
        # A comma may also end a clause: 2，300 is wrong only where the source has 2,300.
        narrow = prose[found.start() - 1] + "," + prose[found.end() : found.end() + 3]
        if found[0] not in source and (found[0] != "，" or narrow in source):
            yield "width", {"found": _around(prose, found.start())}
            return
    if text.base not in ("zh", "ja", "ko"):
        from_wide = text.rules.source.partition("_")[0] in ("zh", "ja", "ko")
        for found in re.finditer("[，。；：！？（）]", prose):
            if (from_wide or found[0] not in source) and not re.search(f"[{HAN}]", prose):
                yield "width", {"found": _around(prose, found.start())}
                return


_MARKS = "，。；：！？、（）《》【】“”‘’「」『』…—"
_WITH = {
    "rule": "put one space between Chinese and Latin letters or digits, and none between Chinese "
    "characters or beside Chinese marks",
    "rule_zh": "汉字与拉丁字母、数字之间空一格，汉字之间、中文标点旁边不空",
}
_WITHOUT = {
    "rule": "put no spaces between Chinese and Latin letters or digits",
    "rule_zh": "汉字与拉丁字母、数字之间不空格",
}


def _spaces(text: Text) -> Iterator[Found]:
    spacing = text.rules.spacing
    if spacing == "off" or text.base not in ("zh", "ja") or not _is_cjk(text):
        return
    prose = text.after.prose
    if spacing == "yes":
        sought = rf"(?<=[{HAN}])(?=[{_LATIN}])|(?<=[{_LATIN}])(?=[{HAN}])"
        values = _WITH
    else:
        sought = rf"(?<=[{HAN}]) (?=[{_LATIN}])|(?<=[{_LATIN}]) (?=[{HAN}])"
        values = _WITHOUT
    sought += (
        rf"|(?<=[{HAN}]) +(?=[{HAN}])|(?<=[，。；：！？、）》”]) +(?=\S)|(?<=\S) +(?=[，。；：！？、）》”])"
    )
    for found in re.finditer(sought, prose):
        yield "space", {"found": _visible(prose[max(0, found.start() - 4) : found.end() + 4]), **values}
        return


def _scripts(text: Text) -> Iterator[Found]:
    if text.base != "zh":
        return
    wrong = _looks_simplified if _is_traditional(text.language) else _looks_traditional
    source = text.message.id
    signs = [
        sign
        for sign in dict.fromkeys(re.findall(f"[{HAN}]", text.after.prose))
        if sign not in source and wrong(sign)
    ]
    if signs:
        mend = _converted("".join(signs), to_traditional=_is_traditional(text.language))
        yield "script", {"found": "".join(signs), "mend": f": {mend}" if mend else ""}


def _is_traditional(language: str) -> bool:
    return bool(re.search(r"_(TW|HK|MO|Hant)", language))


def _encodes(sign: str, encoding: str) -> bool:
    try:
        sign.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _looks_traditional(sign: str) -> bool:
    """Tell a traditional character: Big5 has it and GB2312, made for simplified ones, has not.

    OpenCC, where it is installed, tells rare characters of names apart that are the same in both scripts.
    """
    if _encodes(sign, "gb2312") or not _encodes(sign, "big5"):
        return False
    return _converted(sign, to_traditional=False) != sign


def _looks_simplified(sign: str) -> bool:
    if _encodes(sign, "big5hkscs") or not _encodes(sign, "gb2312"):
        return False
    return _converted(sign, to_traditional=True) != sign


def _converted(text: str, *, to_traditional: bool) -> str:
    """Return a text in the other script; empty without OpenCC."""
    name = "s2t" if to_traditional else "t2s"
    if name not in _CONVERTERS:
        try:
            import opencc
        except ImportError:
            _CONVERTERS[name] = lambda text: ""
        else:
            _CONVERTERS[name] = opencc.OpenCC(name).convert
    return _CONVERTERS[name](text)


_CONVERTERS: dict[str, Callable[[str], str]] = {}


# -- words -------------------------------------------------------------------------------------------------


def _terms(text: Text) -> Iterator[Found]:
    glossary = text.rules.glossary
    if not glossary:
        return
    # What is never translated, such as softmax, is sought with the rest: it is in the translation anyway.
    target = text.after.prose
    for term in glossary.in_text(text.before.prose, kept=target):
        agreed = " / ".join(term.translations)
        # What is to be avoided may be part of what is agreed.
        plain = target
        for one in term.translations:
            plain = plain.replace(one, "")
        wrong = next((one for one in term.avoid if glossary.has(plain, one)), "")
        if wrong:
            yield "avoid", {"found": wrong, "term": term.term, "agreed": agreed}
        elif not any(glossary.has(target, one) for one in term.translations):
            yield "term", {"found": agreed, "term": term.term}


_SMALL_WORD = re.compile(r"(?<![\w.@/-])[a-zà-ɏ]{3,}(?![\w@/(]|\.\w|-[A-Z])")


def _identical(message: Message, language: str, rules: Rules, markdown: bool) -> Iterator[Found]:
    """Yield a translation that is its source, unless it is a name, a number or code."""
    prose = analyse(without_other_languages(message.id), markdown=markdown).prose
    # One word with a hyphen or the like in it is the name of a package or a file.
    if re.fullmatch(r"[\w.]+(?:[-_./][\w.]+)+", prose.strip()):
        return
    if message.id in rules.same or prose.strip() in rules.same:
        return
    if re.search(f"[{_CJK}]", prose):
        # Chinese in an English page may stay; Chinese that was to become English may not.
        from_signs = rules.source.partition("_")[0] in ("zh", "ja", "ko")
        if from_signs and language.partition("_")[0] not in ("zh", "ja", "ko"):
            yield "same", {"found": _short(message.id)}
        return
    small = [word for word in _SMALL_WORD.findall(prose) if word not in rules.same]
    # Languages with Latin letters share words with each other, but no sentences.
    enough = 1 if _writes_otherwise(language) else 4
    own = {term.term.casefold() for term in rules.glossary.in_text(prose) if term.term in term.translations}
    if len([word for word in small if word not in own]) >= enough:
        yield "same", {"found": _short(message.id)}


def _writes_otherwise(language: str) -> bool:
    """Tell whether a language is written in other letters than Latin ones."""
    others = {
        "zh",
        "ja",
        "ko",
        "ar",
        "fa",
        "he",
        "ur",
        "ru",
        "uk",
        "bg",
        "el",
        "hi",
        "bn",
        "ta",
        "th",
        "ka",
    }
    return language.partition("_")[0] in others | {
        "hy",
        "sr",
        "mk",
        "be",
        "kk",
        "mn",
        "ne",
        "mr",
        "te",
        "km",
    }


def _still_source(text: Text) -> Iterator[Found]:
    if text.base not in ("zh", "ja", "ko") or re.search(f"[{_CJK}]", text.message.string):
        return
    prose = analyse(without_other_languages(text.message.string), markdown=text.markdown).prose
    if len(_SMALL_WORD.findall(prose)) >= 2:
        yield "same", {"found": _short(text.message.string)}


_DOUBLED = re.compile(
    rf"([，。；：！？、])[，。；：、]|(?<![\w-])([A-Za-z]{{2,}}) +\2(?![\w-])|(?<!目)(的)的(?!确|士)"
    rf"|(?<!现)([是在和与把被])\4(?!非)|([{HAN}]{{4,}})\5"
)


def _doubles(text: Text) -> Iterator[Found]:
    source = text.before.prose
    for found in _DOUBLED.finditer(text.after.prose):
        if found[2] and re.search(rf"(?i)\b{found[2]}\W+{found[2]}\b", source):
            continue
        yield "doubled", {"found": _around(text.after.prose, found.start(), 4)}
        return


# -- edges and emphasis ------------------------------------------------------------------------------------


def _edges(text: Text) -> Iterator[Found]:
    source, target = text.message.id, text.message.string
    for at, cut in ((0, slice(8)), (-1, slice(-8, None))):
        before, after = source[at].isspace(), target[at].isspace()
        # A wide mark holds the blank that a narrow one needs beside it.
        if before != after and target[at] not in "，。；：！？、（）":
            yield "edge", {"found": f"{source[cut]!r} → {target[cut]!r}"}
            return
    mark = re.search(r"[:：]\Z", source)
    if mark and not re.search(r"[:：]\Z", target):
        yield "edge", {"found": f"{source[-8:]!r} → {target[-8:]!r}"}


def _emphasis(text: Text) -> Iterator[Found]:
    idle = idle_emphasis(text.message.string, markdown=text.markdown)
    if idle and not idle_emphasis(text.message.id, markdown=text.markdown):
        yield "emphasis", {"found": _short(idle[0])}


RULES: tuple[Rule, ...] = (
    _placeholders,
    _targets("substitution", "substitution"),
    _roles,
    _references,
    _targets("footnote", "footnote"),
    _mathematics,
    _code,
    _links,
    _targets("image", "image"),
    _html,
    _numbers,
    _brackets,
    _quotations,
    _widths,
    _spaces,
    _scripts,
    _terms,
    _still_source,
    _doubles,
    _edges,
    _emphasis,
)
