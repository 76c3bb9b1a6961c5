"""Table 2: seven flat methods, macro and micro F1, view agreement."""

from typing import Any

import numpy as np

from reproduction.papers.multiview_hier.columns import UNLABELLED
from reproduction.papers.multiview_hier.protocol import (
    Case,
    Fit,
    Prepared,
    agreement,
    cases,
    controls,
    fit_flat,
    paper_views,
    score,
    share_name,
    statistics,
    targets,
)
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row


def place(case: Case) -> dict[str, Any]:
    """Return the settings of a case in Table 2."""
    return {"level": case.target.level, "train": case.percent}


def one_run(context: Context, prepared: Prepared, case: Case) -> list[Row]:
    """Return all rows of one partition."""
    at, y, known, run = place(case), case.y, case.known, case.run
    fits = fit_flat(prepared, case.given, context.settings.max_iter)
    rows = []
    for name, done in fits.items():
        rows += score(
            "2", at, name, y, done.labels, known,
            run=run, seconds=done.seconds, iterations=done.iterations,
        )  # fmt: skip
    seed = (context.job.dataset, case.target.name, share_name(case.percent), run)
    for name, guess in controls(y, known, seed).items():
        rows += score("2", at, name, y, guess, known, run=run, role="control")
    for scored, value in agreement(fits["V1"].labels, fits["V2"].labels, known).items():
        rows.append(
            Row("2", {**at, "scored": scored}, "V1 vs V2", "view_agreement", value, run=run)
        )
    return rows + _extras(at, fits, known, run)


def _extras(at: dict[str, Any], fits: dict[str, Fit], known: np.ndarray, run: int) -> list[Row]:
    """Return what MAXAGREE makes of its freedom, and how every method converged."""
    sets = fits["MAXAGREE"].model.label_sets_[~known]
    apart = (sets[:, 0] != sets[:, 1]).any(axis=1)
    same = agreement(fits["MAXAGREE"].labels, fits["SUMSCORE"].labels, known)
    shares = {
        "views_disagree_pct": 100 * float(apart.mean()),
        "differs_from_sumscore_pct": 100 * (1 - same[UNLABELLED]),
    }
    rows = [
        Row("extra:maxagree", at, "MAXAGREE", metric, value, run=run)
        for metric, value in shares.items()
    ]
    for name, done in fits.items():
        cycle = float(done.model.cycle_length_)
        for metric, count in (("iterations", done.iterations), ("cycle_length", cycle)):
            rows.append(Row("extra:convergence", at, name, metric, count, run=run))
    return rows


def _partitions(context: Context, prepared: Prepared) -> Result:
    data, settings, key = context.data, context.settings, context.job.dataset
    rows: list[Row] = []
    sizes = {}
    for target in targets(data):
        title = data.name if target.level is None else f"{data.name} level {target.level}"
        counts = np.bincount(target.y, minlength=len(target.names)).tolist()
        sizes[title] = dict(zip(target.names, counts, strict=True))
        plan = list(cases(key, target, settings.train, range(settings.partitions.of(key))))
        for case in context.progress(plan, title):
            rows += one_run(context, prepared, case)
    return Result(rows, {"class_sizes": sizes})


def run(context: Context) -> Result:
    """Run Table 2 on one data set, with the data set's row of Table 1."""
    prepared = paper_views(context.data)
    found = _partitions(context, prepared)
    return Result(statistics(context.data, prepared) + found.rows, found.details)
