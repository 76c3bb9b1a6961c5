"""Write the overview page, the summary and the tables of all papers."""

from reproduction.pages.overview import write_overview
from reproduction.pages.stamp import page_stamp
from reproduction.workflow.scripts import above, logged

with logged(snakemake):
    write_overview(
        snakemake.output.page,
        results=above(snakemake.input.scored, 2),
        stamp=page_stamp(snakemake.params.config),
    )
