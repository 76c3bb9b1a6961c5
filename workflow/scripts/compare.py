"""Compare all methods on the user's own data."""

import sys

from reproduction.compare.mine import compare_mine
from reproduction.workflow.scripts import logged

terminal = sys.stderr
with logged(snakemake):
    compare_mine(
        snakemake.params.data,
        snakemake.params.folder,
        snakemake.threads,
        lambda line: print(line, file=terminal, flush=True),
        snakemake.params.rounds,
    )
