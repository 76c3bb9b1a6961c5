"""Beyond the paper: other SIFT words, missing rows, and what an iteration costs."""

import time

import numpy as np
import scipy.sparse as sp

from manyviews import seeding
from manyviews.baselines.one_table import PLSAClustering
from manyviews.baselines.view_selection import information_per_word, sampled_silhouette
from reproduction.papers.coplsa_clustering.protocol import (
    PAPER,
    SCALES,
    Place,
    Recorder,
    Task,
    load_data,
    make_task,
    recorder,
    scale_runs,
    sensitivity_runs,
)
from reproduction.results.jobs import Context, Result, Row

_SIFT_SCALES = ("raw", "sqrt")
_COST_ITERATIONS = 3
_COST_REPEATS = 2


def run_sift(context: Context) -> Result:
    """K-means and PLSA on every construction of SIFT words, beside colour and texture."""
    task = make_task(context)
    data = load_data(context)
    names = [name for name in data.views if name in task.names or name.startswith("sift")]
    record = Recorder(task, {}, [])
    for name in context.progress(names, "SIFT"):
        for scale in _SIFT_SCALES:
            _construction(task, record, name, scale, SCALES[scale](data.views[name]))
    return Result(record.rows, {"views": names, "runs": scale_runs(task)})


def _construction(task: Task, record: Recorder, name: str, scale: str, X: sp.csr_matrix) -> None:
    where = Place(f"scale={scale}", "silent:sift", name)
    for run in range(scale_runs(task)):
        labels = task.kmeans(X, "kmeans", name, run)
        record.add("K-means", labels, run, where)
        plsa = PLSAClustering(
            task.n_clusters,
            max_iter=task.iterations,
            tol=task.settings["tolerance"],
            init=task.start(name, X, run),
        ).fit(X)
        record.add("PLSA", plsa.labels_, run, where)
        if run == 0:
            width = sampled_silhouette(X, labels, 1000, task.seed("rows", run))
            record.values("K-means", {"silhouette": width}, run, where)
            gain = information_per_word(X, plsa.loglik_[-1])
            record.values("PLSA", {"nats_per_word": gain}, run, where)


def run_missing(context: Context) -> Result:
    """The paper's future work: documents that lack the best view take its topics from the other.

    A random share of the rows of the best view is hidden. Scored: the hidden documents, the rest,
    and all. With PLSA alone hidden documents could only be guessed.
    """
    task = make_task(context)
    record = recorder(context, task)
    best = task.names.index(record.choice["accuracy"])
    strong = float(task.settings["strong_lambda"][task.dataset])
    for run in context.progress(range(sensitivity_runs(task)), "missing rows"):
        order = seeding.generator(PAPER, task.dataset, "missing", run).permutation(task.y.size)
        for share in task.settings["missing_grid"]:
            hidden = np.zeros(task.y.size, dtype=bool)
            hidden[order[: round(share * task.y.size)]] = True
            observed: list[np.ndarray | None] = [None, None]
            observed[best] = ~hidden
            model = task.coplsa(run, 2, lam=strong, update="safeguarded")
            model.fit(task.Xs[:2], observed=observed)
            labels = model.labels_by_view_[best]
            for part, rows in (("all", hidden | True), ("hidden", hidden), ("seen", ~hidden)):
                if rows.any():
                    part_record = Recorder(_rows_of(task, rows), record.choice, record.rows)
                    where = Place(f"rows={part}", "extra:missing", f"missing={share:g}")
                    part_record.add("CoPLSA(2)", labels[rows], run, where)
    return Result(record.rows, {"lambda": strong, "runs": sensitivity_runs(task)})


def _rows_of(task: Task, rows: np.ndarray) -> Task:
    return Task(
        task.dataset, task.label, task.names, task.Xs, task.y[rows], task.n_clusters, task.settings
    )


def run_cost(context: Context) -> Result:
    """Seconds per iteration against pairs (words fixed) and against non-zeros (pairs fixed).

    The size of the work is deterministic and kept as a result; the times go to the timing file.
    """
    task = make_task(context)
    rows: list[Row] = []
    for share in task.settings["cost_grid"]["pairs"]:
        seconds, work = _cost(task, task.Xs[:2], float(share))
        _cost_rows(rows, task, "pairs", f"share={share:g}", work, seconds)
    rng = seeding.generator(PAPER, task.dataset, "columns")
    orders = [rng.permutation(X.shape[1]) for X in task.Xs[:2]]
    for share in task.settings["cost_grid"]["words"]:
        Xs = []
        for X, order in zip(task.Xs[:2], orders, strict=True):
            keep = np.sort(order[: max(1, round(share * X.shape[1]))])
            Xs.append(sp.csr_matrix(X[:, keep]))
        seconds, work = _cost(task, _without_empty(Xs), task.settings["cost_grid"]["pairs"][0])
        _cost_rows(rows, task, "words", f"share={share:g}", work, seconds)
    return Result(rows, {"iterations": _COST_ITERATIONS, "repeats": _COST_REPEATS})


def _without_empty(Xs: list[sp.csr_matrix]) -> list[sp.csr_matrix]:
    """Give documents that lost all words in every view one word, so that all stay in the fit."""
    empty = np.all([np.diff(X.indptr) == 0 for X in Xs], axis=0)
    if empty.any():
        patch = sp.csr_matrix(
            (np.ones(empty.sum()), (np.flatnonzero(empty), np.zeros(empty.sum(), dtype=int))),
            Xs[0].shape,
        )
        Xs = [sp.csr_matrix(Xs[0] + patch), *Xs[1:]]
    return Xs


def _cost(task: Task, Xs: list[sp.csr_matrix], share: float) -> tuple[float, dict[str, int]]:
    """Least seconds per iteration over a few repeats (start-up subtracted), and the work done."""
    starts = [task.start(f"cost{v}", X, 0) for v, X in enumerate(Xs)]
    best = float("inf")
    for repeat in range(_COST_REPEATS):
        times = []
        for iterations in (1, 1 + _COST_ITERATIONS):
            model = task.coplsa(
                repeat, 2, pair_share=share, max_iter=iterations, tol=0.0, init=starts
            )
            start = time.process_time()  # of the processor: a busy machine must not bend the line
            model.fit(Xs)
            times.append(time.process_time() - start)
        best = min(best, (times[1] - times[0]) / _COST_ITERATIONS)
    pairs, words = len(model.pairs_), sum(X.nnz for X in Xs)
    k, n, m = task.n_clusters, task.y.size, len(Xs)
    work = k * (words + m * pairs)
    bound = k * n * (sum(X.shape[1] for X in Xs) + m * n)
    return best, {"pairs": pairs, "words": words, "work": work, "bound": bound}


def _cost_rows(
    rows: list[Row], task: Task, what: str, setting: str, work: dict[str, int], seconds: float
) -> None:
    """Size of the work, K (non-zeros + views x pairs), beside the printed K N M (W + N)."""
    method = "CoPLSA(2)"
    place = f"{what} {setting}"
    for metric, value in work.items():
        rows.append(Row("extra:cost", place, method, metric, float(value), label=task.label))
    rows.append(Row(f"time:{what}", setting, method, "seconds", seconds, label=task.label))
