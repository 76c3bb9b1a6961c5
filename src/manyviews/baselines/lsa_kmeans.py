"""Latent semantic analysis of all views side by side, then k-means on rows of length one."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import normalize

from manyviews.base import MultiViewInput
from manyviews.preprocessing.sparse import hstack_csr
from manyviews.validation import check_positive_int

__all__ = ["LSAKMeans"]

#: A table with at most so many columns and at least that share of values is dense.
_WIDE, _FILLED = 2000, 0.25


def as_filled(X: sp.csr_matrix) -> Any:
    """Return a table dense if it is narrow and filled: solvers are faster on it."""
    filled = X.nnz >= _FILLED * X.shape[0] * X.shape[1]
    return X.toarray() if filled and X.shape[1] <= _WIDE else X


@dataclass(eq=False, repr=False)
class LSAKMeans(MultiViewInput, ClusterMixin, BaseEstimator):
    """Singular vectors of the concatenation, rows scaled to one, k-means.

    Views are taken as they are: weigh words (tf-idf) and standardise numbers before, with
    :class:`~manyviews.preprocessing.per_view.PerView`.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    n_components : int or None
        Singular vectors; twice the clusters by default, 10 at least.
    random_state : int or None
        Of the singular vectors and the starts of k-means.

    Attributes
    ----------
    labels_ : ndarray (D,)
        Clusters.
    svd_, kmeans_
        The fitted steps.

    Notes
    -----
    A view that a row lacks is zero in the table. Rows are scaled to one afterwards, so such a row
    is judged by the views it has.

    References
    ----------
    Scott Deerwester et al. (1990). Indexing by latent semantic analysis. Journal of the American
    Society for Information Science.
    """

    _learnt = "kmeans_"

    n_clusters: int = 2
    _: KW_ONLY
    n_components: int | None = None
    random_state: int | None = None

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Cluster the rows."""
        check_positive_int("n_clusters", self.n_clusters)
        wanted = max(2 * self.n_clusters, 10) if self.n_components is None else self.n_components
        check_positive_int("n_components", wanted)
        X = as_filled(hstack_csr(self._fit_views(Xs)))
        rank = max(1, min(wanted, min(X.shape) - 1))
        self.svd_ = TruncatedSVD(rank, random_state=self.random_state)
        reduced = normalize(self.svd_.fit_transform(X))
        self.kmeans_ = KMeans(self.n_clusters, n_init=10, random_state=self.random_state)
        self.labels_ = self.kmeans_.fit(reduced).labels_
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Return the nearest cluster of new rows."""
        X = as_filled(hstack_csr(self._new_views(Xs)))
        return self.kmeans_.predict(normalize(self.svd_.transform(X)))
