"""Run a few jobs of one paper: views and settings in, tidy rows out."""

from manyviews.seeding import reseeded
from reproduction.results.jobs import find_job
from reproduction.results.runner import run_job
from reproduction.workflow.config import read_config
from reproduction.workflow.scripts import above, logged

with logged(snakemake):
    given = snakemake.params
    # the parameters hold only what makes a result stale
    settings = read_config(snakemake.config).settings(given.paper).model_dump()
    with reseeded(given.seed):
        for place in given.jobs:
            run_job(
                find_job(given.paper, *place.split("/")),
                settings,
                views_dir=above(snakemake.input.views, 1),
                results_dir=above(snakemake.output.tables, 3),
                threads=snakemake.threads,
            )
