"""What the front page says about this paper; every number comes from the rows."""

import numpy as np
import pandas as pd

from asprinted.claims import real_rows, select
from asprinted.words import INFERRED, TEXT
from reproduction.pages.declared import shown
from reproduction.pages.said import (
    BESIDE,
    BY_INFERRED,
    BY_TEXT,
    PRINTED,
    Finding,
    Front,
    Said,
    has,
    mean,
)
from reproduction.papers.mvplsa.page import huge_leads
from reproduction.papers.mvplsa.paper import study
from reproduction.results.published import load_published

OWN = "MVPLSA"


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
    far = {
        name: mean(pd.Series([abs(line[name] - line[PRINTED]) for line in marks.values()]))
        for name in (BY_INFERRED, BY_TEXT)
    }
    return Finding(
        "MVPLSA's numbers on web pages need labels drawn per class and links of both directions.",
        Said(
            "So read, it ends {near:.1f} points from print on average; read to the letter, "
            "{far:.1f}. The paper says neither.",
            {"near": far[BY_INFERRED], "far": far[BY_TEXT]},
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
    huge = huge_leads(rows) if has(rows, "choice:huge", "treatment") else pd.Series([np.nan])
    marks = {shown(study, "dataset", key): {BY_INFERRED: lead} for key, lead in leads.items()}
    marks["NewsGv2, huge messages treated otherwise"] = {BESIDE: float(huge.min())}
    return Finding(
        "Its views are not what helps.",
        Said(
            "The same model on one table of all columns is as good: MVPLSA is {lead:+.1f} points "
            "ahead at the median of the data sets. Its lead on NewsGv2 runs from {least:+.1f} to "
            "{most:+.1f} with the treatment of a few huge messages.",
            {"lead": float(leads.median()), "least": float(huge.min()), "most": float(huge.max())},
        ),
        marks,
        "points ahead of the one-table model",
        "a-few-huge-messages-decide-newsgv2",
    )


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the page, the advice and the findings."""
    real, printed = real_rows(rows), load_published("mvplsa")
    printed = printed[(printed["table"] == "3") & (printed["method"] == OWN)]
    fewest = float(printed["rate"].min())
    printed = printed[printed["rate"] == fewest]
    few = select(real, table="3", method=OWN, rate=fewest, reading=None)
    cornell = {
        "share": 100 * fewest,
        "ours": mean(select(few, dataset="cornell", reading=INFERRED)["value"]),
        "published": mean(printed.loc[printed["dataset"] == "cornell", "mean"]),
    }
    rival = select(real, table="3", method="NBC_E", rate=fewest, reading=INFERRED)
    return Front(
        Said(
            "With {share:g} % of the pages labelled, MVPLSA sorts {ours:.1f} % of Cornell's web "
            "pages correctly; the paper prints {published:.1f} %.",
            cornell,
        ),
        Said(
            "Yes, with few labels: {ours:.0f} %, naive Bayes {bayes:.0f} %. Views are not needed.",
            {
                "ours": mean(select(few, reading=INFERRED)["value"]),
                "bayes": mean(rival["value"]),
            },
        ),
        (_numbers(few, printed), _views(real)),
    )
