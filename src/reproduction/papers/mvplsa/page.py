"""Tables and figures of the multi-view PLSA page; everything is computed from the result rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reproduction.pages.data_names import DataNames
from reproduction.pages.figures import PALETTE, curve, new_figure, series_styles
from reproduction.verdicts.claims import pair, paired_test, setting_number

NAMES = DataNames(
    "mvplsa",
    {
        "cornell": "Cornell",
        "washington": "Washington",
        "newsgv2": "NewsGv2",
        "newsgv4": "NewsGv4",
    },
)
#: Table 2 as published: documents, classes, features per view.
PUBLISHED_SIZES: dict[str, tuple[int, int, tuple[int, ...]]] = {
    "cornell": (195, 2, (1703, 195)),
    "washington": (230, 2, (1703, 230)),
    "newsgv2": (1000, 2, (3837, 7452)),
    "newsgv4": (1500, 3, (6783, 6307, 7717, 9336)),
}
PANELS = {
    "silent:sampling": "how labelled documents are drawn",
    "silent:links": "direction of the links",
    "silent:start": "start of p(z|d)",
    "silent:floor": "floor of the start",
    "silent:weights": "balance of the views",
    "silent:smoothing": "smoothing of naive Bayes",
    "silent:iterations": "EM iterations",
    "silent:huge": "huge messages",
    "silent:text": "tokens, headers, weights",
}
SHOWN = ("NBC_E", "CoTr_E", "DPLSA", "MVPLSA")


def _text(values: pd.Series) -> str:
    """Mean and deviation over runs."""
    spread = values.std(ddof=1)
    return f"{values.mean():.1f}" if pd.isna(spread) else f"{values.mean():.1f} ± {spread:.1f}"


def sizes_table(details: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Table 2: published and our sizes; ``details`` maps data sets to their statistics."""
    records = []
    for dataset, (documents, classes, features) in PUBLISHED_SIZES.items():
        ours = details[dataset]
        records.append(
            {
                "data set": NAMES[dataset],
                "documents": ours["documents"],
                "published documents": documents,
                "classes": f"{ours['classes']} ({' + '.join(map(str, ours['per_class']))})",
                "published classes": classes,
                "features": ", ".join(map(str, ours["features"])),
                "published features": ", ".join(map(str, features)),
                "non-zeros": ", ".join(map(str, ours["nonzeros"])),
                "empty documents": ", ".join(map(str, ours["empty_documents"])),
            }
        )
    return pd.DataFrame(records)


def rates_figure(rows: pd.DataFrame, ledger: pd.DataFrame) -> Figure:
    """Accuracy against the labelled share on the four data sets; open marks are published."""
    fig, axes = new_figure(1, 4, width=9.6, height=3.0, sharex=True)
    styles = series_styles(SHOWN)
    ours = rows[(rows["reading"] == "paper") & rows["table"].isin(["3", "4"])]
    ours = ours.drop_duplicates(["dataset", "setting", "method", "run"])
    ours = ours.assign(r=100 * ours["setting"].map(setting_number))
    theirs = ledger[ledger["table"].astype(str).isin(["3", "4"])]
    theirs = theirs.assign(r=100 * theirs["setting"].map(setting_number))
    for ax, (dataset, name) in zip(axes, NAMES.items(), strict=True):
        for method in SHOWN:
            part = ours[(ours["dataset"] == dataset) & (ours["method"] == method)]
            if part.empty:
                continue
            curve(ax, part, "r", label=method, **styles[method])
            cells = theirs[(theirs["dataset"] == name) & (theirs["method"] == method)]
            cells = cells.drop_duplicates("r")
            ax.plot(
                cells["r"], cells["published"], linestyle="", marker=styles[method]["marker"],
                markerfacecolor="none", color=styles[method]["color"], markersize=7,
            )  # fmt: skip
        ax.set_title(name)
        ax.set_xlabel("labelled %")
    axes[0].set_ylabel("accuracy %")
    axes[2].legend(loc="lower right")
    return fig


