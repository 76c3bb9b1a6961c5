"""Tables and figures of the two-view PA page; everything is computed from the result rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from reproduction.data.registry import load_registry, published_statistics
from reproduction.pages.data_names import DataNames
from reproduction.pages.figures import INK, PALETTE, curve, new_figure
from reproduction.papers.twoview_pa.claims import corrected_test
from reproduction.verdicts.claims import original_rows

NAMES = DataNames(
    "twoview_pa",
    {
        "ads": "Ads",
        "webkb_course": "WebKB",
        "product_review": "Product Review (surrogate)",
        "opinion_spam": "Opinion spam (stand-in)",
    },
)
FIGURES = {"ads": "Figure 1", "opinion_spam": "Figure 2, stand-in", "webkb_course": "Figure 3"}
TWO_VIEW, CAT, ALONE = "Two-view PA", "PA Cat", "PA on each view"
PUBLISHED_METHODS = ("PA View 1", "PA View 2", CAT, TWO_VIEW)
ROW_NAMES = {"binary": "0/1", "unit": "unit norm", "idf": "idf"}
TUNED = "tuned;rows and passes too"
_DIVERGING = LinearSegmentedColormap.from_list("loses-wins", ["#d9601a", "#f6f4f0", "#2f7fc1"])


def settings_of(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with the parts of ``setting`` (``rows=binary;C=0.1``) as columns."""
    parts = [
        dict(piece.split("=", 1) for piece in setting.split(";") if "=" in piece)
        for setting in rows["setting"]
    ]
    columns = pd.DataFrame(parts, index=rows.index)
    for name in ("C", "gamma", "passes"):
        if name in columns:
            columns[name] = pd.to_numeric(columns[name])
    return pd.concat([rows, columns], axis=1)


def statistics_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 1: published figures beside ours, and the rows that are empty in a view."""
    ours = rows[rows["table"] == "1"]
    registry = load_registry()
    known = {
        (key, statistic): str(value)
        for key in ours["dataset"].unique()
        if registry[key].role == "paper"
        for statistic, value, _ in published_statistics(registry[key])
    }
    records = []
    for dataset, part in ours.groupby("dataset", sort=False):
        triples = part[["setting", "metric", "value"]].to_numpy().tolist()
        value = {(setting, metric): int(number) for setting, metric, number in triples}
        views = part[part["method"] != "data set"].sort_values("method", kind="stable")
        for view in dict.fromkeys(views["setting"]):
            records.append(
                {
                    "data set": NAMES[str(dataset)],
                    "view": view,
                    "features, published": known.get((dataset, f"features:{view}"), ""),
                    "features": value[view, "dimension"],
                    "positive": value["all", "positive"],
                    "negative": value["all", "negative"],
                    "total, published": known.get((dataset, "documents"), ""),
                    "total": value["all", "total"],
                    "empty rows": value[view, "empty_rows"],
                }
            )
    return pd.DataFrame(records)


def readings_table(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Mean F1 of every method when one silent choice is changed at a time."""
    part = rows[(rows["table"] == "2") & (rows["dataset"] == dataset)]
    part = part[~part["reading"].str.startswith("tuned") & (part["reading"] != "gamma=C/2")]
    part = part[part["method"].isin([*PUBLISHED_METHODS, "control:sum of two PA"])
                | part["method"].str.startswith(TWO_VIEW)]  # fmt: skip
    wide = part.pivot_table(index="reading", columns="method", values="value", sort=False)
    kinds = ("paper", "passes", "rows", "order", "scored", "empty")
    order = sorted(wide.index, key=lambda name: (kinds.index(name.split("=")[0]), len(name), name))
    columns = [*PUBLISHED_METHODS, *(c for c in wide.columns if c not in PUBLISHED_METHODS)]
    return wide.loc[order, columns].round(1)


