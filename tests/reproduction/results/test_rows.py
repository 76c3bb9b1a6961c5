"""Rows of results, the tables that say which settings place them, and their means as text."""

import math

import pandas as pd
import pytest

from reproduction.results.rows import Row, RowError, read_rows, result_frames, table_text
from reproduction.results.summary import mean_and_deviation
from reproduction.results.tables import Table, Tables, number, text

RATE = number("rate", "r={:g}")
VIEW = number("view", "view={:g}", optional=True)
TABLES = Tables(
    Table("3", (RATE,)),
    Table("fig2", (RATE,), methods=("Shown",)),
    Table("choice:start", (RATE, number("view", optional=True))),
    Table("fit seconds", (number("n"),), timed=True),
)
PRINTED = {"3": {"A", "B"}}


def rows():
    return [
        Row("3", {"rate": 0.02}, "B", "accuracy_pct", 50.0, run=1),
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
    assert timings["table"].tolist() == ["fit seconds"]


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


@pytest.mark.parametrize(
    ("metric", "least", "most"),
    [("f1_pct", 0, 100), ("pearson_r", -1, 1), ("average_rank", 1, math.inf)]
    + [(each, 0, 1) for each in ("map_at_10", "precision", "view_agreement", "share", "p_value")],
)
def test_what_no_measurement_can_be_is_refused(metric, least, most):
    for value in (least - 0.01, most + 0.01):
        row = Row("3", {"rate": 0.5}, "A", metric, value)
        with pytest.raises(RowError, match=f"{metric} is|no number"):
            frames([row])
    ends = [Row("3", {"rate": at}, "A", metric, at) for at in (least, min(most, 1e5))]
    assert len(frames(ends)[0]) == 2


def test_other_roles_may_have_any_method():
    made = [
        Row("3", {"rate": 1}, "C", "x", 1.0, role="ours"),
        Row("3", {"rate": 1}, "A", "x", 1.0),
        Row("3", {"rate": 1}, "A", "x", 2.0, role="control"),
        Row("fig2", {"rate": 1}, "Shown", "x", 2.0),
        Row("choice:start", {"rate": 1}, "Anything", "x", 2.0),
    ]
    assert len(frames(made)[0]) == 5


def test_a_setting_is_written_as_print_writes_it():
    table = Table("5", (RATE, VIEW))
    assert table.write({"rate": 0.01, "view": 3}) == "r=0.01;view=3"
    assert table.write({"rate": 0.010}) == "r=0.01"
    assert table.write({"rate": 0.01, "view": math.nan}) == "r=0.01"
    assert Table("1").write({}) == ""


def test_a_part_of_the_data_set_is_written_apart():
    table = Table("2", (number("level", "level={:g}", optional=True, part=True), RATE))
    at = {"level": 2, "rate": 0.1}
    assert table.write(at) == "level=2;r=0.1"
    assert table.write(at, part=True) == "level=2"
    assert table.write(at, part=False) == "r=0.1"
    assert table.write({"rate": 0.1}, part=True) == ""


@pytest.mark.parametrize(
    ("at", "problem"),
    [
        ({"rate": 0.1}, ""),
        ({"rate": 0.1, "view": 2}, ""),
        ({}, "no value for the setting 'rate'"),
        ({"rate": None}, "no value"),
        ({"rate": math.nan}, "no value"),
        ({"rate": math.inf}, "not a number"),
        ({"rate": "0.1"}, "not a number"),
        ({"rate": True}, "not a number"),
        ({"rate": 0.1, "views": 2}, "unknown setting 'views'"),
    ],
)
def test_settings_of_a_row_are_checked(at, problem):
    found = Table("5", (RATE, VIEW)).problem(at)
    assert problem in found
    assert bool(problem) == bool(found)


def test_a_name_means_one_thing():
    with pytest.raises(ValueError, match="'rate' is a number here"):
        Tables(Table("3", (RATE,)), Table("4", (text("rate"),)))


def test_written_settings_of_a_frame():
    tables = Tables(Table("5", (RATE, VIEW)), Table("1", (text("space"),)))
    frame = pd.DataFrame(
        {
            "table": ["5", "5", "1", "5"],
            "rate": [0.01, 0.05, math.nan, 0.01],
            "view": [1, math.nan, math.nan, 1],
            "space": ["", "", "topic", ""],
        },
        index=[7, 3, 5, 1],
    )
    written = tables.written(frame)
    assert written.tolist() == ["r=0.01;view=1", "r=0.05", "topic", "r=0.01;view=1"]
    assert written.index.tolist() == [7, 3, 5, 1]


@pytest.mark.parametrize(
    ("values", "places", "text"),
    [
        ([1.0, 3.0], 2, "2.00 ± 1.41"),  # the deviation of a sample: one run less in the divisor
        ([2.0, 4.0, 9.0], 1, "5.0 ± 3.6"),
        ([81.25], 1, "81.2"),
        ([], 1, ""),
    ],
)
def test_a_mean_has_the_deviation_of_a_sample(values, places, text):
    assert mean_and_deviation(pd.Series(values, dtype=float), places) == text
