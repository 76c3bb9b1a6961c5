"""What the front page says about this paper; every number comes from the rows."""

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

SPACE, OTHER = cm.SPACES[::-1]


def _runs(
    rows: pd.DataFrame, method: str, protocol: str, space: str, role: str = "published"
) -> pd.Series:
    """MAP of every run, mean of the directions; none where one of them was not run."""
    where = {"dataset": cm.WIKIPEDIA, "space": space, "reading": cm.READINGS[protocol]}
    part = select(rows, table="1", method=method, role=role, **where)
    part = part if set(part["direction"]) == set(cm.DIRECTIONS) else part[:0]
    return part.groupby("run")["value"].mean()


def front(rows: pd.DataFrame) -> Front:
    """Return the advice and the finding."""
    real, cells = real_rows(rows), printed()
    joint = mean(_runs(real, cm.SKL, "joint", SPACE))
    honest, alone, link, scm = (
        [_runs(real, method, "honest", space, role) for space in (SPACE, OTHER)]
        for method, role in (
            (cm.SKL, "published"), (cm.ALONE, "control"), (cm.LINK, "published"),
            (cm.SCM, "published"),
        )
    )  # fmt: skip
    gains = [(ours - apart).dropna() for ours, apart in zip(honest, alone, strict=True)]
    published = mean(cells.loc[(cells["method"] == cm.SKL) & (cells["space"] == SPACE), "mean"])
    found = Finding(
        "In the semantic space, co-regularised PLSA's print needs the answer inside the query.",
        Said(
            "We come near it only if a query is encoded with the item it should find; in the topic "
            "space print lies between such queries and others. From the query alone, which is all "
            "a user has, coupling adds {gain:+.3f} to two separate models, {topic:+.3f} in the "
            "topic space (runs that both have: {runs:d}; untested).",
            {"gain": mean(gains[0]), "topic": mean(gains[1]), "runs": len(gains[0])},
        ),
        {
            "printed": {PRINTED: published},
            "answer included": {BY_INFERRED: joint},
            "query alone": {BESIDE: mean(honest[0])},
            "two separate models, query alone": {BESIDE: mean(alone[0])},
        },
        "MAP (full list), Wikipedia",
    )
    return Front(
        Said(
            "No. From the query alone MAP (full list) in semantic and topic space is {ours:.2f}, "
            "{ours_topic:.2f}; Link PLSA's {link:.2f}, {link_topic:.2f}; SCM's {scm:.2f}, "
            "{scm_topic:.2f}.",
            {
                f"{name}{end}": mean(found)
                for name, spaces in (("ours", honest), ("link", link), ("scm", scm))
                for end, found in zip(("", "_topic"), spaces, strict=True)
            },
        ),
        (found,),
    )
