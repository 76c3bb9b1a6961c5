"""Run one job from files to files; the workflow's script and the command line call this."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits
from tqdm import tqdm

from reproduction.closure import closure_hash
from reproduction.data.format import MultiViewData
from reproduction.files import write_json, write_text
from reproduction.results.jobs import Context, Job
from reproduction.results.published import printed_methods
from reproduction.results.rows import Result, RowError, read_rows, result_frames, table_text
from reproduction.rooms import module_name, settings_of, tables_of


def progress_bar(items: Iterable[Any], what: str) -> Iterable[Any]:
    """Show a progress bar on standard error (in a workflow that is the job's log)."""
    return tqdm(items, desc=what, file=sys.stderr, mininterval=2.0, dynamic_ncols=False)


def job_code(job: Job) -> str:
    """Return the hash of the sources a job's result depends on."""
    parts = (module_name(job.paper, "columns"), module_name(job.paper, "settings"))
    return closure_hash(["reproduction.results.runner", job.module, *parts])


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
    tables = tables_of(job.paper)
    before = {name: results_dir / job.paper / f"{name}.csv" for name in job.after}
    context = Context(
        job=job,
        views={key: MultiViewData.load(views_dir / f"{key}.npz") for key in job.view_keys},
        settings=settings_of(job.paper, settings),
        results={name: read_rows(path, tables) for name, path in before.items()},
        progress=progress_bar,
    )
    with threadpool_limits(limits=threads):
        result = job.load()(context)
    result.details["stamp"] = {"code": job_code(job)}
    table = place / f"{job.name}.csv"
    write_result(job, result, table)
    return table


def write_result(job: Job, result: Result, table: Path) -> None:
    """Write a job's rows, details and timings; the first two are the same in every run."""
    try:
        values, timings = result_frames(
            job.paper, job.dataset, result.rows, tables_of(job.paper), printed_methods(job.paper)
        )
    except RowError as error:
        raise RowError(f"{job.paper}/{job.place}: {error}") from None
    write_text(table, table_text(values))
    write_json(table.with_suffix(".json"), result.details)
    text = timings.to_csv(index=False, float_format="%.6g", lineterminator="\n")
    write_text(table.with_suffix(".timing.csv"), text)
