"""Common spaces for retrieval: every view is prepared, reduced and embedded without the others."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.decomposition import TruncatedSVD

from manyviews.compare.method import Facts
from manyviews.compare.prepare import one_view_facts, weighted
from manyviews.views import Views

#: Columns from which a view is reduced, and to how many.
WIDE = 100


class Reduction(BaseEstimator):
    """One view: weighted, then at most 100 directions of it."""

    def __init__(self, facts: Facts, random_state: int = 0) -> None:
        self.facts = facts
        self.random_state = random_state

    def fit(self, X: Any) -> Self:
        """Learn weights and directions."""
        views = Views({self.facts.names[0]: X})
        self.weights_ = weighted(self.facts).fit(views)
        table = self.weights_.transform(views).matrices[0]
        rank = min(WIDE, table.shape[0] - 1)
        self.directions_ = None
        if table.shape[1] > rank:
            self.directions_ = TruncatedSVD(rank, random_state=self.random_state).fit(table)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return the rows in these directions."""
        table = self.weights_.transform(Views({self.facts.names[0]: X})).matrices[0]
        if self.directions_ is not None:
            return np.asarray(self.directions_.transform(table))
        return table.toarray() if sp.issparse(table) else np.asarray(table)


class Space(BaseEstimator):
    """Views reduced one by one; a model of them all that projects each view alone.

    Parameters
    ----------
    facts
        What is known about the views.
    model
        Estimator on a list of tables with ``fit(tables, y)`` and ``project(v, table)``.
    random_state
        Of the reductions.
    """

    def __init__(self, facts: Facts, model: Any, random_state: int = 0) -> None:
        self.facts = facts
        self.model = model
        self.random_state = random_state

    def fit(self, Xs: Any, y: Any) -> Self:
        """Learn from rows that have all views, and their classes if there are any."""
        matrices = Views(Xs).matrices
        self.reductions_ = [
            Reduction(one_view_facts(self.facts, v), self.random_state).fit(X)
            for v, X in enumerate(matrices)
        ]
        tables = [step.transform(X) for step, X in zip(self.reductions_, matrices, strict=True)]
        self.model.fit(tables, y)
        return self

    def embed(self, v: int, X: Any) -> np.ndarray:
        """Return coordinates of rows that are seen through one view alone."""
        return np.asarray(self.model.project(v, self.reductions_[v].transform(X)))
