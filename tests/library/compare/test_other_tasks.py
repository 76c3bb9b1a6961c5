"""Retrieval and streams: recognised, scored by hand, reported, and their winners used."""

import csv

import numpy as np
import pytest
from small_data import own_data

from manyviews.compare.advice import advise
from manyviews.compare.method import facts_of
from manyviews.compare.online import Online, Running
from manyviews.compare.reading.errors import DataError
from manyviews.compare.reading.own import read_own
from manyviews.compare.report.write import write_report
from manyviews.compare.run import Options, compare
from manyviews.compare.scores import ranked, retrieved
from manyviews.compare.store import packed, unpacked
from manyviews.compare.task import recognise
from manyviews.compare.winner import load

SEARCHERS = ["chance", "cca", "semantic_matching"]
LEARNERS = ["online_guesses", "online_concatenation"]


def compared(data, folder, only):
    return compare(data, folder, Options(rounds=1, only=only), lambda line: None)


def test_mean_average_precision_by_hand():
    # rows 0 and 1 are of one class; row 0 finds itself first, then 2, then 1
    spaces = np.array([[[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]], [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]])
    wanted = np.array([0, 0, 1])
    first = (1 + 2 / 3) / 2  # ranks 1 and 3; row 1 the same
    assert ranked(spaces, wanted) == pytest.approx((first + first + 1) / 3)
    task = recognise_retrieval()
    assert retrieved(task, wanted, spaces)["reciprocal_rank"] == 1.0


def recognise_retrieval():
    return recognise(own_data(np.random.default_rng(0), task="retrieval"))


def test_coordinates_survive_the_store(rng):
    spaces = rng.normal(size=(2, 5, 3)).astype(np.float32)
    np.testing.assert_array_equal(unpacked(packed(spaces)), spaces)
    codes = rng.integers(3, size=7)
    np.testing.assert_array_equal(unpacked(packed(codes)), codes)


def test_tasks_that_the_data_cannot_pose_are_refused(rng):
    data = own_data(rng, task="retrieval")
    data.views = data.views.select(["part0"])
    with pytest.raises(DataError, match="two views"):
        recognise(data)
    data = own_data(rng, task="stream")
    data.codes[:] = -1
    with pytest.raises(DataError, match="'stream' needs labels"):
        recognise(data)


def test_rows_that_lack_a_view_take_no_part(rng, tmp_path):
    data = own_data(rng, n_rows=60, task="retrieval")
    observed = np.ones((60, 2), dtype=bool)
    observed[rng.permutation(60)[:9], 1] = False
    data.views = type(data.views)(data.views, observed=observed)
    found = compared(data, tmp_path, SEARCHERS)
    tested = np.concatenate([split.test for split in found.splits])
    assert set(tested) == set(np.flatnonzero(observed.all(axis=1)))
    assert any("9 rows that lack a view" in note for note in data.notes)


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


def test_a_stream_has_a_report_and_its_winner_predicts(rng, tmp_path):
    data = own_data(rng, n_rows=120, task="stream")
    found = compared(data, tmp_path / "work", LEARNERS)
    assert found.failed == {}
    assert found.curves == []
    advice = write_report(found, tmp_path)
    assert advice.key == "online_concatenation"
    winner = load(tmp_path / "winner.joblib")
    told = [winner.predictions[key] for key in data.ids]
    assert winner.predict(data.views) == told
    text = (tmp_path / "report.html").read_text()
    assert "Errors of" in text
    assert "not tuned" in text
    data.codes = rng.permutation(data.codes)
    assert advise(compared(data, tmp_path / "other", LEARNERS)).sentence.startswith("Nothing")


def test_the_data_file_asks_for_them(tmp_path, rng):
    lines = ["id,a,b,label"] + [
        f"p{i},{rng.normal():.3f},{rng.normal():.3f},{'uv'[i % 2]}" for i in range(40)
    ]
    (tmp_path / "one.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "two.csv").write_text("\n".join(lines) + "\n")
    for task in ("stream", "retrieval"):
        (tmp_path / "data.yaml").write_text(
            f"views: {{one: one.csv, two: two.csv}}\nlabels: label\nid: id\ntask: {task}\n"
        )
        data = read_own(tmp_path)
        assert recognise(data).name == task
        assert data.ids == [f"p{i}" for i in range(40)]  # in the order of the file


def test_running_scales_are_those_of_all_rows_learnt(rng):
    data = own_data(rng, n_rows=40)
    facts = facts_of(data, 2, "stream")
    running = Running(facts)
    for start in range(0, 40, 10):
        running.learn(data.views[start : start + 10])
    X = data.views.view("part0")
    spread = X.std(axis=0)
    expected = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0) / np.sqrt(X.shape[1])
    np.testing.assert_allclose(running.transform(data.views).view("part0"), expected, atol=1e-9)
    assert isinstance(Online(facts, None).running_, Running)
