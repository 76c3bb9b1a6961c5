"""Tables and figures of the clustering page; everything is computed from the result rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from reproduction.pages.data_names import DataNames
from reproduction.pages.figures import PALETTE, curve, new_figure
from reproduction.verdicts.claims import pair, paired_test, setting_number

NAMES = DataNames("coplsa_clustering", {
    "reuters": "Reuters (600 documents)", "corel5k": "Corel5K",
    "nus_wide": "NUS-Wide (surrogate)", "digits": "Digits (stand-in)",
})  # fmt: skip
METRICS = {"accuracy_pct": "accuracy %", "nmi_pct": "NMI %"}
SCALES = {
    "raw": "as distributed", "l1": "rows sum to 1", "l2": "unit rows", "sqrt": "square root",
    "binary": "0/1",
}  # fmt: skip
PLACEBO = "control:CoPLSA(2) shuffled"
STRENGTHS = {
    "paper": "the paper's",
    "lambda=rescaled": "rescaled by documents",
    "lambda=strong": "strong",
}
RHO_EDGE = 0.04  # below it the printed update was never seen to lower the objective
ON = ("dataset", "run")


def _names(frame: pd.DataFrame) -> pd.Series:
    return frame["dataset"].map(lambda key: NAMES.get(key, key))


def _mean_and_spread(values: pd.Series) -> str:
    spread = values.std(ddof=1)
    text = f"{values.mean():.1f}"
    return text if pd.isna(spread) else f"{text} ± {spread:.1f}"


def _wide(rows: pd.DataFrame, index: Sequence[str], columns: str) -> pd.DataFrame:
    """Mean ± deviation over runs, in the order the rows first name things."""
    grouped = rows.groupby([*index, columns], sort=False)["value"].apply(_mean_and_spread)
    wide = grouped.unstack(columns).fillna("")
    order = list(dict.fromkeys(rows[columns]))
    return wide[order].reset_index()


def choice_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Score of every view under the paper's rule and two that see no labels; * marks the choice."""
    part = rows[rows["table"] == "choice"]
    titles = {
        "accuracy": "k-means accuracy (labels)",
        "silhouette": "silhouette",
        "likelihood": "PLSA, nats per word",
    }
    records = []
    for dataset, group in part.groupby("dataset", sort=False):
        order = _view_order(str(dataset), list(dict.fromkeys(group["method"])))
        score = {
            (view, rule): float(
                group[(group["method"] == view) & (group["setting"] == rule)]["value"].mean()
            )
            for view in order
            for rule in titles
        }
        for view in order:
            record: dict[str, Any] = {"data set": NAMES.get(str(dataset), dataset), "view": view}
            for rule, title in titles.items():
                best = max(order[:2], key=lambda name: score[name, rule])
                record[title] = f"{score[view, rule]:.3f}" + (" *" if view == best else "")
            records.append(record)
    return pd.DataFrame(records)


def _view_order(dataset: str, found: Sequence[str]) -> list[str]:
    """The paper's order of the views: first, second, third."""
    known = {
        "reuters": ("EN", "SP", "FR"),
        "digits": ("fou", "fac", "pix"),
        "corel5k": ("rgb", "sift", "lbp"),
        "nus_wide": ("rgb", "sift", "lbp"),
    }
    return [view for view in known.get(dataset, tuple(found)) if view in found]


