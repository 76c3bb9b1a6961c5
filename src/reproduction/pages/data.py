"""Tables and figures of the data page: what was fetched, built and measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import Markdown, display
from matplotlib.figure import Figure

from reproduction.data.entry import Dataset
from reproduction.data.registry import load_registry
from reproduction.data.statistics import published_frame
from reproduction.pages.data_names import data_name
from reproduction.pages.figures import PALETTE, new_figure, show_figure
from reproduction.pages.results import results_root
from reproduction.pages.tables import show_table
from reproduction.rooms import find_paper, find_papers
from reproduction.verdicts.data_facts import data_facts

#: Published statistics that a view file cannot show, with the reason.
NOT_MEASURED = {
    "documents_full": "size before sampling",
    "images_in_release": "size before sampling",
    "sample_percent": "protocol",
    "minimum_document_frequency": "protocol",
    "words_per_document": "length before the vocabulary was cut",
}
#: Statistics of one view, and the views that hold the same links in several directions.
_OF_A_VIEW = ("features", "nonzeros")
LINKS = ("cited", "cites", "links")
#: Published counts are often rounded to three digits; less than this is no difference.
ROUNDING = 0.005


#: Data sets that are no paper's: role -> title of their section.
ROLES = {"extra": "Beyond the papers", "own": "Your own data"}
NOT_FETCHED = "not fetched"


def load_statistics() -> pd.DataFrame:
    """Measured statistics of every view file."""
    path = results_root() / "data" / "statistics.csv"
    if not path.is_file():
        raise ValueError(f"{path} is not there; make it with `snakemake --cores all {path}`")
    return pd.read_csv(path, keep_default_na=False)


def load_provenances() -> dict[str, dict[str, Any]]:
    """Where each data set came from, as the fetch step wrote it; nothing before a run."""
    path = results_root() / "data" / "provenance.json"
    found: dict[str, dict[str, Any]] = {}
    if path.is_file():
        found = json.loads(path.read_text(encoding="utf-8"))
    return found


def kind_of(dataset: Dataset, provenance: Mapping[str, Any]) -> str:
    """One word for a reader, on every page the same; data not fetched has no ``provenance``."""
    if dataset.role in ROLES:
        return ROLES[dataset.role].lower()
    return data_facts(dataset.key, dataset, provenance).kind if provenance else NOT_FETCHED


def group_datasets(group: str) -> list[Dataset]:
    """Data sets of a paper in its order, then their stand-ins; or what was built of a role."""
    registry = load_registry()
    if group in ROLES:
        built = set(load_statistics()["data_set"])
        return [d for d in registry.values() if d.role == group and d.key in built]
    own = [registry[key] for key in find_paper(group).datasets]
    keys = {dataset.key for dataset in own}
    return own + [dataset for dataset in registry.values() if dataset.stands_in_for in keys]


def provenance_frame() -> pd.DataFrame:
    """One row per data set: what it is, where it came from, how it differs."""
    provenances = load_provenances()
    papers = {find_paper(key).short: group_datasets(key) for key in find_papers()}
    records = []
    for entry in load_registry().values():
        known = provenances.get(entry.key, {})
        records.append(
            {
                "data set": entry.key,
                "name": entry.name,
                "kind": kind_of(entry, known),
                "what it is": entry.title,
                "difference from the paper's": known.get("differences") or entry.differences,
                "from": known.get("where", "not fetched in this run"),
                "paper": ", ".join(short for short, own in papers.items() if entry in own),
            }
        )
    return pd.DataFrame.from_records(records)


def _built(measured: pd.DataFrame, statistic: str) -> float:
    """Return the measured counterpart of a published statistic, NaN if there is none."""
    name, _, item = statistic.partition(":")

    def first(what: str, column: str = "", wanted: str = "") -> float:
        rows = measured[measured["statistic"] == what]
        rows = rows[rows[column] == wanted] if column else rows
        return float(rows["value"].iloc[0]) if len(rows) else float("nan")

    if name in (*_OF_A_VIEW, "class_size"):
        return first(name, "item" if name == "class_size" else "view", item)
    if name == "documents_per_class":
        return float(measured.loc[measured["statistic"] == "class_size", "value"].median())
    if name == "train":
        return first("documents") - first("test_documents")
    return first("test_documents" if name == "test" else name)


def comparison_frame(paper: str) -> pd.DataFrame:
    """Published against built statistics of a paper's data sets."""
    published = published_frame(d for d in group_datasets(paper) if d.role == "paper")
    statistics = load_statistics()
    records = []
    for row in published.to_dict("records"):
        name = str(row["statistic"])
        measured = statistics[statistics["data_set"] == row["data_set"]]
        built = float("nan") if name in NOT_MEASURED else _built(measured, name)
        value = float(row["value"])
        relative = built / value - 1 if value else float("nan")
        records.append(
            {
                "data set": row["data_set"],
                "statistic": _statistic_name(name),
                "published": value,
                "built": built,
                "difference, %": 100 * relative,
                "note": NOT_MEASURED.get(name) or _remark(measured, name, relative),
                "where": row["where"],
            }
        )
    return pd.DataFrame.from_records(records)


def _statistic_name(statistic: str) -> str:
    """Return what readers call a statistic, and the view it is about."""
    name, _, item = statistic.partition(":")
    words = name.replace("nonzeros", "non-zeros").replace("_", " ")
    if not item:
        return words
    return f"{words}, view “{item}”" if name in _OF_A_VIEW else f"{words}: {item}"


