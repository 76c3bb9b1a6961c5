"""The ledger: one row per published cell, with what this run has to say about it.

Nothing is skipped in silence. A cell without rows and a run that appears twice or is missing are
errors that name the cell. Result files come checked (:mod:`reproduction.results.custody`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from reproduction.results.tables import Tables
from reproduction.rooms import Paper
from reproduction.verdicts.agreement import Figure, figure_of, judge, stable_share
from reproduction.verdicts.cells import CELL_KEYS, cell_head, printed_figure, records
from reproduction.verdicts.data_facts import DataFacts
from reproduction.verdicts.margins import Margins, Unit
from reproduction.verdicts.readings import Choice, Found, RowFinder, protocol, touching
from reproduction.verdicts.repeats import find_repeats
from reproduction.verdicts.words import INFERRED, NOT_COMPARABLE, NOT_RUN, TEXT

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


@dataclass
class FileFacts:
    """What is known of one result file besides its rows: place, target, code."""

    path: str
    code: str
    job: str = ""


def _run_problem(found: Found | None) -> str:
    """What is wrong with the runs of a cell; empty when nothing is."""
    if found is None:
        return ""
    runs = found.runs
    if len(np.unique(runs)) != len(runs):
        repeated = sorted({int(run) for run in runs if (runs == run).sum() > 1})
        places = ", ".join(sorted(set(found.sources)))
        return f"run {repeated[0]} is there {int((runs == repeated[0]).sum())} times ({places})"
    missing = sorted(set(range(int(runs.max()) + 1)) - {int(run) for run in runs})
    if missing:
        return f"run {missing[0]} of {int(runs.max()) + 1} is missing in {found.sources[0]}"
    return ""


def _seed(found: Found, files: Mapping[str, FileFacts]) -> str:
    """Which seeds: the job's name keys them, the run number picks one."""
    job = files[found.sources[0]].job
    last = int(found.runs.max())
    return f"{job} run 0" if last == 0 else f"{job} runs 0-{last}"


def _judged(name: str, found: Found, published: Figure, unit: Unit) -> dict[str, Any]:
    """What the rule says about the runs of one reading."""
    ours = figure_of(found.values)
    said = asdict(judge(published, ours, unit))
    return {
        "ours": ours.mean,
        "ours_std": ours.std,
        "runs": ours.runs,
        "agreement": said.pop("word"),
        "stable": stable_share(name, found.values, published, unit),
        **said,
    }


_EMPTY = {
    **dict.fromkeys(("ours", "ours_std", *_JUDGED, "stable"), math.nan),
    "runs": 0,
    "agreement": NOT_RUN,
}


@dataclass(frozen=True)
class _Bench:
    """What every cell of a paper is judged with."""

    card: Paper
    margins: Margins
    choices: Sequence[Choice]
    finder: RowFinder
    data: Mapping[str, DataFacts]
    files: Mapping[str, FileFacts]
    rule: str

    def entry(
        self, head: Mapping[str, Any], cell: Mapping[str, Any], found: Found, text: Found | None
    ) -> dict[str, Any]:
        """One row of the ledger."""
        open_choices = touching(self.choices, cell)
        unit = self.margins.unit(head["metric"])
        facts = self.data[cell["dataset"]]
        published = printed_figure(self.card, head, found.values.size)
        said = _judged(head["cell"], found, published, unit)
        own = _EMPTY if text is None else _judged(head["cell"], text, published, unit)
        others = {each.place: each for each in self.finder.others(cell, open_choices, found)}
        places = [found, *others.values()]
        if text is not None and text.place not in {found.place, *others}:
            places.append(text)
        means = [float(each.values.mean()) for each in places]
        source = found.sources[0]
        row = {
            **head,
            **said,
            "unit": unit.name,
            "margin": unit.margin,
            "published_runs": published.runs,
            "reason": facts.reason,
            "data": facts.kind,
            "protocol": protocol(open_choices, INFERRED),
            "repeats": "",
            "text_ours": own["ours"],
            "text_std": own["ours_std"],
            "text_runs": own["runs"],
            "text_agreement": own["agreement"],
            "text_stable": own["stable"],
            "text_protocol": protocol(open_choices, TEXT),
            "readings_low": min(means),
            "readings_high": max(means),
            "n_readings": len(means),
            "rule_digest": self.rule,
            "data_key": facts.key,
            "data_source": facts.source,
            "seed": _seed(found, self.files),
            "code": self.files[source].code,
            "source": source,
            "target": self.files[source].path,
        }
        if not facts.judged:
            row |= {"agreement": NOT_COMPARABLE, "text_agreement": NOT_COMPARABLE}
        return row

    def not_run(self, head: Mapping[str, Any]) -> dict[str, Any]:
        """Row of a cell that a shortened configuration leaves out."""
        unit = self.margins.unit(head["metric"])
        return {
            **dict.fromkeys(LEDGER_COLUMNS, ""),
            **_EMPTY,
            **head,
            "unit": unit.name,
            "margin": unit.margin,
            "published_runs": self.card.printed_runs(str(head["table"])) or math.nan,
            **dict.fromkeys(("text_ours", "text_std", "text_stable"), math.nan),
            **dict.fromkeys(("readings_low", "readings_high"), math.nan),
            **dict.fromkeys(("text_runs", "n_readings"), 0),
            "text_agreement": NOT_RUN,
            "rule_digest": self.rule,
            "reason": "left out by this shortened configuration",
        }


