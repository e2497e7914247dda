"""A song on a page: its markup, its languages, its rights, and what is wrong with its file."""

import io
import itertools
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from sphinx.testing.util import SphinxTestApp

from edukit.sphinxext.song import nodes as song

Build = Callable[..., SphinxTestApp]


@pytest.fixture
def build(make_app: Callable[..., SphinxTestApp], copy_site: Callable[[str], Path]) -> Build:
    copies = itertools.count()

    def build(builder: str = "html", files: dict[str, str] | None = None, **overrides: object):
        srcdir = copy_site("song", f"site-{next(copies)}")
        for name, text in (files or {}).items():
            (srcdir / name).write_text(text, encoding="utf-8")
        app = make_app(builder, srcdir=srcdir, confoverrides=overrides, warning=io.StringIO())
        app.build()
        return app

    return build


def page(app: SphinxTestApp, name: str = "index") -> str:
    return (app.outdir / f"{name}.html").read_text(encoding="utf-8")


def songs(html: str) -> list[str]:
    return re.findall(r'<div [^>]*class="edukit-song[ "].*?</ol>\s*</div>\s*', html, re.DOTALL)


def warnings(app: SphinxTestApp) -> list[str]:
    text = re.sub(r"\x1b\[[0-9;]*m", "", app.warning.getvalue())
    return [line.replace(f"{app.srcdir}/", "") for line in text.splitlines()]


def line_of(html: str, number: int) -> str:
    match = re.search(rf'<li id="line-{number}">.*?</li>', html, re.DOTALL)
    assert match
    return match[0]


def test_the_site_builds_without_a_warning(build: Build) -> None:
    assert warnings(build()) == []


def test_a_line_is_ruby_and_translation_each_in_its_language(build: Build) -> None:
    line = line_of(page(build()), 1)
    units = re.findall(r'<span class="edukit-song-unit">(.*?)</span>', line)

    def ruby(base: str, reading: str) -> str:
        return (
            f'<ruby lang="zh-Hans">{base}<rp>(</rp><rt lang="zh-Latn-pinyin">{reading}</rt>'
            "<rp>)</rp></ruby>"
        )

    # Every mark of punctuation is in one unit with the word that it may not be parted from.
    assert units == [f"“{ruby('小草儿', 'xiǎocǎor')}”，", ruby("绿", "lǜ"), f"{ruby('了', 'le')}；"]
    assert '<p class="edukit-song-original" lang="zh-Hans">' in line
    assert (
        '<p class="edukit-song-translation" lang="en">'
        "“The grass” is &lt;b&gt;green&lt;/b&gt; &amp; new;</p>"
    ) in line
    assert 'href="#line-1" aria-label="Line 1">1</a>' in line


def test_a_quotation_opens_with_its_first_word(build: Build) -> None:
    line = re.sub(r"<r[pt].*?</r[pt]>|</?ruby.*?>", "", line_of(page(build()), 3))
    assert re.findall(r'song-unit">(.*?)</span>', line) == ["说：", "“绿", "啦”"]


def test_an_apostrophe_parts_what_could_be_one_syllable(build: Build) -> None:
    line = line_of(page(build()), 2)
    assert ">xi’ān</rt>" in line
    assert '</span> <span class="edukit-song-unit">OK！</span>' in line


def test_by_character(build: Build) -> None:
    html = songs(page(build(), "english"))[1]
    readings = re.findall(r"<rt[^>]*>(.*?)</rt>", html)
    assert readings == ["xiǎo", "cǎor", "lǜ", "le", "xi", "ān", "shuō", "lǜ", "la"]


def test_an_english_song(build: Build) -> None:
    html = songs(page(build(), "english"))[0]
    assert 'class="edukit-song large"' in html
    assert '<p class="edukit-song-original" lang="en">It rained all night</p>' in html
    assert '<p class="edukit-song-reading" lang="en-fonipa">/ɪt reɪnd ɔːl naɪt/</p>' in html
    assert '<p class="edukit-song-translation" lang="zh-Hans">下了一夜的雨</p>' in html
    assert ">Pronunciation</label>" in html
    assert "<ruby" not in html


def test_title_credits_sections_and_switches(build: Build) -> None:
    html = page(build())
    assert '<span lang="zh-Hans">小草</span> <span lang="en">Grass</span>' in html
    assert "Words: the test authors · From: tests · Own work · CC BY 4.0" in html
    assert re.findall(r'song-section">(.*?)</p>', html) == ["Verse 1", "Refrain", "coda"]
    assert re.findall(r'<ol role="list" start="(\d)">', html) == ["1", "3", "4"]
    for kind in ("reading", "translation"):
        assert f'id="song-show-{kind}" checked="checked"' in html
        assert f'<label for="song-show-{kind}">' in html


def test_nothing_to_hide_no_switch(build: Build) -> None:
    plain = "[la:zh]\n[rights:own]\n[00:01]草\n"
    assert "checkbox" not in songs(page(build(files={"grass.lrc": plain})))[0]


def test_every_id_stands_once_and_links_lead_to_lines(build: Build) -> None:
    app = build()
    assert 'href="#line-3">its third line</a>' in page(app)
    html = page(app, "english")
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert {"line-1", "grass-line-4", "grass-2-line-4"} <= set(ids)


