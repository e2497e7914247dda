"""What went wrong in a translation: each message is held to its source and to the rules of its language."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .encodings import CJK, HAN, misread
from .findings import KINDS, Finding, described
from .glossary import Glossary, read_glossary
from .markup import (
    NOTHING,
    PLACEHOLDER,
    SPACE,
    UNKNOWN,
    WORD,
    Analysis,
    Piece,
    analyse,
    idle_emphasis,
    is_markdown,
    without_other_languages,
)
from .pofile import Catalog, Message, read
from .project import Project, ProjectError

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
    first: dict[tuple[str, str], int] = {}
    for message in catalog.messages:
        hits = list(check_message(message, language, rules, page=page))
        line = first.setdefault(message.key, message.line)
        if line != message.line and "twice" not in rules.ignore | message.ignored:
            hits.append(("twice", {"line": str(line)}))
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
    """Finds the line of a page that a message stands on: by its words, near where the template has it."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._templates: dict[str, dict[str, tuple[Path | None, int]]] = {}
        self._pages: dict[Path, str] = {}

    def place(self, page: str, message: Message) -> str:
        path, near = self._line_of_template(page, message)
        path = path or self._page_of(message.references) or self._project.page_file(page)
        if path is None:
            return next((one.split()[0] for one in message.references if one.split()), "")
        if path not in self._pages:
            self._pages[path] = path.read_text(encoding="utf-8", errors="replace")
        line = _line_of(message.id, self._pages[path], near) or near
        name = self._project.shown(path)
        return f"{name}:{line}" if line else name

    def _page_of(self, references: Iterable[str]) -> Path | None:
        """Return the file of the first page that references name.

        They name it by the way from where templates were made, on whatever machine: the end of it counts.
        """
        for place in (place for line in references for place in line.split()):
            parts = [part for part in re.sub(r":\d+$", "", place).split("/") if part != ".."]
            for first in range(len(parts)):
                path = self._project.docs.joinpath(*parts[first:])
                if path.suffix in _PAGES and path.is_file():
                    return path
        return None

    def _line_of_template(self, page: str, message: Message) -> tuple[Path | None, int]:
        if page not in self._templates:
            found = self._templates[page] = {}
            path = self._project.templates_folder / f"{page}.pot"
            for one in read(path).messages if path.is_file() else ():
                places = " ".join(one.references)
                if number := re.search(r"\.(?:md|rst|ipynb|txt):(\d+)", places):
                    found[one.id] = (self._page_of(one.references), int(number[1]))
        return self._templates[page].get(message.id, (None, 0))


_PAGES = frozenset({".md", ".rst", ".ipynb", ".txt"})
# What may stand before and behind a text that is all there is on its lines, or in its cell.
_BEFORE = re.compile(r"(?:^|[|\]}:])[\s>#*+.\d-]*\Z")
_BEHIND = re.compile(r"[ \t*`]*(?:$|\|)", re.MULTILINE)


def _line_of(text: str, page: str, near: int) -> int:
    r"""Return the line of a page on which a text begins, the one near a line if there are several; else 0.

    What stands alone goes before what is a part of something else. A text that the page writes in another
    way, such as one with a quotation's marks between its lines, is found by its first words.

    Examples
    --------
    >>> page = "# A wave\n\nIt is a wave.\n\n| a | b |\n|---|---|\n| one | a\n"
    >>> _line_of("A wave", page, 0), _line_of("a", page, 1), _line_of("a", page, 7), _line_of("c", page, 3)
    (1, 5, 7, 0)
    """
    words = text.split()
    for sought in (words, words[:6]) if words else ():
        found = []
        for hit in re.finditer(rf"(?<!\w){_SPACES.join(map(re.escape, sought))}(?!\w)", page):
            begin = page.rfind("\n", 0, hit.start()) + 1
            alone = _BEFORE.search(page[begin : hit.start()]) and _BEHIND.match(page, hit.end())
            line = page.count("\n", 0, hit.start()) + 1
            found.append((not alone, abs(line - near), line))
        if found:
            return min(found)[2]
    return 0


_SPACES = r"[\s>]+"


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
        pass
    elif found := _difference(before.elements(), after.elements()):
        yield "link", {"found": found}
        return
    if text.markdown and (found := _dead_link(text)):
        yield "link", {"found": found}


