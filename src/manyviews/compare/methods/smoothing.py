"""Simple graph convolution (Wu et al. 2019): a regression on features smoothed over links.

A view of links between rows is the graph. A view of sparse counts that names something else
(authors, words of links) is a graph of two kinds of nodes: rows are neighbours if they share one.
"""

from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression

from manyviews.parts.row_space import InRowSpace
from manyviews.preprocessing.per_view import SideBySide
from manyviews.views import Views

#: Columns from which a table that is smoothed over shared things is reduced to half as many.
WIDE = 200
#: Cells up to which a table is kept dense: means over neighbours of neighbours fill it anyway.
DENSE = 20_000_000
#: Tables for as long as their views live: all folds and settings of a comparison smooth the same.
_READY: WeakKeyDictionary[Views, dict[Any, Any]] = WeakKeyDictionary()


def averaged(links: sp.csr_matrix, square: bool, X: Any, hops: int) -> Any:
    """Return every row's mean over its neighbours and itself, ``hops`` times."""
    if square:
        both = abs(links) + abs(links).T
        graph = sp.csr_matrix((both > 0).astype(float) + sp.identity(links.shape[0]))
        scale = sp.diags(1.0 / np.sqrt(np.asarray(graph.sum(axis=1)).ravel()))
        steps = [scale @ graph @ scale]
    else:
        shared = sp.csr_matrix((links != 0).astype(float))
        rows = np.maximum(np.asarray(shared.sum(axis=1)).ravel(), 1.0)
        columns = np.maximum(np.asarray(shared.sum(axis=0)).ravel(), 1.0)
        steps = [sp.diags(1.0 / columns) @ shared.T, sp.diags(1.0 / rows) @ shared]
    for _ in range(hops):
        Y = X
        for step in steps:
            Y = step @ Y
        X = Y if square else 0.5 * (X + Y)  # a row that shares nothing keeps itself
    return X


class SmoothedRegression(BaseEstimator):
    """Logistic regression on features that are averaged over a graph of all rows."""

    def __init__(
        self, preparation: Any, features: tuple[str, ...], graph: str, square: bool,
        hops: int = 2, C: float = 1.0,
    ) -> None:  # fmt: skip
        self.preparation = preparation
        self.features = features
        self.graph = graph
        self.square = square
        self.hops = hops
        self.C = C

    def _table(self, views: Views) -> Any:
        """Return the features of all rows side by side; labels have no part in it."""
        prepared = self.preparation.fit(views).transform(views).select(self.features)
        table = SideBySide().fit_transform(prepared)
        if not self.square and table.shape[1] > WIDE:
            # a mean over all rows that share a thing fills the table: keep it narrow
            return TruncatedSVD(WIDE // 2, random_state=0).fit_transform(table)
        if sp.issparse(table) and table.shape[0] * table.shape[1] <= DENSE:
            return table.toarray()
        return table

    def fit(self, Xs: Any, y: Any) -> Self:
        """Fit to all rows; unlabelled ones (-1) lend their features."""
        views = Xs if isinstance(Xs, Views) else Views(Xs)
        ready = _READY.setdefault(views, {})
        whole, part = (self.features, self.square), (self.features, self.graph, self.hops)
        if whole not in ready:
            ready[whole] = self._table(views)
        if part not in ready:
            links = sp.csr_matrix(views.view(self.graph))
            ready[part] = averaged(links, self.square, ready[whole], self.hops)
        smooth, known = ready[part], np.asarray(y) >= 0
        model = InRowSpace(LogisticRegression(C=self.C, max_iter=1000))
        self.model_ = model.fit(smooth[known], y[known])
        self.labels_ = self.model_.predict(smooth)
        return self
