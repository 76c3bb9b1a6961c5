"""What the front page says about this paper; every number comes from the rows."""

import math

import numpy as np
import pandas as pd

from asprinted.claims import real_rows, select
from reproduction.pages.said import ANSWERS, BASELINES, CHOICES, Finding, Front, Said, has, mean
from reproduction.papers.mvplsa.page import cotraining_table, huge_leads, load_told, split_values
from reproduction.results.published import load_published

#: The cell everybody asks for: the fewest labels on the smallest data set.
WHERE = {"table": "3", "dataset": "cornell", "method": "MVPLSA"}


def _sentence(rows: pd.DataFrame) -> Said:
    printed = load_published("mvplsa")
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
    table = cotraining_table(load_told(), rows)
    names = {"best": "best", "middle": "median of grid", "fixed": "u=75, p=1, n=3"}
    shown = {**names, "mvplsa": "MVPLSA"}
    known = not table.empty
    return Said(
        "Its rival co-training was tuned on the labels it is scored with. The best of its settings "
        "then has {best:.1f} % on average, the middle one {middle:.1f} %, that of its own authors "
        "{fixed:.1f} %; MVPLSA has {mvplsa:.1f} %. Tuned so, co-training is ahead of MVPLSA in "
        "{ahead:d} of {columns:d} columns.",
        {
            **{name: mean(table[own]) if known else math.nan for name, own in shown.items()},
            "ahead": int((table["best"] > table["MVPLSA"]).sum()) if known else 0,
            "columns": len(table),
        },
    )


def _huge(rows: pd.DataFrame) -> Said:
    there = has(rows, "choice:huge", "treatment")
    leads = huge_leads(rows) if there else pd.Series(dtype=float)
    return Said(
        "A few huge messages decide NewsGv2: MVPLSA is {most:+.1f} points ahead of the same model "
        "without views, or {least:+.1f}, depending on what is done with them. The paper does not "
        "mention them; its numbers of words show that they were skipped.",
        {"most": float(leads.max()), "least": float(leads.min())},
    )


def _split(rows: pd.DataFrame) -> Said:
    there = has(rows, "extra:split", "rate", "view")
    values = split_values(rows) if there else [np.empty(0)] * 3
    names = ("bayes", "whole", "four")
    return Said(
        "On one view split into four, naive Bayes has {bayes:.1f} % and MVPLSA {four:.1f} %. The "
        "same model on the unsplit view, which the paper leaves out, has {whole:.1f} %.",
        {name: mean(pd.Series(each)) for name, each in zip(names, values, strict=True)},
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
        ),
    )