def _dead_link(text: Text) -> str:
    """Return the address that a translation only writes, where the source leads there."""
    if len(_live(text.after)) >= len(_live(text.before)):
        return ""
    written = [piece.target for piece in text.after.of("link") if piece.name == "bare"]
    shown = {"": "[…]({})", "auto": "<{}>"}
    for piece in _live(text.before):
        if piece.target in written:
            return f"− {shown[piece.name].format(piece.target)}, + {piece.target}"
    return ""


def _live(analysis: Analysis) -> list[Piece]:
    """Return the links of a text in Markdown, where an address by itself is none."""
    return [piece for piece in analysis.of("link") if piece.name != "bare"]


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
    def shown(analysis: Analysis) -> set[str]:
        # `name` in reST is set in italics, ``name`` is code.
        pieces = analysis.of("code")
        return {f"`{one.target}`" if one.name == "default" else one.target for one in pieces}

    before, after = shown(text.before), shown(text.after)
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
_TIMES = re.compile(r"\s*(thousand|million|billion|千|百万|百萬|万|萬|亿|億)")
_SIZES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "千": 1000, "百万": 10**6, "百萬": 10**6}
_SIZES |= {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
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
    source = _ALWAYS.sub(WORD, text.before.prose.translate(_WIDE))
    target = f"{text.message.string} {text.after.prose}".translate(_WIDE)
    # The figures of a translation, without the commas and blanks that part thousands.
    flat = re.sub(r"(?<=\d)[, \u00a0\u2009\u202f](?=\d{3}(?!\d))", "", target)
    missing = []
    for found in _NUMBER.finditer(source):
        number = re.sub(r"[, \u00a0\u2009\u202f]", "", found[0])
        rest = source[found.end() :]
        if not any(_has_number(number, one, rest, text.base) for one in (flat, target)):
            missing.append(found[0])
        elif _loses_minus(number, source[: found.start()], flat, text.base):
            missing.append(f"-{found[0]}")
    if missing:
        yield "number", {"found": ", ".join(dict.fromkeys(missing))}


# Said with figures in English, and with none elsewhere.
_ALWAYS = re.compile(r"\b24/7\b")
_IS_NEGATIVE = re.compile(rf"(?<![\w.)\]}}°/{WORD}{UNKNOWN}-])[-−]\Z")
_NEGATIVE = {
    "zh": "[负負零减減低]",
    "ja": "マイナス|負|零下|氷点下|減",
    "en": "(?i:minus|negative|below|less)",
}


def _loses_minus(number: str, before: str, target: str, base: str) -> bool:
    if base not in _NEGATIVE or not _IS_NEGATIVE.search(before):
        return False
    return not re.search(rf"[-−–－] ?{re.escape(number)}|{_NEGATIVE[base]}", target)


def _has_number(number: str, target: str, rest: str, base: str) -> bool:
    """Tell whether a number of the source, with the rest of the source behind it, is in a translation."""
    if base == "en" and _TIMES.match(rest):
        return _in_english(number, target, rest)
    # 1970-01-01 has the 1 of January 1.
    if re.search(rf"(?<![\d.])0?{re.escape(number)}(?!\d|\.\d)", target):
        return True
    if base not in ("zh", "ja", "en"):
        # Many languages write a comma where English has a point.
        return "." in number and number.replace(".", ",") in target
    if number.count(".") > 1:
        return False
    if base == "en":
        return _in_english(number, target, rest)
    size = _TIMES.match(rest)
    value = round(float(number) * (_SIZES[size[1]] if size else 1), 9)
    for unit, worth in (("[亿億]", 10**8), ("[万萬]", 10_000), ("千", 1000), ("百", 100)):
        if value >= worth and re.search(rf"(?<![\d.]){re.escape(f'{value / worth:g}')} ?{unit}", target):
            return True
    if value != int(value):
        # 1.80 m is 1 米 80, and $3.50 is 3 元 50.
        return bool(re.search(rf"(?<!\d){number.replace('.', ' ?[米元] ?')}(?!\d)", target))
    whole = int(value)
    if size and re.search(rf"(?<!\d){whole}(?!\d)", target):
        return True
    if rest.startswith("s") and whole > 1000 and _is_decade(whole, target):
        return True
    if re.match(r"\s*(?i:pm\b|p\.m\.)", rest) and re.search(rf"(?<!\d){whole + 12} ?[:：点點时時]", target):
        return True
    if re.match(r"\s*%\s*off\b", rest) and "折" in target:
        return True
    forms = {spoken(whole)} | {0: {"无", "無", "没"}, 2: {"两", "双", "俩"}}.get(whole, set())
    # 两 stands for 二 before a unit; traditional forms for the simplified ones.
    plain = re.sub("[两兩](?=[百千万萬亿億])", "二", target).translate(str.maketrans("萬億兩", "万亿两"))
    return any(form in plain for form in forms)


def _is_decade(year: int, target: str) -> bool:
    """Tell whether a decade stands in a text: 1990s is 20 世纪 90 年代."""
    short = year % 100
    if not short:
        return bool(re.search("世[纪紀]", target))
    return bool(re.search(rf"(?<!\d)(?:{short}|{spoken(short)}) ?年代", target))


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# How the English words for a number begin.
_ENGLISH = {
    0: "zero|no", 1: "one|once|first|single", 2: "two|twice|second|both|pair", 3: "three|third", 4: "four",
    5: "five|fifth", 6: "six", 7: "seven", 8: "eight", 9: "nine|ninth", 10: "ten", 11: "eleven",
    12: "twelve|twelfth|dozen", 13: "thirteen", 14: "fourteen", 15: "fifteen", 16: "sixteen",
    17: "seventeen", 18: "eighteen", 19: "nineteen", 20: "twent", 30: "thirt", 40: "fort", 50: "fift",
    60: "sixt", 70: "sevent", 80: "eight", 90: "ninet", 100: "hundred", 1000: "thousand",
}  # fmt: skip


def _in_english(number: str, target: str, rest: str) -> bool:
    size = _TIMES.match(rest)
    value = round(float(number) * (_SIZES[size[1]] if size else 1), 9)
    sizes = (("billion", 10**9), ("million", 10**6), ("thousand", 1000), ("", 1)) if size else ()
    for unit, worth in sizes:
        if re.search(rf"(?<![\d.]){re.escape(f'{value / worth:.10g}')}(?!\d) ?{unit}", target):
            return True
    if value != int(value):
        return False
    whole = int(value)
    if re.match(r"\s*月", rest) and 1 <= whole <= 12 and _MONTHS[whole - 1] in target:
        return True
    if re.match(r"\s*年代", rest) and re.search(rf"\d{number}s", target):
        return True
    if re.match(r"\s*世[纪紀]", rest) and re.search(rf"(?<!\d){whole - 1}\d\ds", target):
        return True
    if re.match(r"\s*[点點时時]", rest) and re.search(rf"(?<!\d){whole - 12}(?!\d)", target):
        return True
    words = _ENGLISH.get(whole)
    return words is not None and re.search(rf"(?i)\b(?:{words})", target) is not None


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
    return text.base in ("zh", "ja", "ko") and bool(re.search(f"[{CJK}]", text.after.prose))


_NARROW = re.compile(
    rf"(?<=[{HAN}])[,;:!?](?![\d/])|(?<=[{HAN}])\.(?![\w./])|[,;!?](?=[{HAN}])|(?<=[{HAN}])\.\.\.|\.\.\.(?=[{HAN}])"
    rf"|\([^()]*[{HAN}][^()]*\)|(?<=[{HAN}])\(|\)(?=[{HAN}])"
)
_WIDE_IN_LATIN = re.compile(
    r"(?<=\d)[，．](?=\d{3}(?!\d))|(?<=\d)[．：](?=\d)|[Ａ-Ｚａ-ｚ０-９]|(?<=\w)＠(?=\w)"
)
_NARROW_DASH = re.compile(rf"(?<=[{HAN}])(?:--+|-)(?=[{HAN}])")
_DASH = re.compile(r"\s[-–—]{1,2}\s|—")


def _widths(text: Text) -> Iterator[Found]:
    prose = text.after.prose
    if text.base in ("zh", "ja") and _is_cjk(text):
        # What stands in brackets after a parameter is laid out by Sphinx, which adds the dash.
        prose = re.sub(r"\([^()]*\)(?= --)", "", prose)
        for found in _NARROW.finditer(prose):
            yield "width", {"found": _visible(prose[max(0, found.start() - 3) : found.end() + 3])}
            return
        for found in _NARROW_DASH.finditer(prose):
            # 汉-英 has a hyphen; a dash is one that the source has.
            if len(found[0]) > 1 or _DASH.search(text.before.prose):
                yield "width", {"found": f"{_around(prose, found.start(), 3)} → ——"}
                return
    source = text.before.prose
    for found in _WIDE_IN_LATIN.finditer(prose):
        # A comma may also end a clause: 2，300 is wrong only where the source has 2,300.
        narrow = prose[found.start() - 1] + found[0].translate(_TO_NARROW)
        narrow += prose[found.end() : found.end() + (3 if found[0] == "，" else 1)]
        if found[0] not in source and (found[0] not in "，：" or narrow in source):
            yield "width", {"found": _around(prose, found.start())}
            return
    if text.base not in ("zh", "ja", "ko"):
        from_wide = text.rules.source.partition("_")[0] in ("zh", "ja", "ko")
        for found in re.finditer("[，。；：！？（）]", prose):
            if (from_wide or found[0] not in source) and not re.search(f"[{HAN}]", prose):
                yield "width", {"found": _around(prose, found.start())}
                return


_TO_NARROW = str.maketrans("，：", ",:")
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


_BEFORE_COMMA = {"rule": "put no blank before a comma", "rule_zh": "逗号前面不空格"}


def _spaces(text: Text) -> Iterator[Found]:
    spacing = text.rules.spacing
    if spacing != "off" and text.base not in ("zh", "ja", "ko"):
        yield from _spaced_commas(text)
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


def _spaced_commas(text: Text) -> Iterator[Found]:
    found = re.search(r"\w ,(?=[ \w])\w?", text.after.prose)
    # A piece of markup that reads as nothing may stand between.
    if found and found[0] in text.message.string and " ," not in text.message.id:
        yield "space", {"found": _around(text.after.prose, found.start() + 1), **_BEFORE_COMMA}


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
    if re.search(f"[{CJK}]", prose):
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


# What is quoted, set in italics or in brackets, or names something, may stay in its language.
_CITED = re.compile(
    r"“[^”]*”|‘[^’]*’|\"[^\"]*\"|「[^」]*」|『[^』]*』|《[^》]*》|（[^（）]*）|\([^()]*\)|\*+[^*]+\*+"
    r"|\[[^\[\]]*\](?=\()|`[^`]+`|(?<!\w)'[^']*'(?!\w)"
)
# Three may be an example, or a command.
_SMALL_WORDS = re.compile(r"(?<![\w@/.-])[a-z][a-z’'-]*(?: [a-z][a-z’'-]*){3,}(?![\w@/])")


def _still_source(text: Text) -> Iterator[Found]:
    plain = without_other_languages(text.message.string)
    if text.base not in ("zh", "ja", "ko"):
        if text.rules.source.partition("_")[0] in ("zh", "ja", "ko"):
            yield from _still_signs(text, plain)
        return
    if not re.search(f"[{CJK}]", text.message.string):
        prose = analyse(plain, markdown=text.markdown).prose
        if len(_SMALL_WORD.findall(prose)) >= 2:
            yield "same", {"found": _short(text.message.string)}
        return
    if "\n" in text.message.id.strip():
        return  # a block of code
    prose = analyse(_CITED.sub(WORD, plain), markdown=text.markdown).prose
    source = " ".join(text.before.prose.split())
    for found in _SMALL_WORDS.finditer(prose):
        if found[0] in source:
            yield "same", {"found": found[0]}
            return


def _still_signs(text: Text, plain: str) -> Iterator[Found]:
    """Yield Chinese in a translation into another language, unless the sign itself is spoken of."""
    source = _CITED.sub(WORD, text.message.id)
    for found in re.finditer(f"[{CJK}]+", analyse(_CITED.sub(WORD, plain), markdown=text.markdown).prose):
        if found[0] in source:
            yield "same", {"found": found[0]}
            return


_DOUBLED = re.compile(
    rf"([，。；：！？、])[，。；：、]|(?<!目)(的)的(?!确|士)|(?<!现)([是在和与把被])\3(?!非)|([{HAN}]{{4,}})\4"
)
_WORD_TWICE = re.compile(r"(?<![\w-])([A-Za-z]{2,}) +\1(?![\w-])", re.IGNORECASE)
# In English these may stand twice.
_MAY_DOUBLE = frozenset(
    {"had", "that", "very", "really", "so", "no", "bye", "ha", "long", "many", "much", "more"}
)


def _doubles(text: Text) -> Iterator[Found]:
    prose, source = text.after.prose, text.before.prose
    if found := _DOUBLED.search(prose) or _doubled_word(text):
        yield "doubled", {"found": _around(prose, found.start(), 4)}
    elif text.base not in ("zh", "ja", "ko"):
        found = re.search(r"[\w,]  +\w", prose)
        # A piece of markup that reads as nothing may stand between.
        if found and found[0] in text.message.string and "  " not in source:
            yield "doubled", {"found": _around(prose, found.start(), 4)}


def _doubled_word(text: Text) -> re.Match[str] | None:
    # Elsewhere a word may well stand twice, as in nous nous lavons.
    if text.base not in ("zh", "ja", "ko", "en"):
        return None
    for found in _WORD_TWICE.finditer(text.after.prose):
        word = found[1].casefold()
        if re.search(rf"(?i)\b{word}\W+{word}\b", text.before.prose):
            continue
        if text.base != "en" or word not in _MAY_DOUBLE:
            return found
    return None


# -- signs that nobody meant ----------------------------------------------------------------------------

# What a wrong encoding leaves behind, and blanks of no width, which some languages need.
_NOT_MEANT = re.compile("[\ufffd\ufeff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\u200b")
_NEED_NO_WIDTH = frozenset({"th", "lo", "km", "my", "bo"})


def _garbled(text: Text) -> Iterator[Found]:
    target, source = text.message.string, text.message.id
    for found in _NOT_MEANT.finditer(target):
        if found[0] not in source and (found[0] != "\u200b" or text.base not in _NEED_NO_WIDTH):
            yield "garbled", {"found": f"U+{ord(found[0]):04X}: {_around(target, found.start())}"}
            return
    if text.base in ("zh", "ja", "ko") and (meant := misread(target)) and not misread(source):
        yield "garbled", {"found": f"{_short(target, 20)} = {_short(meant, 20)}"}


# -- edges and emphasis ------------------------------------------------------------------------------------


def _edges(text: Text) -> Iterator[Found]:
    source, target = text.message.id, text.message.string
    for at, cut in ((0, slice(8)), (-1, slice(-8, None))):
        before, after = source[at].isspace(), target[at].isspace()
        # A wide mark holds the blank that a narrow one needs beside it.
        if before != after and target[at] not in "，。；：！？、（）":
            yield "edge", {"found": f"{source[cut]!r} → {target[cut]!r}"}
            return
    if re.search(r"\n\s*\n", target) and not re.search(r"\n\s*\n", source):
        yield "edge", {"found": f"{target[:8]!r} ¶"}  # Sphinx shows the first paragraph alone
        return
    mark = re.search(r"[:：]\Z", source)
    if mark and not re.search(r"[:：]\Z", target):
        yield "edge", {"found": f"{source[-8:]!r} → {target[-8:]!r}"}
    elif (
        text.base not in _NEED_NO_WIDTH
        and "\n" not in source.strip()
        and _loses_end(text.before.prose, text.after.prose)
    ):
        yield "edge", {"found": f"{_visible(text.before.prose[-8:])} → {_visible(text.after.prose[-8:])}"}


_ENDING = re.compile(rf"[^\w{WORD}{UNKNOWN}]*\Z")
_ABBREVIATION = re.compile(r"(?:\b(?:etc|al|ca|cf|vs|Inc|Ltd|Co|Jr|Sr|St|No|[A-Za-z])|\.[a-z])\.\W*\Z")


def _loses_end(source: str, target: str) -> bool:
    """Tell whether a sentence has lost the mark at its end, or a question is none any more."""
    before, after = (_ENDING.search(one) for one in (source, target))
    if before is None or after is None or not target.strip() or re.search(r"\.\.|…", before[0]):
        return False
    if re.search("[?？]", before[0]):
        return not re.search("[?？؟;՞]", after[0])
    if not re.search("[.。]", before[0]) or _ABBREVIATION.search(source):
        return False
    is_sentence = len(source.split()) > 2 or re.search(f"[{CJK}]", source)
    return bool(is_sentence) and not any(_ends_sentence(sign) for sign in after[0])


def _ends_sentence(sign: str) -> bool:
    return sign == "—" or (unicodedata.category(sign) == "Po" and sign not in "%‰#&@*/\\'\"§")


def _emphasis(text: Text) -> Iterator[Found]:
    idle = idle_emphasis(text.message.string, markdown=text.markdown)
    if idle and not idle_emphasis(text.message.id, markdown=text.markdown):
        yield "emphasis", {"found": " … ".join(map(_short, idle[:3]))}


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
    _garbled,
    _edges,
    _emphasis,
)
