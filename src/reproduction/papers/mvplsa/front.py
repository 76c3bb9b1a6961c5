"""What the front page and the paper's own page say beyond tables; every number is of the rows."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from reproduction.pages.declared import shown
from reproduction.pages.results import load_details, results_root
from reproduction.pages.said import ANSWERS, BASELINES, CHOICES, Finding, Front, Said, has, mean
from reproduction.papers.mvplsa.paper import study
from reproduction.papers.mvplsa.protocol import AGREEMENT, HONEST, KINDS, PAGES
from reproduction.results.published import load_published
from reproduction.results.rows import INFERRED
from reproduction.verdicts.claims import real_rows, select
from reproduction.verdicts.statistics import above, estimate

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


def huge_leads(rows: pd.DataFrame) -> pd.Series:
    """MVPLSA minus DPLSA under each treatment of the huge messages, the largest first."""
    part = select(rows, table="choice:huge")
    means = part.groupby(["treatment", "method"], sort=False)["value"].mean().unstack()
    return (means["MVPLSA"] - means["DPLSA"]).sort_values(ascending=False)


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
        f"parts {parts:.1f} %. Splitting itself adds {test.effect:+.1f} points (95 % "
        f"interval {test.low:+.1f} to {test.high:+.1f}); the rest of the gain is the model and the "
        "unlabelled documents."
    )


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the card and the findings."""
    real, cell = real_rows(rows), {"table": "3", "dataset": "cornell", "method": "MVPLSA"}
    printed = load_published("mvplsa")
    printed = printed[(printed[list(cell)] == pd.Series(cell)).all(axis=1)]
    rate = float(printed["rate"].min())  # the cell everybody asks for: the fewest labels
    sentence = Said(
        "With {share:g} % of the pages labelled, MVPLSA sorts {ours:.1f} % of Cornell's web pages "
        "correctly; the paper prints {published:.1f} %.",
        {
            "share": 100 * rate,
            "ours": mean(select(real, **cell, rate=rate)["value"]),
            "published": mean(printed.loc[printed["rate"] == rate, "mean"]),
        },
    )
    table = cotraining_table(load_told(), real)
    names = {"best": "best", "middle": "median of grid", "fixed": "u=75, p=1, n=3"}
    known = not table.empty
    tuned = Said(
        "Its rival co-training was tuned on the labels it is scored with. The best of its settings "
        "then has {best:.1f} % on average, the middle one {middle:.1f} %, that of its own authors "
        "{fixed:.1f} %; MVPLSA has {mvplsa:.1f} %. Tuned so, co-training is ahead of MVPLSA in "
        "{ahead:d} of {columns:d} columns.",
        {
            **{
                name: mean(table[column]) if known else math.nan
                for name, column in {**names, "mvplsa": "MVPLSA"}.items()
            },
            "ahead": int((table["best"] > table["MVPLSA"]).sum()) if known else 0,
            "columns": len(table),
        },
    )
    leads = huge_leads(real) if has(real, "choice:huge", "treatment") else pd.Series(dtype=float)
    huge = Said(
        "A few huge messages decide NewsGv2: MVPLSA is {most:+.1f} points ahead of the same model "
        "without views, or {least:+.1f}, depending on what is done with them. The paper does not "
        "mention them; its numbers of words show that they were skipped.",
        {"most": float(leads.max()), "least": float(leads.min())},
    )
    there = has(real, "extra:split", "rate", "view")
    whole = split_values(real).mean() if there else pd.Series(math.nan, range(3))
    split = Said(
        "On one view split into four, naive Bayes has {bayes:.1f} % and MVPLSA {four:.1f} %. The "
        "same model on the unsplit view, which the paper leaves out, has {whole:.1f} %.",
        dict(zip(("bayes", "whole", "four"), map(float, whole), strict=True)),
    )
    return Front(
        sentence,
        (
            Finding(ANSWERS, tuned, "co-training-is-tuned-on-the-test-labels"),
            Finding(CHOICES, huge, "a-few-huge-messages-decide-newsgv2"),
            Finding(BASELINES, split, "table-5-one-view-split-into-four"),
        ),
    )
