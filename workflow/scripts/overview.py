"""Write the overview page, the summary and the tables of all papers."""

from reproduction.pages.overview import write_overview
from reproduction.pages.stamp import page_stamp
from reproduction.workflow.scripts import located, logged

with logged(snakemake):
    write_overview(
        snakemake.output.page,
        results=located(snakemake.input.scored, snakemake.params.results),
        stamp=page_stamp(snakemake.params.config),
    )
