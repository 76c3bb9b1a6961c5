"""What the front page says about this paper; every number comes from the rows."""

import pandas as pd

from asprinted.claims import real_rows, select
from reproduction.pages.said import Front, Said, mean
from reproduction.results.published import load_published

PAPER = "cotraining"
COMBINED = "combined"


def _ours(rows: pd.DataFrame, method: str) -> float:
    return mean(select(rows, table="2", classifier=COMBINED, method=method)["value"])


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the page and the advice."""
    real = real_rows(rows)
    printed = load_published(PAPER)
    at = (printed["classifier"] == COMBINED) & (printed["method"] == "co-training")
    sentence = Said(
        "With a handful of labelled web pages the error is {alone:.1f} %; co-training on "
        "unlabelled pages brings it to {together:.1f} %, where {quoted:.1f} % is what others quote "
        "from the paper.",
        {
            "alone": _ours(real, "supervised"),
            "together": _ours(real, "co-training"),
            "quoted": mean(printed.loc[at, "mean"]),
        },
    )
    return Front(
        sentence,
        Said(
            "As a baseline: error {together:.1f} %, without unlabelled pages {alone:.1f} %.",
            {name: sentence.numbers[name] for name in ("together", "alone")},
        ),
    )
