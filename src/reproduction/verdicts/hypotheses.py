"""Why cells may differ from print: what was tried, and whether it explains more than luck would.

A paper lists its hypotheses in ``hypotheses.yaml``, refuted ones included. All of them were found
after seeing print. One that has rows (a named ``reading`` of the published tables) is judged from
these rows; one that was tried elsewhere brings its verdict and evidence. A ``search`` is a grid of
readings declared before it was run: its nearest reading is judged like any other, against the best
of as many random readings as were tried, those of the search and those before it.

With many readings tried, one of them comes near print by luck. So a hypothesis is *supported* only
if its cells come nearer to print than those of the best of as many random readings: readings that
move cells as far, in directions that know nothing of print. It must also do so in more than one
data set or table, and on the data sets it was not found on. It is *refuted* if its cells move away.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import Field, model_validator

from asprinted.claims import margin_of
from asprinted.statistics import ALPHA
from manyviews.seeding import generator
from reproduction.results.published import load_published
from reproduction.results.rows import INFERRED
from reproduction.results.search import search_table, split_reading
from reproduction.rooms import room
from reproduction.verdicts.cells import OnCells, load_list, records

HYPOTHESES_FILE = "hypotheses.yaml"

_CELL = ["table", "dataset", "setting", "method", "metric"]


class Hypothesis(OnCells):
    """One explanation that was tried."""

    what: str = Field(min_length=1, description="What the authors would have done.")
    why: str = Field(min_length=1, description="Why that is plausible, and what speaks against it.")
    tried: int = Field(ge=1, description="Readings tried in the search that it comes from.")
    reading: str = Field("", description="Reading of the published tables that has its rows.")
    search: str = Field(
        "", description="Declared search whose readings have its rows; `tried` came before."
    )
    found_on: tuple[str, ...] = Field(
        (), description="Data sets on which it was found; the others are the test of it."
    )
    verdict: Literal["", "supported", "refuted", "undecided"] = ""
    evidence: str = Field(min_length=1, description="What was seen when it was tried.")

    @model_validator(mode="after")
    def _is_judged_once(self) -> "Hypothesis":
        if sum(map(bool, (self.reading, self.search, self.verdict))) != 1:
            raise ValueError(
                "needs a reading or a search, whose rows decide, or a verdict, and one of them only"
            )
        if self.verdict == "supported":
            raise ValueError("cannot be supported without rows; name its reading")
        return self


def load_hypotheses(
    paper: str, published: pd.DataFrame, path: Path | None = None
) -> list[Hypothesis]:
    """Read and check a paper's hypotheses (or those of another file); it may have no such file."""
    source = path or room(paper) / HYPOTHESES_FILE
    if path is None and not source.is_file():
        return []
    return load_list(Hypothesis, source, published)


