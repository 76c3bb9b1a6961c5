r"""The one formulation behind (7), (8), (9) and (10): score, disagreement, penalties.

For one datapoint with scores :math:`s^{(v)}_i` in V views and label sets
:math:`y^{(v)} \in \{0, 1\}^K`,

.. math::

    \max_y\; \alpha_1 \sum_{v,i} y^{(v)}_i s^{(v)}_i
        - \alpha_2 \sum_{v<w} \sum_i |y^{(v)}_i - y^{(w)}_i|
        - \alpha_3 \sum_v P(y^{(v)}),

where for flat classes :math:`P(y) = |\sum_i y_i - 1|` and with an ontology
:math:`P(y) = \sum_{Subset} y_i (1 - y_j) + \sum_{Mutex} y_i y_j`: the slack variables of the paper
take exactly these values at an optimum. With ``consistency="hard"`` the penalties become
constraints. Methods that share one label set over all views (SUMSCORE and PRODSCORE) are the case
V = 1 of an effective score, with alphas (1, 0, 1).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from manyviews.assignment.ontology import Ontology
from manyviews.kernels.assignment_sets import totals
from manyviews.validation import check_choice, check_positive_int, check_real

__all__ = ["Assignment", "LabelSetProblem"]

#: The paper's alpha_1, alpha_2 and alpha_3 (section 4.2).
ALPHAS = (0.5, 0.1, 1.0)
#: Alphas of the methods with one label set for all views, equation (9).
SHARED_ALPHAS = (1.0, 0.0, 1.0)
#: Objectives closer than this count as tied.
TIE = 1e-12
#: One label of disagreement weighs more than any tie score in the tie rule.
DISAGREEMENT_WEIGHT = 1e4


@dataclass(frozen=True)
class LabelSetProblem:
    """What to maximise for every datapoint; build it with :meth:`flat` or :meth:`hierarchical`.

    Attributes
    ----------
    n_labels, n_views
        Sizes K and V.
    alphas
        Weights of the scores, of a disagreement and of a violation.
    ontology
        ``None`` for flat classes (each view should hold exactly one label).
    subset, mutex
        Which pairs of the ontology count (see :class:`~manyviews.assignment.ontology.Ontology`).
    consistency
        ``"soft"`` as printed, or ``"hard"``.
    """

    n_labels: int
    n_views: int
    alphas: tuple[float, float, float]
    ontology: Ontology | None = None
    subset: str = "ancestors"
    mutex: str = "disjoint"
    consistency: str = "soft"

    def __post_init__(self) -> None:
        check_positive_int("n_labels", self.n_labels)
        check_positive_int("n_views", self.n_views)
        check_choice("consistency", self.consistency, ("soft", "hard"))
        for name, value in zip(("alpha1", "alpha2", "alpha3"), self.alphas, strict=True):
            check_real(name, value, 0.0)
        if self.ontology is not None and len(self.ontology) != self.n_labels:
            raise ValueError(
                f"the ontology has {len(self.ontology)} labels, the problem {self.n_labels}"
            )
        _ = self.subset_pairs, self.mutex_pairs

    @classmethod
    def flat(
        cls,
        n_labels: int,
        n_views: int = 2,
        alphas: tuple[float, float, float] = ALPHAS,
        *,
        consistency: str = "soft",
    ) -> "LabelSetProblem":
        """Return (7), or (8) with the penalties of the third view, which are not printed."""
        return cls(n_labels, n_views, alphas, consistency=consistency)

    @classmethod
    def hierarchical(
        cls,
        ontology: Ontology,
        n_views: int = 2,
        alphas: tuple[float, float, float] | None = None,
        *,
        subset: str = "ancestors",
        mutex: str = "disjoint",
        consistency: str = "soft",
    ) -> "LabelSetProblem":
        """Return (10); with ``n_views=1`` (9), whose scores are the effective ones."""
        weights = alphas or (SHARED_ALPHAS if n_views == 1 else ALPHAS)
        return cls(len(ontology), n_views, weights, ontology, subset, mutex, consistency)

    @cached_property
    def subset_pairs(self) -> np.ndarray:
        """Pairs (i, j) with C_i inside C_j."""
        if self.ontology is None:
            return np.zeros((0, 2), dtype=np.int64)
        return self.ontology.subset_pairs(self.subset)

    @cached_property
    def mutex_pairs(self) -> np.ndarray:
        """Pairs of exclusive labels."""
        if self.ontology is None:
            return np.zeros((0, 2), dtype=np.int64)
        return self.ontology.mutex_pairs(self.mutex)

    def check_scores(self, scores: np.ndarray) -> np.ndarray:
        """Return scores as a C-ordered (points, views, labels) array, or say what is wrong."""
        s = np.ascontiguousarray(scores, dtype=np.float64)
        if s.ndim == 2 and self.n_views == 1:
            s = s[:, None, :]
        if s.ndim != 3 or s.shape[1:] != (self.n_views, self.n_labels):
            raise ValueError(
                f"scores must have shape (points, {self.n_views} views, {self.n_labels} labels), "
                f"got {np.shape(scores)}"
            )
        # NaN and infinity survive a sum, which is one pass without a temporary array
        if not np.isfinite(s.sum()) and not np.isfinite(s).all():
            point, view, label = np.argwhere(~np.isfinite(s))[0]
            raise ValueError(
                f"the score of label {label} in view {view} of point {point} is not finite; "
                "cosines of zero rows should be given as 0"
            )
        return s

    def violations(self, labels: np.ndarray) -> np.ndarray:
        """Return P(y) of every point and view; ``labels`` is (points, views, labels)."""
        y = np.asarray(labels, dtype=bool)
        if self.ontology is None:
            return np.abs(y.sum(axis=-1) - 1)
        return self.ontology.violations(y, self.subset, self.mutex)

    @staticmethod
    def disagreements(labels: np.ndarray) -> np.ndarray:
        """Return the number of labels on which pairs of views differ, per point."""
        y = np.asarray(labels, dtype=bool)
        ones = y.sum(axis=1)
        return (ones * (y.shape[1] - ones)).sum(axis=-1)

    def objective(self, scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """Return the objective of given label sets, point by point (-inf if not feasible)."""
        s = self.check_scores(scores)
        y = np.asarray(labels, dtype=bool)
        if y.shape != s.shape:
            raise ValueError(f"labels have shape {y.shape}, the scores {s.shape}")
        return self.value(s, y)

    def value(self, s: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return :meth:`objective` of checked scores and boolean label sets of their shape."""
        a1, a2, a3 = self.alphas
        gain, apart, size = totals(s, y)
        count = np.abs(size - 1) if self.ontology is None else self.violations(y)
        broken = count.sum(axis=1)
        value = a1 * gain - a2 * apart
        if self.consistency == "hard":
            return np.where(broken > 0, -np.inf, value)
        return value - a3 * broken


@dataclass(frozen=True)
class Assignment:
    """Label sets (points, views, labels), their recomputed objective and the solver's name."""

    labels: np.ndarray
    objective: np.ndarray
    solver: str
