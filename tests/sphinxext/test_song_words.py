"""The table of a song's words: both languages in it, no message of a catalog, mistakes at their line."""

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from sphinx.testing.util import SphinxTestApp

PAGE = """\
# Words

:::{song-words}
:language: en

order; /ˈɔːrdər/; noun; 顺序；次序; 6, 8
follow；/ˈfɑːloʊ/；verb；跟随
:::
"""


@pytest.fixture
def build(make_app: Callable[..., SphinxTestApp], copy_site: Callable[[str], Path]):
    srcdir = copy_site("song")

    def build(text: str = PAGE, builder: str = "html", **overrides: object):
        (srcdir / "words.md").write_text(text, encoding="utf-8")
        app = make_app(builder, srcdir=srcdir, confoverrides=overrides, warning=io.StringIO())
        app.build()
        return app

    return build


def table(app: SphinxTestApp) -> list[list[str]]:
    html = (app.outdir / "words.html").read_text(encoding="utf-8")
    rows = re.findall(r"<tr.*?</tr>", html, re.DOTALL)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]


def said(app: SphinxTestApp) -> list[str]:
    text = re.sub(r"\x1b\[[0-9;]*m", "", app.warning.getvalue())
    return [
        line.replace(f"{app.srcdir}/", "")
        for line in text.splitlines()
        if "words.md:" in line and "toctree" not in line
    ]


def in_language(cell: str) -> list[tuple[str, str]]:
    return re.findall(r'<p lang="([^"]*)">(.*?)</p>', cell)


def test_each_cell_is_in_its_language(build) -> None:
    head, order, follow = table(build())
    assert [in_language(cell)[0][1] for cell in head] == [
        "English",
        "Sounds",
        "Part of speech",
        "Chinese",
        "Line",
    ]
    assert [in_language(cell) for cell in order[:4]] == [
        [("en", "order")],
        [("en-fonipa", "/ˈɔːrdər/")],
        [("en", "noun")],
        [("zh-Hans", "顺序；次序")],
    ]
    assert re.findall(r'href="#(line-\d)">(\d)</a>', order[4]) == [("line-6", "6"), ("line-8", "8")]
    assert in_language(follow[3]) == [("zh-Hans", "跟随")]
    assert follow[4].strip() in ("", "<p></p>")


def test_the_reader_s_language_stands_above_and_in_the_part_of_speech(build) -> None:
    head, order, _ = table(build(language="zh_CN"))
    assert [in_language(cell)[0] for cell in (*head, order[2])] == [
        ("zh-CN", word) for word in ["英语", "读音", "词性", "汉语", "行", "名词"]
    ]


def test_no_word_is_a_message(build) -> None:
    app = build(builder="gettext")
    with (app.outdir / "words.pot").open("rb") as file:
        assert [message.id for message in read_po(file) if message.id] == ["Words"]


def test_other_builders_have_the_table(build) -> None:
    text = (build(builder="text").outdir / "words.txt").read_text(encoding="utf-8")
    assert "/ˈɔːrdər/" in text
    assert "6, 8" in text


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("order; noun; 顺序", "has to be: word; sounds; part of speech; meaning; lines"),
        ("order; ; noun; 顺序", "has to be: word; sounds"),
        ("order; /ˈɔːrdər/; thing; 顺序", "“thing” is no part of speech; take one of noun, verb,"),
    ],
)
def test_a_mistake_is_named_at_its_line_and_the_rest_is_shown(build, row: str, message: str) -> None:
    app = build(PAGE.replace("follow；", f"{row}\nfollow；"))
    (warning,) = said(app)
    assert warning.startswith("words.md:7: WARNING: ")
    assert message in warning
    assert len(table(app)) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PAGE.replace(":language: en\n\n", ""), "know the language of the words: :language: en or zh-Hans"),
        (":::{song-words}\n:language: zh-Hans\n:::\n", "has no words"),
    ],
)
def test_a_table_without_what_it_needs(build, text: str, message: str) -> None:
    (warning,) = said(build(text))
    assert warning.startswith("words.md:")
    assert message in warning
