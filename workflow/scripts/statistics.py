"""Measure all view files for the data page; gather where all data came from."""

from pathlib import Path

import pandas as pd

from reproduction.data.format import MultiViewData
from reproduction.data.provenance import read_provenance
from reproduction.data.statistics import describe
from reproduction.files import write_json, write_text
from reproduction.workflow.scripts import logged

with logged(snakemake):
    tables = (describe(MultiViewData.load(path)) for path in snakemake.input.views)
    table = pd.concat(tables, ignore_index=True)
    write_text(snakemake.output.table, table.to_csv(index=False, lineterminator="\n"))
    folders = map(Path, snakemake.input.raw)
    write_json(
        snakemake.output.provenance, {folder.name: read_provenance(folder) for folder in folders}
    )
