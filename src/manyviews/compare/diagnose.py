"""What the views are like: size, strength, agreement, redundancy."""

from itertools import combinations
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import TruncatedSVD
from sklearn.metrics import silhouette_score

from manyviews.compare.method import facts_of
from manyviews.compare.prepare import dense, weighted
from manyviews.compare.reading.own import OwnData
from manyviews.seeding import generator

#: Rows that pairwise measures look at.
SAMPLE = 800
#: Directions a wide view is reduced to.
RANK = 50


def prepared_views(data: OwnData) -> list[np.ndarray]:
    """Return every view weighted, reduced to 50 columns if it is wider, and dense."""
    facts = facts_of(data, max(2, len(data.classes)))
    views = weighted(facts).fit(data.views).transform(data.views)
    return [
        TruncatedSVD(RANK, random_state=0).fit_transform(X) if min(X.shape) > RANK + 1 else dense(X)
        for X in views.matrices
    ]


def silhouette(table: np.ndarray, labels: np.ndarray) -> float:
    """Mean silhouette of at most 800 rows; -1 where there is one cluster only."""
    rows = np.arange(len(table))
    if len(rows) > SAMPLE:
        rows = np.sort(generator("compare", "silhouette").permutation(len(rows))[:SAMPLE])
    groups = np.unique(labels[rows]).size
    if groups < 2 or groups >= len(rows):
        return -1.0
    return float(silhouette_score(table[rows], labels[rows]))


def alignment(A: np.ndarray, B: np.ndarray) -> float:
    """Linear centred kernel alignment of two tables: 1 where they say the same, 0 nothing."""
    A, B = A - A.mean(axis=0), B - B.mean(axis=0)
    cross = np.linalg.norm(A.T @ B) ** 2
    own = np.linalg.norm(A.T @ A) * np.linalg.norm(B.T @ B)
    return float(cross / own) if own > 0 else 0.0


def view_table(data: OwnData) -> list[dict[str, Any]]:
    """Return one record a view: kind, columns, share of filled cells, rows that have it."""
    observed = data.views.observed.mean(axis=0)
    return [
        {"view": name, "kind": "links" if graph else kind, "columns": X.shape[1],
         "filled": float((X.nnz if sp.issparse(X) else np.count_nonzero(X))
                         / max(1, np.prod(X.shape))), "rows": float(here)}
        for name, X, kind, graph, here in zip(data.views.names, data.views.matrices, data.kinds,
                                              data.graphs, observed, strict=True)
    ]  # fmt: skip


def redundancy(data: OwnData) -> dict[str, float]:
    """Return the alignment of every pair of views, by their names, on rows that have both."""
    tables, names, found = prepared_views(data), data.views.names, {}
    for a, b in combinations(range(len(tables)), 2):
        both = np.flatnonzero(data.views.observed[:, [a, b]].all(axis=1))
        if both.size > SAMPLE:
            both = np.sort(generator("compare", "pairs").permutation(both)[:SAMPLE])
        value = alignment(tables[a][both], tables[b][both]) if both.size > 2 else 0.0
        found[f"{names[a]} and {names[b]}"] = value
    return found


def diagnostics(data: OwnData) -> dict[str, float]:
    """Return what describes the data in numbers, the same for every data set."""
    codes = data.codes[data.codes >= 0]
    sizes = np.bincount(codes) / codes.size if codes.size else np.array([1.0])
    sizes = sizes[sizes > 0]
    pairs = list(redundancy(data).values()) if len(data.kinds) > 1 else [1.0]
    facts = view_table(data)
    return {
        "log_rows": float(np.log10(len(data))),
        "views": float(len(facts)),
        "log_columns": float(np.log10(sum(f["columns"] for f in facts))),
        "filled": float(np.mean([f["filled"] for f in facts])),
        "words": float(np.mean([kind in ("text", "counts") for kind in data.kinds])),
        "links": float(any(data.graphs)),
        "classes": float(len(sizes)),
        "imbalance": float(1 - np.exp(-(sizes * np.log(sizes)).sum()) / len(sizes)),
        "labelled": float((data.codes >= 0).mean()),
        "alignment": float(np.mean(pairs)),
    }
