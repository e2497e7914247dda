"""Every page in Chromium: at both widths, light and dark, in both languages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from playwright.sync_api import Page

OpenPage = Callable[..., Page]


def pages_of(site: Path) -> list[str]:
    return sorted(
        path.relative_to(site).as_posix() for path in site.rglob("*.html") if "_static" not in path.parts
    )


# Each width, scheme and language once: what depends on them together is rare, and the pages are many.
@pytest.mark.parametrize(("width", "scheme", "looked_at"), [(390, "dark", "en"), (1280, "light", "zh-cn")])
def test_no_page_has_a_barrier(
    built_site: Path, open_page: OpenPage, width: int, scheme: str, looked_at: str
) -> None:
    axe = Axe()
    found = []
    names = pages_of(built_site)
    assert len(names) > 15
    page = open_page("index.html", width=width, scheme=scheme)
    origin = page.url.removesuffix("index.html")
    for number, name in enumerate(names):
        page.goto(origin + name)
        if name.startswith("zh-cn/") is (looked_at == "zh-cn"):
            # To look at the contrast of every word takes longer than all the rest, and pages share their
            # styles: every second page is enough, in each scheme other ones.
            contrast = {"color-contrast": {"enabled": number % 2 == (scheme == "dark")}}
            for violation in axe.run(page, options={"rules": contrast}).response["violations"]:
                places = [node["html"][:160] for node in violation["nodes"][:3]]
                found.append(f"{name}: {violation['id']}: {places}")
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if overflow > 0:
            found.append(f"{name}: {overflow} pixels wider than the window")
    assert found == []


def test_every_page_speaks_its_language_and_has_a_name(built_site: Path) -> None:
    titles: dict[str, list[str]] = {}
    for name in pages_of(built_site):
        page = BeautifulSoup((built_site / name).read_bytes(), "html.parser")
        language = "zh-CN" if name.startswith("zh-cn/") else "en"
        assert page.html["lang"] == language, name
        assert len(page.select("main h1")) == 1, name
        titles.setdefault(f"{language}: {page.title.get_text(strip=True)}", []).append(name)
    assert {title: names for title, names in titles.items() if len(names) > 1} == {}


@pytest.mark.parametrize("path", ["guide/edition.html", "zh-cn/guide/edition.html"])
def test_everything_is_translated_and_the_site_says_so(built_site: Path, path: str) -> None:
    page = BeautifulSoup((built_site / path).read_bytes(), "html.parser")
    whole = page.select_one("main table tbody tr")
    cells = ["".join(cell.get_text().split()) for cell in whole.select("th, td")]
    assert "100%" in cells
    assert cells[-1] == "0"


@pytest.mark.parametrize("path", ["index.html", "zh-cn/index.html"])
def test_the_site_opens_from_a_folder(built_site: Path, open_page: OpenPage, path: str) -> None:
    page = open_page(built_site.joinpath(path).as_uri())
    assert page.locator("main h1").is_visible()
    page.locator(".bilingual-switcher a").first.click()
    page.wait_for_url(lambda url: url != built_site.joinpath(path).as_uri())
    assert page.locator("main h1").is_visible()


@pytest.mark.parametrize(
    "path", ["position/order-is-invisible.html", "zh-cn/position/order-is-invisible.html"]
)
def test_formulas_are_mathml(open_page: OpenPage, path: str) -> None:
    page = open_page(path, width=390)
    assert page.locator("math").count() > 5
    box = page.locator("div.edukit-math math").first.bounding_box()
    assert box
    assert box["height"] > 15


@pytest.mark.parametrize("prefix", ["", "zh-cn/"])
def test_everything_is_there_without_scripts(open_page: OpenPage, prefix: str) -> None:
    for name, place in [
        ("index.html", "main h1"),
        ("position/order-is-invisible.html", "math"),
        ("songs/a-garden-of-words.html", "ruby"),
        ("scratch/subtraction-challenge.html", "main a[href$='.sb3']"),
    ]:
        page = open_page(prefix + name, java_script_enabled=False)
        assert page.locator(place).first.is_visible(), name
