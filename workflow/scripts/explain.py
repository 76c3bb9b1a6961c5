"""Print everything about one published cell."""

import sys

from multiview.evaluation.explain import explain
from multiview.files import write_text

text = explain(snakemake.params.cell, snakemake.params.results)
write_text(str(snakemake.log[0]), text)
print(text, file=sys.stderr)
