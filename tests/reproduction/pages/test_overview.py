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
from reproduction.rooms import find_papers, paper_keys
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


def counted_on_the_page(index, ledger):
    """Counts on the page are those of the table: own data, each number once, both readings."""
    own = ledger[(ledger["data"] == "same") & (ledger["repeats"] == "")]
    own = own[~own["agreement"].isin(["not run", "not comparable"])]
    shown = rows_of(index, "verdicts")
    order = [(paper, name) for paper in [*paper_keys(), None] for name in ("text_", "")]
    for row, (paper, prefix) in zip(shown, order, strict=True):
        part = own if paper is None else own[own["paper"] == paper]
        assert int(row["cells"]) == len(part)
        for word in ("equivalent", "compatible", "near", "different", "not run"):
            assert int(row[word]) == (part[f"{prefix}agreement"] == word).sum()


def test_the_counts_on_the_page_are_those_of_the_csv(index, tables):
    counted_on_the_page(index, tables[0])


def test_every_count_has_its_base_rates_beside_it(index, reports):
    for row in rows_of(index, "verdicts"):
        for name in ("shuffled ✓", "median ✓", "elsewhere ✓", "beyond chance ✓", "shuffled ✓~"):
            assert (row[name] == "") == (int(row["cells"]) == 0) or name == "elsewhere ✓"
    counts = read_table(reports / "tables" / "counts.csv")
    assert list(counts["reading"]) == ["as the text says", "inferred"] * (len(paper_keys()) + 1)


def test_every_cell_and_claim_stands_on_the_page(index, tables):
    ledger, claims = tables
    assert len(ledger) == sum(len(load_published(paper)) for paper in paper_keys())
    shown = rows_of(index, "ledger")
    assert [row["cell"] for row in shown] == list(ledger["cell"])
    for title, column in (("agreement", "agreement"), ("text", "text_agreement")):
        assert [row[title].split(" ", 1)[1] for row in shown] == list(ledger[column])
    assert [row["data"] for row in shown] == list(ledger["data"])
    assert [row["id"] for row in rows_of(index, "all-claims")] == list(claims["id"])


def test_the_picture_says_the_same_in_words(index, tables):
    ledger, _ = tables
    alt = index.select_one("#figure-verdicts svg")["aria-label"]
    part = ledger[(ledger["paper"] == "mvplsa") & (ledger["repeats"] == "")]
    own = Counter(part["agreement"])
    told = f"{own['equivalent']} equivalent, {own['compatible']} compatible"
    assert f"cells, inferred reading: {told}" in alt


def test_the_summary_has_the_headline_and_every_claim(reports, tables):
    text = (reports / "SUMMARY.md").read_text(encoding="utf-8")
    ledger, claims = tables
    assert headline(ledger, claims) in text
    assert all(name in text for name in claims["id"])
    own = ledger[(ledger["data"] == "same") & (ledger["repeats"] == "")]
    assert all(cell in text for cell in own.loc[own["agreement"] == "different", "cell"])
    assert (reports / "verdicts.svg").read_text().startswith("<svg")


def test_the_headline_counts(tables):
    ledger, claims = tables
    own = ledger[(ledger["data"] == "same") & (ledger["repeats"] == "")]
    count, text_count = Counter(own["agreement"]), Counter(own["text_agreement"])
    text = headline(ledger, claims)
    assert f"(inferred): **{count['equivalent']} equivalent**" in text
    assert f"as the text says: **{text_count['equivalent']} equivalent**" in text
    assert f"{count['different']} different" in text
    assert f"{len(own)} could be compared on the paper's own data" in text
    assert f"{(ledger['repeats'] != '').sum()} print a number again" in text
    beside = ledger["data"].isin(["subset", "other features"]) & (ledger["repeats"] == "")
    assert f"{beside.sum()} on a part of it or with other features" in text
    shortened = ledger.assign(agreement=["not run", *ledger["agreement"][1:]])
    assert "1 are left out" in headline(shortened, claims)


def test_gaps_choices_and_error_rates_stand_on_the_page(index, reports):
    gaps = read_table(reports / "tables" / "gaps.csv")
    own = gaps[(gaps["data"] == "same") & (gaps["repeats"] == "")]
    last = rows_of(index, "gaps")[-1]
    assert int(last["gaps"]) == len(own)
    assert int(last["same sign"]) == (own["same_sign"] == "yes").sum()
    simulated = read_table(reports / "tables" / "simulated.csv")
    assert len(rows_of(index, "simulated")) == len(simulated)
    choices = rows_of(index, "all-open-choices")
    assert {row["paper"] for row in choices} == {card.short for card in find_papers().values()}
    assert all(row["text reading"] and row["tried"] for row in choices)


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
        assert "equivalent" not in between
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
    ledger = read_table(folder / "tables" / "ledger.csv")
    counted_on_the_page(soup, ledger)
    assert len(ledger) == sum(len(load_published(paper)) for paper in paper_keys())
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert size < 12e6, "the committed report is meant to be a few MB"
