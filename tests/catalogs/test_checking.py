"""Each kind of finding: a translation that has it, and one as near as can be that has not."""

import re
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from markdown_it import MarkdownIt

from edukit.catalogs import Message, read
from edukit.catalogs.checking import Rules, check_catalog, check_message, rules_of
from edukit.catalogs.findings import KINDS
from edukit.catalogs.glossary import Glossary, Term, read_glossary
from edukit.catalogs.markup import analyse, idle_emphasis
from edukit.catalogs.project import ProjectError, find
from tests.conftest import ROOT

GLOSSARY = Glossary(
    (
        Term("position encoding", ("位置编码",)),
        Term("query", ("查询",), ("询问",)),
        Term("encoding", ("编码",)),
        Term("token", ("词元",), ("令牌",)),
        Term("softmax", ("softmax",)),
    )
)
RULES = Rules(GLOSSARY, same=frozenset({"colour"}))


def codes(
    source: str, translation: str, language: str = "zh_CN", *, rest: bool = False, **more: str
) -> list[str]:
    page = "page.rst" if rest else "page.md"
    message = Message(source, translation, 1, fuzzy=False, references=(page,))
    rules = Rules(GLOSSARY, same=RULES.same, spacing=more.get("spacing", "yes"))
    return [code for code, _ in check_message(message, language, rules)]


