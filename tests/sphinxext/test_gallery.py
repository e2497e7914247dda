"""The gallery: one run of each example, figures and cards in the language of the page."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

pytest.importorskip("sphinx_gallery")

from babel.messages.pofile import read_po
from bs4 import BeautifulSoup
from PIL import Image

from edukit.sphinxext import gallery
from tests.conftest import sphinx_build

CopySite = Callable[..., Path]
SVG_001 = "sphx_glr_plot_wave_001.svg"
IMAGES = Path("docs/auto_examples/images")
CATALOG = Path("docs/locale/zh_CN/LC_MESSAGES/figures.po")


def build(site: Path, *options: str, to: str = "out", builder: str = "html") -> CompletedProcess[str]:
    return sphinx_build("-c", ".", "-b", builder, "-d", f"{to}-doctrees", *options, "docs", to, cwd=site)


def chinese(site: Path, *options: str) -> CompletedProcess[str]:
    return build(site, "-D", "language=zh_CN", *options, to="zh")


def page(site: Path, name: str) -> BeautifulSoup:
    return BeautifulSoup((site / name).read_text(encoding="utf-8"), "html.parser")


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site in both languages, which no test may change."""
    site = tmp_path_factory.mktemp("built") / "site"
    shutil.copytree(Path(__file__).parent.parent / "sites" / "gallery", site)
    for result in (build(site, "-W"), chinese(site, "-W")):
        assert result.returncode == 0, result.stderr
    return site


# -- the figure, the chapter and the card in both languages --------------------------------------------


def test_the_words_of_figures_are_in_the_language_of_the_page(built: Path) -> None:
    english = (built / "out/_images" / SVG_001).read_text(encoding="utf-8")
    assert ">position<" in english
    assert 'lang="en"' in english
    chinese = (built / "zh/_images/sphx_glr_plot_wave_001.zh-Hans.svg").read_text(encoding="utf-8")
    assert ">位置<" in chinese
    assert ">一条波，一行<" in chinese
    assert 'lang="zh-Hans"' in chinese
    for word in ("position", "One wave", "first wave"):
        assert f">{word}" not in chinese
    assert not list((built / "zh/_images").glob("*_001.svg"))


@pytest.mark.parametrize(
    ("root", "alt"),
    [
        ("out", "A wave that rises, falls and rises again."),
        ("zh", "一条先升、后降、再升的波。"),
    ],
)
def test_the_alternative_text_goes_with_the_page(built: Path, root: str, alt: str) -> None:
    # The chapter writes none: it gets that of the figure, as a message of its own catalog.
    for name in ("auto_examples/plot_wave.html", "index.html"):
        image = page(built, f"{root}/{name}").find("img", class_="edukit-figure")
        assert image["alt"] == alt
        assert (built / root / name).parent.joinpath(image["src"]).is_file()


@pytest.mark.parametrize(
    ("root", "title", "intro"),
    [
        ("out", "A wave of", "One wave, drawn once. See Waves."),
        ("zh", "的波", "一条波，只画一次。参见 波。"),
    ],
)
def test_cards_speak_the_language_of_the_page(built: Path, root: str, title: str, intro: str) -> None:
    (card,) = page(built, f"{root}/auto_examples/index.html").select(".sphx-glr-thumbcontainer")
    (link,) = card.find_all("a")
    assert link["href"] == "plot_wave.html"
    assert title in link.get_text()
    assert link.img["alt"] == ""
    assert card.select_one(".edukit-card-intro").get_text() == intro
    assert not card.has_attr("tooltip")


def test_downloads_are_worded_once_and_without_the_archive(built: Path) -> None:
    downloads = page(built, "out/auto_examples/plot_wave.html").select(".sphx-glr-download a")
    assert [link.get_text(" ", strip=True) for link in downloads] == [
        "Download the Jupyter notebook plot_wave.ipynb",
        "Download the Python script plot_wave.py",
    ]
    assert not list((built / "out/_downloads").rglob("*.zip"))


def test_thumbnails_are_light_and_shared_by_both_languages(built: Path) -> None:
    english, chinese = (built / root / "_images/sphx_glr_plot_wave_thumb.png" for root in ("out", "zh"))
    assert english.read_bytes() == chinese.read_bytes()
    assert english.stat().st_size < 5000
    with Image.open(english) as picture:
        assert picture.mode == "P"
    assert not list((built / "out/_images").glob("*_001.png"))


def test_pages_load_nothing_from_elsewhere_and_no_script_of_the_gallery(built: Path) -> None:
    for name in ("auto_examples/index.html", "auto_examples/plot_wave.html"):
        soup = page(built, f"zh/{name}")
        sources = [tag.get("src") or tag.get("href") for tag in soup.select("script, link, img")]
        assert not [source for source in sources if source and "//" in source and "mathjax" not in source]
        assert not [source for source in sources if source and "sg" in Path(source).name]


