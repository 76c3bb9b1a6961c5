"""Passive-aggressive learning from any number of views and classes, with view weights.

Solves what Nguyen et al. leave open in their section 5: more than two views (all pairwise
agreements), several classes, and weights that let the better view dominate.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.kernels.multi_view_pa import multi_view_pass
from manyviews.kernels.passive_aggressive import EMPTY_RULES, GATES, VARIANTS, two_view_pass
from manyviews.models.online import Csr, OnlineViews, csr_arrays, online_view
from manyviews.validation import check_choice, check_real

__all__ = ["MultiViewPassiveAggressive"]


@dataclass(eq=False, repr=False)
class MultiViewPassiveAggressive(OnlineViews):
    r"""One linear classifier a view, a shared margin, pairwise agreement.

    A round of a binary problem solves, for margins :math:`m_v = y\,w_v \cdot x_v`,

    .. math::

        \min_w \tfrac12 \sum_v \|w_v - w_v^t\|^2 + \gamma \sum_{u<v} |m_u - m_v|
            + C \max(0, 1 - \textstyle\sum_v \theta_v m_v)

    exactly; with two views and equal weights it is the exact two-view update. Several classes
    are handled one against the rest, or with the multiclass margin of Crammer et al.: the true
    class r against its strongest rival s, :math:`m_v = (w_v^r - w_v^s) \cdot x_v`.

    Parameters
    ----------
    C, gamma : float
        Aggressiveness (positive) and agreement (not negative).
    multiclass : {"ovr", "margin"}
        For more than two classes; two classes are always one binary problem.
    weights : "equal", "hedge" or sequence of float
        View weights theta: the same for all, learnt online (``exp(-rate * mistakes)`` with the
        number of rows each view alone would have got wrong), or fixed (scaled to sum 1).
    rate : float
        Learning rate of ``weights="hedge"``.
    gate : {"loss", "always"}
        Update only when the joint loss is positive, or whenever the problem has a better point.
    empty : {"ignore", "agree"}
        A view whose row is empty scores 0. ``ignore`` leaves it out of the agreement in that
        round; ``agree`` keeps to the letter of the problem and pulls the other views to 0.
    max_iter, shuffle, random_state, trace
        As in :class:`~manyviews.models.two_view_pa.TwoViewPassiveAggressive`; the trace holds
        the scores of the first binary problem or class.

    Attributes
    ----------
    coef_ : ndarray of shape (n_problems, total number of features)
        Weights, the views side by side; ``view_slices_`` tells them apart.
    weights_ : ndarray of shape (n_views,)
        Current view weights.
    classes_ : ndarray
        The classes, sorted.
    n_iter_, n_rounds_ : int
        Passes of :meth:`fit`; rows seen since the start.

    References
    ----------
    Tam T. Nguyen, Kuiyu Chang and Siu Cheung Hui (2012). Two-view online learning. Pacific-Asia
    Conference on Knowledge Discovery and Data Mining.

    Examples
    --------
    >>> import numpy as np
    >>> words = np.array([[3.0, 0], [2, 0], [0, 3], [0, 2]])
    >>> links = np.array([[1.0, 0], [4, 0], [0, 1], [0, 4]])
    >>> model = MultiViewPassiveAggressive(C=1.0, max_iter=5)
    >>> model.fit([words, links], ["a", None, "b", "b"]).predict([words, links])
    array(['a', 'a', 'b', 'b'], dtype='<U1')
    """

    _seeded = "MultiViewPassiveAggressive"

    C: float = 0.1
    gamma: float = 0.05
    multiclass: str = "ovr"
    weights: Any = "equal"
    rate: float = 0.05
    gate: str = "loss"
    empty: str = "ignore"
    max_iter: int = 1
    shuffle: bool = True
    random_state: int = 0
    trace: bool = False

    def view_scores(self, Xs: Any) -> np.ndarray:
        """Return every view's scores, shape (n_rows, n_views, n_problems)."""
        views = self._new_views(Xs, read=online_view)
        parts = [
            view @ self.coef_[:, columns].T
            for view, columns in zip(views, self.view_slices_, strict=True)
        ]
        return np.stack(parts, axis=1)

    def decision_function(self, Xs: Any) -> np.ndarray:
        """Return the weighted scores: (n_rows,) for two classes, else (n_rows, n_classes)."""
        scores = np.einsum("nvk,v->nk", self.view_scores(Xs), self.weights_)
        return scores[:, 0] if self.coef_.shape[0] == 1 else scores

    def _check_parameters(self, n_views: int) -> None:
        check_real("rate", self.rate, 0.0)
        check_choice("multiclass", self.multiclass, ("ovr", "margin"))
        check_choice("gate", self.gate, ("loss", "always"))
        check_choice("empty", self.empty, ("ignore", "agree"))
        self._first_weights(n_views)

    def _first_weights(self, n_views: int) -> np.ndarray:
        if isinstance(self.weights, str):
            check_choice("weights", self.weights, ("equal", "hedge"))
            return np.full(n_views, 1.0 / n_views)
        weights = np.asarray(self.weights, dtype=np.float64)
        if weights.shape != (n_views,):
            raise ValueError(f"weights must give one number a view ({n_views}), got {weights!r}")
        if not np.isfinite(weights).all() or weights.min() < 0.0 or weights.sum() == 0.0:
            raise ValueError(f"weights must be finite, not negative and not all 0, got {weights}")
        return weights / weights.sum()

    def _start(self, widths: list[int]) -> None:
        ends = np.cumsum(widths).tolist()
        n_classes = self.classes_.size
        self._margin = n_classes > 2 and self.multiclass == "margin"
        self.view_slices_ = [
            slice(end - width, end) for end, width in zip(ends, widths, strict=True)
        ]
        self.coef_ = np.zeros((1 if n_classes == 2 else n_classes, ends[-1]))
        self.weights_ = self._first_weights(len(widths))
        self._view_losses = np.zeros_like(self.weights_)

    def _pass(
        self, views: list[sp.csr_matrix], codes: np.ndarray, order: np.ndarray, trace: np.ndarray
    ) -> None:
        hedging = isinstance(self.weights, str) and self.weights == "hedge"
        if not (hedging or self._margin) and self.weights_.tolist() == [0.5, 0.5]:
            # exact two-view problems, one a class, that know nothing of each other
            rule = EMPTY_RULES["single" if self.empty == "ignore" else "exact"]
            for k, row in enumerate(self.coef_):
                signs = np.where(codes == (k if len(self.coef_) > 1 else 1), 1.0, -1.0)
                two_view_pass(
                    *csr_arrays(views[0]), *csr_arrays(views[1]), signs, order,
                    *(row[columns] for columns in self.view_slices_), float(self.C),
                    float(self.gamma), VARIANTS["exact"], GATES[self.gate], rule,
                    trace[:0] if k else trace,
                )  # fmt: skip
            return
        multi_view_pass(
            *side_by_side(views), codes, order, self.coef_, self.weights_, self._view_losses,
            float(self.C), float(self.gamma), self._margin, self.gate == "loss",
            self.empty == "ignore", float(self.rate) if hedging else 0.0, trace,
        )  # fmt: skip


def side_by_side(views: list[sp.csr_matrix]) -> Csr:
    """Return (indptr, indices, data) of all views in one set of arrays.

    Row pointers get one line a view; columns are numbered through all views, in
    types as :func:`~manyviews.models.online.csr_arrays` has them.
    """
    columns = np.cumsum([0] + [view.shape[1] for view in views])
    entries = np.cumsum([0] + [view.nnz for view in views])
    parts = [csr_arrays(view) for view in views]
    indptr = np.stack([part[0] + entries[v] for v, part in enumerate(parts)])
    narrow = columns[-1] <= np.iinfo(np.int32).max
    indices = np.empty(entries[-1], dtype=np.uint32 if narrow else np.uint64)
    for v, part in enumerate(parts):
        own = indices[entries[v] : entries[v + 1]]
        np.add(part[1], columns[v], out=own, casting="unsafe", dtype=indices.dtype)
    return indptr, indices, np.concatenate([part[2] for part in parts])
