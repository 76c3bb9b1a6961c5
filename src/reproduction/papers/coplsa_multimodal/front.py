"""What the front page says about this paper; every number comes from the rows."""

import math

import pandas as pd

from asprinted.claims import real_rows, select
from reproduction.pages.said import ANSWERS, INERT, Finding, Front, Said, mean
from reproduction.papers.coplsa_multimodal.page import printed
from reproduction.papers.coplsa_multimodal.settings import (
    ALONE,
    DIRECTIONS,
    LINK,
    READINGS,
    SKL,
    WIKIPEDIA,
)

SPACE = "semantic"


def _map(rows: pd.DataFrame, method: str, protocol: str, role: str = "published") -> float:
    """Mean over directions and runs; NaN where one of them was not run."""
    where = {"table": "1", "dataset": WIKIPEDIA, "space": SPACE, "reading": READINGS[protocol]}
    part = select(rows, method=method, role=role, **where)
    return mean(part["value"]) if set(part["direction"]) == set(DIRECTIONS) else math.nan


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the card and the findings."""
    real, cells = real_rows(rows), printed()
    joint, honest = _map(real, SKL, "joint"), _map(real, SKL, "honest")
    published = mean(cells.loc[(cells["method"] == SKL) & (cells["space"] == SPACE), "mean"])
    numbers = {"honest": honest, "published": published, "joint": joint}
    sentence = Said(
        "Asked to find the text for an image or the image for a text on Wikipedia, the method "
        "reaches a precision of {honest:.2f}, not the printed {published:.2f}; it takes the query "
        "together with its own answer to reach {joint:.2f}.",
        numbers,
    )
    answers = Said(
        "Retrieval comes near print ({published:.3f}) only when a query is folded in together with "
        "its own answer ({joint:.3f}). From the query alone, which is all a user has, it is "
        "{honest:.3f}.",
        numbers,
    )
    coupling = Said(
        "The coupling of the two modalities adds {gain:+.3f} over two models that never saw each "
        "other, when only the query is used; the older Link PLSA has {link:.3f}.",
        {
            "gain": honest - _map(real, ALONE, "honest", "control"),
            "link": _map(real, LINK, "honest"),
        },
    )
    return Front(sentence, (Finding(ANSWERS, answers), Finding(INERT, coupling)))
