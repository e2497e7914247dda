"""What puts the translations into a page: as Sphinx does, only once, and right where Sphinx is not."""

import os
import pickle
import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from bs4 import BeautifulSoup
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document
from hypothesis import assume, example, given
from hypothesis import strategies as st
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from sphinx.transforms.i18n import Locale
from sphinx.util.inventory import InventoryFile

from edukit.catalogs import read
from edukit.sphinxext.bilingual import messages, parsing, translation
from tests.conftest import SITES, sphinx_build

STOCK = """
def setup(app):
    from sphinx.transforms.i18n import Locale

    from edukit.sphinxext.bilingual.translation import TranslatePage

    transforms = app.registry.transforms
    transforms[transforms.index(TranslatePage)] = Locale
"""


def made_up(message: str) -> str:
    """Return a translation that has all the markup of its message."""
    if message.startswith("A paragraph that is not translated"):
        return ""
    if message.startswith(("The same in both languages", ".. image:: point.svg")):
        return message
    if message.startswith(".. image::"):
        return message.replace("dot.svg", "dot.zh.svg")
    return "译文 " + message.replace("*strong words*", "*粗体字*").replace("*emphasis*", "*强调*")


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def write_catalogs(site: Path) -> None:
    """Translate every message of a site."""
    result = sphinx_build("-q", "-b", "gettext", ".", "pot", cwd=site)
    assert result.returncode == 0, result.stderr
    for template in (site / "pot").glob("*.pot"):
        entries = [
            f"msgid {quoted(message.id)}\nmsgstr {quoted(made_up(message.id))}\n"
            for message in read(template).messages
        ]
        path = site / "locale/zh_CN/LC_MESSAGES" / f"{template.stem}.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
        path.write_text("\n".join([header, *entries]), encoding="utf-8")


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same site as Sphinx translates it and as edukit does: the folders with log and output."""
    folder = tmp_path_factory.mktemp("twice")
    site = folder / "site"
    shutil.copytree(SITES / "translated", site)
    write_catalogs(site)
    folders = []
    for name, conf in [("stock", STOCK), ("own", "")]:
        out = folder / name
        (site / "conf.py").write_text((SITES / "translated/conf.py").read_text() + conf)
        options = ["-D", "language=zh_CN", "-D", "bilingual_languages="]
        result = sphinx_build("-b", "html", *options, ".", out, cwd=site)
        assert result.returncode == 0, result.stderr
        (out / "log").write_text(result.stderr)
        folders.append(out)
    return folders[0], folders[1]


def output(folder: Path) -> dict[str, bytes]:
    """Return what a build has written for readers."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".doctrees" not in path.parts
    }


def test_what_sphinx_translates_rightly_is_the_same_to_the_byte(twice: tuple[Path, Path]) -> None:
    stock, own = map(output, twice)
    assert stock.keys() == own.keys()
    assert {
        "rest.html",
        "markdown.html",
        "genindex.html",
        "searchindex.js",
        "objects.inv",
        "log",
    } <= own.keys()
    assert [name for name in own if own[name] != stock[name]] == []
    # And it is translated: each of the kinds that the site holds.
    assert own["structures.html"].count("译文".encode()) >= 40
    assert own["markdown.html"].count("译文".encode()) >= 40


# -- what Sphinx does not translate rightly --------------------------------------------------------------


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page for each kind, in both languages: Chinese in ``zh``, English in ``en``, and ``log``."""
    folder = tmp_path_factory.mktemp("kinds")
    site = folder / "site"
    shutil.copytree(SITES / "translation", site)
    for name, language in [("en", "en"), ("zh", "zh_CN")]:
        options = ["-q", "-n", "-D", f"language={language}", "-D", "bilingual_languages="]
        result = sphinx_build("-b", "html", *options, ".", folder / name, cwd=site)
        assert result.returncode == 0, result.stderr
        (folder / f"{name}.log").write_text(result.stderr.replace(f"{site}{os.sep}", ""))
    return folder


def body(kinds: Path, page: str, language: str = "zh") -> str:
    """Return the text of a page with its markup, without the links beside headings."""
    html = (kinds / language / f"{page}.html").read_text(encoding="utf-8")
    html = html.partition('role="main">')[2].partition('<div class="clearer">')[0]
    return re.sub(r'<a class="headerlink".*?</a>', "", html)


def paragraphs(html: str) -> list[str]:
    return re.findall(r"<p>(.*?)</p>", html, re.DOTALL)


def ids(html: str) -> list[str]:
    return re.findall(r' id="([^"]+)"', html)


def links(html: str) -> list[tuple[str, str]]:
    return re.findall(r'<a [^>]*href="([^"]+)"[^>]*>(?:<[^>]+>)*([^<]*)', html)


def warnings(kinds: Path, page: str) -> list[str]:
    """Return what is said of a page's catalog or of the page, by line."""
    found = re.findall(rf"(?m)^(?:\S*/)?{page}(\.\w+:\d+: .*)$", (kinds / "zh.log").read_text())
    return [line.replace("WARNING: ", "") for line in found]


