"""The rows of a run in one file, ``reports/rows.zip``, and what can be made of them.

A full run takes an hour or two, and what it measured fits into three megabytes. With the rows at
hand verdicts and pages are made again in minutes, ``verify`` judges once more in a clone, and a run
takes rows as they are that were made from the same code, settings and views.
"""

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from asprinted.words import INFERRED, TEXT
from reproduction.data.provenance import PROVENANCE_FILE
from reproduction.files import atomic_path, shown_path, write_text
from reproduction.results.custody import inputs_of
from reproduction.results.jobs import Job
from reproduction.rooms import study_of
from reproduction.verdicts.chain import Folders

ROWS = "rows.zip"
#: What the page of the data sets shows, beside the papers' results.
_DATA = ("data/statistics.csv", "data/provenance.json")


def pack(target: Path, raw: Path, results: Path, names: Iterable[str]) -> None:
    """Write results and the provenance of fetched files into one file, the same in every run."""
    there = [name for name in _DATA if (results / name).is_file()]
    files = {f"results/{name}": results / name for name in (*names, *there)}
    for path in raw.glob(f"*/{PROVENANCE_FILE}"):
        files[path.relative_to(raw.parent).as_posix()] = path
    with atomic_path(target) as made, zipfile.ZipFile(made, "w") as archive:
        for name in sorted(files):
            # a member without a time has that of 1980
            content = files[name].read_bytes()
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_BZIP2)


@contextmanager
def unpacked(rows: Path) -> Iterator[Folders]:
    """Yield the folders of a packed run, for as long as they are needed; it has no views."""
    with TemporaryDirectory() as name:
        try:
            with zipfile.ZipFile(rows) as archive:
                archive.extractall(name)
        except (OSError, zipfile.BadZipFile) as error:
            raise ValueError(f"{shown_path(rows)} cannot be read ({error}); restore it") from None
        yield Folders(Path(name, "raw"), Path(name, "views"), Path(name, "results"))


def is_evidence(job: Job) -> bool:
    """Return whether a job has no row compared with print: choices, searches, hypotheses.

    What measures times has no rows worth keeping: they are those of one machine.
    """
    work = study_of(job.paper).work.get((job.dataset, job.name))
    if work is None or any(plan.timed for plan in work.plans):
        return False
    return all(":" in plan.name or plan.reading not in (INFERRED, TEXT) for plan in work.plans)


def take(
    job: Job, settings: Mapping[str, Any], rows: Path, *, views_dir: Path, results_dir: Path
) -> bool:
    """Write a job's files from packed rows; ``False`` where those were made from something else."""
    made_from = inputs_of(job, settings, views_dir=views_dir, results_dir=results_dir)
    try:
        with zipfile.ZipFile(rows) as archive:
            place = f"results/{job.paper}/{job.place}"
            details, table = (archive.read(place + end).decode() for end in (".json", ".csv"))
        if json.loads(details)["stamp"]["made_from"] != made_from:
            return False
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return False
    target = results_dir / job.paper / f"{job.place}.csv"
    write_text(target, table)
    write_text(target.with_suffix(".json"), details)
    # nothing was timed
    write_text(target.with_suffix(".timing.csv"), table.partition("\n")[0] + "\n")
    return True
