"""What a fault of a file does to clustering: ``python benchmarks/data_faults.py FILE [FILE]``.

Prints accuracy and adjusted Rand index of four methods, means of three seeds, for the table in
docs/guide/data-faults.md. Rows that lack a view get the mean of their class in it, as the
circulated file of leaves has it.
"""

import sys

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

from manyviews.baselines import AMGL, CoRegularisedSpectral, MeanGraphSpectral
from manyviews.compare.reading.own import read_own
from manyviews.metrics import clustering_accuracy


def main(paths: list[str]) -> None:
    for path in paths:
        data = read_own(path)
        tables = [np.array(X, dtype=float) for X in data.views.matrices]
        for v, table in enumerate(tables):
            here = data.views.observed[:, v]
            for row in np.flatnonzero(~here):
                table[row] = table[here & (data.codes == data.codes[row])].mean(axis=0)
        scaled = [StandardScaler().fit_transform(table) for table in tables]
        k = len(data.classes)
        methods = {
            "k-means on the concatenation": lambda k, **s: KMeans(k, n_init=1, **s),
            "co-regularised spectral clustering": CoRegularisedSpectral,
            "spectral clustering of the mean graph": MeanGraphSpectral,
            "auto-weighted multiple graphs": AMGL,
        }
        for name, make in methods.items():
            rows = np.hstack(scaled) if name.startswith("k-means") else tables
            found = [make(k, random_state=seed).fit(rows).labels_ for seed in range(3)]
            scores = [
                (clustering_accuracy(data.codes, one), adjusted_rand_score(data.codes, one))
                for one in found
            ]
            accuracy, rand = np.mean(scores, axis=0)
            print(f"{data.name}: {name}: accuracy {accuracy:.3f}, ARI {rand:.3f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
