"""Claims of my_paper."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from asprinted.claims import better, select
from asprinted.parts import Part


def rises(rows: pd.DataFrame, params: Mapping[str, Any]) -> Part:
    """The method does better at the largest labelled share than at the smallest."""
    part = select(rows, table="1", method=params["method"], reading=params["reading"])
    most, least = part["train"].max(), part["train"].min()
    left, right = part[part["train"] == most], part[part["train"] == least]
    names = (f"{most:g} % labelled", f"{least:g} %")
    return better(left, right, on=("dataset", "run"), names=names)
