"""The verdict engine alone: tables of anybody in, words, intervals, notes and pages out."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from asprinted import judge, to_html, to_json
from asprinted.__main__ import main
from asprinted.agreement import Figure, figure_of
from asprinted.agreement import judge as judge_cell
from asprinted.margins import load_margins
from asprinted.statistics import generator
from asprinted.tables import more_runs
from manyviews import seeding
from reproduction.closure import SOURCES, import_closure
from reproduction.files import ROOT

EXAMPLES = ROOT / "docs" / "guide" / "verdicts"
PERCENT = load_margins().unit("accuracy_pct")


def published(**means):
    """Print's means by method, on two data sets."""
    rows = [(dataset, *each) for dataset in "ab" for each in means.items()]
    table = pd.DataFrame(rows, columns=["dataset", "method", "mean"])
    return table.assign(metric="accuracy_pct", std=1.0, runs=10)


def runs_of(rng, table, shift=0.0, runs=20):
    """Runs around print, a deviation of 1."""
    rows = table.iloc[np.repeat(np.arange(len(table)), runs)].reset_index(drop=True)
    rows["run"] = [*range(runs)] * len(table)
    rows["value"] = rows["mean"] + shift + rng.normal(size=len(rows))
    return rows.drop(columns=["mean", "std", "runs"])


def test_it_imports_nothing_of_this_project_and_seeds_as_the_library_does():
    for path in SOURCES.joinpath("asprinted").glob("*.py"):
        behind = import_closure(f"asprinted.{path.stem}".removesuffix(".__init__"))
        assert {found.parent.name for found in behind} == {"asprinted"}
    names = ("bootstrap of partitions", "cora", 20)
    assert generator(*names).random() == seeding.generator(*names).random()


def test_runs_are_judged_by_the_rule_and_a_wrong_table_is_seen(rng):
    table = published(m=90.0, n=70.0, o=50.0)
    ours = runs_of(rng, table)
    good = judge(table, ours, name="good")
    assert set(good.cells["agreement"]) == {"equivalent"}
    assert (good.base_rate.agree, good.base_rate.chance) == (6, 2.0)  # medians meet one a column
    for cell in good.cells.to_dict("records"):
        own = ours[(ours["dataset"] == cell["dataset"]) & (ours["method"] == cell["method"])]
        figure = figure_of(own["value"].to_numpy())
        said = judge_cell(Figure(cell["published"], 1.0, 10), figure, PERCENT)
        assert (cell["ours"], cell["low"], cell["high"]) == (figure.mean, said.low, said.high)
        assert (cell["runs"], cell["more_runs"], cell["note"]) == (20, 0, "")
    numbers = good.cells[["ours", "low", "high"]].to_numpy()
    assert {f"{number:.4f}" for number in numbers.ravel()} <= {*str(good).split()}
    exchanged = ours.assign(method=ours["method"].map({"m": "n", "n": "o", "o": "m"}))
    bad = judge(table, exchanged)
    assert set(bad.cells["agreement"]) == {"different"}
    assert bad.base_rate.agree == 0
    lacking = judge(table, ours[ours["method"] != "o"])
    assert lacking.cells["agreement"].tolist().count("not run") == 2
    other = judge(table.assign(setting="k=2"), ours)  # runs of no setting answer no setting
    assert set(other.cells["agreement"]) == {"not run"}
    again = judge(table.assign(table="1"), ours)  # but a run belongs to every table
    assert set(again.cells["agreement"]) == {"equivalent"}
    for twice in ((table, pd.concat([ours, ours[:1]])), (pd.concat([table, table[:1]]), ours)):
        with pytest.raises(ValueError, match="/a//m/accuracy_pct is there twice"):
            judge(*twice)


def test_summaries_are_judged_as_their_runs(rng):
    table = published(m=90.0, n=70.0)
    ours = runs_of(rng, table, shift=rng.uniform(-3, 3), runs=8)
    keys = ["dataset", "method", "metric"]
    means = ours.groupby(keys)["value"].agg(mean="mean", std="std", runs="size").reset_index()
    single, summed = judge(table, ours), judge(table, means)
    numbers = ["ours", "ours_std", "runs", "difference", "low", "high", "more_runs"]
    np.testing.assert_allclose(single.cells[numbers], summed.cells[numbers])
    assert list(single.cells["agreement"]) == list(summed.cells["agreement"])
    beside = table.merge(
        means.rename(columns={"mean": "ours", "std": "ours_std", "runs": "ours_runs"})
    )
    pd.testing.assert_frame_equal(judge(beside).cells, summed.cells)


