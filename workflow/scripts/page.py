"""Execute a notebook and write it as a page."""

from reproduction.pages.page import write_page
from reproduction.pages.stamp import page_stamp
from reproduction.workflow.scripts import above, logged

with logged(snakemake):
    write_page(
        snakemake.input.notebook,
        snakemake.output.page,
        results=above(snakemake.input.results, 2),
        stamp=page_stamp(snakemake.params.config),
    )
