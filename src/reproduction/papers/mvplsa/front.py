"""What the front page and the paper's own page say beyond tables; every number is of the rows."""

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from asprinted.claims import real_rows, select
from asprinted.margins import load_margins
from asprinted.statistics import above, estimate
from asprinted.words import TEXT
from reproduction.pages.declared import curves, shown
from reproduction.pages.figures import INK
from reproduction.pages.results import load_details, results_root
from reproduction.pages.said import (
    BY_INFERRED,
    BY_TEXT,
    PRINTED,
    Finding,
    Front,
    Said,
    mean,
)
from reproduction.pages.wording import signed
from reproduction.papers.mvplsa.paper import study
from reproduction.papers.mvplsa.protocol import AGREEMENT, HONEST, KINDS, PAGES
from reproduction.results.published import load_published
from reproduction.results.rows import INFERRED
from reproduction.verdicts.claim_scores import load_claims_file

OWN = "MVPLSA"
#: What a job told of its search, by data set.
Told = Mapping[str, Mapping[str, Any]]


def load_told() -> Told:
    """Return what the jobs that are done told."""
    jobs = {d: "tables" if kind == PAGES else "baselines" for d, kind in KINDS.items()}
    folder = results_root() / "mvplsa"
    there = {d: job for d, job in jobs.items() if (folder / d / f"{job}.json").is_file()}
    return {dataset: load_details("mvplsa", dataset, job) for dataset, job in there.items()}


def cotraining_table(told: Told, rows: pd.DataFrame) -> pd.DataFrame:
    """What the search of co-training chose, and what choices without labels give."""
    ours = select(rows, table="3", reading=(INFERRED, HONEST, AGREEMENT))
    means = ours.groupby(["dataset", "rate", "method", "reading"])["value"].mean()
    records = []
    for dataset, found in told.items():
        for search in found.get("searches", {}).get(INFERRED, ()):
            scores = [score for _, score in search["tried"]]
            parameters, best = max(search["tried"], key=lambda one: one[1])
            at = dataset, search["rate"]
            records.append(
                {
                    "data set": shown(study, "dataset", dataset),
                    "labelled": shown(study, "rate", search["rate"]),
                    "best u, p, n": ", ".join(map(str, parameters)),
                    "best": best,
                    "median of grid": float(np.median(scores)),
                    "worst": min(scores),
                    "u=75, p=1, n=3": float(means.get((*at, "CoTr_E", HONEST), np.nan)),
                    "by agreement": float(means.get((*at, "CoTr_E", AGREEMENT), np.nan)),
                    "MVPLSA": float(means.get((*at, "MVPLSA", INFERRED), np.nan)),
                }
            )
    return pd.DataFrame(records)


def huge_note(rows: pd.DataFrame) -> str:
    """Accuracy under each treatment of the huge messages, and how many runs that rests on."""
    part = select(rows, table="choice:huge")
    means = part.groupby(["treatment", "method"], sort=False)["value"].mean().unstack()
    told = "; ".join(
        f"{treatment}: MVPLSA {line['MVPLSA']:.1f} %, DPLSA {line['DPLSA']:.1f} %"
        for treatment, line in means.sort_values("MVPLSA").iterrows()
    )
    return (
        f"With {100 * mean(part['rate']):g} % labelled, {part['run'].nunique()} runs each: {told}."
    )


def split_values(rows: pd.DataFrame) -> pd.DataFrame:
    """Naive Bayes, DPLSA on the whole view and MVPLSA on its parts, in the fits that have all."""
    parts = select(rows, table=["5", "extra:split"], role=["published", "ours"])
    wide = parts.pivot_table("value", ["rate", "view", "run"], "method")
    return wide.reindex(columns=["NBC", "DPLSA", "MVPLSA"]).dropna()


def split_note(rows: pd.DataFrame) -> str:
    """What splitting itself adds, in the runs that have both models."""
    values = split_values(rows)
    gaps = (values["MVPLSA"] - values["DPLSA"]).groupby("run").mean()
    if len(gaps) < 2:
        return "The comparison needs more runs."
    bayes, unsplit, parts = values.mean()
    test = above(estimate([gaps.to_numpy()]))
    return (
        f"In the {len(values)} fits that have both, averaged over the four views: naive Bayes "
        f"{bayes:.1f} %, the same model on the unsplit view {unsplit:.1f} %, on four "
        f"parts {parts:.1f} %. Splitting itself adds {signed(test.effect, '.1f')} points (95 % "
        f"interval {signed(test.low, '.1f')} to {signed(test.high, '.1f')}); the rest of the "
        "gain is the model and the unlabelled documents."
    )