def methods_table(rows: pd.DataFrame) -> pd.DataFrame:
    """F1 of all methods in the declared reading, mean ± deviation over folds."""
    part = rows[(rows["table"] == "2") & (rows["reading"] == "paper")]
    groups = part.groupby(["method", "dataset"])["value"]
    texts = groups.agg(lambda f1: f"{f1.mean():.1f} ± {f1.std(ddof=1):.1f}").unstack("dataset")
    others = sorted(m for m in texts.index if m not in PUBLISHED_METHODS)
    columns = [d for d in NAMES if d in texts.columns]
    shown = texts.loc[[*PUBLISHED_METHODS, *others], columns]
    return shown.rename(columns=NAMES)


def identical_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Largest weight difference to single-view PA-I when view 1 is given twice."""
    part = original_rows(rows[rows["table"] == "extra:identical views"])
    where = part["dataset"].map(NAMES) + ", " + part["setting"]
    part = part.assign(where=where)
    return part.pivot_table(index="method", columns="where", values="value", aggfunc="max")


def advantage(rows: pd.DataFrame) -> pd.DataFrame:
    """Two-view minus Cat at every grid point, mean over repetitions (Cat at the same C)."""
    grid = settings_of(rows[(rows["table"] == "grid") & rows["method"].isin([TWO_VIEW, CAT])])
    shared = ["dataset", "rows", "order", "passes", "C"]
    cat = grid[grid["method"] == CAT].groupby([*shared, "run"])["value"].mean().rename("cat")
    two = grid[grid["method"] == TWO_VIEW].join(cat, on=[*shared, "run"])
    two["difference"] = two["value"] - two["cat"]
    groups = two.groupby([*shared, "gamma", "empty"], sort=True)
    return groups["difference"].agg(["mean", "min", "max"]).reset_index()


def tuned_difference(rows: pd.DataFrame, dataset: str, reading: str, other: str = CAT) -> Any:
    """Mean of two-view minus ``other`` under nested choice and its two-sided p-value, or None."""
    part = rows[(rows["dataset"] == dataset) & (rows["reading"] == reading)]
    wide = part.pivot_table(index="run", columns="method", values="value")
    if wide.empty or not {TWO_VIEW, other} <= set(wide.columns):
        return None
    folds = int(part["setting"].iloc[0].split("-fold")[0])
    gap = (wide[TWO_VIEW] - wide[other]).to_numpy()
    mean, upper = corrected_test(gap, folds)
    return mean, 2 * min(upper, 1 - upper), wide[TWO_VIEW].mean(), wide[other].mean()


def _heat_values(
    table: pd.DataFrame, rows: pd.DataFrame, dataset: str, C: float
) -> tuple[np.ndarray, list[str], list[str]]:
    """Matrix of one panel: row scaling and passes down, gamma and the tuned column across."""
    table = table[(table["order"] == "shuffled") & (table["empty"] == "zero")]
    table = table[np.isclose(table["C"], C)]
    gammas = sorted(table["gamma"].unique())
    lines = [
        (r, p)
        for r in ROW_NAMES
        for p in sorted(table["passes"].unique())
        if ((table["rows"] == r) & (table["passes"] == p)).any()
    ]
    part = table[table["dataset"] == dataset]
    values = np.full((len(lines), len(gammas) + 1), np.nan)
    for i, (scaling, passes) in enumerate(lines):
        line = part[(part["rows"] == scaling) & (part["passes"] == passes)].set_index("gamma")
        values[i, :-1] = line["mean"].reindex(gammas).to_numpy()
        tuned = tuned_difference(rows, dataset, f"tuned;rows={scaling};passes={int(passes)}")
        values[i, -1] = np.nan if tuned is None else tuned[0]
    down = [f"{ROW_NAMES[r]}, {int(p)} pass{'es' if p > 1 else ''}" for r, p in lines]
    return values, down, [*(f"{g:g}" for g in gammas), "tuned"]


def heat_map(rows: pd.DataFrame, C: float = 0.1, gamma: float = 0.5) -> Figure:
    """Where two-view PA beats the concatenation (blue) and where it loses (orange)."""
    table = advantage(rows)
    datasets = [d for d in ("ads", "webkb_course", "opinion_spam") if d in set(table["dataset"])]
    fig, axes = new_figure(1, len(datasets), width=9.6, height=4.3, sharey=True, squeeze=False)
    limit = 6.0
    for ax, dataset in zip(axes[0], datasets, strict=True):
        values, down, across = _heat_values(table, rows, dataset, C)
        norm = TwoSlopeNorm(0.0, -limit, limit)
        ax.pcolormesh(
            np.ma.masked_invalid(values), cmap=_DIVERGING, norm=norm, edgecolors=INK, linewidth=0.4
        )
        for (i, j), value in np.ndenumerate(values):
            if np.isfinite(value):
                ax.text(j + 0.5, i + 0.5, f"{value:+.1f}", ha="center", va="center",
                        fontsize=6.5, color="#15181c")  # fmt: skip
        if f"{gamma:g}" in across:
            place = (across.index(f"{gamma:g}"), 0)
            ax.add_patch(Rectangle(place, 1, 1, fill=False, edgecolor=INK, linewidth=2.4))
        ax.set_xticks(np.arange(len(across)) + 0.5, across, fontsize=7.5)
        ax.set_yticks(np.arange(len(down)) + 0.5, down, fontsize=7.5)
        ax.set_ylim(len(down), 0)
        ax.set_title(NAMES[dataset])
        ax.set_xlabel(f"gamma (C = {C:g}; tuned: both nested)", fontsize=8)
        ax.grid(False)
    return fig


def heat_alt(rows: pd.DataFrame) -> str:
    """Text alternative of the heat map, from the same numbers."""
    table = advantage(rows)
    pieces = []
    for dataset, part in table[table["order"] == "shuffled"].groupby("dataset"):
        share = 100 * float((part["mean"] > 0).mean())
        pieces.append(f"{NAMES[str(dataset)]}: two-view PA ahead at {share:.0f} % of grid points")
    return "Heat map of F1 of two-view PA minus F1 of PA on the concatenation. " + "; ".join(pieces)


def shares_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Share of grid points at which two-view PA is ahead of the concatenation, by silent choice.

    Surrogates are left out, unless there is nothing else.
    """
    real = rows[rows["provenance"] != "surrogate"]
    table = advantage(real if (real["table"] == "grid").any() else rows)
    records = []
    for (dataset, order, scaling), part in table.groupby(["dataset", "order", "rows"]):
        sound = part[part["empty"] != "limit"]
        small = sound[sound["gamma"] <= sound["C"] / 2]
        records.append(
            {
                "data set": NAMES[str(dataset)],
                "order": order,
                "rows": ROW_NAMES[str(scaling)],
                "grid points": len(sound),
                "ahead, %": 100 * float((sound["mean"] > 0).mean()),
                "ahead in every repetition, %": 100 * float((sound["min"] > 0).mean()),
                "ahead when gamma <= C/2, %": 100 * float((small["mean"] > 0).mean()),
                "mean difference": float(sound["mean"].mean()),
            }
        )
    return pd.DataFrame(records).round(1)


