"""Table 1: Link PLSA and the three co-regularised PLSAs, lambda chosen on training data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from manyviews.models.coplsa import CoPLSA
from manyviews.models.link_plsa import LinkPLSA
from manyviews.models.plsa import fold_in
from reproduction.papers.coplsa_multimodal.protocol import (
    METRIC,
    PAIR,
    Spaces,
    Split,
    detail_rows,
    load_split,
    mean_map,
    random_rows,
    reading,
    start,
    table_rows,
    validation_split,
)
from reproduction.results.jobs import Context, Result, Row, stopwatch

METHODS = {"skl": "sKL coPLSA", "l2": "l2 coPLSA", "l1": "l1 coPLSA"}
LINK = "Link PLSA"
PLSA_CONTROL = "control:independent PLSA"


def fit(
    split: Split,
    settings: Mapping[str, Any],
    run: int,
    *,
    divergence: str,
    lam: float,
    n_topics: int | None = None,
) -> CoPLSA:
    """Train one co-regularised PLSA from the run's common start."""
    n_topics = n_topics or settings["topics"][split.name]
    h, ws = start(split, n_topics, run)
    model = CoPLSA(
        n_topics,
        divergence=divergence,
        lam=lam,
        max_iter=settings["iterations"][split.name],
        tol=0.0,
        init=([h, h], ws),
    )
    return model.fit(split.train)


def fit_link(
    split: Split, settings: Mapping[str, Any], run: int, *, n_topics: int | None = None
) -> LinkPLSA:
    """Train Link PLSA (equal weights) from the run's common start."""
    n_topics = n_topics or settings["topics"][split.name]
    model = LinkPLSA(
        n_topics,
        max_iter=settings["iterations"][split.name],
        tol=0.0,
        init=start(split, n_topics, run),
    )
    return model.fit(split.train)


def folded(model: CoPLSA | LinkPLSA, split: Split, protocol: str, steps: int) -> tuple[PAIR, PAIR]:
    """Fold training and evaluated items in the same way: together (joint) or alone (honest)."""
    parts: list[PAIR] = []
    for views in (split.train, split.test):
        if protocol == "honest":
            pair = [
                fold_in(X, topics, max_iter=steps)
                for X, topics in zip(views, model.topic_words_, strict=True)
            ]
        elif isinstance(model, LinkPLSA):
            h = model.transform(views, max_iter=steps, tol=1e-5)
            pair = [h, h]
        else:
            pair = model.transform(views, max_iter=steps, tol=0.0)
        parts.append(pair)
    return parts[0], parts[1]


def spaces(
    model: CoPLSA | LinkPLSA, split: Split, protocol: str, settings: Mapping[str, Any]
) -> Spaces:
    """Both spaces of Table 1 under one protocol."""
    train, test = folded(model, split, protocol, settings["fold_iterations"])
    return Spaces.of(train, test, split.train_labels, settings["regression_C"])


def model_rows(
    model: CoPLSA | LinkPLSA,
    split: Split,
    method: str,
    run: int,
    settings: Mapping[str, Any],
    *,
    protocols: tuple[str, ...] = ("joint", "honest"),
) -> list[Row]:
    """All rows of one trained model."""
    rows = []
    for protocol in protocols:
        rankings = spaces(model, split, protocol, settings).rankings(split.test_labels)
        rows += table_rows(rankings, method, protocol, run)
        curves = run < settings["detail_runs"]
        rows += detail_rows(rankings, split, method, protocol, run, curves=curves)
    return rows


def timed(rows: list[Row], seconds: float, sweeps: int) -> list[Row]:
    """Note the time of training at the first row of a run."""
    rows[0].seconds, rows[0].iterations = seconds, sweeps
    return rows


def choose_lambda(context: Context, divergence: str) -> tuple[float, list[Row]]:
    """Choose lambda by joint-protocol MAP on a held-out part of the training pairs, one seed."""
    settings = context.settings
    split = validation_split(context.data, settings)
    method = METHODS[divergence]
    rows, scores = [], {}
    # the curves of the page need both protocols, on Wikipedia alone
    protocols = ("joint", "honest") if context.job.dataset == "wikipedia_pairs" else ("joint",)
    for lam in context.progress(settings["lambda_grid"][divergence], f"{method}: lambda"):
        model = fit(split, settings, 0, divergence=divergence, lam=float(lam))
        for protocol in protocols:
            rankings = spaces(model, split, protocol, settings).rankings(split.test_labels)
            if protocol == "joint":
                scores[float(lam)] = mean_map(rankings)
            for (space, direction), ranking in rankings.items():
                value = float(ranking.average_precision("full").mean())
                setting = f"lambda={lam:g};{space};{direction}"
                name = reading(protocol, "full")
                rows.append(Row("extra:lambda", setting, method, METRIC, value, name))
    best = max(scores, key=lambda lam: (scores[lam], -lam))
    rows.append(Row("extra:lambda_chosen", "validation", method, "lambda", best))
    return best, rows


def _run(context: Context, divergence: str) -> Result:
    settings = context.settings
    method = METHODS[divergence]
    lam, rows = choose_lambda(context, divergence)
    split = load_split(context.data, settings)
    for run in context.progress(range(settings["runs"]), method):
        with stopwatch() as watch:
            model = fit(split, settings, run, divergence=divergence, lam=lam)
        rows += timed(model_rows(model, split, method, run, settings), watch.seconds, model.n_iter_)
        gap = float(np.abs(model.doc_topics_[0] - model.doc_topics_[1]).sum(axis=1).mean())
        rows.append(Row("extra:agreement", "training", method, "l1_distance", gap, run=run))
    details = {
        "lambda": lam,
        "lambda_grid": [float(x) for x in settings["lambda_grid"][divergence]],
        "topics": settings["topics"][split.name],
        "iterations": settings["iterations"][split.name],
        "floor": 1e-10,
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
    settings = context.settings
    split = load_split(context.data, settings)
    rows: list[Row] = []
    for run in context.progress(range(settings["runs"]), LINK):
        with stopwatch() as watch:
            model = fit_link(split, settings, run)
        rows += timed(model_rows(model, split, LINK, run, settings), watch.seconds, model.n_iter_)
        rows += random_rows(split, run)
        if run < settings["control_runs"]:
            alone = fit(split, settings, run, divergence="l2", lam=0.0)
            rows += model_rows(alone, split, PLSA_CONTROL, run, settings, protocols=("honest",))
    return Result(rows, {"alpha": [0.5, 0.5], "topics": settings["topics"][split.name]})
