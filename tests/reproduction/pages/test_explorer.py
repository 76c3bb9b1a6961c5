"""The explorer: what its data block holds, and what a reader does with it in a browser."""

import json

import numpy as np
import pytest
from browser import open_in
from bs4 import BeautifulSoup

from reproduction.pages.explorer import cell_anchor, runs_behind
from reproduction.pages.results import load_ledger
from reproduction.results.rows import read_table

pytestmark = pytest.mark.xdist_group("report")  # the report is made once


@pytest.fixture(scope="module")
def ledger(reports):
    return read_table(reports / "tables" / "ledger.csv")


@pytest.fixture(scope="module")
def block(reports):
    soup = BeautifulSoup((reports / "ledger.html").read_text(encoding="utf-8"), "html.parser")
    return json.loads(soup.select_one("#cells-data").string)


def test_the_block_holds_the_ledger(block, ledger):
    for name, facet in block["facets"].items():
        words = [facet["words"][place] for place in facet["at"]]
        if name == "table":
            assert [word.rpartition(", ")[2].removeprefix("Table ") for word in words] == list(
                ledger["table"]
            )
        else:
            assert words == list(ledger[name])
    for name, values in block["numbers"].items():
        found = np.array([np.nan if v is None else v for v in values], dtype=float)
        assert np.allclose(found, ledger[name].to_numpy(dtype=float), rtol=1e-5, equal_nan=True)


def test_the_runs_of_a_cell_have_its_mean(results):
    ledger = load_ledger()
    runs = runs_behind(ledger)
    assert len(runs) == len(ledger)
    assert sum(map(bool, runs)) > len(ledger) / 2
    for values, (_, row) in zip(runs, ledger.iterrows(), strict=True):
        if values:
            assert len(values) == row["runs"]
            assert np.mean(values) == pytest.approx(row["ours"])


def shown(page):
    return page.eval_on_selector_all(
        "#cells > li:not([hidden])", "all => all.map(li => li.id.slice(5))"
    )


def hash_of(page):
    return page.evaluate("location.hash")


@pytest.fixture
def explorer(reports, open_page):
    return open_page(reports / "ledger.html", "desktop")


@pytest.fixture(scope="module")
def asked(reports, chromium):
    """The page for many questions, one after the other."""
    page = open_in(chromium, reports / "ledger.html", "desktop")
    yield page
    page.context.close()


def expected(ledger, **criteria):
    part = ledger
    for column, value in criteria.items():
        part = part[part[column] == value]
    return list(part["cell"])


@pytest.mark.browser
@pytest.mark.parametrize(
    ("query", "criteria"),
    [
        ("Cornell MVPLSA", {"dataset": "Cornell", "method": "MVPLSA"}),
        ("different", {"agreement": "different"}),
        ("table 3 cornell", {"table": "3", "dataset": "Cornell"}),
        ("not comparable", {"agreement": "not comparable"}),
        ("no such word", None),
    ],
)
def test_words_mean_what_bears_them(asked, ledger, query, criteria):
    asked.fill("#cells-query", query)
    wanted = [] if criteria is None else expected(ledger, **criteria)
    assert shown(asked) == wanted
    assert asked.locator("#cells-none").is_visible() == (not wanted)
    assert asked.problems == []


@pytest.mark.browser
def test_facets_narrow_and_the_address_keeps_the_choice(reports, explorer, ledger, open_page):
    page = explorer
    page.check("#cells-facets input[value=mvplsa]")
    page.locator("details", has_text="Metric").last.locator("summary").click()
    page.check("#cells-facets input[value=accuracy_pct]")
    wanted = expected(ledger, paper="mvplsa", metric="accuracy_pct")
    assert shown(page) == wanted
    assert f"{len(wanted)} of {len(ledger)} cells" in page.inner_text("#cells-count")
    address = hash_of(page)
    again = open_page(reports / "ledger.html", "phone", fragment=address[1:])
    assert shown(again) == wanted
    again.locator(".chip", has_text="Metric").click()
    assert shown(again) == expected(ledger, paper="mvplsa")
    again.go_back()
    again.wait_for_function(
        "n => document.querySelectorAll('#cells > li:not([hidden])').length === n", arg=len(wanted)
    )
    assert shown(again) == wanted


@pytest.mark.browser
@pytest.mark.parametrize("width", ["phone", "desktop"])
def test_a_link_opens_the_card_of_a_cell(reports, ledger, open_page, width):
    row = ledger[(ledger["method"] == "MVPLSA") & (ledger["table"] == "3")].iloc[0]
    page = open_page(reports / "ledger.html", width, fragment=cell_anchor(row["cell"]))
    card = page.locator(".card")
    assert card.count() == 1
    text = card.inner_text()
    for part in (row["cell"], row["agreement"], "Rerun", "snakemake", row["seed"], "95 % interval"):
        assert part in text
    assert card.locator("svg.strip .m-run").count() == row["runs"]
    assert page.evaluate(
        "() => { const r = document.querySelector('li.open').getBoundingClientRect();"
        " return r.top >= 0 && r.top < innerHeight }"
    )
    assert page.problems == []


@pytest.mark.browser
def test_the_keyboard_alone_works_it(explorer, ledger):
    page = explorer
    page.focus("#cells-query")
    page.keyboard.type("cornell mvplsa")
    page.keyboard.press("Enter")  # to the first row
    cells = expected(ledger, dataset="Cornell", method="MVPLSA")
    focused = "document.activeElement.closest('li')?.id"
    assert page.evaluate(focused) == f"cell/{cells[0]}"
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == f"cell/{cells[1]}"
    page.keyboard.press("End")
    assert page.evaluate(focused) == f"cell/{cells[-1]}"
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    assert page.locator(".card").count() == 1
    assert hash_of(page).startswith("#cell/")
    page.keyboard.press("Escape")
    assert page.locator(".card").count() == 0
    assert page.evaluate(focused) == f"cell/{cells[0]}"
    stops = page.eval_on_selector_all("#cells a", "all => all.filter(a => a.tabIndex === 0).length")
    assert stops == 1
    assert page.problems == []


@pytest.mark.browser
def test_rows_are_there_without_a_script(chromium, reports, ledger):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((reports / "ledger.html").as_uri())
    assert page.locator("#cells > li").count() == len(ledger)
    context.close()
