"""What a view file holds, as a tidy table: sizes, classes, sparsity, a sanity score."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from reproduction.data.entry import Dataset
from reproduction.data.format import MultiViewData
from reproduction.data.registry import published_statistics
from reproduction.data.sanity import sanity_scores

COLUMNS = ["data_set", "view", "statistic", "item", "value"]
#: Quantiles of the number of non-zeros in a row, for the picture of sparsity.
QUANTILES = {
    "min": 0.0, "q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95, "max": 1.0,
}  # fmt: skip


def published_frame(datasets: Iterable[Dataset]) -> pd.DataFrame:
    """Return what papers print about data sets: data_set, statistic, value, where."""
    records = [
        (dataset.key, *record) for dataset in datasets for record in published_statistics(dataset)
    ]
    return pd.DataFrame.from_records(records, columns=["data_set", "statistic", "value", "where"])


def describe(data: MultiViewData) -> pd.DataFrame:
    """Return the statistics of one data set.

    Columns: ``data_set`` (key of the view file), ``view`` (empty for facts about all),
    ``statistic``, ``item`` (class name, quantile, ...), ``value``. Statistics: ``documents``,
    ``classes``, ``unlabelled``, ``test_documents``, ``class_size``, ``labels_in_ontology``; of a
    view ``features``, ``used_features``, ``nonzeros``, ``density``, ``empty_rows``,
    ``row_nonzeros`` (quantiles), ``smallest`` and ``largest`` value, ``half_retrieval`` (Corel5K's
    vocabularies); ``accuracy`` and ``macro_f1`` of the sanity classifier.
    """
    records: list[tuple[str, str, str, str, float]] = []

    def add(statistic: str, value: float, view: str = "", item: str = "") -> None:
        records.append((data.name, view, statistic, item, float(value)))

    add("documents", data.n_rows)
    add("classes", len(data.class_names))
    add("unlabelled", int((data.labels < 0).sum()))
    if "is_test" in data.rows:
        add("test_documents", int(np.sum(data.rows["is_test"])))
    if data.ontology is not None:
        add("labels_in_ontology", len(data.ontology))
    sizes = np.bincount(data.labels[data.labels >= 0], minlength=len(data.class_names))
    for name, size in zip(data.class_names, sizes, strict=True):
        add("class_size", int(size), item=name)
    for name, view in data.views.items():
        per_row = np.diff(view.indptr)
        add("features", view.shape[1], name)
        add("used_features", len(np.unique(view.indices)), name)
        add("nonzeros", view.nnz, name)
        add("density", view.nnz / max(view.shape[0] * view.shape[1], 1), name)
        add("empty_rows", int((per_row == 0).sum()), name)
        add("smallest", view.data.min() if view.nnz else 0.0, name)
        add("largest", view.data.max() if view.nnz else 0.0, name)
        for item, at in QUANTILES.items():
            add("row_nonzeros", np.quantile(per_row, at), name, item)
    # Corel5K says how well each of its vocabularies did without labels.
    for name, value in data.provenance.get("sift", {}).get("half_retrieval", {}).items():
        add("half_retrieval", value, name)
    for name, scores in sanity_scores(data).items():
        for statistic, value in scores.items():
            add(statistic, round(value, 6), name)
    return pd.DataFrame.from_records(records, columns=COLUMNS)


def summarise_views(path: str | Path) -> pd.DataFrame:
    """Return :func:`describe` of a view file."""
    return describe(MultiViewData.load(path))
