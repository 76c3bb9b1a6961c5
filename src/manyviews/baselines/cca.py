"""Canonical correlation analysis of two or more views: regularised linear, and with kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import linalg, sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from manyviews.base import (
    MultiViewInput,
    called,
    check_columns,
    check_number_of_views,
    check_same_rows,
    fitted_order,
    open_views,
)
from manyviews.kernels.chi2 import harmonic_products
from manyviews.validation import (
    check_extent,
    check_positive_int,
    check_real,
    check_structure,
    check_table,
)

__all__ = ["CCA", "KernelCCA"]

Kernel = str | Callable[[np.ndarray, np.ndarray], np.ndarray]
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

    def _fit_dense(self, Xs: Any) -> list[np.ndarray]:
        """Return the dense views to fit on."""
        parts, names = open_views(Xs)
        check_number_of_views(len(parts), 2, None)
        shown = called(names, len(parts))
        views = [_dense(X, name) for X, name in zip(parts, shown, strict=True)]
        check_same_rows(views, shown)
        if len(views[0]) < 2:
            raise ValueError(f"correlations need at least two rows, got {len(views[0])}")
        self.n_features_in_ = [view.shape[1] for view in views]
        self.view_names_in_ = names
        return views

    def _new_dense(self, Xs: Any) -> list[np.ndarray | None]:
        """Return dense views of new rows, None where there is none."""
        check_is_fitted(self, self._learnt)
        parts, names = open_views(Xs)
        parts = fitted_order(parts, names, self.view_names_in_)
        check_number_of_views(len(parts), 1, len(self.n_features_in_))
        shown = called(self.view_names_in_ if names else None, len(parts))
        views: list[np.ndarray | None] = []
        for X, name, wanted in zip(parts, shown, self.n_features_in_, strict=True):
            views.append(None if X is None else _dense(X, name))
            if views[-1] is not None:
                check_columns(views[-1], name, wanted)
        return views


class CCA(DenseInput, BaseEstimator):
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
    """

    _learnt = "weights_"

    def __init__(self, n_components: int = 10, *, reg: float = 1e-3) -> None:
        self.n_components = n_components
        self.reg = reg

    def fit(self, Xs: Sequence[Any], y: Any = None) -> CCA:
        """Learn the directions from a list of views."""
        check_positive_int("n_components", self.n_components)
        check_real("reg", self.reg, low=0.0)
        views = self._fit_dense(Xs)
        self.means_ = [view.mean(axis=0) for view in views]
        whiteners, whitened = [], []
        for view, mean in zip(views, self.means_, strict=True):
            whitener = self._whitener(view - mean)
            whiteners.append(whitener)
            whitened.append((view - mean) @ whitener)
        directions = self._directions(whitened)
        self.weights_ = [w @ a for w, a in zip(whiteners, directions, strict=True)]
        self._fix_signs()
        return self

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

    def _directions(self, whitened: list[np.ndarray]) -> list[np.ndarray]:
        n = len(whitened[0])
        count = min([self.n_components] + [z.shape[1] for z in whitened])
        if len(whitened) == 2:
            left, values, right = linalg.svd(whitened[0].T @ whitened[1] / n, full_matrices=False)
            self.correlations_ = values[:count]
            return [left[:, :count], right[:count].T]
        stacked = np.hstack(whitened)
        values, vectors = linalg.eigh(stacked.T @ stacked / n)
        order = np.argsort(values)[::-1][:count]
        self.correlations_ = (values[order] - 1) / (len(whitened) - 1)
        cuts = np.cumsum([z.shape[1] for z in whitened])[:-1]
        return np.split(vectors[:, order], cuts)

    def _fix_signs(self) -> None:
        """Make the largest weight of each direction in the first view positive."""
        first = self.weights_[0]
        signs = np.sign(first[np.abs(first).argmax(axis=0), np.arange(first.shape[1])])
        self.weights_ = [w * np.where(signs == 0, 1.0, signs) for w in self.weights_]

    def transform(self, Xs: Sequence[Any]) -> list[np.ndarray]:
        """Project a list of views; ``None`` for a view that is not there."""
        return self.project(self._new_dense(Xs))

    def project(self, views: Sequence[Any]) -> list[Any]:
        """Return :meth:`transform` of checked dense views."""
        return [
            None if view is None else (view - mean) @ weight
            for view, mean, weight in zip(views, self.means_, self.weights_, strict=True)
        ]

    def fit_transform(self, Xs: Sequence[Any], y: Any = None) -> list[np.ndarray]:
        """Fit and project the same views."""
        return self.fit(Xs).transform(Xs)


