"""Find a browser for the tests of the pages; ``make browser`` gets one."""

import os
import shutil
import time
from functools import cache
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

#: Path of the browser to take, whatever else is there.
NAMED = "MANYVIEWS_BROWSER"
#: "1" makes a missing browser a failure; the gate sets it.
REQUIRED = "REQUIRE_BROWSER"

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
HOW = (
    f"run `make browser`, or install Chromium or Chrome so that it is on PATH, or set {NAMED} to "
    "its path"
)

#: Windows the pages are looked at in.
WIDTHS = {"phone": 360, "desktop": 1280}
HEIGHT = 800
#: Script that opens the folded parts of a page.
UNFOLD = "document.querySelectorAll('details.appendix').forEach(part => { part.open = true; })"
#: Milliseconds a page may take; a browser beside other work on few cores is slow, not wrong.
PATIENCE = 180_000


def start(playwright: Playwright) -> Browser:
    """Start the first browser that does start: the named one, or one on PATH, or Playwright's."""
    named = os.environ.get(NAMED)
    tried = []
    for path in [named] if named else [*filter(None, map(shutil.which, NAMES)), None]:
        try:
            return playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        except Error as error:
            tried.append(f"{path or 'its own'}: {str(error).splitlines()[0]}")
    raise RuntimeError("; ".join(tried))


def open_in(
    chromium: Browser,
    path: Path,
    width: str,
    scheme: Literal["light", "dark"] = "light",
    fragment: str = "",
) -> Any:
    """Open a page in a window of its own and note what it complains of or asks the network for."""
    size: Any = {"width": WIDTHS[width], "height": HEIGHT}
    context = chromium.new_context(viewport=size, color_scheme=scheme)
    context.set_default_timeout(PATIENCE)
    page: Any = context.new_page()
    page.problems = []

    def note(text: str, wrong: bool = True) -> None:
        page.problems += [text] if wrong else []

    page.on("console", lambda m: note(m.text, m.type == "error"))
    page.on("pageerror", lambda error: note(str(error)))
    page.on(
        "request", lambda r: note(f"asks for {r.url}", not r.url.startswith(("file:", "data:")))
    )
    page.goto(path.as_uri() + (f"#{fragment}" if fragment else ""))
    return page


@cache
def problem() -> str:
    """Return why no browser starts, empty where one does."""
    with sync_playwright() as playwright:
        try:
            start(playwright).close()
        except RuntimeError as error:
            return f"no browser to open the pages in: {HOW} ({error})"
    return ""


def until(page: Any, expression: str, seconds: float = 60.0) -> None:
    """Wait until an expression holds on a page.

    The browser's own waiting evaluates text inside the page, which the pages' policy forbids; a
    call from outside is allowed.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"this did not become true: {expression}"
        time.sleep(0.05)
