"""Everything the paper prints about one data set: Tables 1 and 2 and its figure, in one job."""

from reproduction.papers.twoview_pa import differences, tables
from reproduction.results.jobs import Context, Result


def run(context: Context) -> Result:
    """Measure both tables and the view differences of one data set."""
    parts = [tables.run(context), differences.run(context)]
    details = {key: value for part in parts for key, value in part.details.items()}
    return Result([row for part in parts for row in part.rows], details)