def test_sentences_by_hand(rng):
    table = published(m=90.0, n=70.0)
    ours = runs_of(rng, table)
    means = table.assign(std=1.0, runs=20)
    tests = {
        'better("m", "n")': "holds", 'better("n", "m", on="a")': "refuted",
        'better("m", "n", by=30)': "refuted", 'better("n", "m", lower=True)': "holds",
        'equal("m", "n")': "refuted", 'equal("m", "n", within=40)': "holds",
        'rank("m")': "holds", 'rank("n", 1)': "refuted",
    }  # fmt: skip
    for reproduction in (ours, means):
        found = judge(table, reproduction, {text: text for text in tests}).claims
        for text, word in tests.items():
            row = found.set_index("sentence").loc[text]
            alone = reproduction is means and text.startswith("rank")  # ranks need the runs
            assert row["word"] == ("untestable" if alone else word), text
            assert row["in_print"] == word
    lines = pd.concat([table.assign(method="m", x=x, setting=f"x={x}", mean=50.0 + 9 * x)
                       for x in (1, 2, 3)]).drop_duplicates()  # fmt: skip
    said = judge(
        lines, runs_of(rng, lines), {"up": 'rises("m", "x")', "down": 'rises("m", "x", True)'}
    )
    assert list(said.claims["word"]) == ["holds", "refuted"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("m is better", "write one of better"),
        ('worse("m", "n")', "'worse'"),
        ('better("m", __import__("os"))', "malformed"),
        ('better("m", "n", than=2)', "than"),
        ('better("m", "z")', "no rows of 'z'"),
        ('rank("z")', "no rows of 'z'"),
        ('better("m", "n", metric="f1")', "metric="),
    ],
)
def test_a_wrong_sentence_is_named(rng, text, problem):
    table = published(m=90.0, n=70.0)
    with pytest.raises(ValueError, match=problem):
        judge(table, runs_of(rng, table), {"s": text})


def test_what_is_lacking_is_said(rng):
    cell = {"dataset": "a", "method": "m", "metric": "accuracy", "mean": 0.8, "ours": 0.81}

    def note(**more):
        table = pd.DataFrame([{**cell, **more}])
        return judge(table, margins={"accuracy": 0.02}).cells.iloc[0]

    assert "chance is left out" in note()["note"]
    assert math.isnan(note()["more_runs"])
    assert note(ours_std=0.001)["runs"] == 2
    assert "our deviation stands for print's" in note(ours_std=0.001)["note"]
    assert "print's stands for ours" in note(std=0.001, runs=5)["note"]
    assert note(std=0.001, runs=5, ours_std=0.001, ours_runs=5)["note"] == ""
    wide = note(std=0.1, runs=2, ours_std=0.001, ours_runs=5)
    assert (wide["agreement"], wide["more_runs"]) == ("compatible", math.inf)
    table = published(m=90.0).assign(runs=np.nan)  # print's deviation needs two runs, ours has one
    (said,) = {*judge(table, runs_of(rng, table, runs=1)).cells["note"]}
    assert said == "print's stands for ours; runs of print are not given: taken as 2"
    with pytest.raises(ValueError, match="has no margin"):
        judge(pd.DataFrame([cell]))
    table = pd.DataFrame([cell | {"metric": "rank"}])  # also the name of a unit
    assert judge(table, margins={"rank": 0.02}).cells["margin"].tolist() == [0.02]
    one, other = (cell | {"method": name} for name in "mn")
    bare = pd.DataFrame([one, other]).drop(columns="ours")
    told = judge(bare, bare, {"ahead": 'better("m", "n")'}, margins={"accuracy": 0.02})
    assert told.claims["word"].tolist() == ["untestable"]
    assert told.claims["in_print"].tolist() == ["no practical difference"]
    with pytest.raises(ValueError, match="no column 'mean'"):
        judge(pd.DataFrame([{"dataset": "a", "method": "m", "metric": "x"}]))


def test_so_many_more_runs_decide(rng):
    """With the runs it asks for, a cell is decided about four times in five."""
    printed, few = Figure(80.0, 1.0, 400), Figure(80.8, 4.0, 5)
    assert judge_cell(printed, few, PERCENT).word == "compatible"
    runs = 5 + int(more_runs(printed, few, PERCENT))
    words = [
        judge_cell(printed, figure_of(rng.normal(80.8, 4.0, runs)), PERCENT).word
        for _ in range(400)
    ]
    assert 0.7 < words.count("equivalent") / 400 < 0.9


def test_two_reproductions_that_are_not_ours(tmp_path, capsys):
    """The words that the documentation tells, from the command line."""
    page, data = tmp_path / "page.html", tmp_path / "verdicts.json"
    gammagl = [str(EXAMPLES / "gammagl_sgc.csv"), "--claims", str(EXAMPLES / "gammagl_sgc.txt")]
    assert main([*gammagl, "--html", str(page), "--json", str(data)]) == 0
    found = json.loads(data.read_text())
    words = [cell["agreement"] for cell in found["cells"]]
    assert words == ["compatible", "near", *["equivalent"] * 4]
    assert [claim["word"] for claim in found["claims"]] == ["open", "holds"]
    assert found["base_rate"] is None
    assert "<td>near</td>" in page.read_text()
    assert main([str(EXAMPLES / "pgl_sgc.csv"), "--margin", "accuracy=0.02"]) == 0
    assert capsys.readouterr().out.count("chance is left out") == 3
    with pytest.raises(SystemExit):
        main([str(EXAMPLES / "pgl_sgc.csv")])
    assert "has no margin" in capsys.readouterr().err


def test_pages_escape_what_they_are_handed_and_tables_come_from_files(rng, tmp_path):
    table = published(**{"<b>": 90.0, "n": 70.0}).assign(setting=[1, None] * 2)
    ours = runs_of(rng, table)
    table.to_csv(tmp_path / "p.csv", index=False)  # the setting is written as 1.0
    ours.to_csv(tmp_path / "o.csv", index=False)
    found = judge(tmp_path / "p.csv", tmp_path / "o.csv")
    assert "<b>" not in to_html(found)
    assert json.loads(to_json(found))["cells"] == json.loads(to_json(judge(table, ours)))["cells"]
