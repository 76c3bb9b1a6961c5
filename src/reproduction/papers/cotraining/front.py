"""What the front page says about this paper; every number comes from the rows."""

import pandas as pd

from asprinted.claims import real_rows, select
from reproduction.pages.said import Front, Said, mean
from reproduction.results.published import load_published


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the page and the advice."""
    found = select(real_rows(rows), table="2", classifier="combined")
    printed = load_published("cotraining").query("classifier == 'combined'")
    numbers = {
        "alone": mean(found.loc[found["method"] == "supervised", "value"]),
        "together": mean(found.loc[found["method"] == "co-training", "value"]),
    }
    quoted = mean(printed.loc[printed["method"] == "co-training", "mean"])
    return Front(
        Said(
            "With a handful of labelled web pages the error is {alone:.1f} %; co-training on "
            "unlabelled pages brings it to {together:.1f} %, where {quoted:.1f} % is what others "
            "quote from the paper.",
            {**numbers, "quoted": quoted},
        ),
        Said(
            "As a baseline: error {together:.1f} %, without unlabelled pages {alone:.1f} %.",
            numbers,
        ),
    )
