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

    def f1(dataset: str, method: str) -> float:
        part = select(own, table="2", dataset=dataset, method=method, role=None)
        return mean(part["value"])

    cat, two = f1(ADS, CAT), f1(ADS, TWO_VIEW)
    found = Finding(
        "At the paper's setting, two-view PA loses on Ads to PA on the concatenated views.",
        Said(
            "We get {cat:.1f} and {two:.1f} where print has {cat_print:.1f} and {two_print:.1f}: "
            "the two rows fit if exchanged. One data set cannot prove an exchange.",
            {"cat": cat, "two": two, "cat_print": on_ads[CAT], "two_print": on_ads[TWO_VIEW]},
        ),
        {
            "PA, concatenated views": {PRINTED: on_ads[CAT], BY_INFERRED: cat},
            "two-view PA": {PRINTED: on_ads[TWO_VIEW], BY_INFERRED: two},
            "two PAs, scores added": {BESIDE: f1(ADS, SUM)},
        },
        "F1 in %, Ads",
        "table-2",
    )
    today = Said(
        "No. F1 on Ads, WebKB: {ads_two:.1f}, {webkb_two:.1f}; two PAs, scores added: {ads:.1f}, "
        "{webkb:.1f}.",
        {
            "ads": f1(ADS, SUM), "webkb": f1(WEBKB, SUM), "ads_two": two,
            "webkb_two": f1(WEBKB, TWO_VIEW),
        },
    )  # fmt: skip
    return Front(today, (found,))
