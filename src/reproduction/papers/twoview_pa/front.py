"""What the front page says about this paper; every number comes from the rows."""

import pandas as pd

from reproduction.pages.said import BASELINES, CHOICES, FORMULAS, Finding, Front, Said, has, mean
from reproduction.papers.twoview_pa.page import PUBLIC, advantage, sound
from reproduction.papers.twoview_pa.protocol import CAT, COMBINED, SUM, TWO_VIEW
from reproduction.verdicts.claims import original_rows, select


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the card and the findings."""
    own, names = original_rows(rows), dict(zip(("ads", "webkb"), PUBLIC, strict=True))
    there = has(own, COMBINED, "order", "empty")
    table = sound(advantage(own)) if there else pd.DataFrame(columns=["dataset", "mean"])
    shares = {
        name: 100 * mean(table.loc[table["dataset"] == dataset, "mean"] > 0)
        for name, dataset in names.items()
    }
    sentence = Said(
        "Learning from two views together beats simply putting them side by side in {ads:.0f} % of "
        "the settings tried on Ads and in {webkb:.0f} % on WebKB.",
        shares,
    )
    choices = Said(
        "Two-view PA is ahead of PA on the concatenation in {ads:.0f} % of the combinations of "
        "scaling, passes, C, gamma and the rule for empty rows on Ads, in {webkb:.0f} % on WebKB.",
        shares,
    )
    same = own[(own["table"] == "extra:identical views") & (own["method"] == TWO_VIEW)]
    square = Said(
        "Equation (12) loses a square and Algorithm 1 halves a step: with two identical views a "
        "weight is off by up to {identical:.2g} from the single-view classifier it should become.",
        {"identical": float(same["value"].max())},
    )
    scores = select(own, table="2", role=None)
    parts = Said(
        "Two independent classifiers with their scores added, which the paper leaves out, have an "
        "F1 of {ads_sum:.1f} on Ads and {webkb_sum:.1f} on WebKB; two-view PA has {ads_two:.1f} "
        "and {webkb_two:.1f}, the concatenation {ads_cat:.1f} and {webkb_cat:.1f}.",
        {
            f"{name}_{short}": mean(
                select(scores, dataset=dataset, method=method, role=None)["value"]
            )
            for name, dataset in names.items()
            for short, method in (("sum", SUM), ("two", TWO_VIEW), ("cat", CAT))
        },
    )
    combined = "all-choices-combined-where-does-two-view-pa-beat-the-concatenation"
    return Front(
        sentence,
        (
            Finding(FORMULAS, square, "what-is-wrong-in-print"),
            Finding(CHOICES, choices, combined),
            Finding(BASELINES, parts, "table-2"),
        ),
    )
