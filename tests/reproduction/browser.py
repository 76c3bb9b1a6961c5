"""Find a browser for the tests of the pages, or get one.

``make browser`` runs this file: it says what it does and ends with a browser that starts.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

#: Path of the browser to take, whatever else is there.
NAMED = "MANYVIEWS_BROWSER"
#: "0" keeps the tests from fetching one.
MAY_FETCH = "MANYVIEWS_FETCH_BROWSER"
#: "1" makes a missing browser a failure; the gate sets it.
REQUIRED = "REQUIRE_BROWSER"

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
#: Seconds the tests wait for a download; `make browser` waits longer.
FETCH_SECONDS = 60
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


class NoBrowserError(RuntimeError):
    """No browser starts; the text says what was tried."""


def is_set(variable: str) -> bool:
    """Whether an environment variable says yes."""
    return os.environ.get(variable, "") not in ("", "0")


def candidates() -> Iterator[tuple[str, str | None]]:
    """Yield names and paths of browsers in the order they are tried; None is Playwright's own."""
    named = os.environ.get(NAMED)
    if named:
        yield named, named
        return
    for name in NAMES:
        path = shutil.which(name)
        if path:
            yield path, path
    yield "Playwright's own", None


def start(playwright: Playwright) -> Browser:
    """Start the first browser that does start."""
    tried = []
    for name, path in candidates():
        try:
            return playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        except Error as error:
            tried.append(f"{name}: {_reason(error)}")
    raise NoBrowserError("; ".join(tried))


def open_in(
    chromium: Browser,
    path: Path,
    width: str,
    scheme: Literal["light", "dark"] = "light",
    fragment: str = "",
) -> Any:
    """Open a page in a window of its own and note what it complains of or asks the network for."""
    context = chromium.new_context(
        viewport={"width": WIDTHS[width], "height": HEIGHT}, color_scheme=scheme
    )
    context.set_default_timeout(PATIENCE)
    page: Any = context.new_page()
    page.problems = []
    page.on("console", lambda m: page.problems.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on(
        "request",
        lambda r: (
            None
            if r.url.startswith(("file:", "data:"))
            else page.problems.append(f"asks the network for {r.url}")
        ),
    )
    page.goto(path.as_uri() + (f"#{fragment}" if fragment else ""))
    return page


def _reason(error: Error) -> str:
    lines = str(error).splitlines() or [""]
    missing = next((line for line in lines if "error while loading shared libraries" in line), "")
    return (missing or lines[0]).removeprefix("BrowserType.launch: ").strip()


def fetch(seconds: float, *, quiet: bool) -> bool:
    """Fetch Playwright's own browser into its cache; return whether that worked in time."""
    sink = subprocess.DEVNULL if quiet else None
    command = [sys.executable, "-m", "playwright", "install", "chromium-headless-shell"]
    process = subprocess.Popen(command, stdout=sink, stderr=sink, start_new_session=True)
    try:
        return process.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # it has children of its own
        process.wait()
        return False


@cache
def problem() -> str:
    """Return why the pages cannot be opened, empty where they can; fetches a browser once."""
    with sync_playwright() as playwright:
        try:
            start(playwright).close()
            return ""
        except NoBrowserError as error:
            text = f"no browser to open the pages in: {HOW} ({error})"
        if os.environ.get(MAY_FETCH) == "0" or NAMED in os.environ:
            return text
        if not fetch(FETCH_SECONDS, quiet=True):
            return text
        try:
            start(playwright).close()
            return ""
        except NoBrowserError as error:
            return f"the fetched browser does not start: {HOW} ({error})"


def _starts() -> bool:
    with sync_playwright() as playwright:
        try:
            browser = start(playwright)
        except NoBrowserError as error:
            print(f"no browser starts ({error})", flush=True)
            return False
        print(f"a browser starts: Chromium {browser.version}")
        browser.close()
        return True


def until(page: Any, expression: str, seconds: float = 60.0) -> None:
    """Wait until an expression holds on a page.

    The browser's own waiting evaluates text inside the page, which the pages' policy forbids; a
    call from outside is allowed.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"this did not become true: {expression}"
        time.sleep(0.05)


def main() -> int:
    """Get a browser: the one that is there, Playwright's, or the system's package."""
    if _starts():
        return 0
    print("fetching Playwright's browser into its cache (about 100 MB)", flush=True)
    if fetch(600, quiet=False) and _starts():
        return 0
    print(f"no browser: install Chromium or Chrome so that it is on PATH, or set {NAMED}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