def closest_readings(rows: pd.DataFrame, published: pd.DataFrame, top: int = 5) -> pd.DataFrame:
    """Grid points whose four F1 values lie nearest to the published rows (root mean square)."""
    grid = settings_of(rows[rows["table"] == "grid"])
    shared = ["rows", "order", "passes", "C"]
    target = published[published["paper"] == "twoview_pa"]
    frames = []
    for dataset, label in (("ads", "Ads"), ("webkb_course", "WebKB")):
        goal = target[target["dataset"] == label].set_index("method")["mean"].astype(float)
        part = grid[grid["dataset"] == dataset]
        if part.empty:
            continue
        singles = part[part["method"].isin(PUBLISHED_METHODS[:3])]
        wide = singles.pivot_table(index=shared, columns="method", values="value")
        two = part[part["method"] == TWO_VIEW].groupby([*shared, "gamma", "empty"])["value"].mean()
        joined = two.rename(TWO_VIEW).reset_index().join(wide, on=shared)
        gaps = joined[list(PUBLISHED_METHODS)] - goal[list(PUBLISHED_METHODS)]
        joined["distance"] = np.sqrt((gaps**2).mean(axis=1))
        joined.insert(0, "data set", NAMES[dataset])
        frames.append(joined)
    both = pd.concat(frames, ignore_index=True)
    keys = [*shared, "gamma", "empty"]
    joint = both.groupby(keys)["distance"].agg(lambda d: float(np.sqrt((d**2).mean())))
    nearest = [
        part.nsmallest(top, "distance", keep="first").assign(rank=range(1, top + 1))
        for _, part in both.groupby("data set", sort=True)
    ]
    if both["data set"].nunique() == 2:
        for rank, key in enumerate(joint.nsmallest(top).index, start=1):
            chosen = both.set_index(keys).loc[[key]].reset_index().assign(rank=rank)
            nearest.append(
                chosen.assign(**{"data set": chosen["data set"] + ", one reading for both"})
            )
    shown = pd.concat(nearest, ignore_index=True)
    columns = ["data set", "rank", *keys, *PUBLISHED_METHODS, "distance"]
    return shown[columns].round(dict.fromkeys((*PUBLISHED_METHODS, "distance"), 2))


