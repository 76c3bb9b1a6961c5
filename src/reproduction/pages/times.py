"""Figures whose subject is time, in ``reports/times/``: a page would differ from run to run."""

from collections.abc import Iterable
from pathlib import Path

from reproduction.files import write_text
from reproduction.pages.figures import standalone_svg
from reproduction.pages.page import results_folder
from reproduction.pages.results import load_results, load_timings
from reproduction.rooms import open_module, room

#: What stands beside the pages and in no manifest: times of one machine, other in every run.
MEASURED = ("times", "speed.html", "speed.csv")


def write_times(folder: Path, *, papers: Iterable[str], results: Path) -> None:
    """Write the figures of every room's ``times.py`` into a folder, with text alternatives."""
    with results_folder(results):
        for paper in (key for key in papers if (room(key) / "times.py").is_file()):
            drawn = open_module(paper, "times").figures(load_results(paper), load_timings(paper))
            for name, (figure, alt) in drawn.items():
                svg = standalone_svg(figure, f"{paper}-{name}", alt)
                write_text(folder / f"{paper}-{name}.svg", svg)
