"""What the page "How to read this" shows: one worked example, and the margins."""

from __future__ import annotations

import pandas as pd

from reproduction.pages.explorer import cell_link
from reproduction.pages.markup import render
from reproduction.pages.tables import figures_of, metric_name, table_name
from reproduction.pages.wording import shown_settings
from reproduction.rooms import find_paper
from reproduction.verdicts.agreement import WORDS
from reproduction.verdicts.base_rates import counted
from reproduction.verdicts.margins import load_margins
from reproduction.verdicts.replication import out_of_sample
from reproduction.verdicts.simulate import SIZES, simulate
from reproduction.verdicts.words import INFERRED


def example_cell(ledger: pd.DataFrame) -> pd.Series | None:
    """Return a cell that shows most: inferred, with both readings run and several runs."""
    own = counted(ledger)
    rich = own[(own["runs"] > 1) & (own["text_runs"] > 1) & (own["n_readings"] > 1)]
    for part in (rich[rich["protocol"] == INFERRED], rich, own):
        if len(part):
            return part.iloc[0]
    return None


def example_text(ledger: pd.DataFrame) -> str:
    """Tell one cell from print to verdict (Markdown); every number comes from its row."""
    row = example_cell(ledger)
    if row is None:
        return "This run has no cell on a paper's own data."
    return render(
        "example.md",
        row=row.to_dict(),
        setting=shown_settings(row.to_frame().T)[0],
        card=find_paper(str(row["paper"])),
        metric=metric_name(str(row["metric"])),
        link=cell_link(str(row["cell"])),
        **figures_of(row),
    )


def simulated_frame(ledger: pd.DataFrame) -> pd.DataFrame:
    """How often each word came on simulated papers, in per cent."""
    frame = simulate(ledger)
    shares = {word: f"{word} %" for word in WORDS}
    frame = frame.assign(**{word: (100 * frame[word]).round(1) for word in WORDS})
    frame = frame.replace({"distance of the truths": {SIZES[0]: "none"}})
    names = {
        "truth behind print": "print simulated from",
        "distance of the truths": "its true distance to ours",
    }
    return frame.rename(columns={**names, **shares})


def elsewhere_frame(ledger: pd.DataFrame) -> pd.DataFrame:
    """Readings chosen by one table of a paper, and how close they come in its other tables."""
    found = out_of_sample(ledger)
    if found.empty:
        return pd.DataFrame(columns=["paper", "table", "chosen here"])
    return found.assign(
        paper=[find_paper(str(key)).short for key in found["paper"]],
        table=found["table"].map(table_name),
        **{
            name: found[name].map({True: "yes", False: "no"})
            for name in found.select_dtypes(bool).columns
        },
    )


def margins_frame(ledger: pd.DataFrame) -> pd.DataFrame:
    """Margin of every unit, and the metrics it holds for."""
    margins = load_margins()
    metrics = list(dict.fromkeys(ledger["metric"]))
    records = []
    for unit in dict.fromkeys(margins.unit(metric) for metric in metrics):
        names = [metric_name(m) for m in metrics if margins.unit(m).name == unit.name]
        scale = " powers of ten" if unit.scale == "log10" else ""
        records.append(
            {
                "unit": unit.name.replace("_", " "),
                "margin": f"{unit.margin:g}{scale}",
                "metrics": ", ".join(names),
            }
        )
    return pd.DataFrame(records)
