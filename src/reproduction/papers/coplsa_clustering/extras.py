"""Beyond the paper: missing rows, and what an iteration costs."""

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews import seeding
from reproduction.papers.coplsa_clustering.columns import PAPER, TWO
from reproduction.papers.coplsa_clustering.protocol import Task, make_task, measured, scores
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

_COST_ITERATIONS = 3
_COST_REPEATS = 2


def run_missing(context: Context) -> Result:
    """The paper's future work: documents that lack the best view take its topics from the other.

    A random share of the rows of the best view is hidden. Scored: the hidden documents, the rest,
    and all. With PLSA alone hidden documents could only be guessed.
    """
    task = make_task(context)
    rows: list[Row] = []
    for run in context.progress(range(task.own.choice_runs), "missing rows"):
        order = seeding.generator(PAPER, task.dataset, "missing", run).permutation(task.y.size)
        for share in task.settings.missing_grid:
            hidden = np.zeros(task.y.size, dtype=bool)
            hidden[order[: round(share * task.y.size)]] = True
            observed: list[np.ndarray | None] = [None, None]
            observed[task.best] = ~hidden
            model = task.coplsa(run, 2, lam=task.own.strong_lambda, update="safeguarded")
            model.fit(task.Xs[:2], observed=observed)
            labels = model.labels_by_view_[task.best]
            for part, kept in (("all", hidden | True), ("hidden", hidden), ("seen", ~hidden)):
                if kept.any():
                    found = scores(task.y[kept], labels[kept])
                    at = {"missing": share, "scored": part}
                    rows += measured("extra:missing", TWO, run, found, at=at)
    return Result(rows, {"lambda": task.own.strong_lambda, "runs": task.own.choice_runs})


def run_cost(context: Context) -> Result:
    """Seconds per iteration against pairs (words fixed) and against non-zeros (pairs fixed).

    The size of the work is deterministic and kept as a result; the times go to the timing file.
    """
    task = make_task(context)
    grid = task.settings.cost_grid
    rows: list[Row] = []
    for share in grid.pairs:
        rows += _cost_rows(task, task.Xs[:2], share, {"sweep": "pairs", "share": share})
    rng = seeding.generator(PAPER, task.dataset, "columns")
    orders = [rng.permutation(X.shape[1]) for X in task.Xs[:2]]
    for share in grid.words:
        Xs = []
        for X, order in zip(task.Xs[:2], orders, strict=True):
            keep = np.sort(order[: max(1, round(share * X.shape[1]))])
            Xs.append(sp.csr_matrix(X[:, keep]))
        at = {"sweep": "words", "share": share}
        rows += _cost_rows(task, _without_empty(Xs), grid.pairs[0], at)
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


def _cost_rows(
    task: Task, Xs: list[sp.csr_matrix], pair_share: float, at: Mapping[str, Any]
) -> list[Row]:
    """Seconds and size of the work, K (non-zeros + views x pairs), beside K N M (W + N)."""
    seconds, work = _cost(task, Xs, pair_share)
    return [
        *measured("extra:cost", TWO, 0, work, at=at),
        Row("extra:cost_time", at, TWO, "seconds", seconds),
    ]


def _cost(task: Task, Xs: list[sp.csr_matrix], share: float) -> tuple[float, dict[str, float]]:
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
