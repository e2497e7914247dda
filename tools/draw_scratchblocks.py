"""Draw the script that the guide compares with scratchblocks' own pictures: docs/guide/pictures.

Run it by hand when scratchblocks' version changes; it needs the packages of ``edukit scratch install`` and
a Chromium, which it takes from EDUKIT_CHROMIUM or from Playwright::

    .venv/bin/python tools/draw_scratchblocks.py
"""

import json
import os
import re
from pathlib import Path

from playwright.sync_api import sync_playwright

from edukit.scratch import block_text, playing, read_block_text, with_own_words

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ROOT / "docs" / "guide"
WORDS = {
    "score": "得分",
    "problem": "题目",
    "solution": "得数",
    "Not yet.": "还不对。",
    "a new problem": "出一道新题",
}
NAMES = {"en": ("en", "scratchblocks.svg"), "zh_CN": ("zh_cn", "scratchblocks.zh_CN.svg")}


def compared_script() -> str:
    """Return the script, which stands in the guide and nowhere else."""
    page = (GUIDE / "scratch.md").read_text("utf-8")
    found = re.search(r"\(compared-script\)=\n+```\{scratch-blocks\}\n(.*?)```", page, re.DOTALL)
    assert found is not None
    return found[1]


def main() -> None:
    folder = playing.modules() / "scratchblocks"
    library = (folder / "build" / "scratchblocks.min.js").read_text("utf-8")
    chinese = (folder / "locales" / "zh-cn.json").read_text("utf-8")
    project = read_block_text(compared_script()).project
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("EDUKIT_CHROMIUM"), args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.add_script_tag(content=library)
        page.evaluate("(words) => scratchblocks.loadLanguages({zh_cn: words})", json.loads(chinese))
        for language, (code, name) in NAMES.items():
            worded = with_own_words(project, WORDS) if language == "zh_CN" else project
            (script,) = block_text(worded, language)
            drawn = page.evaluate(
                """([text, code]) => {
                  const parsed = scratchblocks.parse(text, {languages: ["en", code]});
                  const view = scratchblocks.newView(parsed, {style: "scratch3"});
                  view.render();
                  return view.exportSVGString();
                }""",
                [script.text, code],
            )
            (GUIDE / "pictures" / name).write_text(drawn + "\n", "utf-8")
        browser.close()


if __name__ == "__main__":
    main()
