"""What a fault of a file does to clustering: ``python benchmarks/data_faults.py FILE [FILE]``.

Prints what the audit finds, then accuracy and adjusted Rand index of four methods on all views and
on the first alone, means of three seeds, for the tables in docs/guide/data-faults.md. A FILE may be
one that the workflow built (data/views/reuters.npz). Rows that lack a view get the mean of their
class in it, as the circulated file of leaves has it.
"""

import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler, normalize

from manyviews.baselines import AMGL, CoRegularisedSpectral, MeanGraphSpectral
from manyviews.compare.audit import audit
from manyviews.compare.prepare import dense
from manyviews.compare.reading.own import OwnData, read_own
from manyviews.metrics import clustering_accuracy
from reproduction.compare.plan import Entry
from reproduction.compare.run import from_views
from reproduction.data.format import MultiViewData

METHODS: dict[str, Any] = {
    "k-means on the concatenation": lambda k, **s: KMeans(k, n_init=1, **s),
    "co-regularised spectral clustering": CoRegularisedSpectral,
    "spectral clustering of the mean graph": MeanGraphSpectral,
    "auto-weighted multiple graphs": AMGL,
}


def tables_of(data: OwnData) -> list[np.ndarray]:
    """Return the views without holes: words as rows of unit length, numbers as standard scores."""
    tables = []
    for v, X in enumerate(data.views.matrices):
        table, here = np.array(dense(X), dtype=float), data.views.observed[:, v]
        for row in np.flatnonzero(~here):
            table[row] = table[here & (data.codes == data.codes[row])].mean(axis=0)
        words = np.count_nonzero(table) < table.size / 2
        tables.append(normalize(table) if words else StandardScaler().fit_transform(table))
    return tables


def read(path: Path) -> OwnData:
    """Read a file, or views that the workflow built."""
    if path.parent.name != "views":
        return read_own(path)
    return from_views(MultiViewData.load(path), Entry(paper="any", dataset=path.stem))


def main(paths: list[str]) -> None:
    for path in paths:
        data = read(Path(path))
        print(data.name, *audit(data), sep="\n  ", flush=True)
        tables, k = tables_of(data), len(data.classes)
        for (name, make), views in product(METHODS.items(), (tables, tables[:1])):
            rows = np.hstack(views) if name.startswith("k-means") else views
            found = [make(k, random_state=seed).fit(rows).labels_ for seed in range(3)]
            scores = [
                (clustering_accuracy(data.codes, one), adjusted_rand_score(data.codes, one))
                for one in found
            ]
            accuracy, rand = np.mean(scores, axis=0)
            said = f"{data.name}, {len(views)} views: {name}"
            print(f"{said}: accuracy {accuracy:.3f}, ARI {rand:.3f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
