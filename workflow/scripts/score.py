"""Judge every published cell and claim of one paper."""

from manyviews.seeding import reseeded
from reproduction.data.registry import load_registry
from reproduction.verdicts.chain import Folders, gather
from reproduction.verdicts.score import score_paper
from reproduction.workflow.scaffold import check_room
from reproduction.workflow.scripts import above, logged

with logged(snakemake):
    paper, given = snakemake.wildcards.paper, snakemake.params
    check_room(paper)
    registry = load_registry()
    folders = Folders(
        above(snakemake.input.raw, 1),
        above(snakemake.input.views, 1),
        above(snakemake.output, 2),
    )
    with reseeded(given.seed):
        evidence = gather(paper, given.settings, given.options, registry, folders)
    score_paper(
        paper,
        results=folders.results,
        jobs=evidence.jobs,
        registry=registry,
        provenance=evidence.provenance,
        partial=given.partial,
    )
