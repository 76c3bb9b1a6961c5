"""Claims of the co-regularised PLSA paper, each tested under both protocols.

Runs share their random start across methods, so methods are compared in pairs. SCM has no random
part: its one value stands against every run. Votes come from Wikipedia, the paper's own pairs;
TVGraz is not public, and what its real stand-in says is told but does not vote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import pandas as pd

from reproduction.papers.coplsa_multimodal.columns import (
    COUPLED,
    L2,
    LINK,
    RANDOM_START,
    TOPIC_MODELS,
    TWO_STEP,
)
from reproduction.verdicts.claims import (
    ClaimResult,
    better,
    combine,
    holds_if,
    insensitive,
    select,
    untestable,
)

ON = ("dataset", "run")  # i2t and t2i of one run share a model: their mean is one unit


def _spread(part: pd.DataFrame, runs: Sequence[int]) -> pd.DataFrame:
    """Repeat a method that has one run for every run of the others."""
    if len(set(part["run"])) != 1:
        return part
    copies = [part.assign(run=run) for run in runs]
    return pd.concat(copies, ignore_index=True) if copies else part


def _compare(table: pd.DataFrame, left: str, right: str) -> ClaimResult:
    """Left above right in the mean over both directions, paired over runs."""
    runs = sorted(table.loc[table["method"].isin(TOPIC_MODELS), "run"].unique())
    one = _spread(table[table["method"] == left], runs)
    two = _spread(table[table["method"] == right], runs)
    if one.empty or two.empty:
        return untestable(f"{left} or {right} has no rows here")
    return better(one, two, on=ON, what=f"{left} against {right}")


def _with_stand_in(test: Callable[[str], ClaimResult], params: Mapping[str, Any]) -> ClaimResult:
    """Test the data set that votes, and tell what the stand-in says."""
    main = test(params["dataset"])
    name = params.get("stand_in")
    if not name:
        return main
    other = test(name)
    detail = f"{main.detail}. Stand-in {name} (no vote): {other.verdict}"
    return ClaimResult(main.verdict, main.effect, main.p_value, main.n, detail)


def _above(
    rows: pd.DataFrame, params: dict[str, Any], pairs: Iterable[tuple[str, str]]
) -> ClaimResult:
    """The first method of every pair is above the second, in every space named."""
    listed = list(pairs)

    def test(dataset: str) -> ClaimResult:
        table = select(rows, table="1", reading=params["reading"], dataset=dataset)
        parts = {}
        for space in params["spaces"]:
            part = table[table["space"] == space]
            for left, right in listed:
                parts[f"{space} space, {left} above {right}"] = _compare(part, left, right)
        return combine(parts)

    return _with_stand_in(test, params)


def order(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """Every method of ``methods`` is above the next one, in every space named."""
    return _above(rows, params, pairwise(params["methods"]))


def beats(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """Every method of ``methods`` is above every one of ``others``, in every space named."""
    return _above(rows, params, product(params["methods"], params["others"]))


def directions_close(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """i2t and t2i of the co-regularised methods lie within ``margin`` of each other."""

    def test(dataset: str) -> ClaimResult:
        table = select(rows, table="1", reading=params["reading"], dataset=dataset)
        parts = {}
        for space in params["spaces"]:
            for method in reversed(COUPLED):
                part = table[(table["method"] == method) & (table["space"] == space)]
                unit = ("dataset", "space", "run")
                parts[f"{space} space, {method}"] = insensitive(
                    part, "direction", margin=params["margin"], unit=unit
                )
        return combine(parts)

    return _with_stand_in(test, params)


def semantic_above_topic(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """The semantic space gives a larger MAP than the topic space, for every method."""

    def test(dataset: str) -> ClaimResult:
        table = select(rows, table="1", reading=params["reading"], dataset=dataset)
        parts = {}
        for method in (*reversed(COUPLED), LINK):
            part = table[table["method"] == method]
            one, two = part[part["space"] == "semantic"], part[part["space"] == "topic"]
            parts[method] = better(one, two, on=ON, what="semantic against topic space")
        return combine(parts)

    return _with_stand_in(test, params)


def monotone(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """The objective never falls with the exact steps."""
    part = select(rows, table="extra:monotone", metric="falls", start=RANDOM_START, method=COUPLED)
    if part.empty:
        return untestable("no objective traces")
    falls = part.groupby("method", sort=True)["value"].sum()
    counted = ", ".join(f"{method} {int(value)}" for method, value in falls.items())
    total = int(falls.sum())
    detail = f"sweeps in which objective (8) fell, all runs together: {counted}"
    return holds_if(total == 0, detail, effect=float(-total), n=len(part))


def quick_convergence(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """Convergence within ``most`` steps: sweeps to a share of the gain, or Newton steps."""
    part = select(
        rows,
        table="extra:convergence",
        metric=params["metric"],
        share=params.get("share"),
        method=COUPLED,
    )
    if part.empty:
        return untestable("no convergence rows")
    means = part.groupby("method", sort=True)["value"].mean()
    worst = float(means.max())
    listed = ", ".join(f"{method} {value:.1f}" for method, value in means.items())
    most = params["most"]
    detail = f"{params['what']}: {listed} on average; at most {most} claimed"
    within = int((means <= most).sum())
    otherwise = "mixed" if within else "fails"
    return holds_if(worst <= most, detail, effect=most - worst, n=len(part), otherwise=otherwise)


def two_step_falls(rows: pd.DataFrame, params: dict[str, Any]) -> ClaimResult:
    """The criticised update lets the objective fall, where the exact one does not."""
    part = select(rows, table="extra:monotone", metric="falls", start=params["start"])
    theirs = part[part["method"] == TWO_STEP]
    ours = part[part["method"] == L2]
    if theirs.empty or ours.empty:
        return untestable("no traces of the two l2 updates")
    runs = int((theirs["value"] > 0).sum())
    detail = (
        f"{params['start']}: the two-step update fell in {runs} of {len(theirs)} runs "
        f"({int(theirs['value'].sum())} sweeps), the exact one in {int(ours['value'].sum())} sweeps"
    )
    otherwise = "mixed" if runs else "fails"
    holds = runs == len(theirs) and ours["value"].sum() == 0
    return holds_if(holds, detail, effect=float(runs), n=len(theirs), otherwise=otherwise)
