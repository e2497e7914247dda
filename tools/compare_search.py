"""Ask Sphinx's search and ours the same: ``.venv/bin/python tools/compare_search.py``.

The course is built twice, with and without ``edukit.sphinxext.search``, and each query is typed into
both search pages in Chromium. What is right is read from the text of the pages themselves. The tables
go into ``docs/guide/search.md``; run ``make catalogs`` afterwards.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ROOT / "docs/guide/search.md"

# The query, and what a page that answers it has in its text: all of these.
CHINESE = {
    "词": ["词"],
    "花": ["花"],
    "位置": ["位置"],
    "注意力": ["注意力"],
    "不见顺": ["不见顺"],
    "意力看": ["意力看"],
    "把一个字种下": ["把一个字种下"],
    "置位": ["置位"],
    "Scratch 积木": ["scratch", "积木"],
    "512 个数": [r"\b512\b", "个数"],
    "512": [r"\b512\b"],
    "attention": [r"\battention\b"],
}
ENGLISH = {
    "position": [r"\bposition(s|al)?\b"],
    "encodings": [r"\bencod(e|es|ed|ing|ings)\b"],
    "word order": [r"\bword(s|ed)?\b", r"\border(s|ed|ing)?\b"],
    "512": [r"\b512\b"],
    "sinusoidal": [r"\bsinusoidal(_2d)?\b"],
    "garden of words": [r"\bgardens?\b", r"\bwords?\b"],
    "字的花园": ["字的花园"],
    "xylophone": ["xylophone"],
}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


def build(out: Path, *options: str) -> Path:
    command = [sys.executable, "-m", "sphinx", "-q", *options, "-c", ".", "docs", str(out)]
    subprocess.run(command, cwd=ROOT, check=True)
    return out


def right_pages(
    page: Page, site: str, queries: dict[str, list[str]], names: list[str]
) -> dict[str, set[str]]:
    """Return the pages whose text has what each query asks for."""
    right: dict[str, set[str]] = {query: set() for query in queries}
    for name in names:
        page.goto(f"{site}{name}.html")
        page.evaluate("""() => document
            .querySelectorAll(
                "rt, rp, script, annotation, [hidden], .headerlink, .no-search, .translated-copy"
            )
            .forEach((element) => element.remove())""")
        text = page.locator("article").first.evaluate("(element) => element.textContent")
        text = re.sub(r"(?<=[\u3400-\u9fff])\s*\n\s*(?=[\u3400-\u9fff])", "", text)
        for query, parts in queries.items():
            if all(re.search(part, text, re.IGNORECASE) for part in parts):
                right[query].add(name)
    return right


def found_pages(page: Page, site: str, query: str) -> set[str]:
    page.goto(f"{site}search.html?q={quote(query)}")
    # Sphinx shows a result every five milliseconds and has no sign for a search that broke.
    page.wait_for_timeout(1500)
    links = page.locator("#search-results li > a").all()
    found = {(link.get_attribute("href") or "").partition(".html")[0] for link in links}
    # The page that the tables go into has all the queries in them.
    return found - {"guide/search"}


def table(page: Page, sites: list[str], queries: dict[str, list[str]], names: list[str]) -> list[str]:
    right = right_pages(page, sites[1], queries, names)
    rows = [
        "| Query | Pages | Sphinx finds | and besides | Ours finds | and besides |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for query in queries:
        cells = [f"`{query}`", str(len(right[query]))]
        for site in sites:
            found = found_pages(page, site, query)
            cells += [str(len(found & right[query])), str(len(found - right[query]))]
            print(query, cells, sorted(found ^ right[query]))
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def with_table(text: str, mark: str, rows: list[str]) -> str:
    """Put a table between its marks in the guide, in the place of the one that is there."""
    before, begin, rest = text.partition(f"% table {mark}\n")
    _, end, behind = rest.partition("% end")
    if not begin or not end:
        raise SystemExit(f"{GUIDE.name} has no place for the table {mark!r}")
    return "\n".join([f"{before}{begin}", *rows, "", f"{end}{behind}"])


def main() -> None:
    sys.path.insert(0, str(ROOT))
    import conf

    others = ",".join(name for name in conf.extensions if name != "edukit.sphinxext.search")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        stock = build(Path(name) / "stock", "-D", f"extensions={others}")
        ours = build(Path(name) / "ours")
        names = sorted(
            path.relative_to(ours).with_suffix("").as_posix()
            for path in ours.rglob("*.html")
            if not {"_static", "zh-cn"} & set(path.relative_to(ours).parts)
            and path.stem not in {"genindex", "search", "py-modindex"}  # the guide's page on search as well
        )
        chromium = os.environ.get("EDUKIT_CHROMIUM") or shutil.which("chromium")
        page = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"]).new_page()
        tables = {}
        with served(stock) as stock_site, served(ours) as our_site:
            for mark, folder, queries in [("zh", "zh-cn/", CHINESE), ("en", "", ENGLISH)]:
                sites = [f"{stock_site}/{folder}", f"{our_site}/{folder}"]
                tables[mark] = table(page, sites, queries, names)
        for mark, rows in tables.items():
            GUIDE.write_text(with_table(GUIDE.read_text(encoding="utf-8"), mark, rows), encoding="utf-8")


if __name__ == "__main__":
    main()
