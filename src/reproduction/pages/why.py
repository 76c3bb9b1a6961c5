"""Why a counted cell is not equivalent: chance, another reading, or unexplained after so many."""

import pandas as pd

from asprinted.base_rates import counted
from asprinted.margins import load_margins
from asprinted.words import COMPATIBLE, EQUIVALENT
from reproduction.pages.choices import ALL_TEXT, shifts_frame
from reproduction.pages.results import load_results
from reproduction.pages.said import Said
from reproduction.pages.tables import Table, frame_table, table_name
from reproduction.results.search import search_table

CHANCE, REACHED, LEFT = "within chance", "reached by another reading", "unexplained"
_PLACE = ["table", "dataset", "setting", "method", "metric"]


def searched(rows: pd.DataFrame, cells: pd.DataFrame) -> list[int]:
    """How many readings of a declared search were run for each cell, beside its open choices."""
    found = rows[rows["table"].str.startswith(search_table("")) & (rows["role"] == "published")]
    found = found.assign(table=found["table"].str.removeprefix(search_table("")))
    known = found.groupby(_PLACE)["reading"].nunique().to_dict()
    places = cells.assign(dataset=cells["data_key"])[_PLACE].itertuples(index=False, name=None)
    return [int(known.get(place, 0)) for place in places]


def reasons(ledger: pd.DataFrame, shifts: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Counted cells that are not equivalent, with ``kind``, ``reason`` and readings ``tried``.

    A cell is reached by another reading if the mean of one that was run lies within the margin of
    print; the nearest is named. ``shifts`` are those of the open choices.
    """
    own = counted(ledger)
    own = own[own["agreement"] != EQUIVALENT]
    own = own.assign(tried=own["n_readings"].astype(int) + searched(rows, own))
    at = shifts.merge(own[["cell", "metric", "published", "margin"]], on="cell")
    units = at["metric"].map(load_margins().unit)
    pairs = zip(units, at["mean"], at["published"], at["margin"], strict=True)
    off = pd.Series([abs(u.place(m) - u.place(p)) / w for u, m, p, w in pairs], at.index, float)
    near = at.assign(off=off)[off <= 1].sort_values("off", kind="stable").drop_duplicates("cell")
    reached = {
        cell: f"“{name}”" if question == ALL_TEXT else f"“{name}” ({question})"
        for cell, name, question in near[["cell", "alternative", "question"]].itertuples(False)
    }
    kinds, told = [], []
    for cell, word, tried in own[["cell", "agreement", "tried"]].itertuples(index=False):
        kind = CHANCE if word == COMPATIBLE else REACHED if cell in reached else LEFT
        kinds.append(kind)
        told.append({
            CHANCE: "the difference is within chance: too few runs to call it equivalent",
            REACHED: f"print is reached by another reading, {reached.get(cell, '')}",
            LEFT: f"unexplained after {tried} readings tried",
        }[kind])  # fmt: skip
    return own.assign(kind=kinds, reason=told, by=own["cell"].map(reached).fillna(""))


def with_reasons(ledger: pd.DataFrame) -> pd.DataFrame:
    """Return a ledger in which every counted cell that is not equivalent says why."""
    told: dict[str, str] = {}
    for paper, part in ledger.groupby("paper", sort=False):
        if (counted(part)["agreement"] != EQUIVALENT).any():
            found = reasons(part, shifts_frame(str(paper)), load_results(str(paper)))
            told |= dict(zip(found["cell"], found["reason"], strict=True))
    return ledger.assign(reason=ledger["cell"].map(told).fillna(ledger["reason"]))


def why_said(found: pd.DataFrame) -> Said:
    """How many cells there are of each kind."""
    left = found[found["kind"] == LEFT]
    kinds = found["kind"].value_counts()
    numbers = {"cells": len(found), "chance": kinds.get(CHANCE, 0), "left": len(left)}
    numbers |= {"reached": kinds.get(REACHED, 0)}
    said = (
        "Of {cells:d} counted numbers that are not equivalent, {chance:d} differ by no more than "
        "chance, {reached:d} come within the margin under another reading that we ran, and "
        "{left:d} stay unexplained"
    )
    if len(left):
        numbers |= {"least": left["tried"].min(), "most": left["tried"].max()}
        said += " after {least:d} to {most:d} readings tried"
    return Said(f"{said}.", numbers)


def why_table(paper: str, found: pd.DataFrame) -> Table:
    """The same by table and data set; the download has a row for each cell."""
    lines = []
    for (table, dataset), part in found.groupby(["table", "dataset"], sort=False):
        left, by = part[part["kind"] == LEFT], part.loc[part["kind"] == REACHED, "by"]
        ends = " to ".join(map(str, sorted({left["tried"].min(), left["tried"].max()})))
        lines.append(
            {
                "table": table_name(str(table)),
                "data set": dataset,
                **{kind: int((part["kind"] == kind).sum()) for kind in (CHANCE, REACHED)},
                LEFT: f"{len(left)} after {ends} readings" if len(left) else "none",
                "reading that reaches most": by.mode().iloc[0] if len(by) else "",
            }
        )
    saved = ["cell", "agreement", "published", "ours", "kind", "reason", "tried"]
    caption = "Why numbers are not equivalent (inferred reading); the CSV has every cell's reason"
    return frame_table(pd.DataFrame(lines), f"{paper}-why", caption, saved=found[saved])