def tuned_table(rows: pd.DataFrame) -> pd.DataFrame:
    """F1 with everything chosen by nested cross-validation, and the test against the rivals."""
    records = []
    for dataset in NAMES:
        part = rows[(rows["dataset"] == dataset) & (rows["reading"] == TUNED)]
        means = part.groupby("method")["value"].mean()
        for other in (CAT, "control:sum of two PA"):
            found = tuned_difference(rows, dataset, TUNED, other)
            if found is not None:
                records.append(
                    {
                        "data set": NAMES[dataset],
                        "Two-view PA": found[2],
                        "Two-view PA, exact": means.get("Two-view PA, exact", np.nan),
                        "against": other,
                        "its F1": found[3],
                        "difference": found[0],
                        "p-value": found[1],
                    }
                )
    return pd.DataFrame(records).round(3)


def conclusion(rows: pd.DataFrame) -> str:
    """Two sentences: where two-view PA beats the concatenation, with the tests."""
    table = advantage(rows)
    sound = table[(table["order"] == "shuffled") & (table["empty"] != "limit")]
    shares, tests = [], []
    for dataset in ("ads", "webkb_course", "opinion_spam"):
        part = sound[sound["dataset"] == dataset]
        if part.empty:
            continue
        share = 100 * float((part["mean"] > 0).mean())
        by_rows = 100 * (part["mean"] > 0).groupby(part["rows"]).mean()
        best, most = ROW_NAMES[str(by_rows.idxmax())], by_rows.max()
        shares.append(f"{share:.0f} % on {NAMES[dataset]} (at most {most:.0f} %, with {best} rows)")
        found = tuned_difference(rows, dataset, TUNED)
        if found is not None:
            tests.append(f"{NAMES[dataset]} {found[0]:+.1f} points (p = {found[1]:.2g})")
    return (
        "Of all grid points with shuffled rows, two-view PA is ahead of PA on the concatenation at "
        f"{', '.join(shares)}. "
        "When rows, passes, C and gamma are chosen by nested cross-validation for both, the "
        f"difference is {', '.join(tests)} by the corrected paired t-test."
    )


