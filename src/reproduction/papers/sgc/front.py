"""What the front page says about this control; every number comes from the rows."""

import pandas as pd

from asprinted.claims import real_rows, select
from reproduction.pages.said import Front, Said, mean
from reproduction.results.published import load_published


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the page."""
    found = select(real_rows(rows), table="2", method="SGC")
    ours = {
        kind: mean(found.loc[found["dataset"] == f"{kind}_planetoid", "value"])
        for kind in ("cora", "citeseer")
    }
    printed = load_published("sgc").set_index("dataset")["mean"]
    theirs = {f"{kind}_print": float(printed[f"{kind}_planetoid"]) for kind in ours}
    return Front(
        Said(
            "SGC names {cora:.1f} % of Cora's test documents right and {citeseer:.1f} % of "
            "CiteSeer's; its authors print {cora_print:.1f} and {citeseer_print:.1f}.",
            {**ours, **theirs},
        )
    )
