"""Run a few jobs of one paper: views and settings in, tidy rows out."""

from pathlib import Path

from manyviews.seeding import reseeded
from reproduction.results.jobs import find_job
from reproduction.results.runner import run_job
from reproduction.workflow.config import read_config
from reproduction.workflow.rows import is_evidence, take
from reproduction.workflow.scripts import above, logged

with logged(snakemake):
    given, config = snakemake.params, read_config(snakemake.config)
    # the parameters hold only what makes a result stale
    settings = config.settings(given.paper).model_dump()
    folders = {
        "views_dir": above(snakemake.input.views, 1),
        "results_dir": above(snakemake.output.tables, 3),
    }
    with reseeded(given.seed):
        for place in given.jobs:
            job = find_job(given.paper, *place.split("/"))
            asked = config.rows == "published" or (config.rows == "evidence" and is_evidence(job))
            if asked and take(job, settings, Path(given.rows), **folders):
                print(f"{place}: rows of {given.rows}, made from the same code, settings, views")
            else:
                run_job(job, settings, threads=snakemake.threads, **folders)
