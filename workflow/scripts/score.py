"""Judge every published cell and claim of one paper."""

from pathlib import Path

from reproduction.data.registry import load_registry
from reproduction.verdicts.score import score_paper, scored_jobs
from reproduction.workflow.log import logged

with logged(snakemake):
    paper, registry = snakemake.wildcards.paper, load_registry()
    score_paper(
        paper,
        results=snakemake.params.results,
        jobs=scored_jobs(paper, registry),
        registry=registry,
        provenance={Path(path).parent.name: Path(path) for path in snakemake.input.provenance},
        partial=snakemake.params.partial,
    )
