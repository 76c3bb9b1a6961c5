"""Declared searches: every reading tried for unexplained cells, and what the best one is worth.

A search is a grid of readings written down before it was run (``papers/<key>/search.py``).
Each reading is held against print on all cells of its hypothesis; a cell that it does not touch
stays as it is. The nearest reading is judged like any hypothesis, against the best of as many
random readings as were tried: those of the search and those before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from reproduction.results.rows import INFERRED
from reproduction.results.search import search_table, split_reading
from reproduction.verdicts.cells import records
from reproduction.verdicts.hypotheses import CELL, Hypothesis, Outcome, judge, rms, touched_cells

_PLACE = [name for name in CELL if name != "table"]


def search_cells(
    hypothesis: Hypothesis,
    rows: pd.DataFrame,
    published: pd.DataFrame,
    margins: Mapping[str, float],
) -> dict[str, pd.DataFrame]:
    """Return the cells of every reading of a search, as hypotheses compare them.

    ``before`` is the reading compared with print on the runs that the search made, ``after`` the
    reading of the search: distances to print as multiples of the metric's margin.
    """
    search = rows[rows["table"].str.startswith(search_table(""))]
    names = search["reading"].map(split_reading)
    search = search.assign(name=names.str[1])[names.str[0] == hypothesis.search]
    compared = rows[(rows["role"] == "published") & (rows["reading"] == INFERRED)]
    found_cells = []
    for cell in records(touched_cells(hypothesis, published)):
        found = _at(search, cell, search_table(str(cell["table"])))
        own = _at(compared, cell, str(cell["table"]))
        own = own[own["run"].isin(found["run"])]
        if found.empty or own.empty:
            continue
        printed, margin = float(cell["mean"]), margins[str(cell["metric"])]
        before = (float(own["value"].mean()) - printed) / margin
        place = {**{name: cell[name] for name in CELL}, "published": printed, "before": before}
        means = found.groupby("name")["value"].mean()
        found_cells += [
            {**place, "name": name, "after": (means[name] - printed) / margin if name in means.index
             else before}
            for name in dict.fromkeys(search["name"])
        ]  # fmt: skip
    frame = pd.DataFrame(found_cells, columns=["name", *CELL, "published", "before", "after"])
    return {str(name): part for name, part in frame.groupby("name", sort=True)}


def _at(rows: pd.DataFrame, cell: Mapping[str, object], table: str) -> pd.DataFrame:
    kept = rows["table"] == table
    for name in _PLACE:
        kept &= rows[name] == cell[name]
    return rows[kept]


def judge_search(
    hypothesis: Hypothesis, found: Mapping[str, pd.DataFrame], paper: str, **draws: int
) -> Outcome:
    """Judge the nearest reading of a search, corrected for all that were tried."""
    if not found:
        return Outcome("undecided")
    best = min(found, key=lambda name: (rms(found[name]["after"]), name))
    tried = hypothesis.tried + len(found)
    named = hypothesis.model_copy(update={"reading": best, "search": "", "tried": tried})
    outcome = judge(named, found[best], paper, **draws)
    return replace(outcome, readings=len(found), best=best)
