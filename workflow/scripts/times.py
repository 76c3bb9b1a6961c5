"""Write measured times beside the pages."""

from pathlib import Path

from reproduction.pages.times import write_times
from reproduction.rooms import paper_keys
from reproduction.workflow.scripts import above, logged

with logged(snakemake):
    write_times(
        Path(snakemake.output.folder),
        papers=paper_keys(),
        results=above(snakemake.input.timings, 3),
    )
