"""What notebooks show about the length of training and about the hypotheses tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from IPython.display import Markdown, display

from reproduction.pages.figures import show_figure
from reproduction.pages.results import load_ledger, load_results
from reproduction.pages.tables import show_table
from reproduction.pages.training import (
    chance,
    curves_figure,
    distance_by_length,
    distance_by_method,
    distance_figure,
    distance_sentence,
    find_trajectories,
    hypotheses_table,
    margins_of,
    outcomes,
    trajectory_of,
)
from reproduction.results.published import load_published
from reproduction.rooms import find_paper, find_papers, open_module, room
from reproduction.verdicts.claims import real_rows
from reproduction.verdicts.hypotheses import Hypothesis, Outcome, load_hypotheses
from reproduction.verdicts.search import search_cells, search_frame
from reproduction.verdicts.words import COMPATIBLE, DIFFERENT, EQUIVALENT, JUDGED, NEAR

CAPTION = (
    "Our scores along the way, with a band of one deviation over the runs; dotted lines are the "
    "published figures, shaded by their deviation where one is printed. The vertical line is the "
    "length of the inferred reading."
)


def show_curves(paper: str, rows: pd.DataFrame) -> None:
    """Show a paper's scores along the training, and what else it says about them."""
    trajectory = trajectory_of(paper, rows)
    if trajectory is None:
        display(Markdown("No scores along the way in this run."))
        return
    sentence = distance_sentence(trajectory, distance_by_length(trajectory, paper))
    display(Markdown(f"{trajectory.words} {sentence}"))
    alt = f"{trajectory.score} against {trajectory.length}. {sentence}"
    show_figure(curves_figure(trajectory), f"training-{paper}", alt, CAPTION)
    show_table(
        distance_by_method(trajectory, paper),
        f"lengths-{paper}",
        "Distance to print by method, with 95 % intervals over the runs",
    )
    module = open_module(paper, "training")
    if hasattr(module, "show_more"):
        module.show_more(rows)


def unexplained(paper: str, hypotheses: tuple[Hypothesis, ...]) -> pd.DataFrame:
    """Cells that are near or different even as inferred, by data set and method, and who tried.

    A cell counts once; ``tried`` is the number of hypotheses that touch one of them.
    """
    ledger = load_ledger(paper)
    ledger = ledger[(ledger["repeats"] == "") & ledger["agreement"].isin((NEAR, DIFFERENT))]
    records = []
    for row in ledger.to_dict("records"):
        cell = {**{str(name): value for name, value in row.items()}, "dataset": row["data_key"]}
        names = {each.id for each in hypotheses if each.touches(cell)}
        records.append((row["dataset"], row["table"], row["agreement"], names))
    frame = pd.DataFrame(records, columns=["data set", "table", "agreement", "names"])
    grouped = frame.groupby(["data set", "table"], sort=True)
    return pd.DataFrame(
        [
            {
                "data set": dataset,
                "table": table,
                NEAR: int((part["agreement"] == NEAR).sum()),
                DIFFERENT: int((part["agreement"] == DIFFERENT).sum()),
                "hypotheses tried": len(set().union(*part["names"])),
            }
            for (dataset, table), part in grouped
        ]
    )


def verdicts_table(ledger: pd.DataFrame) -> pd.DataFrame:
    """How many cells on comparable data have each verdict, as the text says and as inferred."""
    own = ledger[(ledger["repeats"] == "") & ledger["data"].isin(JUDGED)]
    columns = {"as the text says": "text_agreement", "as inferred": "agreement"}
    words = (EQUIVALENT, COMPATIBLE, NEAR, DIFFERENT)
    records: list[dict[str, Any]] = []
    for reading, column in columns.items():
        counts = {word: int((own[column] == word).sum()) for word in words}
        rest = len(own) - sum(counts.values())
        records.append({"reading": reading, "cells": len(own), **counts, "not run": rest})
    return pd.DataFrame(records)


