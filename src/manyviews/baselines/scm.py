"""Semantic correlation matching (Costa Pereira et al. 2014): correlation, semantics, or both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted, validate_data

from manyviews.baselines.cca import Kernel, KernelCCA
from manyviews.validation import check_real

__all__ = ["SCM", "SemanticSpace"]


class SemanticSpace(TransformerMixin, BaseEstimator):
    """Class posteriors by multinomial logistic regression: a space both modalities share.

    Features are scaled by one number (their overall standard deviation), so that the penalty
    means the same whatever the number of topics.

    Parameters
    ----------
    C : float
        Inverse strength of the ridge penalty.
    max_iter : int
        Iterations of the solver at most.
    """

    def __init__(self, C: float = 1.0, *, max_iter: int = 500) -> None:
        self.C = C
        self.max_iter = max_iter

    def fit(self, X: np.ndarray, y: np.ndarray) -> SemanticSpace:
        """Train on the training part's compositions and labels."""
        check_real("C", self.C, low=1e-12)
        X, y = validate_data(self, X, y, dtype=np.float64)
        deviation = float(np.std(X))
        self.scale_ = deviation if deviation > 0 else 1.0
        self.model_ = LogisticRegression(C=self.C, max_iter=self.max_iter, tol=1e-3)
        self.model_.fit(X / self.scale_, y)
        self.n_iter_ = int(np.max(self.model_.n_iter_))
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Return the class posteriors, (rows, classes)."""
        check_is_fitted(self, "model_")
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.model_.predict_proba(X / self.scale_)


class SCM(BaseEstimator):
    """Kernel CCA, then class posteriors in its space, one classifier per modality.

    Parameters
    ----------
    n_components, reg, kernels
        Of :class:`manyviews.baselines.cca.KernelCCA`.
    C : float
        Of the logistic regressions.
    """

    def __init__(
        self,
        n_components: int = 10,
        *,
        reg: float = 1.0,
        kernels: Sequence[Kernel] = ("chi2", "chi2"),
        C: float = 1.0,
    ) -> None:
        self.n_components = n_components
        self.reg = reg
        self.kernels = kernels
        self.C = C

    def fit(self, Xs: Sequence[Any], y: np.ndarray) -> SCM:
        """Learn correlation space and classifiers from matched views and their labels."""
        self.kcca_ = KernelCCA(self.n_components, reg=self.reg, kernels=self.kernels).fit(Xs)
        return self._classify(y)

    def refit(self, n_components: int, reg: float, y: np.ndarray) -> SCM:
        """Other settings on the same kernels."""
        check_is_fitted(self, "kcca_")
        self.n_components, self.reg = n_components, reg
        self.kcca_.refit(n_components, reg)
        return self._classify(y)

    def _classify(self, y: np.ndarray) -> SCM:
        maps = self.kcca_.maps_
        self.train_ = self.kcca_.cca_.transform([m.coordinates for m in maps])
        self.spaces_ = [SemanticSpace(self.C).fit(z, y) for z in self.train_]
        return self

    def transform(self, Xs: Sequence[Any]) -> list[np.ndarray]:
        """Correlation space ("correlation matching")."""
        check_is_fitted(self, "kcca_")
        return self.kcca_.transform(Xs)

    def semantic(self, projections: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Class posteriors of projections from :meth:`transform`."""
        return [s.transform(z) for s, z in zip(self.spaces_, projections, strict=True)]
