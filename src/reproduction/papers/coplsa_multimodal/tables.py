"""Table 1: Link PLSA and the three co-regularised PLSAs, lambda chosen on training data."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from reproduction.papers.coplsa_multimodal.columns import LINK, READINGS
from reproduction.papers.coplsa_multimodal.models import (
    METHODS,
    TopicModel,
    fit,
    fit_link,
    rankings_of,
)
from reproduction.papers.coplsa_multimodal.protocol import (
    Split,
    detail_rows,
    load_split,
    map_rows,
    mean_map,
    random_rows,
    table_rows,
    timed,
    validation_split,
)
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import Result, Row

#: The data set that is never real.
SURROGATE = "tvgraz"


def model_rows(
    model: TopicModel,
    split: Split,
    method: str,
    run: int,
    settings: PaperSettings,
    *,
    role: str = "published",
    protocols: Iterable[str] = tuple(READINGS),
) -> list[Row]:
    """All rows of one trained model."""
    rows = []
    curves = run < settings.detail_runs
    for protocol in protocols:
        rankings = rankings_of(model, split, protocol, settings)
        rows += table_rows(rankings, method, protocol, run, role=role)
        rows += detail_rows(rankings, split, method, protocol, run, curves=curves, role=role)
    return rows


def choose_lambda(context: Context, divergence: str) -> tuple[float, list[Row]]:
    """Choose lambda by joint-protocol MAP on a held-out part of the training pairs, one seed."""
    settings: PaperSettings = context.settings
    split = validation_split(context.data, settings)
    method = METHODS[divergence]
    rows, scores = [], {}
    # the curves of the page need both protocols, on Wikipedia alone
    protocols = tuple(READINGS) if context.job.dataset == "wikipedia_pairs" else ("joint",)
    for lam in context.progress(settings.lambda_grid.of(divergence), f"{method}: lambda"):
        model = fit(split, settings, 0, divergence=divergence, lam=lam)
        for protocol in protocols:
            rankings = rankings_of(model, split, protocol, settings)
            if protocol == "joint":
                scores[lam] = mean_map(rankings)
            rows += map_rows(rankings, "choice:lambda", method, protocol, at={"lambda_": lam})
    best = max(scores, key=lambda lam: (scores[lam], -lam))
    rows.append(Row("choice:lambda_chosen", {}, method, "lambda", best))
    return best, rows


def runs_of(context: Context) -> range:
    """Return the numbers of the runs to make; fewer on a surrogate."""
    settings: PaperSettings = context.settings
    surrogate = context.job.dataset == SURROGATE
    return range(settings.surrogate_runs if surrogate else settings.runs)


def chosen_lambda(context: Context, divergence: str) -> float:
    """Return the lambda that the table's own job chose."""
    rows = context.results[f"{context.job.dataset}/{divergence}"]
    return float(rows.loc[rows["table"] == "choice:lambda_chosen", "value"].iloc[0])


def _run(context: Context, divergence: str) -> Result:
    settings: PaperSettings = context.settings
    method = METHODS[divergence]
    lam, rows = choose_lambda(context, divergence)
    split = load_split(context.data, settings)
    for run in context.progress(runs_of(context), method):
        with stopwatch() as watch:
            model = fit(split, settings, run, divergence=divergence, lam=lam)
        rows += timed(model_rows(model, split, method, run, settings), watch.seconds, model.n_iter_)
        gap = float(np.abs(model.doc_topic_[0] - model.doc_topic_[1]).sum(axis=1).mean())
        rows.append(Row("extra:agreement", {}, method, "l1_distance", gap, run=run))
    details = {
        "lambda": lam,
        "lambda_grid": settings.lambda_grid.of(divergence),
        "topics": settings.topics.of(split.name),
        "iterations": settings.iterations.of(split.name),
        "floor": model.floor,
    }
    return Result(rows, details)


def run_skl(context: Context) -> Result:
    """Symmetric KL co-regulariser."""
    return _run(context, "skl")


def run_l2(context: Context) -> Result:
    """Squared distance as co-regulariser."""
    return _run(context, "l2")


def run_l1(context: Context) -> Result:
    """Absolute distance as co-regulariser, block ascent as printed."""
    return _run(context, "l1")


def run_link(context: Context) -> Result:
    """Link PLSA, and the controls: independent PLSAs (lambda = 0) and a random order."""
    settings: PaperSettings = context.settings
    split = load_split(context.data, settings)
    rows: list[Row] = []
    for run in context.progress(runs_of(context), LINK):
        with stopwatch() as watch:
            model = fit_link(split, settings, run)
        rows += timed(model_rows(model, split, LINK, run, settings), watch.seconds, model.n_iter_)
        rows += random_rows(split, run)
        if run < settings.control_runs:
            alone = fit(split, settings, run, divergence="l2", lam=0.0)
            rows += model_rows(
                alone, split, "independent PLSA", run, settings,
                role="control", protocols=("honest",),
            )  # fmt: skip
    return Result(rows, {"alpha": [0.5, 0.5], "topics": settings.topics.of(split.name)})