def test_a_translation_stays_what_it_translates_however_it_begins(kinds: Path) -> None:
    page = body(kinds, "headings")
    assert re.findall(r"<h\d>(.*?)</h\d>", page) == ["开头", "1. 开始", "- 短横线", "完::"]
    assert paragraphs(page) == [
        "2. 一步。",
        "# 规则 <strong>甲</strong>。",
        "&gt; 引文。",
        "想法一。\n\n想法二。",
        "见此::",
    ]
    assert ids(page) == ids(body(kinds, "headings", "en"))
    page = body(kinds, "headings_rest")
    assert re.findall(r"<h\d>(.*?)</h\d>", page) == ["reST 的开头", "1. 开始", "完::"]
    assert paragraphs(page)[:3] == ["- 一步。", ".. 引文 <strong>甲</strong>。", "想法一。\n\n想法二。"]


def test_two_colons_of_rest_announce_code_and_are_one(kinds: Path) -> None:
    page = body(kinds, "headings_rest")
    assert paragraphs(page)[3:] == ["见此:", "见彼："]
    assert page.count("<pre>") == 2


def test_code_is_exchanged_as_it_is_written(kinds: Path) -> None:
    page = body(kinds, "code")
    assert '<span class="c1"># 问好 **不是粗体**</span>' in page  # still highlighted as Python
    assert re.sub("<[^>]+>", "", page.partition("<pre>")[2]).count("    缩进的\n    文字\n") == 1
    assert "普通的字 # noqa" in page
    assert '<span class="caption-text">它说的话</span>' in page
    page = body(kinds, "code_rest")
    assert '<span class="c1"># 问好</span>' in page
    assert '<pre class="literal-block">按 <strong>这个</strong>\n和 <em>那个</em></pre>' in page
    assert '<span class="gp">&gt;&gt;&gt; </span>' in page
    assert "字" in page


def test_mathematics_is_the_same_in_every_language(kinds: Path) -> None:
    page, source = body(kinds, "mathematics"), body(kinds, "mathematics", "en")
    assert "和 <span" in page
    assert "错" not in page
    formulas = [re.findall(r"\\[(\[].*?\\[)\]]", html, re.DOTALL) for html in (page, source)]
    assert formulas[0] == formulas[1]
    assert len(formulas[0]) == 5


def test_links_by_reference_lead_to_what_the_page_defines(kinds: Path) -> None:
    page = body(kinds, "links")
    assert links(page) == [
        ("https://example.org/site", "网站"),
        ("https://example.org/site", "site"),
        ("https://example.org/site", "Site"),
        ("https://example.org/titled", "有标题的"),
        ("https://example.org/noted", "注记里的"),
        ("https://example.org/included", "引入的"),
    ]
    assert 'title="A title"' in page
    assert '<img alt="一点" src="_images/dot.svg" />' in page
    assert paragraphs(page)[1].startswith("不是链接：[site]、<code")
    assert "和[没有]。" in page


def test_references_may_be_ordered_anew_and_have_a_translated_title(kinds: Path) -> None:
    page = body(kinds, "references")
    assert links(page) == [
        ("https://www.sphinx-doc.org/", "Sphinx"),
        ("#second-part", "第二部分"),
        ("#first-part", "First part"),
        ("#references", "圆点"),
        ("index.html", "首页"),
        ("#references", "引用"),
        ("terms.html#term-lamp", "灯"),
        # No place has this name, so it is the source's in other words.
        ("https://www.sphinx-doc.org/", "狮身人面像"),
        # The translation of the first two cannot be filled in.
        ("#the-dot", "figure 2"),
        ("#the-dot", "一个点"),
        ("#the-dot", "第 2 号"),
    ]


