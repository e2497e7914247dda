"""The index: what goes into it, what stays out, and that every way of building gives the same."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from docutils import nodes
from hypothesis import given
from hypothesis import strategies as st
from sphinx.util.docutils import new_document

from edukit.sphinxext.search.index import decode, encode
from edukit.sphinxext.search.words import terms, text_of
from tests.conftest import sphinx_build

CopySite = Callable[[str], Path]


def index_of(site: Path, language: str = "") -> dict:
    text = (site / language / "searchindex.js").read_text(encoding="utf-8")
    return dict(json.loads(text.removeprefix("Search.setIndex(").removesuffix(")")))


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


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_every_way_of_building_gives_the_same_index(copy_site: CopySite, builder: str) -> None:
    site = copy_site("search")
    clean = written(build(site, "clean", builder=builder))
    assert written(build(site, "parallel", "-j2", builder=builder)) == clean

    # Begin with a text that is another one, then edit, remove and add.
    page = site / "attention.rst"
    right = page.read_text(encoding="utf-8")
    page.write_text(right.replace("softmax", "argmax").replace("Happy", "Sad"), encoding="utf-8")
    code = (site / "code.rst").read_bytes()
    (site / "code.rst").unlink()
    index = site / "index.rst"
    toctree = index.read_text(encoding="utf-8")
    index.write_text(toctree.replace("   code\n", ""), encoding="utf-8")
    before = sphinx_build("-q", "-b", builder, site, site.parent / "grown", cwd=site)
    assert before.returncode == 0, before.stderr
    assert "argmax" in index_of(site.parent / "grown")["indexentries"]
    page.write_text(right, encoding="utf-8")
    (site / "code.rst").write_bytes(code)
    index.write_text(toctree, encoding="utf-8")
    assert written(build(site, "grown", builder=builder)) == clean

    # One page is touched; what all the others gave stays, entries of the index too.
    (site / "rope.rst").touch()
    (site / "rope.rst").write_text((site / "rope.rst").read_text() + "\n", encoding="utf-8")
    assert written(build(site, "grown", builder=builder)) == clean


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
