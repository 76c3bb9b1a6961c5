"""Claims of the co-training paper, from figures as others quote them: tests of ours, not counted.

Runs are paired, both methods see the same pages.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from reproduction.verdicts.claims import better, select
from reproduction.verdicts.parts import Part, every


def lower_error(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """Co-training's error is below the supervised one, or a ``share`` of it."""
    share = float(params.get("share", 1))
    table = select(rows, table="2", reading=params["reading"])
    parts = {}
    for classifier in params["classifiers"]:
        part = table[table["classifier"] == classifier]
        left, right = (part[part["method"] == name] for name in ("co-training", "supervised"))
        parts[classifier] = better(
            left, right.assign(value=share * right["value"]), higher_is_better=False,
            names=("error of co-training", f"{share:g} of supervised"),
        )  # fmt: skip
    return every(parts)
