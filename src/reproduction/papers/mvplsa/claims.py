"""Claims of the multi-view PLSA paper (Zhuang et al. 2012).

In one run all methods see the same labelled documents, so runs are paired. Every run draws its
labels from the same documents and sees all of them, so tests over runs are corrected by the share
of documents that are scored. Clusterings differ by their random start alone.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from reproduction.papers.mvplsa.names import NAMES
from reproduction.results.rows import INFERRED
from reproduction.verdicts.claims import better, equal, levels_equal, margin_of, select, trend
from reproduction.verdicts.parts import DATASET, PARTITION, RUN, Part, every, some, untestable

OURS = "MVPLSA"
CLUSTERED = (OURS, "Kmeans_Best", "Kmeans_Avg", "MVC")
ACCURACY = "accuracy_pct"


def _datasets(params: dict[str, Any]) -> list[str]:
    """Data sets of a claim: those it names, or all."""
    return list(params.get("datasets", NAMES))


def chosen(rows: pd.DataFrame, params: dict[str, Any], **criteria: Any) -> pd.DataFrame:
    """Rows of the reading that a claim asks for, of the one compared with print unless it does."""
    return select(rows, reading=params.get("reading", INFERRED), **criteria)


def _overlap(part: pd.DataFrame) -> float:
    """Share of the documents that are scored, at the smallest rate of these rows."""
    return 1.0 - float(part["rate"].min())


def _compare(part: pd.DataFrame, method: str, other: str, margin: float = 0.0) -> Part:
    """Part "method is better than other", over label draws of one data set."""
    left, right = part[part["method"] == method], part[part["method"] == other]
    if left.empty or right.empty:
        return untestable(f"{method} or {other} has no rows here")
    return better(
        left, right, unit=PARTITION, overlap=_overlap(part), margin=margin, names=(method, other)
    )


def best(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA is better than every rival in every column of a table."""
    table = chosen(rows, params, table=str(params["table"]), dataset=_datasets(params))
    parts = {}
    for (dataset, _), column in table.groupby(["dataset", "rate"], sort=True):
        rivals = params.get("others") or sorted(set(column["method"]) - {OURS})
        for rival in rivals:
            name = (
                f"{NAMES.plain[str(dataset)]} at {100 * float(column['rate'].iloc[0]):g} %, {rival}"
            )
            parts[name] = _compare(column, OURS, rival)
    return every(parts)


