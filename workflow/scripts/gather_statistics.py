"""Gather the statistics of all view files, and where all data came from, into one file each."""

from reproduction.workflow.workers import share

share(snakemake, __file__)

import json
from pathlib import Path

import pandas as pd

from reproduction.files import write_json, write_text
from reproduction.workflow.log import logged

with logged(snakemake):
    parts = [pd.read_csv(path, keep_default_na=False) for path in snakemake.input.tables]
    table = pd.concat(parts, ignore_index=True)
    write_text(snakemake.output.table, table.to_csv(index=False, lineterminator="\n"))
    origins = map(Path, snakemake.input.provenance)
    write_json(
        snakemake.output.provenance,
        {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in origins},
    )
