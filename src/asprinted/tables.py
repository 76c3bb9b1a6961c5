"""Judge a reproduction: published values and runs in, a verdict for each cell and sentence out.

Published values: a row a cell with ``dataset``, ``method``, ``metric`` and ``mean``; ``std`` and
``runs`` as far as print gives them, ``table`` and ``setting`` where cells need them. The
reproduction: a row a run with ``value`` (and ``run``, where runs of two methods are paired), or a
row a cell with ``mean``, ``std``, ``runs``; or the same row as print with ``ours``, ``ours_std``,
``ours_runs``. What is not given is not guessed: the ``note`` of a cell says what its word lacks.

Sentences are small declarations, written as text: ``better("A", "B", on=["Cora"])``. A sentence has
a part for every data set (or those of ``on``), and all of them must hold. ``metric`` says which
where there are several, ``lower=True`` that small values are good.
"""

import ast
import html
import inspect
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from asprinted import claims as checks
from asprinted.agreement import EQUIVALENCE, INTERVAL, Figure, figure_of, stable_share
from asprinted.agreement import judge as judge_cell
from asprinted.base_rates import COLUMN, Count, count
from asprinted.margins import Margins, Unit, load_margins
from asprinted.parts import MOST_RUNS, Part, every
from asprinted.statistics import POWER
from asprinted.words import COMPATIBLE, INFERRED, NOT_RUN, PRINT, SAME, SUMMARY

KEYS = ["table", "dataset", "setting", "method", "metric"]

CELL_COLUMNS = (
    *KEYS, "published", "published_std", "published_runs", "ours", "ours_std", "runs",
    "difference", "low", "high", "margin", "agreement", "stable", "more_runs", "note",
)  # fmt: skip
CLAIM_COLUMNS = (
    "sentence", "test", "in_print", "word", "reason", "effect", "low", "high", "p_holds",
    "p_refuted", "n", "runs_needed",
)  # fmt: skip

Table = pd.DataFrame | Path | str


@dataclass(frozen=True)
class Verdicts:
    """Words for all cells and sentences; no ``base_rate`` where no wrong ledger can be made."""

    name: str
    cells: pd.DataFrame
    claims: pd.DataFrame
    base_rate: Count | None

    @property
    def headline(self) -> str:
        """Counts in one sentence."""
        words = self.cells["agreement"].value_counts()
        told = ", ".join(f"{number} {word}" for word, number in words.items())
        if self.base_rate is None:
            return f"{told}; no base rate: no column prints two different values"
        rate = f"{self.base_rate.agree} equivalent, a wrong ledger has {self.base_rate.chance:.0f}"
        return f"{told}; {rate}"

    def __str__(self) -> str:
        shown = self.cells[["dataset", "method", "published", "ours", "low", "high", "agreement"]]
        more = self.cells[["more_runs", "note"]]
        parts = [self.name, shown.join(more).round(4).to_string(index=False), self.headline]
        if len(self.claims):
            columns = ["word", "sentence", "in_print", "runs_needed", "reason"]
            parts.append(self.claims[columns].to_string(index=False))
        return "\n".join(parts)


def _read(table: Table, *needed: str) -> pd.DataFrame:
    """Return a table with all keys as text."""
    if isinstance(table, pd.DataFrame):
        frame = table
    else:
        frame = pd.read_csv(table, dtype=dict.fromkeys(KEYS, str))
    if lacking := [name for name in ("dataset", "method", "metric", *needed) if name not in frame]:
        raise ValueError(
            f"the table has no column {lacking[0]!r}; it has {', '.join(map(str, frame))}"
        )
    known = frame[[key for key in KEYS if key in frame]].astype(object)
    keys = known.where(known.notna(), "").astype(str)
    return frame.assign(**{key: keys.get(key, "") for key in KEYS})


