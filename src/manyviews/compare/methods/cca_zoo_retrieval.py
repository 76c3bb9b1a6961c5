"""Correlation spaces of cca-zoo for retrieval: multiset, generalised, kernel."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.spaces import Space

#: Rows from which a kernel takes too long.
MANY = 3000


class Zoo(BaseEstimator):
    """A model of cca-zoo; one view is projected with the others at their mean."""

    def __init__(self, make: Callable[[int, float], Any], n_components: int, shrinkage: float):
        self.make = make
        self.n_components = n_components
        self.shrinkage = shrinkage

    def fit(self, tables: list[np.ndarray], y: Any = None) -> Self:
        """Learn the directions."""
        self.means_ = [T.mean(axis=0) for T in tables]
        count = min(self.n_components, *(T.shape[1] for T in tables), len(tables[0]) - 1)
        self.model_ = self.make(count, self.shrinkage).fit(tables)
        return self

    def project(self, v: int, table: np.ndarray) -> np.ndarray:
        """Return the coordinates of rows seen through one view."""
        given = [
            table if u == v else np.repeat(mean[None], len(table), axis=0)
            for u, mean in enumerate(self.means_)
        ]
        return np.asarray(self.model_.transform(given)[v])


def multiset(count: int, shrinkage: float) -> Any:
    """Return multiset CCA."""
    from cca_zoo.linear import MCCA

    return MCCA(count, shrinkage=shrinkage)


def generalised(count: int, shrinkage: float) -> Any:
    """Return generalised CCA."""
    from cca_zoo.linear import GCCA

    return GCCA(count, shrinkage=shrinkage)


def kernel(count: int, shrinkage: float) -> Any:
    """Return kernel CCA with a Gaussian kernel."""
    from cca_zoo.nonparametric import KCCA

    return KCCA(count, shrinkage=shrinkage, kernel="rbf")


def builder(make: Callable[[int, float], Any]) -> Callable[[Facts, Settings, int], Any]:
    """Return how a space is built."""

    def build(facts: Facts, settings: Settings, seed: int) -> Any:
        return Space(facts, Zoo(make, settings["components"], settings["shrinkage"]), seed)

    return build


def too_many(facts: Facts) -> str:
    """Say when a kernel would take too long."""
    return f"more than {MANY:,} rows take too long" if facts.n_rows > MANY else ""


GRID = tuple(
    {"components": k, "shrinkage": shrinkage} for k in (10, 30) for shrinkage in (0.5, 0.1)
)


def methods(facts: Facts) -> dict[str, Method]:
    """Return all of them."""
    needs, task = ("cca_zoo",), ("retrieve",)
    return {
        "cca_zoo.multiset": Method(
            "Multiset CCA (cca-zoo)", task, "plain", builder(multiset), GRID, needs=needs
        ),
        "cca_zoo.generalised": Method(
            "Generalised CCA (cca-zoo)", task, "plain", builder(generalised), GRID, needs=needs
        ),
        "cca_zoo.kernel": Method(
            "Kernel CCA (cca-zoo)", task, "plain", builder(kernel), GRID[::2], needs=needs,
            unfit=too_many,
        ),
    }  # fmt: skip
