"""The paper's own rivals: k-means, PLSA, vote-based PLSA, CCA and co-regularised spectral."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from manyviews import seeding
from manyviews.baselines.cca_kmeans import CCAKMeans
from manyviews.baselines.coreg_spectral import CoRegularisedSpectral
from manyviews.baselines.view_selection import information_per_word
from manyviews.baselines.vote_plsa import VotePLSA
from manyviews.metrics import clustering_accuracy
from manyviews.preprocessing.sparse import hstack_csr
from reproduction.papers.coplsa_clustering.columns import INFERRED, PAPER, RULES, TABLE_1
from reproduction.papers.coplsa_clustering.protocol import (
    Task,
    make_task,
    measured,
    merge,
    read_choice,
    scores,
    view_rows,
)
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import Result, Row

_LIKELIHOOD_RUNS = 2
#: PCoSC with the weight and rounds of the example in its authors' released code.
RELEASED = "released example"
#: Other readings of PCoSC, for each data set.
_GRAPHS = {
    "reuters": ("square-root scale", "neighbour graph", "cosine affinity", RELEASED),
    "digits": ("square-root scale", "neighbour graph"),
    "corel5k": ("square-root scale", RELEASED),
    "nus_wide": (),
}


def run_kmeans(context: Context) -> Result:
    """K-means on every view and on the first two together; which view each rule prefers."""
    task = make_task(context)
    rows: list[Row] = []
    found: dict[int, dict[str, np.ndarray]] = {}
    times: dict[int, dict[str, float]] = {}
    for run in context.progress(range(task.settings.runs), "k-means"):
        labels, seconds = {}, {}
        for name, X in zip(task.names, task.Xs, strict=True):
            with stopwatch() as watch:
                labels[name] = task.kmeans(X, "kmeans", name, run)
            seconds[name] = watch.seconds
            rows += _view_scores(task, name, X, labels[name], run)
        found[run], times[run] = labels, seconds
    told = pd.DataFrame([{"table": row.table, "value": row.value, **row.at} for row in rows])
    task = replace(task, choice=read_choice(told, task.names))
    best = task.names[task.best]
    both = hstack_csr(task.Xs[:2])
    for run, labels in found.items():
        rows += view_rows(task, "K-means + BOVF", run, labels, seconds=times[run][best])
        with stopwatch() as watch:
            joined = scores(task.y, task.kmeans(both, "kmeans", "concatenation", run))
        rows += measured(TABLE_1, "K-means + CTVF", run, joined, seconds=watch.seconds)
        rng = seeding.generator(PAPER, task.dataset, "random labels", run)
        guess = scores(task.y, rng.integers(task.n_clusters, size=task.y.size))
        rows += measured(TABLE_1, "random", run, guess, role="control")
    same = scores(task.y, np.zeros(task.y.size, dtype=int))  # in every run
    rows += measured(TABLE_1, "majority", 0, same, role="control")
    return Result(rows, {"choice": task.choice, "candidates": list(task.names[:2])})


def _view_scores(
    task: Task, name: str, X: sp.csr_matrix, labels: np.ndarray, run: int
) -> list[Row]:
    """Scores by which a view may be chosen: the paper's rule and two that see no labels."""
    values = {
        "accuracy": clustering_accuracy(task.y, labels),
        "silhouette": task.silhouette(X, labels, run),
    }
    if run < _LIKELIHOOD_RUNS:
        plsa = task.plsa(name, X, run).fit(X)
        values["likelihood"] = information_per_word(X, plsa.loglik_[-1])
    methods = dict(zip(RULES, ("K-means", "K-means", "PLSA"), strict=True))
    return [
        Row(
            "choice:best_view", {"rule": rule, "view": name}, methods[rule], "score", value, run=run
        )
        for rule, value in values.items()
    ]


def run_plsa(context: Context) -> Result:
    """PLSA on the first two views, alone and concatenated; vote-based PLSA from the single ones."""
    task = make_task(context)
    rows: list[Row] = []
    agreed = []
    for run in context.progress(range(task.settings.runs), "PLSA"):
        found, voted = _plsa_run(task, run)
        rows += found
        agreed.append(voted)
        rows += measured("extra:diagnostics", "VPLSA", run, {"agreed_pct": 100 * voted})
    return Result(rows, {"votes agree (share)": agreed})


