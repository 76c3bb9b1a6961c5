"""Write the page "Then and now"."""

from reproduction.compare.page import write_then_and_now
from reproduction.compare.plan import Entry
from reproduction.pages.stamp import page_stamp
from reproduction.workflow.scripts import logged

with logged(snakemake):
    write_then_and_now(
        snakemake.input.records,
        snakemake.input.ledgers,
        snakemake.input.reruns,
        snakemake.output.page,
        snakemake.output.table,
        page_stamp(snakemake.params.config),
        [Entry.model_validate(entry) for entry in snakemake.params.entries],
        snakemake.params.never,
    )
