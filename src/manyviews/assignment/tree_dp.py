r"""Tree dynamic programmes for soft penalties, any number of labels.

**Parent edges and siblings, any number of views.** With :math:`F_i(\sigma)` the best value of the
subtree of i when i is selected in the views of :math:`\sigma`, the children of i interact only
through the numbers :math:`t_v` of them that are selected in view v:

.. math::

    F_i(\sigma) = \alpha_1 \sum_{v \in \sigma} s^{(v)}_i
        - \alpha_2 |\sigma| (V - |\sigma|)
        + \max_t \Big[ B_i(t)
        - \alpha_3 \sum_v \big( \tbinom{t_v}{2} + t_v [v \notin \sigma] \big) \Big],

where :math:`B_i(t)` is a knapsack over the children's states. Counts that can never pay are
pruned exactly (see the kernel).

**All ancestors and all disjoint pairs, one view** (Hier-SUMSCORE and Hier-PRODSCORE read
literally). The state of a subtree is the number a of its missing ancestors and the number m of
labels selected in it; joining subtrees of two children costs :math:`\alpha_3 m m'`. In some
optimum a selected label without selected labels below it takes part in at most
:math:`\lfloor \alpha_1 s / \alpha_3 \rfloor` violations (otherwise it would be dropped), so at
most :math:`depth + 1 + \lfloor \alpha_1 \max s / \alpha_3 \rfloor` labels are selected: m stays
small.

Ties: fewest disagreements, then the largest tie score, then the first state visited.
"""

import numpy as np

from manyviews.assignment.ontology import Ontology
from manyviews.assignment.problem import DISAGREEMENT_WEIGHT, TIE, LabelSetProblem
from manyviews.kernels.assignment_literal import literal_sets
from manyviews.kernels.assignment_tree import tree_sets

MAX_WORK = 2_000_000


def tree_arrays(ontology: Ontology) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ``first``, ``child`` and a children-first ``order`` with a virtual root at the end."""
    k = len(ontology)
    children: list[list[int]] = [[] for _ in range(k + 1)]
    for i, parents in enumerate(ontology.parent_index):
        children[parents[0] if parents else k].append(i)
    first = np.concatenate([[0], np.cumsum([len(c) for c in children])]).astype(np.int64)
    child = np.array([c for group in children for c in group], dtype=np.int64)
    order = np.concatenate([np.arange(k - 1, -1, -1), [k]]).astype(np.int64)
    return first, child, order


def _work(problem: LabelSetProblem) -> int:
    """Return the largest number of count vectors a node can need."""
    assert problem.ontology is not None
    first, _, _ = tree_arrays(problem.ontology)
    return int((int(np.diff(first).max()) + 1) ** problem.n_views)


def _is_literal(problem: LabelSetProblem) -> bool:
    return problem.n_views == 1 and problem.subset == "ancestors" and problem.mutex == "disjoint"


def obstacle(problem: LabelSetProblem, scores: np.ndarray | None = None) -> str:
    """Return why the tree programme does not apply ('' if it does)."""
    if problem.ontology is None:
        return "the tree programme needs an ontology"
    if not problem.ontology.is_tree:
        return "the tree programme needs a tree; some label has two parents"
    if problem.consistency != "soft":
        return "the tree programme is for soft penalties; hard consistency has its own solver"
    if _is_literal(problem):
        return ""
    edges = problem.subset == "parents" or int(problem.ontology.depth.max()) <= 1
    near = problem.mutex == "siblings" or int(problem.ontology.depth.max()) == 0
    if not edges or not near:
        return (
            "the tree programme needs subset='parents' and mutex='siblings' "
            "(or, with one view, subset='ancestors' and mutex='disjoint')"
        )
    if _work(problem) > MAX_WORK:
        return f"{problem.n_views} views below a very wide label need too many count vectors"
    return ""


def solve_tree(
    problem: LabelSetProblem, s: np.ndarray, ties: np.ndarray | None = None
) -> np.ndarray:
    """Return the label sets (points, views, labels) by dynamic programming on the tree."""
    assert problem.ontology is not None
    t = s if ties is None else ties
    first, child, order = tree_arrays(problem.ontology)
    if _is_literal(problem):
        a1, _, a3 = problem.alphas
        depth = problem.ontology.depth
        top = a1 * float(s.max(initial=0.0)) / a3 if a3 > 0 else np.inf
        most = int(min(len(depth), depth.max() + 1 + np.floor(top + 1e-9)))
        found = literal_sets(a1 * s[:, 0], t[:, 0], first, child, depth, a3, TIE, most)
        return found[:, None, :]
    return tree_sets(
        s, t, first, child, order, problem.alphas, DISAGREEMENT_WEIGHT, TIE, _work(problem)
    )
