"""Judge every published cell and claim of one paper."""

from reproduction.data.registry import load_registry
from reproduction.verdicts.chain import Folders, gather
from reproduction.verdicts.score import score_paper
from reproduction.workflow.scripts import located, logged

with logged(snakemake):
    paper, given = snakemake.wildcards.paper, snakemake.params
    registry = load_registry()
    folders = Folders(
        located(snakemake.input.raw, given.raw),
        located(snakemake.input.views, given.views),
        located(snakemake.output, given.results),
    )
    evidence = gather(paper, given.settings, given.options, registry, folders)
    score_paper(
        paper,
        results=folders.results,
        jobs=evidence.jobs,
        registry=registry,
        provenance=evidence.provenance,
        partial=given.partial,
    )
