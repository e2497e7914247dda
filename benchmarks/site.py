"""What a second language costs: whole builds of made-up sites, paired, with Sphinx alone and MkDocs beside.

    python benchmarks/site.py                      measure and print (about 11 minutes on two quiet cores)
    python benchmarks/site.py --only rich          only some of: rich, plain, growth, edits, real
    python benchmarks/site.py --quick              tiny sites, once: does it run?
    python benchmarks/site.py --assert             and exit with 1 when a bound is missed
    python benchmarks/site.py --write              and write site.json, docs/guide/speed.md and its figure
    python benchmarks/site.py make rich 200 DIR    only write a made-up site (plain, mkdocs as well)

Every build is a process of its own, on one core (no ``-j``) but for the second language, which edukit
builds in a child process. What is compared takes turns, each once a round, and a ratio compares two
builds of one round. Processor time is user and system time of the process and all its children; memory is
the sum of the peaks (``VmHWM``) of all processes that ran at a time, so it may be a little too much.

- rich: 200 MyST pages, about 13,600 messages, all translated.
- plain: 600 pages of headings and paragraphs, and the same text for mkdocs-material with
  mkdocs-static-i18n, both with their search. MkDocs and its plugins are installed once, in fixed versions,
  into an environment of their own in the user's cache; ``--peer-python`` names another one.
- growth: plain sites of 100 to 3,000 pages in both languages.
- edits: a plain site of 1,000 pages in both languages, built again after nothing, one page or one message
  has changed.
- real: the documentation of aqtinstall, which has Japanese catalogs, from its source distribution.
"""

import argparse
import datetime
import html
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)

from benchmarks import made_up, report  # noqa: E402  # found by the path above

PAGE = ROOT / "docs/guide/speed.md"
CATALOG = ROOT / "docs/locale/zh_CN/LC_MESSAGES/guide/speed.po"
RECORD = ROOT / "benchmarks/site.json"
FIGURE = ROOT / "docs/guide/pictures/growth.svg"

PEER = ("mkdocs==1.6.1", "mkdocs-material==9.8.2", "mkdocs-static-i18n==1.3.1", "jieba==0.42.1")

OURS = (
    "edukit.sphinxext.bilingual",
    "myst_parser",
    "edukit.sphinxext.search",
    "edukit.sphinxext.navigation",
)
STOCK = ("myst_parser",)
ONE = ("-D", "bilingual_languages=")
TRANSLATED = (*ONE, "-D", f"language={made_up.LANGUAGE}")

# The promises: each is at most this.
BOUNDS = {
    "translated": 1.5,  # processor time of the translated build over that of the source language
    "both": 1.5,  # time by the clock of both languages over that of the source language
    "peer": 1.0,  # time by the clock of both languages over that of MkDocs
    "linear": 1.25,  # time of a page on the largest site over that on the second largest
    "memory": 1500,  # megabytes, on the largest site
    "nothing": 0.1,  # time by the clock after an edit over that of the whole build
    "page": 0.1,
    "message": 0.1,
}


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many pages the sites have, and how often builds are paired."""

    rich: int
    plain: int
    growth: tuple[int, ...]
    edits: int
    rounds: int


LARGE = Sizes(200, 600, (100, 300, 1000, 3000), 1000, 3)
TINY = Sizes(21, 21, (21, 31), 21, 1)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one build took: seconds by the clock and of the processor, megabytes at the peak."""

    clock: float
    processor: float
    memory: float


@dataclass(frozen=True, slots=True)
class Competitor:
    """A build that is measured; a slow one only in the first round."""

    name: str
    build: Callable[[], Cost]
    once: bool = False


@dataclass(slots=True)
class Result:
    """The builds of one competitor, round by round."""

    name: str
    costs: list[Cost] = field(default_factory=list)

    def seconds(self, what: str) -> float:
        """Return the median of ``clock`` or ``processor``."""
        return median(getattr(cost, what) for cost in self.costs)

    def ratios(self, floor: "Result", what: str) -> list[float]:
        """Return the ratio to another competitor in each round that both have run in."""
        pairs = zip(self.costs, floor.costs, strict=False)
        return [getattr(cost, what) / getattr(base, what) for cost, base in pairs]


