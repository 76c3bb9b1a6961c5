"""The exact solvers against cvxpy with HiGHS on a fixed sample of real E-step problems.

The problems are those of the first E-step at the first training share, partition 0: cosines of
unlabelled points with the centroids of the labelled ones. Per data set and programme the table
``extra:mip_check`` holds the number of points, the share whose objectives agree to 1e-9 and the
largest difference; ``time:mip_check`` the seconds per point of every solver.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from manyviews.assignment.mip import CvxpyReference, solve_batch
from manyviews.assignment.ontology import Ontology
from manyviews.assignment.problem import LabelSetProblem
from manyviews.assignment.solvers import solve
from manyviews.models.spherical_view import ViewState, prepare_views
from manyviews.seeding import generator
from reproduction.data.format import MultiViewData
from reproduction.papers.multiview_hier import PAPER
from reproduction.papers.multiview_hier.protocol import paper_matrices, partition
from reproduction.papers.multiview_hier.table4 import sample
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import Result, Row

TOLERANCE = 1e-9
#: Trees with more labels are checked with parent edges and siblings only: all disjoint pairs would
#: be tens of thousands of slack variables per point.
MANY_LABELS = 40
#: cvxpy needs seconds per point on trees with more labels; a fifth (a tenth) of the points does.
SOME_LABELS = 15
#: The exact solver is timed on so many points at once, as an E-step would call it.
TIMED = 20_000


def first_scores(data: MultiViewData, percent: float, sets: np.ndarray) -> np.ndarray:
    """Return the cosines (points, views, labels) of unlabelled points in the first E-step."""
    known = partition(data.name, percent, 0, data.labels)
    scores = []
    for view in prepare_views(paper_matrices(data)):
        state = ViewState(view, sets.shape[1])
        state.update(sets & known[:, None])
        scores.append(state.scores[~known])
    return np.stack(scores, axis=1)


def programmes(
    data: MultiViewData, percent: float
) -> dict[str, tuple[LabelSetProblem, np.ndarray]]:
    """Return method -> (problem, scores) for everything the paper solves by MIP on this set."""
    one_hot = np.eye(len(data.class_names), dtype=bool)[data.labels]
    flat = first_scores(data, percent, one_hot)
    found = {"MAXAGREE": (LabelSetProblem.flat(flat.shape[2]), flat)}
    if data.ontology is None:
        return found
    ontology = Ontology(data.ontology)
    column = [ontology.index[name] for name in data.class_names]
    scores = first_scores(data, percent, ontology.above[np.array(column)[data.labels]])
    one = LabelSetProblem.hierarchical(ontology, 1)
    two = LabelSetProblem.hierarchical(ontology, 2)
    if len(ontology) > MANY_LABELS:
        one, two = (replace(p, subset="parents", mutex="siblings") for p in (one, two))
    total = scores.sum(axis=1, keepdims=True)
    product = scores.prod(axis=1, keepdims=True)
    return found | {
        "Hier-SUMSCORE": (one, total),
        "Hier-PRODSCORE": (one, product),
        "Hier-MAXAGREE": (two, scores),
    }


def _timed(function: Any, *arguments: Any, **options: Any) -> tuple[Any, float]:
    with stopwatch() as watch:
        result = function(*arguments, **options)
    return result, watch.seconds


def check(
    problem: LabelSetProblem,
    scores: np.ndarray,
    picked: np.ndarray,
    at: Mapping[str, Any],
    method: str,
) -> list[Row]:
    """Compare and time all solvers on the picked points."""
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
    facts = {
        "points": float(len(points)),
        "cvxpy_agrees_pct": 100 * float((gap <= TOLERANCE).mean()),
        "batch_agrees_pct": 100 * float((batch_gap <= TOLERANCE).mean()),
        "largest_difference": float(round(max(gap.max(), batch_gap.max()), 12)),
        "labels": float(problem.n_labels),
    }
    rows = [Row("extra:mip_check", at, method, name, value) for name, value in facts.items()]
    times = {
        "cvxpy_ms_per_point": 1e3 * slow / len(points),
        "batch_ms_per_point": 1e3 * middle / len(points),
        "exact_ms_per_point": 1e3 * fast / len(many),
    }
    times["speed_ratio"] = times["cvxpy_ms_per_point"] / times["exact_ms_per_point"]
    return rows + [Row("time:mip_check", at, method, n, v) for n, v in times.items()]


def run(context: Context) -> Result:
    """Check every data set's programmes on a fixed sample."""
    rows: list[Row] = []
    details = {}
    percent = context.settings.train[0]
    for key, whole in context.progress(list(context.views.items()), "MIP check"):
        data = sample(whole, context.settings.tree_rows_per_leaf)
        for method, (problem, scores) in programmes(data, percent).items():
            rng = generator(PAPER, key, method, "mip_check")
            size = context.settings.mip_points
            if problem.ontology is not None and problem.n_labels > SOME_LABELS:
                size = max(1, size // (10 if problem.n_labels > MANY_LABELS else 5))
            picked = np.sort(rng.choice(len(scores), size=min(size, len(scores)), replace=False))
            at = {"origin": key, "train": percent}
            rows += check(problem, scores, picked, at, method)
            details[f"{key} {method}"] = {
                "solver": solve(problem, scores[picked]).solver,
                "points": picked.tolist(),
                "subset_pairs": len(problem.subset_pairs),
                "mutex_pairs": len(problem.mutex_pairs),
            }
    return Result(rows, details)
