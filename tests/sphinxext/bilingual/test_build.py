"""Two languages from one sphinx-build: what people type, what is written, what is said."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import sphinx_build

CopySite = Callable[[str], Path]
LOCALE = "locale/zh_CN/LC_MESSAGES"


@pytest.fixture
def site(copy_site: CopySite) -> Path:
    return copy_site("bilingual")


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def edit(path: Path, old: str, new: str) -> None:
    assert old in text(path), f"{old!r} is not in {path.name}"
    path.write_text(text(path).replace(old, new), encoding="utf-8")


# -- what is written -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("builder", "pages", "english", "chinese"),
    [
        ("html", ["index.html", "sub/page.html"], "../zh-cn/sub/page.html", "../../sub/page.html"),
        ("dirhtml", ["index.html", "sub/page/index.html"], "../../zh-cn/sub/page/", "../../../sub/page/"),
    ],
)
def test_both_languages_link_each_page_with_itself(
    site: Path, builder: str, pages: list[str], english: str, chinese: str
) -> None:
    result = sphinx_build("-W", "-b", builder, ".", "_build/html", cwd=site)
    assert result.returncode == 0, result.stderr
    out = site / "_build/html"
    first, second = (text(out / folder / pages[1]) for folder in ("", "zh-cn"))
    assert '<html lang="en"' in first
    assert "We sing together." in first
    assert '<html lang="zh-CN"' in second
    assert "我们一起唱歌。" in second
    for html, address in [(first, english), (second, chinese)]:
        switcher = re.search(r'<nav class="bilingual-switcher".*?</nav>', html, re.DOTALL)
        assert switcher
        assert re.findall(r'<a href="([^"]*)"', switcher[0]) == [address]
    assert re.findall(r'hreflang="([^"]*)" href="([^"]*)">', first) == [
        ("en", english.replace("zh-cn/", "")),
        ("zh-CN", english),
        ("x-default", english.replace("zh-cn/", "")),
    ]
    # The same headings have the same ids, so an address with a # works in both.
    ids = [re.findall(r'<(?:section|figure)[^>]* id="([^"]+)"', html) for html in (first, second)]
    assert ids[0] == ids[1] != []


def test_every_link_of_every_switcher_leads_to_a_file(site: Path) -> None:
    assert sphinx_build("-b", "html", ".", "_build/html", cwd=site).returncode == 0
    out = site / "_build/html"
    seen = 0
    for page in out.rglob("*.html"):
        for href in re.findall(r'rel="alternate"[^>]*href="([^"]+)"', text(page)):
            seen += 1
            assert (page.parent / href).is_file(), f"{page.relative_to(out)} leads to {href}"
    assert seen >= 6 * 3  # index, page, search and genindex in two languages


def test_a_page_that_only_one_language_may_have_leads_to_the_first_page(site: Path) -> None:
    conf = site / "conf.py"
    conf.write_text(
        text(conf) + "html_split_index = True\ndef setup(app):\n"
        "    app.connect('html-collect-pages', lambda app: [('extra/one', {'title': 'x'}, 'page.html')])\n"
    )
    assert sphinx_build("-b", "html", ".", "_build/html", cwd=site).returncode == 0
    assert '<a href="../zh-cn/index.html"' in text(site / "_build/html/extra/one.html")


def test_the_alternates_are_absolute_when_the_address_is_known(site: Path) -> None:
    options = ["-D", "html_baseurl=https://example.org/course"]
    assert sphinx_build("-b", "html", *options, ".", "_build/html", cwd=site).returncode == 0
    page = text(site / "_build/html/zh-cn/sub/page.html")
    assert '<link rel="canonical" href="https://example.org/course/zh-cn/sub/page.html"' in page
    for tag, address in [("en", ""), ("zh-CN", "zh-cn/"), ("x-default", "")]:
        assert f'hreflang="{tag}" href="https://example.org/course/{address}sub/page.html"' in page
    # The switcher stays relative: it has to work in a local copy too.
    assert '<a href="../../sub/page.html"' in page


def test_a_theme_that_places_the_switcher_gets_no_second_one(site: Path) -> None:
    (site / "templates").mkdir()
    (site / "templates/layout.html").write_text(
        '{% extends "!layout.html" %}'
        '{% block footer %}{% include "bilingual-switcher.html" %}{% endblock %}'
    )
    conf = site / "conf.py"
    conf.write_text(text(conf) + "templates_path = ['templates']\n")
    assert sphinx_build("-b", "html", ".", "_build/html", cwd=site).returncode == 0
    assert text(site / "_build/html/index.html").count("bilingual-switcher") == 1


def test_three_languages(site: Path) -> None:
    french = site / "locale/fr/LC_MESSAGES"
    french.mkdir(parents=True)
    (french / "index.po").write_text('msgid "Welcome"\nmsgstr "Bienvenue"\n', encoding="utf-8")
    options = ["-D", "bilingual_languages=zh-cn,fr"]
    result = sphinx_build("-q", "-b", "html", *options, ".", "_build/html", cwd=site)
    assert result.returncode == 0
    page = text(site / "_build/html/fr/index.html")
    assert "Bienvenue" in page
    switcher = re.search(r'<nav class="bilingual-switcher".*?</nav>', page, re.DOTALL)
    assert switcher
    assert re.findall(r'href="([^"]+)" hreflang="([^"]+)"', switcher[0]) == [
        ("../index.html", "en"),
        ("../zh-cn/index.html", "zh-CN"),
    ]
    # Each translation stands beside the source, and says so where there are several.
    names = [">English + Français</a>", ">English + 中文</a>"]
    source = text(site / "_build/html/index.html")
    assert [name in switcher[0] for name in names] == [True, False]
    assert [name in source for name in names] == [True, True]
    assert 'class="bilingual-both" href="fr/index.html#bilingual-both"' in source
    # An offer is made in the language that it offers, or not at all.
    assert 'lang="zh-CN" dir="ltr" rel="alternate"\n     data-offer="本页也有中文版。"' in source
    assert 'lang="fr" dir="ltr" rel="alternate"\n     data-offer=""' in source


def test_a_language_from_right_to_left(site: Path) -> None:
    (site / "locale/ar/LC_MESSAGES").mkdir(parents=True)
    (site / "locale/ar/LC_MESSAGES/index.po").write_text(
        'msgid "Welcome"\nmsgstr "أهلا"\n', encoding="utf-8"
    )
    options = ["-D", "bilingual_languages=ar"]
    assert sphinx_build("-q", "-b", "html", *options, ".", "_build/html", cwd=site).returncode == 0
    assert '<html dir="rtl" lang="ar"' in text(site / "_build/html/ar/index.html")
    assert "rtl" not in text(site / "_build/html/index.html").partition("<body")[0]
    assert 'lang="ar" dir="rtl"' in text(site / "_build/html/index.html")
    translated = '<span class="bilingual-side" lang="ar" dir="rtl">أهلا</span>'
    source = '<span class="bilingual-side translated-copy" lang="en" dir="ltr" hidden>Welcome</span>'
    assert f"<h1>{translated}{source}<a" in text(site / "_build/html/ar/index.html")


def test_a_page_that_speaks_of_the_switcher_has_one(site: Path) -> None:
    edit(site / "index.rst", "says hello.", "says ``bilingual-switcher.html``.")
    assert sphinx_build("-q", "-b", "html", ".", "_build/html", cwd=site).returncode == 0
    assert switcher_links(site / "_build/html/index.html") == ["zh-cn/index.html"]


def test_a_chinese_project_with_an_english_translation(site: Path) -> None:
    (site / "sub/page.rst").write_text("歌曲\n====\n\n我们一起唱歌。\n", encoding="utf-8")
    (site / "index.rst").write_text("欢迎\n====\n\n.. toctree::\n\n   sub/page\n", encoding="utf-8")
    english = site / "locale/en/LC_MESSAGES/sub"
    english.mkdir(parents=True)
    catalog = 'msgid "歌曲"\nmsgstr "Songs"\nmsgid "我们一起唱歌。"\nmsgstr "We sing."\n'
    (english / "page.po").write_text(catalog, encoding="utf-8")
    (english.parent / "index.po").write_text('msgid "欢迎"\nmsgstr "Welcome"\n', encoding="utf-8")
    edit(site / "conf.py", 'language = "en"', 'language = "zh-Hans"')
    edit(site / "conf.py", '["zh_CN"]', '["en"]')
    result = sphinx_build("-W", "-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode == 0, result.stderr
    assert '<html lang="zh-CN"' in text(site / "_build/html/index.html")
    assert "We sing." in text(site / "_build/html/en/sub/page.html")


@pytest.mark.parametrize("builder", ["gettext", "linkcheck", "epub", "latex", "singlehtml", "text"])
def test_other_builders_make_one_language(site: Path, builder: str) -> None:
    result = sphinx_build("-b", builder, ".", "_build/out", cwd=site)
    assert result.returncode == 0, result.stderr
    assert "[zh_CN]" not in result.stdout
    assert not (site / "_build/out/zh-cn").exists()


def test_formulas_are_no_messages(site: Path) -> None:
    assert sphinx_build("-b", "gettext", ".", "_build/out", cwd=site).returncode == 0
    assert "c^2" not in text(site / "_build/out/index.pot")
    assert "It has a formula:" in text(site / "_build/out/index.pot")


# -- what is said ----------------------------------------------------------------------------------------


def test_a_warning_in_the_other_language_counts(site: Path) -> None:
    edit(site / LOCALE / "sub/page.po", "请看 :doc:`/index`", "请看 :doc:`/nowhere`")
    result = sphinx_build("-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode == 0
    warnings = [line for line in result.stderr.splitlines() if "WARNING" in line]
    assert warnings
    # What the translation leads to is looked up in the page; how it differs is mended in the catalog.
    places = ("sub/page.rst:4", f"{LOCALE}/sub/page.po:")
    assert all("[zh_CN]" in line and any(place in line for place in places) for line in warnings)
    assert all(any(place in line for line in warnings) for place in places)
    assert f"build succeeded, {len(warnings)} warning" in result.stdout
    # With -W the same is a failure, and a quiet build still shows its warnings.
    strict = sphinx_build("-q", "-W", "-E", "-b", "html", ".", "_build/html", cwd=site)
    assert strict.returncode == 1
    assert strict.stdout == ""
    assert "[zh_CN]" in strict.stderr
    # It fails again the next time, though Sphinx would find nothing out of date.
    assert (site / "_build/html/.doctrees/.zh-cn/unfinished-html").exists()
    again = sphinx_build("-q", "-W", "-b", "html", ".", "_build/html", cwd=site)
    assert again.returncode == 1


def test_warnings_can_be_suppressed_and_show_their_type_once(site: Path) -> None:
    edit(site / LOCALE / "index.po", "第二部分", "")
    shown = sphinx_build("-D", "show_warning_types=1", "-b", "html", ".", "_build/html", cwd=site)
    assert shown.stderr.count("[bilingual.untranslated]") == 1
    options = ["-W", "-E", "-D", "suppress_warnings=bilingual.untranslated"]
    hidden = sphinx_build(*options, "-b", "html", ".", "_build/html", cwd=site)
    assert (hidden.returncode, hidden.stderr) == (0, "")


def test_an_exception_in_the_other_language_fails_the_build(site: Path) -> None:
    conf = site / "conf.py"
    conf.write_text(
        text(conf) + "def setup(app):\n    app.connect('env-updated', broken)\n"
        "def broken(app, env):\n    if app.config.language == 'zh_CN':\n"
        "        raise ValueError('a 100% loss')\n"
    )
    result = sphinx_build("-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode != 0
    assert re.search(r"ERROR: \[zh_CN\].*a 100% loss", result.stderr)
    assert "Traceback" not in result.stderr


def test_a_child_that_is_killed_fails_the_build(site: Path) -> None:
    conf = site / "conf.py"
    conf.write_text(
        text(conf) + "import os, signal\ndef setup(app):\n    app.connect('env-updated', die)\n"
        "def die(app, env):\n    if app.config.language == 'zh_CN':\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    result = sphinx_build("-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode == 2
    assert "[zh_CN] the process that builds this language ended unexpectedly" in result.stderr


NOISY = """
from sphinx.util import logging
def setup(app):
    app.connect("env-updated", talk)
