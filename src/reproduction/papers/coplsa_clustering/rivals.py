"""Multi-view rivals: CCA then k-means, and pairwise co-regularised spectral clustering."""

from typing import Any

import numpy as np

from manyviews.baselines.cca_kmeans import CCAKMeans
from manyviews.baselines.coreg_spectral import CoRegularisedSpectral
from reproduction.papers.coplsa_clustering.protocol import (
    TABLE_1,
    Recorder,
    Task,
    make_task,
    merge,
    recorder,
)
from reproduction.results.jobs import Context, Result, stopwatch


def run_rivals(context: Context) -> Result:
    """CCAMC and PCoSC."""
    return merge(run_ccamc(context), run_pcosc(context))


def run_ccamc(context: Context) -> Result:
    """CCA on the first two views (Reuters first reduced to topics), then k-means."""
    task = make_task(context)
    record = recorder(context, task)
    topics = task.settings["reduction"]["topics"] if task.dataset == "reuters" else None
    for run in context.progress(range(task.settings["runs"]), "CCAMC"):
        model = CCAKMeans(
            task.n_clusters,
            reg=float(task.settings["cca_ridge"]),
            n_topics=topics,
            plsa_iter=task.settings["reduction"]["iterations"],
            random_state=task.seed("ccamc", run),
        )
        with stopwatch() as watch:
            model.fit(task.Xs[:2])
        labels = dict(zip(task.names, model.labels_by_view_, strict=False))
        record.add_views("CCAMC", labels, run, seconds=watch.seconds)
        both = np.hstack(model.projections_)
        joined = task.kmeans(both, "ccamc", run)
        record.add("CCAMC", joined, run, TABLE_1.read("projection=both"))
    return Result(record.rows, {"components": model.projections_[0].shape[1], "topics": topics})


def run_pcosc(context: Context) -> Result:
    """Co-regularised spectral clustering; the embedding is fixed, only k-means is random."""
    task = make_task(context)
    record = recorder(context, task)
    trace = {}
    trace["paper"] = _spectral(context, task, record, "paper")
    if task.dataset != "nus_wide":
        trace["scale=sqrt"] = _spectral(context, task.scaled("sqrt"), record, "scale=sqrt")
    if task.dataset in ("reuters", "digits"):
        nearest = min(int(task.settings["neighbours"]), task.y.size - 1)
        trace["graph=neighbours"] = _spectral(
            context, task, record, "graph=neighbours", n_neighbors=nearest
        )
    if task.dataset == "reuters":
        trace["affinity=cosine"] = _spectral(
            context, task, record, "affinity=cosine", affinity="cosine"
        )
    return Result(record.rows, {"objective": trace})


def _spectral(
    context: Context, task: Task, record: Recorder, reading: str, **options: Any
) -> list[float]:
    model = CoRegularisedSpectral(
        task.n_clusters,
        lam=float(task.settings["spectral"]["lambda"]),
        n_rounds=task.settings["spectral"]["rounds"],
        **options,
    )
    with stopwatch() as watch:
        model.embed(task.Xs[:2])
    seconds = watch.seconds
    best = task.names.index(record.choice["accuracy"])
    for run in context.progress(range(task.settings["runs"]), f"PCoSC {reading}"):
        if reading == "paper":
            labels = {
                name: model.cluster(v, task.seed("pcosc", run))
                for v, name in enumerate(task.names[:2])
            }
            record.add_views("PCoSC", labels, run, seconds=seconds if run == 0 else float("nan"))
        else:
            labels_here = model.cluster(best, task.seed("pcosc", run))
            record.add("PCoSC", labels_here, run, TABLE_1.read(reading))
    return [float(value) for value in model.objective_]
