"""Judge every published cell and claim of one paper."""

from pathlib import Path

from reproduction.data.registry import load_registry
from reproduction.results.jobs import jobs_of, view_keys_behind
from reproduction.results.runner import job_code
from reproduction.verdicts.score import score_paper
from reproduction.workflow.log import logged

with logged(snakemake):
    paper = snakemake.wildcards.paper
    registry = load_registry()
    score_paper(
        paper,
        results=snakemake.params.results,
        jobs={
            job.place: {
                "code": job_code(job),
                "datasets": sorted({registry.resolve(key)[0].key for key in view_keys_behind(job)}),
            }
            for job in jobs_of(paper)
        },
        registry=registry,
        provenance={Path(path).parent.name: Path(path) for path in snakemake.input.provenance},
        partial=snakemake.params.partial,
    )
