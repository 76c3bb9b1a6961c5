"""Tables and figures of the data page: what was fetched, built and measured."""

from __future__ import annotations

import numpy as np
import pandas as pd
from IPython.display import Markdown, display
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from reproduction.data.builders.crossmodal import MIN_TRAINING_COUNT
from reproduction.data.entry import Dataset
from reproduction.data.registry import published_statistics
from reproduction.data.statistics import published_frame
from reproduction.pages.data_names import data_name
from reproduction.pages.data_sources import (
    ROLES,
    group_datasets,
    kind_of,
    load_provenances,
    load_statistics,
)
from reproduction.pages.figures import PALETTE, new_figure, show_figure
from reproduction.pages.registry import load_registry
from reproduction.pages.tables import show_table
from reproduction.rooms import find_paper, find_papers

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


#: What is not the paper's data is drawn in another colour, and the caption says so.
_COLOURS = {"stand-in": PALETTE[1], "surrogate": PALETTE[8]}
_COLOUR_WORDS = {
    "stand-in": "Orange: real stand-ins for data that is not public",
    "surrogate": "Grey: surrogates, drawn from published statistics",
}


def provenance_frame() -> pd.DataFrame:
    """One row per data set: what it is, where it came from, how it differs."""
    registry = load_registry()
    provenances = load_provenances()
    records = []
    for key in registry:
        entry, known = registry[key], provenances.get(key, {})
        records.append(
            {
                "data set": key,
                "name": entry.name,
                "kind": kind_of(entry, known),
                "what it is": entry.title,
                "difference from the paper's": known.get("differences") or entry.differences,
                "from": known.get("where", "not fetched in this run"),
                "paper": ", ".join(
                    find_paper(p).short for p in find_papers() if entry in group_datasets(p)
                ),
            }
        )
    return pd.DataFrame.from_records(records)


def _built(measured: pd.DataFrame, statistic: str) -> float:
    """Return the measured counterpart of a published statistic, NaN if there is none."""
    name, _, item = statistic.partition(":")

    def pick(what: str, **wanted: str) -> float:
        rows = measured[measured["statistic"] == what]
        for column, value in wanted.items():
            rows = rows[rows[column] == value]
        return float(rows["value"].iloc[0]) if len(rows) else float("nan")

    if name in _OF_A_VIEW:
        return pick(name, view=item)
    if name == "class_size":
        return pick(name, item=item)
    if name == "documents_per_class":
        sizes = measured.loc[measured["statistic"] == "class_size", "value"]
        return float(sizes.median()) if len(sizes) else float("nan")
    if name == "test":
        return pick("test_documents")
    if name == "train":
        return pick("documents") - pick("test_documents")
    return pick(name)


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


def show_comparison(paper: str) -> None:
    """Show published against built statistics of a paper."""
    frame = comparison_frame(paper)
    frame["data set"] = frame["data set"].map(data_name)
    for column in ("published", "built"):
        frame[column] = frame[column].astype("Int64")
    show_table(
        frame,
        f"{paper}-statistics",
        f"Data sets of “{find_paper(paper).title}”: published and built statistics",
        badges=(),
        targets=["results/data/statistics.csv"],
    )


def show_group(group: str) -> None:
    """Show all there is about the data sets of a paper or of a role."""
    datasets = group_datasets(group)
    title = ROLES[group] if group in ROLES else find_paper(group).title
    display(Markdown(f"## {title}"))
    if notes := [f"* **{d.name}.** {text}" for d in datasets for text in notes_of(d)]:
        display(Markdown("\n".join(notes)))
    if group not in ROLES:
        show_comparison(group)
    show_balance(group)
    show_sparsity(group)
    show_sanity(group)
    for dataset in datasets:
        if dataset.key in SHOWN_BESIDES:
            SHOWN_BESIDES[dataset.key]()


def show_groups() -> None:
    """Show every paper's data sets, those beyond the papers and the reader's own, in sections."""
    for group in [*find_papers(), *ROLES]:
        if group_datasets(group):
            show_group(group)


