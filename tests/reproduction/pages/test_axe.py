"""No page has a serious fault of accessibility, in light or in dark mode."""

import pytest
from browser import HEIGHT, UNFOLD, WIDTHS, open_in
from results_tree import ROOT

from reproduction.pages.explorer import cell_anchor
from reproduction.results.rows import read_table

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("report")]
axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright",
    reason="axe is not installed; run `pip install -e .[dev]`",
)
SERIOUS = ("serious", "critical")


def faults(page):
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{fault['id']}: {fault['help']} ({node['target'][0]})"
        for fault in found
        if fault["impact"] in SERIOUS
        for node in fault["nodes"][:3]
    ]


# Colours hang on the scheme and boxes on the width: two looks see both of each.
@pytest.mark.parametrize(("width", "scheme"), [("phone", "light"), ("desktop", "dark")])
def test_no_serious_fault_on_any_page(chromium, reports, scheme, width):
    committed = ROOT / "reports"
    for folder in (reports, committed):
        for path in sorted(folder.glob("*.html")):
            page = open_in(chromium, path, width, scheme)
            page.evaluate(UNFOLD)
            assert faults(page) == [], f"{path.name}, {scheme}, {width}"
            page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_fault_in_a_card(chromium, reports, scheme):
    cell = read_table(reports / "tables" / "ledger.csv")["cell"].iloc[0]
    page = open_in(chromium, reports / "ledger.html", "desktop", scheme, cell_anchor(cell))
    page.set_viewport_size({"width": WIDTHS["desktop"], "height": HEIGHT})
    assert page.locator(".card").count() == 1
    assert faults(page) == []
    page.context.close()
