"""Mathematics, Chinese and search together: every way to build a site gives the same files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import sphinx_build

CONF = """
extensions = [
    "myst_parser", "edukit.sphinxext.cjk", "edukit.sphinxext.mathml", "edukit.sphinxext.search"
]
project = "builds"
author = copyright = version = "1"
html_theme = "basic"
html_last_updated_fmt = None
language = {language!r}
locale_dirs = ["locale"]
myst_enable_extensions = ["amsmath", "dollarmath"]
exclude_patterns = ["_build"]
"""
CATALOG = """
msgid "Waves"
msgstr "波\\n动"

msgid "A wave $\\\\omega$ of *water*."
msgstr "水\\n的*波*\\n $\\\\omega$\\n。"
"""
PAGES = {
    "index.md": "# 位置\n编码\n\n第一行\n第二行 $x^2$，\n见 {eq}`one`。\n\n"
    "```{toctree}\n:glob:\n\np*\nwaves\n```\n",
    "waves.md": "# Waves\n\nA wave $\\omega$ of *water*.\n",
    # From six pages on Sphinx reads and writes in several processes.
    **{
        f"p{number}.md": f"# 第{number}页\n\n文\n字 $\\{letter}$。\n\n```{{index}} 索引{number}\n```\n"
        for number, letter in enumerate(["alpha", "beta", "gamma", "delta", "eta", "zeta", "mu", "nu"])
    },
    "pz.md": "# Equation\n\n$$\ny = \\psi\n$$ (one)\n\n\\begin{align}\na &= b\n\\end{align}\n",
}


@pytest.fixture(params=["en", "zh_CN"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    catalogs = folder / "locale" / "zh_CN" / "LC_MESSAGES"
    catalogs.mkdir(parents=True)
    (folder / "conf.py").write_text(CONF.format(language=request.param), encoding="utf-8")
    (catalogs / "waves.po").write_text(CATALOG, encoding="utf-8")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def made(site: Path) -> Callable[..., dict[str, bytes]]:
    def made(out: str, *options: str) -> dict[str, bytes]:
        """Build; return every file but those that only the next build reads."""
        folder = site / "_build" / out
        # What a page that is gone has left behind is not Sphinx's to clear away.
        for page in folder.glob("*.html"):
            page.unlink() if page.name[0] == "p" and not (site / f"{page.stem}.md").exists() else None
        done = sphinx_build("-q", "-W", *options, "-d", f"_build/{out}.trees", ".", folder, cwd=site)
        assert done.returncode == 0, done.stderr
        files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        return {
            name: path.read_bytes()
            for name, path in files.items()
            if not name.startswith((".", "_sources/"))
        }

    return made


def different(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def test_in_several_processes(made: Callable[..., dict[str, bytes]]) -> None:
    clean = made("clean")
    assert {
        "searchindex.js",
        "genindex.html",
        "_static/edukit/math.woff2",
        "_static/edukit/cjk.css",
    } <= set(clean)
    assert different(made("parallel", "-j2"), clean) == []


def test_step_by_step(site: Path, made: Callable[..., dict[str, bytes]]) -> None:
    font = "_static/edukit/math.woff2"
    before = made("steps")
    # A formula goes, and a line break between Chinese characters moves.
    (site / "p0.md").write_text("# 第0页\n\n文字\n也好。\n", encoding="utf-8")
    edited = made("steps")
    assert different(edited, made("edited")) == []
    assert edited["p1.html"] != before["p1.html"], "another page asks for the old font"
    assert len(edited[font]) < len(before[font])
    # A page gets another name, one goes, one comes.
    (site / "p1.md").rename(site / "pnew.md")
    (site / "p2.md").unlink()
    (site / "pmore.md").write_text("# 多\n的\n\n$\\aleph$ 与\n词语\n", encoding="utf-8")
    moved = made("steps")
    assert different(moved, made("moved")) == []
    assert "p2.html" not in moved
    # And back again.
    for name in ("pnew.md", "pmore.md"):
        (site / name).unlink()
    for name, text in PAGES.items():
        (site / name).write_text(text, encoding="utf-8")
    assert different(made("steps"), before) == []
