"""Measure one view file for the data page."""

from multiview.datasets.statistics import summarise_views
from multiview.files import write_text
from multiview.workflow_log import logged

with logged(snakemake):
    table = summarise_views(snakemake.input.views)
    write_text(snakemake.output.table, table.to_csv(index=False, lineterminator="\n"))
