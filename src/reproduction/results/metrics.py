"""Between which values a metric must lie; a value outside is no measurement."""

import math
from fnmatch import fnmatchcase

#: Pattern of a metric -> smallest and largest value; the first that fits counts.
RANGES: dict[str, tuple[float, float]] = {
    "relative_gain_pct": (-1e6, 1e6),
    "*_pct": (0.0, 100.0),
    "map_at_*": (0.0, 1.0),
    "precision": (0.0, 1.0),
    "view_agreement": (0.0, 1.0),
    "share": (0.0, 1.0),
    "p_value": (0.0, 1.0),
    "pearson_r": (-1.0, 1.0),
    "average_rank": (1.0, 1e6),
}

_SLACK = 1e-9  # the last digits of a sum of shares


def range_of(metric: str) -> tuple[float, float]:
    """Return the smallest and the largest value of a metric; no bounds where none are known."""
    for pattern, bounds in RANGES.items():
        if fnmatchcase(metric, pattern):
            return bounds
    return -math.inf, math.inf


def range_problem(metric: str, value: float) -> str:
    """Return what is wrong with a value of a metric; empty when nothing is."""
    low, high = range_of(metric)
    if low - _SLACK <= value <= high + _SLACK:
        return ""
    return f"{metric} is {value:g}, outside {low:g} .. {high:g}"
