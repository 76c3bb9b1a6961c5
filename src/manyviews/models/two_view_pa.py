"""The two-view passive-aggressive classifier of Nguyen, Chang and Hui (2012)."""

from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from manyviews.base import LabelledScore, MultiViewInput
from manyviews.kernels.passive_aggressive import (
    EMPTY_RULES,
    GATES,
    VARIANTS,
    two_view_pass,
)
from manyviews.models.online import Csr, csr_arrays, online_labels, online_views, stream_order
from manyviews.seeding import generator
from manyviews.validation import check_choice, check_positive_int, check_real

__all__ = ["TwoViewPassiveAggressive"]


class _Parameters(NamedTuple):
    C: float
    gamma: float
    variant: int
    gate: int
    empty: int


class TwoViewPassiveAggressive(LabelledScore, MultiViewInput, ClassifierMixin, BaseEstimator):
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

    _learnt = "coef_"

    def __init__(
        self,
        C: float = 0.1,
        gamma: float = 0.5,
        variant: str = "printed",
        gate: str = "loss",
        empty: str = "auto",
        max_iter: int = 1,
        shuffle: bool = True,
        random_state: int = 0,
        trace: bool = False,
    ) -> None:
        self.C = C
        self.gamma = gamma
        self.variant = variant
        self.gate = gate
        self.empty = empty
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.trace = trace

    def fit(self, Xs: Any, y: Any) -> Self:
        """Start anew and run ``max_iter`` passes over the rows of both views."""
        passes = check_positive_int("max_iter", self.max_iter)
        parameters = self._parameters()
        views, names = online_views(Xs, n_views=2)
        codes, classes = online_labels(y, views[0].shape[0], binary=True)
        signs = 2.0 * codes - 1.0
        rng = generator("TwoViewPassiveAggressive", self.random_state)
        coef = [np.zeros(view.shape[1]) for view in views]
        arrays = [csr_arrays(view) for view in views]
        traces = []
        for _ in range(passes):
            order = stream_order(codes, rng if self.shuffle else None)
            traces.append(self._rounds(arrays, signs, order, coef, parameters))
        self._start(classes, coef)
        self._note_views(Xs, [view.shape[1] for view in views], names)
        self.n_iter_, self.n_rounds_ = passes, passes * int((codes >= 0).sum())
        if self.trace:
            self.trace_ = np.concatenate(traces)
        return self

    def partial_fit(self, Xs: Any, y: Any, classes: Any = None) -> Self:
        """Run one round per row, in the order given.

        Parameters
        ----------
        Xs, y
            One row or a batch, as a list of two views.
        classes
            The two classes; needed in the first call unless the labels are -1 and +1 or the
            first batch shows both.
        """
        started = hasattr(self, "coef_")
        parameters = self._parameters()
        views, names = online_views(
            Xs, n_views=2,
            n_features=self.n_features_in_ if started else None,
            fitted=self.view_names_in_ if started else None,
        )  # fmt: skip
        codes, known = online_labels(
            y, views[0].shape[0],
            classes=classes, known=self.classes_ if started else None, binary=True,
        )  # fmt: skip
        if started:
            self._check_column_names(Xs, names)
        else:
            self._start(known, [np.zeros(view.shape[1]) for view in views])
            self._note_views(Xs, [view.shape[1] for view in views], names)
        order, signs = stream_order(codes), 2.0 * codes - 1.0
        arrays = [csr_arrays(view) for view in views]
        trace = self._rounds(arrays, signs, order, self.coef_, parameters)
        self.n_rounds_ += order.size
        if self.trace:
            self.trace_ = np.concatenate([self.trace_, trace])
        return self

    def view_scores(self, Xs: Any) -> np.ndarray:
        """Return each view's score, shape (n_rows, 2)."""
        check_is_fitted(self, "coef_")
        views, names = online_views(Xs, n_features=self.n_features_in_, fitted=self.view_names_in_)
        self._check_column_names(Xs, names)
        return np.column_stack([view @ w for view, w in zip(views, self.coef_, strict=True)])

    def decision_function(self, Xs: Any) -> np.ndarray:
        """Return half the sum of both views' scores; positive means ``classes_[1]``."""
        return 0.5 * self.view_scores(Xs).sum(axis=1)

    def predict(self, Xs: Any) -> np.ndarray:
        """Return the class of every row; a score of exactly 0 means ``classes_[0]``."""
        positive = self.decision_function(Xs) > 0
        return self.classes_[positive.astype(np.int64)]

    def _start(self, classes: np.ndarray, coef: list[np.ndarray]) -> None:
        self.classes_ = classes
        self.coef_ = coef
        self.n_rounds_ = 0
        self.trace_ = np.empty((0, 2))

    def _parameters(self) -> _Parameters:
        C = check_real("C", self.C, 0.0)
        if C == 0.0:
            raise ValueError("C must be positive; with C = 0 no round would use the labels")
        gamma = check_real("gamma", self.gamma, 0.0)
        variant = check_choice("variant", self.variant, tuple(VARIANTS))
        empty = check_choice("empty", self.empty, ("auto", *EMPTY_RULES))
        if empty == "auto":
            empty = "exact" if variant == "exact" else "zero"
        if variant == "exact" and empty in ("zero", "limit"):
            raise ValueError(
                f"empty={empty!r} reads a quotient of Algorithm 1, which variant='exact' does not "
                "have; choose 'exact', 'single' or 'skip'"
            )
        gate = check_choice("gate", self.gate, tuple(GATES))
        return _Parameters(C, gamma, VARIANTS[variant], GATES[gate], EMPTY_RULES[empty])

    def _rounds(
        self,
        arrays: list[Csr],
        signs: np.ndarray,
        order: np.ndarray,
        coef: list[np.ndarray],
        parameters: _Parameters,
    ) -> np.ndarray:
        """Run one pass; returns the scores before each update (no rows unless asked for)."""
        trace = np.empty((order.size if self.trace else 0, 2))
        C, gamma, variant, gate, empty = parameters
        two_view_pass(
            *arrays[0], *arrays[1], signs, order, coef[0], coef[1],
            C, gamma, variant, gate, empty, trace,
        )  # fmt: skip
        return trace
