"""Every kind of text on a page is offered to translators, and its translation is seen where it was.

The site ``kinds`` has a page for each group of kinds. Every text on it holds the word *kite*; the catalogs
are made here by putting another word in its place. So a page in another language has to read exactly
as the source does after the same exchange, down to titles, alternative texts and tooltips.
"""

import pickle
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from babel.messages.pofile import read_po, write_po

from edukit.sphinxext.bilingual import extraction
from tests.conftest import SITES, sphinx_build
from tests.page_texts import page_texts

KITE = {"zh_CN": "风筝", "ar": "طائرة"}
PAGES = sorted(
    path.relative_to(SITES / "kinds").with_suffix("").as_posix()
    for path in (SITES / "kinds").iterdir()
    if path.suffix in {".md", ".rst"}
)

# What Sphinx does not offer by itself, with the page it stands on and what Sphinx shows instead.
NOT_OFFERED_BY_SPHINX = {
    "second kite": "tabs",  # a Markdown table in a tab: the source text
    "dropped kite cell": "tabs",  # in a dropdown
    "captioned kite cell": "tables",  # in a table with a caption
    "deep kite cell": "nested",  # four directives deep
    "kite grid cell": "cards",  # in a card
    "A kite label of code": "more-tabs",  # on a tab of sphinx-tabs with code
    "An inline *kite* tab": "tabs",  # the title of a tab of sphinx-inline-tabs
    "A kite link of a card": "cards",
    "A kite tooltip of a button": "cards",
    "A kite button for a page": "cards",  # offered for buttons that lead elsewhere, not for these
    "A kite subtitle": "nested",  # of a sidebar
    "A kite subtitle in rest": "more-nested",
    "a substituted kite": "more-nested",
    "A kite document title": "more-titles",
    "A kite of a gallery": "more-pictures",  # the alternative text of a picture of sphinx-gallery
    "flying kite": "index-rst",  # every entry of the index
    "kite loop": "index-rst",
    "md kite": "index-md",
}
# What Sphinx offers without its markup, or with its classifiers.
CALLED_OTHERWISE = {
    "A kite card with emphasis": "A kite card with *emphasis*",
    "Another kite card": "{octicon}`rocket` Another `kite` card",
    "other kite field": "other *kite* field",
    "marked *kite* term : kite class with *markup*": "marked *kite* term",
    "kite class with": "kite class with *markup*",
    "A kite grid card": "{octicon}`rocket` A *kite* grid card",
}


@dataclass(frozen=True)
class Built:
    """The site in all its languages, with its templates and Sphinx's own."""

    html: Path
    templates: dict[str, list[str]]
    sphinx_templates: dict[str, list[str]]
    said: str
    site: Path


def messages(folder: Path) -> dict[str, list[str]]:
    """Return the messages of each template in a folder."""
    found = {}
    for path in folder.rglob("*.pot"):
        with path.open("rb") as file:
            found[path.relative_to(folder).with_suffix("").as_posix()] = [
                str(message.id) for message in read_po(file) if message.id
            ]
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("kinds")
    site = folder / "site"
    shutil.copytree(SITES / "kinds", site, ignore=shutil.ignore_patterns("__pycache__"))
    templates = sphinx_build("-q", "-b", "gettext", ".", folder / "pot", cwd=site)
    assert templates.returncode == 0, templates.stderr
    for path in (folder / "pot").rglob("*.pot"):
        for language, word in KITE.items():
            with path.open("rb") as file:
                catalog = read_po(file, locale=language)
            for message in catalog:
                if message.id:
                    message.string = str(message.id).replace("kite", word)
                # A picture in a paragraph is offered in it and by itself. The paragraph's wording is shown,
                # and no warning comes of the other one.
                if message.id == "A kite alone":
                    message.string = word
            name = path.relative_to(folder / "pot").with_suffix(".po")
            target = site / "locale" / language / "LC_MESSAGES" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                write_po(file, catalog)
    html = sphinx_build("-q", "-W", "--keep-going", "-b", "html", ".", folder / "html", cwd=site)
    assert (html.returncode, html.stderr) == (0, "")
    conf = (site / "conf.py").read_text(encoding="utf-8")
    (folder / "conf.py").write_text(conf.replace('"edukit.sphinxext.bilingual",', ""), encoding="utf-8")
    stock = sphinx_build("-q", "-c", folder, "-b", "gettext", ".", folder / "stock", cwd=site)
    assert stock.returncode == 0, stock.stderr
    return Built(
        folder / "html", messages(folder / "pot"), messages(folder / "stock"), templates.stderr, site
    )


def texts(page: Path, word: str) -> list[str]:
    """Return the texts of a page that hold a word."""
    return [text for text in page_texts(page) if word in text]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", KITE)
def test_a_page_reads_as_its_source_does(built: Built, language: str, page: str) -> None:
    source = texts(built.html / f"{page}.html", "kite")
    word = KITE[language]
    folder = built.html / language.lower().replace("_", "-")
    assert texts(folder / f"{page}.html", word) == [text.replace("kite", word) for text in source]
    assert texts(folder / f"{page}.html", "kite") == []
    # Every text of the source file is on the page; else there would be nothing to compare.
    assert len(source) >= 3