FOUND = [
    ("untranslated", "A word", "", {}),
    ("same", "A word here", "A word here", {}),
    ("same", "Some more words here", "Some other words", {}),
    ("placeholder", "Read it in {name}", "用{nome}阅读", {}),
    ("placeholder", "%(count)s pages", "%(number)s 页", {}),
    ("placeholder", "See {numref}`Figure %s <dot>`.", "见{numref}`第 % 号图 <dot>`。", {}),
    ("placeholder", "See {numref}`{name} <dot>`.", "见{numref}`{nome} <dot>`。", {}),
    ("substitution", "See |release|.", "见 |版本|。", {"rest": True}),
    ("substitution", "See {{ release }}.", "见 {{ version }}。", {}),
    ("role", "See {ref}`map`.", "见 {doc}`map`。", {}),
    ("role", "See :ref:`map`.", "见地图。", {"rest": True}),
    ("target", "See {ref}`the map <map>`.", "见{ref}`地图 <地图>`。", {}),
    ("target", "A {term}`token`.", "一个{term}`词元`。", {}),
    ("target", "See [the map][m].", "见[地图][n]。", {}),
    ("target", "See `here`_ and `there`_.", "见 `这里`_。", {"rest": True}),
    ("footnote", "Told[^one].", "据说[^二]。", {}),
    ("footnote", "Told [#one]_.", "据说 [#two]_。", {"rest": True}),
    ("math", "It is $x^2$.", "它是 $x^3$。", {}),
    ("math", "It is :math:`x`.", "它是 :math:`y`。", {"rest": True}),
    ("code", "Type `make html`.", "输入 `make 网页`。", {}),
    ("code", "Type ``a``.", "输入 ``b``。", {"rest": True}),
    ("link", "See [it](https://example.org/a).", "见[它](https://example.org/b)。", {}),
    ("link", "See `it <https://example.org/a>`_.", "见 `它 <https://example.org/b>`_。", {"rest": True}),
    ("image", "![A map](map.svg)", "![地图](地图.svg)", {}),
    ("html", "A <b>word</b>", "一个<b>词", {}),
    ("number", "It has 512 rows.", "它有 521 行。", {}),
    ("number", "It has 1,024 rows.", "它有 124 行。", {}),
    ("number", "more than 250 million", "两亿五千", {}),
    ("bracket", "A word (here)", "一个词（这里)", {}),
    ("bracket", "A word (here)", "一个词（这里", {}),
    ("quotation", "A “word”", "一个“词", {}),
    ("width", "Yes, it is.", "是,它是。", {}),
    ("width", "Yes, it is.", "是，它是.", {}),
    ("width", "It is (so).", "它是(这样的)。", {}),
    ("width", "1,024 rows", "1，024 行", {}),
    ("width", "Chapter 1", "第 １ 章", {}),
    ("width", "Yes, it is.", "Oui，c'est ça.", {"language": "fr"}),
    ("space", "A Python file", "一个Python 文件", {}),
    ("space", "A file of 3 lines", "3行的文件", {}),
    ("space", "A `word`", "一个`word`", {}),
    ("space", "Two words", "两个 词语", {}),
    ("space", "Yes, it", "是， 它", {}),
    ("space", "A Python file", "一个 Python 文件", {"spacing": "no"}),
    ("term", "A position encoding", "一种位置嵌入", {}),
    ("term", "Two queries", "两个询查", {}),
    ("avoid", "A token", "一个令牌", {}),
    ("script", "A word", "一個詞", {}),
    ("script", "A word", "一个词", {"language": "zh_TW"}),
    ("emphasis", "**Good.** He said", "**很好。**他说", {}),
    ("emphasis", "A **word** here", "一个**词**在这里", {"rest": True}),
    ("doubled", "A word, here", "一个词，，在这里", {}),
    ("doubled", "the word", "这个 the the 词", {}),
    ("edge", "as follows:", "如下", {}),
    ("edge", "a word\n", "一个词", {}),
    ("edge", "One line only.", "一行。\n\n另一行。", {}),
    ("edge", "Is this a wave?", "这是一个波。", {}),
    ("edge", "This is a sentence.", "这是一个句子", {}),
    ("edge", "See {ref}`the map <map>`.", "见{ref}`地图 <map>`", {}),
    # What is no link any more, or no markup.
    ("link", "See [the site](https://example.org/a).", "见[该网站]（https://example.org/a）。", {}),
    ("link", "<https://example.org/x> is it.", "https://example.org/x 就是它。", {}),
    ("link", "See `a <https://example.org/>`_ here.", "见 `甲<https://example.org/>`_。", {"rest": True}),
    ("code", "Type ``make it`` now.", "输入 `make it`。", {"rest": True}),
    ("emphasis", "It is |name| here.", "这是|name|。", {"rest": True}),
    ("emphasis", "So [1]_ it is.", "就是这样[1]_。", {"rest": True}),
    ("emphasis", "See `it`_ here.", "见`it`_。", {"rest": True}),
    ("emphasis", "The code ``a`` (so).", "代码 ``a``（这样）。", {"rest": True}),
    ("emphasis", "Use \\*args here.", "这里用 *args。", {"rest": True}),
    ("emphasis", "It is *important* here.", "这里*很重要。", {}),
    ("emphasis", "A **blue** dog.", "一只**蓝狗叫。", {}),
    ("emphasis", "A **big** dog.", "一只＊＊大＊＊狗。", {}),
    ("emphasis", "A **big** dog.", "一只＊＊大＊＊狗。", {"rest": True}),
    # What was left behind in the other language.
    ("same", "This one is half translated only.", "这一句 is half translated only.", {}),
    ("same", "A tail: see below for more.", "尾部：see below for more.", {}),
    ("number", "The value is -1 here.", "这里的值为 1。", {}),
    ("number", "It is -5 degrees.", "现在 5 度。", {}),
    ("number", "the 1990s", "20 世纪 80 年代", {}),
    ("width", "The dash -- here.", "破折号--在这里。", {}),
    ("width", "He came - and left.", "他来了-又走了。", {}),
    ("width", "It is 3:2 here.", "这里是 3：2。", {}),
    ("garbled", "The sky is blue.", "天空\ufffd蓝色的。", {}),
    ("garbled", "Hidden sign here.", "这里有\u200b隐藏字符。", {}),
    ("garbled", "The weather is good.", "今天天气".encode().decode("latin-1"), {}),
    ("garbled", "The weather is good.", "今天天气".encode().decode("gb18030"), {}),
    ("doubled", "Le ciel est bleu.", "The the sky is blue.", {"language": "en"}),
    ("doubled", "Au revoir.", "Good  bye.", {"language": "en"}),
    ("space", "La balle est ronde.", "The ball ,is round.", {"language": "en"}),
]


@pytest.mark.parametrize(("code", "source", "translation", "more"), FOUND)
def test_it_is_found(code: str, source: str, translation: str, more: dict[str, Any]) -> None:
    assert code in codes(source, translation, **more)


