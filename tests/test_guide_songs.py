"""What the guide says of a lesson with a song is so: its files, its page, its tune, its commands."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from edukit import cli, lyrics
from edukit.sphinxext.song.jianpu import read_melody
from tests.conftest import sphinx_build

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "guide" / "songs.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\{code-block\} (\w+)\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)


def blocks(language: str, beginning: str = "") -> list[str]:
    return [text for lang, text in BLOCKS if lang == language and text.startswith(beginning)]


@pytest.mark.parametrize(("at", "language", "reading"), [(0, "en", False), (1, "zh_CN", True)])
def test_the_files_are_read(tmp_path: Path, at: int, language: str, reading: bool) -> None:
    path = tmp_path / "my-song.txt"
    path.write_text(blocks("text", "title:")[at], encoding="utf-8")
    song = lyrics.load(path)
    assert song.findings == ()
    assert song.language == language
    assert song.title
    assert len(song.lines) == 2
    for line in song.lines:
        assert line.reading if reading else line.translation
        assert not (line.translation if reading else line.reading)


def test_the_pinyin_of_the_guide_is_right(tmp_path: Path) -> None:
    path = tmp_path / "my-song.txt"
    path.write_text(blocks("text", "title:")[1], encoding="utf-8")
    codes = {finding.code for finding in lyrics.proofread(lyrics.load(path))}
    assert codes == {"no-translation"}


def test_the_commands_run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    (tmp_path / "my-song.txt").write_text(blocks("text", "title:")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"edukit (lyrics \w+ my-song\.txt)", GUIDE)
    assert {command.split()[1] for command in commands} == {"proofread", "show", "anki", "prepare"}
    for command in commands:
        assert cli.main(command.split()) == 0, capsys.readouterr()
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".apkg", ".json", ".txt"]


def test_the_tune_fits_the_lines() -> None:
    [notation] = blocks("text", "1=C")
    assert len(read_melody(notation, [7, 7]).notes) == 14


def test_the_page_is_built(tmp_path: Path, copy_site: Callable[[str], Path]) -> None:
    site = copy_site("song")
    for name in site.glob("*.md"):
        name.unlink()
    song = blocks("text", "title:")[0].replace("language: en\n", "language: en\nrights: own, CC BY 4.0\n")
    (site / "my-song.txt").write_text(song, encoding="utf-8")
    page, words, notes = blocks("markdown")
    page = page.replace(":::{song} my-song.txt\n:::\n", notes) + words.replace("; 8", "; 1").replace(
        "; 4", "; 2"
    )
    (site / "index.md").write_text(page, encoding="utf-8")
    result = sphinx_build("-q", "-b", "html", site, tmp_path / "out", cwd=tmp_path)
    assert "song-note" not in result.stderr
    assert "this note is about" not in result.stderr
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "picture</em> can be painted" in html
    assert ">huāyuán</p>" in html
    assert 'id="line-2"' in html
