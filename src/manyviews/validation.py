"""Checks of what callers hand in, with errors that say what is wrong, where, and what to do."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp


def check_positive_int(name: str, value: Any, minimum: int = 1) -> int:
    """Return ``value`` as int, or explain why it is not an integer of at least ``minimum``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be an integer, got {value!r} ({type(value).__name__})")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}")
    return int(value)


def check_fewer(name: str, value: Any, n_rows: int, spare: int = 0) -> int:
    """Return ``value`` as int if it is 1 at least and leaves ``spare`` of the rows."""
    count = check_positive_int(name, value)
    if count + spare > n_rows:
        most = "be smaller than" if spare else "not exceed"
        raise ValueError(f"{name}={count} must {most} n_samples={n_rows}")
    return count


def check_real(name: str, value: Any, low: float | None = None, high: float | None = None) -> float:
    """Return ``value`` as float, or explain why it is not a finite number in [low, high]."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise ValueError(f"{name} must be a number, got {value!r} ({type(value).__name__})")
    number = float(value)
    if not np.isfinite(number):
        raise ValueError(f"{name} must be finite, got {number}")
    if low is not None and number < low:
        raise ValueError(f"{name} must be at least {low}, got {number}")
    if high is not None and number > high:
        raise ValueError(f"{name} must be at most {high}, got {number}")
    return number


def check_choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """Return ``value`` if it is one of ``choices``; the error lists them."""
    if value not in choices:
        listed = ", ".join(repr(c) for c in choices)
        raise ValueError(f"{name} must be one of {listed}; got {value!r}")
    return str(value)


def check_view_number(name: str, value: Any, n_views: int) -> int:
    """Return ``value`` as int if there is a view of that number."""
    if not 0 <= check_positive_int(name, value, 0) < n_views:
        raise ValueError(f"{name}={value}, but there are {n_views} views")
    return int(value)


def check_view_weights(given: Sequence[float] | None, n_views: int) -> list[float]:
    """Return a weight for every view, 1 where none are given; not all may be 0."""
    if given is None:
        return [1.0] * n_views
    if len(given) != n_views:
        raise ValueError(f"view_weights has {len(given)} numbers for {n_views} view(s)")
    weights = [check_real(f"view_weights[{v}]", w, low=0.0) for v, w in enumerate(given)]
    if not any(weights):
        raise ValueError("view_weights are all 0, so no view would count; give one a weight")
    return weights


def check_view(X: Any, *, name: str = "view 0", nonnegative: bool = False) -> sp.csr_matrix:
    """Return one view as canonical CSR in float64 (sorted, no duplicates, no stored zeros)."""
    if sp.issparse(X):
        check_structure(X, name)
        check_kind(X.dtype, name)
        view = sp.csr_matrix(X, dtype=np.float64, copy=True)
    else:
        view = sp.csr_matrix(check_table(X, name=name))
    check_extent(view.shape, name)
    view.sum_duplicates()
    bad = ~np.isfinite(view.data)
    if bad.any():
        row, column = _position(view, int(np.flatnonzero(bad)[0]))
        raise ValueError(
            f"{name} holds NaN or infinity (first at row {row}, column {column}); "
            "remove or impute such entries before fitting"
        )
    if nonnegative and view.nnz and view.data.min() < 0:
        row, column = _position(view, int(np.flatnonzero(view.data < 0)[0]))
        raise ValueError(
            f"Negative values in data: {name} holds negative values (first at row {row}, "
            f"column {column}); this model needs counts or non-negative weights. Dense features "
            "and embeddings are better classified by logistic regression on the joined views: "
            "make_pipeline(SideBySide(), StandardScaler(), LogisticRegression())"
        )
    view.eliminate_zeros()
    view.sort_indices()
    return view


def check_extent(shape: tuple[int, ...], name: str) -> None:
    """Refuse a matrix without rows or columns."""
    if shape[0] == 0:
        raise ValueError(f"{name} has no rows; at least one document is needed")
    if shape[1] == 0:
        raise ValueError(
            f"{name} has no columns: 0 feature(s) (shape={shape}) while a minimum of 1 is required."
        )


def check_table(X: Any, *, name: str) -> np.ndarray:
    """Return a dense view as a 2-D float64 array of its own, whatever values it holds."""
    if np.ma.is_masked(X):
        raise ValueError(f"{name} has masked entries; fill or remove them before fitting")
    refuse_texts(X, name)
    dense = np.asarray(X)
    if dense.ndim != 2:
        raise ValueError(
            f"{name} must be a 2-D matrix (rows = documents), got {dense.ndim} dimension(s). "
            "Reshape your data: X.reshape(1, -1) is one row"
        )
    check_kind(dense.dtype, name)
    try:
        return dense.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} holds values that are not numbers: {error}") from error


def refuse_texts(X: Any, name: str) -> None:
    """Refuse a list of texts where a matrix is wanted."""
    listed = isinstance(X, list | tuple) or getattr(X, "ndim", 0) == 1
    if listed and len(X) and all(isinstance(text, str) for text in X):
        raise ValueError(
            f"{name} holds texts; turn them into a matrix first: "
            "sklearn.feature_extraction.text.CountVectorizer().fit_transform(texts)"
        )


def check_kind(dtype: np.dtype, name: str) -> None:
    """Refuse what only looks like a number: complex values, dates, text."""
    if dtype.kind == "c":
        raise ValueError(f"{name} holds complex values. Complex data not supported")
    if dtype.kind not in "fiubO":
        raise ValueError(f"{name} holds values that are not numbers: its type is {dtype}")


def check_structure(X: Any, name: str) -> None:
    """Refuse sparse arrays that contradict each other: compiled loops would read beyond them.

    scipy looks at the pointers' ends alone when a matrix is made, and at nothing when its arrays
    are changed afterwards.
    """
    try:
        if X.format == "coo":
            pairs = zip(X.coords, X.shape, strict=True)
            if any(len(c) and not 0 <= c.min() <= c.max() < size for c, size in pairs):
                raise ValueError(f"coordinates leave the shape {X.shape}")
        elif X.format in ("csr", "csc", "bsr"):
            arrays = X.data, X.indices, X.indptr  # of another matrix: a check may renew its own
            type(X)(arrays, shape=X.shape).check_format(full_check=True)
    except (ValueError, IndexError) as error:
        raise ValueError(f"{name} is a broken sparse matrix: {error}; build it anew") from error


def _position(view: sp.csr_matrix, entry: int) -> tuple[int, int]:
    """Return row and column of the ``entry``-th stored value."""
    row = int(np.searchsorted(view.indptr, entry, side="right") - 1)
    return row, int(view.indices[entry])