def _take_over(entries: list[dict[str, Any]], repeats: Mapping[int, int]) -> None:
    """Give repeated cells the value and the verdict of the cell they repeat."""
    own = {"cell", *CELL_KEYS, "seen", "published", "published_std"}
    for place, first in repeats.items():
        kept = {key: value for key, value in entries[place].items() if key not in LEDGER_COLUMNS}
        kept |= {key: entries[place][key] for key in own}
        entries[place] = {**entries[first], **kept, "repeats": entries[first]["cell"]}


def uncontrolled_cells(
    ours: pd.DataFrame, cells: pd.DataFrame, margins: Margins
) -> list[dict[str, Any]]:
    """Return measured cells (the first of each kind) without a control in their table.

    A score means little without what guessing gives, so every table of scores must have one for
    each data set and metric. Derived figures (ranks, correlations, gains, agreement) need none.
    """
    kind = ["table", "dataset", "metric"]
    scores = ours[ours["metric"].map(margins.is_score).astype(bool)]
    control = scores["role"] == "control"
    bounded = set(scores.loc[control, kind].itertuples(index=False, name=None))
    measured = set(scores.loc[~control, kind].itertuples(index=False, name=None)) - bounded
    lacking: dict[tuple[str, str, str], dict[str, Any]] = {}
    for cell in records(cells):
        key = (cell["table"], cell["dataset"], cell["metric"])
        if key in measured:
            lacking.setdefault(key, cell)
    return list(lacking.values())


def build_ledger(
    card: Paper,
    rows: pd.DataFrame,
    published: pd.DataFrame,
    margins: Margins,
    data: Mapping[str, DataFacts],
    files: Mapping[str, FileFacts],
    *,
    tables: Tables,
    choices: Sequence[Choice] = (),
    names: Mapping[str, str] | None = None,
    rule: str = "",
    partial: bool = False,
) -> pd.DataFrame:
    """Join one paper's rows with its published cells.

    Rows have ``setting`` and ``source`` (the file each came from); ``data`` and ``files`` are facts
    of every data set and file among them, ``names`` what tables call the data sets. ``partial``
    allows cells without rows (``not run``) in shortened configurations. Else a ``LedgerError``
    names every cell that is missing, has a repeated or missing run, or stands in a table without a
    control.
    """
    paper = card.key
    if published.empty:
        raise LedgerError(f"published.csv of {paper} has no cell")
    kept = [name for name in tables.columns if name in published.columns]
    bench = _Bench(card, margins, choices, RowFinder(rows, tables), data, files, rule)
    problems = [
        (cell, "no method with the role 'control' bounds its table here")
        for cell in uncontrolled_cells(rows[rows["reading"] == INFERRED], published, margins)
    ]
    entries: list[dict[str, Any]] = []
    cells = records(published)
    for cell in cells:
        head = cell_head(cell, names or {}, tables)
        found, text = (
            bench.finder.under(cell, touching(choices, cell), headline)
            for headline in (INFERRED, TEXT)
        )
        if found is None and partial:
            entries.append(bench.not_run(head))
        elif found is None:
            problems.append((cell, f"no row in results/{paper}; no job produced it"))
        elif problem := _run_problem(found) or _run_problem(text):
            problems.append((cell, problem))
        else:
            entries.append(bench.entry(head, cell, found, text))
    if problems:
        lines = [f"cell {cell_head(c, names or {}, tables)['cell']}: {t}" for c, t in problems]
        shown = "\n  ".join(lines[:12])
        more = f"\n  ... and {len(lines) - 12} more" if len(lines) > 12 else ""
        raise LedgerError(
            f"{paper}: {len(lines)} published cells have no sound answer\n  {shown}{more}"
        )
    _take_over(entries, find_repeats(cells, tables, card.second_names))
    columns = list(LEDGER_COLUMNS)
    place = columns.index("setting") + 1
    return pd.DataFrame(entries, columns=[*columns[:place], *kept, *columns[place:]])