def talk(app, env):
    if app.config.language == "zh_CN":
        for number in range(30000):
            logging.getLogger("noise").info("line %d", number)
        logging.getLogger("noise").warning("the last word")
"""


def test_a_talkative_child_loses_nothing(site: Path) -> None:
    conf = site / "conf.py"
    conf.write_text(text(conf) + NOISY)
    result = sphinx_build("-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode == 0, result.stderr
    lines = re.findall(r"^\[zh_CN\] line (\d+)$", result.stdout, re.MULTILINE)
    assert lines == [str(number) for number in range(30000)]
    assert "[zh_CN] the last word" in result.stderr


def test_generated_pages_are_left_to_the_parent(site: Path) -> None:
    conf = site / "conf.py"
    edit(conf, '["edukit.sphinxext.bilingual"]', '["edukit.sphinxext.bilingual", "sphinx.ext.autosummary"]')
    conf.write_text(
        text(conf) + "import os, pathlib\nautosummary_generate = True\ndef setup(app):\n"
        "    app.connect('builder-inited', note, priority=900)\n"
        "def note(app):\n    stub = pathlib.Path(app.srcdir, 'made/textwrap.dedent.rst')\n"
        "    pathlib.Path(app.srcdir, f'seen-{app.config.language}').write_text("
        "f'{app.config.autosummary_generate} {stub.exists()}')\n"
    )
    index = site / "index.rst"
    index.write_text(
        text(index) + "\n.. currentmodule:: textwrap\n\n.. autosummary::\n   :toctree: made\n\n   dedent\n"
    )
    assert sphinx_build("-q", "-b", "html", ".", "_build/html", cwd=site).returncode == 0
    assert text(site / "seen-en").endswith("True")
    assert text(site / "seen-zh_CN") == "False True"
    assert (site / "_build/html/zh-cn/made/textwrap.dedent.html").is_file()


def test_a_value_that_cannot_be_told_is_named(site: Path) -> None:
    conf = site / "conf.py"
    conf.write_text(text(conf) + 'bilingual_overrides = {"zh_CN": {"project": lambda: 1}}\n')
    result = sphinx_build("-q", "-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode == 2
    assert "In bilingual_overrides" in result.stderr
    assert "Traceback" not in result.stderr


def test_options_hold_in_the_other_language(site: Path) -> None:
    conf = site / "conf.py"
    conf.write_text(
        text(conf) + "html_context = {}\nproject = 'plain'\ndef setup(app):\n"
        "    app.connect('html-page-context', show)\n"
        "def show(app, name, template, context, doctree):\n"
        "    context['body'] = '%s|%s|%s|%s' % (app.config.project, context.get('one'), "
        "app.tags.has('draft'), app.config.nitpicky)\n"
    )
    options = ["-D", "project=changed", "-A", "one=1", "-t", "draft", "-n", "-j", "2"]
    result = sphinx_build("-b", "html", *options, "-d", "_trees", ".", "_build/html", cwd=site)
    assert result.returncode == 0, result.stderr
    for folder in ["", "zh-cn"]:
        assert "changed|1|True|True" in text(site / "_build/html" / folder / "index.html")
    assert (site / "_trees/.zh-cn/environment.pickle").is_file()


def test_without_a_conf_file(site: Path) -> None:
    (site / "conf.py").write_text("raise SystemExit('this file must not be read')\n")
    options = ["-D", "extensions=edukit.sphinxext.bilingual", "-D", "bilingual_languages=zh_CN"]
    options += ["-D", "locale_dirs=locale", "-D", "gettext_compact=0", "-D", "html_theme=basic"]
    result = sphinx_build("-C", "-W", "-b", "html", *options, ".", "_build/html", cwd=site)
    assert result.returncode == 0, result.stderr
    assert "我们一起唱歌。" in text(site / "_build/html/zh-cn/sub/page.html")


def test_make_mode(site: Path) -> None:
    result = sphinx_build("-M", "html", ".", "_build", "-W", cwd=site)
    assert result.returncode == 0, result.stderr
    assert (site / "_build/html/zh-cn/sub/page.html").is_file()
    assert (site / "_build/doctrees/.zh-cn/environment.pickle").is_file()


def test_no_process_looks_for_garbage_when_it_ends(site: Path) -> None:
    conf = site / "conf.py"
    conf.write_text(
        text(conf)
        + "import os\nclass Page:\n    def __del__(self, write=os.write):\n        write(2, b'found')\n"
        "def setup(app):\n    app.page = Page()\n    app.page.app = app\n",
        encoding="utf-8",
    )
    result = sphinx_build("-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode == 0
    assert result.stderr == ""


# -- incremental builds ----------------------------------------------------------------------------------


def written(site: Path) -> dict[str, int]:
    out = site / "_build/html"
    return {
        path.relative_to(out).as_posix(): path.stat().st_mtime_ns
        for path in out.rglob("*page.html")
        if path.parent.name == "sub"
    } | {
        path.relative_to(out).as_posix(): path.stat().st_mtime_ns
        for path in [out / "index.html", out / "zh-cn/index.html"]
    }


def rebuilt(site: Path, *options: str | Path) -> set[str]:
    before = written(site)
    result = sphinx_build("-b", "html", *options, cwd=site)
    assert result.returncode == 0, result.stderr
    after = written(site)
    return {name for name in after if after[name] != before.get(name)}


def test_incremental_builds_write_what_has_changed(site: Path) -> None:
    everything = {"index.html", "sub/page.html", "zh-cn/index.html", "zh-cn/sub/page.html"}
    places: list[str | Path] = [".", "_build/html"]
    assert sphinx_build("-b", "html", *places, cwd=site).returncode == 0
    assert rebuilt(site, *places) == set()
    edit(site / "index.rst", "It has a formula:", "It has a formula::")
    assert rebuilt(site, *places) == {"index.html", "zh-cn/index.html"}
    edit(site / LOCALE / "sub/page.po", "一张小图", "一张很小的图")
    os.utime(site / LOCALE / "sub/page.po", (time.time() + 2, time.time() + 2))
    # The first page too, for it lists the other one's title; but nothing of the source language.
    assert rebuilt(site, *places) == {"zh-cn/index.html", "zh-cn/sub/page.html"}
    assert "一张很小的图" in text(site / "_build/html/zh-cn/sub/page.html")
    assert rebuilt(site, "-a", *places) == everything
    assert rebuilt(site, "-E", *places) == everything
    assert rebuilt(site, *places, "index.rst") == {"index.html", "zh-cn/index.html"}


def test_the_projects_words_for_the_interface_are_not_stale(site: Path) -> None:
    words = site / LOCALE / "sphinx.po"
    words.write_text('msgid "Navigation"\nmsgstr "导航一"\n', encoding="utf-8")
    places: list[str | Path] = [".", "_build/html"]
    assert sphinx_build("-W", "-b", "html", *places, cwd=site).returncode == 0
    assert "导航一" in text(site / "_build/html/zh-cn/sub/page.html")
    edit(words, "导航一", "导航二")
    os.utime(words, (time.time() + 2, time.time() + 2))
    assert rebuilt(site, *places) == {"zh-cn/index.html", "zh-cn/sub/page.html"}
    assert "导航二" in text(site / "_build/html/zh-cn/sub/page.html")
    # Asked for by another name of the language, they are compiled and used all the same.
    (site / LOCALE / "sphinx.mo").unlink()
    assert sphinx_build("-b", "html", "-D", "language=zh-cn", ".", "_build/one", cwd=site).returncode == 0
    assert "导航二" in text(site / "_build/one/index.html")


def test_a_language_that_the_site_has_no_more_is_removed(site: Path) -> None:
    places = [".", "_build/html"]
    assert sphinx_build("-b", "html", *places, cwd=site).returncode == 0
    (site / "_build/html/mine").mkdir()
    result = sphinx_build("-b", "html", "-D", "bilingual_languages=", *places, cwd=site)
    assert result.returncode == 0
    assert "no pages in zh-cn any more" in result.stdout
    assert not (site / "_build/html/zh-cn").exists()
    assert (site / "_build/html/mine").is_dir()
    assert switcher_links(site / "_build/html/index.html") == []


def test_a_link_that_is_dead_does_not_make_every_page_anew(site: Path) -> None:
    edit(site / "index.rst", "says hello.", "says `hello <http://127.0.0.1:9/nothing>`__.")
    assert sphinx_build("-M", "linkcheck", ".", "_build", cwd=site).returncode == 1
    for _ in range(2):
        result = sphinx_build("-M", "html", ".", "_build", cwd=site)
        assert result.returncode == 0
        assert "every page is made anew" not in result.stdout


def test_what_an_interrupted_build_left_behind_does_not_show(site: Path) -> None:
    places = [".", "_build/html"]
    assert sphinx_build("-b", "html", *places, cwd=site).returncode == 0
    conf = site / "conf.py"
    whole = text(conf)
    # Killed in the middle of writing, in either language, after the environment was saved.
    for language in ["en", "zh_CN"]:
        edit(site / "sub/page.rst", "together", f"together {language}")
        conf.write_text(
            whole + "import os, signal\ndef setup(app):\n    app.connect('html-page-context', die)\n"
            "def die(app, name, template, context, doctree):\n"
            f"    if app.config.language == {language!r} and name == 'index':\n"
            "        os.kill(os.getpid(), signal.SIGKILL)\n"
        )
        os.utime(conf)
        assert sphinx_build("-b", "html", "-a", *places, cwd=site).returncode != 0
        broken = site / "_build/html" / ("zh-cn" if language == "zh_CN" else "") / "index.html"
        broken.write_text("half a page")
        future = time.time() + 100
        os.utime(broken, (future, future))
        conf.write_text(whole)
        result = sphinx_build("-b", "html", *places, cwd=site)
        assert result.returncode == 0, result.stderr
        assert "every page is made anew" in result.stdout
        assert "half a page" not in text(broken)
        assert "every page is made anew" not in sphinx_build("-b", "html", *places, cwd=site).stdout


SLOW = """
import os, time, pathlib
def setup(app):
    app.connect("doctree-read", wait)
