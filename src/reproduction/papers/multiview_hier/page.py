"""Tables of the page on label sets in several views; everything is computed from result rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from reproduction.data.registry import load_registry, published_statistics
from reproduction.pages.data_names import DataNames
from reproduction.pages.results import published_root
from reproduction.verdicts.claims import real_rows

PAPER = "multiview_hier"
#: Key of a data set -> its name in the paper's tables (stand-ins: ours).
NAMES = {
    "cora": "Cora", "webkb": "WebKB", "citeseer": "Citeseer1",
    "wikipedia_linqs": "Wikipedia_linqs", "pubmed": "Pubmed_linqs", "leaves": "UCI Leaves",
    "citeseer2": "Citeseer2", "nell_mv": "NELL_mv", "newsgroups_tree": "20 Newsgroups tree",
    "amazon_tree": "Amazon tree",
}  # fmt: skip
KIND = {
    "wikipedia_linqs": "subset", "citeseer2": "surrogate", "nell_mv": "surrogate",
    "newsgroups_tree": "stand-in", "amazon_tree": "stand-in",
}  # fmt: skip
FLAT = ("V1", "V2", "V12", "COTRAIN", "PRODSCORE", "SUMSCORE", "MAXAGREE")
HIER = ("Hier-SUMSCORE", "Hier-PRODSCORE", "Hier-MAXAGREE")
TREES = ("newsgroups_tree", "amazon_tree", "nell_mv")
UNLABELLED = "scored=unlabelled"
MACRO, MICRO = "macro_f1_pct", "micro_f1_pct"


SHOWN = DataNames(
    PAPER,
    {key: f"{name} ({KIND[key]})" if key in KIND else name for key, name in NAMES.items()},
)


def shown_name(dataset: str) -> str:
    """Name of a data set with what it is, if it is not the paper's own."""
    return SHOWN[dataset]


def published() -> pd.DataFrame:
    """Published cells of the paper."""
    cells = pd.read_csv(published_root() / "results.csv", dtype={"table": "str"})
    return cells[cells["paper"] == PAPER]


def case_labels(rows: pd.DataFrame) -> pd.Series:
    """Published label of every row: its own, or the data set's name."""
    names = rows["dataset"].map(lambda key: NAMES.get(key, key))
    return rows["label"].where(rows["label"] != "", names)


def statistics_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 1: published figures beside ours, and how many rows of a view are empty."""
    registry = load_registry()
    ours = rows[rows["table"] == "1"]
    records = []
    for dataset in NAMES:
        part = ours[ours["dataset"] == dataset]
        if part.empty:
            continue
        value = part.set_index(["method", "metric"])["value"]
        printed = {s: str(v) for s, v, _ in published_statistics(registry[dataset])}
        if registry[dataset].role != "paper":
            printed = {}
        views = [s.partition(":")[2] for s in printed if s.startswith("features:")]
        features = [printed[f"features:{view}"] for view in views]
        entries = [printed[f"nonzeros:{view}"] for view in views]
        record: dict[str, object] = {
            "data set": shown_name(dataset),
            "documents": int(value["data set", "documents"]),
            "published": printed.get("documents", ""),
            "classes": int(value["data set", "classes"]),
        }
        for number in (1, 2):
            name = part.loc[part["method"] == f"view {number}", "setting"].iloc[0]
            record[f"view {number}"] = name
            for metric, title, listed in (
                ("features", "features", features), ("non_zeros", "non-zeros", entries),
            ):  # fmt: skip
                record[f"{title} {number}"] = int(value[f"view {number}", metric])
                record[f"{title} {number}, published"] = (
                    listed[number - 1] if len(listed) >= number else ""
                )
            record[f"empty rows {number}"] = int(value[f"view {number}", "empty_rows"])
        records.append(record)
    return pd.DataFrame(records)


def both_scorings(rows: pd.DataFrame, methods: tuple[str, ...] = FLAT) -> pd.DataFrame:
    """Table 2: published macro F1, ours over all points, ours over the unlabelled points."""
    part = rows[(rows["table"] == "2") & (rows["metric"] == MACRO) & rows["method"].isin(methods)]
    part = part.assign(case=case_labels(part))
    keys = ["case", "setting", "method"]
    mean = part.groupby([*keys, "reading"])["value"].mean().unstack("reading")
    cells = published()
    cells = cells[(cells["table"] == "2") & (cells["metric"] == MACRO)]
    printed = cells.set_index(["dataset", "setting", "method"])["mean"]
    printed.index.names = keys
    frame = mean[["paper", UNLABELLED]].join(printed.rename("published"))
    frame = frame.rename(columns={"paper": "all points", UNLABELLED: "unlabelled only"})
    order = {name: i for i, name in enumerate(dict.fromkeys(cells["dataset"]))}
    place = {name: i for i, name in enumerate(methods)}
    frame = frame.reset_index()
    frame = frame.sort_values(
        ["case", "setting", "method"],
        key=lambda column: (
            column.map(order if column.name == "case" else place)
            if column.name != "setting"
            else column
        ),
    )
    columns = ["case", "setting", "method", "published", "all points", "unlabelled only"]
    return frame[columns].rename(columns={"case": "data set"}).reset_index(drop=True)


def scoring_distance(rows: pd.DataFrame) -> dict[str, float]:
    """Median distance to print of both scorings, over the sets that are the paper's."""
    frame = both_scorings(real_rows(rows))
    frame = frame[frame["data set"] != NAMES["wikipedia_linqs"]].dropna()
    return {
        name: float((frame[name] - frame["published"]).abs().median())
        for name in ("all points", "unlabelled only")
    }


