"""The foot of a page: what it says, in which language, and what it does not disturb."""

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from sphinx.testing.util import SphinxTestApp

from edukit.sphinxext import provenance

Build = Callable[..., SphinxTestApp]


@pytest.fixture
def build(make_app: Callable[..., SphinxTestApp], copy_site: Callable[[str], Path]) -> Build:
    def build(builder: str = "html", page: str | None = None, **overrides: str) -> SphinxTestApp:
        srcdir = copy_site("provenance")
        if page is not None:
            (srcdir / "plain.md").write_text(page, encoding="utf-8")
        app = make_app(builder, srcdir=srcdir, confoverrides=overrides, warning=io.StringIO())
        app.build()
        return app

    return build


def foot(app: SphinxTestApp, page: str = "index") -> str:
    html = (app.outdir / f"{page}.html").read_text(encoding="utf-8")
    match = re.search(r'<footer class="edukit-provenance.*?</footer>', html, re.DOTALL)
    return match[0] if match else ""


def warnings(app: SphinxTestApp) -> list[str]:
    text = re.sub(r"\x1b\[[0-9;]*m", "", app.warning.getvalue())
    return [line for line in text.splitlines() if "front matter" in line]


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_the_foot_names_everything(build: Build) -> None:
    html = foot(build())
    assert words(html) == (
        "About this page Author the test authors Date November 30, 2026 "
        "Sources A book , chapter 2 A letter with plain words Tools Written by hand."
    )
    assert 'href="https://example.org/book"' in html
    assert "<em>test</em>" in html


def test_the_foot_ends_the_page_and_the_field_is_gone(build: Build) -> None:
    app = build()
    doctree = app.env.get_doctree("index")
    assert isinstance(doctree[-1], provenance.provenance)
    assert "provenance" not in app.env.metadata["index"]
    assert app.env.metadata["index"]["tocdepth"] == 2
    assert "About this page" not in app.env.tocs["index"].astext()


def test_the_foot_speaks_the_language_of_the_build(build: Build) -> None:
    app = build(language="zh_CN")
    html = words(foot(app))
    assert "2026年11月30日" in html
    assert "试验" in html
    assert "手写而成。" in html
    assert "Written by hand." not in html


def test_values_are_messages_and_labels_are_not(build: Build) -> None:
    app = build("gettext")
    with (app.outdir / "index.pot").open("rb") as file:
        catalog = read_po(file)
    ids = {message.id for message in catalog}
    assert {
        "the *test* authors",
        "[A book](https://example.org/book), chapter 2",
        "A letter with plain words",
        "Written by hand.",
    } <= ids
    assert not ids & {"About this page", "Author", "Date", "November 30, 2026", "2026-11-30"}
    places = {message.id: message.locations[0][1] for message in catalog if message.id}
    assert places["Written by hand."] == 8


def test_the_search_does_not_find_the_foot(build: Build) -> None:
    index = (build().outdir / "searchindex.js").read_text(encoding="utf-8")
    assert '"word"' in index  # "Words of the page", as the stemmer leaves it
    assert '"hand"' not in index


@pytest.mark.parametrize("builder", ["text", "latex", "epub", "dirhtml"])
def test_other_builders_write_the_foot_too(build: Build, builder: str) -> None:
    app = build(builder)
    assert not warnings(app)
    written = "".join(
        path.read_text(encoding="utf-8")
        for path in app.outdir.rglob("*")
        if path.suffix in (".txt", ".tex", ".xhtml", ".html")
    )
    assert "Written by hand." in written


def test_pages_that_say_nothing_have_no_foot(build: Build) -> None:
    app = build()
    assert not foot(app, "plain")
    assert not foot(app, "old")
    assert app.env.metadata["old"]["provenance"] == "is just a word here"
    assert not warnings(app)


