"""Two languages side by side: what a translated page holds of its source, and what nothing else does."""

import filecmp
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from tests.conftest import SITES, sphinx_build

OFF = ["-D", "bilingual_side_by_side=0"]


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with both languages on a page and without."""
    folder = tmp_path_factory.mktemp("sides") / "site"
    shutil.copytree(SITES / "sides", folder, ignore=shutil.ignore_patterns("_build", "*.mo"))
    for options, out in [([], "on"), (OFF, "off")]:
        result = sphinx_build("-W", "-q", "-b", "html", *options, ".", f"_build/{out}", cwd=folder)
        assert result.returncode == 0, result.stderr
    return folder / "_build"


def page(site: Path, name: str) -> BeautifulSoup:
    return BeautifulSoup(text(site / "on/zh-cn" / name), "html.parser")


def pairs(soup: BeautifulSoup | Tag) -> list[tuple[Tag, Tag]]:
    """Return each translation with its source, and see that they are marked as such."""
    found = []
    for copy in soup.select(".translated-copy"):
        translation = copy.find_previous_sibling()
        assert isinstance(translation, Tag)
        assert translation.attrs == {"class": ["bilingual-side"], "lang": "zh-CN"}
        assert copy.attrs == {"class": ["bilingual-side", "translated-copy"], "lang": "en", "hidden": ""}
        assert copy.parent is translation.parent
        found.append((translation, copy))
    return found


def copy_of(soup: BeautifulSoup, beginning: str) -> Tag:
    return next(copy for _, copy in pairs(soup) if copy.get_text().startswith(beginning))


# -- what is paired --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "place", "translation", "source"),
    [
        ("index.html", "h1", "加“引号”的开头", "A “quoted” start"),
        ("index.html", "h2", "第二部分", "Part two"),
        ("index.html", "li > p", "一项", "An item"),
        ("index.html", "li > p", "还有第二段", "With a second paragraph"),
        ("index.html", "figcaption .caption-text", "图题", "The caption"),
        ("index.html", "figcaption .legend p", "图例", "The legend"),
        ("index.html", ".note > p", "提示的内容", "The text of a note"),
        ("index.html", ".admonition-title", "一个提醒", "An admonition"),
        ("index.html", "table caption .caption-text", "一张表", "A table"),
        ("index.html", "th > p", "表头", "A head"),
        ("index.html", "td > p", "单元格", "A cell"),
        ("index.html", ".glossary dt", "波长", "wavelength"),
        ("index.html", ".glossary dd p", "一个波有多长", "How long a wave is"),
        ("index.html", "dl.simple dt", "一个词", "A word"),
        ("index.html", ".topic-title", "一个话题", "A topic"),
        ("index.html", "p.rubric", "小标题", "A rubric"),
        ("index.html", ".field-list dt", "字段", "field"),
        ("index.html", ".field-list dd p", "字段的内容", "The body of a field"),
        ("index.html", ".versionadded p > span", "一样新东西", "A new thing"),
        ("index.html", ".line", "一行诗", "A line of verse"),
        ("index.html", "blockquote p", "一段引文", "A quotation"),
        ("index.html", "p.attribution", "某人", "Somebody"),
        ("index.html", ".footnote p", "有名字的注", "The named note"),
        ("index.html", ".citation p", "引用的著作", "The cited work"),
        ("markdown.html", "h1", "1. 用 Markdown 写", "1. In Markdown"),
        ("markdown.html", "dt", "一个术语", "A term"),
        ("markdown.html", ".footnote p", "本页的注", "The note of this page"),
    ],
)
def test_every_kind_of_block_has_two_sides(
    site: Path, name: str, place: str, translation: str, source: str
) -> None:
    found = [(one.get_text(), two.get_text()) for one, two in pairs(page(site, name))]
    assert found.count((translation, source)) == 1
    blocks = [block for block in page(site, name).select(place) if source in block.get_text()]
    assert blocks
    assert any(block.find(class_="translated-copy", recursive=False) for block in blocks)


def test_formulas_code_and_pictures_stand_once(site: Path) -> None:
    index, markdown = page(site, "index.html"), page(site, "markdown.html")
    assert text(site / "on/zh-cn/index.html").count(r"\(a = b\)") == 1
    assert len(index.select("pre")) == 1
    assert len(index.select("figure img")) == 1
    assert len(markdown.select('img[alt="一幅画"]')) == 1
    assert not markdown.select('img[alt="A picture"]')


def test_what_differs_in_the_width_of_a_comma_stands_once(site: Path) -> None:
    assert "<p>T5，<em>ALiBi</em>，（RoPE）</p>" in text(site / "on/zh-cn/markdown.html")


@pytest.mark.parametrize("kind", ["on", "off"])
def test_a_box_to_tick_stands_once_before_both_sides(site: Path, kind: str) -> None:
    soup = BeautifulSoup(text(site / kind / "zh-cn/markdown.html"), "html.parser")
    items = [box.parent for box in soup.select("p > input.task-list-item-checkbox")]
    assert len(soup.select("input.task-list-item-checkbox")) == len(items) == 2
    assert [item.get_text() for item in items] == (
        ["一件事A task", "一件做完的事A finished task"] if kind == "on" else ["一件事", "一件做完的事"]
    )
    assert [box.has_attr("checked") for box in soup.select("p > input")] == [False, True]


# -- the source reads as on its own page -----------------------------------------------------------------


def test_sources_read_as_on_their_own_page(site: Path) -> None:
    for name in ["index.html", "markdown.html"]:
        english = BeautifulSoup(text(site / "on" / name), "html.parser")
        for sign in english.select(".headerlink, .colon, .caption-number, .versionmodified"):
            sign.decompose()
        said = {" ".join(block.get_text().removeprefix("—").split()) for block in english.find_all(True)}
        for _, copy in pairs(page(site, name)):
            assert " ".join(copy.get_text().split()) in said, copy.get_text()


def test_what_the_configuration_says_is_in_both_languages(site: Path) -> None:
    index, markdown = page(site, "index.html"), page(site, "markdown.html")
    said, source = next(pair for pair in pairs(index) if pair[1].get_text().startswith("On "))
    assert "满月" in said.get_text()
    assert "图片" not in said.get_text()
    assert [a.get_text() for a in said.select("a")] == ["表 1", "图 1 图题", "图题"]
    assert re.fullmatch(
        r"On [A-Z][a-z]{2} \d\d, \d{4} the full moon is in Table 1, picture 1 The caption and "
        "The caption.",
        source.get_text(),
    )
    assert "<em>full</em>" in str(source)
    said, source = next(pair for pair in pairs(markdown) if pair[1].get_text().startswith("When"))
    assert "<strong>明亮的</strong>太阳" in str(said)
    assert "When the <strong>bright</strong> sun" in str(source)
    # A whole paragraph of the configuration is in the language of the page, and is no message of it.
    assert "<p>项目的一段话</p>" in str(markdown)
    assert "<p>一页的结尾</p>" in str(index)


def test_links_of_a_source_lead_where_those_of_the_translation_lead(site: Path) -> None:
    for name in ["index.html", "markdown.html"]:
        for translation, copy in pairs(page(site, name)):
            there, here = ([a["href"] for a in side.select("a")] for side in (translation, copy))
            assert there == here, copy.get_text()
    see = copy_of(page(site, "index.html"), "See")
    assert [a.get_text() for a in see.select("a")] == [
        "A “quoted” start",
        "In Markdown",
        "the words",
        "Picture 1",
        "wavelength",
        "[CIT]",
        "named",
        "Part two",
        "The caption",
        "a note",
    ]
    to = copy_of(page(site, "markdown.html"), "To")
    assert [a.get_text() for a in to.select("a")][:5] == [
        "In Markdown",
        "A “quoted” start",
        "A part",
        "The caption",
        "A “quoted” start",
    ]


def test_footnotes_have_the_numbers_of_their_partners(site: Path) -> None:
    for translation, copy in pairs(page(site, "index.html")):
        notes = [[a.get_text() for a in side.select(".footnote-reference")] for side in (translation, copy)]
        assert notes[0] == notes[1]
        if copy.get_text().startswith("A paragraph with"):
            assert notes[1] == ["[2]", "[1]", "[3]", "[*]"]


def test_a_source_has_its_own_picture(site: Path) -> None:
    markdown = page(site, "markdown.html")
    images = [
        (side.select_one("img")["src"], side.select_one("img")["alt"])
        for side in next(pair for pair in pairs(markdown) if "Before" in pair[1].get_text())
    ]
    assert images == [("_images/other.svg", "图标"), ("_images/icon.svg", "an icon")]
    assert (site / "on/zh-cn/_images/icon.svg").is_file()


# -- what HTML allows ------------------------------------------------------------------------------------

VOID = frozenset(re.findall(r"\w+", "area base br col embed hr img input link meta source track wbr"))
PHRASING = frozenset(
    re.findall(r"\w+", "a abbr b button cite code em h1 h2 h3 h4 h5 h6 i label p span strong sub sup")
)
BLOCKS = frozenset(
    re.findall(
        r"\w+",
        """
        aside blockquote dd div dl dt figure figcaption footer h1 h2 h3 h4 h5 h6 li nav ol p pre section
        table td th tr ul
        """,
    )
)


class Nesting(HTMLParser):
    """Collects what stands where it must not, ids that come twice, and what is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        id_ = dict(attributes).get("id")
        if id_ in self.ids:
            self.wrong.append(f"{id_} twice")
        if id_:
            self.ids.add(id_)
        if tag in BLOCKS and (inside := PHRASING.intersection(self.open)):
            self.wrong.append(f"{tag} in {inside} on line {self.getpos()}")
        if tag in ("a", "button") and {"a", "button"}.intersection(self.open):
            self.wrong.append(f"{tag} in {self.open}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> on line {self.getpos()}")


