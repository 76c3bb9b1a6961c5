"""Claims of my_paper."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from reproduction.verdicts.claims import better, select
from reproduction.verdicts.parts import PARTITION, Part


def rises(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """The method does better at the largest labelled share than at the smallest.

    Label draws overlap, so the test is corrected by the share of documents that are scored.
    """
    part = select(rows, table="1", method=params["method"])
    most, least = part["train"].max(), part["train"].min()
    left, right = part[part["train"] == most], part[part["train"] == least]
    return better(
        left, right, unit=PARTITION, overlap=1 - least / 100, on=("dataset", "run"),
        names=(f"{most:g} % labelled", f"{least:g} %"),
    )  # fmt: skip
