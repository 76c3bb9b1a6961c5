"""Multinomial naive Bayes over several views (:mod:`manyviews.parts.naive_bayes`).

The ensemble is the mean of the views' posteriors (or their product, as a product of experts). It
is both a rival of MVPLSA in its Table 3 and the start of its p(z|d).
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from manyviews.base import LikeliestClass, MultiViewInput, check_sample_weight, observed_rows
from manyviews.labels import partial_labels
from manyviews.parts.naive_bayes import (
    class_log_priors,
    class_log_probabilities,
    combine_posteriors,
    normalise_log,
)
from manyviews.validation import check_choice, check_real

__all__ = ["NaiveBayesEnsemble"]


@dataclass(eq=False, repr=False)
class NaiveBayesEnsemble(LikeliestClass, MultiViewInput, ClassifierMixin, BaseEstimator):
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
        The labels that occur, sorted.
    feature_log_prob_ : list of (F_v, Z) arrays
        log p(f|c, v).
    class_log_prior_ : (Z,) array
        log p(c).
    """

    _learnt = "feature_log_prob_"

    alpha: float = 1.0
    combine: str = "mean"

    def fit(self, Xs: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit on the labelled rows; None, NaN or -1 in ``y`` leaves a row out.

        A row of weight 2 counts twice, one of weight 0 not at all.
        """
        alpha = check_real("alpha", self.alpha, low=1e-12)
        check_choice("combine", self.combine, ("mean", "product"))
        views = self._fit_views(Xs, nonnegative=True)
        labels, self.classes_ = partial_labels(y, views[0].shape[0])
        weights = check_sample_weight(sample_weight, views[0].shape[0])
        n_classes = self.classes_.size
        with np.errstate(divide="ignore"):  # a class whose rows all weigh nothing
            self.class_log_prior_ = class_log_priors(labels, n_classes, weights)
        self.feature_log_prob_ = [
            class_log_probabilities(X, labels, n_classes, alpha, weights) for X in views
        ]
        return self

    def view_posteriors(self, Xs: Any) -> list[np.ndarray]:
        """Return one (D, Z) posterior per view."""
        views = self._new_views(Xs, nonnegative=True)
        return [
            normalise_log(X @ log_prob + self.class_log_prior_)
            for X, log_prob in zip(views, self.feature_log_prob_, strict=True)
        ]

    def predict_proba(self, Xs: Any) -> np.ndarray:
        """Return the combined posterior (D, Z); a row is judged by the views it has."""
        posteriors = self.view_posteriors(Xs)
        observed = observed_rows(Xs, self.view_names_in_)
        return combine_posteriors(posteriors, self.combine, observed)