def _rows(frame: pd.DataFrame, mean: str, prefix: str, reading: str) -> pd.DataFrame:
    """Rows as sentences are tested on; a deviation without a number of runs has the fewest, 2."""
    rows = frame.assign(value=frame[mean], reading=reading, role="published", provenance=SAME)
    if mean != "value":
        rows = rows.assign(run=0)
    elif "run" not in rows:
        rows = rows.assign(run=rows.groupby(KEYS).cumcount())
    if len(twice := rows[rows.duplicated([*KEYS, "run"])]):
        name = "/".join(twice[KEYS].iloc[0])
        raise ValueError(f"{name} is there twice; tell rows apart by table, setting or run")
    if mean == "value":
        return rows
    std, runs = (frame.get(f"{prefix}{name}", math.nan) for name in ("std", "runs"))
    rows = rows.assign(std=std, runs=runs)
    rows = rows.assign(told=rows["runs"].notna() | rows["std"].isna())
    fewest = rows["std"].where(rows["std"].isna(), 2.0) if reading == SUMMARY else math.nan
    return rows.assign(runs=rows["runs"].fillna(fewest))


def _figures(printed: Figure, ours: Figure, told: bool) -> tuple[Figure, str]:
    """Print with the runs it is judged with, and what the word of the cell lacks."""
    notes = [] if told else ["our runs are not given: taken as 2"]
    bare = math.isnan(printed.std), math.isnan(ours.std)
    if all(bare):
        notes = ["no deviation on either side: the margin alone decides, chance is left out"]
    elif any(bare):
        notes.append("our deviation stands for print's" if bare[0] else "print's stands for ours")
    if math.isnan(printed.runs):
        printed = printed._replace(runs=ours.runs if bare[0] else max(ours.runs, 2))
        if not all(bare):
            notes.append(f"runs of print are not given: taken as {printed.runs:g}")
    return printed, "; ".join(notes)


def more_runs(printed: Figure, ours: Figure, unit: Unit) -> float:
    """Further runs that decide a compatible cell with 80 % power, if the means are as they seem.

    Infinite where no number of ours makes up for the uncertainty of print.
    """
    means, stds = np.array([printed[:2], ours[:2]], dtype=float).T
    spreads, places = unit.spread(means, stds), unit.place(means)
    spreads = np.where(np.isnan(spreads), spreads[::-1], spreads)
    size = abs(float(places[1] - places[0]))
    room, tail = (unit.margin - size, EQUIVALENCE) if size < unit.margin else (size, INTERVAL)
    wanted = room / float(stats.norm.ppf(tail) + stats.norm.ppf(POWER))
    left = wanted**2 - spreads[0] ** 2 / printed.runs
    needed = spreads[1] ** 2 / left if left > 0 else math.inf
    return max(1.0, math.ceil(needed) - ours.runs) if needed <= MOST_RUNS else math.inf


def _cell(row: pd.Series, own: pd.DataFrame, margins: Margins) -> dict[str, Any]:
    """The verdict on one published cell from our rows of it."""
    unit, printed = margins.unit(row["metric"]), Figure(row["value"], row["std"], row["runs"])
    cell: dict[str, Any] = {key: row[key] for key in KEYS}
    cell |= {"margin": unit.margin, "agreement": NOT_RUN}
    cell |= dict(zip(("published", "published_std", "published_runs"), printed, strict=True))
    if own.empty or own["value"].isna().all():
        return cell | {"note": "nothing in the reproduction's table", "runs": 0}
    name, values, told = "/".join(row[key] for key in KEYS), own["value"].to_numpy(), True
    if "std" in own:
        std, runs = float(own["std"].iloc[0]), float(own["runs"].iloc[0])
        ours = Figure(float(values[0]), std, 1.0 if math.isnan(runs) else runs)
        told = bool(own["told"].all())
    else:
        ours = figure_of(values)
    printed, note = _figures(printed, ours, told)
    word, difference, _, low, high, *_ = judge_cell(printed, ours, unit)
    undecided = more_runs(printed, ours, unit) if word == COMPATIBLE else 0.0
    return cell | {
        "published_runs": printed.runs, "ours": ours.mean, "ours_std": ours.std,
        "runs": ours.runs, "difference": difference, "low": low, "high": high,
        "agreement": word, "stable": stable_share(name, values, printed, unit),
        "more_runs": math.nan if math.isnan(printed.std) and math.isnan(ours.std) else undecided,
        "note": note,
    }  # fmt: skip