def balance_figure(group: str) -> Figure:
    """Class sizes of data sets, largest first."""
    statistics = load_statistics()
    datasets, known = group_datasets(group), load_provenances()
    columns = min(3, len(datasets))
    rows = -(-len(datasets) // columns)
    fig, axes = new_figure(rows, columns, width=7.2, height=1.9 * rows + 0.3, squeeze=False)
    for axis, dataset in zip(axes.flat, datasets, strict=False):
        own = statistics[statistics["data_set"] == dataset.key]
        sizes = own.loc[own["statistic"] == "class_size", "value"].to_numpy()
        sizes = np.sort(sizes)[::-1]
        colour = _COLOURS.get(kind_of(dataset, known.get(dataset.key, {})), PALETTE[0])
        axis.bar(np.arange(1, len(sizes) + 1), sizes, width=0.85, color=colour, linewidth=0)
        axis.xaxis.set_major_locator(MaxNLocator(5, integer=True, min_n_ticks=1))
        axis.set_xlim(0.4, max(len(sizes), 1) + 0.6)
        axis.set_title(f"{dataset.name}\n{len(sizes)} classes")
        axis.set_ylim(bottom=0)
        axis.grid(axis="x", visible=False)
    for axis in list(axes.flat)[len(datasets) :]:
        axis.set_visible(False)
    fig.supxlabel("class, largest first", fontsize="small")
    fig.supylabel("documents", fontsize="small")
    return fig


def show_balance(group: str) -> None:
    """Show the class sizes."""
    datasets = group_datasets(group)
    names = ", ".join(dataset.name for dataset in datasets)
    provenances = load_provenances()
    kinds = {kind_of(dataset, provenances.get(dataset.key, {})) for dataset in datasets}
    told = ". ".join(words for kind, words in _COLOUR_WORDS.items() if kind in kinds)
    show_figure(
        balance_figure(group),
        f"{group}-balance",
        f"Bars of the class sizes of {names}, one panel each, largest class first.",
        f"Class sizes. {told}." if told else "Class sizes.",
    )


def sparsity_figure(group: str) -> Figure:
    """Non-zeros per row of each view: median, quartiles, 5 to 95 %, as a share of the columns."""
    statistics = load_statistics()
    labels: list[str] = []
    keys = [dataset.key for dataset in group_datasets(group)]
    own = statistics[statistics["data_set"].isin(keys)]
    views = [
        (key, view)
        for key in keys
        for view in own.loc[(own["data_set"] == key) & (own["statistic"] == "features"), "view"]
    ]
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


def show_sparsity(group: str) -> None:
    """Show how full the rows of every view are."""
    show_figure(
        sparsity_figure(group),
        f"{group}-sparsity",
        "Ranges of the number of non-zeros per row, one line per view, on a logarithmic axis.",
        "Sparsity of the views; in brackets the share of filled cells and the empty rows.",
    )


def sanity_frame(group: str) -> pd.DataFrame:
    """Held-out accuracy of the plain classifier: every view, all together, the majority."""
    statistics = load_statistics()
    keys = [key for dataset in group_datasets(group) for key in dataset.view_keys]
    scores = statistics[statistics["statistic"].isin(["accuracy", "macro_f1"])]
    records = []
    for key in keys:
        own = scores[scores["data_set"] == key]
        majority = own[(own["view"] == "majority") & (own["statistic"] == "accuracy")]["value"]
        for view in dict.fromkeys(own["view"]):
            part = own[own["view"] == view].set_index("statistic")["value"]
            above = 100 * (part["accuracy"] - float(majority.iloc[0]))
            records.append(
                {
                    "data set": data_name(key),
                    "view": view,
                    "accuracy, %": 100 * part["accuracy"],
                    "macro F1, %": 100 * part["macro_f1"],
                    "above majority, points": float("nan") if view == "majority" else above,
                }
            )
    columns = ["data set", "view", "accuracy, %", "macro F1, %", "above majority, points"]
    return pd.DataFrame.from_records(records, columns=columns)


def show_sanity(group: str) -> None:
    """Show the sanity classifier's scores."""
    show_table(
        sanity_frame(group),
        f"{group}-sanity",
        "A plain ridge classifier on every view and on all views side by side (one split)",
        digits=3,
        badges=(),
        targets=["results/data/statistics.csv"],
    )


def vocabulary_frame() -> pd.DataFrame:
    """Corel5K's three ways to take SIFT descriptors, judged without labels."""
    statistics = load_statistics()
    own = statistics[statistics["data_set"] == "corel5k"]
    scores = own[own["statistic"] == "half_retrieval"][["view", "value"]]
    accuracy = own[own["statistic"] == "accuracy"].set_index("view")["value"]
    frame = scores.rename(columns={"view": "construction", "value": "left half finds right half"})
    frame["ridge accuracy, % (not used)"] = [100 * accuracy.get(v, np.nan) for v in scores["view"]]
    best = frame["left half finds right half"] == frame["left half finds right half"].max()
    frame["chosen"] = np.where(best, "yes", "")
    return frame.reset_index(drop=True)


def show_vocabularies() -> None:
    """Say how Corel5K's SIFT words were chosen, and show what the choice rests on."""
    frame = vocabulary_frame()
    if frame.empty:
        text = "Corel5K is a surrogate here: it has no photographs to choose a construction by."
        display(Markdown(text))
        return
    display(Markdown(SIFT_WORDS))
    show_table(frame, "corel5k-sift", "Three ways to take SIFT descriptors of Corel5K", badges=())


SIFT_WORDS = """### Which SIFT words?

Three constructions, 500 words each: a grid of 16 × 16 patches (`sift_dense`), grids of 12 × 12,
16 × 16 and 24 × 24 patches (`sift_multi`), and difference-of-Gaussian key points (`sift_dog`). The
choice must not look at the classes. Every photograph is cut into a left and a right half; the
words of the left half rank all right halves. A vocabulary is good when the photograph's own right
half comes out on top; the table gives the mean reciprocal rank."""


def newsgroup_note() -> str:
    """Say how far the newsgroup vocabularies are from the published ones, at two cuts."""
    registry = load_registry()
    statistics = load_statistics()

    def furthest(variant: str) -> float:
        gaps = []
        for key in ("newsgv2", "newsgv4"):
            measured = statistics[statistics["data_set"] == f"{key}{variant}"]
            for statistic, value, _ in published_statistics(registry[key]):
                if statistic.startswith("features:"):
                    gaps.append(_built(measured, statistic) / float(value) - 1)
        return 100 * max(gaps, key=abs)

    return (
        "The paper's words are those in at least 5 messages. Counted so, the vocabularies come to "
        f"within {abs(furthest('')):.0f} % of the published sizes; counted from 4 messages up "
        f"(variants `df4`), to within {abs(furthest('.df4')):.1f} % in all six views. A few huge "
        "messages of comp.os.ms-windows.misc decide how large its vocabulary is; further variants "
        "keep them, or drop such messages everywhere."
    )


def words_note() -> str:
    """Say by which rule the words of the Wikipedia texts were chosen."""
    statistics = load_statistics()
    built = _built(statistics[statistics["data_set"] == "wikipedia_pairs"], "features:text")
    return (
        f"The words of the Wikipedia texts are the stems that occur at least {MIN_TRAINING_COUNT} "
        "times in the training texts, once markup and stop words are removed. Of all such cuts "
        f"this one comes nearest the published number; it keeps {built:.0f}. Test texts are not "
        "counted."
    )


#: Notes whose numbers come from this run, and what is shown besides, by data set.
MEASURED_NOTES = {"newsgv2": newsgroup_note, "wikipedia_pairs": words_note}
SHOWN_BESIDES = {"corel5k": show_vocabularies}


def notes_of(dataset: Dataset) -> list[str]:
    """What readers should know of a data set: the registry's note, then what was measured."""
    measured = MEASURED_NOTES.get(dataset.key)
    return [text for text in (dataset.note, measured() if measured else "") if text]


def agreement(paper: str) -> tuple[int, int]:
    """Return how many of a paper's published statistics real data meet, and of how many.

    Surrogates are left out: they are told these figures.
    """
    frame = comparison_frame(paper)
    provenances = load_provenances()
    drawn = [key for key, known in provenances.items() if known["source"] == "surrogate"]
    notes = frame.loc[~frame["data set"].isin(drawn), "note"]
    met, missed = (notes.str.startswith(word) for word in ("the same", "differs"))
    return int(met.sum()), int((met | missed).sum())
