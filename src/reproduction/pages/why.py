"""Why counted cells are not equivalent: chance, another reading, or nothing that was tried."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
from IPython.display import Markdown, display

from asprinted.base_rates import counted
from asprinted.claims import real_rows
from asprinted.margins import load_margins
from asprinted.words import COMPATIBLE, EQUIVALENT
from reproduction.pages.choices import ALL_TEXT, shifts_frame
from reproduction.pages.results import load_results
from reproduction.pages.said import Said
from reproduction.pages.tables import Table, figures_of, frame_table, show_table, table_name
from reproduction.pages.wording import shown_settings
from reproduction.results.search import search_table
from reproduction.rooms import paper_keys
from reproduction.verdicts.hypotheses import Hypothesis, Outcome, outcomes

CHANCE, REACHED, LEFT = "within chance", "reached by another reading", "unexplained"


def searched(rows: pd.DataFrame, cells: pd.DataFrame) -> list[int]:
    """How many readings of a declared search were run for each cell, beside its open choices."""
    found = rows[rows["table"].str.startswith(search_table("")) & (rows["role"] == "published")]
    found = found.assign(table=found["table"].str.removeprefix(search_table("")))
    place = ["table", "dataset", "setting", "method", "metric"]
    known = found.groupby(place)["reading"].nunique().to_dict()
    places = cells.assign(dataset=cells["data_key"])[place].itertuples(index=False, name=None)
    return [int(known.get(cell, 0)) for cell in places]


def reasons(ledger: pd.DataFrame, shifts: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Counted cells that are not equivalent, with ``kind``, ``reason`` and readings ``tried``.

    A cell is reached by another reading if the mean of one that was run lies within the margin of
    print; the nearest is named. ``shifts`` are those of the open choices.
    """
    own = counted(ledger)
    own = own[own["agreement"] != EQUIVALENT]
    own = own.assign(tried=own["n_readings"].astype(int) + searched(rows, own))
    at = shifts.merge(own[["cell", "published", "margin"]], on="cell")
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
    return own.assign(kind=kinds, reason=told, by=[reached.get(c, "") for c in own["cell"]])


def with_reasons(ledger: pd.DataFrame) -> pd.DataFrame:
    """Return a ledger in which every counted cell that is not equivalent says why."""
    told: dict[str, str] = {}
    for paper, part in ledger.groupby("paper", sort=False):
        if (counted(part)["agreement"] != EQUIVALENT).any():
            found = reasons(part, shifts_frame(str(paper)), load_results(str(paper)))
            told |= dict(zip(found["cell"], found["reason"], strict=True))
    known = zip(ledger["cell"], ledger["reason"], strict=True)
    return ledger.assign(reason=[told.get(cell, reason) for cell, reason in known])


def why_said(found: pd.DataFrame) -> Said:
    """How many cells there are of each kind."""
    left = found[found["kind"] == LEFT]
    kinds = found["kind"].value_counts()
    numbers = {"cells": len(found), "chance": kinds.get(CHANCE, 0), "left": len(left)}
    numbers |= {"reached": kinds.get(REACHED, 0)}
    said = (
        "By the inferred reading {cells:d} counted numbers are not equivalent: {chance:d} within "
        "chance, {reached:d} reached by another reading, {left:d} unexplained"
    )
    if len(left):
        least, most = left["tried"].min(), left["tried"].max()
        numbers |= {"most": most} | ({"least": least} if least < most else {})
        said += f" after {'{least:d} to ' if least < most else ''}{{most:d}} readings tried"
    return Said(f"{said}.", numbers)


def largest_said(found: pd.DataFrame) -> str:
    """Name the cell that is the most margins from print, and why."""
    units = found["metric"].map(load_margins().unit)
    pairs = zip(units, found["ours"], found["published"], found["margin"], strict=True)
    off = [abs(unit.place(ours) - unit.place(told)) / margin for unit, ours, told, margin in pairs]
    row = found.iloc[[int(np.argmax(off))]]
    (setting,), at = shown_settings(row), row.iloc[0]
    place = ", ".join(filter(None, (at["dataset"], at["method"], setting)))
    said = figures_of(at)
    return (
        f"The largest gap: {place}: ours {said['ours']}, print {said['published']}; {at['reason']}."
    )


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


def tried_said() -> str:
    """Say what became of the explanations of all papers: a finding is no explanation."""
    rows = {paper: real_rows(load_results(paper)) for paper in paper_keys()}
    found = [outcome for paper in rows for _, outcome in outcomes(paper, rows[paper])]
    return f"Take these as leads. {_became(found)}"


def _became(found: Sequence[Outcome]) -> str:
    """Say what became of explanations; other data than they were found on test them."""
    words = Counter(outcome.verdict for outcome in found)
    told = ", ".join(f"{words[word]} {word}" for word in ("refuted", "undecided", "supported"))
    tested = sum(outcome.held_out > 0 for outcome in found)
    return (
        f"Explanations that we tried for differences from print: {told}; {tested} could be tested "
        "on data they were not found on."
    )


def hypotheses_table(found: list[tuple[Hypothesis, Outcome]]) -> pd.DataFrame:
    """Every hypothesis tried: verdict, distances to print in margins, luck, held-out cells."""
    shown = {
        "cells": "cells", "before": "RMS before", "after": "RMS under it",
        "luck": "best of as many random readings", "p_value": "p", "held_out": "held-out cells",
        "held_out_before": "held out, before", "held_out_after": "held out, under it",
    }  # fmt: skip
    nearest = " The nearest of {0.readings} readings: {0.best}."
    frame = pd.DataFrame(
        {
            "hypothesis": each.what,
            "verdict": outcome.verdict,
            "readings tried": each.tried + outcome.readings,
            **{title: getattr(outcome, name) for name, title in shown.items()},
            "evidence": each.evidence + (nearest.format(outcome) if outcome.best else ""),
        }
        for each, outcome in found
    )
    for title in ("cells", "held-out cells"):
        frame[title] = frame[title].astype(object).where(frame[title] != 0, None)
    return frame.dropna(axis=1, how="all")  # an empty column takes room from the words


def show_tried(paper: str) -> None:
    """Show what was tried to explain the cells that differ."""
    if found := outcomes(paper, real_rows(load_results(paper))):
        told = _became([outcome for _, outcome in found])
        words = (
            f"### What was tried to explain the rest\n\n{told} Supported: nearer to print than the "
            "best of as many random readings, and nearer on such data. All were found after seeing "
            "print; distances are root mean squares in margins."
        )
        display(Markdown(words))
        show_table(hypotheses_table(found), f"hypotheses-{paper}", "Explanations that were tried")
