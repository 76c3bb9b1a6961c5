"""Gaps between a paper's own methods and the others, published against ours: sign and size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
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
from reproduction.verdicts.statistics import ALPHA, Estimate, apart, estimate
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
        return Gap(figure_of(gaps), draws.size > 1 and _clear(estimate([draws])))
    first, second = figure_of(left.values), figure_of(right.values)
    runs = min(first.runs, second.runs)
    if runs < 2:
        return Gap(Figure(first.mean - second.mean, math.nan, runs), significant=False)
    figure = Figure(first.mean - second.mean, math.hypot(first.std, second.std), runs)
    return Gap(figure, _clear(apart(left.values, right.values)))


def _clear(found: Estimate) -> bool:
    low, high = found.interval(1 - ALPHA)
    return low > 0 or high < 0


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
    columns: dict[tuple[str, ...], list[int]] = {}
    for place, head in enumerate(heads):
        if not margins.is_score(str(head["metric"])):
            continue
        columns.setdefault(tuple(head[name] for name in COLUMN), []).append(place)
    rows_of = {
        (place, headline): finder.under(cells[place], open_choices[place], headline)
        for places in columns.values()
        for place in places
        for headline in (INFERRED, TEXT)
    }
    found_gaps = []
    for column, places in columns.items():
        own = [place for place in places if heads[place]["method"] in card.proposed]
        others = [place for place in places if heads[place]["method"] not in card.proposed]
        folds = cells[places[0]].get("folds", math.nan)
        folds = 1 if math.isnan(folds) else int(folds)
        for left, right in product(own, others):
            found = {
                headline: own_gap(rows_of[left, headline], rows_of[right, headline], folds)
                for headline in (INFERRED, TEXT)
            }
            words = (protocol(open_choices[place], INFERRED) for place in (left, right))
            found_gaps.append(
                {
                    "paper": card.key,
                    **dict(zip(COLUMN, column, strict=True)),
                    **_gap(heads[left], heads[right], found, card, margins),
                    "protocol": worst(words, PROTOCOL),
                }
            )
    return pd.DataFrame(found_gaps, columns=list(GAP_COLUMNS))


def _gap(
    left: Mapping[str, Any],
    right: Mapping[str, Any],
    found: Mapping[str, Gap | None],
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
    for headline, prefix in ((INFERRED, ""), (TEXT, "text_")):
        gap = found[headline]
        if gap is None:
            entry |= {f"{prefix}ours": math.nan, f"{prefix}agreement": NOT_RUN}
            entry |= {f"{prefix}same_sign": NO_SIGN, f"{prefix}significant": NO_SIGN}
            continue
        ours = gap.figure
        said = asdict(judge(printed_figure(card, entry, ours.runs), ours, unit))
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
