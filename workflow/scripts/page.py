"""Execute a notebook and write it as a page."""

from reproduction.workflow.workers import share

share(snakemake, __file__)

from reproduction.pages.page import write_page
from reproduction.pages.stamp import page_stamp
from reproduction.workflow.log import logged

with logged(snakemake):
    write_page(
        snakemake.input.notebook,
        snakemake.output.page,
        results=snakemake.params.results,
        stamp=page_stamp(snakemake.params.config),
        provenance=snakemake.input.provenance,
    )
