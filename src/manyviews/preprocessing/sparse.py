"""Small transformations of sparse views that several papers need."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from manyviews.validation import check_choice


def row_normalise(X: sp.spmatrix, norm: str = "l2") -> sp.csr_matrix:
    """Scale every row to norm one (``"l1"``, ``"l2"`` or ``"max"``); zero rows stay zero."""
    check_choice("norm", norm, ("l1", "l2", "max"))
    view = sp.csr_matrix(X, dtype=np.float64, copy=True)
    if norm == "l1":
        size = np.asarray(abs(view).sum(axis=1)).ravel()
    elif norm == "l2":
        size = np.sqrt(np.asarray(view.multiply(view).sum(axis=1)).ravel())
    else:
        size = abs(view).max(axis=1).toarray().ravel()
    size[size == 0] = 1.0
    view.data /= np.repeat(size, np.diff(view.indptr))
    return view


def scale_rows(X: sp.csr_matrix, weights: np.ndarray) -> sp.csr_matrix:
    """Multiply every row by its weight; rows of weight 0 become empty."""
    data = X.data * np.repeat(weights, np.diff(X.indptr))
    scaled = sp.csr_matrix((data, X.indices.copy(), X.indptr.copy()), shape=X.shape)
    scaled.eliminate_zeros()
    return scaled


def placed(rows: np.ndarray, n_rows: int) -> sp.csr_matrix:
    """Return the matrix that puts row k at ``rows[k]`` of ``n_rows``, and zeros elsewhere."""
    at = (rows, np.arange(rows.size))
    return sp.csr_matrix((np.ones(rows.size), at), shape=(n_rows, rows.size))


def hstack_csr(Xs: Sequence[sp.spmatrix]) -> sp.csr_matrix:
    """Concatenate views column-wise as canonical CSR."""
    stacked = sp.csr_matrix(sp.hstack(list(Xs), format="csr"), dtype=np.float64)
    stacked.sort_indices()
    return stacked


def binarise(X: sp.spmatrix) -> sp.csr_matrix:
    """Return 1 where ``X`` is non-zero."""
    view = sp.csr_matrix(X, dtype=np.float64, copy=True)
    view.eliminate_zeros()
    view.data[:] = 1.0
    return view


def document_frequency(X: sp.spmatrix) -> np.ndarray:
    """Return the number of rows in which each column is non-zero."""
    view = sp.csr_matrix(X)
    return np.bincount(view.indices[view.data != 0], minlength=view.shape[1])


def idf_weight(X: sp.spmatrix, reference: sp.spmatrix | None = None) -> sp.csr_matrix:
    """Multiply each column by ``log(n / df)``; columns that never occur get weight 0.

    ``reference`` supplies n and df (training rows); by default ``X`` itself.
    """
    base = sp.csr_matrix(X if reference is None else reference)
    frequency = document_frequency(base)
    weight = np.zeros(base.shape[1])
    seen = frequency > 0
    weight[seen] = np.log(base.shape[0] / frequency[seen])
    return sp.csr_matrix(sp.csr_matrix(X, dtype=np.float64) @ sp.diags(weight))


def tfidf(counts: sp.spmatrix) -> sp.csr_matrix:
    """Return tf-idf weights ``tf * log(n / df)``; words in every document vanish."""
    weighted = idf_weight(counts)
    weighted.eliminate_zeros()
    weighted.sort_indices()
    return weighted