def test_a_lost_reference_is_named_with_the_line_of_the_catalog(kinds: Path) -> None:
    mend = "Mend the translation, or end it with “# noqa” if this is meant [i18n.inconsistent_references]"
    assert warnings(kinds, "references") == [
        f".po:19: inconsistent references in translated message: it lacks Sphinx_. {mend}",
        f".po:22: inconsistent cross-references in translated message: it lacks :ref:`references`. {mend}",
        *(
            f".po:{line}: “{title}” does not say where the number of what it refers to is to stand: write "
            "%s or {number} for the number and {name} for the title, as the source does. The page shows "
            "the source [bilingual.translation]"
            for line, title in [(34, "第 % 号图"), (37, "{nome}{name}")]
        ),
    ]
    assert "这里可以丢。</p>" in body(kinds, "references")


def test_footnotes_keep_their_numbers_and_ways_back(kinds: Path) -> None:
    for name in ["footnotes", "footnotes_rest"]:
        page = body(kinds, name)
        assert len(set(ids(page))) == len(ids(page))
        for href in re.findall(r'href="#([^"]+)"', page):
            assert href in ids(page), f"{name} has a link to {href}, which is nowhere"
    page = body(kinds, "footnotes")
    marks = re.findall(r'href="#([^"]+)" id="([^"]+)" role="doc-noteref">.*?</span>(.*?)<', page)
    source = re.findall(
        r'href="#([^"]+)" id="([^"]+)" role="doc-noteref">.*?</span>(.*?)<', body(kinds, "footnotes", "en")
    )
    assert set(marks[:3]) < set(source)
    assert [target for target, _id, _number in marks] == ["b", "a", source[2][0], "twice", "twice"]
    assert "(<a" in page.partition('id="twice"')[2]  # two ways back
    lacks, adds = warnings(kinds, "footnotes")[:2]
    assert lacks.startswith(
        ".po:10: inconsistent footnote references in translated message: it lacks [^gone]."
    )
    assert adds.startswith(
        ".po:13: inconsistent footnote references in translated message: it adds [^twice], "
    )
    page = body(kinds, "footnotes_rest")
    assert re.findall(r'role="doc-noteref">.*?</span>(.*?)<', page) == ["*", "7", "2", "1"]
    assert warnings(kinds, "footnotes_rest") == []


def test_citations_keep_their_ids(kinds: Path) -> None:
    page = body(kinds, "footnotes_rest")
    found = re.findall(r'href="#(one|two)" id="([^"]+)"', page)
    source = re.findall(r'href="#(one|two)" id="([^"]+)"', body(kinds, "footnotes_rest", "en"))
    assert found == [source[2], source[0], source[1]]


def test_images_in_translations(kinds: Path) -> None:
    page = body(kinds, "images")
    assert re.findall(r'<img alt="([^"]*)" src="_images/([^"]*)"', page) == [
        ("黑点", "dot.svg"),
        ("圆点", "dot.svg"),
        ("一个点的图", "dot.zh.svg"),
        ("另一个点", "other.svg"),
    ]
    assert warnings(kinds, "images") == [
        ".po:31: this translation must name an image in the form “.. image:: file.png” "
        "[bilingual.translation]"
    ]


def test_terms_are_found_by_both_names(kinds: Path) -> None:
    page = body(kinds, "terms")
    assert links(page)[:3] == [("#term-lamp", "灯"), ("#term-lamp", "灯笼"), ("#term-boat", "船")]
    assert re.findall(r"<dt.*?>(.*?)</dt>", page) == [
        "灯",
        "船",
        "一个<strong>粗体</strong>术语",
        "1. 带号码的术语",
    ]
    assert warnings(kinds, "terms") == []
    inventory = InventoryFile.loads((kinds / "zh/objects.inv").read_bytes(), uri="")
    assert {"灯", "lamp", "船"} <= set(inventory.data["std:term"])


def test_substitutions_of_the_page_itself(kinds: Path) -> None:
    assert paragraphs(body(kinds, "substitutions")) == ["她叫 <strong>Ada</strong>。"]


def test_places_keep_their_ids_when_they_are_named_or_ordered_anew(kinds: Path) -> None:
    page, source = body(kinds, "places"), body(kinds, "places", "en")
    for html in (page, source):
        assert re.search(r'id="index-0"></span><a class="pep', html)
        assert '<span class="target" id="index-1"></span>' in html
    assert '<span class="target" id="the-place">这个地方</span>' in page
    assert ("#the-place", "这个地方") in links(page)
    assert sorted(ids(page)) == sorted(ids(source))
    assert 'href="places.html#index-1">条目' in (kinds / "zh/genindex.html").read_text()


