"""The index: what goes into it, what stays out, and that every way of building gives the same."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from docutils import nodes
from hypothesis import given
from hypothesis import strategies as st
from sphinx import addnodes
from sphinx.util.docutils import new_document

from edukit.sphinxext import search
from edukit.sphinxext.common import PACKAGE
from edukit.sphinxext.search.index import decode, encode
from edukit.sphinxext.search.words import is_searched, terms, text_of, without_parts
from tests.conftest import sphinx_build

CopySite = Callable[[str], Path]


def json_of(data: bytes) -> dict:
    return dict(json.loads(data.decode().removeprefix("Search.setIndex(").removesuffix(")")))


def index_of(site: Path, language: str = "") -> dict:
    return json_of((site / language / "searchindex.js").read_bytes())


def finds(index: dict, run: str) -> list[str]:
    """Return the pages that have some Chinese in one piece, found as a browser does."""
    sought = run.translate(str.maketrans(index["characters"], index["signs"]))
    return [name for name, text in zip(index["docnames"], index["chinese"], strict=True) if sought in text]


def build(site: Path, out: str, *options: str, builder: str = "html") -> Path:
    result = sphinx_build("-q", "-W", "-n", "-b", builder, *options, site, site.parent / out, cwd=site)
    assert result.returncode == 0, result.stderr
    return site.parent / out


@given(st.sets(st.integers(0, 5000)))
def test_numbers_of_pages_are_read_as_they_were_written(numbers: set[int]) -> None:
    assert decode(encode(sorted(numbers))) == sorted(numbers)


def test_a_run_of_characters_goes_over_markup_and_broken_lines_but_not_over_blocks() -> None:
    document = new_document("x")
    document += nodes.paragraph("", "", nodes.Text("注"), nodes.emphasis("", "意\n力"))
    document += nodes.paragraph("", "机制")
    _, runs = terms(text_of(document), str.lower, set())
    assert runs == {"注意力", "机制"}


def test_the_caption_of_a_list_of_pages_is_not_joined_with_the_first() -> None:
    document = new_document("x")
    document += addnodes.compact_paragraph("", "", nodes.title("", "观察"), nodes.paragraph("", "月亮"))
    assert terms(text_of(document), str.lower, set())[1] == {"观察", "月亮"}


def test_lines_of_code_are_not_joined() -> None:
    document = new_document("x")
    document += nodes.literal_block("", "注意\n力")
    _, runs = terms(text_of(document), str.lower, set())
    assert runs == {"注意", "力"}


def test_html_that_an_author_wrote_is_read_as_a_browser_shows_it() -> None:
    document = new_document("x")
    html = "<style>p{}</style><p>注<b>意</b>力<p>机<ruby>制<rt>zhì</rt></ruby><script>夜</script>"
    document += nodes.raw("", html, format="html")
    _, runs = terms(text_of(document), str.lower, set())
    assert runs == {"注意力", "机制"}


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<div hidden><div>夜</div>夜<br hidden></div>注", "注"),
        ("<div hidden><p>夜<div/>夜</div>夜</div>注", "注"),  # a div that is not closed by its slash
        ('<p class="x translated-copy">夜</p>注', "注"),
        ('注<span class="no-search">夜</span>意', "注意"),
        ('<p hidden="until-found">注</p>', "注"),
        ("<template><p>夜</p></template>注", "注"),
        ("注<wbr>意<input hidden>", "注意"),
    ],
)
def test_what_html_hides_is_not_read(html: str, text: str) -> None:
    assert "".join(text_of(nodes.raw("", html, format="html")).split()) == text


@pytest.mark.parametrize(
    ("mark", "searched"),
    [
        ({"classes": ["no-search"]}, False),
        ({"classes": ["translated-copy"], "lang": "en"}, False),
        ({"hidden": True}, False),
        ({"lang": "fr"}, True),
        ({"classes": ["language-fr"]}, True),
    ],
)
def test_copies_are_left_out_and_guests_are_not(mark: dict, searched: bool) -> None:
    document = new_document("x")
    title = nodes.title("", "副本")
    document += nodes.section("", title, nodes.paragraph("", "注意"), **mark)
    document += nodes.paragraph("", "", nodes.Text("机"), nodes.inline("", "制", **mark))
    _, runs = terms(text_of(document), str.lower, set())
    assert runs == ({"副本", "注意", "机制"} if searched else {"机"})
    assert is_searched(title) == searched


def test_of_a_formula_what_a_reader_sees_is_found() -> None:
    tex = r"\begin{aligned} \mathrm{score}_{ij} &= \sin\alpha \\ \text{位置} \end{aligned}"
    words, runs = terms(text_of(nodes.math_block(tex, tex)), str.lower, set())
    assert (words, runs) == ({"score", "ij", "sin"}, {"位置"})


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("10,000", {"10,000"}),
        ("第３．１４节", {"3.14"}),
        ("v1.2", set()),
        ("1.2a", set()),
        ("2:1, 7.", {"2:1"}),
    ],
)
def test_numbers_are_kept_whole(text: str, numbers: set[str]) -> None:
    words, _ = terms(text, str.lower, set())
    assert {word for word in words if not word.isalnum()} == numbers


@given(st.lists(st.sets(st.text("注意力机制一二三", min_size=1), max_size=8), min_size=1, max_size=4))
def test_of_chinese_every_part_is_found_and_nothing_else(pages: list[set[str]]) -> None:
    for runs in pages:
        text = " ".join(without_parts(runs))
        parts = {run[a:b] for run in runs for a in range(len(run)) for b in range(a + 1, len(run) + 1)}
        assert {piece for piece in parts if piece in text} == parts
        kept = text.split()
        assert without_parts(kept) == kept  # a build that goes on from a file writes the same
        assert all(run in runs for run in kept)


def test_what_is_found_and_what_is_not(copy_site: CopySite) -> None:
    out = build(copy_site("search"), "out")
    english, chinese = index_of(out), index_of(out, "zh-cn")
    # Numbers and stems, on the Chinese site too; no stop words.
    assert {"512", "rope", "happi", "transform", "angl"} <= set(english["terms"])
    assert {"512", "rope", "attent", "edukit", "sinusoidal_t"} <= set(chinese["terms"])
    assert not {"the", "is"} & set(english["terms"])
    # Hidden text is in neither.
    assert "xylophon" not in english["terms"]
    assert not finds(chinese, "木")
    assert "角度" in chinese["alltitles"]
    assert chinese["indexentries"]["因果掩码"] == [[0, "term-causal-mask", True]]
    assert {"软最大值", "管风琴", "簧风琴", "马林巴"} <= set(chinese["indexentries"])
    assert {"softmax", "pipe organ", "harmonium", "marimba"} <= set(english["indexentries"])
    # A copy of a title is none.
    assert not any("Glockenspiel" in title for title in english["alltitles"] | chinese["alltitles"])
    # Nothing is written that no browser reads.
    script = (PACKAGE / "sphinxext/search/static/searchtools.js").read_text(encoding="utf-8")
    assert [key for key in chinese if f"index.{key}" not in script] == ["version"]
    assert chinese["objects"]["edukit.sample"][0][4] == "sinusoidal_table"


def test_a_page_that_asks_not_to_be_searched_is_not(copy_site: CopySite) -> None:
    site = copy_site("search")
    page = site / "code.rst"
    page.write_text(f":no-search:\n\n{page.read_text()}", encoding="utf-8")
    index = index_of(build(site, "out", "-D", "bilingual_languages="))
    assert "code" not in index["docnames"]
    assert index["objects"] == {}


def written(out: Path) -> dict[str, bytes]:
    files = ["searchindex.js", "zh-cn/searchindex.js", "_static/language_data.js", "_static/searchtools.js"]
    return {name: (out / name).read_bytes() for name in files}


@pytest.mark.parametrize(("builder", "jobs"), [("html", "-j2"), ("dirhtml", "-j1")])
def test_every_way_of_building_gives_the_same_index(copy_site: CopySite, builder: str, jobs: str) -> None:
    site = copy_site("search")

    def again(*options: str) -> dict[str, bytes]:
        return written(build(site, "grown", jobs, *options, builder=builder))

    def edit(name: str, old: str, new: str) -> None:
        page = site / name
        text = page.read_text(encoding="utf-8")
        assert old in text
        page.write_text(text.replace(old, new), encoding="utf-8")

    catalogs = site / "locale/zh_CN/LC_MESSAGES"
    clean = written(build(site, "clean", builder=builder))
    assert again() == clean

    # Touched, but the same; then another text, and back.
    edit("rope.rst", "\n\nAngles", "\n\n\nAngles")
    assert again() == clean
    edit("code.rst", "waves", "*waves*")
    edit("code.rst", "*waves*", "waves")
    assert again() == clean

    # Only a title, in the source and in the translation, of a page and of a section.
    edit("code.rst", "Functions", "Calls")
    edit("locale/zh_CN/LC_MESSAGES/code.po", "Functions", "Calls")
    edit("locale/zh_CN/LC_MESSAGES/rope.po", "角度", "夹角")
    changed = again()
    assert changed == written(build(site, "clean2", builder=builder))
    assert b"Calls" in changed["searchindex.js"]
    assert "夹角" in json_of(changed["zh-cn/searchindex.js"])["alltitles"]

    # A page gets another name, so others get other numbers; one goes, and one with its titles comes.
    (site / "attention.rst").rename(site / "weighing.rst")
    (catalogs / "attention.po").rename(catalogs / "weighing.po")
    edit("index.rst", "   attention\n", "   weighing\n")
    (site / "copies.rst").unlink()
    (catalogs / "copies.po").unlink()
    edit("index.rst", "   copies\n", "   angles\n")
    (site / "angles.rst").write_text("Angles\n======\n\nAngles only.\n", encoding="utf-8")
    po = (catalogs / "index.po").read_text(encoding="utf-8").partition('msgid "W')[0]
    po += 'msgid "Angles"\nmsgstr "角度"\n\nmsgid "Angles only."\nmsgstr "只有角度。"\n'
    (catalogs / "angles.po").write_text(po, encoding="utf-8")
    added = again()
    assert added == written(build(site, "clean3", builder=builder))
    assert b'"attention"' not in added["searchindex.js"]
    assert finds(json_of(added["zh-cn/searchindex.js"]), "只有角") == ["angles"]


@pytest.mark.parametrize("builder", ["epub", "latex", "singlehtml", "text"])
def test_other_builders_go_their_own_way(copy_site: CopySite, builder: str) -> None:
    site = copy_site("search")
    with (site / "conf.py").open("a", encoding="utf-8") as conf:
        conf.write('version = "1"\ncopyright = "2026"\n')
    result = sphinx_build("-q", "-b", builder, site, site.parent / "out", cwd=site)
    assert result.returncode == 0, result.stderr
    for script in (site.parent / "out").rglob("searchtools.js"):
        assert "PageText" not in script.read_text(encoding="utf-8")


def test_the_projects_own_scripts_win(copy_site: CopySite) -> None:
    site = copy_site("search")
    (site / "own").mkdir()
    (site / "own" / "sphinx_highlight.js").write_text("// own", encoding="utf-8")
    with (site / "conf.py").open("a", encoding="utf-8") as conf:
        conf.write('html_static_path = ["own"]\n')
    out = build(site, "out")
    assert (out / "_static" / "sphinx_highlight.js").read_text(encoding="utf-8") == "// own"


def test_another_language_keeps_its_own_stemmer(copy_site: CopySite) -> None:
    site = copy_site("search")
    conf = site / "conf.py"
    # A site written in German: asking for German on the command line alone would need catalogs.
    conf.write_text(conf.read_text(encoding="utf-8") + '\nlanguage = "de"\nbilingual_languages = []\n')
    result = sphinx_build("-q", site, site.parent / "out", cwd=site)
    assert "GermanStemmer" in (site.parent / "out/_static/language_data.js").read_text(encoding="utf-8")
    assert result.returncode == 0


@pytest.mark.parametrize(
    ("version", "said"), [((8, 2), True), ((9, 0), False), ((9, 2), False), ((9, 3), True)]
)
def test_a_sphinx_that_was_not_tried_is_a_warning(
    version: tuple[int, int], said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    warnings: list[tuple] = []
    monkeypatch.setattr(search.logger, "warning", lambda *message, **_: warnings.append(message))
    search.warn_of_other_sphinx(version)
    texts = [message % tuple(values) for message, *values in warnings]
    assert len(texts) == said
    assert all(f"with Sphinx 9.0 to 9.2, not with {version[0]}.{version[1]}:" in text for text in texts)
