"""Table 1, and Figures 1 to 3: the difference between the views' scores, round by round.

At round t the view difference is :math:`|w^A_t x^A_t - w^B_t x^B_t|` before the update; the
cumulative one is its mean over the rounds so far (section 4.1 of the paper).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from manyviews.seeding import generator
from reproduction.papers.twoview_pa.columns import DATASETS, ONE_OTHER, SCALING
from reproduction.papers.twoview_pa.methods import ALONE, PAPER, TWO_VIEW_METHODS, role_of
from reproduction.papers.twoview_pa.protocol import (
    FIXED_RULE,
    Fold,
    others,
    scale_views,
    signs,
    single_passes,
    two_view_passes,
)
from reproduction.papers.twoview_pa.settings import PaperSettings
from reproduction.results.study import Protocol
from reproduction.results.tables import number, text

if TYPE_CHECKING:
    from reproduction.data.format import MultiViewData

#: A stand-in is drawn where the data set stands that it stands in for.
FIGURES = {"ads": "fig1", "product_review": "fig2", "opinion_spam": "fig2", "webkb_course": "fig3"}

whole = Protocol(PAPER, DATASETS, PaperSettings)
whole.split(lambda data: data)
whole.method("data set")(lambda part: part)
whole.metric("positive")(lambda part, answer: (part.labels == 1).sum())
whole.metric("negative")(lambda part, answer: (part.labels == 0).sum())
whole.metric("total")(lambda part, answer: part.n_rows)


def _of_views(count: Callable[[Any], int]) -> Callable[..., Iterator[tuple[dict[str, Any], int]]]:
    def measure(part: MultiViewData, answer: Any) -> Iterator[tuple[dict[str, Any], int]]:
        for place, (name, view) in enumerate(part.views.items(), start=1):
            yield {"place": place, "view": name}, count(view)

    return measure


_PLACE = number("place", "view {:g}", optional=True), text("view", optional=True)
whole.metric("dimension", *_PLACE)(_of_views(lambda view: view.shape[1]))
whole.metric("empty_rows", *_PLACE)(_of_views(lambda view: (np.diff(view.indptr) == 0).sum()))
whole.metric("nonzeros", *_PLACE)(_of_views(lambda view: view.nnz))
whole.table("1", runs=1)

streams = Protocol(PAPER, DATASETS, PaperSettings)


@streams.split
def stream(data: MultiViewData, run: int, seeded: Any, scaling: str) -> Fold:
    """Pass once over all rows, in a random order."""
    rows = np.arange(data.n_rows)
    views = scale_views(data, scaling, rows)
    return Fold(signs(data), views, rows, rows[:0], seeded("figure", run).permutation(rows)[None])


def _apart(part: Fold, C: float) -> np.ndarray:
    one, two = (next(single_passes(part, which, C))[0] for which in range(2))
    return np.abs(one - two)


def _joint(method: str) -> Callable[[Fold, float, float], np.ndarray]:
    def fit(part: Fold, C: float, gamma: float) -> np.ndarray:
        rule = FIXED_RULE.get(method, "zero")
        trace, _ = next(two_view_passes(part, C, gamma, method, rule))
        return np.abs(trace[:, 0] - trace[:, 1])

    return fit


streams.method(ALONE)(_apart)
for _name in TWO_VIEW_METHODS:
    streams.method(_name, role_of(_name))(_joint(_name))


def _so_far(difference: np.ndarray) -> np.ndarray:
    """Return the mean over the rounds so far (section 4.1 of the paper)."""
    return np.cumsum(difference) / np.arange(1, difference.size + 1)


_OVERALL = ("mean_view_difference", "sd_view_difference")
streams.metric(_OVERALL[0])(lambda part, answer: _so_far(answer)[-1])
streams.metric(_OVERALL[1])(lambda part, answer: answer.std())


@streams.metric("cumulative_view_difference", number("round", "round={:g}", optional=True))
def cumulative(part: Fold, answer: np.ndarray) -> Iterator[tuple[dict[str, int], float]]:
    """Yield the mean so far at twenty rounds."""
    for t in np.unique(np.linspace(0, answer.size, 21).astype(int)[1:]):
        yield {"round": int(t)}, _so_far(answer)[t - 1]


for _dataset, _figure in FIGURES.items():
    _drawn = partial(
        streams.table, _figure, runs="figure_runs", columns={"scaling": SCALING},
        datasets=[_dataset], job="differences",
    )  # fmt: skip
    _drawn()
    _drawn(
        metrics=_OVERALL, reading=ONE_OTHER,
        vary={"scaling": lambda choices, scaling: others(choices.scalings, scaling)},
    )  # fmt: skip


def first_stream(data: MultiViewData, scaling: str, C: float, gamma: float) -> dict[str, Any]:
    """Return the differences of the first stream, round by round."""
    part = stream(data, 0, lambda *names: generator(PAPER, data.name, *names), scaling)
    settings = {"C": C, "gamma": gamma}
    found = {name: m.fit.result(settings, part) for name, m in streams.methods.items()}
    rounded = {name: [round(float(v), 4) for v in values] for name, values in found.items()}
    return {"figure": FIGURES[data.name], "difference_per_round": rounded}
