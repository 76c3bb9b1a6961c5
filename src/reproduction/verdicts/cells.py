"""Published cells: their names, and the figure that is printed in them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

from reproduction.results.tables import Tables
from reproduction.rooms import Paper
from reproduction.verdicts.agreement import Figure

#: What names a cell; after ``setting`` a ledger has a column for each setting of the paper.
CELL_KEYS = ("paper", "table", "dataset", "setting", "method", "metric")


def cell_id(cell: Mapping[str, Any]) -> str:
    """Name of a cell that a shell takes without quotes: ``mvplsa/3/Cornell/r=0.01/...``."""
    parts = (re.sub(r"[^A-Za-z0-9=.%+-]+", "_", str(cell[key])).strip("_") for key in CELL_KEYS)
    return "/".join(part for part in parts if part)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a table as dictionaries."""
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]


def cell_head(cell: Mapping[str, Any], names: Mapping[str, str], tables: Tables) -> dict[str, Any]:
    """What a ledger's row takes over from the published cell; ``names`` are those of data sets."""
    table = tables[cell["table"]]
    name = names.get(cell["dataset"], cell["dataset"])
    shown = {
        **cell,
        "dataset": f"{name} {table.write(cell, part=True)}".rstrip(),
        "setting": table.write(cell, part=False),
    }
    settings = [column for column in tables.columns if column in cell]
    return {
        "cell": cell_id(shown),
        **{key: shown[key] for key in (*CELL_KEYS, *settings, "seen")},
        "published": float(cell["mean"]),
        "published_std": float(cell["std"]),
    }


def printed_figure(card: Paper, head: Mapping[str, Any], runs: int) -> Figure:
    """What is printed; where the text gives no number of runs, print has ours."""
    number = card.printed_runs(str(head["table"])) or runs
    if not math.isnan(head["published_std"]):
        number = max(number, 2)
    return Figure(head["published"], head["published_std"], number)