def searched_table(found: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Every reading of a declared search, as people read it."""
    frame = search_frame(found)
    return pd.DataFrame(
        {
            "reading": frame["reading"].str.replace("_", " "),
            "cells": frame["cells"],
            "RMS before": frame["before"].map("{:.2f}".format),
            "RMS under it": frame["after"].map("{:.2f}".format),
            "cells nearer": frame["nearer"],
            "data sets nearer": frame["groups_nearer"].astype(str)
            + " of "
            + frame["groups"].astype(str),
        }
    )


def search_sentence(hypothesis: Hypothesis, outcome: Outcome) -> str:
    """Say what a declared search found, with the correction for how many readings were tried."""
    total = hypothesis.tried + outcome.readings
    best = outcome.best.replace("_", " ")
    told = (
        f"We searched for {hypothesis.what[:1].lower()}{hypothesis.what[1:]} "
        f"{outcome.readings} readings were declared before they were run. The nearest to the paper "
        f"is *{best}*: under it our cells lie {outcome.after:.2f} margins from print (root mean "
        f"square), before it {outcome.before:.2f}. The best of {total} random readings would come "
        f"to {outcome.luck:.2f} (p: {chance(outcome.p_value)}). It brings {outcome.groups_nearer} "
        f"of {outcome.groups} data sets nearer."
    )
    if outcome.held_out:
        told += (
            f" Data sets that the search is not about move from {outcome.held_out_before:.2f} to "
            f"{outcome.held_out_after:.2f} margins."
        )
    if outcome.verdict == "supported":
        return f"{told} So the search supports it."
    return f"{told} So {total} readings do not explain it."


def show_searches(
    paper: str, rows: pd.DataFrame, found: Sequence[tuple[Hypothesis, Outcome]]
) -> None:
    """Show every reading of a paper's declared searches."""
    published = load_published(paper)
    for hypothesis, outcome in found:
        if not outcome.best:
            continue
        cells = search_cells(hypothesis, rows, published, margins_of(published))
        display(Markdown(search_sentence(hypothesis, outcome)))
        show_table(
            searched_table(cells),
            f"search-{paper}-{hypothesis.id}",
            f"All {outcome.readings} readings of the search, the nearest first",
        )


def show_hypotheses(paper: str, rows: pd.DataFrame) -> None:
    """Show what was tried to explain the cells that differ, and what stays unexplained."""
    short = find_paper(paper).short
    verdicts = verdicts_table(load_ledger(paper))
    show_table(verdicts, f"verdicts-{paper}", f"Cells by verdict and reading: {short}")
    found = outcomes(paper, rows)
    if found:
        show_table(hypotheses_table(found), f"hypotheses-{paper}", f"Hypotheses tried: {short}")
    show_searches(paper, rows, found)
    left = unexplained(paper, load_hypotheses(paper, load_published(paper)))
    if len(left):
        show_table(left, f"unexplained-{paper}", f"Still near or different: {short}")


def load_rows(paper: str) -> pd.DataFrame:
    """Return a paper's rows on real data: what surrogates do says nothing about print."""
    return real_rows(load_results(paper))


def show_training(paper: str) -> None:
    """Show both, as a section of the paper's page."""
    rows = load_rows(paper)
    if (room(paper) / "training.py").is_file():
        show_curves(paper, rows)
    show_hypotheses(paper, rows)


def show_distances(rows: dict[str, pd.DataFrame]) -> None:
    """Show the distance to print by length of training, for all papers that have one."""
    known = find_trajectories(rows.__getitem__)
    if not known:
        display(Markdown("No scores along the way in this run."))
        return
    names = {paper: find_papers()[paper].short for paper in known}
    distances = {paper: distance_by_length(each, paper) for paper, each in known.items()}
    said = [f"{names[p]}: {distance_sentence(each, distances[p])}" for p, each in known.items()]
    show_figure(
        distance_figure(
            {names[p]: frame for p, frame in distances.items()},
            {names[p]: each.length for p, each in known.items()},
        ),
        "distances",
        "Distance to print by length. " + " ".join(said),
        "Distance of our means to the printed figures, with 95 % intervals over the runs. A few "
        "cells that no length explains keep the root mean square high, but not the median.",
    )
    display(Markdown("\n".join(f"- {line}" for line in said)))
