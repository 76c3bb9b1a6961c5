"""What notebooks show about the length of training and about the hypotheses tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from IPython.display import Markdown, display

from reproduction.pages import training
from reproduction.pages.figures import show_figure
from reproduction.pages.markup import render
from reproduction.pages.results import load_ledger, load_results
from reproduction.pages.tables import show_table
from reproduction.results.published import load_published
from reproduction.rooms import find_paper, find_papers, open_module, room, study_of
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
    trajectory = training.trajectory_of(paper, rows)
    if trajectory is None:
        display(Markdown("No scores along the way in this run."))
        return
    sentence = training.distance_sentence(
        trajectory, training.distance_by_length(trajectory, paper)
    )
    display(Markdown(f"{trajectory.words} {sentence}"))
    alt = f"{trajectory.score} against {trajectory.length}. {sentence}"
    show_figure(training.curves_figure(trajectory), f"training-{paper}", alt, CAPTION)
    show_table(
        training.distance_by_method(trajectory, paper),
        f"lengths-{paper}",
        "Distance to print by method, with 95 % intervals over the runs",
    )
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
    records = []
    for place, part in ledger.groupby(["dataset", "table"], sort=True):
        rows = part.assign(dataset=part["data_key"]).to_dict("records")
        cells = [{str(name): value for name, value in row.items()} for row in rows]
        tried = [each for each in hypotheses if any(map(each.touches, cells))]
        counts = (int((part["agreement"] == word).sum()) for word in (NEAR, DIFFERENT))
        records.append((*place, *counts, len(tried)))
    return pd.DataFrame(records, columns=columns)


def verdicts_table(ledger: pd.DataFrame) -> pd.DataFrame:
    """How many cells on comparable data have each verdict, as the text says and as inferred."""
    own = ledger[(ledger["repeats"] == "") & ledger["data"].isin(JUDGED)]
    words = (EQUIVALENT, COMPATIBLE, NEAR, DIFFERENT)
    records = []
    for reading, column in (("as the text says", "text_agreement"), ("as inferred", "agreement")):
        counts = [int((own[column] == word).sum()) for word in words]
        records.append((reading, len(own), *counts, len(own) - sum(counts)))
    return pd.DataFrame(records, columns=["reading", "cells", *words, "not run"])


def searched_table(found: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Every reading of a declared search, as people read it."""
    frame = search_frame(found)
    shown = frame.assign(
        reading=frame["reading"].str.replace("_", " "),
        before=frame["before"].map("{:.2f}".format),
        after=frame["after"].map("{:.2f}".format),
        groups=frame["groups_nearer"].astype(str) + " of " + frame["groups"].astype(str),
    )
    names = {
        "reading": "reading", "cells": "cells", "before": "RMS before", "after": "RMS under it",
        "nearer": "cells nearer", "groups": "data sets nearer",
    }  # fmt: skip
    return shown[list(names)].rename(columns=names)


def search_sentence(hypothesis: Hypothesis, outcome: Outcome) -> str:
    """Say what a declared search found, with the correction for how many readings were tried."""
    chance = training.chance(outcome.p_value)
    return render("search.md", hypothesis=hypothesis, outcome=outcome, chance=chance)


def show_searches(
    paper: str, rows: pd.DataFrame, found: Sequence[tuple[Hypothesis, Outcome]]
) -> None:
    """Show every reading of a paper's declared searches."""
    published = load_published(paper)
    for hypothesis, outcome in found:
        if not outcome.best:
            continue
        cells = search_cells(hypothesis, rows, published, training.margins_of(published))
        display(Markdown(search_sentence(hypothesis, outcome)))
        show_table(
            searched_table(cells),
            f"search-{paper}-{hypothesis.id}",
            f"All {outcome.readings} readings of the search, the nearest first",
        )


def show_hypotheses(
    paper: str, rows: pd.DataFrame, found: Sequence[tuple[Hypothesis, Outcome]]
) -> None:
    """Show what was tried to explain the cells that differ, and what stays unexplained."""
    short = find_paper(paper).short
    verdicts = verdicts_table(load_ledger(paper))
    show_table(verdicts, f"verdicts-{paper}", f"Cells by verdict and reading: {short}")
    if found:
        show_table(
            training.hypotheses_table(found), f"hypotheses-{paper}", f"Hypotheses tried: {short}"
        )
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
    study = study_of(paper)
    if (study and study.training) or (room(paper) / "training.py").is_file():
        show_curves(paper, rows)
    show_hypotheses(paper, rows, training.outcomes(paper, rows))


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
