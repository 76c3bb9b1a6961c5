"""Scores recorded along one fit equal those of fits that stop there."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from manyviews.metrics import macro_f1
from manyviews.models.multiview_kmeans import MultiViewKMeans
from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier import OPEN, PAPER, methods, protocol, trajectory
from reproduction.papers.multiview_hier.settings import PaperSettings
from reproduction.results.jobs import Context, find_job
from reproduction.results.settings import complete

MAX_ITER = 7


def made_up(rng, name="cora"):
    """Classes that overlap, so that labels move for several iterations; some rows lack links."""
    labels = rng.permutation(np.repeat(np.arange(3), [40, 30, 20]))
    views = {}
    for view in methods.VIEWS[name]:
        centres = rng.random((3, 25)) ** 2
        X = rng.poisson(1.2 * centres[labels]).astype(float)
        if view == methods.VIEWS[name][1]:
            X[rng.random(labels.size) < 0.3] = 0.0
        views[view] = sp.csr_matrix(X)
    return MultiViewData(
        name=name, views=views, labels=labels, class_names=["a", "b", "c"],
        ids=[str(i) for i in range(labels.size)], provenance={"source": "made up"},
    )  # fmt: skip


def recorded(rng, name="cora", **given):
    settings = complete(PaperSettings, {"max_iter": MAX_ITER, **given}, size="quick")
    data = made_up(rng, name)
    context = Context(find_job(PAPER, name, "trajectory"), {name: data}, settings)
    rows = trajectory.run(context).rows
    return data, settings, pd.DataFrame([{**vars(row), **row.at} for row in rows])


def test_every_real_data_set_of_table_2_is_recorded():
    assert {find_job(PAPER, dataset, "trajectory").dataset for dataset in OPEN} == set(OPEN)


def test_the_value_at_every_cap_is_that_of_a_fresh_fit(rng):
    """The slow way: fit anew for every cap."""
    data, settings, rows = recorded(rng)
    prepared = protocol.paper_views(data)
    (target,) = protocol.targets(data)
    long = 0
    for case in protocol.cases("cora", target, settings.train, range(2)):
        labels = {}
        here = rows[(rows["train"] == case.percent) & (rows["run"] == case.run)]
        for name, combine in methods.FLAT_METHODS.items():
            part = here[(here["table"] == "trajectory") & (here["method"] == name)]
            curve = part.sort_values("iteration")["value"].tolist()
            long += len(curve) > 2
            for cap in range(1, MAX_ITER + 1):
                model = MultiViewKMeans(combine, max_iter=cap)
                model.fit(prepared.for_method(combine), case.given)
                assert model.n_iter_ == min(cap, len(curve))
                labels[name, cap] = model.labels_
                expected = 100 * macro_f1(case.y, model.labels_)
                assert trajectory.at_cap(curve, cap) == pytest.approx(expected, abs=1e-9)
                if cap == settings.short_run:
                    own = here[(here["reading"] == "short run") & (here["method"] == name)]
                    assert own["value"].tolist() == pytest.approx([expected], abs=1e-9)
        part = here[(here["table"] == "trajectory") & (here["method"] == "V1 vs V2")]
        curve = part.sort_values("iteration")["value"].tolist()
        for cap in range(1, MAX_ITER + 1):
            same = np.mean(labels["V1", cap] == labels["V2", cap])
            assert trajectory.at_cap(curve, cap) == pytest.approx(same)
    assert long  # some fit took several iterations, so the test could fail


def test_counting_gives_the_macro_f1_of_the_library(rng):
    for _ in range(50):
        k = int(rng.integers(2, 6))
        y = np.concatenate([np.arange(k), rng.integers(0, k, 30)])
        guess = rng.integers(0, k, y.size)
        assert trajectory.macro(y, guess, k) == pytest.approx(100 * macro_f1(y, guess), abs=1e-9)


def test_agreement_over_linked_documents_and_the_readings_of_pubmed(rng):
    data, settings, rows = recorded(rng, "pubmed")
    two = rows[rows["table"] == "2"]
    assert "inferred" not in set(rows["reading"])  # no row of print's own reading: nothing moves
    assert set(two["reading"]) == {
        "short run", "linked documents", "share mislabelled", "predicted again"
    }  # fmt: skip
    prepared = protocol.paper_views(data)
    (target,) = protocol.targets(data)
    linked = np.asarray((data.views[methods.VIEWS["pubmed"][1]] != 0).sum(axis=1)).ravel() > 0
    for case in protocol.cases("pubmed", target, settings.train, range(2)):
        here = two[two["run"] == case.run]
        fits = protocol.fit_flat(prepared, case.given, MAX_ITER)
        same = np.mean((fits["V1"].labels == fits["V2"].labels)[linked])
        found = here[(here["reading"] == "linked documents") & (here["train"] == case.percent)]
        assert found["value"].tolist() == pytest.approx([same])
        if case.percent == 10:
            found = here[here["reading"] == "share mislabelled"].set_index("method")
            assert set(found["train"]) == {30}
            for name, done in fits.items():
                expected = 100 * macro_f1(case.y, done.labels)
                assert found.loc[name, "value"] == pytest.approx(expected, abs=1e-9)


def test_predicted_again_forgets_the_labels_and_sends_empty_rows_to_the_largest_class(rng):
    data = made_up(rng, "pubmed")
    (target,) = protocol.targets(data)
    case = next(protocol.cases("pubmed", target, [30], range(1)))
    # whatever was drawn, a labelled row of the smallest class lacks its second view
    second = data.views[methods.VIEWS["pubmed"][1]]
    second[np.flatnonzero(case.known & (case.y == 2))[0]] = 0.0
    second.eliminate_zeros()
    prepared = protocol.paper_views(data)
    found = trajectory.predicted_again(prepared, case, MAX_ITER)
    empty = np.diff(prepared.pair[1].X.indptr) == 0
    largest = np.bincount(case.y[case.known]).argmax()
    assert (found["V2"][empty] == largest).all()
    assert (found["V2"][empty & case.known] != case.y[empty & case.known]).any()
    # away from ties the class order does not matter: compare with the ordinary fit
    model = MultiViewKMeans("view1", max_iter=MAX_ITER).fit(prepared.pair, case.given)
    np.testing.assert_array_equal(found["V1"], model.scores_[:, 0].argmax(axis=1))