@dataclass(frozen=True, slots=True)
class Check:
    """A promise as it was measured."""

    name: str
    promise: str
    value: float


# -- measuring --------------------------------------------------------------------------------------------


def run(command: Sequence[object], folder: Path, **environment: str) -> Cost:
    """Run a build and measure it; a failed one ends the benchmark with what it said."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env=os.environ | environment,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        with watched_memory(process.pid) as peak:
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        clock = time.perf_counter() - start
        if process.returncode:
            said.seek(0)
            sys.exit(f"{' '.join(map(str, command))} failed:\n{said.read()[-2000:]}")
    memory = peak[0] or usage.ru_maxrss / 1024
    return Cost(clock, usage.ru_utime + usage.ru_stime, memory)


@contextmanager
def watched_memory(pid: int) -> Iterator[list[float]]:
    """Watch the memory of a process and its children; without ``/proc`` nothing is seen."""
    peak = [0.0]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.1):
            peak[0] = max(peak[0], sum(map(_memory, _family(pid))))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        ended.set()
        watcher.join()


def _family(pid: int) -> list[int]:
    family = [pid]
    for parent in family:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            with suppress(OSError):  # it has just ended
                family += [int(child) for child in children.read_text().split()]
    return family


def _memory(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(peak[1]) / 1024 if peak else 0


def take_turns(competitors: Sequence[Competitor], rounds: int) -> list[Result]:
    """Build with every competitor once a round, every other round in the opposite order."""
    results = {one.name: Result(one.name) for one in competitors}
    for number in range(rounds):
        taking_part = [one for one in competitors if number == 0 or not one.once]
        for one in taking_part[:: -1 if number % 2 else 1]:
            results[one.name].costs.append(one.build())
    return list(results.values())


def sphinx(source: Path, out: Path, *options: str) -> Callable[[], Cost]:
    """Return a build of a site with Sphinx, from nothing."""

    def build() -> Cost:
        shutil.rmtree(out, ignore_errors=True)
        # Compiled catalogs lie beside their sources.
        for compiled in source.rglob("*.mo"):
            compiled.unlink()
        return again(source, out, *options)()

    return build


def again(source: Path, out: Path, *options: str) -> Callable[[], Cost]:
    """Return a build of a site that goes on from what is there."""
    return lambda: run([sys.executable, "-m", "sphinx", "-q", *options, source, out], source)


def mkdocs(python: Path, source: Path) -> Callable[[], Cost]:
    """Return a build of a site with MkDocs, from nothing."""

    def build() -> Cost:
        shutil.rmtree(source / "site", ignore_errors=True)
        command = [python, "-m", "mkdocs", "build", "--quiet", "--strict"]
        return run(command, source, NO_MKDOCS_2_WARNING="1")

    return build


# -- the sites --------------------------------------------------------------------------------------------


def side_by_side() -> bool:
    """Whether translated pages hold the source text as well."""
    return (ROOT / "src/edukit/sphinxext/bilingual/sides.py").is_file()


def measure_rich(folder: Path, sizes: Sizes) -> list[Result]:
    ours, stock = folder / "rich", folder / "rich-stock"
    made_up.write_sphinx(ours, "rich", sizes.rich, extensions=OURS)
    made_up.write_sphinx(stock, "rich", sizes.rich, extensions=STOCK, conf="")
    out = folder / "out"
    competitors = [
        Competitor("edukit, English", sphinx(ours, out, *ONE)),
        Competitor("edukit, Chinese", sphinx(ours, out, *TRANSLATED)),
        Competitor("edukit, both languages", sphinx(ours, out)),
        Competitor("Sphinx, English", sphinx(stock, out), once=True),
        Competitor("Sphinx, Chinese", sphinx(stock, out, "-D", f"language={made_up.LANGUAGE}"), once=True),
    ]
    if side_by_side():
        alone = sphinx(ours, out, *TRANSLATED, "-D", "bilingual_side_by_side=0")
        competitors.insert(2, Competitor("edukit, Chinese, not side by side", alone))
    return take_turns(competitors, sizes.rounds)


def measure_plain(folder: Path, sizes: Sizes, peer: Path) -> list[Result]:
    ours, stock, theirs = folder / "plain", folder / "plain-stock", folder / "plain-mkdocs"
    made_up.write_sphinx(ours, "plain", sizes.plain, extensions=OURS)
    made_up.write_sphinx(stock, "plain", sizes.plain, extensions=STOCK, conf="")
    made_up.write_mkdocs(theirs, "plain", sizes.plain)
    made_up.write_mkdocs(folder / "plain-mkdocs-en", "plain", sizes.plain, translated=False)
    out = folder / "out"
    translated = sphinx(stock, folder / "out-zh", "-D", f"language={made_up.LANGUAGE}")

    def one_after_the_other() -> Cost:
        first, second = sphinx(stock, out)(), translated()
        return Cost(
            first.clock + second.clock,
            first.processor + second.processor,
            max(first.memory, second.memory),
        )

    return take_turns(
        [
            Competitor("MkDocs, both languages", mkdocs(peer, theirs)),
            Competitor("edukit, both languages", sphinx(ours, out)),
            Competitor("MkDocs, English", mkdocs(peer, folder / "plain-mkdocs-en"), once=True),
            Competitor("edukit, English", sphinx(ours, out, *ONE), once=True),
            Competitor("Sphinx, both languages", one_after_the_other, once=True),
        ],
        sizes.rounds,
    )


def measure_growth(folder: Path, sizes: Sizes) -> dict[int, Cost]:
    costs = {}
    for count in sizes.growth:
        made_up.write_sphinx(folder / f"plain{count}", "plain", count, extensions=OURS)
        costs[count] = sphinx(folder / f"plain{count}", folder / "out")()
        shutil.rmtree(folder / f"plain{count}")
    return costs


def measure_edits(folder: Path, sizes: Sizes) -> list[Result]:
    source, out = folder / "edits", folder / "out-edits"
    made_up.write_sphinx(source, "plain", sizes.edits, extensions=OURS)
    whole = Result("everything", [sphinx(source, out)()])
    page = next(source.glob("part2/page*.md"))
    catalog = next(source.glob("locale/*/LC_MESSAGES/part3/page*.po"))
    edits = {
        "nothing": lambda: None,
        "one page": lambda: _replace(page, "\n\n", "\n\nOne sentence more.\n\n"),
        "one message": lambda: _replace(catalog, "。", "！"),
    }
    results = [whole]
    for name, edit in edits.items():
        result = Result(f"after {name} has changed")
        for _ in range(sizes.rounds):
            edit()
            result.costs.append(again(source, out)())
        results.append(result)
    return results


def _replace(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")


# -- a project that others have written -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Project:
    """Documentation with catalogs in a source distribution, and what it needs to be built."""

    name: str
    version: str
    docs: str
    language: str
    needs: tuple[str, ...]
    extensions: tuple[str, ...]  # without what they need, which is Sphinx


REAL = Project(
    "aqtinstall",
    "3.3.0",
    "docs",
    "ja",
    ("defusedxml", "humanize", "patch-ng", "py7zr", "requests", "semantic-version", "texttable"),
    ("sphinx-rtd-theme==3.1.0", "sphinxcontrib-jquery==4.1"),
)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came out of it: costs, and the pages that differ from Sphinx's own, by what differs."""

    pages: int
    messages: int
    stock: Cost
    ours: Cost
    both: Cost
    warnings: tuple[int, int]  # Sphinx's own, ours
    same: int
    text: tuple[str, ...]  # pages whose text differs


