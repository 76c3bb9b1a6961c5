"""Rows by id at the door of every estimator; behind it, rows are positions.

Rows have ids if the views are data frames (their index) or :class:`~manyviews.views.Views` with
``ids``. Labels and weights with ids of their own (Series, data frames, mappings) are then brought
into the order of the rows, and answers come back as a Series or a data frame with the ids, if
pandas is there. Rows without ids go by position, and answers are arrays.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from manyviews.alignment import has_ids, in_row_order, is_frame
from manyviews.views import Views

#: Methods that learn from rows, and those that are asked about new ones.
TAUGHT = ("fit", "partial_fit", "fit_predict", "fit_transform")
ASKED = ("predict", "predict_proba", "decision_function", "transform", "score")


def gathered(Xs: Any) -> Any:
    """Return Views of a mapping, of data frames (matched by index), of matrices with NaN rows."""
    if isinstance(Xs, Mapping) or (isinstance(Xs, list | tuple) and any(map(is_frame, Xs))):
        return Views(Xs)
    if isinstance(Xs, list | tuple) and any(map(_lacks_rows, Xs)):
        return Views(Xs).unnamed()
    return Xs


def _lacks_rows(X: Any) -> bool:
    """Tell whether a dense matrix has a row of nothing but NaN."""
    if not isinstance(X, np.ndarray) or X.ndim != 2 or X.dtype.kind != "f" or not X.shape[1]:
        return False
    return bool(np.isnan(X[np.isnan(X[:, 0])]).all(axis=1).any())


def padded(model: Any, Xs: Any) -> Any:
    """Return new rows with every view of the fit; one that is not named, or None, has no row."""
    names: Any = getattr(model, "view_names_in_", None)
    widths: Any = getattr(model, "n_features_in_", None)
    if isinstance(Xs, Views):
        fewer = names is not None and Xs.named and set(Xs.names) < set(names)
        return Xs.padded(dict(zip(names, widths, strict=True))) if fewer else Xs
    if not isinstance(Xs, list | tuple) or not isinstance(widths, list) or model.takes_none:
        return Xs
    here = [v for v, X in enumerate(Xs) if X is not None]
    if len(Xs) != len(widths) or not 0 < len(here) < len(Xs):
        return Xs
    places = [f"view{v}" for v in range(len(Xs))]
    some = Views({places[v]: Xs[v] for v in here})
    return some.padded(dict(zip(places, widths, strict=True))).unnamed()


def by_id(method: Callable[..., Any]) -> Callable[..., Any]:
    """Match what a method is given by id, and give its answer the ids back."""
    signature = inspect.signature(method)
    name = method.__name__

    @wraps(method)
    def matched(self: Any, Xs: Any, *args: Any, **given: Any) -> Any:
        rows = gathered(Xs)
        if name in ASKED:
            rows = padded(self, rows)
        elif name == "fit" and rows is not Xs:  # Views may say so on purpose, NaN does not
            for at in np.flatnonzero(~rows.observed.any(axis=0)):
                empty = repr(rows.names[at]) if rows.named else at
                raise ValueError(f"view {empty} has no row: it is missing in all; leave it out")
        if not isinstance(rows, Views) or rows.ids is None:
            return method(self, rows, *args, **given)
        call = signature.bind(self, rows.without_ids(), *args, **given)
        for what, needed in (("y", False), ("sample_weight", True)):
            values: Any = call.arguments.get(what)
            if rows.moved and not isinstance(Xs, Views) and np.ndim(values) and not has_ids(values):
                raise ValueError(
                    f"{what} goes by position, but the data frames differ in their rows or in the "
                    f"order of them; give {what} as a Series with their ids as index"
                )
            if values is not None:
                call.arguments[what] = in_row_order(
                    values, rows.ids, what, needed=needed, strict=name == "fit_transform"
                )
        found = method(*call.args, **call.kwargs)
        if not rows.indexed:
            return found
        if name in TAUGHT and isinstance(vars(self).get("labels_"), np.ndarray):
            self.labels_ = with_ids(self.labels_, rows.ids)
        columns = None
        if name in ("predict_proba", "decision_function"):
            columns = self.classes_
        elif name in ("transform", "fit_transform"):
            columns = self.get_feature_names_out()
        return with_ids(found, rows.ids, columns)

    matched.goes_by_id = True  # type: ignore[attr-defined]
    return matched


def with_ids(found: Any, ids: np.ndarray, columns: Any = None) -> Any:
    """Return an array as a Series or data frame, a list of them as such a list."""
    if isinstance(found, list):
        return type(found)(with_ids(X, ids, c) for X, c in zip(found, columns, strict=True))
    if find_spec("pandas") is None:  # it is not needed: who has no data frames gets arrays
        return found
    pandas = import_module("pandas")
    if isinstance(found, pandas.DataFrame):
        return found.set_axis(pandas.Index(ids), axis=0)
    if not isinstance(found, np.ndarray):
        return found
    if found.ndim == 1:
        return pandas.Series(found, index=ids)
    return pandas.DataFrame(found, index=ids, columns=columns)


class RowsById:
    """Makes every method that takes rows go :func:`by_id`."""

    #: Whether None stands for a view that is not there in the model's own way.
    takes_none = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in (*TAUGHT, *ASKED):
            method = getattr(cls, name, None)
            if inspect.isfunction(method) and not hasattr(method, "goes_by_id"):
                setattr(cls, name, by_id(method))
