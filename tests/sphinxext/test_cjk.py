"""Chinese text: line breaks, quotation marks, languages and headings, wherever a page's words go."""

import io
import json
import re
import sys
import zipfile
from collections.abc import Callable
from itertools import count, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from docutils import nodes
from hypothesis import given, settings
from hypothesis import strategies as st
from sphinx.testing.util import SphinxTestApp

from edukit.sphinxext.cjk import marks
from edukit.sphinxext.cjk.characters import is_wide
from edukit.sphinxext.cjk.lines import _join_block, join_folded, join_lines
from edukit.sphinxext.cjk.marks import han_runs, phrases
from edukit.sphinxext.cjk.quotes import set_quotes, set_quotes_within

Build = Callable[..., SphinxTestApp]

HAN = st.text("位置编码旋转，。《》？カな", min_size=1, max_size=12)
ANY = st.text(st.sampled_from("位置，。“”…abc 1한국\n\t😀é-"), max_size=24)


@pytest.fixture
def build(make_app: Callable[..., SphinxTestApp], copy_site: Callable[[str], Path]) -> Build:
    numbers = count()

    def build(
        builder: str = "html", files: dict[str, str] | None = None, **overrides: object
    ) -> SphinxTestApp:
        source = copy_site("cjk", f"site-{next(numbers)}")
        for name, text in (files or {}).items():
            (source / name).write_text(text, encoding="utf-8")
        app = make_app(builder, srcdir=source, confoverrides=overrides, warning=io.StringIO())
        app.build()
        return app

    return build


def page(app: SphinxTestApp, name: str = "index") -> str:
    html = (app.outdir / f"{name}.html").read_text(encoding="utf-8")
    return html.partition('<div class="body"')[2].partition('<div class="clearer"')[0]


def plain(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


# -- the functions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("位置\n编码", "位置编码"),
        ("位置  \n   编码", "位置编码"),
        ("位置\nRoPE", "位置\nRoPE"),
        ("RoPE\n位置", "RoPE\n位置"),
        ("512\n维", "512\n维"),
        ("位置 编码", "位置 编码"),
        ("编码，\nRoPE", "编码，RoPE"),
        ("他说：\n“位置”\n……\n是", "他说：“位置”……是"),
        ("ひらがな\nカタカナ", "ひらがなカタカナ"),
        ("한국어\n단어", "한국어\n단어"),
        ("한국어，\n단어", "한국어，\n단어"),
        ("位置\n한국어", "位置\n한국어"),
        ("花😀\n位置", "花😀\n位置"),
        ("one\ntwo", "one\ntwo"),
        ("葛\U000e0100\n位", "葛\U000e0100位"),
        ("位\0 \n置", "位\0置"),
    ],
)
def test_line_breaks(text: str, joined: str) -> None:
    assert join_lines(text) == joined


def test_marks_shared_with_latin_belong_to_the_language_of_the_text() -> None:
    assert join_lines("a “word”\n位置", "en") == "a “word”\n位置"
    assert join_lines("the mark ，\nis wide", "en") == "the mark ，\nis wide"
    assert join_lines("位置\n编码", "en") == "位置编码"
    assert join_lines("漢字\n漢字", "ko-KR") == "漢字\n漢字"


@settings(deadline=None)
@given(st.lists(HAN, min_size=1))
def test_wherever_chinese_is_broken_it_comes_together_again(lines: list[str]) -> None:
    assert join_lines("\n".join(lines)) == "".join(lines)


@settings(deadline=None)
@given(ANY, st.sampled_from(["zh-cn", "en", "ja", "ko"]))
def test_joining_takes_breaks_alone_and_takes_all_of_them_at_once(text: str, language: str) -> None:
    joined = join_lines(text, language)
    assert re.sub(r"\s", "", joined) == re.sub(r"\s", "", text)
    assert join_lines(joined, language) == joined
    # What stays is a piece of the text: every space that had no break beside it is still there.
    assert re.findall(r"(?<![\s])[ \t]+(?![\s])", text) == re.findall(r"(?<![\s])[ \t]+(?![\s])", joined)
    wide = any(map(is_wide, text)) or (language != "en" and any(mark in text for mark in "“”…"))
    if language == "ko" or not wide:
        assert joined == text


@settings(deadline=None)
@given(ANY, st.data(), st.sampled_from(["zh-cn", "en"]))
def test_how_a_text_lies_in_nodes_makes_no_difference(
    text: str, data: st.DataObject, language: str
) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)) | {0, len(text)})
    paragraph = nodes.paragraph()
    for start, end in pairwise(cuts):
        piece = nodes.Text(text[start:end])
        paragraph += nodes.emphasis("", "", piece) if data.draw(st.booleans()) else piece
    _join_block(paragraph, language)
    assert "".join(map(str, paragraph.findall(nodes.Text))) == join_lines(text, language)


