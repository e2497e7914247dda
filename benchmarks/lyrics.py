"""How long a song takes: to be read and proofread from a cold start, and to be annotated.

    python benchmarks/lyrics.py [--assert]

It prints, beside the bound of each: the seconds in which a new Python loads a song of 200 lines, with
pinyin or in English, and proofreads it; and how many times as long as pypinyin's own conversion the
annotation of a long text takes. Times are processor time, which other work on the computer hardly
changes. ``--assert`` exits with status 1 when a bound is missed.
"""

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

BOUNDS = {"cold, Chinese": 1.0, "cold, English": 1.0, "annotation": 4 / 3}
LINES = 200

_CHINESE = [
    ("小草在风里长大", "xiao cao zai feng li zhang da", "The grass grows tall in the wind"),
    ("我们牵着手唱歌", "wo men qian zhe shou chang ge", "We sing and hold each other’s hands"),
    ("月亮照着静静的河", "yue liang zhao zhe jing jing de he", "The moon shines on a quiet river"),
    ("种下一颗绿色的梦", "zhong xia yi ke lv se de meng", "We plant a dream as green as leaves"),
    ("星星数也数不清", "xing xing shu ye shu bu qing", "No one can count the stars above"),
]
_SECONDS = """
import resource
from edukit.lyrics import load, proofread
song = load({path!r})
findings = proofread(song)
usage = resource.getrusage(resource.RUSAGE_SELF)
print(usage.ru_utime + usage.ru_stime, len(song.lines), len(findings))
"""


def song(language: str, lines: int = LINES) -> str:
    """Return a song file with a mistake on every tenth line."""
    rows = [f"[la:{'zh-Hans' if language == 'Chinese' else 'en'}]"]
    for number in range(lines):
        text, reading, translation = _CHINESE[number % len(_CHINESE)]
        stamp = f"[{number // 15:02}:{number % 15 * 4:02}.00]"
        if language == "English":
            wrong = translation.replace("the", "teh") if number % 10 == 0 else translation
            rows += [f"{stamp}{wrong}", f"{stamp}{text}"]
        else:
            wrong = reading.rpartition(" ")[0] if number % 10 == 0 else reading
            rows += [f"{stamp}{text}", f"{stamp}{wrong}", f"{stamp}{translation}"]
    return "\n".join(rows) + "\n"


def cold(language: str, rounds: int, lines: int = LINES) -> float:
    """Return the seconds that a new Python takes to load and proofread a song."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "song.lrc"
        path.write_text(song(language, lines), encoding="utf-8")
        seconds = []
        for _ in range(rounds):
            command = [sys.executable, "-c", _SECONDS.format(path=str(path))]
            done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
            taken, read, found = done.stdout.split()
            if int(read) != lines or int(found) < lines // 10:
                raise SystemExit(f"the song was not read as it should be: {done.stdout}")
            seconds.append(float(taken))
    return statistics.median(seconds)


def annotation(rounds: int, characters: int) -> float:
    """Return how many times as long as pypinyin alone the annotation of a long text takes."""
    import pypinyin

    from edukit.lyrics import Line, read_aloud

    chance = random.Random(6)
    lines = [text for text, _, _ in _CHINESE]
    text = ""
    while len(text) < characters:
        text += chance.choice(lines) + chance.choice("，。！")
    line = Line(text)

    def alone() -> object:
        return pypinyin.lazy_pinyin(text, style=pypinyin.Style.TONE, v_to_u=True)

    def ours() -> object:
        return read_aloud(line)

    ratios = []
    for number in range(rounds + 1):
        # They take turns, and who begins changes, so that a slow moment meets both.
        pair: list[Callable[[], object]] = [alone, ours] if number % 2 else [ours, alone]
        taken = {call: _seconds(call) for call in pair}
        if number:  # the first only warms up
            ratios.append(taken[ours] / taken[alone])
    return statistics.median(ratios)


def _seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure how long a song takes.")
    parser.add_argument("--assert", action="store_true", dest="asserts", help="fail when a bound is missed")
    parser.add_argument("--small", action="store_true", help="a short run, to see that it works")
    options = parser.parse_args()
    rounds, lines, characters = (1, 20, 2_000) if options.small else (7, LINES, 60_000)
    measured = {
        "cold, Chinese": cold("Chinese", rounds, lines),
        "cold, English": cold("English", rounds, lines),
        "annotation": annotation(rounds, characters),
    }
    units = {"annotation": "times pypinyin"}
    missed = []
    for name, value in measured.items():
        bound = BOUNDS[name]
        print(f"{name:14} {value:6.2f} {units.get(name, 's'):14} at most {bound:.2f}")
        if value > bound:
            missed.append(name)
    if options.asserts and missed:
        print(f"missed: {', '.join(missed)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
