"""What the guide tells its readers to type does what the guide says."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from edukit import catalogs, lyrics
from edukit.scratch.grading import load_rubric
from tests.conftest import sphinx_build

ROOT = Path(__file__).resolve().parent.parent
BLOCKS = re.findall(
    r"^```(\w+)\n(.*?)^```$",
    (ROOT / "docs" / "guide" / "index.md").read_text(encoding="utf-8"),
    re.DOTALL | re.MULTILINE,
)


def block(beginning: str) -> str:
    [found] = [text for _, text in BLOCKS if text.startswith(beginning)]
    return str(found)


def test_the_page_is_a_page(copy_site: Callable[[str], Path], tmp_path: Path) -> None:
    site = copy_site("provenance")
    (site / "conf.py").open("a", encoding="utf-8").write('myst_enable_extensions = ["colon_fence"]\n')
    for other in ["plain.md", "old.rst"]:
        (site / other).write_text(":orphan:\n" if other.endswith("rst") else "", encoding="utf-8")
    (site / "waves").mkdir()
    (site / "waves" / "page.md").write_text(block("---\nprovenance:"), encoding="utf-8")
    sphinx_build("-q", site, tmp_path / "out", cwd=tmp_path)
    html = (tmp_path / "out" / "waves" / "page.html").read_text(encoding="utf-8")
    assert "<em>stressed</em> or <strong>heavy</strong>" in html
    assert 'class="admonition note"' in html
    assert 'href="../index.html"' in html
    assert "Attention Is All You Need</a>" in html.partition("edukit-provenance")[2]


def test_the_catalog_is_a_catalog(tmp_path: Path) -> None:
    path = tmp_path / "page.po"
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    path.write_text(header + block("msgid"), encoding="utf-8")
    [message] = catalogs.read(path).messages
    assert message.id in block("---\nprovenance:")
    assert re.findall(r"\*+", message.id) == re.findall(r"\*+", message.string)


def test_the_song_is_a_song(tmp_path: Path) -> None:
    path = tmp_path / "song.lrc"
    path.write_text(block("[ti:"), encoding="utf-8")
    song = lyrics.load(path)
    assert song.findings == ()
    [line] = song.lines
    assert line.reading
    assert line.translation
    whole = (ROOT / "docs" / "songs" / "a-garden-of-words.lrc").read_text(encoding="utf-8")
    assert line.text in whole
    assert line.translation in whole


def test_the_script_draws(tmp_path: Path) -> None:
    script = tmp_path / "plot_waves.py"
    script.write_text(block('"""\nTwo waves'), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning:__main__", script],
        env=os.environ | {"MPLBACKEND": "agg", "EDUKIT_LANGUAGE": "en"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_other_script_exists() -> None:
    [name] = re.findall(r"examples/\S+\.py", block("EDUKIT_LANGUAGE=zh_CN"))
    assert (ROOT / name).is_file()


@pytest.mark.parametrize("task", ["html", "test", "serve", "catalogs"])
def test_make_knows_the_command(task: str) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "dev.py", "help"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert re.search(rf"^  {task}\b", done.stdout, re.MULTILINE)


def test_the_formulas_are_formulas(tmp_path: Path) -> None:
    own = 'extensions = ["myst_parser", "edukit.sphinxext.mathml"]\n'
    own += 'myst_enable_extensions = ["amsmath", "dollarmath"]\n'
    (tmp_path / "conf.py").write_text(own + block("edukit_math_macros"), encoding="utf-8")
    (tmp_path / "index.md").write_text("# Title\n\n" + block("The length of"), encoding="utf-8")
    done = sphinx_build("-q", "-W", "-n", ".", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert html.count("<math") == 3
    assert 'href="#equation-norm">(1)</a>' in html
    assert 'id="equation-eq-sum"' in html


def test_the_two_languages_alone(copy_site: Callable[[str], Path], tmp_path: Path) -> None:
    site = copy_site("provenance")
    own = 'extensions.append("myst_parser")\nlocale_dirs = ["locale"]\n'
    (site / "conf.py").write_text(block("extensions = ") + own, encoding="utf-8")
    sphinx_build("-q", site, tmp_path / "out", cwd=tmp_path)
    assert (tmp_path / "out" / "index.html").is_file()
    assert (tmp_path / "out" / "zh-cn" / "index.html").is_file()


CLAIMS = re.findall(
    r"^(`{3,})(\w+)\n(.*?)^\1$",
    (ROOT / "docs" / "guide" / "claims.md").read_text(encoding="utf-8"),
    re.DOTALL | re.MULTILINE,
)


def test_the_measurements_are_cited_and_decide_the_claim(
    copy_site: Callable[[str], Path], tmp_path: Path
) -> None:
    measuring, citing, claiming, *_ = [text for _, _, text in CLAIMS]
    site = copy_site("claims")
    shutil.rmtree(site / "docs")
    (site / "examples" / "plot_heights.py").write_text(measuring, encoding="utf-8")
    (site / "docs").mkdir()
    (site / "docs" / "index.md").write_text(
        f"# Tables\n\n{citing}\n{claiming}\n```{{ledger}} 4\n```\n\n```{{toctree}}\ngallery/index\n```\n",
        encoding="utf-8",
    )
    result = sphinx_build("-q", "-W", "-n", "-c", ".", "docs", tmp_path / "out", cwd=site)
    assert result.returncode == 0, result.stderr
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    text = re.sub("<[^>]*>", "", html)
    assert "The table is 1.2 m long. The rulers differ by 0.4% of a metre." in text
    assert text.count("Every table is one metre long.") == 2


def test_the_questions_are_questions(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "guide" / "quiz.md").read_text(encoding="utf-8")
    questions = re.findall(r"^````text\n(.*?)^````$", text, re.DOTALL | re.MULTILINE)
    (tmp_path / "conf.py").write_text(
        'extensions = ["myst_parser", "edukit.sphinxext.quiz"]\n'
        'myst_enable_extensions = ["deflist", "dollarmath"]\n',
        encoding="utf-8",
    )
    (tmp_path / "index.md").write_text("# Questions\n\n" + "\n".join(questions), encoding="utf-8")
    result = sphinx_build("-q", "-W", "-n", ".", tmp_path / "out", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert re.findall('class="edukit-quiz edukit-quiz-([a-z]+)"', html) == [
        "one",
        "number",
        "text",
        "match",
        "order",
    ]


def test_the_rubric_is_a_rubric(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "guide" / "scratch.md").read_text(encoding="utf-8")
    [text] = re.findall(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    path = tmp_path / "quiz.toml"
    path.write_text(text, encoding="utf-8")
    rubric = load_rubric(path)
    assert [item.points for item in rubric.items] == [1, 2]
