"""Objective (8) sweep by sweep: does it fall, how fast does it rise, how many Newton steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from reproduction.papers.coplsa_multimodal.names import (
    EXACT_SOLUTION,
    JOINT_STEP,
    L1,
    L2,
    PAPER,
    RANDOM_START,
    SKL,
    START,
    SWEEP,
    TWO_STEP,
    WIKIPEDIA,
)
from reproduction.papers.coplsa_multimodal.protocol import Split, by_validation, pairs, train
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.results.study import Protocol
from reproduction.results.tables import number

if TYPE_CHECKING:
    from reproduction.papers.coplsa_multimodal.settings import Trace

SHARES = (0.9, 0.99)  # of the whole gain
SWEEPS_FROM_SOLUTION = 5

#: Trained models by where they started.
Traced = dict[str, Any]
At = dict[str, Any]

traces = Protocol(PAPER, (WIKIPEDIA,), PaperSettings)
traces.views(pairs)
traces.split(lambda views: views.table)


def traced(divergence: str, h_step: str = "exact") -> Callable[..., Traced]:
    """Return the fit of an update from the common start."""

    def fit(part: Split, run: int, lam: float, topics: int, trace: Trace) -> Traced:
        sweeps = trace.iterations
        return {RANDOM_START: train(part, run, topics, sweeps, divergence, lam, h_step).model}

    return fit


traces.method(SKL)(traced("skl"))
traces.method(L1)(traced("l1"))
traces.method(JOINT_STEP, role="ours")(traced("l1", "joint"))


@traces.several([L2, TWO_STEP])
def squared(part: Split, run: int, lam: float, topics: int, trace: Trace) -> dict[str, Traced]:
    """Start both l2 updates again where the exact one arrived: an ascent method must not fall."""
    steps = {L2: "exact", TWO_STEP: "two_step"}
    found = {
        name: traced("l2", step)(part, run, lam, topics, trace) for name, step in steps.items()
    }
    solved = found[L2][RANDOM_START]
    there = (solved.doc_topic_, solved.topic_word_)
    for name, step in steps.items():
        again = train(part, run, topics, SWEEPS_FROM_SOLUTION, "l2", lam, step, there)
        found[name][EXACT_SOLUTION] = again.model
    return found


@traces.metric("objective_per_pair", START, SWEEP)
def objective(part: Split, answer: Traced) -> Iterator[tuple[At, float]]:
    """Yield the objective after every sweep."""
    for start, model in answer.items():
        for sweep, value in enumerate(model.objective_.tolist()):
            yield {"start": start, "sweep": sweep}, value / part.train[0].shape[0]


@traces.metric("falls", START)
def falls(part: Split, answer: Traced) -> Iterator[tuple[At, float]]:
    """Yield the number of sweeps after which the objective is lower."""
    for start, model in answer.items():
        trace = model.objective_
        yield {"start": start}, (np.diff(trace) < -1e-9 * np.abs(trace[:-1])).sum()


@traces.metric("largest_fall", START)
def largest_fall(part: Split, answer: Traced) -> Iterator[tuple[At, float]]:
    """Yield how far it falls at most."""
    for start, model in answer.items():
        fall = (model.objective_[:-1] - model.objective_[1:]).max()
        yield {"start": start}, float(max(0.0, fall)) / part.train[0].shape[0]


@traces.metric("sweeps", number("share", "share={:g}"))
def sweeps_to(part: Split, answer: Traced) -> Iterator[tuple[At, float]]:
    """Yield the sweeps after which a share of the whole gain is made."""
    trace = answer[RANDOM_START].objective_
    for share in SHARES:
        reached = trace[0] + share * (trace[-1] - trace[0])
        yield {"share": share}, float(np.argmax(trace >= reached))


@traces.metric("newton_steps")
def newton_steps(part: Split, answer: Traced) -> float:
    """Return the mean number of Newton steps a column takes without a warm start."""
    from manyviews.kernels import coplsa as steps
    from manyviews.kernels import plsa as kernels

    model, X = answer[RANDOM_START], part.train[0]
    text, image = model.doc_topic_
    counts = np.empty_like(text)
    w = np.ascontiguousarray(model.topic_word_[0].T)
    kernels.fold_in_step(X.indptr, X.indices, X.data, text, w, counts)
    n = len(text)
    eta, out, weight = np.full(n, np.nan), np.empty_like(text), np.full(n, float(model.lam))
    if model.divergence == "skl":
        used = steps.h_step_skl(counts, image, np.log(image), weight, model.floor, eta, out)
    else:
        used = steps.h_step_l2(counts, image, weight, eta, out)
    return float(used / n)


_always: dict[str, Any] = {"runs": "trace.runs", "job": "objective"}
for _divergence, _methods in {"skl": [SKL], "l2": [L2, TWO_STEP], "l1": [L1, JOINT_STEP]}.items():
    _always["vary"] = {"lam": by_validation(_divergence)}
    traces.table("extra:objective", _methods, metrics=["objective_per_pair"], **_always)
    traces.table("extra:monotone", _methods, metrics=["falls", "largest_fall"], **_always)
    traces.table("extra:convergence", _methods, metrics=["sweeps"], **_always)
    if _divergence != "l1":  # its step needs no multiplier
        traces.table("extra:convergence", _methods[:1], metrics=["newton_steps"], **_always)
