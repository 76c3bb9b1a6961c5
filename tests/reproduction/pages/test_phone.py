"""What a phone shows: labels beside values, the open page in the bar, figures to scroll."""

import pandas as pd
import pytest

from reproduction.pages.figures import figure_html, new_figure
from reproduction.pages.markup import Cell, Table, frame_cells, table_html
from reproduction.pages.page import page_html
from reproduction.pages.prose import markdown_html

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("report")]

LONG = "a label that is much too long for half a line"
OVER = """() => [...document.querySelectorAll('table.stacked td')]
    .filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.dataset.l)"""
MARKED = "() => document.querySelector('.contents [aria-current]')?.textContent"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    frame = pd.DataFrame({"method": ["V1"], **{f"{LONG}, {i}": [123.456] for i in range(6)}})
    frame["words"] = "a text that is long enough to be given all of a line"
    wide = Table("wide", "Wide", list(frame.columns), frame_cells(frame), "")
    compared = '<span class="ours">1.0</span><span class="published none">not published</span>'
    cells = [Cell("V1", "V1"), *(Cell(compared, "1.0", css="cell") for _ in range(9))]
    heads = ["method", *(f"setting {i}, quite long" for i in range(9))]
    drawn, axes = new_figure(width=9.0)
    axes.plot([0, 1], [0, 1], label="line")
    body = "".join(
        [
            '<h1 id="top">Top</h1>',
            table_html(wide),
            table_html(Table("compared", "Compared", heads, [cells], "")),
            figure_html(drawn, "wide figure", "A line."),
            *(f'<h2 id="part-{i}">Part {i}</h2><p style="height:90vh">.</p>' for i in range(5)),
        ]
    )
    contents = [{"id": "top", "text": "Top", "level": 1}]
    contents += [{"id": f"part-{i}", "text": f"Part {i}", "level": 2} for i in range(5)]
    path = tmp_path_factory.mktemp("phone") / "reliability.html"
    path.write_text(page_html(body, page="reliability", contents=contents, stamp={}))
    return path


def test_labels_of_stacked_rows_stand_beside_their_values(page, open_page):
    shown = open_page(page, "phone")
    assert shown.evaluate("() => document.querySelectorAll('table.stacked').length") == 2
    assert shown.evaluate(OVER) == []
    told = "getComputedStyle(document.querySelector('td .published'), '::before').content"
    assert shown.evaluate(told) in ("none", "normal")


def test_values_of_a_stacked_record_stand_at_one_indent(page, open_page):
    shown = open_page(page, "phone")
    for name in ("wide", "compared"):
        places = shown.evaluate(
            """name => [...document.querySelectorAll(`#data-${name} td`)].map(cell => {
                const value = document.createRange();
                value.selectNodeContents(cell);
                return Math.round(value.getBoundingClientRect().left);
            })""",
            name,
        )
        assert len(places) > 5
        assert len(set(places)) == 1, name


def test_marks_beside_a_formula_stay_with_it(tmp_path, open_page):
    prose = "".join(f"{'word ' * n}($x_{n}$), ends with $y^{n}$.\n\n" for n in range(12))
    path = tmp_path / "reliability.html"
    path.write_text(page_html(markdown_html(prose), page="reliability", contents=[], stamp={}))
    shown = open_page(path, "phone")
    assert shown.locator(".kept").count() == 24
    assert shown.evaluate(
        """() => [...document.querySelectorAll('.kept')].every(kept => {
            const last = document.createRange();
            last.selectNodeContents(kept.lastChild);
            const box = kept.querySelector('.math-box').getBoundingClientRect();
            return last.getBoundingClientRect().left >= box.right - 1;
        })"""
    )


def test_the_bar_shows_the_page_that_is_open(page, open_page):
    shown = open_page(page, "phone")
    left, right = shown.evaluate(
        """() => { const at = document.querySelector('.bar [aria-current]').getBoundingClientRect();
            return [at.left, at.right]; }"""
    )
    assert left >= 0
    assert right <= 360


def test_a_wide_figure_keeps_its_text_legible_and_says_that_it_scrolls(page, open_page):
    for width, fits in (("phone", False), ("desktop", True)):
        shown = open_page(page, width)
        told = shown.locator(".plot-more")
        assert told.is_visible() != fits
        size = shown.evaluate(
            """() => { const text = document.querySelector('figure.plot svg text');
                return text.getBoundingClientRect().height; }"""
        )
        assert size >= 9


def test_contents_mark_the_part_that_is_read_also_on_the_way_up(page, open_page):
    shown = open_page(page, "desktop")
    for part in (3, 1, 4, 0):
        shown.evaluate(f"document.getElementById('part-{part}').scrollIntoView()")
        shown.wait_for_function(f"() => ({MARKED})() === 'Part {part}'", timeout=10_000)
