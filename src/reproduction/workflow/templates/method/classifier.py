"""MyMethod: say here what it does and where it comes from."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.preprocessing import normalize
from sklearn.utils.validation import check_is_fitted

from manyviews.validation import check_partial_labels, check_views

__all__ = ["MyMethod"]


class MyMethod(ClassifierMixin, BaseEstimator):
    """Nearest class mean by cosine, all views side by side; replace it with your method.

    Attributes
    ----------
    classes_ : ndarray
        0 .. Z-1.
    means_ : (Z, F) array
        Unit class means of the labelled rows.
    """

    def fit(self, Xs: Any, y: Any) -> MyMethod:
        """Fit on the labelled rows; ``y`` holds 0 .. Z-1, or -1 for unlabelled rows."""
        X = self._joined(Xs)
        labels = check_partial_labels(y, X.shape[0])
        self.classes_ = np.arange(int(labels.max()) + 1)
        sums = [np.asarray(X[labels == c].sum(axis=0)).ravel() for c in self.classes_]
        self.means_ = normalize(np.array(sums))
        return self

    def decision_function(self, Xs: Any) -> np.ndarray:
        """Return the cosine of every row with every class mean."""
        check_is_fitted(self)
        return np.asarray(self._joined(Xs) @ self.means_.T)

    def predict(self, Xs: Any) -> np.ndarray:
        """Return the class with the nearest mean."""
        return self.decision_function(Xs).argmax(axis=1)

    @staticmethod
    def _joined(Xs: Any) -> sp.csr_matrix:
        return sp.csr_matrix(sp.hstack([normalize(X) for X in check_views(Xs)]))
