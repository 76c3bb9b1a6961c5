"""Every published cell is answered from its runs; what is wrong with results is named."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from results_tree import Tree, stamp_result

from asprinted.agreement import Figure, figure_of, judge
from asprinted.margins import load_margins
from asprinted.words import AGREEMENT, DATA, PROTOCOL
from reproduction.results.published import load_published
from reproduction.results.rows import read_rows, read_table, table_text
from reproduction.results.tables import Table, Tables, number
from reproduction.rooms import SecondName, find_paper, tables_of
from reproduction.verdicts.cells import find_repeats
from reproduction.verdicts.data_facts import DataFacts
from reproduction.verdicts.ledger import Bench, FileFacts, LedgerError, rule_digest
from reproduction.verdicts.readings import Choice

PERCENT = load_margins().unit("accuracy_pct")
NAN = math.nan
BY_VIEW = Tables(Table("3", (number("rate"), number("view", optional=True))))
#: Where the rows of two methods and of a control are from.
FILES = {"MVPLSA": "a.csv", "NBC_V1": "b.csv", "x": "c.csv"}
CELL = "mvplsa/3/Cornell/r=0.01/NBC_V1/accuracy_pct"


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path, papers=("mvplsa",))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Invented results of all papers: their folder, and the ledger of each."""
    tree = Tree(tmp_path_factory.mktemp("whole"))
    return tree.results, {paper: tree.score(paper)[0] for paper in tree.papers}


def rewrite(path, change):
    """Change a result file as if its job had written it so."""
    path.write_text(table_text(change(read_table(path, ["rate", "view"]))))
    stamp_result("mvplsa", path)


def first_cell(frame):
    return (
        (frame["table"] == "3") & (frame["rate"] == 0.01) & (frame["method"] == "NBC_V1")
        & (frame["reading"] == "inferred")
    )  # fmt: skip


def test_every_cell_is_answered_under_a_name_that_a_shell_takes(whole):
    results, ledgers = whole
    for paper, ledger in ledgers.items():
        cells = load_published(paper)
        same = ["table", "method", "metric"]
        assert ledger[same].equals(cells[same])
        assert ledger["cell"].is_unique
        assert not [name for name in ledger["cell"] if set(name) & set(" ;()'\"&|<>*$\\")]
        written = read_table(results / paper / "ledger.csv", tables_of(paper).numbers)
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
        assert ((ledger["text_agreement"] == "not comparable") == apart).all()
        assert ((ledger["data"] == "same") == (ledger["reason"] == "")).all()
        assert (ledger["readings_low"] <= ledger["ours"]).all()
        assert (ledger["ours"] <= ledger["readings_high"]).all()
    over_all = ledgers["multiview_hier"].query("dataset == 'all'")["reason"].iloc[0]
    assert "nell_mv (surrogate)" in over_all  # the worst of its data sets is named, no other
    assert "cora" not in over_all


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
    said = judge(Figure(82.06, 3.74, 20), figure_of(values.to_numpy()), PERCENT)
    assert row["agreement"] == said.word
    assert row["low"] < row["difference"] < row["high"]
    assert row["prediction_low"] < 82.06 < row["prediction_high"]
    assert 0 < row["stable"] <= 1
    axes = row[["data", "protocol", "text_protocol"]]
    assert list(axes) == ["same", "inferred", "convention"]
    assert row["text_agreement"] == "not run"  # nothing of the text reading is in these results
    assert row["source"].endswith("results/mvplsa/cornell/main.csv")
    assert not row["source"].startswith("/")
    assert row["seed"] == "mvplsa/cornell/main runs 0-2"


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


