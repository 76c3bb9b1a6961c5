"""What a view file holds, as a tidy table: sizes, classes, sparsity, a sanity score.

The sanity score is a plain classifier on every view, to see that labels and rows belong together.
It is no paper's method: least squares with a ridge on normalised rows, one split. A view whose
score is at the level of the majority class is either uninformative or wrongly joined.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.kernel_ridge import KernelRidge
from sklearn.preprocessing import scale
from threadpoolctl import threadpool_limits

from manyviews.metrics import accuracy, macro_f1
from manyviews.preprocessing.sparse import row_normalise
from manyviews.seeding import generator
from reproduction.data.entry import Dataset
from reproduction.data.format import MultiViewData
from reproduction.data.registry import published_statistics

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
    scaled = scale(view.toarray())
    return np.asarray(scaled @ scaled.T / scaled.shape[1])


def sanity_scores(data: MultiViewData) -> dict[str, dict[str, float]]:
    """Score every view, all distinct views side by side, and the majority class.

    Return view name (or ``concatenated``, ``majority``) to held-out ``accuracy`` and ``macro_f1``;
    empty where no two classes have labels.
    """
    train, test = split_rows(data)
    rows, n = np.concatenate([train, test]), len(train)
    labels = data.labels[rows]
    classes = np.unique(labels[:n])
    if len(classes) < 2 or not len(test):
        return {}  # nothing to tell apart: unlabelled, or one class
    targets = np.where(labels[:n, None] == classes, 1.0, -1.0)
    predicted: dict[str, np.ndarray] = {}

    with threadpool_limits(1):
        kernels = {name: similarity(view[rows]) for name, view in data.views.items()}
        # Views side by side have the sum of the views' inner products; a repeated view counts once.
        distinct = {kernel.tobytes(): kernel for kernel in kernels.values()}
        kernels["concatenated"] = np.sum(list(distinct.values()), axis=0)
        for name, kernel in kernels.items():
            ridge = KernelRidge(alpha=RIDGE, kernel="precomputed")
            ridge.fit(kernel[:n, :n] + 1.0, targets)  # adding one gives every class an intercept
            predicted[name] = classes[ridge.predict(kernel[n:, :n] + 1.0).argmax(axis=1)]
    predicted["majority"] = np.full(len(test), np.bincount(labels[:n]).argmax())
    measures = {"accuracy": accuracy, "macro_f1": macro_f1}
    return {
        name: {measure: score(labels[n:], found) for measure, score in measures.items()}
        for name, found in predicted.items()
    }


def published_frame(datasets: Iterable[Dataset]) -> pd.DataFrame:
    """Return what papers print about data sets: data_set, statistic, value, where."""
    records = [
        (dataset.key, *record) for dataset in datasets for record in published_statistics(dataset)
    ]
    return pd.DataFrame.from_records(records, columns=["data_set", "statistic", "value", "where"])


def describe(data: MultiViewData) -> pd.DataFrame:
    """Return the statistics of one data set; ``view`` is empty for facts about all of it."""
    records: list[tuple[str, str, str, str, float]] = []

    def add(statistic: str, value: float, view: str = "", item: str = "") -> None:
        records.append((data.name, view, statistic, item, float(value)))

    add("documents", data.n_rows)
    add("classes", len(data.class_names))
    if "is_test" in data.rows:
        add("test_documents", int(np.sum(data.rows["is_test"])))
    sizes = np.bincount(data.labels[data.labels >= 0], minlength=len(data.class_names))
    for name, size in zip(data.class_names, sizes, strict=True):
        add("class_size", int(size), item=name)
    for name, view in data.views.items():
        per_row = np.diff(view.indptr)
        add("features", view.shape[1], name)
        add("nonzeros", view.nnz, name)
        add("density", view.nnz / max(view.shape[0] * view.shape[1], 1), name)
        add("empty_rows", int((per_row == 0).sum()), name)
        add("row_nonzeros", np.median(per_row), name, "median")
    for name, scores in sanity_scores(data).items():
        for statistic, value in scores.items():
            add(statistic, round(value, 6), name)
    columns = ["data_set", "view", "statistic", "item", "value"]
    return pd.DataFrame.from_records(records, columns=columns)
