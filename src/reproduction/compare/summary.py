"""Each data set then and now in one row, and who is ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from reproduction.compare.experience import CONTROLS, LOWER, compared_only
from reproduction.pages.data_names import data_name
from reproduction.verdicts.words import SAME, STAND_IN

PUBLISHED, RERUN, NOW = "published best", "our rerun's best", "today's best"
CONCATENATED, ALONE, GUESSING = "just concatenate", "best view alone", "guessing"
#: Whether today's methods saw all rows of a data set.
ALL_ROWS, SAMPLE = "all", "a sample"
#: Measures that the ledger has as fractions, the comparisons in per cent.
FRACTIONS = ("map_at_10",)


def published_cells(ledger: pd.DataFrame, record: Mapping[str, Any]) -> pd.DataFrame:
    """Return the ledger's rows of a comparison: its data set, its measure, its place."""
    rows = ledger[
        (ledger["paper"] == record["paper"])
        & (ledger["data_key"] == record["dataset"])
        & (ledger["metric"] == record["metric"])
    ]
    for column, value in record["entry"]["where"].items():
        rows = rows[rows[column].map(_plain) == _plain(value)]
    return rows


def _plain(value: Any) -> str:
    try:
        return f"{float(value):g}"
    except (TypeError, ValueError):
        return str(value)


def has(value: Any) -> bool:
    """Tell whether a cell holds a number."""
    return value is not None and not pd.isna(value)


def best_of(values: Mapping[str, float], metric: str) -> tuple[str, float]:
    """Return the best name and its value; the first by name of equals."""
    sign = 1.0 if metric in LOWER else -1.0
    name = min(values, key=lambda key: (sign * values[key], key))
    return name, values[name]


def rerun_cells(reruns: pd.DataFrame, record: Mapping[str, Any]) -> pd.DataFrame:
    """Return the mean of every method of a paper where print is silent: what we ran, on its words.

    Controls and inventions of ours are no methods of the paper.
    """
    rows = reruns[
        (reruns["paper"] == record["paper"])
        & (reruns["dataset"] == record["dataset"])
        & (reruns["metric"] == record["metric"])
        & (reruns["reading"] == record["entry"]["reading"])
        & (reruns["role"] == "published")
    ]
    for column, value in record["entry"]["where"].items():
        rows = rows[rows[column].map(_plain) == _plain(value)]
    values = rows.assign(ours=pd.to_numeric(rows["value"], errors="coerce"))
    return values.groupby("method", as_index=False)["ours"].mean().assign(data=STAND_IN)


def shown_name(view_key: str) -> str:
    """Return the name readers know data by, with the variant if it is one."""
    key, _, variant = view_key.partition(".")
    return data_name(key) + (f", {variant.replace('_', ' ')}" if variant else "")


def summary(
    records: Sequence[Mapping[str, Any]], ledger: pd.DataFrame, reruns: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return one row a comparison: published best, our rerun's best, today's best, controls.

    Parameters
    ----------
    records
        What today's methods reached.
    ledger
        Published cells and our rerun of them.
    reruns
        Results of jobs on data that print is silent about.
    """
    rows = []
    for record in compared_only(records):
        metric = record["metric"]
        means = {key: float(np.mean(values)) for key, values in record["values"].items()}
        now, value = best_of({k: v for k, v in means.items() if k not in CONTROLS}, metric)
        alone = {k: v for k, v in means.items() if k.startswith("single_view")}
        row: dict[str, Any] = {
            "paper": record["paper"],
            "data set": shown_name(record["view_key"]),
            "data": "",
            "rows": SAMPLE if record["sampled"] else ALL_ROWS,
            "measure": metric,
            PUBLISHED: None, "by": "", RERUN: None, "of": "",
            NOW: value,
            "method": record["methods"][now],
            "deviation": float(np.std(record["values"][now], ddof=1)),
            CONCATENATED: means.get("concatenation", means.get("kmeans")),
            ALONE: best_of(alone, metric)[1] if alone else None,
            GUESSING: next((means[key] for key in CONTROLS if key in means), None),
        }  # fmt: skip
        if record["entry"].get("jobs") and reruns is not None:
            cells = rerun_cells(reruns, record).assign(published=None)
        else:
            cells = published_cells(ledger, record) if record["paper"] else ledger[:0]
        rerun = record["entry"].get("rerun", "ours")
        scale = 100.0 if metric in FRACTIONS else 1.0
        for column, name, who in (("published", PUBLISHED, "by"), (rerun, RERUN, "of")):
            known = cells[pd.to_numeric(cells[column], errors="coerce").notna()]
            # print is of the whole set, the ledger's rerun of all rows of the view file it names
            other = record["view_key"] != record["dataset"] or record["sampled"]
            if len(known) and not (name == RERUN and other):
                numbers = scale * known[column].astype(float)
                values = dict(zip(known["method"], numbers, strict=True))
                row[who], row[name] = best_of(values, metric)
        if len(cells):
            row["data"] = str(cells["data"].iloc[0])
        rows.append(row)
    return pd.DataFrame(rows)


def ahead(row: Mapping[Any, Any], column: str = PUBLISHED) -> bool | None:
    """Tell whether today's best is better than another column; None if there is no such figure."""
    if not has(row[column]):
        return None
    difference = row[NOW] - row[column]
    return bool(difference < 0 if row["measure"] in LOWER else difference > 0)


def first_sentence(frame: pd.DataFrame, *, names: bool = False) -> str:
    """Say on how many data sets a plain method of today beats print, and our rerun.

    Print counts on the whole of the papers' own data alone: elsewhere the data make the difference.
    """
    parts, never = [], []
    for column, what, rows in (
        (
            PUBLISHED,
            "the best published figure",
            frame[(frame["data"] == SAME) & (frame["rows"] == ALL_ROWS)],
        ),
        (RERUN, "the best method of our rerun", frame),
    ):
        told = {row["data set"]: ahead(row, column) for row in rows.to_dict("records")}
        known = {key: value for key, value in told.items() if value is not None}
        beaten = [key for key, value in known.items() if value]
        named = f" ({', '.join(beaten)})" if names else ""
        if beaten and len(known) > 1:
            parts.append(f"{what} on {len(beaten)} of {len(known)} data sets{named}")
        elif beaten:
            parts.append(f"{what} on the one data set that has it{named}")
        elif known:
            never.append(what)
    if parts:
        rest = f", but nowhere {' or '.join(never)}" if never else ""
        return f"A plain method of today beats {' and '.join(parts)}{rest}."
    if never:
        return f"No plain method of today beats {' or '.join(never)}."
    return "No published figure on the same data stands beside today's methods."
