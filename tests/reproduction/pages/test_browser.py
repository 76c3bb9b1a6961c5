"""Open the pages as a reader does: Chromium, phone and desktop, light and dark."""

import re
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from accessibility import ON_THE_LOOK, THIN_OUT, faults
from browser import HEIGHT, UNFOLD, WIDTHS, open_in, until
from results_tree import ROOT

from reproduction.pages.explorer import cell_anchor
from reproduction.pages.markup import FEW, Cell, Table, table_html
from reproduction.pages.page import page_html
from reproduction.pages.prose import Contents, markdown_html
from reproduction.results.rows import read_table

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("report")]


@pytest.fixture(scope="module")
def folders(reports):
    """The invented report, and the committed one when there is one."""
    committed = ROOT / "reports"
    return [reports, *([committed] if (committed / "index.html").is_file() else [])]


SCHEMES = ("light", "dark")
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
#: All tables of a page take each step before any is looked at: a page is laid out once a step.
SORT_AND_FILTER = """() => {
    const boxes = [...document.querySelectorAll('.table-box')];
    const look = () => boxes.map(box => ({
        rows: box.querySelectorAll('tbody tr').length,
        ascending: box.querySelectorAll('th[aria-sort=ascending]').length,
        visible: [...box.querySelectorAll('tbody tr')].filter(row => row.offsetHeight).length,
    }));
    const fields = boxes.map(box => [...box.querySelectorAll('input[type=search]')]);
    const usable = fields.map(found => found.filter(
        field => field.checkVisibility() && !field.disabled && !field.readOnly).length);
    const before = look();
    for (const box of boxes) box.querySelector('thead button').click();
    const sorted = look();
    for (const field of fields.flat()) {
        field.value = 'no row has this text';
        field.dispatchEvent(new InputEvent('input', {bubbles: true}));
    }
    const filtered = look();
    return boxes.map((box, i) => ({
        fields: fields[i].length, usable: usable[i],
        before: before[i], sorted: sorted[i], filtered: filtered[i],
    }));
}"""
SHOW_ALL = """() => {
    for (const field of document.querySelectorAll('.table-box input[type=search]')) {
        field.value = '';
        field.dispatchEvent(new InputEvent('input', {bubbles: true}));
    }
}"""


def observe(chromium, path):
    """Open a page once and note all that the tests below ask; a layout takes a second."""
    page = open_in(chromium, path, "phone")
    seen = {"fits": {}, "clipped": {}}
    seen |= page.evaluate(NAMES)
    schemes = [*SCHEMES]
    for width in WIDTHS:
        page.evaluate(FOLD)
        page.set_viewport_size({"width": WIDTHS[width], "height": HEIGHT})
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            seen["fits"][width, scheme] = page.evaluate(WIDTH)
        schemes.reverse()  # the next width starts where this one ends
        page.evaluate(UNFOLD)
        for _ in range(200):  # tables are fitted after the window, when the browser gets to it
            page.wait_for_timeout(50)
            seen["clipped"][width] = page.evaluate(CLIPPED)
            if not seen["clipped"][width]:
                break
    page.emulate_media(color_scheme="light")
    seen["tables"] = page.evaluate(SORT_AND_FILTER)
    page.evaluate(SHOW_ALL)
    seen["faults"] = look_with_axe(page)
    page.context.close()
    return seen | {"problems": page.problems}


def look_with_axe(page):
    """Serious faults in two looks: colours hang on the scheme, boxes on the width."""
    page.evaluate(THIN_OUT)
    found = {"desktop, light": faults(page)}
    page.set_viewport_size({"width": WIDTHS["phone"], "height": HEIGHT})
    page.emulate_media(color_scheme="dark")
    return found | {"phone, dark": faults(page, ON_THE_LOOK)}


@pytest.fixture(scope="module")
def every_page(chromium, folders):
    """What was seen on every page."""
    paths = [page for folder in folders for page in sorted(folder.glob("*.html"))]
    # the invented report has frames in place of some pages: one of them stands for all
    frames = [path for path in paths if "<h1>Empty</h1>" in path.read_text(encoding="utf-8")]
    return {path: observe(chromium, path) for path in paths if path not in frames[1:]}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_pages_open_cleanly_and_fit(every_page, width, scheme):
    for path, page in every_page.items():
        fit = page["fits"][width, scheme]
        assert fit["dark"] == (scheme == "dark")
        assert fit["overflow"] <= 0, f"{path.name} is {fit['overflow']} px too wide for a {width}"
        assert page["problems"] == [], path.name


def test_no_serious_fault_of_accessibility(every_page):
    for path, page in every_page.items():
        for look, found in page["faults"].items():
            assert found == [], f"{path.name}, {look}"


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


