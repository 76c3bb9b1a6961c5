"""No card has a serious fault of accessibility; what axe looks at is not thinned out too far.

Whole pages: :mod:`test_browser`, which opens each once.
"""

import pytest
from accessibility import THIN_OUT, faint_letters, faults
from browser import HEIGHT, WIDTHS, open_in

from reproduction.pages.explorer import cell_anchor
from reproduction.results.rows import read_table

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("report")]


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


DRAWING = """<!doctype html><html lang="en"><body style="background: #fff"><div>
<svg width="300" height="90">
<g opacity="{opacity}"><rect width="300" height="40" fill="#1f9a6b"/></g>
<text x="9" y="25" fill="{ink}">on the bar</text><text x="9" y="80" fill="#888">on the page</text>
</svg></div></body></html>"""


@pytest.mark.parametrize(
    ("ink", "opacity", "faint"),
    [
        ("#fff", 1, ["on the bar: 3.56", "on the page: 3.54"]),
        ("#000", 1, ["on the page: 3.54"]),
        ("#fff", 0, ["on the bar: 1.00", "on the page: 3.54"]),
        ("#595959", 0, ["on the page: 3.54"]),
    ],
)
def test_faint_letters_are_found(chromium, tmp_path, ink, opacity, faint):
    """The ratios are those of the definition, by hand."""
    path = tmp_path / "drawing.html"
    path.write_text(DRAWING.format(ink=ink, opacity=opacity), encoding="utf-8")
    page = open_in(chromium, path, "desktop")
    assert faint_letters(page) == (faint, 2)
    page.context.close()
