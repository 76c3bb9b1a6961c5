"""CoPLSA in Table 1 and Figure 2, and the placebo: the partner view's rows shuffled."""

from typing import Any

import scipy.sparse as sp

from manyviews import seeding
from manyviews.models.pairwise_coplsa import PairwiseCoPLSA
from reproduction.papers.coplsa_clustering.columns import (
    FIGURE_2,
    INFERRED,
    PAPER,
    PLACEBO,
    RESCALED,
    SAFEGUARDED,
    STRONG,
    TABLE_1,
    TWO,
)
from reproduction.papers.coplsa_clustering.protocol import (
    Task,
    diagnostics,
    every_view,
    make_task,
    measured,
    merge,
    scores,
    view_rows,
)
from reproduction.papers.coplsa_clustering.settings import Scale
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import Result, Row

#: Documents in the paper's runs: lambda acts through the pairs per document, 5 % of this number.
PAPER_DOCUMENTS = {"reuters": 1876}
#: Data sets small enough for the placebo at every lambda.
_PLACEBO_CURVES = ("reuters", "digits")


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
    """Fit with the printed and the safeguarded update; returns the fit of each reading.

    As long as every printed step passes the safeguard's test the two are the same computation, so
    the second fit is made only when one did not.
    """
    Xs = task.Xs[:n_views]
    printed = task.coplsa(run, n_views, **changes).fit(Xs)
    guarded = printed
    if printed.unsafe_steps_:
        guarded = task.coplsa(run, n_views, update="safeguarded", **changes).fit(Xs)
    return {INFERRED: printed, SAFEGUARDED: guarded}


def _table(context: Context, n_views: int) -> Result:
    task = make_task(context)
    method = f"CoPLSA({n_views})"
    names = task.names[:n_views]
    rows: list[Row] = []
    for run in context.progress(range(task.settings.runs), method):
        with stopwatch() as watch:
            fits = fit_both(task, run, n_views)
        printed = fits[INFERRED]
        labels = dict(zip(names, printed.labels_by_view_, strict=True))
        took = {"seconds": watch.seconds, "iterations": printed.n_iter_}
        rows += view_rows(task, method, run, labels, **took)
        rows += measured("extra:diagnostics", method, run, diagnostics(printed))
        rows += _read(task, method, run, fits[SAFEGUARDED], SAFEGUARDED)
        for reading, lam in other_strengths(task):
            model = task.coplsa(run, n_views, lam=lam).fit(task.Xs[:n_views])
            rows += _read(task, method, run, model, reading)
            labels = dict(zip(names, model.labels_by_view_, strict=True))
            rows += every_view(task, method, run, labels, reading=reading)
    details = {
        "lambda": task.own.lambda_,
        "iterations at most": task.own.iterations,
        "choice": task.choice,
    }
    return Result(rows, details)


def _read(task: Task, method: str, run: int, model: PairwiseCoPLSA, reading: str) -> list[Row]:
    """Rows of Table 1 and of the penalty's pull, under another reading."""
    found = scores(task.y, model.labels_by_view_[task.best])
    return [
        *measured(TABLE_1, method, run, found, reading=reading),
        *measured("extra:diagnostics", method, run, diagnostics(model), reading=reading),
    ]


def other_strengths(task: Task) -> list[tuple[str, float]]:
    """Return readings with a larger lambda: per document as in the paper, and one that is felt."""
    strengths = []
    if task.dataset in PAPER_DOCUMENTS:
        factor = PAPER_DOCUMENTS[task.dataset] / task.y.size
        strengths.append((RESCALED, task.own.lambda_ * factor))
    if task.own.strong_lambda:
        strengths.append((STRONG, task.own.strong_lambda))
    return strengths


def shuffled_partner(task: Task, run: int) -> list[sp.csr_matrix]:
    """Return the first two views, the rows of the one that is not the best permuted."""
    order = seeding.generator(PAPER, task.dataset, "placebo", run).permutation(task.y.size)
    Xs = list(task.Xs[:2])
    Xs[1 - task.best] = Xs[1 - task.best][order]
    return Xs


def run_placebo(context: Context) -> Result:
    """CoPLSA(2) when the partner of the best view tells about other documents.

    Same starts, same pairs, same lambda; only the rows of the partner are permuted. What remains
    of the gain over PLSA is not information from a second view.
    """
    task = make_task(context)
    runs = min(task.own.placebo_runs, task.settings.runs)
    rows: list[Row] = []
    for run in context.progress(range(runs), "placebo"):
        Xs = shuffled_partner(task, run)
        for reading, lam in [(INFERRED, task.own.lambda_), *other_strengths(task)]:
            model = task.coplsa(run, 2, lam=lam).fit(Xs)
            found = scores(task.y, model.labels_by_view_[task.best])
            rows += measured(TABLE_1, PLACEBO, run, found, reading=reading, role="control")
    return Result(rows, {"shuffled": task.names[1 - task.best], "runs": runs})


def run_figure_2(context: Context) -> Result:
    """Figure 2 on the views as distributed and, where a grid is given, on rows that sum to one."""
    printed = run_figure_2_raw(context)
    if not context.settings.of(context.job.dataset).unit_lambda_grid:
        return printed
    return merge(printed, run_figure_2_unit(context))


def run_figure_2_raw(context: Context) -> Result:
    """Figure 2 on the views as distributed."""
    task = make_task(context)
    return _figure_2(context, task, "raw", task.own.lambda_grid)


def run_figure_2_unit(context: Context) -> Result:
    """Figure 2 on rows that sum to one, where the paper's lambda is no longer small."""
    task = make_task(context)
    return _figure_2(context, task.scaled("l1"), "l1", task.own.unit_lambda_grid)


def _figure_2(context: Context, task: Task, scale: Scale, grid: list[float]) -> Result:
    panel = [({"lambda_": lam, "scale": scale}, {"lam": lam}) for lam in grid]
    rows = panel_rows(context, task, FIGURE_2, panel)
    if task.dataset in _PLACEBO_CURVES:
        # the same curve with the partner view's rows shuffled: what is not information
        for run in context.progress(range(task.own.choice_runs), "fig2 placebo"):
            Xs = shuffled_partner(task, run)
            for at, changes in panel:
                model = task.coplsa(run, 2, **changes).fit(Xs)
                found = scores(task.y, model.labels_by_view_[task.best])
                rows += measured(FIGURE_2, PLACEBO, run, found, at=at, role="control")
    return Result(rows, {"runs": task.own.choice_runs})


def panel_rows(
    context: Context, task: Task, table: str, panel: list[tuple[dict[str, Any], dict[str, Any]]]
) -> list[Row]:
    """Fit CoPLSA(2) at every place of a panel with both updates, on the first starts of Table 1.

    Parameters
    ----------
    context, task
        The job and its data.
    table
        Where the rows belong.
    panel
        For every place its settings in the table, and what changes in the model there.
    """
    rows: list[Row] = []
    for run in context.progress(range(task.own.choice_runs), table):
        for at, changes in panel:
            for reading, model in fit_both(task, run, 2, **changes).items():
                values = {
                    **scores(task.y, model.labels_by_view_[task.best]),
                    **diagnostics(model),
                    "sigma": model.sigma_,
                }
                rows += measured(table, TWO, run, values, at=at, reading=reading)
    return rows
