"""Figures 1 to 3: the difference between the views' scores, per round and cumulative.

At round t the view difference is :math:`|w^A_t x^A_t - w^B_t x^B_t|` before the update; the
cumulative one is its mean over the rounds so far (section 4.1 of the paper).
"""

import numpy as np

from manyviews.kernels.passive_aggressive import MODES, pa_pass
from manyviews.seeding import generator
from reproduction.papers.twoview_pa.protocol import (
    PAPER,
    TWO_VIEW_METHODS,
    Views,
    scale_views,
    signs,
)
from reproduction.papers.twoview_pa.tables import joint_trace
from reproduction.results.jobs import Context, Result, Row, stopwatch

FIGURES = {"ads": "fig1", "product_review": "fig2", "opinion_spam": "fig2", "webkb_course": "fig3"}
INDEPENDENT = "PA on each view"
CHECKPOINTS = 20


def run(context: Context) -> Result:
    """Run one pass over all rows in random order, ``figure_runs`` times, for each row scaling."""
    data, settings = context.data, context.settings
    y = signs(data)
    everything = np.arange(data.n_rows)
    scaled = {rows: scale_views(data, rows, everything) for rows in settings["grid"]["rows"]}
    rounds = np.unique(np.linspace(0, data.n_rows, CHECKPOINTS + 1).astype(int)[1:])
    figure = FIGURES[data.name]
    found: list[Row] = []
    example: dict[str, list[float]] = {}
    for number in context.progress(range(settings["figure_runs"]), f"{data.name} {figure}"):
        order = generator(PAPER, data.name, "figure", number).permutation(everything)
        for scaling, views in scaled.items():
            reading = "paper" if scaling == "binary" else f"rows={scaling}"
            traces = _traces(views, y, order, settings["C"], settings["gamma"])
            for method, (trace, seconds) in traces.items():
                difference = np.abs(trace[:, 0] - trace[:, 1])
                found += _rows(difference, rounds, figure, method, reading, number, seconds)
                if number == 0 and reading == "paper":
                    example[method] = [round(float(value), 4) for value in difference]
    return Result(found, {"figure": figure, "difference_per_round": example})


def _rows(
    difference: np.ndarray,
    rounds: np.ndarray,
    figure: str,
    method: str,
    reading: str,
    number: int,
    seconds: float,
) -> list[Row]:
    """Return mean and spread over all rounds; for the figure also the mean so far."""
    mean = np.cumsum(difference) / np.arange(1, difference.size + 1)
    rows = [
        Row(figure, "all rounds", method, "mean_view_difference", float(mean[-1]),
            reading=reading, run=number, seconds=seconds, iterations=difference.size),
        Row(figure, "all rounds", method, "sd_view_difference", float(difference.std()),
            reading=reading, run=number),
    ]  # fmt: skip
    if reading == "paper":
        rows += [
            Row(figure, f"round={t}", method, "cumulative_view_difference", float(mean[t - 1]),
                run=number)
            for t in rounds
        ]  # fmt: skip
    return rows


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
