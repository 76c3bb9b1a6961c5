"""Tables of what the paper leaves open: every choice with its distance to print."""

from __future__ import annotations

import pandas as pd

from reproduction.pages.wording import in_words
from reproduction.papers.multiview_hier.columns import ALL_POINTS, CHOICES, SCORED, TRAIN
from reproduction.papers.multiview_hier.methods import FLAT_NAMES, MACRO
from reproduction.papers.multiview_hier.page import NAMES, SCORINGS, printed, share_names
from reproduction.results.rows import INFERRED
from reproduction.results.tables import Table
from reproduction.verdicts.claims import select

TITLES = {
    "choice:cotrain": "COTRAIN: read-out and order of the exchange",
    "choice:readout": "MAXAGREE: read-out where views disagree",
    "choice:link": "Direction of the links",
    "choice:weights": "Weights of the words, rows behind the centroids",
    "choice:concat": "V12: scaled before concatenation?",
    "choice:zero_products": "PRODSCORE where a view is empty",
    "choice:draw": "How labelled points are drawn",
    "choice:class_order": "Which class comes first",
    "choice:leaves": "Leaves: which views, joined how",
}
PRINTED = "as published"
_PLACES = {TRAIN.name, SCORED.name}


def chosen(rows: pd.DataFrame, table: Table) -> list[str]:
    """Say what was chosen in every row of a choice's table."""
    own = [column.name for column in table.columns if column.name not in _PLACES]
    values = rows[own].itertuples(index=False, name=None)
    return [table.write(dict(zip(own, row, strict=True))) for row in values]


def _choice_rows(rows: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Return the macro F1 of the named choices (all if none is), with the text ``choice``."""
    parts = []
    for table in CHOICES:
        part = select(rows, table=table.name, metric=MACRO, reading=None)
        if len(part) and (not names or table.name in names):
            parts.append(part.assign(choice=chosen(part, table)))
    return pd.concat(parts, ignore_index=True)


def choices_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean absolute distance to the published cells under every choice.

    The distance is over the methods that the choice concerns, both training shares, scored on all
    points. A choice is *declared* where Table 2 takes it on some data set.
    """
    part = _choice_rows(rows)
    part = part[part["scored"] == ALL_POINTS]
    keys = ["table", "choice", "dataset"]
    mean = part.groupby([*keys, "train", "method"])["value"].mean().reset_index()
    cells = printed("2", MACRO)[["dataset", "train", "method", "mean"]]
    joined = mean.merge(cells, how="inner", on=["dataset", "train", "method"])
    joined["distance"] = (joined["value"] - joined["mean"]).abs()
    wide = joined.groupby(keys)["distance"].mean().unstack("dataset")
    wide = wide[[key for key in NAMES if key in wide.columns]]
    taken = part.loc[part["reading"] == INFERRED, ["table", "choice"]]
    marks = set(taken.itertuples(index=False, name=None))
    wide.insert(0, "declared", ["yes" if key in marks else "" for key in wide.index])
    wide = wide.rename(columns=NAMES.plain).round(1).reset_index()
    wide["table"] = wide["table"].map(TITLES)
    return wide.rename(columns={"table": "topic"})


def pubmed_table(rows: pd.DataFrame) -> pd.DataFrame:
    """PubMed's two rows in print beside every choice that could explain the second."""
    here = rows[rows["dataset"] == "pubmed"]
    own = select(here, table="2", metric=MACRO, method=FLAT_NAMES).assign(choice="as in Table 2")
    part = pd.concat([own, _choice_rows(here, "choice:link", "choice:class_order")])
    part = part.assign(scored=part["scored"].map(SCORINGS))
    cells = printed("2", MACRO)
    cells = cells[cells["dataset"] == "pubmed"].rename(columns={"mean": "value"})
    cells = cells.assign(choice=PRINTED, scored="")
    index = ["choice", "scored", "setting"]
    wide = [
        frame.assign(setting=share_names(frame["train"])).pivot_table(
            index=index, columns="method", values="value"
        )
        for frame in (cells, part)
    ]
    return pd.concat(wide)[list(FLAT_NAMES)].round(1)


def pubmed_closest(rows: pd.DataFrame) -> str:
    """Say which choice comes closest to each of PubMed's two published rows."""
    told = []
    for share, part in pubmed_table(rows).groupby("setting"):
        # a choice that concerns a few methods says too little
        table = part.droplevel("setting")[part.notna().sum(axis=1).to_numpy() >= 5]
        gap = table.drop(index=PRINTED).sub(table.loc[PRINTED].iloc[0], axis="columns")
        distance = gap.abs().mean(axis=1)
        nearest = ", ".join(distance.index[int(distance.argmin())])
        told.append(f"at {share} *{nearest}* ({distance.min():.1f} points on average)")
    return in_words("Closest to the published rows: " + "; ".join(told) + ".")
