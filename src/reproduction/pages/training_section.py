"""What notebooks show about the length of training and about the hypotheses tried."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from IPython.display import Markdown, display

from reproduction.pages import training
from reproduction.pages.figures import show_figure
from reproduction.pages.results import load_ledger, load_results
from reproduction.pages.tables import show_table
from reproduction.results.published import load_published
from reproduction.rooms import find_paper, find_papers, open_module, room
from reproduction.verdicts.cells import records
from reproduction.verdicts.claims import real_rows
from reproduction.verdicts.hypotheses import Hypothesis, Outcome, load_hypotheses
from reproduction.verdicts.words import DIFFERENT, NEAR

CAPTION = (
    "Our scores along the way, with a band of one deviation over the runs; dotted lines are the "
    "published figures, shaded by their deviation where one is printed. The vertical line is the "
    "length of the inferred reading."
)


def show_curves(paper: str, rows: pd.DataFrame) -> None:
    """Show a paper's scores along the training, and what else it says about them."""
    trajectory = training.trajectory_of(paper, rows)
    if trajectory is None:
        display(Markdown("No scores along the way in this run."))
        return
    sentence = training.distance_sentence(
        trajectory, training.distance_by_length(trajectory, paper)
    )
    display(Markdown(f"{trajectory.words} {sentence}"))
    alt = f"{trajectory.score} against {trajectory.length}. {sentence}"
    means = trajectory.rows.groupby(["panel", "series", "length"], sort=False)["value"].mean()
    drawn = training.curves_figure(trajectory)
    show_figure(drawn, f"training-{paper}", alt, CAPTION, means.reset_index())
    if not (room(paper) / "training.py").is_file():
        return
    module = open_module(paper, "training")
    if hasattr(module, "show_more"):
        module.show_more(rows)


def unexplained(paper: str, hypotheses: tuple[Hypothesis, ...]) -> pd.DataFrame:
    """Cells that are near or different even as inferred, by data set and method, and who tried.

    A cell counts once; ``tried`` is the number of hypotheses that touch one of them.
    """
    ledger = load_ledger(paper)
    ledger = ledger[(ledger["repeats"] == "") & ledger["agreement"].isin((NEAR, DIFFERENT))]
    columns = ["data set", "table", NEAR, DIFFERENT, "hypotheses tried"]
    found = []
    for place, part in ledger.groupby(["dataset", "table"], sort=True):
        cells = records(part.assign(dataset=part["data_key"]))
        tried = [each for each in hypotheses if any(map(each.touches, cells))]
        counts = (int((part["agreement"] == word).sum()) for word in (NEAR, DIFFERENT))
        found.append((*place, *counts, len(tried)))
    return pd.DataFrame(found, columns=columns)


def show_hypotheses(paper: str, found: Sequence[tuple[Hypothesis, Outcome]]) -> None:
    """Show what was tried to explain the cells that differ, and what stays unexplained."""
    short = find_paper(paper).short
    if found:
        show_table(
            training.hypotheses_table(found), f"hypotheses-{paper}", f"Hypotheses tried: {short}"
        )
    left = unexplained(paper, load_hypotheses(paper, load_published(paper)))
    if len(left):
        show_table(left, f"unexplained-{paper}", f"Still near or different: {short}")


def load_rows(paper: str) -> pd.DataFrame:
    """Return a paper's rows on real data: what surrogates do says nothing about print."""
    return real_rows(load_results(paper))


def show_training(paper: str) -> None:
    """Show what was tried on a paper's page; the curves stand on the page on training."""
    rows = load_rows(paper)
    trajectory = training.trajectory_of(paper, rows)
    if trajectory is not None:
        frame = training.distance_by_length(trajectory, paper)
        told = training.distance_sentence(trajectory, frame)
        display(Markdown(f"{trajectory.words} {told} [The curves](training.html)."))
    show_hypotheses(paper, training.outcomes(paper, rows))


def show_distances(rows: dict[str, pd.DataFrame]) -> None:
    """Show the distance to print by length of training, for all papers that have one."""
    known = training.find_trajectories(rows.__getitem__)
    if not known:
        display(Markdown("No scores along the way in this run."))
        return
    names = {paper: find_papers()[paper].short for paper in known}
    distances = {paper: training.distance_by_length(each, paper) for paper, each in known.items()}
    said = [
        f"{names[p]}: {training.distance_sentence(each, distances[p])}" for p, each in known.items()
    ]
    show_figure(
        training.distance_figure(
            {names[p]: frame for p, frame in distances.items()},
            {names[p]: each.length for p, each in known.items()},
        ),
        "distances",
        "Distance to print by length. " + " ".join(said),
        "Distance of our means to the printed figures, with 95 % intervals over the runs. A few "
        "cells that no length explains keep the root mean square high, but not the median.",
    )
    display(Markdown("\n".join(f"- {line}" for line in said)))
