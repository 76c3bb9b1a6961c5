"""Clusterers of imml, made for rows that lack views: DAIMC, NEMO, OPIMC, PIMVC, SIMC-ADC."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.decomposition import TruncatedSVD

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted
from manyviews.views import Views

#: Columns from which a view is reduced, and rows from which its dense matrices take too long.
WIDE, MANY = 100, 3000
#: Names of the package, and what the report calls them.
NAMES = {"DAIMC": "DAIMC", "NEMO": "NEMO", "OPIMC": "OPIMC", "PIMVC": "PIMVC",
         "SIMCADC": "SIMC-ADC"}  # fmt: skip


class Incomplete(BaseEstimator):
    """A clusterer of imml on narrow, non-negative tables; rows that lack a view are NaN there."""

    def __init__(self, name: str, n_clusters: int, random_state: int) -> None:
        self.name = name
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster the rows."""
        import imml.cluster

        views = Views(Xs)
        tables = []
        for v, X in enumerate(views.matrices):
            if X.shape[1] > WIDE and X.shape[0] > WIDE:
                table = TruncatedSVD(WIDE, random_state=self.random_state).fit_transform(X)
            else:
                table = X.toarray() if hasattr(X, "toarray") else np.array(X, dtype=float)
            table = table - table.min(axis=0)  # factors of some of them are non-negative
            table[~views.observed[:, v]] = np.nan
            tables.append(table)
        known = getattr(imml.cluster, self.name)
        model = known(n_clusters=self.n_clusters, random_state=self.random_state)
        self.labels_ = np.asarray(model.fit_predict(tables)).ravel().astype(np.int64)
        return self


def builder(name: str) -> Callable[[Facts, Settings, int], Any]:
    """Return how a clusterer is built."""

    def build(facts: Facts, settings: Settings, seed: int) -> Any:
        return Prepared(weighted(facts), Incomplete(name, facts.n_classes, seed))

    return build


def unfit(facts: Facts) -> str:
    """Say when there is nothing to combine, or too much."""
    if facts.n_views == 1:
        return "there is one view only"
    return f"more than {MANY:,} rows take too long" if facts.n_rows > MANY else ""


def methods(facts: Facts) -> dict[str, Method]:
    """Return all of them."""
    return {
        f"imml.{name}": Method(
            f"{title} (imml)", ("cluster",), "plain", builder(name), needs=("imml",), unfit=unfit
        )
        for name, title in NAMES.items()
    }
