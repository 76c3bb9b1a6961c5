"""The passive-aggressive classifier on one view (Crammer et al. 2006)."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from manyviews.base import LabelledScore, OneMatrixInput
from manyviews.kernels.passive_aggressive import MODES, pa_pass
from manyviews.models.online import (
    check_aggressiveness,
    csr_arrays,
    online_labels,
    online_view,
    stream_order,
)
from manyviews.seeding import generator
from manyviews.validation import check_choice, check_positive_int

__all__ = ["PassiveAggressive"]


@dataclass(eq=False, repr=False)
class PassiveAggressive(OneMatrixInput, LabelledScore, ClassifierMixin, BaseEstimator):
    r"""Online binary classifier that corrects itself just enough in every round.

    With :math:`\ell = \max(0, 1 - y\,w \cdot x)` (eq. (1) of Nguyen et al.) a round sets
    :math:`w \leftarrow w + \tau y x`; :math:`\tau` is :math:`\ell/\|x\|^2` (PA), at most C (PA-I)
    or :math:`\ell/(\|x\|^2 + 1/2C)` (PA-II). There is no intercept, as in the paper; append a
    constant column for one. An empty row changes nothing.

    Parameters
    ----------
    C : float
        Aggressiveness, positive; without effect in mode PA.
    mode : {"PA-I", "PA", "PA-II"}
        Hard margin or one of the two soft ones; the paper builds on PA-I.
    max_iter : int
        Passes of :meth:`fit` over the data.
    shuffle : bool
        Draw a new order for each pass of :meth:`fit`; :meth:`partial_fit` never shuffles.
    random_state : int
        Seed of the orders.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Weights; a positive score means ``classes_[1]``.
    classes_ : ndarray of shape (2,)
        The two classes, sorted.
    n_iter_ : int
        Passes of :meth:`fit`.
    n_rounds_ : int
        Rows seen since the start.

    References
    ----------
    Koby Crammer, Ofer Dekel, Joseph Keshet, Shai Shalev-Shwartz and Yoram Singer (2006). Online
    passive-aggressive algorithms. Journal of Machine Learning Research.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[3.0, 0], [2, 0], [0, 3], [0, 2]])
    >>> PassiveAggressive(max_iter=5).fit(X, ["a", None, "b", "b"]).predict(X)
    array(['a', 'a', 'b', 'b'], dtype='<U1')
    """

    C: float = 1.0
    mode: str = "PA-I"
    max_iter: int = 1
    shuffle: bool = True
    random_state: int = 0

    def fit(self, X: Any, y: Any) -> Self:
        """Start anew and run ``max_iter`` passes over the rows."""
        passes = check_positive_int("max_iter", self.max_iter)
        view, codes = self._batch(X, y, started=False)
        rng = generator("PassiveAggressive", self.random_state)
        for _ in range(passes):
            self._rounds(view, codes, stream_order(codes, rng if self.shuffle else None))
        self.n_iter_ = passes
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Run one round per row, in the order given.

        Parameters
        ----------
        X, y
            One row or a batch.
        classes
            The two classes; needed in the first call unless the labels are -1 and +1 or the
            first batch shows both.
        """
        view, codes = self._batch(X, y, started=hasattr(self, "coef_"), classes=classes)
        self._rounds(view, codes, stream_order(codes))
        return self

    def _batch(
        self, X: Any, y: Any, *, started: bool, classes: Any = None
    ) -> tuple[sp.csr_matrix, np.ndarray]:
        """Return a checked view and class numbers; the first batch sets up what is learnt."""
        view = online_view(X, "X")
        if started:
            self._check_columns(X, view.shape[1])
        known = self.classes_ if started else None
        codes, known = online_labels(y, view.shape[0], classes=classes, known=known, binary=True)
        check_choice("mode", self.mode, tuple(MODES))
        check_aggressiveness(self.C)
        if not started:
            self.classes_: np.ndarray = known
            self.n_rounds_ = 0
            self._note_columns(X, view.shape[1])
            self.coef_ = np.zeros(view.shape[1])
        return view, codes

    def _rounds(self, view: sp.csr_matrix, codes: np.ndarray, order: np.ndarray) -> None:
        signs, nothing = 2.0 * codes - 1.0, np.empty(0)
        C, mode = float(self.C), MODES[self.mode]
        pa_pass(*csr_arrays(view), signs, order, self.coef_, C, mode, nothing)
        self.n_rounds_ += order.size

    def decision_function(self, X: Any) -> np.ndarray:
        """Return ``w . x`` for every row; positive means ``classes_[1]``."""
        check_is_fitted(self, "coef_")
        view = online_view(X, "X")
        self._check_columns(X, view.shape[1])
        return np.asarray(view @ self.coef_)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of every row; a score of exactly 0 means ``classes_[0]``."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(np.int64)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
