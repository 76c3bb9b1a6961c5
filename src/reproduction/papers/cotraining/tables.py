"""Table 2 (errors) and Figure 2 (error against rounds)."""

import numpy as np

from reproduction.papers.cotraining.protocol import (
    COURSE,
    cotrained,
    draw,
    errors,
    supervised,
    words_of,
)
from reproduction.papers.cotraining.settings import PaperSettings
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row


def majority(truth: np.ndarray, training: np.ndarray) -> np.ndarray:
    """Return posteriors that always name the larger class of the training pages."""
    share = float((truth[training] == COURSE).mean())
    return np.tile([1 - share, share], (int((~training).sum()), 1))


def table_2(context: Context) -> Result:
    """Run every draw: both methods and the control."""
    settings: PaperSettings = context.settings
    Xs, truth = words_of(context.data), context.data.labels
    rows: list[Row] = []
    for number in context.progress(range(settings.draws), "draws"):
        part = draw(Xs, truth, settings, number)
        rows += errors(part, supervised(part, settings.smoothing), "2", "supervised")
        found = cotrained(part, settings, smoothing=settings.smoothing)
        rows += errors(part, found, "2", "co-training")
        guess = majority(truth, part.training)
        rows += errors(part, [guess, guess], "2", "majority", role="control")
    return Result(rows)


def run(context: Context) -> Result:
    """Table 2, and the errors of its draws round by round."""
    settings: PaperSettings = context.settings
    Xs, truth = words_of(context.data), context.data.labels
    rows = table_2(context).rows
    for number in context.progress(range(settings.figure_draws), "rounds"):
        part = draw(Xs, truth, settings, number)
        for rounds in range(1, settings.rounds + 1):
            found = cotrained(part, settings, rounds=rounds, smoothing=settings.smoothing)
            rows += errors(part, found, "fig2", "co-training", round=rounds)
    facts = {
        "pages": int(truth.size),
        "course pages": int((truth == COURSE).sum()),
        "features": [int(X.shape[1]) for X in Xs],
        "test pages": round(settings.held_out * truth.size),
    }
    return Result(rows, facts)
