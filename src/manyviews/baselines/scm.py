"""Semantic correlation matching (Costa Pereira et al. 2014): correlation, semantics, or both."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted, validate_data

from manyviews.base import ListOutput
from manyviews.baselines.kernel_cca import Kernel, KernelCCA
from manyviews.labels import label_vector
from manyviews.rows import RowsById
from manyviews.validation import check_real

__all__ = ["SCM", "SemanticSpace"]


@dataclass(eq=False, repr=False)
class SemanticSpace(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Class posteriors by multinomial logistic regression: a space both modalities share.

    Features are scaled by one number (their overall standard deviation), so that the penalty
    means the same whatever the number of topics.

    Parameters
    ----------
    C : float
        Inverse strength of the ridge penalty.
    max_iter : int
        Iterations of the solver at most.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.2, 0.8]])
    >>> SemanticSpace().fit_transform(X, ["a", "a", "b", "b"]).argmax(axis=1)
    array([0, 0, 1, 1])
    """

    C: float = 1.0
    _: KW_ONLY
    max_iter: int = 500

    def fit(self, X: np.ndarray, y: np.ndarray) -> Self:
        """Train on the training part's compositions and labels."""
        check_real("C", self.C, low=1e-12)
        X, y = validate_data(self, X, y, dtype=np.float64)
        deviation = float(np.std(X))
        self.scale_ = deviation if deviation > 0 else 1.0
        self.model_ = LogisticRegression(C=self.C, max_iter=self.max_iter, tol=1e-3)
        self.model_.fit(X / self.scale_, y)
        self.n_iter_ = int(np.max(self.model_.n_iter_))
        self._n_features_out = len(self.model_.classes_)
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Return the class posteriors, (rows, classes)."""
        check_is_fitted(self, "model_")
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.model_.predict_proba(X / self.scale_)


@dataclass(eq=False, repr=False)
class SCM(RowsById, ListOutput, BaseEstimator):
    """Kernel CCA, then class posteriors in its space, one classifier per modality.

    Parameters
    ----------
    n_components, reg, kernels
        Of :class:`~manyviews.baselines.kernel_cca.KernelCCA`.
    C : float
        Of the logistic regressions.

    Attributes
    ----------
    kcca_ : KernelCCA
    spaces_ : list of SemanticSpace
    train_ : list of ndarray
        Projections of the training rows; those of missing rows are predicted.

    References
    ----------
    Jose Costa Pereira, Emanuele Coviello, Gabriel Doyle, Nikhil Rasiwasia, Gert R. G.
    Lanckriet, Roger Levy and Nuno Vasconcelos (2014). On the role of correlation and
    abstraction in cross-modal multimedia retrieval. IEEE Transactions on Pattern Analysis and
    Machine Intelligence.
    """

    _learnt = "kcca_"
    takes_none = True

    n_components: int = 10
    _: KW_ONLY
    reg: float = 1.0
    kernels: Sequence[Kernel] = ("chi2", "chi2")
    C: float = 1.0

    def fit(self, Xs: Sequence[Any], y: np.ndarray) -> Self:
        """Learn correlation space and classifiers from matched views and their labels."""
        self.kcca_ = KernelCCA(self.n_components, reg=self.reg, kernels=self.kernels).fit(Xs)
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        for name in ("n_features_in_", "view_names_in_", "feature_names_in_"):
            if hasattr(self.kcca_, name):
                setattr(self, name, getattr(self.kcca_, name))
        return self._classify(y)

    def refit(self, n_components: int, reg: float, y: np.ndarray) -> Self:
        """Other settings on the same kernels."""
        check_is_fitted(self, "kcca_")
        self.n_components, self.reg = n_components, reg
        self.kcca_.refit(n_components, reg)
        return self._classify(y)

    def _classify(self, y: np.ndarray) -> Self:
        self.train_ = self.kcca_.train_projections()
        labels, lacking = label_vector(y, len(self.train_[0]))
        self.spaces_ = [
            SemanticSpace(self.C).fit(z[~lacking], labels[~lacking]) for z in self.train_
        ]
        return self

    def transform(self, Xs: Sequence[Any]) -> list[np.ndarray]:
        """Correlation space ("correlation matching")."""
        check_is_fitted(self, "kcca_")
        return self._contained(self.kcca_.new_projections(Xs))

    @property
    def _n_columns(self) -> int:
        return self.kcca_._n_columns

    def semantic(self, projections: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Class posteriors of projections from :meth:`transform`."""
        check_is_fitted(self, "spaces_")
        return [s.transform(z) for s, z in zip(self.spaces_, projections, strict=True)]