def compared_cells(
    hypothesis: Hypothesis, rows: pd.DataFrame, published: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Return the cells that a hypothesis bears on and has rows for, by reading.

    Columns: those that name a cell, ``published``, ``before`` (the reading compared with print) and
    ``after`` (that of the hypothesis): distances to print, ours minus print, as multiples of the
    metric's margin. A search is compared on the runs that it made; a cell that one of its readings
    does not touch stays as it is.
    """
    own = published[[hypothesis.touches(cell) for cell in records(published)]]
    cells = own[[*_CELL, "mean"]].rename(columns={"mean": "published"})
    compared = rows[(rows["role"] == "published") & (rows["reading"] == INFERRED)]
    if hypothesis.search:
        search = rows[rows["table"].str.startswith(search_table(""))]
        names = search["reading"].map(split_reading)
        printed = search["table"].str.removeprefix(search_table(""))
        search = search.assign(name=names.str[1], table=printed)[names.str[0] == hypothesis.search]
        compared = compared.merge(search[[*_CELL, "run"]].drop_duplicates(), on=[*_CELL, "run"])
        readings = {str(name): after for name, after in search.groupby("name")}
    else:
        of = (rows["role"] == "published") & (rows["reading"] == hypothesis.reading)
        readings = {hypothesis.reading: rows[of]}
        cells = cells.merge(rows.loc[of, _CELL].drop_duplicates(), on=_CELL)
    found = {}
    for name, after in readings.items():
        held = cells
        for when, side, how in (("before", compared, "inner"), ("after", after, "left")):
            means = side.groupby(_CELL)["value"].mean().rename(when).reset_index()
            held = held.merge(means, on=_CELL, how=how)  # type: ignore[arg-type]
        held["after"] = held["after"].fillna(held["before"])
        for when in ("before", "after"):
            held[when] = (held[when] - held["published"]) / held["metric"].map(margin_of)
        if len(held):
            found[name] = held
    return found


def rms(errors: np.ndarray | pd.Series) -> float:
    """Root mean square; NaN of nothing."""
    values = np.asarray(errors, dtype=float)
    return float(np.sqrt(np.mean(values**2))) if values.size else math.nan


def best_of_random(
    before: np.ndarray,
    change: np.ndarray,
    blocks: np.ndarray,
    tried: int,
    rng: np.random.Generator,
    draws: int,
) -> np.ndarray:
    """Return the RMS distance to print of the best of ``tried`` random readings, many times.

    A random reading moves the cells as far as the true one, dealt out anew, and all cells of a
    block up or down together: cells of one data set do not move on their own.
    """
    size = np.abs(change)
    _, block = np.unique(blocks, return_inverse=True)
    best = np.full(draws, np.inf)
    for _ in range(tried):
        moved = rng.permuted(np.tile(size, (draws, 1)), axis=1)
        signs = rng.choice([-1.0, 1.0], size=(draws, int(block.max()) + 1))[:, block]
        best = np.minimum(best, np.sqrt(np.mean((before + signs * moved) ** 2, axis=1)))
    return best


@dataclass(frozen=True)
class Outcome:
    """What became of a hypothesis: RMS distances to print in margins, and the verdict.

    Of a search, ``best`` is the nearest of its ``readings``, and the figures are that one's.
    """

    verdict: str
    cells: int = 0
    before: float = math.nan
    after: float = math.nan
    held_out: int = 0
    held_out_before: float = math.nan
    held_out_after: float = math.nan
    luck: float = math.nan
    p_value: float = math.nan
    readings: int = 0
    best: str = ""


def judge(
    hypothesis: Hypothesis, found: Mapping[str, pd.DataFrame], paper: str, draws: int = 2000
) -> Outcome:
    """Judge a hypothesis by its cells (see :func:`compared_cells`), a search by its nearest."""
    if not found:
        return Outcome(hypothesis.verdict or "undecided")
    best = min(found, key=lambda name: (rms(found[name]["after"]), name))
    cells, searched = found[best], len(found) if hypothesis.search else 0
    before, after = cells["before"].to_numpy(), cells["after"].to_numpy()
    # found on all data sets: nothing is left to test it on
    held = ~cells["dataset"].isin(hypothesis.found_on or set(cells["dataset"])).to_numpy()
    groups = cells.groupby(["table", "dataset"], sort=True)
    nearer = [rms(part["after"]) < rms(part["before"]) for _, part in groups]
    rng, tried = generator("hypotheses", paper, hypothesis.id), hypothesis.tried + searched
    blocks = cells["dataset"].to_numpy()
    luck = best_of_random(before, after - before, blocks, tried, rng, draws)
    p_value = float((1 + np.sum(luck <= rms(after) + 1e-12)) / (1 + draws))
    won_elsewhere = held.any() and rms(after[held]) < rms(before[held])
    verdict = "undecided"
    if rms(after) >= rms(before):
        verdict = "refuted"
    elif p_value < ALPHA and sum(nearer) > 1 and won_elsewhere:
        verdict = "supported"
    return Outcome(
        verdict, len(cells), rms(before), rms(after), int(held.sum()), rms(before[held]),
        rms(after[held]), float(np.median(luck)), p_value, searched, best if searched else "",
    )  # fmt: skip


def outcomes(paper: str, rows: pd.DataFrame) -> list[tuple[Hypothesis, Outcome]]:
    """Return a paper's hypotheses with what became of them, on rows of real data."""
    published = load_published(paper)
    return [
        (each, judge(each, compared_cells(each, rows, published), paper))
        for each in load_hypotheses(paper, published)
    ]