CLEAN = [
    ("ALiBi", "ALiBi", {}),
    ("T5", "T5", {}),
    ("`make html`", "`make html`", {}),
    ("rotary-embedding-torch", "rotary-embedding-torch", {}),
    ("softmax", "softmax", {}),
    ("colour", "colour", {}),
    ("Version", "Version", {"language": "fr"}),
    ("[*Let it go*]{.language-en}.", "[*Let it go*]{.language-en}。", {}),
    ("A {term}`token` here", "这里的{term}`词元 <token>`", {}),
    ("See {doc}`map`.", "见{doc}`map`。", {}),
    ("{cite:t}`a2017` say", "{cite:t}`a2017`说", {}),
    ("Also [我]{.language-zh-Hans} is", "“我”也是", {}),
    ("It is $x_{\\text{word}}$.", "它是 $x_{\\text{词}}$。", {}),
    ("Multiply $x$ by itself.", "$x$ 乘以 $x$。", {}),
    ("See [it](https://example.org/a).", "见[它](https://zh.example.org/a)。", {}),
    ("See [it](https://example.org/a).", "见[它](https://example.org/zh-cn/a)。", {}),
    ("It has 2 rows.", "它有两行。", {}),
    ("It has 12 rows.", "它有十二行。", {}),
    ("1,024 rows and 40,000", "1024 行和 4 万", {}),
    ("more than 250 million", "超过两亿五千万", {}),
    ("1.2 million numbers", "120 万个数", {}),
    ("within ±2**53.", "在 ±2**53 以内。", {"rest": True}),
    ("The 1st, in the 1990s", "第一个，在 1990 年代", {}),
    ("38 becomes 25, 247 becomes 237", "38 改成 25，247 改成 237", {}),
    ("3.5", "3,5", {"language": "fr"}),
    ("1) first", "1) 第一", {}),
    ("from [0, 1)", "从 [0, 1)", {}),
    ("**d** (*int, optional*) -- It is.", "**d** (*int，可选*) -- 它是。", {"rest": True}),
    ("A Python file", "一个Python文件", {"spacing": "no"}),
    ("A Python file", "一个Python 文件", {"spacing": "off"}),
    ("A **word** of it", "它的 **词** 语", {"rest": True}),
    ("A **word** of it", "它的\\ **词**\\ 语", {"rest": True}),
    ("**Good.** He said", "**很好**。他说", {}),
    ("2 * 3 and **so**", "2 * 3 和**这样**", {}),
    ("The paper “Token Encoding”", "论文“Token Encoding”", {}),
    ("tokens, step by step", "词元，一步一步来，一个一个来", {}),
    ("purpose of it", "目的的确如此", {}),
    ("Hello, ", "你好，", {}),
    ("(so)", "（喆）", {}),
    ("Say “yes”!", "说“好”！", {}),
    ("مرحبا, 3", "你好，3", {}),
    ("%dm, %s here", "%d 分，这里是%s描述", {}),
    ("release 3.0a1", "发行版 3.0a1", {}),
    ("See <https://example.org/a>.", "见[此处](https://example.org/a)。", {}),
    ("See https://example.org/a here.", "见 https://example.org/a 处。", {}),
    ("It is so.[^one] See it.", "就是这样。[^one] 参见它。", {}),
    ("So [1]_ it is, |name|.", "就是这样\\ [1]_，|name|。", {"rest": True}),
    ("Use \\*args (*) here.", "这里用 \\*args (*)。", {"rest": True}),
    ("In the 1990s it began.", "它始于 20 世纪 90 年代。", {}),
    ("In the 1920s and 2000s", "二十年代和本世纪初", {}),
    ("At 3 pm school ends.", "15 点放学。", {}),
    ("It is 20% off, 24/7.", "全天打八折。", {}),
    ("He is 1.80 m tall.", "他身高 1 米 80。", {}),
    ("January 1, 1970", "1970-01-01", {}),
    ("a table of 0 rows", "没有行的表格", {}),
    ("It is -5 °C, or -3.", "零下 5 度或 −3 度。", {}),
    ("From 10-20 to GPT-4", "从 10 到 20，到 GPT 的 4", {}),
    ("Chinese-English - a map", "汉英词典：地图", {}),
    ("A Chinese-English map", "汉-英地图", {}),
    ("cats, dogs, etc.", "猫、狗等", {}),
    ("Which word: they are …?", "用一个词说：它们……", {}),
    ("Yes.", "是", {}),
    ("Is it so?", "是这样吗？", {}),
    ("He asked “why?”.", "他问“为什么？”。", {}),
    ("The paper “attention is all you need”", "论文“attention is all you need”", {}),
    ("See `Running a server in production`_.", "见 `Running a server in production`_。", {"rest": True}),
    ("It prints 'no handlers could be found'.", "打印 'no handlers could be found'。", {}),
    ("the type (*tuple of the int*)", "类型 (*tuple of the int*)", {"rest": True}),
    ("Type edukit lyrics prepare now", "输入 edukit lyrics prepare", {}),
    ("We wash.", "Nous nous lavons.", {"language": "fr"}),
    ("Il l'avait <i>eu</i>.", "He had had <i> it</i>.", {"language": "en"}),
    ("La balle <i></i>, là.", "The ball <i></i>, there.", {"language": "en"}),
    ("It is 2 * 3 = 6.", "这是 2*3 = 6。", {}),
    (
        "<https://a.org/>, that is https://a.org/ here.",
        "[此处](https://a.org/)，即 https://a.org/ 处。",
        {},
    ),
    ("x = 1\n# See it for all of us.\n", "x = 1\n# 看 it for all of us.\n", {}),
    ("x = 1\n# It depends on units.", "x = 1\n# 取决于单位", {}),
    ("The value 联通 is here.", "这个值仅会由此产生，联通。", {}),
]