def test_the_pages_are_well_formed(site: Path) -> None:
    for path in (site / "on").rglob("*.html"):
        checker = Nesting()
        checker.feed(text(path))
        assert checker.wrong == [], path.name
        assert checker.open == []


# -- and what nobody else gets to see ---------------------------------------------------------------------


def without_sides(html: str) -> str:
    """Take out of a page what two languages add to it."""
    html = re.sub(r'<div class="bilingual-tools.*?</div>', "", html, flags=re.DOTALL)
    html = re.sub(r'\n<span id="bilingual-both"></span>', "", html)
    html = re.sub(r'\n *<a class="bilingual-(?:both|one)".*?</a>', "", html)
    html = re.sub(r'\n *<span class="bilingual-here".*?</span>', "", html)
    html = re.sub(r"\n *<(?:script|link)[^>]*bilingual-(?:view|sides)\.[^>]*>(?:</script>)?", "", html)
    # From the inside out: a source holds other spans.
    depth = re.compile(r'<span class="bilingual-side( translated-copy)?" lang="[^"]+"(?: hidden)?>')
    while match := depth.search(html):
        end, level = match.end(), 1
        while level:
            tag = re.compile(r"<(/?)span\b[^>]*>").search(html, end)
            assert tag
            level += -1 if tag[1] else 1
            end = tag.end()
        inside = "" if match[1] else html[match.end() : end - len("</span>")]
        html = html[: match.start()] + inside + html[end:]
    return html