def try_real(folder: Path, project: Project) -> Trial:
    """Build a real project's documentation in its other language, with Sphinx alone and with edukit."""
    packages = _cache(f"{project.name}-{project.version}")
    archive = next(packages.glob("*.tar.gz"), None)
    if archive is None:
        pip = [sys.executable, "-m", "pip", "-q"]
        exact = f"{project.name}=={project.version}"
        subprocess.run(
            [*pip, "download", "--no-deps", "--no-binary", project.name, "-d", packages, exact], check=True
        )
        into = [*pip, "install", "--target", packages / "site"]
        subprocess.run([*into, *project.needs], check=True)
        subprocess.run([*into, "--no-deps", *project.extensions], check=True)
        archive = next(packages.glob("*.tar.gz"))
    with tarfile.open(archive) as tar:
        tar.extractall(folder / "real", filter="data")
    source = next((folder / "real").iterdir()) / project.docs
    path = os.pathsep.join([str(packages / "site"), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep)
    # In Sphinx 9.0 the default role of one page goes on in the next, and stops the build there.
    language = ("-D", f"language={project.language}", "-D", "default_role=emphasis")

    def build(out: str, *options: str) -> tuple[Cost, int]:
        warnings = folder / f"{out}.warnings"
        command = [sys.executable, "-m", "sphinx", "-q", "-w", warnings, *options, source, folder / out]
        cost = run(command, source, PYTHONPATH=path)
        return cost, sum("WARNING" in line or "ERROR" in line for line in warnings.open(encoding="utf-8"))

    stock, stock_warnings = build("real-stock", *language)
    conf = source / "conf.py"
    ours = (
        '\nextensions.insert(0, "edukit.sphinxext.bilingual")\n'
        f'bilingual_languages = ["{project.language}"]\n'
    )
    conf.write_text(conf.read_text(encoding="utf-8") + ours, encoding="utf-8")
    # Without what edukit adds to the text of a page: its sources beside it.
    sides = ("-D", "bilingual_side_by_side=0") if side_by_side() else ()
    alone, own_warnings = build("real-ours", *ONE, *sides, *language)
    both, _ = build("real-both", *language[2:])
    pages = sorted(
        path.relative_to(folder / "real-stock").as_posix()
        for path in (folder / "real-stock").rglob("*.html")
    )
    same = [
        page for page in pages if _text(folder / "real-stock" / page) == _text(folder / "real-ours" / page)
    ]
    catalogs = source.glob(f"locale/{project.language}/LC_MESSAGES/**/*.po")
    return Trial(
        pages=len(pages),
        messages=sum(len(re.findall(r'^msgid "', one.read_text(), re.MULTILINE)) - 1 for one in catalogs),
        stock=stock,
        ours=alone,
        both=both,
        warnings=(stock_warnings, own_warnings),
        same=len(same),
        text=tuple(page for page in pages if page not in same),
    )


def _text(page: Path) -> str:
    """Return what a page says: the text of its body, without what edukit adds to every page."""
    if not page.is_file():
        return ""
    body = page.read_text(encoding="utf-8").partition("<body")[2]
    body = re.sub(r'<nav class="bilingual-switcher".*?</nav>', "", body, flags=re.DOTALL)
    body = re.sub(r'<span class="bilingual-mark".*?</span></span>', "", body, flags=re.DOTALL)
    body = re.sub(r"<(script|style)\b.*?</\1>", "", body, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body.partition(">")[2])).split())