# -- catalogs ------------------------------------------------------------------------------------------


def test_one_template_holds_the_words_of_all_figures(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    result = build(site, "-W", builder="gettext", to="pot")
    assert result.returncode == 0, result.stderr
    with (site / "pot/figures.pot").open("rb") as file:
        template = read_po(file)
    words = {message.id: message.locations for message in template if message.id}
    script = "../examples/plot_wave.py"
    assert words == {
        "One wave,\ntwo lines": [(script, 15)],
        "position": [(script, 16)],
        "first wave": [(script, 14)],
    }
    with (site / "pot/auto_examples/plot_wave.pot").open("rb") as file:
        page_words = {message.id for message in read_po(file) if message.id}
    assert page_words == {
        "A wave of :math:`\\sin`",
        "One wave, *drawn* once. See :doc:`/index`.",
        "A wave that rises, falls and rises again.",
        "Its square",
        "It never falls below zero.",
        "A wave above zero.",
    }
    assert not (site / "pot/sphinx.pot").exists()


def test_a_word_without_translation_is_named(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    replace(site / CATALOG, 'msgid "first wave"', '#, fuzzy\nmsgid "first wave"')
    result = chinese(site)
    assert result.returncode == 0
    lines = [line for line in result.stderr.splitlines() if "first wave" in line]
    assert len(lines) == 2  # the example's page, and the chapter that shows the figure
    assert all(SVG_001 in line and CATALOG.as_posix() in line for line in lines)
    assert chinese(site, "-E", "-W").returncode != 0


def test_a_missing_catalog_is_said_once(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    (site / CATALOG).unlink()
    result = chinese(site)
    assert result.stderr.count("there is no catalog docs/locale/zh_CN/LC_MESSAGES/figures.po") == 1
    assert (site / "zh/_images" / SVG_001).is_file()


def test_a_broken_catalog_stops_the_build_with_file_and_line(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    replace(site / CATALOG, 'msgstr "位置"', 'msgstr "位置')
    result = chinese(site)
    assert result.returncode != 0
    assert re.search(r"figures\.po:13: ", result.stderr)
    assert "Traceback" not in result.stderr


def test_a_changed_catalog_changes_the_figures_of_the_next_build(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    assert chinese(site).returncode == 0
    replace(site / CATALOG, "位置", "地方")
    chinese(site)
    for name in ("001", "002"):
        svg = (site / f"zh/_images/sphx_glr_plot_wave_{name}.zh-Hans.svg").read_text(encoding="utf-8")
        assert ">地方<" in svg


def test_a_page_written_alone_keeps_off_the_figures_of_others(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    # Two galleries with an example, and so a figure, of the same name.
    (site / "more").mkdir()
    for name in ("GALLERY_HEADER.rst", "plot_wave.py"):
        text = (site / "examples" / name).read_text(encoding="utf-8")
        (site / "more" / name).write_text(
            text.replace("Examples", "More").replace("first wave", "position")
        )
    replace(site / "conf.py", '"../examples"', '["../examples", "../more"]')
    replace(site / "conf.py", '"auto_examples"', '["auto_examples", "auto_more"]')
    replace(site / "docs/index.rst", "   auto_examples/index", "   auto_examples/index\n   auto_more/index")
    chinese(site)
    before = digests(site / "zh/_images")
    assert len({name for name in before if "001" in name}) == 2
    rst = site / "docs/auto_more/plot_wave.rst"
    os.utime(rst, (rst.stat().st_mtime + 10,) * 2)
    assert "1 changed" in chinese(site).stdout
    assert digests(site / "zh/_images") == before


# -- what runs again, and what fails -------------------------------------------------------------------


def test_a_second_run_makes_the_same_bytes(built: Path, copy_site: CopySite) -> None:
    site = copy_site("gallery")
    assert build(site).returncode == 0
    ours, theirs = digests(site / "out"), digests(built / "out")
    apart = {name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)}
    assert {name for name in apart if not name.startswith("_static/")} == set()


def ran(site: Path) -> int:
    return len((site / "runs").read_text().splitlines()) if (site / "runs").exists() else 0


@pytest.fixture
def counting(copy_site: CopySite) -> Path:
    """A site whose example leaves a mark each time it runs."""
    site = copy_site("gallery")
    script = site / "examples/plot_wave.py"
    text = script.read_text(encoding="utf-8")
    note = 'with open("../runs", "a") as file:\n    print("ran", file=file)\n'
    script.write_text(text.replace("figure, axes", f"{note}figure, axes", 1), encoding="utf-8")
    return site


def test_examples_run_once_and_again_when_the_key_is_another(counting: Path) -> None:
    key = counting / "docs/auto_examples/.edukit-key"
    assert build(counting).returncode == 0
    assert ran(counting) == 1
    noted = key.stat().st_mtime_ns
    build(counting)
    chinese(counting)
    assert ran(counting) == 1
    assert key.stat().st_mtime_ns == noted  # nothing is written that a preview would take for a change
    for change in (lambda: key.write_text("another"), key.unlink):
        change()
        before = ran(counting)
        assert build(counting).returncode == 0
        assert ran(counting) == before + 1
        assert key.read_text() == gallery.rerun_key()


def test_the_key_follows_package_and_versions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "edukit"
    (package / "sphinxext").mkdir(parents=True)
    for name in ("figures.py", "cli.py", "sphinxext/gallery.py", "sphinxext/other.py"):
        (package / name).write_text("1")
    monkeypatch.setattr(gallery, "PACKAGE", package)
    monkeypatch.setattr(gallery, "__file__", str(package / "sphinxext/gallery.py"))
    keys = [gallery.rerun_key()]
    for name in ("cli.py", "sphinxext/other.py"):
        (package / name).write_text("2")
        assert gallery.rerun_key() == keys[0]
    for name in ("figures.py", "sphinxext/gallery.py"):
        (package / name).write_text("2")
        keys.append(gallery.rerun_key())
    versions = {"numpy": "1", "matplotlib": "1", "sphinx-gallery": "1"}
    monkeypatch.setattr(gallery, "version", versions.__getitem__)
    for name in versions:
        versions[name] = "2"
        keys.append(gallery.rerun_key())
    assert len(set(keys)) == len(keys)


def test_a_failing_example_ends_the_build_and_leaves_nothing_behind(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    assert build(site).returncode == 0
    script = site / "examples/plot_wave.py"
    good = script.read_text(encoding="utf-8")
    script.write_text(good.replace("x = np", 'raise ValueError("no wave")\nx = np'), encoding="utf-8")
    result = build(site)
    assert result.returncode == 2
    assert "examples/plot_wave.py:13: ValueError: no wave" in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr.count("no wave") == 1
    assert not list((site / IMAGES).rglob("*.svg"))
    assert not list((site / IMAGES).rglob("*thumb.png"))
    # Back to the script of the first build: its outcome must not be that of the failed run.
    script.write_text(good, encoding="utf-8")
    assert build(site, "-W").returncode == 0
    assert len(list((site / IMAGES).glob("*.svg"))) == 2
    assert "ValueError" not in (site / "out/auto_examples/plot_wave.html").read_text(encoding="utf-8")


BROKEN = {
    "plot_a_without_alt": ("figures.subplots(alt=", "figures.subplots(label=", "12: TypeError: "),
    "plot_b_empty_alt": ('alt="A wave above zero."', 'alt=""', "27: the alternative text is empty"),
    "plot_c_glyph": ('"position"', '"位置"', "8: the font DejaVu Sans has no glyph for '位' (U+4F4D)"),
    "plot_d_mixture": (
        '"first wave"',
        'r"wave $x$"',
        r"8: the label 'wave $x$' mixes words and a formula",
    ),
    "plot_e_bare": (
        "figures.subplots(alt=",
        "figures.subplots and plt.subplots(num=",
        "8: a figure has no alt",
    ),
    "plot_f_syntax": ("figures.show()", "figures.show(", "SyntaxError"),
}


def test_each_figure_that_cannot_be_shown_is_one_message(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    wave = (site / "examples/plot_wave.py").read_text(encoding="utf-8")
    for name, (old, new, _) in BROKEN.items():
        text = wave.replace(old, new).replace(
            "import numpy as np", "import numpy as np; import matplotlib.pyplot as plt"
        )
        assert old in wave
        (site / f"examples/{name}.py").write_text(text, encoding="utf-8")
    result = build(site)
    assert result.returncode == 2
    assert f"{len(BROKEN)} examples failed" in result.stderr
    for name, (_, _, said) in BROKEN.items():
        (line,) = [line for line in result.stderr.splitlines() if line.startswith(f"  examples/{name}.py:")]
        assert said in line
    assert "Traceback" not in result.stderr
    assert not (site / "out").exists() or not list((site / "out").rglob("*.html"))


def test_an_expected_failure_is_none(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    (site / "examples/plot_fails.py").write_text('"""\nFails\n=====\n"""\n\n1 / 0\n')
    replace(
        site / "conf.py",
        '"gallery_dirs"',
        '"expected_failing_examples": ["../examples/plot_fails.py"], "gallery_dirs"',
    )
    result = build(site)
    assert result.returncode == 0, result.stderr
    assert "ZeroDivisionError" in (site / "out/auto_examples/plot_fails.html").read_text(encoding="utf-8")


def test_what_an_example_no_longer_draws_is_gone(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    build(site)
    script = site / "examples/plot_wave.py"
    script.write_text(script.read_text(encoding="utf-8").split("# %%")[0], encoding="utf-8")
    build(site)
    assert [path.name for path in (site / IMAGES).glob("*.svg")] == [SVG_001]
    # And so is an example that no longer exists, with its page.
    script.rename(site / "examples/plot_other.py")
    build(site)
    assert not list((site / "docs/auto_examples").rglob("*plot_wave*"))


def test_a_figure_speaks_english_whatever_the_shell_says(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    result = sphinx_build("-q", "-c", ".", "docs", "out", cwd=site, env={"EDUKIT_LANGUAGE": "zh_CN"})
    assert (result.returncode, result.stderr) == (0, "")
    assert ">position<" in (site / "out/_images" / SVG_001).read_text(encoding="utf-8")


def test_folders_that_are_not_there_are_named(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    replace(site / "conf.py", "../examples", "../exmaples")
    result = build(site)
    assert result.returncode == 2
    assert (
        "conf.py:1: ERROR: sphinx_gallery_conf names a folder of examples that is not there"
        in result.stderr
    )


@pytest.mark.parametrize("name", ["sphinx_gallery", "matplotlib"])
def test_a_missing_dependency_is_one_message(copy_site: CopySite, name: str) -> None:
    site = copy_site("gallery")
    conf = (site / "conf.py").read_text(encoding="utf-8")
    hide = (
        "import importlib.util\n_found = importlib.util.find_spec\n"
        f"importlib.util.find_spec = lambda name, *more: None if name == {name!r} else _found(name, *more)"
        "\n"
    )
    (site / "conf.py").write_text(hide + conf, encoding="utf-8")
    result = build(site)
    assert result.returncode == 2
    (line,) = [line for line in result.stderr.splitlines() if line]
    assert f"needs {name}," in line
    assert 'pip install "sphinx-edukit[gallery]"' in line


def test_the_module_loads_without_what_it_needs() -> None:
    """Else the message about a missing dependency could not be given."""
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['matplotlib', 'sphinx_gallery', 'numpy', 'PIL']));"
        "import edukit.sphinxext.gallery"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.parametrize("builder", ["dirhtml", "text"])
def test_other_builders_work(copy_site: CopySite, builder: str) -> None:
    site = copy_site("gallery")
    result = build(site, "-W", "-D", "language=zh_CN", builder=builder)
    assert result.returncode == 0, result.stderr


def test_parallel_builds_are_the_same(built: Path, copy_site: CopySite) -> None:
    site = copy_site("gallery")
    assert chinese(site, "-W", "-j", "2").returncode == 0
    assert digests(site / "zh/_images") == digests(built / "zh/_images")


@pytest.mark.parametrize(
    ("script", "line", "message"),
    [
        ("x = 1\n", 1, "an example begins with its title"),
        ('"""\nTitle\n=====\n\nWords.\n"""\nimport sys\n\nsys.exit(3)\n', 9, "ends the whole build"),
        ('"""\nTitle\n=====\n\nWords.\n"""\nexit()\n', 7, "ends the whole build"),
    ],
)
def test_an_example_that_would_crash_the_gallery_is_named(
    copy_site: CopySite, script: str, line: int, message: str
) -> None:
    site = copy_site("gallery")
    (site / "examples/plot_zz.py").write_text(script)
    result = build(site)
    assert result.returncode == 2
    assert f"plot_zz.py:{line}: ERROR: " in result.stderr
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_an_example_that_failed_and_was_deleted_is_no_page(copy_site: CopySite) -> None:
    site = copy_site("gallery")
    script = site / "examples/plot_zz.py"
    script.write_text('"""\nTitle\n=====\n\nWords.\n"""\nraise ValueError("no")\n')
    assert build(site).returncode == 2
    script.unlink()
    assert build(site, "-W").returncode == 0
    assert not list((site / "docs/auto_examples").glob("*plot_zz*"))
    assert not (site / "out/auto_examples/plot_zz.html").exists()


def test_a_project_may_lie_below_a_folder_with_a_space(copy_site: CopySite) -> None:
    site = copy_site("gallery", "课程 one two")
    result = build(site, "-W")
    assert result.returncode == 0, result.stderr
    # But an example with one in its own name is warned of, as it cannot be linked to everywhere.
    (site / "examples/plot_wave.py").rename(site / "examples/plot_a wave.py")
    assert "spaces" in build(site).stderr
