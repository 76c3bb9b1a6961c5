"""Tables and figures of the cross-modal retrieval page; everything comes from the result rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reproduction.pages.data_names import DataNames
from reproduction.pages.figures import PALETTE, curve, new_figure, series_styles
from reproduction.pages.results import published_root

PAPER = "coplsa_multimodal"
METHODS = ("SCM", "Link PLSA", "l1 coPLSA", "l2 coPLSA", "sKL coPLSA")
SETTINGS = ("topic;i2t", "topic;t2i", "semantic;i2t", "semantic;t2i")
PROTOCOLS = {"joint": "paper", "honest": "protocol=honest"}
KINDS = ("full", "11point", "top10", "first10relevant")
LABELS = {"wikipedia_pairs": "Wikipedia", "tvgraz": "TVGraz", "web_news": ""}
NAMES = DataNames(
    "coplsa_multimodal",
    {
        "wikipedia_pairs": "Wikipedia",
        "tvgraz": "TVGraz (surrogate)",
        "web_news": "Web news (stand-in)",
    },
)


def published_values() -> dict[tuple[str, str, str], float]:
    """Published figures by (data set label, setting, method)."""
    frame = pd.read_csv(published_root() / "results.csv", dtype={"table": str})
    frame = frame[frame["paper"] == PAPER]
    triples = frame[["dataset", "setting", "method", "mean"]].itertuples(index=False)
    return {(d, s, m): float(v) for d, s, m, v in triples}


def reading(protocol: str, kind: str) -> str:
    """Name of a reading in the rows."""
    parts = ["protocol=honest"] if protocol == "honest" else []
    if kind != "full":
        parts.append(f"map={kind}")
    return ",".join(parts) or "paper"


def values(
    rows: pd.DataFrame, dataset: str, setting: str, method: str, name: str = "paper"
) -> np.ndarray:
    """Values of all runs of one cell."""
    keep = (
        (rows["table"] == "1")
        & (rows["dataset"] == dataset)
        & (rows["setting"] == setting)
        & (rows["method"] == method)
        & (rows["reading"] == name)
    )
    return rows.loc[keep].sort_values("run")["value"].to_numpy(dtype=float)


def _text(found: np.ndarray) -> str:
    if found.size == 0:
        return ""
    if found.size == 1:
        return f"{found[0]:.3f}"
    return f"{found.mean():.3f} ± {found.std(ddof=1):.3f}"


def mean_of(rows: pd.DataFrame, dataset: str, method: str, protocol: str, space: str) -> float:
    """Mean over directions and runs."""
    both = [values(rows, dataset, f"{space};{d}", method, PROTOCOLS[protocol])
            for d in ("i2t", "t2i")]  # fmt: skip
    return float(np.mean(np.concatenate(both)))


def protocols_table(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Every cell of Table 1 under both protocols, beside the published figure."""
    known = published_values()
    records = []
    for method in METHODS:
        for setting in SETTINGS:
            joint = values(rows, dataset, setting, method, "paper")
            honest = values(rows, dataset, setting, method, "protocol=honest")
            record: dict[str, Any] = {
                "method": method,
                "space": setting.split(";")[0],
                "task": setting.split(";")[1],
            }
            if LABELS[dataset]:
                record["published"] = known[LABELS[dataset], setting, method]
            record |= {"joint protocol": _text(joint), "honest protocol": _text(honest)}
            records.append(record)
    return pd.DataFrame(records)


