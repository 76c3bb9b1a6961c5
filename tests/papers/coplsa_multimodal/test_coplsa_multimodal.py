"""The declared experiments: cells by hand, choices on training pairs, poisoned labels."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from job_rows import run_job
from scipy import sparse

from asprinted.claims import select
from manyviews.metrics import Ranking
from reproduction.data.format import MultiViewData
from reproduction.papers.coplsa_multimodal import extras, settings
from reproduction.papers.coplsa_multimodal.baselines import RAW, TRUE_CLASS
from reproduction.papers.coplsa_multimodal.paper import rival, study
from reproduction.papers.coplsa_multimodal.protocol import (
    Pairs,
    centred_correlation,
    directions,
    mean_precision,
)
from reproduction.papers.coplsa_multimodal.settings import L2, LINK, PAPER, PaperSettings
from reproduction.papers.coplsa_multimodal.settings import WIKIPEDIA as DATA
from reproduction.results.jobs import Context, find_job
from reproduction.results.settings import complete

NAMES = [name for dataset, name in study.work if dataset == DATA]
FEW = dict.fromkeys(settings.DATASETS, 6)
SMALLER = {"documents": None, "topics": FEW, "iterations": FEW, "trace": {"iterations": 6}}
SETTINGS = complete(PaperSettings, SMALLER, size="quick")


def make_pairs(rng):
    """Paired data of three classes; the text tells more than the image."""
    n, n_test = 150, 50
    y = rng.permutation(np.arange(n) % 3)
    views = {}
    for view, width, tokens in (("text", 30, 20), ("image", 21, 10)):
        # a third of the words belongs to each class
        own = np.arange(width) % 3 == y[:, None]
        chances = np.where(own, 4.0, 1.0) * rng.uniform(0.5, 1.5, width)
        chances /= chances.sum(axis=1, keepdims=True)
        views[view] = sparse.csr_matrix([rng.multinomial(tokens, p) for p in chances])
    views["topics"] = sparse.csr_matrix(rng.dirichlet(np.ones(5), n) + 0.5 * np.eye(5)[y])
    return MultiViewData(
        name=DATA,
        views={name: X.astype(float) for name, X in views.items()},
        labels=y,
        class_names=["a", "b", "c"],
        ids=[str(i) for i in range(n)],
        feature_names={"text": [f"w{i}" for i in range(30)]},
        rows={
            "is_test": np.arange(n) >= n - n_test,
            "article": np.array([f"a{i % 80}" for i in range(n)]),
        },
    )


@pytest.fixture
def pairs(rng):
    return make_pairs(rng)


@pytest.fixture(scope="module")
def rows(module_rng):
    """Rows of all jobs of one data set, as the next station reads them; made once for a file."""
    pairs, places = make_pairs(module_rng), [f"{DATA}/{name}" for name in NAMES]
    return pd.concat([run_job(PAPER, place, pairs, given=SMALLER)[0] for place in places])


def result_of(name, data, given=SETTINGS):
    """Run a job without the control that is told the true class of the texts, and its like."""
    plans = [
        replace(plan, methods=tuple(m for m in plan.methods if m.name not in (RAW, TRUE_CLASS)))
        for plan in study.work[DATA, name].plans
    ]
    return study.run(Context(find_job(PAPER, DATA, name), {DATA: data}, given), plans)


def prepared(data):
    return Pairs(data, SETTINGS.documents, SETTINGS.validation_share)


def changed(data, views=0):
    """Return the data with other labels, and other features if wanted, of (some) test pairs."""
    test, made = data.rows["is_test"].astype(bool), {}
    some = np.flatnonzero(test)[:views]
    for name, X in data.views.items():
        made[name] = X.toarray()
        made[name][some] = made[name][some][:, ::-1] + 1.0
    return replace(data, views=made, labels=np.where(test, (data.labels + 1) % 3, data.labels))


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


@pytest.mark.parametrize("name", NAMES)
def test_a_test_pair_is_ranked_without_labels_and_without_the_other_test_pairs(
    pairs, similarities, name
):
    result_of(name, pairs)
    clean = list(similarities)
    similarities.clear()
    result_of(name, changed(pairs, views=1))
    assert len(clean) == len(similarities) > 0
    declared = [prepared(pairs).table, prepared(pairs).aside]
    for (before, *labels), (after, *_) in zip(clean, similarities, strict=True):
        of = next(s for s in declared if all(np.array_equal(y, s.test_labels) for y in labels))
        first = 1 if of is declared[0] else 0  # the changed pair, where test pairs are ranked
        np.testing.assert_array_equal(before[first:, first:], after[first:, first:])


def test_lambda_is_chosen_without_a_test_pair(pairs):
    split = prepared(pairs).aside
    test = np.flatnonzero(pairs.rows["is_test"])
    assert not np.isin(test, np.concatenate(split.rows)).any()
    assert len(split.test_labels) + len(split.train_labels) == len(pairs.ids) - len(test)
    moved = prepared(changed(pairs, views=50)).aside
    for before, after in zip([*split.train, *split.test], [*moved.train, *moved.test], strict=True):
        np.testing.assert_array_equal(before.toarray(), after.toarray())
    np.testing.assert_array_equal(split.train_labels, moved.train_labels)
    np.testing.assert_array_equal(split.test_labels, moved.test_labels)


def test_a_cell_of_table_1_by_hand():
    """Three images, three texts, two classes; average precision over the whole list."""
    similarity = np.array([[0.9, 0.8, 0.1], [0.2, 0.7, 0.3], [0.5, 0.6, 0.4]])
    rankings = directions("topic", similarity, np.array([0, 1, 0]))
    rows = mean_precision(None, lambda *how: rankings, "full", "honest", 1, 1.0)
    found = {place["direction"]: value for place, value in rows}
    # i2t: order 0 1 2 -> relevant at 1, 3; order 1 2 0 -> at 1; order 1 0 2 -> at 2, 3
    assert found["i2t"] == pytest.approx(((1 + 2 / 3) / 2 + 1 + (1 / 2 + 2 / 3) / 2) / 3)
    # t2i: text 0 ranks images 0 2 1 -> 1, 2; text 1: 0 1 2 -> at 2; text 2: 2 1 0 -> at 1, 3
    assert found["t2i"] == pytest.approx((1 + 1 / 2 + (1 + 2 / 3) / 2) / 3)


def test_centred_correlation_ignores_mean_and_length(rng):
    a, mean = rng.random((5, 3)), rng.random(3)
    np.testing.assert_allclose(np.diag(centred_correlation(a, a, mean, mean)), 1.0)
    stretched = centred_correlation(mean + 7 * (a - mean), a, mean, mean)
    np.testing.assert_allclose(stretched, centred_correlation(a, a, mean, mean))


def test_link_plsa_is_symmetric_in_the_joint_protocol_only(rows):
    link = select(rows, table="1", method=LINK, reading=["inferred", "honest"])
    wide = link.pivot_table(index=["reading", "run"], columns="setting", values="value")
    joint, honest = wide.loc["inferred"], wide.loc["honest"]
    np.testing.assert_allclose(joint["semantic;i2t"], joint["semantic;t2i"], atol=1e-12)
    assert (np.abs(honest["semantic;i2t"] - honest["semantic;t2i"]) > 1e-6).all()


def test_lambda_is_the_best_of_the_grid(pairs):
    given = {**SETTINGS.model_dump(), "lambda_grid": {"l2": [30.0, 0.01, 1.0]}}
    result = result_of("l2", pairs, complete(PaperSettings, given, size="quick"))
    tried = {}
    for row in result.rows:
        if row.table == "choice:lambda" and row.reading != "honest":
            tried.setdefault(vars(row)["at"]["lambda_"], []).append(row.value)
    best = max(tried, key=lambda lam: (np.mean(tried[lam]), -lam))
    assert [row.value for row in result.rows if row.table == "choice:lambda_chosen"] == [best]


def test_facts_of_a_trace_by_hand(pairs):
    """Of a gain of 7, 0.9 is made after two sweeps, 0.99 after four; it falls once, by 1."""
    made = SimpleNamespace(objective_=np.array([-8.0, -3.0, -1.5, -2.5, -1.0]))
    risen = SimpleNamespace(objective_=np.array([-2.0, -1.0, -1.0]))
    part, answer = prepared(pairs).table, {settings.RANDOM_START: made, "again": risen}
    size, found = len(part.train_labels), {}
    for name in ("objective_per_pair", "falls", "largest_fall", "sweeps"):
        measured = extras.traces.metrics[name].measure.call(part, answer)
        found[name] = [(*at.values(), value) for at, value in measured]
    start = settings.RANDOM_START
    assert found["objective_per_pair"][3] == (start, 3, -2.5 / size)
    assert found["falls"] == [(start, 1), ("again", 0)]
    assert found["largest_fall"] == [(start, 1.0 / size), ("again", 0.0)]
    assert found["sweeps"] == [(0.9, 2), (0.99, 4)]


def test_the_short_run_is_a_point_of_the_training_curve(rows):
    own, keys = SETTINGS.short_run, ["space", "direction", "run"]
    cells = select(rows, table="1", method=LINK, reading="short run")
    curve = rows[(rows["table"] == settings.TRAINING) & (rows["sweep"] == own.sweeps)]
    both = cells.merge(curve, on=keys)
    assert len(both) == len(cells) == 4 * own.runs
    np.testing.assert_array_equal(both["value_x"], both["value_y"])
    fitted = select(rows, table="1", method=LINK, reading="short run, fitted").merge(cells, on=keys)
    assert (fitted["value_x"] != fitted["value_y"]).any()


def test_the_plain_reading_of_the_search_is_the_short_run_of_its_lambda(rows):
    own = SETTINGS.short_run
    name = str(extras.Tried(own.fitted_lambda.l2, own.sweeps))
    keys = ["space", "direction", "run"]
    searched = rows[(rows["table"] == "search:1") & (rows["reading"] == name)]
    fitted = select(rows, table="1", method=L2, reading="short run, fitted")
    both = searched.merge(fitted, on=keys)
    assert len(both) == len(searched) == 4 * SETTINGS.choice_runs
    np.testing.assert_array_equal(both["value_x"], both["value_y"])


@pytest.mark.parametrize(
    "kind", [extras.SHARED, extras.APART, extras.FLAT, extras.WORDS, extras.LINKED]
)
def test_starts_are_distributions_and_differ_as_they_say(pairs, kind):
    split = prepared(pairs).table
    hs, ws = extras.begin(split, 6, 0, kind)
    for array in (*hs, *ws):
        np.testing.assert_allclose(array.sum(axis=1), 1.0)
        assert (array >= 0).all()
    assert np.array_equal(hs[0], hs[1]) == (kind != extras.APART)
    if kind == extras.FLAT:
        assert np.ptp(hs[0]) < 0.2


def test_a_rival_knows_an_evaluated_item_by_one_modality(pairs):
    split = prepared(pairs).table

    class Thirds:
        """Weight of every third word: the class, by the way the test's data are made."""

        def fit(self, Xs, y):
            np.testing.assert_array_equal(y, split.train_labels)
            Xs[0].data[:] = y[:] = 0  # what a method does to its input stays with it

        def predict(self, Xs):
            assert sum(X.sum() == 0 for X in Xs) == 1
            return sum(X.toarray().reshape(X.shape[0], -1, 3).sum(axis=1) for X in Xs).argmax(1)

    found = rival(split, Thirds(), 1.0)("joint", 1, 1.0)
    assert found["topic", "i2t"].average_precision("full").mean() > 0.5  # chance is a third
    assert split.train[0].sum() == pytest.approx(len(split.train_labels))
