"""What the front page says about this paper; every number comes from the rows."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from reproduction.pages.results import load_details, results_root
from reproduction.pages.said import (
    ANSWERS,
    BASELINES,
    CHOICES,
    Finding,
    Front,
    Said,
    has,
    mean,
)
from reproduction.pages.training import length_findings
from reproduction.papers.mvplsa.page import cotraining_table, split_rows
from reproduction.papers.mvplsa.protocol import KEY
from reproduction.papers.mvplsa.training import trajectory
from reproduction.results.published import load_published
from reproduction.verdicts.claims import pair, real_rows, select

PAPER = "mvplsa"
#: The cell everybody asks for: the fewest labels on the smallest data set.
WHERE = {"table": "3", "dataset": "cornell", "method": "MVPLSA"}
#: Jobs with the search of co-training's settings.
SEARCHES = {
    "cornell": "tables",
    "washington": "tables",
    "newsgv2": "baselines",
    "newsgv4": "baselines",
}


def _sentence(rows: pd.DataFrame) -> Said:
    printed = load_published(PAPER)
    for column, value in WHERE.items():
        printed = printed[printed[column] == value]
    rate = float(printed["rate"].min())
    return Said(
        "With {share:g} % of the pages labelled, MVPLSA sorts {ours:.1f} % of Cornell's web pages "
        "correctly; the paper prints {published:.1f} %.",
        {
            "share": 100 * rate,
            "ours": mean(select(rows, **WHERE, rate=rate)["value"]),
            "published": mean(printed.loc[printed["rate"] == rate, "mean"]),
        },
    )


def _tuned(rows: pd.DataFrame) -> Said:
    folder = results_root() / PAPER
    there = {d: name for d, name in SEARCHES.items() if (folder / d / f"{name}.json").is_file()}
    details = {d: load_details(PAPER, d, name) for d, name in there.items()}
    searches = {d: found["cotraining"] for d, found in details.items() if "cotraining" in found}
    table = cotraining_table(searches, rows)
    names = ("best", "median of grid", "u=75, p=1, n=3", "MVPLSA")
    best, middle, fixed, mvplsa = (
        mean(table[name]) if name in table else math.nan for name in names
    )
    known = not table.empty
    return Said(
        "Its rival co-training was tuned on the labels it is scored with. The best of its settings "
        "then has {best:.1f} % on average, the middle one {middle:.1f} %, that of its own authors "
        "{fixed:.1f} %; MVPLSA has {mvplsa:.1f} %. Tuned so, co-training is ahead of MVPLSA in "
        "{ahead:d} of {columns:d} columns.",
        {
            "best": best,
            "middle": middle,
            "fixed": fixed,
            "mvplsa": mvplsa,
            "ahead": int((table["best"] > table["MVPLSA"]).sum()) if known else 0,
            "columns": len(table),
        },
    )


def _huge(rows: pd.DataFrame) -> Said:
    leads = pd.Series(dtype=float)
    if has(rows, "choice:huge", "treatment"):
        part = select(rows, table="choice:huge")
        means = part.groupby(["treatment", "method"], sort=False)["value"].mean().unstack()
        leads = means["MVPLSA"] - means["DPLSA"]
    return Said(
        "A few huge messages decide NewsGv2: MVPLSA is {most:+.1f} points ahead of the same model "
        "without views, or {least:+.1f}, depending on what is done with them. The paper does not "
        "mention them; its numbers of words show that they were skipped.",
        {"most": float(leads.max()), "least": float(leads.min())},
    )


def _split(rows: pd.DataFrame) -> Said:
    four = whole = bayes = np.empty(0)
    if has(rows, "extra:split", "rate", "view"):
        parts = split_rows(rows)
        on = ("dataset", "rate", "view", "run")
        dplsa = parts[parts["method"] == "DPLSA"]
        four, whole = pair(parts[parts["method"] == "MVPLSA"], dplsa, on)
        _, bayes = pair(dplsa, parts[parts["method"] == "NBC"], on)
    return Said(
        "Splitting one view into four lifts naive Bayes from {bayes:.1f} to {four:.1f} %. The same "
        "model on the unsplit view, which the paper leaves out, has {whole:.1f} %.",
        {
            name: mean(pd.Series(v))
            for name, v in (("bayes", bayes), ("four", four), ("whole", whole))
        },
    )


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the card and the findings."""
    real = real_rows(rows)
    return Front(
        _sentence(real),
        (
            Finding(ANSWERS, _tuned(real), "co-training-is-tuned-on-the-test-labels"),
            Finding(CHOICES, _huge(real), "a-few-huge-messages-decide-newsgv2"),
            Finding(BASELINES, _split(real), "table-5-one-view-split-into-four"),
            *length_findings(trajectory, rows, KEY),
        ),
    )
