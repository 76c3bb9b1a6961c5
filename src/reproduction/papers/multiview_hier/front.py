"""What the front page says about this paper; every number comes from the rows."""

from __future__ import annotations

import math
from functools import partial

import pandas as pd

from reproduction.pages.said import ANSWERS, Finding, Front, Said, has
from reproduction.pages.training import length_findings, recorded
from reproduction.papers.multiview_hier.page import scoring_distance
from reproduction.papers.multiview_hier.paper import study
from reproduction.verdicts.claims import original_rows


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the card and the findings."""
    own = original_rows(rows)
    distance = scoring_distance(rows) if has(own, "2", "scored") else {}
    every, unseen = (distance.get(name, math.nan) for name in ("all points", "unlabelled only"))
    numbers = {"all_points": every, "unseen": unseen}
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
    length = length_findings(partial(recorded, study), rows, study.key)
    return Front(sentence, (Finding(ANSWERS, answers), *length))
