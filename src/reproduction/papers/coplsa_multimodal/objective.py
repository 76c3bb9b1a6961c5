"""Objective (8) sweep by sweep: does it fall, how fast does it rise, how many Newton steps."""

from __future__ import annotations

import numpy as np

from manyviews.kernels import coplsa as steps
from manyviews.kernels import plsa as kernels
from manyviews.models.coplsa import CoPLSA
from reproduction.papers.coplsa_multimodal.columns import (
    EXACT_SOLUTION,
    JOINT_STEP,
    L1,
    L2,
    RANDOM_START,
    SKL,
    TWO_STEP,
)
from reproduction.papers.coplsa_multimodal.models import fit
from reproduction.papers.coplsa_multimodal.protocol import Split, load_split
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.papers.coplsa_multimodal.tables import chosen_lambda
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

#: Method -> divergence and step for H.
TRACED = {
    SKL: ("skl", "exact"),
    L2: ("l2", "exact"),
    TWO_STEP: ("l2", "two_step"),
    L1: ("l1", "exact"),
    JOINT_STEP: ("l1", "joint"),
}
ROLES = {JOINT_STEP: "ours"}
SHARES = (0.9, 0.99)  # of the whole gain
SWEEPS_FROM_SOLUTION = 5


def _sweeps_to(trace: np.ndarray, share: float) -> int:
    """Sweeps after which this share of the whole gain is made."""
    reached = trace[0] + share * (trace[-1] - trace[0])
    return int(np.argmax(trace >= reached))


def _row(table: str, at: dict[str, str | float], method: str, metric: str, value: float,
         run: int) -> Row:  # fmt: skip
    role = ROLES.get(method, "published")
    return Row(table, at, method, metric, value, run=run, role=role)


def _trace_rows(method: str, start: str, trace: np.ndarray, run: int, n: int) -> list[Row]:
    """Rows of one trace of the objective, per pair of the ``n``."""
    falls = int((np.diff(trace) < -1e-9 * np.abs(trace[:-1])).sum())
    largest = float(max(0.0, (trace[:-1] - trace[1:]).max())) / n
    at: dict[str, str | float] = {"start": start}
    return [
        *(
            _row("extra:objective", {**at, "sweep": i}, method, "objective_per_pair", v / n, run)
            for i, v in enumerate(trace.tolist())
        ),
        _row("extra:monotone", at, method, "falls", falls, run),
        _row("extra:monotone", at, method, "largest_fall", largest, run),
    ]


def run(context: Context) -> Result:
    """Trace the exact steps, the criticised one and the joint l1 step from common starts."""
    settings: PaperSettings = context.settings
    split = load_split(context.data, settings)
    n = split.train[0].shape[0]
    sweeps = settings.trace.iterations
    rows: list[Row] = []
    for number in context.progress(range(settings.trace.runs), "objective traces"):
        for method, (divergence, h_step) in TRACED.items():
            lam = chosen_lambda(context, divergence)
            model = fit(
                split, settings, number,
                divergence=divergence, lam=lam, h_step=h_step, sweeps=sweeps,
            )  # fmt: skip
            rows += _trace_rows(method, RANDOM_START, model.objective_, number, n)
            for share in SHARES:
                count = _sweeps_to(model.objective_, share)
                at: dict[str, str | float] = {"share": share}
                rows.append(_row("extra:convergence", at, method, "sweeps", count, number))
            if method == L2:
                rows += _from_solution(model, split, settings, number)
            if method in (SKL, L2):
                used = _newton_steps(model, split)
                rows.append(_row("extra:convergence", {}, method, "newton_steps", used, number))
    return Result(rows, {"sweeps": sweeps})


def _from_solution(model: CoPLSA, split: Split, settings: PaperSettings, run: int) -> list[Row]:
    """Both l2 updates started where the exact one has arrived: an ascent method must not fall."""
    rows: list[Row] = []
    for method in (L2, TWO_STEP):
        divergence, h_step = TRACED[method]
        again = fit(
            split, settings, run,
            divergence=divergence, lam=model.lam, n_topics=model.n_topics, h_step=h_step,
            sweeps=SWEEPS_FROM_SOLUTION, init=(model.doc_topic_, model.topic_word_),
        )  # fmt: skip
        n = split.train[0].shape[0]
        rows += _trace_rows(method, EXACT_SOLUTION, again.objective_, run, n)
    return rows


def _newton_steps(model: CoPLSA, split: Split) -> float:
    """Mean number of Newton steps a column takes without a warm start."""
    text, image = model.doc_topic_
    counts = np.empty_like(text)
    X = split.train[0]
    w = np.ascontiguousarray(model.topic_word_[0].T)
    kernels.fold_in_step(X.indptr, X.indices, X.data, text, w, counts)
    n = len(text)
    eta, out, weight = np.full(n, np.nan), np.empty_like(text), np.full(n, float(model.lam))
    if model.divergence == "skl":
        used = steps.h_step_skl(counts, image, np.log(image), weight, model.floor, eta, out)
    else:
        used = steps.h_step_l2(counts, image, weight, eta, out)
    return used / n
