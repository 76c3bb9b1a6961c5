"""The ledger: one row per published cell, with what this run has to say about it.

Nothing is skipped in silence. A cell without rows and a run that appears twice or is missing are
errors that name the cell. Result files come checked (:mod:`reproduction.results.custody`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from reproduction.results.rows import PAPER
from reproduction.results.tables import Tables
from reproduction.verdicts.agreement import NOT_RUN, Tolerances
from reproduction.verdicts.data_facts import DataFacts

#: What names a cell; after ``setting`` a ledger has a column for each setting of the paper.
CELL_KEYS = ("paper", "table", "dataset", "setting", "method", "metric")

LEDGER_COLUMNS = (
    "cell", *CELL_KEYS, "seen", "unit", "published", "published_std", "ours", "ours_std", "runs",
    "difference", "tolerance", "verdict", "reason", "provenance", "data", "data_source", "seed",
    "code", "source", "target",
)  # fmt: skip


class LedgerError(ValueError):
    """The results do not answer every published cell; the text names the cells."""


def cell_id(cell: Mapping[str, Any]) -> str:
    """Name of a cell that a shell takes without quotes: ``mvplsa/3/Cornell/r=0.01/...``."""
    parts = (re.sub(r"[^A-Za-z0-9=.%+-]+", "_", str(cell[key])).strip("_") for key in CELL_KEYS)
    return "/".join(part for part in parts if part)


def cell_records(published: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of the published table as dictionaries."""
    return [
        {str(key): value for key, value in record.items()}
        for record in published.to_dict("records")
    ]


def _head(cell: Mapping[str, Any], names: Mapping[str, str], tables: Tables) -> dict[str, Any]:
    """What a ledger's row takes over from the published cell."""
    table = tables[cell["table"]]
    name = names.get(cell["dataset"], cell["dataset"])
    shown = {
        **cell,
        "dataset": f"{name} {table.write(cell, part=True)}".rstrip(),
        "setting": table.write(cell, part=False),
    }
    settings = [column for column in tables.columns if column in cell]
    return {
        "cell": cell_id(shown),
        **{key: shown[key] for key in (*CELL_KEYS, *settings, "seen")},
        "published": float(cell["mean"]),
        "published_std": float(cell["std"]),
    }


@dataclass
class FileFacts:
    """What is known of one result file besides its rows: place, target and code version."""

    path: str
    code: str
    job: str = ""


@dataclass
class _Problems:
    """Problems found so far; raised together so that one run shows them all."""

    lines: list[str] = field(default_factory=list)
    cells: int = 0

    def add(self, cell: str, text: str) -> None:
        self.cells += 1
        self.lines.append(f"cell {cell}: {text}")

    def raise_if_any(self, paper: str, limit: int = 12) -> None:
        if not self.lines:
            return
        shown = "\n  ".join(self.lines[:limit])
        more = f"\n  ... and {len(self.lines) - limit} more" if len(self.lines) > limit else ""
        raise LedgerError(
            f"{paper}: {len(self.lines)} published cells have no sound answer\n  {shown}{more}"
        )


def _run_problem(found: pd.DataFrame) -> str:
    """What is wrong with the runs of a cell; empty when nothing is."""
    runs = found["run"].to_numpy()
    if len(np.unique(runs)) != len(runs):
        repeated = sorted({int(run) for run in runs if (runs == run).sum() > 1})
        places = ", ".join(sorted(set(found["source"])))
        return f"run {repeated[0]} is there {int((runs == repeated[0]).sum())} times ({places})"
    missing = sorted(set(range(int(runs.max()) + 1)) - {int(run) for run in runs})
    if missing:
        return f"run {missing[0]} of {int(runs.max()) + 1} is missing in {found['source'].iloc[0]}"
    return ""


def _seed(found: pd.DataFrame, files: Mapping[str, FileFacts]) -> str:
    """Which seeds: the job's name keys them, the run number picks one."""
    job = files[found["source"].iloc[0]].job
    last = int(found["run"].max())
    return f"{job} run 0" if last == 0 else f"{job} runs 0-{last}"


