"""Write measured times beside the pages."""

from pathlib import Path

from reproduction.pages.times import write_times
from reproduction.rooms import paper_keys
from reproduction.workflow.remaining import SECONDS, write_seconds
from reproduction.workflow.scripts import above, logged

with logged(snakemake):
    folder = Path(snakemake.output.folder)
    write_times(
        folder,
        papers=paper_keys(),
        results=above(snakemake.input.timings, 3),
    )
    write_seconds(folder / SECONDS, snakemake.params.benchmarks)
