"""What the paper leaves open in its section 5, on real data: more views, classes, view weights."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from manyviews.models.multi_view_pa import MultiViewPassiveAggressive
from manyviews.preprocessing.sparse import hstack_csr, row_normalise
from manyviews.seeding import integer_seed
from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa.protocol import f1_pct, folds, signs
from reproduction.results.jobs import Context, Result, Row, stopwatch

#: Groups of columns of the ads data, as its documentation names them.
ADS_GROUPS = ("url", "ancurl", "alt", "origurl")


def run_views(context: Context) -> Result:
    """Split the two ads views into their four original ones; compare with two and with one."""
    data, settings = context.data, context.settings
    y = signs(data)
    four = original_views(data)
    layouts = {"4 views": four, "2 views": data.Xs(), "1 view (Cat)": [hstack_csr(data.Xs())]}
    rows = []
    extra = settings["extra"]
    splits = list(folds(y, settings["folds"], extra["repetitions"], data.name))
    for fold in context.progress(splits, "more views"):
        positive = y[fold.test] > 0
        for layout, Xs in layouts.items():
            for gamma in extra["gamma"] if len(Xs) > 1 else [0.0]:
                for weights in ("equal", "hedge") if len(Xs) > 1 else ("equal",):
                    model = _model(settings, gamma, weights, fold.repetition, fold.number)
                    with stopwatch() as watch:
                        model.fit([X[fold.train] for X in Xs], y[fold.train])
                    scores = model.decision_function([X[fold.test] for X in Xs])
                    rows.append(
                        Row(
                            "extra:more views",
                            f"C={settings['C']:g};gamma={gamma:g}",
                            f"Multi-view PA, {layout}, {weights} weights",
                            "f1_pct",
                            float(f1_pct(scores, positive)),
                            reading="own",
                            run=fold.repetition * settings["folds"] + fold.number,
                            seconds=watch.seconds,
                        )
                    )
    return Result(rows, {"groups": {n: X.shape[1] for n, X in zip(ADS_GROUPS, four, strict=True)}})


def original_views(data: MultiViewData) -> list[sp.csr_matrix]:
    """Return the columns of every group in ``ADS_GROUPS`` as a view of its own.

    A surrogate has no column names; its columns are then cut into the same number of views.
    """
    stacked = hstack_csr(data.Xs())
    names = [name for view in data.views for name in data.feature_names.get(view, [])]
    if len(names) != stacked.shape[1]:
        cuts = np.linspace(0, stacked.shape[1], len(ADS_GROUPS) + 1).astype(int)
        groups = [np.arange(a, b) for a, b in pairwise(cuts)]
    else:
        prefixes = np.array([name.partition("*")[0] for name in names])
        groups = [np.flatnonzero(prefixes == group) for group in ADS_GROUPS]
    return [sp.csr_matrix(stacked[:, columns]) for columns in groups]


def run_classes(context: Context) -> Result:
    """Ten digits in six views: one against the rest and the multiclass margin."""
    data, settings = context.data, context.settings
    y = data.labels
    rows = []
    extra = settings["extra"]
    splits = list(folds(y, settings["folds"], extra["repetitions"], data.name))
    for fold in context.progress(splits, "more classes"):
        Xs = [_standard_rows(view, fold.train) for view in data.views.values()]
        layouts: dict[str, list[sp.csr_matrix]] = {
            f"{len(Xs)} views": Xs, "Cat": [hstack_csr(Xs)],
            **{f"{name} only": [X] for name, X in zip(data.views, Xs, strict=True)},
        }  # fmt: skip
        for layout, views in layouts.items():
            for multiclass in ("ovr", "margin"):
                for gamma in extra["gamma"] if len(views) > 1 else [0.0]:
                    for weights in ("equal", "hedge") if len(views) > 1 else ("equal",):
                        model = _model(settings, gamma, weights, fold.repetition, fold.number)
                        model.set_params(multiclass=multiclass)
                        with stopwatch() as watch:
                            model.fit([X[fold.train] for X in views], y[fold.train])
                        right = model.predict([X[fold.test] for X in views]) == y[fold.test]
                        rows.append(
                            Row(
                                "extra:more classes",
                                f"C={settings['C']:g};gamma={gamma:g}",
                                f"{multiclass}, {layout}, {weights} weights",
                                "accuracy_pct",
                                100.0 * float(right.mean()),
                                reading="own",
                                run=fold.repetition * settings["folds"] + fold.number,
                                seconds=watch.seconds,
                            )
                        )
    return Result(rows)


def _standard_rows(view: sp.csr_matrix, train: np.ndarray) -> sp.csr_matrix:
    """Standardise columns on the training rows, then scale rows to unit norm."""
    dense = view.toarray()
    spread = dense[train].std(axis=0)
    spread[spread == 0] = 1.0
    return row_normalise(sp.csr_matrix((dense - dense[train].mean(axis=0)) / spread))


def _model(
    settings: Any, gamma: float, weights: str | Sequence[float], *names: int
) -> MultiViewPassiveAggressive:
    return MultiViewPassiveAggressive(
        C=settings["C"],
        gamma=gamma,
        weights=weights,
        random_state=integer_seed("twoview_pa", "open problems", *names),
    )
