"""Figures 1 to 3: the difference between the views' scores, per round and cumulative.

At round t the view difference is :math:`|w^A_t x^A_t - w^B_t x^B_t|` before the update; the
cumulative one is its mean over the rounds so far (section 4.1 of the paper).
"""

import numpy as np

from multiview.experiments.base import Context, Result, Row, stopwatch
from multiview.experiments.twoview_pa.protocol import (
    PAPER,
    TWO_VIEW_METHODS,
    Views,
    scale_views,
    signs,
)
from multiview.experiments.twoview_pa.tables import joint_trace
from multiview.kernels.passive_aggressive import MODES, pa_pass
from multiview.seeding import generator

FIGURES = {"ads": "fig1", "product_review": "fig2", "opinion_spam": "fig2", "webkb_course": "fig3"}
INDEPENDENT = "PA on each view"
CHECKPOINTS = 20


def run(context: Context) -> Result:
    """Run one pass over all rows in random order, ``figure_runs`` times."""
    data, settings = context.data, context.settings
    y = signs(data)
    everything = np.arange(data.n_rows)
    views = scale_views(data, "binary", everything)
    figure = FIGURES[data.name]
    rounds = np.unique(np.linspace(0, data.n_rows, CHECKPOINTS + 1).astype(int)[1:])
    rows: list[Row] = []
    example: dict[str, list[float]] = {}
    for run_number in context.progress(range(settings["figure_runs"]), f"{data.name} {figure}"):
        order = generator(PAPER, data.name, "figure", run_number).permutation(everything)
        traces = _traces(views, y, order, settings["C"], settings["gamma"])
        for method, (trace, seconds) in traces.items():
            difference = np.abs(trace[:, 0] - trace[:, 1])
            mean = np.cumsum(difference) / np.arange(1, difference.size + 1)
            rows += [
                Row(figure, f"round={t}", method, "cumulative_view_difference", float(mean[t - 1]),
                    run=run_number)
                for t in rounds
            ]  # fmt: skip
            rows.append(
                Row(figure, "all rounds", method, "mean_view_difference", float(mean[-1]),
                    run=run_number, seconds=seconds, iterations=order.size)
            )  # fmt: skip
            spread = float(difference.std())
            rows.append(
                Row(figure, "all rounds", method, "sd_view_difference", spread, run=run_number)
            )
            if run_number == 0:
                example[method] = [round(float(value), 4) for value in difference]
    return Result(rows, {"figure": figure, "difference_per_round": example})


def _traces(
    views: Views, y: np.ndarray, order: np.ndarray, C: float, gamma: float
) -> dict[str, tuple[np.ndarray, float]]:
    """Return both views' scores before each round and the seconds of the pass, per method."""
    alone = np.empty((order.size, 2))
    with stopwatch() as watch:
        for v in range(2):
            trace = np.empty(order.size)
            pa_pass(*views.arrays(v), y, order, np.zeros(views.width(v)), C, MODES["PA-I"], trace)
            alone[:, v] = trace
    traces = {INDEPENDENT: (alone, watch.seconds)}
    for method, (variant, gate) in TWO_VIEW_METHODS.items():
        with stopwatch() as watch:
            joint = joint_trace(views, y, order, C, gamma, variant, gate)
        traces[method] = (joint, watch.seconds)
    return traces
