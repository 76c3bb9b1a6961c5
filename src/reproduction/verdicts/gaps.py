"""Gaps between a paper's own methods and the others, published against ours: sign and size."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from reproduction.results.tables import Tables
from reproduction.rooms import Paper
from reproduction.verdicts.agreement import Figure, figure_of, judge
from reproduction.verdicts.cells import printed_figure, records
from reproduction.verdicts.margins import Margins
from reproduction.verdicts.readings import Choice, Found, RowFinder, protocol, touching
from reproduction.verdicts.statistics import ALPHA, apart, estimate
from reproduction.verdicts.words import (
    INFERRED,
    JUDGED,
    NOT_COMPARABLE,
    NOT_RUN,
    PROTOCOL,
    TEXT,
    worst,
)

#: A column: all published cells of one table, data set, setting and metric.
COLUMN = ("table", "dataset", "setting", "metric")

GAP_COLUMNS = (
    "paper", *COLUMN, "method", "other", "published", "published_std", "ours", "ours_std", "runs",
    "difference", "se", "low", "high", "margin", "same_sign", "significant", "agreement", "data",
    "protocol", "repeats", "text_ours", "text_same_sign", "text_significant", "text_agreement",
)  # fmt: skip

YES, NO, NO_SIGN = "yes", "no", ""

#: Reading -> how the names of its columns begin.
_READINGS = {INFERRED: "", TEXT: "text_"}


class Gap(NamedTuple):
    """Our gap between two methods, and whether its 95 % interval leaves out 0."""

    figure: Figure
    significant: bool


def own_gap(left: Found | None, right: Found | None, folds: int = 1) -> Gap | None:
    """Our gap between two methods: paired by the runs they share.

    The ``folds`` of a cross-validation share rows, so its repetitions say whether a gap is clear.
    Methods that share fewer runs than the smaller number are taken as drawn apart: deviations are
    added in squares and the smaller number of runs counts.
    """
    if left is None or right is None:
        return None
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
    return Gap(figure, low > 0 or high < 0)


def same_sign(published: float, ours: float) -> str:
    """Whether two gaps point the same way; a published gap of 0 points nowhere."""
    if abs(published) < 1e-12 or math.isnan(ours):
        return NO_SIGN
    return YES if np.sign(published) == np.sign(ours) else NO


def gap_table(
    card: Paper,
    ledger: pd.DataFrame,
    rows: pd.DataFrame,
    published: pd.DataFrame,
    margins: Margins,
    choices: Sequence[Choice],
    tables: Tables,
) -> pd.DataFrame:
    """Every gap in score between one of the paper's own methods and another, column by column.

    The card names the paper's own methods; the ledger has the order of ``published``, and the rest
    is what it was made from.
    """
    finder = RowFinder(rows, tables)
    cells, heads = records(published), records(ledger)
    open_choices = [touching(choices, cell) for cell in cells]
    scores = ledger.assign(place=range(len(ledger)))[ledger["metric"].map(margins.is_score)]
    gaps = []
    for column, part in scores.groupby(list(COLUMN), sort=False):
        places = {
            place: [finder.under(cells[place], open_choices[place], h) for h in _READINGS]
            for place in part["place"]
        }
        proposed = {place: heads[place]["method"] in card.proposed for place in places}
        folds = cells[min(places)].get("folds", math.nan)
        folds = 1 if math.isnan(folds) else int(folds)
        for left, right in product(places, places):
            if not proposed[left] or proposed[right]:
                continue
            found = [
                own_gap(*sides, folds) for sides in zip(places[left], places[right], strict=True)
            ]
            words = (protocol(open_choices[place], INFERRED) for place in (left, right))
            gaps.append(
                {
                    "paper": card.key,
                    **dict(zip(COLUMN, column, strict=True)),
                    **_gap(heads[left], heads[right], found, card, margins),
                    "protocol": worst(words, PROTOCOL),
                }
            )
    return pd.DataFrame(gaps, columns=list(GAP_COLUMNS))


def _gap(
    left: Mapping[str, Any],
    right: Mapping[str, Any],
    found: Iterable[Gap | None],
    card: Paper,
    margins: Margins,
) -> dict[str, Any]:
    """One gap under both readings."""
    unit = margins.unit(str(left["metric"]))
    judged = left["data"] in JUDGED
    entry: dict[str, Any] = {
        "table": left["table"],
        "method": left["method"],
        "other": right["method"],
        "published": left["published"] - right["published"],
        "published_std": math.hypot(left["published_std"], right["published_std"]),
        "margin": unit.margin,
        "data": left["data"],
        # a gap between two repeated cells is that of the first table
        "repeats": YES if left["repeats"] and right["repeats"] else NO_SIGN,
    }
    for prefix, gap in zip(_READINGS.values(), found, strict=True):
        if gap is None:
            entry |= {f"{prefix}ours": math.nan, f"{prefix}agreement": NOT_RUN}
            entry |= {f"{prefix}same_sign": NO_SIGN, f"{prefix}significant": NO_SIGN}
            continue
        ours = gap.figure
        said = judge(printed_figure(card, entry, ours.runs), ours, unit)._asdict()
        entry |= {
            f"{prefix}ours": ours.mean,
            f"{prefix}same_sign": same_sign(entry["published"], ours.mean),
            f"{prefix}significant": YES if gap.significant else NO,
            f"{prefix}agreement": said["word"] if judged else NOT_COMPARABLE,
        }
        if not prefix:
            entry |= {"ours_std": ours.std, "runs": ours.runs}
            entry |= {name: said[name] for name in ("difference", "se", "low", "high")}
    return entry
