"""What the front page says about the paper; every number comes from the rows."""

import pandas as pd

from asprinted.claims import real_rows
from reproduction.pages.said import Front, Said, mean


def front(rows: pd.DataFrame) -> Front:
    """Return whether one would use it today; ``findings`` may follow."""
    real = real_rows(rows)
    part = real[(real["role"] == "published") & (real["reading"] == "inferred")]
    return Front(
        Said("FILL-IN: the mean over all cells is {ours:.1f}.", {"ours": mean(part["value"])})
    )
