"""What the front page says about this paper; every number comes from the rows."""

import math

import pandas as pd

from asprinted.claims import real_rows, select
from reproduction.pages.said import (
    BESIDE,
    BY_INFERRED,
    PRINTED,
    Finding,
    Front,
    Said,
    mean,
)
from reproduction.papers.coplsa_multimodal import settings as cm
from reproduction.papers.coplsa_multimodal.page import printed

SPACE = "semantic"


def _map(rows: pd.DataFrame, method: str, protocol: str, role: str = "published") -> float:
    """Mean over directions and runs; NaN where one of them was not run."""
    where = {"dataset": cm.WIKIPEDIA, "space": SPACE, "reading": cm.READINGS[protocol]}
    part = select(rows, table="1", method=method, role=role, **where)
    return mean(part["value"]) if set(part["direction"]) == set(cm.DIRECTIONS) else math.nan


def front(rows: pd.DataFrame) -> Front:
    """Return the advice and the finding."""
    real, cells = real_rows(rows), printed()
    joint, honest = _map(real, cm.SKL, "joint"), _map(real, cm.SKL, "honest")
    published = mean(cells.loc[(cells["method"] == cm.SKL) & (cells["space"] == SPACE), "mean"])
    alone = _map(real, cm.ALONE, "honest", "control")
    link, scm = (_map(real, method, "honest") for method in (cm.LINK, cm.SCM))
    found = Finding(
        "In the semantic space, co-regularised PLSA's print needs the answer inside the query.",
        Said(
            "We come near it only if a query is encoded with the item it should find; in the topic "
            "space print lies between such queries and others. From the query alone, which is all "
            "a user has, coupling adds {gain:+.3f} to two separate models.",
            {"gain": honest - alone},
        ),
        {
            "printed": {PRINTED: published},
            "answer included": {BY_INFERRED: joint},
            "query alone": {BESIDE: honest},
            "two separate models, query alone": {BESIDE: alone},
        },
        "MAP (full list), Wikipedia",
    )
    return Front(
        Said(
            "No. From the query alone MAP (full list) is {ours:.2f}; Link PLSA's {link:.2f}, SCM's "
            "{scm:.2f}.",
            {"ours": honest, "link": link, "scm": scm},
        ),
        (found,),
    )
