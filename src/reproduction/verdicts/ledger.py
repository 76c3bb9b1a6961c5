"""The ledger: one row per published cell, with what this run has to say about it.

Nothing is skipped in silence. A cell without rows, a NaN, a run that appears twice or is missing,
and a result file made by another version of the code are errors that name the cell.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from reproduction.verdicts.agreement import NOT_RUN, Tolerances
from reproduction.verdicts.data_facts import DataFacts

CELL_KEYS = ("paper", "table", "dataset", "setting", "method", "metric")

LEDGER_COLUMNS = (
    "cell", *CELL_KEYS, "unit", "published", "published_std", "ours", "ours_std", "runs",
    "difference", "tolerance", "verdict", "reason", "provenance", "data", "data_source", "seed",
    "code", "source", "target",
)  # fmt: skip


#: Metrics of how well a method does, as opposed to figures derived from them.
SCORES = ("accuracy_pct", "f1_pct", "macro_f1_pct", "map_at_10", "nmi_pct")


class LedgerError(ValueError):
    """The results do not answer every published cell; the text names the cells."""


def cell_id(cell: Mapping[str, Any]) -> str:
    """Name of a cell that a shell takes without quotes: ``mvplsa/3/Cornell/r=0.01/...``."""
    parts = (re.sub(r"[^A-Za-z0-9=.%+-]+", "_", str(cell[key])).strip("_") for key in CELL_KEYS)
    return "/".join(parts)


def cell_records(published: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of the published table as dictionaries."""
    return [
        {str(key): value for key, value in record.items()}
        for record in published.to_dict("records")
    ]


@dataclass
class FileFacts:
    """What is known of one result file besides its rows: place, target and code version."""

    path: str
    code: str
    expected_code: str = ""
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


def resolve_labels(rows: pd.DataFrame, data: Mapping[str, DataFacts]) -> pd.Series:
    """Published data set label of every row: its own, else the registry's name, else the key."""
    names = {key: facts.published_name or key for key, facts in data.items()}
    fallback = rows["dataset"].map(lambda key: names.get(key, key))
    return rows["label"].where(rows["label"] != "", fallback).astype("str")


def _run_problem(found: pd.DataFrame) -> str:
    """What is wrong with the runs of a cell; empty when nothing is."""
    runs = found["run"].to_numpy()
    if len(np.unique(runs)) != len(runs):
        repeated = sorted({int(run) for run in runs if (runs == run).sum() > 1})
        places = ", ".join(sorted(set(found["source"])))
        return f"run {repeated[0]} is there {int((runs == repeated[0]).sum())} times ({places})"
    values = found["value"].to_numpy(dtype=float)
    if not np.isfinite(values).all():
        bad = int(runs[~np.isfinite(values)][0])
        return f"run {bad} is not a number in {found['source'].iloc[0]}"
    missing = sorted(set(range(int(runs.max()) + 1)) - {int(run) for run in runs})
    if missing:
        return f"run {missing[0]} of {int(runs.max()) + 1} is missing in {found['source'].iloc[0]}"
    return ""


def _version_problem(found: pd.DataFrame, files: Mapping[str, FileFacts]) -> str:
    for source in dict.fromkeys(found["source"]):
        facts = files[source]
        if facts.expected_code and facts.code != facts.expected_code:
            made = f"code version {facts.code}" if facts.code else "an unknown code version"
            return (
                f"{source} was made by {made}, this is {facts.expected_code}; remove it and run "
                f"`snakemake --cores all {facts.path}`"
            )
    return ""


def _seed(found: pd.DataFrame, files: Mapping[str, FileFacts]) -> str:
    """Which seeds: the job's name keys them, the run number picks one."""
    job = files[found["source"].iloc[0]].job
    last = int(found["run"].max())
    return f"{job} run 0" if last == 0 else f"{job} runs 0-{last}"


def _entry(
    cell: Mapping[str, Any],
    found: pd.DataFrame,
    files: Mapping[str, FileFacts],
    data: Mapping[str, DataFacts],
    tolerances: Tolerances,
) -> dict[str, Any]:
    """One row of the ledger."""
    values = found.sort_values("run")["value"].to_numpy(dtype=float)
    ours = float(values.mean())
    deviation = float(values.std(ddof=1)) if values.size > 1 else math.nan
    published, published_std = float(cell["mean"]), float(cell["std"])
    judged = tolerances.judge(cell["metric"], published, published_std, ours)
    keys = list(dict.fromkeys(found["dataset"]))
    facts = data[keys[0]]
    reason = facts.reason or tolerances.exception(cell)
    source = found["source"].iloc[0]
    return {
        "cell": cell_id(cell),
        **{key: cell[key] for key in CELL_KEYS},
        "unit": tolerances.unit(cell["metric"]).name,
        "published": published,
        "published_std": published_std,
        "ours": ours,
        "ours_std": deviation,
        "runs": values.size,
        "difference": judged.difference,
        "tolerance": judged.tolerance,
        "verdict": "not comparable" if reason else judged.verdict,
        "reason": reason,
        "provenance": facts.kind,
        "data": keys[0],
        "data_source": facts.source,
        "seed": _seed(found, files),
        "code": files[source].code,
        "source": source,
        "target": files[source].path,
    }


