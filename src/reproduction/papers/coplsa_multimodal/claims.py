"""Claims of the co-regularised PLSA paper, by the text's protocol and by the inferred one.

Runs share their random start across methods and the split into training and test pairs is fixed, so
methods are compared in pairs. SCM has no random part: its one value stands against every run.
TVGraz is not public; its stand-in is used only where Wikipedia has no rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import pandas as pd

from reproduction.papers.coplsa_multimodal.names import (
    COUPLED,
    L2,
    METRIC,
    RANDOM_START,
    TOPIC_MODELS,
    TWO_STEP,
)
from reproduction.verdicts.claims import better, data_of, equal, margin_of, select
from reproduction.verdicts.parts import Part, every, exact, some, untestable


def _spread(part: pd.DataFrame, runs: Sequence[int]) -> pd.DataFrame:
    """Repeat a method that has one run for every run of the others."""
    if len(set(part["run"])) != 1:
        return part
    copies = [part.assign(run=run) for run in runs]
    return pd.concat(copies, ignore_index=True) if copies else part


def _table(rows: pd.DataFrame, params: Mapping[str, Any]) -> pd.DataFrame:
    """Rows of Table 1 on the data sets named, or on the stand-in where they have none.

    ``precision`` names another measure than that of Table 1, whose rows lie in another table.
    """
    place = {name: params.get(name) for name in ("table", "reading", "precision")}
    found = select(rows, metric=METRIC, **place)
    own = found[found["dataset"].isin(params["datasets"])]
    return own if len(own) else found[found["dataset"] == params.get("stand_in")]


def _compare(table: pd.DataFrame, left: str, right: str) -> Part:
    """Left above right, paired over runs; what the rows have of columns is averaged."""
    runs = sorted(table.loc[table["method"].isin(TOPIC_MODELS), "run"].unique())
    one = _spread(table[table["method"] == left], runs)
    two = _spread(table[table["method"] == right], runs)
    return better(one, two, names=(left, right))


def _pairs(
    table: pd.DataFrame, pairs: Iterable[tuple[str, str]], prefix: str = ""
) -> dict[str, Part]:
    return {f"{prefix}{one} above {two}": _compare(table, one, two) for one, two in pairs}


def beats(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Every method of ``methods`` is above every one of ``others``, on average over columns."""
    return every(_pairs(_table(rows, params), product(params["methods"], params["others"])))


def order(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Every method of ``methods`` is above the next one, in every space named."""
    table = _table(rows, params)
    parts: dict[str, Part] = {}
    for space in params["spaces"]:
        part = table[table["space"] == space]
        parts |= _pairs(part, pairwise(params["methods"]), f"{space} space, ")
    return every(parts)


def directions_close(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """i2t and t2i of each co-regularised method are the same up to the unit's margin."""
    table = _table(rows, params)
    parts = {}
    for space in params["spaces"]:
        for method in reversed(COUPLED):
            part = table[(table["method"] == method) & (table["space"] == space)]
            left, right = (part[part["direction"] == name] for name in ("i2t", "t2i"))
            parts[f"{space} space, {method}"] = equal(
                left, right, margin=margin_of(METRIC), on=("dataset", "run"), names=("i2t", "t2i")
            )
    return every(parts)


def semantic_above_topic(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """The semantic space gives a larger MAP than the topic space, for every co-regulariser."""
    table = _table(rows, params)
    parts = {}
    for method in reversed(COUPLED):
        part = table[table["method"] == method]
        one, two = (part[part["space"] == name] for name in ("semantic", "topic"))
        parts[method] = better(
            one, two, on=("dataset", "direction", "run"), names=("semantic space", "topic space")
        )
    return every(parts)


def monotone(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """The objective never falls with the exact steps."""
    at = {"metric": "falls", "start": RANDOM_START, "reading": params["reading"]}
    part = select(rows, table="extra:monotone", method=COUPLED, **at)
    if part.empty:
        return untestable("no objective traces")
    falls = part.groupby("method", sort=True)["value"].sum()
    counted = ", ".join(f"{method} {int(value)}" for method, value in falls.items())
    total = int(falls.sum())
    reason = f"sweeps in which the objective fell, {len(part)} runs together: {counted}"
    return exact(total == 0, reason, data=data_of(part), n=len(part), effect=float(-total))


def quick_convergence(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Sweeps to a share of the gain, and Newton steps, are at most ``most`` for every method."""
    found = select(rows, table="extra:convergence", method=COUPLED, reading=params["reading"])
    sweeps = found[(found["metric"] == "sweeps") & (found["share"] == params["share"])]
    kinds = {
        f"sweeps to {100 * params['share']:g} % of the gain": sweeps,
        "Newton steps of a column": found[found["metric"] == "newton_steps"],
    }
    parts = {}
    for what, part in kinds.items():
        for method, runs in part.groupby("method", sort=True):
            mean = float(runs["value"].mean())
            parts[f"{what}, {method}"] = exact(
                mean <= params["most"], f"{mean:.1f} on average, at most {params['most']} claimed",
                data=data_of(runs), n=len(runs), effect=params["most"] - mean,
            )  # fmt: skip
    return every(parts)


def two_step_falls(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """From some start the criticised update lets the objective fall, where the exact does not."""
    parts = {}
    for start in params["starts"]:
        at = {"metric": "falls", "start": start, "reading": params["reading"]}
        part = select(rows, table="extra:monotone", **at)
        theirs, ours = part[part["method"] == TWO_STEP], part[part["method"] == L2]
        if theirs.empty or ours.empty:
            parts[start] = untestable("no traces of the two l2 updates")
            continue
        runs = int((theirs["value"] > 0).sum())
        own = int(ours["value"].sum())
        reason = f"it fell in {runs} of {len(theirs)} runs, the exact update in {own} sweeps"
        parts[start] = exact(
            runs > 0 and own == 0, reason, data=data_of(theirs), n=len(theirs), effect=float(runs)
        )
    return some(parts)
