"""Claims of the co-regularised PLSA clustering paper.

Runs are paired by their start: PLSA and CoPLSA begin with the same random topics in run r, on the
same documents.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from reproduction.papers.coplsa_clustering.settings import FIGURE_2, PLACEBO, TABLE_1, THREE, TWO
from reproduction.results.rows import INFERRED
from reproduction.verdicts.claims import better, data_of, levels_equal, margin_of, select
from reproduction.verdicts.parts import Part, every, exact, some, untestable

ON = ("dataset", "run")
ACCURACY = "accuracy_pct"


def _table(rows: pd.DataFrame, params: dict[str, Any], dataset: str, metric: str) -> pd.DataFrame:
    """Rows of Table 1 in the reading that a claim asks for."""
    return select(rows, table=TABLE_1, reading=params["reading"], dataset=dataset, metric=metric)


def _compare(table: pd.DataFrame, one: str, two: str, margin: float = 0.0) -> Part:
    """Part "one is better than two", over the starts."""
    left, right = (table[table["method"] == name] for name in (one, two))
    return better(left, right, on=ON, margin=margin, names=(one, two))


def _said(dataset: str, metric: str, rival: str) -> str:
    return f"{dataset}, {metric.removesuffix('_pct')}, {rival}"


def beats_every_baseline(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """``method`` beats each of the paper's baselines in each metric, start by start."""
    parts = {}
    for dataset in params["datasets"]:
        for metric in params["metrics"]:
            table = _table(rows, params, dataset, metric)
            for rival in sorted(set(table["method"]) - {TWO, THREE, params["method"]}):
                parts[_said(dataset, metric, rival)] = _compare(table, params["method"], rival)
    return every(parts)


def beats(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """The first of every pair beats the second in each metric, on each data set."""
    return every(
        {
            _said(dataset, metric, two): _compare(_table(rows, params, dataset, metric), one, two)
            for dataset in params["datasets"]
            for metric in params["metrics"]
            for one, two in params["pairs"]
        }
    )


def adds_nothing(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """In some metric ``method`` is less than ``margin`` above ``other``."""
    return some(
        {
            metric: _compare(
                _table(rows, params, params["dataset"], metric), params["other"], params["method"],
                margin=-float(params["margin"]),
            )
            for metric in params["metrics"]
        }
    )  # fmt: skip


def best_view(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """K-means does best on the first of the two views named."""
    found = select(rows, table="choice:best_view", rule="accuracy", reading=params["reading"])
    scores = found.assign(metric=ACCURACY, method=found["view"])
    return every(
        {
            dataset: _compare(scores[scores["dataset"] == dataset], *views)
            for dataset, views in params["views"].items()
        }
    )


def gain_is_information(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """CoPLSA(2) beats PLSA from the same starts, and beats itself with the partner shuffled.

    The reading is that of the penalty's strength; PLSA has none.
    """
    parts = {}
    for dataset in params["datasets"]:
        own = _table(rows, params, dataset, params["metric"])
        plsa = _table(rows, {"reading": INFERRED}, dataset, params["metric"])
        placebo = select(
            rows, table=TABLE_1, dataset=dataset, method=PLACEBO, metric=params["metric"],
            reading=params["reading"], role="control",
        )  # fmt: skip
        both = pd.concat([own[own["method"] == TWO], plsa[plsa["method"] != TWO], placebo])
        parts[f"{dataset}, PLSA"] = _compare(both, TWO, "PLSA + BOVF")
        parts[f"{dataset}, shuffled partner"] = _compare(both, TWO, PLACEBO)
    return every(parts)


def _figure(rows: pd.DataFrame, params: dict[str, Any], dataset: str) -> pd.DataFrame:
    """Figure 2 on one data set, on the views as distributed."""
    part = select(
        rows, table=FIGURE_2, reading=params["reading"], dataset=dataset, method=TWO,
        metric=ACCURACY, scale="raw",
    )  # fmt: skip
    return part.assign(**{"lambda": part["lambda_"]})


def stable_range(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Around the paper's lambda (within ``factor``) the accuracy is the same up to the margin."""
    parts = {}
    for dataset, centre in params["lambda"].items():
        curve = _figure(rows, params, dataset)
        ratio = curve["lambda"] / float(centre)
        inside = (ratio <= params["factor"] * 1.001) & (ratio >= 0.999 / params["factor"])
        parts[dataset] = levels_equal(curve[inside], "lambda", margin=margin_of(ACCURACY))
    return every(parts)


def best_lambda(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """The paper's lambda beats every other one on the grid but its two neighbours."""
    parts = {}
    for dataset, centre in params["lambda"].items():
        curve = _figure(rows, params, dataset)
        grid = sorted(set(curve["lambda"]))
        place = next((i for i, value in enumerate(grid) if abs(value - centre) < 1e-12), None)
        if place is None:
            parts[dataset] = untestable(f"no rows of Figure 2 at lambda {centre:g}")
            continue
        named = curve.assign(method=curve["lambda"].map("lambda {:g}".format))
        for i, value in enumerate(grid):
            if abs(i - place) > 1:
                two = f"lambda {value:g}"
                parts[f"{dataset}, {two}"] = _compare(named, f"lambda {centre:g}", two)
    return every(parts)


def cost_is_bounded(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """The work counted in an iteration stays below K N M (W + N), the printed cost."""
    part = select(rows, table="extra:cost", dataset=params["dataset"], reading=params["reading"])
    if part.empty:
        return untestable("no rows that count the work of an iteration")
    sizes = part.set_index(["sweep", "share", "metric"])["value"].unstack("metric")
    share = float((sizes["work"] / sizes["bound"]).max())
    reason = f"over {len(sizes)} sizes the work is at most {share:.0%} of the printed bound"
    if share < 0.5:
        return untestable(f"{reason}, which anything would meet")
    return exact(share <= 1.0, reason, data=data_of(part), n=len(sizes), effect=1.0 - share)
