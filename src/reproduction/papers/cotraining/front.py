"""What the front page says about this paper; every number comes from the rows."""

import pandas as pd

from asprinted.claims import real_rows, select
from reproduction.pages.said import Front, Said, mean


def front(rows: pd.DataFrame) -> Front:
    """Return the advice."""
    found = select(real_rows(rows), table="2", classifier="combined")
    smoothed = select(
        real_rows(rows), table="choice:smoothing", classifier="combined", method="supervised",
        reading=None,
    )  # fmt: skip
    numbers = {
        "alone": mean(found.loc[found["method"] == "supervised", "value"]),
        "together": mean(found.loc[found["method"] == "co-training", "value"]),
        "less": smoothed.groupby("reading")["value"].mean().min(),
    }
    return Front(
        Said(
            "As a baseline: error {together:.1f} %; without unlabelled pages {alone:.1f} %, with "
            "less smoothing {less:.1f} % at best.",
            numbers,
        )
    )
