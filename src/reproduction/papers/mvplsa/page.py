"""Tables and sentences of the multi-view PLSA page, computed from the result rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from reproduction.data.registry import load_registry
from reproduction.pages.results import load_details, results_root
from reproduction.papers.mvplsa.names import NAMES
from reproduction.papers.mvplsa.paper import RATE
from reproduction.papers.mvplsa.settings import AGREEMENT, HONEST, KINDS, PAGES
from reproduction.results.rows import INFERRED
from reproduction.verdicts.claims import differences, pair, select
from reproduction.verdicts.statistics import above, estimate

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


def sizes_table(told: Told) -> pd.DataFrame:
    """Table 2: published and our sizes."""
    registry, records = load_registry(), []
    for dataset, ours in told.items():
        published = registry[dataset].statistics["Table 2"]
        classes = ours["per_class"]
        records.append(
            {
                "data set": NAMES[dataset],
                "documents": ours["documents"],
                "published documents": published.documents,
                "classes": f"{len(classes)} ({' + '.join(map(str, classes))})",
                "published classes": published.classes,
                "features": ", ".join(map(str, ours["features"])),
                "published features": ", ".join(map(str, published.features.values())),
                "non-zeros": ", ".join(map(str, ours["nonzeros"])),
                "empty documents": ", ".join(map(str, ours["empty_documents"])),
            }
        )
    return pd.DataFrame(records)


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
                    "data set": NAMES[dataset],
                    "labelled": RATE.write(search["rate"]),
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


def cotraining_note(rows: pd.DataFrame, published: pd.DataFrame) -> str:
    """One sentence on our co-training against the published one, data set by data set."""
    keys = ["dataset", "rate"]
    ours = select(rows, table="3", method="CoTr_E").groupby(keys, as_index=False)["value"].mean()
    theirs = published[(published["table"] == "3") & (published["method"] == "CoTr_E")]
    parts = [
        f"{NAMES[str(dataset)]} {part['value'].mean():.1f} % against {part['mean'].mean():.1f} %"
        for dataset, part in theirs.merge(ours, on=keys).groupby("dataset", sort=False)
    ]
    unknown = "The grid the paper searched is not given."
    if not parts:
        return unknown
    return (
        f"{unknown} Mean accuracy of the searched co-training over the rates, ours against "
        f"published: {', '.join(parts)}."
    )


def huge_leads(rows: pd.DataFrame) -> pd.Series:
    """MVPLSA minus DPLSA under each treatment of the huge messages, the largest first."""
    part = select(rows, table="choice:huge")
    means = part.groupby(["treatment", "method"], sort=False)["value"].mean().unstack()
    return (means["MVPLSA"] - means["DPLSA"]).sort_values(ascending=False)


def huge_note(rows: pd.DataFrame) -> str:
    """The lead of MVPLSA over DPLSA under each treatment of the huge messages, in words."""
    leads = huge_leads(rows).items()
    texts = [f"{lead:+.1f} points with {treatment}" for treatment, lead in leads]
    return "MVPLSA minus DPLSA: " + "; ".join(texts) + "."


def split_rows(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Naive Bayes and DPLSA on the whole view, MVPLSA on its four parts."""
    parts = select(rows, table=["5", "extra:split"], role=["published", "ours"])
    return {name: parts[parts["method"] == name] for name in ("NBC", "DPLSA", "MVPLSA")}


def split_values(rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Naive Bayes, DPLSA on the whole view and MVPLSA on its parts, in the runs that have all."""
    found = split_rows(rows)
    four, whole = pair(found["MVPLSA"], found["DPLSA"], FITS)
    return pair(found["DPLSA"], found["NBC"], FITS)[1], whole, four


def split_note(rows: pd.DataFrame) -> str:
    """What splitting itself adds, in the runs that have both models."""
    found = split_rows(rows)
    gaps = differences(found["MVPLSA"], found["DPLSA"], FITS)
    if min(map(len, gaps.values()), default=0) < 2:
        return "The comparison needs more runs."
    bayes, whole, four = split_values(rows)
    test = above(estimate(list(gaps.values())))
    return (
        f"In the {four.size} fits that have both, averaged over the four views: naive Bayes "
        f"{bayes.mean():.1f} %, the same model on the unsplit view {whole.mean():.1f} %, on four "
        f"parts {four.mean():.1f} %. Splitting itself adds {test.effect:+.1f} points (95 % "
        f"interval {test.low:+.1f} to {test.high:+.1f}); the rest of the gain is the model and the "
        "unlabelled documents."
    )
