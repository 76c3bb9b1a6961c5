"""Views of a stream made ready row by row: nothing is learnt from rows that are yet to come."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.preprocessing import StandardScaler, normalize

from manyviews.compare.method import Facts
from manyviews.preprocessing.per_view import SideBySide
from manyviews.views import Views


class Running(BaseEstimator):
    """Logarithms of counts in rows of length one, running standard scores of numbers.

    Parameters
    ----------
    facts
        What is known about the views before the first row.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.scalers_: dict[str, StandardScaler] = {
            name: StandardScaler(with_mean=not sparse)
            for name, kind, sparse in zip(facts.names, facts.kinds, facts.sparse, strict=True)
            if kind == "numbers"
        }

    def learn(self, views: Views) -> None:
        """Take in the scale of rows that are learnt, where they have the view."""
        for v, name in enumerate(views.names):
            here = views.observed[:, v]
            if name in self.scalers_ and here.any():
                self.scalers_[name].partial_fit(views.matrices[v][here])

    def transform(self, views: Views) -> Views:
        """Return the rows by the scale known so far; views weigh alike."""
        changed: dict[str, Any] = {}
        kinds = dict(zip(self.facts.names, self.facts.kinds, strict=True))
        for name, X in zip(views.names, views.matrices, strict=True):
            if kinds[name] in ("text", "counts"):
                table = sp.csr_matrix(X, dtype=float)
                table.data = np.sign(table.data) * np.log1p(np.abs(table.data))
                changed[name] = normalize(table)
            elif name in self.scalers_ and hasattr(self.scalers_[name], "scale_"):
                changed[name] = self.scalers_[name].transform(X) / np.sqrt(X.shape[1])
            else:
                changed[name] = X / np.sqrt(X.shape[1])
        return views.replace(changed)


class Online(BaseEstimator):
    """An estimator that learns block by block, behind the running preparation of its views.

    Parameters
    ----------
    facts
        What is known about the views before the first row.
    model
        Estimator with ``partial_fit(X, y, classes)`` and ``predict(X)``.
    joined
        Whether the model wants one table; else it wants views.
    """

    def __init__(self, facts: Facts, model: Any, joined: bool = True) -> None:
        self.facts = facts
        self.model = model
        self.joined = joined
        self.running_ = Running(facts)

    def _table(self, views: Views) -> Any:
        ready = self.running_.transform(views.select(self.facts.names))
        return SideBySide().fit_transform(ready) if self.joined else ready

    def partial_fit(self, Xs: Any, y: Any) -> Self:
        """Learn a block."""
        views = Views(Xs)
        self.running_.learn(views.select(self.facts.names))
        self.model.partial_fit(self._table(views), y, classes=np.arange(self.facts.n_classes))
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Tell the classes of rows."""
        return np.asarray(self.model.predict(self._table(Views(Xs))))
