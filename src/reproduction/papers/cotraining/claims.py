"""Claims of the co-training paper; runs are paired, both methods see the same pages."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from reproduction.verdicts.claims import (
    ClaimResult,
    better,
    combine,
    pair,
    paired_test,
    select,
    untestable,
    verdict_of,
)


def lower_error(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Co-training's error is below the supervised one, for every classifier named."""
    parts = {}
    for classifier in params["classifiers"]:
        part = select(rows, table="2", classifier=classifier)
        left = part[part["method"] == "co-training"]
        right = part[part["method"] == "supervised"]
        parts[classifier] = better(left, right, higher_is_better=False)
    return combine(parts)


def halves_error(rows: pd.DataFrame, params: Mapping[str, Any]) -> ClaimResult:
    """Co-training's error is below half of the supervised one."""
    part = select(rows, table="2", classifier=params["classifier"])
    ours, theirs = pair(
        part[part["method"] == "co-training"], part[part["method"] == "supervised"], ("run",)
    )
    if ours.size < 2:
        return untestable(f"{ours.size} common draws, at least 2 needed")
    test = paired_test(theirs / 2, ours)
    detail = (
        f"{ours.mean():.1f} % against half of {theirs.mean():.1f} %, "
        f"{test.n} draws, p {test.p_value:.2g}"
    )
    verdict = verdict_of(test.difference, test.p_value)
    return ClaimResult(verdict, test.difference, test.p_value, test.n, detail)
