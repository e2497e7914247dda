"""What the search costs: the size of its index, and the time of an answer on a slow phone.

Run it as ``.venv/bin/python benchmarks/search.py`` (``make test`` finds a Chromium). A thousand pages are
put together by chance from the sentences of the course, the same ones in English and in Chinese, and
built with Sphinx's own search and with ours. Sizes are in bytes; times in milliseconds, from the query to
all that an answer is: the results and their count, laid out on a page that was just opened. They are
given twice: as processor time of the page, six times as much as it took, which other work on the
computer does not change; and by the clock, in a Chromium that is slowed down six times and has finished
opening the page, which needs a quiet computer. After the answer come the sentences around the hits, for which pages are read.
"""

import functools
import gzip
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median

from playwright.sync_api import CDPSession, sync_playwright

from edukit import catalogs

ROOT = Path(__file__).resolve().parent.parent
PAGES, SENTENCES, SLOWER = 1000, 40, 6
CONF = 'html_theme = "basic"\nlanguage = "{language}"\nextensions = [{extensions}]\n'
BUILDS = {
    "English, Sphinx": ("en", "en", ""),
    "English, ours": ("en", "en", "'edukit.sphinxext.search'"),
    "Chinese, Sphinx's English index": ("zh", "en", ""),
    "Chinese, ours": ("zh", "zh_CN", "'edukit.sphinxext.search'"),
}
QUERIES = {
    "Chinese, ours": ["词", "位置", "注意力", "注意力看不见顺序", "Scratch 积木", "512", "sinusoidal"],
    "English, ours": ["position", "word order", "sinusoid", "512"],
}


def sentences() -> list[tuple[str, str]]:
    """Return the sentences of the course with their Chinese, without signs of markup."""
    clean = str.maketrans("", "", "*`\\|_$<>{}[]")
    return sorted(
        {
            (str(message.id).translate(clean), str(message.string).translate(clean))
            for path in (ROOT / "docs/locale").rglob("*.po")
            for message in catalogs.read(path).messages
            if message.string and len(str(message.id)) > 20
        }
    )


def write_pages(folder: Path) -> None:
    chance = random.Random(1)
    known = sentences()
    chosen = [chance.choices(known, k=SENTENCES) for _ in range(PAGES)]
    for column, language in enumerate(["en", "zh"]):
        (folder / language).mkdir()
        for number, pairs in enumerate(chosen):
            name = "index" if number == 0 else f"page{number}"
            title = f"{pairs[0][column][:30]} {number}"
            body = "\n\n".join(pair[column] for pair in pairs[1:])
            text = f":orphan:\n\n{title}\n{'=' * 80}\n\n{body}\n"
            (folder / language / f"{name}.rst").write_text(text, encoding="utf-8")


def build(folder: Path, name: str) -> Path:
    source, language, extensions = BUILDS[name]
    out = folder / name.replace(" ", "-").replace("'", "")
    conf = out / "conf"
    conf.mkdir(parents=True)
    (conf / "conf.py").write_text(CONF.format(language=language, extensions=extensions), encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-Q", "-c", conf, folder / source, out / "html"]
    subprocess.run([*map(str, command)], check=True)
    return out / "html"


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        pass  # a page that was closed while it read others


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def measure(site: Path, queries: list[str]) -> None:
    server = _Server(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    chromium = os.environ.get("EDUKIT_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for query in queries:
            clock, processor = [], []
            for attempt in range(8):
                page = browser.new_page(viewport={"width": 390, "height": 800})
                page.goto(f"http://127.0.0.1:{server.server_address[1]}/search.html")
                page.wait_for_function("Search.hasIndex()")
                tools = page.context.new_cdp_session(page)
                if attempt % 2:
                    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                    page.wait_for_timeout(1000)  # the work of opening the page is not the answer's
                    clock.append(page.evaluate(ASK, query))
                else:
                    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
                    before = task_time(tools)
                    page.evaluate(ASK, query)
                    processor.append((task_time(tools) - before) * 1000 * SLOWER)
                said = page.locator(".search-summary").inner_text()
                page.close()
            print(
                f"  {query}: {median(processor):.0f} ms of the processor,"
                f" {median(clock):.0f} ms by the clock ({said})"
            )
        browser.close()
    server.shutdown()


def task_time(tools: CDPSession) -> float:
    metrics = tools.send("Performance.getMetrics")["metrics"]
    return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")


ASK = """
async (query) => {
  const start = performance.now();
  Search.performSearch(query);
  await new Promise((resolve) => {
    new MutationObserver((_, watcher) => {
      if (!Search.status.textContent) return;
      watcher.disconnect();
      requestAnimationFrame(() => setTimeout(resolve));
    }).observe(document.getElementById("search-results"), { childList: true, subtree: true });
  });
  return performance.now() - start;
}
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_pages(folder)
        sites = {build_name: build(folder, build_name) for build_name in BUILDS}
        data = {name: (site / "searchindex.js").read_bytes() for name, site in sites.items()}
        stock = len(data["English, Sphinx"])
        print(f"The index of {PAGES} pages of {SENTENCES} sentences:")
        for build_name, index in data.items():
            packed = len(gzip.compress(index))
            print(f"  {build_name}: {len(index):,} ({len(index) / stock:.2f}), packed {packed:,}")
        for build_name, queries in QUERIES.items():
            print(f"An answer, {build_name}, {SLOWER} times slower:", flush=True)
            measure(sites[build_name], queries)


if __name__ == "__main__":
    main()
