r"""Consistent label sets only: paths from the root, and pairs of them.

On a tree the consistent sets are the empty set and the root-to-node paths, and two of them differ
in as many labels as their ends are apart in the tree; for one or two views the best pair is found
in :math:`O(K)` per point. On other ontologies the consistent sets are listed and all tuples tried.

**When soft equals hard.** With all ancestors and all disjoint pairs counted (the sets as the paper
defines them), take a label set with a violated pair and a lowest selected label below (or at) its
offending member: that label violates the same pair, and removing it creates no new violation, so
it saves at least :math:`\alpha_3` and costs at most :math:`\alpha_1 s + \alpha_2 (V - 1)`. If that
never exceeds :math:`\alpha_3` for any label but the roots, some soft optimum is consistent, and
the solver below solves the soft problem exactly.

Ties: fewest disagreements, then the largest tie score, then the first set in label order.
"""

import numpy as np

from manyviews.assignment.problem import DISAGREEMENT_WEIGHT, TIE, LabelSetProblem
from manyviews.kernels.assignment_sets import best_tuple
from manyviews.kernels.assignment_tree import path_ends

MAX_TUPLES = 1_000_000


def soft_is_hard(problem: LabelSetProblem, s: np.ndarray) -> np.ndarray:
    """Return for which points the theorem above makes the consistent optimum the soft one."""
    if problem.ontology is None:
        return np.zeros(len(s), dtype=bool)
    if problem.consistency == "hard":
        return np.ones(len(s), dtype=bool)
    literal = problem.subset == "ancestors" and problem.mutex == "disjoint"
    if not literal and int(problem.ontology.depth.max()) > 0:
        return np.zeros(len(s), dtype=bool)
    a1, a2, a3 = problem.alphas
    # labels that can take part in a violation as the offending member
    below, pairs = problem.ontology.subset_pairs("ancestors")[:, 0], problem.ontology.mutex_pairs()
    can = np.union1d(below, pairs)
    if not can.size:
        return np.ones(len(s), dtype=bool)
    top = s[:, :, can].max(axis=(1, 2))
    return a1 * top + a2 * (problem.n_views - 1) <= a3


def obstacle(problem: LabelSetProblem, scores: np.ndarray | None = None) -> str:
    """Return why listing consistent sets does not solve the problem ('' if it does)."""
    if problem.ontology is None:
        return "consistent paths need an ontology"
    tree = problem.ontology.is_tree and problem.mutex != "declared"
    if not (tree and problem.n_views <= 2):
        try:
            count = len(problem.ontology.consistent_sets(problem.mutex))
        except ValueError as error:
            return str(error)
        if float(count) ** problem.n_views > MAX_TUPLES:
            return f"{count} consistent sets in {problem.n_views} views are too many tuples"
    if scores is not None and not soft_is_hard(problem, scores).all():
        return (
            "soft optima may violate the ontology for these scores (a label's score is large "
            "enough to pay for a violation, or the pairs are not all ancestors and all disjoint)"
        )
    return ""


def solve_hard(
    problem: LabelSetProblem, s: np.ndarray, ties: np.ndarray | None = None
) -> np.ndarray:
    """Return the best consistent label sets (points, views, labels)."""
    assert problem.ontology is not None
    t = s if ties is None else ties
    a1, a2, _ = problem.alphas
    views, k = s.shape[1:]
    if problem.ontology.is_tree and problem.mutex != "declared" and views <= 2:
        parent = np.array(
            [p[0] if p else -1 for p in problem.ontology.parent_index], dtype=np.int64
        )
        ends = path_ends(s, t, parent, a1, a2, DISAGREEMENT_WEIGHT, TIE)
        table = np.vstack([problem.ontology.above, np.zeros((1, k), dtype=bool)])
        return table[ends]  # -1, the empty set, is the last row
    sets = problem.ontology.consistent_sets(problem.mutex)
    as_float = sets.astype(np.float64)
    size = as_float.sum(axis=1)
    distance = size[:, None] + size[None, :] - 2.0 * (as_float @ as_float.T)
    chosen = best_tuple(
        a1 * (s @ as_float.T), t @ as_float.T, distance, a2, DISAGREEMENT_WEIGHT, TIE
    )
    return sets[chosen]
