"""Retrieval: recognised, scored by hand, reported, and its winner used."""

import csv

import numpy as np
import pytest
from small_data import own_data

from manyviews.compare.reading.guard import DataError
from manyviews.compare.report.write import write_report
from manyviews.compare.run import Options, compare
from manyviews.compare.task import ranked, recognise, retrieved
from manyviews.compare.winner import load

SEARCHERS = ["chance", "cca", "semantic_matching"]


def compared(data, folder, only):
    return compare(data, folder, Options(rounds=1, only=only), lambda line: None)


def test_mean_average_precision_by_hand(rng):
    # rows 0 and 1 are of one class; row 0 finds itself first, then 2, then 1
    spaces = np.array([[[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]], [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]])
    wanted = np.array([0, 0, 1])
    first = (1 + 2 / 3) / 2  # ranks 1 and 3; row 1 the same
    assert ranked(spaces, wanted) == pytest.approx((first + first + 1) / 3)
    task = recognise(own_data(rng, task="retrieval"))
    assert retrieved(task, wanted, spaces)["reciprocal_rank"] == 1.0


def test_tasks_that_the_data_cannot_pose_are_refused(rng):
    data = own_data(rng, task="retrieval")
    data.views = data.views.select(["part0"])
    with pytest.raises(DataError, match="two views"):
        recognise(data)


def test_rows_that_lack_a_view_take_no_part(rng, tmp_path):
    data = own_data(rng, n_rows=60, task="retrieval")
    observed = np.ones((60, 2), dtype=bool)
    observed[rng.permutation(60)[:9], 1] = False
    data.views = type(data.views)(data.views, observed=observed)
    found = compared(data, tmp_path, SEARCHERS)
    tested = np.concatenate([split.test for split in found.splits])
    assert set(tested) == set(np.flatnonzero(observed.all(axis=1)))
    assert any("9 rows do not have all views" in note for note in data.notes)


def test_a_retrieval_has_a_report_and_its_winner_searches(rng, tmp_path):
    data = own_data(rng, n_rows=80, task="retrieval")
    found = compared(data, tmp_path / "work", SEARCHERS)
    assert found.failed == {}
    advice = write_report(found, tmp_path)
    assert "mean average precision" in advice.sentence
    text = (tmp_path / "report.html").read_text()
    assert "winner.search" in text
    with open(tmp_path / "predictions.csv") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 80
    assert {row["best_match"] for row in rows} <= set(data.ids)
    winner = load(tmp_path / "winner.joblib")
    near = winner.search(data.views[:5], "part0", "part1", first=3)
    assert [len(row) for row in near] == [3] * 5
    with pytest.raises(ValueError, match="no view 'x'"):
        winner.search(data.views[:5], "x", "part1")
    with pytest.raises(ValueError, match="search"):
        winner.predict(data.views)


def test_pairs_without_classes_are_searched_too(rng, tmp_path):
    data = own_data(rng, n_rows=60, task="retrieval")
    shared = rng.normal(size=(60, 6))
    data.views = data.views.replace(
        {name: np.hstack([shared, rng.normal(size=(60, 2))]) for name in data.views.names}
    )
    data.columns = [[f"c{j}" for j in range(8)]] * 2
    data.codes[:], data.classes = -1, []
    found = compared(data, tmp_path / "work", SEARCHERS)
    assert any("needs classes" in line for line in found.skipped)
    assert found.scores()["cca"].mean() > found.scores()["chance"].mean() + 0.2
    write_report(found, tmp_path)
