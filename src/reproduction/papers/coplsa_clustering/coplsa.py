"""CoPLSA on two and three views, and the placebo: the partner view's rows shuffled."""

from typing import Any

import scipy.sparse as sp

from manyviews import seeding
from manyviews.models.pairwise_coplsa import PairwiseCoPLSA
from reproduction.papers.coplsa_clustering.protocol import (
    DIAGNOSTICS,
    PAPER,
    TABLE_1,
    Recorder,
    Task,
    diagnostics,
    make_task,
    merge,
    recorder,
)
from reproduction.results.jobs import Context, Result, stopwatch

PLACEBO = "control:CoPLSA(2) shuffled"
#: Documents in the paper's runs: lambda acts through the pairs per document, 5 % of this number.
PAPER_DOCUMENTS = {"reuters": 1876}


def run_all(context: Context) -> Result:
    """Two views, three views and the placebo, for small data sets."""
    return merge(run_two(context), run_three(context), run_placebo(context))


def run_two(context: Context) -> Result:
    """CoPLSA(2), as declared and with the safeguard; with lambda rescaled where N differs."""
    return _table(context, 2)


def run_three(context: Context) -> Result:
    """CoPLSA(3)."""
    return _table(context, 3)


def fit_both(task: Task, run: int, n_views: int, **changes: Any) -> dict[str, PairwiseCoPLSA]:
    """Fit with the printed and the safeguarded update.

    As long as every printed step passes the safeguard's test the two are the same computation, so
    the second fit is made only when one did not.
    """
    Xs = task.Xs[:n_views]
    printed = task.coplsa(run, n_views, **changes).fit(Xs)
    guarded = printed
    if printed.unsafe_steps_:
        guarded = task.coplsa(run, n_views, update="safeguarded", **changes).fit(Xs)
    return {"paper": printed, "update=safeguarded": guarded}


def _table(context: Context, n_views: int) -> Result:
    task = make_task(context)
    record = recorder(context, task)
    method = f"CoPLSA({n_views})"
    names = task.names[:n_views]
    for run in context.progress(range(task.settings["runs"]), method):
        with stopwatch() as watch:
            fits = fit_both(task, run, n_views)
        printed = fits["paper"]
        labels = dict(zip(names, printed.labels_by_view_, strict=True))
        record.add_views(method, labels, run, seconds=watch.seconds, iterations=printed.n_iter_)
        _guarded(record, method, fits["update=safeguarded"], names, run)
        record.values(method, diagnostics(printed), run)
        best = names.index(record.choice["accuracy"])
        for reading, lam in _other_strengths(task):
            model = task.coplsa(run, n_views, lam=lam).fit(task.Xs[:n_views])
            record.add(method, model.labels_by_view_[best], run, TABLE_1.read(reading))
            for name, found in zip(names, model.labels_by_view_, strict=True):
                record.add(method, found, run, TABLE_1.read(f"{reading} view={name}"))
            record.values(method, diagnostics(model), run, DIAGNOSTICS.read(reading))
    details = {"lambda": task.lam, "iterations at most": task.iterations, "choice": record.choice}
    return Result(record.rows, details)


def _guarded(
    record: Recorder, method: str, model: PairwiseCoPLSA, names: tuple[str, ...], run: int
) -> None:
    best = names.index(record.choice["accuracy"])
    reading = "update=safeguarded"
    record.add(method, model.labels_by_view_[best], run, TABLE_1.read(reading))
    record.values(method, diagnostics(model), run, DIAGNOSTICS.read(reading))


def shuffled_partner(task: Task, best: int, run: int) -> list[sp.csr_matrix]:
    """The first two views, the rows of the one that is not ``best`` permuted."""
    order = seeding.generator(PAPER, task.dataset, "placebo", run).permutation(task.y.size)
    Xs = list(task.Xs[:2])
    Xs[1 - best] = Xs[1 - best][order]
    return Xs


def run_placebo(context: Context) -> Result:
    """CoPLSA(2) when the partner of the best view tells about other documents.

    Same starts, same pairs, same lambda; only the rows of the partner are permuted. What remains
    of the gain over PLSA is not information from a second view.
    """
    task = make_task(context)
    record = recorder(context, task)
    best = task.names.index(record.choice["accuracy"])
    placebo_runs = min(int(task.settings["placebo_runs"][task.dataset]), task.settings["runs"])
    for run in context.progress(range(placebo_runs), "placebo"):
        Xs = shuffled_partner(task, best, run)
        for reading, lam in [("paper", task.lam), *_other_strengths(task)]:
            model = task.coplsa(run, 2, lam=lam).fit(Xs)
            labels = model.labels_by_view_[best]
            record.add(PLACEBO, labels, run, TABLE_1.read(reading))
    return Result(record.rows, {"shuffled": task.names[1 - best], "runs": placebo_runs})


def _other_strengths(task: Task) -> list[tuple[str, float]]:
    """Readings with a larger lambda: per document as in the paper, and one that is felt."""
    strengths = []
    if task.dataset in PAPER_DOCUMENTS:
        factor = PAPER_DOCUMENTS[task.dataset] / task.y.size
        strengths.append(("lambda=rescaled", task.lam * factor))
    if task.dataset in task.settings["strong_lambda"]:
        strengths.append(("lambda=strong", float(task.settings["strong_lambda"][task.dataset])))
    return strengths