def _not_run(cell: Mapping[str, Any], tolerances: Tolerances) -> dict[str, Any]:
    unit = tolerances.unit(cell["metric"])
    return {
        **dict.fromkeys(LEDGER_COLUMNS, ""),
        "cell": cell_id(cell),
        **{key: cell[key] for key in CELL_KEYS},
        "unit": unit.name,
        "published": float(cell["mean"]),
        "published_std": float(cell["std"]),
        "ours": math.nan,
        "ours_std": math.nan,
        "runs": 0,
        "difference": math.nan,
        "tolerance": unit.allowed(float(cell["std"])),
        "verdict": NOT_RUN,
        "reason": "left out by this shortened configuration",
    }


def uncontrolled_cells(ours: pd.DataFrame, cells: pd.DataFrame) -> list[dict[str, Any]]:
    """Return measured cells (the first of each kind) without a control in their table.

    A score means little without what guessing gives, so every table of scores must have one for
    each data set and metric. Derived figures (ranks, correlations, gains, agreement) need none.
    """
    kind = ["table", "label", "metric"]
    scores = ours[ours["metric"].isin(SCORES)]
    control = scores["method"].str.startswith("control:")
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
    partial: bool = False,
) -> pd.DataFrame:
    """Join one paper's rows with its published cells.

    Parameters
    ----------
    paper
        Key of the paper.
    rows
        Tidy rows with a column ``source`` (the file each came from).
    published
        ``data/published/results.csv``.
    tolerances
        What counts as reproduced.
    data
        Facts of every data set that occurs in ``rows``.
    files
        Facts of every file that occurs in ``rows``.
    partial
        Allow cells without rows (verdict ``not run``): shortened configurations only.

    Raises
    ------
    LedgerError
        A cell is missing, not a number, has a repeated or missing run, comes from a file made by
        another version of the code, or stands in a table without a control. The text names every
        such cell.
    """
    cells = published[published["paper"] == paper]
    if cells.empty:
        raise LedgerError(f"data/published/results.csv has no cell of {paper}")
    ours = rows[rows["reading"] == "paper"].copy()
    ours["label"] = resolve_labels(ours, data)
    keys = ["table", "label", "setting", "method", "metric"]
    groups: dict[Any, pd.DataFrame] = dict(iter(ours.groupby(keys, sort=False)))
    problems = _Problems()
    entries = []
    for cell in uncontrolled_cells(ours, cells):
        problems.add(
            cell_id(cell), "no control row (control:...) bounds its table on this data set"
        )
    for cell in cell_records(cells):
        found = groups.get(tuple(cell["dataset" if key == "label" else key] for key in keys))
        if found is None:
            if partial:
                entries.append(_not_run(cell, tolerances))
            else:
                problems.add(cell_id(cell), f"no row in results/{paper}; no job produced it")
            continue
        problem = _version_problem(found, files) or _run_problem(found)
        if problem:
            problems.add(cell_id(cell), problem)
            continue
        entries.append(_entry(cell, found, files, data, tolerances))
    problems.raise_if_any(paper)
    return pd.DataFrame(entries, columns=list(LEDGER_COLUMNS))


def check_ledger(ledger: pd.DataFrame, published: pd.DataFrame) -> None:
    """Raise unless the ledger answers exactly the published cells, each once."""
    wanted = [cell_id(cell) for cell in cell_records(published)]
    have = list(ledger["cell"])
    lacking = sorted(set(wanted) - set(have))
    strange = sorted(set(have) - set(wanted))
    if lacking:
        raise LedgerError(f"the ledger lacks {len(lacking)} cells, the first is {lacking[0]}")
    if strange:
        raise LedgerError(f"the ledger has {len(strange)} unpublished cells, such as {strange[0]}")
    if len(have) != len(set(have)):
        repeated = next(cell for cell in have if have.count(cell) > 1)
        raise LedgerError(f"the ledger has cell {repeated} more than once")
