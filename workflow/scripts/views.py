"""Build one view file from fetched files."""

from pathlib import Path

from reproduction.data.build import build_views
from reproduction.data.custody import read_provenance
from reproduction.data.registry import load_registry
from reproduction.workflow.log import logged

with logged(snakemake):
    dataset, variant = load_registry().resolve(snakemake.wildcards.view_key)
    path = Path(snakemake.input.provenance[0])
    provenance = read_provenance(path, dataset)
    data = build_views(
        dataset.key,
        raw_dir=path.parent,
        registry_entry=dataset,
        variant=variant,
        provenance=provenance,
        options=snakemake.params.options,
    )
    data.save(snakemake.output.views)