def topics_figure(rows: pd.DataFrame) -> Figure:
    """Figure 3, with what the text says of the authors' curves as open marks.

    The text has a score on Cornell with two topics, and its best scores, those of Table 3, with
    the numbers of topics that all experiments take.
    """
    figure = curves(study, select(rows, table="fig3"), "topics")
    table = load_published("mvplsa")
    table = table[(table["table"] == "3") & (table["method"] == OWN) & (table["rate"] == 0.05)]
    best = table.set_index("dataset")["mean"]
    (two,) = (each for each in load_claims_file("mvplsa") if each.id == "two_topics")
    said = {"cornell": {**two.params["said"]["cornell"], 12: best["cornell"]}}
    said["newsgv2"] = {128: best["newsgv2"]}
    for axes, (dataset, marks) in product(figure.axes, said.items()):
        if axes.get_title() == shown(study, "dataset", dataset):
            look = {"color": INK, "marker": "D", "markerfacecolor": "none", "ls": ""}
            axes.plot(list(marks), list(marks.values()), **look)
    return figure


def _numbers(rows: pd.DataFrame, printed: pd.DataFrame) -> Finding:
    """Print beside both readings where the fewest labels are given."""
    marks = {
        shown(study, "dataset", dataset): {
            PRINTED: float(print_),
            **{
                name: mean(select(rows, dataset=dataset, reading=reading)["value"])
                for name, reading in ((BY_INFERRED, INFERRED), (BY_TEXT, TEXT))
            },
        }
        for dataset, print_ in printed.groupby("dataset", sort=False)["mean"].first().items()
    }
    off = pd.DataFrame(marks).T
    off = off[[BY_INFERRED, BY_TEXT]].sub(off[PRINTED], axis=0).abs()
    near, far = map(float, off.loc[shown(study, "dataset", "cornell")])
    return Finding(
        "MVPLSA's numbers on Cornell come near only with labels drawn per class and links of both "
        "directions.",
        Said(
            "With the fewest labels MVPLSA so read (inferred) ends {near:.1f} points from print, "
            "in the text reading {far:.1f}; over the {sets:d} data sets {all_near:.1f} and "
            "{all_far:.1f}. The paper says neither.",
            {
                "near": near,
                "far": far,
                "sets": len(off),
                "all_near": mean(off[BY_INFERRED]),
                "all_far": mean(off[BY_TEXT]),
            },
        ),
        marks,
        "accuracy in %, fewest labels",
        "table-3",
    )


def _views(rows: pd.DataFrame) -> Finding:
    """What views add: the same model on all columns as one table."""
    table = select(rows, table="4", reading=INFERRED)
    means = table.groupby(["dataset", "method"], sort=False)["value"].mean().unstack()
    means = means.reindex(columns=[OWN, "DPLSA"])
    leads = means[OWN] - means["DPLSA"]
    marks = {shown(study, "dataset", key): {BY_INFERRED: lead} for key, lead in leads.items()}
    best = select(table, dataset=list(leads.nlargest(1).index))
    by_rate = best.groupby(["rate", "method"])["value"].mean().unstack()
    by_rate = by_rate.reindex(columns=[OWN, "DPLSA"]).sort_index()
    gaps = (by_rate[OWN] - by_rate["DPLSA"]).tolist() or [math.nan]
    few, many = gaps[0], gaps[-1]
    ahead = leads[leads > load_margins().unit("accuracy_pct").margin]
    where = ", ".join(shown(study, "dataset", key) for key in ahead.index)
    return Finding(
        f"MVPLSA's views help on {len(ahead)} of {len(leads)} data sets{where and f', {where}'}.",
        Said(
            "Against the same model on one table MVPLSA is {lead:+.1f} points ahead on the median "
            "data set and {most:+.1f} on the best: {few:+.1f} with the fewest labels, {many:+.1f} "
            "with the most.",
            {"lead": float(leads.median()), "most": float(leads.max()), "few": few, "many": many},
        ),
        marks,
        "points ahead of one table",
        "table-4",
    )


def over_data(rows: pd.DataFrame) -> float:
    """Mean of the data sets' means, whatever the numbers of their runs."""
    return mean(rows.groupby("dataset")["value"].mean())


def front(rows: pd.DataFrame) -> Front:
    """Return the advice and the findings."""
    real, printed = real_rows(rows), load_published("mvplsa")
    printed = printed[(printed["table"] == "3") & (printed["method"] == OWN)]
    fewest = float(printed["rate"].min())
    printed = printed[printed["rate"] == fewest]
    few = select(real, table="3", method=OWN, rate=fewest, reading=None)
    rival = select(real, table="3", method="NBC_E", rate=fewest, reading=INFERRED)
    return Front(
        Said(
            "Yes: {ours:.0f} % with the fewest labels, naive Bayes {bayes:.0f} %. One table nearly "
            "suffices.",
            {"ours": over_data(select(few, reading=INFERRED)), "bayes": over_data(rival)},
        ),
        (_numbers(few, printed), _views(real)),
    )