def bounds_table(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Controls beside the methods under the honest protocol."""
    part = rows[(rows["table"] == "1") & (rows["dataset"] == dataset)]
    part = part[part["reading"] == "protocol=honest"]
    order = [*METHODS, *sorted(m for m in set(part["method"]) if m.startswith("control:"))]
    records = []
    for method in order:
        texts = {s: _text(values(rows, dataset, s, method, "protocol=honest")) for s in SETTINGS}
        records.append({"method": method.replace("control:", "control: "), **texts})
    frame = pd.DataFrame(records)
    return frame.rename(columns={s: s.replace(";", ", ") for s in SETTINGS})


def map_table(rows: pd.DataFrame, dataset: str, protocol: str = "joint") -> pd.DataFrame:
    """Mean of the runs under every reading of average precision."""
    known = published_values()
    records = []
    for method in METHODS:
        for setting in SETTINGS:
            record: dict[str, Any] = {"method": method, "column": setting.replace(";", ", ")}
            if LABELS[dataset]:
                record["published"] = known[LABELS[dataset], setting, method]
            for kind in KINDS:
                found = values(rows, dataset, setting, method, reading(protocol, kind))
                record[kind] = float(found.mean()) if found.size else np.nan
            records.append(record)
    return pd.DataFrame(records)


def articles_table(rows: pd.DataFrame) -> pd.DataFrame:
    """MAP with and without the queries whose article has sections in training."""
    part = rows[(rows["table"] == "extra:articles") & (rows["dataset"] == "wikipedia_pairs")]
    pieces = part["setting"].str.rsplit(";", n=1, expand=True)
    part = part.assign(column=pieces[0], group=pieces[1])
    names = {"paper": "joint", "protocol=honest": "honest"}
    part = part.assign(protocol=part["reading"].map(names))
    wide = part.pivot_table(
        index=["protocol", "method", "column"], columns="group", values="value", sort=False
    )
    wide["difference"] = wide.iloc[:, 0] - wide.iloc[:, 1]
    return wide.reset_index().rename_axis(columns=None)


def variant_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Words against the released topics as the text view (Wikipedia)."""
    records = []
    for method in METHODS:
        for setting in SETTINGS:
            record: dict[str, Any] = {"method": method, "column": setting.replace(";", ", ")}
            for protocol, name in PROTOCOLS.items():
                tail = "" if protocol == "joint" else ",protocol=honest"
                words = "text=words" + tail if method == "SCM" else name
                topics = name if method == "SCM" else "text=released topics" + tail
                for text, found in (("words", words), ("released topics", topics)):
                    got = values(rows, "wikipedia_pairs", setting, method, found)
                    record[f"{protocol}, {text}"] = _text(got)
            records.append(record)
    return pd.DataFrame(records)


def lambda_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Lambda chosen on training data."""
    part = rows[rows["table"] == "extra:lambda_chosen"]
    wide = part.pivot_table(index="dataset", columns="method", values="value")
    wide.index = wide.index.map(lambda key: NAMES.get(str(key), str(key)))
    return wide.rename_axis(index="data set", columns=None)


def monotone_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Falls of the objective, per update and start."""
    part = rows[rows["table"] == "extra:monotone"]
    wide = part.pivot_table(
        index=["setting", "method"], columns="metric", values="value", aggfunc="max", sort=False
    )
    runs = part.groupby(["setting", "method"], sort=False)["run"].nunique()
    wide["runs"] = runs
    names = {
        "falls": "sweeps with a fall (worst run)",
        "largest_fall": "largest fall per pair",
        "setting": "start",
        "method": "update",
    }
    return wide.reset_index().rename(columns=names)


def convergence_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Sweeps to most of the gain, and Newton steps for a multiplier."""
    part = rows[rows["table"] == "extra:convergence"]
    names = {"share=0.9": "sweeps to 90 %", "share=0.99": "sweeps to 99 %", "root": "Newton steps"}
    part = part.assign(what=part["setting"].map(names))
    wide = part.pivot_table(index="method", columns="what", values="value", sort=False)
    return wide.reset_index().rename_axis(columns=None)


def curve_figure(rows: pd.DataFrame, dataset: str) -> Figure:
    """Precision-recall curves in both spaces and directions, both protocols."""
    part = rows[(rows["table"] == "extra:precision_recall") & (rows["dataset"] == dataset)]
    pieces = part["setting"].str.split(";", expand=True)
    recall = pieces[2].str.removeprefix("recall=").astype(float)
    part = part.assign(space=pieces[0], direction=pieces[1], recall=recall)
    shown = [m for m in METHODS if m in set(part["method"])]
    styles = series_styles(shown)
    fig, axes = new_figure(2, 2, width=8.4, height=5.6, sharex=True, sharey="row")
    for (i, space), (j, direction) in (
        (a, b) for a in enumerate(("topic", "semantic")) for b in enumerate(("i2t", "t2i"))
    ):
        ax = axes[i, j]
        for method in shown:
            for protocol, name in PROTOCOLS.items():
                keep = (part["space"] == space) & (part["direction"] == direction)
                keep &= (part["method"] == method) & (part["reading"] == name)
                style = {
                    "color": styles[method]["color"],
                    "linestyle": "-" if protocol == "honest" else ":",
                }
                label = f"{method}, {protocol}" if (i, j) == (0, 0) else ""
                curve(ax, part[keep], "recall", label=label, band=False, **style)
        ax.set_title(f"{space} space, {direction}")
        if i == 1:
            ax.set_xlabel("recall")
        if j == 0:
            ax.set_ylabel("precision")
    axes[0, 0].legend(fontsize=6.5, ncols=2)
    return fig


def category_figure(rows: pd.DataFrame, dataset: str) -> Figure:
    """MAP per category, semantic space, honest protocol."""
    part = rows[(rows["table"] == "extra:categories") & (rows["dataset"] == dataset)]
    part = part[part["reading"] == "protocol=honest"]
    pieces = part["setting"].str.split(";", n=2, expand=True)
    part = part.assign(space=pieces[0], direction=pieces[1], category=pieces[2])
    part = part[part["space"] == "semantic"]
    shown = [m for m in METHODS if m in set(part["method"])]
    categories = sorted(set(part["category"]))
    fig, axes = new_figure(1, 2, width=8.8, height=3.8, sharey=True)
    for ax, direction in zip(axes, ("i2t", "t2i"), strict=True):
        for k, method in enumerate(shown):
            keep = (part["direction"] == direction) & (part["method"] == method)
            means = part[keep].groupby("category")["value"].mean().reindex(categories)
            place = np.arange(len(categories)) + 0.2 * (k - 1.5)
            ax.barh(place, means, height=0.18, label=method, color=PALETTE[k])
        ax.set_yticks(np.arange(len(categories)), categories)
        ax.set_title(f"semantic space, {direction}, honest")
        ax.set_xlabel("mean average precision")
    axes[0].invert_yaxis()
    axes[1].legend()
    return fig


def lambda_figure(rows: pd.DataFrame, dataset: str) -> Figure:
    """Validation MAP against lambda, the mean over spaces and directions."""
    part = rows[(rows["table"] == "extra:lambda") & (rows["dataset"] == dataset)]
    lam = part["setting"].str.split(";").str[0].str.removeprefix("lambda=").astype(float)
    part = part.assign(lam=lam)
    chosen = rows[(rows["table"] == "extra:lambda_chosen") & (rows["dataset"] == dataset)]
    shown = [m for m in METHODS if m in set(part["method"])]
    fig, axes = new_figure(1, len(shown), width=8.8, height=2.9, sharey=True, squeeze=False)
    for ax, method in zip(axes[0], shown, strict=True):
        for k, (protocol, name) in enumerate(PROTOCOLS.items()):
            keep = (part["method"] == method) & (part["reading"] == name)
            means = part[keep].groupby("lam")["value"].mean()
            ax.plot(means.index, means.to_numpy(), marker="os"[k], label=protocol)
        best = float(chosen.loc[chosen["method"] == method, "value"].iloc[0])
        ax.axvline(best, color=PALETTE[3], linestyle=":", label="chosen")
        ax.set_xscale("log")
        ax.set_title(method)
        ax.set_xlabel("lambda")
    axes[0][0].set_ylabel("MAP on held-out training pairs")
    axes[0][-1].legend()
    return fig


def topics_figure(rows: pd.DataFrame, n_topics: int) -> Figure:
    """MAP against the number of topics (Wikipedia, one run)."""
    part = rows[rows["table"] == "extra:topics"]
    pieces = part["setting"].str.split(";", expand=True)
    count = pieces[0].str.removeprefix("topics=").astype(int)
    part = part.assign(topics=count, space=pieces[1])
    main = rows[(rows["table"] == "1") & (rows["dataset"] == "wikipedia_pairs")]
    main = main[(main["run"] == 0) & main["method"].isin(set(part["method"]))]
    main = main.assign(topics=n_topics, space=main["setting"].str.split(";").str[0])
    part = pd.concat([part, main[main["reading"].isin(list(PROTOCOLS.values()))]])
    fig, axes = new_figure(1, 2, width=8.0, height=3.0)
    styles = series_styles(sorted(set(part["method"])))
    for ax, (protocol, name) in zip(axes, PROTOCOLS.items(), strict=True):
        for method, style in styles.items():
            for space, dash in (("topic", "--"), ("semantic", "-")):
                keep = (part["method"] == method) & (part["space"] == space)
                means = part[keep & (part["reading"] == name)].groupby("topics")["value"].mean()
                options = {**style, "linestyle": dash}
                ax.plot(means.index, means.to_numpy(), label=f"{method}, {space}", **options)
        ax.set_xscale("log")
        ax.set_title(f"{protocol} protocol")
        ax.set_xlabel("topics")
    axes[0].set_ylabel("mean average precision")
    axes[1].legend()
    return fig


def objective_figure(rows: pd.DataFrame) -> Figure:
    """Objective (8) sweep by sweep, and both l2 updates from the exact solution."""
    part = rows[rows["table"] == "extra:objective"]
    pieces = part["setting"].str.split(";", expand=True)
    sweep = pieces[1].str.removeprefix("sweep=").astype(int)
    part = part.assign(start=pieces[0], sweep=sweep)
    styles = series_styles(list(dict.fromkeys(part["method"])))
    fig, axes = new_figure(1, 2, width=8.6, height=3.2)
    for ax, first in zip(axes, ("random start", "from the exact solution"), strict=True):
        for method, style in styles.items():
            keep = (part["start"] == first) & (part["method"] == method)
            if keep.any():
                options = {**style, "marker": None}
                curve(ax, part[keep], "sweep", label=method, **options)
        ax.set_title(first)
        ax.set_xlabel("sweep")
        ax.legend()
    axes[0].set_ylabel("objective per pair")
    return fig


def composition_figure(details: Mapping[str, Any], protocol: str) -> Figure:
    """Figure 2: leading topics of some test images and tags sampled from their mixtures."""
    examples: Sequence[Mapping[str, Any]] = details["examples"]
    words = details["top_words"]
    n = len(examples)
    fig, axes = new_figure(n, 1, width=8.4, height=1.55 * n + 0.4, squeeze=False)
    for ax, example in zip(axes[:, 0], examples, strict=True):
        shown = example[protocol]
        places = np.arange(len(shown["topics"]))
        ax.barh(places, shown["shares"], color=PALETTE[0], height=0.7)
        names = [" ".join(words[k][:4]) for k in shown["topics"]]
        ax.set_yticks(places, names, fontsize=6.5)
        ax.invert_yaxis()
        tags = ", ".join(shown["tags"])
        ax.set_title(f"{example['category']}: {tags}", fontsize=7.5, loc="left")
        ax.set_xlim(0, max(0.5, 1.05 * max(shown["shares"])))
    axes[-1, 0].set_xlabel("share of the topic in the image")
    return fig


def composition_alt(details: Mapping[str, Any], protocol: str) -> str:
    """Text alternative of the figure above."""
    words = details["top_words"]
    pieces = []
    for example in details["examples"]:
        shown = example[protocol]
        name, tags = " ".join(words[shown["topics"][0]][:3]), ", ".join(shown["tags"][:5])
        pieces.append(
            f"{example['category']}: topic '{name}' ({shown['shares'][0]:.2f}), tags {tags}"
        )
    return "Topic compositions of test images. " + "; ".join(pieces)


def words_table(details: Mapping[str, Any]) -> pd.DataFrame:
    """Leading words of every topic."""
    words = [", ".join(words) for words in details["top_words"]]
    return pd.DataFrame({"topic": range(len(words)), "leading words": words})


def curves_alt(rows: pd.DataFrame, dataset: str) -> str:
    """Text alternative of the precision-recall figure, from Table 1's numbers."""
    pieces = [
        f"{m}: semantic MAP {mean_of(rows, dataset, m, 'joint', 'semantic'):.2f} joint, "
        f"{mean_of(rows, dataset, m, 'honest', 'semantic'):.2f} honest"
        for m in METHODS[1:]
    ]
    return "Precision against recall in four panels. " + "; ".join(pieces)
