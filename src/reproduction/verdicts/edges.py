"""Which figures of a job are near an edge: with other seeds they would get another word.

The rule is that of ``docs/decisions/0020-further-runs-near-an-edge.md``. A job is judged by its own
rows alone, so that it need not wait for the others of its paper.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from reproduction.results.further import FURTHER, Limits
from reproduction.results.jobs import Job, run_limits
from reproduction.results.published import load_published
from reproduction.results.rows import read_rows
from reproduction.results.tables import Tables
from reproduction.rooms import find_paper, tables_of
from reproduction.verdicts.agreement import STABLE, stable_share
from reproduction.verdicts.cells import cell_head, cell_records, printed_figure
from reproduction.verdicts.data_facts import published_name
from reproduction.verdicts.margins import load_margins
from reproduction.verdicts.readings import HEADLINES, Found, RowFinder, load_readings, touching
from reproduction.verdicts.repeats import find_repeats


@dataclass(frozen=True)
class Near:
    """A figure near an edge: its cell, the headline, its runs, and the share that stays."""

    cell: str
    reading: str
    runs: int
    stable: float


def is_further(source: str) -> bool:
    """Whether a result file holds further runs."""
    return source.removesuffix(".csv").endswith(FURTHER)


def with_further_runs(table: Path, tables: Tables) -> pd.DataFrame:
    """Read the rows of a result file and of the further runs beside it, if such were scored."""
    name = f"{table.parent.name}/{table.stem}{FURTHER}"
    scored = table.parent.parent / "scored.json"
    frames = [read_rows(table, tables)]
    if scored.is_file() and name in json.loads(scored.read_text(encoding="utf-8"))["jobs"]:
        frames.append(read_rows(table.parent.parent / f"{name}.csv", tables))
    return pd.concat([frame for frame in frames if len(frame)], ignore_index=True)


def first_runs(found: Found) -> int:
    """Return how many runs of a figure are first ones."""
    return int(sum(not is_further(source) for source in found.sources))


class Edges:
    """Judges the figures of one job.

    Parameters
    ----------
    job
        The job that makes the first runs.
    registry
        Data set key -> registry entry, for the names of cells.
    """

    def __init__(self, job: Job, registry: Mapping[str, Any]) -> None:
        paper = job.paper
        self.job, self.tables, self.card = job, tables_of(paper), find_paper(paper)
        self.published = load_published(paper)
        self.choices = load_readings(paper, self.published, self.tables)
        self.margins = load_margins()
        known = {key for key in self.published["dataset"] if key in registry}
        self.names = {key: published_name(registry[key], key) for key in known}

    def near(self, rows: pd.DataFrame) -> list[Near]:
        """Return the figures near an edge whose runs can go on, in the order of print.

        Parameters
        ----------
        rows
            The job's rows with ``setting`` and ``source``, further runs included.
        """
        finder = RowFinder(rows, self.tables)
        cells = cell_records(self.published)
        repeated = find_repeats(cells, self.tables, self.card.second_names)
        near: dict[tuple[Any, ...], Near] = {}
        for number, cell in enumerate(cells):
            if number in repeated or self._fixed(cell["method"]):
                continue
            for headline in HEADLINES:
                found = finder.under(cell, touching(self.choices, cell), headline)
                if found is None or (number, found.place) in near:
                    continue
                head = cell_head(cell, self.names, self.tables)
                printed = printed_figure(self.card, head, first_runs(found))
                unit = self.margins.unit(head["metric"])
                stable = stable_share(head["cell"], found.values, printed, unit)
                if stable < STABLE:  # one run has no share
                    runs = found.values.size
                    near[number, found.place] = Near(head["cell"], headline, runs, stable)
        return list(near.values())

    def _fixed(self, method: str) -> bool:
        return bool(self.job.further is None or self.job.further.why_fixed(method))


@dataclass(frozen=True)
class Plan:
    """How far the runs of a job go on, for what its cells say about their runs.

    Attributes
    ----------
    job
        The job.
    declared, most
        Its first runs, and its runs at most (the same where none may follow).
    limits
        Of the configuration.
    """

    job: Job
    declared: int
    most: int
    limits: Limits

    @classmethod
    def of(cls, job: Job, settings: Mapping[str, Any], limits: Limits) -> Plan:
        """Return the plan of a job under some settings of its paper."""
        if job.further is None:
            return cls(job, 0, 0, limits)
        return cls(job, *run_limits(job, settings, limits), limits)

    @property
    def goes_on(self) -> bool:
        """Whether further runs may follow the first ones."""
        return self.most > self.declared

    def why(self, method: str, first: int, runs: int, stable: float) -> str:
        """Return why a figure has its number of runs; nothing where no edge is near.

        Parameters
        ----------
        method
            Its method.
        first, runs
            Its first runs, and all of them.
        stable
            Share of bootstrap samples that give the same word.
        """
        near = stable < STABLE
        if runs > first:
            end = f"; this one still is: {self._limit(method)}" if near else ""
            return f"its job went on from {first} to {runs} runs, as a figure was near an edge{end}"
        if near:
            return f"near an edge, without further runs: {self._limit(method)}"
        return f"one run: {self.job.fixed}" if runs == 1 and self.job.fixed else ""

    def _limit(self, method: str) -> str:
        """Say what keeps the runs from going on."""
        way = self.job.further
        if way is None:
            return self.job.fixed or "its job has no way to go on"
        if way.why_fixed(method):
            return way.why_fixed(method)
        if self.limits.most < 2:
            return "this configuration makes none"
        if 2 * self.most > self.limits.most * self.declared:
            return f"{self.limits.most} times the declared runs are the most"
        seconds = (2 * self.most - self.declared) * way.cost
        return (
            f"the next doubling would take the job to {seconds:.0f} core seconds, over the budget "
            f"of {self.limits.budget:g}"
        )


def steps(
    declared: int, most: int, near: Callable[[int], list[Near]]
) -> list[tuple[int, list[Near]]]:
    """Double the runs until no figure is near an edge, or there are as many as there may be.

    Parameters
    ----------
    declared
        Number of first runs.
    most
        Number of runs at most.
    near
        Returns the figures near an edge for a number of runs; called for the first runs, then for
        every doubling.

    Returns the number of runs and the figures near an edge, step by step.
    """
    taken = [(declared, near(declared))]
    while taken[-1][1] and 2 * taken[-1][0] <= most:
        runs = 2 * taken[-1][0]
        taken.append((runs, near(runs)))
    return taken


def shared_runs(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows for comparisons between methods: further runs only where all methods have them.

    Of every data set, table and reading, the methods that have all first runs must have a further
    run too, at every setting; otherwise some runs would speak for a few methods alone.
    """
    further = rows["source"].map(is_further).to_numpy(dtype=bool)
    keep = np.ones(len(rows), dtype=bool)
    place = ["setting", "method", "metric"]
    groups = rows.groupby(["dataset", "table", "reading"], sort=False).indices
    for positions in groups.values():
        if not further[positions].any():
            continue
        part = rows.iloc[positions]
        published = (part["role"] == "published").to_numpy()
        spoken = part[published] if published.any() else part
        first = spoken[~spoken["source"].map(is_further)].groupby(place)["run"].max()
        complete = first[first == first.max()]
        shared = int(spoken.groupby(place)["run"].max().loc[complete.index].min())
        keep[positions] = ~further[positions] | (part["run"] <= shared).to_numpy()
    return rows[keep]
