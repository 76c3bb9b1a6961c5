"""Declared searches: every reading counts, and the best is corrected for all of them."""

import numpy as np
import pandas as pd

from reproduction.results.jobs import jobs_of
from reproduction.results.published import load_published
from reproduction.results.search import search_reading, search_table
from reproduction.rooms import paper_keys
from reproduction.verdicts.hypotheses import Hypothesis, load_hypotheses
from reproduction.verdicts.search import judge_search, search_cells

FOUND = Hypothesis(
    id="h", what="w", why="y", evidence="e", tried=3, search="grid", cells={"dataset": ["a", "b"]}
)
PUBLISHED = pd.DataFrame(
    {
        "table": "2", "dataset": np.repeat(list("abc"), 4), "setting": "train=10%",
        "method": [f"m{i}" for i in range(4)] * 3, "metric": "score_pct", "mean": 50.0,
    }
)  # fmt: skip
MARGINS = {"score_pct": 2.0}


def rows_of(readings, compared=54.0):
    """Rows of the compared reading in four runs, and of readings in the first two."""
    records = []
    for cell in PUBLISHED.to_dict("records"):
        place = {k: cell[k] for k in ("dataset", "setting", "method", "metric")}
        for run in range(4):
            value = compared if run < 2 else 1000.0  # runs that the search lacks must not count
            records.append(
                {**place, "table": "2", "reading": "inferred", "role": "published", "run": run,
                 "value": value}
            )  # fmt: skip
        for name, values in readings.items():
            if cell["dataset"] in values:
                records += [
                    {**place, "table": search_table("2"), "reading": search_reading("grid", name),
                     "role": "ours", "run": run, "value": values[cell["dataset"]] + run - 0.5}
                    for run in range(2)
                ]  # fmt: skip
    return pd.DataFrame(records)


def test_cells_of_every_reading_by_hand():
    rows = rows_of({"good": {"a": 51.0, "b": 50.0}, "half": {"a": 49.0}})
    rows = pd.concat([rows, rows.assign(reading=rows["reading"].str.replace("grid", "another"))])
    found = search_cells(FOUND, rows, PUBLISHED, MARGINS)
    assert set(found) == {"good", "half"}
    good = found["good"].groupby("dataset")[["before", "after"]].mean()
    assert set(good.index) == {"a", "b"}  # the hypothesis does not touch c
    np.testing.assert_allclose(good["before"], [2.0, 2.0])
    np.testing.assert_allclose(good["after"], [0.5, 0.0])
    half = found["half"].groupby("dataset")["after"].mean()
    np.testing.assert_allclose(half, [-0.5, 2.0])  # not run on b: nothing moves there


def test_the_nearest_reading_is_judged_for_all_that_were_tried():
    readings = {f"r{i}": {"a": 54.0 + i, "b": 54.0 + i} for i in range(5)}
    readings["near"] = {"a": 50.2, "b": 50.1}
    outcome = judge_search(
        FOUND, search_cells(FOUND, rows_of(readings), PUBLISHED, MARGINS), "toy", draws=300
    )
    assert (outcome.best, outcome.readings, outcome.groups_nearer) == ("near", 6, 2)
    # with two data sets one of four random readings has both signs right: nine tries find it
    assert outcome.p_value > 0.05
    assert outcome.verdict == "undecided"


def test_a_search_that_only_moves_away_is_refuted_and_one_without_rows_stays_open():
    found = search_cells(FOUND, rows_of({"bad": {"a": 60.0, "b": 61.0}}), PUBLISHED, MARGINS)
    assert judge_search(FOUND, found, "toy", draws=100).verdict == "refuted"
    nothing = search_cells(FOUND, rows_of({}), PUBLISHED, MARGINS)
    assert judge_search(FOUND, nothing, "toy").verdict == "undecided"


def test_every_search_has_a_job_and_every_job_a_hypothesis():
    """A paper with a module of readings runs it on every data set that a hypothesis names."""
    for paper in paper_keys():
        named = {
            h.search: set(h.cells.get("dataset", []))
            for h in load_hypotheses(paper, load_published(paper))
            if h.search
        }
        jobs = {job.dataset for job in jobs_of(paper) if job.name == "search"}
        assert jobs == set().union(*named.values())
