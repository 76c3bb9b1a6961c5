"""A row of weight n is a row that occurs n times; one of weight 0 is not there."""

from functools import partial

import numpy as np
import pytest
from problems import distributions, listed, partly, starts, word_views

from manyviews.baselines import NaiveBayesEnsemble
from manyviews.models import DPLSA, MVPLSA, PLSA, CoPLSA, LinkPLSA, MultiViewKMeans


def semi(kind, init, h, w):
    return kind(4, max_iter=8, random_state=3, init=h if init == "given" else init)


def coupled(divergence, h, w):
    return CoPLSA(3, divergence=divergence, lam=0.3, max_iter=6, tol=0.0, init=([h, h], w))


MODELS = [
    lambda h, w: PLSA(3, max_iter=10, tol=0.0, init=(h, w[0])),
    *(partial(semi, MVPLSA, init) for init in ("naive_bayes", "product", "given")),
    partial(semi, DPLSA, "naive_bayes"),
    *(partial(coupled, divergence) for divergence in ("skl", "l2", "l1")),
    lambda h, w: LinkPLSA(3, max_iter=8, tol=0.0, init=(h, w)),
    lambda h, w: NaiveBayesEnsemble(),
    *(
        partial(lambda combine, h, w: MultiViewKMeans(combine), combine)
        for combine in ("sum", "prod", "maxagree", "concat", "cotrain")
    ),
]


@pytest.fixture
def case(rng):
    """Views whose rows sum to one, labels of some rows, starts of rows and topics."""
    Xs, classes = word_views(rng, 50, widths=(20, 14), length=10.0, concentration=0.3)
    views = distributions(Xs)
    (h, first), (_, second) = starts(rng, views, 3)
    return views, partly(rng, classes), h, [first, second]


@pytest.mark.parametrize("make", MODELS)
def test_weights_are_repetitions(make, case, rng):
    """What is left out is folded in."""
    views, labels, h, w = case
    weights = rng.integers(0, 4, 50)
    weights[labels >= 0] += 1
    rows = np.repeat(np.arange(50), weights)
    pick = (lambda Xs: Xs[0]) if isinstance(make(h, w), PLSA) else list
    one = make(h, w).fit(pick(views), labels, sample_weight=weights)
    two = make(h[rows], w).fit(pick([X[rows] for X in views]), labels[rows])
    for name in ("doc_topic_", "labels_", "topic_word_", "loglik_", "objective_", "centroids_"):
        found = (listed(getattr(model, name, [])) for model in (one, two))
        for a, b in zip(*found, strict=True):
            a = a[rows] if name in ("doc_topic_", "labels_") else a
            np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-6)
    if isinstance(one, PLSA | MVPLSA):
        out = weights == 0
        folded = two.transform(pick([X[out] for X in views]))
        np.testing.assert_allclose(one.doc_topic_[out], folded, atol=1e-6)
    # MultiViewKMeans hides all weight of a row when it chooses its temperature, not one repetition
    if hasattr(one, "predict_proba") and not isinstance(one, MultiViewKMeans):
        np.testing.assert_allclose(one.predict_proba(views), two.predict_proba(views), atol=1e-6)
