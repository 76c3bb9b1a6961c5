"""When a hypothesis or the best reading of a search counts as supported."""

import numpy as np
import pandas as pd
import pytest

from reproduction.results.search import search_reading, search_table
from reproduction.verdicts.hypotheses import Hypothesis, compared_cells, judge, rms

SAID = {"id": "short", "what": "w", "why": "y", "evidence": "e"}
SHORT = Hypothesis(**SAID, tried=20, reading="short run", found_on=("a",))
GRID = Hypothesis(**SAID, tried=3, search="grid", cells={"dataset": ["a", "b"]})
PUBLISHED = pd.DataFrame(
    {
        "table": "2", "dataset": np.repeat(list("abcd"), 6), "setting": "train=10%",
        "method": [f"m{i}" for i in range(6)] * 4, "metric": "score_pct", "mean": 50.0,
    }
)  # fmt: skip


def rows_of(reading, values, runs, **more):
    """Rows of a reading: one value for all methods of a data set, runs around it."""
    cells = PUBLISHED[PUBLISHED["dataset"].isin(list(values))].drop(columns="mean")
    cells = cells.assign(reading=reading, role="published", **more)
    middle = cells["dataset"].map(values) - (runs - 1) / 2
    return pd.concat([cells.assign(run=run, value=middle + run) for run in range(runs)])


def searched(readings):
    """The compared reading in four runs, and readings of a search in the first two."""
    compared = rows_of("inferred", dict.fromkeys("abcd", 54.0), 4)
    # runs that the search lacks must not count
    frames = [compared.assign(value=np.where(compared["run"] < 2, 54.0, 1000.0))]
    place = {"table": search_table("2"), "role": "ours"}
    for name, values in readings.items():
        frames.append(rows_of(search_reading("grid", name), values, 2).assign(**place))
    return pd.concat(frames)


def test_cells_are_those_with_rows_of_both_readings():
    own = rows_of("inferred", dict.fromkeys("abcd", 54.0), 3)
    rows = pd.concat([own, rows_of("short run", dict.fromkeys("abc", 51.0), 3)])  # d was not run
    rows = pd.concat([rows, rows.assign(role="ours", value=0.0)])  # others' rows do not count
    found = compared_cells(SHORT, rows, PUBLISHED)["short run"]
    assert list(found["dataset"]) == list(np.repeat(list("abc"), 6))
    np.testing.assert_allclose(found["before"], 2.0)
    np.testing.assert_allclose(found["after"], 0.5)


def cells_of(before, after):
    return {"short run": PUBLISHED.assign(published=50.0, before=before, after=after)}


def test_what_explains_all_data_sets_is_supported(rng):
    before = np.repeat(rng.choice([-3.0, 3.0], 4), 6) + rng.normal(0, 0.3, 24)
    outcome = judge(SHORT, cells_of(before, before * 0.1), "toy", 300)
    assert outcome.verdict == "supported"
    assert outcome.p_value < 0.05
    assert outcome.after < outcome.luck < outcome.before
    assert (outcome.cells, outcome.held_out) == (24, 18)
    everywhere = SHORT.model_copy(update={"found_on": ()})  # no data are left to test it on
    assert judge(everywhere, cells_of(before, before * 0.1), "toy", 300).verdict == "undecided"


@pytest.mark.parametrize(("moved", "verdict"), [("ab", "supported"), ("b", "undecided")])
def test_two_data_sets_are_enough_and_one_is_not(moved, verdict):
    far = np.where(PUBLISHED["dataset"].isin(list(moved)), 3.0, 0.0)
    outcome = judge(SHORT, cells_of(far, far * 0.1), "toy", 300)
    assert outcome.p_value < 0.05  # a random reading moves the others away
    assert outcome.verdict == verdict


def test_what_moves_away_is_refuted_and_one_data_set_is_not_enough(rng):
    before = rng.normal(0, 3, 24)
    assert judge(SHORT, cells_of(before, before * 2), "toy", 100).verdict == "refuted"
    first = np.arange(24) < 6  # the data set it was found on
    alone = judge(SHORT, cells_of(before, np.where(first, 0.0, before * 1.01)), "toy", 100)
    assert alone.verdict != "supported"
    assert alone.held_out_after > alone.held_out_before


def test_the_best_of_many_random_readings_is_seldom_supported(rng):
    """Try twenty readings that know nothing of print and report the best, as a searcher would."""
    searches, supported = 60, 0
    hypothesis = SHORT.model_copy(update={"found_on": ()})
    for _ in range(searches):
        before = rng.normal(0, 2, 24)
        signs = np.repeat(rng.choice([-1.0, 1.0], (hypothesis.tried, 4)), 6, axis=1)
        moved = np.abs(rng.normal(0, 2, (hypothesis.tried, 24)))
        best = min(before + signs * moved, key=rms)
        supported += judge(hypothesis, cells_of(before, best), "toy", 200).p_value < 0.05
    # about one in twenty; without the correction it would be nearly all
    assert supported / searches < 0.25


def test_cells_of_every_reading_of_a_search_by_hand():
    rows = searched({"good": {"a": 51.0, "b": 50.0}, "half": {"a": 49.0}})
    rows = pd.concat([rows, rows.assign(reading=rows["reading"].str.replace("grid", "another"))])
    found = compared_cells(GRID, rows.drop_duplicates(), PUBLISHED)
    assert set(found) == {"good", "half"}
    for name, after in (("good", [0.5, 0.0]), ("half", [-0.5, 2.0])):  # half was not run on b
        means = found[name].groupby("dataset")[["before", "after"]].mean()
        assert list(means.index) == ["a", "b"]  # the hypothesis does not touch c
        np.testing.assert_allclose(means["before"], 2.0)
        np.testing.assert_allclose(means["after"], after)


@pytest.mark.parametrize(
    ("near", "best", "verdict"),
    [
        # with two data sets one of four random readings has both signs right: nine tries find it
        ({"near": {"a": 50.2, "b": 50.1}}, "near", "undecided"),
        ({}, "r1", "refuted"),
    ],
)
def test_the_nearest_reading_is_judged_for_all_that_were_tried(near, best, verdict):
    readings = {f"r{i}": {"a": 54.0 + i, "b": 54.0 + i} for i in range(1, 6)} | near
    found = compared_cells(GRID, searched(readings), PUBLISHED)
    outcome = judge(GRID, found, "toy", draws=300)
    assert (outcome.best, outcome.readings, outcome.verdict) == (best, len(readings), verdict)
    assert outcome.p_value > 0.05
    nothing = compared_cells(GRID, searched({}), PUBLISHED)
    assert judge(GRID, nothing, "toy").verdict == "undecided"
