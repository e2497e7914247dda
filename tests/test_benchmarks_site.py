"""The benchmark of whole builds: its sites can be built, it measures and says what it should."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import made_up, report, site
from benchmarks.site import Check, Competitor, Cost, Measured, Result
from edukit import catalogs

ROOT = Path(__file__).resolve().parent.parent


# -- the sites ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", made_up.KINDS)
def test_pages_are_the_same_each_time_and_read_like_pages(kind):
    first, second = (list(made_up.pages(kind, 30)) for _ in range(2))
    assert first == second
    assert len({page.title.en for page in first}) == 30
    for page in first:
        for text in page.messages:
            assert text.en[0].isupper() or text.en[0] in "[*`"
            assert re.search("[\u4e00-\u9fff]", text.zh)
            # The same markup in both languages.
            for sign in ("**", "`", "$", "](", "{ref}", "[^"):
                assert text.en.count(sign) == text.zh.count(sign)
            assert not re.search(r"  | [，。：？]|[，。：？] ", text.zh)


def test_the_rich_site_has_as_many_messages_as_is_said():
    found = list(made_up.pages("rich", 20))
    messages = sum(len(list(page.messages)) for page in found) / 20
    assert messages * (200 - made_up.SECTIONS - 1) == pytest.approx(13_600, rel=0.01)


def test_a_site_is_whole_in_both_languages(tmp_path):
    """With ``-W``: a message that the catalogs lack, a link to nowhere, or broken markup fails it."""
    messages = made_up.write_sphinx(
        tmp_path / "rich",
        "rich",
        21,
        theme="basic",
        extensions=["edukit.sphinxext.bilingual", "myst_parser"],
    )
    held = [catalogs.read(path) for path in (tmp_path / "rich/locale").rglob("*.po")]
    assert sum(len(one.messages) for one in held) == messages
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-n", tmp_path / "rich", tmp_path / "out"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    for name in ["part1/page0", "part10/page9"]:
        assert (tmp_path / f"out/{name}.html").is_file()
        chinese = (tmp_path / f"out/zh-cn/{name}.html").read_text(encoding="utf-8")
        assert 'class="footnote' in chinese
        assert "<table" in chinese
        assert not re.search(r"\*\*|\]\(|\{ref\}", chinese.partition("<body")[2])


def test_mkdocs_gets_the_same_text(tmp_path):
    made_up.write_mkdocs(tmp_path, "plain", 25)
    pages = {page.name: page for page in made_up.pages("plain", 14)}
    nav = (tmp_path / "mkdocs.yml").read_text(encoding="utf-8")
    for name, page in pages.items():
        assert f"- {name}.md\n" in nav
        for language in ["en", "zh"]:
            assert (tmp_path / f"docs/{name}.{language}.md").read_text(encoding="utf-8") == page.text(
                language
            )
    assert len(list(tmp_path.rglob("*.md"))) == 2 * 25
    made_up.write_mkdocs(tmp_path / "one", "plain", 25, translated=False)
    assert len(list((tmp_path / "one").rglob("*.md"))) == 25


# -- measuring ------------------------------------------------------------------------------------------


def test_a_build_is_measured_with_its_children(tmp_path):
    busy = (
        "import subprocess, sys, time\n"
        "held = bytearray(80_000_000)\n"
        "if sys.argv[1:]: subprocess.run([sys.executable, __file__])\n"
        "while time.process_time() < 0.2: pass\n"
    )
    (tmp_path / "busy.py").write_text(busy)
    one, two = (site.run([sys.executable, "busy.py", *more], tmp_path) for more in ([], ["with one more"]))
    assert 0.2 <= one.processor < two.processor
    assert two.processor >= 0.4
    if sys.platform == "linux":
        assert one.memory > 80
        assert two.memory > 160


def test_a_build_that_fails_is_said(tmp_path):
    with pytest.raises(SystemExit, match=r"(?s)failed:.*no such theme"):
        site.run([sys.executable, "-c", "raise SystemExit('no such theme')"], tmp_path)


def test_competitors_take_turns_and_slow_ones_only_once():
    calls = []

    def builder(name, clock):
        return lambda: (calls.append(name), Cost(clock * (1 + calls.count(name)), 1, 1))[1]

    results = site.take_turns(
        [
            Competitor("a", builder("a", 1)),
            Competitor("slow", builder("slow", 10), once=True),
            Competitor("b", builder("b", 3)),
        ],
        rounds=3,
    )
    assert "".join(name[0] for name in calls) == "asb" + "ba" + "ab"
    a, slow, b = results
    assert b.ratios(a, "clock") == [3, 3, 3]
    assert slow.ratios(a, "clock") == [10]
    assert site.build_rows(results, "a", "clock")[1:] == [
        ["a", "3.0", "1.00", "1", "1.00", "1.00–1.00"],
        ["slow", "20.0", "1.00", "1", "10.0", ""],
        ["b", "9.0", "1.00", "1", "3.0", "3.0–3.0"],
    ]


def test_a_tiny_run_measures_and_can_fail(tmp_path):
    command = [sys.executable, ROOT / "benchmarks/site.py", "--quick", "--only", "growth", "--assert"]
    done = subprocess.run(
        [*command, "--bound=linear=1e9", "--bound=memory=1"],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert re.search(r"\ngrowth\n  pages +clock, s .*\n  21 .*\n  31 ", done.stdout), done.stderr
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("missed: memory with 31 pages, MB: ")
    assert line.endswith("at most 1")


@pytest.mark.parametrize(
    "given", [["--bound=speed=1"], ["--quick", "--write"], ["make", "rich", "20", "x"]]
)
def test_wrong_use(given, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["site.py", *given])
    with pytest.raises(SystemExit, match="2"):
        site.main()
    assert "error" in capsys.readouterr().err


# -- what is written ------------------------------------------------------------------------------------


@pytest.fixture
def copies(tmp_path, monkeypatch):
    """Let the benchmark write into copies of the page, its catalog, its figure and its record."""
    monkeypatch.setattr(site, "ROOT", tmp_path)
    for name in ("PAGE", "CATALOG", "FIGURE", "RECORD"):
        original = getattr(site, name)
        copy = tmp_path / original.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if original.is_file():
            shutil.copy(original, copy)
        monkeypatch.setattr(site, name, copy)
    return tmp_path


def test_a_part_is_written_and_the_others_stay(copies):
    before = json.loads(site.RECORD.read_text(encoding="utf-8"))
    costs = {
        100: Cost(4, 7.5, 150),
        1000: Cost(30, 62, 270),
        300: Cost(9, 19, 180),
        3000: Cost(99, 187, 640),
    }
    checks = [Check("memory with 3,000 pages, MB", "memory", 640)]
    for _ in range(2):  # writing the same again changes nothing
        site.record({"growth": Measured(site.growth_rows(costs), checks, costs)}, site.RECORD)
        site.write(site.RECORD)
        page = site.PAGE.read_text(encoding="utf-8")
        assert "| 3,000 | 99.0 | 187 | 62.3 | 640 |\n" in page
        assert "| memory with 3,000 pages, MB | 640 | 1500 |\n" in page
        for row in before["rich"]["table"][1:]:
            assert f"| {' | '.join(row)} |".replace("|  |", "| |") in page
        after = {message.id: message.string for message in catalogs.read(site.CATALOG).messages}
        assert after["187"] == "187"
    for path in [site.FIGURE, site.FIGURE.with_suffix(".zh_CN.svg")]:
        drawing = path.read_text(encoding="utf-8")
        assert drawing.count("<circle") == 2 * len(costs)
        assert "3,000</text>" in drawing
        for way in re.findall(r'<path d="M([^"]*L[^"]*)"', drawing):
            across = [float(point.split()[0]) for point in way.split("L")]
            assert across == sorted(across)
    assert "秒" in drawing


def test_the_page_shows_the_record():
    kept = json.loads(site.RECORD.read_text(encoding="utf-8"))
    page = site.PAGE.read_text(encoding="utf-8")
    assert set(kept) == {*site.PARTS, "measured"}
    for part in site.PARTS:
        shown = page.partition(f"% table {part}\n")[2].partition("% end")[0]
        assert len(re.findall(r"^\| ", shown, re.MULTILINE)) == len(kept[part]["table"]) + 1
        for check in kept[part]["promises"]:
            assert (
                f"| {check['name']} | {site.short(check['value'])} | {site.BOUNDS[check['promise']]:g} |"
                in page
            )


def test_a_page_without_a_place_is_said(tmp_path):
    page = tmp_path / "speed.md"
    page.write_text("nothing\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"speed\.md has no place .* % table rich"):
        report.write_table(page, "rich", site.build_rows([Result("a", [Cost(1, 1, 1)])], "a", "clock"))


def test_texts_are_compared_without_what_edukit_adds(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(
        '<html><head><title>T</title></head><body class="x"><nav class="bilingual-switcher">'
        "<a>中文</a></nav>"
        '<p>A &amp;\n<b>b</b></p><span class="bilingual-mark"><span>EN</span><span> (no)</span></span>'
        "<script>var x;</script></body></html>",
        encoding="utf-8",
    )
    assert site._text(page) == "A & b"
    assert site._text(tmp_path / "none.html") == ""
