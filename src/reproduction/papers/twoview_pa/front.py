"""What the front page says about this paper; every number comes from the rows."""

import pandas as pd

from asprinted.claims import original_rows, select
from reproduction.pages.said import BESIDE, BY_INFERRED, PRINTED, Finding, Front, Said, mean
from reproduction.papers.twoview_pa.page import PUBLIC
from reproduction.papers.twoview_pa.protocol import CAT, SUM, TWO_VIEW
from reproduction.results.published import load_published

ADS, WEBKB = PUBLIC


def front(rows: pd.DataFrame) -> Front:
    """Return the advice and the finding."""
    own, printed = original_rows(rows), load_published("twoview_pa")
    on_ads = printed[printed["dataset"] == ADS].set_index("method")["mean"].to_dict()
    ours = {
        (dataset, method): mean(
            select(own, table="2", dataset=dataset, method=method, role=None)["value"]
        )
        for dataset in PUBLIC
        for method in (CAT, TWO_VIEW, SUM)
    }
    marks = {
        name: {PRINTED: on_ads[method], BY_INFERRED: ours[ADS, method]}
        for name, method in (("columns side by side", CAT), ("two-view PA", TWO_VIEW))
    }
    marks["two PAs, scores added"] = {BESIDE: ours[ADS, SUM]}
    found = Finding(
        "On Ads, two-view PA loses to putting the columns side by side.",
        Said(
            "We get {cat:.1f} and {two:.1f} where print has {cat_print:.1f} and {two_print:.1f}: "
            "the two rows fit if exchanged. One data set cannot prove an exchange.",
            {
                **{"cat": ours[ADS, CAT], "two": ours[ADS, TWO_VIEW]},
                **{"cat_print": on_ads[CAT], "two_print": on_ads[TWO_VIEW]},
            },
        ),
        marks,
        "F1 in %, Ads",
        "table-2",
    )
    return Front(
        Said(
            "No. Two classifiers, scores added: {ads:.1f} and {webkb:.1f}; it has {ads_two:.1f} "
            "and {webkb_two:.1f}.",
            {
                **{"ads": ours[ADS, SUM], "webkb": ours[WEBKB, SUM]},
                **{"ads_two": ours[ADS, TWO_VIEW], "webkb_two": ours[WEBKB, TWO_VIEW]},
            },
        ),
        (found,),
    )
