"""The replication criteria of the field, per paper and reading.

The Reproducibility Project: Cancer Biology (Errington et al. 2021) reports the same direction for
79 % of its effects, direction and significance for 43 %, the original within the replication's
interval for 18 %, and the replication within the prediction interval for 58 %.
"""

import math

import numpy as np
import pandas as pd

from reproduction.rooms import controls
from reproduction.verdicts.agreement import compare
from reproduction.verdicts.base_rates import READING, counted, figures
from reproduction.verdicts.ledger import NO, YES
from reproduction.verdicts.margins import load_margins
from reproduction.verdicts.words import INFERRED, NOT_RUN, SAME, TEXT

#: The field's own figures, in per cent.
FIELD = {
    "same_direction": 79, "direction_and_significance": 43, "print_in_our_interval": 18,
    "ours_in_prediction_interval": 58,
}  # fmt: skip

COLUMNS = (
    "paper", "reading", "gaps", "same_direction", "direction_and_significance",
    "significantly_opposite", "median_share_of_print", "cells", "print_in_our_interval",
    "ours_in_prediction_interval",
)  # fmt: skip


def mission(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of the papers themselves; controls are counted apart."""
    return table[~table["paper"].isin(controls())]


def _of_gaps(gaps: pd.DataFrame, prefix: str) -> dict[str, float]:
    run = gaps[gaps[f"{prefix}agreement"] != NOT_RUN]
    same = run[f"{prefix}same_sign"] == YES
    sure = run[f"{prefix}significant"] == YES
    share = (run[f"{prefix}ours"] / run["published"]).to_numpy(dtype=float)
    return {
        "gaps": len(run),
        "same_direction": int(same.sum()),
        "direction_and_significance": int((same & sure).sum()),
        "significantly_opposite": int(((run[f"{prefix}same_sign"] == NO) & sure).sum()),
        "median_share_of_print": float(np.median(share)) if len(run) else math.nan,
    }


def _of_cells(cells: pd.DataFrame, reading: str) -> dict[str, int]:
    """Count cells whose print lies in our interval, and ours in the prediction interval."""
    run = cells[cells[READING[reading][3]] != NOT_RUN]
    margins = load_margins()
    counts = [0, 0]
    for metric, part in run.groupby("metric"):
        published, ours = figures(part, reading)
        sure = published._replace(std=np.zeros(len(part)), runs=np.full(len(part), math.inf))
        for place, known in enumerate((sure, published)):
            found = compare(known, ours, margins.unit(str(metric)))
            counts[place] += int((np.abs(found.difference) <= found.half(0.975) + 1e-9).sum())
    names = ("print_in_our_interval", "ours_in_prediction_interval")
    return {"cells": len(run), **dict(zip(names, counts, strict=True))}


def replication_table(ledger: pd.DataFrame, gaps: pd.DataFrame) -> pd.DataFrame:
    """Counts by the field's criteria, one row a paper and reading, then all papers together.

    Gaps that count are on the paper's own data, each once, with a printed sign.
    """
    cells = counted(ledger)
    between = gaps[
        (gaps["data"] == SAME) & (gaps["repeats"] == "") & (gaps["published"].abs() > 1e-9)
    ]
    rows = []
    for paper in (*dict.fromkeys(ledger["paper"]), "all"):
        mine, own = (
            mission(table) if paper == "all" else table[table["paper"] == paper]
            for table in (between, cells)
        )
        rows += [
            {"paper": paper, "reading": reading} | _of_gaps(mine, prefix) | _of_cells(own, reading)
            for reading, prefix in ((TEXT, "text_"), (INFERRED, ""))
        ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def out_of_sample(ledger: pd.DataFrame) -> pd.DataFrame:
    """Does the inferred reading, chosen by some tables, come closer in those it was not chosen by?

    For every table of a paper: root mean square distance from print, in margins, of the text and
    the inferred reading, in that table and in the paper's other tables.
    """
    cells = counted(ledger)
    cells = cells[cells["text_agreement"] != NOT_RUN]
    units = [load_margins().unit(str(metric)) for metric in cells["metric"]]
    off = pd.DataFrame(index=cells.index)
    for reading in (TEXT, INFERRED):
        pairs = cells[[READING[reading][0], "published"]].to_numpy(dtype=float)
        off[reading] = [
            float(np.subtract(*unit.place(pair))) / unit.margin
            for unit, pair in zip(units, pairs, strict=True)
        ]
    rows = []
    for (paper, table), own in cells.groupby(["paper", "table"], sort=False):
        others = cells[(cells["paper"] == paper) & (cells["table"] != table)]
        if others.empty:
            continue
        here, there = (np.sqrt((off.loc[part.index] ** 2).mean()) for part in (own, others))
        chosen = here.idxmin()
        rows.append(
            {
                "paper": paper, "table": table, "cells": len(own), "elsewhere": len(others),
                "chosen here": chosen,
                **{f"{reading}, elsewhere": there[reading] for reading in (TEXT, INFERRED)},
                "also closer elsewhere": bool(there[chosen] <= there.min()),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
