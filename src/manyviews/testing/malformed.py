"""Input that an estimator must refuse with a ValueError, each kind with its name."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.testing.data import Case

__all__ = ["malformed_labels", "malformed_views"]


def malformed_views(case: Case) -> dict[str, Any]:
    """Return a name and views that are wrong in one way, the second view where it has a choice."""
    first, X = case.matrices[0], case.matrices[1]
    rest = case.matrices[2:]

    def with_second(Y: Any) -> list[Any]:
        return [first, Y, *rest]

    def changed(row: int, column: int, value: Any) -> np.ndarray:
        Y = X.copy()
        Y[row, column] = value
        return Y

    kinds = {
        "NaN": with_second(changed(1, 2, np.nan)),
        "infinity": with_second(changed(1, 2, np.inf)),
        "minus infinity": with_second(changed(1, 2, -np.inf)),
        "all NaN": with_second(np.full_like(X, np.nan)),
        "sparse NaN": with_second(sp.csr_matrix(changed(1, 2, np.nan))),
        "text": with_second(X.astype(str)),
        "objects": with_second(np.full(X.shape, "x", dtype=object)),
        "complex": with_second(X + 1j),
        "sparse complex": with_second(sp.csr_matrix(X + 1j)),
        "dates": with_second(np.full(X.shape, np.datetime64("2020-01-01"))),
        "masked": with_second(np.ma.masked_array(X, X > 0)),
        "one dimension": with_second(X[:, 0]),
        "three dimensions": with_second(X[:, :, None]),
        "a number": with_second(3.0),
        "nothing": with_second(None),
        "a name": with_second("words"),
        "no columns": with_second(X[:, :0]),
        "fewer rows": with_second(X[:-1]),
        "more rows": with_second(np.vstack([X, X[:1]])),
        "no rows": [Y[:0] for Y in case.matrices],
        "no views": [],
        "one matrix": first,
        "one sparse matrix": sp.csr_matrix(first),
        "views as a number": 7,
        "views as text": "views",
        "views as a set": {1, 2},
        "no views at all": None,
        "ragged": with_second([[1.0, 2.0], [3.0]]),
    }
    return kinds | {name: with_second(Y) for name, Y in _broken(X).items()}


def _broken(X: np.ndarray) -> dict[str, Any]:
    """Return sparse matrices whose arrays contradict each other."""
    found = {}
    for name, spoil in {
        "sparse index too large": lambda Y: Y.indices.__setitem__(0, Y.shape[1] + 5),
        "sparse index negative": lambda Y: Y.indices.__setitem__(0, -4),
        "sparse pointers fall": lambda Y: Y.indptr.__setitem__(2, Y.indptr[-1]),
        "sparse pointers too far": lambda Y: Y.indptr.__setitem__(-1, Y.indptr[-1] + 999),
        "sparse pointers start late": lambda Y: Y.indptr.__setitem__(0, 1),
    }.items():
        Y = sp.csr_matrix(X)
        spoil(Y)
        found[name] = Y
    Y = sp.coo_matrix(X)
    Y.coords[1][0] = X.shape[1]
    found["sparse coordinates outside"] = Y
    return found


def malformed_labels(case: Case) -> dict[str, Any]:
    """Return a name and labels that are wrong in one way."""
    y = case.classes
    n = len(y)
    mixed = y.astype(object)
    mixed[0] = "name"
    tuples = np.empty(n, dtype=object)
    tuples[:] = [(c,) for c in y]
    return {
        "too few": y[:-1],
        "too many": np.append(y, 0),
        "none at all": np.full(n, None, dtype=object),
        "all NaN": np.full(n, np.nan),
        "one class": np.zeros(n, dtype=int),
        "one class and unlabelled": np.where(np.arange(n) % 2, 7, -1),
        "a matrix": np.stack([y, y], axis=1),
        "infinity": np.where(np.arange(n) == 2, np.inf, y),
        "complex": y + 1j,
        "dates": np.full(n, np.datetime64("2020-01-01")),
        "names and numbers": mixed,
        "tuples": tuples,
        "a number": 3,
        "text": "labels",
        "left out": None,
    }
