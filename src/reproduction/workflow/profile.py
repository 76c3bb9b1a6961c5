"""Where the time of a run went, from what every job wrote beside its log."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from pathlib import Path

import pandas as pd

from reproduction.data.registry import Registry, load_registry
from reproduction.files import shown_path, write_text
from reproduction.pages.profile import Profile, profile_page
from reproduction.results.jobs import find_job
from reproduction.results.rows import INFERRED
from reproduction.rooms import paper_keys
from reproduction.verdicts.words import TEXT
from reproduction.workflow.measured import DEFAULTS, ENDING, memory
from reproduction.workflow.needs import needs

#: Page and table beside the other pages; measured, so in no manifest.
PAGE, TABLE = "profile.html", "profile.csv"
#: A pause of this many seconds in which nothing ran ends a run.
_PAUSE = 900.0
#: Within a run, one of this many seconds is left out: the run was called again to go on.
_BREAK = 60.0
_NUMBERS = ("start", "end", "seconds", "cpu_seconds", "memory_mb")
#: Not every process measures them.
_SOME = ("compile_seconds", "read_seconds")


def read_jobs(logs: Path) -> pd.DataFrame:
    """Return a row for every job below a folder of logs, in the order they started.

    Raises
    ------
    ValueError
        When nothing was measured, or a file cannot be read.
    """
    rows = []
    for path in sorted(logs.rglob(f"*{ENDING}")):
        place = path.relative_to(logs).as_posix().removesuffix(ENDING)
        try:
            with path.open(encoding="utf-8", newline="") as stream:
                (row,) = csv.DictReader(stream, delimiter="\t")
            numbers = {name: float(row.get(name) or "nan") for name in (*_NUMBERS, *_SOME)}
        except ValueError as error:
            raise ValueError(
                f"{shown_path(path)} does not say what a job used ({error}); remove it"
            ) from None
        if any(math.isnan(numbers[name]) for name in _NUMBERS):
            raise ValueError(f"{shown_path(path)} does not say what a job used; remove it")
        rows.append({"job": place, **numbers})
    if not rows:
        raise ValueError(f"no measured jobs below {shown_path(logs)}; run the workflow first")
    jobs = pd.DataFrame(rows).sort_values(["start", "job"], ignore_index=True)
    parts = jobs["job"].str.split("/")
    papers = set(paper_keys())
    jobs.insert(1, "station", parts.str[0])
    owner = parts.str[1].where(parts.str[1].isin(papers), "")
    jobs.insert(2, "paper", owner.fillna(""))
    return jobs


def last_run(jobs: pd.DataFrame) -> pd.DataFrame:
    """Return the jobs of the last run: those after the last long pause in which nothing ran."""
    begins = jobs.index[jobs["start"] > jobs["end"].cummax().shift() + _PAUSE]
    return jobs.loc[begins[-1] if len(begins) else 0 :].reset_index(drop=True)


def without_breaks(jobs: pd.DataFrame) -> tuple[pd.DataFrame, float]:
    """Return the jobs with breaks cut out of their times, and the seconds cut out."""
    idle = (jobs["start"] - jobs["end"].cummax().shift()).fillna(0.0)
    cut = idle.where(idle > _BREAK, 0.0).cumsum()
    return jobs.assign(start=jobs["start"] - cut, end=jobs["end"] - cut), float(cut.iloc[-1])


def lanes(jobs: pd.DataFrame) -> list[int]:
    """Return a lane for every job: the first that is free when it starts."""
    free: list[float] = []
    given = []
    for start, end in zip(jobs["start"], jobs["end"], strict=True):
        lane = next((n for n, until in enumerate(free) if until <= start), len(free))
        free[lane : lane + 1] = [end]
        given.append(lane)
    return given


def critical_path(waits: Mapping[str, Sequence[str]], seconds: Mapping[str, float]) -> list[str]:
    """Return the chain of jobs, each waiting for the one before, that takes longest.

    Jobs without a time take none, and are left out of the answer.
    """
    length: dict[str, float] = {}
    before: dict[str, str] = {}
    for place in TopologicalSorter(waits).static_order():
        first = max(sorted(waits.get(place, ())), key=length.__getitem__, default=None)
        length[place] = seconds.get(place, 0.0) + (length[first] if first is not None else 0.0)
        if first is not None:
            before[place] = first
    path = [max(sorted(length), key=length.__getitem__)]
    while path[-1] in before:
        path.append(before[path[-1]])
    return [place for place in reversed(path) if place in seconds]


def asked(place: str) -> float:
    """Return the MB a job asks for now; NaN where its rule has a figure of its own."""
    station, _, rest = place.partition("/")
    if station == "fit" and rest.count("/") == 2:
        try:
            return memory(place, find_job(*rest.split("/")).mem_mb)
        except ValueError:  # a job of an earlier state of the room
            return float("nan")
    return memory(place, DEFAULTS[station]) if station in DEFAULTS and rest else float("nan")


def purpose(table: Path) -> str:
    """Return what a fit is for, by the rows it wrote; empty where there are none."""
    if not table.is_file():
        return ""
    rows = pd.read_csv(table, usecols=["table", "reading"], dtype=str).drop_duplicates()
    added = rows["table"].str.contains(":") | (rows["table"] == "trajectory")
    found = (
        ("tables and figures in print", (~added & (rows["reading"] == INFERRED)).any()),
        ("the text reading", (rows["reading"] == TEXT).any()),
        ("recorded trajectories", (rows["table"] == "trajectory").any()),
        ("declared searches", rows["table"].str.startswith("search:").any()),
    )
    return next((name for name, is_it in found if is_it), "open choices, controls, additions")


def profile_of(logs: Path, registry: Registry) -> Profile:
    """Return the profile of the last run below a folder of logs."""
    every = read_jobs(logs)
    jobs, breaks = without_breaks(last_run(every))
    jobs["lane"] = lanes(jobs)
    jobs["asked_mb"] = [asked(place) for place in jobs["job"]]
    # logs stand beside the results they tell of
    jobs["purpose"] = [
        purpose(logs.parent / f"{place.partition('/')[2]}.csv") if station == "fit" else ""
        for place, station in zip(jobs["job"], jobs["station"], strict=True)
    ]
    known = dict(zip(jobs["job"], jobs["seconds"], strict=True))
    path = critical_path(needs(paper_keys(), registry), known)
    return Profile(jobs, path, earlier=len(every) - len(jobs), breaks=breaks)


def write_profile(logs: Path, reports: Path) -> list[Path]:
    """Write the page and the table of a run's profile; return their paths."""
    profile = profile_of(logs, load_registry())
    page, table = reports / PAGE, reports / TABLE
    write_text(page, profile_page(profile))
    write_text(table, profile.table().to_csv(index=False, float_format="%.3f", lineterminator="\n"))
    return [page, table]
