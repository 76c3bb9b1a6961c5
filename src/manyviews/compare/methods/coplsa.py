"""Co-regularised PLSA for retrieval (Jiang et al. 2012): a view is folded in without the others."""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import as_counts, one_view_facts
from manyviews.models.coplsa import CoPLSA
from manyviews.preprocessing.sparse import row_normalise
from manyviews.views import Views


class Topics(BaseEstimator):
    """Topic compositions of every view, alike but not identical, centred."""

    def __init__(self, facts: Facts, n_topics: int, lam: float, random_state: int) -> None:
        self.facts = facts
        self.n_topics = n_topics
        self.lam = lam
        self.random_state = random_state

    def _shares(self, v: int, X: Any) -> sp.csr_matrix:
        views = Views({self.facts.names[v]: X})
        return row_normalise(sp.csr_matrix(self.counts_[v].transform(views).matrices[0]), "l1")

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Learn topics from rows that have all views."""
        views = Views(Xs)
        self.counts_ = [
            as_counts(one_view_facts(self.facts, v)).fit(views.select([name]))
            for v, name in enumerate(views.names)
        ]
        tables = [self._shares(v, X) for v, X in enumerate(views.matrices)]
        self.model_ = CoPLSA(
            self.n_topics, lam=self.lam, max_iter=50, random_state=self.random_state
        ).fit(tables)
        self.means_ = [self.model_.fold_in(T, v, max_iter=30).mean(axis=0)
                       for v, T in enumerate(tables)]  # fmt: skip
        return self

    def embed(self, v: int, X: Any) -> np.ndarray:
        """Return centred compositions of rows that are seen through one view alone."""
        return self.model_.fold_in(self._shares(v, X), v, max_iter=30) - self.means_[v]


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the space."""
    return Topics(facts, settings["topics"], settings["lam"], seed)


GRID = tuple({"topics": k, "lam": lam} for k in (10, 30) for lam in (0.1, 1.0))
METHOD = Method("Co-PLSA", ("retrieve",), "paper", build, GRID)
