"""What the page "How to read this" shows: one worked example, and the margins."""

from __future__ import annotations

import pandas as pd

from reproduction.pages.explorer import cell_link
from reproduction.pages.tables import figure, metric_name
from reproduction.pages.wording import in_words
from reproduction.rooms import find_paper
from reproduction.verdicts.agreement import WORDS
from reproduction.verdicts.base_rates import counted
from reproduction.verdicts.margins import load_margins
from reproduction.verdicts.simulate import SIZES, simulate
from reproduction.verdicts.words import COMPATIBLE, DIFFERENT, EQUIVALENT, INFERRED, NEAR

_BECAUSE = {
    EQUIVALENT: "The whole 90 % interval of the difference lies within the margin: equivalent.",
    COMPATIBLE: "The 95 % interval of the difference contains zero, but it is too wide to lie "
    "within the margin: compatible.",
    NEAR: "The 95 % interval of the difference excludes zero, and the difference is at most 2.5 "
    "margins: near.",
    DIFFERENT: "The 95 % interval of the difference excludes zero, and the difference is more than "
    "2.5 margins: different.",
}


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
    card = find_paper(str(row["paper"]))
    metric = str(row["metric"])
    published = figure(row["published"], row["published_std"], metric)
    ours = figure(row["ours"], row["ours_std"], metric)
    setting = f", {in_words(row['setting'])}" if row["setting"] else ""
    text = (
        f"Table {row['table']} of {card.short} ({card.year}) prints **{published}** for "
        f"{row['method']} on {row['dataset']}{setting} ({metric_name(metric)}). "
        f"We get **{ours}** over {int(row['runs'])} runs. The difference is "
        f"{row['difference']:+.3g}, with a 95 % interval from {row['low']:+.3g} to "
        f"{row['high']:+.3g}; the margin is {row['margin']:g}. {_BECAUSE[row['agreement']]} "
        f"The data is *{row['data']}*, the protocol *{row['protocol']}*."
    )
    if row["text_runs"] > 0:
        told = figure(row["text_ours"], row["text_std"], metric)
        text += (
            f" With the paper's words followed to the letter we get {told}, which is "
            f"*{row['text_agreement']}*."
        )
    if row["n_readings"] > 1:
        low, high = (figure(row[name], float("nan"), metric) for name in _RANGE)
        text += (
            f" Over all {int(row['n_readings'])} readings we ran, ours goes from {low} to {high}."
        )
    return f"{text} [Open its card]({cell_link(str(row['cell']))})."


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


_RANGE = ("readings_low", "readings_high")


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
