"""Tables and sentences of the two-view PA page; everything is computed from the result rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from reproduction.data.registry import load_registry, published_statistics
from reproduction.pages.data_names import DataNames
from reproduction.pages.tables import method_name
from reproduction.papers.twoview_pa.columns import (
    CHOSEN,
    COMBINED,
    DATASETS,
    EVERYTHING,
    NESTED,
    ONE_AT_A_TIME,
)
from reproduction.papers.twoview_pa.methods import (
    ALONE,
    CAT,
    EQ_11,
    EXACT,
    PAPER,
    PRINTED,
    SINGLE_METHODS,
    SUM,
    TWO_VIEW,
    TWO_VIEW_METHODS,
    role_of,
)
from reproduction.results.rows import INFERRED
from reproduction.results.summary import mean_and_deviation
from reproduction.verdicts.claims import original_rows, select
from reproduction.verdicts.statistics import above, estimate

NAMES = DataNames(PAPER, DATASETS)
#: Data sets of the paper that are public.
PUBLIC = ("ads", "webkb_course")
#: Real data, in the order figures show them.
REAL = (*PUBLIC, "opinion_spam")
SCALING_NAMES = {"binary": "0/1", "unit": "unit norm", "idf": "idf"}
#: What places a single-view method among the combined choices, and two-view PA besides.
SHARED = ["scaling", "order", "passes", "C"]
POINT = [*SHARED, "gamma", "empty"]


def _place(key: tuple[str, str]) -> tuple[int, bool, str]:
    """Return the place of a (method, role) in a table: printed ones first, controls last."""
    method, role = key
    printed = role == "published" and method in PRINTED
    return PRINTED.index(method) if printed else len(PRINTED), role == "control", method


def statistics_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Table 1: published figures beside ours, and the rows that are empty in a view."""
    registry = load_registry()
    known = {
        (key, statistic): str(value)
        for key in DATASETS
        if registry[key].role == "paper"
        for statistic, value, _ in published_statistics(registry[key])
    }
    records = []
    for key, part in rows[rows["table"] == "1"].groupby("dataset", sort=False):
        dataset = str(key)
        of_all = part["place"].isna()
        counts = part[of_all].set_index("metric")["value"].astype(int)
        for _, view in part[~of_all].groupby("place", sort=True):
            name = view["view"].iloc[0]
            facts = view.set_index("metric")["value"].astype(int)
            records.append(
                {
                    "data set": NAMES[dataset],
                    "view": name,
                    "features, published": known.get((dataset, f"features:{name}"), ""),
                    "features": facts["dimension"],
                    "positive": counts["positive"],
                    "negative": counts["negative"],
                    "total, published": known.get((dataset, "documents"), ""),
                    "total": counts["total"],
                    "empty rows": facts["empty_rows"],
                }
            )
    return pd.DataFrame(records)


