"""Steps of a pipeline on views: a transformer for each of them, and all joined to one table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from manyviews.alignment import in_row_order
from manyviews.preprocessing.sparse import placed
from manyviews.rows import by_id
from manyviews.views import Views


@dataclass(eq=False, repr=False)
class PerView(TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Transform every view on its own; views in, views out.

    A transformer sees the rows that have its view, in :meth:`fit` and in :meth:`transform`; the
    others stay missing.

    Parameters
    ----------
    transformers : transformer or mapping
        One for all views (a copy each), or view name to transformer; ``"passthrough"``, and views
        that are not named, are left as they are.

    Attributes
    ----------
    transformers_ : dict
        The fitted transformer of every view that has one.
    view_names_in_ : tuple of str

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.preprocessing import Normalizer
    >>> views = Views({"words": np.array([[3.0, 1.0]]), "links": np.array([[2.0]])})
    >>> PerView({"words": Normalizer("l1")}).fit_transform(views).view("words")
    array([[0.75, 0.25]])
    """

    transformers: Any = "passthrough"

    @by_id
    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Fit a copy of each transformer to the rows that have its view."""
        views = Views(Xs)
        self.view_names_in_ = views.names
        self.transformers_ = {}
        for v, (name, step) in enumerate(zip(views.names, self._steps(views.names), strict=True)):
            if isinstance(step, str):
                continue
            here = np.flatnonzero(views.observed[:, v])
            if here.size == 0:
                raise ValueError(f"view {name!r} has no row; there is nothing to fit its step to")
            known = None if y is None else np.asarray(y)[here]
            self.transformers_[name] = clone(step).fit(views.matrices[v][here], known)
        return self

    def transform(self, Xs: Any) -> Views:
        """Return the views with every transformer applied."""
        check_is_fitted(self, "transformers_")
        views = Views(Xs)
        if set(views.names) != set(self.view_names_in_):
            fitted, got = ", ".join(self.view_names_in_), ", ".join(views.names)
            raise ValueError(f"fitted on the views {fitted}; got {got}")
        views = views.select(self.view_names_in_)
        changed, names = {}, {}
        for name, step in self.transformers_.items():
            v = views.names.index(name)
            changed[name] = _applied(step, views.matrices[v], views.observed[:, v])
            if hasattr(step, "get_feature_names_out"):
                names[name] = step.get_feature_names_out(views.feature_names[v])
        return views.replace(changed, names)

    def _steps(self, names: tuple[str, ...]) -> list[Any]:
        """Return the step of every view."""
        given, listed = self.transformers, ", ".join(names)
        if not isinstance(given, Mapping):
            given = dict.fromkeys(names, given)
        for name, step in given.items():
            if name not in names:
                raise ValueError(f"there is no view {name!r} to transform; the views are {listed}")
            if step != "passthrough" and not (hasattr(step, "fit") and hasattr(step, "transform")):
                what = "has no fit and transform, nor is it 'passthrough'"
                raise ValueError(f"the step of view {name!r} {what}: {step!r}")
        return [given.get(name, "passthrough") for name in names]


def _applied(step: Any, X: Any, observed: np.ndarray) -> Any:
    """Return the transformed rows, as an array or a sparse matrix; rows not observed are zero."""
    here = np.flatnonzero(observed)
    # few transformers take no rows: learn the width from a row of zeros
    part = step.transform(X[here] if here.size else X[:1])
    part = part if sp.issparse(part) else np.asarray(part)
    if here.size == len(observed):
        return part
    return placed(here, len(observed)) @ part[: here.size]


class SideBySide(TransformerMixin, BaseEstimator):
    """Join the views to one table, for estimators that know one matrix; missing rows are zero.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> views = Views([np.eye(2)[[0, 1, 0, 1]], np.ones((4, 1))])
    >>> make_pipeline(SideBySide(), LogisticRegression()).fit(views, list("abab")).predict(views)
    array(['a', 'b', 'a', 'b'], dtype='<U1')
    """

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Note names and columns of the views."""
        views = Views(Xs)
        self.view_names_in_ = views.names
        self.n_features_in_ = [X.shape[1] for X in views.matrices]
        return self

    def fit_transform(self, Xs: Any, y: Any = None) -> Any:
        """Return one matrix; what follows in a pipeline takes ``y`` by position, so it must fit."""
        views = Views(Xs)
        in_row_order(y, views.ids, "y", strict=True)
        return self.fit(views).transform(views)

    def transform(self, Xs: Any) -> Any:
        """Return one matrix, sparse if any view is."""
        check_is_fitted(self, "n_features_in_")
        views = Views(Xs)
        tables = views.select(self.view_names_in_).matrices
        some = any(sp.issparse(X) for X in tables)
        return sp.hstack(tables, format="csr") if some else np.hstack(tables)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return ``view__column`` for every column of the table."""
        check_is_fitted(self, "n_features_in_")
        pairs = zip(self.view_names_in_, self.n_features_in_, strict=True)
        return np.array([f"{name}__{j}" for name, width in pairs for j in range(width)])
