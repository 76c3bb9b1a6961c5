"""The site: every link, anchor and part of every page leads to a file of the site."""

import os
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

from reproduction.pages.page import page_html, pages
from reproduction.workflow.site import build, public_packages

pytestmark = pytest.mark.xdist_group("site")
#: Pages with targets of their own, which README and the guide lead to.
MEASURED = ("then_and_now", "speed")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, with frames of all pages: what it does with them does not hang on their numbers."""
    reports = tmp_path_factory.mktemp("pages") / "reports"
    reports.mkdir()
    for name in (*pages(), *MEASURED):
        body = f'<h1 id="top">Page {name}</h1>'
        (reports / f"{name}.html").write_text(page_html(body, page=name, contents=[], stamp={}))
    (reports / "MANIFEST.json").write_text("{}")
    (reports / "verdicts.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    target = tmp_path_factory.mktemp("site") / "site"
    build(target, reports)
    return target


def test_every_page_is_reached_and_none_is_missing(site):
    soups = {
        path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in site.rglob("*.html")
    }
    ids = {path: {part["id"] for part in soup.select("[id]")} for path, soup in soups.items()}
    reached = {site / "index.html", site / "search.html"}
    for path, soup in soups.items():
        parts = [part["src"] for part in soup.select("[src]")]
        parts += [part["href"] for part in soup.select("link[href]")]
        assert not [part for part in parts if urlsplit(part).scheme not in ("", "data")], path
        links = [part["href"] for part in soup.select("a[href]")]
        for address in map(urlsplit, [*parts, *links]):
            if address.scheme:
                continue
            place = os.path.normpath(path.parent / unquote(address.path)) if address.path else path
            found = type(path)(place)
            assert found.is_file(), f"{path}: {address.geturl()}"
            if address.fragment and found in ids:
                assert unquote(address.fragment) in ids[found], f"{path}: {address.geturl()}"
            reached.add(found)
    assert set(soups) <= reached
    for package, names in public_packages().items():
        assert {f"module-{name}" for name in names} <= ids[site / "api" / f"{package}.html"]
