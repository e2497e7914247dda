"""A real Chromium, and the built site on a local address."""

import functools
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
# No talk with the browser's maker, and a sandbox only where the system gives one to this user.
FLAGS = ["--disable-background-networking", "--disable-component-update", "--disable-gpu", "--no-first-run"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in Path(item.fspath).parts:
            item.add_marker(pytest.mark.browser)


def _on_this_machine() -> str | None:
    if named := os.environ.get("EDUKIT_CHROMIUM"):
        return named
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def _try(command: list[str]) -> str:
    """Run an installation; return why it did not work, or nothing."""
    print(f"no Chromium yet: trying {' '.join(command)}", file=sys.stderr)
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{' '.join(command)}: {error}"
    if result.returncode == 0:
        return ""
    last = (result.stderr.strip() or result.stdout.strip()).splitlines()[-1:]
    return f"{' '.join(command)}: {' '.join(last)[:200]}"


@pytest.fixture(scope="session")
def chromium(of_all: Path) -> Iterator[Browser]:
    """The machine's Chromium, else Playwright's own, else (root on Debian) one from apt.

    Without any, the tests fail where ``CI`` is set and are reported as skipped elsewhere.
    """
    flags = [*FLAGS, *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]
    reasons = []
    with sync_playwright() as playwright:
        with FileLock(of_all / "chromium.lock"):
            path = _on_this_machine()
            if not path and not Path(playwright.chromium.executable_path).exists():
                reasons.append(_try([sys.executable, "-m", "playwright", "install", "chromium"]))
                if reasons[-1] and shutil.which("apt-get") and os.geteuid() == 0:
                    reasons.append(
                        _try(["apt-get", "update"]) or _try(["apt-get", "install", "-y", "chromium"])
                    )
                    path = _on_this_machine()
        browser = None
        if path or Path(playwright.chromium.executable_path).exists():
            try:
                browser = playwright.chromium.launch(executable_path=path, args=flags)
            except Exception as error:
                reasons.append(f"{path or 'its own Chromium'} does not start: {str(error)[:300]}")
        if browser is None:
            message = (
                "no Chromium for the tests of the pages. Install one, or name it in EDUKIT_CHROMIUM. "
                f"Tried: {'; '.join(filter(None, reasons))}"
            )
            if os.environ.get("CI"):
                pytest.fail(message)
            pytest.skip(message)
        yield browser
        browser.close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def address(built_site: Path) -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=str(built_site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


@pytest.fixture
def open_page(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open a page of the site as a reader with a window, a colour scheme and a language would.

    Whatever the page does wrong by itself fails the test: a request to another origin, a file that is
    not there, an error in a script.
    """
    contexts = []
    wrong: list[str] = []

    def open_page(
        path: str = "index.html",
        *,
        width: int = 1280,
        scheme: str = "light",
        locale: str = "en-GB",
        **more: object,
    ) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,
            locale=locale,
            **more,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: _own_origin(request.url) or wrong.append(f"asks {request.url}"))
        page.on(
            "response", lambda answer: answer.status < 400 or wrong.append(f"{answer.status} {answer.url}")
        )
        page.on("pageerror", lambda error: wrong.append(f"script error on {page.url}: {error}"))
        page.on(
            "console",
            lambda message: (
                message.type == "error" and wrong.append(f"console on {page.url}: {message.text}")
            ),
        )
        page.goto(path if "://" in path else f"{address}/{path}")
        return page

    def _own_origin(url: str) -> bool:
        return url.startswith((address, "data:", "blob:", "file:"))

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []
