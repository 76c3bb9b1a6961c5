"""Open choices: which rows belong to which reading of a cell."""

import pandas as pd
import pytest

from reproduction.results.tables import Table, Tables, number, text
from reproduction.rooms import RoomError
from reproduction.verdicts.readings import Choice, RowFinder, protocol

TABLES = Tables(
    Table("1", (number("rate"), text("scored", optional=True))),
    Table("choice:size", (number("rate"), number("size"), text("scored", optional=True))),
)
CELL = {"table": "1", "dataset": "d", "method": "m", "metric": "accuracy_pct", "rate": 0.1}


def choice(**options):
    """A choice with options by status: where their rows lie."""
    return Choice(
        id="mine", question="Which?", says="nothing", place="Section 1", tried=2,
        made={"commit": "1234567", "numbers_seen": True}, evidence="It fits.",
        options=[{"name": s, "status": s, "where": where} for s, where in options.items()],
    )  # fmt: skip


SCORED = choice(text={"scored": "few"}, inferred={})
SIZE = choice(
    convention={"table": "choice:size", "size": 2}, inferred={}, tried={"table": "choice:size"}
)


def rows_of(*places):
    """Rows of (table, size, scored, reading, values)."""
    records = [
        {**CELL, "table": table, "size": size, "scored": scored, "reading": reading, "run": run,
         "value": value, "role": "published", "source": "here"}
        for table, size, scored, reading, values in places
        for run, value in enumerate(values)
    ]  # fmt: skip
    frame = pd.DataFrame(records)
    return frame.assign(setting=TABLES.written(frame))


ROWS = rows_of(
    ("1", None, "", "inferred", [50, 52]),
    ("1", None, "few", "inferred", [40, 42]),
    ("1", None, "", "another way", [60, 62]),
    ("choice:size", 1, "", "inferred", [50]),
    ("choice:size", 2, "", "other", [55]),
    ("choice:size", 2, "few", "other", [45]),
    ("choice:size", 3, "", "other", [30]),
)


def test_a_reading_takes_all_its_options_together():
    known, finder = [SCORED, SIZE], RowFinder(ROWS, TABLES)
    assert list(finder.under(CELL, known, "inferred").values) == [50, 52]
    assert list(finder.under(CELL, known, "text").values) == [45]
    assert protocol(known, "inferred") == "inferred"
    assert protocol(known, "text") == "convention"
    assert protocol((), "text") == "text"


def test_options_that_were_not_run_together_have_no_run():
    apart = ROWS[~((ROWS["table"] == "choice:size") & (ROWS["scored"] == "few"))]
    assert RowFinder(apart, TABLES).under(CELL, [SCORED, SIZE], "text") is None
    never = choice(convention=None, inferred={})
    assert RowFinder(ROWS, TABLES).under(CELL, [SCORED, never], "text") is None


def test_options_that_contradict_each_other_have_no_run():
    """Two choices ask for another size each: nothing was run under both, whichever came first."""
    three = choice(convention={"table": "choice:size", "size": 3}, inferred={})
    finder = RowFinder(ROWS, TABLES)
    for known in ([SIZE, three], [three, SIZE]):
        assert all(finder.under(CELL, [one], "text") is not None for one in known)
        assert finder.under(CELL, known, "text") is None


def test_a_reading_that_names_two_places_is_refused():
    vague = choice(text={"table": "choice:size"}, inferred={})
    rows = ROWS[ROWS["reading"] != "inferred"]
    with pytest.raises(RoomError, match="more than one place"):
        RowFinder(rows, TABLES).under(CELL, [vague], "text")


def test_every_other_reading_is_found_without_being_listed():
    finder = RowFinder(ROWS, TABLES)
    compared = finder.under(CELL, (), "inferred")
    assert [f.place[2] for f in finder.others(CELL, (), compared)] == ["another way"]
    found = finder.others(CELL, [SCORED, SIZE], compared)
    # the row of size 1 repeats the compared one and is no other reading
    assert sorted(float(each.values.mean()) for each in found) == [30, 41, 55, 61]
