"""Our own additions: identical views, and the open problems of section 5 on real data.

The open problems are more than two views, more than two classes, and weights of the views.
"""

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
import scipy.sparse as sp

from manyviews.kernels.passive_aggressive import (
    EMPTY_RULES,
    GATES,
    MODES,
    VARIANTS,
    pa_pass,
    two_view_pass,
)
from manyviews.models.multi_view_pa import MultiViewPassiveAggressive
from manyviews.preprocessing.sparse import hstack_csr
from manyviews.seeding import integer_seed
from reproduction.data.format import MultiViewData
from reproduction.papers.twoview_pa.methods import GATED, PAPER, TWO_VIEW_METHODS, role_of
from reproduction.papers.twoview_pa.protocol import (
    Fold,
    Views,
    cross_validation,
    declared_folds,
    f1_pct,
    scale_view,
    signs,
)
from reproduction.papers.twoview_pa.settings import PaperSettings
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import Result, Row

#: Reading of what is not the paper's.
OWN = "own"
#: Differences of weights up to this are rounding.
ROUNDING = 1e-9
Layouts = dict[str, list[sp.csr_matrix]]

#: Groups of columns of the ads data, as its documentation names them.
ADS_GROUPS = ("url", "ancurl", "alt", "origurl")


def identical_views(context: Context) -> Result:
    """Give view 1 as both views and compare the weights with those of single-view PA-I.

    The paper's section 5 says that two-view PA then becomes single-view PA.
    """
    settings = context.settings
    y = signs(context.data)
    return Result(
        [
            Row("extra:identical views", {"C": C, "gamma": settings.gamma, "single": single},
                method, "max_weight_difference",
                gap if gap > ROUNDING else 0.0, reading=OWN, run=fold.run, role=role_of(method))
            for fold, views, order in declared_folds(context, 1, "identical views")
            for C in (settings.C, 100 * settings.C)
            for method, single, gap in _weight_gaps(views, y, order[0], C, settings.gamma)
        ]
    )  # fmt: skip


def _weight_gaps(
    views: Views, y: np.ndarray, order: np.ndarray, C: float, gamma: float
) -> Iterator[tuple[str, str, float]]:
    """Yield each gated method, the C of PA-I and the largest difference of two weights."""
    singles = {}
    for name, value in (("C", C), ("C/2", C / 2)):
        singles[name] = np.zeros(views.width(0))
        pa_pass(*views.arrays(0), y, order, singles[name], value, MODES["PA-I"], np.empty(0))
    for method in GATED:
        variant, gate = TWO_VIEW_METHODS[method]
        both = [np.zeros(views.width(0)) for _ in range(2)]
        two_view_pass(
            *views.arrays(0), *views.arrays(0), y, order, both[0], both[1],
            C, gamma, VARIANTS[variant], GATES[gate], EMPTY_RULES["exact"], np.empty((0, 2)),
        )  # fmt: skip
        for name, weights in singles.items():
            yield method, name, max(float(np.abs(part - weights).max()) for part in both)


def more_views(context: Context) -> Result:
    """Split the two ads views into their four original ones; compare with two and with one."""
    data, settings = context.data, context.settings
    y = signs(data)
    four = original_views(data)
    layouts = {"4 views": four, "2 views": data.Xs(), "1 view (Cat)": [hstack_csr(data.Xs())]}
    rows = []
    for fold in cross_validation(context, settings.extra.repetitions, "more views"):
        for (layout, Xs), (gamma, weights) in _combinations(layouts, settings):
            model = _model(settings, gamma, weights, fold)
            with stopwatch() as watch:
                model.fit([X[fold.train] for X in Xs], y[fold.train])
            scores = model.decision_function([X[fold.test] for X in Xs])
            value = float(f1_pct(scores, y[fold.test] > 0))
            name = f"Multi-view PA, {layout}, {weights} weights"
            rows.append(
                Row("extra:more views", {"C": settings.C, "gamma": gamma}, name, "f1_pct", value,
                    reading=OWN, run=fold.run, role="ours", seconds=watch.seconds)
            )  # fmt: skip
    return Result(rows, {"groups": {n: X.shape[1] for n, X in zip(ADS_GROUPS, four, strict=True)}})


def _combinations(
    layouts: Layouts, settings: PaperSettings
) -> Iterator[tuple[tuple[str, list[sp.csr_matrix]], tuple[float, str]]]:
    """Yield every layout with every gamma and kind of weights; one view has neither."""
    for layout, Xs in layouts.items():
        several = len(Xs) > 1
        for gamma in settings.extra.gamma if several else [0.0]:
            for weights in ("equal", "hedge") if several else ("equal",):
                yield (layout, Xs), (gamma, weights)


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


def more_classes(context: Context) -> Result:
    """Ten digits in six views: one against the rest and the multiclass margin."""
    data, settings = context.data, context.settings
    y = data.labels
    rows = []
    for fold in cross_validation(context, settings.extra.repetitions, "more classes"):
        Xs = [scale_view(X, "unit", fold.train, measured=True) for X in data.views.values()]
        layouts: Layouts = {
            f"{len(Xs)} views": Xs, "Cat": [hstack_csr(Xs)],
            **{f"{name} only": [X] for name, X in zip(data.views, Xs, strict=True)},
        }  # fmt: skip
        for multiclass, ((layout, views), (gamma, weights)) in product(
            ("ovr", "margin"), _combinations(layouts, settings)
        ):
            model = _model(settings, gamma, weights, fold).set_params(multiclass=multiclass)
            with stopwatch() as watch:
                model.fit([X[fold.train] for X in views], y[fold.train])
            right = model.predict([X[fold.test] for X in views]) == y[fold.test]
            name = f"{multiclass}, {layout}, {weights} weights"
            rows.append(
                Row("extra:more classes", {"C": settings.C, "gamma": gamma}, name, "accuracy_pct",
                    100.0 * float(right.mean()),
                    reading=OWN, run=fold.run, role="ours", seconds=watch.seconds)
            )  # fmt: skip
    return Result(rows)


def _model(
    settings: PaperSettings, gamma: float, weights: str, fold: Fold
) -> MultiViewPassiveAggressive:
    seed = integer_seed(PAPER, "open problems", fold.repetition, fold.number)
    return MultiViewPassiveAggressive(C=settings.C, gamma=gamma, weights=weights, random_state=seed)
