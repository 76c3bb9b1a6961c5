"""A machine without a browser: the tests of the pages are skipped in one line, or fail if told."""

import os
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import browser
from browser import HOW, MAY_FETCH, NAMED, REQUIRED, candidates

TESTS = Path(__file__).with_name("test_browser.py")


def run_without_browser(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the browser's tests where no browser can be found and none may be fetched."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "MANYVIEWS_"))}
    bare = {"PATH": str(folder), "PLAYWRIGHT_BROWSERS_PATH": str(folder), MAY_FETCH: "0"}
    bare["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # importing them takes longer than the tests
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(TESTS)],
        cwd=TESTS.parents[3],
        env={**inherited, REQUIRED: "", **bare, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_they_are_skipped_in_one_line_that_says_what_to_do(tmp_path):
    done = run_without_browser(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = re.findall(r"^SKIPPED \[(\d+)\] (.*)$", done.stdout, flags=re.MULTILINE)
    assert len(lines) == 1, done.stdout
    count, text = lines[0]
    assert HOW in text
    assert re.search(rf"^=+ {count} skipped in ", done.stdout, flags=re.MULTILINE), done.stdout


def test_where_a_browser_is_required_a_missing_one_is_a_failure(tmp_path):
    done = run_without_browser(tmp_path, **{REQUIRED: "1"})
    assert done.returncode == 1, done.stdout + done.stderr
    assert HOW in done.stdout
    assert not re.search(r"\d+ (passed|skipped)", done.stdout), done.stdout


def test_a_browser_that_is_named_is_the_only_one_tried(monkeypatch):
    monkeypatch.setenv(NAMED, "/no/such/browser")
    assert list(candidates()) == [("/no/such/browser", "/no/such/browser")]


def test_a_download_that_hangs_is_given_up_after_a_minute(monkeypatch):
    asked = []

    def no_start(playwright):
        raise browser.NoBrowserError("none")

    monkeypatch.setattr(browser, "sync_playwright", nullcontext)
    monkeypatch.setattr(browser, "start", no_start)
    monkeypatch.setattr(browser, "fetch", lambda seconds, quiet: asked.append(seconds))
    monkeypatch.delenv(MAY_FETCH, raising=False)
    monkeypatch.delenv(NAMED, raising=False)
    assert HOW in browser.problem.__wrapped__()
    assert asked == [60]
