"""Multiset CCA of cca-zoo: a common space of all views, then regression or k-means in it."""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import Prepared, weighted
from manyviews.views import Views

#: Columns from which a view is reduced before its covariance is formed.
WIDE = 100


class CommonSpace(BaseEstimator):
    """Views reduced, projected by multiset CCA, side by side, and a model on them."""

    def __init__(self, model: Any, n_components: int, shrinkage: float, random_state: int) -> None:
        self.model = model
        self.n_components = n_components
        self.shrinkage = shrinkage
        self.random_state = random_state

    def _reduced(self, views: Views, *, learn: bool) -> list[np.ndarray]:
        if learn:
            self.reductions_ = [
                TruncatedSVD(WIDE, random_state=self.random_state).fit(X)
                if X.shape[1] > WIDE and min(X.shape) > WIDE else None
                for X in views.matrices
            ]  # fmt: skip
        found = []
        for X, step in zip(views.matrices, self.reductions_, strict=True):
            dense = X.toarray() if sp.issparse(X) and step is None else X
            found.append(np.asarray(dense if step is None else step.transform(X)))
        return found

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Learn the space from all rows given, and the model in it."""
        from cca_zoo.linear import MCCA

        tables = self._reduced(Views(Xs), learn=True)
        kept = min(self.n_components, *(T.shape[1] for T in tables), len(tables[0]) - 1)
        self.space_ = MCCA(n_components=kept, shrinkage=self.shrinkage).fit(tables)
        joined = np.hstack(self.space_.transform(tables))
        self.model.fit(joined) if y is None else self.model.fit(joined, y)
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Predict new rows."""
        tables = self._reduced(Views(Xs), learn=False)
        return np.asarray(self.model.predict(np.hstack(self.space_.transform(tables))))

    @property
    def labels_(self) -> np.ndarray:
        """Clusters of the rows it was fitted to."""
        return np.asarray(self.model.labels_)


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the estimator."""
    model: Any = (
        KMeans(facts.n_classes, n_init=10, random_state=seed)
        if facts.clustering
        else LogisticRegression(C=10.0, max_iter=1000)
    )
    space = CommonSpace(model, settings["components"], settings["shrinkage"], seed)
    return Prepared(weighted(facts), space)


def unfit(facts: Facts) -> str:
    """Say when there is nothing to correlate."""
    return "" if facts.n_views > 1 else "there is one view only"


GRID = tuple(
    {"components": k, "shrinkage": shrinkage} for k in (10, 30) for shrinkage in (0.5, 0.1)
)
METHOD = Method(
    "Multiset CCA (cca-zoo)", ("classify", "cluster"), "plain", build, GRID, needs=("cca_zoo",),
    unfit=unfit,
)  # fmt: skip
