"""Judge every published cell and claim of one paper."""

from reproduction.data.registry import load_registry
from reproduction.verdicts.chain import Folders, judge
from reproduction.workflow.scaffold import check_room
from reproduction.workflow.scripts import above, logged

with logged(snakemake):
    paper, given = snakemake.wildcards.paper, snakemake.params
    check_room(paper)
    folders = Folders(
        above(snakemake.input.raw, 1),
        above(snakemake.input.views, 1),
        above(snakemake.output, 2),
    )
    judge(
        paper,
        given.settings,
        given.options,
        load_registry(),
        folders,
        seed=given.seed,
        partial=given.partial,
    )
