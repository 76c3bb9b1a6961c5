"""Measured times, in files of their own: a page that showed them would differ from run to run.

``reports/times/`` holds one table of all papers and the figures whose subject is time. Pages link
to it; the manifest leaves it out.
"""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from reproduction.files import write_text
from reproduction.pages.figures import standalone_svg
from reproduction.pages.page import results_folder
from reproduction.pages.results import load_results, load_timings
from reproduction.rooms import open_module, room, tables_of

#: Folder beside the pages, and its table.
TIMES, TABLE = "times", "times.csv"
#: What stands beside the pages and in no manifest: times of one machine, other in every run.
MEASURED = (TIMES, "speed.html", "speed.csv")
_KEYS = ["paper", "dataset", "table", "setting", "method", "measured"]


def times_frame(paper: str) -> pd.DataFrame:
    """Return how long a paper's fits took, and what its timed tables measured.

    One row for every data set, table and method: how many were timed, their median, the largest
    and the sum. ``measured`` says of what: seconds of a fit, or the metric of a timed table.
    """
    timings, tables = load_timings(paper), tables_of(paper)
    timed = timings["table"].map(lambda name: tables[name].timed).astype(bool)
    frame = timings.assign(
        measured=timings["metric"].where(timed, "seconds"),
        setting=timings["setting"].where(timed, ""),
        amount=timings["value"].where(timed, timings["seconds"]).astype(float),
    )
    groups = frame[frame["amount"].notna()].groupby(_KEYS, sort=True, observed=True)["amount"]
    found = groups.agg(["size", "median", "max", "sum"]).reset_index()
    return found.rename(columns={"dataset": "data set", "size": "count", "max": "largest"})


def write_times(folder: Path, *, papers: Iterable[str], results: Path) -> None:
    """Write the table of all papers' times and the figures of times into a folder.

    A room with such figures has a module ``times.py`` whose function ``figures(rows, timings)``
    returns them by name, each with its text alternative.
    """
    with results_folder(results):
        keys = list(papers)
        table = pd.concat([times_frame(paper) for paper in keys], ignore_index=True)
        text = table.to_csv(index=False, float_format="%.4g", lineterminator="\n")
        write_text(folder / TABLE, text)
        for paper in keys:
            if not (room(paper) / "times.py").is_file():
                continue
            drawn = open_module(paper, "times").figures(load_results(paper), load_timings(paper))
            for name, (figure, alt) in drawn.items():
                svg = standalone_svg(figure, f"{paper}-{name}", alt)
                write_text(folder / f"{paper}-{name}.svg", svg)
