"""Run one job from files to files; the workflow's script and the command line call this."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from reproduction.data.format import MultiViewData
from reproduction.files import write_json, write_text
from reproduction.results.custody import contents_of, inputs_of
from reproduction.results.jobs import Context, Job
from reproduction.results.published import printed_methods
from reproduction.results.rows import RowError, read_rows, result_frames, table_text
from reproduction.rooms import settings_of, tables_of


def run_job(
    job: Job,
    settings: Mapping[str, Any],
    *,
    views_dir: Path,
    results_dir: Path,
    output_dir: Path | None = None,
    threads: int = 1,
) -> Path:
    """Load a job's inputs, run it on ``threads`` threads and write rows, details and timings.

    The first two are the same in every run; unsound rows are refused by the job's name. Returns the
    path of the result table.
    """
    # before the run: a file that changes meanwhile must not look like one that was read
    made_from = inputs_of(job, settings, views_dir=views_dir, results_dir=results_dir)
    context = open_context(job, settings, views_dir=views_dir, results_dir=results_dir)
    with threadpool_limits(limits=threads):
        result = job.load()(context)
    try:
        values, timings = result_frames(
            job.paper, job.dataset, result.rows, tables_of(job.paper), printed_methods(job.paper)
        )
    except RowError as error:
        raise RowError(f"{job.paper}/{job.place}: {error}") from None
    content = table_text(values)
    stamp = {"made_from": made_from, "holds": contents_of(content, values, result.details)}
    table = (output_dir or results_dir) / job.paper / f"{job.place}.csv"
    write_text(table, content)
    write_json(table.with_suffix(".json"), {**result.details, "stamp": stamp})
    text = timings.to_csv(index=False, float_format="%.6g", lineterminator="\n")
    write_text(table.with_suffix(".timing.csv"), text)
    return table


def open_context(
    job: Job, settings: Mapping[str, Any], *, views_dir: Path, results_dir: Path
) -> Context:
    """Load what a job is given."""
    tables = tables_of(job.paper)
    before = {name: results_dir / job.paper / f"{name}.csv" for name in job.after}
    return Context(
        job=job,
        views={key: MultiViewData.load(views_dir / f"{key}.npz") for key in job.view_keys},
        settings=settings_of(job.paper, settings),
        results={name: read_rows(path, tables) for name, path in before.items()},
    )
