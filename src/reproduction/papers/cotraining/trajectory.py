"""Errors after every round of co-training, recorded along one run on more draws than Figure 2."""

from reproduction.papers.cotraining.protocol import cotrained_rounds, draw, errors, words_of
from reproduction.papers.cotraining.settings import PaperSettings
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row

RECORDED = "recorded"


def run(context: Context) -> Result:
    """Record the errors of every draw, round by round."""
    settings: PaperSettings = context.settings
    Xs, truth = words_of(context.data), context.data.labels
    rows: list[Row] = []
    for number in context.progress(range(settings.trajectory_draws), "rounds"):
        part = draw(Xs, truth, settings, number)
        for done, found in enumerate(cotrained_rounds(part, settings), start=1):
            rows += errors(
                part, found, "trajectory", "co-training",
                reading=RECORDED, role="ours", round=done,
            )  # fmt: skip
    return Result(rows)
