r"""Closed form of flat MAXAGREE, equations (7) and (8), for any number of views.

If every label's gain in one view, :math:`\alpha_1 s + \alpha_2 (V - 1)`, is at most
:math:`\alpha_3`, dropping a second label of a view never loses; if
:math:`\alpha_3 + \alpha_1 s \ge \alpha_2 (V - 1)`, giving an empty view a label never loses. So
some optimum has exactly one label per view. The views then split into blocks that agree; a block
takes the argmax of its summed scores, and every pair of views in different blocks costs
:math:`2 \alpha_2`. For two views they disagree exactly if

.. math:: \max_i s^{(1)}_i + \max_i s^{(2)}_i - \max_i (s^{(1)}_i + s^{(2)}_i)
          > 2 \alpha_2 / \alpha_1 .

Ties: agreement first, then the lowest label index.
"""

from functools import cache

import numpy as np

from manyviews.assignment.problem import TIE, LabelSetProblem
from manyviews.kernels.assignment_flat import extremes, many_views, two_views

MAX_VIEWS = 8


@cache
def set_partitions(n_views: int) -> tuple[np.ndarray, np.ndarray]:
    """Return all partitions of the views as block numbers, and their cross-block pairs."""
    rows: list[list[int]] = [[0]]
    for _ in range(1, n_views):
        rows = [[*row, b] for row in rows for b in range(max(row) + 2)]
    blocks = np.array(rows, dtype=np.int64)
    same = (blocks[:, :, None] == blocks[:, None, :]).sum(axis=(1, 2))
    cross = (n_views * n_views - same) // 2
    order = np.argsort(cross, kind="stable")
    return blocks[order], cross[order]


def obstacle(problem: LabelSetProblem, scores: np.ndarray) -> str:
    """Return why the closed form is not proved for these scores ('' if it is)."""
    if problem.ontology is not None:
        return "the closed form is for flat classes; this problem has an ontology"
    if problem.n_views > MAX_VIEWS:
        return f"the closed form lists set partitions of at most {MAX_VIEWS} views"
    if problem.consistency == "hard":
        return ""
    a1, a2, a3 = problem.alphas
    low, top = extremes(scores.ravel())
    reach = a2 * (problem.n_views - 1)
    if a1 * top + reach > a3 + TIE:
        return (
            f"the largest score {top:.6g} makes a second label worth its penalty "
            f"(alpha1 * score + alpha2 * (V - 1) = {a1 * top + reach:.6g} > alpha3 = {a3:g})"
        )
    if a3 + a1 * low < reach - TIE:
        return (
            f"the smallest score {low:.6g} makes an empty view worth its penalty "
            f"(alpha3 + alpha1 * score < alpha2 * (V - 1) = {reach:g})"
        )
    return ""


def solve_flat(
    problem: LabelSetProblem, s: np.ndarray, ties: np.ndarray | None = None
) -> np.ndarray:
    """Return the label sets (points, views, labels) by the closed form.

    The problem has no :func:`obstacle` and the scores are checked. ``ties`` is accepted for the
    common signature; it cannot matter here, because sets that tie in objective and disagreement
    also tie in their summed score.
    """
    a1, a2, _ = problem.alphas
    labels = np.zeros(s.shape, dtype=bool)
    if problem.n_views == 2:
        two_views(s, a1, a2, TIE, labels)
    else:
        blocks, cross = set_partitions(problem.n_views)
        many_views(s, blocks, cross, a1, a2, TIE, labels)
    return labels
