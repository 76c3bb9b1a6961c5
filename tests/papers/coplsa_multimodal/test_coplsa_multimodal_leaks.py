"""Labels and pairs of the test part reach neither training nor the choice of lambda."""

import numpy as np
import pytest

from manyviews.metrics import Ranking
from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_multimodal import PAPER, baselines, protocol
from reproduction.papers.coplsa_multimodal.retrieval import directions
from reproduction.results.jobs import Context, find_job, jobs_of

DATA = "wikipedia_pairs"
MODELS = ("link", "skl", "l2", "l1")
JOBS = (*MODELS, "scm", "search", *(f"trajectory_{name}" for name in MODELS))


def with_labels(data, labels, views=None):
    return MultiViewData(
        data.name, views or data.views, labels, data.class_names, data.ids,
        feature_names=data.feature_names, rows=data.rows,
    )  # fmt: skip


@pytest.fixture
def similarities(monkeypatch):
    """Every matrix that is ranked, with the labels it is scored by."""
    seen = []
    rank = Ranking.of

    def of(similarity, queries, items):
        seen.append((np.array(similarity), np.array(queries), np.array(items)))
        return rank(similarity, queries, items)

    monkeypatch.setattr(Ranking, "of", of)
    return seen


def results_of(name, data, settings):
    """Run a job after the jobs it comes after."""
    job = find_job(PAPER, DATA, name)
    assert not job.after
    return job.load()(Context(job, dict.fromkeys(job.view_keys, data), settings))


@pytest.mark.parametrize("name", [n for n in JOBS if not find_job(PAPER, DATA, n).after])
def test_labels_of_test_pairs_move_no_similarity(pairs, settings, similarities, monkeypatch, name):
    # a control that is told the true class of the texts bounds the table from above: not a method
    monkeypatch.setattr(baselines, "control_rows", lambda split, settings: [])
    test = pairs.rows["is_test"]
    results_of(name, pairs, settings)
    clean = list(similarities)
    similarities.clear()
    results_of(
        name, with_labels(pairs, np.where(test, (pairs.labels + 1) % 3, pairs.labels)), settings
    )
    assert len(clean) == len(similarities) > 0
    for (before, *_), (after, *_) in zip(clean, similarities, strict=True):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("name", [n for n in JOBS if not find_job(PAPER, DATA, n).after])
def test_the_test_pairs_or_the_pairs_set_aside_are_ranked(pairs, settings, similarities, name):
    results_of(name, pairs, settings)
    declared = [protocol.load_split(pairs, settings), protocol.validation_split(pairs, settings)]
    assert similarities
    for similarity, queries, items in similarities:
        assert any(
            np.array_equal(queries, s.test_labels) and np.array_equal(items, s.test_labels)
            for s in declared
        )
        assert similarity.shape == (queries.size, items.size)


def test_lambda_is_chosen_without_a_test_pair(pairs, settings):
    test = pairs.rows["is_test"].astype(bool)
    split = protocol.validation_split(pairs, settings)
    assert not set(split.test_ids) & {pairs.ids[i] for i in np.flatnonzero(test)}
    changed = {}
    for name, X in pairs.views.items():
        dense = X.toarray()
        dense[test] = dense[test][:, ::-1] + 1.0
        changed[name] = dense
    other = with_labels(pairs, np.where(test, (pairs.labels + 1) % 3, pairs.labels), changed)
    moved = protocol.validation_split(other, settings)
    for before, after in zip([*split.train, *split.test], [*moved.train, *moved.test], strict=True):
        np.testing.assert_array_equal(before.toarray(), after.toarray())
    np.testing.assert_array_equal(split.train_labels, moved.train_labels)
    np.testing.assert_array_equal(split.test_labels, moved.test_labels)


def test_a_cell_of_table_1_by_hand():
    """Three images, three texts, two classes; average precision over the whole list."""
    similarity = np.array([[0.9, 0.8, 0.1], [0.2, 0.7, 0.3], [0.5, 0.6, 0.4]])
    labels = np.array([0, 1, 0])
    rankings = {
        ("topic", name): ranking for name, ranking in directions(similarity, labels, labels)
    }
    rows = protocol.map_rows(rankings, "1", "m", "honest")
    found = {row.at["direction"]: row.value for row in rows}
    # i2t: order 0 1 2 -> relevant at 1, 3; order 1 2 0 -> at 1; order 1 0 2 -> at 2, 3
    assert found["i2t"] == pytest.approx(((1 + 2 / 3) / 2 + 1 + (1 / 2 + 2 / 3) / 2) / 3)
    # t2i: text 0 ranks images 0 2 1 -> 1, 2; text 1: 0 1 2 -> at 2; text 2: 2 1 0 -> at 1, 3
    assert found["t2i"] == pytest.approx((1 + 1 / 2 + (1 + 2 / 3) / 2) / 3)


def test_every_job_that_ranks_is_watched():
    """A new job of the data set is either watched above or known to rank nothing new."""
    known = {*JOBS, "choices", "figure2", "objective"}
    names = {job.name for job in jobs_of(PAPER) if job.dataset == DATA}
    assert {n for n in names if not n.startswith("rival_")} <= known
