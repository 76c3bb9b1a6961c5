import numpy as np
import pytest
import scipy.sparse as sp

from manyviews.baselines.view_selection import (
    ViewSelector,
    information_per_word,
)
from manyviews.models.plsa import PLSA


def make_views(rng, n=90):
    y = np.arange(n) % 3
    topics = rng.dirichlet(np.full(30, 0.1), 3)
    informative = sp.csr_matrix(rng.poisson(100 * topics[y]).astype(float))
    noise = sp.csr_matrix(rng.poisson(3.0, (n, 30)).astype(float))
    return [noise, informative], y


@pytest.mark.parametrize("criterion", ["accuracy", "nmi", "silhouette", "likelihood"])
def test_every_rule_finds_the_view_with_clusters(criterion):
    Xs, y = make_views(np.random.default_rng(3))
    selector = ViewSelector(3, criterion=criterion, random_state=0).fit(Xs, y)
    assert selector.best_view_ == 1
    assert selector.scores_.shape == (2,)


@pytest.mark.parametrize("criterion", ["silhouette", "likelihood"])
def test_free_rules_never_look_at_labels(criterion, rng):
    Xs, y = make_views(rng)
    with_labels = ViewSelector(3, criterion=criterion, random_state=1).fit(Xs, y)
    without = ViewSelector(3, criterion=criterion, random_state=1).fit(Xs)
    np.testing.assert_array_equal(with_labels.scores_, without.scores_)


def test_information_is_zero_for_one_topic_and_grows_with_topics(rng):
    Xs, _ = make_views(rng)
    gains = [
        information_per_word(
            Xs[1], PLSA(k, random_state=0, max_iter=200, tol=1e-9).fit(Xs[1]).loglik_[-1]
        )
        for k in (1, 3)
    ]
    assert gains[0] == pytest.approx(0.0, abs=1e-9)
    assert gains[1] > 0.05
