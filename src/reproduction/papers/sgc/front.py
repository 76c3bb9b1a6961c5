"""What the front page says about this control; every number comes from the rows."""

import pandas as pd

from asprinted.claims import real_rows, select
from reproduction.pages.said import Front, Said, mean
from reproduction.results.published import load_published


def front(rows: pd.DataFrame) -> Front:
    """Return the sentence of the page."""
    found, printed = select(real_rows(rows), table="2", method="SGC"), load_published("sgc")
    numbers = {}
    for kind in ("cora", "citeseer"):
        for name, part, column in ((kind, found, "value"), (f"{kind}_print", printed, "mean")):
            numbers[name] = mean(part.loc[part["dataset"] == f"{kind}_planetoid", column])
    text = "SGC names {cora:.1f} % of Cora's test documents right and {citeseer:.1f} % of "
    text += "CiteSeer's; its authors print {cora_print:.1f} and {citeseer_print:.1f}."
    return Front(Said(text, numbers))
