"""Tables and texts of the clustering page; everything is computed from the result rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pandas as pd

from reproduction.pages.data_names import DataNames
from reproduction.papers.coplsa_clustering.settings import (
    PAPER,
    PLACEBO,
    RESCALED,
    RULES,
    STRONG,
    TABLE_1,
    THREE,
    TWO,
    VIEWS,
)
from reproduction.results.rows import INFERRED
from reproduction.results.summary import mean_and_deviation
from reproduction.verdicts.claims import pair
from reproduction.verdicts.statistics import above, estimate

NAMES = DataNames(PAPER, VIEWS)
METRICS = {"accuracy_pct": "accuracy %", "nmi_pct": "NMI %"}
SCALES = {
    "raw": "as distributed", "l1": "rows sum to 1", "l2": "unit rows", "sqrt": "square root",
    "binary": "0/1",
}  # fmt: skip
#: Readings of Table 1 that differ by the strength of the penalty alone.
STRENGTHS = {INFERRED: "the paper's", RESCALED: "rescaled by documents", STRONG: "strong"}


def _names(frame: pd.DataFrame) -> pd.Series:
    return frame["dataset"].map(NAMES.__getitem__)


def _wide(rows: pd.DataFrame, index: Sequence[str], columns: str) -> pd.DataFrame:
    """Mean ± deviation over runs, in the order the rows first name things."""
    grouped = rows.groupby([*index, columns], sort=False)["value"].apply(mean_and_deviation)
    wide = grouped.unstack(columns).fillna("")
    return wide[list(dict.fromkeys(rows[columns]))].reset_index()


def choice_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Score of every view under the paper's rule and two that see no labels; * marks the choice."""
    titles = "k-means accuracy (labels)", "silhouette", "PLSA, nats per word"
    records = []
    for dataset, group in rows[rows["table"] == "choice:best_view"].groupby("dataset", sort=False):
        score = group.groupby(["rule", "view"])["value"].mean()
        order = [view for view in VIEWS[str(dataset)] if (group["view"] == view).any()]
        for view in order:
            record: dict[str, Any] = {"data set": NAMES[str(dataset)], "view": view}
            for rule, title in zip(RULES, titles, strict=True):
                best = score[rule, view] == max(score[rule, name] for name in order[:2])
                record[title] = f"{score[rule, view]:.3f}" + (" *" if best else "")
            records.append(record)
    return pd.DataFrame(records)


def readings_table(rows: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    """Table 1 under every reading of the given methods, and the clusters of every view."""
    part = rows[rows["table"].isin([TABLE_1, "choice:view"]) & rows["method"].isin(list(methods))]
    part = part.assign(
        **{"data set": _names(part), "view": part["view"].fillna("")},
        metric=part["metric"].map(METRICS),
        other=part["reading"] != INFERRED,
    )
    part = part.sort_values(["other", "reading", "view"], kind="stable")
    return _wide(part, ["data set", "method", "reading", "view"], "metric")


def scale_table(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """K-means, PLSA and CoPLSA(2) on every scale of the input."""
    part = rows[(rows["table"] == "choice:scale") & (rows["metric"] == metric)]
    part = part.sort_values("scale", key=lambda s: s.map(list(SCALES).index), kind="stable")
    part = part.assign(**{"data set": _names(part)}, scale=part["scale"].map(SCALES))
    part = part.rename(columns={"view": "on"})
    return _wide(part, ["data set", "method", "on", "reading"], "scale")


def sift_table(rows: pd.DataFrame) -> pd.DataFrame:
    """K-means and PLSA on the constructions of SIFT words, beside colour and texture."""
    part = rows[rows["table"] == "choice:sift"]
    part = part.assign(scale=part["scale"].map(SCALES))
    scored = part[part["metric"].isin(METRICS)]
    scored = scored.assign(what=scored["method"] + ", " + scored["metric"].map(METRICS))
    free = part[part["metric"] == "silhouette"].set_index(["view", "scale"])["value"]
    table = _wide(scored, ["view", "scale"], "what").set_index(["view", "scale"])
    return table.assign(**{"silhouette (no labels)": free.map("{:.3f}".format)}).reset_index()


def missing_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Accuracy when a share of the best view's rows is hidden."""
    part = rows[(rows["table"] == "extra:missing") & (rows["metric"] == "accuracy_pct")]
    part = part.sort_values("missing", kind="stable")
    hidden = part["missing"].map(lambda share: f"{100 * share:.0f}")
    part = part.assign(**{"data set": _names(part), "hidden %": hidden})
    return _wide(part, ["data set", "hidden %"], "scored")


def diagnostics_table(rows: pd.DataFrame) -> pd.DataFrame:
    """How strongly the penalty pulled in Table 1, and whether the objective ever fell."""
    part = rows[(rows["table"] == "extra:diagnostics") & rows["method"].isin([TWO, THREE])]
    keys = [_names(part).rename("data set"), "method", "reading", "metric"]
    titles = {
        "rho_mean": "mean ρ", "rho_max": "largest ρ", "negative_pct": "negative entries %",
        "decreases": "iterations with a fall", "unsafe_steps": "unsafe steps",
    }  # fmt: skip
    means = part.groupby(keys, sort=False)["value"].mean().unstack("metric")
    return means[list(titles)].rename(columns=titles).reset_index()


def _gains(part: pd.DataFrame, methods: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield what methods gain over PLSA from the same starts, with every strength of the tie."""
    plsa = part[(part["method"] == "PLSA + BOVF") & (part["reading"] == INFERRED)]
    for method, (reading, strength) in product(methods, STRENGTHS.items()):
        mine = part[(part["method"] == method) & (part["reading"] == reading)]
        ours, base = pair(mine, plsa, ("dataset", "run"))
        if ours.size >= 2:
            test = above(estimate([ours - base]))
            yield {
                "data set": NAMES[str(part["dataset"].iloc[0])],
                "method": "placebo" if method == PLACEBO else method,
                "lambda": strength, "PLSA": float(base.mean()), "ours": float(ours.mean()),
                "difference": test.effect, "low": test.low, "high": test.high,
                "p-value": 2 * min(test.p_holds, test.p_refuted), "runs": test.n,
            }  # fmt: skip


def differences(rows: pd.DataFrame, metric: str = "accuracy_pct") -> pd.DataFrame:
    """What CoPLSA and its placebo gain over PLSA on the same view from the same starts."""
    table = rows[(rows["table"] == TABLE_1) & (rows["metric"] == metric)]
    groups = (part for _, part in table.groupby("dataset", sort=False))
    found = [gain for part in groups for gain in _gains(part, (TWO, THREE, PLACEBO))]
    return pd.DataFrame(found).drop(columns=["PLSA", "ours"], errors="ignore")


def view_gains(rows: pd.DataFrame, metric: str = "accuracy_pct") -> pd.DataFrame:
    """What each of the two views gains from the other: CoPLSA(2) minus PLSA, view by view."""
    table = rows[(rows["table"] == "choice:view") & (rows["metric"] == metric)]
    found = [
        {"view": view, **gain}
        for (dataset, view), part in table.groupby(["dataset", "view"], sort=False)
        for gain in _gains(part, [TWO])
        if view in VIEWS[str(dataset)][:2]
    ]
    shown = {"data set": "data set", "view": "view", "lambda": "lambda", "PLSA": "PLSA",
             "ours": TWO, "difference": "gain", "p-value": "p-value", "runs": "runs"}  # fmt: skip
    return pd.DataFrame(found, columns=list(shown)).rename(columns=shown)