@settings(deadline=None)
@given(ANY, ANY)
def test_folded_text_keeps_each_space_that_the_source_has(text: str, source: str) -> None:
    line = " ".join(text.split())
    assert join_folded(line, f"{source}\n{line}") == line
    assert join_folded(line, "") == line


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('他说"好"吗', "他说“好”吗"),
        ('"a"和"b"', "“a”和“b”"),
        ('{"a", "b"} 之一', '{"a", "b"} 之一'),
        ('"a", "好"', '"a", “好”'),
        ("“已有”", "“已有”"),
        ('27" 的屏幕', '27" 的屏幕'),
        ("它是'位置'，Don't", "它是‘位置’，Don't"),
        ('\0"好\0"', '\0"好\0"'),
    ],
)
def test_quotation_marks(text: str, quoted: str) -> None:
    assert set_quotes(text) == quoted


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("he said 他说：\"好的，'你'来\" there", "he said 他说：“好的，‘你’来” there"),
        ('the words "位置" and "编码"', 'the words "位置" and "编码"'),
        ("it's '位置' isn't", "it's '位置' isn't"),
        ('位"a" "b"置', '位"a" "b"置'),
        ('说\0"好\0"', '说\0"好\0"'),
    ],
)
def test_marks_within_chinese_in_a_text_of_another_language(text: str, quoted: str) -> None:
    assert set_quotes_within(text) == quoted


@settings(deadline=None)
@given(st.text(st.sampled_from("位说，ab \"'\0"), max_size=20))
def test_marks_alone_are_set(text: str) -> None:
    for setter in (set_quotes, set_quotes_within):
        assert re.sub("[“”]", '"', re.sub("[‘’]", "'", setter(text))) == text


def test_runs_of_chinese_are_taken_where_they_are_certain() -> None:
    text = "In 《春天》 and 東京; 镕"
    assert [part for part, language in han_runs(text, "zh-Hans") if language] == ["《春天》", "镕"]
    assert [part for part, language in han_runs(text, "ja") if language] == ["《春天》", "東京", "镕"]
    assert list(han_runs(text, "")) == [(text, "")]


@settings(deadline=None)
@given(ANY, st.sampled_from(["zh-Hans", "ja", ""]))
def test_runs_hold_the_whole_text(text: str, language: str) -> None:
    assert "".join(part for part, _ in han_runs(text, language)) == text


@settings(deadline=None)
@given(st.text(st.sampled_from("看不见的顺序，“”（） RoPE1"), max_size=20))
def test_phrases_hold_the_whole_text_and_part_no_mark_from_its_word(text: str) -> None:
    pieces = phrases(text)
    assert "".join(pieces) == text
    for before, after in pairwise(pieces):
        assert before[-1] not in "“（ "
        assert after[0] not in "，”） "


def test_words_of_the_author_are_not_parted() -> None:
    assert "等变，" not in phrases("它是等变，不是不变")
    assert "等变，" in phrases("它是等变，不是不变", ("等变",))


# -- pages ----------------------------------------------------------------------------------------------


def test_a_page_in_restructuredtext(build: Build) -> None:
    app = build()
    assert not app.warning.getvalue()
    html = page(app)
    text = plain(html)
    assert "<p>第一行第二行，第三行。RoPE\n旋转 512\n维。</p>" in html
    assert "他说：“你好”，然后用" in text
    assert "<em>重点</em>在<strong>后</strong>面，见" in html
    assert "目标和旋转位置编码怎样工作章。" in text
    assert "한국어\n단어 漢字\n한글" in text
    assert "词语" in text
    assert "索引 与" in text
    assert 'title="长名"' in html
    assert 'alt="一张小图 SVG 图"' in html
    assert 'href="#term-0"' in html
    assert "写在词上的位置。" in text


def test_literal_text_is_untouched(build: Build) -> None:
    html = page(build())
    assert '代码\n不变 "引号"\n' in html
    assert plain(html).count("print(&quot;a&quot;)\n和\n码") == 1


def test_a_page_in_markdown(build: Build) -> None:
    html = page(build(), "page")
    assert "软换行在 <em>着重号</em> 里和<code" in html
    assert "旁\n<span" in html
    assert "</span>\n边。" in html
    assert 'title="提示"' in html
    assert ">链接<" in html
    assert 'alt="替代文字"' in html
    assert 'alt="折叠的值 与 RoPE"' in html
    assert ">图注<" in html


def test_chinese_marks_within_chinese_on_an_english_page(build: Build) -> None:
    text = "He said 他说：'你好，\"走\"' and \"it's '位置'\"."
    html = plain(page(build(files={"english.md": f"# Words\n\n{text}\n"}, language="en"), "english"))
    assert "He said 他说：‘你好，“走”’ and “it’s ‘位置’”." in html


