"""Two declared searches: PCoSC's NMI, and a construction under which SIFT is the best view.

The readings here were written down before any of them was run; all of them are shown. What print
does not say about co-regularised spectral clustering is its graph, the scale of its input and the
view that is read; the same readings run on both data sets of Table 1 that are real.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from manyviews.baselines.coreg_spectral import CoRegularisedSpectral
from reproduction.papers.coplsa_clustering.columns import TABLE_1
from reproduction.papers.coplsa_clustering.protocol import (
    SCALES,
    Task,
    load_data,
    make_task,
    measured,
    scores,
)
from reproduction.papers.coplsa_clustering.settings import Scale
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row
from reproduction.results.search import search_reading, search_table

SPECTRAL, SIFT = "pcosc_nmi", "sift_best"
TABLE = search_table(TABLE_1)

#: Graphs of PCoSC: the scale of the input and the neighbours kept.
GRAPHS: tuple[tuple[Scale, int], ...] = (("raw", 10), ("raw", 50), ("sqrt", 10), ("sqrt", 50))
#: What is clustered: the best view's embedding, the other's, both side by side.
READ = ("best view", "other view", "both views")
#: Constructions of SIFT words and scales of k-means.
CONSTRUCTIONS = ("sift_dense", "sift_multi", "sift_dog", "sift_opponent")
SIFT_SCALES: tuple[Scale, ...] = ("raw", "l1", "l2", "sqrt", "binary")
#: What SIFT is compared with: colour on the same scale.
COLOUR = "rgb"
ON_COLOUR = "K-means on colour"


def spectral_names() -> Iterator[tuple[Scale, int, str, str]]:
    """Yield every reading of PCoSC: scale, neighbours, what is read, name."""
    for (scale, nearest), read in product(GRAPHS, READ):
        rows = "square roots" if scale == "sqrt" else "as distributed"
        yield scale, nearest, read, f"{rows}, {nearest} neighbours, {read}"


def sift_name(construction: str, scale: Scale) -> str:
    """Return the name of one reading of k-means on SIFT words."""
    return f"{construction}, {scale}"


def _embedded(task: Task, model: CoRegularisedSpectral, read: str) -> np.ndarray:
    one = model.embeddings_[task.best]
    other = model.embeddings_[1 - task.best]
    return {"best view": one, "other view": other, "both views": np.hstack([one, other])}[read]


def run_spectral(context: Context) -> Result:
    """Run every reading of PCoSC's graph."""
    task = make_task(context)
    chosen = task.settings.spectral
    rows: list[Row] = []
    models: dict[tuple[str, int], CoRegularisedSpectral] = {}
    for scale, nearest, read, name in context.progress(list(spectral_names()), "PCoSC search"):
        if (scale, nearest) not in models:
            models[scale, nearest] = CoRegularisedSpectral(
                task.n_clusters, lam=chosen.lambda_, max_iter=chosen.rounds,
                n_neighbors=min(nearest, task.y.size - 1),
            ).embed(task.scaled(scale).Xs[:2])  # fmt: skip
        matrix = _embedded(task, models[scale, nearest], read)
        for run in range(task.own.scale_runs):
            found = scores(task.y, task.kmeans(matrix, "pcosc", run))
            rows += measured(
                TABLE, "PCoSC", run, found, reading=search_reading(SPECTRAL, name), role="ours"
            )
    return Result(rows, {"graphs": len(models)})


def run_sift(context: Context) -> Result:
    """Cluster every construction of SIFT words on every scale, and colour beside them."""
    task = make_task(context)
    views = load_data(context).views
    rows: list[Row] = []
    for scale in context.progress(SIFT_SCALES, "SIFT search"):
        for run in range(task.own.scale_runs):
            colour = scores(
                task.y, task.kmeans(SCALES[scale](views[COLOUR]), "kmeans", COLOUR, run)
            )
            for construction in CONSTRUCTIONS:
                X = SCALES[scale](views[construction])
                found = scores(task.y, task.kmeans(X, "kmeans", construction, run))
                reading = search_reading(SIFT, sift_name(construction, scale))
                for method, values in (("K-means + BOVF", found), (ON_COLOUR, colour)):
                    rows += measured(TABLE, method, run, values, reading=reading, role="ours")
    return Result(rows, {"readings": len(CONSTRUCTIONS) * len(SIFT_SCALES)})


def run_photographs(context: Context) -> Result:
    """Run both searches."""
    both = run_spectral(context), run_sift(context)
    return Result([row for result in both for row in result.rows])