def ranks_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Average ranks of Table 2: published, and ours under both scorings, with and without
    surrogates.
    """
    part = rows[(rows["metric"] == "average_rank") & (rows["table"] == "2")]
    wide = part.pivot_table(index="method", columns="reading", values="value")
    cells = published()
    cells = cells[(cells["table"] == "2") & (cells["metric"] == "average_rank")]
    wide.insert(0, "published", cells.set_index("method")["mean"])
    wide.insert(1, "from printed macro F1", printed_ranks())
    return wide.loc[list(FLAT)].rename(columns={"paper": "all 18 cases"}).round(2)


def printed_means() -> pd.DataFrame:
    """Table 2 as printed: test cases x methods, macro F1."""
    cells = published()
    cells = cells[(cells["table"] == "2") & (cells["metric"] == MACRO)]
    return cells.pivot_table(index=["dataset", "setting"], columns="method", values="mean")


def printed_ranks() -> pd.Series:
    """Average ranks computed from the printed macro F1 (micro F1 was not printed)."""
    return printed_means().rank(axis=1, ascending=False).mean()


def implied_ranks(table: str) -> pd.DataFrame:
    """Published average ranks against the printed macro F1 of the same table.

    The paper averages the rank in macro and in micro F1, so the (unprinted) micro rank must be
    twice the published one minus the macro rank. A rank below 1 or above the number of methods
    cannot be.
    """
    cells = published()
    cells = cells[cells["table"] == table]
    macro = cells[cells["metric"] == MACRO].pivot_table(
        index=["dataset", "setting"], columns="method", values="mean"
    )
    printed = cells[cells["metric"] == "average_rank"].set_index("method")["mean"]
    rank = macro[list(printed.index)].rank(axis=1, ascending=False).mean()
    implied = 2 * printed - rank
    possible = implied.between(1 - 0.1, len(printed) + 0.1)  # print is rounded to one decimal
    return pd.DataFrame(
        {
            "published average rank": printed,
            "rank in printed macro F1": rank.round(2),
            "implied rank in micro F1": implied.round(2),
            "possible": ["yes" if fine else "no" for fine in possible],
        }
    )


def correlations_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 3: published, from the printed Table 2, and ours."""
    cells = published()
    cells = cells[cells["table"] == "3"].set_index(["method", "metric"])["mean"].unstack()
    means = printed_means()
    distance = (means["V1"] - means["V2"]).abs()
    ours = rows[rows["table"] == "3"]
    records = []
    for method in cells.index:
        better, _, base = method.partition(" over ")
        r, p = stats.pearsonr(distance, 100 * (means[better] / means[base] - 1))
        record = {
            "comparison": method,
            "published r": cells.loc[method, "pearson_r"],
            "published p": cells.loc[method, "p_value"],
            "r from printed Table 2": round(float(r), 2),
            "p from printed Table 2": round(float(p), 3),
        }
        for reading, title in (("paper", "all 18 cases"), ("real data only", "real data only")):
            found = ours[(ours["method"] == method) & (ours["reading"] == reading)]
            value = found.set_index("metric")["value"]
            record[f"our r, {title}"] = round(float(value["pearson_r"]), 2)
            record[f"our p, {title}"] = round(float(value["p_value"]), 4)
        records.append(record)
    return pd.DataFrame(records)


