"""Scores along the way: what every method of Table 2 would give after any number of iterations.

A fit is made once and looked at after every iteration, so one run answers all caps. The paper says
that EM runs until nothing changes; its figures lie nearer to fits of a few iterations. That is an
inference, found after seeing print, and so are the other readings this job writes into Table 2:

``short run``
    EM stopped after the number of iterations in the settings.
``linked documents``
    View agreement over the documents that have links.
``share mislabelled``
    The cells of the largest training share from runs at the smallest (PubMed).
``predicted again``
    Labelled points get the label the fitted model predicts for them; points without a view fall
    to the largest class (PubMed).
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from manyviews.models.multiview_kmeans import MultiViewKMeans
from reproduction.papers.multiview_hier.columns import ALL_POINTS
from reproduction.papers.multiview_hier.methods import FLAT_METHODS, FLAT_NAMES, MACRO
from reproduction.papers.multiview_hier.protocol import Case, Prepared, cases, paper_views, targets
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

TABLE = "trajectory"
AGREEMENT = "V1 vs V2"
#: Reading of the rows that a trajectory is made of.
RECORDED = "recorded"
SHORT, LINKED = "short run", "linked documents"
MISLABELLED, AGAIN = "share mislabelled", "predicted again"
#: Data sets whose 30 % row asks for an explanation of its own.
PUZZLING = ("pubmed",)


class Traced(MultiViewKMeans):
    """Keeps the labels a fit would have given had it stopped after each iteration."""

    def _iterate(self, *parts: Any) -> None:
        self._trail: list[np.ndarray] = []
        super()._iterate(*parts)

    def _swept(self, states: Any, sets: np.ndarray) -> None:
        scores = np.stack([state.scores for state in states], axis=1)
        self._trail.append(self._estep(len(states)).read(sets, scores, self._present))

    def trail(self, given: np.ndarray) -> list[np.ndarray]:
        """Return the labels after 1, 2, ... iterations; labelled rows keep theirs."""
        return [np.where(given >= 0, given, self.classes_[labels]) for labels in self._trail]


def macro(y: np.ndarray, guess: np.ndarray, n_classes: int) -> float:
    """Return macro F1 in per cent when every class occurs in ``y``, from one pass of counting."""
    table = np.bincount(y * n_classes + guess, minlength=n_classes**2)
    table = table.reshape(n_classes, n_classes)
    return 100 * float(np.mean(2 * table.diagonal() / (table.sum(axis=0) + table.sum(axis=1))))


def at_cap(trail: list[Any], cap: int) -> Any:
    """Return what a fit with this cap gives: the last entry if it had stopped before."""
    return trail[min(cap, len(trail)) - 1]


def trace(prepared: Prepared, case: Case, max_iter: int) -> dict[str, tuple[Traced, list[Any]]]:
    """Fit every flat method once; return it with its labels after each iteration."""
    found = {}
    for name in FLAT_NAMES:
        combine = FLAT_METHODS[name]
        model = Traced(combine, max_iter=max_iter)
        model.fit(prepared.for_method(combine), case.given)
        found[name] = (model, model.trail(case.given))
    return found


def recorded_rows(case: Case, trails: Mapping[str, list[np.ndarray]]) -> Iterator[Row]:
    """Yield the score of every method after every iteration, up to where its fit stopped."""
    n_classes = len(case.target.names)
    for name, trail in trails.items():
        for iteration, labels in enumerate(trail, start=1):
            at = {"train": case.percent, "iteration": iteration}
            value = macro(case.y, labels, n_classes)
            yield Row(TABLE, at, name, MACRO, value, RECORDED, case.run, "ours")
    one, two = trails["V1"], trails["V2"]
    for iteration in range(1, max(len(one), len(two)) + 1):
        at = {"train": case.percent, "iteration": iteration}
        same = float(np.mean(at_cap(one, iteration) == at_cap(two, iteration)))
        yield Row(TABLE, at, AGREEMENT, "view_agreement", same, RECORDED, case.run, "ours")


def reading_rows(
    case: Case,
    labels: Mapping[str, np.ndarray],
    reading: str,
    percent: float,
    seen: np.ndarray | None = None,
) -> list[Row]:
    """Return a reading's rows of Table 2: every method, and the views' agreement.

    Parameters
    ----------
    case, labels, reading
        The partition, each method's labels, and the name of the reading.
    percent
        Training share of the cells that the rows stand for.
    seen
        Mask of the points over which views agree; by default all.
    """
    at = {"level": case.target.level, "train": percent, "scored": ALL_POINTS}
    n_classes = len(case.target.names)
    same = labels["V1"] == labels["V2"]
    value = float(np.mean(same if seen is None else same[seen]))
    agree = Row("2", at, AGREEMENT, "view_agreement", value, reading, case.run)
    if seen is not None:
        return [agree]
    scores = [
        Row("2", at, name, MACRO, macro(case.y, found, n_classes), reading, case.run)
        for name, found in labels.items()
    ]
    return [*scores, agree]


def predicted_again(prepared: Prepared, case: Case, max_iter: int) -> dict[str, np.ndarray]:
    """Return labels that are predicted for labelled points too; ties go to the largest class."""
    counts = np.bincount(case.y[case.known], minlength=len(case.target.names))
    first = int(counts.argmax())
    turned = np.where(case.known, (case.y - first) % counts.size, -1)
    found = {}
    for name in FLAT_NAMES:
        views = prepared.for_method(FLAT_METHODS[name])
        model = MultiViewKMeans(FLAT_METHODS[name], max_iter=max_iter).fit(views, turned)
        labels = model.predict([view.raw for view in views])
        found[name] = (labels + first) % counts.size
    return found


def case_rows(context: Context, prepared: Prepared, case: Case) -> Iterator[Row]:
    """Yield all rows of one partition."""
    settings = context.settings
    traced = trace(prepared, case, settings.max_iter)
    trails = {name: trail for name, (_, trail) in traced.items()}
    yield from recorded_rows(case, trails)
    short = {name: at_cap(trail, settings.short_run) for name, trail in trails.items()}
    ended = {name: trail[-1] for name, trail in trails.items()}
    yield from reading_rows(case, short, SHORT, case.percent)
    linked = np.diff(prepared.pair[1].X.indptr) > 0
    yield from reading_rows(case, ended, LINKED, case.percent, linked)
    if context.job.dataset in PUZZLING:
        largest = max(settings.train)
        if case.percent == min(settings.train):
            yield from reading_rows(case, ended, MISLABELLED, largest)
        if case.percent == largest:
            again = predicted_again(prepared, case, settings.max_iter)
            yield from reading_rows(case, again, AGAIN, largest)


def run(context: Context) -> Result:
    """Record every method on all partitions of a data set."""
    settings = context.settings
    prepared = paper_views(context.data)
    (target,) = targets(context.data)
    runs = settings.trajectory_runs.of(context.job.dataset)
    plan = list(cases(context.job.dataset, target, settings.train, range(runs)))
    rows: list[Row] = []
    for case in context.progress(plan, f"{context.job.dataset} trajectories"):
        rows += case_rows(context, prepared, case)
    return Result(rows, {"partitions": runs, "short run": settings.short_run})