def test_pages_differ_in_nothing_else(site: Path) -> None:
    names = sorted(path.relative_to(site / "off") for path in (site / "off").rglob("*.html"))
    assert len(names) >= 8
    sided = 0
    for name in names:
        on, off = text(site / "on" / name), text(site / "off" / name)
        sided += "translated-copy" in on
        on, off = without_sides(on), without_sides(off)
        if "translated-copy" in text(site / "on" / name):
            # The part of a paragraph that is a message of its own is an element of its own there.
            on = on.replace("<span>一样新东西</span>", "一样新东西")
        assert on == off, name
    assert sided == 2


@pytest.mark.parametrize("folder", ["", "zh-cn"])
def test_search_index_and_inventory_know_one_language(site: Path, folder: str) -> None:
    for name in ["searchindex.js", "objects.inv"]:
        assert filecmp.cmp(site / "on" / folder / name, site / "off" / folder / name, shallow=False), name
    assert "quoted" not in text(site / "on/zh-cn/searchindex.js")


def test_pages_in_the_source_language_gain_one_link(site: Path) -> None:
    for name in ["index.html", "markdown.html", "genindex.html", "search.html"]:
        on, off = text(site / "on" / name), text(site / "off" / name)
        assert "bilingual-side" not in on.replace("bilingual-sides", "")
        assert "bilingual-view" not in on
        assert len(on.encode()) - len(off.encode()) < 300
        # Neither do they load what only a translation needs.
        loaded = set(re.findall(r"edukit/(bilingual[^\"?]*)", on))
        assert loaded == {"bilingual.css", "bilingual.js"}
        assert f'<a class="bilingual-both" href="zh-cn/{name}#bilingual-both"' in on
        assert "bilingual-both" not in off