def maxagree_table(rows: pd.DataFrame) -> pd.DataFrame:
    """How often MAXAGREE's views end apart, and how often it differs from SUMSCORE."""
    part = rows[rows["table"] == "extra:maxagree"]
    part = part.assign(case=case_labels(part))
    wide = part.pivot_table(index="case", columns=["metric", "setting"], values="value", sort=False)
    titles = {"views_disagree_pct": "views apart", "differs_from_sumscore_pct": "not SUMSCORE"}
    pairs = wide.columns.to_frame(index=False)
    wide.columns = pd.Index(pairs["metric"].map(titles) + " %, " + pairs["setting"])
    wide.index.name = "data set"
    return wide.round(3)


def tree_table(rows: pd.DataFrame, dataset: str, reading: str = "paper") -> pd.DataFrame:
    """Table 4 of one tree: methods x training shares, macro F1."""
    part = rows[(rows["table"] == "4") & (rows["dataset"] == dataset) & (rows["metric"] == MACRO)]
    part = part[(part["reading"] == reading)]
    wide = part.pivot_table(index="method", columns="setting", values="value")
    order = [*FLAT, *HIER, *(m for m in wide.index if m.startswith("control:"))]
    wide = wide.loc[[m for m in order if m in wide.index], sorted(wide.columns, key=_percent)]
    return wide.round(1)


def _percent(setting: str) -> float:
    return float(setting.removeprefix("train=").removesuffix("%"))


def gains_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Hier- minus flat in points, macro and micro, both scorings, mean over all shares."""
    records = []
    for dataset in TREES:
        part = rows[(rows["table"] == "4") & (rows["dataset"] == dataset)]
        means = part.groupby(["method", "metric", "reading"])["value"].mean()
        if part.empty:
            continue
        for hier in HIER:
            flat = hier.removeprefix("Hier-")
            record: dict[str, object] = {"data set": shown_name(dataset), "method": hier}
            for metric, title in ((MACRO, "macro"), (MICRO, "micro")):
                for reading, scored in (("paper", "all"), (UNLABELLED, "unlabelled")):
                    gain = means[hier, metric, reading] - means[flat, metric, reading]
                    record[f"{title} F1, {scored}"] = round(float(gain), 2)
            records.append(record)
    return pd.DataFrame(records)


def label_sets_table(rows: pd.DataFrame) -> pd.DataFrame:
    """What the selected label sets look like under every reading of the constraints, in %."""
    part = rows[rows["table"] == "extra:label_sets"]
    wide = part.pivot_table(
        index=["dataset", "method", "reading"], columns="metric", values="value"
    ).round(2)
    columns = {
        "violating_sets_pct": "inconsistent sets", "several_leaves_pct": "several leaves",
        "no_leaf_pct": "no leaf", "views_disagree_pct": "views differ",
        "differs_from_flat_pct": "not the flat label",
        "changed_by_hard_pct": "changed by hard consistency",
        "changed_by_parents+siblings_pct": "changed by parents+siblings",
    }  # fmt: skip
    wide = wide[[c for c in columns if c in wide.columns]].rename(columns=columns).reset_index()
    wide["dataset"] = wide["dataset"].map(shown_name)
    return wide.rename(columns={"dataset": "data set"})


def constraints_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Macro F1 of the Hier- methods under every reading, on the partitions that ran them all."""
    part = rows[(rows["table"] == "4") & (rows["metric"] == MACRO) & rows["method"].isin(HIER)]
    part = part[~part["reading"].str.endswith(UNLABELLED)]
    complete = part[part["reading"] == "consistency=hard"][["dataset", "setting", "run"]]
    part = part.merge(complete.drop_duplicates())
    wide = part.pivot_table(index=["dataset", "method"], columns="reading", values="value")
    wide = wide.rename(columns={"paper": "paper (ancestors, disjoint; soft)"}).round(2)
    wide = wide.reset_index()
    wide["dataset"] = wide["dataset"].map(shown_name)
    return wide.rename(columns={"dataset": "data set"})


