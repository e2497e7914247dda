"""Citations in the words and brackets of the language they stand in."""

import pytest
from bs4 import BeautifulSoup

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
