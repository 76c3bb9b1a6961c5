r"""Classes from links between rows: labels that spread, and words averaged over neighbours.

Links are given as views, or come from the nearest rows of every view by cosine.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression

from manyviews.base import LikeliestClass, MultiViewInput, called, observed_rows
from manyviews.baselines.graph_clustering import neighbours_in, scaled
from manyviews.labels import partial_labels
from manyviews.preprocessing.sparse import binarise, hstack_csr, placed
from manyviews.validation import check_positive_int, check_real

__all__ = ["SGC", "GraphSpreading"]

_PRECISION = 1e-6  # how near spreading comes to its end
_WIDE, _RANK = 200, 100  # tables with more columns are reduced before means fill them
_DENSE = 20_000_000  # cells up to which a table is made dense: means over neighbours fill it anyway


def per_row(graph: sp.csr_matrix) -> sp.csr_matrix:
    """Divide every row by its sum."""
    sums = np.asarray(graph.sum(axis=1)).ravel()
    return sp.csr_matrix(sp.diags(1.0 / np.where(sums > 0, sums, 1.0)) @ graph)


@dataclass(eq=False, repr=False)
class _GraphClassifier(LikeliestClass, MultiViewInput, ClassifierMixin, BaseEstimator):
    """What both have: which views are graphs, and the neighbours in the others."""

    _: KW_ONLY
    graphs: Sequence[int | str] = ()
    n_neighbors: int = 15

    def _opened(self, Xs: Any, y: Any) -> tuple[list[sp.csr_matrix], np.ndarray]:
        """Return checked views and class numbers; note classes, and which views are graphs."""
        check_positive_int("n_neighbors", self.n_neighbors)
        views = self._fit_views(Xs)
        names: Sequence[str] = self.view_names_in_ or ()
        self._given: list[Any] = [names.index(g) if g in names else g for g in self.graphs]
        for v in self._given:
            if not isinstance(v, int | np.integer) or not 0 <= v < len(views):
                told = ", ".join(names) or f"0 to {len(views) - 1}"
                raise ValueError(f"graphs: there is no view {v!r}; the views are {told}")
        self._others = [v for v in range(len(views)) if v not in self._given]
        codes, self.classes_ = partial_labels(y, views[0].shape[0])
        return views, codes

    def _links(self, views: list[sp.csr_matrix]) -> list[sp.csr_matrix]:
        """Return the links of the training rows that are given."""
        for v in self._given:
            if views[v].shape[0] != views[v].shape[1]:
                raise ValueError(
                    f"{called(self.view_names_in_, len(views))[v]} is to be a graph but has shape "
                    f"{views[v].shape}: links need a column a row, in the rows' order (rows that "
                    "scikit-learn has split lost that: use model_selection.transductive_validate)"
                )
        return [abs(views[v]) + abs(views[v]).T for v in self._given]

    def _neighbours(self, Xs: Any, views: list[sp.csr_matrix]) -> list[sp.csr_matrix]:
        """Return the graphs of the nearest training rows in the other views."""
        observed, names = observed_rows(Xs), called(self.view_names_in_, len(views))
        found, rows = neighbours_in(
            [views[v] for v in self._others],
            None if observed is None else observed[:, self._others],
            [names[v] for v in self._others],
            self.n_neighbors,
        )
        places = [placed(here, views[0].shape[0]) for here in rows]
        self._near = list(zip(found, places, strict=True))
        return [place @ one.graph() @ place.T for one, place in self._near]

    def _nearest(self, views: list[sp.csr_matrix]) -> list[sp.csr_matrix]:
        """Return the cosines of new rows with their nearest training rows in the other views."""
        pairs = zip(self._others, self._near, strict=True)
        return [one.links(views[v]) @ place.T for v, (one, place) in pairs]


@dataclass(eq=False, repr=False)
class GraphSpreading(_GraphClassifier):
    r"""Labels that spread over the links of several graphs (Zhou et al. 2004).

    Every view gives a graph W, scaled by its degrees to :math:`D^{-1/2} W D^{-1/2}`; S is their
    mean. :math:`F = \alpha S F + (1 - \alpha) Y` is solved, Y holding the labels.

    Parameters
    ----------
    alpha : float in (0, 1), default 0.9
        How far labels spread.
    graphs : sequence of int or str
        Views that hold links between the rows, a column a row; new rows link to training rows.
        The others give their nearest rows.
    n_neighbors : int
        Neighbours of a row in every other view, by cosine.

    Attributes
    ----------
    classes_ : ndarray
        The labels that occur, sorted.
    shares_ : ndarray (D, classes)
        What the training rows have of every class; rows sum to one.
    labels_ : ndarray (D,)
        Class of every training row: given, or else found.

    Notes
    -----
    A row that lacks a view, or is zero in it, has no link there. Rows that no label reaches get the
    shares of the labelled rows. A new row gets the mean of its neighbours, weighed by cosine.

    References
    ----------
    Dengyong Zhou et al. (2004). Learning with local and global consistency. Advances in Neural
    Information Processing Systems.

    Examples
    --------
    >>> words = np.array([[9.0, 0], [8, 1], [7, 0], [0, 9], [1, 8], [0, 7]])
    >>> links = np.array([[0.0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0] * 6] * 2)
    >>> links[3:] = links[3:, ::-1]
    >>> y = ["a", None, None, None, None, "b"]
    >>> GraphSpreading(graphs=[1], n_neighbors=1).fit([words, links], y).labels_.tolist()
    ['a', 'a', 'a', 'b', 'b', 'b']
    """

    _learnt = "shares_"

    alpha: float = 0.9

    def fit(self, Xs: Any, y: Any) -> Self:
        """Spread the labels; None, NaN or -1 in ``y`` marks the rows that have none."""
        alpha = check_real("alpha", self.alpha, low=1e-3, high=0.999)
        views, codes = self._opened(Xs, y)
        parts = [*self._links(views), *self._neighbours(Xs, views)]
        S = sp.csr_matrix(sum(scaled(part) for part in parts) / len(parts))
        Y = (codes[:, None] == np.arange(self.classes_.size)).astype(float)
        self._prior = Y.sum(axis=0) / Y.sum()
        F = Y
        for _ in range(int(np.ceil(np.log(_PRECISION) / np.log(alpha)))):  # the rest is alpha ** n
            F = alpha * (S @ F) + (1.0 - alpha) * Y
        self.shares_ = self._shared(F)
        best = np.where(codes >= 0, codes, self.shares_.argmax(axis=1))
        self.labels_ = self.classes_[best]
        return self

    def _shared(self, F: np.ndarray) -> np.ndarray:
        """Return rows that sum to one; rows of zeros become the shares of the labelled rows."""
        total = F.sum(axis=1, keepdims=True)
        return np.where(total > 0, F / np.where(total > 0, total, 1.0), self._prior)

    def predict_proba(self, Xs: Any) -> np.ndarray:
        """Return the mean of the neighbours' shares of the classes."""
        views = self._new_views(Xs)
        parts = [*(abs(views[v]) for v in self._given), *self._nearest(views)]
        return self._shared(sum(per_row(part) @ self.shares_ for part in parts))


