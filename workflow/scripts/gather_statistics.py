"""Put the statistics of all view files into one table."""

import pandas as pd

from reproduction.files import write_text
from reproduction.workflow.log import logged

with logged(snakemake):
    parts = [pd.read_csv(path, keep_default_na=False) for path in snakemake.input]
    table = pd.concat(parts, ignore_index=True)
    write_text(snakemake.output.table, table.to_csv(index=False, lineterminator="\n"))
