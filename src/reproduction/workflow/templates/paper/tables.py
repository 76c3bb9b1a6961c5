"""Table 1 of the paper."""

from reproduction.papers.my_paper.protocol import cases, majority, naive_bayes, row

from reproduction.results.jobs import Context
from reproduction.results.rows import Result, Row


def run(context: Context) -> Result:
    """Run the paper's methods and the control on every draw."""
    rows: list[Row] = []
    for train, number, known in context.progress(list(cases(context)), "draws"):
        guess = naive_bayes(context, known, context.settings.smoothing)
        rows.append(row(context, "1", "naive Bayes", train, number, known, guess))
        guess = majority(context, known)
        rows.append(row(context, "1", "majority", train, number, known, guess, role="control"))
    return Result(rows)
