"""Open choices: which rows belong to which reading of a cell."""

import pandas as pd
import pytest
import yaml

from reproduction.results.published import load_published
from reproduction.results.tables import Table, Tables, number, text
from reproduction.rooms import paper_keys, tables_of
from reproduction.verdicts.readings import ReadingError, RowFinder, load_readings, protocol

TABLES = Tables(
    Table("1", (number("rate"), text("scored", optional=True))),
    Table("choice:size", (number("rate"), number("size"), text("scored", optional=True))),
)
CELL = {"table": "1", "dataset": "d", "method": "m", "metric": "accuracy_pct", "rate": 0.1}
PUBLISHED = pd.DataFrame([{**CELL, "mean": 50.0, "std": 1.0}])

CHOICES = [
    {
        "id": "scored", "question": "Which?", "says": "nothing", "place": "Section 1", "tried": 2,
        "made": {"commit": "1234567", "numbers_seen": True}, "evidence": "It fits.",
        "options": [
            {"name": "few", "status": "text", "where": {"scored": "few"}},
            {"name": "all", "status": "inferred", "where": {}},
        ],
    },
    {
        "id": "size", "question": "How large?", "says": "nothing", "place": "Section 2", "tried": 3,
        "made": {"commit": "1234567", "numbers_seen": False}, "cells": {"method": ["m"]},
        "options": [
            {"name": "two", "status": "convention", "where": {"table": "choice:size", "size": 2}},
            {"name": "one", "status": "inferred", "where": {}},
            {"name": "others", "status": "tried", "where": {"table": "choice:size"}},
        ],
        "evidence": "It fits too.",
    },
]  # fmt: skip


def choices(tmp_path, content=CHOICES):
    path = tmp_path / "readings.yaml"
    path.write_text(yaml.safe_dump(content))
    return load_readings("mine", PUBLISHED, TABLES, path)


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


def test_a_reading_takes_all_its_options_together(tmp_path):
    known = choices(tmp_path)
    finder = RowFinder(ROWS, TABLES)
    assert list(finder.under(CELL, known, "inferred").values) == [50, 52]
    assert list(finder.under(CELL, known, "text").values) == [45]
    assert protocol(known, "inferred") == "inferred"
    assert protocol(known, "text") == "convention"
    assert protocol((), "text") == "text"


def test_options_that_were_not_run_together_have_no_run(tmp_path):
    known = choices(tmp_path)
    apart = ROWS[~((ROWS["table"] == "choice:size") & (ROWS["scored"] == "few"))]
    assert RowFinder(apart, TABLES).under(CELL, known, "text") is None
    never = [{**CHOICES[0]}, {**CHOICES[1], "options": [
        {"name": "two", "status": "convention"}, *CHOICES[1]["options"][1:]
    ]}]  # fmt: skip
    assert RowFinder(ROWS, TABLES).under(CELL, choices(tmp_path, never), "text") is None


def test_options_that_contradict_each_other_have_no_run(tmp_path):
    """Two choices ask for another size each: nothing was run under both, whichever came first."""
    three = {**CHOICES[1], "id": "size_again", "options": [
        {"name": "three", "status": "convention", "where": {"table": "choice:size", "size": 3}},
        *CHOICES[1]["options"][1:],
    ]}  # fmt: skip
    finder = RowFinder(ROWS, TABLES)
    for order in ([CHOICES[1], three], [three, CHOICES[1]]):
        known = choices(tmp_path, order)
        assert all(finder.under(CELL, [one], "text") is not None for one in known)
        assert finder.under(CELL, known, "text") is None


def test_a_reading_that_names_two_places_is_refused(tmp_path):
    vague = [{**CHOICES[1], "options": [
        {"name": "any", "status": "text", "where": {"table": "choice:size"}},
        CHOICES[1]["options"][1],
    ]}]  # fmt: skip
    rows = ROWS[ROWS["reading"] != "inferred"]
    with pytest.raises(ReadingError, match="more than one place"):
        RowFinder(rows, TABLES).under(CELL, choices(tmp_path, vague), "text")


def test_every_other_reading_is_found_without_being_listed(tmp_path):
    finder = RowFinder(ROWS, TABLES)
    compared = finder.under(CELL, (), "inferred")
    assert [f.place[2] for f in finder.others(CELL, (), compared)] == ["another way"]
    found = list(finder.others(CELL, choices(tmp_path), compared))
    means = sorted(float(each.values.mean()) for each in found)
    # the row of size 1 repeats the compared one and is no other reading
    assert means == [30, 41, 55, 61]


@pytest.mark.parametrize("paper", paper_keys())
def test_the_choices_of_every_paper_are_sound(paper):
    known = load_readings(paper, load_published(paper), tables_of(paper))
    assert known
    for choice in known:
        assert choice.option("text").status in ("text", "convention")
        if choice.option("inferred") != choice.option("text"):
            assert choice.option("inferred").status == "inferred"
            assert choice.evidence


def changed(place, **fields):
    content = [{**choice} for choice in CHOICES]
    content[place] = {**content[place], **fields}
    return content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "holds no list"),
        (changed(0, id="size"), "size is there twice"),
        (changed(0, evidence=""), "without its evidence"),
        (changed(0, cells={"method": ["nobody"]}), "touches no published cell"),
        (changed(0, cells={"colour": ["red"]}), "no column 'colour'"),
        (changed(0, options=CHOICES[0]["options"][1:]), "exactly one option"),
        (changed(0, options=[*CHOICES[0]["options"], CHOICES[0]["options"][1]]), "two options"),
        (changed(1, options=[{"name": "x", "status": "text", "where": {"table": "9"}}]), "'9'"),
        (changed(1, options=[{"name": "x", "status": "text", "where": {"hue": 1}}]), "'hue'"),
    ],
)
def test_a_wrong_list_is_refused(tmp_path, content, message):
    with pytest.raises(ReadingError, match=message):
        choices(tmp_path, content)
    with pytest.raises(ReadingError, match="is missing"):
        load_readings("mine", PUBLISHED, TABLES, tmp_path / "none.yaml")
