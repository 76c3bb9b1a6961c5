"""Rows that lack views: each model against its own equations, restricted to what is there."""

import numpy as np
import pytest
import scipy.sparse as sp
from problems import distributions, equal_parts, lacking_some, never_falls, partly, word_views
from scipy import linalg
from sklearn.base import clone

from manyviews import baselines as b
from manyviews.models import DPLSA, MVPLSA, MultiViewKMeans
from manyviews.parts.common_pattern import common_pattern, one_hot
from manyviews.parts.naive_bayes import combine_posteriors
from manyviews.views import Views


def dense(rng, widths=(12, 9)):
    """Dense views without constant columns, and the classes."""
    Xs, y = word_views(rng, widths=widths, length=15.0, concentration=0.3)
    return [X.toarray() + rng.random(X.shape) for X in Xs], y


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_cca_is_the_solution_of_its_masked_covariances(rng, share):
    """Oracle: the generalised eigenproblem of the rows that have a view, or both."""
    (A, B), _ = dense(rng)
    observed = lacking_some(rng, 60, 2, share)
    model = b.CCA(3, reg=1e-2).fit(Views([A, B], observed=observed))
    one, two = observed.T
    mean = A[one].mean(axis=0), B[two].mean(axis=0)
    ca, cb = np.cov(A[one].T, bias=True), np.cov(B[two].T, bias=True)
    both = one & two
    cross = (A[both] - mean[0]).T @ (B[both] - mean[1]) / both.sum()
    ca += 1e-2 * np.trace(ca) / len(ca) * np.eye(len(ca))
    cb += 1e-2 * np.trace(cb) / len(cb) * np.eye(len(cb))
    squares = linalg.eigvals(linalg.solve(ca, cross) @ linalg.solve(cb, cross.T)).real
    np.testing.assert_allclose(model.correlations_**2, np.sort(squares)[::-1][:3], rtol=1e-6)
    for weights, C in ((model.weights_[0], ca), (model.weights_[1], cb)):
        np.testing.assert_allclose(weights.T @ C @ weights, np.eye(3), atol=1e-6)
    projected = [(X - m) @ w for X, m, w in zip((A, B), mean, model.weights_, strict=True)]
    equal_parts(model.transform([A, B]), projected, atol=1e-9)
    observed[:30, 0] = observed[30:, 1] = False
    views = Views({"words": A, "links": B}, observed=observed)
    with pytest.raises(ValueError, match="view 'words' and view 'links' together: 0"):
        b.CCA(2).fit(views)


@pytest.mark.parametrize("kind", [MVPLSA, DPLSA, b.CCA], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("n_views", [2, 3])
def test_rows_that_lack_everything_are_not_there(rng, kind, n_views):
    Xs, classes = dense(rng, widths=(8, 6, 5)[:n_views])
    labels = partly(rng, classes)
    here = (rng.random(60) < 0.8) | (labels >= 0)
    some = Views(Xs, observed=np.repeat(here[:, None], n_views, axis=1)), labels
    model = b.CCA(2) if kind is b.CCA else kind(4, max_iter=8, random_state=0)
    one, two = clone(model).fit(*some), clone(model).fit([X[here] for X in Xs], labels[here])
    if kind is b.CCA:
        np.testing.assert_allclose(one.correlations_, two.correlations_, atol=1e-9)
        equal_parts(one.weights_, two.weights_, atol=1e-6)
    else:
        np.testing.assert_allclose(one.doc_topic_[here], two.doc_topic_, atol=1e-9)


def test_common_pattern_runs_over_the_rows_of_each_view(rng):
    labels = [rng.integers(0, 3, 30) for _ in range(2)]
    observed = lacking_some(rng, 30, 2)
    B, maps = 1.0 - rng.random((30, 3)), [1.0 - rng.random((3, 3)) for _ in range(2)]
    settings = {"weights": [1.0, 0.5], "max_iter": 20, "tol": 0.0}
    patterns = [one_hot(found, 3) for found in labels]
    found, _, trace = common_pattern(patterns, B, maps, observed=observed, **settings)
    never_falls(-np.array(trace))
    # rows that lack a view do not see it: their entries there may be anything
    other = [np.where(observed[:, [v]], A, 7.0) for v, A in enumerate(patterns)]
    again, _, _ = common_pattern(other, B, maps, observed=observed, **settings)
    np.testing.assert_array_equal(again, found)
    full = common_pattern(patterns, B, maps, observed=np.ones_like(observed), **settings)[0]
    np.testing.assert_allclose(full, common_pattern(patterns, B, maps, **settings)[0])


def test_posteriors_are_combined_over_the_views_a_row_has(rng):
    p, q = (rng.dirichlet(np.ones(3), 4) for _ in range(2))
    observed = np.array([[True, True], [True, False], [False, True], [False, False]])
    mean = combine_posteriors([p, q], "mean", observed)
    np.testing.assert_allclose(mean, [(p[0] + q[0]) / 2, p[1], q[2], (p[3] + q[3]) / 2])
    product = combine_posteriors([p, q], "product", observed)
    np.testing.assert_allclose(product[:3], [p[0] * q[0] / (p[0] @ q[0]), p[1], q[2]])


@pytest.mark.parametrize(
    "model",
    [
        b.NaiveBayesEnsemble(),
        b.CoTraining((1, 1, 1), max_iter=3, random_state=0),
        *(MultiViewKMeans(combine) for combine in ("sum", "prod", "cotrain")),
    ],
    ids=str,
)
def test_a_row_with_one_view_is_judged_by_it_alone(rng, model):
    """Whether the other is not observed, left out, or None."""
    Xs, classes = dense(rng)
    views = Views(Xs, names=["words", "links"])
    model.fit(views, partly(rng, classes))
    if isinstance(model, MultiViewKMeans):
        expected = model.view_scores(views)[:, 0].argmax(axis=1)
    else:
        expected = model.view_posteriors(views)[0].argmax(axis=1)
    for alone in (
        Views(views, observed=np.tile([True, False], (60, 1))),
        {"words": Xs[0]},
        [Xs[0], None],
    ):
        np.testing.assert_array_equal(model.predict(alone), model.classes_[expected])
    with pytest.raises(ValueError, match="fitted on the views words, links; got others"):
        model.predict({"others": Xs[0]})


@pytest.mark.parametrize("neighbours", [None, 6])
def test_spectral_rows_without_a_view_have_no_edge(rng, neighbours):
    Xs, _ = dense(rng)
    observed = lacking_some(rng, 60, 2, 0.2)
    model = b.CoRegularisedSpectral(3, lam=0.5, n_neighbors=neighbours, random_state=0)
    for v, graph in enumerate(model._graphs(Views(Xs, observed=observed))):
        here = np.flatnonzero(observed[:, v])
        alone = model._graphs([Xs[v][here]] * 2)[0]
        full, expected = (G.toarray() if sp.issparse(G) else G for G in (graph, alone))
        assert not full[~observed[:, v]].any()
        np.testing.assert_allclose(full[np.ix_(here, here)], expected, atol=1e-12)


def test_single_view_says_where_it_knows_nothing(rng):
    Xs = distributions(word_views(rng)[0])
    observed = lacking_some(rng, 60, 2)
    observed[:4, 1] = False
    model = b.SingleView(b.PLSAClustering(3, max_iter=10, random_state=0), view=1)
    labels = model.fit_predict(Views(Xs, observed=observed))
    np.testing.assert_array_equal(labels == -1, ~observed[:, 1])
