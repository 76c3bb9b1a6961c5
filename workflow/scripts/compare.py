"""Compare all methods on the user's own data."""

import sys
from contextlib import redirect_stdout

from manyviews.compare.command import compare_files
from manyviews.compare.reading.errors import DataError
from reproduction.workflow.scripts import logged

terminal = sys.stderr
with logged(snakemake):
    if not snakemake.params.data:
        raise DataError(
            "no data are named; run `snakemake --cores 2 compare --config mydata=path/to/data.yaml`"
        )
    with redirect_stdout(terminal):
        compare_files(
            snakemake.params.data,
            snakemake.params.folder,
            jobs=snakemake.threads,
            rounds=snakemake.params.rounds,
        )
