"""Style sheets without dead rules: what goes, and above all what has to stay."""

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sphinx.testing.util import SphinxTestApp

from edukit.sphinxext.lean import classes_in_use, prune


@pytest.mark.parametrize(
    "rule",
    [
        "p{a:b}",
        "*{a:b}",
        ".in{a:b}",
        ".in .in>p:hover::before{a:b}",
        'html[data-x="a.out"] .in{a:b}',
        "[class^='icon.out']{a:b}",
        "p:not(.out){a:b}",
        ":is(.out,.in){a:b}",
        ":where(p .out, .in){a:b}",
        ":not(:has(.out)){a:b}",
        r".in\/2{a:b}",
        r".out\/2{a:b}",
        "@font-face{src:url(a.woff2)}",
        "@keyframes out{from{a:b}to{a:c}}",
        '@charset "UTF-8";',
        '@import url("x.css");',
        ":root{--icon:url('data:image/svg+xml,<svg>{;}</svg>')}",
        'p::before{content:"}"}',
        'p::before{content:"\\"}.out{"}',
        "/*! licence */.in{a:b}",
    ],
)
def test_a_rule_that_may_match_stays_as_it_is(rule: str) -> None:
    assert prune(rule, {"in"}) == rule


@pytest.mark.parametrize(
    "rule",
    [
        ".out{a:b}",
        ".in .out{a:b}",
        ".in.out{a:b}",
        "p:not(.in) .out{a:b}",
        ".out:hover::before{a:b}",
        ":has(.out){a:b}",
        "@media print{.out{a:b}}",
        "@supports (a:b){@media print{.out{a:b}}}",
        "/* words */.out{a:b}",
        '.out::before{content:"}"}',
        ".in-out{a:b}",
    ],
)
def test_a_rule_that_cannot_match_goes(rule: str) -> None:
    assert prune(f"p{{a:b}}{rule}p{{c:d}}", {"in"}) == "p{a:b}p{c:d}"


def test_only_the_dead_selectors_of_a_rule_go() -> None:
    assert prune(".out,.in,p .out,p{a:b}", {"in"}) == ".in,p{a:b}"
    assert prune("@media print{.out{a:b}.in{c:d}}", {"in"}) == "@media print{.in{c:d}}"


def test_a_licence_outlives_its_rule() -> None:
    assert prune("/*! licence */.out{a:b}", set()) == "/*! licence */"


@given(st.lists(st.sampled_from([".a{x:y}", "p{x:y}", "@media print{.b{x:y}}", '.c{y:"}"}'])))
def test_with_every_class_in_use_nothing_changes(rules: list[str]) -> None:
    css = "".join(rules)
    assert prune(css, {"a", "b", "c"}) == css


@given(st.text(alphabet=".a{}();:,'\"\\/*@ "))
def test_a_broken_sheet_is_no_error(css: str) -> None:
    prune(css, {"a"})


def build(make_app: Callable[..., SphinxTestApp], srcdir: Path, **overrides: object) -> SphinxTestApp:
    app = make_app("html", srcdir=srcdir, confoverrides=overrides, warning=io.StringIO())
    app.build()
    return app


def test_a_built_site_keeps_what_its_pages_and_scripts_use(
    make_app: Callable[..., SphinxTestApp], copy_site: Callable[[str], Path]
) -> None:
    site = copy_site("lean")
    app = build(make_app, site)
    css = (app.outdir / "_static" / "look.css").read_text(encoding="utf-8")
    assert "Licence of the sheet" in css
    assert ".seen" in css
    assert ".set-by-script" in css
    assert ".on-no-page" not in css
    assert ".on-a-later-page" not in css


def test_a_class_that_comes_into_use_brings_its_rules_back(
    make_app: Callable[..., SphinxTestApp], copy_site: Callable[[str], Path]
) -> None:
    site = copy_site("lean")
    before = version_of(build(make_app, site).outdir)
    (site / "more.rst").write_text(
        ":orphan:\n\nMore\n====\n\n.. container:: on-a-later-page\n\n   Words.\n", encoding="utf-8"
    )
    app = build(make_app, site)
    css = (app.outdir / "_static" / "look.css").read_text(encoding="utf-8")
    assert ".on-a-later-page" in css
    assert ".seen" in css
    assert ".on-no-page" not in css
    # A page that was not written again asks for the new cut all the same.
    assert version_of(app.outdir) != before


def version_of(site: Path) -> str:
    (version,) = re.findall(
        r'look\.css\?v=([0-9a-f]{8})"', (site / "index.html").read_text(encoding="utf-8")
    )
    return str(version)


def test_a_name_that_is_no_sheet_is_said(
    make_app: Callable[..., SphinxTestApp], copy_site: Callable[[str], Path]
) -> None:
    app = build(make_app, copy_site("lean"), lean_styles=["no.css"])
    assert "lean_styles names 'no.css'" in app.warning.getvalue()


def test_the_search_index_is_no_script(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<p class="one"></p><script src="searchindex.js?v=1"></script>'
        "<script>add('two')</script><script src=\"a.js\"></script>",
        encoding="utf-8",
    )
    (tmp_path / "searchindex.js").write_text("three", encoding="utf-8")
    (tmp_path / "a.js").write_text("'four'", encoding="utf-8")
    assert classes_in_use(tmp_path) >= {"one", "two", "four"}
    assert "three" not in classes_in_use(tmp_path)