@pytest.mark.parametrize(("source", "translation", "more"), CLEAN)
def test_it_is_let_pass(source: str, translation: str, more: dict[str, Any]) -> None:
    assert codes(source, translation, **more) == []


def test_every_kind_is_tried_and_documented() -> None:
    assert {code for code, *_ in FOUND} | {"fuzzy", "twice"} == set(KINDS)
    guide = (ROOT / "docs/guide/translating.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", guide, re.MULTILINE)) == set(KINDS)


def test_a_fuzzy_message_is_one_finding() -> None:
    message = Message("A {name}", "b", 1, fuzzy=True)
    assert [code for code, _ in check_message(message, "zh_CN", RULES)] == ["fuzzy"]


def test_a_finding_can_be_ruled_out_for_one_message_or_for_all() -> None:
    message = Message("A token", "一枚", 1, fuzzy=False, comments=("edukit: ignore term",))
    assert list(check_message(message, "zh_CN", RULES)) == []
    plain = Message("A token", "一枚", 1, fuzzy=False)
    assert list(check_message(plain, "zh_CN", Rules(GLOSSARY, ignore=frozenset({"term"})))) == []
    assert [code for code, _ in check_message(plain, "zh_CN", RULES)] == ["term"]


def test_an_english_catalog_of_chinese_pages() -> None:
    glossary = Glossary((Term("词元", ("token",)), Term("位置编码", ("position encoding",))))
    rules = Rules(glossary, source="zh_CN")

    def found(source: str, translation: str) -> list[str]:
        return [
            code for code, _ in check_message(Message(source, translation, 1, fuzzy=False), "en", rules)
        ]

    assert found("两个词元（共 3 个）。", "Two tokens (of 3).") == []
    assert found("两个词元。", "Two words.") == ["term"]
    assert found("位置编码", "Positions and their encoding") == ["term"]
    assert found("他说：好。", "He said：fine.") == ["width"]
    assert found("约有 4 万人，1.5 亿元。", "About 40,000 people, 150 million yuan.") == []
    assert found("约有 4 万人。", "About 4,000 people.") == ["number"]
    assert found("5 月 4 日，15 点，3 只猫", "On May 4, at 3 pm, three cats") == []
    assert found("5 月 4 日", "4 June") == ["number"]
    assert found("20 世纪 90 年代，19 世纪", "In the 1990s, in the 1800s") == []
    assert found("苹果是红的。", "The apple is 红的.") == ["same"]
    assert found("汉字“爱”很美。", "The character 爱 is beautiful.") == []
    assert found("北京很大。", "Beijing (北京) is large.") == []
    assert found("天是蓝的。", "The the sky is blue.") == ["doubled"]
    assert found("请读这一句。", "Please read this sentence") == ["edge"]
    # What is not translated stays Chinese.
    assert found("他说", "他说") == ["same"]


def test_markup_is_told_from_prose() -> None:
    myst = analyse(
        'A [link `x`](a_(b).md "t") <https://a.b/c?d=(e)> \\*no\\* *yes* $5 and [6].', markdown=True
    )
    assert [(piece.kind, piece.target) for piece in myst.pieces] == [
        ("code", "x"),
        ("link", "a_(b).md"),
        ("link", "https://a.b/c?d=(e)"),
    ]
    assert myst.prose.endswith(" no yes $5 and [6].")
    rest = analyse("A `link <a.html>`_, :py:func:`~a.b`, |x|, [1]_, `p`, name_.", markdown=False)
    assert [(piece.kind, piece.name, piece.target) for piece in rest.pieces] == [
        ("link", "", "a.html"),
        ("role", "py:func", "a.b"),
        ("substitution", "", "x"),
        ("footnote", "", "1"),
        ("code", "default", "p"),
        ("reference", "", ""),
    ]