def _cache(name: str) -> Path:
    """Return a folder for what is downloaded once, outside of the project."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "edukit-benchmarks" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def peer_python() -> Path:
    """Return the Python of an environment with MkDocs, which is made when it is not there."""
    folder = _cache("mkdocs-" + "-".join(one.partition("==")[2] for one in PEER))
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (folder / "made").is_file():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PEER], check=True)
        (folder / "made").touch()
    return python


# -- what is said -----------------------------------------------------------------------------------------


def short(value: float) -> str:
    """Write a number with two decimals, one, or none."""
    return f"{value:.2f}" if value < 2 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def spread(values: Sequence[float]) -> str:
    """Write the lowest and the highest of several ratios; nothing for a single one."""
    return f"{short(min(values))}–{short(max(values))}" if len(values) > 1 else ""


def build_rows(results: Sequence[Result], floor: str, what: str) -> list[list[str]]:
    """Return a table of builds with their ratio to one of them, by the clock or of the processor."""
    base = next(result for result in results if result.name == floor)
    rows = [["build", "clock, s", "processor, s", "memory, MB", "ratio", "from–to"]]
    for result in results:
        ratios = result.ratios(base, what)
        memory = f"{max(cost.memory for cost in result.costs):.0f}"
        seconds = [short(result.seconds("clock")), short(result.seconds("processor"))]
        rows.append([result.name, *seconds, memory, short(median(ratios)), spread(ratios)])
    return rows


def growth_rows(growth: dict[int, Cost]) -> list[list[str]]:
    rows = [["pages", "clock, s", "processor, s", "processor, ms a page", "memory, MB"]]
    return rows + [
        [
            f"{count:,}",
            short(cost.clock),
            short(cost.processor),
            short(1000 * cost.processor / count),
            f"{cost.memory:.0f}",
        ]
        for count, cost in growth.items()
    ]


def real_rows(project: Project, trial: Trial) -> list[list[str]]:
    by_stock = trial.ours.processor / trial.stock.processor
    numbers = {
        "pages of HTML": str(trial.pages),
        "messages in its catalogs": str(trial.messages),
        "warnings of Sphinx alone": str(trial.warnings[0]),
        "warnings with edukit": str(trial.warnings[1]),
        "pages that say the same with both": str(trial.same),
        "pages whose text differs": str(len(trial.text)),
        "processor time with edukit over Sphinx alone": short(by_stock),
        "both languages by the clock over Sphinx alone, one language": short(
            trial.both.clock / trial.stock.clock
        ),
    }
    return [[f"{project.name} {project.version}", "number"], *map(list, numbers.items())]


def promise_rows(checks: Sequence[Check], bounds: dict[str, float]) -> list[list[str]]:
    rows = [["what", "measured", "at most"]]
    return rows + [[check.name, short(check.value), f"{bounds[check.promise]:g}"] for check in checks]


def circumstances() -> list[str]:
    """Say when, where and with what it was measured."""
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("sphinx", "myst-parser")]
    return [
        datetime.datetime.now(datetime.UTC).date().isoformat(),
        report.machine(),
        f"{sysconfig.get_platform().partition('-')[0]}, Python {sys.version.partition(' ')[0]}",
        ", ".join([*versions, f"pydata-sphinx-theme {importlib.metadata.version('pydata-sphinx-theme')}"]),
        ", ".join(one.replace("==", " ") for one in PEER),
    ]


# -- the whole --------------------------------------------------------------------------------------------

PARTS = ("rich", "plain", "growth", "edits", "real")


@dataclass(slots=True)
class Measured:
    """What one part has given: its table, its promises, and for the figure what each size took."""

    table: list[list[str]]
    promises: list[Check] = field(default_factory=list)
    growth: dict[int, Cost] = field(default_factory=dict)


def rich_part(folder: Path, sizes: Sizes) -> Measured:
    results = measure_rich(folder, sizes)
    named = {result.name: result for result in results}
    floor = named["edukit, English"]
    translated = named["edukit, Chinese"].ratios(floor, "processor")
    both = named["edukit, both languages"].ratios(floor, "clock")
    return Measured(
        build_rows(results, floor.name, "processor"),
        [
            Check("rich pages, Chinese over English, processor", "translated", median(translated)),
            Check("rich pages, both languages over English, clock", "both", median(both)),
        ],
    )


def plain_part(folder: Path, sizes: Sizes, peer: Path | None) -> Measured:
    results = measure_plain(folder, sizes, peer or peer_python())
    named = {result.name: result for result in results}
    floor = named["MkDocs, both languages"]
    both = named["edukit, both languages"].ratios(floor, "clock")
    return Measured(
        build_rows(results, floor.name, "clock"),
        [Check("plain pages, both languages over MkDocs, clock", "peer", median(both))],
    )


def growth_part(folder: Path, sizes: Sizes) -> Measured:
    growth = measure_growth(folder, sizes)
    (fewer, before), (most, last) = list(growth.items())[-2:]
    linear = (last.processor / most) / (before.processor / fewer)
    return Measured(
        growth_rows(growth),
        [
            Check(f"a page among {most:,} over one among {fewer:,}, processor", "linear", linear),
            Check(f"memory with {most:,} pages, MB", "memory", last.memory),
        ],
        growth,
    )


def edits_part(folder: Path, sizes: Sizes) -> Measured:
    results = measure_edits(folder, sizes)
    whole, *edits = results
    checks = [
        Check(f"{edit.name}, over everything, clock", kind, edit.seconds("clock") / whole.seconds("clock"))
        for edit, kind in zip(edits, ("nothing", "page", "message"), strict=True)
    ]
    return Measured(build_rows(results, whole.name, "clock"), checks)


def real_part(folder: Path) -> Measured:
    trial = try_real(folder, REAL)
    for name in trial.text:
        print(f"  its text differs: {name}")
    return Measured(real_rows(REAL, trial))


def measure(parts: Sequence[str], sizes: Sizes, folder: Path, peer: Path | None) -> dict[str, Measured]:
    """Measure what was asked for, and print each table when it is ready."""
    ways = {
        "rich": lambda: rich_part(folder, sizes),
        "plain": lambda: plain_part(folder, sizes, peer),
        "growth": lambda: growth_part(folder, sizes),
        "edits": lambda: edits_part(folder, sizes),
        "real": lambda: real_part(folder),
    }
    measured = {}
    for part in parts:
        measured[part] = ways[part]()
        print(f"\n{part}\n{report.plain(measured[part].table)}", flush=True)
    checks = [check for one in measured.values() for check in one.promises]
    if checks:
        print(f"\npromises\n{report.plain(promise_rows(checks, BOUNDS))}")
    return measured


def record(measured: dict[str, Measured], path: Path) -> None:
    """Put what was measured into the record; other parts stay as they are there."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    kept |= {part: asdict(one) for part, one in measured.items()} | {"measured": circumstances()}
    text = json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True)
    path.write_text(f"{text}\n", encoding="utf-8", newline="\n")