def mip_table(rows: pd.DataFrame, timings: pd.DataFrame) -> pd.DataFrame:
    """The exact solvers against cvxpy on real E-step problems: agreement and time per point."""
    facts = rows[rows["table"] == "extra:mip_check"]
    times = timings[timings["table"] == "time:mip_check"]
    wide = facts.pivot_table(index=["label", "method"], columns="metric", values="value")
    slow = times.pivot_table(index=["label", "method"], columns="metric", values="value")
    joined = wide.join(slow)
    frame = pd.DataFrame(
        {
            "labels": joined["labels"].astype(int),
            "points": joined["points"].astype(int),
            "agree to 1e-9, %": joined[["cvxpy_agrees_pct", "batch_agrees_pct"]].min(axis=1),
            "largest difference": joined["largest_difference"],
            "cvxpy, ms per point": joined["cvxpy_ms_per_point"],
            "batched, ms per point": joined["batch_ms_per_point"],
            "exact, ms per point": joined["exact_ms_per_point"],
            "times faster": joined["speed_ratio"].round(-1),
        }
    ).reset_index()
    frame["label"] = pd.Categorical(frame["label"], list(NAMES))
    frame = frame.sort_values(["label", "method"])
    frame["label"] = [shown_name(key) for key in frame["label"]]
    return frame.rename(columns={"label": "data set"})


def convergence_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Median iterations and the share of runs that end in a cycle, per method."""
    part = rows[rows["table"] == "extra:convergence"]
    groups = part.groupby(["method", "metric"])["value"]
    iterations = groups.median().unstack("metric")["iterations"]
    cycles = part[part["metric"] == "cycle_length"].assign(c=lambda f: f["value"] > 0)
    share = 100 * cycles.groupby("method")["c"].mean()
    frame = pd.DataFrame({"median iterations": iterations, "runs ending in a cycle, %": share})
    return frame.loc[[m for m in FLAT if m in frame.index]].round(1)


def headline(rows: pd.DataFrame, ledger: pd.DataFrame, claims: pd.DataFrame) -> str:
    """One paragraph: how many cells, what the scoring was, what became of the claims."""
    counts = ledger["verdict"].value_counts()
    told = ", ".join(f"{int(counts[v])} {v}" for v in counts.index)
    verdicts = claims["verdict"].value_counts()
    votes = ", ".join(f"{int(verdicts[v])} {v}" for v in verdicts.index)
    first = f"**{len(ledger)} published cells:** {told}. **{len(claims)} claims:** {votes}. "
    if not (real_rows(rows)["table"] == "2").any():
        return first + "None of the paper's data was to be had in this run; all rows are synthetic."
    distance = scoring_distance(rows)
    hier = gains_table(rows)
    real = hier[~hier["data set"].str.contains("surrogate")]
    best = real["macro F1, all"].max()
    worst = real["macro F1, all"].min()
    cells = published()
    cells = cells[(cells["table"] == "4") & (cells["metric"] == MACRO)]
    wide = cells.pivot_table(index="setting", columns="method", values="mean")
    gains = np.concatenate([wide[h] - wide[h.removeprefix("Hier-")] for h in HIER])
    return (
        f"{first}On the paper's own data half of Table 2's macro F1 lie within "
        f"{distance['all points']:.1f} points of print when all points are scored, the labelled "
        f"ones included; it takes {distance['unlabelled only']:.1f} points when only the "
        "unlabelled ones are. So the published figures contain the answers that were given away. "
        f"On the two real trees the Hier- methods change macro F1 by {worst:+.1f} to {best:+.1f} "
        f"points against their flat counterparts; the published gains on NELL_mv are "
        f"{gains.min():.1f} to {gains.max():.1f}."
    )


def share_of(rows: pd.DataFrame, table: str, method: str, metric: str, reading: str) -> float:
    """Mean of one extra over the real trees; NaN if there are no rows."""
    part = real_rows(rows)
    part = part[
        (part["table"] == table) & (part["method"] == method) & (part["metric"] == metric)
        & (part["reading"] == reading)
    ]  # fmt: skip
    return float(np.mean(part["value"])) if len(part) else float("nan")
