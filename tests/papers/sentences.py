"""What the tests of sentences share: tables drawn around print, where the truth is known.

In a table whose means are the printed ones, a sentence is as true as it is of print; mirrored, the
worst method is the best; level, all methods are the same.
"""

import importlib

import numpy as np
import pandas as pd

from asprinted.margins import load_margins
from asprinted.words import PRINT
from reproduction.results.rows import INFERRED
from reproduction.rooms import tables_of
from reproduction.verdicts.claim_scores import load_claims_file, printed_rows

COLUMNS = (
    "paper", "dataset", "table", "setting", "method", "role", "metric", "reading", "run", "value",
    "provenance",
)  # fmt: skip
PRINTED, MIRRORED, LEVEL = "as printed", "mirrored", "level"


def printed(paper):
    """The printed figures as the checks are given them; empty texts are those of the settings."""
    tables = tables_of(paper)
    rows = printed_rows(paper, [*COLUMNS, *tables.columns])
    texts = [name for name in tables.columns if name not in tables.numbers]
    return rows.assign(**{name: rows[name].astype(object).fillna("") for name in texts})


def around_print(paper, rng, kind=PRINTED, runs=10):
    """Draws around every printed mean; what print says of deviations is kept in proportion."""
    rows = printed(paper)
    scores = rows["metric"].map(load_margins().is_score)
    top = np.where(rows["metric"].str.endswith("_pct"), 100.0, 1.0)
    if kind == MIRRORED:
        rows["value"] = rows["value"].where(~scores, top - rows["value"])
    if kind == LEVEL:
        place = ["table", "dataset", "setting", "metric"]
        rows["value"] = rows["value"].where(~scores, rows.groupby(place)["value"].transform("mean"))
    # small against every printed difference, so that any seed agrees with print
    noise = (rows["std"] / 500).fillna(1e-4 * rows["value"].abs())
    draws = []
    for run in range(runs):
        drawn = noise * rng.normal(size=len(rows))
        if kind == LEVEL:  # methods share their noise: they do not differ by chance either
            drawn = 1e-3 * rows["value"] * rng.normal()
        draws.append(rows.assign(run=run, reading=INFERRED, value=rows["value"] + drawn))
    return pd.concat(draws, ignore_index=True).drop(columns=["std", "runs"])


def words(paper, rows, reading=INFERRED, only=()):
    """Word on every sentence that is about one of the printed tables, by its id."""
    checks = importlib.import_module(f"reproduction.papers.{paper}.claims")
    found = {
        claim.id: getattr(checks, claim.check)(
            rows, {**claim.params, **(claim.inferred or {}), "reading": reading}
        ).word
        for claim in load_claims_file(paper)
        if not only or claim.id in only
    }
    return {name: word for name, word in found.items() if word != "untestable"}


def in_print(paper):
    """Word of the printed means on the same sentences."""
    return words(paper, printed(paper).drop(columns=["std", "runs"]), PRINT)
