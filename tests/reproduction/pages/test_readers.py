"""Five questions of readers, each answered by clicks that start on the front page."""

import re

import pytest
from browser import PATIENCE
from playwright.sync_api import expect

from reproduction.results.rows import read_table

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("report")]


@pytest.fixture(scope="module")
def ledger(reports):
    return read_table(reports / "tables" / "ledger.csv")


@pytest.fixture
def front(reports, open_page):
    return open_page(reports / "index.html", "desktop")


def test_does_mvplsas_figure_on_cornell_hold(front, ledger):
    """Explore, type what one remembers, open the row: print, ours and the verdict stand there."""
    front.click("text=Explore all")
    front.fill("#cells-query", "mvplsa cornell r=0.01 table 3")
    expect(front.locator("#cells-count")).to_contain_text(" of ", timeout=PATIENCE)
    front.click("#cells > li:not([hidden]) > a")
    row = ledger[ledger["cell"] == "mvplsa/3/Cornell/r=0.01/MVPLSA/accuracy_pct"].iloc[0]
    card = front.locator(".card").inner_text()
    assert f"{row['published']:.1f}" in card
    assert f"{row['ours']:.1f}" in card
    assert row["agreement"] in card


def test_why_does_a_paper_not_reproduce(front):
    """Its card has the main claim with its words; the claim leads to its own card, with reasons."""
    card = front.locator("#paper-mvplsa")
    assert card.locator(".claim-strip a").count() > 0
    assert card.locator(".lead, .main-claim").count() > 0
    card.locator(".claim-strip a").first.click()
    front.wait_for_load_state()
    claim = front.locator(".claim:target")
    assert claim.locator(".three .badge").count() == 3
    claim.locator("summary").click()
    assert claim.locator(".reason").first.inner_text().strip()


def test_which_method_is_best_on_wikipedia(front, ledger):
    """Search the data set, order by ours: the first row is the best method."""
    front.click("text=Explore all")
    front.fill("#cells-query", "wikipedia map_at_10")
    front.select_option("#cells-sort", "ours")
    first = front.locator("#cells > li:not([hidden])").first
    part = ledger[ledger["cell"].str.contains("ikipedia") & (ledger["metric"] == "map_at_10")]
    best = part.loc[part["ours"].idxmax()]
    # typing is awaited, however long the browser takes
    expect(first).to_have_attribute("id", f"cell/{best['cell']}", timeout=PATIENCE)
    assert best["method"] in first.inner_text()


def test_where_did_this_data_come_from(front):
    """From the front page in one click; from a cell's card in one."""
    start = front.url
    front.click("text=Where the data came from")
    assert front.url.endswith("data.html")
    front.goto(start)  # going back fails where the new page has not taken the window over yet
    front.click("text=Explore all")
    front.click("#cells > li > a")
    card = front.locator(".card")
    assert re.search(r"Data\s+\S+.*from", card.inner_text())
    assert card.locator("a[href^='data.html']").count() == 1


def test_how_do_i_rerun_this_cell(front, ledger):
    front.click("text=Explore all")
    front.click("#cells > li > a")
    told = front.locator(".card pre").inner_text()
    row = ledger.iloc[0]
    assert f"snakemake --cores all {row['target']}" in told
    assert f"python -m reproduction explain {row['cell']}" in told
