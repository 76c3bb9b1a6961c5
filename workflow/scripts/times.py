"""Write measured times beside the pages."""

from reproduction.workflow.workers import share

share(snakemake, __file__)

from pathlib import Path

from reproduction.pages.times import write_times
from reproduction.rooms import paper_keys
from reproduction.workflow.log import logged

with logged(snakemake):
    write_times(
        Path(snakemake.output.folder), papers=paper_keys(), results=Path(snakemake.params.results)
    )
