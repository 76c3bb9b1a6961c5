"""What jobs ask for and which goes first, from the memory and the time that runs have measured.

Every job writes what it used beside its log (:mod:`reproduction.workflow.usage`).
``python -m reproduction measured`` gathers the peaks of memory and the core seconds into
``workflow/measured.csv``. A job asks for half as much memory again; what was never measured asks
for the default of its rule. Of the jobs that could start, the one that most work waits behind
starts first, so that no core idles while another ends a long job alone.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

from reproduction.files import ROOT, shown_path, write_text

MEASURED = ROOT / "workflow" / "measured.csv"
ENDING = ".usage.tsv"
#: What jobs of a station ask for, in MB, when they were never measured; fits say so themselves.
DEFAULTS = {"fetch": 500, "views": 3000, "statistics": 2000, "score": 1000, "page": 2000}
#: Another machine, or other threads, may need more than was measured here.
_ROOM = 1.5
#: Nothing asks for less: starting Python with its libraries takes a good part of it.
_LEAST = 500
#: Share and seconds by which a time may differ from the kept one without replacing it.
_SLACK, _SECONDS = 0.25, 2.0


class Used(NamedTuple):
    """What a job used: its largest memory in MB and its core seconds."""

    peak_mb: float
    seconds: float


def gather(logs: Path) -> dict[str, Used]:
    """Return what every job below a folder of logs used, by the place of its log.

    Raises
    ------
    ValueError
        When nothing was measured, or a file cannot be read.
    """
    found = {}
    for path in sorted(logs.rglob(f"*{ENDING}")):
        place = path.relative_to(logs).as_posix().removesuffix(ENDING)
        try:
            with path.open(encoding="utf-8", newline="") as stream:
                (row,) = csv.DictReader(stream, delimiter="\t")
            found[place] = Used(float(row["memory_mb"]), float(row["cpu_seconds"]))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{shown_path(path)} does not say what a job used ({error}); remove it"
            ) from None
    if not found:
        raise ValueError(f"no measured jobs below {shown_path(logs)}; run the workflow first")
    return found


@cache
def kept(path: Path = MEASURED) -> Mapping[str, Used]:
    """Return what is kept of earlier runs, by the place of the job's log."""
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as stream:
        return {
            row["job"]: Used(float(row["peak_mb"]), float(row["seconds"]))
            for row in csv.DictReader(stream)
        }


def memory(place: str, default: int, known: Mapping[str, Used] | None = None) -> int:
    """Return the MB a job asks for: half as much again as its peak, or the default.

    Parameters
    ----------
    place
        Of its log, such as ``fit/mvplsa/cornell/tables``.
    default
        What to ask for when it was never measured.
    known
        What jobs used; default what is kept.
    """
    used = (kept() if known is None else known).get(place)
    if used is None:
        return default
    return max(_LEAST, 100 * math.ceil(_ROOM * used.peak_mb / 100))


def priorities(
    needs: Mapping[str, Iterable[str]], known: Mapping[str, Used] | None = None
) -> dict[str, int]:
    """Return the core seconds of the longest way from each job to the end of the run.

    Started in falling order of these, two cores end together: no long job is left for last.

    Parameters
    ----------
    needs
        For each job the jobs it waits for, all by the places of their logs.
    known
        What jobs used; default what is kept. A job that was never measured counts as much as the
        longest of its station: what may be long had better start early.
    """
    known = kept() if known is None else known
    longest: dict[str, float] = {}
    for place, used in known.items():
        station = place.partition("/")[0]
        longest[station] = max(longest.get(station, 0.0), used.seconds)
    behind: dict[str, float] = {}
    ways: dict[str, float] = {}
    for place in reversed([*TopologicalSorter(needs).static_order()]):
        station = place.partition("/")[0]
        own = known[place].seconds if place in known else longest.get(station, 0.0)
        ways[place] = own + behind.get(place, 0.0)
        for before in needs.get(place, ()):
            behind[before] = max(behind.get(before, 0.0), ways[place])
    return {place: math.ceil(way) for place, way in ways.items()}


def write_measured(logs: Path, path: Path = MEASURED) -> int:
    """Bring what is kept up to date with what a run measured; return how many jobs it measured.

    A peak that is smaller than the kept one by less than a tenth, and a time within a quarter or
    two seconds of it, change nothing, so that the file stays as it is from run to run.
    """
    found, known = gather(logs), dict(kept(path))
    for place, used in found.items():
        peak, seconds = known.get(place, used)
        if not 0.9 * peak <= used.peak_mb <= peak:
            peak = used.peak_mb
        if abs(used.seconds - seconds) > max(_SECONDS, _SLACK * seconds):
            seconds = used.seconds
        known[place] = Used(peak, seconds)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["job", *Used._fields])
    for place, used in sorted(known.items()):
        writer.writerow([place, f"{used.peak_mb:.0f}", f"{used.seconds:.1f}"])
    write_text(path, text.getvalue())
    kept.cache_clear()
    return len(found)
