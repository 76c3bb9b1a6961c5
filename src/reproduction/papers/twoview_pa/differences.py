"""Figures 1 to 3: the difference between the views' scores, per round and cumulative.

At round t the view difference is :math:`|w^A_t x^A_t - w^B_t x^B_t|` before the update; the
cumulative one is its mean over the rounds so far (section 4.1 of the paper).
"""

from dataclasses import replace

import numpy as np

from manyviews.seeding import generator
from reproduction.papers.twoview_pa.columns import ONE_OTHER
from reproduction.papers.twoview_pa.methods import ALONE, PAPER, TWO_VIEW_METHODS, role_of
from reproduction.papers.twoview_pa.protocol import (
    DECLARED_SCALING,
    Views,
    joint_trace,
    scale_views,
    signs,
    single_trace,
)
from reproduction.papers.twoview_pa.settings import PaperSettings
from reproduction.results.jobs import Context, stopwatch
from reproduction.results.rows import INFERRED, Result, Row

#: A stand-in is drawn where the data set stands that it stands in for.
FIGURES = {"ads": "fig1", "product_review": "fig2", "opinion_spam": "fig2", "webkb_course": "fig3"}
CHECKPOINTS = 20


def run(context: Context) -> Result:
    """Run one pass over all rows in a random order, several times, for each row scaling."""
    data, settings = context.data, context.settings
    y = signs(data)
    everything = np.arange(data.n_rows)
    scalings = dict.fromkeys((DECLARED_SCALING, *settings.choices.scalings))
    scaled = {scaling: scale_views(data, scaling, everything) for scaling in scalings}
    rounds = np.unique(np.linspace(0, data.n_rows, CHECKPOINTS + 1).astype(int)[1:])
    figure = FIGURES[data.name]
    rows: list[Row] = []
    example: dict[str, list[float]] = {}
    for number in context.progress(range(settings.figure_runs), f"{data.name} {figure}"):
        order = generator(PAPER, data.name, "figure", number).permutation(everything)
        for scaling, views in scaled.items():
            for method, (trace, seconds) in _traces(views, y, order, settings).items():
                difference = np.abs(trace[:, 0] - trace[:, 1])
                rows += _rows(difference, rounds, figure, scaling, method, number, seconds)
                if number == 0 and scaling == DECLARED_SCALING:
                    example[method] = [round(float(value), 4) for value in difference]
    return Result(rows, {"figure": figure, "difference_per_round": example})


def _rows(
    difference: np.ndarray,
    rounds: np.ndarray,
    figure: str,
    scaling: str,
    method: str,
    number: int,
    seconds: float,
) -> list[Row]:
    """Return mean and spread over all rounds; for the declared rows also the mean so far."""
    declared = scaling == DECLARED_SCALING
    mean = np.cumsum(difference) / np.arange(1, difference.size + 1)

    def row(metric: str, value: float, at: dict[str, int] | None = None) -> Row:
        return Row(
            figure, {"scaling": scaling, **(at or {})}, method, metric, float(value),
            reading=INFERRED if declared else ONE_OTHER, run=number, role=role_of(method),
        )  # fmt: skip

    whole = row("mean_view_difference", mean[-1])
    sofar = rounds if declared else ()
    return [
        replace(whole, seconds=seconds, iterations=difference.size),
        row("sd_view_difference", difference.std()),
        *(row("cumulative_view_difference", mean[t - 1], {"round": int(t)}) for t in sofar),
    ]


def _traces(
    views: Views, y: np.ndarray, order: np.ndarray, settings: PaperSettings
) -> dict[str, tuple[np.ndarray, float]]:
    """Return both views' scores before each round and the seconds of the pass, per method."""
    with stopwatch() as watch:
        alone = np.column_stack(
            [single_trace(views, which, y, order, settings.C) for which in range(2)]
        )
    traces = {ALONE: (alone, watch.seconds)}
    for method, (variant, gate) in TWO_VIEW_METHODS.items():
        with stopwatch() as watch:
            joint = joint_trace(views, y, order, settings.C, settings.gamma, variant, gate)
        traces[method] = (joint, watch.seconds)
    return traces
