"""Simple graph convolution (Wu et al. 2019): features smoothed over links, then regression.

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

from manyviews.compare.method import Facts, Method, Settings
from manyviews.compare.prepare import weighted
from manyviews.compare.row_space import InRowSpace
from manyviews.preprocessing.per_view import SideBySide
from manyviews.views import Views

#: Columns from which a table that is smoothed over shared things is reduced to half as many.
WIDE = 200
#: Cells up to which a table is kept dense: means over neighbours of neighbours fill it anyway.
DENSE = 20_000_000
#: Tables for as long as their views live: all folds and settings of a comparison smooth the same.
_READY: WeakKeyDictionary[Views, dict[Any, Any]] = WeakKeyDictionary()


def candidates(facts: Facts) -> list[str]:
    """Return the views that can serve as a graph: links first, else sparse counts."""
    links = [name for name, graph in zip(facts.names, facts.graphs, strict=True) if graph]
    if links:
        return links
    rows = zip(facts.names, facts.kinds, facts.sparse, strict=True)
    return [name for name, kind, sparse in rows if kind == "counts" and sparse][:2]


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
        down, up = sp.diags(1.0 / columns) @ shared.T, sp.diags(1.0 / rows) @ shared
        steps = [down, up]
    for _ in range(hops):
        Y = X
        for step in steps:
            Y = step @ Y
        X = Y if square else 0.5 * (X + Y)  # a row that shares nothing keeps itself
    return X


class SmoothedRegression(BaseEstimator):
    """Logistic regression on features that are averaged over a graph of all rows."""

    def __init__(
        self,
        preparation: Any,
        features: tuple[str, ...],
        graph: str,
        square: bool,
        hops: int = 2,
        C: float = 1.0,
    ) -> None:
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

    def _smooth(self, views: Views) -> Any:
        """Return the table after the hops, made once for views that live on."""
        ready = _READY.setdefault(views, {})
        whole, part = (self.features, self.square), (self.features, self.graph, self.hops)
        if whole not in ready:
            ready[whole] = self._table(views)
        if part not in ready:
            links = sp.csr_matrix(views.view(self.graph))
            ready[part] = averaged(links, self.square, ready[whole], self.hops)
        return ready[part]

    def fit(self, Xs: Any, y: Any) -> Self:
        """Fit to all rows; unlabelled ones (-1) lend their features."""
        views = Xs if isinstance(Xs, Views) else Views(Xs)
        smooth = self._smooth(views)
        known = np.asarray(y) >= 0
        model = InRowSpace(LogisticRegression(C=self.C, max_iter=1000))
        self.model_ = model.fit(smooth[known], y[known])
        self.labels_ = self.model_.predict(smooth)
        return self


def build(facts: Facts, settings: Settings, seed: int) -> Any:
    """Return the classifier."""
    name = candidates(facts)[min(settings["graph"], len(candidates(facts)) - 1)]
    square = facts.graphs[facts.names.index(name)]
    # smoothing links over links would fill a table of rows by rows
    features = tuple(n for n, graph in zip(facts.names, facts.graphs, strict=True) if not graph)
    return SmoothedRegression(
        weighted(facts), features or facts.names, name, square, settings["hops"], settings["C"]
    )


def unfit(facts: Facts) -> str:
    """Say when there is no graph."""
    return "" if candidates(facts) else "no view holds links, or sparse counts to link rows by"


GRID = tuple(
    {"graph": 0, "hops": hops, "C": C} for hops, C in ((2, 10.0), (2, 1.0), (1, 10.0), (3, 10.0))
)
METHOD = Method(
    "Graph smoothing and regression (SGC)", ("classify",), "plain", build, GRID,
    transductive=True, unfit=unfit,
)  # fmt: skip
