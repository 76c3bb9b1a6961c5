"""Canonical correlations of two views beside scikit-learn and cca-zoo: time of one fit."""

from collections.abc import Iterator

import numpy as np
from sklearn.cross_decomposition import CCA as NipalsCCA  # noqa: N811

from manyviews.baselines.cca import CCA
from speed.measure import Comparison, Entry, runs, take_turns

PART = "Correlations"


def _correlation(pair: list[np.ndarray]) -> float:
    """Sum of the correlations of paired columns."""
    one, two = (z - z.mean(axis=0) for z in pair)
    lengths = np.linalg.norm(one, axis=0) * np.linalg.norm(two, axis=0)
    return float(np.abs((one * two).sum(axis=0) / lengths).sum())


def compare(quick: bool, peers: set[str]) -> Iterator[Comparison]:
    n, f, k = (300, 20, 3) if quick else (4000, 200, 10)
    rng = np.random.default_rng(3)
    shared = rng.normal(size=(n, k))
    Xs = [shared @ rng.normal(size=(k, f)) + 3 * rng.normal(size=(n, f)) for _ in range(2)]
    tasks = {
        "CCA": lambda: CCA(k, reg=0.0).fit(Xs).project(Xs),
        "scikit-learn CCA (NIPALS)": lambda: NipalsCCA(k, max_iter=5000).fit_transform(*Xs),
    }
    if "cca_zoo.linear" in peers:
        from cca_zoo.linear import CCA as ZooCCA  # noqa: N811

        def zoo() -> list[np.ndarray]:
            return ZooCCA(k).fit(Xs).transform(Xs)

        if runs("cca-zoo", zoo):
            tasks["cca-zoo CCA"] = zoo
    found = take_turns(tasks, 3)
    reached = {name: _correlation(task()) for name, task in tasks.items()}
    entries = [
        Entry(
            name, found[name], f"{value:.6f}",
            "" if name == "CCA" else f"sum of correlations {value - reached['CCA']:+.0e}",
        )
        for name, value in reached.items()
    ]  # fmt: skip
    yield Comparison(
        PART, f"CCA, {n:,} rows, two views of {f} columns, {k} directions: one fit", entries
    )
