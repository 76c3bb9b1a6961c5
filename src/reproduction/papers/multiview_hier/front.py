"""What the front page says about this paper; every number comes from the rows."""

import math

import pandas as pd

from asprinted.claims import original_rows
from reproduction.pages.said import ANSWERS, Finding, Front, Said, has
from reproduction.papers.multiview_hier.page import scoring_distance
from reproduction.papers.multiview_hier.settings import ALL_POINTS, UNLABELLED


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the card and the findings."""
    distance = scoring_distance(rows) if has(original_rows(rows), "2", "scored") else {}
    numbers = {
        "all_points": distance.get(ALL_POINTS, math.nan),
        "unseen": distance.get(UNLABELLED, math.nan),
    }
    sentence = Said(
        "Half of the printed scores lie within {all_points:.1f} points of ours, if documents whose "
        "label the method was given are scored as well; if only unseen ones are, within "
        "{unseen:.1f}.",
        numbers,
    )
    answers = Said(
        "Labels that were given for training were scored. The median distance to print is "
        "{all_points:.1f} points when they are, {unseen:.1f} when they are not.",
        numbers,
    )
    return Front(sentence, (Finding(ANSWERS, answers),))
