"""The one place that writes a mean and its deviation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

#: Decimals shown for each metric; 1 for the others.
DECIMALS = {"map_at_10": 3, "view_agreement": 2, "pearson_r": 2, "p_value": 3, "average_rank": 2}


def decimals(metric: str) -> int:
    """Return how many decimals a metric is shown with."""
    return DECIMALS.get(metric, 1)


def with_deviation(mean: float, deviation: float, places: int = 1) -> str:
    """Return ``82.1 ± 3.7``; without the second part where there is no deviation."""
    if math.isnan(mean):
        return ""
    text = f"{mean:.{places}f}"
    return text if math.isnan(deviation) else f"{text} ± {deviation:.{places}f}"


def mean_and_deviation(values: pd.Series, places: int = 1) -> str:
    """Return mean and sample deviation of some runs as text."""
    deviation = float(values.std(ddof=1)) if len(values) > 1 else math.nan
    return with_deviation(float(values.mean()), deviation, places)
