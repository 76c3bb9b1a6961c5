"""Why cells may differ from print: what was tried, and whether it explains more than luck would.

A paper lists its hypotheses in ``hypotheses.yaml``, refuted ones included. All of them were found
after seeing print. One that has rows (a named ``reading`` of the published tables) is judged here
from these rows; one with a declared ``search`` of many readings is judged by
:mod:`reproduction.verdicts.search`; one that was tried elsewhere brings its verdict and evidence.

With many readings tried, one of them comes near print by luck. So a hypothesis is *supported* only
if its cells come nearer to print than those of the best of as many random readings: readings that
move cells as far, in directions that know nothing of print. It must also do so in more than one
data set or table, and on the data sets it was not found on. It is *refuted* if its cells move away.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, model_validator

from manyviews.seeding import generator
from reproduction.results.rows import INFERRED
from reproduction.rooms import room
from reproduction.verdicts.cells import records
from reproduction.verdicts.entries import load_entries

HYPOTHESES_FILE = "hypotheses.yaml"
ALPHA = 0.05

CELL = ("table", "dataset", "setting", "method", "metric")
_DRAWS = 2000


class HypothesisError(ValueError):
    """A paper's list of hypotheses is wrong; the text names the file and the hypothesis."""


class Hypothesis(BaseModel):
    """One explanation that was tried."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    what: str = Field(min_length=1, description="What the authors would have done.")
    why: str = Field(min_length=1, description="Why that is plausible, and what speaks against it.")
    cells: dict[str, list[str | float]] = Field(
        default={}, description="Cells it touches, by column; a column left out means all."
    )
    tried: int = Field(ge=1, description="Readings tried in the search that it comes from.")
    reading: str = Field(
        default="", description="Reading of the published tables that has its rows."
    )
    search: str = Field(
        default="", description="Declared search whose readings have its rows; `tried` came before."
    )
    found_on: tuple[str, ...] = Field(
        default=(), description="Data sets on which it was found; the others are the test of it."
    )
    verdict: Literal["", "supported", "refuted", "undecided"] = ""
    evidence: str = Field(min_length=1, description="What was seen when it was tried.")

    @model_validator(mode="after")
    def _is_judged_once(self) -> Hypothesis:
        if self.reading and self.search:
            raise ValueError("has a reading and a search; one of them has its rows")
        if self.has_rows and self.verdict:
            raise ValueError("has a reading, so its rows decide; leave the verdict out")
        if not self.has_rows and not self.verdict:
            raise ValueError("has neither a reading whose rows decide nor a verdict")
        if self.verdict == "supported":
            raise ValueError("cannot be supported without rows; name its reading")
        return self

    @property
    def has_rows(self) -> bool:
        """Whether rows decide about it."""
        return bool(self.reading or self.search)

    def touches(self, cell: Mapping[str, Any]) -> bool:
        """Whether the hypothesis bears on a cell."""
        return all(cell.get(name) in values for name, values in self.cells.items())


def load_hypotheses(
    paper: str, published: pd.DataFrame, path: Path | str | None = None
) -> tuple[Hypothesis, ...]:
    """Read and check a paper's hypotheses; a paper without the file has none.

    Every hypothesis must touch a published cell; ``path`` is another file than the paper's own.
    """
    source = Path(path) if path is not None else room(paper) / HYPOTHESES_FILE
    if path is None and not source.is_file():
        return ()
    found = load_entries(source, "hypothesis", HypothesisError, Hypothesis.model_validate)
    for each in found:
        unknown = [column for column in each.cells if column not in published.columns]
        if unknown:
            raise HypothesisError(
                f"{source}: hypothesis {each.id}: published cells have no column {unknown[0]!r}"
            )
        if touched_cells(each, published).empty:
            raise HypothesisError(f"{source}: hypothesis {each.id} touches no published cell")
    return tuple(found)


def touched_cells(hypothesis: Hypothesis, published: pd.DataFrame) -> pd.DataFrame:
    """Return the printed cells that a hypothesis bears on."""
    return published[[hypothesis.touches(cell) for cell in records(published)]]


def compared_cells(
    hypothesis: Hypothesis,
    rows: pd.DataFrame,
    published: pd.DataFrame,
    margins: Mapping[str, float],
) -> pd.DataFrame:
    """Return the cells that have rows both as compared with print and under the hypothesis.

    Columns: those that name a cell, ``published``, ``before`` and ``after``: distances to print,
    ours minus print, as multiples of the metric's margin.
    """
    own = rows[rows["role"] == "published"]
    means = {
        reading: own[own["reading"] == reading].groupby(list(CELL))["value"].mean()
        for reading in (INFERRED, hypothesis.reading)
    }
    found = []
    for cell in records(touched_cells(hypothesis, published)):
        key, printed = tuple(cell[name] for name in CELL), float(cell["mean"])
        if all(key in known.index for known in means.values()):
            before, after = (
                (float(means[reading][key]) - printed) / margins[str(cell["metric"])]
                for reading in (INFERRED, hypothesis.reading)
            )
            found.append((*key, printed, before, after))
    return pd.DataFrame(found, columns=[*CELL, "published", "before", "after"])


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
    draws: int = _DRAWS,
) -> np.ndarray:
    """Return the RMS distance to print of the best of ``tried`` random readings, many times.

    A random reading moves the cells as far as the true one, dealt out anew, and all cells of a
    block up or down together: cells of one data set do not move on their own.
    """
    size = np.abs(np.asarray(change, dtype=float))
    _, block = np.unique(blocks, return_inverse=True)
    best = np.full(draws, np.inf)
    for _ in range(tried):
        moved = rng.permuted(np.tile(size, (draws, 1)), axis=1)
        signs = rng.choice([-1.0, 1.0], size=(draws, int(block.max()) + 1))[:, block]
        errors = np.asarray(before, dtype=float) + signs * moved
        best = np.minimum(best, np.sqrt(np.mean(errors**2, axis=1)))
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
    nearer: int = 0
    groups: int = 0
    groups_nearer: int = 0
    held_out: int = 0
    held_out_before: float = math.nan
    held_out_after: float = math.nan
    luck: float = math.nan
    p_value: float = math.nan
    readings: int = 0
    best: str = ""


def judge(hypothesis: Hypothesis, cells: pd.DataFrame, paper: str, draws: int = _DRAWS) -> Outcome:
    """Judge a hypothesis by its cells (see :func:`compared_cells`)."""
    if not hypothesis.reading:
        return Outcome(hypothesis.verdict)
    if cells.empty:
        return Outcome("undecided")
    before, after = cells["before"].to_numpy(), cells["after"].to_numpy()
    held = ~cells["dataset"].isin(hypothesis.found_on).to_numpy()
    if not hypothesis.found_on:
        held[:] = False  # found on all of them: nothing is left to test it on
    groups = cells.groupby(["table", "dataset"], sort=True)
    nearer = [rms(part["after"]) < rms(part["before"]) for _, part in groups]
    rng = generator("hypotheses", paper, hypothesis.id)
    luck = best_of_random(
        before, after - before, cells["dataset"].to_numpy(), hypothesis.tried, rng, draws
    )
    p_value = float((1 + np.sum(luck <= rms(after) + 1e-12)) / (1 + draws))
    found = Outcome(
        verdict="undecided",
        cells=len(cells),
        before=rms(before),
        after=rms(after),
        nearer=int(np.sum(np.abs(after) < np.abs(before))),
        groups=len(nearer),
        groups_nearer=int(sum(nearer)),
        held_out=int(held.sum()),
        held_out_before=rms(before[held]),
        held_out_after=rms(after[held]),
        luck=float(np.median(luck)),
        p_value=p_value,
    )
    return replace(found, verdict=_verdict(found))


def _verdict(found: Outcome) -> str:
    if found.after >= found.before:
        return "refuted"
    lost_elsewhere = found.held_out > 0 and found.held_out_after >= found.held_out_before
    if found.p_value < ALPHA and found.groups_nearer > 1 and not lost_elsewhere:
        return "supported"
    return "undecided"
