"""MyMethod: say here what it does and where it comes from."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import NearestCentroid
from sklearn.preprocessing import normalize

from manyviews.base import LabelledScore, MultiViewInput
from manyviews.labels import partial_labels

__all__ = ["MyMethod"]


class MyMethod(LabelledScore, MultiViewInput, ClassifierMixin, BaseEstimator):
    """Nearest class mean of unit rows, all views side by side; replace it with your method.

    Attributes
    ----------
    classes_ : ndarray
        The labels that occur, sorted.
    """

    _learnt = "model_"

    def fit(self, Xs: Any, y: Any) -> "MyMethod":
        """Fit on the labelled rows; None, NaN or -1 in ``y`` leaves a row out."""
        X = sp.csr_matrix(sp.hstack([normalize(X) for X in self._fit_views(Xs)]))
        labels, self.classes_ = partial_labels(y, X.shape[0])
        self.model_ = NearestCentroid().fit(X[labels >= 0], labels[labels >= 0])
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Return the class with the nearest mean."""
        X = sp.csr_matrix(sp.hstack([normalize(X) for X in self._new_views(Xs)]))
        return self.classes_[self.model_.predict(X)]
