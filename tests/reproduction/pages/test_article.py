"""Pages as articles: figures with numbers, an appendix that links, readers and printers open."""

import pytest
from browser import HEIGHT, WIDTHS, until
from results_tree import ROOT

from reproduction.pages.article import as_article, fold_appendix, number_figures
from reproduction.pages.markup import Cell, Table, table_html
from reproduction.pages.page import page_html

MEGABYTE = 1_000_000
COMMITTED = sorted((ROOT / "reports").glob("*.html"))


def figure(name):
    return f'<figure id="{name}"><figcaption>What {name} shows.</figcaption></figure>'


def test_figures_are_numbered_in_the_order_of_the_page():
    text = number_figures(f"<p>x</p>{figure('a')}<p>y</p>{figure('b')}")
    assert "<b>Figure 1.</b> What a shows." in text
    assert "<b>Figure 2.</b> What b shows." in text
    assert number_figures("<p>none</p>") == "<p>none</p>"


BODY = (
    '<h1 id="top">T</h1>\n<h2 id="claims">Claims</h2>\n<h3 id="ours">Ours</h3>\n<p>seen</p>\n'
    '<h2 id="appendix">Appendix</h2>\n<p>opening</p>\n'
    '<h3 id="first">First</h3>\n<p id="inside">one</p>\n<h3 id="second">Second</h3>\n<p>two</p>\n'
)


def test_each_section_of_the_appendix_is_folded():
    text = fold_appendix(BODY)
    assert text.count('<details class="appendix">') == text.count("</details>") == 2
    before = text.partition("<details")[0]
    assert all(word in before for word in ("Ours", "seen", "opening"))
    assert '<summary><h3 id="second">Second</h3></summary>' in text
    plain = BODY.replace("appendix", "other")
    assert fold_appendix(plain) == plain


@pytest.fixture
def article(tmp_path):
    """A page with a folded table that is wider than a phone."""
    names = [f"a column of this name {n}" for n in range(8)]
    rows = [[Cell("a value", "a value")] * len(names)] * 3
    table = table_html(Table("wide", "A wide table", names, rows, ""))
    body = as_article(BODY + table + '<p><a id="link" href="#inside">there</a></p>')
    ids = ("claims", "appendix", "first", "second")
    contents = [{"id": name, "text": name, "level": 2} for name in ids]
    path = tmp_path / "article.html"
    path.write_text(page_html(body, page="x", contents=contents, stamp={}), encoding="utf-8")
    return path


OPEN = "[...document.querySelectorAll('details.appendix')].map(part => part.open)"


@pytest.mark.browser
def test_a_link_into_the_appendix_opens_it(article, open_page):
    page = open_page(article, "desktop")
    assert page.evaluate(OPEN) == [False, False]
    page.click(".contents a[href='#first']")
    until(page, f"{OPEN}[0]")
    assert page.evaluate(OPEN) == [True, False]
    arrived = open_page(article, "phone", fragment="second")
    until(arrived, f"{OPEN}[1]")
    assert arrived.evaluate(OPEN) == [False, True]
    assert arrived.problems == []


@pytest.mark.browser
def test_a_table_fits_when_its_part_opens(article, open_page):
    page = open_page(article, "phone")
    page.click("#second")
    until(page, "document.querySelector('table.data').classList.contains('stacked')")
    box = page.locator(".table-frame")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 1


@pytest.mark.browser
def test_paper_shows_every_part_and_the_screen_closes_them_again(article, open_page):
    page = open_page(article, "desktop")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(OPEN) == [True, True]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(OPEN) == [False, False]


@pytest.mark.browser
def test_the_contents_stand_beside_the_text_where_there_is_room(article, open_page):
    page = open_page(article, "desktop")
    contents, text = (page.locator(name).bounding_box() for name in (".contents", ".text"))
    assert contents["x"] + contents["width"] <= text["x"]
    assert page.locator(".contents a").first.is_visible()
    page.set_viewport_size({"width": WIDTHS["phone"], "height": HEIGHT})
    until(page, "!document.querySelector('.contents').open")
    contents, text = (page.locator(name).bounding_box() for name in (".contents", ".text"))
    assert contents["y"] + contents["height"] <= text["y"]


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.stem)
def test_a_committed_page_is_light(path):
    assert path.stat().st_size <= 1.5 * MEGABYTE
