"""Numbers on pages that examples have measured, claims with their evidence, and the ledger of them."""

import os
import re
import shutil

import pytest
from bs4 import BeautifulSoup

from edukit import claims
from tests.conftest import sphinx_build


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The site built once: its folder, and the output."""
    from tests.conftest import SITES

    site = tmp_path_factory.mktemp("claims") / "site"
    shutil.copytree(SITES / "claims", site)
    return site, build(site)


def build(site, *options, ok=True, out="_build"):
    result = sphinx_build("-q", "-W", "-n", "-c", ".", *options, "-b", "html", "docs", out, cwd=site)
    assert (result.returncode == 0) is ok, result.stderr
    return result.stderr


def page(site, name, out="_build"):
    return BeautifulSoup((site / out / f"{name}.html").read_text(encoding="utf-8"), "html.parser")


def texts(soup, selector):
    return [" ".join(one.get_text().split()) for one in soup.select(selector)]


def tree(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".doctrees" not in path.parts and path.name != ".buildinfo"
    }


# -- numbers ------------------------------------------------------------------------------------------


def test_numbers_come_from_the_examples(built):
    soup = page(built[0], "index")
    assert texts(soup, "p .edukit-measured")[:4] == ["128", "7.2", "7.05 × 10−5", "10−10"]
    assert [sup.get_text() for sup in soup.select("p .edukit-measured sup")][:2] == ["−5", "−10"]
    # The lesson itself may cite what it measures.
    assert texts(page(built[0], "gallery/plot_heights"), ".edukit-measured") == ["128"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{measured}`tree-heigth`", "no example measures 'tree-heigth'; is 'tree-height' meant?"),
        ("{measured}`nothing`", "no example measures 'nothing'"),
        ("{measured}`tree-height:.2x`", "'.2x' is not a format for numbers"),
        ("{measured}`tree-height:d`", "'d' is not a format for numbers"),
    ],
)
def test_a_wrong_citation_is_an_error_at_its_place(copy_site, text, message):
    site = copy_site("claims")
    with (site / "docs" / "second.md").open("a", encoding="utf-8") as file:
        file.write(f"\nThe last {text}.\n")
    errors = build(site, ok=False)
    assert re.search(rf"docs/second\.md:19: ERROR: {re.escape(message)}", errors), errors
    assert "Traceback" not in errors


def test_a_missed_expectation_fails_the_build_with_the_numbers(copy_site):
    site = copy_site("claims")
    build(site)
    script = site / "examples" / "plot_heights.py"
    script.write_text(script.read_text().replace("128, expect=128", "127, expect=128"))
    errors = build(site, ok=False)
    assert "plot_heights.py:10: child-height is 127 cm, expected = 128" in errors
    # What was measured before does not stand in for it.
    assert not list((site / "docs").rglob(f"*{claims.SUFFIX}"))
    script.write_text(script.read_text().replace("127, expect=128", "129, expect=129"))
    build(site)
    assert texts(page(site, "index"), "p .edukit-measured")[0] == "129"


def test_only_pages_that_cite_a_measurement_follow_it(copy_site):
    site = copy_site("claims")
    build(site)
    times = {path: path.stat().st_mtime_ns for path in (site / "_build").glob("*.html")}
    script = site / "examples" / "plot_heights.py"
    script.write_text(script.read_text() + "\nmeasure('new', 1, expect=1)\n")
    (site / "docs" / "third.md").write_text("---\norphan: true\n---\n# Third\n")
    build(site)
    changed = {path.name for path, time in times.items() if path.stat().st_mtime_ns != time}
    assert {"index.html", "second.html"} <= changed
    assert "child-height" not in (site / "_build" / "third.html").read_text()


def test_measurements_that_got_lost_are_made_again(copy_site):
    site = copy_site("claims")
    build(site)
    (site / "docs" / "gallery" / f"plot_heights{claims.SUFFIX}").unlink()
    build(site)
    assert texts(page(site, "index"), "p .edukit-measured")[0] == "128"


def test_an_example_that_is_gone_takes_its_measurements_along(copy_site):
    site = copy_site("claims")
    build(site)
    examples = site / "examples"
    (examples / "plot_heights.py").rename(examples / "plot_tall.py")
    build(site)
    assert [path.name for path in (site / "docs").rglob(f"*{claims.SUFFIX}")] == [
        f"plot_tall{claims.SUFFIX}"
    ]


def test_two_examples_cannot_share_a_name(copy_site):
    site = copy_site("claims")
    shutil.copy(site / "examples" / "plot_heights.py", site / "examples" / "plot_again.py")
    errors = build(site, ok=False)
    assert "two examples measure 'child-height', ../examples/plot_again.py and ../examples" in errors
    assert "Traceback" not in errors


def test_a_broken_file_of_measurements_is_told(copy_site):
    site = copy_site("claims")
    (site / "docs" / f"other{claims.SUFFIX}").write_text("{")
    errors = build(site, ok=False)
    assert f"other{claims.SUFFIX} does not hold measurements" in errors
    assert "Traceback" not in errors


# -- claims -------------------------------------------------------------------------------------------


def test_a_claim_shows_verdict_correction_and_evidence(built):
    first = page(built[0], "index").select_one("#claim-2-1")
    assert texts(first, ".edukit-claim-head") == ["Claim § 2.1 Wrong"]
    assert texts(first, ".edukit-claim-statement") == ["Trees are smaller than children."]
    assert "7 m in our garden" in first.get_text()
    assert texts(first, "dt") == ["Measured", "Source"]
    assert texts(first, "dd")[0].startswith("child-height = 128 cm tree-height = 7.25 m")
    link = first.select_one("dd a")
    assert (link["href"], link.get_text()) == ("gallery/plot_heights.html", "Heights")
    assert first.select_one("dd em").get_text() == "The garden book"
    # Where a section has no number, its name is no part of the heading.
    assert texts(page(built[0], "index"), "#claim-further .edukit-claim-head") == ["Claim Open"]


@pytest.mark.parametrize(
    ("options", "body", "message"),
    [
        (":verdict: sure\n:source: s", "x", "the verdict of a claim is true, imprecise, false or open"),
        (":verdict: true\n:source: s", "", "begins with what is claimed"),
        (":verdict: true\n:source: s", "- x", "begins with what is claimed"),
        (":verdict: false\n:source: s", "x", "needs a second paragraph"),
        (":verdict: true", "x", "nothing decides this claim"),
        (":verdict: true\n:measured: none", "x", "no example measures 'none'"),
        (":verdict: true\n:measured: free", "x", "nothing is expected of the measurement 'free'"),
    ],
)
def test_an_incomplete_claim_is_an_error_at_its_place(copy_site, options, body, message):
    site = copy_site("claims")
    script = site / "examples" / "plot_heights.py"
    script.write_text(script.read_text() + "\nmeasure('free', 1)\n")
    with (site / "docs" / "second.md").open("a", encoding="utf-8") as file:
        file.write(f"\n```{{claim}} 7\n{options}\n\n{body}\n```\n")
    errors = build(site, ok=False)
    assert re.search(rf"docs/second\.md:19: ERROR: .*{re.escape(message)}", errors), errors
    assert "Traceback" not in errors


def test_the_terminal_reads_the_same_claims_as_the_site(built):
    site = built[0]
    for name in ("index", "second"):
        heads = [
            (one["id"].removeprefix("claim-"), texts(one, ".edukit-claim-statement")[0])
            for one in page(site, name).select(".edukit-claim")
        ]
        read = claims.read_claims(site / "docs" / f"{name}.md")
        assert heads == [(one.section.replace(".", "-"), one.statement) for one in read]


# -- the ledger ---------------------------------------------------------------------------------------


def test_the_ledger_lists_every_claim_in_the_order_of_sections(built):
    soup = page(built[0], "all")
    assert texts(soup, ".edukit-ledger-summary") == ["4 claims Right 1 Imprecise 1 Wrong 1 Open 1"]
    statements = texts(soup.select_one("#everything"), ".edukit-claim-statement")
    assert statements == [
        "Trees are smaller than children.",
        "Atoms have no width.",
        "A hair is thin.",
        "Clouds are heavy.",
    ]
    assert texts(soup.select_one("#section-2"), ".edukit-claim-statement") == statements[:2]
    ids = [one["id"] for one in soup.select("[id]")]
    assert len(ids) == len(set(ids))


def test_each_entry_leads_to_the_claim_on_its_page(built):
    for link in page(built[0], "all").select(".edukit-claim-where a"):
        target, _, anchor = link["href"].partition("#")
        assert page(built[0], target.removesuffix(".html")).select_one(f".edukit-claim#{anchor}")
    # A link inside a claim is right from the ledger too.
    assert page(built[0], "all").select_one('.edukit-claim p > a[href="index.html"]')


def test_a_ledger_without_claims_is_an_error(copy_site):
    site = copy_site("claims")
    with (site / "docs" / "all.md").open("a", encoding="utf-8") as file:
        file.write("\n```{ledger} 99\n```\n")
    assert re.search(r"docs/all\.md:\d+: ERROR: no page has a claim of section 99", build(site, ok=False))


def test_claims_and_ledger_speak_the_language_of_the_build(copy_site):
    site = copy_site("claims")
    build(site, "-D", "language=zh_CN")
    soup = page(site, "all")
    assert "原子没有宽度。" in texts(soup, ".edukit-claim-statement")
    assert texts(soup, ".edukit-ledger-summary")[0].startswith("4 个论断")
    assert "有的：10−10 米，见 Heights。" in texts(soup, ".edukit-claim p")
    assert texts(soup, "dt")[:1] == ["测得"]


def test_clean_parallel_and_incremental_builds_agree(copy_site):
    site = copy_site("claims")
    build(site, "-j2", out="parallel")
    shutil.rmtree(site / "docs" / "gallery")
    second = site / "docs" / "second.md"
    whole = second.read_text(encoding="utf-8")
    second.write_text("# Widths\n", encoding="utf-8")
    build(site, out="grown")
    assert len(page(site, "all", "grown").select("#everything .edukit-claim")) == 2
    second.write_text(whole, encoding="utf-8")
    os.utime(second)
    build(site, out="grown")
    build(site, out="clean")
    assert tree(site / "parallel") == tree(site / "clean")
    assert tree(site / "grown") == tree(site / "clean")


def test_without_a_gallery_files_of_measurements_will_do(copy_site):
    site = copy_site("claims")
    conf = site / "conf.py"
    conf.write_text(conf.read_text().replace('"edukit.sphinxext.gallery", ', ""))
    claims.write(
        site / "docs" / f"mine{claims.SUFFIX}",
        claims.run(site / "examples" / "plot_heights.py")[0],
        script="plot_heights.py",
    )
    index = site / "docs" / "index.md"
    index.write_text(index.read_text().replace("gallery/index\n", ""))
    build(site)
    assert texts(page(site, "index"), "p .edukit-measured")[0] == "128"


def test_plain_sphinx_gallery_will_do(copy_site):
    site = copy_site("claims")
    conf = site / "conf.py"
    conf.write_text(conf.read_text().replace("edukit.sphinxext.gallery", "sphinx_gallery.gen_gallery"))
    build(site)
    assert texts(page(site, "index"), "p .edukit-measured")[0] == "128"
    script = site / "examples" / "plot_heights.py"
    script.write_text(script.read_text().replace("128, expect=128", "127, expect=128"))
    assert "child-height is 127 cm, expected = 128" in build(site, ok=False)
