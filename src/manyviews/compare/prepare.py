"""Views made ready for methods: weights, scales, one table; always fitted to training rows."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import make_pipeline
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
    for view in facts.views:
        steps[view.name] = _by(shrunk)
        if view.kind in ("text", "counts"):
            tfidf = TfidfTransformer(sublinear_tf=True)
            steps[view.name] = make_pipeline(_by(sp.csr_matrix), tfidf)
        elif view.kind == "numbers":
            scores = StandardScaler(with_mean=not view.sparse)
            steps[view.name] = make_pipeline(scores, _by(shrunk))
    return PerView(steps)


def as_counts(facts: Facts) -> PerView:
    """Return counts as they are and numbers scaled to 0..1, for models that need counts."""
    return PerView(
        {
            view.name: make_pipeline(_by(dense), MinMaxScaler(clip=True))
            for view in facts.views
            if view.kind == "numbers" and (view.negative or not view.sparse)
        }
    )


def prepared(
    make: Build, ready: Callable[[Facts], Any] = weighted, *, table: bool = False, narrow: int = 0,
    view: int | None = None,
) -> Build:  # fmt: skip
    """Return how a model, ``make(facts, settings, seed)``, is built behind its preparation.

    It may want the views side by side in a ``table``, dense up to ``narrow`` columns, or see but
    the ``view`` of that number; rows that lack it see zeros.
    """

    def build(facts: Facts, settings: Settings, seed: int) -> Any:
        steps: list[Any] = []
        if view is not None:
            facts = facts.only(view)
            steps = [_by(lambda Xs: Views(Xs).select([facts.views[0].name]))]
        steps += [ready(facts), *([SideBySide()] if table else [])]
        steps += [_by(dense)] if facts.width <= narrow else []
        return make_pipeline(*steps, make(facts, settings, seed))

    return build
