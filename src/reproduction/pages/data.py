"""Tables of the data page: what was fetched, built and measured, and who has the files."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import Markdown, display

from reproduction.data.entry import Dataset
from reproduction.data.origin import Edition
from reproduction.data.registry import load_registry, published_statistics
from reproduction.data.sources import addresses, independent_addresses
from reproduction.files import ROOT
from reproduction.pages.results import load_provenance, need, results_root
from reproduction.pages.tables import show_table
from reproduction.rooms import find_paper, find_papers
from reproduction.verdicts.data_facts import data_facts, data_name

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

#: What this project knows of wrong files that circulate: a page of the guide, too.
FAULTS = ROOT / "docs" / "guide" / "data-faults.md"

#: Data sets that are no paper's: role -> their kind.
ROLES = {"extra": "beyond the papers", "own": "your own data"}


def load_statistics() -> pd.DataFrame:
    """Measured statistics of every view file."""
    path = need(results_root() / "data" / "statistics.csv", "results/data/statistics.csv")
    return pd.read_csv(path, keep_default_na=False)


def kind_of(dataset: Dataset, provenance: Mapping[str, Any]) -> str:
    """One word for a reader, on every page the same; data not fetched has no ``provenance``."""
    if dataset.role in ROLES:
        return ROLES[dataset.role]
    return data_facts(dataset.key, dataset, provenance).kind if provenance else "not fetched"


def group_datasets(paper: str) -> list[Dataset]:
    """Data sets of a paper in its order, then their stand-ins."""
    registry = load_registry()
    own = [registry[key] for key in find_paper(paper).datasets]
    keys = {dataset.key for dataset in own}
    return own + [dataset for dataset in registry.values() if dataset.stands_in_for in keys]


def provenance_frame() -> pd.DataFrame:
    """One row per data set: what it is, where it came from, how it differs."""
    provenances = load_provenance("data")
    papers = {find_paper(key).short: group_datasets(key) for key in find_papers()}
    rows = []
    for entry in load_registry().values():
        known = provenances.get(entry.key, {})
        rows.append(
            {
                "data set": entry.key,
                "name": entry.name,
                "kind": kind_of(entry, known),
                "what it is": entry.title,
                "difference from the paper's": known.get("differences") or entry.differences,
                "from": known.get("where", "not part of the papers' run"),
                "paper": ", ".join(short for short, own in papers.items() if entry in own),
            }
        )
    return pd.DataFrame(rows)


def _built(measured: pd.DataFrame, statistic: str) -> float:
    """Return the measured counterpart of a published statistic, NaN if there is none."""
    name, _, item = statistic.partition(":")
    if name == "documents_per_class":
        return float(measured.loc[measured["statistic"] == "class_size", "value"].median())
    if name == "train":
        return _built(measured, "documents") - _built(measured, "test")
    rows = measured[measured["statistic"] == ("test_documents" if name == "test" else name)]
    if name in (*_OF_A_VIEW, "class_size"):
        rows = rows[rows["item" if name == "class_size" else "view"] == item]
    return float(rows["value"].iloc[0]) if len(rows) else float("nan")


def comparison_frame(paper: str) -> pd.DataFrame:
    """Published against built statistics of a paper's data sets."""
    published = [
        (dataset.key, *printed)
        for dataset in group_datasets(paper)
        if dataset.role == "paper"
        for printed in published_statistics(dataset)
    ]
    statistics = load_statistics()
    rows = []
    for key, statistic, value, where in published:
        name, _, item = statistic.partition(":")
        words = name.replace("nonzeros", "non-zeros").replace("_", " ")
        of = f", view “{item}”" if name in _OF_A_VIEW else f": {item}"
        measured = statistics[statistics["data_set"] == key]
        built = float("nan") if name in NOT_MEASURED else _built(measured, statistic)
        relative = built / value - 1 if value else float("nan")
        rows.append(
            {
                "data set": key,
                "statistic": words + (of if item else ""),
                "published": value,
                "built": built,
                "difference, %": 100 * relative,
                "note": NOT_MEASURED.get(name) or _remark(measured, name, item, relative),
                "where": where,
            }
        )
    return pd.DataFrame(rows)


def _remark(measured: pd.DataFrame, name: str, item: str, relative: float) -> str:
    """Say whether a figure is met; of links, what the other directions would give."""
    if np.isnan(relative):
        return "not in these views"
    if abs(relative) <= ROUNDING:
        return "the same"
    others = [view for view in LINKS if view != item] if item in LINKS else []
    sizes = {view: _built(measured, f"{name}:{view}") for view in others}
    told = [f"“{view}” has {size:.0f}" for view, size in sizes.items() if not np.isnan(size)]
    return "; ".join(["differs", *told])


def show_groups() -> None:
    """Show the published and the built sizes of every paper's data sets."""
    for paper, card in find_papers().items():
        notes = [f"* **{d.name}.** {d.note}" for d in group_datasets(paper) if d.note]
        display(Markdown("\n".join([f"### {card.title}", "", *notes])))
        frame = comparison_frame(paper).astype({"published": "Int64", "built": "Int64"})
        frame["data set"] = frame["data set"].map(data_name)
        caption = f"Data sets of “{card.title}”: published and built statistics"
        targets = ["results/data/statistics.csv"]
        show_table(frame, f"{paper}-statistics", caption, targets=targets)


def agreement(paper: str) -> tuple[int, int]:
    """Return how many of a paper's published statistics real data meet, and of how many.

    Surrogates are left out: they are told these figures.
    """
    frame = comparison_frame(paper)
    drawn = [
        key for key, known in load_provenance("data").items() if known["source"] == "surrogate"
    ]
    notes = frame.loc[~frame["data set"].isin(drawn), "note"]
    met, missed = (notes.str.startswith(word) for word in ("the same", "differs"))
    return int(met.sum()), int((met | missed).sum())


def show_addresses() -> None:
    """Show where everybody can get the files; editions say how they differ."""
    rows = []
    for dataset in load_registry().values():
        parts: list[tuple[Dataset | Edition, str]] = [(dataset, "the pinned bytes")]
        parts += [(edition, f"other files: {edition.differences}") for edition in dataset.editions]
        for part, gives in parts:
            for where, names in addresses(part):
                rows.append(
                    {
                        "data set": data_name(dataset.key),
                        "independent addresses": independent_addresses(dataset),
                        "address": where,
                        "files": "all" if set(names) == set(part.files) else ", ".join(names),
                        "what it gives": gives,
                    }
                )
    caption = "Public addresses of every file; what comes from one is checked by its content"
    show_table(pd.DataFrame(rows), "addresses", caption, badges=(), targets=["data"])


def show_faults() -> None:
    """Show the guide to faults in circulated files, its headings one level down."""
    text = FAULTS.read_text(encoding="utf-8")
    display(Markdown(re.sub("^#", "##", text, flags=re.MULTILINE)))
