"""Everything about one published cell, from what is there."""

import pytest
from results_tree import Tree, stamp_result

from reproduction.results.rows import read_table, table_text
from reproduction.verdicts.explain import REPORTED, explain, find_cell, read_ledger
from reproduction.workflow.commands import main

CELL = "mvplsa/3/Cornell/r=0.01/NBC_V1/accuracy_pct"


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path, papers=("mvplsa",))


@pytest.fixture
def report(tmp_path, tree):
    """The table that a report carries; the results behind it are elsewhere."""
    tree.score("mvplsa")
    path = tmp_path / "reports" / "ledger.csv"
    path.parent.mkdir()
    path.write_bytes((tree.results / "mvplsa" / "ledger.csv").read_bytes())
    return path


def test_it_tells_all_about_a_cell(tree, capsys):
    tree.score("mvplsa")
    text = explain(CELL, tree.results)
    for part in ("82.06 ± 3.74 over 20 runs", "over 3 runs", "margin 2", "same: cornell", "feed",
                 "protocol    inferred; as the text says: convention", "if print is right",
                 "How are the labelled documents drawn? a share of every class", "not run",
                 "snakemake --cores all", "runs 0-2", "another reading",
                 f"read from   {tree.results}/mvplsa/ledger.csv"):  # fmt: skip
        assert part in text, part
    assert main(["explain", "--results", str(tree.results), "table", "nothing"]) == 2
    assert "near it are" in capsys.readouterr().err
    assert (
        main(["explain", "--results", str(tree.results), "/3/", "cornell", "0.01", "nbc_v1"]) == 0
    )
    assert capsys.readouterr().out.startswith(CELL)


def test_it_asks_back_when_several_cells_fit(tree):
    tree.score("mvplsa")
    ledger = read_ledger(tree.results)
    with pytest.raises(ValueError, match="names 5 cells"):
        find_cell("mvplsa/3/Cornell NBC_V1", ledger)
    with pytest.raises(ValueError, match="no cell named"):
        find_cell("", ledger)


def test_a_cell_that_was_not_run(tree):
    path = tree.file("mvplsa", "cornell")
    frame = read_table(path, ["rate", "view"])
    here = (frame["table"] == "3") & (frame["rate"] == 0.01) & (frame["method"] == "NBC_V1")
    path.write_text(table_text(frame[~(here & (frame["reading"] == "inferred"))]))
    stamp_result("mvplsa", path)
    tree.score("mvplsa", partial=True)
    assert "not run: left out" in explain(CELL, tree.results)


def test_without_results_the_report_answers(tmp_path, report):
    text = explain(CELL, tmp_path / "no results", report)
    assert f"read from   {report}" in text
    assert "82.06 ± 3.74" in text
    target = text.partition("runs        not here; run: snakemake --cores all ")[2].split()[0]
    assert target.endswith("mvplsa/cornell/main.csv")


def test_results_come_before_the_report(tree, report):
    changed = report.read_text().replace(",82.06,", ",99,")
    report.write_text(changed)
    assert f"read from   {tree.results}" in explain(CELL, tree.results, report)
    assert "82.06" in explain(CELL, tree.results, report)


def test_without_either_it_says_what_to_do(tmp_path):
    with pytest.raises(ValueError, match="run the workflow first"):
        explain(CELL, tmp_path, tmp_path / "none.csv")


@pytest.mark.skipif(not REPORTED.is_file(), reason="reports/ is not committed yet")
def test_every_cell_of_the_committed_report_is_explained_in_a_fresh_clone(tmp_path, rng):
    ledger = read_ledger(tmp_path)
    assert len(ledger)
    for cell in rng.choice(ledger["cell"], 20, replace=False):
        text = explain(cell, tmp_path)
        assert text.startswith(cell)
        assert "read from" in text
