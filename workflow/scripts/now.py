"""Run today's methods on one data set in its paper's task."""

from reproduction.compare.plan import Entry
from reproduction.compare.run import compared
from reproduction.files import write_json
from reproduction.workflow.scripts import logged

with logged(snakemake):
    entry = Entry.model_validate(snakemake.params.entry)
    write_json(snakemake.output.record, compared(snakemake.input.views, entry))
