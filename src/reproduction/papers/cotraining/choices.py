"""What the paper leaves open: the weights of the words and the smoothing."""

from reproduction.papers.cotraining.protocol import (
    Draw,
    cotrained,
    draw,
    errors,
    supervised,
    words_of,
)
from reproduction.papers.cotraining.settings import PaperSettings
from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row


def run(context: Context) -> Result:
    """Run Table 2 under every choice, on the same draws."""
    settings: PaperSettings = context.settings
    truth = context.data.labels
    rows: list[Row] = []
    for weights in ("presence", "as released"):
        Xs = words_of(context.data, weights)
        for number in context.progress(range(settings.choice_draws), weights):
            part = draw(Xs, truth, settings, number)
            alpha = settings.smoothing
            both = {
                "supervised": supervised(part, alpha),
                "co-training": cotrained(part, settings, smoothing=alpha),
            }
            for method, found in both.items():
                rows += errors(part, found, "choice:words", method, reading=weights)
            if weights == "presence":
                rows += smoothings(part, settings)
    return Result(rows)


def smoothings(part: Draw, settings: PaperSettings) -> list[Row]:
    """Return the errors under every smoothing of naive Bayes."""
    rows: list[Row] = []
    for alpha in settings.smoothing_grid:
        name = f"{alpha:g}"
        found = supervised(part, alpha)
        rows += errors(part, found, "choice:smoothing", "supervised", reading=name)
        found = cotrained(part, settings, smoothing=alpha)
        rows += errors(part, found, "choice:smoothing", "co-training", reading=name)
    return rows
