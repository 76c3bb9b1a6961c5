"""The door of every estimator: views and labels are checked here, once, before anything is fitted.

What lies behind it trusts the arrays: canonical float64 CSR views with equal rows, class numbers.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn import get_config
from sklearn.utils.validation import check_is_fitted, validate_data

from manyviews.alignment import is_frame
from manyviews.labels import scored_rows
from manyviews.rows import RowsById, gathered
from manyviews.validation import check_choice, check_view
from manyviews.views import Views


def open_views(Xs: Any) -> tuple[list[Any], tuple[str, ...] | None]:
    """Return the matrices of Views, of a mapping or of a list, and the views' names if any."""
    Xs = gathered(Xs)
    if isinstance(Xs, Views):
        return Xs.matrices, Xs.names if Xs.named else None
    if sp.issparse(Xs) or is_frame(Xs) or (isinstance(Xs, np.ndarray) and Xs.ndim == 2):
        raise ValueError("Xs must be a list of views, got one matrix; pass [X] for a single view")
    if not isinstance(Xs, list | tuple):
        raise ValueError(f"Xs must be a list of views, got {type(Xs).__name__}")
    return list(Xs), None


def observed_rows(Xs: Any, order: tuple[str, ...] | None = None) -> np.ndarray | None:
    """Return which rows have which view (rows, views); ``None`` if none is known to be missing.

    Only :class:`~manyviews.views.Views`, mappings and data frames say so. ``order`` names the views
    in the order that is wanted.
    """
    Xs = gathered(Xs)
    if not isinstance(Xs, Views) or Xs.observed.all():
        return None
    return (Xs if order is None or not Xs.named else Xs.select(order)).observed


def column_names(Xs: Any) -> list[np.ndarray | None]:
    """Return the names of every view's columns where all of them are text, else ``None``."""
    Xs = gathered(Xs)
    given = Xs.feature_names if isinstance(Xs, Views) else []
    text = [names is not None and all(isinstance(name, str) for name in names) for names in given]
    return [
        np.asarray(names, dtype=object) if ok else None
        for names, ok in zip(given, text, strict=True)
    ]


