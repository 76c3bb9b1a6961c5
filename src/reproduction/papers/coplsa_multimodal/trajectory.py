"""Scores along the way: what Table 1's topic models give after few sweeps and few fold-in steps.

Every model is trained once and looked at after chosen sweeps. The paper does not say how long it
trained. Its figures lie near those of short runs under the joint protocol: an inference, found
after seeing print. Two readings of Table 1 come from it:

``short run``
    Fewer sweeps and fold-in steps, and nothing else: equal weights in Link PLSA, lambda chosen on
    training data that are set aside, under the same short training.
``short run, fitted``
    Besides, Link PLSA's weights and the lambdas that bring the cells nearest to print.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from manyviews.models.coplsa import CoPLSA
from manyviews.models.link_plsa import LinkPLSA
from reproduction.papers.coplsa_multimodal.columns import LINK
from reproduction.papers.coplsa_multimodal.models import METHODS, TopicModel, folded
from reproduction.papers.coplsa_multimodal.protocol import (
    FULL,
    METRIC,
    PAIR,
    Rankings,
    Spaces,
    Split,
    load_split,
    mean_map,
    start,
    validation_split,
)
from reproduction.papers.coplsa_multimodal.settings import PaperSettings
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

TABLE = "trajectory"
RECORDED = "recorded"
SHORT, FITTED = "short run", "short run, fitted"
EQUAL = 0.5

Model = TypeVar("Model", CoPLSA, LinkPLSA)


class _Traced:
    """Keeps the topics a fit would have given had it stopped after the sweeps that are wanted."""

    wanted: Collection[int] = ()
    n_iter_: int

    def keep(self, topics: Sequence[np.ndarray], doc_topic: Any) -> None:
        """Note the state after a sweep that is wanted."""
        if self.n_iter_ in self.wanted:
            kept = [np.ascontiguousarray(w.T) for w in topics]
            self.seen_[self.n_iter_] = (kept, copy.deepcopy(doc_topic))

    @property
    def seen_(self) -> dict[int, tuple[list[np.ndarray], Any]]:
        """Topics and compositions, by sweep."""
        return self.__dict__.setdefault("_seen", {})


class TracedCoPLSA(_Traced, CoPLSA):
    """Co-regularised PLSA that is looked at along the way."""

    def _swept(self, hs: list[np.ndarray], ws: list[np.ndarray]) -> None:
        self.keep(ws, hs)


class TracedLinkPLSA(_Traced, LinkPLSA):
    """Link PLSA that is looked at along the way."""

    def _swept(self, h: np.ndarray, w: np.ndarray) -> None:
        cuts = np.cumsum([0, *self.n_features_in_])
        self.keep([w[first:last] for first, last in pairwise(cuts)], h)


def stopped(model: Any, Xs: Sequence[Any], wanted: Collection[int]) -> dict[int, Any]:
    """Fit once; return the model as it would be after each of the sweeps that are wanted."""
    model.wanted = wanted
    model.fit(Xs)
    found = {}
    for sweep, (topics, doc_topic) in model.seen_.items():
        found[sweep] = copy.copy(model)
        found[sweep].topic_word_, found[sweep].doc_topic_ = topics, doc_topic
        found[sweep].n_iter_ = sweep
    return found


def trace_link(
    split: Split, settings: PaperSettings, run: int, sweeps: Collection[int], share: float = EQUAL
) -> dict[int, TopicModel]:
    """Train Link PLSA with a weight of the image; return it after each number of sweeps."""
    n_topics = settings.topics.of(split.name)
    model = TracedLinkPLSA(
        n_topics, alpha=(1 - share, share), max_iter=max(sweeps), tol=0.0,
        init=start(split, n_topics, run),
    )  # fmt: skip
    return stopped(model, split.train, sweeps)


def trace_coupled(
    split: Split,
    settings: PaperSettings,
    run: int,
    sweeps: Collection[int],
    divergence: str,
    lam: float,
) -> dict[int, TopicModel]:
    """Train one co-regularised PLSA; return it after each number of sweeps."""
    n_topics = settings.topics.of(split.name)
    h, ws = start(split, n_topics, run)
    model = TracedCoPLSA(
        n_topics, divergence=divergence, lam=lam, max_iter=max(sweeps), tol=0.0, init=([h, h], ws)
    )
    return stopped(model, split.train, sweeps)


def rankings_after(
    model: TopicModel, split: Split, settings: PaperSettings, steps: int, **changes: Any
) -> Rankings:
    """Rankings of the evaluated pairs, folded in together with so many steps.

    ``changes`` may give the inverse ridge ``c`` of the classifiers, and the training items they
    learn from in place of refolded ones (``learn_from``).
    """
    train, test = folded(model, split, "joint", steps)
    spaces = Spaces.of(train, test, split.train_labels, changes.get("c", settings.regression_C))
    learn_from: PAIR | None = changes.get("learn_from")
    if learn_from is not None:
        other = Spaces.of(learn_from, test, split.train_labels, settings.regression_C)
        spaces = Spaces(spaces.topic, other.semantic)
    return spaces.rankings(split.test_labels)


def rows_of(
    rankings: Rankings, table: str, method: str, reading: str, run: int, role: str, **at: Any
) -> list[Row]:
    """Full-list MAP in both spaces and directions."""
    return [
        Row(
            table, {**at, "space": space, "direction": direction}, method, METRIC,
            float(ranking.average_precision(FULL).mean()), reading, run, role,
        )
        for (space, direction), ranking in rankings.items()
    ]  # fmt: skip


class Recorder:
    """Rows of one method: its trajectory, and the readings of Table 1 taken from it."""

    def __init__(self, context: Context, method: str) -> None:
        self.settings: PaperSettings = context.settings
        self.own = self.settings.trajectory
        self.split = load_split(context.data, self.settings)
        self.method = method
        self.rows: list[Row] = []

    def record(
        self,
        models: dict[int, TopicModel],
        run: int,
        readings: Iterable[str],
        *,
        folds: bool = False,
        **at: Any,
    ) -> None:
        """Score a model after each of its sweeps, and after more fold-in steps if wanted."""
        short = (self.own.short_sweeps, self.own.short_steps)
        places = [(sweep, self.own.short_steps) for sweep in models]
        if folds:
            places += [(short[0], n) for n in self.own.fold_steps if n != short[1]]
        for sweep, steps in places:
            rankings = rankings_after(models[sweep], self.split, self.settings, steps)
            place = {"sweep": sweep, "steps": steps, **at}
            self.rows += rows_of(
                rankings, TABLE, self.method, RECORDED, run, "ours", **place
            )  # fmt: skip
            if (sweep, steps) == short:
                for reading in readings:
                    self.rows += rows_of(rankings, "1", self.method, reading, run, "published")

    def needs(self, model: TopicModel, run: int) -> None:
        """Score the short run with other penalties, and classifiers learnt on coupled items."""
        doc_topic = model.doc_topic_
        coupled = doc_topic if isinstance(doc_topic, list) else [doc_topic, doc_topic]
        variants: list[tuple[str, float, dict[str, Any]]] = [
            ("refolded", c, {"c": c}) for c in self.own.penalties
        ]
        variants.append(("coupled", self.settings.regression_C, {"learn_from": coupled}))
        for items, c, changes in variants:
            rankings = rankings_after(
                model, self.split, self.settings, self.own.short_steps, **changes
            )
            semantic = {place: r for place, r in rankings.items() if place[0] == "semantic"}
            self.rows += rows_of(
                semantic, "choice:short_run", self.method, RECORDED, run, "ours",
                items=items, penalty=c,
            )  # fmt: skip


def run_link(context: Context) -> Result:
    """Link PLSA with equal weights along its training, and with a heavier image."""
    recorder = Recorder(context, LINK)
    own = recorder.own
    sweeps = {*own.sweeps, own.short_sweeps}
    for run in context.progress(range(own.runs), LINK):
        models = trace_link(recorder.split, recorder.settings, run, sweeps)
        folds = run < own.fold_runs
        recorder.record(models, run, (SHORT,), folds=folds, image_share=EQUAL)
        if folds:
            recorder.needs(models[own.short_sweeps], run)
        heavy = trace_link(
            recorder.split, recorder.settings, run, {own.short_sweeps}, own.image_share
        )
        recorder.record(heavy, run, (FITTED,), image_share=own.image_share)
    return Result(recorder.rows, {"image share, fitted": own.image_share})


def choose_lambda(context: Context, divergence: str) -> tuple[float, list[Row]]:
    """Choose lambda on training pairs set aside, under the short training, with one seed."""
    settings: PaperSettings = context.settings
    own = settings.trajectory
    split = validation_split(context.data, settings)
    rows, scores = [], {}
    for lam in settings.lambda_grid.of(divergence):
        models = trace_coupled(split, settings, 0, {own.short_sweeps}, divergence, lam)
        rankings = rankings_after(models[own.short_sweeps], split, settings, own.short_steps)
        scores[lam] = mean_map(rankings)
        rows += rows_of(
            rankings, "choice:short_lambda", METHODS[divergence], SHORT, 0, "ours", lambda_=lam
        )
    return max(scores, key=lambda lam: (scores[lam], -lam)), rows


def _run(context: Context, divergence: str) -> Result:
    chosen, rows = choose_lambda(context, divergence)
    recorder = Recorder(context, METHODS[divergence])
    own, split, settings = recorder.own, recorder.split, recorder.settings
    fitted = own.fitted_lambda.of(divergence)
    for run in context.progress(range(own.runs), recorder.method):
        sweeps = {own.short_sweeps}
        if run < own.coupled_runs:
            sweeps |= {*own.coupled_sweeps}
        models = trace_coupled(split, settings, run, sweeps, divergence, fitted)
        readings = (SHORT, FITTED) if chosen == fitted else (FITTED,)
        folds = run < own.fold_runs
        recorder.record(models, run, readings, folds=folds, lambda_=fitted)
        if folds:
            recorder.needs(models[own.short_sweeps], run)
        if chosen != fitted:
            models = trace_coupled(split, settings, run, {own.short_sweeps}, divergence, chosen)
            recorder.record(models, run, (SHORT,), lambda_=chosen)
    details = {"lambda by validation": chosen, "lambda by fit": fitted}
    return Result([*rows, *recorder.rows], details)


def run_skl(context: Context) -> Result:
    """Symmetric KL co-regulariser."""
    return _run(context, "skl")


def run_l2(context: Context) -> Result:
    """Squared distance as co-regulariser."""
    return _run(context, "l2")


def run_l1(context: Context) -> Result:
    """Absolute distance as co-regulariser."""
    return _run(context, "l1")
