"""The protocol of the clustering paper on tiny data."""

import os
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from job_rows import made_up, run_job

from manyviews.models.plsa import PLSA
from manyviews.seeding import generator
from reproduction.papers.coplsa_clustering import paper, protocol, settings
from reproduction.papers.coplsa_clustering.methods import both_updates, coplsa, tied
from reproduction.papers.coplsa_clustering.settings import PAPER, TWO, VIEWS
from reproduction.results.published import load_published
from reproduction.results.rows import INFERRED
from reproduction.results.settings import complete

CLASSES = 4
TINY = {
    "iterations": dict.fromkeys(VIEWS, 2), "choice_runs": dict.fromkeys(VIEWS, 1),
    "documents": dict.fromkeys(VIEWS, 100), "reduction": {"topics": 5, "iterations": 2},
    "short_run": {"steps": 2},
}  # fmt: skip
SETTINGS = complete(settings.PaperSettings, TINY, size="quick")


def documents(dataset):
    """The same for all tests of a session."""
    rng = np.random.default_rng(int(os.environ["MANYVIEWS_TEST_SEED"]))
    views = (*VIEWS[dataset], *(paper.CONSTRUCTIONS if dataset == "corel5k" else ()))
    return made_up(rng, dataset, np.arange(110) % CLASSES, 30, **dict.fromkeys(views, 25))


@pytest.fixture(scope="module")
def frames():
    """Rows of every job of the paper."""
    found = {}
    for job in sorted(paper.study.jobs, key=lambda job: len(job.after)):
        data = documents(job.dataset)
        found[job.place] = run_job(PAPER, job.place, data, given=TINY, results=found)[0]
    return found


def start(dataset, run=0, choice=None, **changed):
    """Return a run as jobs have it; ``choice`` is the best view."""
    seeded = partial(generator, PAPER, dataset)
    how = {"documents": 100, "scale": "raw", "sift": "sift", **changed}
    task = protocol.views(documents(dataset), dataset, None, seeded, **how)
    task.choice = dict.fromkeys(settings.RULES, choice or task.names[0])
    return protocol.start(task, run, seeded, 2, 1e-6)


@pytest.mark.parametrize("best", [0, 1])
def test_the_placebo_is_the_other_view_with_its_rows_in_another_order(best):
    part = start("reuters", choice=VIEWS["reuters"][best])
    views, placebo = part.task.views(2), part.shuffled_partner
    assert (placebo[best] != views[best]).nnz == 0
    moved, kept = (X[1 - best].toarray() for X in (placebo, views))
    assert not np.array_equal(moved, kept)
    assert sorted(map(tuple, moved)) == sorted(map(tuple, kept))


def scores(part, labels):
    return {name: protocol.measure(name, part.task.truth, labels) for name in protocol.SCORES}


def test_the_best_view_is_what_the_rules_say(frames):
    for dataset, names in VIEWS.items():
        values = frames[f"{dataset}/kmeans"]
        choice = protocol.read_choice(values, names)
        part = values[values["table"] == "choice:best_view"]
        means = part.groupby(["rule", "view"])["value"].mean()
        for job, method in (("kmeans", "K-means + BOVF"), ("plsa", "PLSA + BOVF")):
            rows = frames[f"{dataset}/{job}"]
            rows = rows[rows["method"] == method].set_index(["metric", "run"])
            for rule, reading in settings.RULES.items():
                assert means[rule, choice[rule]] == max(means[rule, view] for view in names[:2])
                seen = rows[(rows["table"] == "choice:view") & (rows["view"] == choice[rule])]
                told = rows[(rows["table"] == "1") & (rows["reading"] == reading)]
                assert len(told)
                pd.testing.assert_series_equal(told["value"], seen["value"])


def test_plsa_and_coplsa_share_their_starts():
    part = start("reuters")
    two, three = (tied(part, 0.0, 1.0, 0.05, 2, 0.0, count=n)["printed"] for n in (2, 3))
    for view in ("EN", "SP"):
        alone = part.fitted(view, part.starts[view], 2).labels_
        np.testing.assert_array_equal(two.labels[view], alone)
        np.testing.assert_array_equal(three.labels[view], alone)


def test_the_second_fit_is_saved_only_when_it_would_be_the_same():
    part, made = start("reuters", scale="l1"), []

    def updates(**options):
        def fit(update):
            made.append(coplsa(part, part.task.views(2), update=update, **options))
            return made[-1]

        return both_updates(fit, part.task.names[:2])

    calm = updates(lam=1e-6)
    assert calm["safeguarded"].told == calm["printed"].told
    assert len(made) == 1
    wild = updates(lam=50.0, pair_share=1.0, max_iter=15)
    assert wild["printed"].told["unsafe_steps"] > 0
    assert wild["safeguarded"].told["decreases"] == 0
    assert [model.update for model in made[1:]] == ["printed", "safeguarded"]


def test_scales():
    X = documents("reuters").views["EN"]
    dense = {name: protocol.rescaled(X, name).toarray() for name in settings.SCALES}
    np.testing.assert_allclose(dense["l1"].sum(axis=1), 1.0)
    np.testing.assert_allclose((dense["l2"] ** 2).sum(axis=1), 1.0)
    np.testing.assert_allclose(dense["sqrt"] ** 2, dense["raw"])
    np.testing.assert_array_equal(dense["binary"], dense["raw"] > 0)