def check_sample_weight(sample_weight: Any, n_rows: int) -> np.ndarray | None:
    """Return one finite weight per row, none negative and some positive; None if none are given."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight needs one number per row ({n_rows}), got shape {weights.shape}"
        )
    if not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise ValueError("sample_weight must be finite, not negative and not all zero")
    return weights


def called(names: tuple[str, ...] | None, count: int) -> list[str]:
    """Return what errors call the views: by name, or by position."""
    return [f"view {v}" for v in range(count)] if names is None else [f"view {n!r}" for n in names]


def check_number_of_views(count: int, min_views: int, n_views: int | None) -> None:
    """Refuse too few views, or another number than the one that is needed."""
    if n_views is not None and count != n_views:
        raise ValueError(f"{n_views} view(s) are needed, got {count}")
    if count < min_views:
        raise ValueError(f"at least {min_views} view(s) are needed, got {count}")


def check_columns(view: Any, name: str, wanted: int) -> None:
    """Refuse a view that has other columns than the fitted one."""
    if view.shape[1] != wanted:
        raise ValueError(
            f"{name} has {view.shape[1]} columns, the fitted one {wanted}; "
            "use the same features in the same order"
        )


def check_views(Xs: Any, **needs: Any) -> list[Any]:
    """Return :func:`check_parts` of Views, of a mapping from names to matrices, or of a list."""
    parts, names = open_views(Xs)
    return check_parts(parts, called(names, len(parts)), **needs)


def check_parts(
    parts: Sequence[Any],
    names: Sequence[str],
    *,
    read: Callable[..., Any] = check_view,
    min_views: int = 1,
    n_views: int | None = None,
    n_features: Sequence[int] | None = None,
    **how: Any,
) -> list[Any]:
    """Return the views with equal row counts, each as ``read`` returns it: canonical float64 CSR.

    ``min_views``: views at least, ``n_views``: exactly, ``n_features``: columns of every view. The
    rest is for ``read``.
    """
    check_number_of_views(len(parts), min_views, n_views if n_features is None else len(n_features))
    views = [read(X, name=name, **how) for X, name in zip(parts, names, strict=True)]
    for view, name in zip(views, names, strict=True):
        if view.shape[0] != views[0].shape[0]:
            raise ValueError(
                f"views must describe the same documents: {names[0]} has {views[0].shape[0]} "
                f"rows, {name} has {view.shape[0]}"
            )
    for view, name, wanted in zip(views, names, n_features or (), strict=n_features is not None):
        check_columns(view, name, wanted)
    return views


def fitted_order(parts: list[Any], names: tuple[str, ...] | None, fitted: Any) -> list[Any]:
    """Return named views in the order of the fitted ones; views without names stay as they are."""
    if names is None or fitted is None or names == fitted:
        return parts
    if sorted(names) != sorted(fitted):
        raise ValueError(
            f"the model was fitted on the views {', '.join(fitted)}; got {', '.join(names)}"
        )
    return [parts[names.index(name)] for name in fitted]


class MultiViewInput(RowsById):
    """What every estimator on several views does first.

    Attributes
    ----------
    n_features_in_ : list of int
        Columns of each view.
    view_names_in_ : tuple of str or None
        Names of the views, if they had any: later views are matched by name.
    feature_names_in_ : list of ndarray
        Names of every view's columns (``None`` for a view without), if any view has names.
    """

    #: The attribute that is there once the estimator is fitted.
    _learnt: str
    n_features_in_: list[int]
    view_names_in_: tuple[str, ...] | None

    def _fit_views(self, Xs: Any, **needs: Any) -> list[Any]:
        """Return the checked views to fit on, and note their names and columns."""
        parts, names = open_views(Xs)
        views = check_parts(parts, called(names, len(parts)), **needs)
        self._note_views(Xs, [view.shape[1] for view in views], names)
        return views

    def _note_views(self, Xs: Any, widths: list[int], names: tuple[str, ...] | None) -> None:
        """Note names and columns of the views that are fitted."""
        self.n_features_in_ = widths
        self.view_names_in_ = names
        columns = column_names(Xs)
        if any(found is not None for found in columns):
            self.feature_names_in_ = columns
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _check_column_names(self, Xs: Any, names: tuple[str, ...] | None) -> None:
        """Refuse columns with other names, or in another order, than those of the fit."""
        fitted = getattr(self, "feature_names_in_", None)
        if fitted is None or names is None:
            return
        known = self.view_names_in_ or names
        for name, found in zip(names, column_names(Xs), strict=True):
            wanted = fitted[known.index(name)] if name in known else None
            if wanted is None or found is None or len(wanted) != len(found):
                continue
            for at in np.flatnonzero(wanted != found):
                raise ValueError(
                    f"view {name!r}: column {at} is called {found[at]!r}, the fitted one "
                    f"{wanted[at]!r}; use the same features in the same order"
                )

    def _new_parts(self, Xs: Any) -> tuple[list[Any], list[str]]:
        """Return the views of new rows in the order of the fit, and what errors call them."""
        check_is_fitted(self, self._learnt)
        parts, names = open_views(Xs)
        parts = fitted_order(parts, names, self.view_names_in_)
        self._check_column_names(Xs, names)
        return parts, called(self.view_names_in_ if names else None, len(parts))

    def _new_views(self, Xs: Any, **needs: Any) -> list[Any]:
        """Return checked views of new rows: those of the fit, as wide, in its order."""
        return check_parts(*self._new_parts(Xs), n_features=self.n_features_in_, **needs)


class OneMatrixInput:
    """What an estimator on one matrix tells scikit-learn: sparse input will do.

    Attributes
    ----------
    n_features_in_ : int
        Columns of the matrix.
    feature_names_in_ : ndarray
        Their names, of a data frame.
    """

    n_features_in_: int
    #: Whether values must not be negative.
    _counts = False

    def _fit_matrix(self, X: Any) -> sp.csr_matrix:
        """Return the checked matrix to fit on, and note its columns."""
        view = check_view(X, name="X", nonnegative=self._counts)
        self._note_columns(X, view.shape[1])
        return view

    def _new_matrix(self, X: Any) -> sp.csr_matrix:
        """Return a checked matrix of new rows with the columns of the fit."""
        view = check_view(X, name="X", nonnegative=self._counts)
        self._check_columns(X, view.shape[1])
        return view

    def _note_columns(self, X: Any, width: int) -> None:
        """Note number and names of the columns that are fitted."""
        if is_frame(X) or hasattr(self, "feature_names_in_"):
            validate_data(self, X, skip_check_array=True)
        else:  # spares a stream of small batches what only data frames need
            self.n_features_in_ = width

    def _check_columns(self, X: Any, width: int) -> None:
        """Refuse other columns than those of the fit."""
        if is_frame(X) or hasattr(self, "feature_names_in_"):
            validate_data(self, X, skip_check_array=True, reset=False)
        elif width != self.n_features_in_:
            raise ValueError(
                f"X has {width} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self._counts
        return tags


class ViewList(list[Any]):
    """One table per view; to numpy, and so to any estimator on one matrix, all side by side."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.hstack([np.asarray(X, dtype=dtype) for X in self])

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, and columns of all tables together."""
        return len(self[0]), sum(X.shape[1] for X in self)


class ListOutput(ABC):
    """Transforms to one array per view, or one data frame per view where that is asked for."""

    def set_output(self, *, transform: str | None = None) -> Any:
        """Choose what :meth:`transform` returns for every view.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"}, optional
            Arrays, or data frames with :meth:`get_feature_names_out` as columns. ``None`` leaves
            the choice as it is.
        """
        if transform is not None:
            check_choice("transform", transform, ("default", "pandas", "polars"))
            self._sklearn_output_config = {"transform": transform}  # clone() keeps it
        return self

    def get_feature_names_out(self, input_features: Any = None) -> list[np.ndarray]:
        """Return the columns' names of every view's output."""
        check_is_fitted(self, self._learnt)  # type: ignore[attr-defined]
        count = len(self.n_features_in_)  # type: ignore[attr-defined]
        views = getattr(self, "view_names_in_", None) or [f"view{v}" for v in range(count)]
        prefix = type(self).__name__.lower()
        return [
            np.array([f"{view}_{prefix}{k}" for k in range(self._n_columns)], dtype=object)
            for view in views
        ]

    @property
    @abstractmethod
    def _n_columns(self) -> int:
        """Columns of every view's output."""

    def _contained(self, arrays: Sequence[Any]) -> list[Any]:
        """Return the output in its container."""
        chosen = getattr(self, "_sklearn_output_config", {}).get("transform")
        how = get_config()["transform_output"] if chosen is None else chosen
        if how == "default":
            return ViewList(arrays)
        from sklearn.preprocessing import FunctionTransformer  # not every process needs it

        def framed(X: np.ndarray, columns: np.ndarray) -> Any:
            maker = FunctionTransformer(feature_names_out=lambda _, given: columns)
            return maker.set_output(transform=how).fit_transform(X)

        names = self.get_feature_names_out()
        return ViewList(
            None if X is None else framed(X, c) for X, c in zip(arrays, names, strict=True)
        )


class LabelledScore:
    """Accuracy on the rows that have a label."""

    def score(self, Xs: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy of :meth:`predict`; rows without a label do not count."""
        return labelled_accuracy(y, self.predict(Xs), sample_weight)  # type: ignore[attr-defined]


class LikeliestClass(LabelledScore):
    """Prediction from probabilities."""

    def predict(self, Xs: Any) -> np.ndarray:
        """Return the class with the largest probability."""
        best = self.predict_proba(Xs).argmax(axis=1)  # type: ignore[attr-defined]
        return self.classes_[best]  # type: ignore[attr-defined]


def labelled_accuracy(y: Any, predicted: np.ndarray, sample_weight: Any = None) -> float:
    """Return the share of labelled rows whose prediction is right.

    -1 marks an unlabelled row among numbers, unless it was predicted: then it is a class.
    """
    labels, known = scored_rows(y, len(predicted), predicted)
    weights = None if sample_weight is None else np.asarray(sample_weight)[known]
    return float(np.average(labels[known] == predicted[known], weights=weights))
