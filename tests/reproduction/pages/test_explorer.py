"""The explorer: what its data block holds, and what a reader does with it in a browser."""

import json

import numpy as np
import pytest
from bs4 import BeautifulSoup

from reproduction.pages.tables import cell_anchor
from reproduction.results.rows import read_table

pytestmark = pytest.mark.xdist_group("report")  # the report is made once


@pytest.fixture(scope="module")
def ledger(reports):
    return read_table(reports / "tables" / "ledger.csv")


def test_the_block_holds_the_ledger(reports, ledger):
    soup = BeautifulSoup((reports / "ledger.html").read_text(encoding="utf-8"), "html.parser")
    block = json.loads(soup.select_one("#cells-data").string)
    for name, facet in block["facets"].items():
        words = [facet["words"][place] for place in facet["at"]]
        if name == "table":
            words = [word.rpartition(", ")[2].removeprefix("Table ") for word in words]
        assert words == list(ledger[name])
    for name, values in block["numbers"].items():
        found = np.array([np.nan if v is None else v for v in values], dtype=float)
        assert np.allclose(found, ledger[name].to_numpy(dtype=float), rtol=1e-5, equal_nan=True)


def shown(page):
    return page.eval_on_selector_all(
        "#cells > li:not([hidden])", "all => all.map(li => li.id.slice(5))"
    )


def expected(ledger, **criteria):
    for column, value in criteria.items():
        ledger = ledger[ledger[column] == value]
    return list(ledger["cell"])


@pytest.mark.browser
def test_words_mean_what_bears_them(reports, open_page, ledger):
    page = open_page(reports / "ledger.html", "desktop")
    for query, criteria in (
        ("Cornell MVPLSA", {"dataset": "Cornell", "method": "MVPLSA"}),
        ("table 3 cornell", {"table": "3", "dataset": "Cornell"}),
        ("not comparable", {"agreement": "not comparable"}),
        ("pubmed concatenation", {"data_key": "pubmed", "method": "V12"}),
        ("no such word", {"dataset": "none"}),
    ):
        page.fill("#cells-query", query)
        wanted = expected(ledger, **criteria)
        assert shown(page) == wanted
        assert page.locator("#cells-none").is_visible() == (not wanted)
    assert page.problems == []


@pytest.mark.browser
def test_facets_narrow_and_the_address_keeps_the_choice(reports, ledger, open_page):
    page = open_page(reports / "ledger.html", "desktop")
    page.check("#cells-facets input[value=mvplsa]")
    page.locator("details", has_text="Metric").last.locator("summary").click()
    page.check("#cells-facets input[value=accuracy_pct]")
    wanted = expected(ledger, paper="mvplsa", metric="accuracy_pct")
    assert shown(page) == wanted
    assert f"{len(wanted)} of {len(ledger)} cells" in page.inner_text("#cells-count")
    address = page.evaluate("location.hash")
    again = open_page(reports / "ledger.html", "phone", fragment=address[1:])
    assert shown(again) == wanted
    again.locator(".chip", has_text="Metric").click()
    assert shown(again) == expected(ledger, paper="mvplsa")


@pytest.mark.browser
@pytest.mark.parametrize("width", ["phone", "desktop"])
def test_a_link_opens_the_card_of_a_cell(reports, ledger, open_page, width):
    row = ledger[(ledger["method"] == "MVPLSA") & (ledger["table"] == "3")].iloc[0]
    page = open_page(reports / "ledger.html", width, fragment=cell_anchor(row["cell"]))
    (card,) = page.locator(".card").all()
    text = card.inner_text()
    numbers = (f"{row['published']:.1f}", f"{row['ours']:.1f}", "95 % interval", row["agreement"])
    told = (f"snakemake --cores all {row['target']}", f"reproduction explain {row['cell']}")
    for part in (*numbers, *told, row["cell"], row["seed"]):
        assert part in text
    assert card.locator("a[href^='data.html']").count() == 1
    assert card.locator("svg.strip .m-ours").count() == 1
    top = page.evaluate("document.querySelector('li.open').getBoundingClientRect().top")
    assert 0 <= top < page.viewport_size["height"]
    assert page.problems == []


@pytest.mark.browser
def test_the_keyboard_alone_works_it(reports, open_page, ledger):
    page = open_page(reports / "ledger.html", "desktop")
    page.focus("#cells-query")
    page.keyboard.type("cornell mvplsa")
    cells = expected(ledger, dataset="Cornell", method="MVPLSA")
    for key, cell in (("Enter", 0), ("ArrowDown", 1), ("End", -1), ("Home", 0)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.closest('li').id") == f"cell/{cells[cell]}"
    page.keyboard.press("Enter")
    assert page.locator(".card").count() == 1
    assert page.evaluate("location.hash").startswith("#cell/")
    page.keyboard.press("Escape")
    assert page.locator(".card").count() == 0
    assert page.evaluate("document.activeElement.closest('li').id") == f"cell/{cells[0]}"
    stops = page.eval_on_selector_all("#cells a", "all => all.filter(a => a.tabIndex === 0).length")
    assert stops == 1
    page.select_option("#cells-sort", "ours")
    part = ledger[ledger["cell"].isin(cells) & ledger["ours"].notna()]
    assert shown(page)[0] == part.loc[part["ours"].idxmax(), "cell"]
    assert page.problems == []
