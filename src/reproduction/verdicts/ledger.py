"""The ledger: one row per published cell, with what this run has to say about it.

Nothing is skipped in silence. A cell without rows and a run that appears twice or is missing are
errors that name the cell. Result files come checked (:mod:`reproduction.results.custody`).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from reproduction.closure import closure_hash, module_path
from reproduction.data.provenance import sha256_of
from reproduction.results.tables import Tables
from reproduction.rooms import Paper
from reproduction.verdicts.agreement import Figure, figure_of, judge, stable_share
from reproduction.verdicts.cells import CELL_KEYS, cell_head, find_repeats, printed_figure, records
from reproduction.verdicts.data_facts import DataFacts
from reproduction.verdicts.margins import MARGINS, Margins, Unit
from reproduction.verdicts.readings import Choice, Found, RowFinder, protocol, touching
from reproduction.verdicts.words import INFERRED, NOT_COMPARABLE, NOT_RUN, TEXT

#: Modules that decide the word of a cell.
_RULE = tuple(f"reproduction.verdicts.{name}" for name in ("agreement", "cells", "readings"))

#: What the rule says of one reading of a cell.
_JUDGED = ("difference", "se", "low", "high", "prediction_low", "prediction_high")

LEDGER_COLUMNS = (
    "cell", *CELL_KEYS, "seen", "unit", "margin", "published", "published_std", "published_runs",
    "ours", "ours_std", "runs", *_JUDGED, "agreement", "stable", "data", "protocol", "reason",
    "repeats", "text_ours", "text_std", "text_runs", "text_agreement", "text_stable",
    "text_protocol", "readings_low", "readings_high", "n_readings", "rule_digest", "data_key",
    "data_source", "seed", "code", "source", "target",
)  # fmt: skip


class LedgerError(ValueError):
    """The results do not answer every published cell; the text names the cells."""


class FileFacts(NamedTuple):
    """What is known of one result file besides its rows: the code behind it, and its job."""

    code: str
    job: str


def rule_digest() -> str:
    """Return a short digest of the code of the rule and of its margins, for the ledger."""
    return f"{closure_hash(_RULE)}-{sha256_of(MARGINS)[:8]}"


def rule_files() -> list[Path]:
    """Return the files that hold the rule, for the commit that last changed it."""
    return [*filter(None, map(module_path, _RULE)), MARGINS]


def _run_problem(found: Found | None) -> str:
    """What is wrong with the runs of a cell; empty when nothing is."""
    if found is None:
        return ""
    times = np.bincount(found.runs.astype(int))
    if times.max() > 1:
        places = ", ".join(sorted(set(found.sources)))
        return f"run {times.argmax()} is there {times.max()} times ({places})"
    if times.min() < 1:
        return f"run {times.argmin()} of {times.size} is missing in {found.sources[0]}"
    return ""


def _said(name: str, found: Found | None, published: Figure, unit: Unit) -> dict[str, Any]:
    """What the rule says about the runs of one reading."""
    if found is None:
        nothing = dict.fromkeys(("ours", "ours_std", *_JUDGED, "stable"), math.nan)
        return {**nothing, "runs": 0, "agreement": NOT_RUN}
    ours = figure_of(found.values)
    said = judge(published, ours, unit)._asdict()
    return {
        **dict(zip(("ours", "ours_std", "runs"), ours, strict=True)),
        "agreement": said.pop("word"),
        "stable": stable_share(name, found.values, published, unit),
        **said,
    }


class _Bench(NamedTuple):
    """What every cell of a paper is judged with."""

    card: Paper
    margins: Margins
    choices: Sequence[Choice]
    finder: RowFinder
    data: Mapping[str, DataFacts]
    files: Mapping[str, FileFacts]
    rule: str

    def entry(
        self,
        head: Mapping[str, Any],
        cell: Mapping[str, Any],
        found: Found | None,
        text: Found | None,
    ) -> dict[str, Any]:
        """One row of the ledger; without rows it is a cell that a configuration left out."""
        unit = self.margins.unit(head["metric"])
        runs = math.nan if found is None else found.values.size
        published = printed_figure(self.card, head, runs)
        own = _said(head["cell"], text if found else None, published, unit)
        row = {
            **dict.fromkeys(LEDGER_COLUMNS, ""),
            **head,
            **_said(head["cell"], found, published, unit),
            "unit": unit.name,
            "margin": unit.margin,
            "published_runs": published.runs,
            **{f"text_{name}": own[name] for name in ("ours", "runs", "agreement", "stable")},
            "text_std": own["ours_std"],
            "rule_digest": self.rule,
        }
        if found is None:
            ends = dict.fromkeys(("readings_low", "readings_high"), math.nan)
            why = "left out by this shortened configuration"
            return row | ends | {"n_readings": 0, "reason": why}
        facts = self.data[cell["dataset"]]
        if not facts.judged:
            row |= {"agreement": NOT_COMPARABLE, "text_agreement": NOT_COMPARABLE}
        open_choices = touching(self.choices, cell)
        others = self.finder.others(cell, open_choices, found)
        places = {each.place: each for each in (found, *others, *([text] if text else ()))}
        means = [float(each.values.mean()) for each in places.values()]
        source, last = str(found.sources[0]), int(found.runs.max())
        job = self.files[source].job
        return row | {
            "reason": facts.reason,
            "data": facts.kind,
            "protocol": protocol(open_choices, INFERRED),
            "text_protocol": protocol(open_choices, TEXT),
            "readings_low": min(means),
            "readings_high": max(means),
            "n_readings": len(means),
            "data_key": facts.key,
            "data_source": facts.source,
            # the job's name keys the seeds, the run number picks one
            "seed": f"{job} run 0" if last == 0 else f"{job} runs 0-{last}",
            "code": self.files[source].code,
            "source": source,
            "target": source,
        }


def _take_over(entries: list[dict[str, Any]], repeats: Mapping[int, int]) -> None:
    """Give repeated cells the value and the verdict of the cell they repeat."""
    own = {"cell", *CELL_KEYS, "seen", "published", "published_std"}
    for place, first in repeats.items():
        kept = {k: v for k, v in entries[place].items() if k in own or k not in LEDGER_COLUMNS}
        entries[place] = {**entries[first], **kept, "repeats": entries[first]["cell"]}


def uncontrolled_cells(
    ours: pd.DataFrame, cells: Iterable[Mapping[str, Any]], margins: Margins
) -> list[Mapping[str, Any]]:
    """Return measured cells (the first of each kind) without a control in their table.

    A score means little without what guessing gives, so every table of scores must have one for
    each data set and metric. Derived figures (ranks, correlations, gains, agreement) need none.
    """
    scores = ours[ours["metric"].map(margins.is_score).astype(bool)]
    bounded = (scores["role"] == "control").groupby(
        [scores[name] for name in ("table", "dataset", "metric")]
    )
    lacking = set(bounded.any().loc[lambda found: ~found].index)
    first: dict[tuple[str, ...], Mapping[str, Any]] = {}
    for cell in cells:
        first.setdefault((cell["table"], cell["dataset"], cell["metric"]), cell)
    return [cell for key, cell in first.items() if key in lacking]


def build_ledger(
    card: Paper,
    rows: pd.DataFrame,
    published: pd.DataFrame,
    margins: Margins,
    data: Mapping[str, DataFacts],
    files: Mapping[str, FileFacts],
    *,
    tables: Tables,
    choices: Sequence[Choice],
    names: Mapping[str, str],
    partial: bool = False,
) -> pd.DataFrame:
    """Join one paper's rows with its published cells.

    Rows have ``setting`` and ``source`` (the file each came from); ``data`` and ``files`` are facts
    of every data set and file among them, ``names`` what tables call the data sets. ``partial``
    allows cells without rows (``not run``) in shortened configurations. Else a ``LedgerError``
    names every cell that is missing, has a repeated or missing run, or stands in a table without a
    control.
    """
    if published.empty:
        raise LedgerError(f"published.csv of {card.key} has no cell")
    bench = _Bench(card, margins, choices, RowFinder(rows, tables), data, files, rule_digest())
    cells = records(published)
    problems = [
        (cell, "no method with the role 'control' bounds its table here")
        for cell in uncontrolled_cells(rows[rows["reading"] == INFERRED], cells, margins)
    ]
    entries: list[dict[str, Any]] = []
    for cell in cells:
        found, text = (
            bench.finder.under(cell, touching(choices, cell), headline)
            for headline in (INFERRED, TEXT)
        )
        if found is None and not partial:
            problems.append((cell, f"no row in results/{card.key}; no job produced it"))
        elif problem := _run_problem(found) or _run_problem(text):
            problems.append((cell, problem))
        else:
            entries.append(bench.entry(cell_head(cell, names, tables), cell, found, text))
    if problems:
        lines = [f"cell {cell_head(cell, names, tables)['cell']}: {why}" for cell, why in problems]
        more = [f"... and {len(lines) - 12} more"] if len(lines) > 12 else []
        told = "\n  ".join([*lines[:12], *more])
        raise LedgerError(
            f"{card.key}: {len(lines)} published cells have no sound answer\n  {told}"
        )
    _take_over(entries, find_repeats(cells, tables, card.second_names))
    place = LEDGER_COLUMNS.index("setting") + 1
    kept = [name for name in tables.columns if name in published.columns]
    columns = [*LEDGER_COLUMNS[:place], *kept, *LEDGER_COLUMNS[place:]]
    return pd.DataFrame(entries, columns=columns)
