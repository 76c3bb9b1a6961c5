"""The comparison: equal splits, every method runs, no leak in any task or method."""

import re
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from small_data import compared, own_data

from manyviews.compare.fit import inner_splits, tuned
from manyviews.compare.method import Method, facts_of
from manyviews.compare.methods import find_methods
from manyviews.compare.prepare import as_counts
from manyviews.compare.reading.guard import DataError
from manyviews.compare.report.write import views_section
from manyviews.compare.run import run_job, seen
from manyviews.compare.task import recognise, splits_of


def test_folds_partition_the_labelled_rows(data, rng):
    data.codes[rng.permutation(len(data))[:10]] = -1
    task = recognise(data)
    splits = splits_of(task, data, 0)
    tested = np.concatenate([split.test for split in splits])
    np.testing.assert_array_equal(np.sort(tested), np.flatnonzero(data.codes >= 0))
    for split in splits:
        assert not set(split.train) & set(split.test)
        assert (data.codes[split.train] >= 0).all()
    again = splits_of(task, data, 0)
    assert all((a.test == b.test).all() for a, b in zip(splits, again, strict=True))
    other = splits_of(task, data, 1)
    assert any((a.test != b.test).any() for a, b in zip(splits, other, strict=True))


def test_drawn_labels_have_every_class(rng):
    data = own_data(rng, n_rows=90, n_classes=3, label_share=0.1)
    task = recognise(data)
    assert task.name == "few labels"
    for split in splits_of(task, data, 3):
        assert split.train.size == 9
        assert set(data.codes[split.train]) == {0, 1, 2}
        assert split.test.size == 18  # a fifth: what all splits share would not show
        assert not set(split.train) & set(split.test)


def test_samples_to_cluster_are_small_if_there_are_many_rows(rng):
    for n_rows, n_clusters, size in ((300, 2, 60), (200, 2, 50), (60, 2, 30), (200, 8, 80)):
        data = own_data(rng, n_rows=n_rows, task="cluster", clusters=n_clusters)
        task = recognise(data)
        assert {split.rows.size for split in splits_of(task, data, 0)} == {size}
        assert task.overlap == pytest.approx(size / (n_rows - size))


def test_the_task_is_recognised(rng):
    for name, hidden, more in (
        ("full labels", 0, {}), ("few labels", 42, {}), ("clustering", 0, {"task": "cluster"}),
        ("clustering without labels", 60, {"clusters": 3}),
    ):  # fmt: skip
        data = own_data(rng, **more)
        data.codes[rng.permutation(60)[:hidden]] = -1
        assert recognise(data).name == name


def test_tasks_that_the_data_cannot_pose_are_refused(rng):
    data = own_data(rng, task="retrieval")
    data.views = data.views.select(["part0"])
    with pytest.raises(DataError, match="two views"):
        recognise(data)
    data = own_data(rng, task="few labels")
    data.codes[:] = -1
    with pytest.raises(DataError, match="labels"):
        recognise(data)


def test_tuning_sees_training_rows_alone(data):
    """A method that tells what it is shown: never a row of its own test part."""
    seen = []

    class Spy:
        def fit(self, Xs, y):
            seen.append(y.copy())
            self.labels_ = np.zeros(len(y), dtype=int)
            return self

    method = Method("Spy", ("classify",), "plain", lambda *_: Spy(), ({"a": 1}, {"a": 2}),
                    transductive=True, key="spy")  # fmt: skip
    shown = np.where(np.arange(len(data)) % 4 == 0, -1, data.codes)
    tuned(method, facts_of(data, 2), data.views, shown, 0)
    tests = [test for _, test in inner_splits(shown, 0)]
    assert len(seen) == 2 * len(tests)
    for i, y in enumerate(seen):
        assert (y[tests[i % len(tests)]] == -1).all()
        assert (y[shown < 0] == -1).all()


def test_two_cores_find_the_same(data):
    one, two = compared(data), compared(data, jobs=2)
    for key, values in one.scores().items():
        np.testing.assert_array_equal(values, two.scores()[key])


def test_a_method_that_fails_is_named_and_does_not_end_it(data):
    def build(facts, settings, seed):
        raise RuntimeError("no luck today")

    said = []
    more = [Method("Broken", ("classify",), "plain", build, key="broken")]
    found = compared(data, ["majority", "broken"], more=more, say=said.append)
    assert "no luck today" in found.failed["broken"]
    assert "broken" not in found.scores()
    assert any("Broken" in line and "no luck today" in line for line in said)


