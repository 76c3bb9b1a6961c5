"""The memory a job asks for, from the peaks that runs have measured.

Every job writes what it used beside its log (:mod:`reproduction.workflow.usage`).
``python -m reproduction memory`` gathers the peaks into ``workflow/memory.csv``; a job asks for
half as much again. What was never measured asks for the default of its rule.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from reproduction.files import ROOT, shown_path, write_text

PEAKS = ROOT / "workflow" / "memory.csv"
_ENDING = ".usage.tsv"
#: Another machine, or other threads, may need more than was measured here.
_ROOM = 1.5
#: Nothing asks for less: starting Python with its libraries takes a good part of it.
_LEAST = 500


def measured(logs: Path) -> dict[str, float]:
    """Return the peak of every job in MB, by the place of its log.

    Raises
    ------
    ValueError
        When nothing was measured, or a file cannot be read.
    """
    found = {}
    for path in sorted(logs.rglob(f"*{_ENDING}")):
        place = path.relative_to(logs).as_posix().removesuffix(_ENDING)
        try:
            with path.open(encoding="utf-8", newline="") as stream:
                used = [float(row["memory_mb"]) for row in csv.DictReader(stream, delimiter="\t")]
            found[place] = max(used)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{shown_path(path)} does not say what a job used ({error}); remove it"
            ) from None
    if not found:
        raise ValueError(f"no measured jobs below {shown_path(logs)}; run the workflow first")
    return found


@cache
def peaks(path: Path = PEAKS) -> Mapping[str, float]:
    """Return the peaks that are kept, in MB, by the place of the job's log."""
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as stream:
        return {row["job"]: float(row["peak_mb"]) for row in csv.DictReader(stream)}


def memory(place: str, default: int, known: Mapping[str, float] | None = None) -> int:
    """Return the MB a job asks for: half as much again as its peak, or the default.

    Parameters
    ----------
    place
        Of its log, such as ``fit/mvplsa/cornell/everything``.
    default
        What to ask for when it was never measured.
    known
        Peaks; default those that are kept.
    """
    peak = (peaks() if known is None else known).get(place)
    if peak is None:
        return default
    return max(_LEAST, 100 * math.ceil(_ROOM * peak / 100))


def write_peaks(logs: Path, path: Path = PEAKS) -> int:
    """Bring the kept peaks up to date with what a run measured; return how many it measured.

    A peak that is smaller than the kept one by less than a tenth changes nothing, so that the file
    stays as it is from run to run.
    """
    found, kept = measured(logs), dict(peaks(path))
    for place, peak in found.items():
        before = kept.get(place)
        if before is None or not 0.9 * before <= peak <= before:
            kept[place] = peak
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["job", "peak_mb"])
    writer.writerows([place, f"{kept[place]:.0f}"] for place in sorted(kept))
    write_text(path, text.getvalue())
    peaks.cache_clear()
    return len(found)
