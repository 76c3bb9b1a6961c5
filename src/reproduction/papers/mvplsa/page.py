"""What the multi-view PLSA page says beyond its tables: tuned rivals, huge messages, a split."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from asprinted.claims import differences, pair, select
from asprinted.statistics import above, estimate
from reproduction.pages.declared import shown
from reproduction.pages.results import load_details, results_root
from reproduction.papers.mvplsa.paper import study
from reproduction.papers.mvplsa.settings import AGREEMENT, HONEST, KINDS, PAGES
from reproduction.results.rows import INFERRED

#: What tells the fits of Table 5 apart.
FITS = ("dataset", "rate", "view", "run")
#: What a job told of its data and its search, by data set.
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


def split_values(rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Naive Bayes, DPLSA on the whole view and MVPLSA on its parts, in the runs that have all."""
    bayes, whole, four = _split(rows)
    fours, wholes = pair(four, whole, FITS)
    return pair(whole, bayes, FITS)[1], wholes, fours


def _split(rows: pd.DataFrame) -> list[pd.DataFrame]:
    parts = select(rows, table=["5", "extra:split"], role=["published", "ours"])
    return [parts[parts["method"] == name] for name in ("NBC", "DPLSA", "MVPLSA")]


def split_note(rows: pd.DataFrame) -> str:
    """What splitting itself adds, in the runs that have both models."""
    _, whole, four = _split(rows)
    gaps = differences(four, whole, FITS)
    if min(map(len, gaps.values()), default=0) < 2:
        return "The comparison needs more runs."
    bayes, unsplit, parts = split_values(rows)
    test = above(estimate(list(gaps.values())))
    return (
        f"In the {parts.size} fits that have both, averaged over the four views: naive Bayes "
        f"{bayes.mean():.1f} %, the same model on the unsplit view {unsplit.mean():.1f} %, on four "
        f"parts {parts.mean():.1f} %. Splitting itself adds {test.effect:+.1f} points (95 % "
        f"interval {test.low:+.1f} to {test.high:+.1f}); the rest of the gain is the model and the "
        "unlabelled documents."
    )
