"""What knows one table only, and what votes on it: k-means, PLSA, vote-based PLSA."""

import numpy as np

from manyviews import seeding
from manyviews.baselines.one_table import PLSAClustering
from manyviews.baselines.view_selection import information_per_word, sampled_silhouette
from manyviews.baselines.vote_plsa import VotePLSA
from manyviews.metrics import clustering_accuracy
from manyviews.preprocessing.sparse import hstack_csr
from reproduction.papers.coplsa_clustering.protocol import (
    CHOICE_RULES,
    PAPER,
    SETTING,
    Recorder,
    Task,
    make_task,
    read_choice,
    recorder,
)
from reproduction.results.jobs import Context, Result, Row, result_frames, stopwatch

_SILHOUETTE_ROWS = 1000
_LIKELIHOOD_RUNS = 2


def run_kmeans(context: Context) -> Result:
    """K-means on every view and on the first two together; which view each rule prefers."""
    task = make_task(context)
    rows: list[Row] = []
    found: list[dict[str, np.ndarray]] = []
    times: list[dict[str, float]] = []
    for run in context.progress(range(task.settings["runs"]), "k-means"):
        labels, seconds = {}, {}
        for name, X in zip(task.names, task.Xs, strict=True):
            with stopwatch() as watch:
                labels[name] = task.kmeans(X, "kmeans", name, run)
            seconds[name] = watch.seconds
            _choice_rows(task, rows, name, X, labels[name], run)
        found.append(labels)
        times.append(seconds)
    choice = _choose(context, task, rows)
    record = Recorder(task, choice, rows)
    both = hstack_csr(task.Xs[:2])
    for run, labels in enumerate(found):
        record.add_views("K-means + BOVF", labels, run, seconds=times[run][choice["accuracy"]])
        with stopwatch() as watch:
            joined = task.kmeans(both, "kmeans", "concatenation", run)
        record.add("K-means + CTVF", joined, run, seconds=watch.seconds)
        rng = seeding.generator(PAPER, task.dataset, "random labels", run)
        guess = rng.integers(task.n_clusters, size=task.y.size)
        record.add("control:random", guess, run)
    record.add("control:majority", np.zeros(task.y.size, dtype=int), 0)
    return Result(record.rows, {"choice": choice, "candidates": list(task.names[:2])})


def _choice_rows(
    task: Task, rows: list[Row], name: str, X: object, labels: np.ndarray, run: int
) -> None:
    """Scores by which a view may be chosen: the paper's rule and two that see no labels."""
    values = {
        "accuracy": clustering_accuracy(task.y, labels),
        "silhouette": sampled_silhouette(X, labels, _SILHOUETTE_ROWS, task.seed("rows", run)),
    }
    if run < _LIKELIHOOD_RUNS:
        plsa = PLSAClustering(
            task.n_clusters,
            max_iter=task.iterations,
            tol=task.settings["tolerance"],
            init=task.start(name, X, run),
        ).fit(X)
        values["likelihood"] = information_per_word(X, plsa.loglik_[-1])
    for rule, value in values.items():
        rows.append(Row("choice", rule, name, "score", value, run=run, label=task.label))


def _choose(context: Context, task: Task, rows: list[Row]) -> dict[str, str]:
    values, _ = result_frames(context.job, Result(rows))
    choice = read_choice(values, task.names)
    if set(choice) != set(CHOICE_RULES):
        raise ValueError(f"{task.dataset}: no view chosen by {set(CHOICE_RULES) - set(choice)}")
    return choice


def run_plsa(context: Context) -> Result:
    """PLSA on the first two views, alone and concatenated; vote-based PLSA from the single ones."""
    task = make_task(context)
    record = recorder(context, task)
    both = hstack_csr(task.Xs[:2])
    options = {"max_iter": task.iterations, "tol": task.settings["tolerance"]}
    agreed = []
    for run in context.progress(range(task.settings["runs"]), "PLSA"):
        fits, seconds = {}, {}
        for name, X in zip(task.names[:2], task.Xs[:2], strict=True):
            model = PLSAClustering(task.n_clusters, init=task.start(name, X, run), **options)
            with stopwatch() as watch:
                fits[name] = model.fit(X)
            seconds[name] = watch.seconds
        best = record.choice["accuracy"]
        record.add_views(
            "PLSA + BOVF",
            {name: fit.labels_ for name, fit in fits.items()},
            run,
            seconds=seconds[best],
            iterations=fits[best].n_iter_,
        )
        joined = PLSAClustering(
            task.n_clusters, init=task.start("concatenation", both, run), **options
        )
        with stopwatch() as watch:
            joined.fit(both)
        record.add(
            "PLSA + CTVF", joined.labels_, run, seconds=watch.seconds, iterations=joined.n_iter_
        )
        vote = VotePLSA(task.n_clusters, **options)
        with stopwatch() as watch:
            vote.fit(task.Xs[:2], doc_topics=[fits[name].doc_topic_ for name in task.names[:2]])
        first = sum(seconds[name] for name in task.names[:2])
        record.add(
            "VPLSA", vote.labels_, run, seconds=first + watch.seconds, iterations=vote.n_iter_
        )
        agreed.append(float(vote.voted_.mean()))
        record.values("VPLSA", {"agreed_pct": 100 * agreed[-1]}, run)
    return Result(record.rows, {"setting": SETTING, "votes agree (share)": agreed})
