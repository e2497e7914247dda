"""Sites of made-up pages in English and Chinese, the same ones each time: what ``site.py`` builds.

No text is taken from anywhere. Sentences are put together by chance from a small vocabulary that has
every word in both languages, so that a page reads like a page and its Chinese like a translation of it.

- ``rich``: what a course has: links, code, formulas, lists, tables, notes, terms, footnotes.
- ``plain``: headings and paragraphs, in the Markdown that Sphinx and MkDocs both read.

A site has a front page, ten sections and their pages. For Sphinx its pages are written in English, with
catalogs in which every message is translated; for MkDocs each page is written twice.
"""

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

SECTIONS = 10
LANGUAGE = "zh_CN"


@dataclass(frozen=True, slots=True)
class Text:
    """A message in both languages, with its markup."""

    en: str
    zh: str


# What is the same in every language is a plain string.
Part = Text | str


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its name without ending, such as ``part3/page17``, and its parts in their order."""

    name: str
    parts: tuple[Part, ...]

    @property
    def title(self) -> Text:
        """The first message of the page."""
        return next(self.messages)

    @property
    def messages(self) -> Iterator[Text]:
        """Every message once."""
        return iter({part.en: part for part in self.parts if isinstance(part, Text)}.values())

    def text(self, language: str) -> str:
        """Return the page in one language, ``en`` or ``zh``."""
        return "".join(part if isinstance(part, str) else getattr(part, language) for part in self.parts)


# -- the vocabulary ---------------------------------------------------------------------------------------


def _pairs(text: str) -> list[Text]:
    return [Text(*pair.strip().split("=")) for pair in text.split("|")]


NOUNS = _pairs(
    "word=词|sentence=句子|wave=波|angle=角|lamp=灯|river=河流|bridge=桥|melody=旋律|table=表格|number=数|"
    "picture=图画|letter=字母|garden=花园|window=窗户|shadow=影子|circle=圆|ladder=梯子|mirror=镜子|"
    "clock=钟|compass=指南针|kite=风筝|drum=鼓|thread=线|basket=篮子|question=问题|answer=答案|rule=规则|"
    "pattern=规律|distance=距离|order=顺序|weight=权重|sum=和|vector=向量|row=行|column=列|rhythm=节奏|"
    "song=歌|block=积木|stage=舞台|costume=造型|sign=记号|corner=角落|stone=石头|boat=船|harbour=港口|"
    "recipe=食谱|lantern=灯笼|notebook=笔记本|experiment=实验|measurement=测量结果|lesson=课|page=页"
)
ADJECTIVES = _pairs(
    "small=小小|quiet=安静|long=长长|bright=明亮|blue=蓝色|old=古老|simple=简单|curious=奇特|narrow=狭窄|"
    "hidden=隐藏|fast=快速|slow=缓慢|round=圆圆|regular=规则|strange=奇怪|patient=耐心|exact=精确|"
    "rough=粗略|heavy=沉重|open=开放|clear=清楚|common=常见|rare=少见|useful=有用|beautiful=美丽"
)
VERBS = _pairs(
    "follows=跟随|changes=改变|explains=解释|measures=测量|contains=包含|describes=描述|moves=移动|"
    "joins=连接|shows=展示|carries=承载|repeats=重复|covers=覆盖|divides=划分|orders=排列|answers=回答|"
    "mirrors=映照|replaces=替换|surrounds=围绕|completes=补全|hides=遮住|counts=计数|finds=找到"
)
PLACES = _pairs(
    "in the first lesson=在第一课里|at the edge of the field=在田野边上|after the rain=在雨后|"
    "before breakfast=在早饭前|on the last page=在最后一页上|in every row=在每一行里|"
    "under the old bridge=在老桥下|at night=在夜里|in the second half=在后半部分|near the window=在窗边|"
    "on a slow computer=在慢的电脑上|during the break=在课间|in a large class=在大班里|"
    "at the same time=在同一时刻|without a word=在沉默中|on the blackboard=在黑板上"
)
SENTENCES = [
    Text("The {a} {n} {v} the {m} {p}.", "{a}的{n}{p}{v}{m}。"),
    Text("Every {n} has its own {m}, and the {o} {v} both.", "每个{n}都有自己的{m}，{o}则{v}这两者。"),
    Text("Nobody knows why the {n} {v} the {m}.", "没有人知道{n}为什么{v}{m}。"),
    Text("Without the {a} {n} there would be no {m}.", "没有{a}的{n}，就没有{m}。"),
    Text("What the {n} {v} {p} is called the {a} {m}.", "{n}{p}{v}的，叫作{a}的{m}。"),
    Text("Look at the {n} and the {m}: which of them is more {a}?", "看看{n}和{m}：哪一个更加{a}？"),
    Text("It takes {k} steps from the {n} to the {m}.", "从{n}到{m}要走 {k} 步。"),
    Text("The {n} is {a} because the {m} {v} it {p}.", "{n}是{a}的，因为{m}{p}{v}它。"),
    Text("Write down what the {n} and the {a} {m} have in common.", "写下{n}和{a}的{m}有什么共同点。"),
    Text("Whoever sees the {n} {p} thinks of a {a} {m}.", "谁{p}看见{n}，谁就会想到{a}的{m}。"),
    Text("There are {k} ways in which a {n} {v} the {a} {m}.", "{n}{v}{a}的{m}，共有 {k} 种方式。"),
    Text("If the {n} is {a}, then the {m} {v} the {o}.", "如果{n}是{a}的，那么{m}就会{v}{o}。"),
]
NAMES = ["shift", "turn", "row_sum", "take_turns", "next_word", "count", "mix", "order_of", "wave"]
FORMULAS = [r"a_{i} + b", r"\sin(x / {i})", r"x_{i}^2", r"\frac{1}{i}", r"\sqrt{i}", r"p_i w_{i}"]


class _Chance:
    """Draws words, sentences and markup for one page."""

    def __init__(self, seed: str, links: list[str]) -> None:
        self.random = random.Random(seed)
        self.links = links  # pages that this one may lead to
        self.notes = 0

    def words(self) -> Text:
        """Return an adjective and a noun: a heading, a cell, a term."""
        adjective, noun, place = (self.random.choice(kind) for kind in (ADJECTIVES, NOUNS, PLACES))
        if self.random.random() < 0.4:
            return Text(f"One {adjective.en} {noun.en} {place.en}", f"{place.zh}的{adjective.zh}{noun.zh}")
        return Text(f"The {adjective.en} {noun.en}", f"{adjective.zh}的{noun.zh}")

    def heading(self, number: str) -> Text:
        words = self.words()
        return Text(f"{words.en} {number}", f"{words.zh} {number}")

    def sentence(self, markup: bool) -> Text:
        """Return a sentence, with one or two of its words marked up."""
        pattern = self.random.choice(SENTENCES)
        noun, other, third = self.random.sample(NOUNS, 3)
        slots = {"n": noun, "m": other, "o": third}
        slots |= {"a": self.random.choice(ADJECTIVES), "v": self.random.choice(VERBS)}
        slots |= {"p": self.random.choice(PLACES), "k": Text(*[str(self.random.randint(2, 900))] * 2)}
        if markup:
            for slot in self.random.sample("nma", self.random.choice([1, 1, 2])):
                slots[slot] = self.random.choice(MARKUP)(self, slots[slot])
        en = pattern.en.format(**{name: text.en for name, text in slots.items()})
        zh = pattern.zh.format(**{name: text.zh for name, text in slots.items()})
        # One space between Chinese and what is not; none beside Chinese punctuation.
        return Text(en, re.sub(r" *([。，、：？]) *| {2,}", lambda match: match[1] or " ", zh).strip())

    def paragraph(self, sentences: int, markup: bool = False) -> Text:
        drawn = [self.sentence(markup) for _ in range(sentences)]
        return Text(" ".join(one.en for one in drawn), "".join(one.zh for one in drawn).strip())


def _both(text: Text, before: str, after: str) -> Text:
    return Text(f"{before}{text.en}{after}", f"{before}{text.zh}{after}")


def _link(chance: _Chance, text: Text) -> Text:
    return _both(text, "[", f"](/{chance.random.choice(chance.links)}.md)")


def _reference(chance: _Chance, text: Text) -> Text:
    label = chance.random.choice(chance.links).replace("/", "-")
    return Text(f"{{ref}}`{text.en} <{label}>`", f" {{ref}}`{text.zh} <{label}>` ")


def _code(chance: _Chance, text: Text) -> Text:
    name = chance.random.choice(NAMES)
    return Text(f"{text.en} `{name}()`", f"{text.zh} `{name}()` ")


def _formula(chance: _Chance, text: Text) -> Text:
    formula = chance.random.choice(FORMULAS).replace("{i}", f"{{{chance.random.randint(2, 9)}}}")
    return Text(f"{text.en} ${formula}$", f"{text.zh} ${formula}$ ")


MARKUP: list[Callable[[_Chance, Text], Text]] = [
    lambda chance, text: _both(text, "**", "**"),
    lambda chance, text: _both(text, "*", "*"),
    _link,
    _reference,
    _code,
    _formula,
    lambda chance, text: _both(text, "[", "](https://example.org/)"),
]


# -- the pages --------------------------------------------------------------------------------------------


def rich(name: str, number: int, links: list[str]) -> Page:
    """Return a page with everything that a page of a course has; about 72 messages."""
    chance = _Chance(f"rich {number}", links)
    parts: list[Part] = [f"({name.replace('/', '-')})=\n# ", chance.heading(str(number)), "\n\n"]
    parts += [chance.paragraph(2), "\n\n", chance.paragraph(2, markup=True), "\n\n"]
    notes: list[Part] = []
    blocks = [_list, _table, _terms, _note, _code_block, _steps]
    for section, block in enumerate(blocks, 1):
        parts += ["## ", chance.heading(f"{number}.{section}"), "\n\n"]
        for paragraph in range(4):
            text = chance.paragraph(chance.random.randint(1, 3), markup=paragraph != 1)
            if paragraph == 3 and section % 2:
                mark = f"[^note{section}]"
                text = Text(text.en + mark, text.zh + mark)
                notes += [f"{mark}: ", chance.paragraph(1, markup=True), "\n\n"]
            parts += [text, "\n\n"]
        parts += [*block(chance), "\n"]
    return Page(name, (*parts, *notes))


def _list(chance: _Chance) -> list[Part]:
    parts: list[Part] = []
    for item in range(6):
        parts += ["- ", chance.sentence(markup=item % 2 == 0), "\n"]
    return [*parts, "  - ", chance.sentence(markup=False), "\n  - ", chance.sentence(markup=True), "\n"]


def _steps(chance: _Chance) -> list[Part]:
    return [part for step in "12345" for part in (f"{step}. ", chance.sentence(markup=step == "2"), "\n")]


def _table(chance: _Chance) -> list[Part]:
    parts: list[Part] = []
    for row in range(4):
        parts += ["| ", chance.words(), " | ", _code(chance, chance.words()), " | ", chance.words(), " |\n"]
        # Spaces at the ends of a cell are not part of the message.
        parts = [
            Text(part.en.strip(), part.zh.strip()) if isinstance(part, Text) else part for part in parts
        ]
        parts += ["| --- | --- | --- |\n"] if row == 0 else []
    return parts


def _terms(chance: _Chance) -> list[Part]:
    parts: list[Part] = []
    for _ in range(3):
        parts += [chance.words(), "\n: ", chance.paragraph(2, markup=True), "\n\n"]
    return parts


def _note(chance: _Chance) -> list[Part]:
    note: list[Part] = [":::{note}\n", chance.paragraph(2, markup=True), "\n:::\n\n"]
    tip: list[Part] = [":::{admonition} ", chance.words(), "\n", chance.paragraph(1), "\n\n"]
    return [*note, *tip, chance.paragraph(1, markup=True), "\n:::\n"]


def _code_block(chance: _Chance) -> list[Part]:
    name, other = chance.random.sample(NAMES, 2)
    number = chance.random.randint(2, 99)
    code = f"def {name}(words):\n    return [{other}(word, {number}) for word in words]\n"
    formula = chance.random.choice(FORMULAS).replace("{i}", f"{{{number}}}")
    return [
        f"```python\n{code}```\n\n",
        chance.paragraph(2, markup=True),
        f"\n\n$$\n{formula} = {number}\n$$\n",
    ]


def plain(name: str, number: int, links: list[str]) -> Page:
    """Return a page of headings and paragraphs; 13 messages."""
    chance = _Chance(f"plain {number}", links)
    parts: list[Part] = ["# ", chance.heading(str(number)), "\n\n", chance.paragraph(2), "\n\n"]
    for section in range(1, 4):
        parts += ["## ", chance.heading(f"{number}.{section}"), "\n\n"]
        for _ in range(2):
            parts += [chance.paragraph(4), "\n\n"]
        link, end = chance.random.choice(links), chance.sentence(markup=False)
        # From one page to another as both programs read it; all pages lie in folders side by side.
        words = chance.words()
        near = f"](../{link}.md). "
        parts += [Text(f"[{words.en}{near}{end.en}", f"[{words.zh}{near.strip()}{end.zh}"), "\n\n"]
    return Page(name, tuple(parts))


KINDS = {"rich": rich, "plain": plain}


def pages(kind: str, count: int) -> Iterator[Page]:
    """Yield the pages of a site without its indexes: ten sections, equally long."""
    names = [f"part{1 + number * SECTIONS // count}/page{number}" for number in range(count)]
    for number, name in enumerate(names):
        # Links lead a few pages on or back, as they do in a course.
        links = [names[(number + step) % count] for step in (-7, -2, -1, 1, 3, 11)]
        yield KINDS[kind](name, number, links)


# -- the sites --------------------------------------------------------------------------------------------

CONF = """\
project = "Made up"
language = "en"
extensions = {extensions}
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
locale_dirs = ["locale"]
gettext_compact = False
html_theme = "{theme}"
html_show_sourcelink = False
html_copy_source = False
"""
WELCOME = Text("Welcome", "欢迎")
CONTENTS = Text("The contents of this part.", "这一部分的内容。")


def write_sphinx(
    folder: Path,
    kind: str,
    count: int,
    *,
    extensions: Iterable[str] = ("edukit.sphinxext.bilingual", "myst_parser", "edukit.sphinxext.search"),
    theme: str = "pydata_sphinx_theme",
    conf: str = 'bilingual_languages = ["zh_CN"]\n',
) -> int:
    """Write a site for Sphinx with its catalogs, and return how many messages it has.

    ``count`` is the number of all pages, the indexes included.
    """
    text = CONF.format(extensions=list(extensions), theme=theme) + conf
    _write(folder / "conf.py", text)
    messages = 0
    for page in [*_indexes(kind, count, _toctree), *pages(kind, count - SECTIONS - 1)]:
        _write(folder / f"{page.name}.md", page.text("en"))
        catalog = list(page.messages)
        messages += len(catalog)
        _write(folder / "locale" / LANGUAGE / "LC_MESSAGES" / f"{page.name}.po", _catalog(catalog))
    return messages


def _indexes(kind: str, count: int, contents: Callable[[list[str]], str]) -> Iterator[Page]:
    """Yield the front page and the first page of each section."""
    sections: dict[str, list[str]] = {}
    for page in pages(kind, count - SECTIONS - 1):
        section, _, name = page.name.partition("/")
        sections.setdefault(section, []).append(name)
    yield Page("index", ("# ", WELCOME, "\n\n", contents([f"{name}/index" for name in sections])))
    for section, names in sections.items():
        title = Text(f"Part {section.removeprefix('part')}", f"第 {section.removeprefix('part')} 部分")
        yield Page(f"{section}/index", ("# ", title, "\n\n", CONTENTS, "\n\n", contents(names)))


def _toctree(names: list[str]) -> str:
    return "```{toctree}\n" + "\n".join(names) + "\n```\n"


def _catalog(messages: Iterable[Text]) -> str:
    header = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {LANGUAGE}\\n"\n'
        '"Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n'
    )
    entries = [f"\nmsgid {_quoted(text.en)}\nmsgstr {_quoted(text.zh)}\n" for text in messages]
    return header + "".join(entries)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


MKDOCS = """\
site_name: Made up
theme:
  name: material
plugins:
  - search
  - i18n:
      docs_structure: suffix
      languages:
        - {{locale: en, name: English, default: true}}
        - {{locale: zh, name: 中文, build: {translated}}}
nav:
  - index.md
{nav}"""


def write_mkdocs(folder: Path, kind: str, count: int, *, translated: bool = True) -> None:
    """Write the same site for MkDocs: each page twice, with the language in its name."""
    sections: dict[str, list[str]] = {}
    listed = [*_indexes(kind, count, lambda names: ""), *pages(kind, count - SECTIONS - 1)]
    for page in listed:
        for language in ["en", "zh"] if translated else ["en"]:
            _write(folder / "docs" / f"{page.name}.{language}.md", page.text(language))
        section, slash, _ = page.name.partition("/")
        if slash:
            sections.setdefault(section, []).append(f"      - {page.name}.md\n")
    titles = {page.name.partition("/")[0]: page.title.en for page in listed if page.name.endswith("/index")}
    nav = "".join(f"  - {titles[name]}:\n{''.join(lines)}" for name, lines in sections.items())
    _write(folder / "mkdocs.yml", MKDOCS.format(nav=nav, translated=str(translated).lower()))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
