"""The ledger: one row per published cell, with what this run has to say about it.

Nothing is skipped in silence. A cell without rows and a run that appears twice or is missing are
errors that name the cell. Result files come checked (:mod:`reproduction.results.custody`).

Beside it stand the gaps between a paper's own methods and the others: sign and size.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from asprinted.agreement import Figure, figure_of, judge, stable_share
from asprinted.base_rates import COLUMN
from asprinted.margins import MARGINS, Unit, load_margins
from asprinted.statistics import ALPHA, apart, estimate
from asprinted.words import INFERRED, JUDGED, NOT_COMPARABLE, NOT_RUN, PROTOCOL, TEXT, worst
from reproduction.closure import closure_hash
from reproduction.data.provenance import sha256_of
from reproduction.results.tables import Tables
from reproduction.rooms import Paper
from reproduction.verdicts.cells import CELL_KEYS, cell_head, find_repeats, printed_figure, records
from reproduction.verdicts.data_facts import DataFacts
from reproduction.verdicts.readings import Choice, Found, RowFinder, protocol, touching

#: Modules that decide the word of a cell.
_RULE = ("asprinted.agreement", "reproduction.verdicts.cells", "reproduction.verdicts.readings")

#: What the rule says of one reading of a cell.
_JUDGED = ("difference", "se", "low", "high", "prediction_low", "prediction_high")

LEDGER_COLUMNS = (
    "cell", *CELL_KEYS, "seen", "unit", "margin", "published", "published_std", "published_runs",
    "ours", "ours_std", "runs", *_JUDGED, "agreement", "stable", "data", "protocol", "reason",
    "repeats", "text_ours", "text_std", "text_runs", "text_agreement", "text_stable",
    "text_protocol", "readings_low", "readings_high", "n_readings", "rule_digest", "data_key",
    "data_source", "seed", "code", "source", "target",
)  # fmt: skip

GAP_COLUMNS = (
    *COLUMN, "method", "other", "published", "published_std", "ours", "ours_std", "runs",
    "difference", "se", "low", "high", "margin", "same_sign", "significant", "agreement", "data",
    "protocol", "repeats", "text_ours", "text_same_sign", "text_significant", "text_agreement",
)  # fmt: skip

#: Reading -> how the names of its columns begin.
_READINGS = {INFERRED: "", TEXT: "text_"}

YES, NO, NO_SIGN = "yes", "no", ""


class LedgerError(ValueError):
    """The results do not answer every published cell; the text names the cells."""


class FileFacts(NamedTuple):
    """A result file: its code, its job, and by table the settings that are not the paper's."""

    code: str
    job: str
    changed: Mapping[str, Mapping[str, str]] = {}

    def not_the_papers(self, table: str) -> Mapping[str, str]:
        """Settings behind a table that are not the paper's; those of the whole file if need be."""
        return self.changed.get(table, self.changed.get("", {}))


def rule_digest() -> str:
    """Return a short digest of the code of the rule and of its margins, for the ledger."""
    return f"{closure_hash(_RULE)}-{sha256_of(MARGINS)[:8]}"


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


def _said(published: Figure, ours: Figure | None, unit: Unit) -> dict[str, Any]:
    """Our figure under one reading, and what the rule says about it."""
    if ours is None:
        nothing = dict.fromkeys(("ours", "ours_std", *_JUDGED), math.nan)
        return {**nothing, "runs": 0, "agreement": NOT_RUN}
    word, *numbers = judge(published, ours, unit)
    figure = zip(("ours", "ours_std", "runs"), ours, strict=True)
    return {**dict(figure), **dict(zip(_JUDGED, numbers, strict=True)), "agreement": word}


def own_gap(
    left: Found | None, right: Found | None, folds: int = 1
) -> tuple[Figure | None, bool | None]:
    """Our gap between two methods, and whether its 95 % interval leaves out 0; None if not run.

    Methods are paired by the runs they share. The ``folds`` of a cross-validation share rows, so
    its repetitions say whether a gap is clear. Methods that share fewer runs than the smaller
    number are taken as drawn apart: deviations are added in squares, the smaller number counts.
    """
    if left is None or right is None:
        return None, None
    one, two = (dict(zip(side.runs, side.values, strict=True)) for side in (left, right))
    shared = sorted(set(one) & set(two))
    if len(shared) == min(len(one), len(two)):
        gaps = np.array([one[run] - two[run] for run in shared])
        draws = gaps.reshape(-1, folds).mean(axis=1)
        figure, found = figure_of(gaps), estimate([draws]) if draws.size > 1 else None
    else:
        first, second = figure_of(left.values), figure_of(right.values)
        runs, std = min(first.runs, second.runs), math.hypot(first.std, second.std)
        figure = Figure(first.mean - second.mean, std, runs)
        found = apart(left.values, right.values) if runs > 1 else None
    low, high = found.interval(1 - ALPHA) if found else (0.0, 0.0)
    return figure, low > 0 or high < 0


