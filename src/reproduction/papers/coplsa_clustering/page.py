"""Tables and texts of the clustering page; everything is computed from the result rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from reproduction.pages.data_names import DataNames
from reproduction.papers.coplsa_clustering.columns import (
    INFERRED,
    PAPER,
    PLACEBO,
    RESCALED,
    RULES,
    STRONG,
    TABLE_1,
    THREE,
    TWO,
)
from reproduction.papers.coplsa_clustering.protocol import VIEWS
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
ON = ("dataset", "run")


def _names(frame: pd.DataFrame) -> pd.Series:
    return frame["dataset"].map(NAMES.__getitem__)


def _wide(rows: pd.DataFrame, index: Sequence[str], columns: str) -> pd.DataFrame:
    """Mean ± deviation over runs, in the order the rows first name things."""
    grouped = rows.groupby([*index, columns], sort=False)["value"].apply(mean_and_deviation)
    wide = grouped.unstack(columns).fillna("")
    order = list(dict.fromkeys(rows[columns]))
    return wide[order].reset_index()


def _views_of(part: pd.DataFrame) -> list[str]:
    """Views that the rows of one data set name, in the paper's order."""
    dataset = str(part["dataset"].iloc[0])
    return [view for view in VIEWS[dataset] if (part["view"] == view).any()]


def choice_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Score of every view under the paper's rule and two that see no labels; * marks the choice."""
    titles = dict(
        zip(RULES, ("k-means accuracy (labels)", "silhouette", "PLSA, nats per word"), strict=True)
    )
    records = []
    for dataset, group in rows[rows["table"] == "choice:best_view"].groupby("dataset", sort=False):
        order = _views_of(group)
        score = group.groupby(["rule", "view"])["value"].mean()
        for view in order:
            record: dict[str, Any] = {"data set": NAMES[str(dataset)], "view": view}
            for rule, title in titles.items():
                best = max(order[:2], key=lambda name: score[rule, name])
                record[title] = f"{score[rule, view]:.3f}" + (" *" if view == best else "")
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
    place = {scale: i for i, scale in enumerate(SCALES)}
    part = part.sort_values("scale", key=lambda scale: scale.map(place), kind="stable")
    part = part.assign(**{"data set": _names(part)}, scale=part["scale"].map(SCALES))
    part = part.rename(columns={"view": "on"})
    return _wide(part, ["data set", "method", "on", "reading"], "scale")


def sift_table(rows: pd.DataFrame) -> pd.DataFrame:
    """K-means and PLSA on the constructions of SIFT words, beside colour and texture."""
    part = rows[rows["table"] == "choice:sift"]
    part = part.assign(scale=part["scale"].map(SCALES))
    scored = part[part["metric"].isin(METRICS)]
    scored = scored.assign(what=scored["method"] + ", " + scored["metric"].map(METRICS))
    table = _wide(scored, ["view", "scale"], "what")
    free = part[part["metric"] == "silhouette"].set_index(["view", "scale"])["value"]
    table["silhouette (no labels)"] = [
        f"{free[view, scale]:.3f}"
        for view, scale in zip(table["view"], table["scale"], strict=True)
    ]
    return table


def differences(rows: pd.DataFrame, metric: str = "accuracy_pct") -> pd.DataFrame:
    """What CoPLSA and its placebo gain over PLSA on the same view from the same starts."""
    table = rows[(rows["table"] == TABLE_1) & (rows["metric"] == metric)]
    records = []
    for dataset, part in table.groupby("dataset", sort=False):
        plsa = part[(part["method"] == "PLSA + BOVF") & (part["reading"] == INFERRED)]
        for method in (TWO, THREE, PLACEBO):
            for reading, strength in STRENGTHS.items():
                mine = part[(part["method"] == method) & (part["reading"] == reading)]
                ours, base = pair(mine, plsa, ON)
                if ours.size < 2:
                    continue
                test = above(estimate([ours - base]))
                records.append(
                    {
                        "data set": NAMES[str(dataset)],
                        "method": "placebo" if method == PLACEBO else method,
                        "lambda": strength,
                        "difference": test.effect,
                        "low": test.low,
                        "high": test.high,
                        "p-value": 2 * min(test.p_holds, test.p_refuted),
                        "runs": test.n,
                    }
                )
    return pd.DataFrame(records)


def view_gains(rows: pd.DataFrame, metric: str = "accuracy_pct") -> pd.DataFrame:
    """What each of the two views gains from the other: CoPLSA(2) minus PLSA, view by view."""
    table = rows[(rows["table"] == "choice:view") & (rows["metric"] == metric)]
    records = []
    for dataset, part in table.groupby("dataset", sort=False):
        for view in _views_of(part)[:2]:
            here = part[part["view"] == view]
            plsa = here[here["method"] == "PLSA + BOVF"]
            for reading, strength in STRENGTHS.items():
                mine = here[(here["method"] == TWO) & (here["reading"] == reading)]
                ours, base = pair(mine, plsa, ON)
                if ours.size < 2:
                    continue
                test = above(estimate([ours - base]))
                records.append(
                    {
                        "data set": NAMES[str(dataset)],
                        "view": view,
                        "lambda": strength,
                        "PLSA": float(base.mean()),
                        TWO: float(ours.mean()),
                        "gain": test.effect,
                        "p-value": 2 * min(test.p_holds, test.p_refuted),
                        "runs": test.n,
                    }
                )
    return pd.DataFrame(records)


def iterations_text(rows: pd.DataFrame, caps: Mapping[str, int]) -> str:
    """Say what the cap costs: accuracy near it and after the most iterations tried."""
    part = rows[(rows["table"] == "choice:iterations") & (rows["metric"] == "accuracy_pct")]
    parts = []
    for dataset, cap in caps.items():
        mean = part[part["dataset"] == dataset].groupby(["method", "steps"])["value"].mean()
        steps = sorted(mean.index.get_level_values("steps").unique())
        near = min(steps, key=lambda step: abs(step - cap))
        moves = [
            f"{method} goes from {mean[method, near]:.1f} to {mean[method, steps[-1]]:.1f} %"
            for method in ("PLSA + BOVF", TWO)
        ]
        parts.append(
            f"On {NAMES[dataset]}, where we stop at {cap}, {' and '.join(moves)} between {near:g} "
            f"and {steps[-1]:g} iterations."
        )
    return f"Accuracy with more iterations: {' '.join(parts)}"


def missing_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Accuracy when a share of the best view's rows is hidden."""
    part = rows[(rows["table"] == "extra:missing") & (rows["metric"] == "accuracy_pct")]
    part = part.sort_values("missing", kind="stable")
    hidden = part["missing"].map(lambda share: f"{100 * share:.0f}")
    part = part.assign(**{"data set": _names(part), "hidden %": hidden})
    return _wide(part.rename(columns={"scored": "rows"}), ["data set", "hidden %"], "rows")


def diagnostics_table(rows: pd.DataFrame) -> pd.DataFrame:
    """How strongly the penalty pulled in Table 1, and whether the objective ever fell."""
    part = rows[(rows["table"] == "extra:diagnostics") & rows["method"].isin([TWO, THREE])]
    part = part.assign(**{"data set": _names(part)})
    means = part.groupby(["data set", "method", "reading", "metric"], sort=False)["value"].mean()
    titles = {
        "rho_mean": "mean ρ", "rho_max": "largest ρ", "negative_pct": "negative entries %",
        "decreases": "iterations with a fall", "unsafe_steps": "unsafe steps",
    }  # fmt: skip
    return means.unstack("metric")[list(titles)].rename(columns=titles).reset_index()
