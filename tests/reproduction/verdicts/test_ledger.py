import math

import numpy as np
import pandas as pd
import pytest
from results_tree import Tree, stamp_result

from reproduction.results.published import load_published
from reproduction.results.rows import read_rows, read_table, table_text
from reproduction.rooms import paper_keys, tables_of
from reproduction.verdicts.agreement import Figure, figure_of, judge
from reproduction.verdicts.ledger import LedgerError
from reproduction.verdicts.margins import load_margins
from reproduction.verdicts.rule import rule_digest
from reproduction.verdicts.words import AGREEMENT, DATA, PROTOCOL

PERCENT = load_margins().unit("accuracy_pct")
CELL = "mvplsa/3/Cornell/r=0.01/NBC_V1/accuracy_pct"


@pytest.fixture
def tree(tmp_path):
    """One paper is enough to break; the small one is there for the others."""
    return Tree(tmp_path, papers=("mvplsa", "twoview_pa"))


@pytest.fixture
def whole(tmp_path):
    return Tree(tmp_path)


def rewrite(path, change):
    """Change a result file as if its job had written it so."""
    path.write_text(table_text(change(read_table(path, ["rate", "view"]))))
    if "run" in read_table(path).columns:
        stamp_result("mvplsa", path)


def first_cell(frame):
    return (
        (frame["table"] == "3") & (frame["rate"] == 0.01) & (frame["method"] == "NBC_V1")
        & (frame["reading"] == "inferred")
    )  # fmt: skip


def test_every_cell_is_answered_under_a_name_that_a_shell_takes(whole):
    for paper in paper_keys():
        ledger = whole.score(paper)[0]
        cells = load_published(paper)
        same = ["table", "method", "metric"]
        assert ledger[same].equals(cells[same])
        assert ledger["cell"].is_unique
        assert not [name for name in ledger["cell"] if set(name) & set(" ;()'\"&|<>*$\\")]
        written = read_table(whole.results / paper / "ledger.csv", tables_of(paper).numbers)
        assert table_text(written) == table_text(ledger)
        for column in ("source", "target", "code", "seed", "data_key", "unit"):
            assert (ledger[column] != "").all(), column
        numbers = ledger[["published", "ours", "difference", "se", "low", "high", "margin"]]
        assert np.isfinite(numbers.to_numpy()).all()
        assert set(ledger["agreement"]) <= set(AGREEMENT) - {"not run"}
        assert set(ledger["text_agreement"]) <= set(AGREEMENT)
        assert set(ledger["data"]) <= set(DATA)
        assert {*ledger["protocol"], *ledger["text_protocol"]} <= set(PROTOCOL)
        assert set(ledger["rule_digest"]) == {rule_digest()}
        apart = ledger["data"].isin(["stand-in", "surrogate"])
        assert ((ledger["agreement"] == "not comparable") == apart).all()
        assert ((ledger["data"] == "same") == (ledger["reason"] == "")).all()
        assert (ledger["readings_low"] <= ledger["ours"]).all()
        assert (ledger["ours"] <= ledger["readings_high"]).all()


def test_a_row_says_what_the_runs_say(tree):
    ledger = tree.score("mvplsa")[0].set_index("cell")
    rows = read_rows(tree.file("mvplsa", "cornell"), tables_of("mvplsa"))
    values = rows.loc[first_cell(rows), "value"]
    row = ledger.loc[CELL]
    assert row["ours"] == pytest.approx(values.mean(), rel=1e-12)
    assert row["ours_std"] == pytest.approx(values.std(ddof=1), rel=1e-9)
    assert (row["runs"], row["code"]) == (3, "feedface")
    assert row["difference"] == pytest.approx(row["ours"] - 82.06)
    assert (row["margin"], row["published_runs"]) == (2.0, 20)
    assert (
        row["agreement"]
        == judge(Figure(82.06, 3.74, 20), figure_of(values.to_numpy()), PERCENT).word
    )
    assert row["low"] < row["difference"] < row["high"]
    assert row["prediction_low"] < 82.06 < row["prediction_high"]
    assert 0 < row["stable"] <= 1
    assert (row["data"], row["protocol"], row["text_protocol"]) == (
        "same",
        "inferred",
        "convention",
    )
    assert row["text_agreement"] == "not run"  # nothing of the text reading is in these results
    assert row["source"].endswith("results/mvplsa/cornell/main.csv")
    assert not row["source"].startswith("/")
    assert row["seed"] == "mvplsa/cornell/main runs 0-2"


def test_stand_ins_and_surrogates_are_not_comparable(whole):
    for paper, label, kind in (
        ("twoview_pa", "product_review", "surrogate"),
        ("multiview_hier", "nell_mv", "surrogate"),
        ("multiview_hier", "all", "surrogate"),
    ):
        ledger = whole.score(paper)[0]
        part = ledger[ledger["dataset"] == label]
        assert {*part["agreement"], *part["text_agreement"]} == {"not comparable"}
        assert set(part["data"]) == {kind}
    assert "nell_mv (surrogate)" in part["reason"].iloc[0]
    assert "cora" not in part["reason"].iloc[0]


def test_a_papers_card_can_only_make_the_data_worse(whole):
    assert set(whole.score("cotraining")[0]["data"]) == {"other features"}
    whole.registry["webkb_course"] = {**whole.registry["webkb_course"], "role": "stand_in"}
    assert set(whole.score("cotraining")[0]["data"]) == {"stand-in"}


