"""A stream of several views: what the passive-aggressive learners do around their rounds."""

from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from manyviews.base import LabelledScore, MultiViewInput
from manyviews.models.online import online_labels, online_views, stream_order
from manyviews.seeding import generator
from manyviews.validation import check_positive_int, check_real


class OnlineViews(LabelledScore, MultiViewInput, ClassifierMixin, BaseEstimator):
    """Passes over checked views; a learner says how it starts and what a pass does."""

    _learnt = "coef_"
    #: Name of the learner among its random numbers: a subclass draws the same.
    _seeded: str
    #: Views exactly, and whether there are two classes only.
    _n_views: int | None = None
    _binary = False
    C: float
    gamma: float
    max_iter: int
    shuffle: bool
    random_state: int
    trace: bool
    classes_: np.ndarray

    def fit(self, Xs: Any, y: Any) -> Self:
        """Start anew and run ``max_iter`` passes over the rows of all views."""
        passes = check_positive_int("max_iter", self.max_iter)
        views, codes = self._batch(Xs, y, started=False)
        rng = generator(self._seeded, self.random_state)
        for _ in range(passes):
            self._rounds(views, codes, stream_order(codes, rng if self.shuffle else None))
        self.n_iter_ = passes
        return self

    def partial_fit(self, Xs: Any, y: Any, classes: Any = None) -> Self:
        """Run one round per row, in the order given.

        Parameters
        ----------
        Xs, y
            One row or a batch, as a list of views.
        classes
            All classes; needed in the first call unless the labels are -1 and +1 or the first
            batch shows every class.
        """
        views, codes = self._batch(Xs, y, started=hasattr(self, "coef_"), classes=classes)
        self._rounds(views, codes, stream_order(codes))
        return self

    def _batch(
        self, Xs: Any, y: Any, *, started: bool, classes: Any = None
    ) -> tuple[list[sp.csr_matrix], np.ndarray]:
        """Return checked views and class numbers; the first batch sets up what is learnt."""
        views, names = online_views(
            Xs,
            n_views=self._n_views,
            n_features=self.n_features_in_ if started else None,
            fitted=self.view_names_in_ if started else None,
        )
        known = self.classes_ if started else None
        n_rows = views[0].shape[0]
        codes, found = online_labels(y, n_rows, classes=classes, known=known, binary=self._binary)
        if check_real("C", self.C, 0.0) == 0.0:
            raise ValueError("C must be positive; with C = 0 no round would use the labels")
        check_real("gamma", self.gamma, 0.0)
        self._check_parameters(len(views))
        if started:
            self._check_column_names(Xs, names)
        else:
            self.classes_, self.n_rounds_ = found, 0
            self.trace_ = np.empty((0, len(views)))
            self._start([view.shape[1] for view in views])
            self._note_views(Xs, [view.shape[1] for view in views], names)
        return views, codes

    def _rounds(self, views: list[sp.csr_matrix], codes: np.ndarray, order: np.ndarray) -> None:
        trace = np.empty((order.size if self.trace else 0, len(views)))
        self._pass(views, codes, order, trace)
        self.n_rounds_ += order.size
        if self.trace:
            self.trace_ = np.concatenate([self.trace_, trace])

    def _new_stream(self, Xs: Any) -> list[sp.csr_matrix]:
        """Return checked views of new rows."""
        check_is_fitted(self, "coef_")
        views, names = online_views(Xs, n_features=self.n_features_in_, fitted=self.view_names_in_)
        self._check_column_names(Xs, names)
        return views

    def _check_parameters(self, n_views: int) -> None:
        """Refuse wrong settings of the learner."""
        raise NotImplementedError

    def _start(self, widths: list[int]) -> None:
        """Set all weights to 0."""
        raise NotImplementedError

    def _pass(
        self, views: list[sp.csr_matrix], codes: np.ndarray, order: np.ndarray, trace: np.ndarray
    ) -> None:
        """Run one round a row; ``trace`` has a line a round for the views' scores, or none."""
        raise NotImplementedError
