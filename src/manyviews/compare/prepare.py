"""Views made ready for methods: weights, scales, one table; always fitted to training rows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler

from manyviews.compare.method import Build, Facts, Settings
from manyviews.preprocessing.per_view import PerView, SideBySide
from manyviews.views import Views


def dense(X: Any) -> Any:
    """Return a table with all its zeros."""
    return X.toarray() if sp.issparse(X) else np.asarray(X)


def shrunk(X: Any) -> Any:
    """Divide by the root of the number of columns: a standardised view then weighs like others."""
    return X / float(np.sqrt(X.shape[1]))


def _by(function: Any) -> FunctionTransformer:
    return FunctionTransformer(function, accept_sparse=True, feature_names_out="one-to-one")


def weighted(facts: Facts) -> PerView:
    """Return tf-idf for words and counts, standard scores for numbers; views weigh alike."""
    steps: dict[str, Any] = {}
    for name, kind, sparse in zip(facts.names, facts.kinds, facts.sparse, strict=True):
        if kind in ("text", "counts"):
            steps[name] = make_pipeline(_by(sp.csr_matrix), TfidfTransformer(sublinear_tf=True))
        elif kind == "numbers":
            steps[name] = make_pipeline(StandardScaler(with_mean=not sparse), _by(shrunk))
        else:
            steps[name] = _by(shrunk)
    return PerView(steps)


def as_counts(facts: Facts) -> PerView:
    """Return counts as they are and numbers scaled to 0..1, for models that need counts."""
    told = zip(facts.names, facts.kinds, facts.sparse, facts.negative, strict=True)
    return PerView(
        {
            name: make_pipeline(_by(dense), MinMaxScaler(clip=True))
            for name, kind, sparse, negative in told
            if kind == "numbers" and (negative or not sparse)
        }
    )


@dataclass(eq=False)
class Prepared:
    """A model behind the transformer of views that prepares them.

    It may want the views joined to one table, that table dense, or ``only`` one of the views; rows
    that lack it see zeros.
    """

    preparation: Any
    model: Any
    joined: bool = False
    dense: bool = False
    only: str | None = None

    def _seen(self, Xs: Any) -> Any:
        return Xs if self.only is None else Views(Xs).select([self.only])

    def _table(self, Xs: Any) -> Any:
        views = self.preparation.transform(self._seen(Xs))
        if not self.joined:
            return views
        table = SideBySide().fit_transform(views)
        return dense(table) if self.dense else table

    def fit(self, Xs: Any, y: Any = None) -> Self:
        """Prepare the views and fit the model."""
        self.preparation.fit(self._seen(Xs))
        self.model.fit(self._table(Xs), *(() if y is None else (y,)))
        return self

    def predict(self, Xs: Any) -> np.ndarray:
        """Predict new rows."""
        return np.asarray(self.model.predict(self._table(Xs)))

    @property
    def labels_(self) -> np.ndarray:
        """Labels of the rows it was fitted to."""
        model = self.model[-1] if isinstance(self.model, Pipeline) else self.model
        found = getattr(model, "transduction_", None)
        return np.asarray(model.labels_ if found is None else found)


def prepared(
    make: Build, ready: Callable[[Facts], Any] = weighted, *, table: bool = False, dense: int = 0,
    view: int | None = None,
) -> Build:  # fmt: skip
    """Return how a model, ``make(facts, settings, seed)``, is built behind its preparation.

    It may want the views side by side in a ``table``, ``dense`` up to so many columns, or see but
    the ``view`` of that number.
    """

    def build(facts: Facts, settings: Settings, seed: int) -> Any:
        only = None if view is None else facts.names[view]
        facts = facts if view is None else one_view_facts(facts, view)
        model = make(facts, settings, seed)
        return Prepared(ready(facts), model, table, sum(facts.widths) <= dense, only)

    return build


def one_view_facts(facts: Facts, v: int) -> Facts:
    """Return the facts of one view alone."""
    of_views = ("names", "widths", "kinds", "sparse", "graphs", "negative")
    own: dict[str, Any] = {field: (getattr(facts, field)[v],) for field in of_views}
    return replace(facts, **own)