@pytest.mark.parametrize(("text", "page"), NOT_OFFERED_BY_SPHINX.items())
def test_what_sphinx_forgets_is_offered(built: Built, text: str, page: str) -> None:
    assert text in built.templates[page]
    # Where Sphinx has learnt it, what is done here for this kind can go.
    assert text not in built.sphinx_templates[page]


@pytest.mark.parametrize("page", PAGES)
def test_what_sphinx_offers_keeps_its_name(built: Built, page: str) -> None:
    """A project that has catalogs can use the extension without a change in them."""
    gone = set(built.sphinx_templates[page]) - set(built.templates[page]) - {"a^2"}
    assert gone <= set(CALLED_OTHERWISE)
    assert {CALLED_OTHERWISE[text] for text in gone} <= set(built.templates[page])


def test_titles_keep_their_markup_and_icons(built: Built) -> None:
    page = (built.html / "zh-cn/cards.html").read_text(encoding="utf-8")
    assert "A 风筝 card with <em>emphasis</em>" in page
    assert re.search(r'<svg[^>]*octicon-rocket.*?</svg> Another <code[^>]*><span class="pre">风筝', page)
    assert re.search(r"octicon-calendar.*?</svg>(<[^>]*>)*A 风筝 date", page)


def test_nothing_that_is_noted_of_a_translation_comes_into_a_page(built: Built) -> None:
    pages = [page.read_text(encoding="utf-8") for page in built.html.glob("zh-cn/*.html")]
    assert any('<meta content="A 风筝 description' in page for page in pages)
    assert any('role="tab"' in page for page in pages)
    assert not [page for page in pages if re.search(r"<[^>]* translated=", page)]


def test_the_name_of_a_language_of_code_is_no_text(built: Built) -> None:
    assert "Python" not in built.templates["more-tabs"]
    page = (built.html / "zh-cn/more-tabs.html").read_text(encoding="utf-8")
    assert re.search(r"<button[^>]*>Python</button>", page)
    assert re.search(r"<button[^>]*>(<[^>]*>)*A 风筝 label of code<", page)


def test_the_message_of_a_text_says_where_it_is(built: Built) -> None:
    template = (built.html.parent / "pot/tabs.pot").read_text(encoding="utf-8")
    # The table's line, or the next: inside a directive MyST counts one too many.
    line = (built.site / "tabs.md").read_text(encoding="utf-8").splitlines().index(
        "| a kite head | second kite |"
    ) + 1
    assert re.search(rf'tabs\.md:({line}|{line + 1})\nmsgid "second kite"', template)


def test_what_cannot_be_offered_is_named_by_file_and_line(built: Built) -> None:
    (line,) = [line for line in built.said.splitlines() if line]
    number = (
        (built.site / "left.rst").read_text(encoding="utf-8").splitlines().index("   A sign that stays")
    )
    assert re.search(rf"left\.rst:{number + 1}: WARNING: what is written here is not all offered", line)
    assert "“A sign that stays”" in line
    assert "A sign that stays" in (built.html / "zh-cn/left.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["", ".zh-cn"])
def test_what_has_offered_a_text_is_gone_from_its_page(built: Built, language: str) -> None:
    """Else a search would find it, and a copy of the page for readers of two languages would hold it."""
    for page in PAGES:
        with (built.html / ".doctrees" / language / f"{page}.doctree").open("rb") as file:
            document = pickle.load(file)
        assert not list(document.findall(extraction.carrier)), page
        assert not list(document.findall(extraction.held_text)), page


def test_the_index_is_in_the_language_of_its_pages(built: Built) -> None:
    entries = [
        sorted(set(texts(built.html / folder / "genindex.html", word)))
        for folder, word in (("", "kite"), ("zh-cn", "风筝"))
    ]
    theirs = {text for text in entries[0] if not re.search(r"^see |Index|Copyright", text)}
    assert {text.replace("kite", "风筝") for text in theirs} <= set(entries[1])
    assert {"见 风筝 of the page", "另请参见 风筝 of the page"} <= set(entries[1])
    assert texts(built.html / "zh-cn/genindex.html", "kite") == []


def test_the_names_of_the_site_are_given_for_each_language(built: Built) -> None:
    assert "放飞者" in (built.html / "zh-cn/tabs.html").read_text(encoding="utf-8")
    for folder, word in (("", "kite"), ("zh-cn", KITE["zh_CN"]), ("ar", KITE["ar"])):
        page = (built.html / folder / "tabs.html").read_text(encoding="utf-8")
        assert f"<title>Tabs with a {word} &#8212; a {word} title</title>" in page


def test_pages_from_right_to_left_say_so_and_others_load_nothing_for_it(built: Built) -> None:
    for folder, direction in (("", ""), ("zh-cn", ""), ("ar", "rtl")):
        page = (built.html / folder / "tabs.html").read_text(encoding="utf-8")
        assert ('<html dir="rtl"' in page) == bool(direction)
        assert ("edukit/right-to-left.css" in page) == bool(direction)
    # The link back to the source says how it runs: it stands between words that run the other way.
    assert '<a href="../tabs.html" hreflang="en" lang="en" dir="ltr"' in page