def test_idle_emphasis_is_what_the_parser_says() -> None:
    markdown = MarkdownIt()
    for text in [
        "**很好。**他说", "**很好**。他说", "他说**“好”**了", "他说 **“好”** 了", "*a*b", "一**二**三",
        "**（一）**二", "他**说：**好", "2 * 3", "**a**", "一*（二）*", "**《书》**。", "x **y。** z",
        "一*二", "**一", "一**二*三", "***一***", "*一**二***", "**一*二*三**", "一**（**二",
        "*一**二*", "[*一*](u*v)", "**一*二**三*",
    ]:  # fmt: skip
        shows_stars = "*" in re.sub(r"<[^>]+>", "", markdown.renderInline(text)) and text != "2 * 3"
        assert bool(idle_emphasis(text, markdown=True)) == shows_stars, text


def test_idle_markup_in_rest_is_what_docutils_says() -> None:
    for text in [
        "一**二**三", "一 **二** 三", "一\\ **二**\\ 三", "（**二**）", "一，**二**。",
        "**一**（二）", "（一）**二**",
        "一``二``", "一 ``二``（三）", "一`二`_", "一|n|二", "一 |n|，", "一 |n|_",
        "一[1]_。", "一 [1]_。", "一 [1]_。**二**",
        "一 *args", "一 \\*args", "一 (*)", '一 "*"', "一 **kwargs，*args*", "一 2 * 3", "一 ``二",
        "a*b*c", "一“*二*”",
        "一 [1]_\\ **二**", "《*二*》", "一——*二*——三", "一：``二``", "一*二* ", "一 `二`（三）",
    ]:  # fmt: skip
        document = publish_doctree(
            f".. |n| replace:: n\n.. _n: n\n.. _二: n\n.. [1] f\n\n{text}",
            settings_overrides={"report_level": 5, "halt_level": 5, "_disable_config": True},
        )
        shown = "".join(
            words.astext()
            for paragraph in document.findall(nodes.paragraph)
            if paragraph.parent is document
            for words in paragraph.findall(nodes.Text)
        )
        expected = bool(re.search(r"\*\S|\S\*|[`|]|\]_", re.sub(r"\(\*\)|\"\*\"", "", shown)))
        expected = expected and "\\*args" not in text
        assert bool(idle_emphasis(text, markdown=False)) == expected, text


def test_a_glossary_that_cannot_be_read_is_refused_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "glossary.csv"
    for content, message in [
        ("word,zh_CN\na,b\n", "glossary.csv:1: the first line names the columns"),
        ("term,zh_CN\na,b\na,c\n", "glossary.csv:3: 'a' stands here for the second time"),
        ('term,zh_CN\n"a,b\n', "this is no CSV"),
    ]:
        path.write_text(content, encoding="utf-8")
        with pytest.raises(ProjectError, match=message):
            read_glossary(path, "zh_CN")
    path.write_bytes("term,zh_CN\na,词元\n".encode("gb18030"))
    with pytest.raises(ProjectError, match="this is not UTF-8"):
        read_glossary(path, "zh_CN")
    path.write_text("\ufeffterm,zh_CN,zh_CN avoid,note\n# no,b,,\na,b；c,d;e,why\n", encoding="utf-8")
    assert read_glossary(path, "zh_CN") == (Term("a", ("b", "c"), ("d", "e"), "why"),)


@pytest.mark.parametrize("name", ["docs", "interface"])
def test_the_catalogs_of_this_repository_hold(name: str) -> None:
    project = find(ROOT)
    if name == "docs":
        catalogs = project.catalogs("zh_CN")
    else:
        catalogs = {"edukit": read(ROOT / "src/edukit/locale/zh_CN/edukit.po")}
    rules = rules_of(project, "zh_CN")
    found = [
        f"{one.path}:{one.line}: [{one.code}] {one.message_en}"
        for page, catalog in catalogs.items()
        for one in check_catalog(catalog, "zh_CN", rules, page=page)
    ]
    assert found == []
