"""Everything about one published cell, from what is there."""

import pytest
from results_tree import Tree

from reproduction.verdicts.explain import explain, find_cell, read_ledger
from reproduction.workflow.commands import main

CELL = "mvplsa/3/Cornell/r=0.01/NBC_V1/accuracy_pct"


def test_it_tells_the_row_and_its_choices(tmp_path, capsys):
    tree = Tree(tmp_path, papers=("mvplsa",))
    tree.score("mvplsa")
    text = explain(CELL, tree.results)
    told = {line[:16].strip(): line[16:] for line in text.splitlines()[2:]}
    row = find_cell(CELL, read_ledger(tree.results))
    assert float(told["published"]) == row["published"] == 82.06
    assert float(told["ours"]) == pytest.approx(row["ours"], rel=1e-5)
    assert f"--forcerun {row['target']}" in text
    assert main(["explain", "--results", str(tree.results), "table", "nothing"]) == 2
    assert "near it are" in capsys.readouterr().err
    with pytest.raises(ValueError, match="names 5 cells"):
        explain("mvplsa/3/Cornell NBC_V1", tree.results)
    # results come before the report, which answers without them
    report = tmp_path / "ledger.csv"
    written = (tree.results / "mvplsa" / "ledger.csv").read_text()
    report.write_text(written.replace(",82.06,", ",99,"))
    assert "82.06" in explain(CELL, tree.results, report)
    assert "99" in explain(CELL, tmp_path / "no results", report)
    with pytest.raises(ValueError, match="run the workflow first"):
        explain(CELL, tmp_path / "no results", tmp_path / "none.csv")