def chi2_distances(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return ``sum (a - b)^2 / (a + b)`` for all pairs of rows of two non-negative matrices."""
    rows, other = sparse.csr_matrix(A), np.ascontiguousarray(B, dtype=np.float64)
    shared = np.empty((len(A), len(B)))
    harmonic_products(rows.indptr, rows.indices, rows.data, other, shared)
    distances = A.sum(axis=1)[:, None] + B.sum(axis=1) - 4.0 * shared
    return np.maximum(distances, 0.0)  # rounding may leave a little less than nothing


class _KernelMap:
    """Rows as coordinates in the space a kernel spans over the training rows (kernel PCA)."""

    def __init__(self, kernel: Kernel, X: np.ndarray, max_rank: int) -> None:
        self.kernel, self.X = kernel, X
        self.gamma = 1.0
        raw = self._raw(X, fitting=True)
        self.column_means, self.mean = raw.mean(axis=0), raw.mean()
        first = max(0, len(raw) - max_rank)
        values, vectors = linalg.eigh(self._centre(raw), subset_by_index=[first, len(raw) - 1])
        keep = values > 1e-8 * values[-1]
        self.map = vectors[:, keep] / np.sqrt(values[keep])
        self.coordinates = vectors[:, keep] * np.sqrt(values[keep])

    def _raw(self, Y: np.ndarray, *, fitting: bool = False) -> np.ndarray:
        if callable(self.kernel):
            return self.kernel(Y, self.X)
        if self.kernel == "linear":
            return Y @ self.X.T
        if self.kernel == "hellinger":
            return np.sqrt(Y) @ np.sqrt(self.X).T
        distances = chi2_distances(Y, self.X)
        if fitting:
            self.gamma = 1.0 / distances.mean()
        return np.exp(-self.gamma * distances)

    def _centre(self, raw: np.ndarray) -> np.ndarray:
        return raw - raw.mean(axis=1, keepdims=True) - self.column_means + self.mean

    def __call__(self, Y: np.ndarray) -> np.ndarray:
        return self._centre(self._raw(Y)) @ self.map


class KernelCCA(DenseInput, BaseEstimator):
    """Kernel CCA: linear CCA on the kernel principal coordinates of each view.

    Parameters
    ----------
    n_components, reg
        As in :class:`CCA`; ``reg`` is relative to the mean variance of the coordinates.
    kernels : sequence of {"linear", "chi2", "hellinger"} or callables
        One per view. ``chi2`` is ``exp(-d / mean d)`` with the chi-square distance d.
    max_rank : int
        Leading kernel coordinates kept of each view; more cost time and add little but noise.
    """

    _learnt = "maps_"

    def __init__(
        self,
        n_components: int = 10,
        *,
        reg: float = 1.0,
        kernels: Sequence[Kernel] = ("linear", "linear"),
        max_rank: int = 300,
    ) -> None:
        self.n_components = n_components
        self.reg = reg
        self.kernels = kernels
        self.max_rank = max_rank

    def fit(self, Xs: Sequence[Any], y: Any = None) -> KernelCCA:
        """Learn the directions from a list of views."""
        views = self._fit_dense(Xs)
        check_positive_int("n_components", self.n_components)
        check_real("reg", self.reg, low=0.0)
        if len(self.kernels) != len(views):
            raise ValueError(f"{len(self.kernels)} kernels for {len(views)} views; give one each")
        for kernel, view in zip(self.kernels, views, strict=True):
            if not callable(kernel) and kernel not in ("linear", "chi2", "hellinger"):
                raise ValueError(f"unknown kernel {kernel!r}; use linear, chi2, hellinger")
            if kernel in ("chi2", "hellinger") and view.min() < 0:
                raise ValueError(f"the {kernel} kernel needs non-negative features")
        check_positive_int("max_rank", self.max_rank)
        self.maps_ = [
            _KernelMap(k, v, self.max_rank) for k, v in zip(self.kernels, views, strict=True)
        ]
        return self._solve()

    def _solve(self) -> KernelCCA:
        self.cca_ = CCA(self.n_components, reg=self.reg).fit([m.coordinates for m in self.maps_])
        self.correlations_ = self.cca_.correlations_
        return self

    def refit(self, n_components: int, reg: float) -> KernelCCA:
        """Solve again with other settings on the same kernel coordinates (cheap)."""
        check_is_fitted(self, "maps_")
        self.n_components, self.reg = n_components, reg
        return self._solve()

    def coordinates(self, Xs: Sequence[Any]) -> list[Any]:
        """Kernel coordinates of a list of views, which do not change with :meth:`refit`."""
        views = self._new_dense(Xs)
        return [None if X is None else m(X) for m, X in zip(self.maps_, views, strict=True)]

    def transform(self, Xs: Sequence[Any]) -> list[np.ndarray]:
        """Project a list of views; ``None`` for a view that is not there."""
        coordinates = self.coordinates(Xs)
        return self.cca_.project(coordinates)
