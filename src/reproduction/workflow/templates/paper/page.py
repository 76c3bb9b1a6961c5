"""Tables and figures of the page; everything is computed from the result rows."""

import pandas as pd

from reproduction.results.summary import mean_and_deviation


def choices_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the accuracy under every choice."""
    part = rows[rows["table"] == "choice:smoothing"]
    keys = ["reading", "method", "setting"]
    wide = part.groupby(keys, sort=False)["value"].apply(mean_and_deviation).unstack("setting")
    return wide.reset_index().rename(columns={"reading": "smoothing"})
