"""A plain classifier on every view, to see that labels and rows belong together.

No paper's method: least squares with a ridge on normalised rows, one split. A view whose score is
at the level of the majority class is either uninformative or wrongly joined.
"""

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from manyviews.metrics import accuracy, macro_f1
from manyviews.preprocessing.sparse import row_normalise
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData

#: More rows or non-zeros than this are not needed to see whether a view says anything.
MAX_ROWS = 1500
MAX_NONZEROS = 2_000_000
TEST_SHARE = 0.3
#: A view with more of its cells filled is dense: columns are scaled, not rows.
DENSE = 0.5
RIDGE = 0.1


def split_rows(data: MultiViewData) -> tuple[np.ndarray, np.ndarray]:
    """Return training and test rows: the data set's own split, else 70 : 30 within each class.

    Rows without label are left out; of large sets a random part is taken.
    """
    labelled = np.flatnonzero(data.labels >= 0)
    per_row = sum(view.nnz for view in data.views.values()) / max(data.n_rows, 1)
    limit = min(MAX_ROWS, max(300, int(MAX_NONZEROS / max(per_row, 1.0))))
    order = generator("datasets", "sanity", data.name).permutation(labelled)[:limit]
    if "is_test" in data.rows:
        test = np.asarray(data.rows["is_test"][order], dtype=bool)
    else:
        test = np.zeros(len(order), dtype=bool)
        for label in np.unique(data.labels[order]):
            own = np.flatnonzero(data.labels[order] == label)
            # Small classes give at least one row to either side, if they have two.
            test[own[: max(int(TEST_SHARE * len(own)), min(1, len(own) - 1))]] = True
    return np.sort(order[~test]), np.sort(order[test])


def similarity(view: sp.csr_matrix) -> np.ndarray:
    """Return the inner products of the rows of a view brought to a common scale.

    Sparse views: rows of unit length. Dense views: columns of mean zero and unit deviation.
    """
    if view.nnz <= DENSE * view.shape[0] * view.shape[1]:
        unit = row_normalise(view)
        return np.asarray((unit @ unit.T).toarray())
    dense = view.toarray()
    deviation = dense.std(axis=0)
    deviation[deviation == 0] = 1.0
    scaled = (dense - dense.mean(axis=0)) / deviation
    return np.asarray(scaled @ scaled.T / dense.shape[1])


def _score(kernel: np.ndarray, labels: np.ndarray, n_train: int) -> dict[str, float]:
    """Fit ``(K + r I)^-1 Y`` on the first rows, with Y one column of +-1 per class; score the rest.

    Adding one to K gives every class an intercept.
    """
    classes = np.unique(labels[:n_train])
    targets = np.where(labels[:n_train, None] == classes, 1.0, -1.0)
    system = kernel[:n_train, :n_train] + 1.0 + RIDGE * np.eye(n_train)
    weights = scipy.linalg.solve(system, targets, assume_a="pos")
    predicted = classes[((kernel[n_train:, :n_train] + 1.0) @ weights).argmax(axis=1)]
    return _measures(labels[n_train:], predicted)


def _measures(labels: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    return {"accuracy": accuracy(labels, predicted), "macro_f1": macro_f1(labels, predicted)}


def _same(view: sp.csr_matrix, other: sp.csr_matrix) -> bool:
    parts = ("indptr", "indices", "data")
    return view.shape == other.shape and all(
        np.array_equal(getattr(view, part), getattr(other, part)) for part in parts
    )


def sanity_scores(data: MultiViewData) -> dict[str, dict[str, float]]:
    """Score every view, all distinct views side by side, and the majority class.

    Returns
    -------
    dict
        View name (or ``concatenated``, ``majority``) to held-out ``accuracy`` and ``macro_f1``;
        empty where no two classes have labels.
    """
    train, test = split_rows(data)
    rows = np.concatenate([train, test])
    labels = data.labels[rows]
    if len(np.unique(labels[: len(train)])) < 2 or not len(test):
        return {}  # nothing to tell apart: unlabelled, or one class
    scores: dict[str, dict[str, float]] = {}
    # Views side by side have the sum of the views' inner products; a repeated view counts once.
    together = np.zeros((len(rows), len(rows)))
    seen: list[sp.csr_matrix] = []
    with threadpool_limits(1):
        for name, view in data.views.items():
            kernel = similarity(view[rows])
            scores[name] = _score(kernel, labels, len(train))
            if not any(_same(view, other) for other in seen):
                together += kernel
                seen.append(view)
        scores["concatenated"] = _score(together, labels, len(train))
    largest = np.bincount(labels[: len(train)]).argmax()
    scores["majority"] = _measures(labels[len(train) :], np.full(len(test), largest))
    return scores
