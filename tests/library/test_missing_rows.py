"""Rows that lack views: each model against its own equations, restricted to what is there."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import linalg

from manyviews.baselines import (
    CCA,
    CCAKMeans,
    CoRegularisedSpectral,
    CoTraining,
    MultiViewClustering,
    NaiveBayesEnsemble,
    PLSAClustering,
    SingleView,
    ViewSelector,
    VotePLSA,
)
from manyviews.models import DPLSA, MVPLSA, MultiViewKMeans
from manyviews.parts.common_pattern import common_pattern, one_hot
from manyviews.parts.naive_bayes import combine_posteriors
from manyviews.views import Views


def problem(rng, n_rows=60, n_classes=3, widths=(12, 9)):
    classes = np.arange(n_rows) % n_classes
    matrices = []
    for width in widths:
        profile = rng.dirichlet(np.full(width, 0.3), n_classes)
        matrices.append(rng.poisson(15 * profile[classes]) + rng.random((n_rows, width)))
    return matrices, classes


def lacking_some(rng, n_rows, n_views, share=0.3):
    """Every row has a view at least."""
    observed = rng.random((n_rows, n_views)) > share
    observed[~observed.any(axis=1), 0] = True
    return observed


def test_cca_is_the_solution_of_its_masked_covariances(rng):
    """Oracle: the generalised eigenproblem, written down with loops over pairs of rows."""
    (A, B), _ = problem(rng)
    observed = lacking_some(rng, 60, 2)
    model = CCA(3, reg=1e-2).fit(Views([A, B], observed=observed))
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


@pytest.mark.parametrize("n_views", [2, 3])
def test_cca_of_rows_that_lack_everything_is_cca_of_the_others(rng, n_views):
    matrices, _ = problem(rng, widths=(8, 6, 5)[:n_views])
    here = rng.random(60) < 0.7
    observed = np.repeat(here[:, None], n_views, axis=1)
    one = CCA(2).fit(Views(matrices, observed=observed))
    two = CCA(2).fit([X[here] for X in matrices])
    np.testing.assert_allclose(one.correlations_, two.correlations_, atol=1e-9)
    for a, b in zip(one.weights_, two.weights_, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)


def test_cca_names_the_views_that_never_meet(rng):
    (A, B), _ = problem(rng)
    observed = np.ones((60, 2), dtype=bool)
    observed[:30, 0] = observed[30:, 1] = False
    views = Views({"words": A, "links": B}, observed=observed)
    with pytest.raises(ValueError, match="view 'words' and view 'links' together: 0"):
        CCA(2).fit(views)


def test_common_pattern_runs_over_the_rows_of_each_view(rng):
    labels = [rng.integers(0, 3, 30) for _ in range(2)]
    observed = lacking_some(rng, 30, 2)
    B, maps = 1.0 - rng.random((30, 3)), [1.0 - rng.random((3, 3)) for _ in range(2)]
    settings = {"weights": [1.0, 0.5], "max_iter": 20, "tol": 0.0}
    patterns = [one_hot(found, 3) for found in labels]
    found, _, trace = common_pattern(patterns, B, maps, observed=observed, **settings)
    assert (np.diff(trace) <= 1e-9 * np.abs(trace[:-1])).all()
    # rows that lack a view do not see it: their entries there may be anything
    other = [np.where(observed[:, [v]], A, 7.0) for v, A in enumerate(patterns)]
    np.testing.assert_array_equal(
        common_pattern(other, B, maps, observed=observed, **settings)[0], found
    )
    full = common_pattern(patterns, B, maps, observed=np.ones_like(observed), **settings)[0]
    np.testing.assert_allclose(full, common_pattern(patterns, B, maps, **settings)[0])


@pytest.mark.parametrize("kind", [MVPLSA, DPLSA])
def test_likelihood_models_ignore_what_is_not_there(rng, kind):
    """Whatever stands in a row that is not observed, and with rows that lack everything."""
    matrices, classes = problem(rng)
    labels = np.where(rng.random(60) < 0.5, classes, -1)
    labels[:3] = range(3)
    observed = lacking_some(rng, 60, 2)
    noise = [np.where(observed[:, [v]], X, 100.0) for v, X in enumerate(matrices)]
    fits = [
        kind(4, max_iter=8, random_state=0).fit(Views(Xs, observed=observed), labels)
        for Xs in (matrices, noise)
    ]
    np.testing.assert_array_equal(fits[0].doc_topic_, fits[1].doc_topic_)
    here = (rng.random(60) < 0.8) | (labels >= 0)
    gone = np.repeat(here[:, None], 2, axis=1)
    one = kind(4, max_iter=8, random_state=0).fit(Views(matrices, observed=gone), labels)
    two = kind(4, max_iter=8, random_state=0).fit([X[here] for X in matrices], labels[here])
    np.testing.assert_allclose(one.doc_topic_[here], two.doc_topic_, atol=1e-9)


def test_posteriors_are_combined_over_the_views_a_row_has(rng):
    p, q = (rng.dirichlet(np.ones(3), 4) for _ in range(2))
    observed = np.array([[True, True], [True, False], [False, True], [False, False]])
    mean = combine_posteriors([p, q], "mean", observed)
    np.testing.assert_allclose(mean, [(p[0] + q[0]) / 2, p[1], q[2], (p[3] + q[3]) / 2])
    product = combine_posteriors([p, q], "product", observed)
    np.testing.assert_allclose(product[:3], [p[0] * q[0] / (p[0] @ q[0]), p[1], q[2]])


@pytest.mark.parametrize("kind", [NaiveBayesEnsemble, CoTraining], ids=lambda kind: kind.__name__)
def test_a_row_with_one_view_is_judged_by_it_alone(rng, kind):
    matrices, classes = problem(rng)
    model = kind() if kind is NaiveBayesEnsemble else kind((1, 1, 1), max_iter=3, random_state=0)
    model.fit(Views(matrices), np.where(np.arange(60) < 30, classes, -1))
    observed = np.ones((60, 2), dtype=bool)
    observed[:, 1] = False
    posterior = model.predict_proba(Views(matrices, observed=observed))
    np.testing.assert_allclose(posterior, model.view_posteriors(Views(matrices))[0])


def test_spectral_rows_without_a_view_have_no_edge(rng):
    matrices, _ = problem(rng, n_rows=45)
    observed = lacking_some(rng, 45, 2, 0.2)
    for neighbours in (None, 6):
        model = CoRegularisedSpectral(3, lam=0.5, n_neighbors=neighbours, random_state=0)
        graphs = model._graphs(Views(matrices, observed=observed))
        for v, graph in enumerate(graphs):
            here = np.flatnonzero(observed[:, v])
            dense = graph.toarray() if sp.issparse(graph) else graph
            assert not dense[~observed[:, v]].any()
            alone = CoRegularisedSpectral(3, n_neighbors=neighbours)._graphs(
                [matrices[v][here], matrices[v][here]]
            )[0]
            expected = alone.toarray() if sp.issparse(alone) else alone
            np.testing.assert_allclose(dense[np.ix_(here, here)], expected, atol=1e-12)
        noise = [np.where(observed[:, [v]], X, 50.0) for v, X in enumerate(matrices)]
        one = model.fit(Views(matrices, observed=observed)).embeddings_
        two = model.fit(Views(noise, observed=observed)).embeddings_
        for a, b in zip(one, two, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-9)


@pytest.mark.parametrize(
    "model",
    [
        VotePLSA(3, max_iter=10, random_state=0),
        MultiViewClustering(3, random_state=0),
        CCAKMeans(3, random_state=0),
        ViewSelector(3, n_runs=2, random_state=0),
        MultiViewKMeans("sum"),
        MultiViewKMeans("maxagree"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_what_stands_in_rows_that_are_not_observed_does_not_matter(rng, model):
    matrices, classes = problem(rng)
    observed = lacking_some(rng, 60, 2)
    found = []
    for filler in (0.0, 3.0):
        Xs = [np.where(observed[:, [v]], X, filler) for v, X in enumerate(matrices)]
        model.fit(Views(Xs, observed=observed), classes)
        found.append(model.scores_ if isinstance(model, ViewSelector) else model.labels_)
    np.testing.assert_array_equal(*found)


def test_single_view_says_where_it_knows_nothing(rng):
    matrices, _ = problem(rng)
    observed = lacking_some(rng, 60, 2)
    observed[:4, 1] = False
    model = SingleView(PLSAClustering(3, max_iter=10, random_state=0), view=1)
    labels = model.fit_predict(Views(matrices, observed=observed))
    np.testing.assert_array_equal(labels == -1, ~observed[:, 1])
    gone = np.column_stack([np.ones(60, dtype=bool), np.zeros(60, dtype=bool)])
    nothing = Views(dict(zip("ab", matrices, strict=True)), observed=gone)
    with pytest.raises(ValueError, match="view 'b' has no row"):
        model.fit(nothing)