def test_a_fit_that_goes_on_is_one_long_fit(frames):
    values, total = frames["digits/choice_iterations"], max(SETTINGS.iteration_grid)
    best = protocol.read_choice(frames["digits/kmeans"], VIEWS["digits"])["accuracy"]
    part = start("digits", choice=best)
    last = values[values["steps"] == total].set_index(["method", "metric"])["value"]
    plsa = part.fitted(best, part.starts[best], total)
    both = tied(part, SETTINGS.lambda_.digits, 1.0, SETTINGS.pair_share, total, 0.0)
    for method, labels in (("PLSA + BOVF", plsa.labels_), (TWO, both["printed"].labels[best])):
        for metric, value in scores(part, labels).items():
            assert last[method, metric] == pytest.approx(value, abs=1e-9)


def test_the_work_of_an_iteration_by_hand(frames):
    rows = frames["corel5k/cost"].set_index(["sweep", "share", "metric"])["value"]
    words = sum(X.nnz for X in start("corel5k").task.views(2))
    expected = {"pairs": 990, "words": words, "work": CLASSES * (words + 2 * 990)}
    expected["bound"] = CLASSES * 100 * (2 * 25 + 2 * 100)
    assert rows["pairs", 0.2].to_dict() == expected
    assert rows["words", 1.0]["words"] == words > rows["words", 0.5]["words"]


def test_a_cell_of_table_1_by_hand():
    """Six documents, two clusters with other names than the classes; one is misplaced."""
    part = start("digits")
    part.task.truth, found = np.array([0, 0, 0, 1, 1, 1]), np.array([1, 1, 0, 0, 0, 0])
    values = scores(part, found)
    assert values["accuracy_pct"] == pytest.approx(100 * 5 / 6)
    shares = {(0, 1): 2 / 6, (0, 0): 1 / 6, (1, 0): 3 / 6}
    classes, clusters = {0: 1 / 2, 1: 1 / 2}, {0: 4 / 6, 1: 2 / 6}
    information = sum(p * np.log(p / (classes[c] * clusters[k])) for (c, k), p in shares.items())
    entropy = max(-sum(p * np.log(p) for p in d.values()) for d in (classes, clusters))
    assert values["nmi_pct"] == pytest.approx(100 * information / entropy)


def test_a_search_by_hand(frames):
    rows = frames["corel5k/search"]
    here = rows[rows["reading"] == "sift_best: sift_dog, sqrt"].set_index(["method", "metric"])
    part = start("corel5k", scale="sqrt")
    for method, view in (("K-means + BOVF", "sift_dog"), (paper.ON_COLOUR, "rgb")):
        expected = scores(part, part.kmeans[view])
        assert here.loc[method]["value"].to_dict() == pytest.approx(expected)


def test_the_inferred_readings_are_few_steps_from_the_clusters_of_k_means(frames):
    rows = frames["corel5k/hypotheses"]
    assert INFERRED not in set(rows["reading"])  # no row of print's own reading: nothing moves
    table = rows[(rows["table"] == "1") & (rows["role"] == "published")]
    assert set(table["reading"]) == {paper.FROM_KMEANS, paper.OPPONENT}
    table = table[table["reading"] == paper.FROM_KMEANS]
    assert set(table["method"]) == set(load_published(PAPER)["method"]) - {"PCoSC"}
    parts = [start("corel5k", run=number, scale="sqrt") for number in range(2)]
    best = max(("rgb", "sift"), key=lambda v: sum(part.score("accuracy", v) for part in parts))
    for number, part in enumerate(parts):
        own = table[table["run"] == number].set_index(["method", "metric"])["value"]
        for ending, view in (("BOVF", best), ("CTVF", "first two")):
            model = PLSA(CLASSES, max_iter=2, tol=0.0, init=part.soft_start(view, view, 0.9))
            labels = model.fit(part.task.inputs[view]).doc_topic_.argmax(axis=1)
            for method, found in (("K-means", part.kmeans[view]), ("PLSA", labels)):
                expected = scores(part, found)
                assert own[f"{method} + {ending}"].to_dict() == pytest.approx(expected, abs=1e-9)


def test_opponent_words_take_the_place_of_grey_ones_and_of_nothing_else(frames):
    rows = frames["corel5k/hypotheses"]
    own = rows[rows["reading"] == paper.OPPONENT]
    for number in range(2):
        part = start("corel5k", run=number, scale="sqrt", sift="sift_opponent")
        pair = [part.task.inputs[view] for view in ("rgb", "sift_opponent")]
        both = sp.csr_matrix(sp.hstack(pair))
        np.testing.assert_array_equal(part.task.inputs["both"].toarray(), both.toarray())
        labels = part.kmeans["both"]
        h = part.fitted("both", part.soft_start("both", "both", 0.9), 2).doc_topic_
        here = own[own["run"] == number].set_index(["method", "metric"])["value"]
        for method, found in (("K-means", labels), ("PLSA", h.argmax(axis=1))):
            expected = scores(part, found)
            assert here[f"{method} + CTVF"].to_dict() == pytest.approx(expected, abs=1e-9)


def test_a_soft_start_is_a_distribution_around_the_partition(rng):
    X = sp.csr_matrix(rng.poisson(2.0, (30, 9)) + (rng.random((30, 9)) < 0.2).astype(float))
    labels = rng.integers(0, 3, 30)
    part = start("reuters")
    part.task.inputs["X"], part.kmeans["X"], part.task.clusters = X, labels, 3
    h, w = part.soft_start("X", "X", 0.8)
    np.testing.assert_allclose(h.sum(axis=1), 1.0)
    np.testing.assert_allclose(w.sum(axis=1), 1.0)
    np.testing.assert_array_equal(h.argmax(axis=1), labels)
    np.testing.assert_allclose(h.max(axis=1), 0.8)
    by_hand = np.stack([(h[:, [z]] * X.toarray()).sum(axis=0) for z in range(3)])
    np.testing.assert_allclose(w, by_hand / by_hand.sum(axis=1, keepdims=True))
