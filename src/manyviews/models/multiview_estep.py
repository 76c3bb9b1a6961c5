r"""E-steps of semi-supervised multi-view K-means: from cosines per view to label sets per view.

All take scores (points, views, labels) and return label sets of the same shape.

============  =====================================================================================
``sum``       one label for all views, argmax of the summed cosines, (4); with an ontology (9)
``prod``      the same with products, (5)
``maxagree``  one label set per view, (7) and (8); with an ontology (10)
``cotrain``   every view its own argmax (the M-step hands them to the next view)
``single``    one view only (V1, V2 and V12)
============  =====================================================================================
"""

from dataclasses import dataclass

import numpy as np

from manyviews.assignment.ontology import Ontology
from manyviews.assignment.problem import ALPHAS, SHARED_ALPHAS, LabelSetProblem
from manyviews.assignment.readout import leaf_readout, masked_argmax
from manyviews.assignment.solvers import best_sets


def _any_label(mask: np.ndarray) -> np.ndarray:
    """Return a column that says which rows of a (points x labels) mask hold any label."""
    return np.asarray(mask.any(axis=1, keepdims=True))


def _summed(scores: np.ndarray) -> np.ndarray:
    """Return the sum over the views, (points, labels); NumPy sums over an inner axis slowly."""
    total = scores[:, 0].copy()
    for v in range(1, scores.shape[1]):
        total += scores[:, v]
    return total


@dataclass(frozen=True)
class EStep:
    """How scores become label sets, and label sets one predicted class.

    The settings are those of :class:`~manyviews.models.multiview_kmeans.MultiViewKMeans`; ``rule``
    is one of the table above, ``readout`` is ``"sum"`` or the position of a view.
    """

    rule: str
    ontology: Ontology | None = None
    alphas: tuple[float, float, float] = ALPHAS
    subset: str = "ancestors"
    mutex: str = "disjoint"
    consistency: str = "soft"
    zero_products: str = "index"
    readout: str | int = "sum"

    def effective(self, scores: np.ndarray, present: np.ndarray | None = None) -> np.ndarray:
        """Return the effective score of every label, (points, labels).

        A view that a point lacks is left out of its product; it adds 0 to a sum anyway.
        """
        if self.rule != "prod":
            return _summed(scores)
        if present is not None:
            scores = np.where(present[:, :, None], scores, 1.0)
        return scores.prod(axis=1)

    def problem(self, n_views: int, n_labels: int) -> LabelSetProblem:
        """Return the assignment problem this rule solves."""
        views = n_views if self.rule == "maxagree" else 1
        if self.ontology is None:
            return LabelSetProblem.flat(n_labels, views, self.alphas, consistency=self.consistency)
        return LabelSetProblem.hierarchical(
            self.ontology, views, self.alphas if views > 1 else SHARED_ALPHAS,
            subset=self.subset, mutex=self.mutex, consistency=self.consistency,
        )  # fmt: skip

    def assign(self, scores: np.ndarray, present: np.ndarray | None = None) -> np.ndarray:
        """Return label sets (points, views, labels); ``present``: which views points have."""
        views, k = scores.shape[1:]
        if self.rule == "maxagree" and views > 1:
            return best_sets(self.problem(views, k), scores)[0]
        if self.ontology is not None:
            shared = self.effective(scores, present)[:, None]
            ties = _summed(scores)[:, None] if self.rule == "prod" else shared
            labels, _ = best_sets(self.problem(views, k), shared, ties)
            return np.repeat(labels, views, axis=1)
        if self.rule == "cotrain":
            label = scores.argmax(axis=2)
            if present is not None:  # a view that is not there passes on what the others say
                label = np.where(present, label, scores.sum(axis=1).argmax(axis=1)[:, None])
        else:
            label = np.repeat(self._flat_label(scores, present)[:, None], views, axis=1)
        sets = np.zeros(scores.shape, dtype=bool)
        np.put_along_axis(sets, label[:, :, None], True, axis=2)
        return sets

    def _flat_label(self, scores: np.ndarray, present: np.ndarray | None) -> np.ndarray:
        effective = self.effective(scores, present)
        label = effective.argmax(axis=1)
        if self.rule == "prod" and self.zero_products == "sum":
            empty = ~(effective != 0).any(axis=1)
            label[empty] = scores[empty].sum(axis=1).argmax(axis=1)
        return label

    def read(
        self, sets: np.ndarray, scores: np.ndarray, present: np.ndarray | None = None
    ) -> np.ndarray:
        """Return one label per point.

        Where views hold different labels, ``"sum"`` takes the candidate with the larger summed
        score (ties: view 1's, as views are ordered best first).
        """
        total = _summed(scores)
        if isinstance(self.readout, int):
            sets = sets[:, self.readout : self.readout + 1]
            own = scores[:, self.readout]
            if self.ontology is None:
                return masked_argmax(sets[:, 0] | ~_any_label(sets[:, 0]), own, total)
            return leaf_readout(self.ontology, sets, own, total)
        if self.ontology is not None:
            return leaf_readout(self.ontology, sets, self.effective(scores, present), total)
        if self.rule == "cotrain":
            return total.argmax(axis=1)
        if self.rule != "maxagree":
            return sets[:, 0].argmax(axis=1)
        mask = np.asarray(sets.any(axis=1))
        mask |= ~_any_label(mask)
        first = np.where(sets[:, 0], 1.0, 0.0)
        return masked_argmax(mask, total, first)
