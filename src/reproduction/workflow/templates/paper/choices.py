"""What the paper leaves open, each choice both ways."""

from reproduction.papers.my_paper.protocol import cases, naive_bayes, row

from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row


def run(context: Context) -> Result:
    """Run Table 1 under every choice."""
    rows: list[Row] = []
    for train, number, known in context.progress(list(cases(context)), "choices"):
        for alpha in context.settings.smoothing_grid:
            guess = naive_bayes(context, known, alpha)
            rows.append(
                row(
                    context, "choice:smoothing", "naive Bayes", train, number, known, guess,
                    reading=f"{alpha:g}",
                )
            )  # fmt: skip
    return Result(rows)
