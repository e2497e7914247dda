"""What the search costs: the size of its index, and the time of an answer on a slow phone.

Run it as ``.venv/bin/python benchmarks/search.py`` (``make test`` finds a Chromium). A thousand pages are
put together by chance from the sentences of the course, the same ones in English and in Chinese, and
built with Sphinx's own search and with ours. Sizes are in bytes; times in milliseconds, in a Chromium
whose processor is slowed down six times: from the query to the results and their count on the screen,
and to the first sentence around a hit, for which a page has to be read.
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

from playwright.sync_api import sync_playwright

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


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def measure(site: Path, queries: list[str]) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    chromium = os.environ.get("EDUKIT_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.goto(f"http://127.0.0.1:{server.server_address[1]}/search.html")
        page.wait_for_function("Search.hasIndex()")
        slow = page.context.new_cdp_session(page)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        print(f"  the index is read in {median(page.evaluate(READ) for _ in range(5)):.0f} ms")
        for query in queries:
            # The first answer, before anything has been kept for the next one, and the usual one.
            times = [page.evaluate(ASK, query) for _ in range(6)]
            usual = {key: median(time[key] for time in times[1:]) for key in ("answer", "summary")}
            print(
                f"  {query}: answer {usual['answer']:.0f} ms (at first {times[0]['answer']:.0f}),"
                f" a summary {usual['summary']:.0f} ms ({times[0]['status']})"
            )
        browser.close()
    server.shutdown()


READ = """
async () => {
  const text = await (await fetch("searchindex.js")).text();
  const start = performance.now();
  (0, eval)(text);
  return performance.now() - start;
}
"""

# An answer is what a reader waits for: the results and their count, both on the screen.
ASK = """
async (query) => {
  const place = document.getElementById("search-results");
  const times = {};
  const shown = new Promise((resolve) => {
    const watcher = new MutationObserver(() => {
      if (!place.querySelector(".context") && times.count !== 0) return;
      times.summary = performance.now() - start;
      watcher.disconnect();
      resolve();
    });
    watcher.observe(place, { childList: true, subtree: true });
  });
  const start = performance.now();
  Search.performSearch(query);
  times.status = place.querySelector(".search-summary").textContent;
  times.count = place.querySelectorAll("li").length;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  times.answer = performance.now() - start;
  if (times.count) await shown;
  else times.summary = times.answer;
  return times;
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
            print(f"An answer, {build_name}, {SLOWER} times slower:")
            measure(sites[build_name], queries)


if __name__ == "__main__":
    main()
