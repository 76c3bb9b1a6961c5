"""Judge every published cell and claim of one paper."""

from contextlib import chdir
from pathlib import Path

from reproduction.data.registry import load_registry
from reproduction.verdicts.chain import Folders, judge
from reproduction.workflow.scaffold import check_room
from reproduction.workflow.scripts import above, logged

with logged(snakemake):
    paper, given = snakemake.wildcards.paper, snakemake.params
    check_room(paper)
    places = (snakemake.input.raw, 1), (snakemake.input.views, 1), (snakemake.output, 2)
    folders = Folders(*(above(files, levels).resolve() for files, levels in places))
    registry = load_registry()
    # tables name results as the configuration does, wherever a storage plugin keeps its copies
    with chdir(folders.results.parents[len(Path(given.results).parts) - 1]):
        judge(
            paper,
            given.settings,
            given.options,
            registry,
            folders,
            seed=given.seed,
            partial=given.partial,
        )
