"""Claims of the co-training paper on figures that others quote, not counted; runs are paired."""

import pandas as pd

from asprinted.claims import better
from asprinted.declared import Params, cases, chosen
from asprinted.parts import Part, every


def lower_error(rows: pd.DataFrame, params: Params) -> Part:
    """Co-training's error is below the supervised one, or a ``times`` of it."""
    times = float(params.get("times", 1))
    parts = {}
    for at, case in cases(chosen(rows, params, table="2"), params, ["classifier"]):
        left, right = (case[case["method"] == name] for name in ("co-training", "supervised"))
        parts[at["classifier"]] = better(
            left, right.assign(value=times * right["value"]), higher_is_better=False,
            names=("error of co-training", f"{times:g} of supervised"),
        )  # fmt: skip
    return every(parts)
