"""Run one job from files to files; the workflow's script and the command line call this."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits
from tqdm import tqdm

from reproduction.data.format import MultiViewData
from reproduction.results.jobs import Context, Job, write_result
from reproduction.results.rows import read_table
from reproduction.workflow.source_closure import closure_hash


def progress_bar(items: Iterable[Any], what: str) -> Iterable[Any]:
    """Show a progress bar on standard error (in a workflow that is the job's log)."""
    return tqdm(items, desc=what, file=sys.stderr, mininterval=2.0, dynamic_ncols=False)


def job_code(job: Job) -> str:
    """Return the hash of the sources a job's result depends on."""
    return closure_hash(["reproduction.results.runner", job.module])


def run_job(
    job: Job,
    settings: Mapping[str, Any],
    *,
    views_dir: Path,
    results_dir: Path,
    output_dir: Path | None = None,
    threads: int = 1,
) -> Path:
    """Load a job's inputs, run it on ``threads`` threads and write its three files.

    Returns the path of the result table.
    """
    place = (output_dir or results_dir) / job.paper / job.dataset
    context = Context(
        job=job,
        views={key: MultiViewData.load(views_dir / f"{key}.npz") for key in job.view_keys},
        settings=settings,
        results={name: read_table(results_dir / job.paper / f"{name}.csv") for name in job.after},
        progress=progress_bar,
    )
    with threadpool_limits(limits=threads):
        result = job.load()(context)
    result.details["stamp"] = {"code": job_code(job)}
    table = place / f"{job.name}.csv"
    write_result(job, result, table, place / f"{job.name}.json", place / f"{job.name}.timing.csv")
    return table