class Rows:
    """Rows of one metric on some data sets, and how its values are read."""

    def __init__(
        self, rows: pd.DataFrame, margins: Margins, on: Any, metric: str | None, lower: bool
    ) -> None:
        wanted = {"dataset": [on] if isinstance(on, str) else on, "metric": metric}
        self.rows, self.lower = checks.select(rows, reading=None, **wanted), lower
        metrics = sorted(set(self.rows["metric"]))
        if len(metrics) != 1:
            raise ValueError(f"metrics {metrics}: a sentence is about one; say metric=")
        self.margin = margins.unit(metrics[0]).margin

    def methods(self, *asked: str) -> list[str]:
        """All methods; an error where one that is asked for is none of them."""
        known = sorted(set(self.rows["method"]))
        if unknown := [method for method in asked if method not in known]:
            raise ValueError(f"no rows of {unknown[0]!r}; methods: {', '.join(known)}")
        return known

    def each(self, test: Callable[..., Part], *methods: str, **how: Any) -> Part:
        """Every data set that has all of the methods."""
        self.methods(*methods)
        parts: dict[str, Part] = {}
        for name, own in self.rows.groupby("dataset", sort=True):
            sides = [own[own["method"] == method] for method in methods]
            if all(map(len, sides)):
                parts[str(name)] = test(*sides, **how)
        return every(parts)


def better(rows: Rows, one: str, *others: str, by: float = 0.0) -> Part:
    """The first method is better than each of the others (by more than so much)."""
    how = {"margin": by, "higher_is_better": not rows.lower, "practical": rows.margin}
    parts = {
        other: rows.each(checks.better, one, other, names=(one, other), **how) for other in others
    }
    return every(parts) if len(parts) > 1 else parts[others[0]]


def equal(rows: Rows, one: str, other: str, within: float | None = None) -> Part:
    """Two methods are the same, within so much or the metric's margin."""
    margin = within or rows.margin
    return rows.each(checks.equal, one, other, margin=margin, names=(one, other))


def rank(rows: Rows, one: str, place: float = 1) -> Part:
    """The method's average rank over the data sets is ``place`` or better, up to a half."""
    column = rows.methods(one).index(one)

    def ahead(mean: np.ndarray, std: np.ndarray) -> np.ndarray:
        own = mean[..., column, None]
        before = mean < own if rows.lower else mean > own
        return place + 0.5 - (1 + before.sum(axis=-1)).mean(axis=-1)

    what = f"average rank {{}} below {place + 0.5:g}"
    return checks.resampled(rows.rows, ahead, columns=("method",), what=what)


def rises(rows: Rows, one: str, x: str, falling: bool = False) -> Part:
    """The value of a method rises with a column of numbers (or falls)."""
    return rows.each(checks.trend, one, x=x, rising=not falling)


TESTS = {test.__name__: test for test in (better, equal, rank, rises)}


