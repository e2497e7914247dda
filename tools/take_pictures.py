"""Take pictures of the site: ``.venv/bin/python tools/take_pictures.py``.

Two are for the READMEs. The others keep how formulas look, at both widths, light and dark, in both
languages: after a change in the font, the style sheet or math-core take them anew and look at what git
shows as changed. No test compares them, because every system sets the text around the formulas in fonts
of its own; what can be measured, tests/browser/test_formulas.py measures.

Run it after ``make html`` and ``make test`` (which finds a Chromium), on a system with a Chinese font.
"""

import io
import os
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / ".github" / "pictures"


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    chromium = os.environ.get("EDUKIT_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, page, locale in [("en", "index.html", "en-GB"), ("zh", "zh-cn/index.html", "zh-CN")]:
            window = browser.new_page(viewport={"width": 1200, "height": 800}, locale=locale)
            window.goto((ROOT / "_build/html" / page).as_uri())
            window.screenshot(path=PICTURES / f"site-{name}.png")
        for name, prefix, width, scheme in [
            ("en", "", 1280, "light"),
            ("en", "", 390, "dark"),
            ("zh", "zh-cn/", 390, "light"),
            ("zh", "zh-cn/", 1280, "dark"),
        ]:
            window = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
            window.goto((ROOT / f"_build/html/{prefix}guide/mathematics.html").as_uri())
            window.evaluate("document.fonts.ready")
            # The question whether one would rather read another language is no part of the page.
            window.add_style_tag(content=".bilingual-offer { display: none }")
            picture = Image.open(io.BytesIO(window.locator("article").screenshot())).convert("RGB")
            # Few colours make small files.
            picture.quantize(32).save(PICTURES / f"formulas-{name}-{width}-{scheme}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
