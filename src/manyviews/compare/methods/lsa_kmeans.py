"""Latent semantic analysis of the concatenation, rows scaled to one, then k-means."""

from typing import Any, Self

from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted


class LSAKMeans(BaseEstimator):
    """Singular vectors, unit rows, k-means."""

    def __init__(self, n_clusters: int, random_state: int) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Cluster the rows of one table."""
        rank = min(max(2 * self.n_clusters, 10), min(X.shape) - 1)
        reduction = make_pipeline(
            TruncatedSVD(rank, random_state=self.random_state), Normalizer(copy=False)
        )
        model = KMeans(self.n_clusters, n_init=10, random_state=self.random_state)
        self.labels_ = model.fit(reduction.fit_transform(X)).labels_
        return self


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the clusterer."""
    return Prepared(weighted(facts), LSAKMeans(facts.n_classes, seed), joined=True)


def unfit(facts: Facts) -> str:
    """Say when there is nothing to reduce."""
    return "" if sum(facts.widths) > 3 else "needs more than three columns"


METHOD = Method("LSA and k-means", ("cluster",), "plain", build, unfit=unfit, one_table=True)
