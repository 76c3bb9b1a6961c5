"""Measure the view files of one data set for the data page."""

from reproduction.workflow.workers import share

share(snakemake, __file__)

import pandas as pd

from reproduction.data.statistics import summarise_views
from reproduction.files import write_text
from reproduction.workflow.log import logged

with logged(snakemake):
    table = pd.concat([summarise_views(path) for path in snakemake.input.views], ignore_index=True)
    write_text(snakemake.output.table, table.to_csv(index=False, lineterminator="\n"))
