"""Judge the figures of one job; make further runs of it where one is near an edge."""

from reproduction.workflow.workers import share

share(snakemake, __file__)

from pathlib import Path

from reproduction.data.provenance import read_provenance
from reproduction.data.registry import load_registry
from reproduction.results.jobs import find_job
from reproduction.verdicts.further import run_further, said
from reproduction.workflow.config import read_config
from reproduction.workflow.log import logged

with logged(snakemake):
    config, paper = read_config(snakemake.config), snakemake.wildcards.paper
    folders = [Path(path).parent for path in snakemake.input.provenance]
    taken = run_further(
        find_job(paper, snakemake.wildcards.dataset, snakemake.wildcards.name),
        config.settings(paper).model_dump(),
        config.further.limits,
        load_registry(),
        {folder.name: read_provenance(folder) for folder in folders},
        views_dir=Path(snakemake.params.views),
        results_dir=Path(snakemake.params.results),
        threads=snakemake.threads,
    )
    print(said(taken))