def write(path: Path) -> None:
    """Write the record into the page of the guide, the numbers of its Chinese catalog, and its figure."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    if missing := set(PARTS) - set(kept):
        sys.exit(f"the page shows every part, and the record lacks {', '.join(sorted(missing))}")
    checks = [Check(**check) for part in PARTS for check in kept[part]["promises"]]
    tables = {"promises": promise_rows(checks, BOUNDS)} | {part: kept[part]["table"] for part in PARTS}
    said = "\n```text\n" + "\n".join(kept["measured"]) + "\n```\n\n"
    report.write_between(PAGE, "% measured", "% end", said)
    for name, rows in tables.items():
        report.write_table(PAGE, name, rows)
    report.write_catalog(CATALOG, PAGE.relative_to(ROOT).as_posix(), list(tables.values()))
    costs = kept["growth"]["growth"]
    growth = {int(count): Cost(**costs[count]) for count in sorted(costs, key=int)}
    for language, figure in {"en": FIGURE, "zh": FIGURE.with_suffix(".zh_CN.svg")}.items():
        figure.write_text(drawn(growth, language), encoding="utf-8", newline="\n")


WORDS = {
    "en": ("pages, in each of two languages", "seconds", "memory, MB", "time of the processor", "memory"),
    "zh": ("页数（两种语言各有这么多页）", "秒", "内存（MB）", "处理器时间", "内存"),
}


def drawn(growth: dict[int, Cost], language: str) -> str:
    """Draw the figure: time and memory against the number of pages, each from zero."""
    pages, seconds, megabytes, time_name, memory_name = WORDS[language]
    width, height, left, right, top, bottom = 460, 300, 56, 60, 34, 250
    most = max(growth)

    def across(count: float) -> float:
        return left + (width - left - right) * count / most

    def axis(highest: float) -> list[float]:
        step = next(
            one * 10**power for power in range(6) for one in (1, 2, 5) if one * 10**power * 5 >= highest
        )
        return [step * number for number in range(6)]

    def up(value: float, marks: Sequence[float]) -> float:
        return bottom - (bottom - top) * value / marks[-1]

    def text(x: float, y: float, said: str, anchor: str = "middle", colour: str = "#222") -> str:
        return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}">{said}</text>'

    blue, red = "#0a5cad", "#b3261e"
    times = axis(max(cost.processor for cost in growth.values()))
    sizes = axis(max(cost.memory for cost in growth.values()))
    parts = [f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for mark, size in zip(times, sizes, strict=True):
        y = up(mark, times)
        parts.append(f'<path d="M{left} {y:.1f}H{width - right}" stroke="#ddd"/>')
        parts.append(text(left - 6, y + 4, f"{mark:g}", "end", blue))
        parts.append(text(width - right + 6, y + 4, f"{size:g}", "start", red))
    # Neighbours on the left would stand on each other.
    apart = [count for count in growth if most / count < 12]
    parts += [text(across(count), bottom + 18, f"{count:,}") for count in apart]
    parts += [text(left - 6, 16, seconds, "middle", blue), text(width - 6, 16, megabytes, "end", red)]
    parts.append(text((left + width - right) / 2, height - 12, pages))
    lines = [
        (blue, "", times, [cost.processor for cost in growth.values()], time_name),
        (red, ' stroke-dasharray="6 4"', sizes, [cost.memory for cost in growth.values()], memory_name),
    ]
    for number, (colour, dashes, marks, values, name) in enumerate(lines):
        points = [(across(count), up(value, marks)) for count, value in zip(growth, values, strict=True)]
        way = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        parts.append(f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        y = top + 14 + 20 * number
        line = f'<path d="M{left + 12} {y - 4}h24" stroke="{colour}" stroke-width="2"{dashes}/>'
        parts += [line, text(left + 42, y, name, "start", colour)]
    tag = {"en": "en", "zh": "zh-CN"}[language]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" lang="{tag}" font-family="sans-serif" font-size="12">\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


# -- the command ------------------------------------------------------------------------------------------


def bound(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    if name not in BOUNDS:
        raise argparse.ArgumentTypeError(f"{name} is none of {', '.join(BOUNDS)}")
    return name, float(value)


def _path(text: str) -> Path:
    # Builds run in other folders; a link stays one, for it is how an environment knows itself.
    return Path(text).absolute()


def make(arguments: Sequence[str]) -> None:
    """Write one made-up site."""
    parser = argparse.ArgumentParser(prog="site.py make", description="Write a made-up site.")
    parser.add_argument("kind", choices=[*made_up.KINDS, "mkdocs"], help="mkdocs: the plain one for MkDocs")
    parser.add_argument("count", type=int, help="pages, eleven indexes included; at least 21")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    if options.count < 21:
        parser.error("a site has eleven indexes and at least ten pages more")
    if options.kind == "mkdocs":
        made_up.write_mkdocs(options.folder, "plain", options.count)
    else:
        messages = made_up.write_sphinx(options.folder, options.kind, options.count, extensions=OURS)
        print(f"{options.count} pages, {messages} messages")


def main() -> None:
    if sys.argv[1:2] == ["make"]:
        make(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART")
    parser.add_argument("--quick", action="store_true", help="tiny sites, once, to see that it runs")
    parser.add_argument(
        "--rounds", type=int, help="how often builds are paired (3); slow ones take part in the first"
    )
    parser.add_argument("--peer-python", type=_path, help="a Python with MkDocs and its plugins")
    parser.add_argument(
        "--assert", dest="assert_", action="store_true", help="exit with 1 when a bound is missed"
    )
    parser.add_argument("--write", action="store_true", help="write site.json, and the page of the guide")
    parser.add_argument(
        "--bound",
        type=bound,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another bound for --assert",
    )
    options = parser.parse_args()
    sizes = TINY if options.quick else LARGE
    if options.rounds:
        sizes = Sizes(sizes.rich, sizes.plain, sizes.growth, sizes.edits, options.rounds)
    if options.write and options.quick:
        parser.error("the page shows sites in full size: leave --quick out")
    BOUNDS.update(options.bound)

    start = time.perf_counter()
    print(*circumstances(), sep="\n")
    with tempfile.TemporaryDirectory() as name:
        measured = measure(options.only, sizes, Path(name), options.peer_python)
    print(f"\nThis took {(time.perf_counter() - start) / 60:.0f} minutes.")
    if options.write:
        record(measured, RECORD)
        write(RECORD)
    checks = [check for one in measured.values() for check in one.promises]
    if options.assert_:
        report.stop_if_missed(checks, BOUNDS, short)


if __name__ == "__main__":
    main()
