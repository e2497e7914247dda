"""A kept tree says on every page what a tree made for that page alone would say."""

import pytest
from sphinx.testing.util import SphinxTestApp

from edukit.sphinxext import navigation

PAGES = {
    "index": "Home\n====\n\n.. toctree::\n   :caption: Parts\n\n   birds/index\n   fish/index\n   alone\n",
    "alone": "Alone\n=====\n",
    "birds/index": (
        "Birds\n=====\n\n.. toctree::\n\n   duck\n   owls/index\n   A & B <swan>\n   goose\n\n"
        ".. toctree::\n   :hidden:\n\n   https://example.org/\n"
    ),
    "birds/duck": "Duck\n====\n\nSwims\n-----\n",
    "birds/swan": "Swan\n====\n",
    # In the trees of two parts, of which the theme takes the last.
    "birds/goose": "Goose\n=====\n",
    "birds/owls/index": "Owls\n====\n\n.. toctree::\n\n   barn\n   snowy\n   eagle/index\n",
    "birds/owls/barn": "Barn\n====\n",
    "birds/owls/snowy": "Snowy\n=====\n",
    "birds/owls/eagle/index": "Eagle\n=====\n\n.. toctree::\n\n   big\n   small\n",
    "birds/owls/eagle/big": "Big\n===\n",
    "birds/owls/eagle/small": "Small\n=====\n",
    # Twice in one tree, and in no tree at all.
    "fish/index": "Fish\n====\n\n.. toctree::\n\n   carp\n   trout\n   carp\n   /birds/goose\n",
    "fish/carp": "Carp\n====\n",
    "fish/trout": "Trout\n=====\n",
    "fish/lost": ":orphan:\n\nLost\n====\n",
}


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("navigation")
    for name, text in PAGES.items():
        path = folder / f"{name}.rst"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "conf.py").write_text('extensions = ["edukit.sphinxext.navigation"]\n', encoding="utf-8")
    templates = folder / "templates"
    templates.mkdir()
    # What furo and others ask for, in a theme of Sphinx's own.
    (templates / "whole.html").write_text(
        "{{ toctree(collapse=False, titles_only=True, includehidden=True, maxdepth=-1) }}", encoding="utf-8"
    )
    # Not to be kept: it shows the sections of the current page, or only what is around it.
    (templates / "around.html").write_text(
        "{{ toctree(collapse=True) }}{{ toctree(collapse=False, maxdepth=4) }}", encoding="utf-8"
    )
    return folder


SIDEBARS = {"**": ["whole.html", "around.html"]}
CASES = {
    "pydata": ("pydata_sphinx_theme", {}),
    "pydata, two levels open": ("pydata_sphinx_theme", {"html_theme_options": {"show_nav_level": 2}}),
    "pydata, parts that fold": ("pydata_sphinx_theme", {"html_theme_options": {"show_nav_level": 0}}),
    "alabaster": ("alabaster", {"html_sidebars": SIDEBARS}),
    "folders": ("alabaster", {"html_sidebars": SIDEBARS}),
}
NOT_KEPT = {"pydata, parts that fold", "folders"}


@pytest.mark.parametrize("case", CASES)
def test_pages_come_out_as_without_it(case, source, tmp_path, monkeypatch):
    theme, options = CASES[case]
    served, compared = [], []
    on_page, call = navigation.Tree.on_page, navigation._Server.__call__

    def noted(tree, href):
        found = on_page(tree, href)
        if found is not None:
            served.append(href)
        return found

    def both_ways(server, *arguments, **asked):
        got = call(server, *arguments, **asked)
        assert str(got) == str(server.make(*arguments, **asked)), (server.pagename, asked)
        compared.append(server.pagename)
        return got

    monkeypatch.setattr(navigation.Tree, "on_page", noted)
    monkeypatch.setattr(navigation._Server, "__call__", both_ways)
    app = SphinxTestApp(
        "dirhtml" if case == "folders" else "html",
        srcdir=source,
        builddir=tmp_path,
        confoverrides={"html_theme": theme, "templates_path": ["templates"], **options},
    )
    try:
        app.build()
    finally:
        app.cleanup()
    assert app.statuscode == 0
    if case in NOT_KEPT:
        assert not served
    else:
        assert set(PAGES) - {"index", "fish/lost"} <= {*compared, "alone"}
        # Each tree shows once that it comes out as it was; then it serves the other pages of its folder.
        assert {"swan.html", "snowy.html", "small.html", "trout.html"} <= set(served)
        assert "carp.html" not in served  # it is there twice


MARKED = (
    '<ul class="current">\n<li class="toctree-l1"><a class="reference internal" href="a.html">A</a></li>\n'
    '<li class="toctree-l1 current"><a class="current reference internal" href="#">B</a></li>\n</ul>'
)


def test_the_mark_moves():
    tree = navigation.read(MARKED, "b.html")
    assert tree is not None
    assert tree.on_page("b.html") == MARKED
    assert tree.on_page("a.html") == (
        '<ul class="current">\n'
        '<li class="toctree-l1 current"><a class="current reference internal" href="#">A</a></li>\n'
        '<li class="toctree-l1"><a class="reference internal" href="b.html">B</a></li>\n</ul>'
    )
    assert tree.on_page("c.html") is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('href="#"', 'href="c.html"'),  # no page is the current one
        (
            "B</a>",
            'B</a><ul><li class="toctree-l2"><a href="#part">part</a></li></ul>',
        ),  # sections of a page
        ('class="toctree-l1 current"', 'class="current toctree-l1"'),  # marked in another way
    ],
)
def test_what_is_not_understood_is_not_kept(old, new):
    assert navigation.read(MARKED.replace(old, new), "b.html") is None
