"""Tables of what the paper leaves open: every reading with its distance to print."""

from __future__ import annotations

import pandas as pd

from reproduction.papers.multiview_hier.page import (
    FLAT,
    MACRO,
    NAMES,
    UNLABELLED,
    case_labels,
    published,
)

TOPICS = {
    "cotrain": "COTRAIN: read-out and order of the exchange",
    "readout": "MAXAGREE: read-out where views disagree",
    "link": "direction of the links",
    "weights": "weights of the words, rows behind the centroids",
    "concat": "V12: scaled before concatenation?",
    "zero_products": "PRODSCORE where a view is empty",
    "draw": "how labelled points are drawn",
    "class_order": "which class comes first",
    "leaves": "Leaves: which views, joined how",
}


def readings_table(rows: pd.DataFrame, chosen: dict[str, dict[str, str]]) -> pd.DataFrame:
    """Mean absolute distance to the published cells for every reading of every silent point.

    ``chosen`` is data set -> topic -> declared reading. The distance is over the methods that the
    reading concerns, both training shares, scored on all points.
    """
    part = rows[rows["table"].str.startswith("silent:") & (rows["metric"] == MACRO)]
    part = part[~part["reading"].str.endswith(UNLABELLED)]
    part = part.assign(case=case_labels(part), topic=part["table"].str.partition(":")[2])
    keys = ["topic", "reading", "case", "setting", "method"]
    mean = part.groupby([*keys, "dataset"])["value"].mean().reset_index()
    cells = published()
    cells = cells[(cells["table"] == "2") & (cells["metric"] == MACRO)]
    cells = cells.rename(columns={"dataset": "case", "mean": "printed"})
    joined = mean.merge(cells[["case", "setting", "method", "printed"]], how="inner")
    joined["distance"] = (joined["value"] - joined["printed"]).abs()
    wide = joined.groupby(["topic", "reading", "dataset"])["distance"].mean().unstack("dataset")
    wide = wide[[key for key in NAMES if key in wide.columns]]
    marks = {(t, r) for topics in chosen.values() for t, r in topics.items()}
    wide.insert(0, "declared", ["declared" if key in marks else "" for key in wide.index])
    wide = wide.rename(columns=NAMES).round(1).reset_index()
    wide["topic"] = wide["topic"].map(lambda topic: TOPICS.get(topic, topic))
    return wide


def pubmed_table(rows: pd.DataFrame) -> pd.DataFrame:
    """PubMed's two rows in print beside every reading that could explain the second."""
    part = rows[(rows["dataset"] == "pubmed") & (rows["metric"] == MACRO)]
    keep = part["table"].isin(["2", "silent:link", "silent:class_order"])
    part = part[keep & part["method"].isin(FLAT)]
    wide = part.pivot_table(index=["reading", "setting"], columns="method", values="value")
    cells = published()
    cells = cells[(cells["dataset"] == NAMES["pubmed"]) & (cells["metric"] == MACRO)]
    printed = cells.pivot_table(index="setting", columns="method", values="mean")
    printed.index = pd.MultiIndex.from_tuples([("PUBLISHED", s) for s in printed.index])
    wide = pd.concat([printed, wide])[list(FLAT)].round(1)
    wide.index.names = ["reading", "setting"]
    return wide


def pubmed_closest(rows: pd.DataFrame) -> str:
    """Say which reading comes closest to each of PubMed's two published rows."""
    table = pubmed_table(rows)
    told = []
    for setting in ("train=10%", "train=30%"):
        part = table[table.index.get_level_values("setting") == setting].droplevel("setting")
        part = part[part.notna().sum(axis=1) >= 5]
        gap = part.drop(index="PUBLISHED").sub(part.loc["PUBLISHED"], axis="columns").abs()
        distance = {str(reading): float(gap.loc[reading].mean()) for reading in gap.index}
        best = min(distance, key=lambda reading: distance[reading])
        told.append(f"{setting}: *{best}* ({distance[best]:.1f} points on average)")
    return "Closest to the published rows: " + "; ".join(told) + "."
