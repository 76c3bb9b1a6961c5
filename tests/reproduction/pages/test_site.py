"""The site, clicked through in a browser from a local server, below a sub-path."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler
from itertools import chain
from shutil import copy
from socketserver import ThreadingTCPServer
from urllib.parse import urldefrag

import pytest
from browser import start
from playwright.sync_api import sync_playwright

from reproduction.files import ROOT
from reproduction.pages.page import page_html, pages
from reproduction.workflow.site import (
    PLAIN,
    TEXTS,
    SiteError,
    build,
    public_modules,
    public_packages,
)

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("site")]  # the site is built once
SUB_PATH = "some/where"
#: Pages with targets of their own, which README and the guide lead to.
MEASURED = ("then_and_now", "speed")


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """Frames of all pages: what the site does with them does not depend on their numbers."""
    folder = tmp_path_factory.mktemp("pages") / "reports"
    folder.mkdir()
    for name in (*pages(), *MEASURED):
        body = f'<h1 id="top">Page {name}</h1>'
        (folder / f"{name}.html").write_text(page_html(body, page=name, contents=[], stamp={}))
    (folder / "verdicts.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    return folder


@pytest.fixture(scope="module")
def root(tmp_path_factory, reports):
    folder = tmp_path_factory.mktemp("server")
    build(folder / SUB_PATH, reports)
    return folder


@pytest.fixture(scope="module")
def address(root):
    class Handler(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # one connection for many files

        def end_headers(self):
            self.send_header("Cache-Control", "max-age=3600")  # all pages share styles and scripts
            super().end_headers()

        def log_message(self, *_):
            pass

    # no HTTPServer: it asks for the machine's name, which takes minutes where nobody answers
    server = ThreadingTCPServer(("127.0.0.1", 0), partial(Handler, directory=str(root)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/{SUB_PATH}/"
    server.shutdown()


@pytest.fixture(scope="module")
def window(address):
    """A page of the browser that notes every complaint, wrong answer and foreign request."""
    with sync_playwright() as playwright:
        browser = start(playwright)
        page = browser.new_page()
        page.problems = []
        page.on("console", lambda m: page.problems.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on(
            "response",
            lambda r: page.problems.append(f"{r.status} {r.url}") if r.status >= 400 else None,
        )
        page.on(
            "request",
            lambda r: (
                None
                if r.url.startswith((address, "data:"))
                else page.problems.append(f"outside: {r.url}")
            ),
        )
        yield page
        browser.close()


#: What the browser finds on a page when it reads it without laying it out, which takes longer.
READ = """urls => Promise.all(urls.map(async url => {
    const answer = await fetch(url);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const all = (query, name) => [...new Set([...page.querySelectorAll(query)]
        .map(part => new URL(part.getAttribute(name), url).href))];
    return {
        status: answer.status, ids: [...page.querySelectorAll('[id]')].map(part => part.id),
        links: all('a[href]', 'href'),
        parts: [...all('[src]', 'src'), ...all('link[href]', 'href')],
    };
}))"""
STATUS = "urls => Promise.all(urls.map(async url => (await fetch(url)).status))"


def test_every_page_is_reached_and_none_is_missing(window, address, root):
    """Follow every link of the site once; anchors and parts must be there too."""
    window.goto(address + "index.html")
    waiting, seen, wanted, parts = {address + "index.html"}, {}, set(), set()
    while waiting:
        read = dict(zip(waiting, window.evaluate(READ, list(waiting)), strict=True))
        seen |= read
        for url, page in read.items():
            assert page["status"] == 200, url
            parts |= {part for part in page["parts"] if not part.startswith("data:")}
            places = map(urldefrag, page["links"])
            wanted |= {tuple(p) for p in places if p.url.startswith(address)}
        wanted = {(place, anchor) for place, anchor in wanted if place.endswith(".html")}
        waiting = {place for place, _ in wanted} - set(seen)
    lost = [(place, a) for place, a in wanted if a and a not in seen[place]["ids"]]
    assert not lost
    assert parts
    assert not [part for part in parts if not part.startswith(address)]
    answers = zip(parts, window.evaluate(STATUS, list(parts)), strict=True)
    assert not [part for part, status in answers if status != 200]
    written = {path.relative_to(root / SUB_PATH).as_posix() for path in root.rglob("*.html")}
    unlinked = written - {url.removeprefix(address) for url in seen} - {"search.html"}
    assert not unlinked
    assert {f"reports/{name}.html" for name in pages()} <= written
    for package, names in public_packages().items():
        assert {f"module-{name}" for name in names} <= set(
            seen[f"{address}api/{package}.html"]["ids"]
        )
    assert sorted(chain(*public_packages().values())) == sorted(public_modules())
    # one page of every folder, drawn: the others have the same frame
    for url in {url.rpartition("/")[0]: url for url in sorted(seen)}.values():
        window.goto(url)
    assert not window.problems


@pytest.fixture
def small(tmp_path):
    """A repository with one module and empty texts: built in seconds."""
    root = tmp_path / "repository"
    documents = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")]
    for name in (*TEXTS, *PLAIN, *documents):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"# {name}\n")
    for name in ("docs/conf.py", "docs/index.md", "docs/icon.svg", "src/manyviews/labels.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, root / name)
    return root


def test_a_link_that_leads_nowhere_is_refused(small, tmp_path, capfd):
    (small / "CONTRIBUTING.md").write_text("# Contributing\n\n[lost](docs/lost.md)\n")
    with pytest.raises(SiteError, match="faults"):
        build(tmp_path / "site", None, small)
    (said,) = [line for line in capfd.readouterr().err.splitlines() if "WARNING" in line]
    assert "docs/lost.md" in said  # and nothing else: without the link it builds
    assert (tmp_path / "site" / "api" / "manyviews.html").is_file()