@pytest.mark.parametrize("task", ["classify", "cluster"])
def test_a_view_alone_is_that_view(rng, data, task):
    """One view says the class outright, the other is noise."""
    telling, data.task = int(rng.integers(2)), task
    blocks = [rng.normal(size=(len(data), 3)) for _ in range(2)]
    blocks[telling] = 0.01 * blocks[telling] + 9 * data.codes[:, None]
    data.views = data.views.replace(dict(zip(data.views.names, blocks, strict=True)))
    found = compared(data, ["single_view"])
    means = [values.mean() for _, values in sorted(found.scores().items())]
    assert len(means) == 2
    shown = re.findall(r"([\d.]+)</td></tr>", views_section(found, None).partition("redundancy")[0])
    assert shown == [f"{mean:.3f}" for mean in means]
    assert means[telling] == 1 > means[1 - telling] + 0.1


def test_counts_are_never_negative(data):
    data.views = data.views.replace({"part0": data.views.view("part0") - 5})
    prepared = as_counts(facts_of(data, 2)).fit(data.views[:20]).transform(data.views)
    assert prepared.view("part0").min() >= 0


# Every method runs and there is no leak: shuffled labels give chance, hidden ones move nothing.


def posed(rng, task, n_rows):
    """Data on which no method of the task is skipped."""
    data = own_data(rng, n_rows=n_rows, task=task)
    if task == "classify":
        data.graphs, data.kinds = [False, True], ["counts", "counts"]
        links = sp.csr_matrix((rng.random((n_rows, n_rows)) < 0.1).astype(float))
        data.views = data.views.replace({"part1": links})
    return data


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("task", ["classify", "retrieval"])
def test_shuffled_labels_give_chance(rng, task):
    data = posed(rng, task, 120)
    data.codes = rng.permutation(data.codes)
    found = compared(data, None)
    assert (found.failed, found.skipped) == ({}, [])
    scores = found.scores("map" if task == "retrieval" else "accuracy")
    assert len(scores) == len(found.methods)
    # at least 110 held-out rows of two equal classes: the deviation is 0.05
    centre = scores["chance"].mean() if task == "retrieval" else 0.5
    for key, values in scores.items():
        assert abs(values.mean() - centre) < 0.22, key


def test_broken_pairs_give_chance(rng):
    """Without classes a hit is the row itself: rows of another order in one view have none."""
    data = posed(rng, "retrieval", 100)
    data.codes[:], data.classes = -1, []
    data.views = data.views.replace({"part1": data.views.view("part1")[rng.permutation(100)]})
    found = compared(data, None)
    expected = np.mean(1 / np.arange(1, 21))  # of a random rank among 20
    for key, values in found.scores().items():
        assert abs(values.mean() - expected) < 0.12, key


@pytest.mark.parametrize("task", ["classify", "cluster", "retrieval"])
def test_poisoned_labels_of_hidden_rows_move_nothing(rng, task):
    data = posed(rng, task, 50)
    wanted = recognise(data)
    facts = facts_of(data, wanted.n_classes, wanted.kind)
    methods, skipped = find_methods(facts)
    assert skipped == []
    assert len(methods) >= (7 if task == "retrieval" else 12)
    split = splits_of(wanted, data, 0)[0]
    poisoned = data.codes.copy()
    poisoned[split.test] = 1 - poisoned[split.test]
    for key, method in methods.items():
        answers = []
        for codes in (data.codes, poisoned):
            record = run_job(method, facts, split, *seen(replace(data, codes=codes), split))
            assert record["error"] is None, record
            answers.append((record["predicted"], record["settings"], record["tried"]))
        assert answers[0] == answers[1], key


def test_a_view_is_embedded_without_the_others(rng):
    """Other values in one view do not move the coordinates that another view gives."""
    data = posed(rng, "retrieval", 60)
    wanted = recognise(data)
    facts = facts_of(data, wanted.n_classes, "retrieve")
    methods, _ = find_methods(facts)
    split = splits_of(wanted, data, 0)[0]
    changed = data.views.view("part1").copy()
    changed[split.test] = changed[split.test][::-1]
    other = data.views.replace({"part1": changed})
    shown = seen(data, split)[1]
    for key, method in methods.items():
        spaces = [
            np.array(run_job(method, facts, split, views, shown)["predicted"])
            for views in (data.views, other)
        ]
        np.testing.assert_array_equal(spaces[0][0], spaces[1][0], key)
