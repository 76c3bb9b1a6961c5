"""A multi-view estimator as one of one matrix, so that scikit-learn's own checks can run on it."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

from sklearn.base import BaseEstimator, clone, is_classifier, is_clusterer
from sklearn.utils import TransformerTags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

__all__ = ["OneView"]


def _offers(name: str) -> Any:
    return available_if(lambda self: hasattr(self.estimator, name))


def _asks(name: str) -> Any:
    """Return a method that asks the fitted estimator; of several views' answers the first."""

    def method(self: Any, X: Any) -> Any:
        found = self._asked(name, X)
        return found[0] if isinstance(found, list) else found

    method.__name__ = name
    return _offers(name)(method)


@dataclass(eq=False, repr=False)
class OneView(BaseEstimator):
    """Fit a multi-view estimator to one matrix, as its only view or as several equal ones.

    The number and names of the columns are checked here, as the estimator calls them otherwise.
    Whatever else is wrong with the matrix, the estimator has to notice.

    Parameters
    ----------
    estimator
        Estimator on several views; it is cloned.
    copies : int
        How many views the matrix becomes: 2 for estimators that need two.
    counts, binary : bool
        Whether the estimator takes non-negative values only, and two classes only.
    prepare : None or callable
        What is done to a matrix first, row by row: some models take proportions only.

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

    estimator: Any
    _: KW_ONLY
    copies: int = 1
    counts: bool = False
    binary: bool = False
    prepare: Callable[[Any], Any] | None = None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit a copy of the estimator."""
        return self._fitted(clone(self.estimator).fit(self._views(X), y), X, reset=True)

    @_offers("partial_fit")
    def partial_fit(self, X: Any, y: Any = None, classes: Any = None) -> Self:
        """Go on with one more batch of rows."""
        first = not hasattr(self, "estimator_")
        if not first:
            validate_data(self, X, skip_check_array=True, reset=False)
        inner = clone(self.estimator) if first else self.estimator_
        return self._fitted(inner.partial_fit(self._views(X), y, classes=classes), X, reset=first)

    @_offers("fit_predict")
    def fit_predict(self, X: Any, y: Any = None) -> Any:
        """Fit and return the labels of the rows."""
        return self.fit(X, y).labels_

    @_offers("transform")
    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit and return the transformed rows."""
        return self.fit(X, y).transform(X)

    predict = _asks("predict")
    predict_proba = _asks("predict_proba")
    decision_function = _asks("decision_function")
    transform = _asks("transform")

    @_offers("score")
    def score(self, X: Any, y: Any = None) -> float:
        """Return the estimator's own score."""
        return self._asked("score", X, y)

    def _views(self, X: Any) -> list[Any]:
        return [X if self.prepare is None else self.prepare(X)] * self.copies

    def _fitted(self, inner: Any, X: Any, *, reset: bool) -> Self:
        """Keep the fitted estimator, and show what it has and scikit-learn looks for."""
        self.estimator_ = inner
        validate_data(self, X, skip_check_array=True, reset=reset)
        for name in ("classes_", "labels_", "n_iter_"):
            if hasattr(inner, name):
                setattr(self, name, getattr(inner, name))
        return self

    def _asked(self, name: str, X: Any, *more: Any) -> Any:
        check_is_fitted(self, "estimator_")
        if getattr(X, "ndim", 0) == 2:  # what is no matrix, the estimator refuses
            validate_data(self, X, skip_check_array=True, reset=False)
        return getattr(self.estimator_, name)(self._views(X), *more)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = self.estimator.__sklearn_tags__()
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags, tags.target_tags = inner.classifier_tags, inner.target_tags
        if hasattr(self.estimator, "transform"):  # to one array each: then they have no such tag
            tags.transformer_tags = inner.transformer_tags or TransformerTags()
        tags.input_tags.sparse, tags.input_tags.positive_only = True, self.counts
        tags.non_deterministic = False
        if is_classifier(self.estimator):
            tags.classifier_tags.multi_class = not self.binary
        elif is_clusterer(self.estimator):
            tags.target_tags.required = False
        return tags