def _remark(measured: pd.DataFrame, statistic: str, relative: float) -> str:
    """Say whether a figure is met; of links, what the other directions would give."""
    if np.isnan(relative):
        return "not in these views"
    if abs(relative) <= ROUNDING:
        return "the same"
    name, _, item = statistic.partition(":")
    others = [view for view in LINKS if view != item] if item in LINKS else []
    sizes = {view: _built(measured, f"{name}:{view}") for view in others}
    told = [f"“{view}” has {size:.0f}" for view, size in sizes.items() if not np.isnan(size)]
    return "; ".join(["differs", *told])


def _show_table(frame: pd.DataFrame, name: str, caption: str) -> None:
    """Show what was measured of the views."""
    show_table(frame, name, caption, badges=(), targets=["results/data/statistics.csv"])


def show_group(group: str) -> None:
    """Show all there is about the data sets of a paper or of a role."""
    datasets = group_datasets(group)
    title = ROLES[group] if group in ROLES else find_paper(group).title
    display(Markdown(f"## {title}"))
    if notes := [f"* **{d.name}.** {d.note}" for d in datasets if d.note]:
        display(Markdown("\n".join(notes)))
    if group not in ROLES:
        frame = comparison_frame(group).astype({"published": "Int64", "built": "Int64"})
        frame["data set"] = frame["data set"].map(data_name)
        caption = f"Data sets of “{title}”: published and built statistics"
        _show_table(frame, f"{group}-statistics", caption)
    show_figure(
        sparsity_figure(group),
        f"{group}-sparsity",
        "Ranges of the number of non-zeros per row, one line per view, on a logarithmic axis.",
        "Sparsity of the views; in brackets the share of filled cells and the empty rows.",
    )
    caption = "A plain ridge classifier on every view and on all views side by side (one split)"
    _show_table(sanity_frame(group), f"{group}-sanity", caption)


def show_groups() -> None:
    """Show every paper's data sets, those beyond the papers and the reader's own, in sections."""
    for group in [*find_papers(), *ROLES]:
        if group_datasets(group):
            show_group(group)


def sparsity_figure(group: str) -> Figure:
    """Non-zeros per row of each view: median, quartiles, 5 to 95 %, as a share of the columns."""
    statistics = load_statistics()
    labels = []
    keys = [dataset.key for dataset in group_datasets(group)]
    own = statistics[statistics["data_set"].isin(keys)]
    features = own[own["statistic"] == "features"].set_index("data_set")["view"]
    views = [(key, view) for key in keys for view in features[features.index == key]]
    fig, axis = new_figure(width=7.2, height=0.24 * len(views) + 1.0)
    for place, (key, view) in enumerate(views):
        part = own[(own["data_set"] == key) & (own["view"] == view)]
        row = part[part["statistic"] == "row_nonzeros"].set_index("item")["value"]
        facts = part.set_index("statistic")["value"]
        # A logarithmic axis has no zero: empty rows are drawn at a half.
        low, left, middle, right, high = (
            max(float(row[name]), 0.5) for name in ("q05", "q25", "median", "q75", "q95")
        )
        colour = PALETTE[keys.index(key) % len(PALETTE)]
        axis.plot([low, high], [place, place], color=colour, lw=1.2)
        axis.plot([left, right], [place, place], color=colour, lw=5, solid_capstyle="butt")
        axis.plot([middle], [place], "o", color=colour, markersize=5)
        empty = f", {int(facts['empty_rows'])} empty" if facts["empty_rows"] else ""
        labels.append(f"{data_name(key)}: {view} ({100 * facts['density']:.3g} %{empty})")
    axis.set_xscale("log")
    axis.set_yticks(range(len(labels)), labels, fontsize="small")
    axis.set_ylim(len(labels) - 0.4, -0.6)
    axis.set_xlabel("non-zeros in a row (5 to 95 %, quartiles, median)")
    return fig


def sanity_frame(group: str) -> pd.DataFrame:
    """Held-out accuracy of the plain classifier: every view, all together, the majority."""
    statistics = load_statistics()
    scores = statistics[statistics["statistic"].isin(["accuracy", "macro_f1"])]
    records = []
    for key in (key for dataset in group_datasets(group) for key in dataset.view_keys):
        own = scores[scores["data_set"] == key]
        wide = own.pivot_table(index="view", columns="statistic", values="value", sort=False)
        for view, accuracy, macro in wide.reindex(columns=["accuracy", "macro_f1"]).itertuples():
            above = accuracy - wide.loc["majority", "accuracy"] if view != "majority" else np.nan
            records.append((data_name(key), view, 100 * accuracy, 100 * macro, 100 * above))
    columns = ["data set", "view", "accuracy, %", "macro F1, %", "above majority, points"]
    return pd.DataFrame.from_records(records, columns=columns)


def agreement(paper: str) -> tuple[int, int]:
    """Return how many of a paper's published statistics real data meet, and of how many.

    Surrogates are left out: they are told these figures.
    """
    frame = comparison_frame(paper)
    drawn = [key for key, known in load_provenances().items() if known["source"] == "surrogate"]
    notes = frame.loc[~frame["data set"].isin(drawn), "note"]
    met, missed = (notes.str.startswith(word) for word in ("the same", "differs"))
    return int(met.sum()), int((met | missed).sum())