def test_one_number_printed_twice_has_one_verdict(tree):
    def spoil(frame):
        """Another value for the same number where it is printed again."""
        again = (frame["table"] == "5") & (frame["method"] == "NBC")
        return frame.assign(value=frame["value"].where(~again, 99.0))

    rewrite(tree.file("mvplsa", "newsgv4"), spoil)
    ledger = tree.score("mvplsa")[0].set_index("cell")
    repeated = ledger[ledger["repeats"] != ""]
    assert len(repeated) == 24
    for cell, row in repeated.iterrows():
        first = ledger.loc[row["repeats"]]
        assert first["repeats"] == ""
        assert row["published"] == first["published"]
        for column in ("ours", "agreement", "text_agreement", "stable"):
            same = row[column] == first[column] or (row[column] != row[column])
            assert same, (cell, column)
    view = ledger.loc["mvplsa/5/newsgv4/r=0.01_view=1/NBC/accuracy_pct"]
    assert view["repeats"] == "mvplsa/3/newsgv4/r=0.01/NBC_V1/accuracy_pct"


def test_one_run_has_no_deviation(tmp_path):
    ledger = Tree(tmp_path, papers=("mvplsa",), runs=1).score("mvplsa")[0]
    assert ledger["ours_std"].isna().all()
    assert (ledger["runs"] == 1).all()
    assert ledger["stable"].isna().all()


def broken(tree, change):
    """The error of scoring after a change to one result file; nothing may have been written."""
    rewrite(tree.file("mvplsa", "cornell"), change)
    with pytest.raises(LedgerError) as caught:
        tree.score("mvplsa")
    assert not (tree.results / "mvplsa" / "ledger.csv").exists()
    assert not (tree.results / "mvplsa" / "claims.csv").exists()
    return str(caught.value)


def test_a_removed_cell_is_named(tree):
    text = broken(tree, lambda frame: frame[~first_cell(frame)])
    assert CELL in text
    assert "1 published cells" in text


def test_a_table_without_a_control_is_named(tree):
    text = broken(tree, lambda frame: frame[frame["role"] != "control"])
    assert CELL in text
    assert "no method with the role 'control'" in text


def test_a_missing_run_is_named(tree):
    text = broken(tree, lambda frame: frame.drop(frame.index[first_cell(frame)][1]))
    assert f"cell {CELL}: run 1 of 3 is missing" in text


def test_a_repeated_run_is_named(tree):
    text = broken(tree, lambda frame: pd.concat([frame, frame[first_cell(frame)].iloc[:1]]))
    assert f"cell {CELL}: run 0 is there 2 times" in text


def test_a_file_of_another_version_is_named(tree):
    stamp_result("mvplsa", tree.file("mvplsa", "cornell"), code="0ld")
    with pytest.raises(LedgerError) as caught:
        tree.score("mvplsa")
    assert "mvplsa/cornell/main.csv was made from another version of the code" in str(caught.value)
    assert "snakemake --cores all" in str(caught.value)


@pytest.mark.parametrize("value", [150.0, math.nan])
def test_a_value_that_no_metric_can_have_is_named(tree, value):
    def spoil(frame):
        frame.loc[frame.index[first_cell(frame)][0], "value"] = value
        return frame

    text = broken(tree, spoil)
    assert f"accuracy_pct is {value:g}, outside 0 .. 100" in text
    assert "mvplsa/cornell/main.csv" in text


def test_a_shortened_configuration_says_not_run(tree):
    rewrite(tree.file("mvplsa", "cornell"), lambda frame: frame[~first_cell(frame)])
    ledger = tree.score("mvplsa", partial=True)[0]
    assert len(ledger) == len(load_published("mvplsa"))
    assert ledger.set_index("cell").loc[CELL, "agreement"] == "not run"
    assert (ledger["agreement"] == "not run").sum() == 1


def test_added_methods_change_no_verdict(tree):
    """A method of ours may beat them all: cells and claims look at published methods."""
    before = tree.score("mvplsa")

    def add(frame):
        best = frame[first_cell(frame)].assign(method="Best of all", role="ours", value=99.9)
        posing = frame[first_cell(frame)].assign(role="modern", value=1.0)
        return pd.concat([frame, best, posing], ignore_index=True)

    rewrite(tree.file("mvplsa", "cornell"), add)
    after = tree.score("mvplsa")
    assert list(before[0]["agreement"]) == list(after[0]["agreement"])
    for reading in ("in_print", "text", "inferred"):
        assert list(before[1][reading]) == list(after[1][reading])
    assert before[0].equals(tree.score("mvplsa")[0])


def test_every_claim_is_answered(tree):
    _, claims = tree.score("mvplsa")
    for reading in ("text", "inferred"):
        assert list(claims[reading]) == ["holds", "untestable"]
        assert (claims[f"{reading}_reason"] != "").all()
    written = read_table(tree.results / "mvplsa" / "claims.csv")
    assert list(written["id"]) == ["mvplsa.holds", "mvplsa.nothing"]
    parts = read_table(tree.results / "mvplsa" / "claim_parts.csv")
    assert list(parts.drop_duplicates("id")["id"]) == list(written["id"])