def with_value(value):
    return lambda frame: frame.assign(value=frame["value"].where(~first_cell(frame), value))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda f: f[~first_cell(f)], f"cell {CELL}: no row in results/mvplsa"),
        (lambda f: f.drop(f.index[first_cell(f)][1]), f"cell {CELL}: run 1 of 3 is missing"),
        (lambda f: pd.concat([f, f[first_cell(f)][:1]]), f"cell {CELL}: run 0 is there 2 times"),
        (lambda f: f[f["role"] != "control"], f"cell {CELL}: no method with the role 'control'"),
        (with_value(150.0), "cornell/main.csv: accuracy_pct is 150, outside 0 .. 100"),
        (with_value(NAN), "cornell/main.csv: accuracy_pct is nan, outside 0 .. 100"),
        (None, "cornell/main.csv was made from another version of the code"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_written(tree, change, text):
    if change:
        rewrite(tree.file("mvplsa", "cornell"), change)
    else:
        stamp_result("mvplsa", tree.file("mvplsa", "cornell"), code="0ld")
    with pytest.raises(LedgerError) as caught:
        tree.score("mvplsa")
    assert text in str(caught.value)
    assert not list((tree.results / "mvplsa").glob("*.csv"))


def test_a_shortened_configuration_says_not_run(tree):
    rewrite(tree.file("mvplsa", "cornell"), lambda frame: frame[~first_cell(frame)])
    ledger = tree.score("mvplsa", partial=True)[0]
    assert len(ledger) == len(load_published("mvplsa"))
    assert ledger.loc[ledger["agreement"] == "not run", "cell"].tolist() == [CELL]


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
        assert list(before[1][reading]) == list(after[1][reading]) == ["holds", "untestable"]
    for name in ("claims", "claim_parts"):
        written = read_table(tree.results / "mvplsa" / f"{name}.csv")
        assert list(dict.fromkeys(written["id"])) == ["mvplsa.best", "mvplsa.nothing"]


@pytest.mark.parametrize("changed", ["MVPLSA", "NBC_V1", ""])
def test_both_sides_of_a_gap_must_be_comparable_and_ends_hold_every_reading(rng, changed):
    """Two methods with a file each; the text, far from what was inferred, makes two choices."""
    published = load_published("mvplsa").query("table == '3' and dataset == 'cornell'")
    published = published[(published["rate"] == 0.01) & published["method"].isin(FILES)]
    made = {"commit": "1234567", "numbers_seen": False}
    options = [
        [{"name": word, "status": word, "where": where}
         for word, where in (("text", change), ("inferred", {}))]
        for change in ({"reading": "said"}, {"view": 1.0})
    ]  # fmt: skip
    choices = [
        Choice(id=name, question="?", says="-", place="-", tried=2, evidence="-", options=each,
               made=made)
        for name, each in zip(("way", "view"), options, strict=True)
    ]  # fmt: skip
    far = rng.choice([-20.0, 20.0])
    rows = pd.DataFrame(
        {"dataset": "cornell", "table": "3", "method": method, "metric": "accuracy_pct",
         "rate": 0.01, "view": view, "role": role, "reading": reading, "run": run,
         "source": FILES[method], "setting": f"r=0.01 {view}", "value": value + rng.normal()}
        for method, role in (("MVPLSA", "published"), ("NBC_V1", "published"), ("x", "control"))
        for reading, view, value in (("inferred", NAN, 60), ("said", 1.0, 60 + far),
                                     ("other", NAN, 61))
        for run in range(4)
    )  # fmt: skip
    other = {"": {"topics": "2 in place of 12"}}
    files = {
        file: FileFacts("code", "job", other if method == changed else {})
        for method, file in FILES.items()
    }
    bench = Bench(
        find_paper("mvplsa"), rows, published, tables=BY_VIEW, choices=choices,
        data={"cornell": DataFacts("cornell", "same", "mirror")}, files=files, names={},
    )  # fmt: skip
    ledger = bench.ledger()
    for end, take in (("readings_low", min), ("readings_high", max)):
        means = rows.groupby(["method", "reading"])["value"].mean().groupby("method").agg(take)
        assert ledger[end].tolist() == pytest.approx(means[ledger["method"]].tolist())
    (gap,) = bench.gaps(ledger).to_dict("records")
    for word in ("agreement", "text_agreement"):
        assert (gap[word] == "not comparable") == bool(changed)
        lost = ledger.loc[ledger[word] == "not comparable", "method"]
        assert lost.tolist() == [changed][: bool(changed)]


TABLES = Tables(
    Table("1", (number("rate", optional=True),)),
    Table("2", (number("rate", optional=True), number("view", optional=True))),
    Table("3", (number("view", optional=True),)),
)


def printed(table, mean, *, std=NAN, rate=NAN, view=NAN, method="m", dataset="d"):
    return {"table": table, "mean": mean, "std": std, "rate": rate, "view": view,
            "method": method, "dataset": dataset, "metric": "accuracy_pct"}  # fmt: skip


def test_a_second_name_is_the_same_method_at_its_settings_alone():
    name = SecondName(table="3", method="short", at={"view": 1}, same_as="long_1")
    cells = [
        printed("1", 50.0, std=2.0, method="long_1"),
        printed("3", 50.0, view=1, method="short"),
        printed("3", 50.0, view=2, method="short"),
    ]
    assert find_repeats(cells, TABLES, [name]) == {1: 0}
    assert find_repeats(cells, TABLES) == {}


def test_repeats_are_what_comparing_all_pairs_gives(rng):
    """Against every pair of cells, on random tables with many equal numbers."""

    def agree(a, b):
        for key in ("std", "rate", "view"):
            if a[key] == a[key] and b[key] == b[key] and a[key] != b[key]:
                return False
        same = all(a[key] == b[key] for key in ("mean", "method", "dataset", "metric"))
        return same and a["table"] != b["table"]

    seen = 0
    for _ in range(100):
        cells = [
            printed(
                str(rng.integers(1, 4)), float(rng.integers(3)), std=rng.choice([NAN, 1.0, 2.0]),
                rate=rng.choice([NAN, 0.1, 0.2]), view=rng.choice([NAN, 1.0]),
                method=str(rng.integers(2)), dataset=rng.choice(["d", "e"], p=[0.8, 0.2]),
            )
            for _ in range(8)
        ]  # fmt: skip
        found = find_repeats(cells, TABLES)
        seen += len(found)
        for later, first in found.items():
            assert first < later
            assert first not in found
            assert agree(cells[first], cells[later])
        for first, later in combinations(range(len(cells)), 2):
            if agree(cells[first], cells[later]) and first not in found:
                assert later in found
    assert seen
