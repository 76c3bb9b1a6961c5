"""What the front page says about this paper; every number comes from the rows."""

from __future__ import annotations

import pandas as pd

from reproduction.pages.said import ANSWERS, INERT, Finding, Front, Said
from reproduction.pages.training import length_findings
from reproduction.papers.coplsa_multimodal.names import (
    ALONE,
    DIRECTIONS,
    LINK,
    PAPER,
    SKL,
    WIKIPEDIA,
)
from reproduction.papers.coplsa_multimodal.page import mean_of, published_values
from reproduction.papers.coplsa_multimodal.training import trajectory
from reproduction.verdicts.claims import real_rows


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the card and the findings."""
    real = real_rows(rows)
    known = published_values()
    joint, honest = mean_of(real, SKL, "joint"), mean_of(real, SKL, "honest")
    published = sum(known[WIKIPEDIA, "semantic", d, SKL] for d in DIRECTIONS) / len(DIRECTIONS)
    alone = mean_of(real, ALONE, "honest", role="control")
    link = mean_of(real, LINK, "honest")
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
