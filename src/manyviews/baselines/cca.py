"""Canonical correlation analysis of two or more views: regularised linear, and with kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import linalg, sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from manyviews.kernels.chi2 import harmonic_products
from manyviews.validation import check_positive_int, check_real

__all__ = ["CCA", "KernelCCA"]

Kernel = str | Callable[[np.ndarray, np.ndarray], np.ndarray]
_RANK_TOL = 1e-10  # eigenvalues below this share of the largest are rounding


def _dense(Xs: Sequence[Any], *, min_views: int = 2) -> list[np.ndarray]:
    """Views as float64 arrays with the same rows; views may hold negative values."""
    if not isinstance(Xs, list | tuple) or len(Xs) < min_views:
        raise ValueError(f"give a list of at least {min_views} views")
    views = [np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64) for X in Xs]
    for i, view in enumerate(views):
        if view.ndim != 2 or not np.isfinite(view).all():
            raise ValueError(f"view {i} must be a 2-D matrix of finite numbers")
        if len(view) != len(views[0]):
            raise ValueError(
                f"view 0 has {len(views[0])} rows and view {i} has {len(view)}; "
                "row j must be the same entity in every view"
            )
    return views


class CCA(BaseEstimator):
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

    def __init__(self, n_components: int = 10, *, reg: float = 1e-3) -> None:
        self.n_components = n_components
        self.reg = reg

    def fit(self, Xs: Sequence[Any], y: Any = None) -> CCA:
        """Learn the directions from a list of views."""
        check_positive_int("n_components", self.n_components)
        check_real("reg", self.reg, low=0.0)
        views = _dense(Xs)
        if len(views[0]) < 2:
            raise ValueError("CCA needs at least two rows")
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
        check_is_fitted(self, "weights_")
        if len(Xs) != len(self.weights_):
            raise ValueError(f"{len(Xs)} views given, {len(self.weights_)} were fitted")
        result: list[Any] = []
        for X, mean, weight in zip(Xs, self.means_, self.weights_, strict=True):
            if X is None:
                result.append(None)
                continue
            (view,) = _dense([X], min_views=1)
            result.append((view - mean) @ weight)
        return result

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


class KernelCCA(BaseEstimator):
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
        views = _dense(Xs)
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
        check_is_fitted(self, "maps_")
        if len(Xs) != len(self.maps_):
            raise ValueError(f"{len(Xs)} views given, {len(self.maps_)} were fitted")
        return [
            None if X is None else m(_dense([X], min_views=1)[0])
            for m, X in zip(self.maps_, Xs, strict=True)
        ]

    def transform(self, Xs: Sequence[Any]) -> list[np.ndarray]:
        """Project a list of views; ``None`` for a view that is not there."""
        check_is_fitted(self, "cca_")
        return self.cca_.transform(self.coordinates(Xs))