def _plsa_run(task: Task, run: int) -> tuple[list[Row], float]:
    """Rows of one start, and the share of documents on which the votes agree."""
    fits, seconds = {}, {}
    for name, X in zip(task.names[:2], task.Xs[:2], strict=True):
        model = task.plsa(name, X, run)
        with stopwatch() as watch:
            fits[name] = model.fit(X)
        seconds[name] = watch.seconds
    best = task.names[task.best]
    labels = {name: fit.labels_ for name, fit in fits.items()}
    took: dict[str, Any] = {"seconds": seconds[best], "iterations": fits[best].n_iter_}
    rows = view_rows(task, "PLSA + BOVF", run, labels, **took)
    both = hstack_csr(task.Xs[:2])
    joined = task.plsa("concatenation", both, run)
    with stopwatch() as watch:
        joined.fit(both)
    took = {"seconds": watch.seconds, "iterations": joined.n_iter_}
    rows += measured(TABLE_1, "PLSA + CTVF", run, scores(task.y, joined.labels_), **took)
    vote = VotePLSA(task.n_clusters, max_iter=task.own.iterations, tol=task.settings.tolerance)
    with stopwatch() as watch:
        vote.fit(task.Xs[:2], doc_topics=[fit.doc_topic_ for fit in fits.values()])
    took = {"seconds": sum(seconds.values()) + watch.seconds, "iterations": vote.n_iter_}
    rows += measured(TABLE_1, "VPLSA", run, scores(task.y, vote.labels_), **took)
    return rows, float(vote.voted_.mean())


def run_multiview(context: Context) -> Result:
    """CCAMC and PCoSC."""
    return merge(run_ccamc(context), run_pcosc(context))


def run_ccamc(context: Context) -> Result:
    """CCA on the first two views (Reuters first reduced to topics), then k-means."""
    task = make_task(context)
    reduction = task.settings.reduction
    topics = reduction.topics if task.dataset == "reuters" else None
    rows: list[Row] = []
    for run in context.progress(range(task.settings.runs), "CCAMC"):
        model = CCAKMeans(
            task.n_clusters,
            reg=task.settings.cca_ridge,
            n_topics=topics,
            plsa_iter=reduction.iterations,
            n_init=1,  # means are over starts
            random_state=task.seed("ccamc", run),
        )
        with stopwatch() as watch:
            model.fit(task.Xs[:2])
        labels = dict(zip(task.names[:2], model.labels_by_view_, strict=True))
        rows += view_rows(task, "CCAMC", run, labels, seconds=watch.seconds)
        joined = scores(task.y, task.kmeans(np.hstack(model.projections_), "ccamc", run))
        rows += measured(TABLE_1, "CCAMC", run, joined, reading="both projections")
    return Result(rows, {"components": model.projections_[0].shape[1], "topics": topics})


def run_pcosc(context: Context) -> Result:
    """Co-regularised spectral clustering; the embedding is fixed, only k-means is random."""
    task = make_task(context)
    nearest = min(task.settings.neighbours, task.y.size - 1)
    graphs: dict[str, tuple[Task, dict[str, Any]]] = {
        INFERRED: (task, {}),
        "square-root scale": (task.scaled("sqrt"), {}),
        "neighbour graph": (task, {"n_neighbors": nearest}),
        "cosine affinity": (task, {"affinity": "cosine"}),
        RELEASED: (
            task,
            {
                "lam": task.settings.spectral.released_lambda,
                "max_iter": task.settings.spectral.released_rounds,
            },
        ),
    }
    rows: list[Row] = []
    trace = {}
    for reading in (INFERRED, *_GRAPHS[task.dataset]):
        seen, options = graphs[reading]
        found, trace[reading] = _spectral(context, seen, reading, **options)
        rows += found
    return Result(rows, {"objective": trace})


def _spectral(
    context: Context, task: Task, reading: str, **options: Any
) -> tuple[list[Row], list[float]]:
    """Rows of one graph, and the objective round by round."""
    chosen = task.settings.spectral
    given = {"lam": chosen.lambda_, "max_iter": chosen.rounds, **options}
    model = CoRegularisedSpectral(task.n_clusters, **given)
    with stopwatch() as watch:
        model.embed(task.Xs[:2])
    rows: list[Row] = []
    for run in context.progress(range(task.settings.runs), f"PCoSC {reading}"):
        seed = task.seed("pcosc", run)
        if reading == INFERRED:
            labels = {name: model.cluster(v, seed) for v, name in enumerate(task.names[:2])}
            took = {"seconds": watch.seconds} if run == 0 else {}
            rows += view_rows(task, "PCoSC", run, labels, **took)
        else:
            found = scores(task.y, model.cluster(task.best, seed))
            rows += measured(TABLE_1, "PCoSC", run, found, reading=reading)
    return rows, [float(value) for value in model.objective_]