def column(page, table, number):
    return page.eval_on_selector_all(
        f"#data-{table} tbody tr:not([hidden])",
        "(rows, n) => rows.map(row => row.cells[n].innerText.trim())",
        number,
    )


def test_a_click_sorts(reports, open_page):
    page = open_page(reports / "index.html", "desktop")
    head = page.locator("#data-papers thead th").nth(1)
    before = column(page, "papers", 1)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert column(page, "papers", 1) == sorted(before, key=int)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column(page, "papers", 1) == sorted(before, key=int, reverse=True)
    head.locator("button").click()
    assert column(page, "papers", 1) == before


@pytest.mark.parametrize("width", WIDTHS)
def test_typing_filters(reports, open_page, width):
    page = open_page(reports / "mvplsa.html", width)
    box = page.locator("#table-mvplsa-table-3")
    rows = box.locator("tbody tr").count()
    field = box.locator("input[type=search]")
    field.click()
    field.type("cornell nbc_v1")
    shown = column(page, "mvplsa-table-3", 0)
    assert shown
    assert set(shown) == {"Cornell"}
    assert box.locator(".count").inner_text() == f"{len(shown)} of {rows} rows"
    field.fill("")
    assert box.locator(".count").inner_text() == f"{rows} rows"
    assert len(column(page, "mvplsa-table-3", 0)) == rows


@pytest.mark.parametrize("width", WIDTHS)
def test_no_table_is_clipped(every_page, width):
    for path, page in every_page.items():
        assert page["clipped"][width] == [], f"{path.name} on a {width}"


def test_every_table_of_every_page_sorts_and_filters(every_page):
    assert any(page["tables"] for page in every_page.values())
    for path, page in every_page.items():
        for table in page["tables"]:
            before, sorted_once = table["before"], table["before"] | {"ascending": 1}
            assert before["visible"] == before["rows"], path.name
            assert table["sorted"] == sorted_once, path.name
            assert table["fields"] == table["usable"] == (before["rows"] > FEW), path.name
            left = {"visible": 0} if table["fields"] else {}
            assert table["filtered"] == sorted_once | left, path.name
        assert page["problems"] == [], path.name


def test_a_download_is_what_the_table_holds(reports, open_page):
    page = open_page(reports / "reading.html", "desktop")
    with page.expect_download() as waiting:
        page.locator("#table-simulated .downloads a", has_text="CSV").click()
    saved = waiting.value
    assert saved.suggested_filename == "simulated.csv"
    text = Path(saved.path()).read_text(encoding="utf-8")
    header = text.splitlines()[0].split(",")
    assert header == page.locator("#data-simulated thead th").all_inner_texts()
    assert len(text.splitlines()) == 1 + page.locator("#data-simulated tbody tr").count()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_serious_fault_in_a_card(open_page, reports, scheme):
    cell = read_table(reports / "tables" / "ledger.csv")["cell"].iloc[0]
    page = open_page(reports / "ledger.html", "desktop", scheme, cell_anchor(cell))
    assert page.locator(".card").count() == 1
    page.evaluate(THIN_OUT)
    assert faults(page) == []


def test_a_link_into_the_appendix_opens_it_and_its_table_fits(tmp_path, open_page):
    names = [f"a column of this name {n}" for n in range(8)]
    table = table_html(Table("wide", "W", names, [[Cell("a value", "a value")] * 8] * 3, ""))
    contents = Contents()
    body = markdown_html("# T\n\n## Appendix\n\n### First\n\none\n\n### Second", contents)
    path = tmp_path / "article.html"
    path.write_text(page_html(body + table + contents.end(), page="x", stamp={}))
    page = open_page(path, "phone", fragment="second")
    folded = "[...document.querySelectorAll('details.appendix')].map(part => part.open)"
    until(page, f"{folded}[1]")
    assert page.evaluate(folded) == [False, True]
    until(page, "document.querySelector('table.data').classList.contains('stacked')")
    box = page.locator(".table-frame")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 1
    assert page.problems == []


def test_a_foreign_script_does_not_run(tmp_path, open_page):
    """The page's own script works; one that came in later does not run."""
    foreign = "<script>document.title = 'taken over'</script>"
    ruled = page_html("<h1>Page</h1>", page="index", stamp={}).replace(
        "</main>", f"{foreign}</main>"
    )
    assert ruled.index("Content-Security-Policy") < ruled.index("<style")
    titles = []
    for text in (ruled, re.sub(r"<meta http-equiv.*\n", "", ruled)):
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        titles.append(open_page(path, "desktop").title())
    assert titles[0] != "taken over"
    assert titles[1] == "taken over", "the test would not notice a missing policy"