def tested(text: str, rows: pd.DataFrame, margins: Margins) -> Part:
    """Test a declaration; its arguments are constants, nothing of it is executed."""
    try:
        call: Any = ast.parse(text.strip(), mode="eval").body
        test, args = TESTS[call.func.id], [ast.literal_eval(arg) for arg in call.args]
        how = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
        chosen = how.pop("on", None), how.pop("metric", None), how.pop("lower", False)
        inspect.signature(test).bind(None, *args, **how)
    except (SyntaxError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{text!r}: {error}; write one of {', '.join(TESTS)}") from None
    return test(Rows(rows, margins, *chosen), *args, **how)


def _claim(
    sentence: str, text: str, ours: pd.DataFrame, printed: pd.DataFrame, margins: Margins
) -> dict[str, Any]:
    """The verdict on one sentence, and what print's own figures say of it."""
    part = tested(text, ours, margins)
    try:
        in_print = tested(text, printed, margins).word
    except ValueError:  # print does not have what ours has
        in_print = ""
    figures = {name: getattr(part, name) for name in CLAIM_COLUMNS[3:]}
    return {"sentence": sentence, "test": text.strip(), "in_print": in_print, **figures}


def judge(
    published: Table,
    ours: Table | None = None,
    claims: Mapping[str, str] | None = None,
    *,
    margins: Mapping[str, float] | None = None,
    name: str = "reproduction",
) -> Verdicts:
    """Judge a reproduction; see the head of this module for its two tables.

    ``claims`` are sentences and their tests, ``margins`` says for a
    metric how far apart two means may be and still be the same.
    """
    # the first unit that fits a metric holds
    own = {f"own {key}": Unit(key, margin, (key,)) for key, margin in (margins or {}).items()}
    known = replace(load_margins(), units={**own, **load_margins().units})
    printed = _rows(_read(published, "mean"), "mean", "", PRINT)
    if ours is None:
        rows = _rows(_read(published, "ours"), "ours", "ours_", SUMMARY)
    else:
        table = _read(ours)
        runs = "value" in table
        rows = _rows(table, "value" if runs else "mean", "", INFERRED if runs else SUMMARY)
    # a run belongs to every table that prints its cell
    shared = [key for key in KEYS if key != "table" or (rows["table"] != "").any()]
    groups = dict(iter(rows.groupby(shared)))
    cells = [
        _cell(row, groups.get(tuple(row[key] for key in shared), rows[:0]), known)
        for _, row in printed.iterrows()
    ]
    ledger = pd.DataFrame(cells, columns=list(CELL_COLUMNS))
    said = [_claim(*item, rows, printed, known) for item in (claims or {}).items()]
    counted = ledger.assign(paper=name, repeats="", data=SAME)
    ends = counted.groupby(list(COLUMN))["published"].agg(["min", "max"])
    several = (ends["min"] < ends["max"]).any()
    rate = count(counted, name, INFERRED, known)[0] if several else None
    return Verdicts(name, ledger, pd.DataFrame(said, columns=list(CLAIM_COLUMNS)), rate)


_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left!important;padding:.25rem .6rem;border-bottom:1px solid #ccc}
"""

_NOTE = """Equivalent: a test shows that the means differ by less than the margin. Compatible: no
difference is shown, but the runs are too few to tell. Near, different: they differ, by at most or
by more than 2.5 margins. The interval is that of the difference, 95 %. More runs: how many more
runs would decide with 80 % power; 0 where the word is decided, inf where no number would, empty
where it cannot be known. A wrong ledger exchanges methods, or prints medians; it is counted too."""


def _records(frame: pd.DataFrame) -> Any:
    return json.loads(frame.to_json(orient="records", double_precision=12))


def to_json(verdicts: Verdicts) -> str:
    """Return all cells and sentences, with base rates, as JSON text; NaN and inf are null."""
    rate = verdicts.base_rate
    counts = None if rate is None else pd.DataFrame([{**rate._asdict(), "chance": rate.chance}])
    document = {
        "name": verdicts.name,
        "headline": verdicts.headline,
        "base_rate": None if counts is None else _records(counts)[0],
        "cells": _records(verdicts.cells),
        "claims": _records(verdicts.claims),
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _drawn(frame: pd.DataFrame, heading: str) -> str:
    there = frame.loc[:, frame.notna().any() & (frame != "").any()]
    shown = there.rename(columns=lambda name: name.replace("_", " "))
    drawn = shown.to_html(index=False, border=0, na_rep="", float_format="{:.4g}".format)
    return f"<h2>{heading}</h2>\n{drawn}\n" if len(frame) else ""


def to_html(verdicts: Verdicts) -> str:
    """Return one page with all cells and sentences."""
    name = html.escape(verdicts.name)
    tables = _drawn(verdicts.cells, "Published numbers") + _drawn(verdicts.claims, "Sentences")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{name}</title>'
        f"<style>{_STYLE}</style><h1>{name}</h1>\n<p>{html.escape(verdicts.headline)}</p>\n"
        f"{tables}<p>{_NOTE}</p></html>\n"
    )
