"""Kernel canonical correlation analysis: linear CCA on the kernel coordinates of each view."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from scipy import linalg, sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from manyviews.base import ListOutput, observed_rows
from manyviews.baselines.cca import CCA, DenseInput
from manyviews.kernels.chi2 import harmonic_products
from manyviews.validation import check_positive_int, check_real

__all__ = ["KernelCCA"]

Kernel = str | Callable[[np.ndarray, np.ndarray], np.ndarray]


def chi2_distances(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return ``sum (a - b)^2 / (a + b)`` for all pairs of rows of two non-negative matrices."""
    rows, other = sparse.csr_matrix(A), np.ascontiguousarray(B, dtype=np.float64)
    shared = np.empty((len(A), len(B)))
    harmonic_products(rows.indptr, rows.indices, rows.data, other, shared)
    distances = A.sum(axis=1)[:, None] + B.sum(axis=1) - 4.0 * shared
    return np.maximum(distances, 0.0)  # rounding may leave a little less than nothing


class _KernelMap:
    """Rows as coordinates in the space a kernel spans over the training rows (kernel PCA)."""

    def __init__(
        self, kernel: Kernel, X: np.ndarray, max_rank: int, here: np.ndarray | None = None
    ) -> None:
        n_rows = len(X)
        if here is not None:
            X = X[here]
        self.kernel, self.X = kernel, X
        self.gamma = 1.0
        raw = self._raw(X, fitting=True)
        self.column_means, self.mean = raw.mean(axis=0), raw.mean()
        first = max(0, len(raw) - max_rank)
        values, vectors = linalg.eigh(self._centre(raw), subset_by_index=[first, len(raw) - 1])
        keep = values > 1e-8 * values[-1]
        self.map = vectors[:, keep] / np.sqrt(values[keep])
        self.coordinates = vectors[:, keep] * np.sqrt(values[keep])
        if here is not None:  # rows without the view have no coordinates
            known, self.coordinates = self.coordinates, np.zeros((n_rows, int(keep.sum())))
            self.coordinates[here] = known

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


@dataclass(eq=False, repr=False)
class KernelCCA(ListOutput, DenseInput, BaseEstimator):
    """Kernel CCA: linear CCA on the kernel principal coordinates of each view.

    Parameters
    ----------
    n_components, reg
        As in :class:`~manyviews.baselines.cca.CCA`; ``reg`` is relative to the mean variance of
        the coordinates.
    kernels : sequence of {"linear", "chi2", "hellinger"} or callables
        One per view. ``chi2`` is ``exp(-d / mean d)`` with the chi-square distance d.
    max_rank : int
        Leading kernel coordinates kept of each view; more cost time and add little but noise.

    Attributes
    ----------
    maps_ : list
        Kernel coordinates of every view.
    correlations_ : ndarray
        As of :class:`~manyviews.baselines.cca.CCA`, which treats missing rows too.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> shared = rng.random(size=(40, 1))
    >>> Xs = [np.hstack([shared, rng.random(size=(40, 1))]) for _ in range(2)]
    >>> [Z.shape for Z in KernelCCA(1).fit(Xs).transform(Xs)]
    [(40, 1), (40, 1)]
    """

    _learnt = "maps_"

    n_components: int = 10
    _: KW_ONLY
    reg: float = 1.0
    kernels: Sequence[Kernel] = ("linear", "linear")
    max_rank: int = 300

    def fit(self, Xs: Sequence[Any], y: Any = None) -> Self:
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
                raise ValueError(
                    f"Negative values in data: the {kernel} kernel needs non-negative features"
                )
        check_positive_int("max_rank", self.max_rank)
        self._observed = observed_rows(Xs)
        rows = [None] * len(views) if self._observed is None else list(self._observed.T)
        self.maps_ = [
            _KernelMap(k, v, self.max_rank, here)
            for k, v, here in zip(self.kernels, views, rows, strict=True)
        ]
        return self._solve()

    def _solve(self) -> Self:
        coordinates = [m.coordinates for m in self.maps_]
        self.cca_ = CCA(self.n_components, reg=self.reg)
        self.cca_.fit_checked(coordinates, self._observed, self.view_names_in_)
        self.correlations_ = self.cca_.correlations_
        return self

    def refit(self, n_components: int, reg: float) -> Self:
        """Solve again with other settings on the same kernel coordinates (cheap)."""
        check_is_fitted(self, "maps_")
        self.n_components = check_positive_int("n_components", n_components)
        self.reg = check_real("reg", reg, low=0.0)
        return self._solve()

    def coordinates(self, Xs: Sequence[Any]) -> list[Any]:
        """Kernel coordinates of a list of views, which do not change with :meth:`refit`."""
        views = self._new_dense(Xs)
        return [None if X is None else m(X) for m, X in zip(self.maps_, views, strict=True)]

    def transform(self, Xs: Sequence[Any]) -> list[np.ndarray]:
        """Project a list of views; ``None`` for a view that is not there."""
        return self._contained(self.new_projections(Xs))

    def new_projections(self, Xs: Sequence[Any]) -> list[Any]:
        """Return :meth:`transform` as arrays, whatever :meth:`set_output` says."""
        coordinates = self.coordinates(Xs)
        projections = self.cca_.project(coordinates)
        return self.cca_.completed(projections, observed_rows(Xs, self.view_names_in_))

    def train_projections(self) -> list[np.ndarray]:
        """Return the projections of the rows of the fit."""
        check_is_fitted(self, "maps_")
        projections = self.cca_.project([m.coordinates for m in self.maps_])
        return self.cca_.completed(projections, self._observed)

    @property
    def _n_columns(self) -> int:
        return self.cca_._n_columns
