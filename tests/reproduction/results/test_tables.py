import math

import pandas as pd
import pytest

from reproduction.results.tables import Table, Tables, number, text

RATE = number("rate", "r={:g}")
VIEW = number("view", "view={:g}", optional=True)
SPACE = text("space")


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
    with pytest.raises(ValueError, match="same name"):
        Tables(Table("3"), Table("3"))
    with pytest.raises(ValueError, match="'rate' is a number here"):
        Tables(Table("3", (RATE,)), Table("4", (text("rate"),)))


def test_written_settings_of_a_frame():
    tables = Tables(Table("5", (RATE, VIEW)), Table("1", (SPACE,)))
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
