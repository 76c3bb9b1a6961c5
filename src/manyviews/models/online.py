"""What the online classifiers share: views and labels checked before any weight moves.

Every check runs before the first update, so a rejected batch leaves the classifier as it was.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.kernels.passive_aggressive import squared_norms
from manyviews.validation import check_structure, check_view

Csr = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
_SIGNS = np.array([-1, 1])


def _sum_is_finite(values: np.ndarray) -> bool:
    """Tell whether the sum is finite, and so every term: one pass, nothing allocated."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(values.sum()))


def online_view(X: Any, name: str, n_features: int | None = None) -> sp.csr_matrix:
    """Return a view as canonical float64 CSR without copying one that already is.

    A stream is made of many small batches, so a batch in the right form is only read.
    """
    view = None
    if sp.issparse(X) and X.format == "csr" and X.dtype == np.float64:
        check_structure(X, name)
        if X.has_canonical_format and _sum_is_finite(X.data):
            view = X
    if view is None:
        view = check_view(X, name=name)
    if view.shape[0] == 0:
        raise ValueError(f"{name} has no rows; at least one document is needed")
    if n_features is not None and view.shape[1] != n_features:
        raise ValueError(
            f"{name} has {view.shape[1]} columns, but the classifier was fitted on "
            f"{n_features}; use the same features in the same order"
        )
    return view


def online_views(
    Xs: Any, *, n_views: int | None = None, n_features: list[int] | None = None
) -> list[sp.csr_matrix]:
    """Return the views of one batch, checked for number, width and equal numbers of rows."""
    if not isinstance(Xs, list | tuple):
        raise ValueError(f"Xs must be a list of views, got {type(Xs).__name__}")
    wanted = n_views if n_features is None else len(n_features)
    if wanted is not None and len(Xs) != wanted:
        raise ValueError(f"{wanted} view(s) are needed, got {len(Xs)}")
    if len(Xs) == 0:
        raise ValueError("at least one view is needed, got an empty list")
    views = [
        online_view(X, f"view {v}", None if n_features is None else n_features[v])
        for v, X in enumerate(Xs)
    ]
    for v, view in enumerate(views):
        if view.shape[0] != views[0].shape[0]:
            raise ValueError(
                f"views must describe the same documents: view 0 has {views[0].shape[0]} rows, "
                f"view {v} has {view.shape[0]}"
            )
    return views


def csr_arrays(view: sp.csr_matrix) -> Csr:
    """Return (indptr, indices, data, squared norms) in the types the kernels are compiled for.

    scipy keeps row pointers and columns in 32 or 64 bits as it sees fit; one choice here spares
    a second compilation. Columns without a sign spare the loops the test for negative ones.
    """
    indptr = view.indptr.astype(np.int64, copy=False)
    narrow = view.shape[1] <= np.iinfo(np.int32).max
    indices = view.indices.astype(np.int32 if narrow else np.int64, copy=False)
    columns = indices.view(np.uint32 if narrow else np.uint64)
    return indptr, columns, view.data, squared_norms(indptr, view.data)


def label_array(y: Any, n_rows: int) -> np.ndarray:
    """Return ``y`` as a 1-D array with one label per row and no missing value."""
    labels = np.asarray(y)
    if labels.ndim != 1 or labels.shape[0] != n_rows:
        raise ValueError(
            f"y must have one label per row ({n_rows}), got an array of shape {labels.shape}"
        )
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        row = int(np.flatnonzero(~np.isfinite(labels))[0])
        raise ValueError(f"y holds NaN or infinity (first at row {row}); every row needs a label")
    if labels.dtype.kind == "O" and any(label is None for label in labels):
        row = next(i for i, label in enumerate(labels) if label is None)
        raise ValueError(f"y holds None (first at row {row}); every row needs a label")
    if labels.dtype.kind == "O" and all(isinstance(label, str) for label in labels):
        labels = labels.astype(str)
    return labels


def resolve_classes(labels: np.ndarray, classes: Any, *, binary: bool) -> np.ndarray:
    """Return the sorted classes of a first batch.

    ``classes`` wins where it is given. Labels within {-1, +1} mean these two classes even when
    only one of them is present; any other batch must show every class, because a class that
    appears later could not be told from a mistake.
    """
    if classes is not None:
        found = np.unique(np.asarray(classes))
    elif labels.dtype.kind in "iuf" and np.isin(labels, _SIGNS).all():
        found = _SIGNS.astype(labels.dtype) if labels.dtype.kind != "u" else np.unique(labels)
    else:
        found = np.unique(labels)
    if found.size < 2:
        raise ValueError(
            f"the labels hold a single class, {found[0] if found.size else 'none'}; give both "
            "classes, or name them all with partial_fit(..., classes=[...])"
        )
    if binary and found.size > 2:
        listed = ", ".join(repr(c.item() if hasattr(c, "item") else c) for c in found[:4])
        raise ValueError(
            f"this classifier separates two classes, the labels name {found.size} ({listed}"
            f"{', ...' if found.size > 4 else ''}); use MultiViewPassiveAggressive for more"
        )
    return found


def encode_labels(labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the index of every label in ``classes``; a label outside them is an error."""
    comparable = (labels.dtype.kind in "US") == (classes.dtype.kind in "US")
    known = np.isin(labels, classes) if comparable else np.zeros(labels.size, dtype=bool)
    if not known.all():
        row = int(np.flatnonzero(~known)[0])
        listed = ", ".join(str(c) for c in classes)
        raise ValueError(
            f"label {labels[row]!s} in row {row} is not one of the classes {listed}; "
            "map the labels to these classes or start a new classifier"
        )
    return np.searchsorted(classes, labels).astype(np.int64)
