"""Build one view file from fetched files."""

import json
from pathlib import Path

from reproduction.data.build import build_views
from reproduction.data.registry import load_registry
from reproduction.data.surrogate_runs import refuse_new_fallback
from reproduction.workflow.log import logged

with logged(snakemake):
    dataset, variant = load_registry().resolve(snakemake.wildcards.view_key)
    provenance = Path(snakemake.input.provenance[0])
    refuse_new_fallback(dataset.key, provenance.parent, snakemake.params.fallbacks)
    data = build_views(
        dataset.key,
        raw_dir=provenance.parent,
        registry_entry=dataset,
        variant=variant,
        provenance=json.loads(provenance.read_text(encoding="utf-8")),
        options=snakemake.params.options,
    )
    data.save(snakemake.output.views)
