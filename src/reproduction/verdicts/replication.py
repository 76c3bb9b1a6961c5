"""Counts over papers: the replication criteria of the field, and the headline's three sentences.

The Reproducibility Project: Cancer Biology (Errington et al. 2021) reports the same direction for
79 % of its effects, direction and significance for 43 %, the original within the replication's
interval for 18 %, and the replication within the prediction interval for 58 %.
"""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from asprinted.agreement import compare
from asprinted.base_rates import READING, count, counted, figures
from asprinted.margins import load_margins
from asprinted.statistics import ALPHA
from asprinted.words import CLAIM, INFERRED, NOT_COMPARABLE, NOT_RUN, SAME, TEXT, UNTESTABLE
from reproduction.rooms import controls
from reproduction.verdicts.ledger import NO, YES

#: The field's own figures, in per cent.
FIELD = {
    "same_direction": 79, "direction_and_significance": 43, "print_in_our_interval": 18,
    "ours_in_prediction_interval": 58,
}  # fmt: skip

ALL = "all"  #: in place of a paper's key
LOWER = ("error_pct",)  #: measures of which less is better


def mission(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of the papers themselves; controls are counted apart."""
    return table[~table["paper"].isin(controls())]


def part_of(table: pd.DataFrame, paper: str) -> pd.DataFrame:
    """Rows of one paper, or of all that are no controls."""
    return mission(table) if paper == ALL else table[table["paper"] == paper]


def _of_gaps(gaps: pd.DataFrame, prefix: str) -> dict[str, float]:
    run = gaps[~gaps[f"{prefix}agreement"].isin([NOT_RUN, NOT_COMPARABLE])]
    same = run[f"{prefix}same_sign"] == YES
    sure = run[f"{prefix}significant"] == YES
    ahead = (run["published"] > 0) != run["metric"].isin(LOWER)
    share = (run[f"{prefix}ours"] / run["published"]).to_numpy(dtype=float)
    return {
        "gaps": len(run),
        "same_direction": int(same.sum()),
        "ahead_in_print": int(ahead.sum()),
        "ahead_in_both": int((same & ahead).sum()),
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
    """Counts by the field's criteria, one row a paper and reading, then all papers together."""
    cells = counted(ledger)
    between = gaps[
        (gaps["data"] == SAME) & (gaps["repeats"] == "") & (gaps["published"].abs() > 1e-9)
    ]
    rows = []
    for paper in (*dict.fromkeys(ledger["paper"]), ALL):
        mine, own = (part_of(table, paper) for table in (between, cells))
        rows += [
            {"paper": paper, "reading": reading} | _of_gaps(mine, prefix) | _of_cells(own, reading)
            for reading, prefix in ((TEXT, "text_"), (INFERRED, ""))
        ]
    return pd.DataFrame(rows)


class Tally(NamedTuple):
    """How many counted claims were tested under one reading, and two of the words."""

    tested: int
    holds: int
    refuted: int

    @property
    def expected_false(self) -> float:
        """False words to expect in each direction."""
        return ALPHA * self.tested


def counted_claims(claims: pd.DataFrame) -> pd.DataFrame:
    """Sentences of the authors that were tested on the paper's own data."""
    return claims[claims["counts"] == "yes"]


def tally(claims: pd.DataFrame, reading: str) -> Tally:
    """Count the words of the counted claims under a reading."""
    words = list(counted_claims(claims)[reading])
    holds, _, _, refuted = (words.count(word) for word in CLAIM[:4])
    return Tally(len(words) - words.count(UNTESTABLE), holds, refuted)


def headline(ledger: pd.DataFrame, gaps: pd.DataFrame, claims: pd.DataFrame) -> tuple[str, ...]:
    """Return three sentences by the inferred reading, then the same by the text reading."""
    ledger, gaps, claims = mission(ledger), mission(gaps), mission(claims)
    if counted(ledger).empty:
        return ("Nothing here can be compared with print: other settings or other data.",)
    field = replication_table(ledger, gaps)
    signs, holds, cells = {}, {}, {}
    for reading in (INFERRED, TEXT):
        signs[reading] = field[(field["paper"] == ALL) & (field["reading"] == reading)].iloc[0]
        holds[reading] = _words(tally(claims, reading))
        cells[reading] = count(ledger, ALL, reading)[0]
    own, text = cells[INFERRED], cells[TEXT]
    # papers print what their method wins: most comparisons come back for whoever lets it win always
    pairs, ahead = signs[INFERRED]["gaps"], signs[INFERRED]["ahead_in_print"]
    back, back_text = (
        (row["ahead_in_both"], row["same_direction"] - row["ahead_in_both"])
        for row in (signs[INFERRED], signs[TEXT])
    )
    return (
        f"Where papers print a win of their own method we see it in {back[0]} of {ahead} "
        f"comparisons; where they print a loss, in {back[1]} of {pairs - ahead}.",
        f"Of {len(counted_claims(claims))} claims that we could test, {holds[INFERRED]}.",
        f"Of {own.cells} numbers that are printed for data we have, {own.agree} come back; luck "
        f"alone would give {own.chance:.0f}.",
        "That is the inferred reading: open choices as the numbers suggest. Text reading: "
        f"{back_text[0]} and {back_text[1]} of these; {holds[TEXT]}; {text.agree} come back (luck: "
        f"{text.chance:.0f}).",
    )


def _words(found: Tally) -> str:
    """Name what holds and what is refuted; the picture has the rest."""
    held, not_so = (f"{n} {one if n == 1 else more}" for n, one, more in (
        (found.holds, "holds", "hold"), (found.refuted, "is refuted", "are refuted"),
    ))  # fmt: skip
    return f"{held} and {not_so}"
