"""Claims of the co-regularised PLSA clustering paper.

Runs are paired by their start: PLSA and CoPLSA begin with the same random topics in run r, on the
same documents, so nothing overlaps and the plain test is due.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from reproduction.papers.coplsa_clustering.columns import (
    FIGURE_2,
    INFERRED,
    PLACEBO,
    TABLE_1,
    THREE,
    TWO,
)
from reproduction.verdicts.claims import better, data_of, levels_equal, margin_of, select
from reproduction.verdicts.parts import RUN, Part, every, exact, uninformative, untestable

ON = ("dataset", "run")
ACCURACY = "accuracy_pct"


def _table(
    rows: pd.DataFrame, dataset: str, method: str, metric: str, reading: str = INFERRED
) -> pd.DataFrame:
    return select(
        rows, table=TABLE_1, dataset=dataset, method=method, metric=metric, reading=reading
    )


def _figure(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Figure 2 on one data set, on the views as distributed."""
    part = select(rows, table=FIGURE_2, dataset=dataset, method=TWO, metric=ACCURACY, scale="raw")
    return part.assign(**{"lambda": part["lambda_"]})


def _compare(left: pd.DataFrame, right: pd.DataFrame, names: tuple[str, str], **how: Any) -> Part:
    """Left better than right, over the starts."""
    if left.empty or right.empty:
        return untestable(f"{names[0]} or {names[1]} has no rows here")
    return better(left, right, unit=RUN, on=ON, names=names, **how)


def beats_every_baseline(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """``method`` beats each of the paper's baselines in each metric, start by start."""
    parts = {}
    for dataset in params["datasets"]:
        for metric in params["metrics"]:
            table = select(rows, table=TABLE_1, dataset=dataset, metric=metric)
            mine = table[table["method"] == params["method"]]
            rivals = sorted(set(table["method"]) - {TWO, THREE, params["method"]})
            for rival in rivals:
                names = (params["method"], rival)
                theirs = table[table["method"] == rival]
                name = f"{dataset}, {metric.removesuffix('_pct')}, {rival}"
                parts[name] = _compare(mine, theirs, names)
    return every(parts)


def beats(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """The first of every pair beats the second in each metric, on each data set."""
    return every(
        {
            f"{dataset}, {metric.removesuffix('_pct')}, {two}": _compare(
                _table(rows, dataset, one, metric), _table(rows, dataset, two, metric), (one, two)
            )
            for dataset in params["datasets"]
            for metric in params["metrics"]
            for one, two in params["pairs"]
        }
    )


def adds_nothing(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """``method`` is less than the unit's margin above ``other``."""
    metric, margin = params["metric"], margin_of(params["metric"])
    return every(
        {
            dataset: _compare(
                _table(rows, dataset, params["other"], metric),
                _table(rows, dataset, params["method"], metric),
                (params["other"], params["method"]),
                margin=-margin,
            )
            for dataset in params["datasets"]
        }
    )


def best_view(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """K-means does best on the first of the two views named."""
    parts = {}
    for dataset, (wanted, other) in params["views"].items():
        scores = select(rows, table="choice:best_view", dataset=dataset, rule="accuracy")
        left, right = scores[scores["view"] == wanted], scores[scores["view"] == other]
        parts[dataset] = _compare(left, right, (wanted, other))
    return every(parts)


def gain_is_information(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """CoPLSA(2) beats PLSA from the same starts, and beats itself with the partner shuffled.

    ``params["reading"]`` picks the strength of the penalty (the paper's unless given).
    """
    reading, metric = params.get("reading", INFERRED), params["metric"]
    parts = {}
    for dataset in params["datasets"]:
        mine = _table(rows, dataset, TWO, metric, reading)
        placebo = select(
            rows, table=TABLE_1, dataset=dataset, method=PLACEBO, metric=metric, reading=reading,
            role="control",
        )  # fmt: skip
        plsa = _table(rows, dataset, "PLSA + BOVF", metric)
        parts[f"{dataset}, PLSA"] = _compare(mine, plsa, (TWO, "PLSA"))
        parts[f"{dataset}, shuffled partner"] = _compare(mine, placebo, (TWO, "shuffled"))
    return every(parts)


def stable_range(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Around the paper's lambda (within ``factor``) the accuracy is the same up to the margin."""
    parts = {}
    for dataset, centre in params["lambda"].items():
        curve = _figure(rows, dataset)
        ratio = curve["lambda"] / float(centre)
        inside = (ratio <= params["factor"] * 1.001) & (ratio >= 0.999 / params["factor"])
        parts[dataset] = levels_equal(curve[inside], "lambda", margin=margin_of(ACCURACY), unit=RUN)
    return every(parts)


def best_lambda(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """The paper's lambda beats every other one on the grid but its two neighbours."""
    parts = {}
    for dataset, centre in params["lambda"].items():
        curve = _figure(rows, dataset)
        grid = sorted(set(curve["lambda"]))
        place = next((i for i, value in enumerate(grid) if abs(value - centre) < 1e-12), None)
        if place is None:
            parts[dataset] = untestable(f"no rows of Figure 2 at lambda {centre:g}")
            continue
        here = curve[curve["lambda"] == grid[place]]
        for i, value in enumerate(grid):
            if abs(i - place) > 1:
                names = (f"lambda {centre:g}", f"{value:g}")
                other = curve[curve["lambda"] == value]
                parts[f"{dataset}, {value:g}"] = _compare(here, other, names)
    return every(parts)


def cost_is_bounded(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """The work counted in an iteration stays below K N M (W + N), the printed cost."""
    part = select(rows, table="extra:cost", dataset=params["dataset"])
    if part.empty:
        return untestable("no rows that count the work of an iteration")
    sizes = part.set_index(["sweep", "share", "metric"])["value"].unstack("metric")
    share = float((sizes["work"] / sizes["bound"]).max())
    reason = f"over {len(sizes)} sizes the work is at most {share:.0%} of the printed bound"
    if share < 0.5:
        return uninformative(
            f"{reason}, which anything would meet", data=data_of(part), n=len(sizes)
        )
    return exact(share <= 1.0, reason, data=data_of(part), n=len(sizes), effect=1.0 - share)
