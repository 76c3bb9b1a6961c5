import math

import pytest

from reproduction.results.rows import Row, RowError, read_rows, result_frames, table_text
from reproduction.results.tables import Table, Tables, number

RATE = number("rate", "r={:g}")
TABLES = Tables(
    Table("3", (RATE,)),
    Table("fig2", (RATE,), methods=("Shown",)),
    Table("choice:start", (RATE, number("view", optional=True))),
    Table("fit seconds", (number("n"),), timed=True),
)
PRINTED = {"3": {"A", "B"}}


def rows():
    return [
        Row("3", {"rate": 0.02}, "B", "accuracy_pct", 50.0, run=1, seconds=0.5),
        Row("3", {"rate": 0.01}, "A", "accuracy_pct", 1 / 3),
        Row("fit seconds", {"n": 10}, "A", "seconds", 0.1),
    ]


def frames(made):
    return result_frames("mvplsa", "toy", made, TABLES, PRINTED)


def test_rows_are_sorted_and_times_go_elsewhere(tmp_path):
    values, timings = frames(rows())
    path = tmp_path / "a.csv"
    path.write_text(table_text(values))
    back = read_rows(path, TABLES)
    assert back["rate"].tolist() == [0.01, 0.02]
    assert back["setting"].tolist() == ["r=0.01", "r=0.02"]
    assert back["table"].tolist() == ["3", "3"]
    assert set(back["role"]) == {"published"}
    assert "seconds" not in back.columns
    assert set(timings["table"]) == {"3", "fit seconds"}


def test_only_settings_that_are_used_become_columns():
    values, _ = frames([Row("choice:start", {"rate": 0.1}, "A", "accuracy_pct", 1.0)])
    assert "view" not in values.columns
    values, _ = frames([Row("choice:start", {"rate": 0.1, "view": 2}, "A", "accuracy_pct", 1.0)])
    assert values["view"].tolist() == [2]


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (rows()[1], "two rows for"),
        (Row("3", {"rate": 0.5}, "A", "x", math.nan), "no number"),
        (Row("4", {}, "A", "x", 1.0), "not declared"),
        (Row("3", {}, "A", "x", 1.0), "no value for the setting 'rate'"),
        (Row("3", {"rate": 1}, "A", "x", 1.0, role="theirs"), "role 'theirs'"),
        (Row("3", {"rate": 1}, "C", "x", 1.0), "prints no such method"),
        (Row("fig2", {"rate": 1}, "A", "x", 1.0), "prints no such method"),
    ],
)
def test_what_is_wrong_is_named(row, text):
    with pytest.raises(RowError, match=text):
        frames([*rows(), row])


def test_other_roles_may_have_any_method():
    made = [
        Row("3", {"rate": 1}, "C", "x", 1.0, role="ours"),
        Row("3", {"rate": 1}, "A", "x", 1.0),
        Row("3", {"rate": 1}, "A", "x", 2.0, role="control"),
        Row("fig2", {"rate": 1}, "Shown", "x", 2.0),
        Row("choice:start", {"rate": 1}, "Anything", "x", 2.0),
    ]
    assert len(frames(made)[0]) == 5