def test_names_of_links_broken_in_the_line(build: Build) -> None:
    text = "见 `位置\n编码`_、`旋\n转 量`_ 和 `链\n接 <https://example.org/c>`_。\n\n"
    targets = ".. _位置编码: https://example.org/a\n.. _旋转 量: https://example.org/b\n"
    app = build(files={"more.rst": f":orphan:\n\n标题\n====\n\n{text}{targets}"})
    assert not app.warning.getvalue()
    html = page(app, "more")
    for letter, words in [("a", "位置编码"), ("b", "旋转 量"), ("c", "链接")]:
        assert f'href="https://example.org/{letter}">{words}</a>' in html


def test_front_matter_of_other_extensions(build: Build) -> None:
    text = (
        "---\nprovenance:\n  author: >-\n    位置\n    编码 组，\n    RoPE\n    组\n---\n# 页面\n\n文 字\n"
    )
    extensions = ["myst_parser", "edukit.sphinxext.provenance", "edukit.sphinxext.cjk"]
    html = page(build(files={"page.md": text}, extensions=extensions), "page")
    assert "<p>位置编码 组，RoPE 组</p>" in html
    assert "<p>文 字</p>" in html


def test_a_page_translated_by_a_catalog(build: Build) -> None:
    app = build()
    html = page(app, "translated")
    assert "<p>一段译<em>文字</em>，与 RoPE\n无关。</p>" in html
    assert 'alt="一张图"' in html
    head = (app.outdir / "translated.html").read_text(encoding="utf-8").partition("<body>")[0]
    assert "<title>位置编码 " in head
    assert 'content="讲位置编码的 一页"' in head


def test_descriptions_and_titles(build: Build) -> None:
    app = build()
    head = (app.outdir / "index.html").read_text(encoding="utf-8").partition("<body>")[0]
    assert 'content="讲位置编码的 一页"' in head
    assert 'content="位置 编码"' in head
    page_head = (app.outdir / "page.html").read_text(encoding="utf-8").partition("<body>")[0]
    assert 'content="软换行之间 没有空格 RoPE 等"' in page_head
    assert app.env.titles["translated"].astext() == "位置编码"
    contents = page(app).partition("toctree-wrapper")[2]
    assert ">更多</span>" in contents
    assert ">位置编码</a>" in contents


