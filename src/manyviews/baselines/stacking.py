"""Late fusion: a model a view, and a second one on what they say about held-out rows, or a mean."""

import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from manyviews.base import LikeliestClass, MultiViewInput, observed_rows
from manyviews.baselines.lsa_kmeans import as_filled
from manyviews.labels import partial_labels
from manyviews.parts.naive_bayes import combine_posteriors
from manyviews.validation import check_choice, check_real

__all__ = ["Stacking"]

_LEAST = 1e-6  # smallest probability whose logarithm is taken


@dataclass(eq=False, repr=False)
class Stacking(LikeliestClass, MultiViewInput, ClassifierMixin, BaseEstimator):
    """Late fusion: per-view models whose probabilities a second model reads, or which are averaged.

    Views are taken as they are: weigh words (tf-idf) and standardise numbers before, with
    :class:`~manyviews.preprocessing.per_view.PerView`.

    Parameters
    ----------
    C : float, default 1
        Inverse strength of the penalty of the views' regressions.
    estimator : classifier, optional
        What is fitted to every view in place of a logistic regression (``C`` is then not used): a
        copy each, with ``predict_proba``. ``class_weight`` and the like are settings of it.
    combine : {"stack", "mean", "product"}, default "stack"
        A logistic regression reads the log-probabilities of rows that were held out, or the
        probabilities of the views that a row has are averaged, or their geometric mean is taken.
    random_state : int or None
        Of the folds.

    Attributes
    ----------
    classes_ : ndarray
        The labels that occur, sorted.

    Notes
    -----
    A view that a row lacks says nothing about it: the same log-probability for every class. Where
    a class has one row, nothing can be held out: ``"stack"`` is then ``"product"``, with a warning.

    References
    ----------
    David Wolpert (1992). Stacked generalization. Neural Networks.
    """

    _learnt = "models_"

    C: float = 1.0
    _: KW_ONLY
    estimator: Any = None
    combine: str = "stack"
    random_state: int | None = None

    def fit(self, Xs: Any, y: Any) -> Self:
        """Fit on the labelled rows: the views in folds, the second model, the views on all rows."""
        check_real("C", self.C, low=1e-12)
        check_choice("combine", self.combine, ("stack", "mean", "product"))
        if self.estimator is not None and not hasattr(self.estimator, "predict_proba"):
            raise ValueError(
                f"estimator={self.estimator!r} has no predict_proba; wrap it: "
                "sklearn.calibration.CalibratedClassifierCV"
            )
        views = self._fit_views(Xs)
        codes, self.classes_ = partial_labels(y, views[0].shape[0])
        known = np.flatnonzero(codes >= 0)
        observed, codes = _observed(Xs, len(views), views[0].shape[0])[known], codes[known]
        tables = [as_filled(X[known]) for X in views]
        smallest = int(np.bincount(codes).min())
        self.top_ = None
        if smallest < 2 and self.combine == "stack":
            warnings.warn(
                "a class has one labelled row, so nothing can be held out: the views' "
                'probabilities are multiplied; say so with combine="product", or label more rows',
                stacklevel=3,
            )
        elif self.combine == "stack":
            folds = StratifiedKFold(min(3, smallest), shuffle=True, random_state=self.random_state)
            logs = np.zeros((known.size, len(views) * self.classes_.size))
            for train, test in folds.split(np.zeros(known.size), codes):
                models = self._models([T[train] for T in tables], observed[train], codes[train])
                logs[test] = self._logs(models, [T[test] for T in tables], observed[test])
            self.top_ = LogisticRegression(max_iter=1000).fit(logs, codes)
        self.models_ = self._models(tables, observed, codes)
        return self

    def _models(self, tables: list[Any], observed: np.ndarray, codes: np.ndarray) -> list[Any]:
        """Return a model a view, of rows that have it; None where these are of one class."""
        plain = LogisticRegression(C=self.C, max_iter=1000)
        found: list[Any] = []
        for X, here in zip(tables, observed.T, strict=True):
            rows = np.flatnonzero(here)
            if np.unique(codes[rows]).size < 2:
                found.append(None)
                continue
            model = clone(plain if self.estimator is None else self.estimator)
            found.append(model.fit(X if here.all() else X[rows], codes[rows]))
        return found

    def _logs(self, models: list[Any], tables: list[Any], observed: np.ndarray) -> np.ndarray:
        """Return the views' log-probabilities of all classes side by side."""
        count = self.classes_.size
        parts = []
        for model, X, here in zip(models, tables, observed.T, strict=True):
            part = np.full((X.shape[0], count), np.log(1.0 / count))
            if model is not None and here.any():
                probabilities = np.full((int(here.sum()), count), _LEAST)
                given = model.predict_proba(X if here.all() else X[np.flatnonzero(here)])
                probabilities[:, model.classes_] = np.maximum(given, _LEAST)
                part[here] = np.log(probabilities)
            parts.append(part)
        return np.hstack(parts)

    def predict_proba(self, Xs: Any) -> np.ndarray:
        """Return the probabilities of the classes."""
        views = self._new_views(Xs)
        n_rows = views[0].shape[0]
        observed = _observed(Xs, len(views), n_rows, self.view_names_in_)
        logs = self._logs(self.models_, [as_filled(X) for X in views], observed)
        if self.top_ is not None:
            return np.asarray(self.top_.predict_proba(logs))
        parts = logs.reshape(n_rows, len(views), self.classes_.size)
        if self.combine == "mean":
            shares = combine_posteriors(list(np.exp(parts).transpose(1, 0, 2)), "mean", observed)
        else:
            mean = parts.mean(axis=1)
            shares = np.exp(mean - mean.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)


def _observed(
    Xs: Any, n_views: int, n_rows: int, order: tuple[str, ...] | None = None
) -> np.ndarray:
    """Return which rows have which view, all if nothing is known to be missing."""
    found = observed_rows(Xs, order)
    return np.ones((n_rows, n_views), dtype=bool) if found is None else found
