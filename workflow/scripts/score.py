"""Judge every published cell and claim of one paper."""

from reproduction.workflow.workers import share

share(snakemake, __file__)

from pathlib import Path

from reproduction.data.registry import load_registry
from reproduction.verdicts.chain import Folders, gather
from reproduction.verdicts.score import score_paper
from reproduction.workflow.log import logged

with logged(snakemake):
    paper, given = snakemake.wildcards.paper, snakemake.params
    registry = load_registry()
    folders = Folders(Path("data/raw"), Path(given.views), Path(given.results))
    evidence = gather(paper, given.settings, given.options, registry, folders)
    score_paper(
        paper,
        results=folders.results,
        jobs=evidence.jobs,
        registry=registry,
        provenance=evidence.provenance,
        partial=given.partial,
    )