def test_the_search_index(build: Build) -> None:
    app = build()
    text = (app.outdir / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    assert index["titles"] == ["The word 春天", "位置编码", "Markdown 的页面", "位置编码"]
    assert set(index["alltitles"]) >= {"位置编码", "旋转位置编码怎样工作"}
    assert "索引" in index["indexentries"]
    assert "wbr" not in text


def test_marks_are_not_seen_by_what_reads_the_page(build: Build) -> None:
    app = build(language="en")
    assert "<wbr" not in page(app)
    assert app.env.titles["english"].astext() == "The word 春天"
    html = (app.outdir / "english.html").read_text(encoding="utf-8")
    assert "<title>The word 春天 " in html
    assert ">The word 春天</a>" in page(app).partition("toctree-wrapper")[2]
    index = (app.outdir / "searchindex.js").read_text(encoding="utf-8")
    assert '"The word \\u6625\\u5929"' in index or '"The word 春天"' in index


def test_epub(build: Build) -> None:
    app = build("epub")
    [book] = app.outdir.glob("*.epub")
    with zipfile.ZipFile(book) as file:
        names = file.namelist()
        chapter = file.read("translated.xhtml").decode()
        pages = {name: file.read(name) for name in names}
        contents = file.read("toc.ncx").decode() + file.read("nav.xhtml").decode()
    assert "_static/edukit/cjk.css" in names
    assert ' lang="zh-CN" xml:lang="zh-CN"' in chapter.partition("<head>")[0]
    assert "一段译<em>文字</em>，与 RoPE\n无关。" in chapter
    assert 'alt="一张图"' in chapter
    for name in names:
        if name.endswith(".xhtml"):
            ElementTree.fromstring(pages[name])
    assert contents.count("位置编码") >= 2
    assert "位置\n编码" not in contents


@pytest.mark.parametrize(("builder", "suffix"), [("latex", "tex"), ("text", "txt"), ("dirhtml", "html")])
def test_other_builders(build: Build, builder: str, suffix: str) -> None:
    app = build(builder)
    written = "".join(path.read_text(encoding="utf-8") for path in app.outdir.rglob(f"*.{suffix}"))
    assert "第一行第二行，第三行。RoPE" in written
    assert "目标和旋转" in plain(written) or builder == "latex"


def test_a_gallery(make_app: Callable[..., SphinxTestApp], tmp_path: Path) -> None:
    docs, examples = tmp_path / "docs", tmp_path / "examples"
    docs.mkdir()
    examples.mkdir()
    (docs / "conf.py").write_text(
        'extensions = ["sphinx_gallery.gen_gallery", "edukit.sphinxext.cjk"]\nlanguage = "zh_CN"\n'
        'html_theme = "basic"\nsphinx_gallery_conf = {"examples_dirs": "../examples"}\n'
    )
    (docs / "index.rst").write_text(
        "标题\n====\n\n.. toctree::\n\n   auto_examples/index\n", encoding="utf-8"
    )
    (examples / "GALLERY_HEADER.rst").write_text("画廊\n====\n\n一\n二。\n", encoding="utf-8")
    (examples / "plot_a.py").write_text(
        '"""\n两列波\n======\n\n第一\n列波 慢，\n见 RoPE\n的图。\n"""\n\n# %%\n# 换\n# 行。\nprint(1)\n',
        encoding="utf-8",
    )
    app = make_app("html", srcdir=docs)
    app.build()
    assert 'tooltip="第一列波 慢，见 RoPE 的图。"' in page(app, "auto_examples/index")
    assert "<p>第一列波 慢，见 RoPE\n的图。</p>" in page(app, "auto_examples/plot_a")
    assert "<p>换行。</p>" in page(app, "auto_examples/plot_a")


def test_messages_are_extracted_as_they_are_written(build: Build) -> None:
    app = build("gettext")
    assert not app.warning.getvalue()
    catalog = (app.outdir / "index.pot").read_text(encoding="utf-8")
    assert 'msgid "第一行 第二行， 第三行。 RoPE 旋转 512 维。"' in catalog
    assert '"一张\\n"\n"小图 SVG\\n"' in catalog


# -- languages ------------------------------------------------------------------------------------------


def test_chinese_on_an_english_page_says_so(build: Build) -> None:
    html = page(build(language="en"), "english")
    assert 'The word <span lang="zh-Hans">春天</span><a class="headerlink"' in html
    assert '<span lang="zh-Hans">春天，花开</span> means\n<em>spring</em>' in html
    assert '<em><span lang="zh-Hans">强调</span></em>' in html
    assert 'link <span lang="zh-Hans">中文</span>' in html
    assert "as 東京 is" in html
    assert ">代码<" in html
    assert "かな文字 is Japanese, and 한자文字 Korean." in html
    assert '<span lang="zh-Hans">已标</span>' in html
    assert '<span lang="zh-Hans">“他说‘好’吗”</span>' in html


def test_the_language_of_the_characters_can_be_chosen(build: Build) -> None:
    html = page(build(language="en", cjk_han_language="zh-Hant"), "english")
    assert '<span lang="zh-Hant">東京</span>' in html
    assert "lang=" not in page(build(language="en", cjk_han_language=""), "english").replace(
        '<span lang="zh-Hans">已标', ""
    ).replace('<span lang="zh-Hans">“', "")


def test_no_marks_where_chinese_characters_are_at_home(build: Build) -> None:
    for language in ("ja", "ko"):
        assert page(build(language=language), "english").count("lang=") == 2


def test_another_language_on_a_chinese_page(build: Build) -> None:
    html = page(build(), "page")
    assert '<span lang="en">Don’t say “no”</span>，他说 “好”“行” 和' in html
    assert '<em class="edukit-latin">attention</em> 与 <em>注意</em>' in html
    assert "<p>&quot;没有另一半</p>" in html


def test_quotation_marks_are_left_alone_where_the_project_says_so(build: Build) -> None:
    assert "&quot;你好&quot;" in page(build(smartquotes=False))


@pytest.mark.parametrize("tag", ["zh_CN", "english", "中文"])
def test_a_class_that_is_no_language_is_said_with_its_line(build: Build, tag: str) -> None:
    app = build(files={"page.md": f"# 标题\n\n一行。\n\n[x]{{.language-{tag}}}\n"})
    warnings = re.sub(r"\x1b\[[0-9;]*m", "", app.warning.getvalue())
    assert re.search(r"page\.md:5: WARNING: .*no language tag", warnings), warnings


# -- headings -------------------------------------------------------------------------------------------


def test_headings_break_between_words(build: Build) -> None:
    html = page(build())
    assert "<h2>旋转<wbr />位置<wbr />编码<wbr />怎样<wbr />工作<a" in html
    html = page(build(cjk_words=["位置编码"]))
    assert "<h2>旋转<wbr />位置编码<wbr />怎样<wbr />工作<a" in html


def test_without_the_dictionary_headings_are_written_as_ever(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rjieba", None)
    marks._dictionary.cache_clear()
    app = build()
    marks._dictionary.cache_clear()
    assert "<h2>旋转位置编码怎样工作<a" in page(app)
    assert not app.warning.getvalue()
