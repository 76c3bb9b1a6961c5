r"""Exact search over all label sets, for any ontology with few labels.

The penalties of all :math:`2^K` label sets are tabulated once. With one shared label set the
answer is :math:`\arg\max_A s \cdot A - P(A)`; with two views the disagreement term is a
max-convolution that separates over the bits, :math:`O(K 2^K)` per point instead of
:math:`O(4^K)`; with more views the joint sets of all views are enumerated.

Ties: fewest disagreements, then the largest tie score (the summed scores unless given), then the
lowest bit mask (label 0 is the lowest bit).
"""

import numpy as np

from manyviews.assignment.problem import DISAGREEMENT_WEIGHT, TIE, LabelSetProblem
from manyviews.kernels.assignment_sets import best_pair, best_set

MAX_LABELS = 15
MAX_JOINT_BITS = 18


def label_masks(n_labels: int) -> np.ndarray:
    """Return all label sets as a boolean table; row A holds the bits of A."""
    masks = np.arange(1 << n_labels)
    return (masks[:, None] >> np.arange(n_labels)) & 1 == 1


def obstacle(problem: LabelSetProblem, scores: np.ndarray | None = None) -> str:
    """Return why the problem is too large to enumerate ('' if it is not)."""
    k, views = problem.n_labels, problem.n_views
    if views <= 2:
        if k > MAX_LABELS:
            return f"{k} labels are too many to enumerate (at most {MAX_LABELS})"
    elif k * views > MAX_JOINT_BITS:
        return f"{views} views of {k} labels are too many to enumerate ({MAX_JOINT_BITS} bits)"
    return ""


def _penalties(problem: LabelSetProblem, sets: np.ndarray) -> np.ndarray:
    """Return the cost of joint label sets (points, views, labels)."""
    broken = problem.violations(sets).sum(axis=-1)
    if problem.consistency == "hard":
        return np.where(broken > 0, np.inf, 0.0)
    return problem.alphas[2] * broken.astype(np.float64)


def solve_enumeration(
    problem: LabelSetProblem, s: np.ndarray, ties: np.ndarray | None = None
) -> np.ndarray:
    """Return the label sets (points, views, labels) by exhaustive search."""
    t = s if ties is None else ties
    a1, a2, _ = problem.alphas
    n, views, k = s.shape
    if views == 2:
        table = label_masks(k)
        cost = _penalties(problem, table[:, None, :])
        chosen = best_pair(a1 * s, cost, t, a2, DISAGREEMENT_WEIGHT, TIE)
        return table[chosen]
    joint = label_masks(k * views).reshape(-1, views, k)
    apart = problem.disagreements(joint).astype(np.float64)
    cost = _penalties(problem, joint) + a2 * apart
    flat = best_set(a1 * s.reshape(n, -1), cost, t.reshape(n, -1), DISAGREEMENT_WEIGHT * apart, TIE)
    return joint[flat]
