"""The exact solvers against cvxpy with HiGHS on a fixed sample of real E-step problems.

The problems are those of the first E-step at the first training share, partition 0: cosines of
unlabelled points with the centroids of the labelled ones. For each programme the table
``extra:mip_check`` holds the number of points, the share whose objectives agree to 1e-9 and the
largest difference; ``time:mip_check`` the seconds per point of every solver.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from reproduction.papers.multiview_hier.names import FLAT, HIER_NAMES, PAPER, TRAIN, TREES
from reproduction.papers.multiview_hier.protocol import add_fact
from reproduction.papers.multiview_hier.settings import PaperSettings
from reproduction.papers.multiview_hier.trees import Leaves, leaves, tree_views
from reproduction.results.jobs import stopwatch
from reproduction.results.study import Protocol

if TYPE_CHECKING:
    from manyviews.assignment.problem import LabelSetProblem

TOLERANCE = 1e-9
#: Trees with more labels are checked with parent edges and siblings only: all disjoint pairs would
#: be tens of thousands of slack variables per point.
MANY_LABELS = 40
#: cvxpy needs seconds per point on trees with more labels; a fifth (a tenth) of the points does.
SOME_LABELS = 15
#: The exact solver is timed on so many points at once, as an E-step would call it.
TIMED = 20_000
#: Documents kept of every class, drawn once.
ROWS = 200
FACTS = ("points", "cvxpy_agrees_pct", "batch_agrees_pct", "largest_difference", "labels")
TIMES = ("cvxpy_ms_per_point", "batch_ms_per_point", "exact_ms_per_point", "speed_ratio")


def first_scores(part: Leaves, sets: np.ndarray) -> np.ndarray:
    """Return the cosines (points, views, labels) of unlabelled points in the first E-step."""
    from manyviews.models.spherical_view import ViewState

    scores = []
    for view in part.views.pair:
        state = ViewState(view, sets.shape[1])
        state.update(sets & part.known[:, None])
        scores.append(state.scores[~part.known])
    return np.stack(scores, axis=1)


def programme(part: Leaves, method: str) -> tuple[LabelSetProblem, np.ndarray]:
    """Return the problem that the paper solves by MIP, and the scores of its points."""
    from manyviews.assignment.problem import LabelSetProblem

    if method == "MAXAGREE":
        flat = first_scores(part, np.eye(len(part.views.data.class_names), dtype=bool)[part.y])
        return LabelSetProblem.flat(flat.shape[2]), flat
    scores = first_scores(part, part.ontology.above[part.columns[part.y]])
    problem = LabelSetProblem.hierarchical(part.ontology, 2 if method == "Hier-MAXAGREE" else 1)
    if len(part.ontology) > MANY_LABELS:
        problem = replace(problem, subset="parents", mutex="siblings")
    joined = {
        "Hier-SUMSCORE": lambda: scores.sum(axis=1, keepdims=True),
        "Hier-PRODSCORE": lambda: scores.prod(axis=1, keepdims=True),
        "Hier-MAXAGREE": lambda: scores,
    }
    return problem, joined[method]()


def _timed(function: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    with stopwatch() as watch:
        result = function(*arguments)
    return result, watch.seconds


class Checked:
    """What the check of one programme found."""

    def __init__(self, problem: LabelSetProblem, scores: np.ndarray, picked: np.ndarray) -> None:
        """Compare and time all solvers on the picked points."""
        from manyviews.assignment.mip import CvxpyReference, solve_batch
        from manyviews.assignment.solvers import solve

        points = scores[picked]
        solve(problem, points)  # loads the compiled kernels
        reference = CvxpyReference(problem)
        reference.solve(points[:1])  # states the programme
        labels, slow = _timed(reference.solve, points)
        batched, middle = _timed(solve_batch, problem, points)
        exact = solve(problem, points)
        enough = TIMED if scores[0].size < 100 else TIMED // 10
        many = np.resize(scores, (enough, *scores.shape[1:]))
        _, fast = _timed(solve, problem, many)
        gap = np.abs(problem.objective(points, labels) - exact.objective)
        batch_gap = np.abs(problem.objective(points, batched) - exact.objective)
        agree = [100 * float((each <= TOLERANCE).mean()) for each in (gap, batch_gap)]
        largest = float(round(max(gap.max(), batch_gap.max()), 12))
        seconds = slow / len(points), middle / len(points), fast / len(many)
        facts = (len(points), *agree, largest, problem.n_labels)
        times = (*(1e3 * each for each in seconds), seconds[0] / seconds[2])
        self.facts = dict(zip((*FACTS, *TIMES), (*facts, *times), strict=True))


def solved(part: Leaves, seeded: Any, mip_points: int, *, method: str) -> Checked:
    """Check one method's programme on a sample of its points."""
    problem, scores = programme(part, method)
    size = mip_points
    if problem.ontology is not None and problem.n_labels > SOME_LABELS:
        size = max(1, size // (10 if problem.n_labels > MANY_LABELS else 5))
    rng = seeded(method, "mip_check")
    picked = rng.choice(len(scores), size=min(size, len(scores)), replace=False)
    return Checked(problem, scores, np.sort(picked))


checks = Protocol(PAPER, (*FLAT, *TREES), PaperSettings)
checks.views(lambda data: tree_views(data, ROWS))
checks.split(leaves)
for _name in ("MAXAGREE", *HIER_NAMES):
    checks.method(_name)(partial(solved, method=_name))
for _name in (*FACTS, *TIMES):
    add_fact(checks, _name)
for _methods, _datasets in ((["MAXAGREE"], checks.datasets), (HIER_NAMES, TREES)):
    for _table, _metrics in (("extra:mip_check", FACTS), ("time:mip_check", TIMES)):
        checks.table(
            _table, _methods, metrics=_metrics, runs=1, datasets=_datasets, job="mip_check",
            vary={"share": lambda train: train[:1]}, columns={"share": TRAIN},
            timed=_metrics is TIMES,
        )  # fmt: skip