def same_sign(published: float, ours: float) -> str:
    """Whether two gaps point the same way; a published gap of 0 points nowhere."""
    if abs(published) < 1e-12 or math.isnan(ours):
        return NO_SIGN
    return YES if np.sign(published) == np.sign(ours) else NO


class _Asked(NamedTuple):
    """A published cell: how a ledger shows it, what is open about it, its runs by reading."""

    cell: Mapping[str, Any]
    head: Mapping[str, Any]
    choices: Sequence[Choice]
    inferred: Found | None
    text: Found | None


class Bench:
    """One paper's rows and published cells, and all they are judged with.

    Rows have ``setting`` and ``source`` (the file each came from); ``data`` and ``files`` are facts
    of every data set and file among them, ``names`` what tables call the data sets.
    """

    def __init__(
        self,
        card: Paper,
        rows: pd.DataFrame,
        published: pd.DataFrame,
        *,
        tables: Tables,
        choices: Sequence[Choice],
        data: Mapping[str, DataFacts],
        files: Mapping[str, FileFacts],
        names: Mapping[str, str],
    ) -> None:
        self.card, self.rows, self.data, self.files = card, rows, data, files
        self.tables, self.margins, self.rule = tables, load_margins(), rule_digest()
        self.finder = RowFinder(rows, tables)
        self.settings = [name for name in tables.columns if name in published.columns]
        self.cells = []
        for cell in records(published):
            touched = touching(choices, cell)
            readings = (self.finder.under(cell, touched, reading) for reading in _READINGS)
            self.cells.append(_Asked(cell, cell_head(cell, names, tables), touched, *readings))

    def ledger(self, partial: bool = False) -> pd.DataFrame:
        """Join rows and printed cells; cells may lack rows only if the run is ``partial``."""
        problems = [f"cell {name}: {problem}" for name, problem in self._problems(partial)]
        if problems:
            many = f"{len(problems)} published cells have no sound answer, the first of them"
            raise LedgerError("\n  ".join([f"{self.card.key}: {many}", *problems[:12]]))
        entries = [self._entry(asked) for asked in self.cells]
        cells = [asked.cell for asked in self.cells]
        # repeated cells have the value and the verdict of the cell they repeat
        own = {"cell", *CELL_KEYS, "seen", "published", "published_std"}
        for place, first in find_repeats(cells, self.tables, self.card.second_names).items():
            kept = {k: v for k, v in entries[place].items() if k in own or k not in LEDGER_COLUMNS}
            entries[place] = {**entries[first], **kept, "repeats": entries[first]["cell"]}
        place = LEDGER_COLUMNS.index("setting") + 1
        columns = [*LEDGER_COLUMNS[:place], *self.settings, *LEDGER_COLUMNS[place:]]
        return pd.DataFrame(entries, columns=columns)

    def _problems(self, partial: bool) -> Iterator[tuple[str, str]]:
        """Yield names of cells that have no sound answer, and why.

        A score means little without what guessing gives: tables of scores need a control for each
        data set and metric, and the first cell without is named. Derived figures need none.
        """
        kind = ["table", "dataset", "metric"]
        scores = self.rows[self.rows["metric"].map(self.margins.is_score)]
        scores = scores[scores["reading"] == INFERRED]
        bounded = scores["role"].eq("control").groupby([scores[name] for name in kind]).any()
        lacking = set(bounded[~bounded].index)
        for cell, head, _, *readings in self.cells:
            if (key := tuple(cell[name] for name in kind)) in lacking:
                lacking.remove(key)
                yield head["cell"], "no method with the role 'control' bounds its table here"
            if readings[0] is None and not partial:
                yield head["cell"], f"no row in results/{self.card.key}; no job produced it"
            elif problem := next(filter(None, map(_run_problem, readings)), ""):
                yield head["cell"], problem

    def _entry(self, asked: _Asked) -> dict[str, Any]:
        """One row of the ledger; without inferred rows a shortened configuration left it out."""
        cell, head, choices, found, text = asked
        unit, name = self.margins.unit(head["metric"]), head["cell"]
        published = printed_figure(self.card, head, found.values.size if found else math.nan)
        own, by_text = (
            _said(published, figure_of(each.values) if each else None, unit)
            | {"stable": stable_share(name, each.values, published, unit) if each else math.nan}
            for each in (found, text if found else None)
        )
        row = {
            **dict.fromkeys(LEDGER_COLUMNS, ""),
            **head,
            **own,
            **{f"text_{name}": by_text[name] for name in ("ours", "runs", "agreement", "stable")},
            "text_std": by_text["ours_std"],
            "unit": unit.name,
            "margin": unit.margin,
            "published_runs": published.runs,
            "rule_digest": self.rule,
        }
        if found is None:
            why = "left out by this shortened configuration"
            ends = {"readings_low": math.nan, "readings_high": math.nan, "n_readings": 0}
            return row | ends | {"reason": why}
        facts = self.data[cell["dataset"]]
        changed = dict[str, str]()
        for name, each in (("agreement", found), ("text_agreement", text)):
            other = self.files[each.sources[0]].not_the_papers(each.place[0]) if each else {}
            changed |= other
            if other or facts.kind not in JUDGED:
                row[name] = NOT_COMPARABLE
        others = self.finder.others(cell, choices, found)
        places = {each.place: each for each in (found, *others, *([text] if text else ()))}
        means = [float(each.values.mean()) for each in places.values()]
        source, last = str(found.sources[0]), int(found.runs.max())
        job = self.files[source].job
        return row | {
            "reason": "; ".join(filter(None, [*map(": ".join, changed.items()), facts.reason])),
            "data": facts.kind,
            "protocol": protocol(choices, INFERRED),
            "text_protocol": protocol(choices, TEXT),
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

    def gaps(self, ledger: pd.DataFrame) -> pd.DataFrame:
        """Every gap in score between one of the paper's own methods and another, by column."""
        heads, scores = records(ledger), ledger["metric"].map(self.margins.is_score)
        numbered, found = ledger.assign(place=range(len(ledger)))[scores], []
        for _, column in numbered.groupby(list(COLUMN), sort=False):
            own = column["method"].isin(self.card.proposed)
            for pair in product(column["place"][own], column["place"][~own]):
                found.append(self._gap(*(heads[k] for k in pair), *(self.cells[k] for k in pair)))
        return pd.DataFrame(found, columns=list(GAP_COLUMNS))

    def _gap(
        self, left: Mapping[str, Any], right: Mapping[str, Any], one: _Asked, two: _Asked
    ) -> dict[str, Any]:
        """One gap under both readings, from two rows of the ledger and what they answer."""
        unit = self.margins.unit(str(left["metric"]))
        entry: dict[str, Any] = {
            **{name: left[name] for name in (*COLUMN, "method", "data")},
            "other": right["method"],
            "published": left["published"] - right["published"],
            "published_std": math.hypot(left["published_std"], right["published_std"]),
            "margin": unit.margin,
            "protocol": worst((protocol(each.choices, INFERRED) for each in (one, two)), PROTOCOL),
            # a gap between two repeated cells is that of the first table
            "repeats": YES if left["repeats"] and right["repeats"] else NO_SIGN,
        }
        folds = one.cell.get("folds", math.nan)
        folds = 1 if math.isnan(folds) else int(folds)
        for reading, prefix in _READINGS.items():
            word = f"{prefix}agreement"
            ours, clear = own_gap(getattr(one, reading), getattr(two, reading), folds)
            said = _said(printed_figure(self.card, entry, ours.runs if ours else 0), ours, unit)
            if ours is not None and NOT_COMPARABLE in (left[word], right[word]):
                said["agreement"] = NOT_COMPARABLE
            said["same_sign"] = same_sign(entry["published"], said["ours"])
            said["significant"] = {True: YES, False: NO, None: NO_SIGN}[clear]
            entry |= {f"{prefix}{name}": value for name, value in said.items()}
        return entry
