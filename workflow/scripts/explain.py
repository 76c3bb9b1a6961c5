"""Print everything about one published cell."""

import sys

from reproduction.verdicts.explain import explain
from reproduction.workflow.scripts import logged

terminal = sys.stderr
with logged(snakemake):
    text = explain(snakemake.params.cell, snakemake.params.results)
    print(text)
    print(text, file=terminal)
