"""Open the pages as a reader does: Chromium, phone and desktop, light and dark."""

import re
from urllib.parse import unquote, urlparse

import pytest
from accessibility import ON_THE_LOOK, THIN_OUT, faults
from browser import HEIGHT, UNFOLD, WIDTHS, open_in, until
from results_tree import ROOT

from reproduction.pages.markup import Cell, Table, table_html
from reproduction.pages.page import page_html
from reproduction.pages.prose import Contents, markdown_html

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("report")]
FOLD = UNFOLD.replace("true", "false")
WIDTH = """() => ({
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
})"""
CLIPPED = """() => [...document.querySelectorAll('.table-frame, .prose-box, .plain-output')]
    .filter(box => box.scrollWidth > box.clientWidth + 1)
    .map(box => box.querySelector('table')?.id || box.className)"""
NAMES = """() => ({
    links: [...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href')),
    ids: [...document.querySelectorAll('[id]')].map(part => part.id),
})"""


def observe(chromium, path):
    """Open a page once and note all that the tests below ask; a layout takes a second."""
    page = open_in(chromium, path, "phone")
    seen = {"fits": {}, "clipped": {}} | page.evaluate(NAMES)
    for width, size in WIDTHS.items():
        page.evaluate(FOLD)
        page.set_viewport_size({"width": size, "height": HEIGHT})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            seen["fits"][width, scheme] = page.evaluate(WIDTH)
        page.evaluate(UNFOLD)
        for _ in range(200):  # tables are fitted after the window, when the browser gets to it
            page.wait_for_timeout(50)
            seen["clipped"][width] = page.evaluate(CLIPPED)
            if not seen["clipped"][width]:
                break
    # colours hang on the scheme, boxes on the width: two looks show all of both
    page.evaluate(THIN_OUT)
    seen["faults"] = faults(page)
    page.set_viewport_size({"width": WIDTHS["phone"], "height": HEIGHT})
    page.emulate_media(color_scheme="light")
    seen["faults"] += faults(page, ON_THE_LOOK)
    page.context.close()
    return seen | {"problems": page.problems}


@pytest.fixture(scope="module")
def every_page(chromium, reports):
    """What was seen on every page of the invented report, and of the committed one."""
    paths = [
        page for folder in (reports, ROOT / "reports") for page in sorted(folder.glob("*.html"))
    ]
    # the invented report has frames in place of some pages: one of them stands for all
    frames = [path for path in paths if "<h1>Empty</h1>" in path.read_text(encoding="utf-8")]
    return {path: observe(chromium, path) for path in paths if path not in frames[1:]}


def test_pages_open_cleanly_and_fit(every_page):
    for path, page in every_page.items():
        for (width, scheme), fit in page["fits"].items():
            assert fit["dark"] == (scheme == "dark")
            assert fit["overflow"] <= 0, f"{path.name} is too wide for a {width}"
        for width, clipped in page["clipped"].items():
            assert clipped == [], f"{path.name} on a {width}"
        assert page["problems"] == [], path.name


def test_no_serious_fault_of_accessibility(every_page):
    for path, page in every_page.items():
        assert page["faults"] == [], path.name


def test_no_link_is_broken(every_page):
    for path, page in every_page.items():
        assert page["links"], f"{path.name} has no navigation"
        for link in page["links"]:
            parts = urlparse(link)
            if parts.scheme in ("data", "https", "http"):  # a reader may follow those or not
                continue
            assert parts.scheme == "", f"{path.name} has an odd link {link}"
            if parts.path:
                assert (path.parent / unquote(parts.path)).is_file(), f"{path.name}: {link}"
            else:
                assert unquote(parts.fragment) in page["ids"], f"{path.name}: {link}"


@pytest.mark.parametrize("width", WIDTHS)
def test_a_click_sorts_and_typing_filters(reports, open_page, width):
    page = open_page(reports / "mvplsa.html", width)
    box = page.locator("#table-mvplsa-table-3")

    def column(number):
        rows = f"rows => rows.map(row => row.cells[{number}].innerText.trim())"
        return box.locator("tbody tr:not([hidden])").evaluate_all(rows)

    head, before = box.locator("thead th").nth(1), column(1)
    for order, rows in (
        ("ascending", sorted(before, key=str.casefold)),
        ("descending", sorted(before, key=str.casefold, reverse=True)),
        (None, before),
    ):
        head.locator("button").evaluate("button => button.click()")  # a card has no head
        assert head.get_attribute("aria-sort") == order
        assert column(1) == rows
    field = box.locator("input[type=search]")
    field.click()
    field.type("cornell nbc_v1")
    shown = column(0)
    assert set(shown) == {"Cornell"}
    assert box.locator(".count").inner_text() == f"{len(shown)} of {len(before)} rows"
    field.fill("")
    assert len(column(0)) == len(before)


def test_a_link_into_the_appendix_opens_it_and_its_table_fits(tmp_path, open_page):
    names = [f"a column of this name {n}" for n in range(8)]
    table = table_html(Table("wide", "W", names, [[Cell("a value", "a value")] * 8] * 3, ""))
    contents = Contents()
    body = markdown_html("# T\n\n## Appendix\n\n### First\n\none\n\n### Second", contents)
    path = tmp_path / "article.html"
    path.write_text(page_html(body + table + contents.end(), page="x", stamp={}))
    page = open_page(path, "phone", fragment="second")
    folded = "[...document.querySelectorAll('details.appendix')].map(part => part.open)"
    until(page, f"{folded}[2]")
    assert page.evaluate(folded) == [True, False, True]
    until(page, "document.querySelector('table.data').classList.contains('stacked')")
    box = page.locator(".table-frame")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 1
    assert page.problems == []


def test_a_foreign_script_does_not_run(tmp_path, open_page):
    """The page's own script works; one that came in later does not run."""
    foreign = "<script>document.title = 'taken over'</script></main>"
    ruled = page_html("<h1>Page</h1>", page="index", stamp={}).replace("</main>", foreign)
    assert ruled.index("Content-Security-Policy") < ruled.index("<style")
    titles = []
    for text in (ruled, re.sub(r"<meta http-equiv.*\n", "", ruled)):
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        titles.append(open_page(path, "desktop").title())
    assert titles[0] != "taken over"
    assert titles[1] == "taken over", "the test would not notice a missing policy"
