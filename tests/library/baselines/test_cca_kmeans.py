import numpy as np

from manyviews.baselines.cca_kmeans import CCAKMeans
from manyviews.metrics import clustering_accuracy


def make_views(rng, n=150):
    """Groups shared by both views under strong noise of each view's own."""
    y = np.arange(n) % 3
    Xs = []
    for d in (8, 6):
        noise = rng.normal(0, 4.0, (n, 1)) * rng.normal(size=(1, d))
        Xs.append(3 * rng.normal(size=(3, d))[y] + noise + rng.normal(0, 0.3, (n, d)))
    return Xs, y


def test_shared_groups_are_found_where_one_view_is_noisy():
    Xs, y = make_views(np.random.default_rng(1))
    scores = [
        clustering_accuracy(y, CCAKMeans(3, random_state=s).fit_predict(Xs)) for s in range(6)
    ]
    assert max(scores) > 0.95


def test_components_default_to_one_less_than_clusters_and_fit_the_views(rng):
    Xs, _ = make_views(rng)
    model = CCAKMeans(3, random_state=0).fit(Xs)
    assert [p.shape for p in model.projections_] == [(150, 2), (150, 2)]
    assert model.labels_by_view_.shape == (2, 150)
    np.testing.assert_array_equal(model.labels_, model.labels_by_view_[0])
    wide = CCAKMeans(3, n_components=40, random_state=0).fit(Xs)
    assert wide.projections_[0].shape[1] <= 6
