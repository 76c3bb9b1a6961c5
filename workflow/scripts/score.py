"""Judge every published cell and claim of one paper."""

from pathlib import Path

from multiview.datasets.registry import load_registry
from multiview.evaluation.score import score_paper
from multiview.experiments.base import jobs_of, view_keys_behind
from multiview.experiments.runner import job_code
from multiview.workflow_log import logged

with logged(snakemake):
    paper = snakemake.wildcards.paper
    registry = load_registry(check=False)
    score_paper(
        paper,
        results=snakemake.params.results,
        jobs={
            f"{job.dataset}/{job.name}": {
                "code": job_code(job),
                "datasets": sorted({registry.resolve(key)[0].key for key in view_keys_behind(job)}),
            }
            for job in jobs_of(paper)
        },
        registry=registry,
        provenance={Path(path).parent.name: Path(path) for path in snakemake.input.provenance},
        published=snakemake.input.published,
        tolerances=snakemake.input.tolerances,
        claims=snakemake.input.claims,
        partial=snakemake.params.partial,
    )