def choices_table(rows: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Mean F1 of every method when one choice is changed at a time."""
    mine = rows[(rows["dataset"] == dataset) & (rows["metric"] == "f1_pct")]
    by = ["method", "role"]
    declared = mine[(mine["table"] == "2") & (mine["reading"] == INFERRED)]
    means = {INFERRED: declared.groupby(by)["value"].mean()}
    for name, column in ONE_AT_A_TIME.items():
        changed = mine[mine["table"] == f"choice:{name}"]
        # a column is there only if some row has it
        for taken, part in changed.groupby(name, sort=True) if len(changed) else ():
            means[column.write(taken)] = part.groupby(by)["value"].mean()
    wide = pd.DataFrame(means).T.rename_axis("reading")
    # guessing and methods of others have no choices
    known = {(method, role_of(method)) for method in (*SINGLE_METHODS, *TWO_VIEW_METHODS)}
    keys = sorted(known & set(wide.columns), key=_place)
    return wide[keys].set_axis([method_name(*key) for key in keys], axis=1).round(1)


def methods_table(rows: pd.DataFrame) -> pd.DataFrame:
    """F1 of all methods in the declared reading, mean ± deviation over folds."""
    part = rows[(rows["table"] == "2") & (rows["reading"] == INFERRED)]
    groups = part.groupby(["method", "role", "dataset"])["value"]
    texts = groups.agg(mean_and_deviation).unstack("dataset")
    keys = sorted(texts.index, key=_place)
    columns = [dataset for dataset in NAMES if dataset in texts.columns]
    shown = pd.Index([method_name(*key) for key in keys], name="method")
    return texts.loc[keys, columns].set_axis(shown).rename(columns=NAMES)


def identical_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Largest weight difference to single-view PA-I when view 1 is given twice."""
    part = original_rows(rows[rows["table"] == "extra:identical views"])
    places = zip(part["dataset"], part["C"], part["gamma"], strict=True)
    compared = zip(part["method"], part["single"], strict=True)
    part = part.assign(
        where=[f"{NAMES[dataset]}, C={C:g};gamma={gamma:g}" for dataset, C, gamma in places],
        method=[f"{method} against PA-I({single})" for method, single in compared],
    )
    return part.pivot_table(index="method", columns="where", values="value", aggfunc="max")


def advantage(rows: pd.DataFrame) -> pd.DataFrame:
    """Two-view minus Cat at every combination, mean over repetitions (Cat at the same C)."""
    combined = rows[rows["table"] == COMBINED]
    places = ["dataset", *SHARED, "run"]
    cat = combined[combined["method"] == CAT].groupby(places)["value"].mean().rename("cat")
    two = combined[combined["method"] == TWO_VIEW].join(cat, on=places)
    two = two.assign(difference=two["value"] - two["cat"], passes=two["passes"].astype(int))
    groups = two.groupby(["dataset", *POINT], sort=True)
    return groups["difference"].agg(["mean", "min", "max"]).reset_index()


@dataclass(frozen=True)
class TunedDifference:
    """Two-view PA minus another method under nested choice, with a two-sided p-value."""

    mean: float
    p_value: float
    ours: float
    other: float


def tuned_difference(
    rows: pd.DataFrame, dataset: str, other: str = CAT, **where: Any
) -> TunedDifference | None:
    """Compare two-view PA with ``other``; everything tuned, or as ``where`` says.

    None when one of them has no rows.
    """
    wanted = where or {"tuned": EVERYTHING}
    part = select(rows, table=NESTED, dataset=dataset, reading=CHOSEN, role=None, **wanted)
    # a repetition of the cross-validation is one draw; its folds are averaged
    draws = part.assign(run=part["run"] // part["folds"])
    wide = draws.pivot_table(index="run", columns="method", values="value")
    if wide.empty or not {TWO_VIEW, other} <= set(wide.columns):
        return None
    gap = (wide[TWO_VIEW] - wide[other]).to_numpy()
    p_value = np.nan
    if gap.size > 1:
        test = above(estimate([gap]))
        p_value = 2 * min(test.p_holds, test.p_refuted)
    return TunedDifference(gap.mean(), p_value, wide[TWO_VIEW].mean(), wide[other].mean())


def shares_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Share of combinations at which two-view PA is ahead of the concatenation, by choice.

    Surrogates are left out, unless there is nothing else.
    """
    real = rows[rows["provenance"] != "surrogate"]
    table = advantage(real if (real["table"] == COMBINED).any() else rows)
    records = []
    for (dataset, order, scaling), part in table.groupby(["dataset", "order", "scaling"]):
        sound = part[part["empty"] != "limit"]
        small = sound[sound["gamma"] <= sound["C"] / 2]
        records.append(
            {
                "data set": NAMES[str(dataset)],
                "order": order,
                "rows": SCALING_NAMES[str(scaling)],
                "combinations": len(sound),
                "ahead, %": 100 * float((sound["mean"] > 0).mean()),
                "ahead in every repetition, %": 100 * float((sound["min"] > 0).mean()),
                "ahead when gamma <= C/2, %": 100 * float((small["mean"] > 0).mean()),
                "mean difference": float(sound["mean"].mean()),
            }
        )
    return pd.DataFrame(records).round(1)


def closest_readings(rows: pd.DataFrame, published: pd.DataFrame, top: int = 5) -> pd.DataFrame:
    """Combinations whose four F1 values lie nearest to the printed ones (root mean square)."""
    combined = rows[(rows["table"] == COMBINED) & rows["dataset"].isin(PUBLIC)]
    found = [
        _distances(part, published[published["dataset"] == dataset]).assign(dataset=dataset)
        for dataset, part in combined.groupby("dataset", sort=True)
    ]
    both = pd.concat(found, ignore_index=True)
    both.insert(0, "data set", both["dataset"].map(NAMES))
    nearest = [
        part.nsmallest(top, "distance", keep="first").assign(rank=range(1, top + 1))
        for _, part in both.groupby("data set", sort=True)
    ]
    if len(found) > 1:
        joint = both.groupby(POINT)["distance"].agg(lambda d: float(np.sqrt((d**2).mean())))
        for rank, key in enumerate(joint.nsmallest(top).index, start=1):
            chosen = both.set_index(POINT).loc[[key]].reset_index().assign(rank=rank)
            name = chosen["data set"] + ", one reading for both"
            nearest.append(chosen.assign(**{"data set": name}))
    shown = pd.concat(nearest, ignore_index=True).rename(columns={"scaling": "rows"})
    columns = ["data set", "rank", "rows", *POINT[1:], *PRINTED, "distance"]
    return shown[columns].round(dict.fromkeys((*PRINTED, "distance"), 2))


def _distances(part: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Mean F1 of the printed methods at every combination, and the distance to print."""
    part = part.astype({"passes": int})
    singles = part[part["method"].isin(PRINTED[:3])]
    wide = singles.pivot_table(index=SHARED, columns="method", values="value")
    two = part[part["method"] == TWO_VIEW].groupby(POINT)["value"].mean().rename(TWO_VIEW)
    joined = two.reset_index().join(wide, on=SHARED)
    methods = list(PRINTED)
    gaps = joined[methods] - printed.set_index("method")["mean"][methods]
    return joined.assign(distance=np.sqrt((gaps**2).mean(axis=1)))


def tuned_table(rows: pd.DataFrame) -> pd.DataFrame:
    """F1 with everything chosen by nested cross-validation, and the test against the rivals."""
    tuned = rows[(rows["table"] == NESTED) & (rows["tuned"] == EVERYTHING)]
    means = tuned[tuned["method"] == EXACT].groupby("dataset")["value"].mean()
    records = []
    for dataset in NAMES:
        for other in (CAT, SUM):
            found = tuned_difference(rows, dataset, other)
            if found is not None:
                records.append(
                    {
                        "data set": NAMES[dataset],
                        TWO_VIEW: found.ours,
                        EXACT: means.get(dataset, np.nan),
                        "against": method_name(other, role_of(other)),
                        "its F1": found.other,
                        "difference": found.mean,
                        "p-value": found.p_value,
                    }
                )
    return pd.DataFrame(records).round(3)


def conclusion(rows: pd.DataFrame) -> str:
    """Two sentences: where two-view PA beats the concatenation, with the tests."""
    table = advantage(rows)
    sound = table[(table["order"] == "shuffled") & (table["empty"] != "limit")]
    shares, tests = [], []
    for dataset in REAL:
        part = sound[sound["dataset"] == dataset]
        if part.empty:
            continue
        share = 100 * float((part["mean"] > 0).mean())
        by_rows = 100 * (part["mean"] > 0).groupby(part["scaling"]).mean()
        best, most = SCALING_NAMES[str(by_rows.idxmax())], by_rows.max()
        shares.append(f"{share:.0f} % on {NAMES[dataset]} (at most {most:.0f} %, with {best} rows)")
        found = tuned_difference(rows, dataset)
        if found is not None:
            chance = "one draw" if np.isnan(found.p_value) else f"p = {found.p_value:.2g}"
            tests.append(f"{NAMES[dataset]} {found.mean:+.1f} points ({chance})")
    return (
        "Of all combinations with shuffled rows, two-view PA is ahead of PA on the concatenation "
        f"at {', '.join(shares)}. "
        "When rows, passes, C and gamma are chosen by nested cross-validation for both, the "
        f"difference is {', '.join(tests)}."
    )


def difference_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean view difference over all rounds, for every row scaling."""
    methods = [ALONE, TWO_VIEW, EQ_11, EXACT]
    part = rows[(rows["metric"] == "mean_view_difference") & rows["method"].isin(methods)]
    shown = {"rows": part["scaling"].map(SCALING_NAMES), "data set": part["dataset"].map(NAMES)}
    wide = part.assign(**shown).pivot_table(
        index=["rows", "data set"], columns="method", values="value", sort=False
    )
    return wide[[m for m in methods if m in wide.columns]].round(3)


def extra_table(rows: pd.DataFrame, table: str) -> pd.DataFrame:
    """Mean and deviation of an open problem's methods for every gamma."""
    groups = rows[rows["table"] == table].groupby(["method", "gamma"])["value"]
    frame = groups.agg(["mean", "std"]).round(2)  # not gamma, which may be smaller than that
    return frame.reset_index().sort_values("mean", ascending=False)
