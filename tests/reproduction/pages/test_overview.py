import subprocess
from collections import Counter

import pytest
from bs4 import BeautifulSoup
from results_tree import ROOT

from reproduction.pages.overview import (
    README_END,
    README_START,
    headline,
    readme_block,
    update_readme,
)
from reproduction.results.published import load_published
from reproduction.results.rows import read_table
from reproduction.rooms import paper_keys
from reproduction.workflow.commands import main

pytestmark = pytest.mark.xdist_group("report")  # the report is made once


@pytest.fixture(scope="module")
def tables(reports):
    return [read_table(reports / "tables" / f"{name}.csv") for name in ("ledger", "claims")]


@pytest.fixture(scope="module")
def index(reports):
    return BeautifulSoup((reports / "index.html").read_text(encoding="utf-8"), "html.parser")


def rows_of(soup, name):
    head = [th.text for th in soup.select(f"#table-{name} thead th")]
    return [
        dict(zip(head, (c.text for c in tr.find_all(["th", "td"])), strict=True))
        for tr in soup.select(f"#table-{name} tbody tr")
    ]


def counted_on_the_page(index, ledger, claims):
    shown = rows_of(index, "verdicts")
    for row, paper in zip(shown, [*paper_keys(), None], strict=True):
        own = ledger if paper is None else ledger[ledger["paper"] == paper]
        said = claims if paper is None else claims[claims["paper"] == paper]
        assert int(row["cells"]) == len(own)
        said = said[said["counts"] == "yes"]
        assert int(row["claims"]) == len(said)
        for verdict in ("reproduced", "close", "differs", "not comparable"):
            assert int(row[verdict]) == (own["verdict"] == verdict).sum()
        for verdict in ("holds", "refuted", "undecided", "uninformative", "untestable"):
            assert int(row[verdict]) == (said["verdict"] == verdict).sum()


def test_the_counts_on_the_page_are_those_of_the_csv(index, tables):
    counted_on_the_page(index, *tables)


def test_every_cell_and_claim_stands_on_the_page(index, tables):
    ledger, claims = tables
    assert len(ledger) == sum(len(load_published(paper)) for paper in paper_keys())
    shown = rows_of(index, "ledger")
    assert [row["cell"] for row in shown] == list(ledger["cell"])
    assert [row["verdict"].split(" ", 1)[1] for row in shown] == list(ledger["verdict"])
    assert [row["id"] for row in rows_of(index, "all-claims")] == list(claims["id"])


def test_the_picture_says_the_same_in_words(index, tables):
    ledger, _ = tables
    alt = index.select_one("#figure-verdicts svg")["aria-label"]
    own = Counter(ledger.loc[ledger["paper"] == "mvplsa", "verdict"])
    assert f"MVPLSA: cells {own['reproduced']} reproduced, {own['close']} close" in alt


def test_the_summary_has_the_headline_and_every_claim(reports, tables):
    text = (reports / "SUMMARY.md").read_text(encoding="utf-8")
    ledger, claims = tables
    assert headline(ledger, claims) in text
    assert all(name in text for name in claims["id"])
    assert all(cell in text for cell in ledger.loc[ledger["verdict"] == "differs", "cell"])
    assert (reports / "verdicts.svg").read_text().startswith("<svg")


def test_the_headline_counts(tables):
    ledger, claims = tables
    count = Counter(ledger["verdict"])
    text = headline(ledger, claims)
    assert f"**{count['reproduced']} reproduced**" in text
    assert f"**{count['differs']} different**" in text
    own = claims[claims["counts"] == "yes"]
    held = int((own["verdict"] == "holds").sum())
    assert f"Of {len(claims)} claims in the authors' sentences, {len(own)} could be" in text
    assert f"**{held} hold" in text
    ours = claims.assign(origin="ours", counts="no")
    assert "No sentence of the authors is tested" in headline(ledger, ours)
    shortened = ledger.assign(verdict=["not run", *ledger["verdict"][1:]])
    assert "1 are left out" in headline(shortened, claims)


def test_readme_is_updated_between_its_markers(tmp_path, tables, capsys):
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{README_START}\nstale\n{README_END}\nafter\n")
    assert update_readme(readme, *tables)
    text = readme.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "stale" not in text
    assert headline(*tables) in text
    assert not update_readme(readme, *tables)
    readme.write_text("no markers")
    with pytest.raises(ValueError, match="lacks the markers"):
        update_readme(readme, *tables)
    assert main(["readme", "--readme", str(readme), "--tables", str(tmp_path)]) == 2
    assert "run the workflow first" in capsys.readouterr().err


def run_of_ones_own() -> bool:
    """Whether `make` has written other reports than the committed ones."""
    changed = ["git", "diff", "--quiet", "HEAD", "--", "reports/tables"]
    return subprocess.run(changed, cwd=ROOT, check=False, capture_output=True).returncode == 1


def test_the_committed_readme_agrees_with_the_committed_ledger():
    """Holds when no run is committed yet: README then shows no numbers either."""
    if run_of_ones_own():
        pytest.skip("reports/ holds a run of your own; README speaks of the committed one")
    folder = ROOT / "reports" / "tables"
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    if not (folder / "ledger.csv").is_file():
        between = text.partition(README_START)[2].partition(README_END)[0]
        assert "reproduced" not in between
        return
    ledger, claims = (read_table(folder / f"{name}.csv") for name in ("ledger", "claims"))
    assert readme_block(ledger, claims) in text, "run `python -m reproduction readme`"


def test_the_committed_page_agrees_with_the_committed_ledger():
    folder = ROOT / "reports"
    pages = [folder / "index.html", folder / "tables" / "ledger.csv"]
    there = [path.is_file() for path in pages]
    assert all(there) or not any(there), "commit the overview and its tables together"
    if not all(there):
        return
    soup = BeautifulSoup(pages[0].read_text(encoding="utf-8"), "html.parser")
    ledger, claims = (
        read_table(folder / "tables" / f"{name}.csv") for name in ("ledger", "claims")
    )
    counted_on_the_page(soup, ledger, claims)
    assert len(ledger) == sum(len(load_published(paper)) for paper in paper_keys())
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert size < 12e6, "the committed report is meant to be a few MB"