def beats(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA beats each of ``others`` on each data set, rates averaged."""
    table = chosen(rows, params, table=str(params["table"]))
    return every(
        {
            f"{NAMES.plain[dataset]}, {rival}": _compare(
                table[table["dataset"] == dataset], OURS, rival
            )
            for dataset in _datasets(params)
            for rival in params["others"]
        }
    )


def better_overall(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA is better than each rival on average over the data sets."""
    parts = {}
    for name in map(str, params["tables"]):
        table = chosen(rows, params, table=name, dataset=_datasets(params))
        ours = table[table["method"] == OURS]
        for rival in sorted(set(table["method"]) - {OURS}):
            theirs = table[table["method"] == rival]
            parts[rival] = better(ours, theirs, unit=DATASET, names=(OURS, rival))
    return every(parts)


def gain_over_best_view(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA's gain over naive Bayes on the best view is the printed one, up to the margin."""
    part = chosen(rows, params, table="3", dataset=params["dataset"], rate=params["rate"])
    single = part[part["method"].str.startswith("NBC_V")]
    if single.empty:
        return untestable("no rows of naive Bayes on single views")
    strongest = str(single.groupby("method")["value"].mean().idxmax())
    return equal(
        part[part["method"] == OURS], part[part["method"] == strongest], unit=PARTITION,
        overlap=_overlap(part), margin=margin_of(ACCURACY), centre=float(params["gain"]),
        names=(OURS, f"{strongest}, the best view"),
    )  # fmt: skip


def spreads(rows: pd.DataFrame, table: str, params: dict[str, Any]) -> pd.DataFrame:
    """Deviation over the runs of every method in every column, as rows."""
    part = chosen(rows, params, table=table, dataset=_datasets(params))
    keys = ["dataset", "provenance", "setting", "rate", "method"]
    found = part.groupby(keys, sort=True)["value"].std(ddof=1).dropna().reset_index()
    return found.assign(run=0)


def steadier(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA's deviation over runs is below DPLSA's, on average over the data sets."""
    found = spreads(rows, "4", params)
    ours, theirs = (found[found["method"] == name] for name in (OURS, "DPLSA"))
    names = (f"deviation of {OURS}", "of DPLSA")
    return better(ours, theirs, unit=DATASET, higher_is_better=False, names=names)


def rises_with_labels(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Every method's accuracy rises with the sampling rate."""
    table = chosen(rows, params, table="3", dataset=_datasets(params))
    groups = table.groupby("method", sort=True)
    return every({str(method): trend(part, "rate") for method, part in groups})


def spread_falls_with_labels(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Every method's deviation over runs falls with the sampling rate."""
    groups = spreads(rows, "3", params).groupby("method", sort=True)
    return every({str(method): trend(part, "rate", rising=False) for method, part in groups})


def equal_methods(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Two methods are the same up to the unit's margin, on each data set, rates averaged."""
    parts = {}
    for dataset in _datasets(params):
        part = chosen(rows, params, table=str(params["table"]), dataset=dataset)
        left, right = (part[part["method"] == name] for name in params["methods"])
        parts[NAMES.plain[dataset]] = (
            untestable("no rows")
            if left.empty or right.empty
            else equal(
                left, right, unit=PARTITION, overlap=_overlap(part), margin=margin_of(ACCURACY),
                names=tuple(params["methods"]),
            )
        )  # fmt: skip
    return every(parts)


def few_labels_suffice(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA at the smallest rate is less than ``margin`` points behind the largest rate."""
    parts = {}
    for dataset in _datasets(params):
        part = chosen(rows, params, table="3", dataset=dataset, method=OURS)
        low, high = part["rate"].min(), part["rate"].max()
        parts[NAMES.plain[dataset]] = (
            untestable("fewer than two rates")
            if part.empty or low == high
            else better(
                part[part["rate"] == low], part[part["rate"] == high], unit=PARTITION,
                overlap=_overlap(part), on=("dataset", "run"), margin=-float(params["margin"]),
                names=(f"{100 * low:g} %", f"{100 * high:g} %"),
            )
        )  # fmt: skip
    return every(parts)


def flat_in_topics(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Accuracy hardly depends on the number of topics (the paper's values of Y only)."""
    parts = {}
    for dataset, grid in params["grid"].items():
        part = chosen(rows, params, table="fig3", dataset=dataset, method=OURS, topics=list(grid))
        parts[NAMES.plain[dataset]] = (
            untestable("no rows")
            if part.empty
            else levels_equal(
                part, "topics", margin=margin_of(ACCURACY), unit=PARTITION, overlap=_overlap(part)
            )
        )
    return every(parts)


def best_topics(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """The named Y is better than every other one that the figure has."""
    parts = {}
    for dataset, wanted in params["best"].items():
        part = chosen(rows, params, table="fig3", dataset=dataset, method=OURS)
        here = part[part["topics"] == wanted]
        for value in sorted(set(part["topics"]) - {wanted}):
            parts[f"{NAMES.plain[dataset]}, Y {value:g}"] = better(
                here, part[part["topics"] == value], unit=PARTITION, overlap=_overlap(part),
                on=("dataset", "run"), names=(f"Y {wanted:g}", f"Y {value:g}"),
            )  # fmt: skip
    return every(parts)


def split_beats_naive_bayes(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """On each view of NewsGv4, MVPLSA on its four random parts beats naive Bayes."""
    views = chosen(rows, params, table="5").groupby("view", sort=True)
    return every({f"view {view:g}": _compare(part, OURS, "NBC") for view, part in views})


def _clusterings(
    rows: pd.DataFrame, params: dict[str, Any], dataset: str, metric: str
) -> dict[str, pd.DataFrame]:
    part = chosen(rows, params, table="fig2", dataset=dataset, metric=metric, method=CLUSTERED)
    return {str(method): runs for method, runs in part.groupby("method", sort=True)}


def clusters_best(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """MVPLSA has a larger NMI and PF than every other method, on each data set."""
    parts = {}
    for dataset in _datasets(params):
        for metric in ("NMI", "PF"):
            found = _clusterings(rows, params, dataset, metric)
            for rival in CLUSTERED[1:] if OURS in found else ():
                if rival in found:
                    parts[f"{NAMES.plain[dataset]} {metric}, {rival}"] = better(
                        found[OURS], found[rival], unit=RUN, names=(OURS, rival)
                    )
    return every(parts)


def clusters_not_best(rows: pd.DataFrame, params: dict[str, Any]) -> Part:
    """Some other method has a larger NMI than MVPLSA, and some a larger PF, on each data set."""
    parts = {}
    for dataset in _datasets(params):
        for metric in ("NMI", "PF"):
            found = _clusterings(rows, params, dataset, metric)
            ours = found.pop(OURS, None)
            if ours is not None and found:
                parts[f"{NAMES.plain[dataset]} {metric}"] = some(
                    {
                        rival: better(theirs, ours, unit=RUN, names=(rival, OURS))
                        for rival, theirs in found.items()
                    }
                )
    return every(parts)
