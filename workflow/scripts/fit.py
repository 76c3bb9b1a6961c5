"""Run one job: views and settings in, tidy rows out."""

from pathlib import Path

from multiview.experiments.base import find_job
from multiview.experiments.runner import run_job
from multiview.workflow_log import logged

with logged(snakemake):
    run_job(
        find_job(snakemake.wildcards.paper, snakemake.wildcards.dataset, snakemake.wildcards.name),
        snakemake.params.settings,
        views_dir=Path(snakemake.params.views),
        results_dir=Path(snakemake.params.results),
        threads=snakemake.threads,
    )
