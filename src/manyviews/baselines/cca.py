"""Canonical correlation analysis of two or more views, regularised and linear."""

import warnings
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from scipy import linalg, sparse
from sklearn.base import BaseEstimator

from manyviews.base import (
    ListOutput,
    MultiViewInput,
    called,
    check_columns,
    check_number_of_views,
    observed_rows,
)
from manyviews.validation import (
    check_extent,
    check_positive_int,
    check_real,
    check_structure,
    check_table,
)

__all__ = ["CCA"]

_RANK_TOL = 1e-10  # eigenvalues below this share of the largest are rounding


def _dense(X: Any, name: str) -> np.ndarray:
    """Return a view as a float64 array of finite numbers; they may be negative."""
    if sparse.issparse(X):
        check_structure(X, name)
        X = X.toarray(order="C")  # whatever the sparse form: sums in one order
    view = check_table(X, name=name)
    check_extent(view.shape, name)
    if not np.isfinite(view).all():
        row, column = np.argwhere(~np.isfinite(view))[0]
        raise ValueError(
            f"{name} holds NaN or infinity (first at row {row}, column {column}); "
            "remove or impute such entries before fitting"
        )
    return view


class DenseInput(MultiViewInput):
    """The door of models on dense views; ``None`` stands for a new view that is not there."""

    takes_none = True

    def _fit_dense(self, Xs: Any) -> list[np.ndarray]:
        """Return the dense views to fit on."""
        views = self._fit_views(Xs, read=_dense, min_views=2)
        if len(views[0]) < 2:
            raise ValueError(f"correlations need at least two rows, got n_samples={len(views[0])}")
        return views

    def _new_dense(self, Xs: Any) -> list[np.ndarray | None]:
        """Return dense views of new rows, None where there is none."""
        parts, shown = self._new_parts(Xs)
        check_number_of_views(len(parts), 1, len(self.n_features_in_))
        views = [
            None if X is None else _dense(X, name) for X, name in zip(parts, shown, strict=True)
        ]
        for view, name, wanted in zip(views, shown, self.n_features_in_, strict=True):
            if view is not None:
                check_columns(view, name, wanted)
        return views