def difference_figure(rows: pd.DataFrame, details: Mapping[str, Mapping[str, Any]]) -> Figure:
    """Figures 1 to 3: view difference per round (above) and cumulative (below)."""
    datasets = [d for d in FIGURES if d in details]
    fig, axes = new_figure(2, len(datasets), width=9.6, height=5.0, squeeze=False, sharex="col")
    colours = {TWO_VIEW: PALETTE[0], ALONE: PALETTE[1], "Two-view PA, exact": PALETTE[2]}
    for column, dataset in enumerate(datasets):
        traces = details[dataset]["difference_per_round"]
        upper, lower = axes[0][column], axes[1][column]
        for method in (ALONE, TWO_VIEW):
            trace = np.asarray(traces[method])
            chosen = np.unique(np.linspace(0, trace.size - 1, 350).astype(int))
            upper.plot(chosen + 1, trace[chosen], ".", markersize=2.5, alpha=0.7,
                       color=colours[method], label=method)  # fmt: skip
        part = rows[(rows["dataset"] == dataset) & (rows["metric"] == "cumulative_view_difference")]
        part = part.assign(round=part["setting"].str.removeprefix("round=").astype(int))
        for method, colour in colours.items():
            curve(lower, part[part["method"] == method], "round", label=method, color=colour)
        upper.set_title(f"{FIGURES[dataset]}: {NAMES[dataset]}", fontsize=8.5)
        lower.set_xlabel("round")
    axes[0][0].set_ylabel("view difference")
    axes[1][0].set_ylabel("cumulative (mean so far)")
    axes[0][0].legend()
    axes[1][0].legend()
    return fig


def difference_alt(rows: pd.DataFrame) -> str:
    """Text alternative of the figures: mean view difference per data set and method."""
    part = rows[(rows["metric"] == "mean_view_difference") & (rows["reading"] == "paper")]
    means = part.groupby(["dataset", "method"])["value"].mean()
    pieces = [
        f"{NAMES[d]}: two-view PA {means[d, TWO_VIEW]:.2f}, single PAs {means[d, ALONE]:.2f}"
        for d in FIGURES
        if (d, TWO_VIEW) in means.index
    ]
    return "View difference per round and cumulative; mean over all rounds. " + "; ".join(pieces)


def difference_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean view difference over all rounds, for every row scaling."""
    part = rows[rows["metric"] == "mean_view_difference"].copy()
    part["rows"] = part["reading"].replace({"paper": "rows=binary"}).str.removeprefix("rows=")
    part["rows"] = part["rows"].map(ROW_NAMES)
    part["data set"] = part["dataset"].map(NAMES)
    methods = [ALONE, TWO_VIEW, "Two-view PA, eq. 11", "Two-view PA, exact"]
    part = part[part["method"].isin(methods)]
    wide = part.pivot_table(
        index=["rows", "data set"], columns="method", values="value", sort=False
    )
    return wide[[m for m in methods if m in wide.columns]].round(3)


def extra_table(rows: pd.DataFrame, table: str) -> pd.DataFrame:
    """Mean and deviation of an open problem's methods for every gamma."""
    part = settings_of(rows[rows["table"] == table])
    groups = part.groupby(["method", "gamma"])["value"]
    frame = groups.agg(["mean", "std"]).reset_index().sort_values("mean", ascending=False)
    return frame.round(2)


def headline(rows: pd.DataFrame) -> str:
    """One paragraph with the main figures, for the top of the page."""
    part = original_rows(rows)
    part = part[(part["table"] == "2") & (part["reading"] == "paper")]
    means = part.groupby(["dataset", "method"])["value"].mean()
    pieces = []
    for dataset in ("webkb_course", "ads"):
        if (dataset, TWO_VIEW) in means.index:
            value = {m: means[dataset, m] for m in (TWO_VIEW, CAT, "control:sum of two PA")}
            pieces.append(
                f"on **{NAMES[dataset]}** two-view PA has an F1 of {value[TWO_VIEW]:.1f} against "
                f"{value[CAT]:.1f} for the concatenation and {value['control:sum of two PA']:.1f} "
                "for the plain sum of two independent classifiers"
            )
    return "With the paper's C and gamma and 0/1 features, " + "; ".join(pieces) + "."