def test_chinese_pages_have_the_same_lines_under_the_same_ids(build: Build) -> None:
    english, chinese = page(build()), page(build(language="zh_CN"))
    assert "页面有自己的文字" in chinese
    assert 'href="#line-3">第三行</a>' in chinese
    [credit] = re.findall(r'class="edukit-song-credit">(.*?)</p>', chinese)
    assert "测试作者" in credit
    assert "the test authors" not in credit
    for number in range(1, 5):
        strip = [re.sub(r' aria-label=".*?"', "", line_of(html, number)) for html in (english, chinese)]
        assert strip[0] == strip[1]


def test_words_of_a_song_are_no_messages(build: Build) -> None:
    app = build("gettext")
    with (app.outdir / "index.pot").open("rb") as file:
        messages = [message.id for message in read_po(file) if message.id]
    assert messages == [
        "Songs",
        "A page has words of its own, and a link to [its third line](#line-3).",
    ]


def test_other_builders_write_it_plainly(build: Build) -> None:
    text = (build("text").outdir / "index.txt").read_text(encoding="utf-8")
    assert ("   1. “小草儿”，绿了；\n   “Xiǎocǎor” lǜ le;\n   “The grass” is <b>green</b> & new;\n") in text


def test_lines_can_be_linked_to_in_print(build: Build) -> None:
    app = build("latex")
    tex = next(app.outdir.glob("*.tex")).read_text(encoding="utf-8")
    assert r"\item[] 4. 草" in tex
    assert r"\label{\detokenize{index:line-3}}" in tex
    assert warnings(app) == []


def test_private_words_stay_away_unless_the_build_is_private(build: Build) -> None:
    app = build()
    assert warnings(app) == []
    everything = [path.read_bytes() for path in app.outdir.rglob("*") if path.is_file()]
    assert not any(b"Nobody may" in content for content in everything)
    html = page(app, "private")
    assert "Kept" in html
    assert "The words are not shown" in html
    assert "Nobody may read this" in page(build(song_show_private=True), "private")


def test_words_without_a_rights_statement_are_not_shown(build: Build) -> None:
    app = build(files={"kept.lrc": "[la:en]\n[00:01]Nobody may read this\n"})
    (warning,) = warnings(app)
    assert warning.startswith("kept.lrc:1: WARNING: song kept.lrc: the words are not shown")
    assert "Nobody may read this" not in page(app, "private")


def test_a_missing_file_is_one_warning_at_the_directive(build: Build) -> None:
    app = build(files={"private.md": "# Private\n\n:::{song} absent.lrc\n:::\n"})
    assert warnings(app) == ["private.md:3: WARNING: song absent.lrc: there is no such file [edukit.song]"]


def test_a_bad_file_is_one_warning_at_its_line(build: Build) -> None:
    app = build(files={"kept.lrc": "[rights:own]\n[00:01]" + "a" * 2000})
    (warning,) = warnings(app)
    assert warning.startswith("kept.lrc:2:1001: WARNING: song kept.lrc: the line has 2007")


def test_a_reading_that_does_not_fit_is_told_and_shown_as_typed(build: Build) -> None:
    bad = "[la:zh]\n[rights:own]\n[00:01]小草绿了\n[00:01]xiǎocǎo le\n[00:01]green\n"
    app = build(files={"kept.lrc": bad})
    (warning,) = warnings(app)
    assert warning.startswith("kept.lrc:4:8: WARNING: the pinyin has 3 syllables")
    html = page(app, "private")
    assert '<p class="edukit-song-original" lang="zh-Hans">小草绿了</p>' in html
    assert '<p class="edukit-song-reading" lang="zh-Latn-pinyin">xiǎocǎo le</p>' in html


def test_hostile_names_are_escaped(build: Build) -> None:
    hostile = '[ti:<script>a</script>]\n[la:en]\n[au:<i>x"]\n[rights:own]\n[<img src=x>]\n[00:01]a\n'
    html = page(build(files={"kept.lrc": hostile}), "private")
    assert "<script>a" not in html
    assert "<img src=x" not in html
    assert "<i>x" not in html


def test_a_page_is_read_again_when_its_song_changes(
    build: Build, make_app: Callable[..., SphinxTestApp]
) -> None:
    app = build()
    path = app.srcdir / "grass.lrc"
    path.write_text(path.read_text(encoding="utf-8").replace("绿啦", "红啦"), encoding="utf-8")
    again = make_app("html", srcdir=app.srcdir)
    again.build()
    assert "红" in line_of(page(again), 3)


def test_doctrees_are_plain_and_equal_each_time(build: Build) -> None:
    trees = [build("pseudoxml").env.get_doctree("index") for _ in range(2)]
    xml = [re.sub(r' source=".*?"', "", pickle.loads(pickle.dumps(t)).pformat()) for t in trees]
    assert xml[0] == xml[1]
    assert len(list(trees[0].findall(song.song_line))) == 4


def test_a_parallel_build_is_the_same(build: Build, make_app: Callable[..., SphinxTestApp]) -> None:
    alone = build()
    together = make_app(
        "html", srcdir=alone.srcdir, builddir=alone.srcdir / "together", parallel=2, freshenv=True
    )
    together.build()
    for name in ("index", "english", "private"):
        assert page(alone, name) == page(together, name)