def _entry(
    head: Mapping[str, Any],
    found: pd.DataFrame,
    files: Mapping[str, FileFacts],
    facts: DataFacts,
    tolerances: Tolerances,
) -> dict[str, Any]:
    """One row of the ledger."""
    values = found.sort_values("run")["value"].to_numpy(dtype=float)
    ours = float(values.mean())
    deviation = float(values.std(ddof=1)) if values.size > 1 else math.nan
    metric = head["metric"]
    judged = tolerances.judge(metric, head["published"], head["published_std"], ours)
    source = found["source"].iloc[0]
    return {
        **head,
        "unit": tolerances.unit(metric).name,
        "ours": ours,
        "ours_std": deviation,
        "runs": values.size,
        "difference": judged.difference,
        "tolerance": judged.tolerance,
        "verdict": "not comparable" if facts.reason else judged.verdict,
        "reason": facts.reason,
        "provenance": facts.kind,
        "data": facts.key,
        "data_source": facts.source,
        "seed": _seed(found, files),
        "code": files[source].code,
        "source": source,
        "target": files[source].path,
    }


def _not_run(head: Mapping[str, Any], tolerances: Tolerances) -> dict[str, Any]:
    unit = tolerances.unit(head["metric"])
    return {
        **dict.fromkeys(LEDGER_COLUMNS, ""),
        **head,
        "unit": unit.name,
        "ours": math.nan,
        "ours_std": math.nan,
        "runs": 0,
        "difference": math.nan,
        "tolerance": unit.allowed(head["published_std"]),
        "verdict": NOT_RUN,
        "reason": "left out by this shortened configuration",
    }


def uncontrolled_cells(
    ours: pd.DataFrame, cells: pd.DataFrame, tolerances: Tolerances
) -> list[dict[str, Any]]:
    """Return measured cells (the first of each kind) without a control in their table.

    A score means little without what guessing gives, so every table of scores must have one for
    each data set and metric. Derived figures (ranks, correlations, gains, agreement) need none.
    """
    kind = ["table", "dataset", "metric"]
    scores = ours[ours["metric"].map(tolerances.is_score).astype(bool)]
    control = scores["role"] == "control"
    bounded = set(scores.loc[control, kind].itertuples(index=False, name=None))
    measured = set(scores.loc[~control, kind].itertuples(index=False, name=None)) - bounded
    lacking: dict[tuple[str, str, str], dict[str, Any]] = {}
    for cell in cell_records(cells):
        key = (cell["table"], cell["dataset"], cell["metric"])
        if key in measured:
            lacking.setdefault(key, cell)
    return list(lacking.values())


def build_ledger(
    paper: str,
    rows: pd.DataFrame,
    published: pd.DataFrame,
    tolerances: Tolerances,
    data: Mapping[str, DataFacts],
    files: Mapping[str, FileFacts],
    *,
    tables: Tables,
    names: Mapping[str, str] | None = None,
    partial: bool = False,
) -> pd.DataFrame:
    """Join one paper's rows with its published cells.

    Parameters
    ----------
    paper
        Key of the paper.
    rows
        Typed rows with ``setting`` and ``source`` (the file each came from).
    published
        The paper's printed cells.
    tolerances
        What counts as reproduced.
    data
        Facts of every data set that occurs in ``rows``.
    files
        Facts of every file that occurs in ``rows``.
    tables
        The paper's declared tables; the ledger keeps their setting columns.
    names
        Data set key -> its name in the paper's tables.
    partial
        Allow cells without rows (verdict ``not run``): shortened configurations only.

    Raises
    ------
    LedgerError
        A cell is missing, has a repeated or missing run, or stands in a table without a control.
        The text names every such cell.
    """
    if published.empty:
        raise LedgerError(f"published.csv of {paper} has no cell")
    kept = [name for name in tables.columns if name in published.columns]
    ours = rows[rows["reading"] == PAPER]
    keys = ["table", "dataset", "setting", "method", "metric"]
    printed = ours[ours["role"] == "published"]
    groups: dict[Any, pd.DataFrame] = dict(iter(printed.groupby(keys, sort=False)))
    problems = _Problems()
    entries = []
    for cell in uncontrolled_cells(ours, published, tolerances):
        head = _head(cell, names or {}, tables)
        problems.add(head["cell"], "no method with the role 'control' bounds its table here")
    for cell in cell_records(published):
        head = _head(cell, names or {}, tables)
        found = groups.get(tuple(cell[key] for key in keys))
        if found is None:
            if partial:
                entries.append(_not_run(head, tolerances))
            else:
                problems.add(head["cell"], f"no row in results/{paper}; no job produced it")
            continue
        problem = _run_problem(found)
        if problem:
            problems.add(head["cell"], problem)
            continue
        entries.append(_entry(head, found, files, data[cell["dataset"]], tolerances))
    problems.raise_if_any(paper)
    columns = list(LEDGER_COLUMNS)
    place = columns.index("setting") + 1
    return pd.DataFrame(entries, columns=[*columns[:place], *kept, *columns[place:]])
