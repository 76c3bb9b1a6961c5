"""What the front page says about this paper; every number comes from the rows."""

import pandas as pd

from reproduction.pages.said import Front, Said, mean
from reproduction.results.published import load_published
from reproduction.verdicts.claims import real_rows, select


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the card; there are no findings beyond it."""
    found = select(real_rows(rows), table="2", classifier="combined")
    printed = load_published("cotraining").query("classifier == 'combined'")
    together = "co-training"
    return Front(
        Said(
            "With a handful of labelled web pages the error is {alone:.1f} %; co-training on "
            "unlabelled pages brings it to {together:.1f} %, where {quoted:.1f} % is what others "
            "quote from the paper.",
            {
                "alone": mean(found.loc[found["method"] == "supervised", "value"]),
                "together": mean(found.loc[found["method"] == together, "value"]),
                "quoted": mean(printed.loc[printed["method"] == together, "mean"]),
            },
        )
    )
