"""The protocol of the multi-view PLSA paper on tiny data."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from job_rows import made_up

from manyviews.seeding import generator
from reproduction.papers.mvplsa import paper, protocol
from reproduction.papers.mvplsa.paper import clusters, study, unlabelled
from reproduction.papers.mvplsa.protocol import KINDS, OVER_ALL, PER_CLASS, PaperSettings
from reproduction.results.jobs import Context, find_job
from reproduction.results.settings import complete

N = 60
seeded = partial(generator, "mvplsa", "cornell")
TINY = {
    "rates": [0.1, 0.2], "iterations": 4, "topics": {"webkb": 3, "news": 3},
    "topic_grid": {"webkb": [3], "news": [3]}, "rounds": 4, "pools": [10], "positives": [1, 2],
    "negatives": [1], "cut_grid": [0.4, 1.0], "counts_cut": 0.6,
}  # fmt: skip


def documents(rng, dataset, classes=2):
    names = {"newsgv2": ("v1", "v2"), "newsgv4": ("v1", "v2", "v3", "v4")}
    views = names.get(dataset, ("content", "links", "cites", "cited"))
    return made_up(rng, dataset, np.arange(N) % classes, **dict.fromkeys(views, 20))


def drawn(data, run=0, rate=0.2, sampling=PER_CLASS, **changed):
    how = {"links": "links", "treatment": "as in the tables", "cut": 1.0, **changed}
    views = protocol.views({"": data}, KINDS[data.name], **how)
    return paper.draw(views, run, seeded, rate, sampling)


def answer(name, part, **changed):
    """Return what a declared method answers, at the settings of a tiny run."""
    method, settings = study.methods[name], complete(PaperSettings, TINY, size="quick")
    own = {key: getattr(value, "webkb", value) for key, value in settings}
    given = {"dataset_kind": "webkb", "run": 0, "seeded": seeded, "rate": 0.2, "view": 1}
    found = method.fit.result({**own, **given, **changed}, part)
    return found[method.own] if method.own else found


def rows_of(name, data, **changed):
    """Rows of a job: {(role, table, reading, view or cut): {(method, rate, run): value}}."""
    job = find_job("mvplsa", data.name, name)
    settings = complete(PaperSettings, {**TINY, **changed}, size="quick")
    rows = study(Context(job, dict.fromkeys(job.view_keys, data), settings)).rows
    found = {}
    for row in rows:
        place = row.role, row.table, row.reading, row.at.get("view", row.at.get("cut"))
        found.setdefault(place, {})[row.method, row.at["rate"], row.run] = row.value
    return found


@pytest.mark.parametrize("sampling", [PER_CLASS, OVER_ALL])
def test_draws_have_the_rate_and_lack_no_class(rng, sampling):
    data = documents(rng, "cornell")
    for run in range(10):
        for rate in (0.01, 0.1, 0.2):
            part = drawn(data, run, rate, sampling)
            known = part.given >= 0
            assert (part.given[known] == data.labels[known]).all()
            assert set(part.given[known]) == {0, 1}
            assert known.sum() == max(2, round(rate * N))


def test_draws_over_all_are_even(rng):
    """Given that no class is left out, every pair of one document a class is as likely."""
    y = np.array([0, 0, 0, 1])
    hits = sum(protocol.draw_over_all(y, 0.5, rng) for _ in range(3000))
    assert hits[3] == 3000
    np.testing.assert_allclose(hits[:3], 1000, atol=150)
    for size, rate in zip(rng.integers(8, 90, 50), rng.uniform(0.01, 0.6, 50), strict=True):
        known = protocol.draw_over_all(np.arange(size) % 2, rate, rng)
        assert known.sum() == max(2, round(rate * size))


def test_views_are_those_that_the_settings_name(rng):
    data = documents(rng, "cornell")
    for links in ("links", "cites", "cited"):
        assert drawn(data, links=links).Xs[1] is data.views[links]
    whole = data.views["content"].toarray()
    cut = drawn(data, cut=0.5).Xs[0].toarray()
    np.testing.assert_array_equal(cut, whole[:, (whole > 0).sum(axis=0) < 0.5 * N])
    unit = drawn(data, treatment="rows of unit length").Xs[0].toarray()
    np.testing.assert_allclose((unit**2).sum(axis=1), 1.0)
    counts = documents(rng, "newsgv2")
    Xs, _ = protocol.views({"": data, "counts": counts}, "news", "links", "plain counts", 1.0)
    assert Xs == [counts.views["v1"], counts.views["v2"]]


def test_best_and_average_view_by_hand(rng):
    data = documents(rng, "newsgv4")
    data.views["v2"] = data.views["v2"][rng.permutation(N)]  # a view that tells nothing
    part = unlabelled((list(data.views.values()), data.labels), 0, seeded)
    nmi = clusters.metrics["NMI"].measure.call
    single = [nmi(part, part.kmeans[f"Kmeans_V{v}"]) for v in range(1, 5)]
    assert nmi(part, part.kmeans["Kmeans_Best"]) == max(single) > min(single)
    assert nmi(part, part.kmeans["Kmeans_Avg"]) == pytest.approx(np.mean(single))
    assert nmi(part, part.kmeans["by criterion"]) in single


def test_a_cell_of_table_3_by_hand(rng):
    """Naive Bayes with add-one smoothing on one view, counted in plain numpy."""
    part = drawn(documents(rng, "cornell"))
    X, score = part.Xs[0].toarray(), np.zeros((N, 2))
    for c in (0, 1):
        words = X[part.given == c].sum(axis=0) + 1.0
        score[:, c] = X @ np.log(words / words.sum()) + np.log((part.given == c).sum())
    right = score.argmax(axis=1) == part.truth
    found = answer("NBC_V1", part)
    hidden = part.given < 0
    assert hidden.sum() == 48
    value = paper.accuracy_pct(part, found, "unlabelled documents")
    assert value == pytest.approx(100 * right[hidden].mean())
    guess = rng.integers(2, size=N)
    for scored, rows in (("unlabelled documents", hidden), ("all documents", slice(None))):
        value = paper.accuracy_pct(part, guess, scored)
        assert value == pytest.approx(100 * (guess == part.truth)[rows].mean())
    part.given[:3] = 1  # more than of the other class
    assert (answer("majority", part) == 1).all()


def test_a_cell_of_table_4_by_hand(rng):
    """Two classes with no word in common; three hidden documents carry the other class's words.

    Whoever goes by the words is wrong about these three and right about all others.
    """
    data = documents(rng, "cornell")
    hidden = drawn(data).given < 0
    odd = rng.choice(np.flatnonzero(hidden), 3, replace=False)
    words = data.labels.copy()
    words[odd] = 1 - words[odd]
    for name in data.views:
        counts = np.zeros((N, 12))
        for i, c in enumerate(words):
            counts[i, 6 * c : 6 * c + 6] = rng.integers(1, 6, size=6)
        data.views[name] = sp.csr_matrix(counts)
    part = drawn(data)
    for method in ("MVPLSA", "DPLSA", "DPLSA_V1", "DPLSA_V2", "MVPLSA on four parts", "CoTr_E"):
        found = answer(method, part)
        value = paper.accuracy_pct(part, found, "unlabelled documents")
        assert value == pytest.approx(100 * 45 / 48), method


def test_split_deals_every_column_once(rng):
    X = sp.csr_matrix(rng.random((4, 11)))
    parts = protocol.deal_columns(X, 4, rng)
    assert sorted(part.shape[1] for part in parts) == [2, 3, 3, 3]
    joined = np.hstack([part.toarray() for part in parts])
    np.testing.assert_allclose(np.sort(joined, axis=1), np.sort(X.toarray(), axis=1))


def test_co_training_is_searched_by_its_own_score_or_by_agreement(rng):
    part = drawn(documents(rng, "cornell"))
    found = {"CoTr_V1": part.truth, "CoTr_V2": part.truth.copy(), "CoTr_E": 1 - part.truth}
    assert paper.ensemble_score(part, found, "unlabelled documents") == 0.0
    assert paper.agreement(part, found) == 1.0
    found["CoTr_V2"][np.flatnonzero(part.given < 0)[:12]] -= 7
    assert paper.agreement(part, found) == pytest.approx(0.75)
    assert [75, 1, 3] in paper.searched([10], [1, 2], [1], [75, 1, 3])


def test_the_text_reading_is_that_of_other_settings(rng):
    data = documents(rng, "cornell")
    text = rows_of("text_tables", data)
    same = rows_of("tables", data, sampling=OVER_ALL, links="cites")
    assert text == {
        (role, table, "text", place): own
        for (role, table, reading, place), own in same.items()
        if (role, reading) == ("published", "inferred")
    }


def test_counts_without_common_words_stand_in_tables_3_and_5(rng):
    rows = rows_of("readings", documents(rng, "newsgv4", classes=3))
    three = rows["published", "3", "counts without common words", None]
    assert three == rows["ours", "choice:cut", "inferred", 0.6]
    for (_, table, reading, view), own in rows.items():
        assert reading != "inferred" or table == "choice:cut"
        for (_, rate, run), value in own.items() if table == "5" else ():
            assert value == three[f"NBC_V{view}", rate, run]
