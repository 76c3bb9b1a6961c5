"""Tables of the page on label sets in several views; everything is computed from result rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from reproduction.pages.data_names import DataNames
from reproduction.pages.results import load_provenance
from reproduction.pages.wording import in_words
from reproduction.papers.multiview_hier.names import (
    ALL_POINTS,
    COUNTERPART,
    FLAT,
    FLAT_NAMES,
    GAINS,
    LEVEL,
    MACRO,
    MICRO,
    PAPER,
    REAL_ONLY,
    STAND_INS,
    TRAIN,
    UNLABELLED,
    comparison_name,
)
from reproduction.results.published import load_published
from reproduction.results.rows import INFERRED
from reproduction.verdicts.claims import original_rows, real_rows, select

#: Trees in the order of the page: the real ones first.
TREES = (*STAND_INS, "nell_mv")
NAMES = DataNames(PAPER, (*FLAT, "nell_mv", *STAND_INS))
#: How the page names what was scored.
SCORINGS = {ALL_POINTS: "all points", UNLABELLED: "unlabelled only"}
#: Kinds of data that the page names beside a data set (surrogates are marked everywhere).
NAMED_KINDS = ("subset", "other features", "stand-in")
PRINTED = "as published"


def shown_name(dataset: str) -> str:
    """Name of a data set with what it is, if it is not the paper's own."""
    kind = load_provenance(PAPER).get(dataset, {}).get("kind", "")
    name = NAMES[dataset]
    return f"{name} ({kind})" if kind in NAMED_KINDS and kind not in name else name


def printed(table: str, metric: str) -> pd.DataFrame:
    """Published cells of one table and metric."""
    cells = load_published(PAPER)
    return cells[(cells["table"] == table) & (cells["metric"] == metric)]


def case_names(rows: pd.DataFrame) -> pd.Series:
    """Data set of every row as Table 2 names it, with the level of a tree."""
    names = rows["dataset"].map(NAMES.plain)
    levels = rows["level"].map(LEVEL.write, na_action="ignore").astype(object)
    return names.where(levels.isna(), names + " " + levels.fillna(""))


def share_names(shares: pd.Series | pd.Index) -> pd.Index:
    """Training shares as the paper writes them."""
    return pd.Index([TRAIN.write(share) for share in shares])


def sizes_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 1: our data sets, and how many rows of a view are empty."""
    part = rows[rows["table"] == "1"]
    place = part["place"].map(" {:g}".format, na_action="ignore").fillna("")
    part = part.assign(what=part["metric"].str.replace("_", " ") + place)
    wide = part.pivot_table(index="dataset", columns="what", values="value", sort=False)
    shown = wide.loc[[key for key in NAMES if key in wide.index]].astype(int)
    return shown.rename(index=shown_name).rename_axis("data set").reset_index()


def pubmed_table(rows: pd.DataFrame) -> pd.DataFrame:
    """PubMed's two rows in print beside every choice that could explain the second."""
    here = select(rows, dataset="pubmed", metric=MACRO, reading=None, method=FLAT_NAMES)
    own = here[(here["table"] == "2") & (here["reading"] == INFERRED)]
    parts = [own.assign(choice="as in Table 2", scored=own["scored"].map(SCORINGS))]
    for table in ("choice:link", "choice:class_order"):
        part = here[here["table"] == table]
        # what was chosen stands first in the setting
        chosen = part["setting"].str.split(";").str[0]
        parts.append(part.assign(choice=chosen, scored=part["scored"].map(SCORINGS)))
    cells = printed("2", MACRO)
    cells = cells[cells["dataset"] == "pubmed"].rename(columns={"mean": "value"})
    wide = [
        frame.assign(setting=share_names(frame["train"])).pivot_table(
            index=["choice", "scored", "setting"], columns="method", values="value"
        )
        for frame in (cells.assign(choice=PRINTED, scored=""), pd.concat(parts))
    ]
    return pd.concat(wide)[list(FLAT_NAMES)].round(1)