def clustering_figure(rows: pd.DataFrame) -> Figure:
    """Figure 2: NMI and PF of four clusterings on four data sets, with one deviation."""
    methods = ("Kmeans_Best", "Kmeans_Avg", "MVC", "MVPLSA")
    part = rows[(rows["table"] == "fig2") & (rows["reading"] == "paper")]
    fig, axes = new_figure(1, 2, width=9.0, height=3.0)
    for ax, metric in zip(axes, ("NMI", "PF"), strict=True):
        for k, method in enumerate(methods):
            chosen = part[(part["metric"] == metric) & (part["method"] == method)]
            stats = chosen.groupby("dataset")["value"].agg(["mean", "std"]).reindex(list(NAMES))
            place = np.arange(len(NAMES)) + (k - 1.5) * 0.2
            ax.bar(
                place, stats["mean"], 0.19, yerr=stats["std"].fillna(0), label=method,
                color=PALETTE[k], ecolor="#888888", error_kw={"linewidth": 1},
            )  # fmt: skip
        ax.set_xticks(range(len(NAMES)), list(NAMES.values()))
        ax.set_ylabel(f"{metric} %")
    axes[0].legend(loc="upper left")
    return fig


def clustering_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Every clustering method and reading behind Figure 2."""
    part = rows[rows["table"] == "fig2"]
    grouped = part.groupby(["method", "reading", "metric", "dataset"])["value"].apply(_text)
    wide = grouped.unstack("dataset").reindex(columns=list(NAMES)).fillna("")
    return wide.rename(columns=NAMES).reset_index()


def topics_figure(rows: pd.DataFrame) -> Figure:
    """Figure 3: accuracy against the number of topics; the diamond is Y = Z."""
    fig, axes = new_figure(1, 2, width=8.0, height=2.9)
    part = rows[rows["table"] == "fig3"]
    part = part.assign(Y=part["setting"].map(lambda text: setting_number(text, "Y")))
    for ax, dataset in zip(axes, ("cornell", "newsgv2"), strict=True):
        chosen = part[part["dataset"] == dataset]
        if chosen.empty:
            continue
        curve(ax, chosen, "Y", color=PALETTE[0], marker="o")
        smallest = chosen[chosen["Y"] == chosen["Y"].min()]["value"]
        ax.plot([chosen["Y"].min()], [smallest.mean()], "D", color=PALETTE[1], markersize=8)
        if dataset == "newsgv2":
            ax.set_xscale("log", base=2)
        ax.set_title(NAMES[dataset])
        ax.set_xlabel("topics Y per view")
        ax.set_ylabel("accuracy %")
    return fig


def moves_table(rows: pd.DataFrame) -> pd.DataFrame:
    """How far each silent choice moves MVPLSA: range of the means over the alternatives."""
    records = []
    part = rows[rows["table"].isin(PANELS) & (rows["method"] == "MVPLSA")]
    for (table, dataset, setting), group in part.groupby(["table", "dataset", "setting"]):
        readings = group.groupby("reading")["value"]
        flat = readings.mean()
        records.append(
            {
                "choice": PANELS[str(table)],
                "data set": NAMES[str(dataset)],
                "labelled": setting,
                "moves by": float(flat.max() - flat.min()),
                "lowest": f"{flat.min():.1f} ({flat.idxmin()})",
                "highest": f"{flat.max():.1f} ({flat.idxmax()})",
                "alternatives": len(flat),
                "runs": int(readings.size().min()),
            }
        )
    frame = pd.DataFrame(records)
    return frame.sort_values("moves by", ascending=False, ignore_index=True)


def panel_table(rows: pd.DataFrame, table: str) -> pd.DataFrame:
    """One panel in full: mean ± deviation by method, choice, data set and rate."""
    part = rows[rows["table"] == table]
    part = part.assign(column=part["dataset"].map(NAMES) + " " + part["setting"])
    grouped = part.groupby(["method", "reading", "column"], sort=False)["value"].apply(_text)
    return grouped.unstack("column").fillna("").reset_index().rename(columns={"reading": "choice"})


def huge_figure(rows: pd.DataFrame) -> Figure:
    """DPLSA and MVPLSA under the four treatments of the huge messages, one dot per run."""
    part = rows[rows["table"] == "silent:huge"]
    readings = list(dict.fromkeys(part.sort_values("value")["reading"]))
    order = sorted(readings, key=lambda r: part[part["reading"] == r]["value"].mean())
    fig, ax = new_figure(width=8.0, height=2.6)
    for k, method in enumerate(("DPLSA", "MVPLSA")):
        for place, reading in enumerate(order):
            chosen = part[(part["reading"] == reading) & (part["method"] == method)]["value"]
            height = np.full(len(chosen), place + (k - 0.5) * 0.26)
            ax.plot(
                chosen, height, "o", color=PALETTE[k], alpha=0.55, markersize=4,
                label=method if place == 0 else None,
            )  # fmt: skip
            ax.plot([chosen.mean()], [height[0]], "|", color=PALETTE[k], markersize=15, mew=2)
    ax.set_yticks(range(len(order)), order)
    ax.set_xlabel("accuracy %, 1 % labelled")
    ax.legend(loc="center left")  # between the treatments that fail and those that work
    return fig


def cotraining_table(details: Mapping[str, Mapping[str, Any]], rows: pd.DataFrame) -> pd.DataFrame:
    """What the search of co-training chose, and what choices without labels give."""
    ours = rows[(rows["table"] == "3") & (rows["reading"] == "paper")]
    means = ours[ours["method"] == "MVPLSA"].groupby(["dataset", "setting"])["value"].mean()
    records = []
    for dataset, search in details.items():
        for setting in sorted(key for key in search if key.startswith("r=")):
            found = search[setting]
            best = found["chosen"]["paper"]
            records.append(
                {
                    "data set": NAMES[dataset],
                    "labelled": setting,
                    "best u, p, n": f"{best['u']}, {best['p']}, {best['n']}",
                    "best": best["CoTr_E"],
                    "median of grid": found["CoTr_E"]["median"],
                    "worst": found["CoTr_E"]["worst"],
                    "u=75, p=1, n=3": found["chosen"]["protocol=honest"]["CoTr_E"],
                    "by agreement": found["chosen"]["protocol=agreement"]["CoTr_E"],
                    "MVPLSA": float(means.get((dataset, setting), np.nan)),
                }
            )
    return pd.DataFrame(records)


def cotraining_note(ledger: pd.DataFrame) -> str:
    """One sentence on our co-training against the published one, data set by data set."""
    cells = ledger[(ledger["method"] == "CoTr_E") & ledger["ours"].notna()]
    shown = {name: NAMES[key] for key, name in NAMES.plain.items()}
    parts = [
        f"{shown[str(name)]} {part['ours'].mean():.1f} % against {part['published'].mean():.1f} %"
        for name, part in cells.groupby("dataset", sort=False)
    ]
    if not parts:
        return "The grid the paper searched is not given."
    return (
        "The grid the paper searched is not given. Mean accuracy of the searched co-training over "
        f"the rates, ours against published: {', '.join(parts)}."
    )


def huge_note(rows: pd.DataFrame) -> str:
    """The lead of MVPLSA over DPLSA under each treatment of the huge messages, in words."""
    part = rows[rows["table"] == "silent:huge"]
    means = part.groupby(["reading", "method"], sort=False)["value"].mean().unstack()
    leads = (means["MVPLSA"] - means["DPLSA"]).sort_values(ascending=False)
    texts = [f"{lead:+.1f} points with {reading}" for reading, lead in leads.items()]
    return "MVPLSA minus DPLSA: " + "; ".join(texts) + "."


def dplsa_gaps(rows: pd.DataFrame) -> pd.DataFrame:
    """MVPLSA minus DPLSA, paired by run, over the rates of Table 4."""
    part = rows[(rows["table"] == "4") & (rows["reading"] == "paper")]
    records = []
    for dataset, name in NAMES.items():
        chosen = part[part["dataset"] == dataset]
        left, right = pair(
            chosen[chosen["method"] == "MVPLSA"],
            chosen[chosen["method"] == "DPLSA"],
            ("setting", "run"),
        )
        if left.size < 2:
            continue
        test = paired_test(left, right, alternative="two-sided")
        records.append(
            {
                "data set": name,
                "MVPLSA - DPLSA": test.difference,
                "95 % interval": f"{test.low:+.2f} to {test.high:+.2f}",
                "p": test.p_value,
                "runs won": int((left > right).sum()),
                "ties": int((left == right).sum()),
                "pairs": test.n,
            }
        )
    return pd.DataFrame(records)


def split_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 5 with what it leaves out: DPLSA on the whole view from the same start."""
    titles = {
        "NBC": "naive Bayes, whole view",
        "MVPLSA": "MVPLSA, four parts",
        "DPLSA": "DPLSA, whole view, same start",
    }
    parts = rows[rows["table"].isin(["5", "extra:split"]) & (rows["reading"] == "paper")]
    parts = parts.assign(
        method=parts["method"].map(titles),
        view=parts["setting"].str.partition(";")[2].str.replace("view=", "view "),
    )
    grouped = parts.groupby(["method", "view"], sort=False)["value"].apply(_text)
    return grouped.unstack("view").fillna("").loc[list(titles.values())].reset_index()


