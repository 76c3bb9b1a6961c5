"""What the front page says about this paper; every number comes from the rows."""

from __future__ import annotations

import math

import pandas as pd

from reproduction.pages.said import ANSWERS, INERT, Finding, Front, Said, mean
from reproduction.pages.training import length_findings
from reproduction.papers.coplsa_multimodal import PAPER
from reproduction.papers.coplsa_multimodal.columns import DIRECTIONS, LINK, SKL
from reproduction.papers.coplsa_multimodal.page import WIKIPEDIA, published_values, values
from reproduction.papers.coplsa_multimodal.training import trajectory
from reproduction.verdicts.claims import real_rows

SPACE = "semantic"


def _mean(rows: pd.DataFrame, method: str, protocol: str, role: str = "published") -> float:
    found = [values(rows, WIKIPEDIA, (SPACE, d), method, protocol, role=role) for d in DIRECTIONS]
    return mean(pd.concat(found)) if all(len(part) for part in found) else math.nan


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the card and the findings."""
    real = real_rows(rows)
    known = published_values()
    joint, honest = _mean(real, SKL, "joint"), _mean(real, SKL, "honest")
    published = sum(known[WIKIPEDIA, SPACE, d, SKL] for d in DIRECTIONS) / len(DIRECTIONS)
    alone = _mean(real, "independent PLSA", "honest", "control")
    link = _mean(real, LINK, "honest")
    sentence = Said(
        "Asked to find the text for an image or the image for a text on Wikipedia, the method "
        "reaches a precision of {honest:.2f}, not the printed {published:.2f}; it takes the query "
        "together with its own answer to reach {joint:.2f}.",
        {"honest": honest, "published": published, "joint": joint},
    )
    answers = Said(
        "Retrieval comes near print ({published:.3f}) only when a query is folded in together with "
        "its own answer ({joint:.3f}). From the query alone, which is all a user has, it is "
        "{honest:.3f}.",
        {"published": published, "joint": joint, "honest": honest},
    )
    coupling = Said(
        "The coupling of the two modalities adds {gain:+.3f} over two models that never saw each "
        "other, when only the query is used; the older Link PLSA has {link:.3f}.",
        {"gain": honest - alone, "link": link},
    )
    found = (Finding(ANSWERS, answers), Finding(INERT, coupling))
    return Front(sentence, (*found, *length_findings(trajectory, rows, PAPER)))