@pytest.mark.parametrize(
    ("front", "line", "message"),
    [
        ("provenance: hello", 2, "must hold author, date, sources, tool"),
        ("provenance:\n  - author", 2, "must hold author, date, sources, tool"),
        ("provenance:", 2, "must hold author, date, sources, tool"),
        ("title: x\nprovenance:\n  writer: me", 4, "known are author, date, sources, tool"),
        ("provenance:\n  author: me\n  date: 30.11.2026", 4, "not '30.11.2026'"),
        ("provenance:\n  date: '2026-11-31'", 3, "not '2026-11-31'"),
        ("provenance:\n  date: 2026", 3, "written like 2026-11-30"),
        ("provenance:\n  sources: a book", 3, "must be a list of texts"),
        ("provenance:\n  sources:\n    - 12", 3, "must be a list of texts"),
        ("provenance:\n  author: [me, you]", 3, "must be one line of text"),
        ('provenance:\n  author: "# me"', 3, "without headings"),
        ('provenance:\n  tool: "one\\n\\ntwo"', 3, "without headings"),
        ('provenance:\n  sources:\n    - ok\n    - "- no"', 3, "without headings"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(
    build: Build, front: str, line: int, message: str
) -> None:
    app = build(page=f"---\n{front}\n---\n\n# Title\n")
    [warning] = warnings(app)
    assert f"plain.md:{line}: WARNING" in warning
    assert message in warning
    assert "<h1>Title" in (app.outdir / "plain.html").read_text(encoding="utf-8")


def test_a_day_that_yaml_itself_refuses_is_said_too(build: Build) -> None:
    app = build(page="---\nprovenance:\n  date: 2026-11-31\n---\n\n# Title\n")
    said = re.sub(r"\x1b\[[0-9;]*m", "", app.warning.getvalue())
    assert "plain.md:3: WARNING: the front matter cannot be read" in said


def test_what_is_right_beside_what_is_wrong_is_shown(build: Build) -> None:
    app = build(page="---\nprovenance:\n  author: me\n  date: never\n---\n\n# Title\n")
    assert words(foot(app, "plain")) == "About this page Author me"


def test_an_empty_list_of_sources_is_no_line(build: Build) -> None:
    app = build(page="---\nprovenance:\n  author: me\n  sources: []\n---\n\n# Title\n")
    assert not warnings(app)
    assert "Sources" not in foot(app, "plain")


def test_markup_in_a_value_is_not_html(build: Build) -> None:
    app = build(page='---\nprovenance:\n  author: "a < b & <me@example.org>"\n---\n\n# Title\n')
    assert "a &lt; b &amp;" in foot(app, "plain")


def test_an_unknown_language_falls_back_to_english_dates(build: Build) -> None:
    assert "November 30, 2026" in foot(build(language="tlh"))


@pytest.mark.parametrize(
    ("front", "line", "words"),
    [
        ("provenance:\n  author: x: y\n", 3, "cannot be read"),
        ("provenance:\n  sources: [one\n", 3, "cannot be read"),
        ("provenance:\n\tauthor: x\n", 3, "indented with spaces"),
        ("provenance:\n  author: x\n  date: 2026-13-45\n", 4, "a day is written like"),
    ],
)
def test_front_matter_that_cannot_be_read_is_said_at_its_line(
    make_app: Callable[..., SphinxTestApp],
    copy_site: Callable[[str], Path],
    front: str,
    line: int,
    words: str,
) -> None:
    site = copy_site("provenance")
    (site / "broken.md").write_text(f"---\n{front}---\n\n# Title\n\nText.\n", encoding="utf-8")
    app = make_app("html", srcdir=site)
    app.build()
    (said,) = [one for one in warnings(app) if "broken.md" in one and "toctree" not in one]
    assert f"broken.md:{line}: " in said
    assert words in said
    assert "Text." in (app.outdir / "broken.html").read_text(encoding="utf-8")


def test_front_matter_that_never_ends_is_said(
    make_app: Callable[..., SphinxTestApp], copy_site: Callable[[str], Path]
) -> None:
    site = copy_site("provenance")
    (site / "broken.md").write_text("---\nprovenance:\n  author: x\n\n# Title\n", encoding="utf-8")
    app = make_app("html", srcdir=site)
    app.build()
    assert any("broken.md:1: " in one and "never ends" in one for one in warnings(app))
