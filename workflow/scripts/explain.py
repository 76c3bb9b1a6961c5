"""Print everything about one published cell."""

import sys

from multiview.evaluation.explain import explain
from multiview.workflow_log import logged

terminal = sys.stderr
with logged(snakemake):
    text = explain(snakemake.params.cell, snakemake.params.results)
    print(text)
    print(text, file=terminal)