DATES = re.compile(r"\d{4}-\d\d-\d\d.{0,15}|urn:uuid:\S+")


def test_a_theme_without_a_place_for_the_switch_gets_it_above_the_page(site: Path) -> None:
    for name in ["index.html", "zh-cn/index.html"]:
        [bar] = BeautifulSoup(text(site / "on" / name), "html.parser").select("body > .bilingual-bar")
        assert bar.select_one(".bilingual-switcher .bilingual-both")
        before = bar.find_previous_siblings()
        assert [tag.get("id") for tag in before] == (["bilingual-both"] if "zh" in name else [])


@pytest.mark.parametrize("builder", ["xml", "epub", "gettext", "latex"])
def test_other_builders_know_nothing_of_it(site: Path, builder: str, tmp_path: Path) -> None:
    results = []
    for options, out in [([], "on"), (OFF, "off")]:
        folder = tmp_path / out
        language = ["-D", "language=zh_CN"]
        done = sphinx_build("-q", "-E", "-b", builder, *language, *options, ".", folder, cwd=site.parent)
        assert done.returncode == 0, done.stderr
        results.append(
            {
                path.relative_to(folder).as_posix(): re.sub(
                    r"\d{4}-\d\d-\d\d.{0,15}|urn:uuid:\S+", "", text(path)
                )
                for path in folder.rglob("*")
                if path.suffix in (".xml", ".xhtml", ".ncx", ".pot", ".tex")
            }
        )
    assert results[0]
    assert results[0].keys() == results[1].keys()
    for name, content in results[0].items():
        assert content == results[1][name], name
    if builder == "gettext":
        # A template is in the language of the source, whatever language is asked for.
        assert not re.search(r'(?m)^msgid ".*[\u4e00-\u9fff]', "".join(results[0].values()))
        assert 'msgid "What the page is about"' in results[0]["index.pot"]


# -- builds that do not make everything, and not in one process -------------------------------------------


