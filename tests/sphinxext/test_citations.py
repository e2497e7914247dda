"""Citations in the words and brackets of the language they stand in."""

import pytest
from bs4 import BeautifulSoup
from pybtex.database.input.bibtex import Parser

from edukit.sphinxext.citations import _first_fault
from tests.conftest import sphinx_build


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "Noether (1918), Hardy and Littlewood (1923) and Ahmes et al. (480) wrote, "
            "others too (Ahmes et al., 480; Noether, 1918).",
        ),
        (
            "zh_CN",
            "Noether（1918）、Hardy 和 Littlewood（1923） 与 Ahmes 等（480） 写过，"
            "别人也写过（Ahmes 等，480；Noether，1918）。",
        ),
    ],
)
def test_citations_speak_the_language_of_the_page(copy_site, language, sentence):
    site = copy_site("citations")
    result = sphinx_build(
        "-q", "-W", "-n", "-c", ".", "-D", f"language={language}", "docs", "_build", cwd=site
    )
    assert result.returncode == 0, result.stderr
    soup = BeautifulSoup((site / "_build" / "index.html").read_text(encoding="utf-8"), "html.parser")
    paragraph = soup.select_one("section > p")
    assert paragraph.get_text() == sentence
    # Every citation leads to its entry.
    for link in paragraph.select("a"):
        assert soup.select_one(link["href"])
    assert len(paragraph.select("a")) == 5
    assert [entry["role"] for entry in soup.select("[role=list] > .citation")] == ["listitem"] * 3


def test_a_style_of_the_project_is_left_alone(copy_site):
    site = copy_site("citations")
    result = sphinx_build(
        "-q", "-W", "-c", ".", "-D", "bibtex_reference_style=label", "docs", "_build", cwd=site
    )
    assert result.returncode == 0, result.stderr
    soup = BeautifulSoup((site / "_build" / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert "(1918)" not in soup.select_one("section > p").get_text()


@pytest.mark.parametrize(
    ("works", "line", "message"),
    [
        # The comma after the second line is missing.
        ("@book{one,\n  author = {Noether, Emmy}\n  year = {1918}\n}\n", 3, "a comma after a field"),
        # The brace after the title is missing: the entry takes in what follows.
        (
            "% works\n@book{one,\n  title = {On Symmetry,\n  year = 1918,\n}\n@book{two, year = 1923}\n",
            6,
            'the entry "one", begun in line 2, cannot be read here',
        ),
        ("\n\n@book{one,\n  title = {On Symmetry},\n", 3, 'the entry "one" begins here and does not end'),
        ("@book{one,\n  year = {1918},\n  title = Symmetry\n}\n", 3, "write {Symmetry}"),
        ("@book{one, year = {1918}}\n@book{two, year = {1}}\n@book{one, year = {1}}\n", 3, "come once"),
        ("@book{one, year = {1918},\n  year = {1919}}\n", 1, "duplicate year field"),
        ("@book{one,\n author = {Noether, Emmy, Hardy, G. H.}}\n", 1, "Last, First and Last, First"),
        ("@book{one,\n author = {M\xfcller}}\n", 2, "is not written in utf-8-sig"),
        ("@book", 1, "the entry begins here and does not end"),
    ],
)
def test_the_first_fault_of_a_bibliography_is_named(works, line, message):
    fault = _first_fault(works.encode("latin-1"), "utf-8-sig", Parser())
    assert fault.line == line
    assert message in fault.message


def test_what_is_right_in_bibtex_is_no_fault():
    works = (
        "\ufeffnotes stand outside @comment{none}\n"
        '@preamble{"\\relax"} @string{p = "P"}\n'
        '@book(one, publisher = p # "Q", year = 1999, month = jan)\n'
        "@misc{two, author = {{A Group} and others},}\n"
    )
    parser = Parser()
    assert _first_fault(works.encode(), "utf-8-sig", parser) is None
    assert parser.data.entries["one"].fields["publisher"] == "PQ"


def test_a_bibliography_that_cannot_be_read_ends_the_build_in_one_message(copy_site):
    site = copy_site("citations")
    bib = site / "docs" / "works.bib"
    whole = bib.read_text(encoding="utf-8")
    bib.write_text(
        f"{whole}\n@book{{four,\n  title = {{On Primes}}\n  year = {{1859}}\n}}\n", encoding="utf-8"
    )
    result = sphinx_build("-q", "-c", ".", "docs", "_build", cwd=site)
    assert result.returncode == 2, result.stderr
    (only,) = result.stderr.strip().splitlines()
    assert 'works.bib:7: ERROR: the entry "four", begun in line 5, cannot be read here' in only
    # Once it is mended, the build goes through.
    bib.write_text(whole, encoding="utf-8")
    result = sphinx_build("-q", "-W", "-c", ".", "docs", "_build", cwd=site)
    assert result.returncode == 0, result.stderr