@dataclass(eq=False, repr=False)
class CCA(ListOutput, DenseInput, BaseEstimator):
    """Regularised linear CCA; more than two views by the MAXVAR criterion, which contains it.

    Each view is whitened with ``(C + reg * mean variance * I)^(-1/2)`` and the directions of
    largest correlation between the whitened views are taken. Works for fewer rows than columns
    and for views without full rank.

    Parameters
    ----------
    n_components : int
        Directions wanted; at most the smallest rank of a view are returned.
    reg : float
        Ridge relative to the mean variance of a view's columns.

    Attributes
    ----------
    means_, weights_ : lists, one array per view
    correlations_ : ndarray
        Canonical correlations (two views) or the MAXVAR eigenvalues scaled to [.., 1].

    Notes
    -----
    **Missing rows** (:class:`~manyviews.views.Views` says which). The mean and covariance of a view
    run over the rows that have it, the covariance of two views over the rows that have both. The
    projection of a row in a view that it lacks is predicted from the views it has: the mean of
    the regressions of the one canonical variate on the others; 0, the mean, without any view.
    """

    _learnt = "weights_"

    n_components: int = 10
    _: KW_ONLY
    reg: float = 1e-3

    def fit(self, Xs: Sequence[Any], y: Any = None) -> Self:
        """Learn the directions from a list of views."""
        check_positive_int("n_components", self.n_components)
        check_real("reg", self.reg, low=0.0)
        views = self._fit_dense(Xs)
        self._solve(views, observed_rows(Xs))
        if self._n_columns < self.n_components:
            warnings.warn(
                f"n_components={self.n_components}, but the views share {self._n_columns} "
                f"directions at most (the smallest rank of a view): {self._n_columns} columns "
                f"are returned; set n_components={self._n_columns}",
                stacklevel=3,
            )
        return self

    def fit_checked(
        self, views: list[np.ndarray], observed: np.ndarray | None, names: tuple[str, ...] | None
    ) -> Self:
        """Learn from dense views that are sound; ``observed`` says which rows have which."""
        self.n_features_in_ = [view.shape[1] for view in views]
        self.view_names_in_ = names
        return self._solve(views, observed)

    def _solve(self, views: list[np.ndarray], observed: np.ndarray | None) -> Self:
        """Find the directions from the rows each view, and each pair of views, has."""
        here = np.ones((len(views[0]), len(views)), dtype=bool) if observed is None else observed
        together = here.astype(np.int64).T @ here.astype(np.int64)
        if together.min() < 2:
            names = called(self.view_names_in_, len(views))
            one, two = np.unravel_index(together.argmin(), together.shape)
            which = names[one] if one == two else f"{names[one]} and {names[two]} together"
            raise ValueError(f"correlations need two rows at least; {which}: {together.min()}")
        self.means_, whiteners, whitened = [], [], []
        for view, mask in zip(views, here.T, strict=True):
            rows = slice(None) if observed is None else mask
            mean = view[rows].mean(axis=0)
            whitener = self._whitener(view[rows] - mean)
            z = np.zeros((len(view), whitener.shape[1]))
            z[rows] = (view[rows] - mean) @ whitener
            self.means_.append(mean)
            whiteners.append(whitener)
            whitened.append(z)
        directions = self._directions(whitened, together)
        self.weights_ = [w @ a for w, a in zip(whiteners, directions, strict=True)]
        first = self.weights_[0]  # the largest weight of each of its directions is positive
        signs = np.sign(first[np.abs(first).argmax(axis=0), np.arange(first.shape[1])])
        self.weights_ = [w * np.where(signs == 0, 1.0, signs) for w in self.weights_]
        self._link(self.project(views), here)
        return self

    def _link(self, projections: list[np.ndarray], observed: np.ndarray) -> None:
        """Learn the regression of each view's variates on every other view's."""
        count, width = len(projections), projections[0].shape[1]
        self._links = np.zeros((count, count, width))
        for v in range(count):
            for w in range(count):
                both = observed[:, v] & observed[:, w]
                one, two = projections[v][both], projections[w][both]
                square = (two * two).sum(axis=0)
                self._links[v, w] = (one * two).sum(axis=0) / np.where(square > 0, square, 1.0)

    def completed(self, projections: list[Any], observed: np.ndarray | None) -> list[Any]:
        """Return projections with those of missing rows predicted from the views they have."""
        if observed is None:
            return projections
        found: list[Any] = []
        for v, own in enumerate(projections):
            if own is None:
                found.append(None)
                continue
            others = [w for w, U in enumerate(projections) if U is not None and w != v]
            total = sum(
                (self._links[v, w] * projections[w] * observed[:, [w]] for w in others),
                start=np.zeros_like(own),
            )
            number = observed[:, others].sum(axis=1, keepdims=True)
            found.append(np.where(observed[:, [v]], own, total / np.maximum(number, 1)))
        return found

    def _whitener(self, centred: np.ndarray) -> np.ndarray:
        n, d = centred.shape
        if d <= n:
            values, vectors = linalg.eigh(centred.T @ centred / n)
            keep = values > _RANK_TOL * max(values[-1], 0.0)
            values, vectors = values[keep], vectors[:, keep]
        else:  # the eigenvectors in feature space from those of the Gram matrix
            values, left = linalg.eigh(centred @ centred.T / n)
            keep = values > _RANK_TOL * max(values[-1], 0.0)
            values = values[keep]
            vectors = centred.T @ left[:, keep] / np.sqrt(n * values)
        if values.size == 0:
            raise ValueError("a view is constant: no direction of it varies")
        ridge = self.reg * values.sum() / d
        return vectors / np.sqrt(values + ridge)

    def _directions(self, whitened: list[np.ndarray], together: np.ndarray) -> list[np.ndarray]:
        """Return each view's directions; rows that lack a view are zero in it and add nothing."""
        widths = [z.shape[1] for z in whitened]
        count = min(self.n_components, *widths)
        if len(whitened) == 2:
            cross = whitened[0].T @ whitened[1] / together[0, 1]
            left, values, right = linalg.svd(cross, full_matrices=False)
            self.correlations_ = values[:count]
            return [left[:, :count], right[:count].T]
        stacked = np.hstack(whitened)
        pairs = np.repeat(np.repeat(together, widths, axis=0), widths, axis=1)
        values, vectors = linalg.eigh(stacked.T @ stacked / pairs)
        order = np.argsort(values)[::-1][:count]
        self.correlations_ = (values[order] - 1) / (len(widths) - 1)
        return np.split(vectors[:, order], np.cumsum(widths)[:-1])

    def transform(self, Xs: Sequence[Any]) -> list[np.ndarray]:
        """Project a list of views; ``None`` for a view that is not there."""
        projections = self.project(self._new_dense(Xs))
        observed = observed_rows(Xs, self.view_names_in_)
        return self._contained(self.completed(projections, observed))

    @property
    def _n_columns(self) -> int:
        return int(self.weights_[0].shape[1])

    def project(self, views: Sequence[Any]) -> list[Any]:
        """Return :meth:`transform` of checked dense views."""
        return [
            None if view is None else (view - mean) @ weight
            for view, mean, weight in zip(views, self.means_, self.weights_, strict=True)
        ]

    def fit_transform(self, Xs: Sequence[Any], y: Any = None) -> list[np.ndarray]:
        """Fit and project the same views."""
        return self.fit(Xs).transform(Xs)
