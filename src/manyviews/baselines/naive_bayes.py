"""Multinomial naive Bayes over several views (:mod:`manyviews.parts.naive_bayes`).

The ensemble is the mean of the views' posteriors (or their product, as a product of experts). It
is both a rival of MVPLSA in its Table 3 and the start of its p(z|d).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from manyviews.parts.naive_bayes import (
    class_log_priors,
    class_log_probabilities,
    combine_posteriors,
    normalise_log,
)
from manyviews.validation import (
    check_choice,
    check_partial_labels,
    check_real,
    check_views,
)

__all__ = ["NaiveBayesEnsemble"]


class NaiveBayesEnsemble(ClassifierMixin, BaseEstimator):
    """Naive Bayes on every view; prediction from the combined posteriors.

    Parameters
    ----------
    alpha : float, default 1
        Additive smoothing.
    combine : {"mean", "product"}, default "mean"
        How the views' posteriors are combined. One view gives plain naive Bayes.

    Attributes
    ----------
    classes_ : ndarray
        0 .. Z-1.
    feature_log_prob_ : list of (F_v, Z) arrays
        log p(f|c, v).
    class_log_prior_ : (Z,) array
        log p(c).
    """

    def __init__(self, alpha: float = 1.0, combine: str = "mean") -> None:
        self.alpha = alpha
        self.combine = combine

    def fit(self, Xs: Any, y: Any) -> NaiveBayesEnsemble:
        """Fit on the labelled rows; ``y`` holds 0 .. Z-1, or -1 for rows to leave out."""
        alpha = check_real("alpha", self.alpha, low=1e-12)
        check_choice("combine", self.combine, ("mean", "product"))
        views = check_views(Xs, nonnegative=True)
        labels = check_partial_labels(y, views[0].shape[0])
        n_classes = int(labels.max()) + 1
        self.classes_ = np.arange(n_classes)
        self.class_log_prior_ = class_log_priors(labels, n_classes)
        self.feature_log_prob_ = [
            class_log_probabilities(X, labels, n_classes, alpha) for X in views
        ]
        return self

    def view_posteriors(self, Xs: Any) -> list[np.ndarray]:
        """Return one (D, Z) posterior per view."""
        check_is_fitted(self)
        views = check_views(Xs, nonnegative=True, n_views=len(self.feature_log_prob_))
        for v, (X, log_prob) in enumerate(zip(views, self.feature_log_prob_, strict=True)):
            if X.shape[1] != len(log_prob):
                raise ValueError(
                    f"view {v} has {X.shape[1]} columns, the fitted one {len(log_prob)}"
                )
        return [
            normalise_log(X @ log_prob + self.class_log_prior_)
            for X, log_prob in zip(views, self.feature_log_prob_, strict=True)
        ]

    def predict_proba(self, Xs: Any) -> np.ndarray:
        """Return the combined posterior (D, Z)."""
        return combine_posteriors(self.view_posteriors(Xs), self.combine)

    def predict(self, Xs: Any) -> np.ndarray:
        """Return the class with the largest combined posterior."""
        return self.predict_proba(Xs).argmax(axis=1)