def test_attributes_and_html_within_a_line(kinds: Path) -> None:
    first, second, third = paragraphs(body(kinds, "attributes"))
    assert first == (
        '<strong>粗体</strong>、<span class="quiet" id="my-span">一段</span> 与 <kbd>Ctrl</kbd>；'
        '见<a class="reference internal" href="#my-span">那里</a>。'
    )
    assert second == '<b>HTML</b> 一行，一个<a href="https://example.org/h">链接</a>和<br>换行。'
    assert re.findall(r'id="(\w+)"[^>]*>(?:<[^>]+>)*(.)', third) == [("one", "一"), ("two", "二")]


def test_each_text_of_a_page_in_two_markups_is_parsed_as_it_was_written(kinds: Path) -> None:
    page = body(kinds, "mixed")
    assert links(page) == [
        ("index.html", "链接"),
        ("index.html", "首页"),
        ("https://example.org/rest", "链接"),
    ]
    assert ":doc:" not in page
    assert warnings(kinds, "mixed") == []


def test_a_mistake_is_named_where_it_is_to_be_mended(kinds: Path) -> None:
    assert warnings(kinds, "mistakes") == [
        '.md:5: Unknown interpreted text role "nowhere". [myst.role_unknown]',
        '.po:7: Unknown interpreted text role "nosuch". [myst.role_unknown]',
    ]
    log = (kinds / "zh.log").read_text()
    assert log.count("nowhere") == 2  # once for each of the two pages that have it
    assert "mistakes_rest.po:7: WARNING: Inline strong start-string without end-string." in log


def test_what_cannot_be_shown_is_named_and_the_source_stays(kinds: Path) -> None:
    said = "this translation cannot be shown as a text of its page, which shows the source"
    assert re.search(r'lang="en"[^>]*>Nothing\.<', body(kinds, "mistakes_rest"))
    assert f".po:10: {said} [bilingual.translation]" in warnings(kinds, "mistakes_rest")
    # In a markup that is not known, two paragraphs are two.
    page = body(kinds, "other")
    assert "<h1>另一种标记.</h1>" in page
    translated, left = paragraphs(page)
    assert translated == "一个 <strong>想法</strong>."
    assert re.search(r'lang="en"[^>]*>Another thought\.<', left)
    assert warnings(kinds, "other") == [f".po:10: {said} [bilingual.translation]"]


LEFT = [
    "A part of a paragraph.",
    "What is old.",
    "A tab",
    "Another tab",
    "A fold",
    "A button",
    "A parameter.",
    "A result.",
    "A failure.",
]


def test_each_kind_of_text_that_is_not_translated_says_its_language(kinds: Path) -> None:
    page = BeautifulSoup(body(kinds, "left"), "html.parser")
    blocks = page.select('.bilingual-untranslated[lang="en"] + .bilingual-mark')
    assert [str(block.previous_sibling.get_text()) for block in blocks] == LEFT
    assert page.select("label.sd-tab-label .bilingual-untranslated")


def test_what_is_the_same_in_both_languages_says_which_it_is_in(kinds: Path) -> None:
    page = BeautifulSoup(body(kinds, "left"), "html.parser")
    last = [str(block) for block in page.select("p")[-4:]]
    assert last[0] == '<p><span dir="ltr" lang="en">Transformer-XL</span></p>'
    # A title is that of the page that it leads to; code and numbers are in no language.
    assert re.sub("<[^>]+>", "", last[1]) == "种类"
    assert [block for block in last[1:] if "lang=" in block] == []


def test_other_formats_know_nothing_of_the_marks(tmp_path: Path) -> None:
    """What is put off when a page is read is done there: each text stands in its paragraph."""
    options = ["-q", "-D", "language=zh_CN", "-D", "bilingual_languages=", "-d", tmp_path / "doctrees"]
    names = ["index", "left"]
    for name in names:
        for path in (SITES / "translation").rglob(f"{name}.*"):
            if path.suffix != ".mo":
                target = tmp_path / "site" / path.relative_to(SITES / "translation")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
    shutil.copy(SITES / "translation/conf.py", tmp_path / "site")
    result = sphinx_build("-b", "xml", *options, ".", tmp_path / "xml", cwd=tmp_path / "site")
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "xml/left.xml").read_text(encoding="utf-8")
    assert "</inline>A part of a paragraph.</paragraph>" in page
    assert "-- A parameter.</paragraph>" in page


