"""Logistic regression on the concatenation of all rows seen, fitted anew as the stream grows."""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.online import Online

#: It is fitted anew when there are so many times the rows of the last fit.
GROWTH = 1.25


class Refitted(BaseEstimator):
    """Keeps all rows; between fits the last model answers."""

    def __init__(self, C: float = 10.0) -> None:
        self.C = C
        self.tables_: list[Any] = []
        self.labels_: list[np.ndarray] = []
        self.fitted_ = 0

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Keep a block, and fit anew if enough has come."""
        self.tables_.append(X)
        self.labels_.append(np.asarray(y))
        count = sum(map(len, self.labels_))
        if count >= GROWTH * self.fitted_:
            known = np.concatenate(self.labels_)
            self.only_ = int(known[0]) if np.unique(known).size == 1 else None
            if self.only_ is None:
                self.model_ = LogisticRegression(C=self.C, max_iter=300).fit(
                    stacked(self.tables_), known
                )
            self.fitted_ = count
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Tell the classes of rows."""
        if self.only_ is not None:
            return np.full(X.shape[0], self.only_)
        return np.asarray(self.model_.predict(X))


def stacked(tables: list[Any]) -> Any:
    """Return tables, dense or sparse, one below the other."""
    return sp.vstack(tables).tocsr() if sp.issparse(tables[0]) else np.vstack(tables)


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the learner."""
    return Online(facts, Refitted())


def unfit(facts: Facts) -> str:
    """Say when it would take too long."""
    return "more than 20,000 rows take too long" if facts.n_rows > 20_000 else ""


METHOD = Method(
    "Logistic regression, fitted anew", ("stream",), "plain", build, unfit=unfit, one_table=True
)
