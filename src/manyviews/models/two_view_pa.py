"""The two-view passive-aggressive classifier of Nguyen, Chang and Hui (2012)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.kernels.passive_aggressive import EMPTY_RULES, GATES, VARIANTS, two_view_pass
from manyviews.models.online import OnlineViews, csr_arrays, online_view
from manyviews.validation import check_choice

__all__ = ["TwoViewPassiveAggressive"]


@dataclass(eq=False, repr=False)
class TwoViewPassiveAggressive(OnlineViews):
    r"""Two linear classifiers that share one margin and are asked to agree.

    A round solves (section 3.3 of the paper)

    .. math::

        \min \tfrac12\|w^A - w^A_t\|^2 + \tfrac12\|w^B - w^B_t\|^2
        + \gamma\,|y w^A x^A - y w^B x^B|
        + C \max\bigl(0, 1 - \tfrac12 y (w^A x^A + w^B x^B)\bigr)

    and the prediction is the sign of :math:`\frac12(w^A x^A + w^B x^B)`.

    Parameters
    ----------
    C, gamma : float
        Aggressiveness (positive) and agreement (not negative).
    variant : {"printed", "eq11", "exact"}
        ``printed``: Algorithm 1 to the letter, which is not the optimum (eq. (12) drops a square
        and the algorithm's tau is half of eq. (11)); ``eq11``: Algorithm 1 with the tau of
        eq. (11); ``exact``: the optimum in closed form.
    gate : {"loss", "always"}
        Update only when the joint loss is positive (Algorithm 1), or whenever the problem has a
        better point: the views may disagree at zero loss.
    empty : {"auto", "exact", "single", "skip", "zero", "limit"}
        Rows that are empty in one view, where Algorithm 1 divides by zero: the exact optimum,
        the optimum without agreement, no update, or the undefined quotient read as 0 or
        infinity (the last two for the printed variants only; ``exact`` knows no quotient).
        ``auto`` is ``exact`` for the exact variant and ``zero`` for the others.
    max_iter, shuffle, random_state
        As in :class:`~manyviews.models.passive_aggressive.PassiveAggressive`.
    trace : bool
        Record the views' scores before each update in ``trace_`` (grows with the stream).

    Attributes
    ----------
    coef_ : list of two ndarrays
        Weights of each view.
    classes_ : ndarray of shape (2,)
        The two classes, sorted; a positive score means ``classes_[1]``.
    n_iter_ : int
        Passes of :meth:`fit`.
    n_rounds_ : int
        Rows seen since the start.
    trace_ : ndarray of shape (rounds, 2)
        With ``trace=True``; ``abs(trace_[:, 0] - trace_[:, 1])`` is the paper's view difference.

    References
    ----------
    Tam T. Nguyen, Kuiyu Chang and Siu Cheung Hui (2012). Two-view online learning. Pacific-Asia
    Conference on Knowledge Discovery and Data Mining.

    Examples
    --------
    >>> import numpy as np
    >>> words = np.array([[3.0, 0], [2, 0], [0, 3], [0, 2]])
    >>> links = np.array([[1.0, 0], [4, 0], [0, 1], [0, 4]])
    >>> model = TwoViewPassiveAggressive(C=1.0, max_iter=5)
    >>> model.fit([words, links], ["a", None, "b", "b"]).predict([words, links])
    array(['a', 'a', 'b', 'b'], dtype='<U1')
    """

    _seeded, _n_views, _binary = "TwoViewPassiveAggressive", 2, True

    C: float = 0.1
    gamma: float = 0.5
    variant: str = "printed"
    gate: str = "loss"
    empty: str = "auto"
    max_iter: int = 1
    shuffle: bool = True
    random_state: int = 0
    trace: bool = False

    def view_scores(self, Xs: Any) -> np.ndarray:
        """Return each view's score, shape (n_rows, 2)."""
        views = self._new_views(Xs, read=online_view)
        return np.column_stack([view @ w for view, w in zip(views, self.coef_, strict=True)])

    def decision_function(self, Xs: Any) -> np.ndarray:
        """Return half the sum of both views' scores; positive means ``classes_[1]``."""
        return 0.5 * self.view_scores(Xs).sum(axis=1)

    def _start(self, widths: list[int]) -> None:
        self.coef_ = [np.zeros(width) for width in widths]

    def _check_parameters(self, n_views: int) -> None:
        check_choice("variant", self.variant, tuple(VARIANTS))
        check_choice("empty", self.empty, ("auto", *EMPTY_RULES))
        check_choice("gate", self.gate, tuple(GATES))
        if self.variant == "exact" and self.empty in ("zero", "limit"):
            raise ValueError(
                f"empty={self.empty!r} reads a quotient of Algorithm 1, which variant='exact' does "
                "not have; choose 'exact', 'single' or 'skip'"
            )

    def _pass(
        self, views: list[sp.csr_matrix], codes: np.ndarray, order: np.ndarray, trace: np.ndarray
    ) -> None:
        empty = self.empty
        if empty == "auto":
            empty = "exact" if self.variant == "exact" else "zero"
        two_view_pass(
            *csr_arrays(views[0]), *csr_arrays(views[1]), 2.0 * codes - 1.0, order, *self.coef_,
            float(self.C), float(self.gamma), VARIANTS[self.variant], GATES[self.gate],
            EMPTY_RULES[empty], trace,
        )  # fmt: skip
