"""Cards for Anki beside a song: only where its words may be given away, and as new as the song."""

import io
import os
import re
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from sphinx.testing.util import SphinxTestApp

SONG = "[ti:Grass]\n[la:en]\n[rights:{rights}]\n[00:01]Grass is green\n[00:01]草是绿的\n"
PAGE = "# Grass\n\n:::{song} song.lrc\n:::\n"


@pytest.fixture
def build(make_app: Callable[..., SphinxTestApp], copy_site: Callable[[str], Path]):
    srcdir = copy_site("song")
    for page in [*srcdir.glob("*.md"), *srcdir.glob("*.rst")]:
        page.unlink()
    (srcdir / "songs").mkdir()
    (srcdir / "index.md").write_text("# Songs\n\n```{toctree}\nsongs/grass\n```\n", encoding="utf-8")
    (srcdir / "songs" / "grass.md").write_text(PAGE, encoding="utf-8")

    def build(rights: str = "own", builder: str = "html", text: str = SONG) -> SphinxTestApp:
        (srcdir / "songs" / "song.lrc").write_text(text.format(rights=rights), encoding="utf-8")
        app = make_app(builder, srcdir=srcdir, freshenv=False, warning=io.StringIO())
        app.build()
        return app

    return build


def deck_of(app: SphinxTestApp) -> Path:
    return app.outdir / "_downloads" / "anki" / "songs" / "song.apkg"


def page_of(app: SphinxTestApp) -> str:
    return next(
        app.outdir.rglob("grass*/index.html" if app.builder.name == "dirhtml" else "grass.html")
    ).read_text(encoding="utf-8")


def fields(deck: Path, folder: Path) -> list[str]:
    with zipfile.ZipFile(deck) as package:
        package.extract("collection.anki2", folder)
    connection = sqlite3.connect(folder / "collection.anki2")
    try:
        return [row[0].split("\x1f")[0] for row in connection.execute("select flds from notes order by id")]
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("builder", "href"),
    [
        ("html", "../_downloads/anki/songs/song.apkg"),
        ("dirhtml", "../../_downloads/anki/songs/song.apkg"),
    ],
)
def test_the_page_leads_to_the_cards(build, tmp_path: Path, builder: str, href: str) -> None:
    app = build(builder=builder)
    assert f'<a href="{href}" download="">Cards for Anki</a>' in page_of(app)
    assert "Grass is green" in fields(deck_of(app), tmp_path)


@pytest.mark.parametrize("rights", ["private", "permission, of the author", "unknown"])
def test_no_cards_of_words_that_may_not_be_given_away(build, rights: str) -> None:
    app = build(rights)
    assert "Cards for Anki" not in page_of(app)
    assert not deck_of(app).parent.exists()


def test_the_deck_follows_its_song(build, tmp_path: Path) -> None:
    deck = deck_of(build())
    os.utime(deck, ns=(1, 1))  # older than the song: made again
    build()
    assert deck.stat().st_mtime_ns > 1
    build(text=SONG.replace("green", "red"))
    assert "Grass is red" in fields(deck, tmp_path)


def test_a_deck_that_is_new_enough_is_left(build) -> None:
    app = build()
    later = deck_of(app).stat().st_mtime + 100
    os.utime(deck_of(app), (later, later))
    again = build()
    assert deck_of(again).stat().st_mtime == later


def test_a_book_has_no_link_to_them(build) -> None:
    app = build(builder="epub")
    assert "Cards for Anki" not in re.sub(
        r"\s+", " ", (app.outdir / "songs" / "grass.xhtml").read_text("utf-8")
    )
    assert not (app.outdir / "_downloads" / "anki").exists()
