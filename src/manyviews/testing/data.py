"""Small random problems on which every estimator can work, and input that it must refuse."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.views import Views

__all__ = ["Case", "malformed_labels", "malformed_views", "random_case"]
#: Stands for "every row is labelled".
UNMARKED = "every row is labelled"


@dataclass(frozen=True)
class Case:
    """Dense views whose rows sum to one, class numbers, and which rows are labelled."""

    matrices: list[np.ndarray]
    classes: np.ndarray
    labelled: np.ndarray

    @property
    def views(self) -> Views:
        """The views with names."""
        return Views(self.matrices, names=[f"part{v}" for v in range(len(self.matrices))])

    def labels(self, names: Any, marker: Any) -> np.ndarray:
        """Return the labels as ``names``; unlabelled rows hold ``marker``."""
        labels = np.asarray(names)[self.classes]
        if marker != UNMARKED:
            labels = labels.astype(object)
            labels[~self.labelled] = marker
        return labels


def random_case(
    rng: np.random.Generator, *, n_views: int = 2, n_classes: int = 3, n_rows: int = 36
) -> Case:
    """Draw a problem of that size whose classes can be told apart in every view."""
    classes = rng.permutation(np.arange(n_rows) % n_classes)
    matrices = []
    for v in range(n_views):
        width = 3 * n_classes + v
        profile = np.full((n_classes, width), 0.3)
        for c in range(n_classes):
            profile[c, c::n_classes] = 5.0
        profile /= profile.sum(axis=1, keepdims=True)
        counts = np.stack([rng.multinomial(40, profile[c]) for c in classes]) + 0.0
        matrices.append(counts / counts.sum(axis=1, keepdims=True))
    labelled = rng.random(n_rows) < 0.5
    for c in range(n_classes):  # co-training and naive Bayes need some of every class
        labelled[np.flatnonzero(classes == c)[:3]] = True
    return Case(matrices, classes, labelled)


def malformed_views(case: Case) -> dict[str, Any]:
    """Return a name and views that are wrong in one way, the second view where it has a choice."""
    first, X = case.matrices[0], case.matrices[1]

    def changed(value: float) -> np.ndarray:
        Y = X.copy()
        Y[1, 2] = value
        return Y

    second = {
        "NaN": changed(np.nan),
        "infinity": changed(np.inf),
        "minus infinity": changed(-np.inf),
        "all NaN": np.full_like(X, np.nan),
        "sparse NaN": sp.csr_matrix(changed(np.nan)),
        "text": X.astype(str),
        "objects": np.full(X.shape, "x", dtype=object),
        "complex": X + 1j,
        "sparse complex": sp.csr_matrix(X + 1j),
        "dates": np.full(X.shape, np.datetime64("2020-01-01")),
        "masked": np.ma.masked_array(X, X > 0),
        "one dimension": X[:, 0],
        "three dimensions": X[:, :, None],
        "a number": 3.0,
        "nothing": None,
        "a name": "words",
        "no columns": X[:, :0],
        "fewer rows": X[:-1],
        "more rows": np.vstack([X, X[:1]]),
        "ragged": [[1.0, 2.0], [3.0]],
        **_broken(X),
    }
    return {name: [first, Y, *case.matrices[2:]] for name, Y in second.items()} | {
        "no rows": [Y[:0] for Y in case.matrices],
        "no views": [],
        "one matrix": first,
        "one sparse matrix": sp.csr_matrix(first),
        "views as a number": 7,
        "views as text": "views",
        "views as a set": {1, 2},
        "no views at all": None,
    }


def _broken(X: np.ndarray) -> dict[str, Any]:
    """Return sparse matrices whose arrays contradict each other."""
    stored, width = np.count_nonzero(X), X.shape[1]
    found: dict[str, Any] = {}
    for name, array, place, value in (
        ("sparse index too large", "indices", 0, width + 5),
        ("sparse index negative", "indices", 0, -4),
        ("sparse pointers fall", "indptr", 2, stored),
        ("sparse pointers too far", "indptr", -1, stored + 999),
        ("sparse pointers start late", "indptr", 0, 1),
    ):
        found[name] = sp.csr_matrix(X)
        getattr(found[name], array)[place] = value
    found["sparse coordinates outside"] = sp.coo_matrix(X)
    found["sparse coordinates outside"].coords[1][0] = width
    return found


def malformed_labels(case: Case) -> dict[str, Any]:
    """Return a name and labels that are wrong in one way."""
    y = case.classes
    n = len(y)
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
        "names and numbers": np.array(["name", *y[1:]], dtype=object),
        "tuples": tuples,
        "a number": 3,
        "text": "labels",
        "left out": None,
    }
