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
ASKED = {"resultTypes": ["violations"]}
#: Keep two of the rows, marks and cards that are alike but for their text: axe takes minutes
#: for the thousands of a page, and finds the same in each.
THIN_OUT = """() => {
    const seen = new Map();
    const form = part => [part.tagName, part.className.baseVal ?? part.className,
        part.getAttribute('role'), part.getAttribute('style'), ...[...part.children].map(form)];
    for (const part of document.querySelectorAll('tbody tr, .cells > *, .claim, li, svg use')) {
        const mark = JSON.stringify([part.parentElement.className, form(part)]);
        seen.set(mark, (seen.get(mark) ?? 0) + 1);
        if (seen.get(mark) > 2) part.remove();
    }
}"""
#: Mark texts that have the colours, size and weight of two others: their contrast is the same.
#: Those in drawings may lie on anything, and stay.
MARK_ALIKE = """() => {
    const seen = new Map();
    const ground = part => {
        const style = getComputedStyle(part);
        const clear = style.backgroundColor === 'rgba(0, 0, 0, 0)';
        const bare = clear && style.backgroundImage === 'none';
        if (bare && part.parentElement) return ground(part.parentElement);
        return [style.backgroundColor, style.backgroundImage, style.opacity];
    };
    for (const part of document.querySelectorAll('body *:not(svg *)')) {
        part.removeAttribute('data-alike');
        if (part.childElementCount || !part.textContent.trim()) continue;
        const style = getComputedStyle(part);
        const mark = JSON.stringify([part.tagName, style.color, style.fontSize, style.fontWeight,
            style.opacity, style.textShadow, ground(part)]);
        seen.set(mark, (seen.get(mark) ?? 0) + 1);
        if (seen.get(mark) > 2) part.setAttribute('data-alike', '');
    }
}"""
CONTRAST = "color-contrast"
#: One look by all rules, contrast only where texts are not marked: building its picture of a page
#: takes axe as long as most of the rules.
LOOK = """async options => {
    axe.configure({rules: [{id: 'color-contrast', selector: '*:not([data-alike])'}]});
    return (await axe.run(document, options)).violations;
}"""
EMPTY = "<h1>Empty</h1>"
#: Rules whose answer hangs on the colours or on the width of the window; others are asked once.
ON_THE_LOOK = ("scrollable-region-focusable", "target-size", "link-in-text-block", "meta-viewport")


def faults(page, only=()):
    """Serious faults by all rules, or by the contrast and those that are named."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(axe.Axe().axe_script)
    page.evaluate(MARK_ALIKE)
    rules = {"runOnly": [CONTRAST, *only]} if only else {}
    found = page.evaluate(LOOK, ASKED | rules)
    return [
        f"{fault['id']}: {fault['help']} ({node['target'][0]})"
        for fault in found
        if fault["impact"] in SERIOUS
        for node in fault["nodes"][:3]
    ]


def pages_of(folder):
    return sorted(folder.glob("*.html"))


def test_no_serious_fault_on_any_page(chromium, reports):
    """Colours hang on the scheme and boxes on the width: two looks see both of each."""
    for folder in (reports, ROOT / "reports"):
        # the invented report has frames in place of some pages: one stands for all
        written = {EMPTY if EMPTY in path.read_text() else path: path for path in pages_of(folder)}
        for path in written.values():
            page = open_in(chromium, path, "phone", "light")
            page.evaluate(UNFOLD)
            page.evaluate(THIN_OUT)
            assert faults(page) == [], f"{path.name}, phone, light"
            page.set_viewport_size({"width": WIDTHS["desktop"], "height": HEIGHT})
            page.emulate_media(color_scheme="dark")
            assert faults(page, ON_THE_LOOK) == [], f"{path.name}, desktop, dark"
            page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_fault_in_a_card(chromium, reports, scheme):
    cell = read_table(reports / "tables" / "ledger.csv")["cell"].iloc[0]
    page = open_in(chromium, reports / "ledger.html", "desktop", scheme, cell_anchor(cell))
    page.set_viewport_size({"width": WIDTHS["desktop"], "height": HEIGHT})
    assert page.locator(".card").count() == 1
    page.evaluate(THIN_OUT)
    assert faults(page) == []
    page.context.close()


def test_a_fault_among_many_rows_is_found(chromium, tmp_path):
    """Rows that are like others go before axe looks; one that is not like them stays."""
    rows = "".join(f"<tr><td>row {i}</td></tr>" for i in range(50))
    pale = '<tr><td style="color: #ddd; background: #fff">pale</td></tr>'
    path = tmp_path / "page.html"
    head = '<!doctype html><html lang="en"><head><title>t</title></head><body><main><h1>T</h1>'
    path.write_text(f"{head}<table><tbody>{rows}{pale}{rows}</tbody></table></main></body></html>")
    page = open_in(chromium, path, "desktop")
    page.evaluate(THIN_OUT)
    assert page.locator("tr").count() == 3
    assert any("color-contrast" in fault for fault in faults(page))
    page.context.close()
