"""Take the pictures of the site that the READMEs show: ``.venv/bin/python tools/take_pictures.py``.

Run it after ``make html`` and ``make test`` (which finds a Chromium), on a system with a Chinese font.
"""

import os
import shutil
from pathlib import Path

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
        browser.close()


if __name__ == "__main__":
    main()