def pubmed_closest(rows: pd.DataFrame) -> str:
    """Say which choice comes closest to each of PubMed's two published rows."""
    told = []
    for share, part in pubmed_table(rows).groupby("setting"):
        # a choice that concerns a few methods says too little
        table = part.droplevel("setting")[part.notna().sum(axis=1).to_numpy() >= 5]
        gap = table.drop(index=PRINTED).sub(table.loc[PRINTED].iloc[0], axis="columns")
        distance = gap.abs().mean(axis=1)
        nearest = ", ".join(distance.index[int(distance.argmin())])
        told.append(f"at {share} *{nearest}* ({distance.min():.1f} points on average)")
    return in_words("Closest to the published rows: " + "; ".join(told) + ".")


def both_scorings(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 2: published macro F1, ours over all points, ours over the unlabelled points."""
    part = select(rows, table="2", metric=MACRO, method=FLAT_NAMES)
    part = part.assign(case=case_names(part))
    keys = ["case", "train", "method"]
    mean = part.groupby([*keys, "scored"])["value"].mean().unstack("scored")
    cells = printed("2", MACRO)
    cells = cells.assign(case=case_names(cells)).rename(columns={"mean": "published"})
    # in the order of print
    frame = cells[[*keys, "published"]].merge(mean.rename(columns=SCORINGS), on=keys)
    frame["train"] = share_names(frame["train"])
    columns = {"case": "data set", "train": "setting"}
    shown = [*keys, "published", *SCORINGS.values()]
    return frame[shown].rename(columns=columns)


def scoring_distance(rows: pd.DataFrame) -> dict[str, float]:
    """Median distance to print of both scorings, over the sets that are the paper's."""
    frame = both_scorings(original_rows(rows))
    return {
        name: float((frame[name] - frame["published"]).abs().median()) for name in SCORINGS.values()
    }


def ranks_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Average ranks of Table 2: published, and ours under both scorings, with and without
    surrogates.
    """
    part = select(rows, table="2", metric="average_rank", reading=(INFERRED, REAL_ONLY))
    wide = part.pivot_table(index="method", columns=["reading", "scored"], values="value")
    extent = {INFERRED: "all 18 cases", REAL_ONLY: REAL_ONLY}
    pairs = wide.columns.to_frame(index=False)
    wide.columns = pd.Index(pairs["reading"].map(extent) + ", " + pairs["scored"].map(SCORINGS))
    wide.insert(0, "published", printed("2", "average_rank").set_index("method")["mean"])
    wide.insert(1, "from printed macro F1", printed_ranks())
    return wide.loc[list(FLAT_NAMES)].round(2)


def printed_means(table: str = "2") -> pd.DataFrame:
    """Table 2 or 4 as printed: test cases x methods, macro F1."""
    cells = printed(table, MACRO)
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
    average = printed(table, "average_rank").set_index("method")["mean"]
    rank = printed_means(table)[list(average.index)].rank(axis=1, ascending=False).mean()
    implied = 2 * average - rank
    possible = implied.between(1 - 0.1, len(average) + 0.1)  # print is rounded to one decimal
    return pd.DataFrame(
        {
            "published average rank": average,
            "rank in printed macro F1": rank.round(2),
            "implied rank in micro F1": implied.round(2),
            "possible": ["yes" if fine else "no" for fine in possible],
        }
    )


def correlations_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 3: published, from the printed Table 2, and ours."""
    known = {m: printed("3", m).set_index("method")["mean"] for m in ("pearson_r", "p_value")}
    means = printed_means()
    distance = (means["V1"] - means["V2"]).abs()
    records = []
    for better, base in GAINS:
        name = comparison_name(better, base)
        r, p = stats.pearsonr(distance, 100 * (means[better] / means[base] - 1))
        record = {
            "comparison": name,
            "published r": known["pearson_r"][name],
            "published p": known["p_value"][name],
            "r from printed Table 2": round(float(r), 2),
            "p from printed Table 2": round(float(p), 3),
        }
        for reading, title in ((INFERRED, "all 18 cases"), (REAL_ONLY, REAL_ONLY)):
            found = select(rows, table="3", method=name, reading=reading, scored=ALL_POINTS)
            value = found.set_index("metric")["value"]
            record[f"our r, {title}"] = round(float(value["pearson_r"]), 2)
            record[f"our p, {title}"] = round(float(value["p_value"]), 4)
        records.append(record)
    return pd.DataFrame(records)


def gains_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Hier- minus flat in points, macro and micro, both scorings, mean over all shares."""
    records = []
    for dataset in TREES:
        part = select(rows, table="4", dataset=dataset)
        if part.empty:
            continue
        means = part.groupby(["method", "metric", "scored"])["value"].mean()
        for hier, flat in COUNTERPART.items():
            record: dict[str, object] = {"data set": shown_name(dataset), "method": hier}
            for metric, title in ((MACRO, "macro"), (MICRO, "micro")):
                for scored, name in ((ALL_POINTS, "all"), (UNLABELLED, "unlabelled")):
                    gain = means[hier, metric, scored] - means[flat, metric, scored]
                    record[f"{title} F1, {name}"] = round(float(gain), 2)
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
        "changed_by_parents+siblings_pct": "changed by parents + siblings",
    }  # fmt: skip
    wide = wide[[c for c in columns if c in wide.columns]].rename(columns=columns).reset_index()
    wide["dataset"] = wide["dataset"].map(shown_name)
    return wide.rename(columns={"dataset": "data set"})


def convergence_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Median iterations and the share of runs that end in a cycle, per method."""
    part = rows[rows["table"] == "extra:convergence"]
    groups = part.groupby(["method", "metric"])["value"]
    iterations = groups.median().unstack("metric")["iterations"]
    cycles = part[part["metric"] == "cycle_length"].assign(c=lambda f: f["value"] > 0)
    share = 100 * cycles.groupby("method")["c"].mean()
    frame = pd.DataFrame({"median iterations": iterations, "runs ending in a cycle, %": share})
    return frame.loc[[m for m in FLAT_NAMES if m in frame.index]].round(1)


def headline(rows: pd.DataFrame) -> str:
    """Say what the scoring was, and what the hierarchy brings on real trees."""
    real = real_rows(rows)
    if not (real["table"] == "2").any():
        return "This run found none of the paper's data; all rows are synthetic."
    distance = scoring_distance(rows)
    means = printed_means("4")
    gains = np.concatenate([means[hier] - means[flat] for hier, flat in COUNTERPART.items()])
    on_trees = gains_table(real)
    told = "This run has no real tree"
    if len(on_trees):
        ours = on_trees["macro F1, all"]
        told = (
            f"On the real trees the Hier- methods change macro F1 by {ours.min():+.1f} to "
            f"{ours.max():+.1f} points against their flat counterparts"
        )
    return (
        f"On the paper's own data half of Table 2's macro F1 lie within "
        f"{distance['all points']:.1f} points of print when all points are scored, the labelled "
        f"ones included; it takes {distance['unlabelled only']:.1f} points when only the "
        "unlabelled ones are. So the published figures contain the answers that were given away. "
        f"{told}; the published gains on NELL_mv are {gains.min():.1f} to {gains.max():.1f}."
    )


def inconsistent_share(rows: pd.DataFrame, method: str, reading: str = INFERRED) -> float:
    """Mean share of inconsistent label sets on the real trees; NaN if there are no rows."""
    part = select(
        real_rows(rows), table="extra:label_sets", method=method, metric="violating_sets_pct",
        reading=reading,
    )  # fmt: skip
    return float(np.mean(part["value"])) if len(part) else float("nan")
