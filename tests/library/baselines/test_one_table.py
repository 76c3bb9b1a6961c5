import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.cluster import KMeans

from manyviews.baselines.one_table import ConcatenatedViews, PLSAClustering, SingleView
from manyviews.models.plsa import PLSA


def make_views(rng, n=60):
    y = np.arange(n) % 3
    topics = rng.dirichlet(np.full(20, 0.1), 3)
    informative = sp.csr_matrix(rng.poisson(60 * topics[y]).astype(float))
    noise = sp.csr_matrix(rng.poisson(1.0, (n, 8)).astype(float))
    return [noise, informative], y


def test_plsa_clustering_is_plsa_read_by_its_largest_topic(rng):
    (_, X), _ = make_views(rng)
    model = PLSAClustering(3, random_state=4).fit(X)
    np.testing.assert_array_equal(model.labels_, model.doc_topic_.argmax(axis=1))
    np.testing.assert_array_equal(model.doc_topic_, PLSA(3, random_state=4).fit(X).doc_topic_)


@pytest.mark.parametrize(
    "base", [KMeans(3, n_init=1, random_state=0), PLSAClustering(3, random_state=0)]
)
def test_single_view_sees_only_its_view(base, rng):
    Xs, _ = make_views(rng)
    first = SingleView(base, view=1).fit(Xs)
    second = SingleView(base, view=1).fit([rng.random((60, 5)), Xs[1]])
    np.testing.assert_array_equal(first.labels_, second.labels_)
    assert not hasattr(base, "labels_")


def test_concatenation_equals_stacking_by_hand(rng):
    Xs, _ = make_views(rng)
    base = KMeans(3, n_init=1, random_state=0)
    by_hand = base.fit(sp.csr_matrix(sp.hstack(Xs))).labels_
    model = ConcatenatedViews(KMeans(3, n_init=1, random_state=0)).fit(Xs)
    np.testing.assert_array_equal(model.labels_, by_hand)
