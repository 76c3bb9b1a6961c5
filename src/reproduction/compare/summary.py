"""Each data set then and now in one row, who is ahead, and all scores as one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from reproduction.pages.data_names import data_name
from reproduction.verdicts.words import SAME, STAND_IN

PUBLISHED, RERUN, NOW = "published best", "our rerun's best", "today's best"
CONCATENATED, ALONE, GUESSING = "just concatenate", "best view alone", "guessing"
#: Measures of which less is better, and those that the ledger has as fractions.
LOWER, FRACTIONS = ("error_pct",), ("map_at_10",)
#: Methods that need no data: guesses.
CONTROLS = ("majority", "chance")
#: Columns of the table of all scores, which ``manyviews recommend`` learns from.
_COLUMNS = ("comparison", "paper", "data", "task", "kind", "name", "title", "measure", "value",
            "deviation", "score")  # fmt: skip
Record = Mapping[str, Any]


def scores_frame(records: Sequence[Record]) -> pd.DataFrame:
    """Return one row a method or diagnostic of a comparison that was made.

    ``value`` is in the paper's measure; ``score`` is from 0 to 1, larger is better.
    """
    rows: list[dict[str, Any]] = []
    for record in records:
        base = {
            "comparison": record["name"], "paper": record["paper"], "task": record["task"],
            "data": record["view_key"],
        }  # fmt: skip
        for key, values in sorted(record["values"].items()):
            mean = float(np.mean(values))
            rows.append({
                **base, "kind": "method", "name": key, "title": record["methods"][key],
                "measure": record["metric"], "value": mean,
                "deviation": round(float(np.std(values, ddof=1)), 6),
                "score": 1 - mean / 100 if record["metric"] in LOWER else mean / 100,
            })  # fmt: skip
        for name, value in sorted(record["diagnostics"].items()):
            rows.append({**base, "kind": "diagnostic", "name": name, "value": value})
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def _plain(value: Any) -> str:
    try:
        return f"{float(value):g}"
    except (TypeError, ValueError):
        return str(value)


def cells_of(rows: pd.DataFrame, record: Record, **columns: str) -> pd.DataFrame:
    """Return the rows of a comparison: its paper, its measure, its place."""
    wanted = {"paper": record["paper"], "metric": record["metric"], **columns}
    for column, value in (*wanted.items(), *record["entry"]["where"].items()):
        rows = rows[rows[column].map(_plain) == _plain(value)]
    return rows


def rerun_cells(reruns: pd.DataFrame, record: Record) -> pd.DataFrame:
    """Return the mean of every method of a paper where print is silent: what we ran, on its words.

    Controls and inventions of ours are no methods of the paper.
    """
    rows = cells_of(reruns, record, dataset=record["dataset"], role="published",
                    reading=record["entry"]["reading"])  # fmt: skip
    values = rows.assign(ours=pd.to_numeric(rows["value"], errors="coerce"))
    means = values.groupby("method", as_index=False)["ours"].mean()
    return means.assign(data=STAND_IN, published=None)


def has(value: Any) -> bool:
    """Tell whether a cell holds a number."""
    return value is not None and not pd.isna(value)


def best_of(values: Mapping[str, float], metric: str) -> tuple[str, float]:
    """Return the best name and its value; the first by name of equals."""
    sign = 1.0 if metric in LOWER else -1.0
    name = min(values, key=lambda key: (sign * values[key], key))
    return name, values[name]


def shown_name(view_key: str) -> str:
    """Return the name readers know data by, with the variant if it is one."""
    key, _, variant = view_key.partition(".")
    return data_name(key) + (f", {variant.replace('_', ' ')}" if variant else "")


def summary(
    records: Sequence[Record], ledger: pd.DataFrame, reruns: pd.DataFrame | None = None
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
    for record in records:
        metric, entry = record["metric"], record["entry"]
        means = {key: float(np.mean(values)) for key, values in record["values"].items()}
        now, value = best_of({k: v for k, v in means.items() if k not in CONTROLS}, metric)
        alone = {k: v for k, v in means.items() if k.startswith("single_view")}
        row: dict[str, Any] = {
            "paper": record["paper"], "data set": shown_name(record["view_key"]), "data": "",
            "rows": "a sample" if record["sampled"] else "all", "measure": metric,
            PUBLISHED: None, "by": "", RERUN: None, "of": "", NOW: value,
            "method": record["methods"][now],
            "deviation": float(np.std(record["values"][now], ddof=1)),
            CONCATENATED: means.get("concatenation", means.get("kmeans")),
            ALONE: best_of(alone, metric)[1] if alone else None,
            GUESSING: next((means[key] for key in CONTROLS if key in means), None),
        }  # fmt: skip
        if entry.get("jobs") and reruns is not None:
            cells = rerun_cells(reruns, record)
        else:
            place = {"data_key": record["dataset"]}
            cells = cells_of(ledger, record, **place) if record["paper"] else ledger[:0]
        scale = 100.0 if metric in FRACTIONS else 1.0
        # print is of the whole set, the ledger's rerun of all rows of the view file it names
        other = record["view_key"] != record["dataset"] or record["sampled"]
        columns = (("published", PUBLISHED, "by"), (entry.get("rerun", "ours"), RERUN, "of"))
        for column, name, who in columns[: 1 if other else 2]:
            known = cells[pd.to_numeric(cells[column], errors="coerce").notna()]
            if len(known):
                numbers = scale * known[column].astype(float)
                values = dict(zip(known["method"], numbers, strict=True))
                row[who], row[name] = best_of(values, metric)
        row["data"] = str(cells["data"].iloc[0]) if len(cells) else ""
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
    whole = frame[(frame["data"] == SAME) & (frame["rows"] == "all")]
    for column, what, rows in (
        (PUBLISHED, "the best published figure", whole),
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
