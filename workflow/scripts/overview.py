"""Write the overview page, the summary and the tables of all papers."""

from reproduction.workflow.workers import share

share(snakemake, __file__)

from reproduction.pages.overview import write_overview
from reproduction.pages.stamp import page_stamp
from reproduction.workflow.log import logged

with logged(snakemake):
    write_overview(
        snakemake.output.page,
        results=snakemake.params.results,
        stamp=page_stamp(snakemake.params.config),
    )
