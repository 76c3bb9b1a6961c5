"""What the two-view PA page says beyond its tables: all choices combined, and everything tuned."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from asprinted.claims import select
from asprinted.statistics import above, estimate
from reproduction.pages.declared import scatter, shown
from reproduction.pages.figures import INK, new_figure
from reproduction.pages.wording import signed
from reproduction.papers.twoview_pa import protocol as pa
from reproduction.papers.twoview_pa.paper import study
from reproduction.papers.twoview_pa.protocol import CAT, COMBINED, TWO_VIEW

#: Data sets of the paper that are public.
PUBLIC = ("ads", "webkb_course")
#: Real data, in the order figures show them.
REAL = (*PUBLIC, "opinion_spam")
SCALINGS = {"binary": "0/1", "unit": "unit norm", "idf": "idf"}
#: What places a single-view method among the combined choices; two-view PA has more.
SHARED = ["scaling", "passes", "C"]

LIMIT = 6.0
_ON_PALE = "#15181c"  # its cells are pale in light and dark mode
_DIVERGING = LinearSegmentedColormap.from_list("loses-wins", ["#d9601a", "#f6f4f0", "#2f7fc1"])


def advantage(rows: pd.DataFrame) -> pd.DataFrame:
    """Two-view minus Cat on shuffled rows at every combination, mean over repetitions (same C)."""
    combined = rows[(rows["table"] == COMBINED) & (rows["order"] == "shuffled")]
    places = ["dataset", *SHARED, "run"]
    cat = combined[combined["method"] == CAT].groupby(places)["value"].mean().rename("cat")
    two = combined[combined["method"] == TWO_VIEW].join(cat, on=places)
    two = two.assign(mean=two["value"] - two["cat"], passes=two["passes"].astype(int))
    keys = ["dataset", *SHARED, "gamma", "empty"]
    return two.groupby(keys, sort=True)["mean"].mean().reset_index()


def tuned_difference(rows: pd.DataFrame, dataset: str, **where: Any) -> tuple[float, float, int]:
    """Two-view PA minus Cat under nested choice, its two-sided p-value, and repetitions.

    Everything is tuned, or what ``where`` says. Without rows the numbers are NaN.
    """
    wanted = where or {"tuned": pa.EVERYTHING}
    part = select(rows, table=pa.NESTED, dataset=dataset, reading=pa.CHOSEN, role=None, **wanted)
    # a repetition of the cross-validation is one draw; its folds are averaged
    draws = part.assign(run=part["run"] // part["folds"])
    wide = draws.pivot_table(index="run", columns="method", values="value")
    wide = wide.reindex(columns=[TWO_VIEW, CAT]).dropna()
    gap = (wide[TWO_VIEW] - wide[CAT]).to_numpy()
    if gap.size < 2:
        return float(gap.mean()) if gap.size else np.nan, np.nan, gap.size
    return float(gap.mean()), above(estimate([gap])).p_either, gap.size


def conclusion(rows: pd.DataFrame) -> str:
    """Two sentences: where two-view PA beats the concatenation, with the tests."""
    table = advantage(rows)
    shares, tests = [], []
    for dataset in (key for key in REAL if key in set(table["dataset"])):
        name = shown(study, "dataset", dataset)
        part = table[table["dataset"] == dataset]
        shares.append(f"{100 * (part['mean'] > 0).mean():.0f} % of them on {name}")
        gap, p_value, draws = tuned_difference(rows, dataset)
        chance = (
            "one draw" if np.isnan(p_value) else f"t-test over {draws} draws: p = {p_value:.2g}"
        )
        tests += [] if np.isnan(gap) else [f"{signed(gap, '.1f')} points on {name} ({chance})"]
    return (
        "We tried all combinations of these settings on shuffled rows. Two-view PA is ahead of PA "
        f"on the concatenation at {', '.join(shares)}. With rows, passes, C and gamma chosen by "
        f"nested cross-validation for both, its lead is {', '.join(tests)}."
    )


def _heat_values(
    table: pd.DataFrame, rows: pd.DataFrame, dataset: str
) -> tuple[np.ndarray, list[str], list[str]]:
    """Matrix of one panel: row scaling and passes down, gamma and the tuned column across."""
    gammas = sorted(table["gamma"].unique())
    lines = [
        (scaling, passes)
        for scaling in SCALINGS
        for passes in sorted(table.loc[table["scaling"] == scaling, "passes"].unique())
    ]
    part = table[table["dataset"] == dataset]
    wide = part.pivot_table(index=["scaling", "passes"], columns="gamma", values="mean")
    values = wide.reindex(index=pd.MultiIndex.from_tuples(lines), columns=gammas).to_numpy()
    tuned = [
        tuned_difference(rows, dataset, tuned=pa.INNER, scaling=scaling, passes=passes)[0]
        for scaling, passes in lines
    ]
    down = [f"{SCALINGS[s]}, {p} pass{'es' if p > 1 else ''}" for s, p in lines]
    return np.column_stack([values, tuned]), down, [*(f"{gamma:g}" for gamma in gammas), "tuned"]


def heat_map(rows: pd.DataFrame, C: float = 0.1, gamma: float = 0.5) -> Figure:
    """Where two-view PA beats the concatenation (blue) and where it loses (orange)."""
    table = advantage(rows)
    table = table[(table["empty"] == "zero") & np.isclose(table["C"], C)]
    datasets = [dataset for dataset in REAL if dataset in set(table["dataset"])]
    fig, axes = new_figure(1, len(datasets), width=9.6, height=4.3, sharey=True, squeeze=False)
    for ax, dataset in zip(axes[0], datasets, strict=True):
        values, down, across = _heat_values(table, rows, dataset)
        look = {"norm": TwoSlopeNorm(0.0, -LIMIT, LIMIT), "edgecolors": INK, "linewidth": 0.4}
        ax.pcolormesh(np.ma.masked_invalid(values), cmap=_DIVERGING, **look)
        for (i, j), value in np.ndenumerate(values):
            if np.isfinite(value):
                # a difference that rounds to nothing has no sign
                text = f"{value:+.1f}" if abs(value) >= 0.05 else "0.0"
                place = {"ha": "center", "va": "center", "fontsize": 6.5, "color": _ON_PALE}
                ax.text(j + 0.5, i + 0.5, text, **place)
        if f"{gamma:g}" in across:
            corner = (across.index(f"{gamma:g}") + 0.05, 0.05)
            ax.add_patch(Rectangle(corner, 0.9, 0.9, fill=False, edgecolor=_ON_PALE, linewidth=2.4))
        ax.set_xticks(np.arange(len(across)) + 0.5, across, fontsize=7.5)
        ax.set_yticks(np.arange(len(down)) + 0.5, down, fontsize=7.5)
        ax.set_ylim(len(down), 0)
        ax.set_title(shown(study, "dataset", dataset))
        ax.set_xlabel(f"gamma (C = {C:g}; tuned: both nested)", fontsize=8)
        ax.grid(False)
    return fig


def round_figure(details: Mapping[str, Mapping[str, Any]]) -> Figure:
    """Figures 1 to 3: the view difference before the update of a round, one random order."""
    parts = []
    for dataset, found in details.items():
        for method, trace in found["difference_per_round"].items():
            chosen = np.unique(np.linspace(0, len(trace) - 1, 100).astype(int))
            frame = pd.DataFrame({"x": chosen + 1, "y": np.asarray(trace)[chosen]})
            parts.append(frame.assign(panel=shown(study, "dataset", dataset), series=method))
    return scatter(pd.concat(parts), "round", "view difference")