def test_every_folder_of_catalogs_is_asked_the_first_one_first(kinds: Path) -> None:
    page = body(kinds, "index")
    assert "<h1>种类</h1>" in page
    assert paragraphs(page)[0] == "来自另一个文件夹。"


@pytest.mark.parametrize(("page", "left"), [("index", 0), ("terms", 0), ("places", 0), ("images", 1)])
def test_all_that_is_translated_counts_as_translated(kinds: Path, page: str, left: int) -> None:
    with (kinds / f"zh/.doctrees/{page}.doctree").open("rb") as file:
        progress = pickle.load(file)["translation_progress"]
    assert progress["total"] - progress["translated"] == left


# -- what is relied on -----------------------------------------------------------------------------------


def test_an_unknown_sphinx_translates_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    app: Any = SimpleNamespace(registry=SimpleNamespace(transforms=[Locale]))
    monkeypatch.setattr("sphinx.version_info", (10, 0, 0, "final", 0))
    translation.replace_locale(app)
    assert app.registry.transforms == [Locale]


class App:
    """As much of Sphinx as catalogs need."""

    def __init__(self, srcdir: Path, compact: bool) -> None:
        self.srcdir = srcdir
        self.config = SimpleNamespace(gettext_compact=compact, locale_dirs=["locale"], language="zh_CN")


def test_one_catalog_for_many_pages_is_read_once(tmp_path: Path) -> None:
    folder = tmp_path / "locale/zh_CN/LC_MESSAGES/part"
    folder.mkdir(parents=True)
    catalog = Catalog("zh_CN")
    catalog.add("song", "歌")
    for path in [folder.parent / "part.mo", folder / "page.mo"]:
        with path.open("wb") as file:
            write_mo(file, catalog)
    for compact, read_again in [(True, False), (False, True)]:
        app: Any = App(tmp_path, compact)
        first = messages.messages_of(app, "part/page")
        assert first is not None
        assert first["song"] == "歌"
        assert (messages.messages_of(app, "part/other") is first) is not read_again
        assert (messages.messages_of(app, "part/page") is first) is not read_again


# -- what needs no parser --------------------------------------------------------------------------------

CHARACTERS = [chr(code) for code in range(32, 127)]
CHARACTERS += "，。：；？！、（）“”…—《》·é中文字 한漢\u3000😀"


def test_a_text_that_is_plain_in_rest_is_what_its_parser_makes_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = new_document("page", get_default_settings(Parser))
    parse = parsing.rest_parser(document, cast("Any", document.reporter))
    plain = parsing.PLAIN_REST
    monkeypatch.setattr(parsing, "PLAIN_REST", re.compile("(?!)"))
    monkeypatch.setattr(parsing, "scratch_for", lambda *_: document)

    @given(st.text([one for one in CHARACTERS if plain.fullmatch(one)], min_size=1))
    @example("note: this is plain, and so is this: that")
    def agree(text: str) -> None:
        assume(plain.fullmatch(text) and text.strip() == text)
        (child,) = parse(text, nodes.paragraph()).children
        assert isinstance(child, nodes.Text)
        assert child == text

    agree()


@pytest.mark.parametrize(
    "extensions",
    [
        set(),
        {
            "amsmath",
            "attrs_inline",
            "colon_fence",
            "deflist",
            "dollarmath",
            "strikethrough",
            "substitution",
        },
        {"attrs_block", "html_image", "section_ref", "strikethrough", "tasklist", "fieldlist", "alert"},
        {"smartquotes", "replacements", "gfm_autolink", "linkify"},
    ],
)
def test_a_text_that_is_plain_in_markdown_is_what_its_parser_makes_of_it(extensions: set[str]) -> None:
    config = MdParserConfig(enable_extensions=extensions)
    parser = create_md_parser(config, RendererHTML)
    plain = parsing.plain_markdown(config)
    assert plain is not None

    @given(st.text([one for one in CHARACTERS if plain.fullmatch(one)], min_size=1))
    def agree(text: str) -> None:
        text = text.strip()
        assume(text)
        (token,) = parser.parseInline(text)
        assert [(child.type, child.content) for child in token.children or []] == [("text", text)]

    agree()


def test_with_an_unknown_extension_nothing_is_plain() -> None:
    config: Any = SimpleNamespace(enable_extensions={"shout"}, gfm_only=False, sub_delimiters=("{", "}"))
    assert parsing.plain_markdown(config) is None
