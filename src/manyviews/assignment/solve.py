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

Solver = Callable[[LabelSetProblem, np.ndarray, np.ndarray | None], np.ndarray]

SOLVERS: dict[str, Solver] = {
    "flat": flat.solve_flat,
    "paths": hard_paths.solve_hard,
    "enumerate": enumeration.solve_enumeration,
    "tree": tree_dp.solve_tree,
    "batch": solve_batch,
    "cvxpy": solve_cvxpy,
}
#: Above this many labels the tree programme beats enumeration.
TREE_FROM = 6


def choose(problem: LabelSetProblem, scores: np.ndarray) -> str:
    """Return the name of the fastest exact solver that covers all given points."""
    s = problem.check_scores(scores)
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


def _split(problem: LabelSetProblem, s: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """Return solver names with the points they are to solve."""
    name = choose(problem, s)
    everything = np.ones(len(s), dtype=bool)
    if name in ("flat", "paths"):
        return [(name, everything)]
    easy = hard_paths.soft_is_hard(problem, s)
    if easy.any() and not hard_paths.obstacle(problem):
        return [("paths", easy), (name, ~easy)]
    return [(name, everything)]


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
    if solver == "auto":
        labels = np.zeros(s.shape, dtype=bool)
        used = []
        for name, mask in _split(problem, s):
            if mask.all():
                labels = SOLVERS[name](problem, s, t)
            elif mask.any():
                labels[mask] = SOLVERS[name](problem, s[mask], None if t is None else t[mask])
            if mask.any():
                used.append(name)
        solver = "+".join(used) or "flat"
    else:
        labels = SOLVERS[solver](problem, s, t)
    objective = problem.objective(s, labels)
    if np.isneginf(objective).any():
        point = int(np.flatnonzero(np.isneginf(objective))[0])
        raise ValueError(
            f"solver {solver!r} returned label sets of point {point} that break a hard constraint; "
            "please report the scores of that point"
        )
    return Assignment(labels, objective, solver)