def test_titles_are_known_to_parallel_and_later_builds(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(SITES / "sides", folder, ignore=shutil.ignore_patterns("_build", "*.mo"))
    for number in range(6):  # Sphinx reads so many pages in parallel, fewer it does not
        (folder / f"p{number}.rst").write_text(
            f":orphan:\n\n.. _p{number}:\n\nPage {number}\n===========\n\nSee :ref:`start` and :ref:`p0`.\n"
        )
        (folder / f"locale/zh_CN/LC_MESSAGES/p{number}.po").write_text(
            f'msgid "Page {number}"\nmsgstr "第 {number} 页"\n'
            'msgid "See :ref:`start` and :ref:`p0`."\nmsgstr "见 :ref:`start` 和 :ref:`p0`。"\n',
            encoding="utf-8",
        )

    conf = folder / "conf.py"
    conf.write_text(
        text(conf) + 'extensions.append("sphinx.ext.todo")\ntodo_include_todos = True\n', encoding="utf-8"
    )
    (folder / "a-list.rst").write_text(":orphan:\n\n.. todolist::\n\nList\n====\n")
    (folder / "locale/zh_CN/LC_MESSAGES/a-list.po").write_text(
        'msgid "List"\nmsgstr "清单"\n', encoding="utf-8"
    )
    with (folder / "p1.rst").open("a") as file:
        file.write("\n.. todo:: See :ref:`start` some day\n")
    with (folder / "locale/zh_CN/LC_MESSAGES/p1.po").open("a", encoding="utf-8") as file:
        file.write('msgid "See :ref:`start` some day"\nmsgstr "哪天见 :ref:`start`"\n')
        file.write('msgid "Todo"\nmsgstr "待办"\n')

    def source_of(name: str) -> str:
        soup = BeautifulSoup(text(folder / "_build/html/zh-cn" / f"{name}.html"), "html.parser")
        return copy_of(soup, "See").get_text()

    def build() -> None:
        result = sphinx_build("-W", "-q", "-j2", "-b", "html", ".", "_build/html", cwd=folder)
        assert result.returncode == 0, result.stderr

    build()
    assert source_of("p5") == "See A “quoted” start and Page 0."
    # A list of what is to be done shows both sides of it, written by this process or by another.
    lists = [text(folder / "_build/html/zh-cn/a-list.html")]
    options = ["-W", "-q", "-b", "html", "-d", folder / "_build/alone", "."]
    assert sphinx_build(*options, "_build/one", cwd=folder).returncode == 0
    lists += [text(folder / "_build/one/zh-cn/a-list.html")]
    assert lists[0] == lists[1]
    soup = BeautifulSoup(lists[0], "html.parser")
    assert [side.get_text() for _, side in pairs(soup)] == ["See A “quoted” start some day", "List"]
    for name in ("p0.rst", "locale/zh_CN/LC_MESSAGES/p0.po"):
        path = folder / name
        path.write_text(text(path).replace("Page 0", "Page nought"), encoding="utf-8")
    path = folder / "p4.rst"
    path.write_text(text(path) + "\n", encoding="utf-8")
    build()
    assert source_of("p4") == "See A “quoted” start and Page nought."


# -- another source language ------------------------------------------------------------------------------


def test_a_chinese_source_is_set_as_chinese(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text(
        'extensions = ["edukit.sphinxext.bilingual", "edukit.sphinxext.cjk"]\n'
        'language = "zh_CN"\nbilingual_languages = ["en"]\nlocale_dirs = ["locale"]\nhtml_theme = "basic"\n'
    )
    (tmp_path / "index.rst").write_text(
        '.. _top:\n\n标题\n====\n\n他说"你\n好"，见 :ref:`top`。\n', encoding="utf-8"
    )
    catalogs = tmp_path / "locale/en/LC_MESSAGES"
    catalogs.mkdir(parents=True)
    (catalogs / "index.po").write_text(
        'msgid "标题"\nmsgstr "Title"\n'
        'msgid "他说\\"你 好\\"，见 :ref:`top`。"\nmsgstr "He says \\"hello\\", see :ref:`top`."\n',
        encoding="utf-8",
    )
    result = sphinx_build("-W", "-q", "-b", "html", ".", "_build", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    html = BeautifulSoup(text(tmp_path / "_build/en/index.html"), "html.parser")
    copy = html.select_one("p > .translated-copy")
    assert copy
    assert copy["lang"] == "zh-CN"
    assert copy.get_text() == "他说“你好”，见 标题。"
