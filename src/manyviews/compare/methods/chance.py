"""Control: classes drawn by their frequency; clusters or coordinates drawn at random."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.dummy import DummyClassifier

from manyviews.compare.method import Facts, Method, Settings


class Drawn(ClusterMixin, BaseEstimator):
    """Clusters of about equal size, drawn at random; a classifier that draws by frequency."""

    def __init__(self, n_clusters: int = 2, random_state: int = 0) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Draw."""
        rng = np.random.default_rng(self.random_state)
        if y is None:
            self.labels_ = rng.integers(self.n_clusters, size=len(Xs))
        else:
            self._guess = DummyClassifier(strategy="stratified", random_state=self.random_state)
            self._guess.fit(np.zeros((len(y), 1)), y)
        return self

    def embed(self, v: int, X: Any) -> np.ndarray:
        """Draw coordinates of rows seen through a view."""
        rng = np.random.default_rng([self.random_state, v])
        return rng.standard_normal((X.shape[0], 10))

    def predict(self, Xs: Any) -> np.ndarray:
        """Draw classes of new rows."""
        return np.asarray(self._guess.predict(np.zeros((len(Xs), 1))))


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the estimator."""
    return Drawn(facts.n_classes, seed)


METHOD = Method("Chance", ("classify", "cluster", "retrieve"), "control", build)