def wait(app, doctree):
    if app.env.current_document.docname not in ("index", "more7"):
        return
    pathlib.Path(app.srcdir, f"pid-{app.config.language}-{os.getpid()}").write_text(str(os.getppid()))
    deadline = time.time() + 60
    while time.time() < deadline and not pathlib.Path(app.srcdir, "go").exists():
        time.sleep(0.05)
"""


def start_slow_build(site: Path, jobs: int = 1) -> tuple[subprocess.Popen[str], list[int]]:
    """Start a build that stays reading; return it and every process of it that reads.

    Sphinx reads with workers (-j) only when there are more than five pages.
    """
    conf = site / "conf.py"
    conf.write_text(text(conf) + SLOW)
    for number in range(8):
        (site / f"more{number}.rst").write_text(f":orphan:\n\nMore {number}\n======\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "sphinx", "-b", "html", "-j", str(jobs), ".", "_build/html"],
        cwd=site,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # Where the tests run with SIGINT ignored, the build would ignore it too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.time() + 60
    while len(files := sorted(site.glob("pid-*"))) < 2 * jobs or not all(text(file) for file in files):
        assert time.time() < deadline, "the build did not get that far"
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.05)
    readers = [int(file.name.rpartition("-")[2]) for file in files]
    return process, [*readers, *(int(text(file)) for file in files if jobs > 1)]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX systems")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("to_group", [False, True])
def test_no_orphan_outlives_the_build(site: Path, how: signal.Signals, jobs: int, to_group: bool) -> None:
    process, pids = start_slow_build(site, jobs)
    assert process.pid in pids
    assert len(set(pids)) == (2 if jobs == 1 else 6)  # two languages, and two workers of each
    # As kill does, or as Ctrl-C in a terminal.
    (os.killpg if to_group else os.kill)(process.pid, how)
    process.wait(timeout=20)
    deadline = time.time() + 10
    while any(alive(pid) for pid in pids):
        assert time.time() < deadline, "a process is still running"
        time.sleep(0.05)


def test_a_second_build_in_the_same_folder_is_refused(site: Path) -> None:
    process, _ = start_slow_build(site)
    try:
        second = sphinx_build("-b", "html", ".", "_build/other", cwd=site)
        assert second.returncode == 2
        assert second.stderr.count("\n") == 1
        assert "Another build of" in second.stderr
        (site / "go").touch()
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        process.communicate()
    # And nothing of it stays locked.
    assert sphinx_build("-b", "html", ".", "_build/other", cwd=site).returncode == 0


# -- languages -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["zh-cn", "zh_Hans", "zh-CN"])
def test_one_language_can_be_asked_for(site: Path, written: str) -> None:
    result = sphinx_build("-W", "-b", "html", "-D", f"language={written}", ".", "_build/html", cwd=site)
    assert result.returncode == 0, result.stderr
    page = text(site / "_build/html/sub/page.html")
    assert '<html lang="zh-CN"' in page
    assert "我们一起唱歌。" in page
    assert "导航" in page  # Sphinx's own words too
    assert "hreflang" not in page  # there is no other language to go to
    assert switcher_links(site / "_build/html/sub/page.html") == []
    assert not (site / "_build/html/zh-cn").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-D", "language=zz"], "language: the language 'zz' is not known"),
        (["-D", "language=chinese"], "Did you mean"),
        (["-D", "bilingual_languages=zh_CN,qq"], "bilingual_languages: the language 'qq' is not known"),
        (["-D", "language=fr"], "the pages are written in en, and there are no catalogs for fr"),
        (["-D", "bilingual_languages=fr"], "names fr, but there is not one catalog for it"),
    ],
)
def test_a_language_nobody_knows_is_an_error(site: Path, options: list[str], message: str) -> None:
    result = sphinx_build("-b", "html", *options, ".", "_build/html", cwd=site)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (site / "_build/html/index.html").exists()


def test_a_wrong_setting_is_shown_where_it_stands(site: Path) -> None:
    edit(site / "conf.py", 'language = "en"', 'language = "english"')
    result = sphinx_build("-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode == 2
    assert "conf.py:3: ERROR: language: the language 'english' is not known" in result.stderr
    assert "Did you mean en?" in result.stderr
    assert "while setting up" not in result.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("folder", [".", "_build"])
def test_a_folder_that_cannot_be_written_to_is_named(site: Path, folder: str) -> None:
    (site / "_build").mkdir()
    (site / folder).chmod(0o555)
    try:
        result = sphinx_build("-b", "html", ".", "_build/html", cwd=site)
    finally:
        (site / folder).chmod(0o755)
    assert result.returncode == 2
    assert "cannot be written to" in result.stderr
    assert "Traceback" not in result.stderr


def test_languages_need_a_folder_of_catalogs(site: Path) -> None:
    edit(site / "conf.py", '["locale"]', "[]")
    result = sphinx_build("-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode == 2
    assert "locale_dirs in conf.py is empty" in result.stderr
    assert "Traceback" not in result.stderr


def test_languages_must_be_a_list(site: Path) -> None:
    edit(site / "conf.py", '["zh_CN"]', '"zh_CN"')
    result = sphinx_build("-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode == 2
    assert "write a list of languages, such as [\"zh_CN\"], not 'zh_CN'" in result.stderr


def test_with_dirhtml_a_page_is_a_folder_too(site: Path) -> None:
    (site / "zh-cn.rst").write_text(":orphan:\n\nMine\n====\n")
    assert sphinx_build("-q", "-b", "html", ".", "_build/html", cwd=site).returncode == 0
    result = sphinx_build("-q", "-b", "dirhtml", ".", "_build/dirhtml", cwd=site)
    assert result.returncode == 2
    assert "zh-cn.rst:1: ERROR: This page's address is in zh-cn/" in result.stderr


def test_a_page_whose_address_is_a_languages_is_refused(site: Path) -> None:
    (site / "zh-cn").mkdir()
    (site / "zh-cn/mine.rst").write_text(":orphan:\n\nMine\n====\n")
    result = sphinx_build("-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode == 2
    assert "mine.rst:1: ERROR: This page's address is in zh-cn/" in result.stderr


# -- Read the Docs ---------------------------------------------------------------------------------------


def read_the_docs(language: str) -> dict[str, str]:
    return {
        "READTHEDOCS": "True",
        "READTHEDOCS_LANGUAGE": language,
        "READTHEDOCS_CANONICAL_URL": f"https://course.example.org/{language}/latest/",
    }


def switcher_links(page: Path) -> list[str]:
    switcher = re.search(r'<nav class="bilingual-switcher".*?</nav>', text(page), re.DOTALL)
    return re.findall(r'<a href="([^"]*)"', switcher[0]) if switcher else []


def test_the_source_project_builds_every_language(site: Path) -> None:
    env = read_the_docs("en")
    assert sphinx_build("-W", "-b", "html", ".", "_build/html", cwd=site, env=env).returncode == 0
    out = site / "_build/html"
    assert switcher_links(out / "sub/page.html") == ["../zh-cn/sub/page.html"]
    alternate = 'hreflang="zh-CN" href="https://course.example.org/en/latest/zh-cn/sub/page.html"'
    assert alternate in text(out / "zh-cn/sub/page.html")


def test_a_translation_project_builds_its_own_at_its_root(site: Path) -> None:
    env = read_the_docs("zh-cn")
    assert sphinx_build("-W", "-b", "html", ".", "_build/html", cwd=site, env=env).returncode == 0
    page = site / "_build/html/sub/page.html"
    assert "我们一起唱歌。" in text(page)
    assert switcher_links(page) == ["https://course.example.org/en/latest/sub/page.html"]
    assert not (site / "_build/html/zh-cn").exists()


def test_the_address_in_the_configuration_is_the_source_languages(site: Path) -> None:
    conf = site / "conf.py"
    conf.write_text(text(conf) + 'html_baseurl = "https://course.example.org/en/latest"\n')
    env = read_the_docs("zh-cn")
    assert sphinx_build("-W", "-b", "html", ".", "_build/html", cwd=site, env=env).returncode == 0
    page = text(site / "_build/html/sub/page.html")
    assert '<link rel="canonical" href="https://course.example.org/zh-cn/latest/sub/page.html"' in page
    assert 'hreflang="zh-CN" href="https://course.example.org/zh-cn/latest/sub/page.html"' in page
    assert 'hreflang="x-default" href="https://course.example.org/en/latest/sub/page.html"' in page


def test_linked_projects_lead_to_each_other(site: Path) -> None:
    conf = site / "conf.py"
    conf.write_text(text(conf) + 'bilingual_linked_languages = ["zh_CN"]\n')
    env = read_the_docs("en")
    assert sphinx_build("-W", "-b", "html", ".", "_build/html", cwd=site, env=env).returncode == 0
    page = site / "_build/html/sub/page.html"
    assert switcher_links(page) == ["https://course.example.org/zh-cn/latest/sub/page.html"]
    assert not (site / "_build/html/zh-cn").exists()
    # At home both are built together all the same.
    assert sphinx_build("-W", "-E", "-b", "html", ".", "_build/home", cwd=site).returncode == 0
    assert switcher_links(site / "_build/home/sub/page.html") == ["../zh-cn/sub/page.html"]


def test_a_project_in_a_language_without_pages_is_an_error(site: Path) -> None:
    result = sphinx_build("-b", "html", ".", "_build/html", cwd=site, env=read_the_docs("fr"))
    assert result.returncode == 2
    assert "Read the Docs builds this project in fr" in result.stderr


# -- catalogs --------------------------------------------------------------------------------------------


def problems(site: Path) -> list[str]:
    result = sphinx_build("-q", "-b", "html", ".", "_build/html", cwd=site)
    assert "Traceback" not in result.stderr
    return [line.replace(f"{site}/", "") for line in result.stderr.splitlines()]


def test_a_page_without_a_catalog(site: Path) -> None:
    (site / LOCALE / "sub/page.po").unlink()
    (line,) = problems(site)
    assert line.startswith(
        f"sub/page.rst:1: WARNING: [zh_CN] this page has no zh_CN catalog ({LOCALE}/sub/page.po)"
    )


def test_a_catalog_that_is_deleted_later_is_missed_in_every_build(site: Path) -> None:
    assert problems(site) == []
    (site / LOCALE / "sub/page.po").unlink()
    for _ in range(2):
        (line,) = problems(site)
        assert line.startswith("sub/page.rst:1: WARNING: [zh_CN] this page has no zh_CN catalog")
        # What was compiled from it does not live on.
        assert "我们一起唱歌" not in text(site / "_build/html/zh-cn/sub/page.html")


def test_a_compiled_catalog_without_its_source_is_named_and_kept(site: Path) -> None:
    assert problems(site) == []
    (site / LOCALE / "sub/page.po").unlink()
    # Nobody can tell whether it was compiled from something that is gone, or is all that there is.
    shutil.rmtree(site / "_build")
    lines = problems(site)
    assert any(
        line.startswith(f"{LOCALE}/sub/page.mo:1: WARNING: [zh_CN] this compiled catalog has no .po file")
        for line in lines
    )
    assert (site / LOCALE / "sub/page.mo").exists()


def test_the_fields_that_begin_a_page_are_no_texts_of_it(site: Path) -> None:
    page = site / "sub/page.rst"
    page.write_text(
        f":tocdepth: 2\n:no-search: yes\n:html_theme.one: true\n\n{text(page)}", encoding="utf-8"
    )
    assert problems(site) == []
    # Further down they are.
    edit(page, "A small picture", "A small picture\n\n:one: two")
    assert len(problems(site)) == 1


def test_a_catalog_that_comes_later_is_used(site: Path) -> None:
    catalog = site / LOCALE / "sub/page.po"
    content = text(catalog)
    catalog.unlink()
    assert len(problems(site)) == 1
    catalog.write_text(content, encoding="utf-8")
    assert problems(site) == []
    assert "我们一起唱歌" in text(site / "_build/html/zh-cn/sub/page.html")


def test_a_mistake_in_the_page_itself_is_said_once(site: Path) -> None:
    edit(site / "index.rst", "It has a formula:", "It has a formula: :doc:`/nowhere`")
    edit(site / LOCALE / "index.po", "It has a formula:", "It has a formula: :doc:`/nowhere`")
    edit(site / LOCALE / "index.po", "这里有一个公式：", "这里有一个公式：:doc:`/nowhere`")
    lines = [line for line in problems(site) if "nowhere" in line]
    assert len(lines) == 1
    assert lines[0].startswith("index.rst:9: WARNING: unknown document")


def test_a_fuzzy_entry(site: Path) -> None:
    edit(site / LOCALE / "index.po", 'msgid "Second part"', '#, fuzzy\nmsgid "Second part"')
    (line,) = problems(site)
    assert line.startswith(f"{LOCALE}/index.po:14: WARNING: [zh_CN] this translation is marked as fuzzy")
    assert "第二部分" not in text(site / "_build/html/zh-cn/index.html")


def test_an_empty_entry(site: Path) -> None:
    edit(site / LOCALE / "index.po", "第二部分", "")
    (line,) = problems(site)
    assert line.startswith(f"{LOCALE}/index.po:13: WARNING: [zh_CN] 1 of 5 messages have no translation")
    assert "“Second part”" in line


def test_a_text_that_came_after_the_catalog(site: Path) -> None:
    edit(site / "index.rst", "It has a formula:", "It has a nice formula:")
    (line,) = problems(site)
    assert line.startswith(
        "index.rst:9: WARNING: [zh_CN] 1 texts of this page are not in its zh_CN catalog"
    )
    assert "“It has a nice formula:”" in line


def test_a_catalog_whose_page_has_gone(site: Path) -> None:
    (site / LOCALE / "sub/page.po").rename(site / LOCALE / "sub/gone.po")
    lines = problems(site)
    assert len(lines) == 2  # the page has none, and this one has no page
    assert any(
        line.startswith(
            f"{LOCALE}/sub/gone.po:1: WARNING: [zh_CN] this catalog belongs to no page any more"
        )
        for line in lines
    )


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('msgstr "第二部分"', 'msgstr 第二部分"', 14),
        ('msgid "Second part"', 'msgit "Second part"', 13),
        ('msgstr "第二部分"', 'msgstr "第二部分', 14),
    ],
)
def test_a_broken_catalog(site: Path, old: str, new: str, line: int) -> None:
    edit(site / LOCALE / "index.po", old, new)
    result = sphinx_build("-q", "-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode != 0
    first = result.stderr.splitlines()[0].replace(f"{site}/", "")
    assert first.startswith(f"{LOCALE}/index.po:{line}: ERROR: [zh_CN] ")
    assert "Traceback" not in result.stderr
    # The source language is there, and the broken one is not half there.
    assert (site / "_build/html/index.html").is_file()
    assert not (site / "_build/html/zh-cn/index.html").exists()


def test_a_catalog_in_another_encoding(site: Path) -> None:
    path = site / LOCALE / "index.po"
    path.write_bytes(text(path).encode("gb18030"))
    result = sphinx_build("-q", "-b", "html", ".", "_build/html", cwd=site)
    assert result.returncode != 0
    assert "index.po:8: ERROR: [zh_CN] this is not UTF-8" in result.stderr
