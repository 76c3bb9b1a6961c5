"""Our own additions: identical views, and the open problems of section 5 on real data.

The open problems are more than two views, more than two classes, and weights of the views.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from manyviews.seeding import integer_seed
from reproduction.papers.twoview_pa.columns import DATASETS, GAMMA, OWN, C
from reproduction.papers.twoview_pa.methods import GATED, PAPER, role_of
from reproduction.papers.twoview_pa.protocol import (
    Fold,
    cross_validation,
    deal,
    f1_pct,
    original_views,
    scale_view,
    signs,
    weight_gaps,
)
from reproduction.papers.twoview_pa.settings import PaperSettings
from reproduction.results.study import Protocol
from reproduction.results.tables import text

if TYPE_CHECKING:
    from reproduction.data.format import MultiViewData

#: Differences of weights up to this are rounding.
ROUNDING = 1e-9
#: Views of the digits.
DIGITS = ("pix", "fac", "zer", "fou", "mor", "kar")

identical = Protocol(PAPER, DATASETS, PaperSettings)
identical.split(cross_validation)


def _identical(method: str) -> Callable[[Fold, float, float], dict[str, float]]:
    return lambda part, C, gamma: weight_gaps(part, C, gamma, method)


for _name in GATED:
    identical.method(_name, role_of(_name))(_identical(_name))


@identical.metric("max_weight_difference", text("single", "PA-I({})"))
def gaps(part: Fold, answer: dict[str, float]) -> Iterator[tuple[dict[str, str], float]]:
    """Yield how far the weights are from those of PA-I, which section 5 says they become."""
    for single, gap in answer.items():
        yield {"single": single}, gap if gap > ROUNDING else 0.0


identical.table(
    "extra:identical views", runs=1, vary={"C": lambda C: [C, 100 * C]},
    columns={"C": C, "gamma": GAMMA}, reading=OWN, job="identical_views",
)  # fmt: skip


@dataclass(frozen=True)
class Problem:
    """Views in several layouts, labels, training and test rows, and a seed."""

    layouts: dict[str, list[Any]]
    y: np.ndarray
    train: np.ndarray
    test: np.ndarray
    seed: int


def _fitted(layout: str, weights: str, part: Problem, C: float, gamma: float, **more: Any) -> Any:
    from manyviews.models.multi_view_pa import MultiViewPassiveAggressive

    model = MultiViewPassiveAggressive(
        C=C, gamma=gamma, weights=weights, random_state=part.seed, **more
    )
    return model.fit([X[part.train] for X in part.layouts[layout]], part.y[part.train])


def _test(part: Problem, layout: str) -> list[Any]:
    return [X[part.test] for X in part.layouts[layout]]


#: Layouts of more than one view have several gammas and kinds of weights; one view has neither.
_SEVERAL: dict[str, Any] = {"gamma": "extra.gamma"}
_ONE: dict[str, Any] = {"gamma": [0.0]}

views = Protocol(PAPER, ("ads",), PaperSettings)


@views.split
def layouts_of_ads(data: MultiViewData, run: int, seeded: Any, folds: int) -> Iterator[Problem]:
    """Yield folds with the two views, their four original ones, and all columns as one."""
    from manyviews.preprocessing.sparse import hstack_csr

    found = {
        "4 views": original_views(data),
        "2 views": data.Xs(),
        "1 view (Cat)": [hstack_csr(data.Xs())],
    }
    for k, (train, test) in enumerate(deal(data.labels, folds, seeded("folds", run))):
        yield Problem(found, signs(data), train, test, _seed(run, k))


def _seed(run: int, fold: int) -> int:
    return integer_seed(PAPER, "open problems", run, fold)


def _scores(layout: str, weights: str) -> Callable[..., np.ndarray]:
    def fit(part: Problem, C: float, gamma: float) -> np.ndarray:
        model = _fitted(layout, weights, part, C, gamma)
        return np.asarray(model.decision_function(_test(part, layout)))

    return fit


views.metric("f1_pct")(lambda part, answer: f1_pct(answer, part.y[part.test] > 0))
for _layout, _weights in (
    *product(("4 views", "2 views"), ("equal", "hedge")),
    ("1 view (Cat)", "equal"),
):
    _name = f"Multi-view PA, {_layout}, {_weights} weights"
    views.method(_name, "ours")(_scores(_layout, _weights))
    views.table(
        "extra:more views", [_name], vary=_ONE if _layout.startswith("1") else _SEVERAL,
        runs="extra.repetitions", columns={"C": C, "gamma": GAMMA}, reading=OWN, job="more_views",
    )  # fmt: skip

classes = Protocol(PAPER, ("digits",), PaperSettings)


@classes.split
def layouts_of_digits(data: MultiViewData, run: int, seeded: Any, folds: int) -> Iterator[Problem]:
    """Yield folds with the six views of the digits, all columns as one, and every view alone."""
    from manyviews.preprocessing.sparse import hstack_csr

    for k, (train, test) in enumerate(deal(data.labels, folds, seeded("folds", run))):
        Xs = [scale_view(X, "unit", train, measured=True) for X in data.views.values()]
        alone = {f"{name} only": [X] for name, X in zip(data.views, Xs, strict=True)}
        found = {f"{len(DIGITS)} views": Xs, "Cat": [hstack_csr(Xs)], **alone}
        yield Problem(found, data.labels, train, test, _seed(run, k))


def _labels(multiclass: str, layout: str, weights: str) -> Callable[..., np.ndarray]:
    def fit(part: Problem, C: float, gamma: float) -> np.ndarray:
        model = _fitted(layout, weights, part, C, gamma, multiclass=multiclass)
        return np.asarray(model.predict(_test(part, layout)))

    return fit


classes.metric("accuracy_pct")(lambda part, answer: 100.0 * (answer == part.y[part.test]).mean())
_ALL = f"{len(DIGITS)} views"
_ALONE = ["Cat", *(f"{name} only" for name in DIGITS)]
for _multiclass, (_layout, _weights) in product(
    ("ovr", "margin"), [(_ALL, "equal"), (_ALL, "hedge"), *((each, "equal") for each in _ALONE)]
):
    _name = f"{_multiclass}, {_layout}, {_weights} weights"
    classes.method(_name, "ours")(_labels(_multiclass, _layout, _weights))
    classes.table(
        "extra:more classes", [_name], vary=_SEVERAL if _layout == _ALL else _ONE,
        runs="extra.repetitions", columns={"C": C, "gamma": GAMMA}, reading=OWN, job="more_classes",
    )  # fmt: skip
