"""One entry point: choose an exact solver, solve, and check what it returned.

``solver="auto"`` takes the fastest exact solver whose conditions hold, point by point where they
depend on the scores:

=============  ==================================================================================
name           solves
=============  ==================================================================================
``flat``       flat classes, any number of views, scores for which the closed form is proved
``paths``      hard consistency; soft penalties on all ancestors and all disjoint pairs while no
               score can pay for a violation
``enumerate``  any ontology with up to 15 labels (two views) or 18 bits over all views
``tree``       soft penalties on a tree, any number of labels: parent edges and siblings, or with
               one view all ancestors and all disjoint pairs
``batch``      anything, as block-diagonal mixed integer programmes
``cvxpy``      anything, point by point: the reference (never chosen automatically)
=============  ==================================================================================
"""

from collections.abc import Callable

import numpy as np

from manyviews.assignment import enumeration, flat, hard_paths, tree_dp
from manyviews.assignment.mip import solve_batch, solve_cvxpy
from manyviews.assignment.problem import Assignment, LabelSetProblem
from manyviews.validation import check_choice

__all__ = ["solve"]

Solver = Callable[[LabelSetProblem, np.ndarray, np.ndarray | None], np.ndarray]
Obstacle = Callable[[LabelSetProblem, np.ndarray], str]


#: Every solver with what tells why it cannot solve a problem ('' if it can).
SOLVERS: dict[str, tuple[Solver, Obstacle]] = {
    "flat": (flat.solve_flat, flat.obstacle),
    "paths": (hard_paths.solve_hard, hard_paths.obstacle),
    "enumerate": (enumeration.solve_enumeration, enumeration.obstacle),
    "tree": (tree_dp.solve_tree, tree_dp.obstacle),
    "batch": (solve_batch, lambda problem, scores: ""),  # programmes solve everything
    "cvxpy": (solve_cvxpy, lambda problem, scores: ""),
}
#: Above this many labels the tree programme beats enumeration.
TREE_FROM = 6


def choose(problem: LabelSetProblem, s: np.ndarray) -> str:
    """Return the name of the fastest exact solver that covers all points of checked scores."""
    if not flat.obstacle(problem, s):
        return "flat"
    if not hard_paths.obstacle(problem, s):
        return "paths"
    tree = not tree_dp.obstacle(problem)
    if tree and problem.n_labels >= TREE_FROM:
        return "tree"
    if not enumeration.obstacle(problem):
        return "enumerate"
    return "tree" if tree else "batch"


def best_sets(
    problem: LabelSetProblem, s: np.ndarray, t: np.ndarray | None = None, solver: str = "auto"
) -> tuple[np.ndarray, str]:
    """Return optimal label sets of checked scores, and the solvers used.

    The estimators call this in every E-step: their cosines are sound because their views were
    checked. Everybody else calls :func:`solve`.
    """
    if solver != "auto":
        solve_all, obstacle = SOLVERS[solver]
        reason = obstacle(problem, s)
        if reason:
            raise ValueError(f"{reason}; use solver='auto', which falls back to an exact search")
        return solve_all(problem, s, t), solver
    name = choose(problem, s)
    whole = name in ("flat", "paths")
    easy = np.zeros(len(s), dtype=bool) if whole else hard_paths.soft_is_hard(problem, s)
    if not easy.any() or hard_paths.obstacle(problem):
        return SOLVERS[name][0](problem, s, t), name
    labels = np.zeros(s.shape, dtype=bool)
    for part, mask in (("paths", easy), (name, ~easy)):
        labels[mask] = SOLVERS[part][0](problem, s[mask], None if t is None else t[mask])
    return labels, f"paths+{name}"


def solve(
    problem: LabelSetProblem,
    scores: np.ndarray,
    *,
    ties: np.ndarray | None = None,
    solver: str = "auto",
) -> Assignment:
    """Return optimal label sets for every point.

    Parameters
    ----------
    problem
        What to maximise.
    scores
        (points, views, labels); with one view (points, labels) will do.
    ties
        Scores that decide between sets of equal objective and equal disagreement (default: the
        scores themselves). Hier-PRODSCORE gives the summed scores here, because its products
        vanish wherever one view is empty.
    solver
        ``"auto"`` or a name of the table above; a solver that cannot solve the problem says why.
    """
    check_choice("solver", solver, ("auto", *SOLVERS))
    s = problem.check_scores(scores)
    t = None if ties is None else problem.check_scores(ties)
    labels, used = best_sets(problem, s, t, solver)
    objective = problem.value(s, labels)
    if np.isneginf(objective).any():
        point = int(np.flatnonzero(np.isneginf(objective))[0])
        raise ValueError(
            f"solver {used!r} returned label sets of point {point} that break a hard constraint; "
            "please report the scores of that point"
        )
    return Assignment(labels, objective, used)
