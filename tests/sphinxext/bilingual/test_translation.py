"""What puts the translations into a page: as Sphinx does, only once, and right where Sphinx is not."""

import shutil
from pathlib import Path

import pytest

from edukit.catalogs import read
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
