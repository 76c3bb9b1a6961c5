"""No leak in any task or method: shuffled labels give chance, hidden ones move nothing."""

import numpy as np
import pytest
from small_data import compared, own_data

from manyviews.compare.method import facts_of
from manyviews.compare.methods import find_methods
from manyviews.compare.run import Job, run_job, shown_labels
from manyviews.compare.task import paired_rows, recognise, splits_of

TASKS = ("classify", "cluster", "retrieval")


def posed(rng, task, n_rows, **more):
    data = own_data(rng, n_rows=n_rows, **more)
    data.task = task
    if task == "classify":
        data.kinds = ["counts", "counts"]
    return data


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("task", ["classify", "retrieval"])
def test_shuffled_labels_give_chance(rng, task):
    data = posed(rng, task, 120)
    data.codes = rng.permutation(data.codes)
    found = compared(data, None)
    assert found.failed == {}
    scores = found.scores("map" if task == "retrieval" else "accuracy")
    assert len(scores) >= 6
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


@pytest.mark.parametrize("task", TASKS)
def test_poisoned_labels_of_hidden_rows_move_nothing(rng, task):
    data = posed(rng, task, 50)
    wanted = recognise(data)
    facts = facts_of(data, wanted.n_classes, wanted.kind)
    methods, _ = find_methods(facts, wanted.kind)
    assert len(methods) >= 6
    able = paired_rows(data) if task == "retrieval" else None
    split = splits_of(wanted, data.codes, 0, able)[0]
    poisoned = data.codes.copy()
    poisoned[split.test] = 1 - poisoned[split.test]
    views = data.views[split.rows] if task == "cluster" else data.views
    for key, method in methods.items():
        answers = []
        for codes in (data.codes, poisoned):
            shown = shown_labels(codes, split)[split.rows]
            record = run_job(Job(method, split, shown, views), facts)
            assert record["error"] is None, record
            answers.append((record["predicted"], record["settings"], record["tried"]))
        assert answers[0] == answers[1], key


def test_a_view_is_embedded_without_the_others(rng):
    """Other values in one view do not move the coordinates that another view gives."""
    data = posed(rng, "retrieval", 60)
    wanted = recognise(data)
    facts = facts_of(data, wanted.n_classes, "retrieve")
    methods, _ = find_methods(facts, "retrieve")
    split = splits_of(wanted, data.codes, 0, paired_rows(data))[0]
    changed = data.views.view("part1").copy()
    changed[split.test] = changed[split.test][::-1]
    other = data.views.replace({"part1": changed})
    shown = shown_labels(data.codes, split)
    for key, method in methods.items():
        spaces = [
            np.array(run_job(Job(method, split, shown, views), facts)["predicted"])
            for views in (data.views, other)
        ]
        np.testing.assert_array_equal(spaces[0][0], spaces[1][0], key)
