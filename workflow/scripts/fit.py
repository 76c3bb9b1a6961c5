"""Run one job: views and settings in, tidy rows out."""

from reproduction.workflow.workers import share

share(snakemake, __file__)

from pathlib import Path

from reproduction.results.jobs import find_job
from reproduction.results.runner import run_job
from reproduction.workflow.config import read_config
from reproduction.workflow.log import logged

with logged(snakemake):
    run_job(
        find_job(snakemake.wildcards.paper, snakemake.wildcards.dataset, snakemake.wildcards.name),
        # the parameters hold only what makes the result stale
        read_config(snakemake.config).settings(snakemake.wildcards.paper).model_dump(),
        views_dir=Path(snakemake.params.views),
        results_dir=Path(snakemake.params.results),
        threads=snakemake.threads,
    )