@dataclass(eq=False, repr=False)
class SGC(_GraphClassifier):
    """Simple graph convolution: a regression on features that are averaged over neighbours.

    Parameters
    ----------
    hops : int, default 2
        Times that features are averaged over a row and its neighbours.
    C : float, default 1
        Inverse strength of the penalty of the regression.
    graphs : sequence of int or str
        Views that hold links between the rows, a column a row; new rows link to training rows.
        The other views are the features. Without any, rows are linked to their nearest ones.
    n_neighbors : int
        Neighbours of a row in every view, by cosine, without ``graphs``.
    shared : bool
        The columns of ``graphs`` are no rows but things, rows that share one are neighbours, and
        all views are features.

    Attributes
    ----------
    classes_ : ndarray
        The labels that occur, sorted.
    labels_ : ndarray (D,)
        Class of every training row, as the regression sees it.

    Notes
    -----
    Views are taken as they are: weigh words (tf-idf) and standardise numbers before, with
    :class:`~manyviews.preprocessing.per_view.PerView`. A view that a row lacks is zero in the
    table, and links nothing. New rows do not count in the degrees of training rows. Over shared
    things, a table of more than 200 columns is reduced to 100 singular vectors first.

    References
    ----------
    Felix Wu et al. (2019). Simplifying graph convolutional networks. International Conference on
    Machine Learning.

    Examples
    --------
    >>> words = np.array([[9.0, 0], [1, 1], [1, 1], [1, 1], [1, 1], [0, 9]])
    >>> links = np.zeros((6, 6))
    >>> links[[0, 1, 3, 4], [1, 2, 4, 5]] = 1
    >>> model = SGC(graphs=["links"])
    >>> y = ["a", None, None, None, None, "b"]
    >>> model.fit({"words": words, "links": links}, y).labels_.tolist()
    ['a', 'a', 'a', 'b', 'b', 'b']
    """

    _learnt = "model_"

    hops: int = 2
    C: float = 1.0
    _: KW_ONLY
    shared: bool = False

    def fit(self, Xs: Any, y: Any) -> Self:
        """Fit to all rows; those without a label (None, NaN or -1) lend their features."""
        hops, C = check_positive_int("hops", self.hops, 0), check_real("C", self.C, low=1e-12)
        views, codes = self._opened(Xs, y)
        X = self._table(views, fit=True)
        if self.shared:
            things = self._pattern([views[v] for v in self._given])
            columns = np.maximum(np.asarray(things.sum(axis=0)).ravel(), 1.0)
            self._to, back = sp.diags(1.0 / columns) @ things.T, per_row(things)
        else:
            both = self._pattern(self._links(views) or self._neighbours(Xs, views))
            graph = both + sp.identity(len(codes), format="csr")
            self._to = sp.diags(1.0 / np.sqrt(np.asarray(graph.sum(axis=1)).ravel()))
            S = self._to @ graph @ self._to

        def averaged(X: Any) -> Any:
            # a row that shares nothing keeps itself
            return 0.5 * (X + back @ (self._to @ X)) if self.shared else S @ X

        smooth = X
        for _ in range(hops):
            smooth = averaged(smooth)
        known = codes >= 0
        self.model_ = LogisticRegression(C=C, max_iter=1000).fit(smooth[known], codes[known])
        self.labels_ = self.classes_[self.model_.predict(smooth)]
        # the regression is linear: its answers may be averaged in place of the features
        self._layers = [X @ self.model_.coef_.T]
        for _ in range(hops - 1):
            self._layers.append(averaged(self._layers[-1]))
        return self

    def _pattern(self, parts: list[sp.csr_matrix]) -> sp.csr_matrix:
        """Return 1 where any of some graphs has a link; things stand side by side."""
        if self.shared and not parts:
            raise ValueError("shared=True needs graphs: the views whose columns rows share")
        return binarise(hstack_csr(parts) if self.shared else sum(parts))

    def _table(self, views: list[sp.csr_matrix], *, fit: bool = False) -> Any:
        """Return the features side by side, as they are averaged."""
        used = range(len(views)) if self.shared else self._others
        X = hstack_csr([views[v] for v in used or range(len(views))])
        if self.shared and X.shape[1] > _WIDE:
            if fit:
                self._svd = TruncatedSVD(_RANK, random_state=0).fit(X)
            return self._svd.transform(X)
        return X.toarray() if X.shape[0] * X.shape[1] <= _DENSE else X

    def predict_proba(self, Xs: Any) -> np.ndarray:
        """Return the probabilities of the classes."""
        views = self._new_views(Xs)
        parts = [views[v] for v in self._given] or self._nearest(views)
        links = self._pattern([abs(part) for part in parts])
        root = 1.0 / np.sqrt(1.0 + np.asarray(links.sum(axis=1)))  # with the row itself
        links = 0.5 * per_row(links) if self.shared else sp.diags(root.ravel()) @ links
        z = self._table(views) @ self.model_.coef_.T
        for layer in self._layers[: self.hops]:
            z = (0.5 if self.shared else root**2) * z + links @ (self._to @ layer)
        z = z + self.model_.intercept_
        return softmax(np.hstack([np.zeros_like(z), z]) if z.shape[1] == 1 else z, axis=1)