def readings_table(rows: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    """Table 1 under every reading of the given methods."""
    part = rows[(rows["table"] == "1") & rows["method"].isin(list(methods))].copy()
    part["data set"] = _names(part)
    part["metric"] = part["metric"].map(METRICS)
    order = {"paper": 0}
    part = part.sort_values(
        by="reading", key=lambda s: s.map(lambda r: (order.get(r, 1), r)), kind="stable"
    )
    return _wide(part, ["data set", "method", "reading"], "metric")


def scale_table(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """K-means, PLSA and CoPLSA(2) on every scale of the input."""
    part = rows[(rows["table"] == "silent:scale") & (rows["metric"] == metric)].copy()
    part["data set"] = _names(part)
    part["scale"] = part["setting"].str.removeprefix("scale=").map(SCALES)
    part["on"] = part["reading"].str.removeprefix("view=")
    place = {name: i for i, name in enumerate(SCALES.values())}
    part = part.sort_values("scale", key=lambda s: s.map(place), kind="stable")
    return _wide(part, ["data set", "method", "on"], "scale")


def sift_table(rows: pd.DataFrame) -> pd.DataFrame:
    """K-means and PLSA on the constructions of SIFT words, beside colour and texture."""
    part = rows[(rows["table"] == "silent:sift") & rows["metric"].isin(METRICS)].copy()
    part["scale"] = part["reading"].str.removeprefix("scale=").map(SCALES)
    part["view"] = part["setting"]
    part["what"] = part["method"] + ", " + part["metric"].map(METRICS)
    table = _wide(part, ["view", "scale"], "what")
    free = rows[(rows["table"] == "silent:sift") & rows["metric"].isin(["silhouette"])]
    value = {(s, r): float(v) for s, r, v in free[["setting", "reading", "value"]].to_numpy()}
    back = {title: key for key, title in SCALES.items()}
    table["silhouette (no labels)"] = [
        f"{value[view, f'scale={back[scale]}']:.3f}"
        for view, scale in zip(table["view"], table["scale"], strict=True)
    ]
    return table


def differences(rows: pd.DataFrame, metric: str = "accuracy_pct") -> pd.DataFrame:
    """What CoPLSA and its placebo gain over PLSA on the same view from the same starts."""
    table = rows[(rows["table"] == "1") & (rows["metric"] == metric)]
    records = []
    for dataset, part in table.groupby("dataset", sort=False):
        plsa = part[(part["method"] == "PLSA + BOVF") & (part["reading"] == "paper")]
        for method in ("CoPLSA(2)", "CoPLSA(3)", PLACEBO):
            for reading, strength in STRENGTHS.items():
                mine = part[(part["method"] == method) & (part["reading"] == reading)]
                ours, base = pair(mine, plsa, ON)
                if ours.size < 2:
                    continue
                test = paired_test(ours, base, alternative="two-sided")
                records.append(
                    {
                        "data set": NAMES.get(str(dataset), str(dataset)),
                        "method": "placebo" if method == PLACEBO else method,
                        "lambda": strength,
                        "difference": test.difference,
                        "low": test.low,
                        "high": test.high,
                        "p-value": test.p_value,
                        "runs": test.n,
                    }
                )
    return pd.DataFrame(records)


def view_gains(rows: pd.DataFrame, metric: str = "accuracy_pct") -> pd.DataFrame:
    """What each of the two views gains from the other: CoPLSA(2) minus PLSA, view by view."""
    table = rows[(rows["table"] == "1") & (rows["metric"] == metric)]
    records = []
    for dataset, part in table.groupby("dataset", sort=False):
        plsa = part[part["method"] == "PLSA + BOVF"]
        mine = part[part["method"] == "CoPLSA(2)"]
        views = _view_order(str(dataset), [r.removeprefix("view=") for r in plsa["reading"]])
        for view in views[:2]:
            for reading, strength in STRENGTHS.items():
                name = f"view={view}" if reading == "paper" else f"{reading} view={view}"
                ours, base = pair(
                    mine[mine["reading"] == name], plsa[plsa["reading"] == f"view={view}"], ON
                )
                if ours.size < 2:
                    continue
                test = paired_test(ours, base, alternative="two-sided")
                records.append(
                    {
                        "data set": NAMES.get(str(dataset), str(dataset)),
                        "view": view,
                        "lambda": strength,
                        "PLSA": float(base.mean()),
                        "CoPLSA(2)": float(ours.mean()),
                        "gain": test.difference,
                        "p-value": test.p_value,
                        "runs": test.n,
                    }
                )
    return pd.DataFrame(records)


def difference_figure(rows: pd.DataFrame) -> Figure:
    """Gains over PLSA with 95 % intervals."""
    fig, axes = new_figure(1, 2, width=8.6, height=5.0, sharey=True)
    colours = {"CoPLSA(2)": PALETTE[0], "CoPLSA(3)": PALETTE[1], "placebo": PALETTE[3]}
    for ax, (metric, title) in zip(axes, METRICS.items(), strict=True):
        frame = differences(rows, metric).iloc[::-1].reset_index(drop=True)
        for position, row in enumerate(frame.itertuples()):
            colour = colours[str(row.method)]
            ax.plot([row.low, row.high], [position, position], color=colour, lw=1.6)
            ax.plot([row.difference], [position], "o", color=colour, ms=5)
        ax.axvline(0.0, color="0.5", lw=0.8)
        ax.set_xlabel(f"{title}: gain over PLSA, same starts")
        short = [
            f"{name.split(' (')[0]}, {method}, λ {lam.removeprefix('the ').split()[0]}"
            for name, method, lam in frame[["data set", "method", "lambda"]].itertuples(index=False)
        ]
        ax.set_yticks(range(len(frame)), short)
    return fig


def lambda_panels(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Data sets and scales for which Figure 2 was measured, in order."""
    part = rows[rows["table"] == "fig2"]
    panels = []
    for dataset in NAMES:
        for scale in ("raw", "l1"):
            reading = "paper" if scale == "raw" else f"scale={scale}"
            if ((part["dataset"] == dataset) & (part["reading"] == reading)).any():
                panels.append((dataset, scale))
    return panels


def lambda_figure(rows: pd.DataFrame, metric: str = "accuracy_pct") -> Figure:
    """Figure 2: the score against lambda for both updates, the ratio rho on a second axis."""
    panels = lambda_panels(rows)
    columns = 2
    height = -(-len(panels) // columns)
    fig, axes = new_figure(height, columns, width=8.6, height=2.5 * height, squeeze=False)
    for ax in axes.flat[len(panels) :]:
        ax.set_visible(False)
    for ax, (dataset, scale) in zip(axes.flat, panels, strict=False):
        base = "" if scale == "raw" else f"scale={scale} "
        part = rows[(rows["table"] == "fig2") & (rows["dataset"] == dataset)].copy()
        part["x"] = part["setting"].map(setting_number)
        for update, colour, dash in (
            ("", PALETTE[0], "-"),
            ("update=safeguarded", PALETTE[1], "--"),
        ):
            reading = (base + update).strip() or "paper"
            chosen = part[(part["reading"] == reading) & (part["metric"] == metric)]
            chosen = chosen[chosen["method"] == "CoPLSA(2)"]
            label = "safeguarded" if update else "printed"
            curve(ax, chosen, "x", label=label, color=colour, linestyle=dash, marker="o", ms=3)
        shuffled = part[(part["method"] == PLACEBO) & (part["metric"] == metric)]
        shuffled = shuffled[shuffled["reading"] == (base.strip() or "paper")]
        if len(shuffled):
            grey: dict[str, Any] = {"color": "0.5", "linestyle": "-.", "marker": "x", "ms": 3}
            curve(ax, shuffled, "x", label="partner shuffled", band=False, **grey)
        ax.set_xscale("log")
        ax.xaxis.set_minor_formatter(NullFormatter())  # labels within a decade would collide
        ax.set_title(f"{NAMES[dataset]}, {SCALES[scale]}", fontsize=9)
        ax.set_xlabel("λ")
        ax.set_ylabel(METRICS[metric])
        twin = ax.twinx()
        printed = base.strip() or "paper"
        rho = part[(part["reading"] == printed) & (part["metric"] == "rho_max")]
        mean = rho.groupby("x")["value"].mean()
        twin.plot(
            mean.index, np.maximum(mean.to_numpy(), 1e-9), color=PALETTE[3], ls=":", label="ρ"
        )
        twin.axhline(RHO_EDGE, color=PALETTE[3], lw=0.6, alpha=0.6)
        twin.set_yscale("log")
        twin.yaxis.set_minor_formatter(NullFormatter())
        twin.grid(visible=False)
        twin.set_ylabel("largest ρ")
        ax.legend(loc="lower left", fontsize=7)
    return fig


def silent_figure(rows: pd.DataFrame, table: str, xlabel: str) -> Figure:
    """Accuracy against sigma or against the share of pairs, for each strength of the penalty."""
    part = rows[(rows["table"] == table) & (rows["metric"] == "accuracy_pct")].copy()
    part = part[~part["setting"].str.endswith("=mean")]
    part["x"] = part["setting"].map(setting_number)
    datasets = [name for name in NAMES if (part["dataset"] == name).any()]
    fig, axes = new_figure(1, len(datasets), width=8.6, height=3.0, squeeze=False)
    for ax, dataset in zip(axes.flat, datasets, strict=True):
        here = part[part["dataset"] == dataset]
        readings = [r for r in dict.fromkeys(here["reading"]) if "safeguarded" not in r]
        for i, reading in enumerate(sorted(readings, key=lambda r: r != "paper")):
            label = "λ of the paper" if reading == "paper" else reading.replace("lambda", "λ")
            chosen = here[here["reading"] == reading]
            curve(ax, chosen, "x", label=label, color=PALETTE[i], marker="os^"[i % 3], ms=3)
        ax.set_xscale("log")
        ax.set_title(NAMES[dataset], fontsize=9)
        ax.set_xlabel(xlabel)
        ax.set_ylabel("accuracy %")
        ax.legend(fontsize=7)
    return fig


def iterations_figure(rows: pd.DataFrame, caps: Mapping[str, int]) -> Figure:
    """Accuracy against EM iterations; a line marks the cap behind Table 1."""
    part = rows[(rows["table"] == "silent:iterations") & (rows["metric"] == "accuracy_pct")].copy()
    part["x"] = part["setting"].map(setting_number)
    datasets = [name for name in NAMES if (part["dataset"] == name).any()]
    fig, axes = new_figure(1, len(datasets), width=8.6, height=2.8, squeeze=False)
    for ax, dataset in zip(axes.flat, datasets, strict=True):
        here = part[part["dataset"] == dataset]
        for i, method in enumerate(("PLSA + BOVF", "CoPLSA(2)")):
            chosen = here[here["method"] == method]
            curve(ax, chosen, "x", label=method, color=PALETTE[i], marker="os"[i], ms=3)
        ax.axvline(caps[dataset], color="0.5", lw=0.8, ls=":")
        ax.set_xscale("log")
        ax.set_title(NAMES[dataset], fontsize=9)
        ax.set_xlabel("EM iterations")
        ax.set_ylabel("accuracy %")
        ax.legend(fontsize=7)
    return fig


def iterations_text(rows: pd.DataFrame, caps: Mapping[str, int]) -> str:
    """Say what the cap costs: accuracy near it and after the most iterations tried."""
    part = rows[(rows["table"] == "silent:iterations") & (rows["metric"] == "accuracy_pct")].copy()
    part["x"] = part["setting"].map(setting_number).astype(int)
    parts = []
    for dataset, cap in caps.items():
        mean = part[part["dataset"] == dataset].groupby(["method", "x"])["value"].mean()
        steps = sorted(mean.index.get_level_values("x").unique())
        near = min(steps, key=lambda step: abs(step - cap))
        moves = [
            f"{method} from {mean[method, near]:.1f} to {mean[method, steps[-1]]:.1f} %"
            for method in ("PLSA + BOVF", "CoPLSA(2)")
        ]
        parts.append(
            f"on {NAMES[dataset]} (cap {cap}) {' and '.join(moves)} "
            f"between {near} and {steps[-1]} iterations"
        )
    return f"Accuracy moves {'; '.join(parts)}."


def missing_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Accuracy when a share of the best view's rows is hidden."""
    part = rows[(rows["table"] == "extra:missing") & (rows["metric"] == "accuracy_pct")].copy()
    part["data set"] = _names(part)
    part["hidden %"] = [f"{100 * setting_number(s):.0f}" for s in part["setting"]]
    part["rows"] = part["reading"].str.removeprefix("rows=")
    return _wide(part, ["data set", "hidden %"], "rows")


def diagnostics_table(rows: pd.DataFrame) -> pd.DataFrame:
    """How strongly the penalty pulled in Table 1, and whether the objective ever fell."""
    part = rows[(rows["table"] == "extra:diagnostics") & rows["method"].str.startswith("CoPLSA")]
    means = part.groupby(["dataset", "method", "reading", "metric"], sort=False)["value"].mean()
    wide = means.unstack("metric").reset_index()
    wide["dataset"] = wide["dataset"].map(lambda key: NAMES.get(key, key))
    titles = {
        "dataset": "data set", "rho_mean": "mean ρ", "rho_max": "largest ρ",
        "negative_pct": "negative entries %", "decreases": "iterations with a fall",
        "unsafe_steps": "unsafe steps",
    }  # fmt: skip
    return wide[["dataset", "method", "reading", *list(titles)[1:]]].rename(columns=titles)


def cost_points(rows: pd.DataFrame, timings: pd.DataFrame, what: str) -> pd.DataFrame:
    """Size of the work and seconds per iteration, of one of the two series of sizes."""
    sizes = rows[(rows["table"] == "extra:cost") & (rows["metric"] == what)]
    sizes = sizes[sizes["setting"].str.startswith(f"{what} ")]
    size = {s.removeprefix(f"{what} "): v for s, v in sizes[["setting", "value"]].to_numpy()}
    times = timings[timings["table"] == f"time:{what}"]
    frame = times.assign(size=times["setting"].map(size))[["setting", "size", "value"]]
    return frame.rename(columns={"value": "seconds"}).sort_values("size")


def cost_figure(rows: pd.DataFrame, timings: pd.DataFrame) -> Figure:
    """Seconds per iteration against pairs and against non-zeros, with the straight line."""
    fig, axes = new_figure(1, 2, width=8.2, height=3.0)
    titles = {"pairs": "document pairs", "words": "non-zeros of both views"}
    for ax, (what, title) in zip(axes, titles.items(), strict=True):
        points = cost_points(rows, timings, what)
        x, y = points["size"].to_numpy(dtype=float), points["seconds"].to_numpy(dtype=float)
        slope, start = np.polyfit(x, y, 1)
        ax.plot(x, start + slope * x, color=PALETTE[1], lw=1.0)
        ax.plot(x, y, "o", color=PALETTE[0])
        ax.set_xlabel(title)
        ax.set_ylabel("seconds per iteration")
        ax.set_ylim(bottom=0)
        ax.set_xlim(left=0)
    return fig


def straightness(rows: pd.DataFrame, timings: pd.DataFrame, what: str) -> float:
    """Share of the variance of the times that a straight line explains."""
    points = cost_points(rows, timings, what)
    if len(points) < 3:
        return float("nan")
    return float(np.corrcoef(points["size"], points["seconds"])[0, 1] ** 2)


def mean_of(rows: pd.DataFrame, dataset: str, method: str, metric: str, reading: str) -> float:
    """Mean of one cell of Table 1 (NaN if it was not run)."""
    part = rows[
        (rows["table"] == "1") & (rows["dataset"] == dataset) & (rows["method"] == method)
        & (rows["metric"] == metric) & (rows["reading"] == reading)
    ]  # fmt: skip
    return float(part["value"].mean()) if len(part) else float("nan")
