"""What the page "How to read this" shows: one worked example, and the margins."""

import pandas as pd

from reproduction.pages.explorer import cell_link
from reproduction.pages.markup import render
from reproduction.pages.tables import figures_of, metric_name
from reproduction.pages.wording import shown_settings
from reproduction.rooms import find_paper
from reproduction.verdicts.base_rates import counted
from reproduction.verdicts.margins import load_margins
from reproduction.verdicts.words import INFERRED


def example_text(ledger: pd.DataFrame) -> str:
    """Tell one cell from print to verdict (Markdown); every number comes from its row."""
    own = counted(ledger)
    # the one that shows most: inferred, with both readings run and several runs
    rich = (own["runs"] > 1) & (own["text_runs"] > 1) & (own["n_readings"] > 1)
    shows = rich.astype(int) + (rich & (own["protocol"] == INFERRED))
    if own.empty:
        return "This run has no cell on a paper's own data."
    row = own.loc[shows.idxmax()]
    return render(
        "example.md",
        row=row.to_dict(),
        setting=shown_settings(row.to_frame().T)[0],
        card=find_paper(str(row["paper"])),
        metric=metric_name(str(row["metric"])),
        link=cell_link(str(row["cell"])),
        **figures_of(row),
    )


def margins_frame(ledger: pd.DataFrame) -> pd.DataFrame:
    """Margin of every unit, and the metrics it holds for."""
    metrics = ledger["metric"].drop_duplicates()
    units = metrics.map(load_margins().unit)
    rows = [
        {
            "unit": unit.name.replace("_", " "),
            "margin": f"{unit.margin:g}{' powers of ten' if unit.scale == 'log10' else ''}",
            "metrics": ", ".join(map(metric_name, metrics[units == unit])),
        }
        for unit in dict.fromkeys(units)
    ]
    return pd.DataFrame(rows)