def split_note(rows: pd.DataFrame) -> str:
    """What splitting itself adds, in the runs that have both models."""
    parts = rows[rows["table"].isin(["5", "extra:split"]) & (rows["reading"] == "paper")]
    four, whole = pair(
        parts[parts["method"] == "MVPLSA"], parts[parts["method"] == "DPLSA"], ("setting", "run")
    )
    _, bayes = pair(
        parts[parts["method"] == "DPLSA"], parts[parts["method"] == "NBC"], ("setting", "run")
    )
    if four.size < 2:
        return "The comparison needs more runs."
    test = paired_test(four, whole, alternative="two-sided")
    return (
        f"In the {four.size} fits that have both, averaged over the four views: naive Bayes "
        f"{bayes.mean():.1f} %, the same model on the unsplit view {whole.mean():.1f} %, on four "
        f"parts {four.mean():.1f} %. Splitting itself adds {test.difference:+.1f} points (95 % "
        f"interval {test.low:+.1f} to {test.high:+.1f}); the rest of the gain is the model and the "
        "unlabelled documents."
    )


def view_start_note(rows: pd.DataFrame, ledger: pd.DataFrame) -> str:
    """DPLSA on the link view: published, and ours from the two starts."""
    part = rows[(rows["table"] == "silent:start") & (rows["method"] == "DPLSA_V2")]
    texts = []
    for dataset in ("cornell", "washington"):
        for setting in sorted(part[part["dataset"] == dataset]["setting"].unique()):
            ours = part[(part["dataset"] == dataset) & (part["setting"] == setting)]
            means = ours.groupby("reading")["value"].mean()
            cell = ledger[
                (ledger["dataset"] == NAMES.plain[dataset])
                & (ledger["setting"] == setting)
                & (ledger["method"] == "DPLSA_V2")
            ]["published"]
            texts.append(
                f"{NAMES[dataset]} {setting} {cell.mean():.1f} published, "
                f"{means.get('start=mean of posteriors', np.nan):.1f} from the mean, "
                f"{means.get('start=own view', np.nan):.1f} from the view's own"
            )
    return "DPLSA on the link view: " + "; ".join(texts) + "."
