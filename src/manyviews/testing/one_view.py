"""A multi-view estimator as one of one matrix, so that scikit-learn's own checks can run on it."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier, is_clusterer
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

__all__ = ["OneView"]


def _offers(name: str) -> Any:
    return available_if(lambda self: hasattr(self.estimator, name))


class OneView(BaseEstimator):
    """Fit a multi-view estimator to one matrix, as its only view or as several equal ones.

    Nothing is checked here: what is wrong with the matrix, the estimator has to notice.

    Parameters
    ----------
    estimator
        Estimator on several views; it is cloned.
    copies : int
        How many views the matrix becomes: 2 for estimators that need two.
    counts : bool
        Whether the estimator takes non-negative values only.
    binary : bool
        Whether it separates two classes only.

    Attributes
    ----------
    estimator_
        The fitted estimator.
    n_features_in_ : int
        Columns of the matrix.

    Examples
    --------
    >>> import numpy as np
    >>> from manyviews.baselines import NaiveBayesEnsemble
    >>> X = np.array([[3, 0], [0, 3]])
    >>> OneView(NaiveBayesEnsemble(), counts=True).fit(X, ["a", "b"]).predict(X)
    array(['a', 'b'], dtype='<U1')
    """

    def __init__(
        self, estimator: Any, *, copies: int = 1, counts: bool = False, binary: bool = False
    ) -> None:
        self.estimator = estimator
        self.copies = copies
        self.counts = counts
        self.binary = binary

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit a copy of the estimator."""
        inner = clone(self.estimator)
        self.estimator_ = inner.fit(self._views(X), y)
        validate_data(self, X, skip_check_array=True)
        for name in ("classes_", "labels_", "n_iter_"):
            if hasattr(inner, name):
                setattr(self, name, getattr(inner, name))
        return self

    def fit_predict(self, X: Any, y: Any = None) -> np.ndarray:
        """Fit and return the labels of the rows."""
        return self.fit(X, y).labels_

    @_offers("predict")
    def predict(self, X: Any) -> np.ndarray:
        """Return what the estimator predicts."""
        return self._asked("predict", X)

    @_offers("predict_proba")
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probabilities of the classes."""
        return self._asked("predict_proba", X)

    @_offers("decision_function")
    def decision_function(self, X: Any) -> np.ndarray:
        """Return the scores of the classes."""
        return self._asked("decision_function", X)

    @_offers("transform")
    def transform(self, X: Any) -> np.ndarray:
        """Return the transformed rows; of several views the first."""
        found = self._asked("transform", X)
        return found[0] if isinstance(found, list) else found

    @_offers("score")
    def score(self, X: Any, y: Any = None) -> float:
        """Return the estimator's own score."""
        check_is_fitted(self, "estimator_")
        return self.estimator_.score(self._views(X), y)

    def _views(self, X: Any) -> list[Any]:
        return [X] * self.copies

    def _asked(self, name: str, X: Any) -> Any:
        check_is_fitted(self, "estimator_")
        found = getattr(self.estimator_, name)(self._views(X))
        validate_data(self, X, skip_check_array=True, reset=False)
        return found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = self.estimator.__sklearn_tags__()
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags, tags.target_tags = inner.classifier_tags, inner.target_tags
        tags.transformer_tags = inner.transformer_tags
        tags.input_tags.sparse, tags.input_tags.positive_only = True, self.counts
        tags.non_deterministic = False
        if is_classifier(self.estimator):
            tags.classifier_tags.multi_class = not self.binary
        elif is_clusterer(self.estimator):
            tags.target_tags.required = False
        return tags
