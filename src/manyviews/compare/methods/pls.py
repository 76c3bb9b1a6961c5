"""Partial least squares for retrieval: directions of largest covariance between the views."""

from itertools import permutations
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.spaces import Space


class Covariant(BaseEstimator):
    """Leading eigenvectors of the covariances between views, which for two views is PLS-SVD."""

    def __init__(self, n_components: int) -> None:
        self.n_components = n_components

    def fit(self, tables: list[np.ndarray], y: Any = None) -> Self:
        """Learn the directions."""
        self.means_ = [T.mean(axis=0) for T in tables]
        # views of other scales would rule the eigenvectors
        self.scales_ = [float(np.sqrt((T - m).var(axis=0).sum())) or 1.0
                        for T, m in zip(tables, self.means_, strict=True)]  # fmt: skip
        ready = [(T - m) / s for T, m, s in zip(tables, self.means_, self.scales_, strict=True)]
        ends = np.cumsum([0, *(T.shape[1] for T in tables)])
        cross = np.zeros((ends[-1], ends[-1]))
        for a, b in permutations(range(len(ready)), 2):
            cross[ends[a] : ends[a + 1], ends[b] : ends[b + 1]] = ready[a].T @ ready[b]
        count = min(self.n_components, *(T.shape[1] for T in tables))
        vectors = np.linalg.eigh(cross)[1][:, ::-1][:, :count]
        self.weights_ = [vectors[ends[v] : ends[v + 1]] for v in range(len(ready))]
        return self

    def project(self, v: int, table: np.ndarray) -> np.ndarray:
        """Return the coordinates of rows seen through one view."""
        return np.asarray((table - self.means_[v]) / self.scales_[v] @ self.weights_[v])


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the space."""
    return Space(facts, Covariant(settings["components"]), seed)


GRID = tuple({"components": k} for k in (10, 30, 60))
METHOD = Method("Partial least squares", ("retrieve",), "plain", build, GRID)
